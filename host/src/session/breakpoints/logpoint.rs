//! Log breakpoints: recognises the adapter's lines and renders lines for callers.
//!
//! If the adapter writes the lines, the text carries a mark with the breakpoint's number, because
//! DAP's `output` event does not name the breakpoint. A plugin may put the thread's name between
//! two more marks.

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
    let (thread, text) = match rest.strip_prefix(FIELD).and_then(|rest| rest.split_once(FIELD)) {
        Some((thread, text)) => (Some(thread.to_owned()), text),
        None => (None, rest),
    };
    Some(Marked { id, thread, text: text.trim_end_matches(['\r', '\n']).to_owned() })
}

/// Reads a count of hits from the adapter: the breakpoint, and how many hits were added.
pub(crate) fn read_hits(line: &str) -> Option<(BreakpointId, u32)> {
    let (number, more) = line.strip_prefix(NUMBER)?.split_once(FIELD)?.0.split_once('+')?;
    Some((BreakpointId(number.parse().ok()?), more.parse().ok()?))
}

/// Do `every` and `max_hits` let the latest hit, which is counted already, through?
pub(crate) fn is_let_through(breakpoint: &Breakpoint) -> bool {
    let every = breakpoint.spec.every.unwrap_or(1).max(1);
    let before = breakpoint.hits.saturating_sub(1) / every;
    (breakpoint.hits - 1).is_multiple_of(every)
        && breakpoint.spec.max_hits.is_none_or(|max| before < max)
}

/// A hit as a line of output.
pub(crate) fn line(hit: &LogHit) -> String {
    let thread = hit.thread.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    format!("{}.{}{thread}: {}", hit.id, hit.number, hit.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_line_yields_number_thread_and_text() {
        let marked = |text: &str| read(&mark(BreakpointId(7), text)).unwrap();
        let want = |thread: Option<&str>, text: &str| Marked {
            id: BreakpointId(7),
            thread: thread.map(str::to_owned),
            text: text.to_owned(),
        };
        assert_eq!(marked("total=3\r\n"), want(None, "total=3"));
        assert_eq!(marked("\u{1f}worker-1\u{1f}total=3"), want(Some("worker-1"), "total=3"));
        assert_eq!(read("an ordinary line"), None);
    }

    #[test]
    fn hit_counts_are_no_log_lines() {
        assert_eq!(read_hits("\u{1e}7+37\u{1f}\n"), Some((BreakpointId(7), 37)));
        for other in ["7+37", "\u{1e}7\u{1f}+37", "\u{1e}7+x\u{1f}", ""] {
            assert_eq!(read_hits(other), None, "{other}");
        }
        assert_eq!(read("\u{1e}7+37\u{1f}\n"), None);
    }
}
