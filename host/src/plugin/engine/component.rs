//! A component: its bytes, its manifest and its code. Compiles the code at the first call. How the
//! manifest is read is in [`loader`](super::loader).

use std::borrow::Cow;
use std::sync::Arc;

use dapdock_schema::Manifest;
use tokio::sync::OnceCell;

use crate::plugin::engine::cache::Fingerprint;
use crate::plugin::engine::code::Code;
use crate::plugin::engine::runtime::Engine;
use crate::plugin::error::{Cause, Error};

/// A plugin that is part of this binary.
#[derive(Debug, PartialEq, Eq)]
pub struct Bundled {
    /// After `builtin:`.
    pub name: &'static str,
    /// Its component.
    pub wasm: &'static [u8],
    /// SHA-256 of `wasm`, in lower hexadecimal digits.
    pub sha256: &'static str,
}

/// A component ready to be called.
pub(crate) struct Component {
    pub name: Arc<str>,
    pub engine: Engine,
    pub manifest: Arc<Manifest>,
    pub wasm: Wasm,
    code: OnceCell<Arc<Code>>,
}

/// The bytes of a component and their SHA-256.
#[derive(Clone)]
pub(crate) struct Wasm {
    bytes: Arc<Cow<'static, [u8]>>,
    pub fingerprint: Fingerprint,
}

impl Wasm {
    pub fn bundled(plugin: &Bundled) -> Self {
        Self { bytes: Arc::new(plugin.wasm.into()), fingerprint: Fingerprint::built(plugin.sha256) }
    }

    /// Hashes `bytes`.
    pub fn of(bytes: Vec<u8>) -> Self {
        let fingerprint = Fingerprint::of(&bytes);
        Self { bytes: Arc::new(bytes.into()), fingerprint }
    }
}

impl Component {
    /// Compiles nothing.
    pub fn new(engine: &Engine, name: &str, manifest: Manifest, wasm: Wasm) -> Self {
        Self {
            name: name.into(),
            engine: engine.clone(),
            manifest: Arc::new(manifest),
            wasm,
            code: OnceCell::new(),
        }
    }

    /// The same component with the manifest that the guest reported.
    pub fn with_manifest(self, manifest: Manifest) -> Self {
        Self { manifest: Arc::new(manifest), ..self }
    }

    /// The code, from the cache or compiled.
    pub async fn code(&self) -> Result<Arc<Code>, Error> {
        self.code.get_or_try_init(|| self.compile()).await.cloned()
    }

    async fn compile(&self) -> Result<Arc<Code>, Error> {
        let (engine, name, wasm) = (self.engine.clone(), self.name.clone(), self.wasm.clone());
        let work = move || Code::make(&engine, &name, &wasm.bytes, &wasm.fingerprint);
        Ok(Arc::new(blocking(&self.name, work).await??))
    }
}

/// Runs `work` on a thread that may block; `name` is the plugin that a failure names.
pub(super) async fn blocking<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let lost =
        |lost: tokio::task::JoinError| Error::new(name, Cause::Engine { reason: lost.to_string() });
    tokio::task::spawn_blocking(work).await.map_err(lost)
}
