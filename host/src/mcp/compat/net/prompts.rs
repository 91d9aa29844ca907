//! The documented prompts, as calls of names of this family.
//!
//! Refuses to know how a call is written.

use serde_json::{Value, json};

use super::TOOLSET;
use crate::mcp::prompts::declared::{Declared, optional, required};
use crate::mcp::prompts::plan::{Arguments, Plan};

const CAUSE: &str = "Answer with the cause, the line that has to change and the values that prove \
    it.";

const PROGRAM: &str = "A program or source file to launch; default: the current session";
const LOCATION: &str = "A place to stop at: FILE:LINE or a function";

/// Sorted by name.
pub(in crate::mcp) const PROMPTS: &[Declared] = &[
    Declared {
        toolset: TOOLSET,
        name: "diagnose_exception",
        title: "Diagnose an exception",
        description: "Runs a program to an exception and finds its cause.",
        arguments: &[
            optional("program", PROGRAM),
            optional("exception_type", "Name of the type; default: all exceptions"),
        ],
        one_of: &[],
        plan: diagnose_exception,
    },
    Declared {
        toolset: TOOLSET,
        name: "find_bug_source",
        title: "Find the source of a bug",
        description: "Follows a wrong behaviour to the line that causes it.",
        arguments: &[
            required("symptom", "What the program does, and what it should do"),
            optional("program", PROGRAM),
            optional("location", LOCATION),
        ],
        one_of: &[],
        plan: find_bug_source,
    },
    Declared {
        toolset: TOOLSET,
        name: "inspect_runtime_state",
        title: "Inspect the state of the program",
        description: "Pauses the program and reports its threads, frames, values and output.",
        arguments: &[],
        one_of: &[],
        plan: inspect_runtime_state,
    },
    Declared {
        toolset: TOOLSET,
        name: "trace_data_flow",
        title: "Trace the values of a variable",
        description: "Follows a variable through the run without stopping it.",
        arguments: &[
            required("variable", "The variable, or a path into it: order.items[3].price"),
            optional("program", PROGRAM),
            optional("location", "A line where it is set or read: FILE:LINE"),
        ],
        one_of: &[],
        plan: trace_data_flow,
    },
];

fn diagnose_exception(given: &Arguments) -> Plan {
    let ty = given.get("exception_type");
    let what = ty.map_or_else(|| "an exception".to_owned(), |ty| format!("`{ty}`"));
    let plan = Plan::new(format!("Why does {} raise {what}?", subject(given)), CAUSE).step(
        "breakpoint_set_exception",
        json!({"exception_type": ty.unwrap_or("*")}),
        "Stops where it is raised.",
    );
    reach(begun(plan, given))
        .step(
            "exception_get_context",
            json!({"include_variables_for_frames": 3}),
            "The exception with its inner exceptions, and the frames with their values.",
        )
        .step("variables_get", json!({"expand": "NAME"}), "What a value holds.")
        .step("evaluate", json!({"expression": "EXPRESSION"}), "Check what you suspect.")
        .step("debug_continue", json!({}), "Only if this exception is not the one.")
        .step("debug_disconnect", json!({"terminateProcess": true}), "When you know the cause.")
}

fn find_bug_source(given: &Arguments) -> Plan {
    let goal = format!("In {}: {}. Where is the bug?", subject(given), given.text("symptom"));
    let plan = begun(Plan::new(goal, CAUSE), given).step(
        "breakpoint_set",
        place(given.get("location")),
        "Before the wrong result is there. It is an error on a line without code.",
    );
    reach(plan)
        .step("stacktrace_get", json!({}), "Who called this function.")
        .step("variables_get", json!({"scope": "all"}), "Which value is wrong already.")
        .step("debug_step", json!({"mode": "over"}), "Until a value becomes wrong.")
        .step("evaluate", json!({"expression": "EXPRESSION"}), "Check what you suspect.")
        .step("debug_disconnect", json!({"terminateProcess": true}), "When you know the cause.")
}

fn inspect_runtime_state(_: &Arguments) -> Plan {
    let answer =
        "Answer with what the program does now, what it waits for and which values matter.";
    Plan::new("What does the program do now?".to_owned(), answer)
        .step("debug_state", json!({}), "The process and where it is.")
        .step("debug_pause", json!({}), "Stops it wherever it is.")
        .step("threads_list", json!({}), "A thread that waits names a lock, a queue, a read.")
        .step("stacktrace_get", json!({"max_frames": 20}), "The calls that lead there.")
        .step("variables_get", json!({"scope": "all"}), "The values there.")
        .step("process_read_output", json!({"stream": "both"}), "How far it has come.")
        .step("timeline_query", json!({"maxEvents": 50}), "What happened before.")
        .step("debug_continue", json!({}), "When you have seen enough.")
}

fn trace_data_flow(given: &Arguments) -> Plan {
    let variable = given.text("variable");
    let goal = format!("In {}, how does `{variable}` get its values?", subject(given));
    let mut trace = line(given.get("location"));
    trace["log_message"] = format!("{variable}={{{variable}}}").into();
    let answer = "Answer with the lines that set it, in order, and the values there.";
    begun(Plan::new(goal, answer), given)
        .step("tracepoint_set", trace, "Writes the value each time, without a stop; one a line.")
        .step("debug_continue", json!({}), "Runs on.")
        .step("breakpoint_wait", json!({"timeout_ms": 10_000}), "Gives it time, or its end.")
        .step(
            "timeline_query",
            json!({"eventTypes": ["tracepointHit"]}),
            "The values in order; the first wrong one names the line.",
        )
        .step("debug_disconnect", json!({"terminateProcess": true}), "When you know the way.")
}

/// What is debugged, in words.
fn subject(given: &Arguments) -> String {
    let program = given.get("program").map(|program| format!("`{program}`"));
    program.unwrap_or_else(|| "the program of the current session".to_owned())
}

/// The launch, or a look at the session.
fn begun(plan: Plan, given: &Arguments) -> Plan {
    match given.get("program") {
        Some(program) => {
            plan.step("debug_launch", json!({"program": program}), "Starts it, at its entry.")
        }
        None => plan.step("debug_state", json!({}), "Where the session is."),
    }
}

/// Runs to the next hit.
fn reach(plan: Plan) -> Plan {
    plan.step("debug_continue", json!({}), "Runs on.").step(
        "breakpoint_wait",
        json!({"timeout_ms": 30_000}),
        "The hit, or why there is none.",
    )
}

/// A line or a function.
fn place(location: Option<&str>) -> Value {
    match location {
        Some(name) if parsed(name).is_none() => json!({"function": name}),
        location => line(location),
    }
}

fn line(location: Option<&str>) -> Value {
    let (file, line) = location.and_then(parsed).unwrap_or(("FILE", 1));
    json!({"file": file, "line": line})
}

fn parsed(location: &str) -> Option<(&str, u32)> {
    let (file, line) = location.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}
