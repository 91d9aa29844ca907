//! The optional interface `hooks`: messages of a running session. Calls only functions that the
//! manifest's `interests` name.

use serde_json::Value;
use wasmtime::component::Resource;

use crate::model::answer::{
    DapEvent, DapResponse, EventAction, RequestAction, ResponseAction, SessionView,
};
use crate::plugin::Plugin;
use crate::plugin::answer::convert::{self, Json};
use crate::plugin::engine::bindings::hooks;
use crate::plugin::engine::call::{Call, Failure, Work, call};
use crate::plugin::engine::code::VERSION;
use crate::plugin::engine::store::Session;
use crate::plugin::error::{Cause, Error};

/// The answer of a hook, and the plugin's new session state if it set one.
pub(crate) type Hooked<T> = Result<(T, Option<Value>), Error>;

impl Plugin {
    /// Does the plugin want to see requests of this command before they are sent?
    pub fn wants_request(&self, command: &str) -> bool {
        has(&self.manifest().interests.requests, command)
    }

    /// Does it want to see the responses to this command?
    pub fn wants_response(&self, command: &str) -> bool {
        has(&self.manifest().interests.responses, command)
    }

    /// Does it want to see these events?
    pub fn wants_event(&self, event: &str) -> bool {
        has(&self.manifest().interests.events, event)
    }

    /// Before a request is sent; `Unchanged` when the plugin has no interest.
    pub async fn on_request(
        &self,
        session: &SessionView,
        command: &str,
        arguments: &Value,
    ) -> Hooked<RequestAction> {
        if !self.wants_request(command) {
            return Ok((RequestAction::Unchanged, None));
        }
        let (command, arguments) = (command.to_owned(), arguments.to_string());
        self.hook("on-request", session, move |call, lent| {
            Box::pin(async move {
                let hooks = guest(call)?;
                let answer =
                    hooks.call_on_request(&mut call.store, lent, &command, &arguments).await?;
                Ok(request_action(Json { function: "on-request" }, answer)?)
            })
        })
        .await
    }

    /// After a response; `Unchanged` when the plugin has no interest.
    pub async fn on_response(
        &self,
        session: &SessionView,
        command: &str,
        arguments: &Value,
        response: &DapResponse,
    ) -> Hooked<ResponseAction> {
        if !self.wants_response(command) {
            return Ok((ResponseAction::Unchanged, None));
        }
        let (command, arguments) = (command.to_owned(), arguments.to_string());
        let body = response.body.to_string();
        let response = hooks::DapResponse {
            success: response.success,
            message: response.message.clone(),
            body,
        };
        self.hook("on-response", session, move |call, lent| {
            Box::pin(async move {
                let hooks = guest(call)?;
                let answer = hooks
                    .call_on_response(&mut call.store, lent, &command, &arguments, &response)
                    .await?;
                Ok(response_action(Json { function: "on-response" }, answer)?)
            })
        })
        .await
    }

    /// After events of one name, which one instance reads in order: an action for each,
    /// `Unchanged` when the plugin has no interest.
    pub async fn on_events(
        &self,
        session: &SessionView,
        events: &[DapEvent],
    ) -> Hooked<Vec<EventAction>> {
        if !events.iter().any(|event| self.wants_event(&event.event)) {
            return Ok((vec![EventAction::Unchanged; events.len()], None));
        }
        let mut calls = Vec::with_capacity(events.len());
        for DapEvent { event, body } in events {
            calls.push((event.clone(), body.to_string()));
        }
        self.hook("on-event", session, move |call, lent| {
            Box::pin(async move {
                let (hooks, mut actions) = (guest(call)?, Vec::with_capacity(calls.len()));
                for (event, body) in &calls {
                    let lent = Resource::new_borrow(lent.rep());
                    let answer = hooks.call_on_event(&mut call.store, lent, event, body).await?;
                    actions.push(event_action(Json { function: "on-event" }, answer)?);
                }
                Ok(actions)
            })
        })
        .await
    }

    /// Lends a session to `work`; returns the state that the call set.
    pub(crate) async fn hook<T, W>(
        &self,
        function: &'static str,
        session: &SessionView,
        work: W,
    ) -> Hooked<T>
    where
        T: Send + 'static,
        W: for<'a> FnOnce(&'a mut Call, Resource<Session>) -> Work<'a, T> + Send + 'static,
    {
        let manifest = self.0.component.manifest.clone();
        let session = Session { view: session.clone(), manifest, new_state: None };
        call(&self.0.component, function, move |call| {
            Box::pin(async move {
                call.store.data_mut().log = session.view.log.clone();
                let own = call.store.data_mut().table.push(session)?;
                let (rep, lent) = (own.rep(), Resource::new_borrow(own.rep()));
                let answer = work(call, lent).await?;
                let session: Session =
                    call.store.data_mut().table.delete(Resource::new_own(rep))?;
                Ok((answer, session.new_state))
            })
        })
        .await
    }
}

pub(crate) fn has(list: &[String], name: &str) -> bool {
    list.iter().any(|one| one == name)
}

/// The error for a missing interface; the manifest check rules it out.
pub(crate) fn absent(interface: &str) -> Failure {
    let interface = format!("dapdock:plugin/{interface}@{VERSION}");
    Cause::Incompatible { interface, reason: "not exported".into() }.into()
}

fn guest(call: &mut Call) -> Result<hooks::Guest, Failure> {
    let code = call.code.clone();
    let indices = code.exports.hooks.as_ref().ok_or_else(|| absent("hooks"))?;
    Ok(indices.load(&mut call.store, &call.instance)?)
}

fn request_action(json: Json, action: hooks::RequestAction) -> Result<RequestAction, Cause> {
    Ok(match action {
        hooks::RequestAction::Unchanged => RequestAction::Unchanged,
        hooks::RequestAction::Replace(text) => {
            RequestAction::Replace(json.object("replace", &text)?)
        }
        hooks::RequestAction::Expand(all) => {
            RequestAction::Expand(json.each("expand", all, Json::request)?)
        }
        hooks::RequestAction::Respond(text) => {
            RequestAction::Respond(json.object("respond", &text)?)
        }
        hooks::RequestAction::Reject(error) => RequestAction::Reject(convert::refusal(error)),
    })
}

fn response_action(json: Json, action: hooks::ResponseAction) -> Result<ResponseAction, Cause> {
    Ok(match action {
        hooks::ResponseAction::Unchanged => ResponseAction::Unchanged,
        hooks::ResponseAction::Replace(text) => {
            ResponseAction::Replace(json.object("replace", &text)?)
        }
        hooks::ResponseAction::Fail(error) => ResponseAction::Fail(convert::refusal(error)),
    })
}

fn event_action(json: Json, action: hooks::EventAction) -> Result<EventAction, Cause> {
    Ok(match action {
        hooks::EventAction::Unchanged => EventAction::Unchanged,
        hooks::EventAction::Effect(effect) => EventAction::Effect {
            events: json.each("effect.events", effect.events, Json::event)?,
            requests: json.each("effect.requests", effect.requests, Json::request)?,
        },
    })
}
