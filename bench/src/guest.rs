//! The cost of a plugin: compiling, loading compiled code, a call, the resolution of a target.
//!
//! The floor is wasmtime with the same component, without the host.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use dapdock::limits::Limits;
use dapdock::model::plan::{Request, TargetRef};
use dapdock::plugin::{Adapter, Catalog, Engine, Options, Plugin, Source, Workspace};
use dapdock::process::{GuardProgram, Owner};
use serde_json::json;
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Store};

use crate::programs::tools;
use crate::table::{Budget, Table, Unit, median};
use crate::{Flags, say};

const PLUGIN: &str = "debugpy";
const PROGRAM: &str = "examples/python/checkout.py";

/// Times of dapdock and of the floor, measured alternately.
#[derive(Default)]
struct Pair {
    ours: Vec<Duration>,
    floor: Vec<Duration>,
}

pub fn measure(flags: &Flags, table: &mut Table) -> Result<()> {
    say("plugins …");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let wasm = component(flags);
    let bytes = std::fs::read(&wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let bare = Bare::new(bytes).map_err(ours)?;
    let mut times = PluginTimes::default();
    for _ in 0..flags.runs {
        runtime.block_on(round(flags, &wasm, &bare, &mut times))?;
    }
    let mut row = |name: &str, pair: &Pair, what: &'static str| {
        table.with_floor(
            name,
            Unit::Milliseconds,
            median(&pair.ours),
            (median(&pair.floor), what),
            Budget::None,
        );
    };
    row("plugin: compile and first call", &times.compile, "wasmtime: compile");
    row("plugin: load compiled code and first call", &times.load, "wasmtime: deserialize");
    row("plugin: instantiate and call", &times.call, "wasmtime: instantiate");
    row("plugin: resolve", &times.resolve, "wasmtime: instantiate");
    Ok(())
}

/// Times of all rounds.
#[derive(Default)]
struct PluginTimes {
    compile: Pair,
    load: Pair,
    call: Pair,
    resolve: Pair,
}

async fn round(flags: &Flags, wasm: &Path, bare: &Bare, times: &mut PluginTimes) -> Result<()> {
    let cache = tempfile::tempdir()?;
    let dir = cache.path().join("cache");
    let workspace = Workspace::at(&flags.root);
    // The plugin is compiled at its first call.
    let loaded = async || {
        let plugin = load(flags, wasm, &dir).await?;
        plugin.detect(&workspace, None).await?;
        Ok(plugin)
    };
    times.compile.ours.push(timed(loaded()).await?.0);
    times.compile.floor.push(bare.compile().map_err(ours)?);
    let (took, plugin) = timed(loaded()).await?;
    times.load.ours.push(took);
    times.load.floor.push(bare.deserialize().map_err(ours)?);
    let (took, _) = timed(async { Ok(plugin.detect(&workspace, None).await?) }).await?;
    times.call.ours.push(took);
    times.call.floor.push(bare.instantiate().map_err(ours)?);
    let program = flags.root.join(PROGRAM).display().to_string();
    let request = Request {
        target: Some(TargetRef::Path(program)),
        options: json!({}),
        ..Request::default()
    };
    // The first call probes the interpreter for an adapter; the host caches the result.
    plugin.resolve(&workspace, &request).await?;
    let (took, _) = timed(async { Ok(plugin.resolve(&workspace, &request).await?) }).await?;
    times.resolve.ours.push(took);
    times.resolve.floor.push(bare.instantiate().map_err(ours)?);
    Ok(())
}

/// The component from the build of the measured binary.
fn component(flags: &Flags) -> PathBuf {
    flags.root.join(format!("target/plugins/wasm32-wasip2/plugin/dapdock_{PLUGIN}.wasm"))
}

async fn timed<T>(work: impl Future<Output = Result<T>>) -> Result<(Duration, T)> {
    let began = Instant::now();
    let done = work.await?;
    Ok((began.elapsed(), done))
}

async fn load(flags: &Flags, wasm: &Path, cache: &Path) -> Result<Plugin> {
    let limits = Arc::new(Limits::default());
    let guard = GuardProgram { program: flags.dapdock.clone(), args: vec!["guard".into()] };
    let options = Options {
        cache: Some(cache.to_owned()),
        limits: limits.clone(),
        owner: Owner::with_guard(limits, guard),
        env: BTreeMap::new(),
        tools: tools(&flags.config)?.into_iter().map(|(name, path)| (name, path.into())).collect(),
        adapters: None,
    };
    let adapter = Adapter {
        source: Source::File(wasm.to_owned()),
        languages: Vec::new(),
        settings: json!({}),
    };
    Ok(Catalog::new(Engine::new(options), [(PLUGIN.to_owned(), adapter)].into())
        .get(PLUGIN)
        .await?)
}

/// wasmtime with the host's settings.
struct Bare {
    wasm: Vec<u8>,
    code: Vec<u8>,
    engine: wasmtime::Engine,
}

impl Bare {
    fn new(wasm: Vec<u8>) -> wasmtime::Result<Self> {
        let mut config = Config::new();
        config.epoch_interruption(true);
        let engine = wasmtime::Engine::new(&config)?;
        let code = Component::new(&engine, &wasm)?.serialize()?;
        Ok(Self { wasm, code, engine })
    }

    fn compile(&self) -> wasmtime::Result<Duration> {
        let began = Instant::now();
        Component::new(&self.engine, &self.wasm)?;
        Ok(began.elapsed())
    }

    #[expect(unsafe_code, reason = "the same engine has just serialized these bytes")]
    fn component(&self) -> wasmtime::Result<Component> {
        unsafe { Component::deserialize(&self.engine, &self.code) }
    }

    fn deserialize(&self) -> wasmtime::Result<Duration> {
        let began = Instant::now();
        self.component()?;
        Ok(began.elapsed())
    }

    fn instantiate(&self) -> wasmtime::Result<Duration> {
        let component = self.component()?;
        let mut linker = Linker::new(&self.engine);
        linker.define_unknown_imports_as_traps(&component)?;
        let ready = linker.instantiate_pre(&component)?;
        let began = Instant::now();
        let mut store = Store::new(&self.engine, ());
        store.set_epoch_deadline(1);
        ready.instantiate(&mut store)?;
        Ok(began.elapsed())
    }
}

/// wasmtime's errors do not implement `std::error::Error`.
fn ours(error: wasmtime::Error) -> anyhow::Error {
    anyhow::anyhow!("{error:#}")
}
