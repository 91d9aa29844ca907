//! `debug_exception` with the fake adapter: causes from `exceptionInfo`, frames, bounds, refusals.

use std::path::Path;

use serde_json::{Value, json};

use crate::caller::{Caller, Start};

/// A host in the directory that knows the fake adapter and a program of forty lines.
async fn start(dir: &Path) -> Caller {
    let (plugin, adapter) = (crate::plugin::component("fake"), crate::fake::executable());
    let config = dir.join("dapdock.toml");
    let tools = format!("[tools.fake-adapter]\npath = {adapter:?}\n");
    std::fs::write(&config, format!("[adapters.fake]\nplugin = {plugin:?}\n{tools}")).unwrap();
    let lines = ["outer(item):", "    inner(item)", "", "inner(item, rate=1):", "    fail()"];
    std::fs::write(dir.join("shop.fake"), lines.join("\n")).unwrap();
    let structured = true;
    Caller::start(Start { cwd: dir.to_owned(), config, structured, ..Start::usual() }).await
}

/// Launches a program that stops by an exception on line 5, with this `exceptionInfo`.
async fn launch(caller: &mut Caller, dir: &Path, info: Value, more: Value) {
    let mut script = json!({
        "source": dir.join("shop.fake"),
        "program": [{
            "line": 5,
            "function": "inner",
            "callers": [["outer", 2]],
            "stop": "exception",
            "locals": {"item": "pen", "left": 3},
            "output": [["stdout", "selling\n"]],
        }],
        "faults": [{"on": "exceptionInfo", "answer": info}],
    });
    script.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let options = json!({"script": script, "heard": dir.join("heard.jsonl")});
    let launch = json!({"program": "shop.fake", "options": options, "timeout_s": 50});
    let stop = caller.call("debug_launch", launch).await;
    assert!(stop.text.starts_with("■ stopped exception"), "{}", stop.text);
}

fn details(dir: &Path) -> Value {
    let path = dir.join("shop.fake");
    let at = |line: u32| json!([{"name": "inner", "line": line, "source": {"path": path}}]);
    json!({
        "typeName": "NoStock",
        "message": "none left",
        "stackTrace": "as the language prints it",
        "innerException": [
            {
                "typeName": "Lost", "fullTypeName": "shop.Lost", "message": "no shelf",
                "frames": at(5), "link": "context",
                "innerException": [{"typeName": "Cold", "message": ""}],
            },
            {"message": "a member", "link": "member", "frames": at(2)},
        ],
    })
}

#[tokio::test]
async fn exception_has_causes_frames_arguments_and_output() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut caller = start(&root).await;
    let info = json!({
        "exceptionId": "NoStock", "description": "none left", "breakMode": "unhandled",
        "details": details(&root),
    });
    launch(&mut caller, &root, info, json!({})).await;
    let reply = caller.call("debug_exception", json!({})).await;
    let (head, rest) = reply.text.split_once('\n').unwrap();
    assert!(
        head.starts_with("■ stopped exception NoStock · second chance: not caught · "),
        "{head}"
    );
    assert_eq!(
        rest,
        "! none left\n  \
           while handling shop.Lost: no shelf  shop.fake:5 inner\n    \
             caused by Cold\n  \
           contains a member  shop.fake:2 inner\n\
         #0 inner  shop.fake:5  (item=\"pen\")\n   \
            → fail()\n   \
            locals: left=3\n\
         #1 outer  shop.fake:2\n   \
            → inner(item)\n\
         last output:\n   \
            selling\n\
         next: debug_variables frame=1 · debug_evaluate · debug_continue"
    );
    let data = &reply.data["data"];
    let place = |line: u32, function: &str| {
        let file = "shop.fake";
        json!({"file": file, "line": line, "function": function})
    };
    let causes = json!([
        {"depth": 1, "link": "context", "type": "shop.Lost", "message": "no shelf",
            "location": place(5, "inner")},
        {"depth": 2, "link": "cause", "type": "Cold", "message": null, "location": null},
        {"depth": 1, "link": "member", "type": null, "message": "a member",
            "location": place(2, "inner")},
    ]);
    assert_eq!((&data["causes"], &data["causesTruncated"]), (&causes, &json!(false)));
    assert_eq!((&data["type"], &data["message"]), (&json!("NoStock"), &json!("none left")));
    assert_eq!((&data["isFirstChance"], &data["throwingFrame"]), (&json!(false), &json!(0)));
    assert_eq!(data["frames"][0]["arguments"][0]["name"], "item");
    assert_eq!(data["frames"][0]["locals"].as_array().map(Vec::len), Some(2));
    assert_eq!(data["frames"][1]["locals"], json!(null));
}

#[tokio::test]
async fn numbers_of_the_call_bound_causes_frames_and_locals() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut caller = start(&root).await;
    let info = json!({"exceptionId": "NoStock", "details": details(&root)});
    launch(&mut caller, &root, info, json!({})).await;
    let few = json!({"frames": 1, "locals_for": 0, "causes": 1});
    let reply = caller.call("debug_exception", few).await;
    assert!(reply.text.contains("\n  more causes: debug_exception causes=11\n"), "{}", reply.text);
    assert!(!reply.text.contains("locals:") && !reply.text.contains("#1 outer"), "{}", reply.text);
    assert!(reply.text.contains("1 frame more: debug_stack start=1"), "{}", reply.text);
    let data = &reply.data["data"];
    assert_eq!(data["causes"].as_array().map(Vec::len), Some(1));
    assert_eq!((&data["causesTruncated"], &data["totalFrames"]), (&json!(true), &json!(2)));
    let more = json!({"locals_for": 9});
    let data = caller.call("debug_exception", more).await.data["data"].clone();
    assert!(data["frames"][1]["locals"].is_array(), "{data}");
}

/// The additional arguments of the request are not of the specification.
#[tokio::test]
async fn adapter_that_refuses_describes_the_stop_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut caller = start(&root).await;
    let faults = json!({"faults": [
        {"on": "exceptionInfo", "refuse": "unknown argument"},
    ]});
    launch(&mut caller, &root, json!({}), faults).await;
    let reply = caller.call("debug_exception", json!({})).await;
    assert!(!reply.is_error && reply.text.contains("\n#0 inner  shop.fake:5"), "{}", reply.text);
    assert_eq!(reply.data["data"]["causes"], json!([]));
}

#[tokio::test]
async fn stop_without_an_exception_is_named_with_a_call_that_works() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut caller = start(&root).await;
    let options = json!({"script": {
        "source": root.join("shop.fake"), "program": [{"line": 5}, {"line": 2}],
    }});
    let launch = json!({
        "program": "shop.fake", "options": options, "breakpoints": ["shop.fake:5"],
        "timeout_s": 50,
    });
    caller.call("debug_launch", launch).await;
    let reply = caller.call("debug_exception", json!({})).await;
    assert!(reply.is_error);
    assert_eq!(
        reply.text,
        "error[no-exception] stop 1 is at a breakpoint, not for an exception, a panic or a signal. \
         Try: debug_stack (debug_breakpoints `exceptions` chooses what stops the program)"
    );
    assert!(!caller.call("debug_stack", json!({})).await.is_error);
}
