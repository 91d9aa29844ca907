//! Texts, paths and times as results write them.
//!
//! A program reads them: hidden characters stay, and texts are longer than those for agents.

use std::path::Path;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};

use crate::view::Lens;

/// Characters of one text.
const LONGEST: usize = 20_000;

/// Characters of a value among others.
const AMONG: usize = 1_000;

/// A text, and whether its end was cut.
pub(super) fn bounded(text: &str) -> (String, bool) {
    cut(text, LONGEST)
}

/// The same for a value among others.
pub(super) fn bounded_among(text: &str) -> (String, bool) {
    cut(text, AMONG)
}

fn cut(text: &str, longest: usize) -> (String, bool) {
    match text.char_indices().nth(longest) {
        None => (text.to_owned(), false),
        Some((end, _)) => (format!("{}…", &text[..end]), true),
    }
}

/// A text without the part beyond [`LONGEST`] characters.
pub(super) fn text(text: &str) -> String {
    bounded(text).0
}

/// The same for a text that may be absent.
pub(super) fn optional(words: Option<&String>) -> Option<String> {
    words.map(|words| text(words))
}

/// A path as tools take it.
pub(super) fn path(path: Option<&Path>, lens: &Lens) -> Option<String> {
    path.map(|path| lens.path(path))
}

/// Seconds, to the millisecond.
pub(super) fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1_000.0
}

/// The present time, as in `2026-01-31T12:00:00.000Z`.
pub(super) fn now() -> String {
    DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_at_its_bound() {
        let long = "ä".repeat(LONGEST + 1);
        let (cut, was_cut) = bounded(&long);
        assert_eq!((cut.chars().count(), was_cut), (LONGEST + 1, true));
        assert!(cut.ends_with("ä…"), "the end is marked");
        assert_eq!(bounded(&long[2..]), (long[2..].to_owned(), false));
        assert_eq!(bounded_among(&long).0.chars().count(), AMONG + 1);
    }
}
