//! What the steps before a launch have found. Pure.

use dapdock_plugin::prelude::*;

use crate::build;

/// What the steps before a launch have found, in their order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Prepared {
    /// The step that runs.
    step: Step,
    /// The compiled files are those of the sources, as far as a build can make them so.
    pub is_built: Option<bool>,
    /// They are too old to be of the same checkout.
    pub is_older: bool,
    pub note: Option<String>,
    /// The path of the tool; empty if no package has it.
    pub tool: Option<String>,
    /// Node.js registers hooks of modules, see `tools::REGISTERS`.
    pub registers: Option<bool>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde")]
pub enum Step {
    #[default]
    Check,
    Build,
    Search,
    Register,
}

impl Prepared {
    pub fn with(mut self, result: &BuildResult) -> Self {
        match self.step {
            Step::Check => {
                self.is_built = Some(result.stdout == "built");
                self.is_older = result.stdout.is_empty();
            }
            Step::Build => {
                self.is_built = Some(true);
                self.note = build::note(result);
            }
            Step::Search => self.tool = Some(result.stdout.clone()),
            Step::Register => self.registers = Some(result.stdout.trim() == "function"),
        }
        self
    }

    /// The plan of one more step.
    pub fn before(mut self, step: Step, run: BuildStep) -> Resolution {
        self.step = step;
        BuildPlan { steps: vec![run], state: json!(self).to_string() }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_adds_what_it_found() {
        let after = |step, stdout: &str| {
            let result = BuildResult {
                step: 0,
                exit_code: 0,
                stdout: stdout.into(),
                stderr_tail: String::new(),
            };
            Prepared { step, tool: Some("t".into()), ..Prepared::default() }.with(&result)
        };
        assert_eq!(after(Step::Register, "function\n").registers, Some(true));
        assert_eq!(after(Step::Register, "undefined\n").registers, Some(false));
        let built = after(Step::Check, "built");
        assert_eq!(
            (built.is_built, built.registers, built.tool),
            (Some(true), None, Some("t".into()))
        );
        assert_eq!(after(Step::Search, "/n/tsx").tool.as_deref(), Some("/n/tsx"));
    }
}
