//! A caller's expression in Rust, C or C++, as one that the adapter evaluates exactly.
//!
//! CodeLLDB's own "simple expressions" compute as Python does (`49 / 10` is 4.9), know neither
//! `&&`, `!` nor `->`, and take any plain variable for false in a condition (codelldb/value.py: a
//! `Value` is as true as it has children). So the text is read here, and sent as calls of
//! `lldb/operators.py`, which computes as the frame's language does. Knows the syntax; refuses to
//! know what a name stands for.

mod parse;
mod scan;

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::{EvaluateIntent, Evaluation, Risk};

use parse::{Reading, assignment, parse};
use scan::literal;

/// The prefixes by which CodeLLDB tells its languages apart (expressions/mod.rs,
/// `get_expression_type`).
const NATIVE: &str = "/nat ";
const PYTHON: &str = "/py ";
const SIMPLE: &str = "/se ";

/// What is sent for a text whose value is wanted.
pub fn evaluation(
    text: &str,
    intent: EvaluateIntent,
    rust: bool,
) -> Result<Option<Evaluation>, Error> {
    let text = text.trim();
    let sent = |expression: String, context: &str, risk| {
        Ok(Some(Evaluation { expression, context: context.into(), risk }))
    };
    if intent == EvaluateIntent::Assign {
        let calls = read(text, rust, assignment)?;
        return sent(format!("{PYTHON}operators.here().{calls}"), "watch", Risk::WritesState);
    }
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
            return Err(Error::invalid_request(format!(
                "`{prefix}` may run code; effects=allow lets it"
            )));
        }
        return sent(text.into(), "watch", Risk::CallsCode);
    }
    if text.starts_with(SIMPLE) {
        return sent(text.into(), "watch", Risk::Reads);
    }
    let (plain, format) = formatted(text);
    match (read(plain, rust, parse), statement) {
        (Ok(calls), false) => sent(told(&format!("shown({calls})"), format), "watch", Risk::Reads),
        (Ok(calls), true) => {
            let allowed = format!("allowed(lambda: {calls}, {})", literal(plain));
            sent(told(&allowed, format), "watch", Risk::CallsCode)
        }
        // LLDB compiles no Rust; what is C it compiles.
        (Err(why), true) if !rust => {
            let native = format!(
                "{PYTHON}operators.here().native({}, {})",
                literal(text),
                literal(&why.message)
            );
            sent(native, "watch", Risk::CallsCode)
        }
        (Err(why), _) => {
            Err(Error::invalid_request(format!("{}{}", why.message, leave(&why.message, rust))))
        }
    }
}

/// What operators.py is asked for. CodeLLDB sets a format on LLDB's own value
/// (debug_session/variables.rs, `apply_format_spec`), which keeps it from stop to stop: it gets a
/// copy.
fn told(call: &str, format: &str) -> String {
    match format {
        "" => format!("{PYTHON}operators.here().{call}"),
        _ => format!("{PYTHON}operators.here().apart(operators.{call}){format}"),
    }
}

/// The condition of a breakpoint, as a truth.
pub fn condition(text: &str, rust: bool) -> Result<String, Error> {
    let text = text.trim();
    let holds =
        |calls: &str| format!("{PYTHON}operators.here().holds(lambda: {calls}, {})", literal(text));
    if let Some(python) = text.strip_prefix(PYTHON) {
        return Ok(holds(&format!("({python})")));
    }
    if let Some(c) = text.strip_prefix(NATIVE) {
        native(rust)?;
        return Ok(holds(&format!("operators.native({})", literal(c))));
    }
    let plain = text.strip_prefix(SIMPLE).unwrap_or(text);
    let calls = read(plain, rust, parse).map_err(|error| {
        let why = error.message;
        Error::invalid_request(format!("condition `{plain}` does not parse: {why}"))
    })?;
    Ok(holds(&calls))
}

/// What leave to run code would change.
fn leave(why: &str, rust: bool) -> &'static str {
    match (why.contains("would be called"), rust) {
        (false, _) => "",
        (true, true) => "; effects=allow changes nothing, as LLDB compiles no Rust",
        (true, false) => "; effects=allow has the program run it",
    }
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
        && (count.is_empty()
            || counts.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit())));
    if is_format { (&text[..at], &text[at..]) } else { (text, "") }
}

/// Where Rust and C read it differently (`a & 1 == 0`) the frame decides; so where it is C only,
/// unless the program is known to be Rust.
fn read(
    text: &str,
    rust: bool,
    reader: fn(&str, Reading) -> Result<String, String>,
) -> Result<String, Error> {
    match [Reading::Rust, Reading::C].map(|reading| reader(text, reading)) {
        [Ok(rust), Ok(c)] if rust == c => Ok(rust),
        [Ok(rust), Ok(c)] => Ok(format!("operators.either(lambda: {rust}, lambda: {c})")),
        [Err(why), Ok(c)] if !rust => Ok(format!(
            "operators.either(lambda: operators.refused({}), lambda: {c})",
            literal(&why)
        )),
        [Err(why), _] | [_, Err(why)] => Err(Error::invalid_request(why)),
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
        value(
            "flags,x",
            r#"/py operators.here().apart(operators.shown(operators.name("flags"))),x"#,
        );
        value("p,x[4]", r#"/py operators.here().apart(operators.shown(operators.name("p"))),x[4]"#);
        value("/se total", "/se total");
    }

    #[test]
    fn conditions_are_truths() {
        holds(
            "done",
            true,
            r#"/py operators.here().holds(lambda: operators.name("done"), "done")"#,
        );
        holds(
            "/se done",
            true,
            r#"/py operators.here().holds(lambda: operators.name("done"), "/se done")"#,
        );
        holds("/py $done", true, r#"/py operators.here().holds(lambda: ($done), "/py $done")"#);
        holds(
            "/nat done",
            false,
            r#"/py operators.here().holds(lambda: operators.native("done"), "/nat done")"#,
        );
        holds("/nat done", true, "`/nat` compiles C and C++ only; leave it out");
    }

    #[test]
    fn the_frame_decides_where_languages_differ() {
        let [mask, one, zero] =
            [r#"operators.name("m")"#, "operators.number(1)", "operators.number(0)"];
        let rust =
            format!(r#"operators.compare("==", operators.compute("&", {mask}, {one}), {zero})"#);
        let c =
            format!(r#"operators.compute("&", {mask}, operators.compare("==", {one}, {zero}))"#);
        holds(
            "m & 1 == 0",
            true,
            &format!(
                r#"/py operators.here().holds(lambda: operators.either(lambda: {rust}, lambda: {c}), "m & 1 == 0")"#
            ),
        );
        let refused = "`?:` is C's; in Rust write what it tests, and each of the two alone";
        let [rust, c] = [
            format!("operators.refused(\"{refused}\")"),
            format!("operators.choose({mask}, lambda: {one}, lambda: {zero})"),
        ];
        value(
            "m ? 1 : 0",
            &format!("/py operators.here().shown(operators.either(lambda: {rust}, lambda: {c}))"),
        );
        holds("m ? 1 : 0", true, &format!("condition `m ? 1 : 0` does not parse: {refused}"));
    }

    #[test]
    fn what_is_given_a_value_stands_before_the_first_sign_of_it() {
        let sent = |text| {
            let told = evaluation(text, EvaluateIntent::Assign, true);
            told.map(|told| told.map(|told| told.expression).unwrap_or_default())
                .unwrap_or_else(|error| error.message)
        };
        let [list, x] = [
            r#"operators.element(operators.name("list"), operators.number(1))"#,
            r#"operators.name("x")"#,
        ];
        assert_eq!(
            sent("list[1] = x"),
            format!(r#"/py operators.here().assign({list}, {x}, "list[1]")"#)
        );
        assert_eq!(sent("list[1]"), "it has no value");
        assert_eq!(sent("list[1] = "), "it ends where a value is due");
        assert_eq!(sent("x = 1 = 2"), "it assigns, which debug_set does");
    }

    #[test]
    fn what_is_allowed_to_run_code_may_be_compiled() {
        let sent = |text, rust| {
            let told = evaluation(text, EvaluateIntent::Call, rust);
            told.map(|told| told.map(|told| told.expression).unwrap_or_default())
                .unwrap_or_else(|error| error.message)
        };
        let allowed =
            r#"/py operators.here().apart(operators.allowed(lambda: operators.name("x"), "x")),h"#;
        assert_eq!(sent("x,h", false), allowed);
        assert!(
            sent("f(1)", false)
                .starts_with(r#"/py operators.here().native("f(1)", "`f` would be called"#)
        );
        assert!(sent("f(1)", true).starts_with("`f` would be called"));
    }

    #[test]
    fn what_may_run_code_needs_leave() {
        let refused = |text, rust| {
            evaluation(text, EvaluateIntent::Value, rust).err().map(|error| error.message)
        };
        assert_eq!(
            refused("/py 1", false).as_deref(),
            Some("`/py` may run code; effects=allow lets it")
        );
        assert_eq!(
            refused("/nat f(1)", true).as_deref(),
            Some("`/nat` compiles C and C++ only; leave it out")
        );
        let allowed = evaluation("/nat f(1)", EvaluateIntent::Call, false).ok().flatten();
        assert_eq!(allowed.map(|told| told.expression).as_deref(), Some("/nat f(1)"));
        assert!(evaluation("`bt", EvaluateIntent::Call, false).is_ok_and(|told| told.is_none()));
    }
}
