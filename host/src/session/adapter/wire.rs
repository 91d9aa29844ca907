//! Typed requests to the adapter, with the plugin's hooks around those that its manifest names.
//!
//! Each flow has a clone. The state that the plugin carries from call to call is here, and so is
//! what the adapter is busy with: flows need both between two requests. Refuses to know phases and
//! stops.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Mutex, MutexGuard, watch};
use tokio::time::Instant;

use crate::dap::arguments::StackTraceArguments;
use crate::dap::responses::StackTraceResponse;
use crate::dap::{self, Call, Client, Request, lenient, request};
use crate::model::LogSink;
use crate::model::answer::{
    DapRequest, DapResponse, Refusal, RequestAction, ResponseAction, SessionView,
};
use crate::model::plan::RequestKind;
use crate::plugin::Plugin;
use crate::session::Error;
use crate::session::adapter::library::Modules;
use crate::session::adapter::quirks::Quirks;

#[derive(Clone)]
pub(crate) struct Wire {
    client: Client,
    plugin: Plugin,
    quirks: Quirks,
    facts: Arc<SessionView>,
    state: Arc<Mutex<Option<Value>>>,
    busy: watch::Sender<Vec<Busy>>,
    modules: Arc<Modules>,
    limit: Duration,
}

/// An evaluation that the adapter has not answered, though its caller no longer waits.
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

/// Marks the adapter as busy with one evaluation until it is dropped.
pub(crate) struct Occupied {
    busy: watch::Sender<Vec<Busy>>,
    since: Instant,
}

impl Drop for Occupied {
    fn drop(&mut self) {
        self.busy.send_modify(|all| all.retain(|one| one.since != self.since));
    }
}

/// How long a request may take while the adapter is busy: most adapters answer nothing then, some
/// answer as usual.
const BUSY_LIMIT: Duration = Duration::from_secs(1);

impl Wire {
    pub(crate) fn new(
        client: Client,
        (plugin, quirks): (Plugin, Quirks),
        mut facts: SessionView,
        limit: Duration,
    ) -> Self {
        let state = Arc::new(Mutex::new(facts.state.take()));
        let (busy, modules) = (watch::Sender::new(Vec::new()), Arc::default());
        Self { client, plugin, quirks, facts: Arc::new(facts), state, busy, modules, limit }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn plugin(&self) -> &Plugin {
        &self.plugin
    }

    pub(crate) fn quirks(&self) -> &Quirks {
        &self.quirks
    }

    /// An adapter's refusal or silence as an error of the session.
    pub(crate) fn error(&self, error: &dap::Error) -> Error {
        Error::from_dap(error, &self.quirks)
    }

    /// Where lines about this connection go.
    pub(crate) fn log(&self) -> &LogSink {
        &self.facts.log
    }

    /// Modules that belong to libraries.
    pub(crate) fn modules(&self) -> &Modules {
        &self.modules
    }

    /// A thread's frames; those in modules of libraries are marked.
    pub(crate) async fn stack(
        &self,
        arguments: StackTraceArguments,
    ) -> Result<StackTraceResponse, dap::Error> {
        let mut stack = self.call::<request::StackTrace>(arguments).await?;
        self.modules.mark(&mut stack.stack_frames);
        Ok(stack)
    }

    /// How long a request may take.
    pub(crate) fn limit(&self) -> Duration {
        match self.busy() {
            Some(_) => self.limit.min(BUSY_LIMIT),
            None => self.limit,
        }
    }

    /// A wire whose requests take no longer than they may now, even once the adapter is idle.
    pub(crate) fn with_current_limit(self) -> Self {
        Self { limit: self.limit(), ..self }
    }

    /// The oldest evaluation that the adapter is busy with.
    pub(crate) fn busy(&self) -> Option<Busy> {
        self.busy.borrow().first().cloned()
    }

    /// Waits until the adapter is idle, at most for `limit` and for [`BUSY_LIMIT`]. False: it is
    /// still busy.
    pub(crate) async fn idle(&self, limit: Duration) -> bool {
        let mut busy = self.busy.subscribe();
        let idle = busy.wait_for(Vec::is_empty);
        tokio::time::timeout(limit.min(BUSY_LIMIT), idle).await.is_ok()
    }

    /// The adapter is busy with an evaluation whose caller no longer waits.
    pub(crate) fn occupy(&self, expression: String, since: Instant) -> Occupied {
        self.busy.send_modify(|all| all.push(Busy { expression, since }));
        Occupied { busy: self.busy.clone(), since }
    }

    pub(crate) fn kind(&self) -> RequestKind {
        self.facts.kind
    }

    /// The arguments of the sent `launch` or `attach`.
    pub(crate) fn launch_arguments(&self) -> Arc<Value> {
        Arc::clone(&self.facts.arguments)
    }

    /// Waits until no other call of the plugin runs. Calls follow each other: each gets the state
    /// that the previous one returned.
    pub(crate) async fn hook_call(&self) -> HookCall<'_> {
        let state = self.state.lock().await;
        let view = SessionView { state: state.clone(), ..(*self.facts).clone() };
        HookCall { view, state }
    }

    /// Sends a request within the usual limit.
    pub(crate) async fn call<R: Request>(
        &self,
        arguments: R::Arguments,
    ) -> Result<R::Response, dap::Error> {
        self.call_with_limit::<R>(arguments, self.limit()).await
    }

    /// Sends a request. Without a hook it is queued at the first poll.
    pub(crate) async fn call_with_limit<R: Request>(
        &self,
        arguments: R::Arguments,
        limit: Duration,
    ) -> Result<R::Response, dap::Error> {
        self.call_hooked::<R>(arguments, limit, None).await
    }

    /// Evaluates without a limit of the host's; the plugin learns how long the caller waits.
    pub(crate) async fn evaluate(
        &self,
        arguments: dap::arguments::EvaluateArguments,
        patience: Duration,
    ) -> Result<<request::Evaluate as Request>::Response, dap::Error> {
        self.call_hooked::<request::Evaluate>(arguments, Duration::MAX, Some(patience)).await
    }

    async fn call_hooked<R: Request>(
        &self,
        arguments: R::Arguments,
        limit: Duration,
        patience: Option<Duration>,
    ) -> Result<R::Response, dap::Error> {
        let interests = &self.plugin.manifest().interests;
        let named = |list: &[String]| list.iter().any(|command| command == R::COMMAND);
        if !named(&interests.requests) && !named(&interests.responses) {
            return self.client.request_with_limit::<R>(arguments, limit).await;
        }
        let command = R::COMMAND;
        if !R::is_supported(&self.client.capabilities()) {
            return Err(dap::Error::Unsupported { command: command.to_owned() });
        }
        let arguments = serde_json::to_value(arguments).map_err(|error| {
            dap::Error::BadArguments { command: command.to_owned(), cause: error.to_string() }
        })?;
        let body = self.send(command, arguments, limit, patience).await?.answer().await?;
        lenient::decode(&body).map_err(|error| dap::Error::BadAnswer {
            command: command.to_owned(),
            cause: error.to_string(),
            excerpt: body.to_string().chars().take(200).collect(),
        })
    }

    /// Queues a request, or the requests that the plugin replaces it with.
    pub(crate) async fn send(
        &self,
        command: &str,
        arguments: Value,
        limit: Duration,
        patience: Option<Duration>,
    ) -> Result<Sent, dap::Error> {
        let arguments =
            if arguments.is_null() { Value::Object(Default::default()) } else { arguments };
        let mut hook_call = self.hook_call().await;
        hook_call.view.patience = patience;
        let action = self.plugin.on_request(&hook_call.view, command, &arguments).await;
        let same = |arguments| vec![DapRequest { command: command.to_owned(), arguments }];
        let action = hook_call.degrade(action, RequestAction::Unchanged);
        if let Some(done) = done_to_request(&action) {
            self.client.trace().hooked(&format!("{done} {command}"), &arguments);
        }
        let (requests, answer) = match action {
            RequestAction::Unchanged => (same(arguments), Value::Null),
            RequestAction::Replace(arguments) => (same(arguments), Value::Null),
            RequestAction::Expand(requests) => (requests, Value::Null),
            RequestAction::Respond(body) => (Vec::new(), body),
            RequestAction::Reject(refusal) => return Err(refused(command, refusal)),
        };
        let mut calls = Vec::with_capacity(requests.len());
        for request in requests {
            let call = self.client.request_raw_with_limit(
                &request.command,
                request.arguments.clone(),
                limit,
            );
            calls.push((request, call));
        }
        Ok(Sent { calls, answer, wire: self.clone() })
    }

    /// Queues a request that the plugin sends of its own accord. Its hook reads a refusal only.
    pub(crate) fn send_for_plugin(
        &self,
        request: DapRequest,
    ) -> impl Future<Output = Result<(), dap::Error>> + Send + use<> {
        let call = self.client.request_raw(&request.command, request.arguments.clone());
        let wire = self.clone();
        async move {
            match call.await {
                Ok(_) => Ok(()),
                refused => wire.hooked_answer(&request, refused).await.map(drop),
            }
        }
    }

    /// The answer as the plugin's hook changes it.
    async fn hooked_answer(
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
        let hook_call = self.hook_call().await;
        let action = self
            .plugin
            .on_response(&hook_call.view, &request.command, &request.arguments, &response)
            .await;
        let (command, trace) = (&request.command, self.client.trace());
        match hook_call.degrade(action, ResponseAction::Unchanged) {
            ResponseAction::Unchanged => answer,
            ResponseAction::Replace(body) => {
                trace.hooked(&format!("reads {command} as"), &body);
                Ok(body)
            }
            ResponseAction::Fail(refusal) => {
                trace.line(&format!("plugin reads {command} as failed: {refusal}"));
                Err(refused(command, refusal))
            }
        }
    }
}

/// Queued requests, before the plugin has read their answers.
pub(crate) struct Sent {
    wire: Wire,
    calls: Vec<(DapRequest, Call<Value>)>,
    /// The answer if no request is sent.
    answer: Value,
}

impl Sent {
    /// The last request's answer.
    pub(crate) async fn answer(self) -> Result<Value, dap::Error> {
        let mut answer = Ok(self.answer);
        for (request, call) in self.calls {
            answer = self.wire.hooked_answer(&request, call.await).await;
        }
        answer
    }
}

/// One call of the plugin: the session as the plugin may see it, and the lock on its state.
pub(crate) struct HookCall<'a> {
    pub(crate) view: SessionView,
    state: MutexGuard<'a, Option<Value>>,
}

impl HookCall<'_> {
    /// Stores the state that the call returned.
    pub(crate) fn store<T>(mut self, (answer, state): (T, Option<Value>)) -> T {
        if state.is_some() {
            *self.state = state;
        }
        answer
    }

    /// The hook's answer; if the hook failed, `otherwise`.
    pub(crate) fn degrade<T>(
        self,
        answer: Result<(T, Option<Value>), crate::plugin::Error>,
        otherwise: T,
    ) -> T {
        match answer {
            Ok(answer) => self.store(answer),
            Err(error) => {
                tracing::warn!(%error, "a hook failed; the host's own reading is used");
                self.view.log.hook_failed(error.to_string());
                otherwise
            }
        }
    }
}

/// What a hook does to a request, if anything.
fn done_to_request(action: &RequestAction) -> Option<&'static str> {
    Some(match action {
        RequestAction::Unchanged => return None,
        RequestAction::Replace(_) => "replaces",
        RequestAction::Expand(_) => "sends others in place of",
        RequestAction::Respond(_) => "answers",
        RequestAction::Reject(_) => "refuses",
    })
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
