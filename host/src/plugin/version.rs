//! An adapter's version, by the probe or the file that its manifest names.

use regex::Regex;

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
        let found = Regex::new(&asked.pattern).ok()?.captures(&told)?.get(1)?.as_str().to_owned();
        Some(found)
    }

    async fn answered(&self, name: &str) -> Option<String> {
        let probe = probe::find(self.manifest(), name).ok()?;
        let (program, _) = self.tool(&probe.tool)?;
        let engine = &self.0.component.engine;
        let answer = engine.probes().ask(probe, &program, None, engine.limits(), &Default::default()).await.ok()?;
        Some(format!("{}\n{}", answer.stdout, answer.stderr))
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
