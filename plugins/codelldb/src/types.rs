//! Types and values in answers, as Rust has them.
//!
//! LLDB keeps a base type by its size and sign alone, so `usize` is told as `u64` and `isize` as
//! `i64`; so are kinds of pointers, told with C's star. What a type takes by default is left out.
//! Pure.

use dapdock_plugin::prelude::*;
use dapdock_plugin::spelled::spelled;

/// LLDB's words for a value that has no bytes.
const EMPTY: &str = "Unable to determine byte size";

/// The types in an answer to `variables`.
pub fn listed(mut body: dap::VariablesResponse) -> dap::VariablesResponse {
    for one in &mut body.variables {
        (one.type_, one.memory_reference) = (typed(one.type_.take(), &mut one.value), None);
    }
    body
}

/// The type in an answer to `evaluate`.
pub fn evaluated(mut body: dap::EvaluateResponse) -> dap::EvaluateResponse {
    (body.type_, body.memory_reference) = (typed(body.type_.take(), &mut body.result), None);
    body
}

/// The type in an answer to what sets.
pub fn set(mut body: dap::SetResponse) -> dap::SetResponse {
    (body.type_, body.memory_reference) = (typed(body.type_.take(), &mut body.value), None);
    body
}

/// The type as Rust spells it; the value of what has no bytes. References are told with the star of
/// pointers, too, and what they refer to counts: so where they are is left out.
fn typed(ty: Option<String>, value: &mut String) -> Option<String> {
    let ty = spelled(&ty?);
    if ty == "()" && value.contains(EMPTY) {
        *value = "()".into();
    }
    Some(ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_bytes_is_the_unit() {
        let one = |ty: &str, value: &str| dap::Variable {
            type_: Some(ty.into()),
            value: value.into(),
            ..Default::default()
        };
        let variables = vec![one("void", "<Unable to determine byte size.>"), one("int", "1")];
        assert_eq!(
            listed(dap::VariablesResponse { variables }).variables,
            [one("()", "()"), one("i32", "1")]
        );
        let told = dap::SetResponse {
            value: "1".into(),
            type_: Some("long".into()),
            memory_reference: Some("0x7".into()),
            ..Default::default()
        };
        let told = set(told);
        assert_eq!((told.type_.as_deref(), told.memory_reference), (Some("i64"), None));
    }
}
