//! Types and values in responses as Rust, C and C++ spell them.
//!
//! LLDB stores a base type by its size and sign alone, so `usize` is reported as `u64` and `isize`
//! as `i64`; all kinds of pointers are reported with C's star. Default type arguments are left out.
//! Pure.

use dapdock_native::rust_types::rust_type;
use dapdock_plugin::hooks::{Response, ResponseAction};
use dapdock_plugin::prelude::*;

use crate::stops;

/// LLDB's text for a value without bytes.
const EMPTY: &str = "Unable to determine byte size";

/// A response with the types of Rust; None if it has no types.
pub fn in_rust(response: &Response) -> Option<ResponseAction> {
    if let Some(body) = response.of::<dap::Variables>() {
        return Some(ResponseAction::replaced::<dap::Variables>(variables(body)));
    }
    if let Some(body) = response.of::<dap::Evaluate>() {
        return Some(ResponseAction::replaced::<dap::Evaluate>(evaluated(body)));
    }
    if let Some(body) = response.of::<dap::SetVariable>() {
        return Some(ResponseAction::replaced::<dap::SetVariable>(assigned(body)));
    }
    let body = response.of::<dap::SetExpression>()?;
    Some(ResponseAction::replaced::<dap::SetExpression>(assigned(body)))
}

/// The response of a call in C that returns nothing, whose value has no size, of pointers that are
/// null or cannot be read, and of variables that are optimised out; None for others.
pub fn in_c(response: &Response) -> Option<ResponseAction> {
    if let Some(mut body) = response.of::<dap::Variables>() {
        let mut found = false;
        for one in &mut body.variables {
            found |= describe_absent(one);
        }
        return found.then(|| ResponseAction::replaced::<dap::Variables>(body));
    }
    let mut body = response.of::<dap::Evaluate>()?;
    let is_absent =
        replace_absent(&mut body.result, body.type_.as_deref(), body.memory_reference.as_deref());
    if body.type_.as_deref() == Some("void") {
        body.result = "nothing".into();
    } else if stops::points_nowhere(&body.result) {
        body.variables_reference = 0;
        body.result = stops::null(&body.result, false).unwrap_or(body.result);
    } else if !is_absent {
        return None;
    }
    Some(ResponseAction::replaced::<dap::Evaluate>(body))
}

/// The variables in the program's language.
pub fn listed(mut body: dap::VariablesResponse, rust: bool) -> ResponseAction {
    if rust {
        return ResponseAction::replaced::<dap::Variables>(variables(body));
    }
    for one in &mut body.variables {
        describe_absent(one);
    }
    ResponseAction::replaced::<dap::Variables>(body)
}

/// Says of a variable whose value is not there why. False: it has one.
fn describe_absent(variable: &mut dap::Variable) -> bool {
    let (ty, reference) = (variable.type_.as_deref(), variable.memory_reference.as_deref());
    let found = replace_absent(&mut variable.value, ty, reference);
    if variable.value == stops::OPTIMIZED_OUT {
        variable.variables_reference = 0;
    }
    found
}

/// Says of a value that is not there why. False: it is another value.
fn replace_absent(text: &mut String, ty: Option<&str>, reference: Option<&str>) -> bool {
    let described = stops::absent(text, ty.unwrap_or_default(), reference);
    let found = described.is_some();
    if let Some(described) = described {
        *text = described;
    }
    found
}

/// The types in a response to `variables`.
fn variables(mut body: dap::VariablesResponse) -> dap::VariablesResponse {
    for one in &mut body.variables {
        describe_absent(one);
        (one.type_, one.memory_reference) =
            (with_rust_type(one.type_.take(), &mut one.value), None);
    }
    body
}

/// The type in a response to `evaluate`.
fn evaluated(mut body: dap::EvaluateResponse) -> dap::EvaluateResponse {
    replace_absent(&mut body.result, body.type_.as_deref(), body.memory_reference.as_deref());
    if stops::points_nowhere(&body.result) {
        body.variables_reference = 0;
    }
    (body.type_, body.memory_reference) =
        (with_rust_type(body.type_.take(), &mut body.result), None);
    body
}

/// The type in a response to `setVariable` or `setExpression`.
fn assigned(mut body: dap::SetResponse) -> dap::SetResponse {
    (body.type_, body.memory_reference) =
        (with_rust_type(body.type_.take(), &mut body.value), None);
    body
}

/// The type as Rust spells it; corrects the value of a type without bytes. The caller drops the
/// memory reference: a reference is reported with a pointer's star, but stands for its target.
fn with_rust_type(ty: Option<String>, value: &mut String) -> Option<String> {
    let ty = rust_type(&ty?);
    if ty == "()" && value.contains(EMPTY) {
        *value = "()".into();
    }
    Some(ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_without_bytes_is_the_unit() {
        let one = |ty: &str, value: &str| dap::Variable {
            type_: Some(ty.into()),
            value: value.into(),
            ..Default::default()
        };
        let variables = vec![one("void", "<Unable to determine byte size.>"), one("int", "1")];
        assert_eq!(
            super::variables(dap::VariablesResponse { variables }).variables,
            [one("()", "()"), one("i32", "1")]
        );
        let response = dap::SetResponse {
            value: "1".into(),
            type_: Some("long".into()),
            memory_reference: Some("0x7".into()),
            ..Default::default()
        };
        let response = assigned(response);
        assert_eq!((response.type_.as_deref(), response.memory_reference), (Some("i64"), None));
    }
}
