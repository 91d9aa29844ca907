//! An adapter's version, by the probe that its manifest names.

use regex::Regex;

use super::{Plugin, probe};

impl Plugin {
    /// What the adapter says of its version; `None`: it cannot be asked, or says nothing that the manifest reads.
    pub async fn version(&self) -> Option<String> {
        let manifest = self.manifest();
        let asked = manifest.version.as_ref()?;
        let probe = probe::find(manifest, &asked.probe).ok()?;
        let (program, _) = self.tool(&probe.tool)?;
        let engine = &self.0.component.engine;
        let answer = engine.probes().ask(probe, &program, None, engine.limits(), &Default::default()).await.ok()?;
        let told = format!("{}\n{}", answer.stdout, answer.stderr);
        let found = Regex::new(&asked.pattern).ok()?.captures(&told)?.get(1)?.as_str().to_owned();
        Some(found)
    }
}
