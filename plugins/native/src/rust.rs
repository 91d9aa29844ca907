//! Rust and other native programs: how a panic is described, and which code is not the user's.
//! Knows no debugger.

use dapdock_plugin::adapter::{Error, Workspace};
use dapdock_plugin::present::{Frame, Reaction, StopClass, StopView};
use dapdock_plugin::schema::{LibraryRule, Probe, words};

/// The beginning of what rustc writes about itself into a program.
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

/// Did rustc compile the program, according to `executable.compilers`?
pub fn is_compiled_by_rustc(compilers: &[String]) -> bool {
    compilers.iter().any(|text| text.starts_with(COMPILER))
}

/// Prefixes of functions that the compiler adds, and of the code that starts and ends a native
/// program. Names of libraries are not among them: `<alloc::vec::Vec<u32> as Total>::total` and
/// `std::string label<int>(int)` are the user's if their files are.
const FUNCTIONS: [&str; 4] = ["__rustc::", "__libc_", "__GI_", "_start"];

/// Parts of the paths of sources of Rust's libraries, of dependencies, and of system headers.
const PATHS: [&str; 7] = [
    "/rustc/",
    "/lib/rustlib/",
    "/usr/src/rustc",
    "/rust/deps/",
    "/.cargo/registry/",
    "/usr/include/",
    "/include/c++/",
];

/// Directories of the system's libraries.
const MODULES: [&str; 4] = ["/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/"];

/// The code of a native program that is not the user's, with what the debugger adds.
pub fn library(paths: &[&str], functions: &[&str]) -> LibraryRule {
    LibraryRule {
        paths: joined(&PATHS, paths),
        functions: joined(&FUNCTIONS, functions),
        modules: joined(&MODULES, &[]),
    }
}

fn joined(common: &[&str], own: &[&str]) -> Vec<String> {
    common.iter().chain(own).map(|&part| part.to_owned()).collect()
}

/// The error for a missing or outdated toolchain, read from messages of cargo, rustc
/// (rustc_codegen_ssa, `errors.ftl`) and rustup.
pub fn toolchain_error(output: &str) -> Option<Error> {
    for line in output.lines().filter(|line| line.contains("error: ")) {
        let message = line.trim_start_matches("error: ");
        if line.contains("error: linker `") {
            let hint = "install a C compiler, which is the linker";
            return Some(Error::tool_missing(message).hint(hint));
        }
        if line.contains("error: toolchain '") && line.ends_with("is not installed") {
            let call = output.split_once("help: run `").and_then(|(_, rest)| rest.split_once('`'));
            let hint = call.map_or("install it with rustup", |(call, _)| call);
            return Some(Error::tool_missing(message).hint(hint));
        }
    }
    let (first, rest) = output.split_once(" is not supported by the following package")?;
    let rustc = first.rsplit("error: ").next()?;
    let needs = rest.lines().find(|line| line.contains(" requires rustc "))?.trim();
    Some(Error::tool_too_old(format!("{rustc} is too old: {needs}")).hint("rustup update"))
}

/// Parts of paths besides [`PATHS`], among them those of the C library, which starts and ends every
/// thread.
const RUNTIME_PATHS: [&str; 5] =
    ["/rustlib/", "/library/std/", "/library/core/", "/sysdeps/", "/nptl/"];

/// Most characters of a first line in a title.
const TITLE: usize = 48;

/// A stop in `rust_panic`, described by what the program printed last: `thread 'main' panicked at
/// src/main.rs:6:18:` and its message. The title has the first line of the message; the detail has
/// the rest and the place. With `payload`, the message in memory, nothing printed by another panic
/// counts: a test that captures its output prints nothing.
pub fn panic(top: &[Frame], output: &str, payload: Option<&str>) -> StopView {
    let printed = last_panic(output);
    let (place, message) = match payload {
        None => printed.unwrap_or_default(),
        Some(payload) => printed
            .filter(|(_, message)| begins_with_lines(message, payload))
            .unwrap_or_else(|| (String::new(), payload.to_owned())),
    };
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let first = lines.first().copied().unwrap_or_default();
    let title = match first {
        "" => "panicked".to_owned(),
        _ => format!("panicked: {}", shorten(first)),
    };
    let whole = lines.len() > 1 || first.chars().count() > TITLE;
    let rest = Some(lines.join("; ")).filter(|_| whole);
    let place = Some(place).filter(|place| !place.is_empty()).map(|place| format!("at {place}"));
    let detail = [rest, place].into_iter().flatten().collect::<Vec<_>>().join("  ");
    let detail = Some(detail).filter(|detail| !detail.is_empty());
    StopView {
        class: StopClass::Panic,
        title,
        detail,
        skip_frames: frames_above_user_code(top),
        reaction: Reaction::Report,
    }
}

/// Whether the text begins with these lines, apart from their indentation and empty ones.
fn begins_with_lines(text: &str, lines: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    words(text).starts_with(&words(lines))
}

/// The number of frames above the first one of the user's code.
pub fn frames_above_user_code(top: &[Frame]) -> u32 {
    top.iter().position(is_user_code).unwrap_or(0) as u32
}

fn is_user_code(frame: &Frame) -> bool {
    let path = frame.path.as_deref().unwrap_or_default();
    path.starts_with('/')
        && !PATHS.iter().chain(&RUNTIME_PATHS).any(|part| path.contains(part))
        && !frame.name.starts_with("__")
}

/// Cuts the line at the end of a word, if possible.
pub(crate) fn shorten(line: &str) -> String {
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
    let mut message = Vec::new();
    for line in lines {
        if line.starts_with("stack backtrace:") || line.starts_with("note: ") {
            break;
        }
        message.push(line);
    }
    Some((place, message.join("\n")))
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
        let stop = panic(&[], output, None);
        assert_eq!((stop.title.as_str(), stop.detail.as_deref()), (title, detail), "{output}");
    }

    #[test]
    fn message_in_memory_decides() {
        let title = |output, payload| {
            let stop = panic(&[], output, Some(payload));
            (stop.title, stop.detail)
        };
        let output = "thread 'a' panicked at src/a.rs:6:18:\nbad order 7\nnote: run with";
        let place = Some("at src/a.rs:6:18".to_owned());
        let lines =
            "thread 'a' panicked at src/a.rs:6:18:\nfailed\n  left: 2\n right: 3\n\nnote: x";
        assert_eq!(
            title(lines, "failed\nleft: 2\nright: 3"),
            (
                "panicked: failed".to_owned(),
                Some("failed; left: 2; right: 3  at src/a.rs:6:18".into())
            )
        );
        assert_eq!(title(output, "bad order 7"), ("panicked: bad order 7".into(), place));
        assert_eq!(title(output, "empty"), ("panicked: empty".into(), None));
        assert_eq!(
            title("", "empty\nno item"),
            ("panicked: empty".into(), Some("empty; no item".into()))
        );
    }

    #[test]
    fn toolchain_errors_differ_from_compile_errors() {
        let read = |output: &str| {
            let error = toolchain_error(output)?;
            Some(format!(
                "{:?}: {} ({})",
                error.kind,
                error.message,
                error.hint.unwrap_or_default()
            ))
        };
        for (output, expect) in [
            (
                "   Compiling r v0.1.0\nerror: linker `cc` not found\n  |\n  = note: No such file",
                "ErrorKind::ToolMissing: linker `cc` not found (install a C compiler, which is the \
                linker)",
            ),
            (
                "error: toolchain '1.50' is not installed\nhelp: run `rustup toolchain install \
                1.50` to install it",
                "ErrorKind::ToolMissing: toolchain '1.50' is not installed (rustup toolchain \
                install 1.50)",
            ),
            (
                "error: rustc 1.95.0 is not supported by the following package:\n  r@0.1.0 \
                requires rustc 1.999\n",
                "ErrorKind::ToolTooOld: rustc 1.95.0 is too old: r@0.1.0 requires rustc 1.999 \
                (rustup update)",
            ),
        ] {
            assert_eq!(read(output).as_deref(), Some(expect));
        }
        assert_eq!(read("error[E0308]: mismatched types"), None);
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
                "{place}called `Result::unwrap()` on an `Err` value: ParseIntError {{ kind: \
                InvalidDigit }}\n"
            ),
            "panicked: called `Result::unwrap()` on an `Err` value:…",
            Some(
                "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit \
                }  at src/a.rs:6:18",
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
        assert_eq!(frames_above_user_code(&top), 2);
        assert_eq!(frames_above_user_code(&top[..2]), 0);
    }

    #[test]
    fn a_frame_belongs_to_its_file() {
        for (name, path, above) in [
            ("<alloc::vec::Vec<u32> as a::Total>::total", "/w/a.rs", 0),
            ("std::string label<int>(int)", "/w/a.cpp", 0),
            ("alloc::vec::Vec<T>::push", "/r/lib/rustlib/src/rust/library/alloc/src/v.rs", 1),
            ("std::vector<int>::at(unsigned long)", "/usr/include/c++/12/bits/stl_vector.h", 1),
        ] {
            let top = [frame(name, path), frame("main", "/w/a.rs")];
            assert_eq!(frames_above_user_code(&top), above, "{name}");
        }
    }
}
