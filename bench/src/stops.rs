//! First stop, step and exit, through us and through the bare adapter: the same program, breakpoint
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

/// Steps after the stop, all within the loop that the breakpoint is in.
const STEPS: u32 = 4;

/// One language's program, and how its adapter is used without us.
pub struct Spec {
    name: &'static str,
    /// For `debug_launch`.
    target: PathBuf,
    pub file: PathBuf,
    pub line: usize,
    pub cwd: PathBuf,
    pub adapter: PathBuf,
    /// With `{port}` in them it connects to that port of ours instead of speaking on its standard
    /// streams, with `{listen}` it listens there.
    pub args: Vec<String>,
    pub launch: Value,
    /// More for `launch` that mends what makes the adapter slow on its own, as our plugin does: a
    /// harder floor.
    mended: Option<Value>,
    /// The debuggee is a session of its own, which the one launched asks for.
    pub child: bool,
    /// The exception filter that is on unasked; may be empty.
    pub exceptions: &'static str,
    /// The adapter, where several claim the program.
    named: Option<&'static str>,
}

/// Of one session.
#[derive(Default)]
pub struct Times {
    pub first_stop: Duration,
    pub steps: Vec<Duration>,
    pub exit: Duration,
}

/// Of all sessions.
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
    let (root, python, rust, go) = (&flags.root, tool("python")?, tool("codelldb")?, tool("dlv")?);
    let all = [
        self::python(root, python)?,
        self::rust(root, rust)?,
        self::go(root, go)?,
        javascript(root, tool("js-debug")?)?,
        c(root, tool("gdb")?)?,
    ];
    let wanted =
        |spec: &Spec| flags.only.as_ref().is_none_or(|only| only.eq_ignore_ascii_case(spec.name));
    let names = all.each_ref().map(|spec| spec.name);
    ensure!(all.iter().any(wanted), "only one of {} can be measured alone", names.join(", "));
    for spec in all.into_iter().filter(wanted) {
        compare(flags, &spec, table).with_context(|| spec.name)?;
    }
    Ok(())
}

fn compare(flags: &Flags, spec: &Spec, table: &mut Table) -> Result<()> {
    say(&format!("{}: stops, steps and exits …", spec.name));
    let [mut fresh, mut again, mut floor, mut mended]: [All; 4] = Default::default();
    let mut cost: f64 = 0.0;
    for _ in 0..flags.runs {
        let mut host = Host::start(flags)?;
        fresh.add(host.session(spec)?);
        floor.add(bare::session(spec, &spec.launch, STEPS)?);
        if let Some(launch) = &spec.mended {
            mended.add(bare::session(spec, launch, STEPS)?);
        }
        again.add(host.session(spec)?);
        for text in host.stops.drain(..) {
            cost = cost.max(tokens(&text)?);
        }
        host.client.close()?;
    }
    let name = spec.name;
    let (first, second) = (fresh.first, again.first);
    let (steps, exits) = ([fresh.steps, again.steps].concat(), [fresh.exits, again.exits].concat());
    let mended = spec.mended.is_some().then_some((mended, "the bare adapter without its stalls"));
    for (floor, what) in [(floor, "the bare adapter")].into_iter().chain(mended) {
        let mut row = |figure: &str, ours: &[Duration], floor: &[Duration], budget| {
            let name = format!("{name}: {figure}");
            table.beside(&name, Unit::Milliseconds, median(ours), (median(floor), what), budget);
        };
        row("first stop, new host", &first, &floor.first, Budget::Ratio(1.15));
        row("first stop, second session", &second, &floor.first, Budget::Ratio(1.15));
        row("step", &steps, &floor.steps, Budget::Above(5.0));
        row("continue to the end", &exits, &floor.exits, Budget::None);
    }
    table.plain(&format!("{name}: largest stop, o200k"), Unit::Tokens, cost, Budget::AtMost(400.0));
    Ok(())
}

/// The shipped binary with a caller that has said hello.
struct Host {
    client: Client,
    /// Texts of the stops so far.
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
        "console": "internalConsole", "redirectOutput": true, "justMyCode": true, "subProcess": false,
        "breakOnSystemExit": [],
    });
    // debugpy waits 44 ms for the network with every answer; see the file.
    let mut mended = launch.clone();
    mended["env"] =
        json!({"PYTHONPATH": root.join("plugins/debugpy/src"), "PYTHONDONTWRITEBYTECODE": "1"});
    Ok(Spec {
        name: "Python",
        target: file.clone(),
        line: marked(&file)?,
        file,
        cwd: root.to_owned(),
        adapter: python,
        args: vec!["-m".into(), "debugpy.adapter".into()],
        launch,
        mended: Some(mended),
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
        mended: None,
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
        "type": "go", "request": "launch", "mode": "exec", "program": target, "args": [], "cwd": root,
        "outputMode": "remote",
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
        mended: None,
        child: false,
        exceptions: "unrecovered-panic",
        named: None,
    })
}

fn javascript(root: &Path, server: PathBuf) -> Result<Spec> {
    let file = root.join("examples/javascript/checkout.js");
    let launch = json!({
        "type": "pwa-node", "request": "launch", "name": "program", "program": file, "args": [], "cwd": root,
        "console": "internalConsole", "outputCapture": "std", "skipFiles": ["<node_internals>/**"],
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
        mended: None,
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
        mended: None,
        child: false,
        exceptions: "",
        named: Some("gdb"),
    })
}

/// The line with the marker, so that the program may be edited.
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
