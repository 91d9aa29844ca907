//! Reads the causes in an adapter's description of an exception, each with its place. Refuses to
//! send requests.

use crate::dap::types;
use crate::model::{Cause, CauseLink, Frame};
use crate::session::adapter::quirks::Quirks;

/// Frames of a cause of which the first of the user's is its place.
const CAUSE_FRAMES: usize = 64;

/// Causes of a stop.
const AT_STOP: usize = 2;

/// The first causes that the adapter described without a request for them.
pub(super) fn at_stop(details: Vec<types::ExceptionDetails>, quirks: &Quirks) -> Vec<Cause> {
    let mut causes = Vec::new();
    add(&mut causes, details, 1, AT_STOP, quirks);
    causes
}

/// Appends each cause with its own causes; false: there are more than `most`.
pub(super) fn add(
    causes: &mut Vec<Cause>,
    details: Vec<types::ExceptionDetails>,
    depth: u32,
    most: usize,
    quirks: &Quirks,
) -> bool {
    for one in details {
        if causes.len() >= most {
            return false;
        }
        causes.push(Cause {
            depth,
            link: match one.link.as_deref() {
                Some("context") => CauseLink::Context,
                Some("member") => CauseLink::Member,
                _ => CauseLink::Cause,
            },
            frame: place(&one.frames, quirks),
            ty: one.full_type_name.or(one.type_name).filter(|ty| !ty.is_empty()),
            message: one.message.filter(|message| !message.is_empty()),
        });
        if !add(causes, one.inner_exception, depth + 1, most, quirks) {
            return false;
        }
    }
    true
}

/// The innermost frame of the user's, or else the innermost.
fn place(frames: &[types::StackFrame], quirks: &Quirks) -> Option<Frame> {
    let mut innermost = None;
    for (frame, index) in frames.iter().take(CAUSE_FRAMES).zip(0..) {
        let frame = quirks.frame(index, frame);
        if frame.is_user() {
            return Some(frame);
        }
        innermost = innermost.or(Some(frame));
    }
    innermost
}

#[cfg(test)]
mod tests {
    use super::*;

    fn details(name: &str, inner: Vec<types::ExceptionDetails>) -> types::ExceptionDetails {
        types::ExceptionDetails {
            type_name: Some(name.into()),
            inner_exception: inner,
            ..Default::default()
        }
    }

    #[test]
    fn causes_are_listed_before_their_siblings_and_are_bounded() {
        let tree = || vec![details("a", vec![details("b", vec![])]), details("c", vec![])];
        let list = |most| {
            let mut causes = Vec::new();
            let complete = add(&mut causes, tree(), 1, most, &Quirks::default());
            let names = causes.into_iter().map(|one| (one.ty.unwrap_or_default(), one.depth));
            (names.collect::<Vec<_>>(), complete)
        };
        let named = |names: &[(&str, u32)]| {
            names.iter().map(|(name, depth)| ((*name).to_owned(), *depth)).collect::<Vec<_>>()
        };
        assert_eq!(list(3), (named(&[("a", 1), ("b", 2), ("c", 1)]), true));
        assert_eq!(list(2), (named(&[("a", 1), ("b", 2)]), false));
        assert_eq!(list(0), (Vec::new(), false));
    }

    #[test]
    fn cause_is_placed_in_the_users_code() {
        let quirks = Quirks::with_library("/lib/");
        let at = |path: &str, line| types::StackFrame {
            name: "f".into(),
            line,
            source: Some(types::Source { path: Some(path.into()), ..Default::default() }),
            ..Default::default()
        };
        let line = |frames: &[types::StackFrame]| place(frames, &quirks).map(|frame| frame.line);
        assert_eq!(line(&[at("/lib/a", 1), at("/w/b", 2), at("/w/c", 3)]), Some(2));
        assert_eq!(line(&[at("/lib/a", 1), at("/lib/b", 2)]), Some(1));
        assert_eq!(line(&[]), None);
    }
}
