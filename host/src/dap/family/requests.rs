//! Requests of the actor: which member receives them.
//!
//! Knows which commands concern all members. Refuses to know their results.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::dap::family::breakpoints;
use crate::dap::family::calls::{Gathering, Merge, Purpose, error_text};
use crate::dap::family::ids::{Key, Kind, ROOT, Unknown};
use crate::dap::family::member::Life;
use crate::dap::family::tree::{EarlyPause, Tree, Work};
use crate::dap::{ReverseRequest, resumes};

/// Whether the thread usually stops again soon.
fn steps(command: &str) -> bool {
    matches!(command, "next" | "stepIn" | "stepOut" | "stepBack")
}

impl Tree {
    pub(crate) fn on_request(&mut self, request: ReverseRequest) {
        let ReverseRequest { seq, command, mut arguments } = request;
        match command.as_str() {
            "initialize" => {
                arguments["supportsStartDebuggingRequest"] = true.into();
                self.initialize = arguments.clone();
                self.request_for_actor(ROOT, seq, command, arguments);
            }
            "launch" | "attach" | "configurationDone" | "restart" => {
                self.request_for_actor(ROOT, seq, command, arguments);
            }
            "disconnect" if self.awaits_first_thread() => {
                self.early_disconnect = Some((seq, arguments));
                self.after(self.limits.disconnect, Work::ThreadIsLate);
            }
            "disconnect" => self.disconnect(seq, &arguments),
            "threads" => {
                let live = self.receivers(&command, |life| life == Life::Live);
                self.gather(seq, &command, &Value::Null, Merge::Threads, live);
            }
            "terminate" => {
                let live = self.receivers(&command, |life| life == Life::Live);
                self.gather(seq, &command, &arguments, Merge::Any, live);
            }
            _ if breakpoints::is_set(&command)
                && arguments["source"]["sourceReference"].as_i64().unwrap_or(0) == 0 =>
            {
                let group = self.breakpoints.set(&command, &arguments);
                let all = self.receivers(&command, |_| true);
                self.gather(seq, &command, &arguments, Merge::Breakpoints(group), all);
            }
            _ => self.route(seq, &command, arguments),
        }
    }

    /// Sends the actor's request to one member.
    fn request_for_actor(&mut self, key: Key, seq: i64, command: String, arguments: Value) {
        let purpose = Purpose::Actor { seq, command: command.clone() };
        self.request(key, &command, arguments, purpose);
    }

    /// Sends a request to the member that its ids belong to; without ids, to the member that
    /// stopped last.
    fn route(&mut self, seq: i64, command: &str, mut arguments: Value) {
        let thread = arguments["threadId"].as_i64();
        let key = match self.ids.inward(&mut arguments) {
            Ok(owner) => owner.unwrap_or(self.recent),
            // The thread that stopped last has ended: any other one shows where the program is.
            Err(unknown @ Unknown { kind: Kind::Thread, .. }) if command == "pause" => {
                return match self.some_thread() {
                    Some(thread) => self.route(seq, command, json!({"threadId": thread})),
                    None if self.awaits_threads() => {
                        self.early_pauses.push(EarlyPause { seq, thread: None });
                    }
                    None => self.refuse(seq, command, &unknown),
                };
            }
            Err(unknown) => return self.refuse(seq, command, &unknown),
        };
        if command == "pause" && !self.is_under_way(key) {
            return self.early_pauses.push(EarlyPause { seq, thread });
        }
        if resumes(command) {
            let gone = self.turns.request(key, seq, steps(command));
            self.forget_stop(gone);
        }
        self.request_for_actor(key, seq, command.to_owned(), arguments);
        if resumes(command) {
            self.report_next_stop();
        }
    }

    /// The member, if any, runs again: the ids of its stop become invalid.
    pub(crate) fn forget_stop(&mut self, key: Option<Key>) {
        if let Some(key) = key {
            self.ids.forget_stop(key);
        }
    }

    /// Whether an event of the member named a thread. Before that, `threads` may list a thread that
    /// does not run yet; some debuggees never continue when they are paused then.
    fn is_under_way(&self, key: Key) -> bool {
        self.members.get(&key).is_some_and(|member| member.under_way)
    }

    /// A running thread, of the member that stopped last if possible.
    fn some_thread(&self) -> Option<i64> {
        let members = std::iter::once(&self.recent).chain(self.members.keys());
        let members = members.filter(|key| self.is_under_way(**key));
        members.flat_map(|key| self.ids.threads_of(*key)).next()
    }

    /// Whether a part of the debuggee has not started.
    fn awaits_threads(&self) -> bool {
        let mut members = self.members.values();
        let starting = members.any(|member| member.life < Life::Live || !member.under_way);
        self.dialing > 0 || starting || self.ids.is_new(Kind::Thread)
    }

    /// Sends the pauses whose thread runs by now: the thread that they name, or any if they name
    /// none.
    pub(crate) fn send_early_pauses(&mut self) {
        for EarlyPause { seq, thread: named } in std::mem::take(&mut self.early_pauses) {
            // A member that has ended takes its threads with it: any other thread serves.
            let owner = named.and_then(|thread| self.ids.theirs(Kind::Thread, thread).ok());
            let thread = match owner {
                Some((key, _)) => named.filter(|_| self.is_under_way(key)),
                None => self.some_thread(),
            };
            let is_stopped = self.turns.is_current(owner.map(|(key, _)| key));
            match thread {
                None => self.early_pauses.push(EarlyPause { seq, thread: named }),
                Some(_) if is_stopped => self.front.respond(seq, "pause", Ok(json!({}))),
                Some(thread) => self.route(seq, "pause", json!({"threadId": thread})),
            }
        }
    }

    fn refuse(&mut self, seq: i64, command: &str, unknown: &Unknown) {
        if resumes(command) && unknown.kind == Kind::Thread {
            // The thread ended during its stop; the other members run. The actor did not resume
            // the stop that is current now.
            self.front.respond(seq, command, Ok(json!({"allThreadsContinued": false})));
            self.turns.set_aside();
            return self.report_next_stop();
        }
        let what = match unknown.kind {
            Kind::Thread => "thread",
            Kind::Frame => "frame",
            Kind::Variables => "variable",
            Kind::Source => "source",
            Kind::Location => "location",
            Kind::Target => "target",
        };
        self.front.respond(seq, command, Err(format!("{what} {} is gone", unknown.number)));
    }

    /// Members in a fitting state that know the command, and the root.
    fn receivers(&self, command: &str, fits: fn(Life) -> bool) -> Vec<Key> {
        let mut receivers = Vec::new();
        for (key, member) in &self.members {
            let knows = *key == ROOT || member.knows(command);
            if member.takes_breakpoints() && fits(member.life) && knows {
                receivers.push(*key);
            }
        }
        receivers
    }

    /// Sends a request to several members; their answers become one.
    fn gather(
        &mut self,
        seq: i64,
        command: &str,
        arguments: &Value,
        merge: Merge,
        receivers: Vec<Key>,
    ) {
        let gathering = Gathering {
            command: command.to_owned(),
            merge,
            waiting: receivers.len(),
            answers: Vec::new(),
        };
        self.gatherings.insert(seq, gathering);
        for key in receivers {
            self.request(key, command, arguments.clone(), Purpose::Part { seq });
        }
    }

    /// Whether the debuggee is launched and no thread is known. Some adapters that receive
    /// `disconnect` then wait for ever for a child session that they have not requested.
    pub(crate) fn awaits_first_thread(&self) -> bool {
        self.launched && self.ids.is_new(Kind::Thread)
    }

    pub(crate) fn send_early_disconnect(&mut self) {
        if let Some((seq, arguments)) = self.early_disconnect.take() {
            self.disconnect(seq, &arguments);
        }
    }

    /// Disconnects the children, then the root, which does not answer while there are children.
    fn disconnect(&mut self, seq: i64, arguments: &Value) {
        let Some(root) = self.members.get(&ROOT).map(|root| root.client.clone()) else { return };
        let limit = self.limits.disconnect;
        let mut leaving = Vec::new();
        for (_, member) in self.members.iter().rev().filter(|(key, _)| **key != ROOT) {
            let call = member.client.request_raw_with_limit("disconnect", arguments.clone(), limit);
            leaving.push(call);
        }
        let arguments = arguments.clone();
        self.work.push(Box::pin(async move {
            join_all(leaving).await;
            let answer = root.request_raw_with_limit("disconnect", arguments, Duration::MAX).await;
            Work::Disconnected { seq, answer: answer.map_err(error_text) }
        }));
    }
}
