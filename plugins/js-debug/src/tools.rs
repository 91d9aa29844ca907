//! The program of a tool that packages install. The nearest package that has it is often above the
//! workspace, as the root of a monorepo; a script searches there, run by node before the launch
//! plan is made.

use dapdock_plugin::files;
use dapdock_plugin::prelude::*;

use crate::flags::OTHERS;
use crate::manifest::PROGRAM_VARIABLES;
use crate::target::Run;

/// The script that searches in all directories above.
pub const FIND: &str = include_str!("../runtime/find_tool.js");
/// Prints `function` if a module of `--import` can register hooks in the Node.js that is the
/// argument, as tsx does: since 18.19 and 20.6. A package may install a Node.js of its own.
pub const REGISTERS: &str = "const all = 'const all = require(\"module\"); \
                             typeof (all.register ?? all.registerHooks)'; \
                             process.stdout.write(require('child_process')\
                             .execFileSync(process.argv[1], ['-p', all]))";
const FIND_SECONDS: u32 = 15;
/// Tools that packages install, apart from test runners.
const INSTALLED: [&str; 2] = ["tsx", "ts-node"];

/// What is known of the tool of a run.
pub enum Tool {
    /// The path of its program.
    Found(String),
    /// The step that searches for it above the workspace.
    Search(BuildStep),
}

/// The program of a run's tool. `searched` is the output of the search, if it has run.
pub fn find(
    project: &Workspace,
    run: &Run,
    directory: &str,
    searched: Option<&str>,
) -> Result<Tool, Error> {
    if run.tool.contains('/') {
        return Ok(Tool::Found(project.workspace_executable(&run.tool)?.path()));
    }
    let root = format!("{}/", project.root());
    let file = format!("{directory}/.");
    if let Some(own) = own(project, file.strip_prefix(&root).unwrap_or("."), &run.tool) {
        return Ok(Tool::Found(own));
    }
    match searched {
        Some("") => missing(project, run),
        Some(found) => Ok(Tool::Found(found.to_owned())),
        None if is_installed(&run.tool) => Ok(Tool::Search(search(project, run, directory)?)),
        None => Ok(Tool::Found(project.find_executable(&run.tool)?.path())),
    }
}

/// A program of the packages above a file, the nearest first; `node_modules` may be a link.
pub fn own(project: &Workspace, file: &str, tool: &str) -> Option<String> {
    let paths = files::above(file)
        .map(|directory| files::child(directory, &format!("node_modules/.bin/{tool}")));
    let mut found = paths.filter_map(|path| project.workspace_executable(&path).ok());
    found.next().map(|executable| executable.path())
}

fn is_installed(tool: &str) -> bool {
    INSTALLED.contains(&tool) || OTHERS.iter().any(|(_, runner)| *runner == tool)
}

fn search(project: &Workspace, run: &Run, directory: &str) -> Result<BuildStep, Error> {
    let command = Command::new(project.find_executable("node")?)
        .args(["-e", FIND])
        .args([directory, &run.tool])
        .without_env(PROGRAM_VARIABLES);
    let label = format!("find {}", run.tool);
    Ok(BuildStep { label, command, timeout_s: FIND_SECONDS })
}

/// The step that finds out how this Node.js takes a compiler.
pub fn check_register(project: &Workspace, runtime: &str) -> Result<BuildStep, Error> {
    let command = Command::new(project.find_executable("node")?)
        .args(["-e", REGISTERS, runtime])
        .without_env(PROGRAM_VARIABLES);
    Ok(BuildStep { label: "look for --import".into(), command, timeout_s: FIND_SECONDS })
}

/// A tool that no package has: a command runs that on PATH, a test needs one of its package.
fn missing(project: &Workspace, run: &Run) -> Result<Tool, Error> {
    match &run.test {
        None => Ok(Tool::Found(project.find_executable(&run.tool)?.path())),
        Some(test) => {
            let message = format!("{} is not installed; {test} needs it", run.tool);
            Err(Error::tool_missing(message).hint("npm install"))
        }
    }
}
