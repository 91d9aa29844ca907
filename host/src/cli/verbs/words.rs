//! The arguments of a tool from a command line.
//!
//! Flags and words stay texts: the tool checks and converts them as those of every caller.

use clap::ArgMatches;
use clap::parser::ValueSource;
use serde_json::{Map, Value};

use super::flags::{Chosen, WORDS};
use crate::mcp::Words;

/// The arguments of a command line `raw`; an error is wrong usage. `is_file`: whether a word names
/// a file where the program starts.
pub fn arguments(
    chosen: &Chosen,
    matches: &ArgMatches,
    raw: &[String],
    is_file: &dyn Fn(&str) -> bool,
) -> Result<Map<String, Value>, String> {
    let mut arguments = Map::new();
    let schema = chosen.tool.schema();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        if let Some(values) = typed(matches, name) {
            arguments.insert(name.clone(), value(name, property, &values)?);
        }
    }
    for name in chosen.tool.unlisted() {
        if let Some([.., last]) = typed(matches, name).as_deref() {
            arguments.insert((*name).to_owned(), literal(last));
        }
    }
    for (name, value) in chosen.sets {
        arguments.insert((*name).to_owned(), (*value).into());
    }
    let words = matches.try_get_many::<String>(WORDS).ok().flatten();
    let words: Vec<String> = words.into_iter().flatten().cloned().collect();
    if !words.is_empty() {
        let is_verbatim = raw.len().checked_sub(words.len() + 1).is_some_and(|at| raw[at] == "--");
        add_words(chosen.words, words, is_verbatim, is_file, &mut arguments)?;
    }
    Ok(arguments)
}

/// The values of a flag, if it was typed.
fn typed<'a>(matches: &'a ArgMatches, name: &str) -> Option<Vec<&'a String>> {
    let values = matches.try_get_many::<String>(name).ok()??;
    let is_typed = matches.value_source(name) == Some(ValueSource::CommandLine);
    is_typed.then(|| values.collect())
}

fn value(name: &str, property: &Value, values: &[&String]) -> Result<Value, String> {
    match property["type"].as_str() {
        Some("array") => Ok(values.iter().map(|value| item(value)).collect()),
        Some("object") => {
            let mut fields = Map::new();
            for value in values {
                let Some((key, value)) = value.split_once('=') else {
                    return Err(format!("--{name} takes NAME=VALUE, got `{value}`"));
                };
                fields.insert(key.to_owned(), literal(value));
            }
            Ok(Value::Object(fields))
        }
        _ => Ok(values.last().map(|value| Value::from(value.as_str())).unwrap_or_default()),
    }
}

/// A text, or the JSON that is written exactly so: `1e5` and `007` stay texts.
fn literal(text: &str) -> Value {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return text.into() };
    let written = value.to_string();
    if value.is_null() || written != text { text.into() } else { value }
}

/// An item: an object where JSON is written, else a text.
fn item(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(object @ Value::Object(_)) => object,
        _ => text.into(),
    }
}

/// A breakpoint that stops at its first hit.
fn once(item: Value) -> Value {
    let mut fields = match item {
        Value::Object(fields) => fields,
        place => Map::from_iter([("at".to_owned(), place)]),
    };
    fields.entry("hit_condition").or_insert_with(|| "1".into());
    Value::Object(fields)
}

/// `is_verbatim`: `--` is in front of the words.
fn add_words(
    words: Words,
    mut given: Vec<String>,
    is_verbatim: bool,
    is_file: &dyn Fn(&str) -> bool,
    arguments: &mut Map<String, Value>,
) -> Result<(), String> {
    match words {
        Words::None => {}
        Words::One(name) => drop(arguments.insert(name.to_owned(), given.remove(0).into())),
        Words::Each(name) => drop(arguments.insert(name.to_owned(), given.into())),
        Words::Joined(name) => drop(arguments.insert(name.to_owned(), given.join(" ").into())),
        Words::JoinedItem(name) => {
            arguments.insert(name.to_owned(), Value::from(vec![given.join(" ")]));
        }
        Words::CommandLine { program, args, command } => {
            let (mut line, breakpoints) =
                if is_verbatim { (given, Vec::new()) } else { command_line(given, is_file) };
            if !is_verbatim && line[0].starts_with('-') {
                return Err(format!("there is no flag `{}`; behind -- it is a program", line[0]));
            }
            if is_program(&line[0], is_file) {
                arguments.insert(program.to_owned(), line.remove(0).into());
                if !line.is_empty() {
                    arguments.insert(args.to_owned(), line.into());
                }
            } else {
                arguments.insert(command.to_owned(), shell_words::join(line).into());
            }
            if !breakpoints.is_empty() {
                let list = arguments.entry("breakpoints").or_insert_with(|| Value::Array(vec![]));
                if let Value::Array(list) = list {
                    list.extend(breakpoints.iter().map(|one| item(one)));
                }
            }
        }
        Words::Breakpoints(name) => {
            let items = breakpoints(&given);
            arguments.insert(name.to_owned(), items.iter().map(|one| item(one)).collect());
        }
        Words::Once(name) => {
            let items = breakpoints(&given);
            arguments.insert(name.to_owned(), items.iter().map(|one| once(item(one))).collect());
        }
        Words::Process { pid, address } => {
            let word = given.remove(0);
            let is_pid = word.bytes().all(|byte| byte.is_ascii_digit());
            let name = if is_pid { pid } else { address };
            arguments.insert(name.to_owned(), word.into());
        }
        Words::Assignment(target, value) => {
            let text = given.join(" ");
            // `x = 1`, `x=1` and `x 1`.
            let parts = match given.as_slice() {
                [one] => one.split_once('=').map(|(one, other)| (one.to_owned(), other.to_owned())),
                [one, rest @ ..] => {
                    let rest = rest.join(" ");
                    let rest = rest.strip_prefix("= ").unwrap_or(&rest).to_owned();
                    Some((one.clone(), rest))
                }
                [] => None,
            };
            let Some((one, other)) = parts else {
                return Err(format!("`set` takes a variable and its value, got `{text}`"));
            };
            arguments.insert(target.to_owned(), one.trim().into());
            arguments.insert(value.to_owned(), other.trim().into());
        }
    }
    Ok(())
}

/// Whether a word is a file to debug and no command: a file, or a path or a name with an extension
/// that is no command either.
fn is_program(word: &str, is_file: &dyn Fn(&str) -> bool) -> bool {
    is_file(word) || word.contains('/') || (word.contains('.') && !is_on_path(word))
}

fn is_on_path(word: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(word).is_file())
}

/// The command line, and the breakpoints among its words: `-b FILE:LINE` before `--`, of a file.
fn command_line(given: Vec<String>, is_file: &dyn Fn(&str) -> bool) -> (Vec<String>, Vec<String>) {
    let (mut command, mut breakpoints) = (Vec::new(), Vec::new());
    let mut given = given.into_iter().peekable();
    let mut is_open = true;
    while let Some(word) = given.next() {
        is_open &= word != "--";
        match given.peek() {
            Some(place)
                if is_open && !command.is_empty() && word == "-b" && is_line(place, is_file) =>
            {
                breakpoints.extend(given.next());
            }
            _ => command.push(word),
        }
    }
    (command, breakpoints)
}

/// `FILE:LINE`, with or without a condition.
fn is_line(word: &str, is_file: &dyn Fn(&str) -> bool) -> bool {
    let place = word.split_whitespace().next().unwrap_or_default();
    place
        .split_once(':')
        .is_some_and(|(file, line)| line.starts_with(|c: char| c.is_ascii_digit()) && is_file(file))
}

/// The items: a place begins one, unless a condition or a text has begun.
fn breakpoints(given: &[String]) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut is_open = true;
    for word in given {
        if matches!(word.split(' ').next(), Some("if" | "log")) {
            is_open = false;
        }
        match items.last_mut() {
            Some(item) if !is_open => {
                item.push(' ');
                item.push_str(word);
            }
            _ => items.push(word.clone()),
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND_LINE: Words =
        Words::CommandLine { program: "program", args: "args", command: "command" };

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn words_become_arguments() {
        let of = |form: Words, text: &str| {
            let mut arguments = Map::new();
            let is_file = |word: &str| word.ends_with(".py");
            let (words, verbatim) = match text.strip_prefix("-- ") {
                Some(text) => (words(text), true),
                None => (words(text), false),
            };
            add_words(form, words, verbatim, &is_file, &mut arguments).unwrap();
            Value::Object(arguments).to_string()
        };
        for (form, text, expect) in [
            (Words::One("until"), "app.py:4", r#"{"until":"app.py:4"}"#),
            (Words::Each("breakpoints"), "1 2", r#"{"breakpoints":["1","2"]}"#),
            (Words::JoinedItem("expressions"), "a + 1", r#"{"expressions":["a + 1"]}"#),
            (Words::Joined("command"), "info reg", r#"{"command":"info reg"}"#),
            (
                Words::Breakpoints("set"),
                "a.py:1 b.py:2 if x > 1 log v={x}",
                r#"{"set":["a.py:1","b.py:2 if x > 1 log v={x}"]}"#,
            ),
            (
                Words::Once("set"),
                "a.py:1 if x > 1",
                r#"{"set":[{"at":"a.py:1 if x > 1","hit_condition":"1"}]}"#,
            ),
            (
                Words::Breakpoints("set"),
                r#"{"at":"a.py:4","hit_condition":"3"}"#,
                r#"{"set":[{"at":"a.py:4","hit_condition":"3"}]}"#,
            ),
            (
                COMMAND_LINE,
                "check -k gold -b cart.py:41",
                r#"{"command":"check -k gold","breakpoints":["cart.py:41"]}"#,
            ),
            (COMMAND_LINE, "app -b 3 -- -b x.py:4", r#"{"command":"app -b 3 -- -b x.py:4"}"#),
            (COMMAND_LINE, "app.py -b 3 x", r#"{"program":"app.py","args":["-b","3","x"]}"#),
            (COMMAND_LINE, "missing.rb", r#"{"program":"missing.rb"}"#),
            (COMMAND_LINE, "serve -b 127.0.0.1:80", r#"{"command":"serve -b 127.0.0.1:80"}"#),
            (
                COMMAND_LINE,
                "-- app.py -b app.py:1",
                r#"{"program":"app.py","args":["-b","app.py:1"]}"#,
            ),
            (Words::Process { pid: "pid", address: "address" }, "71", r#"{"pid":"71"}"#),
            (
                Words::Process { pid: "pid", address: "address" },
                "localhost:5678",
                r#"{"address":"localhost:5678"}"#,
            ),
            (Words::Assignment("target", "value"), "x = 1", r#"{"target":"x","value":"1"}"#),
            (Words::Assignment("target", "value"), "x=1", r#"{"target":"x","value":"1"}"#),
            (Words::Assignment("target", "value"), "x a b", r#"{"target":"x","value":"a b"}"#),
        ] {
            assert_eq!(of(form, text), expect);
        }
    }

    #[test]
    fn values_of_options_are_json_only_if_written_so() {
        for (text, expect) in [
            ("true", Value::Bool(true)),
            ("12", 12.into()),
            ("1e5", "1e5".into()),
            ("007", "007".into()),
            ("null", "null".into()),
            ("[1,2]", serde_json::json!([1, 2])),
            ("a b", "a b".into()),
        ] {
            assert_eq!(literal(text), expect);
        }
    }
}
