//! Static facts about CodeLLDB. Knows nothing of a request.

use dapdock_native::cargo::MESSAGES;
use dapdock_native::{build, compilers, cpp, gtest, rust};
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::*;

use crate::{check, commands, install};

/// Without these settings the console would take LLDB commands; a summary of 32 letters would be
/// cut after 10 ms, each time elsewhere (debug_session.rs, `summary_timeout`); and a frame whose
/// source is not on this machine would have no line (`suppress_missing_files`).
pub const SETTINGS: &str =
    r#"{"consoleMode":"evaluate","summaryTimeout":1,"suppressMissingSourceFiles":false}"#;

fn language(
    name: &str,
    extensions: Vec<String>,
    commands: Vec<String>,
    project_files: Vec<String>,
) -> Language {
    Language {
        name: name.into(),
        extensions,
        commands,
        project_files,
        executables: true,
        ..Language::default()
    }
}

fn tool(name: &str, install: &str) -> Tool {
    Tool { name: name.into(), install: install.into(), ..Tool::default() }
}

fn command<const N: usize>(tool: &str, args: [&str; N]) -> CommandTemplate {
    CommandTemplate { tool: tool.into(), args: words(args) }
}

fn filters(name: &str, filters: Vec<String>, default: bool) -> ExceptionBreak {
    ExceptionBreak { name: name.into(), filters, default }
}

const RESPONSES: &str = "launch attach continue next stepIn stepOut evaluate scopes variables \
    setBreakpoints setVariable setExpression disconnect";

fn split_words(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}

/// The option with the number of test binaries that have run.
pub const SKIP_BINARIES: &str = "skip_binaries";

pub fn manifest() -> Manifest {
    Manifest {
        name: "codelldb".into(),
        title: "Rust, C and C++ through CodeLLDB".into(),
        languages: vec![
            Language {
                named_tests: true,
                test_command: Some("cargo test {test}".into()),
                compilers: words([rust::COMPILER]),
                entries: words(["Cargo.toml"]),
                ..language("rust", words(["rs"]), words(["cargo"]), words(["Cargo.toml"]))
            },
            Language {
                named_tests: true,
                ..language("c++", Vec::new(), Vec::new(), words(["CMakeLists.txt"]))
            },
            language("c", Vec::new(), Vec::new(), words(["Makefile"])),
        ],
        tools: tools(),
        installs: vec![install::install()],
        checks: check::checks(),
        // The adapter does not print its version: these are files of the npm package, and of the
        // extension.
        version: Some(VersionProbe {
            files: words(["../version.json", "../package.json"]),
            pattern: r#""version":\s*"(\d[\w.]*)""#.into(),
            // The first version that accepts `--settings` (adapter/loader/main.rs); older ones
            // exit.
            oldest: "1.9".into(),
            ..VersionProbe::default()
        }),
        commands: command_templates(),
        programs: words(["program"]),
        config_schema: Some(json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "core": {"type": "string", "description": "A core file; `program` is the \
                    executable that dumped it."},
                "program": {"type": "string", "description": "With an address: the executable, \
                    which has the symbols."},
                SKIP_BINARIES: {"type": "integer", "minimum": 0, "description": "Test binaries of \
                    a `cargo test` that are left out: those that have run."},
            },
        })),
        cores: true,
        addresses: true,
        servers: words(["lldb-server"]),
        permissions: Permissions { env: words(["PATH", "PYTHONPATH"]) },
        probes: vec![rust::sysroot_probe()],
        stdin: true,
        configurations: configurations(),
        exceptions: vec![
            filters("panic", words(["rust_panic"]), false),
            // In C++ the signal of the end stops.
            filters("uncaught", words(["rust_panic"]), true),
            filters("all", words(["rust_panic", "cpp_throw"]), false),
        ],
        exception_types: Some(cpp::exception_types()),
        interests: Interests {
            requests: split_words(
                "setBreakpoints setFunctionBreakpoints exceptionInfo pause disconnect scopes \
                    stepInTargets continue next stepIn stepOut evaluate",
            ),
            responses: split_words(RESPONSES),
            events: words([
                "stopped",
                "exited",
                "terminated",
                crate::function_breakpoints::PYTHON_MESSAGE,
            ]),
            present: words(["stop", "threads", "variables"]),
            translate: words(["evaluation-text", "breakpoint", "exception-filters"]),
        },
        profile: profile(),
        documents: vec![Document::new(
            "reference",
            "LLDB commands",
            include_str!("../documents/reference.md"),
        )],
        ..Manifest::default()
    }
}

fn tools() -> Vec<Tool> {
    let mut tools = vec![
        Tool {
            // The variable of earlier debug servers; the extension's own id.
            variables: words(["CODELLDB_PATH"]),
            extensions: words(["vadimcn.vscode-lldb/adapter/codelldb"]),
            ..tool(
                "codelldb",
                "unpack CodeLLDB and name its `adapter/codelldb` in [tools.codelldb] path",
            )
        },
        tool("cargo", "install Rust: https://rustup.rs"),
        compilers::RUST.tool(),
        compilers::C.tool(),
        compilers::CPP.tool(),
        tool("npm", "install Node.js 18 or newer: https://nodejs.org"),
    ];
    tools.extend(build::tools());
    tools
}

fn command_templates() -> Vec<CommandTemplate> {
    let mut commands = vec![
        command("codelldb", ["--connect", "{}", "--settings", SETTINGS]),
        command("cargo", ["build", MESSAGES, "{...}"]),
        command("cargo", ["test", "--no-run", MESSAGES, "{...}"]),
        compilers::RUST.command(),
        compilers::C.command(),
        compilers::CPP.command(),
        command("build-output", ["--list"]),
        gtest::command(),
    ];
    commands.extend(build::commands());
    commands
}

fn stop(reason: &str, class: &str) -> StopRule {
    StopRule { reason: Some(reason.into()), class: class.into(), ..StopRule::default() }
}

fn profile() -> Profile {
    let text = |text: &str| Some(text.to_owned());
    let mut all = Profile::default();
    all.start.assets = Assets::Cached;
    all.start.access = Access::Exclusive;
    // After an attach a pause stops the program, and the adapter resumes it.
    all.start.attached = AttachControl::Continued;
    // `process.stop()` on a process that is only about to run yields no stop, or another one later:
    // <https://github.com/vadimcn/codelldb/blob/master/adapter/codelldb/src/debug_session.rs>,
    // handle_pause.
    all.pause = PauseProfile { delivery: PauseDelivery::AfterContinued, rules: rules() };
    // "Resolved locations: 0" and `verified` before the program runs.
    all.breakpoints.verification = Verification::WhenRunning;
    // With `target.source-realpath-prefixes` (see `plan`); without it a file is found by the name
    // that it was compiled under.
    all.breakpoints.paths = SourcePaths::Real;
    all.breakpoints.unbound = text("Resolved locations: 0");
    // Lines are stored by number in a file, and resolved when they are set (breakpoints.rs,
    // `set_source_breakpoints`).
    all.breakpoints.nearest = NearestLines::Tried;
    // A breakpoint that is hit while the next one is being set deadlocks both sides; and a
    // condition cannot be checked while the debuggee runs.
    all.breakpoints.while_running = WhileRunning::HaltFirst;
    // Only the first breakpoint at the address (debug_session.rs, `notify_process_stopped`).
    all.breakpoints.hit_ids = HitIds::Place { untrue: cpp::ZERO.into() };
    all.breakpoints.log_points = LogPoints::Plugin;
    // `target.process.follow-fork-mode parent`; a session has one process.
    all.breakpoints.unfollowed = text("child processes are not followed");
    // A condition that does not compile is ignored (breakpoints.rs, `init_bp_actions`). This
    // compiles the condition as sent, never evaluates it, and needs no frame. Python names need a
    // target.
    let expression = "/py {json}[:5] != '/nat ' and \
        compile({json}[4:].replace('$', ''), 'condition', 'eval') and 0";
    all.evaluate.check = Some(SyntaxCheck {
        expression: expression.into(),
        context: "watch".into(),
        needs: CheckNeeds::Debuggee,
    });
    all.evaluate.commands = Some(Box::new(commands::commands()));
    // The text of an error is a traceback, or "Syntax error: …" with a mark below it.
    all.evaluate.errors = ErrorText::FirstLine;
    all.evaluate.trace = text("Traceback (most recent call last)");
    all.values.hidden = words(["[raw]"]);
    // A pointer is displayed with the text of its target.
    all.values.pointers = words(["*"]);
    // All children are read, one by one in Python, until a limit of 5 s.
    all.values.elements.pages = Pages::Each("{expr}[{n}]".into());
    // Evaluated by operators.py, which seeks the key.
    let maps = [
        "std::collections::hash::map::HashMap<",
        "hashbrown::map::HashMap<",
        "alloc::collections::btree::map::BTreeMap<",
        "std::map<",
        "std::unordered_map<",
        "std::multimap<",
        "std::unordered_multimap<",
    ];
    all.values.mappings = vec![MappingRule { types: words(maps), value: text("{expr}[{key}]") }];
    // Summaries are cut after some milliseconds, each time elsewhere.
    all.values.cut_mark = text("...");
    all.frames.library = rust::library(&[], &["__pthread_"]);
    all.frames.waits = Some(Box::new(Waits {
        function: String::new(),
        reason: "/py __import__('thread_waits').text()".into(),
    }));
    // The program has a terminal, so its stderr is in `stdout`; `stderr` is the adapter's.
    all.output.program = words(["stdout"]);
    all.output.reasons = words(gtest::FAILURE_LINES);
    // A detached program ends with the adapter all the same (seen with 1.11.8).
    all.leave.launched = LeaveLaunched::Impossible;
    // exit_status.py reports a signal as minus its number.
    all.leave.exit_code = ExitCode::MinusSignal;
    all
}

/// The profile of a program that output.py gives its terminal.
pub fn with_output() -> Profile {
    let mut profile = profile();
    profile.output.streams = Streams::Output;
    profile
}

fn rules() -> Vec<StopRule> {
    let text = |text: &str| Some(text.to_owned());
    let pausing = |signal: &str| StopRule {
        text: text(signal),
        when: When::Pausing,
        ..stop("exception", "pause")
    };
    vec![
        pausing("signal SIGSTOP"),
        // A pause of a program attached to by address.
        pausing("signal SIGINT"),
        StopRule { text: text("signal "), ..stop("exception", "signal") },
        StopRule { function: text("rust_panic"), ..stop("breakpoint", "panic") },
        StopRule { function: text("__cxa_throw"), ..stop("breakpoint", "exception") },
        // The first throw of this exception has already stopped.
        StopRule {
            function: text("__cxa_rethrow"),
            reaction: Reaction::Resume,
            ..stop("breakpoint", "exception")
        },
        // The one-shot breakpoint of entry.py.
        StopRule { when: When::Entering, ..stop("breakpoint", "entry") },
    ]
}

/// <https://github.com/vadimcn/codelldb/blob/master/MANUAL.md#starting-a-new-debug-session>
fn configurations() -> Configurations {
    Configurations {
        types: words(["lldb", "codelldb"]),
        names: pairs([("pid", "processId")]),
        options: pairs([("attach.program", "program")]),
        ..Configurations::default()
    }
}
