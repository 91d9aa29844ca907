//! The nearest lines with code around a line without any: by `breakpointLocations`, or by setting
//! breakpoints on trial.
//!
//! Knows lines of one file. Refuses to know why a breakpoint was refused.

use std::ops::Range;
use std::path::{Path, PathBuf};

use futures_util::future::join;

use crate::dap::arguments::{BreakpointLocationsArguments, SetBreakpointsArguments};
use crate::dap::responses::Breakpoints;
use crate::dap::types::{self, Source, SourceBreakpoint};
use crate::dap::{self, Call, request};
use crate::model::BreakpointId;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints::call::{self, Job};

/// How many lines before and after are searched.
const AROUND: u32 = 20;

/// For every place the nearest lines with code before and after it, or its own line.
pub(crate) async fn nearest(
    wire: &Wire,
    places: Vec<(BreakpointId, PathBuf, u32)>,
) -> Vec<(BreakpointId, Vec<u32>)> {
    let mut found = Vec::with_capacity(places.len());
    for (id, path, line) in places {
        found.push((id, nearest_lines(&lines(wire, &path, line).await, line)));
    }
    found
}

/// Does a line hold code?
pub(crate) async fn has_code(wire: &Wire, path: &Path, line: u32) -> bool {
    lines(wire, path, line).await.contains(&line)
}

/// The lines with code around a line.
async fn lines(wire: &Wire, path: &Path, line: u32) -> Vec<u32> {
    let around = around(line);
    let arguments = BreakpointLocationsArguments {
        source: Source { path: Some(path.to_string_lossy().into_owned()), ..Source::default() },
        line: i64::from(around.start),
        end_line: Some(i64::from(around.end - 1)),
        ..BreakpointLocationsArguments::default()
    };
    let answer = wire.call::<request::BreakpointLocations>(arguments).await.unwrap_or_default();
    answer.breakpoints.into_iter().filter_map(|place| u32::try_from(place.line).ok()).collect()
}

fn around(line: u32) -> Range<u32> {
    line.saturating_sub(AROUND).max(1)..line + AROUND + 1
}

/// A trial: breakpoints on all lines around one without code, and the answer that says which lines
/// the adapter accepts.
pub(crate) struct Trial {
    id: BreakpointId,
    line: u32,
    lines: Vec<i64>,
    answer: Call<Breakpoints>,
    restored: Call<Breakpoints>,
}

impl Trial {
    /// Sets breakpoints on all lines around, then the file's own again, which are in `call`. Both
    /// requests are queued when this returns, and no hook of the plugin sees them: afterwards the
    /// file's breakpoints have to be sent as usual.
    pub(crate) fn new(
        wire: &Wire,
        id: BreakpointId,
        line: u32,
        call: SetBreakpointsArguments,
    ) -> Self {
        let mut trial = call.clone();
        for one in trial.breakpoints.iter_mut().filter(|one| one.line == i64::from(line)) {
            // The adapter may have refused its condition, not the line.
            *one = SourceBreakpoint { line: one.line, ..SourceBreakpoint::default() };
        }
        for line in around(line).map(i64::from) {
            if !call.breakpoints.iter().any(|one| one.line == line) {
                let added = SourceBreakpoint { line, ..SourceBreakpoint::default() };
                trial.breakpoints.push(added);
            }
        }
        let lines = trial.breakpoints.iter().map(|one| one.line).collect();
        let answer =
            wire.client().request_with_limit::<request::SetBreakpoints>(trial, wire.limit());
        let restored =
            wire.client().request_with_limit::<request::SetBreakpoints>(call, wire.limit());
        Self { id, line, lines, answer, restored }
    }

    /// The nearest lines with code before and after, or the line itself.
    pub(crate) async fn nearest(self) -> (BreakpointId, Vec<u32>) {
        let (answer, _) = join(self.answer, self.restored).await;
        let mut with_code = Vec::new();
        for (one, wanted) in answer.unwrap_or_default().breakpoints.iter().zip(self.lines) {
            // A line that the adapter moves has no code.
            let is_accepted = one.verified && one.line.is_none_or(|line| line == wanted);
            if let Ok(line) = u32::try_from(wanted)
                && is_accepted
                && around(self.line).contains(&line)
            {
                with_code.push(line);
            }
        }
        (self.id, nearest_lines(&with_code, self.line))
    }
}

/// Moves breakpoints from lines that the adapter refused to the next lines with code, if no other
/// breakpoint is there. Only for a launch: the caller cannot correct the lines before the program
/// runs.
pub(crate) async fn move_to_code(
    wire: &Wire,
    job: &mut Job,
    answer: &mut Result<Vec<types::Breakpoint>, dap::Error>,
) {
    let (call::Call::Source(call), Ok(reported)) = (&mut job.call, &*answer) else { return };
    let mut is_tried = false;
    for (at, reported) in reported.iter().enumerate() {
        let (Some((id, _)), Some(own)) = (job.ids.get(at), call.breakpoints.get(at)) else { break };
        let Ok(line) = u32::try_from(own.line) else { continue };
        if !wire.quirks().is_refused(reported) {
            continue;
        }
        is_tried = true;
        let (_, near) = Trial::new(wire, *id, line, call.clone()).nearest().await;
        // The file probably has no code in the program. A trial sets some 40 breakpoints, so the
        // other lines are not tried.
        if near.is_empty() {
            break;
        }
        let next = near.into_iter().find(|near| *near > line);
        let is_taken = |next| call.breakpoints.iter().any(|other| other.line == i64::from(next));
        if let Some(next) = next.filter(|next| !is_taken(*next)) {
            call.breakpoints[at].line = i64::from(next);
            job.moved.push((*id, next));
        }
    }
    if is_tried {
        let set = wire.call::<request::SetBreakpoints>(call.clone()).await;
        *answer = set.map(|set| set.breakpoints);
    }
}

/// The line itself if it is among these, else the nearest before and after.
fn nearest_lines(lines: &[u32], line: u32) -> Vec<u32> {
    if lines.contains(&line) {
        return vec![line];
    }
    let before = lines.iter().copied().filter(|one| *one < line).max();
    let after = lines.iter().copied().filter(|one| *one > line).min();
    before.into_iter().chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_lines_are_one_before_and_one_after() {
        assert_eq!(nearest_lines(&[4, 9, 2, 12, 9], 7), [4, 9]);
        assert_eq!(nearest_lines(&[4], 7), [4]);
        assert_eq!(nearest_lines(&[4, 7, 9], 7), [7]);
        assert!(nearest_lines(&[], 7).is_empty());
    }
}
