//! The configuration.

/// The name that was probably meant.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.map(|one| (strsim::jaro_winkler(name, one), one)).filter(|(score, _)| *score > 0.8);
    scored.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, one)| one)
}
