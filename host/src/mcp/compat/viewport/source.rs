//! `debug_source`: numbered lines of a file. Needs no stop and, for a file of the workspace, no
//! session.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::limit::Visit;
use super::{Compatible, Ours, TOOLSET, finish, state};
use crate::mcp::call::{Call, Reply};
use crate::mcp::compat::Answer;
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::resources::read_source;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::view::{HARD_CAP, Text, estimate};

/// Characters of a line.
const LONGEST: usize = 300;

/// Tokens of an answer; a line about the rest follows.
const TOKENS: usize = HARD_CAP - 200;

pub(super) struct Source;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Lines {
    /// Default: the only one
    session_id: Option<String>,
    /// Source file
    file: String,
    /// First line; default 1
    start_line: Option<u32>,
    /// Last line; default: the last of the file
    end_line: Option<u32>,
}

impl Tool for Source {
    type Arguments = Lines;
    type Data = structured::Status;
    const NAME: &'static str = "debug_source";
    const TITLE: &'static str = "Source";
    const DESCRIPTION: &'static str =
        "Numbered lines of a source file of the workspace, or of a frame or a breakpoint.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"file": "FILE", "start_line": 1, "end_line": 20}"#;

    async fn run(call: &Call, arguments: Lines) -> Result<Reply, Problem> {
        let visit = Visit::begin(call)?;
        if let Some(name) = arguments.session_id.as_deref() {
            call.session(Some(name))?;
        }
        let whole = match read(call, &arguments.file).await {
            Ok(whole) => whole,
            Err(cause) => return Err(unreadable(call, &arguments.file, &cause).await),
        };
        let first = arguments.start_line.unwrap_or(1).max(1) as usize;
        let last = arguments.end_line.map_or(usize::MAX, |line| line as usize);
        let count = whole.lines().count();
        if first > last {
            let cause = format!("`start_line` {first} is after `end_line` {last}");
            return Err(call.request.without(&["end_line"]).refuse(&cause));
        }
        if first > count.max(1) {
            let cause = format!("{} has {count} lines, there is no line {first}", arguments.file);
            return Err(call.request.without(&["start_line", "end_line"]).refuse(&cause));
        }
        let (mut text, next) = numbered(&whole, first, last);
        if let Some(next) = next {
            let left = last.min(count) + 1 - next;
            let next = call.request.with("start_line", next).text();
            text.push(format!("{left} more lines of {count}: {next}"));
        }
        let outcome = Outcome::Document(text.to_string());
        let answer = Answer::of(Reply::new(text, outcome));
        Ok(finish(call, &visit, Self::NAME, answer).await)
    }
}

/// A stack and the targets name files that can be read.
async fn unreadable(call: &Call, file: &str, cause: &str) -> Problem {
    let stop = match state::handle(call) {
        Some(handle) => handle.current().await.ok().flatten(),
        None => None,
    };
    let next = if stop.is_some() { "debug_stack_trace" } else { "debug_targets" };
    Problem::worded("no-such-source", &format!("{file}: {cause}"), next)
}

/// The text of a source file. A relative path starts at the directory of the program or at the
/// workspace.
pub(super) async fn read(call: &Call, path: &str) -> Result<String, String> {
    let handle = state::handle(call);
    let cwd = call.sessions.cwd(call.request.session());
    let file = call.path_in(cwd.as_deref(), path);
    read_source(handle.as_ref(), &call.workspace, &file).await
}

/// A numbered line.
pub(super) fn line(number: usize, line: &str) -> String {
    let cut = if line.chars().nth(LONGEST).is_some() { "…" } else { "" };
    let line: String = line.chars().take(LONGEST).collect();
    format!("{number:4} {}{cut}", line.trim_end())
}

/// The lines that fit into one answer, and the first that does not.
fn numbered(whole: &str, first: usize, last: usize) -> (Text, Option<usize>) {
    let (mut lines, mut used) = (Vec::new(), 0);
    for (number, text) in (1..).zip(whole.lines()).skip(first - 1) {
        if number > last {
            break;
        }
        let text = line(number, text);
        used += estimate(&text) + 1;
        if used > TOKENS && !lines.is_empty() {
            return (Text::lines(lines), Some(number));
        }
        lines.push(text);
    }
    (Text::lines(lines), None)
}

impl Compatible for Source {
    fn ours(of: &Lines) -> Ours {
        Ours::new("debug_stack", json!({"session": of.session_id}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_file_is_in_pages() {
        let whole = "some words of code, twenty at most, as long lines of programs are\n";
        let whole = whole.repeat(2_000);
        let (text, next) = numbered(&whole, 1, usize::MAX);
        let next = next.expect("it does not fit");
        assert_eq!(text.lines().count(), next - 1);
        let (text, _) = numbered(&whole, next, usize::MAX);
        assert!(text.trim_start().starts_with(&next.to_string()), "{text}");
        assert_eq!(numbered("a\nb\nc", 2, 2), (Text::line("   2 b"), None));
        let long = line(1, &"x".repeat(LONGEST + 1));
        assert_eq!(long, format!("   1 {}…", "x".repeat(LONGEST)));
    }
}
