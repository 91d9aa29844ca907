//! Bodies of events and responses for an editor.
//!
//! Knows their fields. Refuses to know when one is sent.

use serde::Serialize;
use serde_json::{Value, json};

use crate::dap::event::{EventBody, Output, Stopped};
use crate::dap::responses::{EvaluateResponse, ExceptionInfoResponse};
use crate::dap::types;
use crate::model::{
    Author, Binding, Breakpoint, BreakpointSpec, ExitStatus, OutputLine, Place, SessionStatus,
    Stop, StopClass, Stream, Variable,
};
use crate::view;

/// A body as JSON.
pub(super) fn body(typed: &impl Serialize) -> Value {
    serde_json::to_value(typed).unwrap_or_default()
}

/// An event that waits to be sent.
#[derive(Debug)]
pub(super) struct Message {
    pub event: &'static str,
    pub body: Value,
}

impl Message {
    pub fn new<B: EventBody>(typed: &B) -> Self {
        Self { event: B::EVENT, body: body(typed) }
    }
}

/// The mirror's capabilities: those of the host, with what the adapter adds.
pub(super) fn capabilities(status: &SessionStatus) -> Value {
    let has = |name: &str| status.capabilities.iter().any(|known| known == name);
    let mut filters = Vec::new();
    for (word, _) in &status.exceptions {
        // None is on at first: the agent's choice stays in force.
        filters.push(types::ExceptionFilter {
            filter: word.clone(),
            label: word.clone(),
            ..types::ExceptionFilter::default()
        });
    }
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsFunctionBreakpoints": true,
        "supportsExceptionInfoRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsSteppingGranularity": has("supportsSteppingGranularity"),
        "exceptionBreakpointFilters": filters,
    })
}

/// A stop.
pub(super) fn stopped(stop: &Stop) -> Message {
    let reason = match stop.class {
        StopClass::Entry => "entry",
        StopClass::Breakpoint => "breakpoint",
        StopClass::Step => "step",
        StopClass::Pause => "pause",
        StopClass::Exception | StopClass::Panic | StopClass::Signal | StopClass::Assertion => {
            "exception"
        }
        StopClass::Other => "other",
    };
    Message::new(&Stopped {
        reason: reason.to_owned(),
        description: Some(view::reason(stop)),
        thread_id: Some(stop.thread.id.0),
        text: stop.detail.clone(),
        all_threads_stopped: Some(!stop.others_run),
        hit_breakpoint_ids: stop.hit.iter().map(|id| i64::from(id.0)).collect(),
        ..Stopped::default()
    })
}

/// What the program stopped for; `None`: no exception.
pub(super) fn exception(stop: &Stop) -> Option<ExceptionInfoResponse> {
    let is_raised = matches!(
        stop.class,
        StopClass::Exception | StopClass::Panic | StopClass::Signal | StopClass::Assertion
    );
    let (exception_id, description) = stop.exception();
    let mode = if stop.first_chance == Some(true) { "always" } else { "unhandled" };
    is_raised.then(|| ExceptionInfoResponse {
        exception_id,
        description,
        break_mode: Some(mode.to_owned()),
        details: None,
    })
}

/// A line of output; `None`: it is of the adapter.
pub(super) fn output(line: &OutputLine) -> Option<Message> {
    let category = match line.stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
        Stream::Log => "console",
        Stream::Adapter => return None,
    };
    let end = if line.complete { "\n" } else { "" };
    let output = format!("{}{end}", line.text);
    Some(printed(category, output))
}

/// A line of the mirror itself.
pub(super) fn console(text: &str) -> Message {
    printed("console", format!("dapdock: {text}\n"))
}

fn printed(category: &str, output: String) -> Message {
    Message::new(&Output { category: Some(category.to_owned()), output, ..Output::default() })
}

/// The code of an exit, by the rules of a shell.
pub(super) fn exit_code(status: ExitStatus) -> Option<i64> {
    match status {
        ExitStatus::Code(code) => Some(code),
        ExitStatus::Signal(number) => Some(128 + i64::from(number)),
        _ => None,
    }
}

/// A value of an expression. How many of its children have names and how many have numbers is not
/// known.
pub(super) fn value(variable: Variable) -> EvaluateResponse {
    EvaluateResponse {
        result: variable.value,
        type_: variable.ty,
        variables_reference: variable.reference,
        memory_reference: variable.address,
        ..EvaluateResponse::default()
    }
}

/// A breakpoint as an editor marks it that wants it so.
pub(super) fn breakpoint(breakpoint: &Breakpoint, wanted: &BreakpointSpec) -> types::Breakpoint {
    let (path, line) = match &breakpoint.spec.place {
        Place::Line { path, line, .. } => (Some(path), Some(i64::from(*line))),
        Place::Function(_) => (breakpoint.file.as_ref(), None),
        Place::Exception(_) => (None, None),
    };
    let line = match &breakpoint.binding {
        Binding::Bound { line: bound } => bound.map(i64::from).or(line),
        _ => line,
    };
    let (mut state, mut reason) = state(breakpoint);
    let of_caller = of_caller(breakpoint, wanted);
    if state.is_none() && of_caller.is_some() && !has_same_hits(&breakpoint.spec, wanted) {
        (state, reason) = (of_caller.clone(), Some("failed"));
    }
    types::Breakpoint {
        id: Some(i64::from(breakpoint.id.0)),
        verified: state.is_none(),
        message: state.or(of_caller),
        source: path.map(|path| types::Source {
            name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
            path: Some(path.to_string_lossy().into_owned()),
            ..types::Source::default()
        }),
        line,
        reason: reason.map(str::to_owned),
        ..types::Breakpoint::default()
    }
}

/// Why it does not stop, and DAP's word for that; none: it stops.
fn state(breakpoint: &Breakpoint) -> (Option<String>, Option<&'static str>) {
    if !breakpoint.enabled {
        return (Some("it is disabled in the session".to_owned()), None);
    }
    match &breakpoint.binding {
        Binding::Bound { .. } | Binding::SetByCommand { .. } => (None, None),
        Binding::Pending => (Some("not sent to the debugger yet".to_owned()), Some("pending")),
        Binding::Unconfirmed => (Some("its code is not loaded yet".to_owned()), Some("pending")),
        Binding::Refused { reason, .. } => (Some(reason.clone()), Some("failed")),
        Binding::BadCondition { why } => (Some(why.clone()), Some("failed")),
        Binding::Foreign { adapter } => {
            (Some(format!("{adapter} debugs other files")), Some("failed"))
        }
    }
}

/// One that was there before the editor set it keeps its own conditions.
fn of_caller(breakpoint: &Breakpoint, wanted: &BreakpointSpec) -> Option<String> {
    if breakpoint.author != Author::Caller {
        return None;
    }
    let BreakpointSpec { condition, hit_condition, log, .. } = &breakpoint.spec;
    let mut text = format!("set in the session as #{}", breakpoint.id.0);
    if let Some(condition) = condition {
        text.push_str(", if ");
        text.push_str(condition);
    }
    match hit_condition {
        Some(hits) => {
            text.push_str(", at hits ");
            text.push_str(hits);
        }
        None if wanted.hit_condition.is_some() => text.push_str(", at every hit"),
        None => {}
    }
    match log {
        Some(_) => text.push_str(", as a logpoint"),
        None if wanted.log.is_some() => text.push_str(", where it stops"),
        None => {}
    }
    Some(text)
}

/// Whether one stops, or logs, at the hits of the other, as far as their conditions hold.
fn has_same_hits(one: &BreakpointSpec, other: &BreakpointSpec) -> bool {
    one.hit_condition == other.hit_condition && one.log.is_some() == other.log.is_some()
}

/// One that the session refuses.
pub(super) fn refused(message: String) -> types::Breakpoint {
    types::Breakpoint {
        message: Some(message),
        reason: Some("failed".to_owned()),
        ..types::Breakpoint::default()
    }
}
