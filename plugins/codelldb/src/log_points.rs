//! Log points as conditions that write the message in Python (`runtime/log_points.py`), without a
//! stop. In a message of CodeLLDB's own an expression that does not parse would end the adapter
//! (breakpoints.rs, `format_logpoint_message`).
//!
//! Messages of Python arrive in order, but stops and exits overtake them (debug_session.rs,
//! `select!`): in a session with log points each is delayed until the script has reported that all
//! earlier messages are sent; so is the stop of a pause, of which the script knows whether it is
//! one (`runtime/condition_results.py`). Messages that CodeLLDB dropped are missing in the numbers
//! of hits. Knows the marks of breakpoints (`log_points` of the profile); does not know how a value
//! is displayed.

use std::collections::BTreeMap;

use dapdock_plugin::hooks::{Event, EventAction, Request};
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{LogPiece, log_pieces};

use crate::state::State;
use crate::{expression, function_breakpoints, runtime};

/// The script's function.
const PASSED: &str = "/py __import__('log_points').passed";
/// A condition that only stops, and the same with its result.
const HOLDS: &str = "operators.here().holds(";
const VERDICT: &str = "operators.here().verdict(";
/// The keys of the script's reports: of texts, of hits by the breakpoint, that all are sent, and
/// that a pause has stopped the program at a breakpoint whose condition does not hold.
const TEXTS: &str = "texts";
const HITS: &str = "hits_of";
const SENT: &str = "logged";
const PAUSED: &str = "paused";

/// Log points, as the plugin stores them.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct LogPoints {
    /// The session has or had some.
    pub used: bool,
    /// The body of the stop that is delayed.
    stop: Option<Value>,
    /// The hits that are reported, by the number of the breakpoint.
    hits: BTreeMap<String, u64>,
}

/// What follows an event.
pub enum Order {
    Delayed(EventAction),
    /// This event was delayed, and is next.
    Next(Event),
}

/// Delays a stop until the script has reported; None: the event is another one.
pub fn on_event(state: &mut State, event: &Event) -> Option<Order> {
    if event.name() == "stopped" && (state.log_points.used || state.pauses) {
        state.log_points.stop = Some(event.raw().clone());
        let thread = event.raw()["threadId"].as_i64().unwrap_or_default();
        let report = format!("script import log_points; log_points.fence({thread})");
        let request = Request::new::<dap::Evaluate>(runtime::evaluate(report, "_command"));
        return Some(Order::Delayed(EventAction::requesting(request)));
    }
    let report =
        Some(event.raw()).filter(|_| event.name() == function_breakpoints::PYTHON_MESSAGE)?;
    if let Some(texts) = report[TEXTS].as_array() {
        let outputs = state.log_points.outputs(texts, &report[HITS]);
        return Some(Order::Delayed(EventAction::replaced(outputs)));
    }
    if report[SENT] != true {
        return None;
    }
    Some(match state.log_points.stop.take() {
        Some(body) if report[PAUSED] == true => Order::Next(paused(body)),
        Some(body) => Order::Next(Event::custom("stopped", body)),
        None => Order::Delayed(EventAction::swallowed()),
    })
}

/// The stop of a pause, which CodeLLDB reports as that of a breakpoint.
fn paused(stop: Value) -> Event {
    let thread = stop["threadId"].clone();
    let body = json!({"reason": "pause", "threadId": thread, "allThreadsStopped": true});
    Event::custom("stopped", body)
}

impl LogPoints {
    /// The events for texts, and for the hits whose texts are lost.
    fn outputs(&mut self, texts: &[Value], hits: &Value) -> Vec<Event> {
        for text in texts {
            *self.hits.entry(text["breakpoint"].to_string()).or_default() += 1;
        }
        let mut outputs = Vec::new();
        for (number, all) in hits.as_object().into_iter().flatten() {
            let reported = self.hits.entry(number.clone()).or_default();
            let lost = all.as_u64().unwrap_or_default().saturating_sub(*reported);
            *reported += lost;
            if lost > 0 {
                let number: u32 = number.parse().unwrap_or_default();
                let data = json!({"breakpoint": number, "hits": lost, "unlogged": true});
                outputs.push(output(data));
            }
        }
        let first = texts.first().map(|text| text["breakpoint"].clone());
        outputs.push(output(json!({"breakpoint": first, TEXTS: texts})));
        outputs
    }
}

/// An `output` event with `data` as in `BreakpointOutput`.
fn output(data: Value) -> Event {
    Event::custom("output", json!({"category": "console", "output": "", "data": data}))
}

/// Replaces the log messages of a request by conditions. True if it has any.
pub fn translate(arguments: &mut dap::SetBreakpointsArguments, is_rust: bool) -> bool {
    let mut found = false;
    for one in &mut arguments.breakpoints {
        let (Some(text), Some(mark)) = (one.log_message.take(), one.mark.take()) else { continue };
        let pieces: String =
            log_pieces(&text).iter().map(|one| piece(one, is_rust) + ", ").collect();
        let condition = one.condition.as_deref().and_then(|text| text.strip_prefix("/py "));
        let condition = condition.map_or_else(
            || "None".to_owned(),
            |text| format!("lambda: {}", text.replacen(HOLDS, VERDICT, 1)),
        );
        one.condition = Some(format!("{PASSED}({}, ({pieces}), {condition})", mark.number));
        found = true;
    }
    found
}

fn piece(piece: &LogPiece, is_rust: bool) -> String {
    match piece {
        LogPiece::Text(text) => expression::literal(text),
        LogPiece::Expression(text) => match expression::reading(text, is_rust) {
            Ok((calls, format)) => {
                format!("(lambda: operators.displayed({calls}), {})", expression::literal(&format))
            }
            Err(error) => expression::literal(&format!("<error: {}>", error.message)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(one: Value) -> Option<String> {
        let one = dap::lenient::decode(&one).unwrap();
        let mut arguments =
            dap::SetBreakpointsArguments { breakpoints: vec![one], ..Default::default() };
        translate(&mut arguments, true);
        let one = arguments.breakpoints.remove(0);
        assert_eq!(one.log_message, None);
        one.condition
    }

    #[test]
    fn a_message_becomes_a_condition() {
        let text = "i={i} {{x}} {a +} {n,x}";
        let one = json!({"line": 3, "logMessage": text, "mark": {"number": 7}});
        let expected = concat!(
            r#"/py __import__('log_points').passed(7, ("i=", "#,
            r#"(lambda: operators.displayed(operators.name("i")), ""), " {x} ", "#,
            r#""<error: a value is missing at the end>", " ", "#,
            r#"(lambda: operators.displayed(operators.name("n")), ",x"), ), None)"#,
        );
        assert_eq!(sent(one).as_deref(), Some(expected));
    }

    #[test]
    fn a_condition_gives_its_result_to_the_log_point() {
        let condition = expression::condition("n > 1", true).unwrap();
        let one = json!({
            "line": 3, "logMessage": "x", "mark": {"number": 7}, "condition": condition,
        });
        let sent = sent(one).unwrap();
        assert!(sent.contains(r#"("x", ), lambda: operators.here().verdict(lambda: "#), "{sent}");
    }

    #[test]
    fn breakpoints_without_a_message_stay() {
        let one = sent(json!({"line": 3, "condition": "/py n > 1"}));
        assert_eq!(one.as_deref(), Some("/py n > 1"));
    }

    #[test]
    fn lost_messages_are_counted() {
        let text = json!({"breakpoint": 7, "thread": "main", "text": "x"});
        let message = |hits: u64| {
            let body = json!({"texts": [text, text], "hits_of": {"7": hits}});
            Event::custom(function_breakpoints::PYTHON_MESSAGE, body)
        };
        let mut state = State::default();
        let mut data = |hits| match on_event(&mut state, &message(hits)) {
            Some(Order::Delayed(EventAction::Effect(effect))) => {
                let bodies = effect
                    .events
                    .iter()
                    .map(|one| serde_json::from_str::<Value>(&one.body).unwrap()["data"].clone());
                bodies.collect::<Vec<_>>()
            }
            _ => panic!("the texts are no output"),
        };
        let texts = json!({"breakpoint": 7, "texts": [text, text]});
        assert_eq!(data(2), std::slice::from_ref(&texts));
        let lost = json!({"breakpoint": 7, "hits": 5, "unlogged": true});
        assert_eq!(data(9), [lost, texts]);
    }

    #[test]
    fn a_stop_waits_for_the_messages_before_it() {
        let stop = Event::custom("stopped", json!({"reason": "step", "threadId": 3}));
        let report = Event::custom(function_breakpoints::PYTHON_MESSAGE, json!({"logged": true}));
        let mut state = State::default();
        assert!(on_event(&mut state, &stop).is_none());
        state.log_points.used = true;
        assert!(matches!(on_event(&mut state, &stop), Some(Order::Delayed(_))));
        let Some(Order::Next(released)) = on_event(&mut state, &report) else {
            panic!("the stop is not released")
        };
        assert_eq!(released, stop);
        assert!(matches!(on_event(&mut state, &stop), Some(Order::Delayed(_))));
        let report = json!({"logged": true, "paused": true});
        let report = Event::custom(function_breakpoints::PYTHON_MESSAGE, report);
        let Some(Order::Next(released)) = on_event(&mut state, &report) else {
            panic!("the stop is not released")
        };
        assert_eq!(
            (&released.raw()["reason"], &released.raw()["threadId"]),
            (&json!("pause"), &json!(3))
        );
        assert!(matches!(on_event(&mut state, &report), Some(Order::Delayed(_))));
    }
}
