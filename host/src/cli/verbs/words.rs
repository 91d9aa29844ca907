//! The arguments of a tool from a command line.
//!
//! Flags and words stay texts: the tool checks and converts them as those of every caller.

use std::path::Path;

use clap::ArgMatches;
use clap::parser::ValueSource;
use serde_json::{Map, Value};

use super::flags::{Chosen, WORDS};
use crate::mcp::Words;

/// The arguments; an error is wrong usage.
pub fn arguments(chosen: &Chosen, matches: &ArgMatches) -> Result<Map<String, Value>, String> {
    let mut arguments = Map::new();
    let schema = chosen.tool.schema();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let given = matches.try_get_many::<String>(name).ok().flatten();
        let is_typed = matches!(
            matches.try_contains_id(name).ok().and_then(|_| matches.value_source(name)),
            Some(ValueSource::CommandLine)
        );
        let Some(values) = given.filter(|_| is_typed) else { continue };
        let values: Vec<&String> = values.collect();
        arguments.insert(name.clone(), value(name, property, &values)?);
    }
    if let Some((name, value)) = chosen.sets {
        arguments.insert(name.to_owned(), value.into());
    }
    let words = matches.try_get_many::<String>(WORDS).ok().flatten();
    let words: Vec<String> = words.into_iter().flatten().cloned().collect();
    if !words.is_empty() {
        add_words(chosen.words, words, &mut arguments)?;
    }
    Ok(arguments)
}

fn value(name: &str, property: &Value, values: &[&String]) -> Result<Value, String> {
    match property["type"].as_str() {
        Some("array") => Ok(values.iter().map(|value| Value::from(value.as_str())).collect()),
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

fn add_words(
    words: Words,
    mut given: Vec<String>,
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
            let (mut line, breakpoints) = command_line(given);
            // Relative to `--cwd` it may be a file too, which the tool finds in a command.
            if Path::new(&line[0]).exists() {
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
                    list.extend(breakpoints.into_iter().map(Value::from));
                }
            }
        }
        Words::Breakpoints(name) => {
            arguments.insert(name.to_owned(), breakpoints(&given).into());
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

/// The command line, and the breakpoints among its words: `-b FILE:LINE` before `--`.
fn command_line(given: Vec<String>) -> (Vec<String>, Vec<String>) {
    let (mut command, mut breakpoints) = (Vec::new(), Vec::new());
    let mut given = given.into_iter().peekable();
    let mut is_open = true;
    while let Some(word) = given.next() {
        is_open &= word != "--";
        match given.peek() {
            Some(place) if is_open && !command.is_empty() && word == "-b" && is_line(place) => {
                breakpoints.extend(given.next());
            }
            _ => command.push(word),
        }
    }
    (command, breakpoints)
}

/// `FILE:LINE`, with or without a condition.
fn is_line(word: &str) -> bool {
    let place = word.split_whitespace().next().unwrap_or_default();
    place.split_once(':').is_some_and(|(file, line)| {
        !file.is_empty() && line.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The items: a place begins one, unless a condition or a text has begun.
fn breakpoints(given: &[String]) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut is_open = true;
    for word in given {
        if matches!(word.as_str(), "if" | "log") {
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
        let of = |words_: Words, text: &str| {
            let mut arguments = Map::new();
            add_words(words_, words(text), &mut arguments).unwrap();
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
                COMMAND_LINE,
                "pytest -k gold -b cart.py:41",
                r#"{"command":"pytest -k gold","breakpoints":["cart.py:41"]}"#,
            ),
            (COMMAND_LINE, "app -b 3 -- -b x.py:4", r#"{"command":"app -b 3 -- -b x.py:4"}"#),
            (
                COMMAND_LINE,
                "Cargo.toml -b 3 x",
                r#"{"program":"Cargo.toml","args":["-b","3","x"]}"#,
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
