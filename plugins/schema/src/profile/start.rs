//! How an adapter starts or attaches to a debuggee.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// `launch`, `attach` and the connection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StartProfile {
    /// Where the plan's files are.
    pub assets: Assets,
    /// When `launch` or `attach` is sent.
    pub order: LaunchOrder,
    /// Capabilities that the adapter announces and does not have, by their names in the response to
    /// `initialize`: `supportsSetExpression`.
    pub lacks: Vec<String>,
    /// The debuggee of the session.
    pub debuggee: Debuggee,
    /// How many debuggers can attach to a process at a time.
    pub access: Access,
    /// When an attached debuggee can be controlled.
    pub attached: AttachControl,
    /// What the host does on the adapter's `startDebugging`.
    pub children: Children,
    /// When small messages between debuggee and adapter arrive.
    pub latency: Latency,
    /// Launch options, as JSON, with which the adapter supports a request that it does not announce
    /// otherwise, by request. They are named in the error `unsupported`.
    pub unlocked: BTreeMap<String, String>,
    /// Launch options, as a JSON object, with which the same request debugs what follows this
    /// debuggee: the next test binary of a command that runs several. The host starts it after an
    /// exit with code 0.
    pub following: Option<String>,
}

/// Where the files of a plan (its assets) are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Assets {
    /// In a directory of the session, deleted at its end.
    #[default]
    Session,
    /// In a directory of the cache, which sessions with equal files share and which stays: an
    /// interpreter finds there the code that it compiled in an earlier session. Neither the files
    /// nor what is written beside them may belong to one session.
    Cached,
}

/// When `launch` or `attach` is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LaunchOrder {
    /// After the response to `initialize`, without waiting for the response.
    #[default]
    First,
    /// After the response to `configurationDone`.
    AfterConfiguration,
}

/// The debuggee of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Debuggee {
    /// A process.
    #[default]
    Process,
    /// A process that has ended before: the command line opens a core file. The host knows of core
    /// files named by an option without this key.
    Core,
}

/// How many debuggers can attach to a process at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Any number.
    #[default]
    Shared,
    /// One: the adapter traces the process (ptrace(2)).
    Exclusive,
}

/// When an attached debuggee can be controlled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AttachControl {
    /// After the response to `attach`.
    #[default]
    Answered,
    /// After a `continued` event: the adapter resumes the debuggee after the response.
    Continued,
}

/// What the host does when the adapter requests another session (`startDebugging`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Children {
    /// It is not supported, and the host says so in `initialize`.
    #[default]
    Refused,
    /// Each is another connection, to the `connect` of its configuration or else to the adapter's
    /// own endpoint; to the caller all are one session.
    One,
}

/// When small messages between the debuggee and the adapter's helper inside it arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Latency {
    /// At once.
    #[default]
    None,
    /// Late: they use local TCP with Nagle's algorithm. The host disables that when a thread
    /// starts.
    Delayed,
}
