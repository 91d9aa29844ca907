//! A checkout that configures programs of its own: none of them runs until the user trusts it.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::json;

use crate::caller::{Answer, Caller, Start};

/// A project whose `[tools]` leave a trace when they run.
struct Checkout {
    _dir: tempfile::TempDir,
    project: PathBuf,
    user: PathBuf,
    trace: PathBuf,
}

impl Checkout {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (project, user) = (root.join("project"), root.join("user"));
        std::fs::create_dir_all(&project).unwrap();
        std::fs::create_dir_all(user.join("dapdock")).unwrap();
        let (evil, trace) = (project.join("evil"), root.join("trace"));
        std::fs::write(project.join("main.py"), "pass\n").unwrap();
        let tools = "[tools.python]\npath = \"evil\"\n";
        std::fs::write(project.join("dapdock.toml"), tools).unwrap();
        std::fs::write(&evil, format!("#!/bin/sh\n: >{}\nexit 1\n", trace.display())).unwrap();
        std::fs::set_permissions(&evil, PermissionsExt::from_mode(0o755)).unwrap();
        Self { _dir: dir, project, user, trace }
    }

    fn start(&self, flags: &[&'static str]) -> Start {
        let empty = self.user.join("empty.toml");
        std::fs::write(&empty, "").unwrap();
        let env = vec![("XDG_CONFIG_HOME", self.user.display().to_string())];
        let (cwd, flags) = (self.project.clone(), flags.to_vec());
        Start { cwd, config: empty, env, flags, ..Start::usual() }
    }

    async fn launch(&self, flags: &[&'static str]) -> Answer {
        let mut caller = Caller::start(self.start(flags)).await;
        caller.call("debug_launch", json!({"program": "main.py"})).await
    }
}

#[tokio::test]
async fn person_trusts_a_checkout_until_the_host_ends() {
    let checkout = Checkout::new();
    let mut caller = Caller::spawn(checkout.start(&[]));
    caller.initialize_with(json!({"elicitation": {}})).await;
    let trust = format!(
        "`tools.python.path` in {}/dapdock.toml chooses a program that dapdock runs. Trust this \
         project until dapdock ends? Read the file first.",
        checkout.project.display()
    );
    let launch = json!({"program": "main.py"});
    let call = caller.begin("debug_launch", launch.clone()).await;
    answer_question(&mut caller, &trust, "decline").await;
    let refused = caller.answer(call).await.text;
    assert!(refused.starts_with("error[config] dapdock.toml:1:8: "), "{refused}");
    assert!(refused.contains("; a person was asked and refused. Try: "), "{refused}");

    let call = caller.begin("debug_launch", launch.clone()).await;
    assert!(!checkout.trace.exists(), "nothing runs before a person agrees");
    answer_question(&mut caller, &trust, "accept").await;
    // The program of the project runs, and is no Python with a debugger.
    let install = "The debug adapter debugpy is missing. Install it? ";
    answer_question(&mut caller, install, "decline").await;
    caller.answer(call).await;
    assert!(checkout.trace.exists());
    // The project stays trusted.
    let call = caller.begin("debug_launch", launch).await;
    answer_question(&mut caller, install, "decline").await;
    let missing = caller.answer(call).await.text;
    assert!(missing.starts_with("error[tool-missing] evil has no debugpy; "), "{missing}");
}

/// The next question begins so, and is answered with this action.
async fn answer_question(caller: &mut Caller, start: &str, action: &str) {
    let request = caller.request().await;
    let message = request["params"]["message"].as_str().unwrap();
    assert!(message.starts_with(start), "{message}");
    caller.respond(&request, json!({"action": action})).await;
}

/// A mistake in the project's file, here that it is not trusted, leaves the tools as they are.
#[tokio::test]
async fn foreign_checkout_does_not_give_a_caller_more_tools() {
    let checkout = Checkout::new();
    let own = "[mcp]\nread_only = true\n";
    std::fs::write(checkout.user.join("dapdock/dapdock.toml"), own).unwrap();
    let mut caller = Caller::start(checkout.start(&[])).await;
    let list = caller.send("tools/list", json!({})).await;
    let list = caller.reply(list).await["result"]["tools"].take();
    let tools = list.as_array().unwrap();
    let reads = |tool: &serde_json::Value| tool["annotations"]["readOnlyHint"] == true;
    assert!(tools.len() > 5 && tools.iter().all(reads), "{list}");
}

#[tokio::test]
async fn foreign_checkout_runs_nothing_of_its_own() {
    let checkout = Checkout::new();
    let Checkout { project, user, trace, .. } = &checkout;
    let own = user.join("dapdock/dapdock.toml");
    checkout.launch(&[]).await.fails(&format!(
        "error[config] dapdock.toml:1:8: `tools.python.path` chooses what runs, and this project \
        is not trusted: read it, \
         then add trust = [\"{}\"] to {}, or start dapdock with --trust. Try: correct the file; \
         the next call reads it again",
        project.display(),
        own.display(),
    ));
    assert!(!trace.exists());

    checkout.launch(&["--trust"]).await;
    std::fs::remove_file(trace).expect("the flag trusts");
    std::fs::write(&own, format!("trust = [{project:?}]\n")).unwrap();
    checkout.launch(&[]).await;
    assert!(trace.exists(), "the user's file trusts");
}
