//! Builds with cargo and finds what to run in what it says. Test binaries are asked
//! which of them has the test; cargo then names it anew, since only an output of the
//! last build can be run.

use dapdock_plugin::named;
use dapdock_plugin::prelude::*;

use crate::manifest::MESSAGES;
use crate::target::Order;

const BUILD_SECONDS: u32 = 1800;
const LIST_SECONDS: u32 = 30;
/// What cargo says outside of any package (cargo/util/important_paths.rs, `find_root_manifest_for_wd`).
const NO_PACKAGE: &str = "could not find `Cargo.toml`";

/// A program that cargo made.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// Which step of the build told of it.
    pub step: u32,
    pub path: String,
    /// Options that choose it: `--bin api`.
    choice: String,
    /// Of its package; tests run there.
    pub directory: Option<String>,
    /// What the caller's word for a test is in full.
    pub named: Option<String>,
    /// The caller's word for tests is one's whole path.
    pub exact: bool,
    /// The crate it is of.
    krate: String,
    test: bool,
}

/// How it goes on after a build.
pub enum Next {
    Build(BuildPlan),
    Run(Built),
}

pub fn build(project: &Workspace, order: &Order) -> Result<BuildPlan, Error> {
    Ok(BuildPlan { steps: vec![step(project, order)?], state: "{}".into() })
}

fn step(project: &Workspace, order: &Order) -> Result<BuildStep, Error> {
    let verb: &[&str] = if order.tests { &["test", "--no-run", MESSAGES] } else { &["build", MESSAGES] };
    let mut command = Command::new(project.find_executable("cargo")?);
    command = command.args(verb.iter().copied()).args(order.options.iter().cloned());
    command.cwd = order.directory.clone();
    if let Some(toolchain) = &order.toolchain {
        command = command.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    let label = if order.tests { "cargo test --no-run" } else { "cargo build" };
    Ok(BuildStep { label: label.into(), command, timeout_s: BUILD_SECONDS })
}

pub fn built(project: &Workspace, order: &Order, state: &str, results: &[BuildResult]) -> Result<Next, Error> {
    let state: Value = serde_json::from_str(state).unwrap_or_default();
    if let Some(failed) = results.iter().find(|result| result.exit_code != 0) {
        // One with a main function of its own (`harness = false`) need not list its tests.
        let listing = state["listed"].as_array().is_some_and(|listed| results.len() <= listed.len());
        if listing && !order.by_name {
            let state = json!({"unlisted": true}).to_string();
            return Ok(Next::Build(BuildPlan { steps: vec![step(project, order)?], state }));
        }
        return Err(unbuilt(project, failed.stderr_tail.trim()));
    }
    let last = results.last().ok_or_else(|| Error::internal("the build has no result"))?;
    let found: Vec<Built> = artifacts(last).into_iter().filter(|built| built.test == order.tests).collect();
    if let (Some(listed), Some(filter)) = (state["listed"].as_array(), order.filter.as_deref()) {
        let listed: Vec<(&str, &str)> =
            listed.iter().filter_map(Value::as_str).zip(results.iter().map(|result| result.stdout.as_str())).collect();
        return match order.by_name {
            true => named(filter, found, &listed).map(Next::Run),
            false => one(order, filtered(order, filter, found, &listed)?),
        };
    }
    match &order.filter {
        Some(_) if order.tests && found.is_empty() => Err(Error::target_missing("cargo built no tests")),
        Some(_) if order.tests && state["unlisted"].is_null() => list(project, order, &found).map(Next::Build),
        _ => one(order, found),
    }
}

/// The binaries with tests that `cargo test FILTER` runs. A path that is a test's is that test alone.
fn filtered(order: &Order, filter: &str, found: Vec<Built>, listed: &[(&str, &str)]) -> Result<Vec<Built>, Error> {
    let told = |built: &Built| listed.iter().find(|(path, _)| *path == built.path).map_or("", |(_, told)| told);
    let all: Vec<(Built, Vec<&str>)> =
        found.iter().map(|built| (built.clone(), tests(told(built)).collect())).collect();
    let exact = order.args.iter().any(|arg| arg == "--exact");
    let whole = filter.contains("::") && all.iter().any(|(_, tests)| tests.contains(&filter));
    let runs = |test: &&str| if exact || whole { *test == filter } else { test.contains(filter) };
    let fitting: Vec<Built> = all
        .iter()
        .filter(|(_, tests)| tests.iter().any(runs))
        .map(|(built, _)| Built { exact: whole, ..built.clone() })
        .collect();
    match fitting.is_empty() {
        true => Err(named::missing(filter, all.iter().flat_map(|(_, tests)| tests.iter().copied()))),
        false => Ok(fitting),
    }
}

fn unbuilt(project: &Workspace, said: &str) -> Error {
    match said.contains(NO_PACKAGE) {
        true => elsewhere(said, &project.glob("**/Cargo.toml", 3).unwrap_or_default()),
        false => Error::build_failed(said),
    }
}

/// Nothing is wrong with the code: cargo runs in the wrong directory.
fn elsewhere(said: &str, packages: &[String]) -> Error {
    let hint = match packages.first().map(|file| file.rsplit_once('/').map_or(".", |(directory, _)| directory)) {
        Some(directory) => format!("the same call with \"cwd\": \"{directory}\""),
        None => "the same call with `cwd`, the directory of the package".to_owned(),
    };
    Error::target_missing(said).hint(hint)
}

/// Asks every test binary for its tests, then cargo again.
fn list(project: &Workspace, order: &Order, found: &[Built]) -> Result<BuildPlan, Error> {
    let mut steps = Vec::new();
    for built in found {
        let binary = project.build_output(built.step, &built.path)?;
        let mut command = Command::new(binary).args(["--list", "--format=terse"]);
        command.cwd = built.directory.clone();
        steps.push(BuildStep { label: "list tests".into(), command, timeout_s: LIST_SECONDS });
    }
    steps.push(step(project, order)?);
    let paths: Vec<&str> = found.iter().map(|built| built.path.as_str()).collect();
    Ok(BuildPlan { steps, state: json!({"listed": paths}).to_string() })
}

/// The names in what a test binary told of its own.
fn tests(listing: &str) -> impl Iterator<Item = &str> {
    listing.lines().filter_map(|line| line.strip_suffix(": test"))
}

/// The binary with the one test of that name, whole or its end, with its crate before it or without. `listed` is what
/// each binary told of its tests.
fn named(name: &str, found: Vec<Built>, listed: &[(&str, &str)]) -> Result<Built, Error> {
    let mut all = Vec::new();
    for built in found {
        let told = listed.iter().find(|(path, _)| *path == built.path).map_or("", |(_, told)| told);
        all.extend(tests(told).map(|test| (built.clone(), test)));
    }
    let whole = |built: &Built, test: &str| name == test || name == format!("{}::{test}", built.krate);
    let end = |test: &str| test.ends_with(&format!("::{name}"));
    let mut fitting: Vec<&(Built, &str)> = all.iter().filter(|(built, test)| whole(built, test)).collect();
    if fitting.is_empty() {
        fitting = all.iter().filter(|(_, test)| end(test)).collect();
    }
    match fitting.as_slice() {
        [(built, test)] => Ok(Built { named: Some((*test).to_owned()), ..built.clone() }),
        [] => Err(named::missing(name, all.iter().map(|(_, test)| *test))),
        several => {
            let mut names: Vec<String> =
                several.iter().map(|(built, test)| format!("{}::{test}", built.krate)).collect();
            let named: Vec<String> =
                several.iter().map(|(built, test)| format!("`cargo test {} {test}`", built.choice)).collect();
            names.sort();
            let same = names.iter().all(|name| *name == names[0]);
            let hint = format!("name one: {}", if same { named.join(", ") } else { names.join(", ") });
            Err(Error::target_ambiguous(format!("{} tests are named {name}", several.len())).hint(hint))
        }
    }
}

fn one(order: &Order, mut found: Vec<Built>) -> Result<Next, Error> {
    let kind = if order.tests { "test" } else { "program" };
    if found.len() > 1 {
        let mut choices: Vec<String> = found.into_iter().map(|built| built.choice).collect();
        choices.sort();
        let hint = format!("choose one: add `{}`", choices.join("`, or `"));
        return Err(Error::target_ambiguous(format!("cargo built {} {kind}s", choices.len())).hint(hint));
    }
    found.pop().map(Next::Run).ok_or_else(|| Error::target_missing(format!("cargo built no {kind}")))
}

/// The executables in cargo's messages (`compiler-artifact`, one JSON object a line).
fn artifacts(result: &BuildResult) -> Vec<Built> {
    let messages = result.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| artifact(result.step, &message)).collect()
}

fn artifact(step: u32, message: &Value) -> Option<Built> {
    let path = message["executable"].as_str()?.to_owned();
    let name = message["target"]["name"].as_str()?;
    let choice = match message["target"]["kind"][0].as_str()? {
        kind @ ("bin" | "example" | "test" | "bench") => format!("--{kind} {name}"),
        _ => "--lib".into(),
    };
    let test = message["profile"]["test"] == true;
    let package = message["manifest_path"].as_str().and_then(|path| path.strip_suffix("/Cargo.toml"));
    let directory = package.filter(|_| test).map(str::to_owned);
    Some(Built { step, path, choice, directory, named: None, exact: false, krate: name.replace('-', "_"), test })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str, name: &str, test: bool) -> String {
        json!({
            "reason": "compiler-artifact", "executable": format!("/t/{name}"), "manifest_path": "/w/Cargo.toml",
            "target": {"kind": [kind], "name": name}, "profile": {"test": test},
        })
        .to_string()
    }

    fn said(next: Result<Next, Error>) -> String {
        match next {
            Ok(Next::Run(built)) => built.path,
            Ok(Next::Build(_)) => "builds".into(),
            Err(error) => format!("{} ({})", error.message, error.hint.unwrap_or_default()),
        }
    }

    fn found(messages: &[String]) -> Vec<Built> {
        let stdout = format!("warning: x\n{}\n", messages.join("\n"));
        artifacts(&BuildResult { step: 2, exit_code: 0, stdout, stderr_tail: String::new() })
    }

    #[test]
    fn the_one_program_is_run() {
        let built = found(&[r#"{"reason":"build-finished"}"#.into(), message("bin", "api", false)]);
        assert_eq!(built[0].step, 2);
        assert_eq!(said(one(&Order::default(), built)), "/t/api");
    }

    #[test]
    fn several_programs_are_a_question() {
        let built = found(&[message("bin", "b", false), message("bin", "a", false)]);
        assert_eq!(
            said(one(&Order::default(), built)),
            "cargo built 2 programs (choose one: add `--bin a`, or `--bin b`)"
        );
    }

    #[test]
    fn a_directory_outside_the_package_is_told_with_the_one_inside() {
        let told = |packages: &[&str]| {
            let packages: Vec<String> = packages.iter().map(|file| (*file).to_owned()).collect();
            said(Err(elsewhere("no Cargo.toml", &packages)))
        };
        assert_eq!(told(&["a/b/Cargo.toml"]), r#"no Cargo.toml (the same call with "cwd": "a/b")"#);
        assert_eq!(told(&[]), "no Cargo.toml (the same call with `cwd`, the directory of the package)");
    }

    #[test]
    fn tests_run_in_their_package() {
        let built = found(&[message("lib", "cart", true)]);
        assert_eq!((built[0].choice.as_str(), built[0].directory.as_deref()), ("--lib", Some("/w")));
    }

    #[test]
    fn a_test_is_found_by_its_name_or_its_end() {
        let built = found(&[message("lib", "cart", true), message("test", "whole-cart", true)]);
        let listed = [
            ("/t/cart", "price::tests::rounds: test\ntests::empty: test\nbench: benchmark\n"),
            ("/t/whole-cart", "empties: test\ntests::empty: test\n"),
        ];
        let said = |name: &str| match named(name, built.clone(), &listed) {
            Ok(built) => format!("{} {}", built.path, built.named.unwrap_or_default()),
            Err(error) => format!("{} ({})", error.message, error.hint.unwrap_or_default()),
        };
        assert_eq!(said("price::tests::rounds"), "/t/cart price::tests::rounds");
        assert_eq!(said("cart::price::tests::rounds"), "/t/cart price::tests::rounds");
        assert_eq!(said("rounds"), "/t/cart price::tests::rounds");
        assert_eq!(said("whole_cart::empties"), "/t/whole-cart empties");
        assert_eq!(said("empty"), "2 tests are named empty (name one: cart::tests::empty, whole_cart::tests::empty)");
        assert_eq!(
            said("round"),
            "no test is named round; there are price::tests::rounds, tests::empty, empties, tests::empty \
             (debug_launch {\"test\": \"price::tests::rounds\"})"
        );
    }

    #[test]
    fn a_filter_chooses_the_binaries_with_its_tests() {
        let built = found(&[message("lib", "cart", true), message("test", "whole", true)]);
        let listed =
            [("/t/cart", "price::rounds: test\nprice::rounds_up: test\n0 tests\n"), ("/t/whole", "empties: test\n")];
        let told = |filter: &str, args: &[&str]| {
            let args = args.iter().map(|&arg| arg.to_owned()).collect();
            match filtered(&Order { args, ..Order::default() }, filter, built.clone(), &listed) {
                Ok(found) => {
                    found.iter().map(|one| format!("{} {}", one.path, one.exact)).collect::<Vec<_>>().join(", ")
                }
                Err(error) => error.message,
            }
        };
        assert_eq!(told("e", &[]), "/t/cart false, /t/whole false");
        assert_eq!(told("price::round", &[]), "/t/cart false");
        assert_eq!(told("price::rounds", &[]), "/t/cart true");
        assert_eq!(
            told("rounds", &["--exact"]),
            "no test is named rounds; there are price::rounds, price::rounds_up, empties"
        );
        assert_eq!(
            told("emptied", &[]),
            "no test is named emptied; there are empties, price::rounds, price::rounds_up"
        );
    }
}
