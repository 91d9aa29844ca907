//! Breakpoints.

use schemars::JsonSchema;
use serde::Serialize;

use super::written;
use crate::model::{self, Binding, Nearest, Place};
use crate::session::BreakpointReport;
use crate::view::Lens;

/// A breakpoint.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Breakpoint {
    id: u32,
    /// null: it is on no line.
    file: Option<String>,
    /// The line with the code, or else the requested one.
    line: Option<u32>,
    /// The requested line.
    requested_line: Option<u32>,
    /// The name of a breakpoint on a function.
    function_name: Option<String>,
    /// Exceptions at which it stops.
    exception: Option<String>,
    condition: Option<String>,
    hit_condition: Option<String>,
    /// The text of a breakpoint that prints and does not stop.
    log_message: Option<String>,
    every: Option<u32>,
    max_hits: Option<u32>,
    /// Number of its stops or messages.
    hit_count: u32,
    /// Number of messages that were left out.
    suppressed: u32,
    disabled: bool,
    /// Set in an editor, with which it goes.
    of_editor: bool,
    /// pending: not sent yet; unconfirmed: its code is not loaded; bound; refused; badCondition;
    /// foreign: another debugger's file; setByCommand: by a command of the debugger.
    state: State,
    /// Why it is not bound.
    message: Option<String>,
    /// Lines with code near a refused one.
    nearest_lines: Vec<u32>,
    /// Functions with a similar name.
    similar_functions: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum State {
    Pending,
    Unconfirmed,
    Bound,
    Refused,
    BadCondition,
    Foreign,
    SetByCommand,
}

impl Breakpoint {
    pub fn of(breakpoint: &model::Breakpoint, lens: &Lens) -> Self {
        let spec = &breakpoint.spec;
        let (file, requested, function) = match &spec.place {
            Place::Line { path, line, .. } => (Some(lens.path(path)), Some(*line), None),
            Place::Function(name) => (None, None, Some(written::text(name))),
            Place::Exception(_) => (None, None, None),
        };
        let bound = match breakpoint.binding {
            Binding::Bound { line } => line,
            _ => None,
        };
        let (state, message, nearest) = match &breakpoint.binding {
            Binding::Pending => (State::Pending, None, None),
            Binding::Unconfirmed => (State::Unconfirmed, None, None),
            Binding::Bound { .. } => (State::Bound, None, None),
            Binding::Refused { reason, nearest } => (State::Refused, Some(reason), Some(nearest)),
            Binding::BadCondition { why } => (State::BadCondition, Some(why), None),
            Binding::Foreign { adapter } => (State::Foreign, Some(adapter), None),
            Binding::SetByCommand { .. } => (State::SetByCommand, None, None),
        };
        let (nearest_lines, similar_functions) = match nearest {
            Some(Nearest::Lines(lines)) => (lines.clone(), Vec::new()),
            Some(Nearest::Functions(names)) => (Vec::new(), names.clone()),
            None => (Vec::new(), Vec::new()),
        };
        Self {
            id: breakpoint.id.0,
            file,
            line: bound.or(requested),
            requested_line: requested,
            function_name: function,
            exception: spec.place.exception().map(written::text),
            condition: written::optional(spec.condition.as_ref()),
            hit_condition: spec.hit_condition.clone(),
            log_message: written::optional(spec.log.as_ref()),
            every: spec.every,
            max_hits: spec.max_hits,
            hit_count: breakpoint.hits,
            suppressed: breakpoint.suppressed,
            disabled: !breakpoint.enabled,
            of_editor: breakpoint.author == model::Author::Editor,
            state,
            message: written::optional(message),
            nearest_lines,
            similar_functions,
        }
    }
}

pub(super) fn all(breakpoints: &[model::Breakpoint], lens: &Lens) -> Vec<Breakpoint> {
    breakpoints.iter().map(|breakpoint| Breakpoint::of(breakpoint, lens)).collect()
}

/// Data of `debug_breakpoints`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Breakpoints {
    /// The first one that the call added.
    breakpoint: Option<Breakpoint>,
    all_breakpoints: Vec<Breakpoint>,
    /// Numbers of those that the call added.
    added: Vec<u32>,
    /// Exceptions that stop the program.
    exceptions: Vec<String>,
    /// Exception types among them that are matched by name, unchecked.
    unchecked_exceptions: Vec<String>,
    /// Numbers of those that only debug_restart sets.
    only_restart: Vec<u32>,
}

impl Breakpoints {
    pub fn of(report: &BreakpointReport, lens: &Lens) -> Self {
        let first = report.added.first();
        let first = first.and_then(|id| report.all.iter().find(|one| one.id == *id));
        let only_restart = report.restart.as_ref().map(|(_, ids)| ids.as_slice());
        Self {
            breakpoint: first.map(|breakpoint| Breakpoint::of(breakpoint, lens)),
            all_breakpoints: all(&report.all, lens),
            added: report.added.iter().map(|id| id.0).collect(),
            exceptions: report.exceptions.clone(),
            unchecked_exceptions: report.unchecked.clone(),
            only_restart: only_restart.unwrap_or_default().iter().map(|id| id.0).collect(),
        }
    }
}
