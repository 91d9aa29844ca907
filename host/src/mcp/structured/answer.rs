//! A whole result: status, data, error and context.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::breakpoints::Breakpoints;
use super::command::CommandOutput;
use super::context::Context;
use super::ended::Ended;
use super::exception::Exception;
use super::facts::Facts;
use super::failure::Failure;
use super::frame::Stacks;
use super::listing::{Output, Targets};
use super::movement::{Movement, Step};
use super::response::Response;
use super::started::Started;
use super::status::Status;
use super::values::{Assignment, Evaluations, Variables};
use crate::mcp::call::{Call, Reply};
use crate::mcp::outcome::Outcome;

/// A result with data of a type.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer<T> {
    status: Success,
    /// null if the call failed.
    data: Option<T>,
    /// null unless the status is `error`.
    error: Option<Failure>,
    context: Context,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Success {
    Success,
    Error,
}

/// The data of a reply to a call.
pub(in crate::mcp) async fn answer(reply: &Reply, call: &Call) -> Option<Value> {
    if let Outcome::Own(value) = &reply.outcome {
        return Some(value.clone());
    }
    let facts = Facts::of(&reply.outcome, call).await;
    let status = if reply.is_error { Success::Error } else { Success::Success };
    let error = reply.outcome.error().filter(|_| reply.is_error).map(Failure::of);
    let context = Context::of(&reply.outcome, &facts);
    serde_json::to_value(Answer { status, data: data(&reply.outcome, &facts), error, context }).ok()
}

fn data(outcome: &Outcome, facts: &Facts) -> Option<Value> {
    let lens = &facts.lens;
    match outcome {
        Outcome::Arrived(arrival) => value(Movement::of(arrival, lens)),
        Outcome::Waited { arrival, elsewhere } => {
            value(Movement::of(arrival, lens).elsewhere(*elsewhere))
        }
        Outcome::Paused(arrival, stacks) => value(Movement::paused(arrival, stacks, lens)),
        Outcome::Unpaused(running, stacks) => value(Movement::unpaused(running, stacks, lens)),
        Outcome::Stepped { arrival, step, taken, requested } => {
            value(Step::of(arrival, step, *taken, *requested, lens))
        }
        Outcome::Started(all) => value(Started::of(all, facts)?),
        Outcome::Ended(all) => value(Ended::of(all, lens)),
        Outcome::Breakpoints { report, .. } => value(Breakpoints::of(report, lens)),
        Outcome::Variables(page) => value(Variables::page(page, lens)),
        Outcome::Compared(compared) => value(Variables::comparison(compared, lens)),
        Outcome::Evaluated { results, watches } => value(Evaluations::of(results, watches)),
        Outcome::Exception(exception) => value(Exception::of(exception, lens)),
        Outcome::Assigned(assigned) => value(Assignment::of(assigned)),
        Outcome::Output(page) => value(Output::of(page)),
        Outcome::Stacks(stacks) => value(Stacks::of(stacks, lens)),
        Outcome::Targets(targets, limit) => value(Targets::of(targets, *limit)),
        Outcome::Sessions(all) => value(Status::sessions(all, lens)),
        Outcome::Capabilities(status) => value(Status::capabilities(status, lens)),
        Outcome::Adapters(adapters, notes) => value(Status::adapters(adapters, notes)),
        Outcome::Document(text) => value(Status::document(text)),
        Outcome::Log(log, since) => value(Status::log(log, *since)),
        Outcome::Ran { output, arrival } => {
            value(CommandOutput::of(output.as_deref(), arrival.as_ref(), lens))
        }
        Outcome::Response(body) => value(Response::of(body)),
        Outcome::Own(_) | Outcome::Failed(_) => None,
    }
}

/// `None` cannot happen: serializing fails only for maps whose keys are not texts.
fn value(data: impl Serialize) -> Option<Value> {
    serde_json::to_value(data).ok()
}
