//! Hits of log breakpoints that Delve reports twice around a pause. Delve sends the program a
//! SIGTRAP to stop it (proc/native, `requestManualStop`). If the program has just stopped at a
//! breakpoint by itself, the signal waits, and ends the single step over that breakpoint before it
//! has moved: the same hit is reported again (proc_linux.go, `resume`). So the goroutine is still
//! at the line when the program stops for the pause; its stack is read then.
//!
//! Knows lines of log breakpoints as Delve writes them; whether a line is one is decided elsewhere.

use dapdock_plugin::hooks::{DapRequest, Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::state::State;

/// As many hits are compared: of goroutines that hit at the same time.
const HITS: usize = 64;

/// The hits that Delve may report twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Pauses {
    /// A pause has been requested, and the program has not stopped.
    pending: bool,
    /// The last hit of each goroutine: before the stop, and after it until its next one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    last: Vec<Hit>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde")]
struct Hit {
    goroutine: i64,
    line: String,
    at: Place,
    /// The goroutine is there at the stop, too.
    stays: bool,
}

/// A source file and a line.
type Place = (String, i64);

/// Sends an empty breakpoint request before a pause of a process that was attached to.
///
/// Before the first stop of such a process Delve takes a pause for the cancellation of a download,
/// if the program has shared libraries (1.27: server.go, `onPauseRequest`; bininfo.go, `AddImage`).
/// A breakpoint request halts and resumes the process all the same.
pub fn on_request(session: &Session, pause: Request) -> RequestAction {
    let mut state: State = session.load();
    state.pauses.requested();
    session.store(&state);
    let arguments: Value = serde_json::from_str(&session.arguments()).unwrap_or_default();
    if arguments["mode"] != "local" {
        return RequestAction::Unchanged;
    }
    let none = dap::SetInstructionBreakpointsArguments::default();
    RequestAction::in_turn([Request::new::<dap::SetInstructionBreakpoints>(none), pause])
}

impl Pauses {
    /// A pause is requested.
    pub fn requested(&mut self) {
        *self = Self { pending: true, last: Vec::new() };
    }

    /// The program has stopped.
    pub fn stopped(&mut self) {
        if !self.pending {
            self.last.clear();
        }
        self.pending = false;
    }

    /// Whether lines change this.
    pub fn is_idle(&self) -> bool {
        !self.pending && self.last.is_empty()
    }

    /// The action for a request that the host sends at a stop. The first one is preceded by
    /// requests for the top frames of the goroutines.
    pub fn before(&self, request: Request, action: RequestAction) -> RequestAction {
        let unread = self.last.iter().filter(|hit| !self.pending && !hit.stays);
        let mut requests: Vec<DapRequest> = unread.map(|hit| top(hit.goroutine).into()).collect();
        match action {
            action if requests.is_empty() => return action,
            RequestAction::Unchanged => requests.push(request.into()),
            RequestAction::Replace(arguments) => {
                requests.push(DapRequest { arguments, ..request.into() });
            }
            RequestAction::Expand(others) => requests.extend(others),
            action => return action,
        }
        RequestAction::Expand(requests)
    }

    /// Takes the frames of a stopped goroutine.
    pub fn on_stack(&mut self, sent: &dap::StackTraceArguments, stack: &[dap::StackFrame]) {
        if self.pending || sent.start_frame.unwrap_or(0) > 0 {
            return;
        }
        let top = stack.first().and_then(|top| place(&top.source, top.line));
        self.last.retain_mut(|hit| {
            let is_read = hit.goroutine == sent.thread_id;
            hit.stays |= is_read && top.as_ref() == Some(&hit.at);
            !is_read || hit.stays
        });
    }

    /// Takes a line of a log breakpoint; true if it repeats the hit before the stop.
    pub fn repeats(&mut self, output: &dap::Output) -> bool {
        let Some(hit) = hit(output) else { return false };
        let before = self.last.iter().position(|other| other.goroutine == hit.goroutine);
        let before = before.map(|at| self.last.swap_remove(at));
        if !self.pending {
            return before.is_some_and(|before| before == Hit { stays: true, ..hit });
        }
        if self.last.len() < HITS {
            self.last.push(hit);
        }
        false
    }
}

/// Whether the host sends the request before it resumes the program from the stop of a pause: to
/// publish the stop, or to change breakpoints.
pub fn is_sent_at_stops(request: &Request) -> bool {
    request.is::<dap::Threads>() || request.command().starts_with("set")
}

/// Reads where goroutines are that had a hit before the stop of a pause.
pub fn on_stack(
    session: &Session,
    sent: &dap::StackTraceArguments,
    body: &dap::StackTraceResponse,
) {
    let mut state: State = session.load();
    if !state.pauses.is_idle() {
        state.pauses.on_stack(sent, &body.stack_frames);
        session.store(&state);
    }
}

/// Requests the top frame.
fn top(thread_id: i64) -> Request {
    let levels = Some(1);
    Request::new::<dap::StackTrace>(dap::StackTraceArguments {
        thread_id,
        levels,
        ..Default::default()
    })
}

/// The hit of a line such as `> [Go 18]: MESSAGE`.
fn hit(output: &dap::Output) -> Option<Hit> {
    let line = &output.output;
    Some(Hit {
        goroutine: line.strip_prefix("> [Go ")?.split(']').next()?.parse().ok()?,
        line: line.clone(),
        at: place(&output.source, output.line?)?,
        stays: false,
    })
}

fn place(source: &Option<dap::Source>, line: i64) -> Option<Place> {
    Some((source.as_ref()?.path.clone()?, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Option<dap::Source> {
        Some(dap::Source { path: Some("/a/main.go".into()), ..Default::default() })
    }

    /// `pause`, `stop`, `GOROUTINE at LINE` for its top frame, or the line of a hit.
    #[track_caller]
    fn check(events: &[&str], expect: &[bool]) {
        let mut pauses = Pauses::default();
        let mut repeats = Vec::new();
        for event in events {
            match (*event, event.split_once(" at ")) {
                ("pause", _) => pauses.requested(),
                ("stop", _) => pauses.stopped(),
                (_, Some((goroutine, line))) => {
                    let sent = dap::StackTraceArguments {
                        thread_id: goroutine.parse().unwrap(),
                        ..Default::default()
                    };
                    let line = line.parse().unwrap();
                    let top = dap::StackFrame { source: source(), line, ..Default::default() };
                    pauses.on_stack(&sent, &[top, dap::StackFrame::default()]);
                }
                (line, None) => {
                    let (output, line) = (line.to_owned(), Some(7));
                    let source = source();
                    let hit = dap::Output { output, line, source, ..Default::default() };
                    repeats.push(pauses.repeats(&hit));
                }
            }
        }
        assert_eq!(repeats, expect, "{events:?}");
    }

    #[test]
    fn a_hit_is_repeated_only_after_the_stop_of_a_pause() {
        let (one, other, here) = ("> [Go 1]: i=1\n", "> [Go 1]: i=2\n", "1 at 7");
        check(&["pause", one, "stop", here, one, one], &[false, true, false]);
        check(&["pause", one, "stop", here, other, one], &[false, false, false]);
        check(&["pause", one, other, "stop", here, one], &[false, false, false]);
        check(&["pause", one, one, "stop", here, other], &[false, false, false]);
        check(&[one, one, "stop", here, one], &[false, false, false]);
        check(&[one, "pause", "stop", here, one], &[false, false]);
        // The stop at another place in between.
        check(&["pause", one, "stop", here, "stop", here, one], &[false, false]);
        let third = "> [Go 18]: i=1\n";
        check(
            &["pause", one, third, "stop", here, "18 at 7", third, one, one],
            &[false, false, true, true, false],
        );
    }

    #[test]
    fn a_goroutine_that_has_left_the_line_repeats_no_hit() {
        let (one, third) = ("> [Go 1]: tick\n", "> [Go 18]: tick\n");
        check(&["pause", one, "stop", "1 at 8", one], &[false, false]);
        // Its stack is not known.
        check(&["pause", one, "stop", one], &[false, false]);
        check(&["pause", one, third, "stop", "18 at 7", one, third], &[false, false, false, true]);
        // Before the stop.
        check(&["pause", one, "1 at 7", "stop", one], &[false, false]);
    }

    #[test]
    fn stacks_are_read_once_at_the_stop_of_a_pause() {
        let mut pauses = Pauses::default();
        let output = "> [Go 18]: tick\n".to_owned();
        let hit = dap::Output { output, source: source(), line: Some(7), ..Default::default() };
        let threads = Request::new::<dap::Threads>(dap::NoArguments);
        assert!(is_sent_at_stops(&threads));
        let sent = |pauses: &Pauses, action| match pauses.before(threads.clone(), action) {
            RequestAction::Expand(requests) => requests,
            _ => Vec::new(),
        };
        pauses.repeats(&hit);
        assert!(pauses.is_idle() && sent(&pauses, RequestAction::Unchanged).is_empty());
        pauses.requested();
        pauses.repeats(&hit);
        assert!(sent(&pauses, RequestAction::Unchanged).is_empty());
        pauses.stopped();
        for (action, arguments) in [
            (RequestAction::Unchanged, "{}"),
            (RequestAction::Replace("[]".into()), "[]"),
            (RequestAction::in_turn([threads.clone()]), "{}"),
        ] {
            let found = sent(&pauses, action);
            let commands: Vec<&str> = found.iter().map(|one| one.command.as_str()).collect();
            assert_eq!(commands, ["stackTrace", "threads"]);
            // The order of the keys depends on a feature of `serde_json` that the workspace sets.
            let read: Value = serde_json::from_str(&found[0].arguments).unwrap();
            assert_eq!(read, json!({"threadId": 18, "levels": 1}));
            assert_eq!(found[1].arguments, arguments);
        }
        let refused = RequestAction::rejected(Error::invalid_request("no"));
        assert!(matches!(pauses.before(threads.clone(), refused), RequestAction::Reject(_)));
        let read = dap::StackTraceArguments { thread_id: 18, ..Default::default() };
        pauses.on_stack(&read, &[]);
        assert!(pauses.is_idle());
    }
}
