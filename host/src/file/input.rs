//! A named pipe as the standard input of a debuggee, for programs whose input is written later.
//!
//! Refuses to know who writes, and when the debuggee opens it.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::private;

const NAME: &str = "stdin";

/// A pipe in a directory of its own, which is deleted with it.
pub struct Input {
    directory: TempDir,
    /// `None` once the input has ended.
    writer: Mutex<Option<File>>,
}

impl Input {
    /// # Errors
    /// The system's.
    pub fn new() -> io::Result<Self> {
        let directory = private::temporary(&std::env::temp_dir(), "dapdock-input-")?;
        let writer = private::pipe(&directory.path().join(NAME))?;
        Ok(Self { directory, writer: Mutex::new(Some(writer)) })
    }

    pub fn path(&self) -> PathBuf {
        self.directory.path().join(NAME)
    }

    /// Writes what the pipe takes before the debuggee reads; returns the number of bytes.
    ///
    /// # Errors
    /// The system's; `BrokenPipe` once the input has ended.
    pub fn write(&self, data: &[u8]) -> io::Result<usize> {
        let mut writer = self.writer();
        let Some(writer) = writer.as_mut() else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let mut written = 0;
        while written < data.len() {
            match writer.write(&data[written..]) {
                Ok(count) => written += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        Ok(written)
    }

    /// Ends the input.
    pub fn close(&self) {
        *self.writer() = None;
    }

    fn writer(&self) -> MutexGuard<'_, Option<File>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn reader_gets_what_was_written_and_the_end() {
        let input = Input::new().unwrap();
        assert_eq!(input.write(b"one\n").unwrap(), 4);
        let mut reader = File::open(input.path()).unwrap();
        assert_eq!(input.write(b"two\n").unwrap(), 4);
        input.close();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "one\ntwo\n");
        assert_eq!(input.write(b"x").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn write_to_a_full_pipe_returns_what_fits() {
        let input = Input::new().unwrap();
        let data = vec![0; 4 << 20];
        let written = input.write(&data).unwrap();
        assert!(written > 0 && written < data.len(), "{written}");
    }
}
