//! The tools as commands: `dapdock launch`, `dapdock break`, made from the declarations of the
//! tools. A command calls its tool in a host and prints what an agent would read.
//!
//! Knows flags, printing and exit codes. Refuses to know what a tool does.
//!
//! Files, in reading order: `flags` (the commands and their flags), `words` (arguments from a
//! command line), `hosts` (finding or starting a host), `calls` (calls in an answer), `exit` (exit
//! codes), `paint` (colours).

mod calls;
mod exit;
mod flags;
mod hosts;
mod paint;
mod words;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command, FromArgMatches};
use serde_json::{Map, Value, json};

use super::{Common, Sessions, print, say};
use crate::mcp::{Answer, Report};
use exit::Code;

pub use flags::{Chosen, add, of};
pub use hosts::HostCommand;

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

/// Calls the tool of a command and prints its answer.
pub async fn run(chosen: Chosen, matches: &ArgMatches) -> ExitCode {
    let style = Style::of(matches);
    let common = Common::from_arg_matches(matches).unwrap_or_default();
    let arguments = match words::arguments(&chosen, matches) {
        Ok(arguments) => arguments,
        Err(cause) => {
            print_error(style, &exit::Failure::usage(cause));
            return Code::Usage.into();
        }
    };
    match call(&chosen, arguments, common).await {
        Ok(answer) => print_answer(style, &answer),
        Err(cause) => {
            print_error(style, &exit::Failure::host(cause));
            Code::Error.into()
        }
    }
}

async fn call(
    chosen: &Chosen,
    arguments: Map<String, Value>,
    common: Common,
) -> Result<Answer, String> {
    let origin = hosts::origin(common)?;
    let session = arguments.get("session").and_then(Value::as_str);
    let needs_session = !chosen.opens_session();
    let client = hosts::client(&origin, session, needs_session, report()).await?;
    let answer = client.call(chosen.tool.name, arguments).await.map_err(|error| error.to_string());
    client.close().await;
    answer
}

/// Runs `dapdock sessions`.
pub async fn sessions(flags: Sessions) -> ExitCode {
    done(hosts::sessions(flags.common, flags.json).await)
}

/// Runs `dapdock host`.
pub async fn host(command: HostCommand) -> ExitCode {
    match command {
        HostCommand::Log => hosts::log(LOG_LINES),
        _ => done(hosts::host(command).await),
    }
}

fn done(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => Code::Done.into(),
        Err(cause) => {
            print_error(Style::Text, &exit::Failure::host(cause));
            Code::Error.into()
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

/// Prints completions for a shell.
pub fn completions(command: &mut Command, shell: clap_complete::Shell) -> ExitCode {
    clap_complete::generate(shell, command, "dapdock", &mut std::io::stdout());
    ExitCode::SUCCESS
}

/// Prints the manual page.
pub fn manual(command: Command) -> ExitCode {
    match clap_mangen::Man::new(command).render(&mut std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Progress is for a person who waits at a terminal.
fn report() -> Report {
    let shows = std::io::stderr().is_terminal();
    Arc::new(move |line: &str| {
        if shows {
            say(line);
        }
    })
}

fn print_answer(style: Style, answer: &Answer) -> ExitCode {
    let code = Code::of(answer);
    if answer.is_error {
        print_error(style, &exit::Failure::of(answer));
        return code.into();
    }
    match style {
        Style::Text => write(anstream::stdout(), &calls::rewritten(&answer.text)),
        Style::Json => {
            let data = answer.data.get("data").cloned().unwrap_or_default();
            write(anstream::stdout(), &json!({"ok": true, "data": data}).to_string());
        }
        Style::Quiet => {}
    }
    code.into()
}

fn print_error(style: Style, failure: &exit::Failure) {
    match style {
        Style::Json => write(anstream::stdout(), &failure.json().to_string()),
        Style::Text | Style::Quiet => write(anstream::stderr(), &failure.text),
    }
}

/// Prints a text, coloured on a terminal. A closed stream is no error.
fn write(mut stream: impl Write, text: &str) {
    drop(writeln!(stream, "{}", paint::lines(text)));
}
