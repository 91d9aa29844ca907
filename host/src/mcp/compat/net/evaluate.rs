//! Names that evaluate expressions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{Refusal, good};
use super::facts::seconds;
use super::name;
use super::variables::Variables;
use crate::mcp::call::{Call, Reply};
use crate::mcp::compat::{Compatible, Ours, forward};
use crate::mcp::outcome::Outcome;
use crate::mcp::tool::Tool;
use crate::model::{Children, NoValue, Variable};

/// Milliseconds for an expression that had no time to end.
const LONGER: u32 = 60_000;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// In the program's language
    pub expression: String,
    /// Default: the one that stopped
    pub thread_id: Option<i64>,
    /// Default: innermost of your code
    pub frame_index: Option<u32>,
    /// Milliseconds; default 5000
    timeout_ms: Option<u32>,
}

impl Arguments {
    pub fn ours(&self, effects: &str) -> Ours {
        Ours::new(
            "debug_evaluate",
            json!({
                "expressions": [self.expression],
                "frame": self.frame_index,
                "thread": self.thread_id.map(|id| id.to_string()),
                "effects": effects,
                "timeout_s": seconds(Some(self.timeout_ms.unwrap_or(5_000))),
            }),
        )
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Value {
    value: String,
    /// null: the debugger does not name it.
    r#type: Option<String>,
    has_children: bool,
    /// What is missing of a long value.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// From this length on, in bytes, some debuggers cut a value.
const CUT_FROM: usize = 65_000;

impl Value {
    pub fn of_variable(variable: Variable) -> Self {
        let is_long = variable.value.len() >= CUT_FROM;
        let note = "the debugger may have cut this value: evaluate parts of it";
        Self {
            note: is_long.then(|| note.to_owned()),
            value: variable.value,
            r#type: variable.ty,
            has_children: variable.children != Children::None,
        }
    }

    /// The value of the only expression of a call.
    pub fn of(call: &Call, reply: Reply) -> Result<Self, Refusal> {
        let result = match reply.outcome {
            Outcome::Evaluated { results, .. } => results.into_iter().next(),
            _ => None,
        };
        let Some(one) = result else { return Err(crate::session::Error::HostFault.into()) };
        match one.result {
            Ok(variable) => Ok(Self::of_variable(variable)),
            Err(why) => Err(Refusal::Documented {
                code: code(&why),
                message: why.to_string(),
                next: next(call, &one.expression, &why),
                details: Box::new(json!({"expression": one.expression})),
            }),
        }
    }
}

fn code(why: &NoValue) -> &'static str {
    match why {
        NoValue::Refused(_) | NoValue::OnlySet { .. } => "evaluation-failed",
        NoValue::NeedsEffects(_) => "unsafe",
        NoValue::TimedOut(_) | NoValue::NotEvaluated => "evaluate-timeout",
    }
}

/// A call that helps: the same one with more time, or the names that there are.
fn next(call: &Call, expression: &str, why: &NoValue) -> String {
    match why {
        NoValue::TimedOut(_) | NoValue::NotEvaluated => {
            call.request.with("timeout_ms", LONGER).text()
        }
        NoValue::NeedsEffects(_) => format!("evaluate {}", json!({"expression": expression})),
        NoValue::OnlySet { target, value, .. } => {
            Ours::new("debug_set", json!({"target": target, "value": value})).text()
        }
        NoValue::Refused(_) => {
            let mut frame = call.request.arguments.clone();
            frame.retain(|name, _| ["frame_index", "thread_id"].contains(&name.as_str()));
            format!("{} {}", Variables::NAME, serde_json::Value::Object(frame))
        }
    }
}

name! {
    Evaluate(Arguments) -> Value,
    "evaluate", "Evaluate an expression", Moves,
    r#"{"expression": "1 + 1"}"#,
    "Evaluates an expression in a frame of the paused program, calls of its code included."
}

impl Evaluate {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Value, Refusal> {
        Value::of(call, good(forward::<Self>(call, &arguments).await)?)
    }
}

impl Compatible for Evaluate {
    fn ours(arguments: &Arguments) -> Ours {
        arguments.ours("allow")
    }
}
