//! C, C++ and other machine code through gdb's own DAP server.
//!
//! `manifest` holds what a table can say, `version` what differs between versions, `target` reads
//! what the caller wants to debug, `stops` reads stops. `session.py` runs inside gdb and tells what
//! its server leaves out. Facts come from gdb 16.3 and 18.1.

mod check;
mod manifest;
mod stops;
mod target;
mod version;

use dapdock_plugin::hooks::{Request, Response, ResponseAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Stop, StopView};
use dapdock_plugin::schema::{Profile, StopRule};
use dapdock_plugin::{gtest, programs, rust, source};

use crate::target::Wish;
use crate::version::Version;

struct Gdb;

/// Runs inside gdb as one script, behind its settings: its parts in the order in which they build
/// on each other.
const SESSION: &str = concat!(
    include_str!("session/begin.py"),
    include_str!("session/output.py"),
    include_str!("../../sdk/src/thrown.py"),
    include_str!("session/thrown.py"),
    include_str!("session/stops.py"),
    include_str!("session/values.py"),
    include_str!("session/assign.py"),
    include_str!("session/calls.py"),
    include_str!("session/moves.py"),
);

impl Adapter for Gdb {
    fn manifest() -> Manifest {
        manifest::manifest()
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        let mut targets = programs::sources(project, &query);
        targets.extend(programs::built(project, &query));
        targets.extend(gtest::targets(project, &query));
        Ok(targets)
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        let gdb = Found::find(project)?;
        match target::wish(&request, &project.root())? {
            Wish::Program { path, args } => {
                let program = project.workspace_executable(&path)?;
                Ok(launch(project, &request, gdb, program, args)?.into())
            }
            Wish::Source { path, compiler } => Ok(compiler.start(project, &path)?.into()),
            Wish::Test(name) => Ok(gtest::start(project, &name, request.cwd.as_deref())?.into()),
            Wish::Core { program, core } => look_into(project, &request, gdb, &program, &core),
            Wish::Pid(pid) => {
                gdb.version.can_attach()?;
                let made_by_rustc = rust::compiled(&project.process_compilers());
                let rust = made_by_rustc.then(|| rustc_printers(project)).flatten();
                let inside = Inside { rust, ..Inside::default() };
                let plan = gdb.plan(project, &request, &inside, json!({"pid": pid}))?;
                Ok(plan.attach().into())
            }
            Wish::Remote { address, program } => {
                gdb.version.can_attach()?;
                let mut arguments = json!({"target": address});
                let program =
                    program.map(|path| project.workspace_executable(&path)).transpose()?;
                if let Some(program) = &program {
                    arguments["program"] = program.path().into();
                }
                let rust = program.as_ref().and_then(|program| printers(project, program));
                let inside = Inside { remote: true, rust, ..Inside::default() };
                let mut plan = gdb.plan(project, &request, &inside, arguments)?.attach();
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
        let (program, args) = match target::wish(&request, &project.root())? {
            Wish::Source { path, .. } => (source::made(project, &path, &results)?, Vec::new()),
            Wish::Test(name) => {
                let test = gtest::chosen(project, &name, state, &results)?;
                request.cwd = request.cwd.or(test.directory);
                (test.program, test.args)
            }
            _ => {
                return Err(Error::internal(
                    "only source files are compiled, and only tests asked for",
                ));
            }
        };
        Ok(launch(project, &request, Found::find(project)?, program, args)?.into())
    }
}

/// A gdb that is new enough.
struct Found {
    program: Executable,
    version: Version,
}

/// What session.py is to know, beside the caller's environment.
#[derive(Default)]
struct Inside {
    /// The program gets a terminal of its own.
    terminal: bool,
    core: bool,
    /// What speaks gdb's remote protocol.
    remote: bool,
    /// Where the pretty printers of its Rust are.
    rust: Option<String>,
}

impl Found {
    fn find(project: &Workspace) -> Result<Self, Error> {
        let program = project.find_executable("gdb")?;
        let version = Version::read(&program.probe("version")?.stdout)?;
        Ok(Self { program, version })
    }

    fn plan(
        self,
        project: &Workspace,
        request: &DebugRequest,
        inside: &Inside,
        arguments: Value,
    ) -> Result<LaunchPlan, Error> {
        let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
        let env: Vec<Value> =
            request.env.iter().map(|variable| json!([variable.name, variable.value])).collect();
        let settings = json!({
            "env": env,
            "terminal": inside.terminal,
            "core": inside.core,
            "remote": inside.remote,
            "stdin": request.stdin,
            "program": arguments["program"],
            "root": project.root(),
            "rust": inside.rust,
            "record": config["record"].as_bool().unwrap_or(false),
        });
        // JSON within a JSON string, which Python reads as a string of its own.
        let script = format!(
            "import json\n\nsettings = json.loads({})\n{SESSION}",
            Value::String(settings.to_string())
        );
        let [scripts, safe] = manifest::PRINTERS;
        let gdb = Command::new(self.program)
            .args(manifest::START)
            .args([scripts, "-iex", safe, "-iex"])
            .joined([manifest::SOURCE.into(), Piece::Asset("session.py".into())]);
        let plan = LaunchPlan::stdio(gdb, arguments).asset("session.py", script.as_bytes());
        Ok(plan.profile(&self.version.profile()))
    }
}

fn launch(
    project: &Workspace,
    request: &DebugRequest,
    gdb: Found,
    program: Executable,
    mut args: Vec<String>,
) -> Result<LaunchPlan, Error> {
    args.extend(request.args.iter().cloned());
    let arguments = json!({
        "program": program.path(),
        "args": args,
        "cwd": request.cwd.clone().unwrap_or_else(|| project.root()),
        "stopAtBeginningOfMainSubprogram": request.stop_on_entry,
    });
    let inside = Inside { terminal: true, rust: printers(project, &program), ..Inside::default() };
    Ok(gdb
        .plan(project, request, &inside, arguments)?
        .program(program)
        .means(gtest::unmatched(project, &args)))
}

/// A program that has ended: it stands where it did, and goes nowhere.
fn look_into(
    project: &Workspace,
    request: &DebugRequest,
    gdb: Found,
    program: &str,
    core: &str,
) -> Result<Resolution, Error> {
    let program = project.workspace_executable(program)?;
    let mut arguments = json!({"program": program.path()});
    match gdb.version.opens_cores() {
        true => arguments["coreFile"] = core.into(),
        // session.py: `core-file` has no word of its own there.
        false => arguments["target"] = format!("core:{core}").into(),
    }
    gdb.version.can_attach()?;
    let profile = gdb.version.profile();
    let inside = Inside { core: true, rust: printers(project, &program), ..Inside::default() };
    let stays = |rule: &StopRule| rule.reason.as_deref() != Some("attach");
    let stops = profile.stops.iter().filter(|rule| stays(rule)).cloned().collect();
    let plan = gdb.plan(project, request, &inside, arguments)?.attach().program(program);
    Ok(plan.profile(&Profile { stops, ended_before: true, ..profile }).into())
}

/// The directory of rustc's pretty printers, for what rustc has made.
fn printers(project: &Workspace, program: &Executable) -> Option<String> {
    if rust::compiled(&program.compilers()) { rustc_printers(project) } else { None }
}

fn rustc_printers(project: &Workspace) -> Option<String> {
    Some(format!("{}/lib/rustlib/etc", rust::sysroot(project)?))
}

impl Hooks for Gdb {
    fn on_response(_: &Session, request: Request, response: Response) -> ResponseAction {
        let Some(message) = response.failure() else { return ResponseAction::Unchanged };
        let error = match request.is::<dap::Evaluate>() {
            true => Some(Error::invalid_request(stops::plain_error(message))),
            false => stops::refused(message),
        };
        error.map(ResponseAction::failed).unwrap_or_default()
    }
}

impl Present for Gdb {
    fn stop(session: &Session, stop: &Stop) -> Option<StopView> {
        let arguments: Value = serde_json::from_str(&session.arguments()).unwrap_or_default();
        let target = arguments["target"].as_str().unwrap_or_default();
        let core = !arguments["coreFile"].is_null() || target.starts_with("core:");
        stops::panic(stop).or_else(|| stops::thrown(stop)).or_else(|| stops::view(stop, core))
    }
}

dapdock_plugin::export!(Gdb: hooks, present);
