//! MCP requests of one caller: list and call of tools, cancellation, progress.
//!
//! Refuses to know what a tool does.

#![expect(deprecated, reason = "MCP deprecates logging after 2025-11-25, whose callers use it")]

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams,
    CompleteRequestParams, CompleteResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, Peer, RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tokio::sync::watch;
use tracing::instrument::Instrumented;
use tracing::{Instrument, Span};

use super::INSTRUCTIONS;
use super::asking::Asking;
use super::call::Reply;
use super::caller::{Answered, Caller, Response, Results, ToolCall};
use super::compat;
use super::completion;
use super::joining::{self, Joined};
use super::listing;
use super::meaning;
use super::notifications::{self, Logging};
use super::origin;
use super::outcome::Outcome;
use super::progress::Progress;
use super::prompts;
use super::registry::{Registered, declared};
use super::resources::{self, Receiver, Subscriptions};
use super::roots::Roots;
use super::tasks::{Repeatable, Tasks};
use super::toolset::Tools;
use super::usage::Usage;
use crate::limits::Limits;
use crate::log;
use crate::near::nearest;
use crate::session::{Sessions, Shell};
use crate::view::{ErrorText, Text, marked};

/// The params of `initialize`.
pub(super) const INITIALIZE: &str = "{\"protocolVersion\": TEXT, \"capabilities\": OBJECT, \
    \"clientInfo\": {\"name\": TEXT, \"version\": TEXT}}";

/// Server of one caller.
#[derive(Clone)]
pub struct Server {
    caller: Caller,
    /// Log records of the caller are made in it.
    span: Span,
    tools: Arc<Tools>,
    subscriptions: Arc<Subscriptions>,
    logging: Arc<Logging>,
    tasks: Arc<Tasks>,
    /// `None`: relative paths start at the workspace, whatever roots the caller has.
    roots: Option<Roots>,
    /// The caller, once it has sent `notifications/initialized`.
    initialized: watch::Sender<Option<Peer<RoleServer>>>,
    /// Calls in texts have marks.
    marks_calls: bool,
}

impl Server {
    /// Offers the default toolset. Starts nothing.
    pub fn new(sessions: Arc<Sessions>, workspace: PathBuf, limits: Arc<Limits>) -> Self {
        // An error, so that every filter knows it.
        let span = tracing::error_span!(parent: None, "client");
        let logging = Logging::new(log::follow(&[&span, sessions.span()]));
        let (home, shell, memory) = (None, Shell::Refused, Arc::default());
        let caller = Caller { sessions, workspace, home, limits, shell, memory };
        Self {
            caller,
            span,
            tools: Arc::default(),
            subscriptions: Arc::default(),
            logging: Arc::new(logging),
            tasks: Arc::default(),
            roots: None,
            initialized: watch::Sender::default(),
            marks_calls: false,
        }
    }

    /// The same server for a command line, which writes the calls in texts as commands.
    #[must_use]
    pub fn with_marked_calls(self) -> Self {
        Self { marks_calls: true, ..self }
    }

    /// The same server for a caller with another home directory.
    #[must_use]
    pub fn with_home(self, home: Option<PathBuf>) -> Self {
        Self { caller: Caller { home, ..self.caller }, ..self }
    }

    /// The same server with other tools.
    #[must_use]
    pub fn with_tools(self, tools: Tools) -> Self {
        let caller = Caller { shell: tools.shell(), ..self.caller };
        Self { caller, tools: Arc::new(tools), ..self }
    }

    /// The same server; the caller's relative paths start at its root, if it has one.
    #[must_use]
    pub fn with_roots(self, roots: Roots) -> Self {
        Self { roots: Some(roots), ..self }
    }

    /// The same server, whose tasks are uses of its caller.
    #[must_use]
    pub(super) fn with_usage(self, usage: &watch::Sender<Usage>) -> Self {
        Self { tasks: Arc::new(Tasks::new(usage.clone())), ..self }
    }

    /// The caller, with the workspace that it works in.
    async fn caller(&self, peer: &Peer<RoleServer>) -> Caller {
        let caller = self.caller.clone();
        let Some(roots) = &self.roots else { return caller };
        let Some(root) = roots.first(peer, caller.limits.initialize).await else { return caller };
        if roots.configures() {
            caller.sessions.set_project(root.clone());
        }
        Caller { workspace: root, ..caller }
    }

    /// A server with the same sessions and tools, for another caller.
    pub(super) fn for_another(&self) -> Self {
        let Caller { sessions, workspace, limits, shell, .. } = self.caller.clone();
        let new = Self::new(sessions, workspace, limits);
        let caller = Caller { shell, ..new.caller };
        let (tools, marks_calls) = (self.tools.clone(), self.marks_calls);
        let roots = self.roots.as_ref().map(|_| Roots::default());
        Self { caller, tools, roots, marks_calls, ..new }
    }

    pub(super) fn sessions(&self) -> &Arc<Sessions> {
        &self.caller.sessions
    }

    /// Log records of the caller are made in it.
    pub(super) fn span(&self) -> &Span {
        &self.span
    }

    /// Work for the caller.
    fn own<F>(&self, work: F) -> Instrumented<F> {
        work.instrument(self.span.clone())
    }

    fn unknown(&self, name: &str, given: Map<String, Value>) -> ErrorData {
        if let Some(call) = meaning::call(name, given, self.tools.declared()) {
            let text = Text::line(format!("there is no tool `{name}`. Try: {call}"));
            return ErrorData::invalid_params(String::from(text), None);
        }
        let names: Vec<_> = self.tools.declared().map(|tool| tool.name).collect();
        let near = nearest(name, names.iter().copied());
        // Then a tool that is off: its answer says how it is had.
        let near = near.or_else(|| nearest(name, declared().map(|tool| tool.name)));
        let of_families = compat::names().map(|name| name.tool.declared.name);
        let hint = match near.or_else(|| nearest(name, of_families)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        let text = Text::line(format!("there is no tool `{name}`; {hint}"));
        ErrorData::invalid_params(String::from(text), None)
    }

    /// A call of a tool, which can be made again with responses of the client.
    async fn repeatable(
        &self,
        tool: &'static Registered,
        arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> Repeatable {
        let progress = context.meta.get_progress_token();
        let progress = progress.map(|token| Progress { peer: context.peer.clone(), token });
        let asking = Asking::new(context, self.caller.limits.choice);
        // As a task it outlives this request, but not its connection, which ends with its tasks.
        let caller = self.caller(&context.peer).await;
        let server = Self { caller, tasks: Arc::default(), ..self.clone() };
        let call = ToolCall { tool, arguments, progress, asking };
        Box::new(move |responses| {
            let asking = call.asking.clone().with(responses);
            let (server, call) = (server.clone(), ToolCall { asking, ..call.clone() });
            async move {
                match server.respond(call).await {
                    Response::Answered(answered) => answer(*answered).into(),
                    Response::InputRequired(required) => (*required).into(),
                }
            }
            .boxed()
        })
    }

    /// Runs a tool. Its reply has data if the caller wants it. A panic is an error of the call: the
    /// protocol library would never answer it.
    async fn respond(&self, call: ToolCall) -> Response {
        let results = if self.tools.is_structured() { Results::Data } else { Results::Text };
        let response = Box::pin(self.caller.answer(call, results));
        let response = AssertUnwindSafe(response).catch_unwind();
        let response = if self.marks_calls { marked(response).await } else { response.await };
        response.unwrap_or_else(|_| {
            let cause = "dapdock itself failed in this call; its log says where";
            let reply = Reply::error(ErrorText::new("host-fault", cause, "debug_status"));
            Response::Answered(Box::new(Answered { before: None, reply, data: None }))
        })
    }

    /// Answers a request of the command line as a call of a tool.
    async fn joined(
        &self,
        request: &CustomRequest,
        context: &RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params_as().ok().flatten().unwrap_or_default();
        let joined = joining::answer(&self.caller, &request.method, params, context);
        let Joined { text, is_error, data } = marked(joined).await?;
        let reply = Reply { text, is_error, outcome: Outcome::Own(Value::Null) };
        let answer = answer(Answered { before: None, reply, data: Some(data) });
        Ok(CustomResult::new(serde_json::to_value(answer).unwrap_or_default()))
    }

    /// Sends notifications to this caller until its connection ends. MCP, "Lifecycle": none before
    /// `notifications/initialized`.
    pub(super) async fn notify(&self) {
        let mut initialized = self.initialized.subscribe();
        let peer = initialized.wait_for(Option::is_some).await.ok().and_then(|peer| peer.clone());
        if let Some(peer) = peer {
            let receiver = Receiver::Peer(peer.clone());
            let sessions = &self.caller.sessions;
            let family = self.caller.memory.of::<notifications::OfFamily>();
            let roots = async {
                if let Some(roots) = &self.roots {
                    roots.read(&peer).await;
                }
            };
            tokio::join!(
                roots,
                resources::follow(sessions, &self.subscriptions, &receiver),
                notifications::push(sessions.feed(), &peer, &family),
                self.logging.push(sessions.feed(), &peer),
            );
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let about = Implementation::new("dapdock", env!("CARGO_PKG_VERSION"))
            .with_title("dapdock debugger");
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_completions()
            .enable_logging()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .enable_tasks()
            .build();
        if self.marks_calls {
            let clients = self.caller.sessions.clients();
            capabilities.experimental = Some(origin::with_clients(&clients));
        }
        ServerConfig::new(capabilities).with_server_info(about).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(listing::list(&self.tools)))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let work = async {
            let caller = self.caller(&context.peer).await;
            completion::complete(&caller, &request).await
        };
        Ok(CompleteResult::new(self.own(work).await?))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if has_no_session(&context) {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "logging/setLevel", None));
        }
        let level = serde_json::to_value(request.level).unwrap_or_default();
        self.logging.set(level.as_str().unwrap_or_default());
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::prompts(&self.tools)))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        Ok(prompts::get(&request.name, &arguments, &self.tools)?.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::resources(
            &self.caller.sessions,
            &self.tools,
        )))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates(&self.tools)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let work = async {
            let caller = self.caller(&context.peer).await;
            resources::read(&caller, &self.tools, &request.uri).await
        };
        Ok(self.own(work).await?.into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.add(&self.caller.sessions, &self.tools, request.uri).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let subscriptions = Subscriptions::default();
        for uri in subscription.accepted().resource_subscriptions.iter().flatten() {
            subscriptions.add(&self.caller.sessions, &self.tools, uri.clone()).await?;
        }
        let receiver = Receiver::Sink(subscription.sink().clone());
        tokio::select! {
            () = resources::follow(&self.caller.sessions, &subscriptions, &receiver) => {}
            () = subscription.cancelled() => {}
        }
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.initialized.send_replace(Some(context.peer));
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if let Some(roots) = &self.roots {
            self.own(roots.read(&context.peer)).await;
        }
    }

    /// Answers unknown methods, and known methods with wrong parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if self.marks_calls && joining::has(&request.method) {
            return self.own(self.joined(&request, &context)).await;
        }
        let params = match request.method.as_str() {
            "initialize" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe"
                if has_no_session(&context) =>
            {
                return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None));
            }
            "tools/call" | "prompts/get" => "{\"name\": TEXT, \"arguments\": OBJECT}",
            "initialize" => INITIALIZE,
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "{\"uri\": TEXT}",
            "completion/complete" => {
                "{\"ref\": {\"type\": \"ref/prompt\" with \"name\" or \"ref/resource\" with \
                 \"uri\"}, \"argument\": {\"name\": TEXT, \"value\": TEXT}}"
            }
            "logging/setLevel" => {
                "{\"level\": \"debug\", \"info\", \"notice\", \"warning\", \"error\", \
                 \"critical\", \"alert\" or \"emergency\"}"
            }
            _ => return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        };
        let cause = format!("{}: its params are {params}", request.method);
        Err(ErrorData::invalid_params(cause, None))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let Some(tool) = self.tools.of_call(&request.name, &arguments) else {
            return match self.tools.refusal(&request.name, &arguments) {
                Some(reply) => Ok(answer(Answered { before: None, reply, data: None }).into()),
                None => Err(self.unknown(&request.name, arguments)),
            };
        };
        let answered = async {
            let call = self.repeatable(tool, arguments, &context).await;
            let responses = request.input_responses.unwrap_or_default();
            // Of this request: some clients that declare it in `initialize` cannot read a task.
            let client = context.meta.client_capabilities();
            if client.is_some_and(|client| client.supports_tasks()) {
                self.tasks.answer(call, responses).await
            } else {
                call(responses).await
            }
        };
        // Cancelling a call drops its wait. The debuggee runs on.
        tokio::select! {
            biased;
            () = context.ct.cancelled() => {
                Err(ErrorData::internal_error("the call was cancelled", None))
            }
            answered = self.own(answered) => Ok(answered),
        }
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get(&request.task_id)?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.update(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel(&request.task_id)
    }
}

/// MCP from 2026-07-28 on has no sessions, and no methods that change one.
fn has_no_session(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| !version.has_initialize())
}

fn answer(Answered { before, reply, data }: Answered) -> CallToolResult {
    let texts = before.into_iter().chain([reply.text]);
    let content = texts.map(|text| ContentBlock::text(String::from(text))).collect();
    let mut result = if reply.is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = data;
    result
}

#[cfg(test)]
mod tests {
    use super::super::call::Call;
    use super::super::compat::Nothing;
    use super::super::declared::Effect;
    use super::super::problem::Problem;
    use super::super::tests::sessions;
    use super::super::tool::Tool as Declare;
    use super::*;

    struct Panics;

    impl Declare for Panics {
        type Arguments = Nothing;
        type Data = Nothing;
        const NAME: &'static str = "panics";
        const TITLE: &'static str = "";
        const DESCRIPTION: &'static str = "";
        const EFFECT: Effect = Effect::Reads;
        const EXAMPLE: &'static str = "{}";

        async fn run(_: &Call, _: Nothing) -> Result<Reply, Problem> {
            panic!("a fault of ours")
        }
    }

    #[tokio::test]
    async fn panic_of_a_tool_is_an_error_of_its_call() {
        static TOOL: Registered = Registered::of::<Panics>();
        let limits = Arc::new(Limits::default());
        let server = Server::new(sessions(&limits), "/w".into(), limits.clone());
        let (arguments, asking) = (Map::new(), Asking::default());
        let call = ToolCall { tool: &TOOL, arguments, progress: None, asking };
        let Response::Answered(answered) = server.respond(call).await else { panic!("an answer") };
        let Answered { reply, data, .. } = *answered;
        assert!(reply.is_error && data.is_none());
        assert_eq!(
            &*reply.text,
            "error[host-fault] dapdock itself failed in this call; its log says where. Try: \
             debug_status"
        );
    }
}
