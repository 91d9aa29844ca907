//! Steps into one call of a statement, which `runtime/step_in.py` implements as a step over. Each
//! stop is delayed until that script has reported what it is: messages of LLDB's Python and the
//! adapter's own events overtake each other (debug_session.rs, `select!`). Knows the order of
//! messages; does not know how a call is found.

use dapdock_plugin::hooks::{Event, EventAction, Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;

use crate::state::State;
use crate::{function_breakpoints, runtime};

/// A step into a call, as the plugin stores it.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde")]
pub enum StepIn {
    #[default]
    None,
    /// Under way.
    Runs,
    /// The body of its stop, which is delayed.
    Stopped(Value),
}

/// The key of the script's reports.
const REPORT: &str = "step_in";
/// Requests the calls of a statement.
const OFFER_CALLS: &str = "script import step_in; step_in.offer()";

fn command(expression: String, frame_id: Option<i64>) -> Request {
    Request::new::<dap::Evaluate>(dap::EvaluateArguments {
        frame_id,
        ..runtime::evaluate(expression, "_command")
    })
}

/// Requests the calls, or steps into the one with the number of an earlier offer.
pub fn on_request(state: &mut State, request: &Request) -> Option<RequestAction> {
    if let Some(arguments) = request.of::<dap::StepInTargets>() {
        return Some(RequestAction::in_turn([command(
            OFFER_CALLS.into(),
            Some(arguments.frame_id),
        )]));
    }
    step_into(state, request).map(|step| RequestAction::in_turn([step]))
}

/// The request for a move: that of the script for a step into a call.
pub fn sent(state: &mut State, request: Request) -> Request {
    step_into(state, &request).unwrap_or(request)
}

fn step_into(state: &mut State, request: &Request) -> Option<Request> {
    let arguments = request.of::<dap::StepIn>()?;
    let step = format!(
        "script import step_in; step_in.step({}, {})",
        arguments.target_id?, arguments.thread_id
    );
    state.step_in = StepIn::Runs;
    Some(command(step, None))
}

/// The calls, as the response to `stepInTargets`.
pub fn step_in_targets(request: &Request, response: &Response) -> Option<ResponseAction> {
    request.of::<dap::Evaluate>().filter(|arguments| arguments.expression == OFFER_CALLS)?;
    let targets =
        response.of::<dap::Evaluate>().and_then(|body| serde_json::from_str(&body.result).ok());
    Some(ResponseAction::replaced::<dap::StepInTargets>(targets.unwrap_or_default()))
}

/// Delays the stop of a step, and completes it when the script has reported.
pub fn on_event(state: &mut State, event: &Event) -> Option<EventAction> {
    if event.name() == "stopped" && state.step_in == StepIn::Runs {
        state.step_in = StepIn::Stopped(event.raw().clone());
        return Some(EventAction::requesting(command(
            "script import step_in; step_in.stopped()".into(),
            None,
        )));
    }
    let report =
        event.raw().get(REPORT).filter(|_| event.name() == function_breakpoints::PYTHON_MESSAGE)?;
    if let Some(thread_id) = report["again"].as_i64() {
        state.step_in = StepIn::Runs;
        let over = dap::StepArguments { thread_id, ..Default::default() };
        return Some(EventAction::requesting(Request::new::<dap::Next>(over)));
    }
    let StepIn::Stopped(body) = std::mem::take(&mut state.step_in) else { return None };
    let stop: dap::Stopped = dap::lenient::decode(&body).ok()?;
    Some(EventAction::replaced([Event::new(stopped(stop, &report["hits"], &state.hits))]))
}

/// The stop with the breakpoints hit; a step has none.
fn stopped(mut stop: dap::Stopped, hits: &Value, together: &Value) -> dap::Stopped {
    if let Some(hits) = hits.as_array() {
        stop.hit_breakpoint_ids = hits.iter().filter_map(Value::as_i64).collect();
        if hits.is_empty() {
            stop.reason = "step".into();
        }
    }
    function_breakpoints::stopped(together, stop.clone()).unwrap_or(stop)
}
