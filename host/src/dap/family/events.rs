//! What members say by themselves, on its way to the actor.
//!
//! Knows which events are about one member and which about the debuggee. Refuses to know what is
//! made of them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::dap::family::answers::Asked;
use crate::dap::family::ids::Kind;
use crate::dap::family::turns::Turn;
use crate::dap::family::{Key, ROOT, Tree, Work};
use crate::dap::{Inbound, RawEvent, ReverseRequest};

impl Tree {
    pub(crate) fn on_member(&mut self, key: Key, inbound: Inbound) {
        match inbound {
            Inbound::Event(RawEvent { event, body }) => self.on_event(key, &event, body),
            Inbound::Response(response) => self.settle(key, response.request_seq),
            Inbound::Request(request) if request.command == "startDebugging" => {
                self.start_child(key, &request)
            }
            Inbound::Request(request) => self.pass_up(key, request),
            Inbound::Garbage(garbage) => {
                tracing::debug!(key, ?garbage, "a member sent no DAP message")
            }
            // A child's connection is its own matter.
            Inbound::Closed(_) => self.remove(key),
        }
    }

    fn on_event(&mut self, key: Key, event: &str, mut body: Value) {
        if let ("thread" | "stopped" | "continued", Some(member)) =
            (event, self.members.get_mut(&key))
        {
            member.under_way = true;
        }
        match event {
            "initialized" if key != ROOT => return self.on_initialized(key),
            // How the debuggee ends is the root's to say.
            "terminated" if key != ROOT => return self.on_over(key),
            "exited" | "process" if key != ROOT => return,
            "capabilities" => {
                if let Some(member) = self.members.get(&key) {
                    member.client.merge_capabilities(body["capabilities"].clone());
                }
                if key != ROOT {
                    return;
                }
            }
            "stopped" => return self.on_stopped(key, body),
            "breakpoint" => return self.on_breakpoint(key, body),
            // One for each of hundreds of scripts; of those that are no file nobody above reads.
            "loadedSource" if body["source"]["sourceReference"].as_i64().unwrap_or(0) != 0 => {
                return;
            }
            "thread" => return self.on_thread(key, body),
            _ => {}
        }
        self.ids.outward(key, &mut body);
        self.front.emit(event, body);
    }

    /// A stop anywhere is the debuggee's, one at a time.
    fn on_stopped(&mut self, key: Key, mut body: Value) {
        let ids: Vec<i64> = body["hitBreakpointIds"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_i64)
            .collect();
        if ids.is_empty() {
            return self.on_read_stop(key, body);
        }
        let numbers = self.marks.numbers(key, &ids);
        body["hitBreakpointIds"] = json!(numbers);
        if numbers.len() <= ids.len() {
            return self.on_read_stop(key, body);
        }
        let top = json!({"threadId": body["threadId"], "levels": 1});
        self.ask(key, "stackTrace", top, Asked::Place(body));
    }

    /// Where it stands tells which breakpoints it has hit.
    pub(crate) fn on_place(&mut self, key: Key, mut stop: Value, answer: Result<Value, String>) {
        let numbers: Vec<i64> = stop["hitBreakpointIds"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_i64)
            .collect();
        let frame = answer.map(|mut body| body["stackFrames"][0].take()).unwrap_or_default();
        let hit = self.marks.at(&numbers, &frame);
        if !hit.is_empty() {
            stop["hitBreakpointIds"] = json!(hit);
        }
        self.on_read_stop(key, stop);
    }

    fn on_read_stop(&mut self, key: Key, body: Value) {
        // It may stop before it has answered.
        let gone = self.turns.moved(key);
        self.on_gone(gone);
        let turn = self.turns.stopped(key, body);
        self.take(turn);
    }

    pub(crate) fn tell_next_stop(&mut self) {
        let turn = self.turns.next();
        self.take(turn);
    }

    pub(crate) fn take(&mut self, turn: Turn) {
        match turn {
            Turn::Nothing => {}
            Turn::Tell(key, body, again) => self.tell_stop(key, body, again),
            Turn::Wait(number) => {
                let limit = self.limits.step;
                self.work.push(Box::pin(async move {
                    drop(tokio::time::timeout(limit, std::future::pending::<()>()).await);
                    Work::Late(number)
                }));
            }
        }
    }

    fn tell_stop(&mut self, key: Key, mut body: Value, again: bool) {
        self.recent = key;
        self.ids.outward(key, &mut body);
        if again {
            body["again"] = true.into();
        }
        if self.members.len() > 1 {
            let own = self.ids.threads_of(key);
            // Of several threads of its own it says that itself.
            if own.len() < 2 {
                body["allThreadsStopped"] = false.into();
            }
            body["together"] = json!(own);
        }
        self.front.emit("stopped", body);
    }

    fn on_breakpoint(&mut self, key: Key, mut body: Value) {
        let changed = self.marks.news(key, body["breakpoint"].take());
        if let Some(breakpoint) = changed.filter(|_| body["reason"] != "removed") {
            self.front.emit("breakpoint", json!({"reason": "changed", "breakpoint": breakpoint}));
        }
    }

    fn on_thread(&mut self, key: Key, mut body: Value) {
        let theirs = body["threadId"].as_i64();
        self.ids.outward(key, &mut body);
        if let (Some(theirs), true) = (theirs, body["reason"] == "exited") {
            let ours = self.ids.ours(Kind::Thread, key, theirs);
            self.ids.forget_thread(ours);
        }
        self.front.emit("thread", body);
    }

    /// Whatever else a member asks is between it and the actor.
    fn pass_up(&mut self, key: Key, request: ReverseRequest) {
        let ReverseRequest { seq, command, arguments } = request;
        let call = self.front.request_raw_within(&command, arguments, Duration::MAX);
        if let Some(number) = call.seq() {
            self.passed_up.insert(number, (call, key, seq, command));
        }
    }
}
