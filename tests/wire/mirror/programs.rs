//! With real debuggers: an editor and the agent see the same values at the same place.

use super::*;

/// With a real debugger: an editor and the agent see the same values at the same place.
async fn joins_a_real_program(language: Language, word: &str) {
    if !language.is_here() {
        return;
    }
    let shell = Shell::new();
    let env = vec![("XDG_RUNTIME_DIR", shell.runtime().display().to_string())];
    let mut agent = Caller::start(Start { env, ..Start::usual() }).await;
    let source = root().join(language.source("cart"));
    let place = language.at("cart", "tax");
    let launch = json!({"program": language.program("cart"), "breakpoints": [place],
        "timeout_s": 50});
    let stop = agent.call("debug_launch", launch).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #1"), "{}", stop.text);
    let mut mirror = Mirror::open(&shell, &[]).await;
    let mut editor = Editor::attached(mirror.port).await;
    let add = marked(&source, "add");
    let set = json!({"source": {"path": source}, "breakpoints": [{"line": add}]});
    let set = editor.request("setBreakpoints", set).await.unwrap();
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    editor.request("configurationDone", json!({})).await.unwrap();
    let stop = editor.next_but_output().await;
    assert_eq!((stop.0.as_str(), &stop.1["reason"]), ("stopped", &json!("breakpoint")));
    let thread = stop.1["threadId"].as_i64().unwrap();
    let threads = editor.request("threads", json!({})).await.unwrap();
    let known = threads["threads"].as_array().unwrap();
    assert!(known.iter().any(|one| one["id"] == thread), "{threads}");
    let frames = editor.frames(thread).await;
    assert_eq!(frames[0]["line"], marked(&source, "tax"));
    assert_eq!(frames[0]["source"]["path"], source.to_str().unwrap());
    assert!(frames[0]["name"].as_str().unwrap().contains("tax"), "{frames:?}");
    assert_eq!(frames[1]["line"], add);
    let mut values = Vec::new();
    let scopes = editor.request("scopes", json!({"frameId": frames[0]["id"]})).await.unwrap();
    for scope in scopes["scopes"].as_array().unwrap() {
        if scope["expensive"] == true || scope["name"] == "Registers" {
            continue;
        }
        let reference = json!({"variablesReference": scope["variablesReference"]});
        let rows = editor.request("variables", reference).await.unwrap();
        values.extend(rows["variables"].as_array().unwrap().clone());
    }
    let value = |name: &str| {
        let found = values.iter().find(|row| row["name"] == name);
        found.unwrap_or_else(|| panic!("{name}: {values:?}"))["value"].clone()
    };
    assert_eq!((value("net"), value("rate")), (json!("1000"), json!("7")));
    let hover = json!({"expression": "net * rate", "frameId": frames[0]["id"], "context": "hover"});
    assert_eq!(editor.request("evaluate", hover).await.unwrap()["result"], "7000");
    // The value of an outer frame.
    let outer = json!({"expression": "total", "frameId": frames[1]["id"], "context": "watch"});
    assert_eq!(editor.request("evaluate", outer).await.unwrap()["result"], "0");
    editor.request("next", json!({"threadId": thread})).await.unwrap();
    let (event, body) = editor.next_but_output().await;
    assert_eq!((event.as_str(), &body["reason"]), ("stopped", &json!("step")));
    assert_eq!(editor.frames(thread).await[0]["line"], marked(&source, "tax return"));
    assert!(agent.call("debug_continue", json!({})).await.text.starts_with("error[session-taken]"));
    editor.request("stepOut", json!({"threadId": thread})).await.unwrap();
    editor.next_but_output().await;
    editor.request("disconnect", json!({})).await.unwrap();
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    // All is as it was: the agent's breakpoint alone stops.
    let stop = agent.call("debug_continue", json!({})).await;
    let begin =
        stop.text.find("■ stopped breakpoint #1").unwrap_or_else(|| panic!("{}", stop.text));
    assert!(stop.text[begin..].contains(word), "{}", stop.text);
    let list = agent.call("debug_breakpoints", json!({})).await.text;
    assert!(list.starts_with("1 breakpoint"), "{list}");
    agent.call("debug_stop", json!({})).await;
}

#[tokio::test]
async fn editor_joins_a_program_in_python() {
    joins_a_real_program(Language::Python, "cart.py").await;
}

#[tokio::test]
async fn editor_joins_a_native_program() {
    joins_a_real_program(Language::C, "cart.c").await;
}
