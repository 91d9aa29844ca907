//! Calls in an answer as commands: `debug_variables path=items` is `dapdock vars items`.
//!
//! Answers name calls by tools, because agents read them. Every host writes the same text; only its
//! calls are rewritten. Refuses to know which calls an answer proposes.

use serde_json::{Map, Value};

use crate::mcp::{Declared, Verb, Words, declared};

/// The text with its calls as commands.
pub fn rewritten(text: &str) -> String {
    let (mut written, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, tool, after)) = next(rest) {
        written.push_str(before);
        let (arguments, after) = arguments(after);
        written.push_str(&command(tool, &arguments));
        rest = after;
    }
    written + rest
}

/// The first name of a tool, with the text before and after it.
fn next(text: &str) -> Option<(&str, (&'static Declared, Verb), &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut from = 0;
    loop {
        let at = from + text[from..].find(is_part)?;
        let word = &text[at..];
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        let tool = declared().find(|tool| tool.name == word);
        if let Some((tool, verb)) = tool.and_then(|tool| Some((tool, tool.verb?))) {
            return Some((&text[..at], (tool, verb), after));
        }
        from = at + end;
    }
}

/// The arguments that follow a name, ` {…}` or ` name=value`, and the text after them.
fn arguments(text: &str) -> (Map<String, Value>, &str) {
    if let Some(object) = text.strip_prefix(' ').filter(|text| text.starts_with('{')) {
        let mut values = serde_json::Deserializer::from_str(object).into_iter::<Value>();
        if let Some(Ok(Value::Object(arguments))) = values.next() {
            return (arguments, &object[values.byte_offset()..]);
        }
    }
    let (mut arguments, mut rest) = (Map::new(), text);
    while let Some((name, value, after)) = pair(rest) {
        arguments.insert(name.to_owned(), value);
        rest = after;
    }
    (arguments, rest)
}

/// ` name=value`: the value is JSON, or a word.
fn pair(text: &str) -> Option<(&str, Value, &str)> {
    let (name, value) = text.strip_prefix(' ')?.split_once('=')?;
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
        return None;
    }
    if value.starts_with(['"', '[', '{']) {
        let mut values = serde_json::Deserializer::from_str(value).into_iter::<Value>();
        if let Some(Ok(json)) = values.next() {
            return Some((name, json, &value[values.byte_offset()..]));
        }
    }
    let is_end = |c: char| c.is_whitespace() || matches!(c, ')' | ',' | ';' | '·');
    let end = value.find(is_end).unwrap_or(value.len());
    let (word, after) = value.split_at(end);
    let value = match word {
        "true" => true.into(),
        "false" => false.into(),
        word => word.into(),
    };
    Some((name, value, after))
}

fn command((tool, verb): (&'static Declared, Verb), arguments: &Map<String, Value>) -> String {
    let schema = tool.schema();
    let (words, taken) = words(verb.words, arguments);
    let mut parts = vec!["dapdock".to_owned(), verb.name.to_owned()];
    for (name, value) in arguments {
        if !taken.contains(&name.as_str()) {
            let property = schema.get("properties").and_then(|all| all.get(name));
            let is_listed = property.is_some();
            flag(name, value, is_listed, &mut parts);
        }
    }
    parts.extend(words);
    parts.join(" ")
}

/// The words of the arguments that need no flag, and the names of these.
fn words(words: Words, arguments: &Map<String, Value>) -> (Vec<String>, Vec<&'static str>) {
    let of = |name: &str| arguments.get(name).map(text);
    let items = |name: &str| arguments.get(name).and_then(Value::as_array);
    let one = |name| of(name).map(|text| (vec![quoted(&text)], vec![name]));
    let found = match words {
        Words::None => None,
        Words::One(name) | Words::Joined(name) => one(name),
        Words::Each(name) | Words::Breakpoints(name) => items(name)
            .map(|items| (items.iter().map(|item| quoted(&text(item))).collect(), vec![name])),
        Words::JoinedItem(name) => match items(name).map(Vec::as_slice) {
            Some([only]) => Some((vec![quoted(&text(only))], vec![name])),
            _ => None,
        },
        Words::CommandLine { program, args, command } => match (of(program), of(command)) {
            (Some(file), None) => {
                let args_of = items(args).into_iter().flatten().map(text);
                let all = std::iter::once(file).chain(args_of).map(|word| quoted(&word));
                Some((all.collect(), vec![program, args]))
            }
            (None, Some(line)) => Some((vec![line], vec![command])),
            _ => None,
        },
        Words::Process { pid, address } => one(pid).or_else(|| one(address)),
        Words::Assignment(target, value) => match (of(target), of(value)) {
            (Some(left), Some(right)) => {
                Some((vec![quoted(&left), quoted(&right)], vec![target, value]))
            }
            _ => None,
        },
    };
    found.unwrap_or_default()
}

fn flag(name: &str, value: &Value, is_listed: bool, parts: &mut Vec<String>) {
    // `--options name=value` for the arguments that are not listed.
    let long = format!("--{}", name.replace('_', "-"));
    match value {
        _ if !is_listed => {
            parts.push(format!("--options {}", quoted(&format!("{name}={}", text(value)))))
        }
        Value::Bool(true) => parts.push(long),
        Value::Bool(false) => parts.push(format!("{long}=false")),
        Value::Array(items) => {
            for item in items {
                parts.push(format!("{long} {}", quoted(&text(item))));
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                parts.push(format!("{long} {}", quoted(&format!("{key}={}", text(value)))));
            }
        }
        value => parts.push(format!("{long} {}", quoted(&text(value)))),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    shell_words::quote(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_commands() {
        for (text, expect) in [
            (
                "next: debug_variables path=item · debug_step · debug_continue",
                "next: dapdock vars item · dapdock step · dapdock continue",
            ),
            ("(in full: debug_variables path=items)", "(in full: dapdock vars items)"),
            (
                r#"Try: debug_breakpoints {"set": ["a.py:4 if x > 1"], "clear": true}"#,
                "Try: dapdock break --clear 'a.py:4 if x > 1'",
            ),
            (
                r#"Try: debug_evaluate {"expressions": ["a + 1"], "effects": "allow"}"#,
                "Try: dapdock eval --effects allow 'a + 1'",
            ),
            (r#"debug_evaluate ["item.kind"]"#, r#"dapdock eval ["item.kind"]"#),
            ("debug_output since=14)", "dapdock output --since 14)"),
            (
                "debug_restart session=py-1 starts it again",
                "dapdock restart --session py-1 starts it again",
            ),
            (
                r#"debug_launch {"program": "a b.py", "args": ["-x"], "timeout_s": 5}"#,
                "dapdock launch --timeout-s 5 'a b.py' -x",
            ),
            (r#"debug_launch {"command": "pytest -k gold"}"#, "dapdock launch pytest -k gold"),
            (r#"debug_attach {"pid": 71}"#, "dapdock attach 71"),
            (r#"debug_set {"target": "x", "value": "a b"}"#, "dapdock set x 'a b'"),
            (
                r#"debug_variables path="a['b c']" depth=2"#,
                r#"dapdock vars --depth 2 'a['\''b c'\'']'"#,
            ),
            ("my_debug_step is no tool", "my_debug_step is no tool"),
            ("debug_stack all_threads=true", "dapdock stack --all-threads"),
        ] {
            assert_eq!(rewritten(text), expect);
        }
    }
}
