//! Cutting and quoting, by characters and never inside one.

use super::{Call, HARD_CAP, estimate};

/// The first `max` characters, the last of them `…` if there were more. Tells whether it cut.
pub(super) fn cut_end(text: &str, max: usize) -> (String, bool) {
    match text.char_indices().nth(max) {
        None => (text.to_owned(), false),
        Some(_) => (text.chars().take(max.saturating_sub(1)).chain(['…']).collect(), true),
    }
}

/// At most `max` characters, head and tail kept, `…` between them. Tells whether it cut.
pub(super) fn cut_middle(text: &str, max: usize) -> (String, bool) {
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

/// Two texts of at most `max` characters each, cut so that what differs between them is seen: of
/// what is the same at their beginnings and ends as much stays as there is room for, and as much of
/// it in the one as in the other.
pub(super) fn cut_differing(one: &str, other: &str, max: usize) -> (String, String) {
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

/// The text on one line: line ends and tabs as `\n` and `\t`, other control characters dropped.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.trim_end_matches(['\n', '\r']).chars() {
        match c {
            '\n' => line.push_str("\\n"),
            '\t' => line.push_str("\\t"),
            c if c.is_control() => {}
            c => line.push(c),
        }
    }
    line
}

/// `text` in quotation marks on one line, for telling apart where it begins and ends.
pub(super) fn quoted(text: &str, max: usize) -> String {
    format!("\"{}\"", cut_end(&one_line(text), max).0)
}

/// A plugin's reason, in brackets behind what it is for.
pub(super) fn because(reason: Option<&str>) -> String {
    reason.map(|reason| format!(" ({})", cut_end(&one_line(reason), 200).0)).unwrap_or_default()
}

/// `3 lines`, `1 line`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Seconds with one decimal, more where they matter: `0.4 s`, `12 ms`.
pub(super) fn seconds(time: std::time::Duration) -> String {
    match time.as_millis() {
        millis @ 0..100 => format!("{millis} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

/// How long something took, and how much of it building did: `4.5 s, built in 4.1 s`.
pub(super) fn took(elapsed: std::time::Duration, built: Option<std::time::Duration>) -> String {
    let built = built.map(|built| format!(", built in {}", seconds(built)));
    seconds(elapsed) + &built.unwrap_or_default()
}

/// Holds a finished text to the hard cap; the cut falls between lines where it can and names the
/// call that shows less.
pub fn cap(text: String, narrower: &Call) -> String {
    cap_to(text, narrower, HARD_CAP)
}

/// The same in fewer tokens: something is to stand behind it.
pub(super) fn cap_to(text: String, narrower: &Call, most: usize) -> String {
    if estimate(&text) <= most {
        return text;
    }
    let notice =
        format!("\n… cut here, the rest is over {HARD_CAP} tokens; ask for less: {narrower}");
    let room = most - estimate(&notice) - 8;
    let mut kept = String::new();
    let mut used = 0;
    for line in text.split_inclusive('\n') {
        let cost = estimate(line);
        if used + cost > room {
            let characters = line.chars().count() * (room - used) / cost.max(1);
            kept.push_str(&cut_to(line, characters, room - used));
            break;
        }
        used += cost;
        kept.push_str(line);
    }
    kept.truncate(kept.trim_end().len());
    kept + &notice
}

/// The head of an overlong line that costs at most `room` tokens; `guess` characters are tried
/// first.
fn cut_to(line: &str, guess: usize, room: usize) -> String {
    let mut characters = guess;
    loop {
        let (head, _) = cut_end(line, characters);
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
    fn what_differs_is_not_cut_out() {
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
            let capped = cap(text, &narrower);
            assert!(estimate(&capped) <= HARD_CAP, "{}", estimate(&capped));
            assert!(
                capped.ends_with("ask for less: debug_output tail=50"),
                "{}",
                &capped[capped.len() - 40..]
            );
        }
        assert_eq!(cap("short".into(), &narrower), "short");
    }
}
