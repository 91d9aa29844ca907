//! Breakpoints of a caller: a string, or an object with the same and more.
//!
//! Knows which parts exclude each other. `written` parses the strings.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};

use super::written::{self, Mistake, Written};
use crate::mcp::call::Call;
use crate::mcp::problem::Problem;
use crate::model::{BreakpointSpec, Place};

/// One breakpoint of a caller.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(in crate::mcp) enum Item {
    Text(String),
    Object(Box<Object>),
}

/// The long form. `at` is the string of the short form.
#[derive(Clone, Debug, Default, Deserialize)]
pub(in crate::mcp) struct Object {
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
                "log": {"type": "string", "description": "print this with {expression}, no \
                    stop"},
                "every": {"type": "integer", "description": "log every Nth hit"},
                "max_hits": {"type": "integer", "description": "log N hits at most"},
            }},
        ]})
    }
}

/// The schema of [`Item`] without its fields, for a tool that refers to another one.
pub(in crate::mcp) struct Brief;

impl JsonSchema for Brief {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "BriefBreakpoint".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [{"type": "string"}, {"type": "object"}]})
    }
}

/// A breakpoint that cannot be set, and a correction.
struct Invalid {
    cause: String,
    correction: Correction,
}

/// The change that makes a breakpoint valid, as far as it can be known.
enum Correction {
    /// Remove the breakpoint.
    Remove,
    /// Add a field.
    Add(&'static str, Value),
    /// Replace the string.
    Replace(String),
    /// Replace the string, and add a hit condition.
    Count(String, String),
    /// Remove fields.
    Without(&'static [&'static str]),
}

impl Correction {
    /// The corrected breakpoint; none: it is removed.
    fn apply(self, item: Value) -> Option<Value> {
        match (self, item) {
            (Self::Replace(text), Value::String(_)) => Some(text.into()),
            (Self::Count(at, hits), Value::String(_)) => {
                Some(json!({"at": at, "hit_condition": hits}))
            }
            (Self::Remove, _) => None,
            (correction, Value::Object(mut fields)) => {
                match correction {
                    Self::Remove => {}
                    Self::Add(key, value) => drop(fields.insert(key.to_owned(), value)),
                    Self::Replace(text) => drop(fields.insert("at".to_owned(), text.into())),
                    Self::Count(text, hits) => {
                        fields.insert("at".to_owned(), text.into());
                        fields.insert("hit_condition".to_owned(), hits.into());
                    }
                    Self::Without(keys) => fields.retain(|key, _| !keys.contains(&key.as_str())),
                }
                Some(Value::Object(fields))
            }
            _ => None,
        }
    }
}

impl From<Mistake> for Invalid {
    fn from(Mistake { cause, intended, hits }: Mistake) -> Self {
        let correction = match (intended, hits) {
            (None, _) => Correction::Remove,
            (Some(text), None) => Correction::Replace(text),
            (Some(text), Some(hits)) => Correction::Count(text, hits),
        };
        Self { cause, correction }
    }
}

fn invalid(cause: &str, correction: Correction) -> Invalid {
    Invalid { cause: cause.to_owned(), correction }
}

/// All breakpoints of a caller, with absolute paths. `cwd` is the directory of the program, `file`
/// the file of a line without one.
pub(in crate::mcp) fn specs(
    items: Vec<Item>,
    call: &Call,
    cwd: Option<&Path>,
    file: Option<&str>,
) -> Result<Vec<BreakpointSpec>, Problem> {
    let mut specs: Vec<BreakpointSpec> = Vec::with_capacity(items.len());
    for (at, item) in items.into_iter().enumerate() {
        let item = match file {
            Some(file) => in_file(item, file),
            None => item,
        };
        let spec = match spec(item, |file| call.path_in(cwd, file)) {
            Ok(spec) => spec,
            Err(invalid) => return Err(refuse(call, at, invalid)),
        };
        if specs.contains(&spec) {
            continue;
        }
        if specs.iter().any(|other| other.place == spec.place) {
            let cause = format!(
                "{} is listed twice, and a place has one breakpoint: join the conditions",
                call.lens().place(&spec.place)
            );
            return Err(refuse(call, at, invalid(&cause, Correction::Remove)));
        }
        specs.push(spec);
    }
    Ok(specs)
}

/// The breakpoint; a bare line number is one of this file.
fn in_file(mut item: Item, file: &str) -> Item {
    let text = match &mut item {
        Item::Text(text) => Some(text),
        Item::Object(object) => object.at.as_mut(),
    };
    if let Some(text) = text
        && let line = text.trim().split(' ').next().unwrap_or_default()
        && line.parse::<u32>().is_ok()
    {
        *text = format!("{file}:{}", text.trim());
    }
    item
}

fn refuse(call: &Call, at: usize, Invalid { cause, correction }: Invalid) -> Problem {
    let corrected = call.request.with_item(at, |item| correction.apply(item));
    corrected.refuse(&format!("{}: {cause}", call.request.tool.name))
}

fn spec(item: Item, path: impl Fn(&str) -> PathBuf) -> Result<BreakpointSpec, Invalid> {
    let mut object = match item {
        Item::Text(text) => Box::new(Object { at: Some(text), ..Object::default() }),
        Item::Object(object) => object,
    };
    let has_number = object.line.is_some() || object.column.is_some();
    let (place, condition) = match (&object.at, &object.file, &object.function) {
        (Some(text), None, None) if !has_number => {
            let Written { place, condition, log } = written::parse(text)?;
            check_function(&place, text, &path)?;
            object.log = object.log.or(log);
            (place, condition)
        }
        (None, Some(file), None) => match object.line {
            Some(line) => {
                (written::Place::Line { path: file.clone(), line, column: object.column }, None)
            }
            None => {
                let correction = Correction::Add("line", 1.into());
                return Err(invalid("a breakpoint with `file` needs `line`", correction));
            }
        },
        (None, None, Some(function)) if !has_number => {
            (written::Place::Function(function.clone()), None)
        }
        (None, None, None) => {
            let cause = "a breakpoint needs `at`, `function`, or `file` with `line`";
            return Err(invalid(cause, Correction::Remove));
        }
        (at, file, _) => {
            return Err(several_places(at.is_some(), file.is_some() && object.line.is_some()));
        }
    };
    if object.log.as_deref().is_some_and(|log| log.trim().is_empty()) {
        let cause = "`log` is empty; it needs a text, with expressions in braces: `x is {x}`";
        return Err(invalid(cause, Correction::Add("log", written::LOG.into())));
    }
    if object.log.is_none() && (object.every.is_some() || object.max_hits.is_some()) {
        let cause = "`every` and `max_hits` belong to a breakpoint with `log`; one that stops \
            takes `hit_condition`";
        return Err(invalid(cause, Correction::Without(&["every", "max_hits"])));
    }
    let Some(place) = absolute(place, path) else {
        let cause = "a breakpoint is on line 0; lines count from 1";
        return Err(invalid(cause, Correction::Add("line", 1.into())));
    };
    Ok(BreakpointSpec {
        place,
        condition: object.condition.or(condition),
        hit_condition: object.hit_condition,
        log: object.log,
        every: object.every,
        max_hits: object.max_hits,
    })
}

/// Refuses an object with several places: `at` with another, or a function with a file, which may
/// have a line.
fn several_places(has_at: bool, has_line: bool) -> Invalid {
    let cause =
        "a breakpoint has several places; give one: `at`, `function`, or `file` with `line`";
    let removed: &[&str] = if has_at {
        &["file", "line", "column", "function"]
    } else if has_line {
        &["function"]
    } else {
        &["file", "line", "column"]
    };
    invalid(cause, Correction::Without(removed))
}

/// Refuses a file without a line, or with something else in its place, which parses as a function.
fn check_function(
    place: &written::Place,
    text: &str,
    path: impl Fn(&str) -> PathBuf,
) -> Result<(), Invalid> {
    let written::Place::Function(name) = place else { return Ok(()) };
    // A program often has the name of its main function.
    if written::looks_like_file(name) && path(name).is_file() {
        let cause = format!("`{name}` is a file: add the line, as `{name}:1`");
        return Err(invalid(&cause, Correction::Replace(format!("{name}:1"))));
    }
    match name.split_once(':') {
        Some((file, "")) if path(file).is_file() => {
            let correction = Correction::Replace(text.replacen(name, &format!("{file}:1"), 1));
            Err(invalid(&written::no_line_after(name), correction))
        }
        Some((file, function)) if !function.starts_with(':') && path(file).is_file() => {
            let cause = format!(
                "`{name}` needs a line number; name a function without the file, as `{function}`"
            );
            let correction = Correction::Replace(text.replacen(name, function, 1));
            Err(invalid(&cause, correction))
        }
        _ => Ok(()),
    }
}

/// The place in a caller's text (`app.py:42` or a function); a condition is ignored. `cwd` is the
/// directory of the program.
pub(in crate::mcp) fn place(text: &str, call: &Call, cwd: Option<&Path>) -> Option<Place> {
    absolute(written::parse(text).ok()?.place, |file| call.path_in(cwd, file))
}

/// The place that a caller's text without a place probably intends.
pub(in crate::mcp) fn intended_place(text: &str) -> Option<String> {
    let intended = written::parse(text).err()?.intended?;
    let Written { place, .. } = written::parse(&intended).ok()?;
    Some(Written { place, condition: None, log: None }.to_string())
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
    fn bare_line_is_in_the_file_of_the_stop() {
        let place = |text: &str| match in_file(Item::Text(text.into()), "src/a.py") {
            Item::Text(text) => text,
            Item::Object(_) => panic!("an object"),
        };
        for (text, expected) in [
            ("17", "src/a.py:17"),
            (" 17 if n > 3", "src/a.py:17 if n > 3"),
            ("17 log n={n}", "src/a.py:17 log n={n}"),
            ("b.py:17", "b.py:17"),
            ("total", "total"),
        ] {
            assert_eq!(place(text), expected);
        }
        let object = Object { at: Some("17".into()), log: Some("n".into()), ..Object::default() };
        let Item::Object(object) = in_file(Item::Object(Box::new(object)), "src/a.py") else {
            panic!("a text")
        };
        assert_eq!(object.at.as_deref(), Some("src/a.py:17"));
    }

    #[test]
    fn hit_condition_in_a_string_is_moved_to_its_field() {
        for text in ["a.py:3 hits % 2", "a.py:3 hit_condition % 2"] {
            let corrected = |item: Value| {
                Invalid::from(written::parse(text).unwrap_err()).correction.apply(item)
            };
            let expected = json!({"at": "a.py:3", "hit_condition": "% 2"});
            assert_eq!(corrected(json!(text)), Some(expected), "{text}");
            let expected = json!({"at": "a.py:3", "log": "x", "hit_condition": "% 2"});
            assert_eq!(corrected(json!({"at": text, "log": "x"})), Some(expected), "{text}");
        }
    }
}
