//! A plan: what to find, the calls that find it, and what to answer with.
//!
//! Refuses to know any prompt.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::registry::declared;

/// The values of a prompt's arguments.
#[derive(Default)]
pub(in crate::mcp) struct Arguments(BTreeMap<&'static str, String>);

impl Arguments {
    pub fn insert(&mut self, name: &'static str, value: &str) {
        self.0.insert(name, value.to_owned());
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// An argument that is a number.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.get(name)?.parse().ok()
    }

    /// A required argument.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }
}

/// One call with its reason.
pub(in crate::mcp) struct Step {
    pub tool: &'static str,
    pub arguments: Map<String, Value>,
    pub why: &'static str,
}

pub(in crate::mcp) struct Plan {
    pub goal: String,
    pub steps: Vec<Step>,
    pub answer: &'static str,
}

impl Plan {
    pub fn new(goal: String, answer: &'static str) -> Self {
        Self { goal, steps: Vec::new(), answer }
    }

    /// `arguments` is an object.
    pub fn step(mut self, tool: &'static str, arguments: Value, why: &'static str) -> Self {
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        self.steps.push(Step { tool, arguments, why });
        self
    }

    /// Each step names this session, if its tool takes one.
    pub fn of_session(mut self, session: &str) -> Self {
        for step in &mut self.steps {
            let tool = declared().find(|tool| tool.name == step.tool);
            let takes_one = tool.is_some_and(|tool| tool.has_argument("session"));
            if takes_one && !step.arguments.contains_key("session") {
                let named = [("session".to_owned(), session.into())].into_iter();
                step.arguments = named.chain(std::mem::take(&mut step.arguments)).collect();
            }
        }
        self
    }
}
