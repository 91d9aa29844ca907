//! Builds with `go` into the request's own directory. Of several packages the one
//! that has the test, or any, is asked for first; a test binary is asked whether it has the
//! test before it is run. `choice` reads what they list.

use dapdock_plugin::prelude::*;

use crate::manifest::{DIRECTORY, PLAIN, TESTED};
use crate::target::Order;
use crate::{choice, flags};

const BUILD_SECONDS: u32 = 1800;
const LIST_SECONDS: u32 = 60;
/// What `go` says outside of any module (cmd/go/internal/modload/init.go, `ErrNoModRoot`).
const NO_MODULE: &str = "go.mod file not found";
/// How it goes on after a build.
pub enum Next {
    Build(BuildPlan),
    Run(Built),
}

/// A program that `go` made.
pub struct Built {
    pub program: Executable,
    /// Of the package; tests run there.
    pub directory: Option<String>,
}

/// What is known between two rounds: a JSON object.
struct State {
    /// Which question the round's results answer: `which`, `tested`, `built`, `has`.
    round: String,
    /// The package, where it is not the order's.
    package: Option<String>,
    directory: Option<String>,
}

impl State {
    fn read(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Self {
            round: text("round").unwrap_or_default(),
            package: text("package"),
            directory: text("directory"),
        }
    }

    fn text(&self) -> String {
        json!({"round": self.round, "package": self.package, "directory": self.directory})
            .to_string()
    }

    fn at(self, round: &str) -> Self {
        Self { round: round.into(), ..self }
    }
}

pub fn start(project: &Workspace, order: &Order) -> Result<BuildPlan, Error> {
    let fresh = State { round: String::new(), package: None, directory: None };
    let several =
        order.packages.len() > 1 || order.packages.iter().any(|package| package.contains("..."));
    match (order.wanted(), order.tests && several) {
        (Some((_, pattern)), true) => {
            let command = Command::new(project.find_executable("go")?).args(["test", "-list"]);
            let command = command.arg(choice::asked(pattern));
            let command = command
                .args(order.flags.clone())
                .args(order.packages.clone())
                .cwd(&order.directory);
            let step =
                BuildStep { label: "go test -list".into(), command, timeout_s: BUILD_SECONDS };
            Ok(BuildPlan { steps: vec![step], state: fresh.at("which").text() })
        }
        (None, true) => {
            let command = Command::new(project.find_executable("go")?).args(["list", "-f", TESTED]);
            let command = command
                .args(flags::of_list(&order.flags))
                .args(order.packages.clone())
                .cwd(&order.directory);
            let step = BuildStep { label: "go list".into(), command, timeout_s: LIST_SECONDS };
            Ok(BuildPlan { steps: vec![step], state: fresh.at("tested").text() })
        }
        _ => build(project, order, fresh),
    }
}

fn build(project: &Workspace, order: &Order, state: State) -> Result<BuildPlan, Error> {
    let (verb, label): (&[&str], _) = match order.tests {
        true => (&["test", "-c", PLAIN, "-o"], "go test -c"),
        false => (&["build", PLAIN, "-o"], "go build"),
    };
    let packages =
        state.package.clone().map_or_else(|| order.packages.clone(), |package| vec![package]);
    let command = Command::new(project.find_executable("go")?)
        .args(verb.iter().copied())
        .arg(output(project, order)?);
    let mut steps = Vec::new();
    if let Some(package) = packages.first().filter(|package| order.tests && !is_path(package)) {
        let command = Command::new(project.find_executable("go")?)
            .args(["list", "-f", DIRECTORY])
            .arg(package.clone());
        let command = command.cwd(&order.directory);
        steps.push(BuildStep { label: "go list".into(), command, timeout_s: LIST_SECONDS });
    }
    let command = command.args(order.flags.clone()).args(packages).cwd(&order.directory);
    steps.push(BuildStep { label: label.into(), command, timeout_s: BUILD_SECONDS });
    Ok(BuildPlan { steps, state: state.at("built").text() })
}

/// A package is named by its path, or by the name that imports use.
fn is_path(package: &str) -> bool {
    package.starts_with(['.', '/'])
}

fn output(project: &Workspace, order: &Order) -> Result<String, Error> {
    Ok(format!("{}/{}", project.output_dir()?, order.name()))
}

pub fn next(
    project: &Workspace,
    order: &Order,
    state: &str,
    results: &[BuildResult],
) -> Result<Next, Error> {
    let state = State::read(state);
    let last = results.last().ok_or_else(|| Error::internal("the build has no result"))?;
    if last.exit_code != 0 {
        return Err(failed(project, order, last));
    }
    match state.round.as_str() {
        "which" => {
            let package = choice::package(order, &last.stdout)?;
            build(project, order, State { package: Some(package), ..state }).map(Next::Build)
        }
        "tested" => {
            let directory = choice::tested(order, &last.stdout)?;
            let package = Some(choice::below(&order.directory, &directory));
            build(project, order, State { package, directory: Some(directory), ..state })
                .map(Next::Build)
        }
        "built" => {
            let listed = results.len() > 1;
            let directory =
                results.first().filter(|_| listed).map(|result| result.stdout.trim().to_owned());
            made(
                project,
                order,
                State { directory: directory.or(state.directory.clone()), ..state },
                last,
            )
        }
        _ => {
            choice::has(order, &results[0].stdout, &last.stdout)?;
            run(project, order, state)
        }
    }
}

fn failed(project: &Workspace, order: &Order, result: &BuildResult) -> Error {
    // `go test` prints the compiler's words on stderr and its own verdict on stdout.
    let said =
        if result.stderr_tail.trim().is_empty() { &result.stdout } else { &result.stderr_tail };
    // cmd/go/internal/gover, `TooNewError`.
    if let Some(line) =
        said.lines().find(|line| line.contains(" requires go >= ") && line.contains("(running go "))
    {
        return Error::tool_too_old(line.trim_start_matches("go: "))
            .hint("install a newer Go: https://go.dev/dl");
    }
    match said.contains(NO_MODULE) {
        true => elsewhere(said.trim(), &project.glob("**/go.mod", 3).unwrap_or_default()),
        false => Error::build_failed(placed(said.trim(), &order.directory, &project.root())),
    }
}

/// The compiler's words with places as they are from the root: `go` tells them from where it runs.
fn placed(said: &str, directory: &str, root: &str) -> String {
    let line = |line: &str| {
        let told = line
            .split_once(".go:")
            .filter(|(path, _)| path.starts_with("./") || path.starts_with("../"));
        let Some((path, rest)) = told else { return line.to_owned() };
        let mut parts: Vec<&str> = directory.split('/').collect();
        for part in path.split('/') {
            match part {
                "." | "" => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let whole = parts.join("/");
        let path = whole
            .strip_prefix(root.trim_end_matches('/'))
            .map_or(whole.as_str(), |path| path.trim_start_matches('/'));
        format!("{path}.go:{rest}")
    };
    said.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Nothing is wrong with the code: `go` runs in the wrong directory.
fn elsewhere(said: &str, modules: &[String]) -> Error {
    let hint = match modules
        .first()
        .map(|file| file.rsplit_once('/').map_or(".", |(directory, _)| directory))
    {
        Some(directory) => format!("the same call with \"cwd\": \"{directory}\""),
        None => "the same call with `cwd`, the directory of the module".to_owned(),
    };
    Error::target_missing(said).hint(hint)
}

/// The build is done; a test binary is asked for its tests before it is believed.
fn made(
    project: &Workspace,
    order: &Order,
    state: State,
    built: &BuildResult,
) -> Result<Next, Error> {
    let output = output(project, order)?;
    let packages = order.packages.join(" ");
    let what = if packages == "." { &order.directory } else { &packages };
    if built.stdout.contains("[no test files]") {
        return Err(Error::target_missing(format!("{what} has no tests")));
    }
    drop(project.build_output(built.step, &output).map_err(|_| {
        let refused = Error::target_missing(format!("{what} is no program: it has no `main`"));
        refused.hint("debug a main package, or its tests with `go test PACKAGE -run NAME`")
    })?);
    let Some((_, pattern)) = order.wanted() else { return run(project, order, state) };
    let list = |which: &str| {
        let command =
            Command::new(project.build_output(built.step, &output)?).args(["-test.list", which]);
        Ok(BuildStep { label: "list tests".into(), command, timeout_s: LIST_SECONDS })
    };
    let steps = vec![list(".")?, list(choice::first(pattern))?];
    Ok(Next::Build(BuildPlan { steps, state: state.at("has").text() }))
}

fn run(project: &Workspace, order: &Order, state: State) -> Result<Next, Error> {
    let program = project.build_output(0, &output(project, order)?)?;
    Ok(Next::Run(Built { program, directory: state.directory }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said<T>(told: Result<T, Error>) -> Result<T, String> {
        told.map_err(|error| format!("{} ({})", error.message, error.hint.unwrap_or_default()))
    }

    #[test]
    fn places_are_told_from_the_root() {
        let said = "# m/cmd/x\n./main.go:3:1: a\n../../calc/calc.go:27:11: b\n../../../o/o.go:1:1: c\n\tplain.go:1";
        let told =
            "# m/cmd/x\ncmd/x/main.go:3:1: a\ncalc/calc.go:27:11: b\n/o/o.go:1:1: c\n\tplain.go:1";
        assert_eq!(placed(said, "/w/cmd/x", "/w"), told);
    }

    #[test]
    fn a_directory_outside_the_module_is_told_with_the_one_inside() {
        let told = |modules: &[&str]| {
            let modules: Vec<String> = modules.iter().map(|file| (*file).to_owned()).collect();
            said::<()>(Err(elsewhere("no go.mod", &modules)))
        };
        assert_eq!(
            told(&["a/b/go.mod"]),
            Err(r#"no go.mod (the same call with "cwd": "a/b")"#.into())
        );
        assert_eq!(told(&["go.mod"]), Err(r#"no go.mod (the same call with "cwd": ".")"#.into()));
        assert_eq!(
            told(&[]),
            Err("no go.mod (the same call with `cwd`, the directory of the module)".into())
        );
    }
}
