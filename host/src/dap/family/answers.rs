//! Answers of the members on their way to the actor, and of the actor on their way to a member.
//!
//! Knows how several answers become one. Refuses to know why the requests were sent.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::dap::family::calls::{Gathering, Merge, Purpose, error_text};
use crate::dap::family::ids::{Key, ROOT};
use crate::dap::family::tree::{PassedUp, Tree};
use crate::dap::{Error, resumes};

impl Tree {
    /// A request to a member is answered, or its connection is closed.
    pub(crate) fn settle(&mut self, key: Key, seq: i64) {
        let Some((call, purpose)) = self.calls.remove(&(key, seq)) else { return };
        let answer = match (call.now(), &purpose) {
            // The connection ended during a move: the thread is no longer stopped.
            (Err(Error::Closed { .. }), Purpose::Actor { command, .. }) if resumes(command) => {
                Ok(json!({}))
            }
            // What is known of the breakpoints stays: their code was loaded.
            (Err(Error::Closed { .. }), Purpose::Part { seq }) if self.sets_breakpoints(*seq) => {
                Ok(json!({"breakpoints": []}))
            }
            (answer, _) => answer.map_err(error_text),
        };
        self.answered(key, purpose, answer);
    }

    fn sets_breakpoints(&self, seq: i64) -> bool {
        let gathering = self.gatherings.get(&seq);
        gathering.is_some_and(|gathering| matches!(gathering.merge, Merge::Breakpoints(_)))
    }

    pub(crate) fn answered(&mut self, key: Key, purpose: Purpose, answer: Result<Value, String>) {
        match purpose {
            Purpose::Actor { seq, command } => self.on_answer(key, seq, &command, answer),
            Purpose::Part { seq } => self.on_part(key, seq, answer),
            Purpose::Initialize => self.on_child_initialized(key, answer),
            Purpose::Launch => {
                if let Err(why) = answer {
                    self.on_refused(key, &why);
                }
            }
            Purpose::Breakpoints(group) => self.on_child_breakpoints(key, &group, answer),
            Purpose::Place(stop) => self.on_place(key, stop, answer),
            Purpose::Disconnect => self.remove(key),
            Purpose::Ignored => {}
        }
    }

    /// Passes the answer of one member to the actor.
    fn on_answer(&mut self, key: Key, seq: i64, command: &str, mut answer: Result<Value, String>) {
        if let Ok(body) = &mut answer {
            self.ids.outward(key, body);
            if command == "initialize"
                && let Some(member) = self.members.get(&key)
            {
                member.client.merge_capabilities(body.clone());
            }
        }
        let succeeded = answer.is_ok();
        self.launched |= succeeded && matches!(command, "launch" | "attach");
        self.front.respond(seq, command, answer);
        if resumes(command) {
            let gone = self.turns.answered(seq, succeeded);
            self.forget_stop(gone);
            self.report_next_stop();
        }
    }

    fn on_part(&mut self, key: Key, seq: i64, mut answer: Result<Value, String>) {
        let Some(gathering) = self.gatherings.get_mut(&seq) else { return };
        if let Ok(body) = &mut answer {
            if let Merge::Breakpoints(group) = &gathering.merge {
                self.breakpoints.answered(key, group, body);
            } else {
                self.ids.outward(key, body);
            }
        }
        gathering.answers.push((key, answer));
        gathering.waiting -= 1;
        if gathering.waiting == 0
            && let Some(gathering) = self.gatherings.remove(&seq)
        {
            let Gathering { command, merge, answers, .. } = gathering;
            let answer = self.merged(merge, answers);
            self.front.respond(seq, &command, answer);
        }
    }

    /// One answer from those of all members; the first refusal if all refuse.
    fn merged(
        &self,
        merge: Merge,
        answers: Vec<(Key, Result<Value, String>)>,
    ) -> Result<Value, String> {
        if answers.iter().all(|(_, answer)| answer.is_err()) {
            return match answers.into_iter().next() {
                Some((_, refusal)) => refusal,
                None => Ok(json!({})),
            };
        }
        match merge {
            Merge::Any => Ok(json!({})),
            Merge::Breakpoints(group) => Ok(self.breakpoints.body(&group)),
            Merge::Threads => {
                let mut bodies = BTreeMap::new();
                for (key, answer) in answers {
                    if let Ok(body) = answer {
                        bodies.insert(key, body);
                    }
                }
                Ok(json!({"threads": self.threads(bodies)}))
            }
        }
    }

    /// All threads in the order of their members. With several members a child's threads carry its
    /// label.
    fn threads(&self, bodies: BTreeMap<Key, Value>) -> Vec<Value> {
        let mut all: Vec<(Key, Value)> = Vec::new();
        for (key, body) in bodies {
            for thread in body["threads"].as_array().into_iter().flatten() {
                all.push((key, thread.clone()));
            }
        }
        let several = all.iter().any(|(key, _)| *key != all[0].0);
        if several {
            for (key, thread) in &mut all {
                self.label_thread(*key, thread);
            }
        }
        all.into_iter().map(|(_, thread)| thread).collect()
    }

    fn label_thread(&self, key: Key, thread: &mut Value) {
        let Some(member) = self.members.get(&key).filter(|_| key != ROOT) else { return };
        let name = thread["name"].as_str().unwrap_or_default();
        if !name.contains(&member.label) {
            thread["name"] = format!("{}: {name}", member.label).into();
        }
    }

    /// Passes the actor's answer to the member that sent the request.
    pub(crate) fn on_answer_of_actor(&mut self, seq: i64) {
        let Some(request) = self.passed_up.remove(&seq) else { return };
        let PassedUp { call, key, seq, command } = request;
        if let Some(member) = self.members.get(&key) {
            member.client.respond(seq, &command, call.now().map_err(error_text));
        }
    }
}
