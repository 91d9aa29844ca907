//! Builds with `go` into the directory of the request. If the command names several packages, `go`
//! lists first which of them has the test, or any tests. A test binary lists its tests before it is
//! run. `selection` reads these lists.

use dapdock_golang::{options, paths, test_kinds};
use dapdock_plugin::path;
use dapdock_plugin::prelude::*;

use crate::manifest::{DEBUG_FLAGS, DIRECTORY, TESTED};
use crate::target::GoBuild;
use crate::{included, selection};

const BUILD_SECONDS: u32 = 1800;
const LIST_SECONDS: u32 = 60;
/// The error of `go` outside a module (cmd/go/internal/modload/init.go, `ErrNoModRoot`).
const NO_MODULE: &str = "go.mod file not found";

/// What follows the steps of a round.
pub enum Next {
    Build(BuildPlan),
    Run(Built),
}

/// A program that `go` has built.
pub struct Built {
    pub program: Executable,
    /// The directory of the package, where tests run.
    pub directory: Option<String>,
    /// The number of its package, from 1, among those that the command tests in turn, how many
    /// there are, and its name.
    pub position: Option<(usize, usize, String)>,
}

/// The state between two rounds, stored as a JSON object.
struct State {
    /// The round whose results come next: `find-test`, `find-package`, `build`, `list-tests`.
    round: String,
    /// The selected package, if the command names several.
    package: Option<String>,
    directory: Option<String>,
    /// Of several packages: the number of the selected one, from 1, and how many there are.
    position: Option<(usize, usize)>,
}

impl State {
    fn read(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let number = |at: usize| Some(value["position"][at].as_u64()? as usize);
        Self {
            position: number(0).zip(number(1)),
            round: text("round").unwrap_or_default(),
            package: text("package"),
            directory: text("directory"),
        }
    }

    fn text(&self) -> String {
        json!({
            "round": self.round, "package": self.package, "directory": self.directory,
            "position": self.position,
        })
        .to_string()
    }

    fn at(self, round: &str) -> Self {
        Self { round: round.into(), ..self }
    }
}

pub fn start(project: &Workspace, spec: &GoBuild) -> Result<BuildPlan, Error> {
    let fresh = State { round: String::new(), package: None, directory: None, position: None };
    let several =
        spec.packages.len() > 1 || spec.packages.iter().any(|package| package.contains("..."));
    match (spec.requested(), spec.tests && several) {
        (Some((_, pattern)), true) => {
            let command = Command::new(project.find_executable("go")?).args(["test", "-list"]);
            let command = command.arg(test_kinds::list_pattern(pattern));
            let command =
                command.args(spec.flags.clone()).args(spec.packages.clone()).cwd(&spec.directory);
            let step =
                BuildStep { label: "go test -list".into(), command, timeout_s: BUILD_SECONDS };
            Ok(BuildPlan { steps: vec![step], state: fresh.at("find-test").text() })
        }
        (None, true) => {
            let command = Command::new(project.find_executable("go")?).args(["list", "-f", TESTED]);
            let command = command
                .args(options::for_list(&spec.flags))
                .args(spec.packages.clone())
                .cwd(&spec.directory);
            let step = BuildStep { label: "go list".into(), command, timeout_s: LIST_SECONDS };
            Ok(BuildPlan { steps: vec![step], state: fresh.at("find-package").text() })
        }
        _ => build(project, spec, fresh),
    }
}

fn build(project: &Workspace, spec: &GoBuild, state: State) -> Result<BuildPlan, Error> {
    let (verb, label): (&[&str], _) = if spec.tests {
        (&["test", "-c", DEBUG_FLAGS, "-o"], "go test -c")
    } else {
        (&["build", DEBUG_FLAGS, "-o"], "go build")
    };
    let packages =
        state.package.clone().map_or_else(|| spec.packages.clone(), |package| vec![package]);
    let command = Command::new(project.find_executable("go")?)
        .args(verb.iter().copied())
        .arg(output(project, spec)?);
    let mut steps = Vec::new();
    if let Some(package) = packages.first().filter(|package| spec.tests && !is_path(package)) {
        let command = Command::new(project.find_executable("go")?)
            .args(["list", "-f", DIRECTORY])
            .arg(package.clone());
        let command = command.cwd(&spec.directory);
        steps.push(BuildStep { label: "go list".into(), command, timeout_s: LIST_SECONDS });
    }
    let command = command.args(spec.flags.clone()).args(packages).cwd(&spec.directory);
    steps.push(BuildStep { label: label.into(), command, timeout_s: BUILD_SECONDS });
    Ok(BuildPlan { steps, state: state.at("build").text() })
}

/// Whether a package is given by its directory; otherwise by its import path.
fn is_path(package: &str) -> bool {
    package.starts_with(['.', '/'])
}

fn output(project: &Workspace, spec: &GoBuild) -> Result<String, Error> {
    Ok(format!("{}/{}", project.output_dir()?, spec.name()))
}

pub fn next(
    project: &Workspace,
    spec: &GoBuild,
    state: &str,
    results: &[BuildResult],
    skipped: usize,
) -> Result<Next, Error> {
    let state = State::read(state);
    let last = results.last().ok_or_else(|| Error::internal("the build has no result"))?;
    if last.exit_code != 0 {
        return Err(failed(project, spec, last));
    }
    match state.round.as_str() {
        "find-test" => {
            let chosen = selection::package(spec, &last.stdout, skipped)
                .map_err(|error| included::missing_test(project, spec).unwrap_or(error))?;
            let (package, position) = (Some(chosen.package), chosen.position);
            build(project, spec, State { package, position, ..state }).map(Next::Build)
        }
        "find-package" => {
            let chosen = selection::tested(spec, &last.stdout, skipped).map_err(|error| {
                included::missing_tests(project, spec, &spec.directory).unwrap_or(error)
            })?;
            let package = Some(paths::relative(&spec.directory, &chosen.package));
            let (directory, position) = (Some(chosen.package), chosen.position);
            build(project, spec, State { package, directory, position, ..state }).map(Next::Build)
        }
        "build" => {
            let mut state = state;
            if results.len() > 1 {
                // The first step was `go list`.
                state.directory = Some(results[0].stdout.trim().to_owned());
            }
            list_tests(project, spec, state, last)
        }
        _ => {
            selection::check(spec, &results[0].stdout, &last.stdout)
                .map_err(|error| included::missing_test(project, spec).unwrap_or(error))?;
            run(project, spec, state)
        }
    }
}

fn failed(project: &Workspace, spec: &GoBuild, result: &BuildResult) -> Error {
    // `go test` prints the compiler's messages on stderr and its own result on stdout.
    let output =
        if result.stderr_tail.trim().is_empty() { &result.stdout } else { &result.stderr_tail };
    // cmd/go/internal/gover, `TooNewError`.
    let too_new = |line: &&str| line.contains(" requires go >= ") && line.contains("(running go ");
    if let Some(line) = output.lines().find(too_new) {
        return Error::tool_too_old(line.trim_start_matches("go: "))
            .hint("install a newer Go: https://go.dev/dl");
    }
    if output.contains(NO_MODULE) {
        return no_module(output.trim(), &project.glob("**/go.mod", 3).unwrap_or_default());
    }
    if let Some(error) = included::excluded(project, spec, output) {
        return error;
    }
    let (directory, root) = (&spec.directory, project.root());
    let exists = |path: &str| project.stat(path).is_some();
    if let Some(missing) = paths::missing_package(directory, &spec.packages, &root, exists) {
        return Error::target_missing(missing.message).hint(missing.hint);
    }
    Error::build_failed(paths::with_root_paths(output.trim(), directory, &root))
}

/// The error for a `go` that runs outside a module: the code itself may be right.
fn no_module(message: &str, modules: &[String]) -> Error {
    let hint = match modules.first() {
        Some(file) => {
            let directory = file.rsplit_once('/').map_or(".", |(directory, _)| directory);
            format!("the same call with \"cwd\": \"{directory}\"")
        }
        None => "the same call with `cwd`, the directory of the module".to_owned(),
    };
    Error::target_missing(message).hint(hint)
}

/// After the build: a test binary lists its tests if the command names some.
fn list_tests(
    project: &Workspace,
    spec: &GoBuild,
    state: State,
    built: &BuildResult,
) -> Result<Next, Error> {
    let output = output(project, spec)?;
    let packages = spec.packages.join(" ");
    let what = if packages == "." { &spec.directory } else { &packages };
    if built.stdout.contains("[no test files]") {
        let directory = path::join(&spec.directory, what);
        let refused = || Error::target_missing(format!("{what} has no tests"));
        return Err(included::missing_tests(project, spec, &directory).unwrap_or_else(refused));
    }
    if project.build_output(built.step, &output).is_err() {
        let refused = Error::target_missing(format!("{what} is not a program: it has no `main`"));
        return Err(
            refused.hint("debug a main package, or its tests with `go test PACKAGE -run NAME`")
        );
    }
    let Some((_, pattern)) = spec.requested() else { return run(project, spec, state) };
    let mut steps = Vec::new();
    for pattern in [".", test_kinds::first(pattern)] {
        let binary = project.build_output(built.step, &output)?;
        let command = Command::new(binary).args(["-test.list", pattern]);
        steps.push(BuildStep { label: "list tests".into(), command, timeout_s: LIST_SECONDS });
    }
    Ok(Next::Build(BuildPlan { steps, state: state.at("list-tests").text() }))
}

fn run(project: &Workspace, spec: &GoBuild, state: State) -> Result<Next, Error> {
    let program = project.build_output(0, &output(project, spec)?)?;
    let position = state
        .position
        .map(|(number, count)| (number, count, state.package.clone().unwrap_or_default()));
    Ok(Next::Run(Built { program, directory: state.directory, position }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(modules: &[&str]) -> Option<String> {
        let modules: Vec<String> = modules.iter().map(|file| (*file).to_owned()).collect();
        no_module("no go.mod", &modules).hint
    }

    #[test]
    fn directory_of_a_module_is_proposed() {
        assert_eq!(hint(&["a/b/go.mod"]).unwrap(), r#"the same call with "cwd": "a/b""#);
        assert_eq!(hint(&["go.mod"]).unwrap(), r#"the same call with "cwd": ".""#);
        assert_eq!(hint(&[]).unwrap(), "the same call with `cwd`, the directory of the module");
    }
}
