//! Chooses the interpreters of the adapter and of the program, and checks the syntax of
//! expressions. Knows nothing of the program that will run.

use std::ops::RangeInclusive;

use dapdock_plugin::adapter::{ErrorKind, ExecutableOrigin, Os};
use dapdock_plugin::prelude::*;

use crate::install::TOOL;
use crate::target::Interpreter;

/// The remedy for a named interpreter that does not exist.
pub const BY_PATH: &str = "run `python`, or name the interpreter by its path";
/// Minor versions of Python 3 that debugpy supports, and some future ones.
const MINORS: RangeInclusive<u32> = 8..=15;

/// The first debugpy whose pydevd the patches in `runtime/` fit.
pub const OLDEST: &str = "1.8.16";

/// A script that runs outside of the debugged program: no file of the working directory, and none
/// of PYTHONPATH, can replace one of Python's own modules.
macro_rules! isolated {
    ($($script:expr),+) => {
        concat!(include_str!("../runtime/safe_path.py"), $($script),+)
    };
}
pub(crate) use isolated;

/// Ignores PYTHONPATH and similar variables. `-I` would also leave out the user's own packages,
/// where debugpy may be installed.
pub const IGNORE_ENVIRONMENT: &str = "-E";

/// The arguments with which an interpreter that has debugpy runs the adapter.
pub const ADAPTER: [&str; 4] =
    [IGNORE_ENVIRONMENT, "-c", isolated!(include_str!("../runtime/adapter.py")), OLDEST];

/// The output of `python --version`; Python 2.7 prints it on stderr.
pub const VERSION: &str = r"Python (\d[\w.]*)";

/// The two interpreters; the program's needs no debugpy.
pub struct Python {
    /// Runs the adapter: can import debugpy.
    pub adapter: Executable,
    /// Runs the program.
    pub program: String,
    /// A note for the caller about the choice.
    pub note: Option<String>,
}

/// Chooses both interpreters.
///
/// The program's is, in this order: the one the caller named by path or version, that of a virtual
/// environment in the workspace, that of the active environment if it is in the workspace, the
/// configured one, the first on PATH.
///
/// The adapter's is the one configured or installed for it, else the first of these that has a
/// debugpy that is new enough: the configured one, the program's, the first on PATH. Each probe
/// starts Python while the caller waits, so the first hit ends the search.
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
        Some(found) if matches!(found.origin(), ExecutableOrigin::UserConfig) => {
            (Some(found), None)
        }
        usual => (None, usual),
    };
    let first = configured.as_ref().map_or(program.clone(), Executable::path);
    let own = own.filter(|found| matches!(found.origin(), ExecutableOrigin::Workspace));
    let (mut older, mut without) = (None, None);
    let candidates = [
        (configured, "debugpy", "python"),
        (own, "own-debugpy", "workspace"),
        (usual, "debugpy", "python"),
    ];
    for (adapter, probe, tool) in candidates {
        let Some(adapter) = adapter else { continue };
        let answer = adapter.probe(probe)?;
        match too_old(&answer.stdout, OLDEST) {
            _ if answer.exit_code != 0 => drop(without.get_or_insert((adapter, tool))),
            None => return Ok(Python { adapter, program, note }),
            Some(version) => {
                older = older.or_else(|| Some(format!("{} has debugpy {version}", adapter.path())));
            }
        }
    }
    let install = hint.unwrap_or_else(|| format!("{first} -m pip install --upgrade debugpy"));
    if let Some(older) = older {
        return Err(
            Error::tool_too_old(format!("{older}; {OLDEST} or newer is needed")).hint(install)
        );
    }
    if let Some((interpreter, tool)) = without {
        check_version(&interpreter, tool)?;
    }
    let message = match note {
        None => format!("{first} has no debugpy"),
        Some(note) => format!("{first} has no debugpy ({note})"),
    };
    Err(Error::tool_missing(message).hint(install))
}

/// Fails if the interpreter is too old for debugpy.
fn check_version(interpreter: &Executable, tool: &str) -> Result<(), Error> {
    let answer = interpreter.probe(&version_probe(tool))?;
    let output = [answer.stdout, answer.stderr].concat();
    let version = output.split_once("Python ").map_or("", |(_, version)| version);
    let Some(version) = too_old(version, &oldest()) else { return Ok(()) };
    let path = interpreter.path();
    let message = format!("{path} is {version}; debugpy needs {} or newer", oldest());
    Err(Error::tool_too_old(message)
        .hint(format!("{}, or name it in [tools.python] path", install_hint())))
}

/// The version in an output if it is older than `oldest`. The output is the version alone, or has
/// it as `"version"` in JSON.
fn too_old<'a>(output: &'a str, oldest: &str) -> Option<&'a str> {
    let version = output.rsplit_once("\"version\": \"").map_or(output, |(_, version)| version);
    let version =
        version.split(|c: char| !c.is_ascii_digit() && c != '.').next()?.trim_end_matches('.');
    let parts = numbers(version);
    (!parts.is_empty() && parts < numbers(oldest)).then_some(version)
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|number| number.parse().ok()).collect()
}

/// The first Python that debugpy supports, as adapter and in the program.
pub fn oldest() -> String {
    format!("3.{}", MINORS.start())
}

/// The remedy for an interpreter that is too old.
pub fn install_hint() -> String {
    format!("install Python {} or newer", oldest())
}

/// The name of the probe for an interpreter's version.
pub fn version_probe(tool: &str) -> String {
    format!("{tool}-version")
}

/// The program's interpreter.
pub fn program(project: &Workspace, named: Option<Interpreter>) -> Result<Executable, Error> {
    match own(project, named)? {
        (Some(own), _) => Ok(own),
        (None, _) => project.find_executable("python"),
    }
}

/// The path of the program's interpreter if it cannot import pytest.
pub fn without_pytest(project: &Workspace) -> Result<Option<String>, Error> {
    let interpreter = program(project, None)?;
    let is_own = matches!(interpreter.origin(), ExecutableOrigin::Workspace);
    let (path, probe) = (interpreter.path(), if is_own { "own-pytest" } else { "pytest" });
    Ok((interpreter.probe(probe)?.exit_code != 0).then_some(path))
}

/// The interpreter that the caller named or the workspace has, and a note about an interpreter that
/// cannot be used.
fn own(
    project: &Workspace,
    named: Option<Interpreter>,
) -> Result<(Option<Executable>, Option<String>), Error> {
    match named {
        Some(Interpreter::Path(path)) => {
            return Ok((Some(project.workspace_executable(path)?), None));
        }
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
    Ok((None, note.or_else(|| unused(project))))
}

/// A note about an environment that is a link out of the workspace, with no interpreter that runs.
fn unused(project: &Workspace) -> Option<String> {
    let root = project.root();
    let leads_out = |home: &str| project.stat(home).is_some() && project.read_dir(home, 1).is_err();
    let home = HOMES.into_iter().find(|home| leads_out(home))?;
    Some(format!(
        "{root}/{home} is not used: it leads out of the workspace, and no interpreter in it runs; \
         [tools.python] path names another"
    ))
}

/// An interpreter such as `python3.12`: from an environment of the workspace, else from PATH.
fn of_version(project: &Workspace, word: &str) -> Result<Executable, Error> {
    if let Some(path) = environments(project, word).first() {
        return project.workspace_executable(path);
    }
    if versions().any(|known| known == word) {
        return check_runs(project.find_executable(word)?, word);
    }
    let (first, last) = (MINORS.start(), MINORS.end());
    let unknown = format!("`{word}` is not one of python3.{first} to python3.{last}");
    Err(Error::tool_missing(unknown).hint(BY_PATH))
}

/// Fails if the interpreter does not start: a version manager puts a program for every version on
/// PATH, which fails if its version is not installed.
fn check_runs(found: Executable, word: &str) -> Result<Executable, Error> {
    let answer = found.probe(word)?;
    if answer.exit_code == 0 {
        return Ok(found);
    }
    let message =
        answer.stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
    Err(Error::tool_missing(format!("{} does not run: {}", found.path(), message.trim()))
        .hint(BY_PATH))
}

/// Names of the interpreters that are searched on PATH, and of the probes that run them.
pub fn versions() -> impl Iterator<Item = String> {
    MINORS.map(|minor| format!("python3.{minor}"))
}

/// Usual directories of a virtual environment.
const HOMES: [&str; 2] = [".venv", "venv"];

/// Existing interpreters of virtual environments in the workspace. The environment may be a link
/// that leads out of it: then nothing in it can be seen, but its interpreter can be run.
fn environments(project: &Workspace, name: &str) -> Vec<String> {
    let program = match host::current_platform().os {
        Os::Windows => format!("Scripts/{name}.exe"),
        _ => format!("bin/{name}"),
    };
    let root = project.root();
    let active = project.env("VIRTUAL_ENV").filter(|path| path.starts_with(&root));
    let homes = HOMES.iter().map(|home| format!("{root}/{home}")).chain(active);
    let interpreters = homes.map(|home| format!("{home}/{program}"));
    let exists =
        |path: &String| project.stat(path).is_some() || project.workspace_executable(path).is_ok();
    interpreters.filter(exists).collect()
}

/// Parses `code` as an expression; returns the parser's message if it does not parse. Without a
/// Python nothing is checked.
pub fn parses(session: &Session, code: &str) -> Result<Option<String>, Error> {
    let answer = match session.probe("expression", code) {
        Err(error) if matches!(error.kind, ErrorKind::ToolMissing) => return Ok(None),
        answer => answer?,
    };
    if answer.exit_code == 0 {
        return Ok(None);
    }
    let last = answer.stderr.lines().rev().find(|line| !line.trim().is_empty());
    let message = last.unwrap_or("it is not an expression").trim();
    Ok(Some(message.strip_prefix("SyntaxError: ").unwrap_or(message).to_owned()))
}

/// PYTHONPATH with a directory added in front; sitecustomize.py removes ours again.
pub fn prepend(directory: &str, path: Option<&str>) -> String {
    let separator = if matches!(host::current_platform().os, Os::Windows) { ';' } else { ':' };
    match path {
        None | Some("") => directory.into(),
        Some(path) => format!("{directory}{separator}{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_are_recognized() {
        let json = |version: &str| {
            format!("import json\n\nversion_json = '''\n{{\n \"version\": \"{version}\"\n}}\n'''\n")
        };
        for (output, expect) in [
            (json("1.8.9"), Some("1.8.9")),
            (json("1.8.16"), None),
            (json("1.8.22+local"), None),
            ("1.6.7.post1\n".to_owned(), Some("1.6.7")),
            ("2.0\n".to_owned(), None),
            ("def get_versions():\n".to_owned(), None),
        ] {
            assert_eq!(too_old(&output, OLDEST), expect, "{output}");
        }
        let pythons = ["2.7.18\n", "3.7.16\n", "3.8.0\n", "3.12.1+\n", "later"]
            .map(|output| too_old(output, "3.8"));
        assert_eq!(pythons, [Some("2.7.18"), Some("3.7.16"), None, None, None]);
    }
}
