//! Is there a file whose name a shell would put in place of a pattern?
//!
//! Knows `*` and `?` (POSIX Shell Command Language, 2.13). Refuses to know quotes, and which files they are.

use std::path::Path;

use regex::Regex;

/// Is there any below `directory`, which a pattern with a leading `/` leaves?
pub(super) fn fits_any(directory: &Path, pattern: &str) -> bool {
    let (directory, pattern) = match pattern.strip_prefix('/') {
        Some(below) => (Path::new("/"), below),
        None => (directory, pattern),
    };
    match pattern.split_once('/') {
        Some((first, rest)) if !first.contains(['*', '?']) => {
            fits_any(&directory.join(first), rest.trim_start_matches('/'))
        }
        Some((first, rest)) => {
            names(directory, first).any(|name| fits_any(&directory.join(name), rest.trim_start_matches('/')))
        }
        None if pattern.contains(['*', '?']) => names(directory, pattern).next().is_some(),
        None => directory.join(pattern).exists(),
    }
}

/// Names in a directory that fit; hidden ones only where the pattern says the dot.
fn names(directory: &Path, pattern: &str) -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let (hidden, form) = (pattern.starts_with('.'), form(pattern));
    names.filter(move |name| hidden == name.starts_with('.') && form.as_ref().is_some_and(|form| form.is_match(name)))
}

/// None: it is longer than any name.
fn form(pattern: &str) -> Option<Regex> {
    let text = regex::escape(pattern).replace(r"\*", ".*").replace(r"\?", ".");
    Regex::new(&format!("(?s)^{text}$")).ok()
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
        ] {
            assert_eq!(fits_any(here, pattern), want, "{pattern}");
        }
    }
}
