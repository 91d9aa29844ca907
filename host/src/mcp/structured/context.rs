//! The state of the session around a result.

use schemars::JsonSchema;
use serde::Serialize;

use super::facts::Facts;
use super::frame::{self, Location};
use super::values::{self, Variable};
use super::written;
use crate::mcp::outcome::{Arrival, Outcome};
use crate::model::{self, ExitStatus, Happening, Moment, Place, Stop};
use crate::view::{self, Lens};

/// The state of the session after the call.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Context {
    /// null: the call concerns no session.
    debugger_state: Option<DebuggerState>,
    /// Where the program is stopped.
    current_position: Option<Position>,
    /// Variables there, as they were at the stop.
    local_context: Option<LocalContext>,
    // What a person did since the last result. The name says enough in a list with a budget.
    person: Option<String>,
    /// Time of the result (ISO 8601).
    timestamp: String,
}

/// State of a debugger and its program.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DebuggerState {
    pid: Option<u32>,
    target_command_line: String,
    running: bool,
    /// The program can run backwards; null: unknown.
    recording: Option<bool>,
    /// null: DAP does not report it.
    core_dumping: Option<bool>,
    current_thread: Option<CurrentThread>,
    /// The task that is stopped: what DAP calls a thread.
    selected_goroutine: Option<Task>,
    /// The first threads at the stop.
    threads: Vec<Thread>,
    /// A step is under way.
    next_in_progress: bool,
    /// Watched expressions without a value here.
    watch_out_of_scope: Vec<String>,
    exited: bool,
    /// Exit code; null: none.
    exit_status: Option<i64>,
    /// Position in a recording; null: DAP does not report it.
    when: Option<String>,
    /// Why the session failed.
    error: Option<String>,
    /// The breakpoint of the stop.
    current_breakpoint: Option<CurrentBreakpoint>,
}

/// The innermost frame of the thread that stopped.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CurrentThread {
    id: i64,
    /// Address of the next instruction.
    pc: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    function: Option<String>,
}

/// A task.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Task {
    id: i64,
    /// Its innermost frame.
    current_loc: Option<Location>,
    /// Its innermost frame in the user's code.
    user_current_loc: Option<Location>,
    /// Where it was started; null: DAP does not report it.
    go_statement: Option<Location>,
}

/// A thread.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Thread {
    id: i64,
    name: String,
}

/// A breakpoint that was hit.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CurrentBreakpoint {
    id: u32,
    file: Option<String>,
    line: Option<u32>,
    function_name: Option<String>,
    hit_count: Option<u32>,
    disabled: bool,
}

/// A place in a task.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Position {
    #[serde(flatten)]
    location: Location,
    /// Id of the task.
    goroutine: i64,
}

/// Variables of the frame of the stop, with the values that they had then.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LocalContext {
    /// null: the debugger lists arguments as locals.
    arguments: Option<Vec<Variable>>,
    locals: Vec<Variable>,
    /// Number of frames, as far as they are known.
    stack_depth: u32,
}

impl Context {
    pub fn of(outcome: &Outcome, facts: &Facts) -> Self {
        let moment = facts.main.as_ref();
        let stop = stop(outcome, moment);
        Self {
            debugger_state: moment.map(|moment| state(outcome, moment, stop, &facts.lens)),
            current_position: stop.and_then(|stop| position(stop, &facts.lens)),
            local_context: stop.map(local_context),
            person: None,
            timestamp: written::now(),
        }
    }
}

/// The stop of the result, or else the one that the session is at.
fn stop<'a>(outcome: &'a Outcome, moment: Option<&'a Moment>) -> Option<&'a Stop> {
    match (outcome.arrival(), outcome) {
        (Some(Arrival::Happened(Happening::Stopped(stop))), _) => Some(stop),
        (Some(_), _) | (None, Outcome::Ended(_) | Outcome::Unpaused(..)) => None,
        (None, _) => moment.and_then(|moment| moment.stop.as_deref()),
    }
}

fn state(outcome: &Outcome, moment: &Moment, stop: Option<&Stop>, lens: &Lens) -> DebuggerState {
    let status = &moment.status;
    let exit = match (outcome.arrival(), outcome) {
        (Some(Arrival::Happened(Happening::Ended(exit))), _) => Some(exit),
        (None, Outcome::Ended(all)) => all.iter().flatten().next(),
        (Some(_), _) => None,
        (None, _) => status.exit.as_ref(),
    };
    let running = match (outcome.arrival(), outcome) {
        (Some(Arrival::RanOut(running)), _) | (None, Outcome::Unpaused(running, _)) => {
            running.doing.is_none()
        }
        (Some(_), _) => false,
        (None, _) => status.phase == "running" && exit.is_none(),
    };
    let steps = match outcome {
        Outcome::Stepped { arrival: Arrival::RanOut(_), .. } => true,
        _ => running && moment.steps,
    };
    let recording = status.capabilities.iter().any(|name| name == "supportsStepBack");
    DebuggerState {
        pid: moment.pid,
        target_command_line: written::text(&moment.command_line),
        running,
        recording: (!status.capabilities.is_empty()).then_some(recording),
        core_dumping: None,
        current_thread: stop.map(|stop| current_thread(stop, lens)),
        selected_goroutine: stop.map(|stop| task(stop, lens)),
        threads: stop.map(threads).unwrap_or_default(),
        next_in_progress: steps,
        watch_out_of_scope: stop.map(out_of_scope).unwrap_or_default(),
        exited: exit.is_some(),
        exit_status: exit.and_then(|exit| match exit.status {
            ExitStatus::Code(code) => Some(code),
            _ => None,
        }),
        when: None,
        error: exit.and_then(|exit| written::optional(exit.cause.as_ref())),
        current_breakpoint: stop.and_then(|stop| current_breakpoint(stop, moment, lens)),
    }
}

fn current_thread(stop: &Stop, lens: &Lens) -> CurrentThread {
    let top = stop.frames.first();
    CurrentThread {
        id: stop.thread.id.0,
        pc: top.and_then(|frame| frame.pc.clone()),
        file: top.and_then(|frame| written::path(frame.path.as_deref(), lens)),
        line: top.and_then(frame::line),
        function: top.map(|frame| written::text(&frame.name)),
    }
}

fn task(stop: &Stop, lens: &Lens) -> Task {
    let user = stop.frames.iter().find(|frame| frame.is_user());
    Task {
        id: stop.thread.id.0,
        current_loc: stop.frames.first().map(|frame| Location::of(frame, lens)),
        user_current_loc: user.map(|frame| Location::of(frame, lens)),
        go_statement: None,
    }
}

fn threads(stop: &Stop) -> Vec<Thread> {
    let mut threads = Vec::new();
    for model::Thread { id, name } in &stop.thread_list {
        threads.push(Thread { id: id.0, name: written::text(name) });
    }
    threads
}

fn out_of_scope(stop: &Stop) -> Vec<String> {
    let absent = stop.watches.iter().filter(|watch| view::is_out_of_scope(watch, &stop.locals));
    absent.map(|watch| written::text(&watch.expression)).collect()
}

fn current_breakpoint(stop: &Stop, moment: &Moment, lens: &Lens) -> Option<CurrentBreakpoint> {
    let id = stop.hit.first()?;
    let known = moment.status.breakpoints.iter().find(|breakpoint| breakpoint.id == *id);
    let at = stop.frames.get(stop.focus);
    let name = match known.map(|breakpoint| &breakpoint.spec.place) {
        Some(Place::Function(name)) => Some(name),
        _ => at.map(|frame| &frame.name),
    };
    Some(CurrentBreakpoint {
        id: id.0,
        file: at.and_then(|frame| written::path(frame.path.as_deref(), lens)),
        line: at.and_then(frame::line),
        function_name: written::optional(name),
        hit_count: known.map(|breakpoint| breakpoint.hits),
        disabled: known.is_some_and(|breakpoint| !breakpoint.enabled),
    })
}

fn position(stop: &Stop, lens: &Lens) -> Option<Position> {
    let frame = stop.frames.get(stop.origin.unwrap_or(stop.focus))?;
    Some(Position { location: Location::of(frame, lens), goroutine: stop.thread.id.0 })
}

fn local_context(stop: &Stop) -> LocalContext {
    let (arguments, locals) = stop.locals.split_at(stop.arguments.unwrap_or(0));
    LocalContext {
        arguments: stop.arguments.map(|_| values::all(arguments)),
        locals: values::all(locals),
        stack_depth: stop.total_frames.unwrap_or(stop.frames.len() as u32),
    }
}
