//! The one start sequence, for every adapter.
//!
//! ```text
//! initialize ──▶ launch (unawaited) ──▶ `initialized`, whenever it comes
//!            ──▶ all breakpoints, exception filters ──▶ configurationDone
//! done when launch and configuration are both answered
//! ```
//!
//! A profile may move `launch` behind `configurationDone` and nothing else.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use dapdock_schema::{CheckNeeds, LaunchOrder, Profile, Verification};
use futures_util::future::{Either, join_all, select};
use serde_json::{Map, Value, json};
use tokio::sync::{oneshot, watch};

use crate::dap::arguments::{EvaluateArguments, InitializeArguments};
use crate::dap::{self, Request, request, types};
use crate::limits::Limits;
use crate::model::plan::RequestKind;
use crate::session::adapter;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints;
use crate::session::breakpoints::{Call, Job, Origin};
use crate::session::launch;
use crate::session::{
    Error,
    breakpoints::{Part, exceptions, nearest},
    launch::too_old,
    values::convert,
};

/// What starting needs beside the wire.
pub(crate) struct Start {
    pub(crate) wire: Wire,
    pub(crate) profile: Arc<Profile>,
    pub(crate) arguments: Value,
    pub(crate) initialize: Option<Value>,
    /// Who answers is not of ours, but at this address of the caller's.
    pub(crate) foreign: Option<String>,
    /// Turns true when the adapter says `initialized`.
    pub(crate) initialized: watch::Receiver<bool>,
    pub(crate) jobs: Vec<Job>,
    /// Programs that were started, and that the adapter is to start: one that is too old is why it
    /// fails.
    pub(crate) used: BTreeMap<String, PathBuf>,
    pub(crate) limits: Arc<Limits>,
}

/// What the adapter made of what was to be set before the debuggee runs.
#[derive(Debug, Default)]
pub(crate) struct Armed {
    pub(crate) synced: Synced,
    /// Words for exceptions, kept from before, that it does not know.
    pub(crate) strange: Vec<String>,
}

/// A call about breakpoints with its answer.
pub(crate) type Synced = Vec<(Job, Result<Vec<types::Breakpoint>, dap::Error>)>;

/// Runs the sequence. `told` gets the answers about breakpoints at once: a stop may come before
/// `launch` is answered.
pub(crate) async fn start(start: Start, told: oneshot::Sender<Armed>) -> Result<(), Error> {
    let (plugin, used, slow) =
        (start.wire.plugin().clone(), start.used.clone(), start.limits.slow_start);
    let mut started = Box::pin(run(start, told));
    let outcome = match tokio::time::timeout(slow, &mut started).await {
        Ok(outcome) => outcome,
        // Some adapters wait long for a program that has failed.
        Err(_) => match select(started, Box::pin(too_old::error(&plugin, &used))).await {
            Either::Left((outcome, _)) => outcome,
            Either::Right((Some(too_old), _)) => return Err(too_old),
            Either::Right((None, started)) => started.await,
        },
    };
    match outcome {
        Err(error) => Err(too_old::blamed(error, &plugin, &used).await),
        started => started,
    }
}

async fn run(start: Start, told: oneshot::Sender<Armed>) -> Result<(), Error> {
    let Start {
        wire,
        profile,
        arguments,
        initialize,
        foreign,
        mut initialized,
        mut jobs,
        limits,
        used: _,
    } = start;
    let hello = hello(&wire, initialize);
    let capabilities = wire
        .call_with_limit::<request::Initialize>(hello, limits.initialize)
        .await
        .map_err(|error| unheard(&error, &profile, foreign))?;
    wire.client().merge_capabilities(capabilities);
    check_all(&wire, &profile, &mut jobs, CheckNeeds::Adapter).await?;
    let strange =
        jobs.iter().find_map(Job::exceptions).map(|words| exceptions::unknown_words(&wire, words));
    let strange = strange.unwrap_or_default();
    jobs.iter_mut().for_each(|job| job.forget_exceptions(&strange));
    let configure = async {
        let waiting =
            tokio::time::timeout(limits.launch, initialized.wait_for(|up| *up)).await.is_err();
        if waiting {
            return Err(Error::Adapter(adapter::Error::Silent {
                command: "with `initialized`".to_owned(),
                after: limits.launch,
                limit: "limits.launch_s",
            }));
        }
        let arm = |synced| drop(told.send(Armed { synced, strange }));
        configure(&wire, &profile, jobs, arm).await
    };
    let command = match wire.kind() {
        RequestKind::Launch => request::Launch::COMMAND,
        RequestKind::Attach => request::Attach::COMMAND,
    };
    let failed = |error: dap::Error| silent(&error, &profile, "limits.launch_s");
    match profile.launch {
        LaunchOrder::AfterConfiguration => {
            configure.await?;
            let launch =
                wire.send(command, arguments, limits.launch, None).await.map_err(failed)?;
            launch.answer().await.map(drop).map_err(failed)
        }
        LaunchOrder::First => {
            let launch =
                wire.send(command, arguments, limits.launch, None).await.map_err(failed)?;
            match select(Box::pin(launch.answer()), Box::pin(configure)).await {
                Either::Left((launched, configure)) => {
                    launched.map_err(failed)?;
                    configure.await
                }
                Either::Right((configured, launch)) => match &configured {
                    // Where the wire broke, the request that stood open longest names the moment.
                    Ok(()) | Err(Error::Adapter(adapter::Error::Died { .. })) => {
                        launch.await.map_err(failed).and(configured)
                    }
                    // It was answered first, and the plugin is reading that yet.
                    Err(_) if !wire.client().awaits(command) => {
                        launch.await.map_err(failed).and(configured)
                    }
                    Err(_) => configured,
                },
            }
        }
    }
}

/// The first that is asked: what does not answer it may be anything.
fn unheard(error: &dap::Error, profile: &Profile, foreign: Option<String>) -> Error {
    match (foreign, error) {
        (Some(address), dap::Error::Timeout { after, .. }) => {
            Error::Launch(launch::Error::NoDebugger { address, silent_for: Some(*after) })
        }
        (Some(address), dap::Error::Closed { .. }) => {
            Error::Launch(launch::Error::NoDebugger { address, silent_for: None })
        }
        _ => silent(error, profile, "limits.initialize_s"),
    }
}

fn silent(error: &dap::Error, profile: &Profile, limit: &'static str) -> Error {
    match error {
        dap::Error::Timeout { command, after } => Error::Adapter(adapter::Error::Silent {
            command: command.clone(),
            after: *after,
            limit,
        }),
        error => Error::from_dap(error, profile),
    }
}

fn hello(wire: &Wire, plan: Option<Value>) -> InitializeArguments {
    let mut more: Map<String, Value> = match json!({
        "supportsVariableType": true,
        "supportsVariablePaging": true,
        "supportsRunInTerminalRequest": false,
        "supportsInvalidatedEvent": true,
        "supportsMemoryReferences": true,
    }) {
        Value::Object(more) => more,
        _ => Map::new(),
    };
    let mut adapter_id = wire.plugin().manifest().name.clone();
    if let Some(Value::Object(plan)) = plan {
        for (key, value) in plan {
            match (key.as_str(), value) {
                ("adapterID", Value::String(id)) => adapter_id = id,
                (_, value) => drop(more.insert(key, value)),
            }
        }
    }
    InitializeArguments { adapter_id, more, ..InitializeArguments::default() }
}

async fn configure(
    wire: &Wire,
    profile: &Profile,
    mut jobs: Vec<Job>,
    arm: impl FnOnce(Synced),
) -> Result<(), Error> {
    check_all(wire, profile, &mut jobs, CheckNeeds::Debuggee).await?;
    let synced = sync(wire.clone(), jobs).await;
    let refused = refused(wire, profile, &synced).await;
    arm(synced);
    refused?;
    match wire.call::<request::ConfigurationDone>(dap::NoArguments).await {
        Ok(_) | Err(dap::Error::Unsupported { .. }) => Ok(()),
        Err(error) => Err(Error::from_dap(&error, profile)),
    }
}

/// Brings the adapter's breakpoints up to date; the calls go out together.
pub(crate) async fn sync(wire: Wire, jobs: Vec<Job>) -> Synced {
    let answers = join_all(jobs.iter().map(|job| send(&wire, &job.call))).await;
    jobs.into_iter().zip(answers).collect()
}

async fn send(wire: &Wire, call: &Call) -> Result<Vec<types::Breakpoint>, dap::Error> {
    let answer = match call {
        Call::Source(arguments) => wire.call::<request::SetBreakpoints>(arguments.clone()).await,
        // Nothing set and nothing supported: nothing to say.
        Call::Functions(arguments) if arguments.breakpoints.is_empty() => {
            match wire.call::<request::SetFunctionBreakpoints>(arguments.clone()).await {
                Err(dap::Error::Unsupported { .. }) => return Ok(Vec::new()),
                answer => answer,
            }
        }
        Call::Functions(arguments) => {
            wire.call::<request::SetFunctionBreakpoints>(arguments.clone()).await
        }
        Call::Exceptions(words) => {
            let arguments = exceptions::arguments(wire, words.as_deref()).await;
            match wire.call::<request::SetExceptionBreakpoints>(arguments).await {
                Err(dap::Error::Unsupported { .. }) => return Ok(Vec::new()),
                answer => answer,
            }
        }
    };
    answer.map(|answer| answer.breakpoints)
}

/// Checks every condition, if this is when the adapter can. A breakpoint that was kept from before
/// and has a bad one is not sent; nothing else fails because of it.
async fn check_all(
    wire: &Wire,
    profile: &Profile,
    jobs: &mut [Job],
    now: CheckNeeds,
) -> Result<(), Error> {
    if profile.evaluate.check_needs != now {
        return Ok(());
    }
    let mut wrong = Vec::new();
    for job in jobs {
        let before = wrong.len();
        // From the last: what is taken out leaves the positions before it as they are.
        for (at, origin, condition) in job.conditions().into_iter().rev() {
            match (check(wire, profile, &condition).await, origin) {
                (
                    Err(Error::Breakpoints(breakpoints::Error::BadCondition { why, .. })),
                    Origin::Retained,
                ) => job.refuse(at, why),
                (checked, _) => wrong.extend(checked.err()),
            }
        }
        wrong[before..].reverse();
    }
    Error::all(wrong)
}

/// Conditions that the adapter refused where there is code: who launches hears of them before
/// anything runs. One that was kept from before is told with its breakpoint.
async fn refused(wire: &Wire, profile: &Profile, synced: &Synced) -> Result<(), Error> {
    let asks = wire.client().capabilities().has("supportsBreakpointLocationsRequest");
    if !asks
        || wire.kind() != RequestKind::Launch
        || profile.verification == Verification::WhenLoaded
    {
        return Ok(());
    }
    let mut wrong = Vec::new();
    for (job, answer) in synced {
        for (at, origin, text) in job.conditions() {
            let told =
                answer.as_ref().ok().and_then(|told| told.get(at)).filter(|one| !one.verified);
            let why =
                told.and_then(|one| one.message.as_deref()).filter(|_| origin == Origin::Call);
            let (Some(why), Some((path, line))) = (why, job.line(at)) else { continue };
            if nearest::has_code(wire, path, line).await {
                let message =
                    format!("condition `{text}` was refused: {}", why.trim_end_matches('.'));
                wrong.push(Error::Breakpoints(breakpoints::Error::Refused {
                    message,
                    part: Some(Part::Condition(text)),
                }));
            }
        }
    }
    Error::all(wrong)
}

/// Asks the adapter whether a condition parses, where the profile says how.
pub(crate) async fn check(wire: &Wire, profile: &Profile, condition: &str) -> Result<(), Error> {
    let Some(check) = &profile.evaluate.check else { return Ok(()) };
    let json = Value::String(condition.to_owned()).to_string();
    let expression = check.replace("{json}", &json).replace("{text}", condition);
    let arguments = EvaluateArguments {
        expression: expression.clone(),
        context: Some(profile.evaluate.check_context.clone()),
        ..EvaluateArguments::default()
    };
    match wire.call::<request::Evaluate>(arguments).await {
        Err(error @ dap::Error::Refused { .. }) => {
            let why = convert::message(&error, profile).replace(&expression, condition);
            Err(Error::Breakpoints(breakpoints::Error::BadCondition {
                text: condition.to_owned(),
                why,
            }))
        }
        _ => Ok(()),
    }
}
