//! An independent client: the official TypeScript SDK (`typescript.mjs`) debugs a program of the
//! fake adapter over stdio and by HTTP.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::conformance::{node, suites};
use super::faked;
use super::protocol::TOOLS;
use crate::caller::http::{LEFT_NOTHING, Served};
use crate::caller::{PATIENCE, root};

/// Runs the client to its end; what it reports.
async fn run(packages: &Path, dir: &Path, stage: &Value) -> Vec<Value> {
    let mut client = node(packages, root().join("tests/wire/typescript.mjs"));
    client.arg(packages.join("@modelcontextprotocol/sdk")).arg(stage.to_string());
    let client = client.current_dir(dir).stdin(Stdio::null()).output();
    let output = tokio::time::timeout(PATIENCE, client).await.expect("the client ends").unwrap();
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn check(seen: &[Value]) {
    let steps: Vec<_> = seen.iter().map(|one| one["step"].as_str().unwrap()).collect();
    let expected = ["tools", "debug_launch", "debug_step", "debug_variables", "debug_stop"];
    assert_eq!(steps, expected, "{seen:?}");
    assert_eq!(seen[0]["names"], json!(TOOLS));
    for (index, words) in [
        (1, "\n#0 main  shop.fake:3\n"),
        (2, "\n#0 main  shop.fake:4\n"),
        (3, "frame #0 main"),
        (4, "□ ended; no process is left"),
    ] {
        assert!(seen[index]["text"].as_str().unwrap().contains(words), "{}", seen[index]);
    }
}

#[tokio::test]
async fn typescript_sdk_debugs_over_stdio_and_by_http() {
    let Some(packages) = suites() else { return };
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().canonicalize().unwrap().join("shop.fake");
    let config = faked::configure(dir.path());
    faked::write(&source);
    let options = json!({"script": {"program": [{"line": 3}, {"line": 4}], "source": source}});
    let launch = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:3"], "options": options, "timeout_s": 50,
    });
    let command = [env!("CARGO_BIN_EXE_dapdock"), "mcp", "--config", config.to_str().unwrap()];
    check(&run(&packages, dir.path(), &json!({"launch": launch, "command": command})).await);
    let served = Served::start(dir.path(), &[]).await;
    let url = format!("http://{}/mcp", served.address);
    let stage = json!({"launch": launch, "url": url, "token": served.token});
    check(&run(&packages, dir.path(), &stage).await);
    served.mark.only_host(LEFT_NOTHING).await;
}
