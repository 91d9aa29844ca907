//! Tools without a debuggee: budgets of the list, coercion of arguments, texts of errors, and the
//! protocol over an in-memory connection.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

use super::arguments::fit;
use super::asking::Asking;
use super::call::Call;
use super::compat;
use super::declared::Declared;
use super::registry::{Registered, declared, registered};
use super::repair;
use super::request::Request;
use super::server::{Server, list, listed};
use super::toolset::{ChoiceError, Tools};
use super::{Transport, serve};
use crate::limits::Limits;
use crate::model::ToolChoice;
use crate::plugin::{Catalog, Engine, Options};
use crate::process::Owner;
use crate::session::{Sessions, Setup, Shell};

pub(super) fn sessions(limits: &Arc<Limits>) -> Arc<Sessions> {
    let owner = Owner::new(limits.clone());
    let env = BTreeMap::new();
    let options = Options {
        cache: None,
        limits: limits.clone(),
        owner: owner.clone(),
        env,
        tools: BTreeMap::new(),
        adapters: None,
    };
    let catalog = Catalog::new(Engine::new(options), BTreeMap::new());
    let setup = Setup { catalog, limits: limits.clone(), auto_install: false };
    Sessions::new(Box::new(move |_| Ok(setup.clone())), owner)
}

fn call() -> Call {
    call_of("debug_status", Map::new())
}

fn call_of(name: &'static str, given: Map<String, Value>) -> Call {
    let limits = Arc::new(Limits::default());
    Call {
        sessions: sessions(&limits),
        workspace: "/w".into(),
        limits,
        request: Request::new(&tool(name).declared, given),
        shell: Shell::Refused,
        progress: None,
        memory: Arc::default(),
        concern: Arc::default(),
        asking: Asking::default(),
        chosen: Vec::new(),
        lacks: Arc::default(),
    }
}

fn tool(name: &str) -> &'static Registered {
    registered().iter().find(|tool| tool.declared.name == name).expect("the tool exists")
}

/// Our tools and those of families.
fn all() -> impl Iterator<Item = &'static Declared> {
    declared().chain(compat::names().map(|name| &name.tool.declared))
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

mod budgets {
    use super::*;

    #[test]
    fn list_is_short_and_sorted() {
        let tools: Vec<_> = Tools::default().declared().map(listed).collect();
        let whole = json!({"tools": tools}).to_string();
        assert!(whole.len() <= 14_336, "{} bytes", whole.len());
        // A model reads name, description and schema; titles and hints are for clients.
        let mut for_model = json!({"tools": tools});
        for tool in for_model["tools"].as_array_mut().expect("a list") {
            for key in ["title", "annotations"] {
                tool.as_object_mut().expect("an object").shift_remove(key);
            }
        }
        let tokens = tiktoken_rs::o200k_base()
            .expect("the encoder is part of the crate")
            .encode_ordinary(&for_model.to_string())
            .len();
        assert!(tokens <= 2_700, "{tokens} tokens");
        assert!(tools.len() <= 20, "{} tools", tools.len());
        assert!(declared().map(|tool| tool.name).is_sorted());
    }

    /// Every client takes these schemas: types in place and one type for each field, or null.
    #[test]
    fn schemas_of_results_are_plain() {
        for tool in all() {
            let schema = Value::Object((tool.output)());
            assert_eq!(schema["type"], "object", "{}", tool.name);
            check_plain(tool.name, &schema);
        }
    }

    fn check_plain(tool: &str, schema: &Value) {
        let keys: Vec<_> = schema.as_object().expect("a schema").keys().collect();
        for key in keys {
            let is_plain = matches!(
                key.as_str(),
                "type"
                    | "description"
                    | "properties"
                    | "required"
                    | "items"
                    | "enum"
                    | "additionalProperties"
            );
            assert!(is_plain, "{tool}: {key} in {schema:#}");
        }
        match &schema["type"] {
            Value::String(_) => {}
            Value::Array(types) => {
                assert!(types.len() == 2 && types[1] == "null", "{tool}: {schema:#}");
            }
            other => panic!("{tool}: type {other} in {schema:#}"),
        }
        let fields = schema["properties"].as_object().into_iter().flatten().map(|(_, field)| field);
        for field in fields.chain(schema.get("items")) {
            check_plain(tool, field);
        }
    }

    #[test]
    fn list_with_schemas_of_results_is_bounded() {
        let choice = ToolChoice { structured: Some(true), ..<_>::default() };
        let tools = Tools::chosen(&choice).expect("it is valid");
        let length = json!({"tools": list(&tools)}).to_string().len();
        assert!(length <= 60_000, "{length} bytes");
    }

    #[test]
    fn similar_name_is_proposed_for_an_unknown_one() {
        let tools = |name: &str| ToolChoice { tools: Some(vec![name.into()]), ..<_>::default() };
        let toolsets = |name: &str| ToolChoice {
            toolsets: Some(vec!["default".into(), name.into()]),
            ..<_>::default()
        };
        let rows = [
            (tools("debug_lanch"), "there is no tool `debug_lanch`; did you mean `debug_launch`?"),
            (toolsets("defualt"), "there is no toolset `defualt`; did you mean `default`?"),
            (
                toolsets("zzz"),
                "there is no toolset `zzz`; there are default, raw, compat:gdb, compat:go, \
                    compat:net, compat:rust, compat:viewport",
            ),
            (
                ToolChoice {
                    toolsets: Some(vec!["compat:gdb".into(), "compat:go".into()]),
                    ..<_>::default()
                },
                "compat:gdb and compat:go cannot be on together: both have close",
            ),
            (
                tools("close"),
                "`close` is a tool of compat:gdb and compat:go; add one of these to toolsets",
            ),
            (
                ToolChoice { tools: Some(Vec::new()), ..<_>::default() },
                "toolsets, tools, exclude_tools and read_only leave no tool",
            ),
        ];
        for (choice, expect) in rows {
            let error = Tools::chosen(&choice).map(drop).expect_err("the choice is wrong");
            assert_eq!(error.to_string(), expect);
        }
        let all = all().map(|tool| tool.name.to_owned()).collect();
        let none = ToolChoice { exclude: Some(all), ..<_>::default() };
        assert_eq!(Tools::chosen(&none).map(drop), Err(ChoiceError::Nothing));
    }

    #[test]
    fn every_tool_keeps_its_budget() {
        for tool in all() {
            let listed = serde_json::to_value(listed(tool)).expect("serialises");
            let name = tool.name;
            // The names of families are other servers'; clients take 64 characters.
            let longest = if tool.toolset().starts_with("compat:") { 64 } else { 30 };
            assert!(
                name.len() <= longest && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'),
                "{name}"
            );
            assert!(tool.description.len() <= 1_000, "{name}: {}", tool.description.len());
            assert!(!tool.title.is_empty(), "{name}");
            let hints = object(listed["annotations"].clone());
            let mut keys: Vec<_> = hints.keys().map(String::as_str).collect();
            keys.sort_unstable();
            assert_eq!(
                keys,
                ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"],
                "{name}"
            );
            assert_eq!(hints["openWorldHint"], false, "{name}");
        }
    }

    #[test]
    fn every_client_accepts_every_schema() {
        for tool in all() {
            let schema = tool.schema();
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            assert!(object(schema["properties"].clone()).len() <= 10, "{}", tool.name);
            for combinator in ["anyOf", "oneOf", "allOf", "not", "enum", "$defs"] {
                assert!(!schema.contains_key(combinator), "{}: {combinator}", tool.name);
            }
            for (name, parameter) in object(schema["properties"].clone()) {
                let description = parameter["description"].as_str().unwrap_or_default();
                assert!(!description.is_empty(), "{}: {name} has no description", tool.name);
                if name == "timeout_s" {
                    assert_eq!(description, "Seconds; default 30", "{}", tool.name);
                }
            }
            plain(tool.name, &Value::Object(schema));
        }
    }

    /// Panics if a client refuses this schema or a nested one, and with it the whole list.
    fn plain(tool: &str, schema: &Value) {
        let fields = object(schema.clone());
        for key in ["$schema", "$ref", "$defs", "format", "oneOf", "allOf", "not"] {
            assert!(!fields.contains_key(key), "{tool}: {key} in {schema}");
        }
        // A parameter of two types needs `anyOf`.
        let choices = fields.get("anyOf").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut types: Vec<_> = choices.iter().map(|choice| choice["type"].to_string()).collect();
        types.sort_unstable();
        types.dedup();
        assert_eq!(types.len(), choices.len(), "{tool}: a plain form says the same as {schema}");
        assert!(choices.len() != 1 && !types.contains(&"\"null\"".to_owned()), "{tool}: {schema}");
        match fields.get("type") {
            None => assert!(!choices.is_empty(), "{tool}: no type in {schema}"),
            Some(name) => assert!(name.is_string(), "{tool}: a list of types in {schema}"),
        }
        if schema["type"] == "array" {
            assert!(schema["items"].is_object(), "{tool}: no items in {schema}");
            plain(tool, &schema["items"]);
        }
        choices.iter().for_each(|choice| plain(tool, choice));
        if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
            properties.values().for_each(|property| plain(tool, property));
        }
    }

    #[test]
    fn breakpoints_of_a_start_have_the_items_of_set() {
        let items = |name: &str, parameter: &str| {
            tool(name).declared.schema()["properties"][parameter]["items"].clone()
        };
        let of_set = items("debug_breakpoints", "set");
        assert_eq!(items("debug_launch", "breakpoints"), of_set);
        let forms = json!({"anyOf": [{"type": "string"}, {"type": "object"}]});
        assert_eq!(items("debug_attach", "breakpoints"), forms, "as its description says");
    }

    #[test]
    fn every_example_fits_its_own_schema() {
        for tool in all() {
            let example = serde_json::from_str(tool.example).expect("an example is JSON");
            if let Err(problem) = fit(tool, example) {
                panic!("{}: {problem:?}", tool.name);
            }
        }
    }
}

mod arguments {
    use super::*;

    #[track_caller]
    fn fits(name: &str, given: Value, expect: Value) {
        let fitted = fit(&tool(name).declared, object(given)).expect("fits");
        assert_eq!(Value::Object(fitted), expect);
    }

    #[track_caller]
    fn refused(name: &str, given: Value, expect: &str) {
        let Err(problem) = fit(&tool(name).declared, object(given)) else { panic!("accepted") };
        let reply = repair::reply(problem, &call());
        assert_eq!((&*reply.text, reply.is_error), (expect, true));
    }

    #[test]
    fn similar_types_are_coerced() {
        fits("debug_step", json!({"count": "12"}), json!({"count": 12}));
        fits(
            "debug_step",
            json!({"count": 3.0, "kind": "OVER"}),
            json!({"count": 3, "kind": "over"}),
        );
        fits("debug_step", json!({"count": null}), json!({}));
        fits(
            "debug_step",
            json!({"thread": 1, "timeout_s": "1.5"}),
            json!({"thread": "1", "timeout_s": 1.5}),
        );
        fits("debug_stack", json!({"all_threads": "True"}), json!({"all_threads": true}));
        fits("debug_evaluate", json!({"expressions": "a[0]"}), json!({"expressions": ["a[0]"]}));
        fits(
            "debug_evaluate",
            json!({"expressions": "[\"a\", \"b\"]"}),
            json!({"expressions": ["a", "b"]}),
        );
        fits(
            "debug_evaluate",
            json!({"expressions": "[1, 2][0]"}),
            json!({"expressions": ["[1, 2][0]"]}),
        );
        fits("debug_breakpoints", json!({"remove": [3, "#4"]}), json!({"remove": ["3", "#4"]}));
        fits("debug_wait", json!({"breakpoints": "#2"}), json!({"breakpoints": [2]}));
        fits(
            "debug_launch",
            json!({"program": "a", "env": "{\"A\": \"1\"}"}),
            json!({"program": "a", "env": {"A": "1"}}),
        );
        fits(
            "debug_launch",
            json!({"program": "a", "stop_on_entry": true}),
            json!({"program": "a", "stop_on_entry": true}),
        );
        fits(
            "debug_breakpoints",
            json!({"set": {"file": "a.py", "line": "4", "log": null}}),
            json!({"set": [{"file": "a.py", "line": 4}]}),
        );
        fits(
            "debug_breakpoints",
            json!({"set": "[\"a.py:1\", {\"at\": \"f\"}]"}),
            json!({"set": ["a.py:1", {"at": "f"}]}),
        );
    }

    #[test]
    fn aliases_of_a_property_are_accepted_and_not_listed() {
        let set = |breakpoint: Value| json!({"set": [breakpoint]});
        let whole = set(json!({"at": "a.py:4", "condition": "n > 1", "hit_condition": "3"}));
        fits(
            "debug_breakpoints",
            set(json!({"at": "a.py:4", "if": "n > 1", "hits": "3"})),
            whole.clone(),
        );
        fits("debug_breakpoints", set(json!({"at": "a.py:4", "if": "n > 1", "hits": 3})), whole);
        for alias in ["path", "source"] {
            let file = set(json!({"line": 4, "file": "a.py"}));
            fits("debug_breakpoints", set(json!({alias: "a.py", "line": 4})), file);
            refused(
                "debug_breakpoints",
                set(json!({alias: "a.py", "file": "b.py", "line": 4})),
                &format!(
                    "error[bad-argument] debug_breakpoints: `set[0].{alias}` must be omitted \
                    where `file` is given, got `{alias}`. Try: debug_breakpoints"
                ),
            );
            assert!(
                !Value::Object(tool("debug_breakpoints").declared.schema())
                    .to_string()
                    .contains(&format!("\"{alias}\""))
            );
        }
    }

    #[test]
    fn unknown_names_are_refused_with_the_intended_one() {
        refused(
            "debug_step",
            json!({"knd": "in"}),
            "error[bad-argument] debug_step has no argument `knd`; did you mean `kind`? Try: \
            debug_step {\"kind\": \"in\"}",
        );
        refused(
            "debug_pause",
            json!({"colour": 1}),
            "error[bad-argument] debug_pause has no argument `colour`; it has session, thread. \
            Try: debug_pause",
        );
        refused(
            "debug_stack",
            json!({"expression": "a", "count": 1}),
            "error[bad-argument] debug_stack has no argument `expression`; it has session, thread, \
            all_threads, start, count, library. Try: debug_stack {\"count\": 1}",
        );
        for (tool, given, intended, next) in [
            ("debug_breakpoints", json!({"breakpoints": ["f"]}), "set", r#"{"set": ["f"]}"#),
            ("debug_output", json!({"lines": 5}), "tail", r#"{"tail": 5}"#),
            ("debug_variables", json!({"name": "a"}), "path", r#"{"path": "a"}"#),
            ("debug_variables", json!({"expression": "a"}), "path", r#"{"path": "a"}"#),
            (
                "debug_evaluate",
                json!({"expression": "a", "frame": 1}),
                "expressions",
                r#"{"expressions": "a", "frame": 1}"#,
            ),
            ("debug_stack", json!({"session_id": "a"}), "session", r#"{"session": "a"}"#),
            (
                "debug_set",
                json!({"variable": "a", "value": "1"}),
                "target",
                r#"{"target": "a", "value": "1"}"#,
            ),
        ] {
            let name = given.as_object().unwrap().keys().next().unwrap().clone();
            let error = format!(
                "error[bad-argument] {tool} has no argument `{name}`; did you mean \
                `{intended}`? Try: {tool} {next}"
            );
            refused(tool, given, &error);
        }
        refused(
            "debug_breakpoints",
            json!({"set": ["a.py:4", {"function": "f"}], "condition": "n > 1"}),
            "error[bad-argument] debug_breakpoints has no argument `condition`; it belongs to a \
             breakpoint. Try: debug_breakpoints {\"set\": [{\"at\": \"a.py:4\", \"condition\": \
             \"n > 1\"}, {\"function\": \"f\", \"condition\": \"n > 1\"}]}",
        );
        refused(
            "debug_breakpoints",
            json!({"set": ["a.py:3 if y", {"at": "a.py:4", "condition": "z"}, "f"],
                "condition": "x"}),
            "error[bad-argument] debug_breakpoints has no argument `condition`; it belongs to a \
            breakpoint. Try: debug_breakpoints {\"set\": [\"a.py:3 if y\", {\"at\": \
            \"a.py:4\", \"condition\": \"z\"}, {\"at\": \"f\", \"condition\": \"x\"}]}",
        );
        refused(
            "debug_breakpoints",
            json!({"set": ["a.py:3", "a.py:4 log n={n}"], "every": 2}),
            "error[bad-argument] debug_breakpoints has no argument `every`; it belongs to a \
            breakpoint. Try: debug_breakpoints {\"set\": [\"a.py:3\", {\"at\": \
            \"a.py:4 log n={n}\", \"every\": 2}]}",
        );
        refused(
            "debug_breakpoints",
            json!({"set": [{"file": "a.py", "lin": 4}, "f"]}),
            "error[bad-argument] debug_breakpoints: `set[0].lin` must be named `line`, got `lin`. \
             Try: debug_breakpoints {\"set\": [{\"file\": \"a.py\", \"line\": 4}, \"f\"]}",
        );
    }

    #[test]
    fn errors_of_types_name_both_types() {
        refused(
            "debug_step",
            json!({"count": "many"}),
            "error[bad-argument] debug_step: `count` must be a whole number, got \"many\". Try: \
            debug_step",
        );
        refused(
            "debug_step",
            json!({"count": -1}),
            "error[bad-argument] debug_step: `count` must be 0 or more, got -1. Try: debug_step",
        );
        refused(
            "debug_step",
            json!({"kind": "ovr"}),
            "error[bad-argument] debug_step: `kind` must be one of in, over, out, back (did you \
            mean `over`?), got \"ovr\". \
             Try: debug_step {\"kind\": \"over\"}",
        );
        refused(
            "debug_stack",
            json!({"library": [1]}),
            "error[bad-argument] debug_stack: `library` must be true or false, got [1]. Try: \
            debug_stack",
        );
    }

    #[test]
    fn number_out_of_range_is_refused_alone() {
        let large = 99_999_999_999_u64;
        for (tool, given, at, next) in [
            (
                "debug_stack",
                json!({"count": large, "library": true}),
                "count",
                r#" {"count": 4294967295, "library": true}"#,
            ),
            ("debug_stack", json!({"count": "99999999999"}), "count", r#" {"count": 4294967295}"#),
            (
                "debug_variables",
                json!({"frame": large, "start": large}),
                "frame",
                r#" {"start": 99999999999}"#,
            ),
            (
                "debug_attach",
                json!({"pid": large, "adapter": "a"}),
                "pid",
                r#" {"pid": 4711, "adapter": "a"}"#,
            ),
            (
                "debug_wait",
                json!({"breakpoints": [1, large]}),
                "breakpoints[1]",
                r#" {"breakpoints": [1]}"#,
            ),
            (
                "debug_breakpoints",
                json!({"set": ["f", {"file": "a.py", "line": large}]}),
                "set[1].line",
                r#" {"set": ["f"]}"#,
            ),
        ] {
            let error = format!(
                "error[bad-argument] {tool}: `{at}` must be at most 4294967295, got {large}. \
                Try: {tool}{next}"
            );
            refused(tool, given, &error);
        }
        fits("debug_wait", json!({"since": large}), json!({"since": large}));
    }

    #[test]
    fn host_and_port_are_an_address() {
        for (given, name, next) in [
            (
                json!({"host": "localhost", "port": 5678, "adapter": "a"}),
                "host",
                r#"{"adapter": "a", "address": "localhost:5678"}"#,
            ),
            (json!({"port": "5678"}), "port", r#"{"address": "127.0.0.1:5678"}"#),
            (json!({"host": "box"}), "host", r#"{"address": "box:PORT"}"#),
        ] {
            let error = format!(
                "error[bad-argument] debug_attach has no argument `{name}`; it belongs to \
                `address`, as host:port. Try: debug_attach {next}"
            );
            refused("debug_attach", given, &error);
        }
    }

    #[test]
    fn proposed_call_has_no_other_mistake() {
        refused(
            "debug_step",
            json!({"knd": "in", "colour": 1, "count": -1, "thread": "2"}),
            "error[bad-argument] debug_step has no argument `knd`; did you mean `kind`? \
            debug_step has no argument `colour`; it has session, kind, count, granularity, \
            thread, into, timeout_s. debug_step: `count` must be 0 or more, got -1. Try: \
            debug_step {\"kind\": \"in\", \"thread\": \"2\"}",
        );
        refused(
            "debug_set",
            json!({"value": "1", "frame": 2}),
            "error[bad-argument] debug_set needs `target`. Try: debug_set {\"value\": \"1\", \
            \"frame\": 2, \"target\": \"NAME\"}",
        );
    }
}

mod answers {
    use super::*;

    #[track_caller]
    fn check(name: &'static str, given: Value, expect: &str) {
        assert_eq!(answer(name, given), expect);
    }

    fn answer(name: &'static str, given: Value) -> String {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let mut call = call_of(name, object(given));
        runtime.block_on(tool(name).reply(&mut call)).text.into()
    }

    #[test]
    fn call_without_a_session_leads_to_one() {
        let none = "error[no-session] no session is open. Try: debug_targets";
        for name in [
            "debug_continue",
            "debug_step",
            "debug_pause",
            "debug_wait",
            "debug_stack",
            "debug_variables",
            "debug_output",
        ] {
            check(name, json!({}), none);
        }
        check("debug_evaluate", json!({"expressions": ["x"]}), none);
        check(
            "debug_stop",
            json!({"session": "x"}),
            "error[unknown-session] there is no session `x`. Try: debug_status",
        );
        check("debug_stop", json!({"all": true}), "no session was open");
        check(
            "debug_status",
            json!({}),
            "no session is open\nnext: debug_launch program=FILE · debug_status detail=adapters",
        );
        check("debug_status", json!({"detail": "adapters"}), "no adapter is configured");
    }

    #[test]
    fn launch_needs_one_target() {
        let example = "Try: debug_targets";
        let need = "error[bad-argument] debug_launch needs one of `program`, `command`, `test`";
        check("debug_launch", json!({}), &format!("{need}. {example}"));
        let one = "error[bad-argument] debug_launch takes only one of `program`, `command`, `test`";
        check(
            "debug_launch",
            json!({"program": "a", "command": "b"}),
            &format!(r#"{one}. Try: debug_launch {{"program": "a"}}"#),
        );
        let quote =
            "error[bad-argument] debug_launch: `command` has a quote that does not end: a 'b";
        check("debug_launch", json!({"command": "a 'b"}), &format!("{quote}. {example}"));
    }

    #[test]
    fn arguments_replace_shell_syntax() {
        let why = "Use `cwd`, `env` and `options.stdin`, read output with debug_output, and quote \
                   what is literal";
        check(
            "debug_launch",
            json!({"command": "cd sub && A=1 tool a.py", "env": {"B": "2"}, "cwd": "x"}),
            &format!(
                "error[bad-argument] debug_launch: `command` is not run by a shell: no `&&`. \
                {why}. Try: debug_launch {{\"command\": \"tool a.py\", \
                 \"env\": {{\"B\": \"2\", \"A\": \"1\"}}, \"cwd\": \"x/sub\"}}"
            ),
        );
        check(
            "debug_launch",
            json!({"command": "tool $FILE"}),
            &format!(
                "error[bad-argument] debug_launch: `command` is not run by a shell: no `$FILE`. \
                {why}. Try: debug_launch {{\"command\": \"PROGRAM ARGUMENT\", \
                 \"cwd\": \"DIRECTORY\", \"env\": {{\"NAME\": \"VALUE\"}}}}"
            ),
        );
    }

    #[test]
    fn step_count_is_at_least_one() {
        let error = "error[bad-argument] debug_step: `count` must be 1 or more, got 0. Try: \
            debug_step {\"kind\": \"in\"}";
        check("debug_step", json!({"count": 0, "kind": "in"}), error);
    }

    #[test]
    fn empty_target_or_value_is_replaced_alone() {
        for (given, empty, next) in [
            (
                json!({"target": "total", "value": "", "frame": 1}),
                "`value`",
                r#"{"target": "total", "value": "0", "frame": 1}"#,
            ),
            (
                json!({"target": " ", "value": "1"}),
                "`target`",
                r#"{"target": "NAME", "value": "1"}"#,
            ),
            (
                json!({"target": "", "value": ""}),
                "`target` and `value`",
                r#"{"target": "NAME", "value": "0"}"#,
            ),
        ] {
            let error = format!(
                "error[bad-argument] debug_set: {empty} must not be empty. Try: debug_set {next}"
            );
            check("debug_set", given, &error);
        }
    }

    #[test]
    fn address_or_pid_is_replaced_alone() {
        for (given, cause, next) in [
            (
                json!({"address": "box", "adapter": "a"}),
                ": `address` is host:port, got \"box\"",
                r#"{"address": "box:PORT", "adapter": "a"}"#,
            ),
            (
                json!({"pid": 0, "adapter": "a"}),
                ": `pid` is a process number, got 0",
                r#"{"pid": 4711, "adapter": "a"}"#,
            ),
            (
                json!({"pid": 7, "address": "a:1"}),
                " takes only one of `pid`, `address`",
                r#"{"pid": 7}"#,
            ),
            (
                json!({"adapter": "a"}),
                " needs one of `pid`, `address`",
                r#"{"adapter": "a", "pid": 4711}"#,
            ),
        ] {
            let error =
                format!("error[bad-argument] debug_attach{cause}. Try: debug_attach {next}");
            check("debug_attach", given, &error);
        }
    }

    #[test]
    fn text_as_standard_input_is_no_file() {
        check(
            "debug_launch",
            json!({"program": "a", "stop_on_entry": true, "options":
                {"stdin": "hello\n", "stop_on_entry": true, "k": 1}}),
            "error[bad-argument] debug_launch: `options.stdin` is a file whose text is given to \
            the program, got text with a line break. Try: debug_launch {\"program\": \"a\", \
            \"stop_on_entry\": true, \"options\": {\"stdin\": \"FILE\", \"stop_on_entry\": \
            true, \"k\": 1}}",
        );
    }

    #[test]
    fn rest_of_a_launch_is_in_the_proposed_call() {
        check(
            "debug_launch",
            json!({"options": {"config": "c", "stdin": 1}}),
            "error[bad-argument] debug_launch: `options.stdin` must be the path of a file, got 1. \
            Try: debug_launch {\"options\": {\"config\": \"c\"}}",
        );
        check(
            "debug_launch",
            json!({"command": "a b", "core": "c", "cwd": "d"}),
            "error[bad-argument] debug_launch: `core` needs `program`, the program that dumped it. \
            Try: debug_launch {\"core\": \"c\", \"cwd\": \"d\", \"program\": \"a\"}",
        );
    }

    #[test]
    fn breakpoint_has_one_place() {
        check(
            "debug_breakpoints",
            json!({"set": ["app.py:", "f"]}),
            "error[bad-argument] debug_breakpoints: the line number is missing after `app.py:`. \
            Try: debug_breakpoints {\"set\": [\"app.py:1\", \"f\"]}",
        );
        check(
            "debug_breakpoints",
            json!({"set": ["f", {"condition": "x"}]}),
            "error[bad-argument] debug_breakpoints: a breakpoint needs `at`, `function`, or `file` \
            with `line`. \
             Try: debug_breakpoints {\"set\": [\"f\"]}",
        );
        let twice = json!({"file": "a.py", "function": "f", "condition": "x"});
        check(
            "debug_breakpoints",
            json!({"set": [twice]}),
            "error[bad-argument] debug_breakpoints: a breakpoint has several places; give \
            one: `at`, `function`, or `file` with `line`. Try: debug_breakpoints \
            {\"set\": [{\"function\": \"f\", \
            \"condition\": \"x\"}]}",
        );
        check(
            "debug_breakpoints",
            json!({"set": [{"at": "a.py:3", "line": 4}]}),
            "error[bad-argument] debug_breakpoints: a breakpoint has several places; give \
            one: `at`, `function`, or `file` with `line`. Try: debug_breakpoints \
            {\"set\": [{\"at\": \"a.py:3\"}]}",
        );
        check(
            "debug_breakpoints",
            json!({"set": [{"function": "f", "line": 4}]}),
            "error[bad-argument] debug_breakpoints: a breakpoint has several places; give \
            one: `at`, `function`, or `file` with `line`. Try: debug_breakpoints \
            {\"set\": [{\"function\": \"f\"}]}",
        );
        check(
            "debug_breakpoints",
            json!({"set": [{"file": "a.py", "function": "f", "line": 4}]}),
            "error[bad-argument] debug_breakpoints: a breakpoint has several places; give \
            one: `at`, `function`, or `file` with `line`. Try: debug_breakpoints \
            {\"set\": [{\"file\": \"a.py\", \
             \"line\": 4}]}",
        );
        check(
            "debug_breakpoints",
            json!({"set": ["f", true]}),
            "error[bad-argument] debug_breakpoints: `set[1]` must be a string or an object, got \
            true. \
             Try: debug_breakpoints {\"set\": [\"f\"]}",
        );
        // The same items as `set`.
        check(
            "debug_launch",
            json!({"program": "a.py", "breakpoints": [{"file": "a.py", "lin": "12"}]}),
            "error[bad-argument] debug_launch: `breakpoints[0].lin` must be named `line`, got \
            `lin`. \
             Try: debug_launch {\"program\": \"a.py\", \"breakpoints\": [{\"file\": \"a.py\", \
             \"line\": \"12\"}]}",
        );
        check(
            "debug_breakpoints",
            json!({"set": ["a.py:0"]}),
            "error[bad-argument] debug_breakpoints: a breakpoint is on line 0; lines count from 1. \
            Try: debug_breakpoints",
        );
        check(
            "debug_breakpoints",
            json!({"exceptions": ["none", "all"]}),
            "error[bad-argument] debug_breakpoints: `exceptions` takes `none` only alone. \
             Try: debug_breakpoints {\"exceptions\": [\"all\"]}",
        );
        check("debug_breakpoints", json!({}), "no breakpoints");
        // Numbers count over all tests of the process.
        let added = answer("debug_breakpoints", json!({"set": ["main"]}));
        assert!(added.starts_with("1 breakpoint\n+#"), "{added}");
        assert!(
            added.ends_with(" main · pending\npending until a session runs: debug_launch"),
            "{added}"
        );
    }
}

mod wire {
    use super::*;

    struct Caller {
        lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
        write: WriteHalf<DuplexStream>,
    }

    impl Caller {
        async fn send(&mut self, message: Value) {
            self.write
                .write_all(format!("{message}\n").as_bytes())
                .await
                .expect("the server reads");
        }

        async fn receive(&mut self) -> Value {
            let line = self
                .lines
                .next_line()
                .await
                .expect("the server writes")
                .expect("the server is there");
            serde_json::from_str(&line).expect("each line is JSON")
        }

        async fn initialize(&mut self) -> Value {
            let about = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"}});
            self.send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}))
                .await;
            let answer = self.receive().await;
            self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
            answer
        }
    }

    async fn with_server<F: Future<Output = ()>>(conversation: impl FnOnce(Caller) -> F) {
        let limits = Arc::new(Limits::default());
        let sessions = sessions(&limits);
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(theirs);
        let server = Server::new(sessions.clone(), "/w".into(), limits.clone());
        let serving = serve(server, sessions, &limits, Transport { read, write });
        let (read, write) = tokio::io::split(ours);
        let caller = Caller { lines: BufReader::new(read).lines(), write };
        // The conversation drops its end; then the server must return.
        let (served, ()) = tokio::join!(serving, conversation(caller));
        served.expect("serves");
    }

    #[tokio::test]
    async fn caller_initializes_lists_and_calls() {
        with_server(async |mut caller| {
            let answer = caller.initialize().await;
            assert_eq!(answer["result"]["serverInfo"]["name"], "dapdock");
            assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
            assert_eq!(answer["result"]["instructions"], super::super::INSTRUCTIONS);
            caller.send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).await;
            assert_eq!(
                caller.receive().await["result"]["tools"].as_array().map(Vec::len),
                Some(Tools::default().declared().count())
            );
            let params = json!({"name": "debug_stop", "arguments": {"all": true}});
            caller
                .send(json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}))
                .await;
            let answer = caller.receive().await;
            assert_eq!(
                answer["result"]["content"],
                json!([{"type": "text", "text": "no session was open"}])
            );
            assert_eq!(answer["result"]["isError"], false);
        })
        .await;
    }

    #[tokio::test]
    async fn errors_are_results_and_unknown_tools_are_named() {
        with_server(async |mut caller| {
            caller.initialize().await;
            let params = json!({"name": "debug_continue", "arguments": {}});
            caller
                .send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}))
                .await;
            assert_eq!(caller.receive().await["result"]["isError"], true);
            let params = json!({"name": "debug_contine", "arguments": {}});
            caller
                .send(json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}))
                .await;
            let message = "there is no tool `debug_contine`; did you mean `debug_continue`?";
            assert_eq!(caller.receive().await["error"]["message"], message);
        })
        .await;
    }

    #[tokio::test]
    async fn wrong_parameters_are_refused() {
        with_server(async |mut caller| {
            caller.initialize().await;
            let malformed = [
                ("tools/call", json!({"name": "debug_stop", "arguments": [1]}), -32602),
                ("tools/call", json!({"name": "debug_stop", "arguments": "x"}), -32602),
                ("tools/call", json!({"nam": "debug_stop"}), -32602),
                ("tools/nope", json!({}), -32601),
            ];
            for (id, (method, params, code)) in (2..).zip(malformed) {
                caller
                    .send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
                    .await;
                assert_eq!(caller.receive().await["error"]["code"], code, "{method} {params}");
            }
        })
        .await;
    }

    #[tokio::test]
    async fn caller_that_disconnects_before_initialize_ends_the_server() {
        with_server(async |caller| drop(caller)).await;
    }
}
