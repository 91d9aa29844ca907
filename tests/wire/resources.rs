//! Resources: lists, contents, subscriptions and their notifications, with the fake adapter.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::faked::{start, write};
use crate::caller::Caller;

/// A host whose session stands at line 3 of `shop.fake`; its program prints, and hangs at line 5.
async fn stopped(dir: &Path) -> Caller {
    write(&dir.join("shop.fake"));
    let mut caller = start(dir, &[]).await;
    let program = json!([
        {"line": 3, "output": [["stdout", "first\n"]]},
        {"line": 5, "output": [["stdout", "second\n"]], "hangs": true},
    ]);
    let script = json!({"source": dir.join("shop.fake"), "program": program, "no_code": [1]});
    let launch = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:3"], "options": {"script": script},
        "timeout_s": 50,
    });
    let stop = caller.call("debug_launch", launch).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #1"), "{}", stop.text);
    caller
}

async fn request(caller: &mut Caller, method: &str, params: Value) -> Value {
    let request = caller.send(method, params).await;
    caller.reply(request).await
}

/// The text of a resource.
async fn read(caller: &mut Caller, uri: &str) -> String {
    let reply = request(caller, "resources/read", json!({"uri": uri})).await;
    let contents = reply["result"]["contents"].as_array().unwrap_or_else(|| panic!("{reply}"));
    assert_eq!((contents.len(), &contents[0]["uri"]), (1, &json!(uri)), "{reply}");
    contents[0]["text"].as_str().unwrap().to_owned()
}

/// The age of a session, `300 ms` or `1 s`, differs between two calls.
fn without_times(text: &str) -> String {
    let is_time = |word: &&str| {
        !word.contains(|c: char| c.is_ascii_digit()) && !["ms", "s"].contains(&word.trim_end())
    };
    let words = text.split_inclusive([' ', '\n']).filter(|word| is_time(word));
    words.collect()
}

#[tokio::test]
async fn resource_is_the_answer_of_a_tool() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = stopped(&dir.path().canonicalize().unwrap()).await;
    for (uri, tool, arguments) in [
        ("debug://sessions", "debug_status", json!({})),
        ("debug://session/fake-1", "debug_status", json!({"session": "fake-1"})),
        ("debug://session/fake-1/log", "debug_status", json!({"detail": "log"})),
        ("debug://session/fake-1/output", "debug_output", json!({"tail": 400})),
        ("debug://adapters", "debug_status", json!({"detail": "adapters"})),
        (
            "fake://commands/reference",
            "debug_status",
            json!({"adapter": "fake", "document": "reference"}),
        ),
        (
            "debug://adapters/fake/reference",
            "debug_status",
            json!({"adapter": "fake", "document": "reference"}),
        ),
    ] {
        let resource = read(&mut caller, uri).await;
        let answer = caller.call(tool, arguments).await;
        assert_eq!(without_times(&resource), without_times(&answer.text), "{uri}");
    }
    assert!(read(&mut caller, "debug://session/fake-1/output").await.contains("first"));
    let document = read(&mut caller, "debug://adapters/fake/reference").await;
    assert_eq!(document, "# Commands\n\n### `hang`");
    // Without an adapter, that of the session.
    let document = caller.call("debug_status", json!({"document": "reference"})).await;
    assert_eq!(document.text, "# Commands\n\n### `hang`");
    let unknown = caller.call("debug_status", json!({"document": "cli"})).await;
    assert_eq!(
        unknown.text,
        "error[bad-argument] fake has no document `cli`; there are: reference. \
         Try: debug_status {\"detail\": \"adapters\"}"
    );
}

/// Neither read nor listed, and its error says how it is had.
#[tokio::test]
async fn resource_is_off_with_its_tool() {
    let dir = tempfile::tempdir().unwrap();
    let cwd = dir.path().canonicalize().unwrap();
    let mut caller = start(&cwd, &["--exclude-tools", "debug_status,debug_stack"]).await;
    let status = "debug_status is off; to have it, start dapdock mcp without debug_status in \
        --exclude-tools (`mcp.exclude_tools` in dapdock.toml)";
    for (uri, why) in [
        ("debug://sessions", status),
        ("debug://adapters", status),
        ("debug://session/fake-1", status),
        ("debug://session/fake-1/log", status),
        ("fake://commands/reference", status),
        ("debug://session/fake-1/source/shop.fake", &status.replace("status", "stack")),
        ("debugger://breakpoints", "--toolsets default,compat:net"),
        ("debugger://source/shop.fake", "--toolsets default,compat:net"),
    ] {
        for method in ["resources/read", "resources/subscribe"] {
            let reply = request(&mut caller, method, json!({"uri": uri})).await;
            assert_eq!(reply["error"]["code"], -32002, "{method} {uri}: {reply}");
            let message = reply["error"]["message"].as_str().unwrap();
            assert!(message.contains(why), "{method} {uri}: {reply}");
        }
    }
    let list = request(&mut caller, "resources/list", json!({})).await;
    assert_eq!(list["result"]["resources"], json!([]), "{list}");
    let templates = request(&mut caller, "resources/templates/list", json!({})).await;
    let templates = templates["result"]["resourceTemplates"].as_array().unwrap().clone();
    let uris: Vec<&str> =
        templates.iter().map(|one| one["uriTemplate"].as_str().unwrap()).collect();
    assert_eq!(uris, ["debug://session/{session}/output"]);
}

#[tokio::test]
async fn list_and_templates_name_what_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = stopped(&dir.path().canonicalize().unwrap()).await;
    let listed = request(&mut caller, "resources/list", json!({})).await;
    let listed = listed["result"]["resources"].as_array().unwrap().clone();
    let uris: Vec<&str> = listed.iter().map(|one| one["uri"].as_str().unwrap()).collect();
    assert_eq!(
        uris,
        [
            "debug://sessions",
            "debug://adapters",
            "debug://session/fake-1",
            "debug://session/fake-1/output",
            "debug://session/fake-1/log",
        ]
    );
    for uri in uris {
        assert!(!read(&mut caller, uri).await.is_empty(), "{uri}");
    }
    let reply = request(&mut caller, "resources/templates/list", json!({})).await;
    for template in reply["result"]["resourceTemplates"].as_array().unwrap() {
        let uri = template["uriTemplate"].as_str().unwrap();
        let uri = uri.replace("{session}", "fake-1").replace("{+path}", "shop.fake");
        let uri = uri.replace("{adapter}", "fake").replace("{document}", "reference");
        assert!(!uri.contains('{'), "{uri}");
        assert!(!read(&mut caller, &uri).await.is_empty(), "{uri}");
    }
}

#[tokio::test]
async fn source_is_a_visible_file_of_the_workspace() {
    let dir = tempfile::tempdir().unwrap();
    let (outside, root) = (tempfile::tempdir().unwrap(), dir.path().canonicalize().unwrap());
    let mut caller = stopped(&root).await;
    std::fs::write(root.join("my part%.fake"), "part\n").unwrap();
    std::fs::write(root.join(".env"), "secret\n").unwrap();
    std::fs::write(root.join("large"), vec![b'x'; (1 << 20) + 1]).unwrap();
    std::fs::write(outside.path().join("secret"), "secret\n").unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), root.join("link")).unwrap();
    let source = |path: &str| format!("debug://session/fake-1/source/{path}");
    let whole = std::fs::read_to_string(root.join("shop.fake")).unwrap();
    assert_eq!(read(&mut caller, &source("shop.fake")).await, whole);
    let absolute = root.join("shop.fake").display().to_string();
    assert_eq!(read(&mut caller, &source(&absolute)).await, whole);
    assert_eq!(read(&mut caller, &source("my%20part%25.fake")).await, "part\n");
    for (path, cause) in [
        (".env", "only files of the workspace"),
        ("link", "only files of the workspace"),
        ("../../../../etc/passwd", "only files of the workspace"),
        ("none.fake", "No such file"),
        ("large", "larger than 1048576 bytes"),
    ] {
        let reply = request(&mut caller, "resources/read", json!({"uri": source(path)})).await;
        assert_eq!(reply["error"]["code"], -32002, "{path}: {reply}");
        assert!(reply["error"]["message"].as_str().unwrap().contains(cause), "{path}: {reply}");
    }
}

/// A caller may set a breakpoint in any file; it is bound if the program has code there.
#[tokio::test]
async fn file_of_an_unbound_breakpoint_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let (outside, root) = (tempfile::tempdir().unwrap(), dir.path().canonicalize().unwrap());
    let mut caller = stopped(&root).await;
    let secret = outside.path().canonicalize().unwrap().join("secret");
    std::fs::write(&secret, "secret\n").unwrap();
    let set = json!({"set": [format!("{}:1", secret.display())]});
    let list = caller.call("debug_breakpoints", set).await;
    assert!(list.text.contains("#2 "), "{}", list.text);
    let uri = format!("debug://session/fake-1/source/{}", secret.display());
    let reply = request(&mut caller, "resources/read", json!({"uri": uri})).await;
    let message = reply["error"]["message"].as_str().unwrap();
    assert!(message.contains("only files of the workspace"), "{reply}");
}

#[tokio::test]
async fn resource_that_does_not_exist_is_an_error_with_its_address() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = stopped(&dir.path().canonicalize().unwrap()).await;
    for (uri, says) in [
        ("debug://session/fake-9", "fake-1"),
        ("debug://session/fake-9/log", "fake-1"),
        ("debug://nothing", "resources/templates/list"),
        ("file:///etc/passwd", "resources/templates/list"),
        ("debug://adapters/fake/cli", "there are: reference"),
        ("fake://commands/cli", "there are: reference"),
    ] {
        for method in ["resources/read", "resources/subscribe"] {
            let reply = request(&mut caller, method, json!({"uri": uri})).await;
            let error = &reply["error"];
            assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32002), &json!(uri)));
            assert!(error["message"].as_str().unwrap().contains(says), "{method} {uri}: {reply}");
        }
    }
}

fn is_updated(note: &Value, uri: &str) -> bool {
    note["method"] == "notifications/resources/updated" && note["params"]["uri"] == uri
}

/// A change is reported within 300 ms, once, and only for what is subscribed.
#[tokio::test]
async fn subscribed_resources_report_their_changes() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = stopped(&dir.path().canonicalize().unwrap()).await;
    caller.note(|note| note["method"] == "notifications/resources/list_changed").await;
    let (output, status) = ("debug://session/fake-1/output", "debug://session/fake-1");
    for uri in [output, status] {
        let reply = request(&mut caller, "resources/subscribe", json!({"uri": uri})).await;
        assert_eq!(reply["result"], json!({}));
    }
    let resume = caller.call("debug_continue", json!({"wait": false})).await;
    assert!(resume.text.starts_with("▶ running"), "{}", resume.text);
    let since = Instant::now();
    caller.note(|note| is_updated(note, status)).await;
    assert!(since.elapsed() < Duration::from_millis(300), "{:?}", since.elapsed());
    caller.note(|note| is_updated(note, output)).await;
    assert!(read(&mut caller, output).await.contains("second"));
    assert!(read(&mut caller, status).await.contains(" · running · "));
    // Another session changes neither.
    let unsubscribe = json!({"uri": status});
    assert_eq!(
        request(&mut caller, "resources/unsubscribe", unsubscribe).await["result"],
        json!({})
    );
    caller.notes.clear();
    caller.call("debug_stop", json!({})).await;
    caller.call("debug_launch", json!({"program": "shop.fake", "timeout_s": 50})).await;
    caller.note(|note| note["method"] == "notifications/resources/list_changed").await;
    assert!(!caller.notes.iter().any(|note| is_updated(note, status)), "{:?}", caller.notes);
}

/// Resources of a family are listed while it is on, work without a session, and report changes.
#[tokio::test]
async fn family_resources_report_breakpoints_without_a_session() {
    let dir = tempfile::tempdir().unwrap();
    let cwd = dir.path().canonicalize().unwrap();
    std::fs::write(cwd.join("a.x"), "one\ntwo\n").unwrap();
    let mut caller = start(&cwd, &["--toolsets=compat:net"]).await;
    let list = request(&mut caller, "resources/list", json!({})).await;
    let resources = list["result"]["resources"].as_array().unwrap();
    let names = ["session", "breakpoints", "threads", "timeline"];
    for uri in names.map(|name| format!("debugger://{name}")) {
        let listed = resources.iter().find(|resource| resource["uri"] == uri);
        assert_eq!(listed.expect(&uri)["mimeType"], "application/json");
    }
    let templates = request(&mut caller, "resources/templates/list", json!({})).await;
    assert!(templates.to_string().contains("debugger://source/{+file}"), "{templates}");

    let uri = "debugger://breakpoints";
    request(&mut caller, "resources/subscribe", json!({"uri": uri})).await;
    caller.call("breakpoint_set", json!({"file": "a.x", "line": 2})).await;
    let since = Instant::now();
    caller.note(|note| is_updated(note, uri)).await;
    assert!(since.elapsed() < Duration::from_millis(300), "{:?}", since.elapsed());
    let list: Value = serde_json::from_str(&read(&mut caller, uri).await).unwrap();
    assert_eq!(list["breakpoints"][0]["line"], 2, "{list:#}");
    let threads = json!({"uri": "debugger://threads"});
    let threads = request(&mut caller, "resources/read", threads).await;
    assert_eq!(threads["error"]["code"], -32002, "{threads}");
}
