//! Raw requests: written by the caller, sent as they are, and recorded in the session's log.
//!
//! Refuses to know what a request means. Its events arrive like those of any other; the next
//! `continued` event means that the request resumed the debuggee.

use serde_json::Value;

use super::{Actor, Done, Phase};
use crate::session::adapter::commands;
use crate::session::handle::RawRequest;
use crate::session::record::reply::Reply;

impl Actor {
    pub(super) fn send_raw(&mut self, request: RawRequest, reply: Reply<Value>) {
        let RawRequest { command, arguments, shell, limit } = request;
        let is_up = self.phase.is_up();
        let Some(wire) = self.wire.clone().filter(|_| is_up) else {
            return reply.send(Err(self.not_ready()));
        };
        let language = self.quirks.commands();
        let checked = language
            .map(|language| commands::check_request(language, &command, &arguments, shell))
            .transpose();
        if let Err(error) = checked {
            return reply.send(Err(error.into()));
        }
        self.log.add(format!("raw request: {command} {arguments}"));
        self.side_effects.on_raw_request();
        self.flows.push(Box::pin(async move {
            let answer = wire.client().request_raw_with_limit(&command, arguments, limit).await;
            reply.send(answer.map_err(|error| wire.error(&error)));
            Done::Answered
        }));
    }

    /// Leaves a stop that a raw request has resumed, or, where commands of the debugger start
    /// programs, that the commands of a breakpoint have.
    pub(super) fn leave_stop_if_raw(&mut self) {
        let may_be_resumed = self.side_effects.is_raw() || self.is_open();
        if may_be_resumed && matches!(self.phase, Phase::Idle | Phase::Stopped) {
            self.leave_stop();
        }
    }

    /// The debuggee runs, and not by a move of the host.
    pub(super) fn leave_stop(&mut self) {
        self.stops.on_resume(true);
        self.begin_move(None, None);
    }
}
