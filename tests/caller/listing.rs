//! The list of a host's tools, stored for later hosts: an unoptimised host takes 0.1 s to make one
//! with schemas, a tenth of a short test.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::Value;

use super::{Start, adapters_config};

/// The file with the list of one binary with the usual configuration and some flags.
pub struct Listing(PathBuf);

impl Listing {
    /// `None` if the test has its own configuration, which may select other tools.
    pub fn of(start: &Start) -> Option<Self> {
        if start.config != adapters_config() || start.cwd.join("dapdock.toml").exists() {
            return None;
        }
        let binary = fs::metadata(env!("CARGO_BIN_EXE_dapdock")).unwrap();
        let built = binary.modified().unwrap().duration_since(UNIX_EPOCH).unwrap();
        let mut hasher = DefaultHasher::new();
        let config = fs::read(&start.config).ok();
        (binary.len(), built, config, &start.flags).hash(&mut hasher);
        let name = format!("tools-{:016x}.json", hasher.finish());
        Some(Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)))
    }

    pub fn read(&self) -> Option<Value> {
        serde_json::from_slice(&fs::read(&self.0).ok()?).ok()
    }

    /// Another test may write the same at the same time: the file is complete or absent.
    pub fn write(&self, list: &Value) {
        let mut file = tempfile::NamedTempFile::new_in(self.0.parent().unwrap()).unwrap();
        serde_json::to_writer(&mut file, list).unwrap();
        file.persist(&self.0).unwrap();
    }
}
