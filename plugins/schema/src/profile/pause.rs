//! How an adapter pauses a debuggee and reports stops.

use serde::{Deserialize, Serialize};

/// `pause` and the reasons of stops.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct PauseProfile {
    /// Which `pause` requests stop the debuggee.
    pub delivery: PauseDelivery,
    /// Rules that classify `stopped` events; the first match is used. `present.stop` may give a
    /// stop that no rule hides another class.
    pub rules: Vec<StopRule>,
}

/// Which `pause` requests stop the debuggee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PauseDelivery {
    /// Each that gets a response.
    #[default]
    Answered,
    /// After every resuming request the adapter sends `continued` once the debuggee runs, and loses
    /// a `pause` that is sent before.
    AfterContinued,
    /// One while the debuggee is in code that the debugger skips gets a response but no stop: the
    /// host repeats it until the debuggee stops or the time limit of a pause has passed.
    Repeated,
}

/// Conditions on a `stopped` event, all of which must hold, and the class of the stop. A rule sees
/// no hits: one for the reason `breakpoint` with another class applies to hits of the caller's
/// breakpoints, too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StopRule {
    /// The event's `reason`.
    pub reason: Option<String>,
    /// Part of the event's `description` or `text`.
    pub text: Option<String>,
    /// Part of the name of the top frame's function.
    pub function: Option<String>,
    /// Only at a source line without this text. Never matches if the line cannot be read.
    pub line_without: Option<String>,
    /// Only then.
    pub when: When,
    /// Only in code that the adapter skips (the source's `presentationHint` is `deemphasize`) and
    /// that user code called.
    pub passed_over: bool,
    /// The class: `entry`, `breakpoint`, `step`, `pause`, `exception`, `panic`, `signal`,
    /// `assertion`.
    pub class: String,
    /// What the host does.
    pub reaction: Reaction,
}

/// When a stop comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// At any time.
    #[default]
    Always,
    /// While a pause of a caller is under way; not one that arrives while the stop is read.
    Pausing,
    /// While the host waits for the entry stop.
    Entering,
}

/// What the host does at a stop. A stop of the class `breakpoint` is reported if one of the
/// caller's breakpoints may be there; one whose reason is `breakpoint`, without an id and at none
/// of them, is the end of the step under way, unless it is in a function that the step passes.
/// While a pause is under way, only `pause-again` does not report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// It reports the stop.
    #[default]
    Report,
    /// It resumes at once, by `continue`: during a step the adapter must still finish it.
    Resume,
    /// It resumes at once, and repeats the pause that is under way, a few times at most: the place
    /// of this stop says nothing about the program.
    PauseAgain,
    /// It steps out at once.
    StepOut,
    /// It steps over at once.
    StepOver,
}
