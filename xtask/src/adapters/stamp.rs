//! The mark of a finished install: a file with the hash of the row's pins and of its directory,
//! written last.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::pins::Row;

const FILE: &str = ".dapdock-stamp";

/// Whether `dir` contains exactly what `row` pins, completely, and was made there.
pub fn is_current(dir: &Path, row: &Row) -> Result<bool> {
    match fs::read_to_string(dir.join(FILE)) {
        Ok(found) => Ok(found == expected(dir, row)?),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", dir.display())),
    }
}

/// Marks `dir` as finished.
pub fn write(dir: &Path, row: &Row) -> Result<()> {
    fs::write(dir.join(FILE), expected(dir, row)?)
        .with_context(|| format!("cannot write to {}", dir.display()))
}

fn expected(dir: &Path, row: &Row) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(toml::to_string(row)?);
    hash.update(dir.as_os_str().as_encoded_bytes());
    Ok(format!("{:x}", hash.finalize()))
}
