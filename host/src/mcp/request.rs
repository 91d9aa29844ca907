//! A call as its caller made it. An answer can repeat it, with a part that is wrong replaced.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::declared::Declared;
use super::problem::Problem;
use crate::model::Argument;
use crate::view::{self, Lens, Literal};

/// Arguments that hold breakpoints.
pub(super) const LISTS: [&str; 2] = ["breakpoints", "set"];

/// A tool and its arguments.
#[derive(Clone)]
pub(super) struct Request {
    pub tool: &'static Declared,
    pub arguments: Map<String, Value>,
    /// Directory of the program of its session.
    pub cwd: Option<PathBuf>,
}

impl Request {
    pub fn new(tool: &'static Declared, arguments: Map<String, Value>) -> Self {
        Self { tool, arguments, cwd: None }
    }

    /// The session that it names.
    pub fn session(&self) -> Option<&str> {
        let named = ["session", "session_id"].map(|name| self.arguments.get(name));
        named.into_iter().flatten().find_map(Value::as_str)
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
        for name in names {
            other.arguments.shift_remove(*name);
        }
        other
    }

    /// The same with another breakpoint in this position; without it where `fix` returns none.
    pub fn with_item(&self, at: usize, fix: impl FnOnce(Value) -> Option<Value>) -> Self {
        let mut other = self.clone();
        let Some(name) = LISTS.into_iter().find(|list| other.arguments.contains_key(*list)) else {
            return other;
        };
        let mut items = match other.arguments.shift_remove(name) {
            Some(Value::Array(items)) => items,
            Some(Value::String(text)) => serde_json::from_str(&text).unwrap_or_default(),
            single => single.into_iter().collect(),
        };
        if at < items.len() {
            let fixed = fix(items.remove(at));
            items.splice(at..at, fixed);
        }
        if !items.is_empty() {
            other.arguments.insert(name.to_owned(), Value::Array(items));
        }
        other
    }

    /// The call as text.
    pub fn call(&self) -> view::Call {
        let mut call = view::Call::new(self.tool.name);
        for (name, value) in &self.arguments {
            if !value.is_null() {
                call = call.with(name.clone(), literal(value));
            }
        }
        call
    }

    /// The call as text of bounded length.
    pub fn text(&self) -> String {
        self.call().bounded(view::LONGEST_CALL)
    }

    /// Refuses arguments, and proposes this call.
    pub fn refuse(&self, cause: &str) -> Problem {
        Problem::worded("bad-argument", cause, &self.text())
    }
}

/// A value as an argument of a call.
pub(super) fn literal(value: &Value) -> Literal {
    Literal::Json(view::spaced_json(value))
}

/// A proposed value as a caller writes it.
pub(super) fn proposed(value: &Argument, lens: &Lens) -> Value {
    match value {
        Argument::Text(text) => text.as_str().into(),
        Argument::Path(path) => lens.path(path).into(),
        Argument::Number(number) => (*number).into(),
    }
}
