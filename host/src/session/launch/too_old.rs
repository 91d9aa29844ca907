//! A start that fails, or takes long, and uses what is too old for it: that is the cause, whatever
//! the adapter makes of it. Knows nothing of how it starts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::model::answer::RefusalKind;
use crate::plugin;
use crate::plugin::{Outdated, Plugin};
use crate::session::Error;
use crate::session::adapter;

/// The error, or what is too old of the programs that the plan used.
pub(crate) async fn blamed(
    error: Error,
    plugin: &Plugin,
    used: &BTreeMap<String, PathBuf>,
) -> Error {
    match error {
        Error::Adapter(adapter::Error::Died { .. })
        | Error::Adapter(adapter::Error::Silent { .. })
        | Error::Adapter(adapter::Error::Refused { .. }) => {
            crate::session::launch::too_old::error(plugin, used).await.unwrap_or(error)
        }
        error => error,
    }
}

/// What is too old of the programs that the plan used.
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
