//! What a debuggee's last words mean, where its exit code does not say it: a plugin has told
//! beforehand.

use dapdock_schema::Ending;

use crate::model::ExitStatus;
use crate::pattern;
use crate::session::record::output::Output;

/// What the caller has seen of exceptions, where they were to stop the debuggee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exceptions {
    Unseen,
    /// A stop was told, or none was asked for.
    Known,
}

/// The first of them that the end of the output says. A pattern was looked at with its plan.
pub(crate) fn of(
    endings: &[Ending],
    output: &Output,
    exceptions: Exceptions,
    status: ExitStatus,
) -> Option<String> {
    let tail = if endings.is_empty() { String::new() } else { output.tail() };
    let failed = matches!(status, ExitStatus::Code(1..) | ExitStatus::Signal(_));
    let possible = |ending: &&Ending| {
        (!ending.unseen || exceptions == Exceptions::Unseen) && (!ending.failed || failed)
    };
    let said = |ending: &Ending| {
        let pattern = pattern::compile_for_lines(&ending.output).ok()?;
        let groups = pattern.captures(&tail)?;
        let told = groups
            .iter()
            .enumerate()
            .skip(1)
            .filter_map(|(number, group)| Some((number, group?.as_str().trim())));
        Some(told.fold(ending.means.clone(), |means, (number, text)| {
            means.replace(&format!("{{{number}}}"), text)
        }))
    };
    endings.iter().filter(possible).find_map(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Stream;

    #[test]
    fn the_first_that_is_said_is_meant() {
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
            of(known, &output, Exceptions::Known, ExitStatus::Code(0))
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
    fn a_failure_is_told_in_its_own_words() {
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
            of(
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
    fn what_was_seen_is_not_told_as_unseen() {
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
            of(&[unseen.clone(), any.clone()], &output, exceptions, ExitStatus::Code(0))
        };
        assert_eq!(means(Exceptions::Unseen).as_deref(), Some("no stop"));
        assert_eq!(means(Exceptions::Known).as_deref(), Some("any"));
    }
}
