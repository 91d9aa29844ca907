//! The scopes of a frame: which of them hold its locals, and what they list.

use std::collections::HashSet;

use dapdock_schema::Profile;
use futures_util::future::join_all;

use crate::dap::arguments::FrameArguments;
use crate::dap::{self, request, types as wire};
use crate::model::{Effects, Frame, Variable};
use crate::session::Error;
use crate::session::values::children::{self, Listed};
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::frame::{Target, refused};

/// Locals told with a stop.
pub(crate) const LOCALS: usize = 60;

/// Scopes with more variables than this are not read anew.
const READ_ANEW: usize = 200;

/// The locals of the frame, in the adapter's order.
pub(crate) async fn locals(target: &Target<'_>) -> Result<Vec<Variable>, dap::Error> {
    let Some(frame) = target.frame else { return Ok(Vec::new()) };
    let scopes = target.wire.call::<request::Scopes>(scopes_of(frame)).await?.scopes;
    let listed = list_all(target, &local_scopes(&scopes, target.profile))
        .await
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let mut variables: Vec<_> = listed.into_iter().flat_map(|listed| listed.rows).collect();
    variables.truncate(LOCALS);
    Ok(variables)
}

/// What each scope lists, asked for at once: an adapter may take its time for each.
async fn list_all(target: &Target<'_>, scopes: &[&wire::Scope]) -> Vec<Result<Listed, dap::Error>> {
    join_all(
        scopes.iter().map(|scope| children::list(target, scope.variables_reference, &scope.name)),
    )
    .await
}

/// The same, as they are now: with what was set since.
pub(crate) async fn current_locals(
    target: &Target<'_>,
    frame: &Frame,
) -> Result<Vec<Variable>, Error> {
    let told = target.wire.call::<request::Scopes>(scopes_of(frame)).await;
    let scopes = told.map_err(|error| refused(&error, target))?.scopes;
    let mut variables =
        scope_listing(target, &local_scopes(&scopes, target.profile), &[], None).await?.rows;
    variables.truncate(LOCALS);
    Ok(variables)
}

pub(crate) fn local_scopes<'a>(
    scopes: &'a [wire::Scope],
    profile: &Profile,
) -> Vec<&'a wire::Scope> {
    let hinted = |scope: &&wire::Scope| {
        matches!(scope.presentation_hint.as_deref(), Some("locals" | "arguments" | "returnValue"))
            || profile.variables.locals.iter().any(|name| scope.name.starts_with(name.as_str()))
    };
    let local: Vec<_> = scopes.iter().filter(hinted).collect();
    match local.is_empty() {
        true => {
            let other = |scope: &&wire::Scope| {
                matches!(scope.presentation_hint.as_deref(), Some("registers" | "globals"))
            };
            scopes.iter().find(|scope| !scope.expensive && !other(scope)).into_iter().collect()
        }
        false => local,
    }
}

/// What a function's own blocks call as its arguments are called hides those, though they are
/// listed first.
pub(crate) fn is_outermost(scope: &wire::Scope) -> bool {
    scope.presentation_hint.as_deref() == Some("arguments")
}

pub(crate) fn choose<'a>(
    scopes: &'a [wire::Scope],
    wanted: Option<&str>,
    profile: &Profile,
) -> Result<Vec<&'a wire::Scope>, Error> {
    let Some(wanted) = wanted else { return Ok(local_scopes(scopes, profile)) };
    let lower = wanted.to_lowercase();
    let fits = |scope: &&wire::Scope| scope.name.to_lowercase().starts_with(&lower);
    let found: Vec<_> = scopes.iter().filter(fits).collect();
    match found.is_empty() {
        true => Err(Error::NoSuchScope {
            name: wanted.to_owned(),
            known: scopes.iter().map(|scope| scope.name.clone()).collect(),
        }),
        false => Ok(found),
    }
}

/// What the scopes list, with what was assigned since the stop where the adapter keeps its lists:
/// all of it, or what is called `wanted`. Names of the `inner` scopes hide theirs.
pub(crate) async fn scope_listing(
    target: &Target<'_>,
    scopes: &[&wire::Scope],
    inner: &[&wire::Scope],
    wanted: Option<&str>,
) -> Result<Listed, Error> {
    let acted = target.acted && target.profile.variables.kept;
    let hiding = if target.acted { list_all(target, inner).await } else { Vec::new() };
    let mut seen: HashSet<String> =
        hiding.into_iter().flatten().flat_map(|listed| listed.rows).map(|row| row.name).collect();
    let told = list_all(target, scopes).await.into_iter().collect::<Result<Vec<_>, _>>();
    let mut told = told.map_err(|error| refused(&error, target))?;
    let mut order: Vec<usize> = (0..scopes.len()).collect();
    order.sort_by_key(|at| is_outermost(scopes[*at]));
    for at in order {
        let scope = &scopes[at].name;
        let anew = acted && (wanted.is_some() || told[at].rows.len() <= READ_ANEW);
        for row in &mut told[at].rows {
            // An expression means the innermost of a name.
            let meant =
                seen.insert(row.name.clone()) && wanted.is_none_or(|wanted| wanted == row.name);
            let was_set =
                || target.set.iter().any(|set| set.scope == *scope && set.name == row.name);
            if meant
                && (anew || was_set())
                && let Ok(now) =
                    evaluate_one(target, target.frame, &row.name, Effects::None).await.result
            {
                *row =
                    Variable { name: row.name.clone(), expression: row.expression.take(), ..now };
            }
        }
    }
    let mut all = Listed::default();
    for listed in told {
        all.rows.extend(listed.rows);
        all.hidden.extend(listed.hidden);
    }
    Ok(all)
}

/// Scopes within the chosen ones: those that are listed before them, and blocks of a function of
/// whose arguments it is.
pub(crate) fn within<'a>(
    scopes: &'a [wire::Scope],
    chosen: &[&wire::Scope],
) -> Vec<&'a wire::Scope> {
    let is_chosen = |scope: &wire::Scope| chosen.iter().any(|one| one.name == scope.name);
    let first = scopes.iter().position(is_chosen).unwrap_or(0);
    let arguments = chosen.iter().any(|scope| is_outermost(scope));
    let inside = |(at, scope): &(usize, &wire::Scope)| {
        let local = scope.presentation_hint.as_deref() == Some("locals");
        !is_chosen(scope) && !scope.expensive && (*at < first || (arguments && local))
    };
    scopes.iter().enumerate().filter(inside).map(|(_, scope)| scope).collect()
}

/// The arguments for a frame's scopes.
pub(crate) fn scopes_of(frame: &Frame) -> FrameArguments {
    FrameArguments { frame_id: frame.id }
}
