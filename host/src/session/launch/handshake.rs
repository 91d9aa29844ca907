//! The start sequence of a session, for every adapter.
//!
//! ```text
//! initialize ──▶ launch (unawaited) ──▶ `initialized`, whenever it comes
//!            ──▶ all breakpoints, exception filters ──▶ configurationDone
//! done when launch and configuration are both answered
//! ```
//!
//! Quirks may move `launch` behind `configurationDone` and the checks of conditions behind
//! `initialized`; hooks may send requests of their own in between. Child connections start in
//! `dap/family/children.rs`, which sees no quirks. Refuses to know how the adapter was started.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::{Either, join_all, select};
use serde_json::{Map, Value, json};
use tokio::sync::{oneshot, watch};

use crate::dap::arguments::{EvaluateArguments, InitializeArguments, SetBreakpointsArguments};
use crate::dap::{self, Request, request, types};
use crate::limits::Limits;
use crate::model::plan::RequestKind;
use crate::session::adapter;
use crate::session::adapter::exceptions;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints;
use crate::session::breakpoints::{Call, Job, Origin};
use crate::session::launch;
use crate::session::launch::source_names;
use crate::session::{
    Error,
    breakpoints::{RefusedPart, nearest},
    launch::too_old,
};

/// Input of [`start`].
pub(crate) struct Start {
    pub(crate) wire: Wire,
    pub(crate) arguments: Value,
    pub(crate) initialize: Option<Value>,
    /// The caller's address of an adapter that the host did not start.
    pub(crate) foreign: Option<String>,
    /// True once the `initialized` event has arrived.
    pub(crate) initialized: watch::Receiver<bool>,
    pub(crate) jobs: Vec<Job>,
    /// Programs that the plan uses: one that is too old can be the cause of a failure.
    pub(crate) used: BTreeMap<String, PathBuf>,
    pub(crate) limits: Arc<Limits>,
}

/// The adapter's answers about breakpoints before the debuggee runs.
#[derive(Debug, Default)]
pub(crate) struct Armed {
    pub(crate) synced: Synced,
    /// Exception filters of an earlier session that the adapter does not have.
    pub(crate) unknown_filters: Vec<String>,
}

/// A call about breakpoints with its answer.
pub(crate) type Synced = Vec<(Job, Result<Vec<types::Breakpoint>, dap::Error>)>;

/// Runs the sequence. `armed` receives the answers about breakpoints at once: a stop may arrive
/// before the answer to `launch`.
pub(crate) async fn start(start: Start, armed: oneshot::Sender<Armed>) -> Result<(), Error> {
    let (plugin, used, slow) =
        (start.wire.plugin().clone(), start.used.clone(), start.limits.slow_start);
    let mut started = Box::pin(run(start, armed));
    let outcome = match tokio::time::timeout(slow, &mut started).await {
        Ok(outcome) => outcome,
        // Some adapters wait long for a failed program.
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

async fn run(start: Start, armed: oneshot::Sender<Armed>) -> Result<(), Error> {
    let Start { wire, arguments, initialize, foreign, mut initialized, mut jobs, limits, used: _ } =
        start;
    let initialize = initialize_arguments(&wire, initialize);
    let capabilities = wire
        .call_with_limit::<request::Initialize>(initialize, limits.initialize)
        .await
        .map_err(|error| not_initialized(&error, &wire, foreign))?;
    wire.client().merge_capabilities(wire.quirks().capabilities(capabilities));
    if !wire.quirks().checks_need_debuggee() {
        check_all(&wire, &mut jobs).await?;
    }
    let configure = async {
        let event = initialized.wait_for(|initialized| *initialized);
        if tokio::time::timeout(limits.launch, event).await.is_err() {
            return Err(Error::Adapter(adapter::Error::Silent {
                command: "with `initialized`".to_owned(),
                after: limits.launch,
                limit: "limits.launch_s",
            }));
        }
        configure(&wire, jobs, armed).await
    };
    let command = match wire.kind() {
        RequestKind::Launch => request::Launch::COMMAND,
        RequestKind::Attach => request::Attach::COMMAND,
    };
    let failed = |error: dap::Error| silent(&error, &wire, "limits.launch_s");
    if wire.quirks().launches_after_configuration() {
        configure.await?;
        let launch = wire.send(command, arguments, limits.launch, None).await.map_err(failed)?;
        return launch.answer().await.map(drop).map_err(failed);
    }
    let launch = wire.send(command, arguments, limits.launch, None).await.map_err(failed)?;
    match select(Box::pin(launch.answer()), Box::pin(configure)).await {
        Either::Left((launched, configure)) => {
            launched.map_err(failed)?;
            configure.await
        }
        Either::Right((configured, launch)) => match &configured {
            // After a broken connection the oldest pending request names the moment.
            Ok(()) | Err(Error::Adapter(adapter::Error::Died { .. })) => {
                launch.await.map_err(failed).and(configured)
            }
            // `launch` was answered first, and the plugin still reads the answer.
            Err(_) if !wire.client().awaits(command) => {
                launch.await.map_err(failed).and(configured)
            }
            Err(_) => configured,
        },
    }
}

/// The error of `initialize`, the first request: a server that does not answer it may be no
/// adapter.
fn not_initialized(error: &dap::Error, wire: &Wire, foreign: Option<String>) -> Error {
    match (foreign, error) {
        (Some(address), dap::Error::Timeout { after, .. }) => {
            Error::Launch(launch::Error::NoDebugger { address, silent_for: Some(*after) })
        }
        (Some(address), dap::Error::Closed { .. }) => {
            Error::Launch(launch::Error::NoDebugger { address, silent_for: None })
        }
        (None, dap::Error::Timeout { .. } | dap::Error::Closed { .. })
            if let Some(output) = foreign_output(wire) =>
        {
            Error::Adapter(adapter::Error::NotDap {
                adapter: wire.plugin().name().to_owned(),
                sign: format!("its output begins with {output:?}"),
            })
        }
        _ => silent(error, wire, "limits.initialize_s"),
    }
}

/// The beginning of what was received, if it is neither empty nor a part of a DAP message.
fn foreign_output(wire: &Wire) -> Option<String> {
    let output = wire.client().trace().first_garbage()?;
    let is_foreign = !output.trim().is_empty() && !output.starts_with("Content-");
    is_foreign.then_some(output)
}

fn silent(error: &dap::Error, wire: &Wire, limit: &'static str) -> Error {
    match error {
        dap::Error::Timeout { command, after } => Error::Adapter(adapter::Error::Silent {
            command: command.clone(),
            after: *after,
            limit,
        }),
        error => wire.error(error),
    }
}

/// Arguments of `initialize`. The event `invalidated` is announced and ignored: every read requests
/// `scopes` again, so that there is nothing to discard.
fn initialize_arguments(wire: &Wire, plan: Option<Value>) -> InitializeArguments {
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
    mut jobs: Vec<Job>,
    armed: oneshot::Sender<Armed>,
) -> Result<(), Error> {
    // Some adapters offer further filters in `capabilities` events before `initialized`.
    let unknown_filters = jobs
        .iter()
        .find_map(Job::exceptions)
        .map(|words| exceptions::unknown_words(wire, words))
        .unwrap_or_default();
    for job in &mut jobs {
        job.forget_exceptions(&unknown_filters);
    }
    if wire.quirks().checks_need_debuggee() {
        check_all(wire, &mut jobs).await?;
    }
    let mut synced = sync(wire.clone(), jobs).await;
    if wire.kind() == RequestKind::Launch && wire.quirks().tries_lines() {
        for (job, answer) in &mut synced {
            nearest::move_to_code(wire, job, answer).await;
        }
    }
    let refused = refused(wire, &synced).await;
    drop(armed.send(Armed { synced, unknown_filters }));
    refused?;
    match wire.call::<request::ConfigurationDone>(dap::NoArguments).await {
        Ok(_) | Err(dap::Error::Unsupported { .. }) => Ok(()),
        Err(error) => Err(wire.error(&error)),
    }
}

/// Sends breakpoints to the adapter, all requests at once. An adapter without conditional
/// breakpoints would stop at every hit: none with a condition is sent to it. An adapter without
/// log points is sent no messages.
pub(crate) async fn sync(wire: Wire, mut jobs: Vec<Job>) -> Synced {
    let capabilities = wire.client().capabilities();
    if wire.quirks().stops_at_log_points(&capabilities) {
        for job in &mut jobs {
            job.drop_log_messages();
        }
    }
    if !capabilities.conditional_breakpoints() {
        for job in &mut jobs {
            job.refuse_conditions("the adapter lacks supportsConditionalBreakpoints");
        }
    }
    let answers = join_all(jobs.iter_mut().map(|job| send(&wire, &mut job.call))).await;
    jobs.into_iter().zip(answers).collect()
}

async fn send(wire: &Wire, call: &mut Call) -> Result<Vec<types::Breakpoint>, dap::Error> {
    let answer = match call {
        Call::Source(arguments) => return send_source(wire, arguments).await,
        // An adapter without function breakpoints needs no empty list.
        Call::Functions(arguments) if arguments.breakpoints.is_empty() => {
            match wire.call::<request::SetFunctionBreakpoints>(arguments.clone()).await {
                Err(dap::Error::Unsupported { .. }) => return Ok(Vec::new()),
                answer => answer,
            }
        }
        Call::Functions(arguments) => {
            wire.call::<request::SetFunctionBreakpoints>(arguments.clone()).await
        }
        Call::Exceptions(words, of_editor) => {
            let arguments = exceptions::arguments(wire, words.as_deref(), of_editor).await;
            match wire.call::<request::SetExceptionBreakpoints>(arguments).await {
                Err(dap::Error::Unsupported { .. }) => return Ok(Vec::new()),
                answer => answer,
            }
        }
    };
    answer.map(|answer| answer.breakpoints)
}

/// Sets the breakpoints of a file by the names that it has, until the adapter finds code for one:
/// the name that `arguments` have afterwards. No breakpoint is left under any other name.
async fn send_source(
    wire: &Wire,
    arguments: &mut SetBreakpointsArguments,
) -> Result<Vec<types::Breakpoint>, dap::Error> {
    let set = |arguments: SetBreakpointsArguments| async move {
        let answer = wire.call::<request::SetBreakpoints>(arguments).await;
        answer.map(|answer| answer.breakpoints)
    };
    let written = arguments.source.path.clone();
    if wire.quirks().wants_real_paths() {
        arguments.source.path = written.clone().map(real_path);
    }
    let answer = set(arguments.clone()).await;
    let compares = wire.quirks().compares_paths() || wire.quirks().wants_real_paths();
    let path = arguments.source.path.clone().filter(|_| compares);
    let is_found = |answer: &[types::Breakpoint]| {
        answer.iter().any(|one| wire.quirks().has_code(one)) && !answer.is_empty()
    };
    let Some(path) = path.filter(|_| !answer.as_ref().is_ok_and(|answer| is_found(answer))) else {
        return answer;
    };
    for name in other_names(wire, written.map(PathBuf::from), PathBuf::from(path)).await {
        let mut named = arguments.clone();
        named.source.path = Some(name.to_string_lossy().into_owned());
        let none = SetBreakpointsArguments { breakpoints: Vec::new(), ..named.clone() };
        let Ok(other) = set(named.clone()).await else { continue };
        if is_found(&other) {
            *arguments = named;
            return Ok(other);
        }
        if !other.is_empty() {
            set(none).await.ok();
        }
    }
    answer
}

/// The names of a file apart from the one that has been sent, first the one in the request.
async fn other_names(wire: &Wire, written: Option<PathBuf>, sent: PathBuf) -> Vec<PathBuf> {
    let mut names = source_names::others(sent.clone(), &wire.launch_arguments()).await;
    if let Some(written) = written.filter(|written| *written != sent) {
        names.retain(|name| *name != written);
        names.insert(0, written);
    }
    names
}

/// The path without links, if the file exists.
fn real_path(path: String) -> String {
    let real = Path::new(&path).canonicalize();
    real.map_or(path, |real| real.to_string_lossy().into_owned())
}

/// Checks the syntax of every condition. A breakpoint of an earlier session
/// with a bad condition is not sent and fails nothing else.
async fn check_all(wire: &Wire, jobs: &mut [Job]) -> Result<(), Error> {
    let mut wrong = Vec::new();
    for job in jobs {
        let before = wrong.len();
        // In reverse order: a removal does not change earlier positions.
        for (at, origin, condition) in job.conditions().into_iter().rev() {
            match (check(wire, &condition).await, origin) {
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

/// The error for conditions of this launch that the adapter refused at a line with code: the
/// debuggee does not run. A condition of an earlier session is reported with its breakpoint.
async fn refused(wire: &Wire, synced: &Synced) -> Result<(), Error> {
    let has_locations = wire.client().capabilities().has("supportsBreakpointLocationsRequest");
    if !has_locations || wire.kind() != RequestKind::Launch || wire.quirks().locates_when_loaded() {
        return Ok(());
    }
    let mut wrong = Vec::new();
    for (job, answer) in synced {
        for (at, origin, text) in job.conditions() {
            let answers = answer.as_ref().ok();
            let refused = answers.and_then(|all| all.get(at)).filter(|one| !one.verified);
            let message = refused.and_then(|one| one.message.as_deref());
            let why = message.filter(|_| origin == Origin::Call);
            let (Some(why), Some((path, line))) = (why, job.line(at)) else { continue };
            if nearest::has_code(wire, path, line).await {
                let message =
                    format!("condition `{text}` was refused: {}", why.trim_end_matches('.'));
                wrong.push(Error::Breakpoints(breakpoints::Error::Refused {
                    message,
                    part: Some(RefusedPart::Condition(text)),
                }));
            }
        }
    }
    Error::all(wrong)
}

/// Checks the syntax of a condition with the adapter, if it can.
pub(crate) async fn check(wire: &Wire, condition: &str) -> Result<(), Error> {
    let Some((expression, context)) = wire.quirks().syntax_check(condition) else {
        return Ok(());
    };
    let arguments = EvaluateArguments {
        expression: expression.clone(),
        context: Some(context),
        ..EvaluateArguments::default()
    };
    match wire.call::<request::Evaluate>(arguments).await {
        Err(error @ dap::Error::Refused { .. }) => {
            let why = wire.quirks().message(&error).replace(&expression, condition);
            Err(Error::Breakpoints(breakpoints::Error::BadCondition {
                text: condition.to_owned(),
                why,
            }))
        }
        _ => Ok(()),
    }
}
