//! Explains an exit by the end of the debuggee's output, with the profile's `endings`: for test
//! runners and runtimes whose exit code does not say what happened.

use dapdock_schema::Ending;

use crate::model::ExitStatus;
use crate::pattern;
use crate::session::record::output::Output;

/// Whether an exception may have ended the debuggee without a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exceptions {
    /// Exceptions were to stop the debuggee and none did.
    Unseen,
    /// One stopped it, or none was to.
    Known,
}

/// The explanation of the first ending that matches.
pub(crate) fn explanation(
    endings: &[Ending],
    output: &Output,
    exceptions: Exceptions,
    status: ExitStatus,
) -> Option<String> {
    let tail = if endings.is_empty() { String::new() } else { output.tail() };
    let failed = matches!(status, ExitStatus::Code(1..) | ExitStatus::Signal(_));
    for ending in endings {
        let is_possible =
            (!ending.unseen || exceptions == Exceptions::Unseen) && (!ending.failed || failed);
        if is_possible && let Some(text) = matched(ending, &tail) {
            return Some(text);
        }
    }
    None
}

/// The ending's meaning with the pattern's groups filled in. The pattern compiles: the profile was
/// checked when it was loaded.
fn matched(ending: &Ending, tail: &str) -> Option<String> {
    let pattern = pattern::compile_for_lines(&ending.output).ok()?;
    let groups = pattern.captures(tail)?;
    let mut means = ending.means.clone();
    for (number, group) in groups.iter().enumerate().skip(1) {
        if let Some(group) = group {
            means = means.replace(&format!("{{{number}}}"), group.as_str().trim());
        }
    }
    Some(means)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Stream;

    #[test]
    fn first_matching_ending_explains() {
        let ending = |output: &str, means: &str| Ending {
            output: output.into(),
            means: means.into(),
            ..Ending::default()
        };
        let endings = [
            ending("^Ran 0 tests", "none"),
            ending(r"^Tests  0 \(\d\)$", "not one"),
            ending("^", "any"),
        ];
        let means = |text: &str, known: &[Ending]| {
            let mut output = Output::new(100, 1 << 20, 2_000);
            output.write(Stream::Stdout, text);
            explanation(known, &output, Exceptions::Known, ExitStatus::Code(0))
        };
        assert_eq!(
            means("a\nRan 0 tests in 1 s\nTests  0 (2)\n", &endings).as_deref(),
            Some("none")
        );
        assert_eq!(
            means("\u{1b}[2mTests  \u{1b}[22m0\u{1b}[90;1m (2)\u{1b}[39m\n", &endings).as_deref(),
            Some("not one")
        );
        assert_eq!(means("Ran 10 tests\n", &endings[..2]), None);
        assert_eq!(means("Ran 0 tests\n", &[]), None);
    }

    #[test]
    fn ending_of_a_failure_explains_failures_only() {
        let output_of = |text: &str| {
            let mut output = Output::new(100, 1 << 20, 2_000);
            output.write(Stream::Stderr, text);
            output
        };
        let missing = Ending {
            output: "^no module (.+) in (.+)$".into(),
            means: "{2} lacks {1}".into(),
            failed: true,
            ..Ending::default()
        };
        let means = |status| {
            explanation(
                std::slice::from_ref(&missing),
                &output_of("no module a.b in {1}\n"),
                Exceptions::Known,
                status,
            )
        };
        assert_eq!(means(ExitStatus::Code(1)).as_deref(), Some("{1} lacks a.b"));
        assert_eq!(means(ExitStatus::Signal(6)).as_deref(), Some("{1} lacks a.b"));
        assert_eq!(means(ExitStatus::Code(0)), None);
    }

    #[test]
    fn ending_of_an_unseen_exception_needs_one() {
        let unseen = Ending {
            output: "^thrown".into(),
            means: "no stop".into(),
            unseen: true,
            ..Ending::default()
        };
        let any = Ending { output: "^".into(), means: "any".into(), ..Ending::default() };
        let mut output = Output::new(100, 1 << 20, 2_000);
        output.write(Stream::Stdout, "thrown\n");
        let means = |exceptions| {
            explanation(&[unseen.clone(), any.clone()], &output, exceptions, ExitStatus::Code(0))
        };
        assert_eq!(means(Exceptions::Unseen).as_deref(), Some("no stop"));
        assert_eq!(means(Exceptions::Known).as_deref(), Some("any"));
    }
}
