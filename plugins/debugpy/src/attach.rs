//! Attaches to a running program: by its pid, or by the address on which its debugpy listens.
//!
//! When debugpy cannot attach to a process it says so in the debuggee's output or not at all, and
//! waits for a minute (`adapter/servers.py`, `inject`). So a script checks first what can be
//! checked.

use std::net::IpAddr;

use dapdock_plugin::adapter::{ExecutableOrigin, Os};
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Profile;

use crate::State;
use crate::python::isolated;
use crate::{UNPATCHED, manifest, python, with_common, with_runtime};

/// The arguments of the script that checks whether debugpy can attach.
pub const CHECK: [&str; 3] =
    [python::IGNORE_ENVIRONMENT, "-c", isolated!(include_str!("../runtime/attach_check.py"))];
/// An attach argument of ours: the directory of the scripts for the debuggee. debugpy ignores it.
const RUNTIME: &str = "dapdock";
const CHECK_SECONDS: u32 = 10;

/// The step before an attach by pid: checks whether it is possible.
pub fn check(project: &Workspace, pid: u32) -> Result<Resolution, Error> {
    if host::current_platform().os == Os::Linux {
        project.find_executable("gdb")?;
    }
    let command =
        Command::new(python::find(project, None)?.adapter).args(CHECK).arg(pid.to_string());
    let step = BuildStep {
        label: "check that debugpy can attach".into(),
        command,
        timeout_s: CHECK_SECONDS,
    };
    Ok(BuildPlan { steps: vec![step], state: "{}".into() }.into())
}

/// Attaches to the process, after the check has passed.
pub fn by_process(
    project: &Workspace,
    pid: u32,
    config: &str,
    results: &[BuildResult],
) -> Result<Resolution, Error> {
    if let Some(failed) = results.iter().find(|result| result.exit_code != 0) {
        return Err(Error::from_output(failed));
    }
    let python = python::find(project, None)?;
    let arguments =
        json!({"type": "debugpy", "request": "attach", "processId": pid, RUNTIME: "${asset:.}"});
    let mut adapter = Command::new(python.adapter).args(python::ADAPTER);
    if let Some(path) = path_with_gdb(project) {
        adapter = adapter.env("PATH", path);
    }
    let plan = with_runtime(LaunchPlan::stdio(adapter, with_common(arguments, config))).attach();
    Ok(plan.profile(&profile_of(pid)).into())
}

/// The profile, with the line that debugpy writes once a second to the debuggee's stdout
/// (`adapter/servers.py`, `inject`).
fn profile_of(pid: u32) -> Profile {
    let mut profile = manifest::profile();
    profile.output.adapter_lines = vec![format!("Attaching to PID: {pid} (elapsed: ")];
    profile
}

/// An evaluation without a frame that imports the patches of pydevd, which a launch loads by
/// `sitecustomize`: pydevd executes it (`internal_evaluate_expression_json`). None for an address
/// of another machine, where the files do not exist.
pub fn patch(session: &Session) -> Option<dap::EvaluateArguments> {
    let types = json!(session.load::<State>().exception_types).to_string();
    let arguments: Value = serde_json::from_str(&session.arguments()).unwrap_or_default();
    let directory = Value::from(arguments[RUNTIME].as_str()?).to_string();
    let code = format!(
        "import sys; sys.path.insert(0, {directory})\n\
         try: import dapdock_debuggee\n\
         finally: sys.path.remove({directory})\n\
         dapdock_debuggee.attached({types})"
    );
    Some(dap::EvaluateArguments {
        expression: code,
        context: Some("hover".into()),
        ..Default::default()
    })
}

/// PATH with the directory of a configured `gdb` first: debugpy attaches by the first `gdb` on
/// PATH (`pydevd_attach_to_process/add_code_to_python_process.py`).
fn path_with_gdb(project: &Workspace) -> Option<String> {
    let gdb = project.find_executable("gdb").ok()?;
    let configured = matches!(gdb.origin(), ExecutableOrigin::UserConfig);
    let path = gdb.path();
    let (directory, _) = path.rsplit_once('/').filter(|_| configured)?;
    Some(format!("{directory}:{}", project.env("PATH").unwrap_or_default()))
}

/// Connects to the adapter that `python -m debugpy --listen` has started; a second adapter between
/// the host and that one times out. A local Python, if there is one, checks the syntax of
/// conditions.
pub fn by_address(project: &Workspace, host: &str, port: u16, config: &str) -> Resolution {
    drop(project.find_executable("python"));
    let transport = Transport::Connect(Endpoint { host: host.into(), port: Port::Number(port) });
    // Output then arrives in order with log messages of breakpoints: the printing thread sends
    // both (pydevd_io.py).
    let mut arguments = json!({"type": "debugpy", "request": "attach", "redirectOutput": true});
    let is_local =
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if is_local {
        arguments[RUNTIME] = "${asset:.}".into();
    }
    let plan = LaunchPlan::new(transport, with_common(arguments, config)).attach();
    if is_local { with_runtime(plan).into() } else { plan.note(UNPATCHED).into() }
}
