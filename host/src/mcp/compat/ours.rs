//! Calls of our tools on behalf of a call with another server's name: the same registered
//! functions, with the same checks, waits and errors.
//!
//! Refuses to know any family.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::Compatible;
use crate::mcp::call::{Call, Reply};
use crate::mcp::registry::named;
use crate::mcp::request::Request;
use crate::mcp::structured;
use crate::view::ErrorText;

/// A call of one of our tools.
pub(in crate::mcp) struct Ours {
    pub tool: &'static str,
    pub arguments: Map<String, Value>,
}

impl Ours {
    /// `arguments` is an object. An argument that is null is absent.
    pub fn new(tool: &'static str, arguments: Value) -> Self {
        let mut arguments = match arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        arguments.retain(|_, value| !value.is_null());
        Self { tool, arguments }
    }

    /// The call as a caller writes it.
    pub fn text(self) -> String {
        let tool = named(self.tool).map(|tool| &tool.declared);
        tool.map_or_else(String::new, |tool| Request::new(tool, self.arguments).text())
    }
}

/// What a call of ours came to.
pub(in crate::mcp) struct Answer {
    pub reply: Reply,
    call: Option<Call>,
}

impl Answer {
    /// An answer that no tool of ours makes.
    pub fn of(reply: Reply) -> Self {
        Self { reply, call: None }
    }

    /// The structured result: status, data, error and context.
    pub async fn data(&self) -> Value {
        match &self.call {
            Some(call) => structured::answer(&self.reply, call).await.unwrap_or_default(),
            None => Value::Null,
        }
    }
}

/// Runs a tool of ours for this call.
pub(in crate::mcp) async fn run(call: &Call, ours: Ours) -> Answer {
    run_in(call, ours, call.workspace.clone()).await
}

/// The same in another workspace.
pub(in crate::mcp) async fn run_in(call: &Call, ours: Ours, workspace: PathBuf) -> Answer {
    let Some(tool) = named(ours.tool) else {
        let cause = format!("there is no tool `{}`", ours.tool);
        let reply = Reply::error(ErrorText::new("no-such-tool", &cause, "debug_status"));
        return Answer { reply, call: None };
    };
    let mut call = call.another(Request::new(&tool.declared, ours.arguments));
    call.workspace = workspace;
    let reply = tool.reply(&mut call).await;
    Answer { reply, call: Some(call) }
}

/// Runs the tool of ours that does the job of this one.
pub(in crate::mcp) async fn forward<T: Compatible>(
    call: &Call,
    arguments: &T::Arguments,
) -> Answer {
    run(call, T::ours(arguments)).await
}
