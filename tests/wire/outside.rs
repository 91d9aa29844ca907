//! An independent client: the official Python SDK debugs two programs (`outside.py`) and reports
//! what it received.
//!
//! The SDK checks types, schemas and the shutdown; this file checks the values that an agent must
//! have read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use super::protocol::TOOLS;
use crate::caller::http::{LEFT_NOTHING, Served};
use crate::caller::{Answer, Mark, PATIENCE, adapters_config, private_directories, root};
use crate::real::Language;

/// How long the SDK waits for a server to exit before it kills it.
const KILLS_AFTER: f64 = 2.0;

/// The SDK's interpreter. `cargo xtask test` installs it with the debuggers.
fn client() -> PathBuf {
    let python = adapters_config().with_file_name("mcp-client/bin/python");
    assert!(python.exists(), "there is no {}: cargo xtask adapters", python.display());
    python
}

/// The client's reports, by step.
struct Seen(BTreeMap<String, Value>);

impl Seen {
    /// Runs the client to its end; every step must be reported once.
    #[expect(
        clippy::disallowed_methods,
        reason = "the client is an outside program that the test runs"
    )]
    async fn of(stage: Value, mark: &Mark) -> Self {
        let client = tokio::process::Command::new(client())
            .arg("tests/wire/outside.py")
            .arg(env!("CARGO_BIN_EXE_dapdock"))
            .arg(adapters_config())
            .arg(stage.to_string())
            .current_dir(root())
            .envs(private_directories())
            .env(Mark::NAME, mark.value())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let output = tokio::time::timeout(2 * PATIENCE, client)
            .await
            .expect("the client does not end")
            .unwrap();
        let (reported, errors) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{reported}\n{errors}");
        let mut seen = BTreeMap::new();
        for line in reported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            let twice = seen.insert(line["step"].as_str().unwrap().to_owned(), line);
            assert!(twice.is_none(), "{twice:?}");
        }
        Self(seen)
    }

    #[track_caller]
    fn at(&self, step: &str) -> &Value {
        self.0.get(step).unwrap_or_else(|| panic!("no `{step}` in {:?}", self.0.keys()))
    }

    /// A tool's result.
    #[track_caller]
    fn answer(&self, step: &str) -> Answer {
        let seen = self.at(step);
        assert_eq!(seen["kinds"], json!(["text"]), "{seen}");
        Answer {
            text: seen["text"].as_str().unwrap().to_owned(),
            is_error: seen["error"].as_bool().unwrap(),
            data: seen["data"].clone(),
        }
    }
}

#[tokio::test]
async fn python_sdk_debugs_and_closes() {
    debug_and_close(&[]).await;
}

#[tokio::test]
async fn python_sdk_validates_results_as_data() {
    debug_and_close(&["--structured"]).await;
}

#[tokio::test]
async fn python_sdk_debugs_and_closes_by_http() {
    if !Language::Python.is_here() {
        return;
    }
    let served = Served::configured(&root(), &adapters_config(), &[]).await;
    let mut stage = stage(&[]);
    stage["url"] = format!("http://{}/mcp", served.address).into();
    stage["token"] = served.token.clone().into();
    let seen = Seen::of(stage, &Mark::fresh()).await;
    served.mark.only_host(LEFT_NOTHING).await;
    check(&seen);
}

async fn debug_and_close(flags: &[&str]) {
    if !Language::Python.is_here() {
        return;
    }
    let mark = Mark::fresh();
    let seen = Seen::of(stage(flags), &mark).await;
    mark.wait_until_gone(Duration::from_secs(2), "after the client closed").await;
    for step in ["launch", "error", "exit", "sleeper", "pause", "end"] {
        assert_eq!(seen.answer(step).data.is_object(), !flags.is_empty(), "{step}");
    }
    check(&seen);
}

fn stage(flags: &[&str]) -> Value {
    let python = Language::Python;
    json!({
        "flags": flags,
        "cart": python.program("cart"),
        "at": format!("{} if index == 3", python.at("cart", "add")),
        "sleeper": python.program("sleeper"),
        "loop": python.at("sleeper", "loop"),
    })
}

fn check(seen: &Seen) {
    introduced(seen);
    debugged_the_cart(seen);
    waited_and_cancelled(seen);
    closed(seen);
}

fn introduced(seen: &Seen) {
    let about = seen.at("initialize");
    assert_eq!((&about["name"], &about["protocol"]), (&json!("dapdock"), &json!("2025-11-25")));
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
    assert!(
        about["instructions"]
            .as_str()
            .unwrap()
            .starts_with("dapdock runs programs under a real debugger.")
    );
    let tools = seen.at("tools");
    let prompts = seen.at("prompts")["texts"].as_object().unwrap();
    let names: Vec<&str> = prompts.keys().map(String::as_str).collect();
    assert_eq!(names, ["debug_test", "why_crash", "why_hang", "why_value"]);
    assert!(
        prompts["debug_test"].as_str().unwrap().contains("\n3. debug_launch {\"test\": \"TEST\"")
    );
    assert_eq!((&tools["names"], &tools["hinted"]), (&json!(TOOLS), &json!(true)));
}

fn debugged_the_cart(seen: &Seen) {
    let python = Language::Python;
    let stop = seen.answer("launch").good();
    assert_eq!(stop.reason(), "breakpoint #1");
    assert_eq!(stop.place(), format!("total_of  {}", python.at("cart", "add")));
    assert_eq!(
        (stop.local("index"), stop.local("net"), stop.local("total")),
        ("3", "4900", "4893")
    );
    let texts = &seen.at("resources")["texts"];
    for uri in ["debug://sessions", "debug://session/debugpy-1"] {
        let status = texts[uri].as_str().unwrap();
        assert!(status.starts_with("debugpy-1 · stopped breakpoint · total_of  "), "{status}");
    }
    assert!(texts["debug://adapters"].as_str().unwrap().contains("debugpy"), "{texts}");
    let values = "item.name = 'Atlas'  (str)\nnet = 4900  (int)\ntotal + net = 9793  (int)";
    assert_eq!(seen.answer("evaluate").good().text, values);
    let step = seen.answer("step").good();
    assert_eq!(
        (step.reason(), step.line("changed since stop 1: ")),
        ("after step", "total 4893→10136")
    );
    assert_eq!(step.place(), format!("total_of  {}", python.at("cart", "print")));
    let tags = seen.answer("variables").good();
    assert_eq!(tags.line("item.tags"), ": dict · 2 inside · frame #0 total_of");
    tags.says("pages");
    seen.answer("error").fails(
        "error[no-such-variable] item has no `weight`; there are kind, name, note, tags, price, \
        quantity. \
         Try: debug_variables {\"path\": \"item.kind\"}",
    );
    let exit = seen.answer("exit").good();
    exit.line("□ exited with code 0 · ");
    exit.says("\n  3 Atlas 10136\n  total 10136\n");
}

fn waited_and_cancelled(seen: &Seen) {
    let place = format!("main  {}", Language::Python.at("sleeper", "loop"));
    assert_eq!(seen.answer("sleeper").good().place(), place);
    for step in ["wait", "given up"] {
        let progress = seen.at(&format!("{step} progress"));
        assert!(progress["message"].as_str().unwrap().starts_with("running · "), "{progress}");
        assert!(progress["amount"].as_f64().unwrap() >= 0.0, "{progress}");
    }
    assert_eq!(seen.answer("wait").good().reason(), "by pause");
    seen.answer("pause").good().line("■ stopped by pause · ");
    assert_eq!(seen.at("wait over")["cancelled"], false);
    // The call was cancelled, the program was not.
    assert_eq!(seen.at("given up over")["cancelled"], true);
    assert!(!seen.0.contains_key("given up"), "a cancelled call was answered");
    seen.answer("status").good().says(" · running · ");
    let stop = seen.answer("stop").good();
    assert_eq!((stop.reason(), stop.place()), ("breakpoint #3", place.as_str()));
    seen.answer("end").good();
}

fn closed(seen: &Seen) {
    let closed = seen.at("closed");
    let seconds = closed["seconds"].as_f64().unwrap();
    assert!(seconds < KILLS_AFTER, "the host had to be killed: {seconds} s");
    assert_eq!(closed["complaints"], json!([]));
    let notices = closed["notices"].as_array().unwrap();
    let known = ["notifications/progress", "notifications/resources/list_changed"];
    for notice in notices {
        assert!(known.contains(&notice.as_str().unwrap()), "{notices:?}");
    }
}
