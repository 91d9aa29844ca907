//! A component: its manifest, read and checked when it is first met, and its code, made when it is
//! first called.

use std::borrow::Cow;
use std::sync::Arc;

use dapdock_schema::Manifest;
use tokio::sync::OnceCell;

use crate::plugin::answer::manifest;
use crate::plugin::catalog::Bundled;
use crate::plugin::engine::cache::{Fingerprint, Kind, Slot};
use crate::plugin::engine::call::{self, Call, Problem};
use crate::plugin::engine::code::{Code, misfit};
use crate::plugin::engine::runtime::Engine;
use crate::plugin::error::{Cause, Error};
use crate::plugin::request::Progress;

/// Part of what a manifest's file is named by: a host with another interface, or on another
/// platform, must meet the plugin again.
const FIT: [&str; 3] =
    [include_str!("../../../../wit/plugin.wit"), std::env::consts::OS, std::env::consts::ARCH];

/// A component ready to be called.
pub(crate) struct Component {
    pub name: Arc<str>,
    pub engine: Engine,
    pub manifest: Arc<Manifest>,
    wasm: Wasm,
    code: OnceCell<Arc<Code>>,
}

/// What it is made from.
#[derive(Clone)]
pub(crate) struct Wasm {
    bytes: Arc<Cow<'static, [u8]>>,
    fingerprint: Fingerprint,
}

impl Wasm {
    pub fn bundled(plugin: &Bundled) -> Self {
        Self { bytes: Arc::new(plugin.wasm.into()), fingerprint: Fingerprint::built(plugin.sha256) }
    }

    /// Reads every byte for its fingerprint.
    pub fn of(bytes: Vec<u8>) -> Self {
        let fingerprint = Fingerprint::of(&bytes);
        Self { bytes: Arc::new(bytes.into()), fingerprint }
    }
}

impl Component {
    /// Remembers what `wasm` says of itself, or makes its code and asks it.
    pub async fn load(engine: &Engine, name: &str, wasm: Wasm) -> Result<Self, Error> {
        let slot = engine.cache().map(|cache| cache.slot(Kind::Manifest, &wasm.fingerprint, FIT));
        let look = move || {
            let text =
                slot.as_ref().and_then(Slot::read).and_then(|bytes| String::from_utf8(bytes).ok());
            let known = text.and_then(|text| manifest::read(&text).ok());
            (slot, known)
        };
        let (slot, known) = blocking(name, look).await?;
        let new = known.is_none();
        let manifest = Arc::new(known.unwrap_or_default());
        let this = Self {
            name: name.into(),
            engine: engine.clone(),
            manifest,
            wasm,
            code: OnceCell::new(),
        };
        if new { this.introduce(slot).await } else { Ok(this) }
    }

    /// First meeting: every interface is loaded, because only that compares types, and the manifest
    /// is read.
    async fn introduce(self, slot: Option<Slot>) -> Result<Self, Error> {
        let this = Arc::new(self);
        let text = call::call(&this, "manifest", Progress::default(), |call| Box::pin(first(call)))
            .await?;
        let fail = |cause| Error::new(&this.name, cause);
        let manifest = manifest::read(&text).map_err(fail)?;
        manifest::check_exports(&manifest.interests, &this.code().await?.exports).map_err(fail)?;
        if let Some(slot) = slot {
            blocking(&this.name, move || slot.write(text.as_bytes())).await?;
        }
        let this = Arc::into_inner(this)
            .ok_or_else(|| Cause::Engine { reason: "a call outlived its answer".into() });
        let this = this.map_err(|cause| Error::new("", cause))?;
        Ok(Self { manifest: Arc::new(manifest), ..this })
    }

    /// Its code: what is kept of an earlier meeting, else compiled.
    pub async fn code(&self) -> Result<Arc<Code>, Error> {
        self.code.get_or_try_init(|| self.make()).await.cloned()
    }

    async fn make(&self) -> Result<Arc<Code>, Error> {
        let (engine, name, wasm) = (self.engine.clone(), self.name.clone(), self.wasm.clone());
        let work = move || Code::make(&engine, &name, &wasm.bytes, &wasm.fingerprint);
        Ok(Arc::new(blocking(&self.name, work).await??))
    }
}

async fn blocking<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let lost =
        |lost: tokio::task::JoinError| Error::new(name, Cause::Engine { reason: lost.to_string() });
    tokio::task::spawn_blocking(work).await.map_err(lost)
}

async fn first(call: &mut Call) -> Result<String, Problem> {
    let Call { code, store, instance } = call;
    let exports = &code.exports;
    if let Some(hooks) = &exports.hooks {
        hooks.load(&mut *store, instance).map_err(|error| misfit("hooks", &error))?;
    }
    if let Some(present) = &exports.present {
        present.load(&mut *store, instance).map_err(|error| misfit("present", &error))?;
    }
    if let Some(translate) = &exports.translate {
        translate.load(&mut *store, instance).map_err(|error| misfit("translate", &error))?;
    }
    let adapter =
        exports.adapter.load(&mut *store, instance).map_err(|error| misfit("adapter", &error))?;
    // The manifest is pure. No handle is lent, so of the host only log, progress and
    // current-platform can be reached.
    Ok(adapter.call_manifest(store).await?)
}
