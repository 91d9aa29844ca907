//! The plugin host with guests that misbehave: each one fails its own call, is named, and leaves
//! the next call unharmed.

mod add;
mod cache;
mod delve;
mod gdb;
mod hooks;
mod js_debug;
mod minimal;
mod places;
mod project;
mod resolve;
mod runtime;

pub(crate) use project::bundled;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::plan::{Request, TargetRef};
use dapdock::plugin::{
    Adapter, Catalog, Engine, Error, Options, Plugin, Source, ToolPath, Workspace,
};
use dapdock::process::{GuardProgram, Owner};
use serde_json::{Value, json};

/// A project and a host for it.
struct Stage {
    dir: tempfile::TempDir,
    /// Shared, because compiling a guest takes seconds; tests of the cache have their own.
    cache: PathBuf,
    limits: Limits,
    settings: Value,
    tools: BTreeMap<String, ToolPath>,
    /// Variables of the host, which replace those that every test has.
    env: BTreeMap<String, String>,
}

impl Stage {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("project");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(dir.path().join("secret"), "s").unwrap();
        script(&root.join("tool.sh"), "#!/bin/sh\n");
        // Enough for a debug build of a guest on a busy machine, and short enough to wait for.
        let limits = Limits { guest_call: Duration::from_secs(2), ..Limits::default() };
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guest-code");
        Self {
            dir,
            cache,
            limits,
            settings: json!({}),
            tools: BTreeMap::new(),
            env: BTreeMap::new(),
        }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("project")
    }

    fn workspace(&self) -> Workspace {
        Workspace::at(self.root())
    }

    fn catalog(&self, source: Source) -> Catalog {
        let env = [("PATH", "relative:/bin:/usr/bin"), ("ALLOWED", "yes"), ("SECRET", "no")];
        let mut env: BTreeMap<_, _> =
            env.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        env.extend(self.env.clone());
        let limits = Arc::new(self.limits.clone());
        let guard = GuardProgram {
            program: env!("CARGO_BIN_EXE_dapdock").into(),
            args: vec!["guard".into()],
        };
        let options = Options {
            cache: Some(self.cache.clone()),
            limits: limits.clone(),
            owner: Owner::with_guard(limits, guard),
            env,
            tools: self.tools.clone(),
            adapters: None,
        };
        let adapter = Adapter { source, languages: Vec::new(), settings: self.settings.clone() };
        Catalog::new(Engine::new(options), [("bad".to_owned(), adapter)].into())
    }

    async fn plugin(&self, guest: &str) -> Result<Plugin, Error> {
        self.catalog(Source::File(component(guest))).get("bad").await
    }
}

pub(crate) fn script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

fn request(way: &str) -> Request {
    Request { target: Some(TargetRef::Id(way.into())), ..Request::default() }
}

/// The file of a guest; guests are built once for each test run.
pub(crate) fn component(guest: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build).join(format!("{guest}.wasm"))
}

#[expect(clippy::disallowed_methods, reason = "cargo is not a process of the host")]
fn build() -> PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_dapdock")).parent().unwrap().parent().unwrap();
    let args = [
        "build",
        "--quiet",
        "--package",
        "dapdock-test-guests",
        "--examples",
        "--target",
        "wasm32-wasip2",
    ];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = std::process::Command::new(cargo);
    command.args(args).arg("--target-dir").arg(target).current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(command.status().unwrap().success(), "the guests do not build");
    target.join("wasm32-wasip2/debug/examples")
}
