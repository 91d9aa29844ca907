//! `debug_evaluate`, `debug_variables`, `debug_stack_trace`, `debug_source`, `debug_threads`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::config::Config;
use super::{Compatible, Ours, TOOLSET, act, enter, finish, run, screen, state};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::model::{Children, VariablesPage};
use crate::pattern;
use crate::view::Text;

pub(super) struct Evaluate;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Expression {
    /// Default: the only one
    session_id: Option<String>,
    /// In the program's language
    expression: String,
    /// Frame, 0 the innermost; default: innermost of your code
    frame_index: Option<u32>,
    /// Levels of the result to open; default 1
    max_depth: Option<u32>,
}

impl Tool for Evaluate {
    type Arguments = Expression;
    type Data = structured::Evaluations;
    const NAME: &'static str = "debug_evaluate";
    const TITLE: &'static str = "Evaluate an expression";
    const DESCRIPTION: &'static str = "Evaluates an expression in a frame of the stopped program.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"expression": "1 + 1"}"#;

    async fn run(call: &Call, arguments: Expression) -> Result<Reply, Problem> {
        let state = enter(call).await?;
        let limit = state::limits(call)?.viewport_evaluate.as_secs_f64();
        let mut ours = Self::ours(&arguments);
        ours.arguments.insert("timeout_s".to_owned(), limit.into());
        let mut answer = run(call, ours).await;
        let error = answer.reply.outcome.error();
        if error.is_some_and(|error| error.code == "evaluate-timeout") {
            answer.reply.text.push(format!("limits.viewport_evaluate_s: {limit} s are over"));
        }
        let depth = arguments.max_depth.unwrap_or(1);
        if depth > 1 && opens(&answer.reply.outcome) {
            let deeper = json!({
                "session": arguments.session_id, "path": arguments.expression,
                "frame": arguments.frame_index, "depth": depth,
            });
            let page = run(call, Ours::new("debug_variables", deeper)).await.reply;
            if !page.is_error {
                answer.reply.text.append(page.text);
            }
        }
        Ok(finish(call, &state, Self::NAME, answer).await)
    }
}

/// Whether the result has children.
fn opens(outcome: &Outcome) -> bool {
    let Outcome::Evaluated { results, .. } = outcome else { return false };
    let mut values = results.iter().filter_map(|one| one.result.as_ref().ok());
    values.any(|value| value.children != Children::None)
}

impl Compatible for Evaluate {
    fn ours(of: &Expression) -> Ours {
        Ours::new(
            "debug_evaluate",
            json!({
                "session": of.session_id, "expressions": [of.expression], "frame": of.frame_index,
            }),
        )
    }
}

pub(super) struct Variables;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Query {
    /// Default: the only one
    session_id: Option<String>,
    /// Default local
    scope: Option<Scope>,
    /// Frame, 0 the innermost; default: innermost of your code
    frame_index: Option<u32>,
    /// Only names that match this regular expression
    filter: Option<String>,
    /// Levels to open; default 1
    max_depth: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Scope {
    Local,
    Global,
    Closure,
    All,
}

impl Scope {
    /// Whether a scope of the debugger is of this kind.
    fn takes(self, name: &str) -> bool {
        let name = name.to_lowercase();
        match self {
            Self::Local => false,
            Self::Global => name.contains("global") || name.contains("static"),
            Self::Closure => name.contains("closure"),
            Self::All => true,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Global => "global",
            Self::Closure => "closure",
            Self::All => "all",
        }
    }
}

impl Tool for Variables {
    type Arguments = Query;
    type Data = structured::Variables;
    const NAME: &'static str = "debug_variables";
    const TITLE: &'static str = "Variables";
    const DESCRIPTION: &'static str = "Variables of a frame by scope, filtered by name.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"scope": "all"}"#;

    async fn run(call: &Call, arguments: Query) -> Result<Reply, Problem> {
        let filter = match arguments.filter.as_deref().map(pattern::compile).transpose() {
            Ok(filter) => filter,
            Err(error) => {
                let cause = format!("debug_variables: `filter` is no regular expression: {error}");
                return Err(call.request.without(&["filter"]).refuse(&cause));
            }
        };
        let state = enter(call).await?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        let Outcome::Variables(first) = &answer.reply.outcome else {
            return Ok(finish(call, &state, Self::NAME, answer).await);
        };
        let kind = arguments.scope.unwrap_or(Scope::Local);
        let mut pages = Vec::new();
        if matches!(kind, Scope::Local | Scope::All) || kind.takes(&first.scope) {
            pages.push(first.clone());
        }
        for name in first.other_scopes.iter().filter(|name| kind.takes(name)) {
            let mut ours = Self::ours(&arguments);
            ours.arguments.insert("scope".to_owned(), name.as_str().into());
            if let Outcome::Variables(page) = run(call, ours).await.reply.outcome {
                pages.push(page);
            }
        }
        if pages.is_empty() {
            let mut known = vec![first.scope.as_str()];
            known.extend(first.other_scopes.iter().map(String::as_str));
            let known = known.join(", ");
            let cause = format!("the frame has no {} scope; it has {known}", kind.name());
            return Err(call.request.without(&["scope"]).refuse(&cause));
        }
        // These are asked for, so they do not shrink.
        let config = super::config::Given::default().after(0);
        let depth = arguments.max_depth.unwrap_or(1);
        let mut lines = Vec::new();
        for page in &pages {
            write(
                page,
                &config,
                depth,
                |name| filter.as_ref().is_none_or(|filter| filter.is_match(name)),
                &mut lines,
            );
        }
        answer.reply.text = Text::lines(lines);
        Ok(finish(call, &state, Self::NAME, answer).await)
    }
}

impl Compatible for Variables {
    fn ours(of: &Query) -> Ours {
        let count = of.filter.as_ref().map(|_| 1_000);
        Ours::new(
            "debug_variables",
            json!({
                "session": of.session_id, "frame": of.frame_index, "depth": of.max_depth,
                "count": count,
            }),
        )
    }
}

/// The variables of a page whose names are taken.
fn write(
    page: &VariablesPage,
    config: &Config,
    depth: u32,
    is_taken: impl Fn(&str) -> bool,
    lines: &mut Vec<String>,
) {
    lines.push(format!("{}:", if page.scope.is_empty() { "Locals" } else { &page.scope }));
    for variable in page.variables.iter().filter(|variable| is_taken(&variable.name)) {
        lines.push(format!("  {}", screen::line(variable, config)));
        if depth > 1 {
            for child in &variable.preview {
                lines.push(format!("    {}", screen::line(child, config)));
            }
        }
    }
    let read = page.start + page.variables.len() as u64;
    if page.total > read {
        lines.push(format!("  {} more", page.total - read));
    }
}

pub(super) struct StackTrace;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Frames {
    /// Default: the only one
    session_id: Option<String>,
    /// Most frames; default 20
    max_frames: Option<u32>,
    /// The line of each frame too; default false
    include_source: Option<bool>,
}

impl Tool for StackTrace {
    type Arguments = Frames;
    type Data = structured::Stacks;
    const NAME: &'static str = "debug_stack_trace";
    const TITLE: &'static str = "Stack";
    const DESCRIPTION: &'static str = "The call stack of the stopped thread.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"max_frames": 20}"#;

    async fn run(call: &Call, arguments: Frames) -> Result<Reply, Problem> {
        let state = enter(call).await?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        if let (Some(true), Outcome::Stacks(stacks)) =
            (arguments.include_source, &answer.reply.outcome)
        {
            let session = state::name(call).unwrap_or_default();
            let mut lines = Vec::new();
            for frame in stacks.threads.iter().flat_map(|one| one.frames.iter().flatten()) {
                lines.push(screen::place(call, frame));
                let Some(path) = &frame.path else { continue };
                let whole = screen::source_text(call, &session, &path.to_string_lossy()).await;
                let whole = whole.unwrap_or_default();
                let line = whole.lines().nth((frame.line as usize).saturating_sub(1));
                lines.extend(line.map(|line| format!("   {}", line.trim())));
            }
            answer.reply.text = Text::lines(lines);
        }
        Ok(finish(call, &state, Self::NAME, answer).await)
    }
}

impl Compatible for StackTrace {
    fn ours(of: &Frames) -> Ours {
        let count = of.max_frames.unwrap_or(20);
        Ours::new("debug_stack", json!({"session": of.session_id, "count": count, "library": true}))
    }
}

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
    type Data = structured::Stacks;
    const NAME: &'static str = "debug_source";
    const TITLE: &'static str = "Source";
    const DESCRIPTION: &'static str =
        "Numbered lines of a source file of the workspace, or of a frame or a breakpoint.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"file": "FILE", "start_line": 1, "end_line": 20}"#;

    async fn run(call: &Call, arguments: Lines) -> Result<Reply, Problem> {
        let state = enter(call).await?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        if answer.reply.is_error {
            return Ok(answer.reply);
        }
        let session = state::name(call).unwrap_or_default();
        let whole = screen::source_text(call, &session, &arguments.file).await;
        let whole = whole.map_err(|cause| {
            let cause = format!("{}: {cause}", arguments.file);
            Problem::worded("no-such-source", &cause, "debug_stack_trace")
        })?;
        let first = arguments.start_line.unwrap_or(1).max(1) as usize;
        let last = arguments.end_line.map_or(usize::MAX, |line| line as usize);
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(whole.lines()) {
            if (first..=last).contains(&number) {
                lines.push(format!("{number:4} {line}"));
            }
        }
        answer.reply.text = Text::lines(lines);
        Ok(finish(call, &state, Self::NAME, answer).await)
    }
}

impl Compatible for Source {
    fn ours(of: &Lines) -> Ours {
        Ours::new("debug_stack", json!({"session": of.session_id}))
    }
}

pub(super) struct Threads;

#[derive(Deserialize, JsonSchema)]
pub(super) struct OfSession {
    /// Default: the only one
    session_id: Option<String>,
}

impl Tool for Threads {
    type Arguments = OfSession;
    type Data = structured::Stacks;
    const NAME: &'static str = "debug_threads";
    const TITLE: &'static str = "Threads";
    const DESCRIPTION: &'static str = "All threads with their stacks.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: OfSession) -> Result<Reply, Problem> {
        act(call, Self::NAME, Self::ours(&arguments)).await
    }
}

impl Compatible for Threads {
    fn ours(of: &OfSession) -> Ours {
        Ours::new("debug_stack", json!({"session": of.session_id, "all_threads": true}))
    }
}
