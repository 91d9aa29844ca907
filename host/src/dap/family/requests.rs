//! What the actor asks: whom it concerns, and who else must hear it.
//!
//! Knows which commands concern everybody. Refuses to know their results.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::dap::family::answers::{Asked, Gathering, Merge};
use crate::dap::family::ids::{Kind, Unknown};
use crate::dap::family::marks::{self, Place};
use crate::dap::family::member::Life;
use crate::dap::family::{Key, ROOT, Tree, Work};
use crate::dap::{ReverseRequest, resumes};

/// Whether it comes back soon, as a rule.
fn steps(command: &str) -> bool {
    matches!(command, "next" | "stepIn" | "stepOut" | "stepBack")
}

impl Tree {
    pub(crate) fn on_request(&mut self, request: ReverseRequest) {
        let ReverseRequest { seq, command, mut arguments } = request;
        match command.as_str() {
            "initialize" => {
                arguments["supportsStartDebuggingRequest"] = true.into();
                self.hello = arguments.clone();
                self.ask(ROOT, &command, arguments, Asked::Actor { seq, command: command.clone() });
            }
            "launch" | "attach" | "configurationDone" | "restart" => {
                self.ask(ROOT, &command, arguments, Asked::Actor { seq, command: command.clone() });
            }
            "disconnect" if self.is_on_its_way() => {
                let limit = self.limits.disconnect;
                self.early_leave = Some((seq, arguments));
                self.work.push(Box::pin(async move {
                    drop(tokio::time::timeout(limit, std::future::pending::<()>()).await);
                    Work::Leaves
                }));
            }
            "disconnect" => self.disconnect(seq, &arguments),
            "threads" => self
                .gather(seq, &command, &Value::Null, Merge::Threads, |member| member == Life::Live),
            "terminate" => {
                self.gather(seq, &command, &arguments, Merge::Any, |member| member == Life::Live)
            }
            _ if marks::is_set(&command)
                && arguments["source"]["sourceReference"].as_i64().unwrap_or(0) == 0 =>
            {
                let place = self.marks.set(&command, &arguments);
                self.gather(seq, &command, &arguments, Merge::Marks(place), |_| true);
            }
            _ => self.route(seq, &command, arguments),
        }
    }

    /// To the member whose numbers it names; without any, to the one that stopped last.
    fn route(&mut self, seq: i64, command: &str, mut arguments: Value) {
        let thread = arguments["threadId"].as_i64();
        let key = match self.ids.inward(&mut arguments) {
            Ok(owner) => owner.unwrap_or(self.recent),
            // The thread that stopped last may have ended: any other shows where the program is.
            Err(unknown @ Unknown { kind: Kind::Thread, .. }) if command == "pause" => {
                return match self.some_thread() {
                    Some(thread) => self.route(seq, command, json!({"threadId": thread})),
                    None if self.awaits_threads() => self.early_pauses.push((seq, None)),
                    None => self.refuse(seq, command, &unknown),
                };
            }
            Err(unknown) => return self.refuse(seq, command, &unknown),
        };
        if command == "pause" && !self.is_under_way(key) {
            return self.early_pauses.push((seq, thread));
        }
        if resumes(command) {
            let gone = self.turns.ask(key, seq, steps(command));
            self.on_gone(gone);
        }
        self.ask(key, command, arguments, Asked::Actor { seq, command: command.to_owned() });
        if resumes(command) {
            self.tell_next_stop();
        }
    }

    /// What was read of its stop is of no use any more.
    pub(crate) fn on_gone(&mut self, key: Option<Key>) {
        if let Some(key) = key {
            self.ids.forget_stop(key);
        }
    }

    /// A member that has not told of a thread by itself may list one that does not run yet. A pause
    /// would fall among the adapter's own preparations, and some debuggees never leave those then.
    fn is_under_way(&self, key: Key) -> bool {
        self.members.get(&key).is_some_and(|member| member.under_way)
    }

    /// A thread that lives, where one is known.
    fn some_thread(&self) -> Option<i64> {
        let members = std::iter::once(&self.recent).chain(self.members.keys());
        let members = members.filter(|key| self.is_under_way(**key));
        members.flat_map(|key| self.ids.threads_of(*key)).next()
    }

    /// Is the debuggee still on its way to us?
    fn awaits_threads(&self) -> bool {
        let starting =
            self.members.values().any(|member| member.life < Life::Live || !member.under_way);
        self.dialing > 0 || starting || self.ids.is_new(Kind::Thread)
    }

    /// A debuggee that is said to run may have told of no thread yet: pauses wait for the one they
    /// name, or the first.
    pub(crate) fn send_early_pauses(&mut self) {
        for (seq, named) in std::mem::take(&mut self.early_pauses) {
            // A member that has gone takes its threads with it: then any other shows where the
            // program is.
            let owner = named.and_then(|thread| self.ids.theirs(Kind::Thread, thread).ok());
            let thread = match owner {
                Some((key, _)) => named.filter(|_| self.is_under_way(key)),
                None => self.some_thread(),
            };
            let stands = self.turns.is_shown(owner.map(|(of, _)| of));
            match thread {
                None => self.early_pauses.push((seq, named)),
                Some(_) if stands => self.front.respond(seq, "pause", Ok(json!({}))),
                Some(thread) => self.route(seq, "pause", json!({"threadId": thread})),
            }
        }
    }

    fn refuse(&mut self, seq: i64, command: &str, unknown: &Unknown) {
        if resumes(command) && unknown.kind == Kind::Thread {
            // It has ended where it stood; the others run. What is shown by now the actor has not
            // asked to move.
            self.front.respond(seq, command, Ok(json!({"allThreadsContinued": false})));
            self.turns.set_aside();
            return self.tell_next_stop();
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

    /// Asks everybody who `hears`, and the root; the answers become one.
    fn gather(
        &mut self,
        seq: i64,
        command: &str,
        arguments: &Value,
        merge: Merge,
        hears: impl Fn(Life) -> bool,
    ) {
        let asked: Vec<Key> = self
            .members
            .iter()
            .filter(|(_, member)| member.hears() && hears(member.life))
            .filter(|(key, member)| **key == ROOT || member.knows(command))
            .map(|(key, _)| *key)
            .collect();
        let gathering = Gathering {
            command: command.to_owned(),
            merge,
            waiting: asked.len(),
            answers: Vec::new(),
        };
        self.gatherings.insert(seq, gathering);
        for key in asked {
            self.ask(key, command, arguments.clone(), Asked::Part { seq });
        }
    }

    /// It is said to run, and has told of no thread: some adapters that are left then wait for ever
    /// for a child session that they have not asked for yet.
    pub(crate) fn is_on_its_way(&self) -> bool {
        self.runs && self.ids.is_new(Kind::Thread)
    }

    pub(crate) fn leave_early(&mut self) {
        if let Some((seq, arguments)) = self.early_leave.take() {
            self.disconnect(seq, &arguments);
        }
    }

    /// Children before the root, which does not answer while there are any.
    fn disconnect(&mut self, seq: i64, arguments: &Value) {
        let Some(root) = self.members.get(&ROOT).map(|root| root.client.clone()) else { return };
        let limit = self.limits.disconnect;
        let children = self.members.iter().rev().filter(|(key, _)| **key != ROOT);
        let leave = |member: &crate::dap::family::Member| {
            member.client.request_raw_within("disconnect", arguments.clone(), limit)
        };
        let leaving: Vec<_> = children.map(|(_, member)| leave(member)).collect();
        let arguments = arguments.clone();
        self.work.push(Box::pin(async move {
            join_all(leaving).await;
            let answer =
                root.request_raw_within("disconnect", arguments, std::time::Duration::MAX).await;
            Work::Disconnected { seq, answer: answer.map_err(crate::dap::family::answers::words) }
        }));
    }
}

/// Where the answers of a set belong.
pub(crate) fn place(merge: &Merge) -> Option<&Place> {
    match merge {
        Merge::Marks(place) => Some(place),
        _ => None,
    }
}
