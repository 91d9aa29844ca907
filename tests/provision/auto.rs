//! A launch that lacks its adapter: it names the command, or installs where the user said so.

use serde_json::json;

use super::User;
use super::clients::good_go;
use crate::caller::{Answer, Caller, Start};

/// Launches machine code through the Go plugin, with `text` as the configuration.
async fn launch(user: &User, text: &str) -> Answer {
    // Not where the commands would take it for a project's.
    let config = user.dir.path().join("named.toml");
    std::fs::write(&config, text).unwrap();
    let at = |name: &str| user.dir.path().join(name).display().to_string();
    let env = vec![("PATH", at("bin")), ("XDG_DATA_HOME", at("data")), ("NOTES", at("notes"))];
    let mut caller = Caller::start(Start { config, env, ..Start::usual() }).await;
    let program = env!("CARGO_BIN_EXE_dapdock");
    let answer = caller.call("debug_launch", json!({"program": program, "adapter": "delve", "timeout_s": 50})).await;
    caller.hang_up();
    assert_eq!(caller.ended().await, Some(0));
    answer
}

#[tokio::test]
async fn nothing_is_fetched_unasked() {
    let user = User::with(&[("go", &good_go())]);
    let answer = launch(&user, "").await;
    let error = "error[tool-missing] dlv not found (looked for dlv on PATH). Try: dapdock adapters install delve";
    assert_eq!((answer.text.as_str(), answer.is_error), (error, true));
    assert_eq!(user.notes(), [""; 0]);
}

/// What is installed here is no debugger: that it is run shows that it was found.
#[tokio::test]
async fn lacking_adapter_is_installed_where_the_user_said_so() {
    let user = User::with(&[("go", &good_go())]);
    let answer = launch(&user, "auto_install = true\n").await;
    assert!(answer.text.starts_with("error[adapter-died] the adapter ended during start"), "{}", answer.text);
    assert_eq!(user.listed("delve").await["state"], "installed");
}

#[tokio::test]
async fn failed_install_is_told_with_the_command() {
    let user = User::with(&[("go", "echo no network >&2; exit 1")]);
    let answer = launch(&user, "auto_install = true\n").await;
    assert!(answer.text.starts_with("error[install-failed] delve cannot be installed: "), "{}", answer.text);
    assert!(answer.text.contains("no network"), "{}", answer.text);
    assert!(answer.text.ends_with("Try: dapdock adapters install delve"), "{}", answer.text);
}
