//! Names similar to a misspelt one, for "did you mean".
//!
//! One measure for every kind of name: a name is proposed if its similarity is above [`SIMILAR`];
//! at most [`PROPOSED`] are, the most similar first, then the shorter, then by letters. Refuses to
//! know what the names are of, and where a qualifier ends.

use std::cmp::Ordering;

/// A name with more than this similarity is near.
pub(crate) const SIMILAR: f64 = 0.8;
/// Most names that [`near`] and [`best`] return.
pub(crate) const PROPOSED: usize = 3;

/// One letter wrong, missing or too many, or two neighbours swapped; from three letters on.
const ONE_LETTER: f64 = 0.95;
/// One name is a word of the other, from three letters on, or its end, from four on.
const PART: f64 = 0.85;
/// Longest abbreviation, in letters.
const ABBREVIATION: usize = 8;

/// The most similar name, if one is near.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near(name, known).into_iter().next()
}

/// The near names, in order.
pub(crate) fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    best(known.into_iter().map(|known| (similarity(name, known), known)).collect())
}

/// The near names of some whose similarity is known, in order.
pub(crate) fn best(mut scored: Vec<(f64, &str)>) -> Vec<&str> {
    scored.retain(|(similarity, _)| *similarity > SIMILAR);
    scored.sort_by(order);
    scored.dedup();
    scored.truncate(PROPOSED);
    scored.into_iter().map(|(_, name)| name).collect()
}

/// All names in the order of their similarity, for lists that are displayed anyway.
pub(crate) fn ranked<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut scored: Vec<(f64, &str)> =
        known.into_iter().map(|known| (similarity(name, known), known)).collect();
    scored.sort_by(order);
    scored.into_iter().map(|(_, name)| name).collect()
}

fn order((one, a): &(f64, &str), (other, b): &(f64, &str)) -> Ordering {
    other.total_cmp(one).then(a.len().cmp(&b.len())).then(a.cmp(b))
}

/// Similarity of two names from 0 to 1: the Jaro-Winkler similarity, or more for a slip of one
/// letter, a part, or an abbreviation. Case and the way words are joined do not count.
pub(crate) fn similarity(name: &str, known: &str) -> f64 {
    let (name, known) = (words(name), words(known));
    let letters = (name.chars().count(), known.chars().count());
    let mut similarity = strsim::jaro_winkler(&name, &known);
    let may_be_a_slip = letters.0 >= 3 && letters.0.abs_diff(letters.1) <= 1;
    if may_be_a_slip && name != known && strsim::osa_distance(&name, &known) == 1 {
        similarity = similarity.max(ONE_LETTER);
    }
    if is_part(&name, &known) || is_part(&known, &name) {
        similarity = similarity.max(PART);
    }
    if abbreviates(&name, &known) {
        similarity = similarity.max(SIMILAR + 0.15 * letters.0 as f64 / letters.1 as f64);
    }
    similarity
}

/// Lower case, words joined by `_`: `stopOnEntry` and `stop-on-entry` are `stop_on_entry`.
fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut after_lower_case = false;
    for letter in name.chars() {
        if letter.is_uppercase() && after_lower_case {
            words.push('_');
        }
        after_lower_case = letter.is_lowercase() || letter.is_numeric();
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        } else {
            words.push('_');
        }
    }
    words
}

fn is_part(part: &str, whole: &str) -> bool {
    if part.len() >= whole.len() {
        return false;
    }
    let is_word = || format!("_{whole}_").contains(&format!("_{part}_"));
    (part.len() >= 3 && is_word()) || (part.len() >= 4 && whole.ends_with(part))
}

/// Is `name` each word's first letter, and some of its others, in order? At least three letters, or
/// two for several words.
fn abbreviates(name: &str, known: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let words: Vec<&str> = known.split('_').filter(|word| !word.is_empty()).collect();
    let least = if words.len() > 1 { 2 } else { 3 };
    (least..=ABBREVIATION).contains(&name.len()) && abbreviates_words(&name, &words)
}

fn abbreviates_words(name: &[char], words: &[&str]) -> bool {
    let Some((word, rest)) = words.split_first() else { return name.is_empty() };
    (1..=name.len()).any(|taken| {
        let (letters, others) = name.split_at(taken);
        begins_and_holds(word, letters) && abbreviates_words(others, rest)
    })
}

/// Does the word begin with the first letter and have the others after it, in order?
fn begins_and_holds(word: &str, letters: &[char]) -> bool {
    let mut left = word.chars();
    word.starts_with(letters[0]) && letters.iter().all(|letter| left.any(|other| other == *letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, known: &[&str], expect: &[&str]) {
        assert_eq!(near(name, known.iter().copied()), expect, "{name}");
    }

    #[test]
    fn near_names_are_proposed_in_order() {
        let keys = ["just_my_code", "justice", "sub_process", "acd"];
        check("just_my_cod", &keys, &["just_my_code", "justice"]);
        check("jmc", &keys, &["just_my_code"]);
        check("sbprc", &keys, &["sub_process"]);
        check("adc", &keys, &["acd"]);
        check("abd", &keys, &["acd"]);
        check("x", &keys, &[]);
        check("tic", &keys, &[]);
        check("", &keys, &[]);

        let arguments = ["program", "args", "timeout_s", "stop_on_entry", "path", "breakpoints"];
        check("progam", &arguments, &["program"]);
        check("timeout", &arguments, &["timeout_s"]);
        check("ts", &arguments, &["timeout_s"]);
        check("stopOnEntry", &arguments, &["stop_on_entry"]);
        check("stop-on-entry", &arguments, &["stop_on_entry"]);
        check("filepath", &arguments, &["path"]);
        check("file_path", &arguments, &["path"]);
        check("bps", &arguments, &["breakpoints"]);
        check("zzz", &arguments, &[]);

        let step = ["count", "granularity", "into", "kind", "session", "thread", "timeout_s"];
        check("cnt", &step, &["count"]);
        check("gran", &step, &["granularity"]);
        check("thr", &step, &["thread"]);
        check("session_id", &step, &["session"]);

        let tests = ["test_silver", "TestGold", "test_gold"];
        check("test_gld", &tests, &["TestGold", "test_gold", "test_silver"]);
        check("gold", &tests, &["TestGold", "test_gold"]);
        check("GOLD", &["gold", "golf", "mould", "golds", "bold"], &["gold", "golds", "bold"]);
    }

    #[test]
    fn all_names_are_ranked() {
        let names = ["net", "index", "total", "cart", "item"];
        assert_eq!(ranked("crt", names), ["cart", "net", "item", "total", "index"]);
        assert_eq!(ranked("", ["bb", "a", "b"]), ["a", "b", "bb"]);
    }

    #[test]
    fn long_names_are_no_abbreviations() {
        assert!(similarity(&"a".repeat(30), &"a_".repeat(15)) < 1.0);
        assert!(similarity("größe", "große") > SIMILAR);
    }
}
