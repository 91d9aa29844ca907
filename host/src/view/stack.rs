//! Threads and frames. Threads with the same stack share one; runs of library frames fold into a
//! line.

use super::stop::described;
use super::text::{Text, cap_to, counted, one_line};
use super::{Call, HARD_CAP, Lens, estimate};
use crate::model::{Frame, SessionId, Stacks, ThreadStack};

/// How library frames are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Library {
    /// Each run of them is one line.
    #[default]
    Folded,
    /// Like any other.
    Listed,
}

/// The stacks of a stop.
pub fn stack(stacks: &Stacks, session: &SessionId, library: Library, lens: &Lens) -> Text {
    let groups = grouped(&stacks.threads);
    let mut lines: Vec<_> =
        groups.iter().flat_map(|group| block(group, session, library, lens)).collect();
    if lines.is_empty() {
        lines.push(none(stacks));
    }
    let rest = further(stacks, session, lens);
    let mut text = cap_to(
        Text::lines(lines),
        &fewer(stacks, session, lens),
        HARD_CAP - rest.iter().map(|line| estimate(line) + 1).sum::<usize>(),
    );
    rest.iter().for_each(|line| text.push(line));
    text
}

fn fewer(stacks: &Stacks, session: &SessionId, lens: &Lens) -> Call {
    let call = lens.call("debug_stack", session);
    match (stacks.of, stacks.start) {
        (0 | 1, _) => call.with("count", 10),
        (_, 0) => call.with("all_threads", true).with("count", 2),
        (_, start) => call.with("all_threads", true).with("start", start).with("count", 2),
    }
}

fn none(stacks: &Stacks) -> String {
    match stacks.of {
        0 => "no threads".to_owned(),
        all => format!("no thread after the first {}: there are {all}", stacks.start),
    }
}

/// Count of omitted threads, and the call that lists them.
fn further(stacks: &Stacks, session: &SessionId, lens: &Lens) -> Vec<String> {
    let next = stacks.start.saturating_add(stacks.threads.len() as u32);
    let left = stacks.of.saturating_sub(next.max(stacks.start));
    let mut lines = Vec::new();
    if left > 0 {
        let call = lens.call("debug_stack", session).with("all_threads", true).with("start", next);
        lines.push(format!("+{} more: {call}", counted(left.into(), "thread")));
    }
    if let Some(most) = stacks.limit {
        lines.push(format!(
            "there may be others: the debugger lists no more than about {most} threads"
        ));
    }
    lines
}

/// Threads in order, those with equal stacks together; the stopped one first.
fn grouped(stacks: &[ThreadStack]) -> Vec<Vec<&ThreadStack>> {
    let mut groups: Vec<Vec<&ThreadStack>> = Vec::new();
    let (stopped, others): (Vec<_>, Vec<_>) = stacks.iter().partition(|stack| stack.stopped);
    for stack in stopped.into_iter().chain(others) {
        match groups
            .iter_mut()
            .find(|group| !stack.stopped && !group[0].stopped && same(group[0], stack))
        {
            Some(group) => group.push(stack),
            None => groups.push(vec![stack]),
        }
    }
    groups
}

fn same(a: &ThreadStack, b: &ThreadStack) -> bool {
    let place = |frame: &Frame| (frame.name.clone(), frame.path.clone(), frame.line);
    match (&a.frames, &b.frames) {
        (Ok(x), Ok(y)) => {
            a.waits == b.waits && x.len() == y.len() && x.iter().map(place).eq(y.iter().map(place))
        }
        (Err(a), Err(b)) => a == b,
        _ => false,
    }
}

fn block(
    group: &[&ThreadStack],
    session: &SessionId,
    library: Library,
    lens: &Lens,
) -> Vec<String> {
    let first = group[0];
    let total = first
        .total
        .map(|total| format!(" · {}", counted(total.into(), "frame")))
        .unwrap_or_default();
    let waits =
        first.waits.as_ref().map(|why| format!(" · waits: {}", one_line(why))).unwrap_or_default();
    let mut lines = vec![format!("{}{waits}{total}", threads(group))];
    match &first.frames {
        Err(reason) => lines.push(format!("  not readable: {}", one_line(reason))),
        Ok(frames) => {
            lines.extend(written(frames, library, lens));
            lines.extend(more(first, frames, session, lens));
        }
    }
    lines
}

fn threads(group: &[&ThreadStack]) -> String {
    const LISTED: usize = 8;
    let mut names = Vec::new();
    for stack in group.iter().take(LISTED) {
        names.push(format!("{} ({})", stack.thread.name, stack.thread.id.0));
    }
    let names = names.join(", ");
    match group {
        [only] if only.running => format!("thread {names} · not stopped"),
        _ if group[0].running && group.len() <= LISTED => {
            format!("{} threads, not stopped: {names}", group.len())
        }
        [only] => format!("thread {names}{}", if only.stopped { " · stopped here" } else { "" }),
        _ if group.len() > LISTED => format!("{} threads: {names}, …", group.len()),
        _ => format!("{} threads: {names}", group.len()),
    }
}

fn written(frames: &[Frame], library: Library, lens: &Lens) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = frames;
    while let [first, ..] = rest {
        let run = match library {
            Library::Listed => 0,
            Library::Folded => rest.iter().take_while(|frame| !frame.is_user()).count(),
        };
        // A single library frame costs no more than the line that would fold it.
        if run > 1 {
            lines.push(format!(
                "   … {run} library frames #{}–#{} (library=true)",
                first.index,
                rest[run - 1].index
            ));
        } else {
            lines.push(described(first, lens, 120, 200));
        }
        rest = &rest[run.max(1)..];
    }
    lines
}

fn more(stack: &ThreadStack, frames: &[Frame], session: &SessionId, lens: &Lens) -> Option<String> {
    let next = frames.last().map_or(0, |frame| frame.index + 1);
    let call =
        lens.call("debug_stack", session).with("thread", stack.thread.id.0).with("start", next);
    match stack.total.and_then(|total| total.checked_sub(next)) {
        Some(left) if left > 0 => {
            Some(format!("   +{} more: {call}", counted(left.into(), "frame")))
        }
        _ if stack.more => Some(format!("   more frames: {call}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FrameKind, Thread, ThreadId};
    use crate::view::sample::{self, frame, lens};

    fn of(id: i64, name: &str, stopped: bool, frames: Vec<Frame>, total: u32) -> ThreadStack {
        ThreadStack {
            thread: Thread { id: ThreadId(id), name: name.into() },
            stopped,
            running: false,
            waits: None,
            frames: Ok(frames),
            total: Some(total),
            more: false,
        }
    }

    #[test]
    fn equal_stacks_share_a_block_and_library_frames_fold() {
        let waiting = vec![
            frame(0, "wait", "/usr/lib/t.py", 3, FrameKind::Library),
            frame(1, "poll", "/usr/lib/t.py", 9, FrameKind::Library),
        ];
        let stacks = [
            of(2, "worker-1", false, waiting.clone(), 2),
            of(1, "MainThread", true, sample::stop().frames, 9),
            of(3, "worker-2", false, waiting, 2),
            ThreadStack {
                frames: Err("busy".into()),
                total: None,
                ..of(4, "io", false, vec![], 0)
            },
        ];
        let stacks = Stacks { of: 4, threads: stacks.into(), ..Stacks::default() };
        assert_eq!(
            stack(&stacks, &SessionId("py-3f9c".into()), Library::Folded, &lens()),
            "thread MainThread (1) · stopped here · 9 frames\n\
             #0 apply_discount  cart/pricing.py:41\n\
             #1 checkout  cart/app.py:88\n\
             #2 call  /usr/lib/lib.py:9\n\
             #3 main  run.py:12\n\
             #4 run_module  /usr/lib/lib.py:9\n   \
                +4 frames more: debug_stack thread=1 start=5\n\
             2 threads: worker-1 (2), worker-2 (3) · 2 frames\n   \
                … 2 library frames #0–#1 (library=true)\n\
             thread io (4)\n  \
               not readable: busy"
        );
        assert!(
            stack(&stacks, &SessionId("py-3f9c".into()), Library::Listed, &lens())
                .contains("#1 poll  /usr/lib/t.py:9")
        );
    }
    #[test]
    fn omitted_threads_are_counted_with_a_call_for_them() {
        let thread = |id| {
            of(
                id,
                "main.work",
                false,
                vec![frame(0, "main.work", "main.go", 3, FrameKind::User)],
                1,
            )
        };
        let rendered =
            |stacks: &Stacks| stack(stacks, &SessionId("py-3f9c".into()), Library::Folded, &lens());
        let page = Stacks { threads: vec![thread(1), thread(2)], start: 4, of: 7, limit: None };
        let text = "2 threads: main.work (1), main.work (2) · 1 frame\n#0 main.work  main.go:3\n";
        assert_eq!(
            rendered(&page),
            format!("{text}+1 thread more: debug_stack all_threads=true start=6")
        );
        let last = Stacks { of: 6, limit: Some(1000), ..page };
        let others = "there may be others: the debugger lists no more than about 1000 threads";
        assert_eq!(rendered(&last), format!("{text}{others}"));
        let none = Stacks { threads: vec![], start: 7, of: 6, limit: None };
        assert_eq!(rendered(&none), "no thread after the first 7: there are 6");
    }

    #[test]
    fn long_stack_names_the_call_for_the_other_threads() {
        let frames = |id: i64| {
            (0..40).map(|n| frame(n, &format!("f{id}"), "main.go", n, FrameKind::User)).collect()
        };
        let threads = (0..200).map(|id| of(id, "main.work", false, frames(id), 40)).collect();
        let page = Stacks { threads, start: 200, of: 700, limit: None };
        let text = stack(&page, &SessionId("py-3f9c".into()), Library::Folded, &lens());
        let (_, end) = text.split_once("… cut here, ").unwrap_or_default();
        let less = "the rest is over 8000 tokens; ask for less: debug_stack all_threads=true \
            start=200 count=2";
        assert_eq!(
            end,
            format!("{less}\n+300 threads more: debug_stack all_threads=true start=400")
        );
        assert!(estimate(&text) <= HARD_CAP);
    }

    #[test]
    fn threads_with_different_waits_are_separate() {
        let waits = |id, why: &str| ThreadStack {
            waits: Some(why.into()),
            ..of(
                id,
                "main.work",
                false,
                vec![frame(0, "main.work", "main.go", 3, FrameKind::User)],
                1,
            )
        };
        let threads = vec![waits(1, "select"), waits(2, "select"), waits(3, "chan receive")];
        let stacks = Stacks { of: 3, threads, ..Stacks::default() };
        let text = stack(&stacks, &SessionId("py-3f9c".into()), Library::Folded, &lens());
        assert_eq!(
            text,
            "2 threads: main.work (1), main.work (2) · waits: select · 1 frame\n#0 main.work  \
            main.go:3\n\
             thread main.work (3) · waits: chan receive · 1 frame\n#0 main.work  main.go:3"
        );
    }
}
