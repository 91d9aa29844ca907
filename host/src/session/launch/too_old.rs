//! Programs that are too old as the cause of a failed or slow start.
//!
//! Adapters report such a failure unclearly. Refuses to know how a start runs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::model::answer::RefusalKind;
use crate::plugin;
use crate::plugin::{Outdated, Plugin};
use crate::session::Error;
use crate::session::adapter;

/// The error about a used program that is too old, if the adapter failed; else the error itself.
pub(crate) async fn blamed(
    error: Error,
    plugin: &Plugin,
    used: &BTreeMap<String, PathBuf>,
) -> Error {
    match error {
        Error::Adapter(adapter::Error::Died { .. })
        | Error::Adapter(adapter::Error::Silent { .. })
        | Error::Adapter(adapter::Error::Refused { .. }) => {
            self::error(plugin, used).await.unwrap_or(error)
        }
        error => error,
    }
}

/// The error about a used program that is too old, if there is one.
pub(crate) async fn error(plugin: &Plugin, used: &BTreeMap<String, PathBuf>) -> Option<Error> {
    let Outdated { path, library, version, oldest, hint } = plugin.outdated(used).await?;
    let (path, adapter) = (path.display(), plugin.name());
    let message = match library.as_str() {
        "" => format!("{path} is {version}; {adapter} needs {oldest} or newer"),
        library => format!("{path} has {library} {version}; {oldest} or newer is needed"),
    };
    Some(Error::Plugin(plugin::Refused::Request {
        kind: RefusalKind::ToolTooOld,
        message,
        hint: Some(hint),
    }))
}
