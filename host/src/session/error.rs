//! What can go wrong for a caller, as facts; `view` makes the sentence. One list, long because
//! every fact of every fault stands in it with its meaning.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dapdock_schema::Profile;

pub use crate::model::Fault;
use crate::model::answer::{Refusal, RefusalKind};
use crate::model::{Epoch, Thread};
use crate::session::values::convert;
use crate::target::launch_json;
use crate::{dap, plugin, process};

/// An error of a session.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The configuration cannot be used.
    #[error("{0}")]
    Config(String),
    /// A configuration of an editor's cannot be used.
    #[error("{0}")]
    Configuration(launch_json::Problem),
    /// No session is open.
    #[error("no session is open")]
    NoSession,
    /// Several sessions could be meant and none was named.
    #[error("{}", which(open, ended))]
    WhichSession {
        /// Those that are open.
        open: Vec<String>,
        /// Those that have ended and could be meant all the same.
        ended: Vec<String>,
    },
    /// There is no session of that name.
    #[error("there is no session `{name}`{}", if open.is_empty() && ended.is_empty() { String::new() } else { format!("; {}", sessions(open, ended)) })]
    UnknownSession {
        /// What was asked for.
        name: String,
        /// Those that are open.
        open: Vec<String>,
        /// Those that have ended and are remembered.
        ended: Vec<String>,
    },
    /// The session is over.
    #[error("session {session} has ended{}", cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default())]
    Ended {
        /// Its name.
        session: String,
        /// Why, where nobody asked for it.
        cause: Option<String>,
        /// Was it launched, and can be again?
        restarts: bool,
    },
    /// No session is open, and of the last there is nothing to end.
    #[error("no session is open; the last, {last}, has failed to start")]
    NothingToEnd {
        /// Its name.
        last: String,
    },
    /// The call needs a stopped debuggee.
    #[error("the debuggee is running")]
    NotStopped,
    /// The call moves the debuggee, which is there as a core file alone.
    #[error("a core file does not run")]
    PostMortem,
    /// The call needs a running debuggee.
    #[error("the debuggee is stopped already")]
    NotRunning,
    /// The session does not run yet.
    #[error("the session is still {doing}")]
    NotReady {
        /// "building", "starting".
        doing: String,
    },
    /// The debuggee moved on while the answer was being read.
    #[error("the debuggee moved on before the answer was complete")]
    Superseded,
    /// The adapter still evaluates what nobody waits for any more, and answers nothing else.
    #[error("the debugger is still evaluating `{expression}`, for {:.0} s now, and answers nothing else", since.as_secs_f32())]
    Busy {
        /// What it is at.
        expression: String,
        /// For how long.
        since: Duration,
    },
    /// The caller is gone, or a signal came.
    #[error("the host is ending; nothing more is started")]
    Closing,
    /// The session's own machinery broke, and the session with it.
    #[error("dapdock itself failed and the session is gone; its standard error says where")]
    HostFault,
    /// Several things are wrong with one call.
    #[error("{}", all.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Several {
        /// In the order in which the call has them, two at least.
        all: Vec<Error>,
    },
    /// A breakpoint number that is not there.
    #[error("there is no breakpoint #{id}{}", if known.is_empty() { String::new() } else { format!("; there are {}", known.iter().map(|k| format!("#{k}")).collect::<Vec<_>>().join(", ")) })]
    UnknownBreakpoint {
        /// Asked for.
        id: u32,
        /// There are.
        known: Vec<u32>,
    },
    /// A breakpoint's file is not there.
    #[error("there is no file {}", path.display())]
    NoSuchSource {
        /// Asked for.
        path: PathBuf,
        /// Files of that name in the workspace.
        near: Vec<PathBuf>,
    },
    /// A line beyond the end of its file.
    #[error("{} has {lines} lines, there is no line {line}", path.display())]
    NoSuchLine {
        /// The file.
        path: PathBuf,
        /// Asked for.
        line: u32,
        /// There are.
        lines: u32,
    },
    /// A hit condition of a form that is not known.
    #[error("hit condition `{text}` is none of `3`, `== 3`, `>= 3`, `> 3`, `% 3`")]
    BadHitCondition {
        /// As given.
        text: String,
    },
    /// A hit condition that no run can fulfil.
    #[error("hit condition `{text}` is never fulfilled: hits are counted up to {most}")]
    HitOutOfReach {
        /// As given.
        text: String,
        /// The last hit that is counted.
        most: u64,
    },
    /// A condition that the debugger cannot read.
    #[error("condition `{text}` does not parse: {why}")]
    BadCondition {
        /// As given.
        text: String,
        /// The debugger's words.
        why: String,
    },
    /// A condition, log text or expression that the plugin refuses.
    #[error("{message}")]
    Refused {
        /// The plugin's or the adapter's sentence.
        message: String,
        /// What it is about, where that is known.
        part: Option<Part>,
    },
    /// A frame index that the stack does not have.
    #[error("there is no frame {index}; the stack has {count}")]
    NoSuchFrame {
        /// Asked for.
        index: u32,
        /// There are.
        count: u32,
    },
    /// A thread that is not there.
    #[error("there is no thread {asked}; there are {}", known.join(", "))]
    NoSuchThread {
        /// Asked for: a number or a name.
        asked: String,
        /// "3 worker-1", …
        known: Vec<String>,
    },
    /// A scope that the frame does not have.
    #[error("the frame has no scope `{name}`; it has {}", known.join(", "))]
    NoSuchScope {
        /// Asked for.
        name: String,
        /// There are.
        known: Vec<String>,
    },
    /// A path that leads nowhere.
    #[error("{} has no `{segment}`{}", if parent.is_empty() { "the scope" } else { parent.as_str() }, if near.is_empty() { String::new() } else { format!("; there are {}", near.join(", ")) })]
    NoSuchVariable {
        /// The part of the path that was found.
        parent: String,
        /// The part that was not.
        segment: String,
        /// Names there, the likeliest first.
        near: Vec<String>,
    },
    /// A text that could do more than read.
    #[error("`{text}` is not a path to a variable")]
    NotAPath {
        /// What the caller wrote.
        text: String,
    },
    /// No stop before this one was in the same call.
    #[error("{}", match before { None => "there is no stop before this one to compare with".to_owned(), Some((epoch, function)) => format!("stop {} was in `{function}`, not in the call that this one is in: their locals cannot be compared", epoch.0) })]
    NothingToCompare {
        /// The stop before and its function.
        before: Option<(Epoch, String)>,
    },
    /// What is deep inside a variable, as it was at an earlier stop.
    #[error(
        "of the stop before only the locals and the first values inside them are kept; `{path}` cannot be compared"
    )]
    NotKept {
        /// As given.
        path: String,
        /// The local that it starts from.
        root: String,
    },
    /// A key that was looked for among some of many.
    #[error("`{key}` is not among the first {looked_at} keys of {parent}; there are more")]
    NotAmong {
        /// The mapping.
        parent: String,
        /// The key asked for.
        key: String,
        /// How many entries were looked at.
        looked_at: u64,
    },
    /// A number beyond the end of a container.
    #[error("{parent} has no element {number}: it has {count}")]
    NoSuchElement {
        /// The container.
        parent: String,
        /// The number asked for.
        number: u64,
        /// How many there are.
        count: u64,
    },
    /// A word for exceptions that the adapter does not know.
    #[error("`{name}` is no exception filter here; there are {}{}", known.join(", "), types_too(types.as_ref()))]
    UnknownExceptionFilter {
        /// Asked for.
        name: String,
        /// There are.
        known: Vec<String>,
        /// Types that could be named, where any can.
        types: Option<String>,
    },
    /// A capability that the adapter lacks.
    #[error("this adapter does not support `{what}`{}", unlocked.as_ref().map(|by| format!(", but in a program that is launched with options {by}")).unwrap_or_default())]
    Unsupported {
        /// The DAP request or feature.
        what: String,
        /// The options with which it does.
        unlocked: Option<String>,
    },
    /// What was attached to ends with the session.
    #[error("the program cannot be let go: {why}")]
    CannotLetGo {
        /// The plugin's words.
        why: String,
    },
    /// Nothing is known of the debuggee any more.
    #[error("the connection to {} is lost: what became of the program is not known", address.as_deref().unwrap_or("the program"))]
    ConnectionLost {
        /// Where it was reached, if by an address.
        address: Option<String>,
    },
    /// The adapter could not leave what it was attached to.
    #[error(
        "the debugger could not leave {address}: {why}; what became of the program is not known"
    )]
    NotParted {
        /// Where it was reached.
        address: String,
        /// The adapter's words.
        why: String,
    },
    /// A thread that is named while nobody lists threads.
    #[error("the debugger lists no threads while the program runs: `{asked}` cannot be looked for")]
    ThreadsUnlisted {
        /// The name.
        asked: String,
    },
    /// The adapter does not tell the calls of a line apart.
    #[error("this adapter cannot step into `{name}` alone, only into whatever is called first")]
    NoStepIntoOne {
        /// The call asked for.
        name: String,
    },
    /// The adapter lets all threads go on, or none.
    #[error("this adapter lets thread {thread} go on only with all others")]
    NoThreadAlone {
        /// The thread that was to go on.
        thread: i64,
    },
    /// No call that the adapter could step into has this name, or several have it.
    #[error("{}", calls(name, *fitting, known))]
    WhichCall {
        /// Asked for.
        name: String,
        /// So many calls are meant by it.
        fitting: usize,
        /// The calls of the line, as the adapter names them; some name those of later lines too.
        known: Vec<String>,
    },
    /// The plugin cannot have a program read a file.
    #[error("{adapter} gives a program no standard input")]
    NoStdin {
        /// The adapter.
        adapter: String,
    },
    /// What would debug the target cannot look into a core file.
    #[error("{adapter} opens no core files; {}{}", if able.is_empty() { "nothing here does".to_owned() } else { format!("{} can", able.join(", ")) },
        if *named || able.is_empty() { "" } else { ", with the machine code that dumped it: of a script its interpreter" })]
    NoCores {
        /// The adapter.
        adapter: String,
        /// Those that can, by name.
        able: Vec<String>,
        /// The caller has named it; another would open this one.
        named: bool,
    },
    /// A variable that does not take the value.
    #[error("{message}")]
    NotSet {
        /// The variable.
        target: String,
        /// The plugin's or the debugger's words.
        message: String,
    },
    /// An integer that was cut to its type, and was given its old value back.
    #[error("`{target}` is {}, which {value} does not fit", ty.as_deref().unwrap_or("a smaller number"))]
    DoesNotFit {
        /// The variable.
        target: String,
        /// What it was to be.
        value: String,
        /// As the debugger names it, where it does.
        ty: Option<String>,
    },
    /// A value that is read as it was, though the debugger says that it is another now.
    #[error("the debugger says that it is set, and it is still {value}")]
    StillTheSame {
        /// The variable.
        target: String,
        /// What it is.
        value: String,
    },
    /// A regular expression that does not parse.
    #[error("`{pattern}` is not a regular expression: {cause}")]
    BadPattern {
        /// As given.
        pattern: String,
        /// Why.
        cause: String,
    },
    /// No plugin claims the target.
    #[error("no adapter knows how to debug {target}{}", others(adapters, tests))]
    NoAdapter {
        /// The target.
        target: String,
        /// Adapters by name with what they claim.
        adapters: Vec<String>,
        /// Of a test: command lines that would run it.
        tests: Vec<String>,
    },
    /// No test has the name.
    #[error("no test is named {name} here{}", there_are(near, commands))]
    NoTest {
        /// The name.
        name: String,
        /// Names of tests, the most alike first.
        near: Vec<String>,
        /// Is the first of them what may be meant?
        alike: bool,
        /// Command lines that run a test of the name, where it is made while they run.
        commands: Vec<String>,
    },
    /// Nothing about the target says which adapter it wants.
    #[error("{target} does not say which adapter it wants; there are {}", adapters.join(", "))]
    AdapterNeeded {
        /// The target.
        target: String,
        /// Names for `adapter` of those that attach so.
        adapters: Vec<String>,
    },
    /// A process that is not there.
    #[error("process {pid} cannot be attached to: {why}")]
    NoSuchProcess {
        /// Its number.
        pid: u32,
        /// The system's reason.
        why: String,
    },
    /// The system lets a process not be looked at, or nothing be traced (ptrace(2)).
    #[error("{message}")]
    NotPermitted {
        /// The system's words, or the debugger's.
        message: String,
        /// Whose the process is, where that is another.
        owner: Option<u32>,
        /// Who may trace what, where the system restricts it (`kernel.yama.ptrace_scope`).
        scope: Option<u32>,
    },
    /// Only what was launched can be started again.
    #[error("it was attached to, not launched: there is nothing to start again")]
    WasAttached {
        /// The call that attached to it.
        again: String,
    },
    /// A process that has a debugger, as one can at a time.
    #[error(
        "process {pid} cannot be attached to: process {by} ({name}) debugs it already, and only one can"
    )]
    Traced {
        /// Its number.
        pid: u32,
        /// The debugger's.
        by: u32,
        /// The debugger's name.
        name: String,
    },
    /// Several plugins claim the target equally.
    #[error("{target} can be debugged by {}", adapters.join(" or "))]
    WhichAdapter {
        /// The target.
        target: String,
        /// Their names.
        adapters: Vec<String>,
    },
    /// The target is not there.
    #[error("{what} {} {problem}", path.display())]
    BadPath {
        /// "program", "cwd".
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// "does not exist", "is a directory".
        problem: String,
        /// The nearest names.
        near: Vec<PathBuf>,
    },
    /// A core file where a program is to be.
    #[error("{} is a core file, which is opened with the program that dumped it", path.display())]
    IsCore {
        /// The file.
        path: PathBuf,
    },
    /// A core file with a program that has not dumped it: all that would be told of it is false.
    #[error("core {} was dumped by {}, {}", core.display(), dumper.display(), not_by(program, dumper))]
    DumpedByAnother {
        /// The file.
        core: PathBuf,
        /// The program that was named.
        program: PathBuf,
        /// The one that has dumped it.
        dumper: PathBuf,
    },
    /// The plugin refuses the request, with the one next step that helps.
    #[error("{message}")]
    Plugin {
        /// Stable code of the plugin's error kind: `tool-missing`, `build-failed`.
        code: &'static str,
        /// Its sentence.
        message: String,
        /// Its next step.
        hint: Option<String>,
        /// The plugin is broken (trap, timeout, lie), not the request.
        broken: bool,
    },
    /// A key of `options` that the adapter does not have, or a value that it does not take.
    #[error("{message}")]
    BadOption {
        /// The key.
        key: String,
        /// The adapter has it: its value is wrong.
        known: bool,
        /// Names the adapter and what is wrong.
        message: String,
        /// The key that was probably meant.
        meant: Option<String>,
    },
    /// The program does not build.
    #[error("{message}")]
    BuildFailed {
        /// The builder's words, lines kept.
        message: String,
        /// The plugin's next step, where it knows a better one.
        hint: Option<String>,
    },
    /// A process of the plan could not be started.
    #[error("{cause}")]
    Spawn {
        /// Names the program and the cause.
        cause: String,
    },
    /// Nobody listens where the caller says that somebody does.
    #[error("nothing answers at {address}: {cause}")]
    Unreachable {
        /// `host:port`.
        address: String,
        /// The system's words.
        cause: String,
    },
    /// Something else than an adapter listens where the caller says that one does.
    #[error("what listens at {address} is no debugger of this kind: {}", match silent_for {
        None => "it closes the connection".to_owned(),
        Some(limit) => format!("it did not answer within {} s", limit.as_secs_f32()),
    })]
    NoDebugger {
        /// `host:port`.
        address: String,
        /// How long it said nothing; none: it closed the connection.
        silent_for: Option<Duration>,
    },
    /// The adapter ended or closed the connection.
    #[error("the adapter ended during {during}{}", if tail.is_empty() { String::new() } else { format!(": {tail}") })]
    AdapterDied {
        /// What was going on.
        during: String,
        /// How it ended, the last of what it said.
        tail: String,
    },
    /// The adapter does not answer.
    #[error("the adapter did not answer {command} within {} s", after.as_secs_f32())]
    AdapterSilent {
        /// The DAP command.
        command: String,
        /// The limit.
        after: Duration,
        /// The key in `limits` that raises it.
        limit: &'static str,
    },
    /// The adapter refuses, in its own words.
    #[error("{message}")]
    AdapterRefused {
        /// The DAP command.
        command: String,
        /// Its words.
        message: String,
    },
    /// A bound of the host.
    #[error("{what} is limited to {value}")]
    Limit {
        /// What is bounded.
        what: String,
        /// The bound with its unit.
        value: String,
        /// How to raise it.
        raise: String,
    },
}

/// A text of a breakpoint, as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its condition.
    Condition(String),
    /// What it logs.
    Log(String),
    /// Its function.
    Function {
        /// As given.
        name: String,
        /// What is to be named in its place, where something is like it.
        instead: Option<String>,
    },
}

impl Error {
    /// No such thread, and the first of those that there are.
    pub(crate) fn no_such_thread(asked: String, threads: &[Thread]) -> Self {
        const NAMED: usize = 20;
        let named =
            threads.iter().take(NAMED).map(|thread| format!("{} {}", thread.id.0, thread.name));
        let more = threads
            .len()
            .checked_sub(NAMED)
            .filter(|more| *more > 0)
            .map(|more| format!("{more} more"));
        Self::NoSuchThread { asked, known: named.chain(more).collect() }
    }

    /// Who is at fault.
    pub fn fault(&self) -> Fault {
        match self {
            Self::BuildFailed { .. } => Fault::Debuggee,
            Self::AdapterDied { .. } | Self::AdapterSilent { .. } | Self::AdapterRefused { .. } => {
                Fault::Adapter
            }
            Self::Busy { .. } => Fault::Debuggee,
            Self::Plugin { broken: true, .. } => Fault::Plugin,
            Self::Spawn { .. } | Self::HostFault => Fault::Host,
            _ => Fault::Caller,
        }
    }

    /// Is it said of the call alone, whatever files, tools and processes there are?
    pub(super) fn refuses_arguments(&self) -> bool {
        matches!(
            self,
            Self::BadOption { .. } | Self::Plugin { code: "invalid-request" | "unsupported", .. }
        )
    }

    /// All of these as one; none: nothing is wrong.
    pub(super) fn all(mut all: Vec<Self>) -> Result<(), Self> {
        match all.len() {
            0 => Ok(()),
            1 => Err(all.remove(0)),
            _ => Err(Self::Several { all }),
        }
    }

    /// What a plugin says instead of a plan.
    pub(super) fn from_plan(error: plugin::Error) -> Self {
        match error.refusal() {
            Some(refusal) if refusal.kind == RefusalKind::BuildFailed => {
                Self::BuildFailed { message: refusal.message.clone(), hint: refusal.hint.clone() }
            }
            _ => error.into(),
        }
    }

    /// What the system does not let be done, with what is known of why; `pid` is whom it was to be
    /// done to.
    pub(super) fn not_permitted(message: String, pid: Option<u32>) -> Self {
        Self::NotPermitted {
            message,
            owner: pid.and_then(process::foreign_owner),
            scope: process::tracing_scope(),
        }
    }

    fn from_refusal(refusal: &Refusal) -> Self {
        let Refusal { kind, message, hint, .. } = refusal.clone();
        match kind {
            RefusalKind::NotPermitted => Self::not_permitted(message, None),
            kind => Self::Plugin {
                code: code(kind),
                message,
                hint,
                broken: kind == RefusalKind::Internal,
            },
        }
    }

    /// What the adapter's answer, or its silence, means for the caller.
    pub(super) fn from_dap(error: &dap::Error, profile: &Profile) -> Self {
        let command = error.command().to_owned();
        match error {
            dap::Error::Timeout { after, .. } => {
                Self::AdapterSilent { command, after: *after, limit: "limits.request_s" }
            }
            dap::Error::Closed { .. } => {
                Self::AdapterDied { during: format!("`{command}`"), tail: String::new() }
            }
            dap::Error::Unsupported { .. } => Self::Unsupported {
                unlocked: profile.unlocked.get(&command).cloned(),
                what: command,
            },
            dap::Error::Refused { read: Some(refusal), .. }
                if refusal.kind != RefusalKind::InvalidRequest =>
            {
                Self::from_refusal(refusal)
            }
            error => Self::AdapterRefused { message: convert::message(error, profile), command },
        }
    }
}

impl From<plugin::Error> for Error {
    fn from(error: plugin::Error) -> Self {
        if let Some((key, known, meant)) = error.option() {
            let (key, meant) = (key.to_owned(), meant.map(str::to_owned));
            return Self::BadOption { key, known, message: error.to_string(), meant };
        }
        let broken = error.fault() == Fault::Plugin;
        match error.refusal() {
            Some(refusal) => Self::from_refusal(refusal),
            None => {
                let code = if broken { "plugin-broken" } else { "plugin" };
                Self::Plugin { code, message: error.to_string(), hint: None, broken }
            }
        }
    }
}

fn code(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::InvalidRequest => "invalid-request",
        RefusalKind::InvalidConfig => "invalid-config",
        RefusalKind::ToolMissing => "tool-missing",
        RefusalKind::ToolTooOld => "tool-too-old",
        RefusalKind::TargetMissing => "target-missing",
        RefusalKind::TargetAmbiguous => "target-ambiguous",
        RefusalKind::BuildFailed => "build-failed",
        RefusalKind::Unsupported => "unsupported",
        RefusalKind::NotPermitted => "not-permitted",
        RefusalKind::Internal => "plugin-broken",
        RefusalKind::Other => "plugin",
    }
}

/// Why no call is meant, or not one alone.
fn types_too(examples: Option<&String>) -> String {
    examples.map(|examples| format!(", and types by their names ({examples})")).unwrap_or_default()
}

fn calls(name: &str, fitting: usize, known: &[String]) -> String {
    let there = known.join(", ");
    match (fitting, known) {
        (_, []) => "the debugger sees no call here that it could step into by name".to_owned(),
        (0, _) => format!("no call here that can be named is of `{name}`; there are {there}"),
        (more, _) => format!("{more} calls here are of `{name}`; there are {there}"),
    }
}

fn which(open: &[String], ended: &[String]) -> String {
    match ended.is_empty() {
        true => format!("{} sessions are open: {}", open.len(), open.join(", ")),
        false => format!(
            "{} sessions could be meant; {}",
            open.len() + ended.len(),
            sessions(open, ended)
        ),
    }
}

/// `open: a, b; ended: c`.
fn sessions(open: &[String], ended: &[String]) -> String {
    let told =
        [("open", open), ("ended", ended)].into_iter().filter(|(_, names)| !names.is_empty());
    told.map(|(how, names)| format!("{how}: {}", names.join(", "))).collect::<Vec<_>>().join("; ")
}

/// What there is instead of a test of the name.
fn there_are(near: &[String], commands: &[String]) -> String {
    let near = match near {
        [] => ", and no adapter lists any".to_owned(),
        near => format!("; there are {}", near.join(", ")),
    };
    match commands {
        [] => near,
        commands => format!(
            "{near}; one that no source shows is run by a command: `{}`",
            commands.join("`, `")
        ),
    }
}

fn not_by(program: &Path, dumper: &Path) -> String {
    match program == dumper {
        true => "which has been built anew since".to_owned(),
        false => format!("not by {}", program.display()),
    }
}

/// What there is instead of an adapter for the target.
fn others(adapters: &[String], tests: &[String]) -> String {
    match (adapters, tests) {
        ([], []) => String::new(),
        (adapters, []) => format!("; there are {}", adapters.join(", ")),
        (_, tests) => {
            format!(" by its name here; a command line runs it: `{}`", tests.join("`, `"))
        }
    }
}
