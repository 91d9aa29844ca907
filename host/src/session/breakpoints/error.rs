//! Why a breakpoint, place or exception filter cannot be set.

use std::path::{Path, PathBuf};

use crate::model::{BreakpointPart, Fault, Next, PartEdit, Patch, Remedies, errors};
use crate::near::nearest;

errors! {
    /// A breakpoint that cannot be set.
    pub enum Error {
        /// No breakpoint has this number.
        #[error("there is no breakpoint #{id}{}", numbers(known))]
        UnknownBreakpoint {
            /// Requested.
            id: u32,
            /// Existing numbers.
            known: Vec<u32>,
        } => "unknown-breakpoint", Fault::Caller, Next::Breakpoints;

        /// A breakpoint of the debugger's own, which only its commands change.
        #[error("#{id} was set by a command of the debugger")]
        SetByCommand {
            /// Requested.
            id: u32,
            /// The command that deletes it.
            delete: Option<String>,
        } => "set-by-command", Fault::Caller, match delete {
            Some(command) => Next::Command(command.clone()),
            None => Next::Breakpoints,
        };

        /// The file does not exist.
        #[error("there is no file {}", path.display())]
        NoSuchSource {
            /// Requested.
            path: PathBuf,
            /// Files of the same name in the workspace, the likeliest first.
            near: Vec<PathBuf>,
        } => "no-such-source", Fault::Caller, other_source(path, near.first());

        /// The file is shorter.
        #[error("{} has {lines} lines, there is no line {line}", path.display())]
        NoSuchLine {
            /// The file.
            path: PathBuf,
            /// Requested.
            line: u32,
            /// Number of its lines.
            lines: u32,
        } => "no-such-line", Fault::Caller, last_line(path, *line, *lines);

        /// A hit condition in an unknown form.
        #[error("hit condition `{text}` is none of `3`, `== 3`, `>= 3`, `> 3`, `% 3`")]
        BadHitCondition {
            /// As given.
            text: String,
        } => "bad-hit-condition", Fault::Caller, no_hit_condition(text);

        /// A hit condition beyond the largest count.
        #[error("hit condition `{text}` is never fulfilled: hits are counted up to {most}")]
        HitOutOfReach {
            /// As given.
            text: String,
            /// The largest count.
            most: u64,
        } => "bad-hit-condition", Fault::Caller, no_hit_condition(text);

        /// The debugger cannot parse the condition.
        #[error("condition `{text}` does not parse: {why}")]
        BadCondition {
            /// As given.
            text: String,
            /// The debugger's words.
            why: String,
        } => "bad-condition", Fault::Caller, refused(Some(&RefusedPart::Condition(text.clone())));

        /// The plugin or the adapter refuses a part of a breakpoint, or an expression.
        #[error("{message}")]
        Refused {
            /// The plugin's or the adapter's sentence.
            message: String,
            /// The refused part, where known.
            part: Option<RefusedPart>,
        } => match part {
            Some(RefusedPart::Condition(_)) => "bad-condition",
            _ => "refused",
        }, Fault::Caller, refused(part.as_ref());

        /// The adapter has no such exception filter.
        #[error(
            "`{name}` is no exception filter here; there are {}{}",
            known.join(", "),
            types_by_name(types.as_deref())
        )]
        UnknownExceptionFilter {
            /// Requested.
            name: String,
            /// Names of the filters.
            known: Vec<String>,
            /// Examples of types, where the adapter takes types by name.
            types: Option<String>,
        } => "unknown-exception-filter", Fault::Caller, other_filter(name, known);
    }
}

/// A refused text of a breakpoint, as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusedPart {
    /// Its condition.
    Condition(String),
    /// Its log message.
    Log(String),
    /// Its function.
    Function {
        /// As given.
        name: String,
        /// A similar function, or a place in its stead.
        instead: Option<String>,
    },
}

fn numbers(known: &[u32]) -> String {
    if known.is_empty() {
        return String::new();
    }
    let known: Vec<String> = known.iter().map(|id| format!("#{id}")).collect();
    format!("; there are {}", known.join(", "))
}

fn types_by_name(examples: Option<&str>) -> String {
    examples.map(|examples| format!(", and types by their names ({examples})")).unwrap_or_default()
}

fn other_source(path: &Path, near: Option<&PathBuf>) -> Remedies {
    let edit = near.map_or(PartEdit::Drop, |near| PartEdit::Replace(near.clone().into()));
    let patch = Patch::Breakpoint { part: BreakpointPart::File(path.to_owned()), edit };
    Remedies::from(patch).or(match near {
        Some(near) => Next::Breakpoint { path: near.clone(), line: 1 },
        None => Next::Breakpoints,
    })
}

fn last_line(path: &Path, line: u32, lines: u32) -> Remedies {
    let edit = PartEdit::Replace(u64::from(lines).into());
    let patch = Patch::Breakpoint { part: BreakpointPart::Line(path.to_owned(), line), edit };
    Remedies::from(patch).or(Next::Breakpoint { path: path.to_owned(), line: lines })
}

fn no_hit_condition(text: &str) -> Remedies {
    let part = BreakpointPart::HitCondition(text.to_owned());
    Remedies::from(Patch::Breakpoint { part, edit: PartEdit::Clear }).or(Next::Breakpoints)
}

fn refused(part: Option<&RefusedPart>) -> Remedies {
    let patch = part.map(|part| match part.clone() {
        RefusedPart::Condition(text) => {
            let edit = with_comparisons(&text).map(|text| PartEdit::Replace(text.into()));
            (BreakpointPart::Condition(text), edit.unwrap_or(PartEdit::Clear))
        }
        RefusedPart::Log(text) => (BreakpointPart::Log(text), PartEdit::Drop),
        RefusedPart::Function { name, instead } => {
            let edit = instead.map_or(PartEdit::Drop, |name| PartEdit::Replace(name.into()));
            (BreakpointPart::Function(name), edit)
        }
    });
    Remedies::from(patch.map(|(part, edit)| Patch::Breakpoint { part, edit })).or(Next::Breakpoints)
}

/// A condition with `==` in place of an assignment: `i = 3`. A named argument of a call stays.
fn with_comparisons(condition: &str) -> Option<String> {
    let (mut next, mut quote, mut brackets) = (String::new(), None, Vec::new());
    let mut letters = condition.chars().peekable();
    while let Some(letter) = letters.next() {
        let before = next.chars().last().unwrap_or(' ');
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(') => brackets.push(before.is_alphanumeric() || before == '_'),
            (None, ')') => drop(brackets.pop()),
            (None, '=') => {
                let mut count = 1;
                while letters.next_if_eq(&'=').is_some() {
                    count += 1;
                }
                let is_argument = count == 1 && brackets.last() == Some(&true);
                let is_arrow = count == 1 && letters.peek() == Some(&'>');
                let ends_sign = "<>:!+-*/%&|^~".contains(before);
                let stays = count > 1 || is_argument || is_arrow || ends_sign;
                next.push_str(&"=".repeat(if stays { count } else { 2 }));
                continue;
            }
            _ => {}
        }
        next.push(letter);
    }
    (next != condition).then_some(next)
}

/// A similar filter; where none is, one that catches every exception that the caller intends.
fn other_filter(name: &str, known: &[String]) -> Remedies {
    let is_known = |wide: &&str| known.iter().any(|word| word == wide);
    let filter = nearest(name, known.iter().map(String::as_str))
        .or_else(|| ["all", "uncaught"].into_iter().find(is_known))
        .or(known.first().map(String::as_str))
        .unwrap_or("none");
    let (from, to) = (name.to_owned(), filter.to_owned());
    let patch = Patch::Replace { argument: "exceptions", from, to };
    Remedies::from(patch).or(Next::Exceptions(filter.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_other_languages_are_corrected() {
        for (condition, expect) in [
            ("i = 3", Some("i == 3")),
            ("i=3 && j === 4", Some("i==3 && j === 4")),
            ("i !== 3 &&", None),
            ("(i = 3)", Some("(i == 3)")),
            ("i == 3 and j <= 4 and k != 5", None),
            ("name == 'a = b' +", None),
            ("f(key=3) >", None),
            ("any(x => x.ok", None),
            ("i >< 3", None),
        ] {
            assert_eq!(with_comparisons(condition).as_deref(), expect, "{condition}");
        }
    }
}
