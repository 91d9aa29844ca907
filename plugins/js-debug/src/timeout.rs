//! Marks before an evaluated text, which `runtime/effects.js` removes: how long it may take, and
//! whether it may change the program. While V8 evaluates it handles no requests, and js-debug
//! passes no time limit to it.

/// Before an expression that must not change the program; around the milliseconds.
const PURE: &str = "\"dapdock.pure:";
/// Before any other text.
const LIMITED: &str = "\"dapdock.limited:";
const END: &str = "\";\n";

/// The text with a mark: V8 ends what takes longer.
pub fn limited(text: &str, milliseconds: u32) -> String {
    format!("{LIMITED}{}{END}{text}", milliseconds.max(1))
}

/// The text with a mark: V8 refuses what changes the program, and ends what takes longer.
pub fn pure(text: &str, milliseconds: u32) -> String {
    format!("{PURE}{}{END}{text}", milliseconds.max(1))
}

/// A text without its mark: what js-debug makes of the text may be evaluated for another reason.
pub fn without_mark(text: &str) -> &str {
    let rest = text.strip_prefix(PURE).or_else(|| text.strip_prefix(LIMITED));
    rest.and_then(|rest| rest.split_once(END)).map_or(text, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mark_is_removed() {
        for marked in [pure("cart.items", 300), limited("cart.items", 0)] {
            assert_eq!(without_mark(&marked), "cart.items", "{marked}");
        }
        assert_eq!(without_mark("cart.items"), "cart.items");
        assert!(limited("f()", 0).contains(":1\""));
    }
}
