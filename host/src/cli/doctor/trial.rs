//! The trial of one adapter: launches the tiny program of its manifest in a scratch directory and
//! compares the stop. Knows no adapter.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use dapdock_schema::Check;

use super::report::{Report, State};
use crate::file::private;
use crate::file::scratch::Scratch;
use crate::model::answer::RefusalKind;
use crate::model::{
    BreakpointSpec, Cursor, Happening, LaunchRequest, LaunchTarget, Note, Place, Stop,
};
use crate::plugin;
use crate::plugin::{Origin, Outdated, Plugin, installs};
use crate::provision::{self, State as Pinned};
use crate::session::{EndMode, Error, Fault, Handle, LaunchError, Sessions};

/// From the launch to the stop, with a build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// What helps if the plugin is at fault.
const CORRECT: &str = "correct its plugin; `DAPDOCK_LOG=debug dapdock doctor` logs its calls";

/// A trial without the expected stop.
struct Failure {
    state: State,
    problem: String,
    hint: Option<String>,
}

/// Tries the adapter and ends all its processes.
pub(super) async fn run(sessions: &Sessions, plugin: &Plugin) -> Report {
    let began = Instant::now();
    let outcome = match attempt(sessions, plugin).await {
        Ok(()) => supported(plugin).await,
        failed => failed,
    };
    let took = outcome.is_ok().then(|| began.elapsed());
    let place = provision::tool(plugin).and_then(|tool| plugin.tool(tool));
    let pinned = match provision::state(plugin) {
        Pinned::Installed(found) => Some(found.version),
        Pinned::Available { version } => Some(version),
        Pinned::OtherPlatform | Pinned::NotPinned => None,
    };
    let version = match &place {
        Some((_, Origin::Installed)) => pinned.clone(),
        _ => plugin.version().await,
    };
    let failure = outcome.err();
    let remedy = failure
        .as_ref()
        .and_then(|failure| remedy(plugin, failure, place.as_ref().map(|(_, origin)| *origin)));
    Report {
        adapter: plugin.name().to_owned(),
        state: failure.as_ref().map_or(State::Works, |failure| failure.state),
        version,
        pinned,
        place,
        took,
        problem: failure.map(|failure| failure.problem),
        remedy,
    }
}

/// The hint of the failure, or else the pinned version, or else the tool's instructions.
fn remedy(plugin: &Plugin, failure: &Failure, origin: Option<Origin>) -> Option<String> {
    let command = installs::command(plugin.name());
    let available = matches!(provision::state(plugin), Pinned::Available { .. });
    match (&failure.hint, origin) {
        (Some(hint), _) => Some(hint.clone()),
        (None, Some(Origin::Installed)) => {
            Some(format!("dapdock adapters remove {}, then {command}", plugin.name()))
        }
        (None, Some(Origin::Configured)) => {
            Some("correct or remove its path under [tools] in dapdock.toml".to_owned())
        }
        (None, Some(Origin::Variable)) => {
            Some("correct or unset the environment variable that names it".to_owned())
        }
        (None, _) if available => Some(command),
        (None, _) => plugin.manifest().tools.first().map(|tool| tool.install.clone()),
    }
}

/// The first check with all its tools on this machine; else the first, which fails on a missing
/// one.
fn check(plugin: &Plugin) -> Option<&Check> {
    let checks = &plugin.manifest().checks;
    let can = |check: &&Check| check.needs.iter().all(|tool| plugin.tool(tool).is_some());
    checks.iter().find(can).or(checks.first())
}

async fn attempt(sessions: &Sessions, plugin: &Plugin) -> Result<(), Failure> {
    let fails = |problem: String| Failure { state: State::Fails, problem, hint: None };
    let Some(check) = check(plugin) else {
        return Err(Failure {
            state: State::Untried,
            problem: "its plugin declares no check".to_owned(),
            hint: Some("declare a program in `checks` of its manifest".to_owned()),
        });
    };
    let dir = Scratch::below(&std::env::temp_dir())
        .map_err(|error| fails(format!("cannot make a directory: {error}")))?;
    let root = dir.path().canonicalize().unwrap_or_else(|_| dir.path().to_owned());
    write(check, &root).map_err(|error| fails(format!("cannot write the program: {error}")))?;
    let handle = sessions
        .launch(request(plugin, check, &root))
        .await
        .map_err(|error| refused(plugin, &error))?;
    let arrived = tokio::time::timeout(PATIENCE, handle.wait(Cursor::default())).await;
    let verdict = match arrived {
        Ok(Ok((Happening::Stopped(stop), _))) => {
            compare(check, &root, &stop).and_then(|()| unhooked(&stop)).map_err(fails)
        }
        Ok(Ok((Happening::Ended(exit), _))) => {
            let why = exit.cause.clone().unwrap_or_else(|| format!("{:?}", exit.status));
            Err(fails(format!("the program ended without a stop: {why}")))
        }
        Ok(Err(error)) => Err(refused(plugin, &error)),
        Err(_) => Err(fails(format!("no stop within {} s{}", PATIENCE.as_secs(), doing(&handle)))),
    };
    drop(handle.close(EndMode::Terminate).await);
    verdict
}

/// An adapter older than its plugin supports may debug the tiny program all the same.
async fn supported(plugin: &Plugin) -> Result<(), Failure> {
    let Some(Outdated { path, version, oldest, hint, .. }) =
        plugin.outdated(&BTreeMap::new()).await
    else {
        return Ok(());
    };
    Err(Failure {
        state: State::TooOld,
        problem: format!(
            "it stops as expected, but {} is {version}, and the plugin supports {oldest} or newer",
            path.display()
        ),
        hint: Some(hint),
    })
}

fn doing(handle: &Handle) -> String {
    let step = handle.progress().borrow().clone();
    if step.is_empty() { step } else { format!(" ({step})") }
}

fn write(check: &Check, root: &Path) -> std::io::Result<()> {
    for (name, text) in &check.files {
        let path = root.join(name);
        path.parent().map_or(Ok(()), private::directory)?;
        private::write(&path, text)?;
    }
    Ok(())
}

fn request(plugin: &Plugin, check: &Check, root: &Path) -> LaunchRequest {
    let path = root.join(&check.file);
    let target = if check.command.is_empty() {
        LaunchTarget::Program(path.clone())
    } else {
        LaunchTarget::Command(check.command.clone())
    };
    LaunchRequest {
        target,
        args: Vec::new(),
        cwd: Some(root.to_owned()),
        workspace: root.to_owned(),
        env: Vec::new(),
        adapter: Some(plugin.name().to_owned()),
        breakpoints: vec![BreakpointSpec::at(Place::Line { path, line: check.line, column: None })],
        stop_on_entry: false,
        stdin: None,
        stdin_pipe: false,
        output_bytes: None,
        core: None,
        options: String::new(),
        again: String::new(),
    }
}

/// Compares the line of the stop and the value of a local there.
fn compare(check: &Check, root: &Path, stop: &Stop) -> Result<(), String> {
    let wanted = format!("{}:{}", check.file, check.line);
    let frame = stop.frames.get(stop.focus);
    let path = frame.and_then(|frame| frame.path.as_deref());
    let file = path
        .map(|path| path.strip_prefix(root).unwrap_or(path).display().to_string())
        .unwrap_or_default();
    let found = format!("{file}:{}", frame.map_or(0, |frame| frame.line));
    if stop.hit.is_empty() || found != wanted {
        return Err(format!("it stopped at {found}, not at the breakpoint {wanted}"));
    }
    let value = stop
        .locals
        .iter()
        .find(|local| local.name == check.local)
        .map(|local| local.value.as_str());
    match value {
        Some(value) if value == check.value => Ok(()),
        Some(value) => Err(format!(
            "the debugger reported {} = {value}, expected {}",
            check.local, check.value
        )),
        None => Err(format!("the debugger reported no local {}", check.local)),
    }
}

/// A hook of the plugin that failed: the stop is right without it, others may not be.
fn unhooked(stop: &Stop) -> Result<(), String> {
    let failed = stop.notes.iter().find_map(|note| match note {
        Note::HookFailed(failure) => Some(failure),
        _ => None,
    });
    failed.map_or(Ok(()), |failure| Err(format!("it stops as expected, but {failure}")))
}

/// The failure that a launch error stands for. Without the adapter's program any error means that
/// it is missing, such as one about a compiler or a package manager that runs first.
fn refused(plugin: &Plugin, error: &Error) -> Failure {
    let lacking = provision::tool(plugin).filter(|tool| plugin.tool(tool).is_none());
    let (state, hint) = match error {
        Error::Plugin(plugin::Refused::Request {
            kind: RefusalKind::ToolMissing, hint, ..
        }) if lacking.is_some() => (State::Missing, hint.clone()),
        Error::Plugin(plugin::Refused::Request { kind: RefusalKind::ToolTooOld, hint, .. }) => {
            (State::TooOld, hint.clone())
        }
        _ if let Some(tool) = lacking => {
            return Failure {
                state: State::Missing,
                problem: format!("{tool} not found"),
                hint: None,
            };
        }
        Error::Plugin(plugin::Refused::Request { hint, .. })
        | Error::Launch(LaunchError::BuildFailed { hint, .. }) => (State::Fails, hint.clone()),
        // Neither another path nor another version of its tool helps.
        _ if error.fault() == Fault::Plugin => (State::Fails, Some(CORRECT.to_owned())),
        _ => (State::Fails, None),
    };
    Failure { state, problem: error.to_string(), hint }
}
