//! Notes in words: one sentence each, without the word `note`.

use super::text::{cut_end, one_line};
use super::{Call, Lens, evaluate};
use crate::model::{Before, Note};

/// Characters of a plugin's failure, whose backtrace is long.
const REASON: usize = 100;

/// One line; only the words of a plugin's failure are cut.
pub fn note(note: &Note, lens: &Lens) -> String {
    one_line(&words(note, lens))
}

fn words(note: &Note, lens: &Lens) -> String {
    match note {
        Note::Plan(words) | Note::UnknownTool(words) => words.clone(),
        Note::HookFailed(reason) => format!(
            "{}; the host went on without its answer ({} has more)",
            cut_end(&one_line(reason), REASON).0,
            Call::new("debug_status").with("detail", "log")
        ),
        Note::Adapter(words) => format!("the debugger says: {words}"),
        Note::NoDebugInformation { program } => format!(
            "{program} has no debug information: breakpoints by file and line will not bind, and \
            there are no locals; \
             build it with debug information (-g, or a debug profile) and do not strip it"
        ),
        Note::SourceIsNewer { path } => format!(
            "{} is newer than the running program: its lines may differ; rebuild or restart it",
            lens.path(path)
        ),
        Note::SourceIsAbsent { path, why } => {
            format!("no source: {} {why}", lens.path(path))
        }
        Note::NotReached { place, moved, found, before } => {
            let mut place = lens.place(place);
            if let Some(line) = moved {
                place.push_str(&format!(", which moved to line {line}"));
            }
            match (before, found) {
                (Before::Stop, true) => format!("stopped before reaching {place}"),
                (Before::Stop, false) => format!(
                    "stopped before reaching {place}; the debugger has found no code there so far"
                ),
                (Before::End, true) => format!("ended without reaching {place}"),
                (Before::End, false) => {
                    format!("ended without reaching {place}: the debugger never found code there")
                }
            }
        }
        Note::NotEntered { name } => {
            format!("`{name}` was not called before the step ended")
        }
        Note::Moved { id, place } => {
            let what = id.map_or("`until`".to_owned(), |id| id.to_string());
            format!("{} holds no code; {what} moved to this line", lens.place(place))
        }
        Note::RanOn { line, ty } => format!(
            "values from after the exception: `finally`, `except` or `with` ran up to line {line}; \
             {} stops where it is raised",
            Call::new("debug_breakpoints").with("exceptions", vec![ty.clone()])
        ),
        Note::StackUnread(why) => {
            let again = Call::new("debug_stack");
            format!("the stack could not be read: {why}; {again} tries again")
        }
        Note::ConditionUnread { id, condition, why } => format!(
            "{id} counts as hit: its condition `{condition}` could not be checked here: {}",
            evaluate::reason(why)
        ),
        Note::DefaultExceptionsRefused(why) => {
            let off = Call::new("debug_breakpoints").with("exceptions", vec!["none".to_owned()]);
            format!("the debugger refused to stop at exceptions: {why}; {off} turns them off")
        }
        Note::CannotResume(why) => format!("the debugger refused to continue from here: {why}"),
        Note::OutputLost { bytes } => {
            format!(
                "{bytes} bytes of output are lost: the program printed faster than they were read"
            )
        }
        Note::UnknownExceptions { words, known } => {
            format!(
                "unknown exception filters: {}; this debugger has {}",
                words.join(", "),
                known.join(", ")
            )
        }
        Note::NoEntryStop => {
            "the program ended without a stop on entry: it failed before its first line, or the \
             debugger ignores stop_on_entry (a breakpoint on the first line stops there)"
                .to_owned()
        }
        Note::CannotEnd => {
            "the debugger cannot end a program that it attached to by address".to_owned()
        }
        Note::EndsWithSession(why) => {
            format!("cannot detach; the program ends with this session: {why}")
        }
        Note::StillEvaluating(expression) => format!(
            "the debugger is still evaluating `{expression}`; the program resumes when that is \
            done, and {} ends it",
            Call::new("debug_stop")
        ),
        Note::EndedOnDetach(why) => format!("could not detach; the program has ended: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BreakpointId, NoValue, Place};

    #[test]
    fn notes_have_words() {
        let lens = Lens { workspace: "/w".into(), usual: None };
        let reached = |found, before| Note::NotReached {
            place: Place::Line { path: "/w/a.c".into(), line: 3, column: None },
            moved: None,
            found,
            before,
        };
        for (fact, words) in [
            (Note::Adapter("two\nlines".into()), "the debugger says: two\\nlines"),
            (
                Note::HookFailed("plugin lua: `frames` trapped".into()),
                "plugin lua: `frames` trapped; the host went on without its answer \
                (debug_status detail=log has more)",
            ),
            (
                Note::SourceIsNewer { path: "/w/a.c".into() },
                "a.c is newer than the running program: its lines may differ; rebuild or restart \
                it",
            ),
            (
                Note::SourceIsAbsent { path: "/b/a.c".into(), why: "is not here".into() },
                "no source: /b/a.c is not here",
            ),
            (reached(true, Before::Stop), "stopped before reaching a.c:3"),
            (
                reached(false, Before::Stop),
                "stopped before reaching a.c:3; the debugger has found no code there so far",
            ),
            (reached(true, Before::End), "ended without reaching a.c:3"),
            (
                reached(false, Before::End),
                "ended without reaching a.c:3: the debugger never found code there",
            ),
            (
                Note::NotReached {
                    place: Place::Function("a.c:3".into()),
                    moved: Some(5),
                    found: true,
                    before: Before::Stop,
                },
                "stopped before reaching a.c:3, which moved to line 5",
            ),
            (
                Note::Moved { id: Some(BreakpointId(2)), place: Place::Function("a.c:3".into()) },
                "a.c:3 holds no code; #2 moved to this line",
            ),
            (
                Note::Moved { id: None, place: Place::Function("a.c:3".into()) },
                "a.c:3 holds no code; `until` moved to this line",
            ),
            (Note::NotEntered { name: "tax".into() }, "`tax` was not called before the step ended"),
            (
                Note::StackUnread("gone".into()),
                "the stack could not be read: gone; debug_stack tries again",
            ),
            (
                Note::OutputLost { bytes: 70 },
                "70 bytes of output are lost: the program printed faster than they were read",
            ),
            (
                Note::ConditionUnread {
                    id: BreakpointId(2),
                    condition: "bump()".into(),
                    why: NoValue::NeedsEffects(None),
                },
                "#2 counts as hit: its condition `bump()` could not be checked here: it may run \
                 code of the program",
            ),
            (
                Note::DefaultExceptionsRefused("busy".into()),
                "the debugger refused to stop at exceptions: busy; debug_breakpoints \
                 exceptions=[\"none\"] turns them off",
            ),
            (Note::CannotResume("busy".into()), "the debugger refused to continue from here: busy"),
        ] {
            assert_eq!(note(&fact, &lens), words);
        }
    }
}
