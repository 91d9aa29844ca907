//! Which file a source was made into, by the source maps beside the files that are loaded (ECMA-426: `FILE.map`, its
//! `sources`). Knows nothing of how a map maps.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde::Deserialize;

use crate::file;

/// The largest map that is read, in bytes.
const MAX_MAP: u64 = 16 * 1024 * 1024;
/// Of how many files that are loaded the maps are looked for.
const MAX_FILES: usize = 2_000;
/// A checkout writes a source and what was made of it in one moment, in any order.
const CHECKOUT: Duration = Duration::from_secs(2);

/// The files that are loaded, and what was made into them.
#[derive(Debug, Default)]
pub(super) struct Maps {
    loaded: Mutex<Loaded>,
    /// By the source: when the youngest file that is made of it was written. Held while maps are read.
    made: Mutex<HashMap<PathBuf, SystemTime>>,
}

#[derive(Debug, Default)]
struct Loaded {
    count: usize,
    unread: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct SourceMap {
    #[serde(default, rename = "sourceRoot")]
    root: Option<String>,
    sources: Vec<Option<String>>,
}

impl Maps {
    /// A file is loaded.
    pub(super) fn load(&self, path: PathBuf) {
        let mut loaded = lock(&self.loaded);
        if loaded.count < MAX_FILES {
            loaded.count += 1;
            loaded.unread.push(path);
        }
    }

    /// Reads the maps of what was loaded since; may take long.
    pub(super) fn read(&self) -> MutexGuard<'_, HashMap<PathBuf, SystemTime>> {
        let mut made = lock(&self.made);
        let unread = std::mem::take(&mut lock(&self.loaded).unread);
        for path in unread {
            let Some((written, sources)) = read(&path) else { continue };
            for source in sources {
                let youngest = made.entry(source).or_insert(written);
                *youngest = written.max(*youngest);
            }
        }
        made
    }

    /// Until when a change of this source is in what was made of it; none: nothing was. May take as long.
    pub(super) fn made(&self, source: &Path) -> Option<SystemTime> {
        self.read().get(source).map(until)
    }

    /// The same, as far as maps have been read.
    pub(super) fn known(&self, source: &Path) -> Option<SystemTime> {
        self.made.try_lock().ok()?.get(source).map(until)
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn until(made: &SystemTime) -> SystemTime {
    *made + CHECKOUT
}

/// When it was written, and what it was made of.
fn read(path: &Path) -> Option<(SystemTime, Vec<PathBuf>)> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".map");
    let map: SourceMap = serde_json::from_slice(&file::read(Path::new(&beside), MAX_MAP).ok()?).ok()?;
    let directory = path.parent()?.join(map.root.unwrap_or_default());
    let sources = map.sources.into_iter().flatten().filter_map(|source| directory.join(source).canonicalize().ok());
    Some((path.metadata().and_then(|file| file.modified()).ok()?, sources.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_as_old_as_what_was_made_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("out")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
        for (name, text) in [("a.src", ""), ("b.src", ""), ("out/a", ""), ("out/b", ""), ("out/c", "")] {
            write(name, text);
        }
        write("out/a.map", r#"{"version": 3, "sources": ["../a.src", null]}"#);
        write("out/b.map", r#"{"version": 3, "sourceRoot": "..", "sources": ["b.src"]}"#);
        write("out/c.map", "no map");
        let maps = Maps::default();
        for name in ["out/a", "out/b", "out/c", "a.src"] {
            maps.load(root.join(name));
        }
        let written = |name: &str| Some(root.join(name).metadata().unwrap().modified().unwrap() + CHECKOUT);
        assert_eq!(maps.known(&root.join("a.src")), None);
        assert_eq!(maps.made(&root.join("a.src")), written("out/a"));
        assert_eq!(maps.known(&root.join("a.src")), written("out/a"));
        assert_eq!(maps.made(&root.join("b.src")), written("out/b"));
        assert_eq!(maps.made(&root.join("out/a")), None);
    }
}
