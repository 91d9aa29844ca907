//! The manifest and the profile of debugpy. Knows nothing of a request.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::*;

use crate::attach::CHECK;
use crate::check;
use crate::collection::COLLECT;
use crate::install::{self, TOOL};
use crate::python::isolated;
use crate::syntax::PARSE;
use crate::{python, runner, wrappers};

/// Prints debugpy's version, from JSON in its `_version.py`, without importing debugpy: the import
/// takes four times as long as starting Python. A debugpy that the usual finder does not see is
/// imported.
const FIND: &str = isolated!(
    "from importlib.machinery import PathFinder as f
found = f.find_spec('debugpy')
if found and not found.parent: raise SystemExit('debugpy is a file here, and no package')
try: print(open(found.origin[:-len('__init__.py')] + '_version.py').read())
except Exception: print(__import__('debugpy').__version__)"
);

/// Prints the version that debugpy reports when it is imported.
const VERSION: &str = isolated!("import debugpy; print(debugpy.__version__)");

/// Exit code 0: the interpreter can import pytest.
const PYTEST: &str =
    isolated!("import importlib.util as u; raise SystemExit(u.find_spec('pytest') is None)");

/// A slice of any iterable; of a mapping with its keys. Calls nothing that `effects.py` refuses,
/// nor methods of a type derived from a builtin one, and no Python code for each element before.
const SLICE: &str = "(lambda all: \
    dict(__import__('itertools').islice(dict.items(all), {start}, {end})) \
    if isinstance(all, dict) else [list(kind.__getitem__(all, slice({start}, {end}))) \
    for kind in (list, tuple, str, bytes, bytearray) if isinstance(all, kind)][0] \
    if isinstance(all, (list, tuple, str, bytes, bytearray)) \
    else [dict(zip(all.columns.tolist(), row)) for row in \
    all.iloc[{start}:{end}].itertuples(index=False, name=None)] \
    if type(all).__name__ == 'DataFrame' \
    else all.iloc[{start}:{end}].tolist() if type(all).__name__ == 'Series' \
    else all[{start}:{end}].tolist() \
    if type(all).__name__ == 'ndarray' and all.ndim == 1 and all.dtype.kind in 'biuOSUV' \
    else list(all[{start}:{end}]) if type(all).__name__ == 'ndarray' \
    else list(__import__('itertools').islice(all, {start}, {end})))({expr})";

fn probe(id: &str, tool: &str, script: &str) -> Probe {
    let args = words([python::IGNORE_ENVIRONMENT, "-c", script]);
    Probe { id: id.into(), tool: tool.into(), args, ..Probe::default() }
}

/// The oldest versions: debugpy 1.8 imports modules that are new in Python 3.8, in the adapter's
/// and in the program's interpreter (`debugpy/common/log.py`, `importlib.metadata`).
fn needs() -> Vec<Need> {
    let named = ["python", TOOL].map(|tool| {
        (tool, format!("{}, or name it in [tools.{tool}] path", python::install_hint()))
    });
    let own = ("workspace", format!("run it with Python {} or newer", python::oldest()));
    let need = |(tool, install): (&str, String)| Need {
        probe: python::version_probe(tool),
        pattern: python::VERSION.into(),
        oldest: python::oldest(),
        install,
        ..Need::default()
    };
    let debugpy = Need {
        probe: "installed-version".into(),
        library: "debugpy".into(),
        pattern: r"(\d[\w.]*)".into(),
        oldest: python::OLDEST.into(),
        install: format!("name an interpreter with a newer debugpy in [tools.{TOOL}] path"),
    };
    named.into_iter().chain([own]).map(need).chain([debugpy]).collect()
}

fn filter(name: &str, filter: &str, default: bool) -> ExceptionBreak {
    ExceptionBreak { name: name.into(), filters: words([filter]), default }
}

pub fn manifest() -> Manifest {
    Manifest {
        name: "debugpy".into(),
        title: "Python through debugpy".into(),
        languages: vec![Language {
            name: "python".into(),
            extensions: words(["py", "pyw", "pyc"]),
            // A server's command is a module of that name.
            commands: words([
                "python", "debugpy", "pytest", "flask", "fastapi", "uvicorn", "gunicorn",
            ]),
            project_files: words([
                "pyproject.toml",
                "setup.py",
                "setup.cfg",
                "requirements.txt",
                "Pipfile",
                "pytest.ini",
                "manage.py",
            ]),
            entries: words(["__main__.py"]),
            named_tests: true,
            test_command: Some("pytest -k {test}".into()),
            ..Language::default()
        }],
        tools: tools(),
        installs: vec![install::install()],
        checks: vec![check::check()],
        version: Some(VersionProbe {
            probe: "version".into(),
            pattern: r"(\d[\w.]*)".into(),
            ..VersionProbe::default()
        }),
        needs: needs(),
        probes: probes(),
        commands: commands(),
        programs: words(["python"]),
        permissions: Permissions {
            env: words(["PATH", "PYTHONPATH", "VIRTUAL_ENV", runner::ADDED]),
        },
        config_schema: Some(json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "just_my_code": {
                    "type": "boolean",
                    "description": "Step into and show only the program's own code, \
                                    not libraries. Default: true.",
                },
            },
        })),
        stdin: true,
        addresses: true,
        servers: words(["python", "pypy"]),
        wrappers: wrappers::wrappers(),
        cores: false,
        configurations: configurations(),
        exceptions: vec![filter("uncaught", "uncaught", true), filter("all", "raised", false)],
        exception_types: Some(ExceptionTypes {
            pattern: r"^([A-Za-z_]\w*\.)+[A-Za-z_]\w*$|^[A-Z]\w*$".into(),
            examples: "KeyError, json.JSONDecodeError".into(),
        }),
        interests: Interests {
            requests: words([
                "configurationDone",
                "evaluate",
                "setExceptionBreakpoints",
                "setBreakpoints",
                "setFunctionBreakpoints",
                "setExpression",
                "setVariable",
            ]),
            responses: words(["setBreakpoints"]),
            present: words(["variables"]),
            translate: words(["breakpoint", "exception-filters"]),
            ..Interests::default()
        },
        profile: profile(),
        documents: vec![Document::new(
            "reference",
            "Debugging with debugpy",
            include_str!("../documents/reference.md"),
        )],
    }
}

fn commands() -> Vec<CommandTemplate> {
    let template = |tool: &str, args| CommandTemplate { tool: tool.into(), args };
    let adapter = |tool| {
        let [ignore, script, check] = CHECK;
        [words(python::ADAPTER), words([ignore, script, check, "{}"])]
            .map(|args| template(tool, args))
    };
    let programs = ["python", "workspace"].map(str::to_owned).into_iter().chain(python::versions());
    let collect = programs.map(|tool| template(&tool, words(COLLECT)));
    ["python", "workspace", TOOL].into_iter().flat_map(adapter).chain(collect).collect()
}

fn tools() -> Vec<Tool> {
    let tool = |name: &str, install: &str| Tool {
        name: name.into(),
        install: install.into(),
        ..Tool::default()
    };
    let python =
        "install Python 3 with its venv module (Debian, Ubuntu: `apt install python3-venv`)";
    let mut tools = vec![
        Tool { candidates: words(["python3", "python"]), ..tool("python", python) },
        tool(TOOL, "python3 -m pip install debugpy"),
        tool("gdb", "install gdb: attaching by pid needs it"),
    ];
    tools.extend(python::versions().map(|name| tool(&name, python::BY_PATH)));
    tools
}

fn probes() -> Vec<Probe> {
    let mut probes = vec![
        probe("debugpy", "python", FIND),
        probe("own-debugpy", "workspace", FIND),
        probe("pytest", "python", PYTEST),
        probe("own-pytest", "workspace", PYTEST),
        probe("expression", "python", PARSE),
        probe("version", "python", VERSION),
        probe("installed-version", TOOL, VERSION),
    ];
    probes.extend(python::versions().map(|name| probe(&name, &name, "")));
    probes.extend(["python", "workspace", TOOL].map(|tool| Probe {
        id: python::version_probe(tool),
        tool: tool.into(),
        args: words(["--version"]),
        ..Probe::default()
    }));
    probes
}

pub fn profile() -> Profile {
    Profile {
        start: StartProfile {
            assets: Assets::Cached,
            // A child session connects to the adapter's listener, the `connect` of its
            // configuration (`adapter/clients.py`, `notify_of_subprocess`). A child that is refused
            // runs undebugged (`adapter/servers.py`).
            children: Children::One,
            ..StartProfile::default()
        },
        breakpoints: BreakpointProfile {
            // Module `breakpoints` translates both. pydevd's own log messages have no thread, are
            // evaluated even if the condition is false, and one failing expression replaces the
            // whole line (`PyDB.handle_breakpoint_expression`); its own hit count ignores the
            // condition (`PyDB.handle_breakpoint_condition`).
            log_points: LogPoints::Plugin,
            hit_counts: HitCounts::Plugin,
            // Even for a missing file and for line 99999.
            verification: Verification::Always,
            ..BreakpointProfile::default()
        },
        evaluate: EvaluateProfile {
            errors: ErrorText::LastLine,
            trace: Some("Traceback (most recent call last)".into()),
            ..EvaluateProfile::default()
        },
        values: ValueProfile {
            adds_members: true,
            // Lists end after 100 elements, dicts and sets after 500 (pydevd_constants.py), with
            // one more child for the rest and one for the length (pydevd_resolver.py).
            elements: Elements {
                at_once: 100,
                count: Some("len()".into()),
                rest: words(["more", "Unable to handle:"]),
                pages: Pages::Slice(SLICE.into()),
            },
            // The group of `listing.py`; without it, those of methods and class attributes in an
            // object or module (pydevd_resolver.py).
            hidden: words(["imports and definitions", "function variables", "class variables"]),
            ..ValueProfile::default()
        },
        frames: FrameProfile {
            library: LibraryRule {
                paths: words(["/site-packages/", "/dist-packages/", "/lib/python3", "<frozen "]),
                ..LibraryRule::default()
            },
            // Lines in the text of an exception that stops where it leaves user code
            // (pydevd_comm.py).
            suffixes: words([" (Current frame)", "       (note: full exception trace"]),
            // After half a second debugpy returns the stack of a running thread
            // (`InternalGetThreadStack`). A thread that waits for a lock, a socket or a sleep runs
            // no Python code, so it suspends only after the wait.
            stacks: Stacks::Running,
            ..FrameProfile::default()
        },
        leave: LeaveProfile {
            // debugpy does not reply, and adapter, launcher and debuggee stay for ever.
            launched: LeaveLaunched::Impossible,
            // A debuggee ended by a signal reports 256 - signal: 247 after SIGKILL.
            exit_code: ExitCode::NegativeSignal,
            ..LeaveProfile::default()
        },
        ..Profile::default()
    }
}

/// <https://code.visualstudio.com/docs/python/debugging#_set-configuration-options>
fn configurations() -> Configurations {
    let module = ConfiguredCommand {
        key: "module".into(),
        value: None,
        words: words(["python", "-m", "{module}"]),
    };
    Configurations {
        types: words(["debugpy", "python"]),
        names: pairs([("connect.host", "host"), ("connect.port", "port")]),
        options: pairs([("justMyCode", "just_my_code")]),
        commands: vec![module],
        ..Configurations::default()
    }
}
