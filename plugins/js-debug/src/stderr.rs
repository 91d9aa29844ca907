//! Reads the program's stderr, to which run.sh, Node and js-debug write as well. Pure.

/// The beginning of the line that run.sh writes last.
const EXITED: &str = "\u{1e}dapdock: exited with ";

/// Messages of Node about its debugger on the program's stderr.
const NODE_MESSAGES: [&str; 4] = [
    "Debugger attached.",
    "Waiting for the debugger to disconnect...",
    "Debugger listening on ",
    "For help, see: https://nodejs.org/en/docs/inspector",
];

/// The beginning of the line that js-debug has a failing condition write
/// (`__breakOnConditionalError`, breakpoints/conditions/expression.ts).
const CONDITION_ERROR: &str = "Breakpoint condition error: ";

/// The parts of an output on stderr.
#[derive(Debug, Default, PartialEq)]
pub struct Stderr {
    /// Output of the program itself.
    pub own: String,
    /// The exit code from run.sh.
    pub exit_code: Option<i64>,
    pub condition_errors: Vec<String>,
}

/// Splits an output on stderr into its parts; none if all of it is the program's.
pub fn read(output: &str) -> Option<Stderr> {
    let (text, exit_code) = match output.split_once(EXITED) {
        Some((own, rest)) => (own, rest.split('\u{1e}').next().and_then(|code| code.parse().ok())),
        None => (output, None),
    };
    let mut stderr = Stderr { exit_code, ..Stderr::default() };
    for line in text.split_inclusive('\n') {
        if let Some(error) = line.strip_prefix(CONDITION_ERROR) {
            stderr.condition_errors.push(error.trim_end().to_owned());
        } else if !NODE_MESSAGES.iter().any(|message| line.starts_with(message)) {
            stderr.own.push_str(line);
        }
    }
    (stderr.exit_code.is_some() || stderr.own.len() < output.len()).then_some(stderr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_code_and_messages_of_node_are_removed_from_stderr() {
        let parts = |text: &str| read(text).map(|parts| (parts.own, parts.exit_code));
        assert_eq!(parts("warning\n"), None);
        assert_eq!(parts("Debugger attached.\n"), Some((String::new(), None)));
        let end = "oops\nWaiting for the debugger to disconnect...\n\
                   \u{1e}dapdock: exited with 139\u{1e}\n";
        assert_eq!(parts(end), Some(("oops\n".into(), Some(139))));
        assert_eq!(
            parts("no end\u{1e}dapdock: exited with 0\u{1e}\n"),
            Some(("no end".into(), Some(0)))
        );
    }

    #[test]
    fn condition_errors_are_separated_from_stderr() {
        let parts = read("a\nBreakpoint condition error: x is not defined\nb");
        assert_eq!(
            parts.map(|parts| (parts.own, parts.condition_errors)),
            Some(("a\nb".into(), vec!["x is not defined".into()]))
        );
    }
}
