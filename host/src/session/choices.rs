//! What callers decide about the configuration after the start: choices of a person, and the
//! directory of the project.
//!
//! Refuses to know who asked the person.

use std::path::PathBuf;

use tokio::sync::watch;

use super::launch::install;
use super::{Error, Sessions};
use crate::model::Choice;

impl Sessions {
    /// Carries out a choice, so that the call which lacks it works. `progress` gets what is done.
    ///
    /// # Errors
    /// The adapter cannot be installed.
    pub async fn carry_out(
        &self,
        choice: &Choice,
        progress: watch::Sender<String>,
    ) -> Result<(), Error> {
        match choice {
            Choice::Install { adapter } => {
                let plugin = self.catalog()?.get(adapter).await.map_err(Error::from_plan)?;
                let limits = self.setup()?.limits.clone();
                install::adapter(&plugin, self.owner.clone(), limits, progress).await
            }
            Choice::Trust { project, .. } => {
                self.all.additions().trusted.push(project.clone());
                Ok(())
            }
            // The repeated call ends it.
            Choice::End { .. } => Ok(()),
        }
    }

    /// The configuration that is read from now on is that of this project.
    pub fn set_project(&self, directory: PathBuf) {
        self.all.additions().project = Some(directory);
    }
}
