//! Paths to variables: `user.orders[3].total`, `meta["zone"]`, `ptr->next`.

use crate::session::values::raw::number;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) key: Key,
    /// Where the segment ends in the path: what was walked so far.
    pub(crate) end: usize,
}

/// What a step names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// `user`, `.total`, `->next`
    Member(String),
    /// `[3]`
    Number(u64),
    /// `["zone"]`, without its quotes
    Text(String),
    /// `[key]`, `[1:2]`: only the debugger knows what that is
    Other(String),
}

impl Key {
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Member(name) | Self::Text(name) | Self::Other(name) => name.clone(),
            Self::Number(number) => number.to_string(),
        }
    }

    pub(crate) fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// Splits a path; text that does not look like one becomes a single segment.
pub(crate) fn parse(path: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let (mut from, mut at) = (0, 0);
    // There is nothing to take an element of yet: a debugger's own name, `[return value]`.
    if let Some(close) = path.strip_prefix('[').and_then(|_| closing(path)) {
        (from, at) = (close + 1, close + 1);
        member(&mut segments, &path[..from], from);
    }
    while at < path.len() {
        let rest = &path[at..];
        let cut = match rest.as_bytes()[0] {
            b'.' => Some((1, 0)),
            b'-' if rest.starts_with("->") => Some((2, 0)),
            b'[' => closing(rest).map(|close| (close + 1, close)),
            _ => None,
        };
        let Some((length, close)) = cut else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        member(&mut segments, &path[from..at], at);
        if close > 0 {
            segments.push(Segment { key: subscript(rest[1..close].trim()), end: at + length });
        }
        at += length;
        from = at;
    }
    member(&mut segments, &path[from..], path.len());
    segments
}

fn member(segments: &mut Vec<Segment>, name: &str, end: usize) {
    if !name.is_empty() {
        segments.push(Segment { key: Key::Member(name.to_owned()), end });
    }
}

fn subscript(text: &str) -> Key {
    match (unquoted(text), number(text)) {
        (Some(key), _) => Key::Text(key.to_owned()),
        (None, Some(number)) => Key::Number(number),
        (None, None) => Key::Other(text.to_owned()),
    }
}

/// Where the bracket closes that `text` begins with; one inside quotes does not.
fn closing(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, character) in text.char_indices().skip(1) {
        match (quote, character) {
            (None, ']') => return Some(at),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
    }
    None
}

fn unquoted(text: &str) -> Option<&str> {
    let inside = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\''))
}

/// Which of these children a step names. Adapters write elements `[3]`, `3` or
/// `0003`, and keys `'zone'`, `["zone"]` or `zone`.
pub(crate) fn position<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    key: &Key,
) -> Option<usize> {
    let find = |fits: &dyn Fn(&str) -> bool| names.clone().position(fits);
    let is_key = |child: &str, text: &str| {
        let bare = child.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(child);
        unquoted(bare) == Some(text)
    };
    match key {
        Key::Member(name) => {
            find(&|child| child == name).or_else(|| find(&|child| is_key(child, name)))
        }
        Key::Number(wanted) => find(&|child| number(child) == Some(*wanted)),
        Key::Text(text) => {
            let plain = |child: &str| child == text && number(child).is_none();
            find(&|child| is_key(child, text)).or_else(|| find(&plain))
        }
        Key::Other(_) => None,
    }
}

/// Only names, members and literal subscripts: reading it can call nothing.
pub(crate) fn reads_only(path: &str) -> bool {
    let is_name = |name: &str| {
        let name = name.trim().trim_start_matches(['*', '&']);
        !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | ':' | '@'))
    };
    parse(path).iter().all(|segment| match &segment.key {
        Key::Member(name) => is_name(name),
        Key::Other(key) => is_name(key) || key.parse::<i64>().is_ok(),
        Key::Number(_) | Key::Text(_) => true,
    })
}

/// Does it look like an assignment, in most languages? A lone `=`, or one behind an arithmetic
/// operator, outside of brackets and quotes.
pub(crate) fn assigns(text: &str) -> bool {
    sign(text).is_some()
}

/// What is assigned, and the value it gets: `a` and `a + 1` of `a += 1`.
pub(crate) fn assignment(text: &str) -> Option<(String, String)> {
    let (before, value) = text.split_at(sign(text)?);
    let value = value[1..].trim();
    let target = before.trim_end_matches(|c: char| {
        c.is_ascii_punctuation() && !matches!(c, ')' | ']' | '}' | '_')
    });
    let (operator, target) = (before[target.len()..].trim(), target.trim());
    let value = match operator {
        "" | ":" => value.to_owned(),
        operator if reads_only(value) => format!("{target} {operator} {value}"),
        operator => format!("{target} {operator} ({value})"),
    };
    (!target.is_empty() && !text.trim_end().ends_with('=')).then(|| (target.to_owned(), value))
}

/// Where the `=` of an assignment stands.
fn sign(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut before) = (0, None, ' ');
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match (quote, c) {
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, '=') if rest.peek().is_some_and(|(_, next)| *next == '=') => drop(rest.next()),
            (None, '=')
                if depth == 0
                    && !matches!(before, '!' | '<' | '>' | '=')
                    && rest.peek().is_none_or(|(_, next)| *next != '>') =>
            {
                return Some(at);
            }
            _ => {}
        }
        before = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_taken_apart() {
        for (text, parts) in [
            ("total = 4", Some(("total", "4"))),
            ("a[i] += n", Some(("a[i]", "a[i] + n"))),
            ("total -= a - b", Some(("total", "total - (a - b)"))),
            ("n *= a.b + 1", Some(("n", "n * (a.b + 1)"))),
            ("x := f(a == b)", Some(("x", "f(a == b)"))),
            ("x <<= 1", None),
            ("total =", None),
            ("a == b", None),
        ] {
            let parts =
                parts.map(|(target, value): (&str, &str)| (target.to_owned(), value.to_owned()));
            assert_eq!(assignment(text), parts, "{text}");
        }
    }

    #[test]
    fn paths_split_at_dots_arrows_and_brackets() {
        for (path, names) in [
            ("user.orders[3].total", vec!["user", "orders", "3", "total"]),
            ("meta[\"zone\"]", vec!["meta", "zone"]),
            ("meta['a]b'].x", vec!["meta", "a]b", "x"]),
            ("head->next->value", vec!["head", "next", "value"]),
            ("größe.straße[0]", vec!["größe", "straße", "0"]),
            ("a-b", vec!["a-b"]),
            ("a[ 3 ]['']", vec!["a", "3", ""]),
            ("a[3", vec!["a[3"]),
            ("[return value].left[0]", vec!["[return value]", "left", "0"]),
            ("", vec![]),
        ] {
            let got: Vec<String> =
                parse(path).into_iter().map(|segment| segment.key.name()).collect();
            assert_eq!(got, names, "{path}");
        }
        let ends: Vec<usize> = parse("a.b[3].c").into_iter().map(|segment| segment.end).collect();
        assert_eq!(ends, [1, 3, 6, 8]);
    }

    #[test]
    fn only_a_literal_number_names_an_element() {
        for (path, number) in
            [("a[3]", Some(3)), ("a[0x3]", None), ("a['3']", None), ("a[i]", None), ("a.3", None)]
        {
            assert_eq!(
                parse(path).pop().and_then(|segment| segment.key.number()),
                number,
                "{path}"
            );
        }
    }

    #[test]
    fn a_step_names_one_child_however_adapters_write_it() {
        let mapping = ["1", "'1'", "'7'", "'007'", "'zone'"];
        let vector = ["[0]", "[1]", "[10]"];
        let padded = ["0000", "0001"];
        let object = ["zone", "weight"];
        let tree = ["[\"zone\"]"];
        for (names, step, expect) in [
            (&mapping[..], "x[1]", Some("1")),
            (&mapping, "x[\"1\"]", Some("'1'")),
            (&mapping, "x['7']", Some("'7'")),
            (&mapping, "x['007']", Some("'007'")),
            (&mapping, "x[7]", None),
            (&mapping, "x.zone", Some("'zone'")),
            (&mapping, "x[zone]", None),
            (&vector, "x[1]", Some("[1]")),
            (&vector, "x[2]", None),
            (&vector, "x['1']", None),
            (&padded, "x[1]", Some("0001")),
            (&object, "x.zone", Some("zone")),
            (&object, "x['zone']", Some("zone")),
            (&tree, "x['zone']", Some("[\"zone\"]")),
        ] {
            let key = parse(step).pop().expect("a step").key;
            assert_eq!(position(names.iter().copied(), &key).map(|at| names[at]), expect, "{step}");
        }
    }

    #[test]
    fn an_assignment_is_told_from_a_comparison() {
        for text in ["x = 3", "a.b[0]=1", "x += 1", "n := 2", "s = 'a == b'"] {
            assert!(assigns(text), "{text}");
        }
        for text in
            ["x == 3", "a <= b", "a >= b", "a != b", "f(k=1)", "'a = b'", "x => x", "a === b", "x"]
        {
            assert!(!assigns(text), "{text}");
        }
    }

    #[test]
    fn what_could_call_something_is_no_path() {
        for path in
            ["items", "a.b[3]['x y()'].c", "p->next", "*p", "std::X.y", "größe[i]", "items[-1]"]
        {
            assert!(reads_only(path), "{path}");
        }
        for path in ["items.append(99)", "f()", "a + b", "a[f()]", "x = 3", "a; b", "!cmd"] {
            assert!(!reads_only(path), "{path}");
        }
    }
}
