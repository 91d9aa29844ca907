//! `debug_set_breakpoints`, `debug_set_exception_breakpoints`, `debug_list_breakpoints`.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::limit::Visit;
use super::of_session::OfSession;
use super::start::Breakpoint as Wanted;
use super::{Compatible, Ours, TOOLSET, act, finish, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::model::{Binding, Breakpoint, Place};

pub(super) struct Set;

#[derive(Deserialize, JsonSchema)]
pub(super) struct File {
    /// Default: the only one
    session_id: Option<String>,
    /// Source file
    file: String,
    /// All its breakpoints
    breakpoints: Vec<Wanted>,
}

impl Tool for Set {
    type Arguments = File;
    type Data = structured::Breakpoints;
    const NAME: &'static str = "debug_set_breakpoints";
    const TITLE: &'static str = "Set the breakpoints of a file";
    const DESCRIPTION: &'static str = "Sets the breakpoints of a file in place of those it had.";
    const EFFECT: Effect = Effect::Sets;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"file": "FILE", "breakpoints": [{"line": 1}]}"#;

    async fn run(call: &Call, arguments: File) -> Result<Reply, Problem> {
        let visit = Visit::begin(call)?;
        let list = json!({"session": arguments.session_id});
        let before = run(call, Ours::new("debug_breakpoints", list)).await;
        let cwd = call.sessions.cwd(arguments.session_id.as_deref());
        let file = real(&call.path_in(cwd.as_deref(), &arguments.file));
        let mut old = Vec::new();
        if let Outcome::Breakpoints { report, .. } = &before.reply.outcome {
            // Those that a command of the debugger has set are not ours.
            let is_own = |one: &&Breakpoint| !matches!(one.binding, Binding::SetByCommand { .. });
            for one in report.all.iter().filter(is_own) {
                if matches!(&one.spec.place, Place::Line { path, .. } if real(path) == file) {
                    old.push(one.id.0.to_string());
                }
            }
        }
        let count = old.len();
        let mut ours = Self::ours(&arguments);
        if count > 0 {
            ours.arguments.insert("remove".to_owned(), old.into());
        }
        let mut answer = run(call, ours).await;
        if matches!(answer.reply.outcome, Outcome::Breakpoints { .. }) {
            let file = &arguments.file;
            answer.reply.text.push(format!("these replace the {count} that {file} had"));
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
    }
}

/// The path without symbolic links. Of a file that is gone, the path itself.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

impl Compatible for Set {
    fn ours(of: &File) -> Ours {
        let set: Vec<Value> = of.breakpoints.iter().map(|one| one.item(&of.file)).collect();
        let set = Some(set).filter(|set| !set.is_empty());
        Ours::new("debug_breakpoints", json!({"session": of.session_id, "set": set}))
    }
}

pub(super) struct SetExceptions;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Filters {
    /// Default: the only one
    session_id: Option<String>,
    /// Exceptions to stop at: uncaught, all, none, types or the adapter's own
    filters: Vec<String>,
}

impl Tool for SetExceptions {
    type Arguments = Filters;
    type Data = structured::Breakpoints;
    const NAME: &'static str = "debug_set_exception_breakpoints";
    const TITLE: &'static str = "Stop at exceptions";
    const DESCRIPTION: &'static str = "Sets the exceptions that stop the program.";
    const EFFECT: Effect = Effect::Sets;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"filters": ["uncaught"]}"#;

    async fn run(call: &Call, arguments: Filters) -> Result<Reply, Problem> {
        act(call, Self::NAME, Self::ours(&arguments)).await
    }
}

impl Compatible for SetExceptions {
    fn ours(of: &Filters) -> Ours {
        let none = vec!["none".to_owned()];
        let filters = if of.filters.is_empty() { &none } else { &of.filters };
        Ours::new("debug_breakpoints", json!({"session": of.session_id, "exceptions": filters}))
    }
}

pub(super) struct List;

impl Tool for List {
    type Arguments = OfSession;
    type Data = structured::Breakpoints;
    const NAME: &'static str = "debug_list_breakpoints";
    const TITLE: &'static str = "List breakpoints";
    const DESCRIPTION: &'static str = "Lists all breakpoints with their hits.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: OfSession) -> Result<Reply, Problem> {
        act(call, Self::NAME, Self::ours(&arguments)).await
    }
}

impl Compatible for List {
    fn ours(of: &OfSession) -> Ours {
        Ours::new("debug_breakpoints", json!({"session": of.session_id}))
    }
}
