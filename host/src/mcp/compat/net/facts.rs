//! Objects that several answers have: session, place, thread.
//!
//! Knows the model. Refuses to know which name they answer.

use std::time::SystemTime;

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::Refusal;
use crate::mcp::call::Call;
use crate::mcp::notifications::place;
use crate::model::{Frame, Moment, Stop};
use crate::session::Handle;

/// Milliseconds as seconds; the documented default is 30 s.
pub(super) fn seconds(milliseconds: Option<u32>) -> f64 {
    f64::from(milliseconds.unwrap_or(30_000)) / 1_000.0
}

/// A debugged process.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Session {
    process_id: Option<u32>,
    process_name: Option<String>,
    executable_path: Option<String>,
    /// null: DAP does not report it.
    runtime_version: Option<String>,
    /// starting, running, paused or disconnected.
    pub state: &'static str,
    /// launch or attach.
    launch_mode: &'static str,
    /// ISO 8601.
    attached_at: String,
    command_line_args: Vec<String>,
    working_directory: Option<String>,
    /// entry, breakpoint, step, pause, exception, panic, signal, assertion or other; null unless
    /// paused.
    pause_reason: Option<&'static str>,
    location: Option<Location>,
    active_thread_id: Option<i64>,
}

impl Session {
    /// As it is right after it was resumed.
    pub fn running(self) -> Self {
        let (pause_reason, location, active_thread_id) = (None, None, None);
        Self { state: "running", pause_reason, location, active_thread_id, ..self }
    }
}

/// Where a frame is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    /// Absolute.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    function_name: String,
    /// null: unknown.
    module_name: Option<String>,
}

/// The words of a phase.
pub(super) fn state(phase: &str) -> &'static str {
    match phase {
        "preparing" | "starting" => "starting",
        "stopped" => "paused",
        "ending" | "ended" => "disconnected",
        _ => "running",
    }
}

/// The session of a call: the only open one, or the one that ended last.
pub(super) async fn session(call: &Call) -> Result<Session, Refusal> {
    let handle = call.session(None)?;
    Ok(of_handle(call, &handle).await?)
}

/// A move of this family leaves the stop that it finds: its answers show the state, and only a wait
/// returns a stop.
pub(super) async fn note_stop(call: &Call) -> Result<(), Refusal> {
    call.session(None)?.show_stop().await?;
    Ok(())
}

async fn of_handle(call: &Call, handle: &Handle) -> Result<Session, crate::session::Error> {
    let moment = handle.moment().await?;
    let stop = moment.stop.as_deref().filter(|_| moment.status.phase == "stopped");
    let begun = call.sessions.begun(Some(&handle.id().0));
    let cwd = call.sessions.cwd(Some(&handle.id().0));
    let workspace = || call.workspace.clone();
    let directory = (!moment.is_attached).then(|| cwd.unwrap_or_else(workspace));
    Ok(Session {
        process_id: moment.pid,
        process_name: moment.program_name.clone(),
        executable_path: moment.executable.as_ref().map(|path| path.display().to_string()),
        runtime_version: None,
        state: state(moment.status.phase),
        launch_mode: if moment.is_attached { "attach" } else { "launch" },
        attached_at: place::timestamp(begun.unwrap_or(SystemTime::UNIX_EPOCH)),
        command_line_args: arguments(&moment),
        working_directory: directory.map(|path| path.display().to_string()),
        pause_reason: stop.map(|stop| place::class(stop.class)),
        location: stop.and_then(location),
        active_thread_id: stop.map(|stop| stop.thread.id.0),
    })
}

/// The words behind the first of a launch's command line.
fn arguments(moment: &Moment) -> Vec<String> {
    if moment.is_attached {
        return Vec::new();
    }
    let words = shell_words::split(&moment.command_line).unwrap_or_default();
    words.into_iter().skip(1).collect()
}

/// The innermost frame of the user's code.
pub(super) fn location(stop: &Stop) -> Option<Location> {
    stop.frames.get(stop.focus).map(Location::of)
}

impl Location {
    pub fn of(frame: &Frame) -> Self {
        Self {
            file: frame.path.as_ref().map(|path| path.display().to_string()),
            line: known(frame.line),
            column: known(frame.column),
            function_name: frame.name.clone(),
            module_name: None,
        }
    }
}

/// A number from 1; 0 is unknown.
pub(super) fn known(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}
