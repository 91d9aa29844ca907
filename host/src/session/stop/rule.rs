//! The profile's stop rules: which one matches a stop, and how it resumes.
//!
//! Knows the event, the stack and the source line at the top. Refuses to know what follows from a
//! match: [`classify`](super::classify) applies it.

use dapdock_schema::{Profile, StopRule};

use crate::dap::types as wire;
use crate::model::{Granularity, Resume, Step, StepKind};
use crate::session::stop::event::{PauseRequest, StopEvent};
use crate::session::stop::focus::live_frames;
use crate::session::stop::source;
use crate::session::values::convert;

/// The first rule that matches.
pub(super) async fn first<'a>(
    profile: &'a Profile,
    event: &StopEvent,
    stack: &[wire::StackFrame],
) -> Option<&'a StopRule> {
    for rule in &profile.stops {
        if !matches(rule, event, stack, profile) {
            continue;
        }
        let Some(text) = &rule.lacks else { return Some(rule) };
        let frame = stack.first().map(|frame| convert::frame(0, frame, profile));
        let line = frame.as_ref().map_or(0, |frame| frame.line);
        let source = source::window(frame.as_ref()).await.unwrap_or_default();
        if source.line(line).is_some_and(|line| !line.contains(text)) {
            return Some(rule);
        }
    }
    None
}

/// Is this stop the answer to a pause request? Judged by the event's body alone, as if the caller
/// had requested a pause.
pub(crate) fn is_pause(profile: &Profile, event: &StopEvent) -> bool {
    let pause = PauseRequest { thread: None, number: 0, repeats: 0 };
    let event = StopEvent { pause_request: Some(pause), ..event.clone() };
    for rule in &profile.stops {
        let needs_stack = rule.function.is_some() || rule.lacks.is_some();
        if !needs_stack && matches(rule, &event, &[], profile) {
            return rule.class == "pause";
        }
    }
    event.body.reason == "pause"
}

/// How the host resumes after a stop that this rule hides; none: the stop is shown.
pub(super) fn resumption(rule: &StopRule) -> Option<Resume> {
    if rule.resume {
        Some(Resume::Continue)
    } else if rule.step_out {
        Some(Resume::Step(Step { kind: StepKind::Out, granularity: Granularity::Line }))
    } else {
        None
    }
}

/// Does the rule match, `lacks` aside?
fn matches(
    rule: &StopRule,
    event: &StopEvent,
    stack: &[wire::StackFrame],
    profile: &Profile,
) -> bool {
    let has_reason = rule.reason.as_ref().is_none_or(|reason| *reason == event.body.reason);
    let has_text = rule.text.as_ref().is_none_or(|part| {
        let texts = [&event.body.description, &event.body.text];
        texts.into_iter().flatten().any(|text| text.contains(part))
    });
    let has_function = rule
        .function
        .as_ref()
        .is_none_or(|part| stack.first().is_some_and(|frame| frame.name.contains(part)));
    has_reason
        && has_text
        && has_function
        && (!rule.passed_over || is_passed_over(stack, profile))
        && (!rule.pausing || event.pause_request.is_some())
        && (!rule.entering || event.entering)
}

/// Is the top frame in code that the adapter skips (`deemphasize`), called from the user's code?
fn is_passed_over(stack: &[wire::StackFrame], profile: &Profile) -> bool {
    let Some(source) = stack.first().and_then(|top| top.source.as_ref()) else { return false };
    source.presentation_hint.as_deref() == Some("deemphasize")
        && stack[..live_frames(stack)]
            .iter()
            .any(|frame| convert::frame(0, frame, profile).is_user())
}
