//! Where the calls of a caller come from: a command line tells the host its directory, its
//! configuration and its environment when it connects, as a capability of the client.
//!
//! Refuses to know what a host does with them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rmcp::model::ClientCapabilities;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The name of the capability (MCP, "Lifecycle": `capabilities.experimental`).
const CAPABILITY: &str = "dapdock";

/// The surroundings of a caller.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// Directory where relative paths start; absolute.
    pub workspace: PathBuf,
    /// `--config FILE`.
    pub config: Option<PathBuf>,
    /// `--trust`.
    pub trust: bool,
    /// The variables that are text. Programs run with them.
    pub environment: BTreeMap<String, String>,
}

impl Origin {
    /// That of a client; `None` if it has no workspace.
    pub(super) fn of(capabilities: &ClientCapabilities) -> Option<Self> {
        let stated = capabilities.experimental.as_ref()?.get(CAPABILITY)?;
        let origin: Self = serde_json::from_value(Value::Object(stated.clone())).ok()?;
        Some(origin).filter(|origin| origin.workspace.is_absolute())
    }

    /// The capabilities of a client with this origin.
    pub(super) fn capabilities(&self) -> ClientCapabilities {
        let mut capabilities = ClientCapabilities::default();
        if let Ok(Value::Object(stated)) = serde_json::to_value(self) {
            capabilities.experimental = Some(BTreeMap::from([(CAPABILITY.to_owned(), stated)]));
        }
        capabilities
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_is_a_capability() {
        let origin = Origin {
            workspace: "/shop".into(),
            config: None,
            trust: true,
            environment: BTreeMap::from([("PATH".to_owned(), "/bin".to_owned())]),
        };
        assert_eq!(Origin::of(&origin.capabilities()), Some(origin));
        let relative = Origin { workspace: "shop".into(), ..Origin::default() };
        assert_eq!(Origin::of(&relative.capabilities()), None);
        assert_eq!(Origin::of(&ClientCapabilities::default()), None);
    }
}
