//! The result of one adapter's trial, as text and as JSON. Tries nothing.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::plugin::Origin;

/// Outcome of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It debugged a program.
    Works,
    /// It was not found.
    Missing,
    /// It is too old.
    TooOld,
    /// It did not debug the program correctly.
    Fails,
    /// Its plugin has no program to debug.
    Untried,
    /// Its plugin cannot be loaded.
    Broken,
}

/// One adapter.
#[derive(Clone, Debug)]
pub(super) struct Report {
    pub adapter: String,
    pub state: State,
    /// Its own version, or that of the install.
    pub version: Option<String>,
    /// The version that the plugin pins for this machine.
    pub pinned: Option<String>,
    pub place: Option<(PathBuf, Origin)>,
    /// From the launch to the stop.
    pub took: Option<Duration>,
    pub problem: Option<String>,
    /// The act of a person that helps.
    pub remedy: Option<String>,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Missing => "missing",
            Self::TooOld => "too old",
            Self::Fails => "fails",
            Self::Untried => "untried",
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
            remedy: None,
        }
    }

    fn origin(&self) -> Option<&'static str> {
        self.place.as_ref().map(|(_, origin)| match origin {
            Origin::Configured => "configured",
            Origin::Installed => "installed",
            Origin::Variable => "from the environment",
            Origin::Path => "on PATH",
            Origin::Extension => "of an editor",
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
        if let Some(remedy) = &self.remedy {
            text += &format!("\n    remedy: {remedy}");
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
            "remedy": self.remedy,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_has_problem_and_remedy_below_its_line() {
        let good = Report {
            adapter: "snake".into(),
            state: State::Works,
            version: Some("1.2".into()),
            pinned: Some("1.3".into()),
            place: Some(("/bin/snake".into(), Origin::Path)),
            took: Some(Duration::from_millis(840)),
            problem: None,
            remedy: None,
        };
        assert_eq!(
            good.text(),
            "snake      works · 1.2 (pinned: 1.3) · on PATH: /bin/snake · stopped after 0.8 s"
        );
        let bad = Report {
            state: State::TooOld,
            took: None,
            problem: Some("snake 1.2 bites".into()),
            remedy: Some("dapdock adapters install snake".into()),
            ..good
        };
        let rest = "\n    snake 1.2 bites\n    remedy: dapdock adapters install snake";
        assert_eq!(
            bad.text(),
            format!("snake      too old · 1.2 (pinned: 1.3) · on PATH: /bin/snake{rest}")
        );
        assert_eq!(bad.json()["origin"], "on PATH");
    }
}
