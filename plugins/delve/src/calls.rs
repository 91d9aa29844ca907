//! Calls of the program's functions in an expression. Delve makes a call only after the word `call`
//! (server.go, `onEvaluateRequest`), and only in the top frame; its built-in functions and
//! conversions need no `call`.

use dapdock_golang::calls::has_call;
use dapdock_plugin::prelude::*;

/// The text with which Delve refuses a call.
const REFUSED: &str = "function calls not allowed without using 'call'";

/// The arguments with `call` before an expression that calls a function, if calls are allowed (the
/// context `repl`); none if the arguments can be sent unchanged.
pub fn with_call(arguments: &dap::EvaluateArguments) -> Option<dap::EvaluateArguments> {
    let expression = arguments.expression.trim();
    let is_allowed = arguments.context.as_deref() == Some("repl");
    if !is_allowed || super::is_command(expression, &["call"]) || !has_call(expression) {
        return None;
    }
    Some(dap::EvaluateArguments { expression: format!("call {expression}"), ..arguments.clone() })
}

/// The error for the caller, if Delve refused a call.
pub fn refusal(message: &str) -> Option<String> {
    message
        .contains(REFUSED)
        .then(|| "this calls code of the program; repeat with effects=allow".into())
}

/// Marks a result that may be the value of a panic: when a call panics, Delve returns that value in
/// place of the result, in the form of an `any`.
pub fn mark_panic(
    sent: &dap::EvaluateArguments,
    mut body: dap::EvaluateResponse,
) -> dap::EvaluateResponse {
    let expression = sent.expression.trim();
    let is_call = expression.starts_with("call ") || has_call(expression);
    if is_call && body.result.starts_with("interface {}(") {
        body.result.push_str(" (the value of a panic, unless the function returns any)");
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(expression: &str, context: &str) -> dap::EvaluateArguments {
        dap::EvaluateArguments {
            expression: expression.into(),
            context: Some(context.into()),
            ..Default::default()
        }
    }

    fn sent(expression: &str, context: &str) -> Option<String> {
        with_call(&arguments(expression, context)).map(|sent| sent.expression)
    }

    #[test]
    fn functions_are_called_only_if_allowed() {
        assert_eq!(sent("cart.Total() + 1", "repl").as_deref(), Some("call cart.Total() + 1"));
        assert_eq!(sent("len(parse(x))", "repl").as_deref(), Some("call len(parse(x))"));
        assert_eq!(sent("cart.Total()", "watch"), None);
        assert_eq!(sent("call cart.Total()", "repl"), None);
    }

    fn marked(expression: &str, result: &str) -> String {
        let body = dap::EvaluateResponse { result: result.into(), ..Default::default() };
        mark_panic(&arguments(expression, "repl"), body).result
    }

    #[test]
    fn possible_value_of_a_panic_is_marked() {
        let panicked = marked("call parse()", "interface {}(int) 5");
        let mark = "(the value of a panic, unless the function returns any)";
        assert_eq!(panicked, format!("interface {{}}(int) 5 {mark}"));
        assert_eq!(marked("call parse()", "5"), "5");
        assert_eq!(marked("value", "interface {}(int) 5"), "interface {}(int) 5");
    }

    #[test]
    fn conversions_and_built_in_functions_are_sent_unchanged() {
        for text in [
            "len(items)",
            "(a + b) * 2",
            "float64(n) / 2",
            "[]byte(name)",
            r#"name == "f(x)""#,
            "'('",
        ] {
            assert_eq!(sent(text, "repl"), None, "{text}");
        }
    }
}
