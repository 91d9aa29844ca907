//! Events and reverse requests of the members on their way to the actor.
//!
//! Knows which events are about one member and which about the debuggee. Refuses to know what the
//! actor makes of them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::dap::family::calls::Purpose;
use crate::dap::family::ids::{Key, Kind, ROOT};
use crate::dap::family::tree::{PassedUp, Tree, Work};
use crate::dap::family::turns::Turn;
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
                self.log(&format!("a child connection sent no DAP message: {garbage:?}"))
            }
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
            // The root reports how the debuggee ends.
            "terminated" if key != ROOT => return self.on_terminated(key),
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
            // One event for each of hundreds of scripts; nobody reads those without a file.
            "loadedSource" if body["source"]["sourceReference"].as_i64().unwrap_or(0) != 0 => {
                return;
            }
            "thread" => return self.on_thread(key, body),
            _ => {}
        }
        self.ids.outward(key, &mut body);
        self.front.emit(event, body);
    }

    fn on_stopped(&mut self, key: Key, mut body: Value) {
        let ids = hit_ids(&body);
        if ids.is_empty() {
            return self.on_complete_stop(key, body);
        }
        let ours = self.breakpoints.ids(key, &ids);
        body["hitBreakpointIds"] = json!(ours);
        if ours.len() <= ids.len() {
            return self.on_complete_stop(key, body);
        }
        let top = json!({"threadId": body["threadId"], "levels": 1});
        self.request(key, "stackTrace", top, Purpose::Place(body));
    }

    /// The top frame decides which of several breakpoints of one id are hit.
    pub(crate) fn on_place(&mut self, key: Key, mut stop: Value, answer: Result<Value, String>) {
        let frame = answer.map(|mut body| body["stackFrames"][0].take()).unwrap_or_default();
        let hit = self.breakpoints.at(&hit_ids(&stop), &frame);
        if !hit.is_empty() {
            stop["hitBreakpointIds"] = json!(hit);
        }
        self.on_complete_stop(key, stop);
    }

    fn on_complete_stop(&mut self, key: Key, body: Value) {
        // A member may stop before it answers the move.
        let gone = self.turns.moved(key);
        self.forget_stop(gone);
        let turn = self.turns.stopped(key, body);
        self.take(turn);
    }

    pub(crate) fn report_next_stop(&mut self) {
        let turn = self.turns.next();
        self.take(turn);
    }

    pub(crate) fn take(&mut self, turn: Turn) {
        match turn {
            Turn::Nothing => {}
            Turn::Report { key, body, again } => self.report_stop(key, body, again),
            Turn::Wait(number) => self.after(self.limits.step, Work::MoveIsLate(number)),
        }
    }

    fn report_stop(&mut self, key: Key, mut body: Value, again: bool) {
        self.recent = key;
        self.ids.outward(key, &mut body);
        if again {
            body["again"] = true.into();
        }
        if self.members.len() > 1 {
            let threads = self.ids.threads_of(key);
            // A member with several threads reports itself whether all of them stopped.
            if threads.len() < 2 {
                body["allThreadsStopped"] = false.into();
            }
            body["together"] = json!(threads);
        }
        self.front.emit("stopped", body);
    }

    fn on_breakpoint(&mut self, key: Key, mut body: Value) {
        let changed = self.breakpoints.changed(key, body["breakpoint"].take());
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

    /// Passes a reverse request to the actor.
    fn pass_up(&mut self, key: Key, request: ReverseRequest) {
        let ReverseRequest { seq, command, arguments } = request;
        let call = self.front.request_raw_with_limit(&command, arguments, Duration::MAX);
        if let Some(number) = call.seq() {
            self.passed_up.insert(number, PassedUp { call, key, seq, command });
        }
    }
}

/// The breakpoint ids of a `stopped` event.
fn hit_ids(stop: &Value) -> Vec<i64> {
    let ids = stop["hitBreakpointIds"].as_array().into_iter().flatten();
    ids.filter_map(Value::as_i64).collect()
}
