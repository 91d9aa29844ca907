//! The manifest and the profile of js-debug. Knows nothing of a request.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::*;

use crate::{attach, build, check, compiled, functions, install, tools};

/// Exit code 0: the text is an expression; otherwise the parser's message is on stderr.
const PARSE: &str = "const text = require('fs').readFileSync(0, 'utf8'); \
                     new (require('vm').Script)(`(${text}\\n)`)";

/// The values that are false as conditions, as js-debug displays them.
const UNTRUE: &str = r#"^(false|-?0|0n|''|""|``|null|undefined|NaN)$"#;

/// The context of evaluations; `watch` and `hover` cut strings after 1,000 characters.
pub const VALUES: &str = "variables";

/// Tools that run scripts and tests of a project.
pub const RUNNERS: [&str; 11] =
    ["npm", "npx", "yarn", "pnpm", "tsx", "ts-node", "corepack", "bun", "jest", "mocha", "vitest"];

/// Lines about a failed test: its name, the expected value, the line, the frames; in the formats of
/// jest, mocha, vitest and node's own runner.
const REASONS: [&str; 9] = [
    r"^  (● |\d+\) )",
    r"^ {7,}\S.*:$",
    r"^ FAIL  ",
    r"^ +(\[cause\]: )?[\w.]*(Error|Exception)\b( \[\w+\])?: ",
    r"^    (expect\(|Expected|Received|Cannot |thrown: )",
    r"^    > +\d+ \|",
    r"^ +\S+ !?==+ \S+$",
    r"^ +[+-] ?[^\s-]\S*$",
    r"^ +.*[^ ()]:\d+:\d+\)?( \{)?$",
];

/// The remedy for a Node.js that is too old.
const NODE: &str = "install Node.js 18 or newer: https://nodejs.org";

fn tool(name: &str, install: &str) -> Tool {
    Tool { name: name.into(), install: install.into(), ..Tool::default() }
}

fn tools() -> Vec<Tool> {
    let server = Tool {
        script: true,
        ..tool(
            "js-debug",
            "unpack js-debug's DAP server and \
             name its `dapDebugServer.js` in [tools.js-debug] path",
        )
    };
    let mut tools = vec![server, tool("node", NODE), tool("sh", "a shell")];
    tools.push(tool("curl", "install curl"));
    tools.extend(RUNNERS.iter().map(|name| match *name {
        "npm" | "npx" => tool(name, NODE),
        name => tool(name, "install it with npm"),
    }));
    tools
}

fn filter(name: &str, filter: &str, default: bool) -> ExceptionBreak {
    ExceptionBreak { name: name.into(), filters: words([filter]), default }
}

/// Variables by which a project loads its own code into every Node.js that starts: only the program
/// gets them.
pub const PROGRAM_VARIABLES: [&str; 2] = ["NODE_OPTIONS", "NODE_PATH"];

/// By this variable js-debug has each Node.js load its `bootloader.js`.
const UNFOLLOWED: &str = "child processes that do not inherit NODE_OPTIONS are not followed";

fn probe<const N: usize>(id: &str, args: [&str; N]) -> Probe {
    Probe {
        id: id.into(),
        tool: "node".into(),
        args: words(args),
        unset: words(PROGRAM_VARIABLES),
        ..Probe::default()
    }
}

fn commands() -> Vec<String> {
    let mut commands = words(["node", "nodejs"]);
    commands.extend(RUNNERS.map(String::from));
    commands
}

pub fn manifest() -> Manifest {
    Manifest {
        name: "js-debug".into(),
        title: "JavaScript and TypeScript on Node.js through js-debug".into(),
        languages: vec![
            Language {
                name: "javascript".into(),
                extensions: words(["js", "mjs", "cjs"]),
                commands: commands(),
                project_files: words(["package.json"]),
                entries: words(["package.json#/main", "index.js"]),
                named_tests: true,
                test_command: Some("node --test --test-name-pattern {test}".into()),
                ..Language::default()
            },
            Language {
                name: "typescript".into(),
                extensions: words(["ts", "mts", "cts"]),
                project_files: words(["tsconfig.json"]),
                named_tests: true,
                ..Language::default()
            },
        ],
        tools: tools(),
        installs: install::installs(),
        checks: vec![check::check()],
        // The version is a constant in the server's file (src/configuration.ts, `packageVersion`).
        version: Some(VersionProbe {
            files: words(["{tool}"]),
            pattern: r#""js-debug",\s*[\w$]+\s*=\s*"(\d[\w.]*)""#.into(),
            ..VersionProbe::default()
        }),
        // The server uses static blocks of classes, which Node.js has since 16.11 (before:
        // `SyntaxError: Unexpected token '{'`).
        needs: vec![Need {
            probe: "node-version".into(),
            pattern: r"v(\d[\w.]*)".into(),
            oldest: "16.11".into(),
            install: NODE.into(),
            ..Need::default()
        }],
        probes: vec![
            probe("expression", ["-e", PARSE]),
            probe(compiled::PROBE, ["-e", compiled::BEGINS]),
            probe(functions::PROBE, ["-e", functions::FIND]),
            probe("node-version", ["--version"]),
        ],
        commands: [
            words(["--expose-internals", "{}", "{}", "0", "127.0.0.1"]),
            words(["-e", attach::FIND, "{...}"]),
            words(["-e", tools::FIND, "{}", "{}"]),
            words(["-e", build::IS_BUILT, "{}", "{}"]),
            words(["-e", tools::REGISTERS, "{}"]),
        ]
        .map(|args| CommandTemplate { tool: "node".into(), args })
        .into_iter()
        .chain([CommandTemplate { tool: "npm".into(), args: words(["run", "build"]) }])
        .collect(),
        programs: words(["runtimeExecutable"]),
        permissions: Permissions { env: words(["TMPDIR", "NODE_OPTIONS", "NODE_PATH"]) },
        config_schema: Some(json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "just_my_code": {
                    "type": "boolean",
                    "description": "Step over Node's own code, and with exceptions=[\"all\"] pass \
                                    over what a library catches itself. Default: true.",
                },
                "out_files": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Patterns for compiled scripts with source maps. \
                                    Default: all scripts of the nearest project.",
                },
            },
        })),
        // js-debug starts the program itself, with a pipe as standard input that it never writes.
        stdin: false,
        addresses: true,
        servers: words(["node"]),
        cores: false,
        wrappers: Vec::new(),
        configurations: configurations(),
        exceptions: vec![filter("uncaught", "uncaught", true), filter("all", "all", false)],
        exception_types: Some(ExceptionTypes {
            pattern: r"^[A-Z$_][\w$]*$".into(),
            examples: "TypeError, AggregateError".into(),
        }),
        interests: Interests {
            requests: words([
                "configurationDone",
                "exceptionInfo",
                "setBreakpoints",
                "setExceptionBreakpoints",
            ]),
            responses: words([
                "evaluate",
                "exceptionInfo",
                "scopes",
                "setExpression",
                "stackTrace",
                "variables",
            ]),
            events: words(["output"]),
            present: words(["stop", "frames", "threads"]),
            translate: words(["breakpoint", "evaluation-text", "exception-filters"]),
        },
        profile: profile(),
        documents: vec![Document::new(
            "reference",
            "Debugging with js-debug",
            include_str!("../documents/reference.md"),
        )],
    }
}

fn profile() -> Profile {
    Profile {
        start: StartProfile {
            // A session for each process of child_process and cluster, and for each worker thread.
            children: Children::One,
            // Node's inspector sends each event in a packet of its own, without TCP_NODELAY
            // (src/inspector_socket.cc): 40 ms each, and a step has four to five.
            latency: Latency::Delayed,
            ..StartProfile::default()
        },
        pause: PauseProfile {
            // V8 ignores a pause if all frames are in `skipFiles` (src/debug/debug-interface.cc,
            // `BreakRightNow`).
            delivery: PauseDelivery::Repeated,
            rules: rules(),
        },
        breakpoints: BreakpointProfile {
            // A breakpoint is verified by an event once its script is loaded.
            verification: Verification::WhenLoaded,
            untrue: Some(UNTRUE.into()),
            unfollowed: Some(UNFOLLOWED.into()),
            // In js-debug's own log messages one failing expression replaces the whole line (module
            // `breakpoints`).
            log_points: LogPoints::Plugin,
            ..BreakpointProfile::default()
        },
        evaluate: EvaluateProfile {
            value: VALUES.into(),
            // V8 handles no requests while it evaluates (module `timeout`).
            busy: Busy::Waits,
            errors: ErrorText::FirstLine,
            ..EvaluateProfile::default()
        },
        values: ValueProfile {
            absent: Some("undefined".into()),
            adds_members: true,
            // V8 copies variables when it pauses (debug-scopes.cc, `ScopeObject`).
            after_assignment: AfterAssignment::OfStop,
            elements: Elements { pages: Pages::Requested, ..Elements::default() },
            // The entries have the children `key` and `value`.
            mappings: vec![MappingRule {
                types: words(["Map"]),
                value: Some("{expr}.get({key})".into()),
            }],
            ..ValueProfile::default()
        },
        frames: FrameProfile {
            library: LibraryRule {
                paths: words(["/node_modules/", "<node_internals>/", "node:"]),
                ..LibraryRule::default()
            },
            // js-debug follows the source maps of TypeScript and bundlers itself (its argument
            // `sourceMaps`).
            sources: Sources::Mapped,
            ..FrameProfile::default()
        },
        output: OutputProfile { reasons: words(REASONS), ..OutputProfile::default() },
        leave: LeaveProfile {
            // js-debug kills a launched debuggee.
            launched: LeaveLaunched::Impossible,
            // At a disconnect js-debug resumes the debuggee and then kills it: it may execute a
            // line. It "stops" an attached target by closing its connection (nodeTarget.ts,
            // `stop`).
            termination: Termination::ByHost,
            // The server accepts any number of clients and does not exit by itself.
            adapter: AfterDisconnect::Stays,
            // The exit code of run.sh.
            exit_code: ExitCode::ShellSignal,
            ..LeaveProfile::default()
        },
    }
}

/// js-debug stops each script with breakpoints once at its beginning, by a breakpoint of its own,
/// and resumes. If it has not yet received the response for that breakpoint, it reports the stop as
/// one at a `debugger` statement (breakpoints.ts, `shouldPauseAt`; seen on busy machines).
fn rules() -> Vec<StopRule> {
    let own = || StopRule {
        reason: Some("pause".into()),
        text: Some("Paused on debugger statement".into()),
        function: Some("<anonymous>".into()),
        line_without: Some("debugger".into()),
        ..StopRule::default()
    };
    vec![
        StopRule { when: When::Entering, class: "entry".into(), ..own() },
        StopRule { reaction: Reaction::Resume, class: "breakpoint".into(), ..own() },
        // The statement is a breakpoint that the program has itself. The answer to a pause has
        // another text.
        StopRule { function: None, line_without: None, class: "breakpoint".into(), ..own() },
        // V8 steps into Node's own code in spite of js-debug's patterns
        // (`Debugger.setBlackboxPatterns`). VS Code leaves it by `smartStep`, with which a pause
        // there never stops.
        StopRule {
            reason: Some("step".into()),
            passed_over: true,
            reaction: Reaction::StepOut,
            class: "step".into(),
            ..StopRule::default()
        },
    ]
}

/// <https://code.visualstudio.com/docs/nodejs/nodejs-debugging#_launch-configuration-attributes>
fn configurations() -> Configurations {
    let runtime = ConfiguredCommand {
        key: "runtimeExecutable".into(),
        value: None,
        words: words(["{runtimeExecutable}", "{runtimeArgs}", "{program}"]),
    };
    let options = ConfiguredCommand {
        key: "runtimeArgs".into(),
        value: None,
        words: words(["node", "{runtimeArgs}", "{program}"]),
    };
    Configurations {
        types: words(["node", "pwa-node"]),
        names: pairs([("address", "host")]),
        options: pairs([("outFiles", "out_files")]),
        commands: vec![runtime, options],
        ..Configurations::default()
    }
}
