//! `debug_watch`, `debug_status`, `debug_stop`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::limit::Visit;
use super::of_session::OfSession;
use super::{Compatible, Ours, TOOLSET, evaluate, finish, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;

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
        let visit = Visit::begin(call)?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        if let Some(expression) = evaluate::needing_effects(&answer.reply.outcome) {
            let next = evaluate::of(arguments.session_id.as_deref(), &expression);
            answer.reply.text.push(format!(
                "note: a stop evaluates its watches without running code of the program; {next} \
                 runs it"
            ));
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
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
        let visit = Visit::begin(call)?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        let name = visit.session.as_deref().unwrap_or_default();
        let tokens = visit.state.of(name, |session| {
            session.actions.iter().map(|action| action.tokens).collect::<Vec<_>>()
        });
        if let Some(tokens) = tokens {
            let (actions, last) = (tokens.len(), tokens.last().unwrap_or(&0));
            answer.reply.text.push(format!(
                "tokens of answers: {} in {actions} actions, {last} in the last",
                tokens.iter().sum::<usize>()
            ));
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
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
        let visit = Visit::begin(call)?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        let name = visit.session.as_deref().unwrap_or_default();
        let facts = visit.state.of(name, |session| (session.start.elapsed(), session.count));
        if let Some((time, count)) = facts {
            let seconds = time.as_secs_f64();
            answer.reply.text.push(format!("the session took {seconds:.1} s and {count} actions"));
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
    }
}

impl Compatible for Stop {
    fn ours(of: &OfSession) -> Ours {
        Ours::new("debug_stop", json!({"session": of.session_id}))
    }
}
