//! Static facts about gdb. Knows nothing of a request.

use dapdock_native::{build, check, compilers, cpp, gtest, rust};
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::*;

use crate::commands;

/// Its own DAP server, without any `.gdbinit`, and with a Python that does not read
/// PYTHONPATH, which is set for the program.
pub const START: [&str; 7] =
    ["-q", "-nx", "-i", "dap", "-eiex", "set python ignore-environment on", "-iex"];
/// Directories of distributions with the pretty printers of libraries.
pub const PRINTERS: [&str; 2] = [
    "add-auto-load-scripts-directory /usr/share/gdb/auto-load",
    "add-auto-load-safe-path /usr/share/gdb/auto-load:/usr/lib:/usr/share/gcc",
];
/// `source ${asset:start.py}`, a word and a path.
pub const SOURCE: &str = "source ";
/// How to get a version that is new enough.
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
    let mut tools = vec![
        tool("gdb", Vec::new(), INSTALL),
        compilers::C.tool(),
        compilers::CPP.tool(),
        tool("rustc", Vec::new(), "install Rust: https://rustup.rs"),
    ];
    tools.extend(build::tools());
    let mut commands = vec![
        CommandTemplate { tool: "gdb".into(), args: adapter },
        gtest::command(),
        compilers::C.command(),
        compilers::CPP.command(),
    ];
    commands.extend(build::commands());
    Manifest {
        name: "gdb".into(),
        title: "C, C++ and other machine code through gdb".into(),
        languages: vec![
            language("c", words(["c"]), words(["gdb"])),
            language("c++", words(["cc", "cpp", "cxx", "c++"]), Vec::new()),
        ],
        tools,
        checks: vec![check::c()],
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
                // Without its Python library, which takes six times as long to load as the rest
                // (0.05 s of 0.33 s, 18.1); gdb complains on standard error.
                args: words(["--data-directory=/", "--version"]),
                timeout_ms: 10_000,
                stored: true,
                ..Probe::default()
            },
            rust::sysroot_probe(),
        ],
        commands,
        programs: words(["program"]),
        config_schema: Some(json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "core": {"type": "string", "description": "A core file; `program` is the \
                    executable that dumped it."},
                "program": {"type": "string", "description": "With an address: the executable, \
                    which has the symbols."},
                "record": {
                    "type": "boolean",
                    "description": "Record from the beginning of main on, so that debug_step back \
                        and debug_continue reverse work: one thread, the last 200,000 \
                        instructions, 0.1 ms for each. GLIBC_TUNABLES and LD_BIND_NOW keep the C \
                        library to instructions that gdb records.",
                },
            },
        })),
        stdin: true,
        addresses: true,
        servers: words(["gdbserver"]),
        cores: true,
        configurations: configurations(),
        exceptions: vec![
            filters("panic", words(["rust_panic"]), false),
            // In C++ the signal of the end stops.
            filters("uncaught", words(["rust_panic"]), true),
            filters("all", words(["rust_panic", "throw"]), false),
        ],
        exception_types: Some(cpp::exception_types()),
        interests: Interests {
            requests: words(["setBreakpoints", "setFunctionBreakpoints"]),
            responses: words(["evaluate", "launch", "attach", "stepOut"]),
            present: words(["stop"]),
            translate: words(["exception-filters"]),
            ..Interests::default()
        },
        profile: profile(),
        documents: vec![
            Document::new(
                "reference",
                "Debugging with gdb",
                include_str!("../documents/reference.md"),
            ),
            Document::new("cli", "gdb commands", include_str!("../documents/cli.md")),
            Document::new("mi", "gdb/MI commands", include_str!("../documents/mi.md")),
            Document::new(
                "mapping",
                "From gdb commands to calls",
                include_str!("../documents/mapping.md"),
            ),
        ],
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
        start: StartProfile {
            assets: Assets::Cached,
            access: Access::Exclusive,
            unlocked: ["stepBack", "reverseContinue"]
                .map(|command| (command.into(), r#"{"record": true}"#.into()))
                .into(),
            ..StartProfile::default()
        },
        pause: PauseProfile {
            rules: vec![
                StopRule { function: text("rust_panic"), ..stop("breakpoint", "panic") },
                StopRule { function: text("__cxa_throw"), ..stop("breakpoint", "exception") },
                // `stopAtBeginningOfMainSubprogram`: the breakpoint that `start` sets.
                StopRule { when: When::Entering, ..stop("breakpoint", "entry") },
                StopRule { when: When::Entering, ..stop("attach", "pause") },
                // An attach stops, without a request for it (events.py, `expect_stop("attach")`).
                StopRule { reaction: Reaction::Resume, ..stop("attach", "pause") },
            ],
            ..PauseProfile::default()
        },
        breakpoints: BreakpointProfile {
            // The program is read only after `configurationDone`: before, all breakpoints are
            // pending.
            verification: Verification::WhenRunning,
            // All breakpoints of the `bpstat` chain (python/py-stopevent.c, `emit_stop_event`).
            hit_ids: HitIds::Place { untrue: cpp::ZERO.into() },
            // runtime/marked_breakpoints.py.
            hit_counts: HitCounts::Plugin,
            log_points: LogPoints::Plugin,
            // `follow-fork-mode parent` and `detach-on-fork on`; DAP has one process.
            unfollowed: text("child processes are not followed"),
            ..BreakpointProfile::default()
        },
        evaluate: EvaluateProfile {
            // Neither writes nor calls (evaluate.py, `_eval_for_hover`).
            value: "hover".into(),
            // `repl` takes gdb's commands.
            statement: "watch".into(),
            // Answered by runtime/syntax.py.
            check: Some(SyntaxCheck {
                expression: "$_parses({json})".into(),
                context: "hover".into(),
                ..SyntaxCheck::default()
            }),
            commands: Some(Box::new(commands::commands())),
            ..EvaluateProfile::default()
        },
        values: ValueProfile {
            cut_mark: text("..."),
            // Functions', too (varref.py: only pointers have a `memoryReference`).
            pointers: words(["*", ")"]),
            elements: Elements { pages: Pages::Requested, ..Elements::default() },
            // varref.py reads each scope once.
            after_assignment: AfterAssignment::OfStop,
            // Types whose pretty printers have the hint `map` (libstdcxx/v6/printers.py,
            // `display_hint`); runtime/values.py names their elements by key.
            mappings: vec![MappingRule {
                types: words(["std::map<", "std::unordered_map<"]),
                value: None,
            }],
            ..ValueProfile::default()
        },
        frames: FrameProfile {
            // Programs compiled by distributions have paths like `./nptl/./nptl/x.c` and
            // `../sysdeps/x.S`.
            library: rust::library(&["/./", "../", "/usr/src/"], &[]),
            // runtime/waits.py.
            waits: Some(Box::new(Waits { function: String::new(), reason: "$_waits()".into() })),
            ..FrameProfile::default()
        },
        output: OutputProfile { reasons: words(gtest::FAILURE_LINES), ..OutputProfile::default() },
        leave: LeaveProfile {
            // Always killed (server.py, `_disconnect_or_kill`).
            launched: LeaveLaunched::Impossible,
            // runtime/stops.py reports a signal as minus its number.
            exit_code: ExitCode::MinusSignal,
            ..LeaveProfile::default()
        },
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
