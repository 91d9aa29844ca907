//! `debug_variables`: variables of a frame by scope. They are asked for, so they do not shrink.

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::limit::Visit;
use super::{Compatible, Ours, TOOLSET, finish, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::model::{Children, Variable, VariablesPage};
use crate::pattern;
use crate::view::{self, Text};

/// Characters of a value; a longer one is read by its path.
const LONGEST: usize = 500;

/// Most variables of a scope that our tool reads.
const MOST: u64 = 1_000;

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
    /// Whether a scope of the debugger that is not of locals is of this kind.
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
        let visit = Visit::begin(call)?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        if let Outcome::Variables(first) = &answer.reply.outcome {
            let pages = pages(call, &arguments, first.clone()).await?;
            let depth = arguments.max_depth.unwrap_or(1);
            let mut lines = Vec::new();
            for page in &pages {
                write(call, page, depth, filter.as_ref(), &mut lines);
            }
            let narrower = super::of_session(call, Self::NAME).with("filter", "^NAME$");
            answer.reply.text = view::cap(Text::lines(lines), &narrower);
            if let Some(page) = joined(pages, filter.as_ref()) {
                answer.reply.outcome = Outcome::Variables(page);
            }
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
    }
}

/// A page for each scope of the wanted kind; `first` is of the locals.
async fn pages(
    call: &Call,
    query: &Query,
    first: VariablesPage,
) -> Result<Vec<VariablesPage>, Problem> {
    let kind = query.scope.unwrap_or(Scope::Local);
    let names: Vec<String> = first.other_scopes.clone();
    let locals = first.scope.clone();
    let mut pages = Vec::new();
    if matches!(kind, Scope::Local | Scope::All) || kind.takes(&locals) {
        pages.push(first);
    }
    let mut read: Vec<String> = Vec::new();
    for name in names.iter().filter(|name| kind.takes(name)) {
        let lower = name.to_lowercase();
        // Our tool reads every scope whose name begins so.
        if read.iter().any(|start| lower.starts_with(start)) {
            continue;
        }
        let mut ours = Variables::ours(query);
        ours.arguments.insert("scope".to_owned(), name.as_str().into());
        if let Outcome::Variables(page) = run(call, ours).await.reply.outcome {
            pages.push(page);
        }
        read.push(lower);
    }
    if pages.is_empty() {
        let known: Vec<&str> =
            [locals.as_str()].into_iter().chain(names.iter().map(String::as_str)).collect();
        let known = known.join(", ");
        let cause = format!("the frame has no {} scope; it has {known}", kind.name());
        return Err(call.request.with("scope", "all").refuse(&cause));
    }
    Ok(pages)
}

fn is_taken(filter: Option<&Regex>, variable: &Variable) -> bool {
    filter.is_none_or(|filter| filter.is_match(&variable.name))
}

/// The pages as one, without the variables that the filter leaves out.
fn joined(pages: Vec<VariablesPage>, filter: Option<&Regex>) -> Option<VariablesPage> {
    let scopes: Vec<String> = pages.iter().map(|page| page.scope.clone()).collect();
    let mut all = pages.into_iter();
    let mut whole = all.next()?;
    for page in all {
        whole.other_scopes.retain(|name| !page.scope.contains(name.as_str()));
        whole.total += page.total;
        whole.capped |= page.capped;
        whole.variables.extend(page.variables);
    }
    whole.scope = scopes.join(" + ");
    if filter.is_some() {
        whole.looked_at = Some(whole.total);
        whole.variables.retain(|variable| is_taken(filter, variable));
        whole.total = whole.variables.len() as u64;
    }
    Some(whole)
}

/// The variables of a page whose names are taken, and the calls that read what is cut.
fn write(
    call: &Call,
    page: &VariablesPage,
    depth: u32,
    filter: Option<&Regex>,
    lines: &mut Vec<String>,
) {
    lines.push(format!("{}:", if page.scope.is_empty() { "Locals" } else { &page.scope }));
    let mut cut = None;
    for variable in page.variables.iter().filter(|one| is_taken(filter, one)) {
        let is_cut = tree(variable, depth, 1, lines);
        cut = cut.or_else(|| is_cut.then_some(&variable.name));
    }
    let session = call.request.session();
    let frame = page.frame.index;
    let ours = |more| {
        let mut ours = Ours::new(
            "debug_variables",
            json!({"session": session, "scope": page.scope, "frame": frame}),
        );
        ours.arguments.extend(more);
        ours.text()
    };
    let more = |key: &str, value: serde_json::Value| [(key.to_owned(), value)];
    if let Some(name) = cut {
        lines.push(format!("  in full: {}", ours(more("path", name.as_str().into()))));
    }
    let read = page.start + page.variables.len() as u64;
    if page.total > read {
        lines.push(format!("  {} more: {}", page.total - read, ours(more("start", read.into()))));
    }
}

/// A variable with its children down to a depth; returns whether a value is cut.
fn tree(variable: &Variable, depth: u32, level: usize, lines: &mut Vec<String>) -> bool {
    let line = view::typed_value(variable, LONGEST, usize::MAX);
    lines.push(format!("{}{}", "  ".repeat(level), line.text));
    let mut is_cut = line.cut;
    if depth > 1 {
        for child in &variable.preview {
            is_cut |= tree(child, depth - 1, level + 1, lines);
        }
        let listed = variable.preview.len() as u64;
        if let Children::Count(count) = variable.children
            && count > listed
        {
            lines.push(format!("{}{} more", "  ".repeat(level + 1), count - listed));
        }
    }
    is_cut
}

impl Compatible for Variables {
    fn ours(of: &Query) -> Ours {
        Ours::new(
            "debug_variables",
            json!({
                "session": of.session_id, "frame": of.frame_index, "depth": of.max_depth,
                "count": MOST,
            }),
        )
    }
}
