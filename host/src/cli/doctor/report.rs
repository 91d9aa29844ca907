//! What was found out about one adapter, as a line and as JSON.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::plugin::Origin;

/// How an adapter fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It debugged a program.
    Works,
    /// It is not there.
    Missing,
    /// It is there, and too old.
    TooOld,
    /// It is there, and did not debug the program as it should.
    Fails,
    /// Its plugin cannot be used.
    Broken,
}

/// One adapter.
#[derive(Clone, Debug)]
pub(super) struct Report {
    pub adapter: String,
    pub state: State,
    /// What it says of itself, or what was installed.
    pub version: Option<String>,
    /// The version that the plugin pins for this machine.
    pub pinned: Option<String>,
    pub place: Option<(PathBuf, Origin)>,
    /// From the launch to the stop.
    pub took: Option<Duration>,
    pub problem: Option<String>,
    /// What a person can do.
    pub mend: Option<String>,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Missing => "missing",
            Self::TooOld => "too old",
            Self::Fails => "fails",
            Self::Broken => "broken",
        }
    }
}

impl Report {
    pub fn broken(adapter: String, problem: String) -> Self {
        Self {
            adapter,
            state: State::Broken,
            version: None,
            pinned: None,
            place: None,
            took: None,
            problem: Some(problem),
            mend: None,
        }
    }

    fn origin(&self) -> Option<&'static str> {
        self.place.as_ref().map(|(_, origin)| match origin {
            Origin::Configured => "configured",
            Origin::Installed => "installed",
            Origin::Path => "on PATH",
        })
    }

    pub fn text(&self) -> String {
        let mut parts =
            vec![format!("{:<10} {:<8}", self.adapter, self.state.word()).trim_end().to_owned()];
        match (&self.version, &self.pinned) {
            (Some(version), Some(pinned)) if version != pinned => {
                parts.push(format!("{version} (pinned: {pinned})"))
            }
            (Some(version), _) => parts.push(version.clone()),
            (None, Some(pinned)) => parts.push(format!("(pinned: {pinned})")),
            (None, None) => {}
        }
        if let (Some((path, _)), Some(origin)) = (&self.place, self.origin()) {
            parts.push(format!("{origin}: {}", path.display()));
        }
        parts.extend(self.took.map(|took| format!("stopped after {:.1} s", took.as_secs_f32())));
        let mut text = parts.join(" · ");
        if let Some(problem) = &self.problem {
            text += &format!("\n    {}", problem.trim_end().replace('\n', "\n    "));
        }
        if let Some(mend) = &self.mend {
            text += &format!("\n    mend: {mend}");
        }
        text
    }

    pub fn json(&self) -> Value {
        json!({
            "adapter": self.adapter,
            "state": self.state.word(),
            "version": self.version,
            "pinned": self.pinned,
            "path": self.place.as_ref().map(|(path, _)| path),
            "origin": self.origin(),
            "took_ms": self.took.and_then(|took| u64::try_from(took.as_millis()).ok()),
            "problem": self.problem,
            "mend": self.mend,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_a_line_and_what_mends() {
        let good = Report {
            adapter: "snake".into(),
            state: State::Works,
            version: Some("1.2".into()),
            pinned: Some("1.3".into()),
            place: Some(("/bin/snake".into(), Origin::Path)),
            took: Some(Duration::from_millis(840)),
            problem: None,
            mend: None,
        };
        assert_eq!(
            good.text(),
            "snake      works · 1.2 (pinned: 1.3) · on PATH: /bin/snake · stopped after 0.8 s"
        );
        let bad = Report {
            state: State::TooOld,
            took: None,
            problem: Some("snake 1.2 bites".into()),
            mend: Some("dapdock adapters install snake".into()),
            ..good
        };
        let rest = "\n    snake 1.2 bites\n    mend: dapdock adapters install snake";
        assert_eq!(
            bad.text(),
            format!("snake      too old · 1.2 (pinned: 1.3) · on PATH: /bin/snake{rest}")
        );
        assert_eq!(bad.json()["origin"], "on PATH");
    }
}
