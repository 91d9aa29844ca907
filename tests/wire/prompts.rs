//! Prompts: each call that one proposes is accepted, with the fake adapter.

use serde_json::{Value, json};

use super::faked::{start, write};
use crate::caller::Caller;

async fn text(caller: &mut Caller, name: &str, arguments: Value) -> String {
    let request = caller.send("prompts/get", json!({"name": name, "arguments": arguments})).await;
    let reply = caller.reply(request).await;
    let messages = reply["result"]["messages"].as_array().unwrap_or_else(|| panic!("{reply}"));
    assert_eq!((messages.len(), &messages[0]["role"]), (1, &json!("user")), "{reply}");
    messages[0]["content"]["text"].as_str().unwrap().to_owned()
}

/// The calls of a prompt, in order: tool and arguments.
fn calls(text: &str) -> Vec<(&str, Value)> {
    let mut calls = Vec::new();
    for line in text.lines() {
        let step = line.split_once(". ").filter(|(number, _)| number.parse::<u32>().is_ok());
        let Some((_, call)) = step else { continue };
        let (tool, arguments) = call.split_once(' ').unwrap_or((call, "{}"));
        calls.push((tool, serde_json::from_str(arguments).unwrap()));
    }
    calls
}

#[tokio::test]
async fn first_calls_of_a_prompt_work_as_they_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root.join("shop.fake"));
    let mut caller = start(&root, &[]).await;
    let arguments = json!({"program": "shop.fake", "location": "shop.fake:3", "variable": "total"});
    let text = text(&mut caller, "why_value", arguments).await;
    assert!(text.starts_with("In `shop.fake`, `total` at `shop.fake:3` is wrong. "), "{text}");
    let calls = calls(&text);
    let (tool, mut launch) = calls[0].clone();
    assert_eq!(tool, "debug_launch");
    let program = json!([{"line": 3, "locals": {"total": 7}}]);
    launch["options"] = json!({"script": {"source": root.join("shop.fake"), "program": program}});
    let stop = caller.call(tool, launch).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #1"), "{}", stop.text);
    let (tool, arguments) = calls[1].clone();
    let value = caller.call(tool, arguments).await;
    assert!(value.text.ends_with("\n7"), "{}", value.text);
}

#[tokio::test]
async fn list_describes_every_argument() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = start(&dir.path().canonicalize().unwrap(), &[]).await;
    let request = caller.send("prompts/list", json!({})).await;
    let reply = caller.reply(request).await;
    let prompts = reply["result"]["prompts"].as_array().unwrap();
    let names: Vec<&str> = prompts.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["debug_test", "why_crash", "why_hang", "why_value"]);
    for prompt in prompts {
        assert!(prompt["description"].is_string() && prompt["title"].is_string(), "{prompt}");
        for argument in prompt["arguments"].as_array().unwrap() {
            assert!(argument["description"].is_string(), "{argument}");
            assert!(argument["required"].is_boolean(), "{argument}");
        }
    }
    let request = caller.send("prompts/get", json!({"name": "why_crash"})).await;
    assert_eq!(caller.reply(request).await["error"]["code"], -32602);
}
