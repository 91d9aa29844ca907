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
    relative(root, &path::join(directory, "{1}")).to_owned()
}

fn relative<'a>(root: &str, path: &'a str) -> &'a str {
    let below = path.strip_prefix(root.trim_end_matches('/'));
    below.and_then(|below| below.strip_prefix('/')).unwrap_or(path)
}

/// The same launch with a breakpoint at the message.
fn launch(request: &DebugRequest, root: &str, directory: &str) -> Option<String> {
    // The call would leave these out.
    let has_options = !matches!(request.config.trim(), "" | "{}" | "null");
    if has_options || !request.args.is_empty() || !request.env.is_empty() {
        return None;
    }
    let target = match request.target.as_ref()? {
        TargetRef::Path(path) => ("program", path.clone()),
        TargetRef::Id(test) => ("test", test.clone()),
        TargetRef::Command(words) => ("command", crate::selection::line(words)),
        _ => return None,
    };
    let breakpoint = format!("{}:{{2}}", place(root, directory));
    let cwd = request.cwd.as_deref().map(|cwd| relative(root, cwd)).filter(|cwd| *cwd != root);
    let cwd = cwd.map(|cwd| format!("\"cwd\": {}, ", Value::from(cwd)));
    Some(format!(
        "{{\"{}\": {}, {}\"breakpoints\": [{}]}}",
        target.0,
        Value::from(target.1),
        cwd.unwrap_or_default(),
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
        assert_eq!(place("/w", "/work"), "/work/{1}");
    }
}
