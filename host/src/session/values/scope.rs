//! The scopes of a frame: which of them hold its locals, and what they list.
//!
//! Knows DAP's `scopes` and the adapters that go on listing old values after an assignment. Refuses
//! to look inside a variable.

use std::collections::HashSet;

use futures_util::future::join_all;

use crate::dap::arguments::FrameArguments;
use crate::dap::{self, request, types};
use crate::model::{Effects, Frame, LOCALS, Variable};
use crate::session::Error;
use crate::session::adapter::quirks::Quirks;
use crate::session::values;
use crate::session::values::children::{self, Listed};
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::reader::FrameReader;

/// After an assignment every variable of a scope is evaluated again, if there are no more than
/// this.
const REEVALUATED: usize = 200;

/// The locals of a frame.
#[derive(Default)]
pub(crate) struct Locals {
    /// In the adapter's order.
    pub(crate) variables: Vec<Variable>,
    /// Number of arguments, if a scope of arguments comes first.
    pub(crate) arguments: Option<usize>,
    /// Number of locals behind the first [`LOCALS`].
    pub(crate) more: usize,
}

impl Locals {
    fn of(mut variables: Vec<Variable>, arguments: Option<usize>) -> Self {
        let more = variables.len().saturating_sub(LOCALS);
        variables.truncate(LOCALS);
        Self { variables, arguments, more }
    }
}

/// The locals of the frame.
pub(crate) async fn locals(reader: &FrameReader<'_>) -> Result<Locals, dap::Error> {
    let Some(frame) = reader.frame else { return Ok(Locals::default()) };
    let scopes = of_frame(reader, frame).await?;
    let local = local_scopes(&scopes, reader.wire.quirks());
    let mut variables = Vec::new();
    let mut arguments = None;
    for (at, listed) in list_all(reader, &local).await.into_iter().enumerate() {
        variables.extend(listed?.rows);
        if at == 0 && is_outermost(local[0]) {
            arguments = Some(variables.len().min(LOCALS));
        }
    }
    Ok(Locals::of(variables, arguments))
}

/// The locals with their current values, after assignments too.
pub(crate) async fn current_locals(
    reader: &FrameReader<'_>,
    frame: &Frame,
) -> Result<Locals, Error> {
    let scopes = of_frame(reader, frame).await.map_err(|error| reader.refused(&error))?;
    let chosen = local_scopes(&scopes, reader.wire.quirks());
    let lists = current_lists(reader, &chosen, &[], None).await?;
    let first = chosen.first().zip(lists.first()).filter(|(scope, _)| is_outermost(scope));
    let arguments = first.map(|(_, listed)| listed.rows.len().min(LOCALS));
    let variables = lists.into_iter().flat_map(|listed| listed.rows).collect();
    Ok(Locals::of(variables, arguments))
}

/// The scopes of a frame (DAP, `scopes`). Each read requests them: after an assignment the
/// references of earlier scopes may list old values, even without an `invalidated` event.
pub(crate) async fn of_frame(
    reader: &FrameReader<'_>,
    frame: &Frame,
) -> Result<Vec<types::Scope>, dap::Error> {
    let arguments = FrameArguments { frame_id: frame.id };
    Ok(reader.wire.call::<request::Scopes>(arguments).await?.scopes)
}

/// The scopes that hold locals, by DAP's `presentationHint` or by name; without any,
/// the first that is neither expensive nor one of registers or globals.
pub(crate) fn local_scopes<'a>(
    scopes: &'a [types::Scope],
    quirks: &Quirks,
) -> Vec<&'a types::Scope> {
    let local: Vec<_> = scopes.iter().filter(|scope| quirks.has_locals(scope)).collect();
    if !local.is_empty() {
        return local;
    }
    let is_other = |scope: &types::Scope| {
        matches!(scope.presentation_hint.as_deref(), Some("registers" | "globals"))
    };
    scopes.iter().find(|scope| !scope.expensive && !is_other(scope)).into_iter().collect()
}

/// Is it the scope of the arguments? It is listed first, but a variable of a block inside the
/// function hides an argument of the same name.
pub(crate) fn is_outermost(scope: &types::Scope) -> bool {
    scope.presentation_hint.as_deref() == Some("arguments")
}

/// The scopes whose names begin as the caller wants, or else those of the kind that the word means;
/// the local ones if the caller names none.
pub(crate) fn choose<'a>(
    scopes: &'a [types::Scope],
    wanted: Option<&str>,
    quirks: &Quirks,
) -> Result<Vec<&'a types::Scope>, Error> {
    let Some(wanted) = wanted else { return Ok(local_scopes(scopes, quirks)) };
    let lower = wanted.trim().to_lowercase();
    let mut found: Vec<_> =
        scopes.iter().filter(|scope| scope.name.to_lowercase().starts_with(&lower)).collect();
    if found.is_empty() {
        found = of_kind(scopes, &lower, quirks);
    }
    if found.is_empty() {
        return Err(Error::Values(values::Error::NoSuchScope {
            name: wanted.to_owned(),
            known: scopes.iter().map(|scope| scope.name.clone()).collect(),
        }));
    }
    Ok(found)
}

/// The scopes that a common word for a kind of variables means; none if the word is no such word.
/// Where no scope is of arguments alone, those of the locals have them.
fn of_kind<'a>(scopes: &'a [types::Scope], word: &str, quirks: &Quirks) -> Vec<&'a types::Scope> {
    let word = word.strip_suffix('s').unwrap_or(word);
    let begins = |name: &str| -> Vec<&types::Scope> {
        scopes.iter().filter(|scope| scope.name.to_lowercase().starts_with(name)).collect()
    };
    let hinted = |hint: &str| -> Vec<&types::Scope> {
        scopes.iter().filter(|scope| scope.presentation_hint.as_deref() == Some(hint)).collect()
    };
    let by_preference = match word {
        "local" => vec![local_scopes(scopes, quirks)],
        "argument" | "arg" | "parameter" | "param" => {
            vec![hinted("arguments"), begins("arg"), local_scopes(scopes, quirks)]
        }
        "register" | "reg" => vec![hinted("registers"), begins("register")],
        "global" | "static" => {
            vec![begins(word), hinted("globals"), begins("global"), begins("static")]
        }
        _ if word.len() > 2 => vec![begins(word)],
        _ => Vec::new(),
    };
    by_preference.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// The scopes inside the chosen ones, whose names hide theirs: those listed before them and, for
/// the arguments, the blocks of the function.
pub(crate) fn inner_scopes<'a>(
    scopes: &'a [types::Scope],
    chosen: &[&types::Scope],
) -> Vec<&'a types::Scope> {
    let is_chosen = |scope: &types::Scope| chosen.iter().any(|one| one.name == scope.name);
    let first = scopes.iter().position(is_chosen).unwrap_or(0);
    let has_arguments = chosen.iter().any(|scope| is_outermost(scope));
    let mut inner = Vec::new();
    for (at, scope) in scopes.iter().enumerate() {
        let is_block = scope.presentation_hint.as_deref() == Some("locals");
        let is_inside = at < first || (has_arguments && is_block);
        if is_inside && !is_chosen(scope) && !scope.expensive {
            inner.push(scope);
        }
    }
    inner
}

/// Lists the scopes in parallel: an adapter may take its time for each.
async fn list_all(
    reader: &FrameReader<'_>,
    scopes: &[&types::Scope],
) -> Vec<Result<Listed, dap::Error>> {
    join_all(
        scopes.iter().map(|scope| children::list(reader, scope.variables_reference, &scope.name)),
    )
    .await
}

/// The variables of the scopes in one list, as [`current_lists`] has them.
pub(crate) async fn current_listing(
    reader: &FrameReader<'_>,
    scopes: &[&types::Scope],
    inner: &[&types::Scope],
    wanted: Option<&str>,
) -> Result<Listed, Error> {
    let mut all = Listed::default();
    for listed in current_lists(reader, scopes, inner, wanted).await? {
        all.rows.extend(listed.rows);
        all.hidden.extend(listed.hidden);
    }
    Ok(all)
}

/// The variables of each scope with their current values: all of them, or those named `wanted`.
///
/// Some adapters go on listing the values from before an assignment. There each variable is
/// evaluated by its name, unless an inner scope (`inner`, or an earlier one of `scopes`) hides it.
async fn current_lists(
    reader: &FrameReader<'_>,
    scopes: &[&types::Scope],
    inner: &[&types::Scope],
    wanted: Option<&str>,
) -> Result<Vec<Listed>, Error> {
    let lists_old_values = reader.may_have_changed && reader.wire.quirks().lists_old_values();
    let mut seen = HashSet::new();
    if reader.may_have_changed {
        for listed in list_all(reader, inner).await.into_iter().flatten() {
            seen.extend(listed.rows.into_iter().map(|row| row.name));
        }
    }
    let mut lists = Vec::with_capacity(scopes.len());
    for listed in list_all(reader, scopes).await {
        lists.push(listed.map_err(|error| reader.refused(&error))?);
    }
    let mut order: Vec<usize> = (0..scopes.len()).collect();
    order.sort_by_key(|at| is_outermost(scopes[*at]));
    for at in order {
        let scope = &scopes[at].name;
        let rows = &mut lists[at].rows;
        let reevaluates_all = lists_old_values && (wanted.is_some() || rows.len() <= REEVALUATED);
        for row in rows {
            // An expression names the innermost variable.
            let is_innermost = seen.insert(row.name.clone());
            if !is_innermost || wanted.is_some_and(|wanted| wanted != row.name) {
                continue;
            }
            let was_set =
                || reader.set.iter().any(|set| set.scope == *scope && set.name == row.name);
            if (reevaluates_all || was_set())
                && let Ok(now) =
                    evaluate_one(reader, reader.frame, &row.name, Effects::None).await.result
            {
                *row =
                    Variable { name: row.name.clone(), expression: row.expression.take(), ..now };
            }
        }
    }
    Ok(lists)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope((name, hint): &(&str, &str)) -> types::Scope {
        let presentation_hint = Some((*hint).to_owned()).filter(|hint| !hint.is_empty());
        types::Scope { name: (*name).into(), presentation_hint, ..Default::default() }
    }

    /// The names of the scopes for a word.
    fn chosen(scopes: &[(&str, &str)], word: &str) -> String {
        let scopes: Vec<_> = scopes.iter().map(scope).collect();
        let found = choose(&scopes, Some(word), &Quirks::default());
        let names = |found: Vec<&types::Scope>| {
            found.iter().map(|scope| scope.name.clone()).collect::<Vec<_>>().join(" ")
        };
        found.map_or_else(|_| "-".to_owned(), names)
    }

    #[test]
    fn common_words_find_the_scope_of_their_kind() {
        let whole = &[("Locals", "locals"), ("Globals", "")][..];
        let single = &[("Local", "locals"), ("Static", ""), ("Global", ""), ("Registers", "")][..];
        let split = &[("Arguments", "arguments"), ("Locals", "locals"), ("CPU", "registers")][..];
        let named = &[("Local: tax", "locals"), ("Closure", ""), ("Global", "")][..];
        for (scopes, word, expect) in [
            (whole, "globals", "Globals"),
            (whole, "Global", "Globals"),
            (whole, "arguments", "Locals"),
            (whole, "statics", "Globals"),
            (whole, "registers", "-"),
            (single, "locals", "Local"),
            (single, "globals", "Global"),
            (single, "statics", "Static"),
            (single, "Registers", "Registers"),
            (split, "args", "Arguments"),
            (split, "parameters", "Arguments"),
            (split, "locals", "Locals"),
            (split, "registers", "CPU"),
            (split, "globals", "-"),
            (named, "locals", "Local: tax"),
            (named, "globals", "Global"),
            (named, "closures", "Closure"),
            (named, "ss", "-"),
            (named, "closure", "Closure"),
        ] {
            assert_eq!(chosen(scopes, word), expect, "{word} of {scopes:?}");
        }
    }
}
