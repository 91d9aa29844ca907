//! Chooses the interpreters and asks them two questions: is debugpy there, and does
//! this expression parse. Knows nothing of what it will run.

use std::ops::RangeInclusive;

use dapdock_plugin::adapter::{ErrorKind, ExecutableOrigin, Os};
use dapdock_plugin::prelude::*;

use crate::install::TOOL;
use crate::target::Interpreter;

/// What helps where an interpreter that was named is not there.
pub const BY_PATH: &str = "run `python`, or name the interpreter by its path";
/// Versions of Python 3 that debugpy debugs, and some to come.
const MINORS: RangeInclusive<u32> = 8..=15;

/// Who debugs, and who runs the program: the second needs no debugpy of its own.
pub struct Python {
    /// Can import debugpy.
    pub adapter: Executable,
    /// The program's interpreter.
    pub program: String,
    /// Something the caller should know about the choice.
    pub note: Option<String>,
}

/// The program's interpreter is the one the caller named by path or version, that of the workspace's virtual environment, of the
/// active one when it lies in the workspace, the configured one, or the first on PATH. The adapter's is the one that
/// was configured or installed for it, else the configured one, the program's, or the first on PATH: whichever has
/// debugpy first. To ask starts Python, which the caller waits for: the first is believed.
pub fn find(project: &Workspace, named: Option<Interpreter>) -> Result<Python, Error> {
    let (own, note) = own(project, named)?;
    let usual = match project.find_executable("python") {
        Err(missing) if own.is_none() => return Err(missing),
        usual => usual.ok(),
    };
    let program = own.as_ref().or(usual.as_ref()).map(Executable::path).unwrap_or_default();
    let hint = match project.find_executable(TOOL) {
        Ok(adapter) => return Ok(Python { adapter, program, note }),
        Err(missing) => missing.hint,
    };
    let (configured, usual) = match usual {
        Some(found) if matches!(found.origin(), ExecutableOrigin::UserConfig) => (Some(found), None),
        usual => (None, usual),
    };
    let first = configured.as_ref().map_or(program.clone(), Executable::path);
    let own = own.filter(|found| matches!(found.origin(), ExecutableOrigin::Workspace));
    for (adapter, probe) in [(configured, "debugpy"), (own, "own-debugpy"), (usual, "debugpy")] {
        let Some(adapter) = adapter else { continue };
        if adapter.probe(probe)?.exit_code == 0 {
            return Ok(Python { adapter, program, note });
        }
    }
    let message = match note {
        None => format!("{first} has no debugpy"),
        Some(note) => format!("{first} has no debugpy ({note})"),
    };
    Err(Error::tool_missing(message).hint(hint.unwrap_or_else(|| format!("{first} -m pip install debugpy"))))
}

/// What runs the program.
pub fn program(project: &Workspace, named: Option<Interpreter>) -> Result<Executable, Error> {
    match own(project, named)? {
        (Some(own), _) => Ok(own),
        (None, _) => project.find_executable("python"),
    }
}

/// The program's interpreter, where it cannot import pytest.
pub fn without_pytest(project: &Workspace) -> Result<Option<String>, Error> {
    let interpreter = program(project, None)?;
    let is_own = matches!(interpreter.origin(), ExecutableOrigin::Workspace);
    let (path, probe) = (interpreter.path(), if is_own { "own-pytest" } else { "pytest" });
    Ok((interpreter.probe(probe)?.exit_code != 0).then_some(path))
}

/// The interpreter that the caller or the workspace brings, and why one that is there is not used.
fn own(project: &Workspace, named: Option<Interpreter>) -> Result<(Option<Executable>, Option<String>), Error> {
    match named {
        Some(Interpreter::Path(path)) => return Ok((Some(project.workspace_executable(path)?), None)),
        Some(Interpreter::Word(word)) => return Ok((Some(of_version(project, word)?), None)),
        None => {}
    }
    let mut note = None;
    for path in environments(project, "python") {
        match project.workspace_executable(&path) {
            Ok(executable) => return Ok((Some(executable), None)),
            Err(error) => note = Some(format!("{path} is not used: {}", error.message)),
        }
    }
    Ok((None, note))
}

/// Of the workspace's environments, else that on PATH.
fn of_version(project: &Workspace, word: &str) -> Result<Executable, Error> {
    if let Some(path) = environments(project, word).first() {
        return project.workspace_executable(path);
    }
    if versions().any(|known| known == word) {
        return that_runs(project.find_executable(word)?, word);
    }
    let (first, last) = (MINORS.start(), MINORS.end());
    let unknown =
        format!("`{word}` is no interpreter that is looked for by name: those are python3.{first} to 3.{last}");
    Err(Error::tool_missing(unknown).hint(BY_PATH))
}

/// A version manager has programs of all names, which end at once where their version is not chosen.
fn that_runs(found: Executable, word: &str) -> Result<Executable, Error> {
    let answer = found.probe(word)?;
    if answer.exit_code == 0 {
        return Ok(found);
    }
    let said = answer.stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
    Err(Error::tool_missing(format!("{} does not run: {}", found.path(), said.trim())).hint(BY_PATH))
}

/// Names of the interpreters that are looked for on PATH, and of the probes that they run.
pub fn versions() -> impl Iterator<Item = String> {
    MINORS.map(|minor| format!("python3.{minor}"))
}

/// Interpreters of virtual environments in the workspace, as they exist.
fn environments(project: &Workspace, name: &str) -> Vec<String> {
    let program = match host::current_platform().os {
        Os::Windows => format!("Scripts/{name}.exe"),
        _ => format!("bin/{name}"),
    };
    let root = project.root();
    let active = project.env("VIRTUAL_ENV").filter(|path| path.starts_with(&root));
    let candidates = [Some(format!("{root}/.venv")), Some(format!("{root}/venv")), active];
    let interpreters = candidates.into_iter().flatten().map(|home| format!("{home}/{program}"));
    interpreters.filter(|path| project.stat(path).is_some()).collect()
}

/// Parses `code` as an expression: nothing, or the parser's words. Where no Python is, nobody knows.
pub fn parses(session: &Session, code: &str) -> Result<Option<String>, Error> {
    let answer = match session.probe("expression", code) {
        Err(error) if matches!(error.kind, ErrorKind::ToolMissing) => return Ok(None),
        answer => answer?,
    };
    let last = answer.stderr.lines().rev().find(|line| !line.trim().is_empty());
    let words = last.unwrap_or("it is not an expression").trim();
    Ok((answer.exit_code != 0).then(|| words.strip_prefix("SyntaxError: ").unwrap_or(words).to_owned()))
}

/// PYTHONPATH with a directory before what it was; sitecustomize.py takes ours out again.
pub fn searched(directory: &str, before: Option<&str>) -> String {
    let separator = if matches!(host::current_platform().os, Os::Windows) { ';' } else { ':' };
    match before {
        None | Some("") => directory.into(),
        Some(before) => format!("{directory}{separator}{before}"),
    }
}
