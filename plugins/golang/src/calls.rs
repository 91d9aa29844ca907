//! Calls of functions in the text of an expression. Knows the names of built-in functions and of
//! types, which begin conversions.

/// The built-in functions of debuggers (Delve, proc/eval.go, `supportedBuiltins`), and Go's types.
const BUILT_IN: [&str; 31] = [
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

/// Whether an opening parenthesis follows the name of a function, outside of string and character
/// literals.
pub fn has_call(expression: &str) -> bool {
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
            None if c == '(' && ends_with_function(&expression[..at]) => return true,
            None => {}
        }
    }
    false
}

fn ends_with_function(text: &str) -> bool {
    let text = text.trim_end();
    let name = text
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '.')
        .next()
        .unwrap_or_default();
    // `[]byte(x)` and `*T(x)` are conversions.
    let is_conversion = text[..text.len() - name.len()].ends_with([']', '*']);
    !name.is_empty()
        && !is_conversion
        && !BUILT_IN.contains(&name)
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
