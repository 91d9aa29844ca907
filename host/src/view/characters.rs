//! Characters that are invisible or change the display of the text around them: controls, line
//! ends, bidirectional controls, and Unicode's default ignorable code points.
//!
//! Three of them are part of written text and stay, but only where they have an effect:
//! the joiner inside an emoji sequence (UTS #51, ED-16) and behind a virama, the non-joiner behind
//! a virama or between letters that would join (RFC 5892, A.1 and A.2), and an emoji's own
//! presentation selector. Everything else is written as an escape, tag characters and selectors of
//! ideographs included, because such runs can carry a hidden text.
//!
//! Knows Unicode's properties. Knows nothing of lines, views and their budgets.

use std::borrow::Cow;

use icu_properties::props::{
    CanonicalCombiningClass, DefaultIgnorableCodePoint, Emoji, EmojiModifier, ExtendedPictographic,
    GeneralCategory, JoiningType, PrependedConcatenationMark,
};
use icu_properties::{CodePointMapData, CodePointSetData};

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';
const TEXT_STYLE: char = '\u{fe0e}';
const EMOJI_STYLE: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';

/// Whether `c` has no glyph of its own. A blank counts as visible, a tab and a line end do not.
pub(super) fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    match CodePointMapData::<GeneralCategory>::new().get(c) {
        GeneralCategory::Control
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator => true,
        GeneralCategory::Format => {
            !CodePointSetData::new::<PrependedConcatenationMark>().contains(c)
        }
        _ => CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c),
    }
}

/// `text` with `escape` in place of every hidden character, except those that have an effect at
/// their position and those of `retained`.
pub(super) fn visible<'a>(
    text: &'a str,
    retained: &str,
    escape: fn(char) -> String,
) -> Cow<'a, str> {
    let hides = |c| is_hidden(c) && !retained.contains(c);
    if !text.contains(hides) {
        return Cow::Borrowed(text);
    }
    let mut displayed = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if hides(c) && !is_needed(&text[..at], c, &text[at + c.len_utf8()..]) {
            displayed.push_str(&escape(c));
        } else {
            displayed.push(c);
        }
    }
    Cow::Owned(displayed)
}

/// As Rust writes it: `\n`, `\u{202e}`.
pub(super) fn escape(c: char) -> String {
    c.escape_default().to_string()
}

/// As JSON writes it: `\n`, `\u202e`.
pub(super) fn json_escape(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c => c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    }
}

/// Whether the text would look different without `c`.
fn is_needed(before: &str, c: char, after: &str) -> bool {
    match c {
        JOINER => follows_virama(before) || joins_pictures(before, after),
        NON_JOINER => follows_virama(before) || parts_letters(before, after),
        TEXT_STYLE | EMOJI_STYLE => before.chars().next_back().is_some_and(|base| {
            let emoji = CodePointSetData::new::<Emoji>().contains(base);
            // A digit is an emoji only as a keycap.
            emoji && (!base.is_ascii() || after.starts_with(KEYCAP))
        }),
        _ => false,
    }
}

fn follows_virama(before: &str) -> bool {
    let class = CodePointMapData::<CanonicalCombiningClass>::new();
    before.chars().next_back().is_some_and(|c| class.get(c) == CanonicalCombiningClass::Virama)
}

/// An emoji, with its style or skin tone, before and an emoji after.
fn joins_pictures(before: &str, after: &str) -> bool {
    let is_picture = |c| CodePointSetData::new::<ExtendedPictographic>().contains(c);
    let is_modifier = |c| CodePointSetData::new::<EmojiModifier>().contains(c);
    let mut back = before.chars().rev();
    let base = match back.next() {
        Some(c) if c == EMOJI_STYLE || is_modifier(c) => back.next(),
        base => base,
    };
    base.is_some_and(is_picture) && after.chars().next().is_some_and(is_picture)
}

/// Letters of a joining script on both sides, marks between them skipped.
fn parts_letters(before: &str, after: &str) -> bool {
    let joining = |c: &char| CodePointMapData::<JoiningType>::new().get(*c);
    let is_letter = |c: &char| joining(c) != JoiningType::Transparent;
    let left = before.chars().rev().find(is_letter).map(|c| joining(&c));
    let right = after.chars().find(is_letter).map(|c| joining(&c));
    matches!(left, Some(JoiningType::LeftJoining | JoiningType::DualJoining))
        && matches!(right, Some(JoiningType::RightJoining | JoiningType::DualJoining))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(visible(text, "", escape), expect);
    }

    #[test]
    fn hidden_characters_are_written_as_escapes() {
        for (text, expect) in [
            ("a\nb\r\tc\u{b}\u{c}", "a\\nb\\r\\tc\\u{b}\\u{c}"),
            ("\u{0}\u{1b}[31m\u{7f}\u{85}\u{9b}", "\\u{0}\\u{1b}[31m\\u{7f}\\u{85}\\u{9b}"),
            (
                "a\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}",
                "a\\u{202a}\\u{202b}\\u{202c}\\u{202d}\\u{202e}",
            ),
            ("\u{2066}\u{2067}\u{2068}\u{2069}", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"),
            ("\u{200e}\u{200f}\u{61c}", "\\u{200e}\\u{200f}\\u{61c}"),
            ("a\u{200b}b\u{2060}c\u{feff}d\u{ad}e", "a\\u{200b}b\\u{2060}c\\u{feff}d\\u{ad}e"),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
            ("\u{e0001}\u{e0041}\u{e007f}", "\\u{e0001}\\u{e0041}\\u{e007f}"),
            (
                "\u{115f}\u{3164}\u{ffa0}\u{34f}\u{180e}",
                "\\u{115f}\\u{3164}\\u{ffa0}\\u{34f}\\u{180e}",
            ),
            ("葛\u{e0100}\u{fe00}", "葛\\u{e0100}\\u{fe00}"),
        ] {
            check(text, expect);
            assert!(!visible(text, "", json_escape).contains(is_hidden), "{expect}");
        }
        assert_eq!(
            visible("\u{e0041}\u{202e}\n\u{1b}", "", json_escape),
            r"\udb40\udc41\u202e\n\u001b"
        );
    }

    #[test]
    fn joiners_and_selectors_stay_where_they_do_their_work() {
        for text in [
            "größer, naïve, nai\u{308}ve, 日本語　x\u{a0}y",
            "👨\u{200d}👩\u{200d}👧 👩🏽\u{200d}🚀 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}\u{20e3} ☺\u{fe0e}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष क्\u{200c}ष ශ්\u{200d}රී",
            "\u{600}١٢",
        ] {
            check(text, text);
        }
        for (text, expect) in [
            ("a\u{200d}b", "a\\u{200d}b"),
            ("a\u{200c}b", "a\\u{200c}b"),
            ("\u{200d}👧", "\\u{200d}👧"),
            ("👧\u{200d}", "👧\\u{200d}"),
            ("👧\u{200d}\u{200d}👧", "👧\\u{200d}\\u{200d}👧"),
            ("م\u{200c}\u{200c}خ", "م\\u{200c}\\u{200c}خ"),
            ("1\u{fe0f}", "1\\u{fe0f}"),
            ("a\u{fe0f}", "a\\u{fe0f}"),
            ("☺\u{fe0f}\u{fe0f}", "☺\u{fe0f}\\u{fe0f}"),
            ("\u{fe0f}", "\\u{fe0f}"),
        ] {
            check(text, expect);
        }
    }
}
