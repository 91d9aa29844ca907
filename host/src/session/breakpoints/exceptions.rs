//! From the caller's words for exceptions to the adapter's filters.

use dapdock_schema::Manifest;

use crate::dap::arguments::SetExceptionBreakpointsArguments;
use crate::dap::types::ExceptionFilterOption;
use crate::model::answer::{BreakOn, ExceptionFilter};
use crate::pattern;
use crate::session::Error;
use crate::session::adapter::wire::Wire;

/// The word that turns all of them off.
pub(crate) const NONE: &str = "none";

/// What to send for the words, or for the manifest's defaults: as the plugin says,
/// else by the manifest's table. Filters that the adapter does not offer are left out.
pub(crate) async fn arguments(
    wire: &Wire,
    words: Option<&[String]>,
) -> SetExceptionBreakpointsArguments {
    let manifest = wire.plugin().manifest();
    let words = words.map_or_else(|| default_words(manifest), <[String]>::to_vec);
    let mut filters = match translated(wire, &words).await {
        Some(filters) => filters,
        None => by_table(manifest, &words),
    };
    let offered = offered(wire);
    filters.retain(|filter| offered.contains(&filter.filter));
    filters.dedup();
    let (with, without): (Vec<_>, Vec<_>) =
        filters.into_iter().partition(|filter| filter.condition.is_some());
    let option = |filter: ExceptionFilter| ExceptionFilterOption {
        filter_id: filter.filter,
        condition: filter.condition,
    };
    SetExceptionBreakpointsArguments {
        filters: without.into_iter().map(|filter| filter.filter).collect(),
        filter_options: (!with.is_empty()).then(|| with.into_iter().map(option).collect()),
        ..SetExceptionBreakpointsArguments::default()
    }
}

async fn translated(wire: &Wire, words: &[String]) -> Option<Vec<ExceptionFilter>> {
    let plugin = wire.plugin();
    if !plugin.wants_translate("exception-filters") {
        return None;
    }
    let (mut want, mut types) = (Vec::new(), Vec::new());
    for word in words {
        match break_on(word) {
            Some(known) => want.push(known),
            None => types.push(word.clone()),
        }
    }
    let offered = wire
        .client()
        .capabilities()
        .raw()
        .get("exceptionBreakpointFilters")
        .cloned()
        .unwrap_or_default();
    let turn = wire.turn().await;
    let filters = plugin.exception_filters(&turn.view, &want, &types, &offered).await;
    turn.degrade(filters, None)
}

fn break_on(word: &str) -> Option<BreakOn> {
    Some(match word {
        NONE => BreakOn::Never,
        "uncaught" => BreakOn::Uncaught,
        "caught" => BreakOn::Caught,
        "all" => BreakOn::All,
        "panic" => BreakOn::Panic,
        "assertion" => BreakOn::Assertion,
        "signal" => BreakOn::Signal,
        _ => return None,
    })
}

fn by_table(manifest: &Manifest, words: &[String]) -> Vec<ExceptionFilter> {
    let filters = |word: &String| match manifest.exceptions.iter().find(|known| known.name == *word)
    {
        Some(known) => known.filters.clone(),
        None => vec![word.clone()],
    };
    words
        .iter()
        .flat_map(filters)
        .map(|filter| ExceptionFilter { filter, condition: None })
        .collect()
}

fn offered(wire: &Wire) -> Vec<String> {
    wire.client()
        .capabilities()
        .exception_filters()
        .into_iter()
        .map(|filter| filter.filter)
        .collect()
}

/// Words in force when the caller says nothing.
pub(crate) fn default_words(manifest: &Manifest) -> Vec<String> {
    manifest
        .exceptions
        .iter()
        .filter(|known| known.default)
        .map(|known| known.name.clone())
        .collect()
}

/// An error for a word that is neither in the manifest nor offered by the adapter.
pub(crate) fn check(
    manifest: &Manifest,
    wire: Option<&Wire>,
    words: &[String],
) -> Result<(), Error> {
    let known = known(manifest, wire);
    match unknown(manifest, &known, words).into_iter().next() {
        Some(name) => {
            let types = manifest.exception_types.as_ref().map(|types| types.examples.clone());
            Err(Error::UnknownExceptionFilter { name, known, types })
        }
        None => Ok(()),
    }
}

/// The words of those that were kept from before which mean nothing to this adapter.
pub(crate) fn strange(wire: &Wire, words: &[String]) -> Vec<String> {
    let manifest = wire.plugin().manifest();
    unknown(manifest, &known(manifest, Some(wire)), words)
}

/// The words that can be said.
pub(crate) fn known(manifest: &Manifest, wire: Option<&Wire>) -> Vec<String> {
    let mut known: Vec<String> =
        manifest.exceptions.iter().map(|known| known.name.clone()).collect();
    let more = wire.map(offered).unwrap_or_default().into_iter().chain([NONE.to_owned()]);
    for word in more {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    known
}

/// Means it something whatever the adapter?
pub(crate) fn is_word(word: &str) -> bool {
    break_on(word).is_some()
}

/// Could it be a filter's or a type's name, of whatever adapter?
pub(crate) fn may_mean(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':' | '-'))
}

/// An error for a word that could not and that no manifest knows, while no adapter is chosen.
pub(crate) fn check_without_adapter(
    manifests: &[&Manifest],
    words: &[String],
) -> Result<(), Error> {
    let strange = |word: &&String| {
        let word = std::slice::from_ref(*word);
        !may_mean(&word[0])
            && manifests.iter().all(|one| !unknown(one, &known(one, None), word).is_empty())
    };
    let Some(name) = words.iter().find(strange) else { return Ok(()) };
    let mut all = Vec::new();
    for word in
        manifests.iter().flat_map(|manifest| known(manifest, None)).filter(|word| *word != NONE)
    {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    all.push(NONE.to_owned());
    let types = manifests
        .iter()
        .find_map(|manifest| Some(manifest.exception_types.as_ref()?.examples.clone()));
    Err(Error::UnknownExceptionFilter { name: name.to_owned(), known: all, types })
}

/// The words that are names of types.
pub(crate) fn types(manifest: &Manifest, wire: Option<&Wire>, words: &[String]) -> Vec<String> {
    let known = known(manifest, wire);
    let typed = |word: &&String| {
        !known.contains(word) && !is_later(manifest, word) && is_type(manifest, word)
    };
    words.iter().filter(typed).cloned().collect()
}

/// The words that nobody knows.
fn unknown(manifest: &Manifest, known: &[String], words: &[String]) -> Vec<String> {
    let nobodys = |word: &&String| {
        !known.contains(word) && !is_later(manifest, word) && !is_type(manifest, word)
    };
    words.iter().filter(nobodys).cloned().collect()
}

/// Some filters are offered only once the debuggee is there.
fn is_later(manifest: &Manifest, word: &String) -> bool {
    manifest.exceptions.iter().any(|known| known.filters.contains(word))
}

/// A slip in a word that means something is no type.
fn is_type(manifest: &Manifest, word: &str) -> bool {
    let types =
        manifest.exception_types.as_ref().and_then(|types| pattern::compile(&types.pattern).ok());
    let is_slip = manifest.exceptions.iter().any(|known| known.name.eq_ignore_ascii_case(word));
    types.is_some_and(|types| types.is_match(word)) && !is_slip
}
