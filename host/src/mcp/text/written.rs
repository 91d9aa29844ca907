//! Breakpoints as strings: `PLACE`, `PLACE if CONDITION`, `PLACE log TEXT`,
//! `PLACE if CONDITION log TEXT`. A place is `FILE:LINE`, `FILE:LINE:COLUMN` or the name of a
//! function.
//!
//! Knows texts that are no function's name in any language, so that a slip does not become a
//! function that is never called. Refuses to look at files.

use std::fmt;

/// A place. Its path may be relative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) enum Place {
    Line { path: String, line: u32, column: Option<u32> },
    Function(String),
}

/// A parsed string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) struct Written {
    pub place: Place,
    pub condition: Option<String>,
    pub log: Option<String>,
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Line { path, line, column: None } => write!(f, "{path}:{line}")?,
            Place::Line { path, line, column: Some(column) } => {
                write!(f, "{path}:{line}:{column}")?;
            }
            Place::Function(name) => f.write_str(name)?,
        }
        if let Some(condition) = &self.condition {
            write!(f, " if {condition}")?;
        }
        if let Some(log) = &self.log {
            write!(f, " log {log}")?;
        }
        Ok(())
    }
}

/// A string that is no breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) struct Mistake {
    pub cause: String,
    /// The string that is probably intended.
    pub intended: Option<String>,
    /// A hit condition, which a string cannot have.
    pub hits: Option<String>,
}

/// Parses a string.
pub(in crate::mcp) fn parse(text: &str) -> Result<Written, Mistake> {
    let text = text.trim();
    if text.is_empty() {
        return Err(mistake("a breakpoint is an empty string", None));
    }
    let (place, rest) = match line_of(text) {
        Some((place, rest)) => (place, rest),
        None => function(text)?,
    };
    match tail(rest) {
        Some((condition, log)) => Ok(Written { place, condition, log }),
        None => Err(wrong_tail(text[..text.len() - rest.len()].trim_end(), rest.trim())),
    }
}

/// A log text for one that lacks it.
pub(super) const LOG: &str = "reached";

/// Text after a place that is neither a condition nor a log.
fn wrong_tail(place: &str, rest: &str) -> Mistake {
    let cause = format!("after `{place}` comes `if CONDITION` or `log TEXT`, got `{rest}`");
    let intended = match rest.split_once(' ') {
        Some(("hits" | "hit" | "hit_condition", count)) => {
            let cause = format!("{cause}; `hit_condition` counts hits");
            let hits = Some(count.trim().to_owned());
            return Mistake { hits, ..mistake(&cause, Some(place.to_owned())) };
        }
        Some(("when", condition)) => with_tail(place, &format!("if {condition}")),
        // `if` without its condition, before a log.
        Some(("if", log)) => with_tail(place, log),
        // It is to print, and not to stop.
        None if rest == "log" => format!("{place} log {LOG}"),
        _ => place.to_owned(),
    };
    mistake(&cause, Some(intended))
}

/// The place with a condition or log; alone if the text is neither.
fn with_tail(place: &str, text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || tail(text).is_none() {
        place.to_owned()
    } else {
        format!("{place} {text}")
    }
}

fn mistake(cause: &str, intended: Option<String>) -> Mistake {
    Mistake { cause: cause.to_owned(), intended, hits: None }
}

/// A place with a line, and the text after it: the first `:NUMBER` at the end of a word whose path
/// can be a file. The colon of a drive letter belongs to the path.
fn line_of(text: &str) -> Option<(Place, &str)> {
    text.match_indices(':').find_map(|(at, _)| line_at(text, at))
}

/// A line whose number follows the colon at this position.
fn line_at(text: &str, colon: usize) -> Option<(Place, &str)> {
    let path = &text[..colon];
    let (line, mut rest) = number(&text[colon + 1..])?;
    let mut column = None;
    if let Some((number, after)) = rest.strip_prefix(':').and_then(number) {
        (column, rest) = (Some(number), after);
    }
    let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let place = Place::Line { path: path.to_owned(), line, column };
    (ends && can_be_file(path)).then_some((place, rest))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// A path with a space is a file only if it looks like one: `f if x == 'a:5'` and `f log at a.py:5`
/// begin with a function.
fn can_be_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_code = path.contains(['"', '\'', '`', '{', '=', '<', '>', '(']);
    let is_word = !path.contains(char::is_whitespace);
    !path.is_empty()
        && !path.ends_with(':')
        && !is_code
        && (is_word || (name.contains('.') && !begins_with_function(path)))
}

/// Is it an identifier and `if` or `log`, without a directory?
fn begins_with_function(path: &str) -> bool {
    if path.contains(['/', '\\']) {
        return false;
    }
    [" if ", " log "]
        .into_iter()
        .filter_map(|word| path.split_once(word))
        .any(|(head, _)| head.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$')))
}

/// The name of a function, and the text after it.
fn function(text: &str) -> Result<(Place, &str), Mistake> {
    let bare = || [" if", " log"].iter().find_map(|word| text.strip_suffix(word)).map(str::len);
    let first = [" if ", " log "].iter().filter_map(|word| text.find(word)).min();
    let end = first.or_else(bare).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    match no_function(name.trim(), rest) {
        Some(mistake) => Err(mistake),
        None => Ok((Place::Function(name.trim().to_owned()), rest)),
    }
}

/// A name that no function has in any language.
fn no_function(name: &str, rest: &str) -> Option<Mistake> {
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        let cause = format!("`{name}` is a line without a file: write FILE:{name}");
        return Some(mistake(&cause, None));
    }
    if let Some((file, test)) = name.rsplit_once("::")
        && is_file_name(file)
    {
        let cause = format!(
            "`{name}` is the name of a test; a breakpoint is at FILE:LINE or a function, as \
             `{test}`"
        );
        return Some(mistake(&cause, Some(with_tail(test, rest))));
    }
    if let Some(file) = name.strip_suffix(':')
        && is_file_name(file)
    {
        return Some(mistake(&no_line_after(name), Some(with_tail(&format!("{file}:1"), rest))));
    }
    // `app.py 34`, `app.py#34`, `app.py:-3`, `app.py:34if x`.
    let at = name.find(|c: char| c.is_whitespace() || matches!(c, '#' | ':'))?;
    let (file, after) = name.split_at(at);
    let separator = |c: char| c.is_whitespace() || matches!(c, '#' | ':' | '-');
    let (line, more) = number(after.trim_start_matches(separator))?;
    if !is_file_name(file) {
        return None;
    }
    let place = format!("{file}:{line}");
    let cause = format!("`{name}` is neither FILE:LINE nor a function; did you mean `{place}`?");
    Some(mistake(&cause, Some(with_tail(&place, &format!("{}{rest}", with_if(more))))))
}

/// The cause for `app.py:`.
pub(super) fn no_line_after(name: &str) -> String {
    format!("the line number is missing after `{name}`")
}

/// The text right after a line (`, n > 3`, `when n`), with `if` where it lacks a word. A number is
/// another line and is dropped.
fn with_if(text: &str) -> String {
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let plain = text.trim_start_matches(separator).trim_end();
    let is_number = plain.bytes().all(|byte| byte.is_ascii_digit());
    match plain.split_once(' ') {
        _ if plain.is_empty() || is_number => String::new(),
        Some(("if" | "log", _)) => plain.to_owned(),
        Some(("when", condition)) => format!("if {condition}"),
        _ if plain.starts_with("if(") || text.trim_start() == plain => plain.to_owned(),
        _ => format!("if {plain}"),
    }
}

/// Can it be a file, and hardly a function?
pub(super) fn looks_like_file(text: &str) -> bool {
    text.contains('/') || is_file_name(text)
}

/// A name with an extension, as `app.py`.
fn is_file_name(text: &str) -> bool {
    let extension = text.rsplit_once('.').map_or("", |(_, extension)| extension);
    (1..=5).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !text.contains(char::is_whitespace)
}

/// Condition and log. None: the text is neither, or `if` or `log` alone.
fn tail(rest: &str) -> Option<(Option<String>, Option<String>)> {
    let rest = rest.trim();
    if rest.is_empty() {
        return Some((None, None));
    }
    if let Some(log) = rest.strip_prefix("log ") {
        return Some((None, non_empty(log)));
    }
    let condition = rest.strip_prefix("if ")?;
    match find_unquoted(condition, " log ") {
        Some(at) => {
            let (condition, log) = (&condition[..at], &condition[at + " log ".len()..]);
            Some((Some(non_empty(condition)?), non_empty(log)))
        }
        None => Some((non_empty(condition), None)),
    }
}

fn non_empty(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Position of the first `word` outside quotes.
fn find_unquoted(text: &str, word: &str) -> Option<usize> {
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) => quote = quote.filter(|_| c != open),
            None if matches!(c, '"' | '\'' | '`') => quote = Some(c),
            None if text[at..].starts_with(word) => return Some(at),
            None => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(path: &str, line: u32, column: Option<u32>) -> Place {
        Place::Line { path: path.into(), line, column }
    }

    fn function(name: &str) -> Place {
        Place::Function(name.into())
    }

    #[track_caller]
    fn check(text: &str, place: Place, condition: Option<&str>, log: Option<&str>) {
        let (condition, log) = (condition.map(str::to_owned), log.map(str::to_owned));
        assert_eq!(parse(text), Ok(Written { place, condition, log }), "{text}");
    }

    #[test]
    fn places_are_lines_or_functions() {
        check("app.py:42", line("app.py", 42, None), None, None);
        check(" app.py:42:7 ", line("app.py", 42, Some(7)), None, None);
        check(r"C:\src\app.cs:42", line(r"C:\src\app.cs", 42, None), None, None);
        check(r"C:\src\app.cs:42:3", line(r"C:\src\app.cs", 42, Some(3)), None, None);
        check("größe 日本.py:3", line("größe 日本.py", 3, None), None, None);
        check("my log dir/a.py:2", line("my log dir/a.py", 2, None), None, None);
        check("Makefile:3", line("Makefile", 3, None), None, None);
        for name in [
            "parse_order",
            "shop::parse",
            "shop::<3>::parse",
            "main.(*Cart).Total",
            "example.com/shop/cart.Total",
            "ns::Cart<int, std::less<int> >::add(int, char const*)",
            "<T as shop::Price>::of",
            "Cart.total",
            "$apply",
        ] {
            check(name, function(name), None, None);
        }
    }

    #[test]
    fn conditions_and_logs_follow_a_place() {
        check("app.py:42 if total < 0", line("app.py", 42, None), Some("total < 0"), None);
        check("app.py:42 if a if b else c", line("app.py", 42, None), Some("a if b else c"), None);
        check(
            "app.py:42 if at == 'the log file'",
            line("app.py", 42, None),
            Some("at == 'the log file'"),
            None,
        );
        check("app.py:42 log a log b", line("app.py", 42, None), None, Some("a log b"));
        check(
            "app.py:42 if n > 2 log n={n}",
            line("app.py", 42, None),
            Some("n > 2"),
            Some("n={n}"),
        );
        check("shop::<3>::parse if n > 3", function("shop::<3>::parse"), Some("n > 3"), None);
        check("parse if text == 'a:5'", function("parse"), Some("text == 'a:5'"), None);
        check("parse if text == 'a.x:5 b'", function("parse"), Some("text == 'a.x:5 b'"), None);
        check("parse log total:5 {x}", function("parse"), None, Some("total:5 {x}"));
        check("main log at app.py:5", function("main"), None, Some("at app.py:5"));
        check("größe if x.y:5 > z", function("größe"), Some("x.y:5 > z"), None);
        check("logs of main log.py:5", line("logs of main log.py", 5, None), None, None);
    }

    #[test]
    fn slip_is_no_function() {
        let intended = |text: &str| parse(text).map_err(|mistake| mistake.intended);
        for (text, right) in [
            ("main.py 34", "main.py:34"),
            ("main.py#34", "main.py:34"),
            ("src/main.py:", "src/main.py:1"),
            ("main.py: if i > 3", "main.py:1 if i > 3"),
            ("main.py:-3", "main.py:3"),
            ("main.py:34if i>3", "main.py:34 if i>3"),
            ("main.py:34 when i", "main.py:34 if i"),
            ("main.py:17 % 4", "main.py:17"),
            ("shop/cart.py::add", "add"),
            ("shop/cart.py::add if n", "add if n"),
            ("py/inv.py:20, item.qty == 3", "py/inv.py:20 if item.qty == 3"),
            ("py/inv.py:20, if n > 3 log n={n}", "py/inv.py:20 if n > 3 log n={n}"),
            ("py/inv.py:20; when n", "py/inv.py:20 if n"),
            ("py/inv.py:20, log n={n}", "py/inv.py:20 log n={n}"),
            ("py/inv.py:20, 30", "py/inv.py:20"),
            ("inv.py 20 if", "inv.py:20"),
            ("inv.py:18 if", "inv.py:18"),
            ("inv.py:18 if ", "inv.py:18"),
            ("inv.py:18 if  log n", "inv.py:18 log n"),
            ("inv.py:18 log", "inv.py:18 log reached"),
            ("parse if", "parse"),
            ("shop::parse log ", "shop::parse log reached"),
        ] {
            assert_eq!(intended(text), Err(Some(right.to_owned())), "{text}");
        }
        assert_eq!(intended("5"), Err(None));
        assert_eq!(intended("  "), Err(None));
    }
}
