//! Hits of a log breakpoint, with dapdock and with the bare adapter's own log point: the same
//! program, place and message.
//!
//! The program stops before its loop and after it, and the run between the stops is measured.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::bare;
use crate::programs::{self, Loop};
use crate::stops::{self, Host};
use crate::table::{Budget, Table, Unit, median};
use crate::{Flags, say};

/// What each hit writes.
const MESSAGE: &str = "hit i={i}";
/// The text before the value of the first expression in [`MESSAGE`].
const TEXT: &str = "hit i=";
const HITS: usize = 2000;
/// For a run between the stops that is far over its budget.
const PATIENCE_SECONDS: u32 = 120;

pub fn measure(flags: &Flags, table: &mut Table) -> Result<()> {
    for spec in stops::specs(flags)? {
        let name = spec.name;
        let program = programs::looping(&flags.root, spec).context(name)?;
        say(&format!("{name}: hits of a log breakpoint …"));
        let [mut ours, mut floor] = [Vec::new(), Vec::new()];
        for _ in 0..flags.runs {
            ours.push(host(flags, &program).context(name)?);
            floor.push(adapter(&program).context(name)?);
        }
        table.with_floor(
            &format!("{name}: log breakpoint, 2,000 hits"),
            Unit::Milliseconds,
            median(&ours),
            (median(&floor), "the bare adapter's own log point"),
            Budget::Ratio(1.3),
        );
    }
    Ok(())
}

fn adapter(program: &Loop) -> Result<Duration> {
    let breakpoints = json!([
        {"line": program.before},
        {"line": program.log, "logMessage": MESSAGE},
        {"line": program.after},
    ]);
    let (took, output) = bare::run_between_stops(&program.spec, &breakpoints)?;
    let hits = output.matches(TEXT).count();
    ensure!(hits == HITS, "the bare adapter wrote {hits} messages");
    Ok(took)
}

fn host(flags: &Flags, program: &Loop) -> Result<Duration> {
    let mut host = Host::start(flags)?;
    let place = |line: usize| format!("{}:{line}", program.spec.file.display());
    let log = json!({"at": place(program.log), "log": MESSAGE});
    let breakpoints = [json!(place(program.before)), log, json!(place(program.after))];
    host.stop("debug_launch", &program.spec.debug_launch(Value::from_iter(breakpoints)))?;
    let took = host.stop("debug_continue", &json!({"timeout_s": PATIENCE_SECONDS}))?;
    let (_, list) = host.call("debug_breakpoints", &json!({}))?;
    let counted = format!(" · {HITS} hits");
    ensure!(list.text.contains(&counted), "not all hits were counted: {}", list.text);
    host.call("debug_continue", &json!({}))?;
    host.client.close()?;
    Ok(took)
}
