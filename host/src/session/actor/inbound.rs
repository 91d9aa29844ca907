//! Messages of the adapter: events, late answers, reverse requests and the end of the connection.
//!
//! Knows what an event changes; a `stopped` event goes on in `stops`.

use std::path::PathBuf;

use futures_util::future::BoxFuture;

use super::{Actor, Done, Phase, Signal};
use crate::dap::event::{
    BreakpointEvent, Exited, LoadedSourceEvent, ModuleEvent, Output as OutputEvent, Process,
};
use crate::dap::types::{BreakpointOutput, LoggedText};
use crate::dap::{
    self, CloseReason, Event, Inbound, RawEvent, Request as _, ReverseRequest, Waiter, request,
    resumes,
};
use crate::model::answer::{DapEvent, EventAction};
use crate::model::{BreakpointId, LogHit, Note, Stream};
use crate::process::Adoption;
use crate::session::adapter;
use crate::session::adapter::wire::Wire;
use crate::session::launch::order::Resources;
use crate::session::{Error, breakpoints::logpoint};

/// Messages of the adapter that one stop carries; the log has all.
const MESSAGES: usize = 8;

/// The answer to a request of the plugin.
pub(super) type Answered = BoxFuture<'static, Result<(), dap::Error>>;

impl Actor {
    /// The plugin's hook translates an event that the manifest names, and later events wait for it.
    /// Answers do not wait: each request gets its own at once (`Incoming::queue_behind`).
    pub(super) fn on_inbound(&mut self, inbound: Inbound) {
        if self.incoming.is_translating() {
            return self.incoming.queue(inbound);
        }
        let is_wanted = |wire: &&Wire| match &inbound {
            Inbound::Event(event) => wire.plugin().wants_event(&event.event),
            _ => false,
        };
        let wire = self.wire.as_ref().filter(is_wanted).cloned();
        match (inbound, wire) {
            (Inbound::Event(event), Some(wire)) => {
                let mut events = self.incoming.take_following(&event);
                events.insert(0, event);
                self.incoming.translate(Some(Box::pin(translate(wire, events))));
            }
            (inbound, _) => self.on_translated_inbound(inbound),
        }
    }

    /// The events that a hook has made of others, and the requests that it has sent.
    pub(super) fn on_hooked_inbound(
        &mut self,
        events: Vec<Inbound>,
        sent: Vec<(String, Answered)>,
    ) {
        for event in events {
            self.on_translated_inbound(event);
        }
        let generation = self.motion.generation();
        for (command, answered) in sent {
            self.flows.push(Box::pin(async move {
                Done::PluginAnswered(generation, command, answered.await)
            }));
        }
    }

    pub(super) fn on_translated_inbound(&mut self, inbound: Inbound) {
        match inbound {
            Inbound::Event(event) => self.on_event(&event),
            Inbound::Request(request) => self.on_reverse_request(&request),
            Inbound::Garbage(garbage) => {
                self.log.add(format!("the adapter sent no DAP message: {garbage:?}"))
            }
            Inbound::Closed(reason) => self.on_closed(&reason),
            // The late answer to a move that has timed out: the evaluation before it is over.
            Inbound::Response(answer)
                if answer.waiter == Waiter::Gone && resumes(&answer.command) =>
            {
                if let Some(delayed) = self.motion.take_behind()
                    && !answer.success
                {
                    self.on_move_refused(delayed.left, format!("it refused `{}`", answer.command));
                }
            }
            Inbound::Response(_) => {}
        }
    }

    fn on_event(&mut self, raw: &RawEvent) {
        match raw.read() {
            Event::Initialized => drop(self.initialized.send_replace(true)),
            Event::Capabilities(news) => {
                if let Some(wire) = &self.wire {
                    wire.client().merge_capabilities(self.quirks.capabilities(news));
                }
            }
            Event::Stopped(stopped) => {
                self.take_control();
                self.on_stopped(stopped, raw.body.clone());
            }
            Event::Exited(exited) => self.on_exited(&exited),
            Event::Terminated(terminated) if terminated.lost => self.on_connection_lost(),
            // One of its debuggees has ended.
            Event::Terminated(_) if self.is_open() => {}
            Event::Terminated(_) => {
                self.debuggee.on_terminated();
                self.signal(Signal::Over);
            }
            Event::Output(output) => self.on_output(&output),
            Event::Breakpoint(event) => self.on_breakpoint(&event),
            Event::Process(process) => self.on_process(&process),
            Event::Thread(thread) if self.quirks.sends_late() && thread.reason == "started" => {
                if let Some(resources) = &self.processes.resources {
                    resources.family.send_at_once();
                }
            }
            Event::LoadedSource(LoadedSourceEvent { reason, source }) if reason != "removed" => {
                if let Some(path) = source.path {
                    self.on_loaded(path.into());
                }
            }
            Event::Module(ModuleEvent { reason, module }) if reason != "removed" => {
                if let Some(wire) = &self.wire {
                    self.quirks.load(wire.modules(), &module, &self.code.images);
                }
            }
            // `continued` may come late or twice, so the phase follows the moves that were sent,
            // and the raw requests, which may be moves.
            Event::Continued(_) => {
                self.take_control();
                self.leave_stop_if_raw();
                self.send_queued_pauses();
            }
            _ => {}
        }
    }

    fn on_loaded(&mut self, path: PathBuf) {
        let library = path.to_str().is_none_or(|path| self.quirks.is_in_library(path));
        if self.quirks.has_source_maps() && !library {
            self.code.source_maps.load(path.clone());
        }
        self.breakpoints.load(path);
    }

    fn on_output(&mut self, output: &OutputEvent) {
        let category = output.category.as_deref().unwrap_or("console");
        if category == "telemetry" {
            return;
        }
        if let Some(report) = self.quirks.hit_report(output) {
            return self.on_hit_report(report, &output.output);
        }
        // A program may print the same text: it counts only where the host gave it to the adapter.
        // The adapter may write a line about a breakpoint that was removed just now.
        if let Some(marked) =
            logpoint::read(&output.output).filter(|_| self.quirks.marks_log_messages())
            && self.breakpoints.get(marked.id).map_or_else(
                || self.breakpoints.has_had(marked.id),
                |breakpoint| breakpoint.spec.log.is_some(),
            )
        {
            return self.on_marked(marked);
        }
        let stream = self.quirks.stream(category, &output.output);
        self.output.write(stream, &output.output);
        if stream == Stream::Adapter
            && let Some(code) = self.quirks.announced_exit(&output.output)
        {
            self.on_exited(&Exited { exit_code: Some(code), ..Exited::default() });
        }
        if category == "important" {
            // DAP: the client should show it, for example a condition that failed.
            let earlier = self.notes.iter().filter(|note| matches!(note, Note::Adapter(_))).count();
            let note = self.quirks.gist(&output.output).map(Note::Adapter);
            if earlier < MESSAGES && note.as_ref().is_some_and(|note| !self.notes.contains(note)) {
                self.notes.extend(note);
            }
        }
        if stream == Stream::Adapter {
            self.log.add(format!("adapter: {}", output.output.trim_end()));
        }
    }

    /// Hits that code of the plugin in the debuggee reports. The breakpoint may have been removed
    /// just now.
    fn on_hit_report(&mut self, report: BreakpointOutput, output: &str) {
        if !report.texts.is_empty() {
            for LoggedText { breakpoint, thread, text } in report.texts {
                let one = BreakpointOutput { breakpoint, thread, ..Default::default() };
                self.on_hit_report(one, &text);
            }
            return;
        }
        let id = BreakpointId(report.breakpoint);
        if !self.breakpoints.has_had(id) {
            return self.log.add(format!("hits of an unknown breakpoint: {report:?}"));
        }
        let is_logging =
            self.breakpoints.get(id).is_none_or(|breakpoint| breakpoint.spec.log.is_some());
        match report.hits {
            Some(hits) => {
                self.breakpoints.count(id, hits);
                if report.unlogged {
                    self.breakpoints.suppress(id, hits);
                }
            }
            // A line that was written before the breakpoint lost its text.
            None if !is_logging => {}
            None => self.on_marked(logpoint::Marked {
                id,
                thread: report.thread,
                text: logpoint::without_line_end(output),
            }),
        }
    }

    /// A line of a log breakpoint that the adapter wrote; `every` and `max_hits` are the host's.
    fn on_marked(&mut self, marked: logpoint::Marked) {
        self.breakpoints.count(marked.id, 1);
        let Some(breakpoint) = self.breakpoints.get(marked.id) else { return };
        if !self.breakpoints.satisfies_hit_condition(marked.id, &self.quirks) {
            return;
        }
        if logpoint::is_let_through(&breakpoint) {
            self.record(LogHit {
                id: marked.id,
                number: breakpoint.hits,
                thread: marked.thread,
                thread_id: None,
                text: marked.text,
            });
        } else {
            self.breakpoints.suppress(marked.id, 1);
        }
        // Each further hit would cost more than a halt.
        if self.breakpoints.retire(marked.id) {
            self.sync();
        }
    }

    /// `new` is a breakpoint of the debugger's own language, if a command may have set it; else the
    /// event is about a breakpoint that a call has set, by its id.
    fn on_breakpoint(&mut self, event: &BreakpointEvent) {
        let may_be_by_command = self.side_effects.is_raw() && !self.edits.is_sent();
        match (event.reason.as_str(), event.breakpoint.id) {
            ("removed", Some(number)) => {
                self.breakpoints.deleted_by_command(number, may_be_by_command)
            }
            ("removed", None) => {}
            ("new", Some(_)) if may_be_by_command => {
                self.breakpoints.set_by_command(&event.breakpoint, &self.quirks)
            }
            _ => self.breakpoints.on_event(&event.breakpoint, &self.quirks),
        }
        self.reporter.breakpoints();
    }

    fn on_process(&mut self, process: &Process) {
        let pid = process
            .system_process_id
            .and_then(|pid| u32::try_from(pid).ok())
            .filter(|_| !self.debuggee.is_post_mortem());
        if self.is_open() {
            self.debuggee.set_launched(process.start_method.as_deref() != Some("attach"));
        }
        let Some(pid) = pid.filter(|_| process.is_local_process != Some(false)) else { return };
        // The process id belongs to the adapter's machine.
        let process = match self.debuggee.address() {
            Some(address) if is_remote(address) => None,
            _ => crate::process::identify(pid),
        };
        self.debuggee.set_process(pid, process);
        let Some(resources) = &self.processes.resources else { return };
        if !self.debuggee.is_launched() {
            resources.family.disown(pid);
        } else if resources.family.adopt(pid) != Adoption::Adopted {
            self.log.add(format!("process {pid} is not ours or has ended"));
        }
    }

    fn on_exited(&mut self, exited: &Exited) {
        let signal = exited.signal_number.map(|number| format!(", signal {number}"));
        let code = exited.exit_code;
        self.log.add(format!("exited {code:?}{}", signal.unwrap_or_default()));
        if self.is_open() {
            return self.on_exited_and_open(self.quirks.exit_status_of(exited));
        }
        if let Some(status) = self.quirks.exit_status_of(exited) {
            self.debuggee.on_exited(status);
        }
        // `terminated` usually follows or came before; without it the deadline ends the session.
        self.end.set_deadline(Some(tokio::time::Instant::now() + self.limits.exit_settle));
    }

    /// No more events came after `exited`.
    pub(super) fn on_settled(&mut self) {
        self.end.set_deadline(None);
        if self.debuggee.exit().is_some() {
            self.signal(Signal::Over);
        }
    }

    pub(super) fn on_closed(&mut self, reason: &CloseReason) {
        self.incoming.close();
        self.log.add(format!("wire closed: {reason}"));
        match self.phase {
            Phase::Ending | Phase::Ended => {}
            _ if self.debuggee.exit().is_some() => self.signal(Signal::Over),
            // The start sequence fails by itself, with the step that it was at.
            Phase::Preparing | Phase::Starting if !self.flows.is_empty() => {}
            Phase::Running | Phase::Stopped if self.is_end(reason) => {
                self.debuggee.on_terminated();
                self.signal(Signal::Over);
            }
            phase => {
                let during = match phase {
                    Phase::Stopped => "the stop",
                    _ => "the run",
                };
                self.fail(Error::Adapter(adapter::Error::Died {
                    during: during.to_owned(),
                    tail: String::new(),
                }));
            }
        }
    }

    /// Whether the debuggee has ended with this connection. An adapter in a process of its own that
    /// closes it has failed.
    fn is_end(&self, reason: &CloseReason) -> bool {
        let has_adapter = self.processes.resources.as_ref().is_some_and(Resources::has_adapter);
        matches!(reason, CloseReason::Eof) && self.quirks.ends_by_closing() && !has_adapter
    }

    fn on_reverse_request(&mut self, request: &ReverseRequest) {
        self.log.add(format!("refused: the adapter requested {}", request.command));
        // Of its own accord no adapter initializes its client.
        if request.command == request::Initialize::COMMAND {
            return self.fail(Error::Adapter(adapter::Error::NotDap {
                adapter: self.plugin.name().to_owned(),
                sign: "it sends back what it is sent".to_owned(),
            }));
        }
        if let Some(wire) = &self.wire {
            let refusal = format!("dapdock does not support {}", request.command);
            wire.client().respond(request.seq, &request.command, Err(refusal));
        }
    }
}

/// The events that a hook makes of these, and the requests that it sends.
async fn translate(wire: Wire, events: Vec<RawEvent>) -> Done {
    let mut read = Vec::with_capacity(events.len());
    for RawEvent { event, body } in events {
        read.push(DapEvent { event, body });
    }
    let actions = actions(&wire, &read).await;
    debug_assert_eq!(actions.len(), read.len());
    let (mut translated, mut sent) = (Vec::new(), Vec::new());
    for (event, action) in read.into_iter().zip(actions) {
        let (events, requests) = match action {
            EventAction::Unchanged => (vec![event], Vec::new()),
            EventAction::Effect { events, requests } => {
                trace(&wire, &event.event, &events);
                (events, requests)
            }
        };
        for DapEvent { event, body } in events {
            translated.push(Inbound::Event(RawEvent { event, body }));
        }
        for request in requests {
            let command = request.command.clone();
            sent.push((command, Box::pin(wire.send_for_plugin(request)) as Answered));
        }
    }
    Done::Inbound(translated, sent)
}

/// What the hook makes of each event.
async fn actions(wire: &Wire, events: &[DapEvent]) -> Vec<EventAction> {
    let call = wire.hook_call().await;
    let answer = wire.plugin().on_events(&call.view, events).await;
    if answer.is_ok() || events.len() == 1 {
        return call.degrade(answer, vec![EventAction::Unchanged]);
    }
    drop(call);
    // One of them has failed, and the state of the others is lost with it.
    let mut actions = Vec::with_capacity(events.len());
    for event in events.chunks(1) {
        actions.extend(Box::pin(self::actions(wire, event)).await);
    }
    actions
}

/// Traces what the plugin has made of an event.
fn trace(wire: &Wire, event: &str, made: &[DapEvent]) {
    let read: Vec<_> = made.iter().map(|it| format!("{} {}", it.event, it.body)).collect();
    let read = if read.is_empty() { "nothing".to_owned() } else { read.join(", ") };
    wire.client().trace().line(&format!("plugin reads event {event} as {read}"));
    if event == "stopped" && !made.iter().any(|it| it.event == "stopped") {
        wire.log().line("the plugin's on-event removed a `stopped` event");
    }
}

/// Whether an address `host:port` is on another machine.
fn is_remote(address: &str) -> bool {
    let (host, _) = address.rsplit_once(':').unwrap_or((address, ""));
    crate::process::loopback(host).is_empty()
}
