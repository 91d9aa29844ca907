//! A cause of an exception as a line, and more lines of its message. Refuses to know how many
//! causes there are.

use super::Lens;
use super::text::{Room, cut_middle, message};
use crate::model::{Cause, CauseLink};

/// `caused by ValueError: no digits  cart/parse.py:7 parse`.
///
/// Room for type and message, and widths of the name and the place of the frame.
pub(super) fn written(
    cause: &Cause,
    lens: &Lens,
    room: Room,
    (name_width, place_width): (usize, usize),
) -> Vec<String> {
    let link = match cause.link {
        CauseLink::Cause => "caused by",
        CauseLink::Context => "while handling",
        CauseLink::Member => "contains",
    };
    let words = match (&cause.ty, &cause.message) {
        (Some(ty), Some(message)) => format!("{ty}: {message}"),
        (Some(words), None) | (None, Some(words)) => words.clone(),
        (None, None) => "an exception without a name".to_owned(),
    };
    let place = cause.frame.as_ref().and_then(|frame| {
        let place = cut_middle(&lens.frame_place(frame)?, place_width).0;
        Some(format!("  {place} {}", cut_middle(&frame.name, name_width).0))
    });
    let indent = "  ".repeat(cause.depth.min(8) as usize);
    let before = format!("{indent}{link} ");
    let mut lines = message(&before, &words, &format!("{indent}  "), room);
    lines[0].push_str(&place.unwrap_or_default());
    lines
}
