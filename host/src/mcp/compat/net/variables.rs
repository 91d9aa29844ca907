//! `variables_get`: variables of a frame, with paths that lead further in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{Refusal, good};
use super::name;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours, run};
use crate::mcp::outcome::Outcome;
use crate::model::{self, Children, VariablesPage};

/// Most variables of an answer.
const MOST: u64 = 1_000;

/// Variables of an answer of ours, which is a bounded text.
const PAGE: u64 = 200;

/// Characters of a value among few others.
const LONGEST: usize = 1_000;

/// Characters of all values of an answer.
const ALL: usize = 60_000;

/// Names of the object that a method is called on.
const THIS: [&str; 2] = ["this", "self"];

#[derive(Clone, Copy, Default, Deserialize, PartialEq, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Scope {
    #[default]
    All,
    Locals,
    Arguments,
    This,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Default: the one that stopped
    thread_id: Option<i64>,
    /// Default 0, the innermost
    frame_index: Option<u32>,
    /// Default all
    scope: Option<Scope>,
    /// Path of a variable, as `order.items`: its children instead
    expand: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct VariableList {
    variables: Vec<Variable>,
    /// The call that reads the variables after these; null: there are none.
    next: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Variable {
    name: String,
    /// null: the debugger does not name it.
    r#type: Option<String>,
    /// Up to 1000 characters, fewer among many; `evaluate` has all of it.
    value: String,
    /// local, argument, this or field.
    scope: &'static str,
    has_children: bool,
    /// null: unknown.
    children_count: Option<u64>,
    /// `expand` takes it.
    path: String,
}

impl Variable {
    /// `longest`: characters of its value.
    fn of(
        variable: &model::Variable,
        scope: &'static str,
        parent: Option<&str>,
        longest: usize,
    ) -> Self {
        let name = &variable.name;
        Self {
            name: name.clone(),
            r#type: variable.ty.clone(),
            value: cut(&variable.value, longest),
            scope: if THIS.contains(&name.as_str()) && parent.is_none() { "this" } else { scope },
            has_children: variable.children != Children::None,
            children_count: match variable.children {
                Children::None => Some(0),
                Children::Some => None,
                Children::Count(count) => Some(count),
            },
            path: match parent {
                None => name.clone(),
                Some(parent) => variable.path_in(parent),
            },
        }
    }
}

fn cut(value: &str, longest: usize) -> String {
    match value.char_indices().nth(longest) {
        None => value.to_owned(),
        Some((end, _)) => format!("{}…", &value[..end]),
    }
}

name! {
    Variables(Arguments) -> VariableList,
    "variables_get", "Variables of a frame", Reads,
    r#"{"scope": "locals"}"#,
    "Arguments and locals of a frame, or the children of one variable."
}

impl Variables {
    async fn answer(call: &Call, arguments: Arguments) -> Result<VariableList, Refusal> {
        let page = page(call, &arguments).await?;
        let next = next(&arguments, &page);
        let longest = (ALL / page.variables.len().max(1)).min(LONGEST);
        if let Some(parent) = arguments.expand.as_deref() {
            let children = page.variables.iter();
            let children =
                children.map(|child| Variable::of(child, "field", Some(parent), longest));
            return Ok(VariableList { variables: children.collect(), next });
        }
        let scope = arguments.scope.unwrap_or_default();
        let mut variables = Vec::new();
        for (at, variable) in page.variables.iter().enumerate() {
            let of = if page.arguments.contains(&at) { "argument" } else { "local" };
            variables.push(Variable::of(variable, of, None, longest));
        }
        variables.retain(|variable| match scope {
            Scope::All => true,
            Scope::Locals => variable.scope == "local",
            Scope::Arguments => variable.scope == "argument",
            Scope::This => variable.scope == "this",
        });
        Ok(VariableList { variables, next })
    }
}

/// The documented parameters name no first variable: ours does.
fn next(arguments: &Arguments, page: &VariablesPage) -> Option<String> {
    let read = page.start + page.variables.len() as u64;
    let mut ours = Variables::ours(arguments);
    ours.arguments.insert("start".to_owned(), read.into());
    ours.arguments.insert("count".to_owned(), PAGE.into());
    (read < page.total).then(|| ours.text())
}

async fn page(call: &Call, arguments: &Arguments) -> Result<VariablesPage, Refusal> {
    let mut ours = Variables::ours(arguments);
    ours.arguments.insert("arguments".to_owned(), arguments.expand.is_none().into());
    match good(run(call, ours).await)?.outcome {
        Outcome::Variables(page) => Ok(page),
        _ => Err(crate::session::Error::HostFault.into()),
    }
}

impl Compatible for Variables {
    fn ours(arguments: &Arguments) -> Ours {
        let Arguments { thread_id, frame_index, expand, .. } = arguments;
        Ours::new(
            "debug_variables",
            json!({
                "path": expand,
                "frame": frame_index.unwrap_or(0),
                "thread": thread_id.map(|id| id.to_string()),
                "count": MOST,
            }),
        )
    }
}
