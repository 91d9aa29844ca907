//! Assigning to a variable, field or element.
//!
//! A flow over the wire. Refuses to guess what became of the value: it is read again.

use super::Error;
use super::inspect::{self, Found, Target, refused};
use crate::dap::arguments::{SetExpressionArguments, SetVariableArguments};
use crate::dap::{self, request};
use crate::model::{AssignQuery, Assigned, Frame, Variable};

/// Gives the target its value and returns it before and after.
pub(super) async fn assign(target: Target<'_>, frame: Frame, query: AssignQuery) -> Result<Assigned, Error> {
    let Found { variable: before, within } = inspect::locate(&target, &frame, &query.target).await?;
    let told = send(&target, &before, within, &query).await.map_err(|error| refused(&error, &target))?;
    let after = inspect::locate(&target, &frame, &query.target).await.map_or(told, |found| found.variable);
    Ok(Assigned { target: query.target, before, after })
}

/// By its expression where there is one, which needs no name that only the adapter knows; else as a child.
async fn send(
    target: &Target<'_>,
    variable: &Variable,
    within: Option<i64>,
    query: &AssignQuery,
) -> Result<Variable, dap::Error> {
    let can = |capability| target.wire.client().capabilities().has(capability);
    let told = match (&variable.expression, within) {
        (Some(expression), _) if can("supportsSetExpression") => {
            let arguments = SetExpressionArguments {
                expression: expression.clone(),
                value: query.value.clone(),
                frame_id: target.frame.map(|frame| frame.id),
                format: None,
            };
            target.wire.call::<request::SetExpression>(arguments).await?
        }
        (_, Some(within)) => {
            let arguments = SetVariableArguments {
                variables_reference: within,
                name: variable.name.clone(),
                value: query.value.clone(),
                format: None,
            };
            target.wire.call::<request::SetVariable>(arguments).await?
        }
        (_, None) => return Err(dap::Error::Unsupported { command: "setExpression".into() }),
    };
    Ok(Variable {
        value: told.value,
        ty: told.type_.or_else(|| variable.ty.clone()),
        preview: Vec::new(),
        ..variable.clone()
    })
}
