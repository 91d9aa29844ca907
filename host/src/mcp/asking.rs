//! Choices of a person (MCP, "Elicitation"): a call that lacks one has its client ask for it.
//!
//! Up to MCP 2025-11-25 the server sends a request and waits for the response. From 2026-07-28 on
//! the call returns what it needs, and the client repeats it with the responses. Refuses to know
//! which calls need a choice.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::model::{
    ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ElicitationSchema, InputRequest, InputRequiredResult, InputResponses,
    ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use rmcp::{Peer, RoleServer, ServiceError};
use serde::Deserialize;

use crate::model::Choice;

/// The way to ask the person behind a client during one call.
#[derive(Clone, Default)]
pub(super) enum Asking {
    /// The client cannot ask.
    #[default]
    None,
    /// A request to the client, which waits so long for its response.
    Request(Peer<RoleServer>, Duration),
    /// The result of the call. These are the responses to earlier results.
    Result(InputResponses),
}

/// What came of a question.
pub(super) enum Reaction {
    Agreed,
    /// The person did not agree. The reason is a fragment without a trailing dot.
    Refused(String),
    /// The client asks, and repeats the call.
    InputRequired(Box<InputRequiredResult>),
    /// The client cannot ask.
    Unasked,
}

impl Asking {
    /// `limit`: how long a person may take.
    pub fn new(context: &RequestContext<RoleServer>, limit: Duration) -> Self {
        let capability = context.client_capabilities().and_then(|client| client.elicitation);
        let has_requests =
            context.protocol_version().is_none_or(|version| version.has_initialize());
        match capability {
            Some(capability) if has_forms(&capability) && has_requests => {
                Self::Request(context.peer.clone(), limit)
            }
            Some(capability) if has_forms(&capability) => Self::Result(InputResponses::new()),
            _ => Self::None,
        }
    }

    /// The same with the responses to what earlier results of the call required.
    #[must_use]
    pub fn with(self, responses: InputResponses) -> Self {
        match self {
            Self::Result(_) => Self::Result(responses),
            _ => self,
        }
    }

    /// A person can be asked.
    pub fn is_possible(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// Asks a person for a choice.
    pub async fn ask(&self, choice: &Choice) -> Reaction {
        match self {
            Self::None => Reaction::Unasked,
            Self::Request(peer, limit) => match requested(peer, choice, *limit).await {
                Ok(result) => reaction(&result),
                Err(ServiceError::Timeout { .. }) => {
                    let limit = limit.as_secs();
                    Reaction::Refused(format!("a person was asked and gave no answer in {limit} s"))
                }
                Err(error) => Reaction::Refused(format!("the client asked nobody: {error}")),
            },
            Self::Result(responses) => match responses.get(&choice.key()) {
                Some(response) => match ElicitResult::deserialize(response) {
                    Ok(result) => reaction(&result),
                    Err(error) => {
                        let key = choice.key();
                        let cause = format!("the response to `{key}` is invalid: {error}");
                        Reaction::Refused(cause)
                    }
                },
                None => Reaction::InputRequired(Box::new(required(choice))),
            },
        }
    }
}

/// MCP 2025-06-18 has forms only, and says so with an empty capability.
fn has_forms(capability: &ElicitationCapability) -> bool {
    capability.form.is_some() || capability.url.is_none()
}

/// The response of a client to a request for a choice.
async fn requested(
    peer: &Peer<RoleServer>,
    choice: &Choice,
    limit: Duration,
) -> Result<ElicitResult, ServiceError> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form(choice)));
    let options = PeerRequestOptions::with_timeout(limit);
    match peer.send_request_with_option(request, options).await?.await_response().await? {
        ClientResult::ElicitResult(result) => Ok(result),
        _ => Err(ServiceError::UnexpectedResponse),
    }
}

fn reaction(result: &ElicitResult) -> Reaction {
    match result.action {
        ElicitationAction::Accept => Reaction::Agreed,
        _ => Reaction::Refused("a person was asked and refused".to_owned()),
    }
}

fn required(choice: &Choice) -> InputRequiredResult {
    let request = InputRequest::Elicitation(ElicitRequest::new(form(choice)));
    InputRequiredResult::from_input_requests(BTreeMap::from([(choice.key(), request)]))
}

/// A question that is answered by accepting or declining it.
fn form(choice: &Choice) -> ElicitRequestParams {
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question(choice),
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    }
}

fn question(choice: &Choice) -> String {
    match choice {
        Choice::Install { adapter } => format!(
            "The debug adapter {adapter} is missing. Install it? dapdock fetches the tested \
             version with your own package client and checks its SHA-256."
        ),
        Choice::Trust { project, key } => format!(
            "`{key}` in {}/dapdock.toml chooses a program that dapdock runs. Trust this project \
             until dapdock ends? Read the file first.",
            project.display()
        ),
        Choice::End { session, process } => {
            format!("End {process}? It ran before the debugger attached to it (session {session}).")
        }
    }
}
