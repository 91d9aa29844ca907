//! Writes what the client marks on breakpoints for `runtime/marked_breakpoints.py`: the pieces of a
//! log text, or the hit condition. On a line it is the `logMessage`, on a function, which has none,
//! the `hitCondition`.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::dap::BreakpointMark as Mark;
use dapdock_plugin::schema::{LogPiece, log_pieces};

/// Line breakpoints with their marks; none if there are no marks.
pub fn lines(mut request: dap::SetBreakpointsArguments) -> Option<dap::SetBreakpointsArguments> {
    let mut changed = false;
    for breakpoint in &mut request.breakpoints {
        let Some(mark) = breakpoint.mark.take() else { continue };
        let log = breakpoint.log_message.take();
        breakpoint.log_message = Some(text(mark, log.as_deref()));
        changed = true;
    }
    changed.then_some(request)
}

/// Function breakpoints with their marks; none if there are no marks.
pub fn functions(
    mut request: dap::SetFunctionBreakpointsArguments,
) -> Option<dap::SetFunctionBreakpointsArguments> {
    let mut changed = false;
    for breakpoint in &mut request.breakpoints {
        let Some(mark) = breakpoint.mark.take() else { continue };
        breakpoint.hit_condition = Some(text(mark, None));
        changed = true;
    }
    changed.then_some(request)
}

fn text(mark: Mark, log: Option<&str>) -> String {
    let mut written = json!({"number": mark.number});
    if let Some(hits) = mark.hits {
        written["hits"] = json!(hits);
    }
    if let Some(log) = log {
        written["log"] = log_pieces(log).iter().map(piece).collect();
    }
    written.to_string()
}

fn piece(piece: &LogPiece) -> Value {
    match piece {
        LogPiece::Text(text) => json!({"text": text}),
        LogPiece::Expression(code) => json!({"expression": code}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(breakpoint: Value, expect: Option<Value>) {
        let breakpoint: dap::SourceBreakpoint = dap::lenient::decode(&breakpoint).unwrap();
        let request = dap::SetBreakpointsArguments {
            breakpoints: vec![breakpoint.clone()],
            ..Default::default()
        };
        let Some(marked) = lines(request) else { return assert_eq!(None, expect) };
        let marked = &marked.breakpoints[0];
        let written = marked.log_message.as_deref().map(|text| serde_json::from_str(text).unwrap());
        assert_eq!((written, marked.mark), (expect, None));
        assert_eq!(marked.condition, breakpoint.condition);
    }

    #[test]
    fn marks_are_written_with_the_pieces_of_a_log_text() {
        check(json!({"line": 3, "condition": "x > 1"}), None);
        check(
            json!({
                "line": 3, "condition": "x > 1", "logMessage": "x = {x} {{ü}}",
                "mark": {"number": 7},
            }),
            Some(json!({
                "number": 7,
                "log": [{"text": "x = "}, {"expression": "x"}, {"text": " {ü}"}],
            })),
        );
        let hits = json!({"earlier": 5, "operator": ">=", "number": 1000});
        check(
            json!({"line": 3, "mark": {"number": 12, "hits": hits}}),
            Some(json!({"number": 12, "hits": hits})),
        );
    }

    #[test]
    fn function_has_its_mark_as_hit_condition() {
        let function = |mark| {
            let one = dap::FunctionBreakpoint { name: "f".into(), mark, ..Default::default() };
            let request = dap::SetFunctionBreakpointsArguments { breakpoints: vec![one] };
            functions(request)?.breakpoints.remove(0).hit_condition
        };
        assert_eq!(function(None), None);
        let hits = Some(dap::HitCondition { number: 2, ..Default::default() });
        let written = function(Some(Mark { number: 1, hits, ..Mark::default() })).unwrap();
        let hits = json!({"earlier": 0, "operator": "==", "number": 2});
        assert_eq!(
            serde_json::from_str::<Value>(&written).unwrap(),
            json!({"number": 1, "hits": hits})
        );
    }
}
