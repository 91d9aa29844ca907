//! `launch`, `attach`, `debug`, `debug_test`: sessions that begin with a stop.

use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Compatible, Ours, TOOLSET, forward, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Form, Toolset};
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::view::ErrorText;

pub(super) struct Launch;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Program {
    /// Executable, built with debug information
    program: String,
    /// Arguments of the program
    args: Option<Vec<String>>,
}

impl Tool for Launch {
    type Arguments = Program;
    type Data = structured::Started;
    const NAME: &'static str = "launch";
    const TITLE: &'static str = "Launch a program";
    const DESCRIPTION: &'static str = "Starts a program under the debugger and stops at its \
        entry; then set breakpoints and continue.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = r#"{"program": "FILE"}"#;

    async fn run(call: &Call, arguments: Program) -> Result<Reply, Problem> {
        Ok(noted(call, forward::<Self>(call, &arguments).await.reply))
    }
}

impl Compatible for Launch {
    fn ours(Program { program, args }: &Program) -> Ours {
        launch(json!({"program": program, "args": args}))
    }
}

pub(super) struct Debug;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Source {
    /// Source file of the program's package
    file: String,
    /// Arguments of the program
    args: Option<Vec<String>>,
}

impl Tool for Debug {
    type Arguments = Source;
    type Data = structured::Started;
    const NAME: &'static str = "debug";
    const TITLE: &'static str = "Debug a source file";
    const DESCRIPTION: &'static str = "Builds a source file without optimisation and inlining, \
        starts it under the debugger and stops at its entry.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = r#"{"file": "FILE"}"#;

    async fn run(call: &Call, arguments: Source) -> Result<Reply, Problem> {
        Ok(noted(call, forward::<Self>(call, &arguments).await.reply))
    }
}

impl Compatible for Debug {
    fn ours(Source { file, args }: &Source) -> Ours {
        launch(json!({"program": file, "args": args}))
    }
}

pub(super) struct DebugTest;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Test {
    /// File of the test
    testfile: String,
    /// Name of the test function
    testname: String,
    /// More flags of the test command, as `-v -count=1`
    testflags: Option<String>,
}

/// Data of `debug_test`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tested {
    test_file: String,
    test_name: String,
    /// Command line of the build.
    build_command: String,
    /// What it wrote to standard error.
    build_output: String,
    #[serde(flatten)]
    #[schemars(with = "structured::Started")]
    started: Value,
}

impl Tool for DebugTest {
    type Arguments = Test;
    type Data = Tested;
    const NAME: &'static str = "debug_test";
    const TITLE: &'static str = "Debug a test";
    const DESCRIPTION: &'static str = "Builds the tests of a package without optimisation and \
        inlining, starts one under the debugger and stops at the entry.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = r#"{"testfile": "FILE", "testname": "NAME"}"#;

    async fn run(call: &Call, arguments: Test) -> Result<Reply, Problem> {
        let mut answer = forward::<Self>(call, &arguments).await;
        answer.reply = noted(call, answer.reply);
        let started = answer.data().await["data"].take();
        let build = &started["buildInfo"];
        let tested = Tested {
            test_file: arguments.testfile,
            test_name: arguments.testname,
            // The others list the tests.
            build_command: build["commands"][0].as_str().unwrap_or_default().to_owned(),
            build_output: build["output"].as_str().unwrap_or_default().to_owned(),
            started,
        };
        Ok(super::with_data(answer, tested).await)
    }
}

impl Compatible for DebugTest {
    fn ours(test: &Test) -> Ours {
        let directory = match test.testfile.rsplit_once('/') {
            Some(("", _)) => "/",
            Some((directory, _)) => directory,
            None => ".",
        };
        let flags = test.testflags.as_deref().unwrap_or_default();
        let pattern = shell_words::quote(&format!("^{}$", test.testname)).into_owned();
        let command = format!("go test -run {pattern} {flags} .");
        launch(json!({"command": command, "cwd": directory}))
    }
}

/// The error of the last start, until one succeeds.
#[derive(Default)]
pub(super) struct Failed(Mutex<Option<ErrorText>>);

impl Failed {
    pub fn error(&self) -> Option<ErrorText> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Stores whether a start failed: there is no output of it.
fn noted(call: &Call, reply: Reply) -> Reply {
    let error = reply.outcome.error().filter(|_| reply.is_error).cloned();
    *call.memory.of::<Failed>().0.lock().unwrap_or_else(PoisonError::into_inner) = error;
    reply
}

/// A launch that stops at the entry.
fn launch(mut arguments: Value) -> Ours {
    arguments["options"] = json!({"stop_on_entry": true});
    Ours::new("debug_launch", arguments)
}

pub(super) struct Attach;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Process {
    /// Process id
    pid: u32,
}

impl Tool for Attach {
    type Arguments = Process;
    type Data = structured::Started;
    const NAME: &'static str = "attach";
    const TITLE: &'static str = "Attach to a process";
    const DESCRIPTION: &'static str =
        "Attaches to a running process and stops it. The process lives on after close.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = r#"{"pid": 4711}"#;

    async fn run(call: &Call, arguments: Process) -> Result<Reply, Problem> {
        let mut attached = forward::<Self>(call, &arguments).await;
        attached.reply = noted(call, attached.reply);
        if attached.reply.is_error {
            return Ok(attached.reply);
        }
        let started = attached.data().await["data"].take();
        let session = &started["session"];
        let paused = run(call, Ours::new("debug_pause", json!({"session": session}))).await;
        // The data is of the attach, the context of the stop.
        Ok(super::with_data(paused, started).await)
    }
}

impl Compatible for Attach {
    fn ours(Process { pid }: &Process) -> Ours {
        Ours::new("debug_attach", json!({"pid": pid}))
    }
}
