//! Breakpoints as callers write them: a string, or an object with the same and more.
//!
//! `app.py:42`, `app.py:42:7`, `app.py:42 if total < 0`, `app.py:42 log total={total}`, `parse_order`, `parse_order if n > 3`. A drive letter's colon
//! belongs to the path.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::call::{Call, Problem};
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
    Without(&'static [&'static str]),
}

impl Fix {
    fn apply(self, item: Value) -> Option<Value> {
        let (Value::Object(mut fields), true) = (item, !matches!(self, Self::Drop)) else { return None };
        match self {
            Self::Drop => {}
            Self::Rename(wrong, meant) => {
                let pairs = fields.into_iter();
                fields = pairs.map(|(key, value)| (if key == wrong { meant.to_owned() } else { key }, value)).collect();
            }
            Self::Put(key, value) => drop(fields.insert(key.to_owned(), value)),
            Self::Without(keys) => keys.iter().for_each(|key| drop(fields.shift_remove(*key))),
        }
        Some(Value::Object(fields))
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
    if let Some((place, log)) =
        object.at.as_deref().and_then(|text| text.split_once(" log ")).filter(|_| object.log.is_none())
    {
        object.log = Some(log.trim().to_owned());
        object.at = Some(place.to_owned());
    }
    let (place, condition) = match (&object.at, &object.file, &object.function) {
        (Some(text), None, None) => parse(text).ok_or_else(|| bad("is an empty string", Fix::Drop))?,
        (None, Some(file), None) => {
            let line = object.line.ok_or_else(|| bad("with `file` needs `line`", Fix::Put("line", 1.into())))?;
            (Written::Line { path: file.clone(), line, column: object.column }, None)
        }
        (None, None, Some(function)) => (Written::Function(function.clone()), None),
        _ => return Err(bad("needs one of `file` with `line`, `function`, `at`", Fix::Drop)),
    };
    if object.log.is_none() && (object.every.is_some() || object.max_hits.is_some()) {
        let cause = "that stops takes no `every` and no `max_hits`, which thin out a log: use `hit_condition`";
        return Err(bad(cause, Fix::Without(&["every", "max_hits"])));
    }
    let zero = || bad("is on line 0; lines count from 1", Fix::Put("line", 1.into()));
    Ok(BreakpointSpec {
        place: place.absolute(call).ok_or_else(zero)?,
        condition: object.condition.or(condition),
        hit_condition: object.hit_condition,
        log: object.log,
        every: object.every,
        max_hits: object.max_hits,
    })
}

/// A place of a caller (`app.py:42` or a function), without a condition.
pub(super) fn place(text: &str, call: &Call) -> Option<Place> {
    parse(text)?.0.absolute(call)
}

/// A place before its path is absolute.
#[derive(Debug, PartialEq, Eq)]
enum Written {
    Line { path: String, line: u32, column: Option<u32> },
    Function(String),
}

impl Written {
    fn absolute(self, call: &Call) -> Option<Place> {
        match self {
            Self::Line { line: 0, .. } => None,
            Self::Line { path, line, column } => Some(Place::Line { path: call.path(&path), line, column }),
            Self::Function(name) => Some(Place::Function(name)),
        }
    }
}

/// The string form: a place, and what stands behind ` if `.
fn parse(text: &str) -> Option<(Written, Option<String>)> {
    let (place, condition) = match text.split_once(" if ") {
        Some((place, condition)) => (place, Some(condition.trim().to_owned())),
        None => (text, None),
    };
    let place = place.trim();
    (!place.is_empty()).then(|| (located(place), condition.filter(|condition| !condition.is_empty())))
}

/// One or two numbers behind colons make a line of a file; anything else is a function.
fn located(place: &str) -> Written {
    let number = |text: &str| text.parse::<u32>().ok();
    let Some((before, last)) = place.rsplit_once(':') else { return Written::Function(place.to_owned()) };
    let Some(last) = number(last).filter(|_| !before.is_empty() && !before.ends_with(':')) else {
        return Written::Function(place.to_owned());
    };
    match before.rsplit_once(':').and_then(|(path, line)| Some((path, number(line)?))) {
        Some((path, line)) if !path.is_empty() => Written::Line { path: path.to_owned(), line, column: Some(last) },
        _ => Written::Line { path: before.to_owned(), line: last, column: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, place: Written, condition: Option<&str>) {
        assert_eq!(parse(text), Some((place, condition.map(str::to_owned))));
    }

    fn line(path: &str, line: u32, column: Option<u32>) -> Written {
        Written::Line { path: path.into(), line, column }
    }

    #[test]
    fn breakpoints_are_written_as_strings() {
        check("app.py:42", line("app.py", 42, None), None);
        check(" app.py:42:7 ", line("app.py", 42, Some(7)), None);
        check("app.py:42 if total < 0", line("app.py", 42, None), Some("total < 0"));
        check("app.py:42 if a if b else c", line("app.py", 42, None), Some("a if b else c"));
        check(r"C:\src\app.cs:42", line(r"C:\src\app.cs", 42, None), None);
        check(r"C:\src\app.cs:42:3", line(r"C:\src\app.cs", 42, Some(3)), None);
        check("größe 日本.py:3", line("größe 日本.py", 3, None), None);
        check("parse_order", Written::Function("parse_order".into()), None);
        check("shop::parse", Written::Function("shop::parse".into()), None);
        check("shop::<3>::parse if n > 3", Written::Function("shop::<3>::parse".into()), Some("n > 3"));
        assert_eq!(parse("  "), None);
    }
    #[test]
    fn a_file_is_called_path_or_source_too() {
        for word in ["file", "path", "source"] {
            let item = serde_json::from_value(serde_json::json!({word: "app.py", "line": 42}));
            let Ok(Item::Object(object)) = item else { panic!("{word}: {item:?}") };
            assert_eq!((object.file.as_deref(), object.line), (Some("app.py"), Some(42)), "{word}");
        }
    }
}
