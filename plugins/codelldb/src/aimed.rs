//! Steps into one call of a statement, which `lldb/aimed.py` makes of a step over. What its stop
//! is, that is asked for when the stop has come, and the stop is held back until then: messages of
//! LLDB's Python and its own events overtake each other (debug_session.rs, `select!`). Knows the
//! order; refuses to know how a call is found.

use dapdock_plugin::hooks::{Event, EventAction, Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;

use crate::{functions, scripts};

/// The key of the session's state: `true` while such a step is under way, then the stop that is
/// held back.
const STATE: &str = "aimed";
/// Asks for the calls of a statement.
const OFFER: &str = "script import aimed; aimed.offer()";

fn command(expression: String, frame_id: Option<i64>) -> Request {
    Request::new::<dap::Evaluate>(dap::EvaluateArguments {
        frame_id,
        ..scripts::ask(expression, "_command")
    })
}

/// Asks for the calls, or steps into the one that was offered by a number.
pub fn on_request(state: &mut Value, request: &Request) -> Option<RequestAction> {
    if let Some(asked) = request.of::<dap::StepInTargets>() {
        return Some(RequestAction::in_turn([command(OFFER.into(), Some(asked.frame_id))]));
    }
    let asked = request.of::<dap::StepIn>()?;
    let step =
        format!("script import aimed; aimed.step({}, {})", asked.target_id?, asked.thread_id);
    state[STATE] = true.into();
    Some(RequestAction::in_turn([command(step, None)]))
}

/// The calls, in an answer.
pub fn offered(request: &Request, response: &Response) -> Option<ResponseAction> {
    request.of::<dap::Evaluate>().filter(|asked| asked.expression == OFFER)?;
    let told =
        response.of::<dap::Evaluate>().and_then(|body| serde_json::from_str(&body.result).ok());
    Some(ResponseAction::replaced::<dap::StepInTargets>(told.unwrap_or_default()))
}

/// What has become of the step.
pub fn on_event(state: &mut Value, event: &Event) -> Option<EventAction> {
    if event.name() == "stopped" && state[STATE] == true {
        state[STATE] = event.raw().clone();
        return Some(EventAction::asking(command(
            "script import aimed; aimed.stopped()".into(),
            None,
        )));
    }
    let told = event.raw().get(STATE).filter(|_| event.name() == functions::HITS)?;
    if let Some(thread_id) = told["again"].as_i64() {
        state[STATE] = true.into();
        let over = dap::StepArguments { thread_id, ..Default::default() };
        return Some(EventAction::asking(Request::new::<dap::Next>(over)));
    }
    let stop: dap::Stopped = dap::lenient::decode(&state[STATE].take()).ok()?;
    Some(EventAction::replaced([Event::new(stopped(stop, &told["hits"], &state["hits"]))]))
}

/// With the breakpoints that it is at, of which a step has none.
fn stopped(mut stop: dap::Stopped, hits: &Value, together: &Value) -> dap::Stopped {
    if let Some(hits) = hits.as_array() {
        stop.hit_breakpoint_ids = hits.iter().filter_map(Value::as_i64).collect();
        if hits.is_empty() {
            stop.reason = "step".into();
        }
    }
    functions::stopped(together, stop.clone()).unwrap_or(stop)
}
