//! Versions, by the probes and the files that a manifest names: the adapter's, and those of what it
//! runs with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dapdock_schema::{Need, Probe};

use crate::file;
use crate::pattern;
use crate::plugin::engine::bindings::host::ProbeOutput;
use crate::plugin::grant::probe::Question;
use crate::plugin::{
    Origin, Plugin,
    grant::{installs, probe},
};

/// Bytes of a file that are looked at.
const LONGEST: u64 = 16 << 20;

/// A program that is too old for a start in which it was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outdated {
    /// Where it is.
    pub path: PathBuf,
    /// A library that it has and whose version it is; empty: its own.
    pub library: String,
    /// What it says.
    pub version: String,
    /// The first that will do.
    pub oldest: String,
    /// What helps.
    pub hint: String,
}

impl Plugin {
    /// What the adapter says of its version; `None`: it cannot be asked, or says nothing that the
    /// manifest reads.
    pub async fn version(&self) -> Option<String> {
        let asked = self.manifest().version.as_ref()?;
        let told = match asked.probe.as_str() {
            "" => {
                let (tool, files) = (self.own_tool()?.0, asked.files.clone());
                tokio::task::spawn_blocking(move || written(&tool, &files)).await.ok()??
            }
            name => {
                let probe = probe::find(self.manifest(), name).ok()?;
                self.answered(probe, &self.tool(&probe.tool)?.0).await?
            }
        };
        read(&asked.pattern, &told)
    }

    /// Its version, where that is too old to be an adapter.
    pub async fn too_old(&self) -> Option<String> {
        let oldest = &self.manifest().version.as_ref()?.oldest;
        let version = if oldest.is_empty() { None } else { self.version().await };
        version.filter(|version| is_older(version, oldest))
    }

    /// The same, as far as its program has told it before, or a file does; nothing is started.
    pub fn known_too_old(&self) -> Option<String> {
        let asked = self.manifest().version.as_ref().filter(|asked| !asked.oldest.is_empty())?;
        let told = match asked.probe.as_str() {
            "" => written(&self.own_tool()?.0, &asked.files)?,
            name => {
                let probe = probe::find(self.manifest(), name).ok()?;
                let question = Question::new(probe, &self.tool(&probe.tool)?.0, None, None);
                text(&self.0.component.engine.probes().remembered(probe, &question)?)
            }
        };
        read(&asked.pattern, &told).filter(|version| is_older(version, &asked.oldest))
    }

    /// Is its adapter's program there, and not too old?
    pub async fn is_usable(&self) -> bool {
        self.is_equipped() && self.too_old().await.is_none()
    }

    /// The first that is too old of the tools that a start has used, by their names, or the adapter
    /// itself.
    pub async fn outdated(&self, used: &BTreeMap<String, PathBuf>) -> Option<Outdated> {
        for need in &self.manifest().needs {
            let Ok(probe) = probe::find(self.manifest(), &need.probe) else { continue };
            let Some(path) = used.get(&probe.tool) else { continue };
            let told = self.answered(probe, path).await.and_then(|told| read(&need.pattern, &told));
            if let Some(version) = told.filter(|version| is_older(version, &need.oldest)) {
                let Need { library, oldest, install, .. } = need.clone();
                return Some(Outdated {
                    path: path.clone(),
                    library,
                    version,
                    oldest,
                    hint: install,
                });
            }
        }
        let (version, (path, origin)) = (self.too_old().await?, self.own_tool()?);
        let tool = self.manifest().tools.first()?;
        let pinned = installs::fitting(self.manifest()).any(|install| install.tool == tool.name);
        let hint = match origin {
            // What is installed goes before it.
            Origin::Path if pinned => installs::command(self.name()),
            _ => tool.install.clone(),
        };
        let oldest = self.manifest().version.as_ref()?.oldest.clone();
        Some(Outdated { path, library: String::new(), version, oldest, hint })
    }

    /// Where the adapter's own tool is, and why there.
    fn own_tool(&self) -> Option<(PathBuf, Origin)> {
        self.tool(&self.manifest().tools.first()?.name)
    }

    async fn answered(&self, probe: &Probe, program: &Path) -> Option<String> {
        let engine = &self.0.component.engine;
        let answer = engine
            .probes()
            .ask(
                probe,
                Question::new(probe, program, None, None),
                engine.limits(),
                &Default::default(),
            )
            .await
            .ok()?;
        // What fails tells of its failure, in which any number may stand.
        (answer.exit_code == 0).then(|| text(&answer))
    }
}

/// What stands in the first of these files that there is. What is found by a link lies where that
/// leads.
fn written(tool: &Path, files: &[String]) -> Option<String> {
    let tool = tool.canonicalize().ok()?;
    let place =
        |name: &String| if name == "{tool}" { tool.clone() } else { tool.with_file_name(name) };
    let text = files.iter().find_map(|name| file::head(&place(name), LONGEST).ok())?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

fn text(answer: &ProbeOutput) -> String {
    format!("{}\n{}", answer.stdout, answer.stderr)
}

fn read(pattern: &str, told: &str) -> Option<String> {
    Some(pattern::compile(pattern).ok()?.captures(told)?.get(1)?.as_str().to_owned())
}

/// By their numbers, as far as both have them; `22rc1` is one.
fn is_older(version: &str, oldest: &str) -> bool {
    let number = |part: &str| part.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    let numbers = |text: &str| text.split('.').map_while(number).collect::<Vec<u32>>();
    let (version, oldest) = (numbers(version), numbers(oldest));
    !version.is_empty() && version < oldest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (version, oldest, older) in [
            ("13.1", "14", true),
            ("1.8.22rc1", "1.8.16", false),
            ("14.0", "14", false),
            ("9.2", "14", true),
            ("18.1", "14", false),
            ("1.9.9", "1.10", true),
            ("1.10", "1.10", false),
            ("next", "14", false),
        ] {
            assert_eq!(is_older(version, oldest), older, "{version} {oldest}");
        }
    }
}
