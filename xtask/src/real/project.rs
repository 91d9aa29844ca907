//! A project as data: `project.toml`, typed. Runs nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

/// The table of a project's directory.
pub const FILE: &str = "project.toml";

/// One project. Command lines are split at spaces and run in the copy of the project; texts may
/// have the placeholders of [`super::places`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// The name of its directory.
    #[serde(skip)]
    pub name: String,
    /// Its directory.
    #[serde(skip)]
    pub source: PathBuf,
    /// One line for the output.
    pub about: String,
    /// The adapters that debug it, as `cargo xtask adapters` names them.
    pub adapters: Vec<String>,
    /// Command lines that fetch what the lock files pin; run again only when these change.
    pub install: Vec<String>,
    /// Files that decide whether `install` is run again.
    pub locks: Vec<String>,
    /// Command lines that build it; run each time.
    #[serde(default)]
    pub build: Vec<String>,
    /// Runs of the program by itself.
    pub alone: Vec<Alone>,
    pub session: Vec<Session>,
}

/// A run without a debugger, whose output has the expected values.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alone {
    pub command: String,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Part of the line after which the program does not end by itself: it listens or hangs.
    pub ready: Option<String>,
    /// The path to request from it then; the response is part of the output.
    pub request: Option<String>,
    /// Part of the last line to read after the response.
    pub last: Option<String>,
    /// Names of facts, and the text before each on its line. The fact is the rest of the line.
    pub facts: BTreeMap<String, String>,
}

/// Calls that belong together: one host, and so one debugged program or more.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    pub name: String,
    pub step: Vec<Step>,
}

/// One line of the output.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Step {
    Call(Call),
    Request(Request),
    Response(Response),
}

impl Step {
    /// The known fault that it shows.
    pub fn fault(&self) -> Option<&str> {
        match self {
            Self::Call(call) => call.fault.as_deref(),
            Self::Request(_) | Self::Response(_) => None,
        }
    }
}

/// A call of a tool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    pub call: String,
    #[serde(default)]
    pub with: toml::Table,
    /// Texts that the answer must contain.
    pub expect: Vec<String>,
    /// Texts that it must not contain.
    #[serde(default)]
    pub absent: Vec<String>,
    /// The call must be refused.
    #[serde(default)]
    pub refused: bool,
    /// A fault of dapdock because of which the answer is not as expected. The step fails once it
    /// is: the fault is mended, and this key is to be removed.
    pub fault: Option<String>,
}

/// A request to the debugged server, which waits for its response beside the next steps.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    pub request: String,
}

/// Waits for the response of the last request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Response {
    pub response: Vec<String>,
}

/// All projects below a directory, sorted by name.
pub fn load_all(base: &Path) -> Result<Vec<Project>> {
    let entries = fs::read_dir(base).with_context(|| format!("cannot read {}", base.display()))?;
    let mut projects = Vec::new();
    for entry in entries {
        let directory = entry?.path();
        if directory.join(FILE).is_file() {
            projects.push(load(&directory)?);
        }
    }
    projects.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(projects)
}

fn load(directory: &Path) -> Result<Project> {
    let file = directory.join(FILE);
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut project: Project =
        toml::from_str(&text).with_context(|| format!("cannot read {}", file.display()))?;
    let name = directory.file_name().context("a project needs a name")?;
    project.name = name.to_string_lossy().into_owned();
    directory.clone_into(&mut project.source);
    Ok(project)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;

    #[test]
    fn every_project_is_complete() {
        let projects = load_all(&Layout::find().real_projects()).unwrap();
        assert!(projects.len() >= 7);
        for project in projects {
            assert!(!project.locks.is_empty(), "{}", project.name);
            for file in &project.locks {
                assert!(project.source.join(file).is_file(), "{}: {file}", project.name);
            }
            let calls = project.session.iter().flat_map(|session| &session.step);
            for step in calls {
                if let Step::Call(call) = step {
                    assert!(!call.expect.is_empty(), "{}: {}", project.name, call.call);
                }
            }
        }
    }

    #[test]
    fn a_step_is_known_by_its_key() {
        let text = "step = [{ call = 'debug_step', expect = ['x'] }, { request = '/' }, \
                    { response = ['ok'] }]\nname = 'a'";
        let session: Session = toml::from_str(text).unwrap();
        assert!(matches!(session.step[0], Step::Call(_)));
        assert!(matches!(session.step[1], Step::Request(_)));
        assert!(matches!(session.step[2], Step::Response(_)));
    }
}
