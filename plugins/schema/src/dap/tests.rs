//! Bodies with liberties that adapters take, written for these tests; recorded ones are in `tests/replay`.

use serde::Serialize;
use serde_json::{Value, json};

use super::*;

fn read<R: Request>(body: Value) -> R::Response {
    lenient::decode(&body).unwrap()
}

#[test]
fn missing_and_null_fields_default() {
    let frames = read::<StackTrace>(json!({"stackFrames": [{"id": 0, "name": null, "source": null, "line": 3.0}]}));
    assert_eq!((frames.stack_frames[0].id, frames.stack_frames[0].line), (0, 3));
    assert_eq!(frames.stack_frames[0].name, "");
    assert!(read::<Threads>(Value::Null).threads.is_empty());
    let evaluated = read::<Evaluate>(json!({"result": "7", "variablesReference": null, "type": null}));
    assert_eq!((evaluated.result.as_str(), evaluated.variables_reference, evaluated.type_), ("7", 0, None));
    let unnamed = read::<Variables>(json!({"variables": [{"value": "1", "presentationHint": {"lazy": null}}]}));
    assert_eq!(unnamed.variables[0].name, "");
    read::<Continue>(json!({}));
    read::<Next>(json!(["anything"]));
}

#[test]
fn what_cannot_be_forgiven_is_named() {
    let why = |body: Value| lenient::decode::<StackTraceResponse>(&body).unwrap_err().to_string();
    assert_eq!(why(json!({"stackFrames": [{"id": "7"}]})), r#"invalid type: string "7", expected i64"#);
    assert_eq!(why(json!({"stackFrames": [{"id": 7.5}]})), "invalid type: floating point `7.5`, expected i64");
    assert_eq!(why(json!({"stackFrames": {}})), "invalid type: map, expected a sequence");
    assert_eq!(why(json!([1])), "invalid type: sequence, expected struct StackTraceResponse");
}

#[test]
fn an_adapters_own_data_stays_as_it_is_but_for_nulls() {
    let data = json!({"a": [1, null, -2, 1.5, 18_446_744_073_709_551_615_u64, "x", true], "b": {"c": null}, "d": 2.0});
    let source: Source = lenient::decode(&json!({"adapterData": data})).unwrap();
    let kept = json!({"a": [1, null, -2, 1.5, 18_446_744_073_709_551_615_u64, "x", true], "b": {}, "d": 2});
    assert_eq!(source.adapter_data, Some(kept));
}

#[test]
fn what_a_plugin_writes_reads_the_same() {
    #[track_caller]
    fn same<T: Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(body: &Value) {
        let read: T = lenient::decode(body).unwrap();
        let written = serde_json::to_value(&read).unwrap();
        assert_eq!(lenient::decode::<T>(&written).unwrap(), read);
    }
    same::<Stopped>(&json!({"reason": "step", "threadId": 0, "allThreadsStopped": false, "hitBreakpointIds": [-1]}));
    same::<VariablesResponse>(&json!({"variables": [{"name": "a", "presentationHint": {"lazy": true}}, {}]}));
    same::<SetExceptionBreakpointsArguments>(&json!({"exceptionOptions": [{"path": [{"names": ["a"]}]}]}));
    same::<InitializeArguments>(&json!({"clientID": "x", "supportsVariableType": true, "own": [1]}));
    same::<Module>(&json!({"id": null}));
}

#[test]
fn breakpoint_ids_are_any_number() {
    let set = read::<SetBreakpoints>(json!({"breakpoints": [{"id": -2, "verified": true}, {"id": 0}, {}]}));
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
    assert_eq!(Event::read("vendorNews", &json!(1)), Event::Other { event: "vendorNews".into(), body: json!(1) });
    assert_eq!(Event::read("initialized", &Value::Null), Event::Initialized);
    let news = json!({"capabilities": {"supportsStepBack": true}});
    assert_eq!(Event::read("capabilities", &news), Event::Capabilities(news["capabilities"].clone()));
}

#[test]
fn capabilities_merge_and_forgive_spelling() {
    let mut capabilities = Capabilities::from(json!({"supportsTerminateDebuggee": true, "supportsStepBack": null}));
    assert!(capabilities.terminate_debuggee());
    assert!(!StepBack::is_supported(&capabilities));
    assert!(!SetExceptionBreakpoints::is_supported(&capabilities));
    capabilities
        .merge(json!({"supportsStepBack": true, "exceptionBreakpointFilters": [{"filter": "all", "label": null}]}));
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
    let evaluate = EvaluateArguments { expression: "x".into(), frame_id: Some(0), ..Default::default() };
    assert_eq!(written(evaluate), json!({"expression": "x", "frameId": 0}));
    assert_eq!(written(DisconnectArguments::default()), json!({}));
    let initialize = written(InitializeArguments { adapter_id: "a".into(), ..Default::default() });
    assert_eq!(initialize["clientID"], "dapdock");
    assert_eq!((&initialize["adapterID"], &initialize["linesStartAt1"]), (&json!("a"), &json!(true)));
}
