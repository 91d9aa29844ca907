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
pub use scan::literal;

/// The prefixes of CodeLLDB's expression languages (expressions/mod.rs, `get_expression_type`).
const NATIVE: &str = "/nat ";
const PYTHON: &str = "/py ";
const SIMPLE: &str = "/se ";

const COMMANDS: &str = "an expression does not run Python or commands of LLDB: debug_command does, \
                        `script` in a host with --allow-shell";

/// The `evaluate` request for a caller's expression.
pub fn evaluation(
    text: &str,
    intent: EvaluateIntent,
    is_rust: bool,
) -> Result<Option<Evaluation>, Error> {
    if intent == EvaluateIntent::DebuggerCommand {
        return Ok(None);
    }
    let text = of_adapter(text)?;
    if intent == EvaluateIntent::Assign {
        let calls = translated(text, is_rust, assignment)?;
        return request(format!("{PYTHON}operators.here().{calls}"), Risk::WritesState);
    }
    let statement = intent == EvaluateIntent::Call;
    if text.starts_with(NATIVE) {
        let prefix = native(is_rust)?.trim();
        if !statement {
            return Err(Error::invalid_request(format!(
                "`{prefix}` may call code of the program; repeat with effects=allow"
            )));
        }
        return request(text.into(), Risk::CallsCode);
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

/// The expression for an element of a long list, `{container}[{number}]` (`pages` of the profile);
/// none for another request. CodeLLDB reads it as an index: of a pointer that is another element.
pub fn listed(sent: &dap::EvaluateArguments, is_rust: bool) -> Option<String> {
    let is_value = sent.context.as_deref() == Some("watch") && !sent.expression.starts_with('/');
    let text = sent.expression.strip_suffix(']').filter(|_| is_value)?;
    let (container, number) = text.rsplit_once('[')?;
    let number: u64 = number.parse().ok()?;
    let calls = translated(container, is_rust, parse).ok()?;
    Some(operators_call(&format!("displayed(operators.listed({calls}, {number}))"), ""))
}

/// The text without the prefix of simple expressions, which are parsed here as plain ones are.
///
/// # Errors
/// The adapter would run it as a command of LLDB or in its own Python, which reach files and
/// programs of the caller's machine.
fn of_adapter(text: &str) -> Result<&str, Error> {
    let text = text.trim();
    let text = text.strip_prefix(SIMPLE).unwrap_or(text).trim_start();
    if text.starts_with(['`', '?', '/']) && !text.starts_with(NATIVE) {
        return Err(Error::invalid_request(COMMANDS));
    }
    Ok(text)
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

/// The calls of operators.py that read an expression and change nothing, and the format behind it.
pub fn reading(text: &str, is_rust: bool) -> Result<(String, String), Error> {
    let text = of_adapter(text)?;
    if text.starts_with(NATIVE) {
        let why = format!("`{}` may call code of the program", native(is_rust)?.trim());
        return Err(Error::invalid_request(why));
    }
    let (plain, format) = formatted(text);
    Ok((translated(plain, is_rust, parse)?, format.to_owned()))
}

/// The condition of a breakpoint, as an expression that is true or false.
pub fn condition(text: &str, is_rust: bool) -> Result<String, Error> {
    let sent = text.trim();
    let text = of_adapter(sent)?;
    let holds =
        |calls: &str| format!("{PYTHON}operators.here().holds(lambda: {calls}, {})", literal(sent));
    if let Some(c) = text.strip_prefix(NATIVE) {
        native(is_rust)?;
        return Ok(holds(&format!("operators.native({})", literal(c))));
    }
    let calls = translated(text, is_rust, parse).map_err(|error| {
        let why = error.message;
        Error::invalid_request(format!("condition `{text}` does not parse: {why}"))
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
        [Err(_), Err(why)] if !is_rust => Err(Error::invalid_request(why)),
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
        value("r#type", r#"/py operators.here().displayed(operators.name("type"))"#);
        value("/se total", r#"/py operators.here().displayed(operators.name("total"))"#);
    }

    #[test]
    fn element_of_a_list_is_not_an_index() {
        let element = |expression: &str, context: &str| {
            let (expression, context) = (expression.into(), Some(context.into()));
            let sent = dap::EvaluateArguments { expression, context, ..Default::default() };
            listed(&sent, false)
        };
        let calls = r#"/py operators.here().displayed(operators.listed(operators.name("p"), 70))"#;
        assert_eq!(element("p[70]", "watch").as_deref(), Some(calls));
        assert_eq!(element("p[70]", "clipboard"), None);
        for other in [calls, "p", "p[n]", "/py p[0]", "p +[0]"] {
            assert_eq!(element(other, "watch"), None, "{other}");
        }
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
        holds("/py $done", true, COMMANDS);
        holds("`platform shell ls", false, COMMANDS);
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
            refused("/nat f(1)", false).as_deref(),
            Some("`/nat` may call code of the program; repeat with effects=allow")
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
    }

    #[test]
    fn no_expression_leaves_the_debugger() {
        let intents = [EvaluateIntent::Value, EvaluateIntent::Call, EvaluateIntent::Assign];
        for text in ["/py 1", " `bt", "?bt", "/cmd bt", "/py\t1", "/se `bt", "/se /py 1", "/x = 1"]
        {
            for intent in intents {
                let error = evaluation(text, intent, false).err().map(|error| error.message);
                assert_eq!(error.as_deref(), Some(COMMANDS), "{text}");
            }
            assert_eq!(condition(text, false).unwrap_err().message, COMMANDS, "{text}");
        }
        let command = evaluation("bt", EvaluateIntent::DebuggerCommand, false);
        assert!(command.is_ok_and(|evaluation| evaluation.is_none()));
    }
}
