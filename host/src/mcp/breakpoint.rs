//! Breakpoints as callers write them: a string, or an object with the same and more.
//!
//! What a string says is read by `written`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};

use super::call::Call;
use super::problem::Problem;
use super::written::{self, Slip, Written};
use crate::model::{BreakpointSpec, Place};

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
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    function: Option<String>,
    condition: Option<String>,
    hit_condition: Option<String>,
    log: Option<String>,
    every: Option<u32>,
    max_hits: Option<u32>,
}

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
                "at": {"type": "string", "description": "string form"},
                "condition": {"type": "string"},
                "hit_condition": {"type": "string", "description": "3, >= 3, % 3"},
                "log": {"type": "string", "description": "print this with {expression}, do not \
                    stop"},
                "every": {"type": "integer", "description": "log every Nth hit"},
                "max_hits": {"type": "integer", "description": "log N hits at most"},
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
    Put(&'static str, Value),
    /// Another string in its place.
    Write(String),
    /// That string, and its hit condition beside it.
    Count(String, String),
    Without(&'static [&'static str]),
}

impl Fix {
    fn apply(self, item: Value) -> Option<Value> {
        if let (Self::Write(text), Value::String(_)) = (&self, &item) {
            return Some(text.as_str().into());
        }
        if let (Self::Count(at, hits), Value::String(_)) = (&self, &item) {
            return Some(json!({"at": at, "hit_condition": hits}));
        }
        let (Value::Object(mut fields), true) = (item, !matches!(self, Self::Drop)) else {
            return None;
        };
        match self {
            Self::Drop => {}
            Self::Put(key, value) => drop(fields.insert(key.to_owned(), value)),
            Self::Write(text) => drop(fields.insert("at".to_owned(), text.into())),
            Self::Count(text, hits) => {
                fields.insert("at".to_owned(), text.into());
                fields.insert("hit_condition".to_owned(), hits.into());
            }
            Self::Without(keys) => keys.iter().for_each(|key| drop(fields.shift_remove(*key))),
        }
        Some(Value::Object(fields))
    }
}

impl From<Slip> for Bad {
    fn from(Slip { cause, meant, hits }: Slip) -> Self {
        let fix = match (meant, hits) {
            (None, _) => Fix::Drop,
            (Some(meant), None) => Fix::Write(meant),
            (Some(meant), Some(hits)) => Fix::Count(meant, hits),
        };
        Self { cause, fix }
    }
}

fn bad(cause: &str, fix: Fix) -> Bad {
    Bad { cause: cause.to_owned(), fix }
}

/// All of a caller's breakpoints, paths absolute; `cwd` is where the program is to run.
pub(super) fn specs(
    items: Vec<Item>,
    call: &Call,
    cwd: Option<&Path>,
    tool: &str,
) -> Result<Vec<BreakpointSpec>, Problem> {
    let refuse = |at: usize, Bad { cause, fix }: Bad| {
        call.request
            .with_item(at, |item| fix.apply(item))
            .refuse(&format!("{tool}: a breakpoint {cause}"))
    };
    let path = |file: &str| call.path_in(cwd, file);
    let mut specs: Vec<BreakpointSpec> = Vec::with_capacity(items.len());
    for (at, item) in items.into_iter().enumerate() {
        let one = spec(item, path).map_err(|bad| refuse(at, bad))?;
        if specs.contains(&one) {
            continue;
        }
        if specs.iter().any(|before| before.place == one.place) {
            let place = call.lens().place(&one.place);
            let cause =
                format!("at {place} is there twice, and a place has one: join their conditions");
            return Err(refuse(at, bad(&cause, Fix::Drop)));
        }
        specs.push(one);
    }
    Ok(specs)
}

fn spec(item: Item, path: impl Fn(&str) -> PathBuf) -> Result<BreakpointSpec, Bad> {
    let mut object = match item {
        Item::Text(text) => Box::new(Object { at: Some(text), ..Object::default() }),
        Item::Object(object) => object,
    };
    let numbered = object.line.is_some() || object.column.is_some();
    let (place, condition) = match (&object.at, &object.file, &object.function) {
        (Some(text), None, None) if !numbered => {
            let Written { place, condition, log } = written::parse(text)?;
            needs_line(&place, text, &path)?;
            object.log = object.log.or(log);
            (place, condition)
        }
        (None, Some(file), None) => {
            let line = object
                .line
                .ok_or_else(|| bad("with `file` needs `line`", Fix::Put("line", 1.into())))?;
            (written::Place::Line { path: file.clone(), line, column: object.column }, None)
        }
        (None, None, Some(function)) if !numbered => {
            (written::Place::Function(function.clone()), None)
        }
        (None, None, None) => {
            return Err(bad("needs `at`, `function`, or `file` with `line`", Fix::Drop));
        }
        (at, file, _) => {
            return Err(several(at.is_some(), file.is_some() && object.line.is_some()));
        }
    };
    if object.log.is_none() && (object.every.is_some() || object.max_hits.is_some()) {
        let cause = "that stops takes no `every` and no `max_hits`, which thin out a log: use \
            `hit_condition`";
        return Err(bad(cause, Fix::Without(&["every", "max_hits"])));
    }
    let zero = || bad("is on line 0; lines count from 1", Fix::Put("line", 1.into()));
    Ok(BreakpointSpec {
        place: absolute(place, path).ok_or_else(zero)?,
        condition: object.condition.or(condition),
        hit_condition: object.hit_condition,
        log: object.log,
        every: object.every,
        max_hits: object.max_hits,
    })
}

/// It says more than one place: `at` beside another, or a function beside a file, which may have
/// its `line`.
fn several(at: bool, line: bool) -> Bad {
    let cause = "says its place more than once: it takes `at`, `function`, or `file` with `line`";
    bad(
        cause,
        Fix::Without(match (at, line) {
            (true, _) => &["file", "path", "source", "line", "column", "function"],
            (false, true) => &["function"],
            (false, false) => &["file", "path", "source", "line", "column"],
        }),
    )
}

/// A file without its line, or with something else for one, which no function is called. A program
/// is often called as its `main`.
fn needs_line(
    place: &written::Place,
    text: &str,
    path: impl Fn(&str) -> PathBuf,
) -> Result<(), Bad> {
    let written::Place::Function(name) = place else { return Ok(()) };
    if written::looks_like_file(name) && path(name).is_file() {
        let cause = format!("at `{name}` is a file: add the line, as `{name}:1`");
        return Err(bad(&cause, Fix::Write(format!("{name}:1"))));
    }
    match name.split_once(':') {
        Some((file, function)) if !function.starts_with(':') && path(file).is_file() => {
            let cause = format!(
                "at `{name}` has no line behind the file; a function is named alone, as \
                `{function}`"
            );
            Err(bad(&cause, Fix::Write(text.replacen(name, function, 1))))
        }
        _ => Ok(()),
    }
}

/// A place of a caller (`app.py:42` or a function), without a condition, of what runs in `cwd`.
pub(super) fn place(text: &str, call: &Call, cwd: Option<&Path>) -> Option<Place> {
    absolute(written::parse(text).ok()?.place, |file| call.path_in(cwd, file))
}

/// None on line 0.
fn absolute(place: written::Place, absolute: impl Fn(&str) -> PathBuf) -> Option<Place> {
    match place {
        written::Place::Line { line: 0, .. } => None,
        written::Place::Line { path, line, column } => {
            Some(Place::Line { path: absolute(&path), line, column })
        }
        written::Place::Function(name) => Some(Place::Function(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_hits_behind_a_place_is_kept() {
        for text in ["a.py:3 hits % 2", "a.py:3 hit_condition % 2"] {
            let bad = Bad::from(written::parse(text).unwrap_err());
            let meant = json!({"at": "a.py:3", "hit_condition": "% 2"});
            assert_eq!(bad.fix.apply(json!(text)), Some(meant), "{text}");
            let bad = Bad::from(written::parse(text).unwrap_err());
            let meant = json!({"at": "a.py:3", "log": "x", "hit_condition": "% 2"});
            assert_eq!(bad.fix.apply(json!({"at": text, "log": "x"})), Some(meant), "{text}");
        }
    }
}
