//! Notes in words: one sentence each, without the word `note`.

use super::Lens;
use super::text::one_line;
use crate::model::{Before, Note};

/// One line, not cut.
pub(super) fn note(note: &Note, lens: &Lens) -> String {
    one_line(&words(note, lens))
}

fn words(note: &Note, lens: &Lens) -> String {
    match note {
        Note::Plan(words) | Note::UnknownTool(words) => words.clone(),
        Note::Adapter(words) => format!("the debugger says: {words}"),
        Note::NoDebugInformation { program } => format!(
            "{program} has no debug information: breakpoints by file and line will not bind, and \
            there are no locals; \
             build it with debug information (-g, or a debug profile) and do not strip it"
        ),
        Note::SourceIsNewer { path } => format!(
            "{} is newer than the program that runs: its lines may not fit; build or start it \
            again",
            lens.path(path)
        ),
        Note::SourceIsAbsent { path, why } => {
            format!("no source: {} {why}", lens.path(path))
        }
        Note::NotReached { place, found, before } => {
            let place = lens.place(place);
            match (before, found) {
                (Before::Stop, true) => {
                    format!("this stop came before {place}")
                }
                (Before::Stop, false) => {
                    format!(
                        "this stop came before {place}; the debugger has found no code there so far"
                    )
                }
                (Before::End, true) => format!("until {place} was not reached"),
                (Before::End, false) => {
                    format!("until {place} was not reached: the debugger never found code there")
                }
            }
        }
        Note::NotEntered { name } => {
            format!("`{name}` was not called before the step ended")
        }
        Note::Moved { id, place } => {
            format!("{} holds no code; {id} moved here", lens.place(place))
        }
        Note::StackUnread(why) => {
            format!("the stack could not be read: {why}; debug_stack asks again")
        }
        Note::CannotResume(why) => format!("the debugger would not go on from here: {why}"),
        Note::OutputLost { bytes } => {
            format!("{bytes} bytes of the program's output came too fast and are lost")
        }
        Note::UnknownExceptions { words, known } => {
            format!(
                "no exceptions here are called {}; there are {}",
                words.join(", "),
                known.join(", ")
            )
        }
        Note::CannotEnd => "the debugger cannot end what it attached to by address".to_owned(),
        Note::EndsWithSession(why) => {
            format!("the program cannot be let go and ends with this session: {why}")
        }
        Note::StillEvaluating(expression) => format!(
            "the debugger is still evaluating `{expression}`: the program goes on when that is \
            done; debug_stop ends it"
        ),
        Note::EndedOnDetach(why) => format!("the program could not be let go and has ended: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BreakpointId, Place};

    #[test]
    fn notes_have_words() {
        let lens = Lens { workspace: "/w".into(), usual: None };
        let reached = |found, before| Note::NotReached {
            place: Place::Line { path: "/w/a.c".into(), line: 3, column: None },
            found,
            before,
        };
        for (fact, words) in [
            (Note::Adapter("two\nlines".into()), "the debugger says: two\\nlines"),
            (
                Note::SourceIsNewer { path: "/w/a.c".into() },
                "a.c is newer than the program that runs: its lines may not fit; build or start it \
                again",
            ),
            (
                Note::SourceIsAbsent { path: "/b/a.c".into(), why: "is not here".into() },
                "no source: /b/a.c is not here",
            ),
            (reached(true, Before::Stop), "this stop came before a.c:3"),
            (
                reached(false, Before::Stop),
                "this stop came before a.c:3; the debugger has found no code there so far",
            ),
            (reached(true, Before::End), "until a.c:3 was not reached"),
            (
                reached(false, Before::End),
                "until a.c:3 was not reached: the debugger never found code there",
            ),
            (
                Note::Moved { id: BreakpointId(2), place: Place::Function("a.c:3".into()) },
                "a.c:3 holds no code; #2 moved here",
            ),
            (Note::NotEntered { name: "tax".into() }, "`tax` was not called before the step ended"),
            (
                Note::StackUnread("gone".into()),
                "the stack could not be read: gone; debug_stack asks again",
            ),
            (
                Note::OutputLost { bytes: 70 },
                "70 bytes of the program's output came too fast and are lost",
            ),
            (Note::CannotResume("busy".into()), "the debugger would not go on from here: busy"),
        ] {
            assert_eq!(note(&fact, &lens), words);
        }
    }
}
