//! An adapter's version, by the probe or the file that its manifest names.

use dapdock_schema::VersionProbe;
use regex::Regex;

use super::bindings::host::ProbeOutput;
use super::{Plugin, probe};
use crate::file;

/// Bytes of a file that are looked at.
const LONGEST: u64 = 16 << 20;

impl Plugin {
    /// What the adapter says of its version; `None`: it cannot be asked, or says nothing that the manifest reads.
    pub async fn version(&self) -> Option<String> {
        let asked = self.manifest().version.as_ref()?;
        let told = match asked.probe.as_str() {
            "" => self.written(asked.files.clone()).await?,
            name => self.answered(name).await?,
        };
        read(asked, &told)
    }

    /// Its version, where that is too old to be an adapter.
    pub async fn too_old(&self) -> Option<String> {
        let oldest = &self.manifest().version.as_ref()?.oldest;
        let version = if oldest.is_empty() { None } else { self.version().await };
        version.filter(|version| is_older(version, oldest))
    }

    /// The same, as far as its program has told it before; nothing is started.
    pub fn known_too_old(&self) -> Option<String> {
        let asked = self.manifest().version.as_ref().filter(|asked| !asked.oldest.is_empty())?;
        let probe = probe::find(self.manifest(), &asked.probe).ok()?;
        let (program, _) = self.tool(&probe.tool)?;
        let answer = self.0.component.engine.probes().remembered(probe, &program)?;
        read(asked, &text(&answer)).filter(|version| is_older(version, &asked.oldest))
    }

    /// Is its adapter's program there, and not too old?
    pub async fn is_usable(&self) -> bool {
        self.is_equipped() && self.too_old().await.is_none()
    }

    async fn answered(&self, name: &str) -> Option<String> {
        let probe = probe::find(self.manifest(), name).ok()?;
        let (program, _) = self.tool(&probe.tool)?;
        let engine = &self.0.component.engine;
        let answer = engine.probes().ask(probe, &program, None, engine.limits(), &Default::default()).await.ok()?;
        // What fails tells of its failure, in which any number may stand.
        (answer.exit_code == 0).then(|| text(&answer))
    }

    /// What stands in the first of these files that there is. What is found by a link lies where that leads.
    async fn written(&self, files: Vec<String>) -> Option<String> {
        let (tool, _) = self.tool(&self.manifest().tools.first()?.name)?;
        let read = move || {
            let tool = tool.canonicalize().ok()?;
            let place = |name: &String| if name == "{tool}" { tool.clone() } else { tool.with_file_name(name) };
            let text = files.iter().find_map(|name| file::head(&place(name), LONGEST).ok())?;
            Some(String::from_utf8_lossy(&text).into_owned())
        };
        tokio::task::spawn_blocking(read).await.ok()?
    }
}

fn text(answer: &ProbeOutput) -> String {
    format!("{}\n{}", answer.stdout, answer.stderr)
}

fn read(asked: &VersionProbe, told: &str) -> Option<String> {
    Some(Regex::new(&asked.pattern).ok()?.captures(told)?.get(1)?.as_str().to_owned())
}

/// By their numbers, as far as both have them.
fn is_older(version: &str, oldest: &str) -> bool {
    let numbers = |text: &str| text.split('.').map_while(|part| part.parse().ok()).collect::<Vec<u32>>();
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
