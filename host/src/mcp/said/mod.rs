//! A call as its caller made it, so that an answer can tell it again with what was wrong put right.

mod mend;
mod misplaced;
mod places;

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::call::Problem;
use crate::view::{self, Literal};

pub(super) use places::LISTS;

/// Which tool, with which arguments.
#[derive(Clone, Debug)]
pub(super) struct Said {
    tool: &'static str,
    arguments: Map<String, Value>,
    /// Where the program of its session runs.
    cwd: Option<PathBuf>,
}

impl Said {
    pub fn new(tool: &'static str, arguments: Map<String, Value>) -> Self {
        Self { tool, arguments, cwd: None }
    }

    /// Of what runs there.
    pub fn of(self, cwd: Option<PathBuf>) -> Self {
        Self { cwd, ..self }
    }

    /// The session that it names.
    pub fn session(&self) -> Option<&str> {
        self.arguments.get("session").and_then(Value::as_str)
    }

    /// The same with another value of this argument.
    pub fn with(&self, name: &str, value: impl Into<Value>) -> Self {
        let mut other = self.clone();
        other.arguments.insert(name.to_owned(), value.into());
        other
    }

    /// The same without these arguments.
    pub fn without(&self, names: &[&str]) -> Self {
        let mut other = self.clone();
        names.iter().for_each(|name| drop(other.arguments.shift_remove(*name)));
        other
    }

    /// The same call.
    pub fn call(&self) -> view::Call {
        let given = self.arguments.iter().filter(|(_, value)| !value.is_null());
        given.fold(view::Call::new(self.tool), |call, (name, value)| {
            call.with(name.clone(), literal(value))
        })
    }

    /// The same call in a bounded length, for the end of what it started.
    pub fn again(&self) -> String {
        self.call().bounded(view::LONGEST_CALL)
    }

    /// Wrong arguments, where this call is right.
    pub fn would_do(&self, cause: &str) -> Problem {
        Problem::worded("bad-argument", cause, &self.again())
    }
}

/// A value as an argument of a call.
pub(super) fn literal(value: &Value) -> Literal {
    Literal::Json(written(value))
}

/// JSON with blanks behind its commas and colons, as examples have them.
fn written(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                format!("{}: {}", Value::from(name.as_str()), written(value))
            };
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}
