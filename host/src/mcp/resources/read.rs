//! Reads a resource: calls the tool that makes its text.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, ResourceContents};
use serde_json::{Map, Value, json};

use super::super::caller::Caller;
use super::super::compat;
use super::super::outcome::Outcome;
use super::super::registry::named;
use super::address::{Address, Part};
use super::list::{JSON, MARKDOWN, PLAIN};
use super::source;

/// The content of the resource at `uri`.
///
/// # Errors
/// -32002: there is no such resource. The message names what exists.
pub(in crate::mcp) async fn read(
    caller: &Caller,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let address = parse(uri)?;
    let kind = match address {
        Address::Document { .. } => MARKDOWN,
        Address::OfFamily(_) => JSON,
        _ => PLAIN,
    };
    let text = match address {
        Address::Source { session, path } => {
            source::read(&caller.sessions, &caller.workspace, &session, &path)
                .await
                .map_err(|cause| missing(uri, &cause))?
        }
        Address::CurrentSource(path) => {
            let current = caller.sessions.get(None);
            let current = current.map_err(|error| missing(uri, &error.to_string()))?;
            source::read(&caller.sessions, &caller.workspace, &current.id().0, &path)
                .await
                .map_err(|cause| missing(uri, &cause))?
        }
        Address::OfFamily(resource) => of_family(caller, uri, resource).await?,
        address => answer(caller, uri, &address).await?,
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(kind)]))
}

/// # Errors
/// `uri` is no address of a resource.
pub(super) fn parse(uri: &str) -> Result<Address, ErrorData> {
    Address::parse(uri).ok_or_else(|| {
        let cause = "it is no address of a resource; resources/list and \
            resources/templates/list name them";
        missing(uri, cause)
    })
}

/// The answer of a family's tool.
async fn of_family(
    caller: &Caller,
    uri: &str,
    resource: &compat::Resource,
) -> Result<String, ErrorData> {
    let Some(tool) = resource.registered() else { return Err(missing(uri, "no tool makes it")) };
    let reply = caller.reply(tool, Map::new(), None).await;
    if !reply.is_error {
        return Ok(String::from(reply.text));
    }
    let cause = match &reply.outcome {
        Outcome::Own(value) => value.pointer("/error/message").and_then(Value::as_str),
        _ => None,
    };
    Err(missing(uri, cause.unwrap_or(&reply.text)))
}

/// The answer of the tool for an address.
pub(super) async fn answer(
    caller: &Caller,
    uri: &str,
    address: &Address,
) -> Result<String, ErrorData> {
    let (name, arguments) = call(address);
    let Some(tool) = named(name) else { return Err(missing(uri, "no tool makes it")) };
    let reply = caller.reply(tool, arguments, None).await;
    if reply.is_error {
        return Err(missing(uri, &reply.text));
    }
    Ok(String::from(reply.text))
}

/// The tool and the arguments that make the text of a resource.
fn call(address: &Address) -> (&'static str, Map<String, Value>) {
    /// The most that `debug_output` returns.
    const LINES: u64 = 400;
    let (tool, arguments) = match address {
        Address::Sessions => ("debug_status", json!({})),
        Address::Session(session, Part::Status) => ("debug_status", json!({"session": session})),
        Address::Session(session, Part::Log) => {
            ("debug_status", json!({"session": session, "detail": "log"}))
        }
        Address::Session(session, Part::Output) | Address::Source { session, .. } => {
            ("debug_output", json!({"session": session, "tail": LINES}))
        }
        Address::OfFamily(_) | Address::CurrentSource(_) => ("debug_status", json!({})),
        Address::Adapters => ("debug_status", json!({"detail": "adapters"})),
        Address::Document { adapter, document } => {
            ("debug_status", json!({"adapter": adapter, "document": document}))
        }
    };
    match arguments {
        Value::Object(arguments) => (tool, arguments),
        _ => (tool, Map::new()),
    }
}

/// MCP, "Resources", "Error Handling".
pub(super) fn missing(uri: &str, cause: &str) -> ErrorData {
    ErrorData::resource_not_found(format!("{uri}: {cause}"), Some(json!({"uri": uri})))
}
