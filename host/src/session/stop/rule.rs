//! Which rule of the adapter classifies a stop.
//!
//! Knows the event, the stack and the source line at the top. Refuses to know what follows from a
//! match: [`classify`](super::classify) applies it.

use crate::dap::types;
use crate::session::adapter::quirks::{Quirks, Rule, StopFacts};
use crate::session::adapter::wire::Wire;
use crate::session::stop::event::StopEvent;
use crate::session::stop::source;

/// The first rule that matches.
pub(super) async fn first<'a>(
    wire: &'a Wire,
    event: &'a StopEvent,
    stack: &'a [types::StackFrame],
) -> Option<Rule<'a>> {
    for rule in wire.quirks().rules(facts(event), stack) {
        let Some(text) = rule.line_without() else { return Some(rule) };
        let frame = stack.first().map(|frame| wire.quirks().frame(0, frame));
        let line = frame.as_ref().map_or(0, |frame| frame.line);
        let source = source::window(frame.as_ref()).await.unwrap_or_default();
        if source.line(line).is_some_and(|line| !line.contains(text)) {
            return Some(rule);
        }
    }
    None
}

/// Is this stop the answer to a pause request? Judged by the event alone.
pub(crate) fn is_pause(quirks: &Quirks, event: &StopEvent) -> bool {
    quirks.is_pause(facts(event))
}

fn facts(event: &StopEvent) -> StopFacts<'_> {
    StopFacts {
        body: &event.body,
        pausing: event.pause_request.is_some(),
        entering: event.entering,
    }
}
