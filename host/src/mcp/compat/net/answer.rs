//! The form of answers: the documented keys with `success`, or an error.
//!
//! Refuses to know any name.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::mcp::call::Reply;
use crate::mcp::compat::ours::Answer as OurAnswer;
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::session::BreakpointReport;
use crate::view::ErrorText;

/// Why there is no answer.
pub(super) enum Refusal {
    /// An error of a session or of arguments.
    Problem(Problem),
    /// An error of a tool of ours.
    Ours(ErrorText),
    /// An error with a call that works, and documented details.
    Documented { code: &'static str, message: String, next: String, details: Box<Value> },
}

impl Refusal {
    /// An error whose only detail is a call that works.
    pub fn with_next(code: &'static str, message: &str, next: &str) -> Self {
        let (message, next) = (message.to_owned(), next.to_owned());
        Self::Documented { code, message, next, details: Box::new(json!({})) }
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<crate::session::Error> for Refusal {
    fn from(error: crate::session::Error) -> Self {
        Self::Problem(error.into())
    }
}

/// What a call of ours came to, unless it failed.
pub(super) fn good(answer: OurAnswer) -> Result<Reply, Refusal> {
    match answer.reply.outcome.error().filter(|_| answer.reply.is_error) {
        Some(error) => Err(Refusal::Ours(error.clone())),
        None => Ok(answer.reply),
    }
}

/// The breakpoints of a reply, without those on exceptions: the family has its own.
pub(super) fn report(reply: Reply) -> Result<BreakpointReport, Refusal> {
    match reply.outcome {
        Outcome::Breakpoints { mut report, .. } => {
            report.all.retain(|one| one.spec.place.exception().is_none());
            Ok(report)
        }
        _ => Err(crate::session::Error::HostFault.into()),
    }
}

pub(super) fn reply<T: Serialize>(data: Result<T, Refusal>) -> Result<Reply, Problem> {
    match data {
        Ok(data) => {
            let mut object = Map::new();
            object.insert("success".to_owned(), true.into());
            if let Ok(Value::Object(fields)) = serde_json::to_value(data) {
                object.extend(fields);
            }
            Ok(Reply::own(Value::Object(object), false))
        }
        Err(Refusal::Problem(problem)) => Err(problem),
        Err(Refusal::Ours(error)) => Ok(Reply::error(error)),
        Err(Refusal::Documented { code, message, next, mut details }) => {
            if let Some(details) = details.as_object_mut() {
                details.insert("next".to_owned(), next.into());
            }
            Ok(Reply::own(error(code, &message, &details), true))
        }
    }
}

/// An error; `next` of its details is a call that works.
pub(super) fn failure(failed: &ErrorText) -> Value {
    let mut details = json!({"next": failed.call()});
    if let Some(note) = &failed.note {
        details["note"] = note.as_str().into();
    }
    error(failed.code, &failed.cause, &details)
}

fn error(code: &str, message: &str, details: &Value) -> Value {
    json!({
        "success": false,
        "error": {"code": code, "message": message, "details": details},
    })
}

/// The schema of an answer with these keys. Only `success` is in every answer.
pub(super) struct Answer<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for Answer<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("AnswerOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        let error = json!({
            "type": "object",
            "properties": {
                "code": {"type": "string", "description": "Stable"},
                "message": {"type": "string"},
                "details": {"type": "object"},
            },
        });
        if let Some(keys) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            keys.insert("success".to_owned(), json!({"type": "boolean"}));
            keys.insert("error".to_owned(), error);
        }
        schema.insert("required".to_owned(), json!(["success"]));
        schema
    }
}
