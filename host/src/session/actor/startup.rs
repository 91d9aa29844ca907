//! From a prepared launch to a debuggee under control. Knows when the start sequence begins and
//! ends; its requests are in `launch::handshake`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::oneshot;

use super::state::code::Code;
use super::state::debuggee::Attached;
use super::{Actor, Done, Phase, Signal, edits};
use crate::dap::CloseReason;
use crate::model::answer::SessionView;
use crate::model::plan::RequestKind;
use crate::model::{BreakpointId, BreakpointSpec, Note, Place};
use crate::process;
use crate::session::adapter::quirks::Quirks;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints;
use crate::session::breakpoints::{Origin, Translated};
use crate::session::handle::Life;
use crate::session::launch::handshake::{self, Armed, Start};
use crate::session::launch::order::{Prepared, Resources};
use crate::session::{Error, adapter::exceptions};

/// The number of the next session for plugins: unique within this host, which may have several
/// lists of sessions.
static NUMBERED: AtomicU32 = AtomicU32::new(1);

impl Actor {
    pub(super) fn started(&mut self) {
        self.debuggee.on_started();
        self.notes.extend(self.ends_attached().map(Note::EndsWithSession));
        self.progress.send_replace("running".to_owned());
        self.life.send_replace(Life::Started);
        self.signal(match self.opened {
            Some(_) => Signal::Opened,
            None => Signal::Configured,
        });
        self.sync();
        // The connection may have been closed before its last answers were read.
        if !self.incoming.is_open() {
            self.on_closed(&CloseReason::Eof);
        }
    }

    pub(super) fn on_prepared(&mut self, prepared: Prepared) {
        let Prepared {
            client,
            inbox,
            plan,
            arguments,
            running,
            built,
            made,
            program,
            target,
            notes,
        } = prepared;
        self.quirks = Quirks::of(&plan);
        self.debuggee.on_prepared(
            plan.request == RequestKind::Launch,
            self.quirks.is_post_mortem(),
            self.quirks.continues_attached(),
        );
        self.notes.extend(plan.notes.into_iter().map(Note::Plan).chain(notes));
        let attached = self.debuggee.attached_process().and_then(|pid| process::program(pid).ok());
        self.code = Code {
            root: std::mem::take(&mut self.code.root),
            images: program
                .iter()
                .chain(&attached)
                .flat_map(|path| [Some(path.clone()), path.canonicalize().ok()])
                .flatten()
                .collect(),
            script: target.clone().filter(|_| program.is_none()),
            program,
            source_maps: Arc::default(),
            built_at: made,
            build_time: built.as_ref().map(|built| built.time),
            builds: built,
        };
        // A short program ends before the adapter reports its loaded sources.
        if let Some(target) = target.filter(|_| self.quirks.has_source_maps()) {
            self.code.source_maps.load(target);
        }
        let foreign = self.foreign(&running);
        let streams = self.quirks.passed_streams();
        self.processes.on_prepared(running, streams, self.limits.output_bytes);
        if matches!(self.phase, Phase::Ending | Phase::Ended) {
            return;
        }
        self.log.add(format!("launch arguments: {arguments}"));
        let facts = SessionView {
            id: NUMBERED.fetch_add(1, Ordering::Relaxed),
            kind: plan.request,
            arguments: Arc::new(arguments.clone()),
            state: plan.state,
            tools: Arc::new(plan.tools),
            log: self.log.sink(),
            ..SessionView::default()
        };
        self.log.follow(client.trace());
        let wire = Wire::new(
            client,
            (self.plugin.clone(), self.quirks.clone()),
            facts,
            self.limits.request,
        );
        self.start = Some(Start {
            wire: wire.clone(),
            arguments,
            foreign,
            initialize: plan.initialize,
            initialized: self.initialized.subscribe(),
            jobs: Vec::new(),
            used: plan.used,
            limits: self.limits.clone(),
        });
        self.wire = Some(wire);
        self.incoming.open(inbox);
        self.signal(Signal::Connected);
    }

    /// The address of an attach to a server that the host has not started.
    fn foreign(&self, running: &Resources) -> Option<String> {
        let address = self.debuggee.address().filter(|_| running.processes.is_empty());
        address.map(str::to_owned)
    }

    /// Begins the start sequence. Breakpoints set before the adapter existed are translated first.
    pub(super) fn handshake(&mut self) {
        let (ids, specs): (Vec<_>, Vec<_>) = self.breakpoints.specs().into_iter().unzip();
        match self.wire.clone().filter(|wire| wire.plugin().wants_translate("breakpoint")) {
            Some(wire) if specs.iter().any(has_text) => self.flows.push(Box::pin(async move {
                let mut texts = Vec::with_capacity(specs.len());
                for (id, spec) in ids.into_iter().zip(&specs) {
                    texts.push((id, edits::translate(&wire, spec).await));
                }
                Done::Retranslated(texts)
            })),
            _ => self.begin(),
        }
    }

    /// A refused breakpoint of an earlier session is withheld; one of this launch fails it.
    pub(super) fn on_retranslated(
        &mut self,
        texts: Vec<(BreakpointId, Result<Translated, Error>)>,
    ) {
        let (mut translated, mut refused) = (Vec::with_capacity(texts.len()), Vec::new());
        for (id, text) in texts {
            match text {
                Ok(text) => translated.push((id, text)),
                Err(Error::Breakpoints(breakpoints::Error::Refused { message, .. }))
                    if self.breakpoints.is_retained(id) =>
                {
                    self.breakpoints.withhold(id, Origin::Retained, message);
                }
                Err(error) => refused.push(error),
            }
        }
        if let Err(error) = Error::all(refused) {
            return self.fail(error);
        }
        self.breakpoints.set_texts(translated);
        if self.phase == Phase::Starting {
            self.begin();
        }
    }

    pub(super) fn on_armed(&mut self, armed: Armed) {
        if let Some(wire) = &self.wire
            && self.quirks.stops_at_log_points(&wire.client().capabilities())
        {
            self.quirks = self.quirks.without_log_points();
        }
        if !armed.unknown_filters.is_empty() {
            self.breakpoints.forget_exceptions(&armed.unknown_filters);
            let known = exceptions::known(self.plugin.manifest(), self.wire.as_ref());
            self.notes.push(Note::UnknownExceptions { words: armed.unknown_filters, known });
        }
        self.apply(armed.synced);
    }

    fn begin(&mut self) {
        self.progress.send_replace(match self.debuggee.attached_to() {
            None => "starting the program".to_owned(),
            Some(Attached::Process(pid)) => format!("attaching to process {pid}"),
            Some(Attached::Address(address)) => {
                format!("waiting for the debugger that listens at {address}")
            }
        });
        let Some(mut start) = self.start.take() else { return };
        start.jobs = self.breakpoints.take_jobs(&self.quirks);
        let (sender, armed) = oneshot::channel();
        self.flows.push(Box::pin(async move { Done::Armed(armed.await.ok()) }));
        self.flows
            .push(Box::pin(async move { Done::Configured(handshake::start(start, sender).await) }));
    }
}

/// Whether a breakpoint has a text in the adapter's syntax.
fn has_text(spec: &BreakpointSpec) -> bool {
    spec.condition.is_some() || spec.log.is_some() || matches!(spec.place, Place::Function(_))
}
