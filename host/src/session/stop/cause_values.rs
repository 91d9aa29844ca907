//! Causes of an exception, found in its value by a rule of its adapter.
//!
//! Reads variables and evaluates one expression of that rule. Refuses to call code of the
//! program: a message that only a method knows is missing.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::dap::types::ExceptionDetails;
use crate::model::{Effects, Frame, Variable};
use crate::session::adapter::quirks::Causes;
use crate::session::values::elements;
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::reader::FrameReader;

/// Values between an exception and its fields.
const THROUGH: usize = 8;

/// Exceptions that are read at most.
const READ: usize = 100;

/// The exception of these frames as DAP describes it, with at most `most` causes.
pub(super) async fn read(
    reader: &FrameReader<'_>,
    frames: &[Frame],
    most: u32,
) -> Option<ExceptionDetails> {
    let rule = reader.wire.quirks().causes()?;
    let frame = frames.iter().find(|frame| frame.name == rule.function())?;
    let value = evaluate_one(reader, Some(frame), rule.value(), Effects::None).await.result.ok()?;
    let mut left = (most as usize).saturating_add(1).min(READ);
    Some(describe(reader, rule, value, &mut left, 0).await)
}

/// Describes a value and takes one from `left` for it and for each of its causes.
fn describe<'a>(
    reader: &'a FrameReader<'a>,
    rule: Causes<'a>,
    value: Variable,
    left: &'a mut usize,
    depth: usize,
) -> BoxFuture<'a, ExceptionDetails> {
    async move {
        *left = left.saturating_sub(1);
        let (value, fields) = opened(reader, rule, value).await;
        let mut details = ExceptionDetails {
            type_name: value.ty.clone(),
            message: message(rule, &value, &fields, depth),
            ..ExceptionDetails::default()
        };
        for (cause, link) in causes(reader, rule, fields, *left).await {
            if *left == 0 {
                break;
            }
            let mut one = describe(reader, rule, cause, left, depth + 1).await;
            one.link = link.map(str::to_owned);
            details.inner_exception.push(one);
        }
        details
    }
    .boxed()
}

/// The value behind pointers and interfaces, with its fields.
async fn opened(
    reader: &FrameReader<'_>,
    rule: Causes<'_>,
    mut value: Variable,
) -> (Variable, Vec<Variable>) {
    let mut fields = rows(reader, &value).await;
    for _ in 0..THROUGH {
        match fields.as_slice() {
            [only] if rule.is_transparent(only) => {
                value = only.clone();
                fields = rows(reader, &value).await;
            }
            _ => break,
        }
    }
    (value, fields)
}

async fn rows(reader: &FrameReader<'_>, value: &Variable) -> Vec<Variable> {
    elements::listed(reader, value).await.map(|listed| listed.rows).unwrap_or_default()
}

/// The field with the message, or else the value itself; of a value with causes the other fields,
/// because its text repeats theirs. The adapter has a better text for the exception of the stop if
/// that is a struct.
fn message(
    rule: Causes<'_>,
    value: &Variable,
    fields: &[Variable],
    depth: usize,
) -> Option<String> {
    let field = fields.iter().find(|field| rule.is_message(field));
    let text = match field {
        Some(field) => &field.value,
        None if depth == 0 && !fields.is_empty() => return None,
        None if fields.iter().any(|field| rule.is_cause(field)) => {
            return other_fields(rule, fields);
        }
        None => &value.value,
    };
    Some(serde_json::from_str(text).unwrap_or_else(|_| text.clone()))
}

/// `Op: "open", Path: "/x"`: the fields without children; none if there are none.
fn other_fields(rule: Causes<'_>, fields: &[Variable]) -> Option<String> {
    let mut words = Vec::new();
    let is_plain = |field: &&Variable| !rule.is_cause(field) && field.reference == 0;
    for field in fields.iter().filter(is_plain) {
        words.push(format!("{}: {}", field.name, field.value));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// The fields with causes, and the first members of those with lists of causes.
async fn causes(
    reader: &FrameReader<'_>,
    rule: Causes<'_>,
    fields: Vec<Variable>,
    most: usize,
) -> Vec<(Variable, Option<&'static str>)> {
    let mut all = Vec::new();
    for field in fields.into_iter().filter(|field| rule.is_cause(field) && field.reference > 0) {
        if rule.is_list(&field) {
            let members = elements::up_to(reader, &field, most as u64).await.unwrap_or_default();
            let members = members.into_iter().filter(|one| one.reference > 0);
            all.extend(members.map(|member| (member, Some("member"))));
        } else {
            all.push((field, None));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::types;
    use crate::session::adapter::quirks::Quirks;
    use crate::session::values::convert;

    fn field(name: &str, ty: &str, value: &str) -> Variable {
        convert::variable(types::Variable {
            name: name.into(),
            value: value.into(),
            type_: Some(ty.into()),
            variables_reference: i64::from(ty != "int"),
            ..Default::default()
        })
    }

    #[test]
    fn causes_are_fields_of_certain_types() {
        let quirks = Quirks::with_causes();
        let rule = quirks.causes().unwrap();
        for (ty, is) in [
            ("error", true),
            ("error(*fmt.wrapError)", true),
            ("[]error", true),
            ("errors.errorString", false),
            ("string", false),
        ] {
            assert_eq!(rule.is_cause(&field("x", ty, "")), is, "{ty}");
        }
    }

    #[test]
    fn message_is_a_field_or_the_value_of_what_has_no_causes() {
        let quirks = Quirks::with_causes();
        let rule = quirks.causes().unwrap();
        let text = |depth, value: &str, fields: &[Variable]| {
            message(rule, &field("e", "T", value), fields, depth)
        };
        let (msg, cause) = (field("msg", "string", "\"a \\\"b\\\"\""), field("err", "error", "…"));
        assert_eq!(text(1, "{…}", &[msg, cause.clone()]).as_deref(), Some("a \"b\""));
        let code = field("code", "int", "7");
        assert_eq!(text(1, "{err: …}", &[code.clone(), cause.clone()]).as_deref(), Some("code: 7"));
        assert_eq!(text(1, "{err: …}", &[cause]), None);
        assert_eq!(text(1, "{code: 7}", std::slice::from_ref(&code)).as_deref(), Some("{code: 7}"));
        assert_eq!(text(0, "{code: 7}", &[code]), None);
        assert_eq!(text(0, "\"boom\"", &[]).as_deref(), Some("boom"));
    }
}
