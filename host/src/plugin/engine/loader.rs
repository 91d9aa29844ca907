//! The manifest of a component, from the cache or from the guest. Everything else of a plugin waits
//! for its first call.

use std::sync::Arc;

use dapdock_schema::Manifest;

use crate::plugin::answer::manifest;
use crate::plugin::engine::cache::{Kind, Slot};
use crate::plugin::engine::call::{self, Call, Failure};
use crate::plugin::engine::code::misfit;
use crate::plugin::engine::component::{Component, Wasm, blocking};
use crate::plugin::engine::runtime::Engine;
use crate::plugin::error::{Cause, Error};

/// Part of the key of a stored manifest: another interface or platform reads it from the guest
/// again.
const FIT: [&str; 3] =
    [include_str!("../../../../wit/plugin.wit"), std::env::consts::OS, std::env::consts::ARCH];

/// A component with its manifest read and checked.
pub(crate) async fn load(engine: &Engine, name: &str, wasm: Wasm) -> Result<Component, Error> {
    let slot = engine.cache().map(|cache| cache.slot(Kind::Manifest, &wasm.fingerprint, FIT));
    let stored = match slot.clone() {
        Some(slot) => blocking(name, move || stored(&slot)).await?,
        None => None,
    };
    if let Some(manifest) = stored {
        return Ok(Component::new(engine, name, manifest, wasm));
    }
    call_for_manifest(Component::new(engine, name, Manifest::default(), wasm), slot).await
}

/// The manifest of an earlier run.
fn stored(slot: &Slot) -> Option<Manifest> {
    let text = String::from_utf8(slot.read()?).ok()?;
    manifest::read_stored(&text).ok()
}

/// Reads the manifest from the guest and stores it. Loads every interface, because only that
/// compares their types.
async fn call_for_manifest(component: Component, slot: Option<Slot>) -> Result<Component, Error> {
    let this = Arc::new(component);
    let text = call::call(&this, "manifest", |call| Box::pin(first(call))).await?;
    let fail = |cause| Error::new(&this.name, cause);
    let manifest = manifest::read(&text).map_err(fail)?;
    manifest::check_exports(&manifest.interests, &this.code().await?.exports).map_err(fail)?;
    if let Some(slot) = slot {
        blocking(&this.name, move || slot.write(text.as_bytes())).await?;
    }
    let this = Arc::into_inner(this)
        .ok_or_else(|| Cause::Engine { reason: "a call outlived its answer".into() });
    let this = this.map_err(|cause| Error::new("", cause))?;
    Ok(this.with_manifest(manifest))
}

async fn first(call: &mut Call) -> Result<String, Failure> {
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
    // The manifest is pure. No handle is lent, so of the host only log and current-platform
    // can be reached.
    Ok(adapter.call_manifest(store).await?)
}
