//! Texts of the adapter's errors.

use dapdock_schema::ErrorText;

use super::Quirks;
use crate::dap;

impl Quirks {
    /// The message of an adapter's refusal without the noise around it.
    pub(crate) fn message(&self, error: &dap::Error) -> String {
        match error {
            dap::Error::Refused { message, .. } => self.essence(message.trim()).trim().to_owned(),
            dap::Error::Timeout { after, .. } => {
                format!("no answer within {} s", after.as_secs_f32())
            }
            error => error.to_string(),
        }
    }

    /// The part of a message that says what is wrong: the line after the last trace, else the
    /// profile's.
    fn essence<'a>(&self, text: &'a str) -> &'a str {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let trace = self.0.evaluate.trace.as_deref().filter(|trace| text.starts_with(trace));
        if let Some((_, frames)) = trace.and_then(|trace| text.rsplit_once(trace)) {
            let mut after = frames
                .lines()
                .skip(1)
                .skip_while(|line| line.starts_with(' ') || line.trim().is_empty());
            return after.next().or(lines.next_back()).unwrap_or(text);
        }
        match self.0.evaluate.errors {
            ErrorText::Whole => text,
            ErrorText::FirstLine => lines.next().unwrap_or(text),
            ErrorText::LastLine => lines.next_back().unwrap_or(text),
        }
    }

    /// The first line of a message of the adapter, with the last line of a stack trace below it:
    /// the error.
    pub(crate) fn gist(&self, text: &str) -> Option<String> {
        let trace = |line: &&str| {
            let trace = self.0.evaluate.trace.as_deref();
            trace.is_some_and(|trace| line.starts_with(trace))
        };
        let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
        let first = lines.clone().next().map(str::trim)?;
        let cause = lines
            .find(trace)
            .and_then(|_| lines.rfind(|line| !line.starts_with(char::is_whitespace)));
        Some(match cause {
            Some(cause) if trace(&first) => cause.to_owned(),
            Some(cause) => format!("{}: {cause}", first.trim_end_matches(':')),
            None => first.to_owned(),
        })
    }

    /// Launch options, as JSON, with which the adapter supports this request.
    pub(crate) fn unlocking_options(&self, command: &str) -> Option<String> {
        self.0.start.unlocked.get(command).cloned()
    }
}

#[cfg(test)]
mod tests {
    use dapdock_schema::{EvaluateProfile, Profile};

    use super::*;

    #[test]
    fn essence_of_an_error_is_where_the_profile_says() {
        let text = "one\ntwo\n";
        let chained = "Trace:\n  frame\nOld: x\n\nthen\nTrace:\n  frame\n    code\nNew: y\nmore\n";
        for (errors, expect) in
            [(ErrorText::Whole, text), (ErrorText::FirstLine, "one"), (ErrorText::LastLine, "two")]
        {
            let trace = Some("Trace:".into());
            let quirks = Quirks::new(Profile {
                evaluate: EvaluateProfile { trace, errors, ..EvaluateProfile::default() },
                ..Profile::default()
            });
            assert_eq!(quirks.essence(text), expect);
            assert_eq!(quirks.essence(chained), "New: y");
            assert_eq!(quirks.essence(""), "");
        }
    }

    #[test]
    fn long_message_shrinks_to_first_line_and_error() {
        let trace = Some("Trace:".into());
        let evaluate = EvaluateProfile { trace, ..EvaluateProfile::default() };
        let quirks = Quirks::new(Profile { evaluate, ..Profile::default() });
        for (text, want) in [
            ("condition failed\n", Some("condition failed")),
            ("\n  Unable to read it\nwhy: nobody knows\n", Some("Unable to read it")),
            (
                "in condition: x > 1\nTrace:\n  File x\nNameError: x\n\n",
                Some("in condition: x > 1: NameError: x"),
            ),
            (
                "failed:\nTrace:\n  File x\nException: undeclared\n    1 | x\n      | ^\n",
                Some("failed: Exception: undeclared"),
            ),
            ("Trace:\n  File x\nValueError\n", Some("ValueError")),
            ("\n\n", None),
        ] {
            assert_eq!(quirks.gist(text).as_deref(), want, "{text:?}");
        }
    }
}
