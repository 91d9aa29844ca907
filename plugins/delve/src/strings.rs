//! Long strings. Delve reads 512 bytes of a string, a limit for all strings (types.go,
//! `maxStringLen`). So the limit is raised before an evaluation that needs the whole string, and
//! lowered before the next read. A string of more bytes than the raised limit is read in parts.

use dapdock_golang::quotes;
use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::state::State;

/// Bytes of a string.
const NORMAL_BYTES: u32 = 512;
const RAISED_BYTES: u32 = 1 << 20;

/// As many bytes of a longer string Delve reads (server.go, `maxSingleStringLen`).
const BEGINNING: usize = 4096;

/// For an evaluation, or for the scopes of a frame, which are read before its variables: the
/// request with a change of the limit before it; none if the limit is right.
pub fn on_request(session: &Session, request: Request) -> Option<RequestAction> {
    let evaluation = request.of::<dap::Evaluate>();
    let whole = evaluation.filter(needs_whole);
    let needs_whole = whole.is_some();
    let part = whole.and_then(part);
    let state: State = session.load();
    if needs_whole == state.reads_long_strings {
        return part.map(RequestAction::replaced::<dap::Evaluate>);
    }
    session.store(&State { reads_long_strings: needs_whole, ..state });
    let bytes = if needs_whole { RAISED_BYTES } else { NORMAL_BYTES };
    let config = dap::EvaluateArguments {
        expression: format!("dlv config maxStringLen {bytes}"),
        context: Some("repl".into()),
        ..Default::default()
    };
    let read = part.map_or(request, Request::new::<dap::Evaluate>);
    Some(RequestAction::in_turn([Request::new::<dap::Evaluate>(config), read]))
}

fn needs_whole(evaluation: &dap::EvaluateArguments) -> bool {
    evaluation.context.as_deref() == Some("clipboard")
}

/// The evaluation of the requested bytes of a string.
fn part(evaluation: dap::EvaluateArguments) -> Option<dap::EvaluateArguments> {
    let format = evaluation.format.as_ref()?;
    let (from, to) = (format["from"].as_u64()?, format["to"].as_u64()?);
    let expression = format!("({})[{from}:{to}]", evaluation.expression);
    Some(dap::EvaluateArguments { expression, format: None, ..evaluation })
}

/// Puts the string itself in place of its literal, if the whole string was requested; of one that
/// Delve has cut, the beginning with the number of all its bytes.
pub fn unquote(sent: &dap::EvaluateArguments, body: &mut dap::EvaluateResponse) {
    if !needs_whole(sent) {
        return;
    }
    let Some(bytes) = quotes::unquoted(&body.result) else { return };
    let (read, length) = match beginning(&bytes) {
        Some((beginning, length)) => (beginning, Some(length)),
        None => (&bytes[..], None),
    };
    body.result = String::from_utf8_lossy(read).into_owned();
    body.indexed_variables = length;
}

/// The bytes before `...+77 more`, and how many there are with those.
fn beginning(bytes: &[u8]) -> Option<(&[u8], i64)> {
    let length = [BEGINNING, RAISED_BYTES as usize].into_iter().find(|length| {
        bytes.get(*length..).is_some_and(|rest| rest.starts_with(b"...+") && rest.len() < 40)
    })?;
    let (read, rest) = bytes.split_at(length);
    let more = std::str::from_utf8(rest).ok()?.strip_prefix("...+")?.strip_suffix(" more")?;
    let all = more.parse::<i64>().ok()?.checked_add(length as i64)?;
    Some((read, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unquoted(result: &str, context: &str) -> (String, Option<i64>) {
        let sent = dap::EvaluateArguments {
            expression: "text".into(),
            context: Some(context.into()),
            ..Default::default()
        };
        let mut body = dap::EvaluateResponse { result: result.into(), ..Default::default() };
        unquote(&sent, &mut body);
        (body.result, body.indexed_variables)
    }

    #[test]
    fn whole_strings_are_texts_without_quotes() {
        for (result, context, text) in [
            (r#""a\"b\n""#, "clipboard", "a\"b\n"),
            (r#""a\xffb""#, "clipboard", "a\u{fffd}b"),
            (r#""a\nb""#, "hover", r#""a\nb""#),
            ("main.add", "clipboard", "main.add"),
            (r#""x...+1073741823 more""#, "clipboard", "x...+1073741823 more"),
        ] {
            assert_eq!(unquoted(result, context), (text.into(), None), "{result}");
        }
    }

    #[test]
    fn a_cut_string_has_the_number_of_its_bytes() {
        let beginning = "x".repeat(BEGINNING);
        let cut = format!("\"{beginning}...+1073737728 more\"");
        assert_eq!(unquoted(&cut, "clipboard"), (beginning, Some(1 << 30)));
    }
}
