//! Attaches to a running program: by the address of its inspector, or by its pid.
//!
//! js-debug's server closes the connection on `attach {processId}`: it expects the client to start
//! the inspector of the process and to find its address. A script does that here, run by node
//! before the launch plan is made.

use dapdock_plugin::adapter::Os;
use dapdock_plugin::prelude::*;

use crate::manifest::PROGRAM_VARIABLES;
use crate::{base, plan, with_common};

/// The script that finds or checks an inspector.
pub const FIND: &str = include_str!("../runtime/find_inspector.js");
const FIND_SECONDS: u32 = 15;

/// The step before an attach by pid: finds the address of the inspector, and starts it if needed.
pub fn find(project: &Workspace, pid: u32) -> Result<Resolution, Error> {
    if host::current_platform().os != Os::Linux {
        let refused =
            Error::unsupported("the address of a process's inspector is found only on Linux");
        return Err(
            refused.hint(format!("kill -USR1 {pid}, then attach to the address that it prints"))
        );
    }
    run_script(project, vec![pid.to_string()])
}

/// The step before an attach by address: checks that an inspector listens there.
pub fn check(project: &Workspace, host: &str, port: u16) -> Result<Resolution, Error> {
    run_script(project, vec![host.to_owned(), port.to_string()])
}

fn run_script(project: &Workspace, args: Vec<String>) -> Result<Resolution, Error> {
    let command = Command::new(project.find_executable("node")?)
        .args(["-e", FIND])
        .args(args)
        .without_env(PROGRAM_VARIABLES);
    let step = BuildStep { label: "find its inspector".into(), command, timeout_s: FIND_SECONDS };
    Ok(BuildPlan { steps: vec![step], state: "{}".into() }.into())
}

/// Attaches to the address that the script printed.
pub fn attach(
    project: &Workspace,
    request: &DebugRequest,
    results: &[BuildResult],
) -> Result<Resolution, Error> {
    let result = results.first().ok_or_else(|| Error::internal("the script has no result"))?;
    if result.exit_code != 0 {
        return Err(Error::from_output(result));
    }
    let (host, port) =
        address(&result.stdout).ok_or_else(|| Error::internal("the script printed no address"))?;
    by_address(project, host, port, request)
}

fn by_address(
    project: &Workspace,
    host: &str,
    port: u16,
    request: &DebugRequest,
) -> Result<Resolution, Error> {
    let node = project.find_executable("node")?;
    let directory = request.cwd.clone().unwrap_or_else(|| project.root());
    let arguments = json!({
        "request": "attach",
        "address": host,
        "port": port,
        "cwd": directory,
        "continueOnAttach": true,
    });
    let base = base(project, &format!("{directory}/."));
    Ok(plan(project, node, with_common(arguments, &base, &request.config))?.attach().into())
}

/// Host and port, a line each.
fn address(output: &str) -> Option<(&str, u16)> {
    let mut lines = output.lines();
    Some((lines.next()?, lines.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_two_lines() {
        assert_eq!(address("127.0.0.1\n9229\n"), Some(("127.0.0.1", 9229)));
        assert_eq!(address("127.0.0.1\n"), None);
    }
}
