//! Assigning to a variable, field or element.
//!
//! A flow over the wire. Refuses to guess what became of the value: it is read again.

use crate::dap::arguments::{
    EvaluateArguments, SetExpressionArguments, SetVariableArguments, VariablesArguments,
};
use crate::dap::{self, request, types};
use crate::model::{AssignQuery, Assigned, Frame, Variable};
use crate::session::values::evaluate::assignment;
use crate::session::values::frame::{SetVariable, Target, refused};
use crate::session::values::path::{self, Key};
use crate::session::values::raw::number;
use crate::session::values::walk::{Found, locate};
use crate::session::{Error, values::convert};

/// Gives the target its value; returns it before and after, and which listed variable is no longer
/// what it was.
pub(crate) async fn assign(
    target: Target<'_>,
    frame: Frame,
    query: AssignQuery,
) -> Result<(Assigned, Option<SetVariable>), Error> {
    let (Found { variable: before, within, root }, missing) =
        match locate(&target, &frame, &query.target).await {
            Ok(found) => (found, None),
            Err(error) if is_new_key(&error, &query.target) => (unborn(), Some(error)),
            Err(error) => return Err(error),
        };
    let is_new = missing.is_some();
    let own_words = assignment(&target, &query.target, &query.value).await?;
    // A plugin with words of its own judges what fits.
    let judge = own_words.is_none() && !is_new;
    let told = match own_words {
        Some((expression, context)) => evaluate(&target, &before, expression, context).await,
        None => send(&target, &before, within, &query.target, &query.value).await,
    };
    let told = told.map_err(|error| match (error, missing) {
        // What cannot be made is what is not there.
        (dap::Error::Refused { .. } | dap::Error::Unsupported { .. }, Some(missing)) => missing,
        (error @ dap::Error::Refused { .. }, None) => Error::NotSet {
            target: query.target.clone(),
            message: convert::words(&error, target.profile),
        },
        (error, _) => refused(&error, &target),
    })?;
    let set: Vec<SetVariable> = target.set.iter().cloned().chain(root.clone()).collect();
    let target = Target { set: &set, ..target };
    let after = locate(&target, &frame, &query.target).await;
    let after = after.map_or_else(|_| told.clone(), |found| found.variable);
    let lost = if judge { lost(&query, &before, &told, &after) } else { None };
    if let Some(lost) = lost {
        if let (true, Some(value)) = (after.value != before.value, shown(&before.value)) {
            let back = send(&target, &before, within, &query.target, &value.to_string()).await;
            back.map_err(|error| refused(&error, &target))?;
        }
        return Err(lost);
    }
    let before = Some(before).filter(|_| !is_new);
    Ok((Assigned { target: query.target, before, after }, root))
}

/// Is all of the target there but its last step, a key of a mapping? A member that is not there is
/// a mistake: in many languages giving it a value would make it.
fn is_new_key(error: &Error, target: &str) -> bool {
    let Error::NoSuchVariable { parent, .. } = error else { return false };
    let steps = path::parse(target);
    let by_key = matches!(steps.last().map(|step| &step.key), Some(Key::Text(_) | Key::Number(_)));
    by_key && !parent.is_empty() && path::parse(parent).len() + 1 == steps.len()
}

/// What a key has that is not there yet.
fn unborn() -> Found {
    Found { variable: convert::variable(types::Variable::default()), within: None, root: None }
}

/// By an expression of the plugin's, whose value is what the variable is then.
async fn evaluate(
    target: &Target<'_>,
    variable: &Variable,
    expression: String,
    context: String,
) -> Result<Variable, dap::Error> {
    let arguments = EvaluateArguments {
        expression,
        frame_id: target.frame.map(|frame| frame.id),
        context: Some(context),
        format: None,
    };
    let told = target.wire.call::<request::Evaluate>(arguments).await?;
    Ok(Variable {
        value: told.result,
        ty: told.type_.or_else(|| variable.ty.clone()),
        ..variable.clone()
    })
}

/// By its expression, which needs no name that only the adapter knows; else as a child of what it
/// is listed in.
async fn send(
    target: &Target<'_>,
    variable: &Variable,
    within: Option<i64>,
    path: &str,
    value: &str,
) -> Result<Variable, dap::Error> {
    let can = target.wire.client().capabilities().has("supportsSetExpression");
    let told = match (can, within) {
        (true, _) => {
            let arguments = SetExpressionArguments {
                // Where the adapter names none, a path is an expression as well.
                expression: variable.expression.clone().unwrap_or_else(|| path.to_owned()),
                value: value.to_owned(),
                frame_id: target.frame.map(|frame| frame.id),
                format: None,
            };
            target.wire.call::<request::SetExpression>(arguments).await?
        }
        (false, Some(within)) => {
            let (within, name) = listed(target, within, &variable.name).await?;
            let arguments = SetVariableArguments {
                variables_reference: within,
                name,
                value: value.to_owned(),
                format: None,
            };
            target.wire.call::<request::SetVariable>(arguments).await?
        }
        (false, None) => return Err(dap::Error::Unsupported { command: "setExpression".into() }),
    };
    Ok(Variable {
        value: told.value,
        ty: told.type_.or_else(|| variable.ty.clone()),
        ..variable.clone()
    })
}

/// What became of the value in spite of a debugger that says it is set: an integer that was cut to
/// its type, or nothing.
fn lost(
    query: &AssignQuery,
    before: &Variable,
    told: &Variable,
    after: &Variable,
) -> Option<Error> {
    // What a program's own setter makes of it is its own.
    if let (Some(wanted), Some(got)) = (whole(&query.value), shown(&after.value))
        && wanted != got
        && WIDTHS.into_iter().any(|bits| is_cut(wanted, got, bits))
    {
        let (target, value) = (query.target.clone(), query.value.trim().to_owned());
        return Some(Error::DoesNotFit { target, value, ty: after.ty.clone() });
    }
    let plain = before.reference == 0 && after.reference == 0;
    let same = after.value == before.value
        && told.value != before.value
        && query.value.trim() != before.value;
    (plain && same)
        .then(|| Error::StillTheSame { target: query.target.clone(), value: before.value.clone() })
}

/// Of integers that cut what is too large for them.
const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// Is it what so many bits keep, with a sign or without?
fn is_cut(wanted: i128, got: i128, bits: u32) -> bool {
    let range = 1 << bits;
    let kept = wanted.rem_euclid(range);
    got == kept || (kept >= range / 2 && got == kept - range)
}

/// A decimal or hexadecimal integer, of which all languages think alike.
fn whole(text: &str) -> Option<i128> {
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

/// The integer of a value; some tell the letter beside it.
fn shown(value: &str) -> Option<i128> {
    whole(value.split_once(" '").map_or(value, |(number, _)| number))
}

/// Where and by which name the adapter listed it: `3` for what callers read as `[3]`, and below the
/// nameless child that some put behind a pointer.
async fn listed(target: &Target<'_>, within: i64, name: &str) -> Result<(i64, String), dap::Error> {
    let rows = async |variables_reference| {
        let arguments = VariablesArguments { variables_reference, ..Default::default() };
        target.wire.call::<request::Variables>(arguments).await.map(|told| told.variables)
    };
    let (mut within, mut told) = (within, rows(within).await?);
    if let [only] = told.as_slice()
        && only.name.is_empty()
        && only.variables_reference > 0
    {
        within = only.variables_reference;
        told = rows(within).await?;
    }
    let same = |row: &&types::Variable| {
        row.name == name || (number(name).is_some() && number(&row.name) == number(name))
    };
    Ok((within, told.iter().find(same).map_or(name, |row| &row.name).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALLEST: &str = "`x` is u8, which -170141183460469231731687303715884105727 does not fit";

    #[test]
    fn what_became_of_a_value_is_judged_by_what_is_read() {
        let variable = |value: &str, ty: &str| Variable {
            value: value.into(),
            ty: Some(ty.into()),
            ..convert::variable(types::Variable::default())
        };
        for (value, before, told, after, want) in [
            ("300", "7", "44", "44", Some("`x` is u8, which 300 does not fit")),
            (
                "-1",
                "7 '\\a'",
                "255 '\\377'",
                "255 '\\377'",
                Some("`x` is u8, which -1 does not fit"),
            ),
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
            // A setter of the program rounds it.
            ("1000", "7", "744", "744", None),
            ("512", "7", "256", "256", None),
            ("-170141183460469231731687303715884105727", "7", "1", "1", Some(SMALLEST)),
            ("-170141183460469231731687303715884105727", "7", "9", "9", None),
            ("0x-80000000000000000000000000000000", "7", "9", "9", None),
            ("010", "7", "8", "8", None),
            ("5", "7", "500", "500", None),
            ("a + 300", "7", "44", "44", None),
            ("5", "7", "5", "7", Some("the debugger says that it is set, and it is still 7")),
            ("3 + 4", "7", "7", "7", None),
            ("7", "7", "7.0", "7", None),
        ] {
            let query = AssignQuery { target: "x".into(), value: value.into(), frame: None };
            let judged = lost(
                &query,
                &variable(before, "u8"),
                &variable(told, "u8"),
                &variable(after, "u8"),
            );
            assert_eq!(judged.map(|lost| lost.to_string()).as_deref(), want, "{value}");
        }
    }
}
