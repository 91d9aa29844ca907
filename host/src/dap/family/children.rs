//! How a child session starts and ends.
//!
//! ```text
//! initialize ──▶ launch or attach, as configured ──▶ the first `initialized`
//!            ──▶ all breakpoints ──▶ configurationDone
//! ```
//!
//! Knows the order of a start. Refuses to know which part of the debuggee the child runs.

use serde_json::{Value, json};

use crate::dap::ReverseRequest;
use crate::dap::family::breakpoints::Group;
use crate::dap::family::calls::Purpose;
use crate::dap::family::ids::{Key, ROOT};
use crate::dap::family::member::{Child, Life, Member, Streams, child_address};
use crate::dap::family::tree::{Tree, Work};

impl Tree {
    /// A member requests a further session (DAP, `startDebugging`).
    pub(crate) fn start_child(&mut self, parent: Key, request: &ReverseRequest) {
        let configuration = request.arguments["configuration"].clone();
        let label = configuration["name"].as_str().unwrap_or("child process").to_owned();
        let room = self.room();
        if let Some(member) = self.members.get(&parent) {
            let answer = room.clone().map(|()| json!({}));
            member.client.respond(request.seq, &request.command, answer);
        }
        if let Err(why) = room {
            return self.notify(format!("{label} is not debugged: {why}"));
        }
        let dialed = (self.dial)(child_address(&configuration));
        let kind = request.arguments["request"].as_str().unwrap_or("launch").to_owned();
        let child = Child { label, request: kind, configuration };
        self.dialing += 1;
        self.work.push(Box::pin(async move { Work::Dialed(child, dialed.await) }));
    }

    /// Whether the limits allow another child.
    fn room(&self) -> Result<(), String> {
        let limit = self.limits.children;
        let children = self.members.iter().filter(|(key, _)| **key != ROOT);
        let open = children.filter(|(_, member)| member.life != Life::Over).count();
        if open + self.dialing < limit {
            return Ok(());
        }
        Err(format!("{limit} child processes are debugged already (limits.children)"))
    }

    pub(crate) fn on_dialed(&mut self, child: Child, streams: Result<Streams, String>) {
        self.dialing -= 1;
        let streams = match streams {
            Ok(streams) => streams,
            Err(why) => return self.notify(format!("{} is not debugged: {why}", child.label)),
        };
        let key = self.next_key;
        self.next_key += 1;
        self.members.insert(key, Member::child(streams, self.limits.wire, child));
        self.request(key, "initialize", self.initialize.clone(), Purpose::Initialize);
    }

    /// The answer to a child's `initialize`.
    pub(crate) fn on_child_initialized(&mut self, key: Key, answer: Result<Value, String>) {
        let Some(member) = self.members.get_mut(&key) else { return };
        match answer {
            Ok(capabilities) => member.client.merge_capabilities(capabilities),
            Err(why) => return self.on_refused(key, &why),
        }
        if let Some((command, configuration)) = member.launch.take() {
            self.request(key, &command, configuration, Purpose::Launch);
        }
        self.configure(key);
    }

    /// The `initialized` event. Some adapters send it more than once; the first one counts.
    pub(crate) fn on_initialized(&mut self, key: Key) {
        if let Some(member) = self.members.get_mut(&key) {
            member.initialized = true;
        }
        self.configure(key);
    }

    /// Sends all breakpoints to a child that is ready for them.
    fn configure(&mut self, key: Key) {
        let Some(member) = self.members.get_mut(&key) else { return };
        if member.life != Life::Greeting || !member.initialized || member.launch.is_some() {
            return;
        }
        member.life = Life::Configuring;
        let mut groups = self.breakpoints.all();
        groups.retain(|((command, _), _)| member.knows(command));
        member.unanswered = groups.len();
        for (group, arguments) in groups {
            let command = group.0.clone();
            self.request(key, &command, arguments, Purpose::Breakpoints(group));
        }
        self.run(key);
    }

    /// A child's answer to breakpoints that were set before it started.
    pub(crate) fn on_child_breakpoints(
        &mut self,
        key: Key,
        group: &Group,
        answer: Result<Value, String>,
    ) {
        if let Ok(body) = answer {
            for changed in self.breakpoints.answered(key, group, &body) {
                self.front.emit("breakpoint", json!({"reason": "changed", "breakpoint": changed}));
            }
        }
        if let Some(member) = self.members.get_mut(&key) {
            member.unanswered = member.unanswered.saturating_sub(1);
        }
        self.run(key);
    }

    /// Lets a child run once all its breakpoints are answered.
    fn run(&mut self, key: Key) {
        let Some(member) = self.members.get_mut(&key) else { return };
        if member.life != Life::Configuring || member.unanswered > 0 {
            return;
        }
        member.life = Life::Live;
        if member.knows("configurationDone") {
            self.request(key, "configurationDone", json!({}), Purpose::Ignored);
        }
    }

    /// `initialize`, `launch` or `attach` of a child failed.
    pub(crate) fn on_refused(&mut self, key: Key, why: &str) {
        let Some(member) = self.members.get(&key) else { return };
        self.notify(format!("{} is not debugged: {why}", member.label));
        self.remove(key);
    }

    /// The `terminated` event of a child: the adapter waits for `disconnect`.
    pub(crate) fn on_terminated(&mut self, key: Key) {
        self.end_threads(key);
        if let Some(member) = self.members.get_mut(&key)
            && member.life != Life::Over
        {
            member.life = Life::Over;
            self.request(key, "disconnect", json!({}), Purpose::Disconnect);
        }
    }

    /// The connection is closed or no longer needed.
    pub(crate) fn remove(&mut self, key: Key) {
        self.end_threads(key);
        self.members.remove(&key);
        self.ids.forget_member(key);
        self.breakpoints.forget(key);
        let mut open: Vec<_> = self.calls.keys().filter(|(of, _)| *of == key).copied().collect();
        open.sort_unstable();
        for (key, seq) in open {
            self.settle(key, seq);
        }
        self.passed_up.retain(|_, request| request.key != key);
        if self.recent == key {
            self.recent = self.members.keys().copied().last().unwrap_or(ROOT);
        }
    }

    fn end_threads(&mut self, key: Key) {
        for thread in self.ids.threads_of(key) {
            self.front.emit("thread", json!({"reason": "exited", "threadId": thread}));
            self.ids.forget_thread(thread);
        }
        let gone = self.turns.moved(key);
        self.forget_stop(gone);
        let turn = self.turns.ended(key);
        self.take(turn);
    }
}
