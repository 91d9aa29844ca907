//! From a path to a variable: through the scopes, down the children, and last as an expression.
//!
//! Knows segments and listed children. Refuses to know how an adapter lists them (`children`,
//! `elements`, `mapping`).

use crate::dap::types;
use crate::model::{Effects, Frame, Variable};
use crate::near;
use crate::session::Error;
use crate::session::values;
use crate::session::values::children::{self, Listed};
use crate::session::values::elements;
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::mapping::{self, Sought};
use crate::session::values::path::{self, Key, Segment};
use crate::session::values::reader::{FrameReader, SetVariable};
use crate::session::values::scope::{self, current_listing, is_outermost, local_scopes};

/// How many names of a level an error lists.
const LISTED: usize = 6;

/// A variable and where it was found.
pub(crate) struct Found {
    pub(crate) variable: Variable,
    /// The reference of the scope or variable that lists it; none: it is the value of an
    /// expression.
    pub(crate) parent: Option<i64>,
    /// The variable of a scope at the beginning of the path.
    pub(crate) root: Option<SetVariable>,
}

/// The variable that a path names in a frame.
pub(crate) async fn locate(
    reader: &FrameReader<'_>,
    frame: &Frame,
    text: &str,
) -> Result<Found, Error> {
    let scopes = scope::of_frame(reader, frame).await.map_err(|error| reader.refused(&error))?;
    let chosen = local_scopes(&scopes, reader.wire.quirks());
    find(reader, frame, &scopes, &chosen, text, &path::parse(text)).await
}

/// Walks a path from the chosen scopes, then from the others, then evaluates it.
///
/// # Errors
/// If no scope leads to the variable: why, by the scope that led furthest.
pub(crate) async fn find(
    reader: &FrameReader<'_>,
    frame: &Frame,
    scopes: &[types::Scope],
    chosen: &[&types::Scope],
    text: &str,
    segments: &[Segment],
) -> Result<Found, Error> {
    let others = scopes
        .iter()
        .filter(|scope| !scope.expensive && !chosen.iter().any(|one| one.name == scope.name));
    let mut furthest: Option<Miss> = None;
    let mut chosen = chosen.to_vec();
    chosen.sort_by_key(|scope| is_outermost(scope));
    for scope in chosen.iter().copied().chain(others) {
        let first = segments.first().map(|segment| segment.key.name());
        let roots = current_listing(reader, &[scope], &[], first.as_deref()).await?.rows;
        match walk(reader, (scope.variables_reference, roots), text, segments).await {
            Ok(found) => {
                let root = segments.first().map(|segment| SetVariable {
                    scope: scope.name.clone(),
                    name: segment.key.name(),
                });
                return Ok(Found { root, ..found });
            }
            Err(miss) => {
                if furthest.as_ref().is_none_or(|furthest| furthest.depth < miss.depth) {
                    furthest = Some(miss);
                }
            }
        }
    }
    if let Some(miss) = furthest.take_if(|miss| miss.is_final) {
        return Err(miss.error);
    }
    if !path::reads_only(text) {
        return Err(Error::Values(values::Error::NotAPath { text: text.to_owned() }));
    }
    match evaluate_one(reader, Some(frame), text, Effects::None).await.result {
        Ok(found) if !reader.wire.quirks().is_absent(&found.value) => {
            let expression = found.expression.or_else(|| Some(text.to_owned()));
            Ok(Found { variable: Variable { expression, ..found }, parent: None, root: None })
        }
        _ => Err(furthest.map_or(Error::Superseded, |miss| miss.error)),
    }
}

/// Why a walk did not arrive.
struct Miss {
    /// How many segments it followed.
    depth: usize,
    /// Every child of the level was read: evaluating the path would find nothing more.
    is_final: bool,
    error: Error,
}

/// Follows the segments from the variables of a scope.
async fn walk(
    reader: &FrameReader<'_>,
    (scope, roots): (i64, Vec<Variable>),
    text: &str,
    segments: &[Segment],
) -> Result<Found, Miss> {
    let mut parent: Option<Variable> = None;
    let mut level = Listed { rows: roots, ..Listed::default() };
    let mut walked = 0;
    for (depth, segment) in segments.iter().enumerate() {
        let sought = step(reader, parent.as_ref(), &mut level, segment, &text[..walked]).await;
        let Sought::Found(mut found) = sought else {
            let walked = text[..walked].trim_end_matches(['.', '[', '-', '>']);
            let (is_final, error) =
                missing(reader, parent.as_ref(), &level, segment, walked, &sought).await;
            return Err(Miss { depth, is_final, error });
        };
        if found.lazy {
            *found = load_lazy(reader, *found).await;
        }
        walked = segment.end;
        if depth + 1 == segments.len() {
            let parent = Some(parent.map_or(scope, |parent| parent.reference));
            return Ok(Found { variable: *found, parent, root: None });
        }
        level = elements::listed(reader, &found).await.map_err(|error| Miss {
            depth,
            is_final: false,
            error: reader.refused(&error),
        })?;
        parent = Some(*found);
    }
    Err(Miss { depth: 0, is_final: false, error: Error::Superseded })
}

/// The child that a segment names: one that is listed, or an element that has to be read.
async fn step(
    reader: &FrameReader<'_>,
    parent: Option<&Variable>,
    level: &mut Listed,
    segment: &Segment,
    walked: &str,
) -> Sought {
    if let Some(parent) = parent
        && let Some(rule) = reader.wire.quirks().mapping(parent)
        && !matches!(segment.key, Key::Member(_))
    {
        return mapping::value(reader, parent, &rule, &segment.key, (level, walked)).await;
    }
    let names = level.rows.iter().map(|child| child.name.as_str());
    if let Some(at) = path::position(names, &segment.key) {
        return Sought::Found(Box::new(level.rows.swap_remove(at)));
    }
    match (parent, &segment.key) {
        (Some(parent), Key::Number(number)) => {
            let found = elements::nth(reader, parent, level, *number).await;
            found.map_or(Sought::Unknown, |found| Sought::Found(Box::new(found)))
        }
        (Some(parent), Key::Other(key)) if path::reads_only(key) => {
            by_value(reader, parent, level, key, walked).await
        }
        (Some(parent), key @ Key::Other(_)) => among_first(reader, parent, level, key).await,
        _ => Sought::Unknown,
    }
}

/// The child that a displayed key names, which is no expression.
async fn among_first(
    reader: &FrameReader<'_>,
    parent: &Variable,
    level: &Listed,
    key: &Key,
) -> Sought {
    if level.counted.is_none() {
        return Sought::Unknown;
    }
    let mut rows = elements::compared(reader, parent).await.unwrap_or_default();
    let count = rows.len() as u64;
    match path::position(rows.iter().map(|row| row.name.as_str()), key) {
        Some(at) => Sought::Found(Box::new(rows.swap_remove(at))),
        None if level.counted > Some(count) => Sought::NotAmong(count),
        None => Sought::Unknown,
    }
}

/// The child that the value of an expression names: debuggers may list more keys than they find by
/// an expression. Only a literal is sought by its text: any other text may mean something else.
async fn by_value(
    reader: &FrameReader<'_>,
    parent: &Variable,
    level: &mut Listed,
    key: &str,
    walked: &str,
) -> Sought {
    let evaluated = evaluate_one(reader, reader.frame, key, Effects::None).await;
    let Ok(value) = evaluated.result else { return Sought::Unknown };
    let found = path::key_of_value(&value.value);
    let names = level.rows.iter().map(|child| child.name.as_str());
    if let Some(at) = path::position(names, &found) {
        return Sought::Found(Box::new(level.rows.swap_remove(at)));
    }
    if matches!(found, Key::Other(_)) {
        return Sought::Unknown;
    }
    let expression = parent.expression.as_deref().unwrap_or(walked);
    let lookup = format!("{expression}[{}]", value.value);
    let found = evaluate_one(reader, reader.frame, &lookup, Effects::None).await.result;
    match found {
        Ok(found) if !reader.wire.quirks().is_absent(&found.value) => {
            Sought::Found(Box::new(Variable { name: format!("[{key}]"), ..found }))
        }
        _ => Sought::Unknown,
    }
}

/// The error for a segment that names no child, and whether the miss is final.
async fn missing(
    reader: &FrameReader<'_>,
    parent: Option<&Variable>,
    level: &Listed,
    segment: &Segment,
    walked: &str,
    sought: &Sought,
) -> (bool, Error) {
    let is_mapping = parent.is_some_and(|parent| reader.wire.quirks().mapping(parent).is_some());
    let is_sequence = !is_mapping && elements::is_sequence(reader, parent, level).await;
    let (parent, name) = (walked.to_owned(), segment.key.name());
    if let Sought::NotAmong(looked_at) = *sought {
        return (true, Error::Values(values::Error::NotAmong { parent, key: name, looked_at }));
    }
    if is_sequence
        && let Some((count, number)) = level.elements().zip(segment.key.number())
        && number >= count
    {
        return (true, Error::Values(values::Error::NoSuchElement { parent, number, count }));
    }
    // The adapter lists the entries of a mapping by number: no such name is similar to a key.
    let near = if is_mapping { Vec::new() } else { ranked(&name, &level.rows) };
    let is_final = matches!(sought, Sought::None);
    (is_final, Error::Values(values::Error::NoSuchVariable { parent, segment: name, near }))
}

/// Names of a level, the most similar to this one first.
pub(crate) fn ranked(name: &str, level: &[Variable]) -> Vec<String> {
    let names = near::ranked(name, level.iter().map(|child| child.name.as_str()));
    names.into_iter().take(LISTED).map(str::to_owned).collect()
}

/// Loads a lazy variable: its value is its only child (DAP, `lazy`). If an adapter lists the
/// children of the value instead, the expression is evaluated.
async fn load_lazy(reader: &FrameReader<'_>, lazy: Variable) -> Variable {
    let listed = children::list(reader, lazy.reference, "").await;
    let rows = listed.map(|listed| listed.rows).unwrap_or_default();
    let value = match <[Variable; 1]>::try_from(rows) {
        Ok([only]) if only.name == lazy.name && !only.lazy => Some(only),
        _ => match &lazy.expression {
            Some(expression) => {
                evaluate_one(reader, reader.frame, expression, Effects::None).await.result.ok()
            }
            None => None,
        },
    };
    match value {
        Some(value) => Variable { name: lazy.name, expression: lazy.expression, ..value },
        None => lazy,
    }
}
