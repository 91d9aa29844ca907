//! What kind of stop it is: the DAP specification's reading of `reason`, then a rule of the
//! profile, then the plugin's hook `present.stop`.

use crate::dap::responses::ExceptionInfoResponse;
use crate::dap::types;
use crate::model::answer::Reaction;
use crate::model::{Resume, StopClass, answer};
use crate::session::adapter::quirks::{Rule, class_named, resume_of};
use crate::session::adapter::wire::Wire;
use crate::session::stop::event::StopEvent;
use crate::session::values::convert;

/// A classified stop.
pub(super) struct Kind {
    pub(super) class: StopClass,
    pub(super) title: String,
    pub(super) detail: Option<String>,
    /// Whether the program may still catch the exception.
    pub(super) first_chance: Option<bool>,
    /// Frames at the top that are never in focus.
    pub(super) skip: usize,
    pub(super) resume: Option<Resume>,
    pub(super) repeats_pause: bool,
}

/// Classifies the stop with this stack. A rule that resumes is final: the plugin is not asked.
pub(super) async fn classify(
    wire: &Wire,
    event: &StopEvent,
    rule: Option<Rule<'_>>,
    stack: &[types::StackFrame],
    info: Option<&ExceptionInfoResponse>,
) -> Kind {
    let mut kind = by_specification(event, info);
    if let Some(rule) = rule {
        apply_rule(&mut kind, rule);
    }
    if kind.resume.is_some() || !wire.plugin().wants_present("stop") {
        return kind;
    }
    let facts = answer::StopFacts {
        body: event.raw.clone(),
        info: info.and_then(|info| serde_json::to_value(info).ok()),
        top: convert::frames_for_plugin(stack),
        output: event.output.clone(),
    };
    let hook_call = wire.hook_call().await;
    let view = wire.plugin().stop(&hook_call.view, &facts).await;
    match hook_call.degrade(view, None) {
        Some(view) => by_plugin(view, kind.first_chance),
        None => kind,
    }
}

fn by_specification(event: &StopEvent, info: Option<&ExceptionInfoResponse>) -> Kind {
    let body = &event.body;
    let class = class_named(match body.reason.as_str() {
        "function breakpoint" | "data breakpoint" | "instruction breakpoint" => "breakpoint",
        reason => reason,
    });
    let mut kind = Kind {
        class: class.unwrap_or(StopClass::Other),
        title: String::new(),
        detail: None,
        first_chance: info.and_then(first_chance),
        skip: 0,
        resume: None,
        repeats_pause: false,
    };
    match kind.class {
        StopClass::Exception => {
            let id = info.map(|info| info.exception_id.clone()).filter(|id| !id.is_empty());
            kind.title = id.or_else(|| body.text.clone()).unwrap_or_else(|| "exception".to_owned());
            kind.detail = info
                .and_then(|info| info.description.clone())
                .or_else(|| body.description.clone())
                .filter(|words| !words.is_empty());
        }
        StopClass::Other => {
            kind.title = body.description.clone().unwrap_or_else(|| body.reason.clone());
            kind.detail = body.text.clone();
        }
        _ => {}
    }
    kind
}

/// DAP, `ExceptionBreakMode`.
pub(super) fn first_chance(info: &ExceptionInfoResponse) -> Option<bool> {
    match info.break_mode.as_deref()? {
        "always" => Some(true),
        "unhandled" | "userUnhandled" => Some(false),
        _ => None,
    }
}

/// The type in an exception's id, which may have the message behind it: `TypeError: x is null`.
pub(super) fn type_in(id: &str) -> Option<String> {
    let name = id.split(": ").next().unwrap_or_default();
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    is_name.then(|| name.to_owned())
}

fn apply_rule(kind: &mut Kind, rule: Rule<'_>) {
    kind.class = rule.class().unwrap_or(kind.class);
    kind.resume = rule.resume();
    kind.repeats_pause = rule.repeats_pause();
    // The adapter reported an exception and the rule says that it is none: its text goes, too.
    if matches!(
        kind.class,
        StopClass::Entry | StopClass::Breakpoint | StopClass::Step | StopClass::Pause
    ) {
        (kind.title, kind.detail) = (String::new(), None);
    }
}

fn by_plugin(view: answer::StopView, by_adapter: Option<bool>) -> Kind {
    let first_chance = match view.class {
        answer::StopClass::ExceptionCaught => Some(true),
        answer::StopClass::ExceptionUncaught => Some(false),
        answer::StopClass::Exception => None,
        _ => by_adapter,
    };
    Kind {
        first_chance,
        class: class_of(view.class),
        title: view.title,
        detail: view.detail,
        skip: view.skip_frames as usize,
        resume: resume_of(view.reaction),
        repeats_pause: view.reaction == Reaction::PauseAgain,
    }
}

fn class_of(class: answer::StopClass) -> StopClass {
    use answer::StopClass as Answer;
    match class {
        Answer::Entry => StopClass::Entry,
        Answer::Breakpoint | Answer::DataBreakpoint | Answer::FunctionBreakpoint => {
            StopClass::Breakpoint
        }
        Answer::Step => StopClass::Step,
        Answer::Pause => StopClass::Pause,
        Answer::Exception | Answer::ExceptionCaught | Answer::ExceptionUncaught => {
            StopClass::Exception
        }
        Answer::Panic | Answer::OutOfMemory | Answer::Deadlock => StopClass::Panic,
        Answer::Assertion => StopClass::Assertion,
        Answer::Signal => StopClass::Signal,
        Answer::Goto | Answer::Other => StopClass::Other,
    }
}
