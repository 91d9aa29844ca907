//! `cargo xtask real`: debugs the real projects of `tests/real_projects` by a table of calls, and
//! compares each answer with what the program prints when it runs by itself.
//!
//! A project is a directory with its own sources, lock files, and `project.toml`. Knows how to run
//! such a table; everything about a language or a framework is in the project's files.

mod alone;
mod http;
mod places;
mod prepare;
mod project;
mod running;
mod script;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::layout::Layout;
use crate::{adapters, setup, tool};
use project::Project;
use script::Tally;

/// Options of a run.
pub struct Options {
    /// Names of projects; none: all.
    pub names: Vec<String>,
    /// A built binary, with the configuration of `DAPDOCK_CONFIG`.
    pub dapdock: Option<PathBuf>,
}

/// The debugger under test, as a caller starts it.
#[derive(Clone, Debug)]
struct Host {
    binary: PathBuf,
    config: Option<PathBuf>,
}

impl Host {
    /// The command of its MCP server, in the directory of a project.
    fn command(&self, directory: &Path) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("mcp").current_dir(directory);
        prepare::clear_environment(&mut command);
        if let Some(config) = &self.config {
            command.arg("--config").arg(config);
        }
        command
    }
}

/// Prepares and debugs the projects; fails if a step of one fails.
pub fn run(layout: &Layout, options: &Options) -> Result<ExitCode> {
    let projects = choose(project::load_all(&layout.real_projects())?, &options.names)?;
    let host = host(layout, options, &projects)?;
    let mut tally = Tally::default();
    for project in &projects {
        println!("\n{}: {}", project.name, project.about);
        match debug(layout, &host, project) {
            Ok(counts) => tally.add(&counts),
            Err(error) => {
                println!("  FAILED  {error:#}");
                tally.failed += 1;
            }
        }
    }
    let Tally { passed, failed, skipped, faults } = tally;
    println!("\n{passed} passed, {failed} failed, {skipped} skipped, {faults} known faults");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn choose(mut projects: Vec<Project>, names: &[String]) -> Result<Vec<Project>> {
    let known: Vec<_> = projects.iter().map(|project| project.name.clone()).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        bail!("no project `{name}`; there are: {}", known.join(", "));
    }
    projects.retain(|project| names.is_empty() || names.contains(&project.name));
    Ok(projects)
}

/// Builds the binary and installs the adapters of the projects, unless a binary is given.
fn host(layout: &Layout, options: &Options, projects: &[Project]) -> Result<Host> {
    if let Some(binary) = &options.dapdock {
        let binary = std::path::absolute(binary).context("cannot find the binary")?;
        return Ok(Host { binary, config: None });
    }
    setup::run(layout)?;
    let names: BTreeSet<_> = projects.iter().flat_map(|project| project.adapters.clone()).collect();
    adapters::install(layout, &names.into_iter().collect::<Vec<_>>())?;
    tool::say("building dapdock …");
    tool::run(tool::cargo().current_dir(&layout.root).args(["build", "--workspace"]), &tool::RUST)?;
    Ok(Host { binary: layout.dapdock(), config: Some(layout.config()) })
}

fn debug(layout: &Layout, host: &Host, project: &Project) -> Result<Tally> {
    let directory = layout.real_builds().join(&project.name);
    prepare::run(project, &directory)?;
    let facts = alone::facts(project, &directory)?;
    Ok(script::run(host, project, &directory, &facts))
}
