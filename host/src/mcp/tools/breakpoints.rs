//! `debug_breakpoints`: changes and lists breakpoints and exception filters.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::text::breakpoint::{self, Item};
use super::super::tool::Tool;
use super::super::verb::{Short, Verb, Words};
use crate::model::{Author, Breakpoint, BreakpointEdit, BreakpointId, Place};
use crate::view;

pub(in crate::mcp) struct Breakpoints;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// To add: app.x:42, app.x:42 if total < 0, function_name, or an object
    set: Option<Vec<Item>>,
    /// Numbers or places
    remove: Option<Vec<String>>,
    /// Numbers or places
    enable: Option<Vec<String>>,
    /// Numbers or places
    disable: Option<Vec<String>>,
    /// Stop at: uncaught, all, panic, none, types or the adapter's own
    exceptions: Option<Vec<String>>,
    /// Remove all first
    clear: Option<bool>,
    /// Leave out names of exceptions that this debugger does not have.
    #[schemars(skip)]
    fitting_exceptions: Option<bool>,
}

impl Tool for Breakpoints {
    type Arguments = Arguments;
    type Data = structured::Breakpoints;
    const NAME: &'static str = "debug_breakpoints";
    const TITLE: &'static str = "Set and list breakpoints";
    const DESCRIPTION: &'static str = "Sets, removes and lists breakpoints with their hits. \
        Without arguments it lists. Also before a launch. UNVERIFIED: the place holds \
        no code.";
    const EFFECT: Effect = Effect::Sets;
    const VERB: Option<Verb> = Some(
        Verb::new("break", Words::Breakpoints("set"))
            .shorts(&[
                Short::of("b", Words::Breakpoints("set")),
                Short::of("breakpoints", Words::Breakpoints("set")),
                Short::with("tbreak", "Stop at the first hit only", &[], Words::Once("set")),
                Short::with("delete", "Remove breakpoints", &[], Words::Each("remove")),
                Short::with("enable", "Enable breakpoints", &[], Words::Each("enable")),
                Short::with("disable", "Disable breakpoints", &[], Words::Each("disable")),
            ])
            .for_next(),
    );
    const EXAMPLE: &'static str = r#"{"set": ["FILE:LINE"]}"#;
    const UNLISTED: &'static [&'static str] = &["fitting_exceptions"];

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let session = arguments.session.clone();
        let edit = edit(call, arguments).await?;
        let report = call.sessions.breakpoints(session.as_deref(), edit).await?;
        let list = view::breakpoints(&report, &call.lens());
        let is_error = list.failed.is_some();
        let outcome = Outcome::Breakpoints { report, failed: list.failed };
        Ok(Reply { text: list.text, is_error, outcome })
    }
}

async fn edit(call: &Call, arguments: Arguments) -> Result<BreakpointEdit, Problem> {
    if let Some(words) = arguments.exceptions.as_ref().filter(|words| words.len() > 1)
        && let (none, others) = words.iter().partition::<Vec<_>, _>(|word| *word == "none")
        && !none.is_empty()
    {
        let others = others.into_iter().cloned().collect::<Vec<_>>();
        return Err(call
            .request
            .with("exceptions", others)
            .refuse("debug_breakpoints: `exceptions` takes `none` only alone"));
    }
    let named = [&arguments.remove, &arguments.enable, &arguments.disable];
    let by_place = named.into_iter().flatten().flatten().any(|text| number(text).is_none());
    let known = if by_place {
        call.sessions
            .breakpoints(arguments.session.as_deref(), BreakpointEdit::default())
            .await?
            .all
    } else {
        Vec::new()
    };
    let cwd = call.sessions.cwd(arguments.session.as_deref());
    let file = file_of_stop(call, arguments.session.as_deref()).await;
    let set = arguments.set.unwrap_or_default();
    let ids = |texts: Option<Vec<String>>| {
        let id = |text: &String| id(call, text, cwd.as_deref(), &known);
        texts.unwrap_or_default().iter().map(id).collect::<Result<Vec<_>, _>>()
    };
    Ok(BreakpointEdit {
        author: Author::Caller,
        clear: arguments.clear.unwrap_or(false),
        remove: ids(arguments.remove)?,
        enable: ids(arguments.enable)?,
        disable: ids(arguments.disable)?,
        set: breakpoint::specs(set, call, cwd.as_deref(), file.as_deref())?,
        exceptions: arguments.exceptions,
        fitting_exceptions: arguments.fitting_exceptions == Some(true),
    })
}

/// The file in which the session is stopped, as callers write it.
async fn file_of_stop(call: &Call, session: Option<&str>) -> Option<String> {
    let handle = call.session(session).ok().filter(|handle| !handle.is_over())?;
    let stop = handle.current().await.ok()??;
    let frame = stop.frames.get(stop.focus)?;
    Some(call.lens().path(frame.path.as_ref()?))
}

fn number(text: &str) -> Option<BreakpointId> {
    text.trim().trim_start_matches('#').parse().ok().map(BreakpointId)
}

/// The breakpoint with this number or at this place. A relative path starts at the workspace, as
/// in results, or at the directory of the program.
fn id(
    call: &Call,
    text: &str,
    cwd: Option<&Path>,
    known: &[Breakpoint],
) -> Result<BreakpointId, Problem> {
    if let Some(id) = number(text) {
        return Ok(id);
    }
    let word = text.strip_prefix("exception ").unwrap_or(text).trim();
    let raised = Some(Place::Exception(word.to_owned()));
    let places = [None, cwd].map(|cwd| breakpoint::place(text, call, cwd));
    let at = |place: &Place| known.iter().find(|breakpoint| breakpoint.spec.place == *place);
    match places.iter().chain([&raised]).flatten().find_map(at) {
        Some(breakpoint) => Ok(breakpoint.id),
        None => Err(Problem::worded(
            "unknown-breakpoint",
            &format!("there is no breakpoint at `{text}`"),
            Breakpoints::NAME,
        )),
    }
}
