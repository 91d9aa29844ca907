//! Every step of every prompt is a call that its tool accepts.

use std::collections::BTreeSet;

use super::super::arguments::fit;
use super::super::registry::declared;
use super::*;
use crate::model::ToolChoice;

fn tool_names() -> BTreeSet<&'static str> {
    declared().map(|tool| tool.name).collect()
}

/// All combinations of a prompt's optional arguments.
fn combinations(declared: &Declared) -> Vec<Map<String, Value>> {
    let mut all = vec![Map::new()];
    for argument in declared.arguments {
        let value = match argument.name {
            "pid" | "breakpoint" => "12",
            "location" => "app.x:3",
            "test" => "test_total",
            "session" => "x-1",
            "program" => "app.x --fast",
            _ => "total",
        };
        let without = if argument.required { Vec::new() } else { all.clone() };
        for arguments in &mut all {
            arguments.insert(argument.name.to_owned(), value.into());
        }
        all.extend(without);
    }
    all
}

#[test]
fn tools_parameters_and_values_of_prompts_exist() {
    let mut steps = 0;
    for prompt in DECLARED {
        for arguments in combinations(prompt) {
            let values = check(prompt, &arguments).expect("they are declared");
            for step in (prompt.plan)(&values).steps {
                let tool = declared().find(|tool| tool.name == step.tool);
                let tool = tool.unwrap_or_else(|| panic!("{}: no {}", prompt.name, step.tool));
                let fitting = fit(tool, step.arguments.clone());
                let fitting = fitting.unwrap_or_else(|error| {
                    panic!("{}: {} {:?}: {error:?}", prompt.name, step.tool, step.arguments)
                });
                assert!(tool.parses(fitting), "{}: {:?}", step.tool, step.arguments);
                for name in quoted(step.why) {
                    assert!(tool.has_argument(name), "{}: `{name}` of {}", prompt.name, step.tool);
                }
                steps += 1;
            }
        }
    }
    assert!(steps > 50, "{steps}");
}

/// The words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn prompt_has_its_values_and_only_tools_that_exist() {
    let names = tool_names();
    for prompt in DECLARED {
        for arguments in combinations(prompt) {
            let result = get(prompt.name, &arguments, &Tools::default()).expect("it is valid");
            let text = serde_json::to_value(&result.messages[0]).expect("JSON");
            let text = text["content"]["text"].as_str().expect("a text").to_owned();
            for word in text.split(|c: char| !c.is_ascii_lowercase() && c != '_') {
                assert!(!word.starts_with("debug_") || names.contains(word), "{word}: {text}");
            }
            assert!(!text.contains("debug_launch") || !text.contains("x-1"), "{text}");
            for (name, value) in &arguments {
                let replaced =
                    ["session", "pid"].iter().any(|other| arguments.contains_key(*other))
                        && name != "variable";
                let value = value.as_str().expect("a text");
                assert!(replaced || text.contains(value), "{name}: {text}");
            }
        }
    }
}

#[test]
fn step_of_a_tool_that_is_off_is_left_out() {
    let choice = ToolChoice { exclude: Some(vec!["debug_stack".to_owned()]), ..Default::default() };
    let tools = Tools::chosen(&choice).expect("tools remain");
    let arguments = Map::from_iter([("program".to_owned(), "app.x".into())]);
    let result = get("why_crash", &arguments, &tools).expect("it is valid");
    let text = serde_json::to_string(&result).expect("JSON");
    assert!(!text.contains("debug_stack") && text.contains("2. debug_variables"), "{text}");
}

#[test]
fn wrong_arguments_are_named() {
    let no = Map::new();
    let of = |name: &str, value: Value| Map::from_iter([(name.to_owned(), value)]);
    for (prompt, arguments, says) in [
        ("why_crsh", no.clone(), "did you mean `why_crash`?"),
        ("why_crash", no, "why_crash needs `program`: A program"),
        ("why_crash", of("program", "".into()), "why_crash needs `program`"),
        ("why_crash", of("progam", "a".into()), "did you mean `program`?"),
        ("why_crash", of("program", 3.into()), "must be a text"),
    ] {
        let error = get(prompt, &arguments, &Tools::default()).expect_err("it is invalid");
        assert!(error.message.contains(says), "{}", error.message);
    }
}
