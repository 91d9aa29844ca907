//! How an adapter sets, hits and counts breakpoints.

use serde::{Deserialize, Serialize};

/// Breakpoints and log points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct BreakpointProfile {
    /// The meaning of `verified` in the response to `setBreakpoints`.
    pub verification: Verification,
    /// Part of the message of a breakpoint that the adapter reports as verified although it has no
    /// location in the code (yet).
    pub unbound: Option<String>,
    /// How the adapter compares the path of a source with those in the debug information.
    pub paths: SourcePaths,
    /// How the host finds lines with code near one without, if the adapter does not support
    /// `breakpointLocations`.
    pub nearest: NearestLines,
    /// What happens to a running debuggee when breakpoints change.
    pub while_running: WhileRunning,
    /// Which breakpoints `hitBreakpointIds` names if several share an address.
    pub hit_ids: HitIds,
    /// Whether the end of a step at a breakpoint is reported as its hit.
    pub step_ends: StepEnds,
    /// A regular expression for the value of a condition that does not hold, such as
    /// `^(0|false)$`. Of an adapter that takes only one breakpoint at a place, the host evaluates
    /// the conditions of the others after a run to the place.
    pub untrue: Option<String>,
    /// Who counts hits for breakpoints with a hit condition.
    pub hit_counts: HitCounts,
    /// Who writes the messages of log points.
    pub log_points: LogPoints,
    /// Who ends a log point that has written all that it may.
    pub log_limits: LogLimits,
    /// Child processes of the debuggee run without the debugger: that, and what helps, in a few
    /// words for the caller. Reported in parentheses with breakpoints without a hit, since only a
    /// child process may have reached them. With `when-loaded`, reported with breakpoints whose
    /// file was never loaded: which children run so, if others do not.
    pub unfollowed: Option<String>,
}

/// The meaning of `verified: true` in the response to `setBreakpoints`. A later `breakpoint` event
/// replaces the response in any case; `verified: false` is shown with the adapter's `message`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// The breakpoint is in the code.
    #[default]
    Honest,
    /// It is known only once the debuggee runs, by `breakpoint` events, also those of files that
    /// are loaded later: until then the breakpoint is shown as pending.
    WhenRunning,
    /// It is known for each file only once the file is loaded, by `loadedSource` events: code is
    /// loaded at any time.
    WhenLoaded,
    /// Nothing: the adapter says so for every line of every file. A breakpoint counts as set if
    /// the response has a `line` for it, else from its first hit on.
    Always,
}

/// How the adapter compares the path of a source with those in the debug information.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SourcePaths {
    /// It resolves links.
    #[default]
    Resolved,
    /// As texts: if it finds no code, the host sets the breakpoints by other absolute names of the
    /// file: its real path, and those by links in the paths of the launch.
    AsWritten,
    /// It resolves links in the debug information, and none in the paths of breakpoints: the host
    /// sends the real path of a file. Older versions of the adapter may resolve none at all: if it
    /// finds no code, the host sets the breakpoints by other names as with `as-written`.
    Real,
}

/// How the host finds lines with code near one without, without `breakpointLocations`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NearestLines {
    /// Not at all.
    #[default]
    Unknown,
    /// By setting and removing breakpoints on all of them, in two consecutive requests: the
    /// response to `setBreakpoints` says which lines hold code, for a debuggee that is stopped or
    /// does not run yet, and does not affect other breakpoints. Hooks do not see these requests;
    /// the host sends the breakpoints as usual afterwards.
    Tried,
}

/// What happens to a running debuggee when breakpoints are set or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WhileRunning {
    /// It keeps running.
    #[default]
    RunsOn,
    /// The host must stop it first, and resumes it when all breakpoints are set.
    HaltFirst,
}

/// Which breakpoints `hitBreakpointIds` names if several share an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum HitIds {
    /// The breakpoints that stopped the debuggee.
    #[default]
    Exact,
    /// All breakpoints there, or the first one, even if their conditions do not hold: at a stop the
    /// host evaluates the conditions to find out which of them stopped the debuggee. A regular
    /// expression for the value of a condition that does not hold.
    Place {
        /// The regular expression, such as `^(0|false)$`.
        untrue: String,
    },
}

/// Whether the end of a step at a breakpoint is reported as its hit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum StepEnds {
    /// It is, if the debugger counts it as one.
    #[default]
    Reported,
    /// It is not, and the next move does not hit the breakpoint either: the host counts a hit where
    /// a step ends at the beginning of a line, and evaluates conditions. A breakpoint on a function
    /// whose line the adapter does not report is hit by the step that enters the function.
    Silent {
        /// A regular expression for the value of a condition that does not hold.
        untrue: String,
    },
}

/// Who counts hits for breakpoints with a hit condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HitCounts {
    /// The host: the debuggee stops at every hit, and the host resumes it without a report until
    /// the count is reached. This is the default, because adapters disagree about the meaning of a
    /// number in `hitCondition`, and lose their counts when another breakpoint in the file changes.
    #[default]
    Host,
    /// Code of the plugin in the debuggee: the plugin's `on-request` reads `mark.hits` of a
    /// breakpoint in place of `hitCondition`. The code counts hits for which the condition holds,
    /// stops if the count satisfies the mark, and reports hits by `output` events with `data` as in
    /// `BreakpointOutput`; hits before a stop are reported before the stop.
    Plugin,
}

/// Who ends a log point that has written all that it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LogLimits {
    /// The host removes it from the adapter, for which the debuggee may have to stop.
    #[default]
    Host,
    /// The adapter: the plugin's `on-request` reads `mark.last` of a breakpoint. Later hits are not
    /// to be written; the host removes the log point if one comes.
    Adapter,
}

/// Who writes the messages of log points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LogPoints {
    /// The adapter, by `logMessage`, without stopping the debuggee. Before the message come U+001E,
    /// the number of the breakpoint and U+001F, by which the host knows the output. The host writes
    /// log points on functions, which have no `logMessage` in DAP, and all of an adapter without
    /// the capability `supportsLogPoints`.
    #[default]
    Adapter,
    /// The host: it evaluates the message at a stop that it does not report, and resumes.
    Host,
    /// Code of the plugin in the debuggee, without stopping it: the plugin's `on-request` reads
    /// `logMessage` and `mark` of a breakpoint. The code writes `output` events with `data` as in
    /// `BreakpointOutput`. The host writes log points on functions.
    Plugin,
}
