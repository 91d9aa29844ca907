//! Output of the debuggee: a line in another view, or a page.

use super::text::{Text, counted, cut_end, one_line, quoted};
use super::{Call, HARD_CAP, Lens, estimate};
use crate::model::{OutputLine, OutputNote, OutputPage, OutputQuery, SessionId, Stream};

/// `output +2 lines: "applying…" (debug_output since=14)`; nothing when nothing was printed.
pub(super) fn note(
    note: &OutputNote,
    session: &SessionId,
    lens: &Lens,
    width: usize,
) -> Option<String> {
    let last =
        note.tail.iter().rev().find(|line| !line.text.trim().is_empty()).or(note.tail.last());
    if note.lines == 0 {
        return None;
    }
    let last_line =
        last.map(|line| format!(": {}", quoted(line.text.trim(), width))).unwrap_or_default();
    let call = lens.call("debug_output", session).with("since", note.since);
    Some(format!("output +{}{}{last_line} ({call})", counted(note.lines, "line"), lost(note)))
}

/// The last lines printed, one below the other, for the end of a session.
pub(super) fn tail(note: &OutputNote, session: &SessionId, lens: &Lens) -> Vec<String> {
    if note.lines == 0 {
        return Vec::new();
    }
    let displayed = &note.tail;
    let gap = |pair: &[OutputLine]| pair[0].number + 1 != pair[1].number;
    let end = if displayed.windows(2).any(gap) {
        "from its end".to_owned()
    } else {
        format!("the last {}", displayed.len())
    };
    let call = lens.call("debug_output", session).with("since", note.since);
    let rest = match note.lines - (displayed.len() as u64).min(note.lines) {
        0 => format!("output +{}:", counted(note.lines, "line")),
        _ => format!("output +{}{}, {end} ({call}):", counted(note.lines, "line"), lost(note)),
    };
    let mut lines = vec![rest];
    for line in displayed {
        lines.push(format!("  {}", printed(line, 160)));
    }
    lines
}

/// `, the first 400 no longer kept`; empty if the ring holds all lines.
fn lost(note: &OutputNote) -> String {
    match note.lost {
        0 => String::new(),
        lost => format!(", the first {lost} no longer kept"),
    }
}

/// A page of output with the call for the next one, which also reads what one answer cannot hold.
pub fn output(page: &OutputPage, query: &OutputQuery, session: &SessionId, lens: &Lens) -> Text {
    let call =
        |since: u64| with_query(lens.call("debug_output", session), query).with("since", since);
    let printed: Vec<String> = page.lines.iter().map(|line| printed(line, usize::MAX)).collect();
    let tokens = query.tokens.unwrap_or(HARD_CAP);
    let (from, to) = fitting(&printed, query.tail.is_some(), tokens);
    let mut lines = Vec::new();
    if page.merged {
        lines.push("(stdout and stderr of this program are one stream: both follow)".to_owned());
    }
    lines.extend(dropped(page, query));
    let before = match from {
        0 => page.earlier.map(|since| (page.skipped, since)),
        _ => Some((page.skipped + from as u64, page.lines[0].number)),
    };
    if let Some((count, since)) = before {
        lines.push(format!("({} before these: {})", counted(count, "line"), call(since)));
    }
    lines.extend_from_slice(&printed[from..to]);
    if page.lines.is_empty() {
        lines.push(match &query.grep {
            Some(pattern) => format!("no line matches `{}`", one_line(pattern)),
            None => "no output".to_owned(),
        });
    }
    let left = (printed.len() - to) as u64 + if page.earlier.is_none() { page.skipped } else { 0 };
    if left > 0 {
        lines.push(format!("({} more: the next call shows them)", counted(left, "line")));
    }
    let next = page.lines.get(to).map_or(page.next, |line| line.number);
    lines.push(format!("next: {}", call(next)));
    Text::lines(lines)
}

/// A line about dropped output, for a page that starts with the oldest line and for every search.
fn dropped(page: &OutputPage, query: &OutputQuery) -> Option<String> {
    let lost = counted(page.lost, "line");
    match (page.lost, &query.grep) {
        (0, _) => None,
        (_, Some(_)) => {
            Some(format!("({lost} before these are no longer kept and were not searched)"))
        }
        (_, None) => {
            page.earlier.is_none().then(|| format!("({lost} before these are no longer kept)"))
        }
    }
}

/// The call with the query's stream and pattern, without its start.
fn with_query(call: Call, query: &OutputQuery) -> Call {
    let call = match query.stream {
        Some(Stream::Stdout) => call.with("stream", "stdout"),
        Some(Stream::Stderr) => call.with("stream", "stderr"),
        Some(Stream::Log) => call.with("stream", "log"),
        Some(Stream::Adapter) => call.with("stream", "adapter"),
        None => call,
    };
    match &query.grep {
        Some(pattern) => call.with("grep", pattern.as_str()),
        None => call,
    }
}

/// The range of the first or last lines that fit into an answer of so many tokens; at least one
/// line.
fn fitting(lines: &[String], from_the_end: bool, tokens: usize) -> (usize, usize) {
    let mut room = tokens - tokens / 20;
    let mut count = 0;
    while count < lines.len() {
        let line = if from_the_end { &lines[lines.len() - 1 - count] } else { &lines[count] };
        let cost = estimate(line) + 1;
        if cost > room {
            break;
        }
        room -= cost;
        count += 1;
    }
    let count = count.max(1).min(lines.len());
    if from_the_end { (lines.len() - count, lines.len()) } else { (0, count) }
}

/// A line after the name of its stream; standard output has none.
pub(super) fn printed(line: &OutputLine, width: usize) -> String {
    let text = cut_end(&line.text, width).0;
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
    use super::super::sample::lens;
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
            earlier: None,
            merged: false,
        };
        let session = SessionId("py-3f9c".into());
        let rendered =
            |page: &OutputPage, query: &OutputQuery| output(page, query, &session, &lens());
        let lines = "größe 3\nstderr| warn\\u{7}ing\nlog| hit 4\nname?  (line not ended)";
        assert_eq!(
            rendered(&page, &OutputQuery::default()),
            format!(
                "(1 line before these are no longer kept)\n{lines}\n(2 lines more: the next call \
                shows them)\n\
                 next: debug_output since=11"
            )
        );
        let query = OutputQuery {
            tail: Some(4),
            grep: Some("x".into()),
            stream: Some(Stream::Log),
            ..OutputQuery::default()
        };
        assert_eq!(
            rendered(&OutputPage { earlier: Some(2), ..page }, &query),
            format!(
                "(1 line before these are no longer kept and were not searched)\n\
                 (2 lines before these: debug_output stream=log grep=x since=2)\n{lines}\n\
                 next: debug_output stream=log grep=x since=11"
            )
        );
        assert_eq!(
            rendered(&OutputPage::default(), &OutputQuery::default()),
            "no output\nnext: debug_output since=0"
        );
        let query = OutputQuery { stream: Some(Stream::Stderr), ..OutputQuery::default() };
        assert_eq!(
            rendered(&OutputPage { merged: true, ..OutputPage::default() }, &query),
            "(stdout and stderr of this program are one stream: both follow)\nno output\n\
             next: debug_output stream=stderr since=0"
        );
    }

    #[test]
    fn dropped_output_is_counted_wherever_it_is_missing() {
        let session = SessionId("py-3f9c".into());
        let page = OutputPage {
            lines: vec![line(9, Stream::Stdout, "z", true)],
            next: 10,
            lost: 9,
            ..Default::default()
        };
        let rendered =
            |page: &OutputPage, query: OutputQuery| output(page, &query, &session, &lens());
        let tail = || OutputQuery { tail: Some(50), ..Default::default() };
        assert!(
            rendered(&page, tail()).starts_with("(9 lines before these are no longer kept)\nz\n")
        );
        let none = OutputPage { next: 10, ..Default::default() };
        let text = rendered(&none, OutputQuery { grep: Some("z".into()), ..Default::default() });
        assert!(text.starts_with("no line matches `z`\n"), "{text}");
        let found = rendered(&page, OutputQuery { grep: Some("z".into()), ..tail() });
        assert!(
            found.starts_with(
                "(9 lines before these are no longer kept and were not searched)\nz\n"
            ),
            "{found}"
        );
        let paged = rendered(&OutputPage { earlier: Some(5), ..page }, tail());
        assert!(!paged.contains("kept"), "what stands before the page is there: {paged}");

        let news = OutputNote {
            lines: 30,
            lost: 27,
            tail: vec![line(29, Stream::Stdout, "z", true)],
            since: 0,
        };
        let call = "(debug_output since=0)";
        let expected = format!("output +30 lines, the first 27 no longer kept: \"z\" {call}");
        assert_eq!(note(&news, &session, &lens(), 80), Some(expected));
        let expected = format!("output +30 lines, the first 27 no longer kept, the last 1 {call}:");
        assert_eq!(tail_of(&news, &session)[0], expected);
        let lines =
            vec![line(3, Stream::Stderr, "Error", true), line(29, Stream::Stdout, "z", true)];
        let news = OutputNote { lines: 30, lost: 0, tail: lines, since: 0 };
        let expected =
            [&format!("output +30 lines, from its end {call}:"), "  stderr| Error", "  z"];
        assert_eq!(tail_of(&news, &session), expected);
    }

    fn tail_of(news: &OutputNote, session: &SessionId) -> Vec<String> {
        tail(news, session, &lens())
    }

    /// Every line of a page that is too long for one answer is in the answer of a call that it
    /// names.
    #[test]
    fn output_that_does_not_fit_is_left_to_a_call() {
        let words = "lorem ipsum dolor ".repeat(40);
        let all: Vec<OutputLine> =
            (0..100).map(|n| line(n, Stream::Stdout, &format!("<{n}> {words}"), true)).collect();
        let session = SessionId("py-3f9c".into());
        let page = OutputPage { lines: all.clone(), next: 100, ..OutputPage::default() };
        let rendered = output(&page, &OutputQuery::default(), &session, &lens());
        assert!(estimate(&rendered) <= HARD_CAP, "{}", estimate(&rendered));
        let displayed = rendered.lines().filter(|line| line.starts_with('<')).count();
        assert!((10..100).contains(&displayed), "{displayed}");
        assert!(rendered.ends_with(&format!(
            "({} lines more: the next call shows them)\nnext: debug_output since={displayed}",
            100 - displayed
        )));
        let few = OutputQuery { tokens: Some(2_000), ..OutputQuery::default() };
        let short = output(&page, &few, &session, &lens());
        assert!((1_800..=2_000).contains(&estimate(&short)), "{}", estimate(&short));
        let query = OutputQuery { tail: Some(100), ..OutputQuery::default() };
        let rendered = output(&page, &query, &session, &lens());
        assert!(estimate(&rendered) <= HARD_CAP, "{}", estimate(&rendered));
        assert!(
            rendered.starts_with(&format!(
                "({} lines before these: debug_output since=0)\n<",
                100 - displayed
            )),
            "{rendered}"
        );
        assert!(rendered.contains("<99>") && rendered.ends_with("next: debug_output since=100"));
    }
}
