//! Paths to variables: `user.orders[3].total`, `meta["zone"]`, `ptr->next`.

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// The name, index or key without brackets and quotes.
    pub(super) name: String,
    /// Where the segment ends in the path: what was walked so far.
    pub(super) end: usize,
}

/// Splits a path; text that does not look like one becomes a single segment.
pub(super) fn parse(path: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < path.len() {
        let rest = &path[at..];
        let cut = match rest.as_bytes()[0] {
            b'.' => Some((1, 0)),
            b'-' if rest.starts_with("->") => Some((2, 0)),
            b'[' => rest.find(']').map(|close| (close + 1, close)),
            _ => None,
        };
        let Some((length, close)) = cut else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        push(&mut segments, &path[from..at], at);
        if close > 0 {
            let key = rest[1..close].trim().trim_matches(['"', '\'']);
            push(&mut segments, key, at + length);
        }
        at += length;
        from = at;
    }
    push(&mut segments, &path[from..], path.len());
    segments
}

fn push(segments: &mut Vec<Segment>, name: &str, end: usize) {
    if !name.is_empty() {
        segments.push(Segment { name: name.to_owned(), end });
    }
}

/// Does a child of this name answer to the segment? Adapters write indices as
/// `[3]`, `3` or `0003`, and keys with quotes.
pub(super) fn matches(child: &str, segment: &str) -> bool {
    let bare = |text: &str| {
        let text = text.trim().trim_start_matches('[').trim_end_matches(']').trim_matches(['"', '\'']);
        let digits = text.trim_start_matches('0');
        match text.chars().all(|c| c.is_ascii_digit()) && !text.is_empty() {
            true if digits.is_empty() => "0".to_owned(),
            true => digits.to_owned(),
            false => text.to_owned(),
        }
    };
    child == segment || bare(child) == bare(segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_split_at_dots_arrows_and_brackets() {
        for (path, names) in [
            ("user.orders[3].total", vec!["user", "orders", "3", "total"]),
            ("meta[\"zone\"]", vec!["meta", "zone"]),
            ("head->next->value", vec!["head", "next", "value"]),
            ("größe.straße[0]", vec!["größe", "straße", "0"]),
            ("a-b", vec!["a-b"]),
            ("", vec![]),
        ] {
            let got: Vec<String> = parse(path).into_iter().map(|segment| segment.name).collect();
            assert_eq!(got, names, "{path}");
        }
        let ends: Vec<usize> = parse("a.b[3].c").into_iter().map(|segment| segment.end).collect();
        assert_eq!(ends, [1, 3, 6, 8]);
    }

    #[test]
    fn indices_match_however_they_are_written() {
        assert!(matches("[3]", "3") && matches("0003", "3") && matches("'zone'", "zone") && matches("0", "[0]"));
        assert!(!matches("30", "3") && !matches("total", "tota"));
    }
}
