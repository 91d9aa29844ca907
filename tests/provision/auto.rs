//! A launch whose adapter is missing: the error names the install command, or the adapter is
//! installed where the user configured that.

use serde_json::{Value, json};

use super::User;
use super::clients::good_go;
use super::server::{Server, archive};
use crate::caller::{Answer, Caller, Start};

/// Launches machine code through the Go plugin, with `text` as the configuration.
async fn launch(user: &User, text: &str) -> Answer {
    launch_with(user, text, json!({"program": env!("CARGO_BIN_EXE_dapdock"), "adapter": "delve"}))
        .await
}

async fn launch_with(user: &User, text: &str, mut arguments: Value) -> Answer {
    // The commands must not find it as a project's configuration.
    let config = user.dir.path().join("named.toml");
    std::fs::write(&config, text).unwrap();
    let at = |name: &str| user.dir.path().join(name).display().to_string();
    let env = vec![("PATH", at("bin")), ("XDG_DATA_HOME", at("data")), ("NOTES", at("notes"))];
    let mut caller = Caller::start(Start { config, env, ..Start::usual() }).await;
    arguments["timeout_s"] = json!(50);
    let answer = caller.call("debug_launch", arguments).await;
    caller.hang_up();
    assert_eq!(caller.wait_for_exit().await, Some(0));
    answer
}

#[tokio::test]
async fn nothing_is_fetched_without_auto_install() {
    let user = User::with(&[("go", &good_go())]);
    let answer = launch(&user, "").await;
    let error = "error[tool-missing] dlv not found (looked for dlv on PATH). Try: dapdock adapters \
        install delve";
    assert_eq!((answer.text.as_str(), answer.is_error), (error, true));
    assert_eq!(user.notes(), [""; 0]);
}

/// The installed file is no debugger: its failure shows that it was found and run.
#[tokio::test]
async fn missing_adapter_is_installed_with_auto_install() {
    let user = User::with(&[("go", &good_go())]);
    let answer = launch(&user, "auto_install = true\n").await;
    assert!(
        answer.text.starts_with("error[adapter-died] the adapter ended during start"),
        "{}",
        answer.text
    );
    assert_eq!(user.listed("delve").await["state"], "installed");
}

#[tokio::test]
async fn failed_install_is_reported_with_the_command() {
    let user = User::with(&[("go", "echo no network >&2; exit 1")]);
    let answer = launch(&user, "auto_install = true\n").await;
    assert!(
        answer.text.starts_with("error[install-failed] delve cannot be installed: "),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("no network"), "{}", answer.text);
    assert!(answer.text.ends_with("Try: dapdock adapters install delve"), "{}", answer.text);
}

/// A source file that gdb claims, with gdb too old or missing.
fn of_gdb(user: &User, gdb: Option<&str>) -> Value {
    let file = user.dir.path().join("a.c");
    std::fs::write(&file, "int main(void) { return 0; }\n").unwrap();
    if let Some(version) = gdb {
        let script = format!("#!/bin/sh\necho 'GNU gdb (Debian {version}-3) {version}'\n");
        crate::plugin::script(&user.dir.path().join("bin/gdb"), &script);
    }
    json!({"program": file})
}

/// The adapter that can debug it instead is installed, and the launch continues with it.
#[tokio::test]
async fn other_adapter_for_the_language_is_installed() {
    for gdb in [Some("13.1"), None] {
        let server = Server::with(&[("/first.tar", &archive())]).await;
        let user = server.user();
        let codelldb =
            format!("[adapters.codelldb]\nplugin = {:?}\n", crate::plugin::component("pinned"));
        let launch = of_gdb(&user, gdb);
        let refused = launch_with(&user, &codelldb, launch.clone()).await;
        assert!(
            refused
                .text
                .contains(". Try: `dapdock adapters install codelldb`, which debugs it too; or "),
            "{}",
            refused.text
        );
        assert_eq!(server.requested(), [""; 0]);
        let answer = launch_with(&user, &format!("auto_install = true\n{codelldb}"), launch).await;
        assert!(
            answer.text.starts_with("error[adapter-died] the adapter ended during "),
            "{}",
            answer.text
        );
        assert!(answer.text.contains("\"session\": \"codelldb-1\""), "{}", answer.text);
        assert_eq!(
            (server.requested(), user.left()),
            (vec!["/first.tar".to_owned()], vec!["pinned".to_owned()])
        );
    }
}

/// The caller named an adapter without a pinned install.
#[tokio::test]
async fn nothing_is_installed_for_an_adapter_that_was_named() {
    let server = Server::with(&[("/first.tar", &archive())]).await;
    let user = server.user();
    let text = format!(
        "auto_install = true\n[adapters.codelldb]\nplugin = {:?}\n",
        crate::plugin::component("pinned")
    );
    let mut launch = of_gdb(&user, Some("13.1"));
    launch["adapter"] = json!("gdb");
    let refused = launch_with(&user, &text, launch).await;
    assert!(
        refused
            .text
            .starts_with("error[tool-too-old] gdb 13.1 has no debug adapter. Try: install gdb")
    );
    assert_eq!(server.requested(), [""; 0]);
}
