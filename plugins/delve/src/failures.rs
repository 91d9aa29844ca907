//! What the last lines of a failed test mean: `t.Errorf` ends no function and stops nothing, so the
//! next launch stops at its line. Pure.

use dapdock_plugin::path;
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Ending;

/// A message before a result, `    cart_test.go:12: got 3` before `FAIL`, or one after it, if text
/// follows the message (testing.go, `decorate`). With `-v` the messages come before the result.
const FAILED: [&str; 2] = [
    r"^ +([^\s:]+\.go):(\d+): [^\n]*\n(?:--- )?FAIL",
    r"--- FAIL: (?:\S+) \([^)]*\)\n +([^\s:]+\.go):(\d+): ",
];

/// The endings for tests that run in this directory.
pub fn endings(request: &DebugRequest, root: &str, directory: &str) -> Vec<Ending> {
    let failed = format!("a test failed; its last message is at {}:{{2}}", place(root, directory));
    let means = match launch(request, root, directory) {
        Some(launch) => format!("{failed}: debug_launch {launch}"),
        None => failed,
    };
    FAILED
        .iter()
        .map(|output| Ending {
            output: (*output).into(),
            means: means.clone(),
            failed: true,
            ..Ending::default()
        })
        .collect()
}

/// The file of a message, relative to the root.
fn place(root: &str, directory: &str) -> String {
    let file = path::join(directory, "{1}");
    let root = format!("{}/", root.trim_end_matches('/'));
    file.strip_prefix(&root).unwrap_or(&file).to_owned()
}

/// The same launch with a breakpoint at the message.
fn launch(request: &DebugRequest, root: &str, directory: &str) -> Option<String> {
    // The call would leave these out.
    if !request.args.is_empty() || !matches!(request.config.trim(), "" | "{}" | "null") {
        return None;
    }
    let target = match request.target.as_ref()? {
        TargetRef::Path(path) => ("program", path.clone()),
        TargetRef::Id(test) => ("test", test.clone()),
        TargetRef::Command(words) => ("command", crate::selection::line(words)),
        _ => return None,
    };
    let breakpoint = format!("{}:{{2}}", place(root, directory));
    Some(format!(
        "{{\"{}\": {}, \"breakpoints\": [{}]}}",
        target.0,
        Value::from(target.1),
        Value::from(breakpoint)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_messages_are_relative_to_the_root() {
        assert_eq!(place("/w", "/w/cart"), "cart/{1}");
        assert_eq!(place("/w", "/w"), "{1}");
        assert_eq!(place("/w", "/other"), "/other/{1}");
    }
}
