//! The text of an answer: lines, cutting and quoting.
//!
//! Everything that an agent reads is a [`Text`]. Only this module makes one, only from lines, and
//! it writes the line breaks itself: a break inside a line, a control, a bidirectional or an
//! invisible character becomes an escape, whatever its origin. So a view need not know which part
//! of a line comes from a debuggee, an adapter or a plugin: a name with a line break stays on its
//! line.
//!
//! A foreign text has several lines only through [`block`]: a single value, the end of a build.
//! Functions that cut return one line and count escapes as written; [`cut_lines`] returns lines.

use std::fmt;
use std::ops::Deref;

use super::characters::{escape, json_escape, visible};
use super::{Call, HARD_CAP, estimate};

/// A finished text of one or more lines, each of which stays one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// A text of one line.
    pub fn line(line: impl AsRef<str>) -> Self {
        Self(visible(line.as_ref(), "\t", escape).into_owned())
    }

    /// JSON on one line. JSON has hidden characters only inside its texts.
    pub fn json(json: &str) -> Self {
        Self(visible(json, "", json_escape).into_owned())
    }

    /// A text of these lines.
    pub fn lines<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Self {
        let lines: Vec<_> = lines.into_iter().map(|line| Self::line(line).0).collect();
        Self(lines.join("\n"))
    }

    /// One line more.
    pub fn push(&mut self, line: impl AsRef<str>) {
        self.append(Self::line(line));
    }

    /// The lines of `other` below.
    pub fn append(&mut self, other: Self) {
        self.0.push('\n');
        self.0.push_str(&other.0);
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        self.0 == *other
    }
}

/// The lines of `words`, with `before` in front of the first and `after` behind the last.
pub(super) fn block(before: &str, words: &str, after: &str) -> Vec<String> {
    let mut lines: Vec<_> = words.split('\n').map(str::to_owned).collect();
    if let Some(first) = lines.first_mut() {
        first.insert_str(0, before);
    }
    if let Some(last) = lines.last_mut() {
        last.push_str(after);
    }
    lines
}

/// The first `max` characters on one line, the last of them `…` if there were more, and whether it
/// cut.
pub(super) fn cut_end(text: &str, max: usize) -> (String, bool) {
    head(&one_line(text), max)
}

/// The same for a text that is already escaped.
fn head(text: &str, max: usize) -> (String, bool) {
    match text.char_indices().nth(max) {
        None => (text.to_owned(), false),
        Some(_) => (text.chars().take(max.saturating_sub(1)).chain(['…']).collect(), true),
    }
}

/// At most `max` characters on one line: head and tail with `…` between them, and whether it cut.
pub(super) fn cut_middle(text: &str, max: usize) -> (String, bool) {
    ends(&one_line(text), max)
}

/// The same with line breaks, for a [`block`].
pub(super) fn cut_lines(text: &str, max: usize) -> String {
    ends(&visible(text, "\n\t", escape), max).0
}

/// The size of a message at most.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) characters: usize,
    /// At least two.
    pub(super) lines: usize,
}

/// The lines of a message: `before` in front of the first, the others indented by `indent`. Of
/// more lines than there is room for, the middle ones are left out.
pub(super) fn message(before: &str, text: &str, indent: &str, room: Room) -> Vec<String> {
    let cut = cut_lines(&text.trim_end().replace("\r\n", "\n"), room.characters);
    let mut lines: Vec<String> = Vec::new();
    for line in cut.split('\n') {
        let start = if lines.is_empty() { before } else { indent };
        lines.push(format!("{start}{line}").trim_end().to_owned());
    }
    let more = lines.len().saturating_sub(room.lines);
    if more > 0 {
        let left_out = format!("{indent}… {}", counted(more as u64 + 1, "line"));
        lines.splice(room.lines / 2..=room.lines / 2 + more, [left_out]);
    }
    lines
}

/// The same for a text that is already escaped.
fn ends(text: &str, max: usize) -> (String, bool) {
    let length = text.chars().count();
    if length <= max {
        return (text.to_owned(), false);
    }
    let tail = max.saturating_sub(1) / 3;
    let head = max.saturating_sub(1 + tail);
    let cut =
        text.chars().take(head).chain(['…']).chain(text.chars().skip(length - tail)).collect();
    (cut, true)
}

/// Two texts of at most `max` characters each, cut around their difference: their common head and
/// tail get the room that is left, the same in both.
pub(super) fn cut_differing(one: &str, other: &str, max: usize) -> (String, String) {
    let (one, other) = (one_line(one), one_line(other));
    let (one, other): (Vec<_>, Vec<_>) = (one.chars().collect(), other.chars().collect());
    let head = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let rest = one[head..].iter().rev().zip(other[head..].iter().rev());
    let tail = rest.take_while(|(a, b)| a == b).count();
    let widest = one.len().max(other.len()) - head - tail;
    let marks = usize::from(head > 0) + usize::from(tail > 0);
    let middle = widest.min(max.saturating_sub(marks + head.min(max / 4)));
    let room = max.saturating_sub(marks + middle);
    let before = head.min(room - tail.min(room / 2));
    let after = tail.min(room - before);
    let text = |characters: &[char]| characters.iter().collect::<String>();
    let seen = |all: &[char]| {
        if all.len() <= max {
            return text(all);
        }
        let end = all.len() - tail;
        let differing = cut_middle(&text(&all[head..end]), middle).0;
        let before = match head - before {
            0 | 1 => text(&all[..head]),
            cut => format!("…{}", text(&all[cut..head])),
        };
        let after = match tail - after {
            0 | 1 => text(&all[end..]),
            _ => format!("{}…", text(&all[end..end + after])),
        };
        before + &differing + &after
    };
    (seen(&one), seen(&other))
}

/// The text on one line: final line ends removed, hidden characters as escapes.
pub(super) fn one_line(text: &str) -> String {
    visible(text.trim_end_matches(['\n', '\r']), "", escape).into_owned()
}

/// `text` in quotation marks on one line, which mark its start and end.
pub(super) fn quoted(text: &str, max: usize) -> String {
    format!("\"{}\"", cut_end(&one_line(text), max).0)
}

/// A plugin's reason in brackets.
pub(super) fn because(reason: Option<&str>) -> String {
    reason.map(|reason| format!(" ({})", cut_end(&one_line(reason), 200).0)).unwrap_or_default()
}

/// `3 lines`, `1 line`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Seconds with one decimal, or milliseconds below 0.1 s: `0.4 s`, `12 ms`.
pub(super) fn seconds(time: std::time::Duration) -> String {
    match time.as_millis() {
        millis @ 0..100 => format!("{millis} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

/// A duration, and the part of it that builds took: `4.5 s, prepared in 4.1 s`.
pub(super) fn took(elapsed: std::time::Duration, built: Option<std::time::Duration>) -> String {
    let built = built.map(|built| format!(", prepared in {}", seconds(built)));
    seconds(elapsed) + &built.unwrap_or_default()
}

/// Holds a finished text to the hard cap; the cut falls between lines where it can and names the
/// call that shows less.
pub fn cap(text: Text, narrower: &Call) -> Text {
    cap_to(text, narrower, HARD_CAP)
}

/// The same in fewer tokens: more text follows.
pub(super) fn cap_to(text: Text, narrower: &Call, most: usize) -> Text {
    if estimate(&text) <= most {
        return text;
    }
    let notice = Text::line(format!(
        "… cut here, the rest is over {HARD_CAP} tokens; ask for less: {narrower}"
    ));
    let room = most.saturating_sub(estimate(&notice) + 9);
    let mut retained = String::new();
    let mut used = 0;
    for line in text.split_inclusive('\n') {
        let cost = estimate(line);
        if used + cost > room {
            let characters = line.chars().count() * (room - used) / cost.max(1);
            retained.push_str(&cut_to(line, characters, room - used));
            break;
        }
        used += cost;
        retained.push_str(line);
    }
    retained.truncate(retained.trim_end().len());
    let mut retained = Text(retained);
    retained.append(notice);
    retained
}

/// The head of an overlong line that costs at most `room` tokens; `guess` characters are tried
/// first.
fn cut_to(line: &str, guess: usize, room: usize) -> String {
    let mut characters = guess;
    loop {
        let (head, _) = head(line, characters);
        if estimate(&head) <= room || characters == 0 {
            return head;
        }
        characters = characters * 9 / 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_fall_between_characters() {
        assert_eq!(cut_end("größer", 4), ("grö…".to_owned(), true));
        assert_eq!(cut_end("größer", 6), ("größer".to_owned(), false));
        assert_eq!(cut_middle("日本語のテキスト", 5), ("日本語…ト".to_owned(), true));
        assert_eq!(cut_middle("", 5), (String::new(), false));
    }

    #[test]
    fn message_has_its_lines() {
        let lines = |text| message("! ", text, "  ", Room { characters: 20, lines: 8 });
        assert_eq!(lines("one"), ["! one"]);
        assert_eq!(lines("one\r\n two\n\n"), ["! one", "   two"]);
        assert_eq!(lines("\n\u{1b}two"), ["!", "  \\u{1b}two"]);
        let many: Vec<String> = (0..20).map(|number| format!("line {number}")).collect();
        let lines = |lines| message("! ", &many.join("\n"), "  ", Room { characters: 1000, lines });
        assert_eq!(lines(8).len(), 8);
        assert_eq!(lines(8)[3..6], ["  line 3", "  … 13 lines", "  line 17"]);
        assert_eq!(lines(2), ["! line 0", "  … 19 lines"]);
    }

    #[test]
    fn differing_parts_are_not_cut_out() {
        let (same, end) = ("a".repeat(40), "z".repeat(40));
        let (one, other) = (format!("{same}1{end}"), format!("{same}2{end}"));
        let other_end = format!("{same}2{}", "y".repeat(40));
        for (one, other, max, seen) in [
            (one.as_str(), other.as_str(), 9, ("…aaa1zzz…", "…aaa2zzz…")),
            (&same, &format!("{same}b"), 9, ("…aaaaaaa", "…aaaaaaab")),
            (&same, &format!("{same}a"), 9, ("…aaaaaaa", "…aaaaaaaa")),
            ("1", "2", 9, ("1", "2")),
            (&format!("1{same}"), &format!("2{same}"), 5, ("1aaa…", "2aaa…")),
            (&one, &other_end, 9, ("…aa1zzz…z", "…aa2yyy…y")),
            (
                "Item(name='it7', qty=7, tags=[])",
                "Item(name='it7', qty=10, tags=[])",
                32,
                ("Item(name='it7', qty=7, tags=[])", "…m(name='it7', qty=10, tags=[])"),
            ),
            (
                "Item(name='it7', qty=7, tags=[], ok=1)",
                "Item(name='it7', qty=8, tags=[], ok=1)",
                32,
                ("…ame='it7', qty=7, tags=[], ok=…", "…ame='it7', qty=8, tags=[], ok=…"),
            ),
            (
                "{v:20, name:\"nm\", next:0x5581a4c2b0}",
                "{v:30, name:\"nm\", next:0x5581a4c2b0}",
                32,
                ("{v:20, name:\"nm\", next:0x5581a…", "{v:30, name:\"nm\", next:0x5581a…"),
            ),
            (
                "{ID: 4, Deps: []int len: 0, cap: 0, nil}",
                "{ID: 33, Deps: []int len: 0, cap: 0, nil}",
                16,
                ("{ID: 4, Deps:…", "{ID: 33, Deps:…"),
            ),
        ] {
            assert_eq!(
                cut_differing(one, other, max),
                (seen.0.to_owned(), seen.1.to_owned()),
                "{one} {other}"
            );
        }
    }

    #[test]
    fn nothing_is_longer_than_the_hard_cap() {
        let narrower = Call::new("debug_output").with("tail", 50);
        for text in ["x = 1\n".repeat(20_000), "é".repeat(60_000), "word ".repeat(90_000)] {
            let capped = cap(Text::lines(text.split('\n')), &narrower);
            assert!(estimate(&capped) <= HARD_CAP, "{}", estimate(&capped));
            assert!(
                capped.ends_with("ask for less: debug_output tail=50"),
                "{}",
                &capped[capped.len() - 40..]
            );
        }
        assert_eq!(cap(Text::line("short"), &narrower), "short");
    }
}
