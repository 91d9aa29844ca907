//! Rust's names of types, which debuggers report as those of C: `unsigned int` for `u32`, `int[3]`
//! for `[i32; 3]`. Pure.

/// C's names as debuggers write them, with those of Rust.
const NUMBERS: [(&str, &str); 20] = [
    ("unsigned __int128", "u128"),
    ("__int128", "i128"),
    ("unsigned char", "u8"),
    ("signed char", "i8"),
    ("char", "i8"),
    ("char32_t", "char"),
    ("unsigned short", "u16"),
    ("short", "i16"),
    ("unsigned int", "u32"),
    ("int", "i32"),
    ("unsigned long", "u64"),
    ("unsigned long long", "u64"),
    ("long", "i64"),
    ("long long", "i64"),
    ("float", "f32"),
    ("double", "f64"),
    ("void", "()"),
    ("char8_t", "u8"),
    ("char16_t", "u16"),
    ("_Float16", "f16"),
];

/// Default type arguments, which are left out.
const DEFAULTS: [&str; 2] = [", alloc::alloc::Global", ", std::hash::random::RandomState"];

/// A type as Rust spells it.
pub fn rust_type(ty: &str) -> String {
    let mut text = String::with_capacity(ty.len());
    let mut rest = ty;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()).max(first.len_utf8());
        let alone = !text.ends_with("::") && !text.ends_with('$');
        match primitive(rest).filter(|_| alone && is_word(first)) {
            Some((c, rust)) => {
                text.push_str(rust);
                rest = &rest[c.len()..];
            }
            None => {
                text.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    let text = DEFAULTS.iter().fold(text, |text, default| text.replace(default, ""));
    rust_array(text.replace("> >", ">>").replace("> >", ">>"))
}

/// The longest C type name at the start of the text, as a whole word.
fn primitive(text: &str) -> Option<(&'static str, &'static str)> {
    let mut longest: Option<(&str, &str)> = None;
    for (c, rust) in NUMBERS {
        let Some(rest) = text.strip_prefix(c) else { continue };
        let is_whole = !rest.starts_with(|letter| is_word(letter) || letter == ':');
        if is_whole && longest.is_none_or(|(other, _)| other.len() < c.len()) {
            longest = Some((c, rust));
        }
    }
    longest
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// `i32[2][3]` is `[[i32; 3]; 2]`.
fn rust_array(text: String) -> String {
    let mut lengths = Vec::new();
    let mut of = text.as_str();
    while let Some((before, length)) = of.strip_suffix(']').and_then(|of| of.rsplit_once('['))
        && !length.is_empty()
        && length.bytes().all(|byte| byte.is_ascii_digit())
    {
        lengths.push(length);
        of = before.trim_end();
    }
    // `u8 (*)[3]` is a pointer to an array.
    let inner = of.strip_suffix(')').and_then(|of| of.rsplit_once(" ("));
    let is_pointer = |stars: &str| !stars.is_empty() && stars.bytes().all(|byte| byte == b'*');
    let (of, stars) = match inner {
        Some((of, stars)) if !lengths.is_empty() && is_pointer(stars) => (of, format!(" {stars}")),
        _ => (of, String::new()),
    };
    lengths.iter().fold(of.to_owned(), |of, length| format!("[{of}; {length}]")) + &stars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_spelled_as_in_rust() {
        for (c, rust) in [
            ("unsigned int", "u32"),
            ("long *", "i64 *"),
            ("unsigned __int128", "u128"),
            ("char32_t", "char"),
            ("void", "()"),
            ("unsigned int (*)(unsigned int)", "u32 (*)(u32)"),
            (
                "alloc::vec::Vec<alloc::vec::Vec<int, alloc::alloc::Global>, alloc::alloc::Global>",
                "alloc::vec::Vec<alloc::vec::Vec<i32>>",
            ),
            (
                "std::collections::hash::map::HashMap<char, short, std::hash::random::RandomState, \
                alloc::alloc::Global>",
                "std::collections::hash::map::HashMap<i8, i16>",
            ),
            (
                "core::option::Option<core::cell::Cell<unsigned long> >",
                "core::option::Option<core::cell::Cell<u64>>",
            ),
            ("unsigned char[3]", "[u8; 3]"),
            ("int[2][3]", "[[i32; 3]; 2]"),
            ("unsigned char (*)[3]", "[u8; 3] *"),
            ("&[u8]", "&[u8]"),
            ("(u8, &str, i64)", "(u8, &str, i64)"),
            ("shop::int::long", "shop::int::long"),
            ("shop::interest", "shop::interest"),
            ("core::char::CharTryFromError", "core::char::CharTryFromError"),
        ] {
            assert_eq!(rust_type(c), rust);
        }
    }
}
