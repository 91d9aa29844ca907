//! `debug_stop`: ends sessions.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::repair;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Short, Verb, Words};
use crate::model::Choice;
use crate::session::{EndMode, Handle};
use crate::view::{self, ErrorText, Text};

pub(in crate::mcp) struct Stop;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Default auto: kill if launched, detach if attached
    mode: Option<Mode>,
    /// All sessions
    all: Option<bool>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::mcp) enum Mode {
    Auto,
    Terminate,
    Detach,
}

impl Tool for Stop {
    type Arguments = Arguments;
    type Data = structured::Ended;
    const NAME: &'static str = "debug_stop";
    const TITLE: &'static str = "End a session";
    const DESCRIPTION: &'static str =
        "Ends a session with everything it started. Its output stays readable.";
    const EFFECT: Effect = Effect::Destroys;
    const VERB: Option<Verb> = Some(Verb::new("stop", Words::None).shorts(&[
        Short::of("kill", Words::None),
        Short::with("detach", "Let the program run on", &[("mode", "detach")], Words::None),
    ]));
    const EXAMPLE: &'static str = r#"{"all": true}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let mode = match arguments.mode {
            None | Some(Mode::Auto) => EndMode::Auto,
            Some(Mode::Terminate) => EndMode::Terminate,
            Some(Mode::Detach) => EndMode::Detach,
        };
        let lens = call.lens();
        if arguments.all != Some(true) {
            let handle = call.session_to_end(arguments.session.as_deref())?;
            confirm(call, &handle, mode).await?;
            let exit = handle.close(mode).await?;
            return Ok(Reply::new(view::exit(&exit, &lens), Outcome::Ended(vec![Ok(exit)])));
        }
        let mut open = call.sessions.all();
        open.retain(|handle| !handle.is_over());
        for handle in &open {
            confirm(call, handle, mode).await?;
        }
        let close = async |handle: Handle| match handle.close(mode).await {
            Ok(exit) => Ok(exit),
            Err(error) => Err(repair::worded(Problem::OfSession(handle.id().clone(), error), call)),
        };
        let ended = futures_util::future::join_all(open.into_iter().map(close)).await;
        let is_error = ended.iter().any(Result::is_err);
        let texts = ended.iter().map(|end| match end {
            Ok(exit) => view::exit(exit, &lens),
            Err(error) => error.text.clone(),
        });
        let text = texts.reduce(|mut text, next| {
            text.append(next);
            text
        });
        let text = text.unwrap_or_else(|| Text::line("no session was open"));
        Ok(Reply { text, is_error, outcome: Outcome::Ended(ended) })
    }
}

/// A process that ran before the debugger attached to it is ended only if a person agrees, where
/// one can be asked.
async fn confirm(call: &Call, handle: &Handle, mode: EndMode) -> Result<(), Problem> {
    if mode != EndMode::Terminate || !call.asking.is_possible() {
        return Ok(());
    }
    let moment = handle.moment().await?;
    let (session, process) = (handle.id().clone(), moment.command_line);
    let choice = Choice::End { session, process: process.clone() };
    if !moment.is_attached || call.chosen.contains(&choice) {
        return Ok(());
    }
    let cause =
        format!("{process} ran before the debugger attached to it, and ends with this call");
    let next = call.request.with("mode", "detach").text();
    let error = ErrorText::new("not-agreed", &cause, &next);
    Err(Problem::Unchosen(Box::new(choice), Box::new(error)))
}
