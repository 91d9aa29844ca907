//! Results as data: a program reads in them what an agent reads in the text. The harness checks the
//! data of every other row against its schema.

use serde_json::{Value, json};

use crate::caller::Answer;
use crate::real::Stage;

/// `function  path:line`, as a text writes the place.
fn place(at: &Value) -> String {
    let text = |key: &str| at[key].as_str().unwrap();
    format!("{}  {}:{}", text("function"), text("file"), at["line"])
}

/// The value of a local or argument in the context.
#[track_caller]
fn local<'a>(answer: &'a Answer, name: &str) -> &'a Value {
    let context = &answer.data["context"]["localContext"];
    let lists = [&context["arguments"], &context["locals"]];
    let mut all = lists.into_iter().filter_map(Value::as_array).flatten();
    all.find(|local| local["name"] == name).unwrap_or_else(|| panic!("no {name} in {context:#}"))
}

/// A stop, a step, variables, an error and the exit.
pub async fn data_says_what_the_text_says(stage: &mut Stage) {
    let breakpoint = stage.at("cart", "tax");
    let arguments = json!({"breakpoints": [breakpoint], "args": ["two words"]});
    let stop = stage.launch("cart", arguments).await.good();
    let (data, context) = (&stop.data["data"], &stop.data["context"]);
    assert_eq!(
        (&data["event"], &data["stop"]["words"]),
        (&json!("stopped"), &json!(stop.reason()))
    );
    assert_eq!(data["stop"]["breakpoints"], json!([1]));
    assert_eq!(place(&context["currentPosition"]), stop.place());
    let command = data["commandLine"].as_str().unwrap();
    assert!(
        command.ends_with(&format!("{} 'two words'", stage.language.program("cart"))),
        "{command}"
    );
    let program = stage.language.program("cart");
    assert_eq!(data["programName"].as_str(), program.rsplit('/').next());
    let state = &context["debuggerState"];
    assert_eq!((&state["running"], &state["exited"]), (&json!(false), &json!(false)));
    assert_eq!(state["currentBreakpoint"]["hitCount"], 1);
    assert_eq!(state["currentThread"]["line"], context["currentPosition"]["line"]);
    assert!(state["pid"].is_u64(), "{state:#}");
    let reports_pc = stage.pick(false, true, true, false, true);
    assert_eq!(state["currentThread"]["pc"].is_string(), reports_pc, "{state:#}");
    for name in ["net", "rate"] {
        assert_eq!(local(&stop, name)["value"], stop.local(name));
    }
    let lists_arguments = stage.pick(false, false, false, false, stage.language.has_gdb());
    assert_eq!(context["localContext"]["arguments"].is_array(), lists_arguments);

    let step = stage.call("debug_step", json!({})).await.good();
    let data = &step.data["data"];
    assert_eq!((&data["stepType"], &data["stop"]["reason"]), (&json!("over"), &json!("step")));
    assert_eq!(
        (place(&data["from"]), place(&data["to"])),
        (stop.place().into(), step.place().into())
    );
    assert_eq!(local(&step, "net")["value"], "1000");
    let changes = data["changedVariables"].as_array().unwrap();
    let changed = step.text.lines().any(|line| line.starts_with("changed since"));
    assert_eq!(!changes.is_empty(), changed, "{}\n{data:#}", step.text);

    let item = stage.call("debug_variables", json!({"path": "item"})).await.good();
    let data = &item.data["data"];
    assert_eq!(data["variable"]["name"], "item");
    for variable in data["variables"].as_array().unwrap() {
        item.says(variable["name"].as_str().unwrap());
    }
    assert_eq!(place(&data["scope"]), step.place());

    let error = stage.call("debug_set", json!({"target": "nowhere", "value": "1"})).await;
    let fault = &error.data["error"];
    let text = |key: &str| fault[key].as_str().unwrap();
    let line = format!("error[{}] {}. Try: {}", text("code"), text("message"), text("next"));
    error.fails(&line);
    assert_eq!(error.data["data"], Value::Null);

    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let exit = stage.resume().await.good();
    let (data, context) = (&exit.data["data"], &exit.data["context"]);
    assert_eq!((&data["event"], &data["exit"]["code"]), (&json!("exited"), &json!(0)));
    let words = data["exit"]["words"].as_str().unwrap();
    assert!(exit.line("□ ").starts_with(words), "{words}");
    assert_eq!(context["debuggerState"]["exitStatus"], 0);
    assert_eq!(context["currentPosition"], Value::Null);
}
