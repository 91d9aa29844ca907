//! What a debuggee's last words mean, where its exit code does not say it: a plugin has told beforehand.

use dapdock_schema::Ending;
use regex::RegexBuilder;

use super::output::Output;

/// What the caller has seen of exceptions, where they were to stop the debuggee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exceptions {
    Unseen,
    /// A stop was told, or none was asked for.
    Known,
}

/// The first of them that the end of the output says. A pattern was looked at with its plan.
pub(super) fn of(endings: &[Ending], output: &Output, exceptions: Exceptions) -> Option<String> {
    let tail = if endings.is_empty() { String::new() } else { output.tail() };
    let possible = |ending: &&Ending| !ending.unseen || exceptions == Exceptions::Unseen;
    let said = |ending: &&Ending| {
        let pattern = RegexBuilder::new(&ending.output).multi_line(true).build();
        pattern.is_ok_and(|pattern| pattern.is_match(&tail))
    };
    endings.iter().filter(possible).find(said).map(|ending| ending.means.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Stream;

    #[test]
    fn the_first_that_is_said_is_meant() {
        let ending = |output: &str, means: &str| Ending { output: output.into(), means: means.into(), unseen: false };
        let endings = [ending("^Ran 0 tests", "none"), ending(r"^Tests  0 \(\d\)$", "not one"), ending("^", "any")];
        let means = |text: &str, known: &[Ending]| {
            let mut output = Output::new(100, 1 << 20, 2_000);
            output.write(Stream::Stdout, text);
            of(known, &output, Exceptions::Known)
        };
        assert_eq!(means("a\nRan 0 tests in 1 s\nTests  0 (2)\n", &endings).as_deref(), Some("none"));
        assert_eq!(
            means("\u{1b}[2mTests  \u{1b}[22m0\u{1b}[90;1m (2)\u{1b}[39m\n", &endings).as_deref(),
            Some("not one")
        );
        assert_eq!(means("Ran 10 tests\n", &endings[..2]), None);
        assert_eq!(means("Ran 0 tests\n", &[]), None);
    }

    #[test]
    fn what_was_seen_is_not_told_as_unseen() {
        let unseen = Ending { output: "^thrown".into(), means: "no stop".into(), unseen: true };
        let any = Ending { output: "^".into(), means: "any".into(), unseen: false };
        let mut output = Output::new(100, 1 << 20, 2_000);
        output.write(Stream::Stdout, "thrown\n");
        let means = |exceptions| of(&[unseen.clone(), any.clone()], &output, exceptions);
        assert_eq!(means(Exceptions::Unseen).as_deref(), Some("no stop"));
        assert_eq!(means(Exceptions::Known).as_deref(), Some("any"));
    }
}
