//! Breakpoints as strings: `PLACE`, `PLACE if CONDITION`, `PLACE log TEXT`, `PLACE if CONDITION log
//! TEXT`, a place being `FILE:LINE`, `FILE:LINE:COLUMN` or a function's name.
//!
//! Knows what cannot be a function's name, so that a slip of the pen is no function that never
//! comes. Refuses to look at files.

use std::fmt;

/// A place before its path is absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Line { path: String, line: u32, column: Option<u32> },
    Function(String),
}

/// What a string says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
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

/// Why it says nothing, and what was meant, if that can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slip {
    pub cause: String,
    pub meant: Option<String>,
    /// How many hits were meant, which no string says.
    pub hits: Option<String>,
}

/// Reads the string.
pub(super) fn parse(text: &str) -> Result<Written, Slip> {
    let text = text.trim();
    if text.is_empty() {
        return Err(slip("is an empty string", None));
    }
    let (place, rest) = match line_of(text) {
        Some((place, rest)) => (place, rest),
        None => function(text)?,
    };
    tail(rest).map(|(condition, log)| Written { place: place.clone(), condition, log }).ok_or_else(
        || {
            let place = &text[..text.len() - rest.len()].trim_end();
            let rest = rest.trim();
            let meant = match rest.split_once(' ') {
                Some(("when", condition)) => followed(place, &format!("if {condition}")),
                // A condition that was forgotten before its log.
                Some(("if", log)) => followed(place, log),
                _ => (*place).to_owned(),
            };
            let hits = rest
                .split_once(' ')
                .filter(|(word, _)| matches!(*word, "hits" | "hit" | "hit_condition"));
            let hits = hits.map(|(_, count)| count.trim().to_owned());
            let apart = if hits.is_some() { "; hits are counted by `hit_condition`" } else { "" };
            let cause = format!(
                "has `{rest}` behind its place, where `if CONDITION` or `log TEXT` may stand{apart}"
            );
            Slip { hits, ..slip(&cause, Some(meant)) }
        },
    )
}

/// The place with what is behind it, where that may stand there.
fn followed(place: &str, behind: &str) -> String {
    match behind.trim() {
        "" => place.to_owned(),
        behind if tail(behind).is_some() => format!("{place} {behind}"),
        _ => place.to_owned(),
    }
}

fn slip(cause: &str, meant: Option<String>) -> Slip {
    Slip { cause: cause.to_owned(), meant, hits: None }
}

/// A place with a line, and what follows it: the first number behind a colon at a word's end, if
/// what is before it can be a file. A drive letter's colon belongs to the path.
fn line_of(text: &str) -> Option<(Place, &str)> {
    let of = |at: usize| {
        let path = &text[..at];
        let (line, rest) = number(&text[at + 1..])?;
        let (column, rest) = match rest.strip_prefix(':').and_then(number) {
            Some((column, rest)) => (Some(column), rest),
            None => (None, rest),
        };
        let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
        (ends && can_be_file(path))
            .then(|| (Place::Line { path: path.to_owned(), line, column }, rest))
    };
    text.match_indices(':').find_map(|(at, _)| of(at))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// With a blank in it, it is one only if it looks like one: `f if x == 'a:5'` is a function, and so
/// is `f log at a.py:5`.
fn can_be_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let odd = |c: char| matches!(c, '"' | '\'' | '`' | '{' | '=' | '<' | '>' | '(');
    let plain = !path.contains(char::is_whitespace) && !path.contains(odd);
    !path.is_empty()
        && !path.ends_with(':')
        && (plain || (name.contains('.') && !path.contains(odd) && !goes_on(path)))
}

/// An identifier and the word behind a place, in no directory.
fn goes_on(path: &str) -> bool {
    let head = |word| path.split_once(word).map(|(head, _)| head);
    let identifier =
        |head: &str| head.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    !path.contains(['/', '\\']) && [" if ", " log "].into_iter().filter_map(head).any(identifier)
}

/// A function's name, and what follows it.
fn function(text: &str) -> Result<(Place, &str), Slip> {
    let bare = || [" if", " log"].iter().find_map(|word| text.strip_suffix(word)).map(str::len);
    let first = [" if ", " log "].iter().filter_map(|word| text.find(word)).min();
    let end = first.or_else(bare).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    match slipped(name.trim(), rest) {
        Some(slip) => Err(slip),
        None => Ok((Place::Function(name.trim().to_owned()), rest)),
    }
}

/// What is no function's name in any language.
fn slipped(name: &str, rest: &str) -> Option<Slip> {
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(slip(&format!("at `{name}` names no file: write FILE:{name}"), None));
    }
    let words = |place: &str| {
        format!("at `{name}` is no function and no FILE:LINE; did you mean `{place}`?")
    };
    if let Some((file, test)) = name.rsplit_once("::").filter(|(file, _)| is_file_name(file)) {
        let cause = format!(
            "at `{name}` is a test's name: a place is FILE:LINE or a function, as `{test}`"
        );
        return Some(slip(&cause, Some(followed(test, rest)).filter(|_| !file.is_empty())));
    }
    // `app.py 34`, `app.py#34`, `app.py:-3`, `app.py:34if x`.
    let at = name.find(|c: char| c.is_whitespace() || matches!(c, '#' | ':'))?;
    let (file, behind) = name.split_at(at);
    let behind =
        behind.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '#' | ':' | '-'));
    let (line, more) = number(behind)?;
    is_file_name(file).then(|| {
        let place = format!("{file}:{line}");
        slip(&words(&place), Some(followed(&place, &format!("{}{rest}", worded(more)))))
    })
}

/// What stands right behind a line, as `, n > 3` or `when n`, with the word that it lacks. A number
/// is another line.
fn worded(more: &str) -> String {
    let told =
        more.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';')).trim_end();
    let is_number = told.bytes().all(|byte| byte.is_ascii_digit());
    match told.split_once(' ') {
        _ if told.is_empty() || is_number => String::new(),
        Some(("if" | "log", _)) => told.to_owned(),
        Some(("when", condition)) => format!("if {condition}"),
        _ if told.starts_with("if(") || more.trim_start() == told => told.to_owned(),
        _ => format!("if {told}"),
    }
}

/// May it be a file and hardly a function?
pub(super) fn looks_like_file(text: &str) -> bool {
    text.contains('/') || is_file_name(text)
}

/// A name with an ending, as `app.py`.
fn is_file_name(text: &str) -> bool {
    let ending = text.rsplit_once('.').map(|(_, ending)| ending);
    let letters = |ending: &str| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    !text.contains(char::is_whitespace) && ending.is_some_and(letters)
}

/// Condition and log. None: it is neither, or the word alone.
fn tail(rest: &str) -> Option<(Option<String>, Option<String>)> {
    let rest = rest.trim();
    let told = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if rest.is_empty() {
        return Some((None, None));
    }
    if let Some(log) = rest.strip_prefix("log ") {
        return Some((None, told(log)));
    }
    let condition = rest.strip_prefix("if ")?;
    match outside_of_quotes(condition, " log ") {
        Some(at) => Some((Some(told(&condition[..at])?), told(&condition[at + " log ".len()..]))),
        None => Some((told(condition), None)),
    }
}

fn outside_of_quotes(text: &str, word: &str) -> Option<usize> {
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
    fn a_slip_is_no_function() {
        let meant = |text: &str| parse(text).map_err(|slip| slip.meant);
        for (text, right) in [
            ("main.py 34", "main.py:34"),
            ("main.py#34", "main.py:34"),
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
            ("inv.py:18 log", "inv.py:18"),
            ("parse if", "parse"),
            ("shop::parse log ", "shop::parse"),
        ] {
            assert_eq!(meant(text), Err(Some(right.to_owned())), "{text}");
        }
        assert_eq!(meant("5"), Err(None));
        assert_eq!(meant("  "), Err(None));
    }
}
