//! The data that answers are made from: `view` writes it as text, `structured` as JSON.
//!
//! Knows the results of sessions. Refuses to know how they are written.

use std::sync::Arc;

use serde_json::Value;

use crate::model::{
    Assigned, Breakpoint, Compared, Evaluated, Exception, Exit, Happening, OutputPage, Resume,
    Running, SessionId, SessionStatus, Stacks, VariablesPage,
};
use crate::session::{BreakpointReport, LogLines, Targets};
use crate::view::{Adapter, ErrorText};

/// The end of a wait.
#[derive(Clone, Debug)]
pub(super) enum Arrival {
    Happened(Happening),
    /// The time is over: the debuggee runs, or its stop is still being read.
    RanOut(Running),
}

impl Arrival {
    pub fn session(&self) -> &SessionId {
        match self {
            Self::Happened(Happening::Stopped(stop)) => &stop.session,
            Self::Happened(Happening::Ended(exit)) => &exit.session,
            Self::RanOut(running) => &running.session,
        }
    }
}

/// A session that was started.
#[derive(Clone, Debug)]
pub(super) struct Started {
    pub arrival: Arrival,
    /// All breakpoints at its arrival.
    pub breakpoints: Vec<Breakpoint>,
    /// Keys of launch.json that are ignored.
    pub ignored: Vec<String>,
}

/// The result of a call.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Arrived(Arrival),
    Stepped {
        arrival: Arrival,
        step: Resume,
        taken: u32,
        requested: u32,
    },
    Waited {
        arrival: Arrival,
        /// A stop at another breakpoint than those that the call names.
        elsewhere: bool,
    },
    /// The stop of a pause, with the stacks of all threads.
    Paused(Arrival, Stacks),
    /// A pause that has not stopped the program, with its stacks.
    Unpaused(Running, Stacks),
    /// The sessions of a launch, an attach or a restart.
    Started(Vec<Result<Started, ErrorText>>),
    Ended(Vec<Result<Arc<Exit>, ErrorText>>),
    Breakpoints {
        report: BreakpointReport,
        /// The first refusal, if every added breakpoint was refused.
        failed: Option<ErrorText>,
    },
    Variables(VariablesPage),
    Compared(Compared),
    Evaluated {
        results: Vec<Evaluated>,
        /// All watches, if the call is about them.
        watches: Option<Vec<String>>,
    },
    Exception(Box<Exception>),
    Assigned(Assigned),
    Output(OutputPage),
    Stacks(Stacks),
    /// The targets found, and how many of them are listed.
    Targets(Targets, usize),
    Sessions(Vec<SessionStatus>),
    Capabilities(Box<SessionStatus>),
    /// A document of an adapter, as Markdown.
    Document(String),
    /// The adapters, and notes about the configuration.
    Adapters(Vec<Adapter>, Vec<String>),
    /// A log, and its first line that the call wants.
    Log(LogLines, Option<u64>),
    /// What a command of the debugger printed, and where the program is if it moved.
    Ran {
        /// `None`: it still runs.
        output: Option<String>,
        arrival: Option<Arrival>,
    },
    /// The body of an adapter's response.
    Response(Value),
    /// The whole result as data, in a form of its own.
    Own(Value),
    Failed(ErrorText),
}

impl Outcome {
    /// The arrival of a call that moves the debuggee.
    pub fn arrival(&self) -> Option<&Arrival> {
        match self {
            Self::Arrived(arrival)
            | Self::Paused(arrival, _)
            | Self::Stepped { arrival, .. }
            | Self::Waited { arrival, .. } => Some(arrival),
            Self::Ran { arrival, .. } => arrival.as_ref(),
            Self::Started(all) => all.iter().flatten().next().map(|started| &started.arrival),
            _ => None,
        }
    }

    /// The session that the result belongs to, if the result names it.
    pub fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Ended(all) => all.iter().flatten().next().map(|exit| &exit.session),
            Self::Unpaused(running, _) => Some(&running.session),
            Self::Capabilities(status) => Some(&status.id),
            Self::Exception(exception) => Some(&exception.stop.session),
            other => other.arrival().map(Arrival::session),
        }
    }

    /// The error of a call that failed.
    pub fn error(&self) -> Option<&ErrorText> {
        match self {
            Self::Failed(error) => Some(error),
            Self::Breakpoints { failed, .. } => failed.as_ref(),
            Self::Started(all) => all.iter().find_map(|one| one.as_ref().err()),
            Self::Ended(all) => all.iter().find_map(|one| one.as_ref().err()),
            _ => None,
        }
    }
}
