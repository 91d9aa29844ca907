//! A session's way to its adapter: typed requests, with the plugin's hooks around
//! those that its manifest names.
//!
//! Flows hold a clone each. What the plugin keeps between calls lives here, because
//! no other part of a session may look at it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Mutex, MutexGuard, watch};
use tokio::time::Instant;

use crate::dap::arguments::StackTraceArguments;
use crate::dap::responses::StackTraceResponse;
use crate::dap::{self, Call, Client, Request, lenient, request};
use crate::model::answer::{
    DapRequest, DapResponse, Refusal, RequestAction, ResponseAction, SessionView,
};
use crate::model::plan::RequestKind;
use crate::plugin::Plugin;
use crate::session::Error;
use crate::session::adapter::library::Modules;

#[derive(Clone)]
pub(crate) struct Wire {
    client: Client,
    plugin: Plugin,
    facts: Arc<SessionView>,
    state: Arc<Mutex<Option<Value>>>,
    busy: watch::Sender<Vec<Busy>>,
    modules: Arc<Modules>,
    limit: Duration,
}

/// What the adapter is still at, though nobody waits for it any more.
#[derive(Clone, Debug)]
pub(crate) struct Busy {
    pub(crate) expression: String,
    pub(crate) since: Instant,
}

impl From<Busy> for Error {
    fn from(busy: Busy) -> Self {
        Self::Busy { expression: busy.expression, since: busy.since.elapsed() }
    }
}

/// While it lives, the adapter is busy with this one.
pub(crate) struct Occupied {
    busy: watch::Sender<Vec<Busy>>,
    since: Instant,
}

impl Drop for Occupied {
    fn drop(&mut self) {
        self.busy.send_modify(|all| all.retain(|one| one.since != self.since));
    }
}

/// How long a request may take while the adapter is busy: most then answer nothing at all, some
/// answer as ever.
const BESIDE: Duration = Duration::from_secs(1);

impl Wire {
    pub(crate) fn new(
        client: Client,
        plugin: Plugin,
        mut facts: SessionView,
        limit: Duration,
    ) -> Self {
        let state = Arc::new(Mutex::new(facts.state.take()));
        let (busy, modules) = (watch::Sender::new(Vec::new()), Arc::default());
        Self { client, plugin, facts: Arc::new(facts), state, busy, modules, limit }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn plugin(&self) -> &Plugin {
        &self.plugin
    }

    /// The library's modules.
    pub(crate) fn modules(&self) -> &Modules {
        &self.modules
    }

    /// A thread's frames, marked where they are of a library's module.
    pub(crate) async fn stack(
        &self,
        arguments: StackTraceArguments,
    ) -> Result<StackTraceResponse, dap::Error> {
        let mut told = self.call::<request::StackTrace>(arguments).await?;
        self.modules.mark(&mut told.stack_frames);
        Ok(told)
    }

    /// How long a request may take.
    pub(crate) fn limit(&self) -> Duration {
        match self.busy() {
            Some(_) => self.limit.min(BESIDE),
            None => self.limit,
        }
    }

    /// The same for what does not wait until the adapter is at nothing else, but no longer than it
    /// would now.
    pub(crate) fn beside(self) -> Self {
        Self { limit: self.limit(), ..self }
    }

    /// What the adapter is still at.
    pub(crate) fn busy(&self) -> Option<Busy> {
        self.busy.borrow().first().cloned()
    }

    /// Waits until the adapter is at nothing else, for so long at most and never long.
    pub(crate) async fn idle(&self, limit: Duration) -> bool {
        let mut busy = self.busy.subscribe();
        let idle = busy.wait_for(Vec::is_empty);
        tokio::time::timeout(limit.min(BESIDE), idle).await.is_ok()
    }

    /// The adapter is at an evaluation that nobody waits for.
    pub(crate) fn occupy(&self, expression: String, since: Instant) -> Occupied {
        self.busy.send_modify(|all| all.push(Busy { expression, since }));
        Occupied { busy: self.busy.clone(), since }
    }

    pub(crate) fn kind(&self) -> RequestKind {
        self.facts.kind
    }

    /// The turn to call the plugin, one after the other: each call knows what the one before it
    /// left behind.
    pub(crate) async fn turn(&self) -> Turn<'_> {
        let state = self.state.lock().await;
        let capabilities = Arc::new(Value::Object(self.client.capabilities().raw().clone()));
        let view = SessionView { capabilities, state: state.clone(), ..(*self.facts).clone() };
        Turn { view, state }
    }

    /// Sends a request within the usual limit.
    pub(crate) async fn call<R: Request>(
        &self,
        arguments: R::Arguments,
    ) -> Result<R::Response, dap::Error> {
        self.call_within::<R>(arguments, self.limit()).await
    }

    /// Sends a request; without a hook it is on the queue when this is first polled.
    pub(crate) async fn call_within<R: Request>(
        &self,
        arguments: R::Arguments,
        limit: Duration,
    ) -> Result<R::Response, dap::Error> {
        self.call_with::<R>(arguments, limit, None).await
    }

    /// Evaluates without a limit of its own: the plugin knows for how long somebody waits.
    pub(crate) async fn evaluate(
        &self,
        arguments: dap::arguments::EvaluateArguments,
        patience: Duration,
    ) -> Result<<request::Evaluate as Request>::Response, dap::Error> {
        self.call_with::<request::Evaluate>(arguments, Duration::MAX, Some(patience)).await
    }

    async fn call_with<R: Request>(
        &self,
        arguments: R::Arguments,
        limit: Duration,
        patience: Option<Duration>,
    ) -> Result<R::Response, dap::Error> {
        let interests = &self.plugin.manifest().interests;
        let named = |list: &[String]| list.iter().any(|command| command == R::COMMAND);
        if !named(&interests.requests) && !named(&interests.responses) {
            return self.client.request_within::<R>(arguments, limit).await;
        }
        let command = R::COMMAND;
        if !R::is_supported(&self.client.capabilities()) {
            return Err(dap::Error::Unsupported { command: command.to_owned() });
        }
        let arguments = serde_json::to_value(arguments).map_err(|error| {
            dap::Error::BadArguments { command: command.to_owned(), cause: error.to_string() }
        })?;
        let body = self.ask(command, arguments, limit, patience).await?.answer().await?;
        lenient::decode(&body).map_err(|error| dap::Error::BadAnswer {
            command: command.to_owned(),
            cause: error.to_string(),
            excerpt: body.to_string().chars().take(200).collect(),
        })
    }

    /// Puts a request on the queue, or what the plugin makes of it.
    pub(crate) async fn ask(
        &self,
        command: &str,
        arguments: Value,
        limit: Duration,
        patience: Option<Duration>,
    ) -> Result<Asked, dap::Error> {
        let arguments =
            if arguments.is_null() { Value::Object(Default::default()) } else { arguments };
        let mut turn = self.turn().await;
        turn.view.patience = patience;
        let action = self.plugin.on_request(&turn.view, command, &arguments).await;
        let same = |arguments| vec![DapRequest { command: command.to_owned(), arguments }];
        let (requests, answer) = match turn.degrade(action, RequestAction::Unchanged) {
            RequestAction::Unchanged => (same(arguments), Value::Null),
            RequestAction::Replace(arguments) => (same(arguments), Value::Null),
            RequestAction::Expand(requests) => (requests, Value::Null),
            RequestAction::Respond(body) => (Vec::new(), body),
            RequestAction::Reject(refusal) => return Err(refused(command, refusal)),
        };
        let calls = requests.into_iter().map(|request| {
            let call =
                self.client.request_raw_within(&request.command, request.arguments.clone(), limit);
            (request, call)
        });
        Ok(Asked { calls: calls.collect(), answer, wire: self.clone() })
    }

    async fn answered(
        &self,
        request: &DapRequest,
        answer: Result<Value, dap::Error>,
    ) -> Result<Value, dap::Error> {
        let interests = &self.plugin.manifest().interests;
        if !interests.responses.contains(&request.command) {
            return answer;
        }
        let response = match &answer {
            Ok(body) => DapResponse { success: true, message: None, body: body.clone() },
            Err(dap::Error::Refused { message, .. }) => {
                DapResponse { success: false, message: Some(message.clone()), body: Value::Null }
            }
            Err(_) => return answer,
        };
        let turn = self.turn().await;
        let action = self
            .plugin
            .on_response(&turn.view, &request.command, &request.arguments, &response)
            .await;
        match turn.degrade(action, ResponseAction::Unchanged) {
            ResponseAction::Unchanged => answer,
            ResponseAction::Replace(body) => Ok(body),
            ResponseAction::Fail(refusal) => Err(refused(&request.command, refusal)),
        }
    }
}

/// What was asked and is on the queue; the plugin has not read the answer.
pub(crate) struct Asked {
    wire: Wire,
    calls: Vec<(DapRequest, Call<Value>)>,
    /// Where the adapter is not asked.
    answer: Value,
}

impl Asked {
    /// The last request's answer.
    pub(crate) async fn answer(self) -> Result<Value, dap::Error> {
        let mut answer = Ok(self.answer);
        for (request, call) in self.calls {
            answer = self.wire.answered(&request, call.await).await;
        }
        answer
    }
}

/// One call of the plugin: what it may know, and nobody else's call until it is done.
pub(crate) struct Turn<'a> {
    pub(crate) view: SessionView,
    state: MutexGuard<'a, Option<Value>>,
}

impl Turn<'_> {
    /// Keeps what the call left behind.
    pub(crate) fn keep<T>(mut self, (answer, state): (T, Option<Value>)) -> T {
        if state.is_some() {
            *self.state = state;
        }
        answer
    }

    /// A hook that fails costs its opinion, never the session.
    pub(crate) fn degrade<T>(
        self,
        answer: Result<(T, Option<Value>), crate::plugin::Error>,
        otherwise: T,
    ) -> T {
        match answer {
            Ok(answer) => self.keep(answer),
            Err(error) => {
                tracing::warn!(%error, "a hook failed; the host's own reading is used");
                otherwise
            }
        }
    }
}

fn refused(command: &str, refusal: Refusal) -> dap::Error {
    let (command, message) = (command.to_owned(), refusal.message.clone());
    dap::Error::Refused {
        command,
        message,
        show_user: true,
        id: None,
        read: Some(Box::new(refusal)),
    }
}
