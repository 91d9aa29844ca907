//! Translates log breakpoints to conditions: js-debug's own log points write a whole line to the
//! program's console in place of a failing expression, and their hits cannot be counted.
//!
//! The condition is a list with the text, which `runtime/logs.js` replaces by code that writes the
//! text without a stop.
//!
//! Knows the marks of breakpoints (`log_points` of the profile).

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{LogPiece, log_pieces};

use crate::assignment;

/// The first element of the list, as in `runtime/logs.js`.
const LOG: &str = "dapdock.log";
/// In place of an expression that assigns.
const ASSIGNS: &str = "<error: it changes the program>";

/// Translates log breakpoints; whether there are any. `compiles`: sources are compiled at load, and
/// js-debug sets a breakpoint in them twice.
pub fn translate(request: &mut dap::SetBreakpointsArguments, compiles: bool) -> bool {
    let mut changed = false;
    for breakpoint in &mut request.breakpoints {
        let Some(number) = breakpoint.mark.take().map(|mark| mark.number) else { continue };
        let Some(message) = breakpoint.log_message.take() else { continue };
        let pieces: Vec<Value> = log_pieces(&message).iter().map(piece).collect();
        let list = json!([LOG, number, pieces, breakpoint.condition, compiles]);
        breakpoint.condition = Some(list.to_string());
        changed = true;
    }
    changed
}

/// A literal text, or a list with an expression.
fn piece(piece: &LogPiece) -> Value {
    match piece {
        LogPiece::Text(text) => json!(text),
        LogPiece::Expression(code) if assignment::writes(code) => json!(ASSIGNS),
        LogPiece::Expression(code) => json!([code]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The condition of a breakpoint after the translation.
    #[track_caller]
    fn condition(body: Value) -> Option<String> {
        let breakpoint: dap::SourceBreakpoint = dap::lenient::decode(&body).unwrap();
        let mut request =
            dap::SetBreakpointsArguments { breakpoints: vec![breakpoint], ..Default::default() };
        let is_log = request.breakpoints[0].log_message.is_some();
        assert_eq!(translate(&mut request, false), is_log);
        let [breakpoint] = &request.breakpoints[..] else { panic!("another breakpoint") };
        assert_eq!((&breakpoint.log_message, breakpoint.mark), (&None, None));
        breakpoint.condition.clone()
    }

    #[test]
    fn a_log_breakpoint_is_a_list_in_a_condition() {
        assert_eq!(condition(json!({"line": 3, "condition": "x > 1"})).as_deref(), Some("x > 1"));
        assert_eq!(
            condition(json!({"line": 3, "logMessage": "x = {x} {{ü}}", "mark": {"number": 7}}))
                .as_deref(),
            Some(r#"["dapdock.log",7,["x = ",["x"]," {ü}"],null,false]"#),
        );
        assert_eq!(
            condition(json!({
                "line": 3, "logMessage": "{x = 1}", "condition": "a[\"b\"]", "mark": {"number": 8},
            }))
            .as_deref(),
            Some(r#"["dapdock.log",8,["<error: it changes the program>"],"a[\"b\"]",false]"#),
        );
    }
}
