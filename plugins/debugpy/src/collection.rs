//! Parametrized tests of pytest, named by their parameters: `test_half[2]`. Only pytest knows
//! them, after it has imported the file. So if the command names such a test, pytest collects the
//! tests before the run.

use dapdock_plugin::path;
use dapdock_plugin::prelude::*;
use dapdock_plugin::test_names;

use crate::python;
use crate::runner::end;
use crate::target::{Kind, Run};

/// The command template of the collection.
pub const COLLECT: [&str; 3] = ["-m", "pytest", "{...}"];
/// The collection imports all that the run imports.
const SECONDS: u32 = 300;

/// The step that has pytest list all tests of the named functions.
pub fn plan(
    project: &Workspace,
    request: &DebugRequest,
    run: &Run,
    directory: &str,
) -> Result<Option<BuildPlan>, Error> {
    if run.kind != Kind::Module || run.name != "pytest" || requested(&run.args).next().is_none() {
        return Ok(None);
    }
    let mut args: Vec<String> =
        run.args.iter().map(|word| function(word).unwrap_or(word).to_owned()).collect();
    // One id in a line, whatever other options say of the verbosity.
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

/// Refuses a named test that pytest does not list. An incomplete list refuses nothing.
pub fn check(
    project: &Workspace,
    request: &DebugRequest,
    run: &Run,
    directory: &str,
    listed: &BuildResult,
) -> Result<(), Error> {
    let Some(found) = complete_list(listed) else { return Ok(()) };
    let Some(missing) = requested(&run.args).find(|word| !found.contains(&names(word))) else {
        return Ok(());
    };
    let file = path::join(directory, missing.split("::").next().unwrap_or(missing));
    let file = file.strip_prefix(&format!("{}/", project.root())).unwrap_or(&file);
    let ids: Vec<String> = found.iter().map(|names| format!("{file}::{names}")).collect();
    let name = match &request.target {
        Some(TargetRef::Id(name)) => name,
        _ => missing,
    };
    Err(test_names::missing(name, ids.iter().map(String::as_str)))
}

/// The names of the listed tests, without their files; none if pytest has not listed all tests.
fn complete_list(listed: &BuildResult) -> Option<Vec<&str>> {
    let (ids, summary) = listed.stdout.split_once("\n\n")?;
    if listed.exit_code != 0
        || !summary.contains(" collected in ")
        || summary.contains(" deselected")
    {
        return None;
    }
    Some(ids.lines().filter(|line| line.contains("::")).map(names).collect())
}

fn names(id: &str) -> &str {
    id.split_once("::").map_or(id, |(_, names)| names)
}

/// The arguments that name a parametrized test.
fn requested(args: &[String]) -> impl Iterator<Item = &String> {
    args[..end(args)].iter().filter(|word| function(word).is_some())
}

/// The function of a parametrized test.
fn function(word: &str) -> Option<&str> {
    let (function, parameters) = word.split_once('[')?;
    let is_id = !word.starts_with('-') && function.contains(".py::") && parameters.ends_with(']');
    is_id.then_some(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requested_in(line: &str) -> Vec<String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        requested(&words).cloned().collect()
    }

    #[test]
    fn only_parametrized_tests_are_collected() {
        assert_eq!(
            requested_in("-x a.py::test_a[1] b.py::B::test_b[a::b]"),
            ["a.py::test_a[1]", "b.py::B::test_b[a::b]"]
        );
        let none =
            "-k test_a[1] a.py::test_a --deselect=a.py::test_a[1] x[1]/a.py -- a.py::test_a[1]";
        assert!(requested_in(none).is_empty());
        assert_eq!(function("a.py::test_a[[1]]"), Some("a.py::test_a"));
    }

    fn listed(stdout: &str, exit_code: i32) -> Option<String> {
        let listed =
            BuildResult { step: 0, exit_code, stdout: stdout.into(), stderr_tail: String::new() };
        complete_list(&listed).map(|names| names.join(" "))
    }

    #[test]
    fn incomplete_list_is_ignored() {
        let ids = "a.py::test_a[1]\na.py::test_a[a::b]\n";
        assert_eq!(
            listed(&format!("{ids}\n2 tests collected in 0.01s\n"), 0).as_deref(),
            Some("test_a[1] test_a[a::b]")
        );
        let deselected = format!("{ids}\n2/3 tests collected (1 deselected) in 0.01s\n");
        assert_eq!(listed(&deselected, 0), None);
        assert_eq!(listed(&format!("{ids}\n2 tests collected, 1 error in 0.01s\n"), 2), None);
        assert_eq!(listed(ids, 0), None);
    }
}
