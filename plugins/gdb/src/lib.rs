//! C, C++ and other native programs through gdb's own DAP server.
//!
//! `manifest` has the static facts, `commands` the command language, `version` what differs between
//! versions, `target` reads what to debug, `stops` describes stops. The files of `runtime/` run
//! inside gdb and add what its server leaves out; `breakpoints` passes the client's marks to them.
//! Facts come from gdb 16.3 and 18.1.

mod breakpoints;
mod commands;
mod manifest;
mod stops;
mod target;
mod version;

use dapdock_native::build::{self, Build, Next};
use dapdock_native::{cpp, gtest, gtest_failures, programs, projects, rust};
use dapdock_plugin::hooks::{Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Stop, StopView};
use dapdock_plugin::translate::{BreakOn, ExceptionFilter};

use crate::target::Debuggee;
use crate::version::Version;

struct Gdb;

/// The script for gdb; the parts are in the order in which they depend on each other.
const SCRIPT: &str = concat!(
    include_str!("../runtime/settings.py"),
    include_str!("../runtime/patterns.py"),
    include_str!("../runtime/setup.py"),
    include_str!("../runtime/reports.py"),
    include_str!("../../native/runtime/terminal.py"),
    include_str!("../runtime/output.py"),
    include_str!("../../native/runtime/itanium.py"),
    include_str!("../../native/runtime/ends.py"),
    include_str!("../../native/runtime/panics.py"),
    include_str!("../runtime/cpp_exceptions.py"),
    include_str!("../runtime/stops.py"),
    include_str!("../runtime/causes.py"),
    include_str!("../runtime/time_limit.py"),
    include_str!("../../native/runtime/waits.py"),
    include_str!("../runtime/waits.py"),
    include_str!("../../native/runtime/frame_places.py"),
    include_str!("../runtime/unset.py"),
    include_str!("../runtime/line_tables.py"),
    include_str!("../../native/runtime/spans.py"),
    include_str!("../runtime/texts.py"),
    include_str!("../../native/runtime/heap.py"),
    include_str!("../runtime/visualizers.py"),
    include_str!("../runtime/values.py"),
    include_str!("../runtime/characters.py"),
    include_str!("../../native/runtime/library_texts.py"),
    include_str!("../runtime/iterators.py"),
    include_str!("../runtime/library_values.py"),
    include_str!("../runtime/library_calls.py"),
    include_str!("../runtime/hashes.py"),
    include_str!("../runtime/lookups.py"),
    include_str!("../runtime/walks.py"),
    include_str!("../runtime/rust.py"),
    include_str!("../runtime/rust_values.py"),
    include_str!("../runtime/rust_tables.py"),
    include_str!("../runtime/registers.py"),
    include_str!("../runtime/children.py"),
    include_str!("../runtime/rust_calls.py"),
    include_str!("../runtime/rust_texts.py"),
    include_str!("../runtime/syntax.py"),
    include_str!("../runtime/assign.py"),
    include_str!("../runtime/calls.py"),
    include_str!("../runtime/commands.py"),
    include_str!("../runtime/records.py"),
    include_str!("../runtime/execution.py"),
    include_str!("../runtime/rust_functions.py"),
    include_str!("../runtime/marked_breakpoints.py"),
    include_str!("../runtime/unwinding.py"),
    include_str!("../runtime/recording.py"),
);

/// Runs the script.
const START: &str = include_str!("../runtime/start.py");

/// A variable of gdb's own environment: arguments can be read by all users. Further ones, with
/// `_1`, `_2` … behind the name, have what is too long for a single one.
const SETTINGS: &str = "DAPDOCK_SETTINGS";
/// The system takes no string of 128 KiB (execve(2), `MAX_ARG_STRLEN`).
const LONGEST: usize = 120 * 1024;
/// Beyond this sum of lengths, `runtime/output.py` passes the program's arguments on: gdb starts it
/// by a shell, which gets them in one string, with a backslash before most signs.
const LONGEST_ARGUMENTS: usize = 60 * 1024;

impl Adapter for Gdb {
    fn manifest() -> Manifest {
        manifest::manifest()
    }

    /// Claims build tools and shell scripts where no adapter claims machine code more strongly.
    fn detect(project: &Workspace, file: Option<&str>) -> Vec<Detection> {
        let (score, language, reason) = match file {
            Some(path) if build::accepts(project, path) => {
                (40, "c", "a build tool or a shell script")
            }
            _ => return Vec::new(),
        };
        vec![Detection { score, language: language.into(), reason: reason.into() }]
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        let mut targets = programs::sources(project, &query);
        let built = programs::built(project, &query);
        targets.extend(projects::targets(project, &query, &built));
        targets.extend(built);
        targets.extend(gtest::targets(project, &query));
        Ok(targets)
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        if let Some(build) = build(project, &request)? {
            return Ok(build.start(project)?.into());
        }
        let gdb = Found::find(project)?;
        match target::debuggee(&request, &project.root())? {
            Debuggee::Program { path, args } => {
                let program = project.workspace_executable(&path)?;
                Ok(launch(project, &request, gdb, program, args)?.into())
            }
            Debuggee::Source { path, compiler } => Ok(compiler.start(project, &path)?.into()),
            Debuggee::Test(name) => {
                Ok(gtest::start(project, &name, request.cwd.as_deref())?.into())
            }
            Debuggee::None => {
                let settings = Settings { terminal: true, bare: true, ..Settings::default() };
                let mut profile = gdb.version.profile();
                // The user attaches, and sees that stop.
                profile.pause.rules.retain(|rule| rule.reason.as_deref() != Some("attach"));
                profile.evaluate.commands = Some(Box::new(commands::opened()));
                let plan = gdb.plan(project, &request, &settings, json!({}))?;
                Ok(plan.profile(&profile).into())
            }
            Debuggee::Core { program, core } => open_core(project, &request, gdb, &program, &core),
            Debuggee::Pid(pid) => {
                gdb.version.can_attach()?;
                let made_by_rustc = rust::is_compiled_by_rustc(&project.process_compilers());
                let rust = made_by_rustc.then(|| rustc_printers(project)).flatten();
                let settings = Settings { rust, ..Settings::default() };
                let plan = gdb.plan(project, &request, &settings, json!({"pid": pid}))?;
                Ok(plan.attach().into())
            }
            Debuggee::Remote { address, program } => {
                gdb.version.can_attach()?;
                let mut arguments = json!({"target": address});
                let program =
                    program.map(|path| project.workspace_executable(&path)).transpose()?;
                if let Some(program) = &program {
                    arguments["program"] = program.path().into();
                }
                let rust = program.as_ref().and_then(|program| printers(project, program));
                let settings = Settings { remote: true, rust, ..Settings::default() };
                let mut plan = gdb.plan(project, &request, &settings, arguments)?.attach();
                plan.program = program;
                Ok(plan.into())
            }
        }
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        state: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        let mut request = request;
        if let Some(build) = build(project, &request)? {
            let built = match build.resume(project, state, &results)? {
                Next::Build(plan) => return Ok(plan.into()),
                Next::Run(built) => built,
            };
            let (args, notes) = (built.complete(&mut request), built.notes());
            let gdb = Found::find(project)?;
            let mut plan = launch(project, &request, gdb, built.program, args)?;
            plan.notes.extend(notes);
            return Ok(plan.into());
        }
        let (program, args) = match target::debuggee(&request, &project.root())? {
            Debuggee::Source { path, .. } => {
                (projects::compiled(project, &path, &results)?, Vec::new())
            }
            Debuggee::Test(name) => {
                let cwd = request.cwd.as_deref();
                let test = match gtest::resume(project, &name, cwd, state, &results)? {
                    gtest::Next::Build(plan) => return Ok(plan.into()),
                    gtest::Next::Run(test) => test,
                };
                request.cwd = request.cwd.or(test.directory);
                (test.program, test.args)
            }
            _ => {
                return Err(Error::internal("only source files and tests are built"));
            }
        };
        Ok(launch(project, &request, Found::find(project)?, program, args)?.into())
    }
}

/// The launch through a build tool, if the request is one.
fn build(project: &Workspace, request: &DebugRequest) -> Result<Option<Build>, Error> {
    if let Some(TargetRef::Id(name)) = &request.target
        && projects::has_test(project, name)
    {
        return Ok(Some(Build::test(project, name)));
    }
    Build::of(project, request)
}

/// A gdb that is new enough.
struct Found {
    program: Executable,
    version: Version,
}

/// Settings of the script, besides the caller's environment.
#[derive(Default)]
struct Settings {
    /// The program gets a terminal of its own.
    terminal: bool,
    core: bool,
    /// No program is launched: the session is opened for commands.
    bare: bool,
    /// The target is a server of gdb's remote protocol.
    remote: bool,
    /// The directory of Rust's pretty printers.
    rust: Option<String>,
    /// The program's arguments, if they are too long for gdb's launch.
    args: Vec<String>,
}

impl Found {
    fn find(project: &Workspace) -> Result<Self, Error> {
        let program = project.find_executable("gdb")?;
        let version = Version::parse(&program.probe("version")?.stdout)?;
        Ok(Self { program, version })
    }

    fn plan(
        self,
        project: &Workspace,
        request: &DebugRequest,
        settings: &Settings,
        arguments: Value,
    ) -> Result<LaunchPlan, Error> {
        let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
        let env: Vec<Value> =
            request.env.iter().map(|variable| json!([variable.name, variable.value])).collect();
        let json = json!({
            "env": env,
            "terminal": settings.terminal,
            "core": settings.core,
            "bare": settings.bare,
            "remote": settings.remote,
            "stdin": request.stdin,
            "args": settings.args,
            "program": arguments["program"],
            "pid": arguments["pid"],
            "root": project.root(),
            "rust": settings.rust,
            "libraries": rust::library(&[], &[]).paths,
            "record": config["record"].as_bool().unwrap_or(false),
        });
        let [scripts, safe] = manifest::PRINTERS;
        let mut gdb = Command::new(self.program)
            .args(manifest::START)
            .args([scripts, "-iex", safe, "-iex"])
            .joined([manifest::SOURCE.into(), Piece::Asset("start.py".into())]);
        for (name, part) in variables(&ascii(&json)) {
            gdb = gdb.env(&name, part);
        }
        let plan = LaunchPlan::stdio(gdb, arguments)
            .asset("start.py", START.as_bytes())
            .asset("dapdock_script.py", SCRIPT.as_bytes());
        Ok(plan.profile(&self.version.profile()))
    }
}

/// JSON without other characters than those of ASCII, since gdb's Python reads its environment in
/// the encoding of the locale, and without `$`, by which the host knows references in a plan.
fn ascii(json: &Value) -> String {
    let mut text = String::new();
    for c in json.to_string().chars() {
        if c.is_ascii() && c != '$' {
            text.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            text.push_str(&format!("\\u{unit:04x}"));
        }
    }
    text
}

/// The variables for a text of ASCII.
fn variables(text: &str) -> Vec<(String, &str)> {
    let mut variables = Vec::new();
    let mut rest = text;
    while variables.is_empty() || !rest.is_empty() {
        let (part, after) = rest.split_at(rest.len().min(LONGEST));
        let name = match variables.len() {
            0 => SETTINGS.to_owned(),
            number => format!("{SETTINGS}_{number}"),
        };
        variables.push((name, part));
        rest = after;
    }
    variables
}

fn launch(
    project: &Workspace,
    request: &DebugRequest,
    gdb: Found,
    program: Executable,
    mut args: Vec<String>,
) -> Result<LaunchPlan, Error> {
    args.extend(request.args.iter().cloned());
    let is_long = args.iter().map(|one| one.len() + 1).sum::<usize>() > LONGEST_ARGUMENTS;
    let (short, long) =
        if is_long { (Vec::new(), args.clone()) } else { (args.clone(), Vec::new()) };
    let arguments = json!({
        "program": program.path(),
        "args": short,
        "cwd": request.cwd.clone().unwrap_or_else(|| project.root()),
        "stopAtBeginningOfMainSubprogram": request.stop_on_entry,
    });
    let rust = printers(project, &program);
    let settings = Settings { terminal: true, rust, args: long, ..Settings::default() };
    Ok(gdb
        .plan(project, request, &settings, arguments)?
        .program(program)
        .with_endings(gtest_failures::endings(project, &args)))
}

/// A core file with the program that dumped it; it cannot run.
fn open_core(
    project: &Workspace,
    request: &DebugRequest,
    gdb: Found,
    program: &str,
    core: &str,
) -> Result<Resolution, Error> {
    let program = project.workspace_executable(program)?;
    let mut arguments = json!({"program": program.path()});
    if gdb.version.opens_cores() {
        arguments["coreFile"] = core.into();
    } else {
        // DAP before gdb 18 has no argument for a core file; runtime/execution.py reads this.
        arguments["target"] = format!("core:{core}").into();
    }
    gdb.version.can_attach()?;
    let mut profile = gdb.version.profile();
    profile.start.debuggee = schema::Debuggee::Core;
    profile.pause.rules.retain(|rule| rule.reason.as_deref() != Some("attach"));
    let settings =
        Settings { core: true, rust: printers(project, &program), ..Settings::default() };
    let plan = gdb.plan(project, request, &settings, arguments)?.attach().program(program);
    Ok(plan.profile(&profile).into())
}

/// The directory of rustc's pretty printers, for a program that rustc compiled.
fn printers(project: &Workspace, program: &Executable) -> Option<String> {
    if rust::is_compiled_by_rustc(&program.compilers()) { rustc_printers(project) } else { None }
}

fn rustc_printers(project: &Workspace) -> Option<String> {
    Some(format!("{}/lib/rustlib/etc", rust::sysroot(project)?))
}

impl Hooks for Gdb {
    fn on_request(_: &Session, request: Request) -> RequestAction {
        if let Some(arguments) = request.of::<dap::SetBreakpoints>() {
            return match breakpoints::lines(arguments) {
                Some(marked) => RequestAction::replaced::<dap::SetBreakpoints>(marked),
                None => RequestAction::Unchanged,
            };
        }
        let functions = request.of::<dap::SetFunctionBreakpoints>();
        match functions.and_then(breakpoints::functions) {
            Some(marked) => RequestAction::replaced::<dap::SetFunctionBreakpoints>(marked),
            None => RequestAction::Unchanged,
        }
    }

    fn on_response(_: &Session, request: Request, response: Response) -> ResponseAction {
        let Some(message) = response.failure() else { return ResponseAction::Unchanged };
        let error = if request.is::<dap::Evaluate>() {
            Some(Error::invalid_request(stops::plain_error(message)))
        } else if request.is::<dap::StepOut>() {
            stops::outermost(message)
        } else {
            stops::start_error(message)
        };
        error.map(ResponseAction::failed).unwrap_or_default()
    }
}

impl Present for Gdb {
    fn stop(session: &Session, stop: &Stop) -> Option<StopView> {
        let arguments: Value = serde_json::from_str(&session.arguments()).unwrap_or_default();
        let target = arguments["target"].as_str().unwrap_or_default();
        let core = !arguments["coreFile"].is_null() || target.starts_with("core:");
        stops::panic(stop).or_else(|| stops::exception(stop)).or_else(|| stops::view(stop, core))
    }
}

impl Translate for Gdb {
    fn exception_filters(
        _: &Session,
        want: &[BreakOn],
        types: &[String],
        offered: &[dap::ExceptionFilter],
    ) -> Result<Option<Vec<ExceptionFilter>>, Error> {
        Ok(cpp::exception_filters(want, types, offered, "throw", |names| {
            let names = names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>();
            format!("$_throws({})", names.join(", "))
        }))
    }
}

dapdock_plugin::export!(Gdb: hooks, present, translate);
