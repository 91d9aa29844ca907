//! What the last lines of a failed test mean: `t.Errorf` ends no function and stops nothing, so the
//! next launch stops at its line. Pure.

use dapdock_plugin::path;
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Ending;

/// The last message before a result, `    cart_test.go:12: got 3` before `FAIL` (testing.go,
/// `decorate`). With `-v` a subtest that passed may have written it.
const FAILED: &str = r"(?s:.*)^ +([^\s:]+\.go):(\d+): (?s:.*)^(?: *--- )?FAIL";

/// The endings for tests that run in this directory.
pub fn endings(request: &DebugRequest, root: &str, directory: &str) -> Vec<Ending> {
    let failed = format!("a test failed; its last message is at {}:{{2}}", place(root, directory));
    let means = match launch(request, root, directory) {
        Some(launch) => format!("{failed}: debug_launch {launch}"),
        None => failed,
    };
    vec![Ending { output: FAILED.into(), means, failed: true, ..Ending::default() }]
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
