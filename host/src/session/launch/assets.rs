//! The files of a plan, which exist at least as long as its session.

use std::io;
use std::path::Path;

use crate::file::scratch::Scratch;
use crate::file::stored::Stored;
use crate::model::plan::Asset;

/// The directory of the files.
pub(crate) enum Assets {
    /// In the cache, shared with other sessions and left there.
    Stored(Stored),
    /// Deleted when this is dropped.
    Temporary(Scratch),
}

impl Assets {
    /// Writes the files into a directory of the cache, or into a temporary one where that is not
    /// possible; `None` without files.
    pub(crate) fn write(cache: Option<&Path>, assets: &[Asset]) -> io::Result<Option<Self>> {
        if assets.is_empty() {
            return Ok(None);
        }
        if let Some(cache) = cache {
            let files: Vec<(&str, &[u8])> =
                assets.iter().map(|asset| (asset.name.as_str(), &asset.content[..])).collect();
            match Stored::below(cache, &files) {
                Ok(stored) => return Ok(Some(Self::Stored(stored))),
                Err(error) => tracing::warn!(%error, "cannot store the plan's files"),
            }
        }
        let dir = Scratch::below(&std::env::temp_dir())?;
        for asset in assets {
            dir.write(&asset.name, &asset.content)?;
        }
        Ok(Some(Self::Temporary(dir)))
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Stored(dir) => dir.path(),
            Self::Temporary(dir) => dir.path(),
        }
    }
}
