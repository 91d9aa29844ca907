//! Translates a caller's expression in Rust, C or C++ into one that the adapter evaluates exactly.
//!
//! CodeLLDB's own "simple expressions" compute as Python does (`49 / 10` is 4.9), do not know `&&`,
//! `!` and `->`, and take any plain variable for false in a condition (codelldb/value.py: a `Value`
//! is true if it has children). So the text is parsed here and sent as calls of
//! `runtime/operators.py`, which computes as the frame's language does. Knows the syntax; does not
//! know what a name stands for.

mod parse;
mod scan;

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::{EvaluateIntent, Evaluation, Risk};

use parse::{Reading, assignment, parse};
use scan::literal;

/// The prefixes of CodeLLDB's expression languages (expressions/mod.rs, `get_expression_type`).
const NATIVE: &str = "/nat ";
const PYTHON: &str = "/py ";
const SIMPLE: &str = "/se ";

/// The `evaluate` request for a caller's expression.
pub fn evaluation(
    text: &str,
    intent: EvaluateIntent,
    is_rust: bool,
) -> Result<Option<Evaluation>, Error> {
    let text = text.trim();
    if intent == EvaluateIntent::Assign {
        let calls = translated(text, is_rust, assignment)?;
        return request(format!("{PYTHON}operators.here().{calls}"), Risk::WritesState);
    }
    let statement = matches!(intent, EvaluateIntent::Call | EvaluateIntent::DebuggerCommand);
    if statement
        && text.starts_with(['`', '?', '/'])
        && ![NATIVE, PYTHON, SIMPLE].iter().any(|own| text.starts_with(own))
    {
        return Ok(None);
    }
    if text.starts_with(PYTHON) || text.starts_with(NATIVE) {
        let prefix = if text.starts_with(PYTHON) { PYTHON } else { native(is_rust)? };
        if !statement {
            let prefix = prefix.trim();
            return Err(Error::invalid_request(format!(
                "`{prefix}` may call code of the program; repeat with effects=allow"
            )));
        }
        return request(text.into(), Risk::CallsCode);
    }
    if text.starts_with(SIMPLE) {
        return request(text.into(), Risk::Reads);
    }
    let (plain, format) = formatted(text);
    match (translated(plain, is_rust, parse), statement) {
        (Ok(calls), false) => {
            request(operators_call(&format!("displayed({calls})"), format), Risk::Reads)
        }
        (Ok(calls), true) => {
            let allowed = format!("allowed(lambda: {calls}, {})", literal(plain));
            request(operators_call(&allowed, format), Risk::CallsCode)
        }
        // LLDB cannot compile Rust, but C and C++.
        (Err(why), true) if !is_rust => {
            let native = format!(
                "{PYTHON}operators.here().native({}, {})",
                literal(text),
                literal(&why.message)
            );
            request(native, Risk::CallsCode)
        }
        (Err(why), _) => Err(Error::invalid_request(format!(
            "{}{}",
            why.message,
            effects_hint(&why.message, is_rust)
        ))),
    }
}

/// An `evaluate` request in the context `watch`.
fn request(expression: String, risk: Risk) -> Result<Option<Evaluation>, Error> {
    Ok(Some(Evaluation { expression, context: "watch".into(), risk }))
}

/// The call of operators.py. CodeLLDB sets a format on LLDB's own value
/// (debug_session/variables.rs, `apply_format_spec`), which keeps it in later stops: so a copy gets
/// the format.
fn operators_call(call: &str, format: &str) -> String {
    match format {
        "" => format!("{PYTHON}operators.here().{call}"),
        _ => format!("{PYTHON}operators.here().copied(operators.{call}){format}"),
    }
}

/// The condition of a breakpoint, as an expression that is true or false.
pub fn condition(text: &str, is_rust: bool) -> Result<String, Error> {
    let text = text.trim();
    let holds =
        |calls: &str| format!("{PYTHON}operators.here().holds(lambda: {calls}, {})", literal(text));
    if let Some(python) = text.strip_prefix(PYTHON) {
        return Ok(holds(&format!("({python})")));
    }
    if let Some(c) = text.strip_prefix(NATIVE) {
        native(is_rust)?;
        return Ok(holds(&format!("operators.native({})", literal(c))));
    }
    let plain = text.strip_prefix(SIMPLE).unwrap_or(text);
    let calls = translated(plain, is_rust, parse).map_err(|error| {
        let why = error.message;
        Error::invalid_request(format!("condition `{plain}` does not parse: {why}"))
    })?;
    Ok(holds(&calls))
}

/// Says whether effects=allow would help.
fn effects_hint(why: &str, is_rust: bool) -> &'static str {
    if !why.starts_with(parse::CANNOT_CALL) {
        ""
    } else if is_rust {
        "; effects=allow changes nothing: LLDB cannot run Rust code"
    } else {
        "; repeat with effects=allow to run it"
    }
}

/// LLDB compiles C and C++ only.
fn native(is_rust: bool) -> Result<&'static str, Error> {
    if is_rust {
        return Err(Error::invalid_request("`/nat` compiles C and C++ only; leave it out"));
    }
    Ok(NATIVE)
}

/// Splits off the format that CodeLLDB takes at the end: `flags,x`, `bytes,[4]`.
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

/// If Rust and C parse the text differently (`a & 1 == 0`), the language of the frame decides;
/// likewise if it parses only as C, unless the program is known to be Rust.
fn translated(
    text: &str,
    is_rust: bool,
    reader: fn(&str, Reading) -> Result<String, String>,
) -> Result<String, Error> {
    match [Reading::Rust, Reading::C].map(|reading| reader(text, reading)) {
        [Ok(rust), Ok(c)] if rust == c => Ok(rust),
        [Ok(rust), Ok(c)] => Ok(format!("operators.either(lambda: {rust}, lambda: {c})")),
        [Err(why), Ok(c)] if !is_rust => Ok(format!(
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
        let operators_call = evaluation(text, EvaluateIntent::Value, false);
        let operators_call = operators_call
            .map(|operators_call| operators_call.map(|operators_call| operators_call.expression));
        assert_eq!(
            operators_call.map_err(|error| error.message),
            Ok(Some(expect.to_owned())),
            "{text}"
        );
    }

    #[track_caller]
    fn holds(text: &str, is_rust: bool, expect: &str) {
        let operators_call = condition(text, is_rust).unwrap_or_else(|error| error.message);
        assert_eq!(operators_call, expect, "{text}");
    }

    #[test]
    fn values_are_computed_by_operators_py() {
        value("total", r#"/py operators.here().displayed(operators.name("total"))"#);
        value(
            "flags,x",
            r#"/py operators.here().copied(operators.displayed(operators.name("flags"))),x"#,
        );
        value(
            "p,x[4]",
            r#"/py operators.here().copied(operators.displayed(operators.name("p"))),x[4]"#,
        );
        value("/se total", "/se total");
    }

    #[test]
    fn conditions_are_true_or_false() {
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
                "/py operators.here().holds(lambda: operators.either(lambda: {rust}, lambda: {c}), \
                \"m & 1 == 0\")"
            ),
        );
        let refused =
            "`?:` is an operator of C; in Rust evaluate the condition and both values separately";
        let [rust, c] = [
            format!("operators.refused(\"{refused}\")"),
            format!("operators.choose({mask}, lambda: {one}, lambda: {zero})"),
        ];
        value(
            "m ? 1 : 0",
            &format!(
                "/py operators.here().displayed(operators.either(lambda: {rust}, lambda: {c}))"
            ),
        );
        holds("m ? 1 : 0", true, &format!("condition `m ? 1 : 0` does not parse: {refused}"));
    }

    #[test]
    fn assignment_splits_at_the_first_equals_sign() {
        let sent = |text| {
            let operators_call = evaluation(text, EvaluateIntent::Assign, true);
            operators_call
                .map(|operators_call| {
                    operators_call
                        .map(|operators_call| operators_call.expression)
                        .unwrap_or_default()
                })
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
        assert_eq!(sent("list[1] = "), "a value is missing at the end");
        assert_eq!(sent("x = 1 = 2"), "it assigns, which debug_set does");
    }

    #[test]
    fn allowed_expression_may_be_compiled() {
        let sent = |text, is_rust| {
            let operators_call = evaluation(text, EvaluateIntent::Call, is_rust);
            operators_call
                .map(|operators_call| {
                    operators_call
                        .map(|operators_call| operators_call.expression)
                        .unwrap_or_default()
                })
                .unwrap_or_else(|error| error.message)
        };
        let allowed =
            r#"/py operators.here().copied(operators.allowed(lambda: operators.name("x"), "x")),h"#;
        assert_eq!(sent("x,h", false), allowed);
        assert!(
            sent("f(1)", false)
                .starts_with(r#"/py operators.here().native("f(1)", "cannot call `f`"#)
        );
        assert!(sent("f(1)", true).starts_with("cannot call `f`"));
    }

    #[test]
    fn expression_that_may_call_code_needs_effects() {
        let refused = |text, is_rust| {
            evaluation(text, EvaluateIntent::Value, is_rust).err().map(|error| error.message)
        };
        assert_eq!(
            refused("/py 1", false).as_deref(),
            Some("`/py` may call code of the program; repeat with effects=allow")
        );
        assert_eq!(
            refused("/nat f(1)", true).as_deref(),
            Some("`/nat` compiles C and C++ only; leave it out")
        );
        let allowed = evaluation("/nat f(1)", EvaluateIntent::Call, false).ok().flatten();
        assert_eq!(
            allowed.map(|operators_call| operators_call.expression).as_deref(),
            Some("/nat f(1)")
        );
        assert!(
            evaluation("`bt", EvaluateIntent::Call, false)
                .is_ok_and(|operators_call| operators_call.is_none())
        );
    }
}
