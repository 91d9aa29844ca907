//! `debug_wait`: waits for a stop or the exit.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::{Arrival, Outcome};
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use super::super::wait;
use crate::model::{BreakpointId, Cursor, WaitFor};
use crate::session::{BreakpointError, Error, satisfies};
use crate::view::Text;

pub(in crate::mcp) struct Wait;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Numbers; another stop reads `stopped elsewhere`
    breakpoints: Option<Vec<u32>>,
    /// Event number; default: after the last stop returned
    since: Option<u64>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
}

impl Tool for Wait {
    type Arguments = Arguments;
    type Data = structured::Movement;
    const NAME: &'static str = "debug_wait";
    const TITLE: &'static str = "Wait for a stop";
    const DESCRIPTION: &'static str = "Waits for the next stop or the exit without resuming. A \
        stop that happened before this call is returned too, once.";
    const EFFECT: Effect = Effect::Reads;
    const VERB: Option<Verb> = Some(Verb::new("wait", Words::Each("breakpoints")));
    const EXAMPLE: &'static str = r#"{"timeout_s": 30}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        if handle.is_barred() {
            return wait::while_taken(call, &handle, wait::time_limit(call, arguments.timeout_s)?)
                .await;
        }
        let cursor = match arguments.since {
            Some(since) => Cursor(since),
            None => handle.delivered().await?,
        };
        let breakpoints: Vec<_> =
            arguments.breakpoints.unwrap_or_default().into_iter().map(BreakpointId).collect();
        if !breakpoints.is_empty() {
            let known: Vec<u32> =
                handle.status().await?.breakpoints.iter().map(|one| one.id.0).collect();
            if let Some(BreakpointId(id)) = breakpoints.iter().find(|id| !known.contains(&id.0)) {
                return Err(Error::Breakpoints(BreakpointError::UnknownBreakpoint {
                    id: *id,
                    known,
                })
                .into());
            }
        }
        let want = WaitFor { breakpoints };
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        let arrival = wait::arrive(call, &handle, cursor, limit).await?;
        let elsewhere = matches!(&arrival, Arrival::Happened(what) if !satisfies(what, &want));
        let mut text = wait::text_with_places(call, &handle, &arrival).await;
        if elsewhere {
            let wanted =
                want.breakpoints.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let stop = std::mem::replace(
                &mut text,
                Text::line(format!("stopped elsewhere, not on {wanted}:")),
            );
            text.append(stop);
        }
        Ok(Reply::new(text, Outcome::Waited { arrival, elsewhere }))
    }
}
