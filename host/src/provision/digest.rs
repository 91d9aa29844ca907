//! SHA-256 of files, and the comparison with a pin. Knows no source.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Error;

/// Compares the SHA-256 of a file with its pin; `what` names the file in an error.
pub(super) async fn check(file: &Path, pinned: &str, what: &str) -> Result<(), Error> {
    let owned: PathBuf = file.to_owned();
    let lost = |lost| Error::file("read", file, io::Error::other(lost));
    let found = tokio::task::spawn_blocking(move || sha256(&owned)).await.map_err(lost)?;
    let found = found.map_err(|error| Error::file("read", file, error))?;
    if found == pinned {
        Ok(())
    } else {
        Err(Error::Hash { what: what.to_owned(), found, pinned: pinned.to_owned() })
    }
}

fn sha256(file: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(file)?, &mut hash)?;
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
