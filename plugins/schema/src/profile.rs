//! The profile: the behaviour of one adapter, as data. Every key has one meaning, and its default
//! is what the DAP specification says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Facts about the behaviour of an adapter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// When `launch` or `attach` is sent.
    pub launch: LaunchOrder,
    /// Rules that classify `stopped` events; the first match is used.
    pub stops: Vec<StopRule>,
    /// Which output is the debuggee's.
    pub output: OutputProfile,
    /// The meaning of the number in `exited`.
    pub exit_code: ExitCode,
    /// The adapter sends no `exited`: the exit code is the number after this text in its own
    /// output.
    pub exit_code_after: Option<String>,
    /// Who writes the messages of log points.
    pub log_points: LogPoints,
    /// Who counts hits for breakpoints with a hit condition.
    pub hits: HitCounts,
    /// Which breakpoints `hitBreakpointIds` names if several share an address.
    pub hit_ids: HitIds,
    /// If `hitBreakpointIds` may name breakpoints whose conditions do not hold: a regular
    /// expression for the value of a condition that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untrue: Option<String>,
    /// The meaning of `verified` in the response to `setBreakpoints`.
    pub verification: Verification,
    /// The response to `setBreakpoints` says for a stopped debuggee which lines hold code, and does
    /// not affect other breakpoints. Without `breakpointLocations`, the host finds lines near one
    /// without code by setting and removing breakpoints on all of them, in two consecutive
    /// requests.
    pub lines_by_trial: bool,
    /// Part of the message of a breakpoint that the adapter reports as verified although it has no
    /// location in the code (yet).
    pub unbound: Option<String>,
    /// What happens to a running debuggee when breakpoints change.
    pub breakpoints_while_running: WhileRunning,
    /// How to evaluate expressions.
    pub evaluate: EvaluateProfile,
    /// How to run commands of the debugger's own language; none: the adapter takes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<Box<Commands>>,
    /// How variables are reported.
    pub variables: VariablesProfile,
    /// Which frames are not user code.
    pub library: LibraryRule,
    /// Launch options, as JSON, with which the adapter supports a request that it does not announce
    /// otherwise, by request. They are named in the error `unsupported`.
    pub unlocked: BTreeMap<String, String>,
    /// Which part of an error text is for the caller.
    pub error_text: ErrorText,
    /// The beginning of an error text that is a stack trace: the message is the line after the
    /// frames, which are indented.
    pub trace: Option<String>,
    /// Regular expressions for lines, without colours, that say why the debuggee failed. If the end
    /// of its output is too long, these lines are displayed first, unless they name a path of the
    /// library.
    pub telling: Vec<String>,
    /// Meanings of the debuggee's last lines; the first ones that match are reported.
    pub endings: Vec<Ending>,
    /// The adapter answers `threads` and `stackTrace` for a running debuggee, too.
    pub stacks_while_running: bool,
    /// How to find out why a thread waits.
    pub waits: Option<Box<Waits>>,
    /// How to find the causes of an exception in its value, if `exceptionInfo` has none.
    pub causes: Option<Box<CauseRule>>,
    /// `threads` lists about this many threads at most: if the list is full, there may be others.
    pub threads_at_most: Option<u32>,
    /// After its response to `attach` the adapter resumes the debuggee and sends a `continued`
    /// event: the debuggee cannot be controlled before.
    pub continues_attached: bool,
    /// After every resuming request the adapter sends `continued` once the debuggee runs, and loses
    /// a `pause` that is sent before.
    pub pauses_once_continued: bool,
    /// A `pause` while the debuggee is in code that the debugger skips gets a response but no stop:
    /// the host repeats it until the debuggee stops or the time limit of a pause has passed.
    pub forgets_pauses: bool,
    /// `disconnect` with `terminateDebuggee` lets a stopped debuggee run for a moment: the host
    /// kills it instead.
    pub disconnect_resumes: bool,
    /// The adapter attaches in a way that only one debugger can use at a time (ptrace(2)).
    pub traces: bool,
    /// `disconnect` never ends an attached debuggee: the host ends it if it knows the process.
    pub keeps_attached: bool,
    /// `disconnect` without `terminateDebuggee` leaves an attached debuggee stopped and its
    /// breakpoints set. The host first removes those and resumes it.
    pub leaves_attached_as_is: bool,
    /// `disconnect` also ends an attached debuggee if the adapter does not support
    /// `supportTerminateDebuggee`: the reason why it cannot be detached, in a few words for the
    /// caller.
    pub ends_attached: Option<String>,
    /// The debuggee has ended before: the command line opens a core file. The host knows of core
    /// files named by an option without this key.
    pub ended_before: bool,
    /// The debuggee and the adapter's helper inside it communicate over local TCP and delay small
    /// messages (Nagle's algorithm): the host disables that when a thread starts.
    pub sends_late: bool,
    /// Loaded files may be generated from other sources, with a source map next to them (ECMA-426:
    /// `//# sourceMappingURL`, `FILE.map`): those sources are compared with the generated files.
    pub source_maps: bool,
    /// What the adapter appends to the name of a frame or an exception; the name is cut there.
    pub asides: Vec<String>,
    /// Whether `disconnect` can leave a launched debuggee running.
    pub detach_launched: DetachLaunched,
    /// What the host does on the adapter's `startDebugging`.
    pub children: Children,
    /// Child processes of the debuggee run without the debugger: that, and what helps, in a few
    /// words for the caller. Reported in parentheses with breakpoints without a hit, since only a
    /// child process may have reached them.
    pub unfollowed: Option<String>,
    /// What the adapter does after `disconnect`.
    pub left: Left,
}

/// Meaning of the debuggee's last output, which its exit code does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Ending {
    /// A regular expression for the last lines of the debuggee's output, without colours; `^` and
    /// `$` match at line ends.
    pub output: String,
    /// A sentence for the caller; `{1}` is replaced by the first group of the expression.
    pub means: String,
    /// Only if the debuggee failed, by its exit code or a signal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// Only if exceptions should have stopped the debuggee, and no such stop was reported.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
}

/// How to find out why a thread waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Waits {
    /// The function at the top of each waiting thread.
    pub function: String,
    /// An expression for the reason, evaluated there: a string, with or without quotes.
    pub reason: String,
}

/// How to find the causes of an exception in its value: fields of certain types.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CauseRule {
    /// The function that raises exceptions; its innermost frame has the value.
    pub function: String,
    /// An expression for the value in that frame.
    pub value: String,
    /// Types of fields with a cause; a name that ends in a sign, `error(`, is the beginning of one.
    pub causes: Vec<String>,
    /// Types of fields with a list of causes, in the same notation.
    pub lists: Vec<String>,
    /// Names of fields with the message.
    pub messages: Vec<String>,
    /// Names of only children that stand for the value itself: the target of a pointer.
    pub through: Vec<String>,
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

/// Conditions on a `stopped` event, all of which must hold, and the class of the stop.
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
    pub lacks: Option<String>,
    /// Only after the caller requested a pause.
    pub pausing: bool,
    /// Only while the host waits for the entry stop.
    pub entering: bool,
    /// The class: `entry`, `breakpoint`, `step`, `pause`, `exception`, `panic`, `signal`,
    /// `assertion`.
    pub class: String,
    /// Only in code that the adapter skips (the source's `presentationHint` is `deemphasize`) and
    /// that user code called.
    pub passed_over: bool,
    /// Resume at once, by `continue`, instead of reporting the stop: during a step the adapter must
    /// still finish it. With the class `breakpoint` only if none of the caller's breakpoints is
    /// there. While a pause of the caller is under way, only a rule with `pausing` hides the stop,
    /// and the host repeats the pause, a few times at most: the place of this stop says nothing
    /// about the program. To hide a stop always, write the rule twice, first with `pausing`.
    pub resume: bool,
    /// Step out at once instead of reporting the stop.
    pub step_out: bool,
}

/// Meanings of `output` categories; other categories are the adapter's own output, which goes into
/// the session's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct OutputProfile {
    /// Categories of the debuggee's output.
    pub program: Vec<String>,
    /// Beginnings of lines in the debuggee's output that are the adapter's.
    pub adapter_lines: Vec<String>,
    /// The adapter's own standard output and error are the debuggee's: the adapter passes its
    /// streams on. Needed for a process with the role `both` that sends no `output` events;
    /// `adapter_lines` does not apply to them.
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

/// Who writes the messages of log points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LogPoints {
    /// The adapter, by `logMessage`, without stopping the debuggee: the host sends U+001E, the
    /// number of the breakpoint, U+001F and the text. The adapter's output begins with the same
    /// mark; if the thread is known, U+001F, its name and U+001F follow the mark. The host writes
    /// log points on functions, which have no `logMessage` in DAP.
    #[default]
    Adapter,
    /// The host: it evaluates the message at a stop that it does not report, and resumes.
    Host,
}

/// Who counts hits for breakpoints with a hit condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HitCounts {
    /// The host: the debuggee stops at every hit, and the host resumes it without a report until
    /// the count is reached. This is the default, because adapters disagree about the meaning of a
    /// number, and lose their counts when another breakpoint in the file changes.
    #[default]
    Host,
    /// The adapter, by `hitCondition`, counting hits for which the condition holds: U+001E, the
    /// number of the breakpoint, U+001F, the number of earlier hits, a space, `==`, `>=` or `%`, a
    /// space and a number. It stops if the count satisfies that, and reports further hits by output
    /// that is U+001E, the number of the breakpoint, `+`, the number of hits, and U+001F; hits
    /// before a stop are reported before the stop.
    Adapter,
}

/// Which breakpoints `hitBreakpointIds` names if several share an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HitIds {
    /// The breakpoints that stopped the debuggee.
    #[default]
    Exact,
    /// All breakpoints there, or the first one, even if their conditions do not hold.
    Place,
}

/// The meaning of `verified: true` in the response to `setBreakpoints`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// The breakpoint is in the code.
    #[default]
    Honest,
    /// It is known only once the debuggee runs, by `breakpoint` events.
    WhenRunning,
    /// It is known for each file only once the file is loaded, by `loadedSource` events: code is
    /// loaded at any time.
    WhenLoaded,
    /// Nothing: the adapter says so for every line of every file.
    Always,
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

/// Contexts of `evaluate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct EvaluateProfile {
    /// The context that reads a value. If it also takes assignments or statements, the adapter
    /// refuses none of them: `translate.evaluation-text` has to report these as `writes-state`.
    pub value: String,
    /// The context that may run statements.
    pub statement: String,
    /// Does the statement context accept assignments? Otherwise only a request to set a variable
    /// assigns.
    pub assigns: bool,
    /// An expression that checks the syntax of a condition before it is sent, with `{json}` in
    /// place of the condition as a JSON string, or `{text}` in place of the condition itself;
    /// evaluated in `check_context`, without a frame. A response with an error refuses the
    /// condition, with its message for the caller. It must not evaluate the condition.
    pub check: Option<String>,
    /// The context of `check`.
    pub check_context: String,
    /// What must exist before `check` can be evaluated.
    pub check_needs: CheckNeeds,
    /// During an evaluation the adapter reads no other request and cannot abort it: a call would
    /// continue after its caller has given up.
    pub alone: bool,
}

/// What must exist before the syntax of a condition can be checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CheckNeeds {
    /// The response to `initialize`: an invalid condition is reported before anything starts.
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

/// How to run commands of the debugger's own language. The response to `evaluate` is the output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Commands {
    /// The context of `evaluate`.
    pub context: String,
    /// Text before each command.
    pub prefix: String,
    /// Commands that leave the debugger: they run programs, scripts or files. `sh[ell] -c` means
    /// the words `shell` and `-c`, the first also as `sh`, `she` or `shel`; `x * -o*` the word `x`
    /// and, behind any words, one that begins with `-o`; `+` one word. A word of other characters
    /// than letters, digits, `-`, `_` and `.` also counts without a space after it.
    pub escapes: Vec<String>,
    /// Commands that may contain another command after their first word, in the same notation: no
    /// later word may begin an escape.
    pub carriers: Vec<String>,
    /// Texts that leave the debugger anywhere in a command.
    pub escape_texts: Vec<String>,
    /// Texts that leave the debugger anywhere in an expression of a raw request. The expressions of
    /// other requests pass `evaluation-text` and `breakpoint`, which refuse these.
    pub expression_escapes: Vec<String>,
    /// The command that deletes the breakpoint with the adapter's number `{}`.
    pub delete: Option<String>,
    /// The context of `evaluate` for sessions that are opened without a target: the debugger takes
    /// commands before it has a program, and the response is a JSON object
    /// `{number, result, output, stops}`. `number` counts the commands; `result` is
    /// `{status: done | running | connected | error | exit, data | message}`, `null` for an empty
    /// command; `stops` has the stops of earlier commands that were answered with `running`:
    /// `{number, command, result, output}`, each once.
    pub records: Option<String>,
}

/// How variables are reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct VariablesProfile {
    /// Children that are the adapter's own and not the program's.
    pub hidden: Vec<String>,
    /// Names of scopes with a frame's local variables, besides those with the presentation hint
    /// `locals` or `arguments`.
    pub locals: Vec<String>,
    /// The adapter cuts long or slow values here: two texts that differ only after this mark are
    /// equal.
    pub cut_mark: Option<String>,
    /// The value with which the adapter answers for a missing child of a path or key of a mapping
    /// instead of an error. `debug_evaluate` displays it; a hook `on-response` can refuse it.
    pub absent: Option<String>,
    /// How elements of long containers are listed.
    pub elements: Elements,
    /// Mappings in which a number is a key, never a position.
    pub numbered: Vec<Numbered>,
    /// Ends of the names of pointer types: the `memoryReference` of such a value is the address it
    /// points to.
    pub pointers: Vec<String>,
    /// Scopes list the values at the time of the stop, even if `scopes` is requested again after an
    /// assignment: the host evaluates the variables by name. Not needed if only earlier references
    /// list old values, since the host requests `scopes` for every read.
    pub stale: bool,
}

/// Mappings whose children are entries by number, or are named by their keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Numbered {
    /// Names of their types; one with a `<` is a prefix.
    pub types: Vec<String>,
    /// An expression for the value of the key `{key}`, a literal or a name, in `{expr}`; None: the
    /// children are named by their keys, and are searched.
    pub value: Option<String>,
}

/// How elements of long containers are listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Elements {
    /// The largest number that the adapter lists well in one response.
    pub at_once: u64,
    /// The name of a child whose value is the number of elements.
    pub count: Option<String>,
    /// Names of children that stand for omitted elements.
    pub rest: Vec<String>,
    /// How to request elements beyond `at_once`.
    pub pages: Pages,
}

impl Default for Elements {
    fn default() -> Self {
        Self { at_once: 100, count: None, rest: Vec::new(), pages: Pages::Listed }
    }
}

/// How to request a page of elements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pages {
    /// Not at all: `variables` returns all elements.
    #[default]
    Listed,
    /// By `start` and `count` of the `variables` request.
    Requested,
    /// By an expression for the elements `{start}` to `{end}` (exclusive) of `{expr}`: a sequence,
    /// or a mapping with its keys.
    Slice(String),
    /// By an expression for each: the element `{n}` of `{expr}`.
    Each(String),
}

/// Which frames are not user code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LibraryRule {
    /// Parts of source paths.
    pub paths: Vec<String>,
    /// Beginnings of function names.
    pub functions: Vec<String>,
    /// Beginnings of module paths; the program's own file never matches.
    pub modules: Vec<String>,
}

/// Which part of an error text is for the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorText {
    /// The whole text.
    #[default]
    Whole,
    /// The last line that is not empty.
    LastLine,
    /// The first line.
    FirstLine,
}

/// The effect of `disconnect {terminateDebuggee: false}` on a launched debuggee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DetachLaunched {
    /// The debuggee keeps running.
    #[default]
    RunsOn,
    /// Not possible: the debuggee is killed, or the adapter never responds.
    Impossible,
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

/// What the adapter does after `disconnect`, when its connection is closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Left {
    /// It exits soon.
    #[default]
    Ends,
    /// It waits for another client: the host ends it.
    Stays,
}
