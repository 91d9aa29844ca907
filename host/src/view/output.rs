//! What the debuggee printed: a note within another view, or a page of it.

use super::text::{counted, cut_end, one_line, quoted};
use super::{Lens, cap};
use crate::model::{OutputLine, OutputNote, OutputPage, SessionId, Stream};

/// Longest line of a page, in characters.
const LINE: usize = 2_000;

/// `output +2 lines: "applying…" (debug_output since=14)`; nothing when nothing was printed.
pub(super) fn note(note: &OutputNote, session: &SessionId, lens: &Lens, width: usize) -> Option<String> {
    let last = note.tail.iter().rev().find(|line| !line.text.trim().is_empty()).or(note.tail.last());
    if note.lines == 0 {
        return None;
    }
    let said = last.map(|line| format!(": {}", quoted(line.text.trim(), width))).unwrap_or_default();
    let call = lens.call("debug_output", session).with("since", note.since);
    Some(format!("output +{}{said} ({call})", counted(note.lines, "line")))
}

/// The last lines printed, one below the other, for the end of a session.
pub(super) fn tail(note: &OutputNote, session: &SessionId, lens: &Lens, lines: usize) -> Vec<String> {
    if note.lines == 0 {
        return Vec::new();
    }
    let shown = &note.tail[note.tail.len().saturating_sub(lines)..];
    let call = lens.call("debug_output", session).with("since", note.since);
    let rest = match note.lines - (shown.len() as u64).min(note.lines) {
        0 => format!("output +{}:", counted(note.lines, "line")),
        _ => format!("output +{}, the last {} ({call}):", counted(note.lines, "line"), shown.len()),
    };
    std::iter::once(rest).chain(shown.iter().map(|line| format!("  {}", printed(line, 160)))).collect()
}

/// A page of output with the call that continues it.
pub fn output(page: &OutputPage, session: &SessionId, lens: &Lens) -> String {
    let mut lines = Vec::new();
    if page.lost > 0 {
        lines.push(format!("({} before these are no longer kept)", counted(page.lost, "line")));
    }
    if page.skipped > 0 {
        lines.push(format!(
            "({} more matched and are not shown; a higher tail shows them)",
            counted(page.skipped, "line")
        ));
    }
    lines.extend(page.lines.iter().map(|line| printed(line, LINE)));
    if page.lines.is_empty() {
        lines.push("no output".to_owned());
    }
    let next = lens.call("debug_output", session).with("since", page.next);
    let tail = lens.call("debug_output", session).with("tail", 50);
    format!("{}\nnext: {next}", cap(lines.join("\n"), &tail))
}

/// A line with its stream in front, standard output bare.
fn printed(line: &OutputLine, width: usize) -> String {
    let text = cut_end(&one_line(&line.text), width).0;
    let stream = match line.stream {
        Stream::Stdout => "",
        Stream::Stderr => "stderr| ",
        Stream::Log => "log| ",
        Stream::Adapter => "debugger| ",
    };
    format!("{stream}{text}{}", if line.complete { "" } else { " (line not ended)" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, stream: Stream, text: &str, complete: bool) -> OutputLine {
        OutputLine { number, stream, text: text.into(), complete }
    }

    #[test]
    fn a_page_names_streams_and_what_comes_next() {
        let page = OutputPage {
            lines: vec![
                line(7, Stream::Stdout, "größe 3", true),
                line(8, Stream::Stderr, "warn\u{7}ing", true),
                line(9, Stream::Log, "hit 4", true),
                line(10, Stream::Stdout, "name? ", false),
            ],
            next: 11,
            lost: 1,
            skipped: 2,
        };
        assert_eq!(
            output(&page, &SessionId("py-1".into()), &Lens::default()),
            "(1 line before these are no longer kept)\n\
             (2 lines more matched and are not shown; a higher tail shows them)\n\
             größe 3\nstderr| warning\nlog| hit 4\nname?  (line not ended)\nnext: debug_output since=11"
        );
        let empty = output(&OutputPage::default(), &SessionId("py-1".into()), &Lens::default());
        assert_eq!(empty, "no output\nnext: debug_output since=0");
    }
}
