//! Getting into a program that runs: by the address that its inspector listens on, or by its
//! process.
//!
//! js-debug's server answers `attach {processId}` by closing the connection: an editor has to wake
//! the process and find its inspector. Here a script does, run by node before anything is planned.

use dapdock_plugin::adapter::Os;
use dapdock_plugin::prelude::*;

use crate::manifest::PROGRAM_VARIABLES;
use crate::{base, plan, with_common};

/// What is run to ask.
pub const FIND: &str = include_str!("attach_find.js");
const FIND_SECONDS: u32 = 15;

/// First of all asks where it listens.
pub fn find(project: &Workspace, pid: u32) -> Result<Resolution, Error> {
    if host::current_platform().os != Os::Linux {
        let refused = Error::unsupported("only Linux tells where a process listens");
        return Err(
            refused.hint(format!("kill -USR1 {pid}, then attach to the address that it prints"))
        );
    }
    ask(project, vec![pid.to_string()])
}

/// First of all asks whether it is an inspector that listens there.
pub fn check(project: &Workspace, host: &str, port: u16) -> Result<Resolution, Error> {
    ask(project, vec![host.to_owned(), port.to_string()])
}

fn ask(project: &Workspace, of: Vec<String>) -> Result<Resolution, Error> {
    let command = Command::new(project.find_executable("node")?)
        .args(["-e", FIND])
        .args(of)
        .without_env(PROGRAM_VARIABLES);
    let step = BuildStep { label: "find its inspector".into(), command, timeout_s: FIND_SECONDS };
    Ok(BuildPlan { steps: vec![step], state: "{}".into() }.into())
}

/// Does as it was told to.
pub fn attach(
    project: &Workspace,
    request: &DebugRequest,
    results: &[BuildResult],
) -> Result<Resolution, Error> {
    let asked = results.first().ok_or_else(|| Error::internal("nothing was asked"))?;
    if asked.exit_code != 0 {
        return Err(Error::from_output(asked));
    }
    let (host, port) = place(&asked.stdout)
        .ok_or_else(|| Error::internal("the inspector's address is not told"))?;
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

/// Two lines: where it listens.
fn place(said: &str) -> Option<(&str, u16)> {
    let mut lines = said.lines();
    Some((lines.next()?, lines.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_two_lines() {
        assert_eq!(place("127.0.0.1\n9229\n"), Some(("127.0.0.1", 9229)));
        assert_eq!(place("127.0.0.1\n"), None);
    }
}
