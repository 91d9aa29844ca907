//! Lines of a Go source that are code: neither inside of a raw string nor of a comment. Knows the
//! lexical rules for these, nothing of statements.

/// What a line begins inside of.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Code,
    RawString,
    Comment,
}

/// The lines of a source; an empty one for each that begins inside of a raw string or of a comment.
pub fn lines(source: &str) -> Vec<&str> {
    let mut inside = Inside::Code;
    let mut lines = Vec::new();
    for line in source.lines() {
        lines.push(if inside == Inside::Code { line } else { "" });
        inside = after(line, inside);
    }
    lines
}

/// What the next line begins inside of.
fn after(line: &str, mut inside: Inside) -> Inside {
    let mut rest = line;
    loop {
        let end = match inside {
            Inside::RawString => rest.find('`').map(|at| at + 1),
            Inside::Comment => rest.find("*/").map(|at| at + 2),
            Inside::Code => None,
        };
        match (inside, end) {
            (Inside::Code, _) => {}
            (_, Some(end)) => rest = &rest[end..],
            (_, None) => return inside,
        }
        inside = Inside::Code;
        let Some(at) = rest.find(['"', '\'', '`', '/']) else { return inside };
        let (start, text) = (&rest[at..at + 1], &rest[at + 1..]);
        rest = match (start, text.as_bytes().first()) {
            ("/", Some(b'/')) => return inside,
            ("/", Some(b'*')) => {
                inside = Inside::Comment;
                &text[1..]
            }
            ("/", _) => text,
            ("`", _) => {
                inside = Inside::RawString;
                text
            }
            (quote, _) => &text[closing(text, quote)..],
        };
    }
}

/// The length of a text up to the end of this quote.
fn closing(text: &str, quote: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if quote.starts_with(c) => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_inside_of_raw_strings_and_comments_are_empty() {
        let check = |source: &str, expect: &[&str]| assert_eq!(lines(source), expect, "{source}");
        check("a := `\nfunc TestA() {\n` + `b\nc` // `\nd", &["a := `", "", "", "", "d"]);
        check("/* a\nfunc TestA() {\n*/ b /*\n*/\nc", &["/* a", "", "", "", "c"]);
        check("a := \"`\" + \"\\\"`\" // /*\nb", &["a := \"`\" + \"\\\"`\" // /*", "b"]);
        check("a := '`' + '\\'' / 2 // '\nb", &["a := '`' + '\\'' / 2 // '", "b"]);
        check("a := `/*`\nb", &["a := `/*`", "b"]);
        check("/* ` */\nb", &["/* ` */", "b"]);
        check("", &[]);
    }
}
