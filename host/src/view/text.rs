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
    let cut = text.chars().take(head).chain(['…']).chain(text.chars().skip(length - tail)).collect();
    (cut, true)
}

/// Two texts of at most `max` characters each, cut so that what differs between them is seen.
pub(super) fn cut_differing(one: &str, other: &str, max: usize) -> (String, String) {
    let cut = (cut_middle(one, max).0, cut_middle(other, max).0);
    if cut.0 != cut.1 || one == other {
        return cut;
    }
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let from = same.saturating_sub(max / 3);
    let seen = |text: &str| {
        let tail: String = text.chars().skip(from).collect();
        format!("…{}", cut_end(&tail, max.saturating_sub(1)).0)
    };
    (seen(one), seen(other))
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

/// Holds a finished text to the hard cap; the cut falls between lines where it can and names the call that shows less.
pub fn cap(text: String, narrower: &Call) -> String {
    cap_to(text, narrower, HARD_CAP)
}

/// The same in fewer tokens: something is to stand behind it.
pub(super) fn cap_to(text: String, narrower: &Call, most: usize) -> String {
    if estimate(&text) <= most {
        return text;
    }
    let notice = format!("\n… cut here, the rest is over {HARD_CAP} tokens; ask for less: {narrower}");
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

/// The head of an overlong line that costs at most `room` tokens; `guess` characters are tried first.
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
        assert_eq!(cut_differing(&one, &other, 9), ("…aaa1zzz…".to_owned(), "…aaa2zzz…".to_owned()));
        let longer = cut_differing(&same, &format!("{same}b"), 9);
        assert_eq!(longer, ("aaaaaa…aa".to_owned(), "aaaaaa…ab".to_owned()));
        assert_eq!(cut_differing("1", "2", 9), ("1".to_owned(), "2".to_owned()));
        let early = (format!("1{}", "a".repeat(40)), format!("2{}", "a".repeat(40)));
        assert_eq!(cut_differing(&early.0, &early.1, 5), ("1aa…a".to_owned(), "2aa…a".to_owned()));
    }

    #[test]
    fn nothing_is_longer_than_the_hard_cap() {
        let narrower = Call::new("debug_output").with("tail", 50);
        for text in ["x = 1\n".repeat(20_000), "é".repeat(60_000), "word ".repeat(90_000)] {
            let capped = cap(text, &narrower);
            assert!(estimate(&capped) <= HARD_CAP, "{}", estimate(&capped));
            assert!(capped.ends_with("ask for less: debug_output tail=50"), "{}", &capped[capped.len() - 40..]);
        }
        assert_eq!(cap("short".into(), &narrower), "short");
    }
}
