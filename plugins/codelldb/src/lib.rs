//! Rust, C and C++ through CodeLLDB.
//!
//! `manifest` has the static facts, `target` reads what to debug, `plan` makes launch plans,
//! `stops` describes panics and signals, `termination` corrects exits, `log_points` makes messages
//! without a stop, `other_stops` reports the stops of several threads, `expression` translates what
//! the caller wants evaluated, and `runtime` has the Python that evaluates it inside LLDB. Facts
//! come from CodeLLDB 1.11.8 (LLDB 20) with rustc 1.95.

mod check;
mod commands;
mod expression;
mod function_breakpoints;
mod install;
mod log_points;
mod manifest;
mod other_stops;
mod plan;
mod registers;
mod runtime;
mod state;
mod step_in;
mod stops;
mod target;
mod termination;
mod texts;
mod types;
mod unset;
mod unwinding;

use dapdock_native::build::{self, Build, Next};
use dapdock_native::cargo_manifest::Kind;
use dapdock_native::crates::{self, CrateTest, MainFile};
use dapdock_native::{cargo, compilers, cpp, gtest, gtest_failures, programs, projects, rust};
use dapdock_plugin::hooks::{
    Event, EventAction, EventEffect, Request, RequestAction, Response, ResponseAction,
};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Stop, StopView, Thread, ThreadView, Variable, VariableView};
use dapdock_plugin::translate::{
    BreakOn, BreakpointText, EvaluateIntent, Evaluation, ExceptionFilter,
};
use dapdock_plugin::{files, path};

use crate::log_points::Order;
use crate::plan::{attach_remote, launch, open_core, plan};
use crate::state::State;
use crate::target::Debuggee;

struct CodeLldb;

impl Adapter for CodeLldb {
    fn manifest() -> Manifest {
        manifest::manifest()
    }

    /// Claims sources, build tools and shell scripts; the manifest claims executables.
    fn detect(project: &Workspace, file: Option<&str>) -> Vec<Detection> {
        let (score, language, reason) = match file {
            Some(path) if path.ends_with(".rs") => (90, "rust", "a Rust source file"),
            // For a C or C++ extension that no manifest claims.
            Some(path) if compilers::C.accepts(path) => (45, "c", "a C source file"),
            Some(path) if compilers::CPP.accepts(path) => (45, "c++", "a C++ source file"),
            Some(path) if build::accepts(project, path) => {
                (50, "c", "a build tool or a shell script")
            }
            None if project.stat("Cargo.toml").is_some() => {
                (80, "rust", "the workspace has a Cargo.toml")
            }
            _ => return Vec::new(),
        };
        vec![Detection { score, language: language.into(), reason: reason.into() }]
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        let mut targets = crates::targets(project, &query);
        targets.extend(gtest::targets(project, &query));
        let built = programs::built(project, &query);
        targets.extend(projects::targets(project, &query, &built));
        targets.extend(built);
        Ok(targets)
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        if let Some(TargetRef::Pid(pid)) = request.target {
            let arguments = json!({"type": "lldb", "request": "attach", "pid": pid});
            let rust = rust::is_compiled_by_rustc(&project.process_compilers());
            return Ok(plan(project, arguments, &request, rust)?.attach().into());
        }
        match debuggee(project, &request)? {
            Debuggee::Program { path, args } => {
                let executable = project.workspace_executable(&path)?;
                let rust = rust::is_compiled_by_rustc(&executable.compilers());
                let all = [args.clone(), request.args.clone()].concat();
                let endings = gtest_failures::endings(project, &all);
                let arguments = launch(&executable.path(), args, request.cwd.clone(), &request);
                Ok(plan(project, arguments, &request, rust)?
                    .program(executable)
                    .with_endings(endings)
                    .into())
            }
            Debuggee::Core { program, core } => {
                Ok(open_core(project, &request, &program, &core)?.into())
            }
            Debuggee::Remote { address, program } => {
                Ok(attach_remote(project, &request, &address, &program)?.into())
            }
            Debuggee::Source { path, compiler } => Ok(compiler.start(project, &path)?.into()),
            Debuggee::GoogleTest(name) => {
                Ok(gtest::start(project, &name, request.cwd.as_deref())?.into())
            }
            Debuggee::Cargo(command) => Ok(cargo::build(project, &command)?.into()),
            Debuggee::Build(build) => Ok(build.start(project)?.into()),
        }
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        state: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        let mut command = match debuggee(project, &request)? {
            Debuggee::Cargo(command) => command,
            Debuggee::Build(build) => {
                return match build.resume(project, state, &results)? {
                    Next::Build(plan) => Ok(plan.into()),
                    Next::Run(built) => Ok(run(project, request, built)?.into()),
                };
            }
            Debuggee::Source { path, compiler } => {
                let executable = projects::compiled(project, &path, &results)?;
                let arguments =
                    launch(&executable.path(), Vec::new(), request.cwd.clone(), &request);
                return Ok(plan(project, arguments, &request, *compiler == compilers::RUST)?
                    .program(executable)
                    .into());
            }
            Debuggee::GoogleTest(name) => {
                let cwd = request.cwd.as_deref();
                let test = match gtest::resume(project, &name, cwd, state, &results)? {
                    gtest::Next::Build(plan) => return Ok(plan.into()),
                    gtest::Next::Run(test) => test,
                };
                let cwd = request.cwd.clone().or(test.directory);
                let arguments = launch(&test.program.path(), test.args, cwd, &request);
                return Ok(plan(project, arguments, &request, false)?.program(test.program).into());
            }
            _ => return Err(Error::internal("only packages, source files and tests are built")),
        };
        let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
        let skipped = config[manifest::SKIP_BINARIES].as_u64().unwrap_or_default() as usize;
        let built = match cargo::built(project, &command, state, &results, skipped)? {
            cargo::Next::Build(plan) => return Ok(plan.into()),
            cargo::Next::Run(built) => built,
        };
        let executable = project.build_output(built.step, &built.path)?;
        // Cargo runs a test in the directory of its package.
        let cwd = request.cwd.clone().filter(|_| !command.by_name).or(built.directory);
        let endings = [cargo::ignored(&command), cargo::returned_error(&command)];
        (command.filter, command.exact) = (built.test_name.or(command.filter), built.exact);
        let arguments = launch(&executable.path(), command.program_args(), cwd, &request);
        let mut plan = plan(project, arguments, &request, true)?
            .program(executable)
            .with_endings(endings.into_iter().flatten());
        plan.notes.extend(built.note);
        if let Some(run) = built.run_before_next {
            plan = plan.followed_by(&json!({manifest::SKIP_BINARIES: run}));
        }
        Ok(plan.into())
    }
}

/// Launches a program that a build tool has built.
fn run(
    project: &Workspace,
    mut request: DebugRequest,
    built: build::Built,
) -> Result<LaunchPlan, Error> {
    let (args, notes) = (built.complete(&mut request), built.notes());
    let rust = rust::is_compiled_by_rustc(&built.program.compilers());
    let all = [args.clone(), request.args.clone()].concat();
    let arguments = launch(&built.program.path(), args, request.cwd.clone(), &request);
    let mut plan = plan(project, arguments, &request, rust)?
        .program(built.program)
        .with_endings(gtest_failures::endings(project, &all));
    plan.notes.extend(notes);
    Ok(plan)
}

/// What to debug. A test that is found in sources is built in its own package alone; a test in a
/// project without cargo packages belongs to GoogleTest.
fn debuggee(project: &Workspace, request: &DebugRequest) -> Result<Debuggee, Error> {
    let root = project.root();
    if let Some(build) = Build::of(project, request)? {
        return Ok(Debuggee::Build(build));
    }
    if let Some(TargetRef::Id(name)) = &request.target {
        let here = request.cwd.as_deref().and_then(|cwd| cwd.strip_prefix(&format!("{root}/")));
        if let Some(CrateTest { test, package, features }) = crates::find(project, name, here) {
            let directory = if package.is_empty() { root } else { path::join(&root, &package) };
            let command = target::test_in_package(&test.id, &directory, &features);
            return Ok(Debuggee::Cargo(command));
        }
        if projects::has_test(project, name) {
            return Ok(Debuggee::Build(Build::test(project, name)));
        }
        let of_cargo =
            || files::own(project, |path| path == "Cargo.toml" || path.ends_with("/Cargo.toml"));
        if gtest::has_test(project, name) || (gtest::is_used(project) && of_cargo().is_empty()) {
            return Ok(Debuggee::GoogleTest(name.clone()));
        }
    }
    if let Some(TargetRef::Path(path)) = &request.target {
        let path = path::join(request.cwd.as_deref().unwrap_or(&root), path);
        let inside = path.strip_prefix(&format!("{root}/")).filter(|path| path.ends_with(".rs"));
        let main = inside.and_then(|inside| crates::of_main_file(project, inside));
        if let Some(MainFile { package, krate }) = main
            && matches!(krate.kind, Kind::Bin | Kind::Example | Kind::Test)
        {
            let directory = if package.is_empty() { root } else { path::join(&root, &package) };
            let tests = krate.kind == Kind::Test;
            return Ok(Debuggee::Cargo(target::crate_command(&directory, krate.options(), tests)));
        }
    }
    target::debuggee(request, |path| project.stat(path), &root)
}

impl Hooks for CodeLldb {
    fn on_request(session: &Session, request: Request) -> RequestAction {
        let mut state: State = session.load();
        if other_stops::is_move(&request) {
            let action = state.other_stops.on_move(&request);
            session.store(&state);
            if let Some(action) = action {
                return action;
            }
        }
        if let Some(arguments) = request.of::<dap::SetFunctionBreakpoints>() {
            let none = arguments.breakpoints.is_empty() && state.hits.is_null();
            let settles = state.rust && !none;
            return if settles {
                function_breakpoints::on_request(arguments)
            } else {
                RequestAction::Unchanged
            };
        }
        if let Some(mut arguments) = request.of::<dap::SetBreakpoints>() {
            if log_points::translate(&mut arguments, state.rust) && !state.log_points.used {
                state.log_points.used = true;
                session.store(&state);
            }
            return if state.rust {
                unwinding::on_request(arguments)
            } else {
                RequestAction::replaced::<dap::SetBreakpoints>(arguments)
            };
        }
        if let Some(arguments) = request.of::<dap::Scopes>() {
            return unset::on_request(arguments);
        }
        if let Some(arguments) = request.of::<dap::Evaluate>() {
            if let Some(expression) = expression::listed(&arguments, state.rust) {
                let element = dap::EvaluateArguments { expression, ..arguments };
                return RequestAction::replaced::<dap::Evaluate>(element);
            }
            return texts::on_request(arguments, state.rust);
        }
        if let Some(arguments) = request.of::<dap::ExceptionInfo>() {
            return RequestAction::in_turn([Request::new::<dap::Evaluate>(
                runtime::exception_info(&arguments),
            )]);
        }
        if let Some(action) = step_in::on_request(&mut state, &request) {
            session.store(&state);
            return action;
        }
        if request.is::<dap::Pause>() {
            state.pauses = true;
            session.store(&state);
            return RequestAction::in_turn([Request::new::<dap::Evaluate>(runtime::interrupt())]);
        }
        if request.is::<dap::Disconnect>() {
            state.disconnected = true;
            session.store(&state);
        }
        RequestAction::Unchanged
    }

    fn on_event(session: &Session, event: Event) -> EventAction {
        let mut state: State = session.load();
        if let Some(stopped) = event.of::<dap::Stopped>() {
            state.other_stops.on_stopped(stopped.thread_id.unwrap_or_default());
            state.unset.on_stopped();
            state.registers.on_stopped();
            session.store(&state);
        }
        match state.other_stops.on_event(&event) {
            None => in_order(session, state, &event),
            Some(other_stops::Next::Nothing) => {
                session.store(&state);
                EventAction::swallowed()
            }
            Some(other_stops::Next::Stop(stop)) => {
                session.store(&state);
                in_place(stop, |stop| in_order(session, state, stop))
            }
            Some(other_stops::Next::Move(_)) if state.pauses => {
                let stop = state.other_stops.paused();
                session.store(&state);
                in_place(stop, |stop| in_order(session, state, stop))
            }
            Some(other_stops::Next::Move(request)) => {
                let sent = step_in::sent(&mut state, request);
                session.store(&state);
                EventAction::requesting(sent)
            }
        }
    }

    fn on_response(session: &Session, request: Request, response: Response) -> ResponseAction {
        if request.is::<dap::Disconnect>() {
            return termination::check_disconnect(&session.load(), &request);
        }
        if let Some(message) = response.failure() {
            termination::note_lost_server(session, message);
            let starts = request.is::<dap::Launch>() || request.is::<dap::Attach>();
            let plain =
                || ResponseAction::failed(Error::invalid_request(stops::plain_error(message)));
            return if starts { stops::start_error(message) } else { plain() };
        }
        if request
            .of::<dap::Evaluate>()
            .is_some_and(|arguments| runtime::reads_exception(&arguments))
        {
            let body = response
                .of::<dap::Evaluate>()
                .and_then(|body| serde_json::from_str(&body.result).ok());
            return ResponseAction::replaced::<dap::ExceptionInfo>(body.unwrap_or_default());
        }
        let reads_text = request.of::<dap::Evaluate>().is_some_and(|sent| texts::is_request(&sent));
        if let Some(body) = response.of::<dap::Evaluate>().filter(|_| reads_text) {
            return texts::on_response(body);
        }
        if let Some(action) = step_in::step_in_targets(&request, &response) {
            return action;
        }
        let mut state: State = session.load();
        if request.is::<dap::Scopes>() {
            state.other_stops.on_scopes();
        }
        if state.unset.store(&request, &response) {
            state.registers.on_scopes(state.unset.thread(), &response);
            session.store(&state);
            return ResponseAction::Unchanged;
        }
        if let Some(body) = state.registers.marked(&request, &response) {
            session.store(&state);
            return types::listed(body, state.rust);
        }
        if let Some(marked) = state.unset.marked(&request, &response) {
            session.store(&state);
            return match marked {
                Ok(body) => types::listed(body, state.rust),
                Err(why) => ResponseAction::failed(why),
            };
        }
        if state.rust {
            let settled = unwinding::on_response(&mut state.breakpoints, &request, &response);
            if let Some(action) = settled {
                session.store(&state);
                return action;
            }
            return types::in_rust(&response).unwrap_or_default();
        }
        types::in_c(&response).unwrap_or_default()
    }
}

/// Handles an event after the messages before it.
fn in_order(session: &Session, mut state: State, event: &Event) -> EventAction {
    match log_points::on_event(&mut state, event) {
        None => on_event(session, state, event),
        Some(Order::Delayed(action)) => {
            session.store(&state);
            action
        }
        Some(Order::Next(event)) => {
            session.store(&state);
            in_place(event, |event| on_event(session, state, event))
        }
    }
}

/// The action for an event that is handled in place of another one.
fn in_place(event: Event, handle: impl FnOnce(&Event) -> EventAction) -> EventAction {
    match handle(&event) {
        EventAction::Unchanged => EventAction::replaced([event]),
        action => action,
    }
}

/// Handles an event in its order.
fn on_event(session: &Session, mut state: State, event: &Event) -> EventAction {
    let action = termination::on_event(&mut state, event);
    if let Some(action) = action.or_else(|| step_in::on_event(&mut state, event)) {
        session.store(&state);
        return action;
    }
    if event.name() == function_breakpoints::PYTHON_MESSAGE {
        state.hits = event.raw()["hits"].clone();
        session.store(&state);
        return EventAction::swallowed();
    }
    let Some(stopped) = event.of::<dap::Stopped>() else { return EventAction::Unchanged };
    if is_server_stop(&state, &stopped) {
        state.skip_stop = false;
        session.store(&state);
        return EventAction::swallowed();
    }
    if std::mem::take(&mut state.pauses) {
        state.other_stops.on_paused();
        session.store(&state);
        return end_of_pause(&state, stopped);
    }
    let body = function_breakpoints::stopped(&state.hits, stopped);
    body.map(|body| EventAction::replaced([Event::new(body)])).unwrap_or_default()
}

/// The stop of a pause, which may come between two parts of a step: after an instruction, or at a
/// breakpoint of LLDB's own, which CodeLLDB numbers 0. The step is discarded.
fn end_of_pause(state: &State, mut stopped: dap::Stopped) -> EventAction {
    let is_internal = stopped.hit_breakpoint_ids.iter().all(|id| *id == 0);
    if stopped.reason == "step" || (stopped.reason == "breakpoint" && is_internal) {
        stopped.reason = "pause".into();
        stopped.hit_breakpoint_ids.clear();
    }
    let body = function_breakpoints::stopped(&state.hits, stopped.clone()).unwrap_or(stopped);
    let discard = Request::new::<dap::Evaluate>(runtime::discard_steps());
    EventAction::Effect(EventEffect {
        events: vec![Event::new(body).into()],
        requests: vec![discard.into()],
    })
}

/// Is this the stop in which a server of gdb's protocol had the program? It is reported when the
/// program already runs.
fn is_server_stop(state: &State, stopped: &dap::Stopped) -> bool {
    let description = stopped.description.as_deref().unwrap_or_default();
    state.skip_stop && (stopped.reason == "unknown" || description.starts_with("signal SIGTRAP"))
}

impl Present for CodeLldb {
    fn stop(session: &Session, stop: &Stop) -> Option<StopView> {
        let state: State = session.load();
        let interrupted = stop.body.description.as_deref() == Some("signal SIGINT");
        if state.core {
            return Some(stops::core(&stop.body, &stop.top));
        }
        if state.remote && interrupted {
            // A server of gdb's protocol pauses its program this way; the profile knows when a
            // pause was requested.
            return None;
        }
        stops::view(stop)
    }

    fn threads(_: &Session, threads: &[Thread]) -> Vec<ThreadView> {
        threads.iter().map(|thread| stops::thread(&thread.name)).collect()
    }

    fn variables(
        session: &Session,
        _scope: &str,
        variables: &[Variable],
    ) -> Option<Vec<VariableView>> {
        Some(stops::variables(variables, debugs_rust(session)))
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

    fn exception_filters(
        _: &Session,
        want: &[BreakOn],
        types: &[String],
        offered: &[dap::ExceptionFilter],
    ) -> Result<Option<Vec<ExceptionFilter>>, Error> {
        Ok(cpp::exception_filters(want, types, offered, "cpp_throw", |names| {
            let names = names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
            format!("/py __import__('thrown_types').matches({names})")
        }))
    }
}

fn debugs_rust(session: &Session) -> bool {
    session.load::<State>().rust
}

dapdock_plugin::export!(CodeLldb: hooks, present, translate);
