//! First stop, step and exit, with dapdock and with the bare adapter: the same program, breakpoint
//! and reads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::bare;
use crate::mcp::{Client, Reply};
use crate::startup::tokens;
use crate::table::{Budget, Table, Unit, median};
use crate::{Flags, say};

/// Steps after the stop, all in the loop around the breakpoint.
const STEPS: u32 = 4;

/// A program in one language, and the use of its adapter without dapdock.
pub struct Spec {
    name: &'static str,
    /// For `debug_launch`.
    target: PathBuf,
    pub file: PathBuf,
    pub line: usize,
    pub cwd: PathBuf,
    pub adapter: PathBuf,
    /// With `{port}` the adapter connects to that port, with `{listen}` it listens there; otherwise
    /// it uses its standard streams.
    pub args: Vec<String>,
    pub launch: Value,
    /// Launch arguments that remove delays of the adapter, as the plugin does: a lower floor.
    patched: Option<Value>,
    /// The debuggee has a child session, which the launched session requests.
    pub child: bool,
    /// The exception filter that is on by default; may be empty.
    pub exceptions: &'static str,
    /// The name of the adapter, if several can debug the program.
    named: Option<&'static str>,
}

/// The times of one session.
#[derive(Default)]
pub struct Times {
    pub first_stop: Duration,
    pub steps: Vec<Duration>,
    pub exit: Duration,
}

/// The times of all sessions.
#[derive(Default)]
struct All {
    first: Vec<Duration>,
    steps: Vec<Duration>,
    exits: Vec<Duration>,
}

impl All {
    fn add(&mut self, times: Times) {
        self.first.push(times.first_stop);
        self.steps.extend(times.steps);
        self.exits.push(times.exit);
    }
}

pub fn measure(flags: &Flags, table: &mut Table) -> Result<()> {
    let tools = tools(&flags.config)?;
    let tool = |name: &str| {
        tools.get(name).cloned().with_context(|| format!("[tools.{name}] is not configured"))
    };
    let root = &flags.root;
    let mut specs = vec![
        python(root, tool("python")?)?,
        rust(root, tool("codelldb")?)?,
        go(root, tool("dlv")?)?,
        javascript(root, tool("js-debug")?)?,
        c(root, tool("gdb")?)?,
    ];
    if let Some(only) = &flags.only {
        let names: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
        let names = names.join(", ");
        specs.retain(|spec| only.eq_ignore_ascii_case(spec.name));
        ensure!(!specs.is_empty(), "--only takes one of {names}");
    }
    for spec in specs {
        compare(flags, &spec, table).with_context(|| spec.name)?;
    }
    Ok(())
}

fn compare(flags: &Flags, spec: &Spec, table: &mut Table) -> Result<()> {
    say(&format!("{}: stops, steps and exits …", spec.name));
    let [mut fresh, mut second, mut floor, mut patched]: [All; 4] = Default::default();
    let mut cost: f64 = 0.0;
    for _ in 0..flags.runs {
        let mut host = Host::start(flags)?;
        fresh.add(host.session(spec)?);
        floor.add(bare::session(spec, &spec.launch, STEPS)?);
        if let Some(launch) = &spec.patched {
            patched.add(bare::session(spec, launch, STEPS)?);
        }
        second.add(host.session(spec)?);
        for text in host.stops.drain(..) {
            cost = cost.max(tokens(&text)?);
        }
        host.client.close()?;
    }
    let name = spec.name;
    let steps = [fresh.steps, second.steps].concat();
    let exits = [fresh.exits, second.exits].concat();
    let mut floors = vec![(floor, "the bare adapter")];
    if spec.patched.is_some() {
        floors.push((patched, "the bare adapter without its delays"));
    }
    for (floor, what) in floors {
        let mut row = |figure: &str, ours: &[Duration], floor: &[Duration], budget| {
            let name = format!("{name}: {figure}");
            table.with_floor(
                &name,
                Unit::Milliseconds,
                median(ours),
                (median(floor), what),
                budget,
            );
        };
        row("first stop, new host", &fresh.first, &floor.first, Budget::Ratio(1.15));
        row("first stop, second session", &second.first, &floor.first, Budget::Ratio(1.15));
        row("step", &steps, &floor.steps, Budget::Above(5.0));
        row("continue to the end", &exits, &floor.exits, Budget::None);
    }
    table.plain(&format!("{name}: largest stop, o200k"), Unit::Tokens, cost, Budget::AtMost(400.0));
    Ok(())
}

/// The shipped binary with an initialized client.
struct Host {
    client: Client,
    /// The texts of the stops.
    stops: Vec<String>,
}

impl Host {
    fn start(flags: &Flags) -> Result<Self> {
        let mut command = Command::new(&flags.dapdock);
        command.arg("mcp").arg("--config").arg(&flags.config).current_dir(&flags.root);
        let mut client = Client::start(&mut command)?;
        client.initialize()?;
        Ok(Self { client, stops: Vec::new() })
    }

    fn session(&mut self, spec: &Spec) -> Result<Times> {
        let place = format!("{}:{}", spec.file.display(), spec.line);
        let mut launch = json!({"program": spec.target, "breakpoints": [place]});
        if let Some(adapter) = spec.named {
            launch["adapter"] = adapter.into();
        }
        let mut times =
            Times { first_stop: self.stop("debug_launch", &launch)?, ..Times::default() };
        for _ in 0..STEPS {
            times.steps.push(self.stop("debug_step", &json!({}))?);
        }
        let (took, reply) = self.call("debug_continue", &json!({}))?;
        ensure!(reply.text.starts_with("□ exited"), "it did not end: {}", reply.text);
        times.exit = took;
        Ok(times)
    }

    fn stop(&mut self, tool: &str, arguments: &Value) -> Result<Duration> {
        let (took, reply) = self.call(tool, arguments)?;
        ensure!(reply.text.starts_with("■ stopped"), "{tool} did not stop: {}", reply.text);
        self.stops.push(reply.text);
        Ok(took)
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<(Duration, Reply)> {
        let began = Instant::now();
        let reply = self.client.call(tool, arguments, |_| {})?;
        ensure!(!reply.is_error, "{tool} failed: {}", reply.text);
        Ok((began.elapsed(), reply))
    }
}

fn python(root: &Path, python: PathBuf) -> Result<Spec> {
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
        launch,
        patched: Some(patched),
        child: false,
        exceptions: "uncaught",
        named: None,
    })
}

fn rust(root: &Path, codelldb: PathBuf) -> Result<Spec> {
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
        launch,
        patched: None,
        child: false,
        exceptions: "rust_panic",
        named: None,
    })
}

fn go(root: &Path, dlv: PathBuf) -> Result<Spec> {
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
        launch,
        patched: None,
        child: false,
        exceptions: "unrecovered-panic",
        named: None,
    })
}

fn javascript(root: &Path, server: PathBuf) -> Result<Spec> {
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
        launch,
        patched: None,
        child: true,
        exceptions: "uncaught",
        named: None,
    })
}

fn c(root: &Path, gdb: PathBuf) -> Result<Spec> {
    let file = root.join("examples/c/checkout.c");
    let target = root.join("target/examples/checkout-c");
    ensure!(target.is_file(), "{} is not built", target.display());
    Ok(Spec {
        name: "C",
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

/// The line with the marker, so that an edit of the program does not matter.
fn marked(file: &Path) -> Result<usize> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let index = text.lines().position(|line| line.contains("[stop: discount]"));
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
