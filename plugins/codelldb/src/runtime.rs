//! The Python files that LLDB loads. Knows their names, and how to call them through `evaluate`;
//! does not know what they do.

use dapdock_native::cpp;
use dapdock_plugin::hooks::Request;
use dapdock_plugin::prelude::*;

macro_rules! runtime_files {
    ($($name:literal)+) => { [$(($name, include_bytes!(concat!("../runtime/",
        $name)) as &[u8])),+] };
}

/// The files shared with other debuggers' plugins, by the names under which the others import them.
const SHARED: [(&str, &[u8]); 9] = [
    ("itanium.py", cpp::ITANIUM.as_bytes()),
    ("ends.py", cpp::ENDS.as_bytes()),
    ("frame_places.py", cpp::FRAME_PLACES.as_bytes()),
    ("heap.py", cpp::HEAP.as_bytes()),
    ("library_texts.py", cpp::LIBRARY_TEXTS.as_bytes()),
    ("panics.py", cpp::PANICS.as_bytes()),
    ("spans.py", cpp::SPANS.as_bytes()),
    ("terminal.py", cpp::TERMINAL.as_bytes()),
    ("waits.py", cpp::WAITS.as_bytes()),
];

/// All files, written into one directory so that they import each other.
const ALL: [(&str, &[u8]); 74] = runtime_files! {
    "adaptors.py" "aggregates.py" "arithmetic.py" "array_lengths.py" "arrays.py" "assign.py"
    "awaits.py" "bounds.py" "breakpoint_locations.py" "bytecode.py" "c_strings.py" "causes.py"
    "children.py"
    "condition_results.py" "connection.py" "control_flow.py" "core_file.py" "cpp_exception.py"
    "displays.py" "entry.py" "enums.py" "exit_codes.py" "exit_status.py" "frames.py"
    "free_blocks.py" "function_breakpoints.py" "hash_maps.py" "internal_breakpoints.py"
    "iterators.py" "key_patterns.py" "key_search.py" "keyed_entries.py" "library_reads.py"
    "line_tables.py" "lists.py" "locations.py" "log_points.py" "members.py" "names.py"
    "node_containers.py"
    "operands.py" "operators.py" "optionals.py" "other_stops.py" "output.py" "pieces.py"
    "prologues.py" "ptrace_permission.py" "return_values.py" "rust_containers.py"
    "rust_elements.py" "rust_formatters.py" "rust_targets.py" "session_line.py" "std_objects.py"
    "std_sequences.py" "std_values.py" "step_in.py" "string_summaries.py" "strings.py" "texts.py"
    "thread_plans.py" "thread_waits.py" "thrown_types.py" "trait_objects.py" "traps.py" "unions.py"
    "unordered_containers.py" "unset_variables.py" "unsized.py" "unwinding_lines.py"
    "variable_arrays.py" "wrappers.py" "zero_ended.py"
};

/// The plan with all files as assets.
pub fn with_files(plan: LaunchPlan) -> LaunchPlan {
    ALL.iter().chain(&SHARED).fold(plan, |plan, (name, content)| plan.asset(name, content))
}

/// The LLDB command that loads a file.
pub fn load(name: &str) -> String {
    format!("command script import '${{asset:{name}}}'")
}

/// Interrupts the process. CodeLLDB's own `pause` lets LLDB handle pending events on the adapter's
/// main thread, where the action of a breakpoint ends the adapter ("Cannot start a runtime from
/// within a runtime", breakpoints.rs:640 of 1.11.8). This leaves it to the thread that always
/// handles them.
pub fn interrupt() -> dap::EvaluateArguments {
    evaluate("/cmd script import condition_results; condition_results.pause()", "repl")
}

/// Discards the steps that a pause has interrupted.
pub fn discard_steps() -> dap::EvaluateArguments {
    evaluate("script import thread_plans; thread_plans.discard_all()", "_command")
}

/// An `evaluate` request in a context; under `_command` its result is what the command prints.
pub fn evaluate(expression: impl Into<String>, context: &str) -> dap::EvaluateArguments {
    dap::EvaluateArguments {
        expression: expression.into(),
        context: Some(context.into()),
        ..Default::default()
    }
}

/// The exception at a stop. CodeLLDB's own `exceptionInfo` names an internal breakpoint, if
/// anything.
pub fn exception_info(arguments: &dap::ExceptionInfoArguments) -> dap::EvaluateArguments {
    let thread = arguments.thread_id;
    let script = match arguments.causes {
        None => format!("cpp_exception; cpp_exception.report({thread})"),
        Some(most) => format!("causes; causes.report({thread}, {most})"),
    };
    evaluate(format!("script import {script}"), "_command")
}

/// Whether the response to this is the exception at a stop.
pub fn reads_exception(arguments: &dap::EvaluateArguments) -> bool {
    let starts = ["script import cpp_exception;", "script import causes;"];
    arguments.context.as_deref() == Some("_command")
        && starts.iter().any(|start| arguments.expression.starts_with(start))
}

/// A command of Python in a frame: the modules that it imports, and what it calls. LLDB alone runs
/// it in the selected frame.
pub fn in_frame(imports: &str, script: &str, frame_id: Option<i64>) -> Vec<Request> {
    let command =
        |enter: &str| evaluate(format!("{}{enter}{script}", importing(imports)), "_command");
    let Some(number) = frame_id else {
        return vec![Request::new::<dap::Evaluate>(command(""))];
    };
    let store = format!("/py __import__('frames').store({number})");
    let command = command(&format!("frames.enter({number}); "));
    [evaluate(store, "watch"), command]
        .map(|one| Request::new::<dap::Evaluate>(dap::EvaluateArguments { frame_id, ..one }))
        .into()
}

/// Whether it is a command of [`in_frame`] with these imports.
pub fn is_in_frame(arguments: &dap::EvaluateArguments, imports: &str) -> bool {
    arguments.context.as_deref() == Some("_command")
        && arguments.expression.starts_with(&importing(imports))
}

fn importing(modules: &str) -> String {
    format!("script import frames, {modules}; ")
}
