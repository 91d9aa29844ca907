//! `tracepoint_set`: a breakpoint that prints and does not stop.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::Refusal;
use super::breakpoints::{At, at, is_enabled, object, state};
use super::name;
use super::setting;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours};

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Source file
    file: String,
    /// From 1
    line: u32,
    /// From 1; default: the first code of the line
    column: Option<u32>,
    /// Text with {expression}; {{ and }} are braces; default: the place
    log_message: Option<String>,
    /// Print only every nth hit; default 0: all
    hit_count_multiple: Option<u32>,
    /// Print this many hits, then disable it; default 0: no limit
    max_notifications: Option<u32>,
}

impl Arguments {
    fn text(&self) -> String {
        let place = || format!("{}:{}", self.file, self.line).replace('{', "{{").replace('}', "}}");
        self.log_message.clone().unwrap_or_else(place)
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Set {
    tracepoint: Tracepoint,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Tracepoint {
    id: String,
    r#type: &'static str,
    location: At,
    /// bound, pending or disabled.
    state: &'static str,
    enabled: bool,
    log_message: String,
    hit_count_multiple: u32,
    max_notifications: u32,
    /// Why it is pending, and what it replaces.
    message: Option<String>,
}

name! {
    SetTracepoint(Arguments) -> Set,
    "tracepoint_set", "Print at a line", Sets,
    r#"{"file": "FILE", "line": 1, "log_message": "total is {total}"}"#,
    "Prints a text with values each time a line runs, without a stop; timeline_query has the \
     texts."
}

impl SetTracepoint {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Set, Refusal> {
        let (one, message) = setting::set(call, Self::ours(&arguments)).await?;
        Ok(Set {
            tracepoint: Tracepoint {
                id: one.id.0.to_string(),
                r#type: "tracepoint",
                location: at(&one),
                state: state(&one),
                enabled: is_enabled(&one),
                log_message: arguments.text(),
                hit_count_multiple: arguments.hit_count_multiple.unwrap_or(0),
                max_notifications: arguments.max_notifications.unwrap_or(0),
                message,
            },
        })
    }
}

impl Compatible for SetTracepoint {
    fn ours(arguments: &Arguments) -> Ours {
        let Arguments { file, line, column, hit_count_multiple, max_notifications, .. } = arguments;
        let multiple = hit_count_multiple.filter(|multiple| *multiple > 0);
        let set = object(json!({
            "file": file, "line": line, "column": column,
            "log": arguments.text(),
            "hit_condition": multiple.map(|multiple| format!("% {multiple}")),
            "max_hits": max_notifications.filter(|most| *most > 0),
        }));
        Ours::new("debug_breakpoints", json!({"set": [set]}))
    }
}
