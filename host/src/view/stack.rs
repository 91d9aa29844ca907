//! Threads and frames. Threads with the same stack share one; runs of library frames fold into a line.

use super::stop::described;
use super::text::{counted, one_line};
use super::{Lens, cap};
use crate::model::{Frame, SessionId, ThreadStack};

/// Whether library frames are written out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Library {
    /// Each run of them is one line.
    #[default]
    Folded,
    /// Like any other.
    Shown,
}

/// The stacks of a stop.
pub fn stack(stacks: &[ThreadStack], session: &SessionId, library: Library, lens: &Lens) -> String {
    let blocks: Vec<_> = grouped(stacks).iter().map(|group| block(group, session, library, lens)).collect();
    let fewer = lens.call("debug_stack", session).with("count", 10);
    cap(if blocks.is_empty() { "no threads".to_owned() } else { blocks.join("\n") }, &fewer)
}

/// Threads in order, those with equal stacks together; the stopped one first.
fn grouped(stacks: &[ThreadStack]) -> Vec<Vec<&ThreadStack>> {
    let mut groups: Vec<Vec<&ThreadStack>> = Vec::new();
    let (stopped, others): (Vec<_>, Vec<_>) = stacks.iter().partition(|stack| stack.stopped);
    for stack in stopped.into_iter().chain(others) {
        match groups.iter_mut().find(|group| !stack.stopped && !group[0].stopped && same(group[0], stack)) {
            Some(group) => group.push(stack),
            None => groups.push(vec![stack]),
        }
    }
    groups
}

fn same(a: &ThreadStack, b: &ThreadStack) -> bool {
    let place = |frame: &Frame| (frame.name.clone(), frame.path.clone(), frame.line);
    match (&a.frames, &b.frames) {
        (Ok(a), Ok(b)) => a.len() == b.len() && a.iter().map(place).eq(b.iter().map(place)),
        (Err(a), Err(b)) => a == b,
        _ => false,
    }
}

fn block(group: &[&ThreadStack], session: &SessionId, library: Library, lens: &Lens) -> String {
    let first = group[0];
    let total = first.total.map(|total| format!(" · {}", counted(total.into(), "frame"))).unwrap_or_default();
    let mut lines = vec![format!("{}{total}", threads(group))];
    match &first.frames {
        Err(reason) => lines.push(format!("  not readable: {}", one_line(reason))),
        Ok(frames) => {
            lines.extend(written(frames, library, lens));
            lines.extend(more(first, frames, session, lens));
        }
    }
    lines.join("\n")
}

fn threads(group: &[&ThreadStack]) -> String {
    const SHOWN: usize = 8;
    let name = |stack: &&ThreadStack| format!("{} ({})", stack.thread.name, stack.thread.id.0);
    let names = group.iter().take(SHOWN).map(name).collect::<Vec<_>>().join(", ");
    match group {
        [only] if only.running => format!("thread {names} · not stopped"),
        _ if group[0].running && group.len() <= SHOWN => format!("{} threads, not stopped: {names}", group.len()),
        [only] => format!("thread {names}{}", if only.stopped { " · stopped here" } else { "" }),
        _ if group.len() > SHOWN => format!("{} threads: {names}, …", group.len()),
        _ => format!("{} threads: {names}", group.len()),
    }
}

fn written(frames: &[Frame], library: Library, lens: &Lens) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = frames;
    while let [first, ..] = rest {
        let run = match library {
            Library::Shown => 0,
            Library::Folded => rest.iter().take_while(|frame| !frame.is_user()).count(),
        };
        // A single library frame costs no more than the line that would fold it.
        if run > 1 {
            lines.push(format!("   … {run} library frames #{}–#{} (library=true)", first.index, rest[run - 1].index));
        } else {
            lines.push(described(first, lens, 120, 200));
        }
        rest = &rest[run.max(1)..];
    }
    lines
}

fn more(stack: &ThreadStack, frames: &[Frame], session: &SessionId, lens: &Lens) -> Option<String> {
    let next = frames.last().map_or(0, |frame| frame.index + 1);
    let call = lens.call("debug_stack", session).with("thread", stack.thread.id.0).with("start", next);
    match stack.total.and_then(|total| total.checked_sub(next)) {
        Some(left) if left > 0 => Some(format!("   +{} more: {call}", counted(left.into(), "frame"))),
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
            ThreadStack { frames: Err("busy".into()), total: None, ..of(4, "io", false, vec![], 0) },
        ];
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
            stack(&stacks, &SessionId("py-3f9c".into()), Library::Shown, &lens()).contains("#1 poll  /usr/lib/t.py:9")
        );
    }
}
