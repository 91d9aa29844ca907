//! `cargo xtask tidy`: how dense the sources are, next to the figures of `43da3d5` and to those of
//! helix-dap, nextest, just and CodeLLDB. These are signs and no limits; `tests/tidy` has limits.
//!
//! The figures of `43da3d5` are this program's, on that commit.

mod counts;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::layout::Layout;
use counts::Counts;

/// More files in a folder than this are listed.
const FOLDER: usize = 14;

/// One row of the table.
struct Sign {
    name: &'static str,
    today: String,
    /// At `43da3d5`.
    review: &'static str,
    /// In the reference codebases, or the aim.
    anchors: &'static str,
}

/// Counts and prints.
pub fn run(layout: &Layout) -> Result<()> {
    let rows = signs(&layout.root)?;
    println!("{:<46} {:<28} {:<12} anchors or aim", "", "today", "43da3d5");
    for Sign { name, today, review, anchors } in rows {
        println!("{name:<46} {today:<28} {review:<12} {anchors}");
    }
    for (folder, files) in folders(&layout.root.join("host/src"))? {
        println!("{files} files in {}", folder.strip_prefix(&layout.root)?.display());
    }
    Ok(())
}

fn signs(root: &Path) -> Result<Vec<Sign>> {
    let mut host = Counts::default();
    for file in files(&root.join("host/src"), &["rs"])? {
        host.add(&read(&file)?).with_context(|| file.display().to_string())?;
    }
    let actor = read(&root.join("host/src/session/actor/mod.rs"))?.lines().count();
    let [median, ninth, longest] = host.lengths();
    let wide = 100.0 * host.wide_lines as f64 / host.lines as f64;
    let closures = 100.0 * host.closures as f64 / host.code_lines as f64;
    let let_closures = 1000.0 * host.let_closures as f64 / host.code_lines as f64;
    let row = |name, today, review, anchors| Sign { name, today, review, anchors };
    let (fields, keys, single) = profile(root)?;
    Ok(vec![
        row("fields of the actor", host.fields["Actor"].len().to_string(), "88", "18"),
        row("lines of session/actor/mod.rs", actor.to_string(), "565", "200"),
        row("closures in 100 lines of code", format!("{closures:.1}"), "8.8", "0.7-2.4, aim 3-4"),
        row("let closures in 1000 lines of code", format!("{let_closures:.1}"), "14.8", "2-7"),
        row("`match` on a bool", host.bool_matches.to_string(), "69", "0-2"),
        row("lines over 100 columns, %", format!("{wide:.1}"), "5.7", "0.1-2"),
        row(
            "lines of a function: median, p90, longest",
            format!("{median}, {ninth}, {longest}"),
            "7, 19, 112",
            "8-11 median",
        ),
        row("fields of the profile", fields.to_string(), "83", "50"),
        row("its keys that one plugin sets", format!("{single} of {keys}"), "19 of 40", "few"),
        row("lines of runtime code of plugins", runtime(root)?.to_string(), "6282", ""),
        row("identifiers with a banned word", banned(root)?.to_string(), "3425", "0"),
    ])
}

/// Fields of all structs of the profile, keys of its sections, and those that a single plugin sets.
fn profile(root: &Path) -> Result<(usize, usize, usize)> {
    let mut schema = Counts::default();
    for file in files(&root.join("plugins/schema/src/profile"), &["rs"])? {
        schema.add(&read(&file)?)?;
    }
    let fields = schema.fields.values().map(Vec::len).sum();
    let mut users: BTreeMap<(String, String), usize> = BTreeMap::new();
    for plugin in fs::read_dir(root.join("plugins"))? {
        let sources = plugin?.path().join("src");
        if !sources.is_dir() || sources.ends_with("schema/src") {
            continue;
        }
        let mut counts = Counts::default();
        for file in files(&sources, &["rs"])? {
            counts.add(&read(&file)?).with_context(|| file.display().to_string())?;
        }
        let mut set = BTreeSet::new();
        for (section, keys) in counts.set {
            set.extend(keys.into_iter().map(|key| (section.clone(), key)));
        }
        for (section, keys) in counts.assigned {
            set.extend(keys.into_iter().map(|key| (section_type(&section), key)));
        }
        for key in set {
            *users.entry(key).or_default() += 1;
        }
    }
    let mut keys = Vec::new();
    for section in &schema.fields["Profile"] {
        let section = section_type(section);
        keys.extend(schema.fields[&section].iter().map(|key| (section.clone(), key.clone())));
    }
    let single = keys.iter().filter(|key| users.get(*key) == Some(&1)).count();
    Ok((fields, keys.len(), single))
}

/// The struct of a section of the profile: `FrameProfile` for `frames`.
fn section_type(section: &str) -> String {
    let mut name: String = section.trim_end_matches('s').to_owned();
    name[..1].make_ascii_uppercase();
    name + "Profile"
}

/// Lines of Python and JavaScript that plugins run in a debugger or a tool.
fn runtime(root: &Path) -> Result<usize> {
    let mut lines = 0;
    for file in files(&root.join("plugins"), &["py", "js"])? {
        let is_test = file.components().any(|part| part.as_os_str() == "tests");
        lines += if is_test { 0 } else { read(&file)?.lines().count() };
    }
    Ok(lines)
}

/// Identifiers with a word that `tests/tidy/names.rs` bans, tests included.
fn banned(root: &Path) -> Result<usize> {
    let words = counts::list(&read(&root.join("tests/tidy/names.rs"))?, "BANNED");
    let mut found = 0;
    for directory in ["bench", "host", "plugins", "tests", "xtask"] {
        for file in files(&root.join(directory), &["rs"])? {
            if !file.ends_with("tests/tidy/names.rs") {
                found += counts::identifiers(&read(&file)?, &words)?;
            }
        }
    }
    Ok(found)
}

/// Folders with more than [`FOLDER`] files, and how many they have.
fn folders(base: &Path) -> Result<Vec<(PathBuf, usize)>> {
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for file in files(base, &["rs"])? {
        *counts.entry(file.parent().unwrap_or(base).to_owned()).or_default() += 1;
    }
    Ok(counts.into_iter().filter(|(_, files)| *files > FOLDER).collect())
}

/// The files below a directory with one of these endings, sorted; without debugged programs.
fn files(base: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![base.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory)? {
            let path = entry?.path();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if path.is_dir() && !path.ends_with("fixtures") && !path.ends_with("target") {
                open.push(path);
            } else if endings.contains(&ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}
