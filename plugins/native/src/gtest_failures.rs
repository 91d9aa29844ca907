//! Failing assertions of GoogleTest: the stop at one, and the run that has passed one. Pure.

use dapdock_plugin::adapter::Workspace;
use dapdock_plugin::present::{Frame, Reaction, StopClass, StopView};
use dapdock_plugin::schema::Ending;

use crate::gtest;
use crate::rust::shorten;

/// Stops at a failing assertion (gtest.cc, `AddTestPartResult`).
pub const BREAK: &str = "--gtest_break_on_failure";
/// The function that stops there, and how all functions of GoogleTest begin.
const STOPPING: &str = "testing::UnitTest::AddTestPartResult";
const GTEST: &str = "testing::";
/// What follows the place of a failure in the output.
const FAILURE: &str = ": Failure\n";

/// The stop at a failing assertion, whose text is printed before; None: it is another signal.
pub fn assertion(top: &[Frame], output: &str) -> Option<StopView> {
    if !top.first()?.name.starts_with(STOPPING) {
        return None;
    }
    let skipped = top.iter().take_while(|frame| frame.name.starts_with(GTEST)).count();
    let text = output.rsplit_once(FAILURE).map_or("", |(_, text)| text);
    let lines: Vec<&str> =
        text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let title = lines.first().copied().unwrap_or_default();
    Some(StopView {
        class: StopClass::Assertion,
        title: shorten(title.trim_end_matches(':')),
        detail: (lines.len() > 1).then(|| lines.join(" ")),
        skip_frames: skipped as u32,
        reaction: Reaction::Report,
    })
}

/// The endings of a program whose arguments select none of its tests, and of one that has passed a
/// failing assertion.
pub fn endings(project: &Workspace, args: &[String]) -> Vec<Ending> {
    let mut all: Vec<Ending> = gtest::unmatched(project, args).into_iter().collect();
    if !args.iter().any(|arg| arg == BREAK) {
        all.push(failed());
    }
    all
}

fn failed() -> Ending {
    let launch = r#"debug_launch {"test": "{1}"}"#;
    Ending {
        output: r"^\[  FAILED  \] \d+ tests?, listed below:\n\[  FAILED  \] ([^\s,]+)".into(),
        means: format!("{{1}} failed; to stop at its failing assertion: {launch}"),
        failed: true,
        unseen: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str) -> Frame {
        Frame { name: name.into(), path: None, line: 0, module: None }
    }

    #[test]
    fn assertion_is_described_by_the_output() {
        let names = [
            "testing::UnitTest::AddTestPartResult(testing::TestPartResult::Type, int)",
            "testing::internal::AssertHelper::operator=(testing::Message const&) const",
            "Cart_Total_Test::TestBody()",
        ];
        let top = names.map(frame);
        let output = "[ RUN      ] Cart.Total\n/w/cart_test.cc:9: Failure\nExpected equality of \
            these values:\n  total\n    Which is: 109\n  107\n\n";
        let stop = assertion(&top, output)
            .map(|stop| (stop.class, stop.title, stop.detail, stop.skip_frames));
        let text = "Expected equality of these values: total Which is: 109 107";
        let title = "Expected equality of these values".to_owned();
        assert_eq!(stop, Some((StopClass::Assertion, title, Some(text.to_owned()), 2)));
        assert!(assertion(&top[1..], output).is_none());
    }
}
