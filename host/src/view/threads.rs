//! Where threads are, one line for each distinct place: the user's frames of their stacks.

use super::lens::Lens;
use super::text::{counted, cut_end, cut_middle, one_line};
use crate::model::{Frame, SessionId, Stacks, Thread, ThreadStack};

/// Places listed.
const LISTED: usize = 10;
/// Names of threads at one place.
const NAMED: usize = 3;
/// The user's frames of a stack.
const FRAMES: usize = 3;

/// Threads at the same place, which wait for the same.
struct Place<'a> {
    at: String,
    threads: Vec<&'a ThreadStack>,
}

/// Where all threads are except the one that stopped.
pub(super) fn places(
    title: &str,
    stacks: &Stacks,
    session: &SessionId,
    lens: &Lens,
) -> Vec<String> {
    let mut found: Vec<Place<'_>> = Vec::new();
    let mut elsewhere = 0;
    for stack in stacks.threads.iter().filter(|stack| !stack.stopped) {
        let at = place(stack, lens);
        match found.iter_mut().find(|place| Some(&place.at) == at.as_ref()) {
            Some(place) => place.threads.push(stack),
            None => match at {
                Some(at) => found.push(Place { at, threads: vec![stack] }),
                None => elsewhere += 1,
            },
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("{title}:")];
    for place in found.iter().take(LISTED) {
        lines.push(format!("  {}: {}", names(&place.threads), place.at));
    }
    let unread = (stacks.of as usize).saturating_sub(stacks.threads.len());
    let left = found.iter().skip(LISTED).map(|place| place.threads.len()).sum::<usize>();
    if left + unread > 0 {
        let call = lens.call("debug_stack", session).with("all_threads", true);
        lines.push(format!("  +{} more: {call}", counted((left + unread) as u64, "thread")));
    }
    if elsewhere > 0 {
        lines.push(format!("  {} outside the program's own code", counted(elsewhere, "thread")));
    }
    lines
}

/// The user's frames and what the thread waits for; none without such frames.
fn place(stack: &ThreadStack, lens: &Lens) -> Option<String> {
    let frames = stack.frames.as_ref().ok()?;
    let mut parts = Vec::new();
    for frame in frames.iter().filter(|frame| frame.is_user()).take(FRAMES) {
        parts.push(described(frame, lens));
    }
    if parts.is_empty() {
        return None;
    }
    let waits = match &stack.waits {
        Some(why) => format!(" · waits: {}", cut_end(&one_line(why), 120).0),
        None => String::new(),
    };
    Some(parts.join("  <- ") + &waits)
}

fn described(frame: &Frame, lens: &Lens) -> String {
    let name = cut_middle(&frame.name, 60).0;
    match lens.frame_place(frame) {
        Some(place) => format!("{name}  {}", cut_middle(&place, 100).0),
        None => name,
    }
}

/// Name and number.
pub(super) fn named(thread: &Thread) -> String {
    format!("{} ({})", cut_end(&thread.name, 40).0, thread.id.0)
}

fn names(threads: &[&ThreadStack]) -> String {
    let mut names = Vec::new();
    for stack in threads.iter().take(NAMED) {
        names.push(named(&stack.thread));
    }
    if threads.len() > NAMED {
        names.push(format!("+{}", threads.len() - NAMED));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FrameKind, ThreadId};
    use crate::view::sample::{frame, lens};

    fn stack(id: i64, name: &str, waits: Option<&str>, frames: Vec<Frame>) -> ThreadStack {
        ThreadStack {
            thread: Thread { id: ThreadId(id), name: name.into() },
            stopped: id == 1,
            running: false,
            waits: waits.map(Into::into),
            frames: Ok(frames),
            total: None,
            more: false,
        }
    }

    #[test]
    fn threads_at_one_place_share_a_line() {
        let library = || frame(0, "wait", "/usr/lib/t.py", 3, FrameKind::Library);
        let own = |line| vec![library(), frame(1, "work", "/w/a.py", line, FrameKind::User)];
        let mut threads = vec![stack(1, "main", None, own(9))];
        for id in 2..7 {
            threads.push(stack(id, "w", Some("lock `gate`"), own(4)));
        }
        threads.push(stack(7, "other", None, own(5)));
        threads.push(stack(8, "pool", None, vec![library()]));
        let stacks = Stacks { of: 8, threads, ..Stacks::default() };
        assert_eq!(
            places("other threads", &stacks, &SessionId("py-1".into()), &lens()).join("\n"),
            "other threads:\n  \
               w (2), w (3), w (4), +2: work  a.py:4 · waits: lock `gate`\n  \
               other (7): work  a.py:5\n  \
               1 thread outside the program's own code"
        );
    }
}
