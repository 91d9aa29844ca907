//! Sizes and forms of the list of tools.

use super::*;

#[test]
fn list_is_short_and_sorted() {
    let tools: Vec<_> = Tools::default().declared().map(listed).collect();
    let whole = json!({"tools": tools}).to_string();
    assert!(whole.len() <= 14_000, "{} bytes", whole.len());
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
