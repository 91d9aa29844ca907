//! Results as data, with the fake adapter: the flag, the schemas, and the values next to the text.

use std::path::Path;

use serde_json::{Value, json};

use crate::caller::{Caller, Results, Start};

/// A host in the directory that knows the fake adapter and a program of forty lines.
async fn start(dir: &Path, structured: bool) -> Caller {
    std::fs::write(dir.join("shop.fake"), "code\n".repeat(40)).unwrap();
    let (plugin, adapter) = (crate::plugin::component("fake"), crate::fake::executable());
    let config = dir.join("dapdock.toml");
    let tools = format!("[tools.fake-adapter]\npath = {adapter:?}\n");
    std::fs::write(&config, format!("[adapters.fake]\nplugin = {plugin:?}\n{tools}")).unwrap();
    Caller::start(Start { cwd: dir.to_owned(), config, structured, ..Start::usual() }).await
}

/// Launches a program that prints, has locals and exits with 3.
fn launch(dir: &Path) -> Value {
    let cart = json!({"owner": "Ada", "size": 2});
    let program = json!([
        {"line": 3, "function": "main", "locals": {"total": 1, "cart": cart},
            "output": [["stdout", "at 3\n"]]},
        {"line": 5, "function": "main", "locals": {"total": 2, "cart": cart}},
        {"line": 7, "function": "main", "locals": {"total": 2, "cart": cart}},
    ]);
    json!({
        "program": "shop.fake",
        "args": ["two words"],
        "breakpoints": ["shop.fake:3", "shop.fake:7"],
        "options": {"script": {
            "program": program,
            "source": dir.join("shop.fake"),
            "exit_code": 3,
        }},
        "timeout_s": 50,
    })
}

/// Calls of every tool, in an order that works.
fn calls(dir: &Path) -> Vec<(&'static str, Value)> {
    vec![
        ("debug_variables", json!({})),
        ("debug_status", json!({"detail": "adapters"})),
        ("debug_targets", json!({})),
        ("debug_launch", launch(dir)),
        ("debug_evaluate", json!({"expressions": ["total", "nowhere"], "watch": true})),
        ("debug_variables", json!({"depth": 2})),
        ("debug_variables", json!({"path": "cart"})),
        ("debug_step", json!({})),
        ("debug_variables", json!({"diff": true})),
        ("debug_set", json!({"target": "total", "value": "9"})),
        ("debug_stack", json!({"all_threads": true})),
        ("debug_status", json!({})),
        ("debug_status", json!({"detail": "capabilities"})),
        ("debug_output", json!({})),
        ("debug_pause", json!({})),
        ("debug_evaluate", json!({"watch": false})),
        ("debug_breakpoints", json!({"set": ["main"], "exceptions": ["all"]})),
        ("debug_continue", json!({"until": "shop.fake:99"})),
        ("debug_continue", json!({})),
        ("debug_wait", json!({"timeout_s": 0.1})),
        ("debug_continue", json!({})),
        ("debug_continue", json!({})),
        ("debug_restart", json!({})),
        ("debug_exception", json!({})),
        ("debug_stop", json!({"all": true})),
        ("debug_stop", json!({"all": true})),
        ("debug_attach", json!({"address": "nowhere"})),
    ]
}

/// Without times and process ids, which differ from run to run.
fn plain(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let parts = line.split(" · ").map(|part| match part.rsplit_once(' ') {
            Some((_, "ms" | "s")) => "TIME",
            _ => part,
        });
        lines.push(parts.collect::<Vec<_>>().join(" · "));
    }
    lines.join("\n")
}

#[tokio::test]
async fn list_differs_by_the_schemas_alone() {
    let mut lists = Vec::new();
    for structured in [false, true] {
        let mut caller = Caller::start(Start { structured, ..Start::usual() }).await;
        let request = caller.send("tools/list", json!({})).await;
        lists.push(caller.reply(request).await["result"].clone());
    }
    let [usual, structured] = &mut lists[..] else { panic!("two lists") };
    Results::of(structured.clone()).compile_all();
    for tool in structured["tools"].as_array_mut().unwrap() {
        let schema = tool.as_object_mut().unwrap().shift_remove("outputSchema").unwrap();
        assert_eq!(schema["required"], json!(["status", "data", "error", "context"]), "{tool}");
    }
    assert_eq!(usual.to_string(), structured.to_string());
}

/// The harness checks each result against its schema.
#[tokio::test]
async fn every_tool_returns_the_same_text_with_data() {
    let dir = tempfile::tempdir().unwrap();
    let mut structured = start(dir.path(), true).await;
    let mut usual = start(dir.path(), false).await;
    for (tool, arguments) in calls(dir.path()) {
        let data = structured.call(tool, arguments.clone()).await;
        let text = usual.call(tool, arguments.clone()).await;
        assert_eq!(plain(&data.text), plain(&text.text), "{tool} {arguments}");
        assert_eq!(data.is_error, text.is_error, "{tool} {arguments}");
    }
}

#[tokio::test]
async fn data_says_what_the_text_says() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = start(dir.path(), true).await;
    let none = caller.call("debug_variables", json!({})).await.data;
    assert_eq!(none["context"]["debuggerState"], Value::Null);
    let next = "debug_targets";
    let error = json!({"code": "no-session", "message": "no session is open", "next": next});
    assert_eq!((&none["error"], &none["data"]), (&error, &Value::Null));

    let stop = caller.call("debug_launch", launch(dir.path())).await.good().data;
    let (data, context) = (&stop["data"], &stop["context"]);
    let file = dir.path().join("shop.fake");
    assert_eq!(data["commandLine"], format!("{} 'two words'", file.display()));
    assert_eq!(
        (&data["event"], &data["stop"]["reason"]),
        (&json!("stopped"), &json!("breakpoint"))
    );
    assert_eq!(data["programName"], "shop.fake");
    let place = json!({"file": "shop.fake", "line": 3, "function": "main", "goroutine": 1});
    assert_eq!(context["currentPosition"], place);
    let breakpoint = json!({"id": 1, "file": "shop.fake", "line": 3, "functionName": "main",
        "hitCount": 1, "disabled": false});
    let state = &context["debuggerState"];
    assert_eq!(state["currentBreakpoint"], breakpoint);
    assert_eq!((&state["running"], &state["exited"]), (&json!(false), &json!(false)));
    let locals = context["localContext"]["locals"].as_array().unwrap();
    let names: Vec<_> = locals.iter().map(|local| local["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["total", "cart"]);
    assert_eq!((&locals[0]["value"], &locals[0]["flags"]), (&json!("1"), &json!([])));

    let step = caller.call("debug_step", json!({})).await.good().data["data"].clone();
    assert_eq!(step["stepType"], "over");
    assert_eq!((&step["from"]["line"], &step["to"]["line"]), (&json!(3), &json!(5)));
    let change = json!({"name": "total", "before": "1", "after": "2"});
    assert_eq!(step["changedVariables"], json!([change]));

    let cart = caller.call("debug_variables", json!({"path": "cart"})).await.good().data;
    assert_eq!(cart["data"]["variable"]["name"], "cart");
    assert_eq!(cart["data"]["variables"][0]["value"], "\"Ada\"");
    assert_eq!(cart["data"]["scope"]["line"], 5);
    assert_eq!(cart["context"]["currentPosition"]["line"], 5);

    caller.call("debug_continue", json!({})).await.good();
    let running = caller.call("debug_continue", json!({"wait": false})).await.data;
    assert_eq!(running["data"]["event"], "running");
    assert_eq!(running["context"]["currentPosition"], Value::Null);
    let exit = caller.call("debug_wait", json!({"timeout_s": 50})).await.data;
    assert_eq!(
        (&exit["data"]["event"], &exit["data"]["exit"]["code"]),
        (&json!("exited"), &json!(3))
    );
    let state = &exit["context"]["debuggerState"];
    assert_eq!((&state["exited"], &state["exitStatus"]), (&json!(true), &json!(3)));
    let time = exit["context"]["timestamp"].as_str().unwrap();
    assert!(time.len() == 24 && time.ends_with('Z'), "{time}");
}
