//! A debuggee that runs: its breakpoints, its new output and the next calls. A wait that timed out
//! is no error.

use std::time::Duration;

use super::breakpoint::{bound_elsewhere, described, is_foreign, is_refused};
use super::note::note;
use super::stack::{Library, stack};
use super::stop::{STOP_TOKENS, stop};
use super::text::{Text, because, cut_end, one_line, seconds};
use super::threads::{named, places};
use super::{Call, Lens, output};
use crate::model::{Binding, Breakpoint, Running, Stacks, Stop, ThreadId, ThreadStack};

/// Breakpoints listed by name.
const LISTED: usize = 6;

/// CPU use in percent of a program that waits, at most.
const IDLE: u32 = 2;

/// The state of a running debuggee.
pub fn running(running: &Running, lens: &Lens) -> Text {
    let mut text = Text::line(header(running));
    rest(running, lens).iter().for_each(|line| text.push(line));
    text.push(next(running, Pause::Possible, lens));
    text
}

/// Whether a pause is proposed.
enum Pause {
    Possible,
    /// It has been tried.
    Failed,
}

/// All between the first line and the last.
fn rest(running: &Running, lens: &Lens) -> Vec<String> {
    let session = &running.session;
    let mut lines = Vec::new();
    if let Some(stacks) = &running.stacks {
        lines.extend(places("threads now", stacks, session, lens));
    }
    if let Some(place) = &running.until {
        lines.push(format!("until: {}", described_place(place, lens)));
    }
    lines.extend(armed(running, lens));
    for one in &running.notes {
        lines.push(format!("note: {}", note(one, lens)));
    }
    lines.extend(output::note(&running.output, session, lens, 80));
    lines
}

fn next(running: &Running, pause: Pause, lens: &Lens) -> String {
    let session = &running.session;
    let wait = lens.call("debug_wait", session).with("since", running.cursor.0);
    let stop = lens.call("debug_stop", session);
    match pause {
        Pause::Possible => {
            format!("next: {wait} · {} · {stop}", lens.call("debug_pause", session))
        }
        Pause::Failed => format!("next: {wait} · {stop}"),
    }
}

/// The stop of a pause, and where the other threads are.
pub fn paused(paused: &Stop, stacks: &Stacks, lens: &Lens) -> Text {
    let mut text = stop(paused, lens, STOP_TOKENS);
    for line in places("other threads", stacks, &paused.session, lens) {
        text.push(line);
    }
    text
}

/// A debuggee that a pause has not stopped, with the stacks of its threads.
pub fn unpaused(running: &Running, stacks: &Stacks, lens: &Lens) -> Text {
    let waits = format!(
        "no thread has stopped yet: each is in code that the debugger cannot interrupt, and stops \
         when that returns ({}). The stacks now, without locals:",
        Call::new("debug_wait")
    );
    let mut text = Text::lines([header(running), waits]);
    text.append(stack(stacks, &running.session, Library::Folded, lens));
    rest(running, lens).iter().for_each(|line| text.push(line));
    text.push(next(running, Pause::Failed, lens));
    text
}

/// The note under a step that was still under way at the time limit of its call.
pub fn unfinished_step(
    running: &Running,
    stepping: Option<ThreadId>,
    waited: Option<&ThreadStack>,
    step: &str,
    limit: Duration,
    lens: &Lens,
) -> String {
    let stacks = running.stacks.as_ref().map_or(&[][..], |stacks| &stacks.threads);
    let thread = stacks.iter().find(|stack| Some(stack.thread.id) == stepping);
    let idle = running.cpu_percent.is_some_and(|percent| percent <= IDLE);
    // A step has not ended in a program that does nothing: its thread still waits.
    let waiting = thread.or(waited.filter(|_| running.stacks.is_none() && idle));
    let blocked = waiting.and_then(|stack| blocked(stack, running.cpu_percent));
    let (session, limit) = (&running.session, limit.as_secs_f64());
    format!(
        "note: the time limit of {limit} s was reached during {step}{}; {} waits on, {} stops it",
        blocked.map(|why| format!(": {why}")).unwrap_or_default(),
        lens.call("debug_wait", session),
        lens.call("debug_pause", session),
    )
}

/// The thread and what it waits for, if it does.
fn blocked(stack: &ThreadStack, cpu_percent: Option<u32>) -> Option<String> {
    let thread = format!("thread {} is blocked", named(&stack.thread));
    match &stack.waits {
        Some(why) => Some(format!("{thread}, waits: {}", cut_end(&one_line(why), 120).0)),
        None => cpu_percent.filter(|percent| *percent <= IDLE).map(|_| thread),
    }
}

fn header(running: &Running) -> String {
    let (session, elapsed) = (&running.session, seconds(running.elapsed));
    match (&running.doing, running.cpu_percent) {
        (Some(doing), _) => format!("▶ {doing} · {session} · {elapsed}"),
        (None, None) => format!("▶ running · {session} · {elapsed}"),
        (None, Some(0..=IDLE)) => {
            format!("▶ running · {session} · {elapsed} · waiting, uses no CPU")
        }
        (None, Some(percent)) => {
            format!("▶ running · {session} · {elapsed} · uses {percent} % CPU")
        }
    }
}

/// A place to run to, without the number of its internal breakpoint.
fn described_place(place: &Breakpoint, lens: &Lens) -> String {
    let found = match place.binding {
        Binding::Bound { .. } => bound_elsewhere(place),
        _ => " · the debugger has found no code there so far".to_owned(),
    };
    format!("{}{found}", lens.place(&place.spec.place))
}

fn armed(running: &Running, lens: &Lens) -> Vec<String> {
    let (mut armed, mut refused) = (Vec::new(), Vec::new());
    for breakpoint in running.breakpoints.iter().filter(|one| one.enabled && !is_foreign(one)) {
        let line = format!("  {}", described(breakpoint, lens));
        if is_refused(breakpoint) {
            refused.push(line);
        } else if breakpoint.hits == 0 {
            armed.push(line + " · no hit");
        } else {
            armed.push(line);
        }
    }
    let mut lines = Vec::new();
    if armed.is_empty() {
        lines.push("no breakpoint is armed".to_owned());
    }
    for (title, listed) in [
        (format!("armed{}:", because(running.unfollowed.as_deref())), armed),
        ("not armed:".to_owned(), refused),
    ] {
        let more = listed.len().saturating_sub(LISTED);
        if !listed.is_empty() {
            lines.push(title);
            lines.extend(listed.into_iter().take(LISTED));
        }
        if more > 0 {
            lines.push(format!("  +{more} more: {}", Call::new("debug_breakpoints")));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Binding, Cursor, SessionId, Thread};
    use crate::view::sample::{breakpoint, lens, output_note};

    fn sample() -> Running {
        Running {
            session: SessionId("py-3f9c".into()),
            elapsed: Duration::from_secs(30),
            doing: None,
            cpu_percent: Some(0),
            stacks: None,
            breakpoints: vec![breakpoint(1, 41, Binding::Bound { line: Some(41) }, 0)],
            unfollowed: None,
            until: None,
            notes: Vec::new(),
            output: output_note(),
            cursor: Cursor(12),
        }
    }

    #[test]
    fn running_debuggee_lists_its_breakpoints() {
        assert_eq!(
            running(&sample(), &lens()),
            "▶ running · py-3f9c · 30.0 s · waiting, uses no CPU\n\
             armed:\n  #1 cart/pricing.py:41 · no hit\n\
             output +2 lines: \"applying…\" (debug_output since=14)\n\
             next: debug_wait since=12 · debug_pause · debug_stop"
        );
    }

    #[test]
    fn step_at_its_time_limit_names_what_blocks_its_thread() {
        let thread = |waits: Option<&str>| ThreadStack {
            thread: Thread { id: ThreadId(2), name: "worker".into() },
            stopped: false,
            running: true,
            waits: waits.map(Into::into),
            frames: Ok(Vec::new()),
            total: None,
            more: false,
        };
        let note = |threads, cpu_percent| {
            let stacks = Some(Box::new(Stacks { threads, ..Stacks::default() }));
            let running = Running { stacks, cpu_percent, ..sample() };
            let limit = Duration::from_secs(3);
            unfinished_step(&running, Some(ThreadId(2)), None, "the step", limit, &lens())
        };
        let (begin, end) = (
            "note: the time limit of 3 s was reached during the step",
            "; debug_wait waits on, debug_pause stops it",
        );
        let blocked = format!("{begin}: thread worker (2) is blocked");
        let locked = note(vec![thread(Some("lock `gate`"))], Some(90));
        assert_eq!(locked, format!("{blocked}, waits: lock `gate`{end}"));
        assert_eq!(note(vec![thread(None)], Some(0)), format!("{blocked}{end}"));
        assert_eq!(note(vec![thread(None)], Some(90)), format!("{begin}{end}"));
        assert_eq!(note(Vec::new(), Some(0)), format!("{begin}{end}"));
        let before = |cpu_percent| {
            let (running, limit) = (Running { cpu_percent, ..sample() }, Duration::from_secs(3));
            let waited = thread(Some("lock `gate`"));
            unfinished_step(&running, Some(ThreadId(2)), Some(&waited), "the step", limit, &lens())
        };
        assert_eq!(before(Some(0)), format!("{blocked}, waits: lock `gate`{end}"));
        assert_eq!(before(Some(90)), format!("{begin}{end}"));
    }

    #[test]
    fn a_pause_that_failed_is_not_proposed_again() {
        let text = unpaused(&sample(), &Stacks::default(), &lens()).to_string();
        assert!(text.ends_with("\nnext: debug_wait since=12 · debug_stop"), "{text}");
    }

    #[test]
    fn a_run_to_a_place_says_whether_there_is_one() {
        let until = |binding| {
            let text = running(
                &Running { until: Some(Box::new(breakpoint(2, 50, binding, 0))), ..sample() },
                &lens(),
            );
            text.lines().nth(1).unwrap_or_default().to_owned()
        };
        assert_eq!(until(Binding::Bound { line: Some(50) }), "until: cart/pricing.py:50");
        let moved = "until: cart/pricing.py:50 → bound to line 52";
        assert_eq!(until(Binding::Bound { line: Some(52) }), moved);
        let none = "until: cart/pricing.py:50 · the debugger has found no code there so far";
        assert_eq!(until(Binding::Unconfirmed), none);
    }

    #[test]
    fn unbound_breakpoints_are_not_armed() {
        let refused = Binding::Refused { reason: "blank line".into(), nearest: Default::default() };
        let breakpoints = vec![
            breakpoint(1, 41, Binding::Bound { line: Some(41) }, 0),
            breakpoint(2, 43, refused, 0),
        ];
        let rendered = |breakpoints| {
            let text =
                running(&Running { breakpoints, output: Default::default(), ..sample() }, &lens());
            text.lines()
                .skip(1)
                .map(str::to_owned)
                .take_while(|line| !line.starts_with("next: "))
                .collect::<Vec<_>>()
        };
        let not_armed = ["not armed:", "  #2 cart/pricing.py:43 · UNVERIFIED: blank line"];
        let all = [&["armed:", "  #1 cart/pricing.py:41 · no hit"][..], &not_armed].concat();
        assert_eq!(rendered(breakpoints.clone()), all);
        assert_eq!(
            rendered(breakpoints[1..].to_vec()),
            [&["no breakpoint is armed"][..], &not_armed].concat()
        );
    }

    #[test]
    fn breakpoints_over_the_limit_are_counted() {
        let bound = |id| breakpoint(id, 40 + id, Binding::Bound { line: Some(40 + id) }, 1);
        let breakpoints = (1..=8).map(bound).collect();
        let text = running(&Running { breakpoints, ..sample() }, &lens());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "armed:");
        assert!(lines[7].starts_with("  #6 cart/pricing.py:46"), "{text}");
        assert_eq!(lines[8], "  +2 more: debug_breakpoints");
    }

    #[test]
    fn unfollowed_children_are_noted_with_breakpoints() {
        let text = running(
            &Running { unfollowed: Some("children go unseen".into()), ..sample() },
            &lens(),
        );
        assert_eq!(text.lines().nth(1), Some("armed (children go unseen):"));
    }

    #[test]
    fn a_build_is_not_called_running() {
        let building = Running {
            doing: Some("building".into()),
            breakpoints: vec![],
            output: Default::default(),
            ..sample()
        };
        assert_eq!(
            running(&building, &lens()),
            "▶ building · py-3f9c · 30.0 s\nno breakpoint is armed\nnext: debug_wait since=12 · \
            debug_pause · debug_stop"
        );
    }
}
