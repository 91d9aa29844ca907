//! Names of arguments, as DAP, editors and other debug servers write them: `frameId`, `stepType`,
//! `scriptPath`.
//!
//! Knows which names mean the same. Refuses to know the values; `places` knows those that make one
//! value together.

use serde_json::{Map, Value, json};

use super::declared::Declared;

/// Names of one meaning, in the form of [`snake`]. Of an unknown name the tool's own name of the
/// same meaning is intended, if the tool has one.
const SYNONYMS: [&[&str]; 23] = [
    &["set", "breakpoints", "breakpoint", "add", "location", "function", "function_name"],
    &["remove", "delete", "unset"],
    &["exceptions", "exception", "filters", "exception_filters", "exception_type"],
    &["until", "to", "location", "target", "place", "stop_at", "run_to", "function"],
    &["tail", "lines", "last", "limit", "count", "levels", "max_frames", "steps", "times"],
    &[
        "path",
        "target",
        "name",
        "variable",
        "variable_name",
        "expression",
        "expr",
        "expressions",
        "code",
    ],
    &[
        "program",
        "file",
        "script",
        "path",
        "target",
        "filename",
        "file_name",
        "file_path",
        "script_path",
        "program_path",
        "executable",
        "executable_path",
        "binary",
    ],
    &[
        "filter",
        "program",
        "file",
        "path",
        "name",
        "pattern",
        "query",
        "filename",
        "file_name",
        "file_path",
        "script",
    ],
    &["grep", "pattern", "search", "regex", "filter", "query"],
    &["kind", "type", "action", "mode", "direction", "step", "step_type", "step_kind", "step_mode"],
    &["mode", "action", "type"],
    &["args", "arguments", "argv", "program_args", "script_args", "params", "parameters"],
    &["cwd", "working_directory", "working_dir", "workdir", "work_dir", "directory", "dir"],
    &["env", "environment", "env_vars", "environment_variables"],
    &["stop_on_entry", "stop_at_entry", "stop_at_start", "break_on_entry", "pause_on_entry"],
    &["pid", "process_id", "process", "target_pid"],
    &["session", "session_id", "session_name"],
    &["thread", "thread_id"],
    &["frame", "frame_id", "frame_index", "frame_number", "stack_frame", "stack_frame_id"],
    &["timeout_s", "timeout", "timeout_seconds", "timeout_secs", "timeout_sec"],
    &["value", "new_value"],
    &["depth", "max_depth"],
    &["adapter", "debugger", "adapter_name"],
];

/// The name in small letters with underscores: `frameId` is `frame_id`.
pub(super) fn snake(name: &str) -> String {
    let mut plain = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for letter in name.chars() {
        if letter.is_uppercase() && after_small {
            plain.push('_');
        }
        after_small = letter.is_lowercase() || letter.is_ascii_digit();
        plain.extend(if letter == '-' { '_' } else { letter }.to_lowercase());
    }
    plain
}

/// The only argument of the tool that means the same as `name`: of the first meaning that the tool
/// has.
pub(super) fn synonym<'a>(
    tool: &'static Declared,
    name: &str,
    known: &'a Map<String, Value>,
) -> Option<&'a str> {
    let plain = snake(name);
    let names = || known.keys().map(String::as_str).chain(tool.unlisted.iter().copied());
    if let Some(same) = names().find(|known| *known == plain) {
        return Some(same);
    }
    for group in SYNONYMS.iter().filter(|group| group.contains(&plain.as_str())) {
        let mut same = names().filter(|known| group.contains(known));
        if let (Some(first), None) = (same.next(), same.next()) {
            return Some(first);
        }
    }
    None
}

/// A limit in milliseconds as the tool takes it, in seconds.
pub(super) fn in_seconds(
    name: &str,
    known: &Map<String, Value>,
    given: &Map<String, Value>,
) -> Option<Map<String, Value>> {
    let is_limit = matches!(snake(name).as_str(), "timeout_ms" | "timeout_millis");
    if !is_limit || !known.contains_key("timeout_s") || given.contains_key("timeout_s") {
        return None;
    }
    let limit = given.get(name)?;
    let limit = limit.as_f64().or_else(|| limit.as_str()?.trim().parse().ok())?;
    let mut next = given.clone();
    next.shift_remove(name);
    next.insert("timeout_s".to_owned(), json!(limit / 1000.0));
    Some(next)
}

/// The arguments with a key of the host in the options, which is named too.
pub(super) fn in_options(
    tool: &str,
    name: &str,
    known: &Map<String, Value>,
    given: &Map<String, Value>,
) -> Option<(&'static str, Map<String, Value>)> {
    let key = match snake(name).as_str() {
        "config" | "config_name" | "configuration" | "configuration_name" => "config",
        "stdin" | "stdin_file" | "input_file" if tool == "debug_launch" => "stdin",
        _ => return None,
    };
    let mut next = given.clone();
    let is_text = |value: &Value| known.contains_key("options") && value.is_string();
    let value = next.shift_remove(name).filter(is_text)?;
    let options = next.entry("options").or_insert_with(|| json!({})).as_object_mut()?;
    options.entry(key).or_insert(value);
    Some((key, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_words_are_parted() {
        for (name, expect) in [
            ("frameId", "frame_id"),
            ("lineNumber", "line_number"),
            ("frame_id", "frame_id"),
            ("stop-on-entry", "stop_on_entry"),
            ("Program", "program"),
            ("ID", "id"),
        ] {
            assert_eq!(snake(name), expect, "{name}");
        }
    }

    #[test]
    fn a_group_is_in_one_form_and_names_no_meaning_twice() {
        for group in SYNONYMS {
            let mut names = group.to_vec();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), group.len(), "{group:?}");
            for name in group {
                assert_eq!(snake(name), *name);
            }
        }
    }
}
