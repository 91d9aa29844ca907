//! Stepping into one call of a line: which of the adapter's targets a name means.
//!
//! Numbers of targets hold for this stop only, so they are asked for anew each time and never leave
//! the session.

use super::{Actor, Done};
use crate::dap::arguments::{FrameArguments, StackTraceArguments};
use crate::dap::request;
use crate::dap::types::StepInTarget;
use crate::model::{
    Cursor, Frame, Granularity, Note, Resume, Step, StepKind, Stop, StopClass, ThreadId,
};
use crate::session::Error;
use crate::session::adapter::wire::Wire;
use crate::session::record::reply::Reply;
use crate::session::stop::focus::FRAMES;
use crate::session::stop::snapshot::Reading;

impl Actor {
    /// Looks the call up, then steps into it.
    pub(super) fn aim(&mut self, name: String, thread: Option<ThreadId>, reply: Reply<Cursor>) {
        let (Some(wire), Some(thread)) = (self.wire.clone(), thread.or(self.thread)) else {
            return reply.send(Err(Error::NotStopped));
        };
        let profile = self.profile.clone();
        let line =
            self.stop.as_ref().filter(|stop| stop.thread.id == thread).and_then(|stop| line(stop));
        self.reads.push(Box::pin(async move {
            let kind = match wire.client().capabilities().step_in_targets() {
                false => Err(Error::NoStepIntoOne { name: name.clone() }),
                true => targets(&wire, thread)
                    .await
                    .map_err(|error| Error::from_dap(&error, &profile))
                    .and_then(|targets| choose(&targets, &name, &line.unwrap_or_default())),
            };
            Done::Aimed(kind, name, thread, reply)
        }));
    }

    pub(super) fn on_aimed(
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
                self.aimed = Some(name);
            }
            Err(error) => reply.send(Err(error)),
        }
    }

    /// A step that was to lead into a call, and has ended without.
    pub(super) fn not_entered(&mut self, reading: &Reading) -> Option<Note> {
        let name = self.aimed.take().filter(|_| reading.class == StopClass::Step)?;
        let before =
            self.previous.as_ref().filter(|before| before.thread.id == reading.thread.id)?;
        (!is_below(&before.frames, &reading.frames)).then_some(Note::NotEntered { name })
    }
}

/// Is the call that stood there still under way, below another one? Of deep stacks the upper parts
/// are known.
fn is_below(before: &[Frame], now: &[Frame]) -> bool {
    let Some((top, callers)) = before.split_first() else { return true };
    let same = |(one, other): (&Frame, &Frame)| (&one.name, one.line) == (&other.name, other.line);
    (1..now.len()).any(|depth| {
        let whole = now.len() as i64 >= FRAMES || now.len() - depth == before.len();
        whole && now[depth].name == top.name && now[depth + 1..].iter().zip(callers).all(same)
    })
}

/// The line on which the top frame stands.
fn line(stop: &Stop) -> Option<String> {
    let frame = stop.frames.first().filter(|_| stop.focus == 0)?;
    stop.source.line(frame.line).map(str::to_owned)
}

/// The calls of the line where the thread stands.
async fn targets(wire: &Wire, thread: ThreadId) -> Result<Vec<StepInTarget>, crate::dap::Error> {
    let top = StackTraceArguments { thread_id: thread.0, levels: Some(1), ..Default::default() };
    let frames = wire.stack(top).await?.stack_frames;
    let Some(frame) = frames.first() else { return Ok(Vec::new()) };
    Ok(wire.call::<request::StepInTargets>(FrameArguments { frame_id: frame.id }).await?.targets)
}

/// The target that a name means alone: its label is the name, is of a function of that name, or
/// holds it as a word. Of several the one whose label is written on the line: an adapter may name
/// calls of the lines below too.
fn choose(targets: &[StepInTarget], name: &str, line: &str) -> Result<StepKind, Error> {
    let ranks: [&dyn Fn(&str) -> bool; 3] =
        [&|label| label == name, &|label| callee(label) == name, &|label| has_word(label, name)];
    let fitting = |fits: &dyn Fn(&str) -> bool| {
        targets.iter().filter(|target| fits(&target.label)).collect::<Vec<_>>()
    };
    let found = ranks.into_iter().map(fitting).find(|found| !found.is_empty()).unwrap_or_default();
    let written = |target: &&StepInTarget| line.contains(target.label.as_str());
    let here: Vec<_> = found.iter().copied().filter(written).collect();
    // A second call that is written like the first is the same text with a number behind it.
    let same = |one: &StepInTarget| {
        found.iter().filter(|other| other.label.starts_with(&one.label)).count()
    };
    match (&found[..], &here[..]) {
        ([one], _) => Ok(StepKind::Into(one.id)),
        (_, [one]) if same(one) == 1 => Ok(StepKind::Into(one.id)),
        _ => Err(Error::WhichCall {
            name: name.to_owned(),
            fitting: found.len(),
            known: targets.iter().map(|target| target.label.clone()).collect(),
        }),
    }
}

/// The function's own name: `tax` of `shop::tax(item)`.
fn callee(label: &str) -> &str {
    let path = label.split(['(', '<', ' ']).next().unwrap_or(label);
    path.rsplit([':', '.', '>']).next().unwrap_or(path)
}

fn has_word(label: &str, word: &str) -> bool {
    let inner = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    };
    label.match_indices(word).any(|(at, found)| {
        !inner(label[..at].chars().next_back()) && !inner(label[at + found.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the target meant, or how many are.
    fn chosen(labels: &[&str], name: &str, line: &str) -> Result<i64, usize> {
        let target = |(id, label): (i64, &&str)| StepInTarget {
            id,
            label: (*label).into(),
            ..Default::default()
        };
        match choose(&(10..).zip(labels).map(target).collect::<Vec<_>>(), name, line) {
            Ok(StepKind::Into(id)) => Ok(id),
            Err(Error::WhichCall { fitting, .. }) => Err(fitting),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_name_means_one_call_or_none() {
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
    fn of_several_the_one_that_is_written_on_the_line_is_meant() {
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
