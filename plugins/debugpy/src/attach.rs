//! Getting into a program that runs: by its process, or by the address that its debugpy listens on.
//!
//! debugpy tells in the debuggee's output that it does not get into a process, or not at all, and
//! waits for a minute (`adapter/servers.py`, `inject`). So what can be known beforehand is asked
//! beforehand.

use std::net::IpAddr;

use dapdock_plugin::adapter::{ExecutableOrigin, Os};
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Profile;

use crate::python::isolated;
use crate::{UNMENDED, manifest, python, with_common, with_python};

/// What is run to ask.
pub const CHECK: [&str; 3] =
    [python::IGNORE_ENVIRONMENT, "-c", isolated!(include_str!("attach_check.py"))];
/// The attach argument that names the directory of what runs in the debuggee; debugpy knows no such
/// one.
const MENDS: &str = "dapdock";
const CHECK_SECONDS: u32 = 10;

/// First of all asks whether it can be done.
pub fn check(project: &Workspace, pid: u32) -> Result<Resolution, Error> {
    if host::current_platform().os == Os::Linux {
        project.find_executable("gdb")?;
    }
    let command =
        Command::new(python::find(project, None)?.adapter).args(CHECK).arg(pid.to_string());
    let step = BuildStep {
        label: "check that it can be attached to".into(),
        command,
        timeout_s: CHECK_SECONDS,
    };
    Ok(BuildPlan { steps: vec![step], state: "{}".into() }.into())
}

/// Does as it was told to.
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
        json!({"type": "debugpy", "request": "attach", "processId": pid, MENDS: "${asset:.}"});
    let mut adapter = Command::new(python.adapter).args(python::ADAPTER);
    if let Some(path) = path_with_gdb(project) {
        adapter = adapter.env("PATH", path);
    }
    let plan = with_python(LaunchPlan::stdio(adapter, with_common(arguments, config))).attach();
    Ok(plan.profile(&profile_of(pid)).into())
}

/// Once a second, on the debuggee's stdout (`adapter/servers.py`, `inject`).
fn profile_of(pid: u32) -> Profile {
    let mut profile = manifest::profile();
    profile.output.adapter_lines = vec![format!("Attaching to PID: {pid} (elapsed: ")];
    profile
}

/// Has the process import what is launched with it otherwise, by an evaluation of no frame, which
/// pydevd executes (`internal_evaluate_expression_json`). Behind an address of elsewhere there is
/// another machine, which does not have it.
pub fn mend(session: &Session) -> Option<dap::EvaluateArguments> {
    let types = session.state().unwrap_or_else(|| "[]".into());
    let arguments: Value = serde_json::from_str(&session.arguments()).unwrap_or_default();
    let directory = Value::from(arguments[MENDS].as_str()?).to_string();
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

/// debugpy gets into a process by the `gdb` that is first on PATH
/// (`pydevd_attach_to_process/add_code_to_python_process.py`); a configured one goes before.
fn path_with_gdb(project: &Workspace) -> Option<String> {
    let gdb = project.find_executable("gdb").ok()?;
    let configured = matches!(gdb.origin(), ExecutableOrigin::UserConfig);
    let path = gdb.path();
    let (directory, _) = path.rsplit_once('/').filter(|_| configured)?;
    Some(format!("{directory}:{}", project.env("PATH").unwrap_or_default()))
}

/// `python -m debugpy --listen` has its own adapter: one more between us and it times out. A Python
/// of here, where there is one, parses what is asked of it.
pub fn by_address(project: &Workspace, host: &str, port: u16, config: &str) -> Resolution {
    drop(project.find_executable("python"));
    let transport = Transport::Connect(Endpoint { host: host.into(), port: Port::Number(port) });
    // What it prints comes with what breakpoints write, by the thread that does both
    // (pydevd_io.py).
    let mut arguments = json!({"type": "debugpy", "request": "attach", "redirectOutput": true});
    let here =
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if here {
        arguments[MENDS] = "${asset:.}".into();
    }
    let plan = LaunchPlan::new(transport, with_common(arguments, config)).attach();
    if here { with_python(plan).into() } else { plan.note(UNMENDED).into() }
}
