//! "Did you mean": the known name closest to a misspelt one.

/// The name that was probably meant, if one is close.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness =
        |one| strsim::jaro_winkler(name, one).max(short_for(name, one)).max(swapped(name, one));
    let scored = known.into_iter().map(|one| (likeness(one), one));
    let best =
        scored.filter(|(score, _)| *score > 0.8).max_by(|one, other| one.0.total_cmp(&other.0));
    best.map(|(_, name)| name)
}

/// How likely `name` is `word` with letters left out: its parts' initials, or what begins as it
/// does. 0: it is not.
pub(crate) fn short_for(name: &str, word: &str) -> f64 {
    let initials = word.split('_').filter_map(|part| part.chars().next());
    let mut left = word.chars();
    match name.len() {
        2.. if initials.eq(name.chars()) => 0.95,
        3.. if name.chars().next() == word.chars().next()
            && name.chars().all(|letter| left.any(|other| other == letter)) =>
        {
            0.8 + 0.15 * name.len() as f64 / word.len() as f64
        }
        _ => 0.0,
    }
}

/// How likely `name` is `word` with two neighbours exchanged. 0: it is not.
fn swapped(name: &str, word: &str) -> f64 {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    if strsim::osa_distance(name, word) == 1 && letters(name) == letters(word) { 0.95 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_by_its_letters() {
        let known = ["just_my_code", "justice", "sub_process", "acd"];
        for (name, meant) in [
            ("jmc", Some("just_my_code")),
            ("just_my_cod", Some("just_my_code")),
            ("sbprc", Some("sub_process")),
            ("adc", Some("acd")),
            ("abd", None),
            ("x", None),
            ("tic", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
    }
}
