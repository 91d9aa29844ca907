//! Installs the pinned adapter of a plugin before a launch.
//!
//! Refuses to know who allowed it.

use std::sync::Arc;

use tokio::sync::watch;

use crate::limits::Limits;
use crate::plugin::{Plugin, installs};
use crate::process::Owner;
use crate::provision::{Installer, Progress};
use crate::session::{Error, launch};

/// Installs it, unless it is installed. `progress` gets what is done.
pub(crate) async fn adapter(
    plugin: &Plugin,
    owner: Owner,
    limits: Arc<Limits>,
    progress: watch::Sender<String>,
) -> Result<(), Error> {
    let progress = Progress::new(move |line| drop(progress.send_replace(line.to_owned())));
    match Installer::new(owner, limits).install(plugin, &progress).await {
        Ok(_) => Ok(()),
        Err(error) => {
            let message = format!("{} cannot be installed: {error}", plugin.name());
            let command = installs::command(plugin.name());
            Err(Error::Launch(launch::Error::NotInstalled { message, command }))
        }
    }
}
