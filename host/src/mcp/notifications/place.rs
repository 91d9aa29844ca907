//! Places, times and classes of stops as JSON. Knows no notification.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use crate::model::{Binding, Breakpoint, Frame, Place, Stop, StopClass};

/// UTC, as ISO 8601 with milliseconds.
pub(in crate::mcp) fn timestamp(at: SystemTime) -> String {
    DateTime::<Utc>::from(at).to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Where a frame is; paths are absolute, lines and columns count from 1.
pub(super) fn of_frame(frame: &Frame) -> Value {
    json!({
        "file": frame.path.as_deref().map(|path| path.display().to_string()),
        "line": known(frame.line),
        "column": known(frame.column),
        "functionName": frame.name,
        "moduleName": null,
    })
}

/// The frame in focus, if the stack was read.
pub(super) fn of_stop(stop: &Stop) -> Option<Value> {
    stop.frames.get(stop.focus).map(of_frame)
}

pub(super) fn of_breakpoint(breakpoint: &Breakpoint) -> Value {
    let bound = match &breakpoint.binding {
        Binding::Bound { line } => *line,
        _ => None,
    };
    let (file, line, column, function) = match &breakpoint.spec.place {
        Place::Line { path, line, column } => {
            (Some(path.display().to_string()), bound.or(Some(*line)), *column, None)
        }
        Place::Function(name) => {
            let file = breakpoint.file.as_ref().map(|path| path.display().to_string());
            (file, bound, None, Some(name))
        }
        Place::Exception(_) => (None, None, None, None),
    };
    json!({
        "file": file,
        "line": line,
        "column": column,
        "functionName": function,
        "moduleName": null,
    })
}

/// A number from 1; the model has 0 where it is unknown.
fn known(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

pub(in crate::mcp) fn class(class: StopClass) -> &'static str {
    match class {
        StopClass::Entry => "entry",
        StopClass::Breakpoint => "breakpoint",
        StopClass::Step => "step",
        StopClass::Pause => "pause",
        StopClass::Exception => "exception",
        StopClass::Panic => "panic",
        StopClass::Signal => "signal",
        StopClass::Assertion => "assertion",
        StopClass::Other => "other",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn timestamp_is_utc_with_milliseconds() {
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_012);
        assert_eq!(timestamp(at), "2023-11-14T22:13:20.012Z");
    }
}
