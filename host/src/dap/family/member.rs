//! One connection of the tree, and how a child starts.
//!
//! ```text
//! initialize ──▶ launch or attach, as configured ──▶ the first `initialized`
//!            ──▶ all breakpoints ──▶ configurationDone
//! ```
//!
//! Knows the order of a start. Refuses to know what runs there.

use serde_json::{Value, json};

use crate::dap::family::answers::Asked;
use crate::dap::family::{Child, Door, Key, Limits, ROOT, Streams, Tree, Work};
use crate::dap::{self, Client, Inbox, ReverseRequest};

/// A connection.
pub(crate) struct Member {
    pub(crate) client: Client,
    pub(crate) inbox: Inbox,
    /// The adapter's name for it.
    pub(crate) label: String,
    pub(crate) life: Life,
    /// `launch` or `attach`, and its arguments, until it is sent.
    launch: Option<(String, Value)>,
    initialized: bool,
    /// It has told of a thread, by an event: its part of the debuggee is on its way.
    pub(crate) under_way: bool,
    /// Breakpoints that are not answered yet.
    unanswered: usize,
}

/// How far a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Life {
    /// It knows nothing of breakpoints.
    Greeting,
    /// It has been told those there were.
    Configuring,
    /// It runs its part of the debuggee.
    Live,
    /// It has ended and is taking its leave.
    Over,
}

impl Member {
    pub(crate) fn root((read, write): Streams, limits: dap::Limits) -> Self {
        let mut root = Self::child((read, write), limits, String::new(), None);
        // The actor starts it.
        (root.life, root.under_way) = (Life::Live, true);
        root
    }

    fn child(
        (read, write): Streams,
        limits: dap::Limits,
        label: String,
        launch: Option<(String, Value)>,
    ) -> Self {
        let (client, inbox) = dap::connect(read, write, limits);
        Self {
            client,
            inbox,
            label,
            life: Life::Greeting,
            launch,
            initialized: false,
            under_way: false,
            unanswered: 0,
        }
    }

    /// Whether breakpoints are told to it as they come.
    pub(crate) fn hears(&self) -> bool {
        matches!(self.life, Life::Configuring | Life::Live)
    }

    /// Whether it can be asked that: some adapters never answer what they do not know.
    pub(crate) fn knows(&self, command: &str) -> bool {
        let capabilities = self.client.capabilities();
        match command {
            "setFunctionBreakpoints" => capabilities.function_breakpoints(),
            "setExceptionBreakpoints" => !capabilities.exception_filters().is_empty(),
            "configurationDone" => capabilities.configuration_done(),
            "terminate" => capabilities.terminate(),
            _ => true,
        }
    }
}

impl Tree {
    /// A member asks for a session beside its own (DAP, `startDebugging`).
    pub(crate) fn start_child(&mut self, parent: Key, request: &ReverseRequest) {
        let configuration = request.arguments["configuration"].clone();
        let label = configuration["name"].as_str().unwrap_or("child process").to_owned();
        let answer = match self.room() {
            Ok(()) => Ok(json!({})),
            Err(why) => {
                self.tell(format!("{label} is not debugged: {why}"));
                Err(why)
            }
        };
        let refused = answer.is_err();
        if let Some(member) = self.members.get(&parent) {
            member.client.respond(request.seq, &request.command, answer);
        }
        if refused {
            return;
        }
        let door = door(&configuration);
        let kind = request.arguments["request"].as_str().unwrap_or("launch").to_owned();
        let child = Child { label, request: kind, configuration };
        let dialed = (self.dial)(door);
        self.dialing += 1;
        self.work.push(Box::pin(async move { Work::Dialed(child, dialed.await) }));
    }

    fn room(&self) -> Result<(), String> {
        let Limits { children, .. } = self.limits;
        let open = self
            .members
            .iter()
            .filter(|(key, member)| **key != ROOT && member.life != Life::Over)
            .count();
        if open + self.dialing < children {
            return Ok(());
        }
        Err(format!("{children} child processes are debugged already (limits.children)"))
    }

    pub(crate) fn on_dialed(&mut self, child: Child, streams: Result<Streams, String>) {
        self.dialing -= 1;
        let Child { label, request, configuration } = child;
        let streams = match streams {
            Ok(streams) => streams,
            Err(why) => return self.tell(format!("{label} is not debugged: {why}")),
        };
        let key = self.next_key;
        self.next_key += 1;
        let member =
            Member::child(streams, self.limits.wire, label, Some((request, configuration)));
        self.members.insert(key, member);
        self.ask(key, "initialize", self.hello.clone(), Asked::Hello);
    }

    pub(crate) fn on_hello(&mut self, key: Key, answer: Result<Value, String>) {
        let Some(member) = self.members.get_mut(&key) else { return };
        match answer {
            Ok(capabilities) => member.client.merge_capabilities(capabilities),
            Err(why) => return self.on_refused(key, &why),
        }
        if let Some((command, configuration)) = member.launch.take() {
            self.ask(key, &command, configuration, Asked::Launch);
        }
        self.configure(key);
    }

    /// The first `initialized` counts: some say it again.
    pub(crate) fn on_initialized(&mut self, key: Key) {
        if let Some(member) = self.members.get_mut(&key) {
            member.initialized = true;
        }
        self.configure(key);
    }

    fn configure(&mut self, key: Key) {
        let Some(member) = self.members.get_mut(&key) else { return };
        if member.life != Life::Greeting || !member.initialized || member.launch.is_some() {
            return;
        }
        member.life = Life::Configuring;
        let all: Vec<_> = self
            .marks
            .all()
            .into_iter()
            .filter(|((command, _), _)| member.knows(command))
            .collect();
        member.unanswered = all.len();
        for (place, arguments) in all {
            let command = place.0.clone();
            self.ask(key, &command, arguments, Asked::Marks(place));
        }
        self.run(key);
    }

    /// Its answer to breakpoints that were set before it came.
    pub(crate) fn on_marked(
        &mut self,
        key: Key,
        place: &super::marks::Place,
        answer: Result<Value, String>,
    ) {
        if let Ok(body) = answer {
            for changed in self.marks.answered(key, place, &body) {
                self.front.emit("breakpoint", json!({"reason": "changed", "breakpoint": changed}));
            }
        }
        if let Some(member) = self.members.get_mut(&key) {
            member.unanswered = member.unanswered.saturating_sub(1);
        }
        self.run(key);
    }

    /// Lets it run once all is said.
    fn run(&mut self, key: Key) {
        let Some(member) = self.members.get_mut(&key) else { return };
        if member.life != Life::Configuring || member.unanswered > 0 {
            return;
        }
        member.life = Life::Live;
        if member.knows("configurationDone") {
            self.ask(key, "configurationDone", json!({}), Asked::Nothing);
        }
    }

    /// It will not run its part.
    pub(crate) fn on_refused(&mut self, key: Key, why: &str) {
        let Some(member) = self.members.get(&key) else { return };
        self.tell(format!("{} is not debugged: {why}", member.label));
        self.remove(key);
    }

    /// Its part of the debuggee has ended; the adapter waits for it to be dismissed.
    pub(crate) fn on_over(&mut self, key: Key) {
        self.end_threads(key);
        if let Some(member) = self.members.get_mut(&key)
            && member.life != Life::Over
        {
            member.life = Life::Over;
            self.ask(key, "disconnect", json!({}), Asked::Leave);
        }
    }

    /// The connection is gone, or has no more use.
    pub(crate) fn remove(&mut self, key: Key) {
        self.end_threads(key);
        self.members.remove(&key);
        self.ids.forget_member(key);
        self.marks.forget(key);
        let mut lost: Vec<_> = self.calls.keys().filter(|(of, _)| *of == key).copied().collect();
        lost.sort_unstable();
        for (key, seq) in lost {
            self.settle(key, seq);
        }
        self.passed_up.retain(|_, (_, of, _, _)| *of != key);
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
        self.on_gone(gone);
        let turn = self.turns.ended(key);
        self.take(turn);
    }
}

fn door(configuration: &Value) -> Door {
    let connect = &configuration["connect"];
    match connect["port"].as_u64().and_then(|port| u16::try_from(port).ok()) {
        Some(port) => {
            Door::At { host: connect["host"].as_str().unwrap_or("127.0.0.1").to_owned(), port }
        }
        None => Door::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_may_name_its_server() {
        assert_eq!(door(&json!({"type": "x"})), Door::Same);
        let there = json!({"connect": {"host": "localhost", "port": 5678}});
        assert_eq!(door(&there), Door::At { host: "localhost".into(), port: 5678 });
    }
}
