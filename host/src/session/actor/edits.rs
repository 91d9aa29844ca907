//! Breakpoint edits: translated by the plugin, sent to the adapter, reported to the caller.
//!
//! Knows when breakpoints may be sent. The breakpoints themselves and the requests belong to
//! `breakpoints` and `handshake`.

use std::path::PathBuf;

use futures_util::future::{BoxFuture, OptionFuture, join, join_all};

use super::state::edits::{Change, Facts, SyncWaiter};
use super::{Actor, Done, NearestCode, Phase};
use crate::model::answer::{BreakpointText, RefusalKind};
use crate::model::{BreakpointEdit, BreakpointId, BreakpointSpec, Nearest, Note, Place};
use crate::session::adapter::exceptions;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints;
use crate::session::breakpoints::BreakpointReport;
use crate::session::breakpoints::{Codeless, Translated};
use crate::session::launch::handshake::{self, Synced};
use crate::session::record::reply::Reply;
use crate::session::{
    Error,
    breakpoints::{RefusedPart, nearest, similar_functions},
};
use crate::{dap, plugin};

impl Actor {
    pub(super) fn edit_breakpoints(
        &mut self,
        mut edit: BreakpointEdit,
        reply: Reply<BreakpointReport>,
    ) {
        if matches!(self.phase, Phase::Ending | Phase::Ended) {
            return reply.send(Err(self.over()));
        }
        if let Err(error) = self.check_edit(&mut edit) {
            return reply.send(Err(error));
        }
        if self.must_halt() {
            return self.queue_edit(edit, reply);
        }
        match self.wire.clone() {
            Some(wire) if self.needs_translation() => {
                self.edits.begin_translation();
                // While the debuggee runs, an evaluation may keep the adapter busy until it stops.
                let stopped =
                    matches!(self.phase, Phase::Idle | Phase::Stopped) || self.edits.is_halted();
                self.flows.push(Box::pin(async move {
                    let texts = translate_checked(&wire, stopped, &edit.set).await;
                    Done::Translated(edit, texts, reply)
                }));
            }
            _ => {
                let texts = edit.set.iter().cloned().map(Translated::from).collect();
                self.on_translated(edit, Ok(texts), reply);
            }
        }
    }

    /// Whether the plugin or the adapter must check the texts of an edit first.
    pub(super) fn needs_translation(&self) -> bool {
        self.plugin.wants_translate("breakpoint") || self.quirks.checks_syntax()
    }

    fn check_edit(&self, edit: &mut BreakpointEdit) -> Result<(), Error> {
        let Some(words) = &mut edit.exceptions else { return Ok(()) };
        let (manifest, wire) = (self.plugin.manifest(), self.wire.as_ref());
        if edit.fitting_exceptions {
            *words = exceptions::fitting(manifest, wire, std::mem::take(words));
        }
        exceptions::check(manifest, wire, words)
    }

    pub(super) fn on_translated(
        &mut self,
        edit: BreakpointEdit,
        texts: Result<Vec<Translated>, Error>,
        reply: Reply<BreakpointReport>,
    ) {
        match texts.and_then(|texts| self.breakpoints.edit(edit, texts)) {
            Err(error) => reply.send(Err(error)),
            Ok(added) => {
                self.edits.wait(SyncWaiter::Report(added, reply));
                self.sync();
            }
        }
    }

    /// Sends changed breakpoints, or what has to come first.
    pub(super) fn sync(&mut self) {
        self.send_changes(self.must_stand());
    }

    /// `must_stand`: the debuggee runs, and the adapter takes breakpoints only while it stands.
    pub(super) fn send_changes(&mut self, must_stand: bool) {
        let wire = self.wire.clone().filter(|_| self.phase.is_up());
        let facts =
            Facts { changed: self.breakpoints.is_dirty(), reachable: wire.is_some(), must_stand };
        match (self.edits.change(facts), wire) {
            (Change::Wait, _) => {}
            (Change::Halt(need), _) => self.provide(need),
            (Change::Send, Some(wire)) => {
                let jobs = self.breakpoints.take_jobs(&self.quirks);
                self.flows
                    .push(Box::pin(async move { Done::Synced(handshake::sync(wire, jobs).await) }));
            }
            // Not started: the start sequence sends all breakpoints, `started` sends later ones.
            (Change::Answer | Change::Send, _) => self.answer_sync_waiters(),
        }
    }

    pub(super) fn on_synced(&mut self, synced: Synced) {
        let is_cut_off =
            synced.iter().any(|(_, answer)| matches!(answer, Err(dap::Error::Closed { .. })));
        self.edits.end_exchange();
        self.apply(synced);
        if is_cut_off {
            // The end of the session answers the waiting callers.
            return;
        }
        if self.breakpoints.is_dirty() {
            // At a hidden stop that waits for this the debuggee stands.
            return self.send_changes(self.must_stand() && !self.edits.is_leaving());
        }
        self.answer_sync_waiters();
        self.finish_halt();
    }

    pub(super) fn apply(&mut self, synced: Synced) {
        for (job, answer) in synced {
            for (id, origin, why) in &job.refused {
                self.breakpoints.withhold(*id, *origin, why.clone());
            }
            match answer {
                Ok(answer) => self.breakpoints.apply(&job, &answer, &self.quirks),
                // The end of the adapter decides nothing about breakpoints.
                Err(error @ dap::Error::Closed { .. }) => {
                    self.log.add(format!("{:?}: {error}", job.key));
                }
                Err(error) => {
                    let error = Error::from_dap(&error, &self.quirks);
                    self.log.add(format!("{:?}: {error}", job.key));
                    if job.has_default_exceptions() {
                        self.notes.push(Note::DefaultExceptionsRefused(error.to_string()));
                    }
                    self.breakpoints.refuse(&job, &error.to_string());
                }
            }
        }
        self.breakpoints.end_calls();
        self.reporter.breakpoints();
    }

    pub(super) fn answer_sync_waiters(&mut self) {
        for waiting in self.edits.take_waiters() {
            match waiting {
                SyncWaiter::Report(added, reply) => self.report(added, reply),
                SyncWaiter::Located(added, reply) => self.answer_edit(added, reply),
                SyncWaiter::Continue(until, reply) => self.run_until(until, reply),
                SyncWaiter::Replace(text, until, reply) => self.set_replacing(*text, until, reply),
                SyncWaiter::Leave(generation, how) => self.leave(generation, how),
            }
        }
    }

    /// Answers an edit. Looks up the nearest code for places without code first.
    fn report(&mut self, added: Vec<BreakpointId>, reply: Reply<BreakpointReport>) {
        match self.nearest_code(self.breakpoints.codeless(&added)) {
            Some(search) => {
                self.flows.push(Box::pin(async move { Done::Located(search.await, added, reply) }))
            }
            None => self.answer_edit(added, reply),
        }
    }

    /// Looks up the code nearest to these places; `None` where neither the adapter nor the program
    /// can answer. Its requests are sent before any later one.
    pub(super) fn nearest_code(
        &self,
        codeless: Codeless,
    ) -> Option<BoxFuture<'static, NearestCode>> {
        let lines = self.nearest_lines(codeless.lines);
        let program = self.code.program.clone().filter(|_| !codeless.functions.is_empty());
        if lines.is_none() && program.is_none() {
            return None;
        }
        let functions = OptionFuture::from(
            program.map(|program| similar_functions::similar(program, codeless.functions)),
        );
        Some(Box::pin(async move {
            let (lines, functions) = join(OptionFuture::from(lines), functions).await;
            lines.into_iter().chain(functions).flatten().collect()
        }))
    }

    fn nearest_lines(
        &self,
        places: Vec<(BreakpointId, PathBuf, u32)>,
    ) -> Option<BoxFuture<'static, NearestCode>> {
        let wire = self.wire.clone().filter(|_| !places.is_empty())?;
        if wire.client().capabilities().has("supportsBreakpointLocationsRequest") {
            return Some(Box::pin(async move { as_lines(nearest::nearest(&wire, places).await) }));
        }
        let trials =
            self.can_try_lines().then(|| self.breakpoints.trials(&places, &wire, &self.quirks))?;
        Some(Box::pin(async move {
            as_lines(join_all(trials.into_iter().map(nearest::Trial::nearest)).await)
        }))
    }

    /// Whether breakpoints may be set on trial: the debuggee cannot reach them.
    fn can_try_lines(&self) -> bool {
        self.quirks.tries_lines() && self.phase == Phase::Stopped && self.edits.is_quiet()
    }

    pub(super) fn on_located(
        &mut self,
        found: NearestCode,
        added: Vec<BreakpointId>,
        reply: Reply<BreakpointReport>,
    ) {
        self.breakpoints.set_nearest(found, &self.quirks);
        self.edits.wait(SyncWaiter::Located(added, reply));
        self.sync();
    }

    fn answer_edit(&mut self, added: Vec<BreakpointId>, reply: Reply<BreakpointReport>) {
        let defaults = exceptions::default_words(self.plugin.manifest());
        let report = self.breakpoints.report(added, &defaults);
        let unchecked =
            exceptions::types(self.plugin.manifest(), self.wire.as_ref(), &report.exceptions);
        let open = Some(self.identity.id.clone());
        let off = exceptions::off(&report.exceptions, &unchecked, defaults);
        reply.send(Ok(BreakpointReport { unchecked, off, open, ..report }));
    }
}

fn as_lines(found: Vec<(BreakpointId, Vec<u32>)>) -> NearestCode {
    found.into_iter().map(|(id, lines)| (id, Nearest::Lines(lines))).collect()
}

async fn translate_checked(
    wire: &Wire,
    checks_syntax: bool,
    specs: &[BreakpointSpec],
) -> Result<Vec<Translated>, Error> {
    let texts = translate_all(wire, specs).await?;
    let conditions = texts.iter().filter_map(|text| text.condition.as_deref());
    let mut wrong = Vec::new();
    if checks_syntax {
        for condition in conditions {
            wrong.extend(handshake::check(wire, condition).await.err());
        }
    }
    Error::all(wrong).map(|()| texts)
}

/// Translates every spec into the adapter's syntax. Fails with all refusals.
pub(crate) async fn translate_all(
    wire: &Wire,
    specs: &[BreakpointSpec],
) -> Result<Vec<Translated>, Error> {
    let (mut texts, mut wrong) = (Vec::with_capacity(specs.len()), Vec::new());
    for spec in specs {
        match translate(wire, spec).await {
            Ok(text) => texts.push(text),
            Err(error) => wrong.push(error),
        }
    }
    Error::all(wrong).map(|()| texts)
}

/// Translates one spec into the adapter's syntax.
pub(crate) async fn translate(wire: &Wire, spec: &BreakpointSpec) -> Result<Translated, Error> {
    let mut text = Translated::from(spec.clone());
    let function = text.function.take();
    let given = BreakpointText {
        condition: text.condition.take(),
        log_message: text.log.take(),
        function: function.clone(),
        at: None,
    };
    let hook_call = wire.hook_call().await;
    let answer = match wire.plugin().breakpoint(&hook_call.view, &given).await {
        Ok(answer) => answer,
        Err(error) => {
            let alone = BreakpointText { function: function.clone(), ..BreakpointText::default() };
            let misnamed = if function.is_some() {
                wire.plugin().breakpoint(&hook_call.view, &alone).await.err()
            } else {
                None
            };
            let is_misnamed = misnamed.is_some();
            return Err(unreadable(misnamed.unwrap_or(error), spec, is_misnamed));
        }
    };
    let answer = hook_call.store(answer);
    // A plugin that returns no function leaves it unchanged.
    (text.condition, text.log, text.function) =
        (answer.condition, answer.log_message, answer.function.or(function));
    text.place = answer.at.unwrap_or(text.place);
    Ok(text)
}

/// A refused text is the caller's mistake, not the plugin's. `misnamed`: the plugin refuses the
/// function alone too.
fn unreadable(error: plugin::Error, spec: &BreakpointSpec, misnamed: bool) -> Error {
    match error.refusal() {
        Some(refusal) if matches!(refusal.kind, RefusalKind::InvalidRequest) => {
            let condition = || spec.condition.clone().map(RefusedPart::Condition);
            let function = || match &spec.place {
                Place::Function(name) if misnamed => Some(RefusedPart::Function {
                    name: name.clone(),
                    instead: refusal.hint.clone(),
                }),
                _ => None,
            };
            let part =
                function().or_else(|| spec.log.clone().map(RefusedPart::Log)).or_else(condition);
            let is_function = matches!(part, Some(RefusedPart::Function { .. }));
            let message = if is_function { refusal.message.clone() } else { refusal.with_hint() };
            Error::Breakpoints(breakpoints::Error::Refused { message, part })
        }
        _ => error.into(),
    }
}
