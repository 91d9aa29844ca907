//! The data of one guest call: its bounds, its closed WASI, and the handles of the host.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dapdock_schema::Manifest;
use serde_json::Value;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use crate::limits::Limits;
use crate::model::LogSink;
use crate::model::answer::SessionView;
use crate::model::plan::{Build, BuildResult, Request};
use crate::plugin::engine::bindings::host::ExecutableOrigin;
use crate::plugin::engine::bindings::types;
use crate::plugin::engine::clock::ExtraTime;
use crate::plugin::engine::pool;
use crate::plugin::engine::shared::Shared;
use crate::plugin::request::Workspace;

/// The data of a store.
pub(crate) struct Guest {
    pub plugin: Arc<str>,
    pub shared: Arc<Shared>,
    pub wasi: WasiCtx,
    pub table: ResourceTable,
    pub memory: MemoryBound,
    pub stderr: MemoryOutputPipe,
    pub extra: Arc<ExtraTime>,
    pub minted: Minted,
    /// The refusal for the first requested tool with an unusable configured path.
    pub misconfigured: Option<types::Error>,
    /// Of the session that the call is for.
    pub log: LogSink,
}

impl Guest {
    pub fn new(plugin: Arc<str>, shared: &Arc<Shared>) -> Self {
        let limits = shared.limits();
        let stderr = MemoryOutputPipe::new(limits.guest_stderr);
        let mut table = ResourceTable::new();
        table.set_max_capacity(limits.guest_handles);
        Self {
            plugin,
            shared: shared.clone(),
            // A fixed seed, or maps would iterate differently in each call.
            wasi: WasiCtx::builder().stderr(stderr.clone()).insecure_random_seed(0).build(),
            table,
            memory: MemoryBound { limit: limits.guest_memory, refused: false },
            stderr,
            extra: Arc::default(),
            minted: Minted::default(),
            misconfigured: None,
            log: LogSink::default(),
        }
    }

    pub fn limits(&self) -> &Limits {
        self.shared.limits()
    }
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// Refuses growth beyond a limit, in bytes, and records the refusal.
pub(crate) struct MemoryBound {
    limit: usize,
    pub refused: bool,
}

impl wasmtime::ResourceLimiter for MemoryBound {
    fn memory_growing(
        &mut self,
        _: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let allowed = desired <= self.limit;
        self.refused |= !allowed;
        Ok(allowed)
    }

    fn table_growing(
        &mut self,
        _: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= pool::TABLE)
    }
}

/// Programs with permission to run, minted in this call.
#[derive(Default)]
pub(crate) struct Minted {
    pub tools: BTreeMap<String, PathBuf>,
    pub paths: BTreeSet<PathBuf>,
}

/// Lent as `workspace`.
#[derive(Clone)]
pub struct Project(pub Arc<ProjectFacts>);

pub(crate) struct ProjectFacts {
    pub workspace: Workspace,
    pub manifest: Arc<Manifest>,
    pub settings: Arc<Value>,
    pub request: Option<Arc<Request>>,
    pub built: Option<(Arc<Build>, Arc<[BuildResult]>)>,
}

impl ProjectFacts {
    pub fn root(&self) -> &Path {
        &self.workspace.root
    }
}

/// Minted as `executable`.
pub struct Executable {
    pub path: PathBuf,
    pub origin: ExecutableOrigin,
    /// A tool's name, `workspace` or `build-output`.
    pub tool: String,
    /// The root of the workspace that it was found for.
    pub root: PathBuf,
    pub manifest: Arc<Manifest>,
}

/// Lent as `session`.
#[derive(Clone)]
pub struct Session {
    pub view: SessionView,
    pub manifest: Arc<Manifest>,
    pub new_state: Option<Value>,
}
