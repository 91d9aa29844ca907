//! Instructions of the server (MCP, `initialize`): how the tools work together.

/// The server's instructions.
pub const INSTRUCTIONS: &str = "\
dapdock runs programs under a real debugger. Use it when reading code does not explain what \
happens: a wrong value, an \
exception, a crash, a hang, a failing test.

How to work:
1. debug_launch starts the program (`program`, or a whole `command` as you would type it) with \
`breakpoints` and returns \
the first stop, the exit, or, when time runs out, what the program is doing. Uncaught exceptions \
stop it.
2. Every stop shows place, source, locals, what changed since the stop before and new output. Read \
it before the next call.
3. Look closer with debug_evaluate (several expressions in one call), debug_variables (`path`: \
\"order.items[3].price\") \
and debug_stack.
4. Go on with debug_continue (`until`: \"app.x:88\" runs to a line) or debug_step. Prefer a \
condition \
(\"app.x:42 if total < 0\") over many continues, and a log breakpoint ({\"at\": \"app.x:42\", \
\"log\": \"total={total}\"}, \
read with debug_output) over many stops.
5. debug_stop when done: it ends the program and everything it started. Each launch adds a session.

Good to know:
- Lines count from 1. Relative paths start at the workspace. `session` is needed only while \
several are open.
- A wait that runs out is no error: the program runs on, and debug_wait waits longer.
- A hang: debug_pause, then debug_stack with `all_threads`.
- An assertion or exception that a test runner catches: debug_breakpoints `exceptions`: [\"all\"] \
before the launch.
- Breakpoints may be set before a launch and are kept for the next. UNVERIFIED: the line holds no \
code.
- An expression that calls code of the program may change its state.
- An error names its cause and a call that works: error[code] cause. Try: call.
";

#[cfg(test)]
mod tests {
    use super::super::registry::declared;
    use super::INSTRUCTIONS;

    #[test]
    fn instructions_name_tools_and_arguments_that_exist() {
        let mut named = Vec::new();
        for word in INSTRUCTIONS.split(|c: char| !c.is_ascii_lowercase() && c != '_') {
            if word.starts_with("debug_") {
                assert!(declared().any(|tool| tool.name == word), "{word}");
                named.push(word);
            }
        }
        assert!(named.len() > 8, "{named:?}");
        for word in INSTRUCTIONS.split('`').skip(1).step_by(2) {
            assert!(declared().any(|tool| tool.has_argument(word)), "{word}");
        }
    }

    #[test]
    fn instructions_are_short() {
        assert!(INSTRUCTIONS.len() <= 1_900, "{}", INSTRUCTIONS.len());
    }
}
