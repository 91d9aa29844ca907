//! A component, checked once: what it imports, what it exports, and its manifest.

use std::sync::Arc;

use dapdock_schema::Manifest;
use wasmtime::component::{Component as Code, InstancePre};

use super::bindings::{adapter, hooks, present, translate};
use super::call::{self, Call, Problem};
use super::engine::Engine;
use super::error::{Cause, Error};
use super::request::Progress;
use super::store::Guest;
use super::{cache, manifest};

/// What a plugin may import: its own package and the parts of WASI that a program needs to compute. Files, clocks and
/// the rest are linked closed; sockets are not linked at all.
const ALLOWED: [&str; 6] =
    ["dapdock:plugin/", "wasi:io/", "wasi:cli/", "wasi:random/", "wasi:clocks/", "wasi:filesystem/"];

/// A component ready to be called.
pub(super) struct Component {
    pub name: Arc<str>,
    pub engine: Engine,
    pub pre: InstancePre<Guest>,
    pub exports: Exports,
    pub manifest: Arc<Manifest>,
}

/// Where its functions are; absent interfaces are done without.
pub(super) struct Exports {
    pub adapter: adapter::GuestIndices,
    pub hooks: Option<hooks::GuestIndices>,
    pub present: Option<present::GuestIndices>,
    pub translate: Option<translate::GuestIndices>,
}

impl Component {
    /// Compiles or remembers `wasm`, and reads its manifest.
    pub async fn load(engine: &Engine, name: &str, wasm: impl AsRef<[u8]> + Send + 'static) -> Result<Self, Error> {
        let (compiler, owned) = (engine.clone(), name.to_owned());
        let work = move || compile(&compiler, &owned, wasm.as_ref());
        let lost = |lost: tokio::task::JoinError| Error::new(name, Cause::Engine { reason: lost.to_string() });
        let (component, known) = tokio::task::spawn_blocking(work).await.map_err(lost)??;
        match known {
            Known::Manifest => Ok(component),
            Known::Nothing(slot) => component.introduce(slot).await,
        }
    }

    /// First meeting: every interface is loaded, because only that compares types, and the manifest is read.
    async fn introduce(self, slot: Option<cache::Slot>) -> Result<Self, Error> {
        let this = Arc::new(self);
        let text = call::call(&this, "manifest", Progress::default(), |call| Box::pin(first(call))).await?;
        let manifest = manifest::read(&text, &this.exports).map_err(|cause| Error::new(&this.name, cause))?;
        if let Some(slot) = slot {
            let (code, kept) = (this.pre.component().clone(), text);
            let written = tokio::task::spawn_blocking(move || slot.write(&code, &kept)).await;
            if let Ok(Err(error)) | Err(error) = written.map_err(|lost| wasmtime::Error::msg(lost.to_string())) {
                tracing::warn!(plugin = %this.name, %error, "compiled code is not kept");
            }
        }
        let this = Arc::into_inner(this).ok_or_else(|| Cause::Engine { reason: "a call outlived its answer".into() });
        let this = this.map_err(|cause| Error::new("", cause))?;
        Ok(Self { manifest: Arc::new(manifest), ..this })
    }
}

enum Known {
    Manifest,
    Nothing(Option<cache::Slot>),
}

fn compile(engine: &Engine, name: &str, wasm: &[u8]) -> Result<(Component, Known), Error> {
    let fail = |cause| Error::new(name, cause);
    let machine = engine.machine(name)?;
    let slot = engine.options().cache.as_deref().map(|dir| cache::Slot::new(dir, &machine.engine, wasm));
    let kept = slot.as_ref().and_then(|slot| slot.read(&machine.engine));
    let (code, text) = match kept {
        Some((code, text)) => (code, Some(text)),
        None => (compile_code(&machine.engine, wasm).map_err(fail)?, None),
    };
    check_imports(&code, &machine.engine).map_err(fail)?;
    let pre = machine.linker.instantiate_pre(&code).map_err(|error| fail(unlinked(&error)))?;
    let exports = Exports::find(&pre).map_err(fail)?;
    let known = text.and_then(|text| manifest::read(&text, &exports).ok());
    let known = known.map_or((Manifest::default(), Known::Nothing(slot)), |manifest| (manifest, Known::Manifest));
    let manifest = Arc::new(known.0);
    Ok((Component { name: name.into(), engine: engine.clone(), pre, exports, manifest }, known.1))
}

/// What a file is, before the compiler is asked: its words for these two are about bytes.
fn compile_code(engine: &wasmtime::Engine, wasm: &[u8]) -> Result<Code, Cause> {
    match wasm {
        [0, b'a', b's', b'm', 1, 0, 0, 0, ..] => Err(Cause::NotAComponent { found: "a core WebAssembly module" }),
        [0, b'a', b's', b'm', ..] => {
            Code::from_binary(engine, wasm).map_err(|error| Cause::Invalid { reason: one_line(&format!("{error:#}")) })
        }
        [] => Err(Cause::NotAComponent { found: "an empty file" }),
        _ => Err(Cause::NotAComponent { found: "not WebAssembly" }),
    }
}

fn check_imports(code: &Code, engine: &wasmtime::Engine) -> Result<(), Cause> {
    let kind = code.component_type();
    let forbidden = kind.imports(engine).map(|(name, _)| name.to_owned()).find(|name| !is_allowed(name));
    forbidden.map_or(Ok(()), |import| Err(Cause::ForbiddenImport { import }))
}

fn is_allowed(import: &str) -> bool {
    ALLOWED.iter().any(|allowed| import.starts_with(allowed))
}

/// An import of an allowed package that this host does not have: a function of a newer interface, or another type.
fn unlinked(error: &wasmtime::Error) -> Cause {
    let words = one_line(&format!("{error:#}"));
    let name = words.split('`').nth(1).unwrap_or("dapdock:plugin").to_owned();
    Cause::Incompatible { interface: name, reason: words }
}

impl Exports {
    fn find(pre: &InstancePre<Guest>) -> Result<Self, Cause> {
        let has = |name: &str| pre.component().get_export_index(None, name).is_some();
        Ok(Self {
            adapter: adapter::GuestIndices::new(pre).map_err(|error| misfit("adapter", &error))?,
            hooks: optional("hooks", has("dapdock:plugin/hooks@0.1.0"), || hooks::GuestIndices::new(pre))?,
            present: optional("present", has("dapdock:plugin/present@0.1.0"), || present::GuestIndices::new(pre))?,
            translate: optional("translate", has("dapdock:plugin/translate@0.1.0"), || {
                translate::GuestIndices::new(pre)
            })?,
        })
    }
}

/// Absent is fine; there and different is not.
fn optional<T>(name: &str, there: bool, find: impl FnOnce() -> wasmtime::Result<T>) -> Result<Option<T>, Cause> {
    there.then(find).transpose().map_err(|error| misfit(name, &error))
}

/// wasmtime names field and case but not the interface.
fn misfit(interface: &str, error: &wasmtime::Error) -> Cause {
    let reason = one_line(&format!("{error:#}"));
    Cause::Incompatible { interface: format!("dapdock:plugin/{interface}@0.1.0"), reason }
}

async fn first(call: &mut Call) -> Result<String, Problem> {
    let Call { component, store, instance } = call;
    let exports = &component.exports;
    if let Some(hooks) = &exports.hooks {
        hooks.load(&mut *store, instance).map_err(|error| misfit("hooks", &error))?;
    }
    if let Some(present) = &exports.present {
        present.load(&mut *store, instance).map_err(|error| misfit("present", &error))?;
    }
    if let Some(translate) = &exports.translate {
        translate.load(&mut *store, instance).map_err(|error| misfit("translate", &error))?;
    }
    let adapter = exports.adapter.load(&mut *store, instance).map_err(|error| misfit("adapter", &error))?;
    // The manifest is pure. No handle is lent, so of the host only log, progress and current-platform can be reached.
    Ok(adapter.call_manifest(store).await?)
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
