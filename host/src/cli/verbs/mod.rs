//! The tools as commands: `dapdock launch`, `dapdock break`, made from the declarations of the
//! tools. A command calls its tool in a host and prints what an agent would read.
//!
//! Knows flags, printing and exit codes. Refuses to know what a tool does.
//!
//! Files, in reading order: `flags` (the commands and their flags), `words` (arguments from a
//! command line), `stdin` (a file for the program to read), `hosts` (finding or starting a host),
//! `calls` (calls in an answer), `exit` (exit codes), `paint` (colours), `claim` (take and give),
//! `watch` (and mirror) and `screen` (a live view), `values` (completion in a shell).

mod calls;
mod claim;
mod exit;
mod flags;
mod hosts;
mod paint;
mod screen;
mod stdin;
mod values;
mod watch;
mod words;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command, FromArgMatches};
use clap_complete::env::{CompleteEnv, Shells};
use serde_json::{Value, json};

use super::{Common, Sessions, print, say};
use crate::mcp::{Answer, Reader};
use exit::{Code, Failure};

pub use claim::{give, take};
pub use flags::{Chosen, add, of};
pub use hosts::{HostCommand, listed};
pub use watch::{mirror, watch};

/// Lines of `dapdock host log`.
const LOG_LINES: usize = 100;

/// How an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Text,
    Json,
    Quiet,
}

impl Style {
    fn of(matches: &ArgMatches) -> Self {
        if matches.get_flag(flags::JSON) {
            Self::Json
        } else if matches.get_flag(flags::QUIET) {
            Self::Quiet
        } else {
            Self::Text
        }
    }
}

/// The exit code of a command that a person interrupts (128 and the number of SIGINT).
const INTERRUPTED: u8 = 130;

/// Calls the tool of a command and prints its answer. `raw` is the command line.
pub async fn run(chosen: Chosen, matches: &ArgMatches, raw: &[String]) -> ExitCode {
    let style = Style::of(matches);
    let answered = tokio::select! {
        answered = answer(&chosen, matches, raw, style) => answered,
        _ = tokio::signal::ctrl_c() => {
            say("the call is given up; a program runs on: `dapdock pause`, `dapdock stop`");
            return INTERRUPTED.into();
        }
    };
    match answered {
        Ok((answer, waits)) => print_answer(style, answer, waits),
        Err(failure) => {
            print_error(style, &failure);
            failure.exit().into()
        }
    }
}

/// The answer of the tool, and whether the call waits for a stop.
async fn answer(
    chosen: &Chosen,
    matches: &ArgMatches,
    raw: &[String],
    style: Style,
) -> Result<(Answer, bool), Failure> {
    let common = Common::from_arg_matches(matches).unwrap_or_default();
    let origin = hosts::origin(common)?;
    let cwd = matches.try_get_one::<String>("cwd").ok().flatten();
    let base = cwd.map_or(origin.workspace.clone(), |cwd| origin.workspace.join(cwd));
    let is_file = |word: &str| base.join(word).is_file() || origin.workspace.join(word).is_file();
    let mut arguments = words::arguments(chosen, matches, raw, &is_file).map_err(Failure::usage)?;
    let is_launch = chosen.tool.name == "debug_launch";
    let gives_stdin = is_launch && stdin::add(&mut arguments).map_err(Failure::usage)?;
    let is_false = |name: &str| {
        // A flag that is listed is a text here, another one a value.
        arguments.get(name).is_some_and(|value| *value == "false" || *value == false)
    };
    let attaches = chosen.tool.name == "debug_attach" && !arguments.contains_key("breakpoints");
    let waits = !is_false("wait") && !attaches;
    let session = arguments.get("session").and_then(Value::as_str).map(str::to_owned);
    let needs = chosen.needs(session.is_some());
    let (client, named) = hosts::client(&origin, session.as_deref(), needs, reader(style)).await?;
    if let Some(named) = named {
        arguments.insert("session".to_owned(), named.into());
    }
    let answer = client.call(chosen.tool.name, arguments).await;
    client.close().await;
    let mut answer = answer.map_err(|error| Failure::host(error.to_string()))?;
    if let Some(session) = &session {
        calls::name_session(&mut answer, session);
    }
    if is_launch {
        stdin::say_unread();
    }
    if gives_stdin && answer.is_error {
        return Err(Failure::of(&answer).without_stdin());
    }
    Ok((answer, waits))
}

/// Runs `dapdock sessions`.
pub async fn sessions(flags: Sessions) -> ExitCode {
    let style = if flags.json { Style::Json } else { Style::Text };
    done(hosts::sessions(flags.common, flags.json).await, style)
}

/// Runs `dapdock host`.
pub async fn host(command: HostCommand) -> ExitCode {
    match command {
        HostCommand::Log => hosts::log(LOG_LINES),
        _ => done(hosts::host(command).await, Style::Text),
    }
}

fn done(result: Result<(), Failure>, style: Style) -> ExitCode {
    match result {
        Ok(()) => Code::Done.into(),
        Err(failure) => {
            print_error(style, &failure);
            failure.exit().into()
        }
    }
}

/// The first line of a host in the background: callers can connect.
pub fn ready() {
    print("ready");
}

/// The first line of a host that cannot serve.
pub fn not_ready(error: &std::io::Error) {
    print(error);
}

/// Prints all commands as JSON.
pub fn print_commands(command: &Command) -> ExitCode {
    print(flags::describe(command));
    ExitCode::SUCCESS
}

/// The variable with which the script of a shell calls us for values; it names the shell.
const COMPLETE: &str = "DAPDOCK_COMPLETE";

/// Prints values and ends, if a shell calls us for them.
pub fn complete(command: impl Fn() -> Command) {
    CompleteEnv::with_factory(command).var(COMPLETE).complete();
}

/// Prints the script with which a shell completes our commands.
pub fn completions(shell: clap_complete::Shell) -> ExitCode {
    let shell = shell.to_string();
    // Where this program was found, so that the script finds the same one.
    let called = std::env::args().next().unwrap_or_default();
    let has_path = called.contains(std::path::MAIN_SEPARATOR);
    let program = std::env::current_exe().ok().filter(|_| has_path);
    let program = program.map_or("dapdock".into(), |path| path.display().to_string());
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(&shell) {
        drop(shell.write_registration(COMPLETE, "dapdock", "dapdock", &program, &mut script));
    }
    print(String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}

/// Prints the manual page of a command, `host stop`; without words that of dapdock.
pub fn manual(mut command: Command, of: &[String]) -> ExitCode {
    // Names of pages: `dapdock-host-stop`.
    command.build();
    let is_named = |one: &&Command, name: &str| {
        one.get_name() == name || one.get_all_aliases().any(|alias| alias == name)
    };
    let page = of
        .iter()
        .try_fold(&command, |page, name| page.get_subcommands().find(|one| is_named(one, name)));
    let mut text = Vec::new();
    match page.map(|page| clap_mangen::Man::new(page.clone()).render(&mut text)) {
        Some(Ok(())) => print(String::from_utf8_lossy(&text)),
        _ => {
            let cause = format!("there is no command `{}`", of.join(" "));
            return done(Err(Failure::usage(cause)), Style::Text);
        }
    }
    ExitCode::SUCCESS
}

/// Progress and questions are for a person who waits at a terminal; answers as data are for a
/// program.
fn reader(style: Style) -> Reader {
    if !std::io::stderr().is_terminal() {
        return Reader::none();
    }
    let mut reader = Reader { report: Arc::new(|line: &str| say(line)), choose: None };
    if style != Style::Json && std::io::stdin().is_terminal() {
        reader.choose = Some(Arc::new(chooses));
    }
    reader
}

/// Asks the person at the terminal; anything but yes is no.
fn chooses(question: &str) -> bool {
    let mut error = std::io::stderr().lock();
    if write!(error, "dapdock: {question} [y/N] ").and_then(|()| error.flush()).is_err() {
        return false;
    }
    drop(error);
    let mut answer = String::new();
    let is_read = std::io::stdin().read_line(&mut answer).is_ok();
    is_read && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

fn print_answer(style: Style, mut answer: Answer, waits: bool) -> ExitCode {
    let code = Code::of(&answer, waits);
    if answer.is_error {
        print_error(style, &Failure::of(&answer));
        return code.into();
    }
    match style {
        Style::Text => write(anstream::stdout(), &calls::rewritten(&answer.text)),
        Style::Json => {
            let mut data = answer.data.get_mut("data").map(Value::take).unwrap_or_default();
            calls::rewritten_data(&mut data);
            write(anstream::stdout(), &json!({"ok": true, "data": data}).to_string());
        }
        Style::Quiet => {}
    }
    code.into()
}

fn print_error(style: Style, failure: &Failure) {
    match style {
        Style::Json => write(anstream::stdout(), &failure.json().to_string()),
        Style::Text | Style::Quiet => write(anstream::stderr(), &failure.text),
    }
}

/// Prints a text, coloured on a terminal. A closed stream is no error.
fn write(mut stream: impl Write, text: &str) {
    drop(writeln!(stream, "{}", paint::lines(text)));
}
