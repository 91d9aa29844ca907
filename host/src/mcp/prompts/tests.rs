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
            "symptom" => "it prints 3",
            "exception_type" => "NoStock",
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

/// Those that name what is debugged.
fn valid(declared: &Declared) -> Vec<Map<String, Value>> {
    let mut all = combinations(declared);
    let names = declared.one_of;
    all.retain(|given| names.is_empty() || names.iter().any(|name| given.contains_key(*name)));
    all
}

/// The tools of a prompt's toolset.
fn tools(prompt: &Declared) -> Tools {
    let toolsets = Some(vec![prompt.toolset.name().to_owned()]);
    Tools::chosen(&ToolChoice { toolsets, ..Default::default() }).expect("the toolset exists")
}

#[test]
fn tools_parameters_and_values_of_prompts_exist() {
    let mut steps = 0;
    for prompt in all() {
        let tools = tools(prompt);
        for arguments in valid(prompt) {
            let values = check(prompt, &arguments).expect("they are declared");
            for step in (prompt.plan)(&values).steps {
                let tool = tools.declared().find(|tool| tool.name == step.tool);
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

#[test]
fn prompts_of_a_family_have_its_tools_and_their_values() {
    for prompt in compat::prompts() {
        let tools = tools(prompt);
        assert!(prompts(&tools).iter().any(|one| one.name == prompt.name), "{}", prompt.name);
        assert!(prompts(&Tools::default()).iter().all(|one| one.name != prompt.name));
        for arguments in valid(prompt) {
            let steps = (prompt.plan)(&check(prompt, &arguments).expect("it is valid")).steps.len();
            let result = get(prompt.name, &arguments, &tools).expect("it is valid");
            let text = serde_json::to_value(&result.messages[0]).expect("JSON");
            let text = text["content"]["text"].as_str().expect("a text").to_owned();
            assert!(text.contains(&format!("\n{steps}. ")), "{text}");
            for (name, value) in &arguments {
                let value = value.as_str().expect("a text");
                let value = if name == "location" { "\"line\": 3" } else { value };
                assert!(text.contains(value), "{name}: {text}");
            }
        }
    }
}

/// The words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn prompt_has_its_values_and_only_tools_that_exist() {
    let names = tool_names();
    for prompt in DECLARED {
        for arguments in valid(prompt) {
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
    let choice =
        ToolChoice { exclude: Some(vec!["debug_exception".to_owned()]), ..Default::default() };
    let tools = Tools::chosen(&choice).expect("tools remain");
    let arguments = Map::from_iter([("program".to_owned(), "app.x".into())]);
    let result = get("why_crash", &arguments, &tools).expect("it is valid");
    let text = serde_json::to_string(&result).expect("JSON");
    assert!(!text.contains("debug_exception") && text.contains("2. debug_variables"), "{text}");
}

#[test]
fn steps_name_the_session_that_is_given() {
    for (name, more) in [("why_crash", None), ("why_hang", None), ("why_value", Some("total"))] {
        let mut arguments = Map::from_iter([("session".to_owned(), "x-1".into())]);
        arguments.extend(more.map(|variable| ("variable".to_owned(), variable.into())));
        let result = get(name, &arguments, &Tools::default()).expect("it is valid");
        let text = serde_json::to_value(&result.messages[0]).expect("JSON");
        let text = text["content"]["text"].as_str().expect("a text");
        assert!(text.contains("the program of session x-1"), "{text}");
        let calls: Vec<_> = text.lines().filter(|line| line.contains(". debug_")).collect();
        assert!(calls.len() > 5, "{text}");
        for call in calls {
            assert!(call.contains("{\"session\": \"x-1\""), "{name}: {call}");
        }
    }
}

#[test]
fn wrong_arguments_are_named() {
    let no = Map::new();
    let of = |name: &str, value: Value| Map::from_iter([(name.to_owned(), value)]);
    for (prompt, arguments, says) in [
        ("why_crsh", no.clone(), "did you mean `why_crash`?"),
        ("why_crash", no.clone(), "why_crash needs one of `program`, `session`"),
        ("why_hang", no.clone(), "why_hang needs one of `program`, `session`, `pid`"),
        ("why_value", of("variable", "total".into()), "needs one of `program`, `session`"),
        ("why_value", of("program", "a".into()), "why_value needs `variable`: The variable"),
        ("debug_test", no, "debug_test needs `test`: The name"),
        ("why_crash", of("program", "".into()), "why_crash needs one of"),
        ("why_crash", of("progam", "a".into()), "did you mean `program`?"),
        ("why_crash", of("program", 3.into()), "must be a text"),
        ("why_hang", of("pid", "me".into()), "`pid` of why_hang must be a number, got `me`"),
    ] {
        let error = get(prompt, &arguments, &Tools::default()).expect_err("it is invalid");
        assert!(error.message.contains(says), "{}", error.message);
    }
}
