//! Errors of launch and attach: build, start, connection.

use std::time::Duration;

use crate::model::{Detail, Fault, Next, Patch, Remedies, Remedy, errors};

errors! {
    /// A failed launch or attach.
    pub enum Error {
        /// The program does not build.
        #[error("{message}")]
        BuildFailed {
            /// Output of the build, in lines.
            message: String,
            /// The plugin's next step.
            hint: Option<String>,
        } => "build-failed", Fault::Debuggee, build_again(hint.as_deref());

        /// A pinned adapter could not be installed.
        #[error("{message}")]
        NotInstalled {
            /// Names the plugin and the cause.
            message: String,
            /// The command that installs it.
            command: String,
        } => "install-failed", Fault::Host, Remedy::Person(command.clone());

        /// A process of the plan does not start.
        #[error("{cause}")]
        Spawn {
            /// Names the program and the cause.
            cause: String,
        } => "spawn-failed", Fault::Host, Next::Status(Detail::Log);

        /// The connection is refused.
        #[error("nothing answers at {address}: {cause}")]
        Unreachable {
            /// `host:port`.
            address: String,
            /// The system's error.
            cause: String,
        } => "unreachable", Fault::Caller,
            attach_again(address).note("once something listens there");

        /// Something listens at the address, but no adapter of this kind.
        #[error("what listens at {address} is no debugger of this kind: {}", sign(*silent_for))]
        NoDebugger {
            /// `host:port`.
            address: String,
            /// Length of its silence; none: it closed the connection.
            silent_for: Option<Duration>,
        } => "unreachable", Fault::Caller,
            attach_again(address).note("with the debugger's own port");

        /// The plugin cannot redirect the program's standard input.
        #[error("{adapter} gives a program no standard input")]
        NoStdin {
            /// Name of the adapter.
            adapter: String,
        } => "unsupported", Fault::Caller,
            Remedies::from(Patch::RemoveOption("stdin".to_owned()))
                .or(Next::Status(Detail::Adapters));

        /// The session attached, and only a launch can be started again.
        #[error("it was attached to, not launched: there is nothing to start again")]
        WasAttached {
            /// The call that attached.
            again: String,
        } => "unsupported", Fault::Caller, Next::Repeat(again.clone());

        /// The session was opened for commands of the debugger, and none of them is repeated.
        #[error("it was opened without a program: a command starts one, as `run` does")]
        WasOpened {
            /// The call that opened it.
            again: String,
        } => "unsupported", Fault::Caller, Next::Repeat(again.clone());
    }
}

fn sign(silent_for: Option<Duration>) -> String {
    match silent_for {
        None => "it closes the connection".to_owned(),
        Some(limit) => format!("it did not answer within {} s", limit.as_secs_f32()),
    }
}

fn build_again(hint: Option<&str>) -> Remedies {
    match hint {
        Some(hint) => Remedy::Person(hint.trim_end_matches('.').to_owned()).into(),
        None => Remedies::from(Patch::StartAgain)
            .or(Next::Restart { session: None })
            .note("once it builds"),
    }
}

fn attach_again(address: &str) -> Remedies {
    let attach = Next::Attach { address: address.to_owned(), adapter: None };
    Remedies::from(Patch::StartAgain).or(attach)
}
