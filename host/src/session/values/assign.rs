//! Assigns to a variable, field or element.
//!
//! A flow over the wire. Refuses to trust the adapter's success: the value is read again, since
//! adapters cut integers to their type or change nothing and report success.

use crate::dap::arguments::{
    EvaluateArguments, SetExpressionArguments, SetVariableArguments, VariablesArguments,
};
use crate::dap::{self, request, types};
use crate::model::{AssignQuery, Assigned, Effects, Frame, Variable};
use crate::near::nearest;
use crate::session::values;
use crate::session::values::evaluate::{assignment, evaluate_one};
use crate::session::values::path::{self, Key};
use crate::session::values::raw::{element_number, nameless_child, variables};
use crate::session::values::reader::{FrameReader, SetVariable};
use crate::session::values::walk::{Found, locate};
use crate::session::{Error, values::convert};

/// Assigns the value. Returns the variable before and after, and the variable of a scope that the
/// adapter may from now on list with its old value.
pub(crate) async fn assign(
    reader: FrameReader<'_>,
    frame: Frame,
    query: AssignQuery,
) -> Result<(Assigned, Option<SetVariable>), Error> {
    let (Found { variable: before, parent, root }, missing) =
        match locate(&reader, &frame, &query.target).await {
            Ok(found) => (found, None),
            Err(error) if is_new_key(&error, &query.target) => (new_key(), Some(error)),
            Err(error) if reader.wire.quirks().adds_members() => {
                return Err(new_member(error, &query));
            }
            Err(error) => return Err(error),
        };
    let is_new = missing.is_some();
    let by_plugin = assignment(&reader, &query.target, &query.value).await?;
    // A plugin that assigns checks itself whether the value fits.
    let checks_value = by_plugin.is_none() && !is_new;
    let reported = match by_plugin {
        Some((expression, context)) => evaluate(&reader, &before, expression, context).await,
        None => set(&reader, &before, parent, &query.target, &query.value).await,
    };
    let reported = reported.map_err(|error| match (error, missing) {
        (dap::Error::Unsupported { .. }, Some(missing)) => {
            not_added(missing, "the debugger adds no keys".to_owned())
        }
        (error @ dap::Error::Refused { .. }, Some(missing)) => not_added(
            missing,
            format!("the debugger does not add it: {}", reader.wire.quirks().message(&error)),
        ),
        (error @ dap::Error::Refused { .. }, None) => Error::Values(values::Error::NotSet {
            target: query.target.clone(),
            message: reader.wire.quirks().message(&error),
            text: as_text(&before.value, &query.value),
        }),
        (error, _) => reader.refused(&error),
    })?;
    let all_set: Vec<SetVariable> = reader.set.iter().cloned().chain(root.clone()).collect();
    let reader = FrameReader { set: &all_set, ..reader };
    let after = locate(&reader, &frame, &query.target).await;
    let after = after.map_or_else(|_| reported.clone(), |found| found.variable);
    let lost = if checks_value { lost_value(&query, &before, &reported, &after) } else { None };
    if let Some(lost) = lost {
        if after.value != before.value
            && let Some(value) = integer_value(&before.value)
        {
            set(&reader, &before, parent, &query.target, &value.to_string())
                .await
                .map_err(|error| reader.refused(&error))?;
        }
        return Err(lost);
    }
    let before = if is_new { None } else { Some(before) };
    Ok((Assigned { target: query.target, before, after }, root))
}

/// Is only the last step of the target missing, a key of a mapping? A missing member is an error:
/// in many languages the assignment would create it.
fn is_new_key(error: &Error, target: &str) -> bool {
    matches!(missing_step(error, target), Some(Key::Text(_) | Key::Number(_)))
}

/// The last step of the target, if only that is missing.
fn missing_step(error: &Error, target: &str) -> Option<Key> {
    let Error::Values(values::Error::NoSuchVariable { parent, .. }) = error else { return None };
    let mut steps = path::parse(target);
    let last = steps.pop()?;
    (!parent.is_empty() && path::parse(parent).len() == steps.len()).then_some(last.key)
}

/// The error for a member that is not there: proposes the assignment, unless the name is similar to
/// another.
fn new_member(error: Error, query: &AssignQuery) -> Error {
    let is_member = matches!(missing_step(&error, &query.target), Some(Key::Member(_)));
    match error {
        Error::Values(values::Error::NoSuchVariable { parent, segment, near })
            if is_member && nearest(&segment, near.iter().map(String::as_str)).is_none() =>
        {
            let assignment = format!("{} = {}", query.target, query.value).into();
            let near = near.into();
            Error::Values(values::Error::NewMember { parent, segment, near, assignment })
        }
        other => other,
    }
}

/// The error for a key that the adapter does not add.
fn not_added(missing: Error, why: String) -> Error {
    match missing {
        Error::Values(values::Error::NoSuchVariable { parent, segment, near }) => {
            let (why, near) = (why.into(), near.into());
            Error::Values(values::Error::NotAdded { parent, segment, why, near })
        }
        other => other,
    }
}

/// The variable of a key before the assignment adds it.
fn new_key() -> Found {
    Found { variable: convert::variable(types::Variable::default()), parent: None, root: None }
}

/// The value as a string, if the old value is a string and the new one has no quotes. A single
/// character in single quotes may be no string.
fn as_text(before: &str, value: &str) -> Option<String> {
    let is_quoted = |text: &str| text.trim_start().starts_with(['"', '\'', '`']);
    let is_character = before.starts_with('\'') && before.chars().count() <= 3;
    let is_text = is_quoted(before) && !is_character && !is_quoted(value);
    is_text.then(|| serde_json::Value::from(value).to_string())
}

/// Assigns by the plugin's expression; its value is the variable's new one.
async fn evaluate(
    reader: &FrameReader<'_>,
    variable: &Variable,
    expression: String,
    context: String,
) -> Result<Variable, dap::Error> {
    let arguments = EvaluateArguments {
        expression,
        frame_id: reader.frame.map(|frame| frame.id),
        context: Some(context),
        format: None,
    };
    let answer = reader.wire.call::<request::Evaluate>(arguments).await?;
    Ok(with_value(variable, answer.result, answer.type_))
}

/// Assigns with DAP's `setExpression`, else with `setVariable` if something lists the variable.
async fn set(
    reader: &FrameReader<'_>,
    variable: &Variable,
    parent: Option<i64>,
    path: &str,
    value: &str,
) -> Result<Variable, dap::Error> {
    if reader.wire.client().capabilities().has("supportsSetExpression") {
        let arguments = SetExpressionArguments {
            // Without an expression from the adapter the path serves as one.
            expression: variable.expression.clone().unwrap_or_else(|| path.to_owned()),
            value: value.to_owned(),
            frame_id: reader.frame.map(|frame| frame.id),
            format: None,
        };
        let answer = reader.wire.call::<request::SetExpression>(arguments).await?;
        return Ok(with_value(variable, answer.value, answer.type_));
    }
    let listed = match parent {
        Some(parent) => Some(listed_name(reader, parent, &variable.name).await?),
        None => listed_below(reader, variable, path).await,
    };
    let Some((variables_reference, name)) = listed else {
        return Err(dap::Error::Unsupported { command: "setExpression".into() });
    };
    let value = value.to_owned();
    let arguments = SetVariableArguments { variables_reference, name, value, format: None };
    let answer = reader.wire.call::<request::SetVariable>(arguments).await?;
    Ok(with_value(variable, answer.value, answer.type_))
}

fn with_value(variable: &Variable, value: String, ty: Option<String>) -> Variable {
    Variable { value, ty: ty.or_else(|| variable.ty.clone()), ..variable.clone() }
}

/// The container and the name under which the adapter lists a variable: `3` for what callers read
/// as `[3]`, and below the nameless child that some adapters put behind a pointer.
async fn listed_name(
    reader: &FrameReader<'_>,
    parent: i64,
    name: &str,
) -> Result<(i64, String), dap::Error> {
    let mut parent = parent;
    let mut rows = list(reader, parent).await?;
    if let Some(nameless) = nameless_child(&rows) {
        parent = nameless.variables_reference;
        rows = list(reader, parent).await?;
    }
    let number = element_number(name);
    for row in rows {
        if row.name == name || (number.is_some() && element_number(&row.name) == number) {
            return Ok((parent, row.name));
        }
    }
    Ok((parent, name.to_owned()))
}

/// Levels of only children between a value and its members: an interface, a pointer, a struct that
/// embeds another.
const BETWEEN: usize = 4;

/// The container and the name under which the adapter lists the value of an expression: below the
/// value of the expression without its last step, or below only children of that.
async fn listed_below(
    reader: &FrameReader<'_>,
    variable: &Variable,
    path: &str,
) -> Option<(i64, String)> {
    let steps = path::parse(path);
    let [.., container, last] = &steps[..] else { return None };
    let container = &path[..container.end];
    let found = evaluate_one(reader, reader.frame, container, Effects::None).await.result.ok()?;
    let mut parent = found.reference;
    for _ in 0..=BETWEEN {
        if parent <= 0 {
            return None;
        }
        let rows = list(reader, parent).await.ok()?;
        if let Some(at) = path::position(rows.iter().map(|row| row.name.as_str()), &last.key) {
            let row = &rows[at];
            let is_same = row.variables_reference > 0 || row.value == variable.value;
            return is_same.then(|| (parent, row.name.clone()));
        }
        let [only] = &rows[..] else { return None };
        parent = only.variables_reference;
    }
    None
}

async fn list(
    reader: &FrameReader<'_>,
    variables_reference: i64,
) -> Result<Vec<types::Variable>, dap::Error> {
    variables(reader, VariablesArguments { variables_reference, ..Default::default() }).await
}

/// The error if the debugger reports success and the value is not set: it cut an integer to the
/// variable's type, or changed nothing.
fn lost_value(
    query: &AssignQuery,
    before: &Variable,
    reported: &Variable,
    after: &Variable,
) -> Option<Error> {
    // Any other difference may come from a setter of the program.
    if let (Some(wanted), Some(got)) = (integer(&query.value), integer_value(&after.value))
        && wanted != got
        && !has_bits(wanted, got, &after.value)
        && WIDTHS.into_iter().any(|bits| is_cut(wanted, got, bits))
    {
        let (target, value) = (query.target.clone(), query.value.trim().to_owned());
        return Some(Error::Values(values::Error::DoesNotFit {
            target,
            value,
            ty: after.ty.clone(),
        }));
    }
    let is_plain = before.reference == 0 && after.reference == 0;
    let is_unchanged = after.value == before.value
        && reported.value != before.value
        && query.value.trim() != before.value;
    (is_plain && is_unchanged).then(|| {
        Error::Values(values::Error::StillTheSame {
            target: query.target.clone(),
            value: before.value.clone(),
        })
    })
}

/// Widths of integer types, in bits.
const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// Is `got` what an integer of this many bits, signed or not, holds of `wanted`?
fn is_cut(wanted: i128, got: i128, bits: u32) -> bool {
    let range = 1 << bits;
    let low = wanted.rem_euclid(range);
    got == low || (low >= range / 2 && got == low - range)
}

/// Whether a number in hexadecimal, as of a register, has the bits of the negative one.
fn has_bits(wanted: i128, got: i128, text: &str) -> bool {
    let fits = |bits: &u32| wanted >= -(1 << (bits - 1)) && got == wanted.rem_euclid(1 << bits);
    wanted < 0 && text.starts_with("0x") && WIDTHS.iter().any(fits)
}

/// A decimal or hexadecimal integer, in a spelling that means the same in all languages.
fn integer(text: &str) -> Option<i128> {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let number = match digits.strip_prefix("0x") {
        Some(hex) if hex.starts_with(['+', '-']) => return None,
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None if !digits.starts_with(|c: char| c.is_ascii_digit()) => return None,
        None => digits.parse().ok()?,
    };
    Some(sign * number)
}

/// The integer of a displayed value; debuggers add the character to a byte: `65 'A'`.
fn integer_value(value: &str) -> Option<i128> {
    integer(value.split_once(" '").map_or(value, |(number, _)| number))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALLEST: &str = "`x` is u8, which -170141183460469231731687303715884105727 does not fit";

    #[test]
    fn lost_value_is_detected_by_reading_it_again() {
        let variable = |value: &str, ty: &str| Variable {
            value: value.into(),
            ty: Some(ty.into()),
            ..convert::variable(types::Variable::default())
        };
        for (value, before, reported, after, want) in [
            ("300", "7", "44", "44", Some("`x` is u8, which 300 does not fit")),
            (
                "-1",
                "7 '\\a'",
                "255 '\\377'",
                "255 '\\377'",
                Some("`x` is u8, which -1 does not fit"),
            ),
            ("-1", "7", "0xffffffff", "0xffffffff", None),
            ("263", "7", "7", "7", Some("`x` is u8, which 263 does not fit")),
            ("0x1ff", "7", "255", "255", Some("`x` is u8, which 0x1ff does not fit")),
            ("255", "7", "255", "255", None),
            ("65", "7 '\\a'", "65 'A'", "65 'A'", None),
            ("-1", "7", "65535", "65535", Some("`x` is u8, which -1 does not fit")),
            (
                "3000000000",
                "7",
                "-1294967296",
                "-1294967296",
                Some("`x` is u8, which 3000000000 does not fit"),
            ),
            // The program's own setter rounds.
            ("1000", "7", "744", "744", None),
            ("512", "7", "256", "256", None),
            ("-170141183460469231731687303715884105727", "7", "1", "1", Some(SMALLEST)),
            ("-170141183460469231731687303715884105727", "7", "9", "9", None),
            ("0x-80000000000000000000000000000000", "7", "9", "9", None),
            ("010", "7", "8", "8", None),
            ("5", "7", "500", "500", None),
            ("a + 300", "7", "44", "44", None),
            ("5", "7", "5", "7", Some("the debugger reports it as set, but it is still 7")),
            ("3 + 4", "7", "7", "7", None),
            ("7", "7", "7.0", "7", None),
        ] {
            let query =
                AssignQuery { target: "x".into(), value: value.into(), thread: None, frame: None };
            let lost = lost_value(
                &query,
                &variable(before, "u8"),
                &variable(reported, "u8"),
                &variable(after, "u8"),
            );
            assert_eq!(lost.map(|lost| lost.to_string()).as_deref(), want, "{value}");
        }
    }
}
