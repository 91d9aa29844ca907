//! Paths to variables: `user.orders[3].total`, `meta["zone"]`, `ptr->next`.
//!
//! Knows the notations of several languages as text. Refuses to know any variable.

use crate::session::values::raw::element_number;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) key: Key,
    /// Where the segment ends in the text of the path, in bytes.
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
    /// `[key]`, `[1:2]`: an expression for the debugger
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

/// Splits a path. Text in another notation becomes a single segment.
pub(crate) fn parse(path: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let (mut from, mut at) = (0, 0);
    // A bracket at the beginning is no subscript but a name of the debugger: `[return value]`.
    if let Some(close) = path.strip_prefix('[').and_then(|_| closing(path)) {
        (from, at) = (close + 1, close + 1);
        member(&mut segments, &path[..from], from);
    }
    while at < path.len() {
        let rest = &path[at..];
        let bracket = if rest.starts_with('[') { closing(rest) } else { None };
        let length = match bracket {
            Some(close) => close + 1,
            None if rest.starts_with('(') => {
                at += closing(rest).map_or(1, |close| close + 1);
                continue;
            }
            None if rest.starts_with('.') => 1,
            None if rest.starts_with("->") => 2,
            None => {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            }
        };
        member(&mut segments, &path[from..at], at);
        if let Some(close) = bracket {
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
    match (unquoted(text), element_number(text)) {
        (Some(key), _) => Key::Text(key.to_owned()),
        (None, Some(number)) => Key::Number(number),
        (None, None) => Key::Other(text.to_owned()),
    }
}

/// Index of the bracket that closes the one at the beginning; brackets inside quotes do not count,
/// nor quotes after a backslash there.
fn closing(text: &str) -> Option<usize> {
    let (open, close) = if text.starts_with('(') { ('(', ')') } else { ('[', ']') };
    let (mut quote, mut depth, mut escaped) = (None, 0_usize, false);
    for (at, character) in text.char_indices().skip(1) {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match (quote, character) {
            (Some(_), '\\') => escaped = true,
            (None, end) if end == close && depth == 0 => return Some(at),
            (None, end) if end == close => depth -= 1,
            (None, start) if start == open => depth += 1,
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

/// Index of the child that a step names. Adapters write elements `[3]`, `3` or `0003`, and keys
/// `'zone'`, `["zone"]` or `zone`.
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
        Key::Number(wanted) => find(&|child| element_number(child) == Some(*wanted)),
        Key::Text(text) => {
            let plain = |child: &str| child == text && element_number(child).is_none();
            find(&|child| is_key(child, text)).or_else(|| find(&plain))
        }
        Key::Other(text) => {
            let bracketed = format!("[{text}]");
            find(&|child| child == text || child == bracketed)
        }
    }
}

/// The key that an expression's value is, if the debugger writes it as a literal.
pub(crate) fn key_of_value(value: &str) -> Key {
    subscript(value.trim())
}

/// Does the path consist of names, members, and subscripts that are literals or such paths?
/// Evaluating it calls nothing. Of deeper subscripts than these nobody can tell.
pub(crate) fn reads_only(path: &str) -> bool {
    const DEPTH: u32 = 16;
    reads_nested(path, DEPTH)
}

fn reads_nested(path: &str, depth: u32) -> bool {
    let segments = parse(path);
    let follows_dot = |at: usize| {
        at > 0 && segments.get(at - 1).is_some_and(|before| path[before.end..].starts_with('.'))
    };
    segments.iter().enumerate().all(|(at, segment)| match &segment.key {
        Key::Member(name) => is_name(name) || (follows_dot(at) && is_assertion(name)),
        Key::Other(key) => {
            key.parse::<i64>().is_ok() || (depth > 0 && reads_nested(key, depth - 1))
        }
        Key::Number(_) | Key::Text(_) => true,
    })
}

fn is_name(name: &str) -> bool {
    let name = name.trim().trim_start_matches(['*', '&']);
    !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | ':' | '@'))
}

/// Is it a type in parentheses, which in place of a member asserts the type of a value: `(*Cart)`?
fn is_assertion(name: &str) -> bool {
    let inner = name.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let is_of_type =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '*' | '/' | '[' | ']');
    inner.is_some_and(|inner| !inner.is_empty() && inner.chars().all(is_of_type))
}

/// Does the text look like an assignment? In most languages that is a single `=`, or one after an
/// arithmetic operator, outside of brackets and quotes.
pub(crate) fn assigns(text: &str) -> bool {
    assignment_sign(text).is_some()
}

/// The target and the value of an assignment: `a` and `a + 1` of `a += 1`.
pub(crate) fn assignment(text: &str) -> Option<(String, String)> {
    let (before, value) = text.split_at(assignment_sign(text)?);
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

/// Index of the `=` of an assignment.
fn assignment_sign(text: &str) -> Option<usize> {
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
    fn assignments_split_into_target_and_value() {
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
    fn nested_subscripts_are_followed_to_a_bound() {
        let nested = |depth: usize| format!("v{}0{}", "[a".repeat(depth), "]".repeat(depth));
        assert!(reads_only("m[key.name][a[i]]"));
        assert!(!reads_only("m[f(1)]"));
        assert!(reads_only("a[0].(*Cart).total"));
        assert!(!reads_only("a[0](b)"));
        assert!(reads_only(&nested(10)));
        assert!(!reads_only(&nested(20_000)));
    }

    #[test]
    fn paths_split_at_dots_arrows_and_brackets() {
        for (path, names) in [
            ("user.orders[3].total", vec!["user", "orders", "3", "total"]),
            ("meta[\"zone\"]", vec!["meta", "zone"]),
            ("meta['a]b'].x", vec!["meta", "a]b", "x"]),
            (r#"m["a\"]b"].x"#, vec!["m", r#"a\"]b"#, "x"]),
            (r#"m['it\'s "x"]'].y"#, vec!["m", r#"it\'s "x"]"#, "y"]),
            ("head->next->value", vec!["head", "next", "value"]),
            ("größe.straße[0]", vec!["größe", "straße", "0"]),
            ("a-b", vec!["a-b"]),
            ("a[ 3 ]['']", vec!["a", "3", ""]),
            ("a[3", vec!["a[3"]),
            ("a[b[0]].c", vec!["a", "b[0]", "c"]),
            ("m[{X: 1, Y: [2]}]", vec!["m", "{X: 1, Y: [2]}"]),
            ("[return value].left[0]", vec!["[return value]", "left", "0"]),
            ("shape.(*main.Circle).R", vec!["shape", "(*main.Circle)", "R"]),
            ("f(a.b, (c)).d", vec!["f(a.b, (c))", "d"]),
            ("a.(b", vec!["a", "(b"]),
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
    fn step_names_one_child_in_every_notation_of_adapters() {
        let mapping = ["1", "'1'", "'7'", "'007'", "'zone'"];
        let vector = ["[0]", "[1]", "[10]"];
        let padded = ["0000", "0001"];
        let object = ["zone", "weight"];
        let tree = ["[\"zone\"]"];
        let pairs = ["{X: 1, Y: 2}", "[Pos(3, 4)]"];
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
            (&pairs, "x[{X: 1, Y: 2}]", Some("{X: 1, Y: 2}")),
            (&pairs, "x[Pos(3, 4)]", Some("[Pos(3, 4)]")),
            (&pairs, "x[{X: 1}]", None),
        ] {
            let key = parse(step).pop().expect("a step").key;
            assert_eq!(position(names.iter().copied(), &key).map(|at| names[at]), expect, "{step}");
        }
    }

    #[test]
    fn comparisons_are_no_assignments() {
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
    fn text_that_could_call_something_is_no_path() {
        for path in [
            "items",
            "a.b[3]['x y()'].c",
            "p->next",
            "*p",
            "std::X.y",
            "größe[i]",
            "items[-1]",
            "items[order.id]",
            "shape.(*shop/main.Circle).R",
            "any.([]int)[2]",
        ] {
            assert!(reads_only(path), "{path}");
        }
        for path in [
            "items.append(99)",
            "f()",
            "a + b",
            "a[f()]",
            "x = 3",
            "a; b",
            "!cmd",
            "(f).x",
            "a.(f())",
            "a.(b).f()",
        ] {
            assert!(!reads_only(path), "{path}");
        }
    }
}
