//! Output of the debuggee and of the adapter, and how a debuggee has ended.

use dapdock_schema::{EndReport, Ending, ExitCode, Streams};

use super::Quirks;
use crate::dap::event::Exited;
use crate::model::{ExitStatus, Stream};
use crate::pattern;

/// The end of a debuggee's output, and what else decides about its meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastOutput<'a> {
    /// Without colours.
    pub(crate) text: &'a str,
    /// The debuggee failed.
    pub(crate) failed: bool,
    /// Exceptions were to stop the debuggee, and none did.
    pub(crate) unseen_exception: bool,
}

impl Quirks {
    /// The standard streams of the adapter that are the debuggee's.
    pub(crate) fn passed_streams(&self) -> &'static [Stream] {
        match self.0.output.streams {
            Streams::Adapter => &[],
            Streams::Output => &[Stream::Stdout],
            Streams::Debuggee | Streams::Merged => &[Stream::Stdout, Stream::Stderr],
        }
    }

    /// They are one pipe.
    pub(crate) fn merges_streams(&self) -> bool {
        self.0.output.streams == Streams::Merged
    }

    /// Whose output an `output` event of this category has.
    pub(crate) fn stream(&self, category: &str, text: &str) -> Stream {
        let rules = &self.0.output;
        let is_own_line = rules.adapter_lines.iter().any(|start| text.starts_with(start.as_str()));
        let program = rules.program.iter().any(|name| name == category) && !is_own_line;
        match (program, category) {
            (true, "stderr") => Stream::Stderr,
            (true, _) => Stream::Stdout,
            (false, _) => Stream::Adapter,
        }
    }

    /// The adapter reports the exit in its own output instead of `exited`.
    pub(crate) fn announces_exit(&self) -> bool {
        matches!(self.0.leave.end, EndReport::Text(_))
    }

    /// The connection is closed at a normal end of the debuggee, without further events.
    pub(crate) fn ends_by_closing(&self) -> bool {
        self.0.leave.end == EndReport::Closing
    }

    /// The exit code in a text of the adapter's own output.
    pub(crate) fn announced_exit(&self, text: &str) -> Option<i64> {
        let EndReport::Text(announcement) = &self.0.leave.end else { return None };
        let (_, rest) = text.split_once(announcement)?;
        rest.split_whitespace().next()?.parse().ok()
    }

    /// How the debuggee has ended; none: the event does not say it.
    pub(crate) fn exit_status_of(&self, exited: &Exited) -> Option<ExitStatus> {
        let by_signal = exited.signal_number.and_then(signal);
        by_signal.or_else(|| exited.exit_code.map(|code| self.exit_status(code)))
    }

    /// The meaning of the number in `exited`.
    pub(crate) fn exit_status(&self, code: i64) -> ExitStatus {
        let read = match self.0.leave.exit_code {
            ExitCode::Plain => None,
            ExitCode::NegativeSignal if code < 0 => signal(code.saturating_neg()),
            ExitCode::NegativeSignal => signal(256_i64.saturating_sub(code)),
            ExitCode::MinusSignal if code < 0 => signal(code.saturating_neg()),
            ExitCode::MinusSignal => None,
            ExitCode::ShellSignal => signal(code.saturating_sub(128)),
        };
        read.unwrap_or(ExitStatus::Code(code))
    }

    /// Decides which lines of the output say why the debuggee failed.
    pub(crate) fn failure_reasons(&self) -> impl Fn(&str) -> bool {
        let texts = self.0.output.reasons.iter();
        let patterns: Vec<_> = texts.filter_map(|text| pattern::compile(text).ok()).collect();
        move |line| {
            patterns.iter().any(|pattern| pattern.is_match(line)) && !self.is_in_library(line)
        }
    }

    /// The beginning of a stack trace in the output.
    pub(crate) fn trace(&self) -> Option<&str> {
        self.0.evaluate.trace.as_deref()
    }

    /// Launch options, as JSON, with which the same request debugs what follows the debuggee.
    pub(crate) fn following_options(&self) -> Option<String> {
        self.0.start.following.clone()
    }

    /// Whether the debuggee's last lines may have a meaning.
    pub(crate) fn has_endings(&self) -> bool {
        !self.0.output.endings.is_empty()
    }

    /// The meaning of the debuggee's last lines, by the first ending that matches.
    pub(crate) fn ending(&self, tail: LastOutput) -> Option<String> {
        for ending in &self.0.output.endings {
            let is_possible =
                (!ending.unseen || tail.unseen_exception) && (!ending.failed || tail.failed);
            if is_possible && let Some(text) = matched(ending, tail.text) {
                return Some(text);
            }
        }
        None
    }
}

fn signal(number: i64) -> Option<ExitStatus> {
    i32::try_from(number).ok().filter(|n| (1..=64).contains(n)).map(ExitStatus::Signal)
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
    use dapdock_schema::{LeaveProfile, OutputProfile, Profile};

    use super::*;

    fn with(endings: &[Ending]) -> Quirks {
        let output = OutputProfile { endings: endings.to_vec(), ..OutputProfile::default() };
        Quirks::new(Profile { output, ..Profile::default() })
    }

    fn tail(text: &str) -> LastOutput<'_> {
        LastOutput { text, failed: false, unseen_exception: false }
    }

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
        let means = |text: &str, known: &[Ending]| with(known).ending(tail(text));
        let text = "a\nRan 0 tests in 1 s\nTests  0 (2)\n";
        assert_eq!(means(text, &endings).as_deref(), Some("none"));
        assert_eq!(means("a\nTests  0 (2)\n", &endings).as_deref(), Some("not one"));
        assert_eq!(means("Ran 10 tests\n", &endings[..2]), None);
        assert_eq!(means("Ran 0 tests\n", &[]), None);
    }

    #[test]
    fn ending_of_a_failure_explains_failures_only() {
        let quirks = with(&[Ending {
            output: "^no module (.+) in (.+)$".into(),
            means: "{2} lacks {1}".into(),
            failed: true,
            ..Ending::default()
        }]);
        let tail = tail("no module a.b in {1}\n");
        let failed = quirks.ending(LastOutput { failed: true, ..tail });
        assert_eq!(failed.as_deref(), Some("{1} lacks a.b"));
        assert_eq!(quirks.ending(tail), None);
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
        let (quirks, tail) = (with(&[unseen, any]), tail("thrown\n"));
        let unseen = quirks.ending(LastOutput { unseen_exception: true, ..tail });
        assert_eq!(unseen.as_deref(), Some("no stop"));
        assert_eq!(quirks.ending(tail).as_deref(), Some("any"));
    }

    #[test]
    fn exit_code_is_read_from_announcement() {
        let end = EndReport::Text("has exited with status ".into());
        let leave = LeaveProfile { end, ..LeaveProfile::default() };
        let quirks = Quirks::new(Profile { leave, ..Profile::default() });
        for (text, want) in [
            ("Process 7 has exited with status 3\n", Some(3)),
            ("Process 7 has exited with status -9", Some(-9)),
            ("Detaching\n", None),
            ("has exited with status unknown", None),
        ] {
            assert_eq!(quirks.announced_exit(text), want, "{text:?}");
        }
    }

    #[test]
    fn exit_codes_are_read_as_the_profile_says() {
        let code = ExitStatus::Code;
        let signal = ExitStatus::Signal;
        for (number, exit_code, want) in [
            (3, ExitCode::Plain, code(3)),
            (247, ExitCode::NegativeSignal, signal(9)),
            (-11, ExitCode::NegativeSignal, signal(11)),
            (3, ExitCode::NegativeSignal, code(3)),
            (0, ExitCode::NegativeSignal, code(0)),
            (-9, ExitCode::MinusSignal, signal(9)),
            (200, ExitCode::MinusSignal, code(200)),
            (139, ExitCode::ShellSignal, signal(11)),
            (128, ExitCode::ShellSignal, code(128)),
            (3, ExitCode::ShellSignal, code(3)),
        ] {
            let leave = LeaveProfile { exit_code, ..LeaveProfile::default() };
            let quirks = Quirks::new(Profile { leave, ..Profile::default() });
            assert_eq!(quirks.exit_status(number), want, "{number} {exit_code:?}");
        }
    }
}
