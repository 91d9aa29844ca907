//! `set_breakpoint`, `list_breakpoints`, `remove_breakpoint`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Answer, Compatible, Ours, TOOLSET, forward, functions, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Form, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::tool::Tool;
use crate::model::{self, Binding, Nearest};

/// A breakpoint.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Breakpoint {
    id: u64,
    /// Its place.
    name: String,
    /// Empty: on a function.
    file: String,
    /// 0: on a function.
    line: u64,
    /// Empty: the line is in no function.
    function_name: String,
    condition: String,
    hit_count: u64,
    disabled: bool,
    /// Why it is not bound; empty: it is.
    message: String,
}

impl Breakpoint {
    /// From one of our results. `current` is the breakpoint of the stop.
    fn of(call: &Call, one: &Value, current: &Value) -> Self {
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| one[key].as_u64().unwrap_or_default();
        let mut function_name = text("functionName");
        if one["id"] == current["id"] && function_name.is_empty() {
            current["functionName"].as_str().unwrap_or_default().clone_into(&mut function_name);
        }
        if function_name.is_empty() {
            let file = call.path(&text("file"));
            function_name = functions::around(&file, number("line")).unwrap_or_default();
        }
        let place = format!("{}:{}", text("file"), number("line"));
        Self {
            id: number("id"),
            name: if text("file").is_empty() { function_name.clone() } else { place },
            file: text("file"),
            line: number("line"),
            function_name,
            condition: text("condition"),
            hit_count: number("hitCount"),
            disabled: one["disabled"] == true,
            message: text("message"),
        }
    }
}

/// Data of the three.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Breakpoints {
    /// The one that the call is about.
    breakpoint: Option<Breakpoint>,
    all_breakpoints: Vec<Breakpoint>,
}

/// All breakpoints of an answer, and the number of the one that it is about.
async fn list(call: &Call, answer: &Answer) -> (Vec<Breakpoint>, Option<u64>) {
    let whole = answer.data().await;
    let current = &whole["context"]["debuggerState"]["currentBreakpoint"];
    let all = whole["data"]["allBreakpoints"].as_array().into_iter().flatten();
    let places = all.filter(|one| one["exception"].is_null());
    let all = places.map(|one| Breakpoint::of(call, one, current)).collect();
    (all, whole["data"]["breakpoint"]["id"].as_u64())
}

fn with_id(all: &[Breakpoint], id: u64) -> Option<Breakpoint> {
    all.iter().find(|one| one.id == id).cloned()
}

pub(super) struct SetBreakpoint;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Place {
    /// Source file
    file: String,
    /// Line, from 1
    line: u32,
}

impl Tool for SetBreakpoint {
    type Arguments = Place;
    type Data = Breakpoints;
    const NAME: &'static str = "set_breakpoint";
    const TITLE: &'static str = "Set a breakpoint";
    const DESCRIPTION: &'static str = "Adds a breakpoint on a line.";
    const EFFECT: Effect = Effect::Sets;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = r#"{"file": "FILE", "line": 1}"#;

    async fn run(call: &Call, arguments: Place) -> Result<Reply, Problem> {
        let answer = forward::<Self>(call, &arguments).await;
        let refused = without_code(call, &answer.reply).await;
        let (mut all, id) = list(call, &answer).await;
        let breakpoint = id.and_then(|id| with_id(&all, id));
        if refused.is_some() {
            all.retain(|one| Some(one.id) != id);
        }
        let data = Breakpoints { breakpoint, all_breakpoints: all };
        let mut reply = super::with_data(answer, data).await;
        if let (Some(error), Outcome::Own(whole)) = (refused, &mut reply.outcome) {
            whole["error"] = error;
        }
        Ok(reply)
    }
}

impl Compatible for SetBreakpoint {
    fn ours(Place { file, line }: &Place) -> Ours {
        Ours::new("debug_breakpoints", json!({"set": [{"file": file, "line": line}]}))
    }
}

/// The error for a breakpoint on a line without code, which is removed: it would be listed, and a
/// later launch would set it.
async fn without_code(call: &Call, reply: &Reply) -> Option<Value> {
    let Outcome::Breakpoints { report, failed: Some(failed) } = &reply.outcome else { return None };
    let one = report.all.iter().find(|one| report.added.contains(&one.id))?;
    let remove = json!({"remove": [one.id.0.to_string()]});
    run(call, Ours::new("debug_breakpoints", remove)).await;
    let place = call.lens().place(&one.spec.place);
    let lines = match &one.binding {
        Binding::Refused { nearest: Nearest::Lines(lines), .. } => lines.as_slice(),
        _ => &[],
    };
    let requested = match one.spec.place {
        model::Place::Line { line, .. } => line,
        model::Place::Function(_) | model::Place::Exception(_) => 0,
    };
    let nearest = lines.iter().min_by_key(|line| line.abs_diff(requested));
    let (message, next) = match nearest {
        Some(line) => (
            format!("{place} holds no code; line {line} does"),
            call.request.with("line", *line).text(),
        ),
        None => (format!("{place} holds no code"), ListBreakpoints::NAME.to_owned()),
    };
    Some(json!({"code": failed.code, "message": message, "next": next}))
}

pub(super) struct ListBreakpoints;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Filters {
    /// Only those in this file: a path or its end
    file: Option<String>,
    /// Only those on or in this function: `main.main` or `main`
    function: Option<String>,
    /// Only enabled or only disabled ones
    enabled: Option<bool>,
}

impl Filters {
    fn take(&self, one: &Breakpoint) -> bool {
        let file = self.file.as_deref().is_none_or(|file| {
            one.file.strip_suffix(file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        });
        let function = self
            .function
            .as_deref()
            .is_none_or(|name| functions::is_named(&one.function_name, name));
        file && function && self.enabled.is_none_or(|enabled| enabled != one.disabled)
    }
}

impl Tool for ListBreakpoints {
    type Arguments = Filters;
    type Data = Breakpoints;
    const NAME: &'static str = "list_breakpoints";
    const TITLE: &'static str = "List breakpoints";
    const DESCRIPTION: &'static str = "Lists all breakpoints, or those that match the filters.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = r#"{"file": "FILE"}"#;

    async fn run(call: &Call, arguments: Filters) -> Result<Reply, Problem> {
        let answer = forward::<Self>(call, &arguments).await;
        let (mut all, _) = list(call, &answer).await;
        all.retain(|one| arguments.take(one));
        Ok(super::with_data(answer, Breakpoints { breakpoint: None, all_breakpoints: all }).await)
    }
}

impl Compatible for ListBreakpoints {
    fn ours(_: &Filters) -> Ours {
        Ours::new("debug_breakpoints", json!({}))
    }
}

pub(super) struct RemoveBreakpoint;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Number {
    /// Number of the breakpoint
    id: u32,
}

impl Tool for RemoveBreakpoint {
    type Arguments = Number;
    type Data = Breakpoints;
    const NAME: &'static str = "remove_breakpoint";
    const TITLE: &'static str = "Remove a breakpoint";
    const DESCRIPTION: &'static str = "Removes a breakpoint; the answer is the removed one and \
        those that are left.";
    const EFFECT: Effect = Effect::Destroys;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = r#"{"id": 1}"#;

    async fn run(call: &Call, arguments: Number) -> Result<Reply, Problem> {
        let before = run(call, Ours::new("debug_breakpoints", json!({}))).await;
        let (before, _) = list(call, &before).await;
        let answer = forward::<Self>(call, &arguments).await;
        let (all_breakpoints, _) = list(call, &answer).await;
        let breakpoint = with_id(&before, arguments.id.into());
        Ok(super::with_data(answer, Breakpoints { breakpoint, all_breakpoints }).await)
    }
}

impl Compatible for RemoveBreakpoint {
    fn ours(Number { id }: &Number) -> Ours {
        Ours::new("debug_breakpoints", json!({"remove": [id.to_string()]}))
    }
}
