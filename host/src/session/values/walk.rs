//! From a path to a variable: through the scopes, down the children, at last as an expression.

use crate::dap::{request, types as wire};
use crate::model::{Effects, Frame, Variable};
use crate::session::Error;
use crate::session::values::children::{self, Listed};
use crate::session::values::elements;
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::frame::{SetVariable, Target, refused};
use crate::session::values::mapping::{self, Sought};
use crate::session::values::path::{self, Segment};
use crate::session::values::scope::{is_outermost, local_scopes, scope_listing, scopes_of};

/// A variable, and the reference of what it was listed in.
pub(crate) struct Found {
    pub(crate) variable: Variable,
    /// None: it is the value of an expression.
    pub(crate) within: Option<i64>,
    /// The variable of a scope that the path starts from.
    pub(crate) root: Option<SetVariable>,
}

/// The variable that a path names in a frame.
pub(crate) async fn locate(target: &Target<'_>, frame: &Frame, text: &str) -> Result<Found, Error> {
    let told = target.wire.call::<request::Scopes>(scopes_of(frame)).await;
    let scopes = told.map_err(|error| refused(&error, target))?.scopes;
    let chosen = local_scopes(&scopes, target.profile);
    find(target, frame, &scopes, &chosen, text, &path::parse(text)).await
}

/// Walks a path from the chosen scopes, then the others, then as an expression.
pub(crate) async fn find(
    target: &Target<'_>,
    frame: &Frame,
    scopes: &[wire::Scope],
    chosen: &[&wire::Scope],
    text: &str,
    segments: &[Segment],
) -> Result<Found, Error> {
    let others = scopes
        .iter()
        .filter(|scope| !scope.expensive && !chosen.iter().any(|seen| seen.name == scope.name));
    let mut missed = None;
    let mut chosen = chosen.to_vec();
    chosen.sort_by_key(|scope| is_outermost(scope));
    for scope in chosen.iter().copied().chain(others) {
        let first = segments.first().map(|segment| segment.key.name());
        let roots = scope_listing(target, &[scope], &[], first.as_deref()).await?.rows;
        match walk(target, (scope.variables_reference, roots), text, segments).await {
            Ok(found) => {
                let root = |segment: &Segment| SetVariable {
                    scope: scope.name.clone(),
                    name: segment.key.name(),
                };
                return Ok(Found { root: segments.first().map(root), ..found });
            }
            // The scope that leads furthest tells what is missing.
            Err(miss) => {
                missed =
                    Some(missed.filter(|seen: &Miss| seen.depth >= miss.depth).unwrap_or(miss));
            }
        }
    }
    if let Some(miss) = missed.take_if(|miss| miss.sure) {
        return Err(miss.error);
    }
    if !path::reads_only(text) {
        return Err(Error::NotAPath { text: text.to_owned() });
    }
    match evaluate_one(target, Some(frame), text, Effects::None).await.result {
        Ok(found) if target.profile.variables.absent.as_ref() != Some(&found.value) => {
            let expression = found.expression.or_else(|| Some(text.to_owned()));
            Ok(Found { variable: Variable { expression, ..found }, within: None, root: None })
        }
        _ => Err(missed.map_or(Error::Superseded, |miss| miss.error)),
    }
}

struct Miss {
    depth: usize,
    /// The container was counted, so that no expression finds more in it.
    sure: bool,
    error: Error,
}

async fn walk(
    target: &Target<'_>,
    (scope, roots): (i64, Vec<Variable>),
    text: &str,
    segments: &[Segment],
) -> Result<Found, Miss> {
    let mut parent: Option<Variable> = None;
    let mut level = Listed { rows: roots, ..Listed::default() };
    let mut walked = 0;
    for (depth, segment) in segments.iter().enumerate() {
        let miss = |sure, error| Miss { depth, sure, error };
        let sought = step(target, parent.as_ref(), &mut level, segment, &text[..walked]).await;
        let Sought::Found(mut found) = sought else {
            let by_key = mapping::are_numbered(parent.as_ref(), target.profile);
            let sequence = !by_key && elements::is_sequence(target, parent.as_ref(), &level).await;
            let parent = text[..walked].trim_end_matches(['.', '[', '-', '>']).to_owned();
            let beyond = level
                .elements()
                .zip(segment.key.number())
                .filter(|(count, number)| number >= count);
            let name = segment.key.name();
            return Err(match (sought, beyond) {
                (Sought::NotAmong(looked_at), _) => {
                    miss(true, Error::NotAmong { parent, key: name, looked_at })
                }
                (_, Some((count, number))) if sequence => {
                    miss(true, Error::NoSuchElement { parent, number, count })
                }
                (sought, _) => {
                    // What is numbered there is no key.
                    let near = if by_key { Vec::new() } else { near(&name, &level.rows) };
                    let sure = matches!(sought, Sought::None);
                    miss(sure, Error::NoSuchVariable { parent, segment: name, near })
                }
            });
        };
        if found.lazy {
            *found = opened_lazy(target, *found).await;
        }
        walked = segment.end;
        if depth + 1 == segments.len() {
            let within = Some(parent.map_or(scope, |parent| parent.reference));
            return Ok(Found { variable: *found, within, root: None });
        }
        level = elements::listed(target, &found)
            .await
            .map_err(|error| miss(false, refused(&error, target)))?;
        parent = Some(*found);
    }
    Err(Miss { depth: 0, sure: false, error: Error::Superseded })
}

/// The child that a segment names: one of those listed, or an element that is not.
async fn step(
    target: &Target<'_>,
    parent: Option<&Variable>,
    level: &mut Listed,
    segment: &Segment,
    walked: &str,
) -> Sought {
    if let Some((parent, rule)) =
        parent.and_then(|parent| Some((parent, mapping::rule(parent, target.profile)?)))
        && !matches!(segment.key, path::Key::Member(_))
    {
        return mapping::value(target, parent, rule, &segment.key, (level, walked)).await;
    }
    if let Some(at) =
        path::position(level.rows.iter().map(|child| child.name.as_str()), &segment.key)
    {
        return Sought::Found(Box::new(level.rows.swap_remove(at)));
    }
    let Some((parent, number)) = parent.zip(segment.key.number()) else { return Sought::Unknown };
    let found = elements::nth(target, parent, level, number).await;
    found.map_or(Sought::Unknown, |found| Sought::Found(Box::new(found)))
}

/// Names like this one, the likeliest first.
pub(crate) fn near(name: &str, level: &[Variable]) -> Vec<String> {
    let mut names: Vec<(f64, &str)> = level
        .iter()
        .map(|child| (strsim::jaro_winkler(name, &child.name), child.name.as_str()))
        .collect();
    names.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    names.into_iter().take(6).map(|(_, name)| name.to_owned()).collect()
}

/// The value of one that is lazy: the only thing listed inside, as DAP has it. An adapter that
/// lists what has to make the value instead is asked for the expression.
async fn opened_lazy(target: &Target<'_>, lazy: Variable) -> Variable {
    let listed = children::list(target, lazy.reference, "")
        .await
        .map(|listed| listed.rows)
        .unwrap_or_default();
    let value = match <[Variable; 1]>::try_from(listed) {
        Ok([only]) if only.name == lazy.name && !only.lazy => Some(only),
        _ => match &lazy.expression {
            Some(expression) => {
                evaluate_one(target, target.frame, expression, Effects::None).await.result.ok()
            }
            None => None,
        },
    };
    let named =
        |value| Variable { name: lazy.name.clone(), expression: lazy.expression.clone(), ..value };
    value.map_or_else(|| lazy.clone(), named)
}
