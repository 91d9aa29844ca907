//! Runs one test by its name, by the runner that its file imports or its package uses. How tests are found is `sources`' to know, and what
//! of a runner's settings hinders is `flags`'.

use dapdock_plugin::named::{self, Test};
use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Ending;
use dapdock_plugin::{files, path};

use crate::flags::{self, OTHERS, Runner};
use crate::sources;
use crate::target::Run;

/// A test, and how it is run.
pub struct Chosen {
    pub run: Run,
    pub directory: String,
    pub notes: Vec<String>,
}

/// The test of that name.
pub fn choose(project: &Workspace, request: &DebugRequest, name: &str) -> Result<Chosen, Error> {
    let root = project.root();
    let name = name.strip_prefix(&format!("{root}/")).unwrap_or(name);
    let all = all(project);
    let here = request.cwd.as_deref().and_then(|cwd| cwd.strip_prefix(&format!("{root}/")));
    let inside = |test: &&Test| here.is_some_and(|here| test.file.starts_with(&format!("{here}/")));
    let own: Vec<Test> = all.iter().filter(inside).cloned().collect();
    let fits = own.iter().any(|test| sources::fit(name, test) != named::Fit::None);
    let test = named::choose(name, if fits { &own } else { &all }, |test| sources::fit(name, test))?;
    let (home, package) = package(project, &test.file);
    let home = if home.is_empty() { root.clone() } else { path::join(&root, &home) };
    let directory = request.cwd.clone().unwrap_or(home);
    let file = path::join(&root, &test.file);
    let file = file.strip_prefix(&format!("{directory}/")).unwrap_or(&file);
    let text = files::text(project, &test.file);
    let runner = sources::runner(&text).unwrap_or_else(|| runner(&package));
    let mut run = match OTHERS.iter().find(|(other, _)| *other == runner) {
        None => node(test, file, &package),
        Some((_, tool)) => {
            Run { tool: installed(project, test, tool)?, options: options(runner, test, file), ..Run::default() }
        }
    };
    run.args.extend(request.args.iter().cloned());
    let mut notes: Vec<String> = flags::own_limits(&text).into_iter().collect();
    notes.extend(others_too(project, runner, test, &all));
    Ok(Chosen { run, directory, notes })
}

/// A script of a package, as the command line names it.
struct Script {
    /// The project's own words.
    words: String,
    /// What the command line puts behind them.
    more: Vec<String>,
}

fn script(project: &Workspace, run: &Run, directory: &str) -> Option<Script> {
    let package: Value = serde_json::from_str(&files::text(project, &path::join(directory, "package.json"))).ok()?;
    let tool = run.tool.rsplit('/').next().unwrap_or(&run.tool);
    let at = run.options.iter().position(|word| !word.starts_with('-') && word != "run")?;
    let name = Some(&run.options[at]).filter(|_| ["npm", "yarn", "pnpm"].contains(&tool))?;
    let words = package["scripts"][name].as_str()?.to_owned();
    let more = run.options[at + 1..].iter().filter(|word| *word != "--").cloned().collect();
    Some(Script { words, more })
}

/// What the end of tests means of which the command line has none chosen.
pub fn unmatched(project: &Workspace, run: &Run, directory: &str) -> Option<Ending> {
    let by_script = || {
        let script = script(project, run, directory)?;
        let package = json!({"scripts": {"test": script.words}});
        Some((runner(&package), script.more))
    };
    let (runner, words) = flags::runner(run).or_else(by_script)?;
    let filter = runner.filter(&words)?;
    let tests: Vec<Test> = all(project).into_iter().filter(|test| !test.group).collect();
    Some(named::unmatched(filter, runner.none(), tests.iter().map(|test| test.id.as_str())))
}

/// Of a script that runs tests: its words are the project's.
pub fn script_note(project: &Workspace, run: &Run, directory: &str) -> Option<String> {
    let script = script(project, run, directory)?.words;
    let (_, runner) = OTHERS.iter().find(|(_, name)| is_word(&script, name))?;
    Some(format!(
        "the script `{script}` has {runner}'s workers and limits of time, which go on while a test stands still: \
         `{runner}` as the command has none"
    ))
}

fn is_word(script: &str, name: &str) -> bool {
    script.split([' ', '/', '"']).any(|word| word == name)
}

/// What runs beside the test that was named.
fn others_too(project: &Workspace, runner: Runner, test: &Test, all: &[Test]) -> Option<String> {
    let others = || all.iter().filter(|other| *other != test);
    match runner {
        Runner::Node => {
            let same = others().any(|other| other.file == test.file && other.names.last() == test.names.last());
            same.then(|| format!("Node.js older than 22 runs all tests of {} with that name", test.file))
        }
        // Files of its settings are added to those of the command line (lib/cli/options.cjs, `loadOptions`).
        Runner::Mocha => {
            let (home, package) = package(project, &test.file);
            let names =
                [".mocharc.json", ".mocharc.jsonc", ".mocharc.yml", ".mocharc.yaml", ".mocharc.js", ".mocharc.cjs"];
            let mut files = names.iter().map(|name| files::text(project, &files::within(&home, name)));
            let more = !package["mocha"]["spec"].is_null() || files.any(|text| text.contains("spec"));
            let other = others().find(|other| other.names == test.names).filter(|_| more)?;
            Some(format!("mocha's settings name files (`spec`) that it runs beside: {} may run, too", other.id))
        }
        Runner::Jest | Runner::Vitest => None,
    }
}

fn all(project: &Workspace) -> Vec<Test> {
    let paths = files::own(project, sources::is_test_file);
    paths.iter().flat_map(|path| sources::read(path, &files::text(project, path))).collect()
}

/// Programs, scripts and tests, as a launch takes them.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let packages = files::own(project, |path| path == "package.json" || path.ends_with("/package.json"));
    let programs = packages.iter().flat_map(|path| programs(project, path));
    let tests = all(project).into_iter().filter(|test| !test.group).map(Target::from);
    named::listed(programs.chain(tests), query)
}

/// `main` and `bin` of a package, and its scripts as npm runs them.
fn programs(project: &Workspace, file: &str) -> Vec<Target> {
    let package: Value = serde_json::from_str(&files::text(project, file)).unwrap_or_default();
    let directory = file.strip_suffix("package.json").unwrap_or_default();
    let mut paths: Vec<&str> = package["main"].as_str().into_iter().collect();
    paths.extend(package["bin"].as_str());
    paths.extend(package["bin"].as_object().into_iter().flat_map(|all| all.values().filter_map(Value::as_str)));
    let mut paths: Vec<String> =
        paths.iter().map(|path| format!("{directory}{}", path.strip_prefix("./").unwrap_or(path))).collect();
    paths.dedup();
    let there = paths.into_iter().filter(|path| matches!(project.stat(path), Some(FileKind::File)));
    let mut targets: Vec<Target> = there.map(|path| target(path.clone(), path, TargetKind::Program)).collect();
    let prefix = match directory.trim_end_matches('/') {
        "" => String::new(),
        directory => format!("--prefix {} ", quoted(directory)),
    };
    let scripts = package["scripts"].as_object();
    let script =
        |name: &String| target(format!("npm {prefix}run {}", quoted(name)), file.to_owned(), TargetKind::Script);
    targets.extend(scripts.into_iter().flat_map(|scripts| scripts.keys().map(script)));
    targets
}

fn target(id: String, file: String, kind: TargetKind) -> Target {
    Target { label: id.clone(), id, kind, file: Some(file), line: None, needs_build: false }
}

/// As a word of a command line.
fn quoted(word: &str) -> String {
    if word.contains([' ', '\'', '"']) { format!("'{}'", word.replace('\'', r"'\''")) } else { word.to_owned() }
}

/// The nearest package above a file: its directory, and what its package.json says.
fn package(project: &Workspace, file: &str) -> (String, Value) {
    for directory in files::above(file) {
        let path = files::within(directory, "package.json");
        if project.stat(&path).is_some() {
            return (directory.to_owned(), serde_json::from_str(&files::text(project, &path)).unwrap_or_default());
        }
    }
    (String::new(), Value::Null)
}

/// As the package's `test` script says it, else its dependencies.
fn runner(package: &Value) -> Runner {
    let script = package["scripts"]["test"].as_str().unwrap_or_default();
    let by_script = OTHERS.iter().find(|(_, name)| is_word(script, name));
    if script.contains("--test") && by_script.is_none() {
        return Runner::Node;
    }
    let depends = |name: &str| ["devDependencies", "dependencies"].iter().any(|key| package[key][name].is_string());
    by_script.or_else(|| OTHERS.iter().find(|(_, name)| depends(name))).map_or(Runner::Node, |(runner, _)| *runner)
}

/// The runner's program, in the test's package or above.
fn installed(project: &Workspace, test: &Test, tool: &str) -> Result<String, Error> {
    let paths =
        files::above(&test.file).map(|directory| files::within(directory, &format!("node_modules/.bin/{tool}")));
    let found = paths.into_iter().find(|path| project.stat(path).is_some());
    let missing =
        || Error::tool_missing(format!("{tool}, which runs {}, is not installed", test.id)).hint("npm install");
    Ok(path::join(&project.root(), &found.ok_or_else(missing)?))
}

/// Node's own runner names a test alone before version 22, and from then on with its suites before it.
fn node(test: &Test, file: &str, package: &Value) -> Run {
    let name = pattern(test.names.last().map_or("", String::as_str));
    let suites: Vec<String> = test.names.iter().rev().skip(1).rev().map(|name| pattern(name)).collect();
    let before = if suites.is_empty() { String::new() } else { format!("(|{} )", suites.join(" ")) };
    let end = if test.group { "" } else { "$" };
    // Unasked it tells programs TAP before version 23, where the end of the output is counters.
    let mut options = ["--test", "--test-reporter=spec"].map(str::to_owned).to_vec();
    options.push(format!("--test-name-pattern=^{before}{name}{end}"));
    let typed = file.ends_with("ts") || file.ends_with("tsx");
    let tsx = ["devDependencies", "dependencies"].iter().any(|key| package[key]["tsx"].is_string());
    if typed && tsx {
        options.splice(0..0, ["--import".to_owned(), "tsx".to_owned()]);
    }
    Run { tool: "node".into(), options, program: Some(file.to_owned()), ..Run::default() }
}

/// The others name a test with its suites before it (jest `--testNamePattern`, mocha `--grep`, vitest
/// `--testNamePattern`).
fn options(runner: Runner, test: &Test, file: &str) -> Vec<String> {
    let names: Vec<String> = test.names.iter().map(|name| pattern(name)).collect();
    let name = format!("^ ?{}{}", names.join(" "), if test.group { "( |$)" } else { "$" });
    let (first, last): (&[&str], &[&str]) = match runner {
        Runner::Node => (&[], &[]),
        Runner::Jest => (&[], &["--runTestsByPath", file, "-t", &name]),
        Runner::Mocha => (&[], &["-g", &name, file]),
        Runner::Vitest => (&["run"], &["-t", &name, file]),
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    words(first).into_iter().chain(runner.unhindered()).chain(words(last)).collect()
}

/// A regular expression for a name; what a table fills in (`%i`, `$name`, `${…}`) is anything.
fn pattern(name: &str) -> String {
    let (mut pattern, mut rest) = (String::new(), name);
    while let Some(first) = rest.chars().next() {
        let tail = &rest[first.len_utf8()..];
        let word = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '.').unwrap_or(text.len());
        let filled = match first {
            '%' if tail.starts_with(|c: char| c.is_ascii_alphabetic()) => Some(1),
            '$' if tail.starts_with('{') => tail.find('}').map(|end| end + 1),
            '$' if tail.starts_with(|c: char| c.is_ascii_alphabetic()) => Some(word(tail)),
            _ => None,
        };
        match filled {
            Some(length) => {
                pattern.push_str(".*");
                rest = &tail[length..];
            }
            None => {
                pattern.extend(r"\^$.|?*+()[]{}/".contains(first).then_some('\\'));
                pattern.push(first);
                rest = tail;
            }
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(names: &[&str], group: bool) -> Test {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        Test { file: "a.test.js".into(), line: 1, id: names.join(" > "), names, group }
    }

    #[test]
    fn the_package_says_who_runs_its_tests() {
        for (package, expect) in [
            (json!({}), Runner::Node),
            (json!({"scripts": {"test": "node --test"}, "devDependencies": {"jest": "1"}}), Runner::Node),
            (json!({"scripts": {"test": "NODE_ENV=x ./node_modules/.bin/mocha"}}), Runner::Mocha),
            (json!({"devDependencies": {"jest": "^29"}}), Runner::Jest),
            (json!({"scripts": {"test": "vitest run"}, "devDependencies": {"jest": "^29"}}), Runner::Vitest),
        ] {
            assert_eq!(runner(&package), expect, "{package}");
        }
    }

    #[test]
    fn each_runner_is_told_the_one_test() {
        let line = |runner, names: &[&str], group| options(runner, &test(names, group), "a.test.js").join(" ");
        assert_eq!(
            line(Runner::Jest, &["Cart", "costs 5$ (net)"], false),
            r"--runInBand --coverage=false --testTimeout=2000000000 --runTestsByPath a.test.js -t ^ ?Cart costs 5\$ \(net\)$"
        );
        assert_eq!(
            line(Runner::Mocha, &["Cart"], true),
            "--no-parallel --no-watch --timeout=0 -g ^ ?Cart( |$) a.test.js"
        );
        assert_eq!(
            line(Runner::Vitest, &["of %i and $name.first"], false),
            "run --no-file-parallelism --coverage.enabled=false --testTimeout=0 --hookTimeout=0 -t ^ ?of .* and .*$ a.test.js"
        );
    }

    #[test]
    fn nodes_own_runner_is_told_the_name_alone_and_in_full() {
        let line =
            |names: &[&str], file: &str, package: Value| node(&test(names, false), file, &package).options.join(" ");
        assert_eq!(line(&["total"], "a.js", json!({})), "--test --test-reporter=spec --test-name-pattern=^total$");
        assert_eq!(
            line(&["Cart", "total"], "a.js", json!({})),
            "--test --test-reporter=spec --test-name-pattern=^(|Cart )total$"
        );
        let tsx = json!({"devDependencies": {"tsx": "4"}});
        assert_eq!(
            line(&["total"], "a.ts", tsx),
            "--import tsx --test --test-reporter=spec --test-name-pattern=^total$"
        );
    }
}
