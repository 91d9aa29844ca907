//! Compiled code on disk. A file's name says which component it was made from and by which engine; what is in it is
//! believed only when the directory and the file are ours alone and the digest at its head fits. Anything else is
//! ignored and written anew.
//!
//! A file is the SHA-256 of the rest, the manifest's length as eight bytes, the manifest, and wasmtime's artefact.

use std::fs::{DirBuilder, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use sha2::{Digest, Sha256};
use wasmtime::component::Component as Code;

/// Part of the name: a host with another interface must meet the plugin again.
const INTERFACE: &str = include_str!("../../../wit/plugin.wit");
const DIGEST: usize = 32;
const HEAD: usize = DIGEST + 8;

/// Where the code of one component is kept.
pub(super) struct Slot {
    dir: PathBuf,
    file: PathBuf,
}

impl Slot {
    pub fn new(dir: &Path, engine: &wasmtime::Engine, wasm: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        INTERFACE.hash(&mut hasher);
        let name = format!("{}-{:016x}.cwasm", hex(&Sha256::digest(wasm)), hasher.finish());
        Self { dir: dir.to_owned(), file: dir.join(name) }
    }

    /// The code and its manifest, if they are here and whole.
    pub fn read(&self, engine: &wasmtime::Engine) -> Option<(Code, String)> {
        let kept = self.read_bytes()?;
        let (digest, rest) = kept.split_at_checked(DIGEST)?;
        if digest != Sha256::digest(rest).as_slice() {
            tracing::warn!(file = %self.file.display(), "kept code is damaged and is made anew");
            return None;
        }
        let length = u64::from_le_bytes(kept.get(DIGEST..HEAD)?.try_into().ok()?);
        let (manifest, artefact) = kept.get(HEAD..)?.split_at_checked(usize::try_from(length).ok()?)?;
        let manifest = String::from_utf8(manifest.to_owned()).ok()?;
        Some((deserialize(engine, artefact)?, manifest))
    }

    fn read_bytes(&self) -> Option<Vec<u8>> {
        is_private(&self.dir.symlink_metadata().ok()?).then_some(())?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::open(&self.file, flags, Mode::empty()).ok()?);
        let facts = file.metadata().ok()?;
        (facts.is_file() && is_private(&facts)).then_some(())?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Keeps code and manifest; another host never sees half of it.
    pub fn write(&self, code: &Code, manifest: &str) -> wasmtime::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
        if !is_private(&self.dir.symlink_metadata()?) {
            wasmtime::bail!("{} is not a directory of ours alone (mode 0700)", self.dir.display());
        }
        let mut rest = (manifest.len() as u64).to_le_bytes().to_vec();
        rest.extend(manifest.as_bytes());
        rest.extend(code.serialize()?);
        let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
        file.write_all(&Sha256::digest(&rest))?;
        file.write_all(&rest)?;
        file.persist(&self.file)?;
        Ok(())
    }
}

/// Ours, and nobody else may even look.
fn is_private(facts: &std::fs::Metadata) -> bool {
    facts.uid() == rustix::process::geteuid().as_raw() && facts.mode() & 0o077 == 0 && !facts.is_symlink()
}

#[expect(unsafe_code, reason = "the one place where kept machine code is believed")]
fn deserialize(engine: &wasmtime::Engine, artefact: &[u8]) -> Option<Code> {
    // SAFETY: `artefact` must have come from `Component::serialize`. Its directory is ours alone, so is its file, and
    // only `Slot::write` writes there; the digest says that it is whole. wasmtime itself refuses other versions.
    let code = unsafe { Code::deserialize(engine, artefact) };
    code.inspect_err(|error| tracing::warn!(%error, "kept code is refused and made anew")).ok()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
