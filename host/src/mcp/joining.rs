//! Requests of the command line about one session: to take it from an agent, to give it back, to
//! watch it, and to mirror it for an editor. MCP has no method for these: they are `dapdock/take`,
//! `dapdock/give`, `dapdock/watch` and `dapdock/mirror`, with `{session}`, and are answered as
//! calls of tools are.
//!
//! A watch and a mirror send `dapdock/event` notifications, numbered from 0 because a client may
//! handle them in another order, and are answered at the end of the session with their number. A
//! mirror ends with its request, too. Refuses to know how events are written.

use std::sync::Arc;

use rmcp::model::{CustomNotification, ServerNotification};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;

use super::caller::Caller;
use crate::mirror::{Mirror, News};
use crate::session::{Error, Followed, Handle, LiveEvent};
use crate::view::{self, Failed, Lens, Text};

/// Methods of the command line.
pub(super) const TAKE: &str = "dapdock/take";
pub(super) const GIVE: &str = "dapdock/give";
pub(super) const WATCH: &str = "dapdock/watch";
pub(super) const MIRROR: &str = "dapdock/mirror";
/// An event of a watch or a mirror.
pub(super) const EVENT: &str = "dapdock/event";

/// The parameters of all four.
#[derive(Default, Deserialize)]
pub(super) struct Params {
    session: Option<String>,
    /// Of a mirror; 0: a free one.
    #[serde(default)]
    port: u16,
}

/// An answer: its text, and data in the form of a tool's.
pub(super) struct Joined {
    pub text: Text,
    pub is_error: bool,
    pub data: Value,
}

impl Joined {
    fn new(text: Text, data: Value) -> Self {
        Self { text, is_error: false, data: json!({ "data": data }) }
    }

    fn failed(error: &Error, lens: &Lens) -> Self {
        let error = view::error(error, lens, &Failed::default());
        let data = json!({"code": error.code, "message": error.cause, "next": error.next});
        Self { text: error.text, is_error: true, data: json!({ "error": data }) }
    }
}

/// Whether a method is one of these.
pub(super) fn has(method: &str) -> bool {
    [TAKE, GIVE, WATCH, MIRROR].contains(&method)
}

/// Answers one of the methods.
pub(super) async fn answer(
    caller: &Caller,
    method: &str,
    params: Params,
    context: &RequestContext<RoleServer>,
) -> Result<Joined, ErrorData> {
    let usual = caller.sessions.get(None).ok().map(|handle| handle.id().clone());
    let lens = Lens { workspace: caller.workspace.clone(), usual };
    let joined = match caller.sessions.get(params.session.as_deref()) {
        Err(error) => Err(error),
        Ok(handle) => match method {
            TAKE => take(&handle, &lens).await,
            GIVE => Ok(give(&handle, caller.sessions.is_left())),
            MIRROR => mirror(caller, handle, &lens, params.port, context).await,
            _ => {
                let reports = Reports { context, sent: 0 };
                let watch = Watch { handle: &handle, lens: &lens, reports };
                tokio::select! {
                    watched = watch.run() => watched,
                    () = context.ct.cancelled() => {
                        return Err(ErrorData::internal_error("the watch was cancelled", None));
                    }
                }
            }
        },
    };
    Ok(joined.unwrap_or_else(|error| Joined::failed(&error, &lens)))
}

/// Takes the session. The person reads where it is.
async fn take(handle: &Handle, lens: &Lens) -> Result<Joined, Error> {
    let is_new = handle.take()?;
    let mut text = view::taken(handle.id(), is_new);
    if let Some(now) = now(handle, lens).await {
        text.append(now);
    }
    Ok(Joined::new(text, json!({"session": handle.id().0, "taken": true})))
}

/// `is_left`: its agent has gone.
fn give(handle: &Handle, is_left: bool) -> Joined {
    let was_taken = handle.give();
    let text = match (was_taken, is_left) {
        (true, true) => view::given_to_nobody(handle.id()),
        _ => view::given(handle.id(), was_taken),
    };
    Joined::new(text, json!({"session": handle.id().0, "taken": false}))
}

/// The stop that a session is at, or that it runs.
async fn now(handle: &Handle, lens: &Lens) -> Option<Text> {
    match handle.show_stop().await.ok()? {
        Some(stop) => Some(view::stop(&stop, lens, view::STOP_TOKENS)),
        None => Some(view::running(&handle.underway().await.ok()?, lens)),
    }
}

/// Opens a mirror, and serves it until the session or the request ends.
async fn mirror(
    caller: &Caller,
    handle: Handle,
    lens: &Lens,
    port: u16,
    context: &RequestContext<RoleServer>,
) -> Result<Joined, Error> {
    let limits = Arc::new(caller.sessions.limits()?.clone());
    let (mirror, mut news) = Mirror::open(handle.clone(), port, lens.clone(), limits).await?;
    let (session, port) = (handle.id(), mirror.port());
    let moment = handle.moment().await?;
    let editor_type = moment.editor_type.unwrap_or(moment.status.adapter);
    let mut reports = Reports { context, sent: 0 };
    reports.send("mirror", &view::mirrored(session, port, &editor_type)).await?;
    let report = async {
        while let Some(news) = news.recv().await {
            let text = match news {
                News::Joined(name) => view::editor(&name, true),
                News::Left(name) => view::editor(&name, false),
                News::Closed(why) => view::no_editor(&why),
            };
            // Without its reader the request ends, and the mirror with it.
            drop(reports.send("editor", &text).await);
        }
        reports.sent
    };
    let ((), events) = tokio::join!(mirror.serve(context.ct.cancelled()), report);
    let text = view::unmirrored(session, handle.is_over());
    Ok(Joined::new(text, json!({"session": session.0, "port": port, "events": events})))
}

/// Notifications under way.
struct Reports<'a> {
    context: &'a RequestContext<RoleServer>,
    /// Number of the next notification.
    sent: u64,
}

/// A watch under way.
struct Watch<'a> {
    handle: &'a Handle,
    lens: &'a Lens,
    reports: Reports<'a>,
}

impl Watch<'_> {
    /// Sends events until the session ends.
    async fn run(mut self) -> Result<Joined, Error> {
        let Followed { mut events, moment } = self.handle.follow().await?;
        let mut is_over = moment.status.exit.is_some();
        if let Some(exit) = moment.status.exit {
            self.send("end", &view::exit(&exit, self.lens)).await?;
        } else if let Some(stop) = moment.stop {
            self.send("stop", &view::stop(&stop, self.lens, view::STOP_TOKENS)).await?;
        } else {
            self.send("state", &view::running(&self.handle.underway().await?, self.lens)).await?;
        }
        while !is_over {
            match events.recv().await {
                Ok(event) => {
                    is_over = matches!(event, LiveEvent::Ended(_));
                    if let Some((kind, text)) = view::live(&event, self.handle.id(), self.lens) {
                        self.send(kind, &text).await?;
                    }
                }
                Err(RecvError::Lagged(missed)) => {
                    self.reports.notify(json!({"missed": missed})).await?;
                }
                Err(RecvError::Closed) => is_over = true,
            }
        }
        let status = self.handle.status().await?;
        let data = json!({"session": self.handle.id().0, "events": self.reports.sent});
        Ok(Joined::new(view::watched(&status), data))
    }

    async fn send(&mut self, kind: &str, text: &Text) -> Result<(), Error> {
        self.reports.send(kind, text).await
    }
}

impl Reports<'_> {
    async fn send(&mut self, kind: &str, text: &Text) -> Result<(), Error> {
        self.notify(json!({"kind": kind, "text": &**text})).await
    }

    /// Waits until the notification is written: a watcher that does not read gets the number of
    /// the events that it misses.
    async fn notify(&mut self, mut params: Value) -> Result<(), Error> {
        params["number"] = self.sent.into();
        self.sent += 1;
        let note = CustomNotification::new(EVENT, Some(params));
        let sent = self.context.peer.send_notification(ServerNotification::from(note)).await;
        sent.map_err(|error| {
            tracing::debug!(%error, "nobody reads the events");
            Error::Closing
        })
    }
}
