//! The test binaries of the workspace, built by cargo, and the tests in each. Runs no test.

#[cfg(test)]
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Environment;
use crate::layout::Layout;
use crate::tool::{self, Fix};

/// A program with libtest's `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    pub program: PathBuf,
    /// The directory of its package, where cargo would run it.
    pub directory: PathBuf,
    /// `NAME KIND` of the cargo target.
    pub title: String,
    /// An integration test: its top modules are areas.
    pub integration: bool,
    /// Variables that it is to see, or not to see.
    pub environment: Environment,
}

/// A line of cargo's `--message-format=json`, as far as it matters here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Builds every test binary of the workspace.
pub fn build(layout: &Layout, environment: &Environment) -> Result<Vec<Binary>> {
    let messages = tool::capture(
        tool::cargo().current_dir(&layout.root).args([
            "test",
            "--workspace",
            "--no-run",
            "--message-format=json-render-diagnostics",
        ]),
        &tool::RUST,
    )?;
    let mut binaries = Vec::new();
    for line in messages.lines() {
        let message: Message =
            serde_json::from_str(line).context("cargo printed a message of another form")?;
        binaries.extend(message.binary(environment));
    }
    Ok(binaries)
}

impl Message {
    /// The test binary that cargo reports here, if it does.
    fn binary(self, environment: &Environment) -> Option<Binary> {
        if self.reason != "compiler-artifact" || !self.profile?.test {
            return None;
        }
        let target = self.target?;
        let kind = target.kind.first()?;
        Some(Binary {
            program: self.executable?,
            directory: self.manifest_path?.parent()?.to_owned(),
            title: format!("{} {kind}", target.name),
            integration: kind == "test",
            environment: environment.clone(),
        })
    }
}

const LIST: Fix = Fix {
    missing: "cargo built it just now; run the task again",
    failed: "it cannot list its tests: see its message above",
};

impl Binary {
    /// A call of the binary as cargo would make it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.directory).env("CARGO_MANIFEST_DIR", &self.directory);
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// The names of its tests that a selection matches, in their order.
    pub fn tests(&self, selection: &[String]) -> Result<Vec<String>> {
        let mut command = self.command();
        command.args(selection).args(["--list", "--format", "terse"]);
        let list = tool::capture(&mut command, &LIST)?;
        let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
        Ok(names.map(str::to_owned).collect())
    }

    #[cfg(test)]
    pub fn at(program: &Path, directory: &Path) -> Self {
        Self {
            program: program.to_owned(),
            directory: directory.to_owned(),
            title: "fake test".to_owned(),
            integration: true,
            environment: Environment::new(),
        }
    }
}
