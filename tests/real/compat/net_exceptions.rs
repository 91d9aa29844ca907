//! `breakpoint_set_exception`: stops, ids and counts by type, base type and chance.

use serde_json::{Value, json};

use super::net_names::call;
use super::{place, start};
use crate::real::Stage;
use crate::real::stage::Language;

async fn set(stage: &mut Stage, arguments: Value) -> Value {
    let ty = arguments["exception_type"].as_str().unwrap().to_owned();
    let form = json!({"breakpoint": {
        "id": "string", "exceptionType": format!("={ty}"), "breakOnFirstChance": "boolean",
        "breakOnSecondChance": "boolean", "includeSubtypes": "boolean", "enabled": "boolean",
        "verified": "boolean", "hitCount": "integer",
    }});
    let set = call(stage, "breakpoint_set_exception", arguments, form).await;
    set["breakpoint"].clone()
}

/// Starts `raised`, which fails at its end.
async fn launch(stage: &mut Stage) {
    let program = stage.language.program("raised");
    let launch = json!({"program": program, "args": ["fail"], "stopAtEntry": false});
    call(stage, "debug_launch", launch, json!({"session": "object"})).await;
}

async fn resume(stage: &mut Stage) {
    call(stage, "debug_continue", json!({}), json!({"session": {"state": "=running"}})).await;
}

async fn wait(stage: &mut Stage, arguments: Value) -> Value {
    call(stage, "breakpoint_wait", arguments, json!({"hit": "boolean"})).await
}

/// Waits for a hit of this breakpoint alone, at this mark; the number of its hits.
async fn hits(stage: &mut Stage, one: &Value, others: &[&Value], mark: &str) -> Value {
    for other in others {
        let none = wait(stage, json!({"breakpoint_id": other["id"], "timeout_ms": 30_000})).await;
        assert_eq!((&none["hit"], &none["reason"]), (&json!(false), &json!("other_breakpoint")));
    }
    let hit = wait(stage, json!({"breakpoint_id": one["id"]})).await;
    assert_eq!((&hit["hit"], &hit["breakpoint_id"]), (&json!(true), &one["id"]), "{hit:#}");
    let (_, line) = place(stage, "raised", mark);
    assert_eq!(hit["location"]["line"], line, "{hit:#}");
    hit["hit_count"].clone()
}

/// The counts of all exception breakpoints.
async fn counts(stage: &mut Stage) -> Vec<(String, u64)> {
    let list = call(stage, "breakpoint_list", json!({}), json!({})).await;
    let mut counts = Vec::new();
    for one in list["breakpoints"].as_array().unwrap() {
        let ty = one["exception_type"].as_str().unwrap_or_else(|| panic!("{list:#}"));
        counts.push((ty.to_owned(), one["hit_count"].as_u64().unwrap()));
    }
    counts
}

/// Each stop counts for the breakpoints of its type and of its base types, as far as they want
/// derived types.
pub async fn net_names_of_types_select_exceptions(stage: &mut Stage) {
    start(stage, "compat:net").await;
    let builtin = match stage.language {
        Language::JavaScript => "TypeError",
        _ => "KeyError",
    };
    let first = set(stage, json!({"exception_type": builtin})).await;
    assert_eq!((&first["verified"], &first["hitCount"]), (&json!(false), &json!(0)));
    let base = set(stage, json!({"exception_type": "ShopError"})).await;
    assert_eq!(base["includeSubtypes"], true);
    let exact = json!({"exception_type": "ShopError", "include_subtypes": false});
    let exact = set(stage, exact).await;
    let own = set(stage, json!({"exception_type": "Gone", "include_subtypes": false})).await;
    launch(stage).await;
    let hit = |note: &Value| note["params"]["exceptionInfo"].is_object();
    let note = stage.caller.note(hit).await;
    let named = (&note["params"]["breakpointId"], &note["params"]["hitCount"]);
    assert_eq!(named, (&first["id"], &json!(1)), "{note:#}");
    assert_eq!(hits(stage, &first, &[&base, &exact, &own], "find").await, 1);
    // The exact type comes first.
    resume(stage).await;
    let hit = wait(stage, json!({"timeout_ms": 30_000})).await;
    assert_eq!((&hit["breakpoint_id"], &hit["hit_count"]), (&own["id"], &json!(1)), "{hit:#}");
    let shop = |count| ("ShopError".to_owned(), count);
    let expect = vec![(builtin.to_owned(), 1), shop(1), shop(0), ("Gone".to_owned(), 1)];
    assert_eq!(counts(stage).await, expect);

    // Nothing wants the others.
    resume(stage).await;
    let ended = wait(stage, json!({"timeout_ms": 30_000})).await;
    assert_eq!((&ended["hit"], &ended["reason"]), (&json!(false), &json!("process_exited")));

    // Another session counts its own hits; a disabled one counts none.
    let disable = json!({"id": first["id"], "enabled": false});
    let state = json!({"breakpoint": {"state": "=disabled", "enabled": "boolean"}});
    call(stage, "breakpoint_enable", disable, state).await;
    launch(stage).await;
    assert_eq!(hits(stage, &base, &[&exact], "order").await, 1);
    let expect = vec![(builtin.to_owned(), 0), shop(1), shop(0), ("Gone".to_owned(), 1)];
    assert_eq!(counts(stage).await, expect);
    call(stage, "debug_disconnect", json!({"terminateProcess": true}), json!({})).await;
}

/// A raised exception is a first chance, one that nothing catches a second one.
pub async fn net_names_tell_chances_apart(stage: &mut Stage) {
    start(stage, "compat:net").await;
    let ty = "FileNotFoundError";
    let raised = json!({"exception_type": ty, "break_on_second_chance": false});
    let raised = set(stage, raised).await;
    assert_eq!(raised["verified"], false, "no debugger has checked it: {raised:#}");
    let uncaught = json!({"exception_type": "OSError", "break_on_first_chance": false});
    let uncaught = set(stage, uncaught).await;
    let other = json!({"exception_type": "KeyError", "break_on_first_chance": false});
    let other = set(stage, other).await;
    launch(stage).await;
    assert_eq!(hits(stage, &raised, &[&uncaught, &other], "fail").await, 1);
    let context = call(stage, "exception_get_context", json!({}), json!({})).await;
    assert_eq!(context["exception"]["isFirstChance"], true, "{context:#}");
    resume(stage).await;
    assert_eq!(hits(stage, &uncaught, &[&raised, &other], "fail").await, 1);
    let context = call(stage, "exception_get_context", json!({}), json!({})).await;
    assert_eq!(context["exception"]["isFirstChance"], false, "{context:#}");
    let expect = [(ty, 1), ("OSError", 1), ("KeyError", 0)];
    assert_eq!(counts(stage).await, expect.map(|(ty, count)| (ty.to_owned(), count)));
    call(stage, "debug_disconnect", json!({"terminateProcess": true}), json!({})).await;

    // Every uncaught exception stops, and this one is of no breakpoint.
    for id in [&raised["id"], &uncaught["id"]] {
        call(stage, "breakpoint_remove", json!({"id": id}), json!({"id": "string"})).await;
    }
    launch(stage).await;
    for id in [json!(null), other["id"].clone()] {
        let none = wait(stage, json!({"breakpoint_id": id, "timeout_ms": 30_000})).await;
        assert_eq!((&none["hit"], &none["reason"]), (&json!(false), &json!("exception")), "{id}");
    }
    assert_eq!(counts(stage).await, [("KeyError".to_owned(), 0)]);
    call(stage, "debug_disconnect", json!({"terminateProcess": true}), json!({})).await;
}
