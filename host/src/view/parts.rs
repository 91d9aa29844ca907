//! Parts of a stop, for a text that orders them in another way and has bounds of its own.
//!
//! Refuses to read anything: a caller that wants more than the stop has reads it first.

use super::items::first_items;
use super::stop::{self, WIDE};
use super::text::cut_middle;
use super::{Lens, value};
use crate::model::{Children, Frame, Stop, Variable};

/// The parts of a stop that have one form everywhere.
pub struct Parts {
    /// The line of the stop and the message of an exception.
    pub above: Vec<String>,
    /// The line in place of locals; `None`: there are some.
    pub no_locals: Option<String>,
    /// The instruction, changes, watches, output and notes.
    pub below: Vec<String>,
}

/// The parts of a stop.
pub fn parts(of: &Stop, lens: &Lens) -> Parts {
    let mut above = vec![stop::header(of, "")];
    above.extend(stop::details(of, &WIDE));
    let mut below: Vec<String> = stop::pointer(of, &WIDE).into_iter().collect();
    below.extend(stop::changes(of, lens, &WIDE));
    below.extend(stop::watches(of, &WIDE));
    below.extend(stop::news(of, lens, &WIDE));
    below.extend(stop::notes(of, lens, &WIDE));
    Parts { above, no_locals: stop::no_locals(of), below }
}

/// `#0 apply_discount  cart/pricing.py:41`.
pub fn frame(frame: &Frame, lens: &Lens) -> String {
    stop::described(frame, lens, 120, 240)
}

/// A variable on one line.
pub struct TypedValue {
    /// `name: type = value`.
    pub text: String,
    /// Whether the value is longer, or has more children.
    pub cut: bool,
}

/// A variable with at most this many characters of its value and this many children of each level.
pub fn typed_value(variable: &Variable, characters: usize, items: usize) -> TypedValue {
    let mut bounded = variable.clone();
    let is_shorter = bound(&mut bounded, items);
    let value = value::value(&bounded, characters);
    let name = cut_middle(&variable.name, 120).0;
    let text = match variable.ty.as_deref().filter(|ty| !ty.is_empty()) {
        Some(ty) => format!("{name}: {} = {}", cut_middle(ty, 100).0, value.text),
        None => format!("{name} = {}", value.text),
    };
    TypedValue { text, cut: value.cut || is_shorter }
}

/// Removes children after the first ones; returns whether there were more.
fn bound(variable: &mut Variable, items: usize) -> bool {
    let count = variable.preview.len();
    if count == 0 {
        let Some(shorter) = first_items(&variable.value, items) else { return false };
        variable.value = shorter;
        return true;
    }
    let mut is_shorter = count > items;
    if is_shorter && variable.children == Children::Some {
        variable.children = Children::Count(count as u64);
    }
    variable.preview.truncate(items);
    for child in &mut variable.preview {
        is_shorter |= bound(child, items);
    }
    is_shorter
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::sample::{self, leaf, lens, parent};

    /// A stop in a library with `origin`, without locals and with an error of locals has no line
    /// of locals to search for.
    #[test]
    fn no_part_is_lost_without_locals() {
        let mut stop = sample::stop();
        (stop.locals, stop.origin) = (Vec::new(), Some(0));
        stop.detail = Some("no such key".to_owned());
        let parts = parts(&stop, &lens());
        assert_eq!(parts.no_locals.as_deref(), Some("locals: none"));
        assert_eq!(parts.above.last().map(String::as_str), Some("! no such key"));
        let starts =
            ["changed since stop 6: ", "watch: ", "output +", "log breakpoints +", "note: "];
        assert_eq!(parts.below.len(), starts.len());
        for (line, start) in parts.below.iter().zip(starts) {
            assert!(line.starts_with(start), "{line}");
        }
        stop.locals_error = Some("gone".to_owned());
        let parts = super::parts(&stop, &lens());
        assert_eq!(parts.no_locals.as_deref(), Some("locals: not readable: gone"));
    }

    #[test]
    fn bounds_of_a_value_hold() {
        let children = [("[0]", "1"), ("[1]", "2"), ("[2]", "3")];
        let children = children.map(|(name, value)| leaf(name, value));
        let list = parent("items", "list", Children::Count(3), children.into());
        let text = |variable: &Variable, items| typed_value(variable, 40, items).text;
        assert_eq!(text(&list, 5), "items: list = list(3)[1, 2, 3]");
        assert_eq!(text(&list, 2), "items: list = list(3)[1, 2, …]");
        assert!(typed_value(&list, 40, 2).cut && !typed_value(&list, 40, 3).cut);
        assert_eq!(text(&leaf("a", "[1, [2, 3], 4]"), 2), "a = [1, [2, 3], …]");
        assert_eq!(typed_value(&leaf("s", "abcdefgh"), 5, 5).text, "s = abc…h");
    }
}
