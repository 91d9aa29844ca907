//! Rules that classify `stopped` events.

use dapdock_schema::{self as schema, StopRule, When};

use super::Quirks;
use super::frames::live_frames;
use crate::dap::event::Stopped;
use crate::dap::types;
use crate::model::answer::Reaction;
use crate::model::{Granularity, Resume, Step, StepKind, StopClass};

/// What the rules of a stop depend on, apart from its stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopFacts<'a> {
    pub(crate) body: &'a Stopped,
    /// A caller's pause was under way when the event came. One that arrives while the stop is read
    /// does not count.
    pub(crate) pausing: bool,
    /// The host waits for the entry stop.
    pub(crate) entering: bool,
}

/// A rule that matches a stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule<'a>(&'a StopRule);

impl<'a> Rule<'a> {
    pub(crate) fn class(self) -> Option<StopClass> {
        class_named(&self.0.class)
    }

    /// The rule matches only at a source line without this text.
    pub(crate) fn line_without(self) -> Option<&'a str> {
        self.0.line_without.as_deref()
    }

    /// How the host resumes after a stop that this rule hides; none: the stop is shown.
    pub(crate) fn resume(self) -> Option<Resume> {
        resume_of(match self.0.reaction {
            schema::Reaction::StepOver => return Some(Resume::Step(STEP_OVER)),
            schema::Reaction::Report => Reaction::Report,
            schema::Reaction::Resume => Reaction::Resume,
            schema::Reaction::PauseAgain => Reaction::PauseAgain,
            schema::Reaction::StepOut => Reaction::StepOut,
        })
    }

    /// The pause whose stop this rule hides is requested again.
    pub(crate) fn repeats_pause(self) -> bool {
        self.0.reaction == schema::Reaction::PauseAgain
    }
}

impl Quirks {
    /// The rules that match, the first one foremost; [`Rule::line_without`] is left to the caller.
    pub(crate) fn rules<'a>(
        &'a self,
        facts: StopFacts<'a>,
        stack: &'a [types::StackFrame],
    ) -> impl Iterator<Item = Rule<'a>> {
        let rules = self.0.pause.rules.iter();
        rules.filter(move |rule| self.matches(rule, facts, stack)).map(Rule)
    }

    /// Is this stop the answer to a pause request? Judged by the event's body alone, as if the
    /// caller had requested a pause.
    pub(crate) fn is_pause(&self, facts: StopFacts) -> bool {
        let facts = StopFacts { pausing: true, ..facts };
        for rule in &self.0.pause.rules {
            let needs_stack = rule.function.is_some() || rule.line_without.is_some();
            if !needs_stack && self.matches(rule, facts, &[]) {
                return rule.class == "pause";
            }
        }
        facts.body.reason == "pause"
    }

    /// Does the rule match, `line_without` aside?
    fn matches(&self, rule: &StopRule, facts: StopFacts, stack: &[types::StackFrame]) -> bool {
        let has_reason = rule.reason.as_ref().is_none_or(|reason| *reason == facts.body.reason);
        let has_text = rule.text.as_ref().is_none_or(|part| {
            let texts = [&facts.body.description, &facts.body.text];
            texts.into_iter().flatten().any(|text| text.contains(part))
        });
        let has_function = rule
            .function
            .as_ref()
            .is_none_or(|part| stack.first().is_some_and(|frame| frame.name.contains(part)));
        has_reason
            && has_text
            && has_function
            && (!rule.passed_over || self.is_passed_over(stack))
            && match rule.when {
                When::Always => true,
                When::Pausing => facts.pausing,
                When::Entering => facts.entering,
            }
    }

    /// Is the top frame in code that the adapter skips (`deemphasize`), called from the user's
    /// code?
    fn is_passed_over(&self, stack: &[types::StackFrame]) -> bool {
        let Some(source) = stack.first().and_then(|top| top.source.as_ref()) else { return false };
        source.presentation_hint.as_deref() == Some("deemphasize")
            && stack[..live_frames(stack)].iter().any(|frame| self.frame(0, frame).is_user())
    }
}

const STEP_OVER: Step = Step { kind: StepKind::Over, granularity: Granularity::Line };

/// How the host resumes after a stop that it does not report.
pub(crate) fn resume_of(reaction: Reaction) -> Option<Resume> {
    match reaction {
        Reaction::Report => None,
        Reaction::Resume | Reaction::PauseAgain => Some(Resume::Continue),
        Reaction::StepOut => {
            Some(Resume::Step(Step { kind: StepKind::Out, granularity: Granularity::Line }))
        }
    }
}

/// The class with this name, of a rule or in the event's `reason`.
pub(crate) fn class_named(name: &str) -> Option<StopClass> {
    Some(match name {
        "entry" => StopClass::Entry,
        "breakpoint" => StopClass::Breakpoint,
        "step" => StopClass::Step,
        "pause" => StopClass::Pause,
        "exception" => StopClass::Exception,
        "panic" => StopClass::Panic,
        "signal" => StopClass::Signal,
        "assertion" => StopClass::Assertion,
        _ => return None,
    })
}
