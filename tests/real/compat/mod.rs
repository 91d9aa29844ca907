//! The names of other debug servers: each with its documented arguments, its answer compared with
//! the documented form.

pub mod examples;
pub mod gdb_names;
pub mod go_names;
pub mod net_exceptions;
pub mod net_languages;
pub mod net_names;
pub mod net_reads;
pub mod rust_names;
mod shape;
pub mod viewport_names;

use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::caller::{Caller, Start, root};
use crate::real::Stage;

/// Replaces the host by one with this family only.
async fn start(stage: &mut Stage, family: &'static str) {
    let flags = vec!["--toolsets", family];
    stage.caller = Caller::start(Start { flags, ..stage.language.start() }).await;
}

/// File and line of a mark.
fn place(stage: &Stage, program: &str, mark: &str) -> (String, u64) {
    let at = stage.at(program, mark);
    let (file, line) = at.rsplit_once(':').unwrap();
    (file.to_owned(), line.parse().unwrap())
}

/// Asserts that an object has these keys, as `id number, name string`; `any` may be null.
#[track_caller]
fn has(value: &Value, keys: &str) {
    for key in keys.split(", ") {
        let (name, kind) = key.split_once(' ').unwrap();
        let found = match &value[name] {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let is_there = value.as_object().is_some_and(|fields| fields.contains_key(name));
        assert!(is_there && (kind == found || kind == "any"), "{name} is {found}\n{value:#}");
    }
}

/// The program `sleeper`, started without a debugger, once it runs.
#[expect(clippy::disallowed_methods, reason = "the process is not the debugger's")]
async fn sleeper(stage: &Stage) -> tokio::process::Child {
    let words = stage.language.command("sleeper");
    let mut child = tokio::process::Command::new(&words[0])
        .args(&words[1..])
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let output = child.stdout.take().unwrap();
    assert_eq!(BufReader::new(output).lines().next_line().await.unwrap().unwrap(), "ready");
    child
}
