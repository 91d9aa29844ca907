//! Chooses the interpreters and asks them two questions: which debugpy is there, and does
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

/// The first debugpy whose pydevd is as `debuggee.py` knows it.
pub const OLDEST: &str = "1.8.16";

/// A script that runs outside of the debugged program: no file of the working directory, and none
/// of PYTHONPATH, can replace one of Python's own modules.
macro_rules! isolated {
    ($($script:expr),+) => {
        concat!(include_str!("safe_path.py"), $($script),+)
    };
}
pub(crate) use isolated;

/// Ignores PYTHONPATH and the like; `-I` would also leave out the user's packages, where debugpy
/// may be.
pub const IGNORE_ENVIRONMENT: &str = "-E";

/// The adapter, by an interpreter that has debugpy.
pub const ADAPTER: [&str; 4] =
    [IGNORE_ENVIRONMENT, "-c", isolated!(include_str!("adapter.py")), OLDEST];

/// How interpreters say their version: 2.7 on standard error.
pub const AGE: &str = r"Python (\d[\w.]*)";

/// Who debugs, and who runs the program: the second needs no debugpy of its own.
pub struct Python {
    /// Can import debugpy.
    pub adapter: Executable,
    /// The program's interpreter.
    pub program: String,
    /// Something the caller should know about the choice.
    pub note: Option<String>,
}

/// The program's interpreter is the one the caller named by path or version, that of the
/// workspace's virtual environment, of the active one when it lies in the workspace, the configured
/// one, or the first on PATH. The adapter's is the one that was configured or installed for it,
/// else the configured one, the program's, or the first on PATH: whichever has debugpy first, and
/// none that is too old. To ask starts Python, which the caller waits for: the first is believed.
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
                older = older.or_else(|| Some(format!("{} has debugpy {version}", adapter.path())))
            }
        }
    }
    let install = hint.unwrap_or_else(|| format!("{first} -m pip install --upgrade debugpy"));
    if let Some(older) = older {
        return Err(
            Error::tool_too_old(format!("{older}, and needs {OLDEST} or newer")).hint(install)
        );
    }
    without.map_or(Ok(()), |(interpreter, tool)| new_enough(&interpreter, tool))?;
    let message = match note {
        None => format!("{first} has no debugpy"),
        Some(note) => format!("{first} has no debugpy ({note})"),
    };
    Err(Error::tool_missing(message).hint(install))
}

/// What is too old can have no debugpy.
fn new_enough(interpreter: &Executable, tool: &str) -> Result<(), Error> {
    let answer = interpreter.probe(&age(tool))?;
    let told = [answer.stdout, answer.stderr].concat();
    let told = told.split_once("Python ").map_or("", |(_, version)| version);
    let Some(version) = too_old(told, &oldest()) else { return Ok(()) };
    let message =
        format!("{} is {version}, and debugpy needs {} or newer", interpreter.path(), oldest());
    Err(Error::tool_too_old(message)
        .hint(format!("{}, or name it in [tools.python] path", newer())))
}

/// The version that is told, where it is older than the first that will do: the text alone, or as
/// `"version"` in JSON.
fn too_old<'a>(told: &'a str, oldest: &str) -> Option<&'a str> {
    let version = told.rsplit_once("\"version\": \"").map_or(told, |(_, version)| version);
    let version =
        version.split(|c: char| !c.is_ascii_digit() && c != '.').next()?.trim_end_matches('.');
    let numbers =
        |text: &str| text.split('.').map_while(|number| number.parse().ok()).collect::<Vec<u32>>();
    let here = numbers(version);
    (!here.is_empty() && here < numbers(oldest)).then_some(version)
}

/// The first Python that debugpy runs with, as adapter and in the program.
pub fn oldest() -> String {
    format!("3.{}", MINORS.start())
}

/// What gets one.
pub fn newer() -> String {
    format!("install Python {} or newer", oldest())
}

/// The probe of an interpreter's version.
pub fn age(tool: &str) -> String {
    format!("{tool}-version")
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
    let unknown = format!(
        "`{word}` is no interpreter that is looked for by name: those are python3.{first} to 3.{last}"
    );
    Err(Error::tool_missing(unknown).hint(BY_PATH))
}

/// A version manager has programs of all names, which end at once where their version is not
/// chosen.
fn that_runs(found: Executable, word: &str) -> Result<Executable, Error> {
    let answer = found.probe(word)?;
    if answer.exit_code == 0 {
        return Ok(found);
    }
    let said =
        answer.stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
    Err(Error::tool_missing(format!("{} does not run: {}", found.path(), said.trim()))
        .hint(BY_PATH))
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

/// Parses `code` as an expression: nothing, or the parser's words. Where no Python is, nobody
/// knows.
pub fn parses(session: &Session, code: &str) -> Result<Option<String>, Error> {
    let answer = match session.probe("expression", code) {
        Err(error) if matches!(error.kind, ErrorKind::ToolMissing) => return Ok(None),
        answer => answer?,
    };
    let last = answer.stderr.lines().rev().find(|line| !line.trim().is_empty());
    let words = last.unwrap_or("it is not an expression").trim();
    Ok((answer.exit_code != 0)
        .then(|| words.strip_prefix("SyntaxError: ").unwrap_or(words).to_owned()))
}

/// PYTHONPATH with a directory before what it was; sitecustomize.py takes ours out again.
pub fn searched(directory: &str, before: Option<&str>) -> String {
    let separator = if matches!(host::current_platform().os, Os::Windows) { ';' } else { ':' };
    match before {
        None | Some("") => directory.into(),
        Some(before) => format!("{directory}{separator}{before}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debugpy_that_is_too_old_is_told_by_its_version() {
        let json = |version: &str| {
            format!("import json\n\nversion_json = '''\n{{\n \"version\": \"{version}\"\n}}\n'''\n")
        };
        for (told, expect) in [
            (json("1.8.9"), Some("1.8.9")),
            (json("1.8.16"), None),
            (json("1.8.22+local"), None),
            ("1.6.7.post1\n".to_owned(), Some("1.6.7")),
            ("2.0\n".to_owned(), None),
            ("def get_versions():\n".to_owned(), None),
        ] {
            assert_eq!(too_old(&told, OLDEST), expect, "{told}");
        }
        let pythons = ["2.7.18\n", "3.7.16\n", "3.8.0\n", "3.12.1+\n", "later"]
            .map(|told| too_old(told, "3.8"));
        assert_eq!(pythons, [Some("2.7.18"), Some("3.7.16"), None, None, None]);
    }
}
