//! `debug_status`: reports sessions, adapters and logs.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use crate::model::SessionStatus;
use crate::session::{AdapterInfo, Handle};
use crate::view;

pub(in crate::mcp) struct Status;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: all
    session: Option<String>,
    /// Default summary
    detail: Option<Detail>,
    /// First line
    since: Option<u64>,
    #[schemars(skip)]
    adapter: Option<String>,
    #[schemars(skip)]
    document: Option<String>,
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::mcp) enum Detail {
    #[default]
    Summary,
    Log,
    Dap,
    Capabilities,
    Adapters,
}

impl Tool for Status {
    type Arguments = Arguments;
    type Data = structured::Status;
    const NAME: &'static str = "debug_status";
    const TITLE: &'static str = "Sessions and adapters";
    const DESCRIPTION: &'static str = "Sessions: state, place, breakpoints; or a session's log \
        (read it if a start fails), its DAP messages or capabilities, or the adapters.";
    const EFFECT: Effect = Effect::Reads;
    const UNLISTED: &'static [&'static str] = &["adapter", "document"];
    const VERB: Option<Verb> = Some(Verb::new("status", Words::One("detail")));
    const EXAMPLE: &'static str = r#"{"detail": "log"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let session = arguments.session.as_deref();
        if let Some(document) = &arguments.document {
            return read_document(call, arguments.adapter.as_deref(), document).await;
        }
        Ok(match arguments.detail.unwrap_or_default() {
            Detail::Summary => {
                let all = summary(call, session).await?;
                Reply::new(view::summary(&all, &call.lens()), Outcome::Sessions(all))
            }
            Detail::Capabilities => {
                let status = call.session(session)?.status().await?;
                Reply::new(view::capabilities(&status), Outcome::Capabilities(Box::new(status)))
            }
            Detail::Adapters => {
                let adapters: Vec<_> =
                    call.sessions.adapters().await?.into_iter().map(adapter).collect();
                let unknown = call.sessions.unknown_tools().await?;
                let notes: Vec<_> = unknown.iter().map(ToString::to_string).collect();
                Reply::new(view::adapters(&adapters, &notes), Outcome::Adapters(adapters, notes))
            }
            Detail::Log => {
                let handle = call.session_to_read(session)?;
                let log = handle.log().await?;
                let text = view::log(&log, "log", arguments.since, handle.id(), &call.lens());
                Reply::new(text, Outcome::Log(log, arguments.since))
            }
            Detail::Dap => {
                let handle = call.session_to_read(session)?;
                let messages = handle.messages().await?;
                let text = view::log(&messages, "dap", arguments.since, handle.id(), &call.lens());
                Reply::new(text, Outcome::Log(messages, arguments.since))
            }
        })
    }
}

async fn summary(call: &Call, session: Option<&str>) -> Result<Vec<SessionStatus>, Problem> {
    let handles: Vec<Handle> = match session {
        Some(name) => vec![call.session(Some(name))?],
        None => call.sessions.all(),
    };
    let mut all = Vec::new();
    for handle in handles {
        // The summary shows the stop. A session that has just ended is left out.
        drop(handle.show_stop().await);
        let Ok(mut status) = handle.status().await else { continue };
        status.breakpoints = call.sessions.breakpoints_now(handle.id(), status.breakpoints);
        all.push(status);
    }
    Ok(all)
}

/// A document of an adapter, by default of the session's.
async fn read_document(
    call: &Call,
    adapter: Option<&str>,
    document: &str,
) -> Result<Reply, Problem> {
    let adapter = match adapter {
        Some(adapter) => adapter.to_owned(),
        None => call.session(call.request.session())?.status().await?.adapter,
    };
    match call.sessions.document(&adapter, document).await? {
        Ok(text) => Ok(Reply::new(view::Text::lines(text.lines()), Outcome::Document(text))),
        Err(cause) => {
            let other = call.request.without(&["adapter", "document"]).with("detail", "adapters");
            Err(other.refuse(&cause.to_string()))
        }
    }
}

fn adapter(info: AdapterInfo) -> view::Adapter {
    let AdapterInfo { name, title, languages, documents, standing } = info;
    let state = standing.map_or_else(|problem| problem, |standing| view::standing(&standing));
    view::Adapter { name, title, languages, state, documents }
}
