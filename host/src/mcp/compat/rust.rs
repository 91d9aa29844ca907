//! `compat:rust`: the names of a server for Rust programs. Answers are our texts, except for
//! variables, which are lines of `name: value (type)` below the names of their scopes.
//!
//! Knows the documented names. Refuses to know how a program is debugged.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Compatible, Family, Name, Nothing, Ours, forward, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::model::{Variable, VariablesPage};
use crate::view::{Text, value_text};

const TOOLSET: Toolset = Toolset::Family("compat:rust");

pub(super) const FAMILY: Family = Family {
    toolset: TOOLSET,
    names: &[
        Name::of::<Continue>(),
        Name::of::<GetVariables>(),
        Name::of::<Launch>(),
        Name::of::<SetBreakpoint>(),
        Name::of::<StepOver>(),
        Name::of::<Terminate>(),
    ],
};

/// Characters of a value.
const LONGEST: usize = 200;

struct Launch;

#[derive(Deserialize, JsonSchema)]
struct LaunchArguments {
    /// Program to debug, or the directory of its package
    program: String,
    /// Directory in which it runs; default: the workspace
    cwd: Option<String>,
}

impl Tool for Launch {
    type Arguments = LaunchArguments;
    type Data = structured::Started;
    const NAME: &'static str = "debug_launch";
    const TITLE: &'static str = "Launch a program";
    const DESCRIPTION: &'static str = "Starts a program under the debugger and stops at its \
        entry; then set breakpoints and continue.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"program": "target/debug/NAME"}"#;

    async fn run(call: &Call, arguments: LaunchArguments) -> Result<Reply, Problem> {
        Ok(forward::<Self>(call, &arguments).await.reply)
    }
}

impl Compatible for Launch {
    fn ours(arguments: &LaunchArguments) -> Ours {
        let LaunchArguments { program, cwd } = arguments;
        let options = json!({"stop_on_entry": true});
        Ours::new("debug_launch", json!({"program": program, "cwd": cwd, "options": options}))
    }
}

struct SetBreakpoint;

#[derive(Deserialize, JsonSchema)]
struct Place {
    /// Source file
    file: String,
    /// Line, from 1
    line: u32,
}

impl Tool for SetBreakpoint {
    type Arguments = Place;
    type Data = structured::Breakpoints;
    const NAME: &'static str = "debug_set_breakpoint";
    const TITLE: &'static str = "Set a breakpoint";
    const DESCRIPTION: &'static str =
        "Adds a breakpoint on a line and lists all breakpoints. Works also before a launch.";
    const EFFECT: Effect = Effect::Sets;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"file": "src/main.rs", "line": 1}"#;

    async fn run(call: &Call, arguments: Place) -> Result<Reply, Problem> {
        Ok(forward::<Self>(call, &arguments).await.reply)
    }
}

impl Compatible for SetBreakpoint {
    fn ours(Place { file, line }: &Place) -> Ours {
        Ours::new("debug_breakpoints", json!({"set": [{"file": file, "line": line}]}))
    }
}

/// A call that takes nothing.
struct Continue;

impl Tool for Continue {
    type Arguments = Nothing;
    type Data = structured::Movement;
    const NAME: &'static str = "debug_continue";
    const TITLE: &'static str = "Continue";
    const DESCRIPTION: &'static str =
        "Resumes the program and waits for the next stop or the exit, at most 30 seconds.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Nothing) -> Result<Reply, Problem> {
        Ok(forward::<Self>(call, &arguments).await.reply)
    }
}

impl Compatible for Continue {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_continue", json!({}))
    }
}

struct StepOver;

impl Tool for StepOver {
    type Arguments = Nothing;
    type Data = structured::Step;
    const NAME: &'static str = "debug_step_over";
    const TITLE: &'static str = "Step over";
    const DESCRIPTION: &'static str = "Runs the current line, calls included, and stops again.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Nothing) -> Result<Reply, Problem> {
        Ok(forward::<Self>(call, &arguments).await.reply)
    }
}

impl Compatible for StepOver {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_step", json!({"kind": "over"}))
    }
}

struct Terminate;

impl Tool for Terminate {
    type Arguments = Nothing;
    type Data = structured::Ended;
    const NAME: &'static str = "debug_terminate";
    const TITLE: &'static str = "End the session";
    const DESCRIPTION: &'static str = "Ends the program and its session.";
    const EFFECT: Effect = Effect::Destroys;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Nothing) -> Result<Reply, Problem> {
        Ok(forward::<Self>(call, &arguments).await.reply)
    }
}

impl Compatible for Terminate {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_stop", json!({"mode": "terminate"}))
    }
}

struct GetVariables;

#[derive(Deserialize, JsonSchema)]
struct Scopes {
    /// Registers too; default false
    registers: Option<bool>,
}

impl Tool for GetVariables {
    type Arguments = Scopes;
    type Data = structured::Variables;
    const NAME: &'static str = "debug_get_variables";
    const TITLE: &'static str = "Variables";
    const DESCRIPTION: &'static str =
        "Variables of the current frame as `name: value (type)`, below the names of their scopes.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Scopes) -> Result<Reply, Problem> {
        let first = forward::<Self>(call, &arguments).await.reply;
        let Outcome::Variables(page) = &first.outcome else { return Ok(first) };
        let mut text = scope(page);
        for name in &page.other_scopes {
            // DAP, `Scope.name`: such as `Arguments`, `Locals` or `Registers`.
            let is_registers = name.eq_ignore_ascii_case("registers");
            if is_registers && arguments.registers != Some(true) {
                continue;
            }
            // Registers are in groups.
            let depth = if is_registers { 2 } else { 1 };
            let ours = Ours::new("debug_variables", json!({"scope": name, "depth": depth}));
            let other = run(call, ours).await.reply;
            match &other.outcome {
                Outcome::Variables(page) if is_registers => text.append(registers(page)),
                Outcome::Variables(page) if page.variables.is_empty() => {}
                Outcome::Variables(page) => text.append(scope(page)),
                _ => text.append(other.text),
            }
        }
        Ok(Reply { text, ..first })
    }
}

impl Compatible for GetVariables {
    fn ours(_: &Scopes) -> Ours {
        Ours::new("debug_variables", json!({}))
    }
}

/// The variables of a scope below its name.
fn scope(page: &VariablesPage) -> Text {
    let name = if page.scope.is_empty() { "Local" } else { &page.scope };
    let mut text = Text::line(format!("{name}:"));
    for variable in &page.variables {
        text.push(format!("  {}", line(variable)));
    }
    let read = page.start + page.variables.len() as u64;
    if page.total > read {
        let more = page.total - read;
        let next = Ours::new("debug_variables", json!({"scope": page.scope, "start": read}));
        text.push(format!("  {more} more: {}", next.text()));
    }
    text
}

/// Registers below the names of their groups.
fn registers(page: &VariablesPage) -> Text {
    let mut text = Text::line(format!("{}:", page.scope));
    for variable in &page.variables {
        if variable.preview.is_empty() {
            text.push(format!("  {}: {}", variable.name, variable.value));
        } else {
            text.push(format!("  {}:", variable.name));
        }
        for register in &variable.preview {
            text.push(format!("    {}: {}", register.name, register.value));
        }
    }
    text
}

/// `name: value (type)`.
fn line(variable: &Variable) -> String {
    let (name, value) = (&variable.name, value_text(variable, LONGEST));
    match variable.ty.as_deref().filter(|ty| !ty.is_empty()) {
        Some(ty) => format!("{name}: {value} ({ty})"),
        None => format!("{name}: {value}"),
    }
}
