//! Descriptions of a slim list. Refuses to know which tools are on.

use std::fmt::Write;

use serde_json::Value;

use crate::mcp::declared::Declared;

/// The description of a tool in a slim list: its title and its arguments, without those that most
/// tools have. `names[]` is a list, `kind=in|out` has these values.
pub(in crate::mcp) fn slim(tool: &Declared) -> String {
    let schema = tool.schema();
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut text = tool.title.to_owned();
    let mut separator = ": ";
    for (name, schema) in properties.into_iter().flatten() {
        if matches!(name.as_str(), "session" | "timeout_s") {
            continue;
        }
        let _ = write!(text, "{separator}{name}");
        separator = ", ";
        if schema["type"] == "array" {
            text.push_str("[]");
        }
        let words = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for (at, word) in words.enumerate() {
            let _ = write!(text, "{}{word}", if at == 0 { "=" } else { "|" });
        }
    }
    text
}
