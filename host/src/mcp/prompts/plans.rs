//! The plans of the prompts. Refuses to know how a call is written.

use serde_json::{Value, json};

use super::plan::{Arguments, Plan};

const CAUSE: &str = "Answer with the cause, the line that has to change and the values that prove \
    it.";

pub(super) fn why_crash(given: &Arguments) -> Plan {
    let goal = format!("Why does {} crash?", subject(given));
    begun(Plan::new(goal, CAUSE), given, &[])
        .step(
            "debug_exception",
            json!({}),
            "The exception with its causes, and the calls that lead to it.",
        )
        .step(
            "debug_variables",
            json!({"depth": 2}),
            "The locals there. With `frame`, those of a caller.",
        )
        .step(
            "debug_evaluate",
            json!({"expressions": ["EXPRESSION", "ANOTHER"]}),
            "Check what you suspect, several expressions in one call.",
        )
        .step(
            "debug_breakpoints",
            json!({"exceptions": ["all"]}),
            "Only if it ended without a stop: then the exception is caught somewhere.",
        )
        .step(
            "debug_breakpoints",
            json!({"set": ["FILE:LINE if CONDITION"]}),
            "Only if the bad value is older than the crash: stop where it is made.",
        )
        .step("debug_restart", json!({}), "Runs it again with these breakpoints.")
        .step("debug_stop", json!({}), "When you know the cause.")
}

pub(super) fn why_hang(given: &Arguments) -> Plan {
    let goal = format!("Why does {} not end? It waits or repeats something.", subject(given));
    let plan = Plan::new(goal, CAUSE);
    let plan = match (given.get("session"), given.number("pid")) {
        (None, Some(pid)) => {
            plan.step("debug_attach", json!({"pid": pid}), "It stays alive when the session ends.")
        }
        (Some(_), _) => begun(plan, given, &[]),
        (None, None) => {
            let mut launch = launch(given.text("program"));
            launch["timeout_s"] = 10.into();
            plan.step("debug_launch", launch, "Runs it until the time limit; that is no error.")
        }
    };
    plan.step("debug_pause", json!({}), "Stops it wherever it is.")
        .step(
            "debug_stack",
            json!({"all_threads": true}),
            "A thread that waits names a lock, a queue, a read; one that computes is in a loop.",
        )
        .step(
            "debug_variables",
            json!({"depth": 2}),
            "The values that the wait or loop depends on.",
        )
        .step(
            "debug_step",
            json!({"count": 10}),
            "In a loop: what changes from step to step, and what should and does not.",
        )
        .step("debug_output", json!({"tail": 20}), "How far it has come.")
        .step("debug_stop", json!({}), "When you know the cause.")
}

pub(super) fn why_value(given: &Arguments) -> Plan {
    let variable = given.text("variable");
    let wrong = match given.get("expected") {
        Some(expected) => format!("should be `{expected}` and is not"),
        None => "is wrong".to_owned(),
    };
    let location = given.get("location");
    let at = location.map(|location| format!(" at `{location}`")).unwrap_or_default();
    let goal = format!("In {}, `{variable}`{at} {wrong}.", subject(given));
    let log = format!("{variable}={{{variable}}}");
    let mut plan = begun(Plan::new(goal, CAUSE), given, location.as_slice());
    if let Some(breakpoint) = given.number("breakpoint") {
        plan = plan.step(
            "debug_wait",
            json!({"breakpoints": [breakpoint]}),
            "Waits until this breakpoint is hit.",
        );
    }
    plan.step("debug_variables", json!({"path": variable, "depth": 2}), "The value in full.")
        .step("debug_stack", json!({}), "Who called this function, and with what.")
        .step(
            "debug_breakpoints",
            json!({"clear": true, "set": [{"at": "FILE:LINE", "log": log}]}),
            "Log the value where it is assigned, without stopping.",
        )
        .step("debug_restart", json!({}), "Runs it again.")
        .step("debug_output", json!({"stream": "log"}), "The first hit with a wrong value.")
        .step(
            "debug_breakpoints",
            json!({"clear": true, "set": ["FILE:LINE if CONDITION"]}),
            "Stop at that hit, before the value becomes wrong.",
        )
        .step("debug_restart", json!({}), "Runs to that hit.")
        .step("debug_step", json!({}), "Each stop lists what the line changed.")
        .step("debug_stop", json!({}), "When you know the cause.")
}

pub(super) fn debug_test(given: &Arguments) -> Plan {
    let test = given.text("test");
    let goal = format!("The test `{test}` fails. Is the code or the test wrong, and where?");
    let mut launch = json!({"test": test});
    if let Some(location) = given.get("location") {
        launch["breakpoints"] = json!([location]);
    }
    Plan::new(goal, CAUSE)
        .step(
            "debug_targets",
            json!({"kind": "test", "filter": test}),
            "The full name of the test.",
        )
        .step(
            "debug_breakpoints",
            json!({"exceptions": ["all"]}),
            "A test runner catches the failure: this stops where it is raised.",
        )
        .step("debug_launch", launch, "Runs this test alone, to the first stop.")
        .step("debug_continue", json!({}), "Past exceptions that are not the failure.")
        .step("debug_variables", json!({"depth": 2}), "Expected and actual value at the failure.")
        .step(
            "debug_breakpoints",
            json!({"set": ["FILE:LINE if CONDITION"]}),
            "Where the actual value is made.",
        )
        .step("debug_restart", json!({}), "Runs the test again to that place.")
        .step("debug_step", json!({}), "Each stop lists what the line changed.")
        .step("debug_stop", json!({}), "When you know the cause.")
}

/// What is debugged, in words.
fn subject(given: &Arguments) -> String {
    if let Some(program) = given.get("program") {
        return format!("`{program}`");
    }
    match (given.get("session"), given.get("pid")) {
        (Some(session), _) => format!("the program of session {session}"),
        (None, pid) => format!("process {}", pid.unwrap_or_default()),
    }
}

/// The first step: a launch, or a look at the session.
fn begun(plan: Plan, given: &Arguments, breakpoints: &[&str]) -> Plan {
    if let Some(session) = given.get("session") {
        return plan.step("debug_status", json!({"session": session}), "Where the session is.");
    }
    let mut launch = launch(given.text("program"));
    if !breakpoints.is_empty() {
        launch["breakpoints"] = json!(breakpoints);
    }
    plan.step("debug_launch", launch, "Runs it to the first stop; uncaught exceptions stop it.")
}

fn launch(program: &str) -> Value {
    let is_command_line = program.trim().contains(char::is_whitespace);
    json!({if is_command_line { "command" } else { "program" }: program})
}
