//! Log breakpoints. Delve evaluates the expressions of a message at each hit and writes the message
//! without a stop. The plugin sends messages whose parts are marked, and makes of each that Delve
//! writes the text for callers: with the host's number of the breakpoint, and values as elsewhere.
//!
//! Knows the marks of breakpoints (`log_points` of the profile).

use dapdock_plugin::hooks::{Event, EventAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::dap::BreakpointOutput;
use dapdock_plugin::schema::{LogPiece, log_pieces};

use crate::state::State;
use crate::{calls, stops, values};

/// Before the number of the breakpoint.
const NUMBER: char = '\u{1e}';
/// Before each part, whose first character is its kind. Delve escapes control characters in values.
const PART: char = '\u{1f}';
const TEXT: char = 't';
const VALUE: char = 'v';
const CONDITION: char = 'c';

/// In place of braces in literal text: Delve has no escape for them (server.go, `parseLogPoint`).
const BRACES: [(char, char); 2] = [('{', '\u{1c}'), ('}', '\u{1d}')];

/// The start of what Delve writes in place of a value (server.go, `evaluate`).
const FAILED: &str = "{eval err: ";

/// Breakpoints with messages for Delve; none if the request can be sent unchanged.
pub fn on_request(
    mut request: dap::SetBreakpointsArguments,
) -> Option<dap::SetBreakpointsArguments> {
    let mut changed = false;
    for breakpoint in &mut request.breakpoints {
        let mark = breakpoint.mark.take();
        if let (Some(mark), Some(text)) = (mark, &breakpoint.log_message) {
            let message = message(mark.number, text, breakpoint.condition.as_deref());
            breakpoint.log_message = Some(message);
            // A breakpoint whose condition cannot hold again is disabled by Delve
            // (pkg/proc/target_group.go, `manageUnsatisfiableBreakpoints`).
            breakpoint.hit_condition = mark.last.map(|last| format!("<= {last}"));
        }
        changed |= mark.is_some();
    }
    changed.then_some(request)
}

/// The message for Delve, of which it makes a format of `fmt.Sprintf`.
///
/// Where a step ends at a breakpoint, Delve writes the message even if the condition does not hold
/// (pkg/proc/breakpoints.go, `checkCond`). So the condition is a part of the message.
fn message(number: u32, text: &str, condition: Option<&str>) -> String {
    let mut message = format!("{NUMBER}{number}");
    if let Some(condition) = condition {
        message.push_str(&format!("{PART}{CONDITION}{{{}}}", balanced(condition)));
    }
    for piece in log_pieces(text) {
        message.push_str(&match piece {
            LogPiece::Text(text) => format!("{PART}{TEXT}{}", literal(&text)),
            LogPiece::Expression(code) if code.is_empty() => format!("{PART}{VALUE}"),
            LogPiece::Expression(code) => format!("{PART}{VALUE}{{{}}}", balanced(&code)),
        });
    }
    message
}

fn literal(text: &str) -> String {
    let mut literal = text.replace('%', "%%");
    for (brace, other) in BRACES {
        literal = literal.replace(brace, &other.to_string());
    }
    literal
}

/// An expression without braces in its strings, as Delve pairs all braces of a message: strings in
/// backquotes, which have no escapes, become strings in quotes.
fn balanced(expression: &str) -> String {
    let mut balanced = String::with_capacity(expression.len());
    let mut quote = None;
    let mut escaped = false;
    for c in expression.chars() {
        let Some(open) = quote else {
            quote = Some(c).filter(|c| matches!(c, '"' | '\'' | '`'));
            balanced.push(if c == '`' { '"' } else { c });
            continue;
        };
        match c {
            '{' => balanced.push_str("\\x7b"),
            '}' => balanced.push_str("\\x7d"),
            '\n' => balanced.push_str("\\n"),
            '`' if open == '`' => balanced.push('"'),
            '"' | '\\' if open == '`' => balanced.extend(['\\', c]),
            _ => balanced.push(c),
        }
        if c == open && !escaped {
            quote = None;
        }
        escaped = c == '\\' && open != '`' && !escaped;
    }
    balanced
}

/// A line of a log breakpoint as a hit for the host; none if it is other output.
pub fn on_output(session: &Session, output: &dap::Output) -> Option<EventAction> {
    let hit = read(&output.output)?;
    let mut state: State = session.load();
    if !state.pauses.is_idle() {
        let repeats = state.pauses.repeats(output);
        session.store(&state);
        if repeats {
            return Some(EventAction::swallowed());
        }
    }
    let events = hit.map(|(text, report)| {
        Event::new(dap::Output {
            category: Some("console".into()),
            output: format!("{text}\n"),
            data: serde_json::to_value(report).ok(),
            ..Default::default()
        })
    });
    Some(EventAction::replaced(events))
}

/// The text and the hit of a line such as `> [Go 1]: MESSAGE` (server.go, `logBreakpointMessage`).
/// Some(None): the condition does not hold.
fn read(line: &str) -> Option<Option<(String, BreakpointOutput)>> {
    let (head, message) = line.split_once(NUMBER)?;
    let goroutine = head.strip_prefix("> [Go ")?.strip_suffix("]: ")?;
    let mut parts = message.strip_suffix('\n').unwrap_or(message).split(PART);
    let breakpoint = parts.next()?.parse().ok()?;
    let mut text = String::new();
    for part in parts {
        let mut chars = part.chars();
        let kind = chars.next()?;
        match (kind, chars.as_str()) {
            (CONDITION, "false") => return Some(None),
            (TEXT, part) => text.push_str(&with_braces(part)),
            (VALUE, part) => text.push_str(&value(part)),
            _ => {}
        }
    }
    let thread = Some(format!("goroutine {goroutine}"));
    Some(Some((text, BreakpointOutput { breakpoint, thread, ..Default::default() })))
}

fn with_braces(literal: &str) -> String {
    let mut text = literal.to_owned();
    for (brace, other) in BRACES {
        text = text.replace(other, &brace.to_string());
    }
    text
}

fn value(text: &str) -> String {
    if text.is_empty() {
        return "<error: no expression in the braces>".into();
    }
    match text.strip_prefix(FAILED) {
        Some(failed) => format!("<error: {}>", error(failed)),
        None => values::untyped(text),
    }
}

/// Delve formats the error as a number, by its fields: `&{%!e(string=MESSAGE)}`. Errors with other
/// fields have no message there, and of two kinds only a name (pkg/proc, `IsNilErr`,
/// `errCouldNotFindSymbol`).
fn error(failed: &str) -> String {
    let message = failed.split_once("%!e(string=").and_then(|(_, rest)| {
        let end = rest.find(") %!e(").or_else(|| rest.rfind(")}"))?;
        Some(&rest[..end])
    });
    match message {
        None => "it cannot be evaluated; debug_evaluate at a stop says why".into(),
        Some(name) if !name.contains(' ') && name.contains('.') => {
            format!("nil or undefined: {name}")
        }
        Some(name) if !name.contains(' ') => format!("{name} is nil"),
        Some(message) => calls::refusal(message).unwrap_or_else(|| stops::plain_error(message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(body: Value) -> Option<dap::SourceBreakpoint> {
        let breakpoint: dap::SourceBreakpoint = dap::lenient::decode(&body).unwrap();
        let request =
            dap::SetBreakpointsArguments { breakpoints: vec![breakpoint], ..Default::default() };
        on_request(request).map(|mut request| request.breakpoints.remove(0))
    }

    #[track_caller]
    fn check(body: Value, expect: &str) {
        let sent = sent(body).unwrap();
        assert_eq!((sent.mark, sent.log_message.as_deref()), (None, Some(expect)));
    }

    #[test]
    fn parts_of_a_message_are_marked() {
        assert_eq!(sent(json!({"line": 3, "condition": "x > 1"})), None);
        check(
            json!({"line": 3, "logMessage": "x = {x} {{100%}}", "mark": {"number": 7}}),
            "\u{1e}7\u{1f}tx = \u{1f}v{x}\u{1f}t \u{1c}100%%\u{1d}",
        );
        check(
            json!({
                "line": 3,
                "condition": "s == \"{\"",
                "logMessage": "{}",
                "mark": {"number": 12},
            }),
            "\u{1e}12\u{1f}c{s == \"\\x7b\"}\u{1f}v",
        );
    }

    #[test]
    fn braces_in_strings_are_escapes() {
        for (expression, expect) in [
            (r#"m["}"]"#, r#"m["\x7d"]"#),
            (r#"m["\"{"]"#, r#"m["\"\x7b"]"#),
            ("c == '{'", r"c == '\x7b'"),
            (r#"m[`{"\`] + "a""#, r#"m["\x7b\"\\"] + "a""#),
            (r#"m["\\"] == `}`"#, r#"m["\\"] == "\x7d""#),
        ] {
            assert_eq!(balanced(expression), expect, "{expression}");
        }
    }

    #[track_caller]
    fn check_line(message: &str, expect: &str) {
        let (text, report) = read(&format!("> [Go 18]: {message}\n")).unwrap().unwrap();
        assert_eq!((text.as_str(), report.breakpoint), (expect, 7));
        assert_eq!(report.thread.as_deref(), Some("goroutine 18"));
    }

    #[test]
    fn lines_of_delve_become_texts() {
        check_line("\u{1e}7\u{1f}ti=\u{1f}v42\u{1f}t \u{1c}n\u{1d} 5%", "i=42 {n} 5%");
        check_line("\u{1e}7\u{1f}ctrue\u{1f}v7 = 0x7\u{1f}t\n", "7\n");
        check_line("\u{1e}7\u{1f}v[]int len: 2, cap: 2, [5,6]", "len: 2, cap: 2, [5,6]");
        assert_eq!(read("> [Go 1]: \u{1e}7\u{1f}cfalse\u{1f}ti\n"), Some(None));
        for other in ["an ordinary line\n", "> [Go 1]: log\n", "a \u{1e}7\u{1f}ti\n"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn errors_are_in_the_words_of_an_evaluation() {
        let text = |failed: &str| value(&format!("{{eval err: {failed}}}"));
        let symbol = "&{%!e(string=could not find symbol value for nope)}";
        assert_eq!(text(symbol), "<error: undefined: nope>");
        let wrapped = "&{%!e(string=a (b): c) %!e(*errors.errorString=&{c})}";
        assert_eq!(text(wrapped), "<error: a (b): c>");
        let call = "&{%!e(string=function calls not allowed without using 'call')}";
        let refused = "this calls code of the program; repeat with effects=allow";
        assert_eq!(text(call), format!("<error: {refused}>"));
        assert_eq!(text("&{%!e(string=node)}"), "<error: node is nil>");
        let parse = "[%!e(*scanner.Error=0xc000294d20)]";
        let unknown = "it cannot be evaluated; debug_evaluate at a stop says why";
        assert_eq!(text(parse), format!("<error: {unknown}>"));
    }
}
