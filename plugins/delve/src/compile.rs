//! Builds with `go` into the request's own directory. Of several packages the one
//! that has the test is asked for first; a test binary is asked whether it has the
//! test before it is run.

use dapdock_plugin::prelude::*;

use crate::manifest::{DIRECTORY, PLAIN};
use crate::target::Order;

const BUILD_SECONDS: u32 = 1800;
const LIST_SECONDS: u32 = 60;
/// What `go` says outside of any module (cmd/go/internal/modload/init.go, `ErrNoModRoot`).
const NO_MODULE: &str = "go.mod file not found";
/// Names that an error lists.
const NEAR: usize = 6;

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
    /// Which question the round's results answer: `which`, `built`, `has`.
    round: String,
    /// The package, where it is not the order's.
    package: Option<String>,
    directory: Option<String>,
}

impl State {
    fn read(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Self { round: text("round").unwrap_or_default(), package: text("package"), directory: text("directory") }
    }

    fn text(&self) -> String {
        json!({"round": self.round, "package": self.package, "directory": self.directory}).to_string()
    }

    fn at(self, round: &str) -> Self {
        Self { round: round.into(), ..self }
    }
}

pub fn start(project: &Workspace, order: &Order) -> Result<BuildPlan, Error> {
    let fresh = State { round: String::new(), package: None, directory: None };
    let several = order.packages.len() > 1 || order.packages.iter().any(|package| package.contains("..."));
    match (&order.run, order.tests && several) {
        (Some(run), true) => {
            let command = Command::new(project.find_executable("go")?).args(["test", "-list"]).arg(asked(run));
            let command = command.args(order.flags.clone()).args(order.packages.clone()).cwd(&order.directory);
            let step = BuildStep { label: "go test -list".into(), command, timeout_s: BUILD_SECONDS };
            Ok(BuildPlan { steps: vec![step], state: fresh.at("which").text() })
        }
        (None, true) => {
            let refused = Error::target_ambiguous(format!("`{}` may be many test binaries", order.packages.join(" ")));
            Err(refused.hint("name one package, or one test with `-run NAME`"))
        }
        _ => build(project, order, fresh),
    }
}

fn build(project: &Workspace, order: &Order, state: State) -> Result<BuildPlan, Error> {
    let (verb, label): (&[&str], _) = match order.tests {
        true => (&["test", "-c", PLAIN, "-o"], "go test -c"),
        false => (&["build", PLAIN, "-o"], "go build"),
    };
    let packages = state.package.clone().map_or_else(|| order.packages.clone(), |package| vec![package]);
    let command = Command::new(project.find_executable("go")?).args(verb.iter().copied()).arg(output(project, order)?);
    let mut steps = Vec::new();
    if let Some(package) = packages.first().filter(|package| order.tests && !is_path(package)) {
        let command = Command::new(project.find_executable("go")?).args(["list", "-f", DIRECTORY]).arg(package.clone());
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

pub fn next(project: &Workspace, order: &Order, state: &str, results: &[BuildResult]) -> Result<Next, Error> {
    let state = State::read(state);
    let last = results.last().ok_or_else(|| Error::internal("the build has no result"))?;
    if last.exit_code != 0 {
        return Err(failed(project, last));
    }
    match state.round.as_str() {
        "which" => {
            let package = which(order, &last.stdout)?;
            build(project, order, State { package: Some(package), ..state }).map(Next::Build)
        }
        "built" => {
            let listed = results.len() > 1;
            let directory = results.first().filter(|_| listed).map(|result| result.stdout.trim().to_owned());
            made(project, order, State { directory, ..state }, last)
        }
        _ => {
            has(order, &results[0].stdout, &last.stdout)?;
            run(project, order, state)
        }
    }
}

fn failed(project: &Workspace, result: &BuildResult) -> Error {
    // `go test` prints the compiler's words on stderr and its own verdict on stdout.
    let said = if result.stderr_tail.trim().is_empty() { &result.stdout } else { &result.stderr_tail };
    match said.contains(NO_MODULE) {
        true => elsewhere(said.trim(), &project.glob("**/go.mod", 3).unwrap_or_default()),
        false => Error::build_failed(said.trim()),
    }
}

/// Nothing is wrong with the code: `go` runs in the wrong directory.
fn elsewhere(said: &str, modules: &[String]) -> Error {
    let hint = match modules.first().map(|file| file.rsplit_once('/').map_or(".", |(directory, _)| directory)) {
        Some(directory) => format!("the same call with \"cwd\": \"{directory}\""),
        None => "the same call with `cwd`, the directory of the module".to_owned(),
    };
    Error::target_missing(said).hint(hint)
}

/// What a list is asked for: all, so that near names can be told, unless only a regular expression finds it.
fn asked(run: &str) -> String {
    if plain(run).is_some() { ".".into() } else { first(run).to_owned() }
}

/// Of a test and those that it makes, the first.
fn first(run: &str) -> &str {
    run.split('/').next().unwrap_or(run)
}

/// The name in `^TestX$/sub`, if it is no regular expression, which this does not read.
fn plain(run: &str) -> Option<&str> {
    let name = first(run).trim_start_matches('^').trim_end_matches('$');
    name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
}

/// Does `-run` choose this test?
fn fits(run: &str, test: &str) -> bool {
    let first = first(run);
    match (plain(run), first.starts_with('^'), first.ends_with('$')) {
        (None, ..) => true,
        (Some(name), true, true) => test == name,
        (Some(name), true, false) => test.starts_with(name),
        (Some(name), false, true) => test.ends_with(name),
        (Some(name), false, false) => test.contains(name),
    }
}

/// The one package with tests of that name. `go test -list` prints names, then `ok PACKAGE TIME`.
fn which(order: &Order, listing: &str) -> Result<String, Error> {
    let run = order.run.as_deref().unwrap_or_default();
    let (mut found, mut all, mut own) = (Vec::new(), Vec::new(), Vec::<&str>::new());
    for line in listing.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("ok"), Some(package)) => {
                found.extend(own.iter().any(|test| fits(run, test)).then(|| package.to_owned()));
                all.append(&mut own);
            }
            (Some(test), None) => own.push(test),
            _ => {}
        }
    }
    match found.len() {
        0 => Err(no_test(order, all)),
        1 => Ok(found.remove(0)),
        count => {
            let refused = Error::target_ambiguous(format!("{count} packages have tests that match `{run}`"));
            Err(refused.hint(format!("name one: {}", found.join(", "))))
        }
    }
}

/// The build is done; a test binary is asked for its tests before it is believed.
fn made(project: &Workspace, order: &Order, state: State, built: &BuildResult) -> Result<Next, Error> {
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
    if order.run.is_none() {
        return run(project, order, state);
    }
    let list = |which: &str| {
        let command = Command::new(project.build_output(built.step, &output)?).args(["-test.list", which]);
        Ok(BuildStep { label: "list tests".into(), command, timeout_s: LIST_SECONDS })
    };
    let run = order.run.as_deref().unwrap_or_default();
    let steps = vec![list(".")?, list(first(run))?];
    Ok(Next::Build(BuildPlan { steps, state: state.at("has").text() }))
}

fn run(project: &Workspace, order: &Order, state: State) -> Result<Next, Error> {
    let program = project.build_output(0, &output(project, order)?)?;
    Ok(Next::Run(Built { program, directory: state.directory }))
}

/// Are there tests that `-run` means? If not, those are told that are there. It means no benchmarks.
fn has(order: &Order, all: &str, meant: &str) -> Result<(), Error> {
    let runs = |line: &&str| !line.trim().is_empty() && !line.starts_with("Benchmark");
    match meant.lines().any(|line| runs(&line)) {
        true => Ok(()),
        false => Err(no_test(order, all.lines().filter(runs).collect())),
    }
}

fn no_test(order: &Order, mut tests: Vec<&str>) -> Error {
    let (run, packages) = (order.run.as_deref().unwrap_or_default(), order.packages.join(" "));
    let what = order.moved.as_deref().unwrap_or(&packages);
    let moved = order.moved.as_ref().map(|directory| format!("-C {directory} ")).unwrap_or_default();
    tests.sort_by_key(|test| std::cmp::Reverse(alike(test, run)));
    tests.truncate(NEAR);
    let there = if tests.is_empty() { String::new() } else { format!("; there are {}", tests.join(", ")) };
    let refused = Error::target_missing(format!("no test in {what} matches `{run}`{there}"));
    match tests.first() {
        Some(nearest) => {
            refused.hint(format!(r#"debug_launch {{"command": "go test {moved}{packages} -run ^{nearest}$"}}"#))
        }
        None => refused,
    }
}

/// How many letters both begin with, or one is within the other.
fn alike(test: &str, wanted: &str) -> usize {
    let wanted = wanted.trim_start_matches('^').trim_end_matches('$').to_lowercase();
    let test = test.to_lowercase();
    let within = if test.contains(&wanted) || wanted.contains(&test) { 100 } else { 0 };
    within + test.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(run: &str) -> Order {
        Order { tests: true, packages: vec!["./...".into()], run: Some(run.into()), ..Order::default() }
    }

    fn said<T>(told: Result<T, Error>) -> Result<T, String> {
        told.map_err(|error| format!("{} ({})", error.message, error.hint.unwrap_or_default()))
    }

    #[test]
    fn the_package_with_the_test_is_found_in_the_listing() {
        let listing = "TestX\nok  \tm/a\t0.004s\nok  \tm/b\t0.003s\n?   \tm/c\t[no test files]\n";
        assert_eq!(said(which(&order("X"), listing)), Ok("m/a".into()));
        let both = "TestX\nok  \tm/a\t0.004s\nTestX2\nok  \tm/b\t(cached)\n";
        let want = "2 packages have tests that match `X` (name one: m/a, m/b)";
        assert_eq!(said(which(&order("X"), both)), Err(want.into()));
        assert_eq!(said(which(&order("Y"), "ok  \tm/a\t0.004s\n")), Err("no test in ./... matches `Y` ()".into()));
    }

    #[test]
    fn a_directory_outside_the_module_is_told_with_the_one_inside() {
        let told = |modules: &[&str]| {
            let modules: Vec<String> = modules.iter().map(|file| (*file).to_owned()).collect();
            said::<()>(Err(elsewhere("no go.mod", &modules)))
        };
        assert_eq!(told(&["a/b/go.mod"]), Err(r#"no go.mod (the same call with "cwd": "a/b")"#.into()));
        assert_eq!(told(&["go.mod"]), Err(r#"no go.mod (the same call with "cwd": ".")"#.into()));
        assert_eq!(told(&[]), Err("no go.mod (the same call with `cwd`, the directory of the module)".into()));
    }

    #[test]
    fn a_test_that_is_not_there_is_told_with_those_like_it() {
        let listing = "TestTotal\nTestTaxOfAPen\nBenchmarkTax\n";
        assert_eq!(said(has(&order("Test.*Pen"), listing, "TestTaxOfAPen\n")), Ok(()));
        let want = "no test in ./... matches `^TestTaxes$`; there are TestTaxOfAPen, TestTotal \
                    (debug_launch {\"command\": \"go test ./... -run ^TestTaxOfAPen$\"})";
        assert_eq!(said(has(&order("^TestTaxes$"), listing, "BenchmarkTaxes\n")), Err(want.into()));
    }
}
