//! Sets a breakpoint or tracepoint, where there is code and none of the other kind.
//!
//! A line without code is refused, as documented, where ours lists the breakpoint as unverified or
//! moves it. A debug adapter keeps one breakpoint on a line, and a second one would replace the
//! first: it is refused. One of the same kind changes the first and has its id, which is said.

use serde_json::json;

use super::answer::{Refusal, good, report};
use crate::mcp::call::{Call, Reply};
use crate::mcp::compat::{Ours, run};
use crate::mcp::outcome::Outcome;
use crate::mcp::text::breakpoint;
use crate::model::{self, Binding, Nearest, Place};

/// Held while a place is checked and set.
#[derive(Default)]
struct Edits(tokio::sync::Mutex<()>);

/// Runs a call of ours that sets one. Returns it, and what its caller has to know of it.
pub(super) async fn set(
    call: &Call,
    ours: Ours,
) -> Result<(model::Breakpoint, Option<String>), Refusal> {
    let edits = call.memory.of::<Edits>();
    let _edit = edits.0.lock().await;
    let list = Ours::new("debug_breakpoints", json!({}));
    let before = report(good(run(call, list).await)?)?.all;
    check(call, &ours, &before)?;
    let one = added(call, run(call, ours).await.reply).await?;
    let mut words: Vec<String> = message(&one).into_iter().collect();
    if let Some(first) = before.iter().find(|first| first.id == one.id) {
        let condition = first.spec.condition.as_ref().or(first.spec.hit_condition.as_ref());
        let had = condition.map(|condition| format!(" with the condition `{condition}`"));
        words.push(format!(
            "this replaces {} {}{}, which was here: a debugger keeps one at a place",
            word(first),
            first.id.0,
            had.unwrap_or_default()
        ));
    }
    let words = Some(words.join("; ")).filter(|words| !words.is_empty());
    Ok((one, words))
}

/// Refuses a breakpoint in place of a tracepoint and the other way round.
fn check(call: &Call, ours: &Ours, all: &[model::Breakpoint]) -> Result<(), Refusal> {
    let items = ours.arguments.get("set").cloned().unwrap_or_default();
    let items = serde_json::from_value(items).unwrap_or_default();
    let cwd = call.sessions.cwd(None);
    // A wrong place is for ours to refuse.
    let specs = breakpoint::specs(items, call, cwd.as_deref(), None).unwrap_or_default();
    let Some(new) = specs.first() else { return Ok(()) };
    let other = all.iter().find(|one| {
        one.spec.log.is_some() != new.log.is_some() && is_same(&one.spec.place, &new.place)
    });
    let Some(other) = other else { return Ok(()) };
    let (id, word) = (other.id.0.to_string(), word(other));
    Err(Refusal::Documented {
        code: "place-taken",
        message: format!(
            "{} has {word} {id}, and a debugger keeps one at a place",
            call.lens().place(&new.place)
        ),
        next: format!("breakpoint_remove {}", json!({"id": id})),
        details: Box::new(json!({"existing": {"id": id, "type": kind(other)}})),
    })
}

fn word(one: &model::Breakpoint) -> &'static str {
    if one.spec.log.is_some() { "tracepoint" } else { "breakpoint" }
}

/// Whether adapters take both for one place: some heed no columns.
fn is_same(one: &Place, other: &Place) -> bool {
    match (one, other) {
        (
            Place::Line { path, line, column },
            Place::Line { path: other_path, line: other_line, column: other_column },
        ) => {
            let is_same_column =
                column == other_column || column.is_none() || other_column.is_none();
            path == other_path && line == other_line && is_same_column
        }
        (one, other) => one == other,
    }
}

/// Breakpoints for the next session, with the hits that they had in the last one.
pub(super) async fn with_last_hits(
    call: &Call,
    mut all: Vec<model::Breakpoint>,
) -> Vec<model::Breakpoint> {
    let last = match call.session(None) {
        Ok(handle) if handle.is_over() => handle.status().await.ok(),
        _ => None,
    };
    let Some(last) = last else { return all };
    for one in &mut all {
        let same = last.breakpoints.iter().find(|last| last.id == one.id);
        one.hits = same.map_or(one.hits, |same| same.hits);
    }
    all
}

/// The breakpoint that a call has added. One on a line without code is removed again.
async fn added(call: &Call, reply: Reply) -> Result<model::Breakpoint, Refusal> {
    let Outcome::Breakpoints { report, .. } = &reply.outcome else {
        return Err(match reply.outcome.error() {
            Some(error) => Refusal::Ours(error.clone()),
            None => crate::session::Error::HostFault.into(),
        });
    };
    let first = report.added.first();
    let one = first.and_then(|id| report.all.iter().find(|one| one.id == *id));
    let Some(one) = one else { return Err(crate::session::Error::HostFault.into()) };
    let Some((requested, nearest)) = without_code(one) else { return Ok(one.clone()) };
    let remove = json!({"remove": [one.id.0.to_string()]});
    good(run(call, Ours::new("debug_breakpoints", remove)).await)?;
    Err(Refusal::Documented {
        code: "no-code",
        message: match nearest {
            Some(line) => format!("line {requested} holds no code; line {line} does"),
            None => message(one).unwrap_or_else(|| format!("line {requested} holds no code")),
        },
        next: match nearest {
            Some(line) => call.request.with("line", line).text(),
            None => "breakpoint_list".to_owned(),
        },
        details: Box::new(json!({"requestedLine": requested, "nearestValidLine": nearest})),
    })
}

/// The requested line without code, and the nearest one with code.
fn without_code(one: &model::Breakpoint) -> Option<(u32, Option<u32>)> {
    let Place::Line { line: requested, .. } = one.spec.place else { return None };
    match &one.binding {
        Binding::Bound { line: Some(line) } if *line != requested => Some((requested, Some(*line))),
        Binding::Refused { nearest: Nearest::Lines(lines), .. } => {
            let nearest = lines.iter().copied().min_by_key(|line| line.abs_diff(requested));
            (nearest != Some(requested)).then_some((requested, nearest))
        }
        _ => None,
    }
}

/// The documented word for a breakpoint or tracepoint.
pub(super) fn kind(one: &model::Breakpoint) -> &'static str {
    if one.spec.log.is_some() { "tracepoint" } else { "blocking" }
}

/// Why a breakpoint is not verified.
pub(super) fn message(one: &model::Breakpoint) -> Option<String> {
    match &one.binding {
        Binding::Pending => Some("pending: it is set when a program starts".to_owned()),
        Binding::Unconfirmed => Some("pending: its module is not loaded yet".to_owned()),
        Binding::Refused { reason, .. } => Some(reason.clone()),
        Binding::BadCondition { why } => Some(why.clone()),
        Binding::Foreign { adapter } => Some(format!("{adapter} does not debug this file")),
        Binding::Bound { .. } | Binding::SetByCommand { .. } => None,
    }
}
