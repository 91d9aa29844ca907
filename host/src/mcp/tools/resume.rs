//! `debug_continue`: resumes the program.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::{Arrival, Outcome};
use super::super::problem::Problem;
use super::super::structured;
use super::super::text::breakpoint;
use super::super::tool::Tool;
use super::super::verb::{Short, Verb, Words};
use super::super::wait;
use super::thread::thread;
use crate::model::{Place, Resume};
use crate::session::Handle;
use crate::view;

pub(in crate::mcp) struct Continue;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Run once to app.x:88, 88 (same file) or a function
    until: Option<String>,
    /// false: return at once, debug_wait later
    wait: Option<bool>,
    /// Number or name; default: all
    thread: Option<String>,
    /// Backwards, if the adapter can
    reverse: Option<bool>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
}

impl Tool for Continue {
    type Arguments = Arguments;
    type Data = structured::Movement;
    const NAME: &'static str = "debug_continue";
    const TITLE: &'static str = "Continue";
    const DESCRIPTION: &'static str =
        "Resumes and waits for the next stop, the exit or the time limit.";
    const EFFECT: Effect = Effect::Moves;
    const VERB: Option<Verb> = Some(Verb::new("continue", Words::One("until")).shorts(&[
        Short::of("c", Words::One("until")),
        Short::of("cont", Words::One("until")),
        Short::of("until", Words::One("until")),
    ]));
    const EXAMPLE: &'static str = r#"{"until": "FILE:LINE"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        let how = resume_of(call, &handle, &arguments).await?;
        let thread = thread(&handle, arguments.thread.as_deref()).await?;
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        let before = handle.current().await?;
        let cursor = handle.resume(how, thread).await?;
        let arrival = match arguments.wait {
            // The next wait returns the first stop.
            Some(false) if !wait::is_still_at(&handle, before.as_deref()).await? => {
                Arrival::RanOut(handle.underway().await?)
            }
            _ => wait::arrive(call, &handle, cursor, limit).await?,
        };
        let mut text = wait::text_with_places(call, &handle, &arrival).await;
        if wait::is_unmoved(before.as_deref(), &arrival) {
            text.push(wait::UNMOVED);
        }
        Ok(Reply::new(text, Outcome::Arrived(arrival)))
    }
}

async fn resume_of(call: &Call, handle: &Handle, arguments: &Arguments) -> Result<Resume, Problem> {
    let reverse = arguments.reverse == Some(true);
    match &arguments.until {
        None if reverse => Ok(Resume::Reverse),
        None => Ok(Resume::Continue),
        Some(place) if reverse => {
            let cause = "debug_continue: `until` runs forwards only; set a breakpoint to run back \
                to";
            let place = match self::place(call, handle, place).await? {
                Place::Line { path, line, .. } => format!("{}:{line}", call.lens().path(&path)),
                Place::Function(name) | Place::Exception(name) => name,
            };
            let mut next = view::Call::new("debug_breakpoints").with("set", vec![place]);
            if let Some(session) = &arguments.session {
                next = next.of(session);
            }
            Err(Problem::worded("bad-argument", cause, &next.bounded(view::LONGEST_CALL)))
        }
        Some(text) => Ok(Resume::Until(place(call, handle, text).await?)),
    }
}

/// A place; a bare number is a line in the file of the stop.
async fn place(call: &Call, handle: &Handle, text: &str) -> Result<Place, Problem> {
    if let Ok(line) = text.trim().parse::<u32>()
        && line > 0
    {
        let stop = handle.stop().await?;
        if let Some(path) = stop.frames.get(stop.focus).and_then(|frame| frame.path.clone()) {
            return Ok(Place::Line { path, line, column: None });
        }
    }
    let cwd = call.sessions.cwd(Some(&handle.id().0));
    if let Some(place) = breakpoint::place(text, call, cwd.as_deref()) {
        return Ok(place);
    }
    let cause = format!("debug_continue: `until` must be FILE:LINE or a function, got `{text}`");
    Err(match breakpoint::intended_place(text) {
        Some(intended) => call.request.with("until", intended).refuse(&cause),
        None => Problem::worded("bad-argument", &cause, "debug_stack"),
    })
}
