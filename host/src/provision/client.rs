//! Runs a package client: without input, in the user's own environment, with its lines as progress.
//! Errors name the client and its last lines. Knows no client by name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::progress::Progress;
use super::{Error, Installer};
use crate::plugin::Plugin;
use crate::process::{Command, Exit, Finish, Output, Run, SpawnError};

/// Last lines of a failed client in its error.
const WORDS: usize = 20;
/// Bytes of a client's standard output.
const ANSWER: usize = 64 * 1024;

/// A package client that was found.
pub(super) struct Client<'a> {
    pub program: PathBuf,
    adapter: &'a str,
    installer: &'a Installer,
    progress: &'a Progress,
}

impl<'a> Client<'a> {
    /// Finds the client among the tools of the plugin's manifest.
    pub fn find(
        installer: &'a Installer,
        plugin: &'a Plugin,
        name: &str,
        progress: &'a Progress,
    ) -> Result<Self, Error> {
        let tool = plugin.manifest().tools.iter().find(|tool| tool.name == name);
        let missing = || Error::NoClient {
            adapter: plugin.name().to_owned(),
            client: name.to_owned(),
            hint: tool.map(|tool| tool.install.clone()).unwrap_or_default(),
        };
        let (program, _) = plugin.tool(name).ok_or_else(missing)?;
        Ok(Self { program, adapter: plugin.name(), installer, progress })
    }

    /// The client with arguments. `cwd` must be a directory without configuration of a project.
    pub fn command<A: Into<OsString>>(
        &self,
        args: impl IntoIterator<Item = A>,
        cwd: &Path,
    ) -> Command {
        Command::new(&self.program).args(args).cwd(cwd).label("install")
    }

    /// Runs a command with its lines as progress; returns its standard output.
    pub async fn run(&self, command: Command) -> Result<String, Error> {
        let output = self.output(&command, true).await?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs a query, without progress; returns its standard output.
    pub async fn query(&self, command: Command) -> Result<String, Error> {
        let output = self.output(&command, false).await?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Reports a line of progress.
    pub fn say(&self, line: &str) {
        self.progress.say(line);
    }

    async fn output(&self, command: &Command, reported: bool) -> Result<Output, Error> {
        let run = Run { stdin: None, timeout: self.installer.limits.install, stdout_cap: ANSWER };
        let report = |_, line: &str| {
            if reported && !line.trim().is_empty() {
                self.progress.say(line.trim_end());
            }
        };
        let ran = self.installer.owner.run(command, run, report).await;
        let output = ran.map_err(|error| self.not_started(command, &error))?;
        if output.is_success() { Ok(output) } else { Err(failed(command, &output)) }
    }

    fn not_started(&self, command: &Command, error: &SpawnError) -> Error {
        match error {
            SpawnError::NotFound { program } => Error::NoClient {
                adapter: self.adapter.to_owned(),
                client: program.display().to_string(),
                hint: "install it".to_owned(),
            },
            error => Error::ClientFailed {
                line: line(command),
                how: "did not start".to_owned(),
                words: error.to_string(),
            },
        }
    }
}

fn failed(command: &Command, output: &Output) -> Error {
    let how = match output.finish {
        Finish::Exited(Exit::Code(code)) => format!("ended with exit code {code}"),
        Finish::Exited(Exit::Signal(signal)) => format!("was ended by signal {signal}"),
        Finish::TimedOut => "took too long and was ended".to_owned(),
    };
    let stdout = String::from_utf8_lossy(&output.stdout);
    let text =
        if output.stderr_tail.trim().is_empty() { stdout.as_ref() } else { &output.stderr_tail };
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let words = lines[lines.len().saturating_sub(WORDS)..].join("\n");
    Error::ClientFailed { line: line(command), how, words }
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.program.as_os_str())
        .chain(command.args.iter().map(OsString::as_os_str));
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
