//! Refusals of a plugin as errors for callers: stable code, the plugin's words, next step.
//!
//! Refuses to know sessions and how an error is written.

use super::{Error, installs};
use crate::model::answer::{Refusal, RefusalKind};
use crate::model::{Detail, Fault, Next, Patch, Remedies, Remedy, errors};
use crate::process;

/// Keys of `options` that are the host's, for every adapter.
const OF_THE_HOST: &str = "; a launch also takes config, stdin and stop_on_entry";

errors! {
    /// A request that a plugin, or the system on its behalf, refuses.
    pub enum Refused {
        /// The plugin refuses the request, or is broken (trap, timeout, lie).
        #[error("{message}")]
        Request {
            /// The plugin's kind of refusal; `Internal` where it is broken.
            kind: RefusalKind,
            /// Its sentence.
            message: String,
            /// Its next step.
            hint: Option<String>,
        } => code(*kind),
            if *kind == RefusalKind::Internal { Fault::Plugin } else { Fault::Caller },
            after_refusal(*kind, hint.as_deref());

        /// A key of `options` that the adapter does not have, or a wrong value.
        #[error("{message}")]
        Option {
            /// The key.
            key: String,
            /// The adapter has the key: the value is wrong.
            known: bool,
            /// Names the adapter and the mistake.
            message: String,
            /// The key that the caller probably intended.
            intended: Option<String>,
        } => "bad-argument", Fault::Caller, other_option(key, *known, intended.as_deref());

        /// The system forbids the debugger to trace (ptrace(2)).
        #[error("{message}")]
        NotPermitted {
            /// The system's words, or the debugger's.
            message: String,
            /// User id of the process, where it is another user's.
            owner: Option<u32>,
            /// The restriction in force (`kernel.yama.ptrace_scope`).
            scope: Option<u32>,
        } => "not-permitted", Fault::Host,
            Remedies::from(Patch::Again)
                .or(Next::Status(Detail::Sessions))
                .note(permitting(*owner, *scope));
    }
}

impl Refused {
    /// Adds the system's reasons to `message`; `pid` is the process to trace.
    pub fn not_permitted(message: String, pid: Option<u32>) -> Self {
        Self::NotPermitted {
            message,
            owner: pid.and_then(process::foreign_owner),
            scope: process::tracing_scope(),
        }
    }

    /// The pinned adapter that is missing. Another missing tool, such as a compiler, has another
    /// hint.
    pub fn missing_adapter(&self) -> Option<&str> {
        match self {
            Self::Request { kind: RefusalKind::ToolMissing, hint: Some(hint), .. } => {
                installs::named_by(hint)
            }
            _ => None,
        }
    }

    /// The refusal is about a tool that is missing or too old.
    pub fn wants_tool(&self) -> bool {
        let wants =
            |kind: &RefusalKind| matches!(kind, RefusalKind::ToolMissing | RefusalKind::ToolTooOld);
        matches!(self, Self::Request { kind, .. } if wants(kind))
    }
}

impl From<&Refusal> for Refused {
    fn from(refusal: &Refusal) -> Self {
        let Refusal { kind, message, hint, .. } = refusal.clone();
        match kind {
            RefusalKind::NotPermitted => Self::not_permitted(message, None),
            kind => Self::Request { kind, message, hint },
        }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        if let Some((key, known, intended)) = error.option() {
            let (key, intended) = (key.to_owned(), intended.map(str::to_owned));
            let mut message = error.to_string();
            if !known && intended.is_none() {
                message.push_str(OF_THE_HOST);
            }
            return Self::Option { key, known, message, intended };
        }
        let kind = match error.fault() {
            Fault::Plugin => RefusalKind::Internal,
            _ => RefusalKind::Other,
        };
        match error.refusal() {
            Some(refusal) => Self::from(refusal),
            None => Self::Request { kind, message: error.to_string(), hint: None },
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

fn after_refusal(kind: RefusalKind, hint: Option<&str>) -> Remedies {
    if let Some(hint) = hint {
        return Remedies::from(Patch::Hint(hint.to_owned()))
            .or(Remedy::Person(hint.trim_end_matches('.').to_owned()));
    }
    match kind {
        RefusalKind::TargetMissing | RefusalKind::TargetAmbiguous => Next::Targets.into(),
        _ => Next::Status(Detail::Adapters).into(),
    }
}

fn other_option(key: &str, known: bool, intended: Option<&str>) -> Remedies {
    let from = key.to_owned();
    let patches = match intended {
        Some(intended) => {
            let rename = Patch::RenameOption { from: from.clone(), to: intended.to_owned() };
            Remedies::from(rename).or(Patch::RemoveOption(from))
        }
        None if known => Patch::RemoveOption(from).into(),
        None => Remedies::from(Patch::MoveOption(from.clone())).or(Patch::RemoveOption(from)),
    };
    patches.or(Next::Status(Detail::Adapters))
}

/// What may make the system permit tracing. A container's own rules cannot be read.
fn permitting(owner: Option<u32>, scope: Option<u32>) -> String {
    const SCOPE: &str = "/proc/sys/kernel/yama/ptrace_scope";
    const CONTAINER: &str =
        "start its container with --cap-add=SYS_PTRACE and a seccomp profile that allows ptrace";
    let scope = scope.map(|scope| match scope {
        // The kernel refuses to lower 3 while it runs.
        3.. => format!("start the machine with {SCOPE}, which is {scope}, at 0"),
        _ => format!("set {SCOPE}, which is {scope}, to 0"),
    });
    let way = match (owner, scope) {
        (Some(0), _) => "run dapdock as root".to_owned(),
        (Some(user), None) => format!("run dapdock as user {user} or as root"),
        (Some(user), Some(scope)) => format!("run dapdock as root, or as user {user} and {scope}"),
        (None, Some(scope)) => scope,
        (None, None) => return format!("once the system permits it: {CONTAINER}"),
    };
    format!("once the system permits it: {way}, or {CONTAINER}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_names_what_permits_tracing() {
        let container = "start its container with --cap-add=SYS_PTRACE and a seccomp profile \
                         that allows ptrace";
        let head = "once the system permits it: ";
        assert_eq!(permitting(None, None), format!("{head}{container}"));
        let ways = "run dapdock as root, or as user 7 and set /proc/sys/kernel/yama/ptrace_scope, \
                    which is 1, to 0, or ";
        assert_eq!(permitting(Some(7), Some(1)), format!("{head}{ways}{container}"));
        let ways =
            "start the machine with /proc/sys/kernel/yama/ptrace_scope, which is 3, at 0, or ";
        assert_eq!(permitting(None, Some(3)), format!("{head}{ways}{container}"));
    }

    #[test]
    fn broken_plugin_is_at_fault() {
        let error = |kind| Refused::Request { kind, message: String::new(), hint: None };
        assert_eq!(error(RefusalKind::Internal).fault(), Fault::Plugin);
        assert_eq!(error(RefusalKind::ToolMissing).fault(), Fault::Caller);
    }
}
