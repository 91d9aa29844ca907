//! Stops for panics that do not end the program, where Delve's filters do not stop: those that
//! somebody recovers from and reports, as a server does, and for `exceptions=["all"]` each where it
//! is raised. The plugin adds function breakpoints for them.

use dapdock_golang::functions;
use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, Reaction, StopView};
use dapdock_plugin::schema::LibraryRule;
use dapdock_plugin::translate::BreakOn;

use crate::state::State;
use crate::{manifest, stops};

/// The first statement of the function that raises all panics, those of the runtime too
/// (runtime/panic.go).
const RAISE: &str = "runtime.gopanic:1";
/// Functions that read the stack for a report. A server, and any other that goes on after a failure
/// of what it calls, reports a panic in the deferred function that recovers from it: it runs on top
/// of the stack of the panic.
const REPORT: [&str; 2] = ["runtime.Stack", "github.com/gin-gonic/gin.stack"];
/// Whether a deferred function runs that has recovered from a panic.
const RECOVERS: &str = "runtime.curg._panic != nil && runtime.curg._panic.recovered";
/// The value of the panic in [`RAISE`], without its interface.
const RAISED: &str = "e.(data)";
/// The same in a report.
const REPORTED_VALUE: &str = "runtime.curg._panic.arg.(data)";
/// The first deferred function that the panic runs.
const DEFERRED: &str = "runtime.curg._defer.fn";
/// An interface in memory. The value of the panic is in registers: Delve reads no interface there
/// before another one has made it read the program's types (pkg/proc/bininfo.go, `getModuleData`).
const IN_MEMORY: &str = "runtime.memoryError";
/// The context of its evaluation in place of `exceptionInfo`. Delve ignores unknown contexts.
const CONTEXT: &str = "panic";
/// The same in a report.
const REPORTED: &str = "reported panic";
/// The context of [`DEFERRED`].
const HANDLER: &str = "deferred function";
/// The break mode of a panic that may be recovered from.
const ALWAYS: &str = "always";
/// The break mode of a panic that is reported.
const UNHANDLED: &str = "userUnhandled";

/// The panics that stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde")]
pub enum Wanted {
    /// None that the program recovers from.
    #[default]
    None,
    /// Those that somebody reports.
    Reported,
    /// All.
    All,
}

impl Wanted {
    fn of(want: &[BreakOn]) -> Self {
        let has = |word: &BreakOn| want.contains(word);
        match [&BreakOn::All, &BreakOn::Panic, &BreakOn::Uncaught].into_iter().find(|one| has(one))
        {
            Some(BreakOn::All) => Self::All,
            Some(_) => Self::Reported,
            None => Self::None,
        }
    }

    /// The function breakpoints.
    pub fn breakpoints(self) -> Vec<dap::FunctionBreakpoint> {
        let (names, condition): (&[&str], _) = match self {
            Self::None => (&[], None),
            Self::Reported => (&REPORT, Some(RECOVERS.to_owned())),
            Self::All => (&[RAISE], None),
        };
        let mut all =
            vec![dap::FunctionBreakpoint { condition, ..Default::default() }; names.len()];
        all.iter_mut().zip(names).for_each(|(one, name)| one.name = (*name).into());
        all
    }
}

/// The breakpoints of [`Wanted`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Raised {
    pub wanted: Wanted,
    /// Those of the last request for function breakpoints.
    pub sent: Wanted,
    /// Delve's numbers of them.
    ids: Vec<i64>,
    /// The program has stopped at one of them.
    here: bool,
    /// The first deferred function that the panic runs there.
    deferred: String,
    /// Panics that libraries recover from stop too.
    in_libraries: bool,
}

impl Raised {
    pub fn new(in_libraries: bool) -> Self {
        Self { in_libraries, ..Self::default() }
    }

    /// Reads their numbers among those of all function breakpoints.
    pub fn set(&mut self, numbers: &[(&str, i64)]) {
        let own = self.wanted.breakpoints();
        self.ids.clear();
        for (name, id) in numbers {
            if own.iter().any(|breakpoint| breakpoint.name == *name) {
                self.ids.push(*id);
            }
        }
    }
}

/// Stores which panics the caller wants; which filters the request has is the host's.
pub fn want(session: &Session, want: &[BreakOn]) {
    let mut state: State = session.load();
    state.raised.wanted = Wanted::of(want);
    session.store(&state);
}

/// Sets or removes the breakpoints if they are not as the caller wants: with the caller's filters,
/// or, with a Delve that has no filters, before the program runs.
pub fn on_request(session: &Session, request: Request) -> RequestAction {
    let state: State = session.load();
    if state.raised.wanted == state.raised.sent {
        return RequestAction::Unchanged;
    }
    crate::functions::before(session, request, state)
}

/// The stop as one for an exception, if it is at one of them.
pub fn stopped(session: &Session, stopped: &dap::Stopped) -> Option<dap::Stopped> {
    let state: State = session.load();
    let here = stopped.hit_breakpoint_ids.iter().any(|id| state.raised.ids.contains(id));
    if here != state.raised.here || !state.raised.deferred.is_empty() {
        let raised = Raised { here, deferred: String::new(), ..state.raised.clone() };
        session.store(&State { raised, ..state });
    }
    here.then(|| dap::Stopped {
        reason: "exception".into(),
        description: Some("panic".into()),
        hit_breakpoint_ids: Vec::new(),
        ..stopped.clone()
    })
}

/// The value of the panic in place of `exceptionInfo`, which Delve has only for what ends the
/// program.
pub fn on_info(session: &Session) -> RequestAction {
    let state: State = session.load();
    if !state.raised.here {
        return RequestAction::Unchanged;
    }
    let evaluate = |expression: &str, context: &str| {
        Request::new::<dap::Evaluate>(dap::EvaluateArguments {
            expression: expression.into(),
            context: Some(context.into()),
            ..Default::default()
        })
    };
    let (value, context) = match state.raised.wanted {
        Wanted::All => (RAISED, CONTEXT),
        _ => (REPORTED_VALUE, REPORTED),
    };
    // The answer is that of the last one.
    RequestAction::in_turn([
        evaluate(IN_MEMORY, context),
        evaluate(DEFERRED, HANDLER),
        evaluate(value, context),
    ])
}

/// Stores the answer about the deferred function, if it is one.
pub fn on_deferred(session: &Session, sent: &dap::EvaluateArguments, name: &str) {
    if sent.context.as_deref() == Some(HANDLER) {
        let mut state: State = session.load();
        state.raised.deferred = name.to_owned();
        session.store(&state);
    }
}

/// Adds to the stop who recovers from the panic, if that is known. One that a library recovers from
/// is passed over.
pub fn complete(session: &Session, top: &[Frame], view: &mut StopView) {
    let Raised { deferred, in_libraries, .. } = session.load::<State>().raised;
    if !in_libraries && is_of_library(&deferred, top) {
        view.reaction = Reaction::Resume;
    }
    view.detail = reporter(top).map(|name| format!("{name} recovers from it and reports it"));
}

/// The function with the deferred function that reports a panic.
fn reporter(top: &[Frame]) -> Option<&str> {
    let panics = top.iter().position(|frame| frame.name == "runtime.gopanic")?;
    Some(functions::outer(&top[panics.checked_sub(1)?].name))
}

/// Whether a library recovers from its own panic: one of its frames, below any of the user's, has
/// the first deferred function.
fn is_of_library(deferred: &str, top: &[Frame]) -> bool {
    let library = manifest::library();
    let mut frames = top.iter().take_while(|frame| is_in(&library, frame));
    frames.any(|frame| functions::is_inside(deferred, &frame.name))
}

/// Code that the compiler has made has no file.
fn is_in(library: &LibraryRule, frame: &Frame) -> bool {
    let Some(path) = &frame.path else { return true };
    library.paths.iter().any(|part| path.contains(part))
        || library.functions.iter().any(|start| frame.name.starts_with(start))
}

/// Whether this panic does not end the program, or may not.
pub fn is_own(info: &dap::ExceptionInfoResponse) -> bool {
    matches!(info.break_mode.as_deref(), Some(ALWAYS | UNHANDLED))
}

/// The answer to [`on_info`], if it is one.
pub fn info(
    sent: &dap::EvaluateArguments,
    value: &dap::EvaluateResponse,
) -> Option<dap::ExceptionInfoResponse> {
    let break_mode = match sent.context.as_deref()? {
        CONTEXT => ALWAYS,
        REPORTED => UNHANDLED,
        _ => return None,
    };
    Some(dap::ExceptionInfoResponse {
        exception_id: "panic".into(),
        description: Some(stops::reason(&value.result)),
        break_mode: Some(break_mode.into()),
        details: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames<const N: usize>(names: [(&str, &str); N]) -> Vec<Frame> {
        let frame = |(name, path): (&str, &str)| Frame {
            name: name.into(),
            path: (!path.is_empty()).then(|| path.into()),
            line: 1,
            module: None,
        };
        names.map(frame).into()
    }

    #[test]
    fn panic_is_of_the_library_whose_frame_defers_first() {
        let library = "/usr/local/go/src/encoding/json/encode.go";
        let top = frames([
            ("runtime.gopanic", "/usr/local/go/src/runtime/panic.go"),
            ("json.(*encodeState).error", library),
            ("json.mapEncoder.encode-fm", ""),
            ("json.(*encodeState).marshal", library),
            ("main.main", "/w/main.go"),
        ]);
        let is_passed = |deferred: &str| is_of_library(deferred, &top);
        assert!(is_passed("encoding/json.(*encodeState).marshal.func1"));
        assert!(!is_passed("main.main.func1"));
        assert!(!is_passed(""));
    }

    #[test]
    fn report_names_the_function_that_recovers() {
        let mut top = frames([
            ("runtime.Stack", ""),
            ("http.(*conn).serve.func1.1", ""),
            ("runtime.gopanic", ""),
            ("main.handle", ""),
        ]);
        assert_eq!(reporter(&top), Some("http.(*conn).serve"));
        top.drain(..2);
        assert_eq!(reporter(&top), None);
    }
}
