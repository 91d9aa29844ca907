//! What a table can say about js-debug. Knows nothing of a request.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::*;

use crate::{attach, check, entries, functions, install};

/// Exit code 0 where the text is an expression; the parser's words are on stderr.
const PARSE: &str = "const text = require('fs').readFileSync(0, 'utf8'); new (require('vm').Script)(`(${text}\\n)`)";

/// The context of values; `watch` and `hover` cut texts after 1,000 characters.
pub const VALUES: &str = "variables";

/// What runs scripts and tests of a project.
pub const RUNNERS: [&str; 11] =
    ["npm", "npx", "yarn", "pnpm", "tsx", "ts-node", "corepack", "bun", "jest", "mocha", "vitest"];

/// Of a failed test: its name, what was expected, the line, the frames; as jest, mocha, vitest and
/// node's own runner write them.
const TELLING: [&str; 9] = [
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

/// How to get one that is new enough.
const NODE: &str = "install Node.js 18 or newer: https://nodejs.org";

fn tool(name: &str, install: &str) -> Tool {
    Tool { name: name.into(), install: install.into(), ..Tool::default() }
}

fn tools() -> Vec<Tool> {
    let server = Tool {
        script: true,
        ..tool(
            "js-debug",
            "unpack js-debug's DAP server and name its `dapDebugServer.js` in [tools.js-debug] path",
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
        // Built into it (src/configuration.ts, `packageVersion`).
        version: Some(VersionProbe {
            files: words(["{tool}"]),
            pattern: r#""js-debug",\s*[\w$]+\s*=\s*"(\d[\w.]*)""#.into(),
            ..VersionProbe::default()
        }),
        // Static blocks of classes, of which the server is full, are of 16.11 (`SyntaxError:
        // Unexpected token '{'` before).
        needs: vec![Need {
            probe: "node-version".into(),
            pattern: r"v(\d[\w.]*)".into(),
            oldest: "16.11".into(),
            install: NODE.into(),
            ..Need::default()
        }],
        probes: vec![
            probe("expression", ["-e", PARSE]),
            probe(entries::PROBE, ["-e", entries::BEGINS]),
            probe(functions::PROBE, ["-e", functions::FIND]),
            probe("node-version", ["--version"]),
        ],
        commands: [words(["{}", "0", "127.0.0.1"]), words(["-e", attach::FIND, "{...}"])]
            .map(|args| CommandTemplate { tool: "node".into(), args })
            .into(),
        programs: words(["runtimeExecutable"]),
        permissions: Permissions { env: words(["TMPDIR", "NODE_OPTIONS", "NODE_PATH"]) },
        config_schema: Some(json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "just_my_code": {
                    "type": "boolean",
                    "description": "Step over Node's own code. Default: true.",
                },
                "out_files": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Patterns for compiled scripts with source maps. Default: all scripts of the nearest project.",
                },
            },
        })),
        // It starts the program itself, with a pipe that nobody feeds.
        stdin: false,
        addresses: true,
        servers: words(["node"]),
        cores: false,
        configurations: configurations(),
        exceptions: vec![filter("uncaught", "uncaught", true), filter("all", "all", false)],
        exception_types: Some(ExceptionTypes {
            pattern: r"^[A-Z$_][\w$]*$".into(),
            examples: "TypeError, AggregateError".into(),
        }),
        interests: Interests {
            requests: words(["configurationDone", "setBreakpoints"]),
            responses: words(["evaluate", "scopes", "variables"]),
            events: words(["output"]),
            present: words(["stop", "frames", "threads"]),
            translate: words(["breakpoint", "evaluation-text", "exception-filters"]),
        },
        profile: profile(),
    }
}

fn profile() -> Profile {
    Profile {
        stops: stops(),
        // As run.sh tells it.
        exit_code: ExitCode::ShellSignal,
        // An expression that fails takes the whole line with it.
        log_points: LogPoints::Host,
        // Scripts are known once they are loaded; `breakpoint` events tell.
        verification: Verification::WhenLoaded,
        // V8 hears nothing while it computes, and not all has an end (endless.rs).
        evaluate: EvaluateProfile {
            value: VALUES.into(),
            alone: true,
            ..EvaluateProfile::default()
        },
        variables: VariablesProfile {
            absent: Some("undefined".into()),
            // V8 copies them when it pauses (debug-scopes.cc, `ScopeObject`).
            kept: true,
            elements: Elements { pages: Pages::Requested, ..Elements::default() },
            // Entries with `key` and `value`.
            numbered: vec![Numbered {
                types: words(["Map"]),
                value: Some("{expr}.get({key})".into()),
            }],
            ..VariablesProfile::default()
        },
        library: LibraryRule {
            paths: words(["/node_modules/", "<node_internals>/", "node:"]),
            ..LibraryRule::default()
        },
        error_text: ErrorText::FirstLine,
        telling: words(TELLING),
        // A launched debuggee is killed.
        detach_launched: DetachLaunched::Impossible,
        // child_process, worker_threads and cluster: a session each.
        children: Children::One,
        // A server for any number of clients.
        left: Left::Stays,
        // V8 (src/debug/debug-interface.cc, `BreakRightNow`) ignores one once all frames are of
        // `skipFiles`.
        forgets_pauses: true,
        // It resumes what it lets go of, and then kills it: a line more was seen to run.
        disconnect_resumes: true,
        // A target that was attached to is "stopped" by closing its connection (nodeTarget.ts,
        // `stop`).
        keeps_attached: true,
        // Node's inspector answers in a message of its own for each event, without TCP_NODELAY
        // (src/inspector_socket.cc): 40 ms each, four to five for a step.
        sends_late: true,
        // TypeScript and bundlers write them (`sourceMaps` of its arguments: it follows them
        // itself).
        source_maps: true,
        ..Profile::default()
    }
}

/// js-debug stops each script with breakpoints once where it begins, by a breakpoint of its own,
/// and goes on from there. It tells a stop there as one at a `debugger` statement when it has not
/// read the answer to that breakpoint yet (breakpoints.ts, `shouldPauseAt`; seen on busy machines).
fn stops() -> Vec<StopRule> {
    let own = || StopRule {
        reason: Some("pause".into()),
        text: Some("Paused on debugger statement".into()),
        function: Some("<anonymous>".into()),
        lacks: Some("debugger".into()),
        ..StopRule::default()
    };
    vec![
        StopRule { entering: true, class: "entry".into(), ..own() },
        StopRule { resume: true, class: "breakpoint".into(), ..own() },
        // V8 steps into Node's own code, whatever patterns js-debug has it pass over
        // (`Debugger.setBlackboxPatterns`); VS Code gets out by `smartStep`, which never lets a
        // pause come to rest there.
        StopRule {
            reason: Some("step".into()),
            passed_over: true,
            step_out: true,
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
