//! `debug_launch`: starts a target under the debugger.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Arrival;
use super::super::problem::Problem;
use super::super::request::{Request, literal};
use super::super::structured;
use super::super::text::breakpoint::{self, Item};
use super::super::text::shell::{Shell, shell};
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use super::super::wait;
use super::configured::{self, More};
use super::start;
use crate::model::{Again, BreakpointSpec, Cursor, Happening, LaunchRequest, LaunchTarget};
use crate::session::Overrides;
use crate::view::{self, unmarked};

pub(in crate::mcp) struct Launch;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Program, source file or package directory
    program: Option<String>,
    /// Instead: a command line as you would type it, tests too; no shell
    command: Option<String>,
    /// Instead: one test by name
    test: Option<String>,
    /// Program arguments
    args: Option<Vec<String>>,
    /// Default: the workspace
    cwd: Option<String>,
    /// Variables to add
    env: Option<Map<String, Value>>,
    /// Default: chosen by the target
    adapter: Option<String>,
    /// As `set` of debug_breakpoints
    breakpoints: Option<Vec<Item>>,
    /// Adapter keys (a wrong one lists them), stop_on_entry, stdin, core, config (of launch.json)
    options: Option<Map<String, Value>>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
    #[schemars(skip)]
    stop_on_entry: Option<Value>,
    #[schemars(skip)]
    core: Option<Value>,
    /// false: return once it runs, debug_wait later.
    #[schemars(skip)]
    wait: Option<bool>,
    /// true: calls write its standard input, where the adapter takes one.
    #[schemars(skip)]
    stdin_pipe: Option<bool>,
    /// Bytes of output that are stored.
    #[schemars(skip)]
    output_bytes: Option<usize>,
}

impl Tool for Launch {
    type Arguments = Arguments;
    type Data = structured::Started;
    const NAME: &'static str = "debug_launch";
    const TITLE: &'static str = "Start a program";
    const DESCRIPTION: &'static str = "Builds where needed, starts a program, source file, test or \
        command and runs it to the first stop, its exit or the time limit. Give \
        exactly one of program, command, test. Breakpoints are set before it runs.";
    const EFFECT: Effect = Effect::Moves;
    const VERB: Option<Verb> = Some(
        Verb::new(
            "launch",
            Words::CommandLine { program: "program", args: "args", command: "command" },
        )
        .letters(&[("breakpoints", 'b')]),
    );
    const UNLISTED: &'static [&'static str] =
        &["core", "output_bytes", "stdin_pipe", "stop_on_entry", "wait"];
    const EXAMPLE: &'static str = r#"{"program": "FILE", "breakpoints": ["FILE:LINE"]}"#;

    async fn run(call: &Call, mut arguments: Arguments) -> Result<Reply, Problem> {
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        if let Some(name) =
            arguments.options.as_mut().and_then(|options| options.shift_remove("config"))
        {
            let name = name.as_str().map(str::to_owned).unwrap_or_else(|| name.to_string());
            return configured::run(call, &name, more(call, arguments)?, limit).await;
        }
        let waits = arguments.wait != Some(false);
        let mut request = request(call, arguments).await?;
        let deadline = Instant::now() + limit;
        let mut earlier = Vec::new();
        loop {
            let launch = call.sessions.launch(request.clone());
            let handle = Box::pin(wait::reporting(call, launch)).await?;
            let left = deadline.saturating_duration_since(Instant::now());
            let arrival = if waits {
                wait::arrive(call, &handle, Cursor::default(), left).await?
            } else {
                wait::attached(call, &handle, left).await?
            };
            match following(&arrival).filter(|_| waits && Instant::now() < deadline) {
                Some(options) => request.options = merged(&request.options, &options),
                None => return Ok(start::reply(call, &handle, arrival, &earlier).await),
            }
            earlier.push(handle.id().clone());
        }
    }
}

/// The options of a launch that has to follow this arrival.
fn following(arrival: &Arrival) -> Option<String> {
    match arrival {
        Arrival::Happened(Happening::Ended(exit)) => match &exit.again {
            Again::Following { options, .. } => Some(options.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Options of a launch with more of them; both are JSON objects.
fn merged(options: &str, more: &str) -> String {
    let mut all: Map<String, Value> = serde_json::from_str(options).unwrap_or_default();
    all.extend(serde_json::from_str::<Map<String, Value>>(more).unwrap_or_default());
    Value::Object(all).to_string()
}

async fn request(call: &Call, mut arguments: Arguments) -> Result<LaunchRequest, Problem> {
    let cwd = arguments.cwd.as_deref().map(|path| call.path(path));
    let target = target(call, &arguments)?;
    let breakpoints = breakpoints(call, &mut arguments)?;
    let mut options = arguments.options.unwrap_or_default();
    let stop_on_entry =
        stop_on_entry(call, &mut options, arguments.stop_on_entry)?.unwrap_or_default();
    let stdin = file(call, "stdin", &mut options, cwd.as_deref())?;
    let core = core(call, &mut options, arguments.core, cwd.as_deref())?;
    if core.is_some() && arguments.program.is_none() {
        return Err(core_without_program(call, arguments.command.as_deref()));
    }
    Ok(LaunchRequest {
        workspace: call.workspace.clone(),
        target,
        args: arguments.args.unwrap_or_default(),
        cwd,
        env: arguments
            .env
            .unwrap_or_default()
            .into_iter()
            .map(|(name, value)| (name, text(value)))
            .collect(),
        adapter: arguments.adapter,
        breakpoints,
        stop_on_entry,
        stdin,
        stdin_pipe: arguments.stdin_pipe == Some(true),
        output_bytes: arguments.output_bytes,
        core,
        options: Value::Object(options).to_string(),
        again: unmarked(&call.request.without(&["output_bytes"]).text()),
    })
}

fn breakpoints(call: &Call, arguments: &mut Arguments) -> Result<Vec<BreakpointSpec>, Problem> {
    let items = arguments.breakpoints.take().unwrap_or_default();
    let cwd = arguments.cwd.as_deref().map(|cwd| call.path(cwd));
    // A program with an extension is a source file.
    let program = arguments.program.as_deref();
    let source = program.filter(|program| Path::new(program).extension().is_some());
    breakpoint::specs(items, call, cwd.as_deref(), source)
}

/// The arguments of a call that names a configuration.
fn more(call: &Call, mut arguments: Arguments) -> Result<More, Problem> {
    if arguments.program.is_some() || arguments.command.is_some() || arguments.test.is_some() {
        let cause = "debug_launch takes only one of `program`, `command`, `test`, `options.config`";
        return Err(call.request.without(&["program", "command", "test"]).refuse(cause));
    }
    let breakpoints = breakpoints(call, &mut arguments)?;
    let cwd = arguments.cwd.as_deref().map(|cwd| call.path(cwd));
    let mut options = arguments.options.unwrap_or_default();
    let stdin = file(call, "stdin", &mut options, cwd.as_deref())?;
    let core = core(call, &mut options, arguments.core, cwd.as_deref())?;
    let inputs = match options.shift_remove("inputs") {
        Some(Value::Object(inputs)) => inputs,
        _ => Map::new(),
    };
    let overrides = Overrides {
        inputs,
        stdin,
        core,
        args: arguments.args,
        cwd,
        adapter: arguments.adapter,
        stop_on_entry: stop_on_entry(call, &mut options, arguments.stop_on_entry)?,
        env: arguments
            .env
            .unwrap_or_default()
            .into_iter()
            .map(|(name, value)| (name, text(value)))
            .collect(),
    };
    let output_bytes = arguments.output_bytes;
    Ok(More { overrides, breakpoints, options, output_bytes })
}

/// The core file, from the options or the argument `core`.
fn core(
    call: &Call,
    options: &mut Map<String, Value>,
    argument: Option<Value>,
    cwd: Option<&Path>,
) -> Result<Option<PathBuf>, Problem> {
    if let Some(core) = argument.filter(|_| !options.contains_key("core")) {
        options.insert("core".to_owned(), core);
    }
    file(call, "core", options, cwd)
}

/// Refuses a core file with a command or a test. The program is the first word of the command.
fn core_without_program(call: &Call, command: Option<&str>) -> Problem {
    let words = command.and_then(|command| shell_words::split(command).ok()).unwrap_or_default();
    let program = words.first().map_or("PROGRAM", String::as_str);
    let request = call.request.without(&["command", "test"]).with("program", program);
    request.refuse("debug_launch: `core` needs `program`, the program that dumped it")
}

/// The call with another value of an option; without the option if `value` is none.
fn with_option(call: &Call, key: &str, value: Option<Value>) -> Request {
    let options = call.request.arguments.get("options").and_then(Value::as_object);
    let mut options = options.cloned().unwrap_or_default();
    match value {
        Some(value) => drop(options.insert(key.to_owned(), value)),
        None => drop(options.shift_remove(key)),
    }
    // The same keys are accepted as arguments.
    let request = call.request.without(&[key]);
    if options.is_empty() {
        request.without(&["options"])
    } else {
        request.with("options", Value::Object(options))
    }
}

/// The file that an option names.
fn file(
    call: &Call,
    key: &str,
    options: &mut Map<String, Value>,
    cwd: Option<&Path>,
) -> Result<Option<PathBuf>, Problem> {
    match options.shift_remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(file)) if key == "stdin" && file.contains('\n') => {
            let cause = "debug_launch: `options.stdin` is a file whose text is given to the \
                program, got text with a line break";
            Err(with_option(call, key, Some("FILE".into())).refuse(cause))
        }
        Some(Value::String(file)) => Ok(Some(call.path_in(cwd, &file))),
        Some(other) => {
            let cause =
                format!("debug_launch: `options.{key}` must be the path of a file, got {other}");
            Err(with_option(call, key, None).refuse(&cause))
        }
    }
}

/// The value from the options or the argument `stop_on_entry`.
fn stop_on_entry(
    call: &Call,
    options: &mut Map<String, Value>,
    argument: Option<Value>,
) -> Result<Option<bool>, Problem> {
    let value = options.shift_remove("stop_on_entry").or(argument).unwrap_or_default();
    match (&value, value.as_str()) {
        (Value::Null, _) => Ok(None),
        (Value::Bool(value), _) => Ok(Some(*value)),
        (_, Some("true")) => Ok(Some(true)),
        (_, Some("false")) => Ok(Some(false)),
        _ => {
            let cause =
                format!("debug_launch: `options.stop_on_entry` must be true or false, got {value}");
            Err(with_option(call, "stop_on_entry", Some(true.into())).refuse(&cause))
        }
    }
}

fn target(call: &Call, arguments: &Arguments) -> Result<LaunchTarget, Problem> {
    // The caller does not know the targets.
    let bad = |cause: &str| Problem::worded("bad-argument", cause, "debug_targets");
    let cwd = arguments.cwd.as_deref().map(|cwd| call.path(cwd));
    match (&arguments.program, &arguments.command, &arguments.test) {
        (Some(program), None, None) => {
            Ok(LaunchTarget::Program(call.path_in(cwd.as_deref(), program)))
        }
        (None, Some(command), None) => match shell_words::split(command) {
            Ok(_) if let Some(shell) = shell(command) => Err(needs_shell(call, arguments, shell)),
            Ok(words) if !words.is_empty() => Ok(LaunchTarget::Command(words)),
            Ok(_) => Err(bad("debug_launch: `command` is empty")),
            Err(_) => Err(bad(&format!(
                "debug_launch: `command` has a quote that does not end: {command}"
            ))),
        },
        (None, None, Some(test)) => Ok(LaunchTarget::Named(test.clone())),
        (None, None, None) => Err(bad("debug_launch needs one of `program`, `command`, `test`")),
        several => {
            let dropped: &[&str] =
                if several.0.is_some() { &["command", "test"] } else { &["test"] };
            let one = call.request.without(dropped);
            Err(one.refuse("debug_launch takes only one of `program`, `command`, `test`"))
        }
    }
}

/// Refuses shell syntax, and proposes the arguments that replace it.
fn needs_shell(call: &Call, arguments: &Arguments, shell: Shell) -> Problem {
    let Shell { found, cwd, env, stdin, command } = shell;
    let cause = format!(
        "debug_launch: `command` is not run by a shell: no `{found}`. Use `cwd`, `env` and \
         `options.stdin`, read output with {}, and quote what is literal",
        view::Call::new("debug_output")
    );
    if command.is_empty() {
        return without_shell(call).refuse(&cause);
    }
    let mut all = arguments.env.clone().unwrap_or_default();
    all.extend(env.into_iter().map(|(name, value)| (name, Value::String(value))));
    let mut again = call.request.call().with("command", command);
    let below = |cwd| {
        arguments
            .cwd
            .as_deref()
            .map_or_else(|| Path::new(cwd).to_owned(), |base| Path::new(base).join(cwd))
    };
    if let Some(cwd) = &cwd {
        again = again.with("cwd", below(cwd).display().to_string());
    }
    if !all.is_empty() {
        again = again.with("env", literal(&Value::Object(all)));
    }
    if let Some(file) = stdin {
        let mut options = arguments.options.clone().unwrap_or_default();
        options.insert("stdin".to_owned(), Value::String(file));
        again = again.with("options", literal(&Value::Object(options)));
    }
    Problem::worded("bad-argument", &cause, &again.bounded(view::LONGEST_CALL))
}

/// The call with placeholders for what the shell would do.
fn without_shell(call: &Call) -> Request {
    let mut request = call.request.with("command", "PROGRAM ARGUMENT");
    for (name, placeholder) in [("cwd", json!("DIRECTORY")), ("env", json!({"NAME": "VALUE"}))] {
        if !request.arguments.contains_key(name) {
            request = request.with(name, placeholder);
        }
    }
    request
}

/// Value of an environment variable; null unsets it.
fn text(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}
