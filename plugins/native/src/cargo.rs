//! Builds with cargo and selects the program to run from its messages. For a test, the test
//! binaries list their tests; then cargo runs again, because only an output of the last build can
//! be run.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Ending;
use dapdock_plugin::test_names;

use crate::artifacts::{Built, artifacts};
use crate::build_errors;
use crate::cargo_command::CargoCommand;

/// Compiler messages as text on stderr, artifacts as JSON on stdout.
pub const MESSAGES: &str = "--message-format=json-render-diagnostics";
const BUILD_SECONDS: u32 = 1800;
const LIST_SECONDS: u32 = 30;

/// What follows a build.
pub enum Next {
    /// Another build.
    Build(BuildPlan),
    /// A run of what is built.
    Run(Built),
}

/// The build that a command names.
///
/// # Errors
/// If cargo is not found.
pub fn build(project: &Workspace, command: &CargoCommand) -> Result<BuildPlan, Error> {
    Ok(BuildPlan { steps: vec![step(project, command)?], state: "{}".into() })
}

fn step(project: &Workspace, command: &CargoCommand) -> Result<BuildStep, Error> {
    let (label, verb): (&str, &[&str]) = if command.tests {
        ("cargo test --no-run", &["test", "--no-run", MESSAGES])
    } else {
        ("cargo build", &["build", MESSAGES])
    };
    let mut cargo = Command::new(project.find_executable("cargo")?);
    cargo = cargo.args(verb.iter().copied()).args(command.options.iter().cloned());
    cargo.cwd = command.directory.clone();
    if let Some(toolchain) = &command.toolchain {
        cargo = cargo.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    Ok(BuildStep { label: label.into(), command: cargo, timeout_s: BUILD_SECONDS })
}

/// What follows the results of a build; `skipped` test binaries have run already.
///
/// # Errors
/// If the build failed, or made no such program.
pub fn built(
    project: &Workspace,
    command: &CargoCommand,
    state: &str,
    results: &[BuildResult],
    skipped: usize,
) -> Result<Next, Error> {
    let state: Value = serde_json::from_str(state).unwrap_or_default();
    if let Some(failed) = results.iter().find(|result| result.exit_code != 0) {
        // A test binary with its own main function (`harness = false`) need not list its tests.
        let listing =
            state["listed"].as_array().is_some_and(|listed| results.len() <= listed.len());
        if listing && !command.by_name {
            let state = json!({"unlisted": true}).to_string();
            return Ok(Next::Build(BuildPlan { steps: vec![step(project, command)?], state }));
        }
        return Err(build_errors::build_error(project, command, failed.stderr_tail.trim()));
    }
    let last = results.last().ok_or_else(|| Error::internal("the build has no result"))?;
    let found: Vec<Built> =
        artifacts(last).into_iter().filter(|built| built.test == command.tests).collect();
    if let Some(listed) = state["listed"].as_array() {
        let listed: Vec<(&str, &str)> = listed
            .iter()
            .filter_map(Value::as_str)
            .zip(results.iter().map(|result| result.stdout.as_str()))
            .collect();
        return match (&command.filter, command.by_name) {
            (Some(name), true) => test_by_name(command, name, found, &listed).map(Next::Run),
            _ => one(project, command, filtered(command, found, &listed)?, skipped),
        };
    }
    if !command.tests || (command.filters().is_empty() && found.len() < 2) {
        one(project, command, found, skipped)
    } else if found.is_empty() {
        Err(Error::target_missing("cargo built no tests"))
    } else if state["unlisted"].is_null() {
        list(project, command, &found).map(Next::Build)
    } else {
        one(project, command, found, skipped)
    }
}

/// A binary and one of its tests.
type Listed<'a> = (&'a Built, &'a str);

/// All tests of the binaries, and the binaries that list none.
fn all<'a>(found: &'a [Built], listed: &[(&str, &'a str)]) -> (Vec<Listed<'a>>, Vec<&'a Built>) {
    let (mut all, mut unlisted) = (Vec::new(), Vec::new());
    for built in found {
        let own = listed.iter().find(|(path, _)| *path == built.path);
        let listing = own.map_or("", |(_, listing)| listing);
        if is_listing(listing) {
            all.extend(tests(listing).map(|test| (built, test)));
        } else {
            unlisted.push(built);
        }
    }
    (all, unlisted)
}

/// The binaries with tests that `cargo test FILTER` runs, else those that list none. A filter that
/// is the path of a test selects that test alone.
fn filtered(
    command: &CargoCommand,
    found: Vec<Built>,
    listed: &[(&str, &str)],
) -> Result<Vec<Built>, Error> {
    let (all, unlisted) = all(&found, listed);
    let filters = command.filters();
    let is_path = matches!(filters[..], [filter] if filter.contains("::")
        && all.iter().any(|(_, test)| *test == filter));
    let exact = is_path || command.args.iter().any(|arg| arg == "--exact");
    let mut matching: Vec<Built> = Vec::new();
    if filters.is_empty() {
        matching.extend(unlisted.iter().map(|built| (*built).clone()));
    }
    for built in &found {
        let has_match = all.iter().any(|(binary, test)| {
            let is_selected =
                filters.is_empty() || filters.iter().any(|filter| is_match(test, filter, exact));
            *binary == built && is_selected
        });
        if has_match {
            matching.push(Built { exact: is_path, ..built.clone() });
        }
    }
    if !matching.is_empty() {
        Ok(matching)
    } else if filters.is_empty() {
        Ok(found)
    } else if !unlisted.is_empty() {
        Ok(unlisted.into_iter().map(|built| built.unlisted(&filters)).collect())
    } else {
        let ids = ids(&all);
        Err(test_names::missing(&filters.join(" or "), ids.iter().map(String::as_str)))
    }
}

/// Does libtest run the test for this filter?
fn is_match(test: &str, filter: &str, exact: bool) -> bool {
    if exact { test == filter } else { test.contains(filter) }
}

/// The values of `test` in a launch: with the crate if other tests have the same name.
fn ids(all: &[Listed<'_>]) -> Vec<String> {
    let mut ids = Vec::new();
    for (built, test) in all {
        let is_unique = all.iter().filter(|(_, other)| other == test).count() == 1;
        ids.push(if is_unique { (*test).to_owned() } else { built.id(test) });
    }
    // Cargo reports binaries as they are built.
    ids.sort();
    ids
}

/// The ending of a run in which all selected tests are ignored.
pub fn ignored(command: &CargoCommand) -> Option<Ending> {
    let applies = command.tests
        && !command.by_name
        && !command.runs_ignored()
        && !command.filters().is_empty();
    if !applies {
        return None;
    }
    let call = command.launch_call(&command.options, &["--ignored"]);
    Some(Ending {
        output: r"^test result: ok\. 0 passed; 0 failed; [1-9]\d* ignored;".into(),
        means: format!("the requested tests are #[ignore]; `-- --ignored` runs them: {call}"),
        ..Ending::default()
    })
}

/// The ending of a run in which a test fails without a panic: it returned an error, which stops
/// nothing. The list of libtest names the test.
pub fn returned_error(command: &CargoCommand) -> Option<Ending> {
    let launch = r#"debug_launch {"test": "{1}", "breakpoints": ["{1}"]}"#;
    command.tests.then(|| Ending {
        output: r"^failures:\n    (\S+)\n(?:    \S+\n)*\ntest result: FAILED\.".into(),
        means: format!("{{1}} returned an error, which is no panic; to stop in it: {launch}"),
        failed: true,
        unseen: true,
    })
}

/// Plans to list the tests of every binary, and then to run cargo again.
fn list(project: &Workspace, command: &CargoCommand, found: &[Built]) -> Result<BuildPlan, Error> {
    let mut steps = Vec::new();
    for built in found {
        let binary = project.build_output(built.step, &built.path)?;
        let mut listing = Command::new(binary).arg("--list");
        listing.cwd = built.directory.clone();
        let label = "list tests".into();
        steps.push(BuildStep { label, command: listing, timeout_s: LIST_SECONDS });
    }
    steps.push(step(project, command)?);
    let paths: Vec<&str> = found.iter().map(|built| built.path.as_str()).collect();
    Ok(BuildPlan { steps, state: json!({"listed": paths}).to_string() })
}

/// The names of tests in a listing.
fn tests(listing: &str) -> impl Iterator<Item = &str> {
    listing.lines().filter_map(|line| line.strip_suffix(": test"))
}

/// Is it a listing of libtest, or similar? A binary with its own main function may do anything for
/// `--list`.
fn is_listing(listing: &str) -> bool {
    listing.lines().any(|line| {
        let is_entry = line.ends_with(": test") || line.ends_with(": benchmark");
        is_entry || line.contains(" tests, ") || line.contains(" test, ")
    })
}

/// The binary with the one test of that name: whole or the end of it, with or without its crate.
/// `listed` is the listing of each binary.
fn test_by_name(
    command: &CargoCommand,
    name: &str,
    found: Vec<Built>,
    listed: &[(&str, &str)],
) -> Result<Built, Error> {
    let (all, _) = all(&found, listed);
    let mut matching: Vec<Listed<'_>> = all.clone();
    matching.retain(|(built, test)| name == *test || name == built.id(test));
    if matching.is_empty() {
        let end = format!("::{name}");
        matching = all.clone();
        matching.retain(|(_, test)| test.ends_with(&end));
    }
    match matching.as_slice() {
        [(built, test)] => Ok(Built { test_name: Some((*test).to_owned()), ..(*built).clone() }),
        [] => Err(test_names::missing(name, ids(&all).iter().map(String::as_str))),
        several => Err(which_test(command, name, several)),
    }
}

/// Tells the tests apart by crate or, if those are equal, by the cargo command.
fn which_test(command: &CargoCommand, name: &str, several: &[Listed<'_>]) -> Error {
    let among: Vec<&Built> = several.iter().map(|(built, _)| *built).collect();
    let mut ids: Vec<String> = several.iter().map(|(built, test)| built.id(test)).collect();
    ids.sort();
    let message = format!("{} tests are named {name}", several.len());
    if ids.windows(2).all(|pair| pair[0] != pair[1]) {
        let call = format!("debug_launch {{\"test\": {}}}", json!(ids[0]));
        return Error::target_ambiguous(format!("{message}: {}", ids.join(", "))).hint(call);
    }
    let (built, test) = several[0];
    let command = CargoCommand { filter: Some(test.to_owned()), by_name: false, ..command.clone() };
    let choices: Vec<String> = several
        .iter()
        .map(|(built, test)| format!("`cargo test {} {test}`", built.selection(&among)))
        .collect();
    let call = built.call(&command, &among, &["--exact", "--include-ignored"]);
    Error::target_ambiguous(format!("{message}: {}", choices.join(", "))).hint(call)
}

/// The executable to run: the only program, or the test binary after those that have run.
fn one(
    project: &Workspace,
    command: &CargoCommand,
    found: Vec<Built>,
    skipped: usize,
) -> Result<Next, Error> {
    if found.len() < 2 {
        only(command, found)
    } else if command.tests {
        in_turn(found, skipped).map(Next::Run)
    } else {
        let default: Vec<Built> =
            found.iter().filter(|built| built.is_default(project)).cloned().collect();
        only(command, if default.len() == 1 { default } else { found })
    }
}

fn only(command: &CargoCommand, mut found: Vec<Built>) -> Result<Next, Error> {
    let kind = if command.tests { "test" } else { "program" };
    if found.len() > 1 {
        let among: Vec<&Built> = found.iter().collect();
        let mut choices: Vec<(String, &Built)> =
            among.iter().map(|built| (built.selection(&among), *built)).collect();
        choices.sort_by(|(one, _), (other, _)| one.cmp(other));
        let call = choices[0].1.call(command, &among, &[]);
        let names: Vec<&str> = choices.iter().map(|(choice, _)| choice.as_str()).collect();
        let message = format!("cargo built {} {kind}s: `{}`", names.len(), names.join("`, `"));
        return Err(Error::target_ambiguous(message).hint(call));
    }
    found
        .pop()
        .map(Next::Run)
        .ok_or_else(|| Error::target_missing(format!("cargo built no {kind}")))
}

/// The test binary after those that have run, in cargo's order.
fn in_turn(mut found: Vec<Built>, skipped: usize) -> Result<Built, Error> {
    found.sort_by(|one, other| one.position().cmp(&other.position()));
    let count = found.len();
    let Some(built) = found.get(skipped) else {
        return Err(Error::target_missing(format!("all {count} test binaries have run")));
    };
    let selection = built.selection(&found.iter().collect::<Vec<_>>());
    let position = format!("test binary {} of {count}: {selection}", skipped + 1);
    let note = match &built.note {
        Some(note) => format!("{position}; {note}"),
        None => position,
    };
    let run_before_next = Some(skipped + 1).filter(|run| *run < count);
    Ok(Built { note: Some(note), run_before_next, ..built.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str, name: &str, test: bool) -> String {
        json!({
            "reason": "compiler-artifact", "executable": format!("/t/{name}"),
                "manifest_path": "/w/Cargo.toml",
            "package_id": format!("path+file:///w/{name}#0.1.0"),
            "target": {"kind": [kind], "name": name}, "profile": {"test": test},
        })
        .to_string()
    }

    fn outcome(next: Result<Next, Error>) -> String {
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
        assert_eq!(outcome(only(&CargoCommand::default(), built)), "/t/api");
    }

    #[test]
    fn several_programs_are_a_question() {
        let built = found(&[message("bin", "b", false), message("bin", "a", false)]);
        assert_eq!(
            outcome(only(&CargoCommand::default(), built)),
            "cargo built 2 programs: `-p a --bin a`, `-p b --bin b` (debug_launch {\"command\": \
            \"cargo run -p a --bin a\"})"
        );
    }

    #[test]
    fn tests_run_in_their_package() {
        let built = found(&[message("lib", "cart", true)]);
        assert_eq!(
            (built[0].choice.as_str(), built[0].directory.as_deref()),
            ("--lib", Some("/w"))
        );
    }

    #[test]
    fn a_test_is_found_by_its_name_or_its_end() {
        let built = found(&[message("lib", "cart", true), message("test", "whole-cart", true)]);
        let listed = [
            ("/t/cart", "price::tests::rounds: test\ntests::empty: test\nbench: benchmark\n"),
            ("/t/whole-cart", "empties: test\ntests::empty: test\n"),
        ];
        let output =
            |name: &str| match test_by_name(&CargoCommand::default(), name, built.clone(), &listed)
            {
                Ok(built) => format!("{} {}", built.path, built.test_name.unwrap_or_default()),
                Err(error) => format!("{} ({})", error.message, error.hint.unwrap_or_default()),
            };
        assert_eq!(output("price::tests::rounds"), "/t/cart price::tests::rounds");
        assert_eq!(output("cart::price::tests::rounds"), "/t/cart price::tests::rounds");
        assert_eq!(output("rounds"), "/t/cart price::tests::rounds");
        assert_eq!(output("whole_cart::empties"), "/t/whole-cart empties");
        assert_eq!(
            output("empty"),
            "2 tests are named empty: cart::tests::empty, whole_cart::tests::empty \
             (debug_launch {\"test\": \"cart::tests::empty\"})"
        );
        assert_eq!(
            output("round"),
            "no test is named round; there are price::tests::rounds, cart::tests::empty, empties, \
            whole_cart::tests::empty \
             (debug_launch {\"test\": \"price::tests::rounds\"})"
        );
    }

    /// A library and a program of one package have the same crate name.
    #[test]
    fn tests_of_one_name_in_crates_of_one_name_are_commands() {
        let mut built = found(&[message("lib", "cart", true), message("bin", "cart", true)]);
        built[1].path = "/t/main".into();
        let listed = [("/t/cart", "tests::empty: test\n"), ("/t/main", "tests::empty: test\n")];
        let options = ["--workspace", "--tests"].map(str::to_owned).to_vec();
        let command =
            CargoCommand { tests: true, options, by_name: true, ..CargoCommand::default() };
        let build_errors = test_by_name(&command, "empty", built, &listed).unwrap_err();
        assert_eq!(
            build_errors.message,
            "2 tests are named empty: `cargo test --lib tests::empty`, `cargo test --bin cart \
            tests::empty`"
        );
        let call = "cargo test --workspace --lib tests::empty -- --exact --include-ignored";
        assert_eq!(build_errors.hint, Some(format!("debug_launch {{\"command\": \"{call}\"}}")));
    }

    #[test]
    fn a_filter_chooses_the_binaries_with_its_tests() {
        let built = found(&[message("lib", "cart", true), message("test", "whole", true)]);
        let listed = [
            ("/t/cart", "price::rounds: test\nprice::rounds_up: test\n0 tests\n"),
            ("/t/whole", "empties: test\n"),
        ];
        let listing = |filter: &str, args: &[&str]| {
            let args = args.iter().map(|&arg| arg.to_owned()).collect();
            let command = CargoCommand {
                args,
                tests: true,
                filter: Some(filter.to_owned()),
                ..CargoCommand::default()
            };
            match filtered(&command, built.clone(), &listed) {
                Ok(found) => found
                    .iter()
                    .map(|one| format!("{} {}", one.path, one.exact))
                    .collect::<Vec<_>>()
                    .join(", "),
                Err(error) => error.message,
            }
        };
        assert_eq!(listing("e", &[]), "/t/cart false, /t/whole false");
        assert_eq!(listing("golf", &["empt"]), "/t/whole false");
        assert_eq!(listing("price::round", &[]), "/t/cart false");
        assert_eq!(listing("price::rounds", &[]), "/t/cart true");
        assert_eq!(
            listing("rounds", &["--exact"]),
            "no test is named rounds; there are price::rounds, price::rounds_up, empties"
        );
        assert_eq!(
            listing("emptied", &[]),
            "no test is named emptied; there are empties, price::rounds, price::rounds_up"
        );
    }

    /// A binary with its own main function need not know `--list`.
    #[test]
    fn a_binary_that_lists_nothing_may_have_any_test() {
        let built = found(&[message("lib", "cart", true), message("test", "own", true)]);
        let listing = |filter: &str, own: &str| {
            let command = CargoCommand {
                tests: true,
                filter: Some(filter.to_owned()),
                ..CargoCommand::default()
            };
            let listed = [("/t/cart", "rounds: test\n\n1 test, 0 benchmarks\n"), ("/t/own", own)];
            filtered(&command, built.clone(), &listed)
                .map_or_else(|error| error.message, |found| found[0].path.clone())
        };
        assert_eq!(listing("golf", "main\n"), "/t/own");
        assert_eq!(listing("rounds", "main\n"), "/t/cart");
        assert_eq!(
            listing("golf", "\n0 tests, 0 benchmarks\n"),
            "no test is named golf; there are rounds"
        );
    }
}
