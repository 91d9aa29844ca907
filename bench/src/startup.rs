//! The cost before the first session: the handshake, memory, the list of tools.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::mcp::Client;
use crate::table::{Budget, Table, Unit, median};
use crate::{Flags, say};

pub fn measure(flags: &Flags, table: &mut Table) -> Result<()> {
    say("start, memory and the list of tools …");
    let (mut ours, mut floor, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bare_memory, mut list) = (Vec::new(), String::new());
    for _ in 0..flags.runs {
        let began = Instant::now();
        let mut host = Command::new(&flags.dapdock);
        let mut client = Client::start(host.arg("mcp").arg("--config").arg(&flags.config))?;
        client.initialize()?;
        ours.push(began.elapsed());
        list = client.request("tools/list", json!({}), |_| {})?.to_string();
        memory.push(resident(client.child.id())?);
        client.close()?;
        let (time, size) = copier()?;
        floor.push(time);
        bare_memory.push(size);
    }
    let least = (median(&floor), "`cat`: one line in, one line out");
    table.with_floor(
        "initialize, from process start",
        Unit::Milliseconds,
        median(&ours),
        least,
        Budget::AtMost(15.0),
    );
    let least = (middle(&mut bare_memory), "`cat`");
    table.with_floor(
        "memory before a session",
        Unit::Mebibytes,
        middle(&mut memory),
        least,
        Budget::AtMost(15.0),
    );
    table.plain("list of tools", Unit::Bytes, list.len() as f64, Budget::AtMost(14_000.0));
    let read = tokens(&read_by_models(&list)?)?;
    table.plain("list of tools, o200k", Unit::Tokens, read, Budget::AtMost(2_700.0));
    Ok(())
}

/// The list as clients pass it to a model: name, description and schema of every tool. Titles and
/// annotations are for the client alone.
fn read_by_models(list: &str) -> Result<String> {
    let mut list: Value = serde_json::from_str(list)?;
    let tools = list["tools"].as_array_mut().context("a list without tools")?;
    for tool in tools.iter_mut().filter_map(Value::as_object_mut) {
        tool.retain(|key, _| matches!(key.as_str(), "name" | "description" | "inputSchema"));
    }
    Ok(serde_json::to_string(tools)?)
}

/// The number of tokens in the encoding of current models.
pub fn tokens(text: &str) -> Result<f64> {
    Ok(tiktoken_rs::o200k_base()?.encode_ordinary(text).len() as f64)
}

/// Time and memory of a process that copies a line.
fn copier() -> Result<(Duration, f64)> {
    let began = Instant::now();
    let mut cat =
        Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cat")?;
    let (stdin, stdout) = (cat.stdin.take(), cat.stdout.take());
    let mut stdin = stdin.context("cat without stdin")?;
    stdin.write_all(b"{}\n")?;
    let mut line = String::new();
    BufReader::new(stdout.context("cat without stdout")?).read_line(&mut line)?;
    let took = began.elapsed();
    let size = resident(cat.id())?;
    drop(stdin);
    cat.wait()?;
    Ok((took, size))
}

/// Resident memory in MiB (`VmRSS` of `/proc/PID/status`, which counts KiB).
pub fn resident(pid: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))
        .context("cannot read a process's memory")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib / 1024.0)
}

/// The median; 0 without sizes.
pub fn middle(sizes: &mut [f64]) -> f64 {
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}
