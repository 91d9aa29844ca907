//! A checkout that configures programs of its own: none of them runs until the user trusts it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use crate::caller::{Answer, Caller, Start};

/// Launches a script in a project whose `[tools]` leave a trace when they run.
async fn launch(project: &Path, user: &Path, flags: &[&'static str]) -> Answer {
    let empty = user.join("empty.toml");
    std::fs::write(&empty, "").unwrap();
    let env = vec![("XDG_CONFIG_HOME", user.display().to_string())];
    let start = Start {
        cwd: project.to_owned(),
        config: empty,
        env,
        flags: flags.to_vec(),
        ..Start::usual()
    };
    Caller::start(start).await.call("debug_launch", json!({"program": "main.py"})).await
}

#[tokio::test]
async fn foreign_checkout_runs_nothing_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let (project, user) = (root.join("project"), root.join("user"));
    std::fs::create_dir_all(&project).unwrap();
    std::fs::create_dir_all(user.join("dapdock")).unwrap();
    let (evil, trace, own) =
        (project.join("evil"), root.join("trace"), user.join("dapdock/dapdock.toml"));
    std::fs::write(project.join("main.py"), "pass\n").unwrap();
    std::fs::write(project.join("dapdock.toml"), "[tools.python]\npath = \"evil\"\n").unwrap();
    std::fs::write(&evil, format!("#!/bin/sh\n: >{}\nexit 1\n", trace.display())).unwrap();
    std::fs::set_permissions(&evil, PermissionsExt::from_mode(0o755)).unwrap();

    launch(&project, &user, &[]).await.fails(&format!(
        "error[config] dapdock.toml:1:8: `tools.python.path` chooses what runs, and this project \
        is not trusted: read it, \
         then add trust = [\"{}\"] to {}, or start dapdock with --trust. Try: correct the file; \
         the next call reads it again",
        project.display(),
        own.display(),
    ));
    assert!(!trace.exists());

    launch(&project, &user, &["--trust"]).await;
    std::fs::remove_file(&trace).expect("the flag trusts");
    std::fs::write(&own, format!("trust = [{project:?}]\n")).unwrap();
    launch(&project, &user, &[]).await;
    assert!(trace.exists(), "the user's file trusts");
}
