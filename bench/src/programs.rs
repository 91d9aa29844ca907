//! The debugged programs, one in each language, and how to use the adapter of each without dapdock.
//! Starts none of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// A program in one language, and the use of its adapter without dapdock.
pub struct Spec {
    pub name: &'static str,
    /// For `debug_launch`.
    pub target: PathBuf,
    pub file: PathBuf,
    pub line: usize,
    pub cwd: PathBuf,
    pub adapter: PathBuf,
    /// With `{port}` the adapter connects to that port, with `{listen}` it listens there; otherwise
    /// it uses its standard streams.
    pub args: Vec<String>,
    /// Changes to the adapter's environment that make it run as its package installs it.
    pub env: &'static [(&'static str, &'static str)],
    pub launch: Value,
    /// Launch arguments that remove delays of the adapter, as the plugin does: a lower floor.
    pub patched: Option<Value>,
    /// The debuggee has a child session, which the launched session requests.
    pub child: bool,
    /// The exception filter that is on by default; may be empty.
    pub exceptions: &'static str,
    /// The name of the adapter, if several can debug the program.
    pub named: Option<&'static str>,
}

impl Spec {
    /// The arguments of `debug_launch`.
    pub fn debug_launch(&self, breakpoints: Value) -> Value {
        let mut launch = json!({"program": self.target, "breakpoints": breakpoints});
        if let Some(adapter) = self.named {
            launch["adapter"] = adapter.into();
        }
        launch
    }
}

/// A program with a loop, and its lines.
pub struct Loop {
    pub spec: Spec,
    pub before: usize,
    /// In the loop.
    pub log: usize,
    pub after: usize,
}

/// The times of one session.
#[derive(Default)]
pub struct Times {
    pub first_stop: Duration,
    pub steps: Vec<Duration>,
    pub exit: Duration,
}

pub fn python(root: &Path, python: PathBuf) -> Result<Spec> {
    let file = root.join("examples/python/checkout.py");
    let launch = json!({
        "type": "debugpy", "request": "launch", "program": file, "args": [], "cwd": root,
        "console": "internalConsole", "redirectOutput": true, "justMyCode": true,
        "subProcess": false, "breakOnSystemExit": [],
    });
    // Without sitecustomize.py each response of debugpy is 44 ms late; its header says why.
    let mut patched = launch.clone();
    patched["env"] =
        json!({"PYTHONPATH": root.join("plugins/debugpy/runtime"), "PYTHONDONTWRITEBYTECODE": "1"});
    Ok(Spec {
        name: "Python",
        target: file.clone(),
        line: marked(&file)?,
        file,
        cwd: root.to_owned(),
        adapter: python,
        args: vec!["-m".into(), "debugpy.adapter".into()],
        env: &[],
        launch,
        patched: Some(patched),
        child: false,
        exceptions: "uncaught",
        named: None,
    })
}

pub fn rust(root: &Path, codelldb: PathBuf) -> Result<Spec> {
    let package = root.join("examples/rust");
    let file = package.join("src/main.rs");
    let target = package.join("target/debug/checkout");
    ensure!(target.is_file(), "{} is not built", target.display());
    let launch = json!({
        "type": "lldb", "request": "launch", "program": target, "args": [], "cwd": root,
        "terminal": "console", "sourceLanguages": ["rust"],
    });
    Ok(Spec {
        name: "Rust",
        target,
        line: marked(&file)?,
        file,
        cwd: root.to_owned(),
        adapter: codelldb,
        args: vec!["--connect".into(), "{port}".into()],
        // The plugin writes the bytecode of LLDB's Python modules next to them.
        env: &[("PYTHONPYCACHEPREFIX", "/dev/null")],
        launch,
        patched: None,
        child: false,
        exceptions: "rust_panic",
        named: None,
    })
}

pub fn go(root: &Path, dlv: PathBuf) -> Result<Spec> {
    let file = root.join("examples/go/main.go");
    let target = root.join("target/examples/checkout-go");
    ensure!(target.is_file(), "{} is not built", target.display());
    let launch = json!({
        "type": "go", "request": "launch", "mode": "exec", "program": target, "args": [],
        "cwd": root, "outputMode": "remote",
    });
    Ok(Spec {
        name: "Go",
        target,
        line: marked(&file)?,
        file,
        cwd: root.to_owned(),
        adapter: dlv,
        args: vec!["dap".into(), "--client-addr".into(), "127.0.0.1:{port}".into()],
        env: &[],
        launch,
        patched: None,
        child: false,
        exceptions: "unrecovered-panic",
        named: None,
    })
}

pub fn javascript(root: &Path, server: PathBuf) -> Result<Spec> {
    let file = root.join("examples/javascript/checkout.js");
    let launch = json!({
        "type": "pwa-node", "request": "launch", "name": "program", "program": file, "args": [],
        "cwd": root, "console": "internalConsole", "outputCapture": "std",
        "skipFiles": ["<node_internals>/**"],
        "__workspaceFolder": root.join("examples/javascript"),
    });
    Ok(Spec {
        name: "JavaScript",
        target: file.clone(),
        line: marked(&file)?,
        file,
        cwd: root.to_owned(),
        adapter: "node".into(),
        args: vec![server.display().to_string(), "{listen}".into(), "127.0.0.1".into()],
        env: &[],
        launch,
        patched: None,
        child: true,
        exceptions: "uncaught",
        named: None,
    })
}

pub fn c(root: &Path, gdb: PathBuf) -> Result<Spec> {
    let file = root.join("examples/c/checkout.c");
    let target = root.join("target/examples/checkout-c");
    ensure!(target.is_file(), "{} is not built", target.display());
    Ok(Spec {
        name: "C",
        env: &[],
        launch: json!({"program": target, "args": [], "cwd": root}),
        target,
        line: marked(&file)?,
        file,
        cwd: root.to_owned(),
        adapter: gdb,
        args: ["-q", "-nx", "-i", "dap"].map(str::to_owned).to_vec(),
        patched: None,
        child: false,
        exceptions: "",
        named: Some("gdb"),
    })
}

/// The program with a loop in the language of this program, debugged in the same way.
pub fn looping(root: &Path, mut spec: Spec) -> Result<Loop> {
    let sources = root.join("bench/programs");
    let built = |name: &str| root.join("target/bench").join(name);
    let (file, target) = match spec.name {
        "Python" => ("loop.py", None),
        "Rust" => ("loop.rs", Some(built("loop-rust"))),
        "Go" => ("go/loop.go", Some(built("loop-go"))),
        "JavaScript" => ("loop.js", None),
        _ => ("loop.c", Some(built("loop-c"))),
    };
    spec.file = sources.join(file);
    spec.target = target.unwrap_or_else(|| spec.file.clone());
    ensure!(spec.target.is_file(), "{} is not built", spec.target.display());
    spec.launch["program"] = json!(spec.target);
    if spec.child {
        // Messages of log points come to the child session only as those of the console.
        spec.launch["outputCapture"] = json!("console");
    }
    let line = |mark: &str| marked_by(&spec.file, mark);
    let (before, log, after) =
        (line("[stop: before]")?, line("[log: hit]")?, line("[stop: after]")?);
    Ok(Loop { before, log, after, spec })
}

fn marked(file: &Path) -> Result<usize> {
    marked_by(file, "[stop: discount]")
}

/// The line with the marker, so that an edit of the program does not matter.
fn marked_by(file: &Path, mark: &str) -> Result<usize> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let index = text.lines().position(|line| line.contains(mark));
    index.map(|index| index + 1).with_context(|| format!("{} has no marker", file.display()))
}

/// `[tools.NAME] path` of a configuration.
pub fn tools(config: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let text = std::fs::read_to_string(config)
        .with_context(|| format!("cannot read {}", config.display()))?;
    let file: toml::Table = text.parse()?;
    let tools = file.get("tools").and_then(toml::Value::as_table).into_iter().flatten();
    Ok(tools
        .filter_map(|(name, tool)| Some((name.clone(), tool.get("path")?.as_str()?.into())))
        .collect())
}
