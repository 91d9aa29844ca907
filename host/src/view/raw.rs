//! Texts of the debugger and the adapter, as they wrote them. Refuses to know what they mean.

use super::text::Text;

/// The longest such text, in bytes.
const LONGEST: usize = 60_000;

/// The lines of a text, without those beyond [`LONGEST`] bytes.
pub fn raw(text: &str) -> Text {
    let end = text.floor_char_boundary(LONGEST);
    let mut lines = Text::lines(text[..end].lines());
    if end < text.len() {
        lines.push(format!("… cut here; {} more bytes", text.len() - end));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_whole_up_to_its_limit() {
        assert_eq!(&*raw("a\n\tb\n\n"), "a\n\tb\n");
        assert_eq!(&*raw("a\u{1b}[1m"), "a\\u{1b}[1m");
        let long = "ä".repeat(LONGEST);
        let cut = raw(&long);
        assert!(cut.ends_with(&format!("ä\n… cut here; {LONGEST} more bytes")), "{cut:?}");
        assert!(cut.starts_with(&"ä".repeat(LONGEST / 2)));
    }
}
