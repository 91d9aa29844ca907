//! One connection of the tree.
//!
//! Knows how far it is and which commands it supports. Refuses to know the other connections.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::dap::{self, Client, Inbox};

/// Both directions of a connection.
pub type Streams = (Box<dyn AsyncRead + Send + Unpin>, Box<dyn AsyncWrite + Send + Unpin>);

/// Address of a child session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildAddress {
    /// Another connection to the root's server.
    Same,
    /// The `connect` of the child's configuration.
    At {
        /// Name or address.
        host: String,
        /// TCP port.
        port: u16,
    },
}

/// Opens a child's connection; the error is the reason of the failure.
pub type Dial = Box<dyn Fn(ChildAddress) -> BoxFuture<'static, Result<Streams, String>> + Send>;

/// Bounds of one tree.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Number of children at the same time.
    pub children: usize,
    /// Bounds of each connection.
    pub wire: dap::Limits,
    /// Time from a child's `disconnect` to its answer.
    pub disconnect: Duration,
    /// How long stops of other members wait for the answer to a move and for the stop of a step.
    pub step: Duration,
}

/// A child session that a member requested.
pub(crate) struct Child {
    pub(crate) label: String,
    /// `launch` or `attach`.
    pub(crate) request: String,
    pub(crate) configuration: Value,
}

/// A connection.
pub(crate) struct Member {
    pub(crate) client: Client,
    pub(crate) inbox: Inbox,
    /// The adapter's name for it; empty for the root.
    pub(crate) label: String,
    pub(crate) life: Life,
    /// `launch` or `attach` and its arguments, until it is sent.
    pub(crate) launch: Option<(String, Value)>,
    /// The `initialized` event has arrived.
    pub(crate) initialized: bool,
    /// An event named a thread: its part of the debuggee runs.
    pub(crate) under_way: bool,
    /// Requests for breakpoints without an answer.
    pub(crate) unanswered: usize,
}

/// How far a member is.
///
/// ```text
/// Greeting ──initialized──▶ Configuring ──answers──▶ Live ──terminated──▶ Over
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Life {
    /// It has received no breakpoints.
    Greeting,
    /// It has received all breakpoints.
    Configuring,
    /// It runs its part of the debuggee.
    Live,
    /// Its part has ended; `disconnect` is sent.
    Over,
}

impl Member {
    /// The root, which the actor starts.
    pub(crate) fn root(streams: Streams, limits: dap::Limits) -> Self {
        let root = Self::greeting(streams, limits, String::new(), None);
        Self { life: Life::Live, under_way: true, ..root }
    }

    pub(crate) fn child(streams: Streams, limits: dap::Limits, child: Child) -> Self {
        let launch = Some((child.request, child.configuration));
        Self::greeting(streams, limits, child.label, launch)
    }

    fn greeting(
        (read, write): Streams,
        limits: dap::Limits,
        label: String,
        launch: Option<(String, Value)>,
    ) -> Self {
        let (client, inbox) = dap::connect(read, write, limits);
        Self {
            client,
            inbox,
            label,
            life: Life::Greeting,
            launch,
            initialized: false,
            under_way: false,
            unanswered: 0,
        }
    }

    /// Whether it receives breakpoints as the actor sets them.
    pub(crate) fn takes_breakpoints(&self) -> bool {
        matches!(self.life, Life::Configuring | Life::Live)
    }

    /// Whether it supports the command: some adapters never answer an unknown one.
    pub(crate) fn knows(&self, command: &str) -> bool {
        let capabilities = self.client.capabilities();
        match command {
            "setFunctionBreakpoints" => capabilities.function_breakpoints(),
            "setExceptionBreakpoints" => !capabilities.exception_filters().is_empty(),
            "configurationDone" => capabilities.configuration_done(),
            "terminate" => capabilities.terminate(),
            _ => true,
        }
    }
}

/// The address in a child's configuration.
pub(crate) fn child_address(configuration: &Value) -> ChildAddress {
    let connect = &configuration["connect"];
    match connect["port"].as_u64().and_then(|port| u16::try_from(port).ok()) {
        Some(port) => ChildAddress::At {
            host: connect["host"].as_str().unwrap_or("127.0.0.1").to_owned(),
            port,
        },
        None => ChildAddress::Same,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_configuration_may_name_its_server() {
        assert_eq!(child_address(&json!({"type": "x"})), ChildAddress::Same);
        let there = json!({"connect": {"host": "localhost", "port": 5678}});
        assert_eq!(
            child_address(&there),
            ChildAddress::At { host: "localhost".into(), port: 5678 }
        );
    }
}
