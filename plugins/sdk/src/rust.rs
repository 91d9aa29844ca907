//! Rust and other machine code, for the plugins of several debuggers: how a panic reads,
//! and what is not the user's. Knows no debugger.

use crate::adapter::{Error, Workspace};
use crate::present::{Frame, StopClass, StopView};
use crate::schema::{LibraryRule, Probe, words};

/// How rustc begins what it writes about itself into a program.
pub const COMPILER: &str = "rustc version ";

const SYSROOT: &str = "sysroot";

/// The probe that [`sysroot`] runs; its tool is `rustc`.
pub fn sysroot_probe() -> Probe {
    Probe {
        id: SYSROOT.into(),
        tool: "rustc".into(),
        args: words(["--print", "sysroot"]),
        timeout_ms: 10_000,
        ..Probe::default()
    }
}

/// The directory of the project's Rust toolchain.
pub fn sysroot(project: &Workspace) -> Option<String> {
    let answer = project.find_executable("rustc").ok()?.probe(SYSROOT).ok()?;
    let path = answer.stdout.trim();
    (answer.exit_code == 0 && !path.is_empty()).then(|| path.to_owned())
}

/// Has rustc made it, by what its compilers wrote (`executable.compilers`)?
pub fn compiled(told: &[String]) -> bool {
    told.iter().any(|text| text.starts_with(COMPILER))
}

/// Beginnings of functions of Rust's libraries, and of what starts and ends a program of machine
/// code.
const FUNCTIONS: [&str; 10] = [
    "std::",
    "core::",
    "alloc::",
    "__rustc::",
    "<core::",
    "<std::",
    "<alloc::",
    "__libc_",
    "__GI_",
    "_start",
];

/// Parts of the paths of sources that are of Rust's libraries or a dependency, or of the system's
/// headers.
const PATHS: [&str; 4] = ["/rustc/", "/lib/rustlib/", "/.cargo/registry/", "/usr/include/"];

/// Where the system keeps its libraries.
const MODULES: [&str; 4] = ["/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/"];

/// What is not the user's in a program of machine code, with what the debugger adds.
pub fn library(paths: &[&str], functions: &[&str]) -> LibraryRule {
    let all = |common: &[&str], own: &[&str]| {
        common.iter().chain(own).map(|&part| part.to_owned()).collect()
    };
    LibraryRule {
        paths: all(&PATHS, paths),
        functions: all(&FUNCTIONS, functions),
        modules: all(&MODULES, &[]),
    }
}

/// What builds is not there, or too old: cargo's words, rustc's (rustc_codegen_ssa, `errors.ftl`)
/// and rustup's.
pub fn unfit(said: &str) -> Option<Error> {
    let line = |part: &str| {
        said.lines().find(|line| line.contains(part)).map(|line| line.trim_start_matches("error: "))
    };
    if let Some(line) = line("error: linker `") {
        return Some(Error::tool_missing(line).hint("install a C compiler, which links"));
    }
    if let Some(line) = line("error: toolchain '").filter(|line| line.ends_with("is not installed"))
    {
        let call = said.split_once("help: run `").and_then(|(_, rest)| rest.split_once('`'));
        return Some(
            Error::tool_missing(line).hint(call.map_or("install it with rustup", |(call, _)| call)),
        );
    }
    let (first, rest) = said.split_once(" is not supported by the following package")?;
    let rustc = first.rsplit("error: ").next()?;
    let needs = rest.lines().find(|line| line.contains(" requires rustc "))?.trim();
    Some(Error::tool_too_old(format!("{rustc} is too old: {needs}")).hint("rustup update"))
}

/// Parts of paths beside: of the C library, which begins and ends every thread.
const RUNTIME_PATHS: [&str; 6] =
    ["/rustc/", "/rustlib/", "/library/std/", "/library/core/", "/sysdeps/", "/nptl/"];

/// Characters of a first line that a title takes.
const TITLE: usize = 48;

/// A stop in `rust_panic`, named by what the program printed last: `thread 'main' panicked at
/// src/main.rs:6:18:` and its message. The title is the message's first line; what is more, and
/// the place, is the detail.
pub fn panic(top: &[Frame], output: &str) -> StopView {
    let (place, message) = last_panic(output).unwrap_or_default();
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let first = lines.first().copied().unwrap_or_default();
    let title = match first {
        "" => "panicked".to_owned(),
        _ => format!("panicked: {}", cut(first)),
    };
    let whole = lines.len() > 1 || first.chars().count() > TITLE;
    let told = Some(lines.join("; ")).filter(|_| whole);
    let place = Some(place).filter(|place| !place.is_empty()).map(|place| format!("at {place}"));
    let detail = [told, place].into_iter().flatten().collect::<Vec<_>>().join("  ");
    let detail = Some(detail).filter(|detail| !detail.is_empty());
    StopView { class: StopClass::Panic, title, detail, skip_frames: above_users(top) }
}

/// How many frames stand above the first of the user's.
pub fn above_users(top: &[Frame]) -> u32 {
    let users = |frame: &Frame| {
        let path = frame.path.as_deref().unwrap_or_default();
        path.starts_with('/')
            && !RUNTIME_PATHS.iter().any(|part| path.contains(part))
            && !["std::", "core::", "alloc::", "__"]
                .iter()
                .any(|start| frame.name.starts_with(start))
    };
    top.iter().position(users).unwrap_or(0) as u32
}

/// At a word's end, where there is one.
pub(crate) fn cut(line: &str) -> String {
    match line.char_indices().nth(TITLE) {
        None => line.to_owned(),
        Some((end, _)) => {
            let head = &line[..end];
            let head = head.rsplit_once(' ').map_or(head, |(words, _)| words);
            format!("{head}…")
        }
    }
}

/// Place and message, up to the backtrace or the note about it.
fn last_panic(output: &str) -> Option<(String, String)> {
    let (_, panic) = output.rsplit_once("panicked at ")?;
    let mut lines = panic.lines();
    let place = lines.next()?.trim_end_matches(':').to_owned();
    let ends = |line: &&str| !line.starts_with("stack backtrace:") && !line.starts_with("note: ");
    Some((place, lines.take_while(ends).collect::<Vec<_>>().join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str, path: &str) -> Frame {
        Frame {
            name: name.into(),
            path: Some(path.into()).filter(|path: &String| !path.is_empty()),
            line: 1,
            module: None,
        }
    }

    #[track_caller]
    fn check(output: &str, title: &str, detail: Option<&str>) {
        let stop = panic(&[], output);
        assert_eq!((stop.title.as_str(), stop.detail.as_deref()), (title, detail), "{output}");
    }

    #[test]
    fn what_builds_is_told_apart_from_what_is_built() {
        let told = |said: &str| {
            let error = unfit(said)?;
            Some(format!(
                "{:?}: {} ({})",
                error.kind,
                error.message,
                error.hint.unwrap_or_default()
            ))
        };
        for (said, expect) in [
            (
                "   Compiling r v0.1.0\nerror: linker `cc` not found\n  |\n  = note: No such file",
                "ErrorKind::ToolMissing: linker `cc` not found (install a C compiler, which links)",
            ),
            (
                "error: toolchain '1.50' is not installed\nhelp: run `rustup toolchain install 1.50` to install it",
                "ErrorKind::ToolMissing: toolchain '1.50' is not installed (rustup toolchain install 1.50)",
            ),
            (
                "error: rustc 1.95.0 is not supported by the following package:\n  r@0.1.0 requires rustc 1.999\n",
                "ErrorKind::ToolTooOld: rustc 1.95.0 is too old: r@0.1.0 requires rustc 1.999 (rustup update)",
            ),
        ] {
            assert_eq!(told(said).as_deref(), Some(expect));
        }
        assert_eq!(told("error[E0308]: mismatched types"), None);
    }

    #[test]
    fn a_panic_is_named_by_what_the_program_printed() {
        let place = "x\n\nthread 'main' (1) panicked at src/a.rs:6:18:\n";
        check(
            &format!("{place}bad order 7\nstack backtrace:\n 0: x\n"),
            "panicked: bad order 7",
            Some("at src/a.rs:6:18"),
        );
        check(
            &format!(
                "{place}assertion `left == right` failed\n  left: 1\n right: 2\nnote: run with"
            ),
            "panicked: assertion `left == right` failed",
            Some("assertion `left == right` failed; left: 1; right: 2  at src/a.rs:6:18"),
        );
        check(
            &format!(
                "{place}called `Result::unwrap()` on an `Err` value: ParseIntError {{ kind: InvalidDigit }}\n"
            ),
            "panicked: called `Result::unwrap()` on an `Err` value:…",
            Some(
                "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }  at src/a.rs:6:18",
            ),
        );
        check("nothing", "panicked", None);
    }

    #[test]
    fn the_users_frame_comes_first() {
        let top = [
            frame("__rustc::rust_panic", ""),
            frame("core::x", "/rustc/1/library/x.rs"),
            frame("a::parse", "/w/a.rs"),
            frame("a::main", "/w/a.rs"),
        ];
        assert_eq!(above_users(&top), 2);
        assert_eq!(above_users(&top[..2]), 0);
    }
}
