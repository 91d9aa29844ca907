//! Runs external tools: with visible output, without stdin, and with an error that names the tool
//! and a remedy. Knows cargo by name, and no other tool.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// Remedies for a tool: the ends of "… is not installed: MISSING" and "… failed: FAILED".
pub struct Fix<'a> {
    /// If it cannot be started.
    pub missing: &'a str,
    /// If its exit code is not 0.
    pub failed: &'a str,
}

/// For every call of cargo and rustc.
pub const RUST: Fix = Fix {
    missing: "install Rust 1.95 or newer (https://rustup.rs)",
    failed: "see its message above",
};

/// One line of progress on stderr.
pub fn say(line: &str) {
    eprintln!("xtask: {line}");
}

/// Runs a tool to its end; its output goes to stderr.
pub fn run(command: &mut Command, fix: &Fix) -> Result<()> {
    command.stdin(Stdio::null()).stdout(io::stderr());
    let status = command_status(command, fix)?;
    check(command, status, fix)
}

/// Runs a tool to its end with this process's stdout and stderr; returns its status.
pub fn status(command: &mut Command, fix: &Fix) -> Result<ExitStatus> {
    command.stdin(Stdio::null());
    command_status(command, fix)
}

/// Runs a tool to its end and returns its trimmed stdout.
pub fn capture(command: &mut Command, fix: &Fix) -> Result<String> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| missing(command, error, fix))?;
    check(command, output.status, fix)?;
    let text = String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed bytes that are not UTF-8", line(command)))?;
    Ok(text.trim().to_owned())
}

/// The cargo that started this process: nested builds use the same toolchain.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from))
}

fn command_status(command: &mut Command, fix: &Fix) -> Result<ExitStatus> {
    command.status().map_err(|error| missing(command, error, fix))
}

fn missing(command: &Command, error: io::Error, fix: &Fix) -> anyhow::Error {
    let program = command.get_program().display();
    match error.kind() {
        ErrorKind::NotFound => anyhow::anyhow!("`{program}` is not installed: {}", fix.missing),
        _ => anyhow::anyhow!("`{program}` does not start ({error}): {}", fix.missing),
    }
}

fn check(command: &Command, status: ExitStatus, fix: &Fix) -> Result<()> {
    if !status.success() {
        bail!("`{}` failed ({status}): {}", line(command), fix.failed);
    }
    Ok(())
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
