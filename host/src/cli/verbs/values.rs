//! Values that a shell completes: sessions, files, functions, variables, numbers of breakpoints,
//! as the hosts have them now. Starts no host.
//!
//! Refuses to know where a host finds them: it is asked as MCP completes arguments.

use std::ffi::OsStr;
use std::time::Duration;

use clap::Arg;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use serde_json::Value;

use super::hosts;
use crate::cli::Common;
use crate::mcp::Words;

/// A person waits for the candidates.
const PATIENCE: Duration = Duration::from_secs(2);

/// Arguments of tools, and the arguments of prompts that take the same values.
const KINDS: &[(&str, &str)] = &[
    ("adapter", "adapter"),
    ("breakpoints", "location"),
    ("disable", "breakpoint"),
    ("enable", "breakpoint"),
    ("expressions", "variable"),
    ("path", "variable"),
    ("program", "program"),
    ("remove", "breakpoint"),
    ("session", "session"),
    ("set", "location"),
    ("target", "variable"),
    ("test", "test"),
    ("until", "location"),
];

/// Adds the values of a tool's argument to its flag.
pub fn completed(arg: Arg, name: &str, property: &Value) -> Arg {
    let kind = KINDS.iter().find(|(argument, _)| *argument == name).map(|(_, kind)| *kind);
    match kind {
        // `debug_wait` has the numbers of breakpoints under this name.
        Some("location") if property["items"]["type"] == "integer" => with(arg, "breakpoint"),
        Some(kind) => with(arg, kind),
        None => arg,
    }
}

/// Adds the values of the words without a flag.
pub fn completed_words(arg: Arg, words: Words, property: impl Fn(&str) -> Value) -> Arg {
    match words {
        Words::None | Words::Process { .. } => arg,
        Words::CommandLine { program, .. } => completed(arg, program, &Value::Null),
        Words::One(name)
        | Words::Each(name)
        | Words::Joined(name)
        | Words::JoinedItem(name)
        | Words::Breakpoints(name)
        | Words::Once(name)
        | Words::Assignment(name, _) => completed(arg, name, &property(name)),
    }
}

fn with(arg: Arg, kind: &'static str) -> Arg {
    arg.add(ArgValueCompleter::new(move |typed: &OsStr| candidates(kind, typed)))
}

fn candidates(kind: &str, typed: &OsStr) -> Vec<CompletionCandidate> {
    let text = typed.to_str().unwrap_or_default();
    let mut all: Vec<_> = live(kind, text)
        .into_iter()
        .filter(|value| value.starts_with(text))
        .map(CompletionCandidate::new)
        .collect();
    // Also files that no host knows.
    if matches!(kind, "program" | "location") {
        all.extend(PathCompleter::any().complete(typed));
    }
    all
}

/// What the hosts have now; nothing without a host.
fn live(kind: &str, typed: &str) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(runtime) = runtime else { return Vec::new() };
    let words: Vec<_> = std::env::args().collect();
    let session = session(&words);
    let Ok(origin) = hosts::origin(Common::default()) else { return Vec::new() };
    runtime.block_on(async {
        let values = hosts::values(&origin, kind, typed, session);
        tokio::time::timeout(PATIENCE, values).await.unwrap_or_default()
    })
}

/// The session that the command line names.
fn session(words: &[String]) -> Option<&str> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-S" | "--session" => return words.next().map(String::as_str),
            word => {
                if let Some(name) = word.strip_prefix("--session=") {
                    return Some(name);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_of_a_command_line_is_found() {
        for (line, expect) in [
            ("dapdock -- dapdock vars -S a-1 x", Some("a-1")),
            ("dapdock -- dapdock vars --session a-1", Some("a-1")),
            ("dapdock -- dapdock vars --session=9/a-1", Some("9/a-1")),
            ("dapdock -- dapdock vars x", None),
        ] {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(session(&words), expect, "{line}");
        }
    }
}
