//! Calls in an answer as commands: `debug_variables path=items` is `dapdock vars items`.
//!
//! Answers name calls by tools, because agents read them, and a host marks them for a command line:
//! only marked calls are rewritten. Refuses to know which calls an answer proposes.

use serde_json::{Map, Value};

use crate::mcp::{Answer, Declared, Verb, Words, declared};
use crate::view::{MARKS, unmarked};

/// The text with its marked calls as commands.
pub fn rewritten(text: &str) -> String {
    let written = with_calls(text, |call, after| {
        let command = command_of(call).unwrap_or_else(|| call.to_owned());
        // A command that words follow is quoted: pasted with them it would fail.
        let has_words = after.strip_prefix(' ').is_some_and(|after| {
            after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '`'))
        });
        if has_words { format!("`{command}`") } else { command }
    });
    unmarked(&written)
}

/// The same for all texts of data.
pub fn rewritten_data(data: &mut Value) {
    each_text(data, &rewritten);
}

/// Gives the marked calls of an answer the name of the session that its command named: without it
/// they would be about another one, or name one that several hosts have.
pub fn name_session(answer: &mut Answer, session: &str) {
    if answer.data.pointer("/error/code").is_some_and(|code| code == "unknown-session") {
        return;
    }
    answer.text = naming(&answer.text, session);
    each_text(&mut answer.data, &|text: &str| naming(text, session));
}

fn naming(text: &str, session: &str) -> String {
    with_calls(text, |call, _| {
        let call = with_session(call, session).unwrap_or_else(|| call.to_owned());
        format!("{}{call}{}", MARKS[0], MARKS[1])
    })
}

/// The call with this session, if it may name one: `PID/NAME` also in place of `NAME`.
fn with_session(call: &str, session: &str) -> Option<String> {
    let name = call.split(' ').next()?;
    let tool = declared().find(|tool| tool.name == name && tool.has_argument("session"))?;
    let (mut arguments, left) = arguments(call.strip_prefix(name)?);
    let is_same = |other: &Value| session.rsplit('/').next() == other.as_str();
    if !left.is_empty() || arguments.get("session").is_some_and(|other| !is_same(other)) {
        return None;
    }
    arguments.insert("session".to_owned(), session.into());
    Some(format!("{} {}", tool.name, Value::Object(arguments)))
}

/// The text with each marked call, which the text after it follows, written anew.
fn with_calls(text: &str, write: impl Fn(&str, &str) -> String) -> String {
    let mut parts = text.split(MARKS[0]);
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((call, after)) = part.split_once(MARKS[1]) else {
            written.push_str(part);
            continue;
        };
        written.push_str(&write(call, after));
        written.push_str(after);
    }
    written
}

/// Changes all texts of data that have marked calls.
fn each_text(data: &mut Value, change: &impl Fn(&str) -> String) {
    match data {
        Value::String(text) if text.contains(MARKS) => *text = change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| each_text(field, change)),
        _ => {}
    }
}

/// The command of a call with all its arguments.
fn command_of(call: &str) -> Option<String> {
    let name = call.split(' ').next()?;
    let tool = declared().find(|tool| tool.name == name)?;
    let (arguments, left) = arguments(call.strip_prefix(name)?);
    if left.is_empty() { Some(command((tool, tool.verb?), &arguments)) } else { None }
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
    let (words, taken) = words(verb.words, arguments);
    let mut parts = vec!["dapdock".to_owned(), verb.name.to_owned()];
    for (name, value) in arguments {
        if !taken.contains(&name.as_str()) {
            flag(name, value, tool.unlisted().contains(&name.as_str()), &mut parts);
        }
    }
    let is_command_line = matches!(verb.words, Words::CommandLine { .. });
    let takes_flag = words.iter().any(|word| word.starts_with('-') || word == "-b");
    let first_is_flag = words.first().is_some_and(|word| word.starts_with('-'));
    if first_is_flag || (takes_flag && (!is_command_line || words.iter().any(|it| it == "-b"))) {
        parts.push("--".to_owned());
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
        Words::Each(name) | Words::Breakpoints(name) | Words::Once(name) => items(name)
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
            (None, Some(line)) => shell_words::split(&line)
                .ok()
                .map(|line| (line.iter().map(|word| quoted(word)).collect(), vec![command])),
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

fn flag(name: &str, value: &Value, is_unlisted: bool, parts: &mut Vec<String>) {
    let long = format!("--{}", name.replace('_', "-"));
    let with = |value: &str| {
        let is_joined = is_unlisted || value.starts_with('-') || value.is_empty();
        format!("{long}{}{}", if is_joined { "=" } else { " " }, quoted(value))
    };
    match value {
        Value::Bool(true) => parts.push(long),
        Value::Bool(false) => parts.push(format!("{long}=false")),
        Value::Array(items) => parts.extend(items.iter().map(|item| with(&text(item)))),
        Value::Object(fields) => {
            for (key, value) in fields {
                parts.push(with(&format!("{key}={}", text(value))));
            }
        }
        value => parts.push(with(&text(value))),
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
    use super::super::{flags, words};
    use super::*;

    fn marked(text: &str) -> String {
        text.replace('«', &MARKS[0].to_string()).replace('»', &MARKS[1].to_string())
    }

    #[test]
    fn marked_calls_are_commands() {
        for (text, expect) in [
            (
                "next: «debug_variables path=item» · «debug_step» · «debug_continue»",
                "next: dapdock vars item · dapdock step · dapdock continue",
            ),
            ("(in full: «debug_variables path=items»)", "(in full: dapdock vars items)"),
            ("s = \"debug_launch program=/bin/sh\"", "s = \"debug_launch program=/bin/sh\""),
            ("«debug_output since=14»)", "dapdock output --since 14)"),
            (
                "next: «debug_restart session=py-1» starts it again",
                "next: `dapdock restart --session py-1` starts it again",
            ),
            (
                r#"Try: «debug_attach {"pid": 71}» (once it has detached)"#,
                "Try: `dapdock attach 71` (once it has detached)",
            ),
            ("«unknown a=b»", "unknown a=b"),
        ] {
            assert_eq!(rewritten(&marked(text)), expect);
        }
    }

    /// A command that is typed makes the call that it was made of.
    #[test]
    fn commands_make_the_calls_that_they_stand_for() {
        for (call, expect) in [
            (
                r#"debug_breakpoints {"set": ["a.py:4 if x > 1"], "clear": true}"#,
                "dapdock break --clear 'a.py:4 if x > 1'",
            ),
            (
                r#"debug_breakpoints {"set": [{"at":"a.py:4","hit_condition":"3"}]}"#,
                r#"dapdock break '{"at":"a.py:4","hit_condition":"3"}'"#,
            ),
            (
                r#"debug_evaluate {"expressions": ["a + 1"], "effects": "allow"}"#,
                "dapdock eval --effects allow 'a + 1'",
            ),
            (
                r#"debug_evaluate {"expressions": ["-1", "b"]}"#,
                "dapdock eval --expressions=-1 --expressions b",
            ),
            (r#"debug_evaluate {"expressions": ["-x"]}"#, "dapdock eval -- -x"),
            (
                r#"debug_launch {"program": "a b.py", "args": ["-x"], "timeout_s": 5}"#,
                "dapdock launch --timeout-s 5 'a b.py' -x",
            ),
            (
                r#"debug_launch {"program": "g.py", "args": ["-b", "a.py:1"]}"#,
                "dapdock launch -- g.py -b a.py:1",
            ),
            (r#"debug_launch {"command": "check -k gold"}"#, "dapdock launch check -k gold"),
            (r#"debug_attach {"pid": 71}"#, "dapdock attach 71"),
            (r#"debug_set {"target": "x", "value": "-1"}"#, "dapdock set -- x -1"),
            (r#"debug_set {"target": "x", "value": "a b"}"#, "dapdock set x 'a b'"),
            (
                r#"debug_variables path="a['b c']" depth=2"#,
                r#"dapdock vars --depth 2 'a['\''b c'\'']'"#,
            ),
            ("debug_stack all_threads=true", "dapdock stack --all-threads"),
            ("debug_output grep=-foo since=2", "dapdock output --grep=-foo --since 2"),
            (
                "debug_status adapter=fake document=reference",
                "dapdock status --adapter=fake --document=reference",
            ),
        ] {
            let written = command_of(call).unwrap();
            assert_eq!(written, expect);
            let line = shell_words::split(&written).unwrap();
            let matches = flags::all().get_matches_from(&line);
            let (name, matches) = matches.subcommand().unwrap();
            let chosen = flags::of(name).unwrap();
            let is_file = |word: &str| word.ends_with(".py");
            let made = words::arguments(&chosen, matches, &line, &is_file).unwrap();
            let (wanted, _) =
                arguments(call.split_once(' ').map_or("", |(name, _)| &call[name.len()..]));
            assert_eq!(texts(&Value::Object(made)), texts(&Value::Object(wanted)), "{call}");
        }
    }

    /// Numbers and truth values are texts on a command line, and the order is its own.
    fn texts(value: &Value) -> Value {
        match value {
            Value::Object(fields) => {
                let mut fields: Vec<_> =
                    fields.iter().map(|(name, value)| (name.clone(), texts(value))).collect();
                fields.sort_by(|one, other| one.0.cmp(&other.0));
                Value::Object(fields.into_iter().collect())
            }
            Value::Array(items) => items.iter().map(texts).collect(),
            other => text(other).into(),
        }
    }
}
