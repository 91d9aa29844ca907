//! `debug_watch`, `debug_action_log`, `debug_output`, `debug_status`, `debug_stop`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::state::Session;
use super::{Compatible, Ours, TOOLSET, act, enter, finish, run, state};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::view::Text;

pub(super) struct Watch;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Watches {
    /// Default: the only one
    session_id: Option<String>,
    /// Default add
    action: Option<Edit>,
    /// In the program's language
    expressions: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Edit {
    Add,
    Remove,
}

impl Tool for Watch {
    type Arguments = Watches;
    type Data = structured::Evaluations;
    const NAME: &'static str = "debug_watch";
    const TITLE: &'static str = "Watch expressions";
    const DESCRIPTION: &'static str = "Shows expressions at every stop, or no longer.";
    const EFFECT: Effect = Effect::Sets;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"action": "add", "expressions": ["NAME"]}"#;

    async fn run(call: &Call, arguments: Watches) -> Result<Reply, Problem> {
        act(call, Self::NAME, Self::ours(&arguments)).await
    }
}

impl Compatible for Watch {
    fn ours(of: &Watches) -> Ours {
        let watch = of.action != Some(Edit::Remove);
        Ours::new(
            "debug_evaluate",
            json!({"session": of.session_id, "expressions": of.expressions, "watch": watch}),
        )
    }
}

pub(super) struct ActionLog;

#[derive(Deserialize, JsonSchema)]
pub(super) struct LogForm {
    /// Default: the only one
    session_id: Option<String>,
    /// Default summary
    format: Option<Form>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    Summary,
    Detailed,
}

impl Tool for ActionLog {
    type Arguments = LogForm;
    type Data = structured::Status;
    const NAME: &'static str = "debug_action_log";
    const TITLE: &'static str = "Actions of a session";
    const DESCRIPTION: &'static str =
        "The numbered calls of a session; detailed: with the first line of each answer.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"format": "detailed"}"#;

    async fn run(call: &Call, arguments: LogForm) -> Result<Reply, Problem> {
        let state = enter(call).await?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        let session = state::name(call).and_then(|name| state.session(&name));
        if let Some(session) = session.filter(|_| !answer.reply.is_error) {
            answer.reply.text = actions(&session, arguments.format == Some(Form::Detailed));
        }
        Ok(finish(call, &state, Self::NAME, answer).await)
    }
}

fn actions(session: &Session, is_detailed: bool) -> Text {
    let mut lines = vec![format!("{} actions", session.actions.len())];
    for (number, action) in (1..).zip(&session.actions) {
        lines.push(format!("{number} {}", action.call));
        if is_detailed {
            lines.push(format!("  {}", action.answer));
        }
    }
    Text::lines(lines)
}

impl Compatible for ActionLog {
    fn ours(of: &LogForm) -> Ours {
        Ours::new("debug_status", json!({"session": of.session_id}))
    }
}

pub(super) struct Output;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Part {
    /// Default: the only one
    session_id: Option<String>,
    /// Default both
    stream: Option<Stream>,
    /// Only what came after this action of debug_action_log
    since_action: Option<u32>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stream {
    Stdout,
    Stderr,
    Both,
}

impl Tool for Output {
    type Arguments = Part;
    type Data = structured::Output;
    const NAME: &'static str = "debug_output";
    const TITLE: &'static str = "Output of the program";
    const DESCRIPTION: &'static str = "Output of the program, also after the exit.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"stream": "both", "since_action": 1}"#;

    async fn run(call: &Call, arguments: Part) -> Result<Reply, Problem> {
        let state = enter(call).await?;
        let most = state::limits(call)?.viewport_output_bytes;
        let mut ours = Self::ours(&arguments);
        let session = state::name(call).and_then(|name| state.session(&name));
        if let (Some(number), Some(session)) = (arguments.since_action, &session) {
            let at = (number as usize).checked_sub(1).and_then(|at| session.actions.get(at));
            let Some(action) = at else {
                let cause = format!("there are {} actions, not {number}", session.actions.len());
                return Err(Problem::worded("bad-argument", &cause, "debug_action_log"));
            };
            ours.arguments.insert("since".to_owned(), action.output.into());
        }
        let mut answer = run(call, ours).await;
        if answer.reply.text.len() > most {
            let end = answer.reply.text.floor_char_boundary(most);
            let mut text = Text::lines(answer.reply.text[..end].lines());
            text.push(format!("limits.viewport_output_bytes: cut after {most} bytes"));
            answer.reply.text = text;
        }
        Ok(finish(call, &state, Self::NAME, answer).await)
    }
}

impl Compatible for Output {
    fn ours(of: &Part) -> Ours {
        let stream = match of.stream {
            Some(Stream::Stdout) => Some("stdout"),
            Some(Stream::Stderr) => Some("stderr"),
            Some(Stream::Both) | None => None,
        };
        Ours::new("debug_output", json!({"session": of.session_id, "stream": stream, "since": 0}))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct OfSession {
    /// Default: the only one
    session_id: Option<String>,
}

pub(super) struct Status;

impl Tool for Status {
    type Arguments = OfSession;
    type Data = structured::Status;
    const NAME: &'static str = "debug_status";
    const TITLE: &'static str = "State of a session";
    const DESCRIPTION: &'static str =
        "State and capabilities of a session, and the tokens of its answers.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: OfSession) -> Result<Reply, Problem> {
        let state = enter(call).await?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        let session = state::name(call).and_then(|name| state.session(&name));
        if let Some(session) = session {
            let tokens: usize = session.actions.iter().map(|action| action.tokens).sum();
            let last = session.actions.last().map_or(0, |action| action.tokens);
            let actions = session.actions.len();
            answer.reply.text.push(format!(
                "tokens of answers: {tokens} in {actions} actions, {last} in the last"
            ));
        }
        Ok(finish(call, &state, Self::NAME, answer).await)
    }
}

impl Compatible for Status {
    fn ours(of: &OfSession) -> Ours {
        let detail = "capabilities";
        Ours::new("debug_status", json!({"session": of.session_id, "detail": detail}))
    }
}

pub(super) struct Stop;

impl Tool for Stop {
    type Arguments = OfSession;
    type Data = structured::Ended;
    const NAME: &'static str = "debug_stop";
    const TITLE: &'static str = "End a session";
    const DESCRIPTION: &'static str =
        "Ends a session: a launched program is killed, an attached process runs on.";
    const EFFECT: Effect = Effect::Destroys;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: OfSession) -> Result<Reply, Problem> {
        let state = enter(call).await?;
        let session = state::name(call).and_then(|name| state.session(&name));
        let mut answer = run(call, Self::ours(&arguments)).await;
        if let Some(session) = session {
            let seconds = session.start.elapsed().as_secs_f64();
            let count = session.count;
            answer.reply.text.push(format!("the session took {seconds:.1} s and {count} actions"));
        }
        Ok(finish(call, &state, Self::NAME, answer).await)
    }
}

impl Compatible for Stop {
    fn ours(of: &OfSession) -> Ours {
        Ours::new("debug_stop", json!({"session": of.session_id}))
    }
}
