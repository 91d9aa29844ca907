//! C++ exceptions, for the plugins of several debuggers: how one reads where it is thrown, and
//! where nobody catches it. Knows no debugger.

use crate::present::{Frame, StopClass, StopView};
use crate::rust::{above_users, cut};

/// Python that reads what is thrown, given a function that reads memory; for within a debugger.
pub const THROWN: &str = include_str!("thrown.py");

/// How gdb and LLDB write a value that does not hold as a condition, in the languages that they
/// speak: a zero of any kind, with or without its type before it, or what it points at behind it.
pub const UNTRUE: &str = r"^(?i:(\(.*\) )?-?(0x)?0+(\.0*)?(e[+-]?\d+)?|false|none)( .*)?$";

/// What `std::terminate` prints of an exception that nobody catches (libstdc++, `vterminate.cc`).
const TERMINATED: &str = "terminate called after throwing an instance of '";
const WHAT: &str = "\n  what():  ";

/// Does it stand where exceptions are thrown?
pub fn throws(top: &[Frame]) -> bool {
    top.first().is_some_and(|frame| frame.name == "__cxa_throw")
}

/// An exception of that type, with its text or value. The title is the first line; where that is
/// not all, the rest is the detail.
pub fn thrown(ty: &str, text: Option<&str>, top: &[Frame]) -> StopView {
    let class = StopClass::ExceptionCaught;
    let skip_frames = above_users(top);
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return StopView { class, title: ty.to_owned(), detail: None, skip_frames };
    };
    let first = cut(text.lines().next().unwrap_or_default());
    let detail = (first != text).then(|| text.to_owned());
    StopView { class, title: format!("{ty}: {first}"), detail, skip_frames }
}

/// What nobody caught, where that is what aborts the program: by what it printed last.
pub fn uncaught(top: &[Frame], output: &str) -> Option<String> {
    top.iter().find(|frame| frame.name.starts_with("std::terminate"))?;
    let (ty, rest) = output.rsplit_once(TERMINATED)?.1.split_once('\'')?;
    let text = rest.strip_prefix(WHAT).and_then(|text| text.lines().next());
    Some(match text {
        Some(text) => format!("uncaught {ty}: {}", cut(text)),
        None => format!("uncaught {ty}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str) -> Frame {
        Frame { name: name.into(), path: None, line: 0, module: None }
    }

    #[test]
    fn a_zero_of_any_kind_does_not_hold() {
        let untrue = regex::Regex::new(UNTRUE).unwrap();
        for (value, expect) in [
            ("0", true),
            ("false", true),
            ("False", true),
            ("None", true),
            ("0.0", true),
            ("-0", true),
            ("-0.0", true),
            ("0x0", true),
            ("(int *) 0x0", true),
            ("0 '\\000'", true),
            ("0e+00", true),
            ("1", false),
            ("-1", false),
            ("true", false),
            ("10", false),
            ("0.5", false),
            ("0x10", false),
            ("(int *) 0x7ffe0 <total>", false),
            ("\"0\"", false),
            ("Some(0)", false),
            ("falsely", false),
        ] {
            assert_eq!(untrue.is_match(value), expect, "{value}");
        }
    }

    #[test]
    fn what_is_thrown_is_its_type_and_text() {
        let told = |text| {
            let stop = thrown("Gone", text, &[]);
            (stop.title, stop.detail)
        };
        assert_eq!(told(Some("order 7")), ("Gone: order 7".into(), None));
        assert_eq!(
            told(Some("order 7\nof 9\n")),
            ("Gone: order 7".into(), Some("order 7\nof 9".into()))
        );
        assert_eq!(told(Some("")), ("Gone".into(), None));
        assert_eq!(told(None), ("Gone".into(), None));
    }

    #[test]
    fn what_nobody_catches_is_told_of_what_aborts_for_it_alone() {
        let output = "x\nterminate called after throwing an instance of 'std::out_of_range'\n  what():  bad order 7\n";
        let handler = [frame("abort"), frame("std::terminate()")];
        assert_eq!(
            uncaught(&handler, output).as_deref(),
            Some("uncaught std::out_of_range: bad order 7")
        );
        let number = "terminate called after throwing an instance of 'int'\n";
        assert_eq!(uncaught(&handler, number).as_deref(), Some("uncaught int"));
        assert_eq!(uncaught(&handler[..1], output), None);
        assert_eq!(uncaught(&handler, "x\n"), None);
    }
}
