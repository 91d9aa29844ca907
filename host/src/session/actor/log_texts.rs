//! Log breakpoints that the host writes: their texts are evaluated at the stop, and the debuggee
//! is resumed. Callers do not see such a stop.

use dapdock_schema::{LogPiece, Profile, log_pieces};

use super::resumption::{self, Resumption};
use super::{Actor, Done, Hits, Phase, Signal};
use crate::dap::arguments::StackTraceArguments;
use crate::dap::{self, request};
use crate::model::{BreakpointId, Effects, LogHit, ThreadId};
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints::logpoint;
use crate::session::stop::threads;
use crate::session::values::convert;
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::reader::FrameReader;

/// What follows once the texts of a stop are written.
pub(super) enum AfterTexts {
    /// The stop stays hidden: the step or run under way goes on.
    LeaveStop,
    Then(Resumption),
}

impl Actor {
    /// Resumes the step or run under way from a hidden stop, in the flow that also writes log
    /// texts: `on_logged` decides how.
    pub(super) fn leave_hidden_stop(&mut self, thread: Option<ThreadId>) {
        self.write_log_texts(Vec::new(), thread, AfterTexts::LeaveStop);
    }

    /// Evaluates the texts of these log breakpoints.
    pub(super) fn write_log_texts(
        &mut self,
        ids: Vec<BreakpointId>,
        thread: Option<ThreadId>,
        then: AfterTexts,
    ) {
        let mut texts = Vec::new();
        for id in ids {
            let Some(breakpoint) = self.breakpoints.get(id) else { continue };
            match (logpoint::is_let_through(&breakpoint), self.breakpoints.log_text(id)) {
                (true, Some(text)) => texts.push((id, breakpoint.hits, text)),
                _ => self.breakpoints.suppress(id),
            }
        }
        let (Some(wire), generation) = (self.wire.clone(), self.generation) else { return };
        let (profile, stepping) = (self.profile.clone(), self.stepping);
        self.flows.push(Box::pin(async move {
            let hits = render(&wire, &profile, thread, texts).await;
            let then = match then {
                AfterTexts::Then(then) => then,
                AfterTexts::LeaveStop => {
                    resumption::after_hidden_stop(&wire, thread, stepping).await
                }
            };
            Done::Logged(generation, hits, then)
        }));
    }

    pub(super) fn on_logged(&mut self, generation: u32, hits: Vec<LogHit>, then: Resumption) {
        for hit in hits {
            self.record(hit);
        }
        if generation != self.generation || matches!(self.phase, Phase::Ending | Phase::Ended) {
            return;
        }
        match then {
            Resumption::Nothing => {}
            Resumption::Publish => {
                self.signal(Signal::Stopped);
                self.apply_queued_edits();
            }
            Resumption::StepFinished => self.publish_as("step"),
            Resumption::Resume(_) if self.pausing.is_some() => self.publish_as("pause"),
            Resumption::Resume(how) => self.resume_hidden(how),
        }
    }

    /// Reads and publishes a stop with another reason than its log breakpoints.
    fn publish_as(&mut self, reason: &str) {
        self.hits = Hits::default();
        if let Some(event) = &mut self.stopped_event {
            event.body.reason = reason.to_owned();
        }
        self.signal(Signal::Stopped);
    }
}

async fn render(
    wire: &Wire,
    profile: &Profile,
    thread: Option<ThreadId>,
    texts: Vec<(BreakpointId, u32, String)>,
) -> Vec<LogHit> {
    if texts.is_empty() {
        return Vec::new();
    }
    let id = thread.map_or(0, |thread| thread.0);
    let top = StackTraceArguments { thread_id: id, levels: Some(1), ..Default::default() };
    let (frames, threads) = futures_util::future::join(
        wire.stack(top),
        wire.call::<request::Threads>(dap::NoArguments),
    )
    .await;
    let mut threads = threads.map(|answer| answer.threads).unwrap_or_default();
    threads.retain(|thread| thread.id == id);
    let name = threads::named(wire, threads, thread).await.pop().map(|thread| thread.name);
    let frames = frames.map(|answer| answer.stack_frames).unwrap_or_default();
    let frame = frames.first().map(|frame| convert::frame(0, frame, profile));
    let target = FrameReader::new(frame.as_ref(), profile, wire);
    // One after the other, as with watches in `snapshot`.
    let mut hits = Vec::with_capacity(texts.len());
    for (id, number, text) in texts {
        let text = fill(&target, &text).await;
        hits.push(LogHit { id, number, thread: name.clone(), thread_id: thread, text });
    }
    hits
}

/// A log text with its expressions evaluated.
async fn fill(target: &FrameReader<'_>, text: &str) -> String {
    let mut filled = String::new();
    for piece in log_pieces(text) {
        match piece {
            LogPiece::Text(text) => filled.push_str(&text),
            LogPiece::Expression(expression) => {
                match evaluate_one(target, target.frame, &expression, Effects::None).await.result {
                    Ok(variable) => filled.push_str(&variable.value),
                    Err(why) => filled.push_str(&format!("<error: {why}>")),
                }
            }
        }
    }
    filled
}
