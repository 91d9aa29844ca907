//! Breakpoints and places as a caller wrote them, put right one by one.

use std::path::Path;

use serde_json::Value;

use crate::mcp::call::absolute;
use crate::mcp::request::{LISTS, Request};
use crate::mcp::written;

impl Request {
    /// The same breakpoints, those with this condition at their places alone.
    pub(super) fn drop_condition(&mut self, condition: &str) -> bool {
        self.edit(|item| unconditional(item, condition))
    }

    pub(super) fn drop_hit_condition(&mut self, condition: &str) -> bool {
        self.edit(|item| match item {
            Value::Object(fields)
                if fields.get("hit_condition").is_some_and(|text| text == condition) =>
            {
                fields.shift_remove("hit_condition").is_some()
            }
            _ => false,
        })
    }

    pub(super) fn replace_file(&mut self, workspace: &Path, file: &Path, other: &str) -> bool {
        let is_it = self.names(workspace, file);
        self.edit(|item| replace_file(item, &is_it, other))
    }

    /// The same without the breakpoints in this file.
    pub(super) fn drop_file(&mut self, workspace: &Path, file: &Path) -> bool {
        let is_it = self.names(workspace, file);
        self.drop_items(|item| replace_file(&mut item.clone(), &is_it, ""))
    }

    /// The same without those that log this.
    pub(super) fn drop_log(&mut self, log: &str) -> bool {
        self.drop_items(|item| logs(item, log))
    }

    pub(super) fn replace_function(&mut self, name: &str, other: &str) -> bool {
        self.edit(|item| replace_function(item, name, other))
    }

    /// The same without the breakpoints in this function.
    pub(super) fn drop_function(&mut self, name: &str) -> bool {
        self.drop_items(|item| replace_function(&mut item.clone(), name, ""))
    }

    pub(super) fn replace_line(
        &mut self,
        workspace: &Path,
        file: &Path,
        line: u32,
        other: u32,
    ) -> bool {
        let is_it = self.names(workspace, file);
        self.edit(|item| replace_line(item, &is_it, line, other))
    }

    /// Does a path, as it is written, name this file? It may be below `cwd`, or where the session's
    /// program runs.
    fn names(&self, workspace: &Path, file: &Path) -> impl Fn(&str) -> bool + use<> {
        let cwd =
            self.arguments.get("cwd").and_then(Value::as_str).map(|cwd| absolute(workspace, cwd));
        let cwd = cwd.or_else(|| self.cwd.clone());
        let (workspace, file) = (workspace.to_owned(), file.to_owned());
        move |written| {
            [cwd.as_ref(), Some(&workspace)]
                .into_iter()
                .flatten()
                .any(|base| absolute(base, written) == file)
        }
    }

    /// Leaves breakpoints out; false: none is as `is` says.
    fn drop_items(&mut self, is: impl Fn(&Value) -> bool) -> bool {
        let mut found = false;
        for name in LISTS {
            let Some(list) = self.arguments.get_mut(name) else { continue };
            let before = std::mem::take(list);
            let items = if let Value::Array(items) = before { items } else { vec![before] };
            let (dropped, kept): (Vec<_>, Vec<_>) = items.into_iter().partition(&is);
            found |= !dropped.is_empty();
            if kept.is_empty() {
                drop(self.arguments.shift_remove(name))
            } else {
                *list = Value::Array(kept)
            }
        }
        found
    }

    /// Changes breakpoints and places by `edit`, which tells whether it changed one; false: it
    /// changed none.
    fn edit(&mut self, edit: impl Fn(&mut Value) -> bool) -> bool {
        let mut found = false;
        for name in LISTS.into_iter().chain(["until"]) {
            let Some(list) = self.arguments.get_mut(name) else { continue };
            let items = match list {
                Value::Array(items) => items.as_mut_slice(),
                single => std::slice::from_mut(single),
            };
            for item in items {
                found |= edit(item);
            }
        }
        found
    }
}

/// Names another line of the file in one breakpoint; tells whether it named the line.
fn replace_line(item: &mut Value, is_it: &impl Fn(&str) -> bool, line: u32, other: u32) -> bool {
    match item {
        Value::String(text) => {
            let wanted = format!(":{line}");
            let ends = |end: usize| {
                !text[end + wanted.len()..].starts_with(|next: char| next.is_ascii_digit())
            };
            let mut places = text.match_indices(&wanted).map(|(at, _)| at);
            let Some(at) = places.find(|at| ends(*at) && is_it(&text[..*at])) else { return false };
            text.replace_range(at..at + wanted.len(), &format!(":{other}"));
        }
        Value::Object(fields) => {
            if let Some(at) = fields.get_mut("at") {
                return replace_line(at, is_it, line, other);
            }
            let names =
                ["file", "path", "source"].into_iter().filter_map(|key| fields.get(key)?.as_str());
            let number =
                |value: &Value| value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
            let here = fields.get("line").and_then(number) == Some(line.into());
            if !here || !names.into_iter().any(is_it) {
                return false;
            }
            fields.insert("line".to_owned(), other.into());
        }
        _ => return false,
    }
    true
}

/// Names another file in one breakpoint; tells whether it named this one.
fn replace_file(item: &mut Value, is_it: &impl Fn(&str) -> bool, other: &str) -> bool {
    match item {
        Value::String(text) if is_it(text) => *text = other.to_owned(),
        Value::String(text) => {
            let ends = text.match_indices(':').map(|(at, _)| at);
            let Some(end) = ends.into_iter().find(|end| is_it(&text[..*end])) else { return false };
            *text = format!("{other}{}", &text[end..]);
        }
        Value::Object(fields) => {
            let named =
                ["file", "path", "source", "at"].into_iter().find(|key| fields.contains_key(*key));
            let Some(named) = named.and_then(|key| fields.get_mut(key)) else { return false };
            return replace_file(named, is_it, other);
        }
        _ => return false,
    }
    true
}

/// What stands instead may be a function or a line.
fn replace_function(item: &mut Value, name: &str, other: &str) -> bool {
    match item {
        Value::String(text) => {
            let rest = text
                .trim_start()
                .strip_prefix(name)
                .filter(|rest| rest.is_empty() || rest.starts_with(' '));
            let Some(replaced) = rest.map(|rest| format!("{other}{rest}")) else { return false };
            *text = replaced;
            true
        }
        Value::Object(fields)
            if fields.get("function").is_some_and(|function| function == name) =>
        {
            fields.shift_remove("function");
            fields.insert("at".to_owned(), other.into());
            true
        }
        Value::Object(fields) => {
            fields.get_mut("at").is_some_and(|at| replace_function(at, name, other))
        }
        _ => false,
    }
}

/// Does one breakpoint log this text?
fn logs(item: &Value, log: &str) -> bool {
    match item {
        Value::String(text) => {
            written::parse(text).is_ok_and(|written| written.log.as_deref() == Some(log))
        }
        Value::Object(fields) => {
            fields.get("log").is_some_and(|text| text == log)
                || fields.get("at").is_some_and(|at| logs(at, log))
        }
        _ => false,
    }
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
        Value::Object(fields) => {
            return fields.get_mut("at").is_some_and(|at| unconditional(at, condition));
        }
        _ => return false,
    }
    true
}
