//! From the caller's words for exceptions (`uncaught`, a filter, a type) to the adapter's filters.
//!
//! Knows the manifest's table and the plugin's hook. Refuses to know what an adapter does with a
//! filter.

use dapdock_schema::{ExceptionBreak, Manifest};

use crate::dap::arguments::SetExceptionBreakpointsArguments;
use crate::dap::types::ExceptionFilterOption;
use crate::model::answer::{BreakOn, ExceptionFilter};
use crate::pattern;
use crate::session::Error;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints;

/// The word that turns all of them off.
pub(crate) const NONE: &str = "none";

/// The word for those that nothing catches.
pub(crate) const UNCAUGHT: &str = "uncaught";

/// The word for all that an adapter has.
const ALL: &str = "all";

/// The request for these words, or for the manifest's defaults, and for those of an editor: by the
/// plugin's hook, else by the manifest's table. Filters that the adapter does not offer are left
/// out.
pub(crate) async fn arguments(
    wire: &Wire,
    words: Option<&[String]>,
    of_editor: &[String],
) -> SetExceptionBreakpointsArguments {
    let manifest = wire.plugin().manifest();
    let mut words = words.map_or_else(|| default_words(manifest), <[String]>::to_vec);
    if !of_editor.is_empty() {
        words.retain(|word| word != NONE && !of_editor.contains(word));
        words.extend_from_slice(of_editor);
    }
    let mut filters = match translated(wire, &words).await {
        Some(filters) => filters,
        None => by_table(manifest, &words),
    };
    let offered = offered(wire);
    filters.retain(|filter| offered.contains(&filter.filter));
    filters.dedup();
    let (mut plain, mut conditional) = (Vec::new(), Vec::new());
    for ExceptionFilter { filter, condition } in filters {
        if condition.is_some() {
            conditional.push(ExceptionFilterOption { filter_id: filter, condition });
        } else {
            plain.push(filter);
        }
    }
    SetExceptionBreakpointsArguments {
        filters: plain,
        filter_options: (!conditional.is_empty()).then_some(conditional),
        ..SetExceptionBreakpointsArguments::default()
    }
}

/// The filters by the plugin's hook; none: the plugin has none, or no opinion.
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
    let capabilities = wire.client().capabilities();
    let offered = capabilities.raw().get("exceptionBreakpointFilters").cloned().unwrap_or_default();
    let hook_call = wire.hook_call().await;
    let filters = plugin.exception_filters(&hook_call.view, &want, &types, &offered).await;
    hook_call.degrade(filters, None)
}

/// The meaning of a word of the host; none: it is a filter of an adapter or a type.
pub(crate) fn break_on(word: &str) -> Option<BreakOn> {
    Some(match word {
        NONE => BreakOn::Never,
        UNCAUGHT => BreakOn::Uncaught,
        "caught" => BreakOn::Caught,
        "all" => BreakOn::All,
        "panic" => BreakOn::Panic,
        "assertion" => BreakOn::Assertion,
        "signal" => BreakOn::Signal,
        _ => return None,
    })
}

fn by_table(manifest: &Manifest, words: &[String]) -> Vec<ExceptionFilter> {
    let mut filters: Vec<String> = Vec::new();
    for word in words {
        let named = manifest.exceptions.iter().find(|known| known.name == *word);
        let own = match (named, word.as_str()) {
            (Some(known), _) => known.filters.clone(),
            (None, ALL) => {
                manifest.exceptions.iter().flat_map(|known| known.filters.clone()).collect()
            }
            (None, _) => vec![word.clone()],
        };
        for filter in own {
            if !filters.contains(&filter) {
                filters.push(filter);
            }
        }
    }
    filters.into_iter().map(|filter| ExceptionFilter { filter, condition: None }).collect()
}

/// The filters that the adapter offers (DAP, `exceptionBreakpointFilters`).
fn offered(wire: &Wire) -> Vec<String> {
    let filters = wire.client().capabilities().exception_filters();
    filters.into_iter().map(|filter| filter.filter).collect()
}

/// The words in force if the caller gives none.
pub(crate) fn default_words(manifest: &Manifest) -> Vec<String> {
    let defaults = manifest.exceptions.iter().filter(|known| known.default);
    defaults.map(|known| known.name.clone()).collect()
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
            Err(Error::Breakpoints(breakpoints::Error::UnknownExceptionFilter {
                name,
                known,
                types,
            }))
        }
        None => Ok(()),
    }
}

/// Those of these words that this adapter knows; if it knows none, its defaults. A word that can be
/// no name of any adapter stays.
pub(crate) fn fitting(
    manifest: &Manifest,
    wire: Option<&Wire>,
    mut words: Vec<String>,
) -> Vec<String> {
    let mut unknown = unknown(manifest, &known(manifest, wire), &words);
    unknown.retain(|word| may_mean(word));
    words.retain(|word| !unknown.contains(word));
    if words.is_empty() && !unknown.is_empty() { default_words(manifest) } else { words }
}

/// Those of these words, retained from an earlier call, that this adapter does not know.
pub(crate) fn unknown_words(wire: &Wire, words: &[String]) -> Vec<String> {
    let manifest = wire.plugin().manifest();
    unknown(manifest, &known(manifest, Some(wire)), words)
}

/// All words that this adapter knows: none of those whose filters it does not offer for this
/// program, except `uncaught`, which may stop by a signal.
pub(crate) fn known(manifest: &Manifest, wire: Option<&Wire>) -> Vec<String> {
    let offered = wire.map(offered).unwrap_or_default();
    let has_filter = |known: &&ExceptionBreak| {
        offered.is_empty()
            || known.name == UNCAUGHT
            || known.filters.is_empty()
            || known.filters.iter().any(|filter| offered.contains(filter))
    };
    let mut known: Vec<String> =
        manifest.exceptions.iter().filter(has_filter).map(|known| known.name.clone()).collect();
    let all = (!known.is_empty()).then(|| ALL.to_owned());
    for word in all.into_iter().chain(offered).chain([NONE.to_owned()]) {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    known
}

/// Is it a word of the host, with the same meaning for every adapter?
pub(crate) fn is_word(word: &str) -> bool {
    break_on(word).is_some()
}

/// Whether a word is the name of this type. One of both may lack the module.
pub(crate) fn names(word: &str, ty: &str) -> bool {
    let ends = |long: &str, short: &str| {
        let module = long.strip_suffix(short);
        module.is_some_and(|module| module.ends_with(['.', ':']))
    };
    word == ty || ends(ty, word) || ends(word, ty)
}

/// Could it be the name of a filter or a type of some adapter?
pub(crate) fn may_mean(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':' | '-'))
}

/// Before an adapter is chosen: an error for a word that no manifest knows and that can be no name.
pub(crate) fn check_without_adapter(
    manifests: &[&Manifest],
    words: &[String],
) -> Result<(), Error> {
    let is_unknown = |word: &&String| {
        let word = std::slice::from_ref(*word);
        !may_mean(&word[0])
            && manifests.iter().all(|one| !unknown(one, &known(one, None), word).is_empty())
    };
    let Some(name) = words.iter().find(is_unknown) else { return Ok(()) };
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
    Err(Error::Breakpoints(breakpoints::Error::UnknownExceptionFilter {
        name: name.to_owned(),
        known: all,
        types,
    }))
}

/// The words that are names of types.
pub(crate) fn types(manifest: &Manifest, wire: Option<&Wire>, words: &[String]) -> Vec<String> {
    let known = known(manifest, wire);
    let mut types = words.to_vec();
    types.retain(|word| {
        !known.contains(word) && !is_later(manifest, word) && is_type(manifest, word)
    });
    types
}

/// The words of the default that are off because all words in force are `types`.
pub(crate) fn off(words: &[String], types: &[String], defaults: Vec<String>) -> Vec<String> {
    let only_types = !words.is_empty() && words == types;
    if only_types { defaults } else { Vec::new() }
}

/// The words that are neither known words nor names of types.
fn unknown(manifest: &Manifest, known: &[String], words: &[String]) -> Vec<String> {
    let mut unknown = words.to_vec();
    unknown.retain(|word| {
        !known.contains(word) && !is_later(manifest, word) && !is_type(manifest, word)
    });
    unknown
}

/// Is it a filter that the adapter offers only once the debuggee is there?
fn is_later(manifest: &Manifest, word: &String) -> bool {
    manifest.exceptions.iter().any(|known| known.filters.contains(word))
}

/// Does it have the form of a type's name? A known word in other case is a slip, not a type.
fn is_type(manifest: &Manifest, word: &str) -> bool {
    let types =
        manifest.exception_types.as_ref().and_then(|types| pattern::compile(&types.pattern).ok());
    let is_slip = manifest.exceptions.iter().any(|known| known.name.eq_ignore_ascii_case(word));
    types.is_some_and(|types| types.is_match(word)) && !is_slip
}
