//! `evaluate_safe`: evaluates only what runs nothing of the program.
//!
//! A path is read as a variable. Another expression is evaluated if it calls nothing and all its
//! variables are values without children: operators of other values may run code of the program.
//! Refuses to know the syntax of a language beyond names, numbers, quotes and brackets.

use serde_json::json;

use super::answer::{Refusal, good};
use super::evaluate::{Arguments, Value};
use super::name;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours, forward, run};
use crate::mcp::outcome::Outcome;
use crate::model::{Children, Variable};

/// Words between values that most languages have.
const WORDS: [&str; 11] =
    ["and", "or", "not", "is", "in", "true", "false", "null", "None", "True", "False"];

name! {
    EvaluateSafe(Arguments) -> Value,
    "evaluate_safe", "Evaluate without running code", Reads,
    r#"{"expression": "NAME"}"#,
    "Evaluates a variable's path, or operators and literals over plain values; refuses what would \
     run code of the program."
}

impl EvaluateSafe {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Value, Refusal> {
        let text = arguments.expression.trim();
        let Some(paths) = paths(text) else { return Err(refusal(text, "it calls code")) };
        if let [path] = &paths[..]
            && path == text
        {
            return Ok(Value::of_variable(read(call, &arguments, path).await?));
        }
        for path in &paths {
            if WORDS.contains(&path.as_str()) {
                continue;
            }
            if read(call, &arguments, path).await?.children != Children::None {
                let cause = format!("`{path}` is no plain value, and its operators may be code");
                return Err(refusal(text, &cause));
            }
        }
        Value::of(call, good(forward::<Self>(call, &arguments).await)?)
    }
}

fn refusal(expression: &str, cause: &str) -> Refusal {
    Refusal::Documented {
        code: "unsafe",
        message: format!("`{expression}` may run code of the program: {cause}"),
        next: format!("evaluate {}", json!({"expression": expression})),
        details: Box::new(json!({"expression": expression})),
    }
}

/// The variable at a path.
async fn read(call: &Call, arguments: &Arguments, path: &str) -> Result<Variable, Refusal> {
    let ours = json!({
        "path": path,
        "frame": arguments.frame_index,
        "thread": arguments.thread_id.map(|id| id.to_string()),
        "count": 1,
    });
    let outcome = good(run(call, Ours::new("debug_variables", ours)).await)?.outcome;
    let parent = match outcome {
        Outcome::Variables(page) => page.parent,
        _ => None,
    };
    parent.ok_or_else(|| crate::session::Error::HostFault.into())
}

/// The paths of variables in an expression; `None`: it calls, assigns or builds something.
fn paths(expression: &str) -> Option<Vec<String>> {
    let mut paths = Vec::new();
    let mut path = String::new();
    // The last character that is no space.
    let mut last = ' ';
    let mut rest = expression.chars().peekable();
    while let Some(c) = rest.next() {
        let is_open = !path.is_empty();
        match c {
            c if c.is_alphanumeric() || c == '_' || c == '$' => path.push(c),
            '.' if is_open => path.push(c),
            '[' if is_open => {
                path.push(c);
                path.push_str(&index(&mut rest)?);
                last = ']';
                continue;
            }
            '=' | '<' | '>' | '!' if rest.peek() == Some(&'=') => {
                end(&mut path, &mut paths);
                // `<<=` assigns.
                if c != '=' && c == last {
                    return None;
                }
                while rest.next_if_eq(&'=').is_some() {}
            }
            '(' => {
                end(&mut path, &mut paths);
                let is_word = paths.last().is_some_and(|path| WORDS.contains(&path.as_str()));
                let is_value = last.is_alphanumeric() || "_$)]'\"".contains(last);
                if is_value && !is_word {
                    return None;
                }
            }
            '"' | '\'' if !is_open => quoted(c, &mut rest)?,
            '+' | '-' if c == last => return None,
            ')' | '+' | '-' | '*' | '/' | '%' | '<' | '>' | '!' | '&' | '|' | '^' | '~' => {
                end(&mut path, &mut paths);
            }
            c if c.is_whitespace() => {
                end(&mut path, &mut paths);
                continue;
            }
            _ => return None,
        }
        last = c;
    }
    end(&mut path, &mut paths);
    Some(paths)
}

/// A path ends here, if one is open. One that begins with a digit is a number.
fn end(path: &mut String, paths: &mut Vec<String>) {
    let path = std::mem::take(path);
    if path.chars().next().is_some_and(|first| !first.is_ascii_digit()) {
        paths.push(path);
    }
}

/// The rest of an index behind `[`: a number or a quoted key, with `]`.
fn index(rest: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut text = String::new();
    let mut quote = None;
    for c in rest {
        text.push(c);
        match (c, quote) {
            (']', None) => return Some(text),
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            (c, None) if c.is_ascii_digit() || c == '-' => {}
            _ => return None,
        }
    }
    None
}

/// Skips a quoted text behind its first quote.
fn quoted(quote: char, rest: &mut impl Iterator<Item = char>) -> Option<()> {
    let mut is_escaped = false;
    for c in rest {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return Some(()),
            _ => {}
        }
    }
    None
}

impl Compatible for EvaluateSafe {
    fn ours(arguments: &Arguments) -> Ours {
        arguments.ours("none")
    }
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn variables_of_expressions_without_calls_are_found() {
        let rows: &[(&str, Option<&[&str]>)] = &[
            ("net", Some(&["net"])),
            ("cart.items[0].price", Some(&["cart.items[0].price"])),
            (r#"tags["a b"].x"#, Some(&[r#"tags["a b"].x"#])),
            ("net + 1 >= total*2", Some(&["net", "total"])),
            ("(a - b) === 'it\\'s'", Some(&["a", "b"])),
            ("not (a)", Some(&["not", "a"])),
            ("1 + 1", Some(&[])),
            ("1e3 + 0x1f + x1", Some(&["x1"])),
            ("tax(item)", None),
            ("tax (item)", None),
            ("(tax)(item)", None),
            ("a.b()", None),
            ("a[0](b)", None),
            ("a = 1", None),
            ("a += 1", None),
            ("a <<= 1", None),
            ("a++", None),
            ("a[b()]", None),
            ("a[i]", None),
            ("[f(x)]", None),
            ("f\"{g()}\"", None),
            ("`g()`", None),
        ];
        for &(text, expect) in rows {
            let expect =
                expect.map(|all| all.iter().map(|&path| path.to_owned()).collect::<Vec<_>>());
            assert_eq!(paths(text), expect, "{text}");
        }
    }
}
