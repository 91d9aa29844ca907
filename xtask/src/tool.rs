//! Running other people's tools: visible, without stdin, and with an error that
//! names the tool and what to do.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// What a person does about a tool. Completes "… is not installed: MISSING" and
/// "… failed: FAILED".
pub struct Fix<'a> {
    /// When it cannot be started.
    pub missing: &'a str,
    /// When it ends with anything but 0.
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

/// Runs to the end; whatever the tool prints goes to our stderr.
pub fn run(command: &mut Command, fix: &Fix) -> Result<()> {
    command.stdin(Stdio::null()).stdout(io::stderr());
    let status = command_status(command, fix)?;
    check(command, status, fix)
}

/// Runs to the end with our stdout and stderr, and hands over how it ended.
pub fn status(command: &mut Command, fix: &Fix) -> Result<ExitStatus> {
    command.stdin(Stdio::null());
    command_status(command, fix)
}

/// Runs to the end and returns what it printed on stdout, trimmed.
pub fn capture(command: &mut Command, fix: &Fix) -> Result<String> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| missing(command, error, fix))?;
    check(command, output.status, fix)?;
    let text = String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed bytes that are not UTF-8", line(command)))?;
    Ok(text.trim().to_owned())
}

/// The cargo that called us, so that nested builds use the same toolchain.
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
