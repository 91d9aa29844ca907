//! What can be known of a breakpoint's place without asking anybody: is there such a
//! file, and such a line in it.

use std::fs::FileType;
use std::path::{Path, PathBuf};

use super::Error;
use super::hit::Hits;
use crate::file;
use crate::model::{BreakpointSpec, Place};

/// A source larger than this is not looked into.
const MAX_SOURCE: u64 = 64 << 20;

/// Checks specs beside everything else: a file system may be slow.
pub(super) async fn check(specs: &[BreakpointSpec]) -> Result<(), Error> {
    let specs = specs.to_vec();
    let checked = tokio::task::spawn_blocking(move || specs.iter().try_for_each(check_one)).await;
    checked.unwrap_or(Err(Error::Superseded))
}

fn check_one(spec: &BreakpointSpec) -> Result<(), Error> {
    if let Some(text) = &spec.hit_condition {
        Hits::parse(text)?;
    }
    let Place::Line { path, line, .. } = &spec.place else { return Ok(()) };
    let text = file::read(path, MAX_SOURCE)
        .map_err(|_| Error::NoSuchSource { path: path.clone(), near: near(path, FileType::is_file) })?;
    let lines = text.iter().filter(|byte| **byte == b'\n').count() + usize::from(!text.ends_with(b"\n"));
    let lines = u32::try_from(lines).unwrap_or(u32::MAX);
    match *line == 0 || *line > lines {
        true => Err(Error::NoSuchLine { path: path.clone(), line: *line, lines }),
        false => Ok(()),
    }
}

/// What lies beside a path, is of a kind that fits, and has a name like it.
pub(super) fn near(path: &Path, fits: fn(&FileType) -> bool) -> Vec<PathBuf> {
    let Some((directory, name)) = path.parent().zip(path.file_name()) else { return Vec::new() };
    let name = name.to_string_lossy().into_owned();
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<(f64, PathBuf)> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| fits(&kind)))
        .map(|entry| (strsim::jaro_winkler(&entry.file_name().to_string_lossy(), &name), entry.path()))
        .filter(|(likeness, _)| *likeness > 0.75)
        .collect();
    names.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    names.into_iter().take(3).map(|(_, path)| path).collect()
}
