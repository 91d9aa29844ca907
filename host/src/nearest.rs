//! "Did you mean": the known name closest to a misspelt one.

/// The name that was probably meant, if one is close.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.into_iter().map(|one| (strsim::jaro_winkler(name, one), one));
    let best = scored.filter(|(score, _)| *score > 0.8).max_by(|one, other| one.0.total_cmp(&other.0));
    best.map(|(_, name)| name)
}
