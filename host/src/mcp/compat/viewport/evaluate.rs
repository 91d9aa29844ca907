//! `debug_evaluate`: an expression, which may call code of the program.
//!
//! The names have no argument that allows effects, and agents of that server expect calls to run.
//! So the call is declared as one that changes the program, and what needs effects has them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::limit::{Visit, limits, or_raise};
use super::{Compatible, Ours, TOOLSET, finish, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::compat::Answer;
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::model::{Evaluated, NoValue, Variable};
use crate::view;

/// Characters of a value inside the result.
const LONGEST: usize = 500;

pub(super) struct Evaluate;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Expression {
    /// Default: the only one
    session_id: Option<String>,
    /// In the program's language; calls run
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
    const DESCRIPTION: &'static str =
        "Evaluates an expression in a frame of the stopped program; calls of its code run.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"expression": "1 + 1"}"#;

    async fn run(call: &Call, arguments: Expression) -> Result<Reply, Problem> {
        let visit = Visit::begin(call)?;
        let limit = limits(call)?.viewport_evaluate.min(call.limits.longest_wait).as_secs_f64();
        let mut allowed = Map::new();
        let mut answer = run(call, timed(&arguments, limit, &allowed)).await;
        if needing_effects(&answer.reply.outcome).is_some() {
            allowed.insert("effects".to_owned(), "allow".into());
            answer = run(call, timed(&arguments, limit, &allowed)).await;
        }
        if is_late(&answer) {
            let longer = timed(&arguments, 12.0 * limit, &allowed).text();
            answer.reply.text.push(format!(
                "note: limits.viewport_evaluate_s is {limit}; with more time: {}",
                or_raise(&longer, "viewport_evaluate_s")
            ));
        }
        if let Outcome::Evaluated { results, .. } = &answer.reply.outcome {
            let mut lines = Vec::new();
            for value in results.iter().filter_map(|one| one.result.as_ref().ok()) {
                below(value, arguments.max_depth.unwrap_or(1), 1, &mut lines);
            }
            for line in lines {
                answer.reply.text.push(line);
            }
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
    }
}

fn timed(of: &Expression, limit: f64, more: &Map<String, Value>) -> Ours {
    let mut ours = Evaluate::ours(of);
    ours.arguments.insert("timeout_s".to_owned(), limit.into());
    ours.arguments.extend(more.clone());
    ours
}

/// Whether the time was over before a value came.
fn is_late(answer: &Answer) -> bool {
    if let Outcome::Evaluated { results, .. } = &answer.reply.outcome {
        let is_late = |one: &Evaluated| matches!(one.result, Err(NoValue::TimedOut(_)));
        return results.iter().any(is_late);
    }
    answer.reply.outcome.error().is_some_and(|error| error.code == "evaluate-timeout")
}

/// The first expression that runs code of the program and was not allowed to.
pub(super) fn needing_effects(outcome: &Outcome) -> Option<String> {
    let Outcome::Evaluated { results, .. } = outcome else { return None };
    let needs = |one: &&Evaluated| matches!(one.result, Err(NoValue::NeedsEffects(_)));
    results.iter().find(needs).map(|one| one.expression.clone())
}

/// The call that evaluates an expression.
pub(super) fn of(session: Option<&str>, expression: &str) -> String {
    let call = view::Call::new(Evaluate::NAME).with("expression", expression);
    let call = match session {
        Some(session) => call.with("session_id", session),
        None => call,
    };
    call.bounded(view::LONGEST_CALL)
}

/// The children of a value down to a depth.
fn below(value: &Variable, depth: u32, level: usize, lines: &mut Vec<String>) {
    if depth <= 1 {
        return;
    }
    for child in &value.preview {
        let text = view::typed_value(child, LONGEST, usize::MAX).text;
        lines.push(format!("{}{text}", "  ".repeat(level)));
        below(child, depth - 1, level + 1, lines);
    }
}

impl Compatible for Evaluate {
    fn ours(of: &Expression) -> Ours {
        Ours::new(
            "debug_evaluate",
            json!({
                "session": of.session_id, "expressions": [of.expression], "frame": of.frame_index,
                "depth": of.max_depth,
            }),
        )
    }
}
