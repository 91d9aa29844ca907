//! What LLDB's Python is given: files beside each other, one job each. Knows their names, and
//! nothing of what they do.

use dapdock_plugin::cpp;
use dapdock_plugin::prelude::*;

macro_rules! scripts {
    ($($name:literal)+) => { [$(($name, include_bytes!(concat!("lldb/", $name)) as &[u8])),+] };
}

/// What the SDK has for several debuggers, by the name that the others import it by.
const SHARED: (&str, &[u8]) = ("itanium.py", cpp::THROWN.as_bytes());

/// Written into one directory, so that they import each other.
const ALL: [(&str, &[u8]); 30] = scripts! {
    "operators.py" "operands.py" "arithmetic.py" "texts.py" "enums.py" "names.py" "parts.py" "walks.py" "members.py"
    "unordered.py" "optionals.py" "assign.py" "passes.py" "flow.py" "aimed.py" "compiled.py" "functions.py" "rust_values.py" "owners.py" "returned.py"
    "entry.py" "judged.py" "ahead.py" "bodies.py" "plans.py" "core.py" "ends.py" "link.py" "permitted.py" "thrown.py"
};

/// The plan with all of them as its assets.
pub fn added(plan: LaunchPlan) -> LaunchPlan {
    ALL.iter().chain([&SHARED]).fold(plan, |plan, (name, content)| plan.asset(name, content))
}

/// The command that loads one.
pub fn load(name: &str) -> String {
    format!("command script import '${{asset:{name}}}'")
}

/// CodeLLDB's own `pause` has LLDB handle what comes in the meantime on the adapter's main thread,
/// where the action of a breakpoint ends the adapter ("Cannot start a runtime from within a
/// runtime", breakpoints.rs:640 of 1.11.8). This leaves it to the thread that always does.
pub fn interrupt() -> dap::EvaluateArguments {
    ask("/cmd script lldb.debugger.GetSelectedTarget().GetProcess().SendAsyncInterrupt()", "repl")
}

/// Asks in a context: under `_command`, what a command prints is the answer.
pub fn ask(expression: impl Into<String>, context: &str) -> dap::EvaluateArguments {
    dap::EvaluateArguments {
        expression: expression.into(),
        context: Some(context.into()),
        ..Default::default()
    }
}

/// Its own answer names a breakpoint of its own, if anything.
pub fn thrown() -> dap::EvaluateArguments {
    ask("script import thrown; thrown.tell()", "_command")
}
