//! A component's code, checked: what it imports and what it exports.

use wasmtime::component::{Component, InstancePre};

use crate::plugin::engine::bindings::{adapter, hooks, present, translate};
use crate::plugin::engine::cache::{Fingerprint, Kind, Slot};
use crate::plugin::engine::runtime::Engine;
use crate::plugin::engine::store::Guest;
use crate::plugin::error::{Cause, Error};

/// What a plugin may import: its own package and the parts of WASI that a program needs to compute.
/// Files, clocks and the rest are linked closed; sockets are not linked at all.
const ALLOWED: [&str; 6] = [
    "dapdock:plugin/",
    "wasi:io/",
    "wasi:cli/",
    "wasi:random/",
    "wasi:clocks/",
    "wasi:filesystem/",
];

/// Compiled and linked.
pub(crate) struct Code {
    pub pre: InstancePre<Guest>,
    pub exports: Exports,
}

/// The exported functions; a plugin may lack every interface but `adapter`.
pub(crate) struct Exports {
    pub adapter: adapter::GuestIndices,
    pub hooks: Option<hooks::GuestIndices>,
    pub present: Option<present::GuestIndices>,
    pub translate: Option<translate::GuestIndices>,
}

impl Code {
    /// Reads the compiled code of `wasm` from the cache, or compiles and stores it.
    pub fn make(
        engine: &Engine,
        name: &str,
        wasm: &[u8],
        fingerprint: &Fingerprint,
    ) -> Result<Self, Error> {
        let fail = |cause| Error::new(name, cause);
        let machine = engine.machine(name)?;
        let fit = machine.engine.precompile_compatibility_hash();
        let slot = engine.cache().map(|cache| cache.slot(Kind::Code, fingerprint, fit));
        let stored = slot
            .as_ref()
            .and_then(Slot::read)
            .and_then(|artefact| deserialize(&machine.engine, &artefact));
        let component = match stored {
            Some(component) => component,
            None => compile(&machine.engine, wasm, slot).map_err(fail)?,
        };
        check_version(&component, &machine.engine).map_err(fail)?;
        check_imports(&component, &machine.engine).map_err(fail)?;
        let pre =
            machine.linker.instantiate_pre(&component).map_err(|error| fail(unlinked(&error)))?;
        let exports = Exports::find(&pre).map_err(fail)?;
        Ok(Self { pre, exports })
    }
}

/// Names files that are no component at all: the compiler's message would be about bytes.
fn compile(engine: &wasmtime::Engine, wasm: &[u8], slot: Option<Slot>) -> Result<Component, Cause> {
    let invalid =
        |error: wasmtime::Error| Cause::Invalid { reason: one_line(&format!("{error:#}")) };
    let component = match wasm {
        [0, b'a', b's', b'm', 1, 0, 0, 0, ..] => {
            Err(Cause::NotAComponent { found: "a core WebAssembly module" })
        }
        [0, b'a', b's', b'm', ..] => Component::from_binary(engine, wasm).map_err(invalid),
        [] => Err(Cause::NotAComponent { found: "an empty file" }),
        _ => Err(Cause::NotAComponent { found: "not WebAssembly" }),
    }?;
    if let Some(slot) = slot {
        match component.serialize() {
            Ok(artefact) => slot.write(&artefact),
            Err(error) => tracing::warn!(%error, "cannot serialize compiled code"),
        }
    }
    Ok(component)
}

#[expect(unsafe_code, reason = "the one place that trusts stored machine code")]
fn deserialize(engine: &wasmtime::Engine, artefact: &[u8]) -> Option<Component> {
    // SAFETY: `artefact` must come from `Component::serialize`. Only this user can write to its
    // directory and file, only `compile` writes such files, and the digest matches. wasmtime
    // refuses artefacts of other versions.
    let component = unsafe { Component::deserialize(engine, artefact) };
    component.inspect_err(|error| tracing::warn!(%error, "stored code does not fit")).ok()
}

/// The version of the plugin interface.
pub(crate) const VERSION: &str = "0.2.0";

/// Refuses another version of the interface: what wasmtime says about a missing import names none.
/// Versions that differ in the last number alone fit.
fn check_version(component: &Component, engine: &wasmtime::Engine) -> Result<(), Cause> {
    let kind = component.component_type();
    let imports = kind.imports(engine).map(|(name, _)| name);
    let exports = kind.exports(engine).map(|(name, _)| name);
    let series = |version: &str| version.rsplit_once('.').map(|(series, _)| series.to_owned());
    for name in imports.chain(exports) {
        if let Some((interface, version)) = name.split_once('@')
            && interface.starts_with("dapdock:plugin/")
            && series(version) != series(VERSION)
        {
            return Err(Cause::OtherVersion { built: version.to_owned(), own: VERSION });
        }
    }
    Ok(())
}

fn check_imports(component: &Component, engine: &wasmtime::Engine) -> Result<(), Cause> {
    let kind = component.component_type();
    let forbidden =
        kind.imports(engine).map(|(name, _)| name.to_owned()).find(|name| !is_allowed(name));
    forbidden.map_or(Ok(()), |import| Err(Cause::ForbiddenImport { import }))
}

fn is_allowed(import: &str) -> bool {
    ALLOWED.iter().any(|allowed| import.starts_with(allowed))
}

/// An import that this host lacks although its package is allowed: a function of a newer interface
/// or another type.
fn unlinked(error: &wasmtime::Error) -> Cause {
    let words = one_line(&format!("{error:#}"));
    let name = words.split('`').nth(1).unwrap_or("dapdock:plugin").to_owned();
    Cause::Incompatible { interface: name, reason: words }
}

impl Exports {
    fn find(pre: &InstancePre<Guest>) -> Result<Self, Cause> {
        let has = |name: &str| {
            let name = format!("dapdock:plugin/{name}@{VERSION}");
            pre.component().get_export_index(None, &name).is_some()
        };
        Ok(Self {
            adapter: adapter::GuestIndices::new(pre).map_err(|error| misfit("adapter", &error))?,
            hooks: optional("hooks", has("hooks"), || hooks::GuestIndices::new(pre))?,
            present: optional("present", has("present"), || present::GuestIndices::new(pre))?,
            translate: optional("translate", has("translate"), || {
                translate::GuestIndices::new(pre)
            })?,
        })
    }
}

/// An interface may be absent, but not different.
fn optional<T>(
    name: &str,
    there: bool,
    find: impl FnOnce() -> wasmtime::Result<T>,
) -> Result<Option<T>, Cause> {
    there.then(find).transpose().map_err(|error| misfit(name, &error))
}

/// wasmtime names field and case but not the interface.
pub(crate) fn misfit(interface: &str, error: &wasmtime::Error) -> Cause {
    let reason = one_line(&format!("{error:#}"));
    Cause::Incompatible { interface: format!("dapdock:plugin/{interface}@{VERSION}"), reason }
}

pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
