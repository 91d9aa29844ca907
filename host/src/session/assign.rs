//! Assigning to a variable, field or element.
//!
//! A flow over the wire. Refuses to guess what became of the value: it is read again.

use super::elements::number;
use super::inspect::{self, Found, SetVariable, Target, refused};
use super::path::{self, Key};
use super::{Error, read};
use crate::dap::arguments::{EvaluateArguments, SetExpressionArguments, SetVariableArguments, VariablesArguments};
use crate::dap::{self, request, types};
use crate::model::{AssignQuery, Assigned, Frame, Variable};

/// Gives the target its value; returns it before and after, and which listed variable is no longer what it was.
pub(super) async fn assign(
    target: Target<'_>,
    frame: Frame,
    query: AssignQuery,
) -> Result<(Assigned, Option<SetVariable>), Error> {
    let (Found { variable: before, within, root }, missing) =
        match inspect::locate(&target, &frame, &query.target).await {
            Ok(found) => (found, None),
            Err(error) if is_new_key(&error, &query.target) => (unborn(), Some(error)),
            Err(error) => return Err(error),
        };
    let is_new = missing.is_some();
    let told = match inspect::assignment(&target, &query.target, &query.value).await? {
        Some((expression, context)) => evaluate(&target, &before, expression, context).await,
        None => send(&target, &before, within, &query).await,
    };
    let told = told.map_err(|error| match (error, missing) {
        // What cannot be made is what is not there.
        (dap::Error::Refused { .. } | dap::Error::Unsupported { .. }, Some(missing)) => missing,
        (error @ dap::Error::Refused { .. }, None) => {
            Error::NotSet { target: query.target.clone(), message: read::words(&error, target.profile) }
        }
        (error, _) => refused(&error, &target),
    })?;
    let set: Vec<SetVariable> = target.set.iter().cloned().chain(root.clone()).collect();
    let target = Target { set: &set, ..target };
    let after = inspect::locate(&target, &frame, &query.target).await.map_or(told, |found| found.variable);
    let before = Some(before).filter(|_| !is_new);
    Ok((Assigned { target: query.target, before, after }, root))
}

/// Is all of the target there but its last step, a key of a mapping? A member that is not there is a mistake: in many
/// languages giving it a value would make it.
fn is_new_key(error: &Error, target: &str) -> bool {
    let Error::NoSuchVariable { parent, .. } = error else { return false };
    let steps = path::parse(target);
    let by_key = matches!(steps.last().map(|step| &step.key), Some(Key::Text(_) | Key::Number(_)));
    by_key && !parent.is_empty() && path::parse(parent).len() + 1 == steps.len()
}

/// What a key has that is not there yet.
fn unborn() -> Found {
    Found { variable: read::variable(types::Variable::default()), within: None, root: None }
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
    Ok(Variable { value: told.result, ty: told.type_.or_else(|| variable.ty.clone()), ..variable.clone() })
}

/// By its expression, which needs no name that only the adapter knows; else as a child of what it is listed in.
async fn send(
    target: &Target<'_>,
    variable: &Variable,
    within: Option<i64>,
    query: &AssignQuery,
) -> Result<Variable, dap::Error> {
    let can = target.wire.client().capabilities().has("supportsSetExpression");
    let told = match (can, within) {
        (true, _) => {
            let arguments = SetExpressionArguments {
                // Where the adapter names none, a path is an expression as well.
                expression: variable.expression.clone().unwrap_or_else(|| query.target.clone()),
                value: query.value.clone(),
                frame_id: target.frame.map(|frame| frame.id),
                format: None,
            };
            target.wire.call::<request::SetExpression>(arguments).await?
        }
        (false, Some(within)) => {
            let (within, name) = listed(target, within, &variable.name).await?;
            let arguments =
                SetVariableArguments { variables_reference: within, name, value: query.value.clone(), format: None };
            target.wire.call::<request::SetVariable>(arguments).await?
        }
        (false, None) => return Err(dap::Error::Unsupported { command: "setExpression".into() }),
    };
    Ok(Variable { value: told.value, ty: told.type_.or_else(|| variable.ty.clone()), ..variable.clone() })
}

/// Where and by which name the adapter listed it: `3` for what callers read as `[3]`, and below the nameless child
/// that some put behind a pointer.
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
    let same =
        |row: &&types::Variable| row.name == name || (number(name).is_some() && number(&row.name) == number(name));
    Ok((within, told.iter().find(same).map_or(name, |row| &row.name).to_owned()))
}
