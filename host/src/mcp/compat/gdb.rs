//! `compat:gdb`: the names of a server that runs gdb's own commands. Answers are JSON of a form of
//! their own.
//!
//! Knows the documented names, and how a command that resumes the program is waited for. Refuses to
//! know commands: what they do, and what is wrong with them, is in the debugger's record.

use std::time::{Duration, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use super::{Compatible, Family, Name, Nothing, Ours};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Form, Toolset};
use crate::mcp::problem::Problem;
use crate::mcp::tool::Tool;
use crate::mcp::wait;
use crate::model::{Cursor, LaunchRequest, LaunchTarget, Opening};
use crate::session::{Collected, CommandQuery, EndMode, Error, Handle, LateCommand, OutputForm};
use crate::view::ErrorText;

const TOOLSET: Toolset = Toolset::Family("compat:gdb");

pub(super) const FAMILY: Family = Family {
    toolset: TOOLSET,
    names: &[
        Name::of::<RunCommand>(),
        Name::of::<Close>(),
        Name::of::<ListSessions>(),
        Name::of::<Open>(),
    ],
};

/// Seconds that a session may stay unused.
const IDLE: u64 = 300;

/// A week.
const LONGEST_IDLE: u64 = 7 * 24 * 3600;

/// The whole answer of a tool; `failure` writes errors.
#[derive(Serialize, JsonSchema)]
struct Answer<T> {
    /// `ok`, or `error` with the reason as `content`.
    #[serde(rename = "type")]
    kind: &'static str,
    content: T,
}

fn failure(error: &ErrorText) -> Value {
    json!({"type": "error", "content": error.text.to_string()})
}

fn ok<T: Serialize>(content: T) -> Reply {
    Reply::own(json!(Answer { kind: "ok", content }), false)
}

/// A call that takes nothing.
struct Open;

#[derive(Deserialize, JsonSchema)]
struct OpenArguments {
    /// Seconds without a call after which the session ends while no program and no command runs;
    /// default 300
    timeout: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Opened {
    /// The session, for `call` and `close`, and for `session` of the debug_ tools.
    id: String,
}

impl Tool for Open {
    type Arguments = OpenArguments;
    type Data = Answer<Opened>;
    const NAME: &'static str = "open";
    const TITLE: &'static str = "Open a gdb session";
    const DESCRIPTION: &'static str = "Starts gdb without a program and returns the session's id. \
        Then: call `file PROGRAM`, `break main`, `run`.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Own(failure);
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: OpenArguments) -> Result<Reply, Problem> {
        let seconds = arguments.timeout.unwrap_or(IDLE);
        if !(1..=LONGEST_IDLE).contains(&seconds) {
            let cause = format!("`timeout` must be from 1 to {LONGEST_IDLE}, got {seconds}");
            return Err(call.request.with("timeout", IDLE).refuse(&cause));
        }
        let opening = Opening {
            name: Uuid::new_v4().to_string(),
            idle: Duration::from_secs(seconds),
            created: SystemTime::now(),
        };
        let id = opening.name.clone();
        let handle = call.sessions.launch(request(call, opening)).await?;
        if !handle.attached().await {
            // The wait for a stop returns the reason.
            let reason = handle.first().await.err().unwrap_or(Error::NoProgram);
            return Err(Problem::OfSession(handle.id().clone(), reason));
        }
        Ok(ok(Opened { id }))
    }
}

impl Compatible for Open {
    fn ours(_: &OpenArguments) -> Ours {
        Ours::new("debug_targets", json!({}))
    }
}

fn request(call: &Call, opening: Opening) -> LaunchRequest {
    LaunchRequest {
        target: LaunchTarget::Commands(opening),
        args: Vec::new(),
        cwd: None,
        workspace: call.workspace.clone(),
        env: Vec::new(),
        adapter: None,
        breakpoints: Vec::new(),
        stop_on_entry: false,
        stdin: None,
        stdin_pipe: false,
        output_bytes: None,
        core: None,
        options: "{}".to_owned(),
        again: call.request.text(),
    }
}

struct RunCommand;

#[derive(Deserialize, JsonSchema)]
struct CallArguments {
    /// From `open`
    id: String,
    /// One line: a gdb command, or a gdb/MI command, which begins with `-`
    command: String,
    /// Seconds; default 30
    timeout_s: Option<f64>,
}

/// The result of a command.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Record {
    status: Status,
    /// The fields of the gdb/MI record; of a program that has stopped or ended, of `*stopped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Map<String, Value>>,
    /// The reason of an error, in gdb's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// `running`: the program or the command still runs; a later call has the result as `earlier`.
/// `exit`: gdb has quit, and the session has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Done,
    Running,
    Connected,
    Error,
    Exit,
}

impl Record {
    /// The result of an empty command.
    fn done() -> Self {
        Self { status: Status::Done, data: Some(Map::new()), message: None }
    }

    fn running() -> Self {
        Self { status: Status::Running, data: Some(Map::new()), message: None }
    }
}

/// What a command came to.
#[derive(Serialize, JsonSchema)]
struct Called {
    result: Record,
    /// What gdb has printed for it.
    output: String,
    /// What the program has printed since the last call, as it printed it; the next call has more
    /// of a long output, and debug_output all of it.
    #[serde(skip_serializing_if = "String::is_empty")]
    program_output: String,
    /// Results of earlier commands that were answered with `running` or whose calls were cancelled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<Earlier>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Earlier {
    /// Counts the commands of the session.
    #[serde(skip_serializing, default)]
    number: u64,
    command: String,
    result: Record,
    output: String,
}

/// The debugger's answer (`Commands::records` of the profile).
#[derive(Debug, Deserialize)]
struct Answered {
    number: u64,
    /// `None` for an empty command.
    result: Option<Record>,
    output: String,
    stops: Vec<Earlier>,
    /// The caller wants no wait for the stop.
    #[serde(default)]
    background: bool,
}

impl Tool for RunCommand {
    type Arguments = CallArguments;
    type Data = Answer<Called>;
    const NAME: &'static str = "call";
    const TITLE: &'static str = "Run a gdb command";
    const DESCRIPTION: &'static str = "Runs a command in gdb and returns its result and console \
        output. A command that resumes the program waits for its stop or exit, unless it ends with \
        `&`; after 30 seconds the status is `running`, and a later call has the result as \
        `earlier`. Commands that leave \
        gdb (shell, source, pipe) need --allow-shell.";
    const EFFECT: Effect = Effect::Destroys;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Own(failure);
    const EXAMPLE: &'static str = r#"{"id": "ID", "command": "info breakpoints"}"#;
    const UNLISTED: &'static [&'static str] = &["timeout_s"];

    async fn run(call: &Call, arguments: CallArguments) -> Result<Reply, Problem> {
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        let handle = call.session(Some(&arguments.id))?;
        let conversation = Conversation::new(call, &handle, limit);
        conversation.run(arguments.command).await.map(ok)
    }
}

impl Compatible for RunCommand {
    fn ours(arguments: &CallArguments) -> Ours {
        let CallArguments { id, command, .. } = arguments;
        Ours::new("debug_command", json!({"command": command, "session": id}))
    }
}

/// One call: a command, and the collection of what came of it and of earlier ones. If it is dropped
/// before its end, as a cancelled call is, the next one has what it has collected.
struct Conversation<'a> {
    call: &'a Call,
    handle: &'a Handle,
    deadline: Instant,
    earlier: Vec<Earlier>,
    collected: Vec<Collected>,
}

impl<'a> Conversation<'a> {
    fn new(call: &'a Call, handle: &'a Handle, limit: Duration) -> Self {
        let deadline = Instant::now() + limit;
        Self { call, handle, deadline, earlier: Vec::new(), collected: Vec::new() }
    }

    async fn run(mut self, command: String) -> Result<Called, Problem> {
        let is_empty = command.trim().is_empty();
        let Some((first, cursor)) = self.send(command).await? else {
            return Ok(self.called(Record::running(), String::new()));
        };
        let (number, mut output) = (first.number, first.output);
        let in_background = first.background;
        self.add(first.stops);
        let nothing_runs = is_empty && self.handle.status().await?.phase != "running";
        let absent = if nothing_runs { Record::done() } else { Record::running() };
        let mut result = first.result.unwrap_or(absent);
        let moved = cursor.filter(|_| result.status == Status::Done);
        let mut cursor = cursor.unwrap_or_default();
        while result.status == Status::Running && !in_background {
            let Ok(Ok((_, next))) = timeout_at(self.deadline, self.handle.wait(cursor)).await
            else {
                break;
            };
            cursor = next;
            let Some((more, _)) = self.send(String::new()).await? else { break };
            for stop in more.stops {
                if stop.number == number {
                    output.push_str(&stop.output);
                    result = stop.result;
                } else {
                    self.add(vec![stop]);
                }
            }
        }
        match (result.status, moved) {
            (Status::Exit, _) => drop(self.handle.close(EndMode::Auto).await),
            // Our tools see the stop once it is read.
            (Status::Done, Some(cursor)) => {
                drop(timeout_at(Instant::now() + LEAST, self.handle.wait(cursor)).await);
            }
            _ => {}
        }
        Ok(self.called(result, output))
    }

    /// Adds results; that of a command that was running is the end of it.
    fn add(&mut self, results: Vec<Earlier>) {
        for mut one in results {
            let is_begun = |begun: &Earlier| {
                begun.result.status == Status::Running && begun.number == one.number
            };
            if let Some(at) = self.earlier.iter().position(is_begun) {
                one.output.insert_str(0, &self.earlier.remove(at).output);
            }
            self.earlier.push(one);
        }
    }

    fn called(mut self, result: Record, output: String) -> Called {
        let mut program_output = String::new();
        let forgotten: u64 = self.collected.iter().map(Collected::forgotten).sum();
        if forgotten > 0 {
            let session = &self.handle.id().0;
            let all = Ours::new("debug_output", json!({"session": session, "since": 0})).text();
            program_output = format!("(without {forgotten} bytes before this: {all})\n");
        }
        for one in self.collected.drain(..) {
            if program_output.len() > PRINTED {
                one.keep_results();
            } else {
                program_output.push_str(&one.printed());
                one.keep();
            }
        }
        Called { result, output, program_output, earlier: self.earlier }
    }

    /// Sends a command; an empty one collects what came since. `None`: it still runs.
    async fn send(
        &mut self,
        command: String,
    ) -> Result<Option<(Answered, Option<Cursor>)>, Problem> {
        let query = CommandQuery {
            command,
            frame: None,
            shell: self.call.shell,
            limit: self.deadline.saturating_duration_since(Instant::now()).max(LEAST),
            form: OutputForm::Record,
        };
        let ran = self.handle.run_command(query).await.map_err(|error| self.problem(error))?;
        for late in ran.collected.late() {
            self.add(of_late(late.clone()));
        }
        self.collected.push(ran.collected);
        let Some(output) = ran.output else { return Ok(None) };
        Ok(Some((read(&output)?, ran.news)))
    }

    fn problem(&self, error: Error) -> Problem {
        Problem::OfSession(self.handle.id().clone(), error)
    }
}

/// Bytes of the program's output in an answer, and at most one page more.
const PRINTED: usize = 30_000;

/// How long a command is waited for at least, after the time of the call has run out: the record of
/// a stop takes a moment.
const LEAST: Duration = Duration::from_secs(1);

fn read(record: &str) -> Result<Answered, Problem> {
    serde_json::from_str(record).map_err(|error| {
        let cause = format!("the debugger's answer is no record: {error}");
        Problem::worded("adapter-refused", &cause, "debug_status {\"detail\": \"log\"}")
    })
}

/// The results in an answer that came late: of the command, and of those before it.
fn of_late(late: LateCommand) -> Vec<Earlier> {
    let command = late.command;
    let failed =
        |message: String| Record { status: Status::Error, data: None, message: Some(message) };
    match late.output.map(|record| serde_json::from_str::<Answered>(&record)) {
        Ok(Ok(Answered { number, result: Some(result), output, mut stops, .. })) => {
            stops.push(Earlier { number, command, result, output });
            stops
        }
        Ok(Ok(answered)) => answered.stops,
        Ok(Err(error)) => {
            let result = failed(error.to_string());
            vec![Earlier { number: 0, command, result, output: String::new() }]
        }
        Err(why) => {
            vec![Earlier { number: 0, command, result: failed(why), output: String::new() }]
        }
    }
}

struct Close;

#[derive(Deserialize, JsonSchema)]
struct CloseArguments {
    /// From `open`
    id: String,
}

/// Nothing more to say.
#[derive(Serialize, JsonSchema)]
struct Empty {}

impl Tool for Close {
    type Arguments = CloseArguments;
    type Data = Answer<Empty>;
    const NAME: &'static str = "close";
    const TITLE: &'static str = "Close a gdb session";
    const DESCRIPTION: &'static str =
        "Ends gdb and the program that it started; an attached process runs on.";
    const EFFECT: Effect = Effect::Destroys;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Own(failure);
    const EXAMPLE: &'static str = r#"{"id": "ID"}"#;

    async fn run(call: &Call, arguments: CloseArguments) -> Result<Reply, Problem> {
        let handle = call.session(Some(&arguments.id))?;
        if handle.is_over() {
            // The error says why.
            Conversation::new(call, &handle, LEAST).send(String::new()).await?;
        }
        handle.close(EndMode::Auto).await?;
        Ok(ok(Empty {}))
    }
}

impl Compatible for Close {
    fn ours(CloseArguments { id }: &CloseArguments) -> Ours {
        Ours::new("debug_stop", json!({"session": id}))
    }
}

struct ListSessions;

#[derive(Serialize, JsonSchema)]
struct Listed {
    /// Open sessions, the oldest first.
    sessions: Vec<Session>,
}

#[derive(Serialize, JsonSchema)]
struct Session {
    id: String,
    /// ISO 8601, UTC.
    created: String,
}

impl Tool for ListSessions {
    type Arguments = Nothing;
    type Data = Answer<Listed>;
    const NAME: &'static str = "list_sessions";
    const TITLE: &'static str = "List gdb sessions";
    const DESCRIPTION: &'static str = "The open sessions of `open`, with the times of their start.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Own(failure);
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, _: Nothing) -> Result<Reply, Problem> {
        let sessions = call.sessions.openings().into_iter().map(|opening| Session {
            id: opening.name,
            created: DateTime::<Utc>::from(opening.created)
                .to_rfc3339_opts(SecondsFormat::Millis, true),
        });
        Ok(ok(Listed { sessions: sessions.collect() }))
    }
}

impl Compatible for ListSessions {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_status", json!({}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_answer_has_the_stops_before_it() {
        let record = json!({
            "number": 3,
            "result": {"status": "done", "data": {}},
            "output": "$1 = 1\n",
            "stops": [{
                "number": 2,
                "command": "continue",
                "result": {"status": "done", "data": {"reason": "exited-normally"}},
                "output": "",
            }],
        });
        let late = |output| {
            let found = of_late(LateCommand { command: "print f()".into(), output });
            found.into_iter().map(|one| (one.number, one.command, one.result.message)).collect()
        };
        let both: Vec<_> = late(Ok(record.to_string()));
        let names = [(2, "continue".to_owned(), None), (3, "print f()".to_owned(), None)];
        assert_eq!(both, names);
        let failed: Vec<_> = late(Err("the adapter died".into()));
        assert_eq!(failed, [(0, "print f()".to_owned(), Some("the adapter died".to_owned()))]);
    }
}
