//! Results that are slow to compute, on disk: compiled code, manifests, answers of probes. The name
//! of a file is the key of its entry. An entry is valid only if this user alone can access the
//! directory and the file, and if the checksum at the end of the file matches.
//!
//! Old entries are removed, and the least recently used ones when all together are too large. Files
//! with other names stay. The modification time of a file is the time of its last use.
//!
//! A file is the entry followed by its CRC-32, which finds damage in 0.2 ms a plugin.

use std::borrow::Cow;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{Mode, OFlags};
use sha2::{Digest, Sha256};

use crate::file::private;

/// Entries without a use for this long are removed.
const AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// All files together, in bytes: some twenty plugins.
const ROOM: u64 = 128 << 20;
/// Unfinished files younger than this may belong to another host that is writing them.
const WRITING: Duration = Duration::from_secs(3600);
/// Prefix of the names of unfinished files.
const UNFINISHED: &str = ".writing-";
/// Bytes of a SHA-256.
const DIGEST: usize = 32;
/// Bytes of the checksum.
const CHECKSUM: usize = 4;

/// Kind of an entry; decides the suffix of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// wasmtime's artefact of a component.
    Code,
    /// Manifest of a component.
    Manifest,
    /// Answer of a tool to a probe.
    Answer,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Code, Self::Manifest, Self::Answer];

    fn ending(self) -> &'static str {
        match self {
            Self::Code => ".cwasm",
            Self::Manifest => ".manifest",
            Self::Answer => ".answer",
        }
    }
}

/// The directory of the cache.
#[derive(Clone, Debug)]
pub(crate) struct Cache(PathBuf);

/// Place of one entry.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    dir: PathBuf,
    file: PathBuf,
}

impl Cache {
    /// Touches nothing.
    pub fn at(dir: PathBuf) -> Self {
        Self(dir)
    }

    /// The place of the entry made from `source`; another `fit` is another entry.
    pub fn slot(&self, kind: Kind, source: &Fingerprint, fit: impl Hash) -> Slot {
        let mut hasher = DefaultHasher::new();
        fit.hash(&mut hasher);
        let name = format!("{}-{:016x}{}", source.0, hasher.finish(), kind.ending());
        Slot { file: self.0.join(name), dir: self.0.clone() }
    }
}

/// A SHA-256 in hexadecimal digits.
#[derive(Clone, Debug)]
pub(crate) struct Fingerprint(Cow<'static, str>);

impl Fingerprint {
    pub fn of(bytes: &[u8]) -> Self {
        Self(format!("{:x}", Sha256::digest(bytes)).into())
    }

    /// A digest computed by the build.
    pub const fn built(sha256: &'static str) -> Self {
        Self(Cow::Borrowed(sha256))
    }
}

impl Slot {
    /// The entry, if it is there and valid.
    pub fn read(&self) -> Option<Vec<u8>> {
        let mut bytes = self.read_bytes()?;
        let rest = bytes.len().checked_sub(CHECKSUM)?;
        if bytes[rest..] != checksum(&bytes[..rest]) {
            tracing::warn!(file = %self.file.display(), "cache entry is damaged and is replaced");
            return None;
        }
        bytes.truncate(rest);
        Some(bytes)
    }

    fn read_bytes(&self) -> Option<Vec<u8>> {
        private::is_private(&self.dir.symlink_metadata().ok()?).then_some(())?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::open(&self.file, flags, Mode::empty()).ok()?);
        let facts = file.metadata().ok()?;
        (facts.is_file() && private::is_private(&facts)).then_some(())?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        // After a failure the entry merely counts as older than it is.
        let _ = file.set_modified(SystemTime::now());
        Some(bytes)
    }

    /// Stores the entry by a rename, so that other hosts see all of it or nothing. Logs a failure.
    pub fn write(&self, bytes: &[u8]) {
        if let Err(error) = self.try_write(bytes) {
            tracing::warn!(file = %self.file.display(), %error, "cannot write cache entry");
        }
    }

    fn try_write(&self, bytes: &[u8]) -> io::Result<()> {
        private::own_directory(&self.dir)?;
        let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.dir)?;
        file.write_all(bytes)?;
        file.write_all(&checksum(bytes))?;
        file.persist(&self.file)?;
        prune(&self.dir, &self.file, SystemTime::now(), ROOM);
        Ok(())
    }
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    crc32fast::hash(bytes).to_le_bytes()
}

/// Removes old entries, then the least recently used ones until the rest fits into `room` bytes.
/// Never removes `keep`. Other hosts may prune or read the same files meanwhile: a file that is
/// already open stays readable, and a missing one is computed again.
fn prune(dir: &Path, keep: &Path, now: SystemTime, room: u64) {
    let mut retained = Vec::new();
    for (file, used, size, unfinished) in own_files(dir).filter(|(file, ..)| file != keep) {
        let limit = if unfinished { WRITING } else { AGE };
        if now.duration_since(used).unwrap_or_default() > limit {
            drop(std::fs::remove_file(file));
        } else if !unfinished {
            retained.push((used, file, size));
        }
    }
    retained.sort();
    let mut total: u64 = retained.iter().map(|(.., size)| size).sum();
    total += keep.symlink_metadata().map_or(0, |facts| facts.len());
    for (_, file, size) in retained {
        if total <= room {
            break;
        }
        total -= size;
        drop(std::fs::remove_file(file));
    }
}

/// Files that [`Slot::write`] made: path, last use, size in bytes, and whether it is unfinished.
fn own_files(dir: &Path) -> impl Iterator<Item = (PathBuf, SystemTime, u64, bool)> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let (name, facts) = (entry.file_name().into_string().ok()?, entry.metadata().ok()?);
        let unfinished = name.starts_with(UNFINISHED);
        let ours = (is_name(&name) || unfinished) && facts.is_file() && private::is_private(&facts);
        ours.then_some((entry.path(), facts.modified().ok()?, facts.len(), unfinished))
    })
}

/// Two digests and the ending.
fn is_name(name: &str) -> bool {
    let stem = Kind::ALL.into_iter().find_map(|kind| name.strip_suffix(kind.ending()));
    let digests = stem.and_then(|stem| stem.split_once('-'));
    let hex = |text: &str, length| {
        text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    digests.is_some_and(|(source, fit)| hex(source, 2 * DIGEST) && hex(fit, 16))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const DAY: u64 = 24 * 3600;

    struct Directory(tempfile::TempDir, SystemTime);

    impl Directory {
        /// A file of ten bytes, used so many seconds ago.
        fn file(&self, name: &str, ago: u64, mode: u32) -> PathBuf {
            let path = self.0.path().join(name);
            std::fs::write(&path, [0; 10]).expect("a file");
            let file = File::options().write(true).open(&path).expect("the file");
            file.set_modified(self.1 - Duration::from_secs(ago)).expect("a time");
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("a mode");
            path
        }

        fn left(&self) -> usize {
            std::fs::read_dir(self.0.path()).expect("a directory").count()
        }
    }

    fn name(digit: char) -> String {
        format!("{}-{}.cwasm", digit.to_string().repeat(2 * DIGEST), "0".repeat(16))
    }

    #[test]
    fn old_entries_are_removed_and_other_files_stay() {
        let dir = Directory(tempfile::tempdir().expect("a directory"), SystemTime::now());
        let keep = dir.file(&name('a'), 40 * DAY, 0o600);
        let old = dir.file(&name('b'), 31 * DAY, 0o600);
        let abandoned = dir.file(".writing-x1", 2 * 3600, 0o600);
        let others = [
            dir.file(&name('c'), 29 * DAY, 0o600),
            dir.file(&name('d'), 31 * DAY, 0o640),
            dir.file("notes.cwasm", 31 * DAY, 0o600),
            dir.file(".writing-x2", 60, 0o600),
            dir.file("notes.txt", 31 * DAY, 0o600),
        ];
        prune(dir.0.path(), &keep, dir.1, ROOM);
        assert!(!old.exists() && !abandoned.exists());
        assert!(keep.exists() && others.iter().all(|file| file.exists()));
        assert_eq!(dir.left(), 6);
    }

    #[test]
    fn least_recently_used_entries_are_removed_until_the_rest_fits() {
        let dir = Directory(tempfile::tempdir().expect("a directory"), SystemTime::now());
        let files = ['a', 'b', 'c', 'd']
            .map(|digit| dir.file(&name(digit), 100 * u64::from(digit as u32 - 96), 0o600));
        let newest = dir.file(&name('e'), 0, 0o600);
        prune(dir.0.path(), &newest, dir.1, 30);
        assert_eq!(files.each_ref().map(|file| file.exists()), [true, true, false, false]);
        prune(dir.0.path(), &files[1], dir.1, 10);
        assert_eq!((dir.left(), files[1].exists()), (1, true));
    }
}
