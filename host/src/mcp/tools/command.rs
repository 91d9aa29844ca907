//! `debug_command`: runs a command of the debugger's own language.

use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use super::super::call::{Call, Reply};
use super::super::declared::{Effect, Toolset};
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use super::super::wait;
use crate::session::{CommandQuery, OutputForm};
use crate::view::{self, Text};

pub(in crate::mcp) struct Command;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// One line, as typed in the debugger: info registers
    command: String,
    /// Frame number, 0 the innermost; default: the one of the stop
    frame: Option<u32>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
}

impl Tool for Command {
    type Arguments = Arguments;
    type Data = structured::CommandOutput;
    const NAME: &'static str = "debug_command";
    const TITLE: &'static str = "Run a debugger command";
    const DESCRIPTION: &'static str = "Runs a command of the debugger's own language and returns \
        its output, then the stop or the end if it moved the program. Not every debugger has one. \
        Commands that leave the debugger (shell, scripts) need --allow-shell.";
    const EFFECT: Effect = Effect::Destroys;
    const TOOLSET: Toolset = Toolset::Raw;
    const VERB: Option<Verb> = Some(Verb::new("command", Words::Joined("command")));
    const EXAMPLE: &'static str = r#"{"command": "help"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        let handle = call.session(arguments.session.as_deref())?;
        let deadline = Instant::now() + limit;
        let query = CommandQuery {
            command: arguments.command,
            frame: arguments.frame,
            shell: call.shell,
            limit,
            form: OutputForm::Text,
        };
        let ran = handle.run_command(query).await?;
        let mut text = match ran.output.as_deref().map(str::trim_end) {
            Some("") => Text::line("done; no output"),
            Some(output) => view::raw(output),
            None => {
                let log = view::Call::new("debug_status").with("detail", "log");
                Text::line(format!("it still runs; {log} has its output once it ends"))
            }
        };
        let mut arrival = None;
        if let Some(cursor) = ran.news {
            let left = deadline.saturating_duration_since(Instant::now());
            let arrived = wait::arrive(call, &handle, cursor, left).await?;
            text.append(wait::text(call, &arrived));
            arrival = Some(arrived);
        }
        Ok(Reply::new(text, Outcome::Ran { output: ran.output, arrival }))
    }
}
