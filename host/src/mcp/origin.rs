//! Where the calls of a caller come from: a command line tells the host its directory, its
//! configuration and its environment when it connects, as a capability of the client.
//!
//! A host answers with the numbers of its clients that have sessions of their own. Refuses to know
//! what a host does with them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rmcp::model::{ClientCapabilities, ExperimentalCapabilities, ServerCapabilities};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
    /// The client of the host whose sessions the caller sees, one of [`clients`]; `None`: those of
    /// the host itself.
    pub client: Option<u64>,
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

/// The key of the clients in a host's capability.
const CLIENTS: &str = "clients";

/// A host tells a command line which of its clients have sessions of their own.
pub(super) fn with_clients(clients: &[u64]) -> ExperimentalCapabilities {
    let stated = Map::from_iter([(CLIENTS.to_owned(), clients.into())]);
    BTreeMap::from([(CAPABILITY.to_owned(), stated)])
}

/// The clients of a host, as it states them.
pub(super) fn clients(capabilities: &ServerCapabilities) -> Vec<u64> {
    let stated = capabilities.experimental.as_ref().and_then(|all| all.get(CAPABILITY));
    let numbers = stated.and_then(|stated| stated.get(CLIENTS)?.as_array());
    numbers.into_iter().flatten().filter_map(Value::as_u64).collect()
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
            client: Some(3),
            environment: BTreeMap::from([("PATH".to_owned(), "/bin".to_owned())]),
        };
        assert_eq!(Origin::of(&origin.capabilities()), Some(origin));
        let relative = Origin { workspace: "shop".into(), ..Origin::default() };
        assert_eq!(Origin::of(&relative.capabilities()), None);
        assert_eq!(Origin::of(&ClientCapabilities::default()), None);
        let mut host = ServerCapabilities::default();
        host.experimental = Some(with_clients(&[1, 3]));
        assert_eq!(clients(&host), [1, 3]);
        assert!(clients(&ServerCapabilities::default()).is_empty());
    }
}
