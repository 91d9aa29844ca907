//! When the loaded code of a source was generated, by the source maps next to loaded files
//! (ECMA-426: `FILE.map`, its `sources`).
//!
//! Knows which sources a file was generated from. Refuses to read the mappings of lines.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use tokio::sync::watch;

use crate::file;

/// The largest map that is read, in bytes.
const MAX_MAP: u64 = 16 * 1024 * 1024;
/// How many loaded files are checked for a map.
const MAX_FILES: usize = 2_000;
/// A checkout writes a source and its generated file at almost the same time, in any order.
const CHECKOUT: Duration = Duration::from_secs(2);
/// How long a stop or an end waits for maps: they only serve a note.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many sources of one map are read.
const MAX_SOURCES: usize = 10_000;

/// Loaded files and the sources they were generated from.
#[derive(Debug, Default)]
pub(crate) struct Maps {
    loaded: Mutex<Loaded>,
    /// By source: when its newest generated file was written.
    generated: Mutex<HashMap<PathBuf, SystemTime>>,
    /// Is a thread reading maps?
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
    /// A file is loaded. One thread reads the maps of all files, one after the other.
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
            let mut generated = lock(&self.generated);
            for source in sources {
                let newest = generated.entry(source).or_insert(written);
                *newest = written.max(*newest);
            }
        }
    }

    /// The next file. The queue is locked while `reading` changes: no file is left unread.
    fn next(&self) -> Option<PathBuf> {
        let mut loaded = lock(&self.loaded);
        let next = loaded.unread.pop();
        if next.is_none() {
            self.reading.send_replace(false);
        }
        next
    }

    /// Waits until the maps of the files loaded so far are read, for a second at most.
    pub(crate) async fn settle(&self) {
        let mut reading = self.reading.subscribe();
        let idle = reading.wait_for(|reading| !reading);
        let _ = tokio::time::timeout(PATIENCE, idle).await;
    }

    /// Is the source loaded, or a file generated from it?
    pub(crate) fn has(&self, source: &Path) -> bool {
        lock(&self.loaded).all.contains(source) || self.generated(source).is_some()
    }

    /// The loaded code contains changes of this source up to this time; none: no map names the
    /// source.
    pub(crate) fn generated(&self, source: &Path) -> Option<SystemTime> {
        lock(&self.generated).get(source)?.checked_add(CHECKOUT)
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When the file was written, and the sources in its map.
fn read(path: &Path) -> Option<(SystemTime, Vec<PathBuf>)> {
    let mut map = path.as_os_str().to_owned();
    map.push(".map");
    let text = file::read(Path::new(&map), MAX_MAP).ok()?;
    let map: SourceMap = serde_json::from_slice(&text).ok()?;
    let directory = path.parent()?.join(map.root.unwrap_or_default());
    let mut sources = Vec::new();
    for source in map.sources.into_iter().flatten().take(MAX_SOURCES) {
        sources.extend(directory.join(source).canonicalize().ok());
    }
    Some((path.metadata().and_then(|file| file.modified()).ok()?, sources))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn source_is_generated_when_its_newest_file_was_written() {
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
        assert_eq!(maps.generated(&root.join("a.src")), written("out/a"));
        assert_eq!(maps.generated(&root.join("b.src")), written("out/b"));
        assert_eq!(maps.generated(&root.join("out/a")), None);
    }
}
