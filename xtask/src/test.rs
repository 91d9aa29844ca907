//! `cargo xtask test`: everything set up, then every test of the workspace, in processes that this
//! runs itself; `cargo xtask test quick`: the tests that need no debugger.
//!
//! Reading order: `arguments`, `binaries` (cargo builds them), `job` (what runs in one process),
//! `process` (one of these), `queue` (all of these), `times`, `processors`, `report`.

mod arguments;
mod binaries;
mod job;
mod process;
mod processors;
mod queue;
mod report;
mod times;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use crate::layout::Layout;
use crate::{adapters, fixtures, setup, tool};
use arguments::Arguments;
use job::Job;
use process::Echo;
use processors::Ticks;
use queue::Queue;
use times::Times;

/// The longest that one test may take. The slowest takes less than a tenth.
const LIMIT: Duration = Duration::from_secs(600);

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Scope {
    /// All but those that debug real programs; installs no adapter
    Quick,
}

/// Variables of the tests' environment; `None`: removed.
type Environment = BTreeMap<&'static str, Option<String>>;

/// Runs every test of the scope that `words` select.
pub fn run(layout: &Layout, scope: Option<Scope>, words: &[String]) -> Result<ExitCode> {
    let arguments = Arguments::parse(words)?;
    setup::run(layout)?;
    let environment: Environment = match scope {
        Some(Scope::Quick) => no_debuggers(layout)?,
        None => debuggers(layout)?,
    };
    tool::say("building the tests …");
    let binaries = binaries::build(layout, &environment)?;
    let mut times = Times::load(layout.root.join("target/test-seconds.json"));
    let mut jobs = Vec::new();
    let mut left_out = 0;
    for binary in &binaries {
        let mut tests = binary.tests(&arguments.selection)?;
        if scope == Some(Scope::Quick) {
            let all = tests.len();
            tests.retain(|test| !job::is_real(binary, test));
            left_out += all - tests.len();
        }
        jobs.extend(job::divide(binary, tests));
    }
    if arguments.selection.is_empty() {
        jobs.push(Job::documentation(layout));
    }
    if jobs.is_empty() {
        bail!("no test is named so");
    }
    queue::order(&mut jobs, &times);
    let queue = queue(layout, &arguments);
    let (began, ticks) = (Instant::now(), Ticks::now());
    let done = queue.run(jobs)?;
    let took = began.elapsed();
    let busy = ticks.zip(Ticks::now()).map(|(first, last)| first.busy_until(&last));
    for one in done.iter().filter(|one| one.ending.passed()) {
        times.set(&one.job, one.ending.took);
    }
    times.save()?;
    let (text, green) = report::write(&done, &report::Whole { at_once: queue.at_once, took, busy });
    print!("{text}");
    if left_out > 0 {
        println!(
            "left out: {left_out} tests of real::, and what else needs a debugger skips itself \
             (`cargo xtask test` runs all)"
        );
    }
    Ok(if green { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A configuration without debuggers: the tests outside of `real::` that need one skip themselves.
fn no_debuggers(layout: &Layout) -> Result<Environment> {
    let config = layout.root.join("target/no-debuggers.toml");
    fs::write(&config, "# For `cargo xtask test quick`.\n")
        .with_context(|| format!("cannot write {}", config.display()))?;
    let config = config.display().to_string();
    Ok([("DAPDOCK_CONFIG", Some(config)), ("REQUIRE_DEBUGGERS", None)].into())
}

/// Installs adapters and builds fixtures. A missing one fails its own tests and no others.
fn debuggers(layout: &Layout) -> Result<Environment> {
    if let Err(error) = adapters::install(layout, &[]) {
        tool::say(&format!("{error:#}"));
        tool::say("the tests of what could not be installed will fail; the others are run");
    }
    if let Err(error) = fixtures::build(layout) {
        tool::say(&format!("{error:#}"));
        tool::say("the tests of what could not be built will fail; the others are run");
    }
    let config = layout.config().display().to_string();
    let required = adapters::debuggers(layout)?.join(",");
    Ok([("DAPDOCK_CONFIG", Some(config)), ("REQUIRE_DEBUGGERS", Some(required))].into())
}

fn queue(layout: &Layout, arguments: &Arguments) -> Queue {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    // One more than there are processors, as cells wait for their debuggers a good part of their
    // time. With `--nocapture` one: the output of several would mix.
    let usual = if arguments.nocapture { 1 } else { processors + 1 };
    Queue {
        at_once: arguments.at_once.unwrap_or(usual),
        limit: LIMIT,
        echo: if arguments.nocapture { Echo::On } else { Echo::Off },
        flaky: layout.root.join("target/flaky"),
    }
}
