//! Bodies with deviations that adapters have, written for these tests; recorded ones are in
//! `tests/replay`.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::*;

fn read<R: Request>(body: Value) -> R::Response {
    lenient::decode(&body).unwrap()
}

#[test]
fn missing_and_null_fields_default() {
    let frames = read::<StackTrace>(
        json!({"stackFrames": [{"id": 0, "name": null, "source": null, "line": 3.0}]}),
    );
    assert_eq!((frames.stack_frames[0].id, frames.stack_frames[0].line), (0, 3));
    assert_eq!(frames.stack_frames[0].name, "");
    assert!(read::<Threads>(Value::Null).threads.is_empty());
    let evaluated =
        read::<Evaluate>(json!({"result": "7", "variablesReference": null, "type": null}));
    assert_eq!(
        (evaluated.result.as_str(), evaluated.variables_reference, evaluated.type_),
        ("7", 0, None)
    );
    let unnamed = read::<Variables>(
        json!({"variables": [{"value": "1", "presentationHint": {"lazy": null}}]}),
    );
    assert_eq!(unnamed.variables[0].name, "");
    read::<Continue>(json!({}));
    read::<Next>(json!(["anything"]));
}

#[test]
fn intolerable_type_is_named_in_the_error() {
    let why = |body: Value| lenient::decode::<StackTraceResponse>(&body).unwrap_err().to_string();
    assert_eq!(
        why(json!({"stackFrames": [{"id": "7"}]})),
        r#"invalid type: string "7", expected i64"#
    );
    assert_eq!(
        why(json!({"stackFrames": [{"id": 7.5}]})),
        "invalid type: floating point `7.5`, expected i64"
    );
    assert_eq!(why(json!({"stackFrames": {}})), "invalid type: map, expected a sequence");
    assert_eq!(why(json!([1])), "invalid type: sequence, expected struct StackTraceResponse");
}

#[test]
fn custom_data_stays_unchanged_except_nulls() {
    let data = json!({"a": [1, null, -2, 1.5, 18_446_744_073_709_551_615_u64, "x", true],
        "b": {"c": null}, "d": 2.0});
    let source: Source = lenient::decode(&json!({"adapterData": data})).unwrap();
    let stored = json!({"a": [1, null, -2, 1.5, 18_446_744_073_709_551_615_u64, "x", true], "b": {},
        "d": 2});
    assert_eq!(source.adapter_data, Some(stored));
}

#[test]
fn serialized_body_is_complete() {
    #[track_caller]
    fn whole<T: Serialize + DeserializeOwned>(body: Value) {
        let read: T = lenient::decode(&body).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), body);
    }
    let source =
        json!({"path": "/a.c", "name": "a.c", "sourceReference": 0, "adapterData": {"own": [1]}});
    whole::<Stopped>(json!({
        "reason": "step", "description": "d", "threadId": 0, "preserveFocusHint": true, "text": "t",
        "allThreadsStopped": false, "hitBreakpointIds": [-1],
    }));
    whole::<Output>(json!({
        "category": "stderr", "output": "x\n", "group": "start", "variablesReference": 3,
            "source": source, "line": 4,
        "column": 5,
    }));
    whole::<VariablesResponse>(json!({"variables": [{
        "name": "a", "value": "1", "type": "int", "evaluateName": "s.a", "variablesReference": 7,
            "namedVariables": 1,
        "indexedVariables": 2, "memoryReference": "0x8",
        "presentationHint": {"kind": "data", "attributes": ["readOnly"], "visibility": "public",
            "lazy": true},
    }]}));
    whole::<ScopesResponse>(json!({"scopes": [{
        "name": "Locals", "presentationHint": "locals", "variablesReference": 7,
            "namedVariables": 1,
        "indexedVariables": 2, "expensive": true, "source": source, "line": 1, "endLine": 9,
    }]}));
    let value = json!({"variablesReference": 7, "namedVariables": 1, "indexedVariables": 2,
        "memoryReference": "0x8"});
    let with = |name: &str| {
        let mut body = value.clone();
        (body[name], body["type"]) = ("1".into(), "int".into());
        body
    };
    whole::<EvaluateResponse>(with("result"));
    whole::<SetResponse>(with("value"));
    whole::<SetBreakpointsArguments>(
        json!({"source": source, "sourceModified": true, "breakpoints": [
            {"line": 3, "column": 4, "condition": "a", "hitCondition": "2", "logMessage": "m",
                "mode": "o"},
        ]}),
    );
    whole::<SetFunctionBreakpointsArguments>(json!({"breakpoints": [
        {"name": "f", "condition": "a", "hitCondition": "2"},
    ]}));
    whole::<SetExceptionBreakpointsArguments>(json!({
        "filters": ["a"], "filterOptions": [{"filterId": "b", "condition": "c"}],
        "exceptionOptions": [{"path": [{"names": ["a"], "negate": true}], "breakMode": "always"}],
    }));
    whole::<EvaluateArguments>(
        json!({"expression": "a", "frameId": 0, "context": "repl", "format": {"hex": true}}),
    );
}

#[test]
fn breakpoint_ids_are_any_number() {
    let set = read::<SetBreakpoints>(
        json!({"breakpoints": [{"id": -2, "verified": true}, {"id": 0}, {}]}),
    );
    assert_eq!(set.breakpoints.iter().map(|b| b.id).collect::<Vec<_>>(), [Some(-2), Some(0), None]);
    assert_eq!(set.breakpoints[2], Breakpoint::default());
}

#[test]
fn stops_have_threads_zero_null_or_none() {
    let thread = |body: Value| match Event::read("stopped", &body) {
        Event::Stopped(stopped) => stopped.thread_id,
        other => panic!("{other:?}"),
    };
    assert_eq!(thread(json!({"reason": "pause", "threadId": 0})), Some(0));
    assert_eq!(thread(json!({"reason": "pause", "threadId": null})), None);
    assert_eq!(thread(json!({"reason": "pause"})), None);
}

#[test]
fn unreadable_events_keep_their_body() {
    let body = json!({"reason": ["not", "text"]});
    assert_eq!(Event::read("stopped", &body), Event::Other { event: "stopped".into(), body });
    assert_eq!(
        Event::read("vendorNews", &json!(1)),
        Event::Other { event: "vendorNews".into(), body: json!(1) }
    );
    assert_eq!(Event::read("initialized", &Value::Null), Event::Initialized);
    let news = json!({"capabilities": {"supportsStepBack": true}});
    assert_eq!(
        Event::read("capabilities", &news),
        Event::Capabilities(news["capabilities"].clone())
    );
}

#[test]
fn capabilities_merge_and_forgive_spelling() {
    let mut capabilities =
        Capabilities::from(json!({"supportsTerminateDebuggee": true, "supportsStepBack": null}));
    assert!(capabilities.terminate_debuggee());
    assert!(!StepBack::is_supported(&capabilities));
    assert!(!SetExceptionBreakpoints::is_supported(&capabilities));
    capabilities
        .merge(json!({"supportsStepBack": true, "exceptionBreakpointFilters": [{"filter": "all",
            "label": null}]}));
    assert!(StepBack::is_supported(&capabilities));
    assert!(SetExceptionBreakpoints::is_supported(&capabilities));
    assert!(capabilities.terminate_debuggee());
    assert_eq!(capabilities.exception_filters()[0].filter, "all");
}

#[test]
fn arguments_keep_zeros_and_leave_out_what_is_absent() {
    fn written(arguments: impl Serialize) -> Value {
        serde_json::to_value(arguments).unwrap()
    }
    let evaluate =
        EvaluateArguments { expression: "x".into(), frame_id: Some(0), ..Default::default() };
    assert_eq!(written(evaluate), json!({"expression": "x", "frameId": 0}));
    assert_eq!(written(DisconnectArguments::default()), json!({}));
    let initialize = written(InitializeArguments { adapter_id: "a".into(), ..Default::default() });
    assert_eq!(initialize["clientID"], "dapdock");
    assert_eq!(
        (&initialize["adapterID"], &initialize["linesStartAt1"]),
        (&json!("a"), &json!(true))
    );
}
