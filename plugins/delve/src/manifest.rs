//! What a table can say about Delve. Knows nothing of a request.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::*;

use crate::{check, install};

/// What a debugger needs of the compiler: neither optimised nor inlined.
pub const PLAIN: &str = "-gcflags=all=-N -l";
/// What `go list` is asked for.
pub const DIRECTORY: &str = "{{.Dir}}";
/// What it is asked for of many packages: the directories of those with tests.
pub const TESTED: &str = "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}";
/// Of what Delve has not started.
pub const UNFOLLOWED: &str = "child processes are not followed";
/// How to get a Delve for the Go at hand.
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
            // Where the linker puts the build's facts: ELF, Mach-O.
            sections: words([".go.buildinfo", "__go_buildinfo"]),
            ..Language::default()
        }],
        tools: vec![
            Tool {
                name: "dlv".into(),
                install: format!(
                    "{INSTALL}, then put `$(go env GOPATH)/bin` on PATH or name it in [tools.dlv] path"
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
        probes: vec![Probe {
            id: "version".into(),
            tool: "dlv".into(),
            args: words(["version"]),
            kept: true,
            ..Probe::default()
        }],
        commands: vec![
            command("dlv", ["dap", "--client-addr", "{}"]),
            command("go", ["build", PLAIN, "-o", "{}", "{...}"]),
            command("go", ["test", "-c", PLAIN, "-o", "{}", "{...}"]),
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
                "core": {"type": "string", "description": "A core file to look into; `program` is what dumped it."},
                "follow_children": {
                    "type": "boolean",
                    "description": "Go programs that the program starts are debugged, too (Delve 1.26 or newer).",
                },
                "substitute_path": {
                    "type": "array",
                    "description": "Where sources are that were built elsewhere: {\"from\": here, \"to\": as built}.",
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
                "setFunctionBreakpoints",
                "configurationDone",
                "pause",
            ]),
            responses: words(["evaluate", "launch", "attach", "variables"]),
            events: words(["stopped"]),
            present: words(["stop", "threads", "variables"]),
            ..Interests::default()
        },
        profile: profile(),
        ..Manifest::default()
    }
}

pub fn profile() -> Profile {
    let text = |text: &str| Some(text.to_owned());
    Profile {
        traces: true,
        stops: vec![
            // The function breakpoint that `entry` sets.
            StopRule {
                reason: text("function breakpoint"),
                function: text("main.main"),
                entering: true,
                class: "entry".into(),
                ..StopRule::default()
            },
            // The handler of a signal, by which the runtime preempts (runtime/sys_linux_amd64.s),
            // has a stack of its own.
            StopRule {
                function: text("runtime.sigtramp"),
                pausing: true,
                resume: true,
                class: "pause".into(),
                ..StopRule::default()
            },
        ],
        // `exited` carries the wait status of a killed program as minus the signal.
        exit_code: ExitCode::MinusSignal,
        // Delve's own lines begin "> [Go 1]: ", say nothing of the breakpoint, and are
        // written as the program's (server.go, `logBreakpointMessage`).
        log_points: LogPoints::Host,
        // What is set already is amended, what is new is set or refused as it is read (server.go,
        // `setBreakpoints`).
        lines_by_trial: true,
        // It would stop it by itself (server.go, `stopToSetBreakpoints`), but checks no condition
        // beside one that runs, and a line that had a bad one takes no other
        // (pkg/proc/target_group.go, `enableBreakpoint`).
        breakpoints_while_running: WhileRunning::HaltFirst,
        evaluate: EvaluateProfile {
            // Of a string the context `watch` reads 512 bytes, this one all.
            value: "hover".into(),
            // Its language has expressions alone (pkg/proc/eval.go).
            assigns: false,
            // Parsed whole, and the condition never evaluated. (There is no `false` where a
            // program's loader runs.)
            check: text("1 == 2 && ({text})"),
            check_context: "hover".into(),
            check_needs: CheckNeeds::Debuggee,
            // `call` runs in the loop that reads requests, and `cancel` is not supported
            // (server.go, `handleRequest`).
            alone: true,
            ..EvaluateProfile::default()
        },
        variables: VariablesProfile {
            // Of strings after 64 characters, of values after 256.
            cut_mark: text("..."),
            // 64 are loaded unasked (types.go, `DefaultLoadConfig`).
            elements: Elements { at_once: 64, pages: Pages::Requested, ..Elements::default() },
            ..VariablesProfile::default()
        },
        // Every goroutine that waits stands in it, and says why in the runtime's own words
        // (runtime/runtime2.go). Of those that run `waitreason` is that of the last time.
        waits: Some(Waits {
            function: "runtime.gopark".into(),
            reason: "runtime.waitReasonStrings[int(runtime.curg.waitreason)]".into(),
        }),
        // 1024, without the runtime's own (server.go, `maxGoroutines`).
        threads_at_most: Some(1000),
        library: LibraryRule {
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
        },
        // `followExec` is of what it starts (server.go, `onLaunchRequest`).
        unfollowed: text(UNFOLLOWED),
        // It is killed.
        detach_launched: DetachLaunched::Impossible,
        ..Profile::default()
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
