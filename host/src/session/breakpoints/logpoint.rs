//! Log breakpoints: recognises the adapter's lines and renders lines for callers.
//!
//! If the adapter writes the lines, the text carries a mark with the breakpoint's number, because
//! DAP's `output` event does not name the breakpoint.

use super::hit_condition::Hits;
use crate::model::{Breakpoint, BreakpointId, LogHit};

const NUMBER: char = '\u{1e}';
const FIELD: char = '\u{1f}';

/// The text with a mark that holds the breakpoint's number.
pub(crate) fn mark(id: BreakpointId, text: &str) -> String {
    format!("{NUMBER}{}{FIELD}{text}", id.0)
}

/// A line of a log breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) id: BreakpointId,
    pub(crate) thread: Option<String>,
    pub(crate) text: String,
}

/// Reads a line with a [`mark`]; none: it is program output.
pub(crate) fn read(line: &str) -> Option<Marked> {
    let (_, rest) = line.split_once(NUMBER)?;
    let (number, rest) = rest.split_once(FIELD)?;
    let id = BreakpointId(number.parse().ok()?);
    Some(Marked { id, thread: None, text: without_line_end(rest) })
}

/// A text without the line break at its end.
pub(crate) fn without_line_end(text: &str) -> String {
    text.trim_end_matches(['\r', '\n']).to_owned()
}

/// Do `every` and `max_hits` let the latest hit, which is counted already and satisfies the hit
/// condition, through?
pub(crate) fn is_let_through(breakpoint: &Breakpoint) -> bool {
    let (every, count) = (every(breakpoint), accepted(breakpoint, breakpoint.hits));
    count.is_multiple_of(every)
        && breakpoint.spec.max_hits.is_none_or(|max| count / every <= u64::from(max))
}

/// Whether a log breakpoint has written its `max_hits`.
pub fn has_written_all(breakpoint: &Breakpoint) -> bool {
    let written = accepted(breakpoint, breakpoint.hits) / every(breakpoint);
    breakpoint.spec.max_hits.is_some_and(|max| written >= u64::from(max))
}

/// The number of the hit with which it has written its `max_hits`.
pub(crate) fn last_hit(breakpoint: &Breakpoint) -> Option<u64> {
    let max = breakpoint.spec.max_hits.filter(|max| *max > 0)?;
    let accepted = every(breakpoint).checked_mul(u64::from(max))?;
    match &breakpoint.spec.hit_condition {
        Some(condition) => Hits::parse(condition).ok()?.nth(accepted),
        None => Some(accepted),
    }
}

fn every(breakpoint: &Breakpoint) -> u64 {
    u64::from(breakpoint.spec.every.unwrap_or(1).max(1))
}

/// How many of the first hits satisfy the hit condition.
fn accepted(breakpoint: &Breakpoint, hits: u32) -> u64 {
    let condition = breakpoint.spec.hit_condition.as_deref().and_then(|one| Hits::parse(one).ok());
    condition.map_or(u64::from(hits), |condition| condition.accepted(u64::from(hits)))
}

/// A hit as a line of output.
pub(crate) fn line(hit: &LogHit) -> String {
    let thread = hit.thread.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    format!("{}.{}{thread}: {}", hit.id, hit.number, hit.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Author, Binding, BreakpointSpec, Place};

    #[test]
    fn marked_line_yields_number_and_text() {
        let marked = |text: &str| read(&mark(BreakpointId(7), text)).unwrap();
        let want = |text: &str| Marked { id: BreakpointId(7), thread: None, text: text.to_owned() };
        assert_eq!(marked("total=3\r\n"), want("total=3"));
        assert_eq!(read("an ordinary line"), None);
    }

    #[test]
    fn max_hits_counts_hits_that_are_written() {
        for (condition, every, max_hits, expect) in [
            (None, None, None, vec![1, 2, 3, 4, 5, 6, 7, 8]),
            (None, Some(3), None, vec![3, 6]),
            (None, Some(2), Some(2), vec![2, 4]),
            (Some("% 2"), None, Some(3), vec![2, 4, 6]),
            (Some(">= 3"), Some(2), Some(2), vec![4, 6]),
            (Some("4"), None, Some(1), vec![4]),
        ] {
            let spec = BreakpointSpec {
                hit_condition: condition.map(str::to_owned),
                every,
                max_hits,
                ..BreakpointSpec::at(Place::Function("f".to_owned()))
            };
            let at = |hits| Breakpoint {
                id: BreakpointId(1),
                spec: spec.clone(),
                enabled: true,
                binding: Binding::Pending,
                hits,
                suppressed: 0,
                author: Author::Caller,
                file: None,
            };
            let condition = condition.map(|text| Hits::parse(text).unwrap());
            let mut written = Vec::new();
            for hits in 1..=8 {
                let counts = condition.is_none_or(|condition| condition.accept(u64::from(hits)));
                if counts && is_let_through(&at(hits)) {
                    written.push(hits);
                }
                let all = max_hits.is_some_and(|max| written.len() == max as usize);
                assert_eq!(has_written_all(&at(hits)), all, "{spec:?} after {hits}");
            }
            let last = max_hits.and_then(|_| written.last()).map(|last| u64::from(*last));
            assert_eq!(last_hit(&at(0)), last, "{spec:?}");
            assert_eq!(written, expect, "{spec:?}");
        }
    }
}
