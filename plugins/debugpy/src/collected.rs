//! Tests that pytest makes of a table, named by what is filled in: `test_half[2]`. Only pytest
//! knows them, once it has imported the file, so that it is asked before the run, where such a one
//! is named and nowhere else.

use dapdock_plugin::path;
use dapdock_plugin::prelude::*;
use dapdock_plugin::test_names;

use crate::python;
use crate::runner::end;
use crate::target::{Kind, Run};

/// How it is asked; its own words follow.
pub const COLLECT: [&str; 3] = ["-m", "pytest", "{...}"];
/// It imports what the run would.
const SECONDS: u32 = 300;

/// Has pytest list the tests of the functions that are named.
pub fn ask(
    project: &Workspace,
    request: &DebugRequest,
    run: &Run,
    directory: &str,
) -> Result<Option<BuildPlan>, Error> {
    if run.kind != Kind::Module || run.name != "pytest" || wanted(&run.args).next().is_none() {
        return Ok(None);
    }
    let plain = |word: &String| function(word).unwrap_or(word).to_owned();
    let mut args: Vec<String> = run.args.iter().map(plain).collect();
    // One id a line, whatever else says how much is told.
    let end = end(&args);
    args.splice(end..end, ["--collect-only", "--verbosity=-1"].map(str::to_owned));
    let command = Command::new(python::program(project, run.interpreter())?)
        .args(["-m", "pytest"])
        .args(args);
    let mut command = command.cwd(directory);
    command.env.extend(request.env.iter().cloned());
    let step = BuildStep { label: "pytest --collect-only".into(), command, timeout_s: SECONDS };
    Ok(Some(BuildPlan { steps: vec![step], state: "{}".into() }))
}

/// Is one that is named not there? What pytest does not list as a whole is left to the run.
pub fn check(
    project: &Workspace,
    request: &DebugRequest,
    run: &Run,
    directory: &str,
    listed: &BuildResult,
) -> Result<(), Error> {
    let Some(there) = whole(listed) else { return Ok(()) };
    let Some(missing) = wanted(&run.args).find(|word| !there.contains(&names(word))) else {
        return Ok(());
    };
    let file = path::join(directory, missing.split("::").next().unwrap_or(missing));
    let file = file.strip_prefix(&format!("{}/", project.root())).unwrap_or(&file);
    let ids: Vec<String> = there.iter().map(|names| format!("{file}::{names}")).collect();
    let name = match &request.target {
        Some(TargetRef::Id(name)) => name,
        _ => missing,
    };
    Err(test_names::missing(name, ids.iter().map(String::as_str)))
}

/// What it lists, by the names behind the file, where that is all there is.
fn whole(listed: &BuildResult) -> Option<Vec<&str>> {
    let (ids, sum) = listed.stdout.split_once("\n\n")?;
    let all =
        listed.exit_code == 0 && sum.contains(" collected in ") && !sum.contains(" deselected");
    all.then(|| ids.lines().filter(|line| line.contains("::")).map(names).collect())
}

fn names(id: &str) -> &str {
    id.split_once("::").map_or(id, |(_, names)| names)
}

/// Words that name a test by what is filled in.
fn wanted(args: &[String]) -> impl Iterator<Item = &String> {
    args[..end(args)].iter().filter(|word| function(word).is_some())
}

/// The function of such a test.
fn function(word: &str) -> Option<&str> {
    let (function, filled) = word.split_once('[')?;
    let is_id = !word.starts_with('-') && function.contains(".py::") && filled.ends_with(']');
    is_id.then_some(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_filled_in_is_asked_about() {
        let told = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            wanted(&words).cloned().collect::<Vec<_>>()
        };
        assert_eq!(
            told("-x a.py::test_a[1] b.py::B::test_b[a::b]"),
            ["a.py::test_a[1]", "b.py::B::test_b[a::b]"]
        );
        assert!(
            told(
                "-k test_a[1] a.py::test_a --deselect=a.py::test_a[1] x[1]/a.py -- a.py::test_a[1]"
            )
            .is_empty()
        );
        assert_eq!(function("a.py::test_a[[1]]"), Some("a.py::test_a"));
    }

    #[test]
    fn a_list_that_is_not_whole_says_nothing() {
        let told = |stdout: &str, exit_code| {
            let listed = BuildResult {
                step: 0,
                exit_code,
                stdout: stdout.into(),
                stderr_tail: String::new(),
            };
            whole(&listed).map(|names| names.join(" "))
        };
        let ids = "a.py::test_a[1]\na.py::test_a[a::b]\n";
        assert_eq!(
            told(&format!("{ids}\n2 tests collected in 0.01s\n"), 0).as_deref(),
            Some("test_a[1] test_a[a::b]")
        );
        assert_eq!(told(&format!("{ids}\n2/3 tests collected (1 deselected) in 0.01s\n"), 0), None);
        assert_eq!(told(&format!("{ids}\n2 tests collected, 1 error in 0.01s\n"), 2), None);
        assert_eq!(told(ids, 0), None);
    }
}
