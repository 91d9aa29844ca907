//! How an adapter leaves a debuggee, and how it reports the end of one.

use serde::{Deserialize, Serialize};

/// `disconnect` and the end of the debuggee.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LeaveProfile {
    /// What `disconnect {terminateDebuggee: false}` does to a launched debuggee.
    pub launched: LeaveLaunched,
    /// What `disconnect {terminateDebuggee: false}` does to an attached debuggee.
    pub attached: LeaveAttached,
    /// What `disconnect {terminateDebuggee: true}` does to a stopped debuggee.
    pub termination: Termination,
    /// What the adapter does after `disconnect`.
    pub adapter: AfterDisconnect,
    /// The meaning of the number in `exited`.
    pub exit_code: ExitCode,
    /// How the adapter reports the end of a debuggee.
    pub end: EndReport,
}

/// What `disconnect {terminateDebuggee: false}` does to a launched debuggee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LeaveLaunched {
    /// The debuggee keeps running.
    #[default]
    RunsOn,
    /// Not possible: the debuggee is killed, or the adapter never responds.
    Impossible,
}

/// What `disconnect {terminateDebuggee: false}` does to an attached debuggee.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LeaveAttached {
    /// The debuggee keeps running.
    #[default]
    RunsOn,
    /// It stays stopped and its breakpoints stay set: the host first removes those and resumes it.
    StaysStopped,
    /// It ends, unless the adapter supports `supportTerminateDebuggee`; then as `stays-stopped`.
    /// The reason why it cannot be detached, in a few words for the caller.
    Ends(String),
}

/// What `disconnect {terminateDebuggee: true}` does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// It ends the debuggee. The host ends an attached process, with its children, that is alive
    /// after `disconnect`.
    #[default]
    ByAdapter,
    /// It lets a stopped debuggee run for a moment, and never ends an attached one: the host ends
    /// both, the second if it knows the process.
    ByHost,
}

/// What the adapter does after `disconnect`, when its connection is closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AfterDisconnect {
    /// It exits soon.
    #[default]
    Exits,
    /// It waits for another client: the host ends it.
    Stays,
}

/// How the adapter reports the end of a debuggee.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndReport {
    /// By the events `exited` and `terminated`. After `terminated` alone the exit code is unknown.
    #[default]
    Events,
    /// By text in its own output instead of `exited`: the exit code is the number after this text.
    Text(String),
    /// By closing the connection, without events; the exit code is that of the process with the
    /// role `both`. A connection that a separate adapter process closes is a failure all the same.
    Closing,
}

/// The meaning of the number in `exited`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExitCode {
    /// The exit code.
    #[default]
    Plain,
    /// A code above 192 is 256 minus the number of the signal that ended the debuggee.
    NegativeSignal,
    /// A code below 0 is minus the number of the signal that ended the debuggee.
    MinusSignal,
    /// A code above 128 is 128 plus the number of the signal that ended the debuggee, as in shells.
    ShellSignal,
}
