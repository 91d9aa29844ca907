//! Lines that hold code, beside one that does not, where the adapter can tell, or where it can be
//! tried.

use std::ops::Range;
use std::path::{Path, PathBuf};

use futures_util::future::join;

use crate::dap::arguments::{BreakpointLocationsArguments, SetBreakpointsArguments};
use crate::dap::responses::Breakpoints;
use crate::dap::types::{Breakpoint, Source, SourceBreakpoint};
use crate::dap::{Call, request};
use crate::model::BreakpointId;
use crate::session::adapter::wire::Wire;

/// Lines looked at before and after.
const AROUND: u32 = 20;

/// For every place the nearest line with code before it and behind it, or itself.
pub(crate) async fn nearest(
    wire: &Wire,
    places: Vec<(BreakpointId, PathBuf, u32)>,
) -> Vec<(BreakpointId, Vec<u32>)> {
    let mut found = Vec::with_capacity(places.len());
    for (id, path, line) in places {
        found.push((id, beside(&lines(wire, &path, line).await, line)));
    }
    found
}

/// Does a line hold code?
pub(crate) async fn has_code(wire: &Wire, path: &Path, line: u32) -> bool {
    lines(wire, path, line).await.contains(&line)
}

async fn lines(wire: &Wire, path: &Path, line: u32) -> Vec<u32> {
    let around = around(line);
    let arguments = BreakpointLocationsArguments {
        source: Source { path: Some(path.to_string_lossy().into_owned()), ..Source::default() },
        line: i64::from(around.start),
        end_line: Some(i64::from(around.end - 1)),
        ..BreakpointLocationsArguments::default()
    };
    let told = wire.call::<request::BreakpointLocations>(arguments).await.unwrap_or_default();
    told.breakpoints.into_iter().filter_map(|place| u32::try_from(place.line).ok()).collect()
}

fn around(line: u32) -> Range<u32> {
    line.saturating_sub(AROUND).max(1)..line + AROUND + 1
}

/// Lines of a file that are being tried beside one without code.
pub(crate) struct Tried {
    id: BreakpointId,
    line: u32,
    asked: Vec<i64>,
    answer: Call<Breakpoints>,
    restored: Call<Breakpoints>,
}

impl Tried {
    /// Sets all lines around, and takes them back: `call` is what is set in the file. Both requests
    /// are on their way when this returns.
    pub(crate) fn new(
        wire: &Wire,
        id: BreakpointId,
        line: u32,
        call: SetBreakpointsArguments,
    ) -> Self {
        let mut trial = call.clone();
        let is_set = |line: &i64| call.breakpoints.iter().any(|one| one.line == *line);
        let new = around(line).map(i64::from).filter(|line| !is_set(line));
        trial
            .breakpoints
            .extend(new.map(|line| SourceBreakpoint { line, ..SourceBreakpoint::default() }));
        let asked = trial.breakpoints.iter().map(|one| one.line).collect();
        let answer = wire.client().request_within::<request::SetBreakpoints>(trial, wire.limit());
        let restored = wire.client().request_within::<request::SetBreakpoints>(call, wire.limit());
        Self { id, line, asked, answer, restored }
    }

    /// The nearest line with code before and behind, or itself.
    pub(crate) async fn nearest(self) -> (BreakpointId, Vec<u32>) {
        let (told, _) = join(self.answer, self.restored).await;
        let told = told.unwrap_or_default().breakpoints;
        let holds = |(one, asked): &(&Breakpoint, &i64)| {
            one.verified && one.line.is_none_or(|line| line == **asked)
        };
        let found = told.iter().zip(&self.asked).filter(holds);
        let found = found.filter_map(|(_, line)| u32::try_from(*line).ok());
        let lines: Vec<u32> = found.filter(|line| around(self.line).contains(line)).collect();
        (self.id, beside(&lines, self.line))
    }
}

fn beside(lines: &[u32], line: u32) -> Vec<u32> {
    if lines.contains(&line) {
        return vec![line];
    }
    let before = lines.iter().copied().filter(|one| *one < line).max();
    let behind = lines.iter().copied().filter(|one| *one > line).min();
    before.into_iter().chain(behind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_before_and_one_behind() {
        assert_eq!(beside(&[4, 9, 2, 12, 9], 7), [4, 9]);
        assert_eq!(beside(&[4], 7), [4]);
        assert_eq!(beside(&[4, 7, 9], 7), [7]);
        assert!(beside(&[], 7).is_empty());
    }
}
