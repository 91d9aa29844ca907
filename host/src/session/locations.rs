//! Lines that hold code, beside one that does not, where the adapter can tell.

use std::path::{Path, PathBuf};

use super::wire::Wire;
use crate::dap::arguments::BreakpointLocationsArguments;
use crate::dap::{request, types::Source};
use crate::model::BreakpointId;

/// Lines looked at before and after.
const AROUND: u32 = 20;

/// For every place the nearest line with code before it and behind it.
pub(super) async fn nearest(wire: &Wire, places: Vec<(BreakpointId, PathBuf, u32)>) -> Vec<(BreakpointId, Vec<u32>)> {
    let mut found = Vec::with_capacity(places.len());
    for (id, path, line) in places {
        found.push((id, beside(&lines(wire, &path, line).await, line)));
    }
    found
}

async fn lines(wire: &Wire, path: &Path, line: u32) -> Vec<u32> {
    let arguments = BreakpointLocationsArguments {
        source: Source { path: Some(path.to_string_lossy().into_owned()), ..Source::default() },
        line: i64::from(line.saturating_sub(AROUND).max(1)),
        end_line: Some(i64::from(line + AROUND)),
        ..BreakpointLocationsArguments::default()
    };
    let told = wire.call::<request::BreakpointLocations>(arguments).await.unwrap_or_default();
    told.breakpoints.into_iter().filter_map(|place| u32::try_from(place.line).ok()).collect()
}

fn beside(lines: &[u32], line: u32) -> Vec<u32> {
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
        assert!(beside(&[7], 7).is_empty());
    }
}
