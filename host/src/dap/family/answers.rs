//! What members answer, on its way to the actor.
//!
//! Knows how several answers become one. Refuses to know why they were asked.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::dap::family::marks::Place;
use crate::dap::family::requests;
use crate::dap::family::{Key, ROOT, Tree};
use crate::dap::{Error, resumes};

/// What an answer is for.
pub(crate) enum Asked {
    /// The actor's request of this number.
    Actor {
        seq: i64,
        command: String,
    },
    /// One of several for the actor's request of this number.
    Part {
        seq: i64,
    },
    /// A child's capabilities.
    Hello,
    /// A child's start.
    Launch,
    /// A child's reading of earlier breakpoints.
    Marks(Place),
    /// Where a member stands that says it has stopped.
    Place(Value),
    /// A child's leave.
    Leave,
    Nothing,
}

/// Answers to one request of the actor's.
pub(crate) struct Gathering {
    pub(crate) command: String,
    pub(crate) merge: Merge,
    pub(crate) waiting: usize,
    pub(crate) answers: Vec<(Key, Result<Value, String>)>,
}

/// How they become one.
pub(crate) enum Merge {
    Threads,
    Marks(Place),
    /// The first that says yes.
    Any,
}

/// What is told of a failure.
pub(crate) fn words(error: Error) -> String {
    match error {
        Error::Refused { message, .. } => message,
        error => error.to_string(),
    }
}

impl Tree {
    /// A request to a member is answered, or never will be.
    pub(crate) fn settle(&mut self, key: Key, seq: i64) {
        let Some((call, asked)) = self.calls.remove(&(key, seq)) else { return };
        let answer = match (call.now(), &asked) {
            // What was to move has gone: nothing stands there any more.
            (Err(Error::Closed { .. }), Asked::Actor { command, .. }) if resumes(command) => {
                Ok(json!({}))
            }
            (answer, _) => answer.map_err(words),
        };
        self.answered(key, asked, answer);
    }

    pub(crate) fn answered(&mut self, key: Key, asked: Asked, mut answer: Result<Value, String>) {
        match asked {
            Asked::Actor { seq, command } => {
                if let Ok(body) = &mut answer {
                    self.ids.outward(key, body);
                    if command == "initialize"
                        && let Some(member) = self.members.get(&key)
                    {
                        member.client.merge_capabilities(body.clone());
                    }
                }
                let goes = answer.is_ok();
                self.runs |= goes && matches!(command.as_str(), "launch" | "attach");
                self.front.respond(seq, &command, answer);
                if resumes(&command) {
                    let gone = self.turns.answered(seq, goes);
                    self.on_gone(gone);
                    self.tell_next_stop();
                }
            }
            Asked::Part { seq } => self.on_part(key, seq, answer),
            Asked::Hello => self.on_hello(key, answer),
            Asked::Launch => {
                if let Err(why) = answer {
                    self.on_refused(key, &why);
                }
            }
            Asked::Marks(place) => self.on_marked(key, &place, answer),
            Asked::Place(stop) => self.on_place(key, stop, answer),
            Asked::Leave => self.remove(key),
            Asked::Nothing => {}
        }
    }

    fn on_part(&mut self, key: Key, seq: i64, mut answer: Result<Value, String>) {
        let Some(gathering) = self.gatherings.get_mut(&seq) else { return };
        if let (Ok(body), Some(place)) = (&answer, requests::place(&gathering.merge)) {
            self.marks.answered(key, place, body);
        } else if let Ok(body) = &mut answer {
            self.ids.outward(key, body);
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

    fn merged(
        &self,
        merge: Merge,
        answers: Vec<(Key, Result<Value, String>)>,
    ) -> Result<Value, String> {
        let refused = answers.iter().all(|(_, answer)| answer.is_err());
        match merge {
            _ if refused => {
                answers.into_iter().next().map_or_else(|| Ok(json!({})), |(_, answer)| answer)
            }
            Merge::Any => Ok(json!({})),
            Merge::Marks(place) => Ok(self.marks.body(&place)),
            Merge::Threads => {
                let told = answers
                    .into_iter()
                    .filter_map(|(key, answer)| Some((key, answer.ok()?)))
                    .collect();
                Ok(json!({"threads": self.threads(told)}))
            }
        }
    }

    /// All threads in the order of their members. Where there are several members, theirs are told
    /// apart.
    fn threads(&self, told: BTreeMap<Key, Value>) -> Vec<Value> {
        let of = |body: &Value| body["threads"].as_array().cloned().unwrap_or_default();
        let all: Vec<(Key, Value)> = told
            .iter()
            .flat_map(|(key, body)| of(body).into_iter().map(|thread| (*key, thread)))
            .collect();
        let several = all.iter().any(|(key, _)| *key != all[0].0);
        let named = |(key, mut thread): (Key, Value)| {
            let name = thread["name"].as_str().unwrap_or_default();
            let label = self.members.get(&key).map_or("", |member| &member.label);
            if several && key != ROOT && !name.contains(label) {
                thread["name"] = format!("{label}: {name}").into();
            }
            thread
        };
        all.into_iter().map(named).collect()
    }

    /// The actor's answer to what a member asked.
    pub(crate) fn on_actors_answer(&mut self, seq: i64) {
        let Some((call, key, theirs, command)) = self.passed_up.remove(&seq) else { return };
        let answer = call.now();
        if let Some(member) = self.members.get(&key) {
            member.client.respond(theirs, &command, answer.map_err(words));
        }
    }
}
