//! Errors of a session: the state that refuses a call, and the errors of the parts. Each row states
//! facts; `view` writes the sentence.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dapdock_schema::Profile;

use super::{adapter, breakpoints, launch, values};
pub use crate::model::Fault;
use crate::model::answer::RefusalKind;
use crate::model::{Detail, Next, Patch, ProposedTarget, Remedies, Remedy, errors};
use crate::near;
use crate::session::values::convert;
use crate::target::launch_json;
use crate::{dap, plugin};

errors! {
    /// An error of a session.
    pub enum Error {
        /// dapdock.toml cannot be used.
        #[error("{message}")]
        Config {
            /// Names the file and the mistake.
            message: String,
        } => "config", Fault::Caller,
            Remedy::Person("correct the file; the next call reads it again".to_owned());

        /// No session is open.
        #[error("no session is open{}", failed_start(failed.as_deref()))]
        NoSession {
            /// Name of the newest session, where it failed to start.
            failed: Option<String>,
        } => "no-session", Fault::Caller, match failed {
            Some(_) => Next::Status(Detail::Sessions),
            None => Next::Targets,
        };

        /// The call names no session, and several fit.
        #[error("{}", which(open, ended))]
        WhichSession {
            /// Open sessions.
            open: Vec<String>,
            /// Ended sessions that the call could be about.
            ended: Vec<String>,
        } => "which-session", Fault::Caller, latest(open, ended);

        /// No session has this name.
        #[error("there is no session `{name}`{}", others(open, ended))]
        UnknownSession {
            /// Requested.
            name: String,
            /// Open sessions.
            open: Vec<String>,
            /// Ended sessions that are remembered.
            ended: Vec<String>,
        } => "unknown-session", Fault::Caller, similar(name, open, ended);

        /// The session has ended.
        #[error(
            "session {session} has ended{}",
            cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default()
        )]
        Ended {
            /// Its name.
            session: String,
            /// The cause of an end that nobody requested.
            cause: Option<String>,
            /// It was launched and can start again.
            restarts: bool,
        } => "ended", Fault::Caller, if cause.is_some() && *restarts {
            Next::Restart { session: Some(session.clone()) }
        } else {
            Next::Output { session: Some(session.clone()), tail: 50 }
        };

        /// The call needs a stopped program.
        #[error("the program is running")]
        NotStopped => "not-stopped", Fault::Caller, Next::Pause;

        /// The call resumes the program, and the session shows a core file.
        #[error("a core file does not run")]
        PostMortem => "post-mortem", Fault::Caller, Next::Stack { all_threads: false };

        /// The call needs a running program.
        #[error("the program is already stopped")]
        NotRunning => "not-running", Fault::Caller, Next::Continue { until: None };

        /// The program does not run yet.
        #[error("the session is still {doing}")]
        NotReady {
            /// "building", "starting".
            doing: String,
        } => "not-ready", Fault::Caller, Next::Wait { timeout: None };

        /// The program ran on while the answer was being read.
        #[error("the program ran on before the answer was complete")]
        Superseded => "superseded", Fault::Caller, Next::Wait { timeout: Some(10) };

        /// The adapter still evaluates an expression of a call that gave up.
        #[error(
            "the debugger is still evaluating `{expression}`, for {:.0} s now, and answers \
             nothing else",
            since.as_secs_f32()
        )]
        Busy {
            /// The expression.
            expression: String,
            /// Time since the request.
            since: Duration,
        } => "busy", Fault::Debuggee,
            Remedies::from(Patch::Again)
                .or(Next::Status(Detail::Sessions))
                .note("later; debug_stop ends it");

        /// The caller disconnected, or a signal arrived.
        #[error("the host is ending; nothing more is started")]
        Closing => "ending", Fault::Host, Next::Status(Detail::Sessions);

        /// The session's actor panicked.
        #[error("dapdock itself failed and the session is gone; its standard error says where")]
        HostFault => "host-fault", Fault::Host, Next::Status(Detail::Sessions);

        /// Several mistakes in one call.
        #[error("{}", all.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
        Several {
            /// In the order of the call, at least two.
            all: Vec<Error>,
        } => all.first().map_or("host-fault", Self::code),
            all.first().map_or(Fault::Host, Self::fault),
            several(all);

        /// A regular expression that does not parse.
        #[error("`{pattern}` is not a regular expression: {cause}")]
        BadPattern {
            /// As given.
            pattern: String,
            /// The parser's words.
            cause: String,
        } => "bad-pattern", Fault::Caller, Next::Output { session: None, tail: 50 };

        /// A limit of the host.
        #[error("{what} is limited to {value}")]
        Limit {
            /// The bounded quantity.
            what: String,
            /// The bound with its unit.
            value: String,
            /// How to raise it.
            raise: String,
        } => "limit", Fault::Caller,
            Remedy::Person(raise.trim_end_matches('.').to_owned());

        /// No plugin claims the target.
        #[error("no adapter knows how to debug {target}{}", adapters_or_commands(adapters, tests))]
        NoAdapter {
            /// The target.
            target: String,
            /// Adapters by name with their claims.
            adapters: Vec<String>,
            /// Command lines that run a test of this name.
            tests: Vec<String>,
        } => "no-adapter", Fault::Caller, run_test(tests, Next::Status(Detail::Adapters));

        /// No test has this name.
        #[error("no test is named {name} here{}", tests_there(near, commands))]
        NoTest {
            /// The name.
            name: String,
            /// Names of tests, the most similar first.
            near: Vec<String>,
            /// The first of them is probably intended.
            likely: bool,
            /// Command lines that run a test generated at run time.
            commands: Vec<String>,
        } => "target-missing", Fault::Caller,
            other_test(near.first(), *likely, commands);

        /// Attaching to the address fits several adapters.
        #[error(
            "{target} does not say which adapter it needs; there are {}",
            adapters.join(", ")
        )]
        AdapterNeeded {
            /// The target.
            target: String,
            /// Names of adapters that attach to an address.
            adapters: Vec<String>,
        } => "which-adapter", Fault::Caller, name_adapter(adapters, Next::Attach {
            address: target.clone(),
            adapter: adapters.first().cloned(),
        });

        /// The process does not exist, or runs no program of the adapter.
        #[error("process {pid} cannot be attached to: {why}")]
        NoSuchProcess {
            /// Its number.
            pid: u32,
            /// The system's reason.
            why: String,
        } => "no-such-process", Fault::Caller, Next::Status(Detail::Sessions);

        /// Another debugger traces the process, and only one can.
        #[error(
            "process {pid} cannot be attached to: process {by} ({name}) debugs it already, and \
             only one can"
        )]
        Traced {
            /// Its number.
            pid: u32,
            /// The debugger's number.
            by: u32,
            /// The debugger's name.
            name: String,
        } => "traced", Fault::Caller,
            Remedies::from(Patch::StartAgain)
                .or(Next::Status(Detail::Sessions))
                .note("once that one has detached");

        /// Several plugins claim the target equally.
        #[error("{target} can be debugged by {}", adapters.join(" or "))]
        WhichAdapter {
            /// The target.
            target: String,
            /// Their names.
            adapters: Vec<String>,
        } => "which-adapter", Fault::Caller,
            name_adapter(adapters, Next::Status(Detail::Adapters));

        /// A path of the request is wrong.
        #[error("{what} {} {problem}", path.display())]
        BadPath {
            /// "program", "cwd", "stdin", "core".
            what: &'static str,
            /// The path.
            path: PathBuf,
            /// "does not exist", "is a directory".
            problem: String,
            /// The most similar paths.
            near: Vec<PathBuf>,
        } => "bad-path", Fault::Caller, other_path(what, path, near.first());

        /// A core file in place of a program.
        #[error(
            "{} is a core file, which is opened with the program that dumped it",
            path.display()
        )]
        IsCore {
            /// The file.
            path: PathBuf,
        } => "bad-path", Fault::Caller, open_core(path);

        /// Another program, or another build of it, dumped the core file.
        #[error("core {} was dumped by {}, {}", core.display(), dumper.display(), not_by(program,
            dumper))]
        DumpedByAnother {
            /// The core file.
            core: PathBuf,
            /// The program of the request.
            program: PathBuf,
            /// The program that dumped it.
            dumper: PathBuf,
        } => "core-mismatch", Fault::Caller, dumper_of(core, program, dumper);

        /// The adapter of the target opens no core files.
        #[error("{adapter} opens no core files; {}", others_open(able, *named))]
        NoCores {
            /// Name of the adapter.
            adapter: String,
            /// Names of adapters that do.
            able: Vec<String>,
            /// The caller chose the adapter; the target's own opens core files.
            named: bool,
        } => "unsupported", Fault::Caller, without_adapter_or_core(*named);
    }
    parts {
        /// launch.json cannot be used.
        Configuration(launch_json::Problem),
        /// A plugin refuses.
        Plugin(plugin::Refused),
        /// The program does not start.
        Launch(launch::Error),
        /// The adapter fails.
        Adapter(adapter::Error),
        /// A breakpoint cannot be set.
        Breakpoints(breakpoints::Error),
        /// A value cannot be read or set.
        Values(values::Error),
    }
}

impl Error {
    /// Does the call alone cause it, whatever files, tools and processes exist?
    pub(super) fn refuses_arguments(&self) -> bool {
        match self {
            Self::Plugin(plugin::Refused::Option { .. }) => true,
            Self::Plugin(plugin::Refused::Request { kind, .. }) => {
                matches!(kind, RefusalKind::InvalidRequest | RefusalKind::Unsupported)
            }
            _ => false,
        }
    }

    /// Joins the errors of one call; `Ok` where there are none.
    pub(super) fn all(mut all: Vec<Self>) -> Result<(), Self> {
        match all.len() {
            0 => Ok(()),
            1 => Err(all.remove(0)),
            _ => Err(Self::Several { all }),
        }
    }

    /// A plugin's refusal to make a plan.
    pub(super) fn from_plan(error: plugin::Error) -> Self {
        match error.refusal() {
            Some(refusal) if refusal.kind == RefusalKind::BuildFailed => {
                let (message, hint) = (refusal.message.clone(), refusal.hint.clone());
                launch::Error::BuildFailed { message, hint }.into()
            }
            _ => error.into(),
        }
    }

    /// An adapter's refusal or silence.
    pub(super) fn from_dap(error: &dap::Error, profile: &Profile) -> Self {
        let command = error.command().to_owned();
        let error = match error {
            dap::Error::Timeout { after, .. } => {
                adapter::Error::Silent { command, after: *after, limit: "limits.request_s" }
            }
            dap::Error::Closed { .. } => {
                adapter::Error::Died { during: format!("`{command}`"), tail: String::new() }
            }
            dap::Error::Unsupported { .. } => adapter::Error::Unsupported {
                unlocked: profile.unlocked.get(&command).cloned(),
                what: command,
            },
            dap::Error::Refused { read: Some(refusal), .. }
                if refusal.kind != RefusalKind::InvalidRequest =>
            {
                return plugin::Refused::from(&**refusal).into();
            }
            error => adapter::Error::Refused { message: convert::message(error, profile), command },
        };
        error.into()
    }
}

impl From<plugin::Error> for Error {
    fn from(error: plugin::Error) -> Self {
        plugin::Refused::from(error).into()
    }
}

fn failed_start(failed: Option<&str>) -> String {
    failed.map(|last| format!("; the last, {last}, failed to start")).unwrap_or_default()
}

fn which(open: &[String], ended: &[String]) -> String {
    let count = open.len() + ended.len();
    if ended.is_empty() {
        format!("{count} sessions are open: {}", open.join(", "))
    } else {
        format!("{count} sessions fit; {}", sessions(open, ended))
    }
}

fn others(open: &[String], ended: &[String]) -> String {
    let sessions = sessions(open, ended);
    if sessions.is_empty() { sessions } else { format!("; {sessions}") }
}

/// `open: a, b; ended: c`.
fn sessions(open: &[String], ended: &[String]) -> String {
    let mut parts = Vec::new();
    for (state, names) in [("open", open), ("ended", ended)] {
        if !names.is_empty() {
            parts.push(format!("{state}: {}", names.join(", ")));
        }
    }
    parts.join("; ")
}

/// The session that ended last, else the first open one: a call without a session is rather about
/// the one that the caller used last than about one left open.
fn latest(open: &[String], ended: &[String]) -> Remedies {
    let ended = ended.iter().map(|name| Patch::Session { name: name.clone(), ended: true });
    let open = open.iter().map(|name| Patch::Session { name: name.clone(), ended: false });
    let patches = ended.chain(open).map(Remedy::Same).collect();
    Remedies { list: patches, note: None }.or(Next::Status(Detail::Sessions))
}

/// Sessions in the order of their similarity to `name`.
fn similar(name: &str, open: &[String], ended: &[String]) -> Remedies {
    let mut list = Vec::new();
    for similar in near::ranked(name, open.iter().chain(ended).map(String::as_str)) {
        let ended = ended.iter().any(|one| one == similar);
        list.push(Remedy::Same(Patch::Session { name: similar.to_owned(), ended }));
    }
    Remedies { list, note: None }.or(Next::Status(Detail::Sessions))
}

/// One patch that corrects every mistake, else the next call of the first.
fn several(all: &[Error]) -> Remedies {
    let mut patches = Vec::new();
    for error in all {
        if let Some(Remedy::Same(patch)) = error.remedies().list.into_iter().next() {
            patches.push(patch);
        }
    }
    let patch = (patches.len() == all.len()).then_some(Patch::All(patches));
    let mut first = all.first().map(Error::remedies).unwrap_or_default();
    first.list.retain(|remedy| !matches!(remedy, Remedy::Same(_)));
    Remedies::from(patch).or(first)
}

fn adapters_or_commands(adapters: &[String], tests: &[String]) -> String {
    match (adapters, tests) {
        ([], []) => String::new(),
        (adapters, []) => format!("; there are {}", adapters.join(", ")),
        (_, tests) => {
            format!(" by its name here; a command line runs it: `{}`", tests.join("`, `"))
        }
    }
}

fn tests_there(near: &[String], commands: &[String]) -> String {
    let near = if near.is_empty() {
        ", and no adapter lists any".to_owned()
    } else {
        format!("; there are {}", near.join(", "))
    };
    if commands.is_empty() {
        return near;
    }
    format!("{near}; a test generated at run time is run by a command: `{}`", commands.join("`, `"))
}

fn not_by(program: &Path, dumper: &Path) -> String {
    if program == dumper {
        "which has been rebuilt since".to_owned()
    } else {
        format!("not by {}", program.display())
    }
}

fn others_open(able: &[String], named: bool) -> String {
    if able.is_empty() {
        return "no adapter here does".to_owned();
    }
    let able = able.join(", ");
    if named {
        format!("{able} can")
    } else {
        format!("{able} can, with the machine code that dumped it: of a script its interpreter")
    }
}

fn run_test(commands: &[String], otherwise: Next) -> Remedies {
    match commands.first() {
        None => otherwise.into(),
        Some(command) => {
            let target = ProposedTarget::Command(command.clone());
            Remedies::from(Patch::Target(target.clone())).or(Next::Launch { target, core: None })
        }
    }
}

fn other_test(near: Option<&String>, likely: bool, commands: &[String]) -> Remedies {
    match near {
        Some(test) if likely => Remedies::from(Patch::Set("test", test.as_str().into()))
            .or(Next::Launch { target: ProposedTarget::Test(test.clone()), core: None }),
        _ => run_test(commands, Next::Targets),
    }
}

fn name_adapter(adapters: &[String], otherwise: Next) -> Remedies {
    let patch = adapters.first().map(|name| Patch::Set("adapter", name.as_str().into()));
    Remedies::from(patch).or(otherwise)
}

fn other_path(what: &str, path: &Path, near: Option<&PathBuf>) -> Remedies {
    let near = near.map(|near| near.clone().into());
    let patches = match (what, near) {
        ("cwd", Some(near)) => vec![Patch::Set("cwd", near)],
        ("cwd", None) => vec![Patch::Remove("cwd")],
        ("stdin", Some(near)) => vec![Patch::SetOption("stdin", near)],
        ("stdin", None) => vec![Patch::RemoveOption("stdin".to_owned())],
        ("core", near) => core_patches(near.map(|near| Patch::Set("core", near))),
        (_, Some(near)) => {
            vec![Patch::All(vec![Patch::Remove("program"), Patch::Set("program", near)])]
        }
        (_, None) if path.is_file() => vec![Patch::CommandAsProgram(path.to_owned())],
        (_, None) => vec![Patch::ProgramAsCommand],
    };
    let list = patches.into_iter().map(Remedy::Same).collect();
    Remedies { list, note: None }.or(Next::Targets)
}

/// Removes the core file from the options or the arguments, and puts another there.
fn core_patches(other: Option<Patch>) -> Vec<Patch> {
    let mut patches = Vec::new();
    for remove in [Patch::RemoveOption("core".to_owned()), Patch::Remove("core")] {
        patches.push(Patch::All([remove].into_iter().chain(other.clone()).collect()));
    }
    patches
}

/// The program is unknown: a placeholder stands for it.
fn open_core(core: &Path) -> Remedies {
    let target = ProposedTarget::Program("PROGRAM".into());
    let open = Patch::All(vec![
        Patch::Target(target.clone()),
        Patch::SetOption("core", core.to_owned().into()),
    ]);
    let other_core = Patch::All(vec![Patch::Remove("core"), open.clone()]);
    Remedies::from(other_core).or(open).or(Next::Launch { target, core: Some(core.to_owned()) })
}

fn dumper_of(core: &Path, program: &Path, dumper: &Path) -> Remedies {
    let target = ProposedTarget::Program(dumper.to_owned());
    if program == dumper || !dumper.is_file() {
        let list = core_patches(None).into_iter().map(Remedy::Same).collect();
        let core = (program != dumper).then(|| core.to_owned());
        return Remedies { list, note: None }.or(Next::Launch { target, core });
    }
    Remedies::from(Patch::Set("program", dumper.to_owned().into()))
        .or(Next::Launch { target, core: Some(core.to_owned()) })
}

fn without_adapter_or_core(named: bool) -> Remedies {
    let patches = if named { vec![Patch::Remove("adapter")] } else { core_patches(None) };
    let list = patches.into_iter().map(Remedy::Same).collect();
    Remedies { list, note: None }.or(Next::Status(Detail::Adapters))
}
