//! Completion of every kind of value, with the fake adapter.

use serde_json::{Value, json};

use super::faked::{start, write};
use crate::caller::Caller;

async fn complete(caller: &mut Caller, reference: Value, name: &str, typed: &str) -> Value {
    let argument = json!({"name": name, "value": typed});
    let params = json!({"ref": reference, "argument": argument});
    let request = caller.send("completion/complete", params).await;
    caller.reply(request).await
}

fn prompt(name: &str) -> Value {
    json!({"type": "ref/prompt", "name": name})
}

fn template(uri: &str) -> Value {
    json!({"type": "ref/resource", "uri": uri})
}

#[tokio::test]
async fn each_kind_of_value_is_completed() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root.join("shop.fake"));
    write(&root.join("lib/shipping.fake"));
    std::fs::write(root.join("notes.txt"), "no source\n").unwrap();
    let mut caller = start(&root, &[]).await;
    let place = json!({
        "line": 3, "function": "pay", "callers": [["checkout", 9]],
        "locals": {"total": 7, "order": {"items": [4, 5], "price": 2}},
    });
    let script = json!({"source": root.join("shop.fake"), "program": [place]});
    let launch = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:3", "shop.fake:12"],
        "options": {"script": script}, "timeout_s": 50,
    });
    let stop = caller.call("debug_launch", launch).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #1"), "{}", stop.text);
    let source = template("debug://session/{session}/source/{+path}");
    for (reference, name, typed, expected) in [
        (template("debug://session/{session}/log"), "session", "", json!(["fake-1"])),
        (prompt("why_hang"), "session", "FAKE", json!(["fake-1"])),
        (source, "path", "sh", json!(["shop.fake", "lib/shipping.fake"])),
        (prompt("why_crash"), "program", "shi", json!(["lib/shipping.fake"])),
        (prompt("debug_test"), "location", "pa", json!(["pay"])),
        (prompt("why_value"), "location", "check", json!(["checkout"])),
        (prompt("why_value"), "location", "shop", json!(["shop.fake"])),
        (prompt("why_value"), "variable", "", json!(["total", "order"])),
        (prompt("why_value"), "variable", "order.", json!(["order.items", "order.price"])),
        (prompt("why_value"), "variable", "order.pr", json!(["order.price"])),
        (prompt("why_value"), "breakpoint", "", json!(["1", "2"])),
        (template("debug://adapters/{adapter}/{document}"), "document", "re", json!(["reference"])),
        (prompt("why_value"), "expected", "x", json!([])),
        (prompt("why_value"), "variable", "nothing", json!([])),
    ] {
        let reply = complete(&mut caller, reference, name, typed).await;
        let completion = &reply["result"]["completion"];
        assert_eq!(completion["values"], expected, "{name} `{typed}`: {reply}");
    }
}

/// Also without a session, and before anything was started.
#[tokio::test]
async fn unknown_references_and_arguments_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = start(&dir.path().canonicalize().unwrap(), &[]).await;
    for (reference, name) in [
        (prompt("why_not"), "program"),
        (prompt("why_crash"), "variable"),
        (template("debug://nothing/{x}"), "x"),
        (template("debug://session/{session}"), "path"),
    ] {
        let reply = complete(&mut caller, reference, name, "").await;
        assert_eq!(reply["error"]["code"], -32602, "{reply}");
    }
    for name in ["variable", "breakpoint", "session", "location"] {
        let reply = complete(&mut caller, prompt("why_value"), name, "x").await;
        assert_eq!(reply["result"]["completion"]["values"], json!([]), "{name}: {reply}");
    }
}
