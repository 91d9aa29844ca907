//! Is there a file whose name a shell would put in place of a pattern?
//!
//! Knows `*` and `?`, and `\` before what stands for itself (POSIX Shell Command Language, 2.14).
//! Refuses to know quotes, and which files they are. Looks at files while it is called: not for the
//! runtime's threads.

use std::path::Path;

use regex::Regex;

use crate::pattern;

/// How many names are looked at. Where there are more, one may fit.
const NAMES: usize = 20_000;
/// Longer than any path (PATH_MAX), in bytes.
const LONGEST: usize = 4096;

/// Is there any below `directory`, which a pattern with a leading `/` leaves?
pub(super) fn fits_any(directory: &Path, pattern: &str) -> bool {
    if pattern.len() > LONGEST {
        return false;
    }
    let mut left = NAMES;
    let fits = match pattern.strip_prefix('/') {
        Some(below) => fits(Path::new("/"), below, &mut left),
        None => fits(directory, pattern, &mut left),
    };
    fits || left == 0
}

fn fits(directory: &Path, pattern: &str, left: &mut usize) -> bool {
    let (first, rest) = match pattern.split_once('/') {
        Some((first, rest)) => (first, Some(rest.trim_start_matches('/'))),
        None => (pattern, None),
    };
    let found = match literal(first) {
        Some(name) if rest.is_none() => return directory.join(name).exists(),
        Some(name) => vec![name],
        None => names(directory, first, left),
    };
    found.into_iter().any(|name| rest.is_none_or(|rest| fits(&directory.join(name), rest, left)))
}

/// Names in a directory that fit; hidden ones only where the pattern says the dot.
fn names(directory: &Path, pattern: &str, left: &mut usize) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().take(*left);
    let all: Vec<_> = entries.map(|entry| entry.file_name().into_string()).collect();
    *left -= all.len();
    let (hidden, form) = (pattern.starts_with('.'), form(pattern));
    let fits = |name: &String| {
        hidden == name.starts_with('.') && form.as_ref().is_some_and(|form| form.is_match(name))
    };
    all.into_iter().flatten().filter(fits).collect()
}

/// Its characters, and whether each stands for itself.
fn characters(pattern: &str) -> impl Iterator<Item = (char, bool)> {
    let mut all = pattern.chars();
    std::iter::from_fn(move || match all.next()? {
        '\\' => Some((all.next()?, true)),
        c => Some((c, !matches!(c, '*' | '?'))),
    })
}

/// The one name that fits; none: several may.
fn literal(pattern: &str) -> Option<String> {
    characters(pattern).map(|(c, itself)| itself.then_some(c)).collect()
}

/// None: it is longer than any name.
fn form(pattern: &str) -> Option<Regex> {
    let one = |(c, itself)| match (c, itself) {
        ('*', false) => ".*".to_owned(),
        (_, false) => ".".to_owned(),
        (c, true) => regex::escape(c.encode_utf8(&mut [0; 4])),
    };
    let text: String = characters(pattern).map(one).collect();
    pattern::compile(&format!("(?s)^{text}$")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_names_as_in_a_shell() {
        for (pattern, name, want) in [
            ("*.py", "a.py", true),
            ("*.py", ".py", true),
            ("test_?.py", "test_1.py", true),
            ("test_?.py", "test_.py", false),
            ("*a*b", "xaxxb", true),
            ("*a*b", "xbxxa", false),
            ("ß?", "ßü", true),
            ("a.c", "abc", false),
            ("*(1)?", "x(1)y", true),
            (r"\*?", "*x", true),
            (r"\*?", "xx", false),
        ] {
            assert_eq!(form(pattern).unwrap().is_match(name), want, "{pattern} {name}");
        }
    }

    #[test]
    fn files_below_a_directory_are_found() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (pattern, want) in [
            ("src/mcp/pat*.rs", true),
            ("s?c/*/pattern.rs", true),
            ("src/*/pattern.py", false),
            ("Cargo.tom?l", false),
            ("*.toml", true),
            ("/nowhere/*", false),
            (r"s\?c/*", false),
            (r"s\rc/m*", true),
        ] {
            assert_eq!(fits_any(here, pattern), want, "{pattern}");
        }
    }

    /// A tree too large to be looked through holds nobody up.
    #[test]
    fn of_too_many_names_one_may_fit() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut left = 3;
        assert!(!fits(&here.join("src"), "*/no*", &mut left));
        assert_eq!(left, 0);
        let many = tempfile::tempdir().unwrap();
        (0..=NAMES / 100)
            .for_each(|at| std::fs::create_dir(many.path().join(at.to_string())).unwrap());
        (0..100)
            .for_each(|at| std::fs::write(many.path().join("0").join(at.to_string()), "").unwrap());
        assert!(!fits_any(many.path(), "*/x*"));
        assert!(fits_any(many.path(), "0/../*/../*/x*"));
        assert!(!fits_any(many.path(), &("0/../".repeat(100_000) + "*")));
    }
}
