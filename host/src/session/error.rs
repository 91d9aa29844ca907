//! Errors of a session: the state that refuses a call, and the errors of the parts. Each row has
//! the sentence with its facts, the code and the remedies; `view` adds the next call.

use std::path::PathBuf;
use std::time::Duration;

use super::{adapter, breakpoints, launch, values};
pub use crate::model::Fault;
use crate::model::answer::RefusalKind;
use crate::model::{Choice, Detail, Next, Patch, Remedies, Remedy, StopClass, errors};
use crate::near;
use crate::session::adapter::quirks::Quirks;
use crate::{dap, plugin, target};

errors! {
    /// An error of a session.
    pub enum Error {
        /// dapdock.toml cannot be used.
        #[error("{message}")]
        Config {
            /// Names the file and the mistake.
            message: String,
            /// The project that would have to be trusted, and the key that its file may not have.
            untrusted: Option<(PathBuf, String)>,
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

        /// The call names no session, and several fit. Those used last come first.
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

        /// The session is open for commands and has no program.
        #[error("no program runs; a command of the debugger starts one")]
        NoProgram => "no-program", Fault::Caller, Next::Status(Detail::Sessions);

        /// A session for commands was not used for its limit.
        #[error("no command came for {} s", after.as_secs_f32())]
        Unused {
            /// The limit.
            after: Duration,
        } => "unused", Fault::Caller, Next::Status(Detail::Sessions);

        /// The call is about an exception, and the program stopped for another reason.
        #[error("stop {stop} is {}, not for an exception, a panic or a signal", because(*class))]
        NoException {
            /// Number of the stop.
            stop: u32,
            /// Its class.
            class: StopClass,
        } => "no-exception", Fault::Caller,
            Remedies::from(Next::Stack { all_threads: false })
                .note("debug_breakpoints `exceptions` chooses what stops the program");

        /// A person has taken the session.
        #[error("a person has taken this session, {session}; calls that only read still work")]
        Taken {
            /// Its name.
            session: String,
        } => "session-taken", Fault::Caller,
            Remedies::from(Next::Wait { timeout: None })
                .note("it returns when the person gives the session back");

        /// The session has a mirror already.
        #[error("{session} has a mirror already, at 127.0.0.1:{port}")]
        Mirrored {
            /// Its name.
            session: String,
            /// The mirror's port.
            port: u16,
        } => "mirrored", Fault::Caller,
            Remedy::Person("connect to that port, or end that `dapdock mirror`".to_owned());

        /// A mirror cannot listen on its port.
        #[error("no mirror can listen on 127.0.0.1:{port}: {cause}")]
        MirrorPort {
            /// As requested; 0: a free one.
            port: u16,
            /// The system's error.
            cause: String,
        } => "mirror-port", Fault::Caller,
            Remedy::Person("without --port a free one is taken".to_owned());

        /// The mirror has an editor already.
        #[error("an editor has joined {session} already; it has to disconnect first")]
        EditorJoined {
            /// Its name.
            session: String,
        } => "editor-joined", Fault::Caller,
            Remedy::Person("disconnect the other editor".to_owned());

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

        /// The session has no room for the watches of the call.
        #[error("a session has at most {most} watches{}", there_are(known))]
        TooManyWatches {
            /// The bound.
            most: usize,
            /// The session's watches, the oldest first.
            known: Vec<String>,
            /// Those that make room once removed; empty: the call alone has too many.
            oldest: Vec<String>,
        } => "limit", Fault::Caller, fewer_watches(oldest);

        /// A limit of the host.
        #[error("{what} is limited to {value}")]
        Limit {
            /// The bounded quantity.
            what: String,
            /// The bound with its unit.
            value: String,
            /// What raises it, in dapdock.toml: "limits.sessions".
            raise: String,
        } => "limit", Fault::Caller,
            Remedy::Person(format!("raise {raise} in dapdock.toml and start dapdock again"));
    }
    parts {
        /// No adapter can be chosen for the target.
        Target(target::Error),
        /// A plugin refuses.
        Plugin(#[from] plugin::Refused),
        /// The program does not start.
        Launch(#[from] launch::Error),
        /// The adapter fails.
        Adapter(#[from] adapter::Error),
        /// A breakpoint cannot be set.
        Breakpoints(#[from] breakpoints::Error),
        /// A value cannot be read or set.
        Values(#[from] values::Error),
    }
}

/// Why the program stopped.
fn because(class: StopClass) -> &'static str {
    match class {
        StopClass::Entry => "at the entry",
        StopClass::Breakpoint => "at a breakpoint",
        StopClass::Step => "after a step",
        StopClass::Pause => "by a pause",
        _ => "for another reason",
    }
}

impl Error {
    /// The choice of a person after which the same call works.
    pub fn choice(&self) -> Option<Choice> {
        match self {
            Self::Config { untrusted: Some((project, key)), .. } => {
                Some(Choice::Trust { project: project.clone(), key: key.clone() })
            }
            Self::Plugin(refused) => {
                let adapter = refused.missing_adapter()?.to_owned();
                Some(Choice::Install { adapter })
            }
            _ => None,
        }
    }

    /// Whether it refuses a launch: the plugin makes no plan for the request, the program does not
    /// build, or a breakpoint of the call cannot be set. The error says all.
    pub(super) fn refuses_launch(&self) -> bool {
        match self {
            Self::Launch(launch::Error::BuildFailed { .. })
            | Self::Plugin(plugin::Refused::Option { .. })
            | Self::Breakpoints(_) => true,
            Self::Several { all } => all.iter().all(Self::refuses_launch),
            Self::Plugin(plugin::Refused::Request { kind, .. }) => !matches!(
                kind,
                RefusalKind::NotPermitted | RefusalKind::Internal | RefusalKind::Other
            ),
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
    pub(super) fn from_dap(error: &dap::Error, quirks: &Quirks) -> Self {
        let command = error.command().to_owned();
        let error = match error {
            dap::Error::Timeout { after, .. } => {
                adapter::Error::Silent { command, after: *after, limit: "limits.request_s" }
            }
            dap::Error::Closed { .. } => {
                adapter::Error::Died { during: format!("`{command}`"), tail: String::new() }
            }
            dap::Error::Unsupported { .. } => adapter::Error::Unsupported {
                unlocked: quirks.unlocking_options(&command),
                what: command,
            },
            dap::Error::Refused { read: Some(refusal), .. }
                if refusal.kind != RefusalKind::InvalidRequest =>
            {
                return plugin::Refused::from(&**refusal).into();
            }
            error => adapter::Error::Refused { message: quirks.message(error), command },
        };
        error.into()
    }
}

/// A plugin's refusal is the same before and after the choice of an adapter.
impl From<target::Error> for Error {
    fn from(error: target::Error) -> Self {
        match error {
            target::Error::Plugin(refused) => refused.into(),
            error => Self::Target(error),
        }
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
        format!("{count} sessions are open, the one used last first: {}", open.join(", "))
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

/// Sessions with a near name. A name with another number is not a misspelt one.
fn similar(name: &str, open: &[String], ended: &[String]) -> Remedies {
    let mut list = Vec::new();
    let known = open.iter().chain(ended).map(String::as_str);
    let others = known.filter(|known| without_number(known) != without_number(name));
    for similar in near::near(name, others) {
        let ended = ended.iter().any(|one| one == similar);
        list.push(Remedy::Same(Patch::Session { name: similar.to_owned(), ended }));
    }
    Remedies { list, note: None }.or(Next::Status(Detail::Sessions))
}

fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

fn there_are(watches: &[String]) -> String {
    if watches.is_empty() { String::new() } else { format!("; there are {}", watches.join(" · ")) }
}

/// Removes the oldest watches; without any, the call evaluates its expressions only once.
fn fewer_watches(oldest: &[String]) -> Remedies {
    if oldest.is_empty() {
        Remedies::from(Patch::Remove("watch"))
    } else {
        Next::Unwatch(oldest.to_vec()).into()
    }
}

/// One patch that corrects every mistake, else the next call of the first.
fn several(all: &[Error]) -> Remedies {
    let (mut patches, mut corrected) = (Vec::new(), 0);
    for error in all {
        let Some(Remedy::Same(patch)) = error.remedies().list.into_iter().next() else { continue };
        corrected += 1;
        // Corrects every part with this mistake: a second time it would find none.
        if !patches.contains(&patch) {
            patches.push(patch);
        }
    }
    let patch = (corrected == all.len()).then_some(Patch::All(patches));
    let mut first = all.first().map(Error::remedies).unwrap_or_default();
    first.list.retain(|remedy| !matches!(remedy, Remedy::Same(_)));
    Remedies::from(patch).or(first)
}
