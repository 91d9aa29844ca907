//! "Did you mean": the nearest of the known words.

use crate::nearest::short_for;

/// The known word that `given` most likely stands for.
pub(super) fn nearest<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = given.to_lowercase().replace('-', "_");
    let scored = known.into_iter().map(|word| (score(&plain, word), word));
    scored
        .filter(|(score, _)| *score >= 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}

fn score(given: &str, word: &str) -> f64 {
    let contained = given.len() >= 3 && (word.contains(given) || given.contains(word));
    let distance = strsim::normalized_damerau_levenshtein(given, word);
    let similar = strsim::jaro_winkler(given, word).max(distance).max(short_for(given, word));
    similar.max(if contained { 0.75 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_wins_and_a_strange_one_has_none() {
        let known = ["program", "args", "timeout_s", "stop_on_entry"];
        assert_eq!(nearest("progam", known), Some("program"));
        assert_eq!(nearest("timeout", known), Some("timeout_s"));
        assert_eq!(nearest("stopOnEntry", known), Some("stop_on_entry"));
        assert_eq!(nearest("zzz", known), None);
        let step = ["count", "granularity", "into", "kind", "session", "thread", "timeout_s"];
        for (given, meant) in
            [("cnt", "count"), ("ts", "timeout_s"), ("gran", "granularity"), ("thr", "thread")]
        {
            assert_eq!(nearest(given, step), Some(meant), "{given}");
        }
        assert_eq!(nearest("bps", ["breakpoints", "args"]), Some("breakpoints"));
    }
}
