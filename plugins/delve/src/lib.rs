//! Go through Delve.
//!
//! - `manifest`: the static description of Delve and its profile; `version` adapts the profile to
//!   older versions; `install`, `check`
//! - `target` reads a path or a command line, with the options in `flags`; `sources` finds tests
//! - `build` builds the program, `selection` selects its package and checks its tests; `included`
//!   knows which source files the build leaves out
//! - `entry` stops at `main`, `panics` where any panic is raised, both by `functions`; `failures`
//!   leads from a failed test to its line
//! - `calls` and `strings` adapt evaluations; `log_points` the messages of log breakpoints, of
//!   which `pauses` finds those reported twice; `state` is the session's
//! - `stops` reads stops, goroutines and errors
//! - `rows` reads lists of variables, `entries` those of maps; `values` a single value
//!
//! What concerns the language is in `dapdock-golang`. Facts come from Delve 1.27.2 with Go 1.26 and
//! 1.20.2 with Go 1.20; source files named without a directory are in `service/dap`.

mod build;
mod calls;
mod check;
mod entries;
mod entry;
mod failures;
mod flags;
mod functions;
mod included;
mod install;
mod log_points;
mod manifest;
mod panics;
mod pauses;
mod rows;
mod selection;
mod sources;
mod state;
mod stops;
mod strings;
mod target;
mod values;
mod version;

use dapdock_golang::options;
use dapdock_plugin::hooks::{Event, EventAction, Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Stop, StopView, Thread, ThreadView, Variable, VariableView};
use dapdock_plugin::schema::{Ending, LeaveAttached};
use dapdock_plugin::translate::{BreakOn, ExceptionFilter};
use dapdock_plugin::{path, test_names};

use crate::build::Next;
use crate::manifest::GOFLAGS;
use crate::panics::Raised;
use crate::state::State;
use crate::target::{Debuggee, GoBuild};
use crate::version::{Mode, Version};

struct Delve;

/// Delve starts a second `dlv` for its telemetry while it starts the program (`cmd/dlv/main.go`):
/// 8 ms of work that delay the program's start. With this value Delve takes itself for a child of
/// that process (golang.org/x/telemetry, `start.go`). The program does not get the variable.
const NO_TELEMETRY: (&str, &str) = ("GO_TELEMETRY_CHILD", "2");

/// Bytes of a source file that are searched for its build constraint.
const HEAD: u32 = 64 << 10;

impl Adapter for Delve {
    fn manifest() -> Manifest {
        manifest::manifest()
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        Ok(sources::targets(project, &query))
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        let debuggee = debuggee(project, &request)?;
        if follows(&request) && !matches!(debuggee, Debuggee::Program { .. } | Debuggee::Build(_)) {
            return Err(Error::unsupported(
                "Delve follows child processes only of a program that it has launched",
            ));
        }
        match debuggee {
            Debuggee::Program { path, args } => {
                let program = project.workspace_executable(&path)?;
                let cwd = request.cwd.clone().unwrap_or_else(|| project.root());
                // `go test -c` names test binaries so.
                let entry = entry::requested(&request, path.ends_with(".test"));
                let state = State { entry, ..initial(&request) };
                let mut plan = launch(project, &request, program, args, cwd, state)?;
                if !build_flags(&request).is_null() {
                    plan.notes.push(FLAGS_IGNORED.to_owned());
                }
                Ok(plan.into())
            }
            Debuggee::Core { program, core } => {
                let program = project.workspace_executable(&program)?;
                let arguments = json!({
                    "request": "launch",
                    "mode": "core",
                    "program": program.path(),
                    "coreFilePath": core,
                });
                Ok(dials_back(project, with_common(arguments, &request))?.program(program).into())
            }
            Debuggee::Pid(pid) => {
                let arguments = json!({"request": "attach", "mode": "local", "processId": pid});
                let plan = dials_back(project, with_common(arguments, &request))?.attach();
                Ok(plan.state(&initial(&request)).into())
            }
            Debuggee::Server { host, port } => {
                let transport = Transport::Connect(Endpoint { host, port: Port::Number(port) });
                let arguments = json!({"request": "attach", "mode": "remote"});
                // Delve says in its capabilities that it can end the program even where it can
                // leave it (`onAttachRequest`). At a disconnect: "The target is left in whatever
                // state it is already in" (server.go, `onDisconnectRequest`).
                let ends = "its Delve was started without --accept-multiclient";
                let mut profile = manifest::profile();
                profile.leave.attached = LeaveAttached::Ends(ends.into());
                let plan = LaunchPlan::new(transport, with_common(arguments, &request)).attach();
                Ok(plan.profile(&profile).state(&initial(&request)).into())
            }
            Debuggee::Build(spec) => Ok(build::start(project, &spec)?.into()),
        }
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        state: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        let Debuggee::Build(spec) = debuggee(project, &request)? else {
            return Err(Error::internal("only packages are built"));
        };
        let built = match build::next(project, &spec, state, &results, skipped(&request))? {
            Next::Build(plan) => return Ok(plan.into()),
            Next::Run(built) => built,
        };
        // `go run` runs the program in the caller's directory, `go test` in the package's.
        let cwd = if spec.tests {
            built.directory.unwrap_or_else(|| package(&spec))
        } else {
            request.cwd.clone().unwrap_or_else(|| project.root())
        };
        let mut args = arguments(&spec);
        if spec.fuzz.is_some() {
            // `go test` would use its cache.
            args.push(format!("-test.fuzzcachedir={}/fuzz", project.output_dir()?));
        }
        // Top-level names were checked before the start; that no subtest matched only shows at the
        // end (testing.go, `M.Run`).
        let mut endings = Vec::new();
        if spec.tests {
            endings = failures::endings(&request, &project.root(), &cwd);
        }
        if let Some(run) = spec.run.as_ref().filter(|run| spec.tests && run.contains('/')) {
            endings.push(unmatched(project, &cwd, run));
        }
        let entry = entry::requested(&request, spec.tests);
        let left_out = included::left_out(project, &spec);
        let state = State { entry, left_out, ..initial(&request) };
        let mut plan = launch(project, &request, built.program, args, cwd, state)?;
        plan = plan.with_endings(endings);
        plan.notes.extend(spec.notes);
        if let Some((number, count, package)) = built.position {
            plan.notes.push(format!("package {number} of {count}: {package}"));
            if number < count {
                plan = plan.followed_by(&json!({manifest::SKIP_PACKAGES: number}));
            }
        }
        if spec.fuzz.is_some() && !follows(&request) {
            plan.notes.push(FUZZ_CHILDREN.to_owned());
        }
        Ok(plan.into())
    }
}

/// The ending for a pattern that matches no subtest.
fn unmatched(project: &Workspace, directory: &str, run: &str) -> Ending {
    const NONE: &str = "^testing: warning: no tests to run$";
    let test = run.split('/').next().unwrap_or(run).trim_matches(['^', '$']);
    let subtests = sources::subtests(project, directory, test);
    if !subtests.is_empty() {
        return test_names::unmatched(run, NONE, subtests.iter().map(String::as_str));
    }
    let means = format!("no test was run that `{run}` matches: `go test -v` lists the subtests");
    Ending { output: NONE.into(), means, ..Ending::default() }
}

fn debuggee(project: &Workspace, request: &DebugRequest) -> Result<Debuggee, Error> {
    let mut debuggee = find_debuggee(project, request)?;
    if let Debuggee::Build(spec) = &mut debuggee {
        flags::add_build_flags(spec, &build_flags(request))?;
        spec.environment = environment_flags(project, request);
        included::include(project, spec)?;
    }
    Ok(debuggee)
}

/// The build options in `GOFLAGS`: of the request's environment, else as `go` finds them in the
/// host's or in its own file of settings.
fn environment_flags(project: &Workspace, request: &DebugRequest) -> Vec<String> {
    let own = request.env.iter().rev().find(|variable| variable.name == "GOFLAGS");
    let line = match own {
        Some(variable) => variable.value.clone().unwrap_or_default(),
        None => {
            let go = project.find_executable("go");
            let answer = go.and_then(|go| go.probe(GOFLAGS)).map(|answer| answer.stdout);
            answer.unwrap_or_default()
        }
    };
    options::split(&line)
}

fn build_flags(request: &DebugRequest) -> Value {
    serde_json::from_str::<Value>(&request.config)
        .map(|mut config| config["build_flags"].take())
        .unwrap_or_default()
}

/// How many packages of the command have been tested.
fn skipped(request: &DebugRequest) -> usize {
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    config[manifest::SKIP_PACKAGES].as_u64().unwrap_or_default() as usize
}

fn find_debuggee(project: &Workspace, request: &DebugRequest) -> Result<Debuggee, Error> {
    let root = project.root();
    if let Some(TargetRef::Id(name)) = &request.target {
        let cwd = request.cwd.as_deref().and_then(|cwd| cwd.strip_prefix(&format!("{root}/")));
        let name = name.strip_prefix(&format!("{root}/")).unwrap_or(name);
        let found = sources::choose(project, name, cwd)?;
        let source = path::join(&root, &found.file);
        return Ok(target::test_named(found.kind, found.pattern, source));
    }
    let head = |path: &str| {
        let bytes = project.read_file(path, HEAD).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    target::debuggee(request, &root, |path| project.stat(path), head)
}

/// The directory of the package under test.
fn package(spec: &GoBuild) -> String {
    let package = spec.packages.first().map_or(".", String::as_str);
    if package == "." { spec.directory.clone() } else { path::join(&spec.directory, package) }
}

/// The program's arguments; those of a test binary select the tests. `go test` adds
/// `-test.paniconexit0` too.
fn arguments(spec: &GoBuild) -> Vec<String> {
    let mut args = Vec::new();
    if spec.tests {
        args.push("-test.paniconexit0".into());
        args.extend(spec.selection());
    }
    args.extend(spec.args.iter().cloned());
    args
}

fn launch(
    project: &Workspace,
    request: &DebugRequest,
    program: Executable,
    mut args: Vec<String>,
    cwd: String,
    state: State,
) -> Result<LaunchPlan, Error> {
    args.extend(request.args.iter().cloned());
    let mut env = serde_json::Map::from_iter([(NO_TELEMETRY.0.to_owned(), Value::Null)]);
    env.extend(
        request.env.iter().map(|variable| (variable.name.clone(), variable.value.clone().into())),
    );
    let follows = follows(request);
    let arguments = json!({
        "request": "launch",
        "mode": "exec",
        "followExec": follows,
        "program": program.path(),
        "args": args,
        "cwd": cwd,
        "env": env,
    });
    let plan = dials_back(project, with_common(arguments, request))?.program(program);
    let mut plan = plan.passes_stdin();
    if state != State::default() {
        plan = plan.state(&state);
    }
    plan.notes.extend(target::ignored_options(request));
    if follows {
        plan.notes.push(FOLLOWS_CHILDREN.to_owned());
    }
    Ok(plan)
}

/// server.go, `onSetFunctionBreakpointsRequest`; native/proc_linux.go, `trapWaitInternal`.
const FOLLOWS_CHILDREN: &str = "child processes are followed: function breakpoints hold only in \
                                the program, line breakpoints in its children too; the exit code \
                                is that of the process that ends last";

/// internal/fuzz/worker.go: the first process only distributes the input.
const FUZZ_CHILDREN: &str = "generated input runs in child processes: \
                             `options` {\"follow_children\": true} stops there";

const FLAGS_IGNORED: &str = "`build_flags` is ignored: the program is already built";

/// Whether the session includes the program's children.
fn follows(request: &DebugRequest) -> bool {
    serde_json::from_str::<Value>(&request.config)
        .is_ok_and(|config| config["follow_children"] == true)
}

/// The state of a session for these options.
fn initial(request: &DebugRequest) -> State {
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    State { raised: Raised::new(config["just_my_code"] == false), ..State::default() }
}

/// Adds the arguments that launch and attach have in common.
fn with_common(mut arguments: Value, request: &DebugRequest) -> Value {
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    arguments["type"] = "go".into();
    arguments["hideSystemGoroutines"] = true.into();
    arguments["showPprofLabels"] = json!(["*"]);
    if let Some(paths) = config["substitute_path"].as_array() {
        arguments["substitutePath"] = paths.clone().into();
    }
    arguments
}

/// A plan in which the adapter connects to the host, which avoids a race for a free port.
fn dials_back(project: &Workspace, arguments: Value) -> Result<LaunchPlan, Error> {
    let endpoint = [Piece::named("host"), ":".into(), Piece::named("port:dap")];
    let dlv = project.find_executable("dlv")?;
    let mode = match arguments["mode"].as_str() {
        Some("exec") if arguments["followExec"] == true => Mode::LaunchFollowing,
        Some("exec") => Mode::Launch,
        Some("core") => Mode::Core,
        _ => Mode::Attach,
    };
    let version = Version::of(&dlv);
    if mode == Mode::LaunchFollowing && version.is_some_and(|version| !version.follows_children()) {
        return Err(Error::unsupported("to follow child processes needs Delve 1.26 or newer"));
    }
    let profile = version::profile(version, mode);
    let dlv = Command::new(dlv)
        .args(["dap", "--client-addr"])
        .joined(endpoint)
        .env(NO_TELEMETRY.0, NO_TELEMETRY.1);
    Ok(LaunchPlan::dials_back(dlv, "dap", arguments).profile(&profile))
}

/// Whether the text begins with one of these words and has more: such a text Delve executes as a
/// command in every context (server.go, `onEvaluateRequest`).
fn is_command(expression: &str, names: &[&str]) -> bool {
    let mut words = expression.split_whitespace();
    words.next().is_some_and(|word| names.contains(&word)) && words.next().is_some()
}

/// Adapts an evaluation: refuses the debugger's own commands, and calls in contexts that only read;
/// adds `call`, and sets the limit of strings.
fn evaluate(
    session: &Session,
    arguments: &dap::EvaluateArguments,
    request: Request,
) -> RequestAction {
    if is_command(&arguments.expression, &["dlv"]) {
        return RequestAction::rejected(Error::invalid_request(
            "`dlv` begins a command of the debugger, not an expression: use debug_command",
        ));
    }
    if arguments.context.as_deref() != Some("repl") && is_command(&arguments.expression, &["call"])
    {
        return RequestAction::rejected(Error::invalid_request(
            "this changes the program; repeat with effects=allow",
        ));
    }
    let Some(call) = calls::with_call(arguments) else {
        return strings::on_request(session, request).unwrap_or_default();
    };
    match strings::on_request(session, Request::new::<dap::Evaluate>(call.clone())) {
        Some(action) => action,
        None => RequestAction::replaced::<dap::Evaluate>(call),
    }
}

/// Adapts requests for breakpoints, and those that the plugin's own breakpoints precede.
fn breakpoints(session: &Session, request: Request) -> RequestAction {
    if let Some(sent) = request.of::<dap::SetFunctionBreakpoints>() {
        return functions::on_request(session, sent);
    }
    match request.of::<dap::SetBreakpoints>().and_then(log_points::on_request) {
        Some(breakpoints) => RequestAction::replaced::<dap::SetBreakpoints>(breakpoints),
        None => entry::on_request(session, request),
    }
}

/// What is sent in place of a request.
fn action(session: &Session, request: Request) -> RequestAction {
    match request.of::<dap::Evaluate>() {
        Some(arguments) => evaluate(session, &arguments, request),
        None if request.is::<dap::Scopes>() => {
            strings::on_request(session, request).unwrap_or_default()
        }
        None if request.is::<dap::Pause>() => pauses::on_request(session, request),
        None if request.is::<dap::ExceptionInfo>() => panics::on_info(session),
        None if request.is::<dap::Threads>() => RequestAction::Unchanged,
        None => breakpoints(session, request),
    }
}

/// The error of a failed request in words for the caller; none if it stays as it is.
fn error(request: &Request, message: &str) -> Option<Error> {
    if request.is::<dap::SetVariable>() && message.contains(" constant to interface ") {
        let message = "an interface takes no constant; set `data` below it";
        return Some(Error::invalid_request(message));
    }
    if !request.is::<dap::Evaluate>() {
        return stops::start_error(message);
    }
    let message = match calls::refusal(message) {
        Some(refusal) => refusal,
        None => stops::plain_error(message),
    };
    Some(Error::invalid_request(message))
}

impl Hooks for Delve {
    fn on_request(session: &Session, request: Request) -> RequestAction {
        if !pauses::is_sent_at_stops(&request) {
            return action(session, request);
        }
        let action = action(session, request.clone());
        session.load::<State>().pauses.before(request, action)
    }

    fn on_response(session: &Session, request: Request, response: Response) -> ResponseAction {
        if let Some(message) = response.failure() {
            return error(&request, message).map(ResponseAction::failed).unwrap_or_default();
        }
        if let (Some(sent), Some(mut body)) =
            (request.of::<dap::Evaluate>(), response.of::<dap::Evaluate>())
        {
            panics::on_deferred(session, &sent, &body.result);
            if let Some(info) = panics::info(&sent, &body) {
                return ResponseAction::replaced::<dap::ExceptionInfo>(info);
            }
            rows::fix_count(body.type_.as_deref().unwrap_or_default(), &mut body.named_variables);
            strings::unquote(&sent, &mut body);
            return ResponseAction::replaced::<dap::Evaluate>(calls::mark_panic(&sent, body));
        }
        if let (Some(sent), Some(body)) = (
            request.of::<dap::SetFunctionBreakpoints>(),
            response.of::<dap::SetFunctionBreakpoints>(),
        ) {
            functions::on_set(session, &sent, &body);
            return ResponseAction::Unchanged;
        }
        if let (Some(sent), Some(body)) =
            (request.of::<dap::StackTrace>(), response.of::<dap::StackTrace>())
        {
            pauses::on_stack(session, &sent, &body);
            return ResponseAction::Unchanged;
        }
        if let Some(body) = response.of::<dap::ExceptionInfo>() {
            return ResponseAction::replaced::<dap::ExceptionInfo>(stops::exception(body));
        }
        if let Some(mut body) = response.of::<dap::SetBreakpoints>() {
            let state: State = session.load();
            if state.left_out.is_empty() {
                return ResponseAction::Unchanged;
            }
            included::explain(&state.left_out, &mut body.breakpoints);
            return ResponseAction::replaced::<dap::SetBreakpoints>(body);
        }
        match response.of::<dap::Variables>() {
            Some(body) => ResponseAction::replaced::<dap::Variables>(rows::of_the_program(body)),
            None => ResponseAction::Unchanged,
        }
    }

    /// A condition that fails becomes a stop at its breakpoint, with a note. A step of a process
    /// that no longer exists becomes the end of the session.
    fn on_event(session: &Session, event: Event) -> EventAction {
        if let Some(output) = event.of::<dap::Output>() {
            return log_points::on_output(session, &output).unwrap_or_default();
        }
        let Some(stopped) = event.of::<dap::Stopped>() else { return EventAction::Unchanged };
        let mut state: State = session.load();
        if !state.pauses.is_idle() {
            state.pauses.stopped();
            session.store(&state);
        }
        let own = entry::stopped(session, &stopped).or_else(|| panics::stopped(session, &stopped));
        if let Some(stop) = own {
            return EventAction::replaced([Event::new(stop)]);
        }
        if stops::is_process_gone(&stopped) {
            return EventAction::replaced([Event::custom("terminated", json!({}))]);
        }
        let Some(why) = stops::condition_error(&stopped) else { return EventAction::Unchanged };
        let note = dap::Output {
            category: Some("important".into()),
            output: format!("the condition failed: {why}\n"),
            ..Default::default()
        };
        let stopped =
            dap::Stopped { reason: "breakpoint".into(), description: None, text: None, ..stopped };
        EventAction::replaced([Event::new(note), Event::new(stopped)])
    }
}

impl Present for Delve {
    fn stop(session: &Session, stop: &Stop) -> Option<StopView> {
        let raised = stop.info().filter(panics::is_own).and_then(|info| info.description);
        let mut view = stops::view(&stop.body, raised.as_deref(), &stop.top)?;
        if raised.is_some() {
            panics::complete(session, &stop.top, &mut view);
        }
        Some(view)
    }

    fn threads(_: &Session, threads: &[Thread]) -> Vec<ThreadView> {
        threads.iter().map(|thread| stops::thread(&thread.name)).collect()
    }

    fn variables(_: &Session, _scope: &str, variables: &[Variable]) -> Option<Vec<VariableView>> {
        Some(values::variables(variables))
    }
}

impl Translate for Delve {
    fn exception_filters(
        session: &Session,
        want: &[BreakOn],
        _: &[String],
        _: &[dap::ExceptionFilter],
    ) -> Result<Option<Vec<ExceptionFilter>>, Error> {
        panics::want(session, want);
        Ok(None)
    }
}

dapdock_plugin::export!(Delve: hooks, present, translate);
