//! Reads a resource: calls the tool that makes its text.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, ResourceContents};
use serde_json::{Map, Value, json};

use super::super::caller::Caller;
use super::super::compat;
use super::super::outcome::Outcome;
use super::super::registry::named;
use super::super::toolset::Tools;
use super::address::Address;
use super::list::{JSON, MARKDOWN, PLAIN};
use super::source;
use super::tool::{call, off};

/// The content of the resource at `uri`.
///
/// # Errors
/// -32002: there is no such resource. The message names what exists.
pub(in crate::mcp) async fn read(
    caller: &Caller,
    tools: &Tools,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let address = parse(tools, uri)?;
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
/// `uri` is no address of a resource, or the tool with the same answer is off.
pub(super) fn parse(tools: &Tools, uri: &str) -> Result<Address, ErrorData> {
    let address = Address::parse(uri).ok_or_else(|| {
        let cause = "it is no address of a resource; resources/list and \
            resources/templates/list name them";
        missing(uri, cause)
    })?;
    match off(tools, &address) {
        Some(why) => Err(missing(uri, &why)),
        None => Ok(address),
    }
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

/// MCP, "Resources", "Error Handling".
pub(super) fn missing(uri: &str, cause: &str) -> ErrorData {
    ErrorData::resource_not_found(format!("{uri}: {cause}"), Some(json!({"uri": uri})))
}
