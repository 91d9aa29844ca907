//! `cargo xtask demo`: an agent's side of one debugging session, on a program with a bug.
//!
//! Shows every tool call and the exact text that comes back, and holds each answer to what it must
//! say. Knows the tools' names and the two example programs; how to debug them is the host's
//! affair.

mod story;

use std::io::IsTerminal;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::layout::Layout;
use crate::mcp::Client;
use crate::{adapters, setup, tool};
use story::{Act, Story};

pub use story::Language;

/// Sets up what is missing, then tells the story.
pub fn run(layout: &Layout, language: Language) -> Result<()> {
    let story = Story::of(language, layout)?;
    setup::run(layout)?;
    adapters::install(layout, &[story.adapter.to_owned()])?;
    tool::say("building dapdock …");
    tool::run(tool::cargo().current_dir(&layout.root).args(["build", "--workspace"]), &tool::RUST)?;
    play(layout, &story)?;
    println!("{}", invitation(layout));
    Ok(())
}

fn play(layout: &Layout, story: &Story) -> Result<()> {
    let mut host = Command::new(layout.dapdock());
    host.arg("mcp").arg("--config").arg(layout.config()).current_dir(&layout.root);
    let mut client = Client::start(&mut host)?;
    let about = client.initialize()?;
    ensure!(about["serverInfo"]["name"] == "dapdock", "another server answered: {about}");
    println!("\n{}\n", story.opening);
    for act in &story.acts {
        perform(&mut client, act).with_context(|| act.tool.to_owned())?;
    }
    client.close()
}

fn perform(client: &mut Client, act: &Act) -> Result<()> {
    println!("{}", emphasised(format!("{} {}", act.tool, line(&act.arguments)).trim_end()));
    let began = Instant::now();
    let reply = client.call(act.tool, &act.arguments, |told| eprintln!("  … {told}"))?;
    println!("{}\n({})\n", reply.text, act.remark(began.elapsed()));
    ensure!(!reply.is_error, "the call failed");
    for expected in &act.expect {
        if !reply.text.contains(expected) {
            bail!("the answer should say `{expected}`");
        }
    }
    Ok(())
}

/// `program=a.py breakpoints=["a.py:3"]`: arguments as a person would write them.
fn line(arguments: &Value) -> String {
    let pairs = arguments.as_object().into_iter().flatten().map(|(name, value)| match value {
        Value::String(text) if !text.contains(' ') => format!("{name}={text}"),
        other => format!("{name}={other}"),
    });
    pairs.collect::<Vec<_>>().join(" ")
}

fn emphasised(text: &str) -> String {
    match std::io::stdout().is_terminal() {
        true => format!("\x1b[1m> {text}\x1b[0m"),
        false => format!("> {text}"),
    }
}

/// How to have this in an MCP client, with the paths of this checkout.
fn invitation(layout: &Layout) -> String {
    let (binary, config) = (layout.dapdock(), layout.config());
    let (binary, config) = (binary.display(), config.display());
    let entry = json!({
        "mcpServers": {
            "dapdock": {"command": binary.to_string(), "args": ["mcp", "--config", config.to_string()]},
        },
    });
    format!(
        "Add it to Claude Code:\n  claude mcp add dapdock -- {binary} mcp --config {config}\n\
         or to any other MCP client:\n  {entry}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_reads_as_one_line() {
        let arguments =
            json!({"program": "a.py", "breakpoints": ["a.py:3 if x"], "text": "two words", "n": 2});
        assert_eq!(
            line(&arguments),
            r#"program=a.py breakpoints=["a.py:3 if x"] text="two words" n=2"#
        );
    }
}
