//! Paths as text. Reads no file system, so links are not resolved.

use std::path::{Component, Path, PathBuf};

/// The path without `.` and `..`.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}
