//! Completion of arguments of prompts and of variables in templates of resources (MCP,
//! "Completion").
//!
//! Knows which kind of value an argument takes. Refuses to know where the values come from.

mod candidates;
mod rank;

use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};

use self::candidates::Query;
use super::caller::Caller;
use super::prompts;
use super::resources;

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Session,
    /// A source file of the workspace.
    Program,
    /// A source file that a resource has.
    Path,
    /// A place of a breakpoint: a source file, a function.
    Location,
    Variable,
    Test,
    /// The number of a breakpoint.
    Breakpoint,
    Adapter,
    /// A document of an adapter.
    Document,
}

/// By the name of the argument or variable; others take any text.
const KINDS: &[(&str, Kind)] = &[
    ("session", Kind::Session),
    ("program", Kind::Program),
    ("path", Kind::Path),
    ("location", Kind::Location),
    ("variable", Kind::Variable),
    ("test", Kind::Test),
    ("breakpoint", Kind::Breakpoint),
    ("adapter", Kind::Adapter),
    ("document", Kind::Document),
];

/// The values that the argument may take, the likeliest first.
///
/// # Errors
/// -32602: there is no such prompt, template or argument.
pub(super) async fn complete(
    caller: &Caller,
    params: &CompleteRequestParams,
) -> Result<CompletionInfo, ErrorData> {
    check(&params.r#ref, &params.argument.name)?;
    let kind = KINDS.iter().find(|(name, _)| *name == params.argument.name);
    let Some((_, kind)) = kind else { return Ok(CompletionInfo::default()) };
    let context = params.context.as_ref();
    let session = context.and_then(|context| context.get_argument("session"));
    let query = Query {
        caller,
        session: session.filter(|name| !name.is_empty()).map(String::as_str),
        adapter: context.and_then(|context| context.get_argument("adapter")).map(String::as_str),
        typed: &params.argument.value,
    };
    Ok(rank::info(query.candidates(*kind).await, &params.argument.value))
}

/// A prompt or a template that has an argument of this name.
pub(super) fn reference(argument: &str) -> Option<Reference> {
    let prompt = prompts::with_argument(argument).map(Reference::for_prompt);
    prompt.or_else(|| resources::with_variable(argument).map(Reference::for_resource))
}

fn check(reference: &Reference, argument: &str) -> Result<(), ErrorData> {
    let (what, names) = match reference {
        Reference::Prompt(prompt) => {
            (format!("prompt `{}`", prompt.name), prompts::arguments(&prompt.name))
        }
        Reference::Resource(template) => {
            (format!("template `{}`", template.uri), resources::variables(&template.uri))
        }
        other => (other.reference_type().to_owned(), None),
    };
    let Some(names) = names else {
        return Err(ErrorData::invalid_params(format!("there is no {what}"), None));
    };
    if names.contains(&argument) {
        return Ok(());
    }
    let cause = format!("{what} has no `{argument}`; it has {}", names.join(", "));
    Err(ErrorData::invalid_params(cause, None))
}
