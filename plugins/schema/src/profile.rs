//! The profile: how one adapter behaves, as data. Every key has one meaning,
//! and its default is what the DAP specification says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Declared facts about an adapter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// When `launch` or `attach` is sent.
    pub launch: LaunchOrder,
    /// How `stopped` events are read; the first rule that matches wins.
    pub stops: Vec<StopRule>,
    /// Which output is the debuggee's.
    pub output: OutputProfile,
    /// What the number in `exited` means.
    pub exit_code: ExitCode,
    /// There is no `exited`: the number behind this text, in the adapter's own output, is what
    /// would be in it.
    pub exit_said: Option<String>,
    /// Who writes log breakpoints.
    pub log_points: LogPoints,
    /// Who counts the hits of breakpoints that stop at some of them only.
    pub hits: HitCounts,
    /// What `hitBreakpointIds` names where several breakpoints share a place.
    pub hit_ids: HitIds,
    /// Where those may be wrong: how the value of a condition looks that does not hold, as an
    /// expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untrue: Option<String>,
    /// What `verified` in the answer to `setBreakpoints` is worth.
    pub verification: Verification,
    /// The answer to `setBreakpoints` says at once, of a debuggee that stands, which lines hold
    /// code, and leaves what was set before as it is: where there is no `breakpointLocations`,
    /// lines beside one without code are found by setting them all and taking them back, in two
    /// requests that nothing comes between.
    pub lines_by_trial: bool,
    /// A part of the message of breakpoints that count as verified to the adapter
    /// and have no place in the code (yet).
    pub unbound: Option<String>,
    /// What becomes of a running debuggee whose breakpoints change.
    pub breakpoints_while_running: WhileRunning,
    /// What to do with evaluations.
    pub evaluate: EvaluateProfile,
    /// How variables are told.
    pub variables: VariablesProfile,
    /// Frames that are not the user's.
    pub library: LibraryRule,
    /// Options of the launch, as JSON, without which the adapter does not support a request, by the
    /// request.
    pub unlocked: BTreeMap<String, String>,
    /// Which part of an error text is for the caller.
    pub error_text: ErrorText,
    /// How an error text begins that is a stack trace: its point is the line behind
    /// the frames, which are indented.
    pub trace: Option<String>,
    /// Regular expressions for lines, without colours, that say why the debuggee failed: where the
    /// end of its output is too long they stay before others, unless they name a path of the
    /// library.
    pub telling: Vec<String>,
    /// What words that the debuggee prints at its end mean to the caller; the first that match are
    /// told.
    pub endings: Vec<Ending>,
    /// `threads` and `stackTrace` are answered of a debuggee that runs, too.
    pub stacks_while_running: bool,
    /// How a thread tells why it waits.
    pub waits: Option<Waits>,
    /// `threads` lists no more than about so many: where it does, there may be others.
    pub threads_at_most: Option<u32>,
    /// Once `attach` is answered the adapter resumes the debuggee and says so by a
    /// `continued` event: before that it is not under control.
    pub continues_attached: bool,
    /// After every move the adapter says `continued` once the debuggee runs, and loses a
    /// `pause` that comes before.
    pub pauses_once_continued: bool,
    /// A `pause` that comes while the debuggee is in code which the debugger passes over is
    /// answered and forgotten: it is sent again until the debuggee stops.
    pub forgets_pauses: bool,
    /// `disconnect` that ends a debuggee which stands lets it run on for a moment: it is
    /// killed instead.
    pub disconnect_resumes: bool,
    /// It gets into a process as only one debugger can at a time (ptrace(2)).
    pub traces: bool,
    /// `disconnect` lets an attached debuggee live, whatever is asked: the host ends it, where it
    /// knows the process.
    pub keeps_attached: bool,
    /// `disconnect` that lets an attached debuggee go leaves it as it is: standing, if it stands,
    /// and with its breakpoints. The host first takes those back and has it run.
    pub leaves_attached_as_is: bool,
    /// `disconnect` ends what was attached to as well where the adapter does not offer
    /// `supportTerminateDebuggee`: why it cannot be let go, in a few words for the caller.
    pub ends_attached: Option<String>,
    /// What is debugged has ended before: the command line opens a core file. Where an option names
    /// one the host knows.
    pub ended_before: bool,
    /// The debuggee and what the adapter puts beside it speak over TCP of this machine and hold
    /// small messages back (Nagle's algorithm): the host has them sent at once, when a thread
    /// starts.
    pub sends_late: bool,
    /// What is loaded may be made of other sources, and have a map of them beside it (ECMA-426:
    /// `FILE.map`): those are as new as what was made of them.
    pub source_maps: bool,
    /// What the adapter adds behind the name of a frame or an exception; cut from there on.
    pub asides: Vec<String>,
    /// `disconnect` that leaves a launched debuggee running.
    pub detach_launched: DetachLaunched,
    /// What `startDebugging` of the adapter comes to.
    pub children: Children,
    /// Child processes of the debuggee run without the debugger: that, and what helps, as a few
    /// words for the caller. They are told in brackets beside breakpoints without a hit, since only
    /// children may have come by those.
    pub unfollowed: Option<String>,
    /// What the adapter does once it is left.
    pub left: Left,
}

/// Words that say, at the end of the debuggee, what its exit code does not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Ending {
    /// A regular expression for the last lines that the debuggee printed, without colours: `^` and
    /// `$` are the beginning and the end of a line.
    pub output: String,
    /// A sentence for the caller; `{1}` is what the first group of the expression stands for.
    pub means: String,
    /// Only where the debuggee has failed: by its exit code, or by a signal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// Only where exceptions were to stop the debuggee, and the caller was told of no such stop.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
}

/// How a thread tells why it waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Waits {
    /// The function in which each thread stands that waits.
    pub function: String,
    /// An expression for why, evaluated there: a text, with or without quotation marks.
    pub reason: String,
}

/// When `launch` or `attach` goes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LaunchOrder {
    /// Right after the answer to `initialize`, unawaited.
    #[default]
    First,
    /// After the answer to `configurationDone`.
    AfterConfiguration,
}

/// Conditions on a `stopped` event, all of which must hold, and its class.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StopRule {
    /// The event's `reason`.
    pub reason: Option<String>,
    /// A part of the event's `description` or `text`.
    pub text: Option<String>,
    /// A part of the top frame's function name.
    pub function: Option<String>,
    /// Only at a line of source without this text. It holds nowhere where the line cannot be read.
    pub lacks: Option<String>,
    /// Only after the host asked for a pause.
    pub pausing: bool,
    /// Only while the host waits for the entry stop.
    pub entering: bool,
    /// What the stop is called: `entry`, `breakpoint`, `step`, `pause`,
    /// `exception`, `panic`, `signal`, `assertion`.
    pub class: String,
    /// Only in code that the adapter passes over (the source's `presentationHint` is
    /// `deemphasize`), which the user's own called.
    pub passed_over: bool,
    /// Resume at once instead of stopping. With the class `breakpoint` only where none of the
    /// caller's breakpoints is. With `pausing` the pause is asked for again then, a few times at
    /// most: what it came upon shows nothing of the program.
    pub resume: bool,
    /// Step out at once instead of stopping.
    pub step_out: bool,
}

/// Which `output` categories mean what; categories not named are the adapter's
/// own words, kept in the session's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct OutputProfile {
    /// Categories that carry what the debuggee printed.
    pub program: Vec<String>,
    /// Lines of program output that start with one of these are the adapter's.
    pub adapter_lines: Vec<String>,
    /// What comes out of the adapter's own standard output and error is what the debuggee printed:
    /// it has them from the adapter.
    pub pipes: bool,
}

impl Default for OutputProfile {
    fn default() -> Self {
        Self {
            program: vec!["stdout".into(), "stderr".into()],
            adapter_lines: Vec::new(),
            pipes: false,
        }
    }
}

/// What the number in `exited` means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExitCode {
    /// The exit code.
    #[default]
    Plain,
    /// A code above 192 is 256 minus the signal that ended the debuggee.
    NegativeSignal,
    /// A code below 0 is minus the signal that ended the debuggee.
    MinusSignal,
    /// A code above 128 is 128 plus the signal that ended the debuggee, as shells have it.
    ShellSignal,
}

/// Who writes log breakpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LogPoints {
    /// The adapter, by `logMessage`, without stopping the debuggee: U+001E, the breakpoint's
    /// number, U+001F and the text. What it writes begins with the same mark, and with U+001F, the
    /// thread's name and U+001F behind it where the thread is known. Breakpoints on functions,
    /// which have no `logMessage` in DAP, are the host's to write.
    #[default]
    Adapter,
    /// The host: the debuggee stops unseen, the host evaluates and resumes.
    Host,
}

/// Who counts the hits of breakpoints that stop at some of them only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HitCounts {
    /// The host: the debuggee stops unseen at the others. No adapter is trusted with it unasked:
    /// they disagree about what a number means, and forget how far they had come when a neighbour
    /// of the breakpoint changes.
    #[default]
    Host,
    /// The adapter, by `hitCondition`, of hits for which the condition holds: U+001E, the
    /// breakpoint's number, U+001F, how many there were before, a blank, `==`, `>=` or `%`, a blank
    /// and a number. It stops where that accepts the count, and tells of more hits by output that
    /// is U+001E, the breakpoint's number, `+`, how many more, and U+001F; of those that lead to a
    /// stop before the stop.
    Adapter,
}

/// What `hitBreakpointIds` names where several breakpoints share a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HitIds {
    /// Those that have stopped the debuggee.
    #[default]
    Exact,
    /// All of the place, or the first of them, whether or not their conditions hold.
    Place,
}

/// What `verified: true` in the answer to `setBreakpoints` is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// It is true.
    #[default]
    Honest,
    /// It is known only once the debuggee runs, by `breakpoint` events.
    WhenRunning,
    /// The same for each file once that is loaded, as `loadedSource` events tell: code comes and
    /// comes.
    WhenLoaded,
    /// Nothing: the adapter says so of every line of every file.
    Always,
}

/// What becomes of a running debuggee when breakpoints are set or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WhileRunning {
    /// It runs on.
    #[default]
    RunsOn,
    /// The host must stop it before, and resumes it when all are set.
    HaltFirst,
}

/// Contexts of `evaluate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct EvaluateProfile {
    /// The context that reads a value.
    pub value: String,
    /// The context that may run statements.
    pub statement: String,
    /// Does that take assignments? Where it does not, only what is asked to set a variable assigns.
    pub assigns: bool,
    /// An expression that checks the syntax of a condition before it is sent,
    /// with `{json}` in place of the condition as a JSON string, or `{text}` of
    /// the condition as it stands; evaluated in `check_context` once the adapter
    /// can. It must not run the condition.
    pub check: Option<String>,
    /// The context of `check`.
    pub check_context: String,
    /// What there must be before `check` can be evaluated.
    pub check_needs: CheckNeeds,
    /// While it evaluates, the adapter hears nothing else and cannot be told to leave it: a move
    /// would be made when nobody waits for it any more.
    pub alone: bool,
}

/// What there must be before a condition's syntax can be checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CheckNeeds {
    /// The answer to `initialize`: a bad condition is told before anything starts.
    #[default]
    Adapter,
    /// A debuggee: after the event `initialized`.
    Debuggee,
}

impl Default for EvaluateProfile {
    fn default() -> Self {
        Self {
            value: "watch".into(),
            statement: "repl".into(),
            assigns: true,
            check: None,
            check_context: "repl".into(),
            check_needs: CheckNeeds::Adapter,
            alone: false,
        }
    }
}

/// How variables are told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct VariablesProfile {
    /// Children that are the adapter's own and not the program's.
    pub hidden: Vec<String>,
    /// Names of the scopes that hold a frame's locals, beside those with the
    /// presentation hint `locals` or `arguments`.
    pub locals: Vec<String>,
    /// Values from here on are cut by the adapter (time or length), so that
    /// two texts that differ only behind it are equal.
    pub cut_mark: Option<String>,
    /// The value of an expression for something that is not there, where that is no error.
    pub absent: Option<String>,
    /// How the elements of long containers are told.
    pub elements: Elements,
    /// Mappings of which a number is a key, never a place.
    pub numbered: Vec<Numbered>,
    /// How the names of the types of pointers end: the `memoryReference` of such a value is where
    /// it points.
    pub pointers: Vec<String>,
    /// Scopes list their variables as they were when the debuggee stopped, whatever has been
    /// assigned since.
    pub kept: bool,
}

/// Mappings whose children are entries by number, or have their keys for names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Numbered {
    /// The names of their types; one with a `<` is how they begin.
    pub types: Vec<String>,
    /// An expression for the value of the key `{key}`, a literal or a name, of `{expr}`; none: the
    /// children are named by their keys, and looked through.
    pub value: Option<String>,
}

/// How the elements of long containers are told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Elements {
    /// How many the adapter lists well in one answer.
    pub at_once: u64,
    /// The name of a child whose value is how many there are.
    pub count: Option<String>,
    /// Names of children that stand for elements left out.
    pub rest: Vec<String>,
    /// How those beyond `at_once` are asked for.
    pub pages: Pages,
}

impl Default for Elements {
    fn default() -> Self {
        Self { at_once: 100, count: None, rest: Vec::new(), pages: Pages::Listed }
    }
}

/// How a page of elements is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pages {
    /// Not at all: `variables` answers with everything there is.
    #[default]
    Listed,
    /// By `start` and `count` of the `variables` request.
    Requested,
    /// By an expression for the elements `{start}` to `{end}` (exclusive) of `{expr}`:
    /// a sequence, or a mapping that keeps its keys.
    Slice(String),
    /// By an expression for each, the element `{n}` of `{expr}`.
    Each(String),
}

/// Frames that are not the user's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LibraryRule {
    /// Parts of a source path.
    pub paths: Vec<String>,
    /// Beginnings of a function name.
    pub functions: Vec<String>,
    /// Beginnings of a module's path; the program's own file is none.
    pub modules: Vec<String>,
}

/// Which part of an error text is for the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorText {
    /// All of it.
    #[default]
    Whole,
    /// The last line that is not empty.
    LastLine,
    /// The first line.
    FirstLine,
}

/// `disconnect {terminateDebuggee: false}` of a launched debuggee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DetachLaunched {
    /// The debuggee runs on.
    #[default]
    RunsOn,
    /// Not possible: it is killed, or the adapter never answers.
    Impossible,
}

/// What the adapter's request for a session beside its own (`startDebugging`) comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Children {
    /// It is refused, and the adapter is told so beforehand.
    #[default]
    Refused,
    /// Each is another connection, to the `connect` of its configuration or else to the
    /// adapter's own endpoint; with the first one they are one session to the caller.
    One,
}

/// What the adapter does after `disconnect`, with its connection closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Left {
    /// It ends by itself, soon.
    #[default]
    Ends,
    /// It waits for the next one: it is ended at once.
    Stays,
}
