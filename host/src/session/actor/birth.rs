//! What an actor is made from, and its state before the first input.

use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::incoming::Incoming;
use super::input::Calls;
use super::opened::Opened;
use super::processes::Processes;
use super::state::code::Code;
use super::state::debuggee::{Attached, Debuggee};
use super::state::edits::Edits;
use super::state::end::End;
use super::state::motion::Motion;
use super::state::pausing::Pausing;
use super::state::side_effects::SideEffects;
use super::state::stops::Stops;
use super::{Actor, Done, Flow};
use crate::model::SessionId;
use crate::model::plan::TargetRef;
use crate::session::adapter::quirks::Quirks;
use crate::session::breakpoints::Breakpoints;
use crate::session::claim::Claim;
use crate::session::feed::Reporter;
use crate::session::handle::{Carried, Command, Life};
use crate::session::launch::order::Order;
use crate::session::launch::prepare;
use crate::session::phase::Phase;
use crate::session::record::journal::Journal;
use crate::session::record::log::Log;
use crate::session::record::log_hits::Logged;
use crate::session::record::output::Output;
use crate::target::ForeignFiles;

/// Which session it is.
pub(in crate::session) struct Identity {
    pub(in crate::session) id: SessionId,
    /// When the caller requested it.
    pub(in crate::session) requested_at: Instant,
    /// The target in words.
    pub(in crate::session) target: String,
    /// The target with its arguments.
    pub(in crate::session) command_line: String,
    /// The call that opens the same session again.
    pub(in crate::session) repeat_call: String,
}

/// What a session is made from.
pub(in crate::session) struct Birth {
    pub(in crate::session) identity: Identity,
    /// How long a session without a target may stay unused; `None`: it has a target.
    pub(in crate::session) idle: Option<Duration>,
    pub(in crate::session) order: Order,
    pub(in crate::session) foreign_files: ForeignFiles,
    pub(in crate::session) carried: Carried,
    pub(in crate::session) commands: mpsc::Receiver<Command>,
    pub(in crate::session) life: watch::Sender<Life>,
    pub(in crate::session) reporter: Reporter,
    pub(in crate::session) claim: Claim,
}

impl Actor {
    pub(in crate::session) fn new(birth: Birth) -> Self {
        let Birth {
            identity,
            idle,
            order,
            foreign_files,
            carried,
            commands,
            life,
            reporter,
            claim,
        } = birth;
        let (limits, plugin) = (order.limits.clone(), order.plugin.clone());
        let (log, root) = (order.workspace.log.clone(), order.workspace.root.clone());
        let (progress, family) = (order.progress.clone(), order.family.clone());
        let stop_on_entry = order.request.stop_on_entry;
        let is_program = matches!(order.request.target, Some(TargetRef::Path(_)));
        let post_mortem = is_program && plugin.manifest().cores && order.request.has_core();
        let attached_to = match order.request.target {
            Some(TargetRef::Pid(pid)) => Some(Attached::Process(pid)),
            Some(TargetRef::Address(ref host, port)) => {
                Some(Attached::Address(format!("{host}:{port}")))
            }
            _ => None,
        };
        let process = match attached_to {
            Some(Attached::Process(pid)) => crate::process::identify(pid),
            _ => None,
        };
        let mut breakpoints =
            Breakpoints::new(limits.breakpoints).with_foreign_files(foreign_files);
        breakpoints.adopt(carried.breakpoints, carried.chooses_exceptions);
        let prepare =
            async move { Done::Prepared(Box::pin(prepare::prepare(order)).await.map(Box::new)) };
        let opened = idle.map(|limit| Opened::new(limit, claim));
        let mut output = Output::new(limits.output_lines, limits.output_bytes, limits.line_bytes);
        if let Some(opened) = &opened {
            output.copy_to(opened.uncollected());
        }
        output.show_to(reporter.live());
        let flows = FuturesUnordered::new();
        flows.push(Box::pin(prepare) as Flow);
        Self {
            quirks: Quirks::of_plugin(&plugin),
            plugin,
            phase: Phase::Preparing,
            progress,
            life,
            reporter,
            wire: None,
            incoming: Incoming::default(),
            processes: Processes::new(family),
            initialized: watch::Sender::new(false),
            start: None,
            flows,
            reads: FuturesUnordered::new(),
            calls: Calls::new(commands),
            journal: Journal::new(limits.stops),
            output,
            log: Log::new(limits.log_lines, log),
            log_hits: Logged::new(limits.log_hits),
            breakpoints,
            edits: Edits::default(),
            pausing: Pausing::default(),
            watches: carried.watches,
            side_effects: SideEffects::default(),
            motion: Motion::new(identity.requested_at),
            identity,
            stops: Stops::new(stop_on_entry),
            notes: Vec::new(),
            code: Code { root, ..Code::default() },
            debuggee: Debuggee::new(attached_to, post_mortem, process),
            end: End::default(),
            opened,
            limits,
        }
    }
}
