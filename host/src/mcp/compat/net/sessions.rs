//! Names that begin, end and report the session. There is one at a time: the other names take no
//! session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::answer::{Refusal, good};
use super::facts::{self, Session, seconds};
use super::{exceptions, name};
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Nothing, Ours, forward};
use crate::mcp::outcome::Outcome;
use crate::model::ExitStatus;

#[derive(Deserialize, JsonSchema)]
pub(super) struct LaunchArguments {
    /// Program, source file or package directory
    program: String,
    /// Arguments of the program
    args: Option<Vec<String>>,
    /// Directory in which it runs; default: the workspace
    cwd: Option<String>,
    /// Variables to add
    env: Option<Map<String, Value>>,
    /// Stop at its entry; default true
    #[serde(rename = "stopAtEntry")]
    stop_at_entry: Option<bool>,
    /// Milliseconds; default 30000
    timeout: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct AttachArguments {
    /// Process id
    pid: u32,
    /// Milliseconds; default 30000
    timeout: Option<u32>,
}

/// An answer about the session.
#[derive(Serialize, JsonSchema)]
pub(super) struct OfSession {
    pub session: Session,
    /// Exception breakpoints that the debugger of the program does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl OfSession {
    /// A session that has just begun.
    async fn begun(call: &Call) -> Result<Self, Refusal> {
        let notes = exceptions::unfit(call).await.unwrap_or_default();
        Ok(Self { session: facts::session(call).await?, notes })
    }
}

name! {
    Launch(LaunchArguments) -> OfSession,
    "debug_launch", "Launch a program", Moves,
    r#"{"program": "FILE"}"#,
    "Builds where needed and starts a program under the debugger, stopped at its entry."
}

impl Launch {
    async fn answer(call: &Call, arguments: LaunchArguments) -> Result<OfSession, Refusal> {
        no_session(call)?;
        exceptions::renew(call).await?;
        good(forward::<Self>(call, &arguments).await)?;
        OfSession::begun(call).await
    }
}

impl Compatible for Launch {
    fn ours(arguments: &LaunchArguments) -> Ours {
        let LaunchArguments { program, args, cwd, env, stop_at_entry, timeout } = arguments;
        let stops = stop_at_entry.unwrap_or(true);
        Ours::new(
            "debug_launch",
            json!({
                "program": program, "args": args, "cwd": cwd, "env": env,
                "options": {"stop_on_entry": stops},
                "stdin_pipe": true,
                "wait": (!stops).then_some(false),
                "timeout_s": seconds(*timeout),
            }),
        )
    }
}

name! {
    Attach(AttachArguments) -> OfSession,
    "debug_attach", "Attach to a process", Moves,
    r#"{"pid": 4711}"#,
    "Attaches to a running process, which runs on until a breakpoint or debug_pause stops it."
}

impl Attach {
    async fn answer(call: &Call, arguments: AttachArguments) -> Result<OfSession, Refusal> {
        no_session(call)?;
        exceptions::renew(call).await?;
        good(forward::<Self>(call, &arguments).await)?;
        OfSession::begun(call).await
    }
}

impl Compatible for Attach {
    fn ours(AttachArguments { pid, timeout }: &AttachArguments) -> Ours {
        Ours::new("debug_attach", json!({"pid": pid, "timeout_s": seconds(*timeout)}))
    }
}

/// Refuses a second session.
fn no_session(call: &Call) -> Result<(), Refusal> {
    match call.sessions.all().iter().find(|handle| !handle.is_over()) {
        None => Ok(()),
        Some(open) => Err(Refusal::with_next(
            "session-active",
            &format!("{} is open, and there is one session at a time", open.id()),
            &Disconnect::next(),
        )),
    }
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct DisconnectArguments {
    /// End the process too; default false: it runs on
    #[serde(rename = "terminateProcess")]
    terminate_process: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Disconnected {
    state: &'static str,
    was_terminated: bool,
    previous_session: Session,
}

name! {
    Disconnect(DisconnectArguments) -> Disconnected,
    "debug_disconnect", "End the session", Destroys,
    r#"{"terminateProcess": true}"#,
    "Detaches from the process, or ends it."
}

impl Disconnect {
    async fn answer(call: &Call, arguments: DisconnectArguments) -> Result<Disconnected, Refusal> {
        let previous_session = facts::session(call).await?;
        let reply =
            good(forward::<Self>(call, &arguments).await).map_err(|refusal| match refusal {
                Refusal::Ours(error) if error.code == "unsupported" => {
                    Refusal::with_next(error.code, &error.cause, &Self::next())
                }
                other => other,
            })?;
        let was_terminated = match &reply.outcome {
            Outcome::Ended(all) => all
                .iter()
                .flatten()
                .all(|exit| !matches!(exit.status, ExitStatus::Detached | ExitStatus::NotAttached)),
            _ => false,
        };
        Ok(Disconnected { state: "disconnected", was_terminated, previous_session })
    }

    /// The call that makes room for another session.
    fn next() -> String {
        format!("debug_disconnect {}", r#"{"terminateProcess": true}"#)
    }
}

impl Compatible for Disconnect {
    fn ours(arguments: &DisconnectArguments) -> Ours {
        let ends = arguments.terminate_process == Some(true);
        let mode = if ends { "terminate" } else { "detach" };
        Ours::new("debug_stop", json!({"mode": mode}))
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Current {
    /// Of the session; disconnected: there is none.
    state: &'static str,
    session: Option<Session>,
}

name! {
    State(Nothing) -> Current,
    "debug_state", "State of the session", Reads,
    "{}",
    "The process, its state, and where it is paused."
}

impl State {
    async fn answer(call: &Call, _: Nothing) -> Result<Current, Refusal> {
        if call.sessions.all().is_empty() {
            return Ok(Current { state: "disconnected", session: None });
        }
        let session = facts::session(call).await?;
        Ok(Current { state: session.state, session: Some(session) })
    }
}

impl Compatible for State {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_status", json!({}))
    }
}
