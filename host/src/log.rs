//! Logs to stderr and to a bounded file in the state directory. Never writes to standard output and
//! never waits for a reader.
//!
//! `DAPDOCK_LOG`, or else `RUST_LOG`, has the filter; the default is `warn`.

mod followed;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::MakeWriterExt;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

pub use self::followed::{Follower, Record, follow};
use crate::file::private;

/// Size in bytes from which the file is renamed to `dapdock.log.1`, over the previous one.
const FILE_BYTES: u64 = 1 << 20;

/// Bytes of the longest record in the file. A record may quote a whole message of an adapter.
const RECORD_BYTES: usize = 64 * 1024;

/// Starts logging; without a state directory, to stderr only.
pub fn start() {
    let named = ["DAPDOCK_LOG", "RUST_LOG"].into_iter().find_map(|name| std::env::var(name).ok());
    let filter = filter(named.as_deref().unwrap_or("warn"));
    let lines = tracing_subscriber::fmt::layer().with_ansi(false);
    let lines = match state_directory().and_then(|directory| LogFile::open(&directory).ok()) {
        Some(file) => lines.with_writer((|| Stderr).and(Mutex::new(file))).boxed(),
        None => lines.with_writer(|| Stderr).boxed(),
    };
    let subscriber = tracing_subscriber::registry().with(lines.with_filter(filter));
    let started = subscriber.with(followed::layer()).try_init();
    // Only a second start fails, when logging is already on.
    drop(started);
}

/// The filter of these directives. The protocol library logs what clients state about themselves,
/// for a command line its environment, unless a directive names the library.
fn filter(directives: &str) -> EnvFilter {
    let quiet = if directives.contains("rmcp") { "" } else { ",rmcp=warn" };
    EnvFilter::try_new(format!("{directives}{quiet}")).unwrap_or_else(|_| EnvFilter::new("warn"))
}

/// `$XDG_STATE_HOME/dapdock`, else `~/.local/state/dapdock`.
pub fn state_directory() -> Option<PathBuf> {
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base =
        absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(base.join("dapdock"))
}

/// Standard error. Text that does not fit into its pipe is dropped: without a reader a write would
/// block a thread of the runtime.
struct Stderr;

/// Bytes that a ready pipe takes without blocking (`PIPE_BUF`).
const ROOM: usize = 4096;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let stderr = io::stderr();
        let mut ready = [PollFd::new(&stderr, PollFlags::OUT)];
        if !matches!(poll(&mut ready, Some(&Timespec::default())), Ok(1..)) {
            return Ok(bytes.len());
        }
        let part = &bytes[..bytes.len().min(ROOM)];
        // A failure cannot be logged anywhere else.
        Ok(rustix::io::write(&stderr, part).unwrap_or(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that starts again at a size. Several hosts may write to the same one.
struct LogFile {
    path: PathBuf,
    file: File,
}

impl LogFile {
    fn open(directory: &Path) -> io::Result<Self> {
        private::directory(directory)?;
        let path = directory.join("dapdock.log");
        Ok(Self { file: private::append(&path)?, path })
    }

    /// Checks the path, not the open file, which another host may have renamed.
    fn turn_over(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() < FILE_BYTES {
            return Ok(());
        }
        if fs::metadata(&self.path).is_ok_and(|named| named.len() >= FILE_BYTES) {
            fs::rename(&self.path, self.path.with_extension("log.1"))?;
        }
        self.file = private::append(&self.path)?;
        Ok(())
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.turn_over()?;
        if bytes.len() <= RECORD_BYTES {
            return self.file.write(bytes);
        }
        // Not inside a character.
        let end = (0..=RECORD_BYTES).rev().find(|end| bytes[*end] & 0xC0 != 0x80).unwrap_or(0);
        let cut = format!("… ({} bytes more)\n", bytes.len() - end);
        self.file.write_all(&bytes[..end])?;
        self.file.write_all(cut.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Logs panics: nobody may read the stderr of this process.
pub fn panics() {
    static ONCE: Mutex<bool> = Mutex::new(false);
    let mut done = ONCE.lock().unwrap_or_else(PoisonError::into_inner);
    if !std::mem::replace(&mut done, true) {
        std::panic::set_hook(Box::new(|panic| tracing::error!(%panic, "panicked")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_logs_no_environment_unless_it_is_named() {
        for (directives, expect) in
            [("info", "rmcp=warn,info"), ("rmcp=debug,warn", "rmcp=debug,warn")]
        {
            assert_eq!(filter(directives).to_string(), expect);
        }
    }

    #[test]
    fn the_file_stays_bounded_and_private() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().expect("a directory");
        let inside = directory.path().join("state");
        let mut log = LogFile::open(&inside).expect("opens");
        let line = vec![b'x'; 64 * 1024];
        for _ in 0..80 {
            log.write_all(&line).expect("writes");
        }
        let sizes: Vec<_> = fs::read_dir(&inside)
            .expect("lists")
            .flatten()
            .map(|entry| entry.metadata().expect("is there"))
            .collect();
        assert_eq!(sizes.len(), 2);
        assert!(
            sizes
                .iter()
                .all(|file| file.len() <= FILE_BYTES + line.len() as u64
                    && file.mode_bits() == 0o600)
        );
        assert_eq!(fs::metadata(&inside).expect("is there").permissions().mode() & 0o777, 0o700);
    }

    /// A record can quote a message of an adapter, which may have megabytes.
    #[test]
    fn a_long_record_is_cut() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut log = LogFile::open(directory.path()).expect("opens");
        let record = "é".repeat(2 << 20);
        log.write_all(record.as_bytes()).expect("writes");
        let text = fs::read_to_string(directory.path().join("dapdock.log")).expect("is there");
        let (quoted, cut) = text.split_once('…').expect("a cut");
        assert_eq!(quoted.len(), RECORD_BYTES);
        assert_eq!(cut, format!(" ({} bytes more)\n", record.len() - RECORD_BYTES));
    }

    trait ModeBits {
        fn mode_bits(&self) -> u32;
    }

    impl ModeBits for fs::Metadata {
        fn mode_bits(&self) -> u32 {
            use std::os::unix::fs::PermissionsExt;
            self.permissions().mode() & 0o777
        }
    }
}
