//! Decodes a line of the caller as a JSON-RPC 2.0 message, or makes the error that answers it.
//!
//! Knows the fields that every message has (`jsonrpc`, `id`, `method`, `params`, `result`,
//! `error`). Refuses to know methods: the protocol library has the types of their parameters.

use std::fmt;

use rmcp::model::{ClientJsonRpcMessage, ErrorCode, RequestId};
use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value, json};

/// RFC 8259, section 8.1: a parser may ignore it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// An error that answers a line that is no valid message.
#[derive(Debug)]
pub(super) struct Refusal {
    /// Id of the request, if it can be read.
    id: Option<RequestId>,
    code: ErrorCode,
    message: String,
}

impl Refusal {
    /// -32600: JSON, but no valid message.
    pub fn invalid(id: Option<RequestId>, cause: &str) -> Self {
        let message = format!("invalid request: {cause}");
        Self { id, code: ErrorCode::INVALID_REQUEST, message }
    }

    /// -32602: a request with wrong parameters.
    pub fn params(id: RequestId, message: &str) -> Self {
        Self { id: Some(id), code: ErrorCode::INVALID_PARAMS, message: message.to_owned() }
    }

    /// -32600 for a line of which only the start was read.
    pub fn too_long(start: &[u8], limit: usize) -> Self {
        Self::invalid(readable_id(start), &format!("a message has at most {limit} bytes"))
    }

    /// The response as a line. JSON-RPC 2.0, section 5: an id that is not known is null.
    pub fn to_line(&self) -> String {
        let id = self.id.clone().map_or(Value::Null, RequestId::into_json_value);
        let error = json!({"code": self.code.0, "message": self.message});
        format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "error": error}))
    }
}

/// The message of a line. `None`: the line needs no answer, as a blank line or a notification with
/// wrong parameters.
pub(super) fn decode(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let fields = match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return Err(Refusal::invalid(None, "a message is one JSON object")),
        Err(error) => {
            let (id, message) = (readable_id(line), format!("parse error: {error}"));
            return Err(Refusal { id, code: ErrorCode::PARSE_ERROR, message });
        }
    };
    let id = check(&fields)?;
    match serde_json::from_value(Value::Object(fields)) {
        Ok(message) => Ok(Some(message)),
        Err(error) if id.is_some() => Err(Refusal::invalid(id, &error.to_string())),
        Err(error) => {
            tracing::debug!(%error, "ignored a notification or response");
            Ok(None)
        }
    }
}

/// Checks the fields that every message has; returns the id of a request, and `None` for a
/// notification or a response.
fn check(fields: &Map<String, Value>) -> Result<Option<RequestId>, Refusal> {
    let is_response = fields.contains_key("result") || fields.contains_key("error");
    let id: Option<RequestId> =
        fields.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
    // An error with the id of a response would be read as the answer to another request.
    let known = if is_response { None } else { id.clone() };
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(Refusal::invalid(known, "`jsonrpc` must be \"2.0\""));
    }
    match fields.get("method") {
        None if is_response => return Ok(None),
        None => return Err(Refusal::invalid(known, "`method` is missing")),
        Some(Value::String(_)) if is_response => {
            return Err(Refusal::invalid(known, "`method` stands next to `result` or `error`"));
        }
        Some(Value::String(_)) => {}
        Some(_) => return Err(Refusal::invalid(known, "`method` must be a string")),
    }
    if !fields.contains_key("id") {
        return Ok(None);
    }
    if id.is_none() {
        return Err(Refusal::invalid(None, "`id` must be a string or an integer"));
    }
    match fields.get("params") {
        None | Some(Value::Null | Value::Object(_)) => Ok(id),
        Some(_) => Err(Refusal::invalid(id, "`params` must be an object")),
    }
}

/// Id of a request that is not valid JSON, if its top level can be parsed up to the id.
fn readable_id(line: &[u8]) -> Option<RequestId> {
    let mut fields = TopLevel::default();
    if let Err(error) = serde_json::Deserializer::from_slice(line).deserialize_map(&mut fields) {
        tracing::trace!(%error, "the rest of the message is unreadable");
    }
    fields.id.filter(|_| !fields.is_response)
}

/// Reads the top level of an object up to the first syntax error. Nested values are skipped without
/// a check of surrogates, number ranges or UTF-8.
#[derive(Default)]
struct TopLevel {
    id: Option<RequestId>,
    is_response: bool,
}

impl<'de> Visitor<'de> for &mut TopLevel {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON-RPC message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => self.id = Some(map.next_value()?),
                "result" | "error" => {
                    self.is_response = true;
                    map.next_value::<IgnoredAny>()?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}
