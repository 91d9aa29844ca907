//! A caller's expression in Rust, C or C++, as one that the adapter evaluates exactly.
//!
//! CodeLLDB's own "simple expressions" compute as Python does (`49 / 10` is 4.9), know neither `&&`, `!` nor `->`,
//! and take any plain variable for false in a condition (codelldb/value.py: a `Value` is as true as it has children).
//! So the text is read here, and sent as calls of `operators.py`, which computes as the frame's language does. Knows
//! the syntax; refuses to know what a name stands for.

mod parse;
mod scan;

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::{EvaluateIntent, Evaluation, Risk};

use parse::{Reading, parse};

/// The prefixes by which CodeLLDB tells its languages apart (expressions/mod.rs, `get_expression_type`).
const NATIVE: &str = "/nat ";
const PYTHON: &str = "/py ";
const SIMPLE: &str = "/se ";

/// What is sent for a text whose value is wanted.
pub fn evaluation(text: &str, intent: EvaluateIntent, rust: bool) -> Result<Option<Evaluation>, Error> {
    let text = text.trim();
    let sent =
        |expression: String, context: &str, risk| Ok(Some(Evaluation { expression, context: context.into(), risk }));
    let statement = matches!(intent, EvaluateIntent::Call | EvaluateIntent::DebuggerCommand);
    if statement
        && text.starts_with(['`', '?', '/'])
        && ![NATIVE, PYTHON, SIMPLE].iter().any(|own| text.starts_with(own))
    {
        return Ok(None);
    }
    if text.starts_with(PYTHON) || text.starts_with(NATIVE) {
        let prefix = if text.starts_with(PYTHON) { PYTHON } else { native(rust)? };
        if !statement {
            let prefix = prefix.trim();
            return Err(Error::invalid_request(format!("`{prefix}` may run code; effects=allow lets it")));
        }
        return sent(text.into(), "watch", Risk::CallsCode);
    }
    if text.starts_with(SIMPLE) {
        return sent(text.into(), "watch", Risk::Reads);
    }
    let (text, format) = formatted(text);
    sent(format!("{PYTHON}operators.here().shown({}){format}", calls(text)?), "watch", Risk::Reads)
}

/// The condition of a breakpoint, as a truth.
pub fn condition(text: &str, rust: bool) -> Result<String, Error> {
    let text = text.trim();
    if let Some(python) = text.strip_prefix(PYTHON) {
        return Ok(format!("{PYTHON}operators.here().truth(({python}))"));
    }
    if text.starts_with(NATIVE) {
        return native(rust).map(|_| text.to_owned());
    }
    let text = text.strip_prefix(SIMPLE).unwrap_or(text);
    let calls = calls(text).map_err(|error| {
        let why = error.message;
        Error::invalid_request(format!("condition `{text}` does not parse: {why}"))
    })?;
    Ok(format!("{PYTHON}operators.here().truth({calls})"))
}

/// LLDB compiles C and C++ only.
fn native(rust: bool) -> Result<&'static str, Error> {
    match rust {
        true => Err(Error::invalid_request("`/nat` compiles C and C++ only; leave it out")),
        false => Ok(NATIVE),
    }
}

/// The text without the format that CodeLLDB takes at its end: `flags,x`, `bytes,[4]`.
fn formatted(text: &str) -> (&str, &str) {
    let Some(at) = text.rfind(',') else { return (text, "") };
    let format = &text[at + 1..];
    let count = format.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let letters = format.len() - count.len();
    let counts = count.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let is_format = letters + count.len() > 0
        && letters <= 1
        && (count.is_empty() || counts.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit())));
    if is_format { (&text[..at], &text[at..]) } else { (text, "") }
}

/// Where Rust and C read it differently (`a & 1 == 0`) the frame decides.
fn calls(text: &str) -> Result<String, Error> {
    let [rust, c] = [Reading::Rust, Reading::C].map(|reading| parse(text, reading));
    match (rust, c) {
        (Ok(rust), Ok(c)) if rust == c => Ok(rust),
        (Ok(rust), Ok(c)) => Ok(format!("operators.either(lambda: {rust}, lambda: {c})")),
        (Err(why), _) | (_, Err(why)) => Err(Error::invalid_request(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn value(text: &str, expect: &str) {
        let told = evaluation(text, EvaluateIntent::Value, false);
        let told = told.map(|told| told.map(|told| told.expression));
        assert_eq!(told.map_err(|error| error.message), Ok(Some(expect.to_owned())), "{text}");
    }

    #[track_caller]
    fn holds(text: &str, rust: bool, expect: &str) {
        let told = condition(text, rust).unwrap_or_else(|error| error.message);
        assert_eq!(told, expect, "{text}");
    }

    #[test]
    fn values_are_computed_by_our_operators() {
        value("total", r#"/py operators.here().shown(operators.name("total"))"#);
        value("flags,x", r#"/py operators.here().shown(operators.name("flags")),x"#);
        value("p,x[4]", r#"/py operators.here().shown(operators.name("p")),x[4]"#);
        value("/se total", "/se total");
    }

    #[test]
    fn conditions_are_truths() {
        holds("done", true, r#"/py operators.here().truth(operators.name("done"))"#);
        holds("/se done", true, r#"/py operators.here().truth(operators.name("done"))"#);
        holds("/py $done", true, "/py operators.here().truth(($done))");
        holds("/nat done", false, "/nat done");
        holds("/nat done", true, "`/nat` compiles C and C++ only; leave it out");
    }

    #[test]
    fn the_frame_decides_where_languages_differ() {
        let [mask, one, zero] = [r#"operators.name("m")"#, "operators.number(1)", "operators.number(0)"];
        let rust = format!(r#"operators.compare("==", operators.compute("&", {mask}, {one}), {zero})"#);
        let c = format!(r#"operators.compute("&", {mask}, operators.compare("==", {one}, {zero}))"#);
        holds(
            "m & 1 == 0",
            true,
            &format!("/py operators.here().truth(operators.either(lambda: {rust}, lambda: {c}))"),
        );
    }

    #[test]
    fn what_may_run_code_needs_leave() {
        let refused = |text, rust| evaluation(text, EvaluateIntent::Value, rust).err().map(|error| error.message);
        assert_eq!(refused("/py 1", false).as_deref(), Some("`/py` may run code; effects=allow lets it"));
        assert_eq!(refused("/nat f(1)", true).as_deref(), Some("`/nat` compiles C and C++ only; leave it out"));
        let allowed = evaluation("/nat f(1)", EvaluateIntent::Call, false).ok().flatten();
        assert_eq!(allowed.map(|told| told.expression).as_deref(), Some("/nat f(1)"));
        assert!(evaluation("`bt", EvaluateIntent::Call, false).is_ok_and(|told| told.is_none()));
    }
}
