//! Names that set, remove, list and enable breakpoints.
//!
//! Knows the documented objects. Refuses to know when one may be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Refusal, good, report};
use super::setting::{self, kind, message};
use super::{exceptions, name};
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Nothing, Ours, forward};
use crate::model::{self, Binding, BreakpointId, Place};
use crate::session::has_written_all;

#[derive(Deserialize, JsonSchema)]
pub(super) struct SetArguments {
    /// Source file, with `line`
    file: Option<String>,
    /// From 1
    line: Option<u32>,
    /// From 1; default: the first code of the line
    column: Option<u32>,
    /// Instead of `file`: name of a function
    function: Option<String>,
    /// Stop only if this is true
    condition: Option<String>,
    /// Stop only at this hit, from 1
    hit_count: Option<u32>,
    /// Print this with {expression}, do not stop
    log_message: Option<String>,
}

/// A place in a source file.
#[derive(Serialize, JsonSchema)]
pub(super) struct At {
    /// Absolute; null: on a function, and the debugger has not reported its file yet.
    file: Option<String>,
    /// The line with the code, or else the requested one.
    line: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct BreakpointSet {
    id: String,
    verified: bool,
    location: At,
    /// Why it is not verified, and what it replaces.
    message: Option<String>,
}

name! {
    Set(SetArguments) -> BreakpointSet,
    "breakpoint_set", "Set a breakpoint", Sets,
    r#"{"file": "FILE", "line": 1}"#,
    "Sets a breakpoint on a line or a function. Works also before a launch. A line without code is \
     an error with the nearest valid line."
}

impl Set {
    async fn answer(call: &Call, arguments: SetArguments) -> Result<BreakpointSet, Refusal> {
        let (one, message) = setting::set(call, Self::ours(&arguments)).await?;
        Ok(BreakpointSet {
            id: one.id.0.to_string(),
            verified: is_verified(&one),
            location: at(&one),
            message,
        })
    }
}

impl Compatible for Set {
    fn ours(arguments: &SetArguments) -> Ours {
        let SetArguments { file, line, column, function, condition, hit_count, log_message } =
            arguments;
        let set = object(json!({
            "file": file, "line": line, "column": column, "function": function,
            "condition": condition,
            "hit_condition": hit_count.map(|count| count.to_string()),
            "log": log_message,
        }));
        Ours::new("debug_breakpoints", json!({"set": [set]}))
    }
}

/// The object without nulls.
pub(super) fn object(mut fields: Value) -> Value {
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    fields
}

pub(super) fn is_verified(one: &model::Breakpoint) -> bool {
    matches!(one.binding, Binding::Bound { .. } | Binding::SetByCommand { .. })
}

pub(super) fn at(one: &model::Breakpoint) -> At {
    let bound = match one.binding {
        Binding::Bound { line } => line,
        _ => None,
    };
    match &one.spec.place {
        Place::Line { path, line, .. } => {
            At { file: Some(path.display().to_string()), line: bound.or(Some(*line)) }
        }
        Place::Function(_) => {
            let file = one.file.as_ref().map(|path| path.display().to_string());
            At { file, line: bound }
        }
        Place::Exception(_) => At { file: None, line: None },
    }
}

/// Whether a breakpoint can stop the program or print. A tracepoint is disabled once it has printed
/// its maximum.
pub(super) fn is_enabled(one: &model::Breakpoint) -> bool {
    one.enabled && !has_written_all(one)
}

pub(super) fn state(one: &model::Breakpoint) -> &'static str {
    match (is_enabled(one), is_verified(one)) {
        (false, _) => "disabled",
        (true, true) => "bound",
        (true, false) => "pending",
    }
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Named {
    /// As breakpoint_set returns it
    id: String,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Removed {
    id: String,
}

name! {
    Remove(Named) -> Removed,
    "breakpoint_remove", "Remove a breakpoint", Sets,
    r#"{"id": "1"}"#,
    "Removes a breakpoint, tracepoint or exception breakpoint."
}

impl Remove {
    async fn answer(call: &Call, arguments: Named) -> Result<Removed, Refusal> {
        if exceptions::named(call, &arguments.id).is_some() {
            exceptions::change(call, arguments.id.trim(), None).await?;
        } else {
            good(forward::<Self>(call, &arguments).await)?;
        }
        Ok(Removed { id: arguments.id })
    }
}

impl Compatible for Remove {
    fn ours(Named { id }: &Named) -> Ours {
        Ours::new("debug_breakpoints", json!({"remove": [id]}))
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Breakpoints {
    breakpoints: Vec<Breakpoint>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Breakpoint {
    id: String,
    verified: bool,
    enabled: bool,
    file: Option<String>,
    line: Option<u32>,
    /// Number of its hits.
    hit_count: u32,
    condition: Option<String>,
    /// blocking, tracepoint or exception.
    r#type: &'static str,
    /// The name of a breakpoint on a function.
    function: Option<String>,
    /// The type of an exception breakpoint.
    exception_type: Option<String>,
    /// Why it is not verified.
    message: Option<String>,
}

impl Breakpoint {
    fn of_exception(one: &exceptions::One) -> Self {
        Self {
            id: one.id.clone(),
            verified: one.verified,
            enabled: one.enabled,
            file: None,
            line: None,
            hit_count: one.hits,
            condition: None,
            r#type: "exception",
            function: None,
            exception_type: Some(one.exception_type()),
            message: one.message.clone(),
        }
    }

    fn of(one: &model::Breakpoint) -> Self {
        let At { file, line } = at(one);
        Self {
            id: one.id.0.to_string(),
            verified: is_verified(one),
            enabled: is_enabled(one),
            file,
            line,
            hit_count: one.hits,
            condition: one.spec.condition.clone(),
            r#type: kind(one),
            function: match &one.spec.place {
                Place::Function(name) => Some(name.clone()),
                Place::Line { .. } | Place::Exception(_) => None,
            },
            exception_type: None,
            message: message(one),
        }
    }
}

name! {
    List(Nothing) -> Breakpoints,
    "breakpoint_list", "List breakpoints", Reads,
    "{}",
    "All breakpoints, tracepoints and exception breakpoints with their hits."
}

impl List {
    async fn answer(call: &Call, arguments: Nothing) -> Result<Breakpoints, Refusal> {
        let report = report(good(forward::<Self>(call, &arguments).await)?)?;
        let all = setting::with_last_hits(call, report.all.clone()).await;
        let mut breakpoints: Vec<_> = all.iter().map(Breakpoint::of).collect();
        for one in exceptions::all_checked(call, &report) {
            breakpoints.push(Breakpoint::of_exception(&one));
        }
        Ok(Breakpoints { breakpoints })
    }
}

impl Compatible for List {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_breakpoints", json!({}))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct EnableArguments {
    /// As breakpoint_set returns it
    id: String,
    /// false: disable it; default true
    enabled: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Enabled {
    breakpoint: EnabledBreakpoint,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EnabledBreakpoint {
    id: String,
    location: At,
    /// bound, pending or disabled.
    state: &'static str,
    enabled: bool,
    verified: bool,
    hit_count: u32,
}

name! {
    Enable(EnableArguments) -> Enabled,
    "breakpoint_enable", "Enable or disable a breakpoint", Sets,
    r#"{"id": "1", "enabled": false}"#,
    "Enables or disables a breakpoint, tracepoint or exception breakpoint."
}

impl Enable {
    async fn answer(call: &Call, arguments: EnableArguments) -> Result<Enabled, Refusal> {
        if exceptions::named(call, &arguments.id).is_some() {
            return of_exception(call, &arguments).await;
        }
        let report = report(good(forward::<Self>(call, &arguments).await)?)?;
        let all = setting::with_last_hits(call, report.all).await;
        let id = arguments.id.trim().trim_start_matches('#').parse().map(BreakpointId);
        let one = id.ok().and_then(|id| all.iter().find(|one| one.id == id));
        let Some(one) = one else { return Err(crate::session::Error::HostFault.into()) };
        Ok(Enabled {
            breakpoint: EnabledBreakpoint {
                id: one.id.0.to_string(),
                location: at(one),
                state: state(one),
                enabled: is_enabled(one),
                verified: is_verified(one),
                hit_count: one.hits,
            },
        })
    }
}

async fn of_exception(call: &Call, arguments: &EnableArguments) -> Result<Enabled, Refusal> {
    let id = arguments.id.trim();
    exceptions::change(call, id, Some(arguments.enabled.unwrap_or(true))).await?;
    let Some(one) = exceptions::named(call, id) else {
        return Err(crate::session::Error::HostFault.into());
    };
    Ok(Enabled {
        breakpoint: EnabledBreakpoint {
            location: At { file: None, line: None },
            state: match (one.enabled, one.verified) {
                (false, _) => "disabled",
                (true, true) => "bound",
                (true, false) => "pending",
            },
            enabled: one.enabled,
            verified: one.verified,
            hit_count: one.hits,
            id: one.id,
        },
    })
}

impl Compatible for Enable {
    fn ours(EnableArguments { id, enabled }: &EnableArguments) -> Ours {
        let key = if *enabled == Some(false) { "disable" } else { "enable" };
        Ours::new("debug_breakpoints", json!({key: [id]}))
    }
}
