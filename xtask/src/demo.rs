//! `cargo xtask demo`: one debugging session as an agent sees it, on a program with a bug.
//!
//! Prints every tool call with its exact answer and checks the text of each answer. Knows the names
//! of tools and the example programs; refuses to know how they are debugged.

mod script;

use std::io::IsTerminal;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::layout::Layout;
use crate::mcp::Client;
use crate::{adapters, setup, tool};
use script::{Call, Script};

pub use script::Language;

/// Installs what is missing, then runs the session.
pub fn run(layout: &Layout, language: Language) -> Result<()> {
    let script = Script::of(language, layout)?;
    setup::run(layout)?;
    adapters::install(layout, &[script.adapter.to_owned()])?;
    tool::say("building dapdock …");
    tool::run(tool::cargo().current_dir(&layout.root).args(["build", "--workspace"]), &tool::RUST)?;
    run_script(layout, &script)?;
    println!("{}", client_setup(layout));
    Ok(())
}

fn run_script(layout: &Layout, script: &Script) -> Result<()> {
    let mut host = Command::new(layout.dapdock());
    host.arg("mcp").arg("--config").arg(layout.config()).current_dir(&layout.root);
    let mut client = Client::start(&mut host)?;
    let about = client.initialize()?;
    ensure!(about["serverInfo"]["name"] == "dapdock", "another server answered: {about}");
    println!("\n{}\n", script.introduction);
    for call in &script.calls {
        make_call(&mut client, call).with_context(|| call.tool.to_owned())?;
    }
    client.close()
}

fn make_call(client: &mut Client, call: &Call) -> Result<()> {
    println!("{}", emphasised(format!("{} {}", call.tool, line(&call.arguments)).trim_end()));
    let began = Instant::now();
    let reply = client.call(call.tool, &call.arguments, |progress| eprintln!("  … {progress}"))?;
    println!("{}\n({})\n", reply.text, call.remark(began.elapsed()));
    ensure!(!reply.is_error, "the call failed");
    for expected in &call.expect {
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
    if std::io::stdout().is_terminal() {
        format!("\x1b[1m> {text}\x1b[0m")
    } else {
        format!("> {text}")
    }
}

/// How to add dapdock to an MCP client, with the paths of this checkout.
fn client_setup(layout: &Layout) -> String {
    let (binary, config) = (layout.dapdock(), layout.config());
    let (binary, config) = (binary.display(), config.display());
    let entry = json!({
        "mcpServers": {
            "dapdock": {"command": binary.to_string(), "args": ["mcp", "--config",
                config.to_string()]},
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
