//! Applies an edit to the breakpoints of a call, or to the place that it runs to.
//!
//! Knows both forms of a breakpoint, string and object.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::mcp::call::absolute;
use crate::mcp::request::{LISTS, Request, proposed};
use crate::mcp::text::written::{self, Place, Written};
use crate::model::{BreakpointPart, PartEdit};
use crate::view::Lens;

/// Edits every breakpoint that has the part. Returns false if none has it.
pub(super) fn apply(
    request: &mut Request,
    part: &BreakpointPart,
    edit: &PartEdit,
    lens: &Lens,
) -> bool {
    let replacement = match edit {
        PartEdit::Replace(value) => Some(proposed(value, lens)),
        PartEdit::Clear | PartEdit::Drop => None,
    };
    let change = Change { part, replacement, directories: directories(request, lens) };
    let mut found = false;
    for name in LISTS {
        let Some(Value::Array(items)) = request.arguments.get_mut(name) else { continue };
        let mut changed = Vec::with_capacity(items.len());
        for mut item in items.drain(..) {
            let is_changed = change.apply(&mut item);
            found |= is_changed;
            if !is_changed || *edit != PartEdit::Drop {
                changed.push(item);
            }
        }
        *items = changed;
        if items.is_empty() {
            request.arguments.shift_remove(name);
        }
    }
    // The program does not run on without the place to run to.
    if let (Some(until), PartEdit::Replace(_)) = (request.arguments.get_mut("until"), edit) {
        found |= change.apply(until) || change.apply_to_bare_line(until);
    }
    found
}

/// Directories that relative paths of the call start at.
fn directories(request: &Request, lens: &Lens) -> Vec<PathBuf> {
    let cwd = request.arguments.get("cwd").and_then(Value::as_str);
    let cwd = cwd.map(|cwd| absolute(&lens.workspace, cwd)).or_else(|| request.cwd.clone());
    cwd.into_iter().chain([lens.workspace.clone()]).collect()
}

struct Change<'a> {
    part: &'a BreakpointPart,
    /// None: the part is removed.
    replacement: Option<Value>,
    directories: Vec<PathBuf>,
}

impl Change<'_> {
    /// Changes a breakpoint. Returns false if it does not have the part.
    fn apply(&self, item: &mut Value) -> bool {
        match item {
            Value::String(text) => self.apply_to_text(text),
            Value::Object(fields) => {
                let at = fields.get_mut("at");
                at.is_some_and(|at| self.apply(at)) || self.apply_to_fields(fields)
            }
            _ => false,
        }
    }

    fn apply_to_text(&self, text: &mut String) -> bool {
        let Ok(Written { mut place, mut condition, mut log }) = written::parse(text) else {
            return false;
        };
        let replacement = self.replacement.as_ref();
        let other = replacement.and_then(Value::as_str).map(str::to_owned);
        match (self.part, &mut place) {
            (BreakpointPart::Condition(wrong), _) if condition.as_ref() == Some(wrong) => {
                condition = other;
            }
            (BreakpointPart::Log(wrong), _) if log.as_ref() == Some(wrong) => log = other,
            (BreakpointPart::Function(wrong), Place::Function(name)) if name == wrong => {
                *name = other.unwrap_or_default();
            }
            (BreakpointPart::File(wrong), Place::Line { path, .. }) if self.is(path, wrong) => {
                *path = other.unwrap_or_default();
            }
            (BreakpointPart::Line(file, wrong), Place::Line { path, line, .. })
                if line == wrong && self.is(path, file) =>
            {
                let replacement = replacement.and_then(Value::as_u64);
                *line = replacement.and_then(|line| u32::try_from(line).ok()).unwrap_or_default();
            }
            _ => return false,
        }
        *text = Written { place, condition, log }.to_string();
        true
    }

    /// Changes a line without a file, which is in the file of the stop.
    fn apply_to_bare_line(&self, until: &mut Value) -> bool {
        let line = until.as_str().and_then(|text| text.trim().parse::<u32>().ok());
        match (self.part, line, &self.replacement) {
            (BreakpointPart::Line(_, wrong), Some(line), Some(other)) if line == *wrong => {
                *until = other.to_string().into();
                true
            }
            _ => false,
        }
    }

    fn apply_to_fields(&self, fields: &mut Map<String, Value>) -> bool {
        let in_file = |file: &Path| {
            fields.get("file").and_then(Value::as_str).is_some_and(|path| self.is(path, file))
        };
        let has = |key: &str, wrong: &str| fields.get(key).is_some_and(|value| value == wrong);
        let (key, is_wrong) = match self.part {
            BreakpointPart::Condition(wrong) => ("condition", has("condition", wrong)),
            BreakpointPart::HitCondition(wrong) => ("hit_condition", has("hit_condition", wrong)),
            BreakpointPart::Log(wrong) => ("log", has("log", wrong)),
            BreakpointPart::Function(wrong) => ("function", has("function", wrong)),
            BreakpointPart::File(wrong) => ("file", in_file(wrong)),
            BreakpointPart::Line(file, wrong) => {
                ("line", in_file(file) && fields.get("line") == Some(&(*wrong).into()))
            }
        };
        if !is_wrong {
            return false;
        }
        match &self.replacement {
            // The replacement of a function may be a line.
            Some(place) if key == "function" => {
                fields.shift_remove(key);
                fields.insert("at".to_owned(), place.clone());
            }
            Some(value) => drop(fields.insert(key.to_owned(), value.clone())),
            None => drop(fields.shift_remove(key)),
        }
        true
    }

    /// Does a path of the caller name this file?
    fn is(&self, path: &str, file: &Path) -> bool {
        self.directories.iter().any(|directory| absolute(directory, path) == file)
    }
}
