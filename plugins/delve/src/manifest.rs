//! The manifest and the profile of Delve. Knows nothing of a request.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::*;

use crate::{check, entry, install};

/// The compiler's option for debugging: neither optimised nor inlined.
pub const DEBUG_FLAGS: &str = "-gcflags=all=-N -l";
/// The format of `go list` for the directory of a package.
pub const DIRECTORY: &str = "{{.Dir}}";
/// The format of `go list` for the directories of packages with tests.
pub const TESTED: &str = "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}";
/// The name of the probe for the build options that `go` takes from its environment.
pub const GOFLAGS: &str = "goflags";
/// The note for a program that Delve has not started.
pub const UNFOLLOWED: &str = "child processes are not followed";
/// The command that builds a Delve for the installed Go.
pub const INSTALL: &str = "go install github.com/go-delve/delve/cmd/dlv@latest";

fn command<const N: usize>(tool: &str, args: [&str; N]) -> CommandTemplate {
    CommandTemplate { tool: tool.into(), args: words(args) }
}

fn filters(name: &str, default: bool) -> ExceptionBreak {
    ExceptionBreak {
        name: name.into(),
        filters: words(["unrecovered-panic", "runtime-fatal-throw"]),
        default,
    }
}

/// The option with the number of packages that have been tested.
pub const SKIP_PACKAGES: &str = "skip_packages";

pub fn manifest() -> Manifest {
    Manifest {
        name: "delve".into(),
        title: "Go through Delve".into(),
        languages: vec![Language {
            name: "go".into(),
            extensions: words(["go"]),
            commands: words(["go", "dlv"]),
            project_files: words(["go.mod", "main.go"]),
            entries: words(["*.go"]),
            named_tests: true,
            test_command: Some("go test ./... -run {test}".into()),
            // Sections of the linker's build information: ELF, Mach-O.
            sections: words([".go.buildinfo", "__go_buildinfo"]),
            ..Language::default()
        }],
        tools: vec![
            Tool {
                name: "dlv".into(),
                install: format!(
                    "{INSTALL}, then put `$(go env GOPATH)/bin` on PATH or \
                     name it in [tools.dlv] path"
                ),
                ..Tool::default()
            },
            Tool {
                name: "go".into(),
                install: "install Go: https://go.dev/dl".into(),
                ..Tool::default()
            },
        ],
        installs: vec![install::install()],
        checks: vec![check::check()],
        version: Some(VersionProbe {
            probe: "version".into(),
            pattern: r"Version: (\S+)".into(),
            ..VersionProbe::default()
        }),
        probes: vec![
            Probe {
                id: "version".into(),
                tool: "dlv".into(),
                args: words(["version"]),
                stored: true,
                ..Probe::default()
            },
            Probe {
                id: GOFLAGS.into(),
                tool: "go".into(),
                args: words(["env", "GOFLAGS"]),
                ..Probe::default()
            },
        ],
        commands: vec![
            command("dlv", ["dap", "--client-addr", "{}"]),
            command("go", ["build", DEBUG_FLAGS, "-o", "{}", "{...}"]),
            command("go", ["test", "-c", DEBUG_FLAGS, "-o", "{}", "{...}"]),
            command("go", ["test", "-list", "{}", "{...}"]),
            command("go", ["list", "-f", DIRECTORY, "{}"]),
            command("go", ["list", "-f", TESTED, "{...}"]),
            command("build-output", ["-test.list", "{}"]),
        ],
        programs: words(["program"]),
        config_schema: Some(json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "build_flags": {
                    "type": ["string", "array"],
                    "items": {"type": "string"},
                    "description": "Options of the build: \"-race -tags=x\", or a list of words.",
                },
                "core": {
                    "type": "string",
                    "description": "A core file to open; `program` is the program that dumped it.",
                },
                "just_my_code": {
                    "type": "boolean",
                    "description": "With exceptions=[\"all\"], pass over panics that a library \
                        recovers from itself. Default: true.",
                },
                SKIP_PACKAGES: {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Packages of a `go test` that are left out: those that have \
                        been tested.",
                },
                "follow_children": {
                    "type": "boolean",
                    "description": "Also debug Go programs that the program starts \
                                    (Delve 1.26 or newer).",
                },
                "substitute_path": {
                    "type": "array",
                    "description": "Paths of sources that were built on another machine: \
                                    {\"from\": here, \"to\": as built}.",
                },
            },
        })),
        stdin: true,
        cores: true,
        addresses: true,
        servers: words(["dlv"]),
        configurations: configurations(),
        exceptions: vec![filters("panic", true), filters("uncaught", false)],
        interests: Interests {
            requests: words([
                "evaluate",
                "scopes",
                "setBreakpoints",
                "setFunctionBreakpoints",
                "setExceptionBreakpoints",
                "exceptionInfo",
                "configurationDone",
                "pause",
                "threads",
                "continue",
                "next",
                "stepIn",
                "stepOut",
            ]),
            responses: words([
                "evaluate",
                "exceptionInfo",
                "launch",
                "attach",
                "setBreakpoints",
                "setFunctionBreakpoints",
                "setVariable",
                "stackTrace",
                "variables",
            ]),
            events: words(["output", "stopped"]),
            present: words(["stop", "threads", "variables"]),
            translate: words(["exception-filters"]),
        },
        profile: profile(),
        documents: vec![Document::new(
            "reference",
            "Delve commands",
            include_str!("../documents/reference.md"),
        )],
        ..Manifest::default()
    }
}

pub fn profile() -> Profile {
    let text = |text: &str| Some(text.to_owned());
    Profile {
        start: StartProfile { access: Access::Exclusive, ..StartProfile::default() },
        pause: PauseProfile { rules: rules(), ..PauseProfile::default() },
        breakpoints: BreakpointProfile {
            // Delve writes the messages, which do not name the breakpoint (server.go,
            // `logBreakpointMessage`); `log_points` does.
            log_points: LogPoints::Plugin,
            log_limits: LogLimits::Adapter,
            // Delve changes existing breakpoints, and sets or refuses new ones in the order of the
            // request (server.go, `setBreakpoints`).
            nearest: NearestLines::Tried,
            // Delve would stop the program itself (server.go, `stopToSetBreakpoints`), but checks
            // no condition while the program runs, and a line whose condition was refused takes no
            // other (pkg/proc/target_group.go, `enableBreakpoint`).
            while_running: WhileRunning::HaltFirst,
            // The reason is then `step`, without `hitBreakpointIds` (server.go,
            // `runUntilStopAndNotify`).
            step_ends: StepEnds::Silent { untrue: "^false$".into() },
            // Paths are keys of a table (pkg/proc/breakpoints.go, `FindFileLocation`).
            paths: SourcePaths::AsWritten,
            // `followExec` is an argument of `launch` only (server.go, `onLaunchRequest`).
            unfollowed: text(UNFOLLOWED),
            ..BreakpointProfile::default()
        },
        evaluate: EvaluateProfile {
            // The context `watch` reads 512 bytes of a string, this one all.
            value: "hover".into(),
            // Delve's language has expressions only (pkg/proc/eval.go).
            assignment: Assignment::Request,
            // Delve parses the whole text and never evaluates the condition. (`false` does not
            // exist while the program's loader runs.)
            check: Some(SyntaxCheck {
                expression: "1 == 2 && ({text})".into(),
                context: "hover".into(),
                needs: CheckNeeds::Debuggee,
            }),
            // `call` runs in the loop that reads requests, and `cancel` is not supported
            // (server.go, `handleRequest`).
            busy: Busy::Waits,
            // config, sources, types, target and examinemem, none of which starts anything
            // (service/dap, `debugCommands`).
            commands: Some(Box::new(Commands {
                context: "repl".into(),
                prefix: "dlv ".into(),
                ..Commands::default()
            })),
            ..EvaluateProfile::default()
        },
        values: ValueProfile {
            // The end of strings after 64 characters, of values after 256.
            cut_mark: text("..."),
            // Delve has a `memoryReference` only for strings and slices in lists (server.go,
            // `isAddressable`). A pointer is a number; other types hold one in their first word.
            addresses: vec![
                AddressRule { types: words(["*"]), value: "uint64({expr})".into() },
                AddressRule {
                    types: words(["[]", "map[", "chan ", "<-chan ", "chan<- ", "func("]),
                    value: "*(*uintptr)(uint64(&({expr})))".into(),
                },
            ],
            // Delve loads 64 elements with the value (types.go, `DefaultLoadConfig`).
            elements: Elements { at_once: 64, pages: Pages::Requested, ..Elements::default() },
            // `fatalpanic` has only the text of the error, which `preprintpanics` puts in its
            // place.
            causes: Some(Box::new(CauseRule {
                function: "runtime.gopanic".into(),
                value: "e".into(),
                // Delve before 1.22 leaves out the type of the value.
                causes: words(["error", "error("]),
                lists: words(["[]error"]),
                // fmt.wrapError, fmt.wrapErrors; errors.errorString, strings given to panic.
                messages: words(["msg", "s"]),
                through: words(["data", "(value)"]),
            })),
            ..ValueProfile::default()
        },
        frames: FrameProfile {
            // The top frame of every waiting goroutine, and the runtime's reason of the wait
            // (runtime/runtime2.go). In a running goroutine `waitreason` is that of its last wait.
            waits: Some(Box::new(Waits {
                function: "runtime.gopark".into(),
                reason: "runtime.waitReasonStrings[int(runtime.curg.waitreason)]".into(),
            })),
            // Delve's limit is 1024, without the runtime's own goroutines (server.go,
            // `maxGoroutines`).
            threads_at_most: Some(1000),
            library: library(),
            ..FrameProfile::default()
        },
        leave: LeaveProfile {
            // Delve kills a program that it has launched.
            launched: LeaveLaunched::Impossible,
            // After a signal the exit code of `exited` is minus its number.
            exit_code: ExitCode::MinusSignal,
            ..LeaveProfile::default()
        },
        output: OutputProfile::default(),
    }
}

fn rules() -> Vec<StopRule> {
    let function = |name: &str| Some(name.to_owned());
    let entry = |reason: &str| StopRule {
        reason: Some(reason.into()),
        class: "entry".into(),
        ..StopRule::default()
    };
    // The function breakpoints that `entry` sets are at the first statement in a function without a
    // frame, else on the line of the declaration: the first statement is on a later one unless that
    // line has the whole function.
    let begun = |name: &str| StopRule {
        function: function(name),
        line_without: Some("func ".into()),
        ..entry("entry")
    };
    let opened = |name: &str| StopRule {
        function: function(name),
        line_without: Some("}".into()),
        reaction: Reaction::StepOver,
        ..entry("entry")
    };
    vec![
        begun(entry::MAIN),
        begun(entry::INIT),
        opened(entry::MAIN),
        opened(entry::INIT),
        StopRule { when: When::Entering, ..entry("step") },
        // The runtime preempts goroutines by a signal, whose handler runs on a stack of its own
        // (runtime/sys_linux_amd64.s).
        StopRule {
            function: function("runtime.sigtramp"),
            when: When::Pausing,
            reaction: Reaction::PauseAgain,
            class: "pause".into(),
            ..StopRule::default()
        },
    ]
}

pub fn library() -> LibraryRule {
    LibraryRule {
        paths: words([
            "/pkg/mod/",
            "/usr/local/go/src/",
            "/usr/lib/go-",
            "/usr/lib/go/src/",
            "/usr/lib/golang/src/",
            "/hostedtoolcache/go/",
            "/libexec/src/",
            "/sdk/go1",
        ]),
        functions: words(["runtime.", "testing.", "internal/"]),
        ..LibraryRule::default()
    }
}

/// <https://github.com/golang/vscode-go/blob/master/docs/debugging.md#launchjson-attributes>
fn configurations() -> Configurations {
    let test = ConfiguredCommand {
        key: "mode".into(),
        value: Some("test".into()),
        words: words(["go", "test", "-C", "{program}"]),
    };
    Configurations {
        types: words(["go"]),
        options: pairs([
            ("buildFlags", "build_flags"),
            ("coreFilePath", "core"),
            ("substitutePath", "substitute_path"),
        ]),
        implied: [
            ("launch.mode".to_owned(), words(["auto", "debug", "exec", "core"])),
            ("attach.mode".to_owned(), words(["local", "remote"])),
        ]
        .into(),
        commands: vec![test],
        ..Configurations::default()
    }
}
