//! Chooses the interpreter and asks it two questions: is debugpy there, and does
//! this expression parse. Knows nothing of what it will run.

use dapdock_plugin::adapter::{ExecutableOrigin, Os};
use dapdock_plugin::prelude::*;

/// An interpreter that can import debugpy.
pub struct Python {
    pub executable: Executable,
    /// Something the caller should know about the choice.
    pub note: Option<String>,
}

/// The configured one, the one the caller named by path, the workspace's virtual
/// environment, the active one when it lies in the workspace, or the first on PATH.
pub fn find(project: &Workspace, named: Option<&str>) -> Result<Python, Error> {
    let found = project.find_executable("python");
    if let Ok(executable) = found
        && matches!(executable.origin(), ExecutableOrigin::UserConfig)
    {
        return with_debugpy(executable, None);
    }
    let mut note = None;
    for path in named.map(str::to_owned).into_iter().chain(environments(project)) {
        match project.workspace_executable(&path) {
            Ok(executable) => return with_debugpy(executable, None),
            Err(error) if named.is_some() => return Err(error),
            Err(error) => note = Some(format!("{path} is not used: {}", error.message)),
        }
    }
    with_debugpy(project.find_executable("python")?, note)
}

/// Interpreters of virtual environments in the workspace, as they exist.
fn environments(project: &Workspace) -> Vec<String> {
    let program = match host::current_platform().os {
        Os::Windows => "Scripts/python.exe",
        _ => "bin/python",
    };
    let root = project.root();
    let active = project.env("VIRTUAL_ENV").filter(|path| path.starts_with(&root));
    let candidates = [Some(format!("{root}/.venv")), Some(format!("{root}/venv")), active];
    let interpreters = candidates.into_iter().flatten().map(|home| format!("{home}/{program}"));
    interpreters.filter(|path| project.stat(path).is_some()).collect()
}

fn with_debugpy(executable: Executable, note: Option<String>) -> Result<Python, Error> {
    if executable.probe("debugpy")?.exit_code == 0 {
        return Ok(Python { executable, note });
    }
    let python = executable.path();
    let message = match note {
        None => format!("{python} has no debugpy"),
        Some(note) => format!("{python} has no debugpy ({note})"),
    };
    Err(Error::tool_missing(message).hint(format!("{python} -m pip install debugpy")))
}

/// Parses `code` as an expression: nothing, or the parser's words.
pub fn parses(session: &Session, code: &str) -> Result<Option<String>, Error> {
    let answer = session.probe("expression", code)?;
    let last = answer.stderr.lines().rev().find(|line| !line.trim().is_empty());
    let words = last.unwrap_or("it is not an expression").trim();
    Ok((answer.exit_code != 0).then(|| words.strip_prefix("SyntaxError: ").unwrap_or(words).to_owned()))
}

/// PYTHONPATH with our directory before what it was; sitecustomize.py takes it out again.
pub fn search_path(before: Option<&str>) -> String {
    let separator = if matches!(host::current_platform().os, Os::Windows) { ';' } else { ':' };
    match before {
        None | Some("") => "${asset:.}".into(),
        Some(before) => format!("${{asset:.}}{separator}{before}"),
    }
}
