//! A call as its caller made it, so that an answer can tell it again with what was wrong put right.

use std::path::Path;

use serde_json::{Map, Value};

use super::call::absolute;
use crate::session::Error;
use crate::view::{self, Literal};

/// Which tool, with which arguments.
#[derive(Clone, Debug)]
pub(super) struct Said {
    tool: &'static str,
    arguments: Map<String, Value>,
}

impl Said {
    pub fn new(tool: &'static str, arguments: Map<String, Value>) -> Self {
        Self { tool, arguments }
    }

    /// The same call.
    pub fn call(&self) -> view::Call {
        let given = self.arguments.iter().filter(|(_, value)| !value.is_null());
        given.fold(view::Call::new(self.tool), |call, (name, value)| call.with(name.clone(), literal(value)))
    }

    /// The same call in a bounded length, for the end of what it started.
    pub fn again(&self) -> String {
        self.call().bounded(view::LONGEST_CALL)
    }

    /// The call again without the fault that `error` names, where that can be told from the call. Its paths start at
    /// the lens's workspace.
    pub fn mended(&self, error: &Error, lens: &view::Lens) -> Option<view::Call> {
        match error {
            Error::WhichSession { open } | Error::UnknownSession { open, .. } => {
                open.first().map(|name| self.call().with("session", name.as_str()))
            }
            Error::BadCondition { text, .. } | Error::Refused { condition: Some(text), .. } => {
                self.without_condition(text)
            }
            Error::NoSuchSource { path, near } => {
                let written = lens.path(near.first()?);
                self.edited(|item| replace_file(item, &lens.workspace, path, &written))
            }
            Error::Busy { .. } => Some(self.call()),
            Error::Unreachable { .. } if self.tool == "debug_attach" => Some(self.call()),
            _ => None,
        }
    }

    /// The same breakpoints, the one with this condition at its place alone; none: there is no such condition.
    fn without_condition(&self, condition: &str) -> Option<view::Call> {
        self.edited(|item| unconditional(item, condition))
    }

    /// The call with breakpoints changed by `edit`, which tells whether it changed one; none: it changed none.
    fn edited(&self, edit: impl Fn(&mut Value) -> bool) -> Option<view::Call> {
        let mut mended = self.clone();
        let lists = ["breakpoints", "set"];
        let (_, list) = mended.arguments.iter_mut().find(|(name, _)| lists.contains(&name.as_str()))?;
        let mut found = false;
        let items = match list {
            Value::Array(items) => items.as_mut_slice(),
            single => std::slice::from_mut(single),
        };
        for item in items {
            found |= edit(item);
        }
        found.then(|| mended.call())
    }
}

/// Names another file in one breakpoint; tells whether it named this one.
fn replace_file(item: &mut Value, workspace: &Path, file: &Path, other: &str) -> bool {
    let is_it = |written: &str| absolute(workspace, written) == file;
    match item {
        Value::String(text) if is_it(text) => *text = other.to_owned(),
        Value::String(text) => {
            let ends = text.match_indices(':').map(|(at, _)| at);
            let Some(end) = ends.into_iter().find(|end| is_it(&text[..*end])) else { return false };
            *text = format!("{other}{}", &text[end..]);
        }
        Value::Object(fields) => {
            let named = ["file", "path", "source", "at"].into_iter().find(|key| fields.contains_key(*key));
            let Some(named) = named.and_then(|key| fields.get_mut(key)) else { return false };
            return replace_file(named, workspace, file, other);
        }
        _ => return false,
    }
    true
}

/// Takes the condition out of one breakpoint; tells whether it had it.
fn unconditional(item: &mut Value, condition: &str) -> bool {
    let plain = |text: &str| {
        let (place, rest) = text.split_once(" if ")?;
        (rest.trim() == condition).then(|| place.trim().to_owned())
    };
    match item {
        Value::String(text) => match plain(text) {
            Some(place) => *text = place,
            None => return false,
        },
        Value::Object(fields) if fields.get("condition").is_some_and(|text| text == condition) => {
            fields.shift_remove("condition");
        }
        Value::Object(fields) => return fields.get_mut("at").is_some_and(|at| unconditional(at, condition)),
        _ => return false,
    }
    true
}

/// A value as an argument of a call.
pub(super) fn literal(value: &Value) -> Literal {
    Literal::Json(written(value))
}

/// JSON with blanks behind its commas and colons, as examples have them.
fn written(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let field =
                |(name, value): (&String, &Value)| format!("{}: {}", Value::from(name.as_str()), written(value));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(tool: &'static str, arguments: Value) -> Said {
        Said::new(tool, arguments.as_object().cloned().expect("an object"))
    }

    fn lens() -> view::Lens {
        view::Lens { workspace: "/w".into(), usual: None }
    }

    fn bad(condition: &str) -> Error {
        Error::BadCondition { text: condition.into(), why: "no".into() }
    }

    #[test]
    fn a_call_is_told_again_as_it_was_made() {
        let call =
            said("debug_launch", json!({"program": "a b", "args": ["1", "\"2\""], "env": {"A": null}, "cwd": null}));
        let text = r#"debug_launch {"program": "a b", "args": ["1", "\"2\""], "env": {"A": null}}"#;
        assert_eq!(call.call().json(), text);
    }

    #[test]
    fn a_session_is_named_in_the_same_call() {
        let which = Error::WhichSession { open: vec!["a-1".into(), "b-2".into()] };
        let unknown = Error::UnknownSession { name: "x".into(), open: vec!["a-1".into()] };
        let mended = |arguments, error| said("debug_step", arguments).mended(error, &lens()).map(|call| call.json());
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(mended(json!({"count": 2}), &which), text(r#"debug_step {"count": 2, "session": "a-1"}"#));
        assert_eq!(mended(json!({"session": "x"}), &unknown), text(r#"debug_step {"session": "a-1"}"#));
        assert_eq!(mended(json!({}), &Error::NoSession), None);
    }

    #[test]
    fn a_file_that_is_elsewhere_is_named_there() {
        let items = json!(["cart.py:3 if a:b", {"path": "./cart.py", "line": 3}, {"at": "cart.py:4"}, "other.py:1"]);
        let error = Error::NoSuchSource { path: "/w/cart.py".into(), near: vec!["/w/shop/cart.py".into()] };
        let mended = said("debug_breakpoints", json!({"set": items})).mended(&error, &lens()).map(|call| call.json());
        let set =
            r#"["shop/cart.py:3 if a:b", {"path": "shop/cart.py", "line": 3}, {"at": "shop/cart.py:4"}, "other.py:1"]"#;
        assert_eq!(mended, Some(format!("debug_breakpoints {{\"set\": {set}}}")));
    }

    #[test]
    fn a_condition_that_does_not_parse_is_left_out() {
        let items = json!(["f", "a.c:3 if x <", {"at": "g if x <"}, {"function": "h", "condition": "x <"}]);
        let without = r#"["f", "a.c:3", {"at": "g"}, {"function": "h"}]"#;
        let set = said("debug_breakpoints", json!({"set": items})).mended(&bad("x <"), &lens()).map(|call| call.json());
        assert_eq!(set, Some(format!("debug_breakpoints {{\"set\": {without}}}")));
        let single = said("debug_launch", json!({"breakpoints": "f if x <"})).mended(&bad("x <"), &lens());
        assert_eq!(single.map(|call| call.json()).as_deref(), Some(r#"debug_launch {"breakpoints": "f"}"#));
        assert_eq!(said("debug_wait", json!({})).mended(&bad("x <"), &lens()), None);
        assert_eq!(said("debug_launch", json!({"breakpoints": ["f if y"]})).mended(&bad("x <"), &lens()), None);
    }
}
