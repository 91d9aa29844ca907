//! What a table can say about gdb. Knows nothing of a request.

use dapdock_plugin::cpp;
use dapdock_plugin::gtest;
use dapdock_plugin::prelude::*;
use dapdock_plugin::rust;
use dapdock_plugin::schema::*;
use dapdock_plugin::source;

use crate::check;

/// Its own DAP server, without anybody's `.gdbinit`, and with a Python that does not read
/// PYTHONPATH, which is set for the program.
pub const START: [&str; 7] =
    ["-q", "-nx", "-i", "dap", "-eiex", "set python ignore-environment on", "-iex"];
/// Where distributions keep the pretty printers of libraries.
pub const PRINTERS: [&str; 2] = [
    "add-auto-load-scripts-directory /usr/share/gdb/auto-load",
    "add-auto-load-safe-path /usr/share/gdb/auto-load:/usr/lib:/usr/share/gcc",
];
/// `source ${asset:session.py}`, a word and a path.
pub const SOURCE: &str = "source ";
/// How to get one that is new enough.
pub const INSTALL: &str =
    "install gdb 16 or newer with Python (14 at least), or name it in [tools.gdb] path";

fn language(name: &str, extensions: Vec<String>, commands: Vec<String>) -> Language {
    Language {
        name: name.into(),
        extensions,
        commands,
        executables: true,
        fallback: true,
        ..Language::default()
    }
}

fn tool(name: &str, candidates: Vec<String>, install: &str) -> Tool {
    Tool { name: name.into(), candidates, install: install.into(), ..Tool::default() }
}

fn filters(name: &str, filters: Vec<String>, default: bool) -> ExceptionBreak {
    ExceptionBreak { name: name.into(), filters, default }
}

pub fn manifest() -> Manifest {
    let [scripts, safe] = PRINTERS;
    let mut adapter = words(START);
    adapter.extend(words([scripts, "-iex", safe, "-iex", "source {}"]));
    Manifest {
        name: "gdb".into(),
        title: "C, C++ and other machine code through gdb".into(),
        languages: vec![
            language("c", words(["c"]), words(["gdb"])),
            language("c++", words(["cc", "cpp", "cxx", "c++"]), Vec::new()),
        ],
        tools: vec![
            tool("gdb", Vec::new(), INSTALL),
            source::C.tool(),
            source::CPP.tool(),
            tool("rustc", Vec::new(), "install Rust: https://rustup.rs"),
        ],
        checks: vec![check::check()],
        version: Some(VersionProbe {
            probe: "version".into(),
            pattern: r"GNU gdb .*?(\d[\w.]*)(?:-\S+)?\n".into(),
            oldest: crate::version::OLDEST.to_string(),
            ..VersionProbe::default()
        }),
        probes: vec![
            Probe {
                id: "version".into(),
                tool: "gdb".into(),
                // Without its Python library, which takes six times as long to load as the answer
                // (0.05 s of 0.33 s, 18.1): it complains of that on standard error.
                args: words(["--data-directory=/", "--version"]),
                timeout_ms: 10_000,
                kept: true,
                ..Probe::default()
            },
            rust::sysroot_probe(),
        ],
        commands: vec![
            CommandTemplate { tool: "gdb".into(), args: adapter },
            gtest::command(),
            source::C.command(),
            source::CPP.command(),
        ],
        programs: words(["program"]),
        config_schema: Some(json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "core": {"type": "string", "description": "A core file to look into; `program` is what dumped it."},
                "program": {"type": "string", "description": "Attaching by address: the file with the symbols."},
                "record": {
                    "type": "boolean",
                    "description": "Record from the first stop on, so that debug_step back and debug_continue reverse \
                                    work: one thread, and no instructions newer than AVX.",
                },
            },
        })),
        stdin: true,
        addresses: true,
        servers: words(["gdbserver"]),
        cores: true,
        configurations: configurations(),
        exceptions: vec![
            filters("panic", words(["rust_panic"]), true),
            filters("uncaught", words(["rust_panic"]), false),
            filters("all", words(["rust_panic", "throw"]), false),
        ],
        interests: Interests {
            responses: words(["evaluate", "launch", "attach"]),
            present: words(["stop"]),
            ..Interests::default()
        },
        profile: profile(),
        ..Manifest::default()
    }
}

fn stop(reason: &str, class: &str) -> StopRule {
    StopRule { reason: Some(reason.into()), class: class.into(), ..StopRule::default() }
}

/// Facts come from share/gdb/python/gdb/dap of gdb 16.3 and 18.1.
pub fn profile() -> Profile {
    let text = |text: &str| Some(text.to_owned());
    Profile {
        traces: true,
        stops: vec![
            StopRule { function: text("rust_panic"), ..stop("breakpoint", "panic") },
            StopRule { function: text("__cxa_throw"), ..stop("breakpoint", "exception") },
            // `stopAtBeginningOfMainSubprogram`: the breakpoint that `start` sets.
            StopRule { entering: true, ..stop("breakpoint", "entry") },
            StopRule { entering: true, ..stop("attach", "pause") },
            // Attaching stops, which nobody asked for (events.py, `expect_stop("attach")`).
            StopRule { resume: true, ..stop("attach", "pause") },
        ],
        // session.py: what a signal ended is told as minus the signal.
        exit_code: ExitCode::MinusSignal,
        // Without a line's end, and not as the host's lines (breakpoint.py, `_PrintBreakpoint`).
        log_points: LogPoints::Host,
        telling: words(gtest::TELLING),
        // All that `bpstat` chains (python/py-stopevent.c, `emit_stop_event`).
        hit_ids: HitIds::Place,
        untrue: text(cpp::UNTRUE),
        // The program is read only after `configurationDone`: before, all is pending.
        verification: Verification::WhenRunning,
        evaluate: EvaluateProfile {
            // Neither writes nor calls (evaluate.py, `_eval_for_hover`).
            value: "hover".into(),
            // `repl` takes gdb's commands.
            statement: "watch".into(),
            // session.py
            check: text("$_parses({json})"),
            check_context: "hover".into(),
            ..EvaluateProfile::default()
        },
        variables: VariablesProfile {
            cut_mark: text("..."),
            // Functions' too (varref.py: only pointers have a `memoryReference`).
            pointers: words(["*", ")"]),
            elements: Elements { pages: Pages::Requested, ..Elements::default() },
            // varref.py reads each once.
            kept: true,
            // What their printers give as `map` (libstdcxx/v6/printers.py, `display_hint`);
            // values.py names them by keys.
            numbered: vec![Numbered {
                types: words(["std::map<", "std::unordered_map<"]),
                value: None,
            }],
            ..VariablesProfile::default()
        },
        unlocked: ["stepBack", "reverseContinue"]
            .map(|command| (command.into(), r#"{"record": true}"#.into()))
            .into(),
        // What distributions compile keeps paths like `./nptl/./nptl/x.c` and `../sysdeps/x.S`.
        library: rust::library(&["/./", "../", "/usr/src/"], &[]),
        // Killed, whatever was asked (server.py, `_disconnect_or_kill`).
        detach_launched: DetachLaunched::Impossible,
        // `follow-fork-mode parent` and `detach-on-fork on`; DAP has one process.
        unfollowed: text("child processes are not followed"),
        ..Profile::default()
    }
}

/// <https://code.visualstudio.com/docs/cpp/launch-json-reference>; `gdb` is of other editors.
fn configurations() -> Configurations {
    Configurations {
        types: words(["cppdbg", "gdb"]),
        names: pairs([
            ("environment", "env"),
            ("pid", "processId"),
            ("stopAtBeginningOfMainSubprogram", "stopOnEntry"),
            ("stopAtEntry", "stopOnEntry"),
        ]),
        options: pairs([("coreDumpPath", "core"), ("core", "core"), ("attach.program", "program")]),
        implied: [("MIMode".to_owned(), words(["gdb"]))].into(),
        commands: Vec::new(),
    }
}
