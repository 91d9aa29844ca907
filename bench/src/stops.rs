//! First stop, step and exit, with dapdock and with the bare adapter: the same program, breakpoint
//! and reads.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::bare;
use crate::mcp::{Client, Reply};
use crate::programs::{self, Spec, Times};
use crate::startup::tokens;
use crate::table::{Budget, Table, Unit, lower_quartile, median};
use crate::{Flags, say};

/// Steps after the stop, all in the loop around the breakpoint.
const STEPS: u32 = 4;

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
    let mut costs = Vec::new();
    for spec in specs(flags)? {
        costs.extend(compare(flags, &spec, table).with_context(|| spec.name)?);
    }
    costs.sort_by(f64::total_cmp);
    let middle = costs.get(costs.len() / 2).copied().unwrap_or_default();
    table.plain("median stop, o200k", Unit::Tokens, middle, Budget::AtMost(230.0));
    Ok(())
}

/// The measured languages.
pub fn specs(flags: &Flags) -> Result<Vec<Spec>> {
    let tools = programs::tools(&flags.config)?;
    let tool = |name: &str| {
        tools.get(name).cloned().with_context(|| format!("[tools.{name}] is not configured"))
    };
    let root = &flags.root;
    let mut specs = vec![
        programs::python(root, tool("python")?)?,
        programs::rust(root, tool("codelldb")?)?,
        programs::go(root, tool("dlv")?)?,
        programs::javascript(root, tool("js-debug")?)?,
        programs::c(root, tool("gdb")?)?,
    ];
    if let Some(only) = &flags.only {
        let names: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
        let names = names.join(", ");
        specs.retain(|spec| only.eq_ignore_ascii_case(spec.name));
        ensure!(!specs.is_empty(), "--only takes one of {names}");
    }
    Ok(specs)
}

/// Adds the rows of a language. Returns the tokens of all its stops.
fn compare(flags: &Flags, spec: &Spec, table: &mut Table) -> Result<Vec<f64>> {
    say(&format!("{}: stops, steps and exits …", spec.name));
    let [mut fresh, mut second, mut floor, mut patched]: [All; 4] = Default::default();
    let mut costs = Vec::new();
    for _ in 0..flags.runs {
        let mut host = Host::start(flags)?;
        fresh.add(host.session(spec)?);
        floor.add(bare::session(spec, &spec.launch, STEPS)?);
        if let Some(launch) = &spec.patched {
            patched.add(bare::session(spec, launch, STEPS)?);
        }
        second.add(host.session(spec)?);
        for text in host.stops.drain(..) {
            costs.push(tokens(&text)?);
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
        let mut row = |figure: &str, ours: f64, floor: f64, budget| {
            let name = format!("{name}: {figure}");
            table.with_floor(&name, Unit::Milliseconds, ours, (floor, what), budget);
        };
        // One launch of five waits 200 ms longer, with Delve as with dapdock: Delve polls a process
        // that it has started (pkg/proc/native/proc_linux.go, `wait`).
        let first = lower_quartile(&floor.first);
        let [fresh, second] = [&fresh.first, &second.first].map(|times| lower_quartile(times));
        row("first stop, new host", fresh, first, Budget::Ratio(1.15));
        row("first stop, second session", second, first, Budget::Ratio(1.15));
        row("step", median(&steps), median(&floor.steps), Budget::Above(5.0));
        row("continue to the end", median(&exits), median(&floor.exits), Budget::None);
    }
    let largest = costs.iter().copied().fold(0.0, f64::max);
    table.plain(
        &format!("{name}: largest stop, o200k"),
        Unit::Tokens,
        largest,
        Budget::AtMost(400.0),
    );
    Ok(costs)
}

/// The shipped binary with an initialized client.
pub struct Host {
    pub client: Client,
    /// The texts of the stops.
    stops: Vec<String>,
}

impl Host {
    pub fn start(flags: &Flags) -> Result<Self> {
        let mut command = Command::new(&flags.dapdock);
        command.arg("mcp").arg("--config").arg(&flags.config).current_dir(&flags.root);
        let mut client = Client::start(&mut command)?;
        client.initialize()?;
        Ok(Self { client, stops: Vec::new() })
    }

    fn session(&mut self, spec: &Spec) -> Result<Times> {
        let place = format!("{}:{}", spec.file.display(), spec.line);
        let launch = spec.debug_launch(json!([place]));
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

    /// A call that ends with a stop.
    pub fn stop(&mut self, tool: &str, arguments: &Value) -> Result<Duration> {
        let (took, reply) = self.call(tool, arguments)?;
        ensure!(reply.text.starts_with("■ stopped"), "{tool} did not stop: {}", reply.text);
        self.stops.push(reply.text);
        Ok(took)
    }

    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<(Duration, Reply)> {
        let began = Instant::now();
        let reply = self.client.call(tool, arguments, |_| {})?;
        ensure!(!reply.is_error, "{tool} failed: {}", reply.text);
        Ok((began.elapsed(), reply))
    }
}
