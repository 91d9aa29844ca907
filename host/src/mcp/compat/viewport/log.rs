//! `debug_action_log`: the calls of a session, in bounded lines.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::limit::Visit;
use super::state::Action;
use super::{Compatible, Ours, TOOLSET, finish, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::view::{HARD_CAP, Text, estimate};

/// Characters of a stored call, and of the first line of an answer.
const LONGEST: usize = 160;

/// Tokens of a log at most; a line about the rest follows.
const TOKENS: usize = HARD_CAP - 100;

/// An action as it is stored.
pub(super) async fn action(call: &Call, session: &str, tool: &str, reply: &Reply) -> Action {
    let query = json!({"session": session, "tail": 1});
    let output = match run(call, Ours::new("debug_output", query)).await.reply.outcome {
        Outcome::Output(page) => page.next,
        _ => 0,
    };
    let text = call.request.text();
    Action {
        call: cut(if text.is_empty() { tool } else { &text }),
        answer: cut(reply.text.lines().next().unwrap_or_default()),
        tokens: estimate(&reply.text),
        output,
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some(_) => text.chars().take(LONGEST - 1).chain(['…']).collect(),
    }
}

pub(super) struct ActionLog;

#[derive(Deserialize, JsonSchema)]
pub(super) struct LogForm {
    /// Default: the only one
    session_id: Option<String>,
    /// Default summary
    format: Option<Form>,
    /// First action.
    #[schemars(skip)]
    from: Option<usize>,
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
    const UNLISTED: &'static [&'static str] = &["from"];
    const EXAMPLE: &'static str = r#"{"format": "detailed"}"#;

    async fn run(call: &Call, arguments: LogForm) -> Result<Reply, Problem> {
        let visit = Visit::begin(call)?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        let name = visit.session.as_deref().filter(|_| !answer.reply.is_error);
        let actions = name.and_then(|name| visit.state.of(name, |it| it.actions.clone()));
        if let Some(actions) = actions {
            let form = arguments.format.unwrap_or(Form::Summary);
            let (text, next) = page(&actions, form, arguments.from.unwrap_or(1).max(1));
            answer.reply.text = text;
            if let Some(next) = next {
                let left = actions.len() + 1 - next;
                let next = call.request.with("from", next).text();
                answer.reply.text.push(format!("{left} more: {next}"));
            }
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
    }
}

/// The actions from a number on that fit into one answer, and the number of the next one.
fn page(actions: &[Action], form: Form, from: usize) -> (Text, Option<usize>) {
    let mut lines = vec![format!("{} actions", actions.len())];
    let mut used = 0;
    for (number, action) in (1..).zip(actions).skip(from - 1) {
        let mut entry = format!("{number} {}", action.call);
        if form == Form::Detailed {
            entry = format!("{entry}\n  {}", action.answer);
        }
        used += estimate(&entry) + 1;
        if used > TOKENS {
            return (Text::lines(lines), Some(number));
        }
        lines.extend(entry.split('\n').map(str::to_owned));
    }
    (Text::lines(lines), None)
}

impl Compatible for ActionLog {
    fn ours(of: &LogForm) -> Ours {
        Ours::new("debug_status", json!({"session": of.session_id}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_log_is_in_pages() {
        let action = Action { call: cut(&"c".repeat(900)), ..answered(&cut(&"a".repeat(900))) };
        assert_eq!(action.call.chars().count(), LONGEST);
        let actions = vec![action; 1_000];
        let (text, next) = page(&actions, Form::Detailed, 1);
        assert!(text.starts_with("1000 actions\n1 ccc"), "{text}");
        assert!(estimate(&text) <= HARD_CAP);
        let next = next.expect("it does not fit");
        let (text, _) = page(&actions, Form::Detailed, next);
        assert!(text.starts_with(&format!("1000 actions\n{next} ccc")), "{text}");
        assert_eq!(page(&actions[..3], Form::Summary, 1).1, None);
    }

    fn answered(answer: &str) -> Action {
        Action { call: String::new(), answer: answer.to_owned(), tokens: 0, output: 0 }
    }
}
