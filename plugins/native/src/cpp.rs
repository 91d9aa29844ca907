//! C++ exceptions: where one is thrown, and where nothing catches it. Knows no debugger.

use dapdock_plugin::dap;
use dapdock_plugin::present::{Frame, Reaction, StopClass, StopView};
use dapdock_plugin::schema::ExceptionTypes;
use dapdock_plugin::translate::{BreakOn, ExceptionFilter};

use crate::rust::{frames_above_user_code, shorten};

/// Python that reads the exception at `__cxa_throw`, given a function that reads memory. Runs
/// inside the debugger.
pub const ITANIUM: &str = include_str!("../runtime/itanium.py");

/// Python that says what ends a program. Runs inside the debugger.
pub const ENDS: &str = include_str!("../runtime/ends.py");

/// Python that reads texts in memory, given a function that reads memory. Runs inside the debugger.
pub const SPANS: &str = include_str!("../runtime/spans.py");

/// Python that says which blocks of a heap are free, given a function that reads memory. Runs
/// inside the debugger.
pub const HEAP: &str = include_str!("../runtime/heap.py");

/// Python that says which places of a frame instructions name. Runs inside the debugger.
pub const FRAME_PLACES: &str = include_str!("../runtime/frame_places.py");

/// Python that describes times, functions and `std::any` of the library. Runs inside the debugger.
pub const LIBRARY_TEXTS: &str = include_str!("../runtime/library_texts.py");

/// Python that says what a thread waits for, given its frames and memory. Runs inside the debugger.
pub const WAITS: &str = include_str!("../runtime/waits.py");

/// The script that reads the message of a Rust panic.
pub const PANICS: &str = include_str!("../runtime/panics.py");

/// Python that gives a program a terminal and reads it. Runs inside the debugger.
pub const TERMINAL: &str = include_str!("../runtime/terminal.py");

/// A condition's value that does not hold, as gdb and LLDB write it in the languages they support:
/// a zero of any kind, optionally with its type before it or its target after it.
pub const ZERO: &str = r"^(?i:(\(.*\) )?-?(0x)?0+(\.0*)?(e[+-]?\d+)?|false|none)( .*)?$";

/// The names of classes of exceptions. A plain word in small letters is none: it would be the name
/// of a filter.
pub fn exception_types() -> ExceptionTypes {
    ExceptionTypes {
        pattern: r"^(::)?([A-Za-z_]\w*::)+[A-Za-z_]\w*$|^[A-Z]\w*$".into(),
        examples: "std::out_of_range, shop::Late".into(),
    }
}

/// The adapter's filters for what the caller wants, if types are among it: those of the manifest's
/// table for the words, and `throw` with a condition for the types.
pub fn exception_filters(
    want: &[BreakOn],
    words: &[String],
    offered: &[dap::ExceptionFilter],
    throw: &str,
    condition: impl FnOnce(&[String]) -> String,
) -> Option<Vec<ExceptionFilter>> {
    let is_filter = |word: &String| offered.iter().any(|one| one.filter == *word);
    let (mut plain, types): (Vec<String>, Vec<String>) = words.iter().cloned().partition(is_filter);
    if types.is_empty() {
        return None;
    }
    let all = want.contains(&BreakOn::All);
    if all || want.iter().any(|one| matches!(one, BreakOn::Panic | BreakOn::Uncaught)) {
        plain.push(PANIC.to_owned());
    }
    if all {
        plain.push(throw.to_owned());
    }
    let has_all = plain.iter().any(|filter| filter == throw);
    let mut filters = Vec::new();
    for filter in plain {
        filters.push(ExceptionFilter { filter, condition: None });
    }
    if !has_all {
        let condition = Some(condition(&types));
        filters.push(ExceptionFilter { filter: throw.into(), condition });
    }
    Some(filters)
}

/// The filter of panics, which both adapters have.
const PANIC: &str = "rust_panic";

/// What `std::terminate` prints for an uncaught exception (libstdc++, `vterminate.cc`).
const TERMINATED: &str = "terminate called after throwing an instance of '";
/// Ends the program for an exception that leaves a `noexcept` function (libstdc++, `eh_call.cc`);
/// the functions between it and `abort` may have no symbols.
const PERSONALITY: &str = "__gxx_personality_v0";
const WHAT: &str = "\n  what():  ";

/// Is the top frame the function that throws exceptions?
pub fn is_throw(top: &[Frame]) -> bool {
    top.first().is_some_and(|frame| frame.name == "__cxa_throw")
}

/// The stop for an exception of this type, with its text or value. The title has the first line;
/// the detail has the whole text if there is more.
pub fn exception_stop(ty: &str, text: Option<&str>, top: &[Frame]) -> StopView {
    let class = StopClass::ExceptionCaught;
    let skip_frames = frames_above_user_code(top);
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return StopView {
            class,
            title: ty.to_owned(),
            detail: None,
            skip_frames,
            reaction: Reaction::Report,
        };
    };
    let first = shorten(text.lines().next().unwrap_or_default());
    let detail = (first != text).then(|| text.to_owned());
    StopView {
        class,
        title: format!("{ty}: {first}"),
        detail,
        skip_frames,
        reaction: Reaction::Report,
    }
}

/// A description of the uncaught exception that aborts the program, from what it printed last.
pub fn uncaught_exception(top: &[Frame], output: &str) -> Option<String> {
    let begins = |name: &str| top.iter().position(|frame| frame.name.starts_with(name));
    let aborts = |above: usize| top[..above].iter().any(|frame| frame.name.ends_with("abort"));
    if begins("std::terminate").is_none() && !begins(PERSONALITY).is_some_and(aborts) {
        return None;
    }
    let (ty, rest) = output.rsplit_once(TERMINATED)?.1.split_once('\'')?;
    let text = rest.strip_prefix(WHAT).and_then(|text| text.lines().next());
    Some(match text {
        Some(text) => format!("uncaught {ty}: {}", shorten(text)),
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
    fn zero_of_any_kind_does_not_hold() {
        let untrue = regex::Regex::new(ZERO).unwrap();
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
    fn types_are_a_condition_next_to_other_filters() {
        let filters = |want: &[BreakOn], types: &[&str]| {
            let types: Vec<String> = types.iter().map(|&one| one.to_owned()).collect();
            let offered = ["throw", "rust_panic"]
                .map(|filter| dap::ExceptionFilter { filter: filter.into(), ..Default::default() });
            let join = |names: &[String]| names.join("|");
            let filters = exception_filters(want, &types, &offered, "throw", join)?;
            let mut texts = Vec::new();
            for one in filters {
                texts.push(
                    one.filter + &one.condition.map(|c| format!("({c})")).unwrap_or_default(),
                );
            }
            Some(texts.join(" "))
        };
        assert_eq!(filters(&[BreakOn::Uncaught], &[]), None);
        let types = ["std::out_of_range", "Late"];
        assert_eq!(filters(&[], &types).as_deref(), Some("throw(std::out_of_range|Late)"));
        let next = filters(&[BreakOn::Uncaught], &types);
        assert_eq!(next.as_deref(), Some("rust_panic throw(std::out_of_range|Late)"));
        assert_eq!(filters(&[BreakOn::All], &types).as_deref(), Some("rust_panic throw"));
        assert_eq!(filters(&[], &["throw"]), None);
        assert_eq!(filters(&[], &["throw", "Late"]).as_deref(), Some("throw"));
    }

    #[test]
    fn exception_is_described_by_type_and_text() {
        let stop = |text| {
            let stop = exception_stop("Gone", text, &[]);
            (stop.title, stop.detail)
        };
        assert_eq!(stop(Some("order 7")), ("Gone: order 7".into(), None));
        assert_eq!(
            stop(Some("order 7\nof 9\n")),
            ("Gone: order 7".into(), Some("order 7\nof 9".into()))
        );
        assert_eq!(stop(Some("")), ("Gone".into(), None));
        assert_eq!(stop(None), ("Gone".into(), None));
    }

    #[test]
    fn uncaught_exception_is_described_only_in_an_abort() {
        let output = "x\nterminate called after throwing an instance of 'std::out_of_range'\n  \
            what():  bad order 7\n";
        let handler = [frame("abort"), frame("std::terminate()")];
        assert_eq!(
            uncaught_exception(&handler, output).as_deref(),
            Some("uncaught std::out_of_range: bad order 7")
        );
        let number = "terminate called after throwing an instance of 'int'\n";
        assert_eq!(uncaught_exception(&handler, number).as_deref(), Some("uncaught int"));
        assert_eq!(uncaught_exception(&handler[..1], output), None);
        assert_eq!(uncaught_exception(&handler, "x\n"), None);
    }
}
