//! The fake's debuggee: it moves through places and has breakpoints and variables. It knows no
//! requests: it runs or steps and returns events.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::script::{Place, Script};

/// An event to send.
pub type Event = (&'static str, Value);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// To the next breakpoint or stop.
    Breakpoint,
    /// To the next place.
    Anywhere,
}

#[derive(Debug)]
pub struct Program {
    script: Script,
    /// Index of the current place.
    at: Option<usize>,
    pub running: bool,
    /// Key (`path:line` or function name) and log message, by id.
    breakpoints: BTreeMap<i64, (String, Option<String>)>,
    last_id: i64,
    /// Values behind the variable references of this stop, each with its JSON pointer from the
    /// locals; reference 1 is the first. They are copies: after an assignment they list old values
    /// until `scopes` is requested again.
    references: Vec<(String, Value)>,
}

impl Program {
    pub fn new(script: Script) -> Self {
        let (breakpoints, references) = (BTreeMap::new(), Vec::new());
        Self { script, at: None, running: false, breakpoints, last_id: 0, references }
    }

    /// Replaces the line breakpoints of `path`, or all function breakpoints.
    pub fn set(&mut self, path: Option<&str>, requested: &Value) -> Value {
        self.breakpoints.retain(|_, (key, _)| match (path, key.rsplit_once(':')) {
            (Some(path), Some((source, _))) => source != path,
            (Some(_), None) => true,
            (None, line) => line.is_some(),
        });
        let mut answers = Vec::new();
        for request in requested.as_array().into_iter().flatten() {
            let key = match path {
                Some(path) => format!("{path}:{}", request["line"]),
                None => request["name"].as_str().unwrap_or_default().to_owned(),
            };
            answers.push(self.set_one(key, request));
        }
        json!({ "breakpoints": answers })
    }

    fn set_one(&mut self, key: String, request: &Value) -> Value {
        self.last_id += 1;
        let (id, line) = (self.last_id, request["line"].as_i64());
        if line.is_some_and(|line| self.script.no_code.contains(&line)) {
            return json!({ "id": id, "verified": false, "line": line, "message": "no code here" });
        }
        let log = request["logMessage"].as_str().map(str::to_owned);
        self.breakpoints.insert(id, (key, log));
        json!({ "id": id, "verified": true, "line": line })
    }

    /// Runs to the goal, to a place that hangs, or to the end.
    pub fn run(&mut self, goal: Goal) -> Vec<Event> {
        self.references.clear();
        self.running = true;
        let mut events = Vec::new();
        while !self.here().is_some_and(|place| place.hangs) {
            self.at = Some(self.at.map_or(0, |at| at + 1));
            let Some(place) = self.here().cloned() else {
                self.running = false;
                events.extend(
                    self.script.exit_code.map(|code| ("exited", json!({ "exitCode": code }))),
                );
                events.push(("terminated", Value::Null));
                break;
            };
            events.extend(place.output.iter().map(|(category, text)| output(category, text)));
            if let Some(stop) = self.arrive(&place, goal, &mut events) {
                events.push(stop);
                break;
            }
        }
        events
    }

    fn arrive(&mut self, place: &Place, goal: Goal, events: &mut Vec<Event>) -> Option<Event> {
        let keys = [format!("{}:{}", self.source(place), place.line), function(place).to_owned()];
        let hits = self.breakpoints.iter().filter(|(_, (key, _))| keys.contains(key));
        let (logs, stops): (Vec<_>, Vec<_>) = hits.partition(|(_, (_, log))| log.is_some());
        events.extend(
            logs.iter()
                .filter_map(|(_, (_, log))| log.as_deref())
                .map(|log| output("console", log)),
        );
        let ids: Vec<_> = stops.into_iter().map(|(id, _)| *id).collect();
        let reason = match &place.stop {
            Some(reason) => reason.clone(),
            None if !ids.is_empty() => "breakpoint".into(),
            None if goal == Goal::Anywhere && !place.hangs => "step".into(),
            None => return None,
        };
        Some(self.stopped(&reason, place.text.as_deref(), &ids))
    }

    /// Stops at the current place; no event if it is not running.
    pub fn pause(&mut self) -> Vec<Event> {
        let ignored = self.script.forgets_pauses > 0;
        self.script.forgets_pauses -= usize::from(ignored);
        if self.running && !ignored { vec![self.stopped("pause", None, &[])] } else { Vec::new() }
    }

    fn stopped(&mut self, reason: &str, text: Option<&str>, hits: &[i64]) -> Event {
        self.running = false;
        let thread = self.script.threads.first().map(|(id, _)| id);
        let mut body = json!({
            "reason": reason, "threadId": thread, "allThreadsStopped": !self.script.stops_one,
        });
        if self.script.omits_thread {
            body["threadId"].take();
        }
        if let Some(text) = text {
            body["description"] = text.into();
            body["text"] = text.into();
        }
        if !hits.is_empty() && !self.script.anonymous {
            body["hitBreakpointIds"] = hits.into();
        }
        ("stopped", body)
    }

    /// The current place.
    pub fn here(&self) -> Option<&Place> {
        self.at.and_then(|at| self.script.program.get(at))
    }

    fn source<'a>(&'a self, place: &'a Place) -> &'a str {
        place.source.as_deref().unwrap_or(&self.script.source)
    }

    /// Frames, innermost first; ids start at 0, as in some real adapters.
    pub fn frames(&self, thread: &Value) -> Value {
        if thread.as_i64().is_some_and(|thread| self.script.idle.contains(&thread)) {
            return json!({ "stackFrames": [{"id": 0, "name": "idle", "line": 0, "column": 0}] });
        }
        let is_listed = self.script.threads.iter().any(|(id, _)| thread == id);
        let Some(place) = self.here().filter(|_| is_listed || !self.script.omits_thread) else {
            return json!({ "stackFrames": [] });
        };
        let path = self.source(place);
        let own = (function(place).to_owned(), place.line);
        let frames = std::iter::once(&own).chain(&place.callers).enumerate();
        let frames: Vec<_> = frames
            .map(|(id, (name, line))| {
                json!({
                    "id": id, "name": name, "line": line, "column": 1,
                    "source": {"name": path, "path": path},
                })
            })
            .collect();
        let total = Some(frames.len()).filter(|_| !self.script.counts_no_frames);
        json!({ "totalFrames": total, "stackFrames": frames })
    }

    /// A reference to the locals of a frame; only the innermost one has any.
    pub fn locals(&mut self, frame: i64) -> i64 {
        let locals = self.here().filter(|_| frame == 0).map(|place| place.locals.clone());
        self.refer(String::new(), Value::Object(locals.unwrap_or_default()))
    }

    fn refer(&mut self, pointer: String, value: Value) -> i64 {
        self.references.push((pointer, value));
        self.references.len() as i64
    }

    /// Children of a reference of this stop.
    pub fn children(&mut self, reference: i64) -> Option<Vec<Value>> {
        let index = usize::try_from(reference).ok()?.checked_sub(1)?;
        let (pointer, value) = self.references.get(index)?.clone();
        let children: Vec<_> = match value {
            Value::Object(members) => members.into_iter().collect(),
            Value::Array(items) => {
                items.into_iter().enumerate().map(|(i, item)| (i.to_string(), item)).collect()
            }
            _ => Vec::new(),
        };
        Some(
            children
                .into_iter()
                .map(|(name, value)| {
                    let below = format!("{pointer}/{name}");
                    self.display(Some(&name), "value", below, value)
                })
                .collect(),
        )
    }

    /// A value in the form of `variables` and `evaluate`.
    fn display(
        &mut self,
        name: Option<&str>,
        text_key: &str,
        pointer: String,
        value: Value,
    ) -> Value {
        let (kind, text) = match &value {
            Value::Object(members) => ("object", format!("object({})", members.len())),
            Value::Array(items) => ("list", format!("list({})", items.len())),
            Value::String(text) => ("str", format!("{text:?}")),
            Value::Bool(_) => ("bool", value.to_string()),
            Value::Number(_) => ("number", value.to_string()),
            Value::Null => ("none", "null".into()),
        };
        let nested = value.is_object() || value.is_array();
        let indexed = value.as_array().map(Vec::len);
        let reference = if nested { self.refer(pointer, value) } else { 0 };
        let mut display = json!({ text_key: text, "type": kind, "variablesReference": reference });
        if let Some(count) = indexed {
            display["indexedVariables"] = count.into();
        }
        if let Some(name) = name {
            display["name"] = name.into();
            display["evaluateName"] = name.into();
        }
        display
    }

    /// A name, or a path of names with dots (`order.items.0`), among the locals.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let pointer = format!("/{}", expression.trim().replace('.', "/"));
        let locals =
            Value::Object(self.here().map(|place| place.locals.clone()).unwrap_or_default());
        let found = locals.pointer(&pointer).cloned();
        found
            .ok_or_else(|| format!("name '{expression}' is not defined"))
            .map(|value| self.display(None, "result", pointer, value))
    }

    /// Assigns JSON, or else a string, to a child of a reference. Sends no `invalidated`.
    pub fn assign(&mut self, reference: i64, name: &str, text: &str) -> Result<Value, String> {
        let index = usize::try_from(reference).ok().and_then(|number| number.checked_sub(1));
        let parent = index.and_then(|index| self.references.get(index));
        let pointer = format!("{}/{name}", parent.ok_or("stale reference")?.0);
        let value: Value = serde_json::from_str(text).unwrap_or_else(|_| text.into());
        let place = self.at.and_then(|at| self.script.program.get_mut(at)).ok_or("no place")?;
        let mut locals = Value::Object(std::mem::take(&mut place.locals));
        let slot = locals.pointer_mut(&pointer).map(|slot| *slot = value.clone());
        if let Value::Object(locals) = locals {
            place.locals = locals;
        }
        slot.ok_or_else(|| format!("no variable '{name}'"))?;
        Ok(self.display(None, "value", pointer, value))
    }
}

fn function(place: &Place) -> &str {
    if place.function.is_empty() { "main" } else { &place.function }
}

/// An event `output`.
pub fn output(category: &str, text: &str) -> Event {
    ("output", json!({ "category": category, "output": text }))
}
