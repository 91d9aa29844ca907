//! What is slow to find out, kept on disk: compiled code, manifests, answers of tools. A file's
//! name says what it is about; what is in it is believed only when the directory and the file are
//! ours alone and the digest at its end fits. Anything else is ignored and written anew.
//!
//! What nobody has used for long is removed, and the longest unused when there is too much of it:
//! only files of ours, named as ours are. A use is the file's modification time, set when it is
//! read.
//!
//! A file is what is kept and the SHA-256 of that.

use std::borrow::Cow;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{Mode, OFlags};
use sha2::{Digest, Sha256};

use crate::file::private;

/// Older uses are forgotten.
const AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// All files together, in bytes: some twenty plugins.
const ROOM: u64 = 128 << 20;
/// Half-written files of hosts that were killed are left alone for so long.
const WRITING: Duration = Duration::from_secs(3600);
/// How names of files begin that are still being written.
const UNFINISHED: &str = ".writing-";
const DIGEST: usize = 32;

/// What is kept, and so how its files' names end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// wasmtime's artefact of a component.
    Code,
    /// What a component says of itself.
    Manifest,
    /// What a tool answered to a probe.
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

/// A directory of ours.
#[derive(Clone, Debug)]
pub(crate) struct Cache(PathBuf);

/// Where one thing is kept.
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

    /// Where that is kept which was made from `source`, for those alone to whom `fit` is the same.
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

    /// One that the build has found out.
    pub const fn built(sha256: &'static str) -> Self {
        Self(Cow::Borrowed(sha256))
    }
}

impl Slot {
    /// What is kept, if it is here and whole.
    pub fn read(&self) -> Option<Vec<u8>> {
        let mut kept = self.read_bytes()?;
        let rest = kept.len().checked_sub(DIGEST)?;
        if kept[rest..] != *Sha256::digest(&kept[..rest]) {
            tracing::warn!(file = %self.file.display(), "what is kept here is damaged and is made anew");
            return None;
        }
        kept.truncate(rest);
        Some(kept)
    }

    fn read_bytes(&self) -> Option<Vec<u8>> {
        is_private(&self.dir.symlink_metadata().ok()?).then_some(())?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::open(&self.file, flags, Mode::empty()).ok()?);
        let facts = file.metadata().ok()?;
        (facts.is_file() && is_private(&facts)).then_some(())?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        // Of no consequence where it fails: then it is made anew some day.
        let _ = file.set_modified(SystemTime::now());
        Some(bytes)
    }

    /// Keeps it; another host never sees half of it. A failure is of no consequence and is logged.
    pub fn write(&self, bytes: &[u8]) {
        if let Err(error) = self.try_write(bytes) {
            tracing::warn!(file = %self.file.display(), %error, "what was found out is not kept");
        }
    }

    fn try_write(&self, bytes: &[u8]) -> io::Result<()> {
        private::directory(&self.dir)?;
        if !is_private(&self.dir.symlink_metadata()?) {
            let reason =
                format!("{} is not a directory of ours alone (mode 0700)", self.dir.display());
            return Err(io::Error::other(reason));
        }
        let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.dir)?;
        file.write_all(bytes)?;
        file.write_all(&Sha256::digest(bytes))?;
        file.persist(&self.file)?;
        prune(&self.dir, &self.file, SystemTime::now(), ROOM);
        Ok(())
    }
}

/// Removes what is too old, then the longest unused until the rest fits into `room`. Another host
/// may do the same at the same time, or use what is removed: it has read all of it, or makes it
/// anew. `keep` is never removed.
fn prune(dir: &Path, keep: &Path, now: SystemTime, room: u64) {
    let age = |used: SystemTime| now.duration_since(used).unwrap_or_default();
    let mut kept = Vec::new();
    for (file, used, size, unfinished) in own_files(dir).filter(|(file, ..)| file != keep) {
        match age(used) > if unfinished { WRITING } else { AGE } {
            true => drop(std::fs::remove_file(file)),
            false if unfinished => {}
            false => kept.push((used, file, size)),
        }
    }
    kept.sort();
    let mut total: u64 = kept.iter().map(|(.., size)| size).sum();
    total += keep.symlink_metadata().map_or(0, |facts| facts.len());
    for (_, file, size) in kept {
        if total <= room {
            break;
        }
        total -= size;
        drop(std::fs::remove_file(file));
    }
}

/// Files that only [`Slot::write`] can have made: path, last use, size, and whether it was still
/// being written.
fn own_files(dir: &Path) -> impl Iterator<Item = (PathBuf, SystemTime, u64, bool)> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let (name, facts) = (entry.file_name().into_string().ok()?, entry.metadata().ok()?);
        let unfinished = name.starts_with(UNFINISHED);
        let ours = (is_name(&name) || unfinished) && facts.is_file() && is_private(&facts);
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

/// Ours, and nobody else may even look.
fn is_private(facts: &std::fs::Metadata) -> bool {
    facts.uid() == rustix::process::geteuid().as_raw()
        && facts.mode() & 0o077 == 0
        && !facts.is_symlink()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const DAY: u64 = 24 * 3600;

    struct Kept(tempfile::TempDir, SystemTime);

    impl Kept {
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
    fn what_nobody_used_for_long_is_removed_and_nothing_of_others() {
        let kept = Kept(tempfile::tempdir().expect("a directory"), SystemTime::now());
        let keep = kept.file(&name('a'), 40 * DAY, 0o600);
        let old = kept.file(&name('b'), 31 * DAY, 0o600);
        let abandoned = kept.file(".writing-x1", 2 * 3600, 0o600);
        let others = [
            kept.file(&name('c'), 29 * DAY, 0o600),
            kept.file(&name('d'), 31 * DAY, 0o640),
            kept.file("notes.cwasm", 31 * DAY, 0o600),
            kept.file(".writing-x2", 60, 0o600),
            kept.file("notes.txt", 31 * DAY, 0o600),
        ];
        prune(kept.0.path(), &keep, kept.1, ROOM);
        assert!(!old.exists() && !abandoned.exists());
        assert!(keep.exists() && others.iter().all(|file| file.exists()));
        assert_eq!(kept.left(), 6);
    }

    #[test]
    fn the_longest_unused_give_way_until_the_rest_fits() {
        let kept = Kept(tempfile::tempdir().expect("a directory"), SystemTime::now());
        let files = ['a', 'b', 'c', 'd']
            .map(|digit| kept.file(&name(digit), 100 * u64::from(digit as u32 - 96), 0o600));
        let newest = kept.file(&name('e'), 0, 0o600);
        prune(kept.0.path(), &newest, kept.1, 30);
        assert_eq!(files.each_ref().map(|file| file.exists()), [true, true, false, false]);
        prune(kept.0.path(), &files[1], kept.1, 10);
        assert_eq!((kept.left(), files[1].exists()), (1, true));
    }
}
