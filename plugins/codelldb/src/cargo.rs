//! Builds with cargo and finds what to run in what it says. Test binaries are asked
//! which of them has the test; cargo then names it anew, since only an output of the
//! last build can be run.

use dapdock_plugin::named;
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Ending;

use crate::manifest::MESSAGES;
use crate::order::Order;
use crate::refused;

const BUILD_SECONDS: u32 = 1800;
const LIST_SECONDS: u32 = 30;
/// A program that cargo made.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// Which step of the build told of it.
    pub step: u32,
    pub path: String,
    /// Options that choose it in its package: `--bin api`.
    choice: String,
    package: String,
    /// Of its package; tests run there.
    pub directory: Option<String>,
    /// What the caller's word for a test is in full.
    pub named: Option<String>,
    /// The caller's word for tests is one's whole path.
    pub exact: bool,
    /// What the caller is to know of it.
    pub note: Option<String>,
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
    let verb: &[&str] =
        if order.tests { &["test", "--no-run", MESSAGES] } else { &["build", MESSAGES] };
    let mut command = Command::new(project.find_executable("cargo")?);
    command = command.args(verb.iter().copied()).args(order.options.iter().cloned());
    command.cwd = order.directory.clone();
    if let Some(toolchain) = &order.toolchain {
        command = command.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    let label = if order.tests { "cargo test --no-run" } else { "cargo build" };
    Ok(BuildStep { label: label.into(), command, timeout_s: BUILD_SECONDS })
}

pub fn built(
    project: &Workspace,
    order: &Order,
    state: &str,
    results: &[BuildResult],
) -> Result<Next, Error> {
    let state: Value = serde_json::from_str(state).unwrap_or_default();
    if let Some(failed) = results.iter().find(|result| result.exit_code != 0) {
        // One with a main function of its own (`harness = false`) need not list its tests.
        let listing =
            state["listed"].as_array().is_some_and(|listed| results.len() <= listed.len());
        if listing && !order.by_name {
            let state = json!({"unlisted": true}).to_string();
            return Ok(Next::Build(BuildPlan { steps: vec![step(project, order)?], state }));
        }
        return Err(refused::unbuilt(project, order, failed.stderr_tail.trim()));
    }
    let last = results.last().ok_or_else(|| Error::internal("the build has no result"))?;
    let found: Vec<Built> =
        artifacts(last).into_iter().filter(|built| built.test == order.tests).collect();
    if let Some(listed) = state["listed"].as_array() {
        let listed: Vec<(&str, &str)> = listed
            .iter()
            .filter_map(Value::as_str)
            .zip(results.iter().map(|result| result.stdout.as_str()))
            .collect();
        return match (&order.filter, order.by_name) {
            (Some(name), true) => named(order, name, found, &listed).map(Next::Run),
            _ => one(order, filtered(order, found, &listed)?),
        };
    }
    match order.tests && !order.filters().is_empty() {
        true if found.is_empty() => Err(Error::target_missing("cargo built no tests")),
        true if state["unlisted"].is_null() => list(project, order, &found).map(Next::Build),
        _ => one(order, found),
    }
}

/// A binary and one of its tests.
type Listed<'a> = (&'a Built, &'a str);

/// All tests of the binaries, and those binaries that told of none.
fn all<'a>(found: &'a [Built], listed: &[(&str, &'a str)]) -> (Vec<Listed<'a>>, Vec<&'a Built>) {
    let (mut all, mut silent) = (Vec::new(), Vec::new());
    for built in found {
        let told = listed.iter().find(|(path, _)| *path == built.path).map_or("", |(_, told)| told);
        match is_listing(told) {
            true => all.extend(tests(told).map(|test| (built, test))),
            false => silent.push(built),
        }
    }
    (all, silent)
}

/// The binaries with tests that `cargo test FILTER` runs, else those that list none. A path that is
/// a test's is that test alone.
fn filtered(
    order: &Order,
    found: Vec<Built>,
    listed: &[(&str, &str)],
) -> Result<Vec<Built>, Error> {
    let (all, silent) = all(&found, listed);
    let filters = order.filters();
    let exact = order.args.iter().any(|arg| arg == "--exact");
    let whole = matches!(filters[..], [filter] if filter.contains("::") && all.iter().any(|(_, test)| *test == filter));
    let fits = |test: &str, filter: &str| {
        if exact || whole { test == filter } else { test.contains(filter) }
    };
    let runs = |built: &&Built| {
        let own = |(of, test): &Listed<'_>| {
            of == built && filters.iter().any(|filter| fits(test, filter))
        };
        all.iter().any(own)
    };
    let fitting: Vec<Built> =
        found.iter().filter(runs).map(|built| Built { exact: whole, ..built.clone() }).collect();
    match (fitting.is_empty(), silent.is_empty()) {
        (false, _) => Ok(fitting),
        (true, false) => Ok(silent.into_iter().map(|built| built.silent(&filters)).collect()),
        (true, true) => {
            Err(named::missing(&filters.join(" or "), ids(&all).iter().map(String::as_str)))
        }
    }
}

/// What `test` of a launch takes: with their crate where others are named so, too.
fn ids(all: &[Listed<'_>]) -> Vec<String> {
    let alone = |test: &str| all.iter().filter(|(_, other)| *other == test).count() == 1;
    let id =
        |(built, test): &Listed<'_>| if alone(test) { (*test).to_owned() } else { built.id(test) };
    let mut ids: Vec<String> = all.iter().map(id).collect();
    // Cargo tells of binaries as they are done.
    ids.sort();
    ids
}

impl Built {
    /// What `test` of a launch takes.
    fn id(&self, test: &str) -> String {
        format!("{}::{test}", self.krate)
    }

    /// One whose tests nobody else knows.
    fn silent(&self, filters: &[&str]) -> Self {
        let asked = filters.join("` or `");
        let note = format!(
            "`{}` lists no tests: whether it has one that `{asked}` fits, it alone knows",
            self.choice
        );
        Self { note: Some(note), ..self.clone() }
    }

    /// Options that choose it, with its package where there are others.
    fn chosen(&self, among: &[&Built]) -> String {
        let others = among.iter().any(|built| built.package != self.package);
        if others { format!("-p {} {}", self.package, self.choice) } else { self.choice.clone() }
    }

    /// The order's call for this alone of these.
    fn call(&self, order: &Order, among: &[&Built], more: &[&str]) -> String {
        let chosen = self.chosen(among);
        let mut options = order.unchosen(chosen.starts_with("-p "));
        options.extend(chosen.split(' ').map(str::to_owned));
        order.call(&options, more)
    }
}

/// What it means where all that the filters chose is ignored.
pub fn ignored(order: &Order) -> Option<Ending> {
    let asked =
        order.tests && !order.by_name && !order.runs_ignored() && !order.filters().is_empty();
    let call = || order.call(&order.options, &["--ignored"]);
    asked.then(|| Ending {
        output: r"^test result: ok\. 0 passed; 0 failed; [1-9]\d* ignored;".into(),
        means: format!("what was asked for is #[ignore]; `-- --ignored` runs it: {}", call()),
        ..Ending::default()
    })
}

/// Asks every test binary for its tests, then cargo again.
fn list(project: &Workspace, order: &Order, found: &[Built]) -> Result<BuildPlan, Error> {
    let mut steps = Vec::new();
    for built in found {
        let binary = project.build_output(built.step, &built.path)?;
        let mut command = Command::new(binary).arg("--list");
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

/// Is it what libtest tells, or the like? One with a main function of its own may do what it likes
/// for `--list`.
fn is_listing(told: &str) -> bool {
    let counts = |line: &str| line.contains(" tests, ") || line.contains(" test, ");
    told.lines()
        .any(|line| line.ends_with(": test") || line.ends_with(": benchmark") || counts(line))
}

/// The binary with the one test of that name, whole or its end, with its crate before it or
/// without. `listed` is what each binary told of its tests.
fn named(
    order: &Order,
    name: &str,
    found: Vec<Built>,
    listed: &[(&str, &str)],
) -> Result<Built, Error> {
    let (all, _) = all(&found, listed);
    let whole = |built: &Built, test: &str| name == test || name == built.id(test);
    let end = |test: &str| test.ends_with(&format!("::{name}"));
    let mut fitting: Vec<Listed<'_>> =
        all.iter().copied().filter(|(built, test)| whole(built, test)).collect();
    if fitting.is_empty() {
        fitting = all.iter().copied().filter(|(_, test)| end(test)).collect();
    }
    match fitting.as_slice() {
        [(built, test)] => Ok(Built { named: Some((*test).to_owned()), ..(*built).clone() }),
        [] => Err(named::missing(name, ids(&all).iter().map(String::as_str))),
        several => Err(which_test(order, name, several)),
    }
}

/// By its crate, or, where those are equal, by the command that runs it.
fn which_test(order: &Order, name: &str, several: &[Listed<'_>]) -> Error {
    let among: Vec<&Built> = several.iter().map(|(built, _)| *built).collect();
    let mut ids: Vec<String> = several.iter().map(|(built, test)| built.id(test)).collect();
    ids.sort();
    let told = format!("{} tests are named {name}", several.len());
    if ids.windows(2).all(|pair| pair[0] != pair[1]) {
        let call = format!("debug_launch {{\"test\": {}}}", json!(ids[0]));
        return Error::target_ambiguous(format!("{told}: {}", ids.join(", "))).hint(call);
    }
    let (built, test) = several[0];
    let command = Order { filter: Some(test.to_owned()), by_name: false, ..order.clone() };
    let choices: Vec<String> = several
        .iter()
        .map(|(built, test)| format!("`cargo test {} {test}`", built.chosen(&among)))
        .collect();
    let call = built.call(&command, &among, &["--exact", "--include-ignored"]);
    Error::target_ambiguous(format!("{told}: {}", choices.join(", "))).hint(call)
}

fn one(order: &Order, mut found: Vec<Built>) -> Result<Next, Error> {
    let kind = if order.tests { "test" } else { "program" };
    if found.len() > 1 {
        let among: Vec<&Built> = found.iter().collect();
        let mut choices: Vec<(String, &Built)> =
            among.iter().map(|built| (built.chosen(&among), *built)).collect();
        choices.sort_by(|(one, _), (other, _)| one.cmp(other));
        let call = choices[0].1.call(order, &among, &[]);
        let names: Vec<&str> = choices.iter().map(|(choice, _)| choice.as_str()).collect();
        let told = format!("cargo built {} {kind}s: `{}`", names.len(), names.join("`, `"));
        return Err(Error::target_ambiguous(told).hint(call));
    }
    found
        .pop()
        .map(Next::Run)
        .ok_or_else(|| Error::target_missing(format!("cargo built no {kind}")))
}

/// The executables in cargo's messages (`compiler-artifact`, one JSON object a line).
fn artifacts(result: &BuildResult) -> Vec<Built> {
    let messages =
        result.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
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
    let manifest =
        message["manifest_path"].as_str().and_then(|path| path.strip_suffix("/Cargo.toml"));
    let directory = manifest.filter(|_| test).map(str::to_owned);
    let package = package(message["package_id"].as_str().unwrap_or_default()).to_owned();
    let krate = name.replace('-', "_");
    Some(Built {
        step,
        path,
        choice,
        package,
        directory,
        named: None,
        exact: false,
        note: None,
        krate,
        test,
    })
}

/// `path+file:///w/cart#0.1.0`, `path+file:///w/dir#cart@0.1.0`; `cart 0.1.0 (path+file:///w/cart)`
/// before cargo 1.77.
fn package(id: &str) -> &str {
    match (id.split_once('#'), id.split_once(' ')) {
        (Some((_, named)), _) if named.contains('@') => named.split('@').next().unwrap_or(named),
        (Some((place, _)), _) => place.rsplit('/').next().unwrap_or(place),
        (None, told) => told.map_or(id, |(name, _)| name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str, name: &str, test: bool) -> String {
        json!({
            "reason": "compiler-artifact", "executable": format!("/t/{name}"), "manifest_path": "/w/Cargo.toml",
            "package_id": format!("path+file:///w/{name}#0.1.0"),
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
            "cargo built 2 programs: `-p a --bin a`, `-p b --bin b` (debug_launch {\"command\": \"cargo run -p a --bin a\"})"
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
        let said = |name: &str| match named(&Order::default(), name, built.clone(), &listed) {
            Ok(built) => format!("{} {}", built.path, built.named.unwrap_or_default()),
            Err(error) => format!("{} ({})", error.message, error.hint.unwrap_or_default()),
        };
        assert_eq!(said("price::tests::rounds"), "/t/cart price::tests::rounds");
        assert_eq!(said("cart::price::tests::rounds"), "/t/cart price::tests::rounds");
        assert_eq!(said("rounds"), "/t/cart price::tests::rounds");
        assert_eq!(said("whole_cart::empties"), "/t/whole-cart empties");
        assert_eq!(
            said("empty"),
            "2 tests are named empty: cart::tests::empty, whole_cart::tests::empty \
             (debug_launch {\"test\": \"cart::tests::empty\"})"
        );
        assert_eq!(
            said("round"),
            "no test is named round; there are price::tests::rounds, cart::tests::empty, empties, whole_cart::tests::empty \
             (debug_launch {\"test\": \"price::tests::rounds\"})"
        );
    }

    /// A library and a program of one package have one crate's name.
    #[test]
    fn tests_that_are_named_alike_in_crates_named_alike_are_commands() {
        let mut built = found(&[message("lib", "cart", true), message("bin", "cart", true)]);
        built[1].path = "/t/main".into();
        let listed = [("/t/cart", "tests::empty: test\n"), ("/t/main", "tests::empty: test\n")];
        let options = ["--workspace", "--tests"].map(str::to_owned).to_vec();
        let order = Order { tests: true, options, by_name: true, ..Order::default() };
        let refused = named(&order, "empty", built, &listed).unwrap_err();
        assert_eq!(
            refused.message,
            "2 tests are named empty: `cargo test --lib tests::empty`, `cargo test --bin cart tests::empty`"
        );
        let call = "cargo test --workspace --lib tests::empty -- --exact --include-ignored";
        assert_eq!(refused.hint, Some(format!("debug_launch {{\"command\": \"{call}\"}}")));
    }

    #[test]
    fn packages_are_named_by_every_cargo() {
        let ids = [
            "path+file:///w/cart#0.1.0",
            "path+file:///w/x#cart@0.1.0",
            "cart 0.1.0 (path+file:///w/x)",
        ];
        assert_eq!(ids.map(package), ["cart"; 3]);
    }

    #[test]
    fn a_filter_chooses_the_binaries_with_its_tests() {
        let built = found(&[message("lib", "cart", true), message("test", "whole", true)]);
        let listed = [
            ("/t/cart", "price::rounds: test\nprice::rounds_up: test\n0 tests\n"),
            ("/t/whole", "empties: test\n"),
        ];
        let told = |filter: &str, args: &[&str]| {
            let args = args.iter().map(|&arg| arg.to_owned()).collect();
            let order =
                Order { args, tests: true, filter: Some(filter.to_owned()), ..Order::default() };
            match filtered(&order, built.clone(), &listed) {
                Ok(found) => found
                    .iter()
                    .map(|one| format!("{} {}", one.path, one.exact))
                    .collect::<Vec<_>>()
                    .join(", "),
                Err(error) => error.message,
            }
        };
        assert_eq!(told("e", &[]), "/t/cart false, /t/whole false");
        assert_eq!(told("golf", &["empt"]), "/t/whole false");
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

    /// One with a main function of its own need not know `--list`.
    #[test]
    fn a_binary_that_lists_nothing_may_have_any_test() {
        let built = found(&[message("lib", "cart", true), message("test", "own", true)]);
        let told = |filter: &str, own: &str| {
            let order = Order { tests: true, filter: Some(filter.to_owned()), ..Order::default() };
            let listed = [("/t/cart", "rounds: test\n\n1 test, 0 benchmarks\n"), ("/t/own", own)];
            filtered(&order, built.clone(), &listed)
                .map_or_else(|error| error.message, |found| found[0].path.clone())
        };
        assert_eq!(told("golf", "main\n"), "/t/own");
        assert_eq!(told("rounds", "main\n"), "/t/cart");
        assert_eq!(
            told("golf", "\n0 tests, 0 benchmarks\n"),
            "no test is named golf; there are rounds"
        );
    }
}
