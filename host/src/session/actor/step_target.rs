//! Steps into one call of a line: which of the adapter's step-in targets has the name.
//!
//! Target ids are valid for one stop (DAP, `stepInTargets`), so they are read each time and never
//! leave the session.

use super::{Actor, Done};
use crate::dap::arguments::{FrameArguments, StackTraceArguments};
use crate::dap::request;
use crate::dap::types::StepInTarget;
use crate::model::{
    Cursor, Frame, Granularity, Note, Resume, Step, StepKind, Stop, StopClass, ThreadId,
};
use crate::session::Error;
use crate::session::adapter;
use crate::session::adapter::wire::Wire;
use crate::session::record::reply::Reply;
use crate::session::stop::focus::FRAMES;
use crate::session::stop::snapshot::Reading;

impl Actor {
    /// Reads the targets, then steps into the one with this name.
    pub(super) fn step_into_call(
        &mut self,
        name: String,
        thread: Option<ThreadId>,
        reply: Reply<Cursor>,
    ) {
        let (Some(wire), Some(thread)) = (self.wire.clone(), thread.or(self.motion.thread()))
        else {
            return reply.send(Err(Error::NotStopped));
        };
        let line = match self.stops.current() {
            Some(stop) if stop.thread.id == thread => line(stop).unwrap_or_default(),
            _ => String::new(),
        };
        self.reads.push(Box::pin(async move {
            let kind = if wire.client().capabilities().step_in_targets() {
                targets(&wire, thread)
                    .await
                    .map_err(|error| wire.error(&error))
                    .and_then(|targets| choose(&targets, &name, &line))
            } else {
                Err(Error::Adapter(adapter::Error::NoStepIntoOne { name: name.clone() }))
            };
            Done::TargetChosen(kind, name, thread, reply)
        }));
    }

    pub(super) fn on_target_chosen(
        &mut self,
        kind: Result<StepKind, Error>,
        name: String,
        thread: ThreadId,
        reply: Reply<Cursor>,
    ) {
        match kind {
            Ok(kind) => {
                let step = Step { kind, granularity: Granularity::Line };
                self.send_move(&Resume::Step(step), Some(thread), reply);
                self.motion.set_step_target(name);
            }
            Err(error) => reply.send(Err(error)),
        }
    }

    /// The note for a step that has ended without entering its call.
    pub(super) fn not_entered(&mut self, reading: &Reading) -> Option<Note> {
        let name = self.motion.take_step_target().filter(|_| reading.class == StopClass::Step)?;
        let before = self.stops.last().filter(|before| before.thread.id == reading.thread.id)?;
        (!is_below(&before.frames, &reading.frames)).then_some(Note::NotEntered { name })
    }
}

/// Whether the frame that was on top is still on the stack, below another one. Of deep stacks only
/// the upper parts are known.
fn is_below(before: &[Frame], now: &[Frame]) -> bool {
    let Some((top, callers)) = before.split_first() else { return true };
    let same = |(one, other): (&Frame, &Frame)| (&one.name, one.line) == (&other.name, other.line);
    (1..now.len()).any(|depth| {
        let whole = now.len() as i64 >= FRAMES || now.len() - depth == before.len();
        whole && now[depth].name == top.name && now[depth + 1..].iter().zip(callers).all(same)
    })
}

/// The text of the top frame's line.
fn line(stop: &Stop) -> Option<String> {
    let frame = stop.frames.first().filter(|_| stop.focus == 0)?;
    stop.source.line(frame.line).map(str::to_owned)
}

/// The targets of the thread's top frame.
async fn targets(wire: &Wire, thread: ThreadId) -> Result<Vec<StepInTarget>, crate::dap::Error> {
    let top = StackTraceArguments { thread_id: thread.0, levels: Some(1), ..Default::default() };
    let frames = wire.stack(top).await?.stack_frames;
    let Some(frame) = frames.first() else { return Ok(Vec::new()) };
    Ok(wire.call::<request::StepInTargets>(FrameArguments { frame_id: frame.id }).await?.targets)
}

/// The single target with this name: its label is the name, else calls a function of that name,
/// else contains the name as a word. Of several the one with its label on the line: an adapter may
/// list calls of the lines below too.
fn choose(targets: &[StepInTarget], name: &str, line: &str) -> Result<StepKind, Error> {
    // An adapter may leave out the call at which the debuggee stands.
    if targets.is_empty() && is_only_call(name, line) {
        return Ok(StepKind::In);
    }
    let ranks: [fn(&str, &str) -> bool; 3] =
        [|label, name| label == name, |label, name| callee(label) == name, has_word];
    let mut found: Vec<&StepInTarget> = Vec::new();
    for fits in ranks {
        if found.is_empty() {
            found.extend(targets.iter().filter(|target| fits(&target.label, name)));
        }
    }
    let on_line = found.iter().filter(|target| line.contains(target.label.as_str()));
    match (&found[..], &on_line.collect::<Vec<_>>()[..]) {
        ([one], _) => Ok(StepKind::Into(one.id)),
        (_, [one]) if is_written_once(one, &found) => Ok(StepKind::Into(one.id)),
        _ => Err(Error::Adapter(adapter::Error::WhichCall {
            name: name.to_owned(),
            fitting: found.len(),
            known: targets.iter().map(|target| target.label.clone()).collect(),
        })),
    }
}

/// A second call with the same text has the label of the first with a number behind it.
fn is_written_once(one: &StepInTarget, all: &[&StepInTarget]) -> bool {
    all.iter().filter(|other| other.label.starts_with(&one.label)).count() == 1
}

/// The function's own name: `tax` of `shop::tax(item)`.
fn callee(label: &str) -> &str {
    let path = label.split(['(', '<', ' ']).next().unwrap_or(label);
    path.rsplit([':', '.', '>']).next().unwrap_or(path)
}

/// Whether the line has one call, of a function of this name.
fn is_only_call(name: &str, line: &str) -> bool {
    let before = line.match_indices('(').map(|(at, _)| &line[..at]);
    let calls: Vec<&str> = before.filter(|before| inner(before.chars().next_back())).collect();
    let [call] = calls[..] else { return false };
    call.strip_suffix(name).is_some_and(|before| !inner(before.chars().next_back()))
}

/// Whether a name continues with this letter.
fn inner(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
}

fn has_word(label: &str, word: &str) -> bool {
    label.match_indices(word).any(|(at, found)| {
        !inner(label[..at].chars().next_back()) && !inner(label[at + found.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The id of the chosen target, or how many fit.
    fn chosen(labels: &[&str], name: &str, line: &str) -> Result<i64, usize> {
        let target = |(id, label): (i64, &&str)| StepInTarget {
            id,
            label: (*label).into(),
            ..Default::default()
        };
        match choose(&(10..).zip(labels).map(target).collect::<Vec<_>>(), name, line) {
            Ok(StepKind::Into(id)) => Ok(id),
            Err(Error::Adapter(adapter::Error::WhichCall { fitting, .. })) => Err(fitting),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn name_chooses_one_target_or_none() {
        let calls = ["tax", "cart::tax(item, net)", "shop.tax_free", "print (call 2)"];
        for (labels, name, want) in [
            (&calls[..], "tax", Ok(10)),
            (&calls[1..], "tax", Ok(10)),
            (&calls[1..], "item", Ok(10)),
            (&calls[..], "tax_free", Ok(12)),
            (&calls[..], "print", Ok(13)),
            (&calls[..], "print (call 2)", Ok(13)),
            (&calls[..], "free", Err(0)),
            (&["a::tax", "b::tax"], "tax", Err(2)),
            (&["a::tax", "b::tax"], "b::tax", Ok(11)),
            (&["tax(rate(item))", "rate(item)"], "rate", Ok(11)),
            (&[], "tax", Err(0)),
        ] {
            assert_eq!(chosen(labels, name, ""), want, "{name} of {labels:?}");
        }
    }

    #[test]
    fn only_call_of_a_line_needs_no_target() {
        for (name, line, want) in [
            ("tax", "let total = tax(3); // (all)", true),
            ("pay", "shop.pay()", true),
            ("shop.pay", "shop.pay()", true),
            ("ax", "tax(3)", false),
            ("tax", "tax(rate(3))", false),
            ("tax", "if (tax > 3)", false),
        ] {
            assert_eq!(is_only_call(name, line), want, "{name} on {line}");
        }
    }

    #[test]
    fn of_several_the_target_on_the_line_is_chosen() {
        let calls = ["tax(7)", "total(tax(7))", "tax(first)", "tax(first) (call 2)", "tax(rate)"];
        for (name, line, want) in [
            ("tax", "first = total(tax(7))", Ok(10)),
            ("tax", "again = tax(first) + tax(first)", Err(4)),
            ("tax", "more = tax(rate) + tax(7)", Err(4)),
            ("tax(first) (call 2)", "again = tax(first) + tax(first)", Ok(13)),
        ] {
            assert_eq!(chosen(&calls, name, line), want, "{name} on {line}");
        }
    }
}
