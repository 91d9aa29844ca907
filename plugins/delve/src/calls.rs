//! Calls of the program's functions in an expression. Delve makes them only behind the word `call`
//! (server.go, `onEvaluateRequest`), and in the top frame; what it computes by itself needs no
//! word.

use dapdock_plugin::prelude::*;

/// What Delve calls by itself (proc/eval.go, `supportedBuiltins`), and Go's types, which convert.
const OWN: [&str; 31] = [
    "cap",
    "len",
    "complex",
    "imag",
    "real",
    "min",
    "max",
    "bool",
    "byte",
    "complex64",
    "complex128",
    "error",
    "float32",
    "float64",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "rune",
    "string",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintptr",
    "any",
    "func",
    "map",
    "chan",
];
/// The text of Delve's refusal.
const REFUSED: &str = "function calls not allowed without using 'call'";

/// The arguments of an `evaluate` that may call, with the word before what calls. None: as they
/// are.
pub fn made(asked: &dap::EvaluateArguments) -> Option<dap::EvaluateArguments> {
    let expression = asked.expression.trim();
    let may =
        asked.context.as_deref() == Some("repl") && !super::acts(expression) && calls(expression);
    may.then(|| dap::EvaluateArguments {
        expression: format!("call {expression}"),
        ..asked.clone()
    })
}

/// The refusal in the caller's words.
pub fn refused(message: &str) -> Option<String> {
    message
        .contains(REFUSED)
        .then(|| "it would run code of the program; effects=allow lets it".into())
}

/// Of a call that panics Delve tells the panic's value in place of the function's, as it tells an
/// `any`.
pub fn told(
    sent: &dap::EvaluateArguments,
    mut body: dap::EvaluateResponse,
) -> dap::EvaluateResponse {
    let expression = sent.expression.trim();
    let unsure = (expression.starts_with("call ") || calls(expression))
        && body.result.starts_with("interface {}(");
    if unsure {
        body.result.push_str(" (the value of a panic, unless it returns any)");
    }
    body
}

/// Is there a bracket behind a name that is a function's? Texts and characters hold no names.
fn calls(expression: &str) -> bool {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in expression.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(open) => {
                escaped = c == '\\' && open != '`';
                quote = quote.filter(|_| c != open);
            }
            None if matches!(c, '"' | '\'' | '`') => quote = Some(c),
            None if c == '(' && is_function(&expression[..at]) => return true,
            None => {}
        }
    }
    false
}

fn is_function(before: &str) -> bool {
    let before = before.trim_end();
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let name = before.rsplit(|c| !part(c)).next().unwrap_or_default();
    // `[]byte(x)` and `*T(x)` convert.
    let converts = before[..before.len() - name.len()].ends_with([']', '*']);
    !name.is_empty()
        && !converts
        && !OWN.contains(&name)
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(expression: &str, context: &str) -> dap::EvaluateArguments {
        dap::EvaluateArguments {
            expression: expression.into(),
            context: Some(context.into()),
            ..Default::default()
        }
    }

    fn sent(expression: &str, context: &str) -> Option<String> {
        made(&asked(expression, context)).map(|made| made.expression)
    }

    #[test]
    fn functions_are_called_with_leave_only() {
        assert_eq!(sent("cart.Total() + 1", "repl").as_deref(), Some("call cart.Total() + 1"));
        assert_eq!(sent("len(parse(x))", "repl").as_deref(), Some("call len(parse(x))"));
        assert_eq!(sent("cart.Total()", "watch"), None);
        assert_eq!(sent("call cart.Total()", "repl"), None);
    }

    #[test]
    fn a_panic_is_not_told_as_what_a_function_returns() {
        let told = |expression: &str, result: &str| {
            let body = dap::EvaluateResponse { result: result.into(), ..Default::default() };
            told(&asked(expression, "repl"), body).result
        };
        let panicked = told("call parse()", "interface {}(int) 5");
        assert_eq!(panicked, "interface {}(int) 5 (the value of a panic, unless it returns any)");
        assert_eq!(told("call parse()", "5"), "5");
        assert_eq!(told("value", "interface {}(int) 5"), "interface {}(int) 5");
    }

    #[test]
    fn what_delve_computes_is_sent_as_it_is() {
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
