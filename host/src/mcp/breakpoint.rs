//! Breakpoints as callers write them: a string, or an object with the same and more.
//!
//! What a string says is read by `written`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::call::{Call, Problem};
use super::written::{self, Slip, Written};
use crate::model::{BreakpointSpec, Place};
use crate::nearest::nearest;

/// One breakpoint of a caller.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Item {
    Text(String),
    Object(Box<Object>),
}

/// The long form. `at` is the short form's string.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Object {
    at: Option<String>,
    #[serde(alias = "path", alias = "source")]
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    function: Option<String>,
    condition: Option<String>,
    hit_condition: Option<String>,
    log: Option<String>,
    every: Option<u32>,
    max_hits: Option<u32>,
    /// Keys that are none of these.
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The keys of the long form.
const KEYS: [&str; 10] =
    ["at", "file", "line", "column", "function", "condition", "hit_condition", "log", "every", "max_hits"];

impl JsonSchema for Item {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Breakpoint".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [
            {"type": "string"},
            {"type": "object", "properties": {
                "file": {"type": "string"},
                "line": {"type": "integer"},
                "column": {"type": "integer"},
                "function": {"type": "string"},
                "at": {"type": "string", "description": "the string form"},
                "condition": {"type": "string"},
                "hit_condition": {"type": "string", "description": "3, >= 3, % 3"},
                "log": {"type": "string", "description": "text with {expression}: printed instead of stopping"},
                "every": {"type": "integer"},
                "max_hits": {"type": "integer"},
            }},
        ]})
    }
}

/// Why a breakpoint is none, and what its call would be without the fault.
struct Bad {
    cause: String,
    fix: Fix,
}

/// What a breakpoint lacks to be one, as far as that can be known.
enum Fix {
    /// Nothing helps but to leave it out.
    Drop,
    Rename(String, &'static str),
    Put(&'static str, Value),
    /// Another string in its place.
    Write(String),
    Without(&'static [&'static str]),
}

impl Fix {
    fn apply(self, item: Value) -> Option<Value> {
        if let (Self::Write(text), Value::String(_)) = (&self, &item) {
            return Some(text.as_str().into());
        }
        let (Value::Object(mut fields), true) = (item, !matches!(self, Self::Drop)) else { return None };
        match self {
            Self::Drop => {}
            Self::Rename(wrong, meant) => {
                let pairs = fields.into_iter();
                fields = pairs.map(|(key, value)| (if key == wrong { meant.to_owned() } else { key }, value)).collect();
            }
            Self::Put(key, value) => drop(fields.insert(key.to_owned(), value)),
            Self::Write(text) => drop(fields.insert("at".to_owned(), text.into())),
            Self::Without(keys) => keys.iter().for_each(|key| drop(fields.shift_remove(*key))),
        }
        Some(Value::Object(fields))
    }
}

impl From<Slip> for Bad {
    fn from(Slip { cause, meant }: Slip) -> Self {
        Self { cause, fix: meant.map_or(Fix::Drop, Fix::Write) }
    }
}

fn bad(cause: &str, fix: Fix) -> Bad {
    Bad { cause: cause.to_owned(), fix }
}

/// All of a caller's breakpoints, paths absolute.
pub(super) fn specs(items: Vec<Item>, call: &Call, tool: &str) -> Result<Vec<BreakpointSpec>, Problem> {
    let refuse = |at: usize, Bad { cause, fix }: Bad| {
        call.said.with_item(at, |item| fix.apply(item)).would_do(&format!("{tool}: a breakpoint {cause}"))
    };
    let mut specs: Vec<BreakpointSpec> = Vec::with_capacity(items.len());
    for (at, item) in items.into_iter().enumerate() {
        let one = spec(item, call).map_err(|bad| refuse(at, bad))?;
        if specs.contains(&one) {
            continue;
        }
        if specs.iter().any(|before| before.place == one.place) {
            let place = call.lens().place(&one.place);
            let cause = format!("at {place} is there twice, and a place has one: join their conditions");
            return Err(refuse(at, bad(&cause, Fix::Drop)));
        }
        specs.push(one);
    }
    Ok(specs)
}

fn spec(item: Item, call: &Call) -> Result<BreakpointSpec, Bad> {
    let mut object = match item {
        Item::Text(text) => Box::new(Object { at: Some(text), ..Object::default() }),
        Item::Object(object) => object,
    };
    if let Some(wrong) = object.others.keys().next() {
        let meant = nearest(wrong, KEYS);
        let asked = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        let known = KEYS.into_iter().find(|key| Some(*key) == meant);
        let fix = known.map_or(Fix::Drop, |known| Fix::Rename(wrong.clone(), known));
        return Err(bad(&format!("has no key `{wrong}`{asked}"), fix));
    }
    let (place, condition) = match (&object.at, &object.file, &object.function) {
        (Some(text), None, None) => {
            let Written { place, condition, log } = written::parse(text)?;
            needs_line(&place, call)?;
            object.log = object.log.or(log);
            (place, condition)
        }
        (None, Some(file), None) => {
            let line = object.line.ok_or_else(|| bad("with `file` needs `line`", Fix::Put("line", 1.into())))?;
            (written::Place::Line { path: file.clone(), line, column: object.column }, None)
        }
        (None, None, Some(function)) => (written::Place::Function(function.clone()), None),
        _ => return Err(bad("needs one of `file` with `line`, `function`, `at`", Fix::Drop)),
    };
    if object.log.is_none() && (object.every.is_some() || object.max_hits.is_some()) {
        let cause = "that stops takes no `every` and no `max_hits`, which thin out a log: use `hit_condition`";
        return Err(bad(cause, Fix::Without(&["every", "max_hits"])));
    }
    let zero = || bad("is on line 0; lines count from 1", Fix::Put("line", 1.into()));
    Ok(BreakpointSpec {
        place: absolute(place, call).ok_or_else(zero)?,
        condition: object.condition.or(condition),
        hit_condition: object.hit_condition,
        log: object.log,
        every: object.every,
        max_hits: object.max_hits,
    })
}

/// A file without its line, which no function is called. A program is often called as its `main`.
fn needs_line(place: &written::Place, call: &Call) -> Result<(), Bad> {
    match place {
        written::Place::Function(name) if written::looks_like_file(name) && call.path(name).is_file() => {
            let cause = format!("at `{name}` is a file: add the line, as `{name}:1`");
            Err(bad(&cause, Fix::Write(format!("{name}:1"))))
        }
        _ => Ok(()),
    }
}

/// A place of a caller (`app.py:42` or a function), without a condition.
pub(super) fn place(text: &str, call: &Call) -> Option<Place> {
    absolute(written::parse(text).ok()?.place, call)
}

/// None on line 0.
fn absolute(place: written::Place, call: &Call) -> Option<Place> {
    match place {
        written::Place::Line { line: 0, .. } => None,
        written::Place::Line { path, line, column } => Some(Place::Line { path: call.path(&path), line, column }),
        written::Place::Function(name) => Some(Place::Function(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_path_or_source_too() {
        for word in ["file", "path", "source"] {
            let item = serde_json::from_value(serde_json::json!({word: "app.py", "line": 42}));
            let Ok(Item::Object(object)) = item else { panic!("{word}: {item:?}") };
            assert_eq!((object.file.as_deref(), object.line), (Some("app.py"), Some(42)), "{word}");
        }
    }
}
