//! A launch whose adapter is missing, by a client that can ask a person (MCP, "Elicitation").

use serde_json::{Value, json};

use super::User;
use super::clients::good_go;
use crate::caller::{Caller, Start};

const MISSING: &str = "error[tool-missing] dlv not found (looked for dlv on PATH)";
const QUESTION: &str = "The debug adapter delve is missing. Install it? dapdock fetches the tested \
    version with your own package client and checks its SHA-256.";

fn spawn(user: &User) -> Caller {
    let config = user.dir.path().join("named.toml");
    std::fs::write(&config, "").unwrap();
    let at = |name: &str| user.dir.path().join(name).display().to_string();
    let env = vec![("PATH", at("bin")), ("XDG_DATA_HOME", at("data")), ("NOTES", at("notes"))];
    Caller::spawn(Start { config, env, ..Start::usual() })
}

fn launch() -> Value {
    json!({"program": env!("CARGO_BIN_EXE_dapdock"), "adapter": "delve", "timeout_s": 50})
}

/// The capabilities and version in `_meta`, as clients of MCP 2026-07-28 send them.
fn stateless(mut call: Value) -> Value {
    call["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    });
    call
}

async fn launched(user: &User, action: &str) -> (Value, String) {
    let mut caller = spawn(user);
    caller.initialize_with(json!({"elicitation": {}})).await;
    let call = caller.begin("debug_launch", launch()).await;
    let request = caller.request().await;
    caller.respond(&request, json!({"action": action, "content": {}})).await;
    let answer = caller.answer(call).await;
    assert!(answer.is_error, "{}", answer.text);
    (request, answer.text)
}

/// The installed file is no debugger: its failure shows that it was found and run.
#[tokio::test]
async fn adapter_is_installed_when_a_person_agrees() {
    let user = User::with(&[("go", &good_go())]);
    let (request, text) = launched(&user, "accept").await;
    assert_eq!(request["method"], "elicitation/create");
    assert_eq!(request["params"]["message"], QUESTION);
    let schema = &request["params"]["requestedSchema"];
    assert_eq!((&schema["type"], &schema["properties"]), (&json!("object"), &json!({})));
    assert!(text.starts_with("error[adapter-died] the adapter ended during start"), "{text}");
    assert_eq!(user.listed("delve").await["state"], "installed");
}

#[tokio::test]
async fn nothing_is_fetched_when_a_person_refuses() {
    for action in ["decline", "cancel"] {
        let user = User::with(&[("go", &good_go())]);
        let (_, text) = launched(&user, action).await;
        assert_eq!(
            text,
            format!(
                "{MISSING}; a person was asked and refused. Try: dapdock adapters install delve"
            )
        );
        assert_eq!(user.notes(), [""; 0]);
    }
}

#[tokio::test]
async fn failed_install_is_the_answer() {
    let user = User::with(&[("go", "echo no network >&2; exit 1")]);
    let (_, text) = launched(&user, "accept").await;
    assert!(text.starts_with("error[install-failed] delve cannot be installed: "), "{text}");
    assert!(text.contains("no network"), "{text}");
}

/// From MCP 2026-07-28 on the call returns the question, and the client repeats it.
#[tokio::test]
async fn later_clients_repeat_the_call_with_the_response() {
    let user = User::with(&[("go", &good_go())]);
    let mut caller = spawn(&user);
    let call = json!({"name": "debug_launch", "arguments": launch()});
    let first = caller.send("tools/call", stateless(call.clone())).await;
    let first = caller.reply(first).await["result"].take();
    assert_eq!(first["resultType"], "input_required", "{first}");
    let question = &first["inputRequests"]["install delve"];
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"]["message"], QUESTION);
    assert_eq!(user.notes(), [""; 0]);

    let mut again = stateless(call);
    again["inputResponses"] = json!({"install delve": {"action": "accept", "content": {}}});
    let second = caller.send("tools/call", again).await;
    let second = caller.reply(second).await["result"].take();
    let text = second["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("error[adapter-died] the adapter ended during start"), "{text}");
    assert_eq!(user.listed("delve").await["state"], "installed");
}
