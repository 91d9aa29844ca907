//! Rust, C and C++ through CodeLLDB.
//!
//! `manifest` holds what a table can say, `target` reads what the caller wants to run, `order`
//! takes a cargo command apart, `cargo` builds it, `refused` says why it does not, `stops` names
//! panics and signals, `expression` reads what the caller wants computed, and `scripts` names the
//! Python that computes it within LLDB. Facts come from CodeLLDB 1.11.8 (LLDB 20) with rustc 1.95.

mod aimed;
mod cargo;
mod check;
mod ends;
mod expression;
mod functions;
mod install;
mod manifest;
mod order;
mod refused;
mod scripts;
mod stops;
mod target;
mod types;

use dapdock_plugin::hooks::{Event, EventAction, Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Stop, StopView, Thread, ThreadView, Variable, VariableView};
use dapdock_plugin::rust;
use dapdock_plugin::source;
use dapdock_plugin::translate::{BreakpointText, EvaluateIntent, Evaluation};
use dapdock_plugin::{crates, files, gtest, path, programs};

use crate::target::Wish;

struct CodeLldb;

/// C's and C++'s end after 1,024 letters otherwise; Rust's are read by rust_values.py, as far as
/// this.
const TEXTS: &str = "settings set target.max-string-summary-length 131072";

impl Adapter for CodeLldb {
    fn manifest() -> Manifest {
        manifest::manifest()
    }

    /// Sources: machine code is claimed by the manifest.
    fn detect(project: &Workspace, file: Option<&str>) -> Vec<Detection> {
        let claim = |score, language: &str, reason: &str| {
            vec![Detection { score, language: language.into(), reason: reason.into() }]
        };
        match file {
            Some(path) if path.ends_with(".rs") => claim(90, "rust", "a Rust source file"),
            // Where nobody claims it by its extension.
            Some(path) if source::C.reads(path) => claim(45, "c", "a C source file"),
            Some(path) if source::CPP.reads(path) => claim(45, "c++", "a C++ source file"),
            None if project.stat("Cargo.toml").is_some() => {
                claim(80, "rust", "the workspace has a Cargo.toml")
            }
            _ => Vec::new(),
        }
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        let mut targets = crates::targets(project, &query);
        targets.extend(gtest::targets(project, &query));
        targets.extend(programs::built(project, &query));
        Ok(targets)
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        if let Some(TargetRef::Pid(pid)) = request.target {
            let arguments = json!({"type": "lldb", "request": "attach", "pid": pid});
            let rust = rust::compiled(&project.process_compilers());
            return Ok(plan(project, arguments, &request, rust)?.attach().into());
        }
        match wish(project, &request)? {
            Wish::Program { path, args } => {
                let executable = project.workspace_executable(&path)?;
                let rust = rust::compiled(&executable.compilers());
                let unmatched =
                    gtest::unmatched(project, &[args.clone(), request.args.clone()].concat());
                let arguments = launch(&executable.path(), args, request.cwd.clone(), &request);
                Ok(plan(project, arguments, &request, rust)?
                    .program(executable)
                    .means(unmatched)
                    .into())
            }
            Wish::Core { program, core } => {
                Ok(look_into(project, &request, &program, &core)?.into())
            }
            Wish::Remote { address, program } => {
                Ok(join(project, &request, &address, &program)?.into())
            }
            Wish::Source { path, compiler } => Ok(compiler.start(project, &path)?.into()),
            Wish::GoogleTest(name) => {
                Ok(gtest::start(project, &name, request.cwd.as_deref())?.into())
            }
            Wish::Cargo(order) => Ok(cargo::build(project, &order)?.into()),
        }
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        state: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        let mut order = match wish(project, &request)? {
            Wish::Cargo(order) => order,
            Wish::Source { path, compiler } => {
                let executable = source::made(project, &path, &results)?;
                let arguments =
                    launch(&executable.path(), Vec::new(), request.cwd.clone(), &request);
                return Ok(plan(project, arguments, &request, *compiler == source::RUST)?
                    .program(executable)
                    .into());
            }
            Wish::GoogleTest(name) => {
                let test = gtest::chosen(project, &name, state, &results)?;
                let cwd = request.cwd.clone().or(test.directory);
                let arguments = launch(&test.program.path(), test.args, cwd, &request);
                return Ok(plan(project, arguments, &request, false)?.program(test.program).into());
            }
            _ => return Err(Error::internal("only packages, sources and tests are built")),
        };
        let built = match cargo::built(project, &order, state, &results)? {
            cargo::Next::Build(plan) => return Ok(plan.into()),
            cargo::Next::Run(built) => built,
        };
        let executable = project.build_output(built.step, &built.path)?;
        // Cargo runs a test in its package.
        let cwd = request.cwd.clone().filter(|_| !order.by_name).or(built.directory);
        let ignored = cargo::ignored(&order);
        (order.filter, order.exact) = (built.named.or(order.filter), built.exact);
        let arguments = launch(&executable.path(), order.program_args(), cwd, &request);
        let mut plan = plan(project, arguments, &request, true)?.program(executable).means(ignored);
        plan.notes.extend(built.note);
        Ok(plan.into())
    }
}

/// What to run. A test that sources show is built in its own package alone; where nothing is of
/// cargo, it is GoogleTest's.
fn wish(project: &Workspace, request: &DebugRequest) -> Result<Wish, Error> {
    let root = project.root();
    if let Some(TargetRef::Id(name)) = &request.target {
        let here = request.cwd.as_deref().and_then(|cwd| cwd.strip_prefix(&format!("{root}/")));
        if let Some((id, package)) = crates::find(project, name, here) {
            let directory = if package.is_empty() { root } else { path::join(&root, &package) };
            return Ok(Wish::Cargo(target::test_of(&id, &directory)));
        }
        let of_cargo =
            || files::own(project, |path| path == "Cargo.toml" || path.ends_with("/Cargo.toml"));
        if gtest::knows(project, name) || (gtest::is_used(project) && of_cargo().is_empty()) {
            return Ok(Wish::GoogleTest(name.clone()));
        }
    }
    target::wish(request, |path| project.stat(path), &root)
}

fn launch(
    program: &str,
    mut args: Vec<String>,
    cwd: Option<String>,
    request: &DebugRequest,
) -> Value {
    args.extend(request.args.iter().cloned());
    let set =
        request.env.iter().filter_map(|one| Some((one.name.clone(), one.value.clone()?.into())));
    let mut arguments = json!({
        "type": "lldb",
        "request": "launch",
        "program": program,
        "args": args,
        "env": set.collect::<serde_json::Map<String, Value>>(),
        // "integrated" and "external" need a helper that the package lacks.
        "terminal": "console",
    });
    if let Some(cwd) = cwd {
        arguments["cwd"] = cwd.into();
    }
    arguments
}

/// A program that has ended: it stands where it did, and goes nowhere.
/// <https://github.com/vadimcn/codelldb/blob/master/MANUAL.md#loading-a-core-dump>
fn look_into(
    project: &Workspace,
    request: &DebugRequest,
    program: &str,
    core: &str,
) -> Result<LaunchPlan, Error> {
    let executable = project.workspace_executable(program)?;
    let rust = rust::compiled(&executable.compilers());
    let create = format!("target create -c {} {}", word(core), word(&executable.path()));
    let arguments = json!({
        "type": "lldb", "request": "launch", "targetCreateCommands": [create], "processCreateCommands": [],
    });
    Ok(plan(project, arguments, request, rust)?.program(executable))
}

/// A program behind a server of gdb's remote protocol, which holds it; it is had run, as what is
/// attached to by its pid.
/// <https://github.com/vadimcn/codelldb/blob/master/MANUAL.md#connecting-to-a-gdbserver-style-agent>
fn join(
    project: &Workspace,
    request: &DebugRequest,
    address: &str,
    program: &str,
) -> Result<LaunchPlan, Error> {
    let executable = project.workspace_executable(program)?;
    let rust = rust::compiled(&executable.compilers());
    let arguments = json!({
        "type": "lldb", "request": "attach",
        "targetCreateCommands": [format!("target create {}", word(&executable.path()))],
        "processCreateCommands": [SYNCHRONOUS, format!("gdb-remote {address}")],
    });
    Ok(plan(project, arguments, request, rust)?.attach().program(executable))
}

/// `gdb-remote` is to return once the process stands: CodeLLDB asks right away whether it lives
/// (debug_session/launch.rs, `check_process_create_commands`), and sets the mode back itself
/// (`exec_commands`).
const SYNCHRONOUS: &str = "script lldb.debugger.SetAsync(False)";

/// A word of a command of LLDB's, which evaluates what stands in backticks
/// (CommandInterpreter::PreprocessCommand).
fn word(path: &str) -> String {
    let plain = path.replace('\\', r"\\").replace('"', r#"\""#).replace('`', r"\`");
    format!("\"{plain}\"")
}

/// The adapter dials back (no race for a free port). Its console takes expressions.
fn plan(
    project: &Workspace,
    mut arguments: Value,
    request: &DebugRequest,
    rust: bool,
) -> Result<LaunchPlan, Error> {
    let mut adapter = Command::new(project.find_executable("codelldb")?)
        .arg("--connect")
        .arg(Piece::named("port:dap"))
        .args(["--settings", manifest::SETTINGS]);
    if let Some(path) = path_with_rustc(project) {
        adapter = adapter.env("PATH", path);
    }
    adapter = adapter.without_env([PYTHON_PATH]);
    with_project_settings(project, request, &mut arguments);
    // The program inherits the adapter's environment; `env` can only add to it.
    adapter.env.extend(request.env.iter().filter(|one| one.value.is_none()).cloned());
    // Both, for the exceptions of both; rust_values.py finds out which it is.
    arguments["sourceLanguages"] = json!(["rust", "cpp"]);
    let mut commands = vec![TEXTS.to_owned()];
    // Before the others, which read by what it mends.
    let core = arguments["processCreateCommands"] == json!([]);
    commands.extend(core.then(|| scripts::load("core.py")));
    commands.extend(["compiled.py", "operators.py", "optionals.py"].map(scripts::load));
    let by_module = [scripts::load("rust_values.py"), scripts::load("passes.py")];
    match arguments["request"] == "attach" {
        // Before there is no module to ask.
        true => {
            let mut after = by_module.to_vec();
            let pid = arguments["pid"].as_u64();
            commands.extend(
                pid.iter()
                    .flat_map(|pid| [scripts::load("permitted.py"), format!("permitted {pid}")]),
            );
            // What is joined by its address is not had run by the adapter.
            let joins = arguments["processCreateCommands"][1]
                .as_str()
                .and_then(|words| words.rsplit(':').next());
            let watch = |port: &str| {
                [format!("script import link; link.watch({port})"), "process continue".to_owned()]
            };
            after.extend(joins.into_iter().flat_map(watch));
            arguments["postRunCommands"] = json!(after);
        }
        // Without a path LLDB opens a terminal for it (Target::FinalizeFileActions), at which
        // nobody ever types; `stdio` of the arguments does not change that.
        false => {
            commands.extend(by_module);
            commands.push(input(request.stdin.as_deref()));
        }
    }
    if rust {
        // Breakpoints are set before the others are loaded.
        arguments["initCommands"] = json!([scripts::load("functions.py")]);
    }
    if request.stop_on_entry {
        commands.push(scripts::load("entry.py"));
    }
    arguments["preRunCommands"] = json!(commands);
    let joined = arguments["processCreateCommands"][0].is_string();
    let mut plan = LaunchPlan::dials_back(adapter, "dap", arguments);
    plan.state =
        Some(json!({"rust": rust, "core": core, "joined": joined, "held": joined}).to_string());
    Ok(scripts::added(plan))
}

/// It is set for the program. LLDB's own Python is of another version, and would import from there.
const PYTHON_PATH: &str = "PYTHONPATH";

/// Arguments in place of what the adapter took from the workspace's root as its working directory,
/// and from PYTHONPATH.
fn with_project_settings(project: &Workspace, request: &DebugRequest, arguments: &mut Value) {
    arguments["relativePathBase"] = project.root().into();
    // Its rust.py would run rustc in its own directory, where rustup does not find the project's
    // rust-toolchain.toml.
    if let Some(sysroot) = rust::sysroot(project) {
        arguments["_adapterSettings"] =
            json!({"scriptConfig": {"lang": {"rust": {"sysroot": sysroot}}}});
    }
    if arguments["program"].is_string() && arguments["cwd"].is_null() {
        arguments["cwd"] = project.root().into();
    }
    let overridden = request.env.iter().any(|one| one.name == PYTHON_PATH);
    if let Some(path) = project.env(PYTHON_PATH).filter(|_| !overridden)
        && let Some(env) = arguments["env"].as_object_mut()
    {
        env.insert(PYTHON_PATH.into(), path.into());
    }
}

/// What the program reads. The rest of the line is the path as it is
/// (`OptionValueFileSpec::SetValueFromString`).
fn input(file: Option<&str>) -> String {
    format!("settings set target.input-path {}", file.unwrap_or("/dev/null"))
}

/// The adapter asks `rustc` on its PATH where the formatters are, and shows raw
/// structs without a word when there is none (lang_support/rust.py).
fn path_with_rustc(project: &Workspace) -> Option<String> {
    let rustc = project.find_executable("rustc").ok()?.path();
    let (directory, _) = rustc.rsplit_once('/')?;
    Some(format!("{directory}:{}", project.env("PATH").unwrap_or_default()))
}

impl Hooks for CodeLldb {
    fn on_request(session: &Session, request: Request) -> RequestAction {
        let mut state = state(session);
        if let Some(asked) = request.of::<dap::SetFunctionBreakpoints>() {
            let none = asked.breakpoints.is_empty() && state["hits"].is_null();
            let settles = state["rust"] == true && !none;
            return if settles { functions::on_request(asked) } else { RequestAction::Unchanged };
        }
        if request.is::<dap::ExceptionInfo>() {
            return RequestAction::in_turn([Request::new::<dap::Evaluate>(scripts::thrown())]);
        }
        if let Some(action) = aimed::on_request(&mut state, &request) {
            session.set_state(&state.to_string());
            return action;
        }
        if request.is::<dap::Pause>() {
            return RequestAction::in_turn([Request::new::<dap::Evaluate>(scripts::interrupt())]);
        }
        if request.is::<dap::Disconnect>() {
            state["left"] = true.into();
            session.set_state(&state.to_string());
        }
        RequestAction::Unchanged
    }

    fn on_event(session: &Session, event: Event) -> EventAction {
        let mut state = state(session);
        let action = ends::on_event(&mut state, &event);
        if let Some(action) = action.or_else(|| aimed::on_event(&mut state, &event)) {
            session.set_state(&state.to_string());
            return action;
        }
        if event.name() == functions::HITS {
            state["hits"] = event.raw()["hits"].clone();
            session.set_state(&state.to_string());
            return EventAction::swallowed();
        }
        let Some(stopped) = event.of::<dap::Stopped>() else { return EventAction::Unchanged };
        if held(&state, &stopped) {
            state["held"] = false.into();
            session.set_state(&state.to_string());
            return EventAction::swallowed();
        }
        let told = functions::stopped(&state["hits"], stopped);
        told.map(|body| EventAction::replaced([Event::new(body)])).unwrap_or_default()
    }

    fn on_response(session: &Session, request: Request, response: Response) -> ResponseAction {
        if request.is::<dap::Disconnect>() {
            return ends::parted(&state(session), &request);
        }
        if let Some(message) = response.failure() {
            ends::note_unheard(session, message);
            let starts = request.is::<dap::Launch>() || request.is::<dap::Attach>();
            let plain =
                || ResponseAction::failed(Error::invalid_request(stops::plain_error(message)));
            return if starts { stops::start_error(message) } else { plain() };
        }
        if request.of::<dap::Evaluate>().is_some_and(|asked| asked == scripts::thrown()) {
            let told = response
                .of::<dap::Evaluate>()
                .and_then(|body| serde_json::from_str(&body.result).ok());
            return ResponseAction::replaced::<dap::ExceptionInfo>(told.unwrap_or_default());
        }
        if let Some(action) = aimed::offered(&request, &response) {
            return action;
        }
        let action = match debugs_rust(session) {
            true => in_rust(&response),
            false => response
                .of::<dap::Evaluate>()
                .and_then(nothing)
                .map(ResponseAction::replaced::<dap::Evaluate>),
        };
        action.unwrap_or_default()
    }
}

/// Types as Rust has them.
fn in_rust(response: &Response) -> Option<ResponseAction> {
    if let Some(body) = response.of::<dap::Variables>() {
        return Some(ResponseAction::replaced::<dap::Variables>(types::listed(body)));
    }
    if let Some(body) = response.of::<dap::Evaluate>() {
        return Some(ResponseAction::replaced::<dap::Evaluate>(types::evaluated(body)));
    }
    if let Some(body) = response.of::<dap::SetVariable>() {
        return Some(ResponseAction::replaced::<dap::SetVariable>(types::set(body)));
    }
    response
        .of::<dap::SetExpression>()
        .map(types::set)
        .map(ResponseAction::replaced::<dap::SetExpression>)
}

/// The answer of a call that returns nothing, whose value has no size.
fn nothing(body: dap::EvaluateResponse) -> Option<dap::EvaluateResponse> {
    let is_void = body.type_.as_deref() == Some("void");
    is_void.then(|| dap::EvaluateResponse { result: "nothing".into(), ..body })
}

/// Is this the stop in which a server of gdb's protocol held its program? It is told when that runs
/// already.
fn held(state: &Value, stopped: &dap::Stopped) -> bool {
    let told = stopped.description.as_deref().unwrap_or_default();
    state["held"] == true && (stopped.reason == "unknown" || told.starts_with("signal SIGTRAP"))
}

impl Present for CodeLldb {
    fn stop(session: &Session, stop: &Stop) -> Option<StopView> {
        let state = state(session);
        let interrupted = stop.body.description.as_deref() == Some("signal SIGINT");
        match state["core"] == true {
            true => Some(stops::core(&stop.body, &stop.top)),
            // So a server of gdb's protocol pauses its program; the profile knows when that was
            // asked for.
            false if state["joined"] == true && interrupted => None,
            false => stops::view(stop),
        }
    }

    fn threads(_: &Session, threads: &[Thread]) -> Vec<ThreadView> {
        threads.iter().map(|thread| stops::thread(&thread.name)).collect()
    }

    fn variables(_: &Session, _scope: &str, variables: &[Variable]) -> Option<Vec<VariableView>> {
        Some(stops::variables(variables))
    }
}

impl Translate for CodeLldb {
    fn evaluation_text(
        session: &Session,
        text: &str,
        intent: EvaluateIntent,
    ) -> Result<Option<Evaluation>, Error> {
        expression::evaluation(text, intent, debugs_rust(session))
    }

    fn breakpoint(session: &Session, spec: BreakpointText) -> Result<BreakpointText, Error> {
        let rust = debugs_rust(session);
        let condition =
            spec.condition.map(|text| expression::condition(&text, rust)).transpose()?;
        Ok(BreakpointText { condition, ..spec })
    }
}

fn debugs_rust(session: &Session) -> bool {
    state(session)["rust"] == true
}

/// `rust`: is it a program of Rust's? `core`: has it ended, and is looked into? `joined`: was it,
/// by its address? `held`: is the stop to be told in which its server held it? `hits`: which
/// function breakpoints stop together. `ending`: is its end held back? `left`: was it left, `lost`:
/// is what served it gone, and `unheard`: was a move not answered? `aimed`: see there.
fn state(session: &Session) -> Value {
    session.state().and_then(|state| serde_json::from_str(&state).ok()).unwrap_or_default()
}

dapdock_plugin::export!(CodeLldb: hooks, present, translate);
