//! Roots of a client: its relative paths and its project's configuration are those of the first.

use serde_json::{Value, json};

use super::faked;
use crate::caller::{Caller, Start};

/// A host outside the project, and a project with a program and a configuration.
struct Places {
    dir: tempfile::TempDir,
}

impl Places {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["home", "one", "other project"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        faked::write(&dir.path().join("one/shop.fake"));
        faked::write(&dir.path().join("other project/other.fake"));
        std::fs::write(dir.path().join("one/dapdock.toml"), "[limits]\nsessions = 1\n").unwrap();
        Self { dir }
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn spawn(&self, flags: &[&'static str]) -> Caller {
        let (cwd, config) = (self.at("home"), faked::configure(self.dir.path()));
        Caller::spawn(Start { cwd, config, flags: flags.to_vec(), ..Start::usual() })
    }

    fn root(&self, name: &str) -> Value {
        json!({"uri": format!("file://{}", self.at(name).display()).replace(' ', "%20")})
    }
}

fn launch(program: &str) -> Value {
    let options = json!({"script": {"program": [{"line": 1, "hangs": true}]}});
    json!({"program": program, "options": options, "timeout_s": 1})
}

async fn list(caller: &mut Caller, roots: &[Value]) {
    let request = caller.request().await;
    assert_eq!(request["method"], "roots/list");
    caller.respond(&request, json!({"roots": roots})).await;
}

#[tokio::test]
async fn paths_and_configuration_are_those_of_the_first_root() {
    let places = Places::new();
    let mut caller = places.spawn(&[]);
    caller.initialize_with(json!({"roots": {"listChanged": true}})).await;
    // The call is made before the roots are known.
    let call = caller.begin("debug_launch", launch("shop.fake")).await;
    let missing = json!({"uri": "file:///nowhere"});
    list(&mut caller, &[missing, places.root("one"), places.root("other project")]).await;
    let running = caller.answer(call).await;
    assert!(running.text.starts_with("▶ running"), "{}", running.text);
    // The limit of the project's configuration.
    let second = caller.call("debug_launch", launch("shop.fake")).await;
    let limit = "error[limit] the number of open sessions is limited to 1.";
    assert!(second.text.starts_with(limit), "{}", second.text);
    caller.call("debug_stop", json!({})).await;

    caller.notify("notifications/roots/list_changed", json!({})).await;
    list(&mut caller, &[places.root("other project")]).await;
    let other = caller.call("debug_launch", launch("other.fake")).await;
    assert!(other.text.starts_with("▶ running"), "{}", other.text);
}

/// The program is in a root, which is not where relative paths start.
async fn assert_not_found(caller: &mut Caller) {
    let answer = caller.call("debug_launch", launch("shop.fake")).await;
    answer.fails("error[bad-path] program shop.fake does not exist. Try: debug_targets");
    assert!(!caller.has_request(), "the roots are not needed");
}

#[tokio::test]
async fn named_workspace_comes_before_roots() {
    let places = Places::new();
    let mut caller = places.spawn(&["--workspace", "."]);
    caller.initialize_with(json!({"roots": {}})).await;
    assert_not_found(&mut caller).await;
}

#[tokio::test]
async fn client_without_roots_works_in_the_current_directory() {
    let places = Places::new();
    let mut caller = places.spawn(&[]);
    caller.initialize().await;
    assert_not_found(&mut caller).await;
}
