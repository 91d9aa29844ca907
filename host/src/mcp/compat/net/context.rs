//! `exception_get_context`: the exception that the program stopped for, with causes and frames.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{Refusal, good};
use super::facts::Location;
use super::name;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours, forward};
use crate::mcp::outcome::Outcome;
use crate::model::{self, Children};

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// 1 to 100; default 10
    max_frames: Option<i64>,
    /// 0 to 10; default 1
    include_variables_for_frames: Option<i64>,
    /// 0 to 20; default 5
    max_inner_exceptions: Option<i64>,
}

impl Arguments {
    fn frames(&self) -> i64 {
        self.max_frames.unwrap_or(10)
    }

    /// The first argument that is out of its range, with the range.
    fn out_of_range(&self) -> Option<(&'static str, i64, i64, i64)> {
        let all = [
            ("max_frames", self.max_frames, 1, 100),
            ("include_variables_for_frames", self.include_variables_for_frames, 0, 10),
            ("max_inner_exceptions", self.max_inner_exceptions, 0, 20),
        ];
        for (name, given, least, most) in all {
            let Some(given) = given else { continue };
            if given < least || given > most {
                return Some((name, given, least, most));
            }
        }
        None
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Context {
    thread_id: i64,
    exception: Exception,
    inner_exceptions: Vec<Inner>,
    inner_exceptions_truncated: bool,
    frames: Vec<Frame>,
    total_frames: u32,
    /// null: no frame is known.
    throwing_frame_index: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Exception {
    r#type: String,
    message: Option<String>,
    /// true: it was raised and may be caught; false: nothing caught it; null: unknown.
    is_first_chance: Option<bool>,
    /// As the language prints it.
    stack_trace_string: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Inner {
    r#type: Option<String>,
    message: Option<String>,
    /// 1: of the exception of the stop; 2: of one with depth 1 before it.
    depth: u32,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Frame {
    index: u32,
    function: String,
    /// null: unknown.
    module: Option<String>,
    /// Code of a library or the runtime.
    is_external: bool,
    location: Location,
    arguments: Vec<Variable>,
    /// null: not requested.
    variables: Option<Variables>,
}

#[derive(Serialize, JsonSchema)]
struct Variables {
    locals: Vec<Variable>,
    errors: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Variable {
    name: String,
    r#type: Option<String>,
    value: String,
    /// argument or local.
    scope: &'static str,
    has_children: bool,
}

fn variables(all: &[model::Variable], arguments: &[model::Variable]) -> Vec<Variable> {
    let mut variables = Vec::with_capacity(all.len());
    for variable in all {
        let is_argument = arguments.iter().any(|argument| argument.name == variable.name);
        variables.push(Variable {
            name: variable.name.clone(),
            r#type: variable.ty.clone(),
            value: variable.value.clone(),
            scope: if is_argument { "argument" } else { "local" },
            has_children: variable.children != Children::None,
        });
    }
    variables
}

impl Frame {
    fn of(one: &model::ExceptionFrame) -> Self {
        let arguments = &one.arguments;
        let values = one.locals.as_ref().map(|locals| match locals {
            Ok(locals) => Variables { locals: variables(locals, arguments), errors: Vec::new() },
            Err(error) => Variables { locals: Vec::new(), errors: vec![error.clone()] },
        });
        Self {
            index: one.frame.index,
            function: one.frame.name.clone(),
            module: None,
            is_external: !one.frame.is_user(),
            location: Location::of(&one.frame),
            arguments: variables(arguments, arguments),
            variables: values,
        }
    }
}

impl Context {
    fn of(exception: &model::Exception, frames: usize) -> Self {
        let stop = &exception.stop;
        let at = stop.frames.get(stop.origin.unwrap_or(stop.focus));
        let mut inner = Vec::with_capacity(exception.causes.len());
        for cause in &exception.causes {
            let (r#type, message) = (cause.ty.clone(), cause.message.clone());
            inner.push(Inner { r#type, message, depth: cause.depth });
        }
        let read = exception.frames.len() as u32;
        Self {
            thread_id: stop.thread.id.0,
            exception: Exception {
                r#type: exception.ty.clone().unwrap_or_else(|| stop.exception().0),
                message: exception.message.clone(),
                is_first_chance: exception.first_chance,
                stack_trace_string: exception.trace.clone(),
            },
            inner_exceptions: inner,
            inner_exceptions_truncated: exception.more_causes,
            frames: exception.frames.iter().take(frames).map(Frame::of).collect(),
            total_frames: exception.total_frames.unwrap_or(read),
            throwing_frame_index: at.map(|frame| frame.index),
        }
    }
}

name! {
    GetContext(Arguments) -> Context,
    "exception_get_context", "Exception with its context", Reads,
    r#"{"max_frames": 10}"#,
    "The exception that the program stopped for: type, message, inner exceptions, frames with \
     arguments and locals."
}

impl GetContext {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Context, Refusal> {
        if let Some((name, given, least, most)) = arguments.out_of_range() {
            let message = format!("`{name}` must be {least} to {most}, got {given}");
            let next = call.request.with(name, given.clamp(least, most)).text();
            return Err(Refusal::with_next("bad-argument", &message, &next));
        }
        match good(forward::<Self>(call, &arguments).await)?.outcome {
            Outcome::Exception(exception) => {
                Ok(Context::of(&exception, arguments.frames() as usize))
            }
            _ => Err(crate::session::Error::HostFault.into()),
        }
    }
}

impl Compatible for GetContext {
    fn ours(arguments: &Arguments) -> Ours {
        Ours::new(
            "debug_exception",
            json!({
                "frames": arguments.frames(),
                "locals_for": arguments.include_variables_for_frames.unwrap_or(1),
                "causes": arguments.max_inner_exceptions.unwrap_or(5),
            }),
        )
    }
}
