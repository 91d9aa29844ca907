//! Texts of log breakpoints that the host writes itself, evaluated at the stop. Refuses to know
//! what follows the stop.

use super::Actor;
use crate::dap::arguments::StackTraceArguments;
use crate::dap::{self, request};
use crate::model::{BreakpointId, LogHit, ThreadId};
use crate::session::adapter::wire::Wire;
use crate::session::adapter::{LogPiece, log_pieces};
use crate::session::breakpoints::logpoint;
use crate::session::stop::threads;
use crate::session::values::expressions::evaluate_or_find;
use crate::session::values::reader::FrameReader;

/// A log breakpoint whose text is to be written: its number, hits and text.
pub(super) type LogText = (BreakpointId, u32, String);

impl Actor {
    /// The texts of these log breakpoints, without those that their `every` or `max_hits` leaves
    /// out. Those that have written all that they may are removed from the adapter next.
    pub(super) fn log_texts(&mut self, ids: Vec<BreakpointId>) -> Vec<LogText> {
        let mut texts = Vec::new();
        for id in ids {
            let Some(breakpoint) = self.breakpoints.get(id) else { continue };
            match (logpoint::is_let_through(&breakpoint), self.breakpoints.log_text(id)) {
                (true, Some(text)) => texts.push((id, breakpoint.hits, text)),
                _ => self.breakpoints.suppress(id, 1),
            }
            self.breakpoints.retire(id);
        }
        texts
    }
}

/// Evaluates the texts.
pub(super) async fn render(
    wire: &Wire,
    thread: Option<ThreadId>,
    texts: Vec<LogText>,
) -> Vec<LogHit> {
    if texts.is_empty() {
        return Vec::new();
    }
    let thread = threads::or_first(wire, thread).await;
    let top = StackTraceArguments { thread_id: thread.0, levels: Some(1), ..Default::default() };
    let (frames, threads) = futures_util::future::join(
        wire.stack(top),
        wire.call::<request::Threads>(dap::NoArguments),
    )
    .await;
    let mut threads = threads.map(|answer| answer.threads).unwrap_or_default();
    threads.retain(|one| one.id == thread.0);
    let name = threads::named(wire, threads, Some(thread)).await.pop().map(|thread| thread.name);
    let frames = frames.map(|answer| answer.stack_frames).unwrap_or_default();
    let frame = frames.first().map(|frame| wire.quirks().frame(0, frame));
    let target = FrameReader::new(frame.as_ref(), wire);
    // One after the other, as with watches in `snapshot`.
    let mut hits = Vec::with_capacity(texts.len());
    for (id, number, text) in texts {
        let text = fill(&target, &text).await;
        hits.push(LogHit { id, number, thread: name.clone(), thread_id: Some(thread), text });
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
                match evaluate_or_find(target, &expression).await.result {
                    Ok(variable) => filled.push_str(&variable.value),
                    Err(why) => filled.push_str(&format!("<error: {why}>")),
                }
            }
        }
    }
    filled
}
