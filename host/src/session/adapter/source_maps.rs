//! Which file a source was made into, by the source maps beside the files that are loaded
//! (ECMA-426: `FILE.map`, its `sources`). Knows nothing of how a map maps.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use tokio::sync::watch;

use crate::file;

/// The largest map that is read, in bytes.
const MAX_MAP: u64 = 16 * 1024 * 1024;
/// Of how many files that are loaded the maps are looked for.
const MAX_FILES: usize = 2_000;
/// A checkout writes a source and what was made of it in one moment, in any order.
const CHECKOUT: Duration = Duration::from_secs(2);

/// How long a stop or an end waits for maps, for the sake of a note.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many sources of one map are heeded.
const MAX_SOURCES: usize = 10_000;

/// The files that are loaded, and what was made into them.
#[derive(Debug, Default)]
pub(crate) struct Maps {
    loaded: Mutex<Loaded>,
    /// By the source: when the youngest file that is made of it was written.
    made: Mutex<HashMap<PathBuf, SystemTime>>,
    /// A thread reads maps.
    reading: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Loaded {
    all: HashSet<PathBuf>,
    unread: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct SourceMap {
    #[serde(default, rename = "sourceRoot")]
    root: Option<String>,
    sources: Vec<Option<String>>,
}

impl Maps {
    /// A file is loaded: its map is read in a thread, one after the other.
    pub(crate) fn load(self: &Arc<Self>, path: PathBuf) {
        let mut loaded = lock(&self.loaded);
        if loaded.all.len() >= MAX_FILES || !loaded.all.insert(path.clone()) {
            return;
        }
        loaded.unread.push(path);
        if !self.reading.send_replace(true) {
            let maps = self.clone();
            drop(tokio::task::spawn_blocking(move || maps.read()));
        }
    }

    fn read(&self) {
        while let Some(path) = self.next() {
            let Some((written, sources)) = read(&path) else { continue };
            let mut made = lock(&self.made);
            for source in sources {
                let youngest = made.entry(source).or_insert(written);
                *youngest = written.max(*youngest);
            }
        }
    }

    /// The next to read. Whether there is one and whether a thread reads changes together.
    fn next(&self) -> Option<PathBuf> {
        let mut loaded = lock(&self.loaded);
        let next = loaded.unread.pop();
        if next.is_none() {
            self.reading.send_replace(false);
        }
        next
    }

    /// Waits for the maps of what was loaded so far, within reason.
    pub(crate) async fn settle(&self) {
        let mut reading = self.reading.subscribe();
        let idle = reading.wait_for(|reading| !reading);
        let _ = tokio::time::timeout(PATIENCE, idle).await;
    }

    /// Is it loaded, or something that was made of it?
    pub(crate) fn has(&self, source: &Path) -> bool {
        lock(&self.loaded).all.contains(source) || self.made(source).is_some()
    }

    /// Until when a change of this source is in what was made of it; none: nothing is known to be.
    pub(crate) fn made(&self, source: &Path) -> Option<SystemTime> {
        lock(&self.made).get(source)?.checked_add(CHECKOUT)
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When it was written, and what it was made of.
fn read(path: &Path) -> Option<(SystemTime, Vec<PathBuf>)> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".map");
    let map: SourceMap =
        serde_json::from_slice(&file::read(Path::new(&beside), MAX_MAP).ok()?).ok()?;
    let directory = path.parent()?.join(map.root.unwrap_or_default());
    let sources = map
        .sources
        .into_iter()
        .flatten()
        .take(MAX_SOURCES)
        .filter_map(|source| directory.join(source).canonicalize().ok());
    Some((path.metadata().and_then(|file| file.modified()).ok()?, sources.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_source_is_as_old_as_what_was_made_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("out")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
        for (name, text) in
            [("a.src", ""), ("b.src", ""), ("out/a", ""), ("out/b", ""), ("out/c", "")]
        {
            write(name, text);
        }
        write("out/a.map", r#"{"version": 3, "sources": ["../a.src", null]}"#);
        write("out/b.map", r#"{"version": 3, "sourceRoot": "..", "sources": ["b.src"]}"#);
        write("out/c.map", "no map");
        let maps: Arc<Maps> = Arc::default();
        for name in ["out/a", "out/b", "out/c", "a.src"] {
            maps.load(root.join(name));
        }
        let written =
            |name: &str| Some(root.join(name).metadata().unwrap().modified().unwrap() + CHECKOUT);
        maps.settle().await;
        assert_eq!(maps.made(&root.join("a.src")), written("out/a"));
        assert_eq!(maps.made(&root.join("b.src")), written("out/b"));
        assert_eq!(maps.made(&root.join("out/a")), None);
    }
}
