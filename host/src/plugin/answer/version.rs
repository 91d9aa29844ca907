//! Versions of the adapter and of the programs that it runs with, read by the probes and the files
//! that a manifest names.

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

/// Bytes of a file that are searched.
const LONGEST: u64 = 16 << 20;

/// A program that a launch used and that is too old.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outdated {
    /// Where it is.
    pub path: PathBuf,
    /// The library that has this version; empty: the program itself.
    pub library: String,
    /// The version found.
    pub version: String,
    /// The oldest supported version.
    pub oldest: String,
    /// How to install a newer one.
    pub hint: String,
}

impl Plugin {
    /// The adapter's version; `None` if its program is missing or the manifest's pattern matches
    /// nothing.
    pub async fn version(&self) -> Option<String> {
        let version = self.manifest().version.as_ref()?;
        let output = match version.probe.as_str() {
            "" => {
                let (tool, files) = (self.own_tool()?.0, version.files.clone());
                tokio::task::spawn_blocking(move || written(&tool, &files)).await.ok()??
            }
            name => {
                let probe = probe::find(self.manifest(), name).ok()?;
                self.answered(probe, &self.tool(&probe.tool)?.0).await?
            }
        };
        read(&version.pattern, &output)
    }

    /// The adapter's version, if it is too old.
    pub async fn too_old(&self) -> Option<String> {
        let oldest = &self.manifest().version.as_ref()?.oldest;
        let version = if oldest.is_empty() { None } else { self.version().await };
        version.filter(|version| is_older(version, oldest))
    }

    /// The same from a remembered probe or a file, without starting a process.
    pub fn known_too_old(&self) -> Option<String> {
        let version =
            self.manifest().version.as_ref().filter(|version| !version.oldest.is_empty())?;
        let output = match version.probe.as_str() {
            "" => written(&self.own_tool()?.0, &version.files)?,
            name => {
                let probe = probe::find(self.manifest(), name).ok()?;
                let question = Question::new(probe, &self.tool(&probe.tool)?.0, None, None);
                text(&self.0.component.engine.probes().remembered(probe, &question)?)
            }
        };
        read(&version.pattern, &output).filter(|found| is_older(found, &version.oldest))
    }

    /// Whether the adapter's program is there and not too old.
    pub async fn is_usable(&self) -> bool {
        self.is_equipped() && self.too_old().await.is_none()
    }

    /// The first program that is too old: of the tools that a launch used, by name, or the adapter.
    pub async fn outdated(&self, used: &BTreeMap<String, PathBuf>) -> Option<Outdated> {
        for need in &self.manifest().needs {
            let Ok(probe) = probe::find(self.manifest(), &need.probe) else { continue };
            let Some(path) = used.get(&probe.tool) else { continue };
            let found =
                self.answered(probe, path).await.and_then(|text| read(&need.pattern, &text));
            if let Some(version) = found.filter(|version| is_older(version, &need.oldest)) {
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
            // A pinned install takes precedence.
            Origin::Path | Origin::Extension if pinned => installs::command(self.name()),
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
        // The output of a failed probe may hold any number.
        (answer.exit_code == 0).then(|| text(&answer))
    }
}

/// The text of the first of these files that exists, relative to the tool with its links resolved.
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

fn read(pattern: &str, text: &str) -> Option<String> {
    Some(pattern::compile(pattern).ok()?.captures(text)?.get(1)?.as_str().to_owned())
}

/// Compares the dotted numbers; of `22rc1` the leading digits count.
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
