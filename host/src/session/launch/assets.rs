//! The files of a plan, which exist as long as its session.

use std::io;
use std::path::Path;

use crate::file::scratch::Scratch;
use crate::model::plan::Asset;

/// A directory that is deleted when this is dropped.
pub(crate) struct Assets(Scratch);

impl Assets {
    /// Writes the files into a new directory below `base`; `None` without files.
    pub(crate) fn write(base: &Path, assets: &[Asset]) -> io::Result<Option<Self>> {
        if assets.is_empty() {
            return Ok(None);
        }
        let dir = Scratch::below(base)?;
        for asset in assets {
            dir.write(&asset.name, &asset.content)?;
        }
        Ok(Some(Self(dir)))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}
