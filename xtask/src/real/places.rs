//! Placeholders in a project's texts: `{FILE@TEXT}` is `FILE:LINE` of the only line with the text,
//! `{name}` a fact, `{port}` a free port, `{directory}` the project's copy. A directory of a path
//! may be `*`, where a tool names it after its version. Other braces stay as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Facts by name.
pub type Facts = BTreeMap<String, String>;

/// The text with every placeholder replaced.
pub fn fill(text: &str, directory: &Path, facts: &Facts) -> Result<String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, inside, after)) = next_placeholder(rest) {
        filled += before;
        match inside.split_once('@') {
            Some((file, marker)) => filled += &place(directory, file, marker)?,
            None if facts.contains_key(inside) => filled += &facts[inside],
            None => {
                filled.push('{');
                rest = &rest[before.len() + 1..];
                continue;
            }
        }
        rest = after;
    }
    Ok(filled + rest)
}

/// The text before the next `{`, between it and its `}`, and after that.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (inside, after) = rest.split_once('}')?;
    Some((before, inside, after))
}

/// Every string of a value filled.
pub fn fill_value(value: &mut Value, directory: &Path, facts: &Facts) -> Result<()> {
    match value {
        Value::String(text) => *text = fill(text, directory, facts)?,
        Value::Array(items) => {
            for item in items {
                fill_value(item, directory, facts)?;
            }
        }
        Value::Object(fields) => {
            for field in fields.values_mut() {
                fill_value(field, directory, facts)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// `FILE:LINE` of the only line with a text.
fn place(directory: &Path, file: &str, marker: &str) -> Result<String> {
    let file = expand(directory, file)?;
    let path = directory.join(&file);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines: Vec<_> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains(marker))
        .map(|(index, _)| index + 1)
        .collect();
    match lines[..] {
        [line] => Ok(format!("{}:{line}", file.display())),
        _ => bail!("{} lines of {} have `{marker}`", lines.len(), path.display()),
    }
}

/// The path with each directory `*` replaced by the only one there is.
fn expand(directory: &Path, file: &str) -> Result<PathBuf> {
    let mut path = PathBuf::new();
    for part in file.split('/') {
        if part == "*" {
            let parent = directory.join(&path);
            let entries: Vec<_> = fs::read_dir(&parent)
                .with_context(|| format!("cannot read {}", parent.display()))?
                .collect::<Result<_, _>>()?;
            let [only] = &entries[..] else {
                bail!("{} has {} entries", parent.display(), entries.len())
            };
            path.push(only.file_name());
        } else {
            path.push(part);
        }
    }
    // `push` drops the root of an absolute path.
    Ok(if file.starts_with('/') { Path::new("/").join(path) } else { path })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("lib/v3")).unwrap();
        fs::write(directory.path().join("lib/v3/a.py"), "one\ntwo  # here\ntwo\n").unwrap();
        directory
    }

    #[test]
    fn places_and_facts_are_filled() {
        let directory = project();
        let facts = Facts::from([("total".to_owned(), "42".to_owned())]);
        for (text, expected) in [
            ("plain", "plain"),
            ("total={total}.", "total=42."),
            ("{lib/*/a.py@# here}", "lib/v3/a.py:2"),
            ("b={lib/v3/a.py@one} if x == {total}", "b=lib/v3/a.py:1 if x == 42"),
            ("Item{id:3} {total}", "Item{id:3} 42"),
            ("{ {total} }", "{ 42 }"),
            ("open {", "open {"),
        ] {
            assert_eq!(fill(text, directory.path(), &facts).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn a_text_on_no_or_several_lines_is_an_error() {
        let directory = project();
        for text in ["{lib/v3/a.py@two}", "{lib/v3/a.py@three}", "{b.py@one}"] {
            assert!(fill(text, directory.path(), &Facts::new()).is_err(), "{text}");
        }
    }

    #[test]
    fn arguments_are_filled_at_every_depth() {
        let mut value = serde_json::json!({"a": ["{n}", 1], "b": {"c": "x{n}"}});
        let facts = Facts::from([("n".to_owned(), "7".to_owned())]);
        fill_value(&mut value, Path::new("/"), &facts).unwrap();
        assert_eq!(value, serde_json::json!({"a": ["7", 1], "b": {"c": "x7"}}));
    }
}
