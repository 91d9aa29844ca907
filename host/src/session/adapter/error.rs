//! What an adapter cannot do, and how its connection fails.

use std::time::Duration;

use crate::model::{Detail, Fault, Next, Patch, Remedies, Remedy, errors};

/// What a person does to allow it.
const ALLOW_SHELL: &str =
    "start dapdock mcp with --allow-shell (`allow_shell = true` below `[mcp]` in dapdock.toml)";

errors! {
    /// A failure or a limit of the adapter.
    pub enum Error {
        /// A capability that the adapter lacks.
        #[error("this adapter does not support `{what}`{}", in_others(unlocked.as_deref()))]
        Unsupported {
            /// The DAP request or feature.
            what: String,
            /// Launch options that add it.
            unlocked: Option<String>,
        } => "unsupported", Fault::Caller, Next::Status(Detail::Capabilities);

        /// The debuggee ends with the session.
        #[error("cannot detach from the program: {why}")]
        CannotDetach {
            /// The plugin's words.
            why: String,
        } => "unsupported", Fault::Caller, Next::Terminate;

        /// The adapter does not distinguish the calls of a line.
        #[error(
            "this adapter cannot step into `{name}` alone, only into whatever is called first"
        )]
        NoStepIntoOne {
            /// The requested call.
            name: String,
        } => "unsupported", Fault::Caller, Next::Continue { until: Some(name.clone()) };

        /// The adapter resumes all threads or none.
        #[error("this adapter resumes thread {thread} only with all others")]
        NoThreadAlone {
            /// The requested thread.
            thread: i64,
        } => "unsupported", Fault::Caller, Next::Continue { until: None };

        /// No call of the line has this name, or several have it.
        #[error("{}", calls(name, *fitting, known))]
        WhichCall {
            /// Requested.
            name: String,
            /// Number of calls with this name.
            fitting: usize,
            /// The adapter's names of the calls; some adapters add those of later lines.
            known: Vec<String>,
        } => "which-call", Fault::Caller, other_call(known);

        /// The connection broke, and the debuggee's state is unknown.
        #[error(
            "the connection to {} is lost; the state of the program is unknown",
            address.as_deref().unwrap_or("the program")
        )]
        ConnectionLost {
            /// `host:port` of a remote debuggee.
            address: Option<String>,
        } => "connection-lost", Fault::Adapter, Next::Status(Detail::Log);

        /// The adapter could not detach from a remote debuggee.
        #[error(
            "the debugger could not detach from {address}: {why}; the state of the program is \
             unknown"
        )]
        NotDetached {
            /// `host:port`.
            address: String,
            /// The adapter's words.
            why: String,
        } => "connection-lost", Fault::Adapter, Next::Status(Detail::Log);

        /// The adapter ended or closed the connection.
        #[error(
            "the adapter ended during {during}{}",
            if tail.is_empty() { String::new() } else { format!(": {tail}") }
        )]
        Died {
            /// The activity that it interrupts.
            during: String,
            /// Its exit and its last output.
            tail: String,
        } => "adapter-died", Fault::Adapter, Next::Status(Detail::Log);

        /// The program that was started as the adapter, or listens there, is none.
        #[error("what {adapter} started speaks no DAP: {sign}")]
        NotDap {
            /// The adapter's name.
            adapter: String,
            /// What shows it.
            sign: String,
        } => "not-dap", Fault::Adapter, Next::Status(Detail::Log);

        /// The adapter does not answer.
        #[error("the adapter did not answer {command} within {} s", after.as_secs_f32())]
        Silent {
            /// The DAP command.
            command: String,
            /// The limit.
            after: Duration,
            /// The key of `[limits]` that raises it.
            limit: &'static str,
        } => "adapter-silent", Fault::Adapter,
            Remedies::from(Next::Status(Detail::Log))
                .note(format!("or raise {limit} in dapdock.toml and start dapdock again"));

        /// The adapter runs no commands.
        #[error("{adapter} has no command language")]
        NoCommands {
            /// The adapter's name.
            adapter: String,
        } => "unsupported", Fault::Caller, Next::Status(Detail::Capabilities);

        /// The session was launched; its commands have no records.
        #[error("session {session} was not opened for commands")]
        NoRecords {
            /// Its name.
            session: String,
        } => "unsupported", Fault::Caller, Next::Status(Detail::Sessions);

        /// No command, or several lines.
        #[error("a command is one line")]
        NotOneCommand => "bad-argument", Fault::Caller, Patch::Set("command", "help".into());

        /// A command that runs programs, scripts or files of commands.
        #[error("`{escape}` leaves the debugger, which is not allowed")]
        LeavesDebugger {
            /// The words that do it.
            escape: String,
        } => "leaves-debugger", Fault::Caller, Remedy::Person(ALLOW_SHELL.to_owned());

        /// The adapter refuses a request.
        #[error("{message}")]
        Refused {
            /// The DAP command.
            command: String,
            /// The adapter's words.
            message: String,
        } => "adapter-refused", Fault::Adapter, Next::Status(Detail::Log);
    }
}

fn in_others(unlocked: Option<&str>) -> String {
    let with = |options| format!(", except in a program launched with options {options}");
    unlocked.map(with).unwrap_or_default()
}

fn calls(name: &str, fitting: usize, known: &[String]) -> String {
    let known = known.join(", ");
    match fitting {
        _ if known.is_empty() => {
            "the debugger sees no call here that it could step into by name".to_owned()
        }
        0 => format!("no call on this line is named `{name}`; the calls are {known}"),
        more => format!("{more} calls on this line are named `{name}`; the calls are {known}"),
    }
}

/// Steps into the first call with a name of its own, or into the first call of all.
fn other_call(known: &[String]) -> Remedies {
    let single = known.iter().find(|name| known.iter().filter(|other| other == name).count() == 1);
    let patch = match single {
        Some(name) => Patch::Set("into", name.as_str().into()),
        None => Patch::All(vec![Patch::Remove("into"), Patch::Set("kind", "in".into())]),
    };
    Remedies::from(patch).or(Next::StepIn { into: single.cloned() })
}
