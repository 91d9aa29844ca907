//! Runs one test by its name, with the runner that its file imports or its package uses. How tests
//! are found is up to `sources`, and which options keep them debuggable to `flags`.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Ending;
use dapdock_plugin::test_names::{self, Test};
use dapdock_plugin::{files, path};

use crate::build;
use crate::endings::{self, Selection};
use crate::flags::{self, OTHERS, Runner};
use crate::sources;
use crate::target::Run;
use crate::tools;

/// What Node imports to compile TypeScript with tsx: its program would run it in a process of its
/// own.
const TSX: &str = "node_modules/tsx/dist/loader.mjs";

/// Node's option for it.
const IMPORT: &str = "--import";

/// The program to run.
pub struct Chosen {
    pub run: Run,
    pub directory: String,
    pub notes: Vec<String>,
    /// The named test and its runner.
    pub test: Option<(Runner, Test)>,
}

/// Finds the test with this name. Tests below the caller's directory take precedence.
pub fn choose(project: &Workspace, request: &DebugRequest, name: &str) -> Result<Chosen, Error> {
    let root = project.root();
    let name = name.strip_prefix(&format!("{root}/")).unwrap_or(name);
    let all = all(project);
    let cwd = request.cwd.as_deref().and_then(|cwd| cwd.strip_prefix(&format!("{root}/")));
    let test = test_names::choose(name, &all, cwd, |test| sources::fit(name, test))?;
    let (home, package) = package(project, &test.file);
    let home = if home.is_empty() { root.clone() } else { path::join(&root, &home) };
    let directory = request.cwd.clone().unwrap_or(home);
    let file = path::join(&root, &test.file);
    let file = file.strip_prefix(&format!("{directory}/")).unwrap_or(&file);
    let text = files::text(project, &test.file);
    let runner = sources::runner(&text).unwrap_or_else(|| runner(&package));
    let mut run = match OTHERS.iter().find(|(other, _)| *other == runner) {
        None => node(test, file, &package, &all),
        Some((_, tool)) => Run {
            tool: tools::own(project, &test.file, tool).unwrap_or_else(|| (*tool).to_owned()),
            test: Some(test.id.clone()),
            options: options(runner, test, file),
            ..Run::default()
        },
    };
    run.args.extend(request.args.iter().cloned());
    let mut notes: Vec<String> = flags::own_timeout(&text).into_iter().collect();
    notes.extend(other_tests(project, runner, test, &all));
    Ok(Chosen { run, directory, notes, test: Some((runner, test.clone())) })
}

/// A script of a package.json.
struct Script {
    /// The command of the script.
    words: String,
    /// The arguments that the command line adds.
    more: Vec<String>,
}

/// The script that the command line runs.
fn script(project: &Workspace, run: &Run, directory: &str) -> Option<Script> {
    let package: Value =
        serde_json::from_str(&files::text(project, &path::join(directory, "package.json"))).ok()?;
    let tool = run.tool.rsplit('/').next().unwrap_or(&run.tool);
    let at = run.options.iter().position(|word| !word.starts_with('-') && word != "run")?;
    let name = Some(&run.options[at]).filter(|_| ["npm", "yarn", "pnpm"].contains(&tool))?;
    let words = package["scripts"][name].as_str()?.to_owned();
    let more = run.options[at + 1..].iter().filter(|word| *word != "--").cloned().collect();
    Some(Script { words, more })
}

/// The program of the script that the command line runs with node.
pub fn script_program(project: &Workspace, run: &Run, directory: &str) -> Option<String> {
    let script = script(project, run, directory)?.words;
    let mut words = script.split(' ').skip_while(|word| *word != "node").skip(1);
    words.find(|word| !word.starts_with('-')).map(str::to_owned)
}

/// The meanings of known ends of the run: no test ran, this Node.js cannot run TypeScript, a module
/// failed.
pub fn endings(project: &Workspace, request: &DebugRequest, chosen: &Chosen) -> Vec<Ending> {
    let Chosen { run, directory, test, .. } = chosen;
    let text = |file: &str| files::text(project, file);
    let mut endings = Vec::new();
    if let Some((runner, test)) = test {
        endings = endings::of(*runner, Selection::Test(test), &all(project), text);
        // The call would leave these out.
        if request.args.is_empty() && matches!(request.config.trim(), "" | "{}" | "null") {
            endings.push(endings::of_failed(*runner, test, request.cwd.as_deref()));
        }
    } else if let Some((runner, filter)) = filter(project, run, directory) {
        endings = endings::of(runner, Selection::Filter(&filter), &all(project), text);
    }
    if let Some(path) = run.program.as_deref().filter(|path| sources::is_typed(path)) {
        endings.push(no_typescript(path));
    }
    endings.extend(test_names::failures(endings::FAILURES));
    endings.push(endings::of_module());
    endings
}

/// The runner and the filter of a command line or of the script that it runs.
fn filter(project: &Workspace, run: &Run, directory: &str) -> Option<(Runner, String)> {
    let (runner, words) = match flags::runner(run) {
        Some(found) => found,
        None => {
            let script = script(project, run, directory)?;
            (runner(&json!({"scripts": {"test": script.words}})), script.more)
        }
    };
    Some((runner, runner.filter(&words)?.to_owned()))
}

/// The ending of TypeScript in a Node.js that cannot run it. `tsx` compiles in memory; node's own
/// runner loads it if the package has it ([`node`]).
fn no_typescript(path: &str) -> Ending {
    let call = json!({"command": format!("npx tsx {path}")}).to_string().replacen(':', ": ", 1);
    Ending {
        output: r#"ERR_UNKNOWN_FILE_EXTENSION.*"\.[cm]?tsx?""#.into(),
        means: format!(
            "this Node.js cannot run TypeScript: `npm install --save-dev tsx`, \
             then debug_launch {call}"
        ),
        ..Ending::default()
    }
}

fn file_in<'a>(directory: &str, path: &'a str) -> &'a str {
    path.strip_prefix(directory).and_then(|path| path.strip_prefix('/')).unwrap_or(path)
}

/// Refuses a file of tests that Node alone cannot run, and proposes the runner of its package.
pub fn check_runnable(project: &Workspace, run: &Run, directory: &str) -> Result<(), Error> {
    if run.tool != "node" || !run.options.is_empty() || !run.args.is_empty() {
        return Ok(());
    }
    let Some(path) = run.program.as_deref() else { return Ok(()) };
    let file = path::join(directory, path);
    let Some(file) = file.strip_prefix(&format!("{}/", project.root())) else { return Ok(()) };
    let text = files::text(project, file);
    let imported = sources::runner(&text);
    let runs_alone = ["node:test", "node:assert/strict"].iter().any(|word| text.contains(word))
        || (imported.is_none() && sources::binds_tests(&text));
    if runs_alone || !sources::is_test_file(file) || sources::read(file, &text).is_empty() {
        return Ok(());
    }
    let runner = imported.unwrap_or_else(|| runner(&package(project, file).1));
    let Some((_, tool)) = OTHERS.iter().find(|(other, _)| *other == runner) else { return Ok(()) };
    let words = if runner == Runner::Vitest { "vitest run" } else { tool };
    let path = file_in(directory, path);
    let call = json!({"command": format!("npx {words} {path}")}).to_string().replacen(':', ": ", 1);
    let refused = Error::invalid_request(format!(
        "{path} has tests for {tool}; Node.js alone cannot run them"
    ));
    Err(refused.hint(format!("debug_launch {call}")))
}

/// Runs TypeScript that is not compiled with the compiler that its project has: tsx, ts-node. Also
/// in versions of Node.js that run a part of TypeScript themselves: the project may use the rest.
pub fn add_compiler(project: &Workspace, run: &mut Run, directory: &str) {
    let Some(program) = run.program.clone().filter(|path| sources::is_typed(path)) else { return };
    let is_compiled = build::package(project, run, directory).is_some_and(|package| package.builds);
    if run.tool != "node" || !run.options.is_empty() || is_compiled {
        return;
    }
    let root = project.root();
    let file = path::join(directory, &program);
    let Some(file) = file.strip_prefix(&format!("{root}/")) else { return };
    let mut loaders = files::above(file).map(|home| files::child(home, TSX));
    if let Some(loader) = loaders.find(|path| project.stat(path).is_some()) {
        run.options = vec![IMPORT.to_owned(), path::join(&root, &loader)];
        run.registers = true;
    } else if let Some(tool) = tools::own(project, file, "ts-node") {
        let is_module = package(project, file).1["type"] == "module";
        run.tool = tool;
        run.options = is_module.then(|| "--esm".to_owned()).into_iter().collect();
        run.options.extend(run.program.take());
        run.options.append(&mut run.args);
    }
}

/// Sets the option for a compiler that this Node.js has: without hooks to register it is a loader.
/// tsx refuses to be one in newer versions.
pub fn set_loader(run: &mut Run, registers: bool) {
    if !registers {
        run.options[0] = "--loader".to_owned();
    }
}

/// A note about a script that runs tests, whose options are not changed.
pub fn script_note(project: &Workspace, run: &Run, directory: &str) -> Option<String> {
    let script = script(project, run, directory)?.words;
    let (_, runner) = OTHERS.iter().find(|(_, name)| is_word(&script, name))?;
    Some(format!(
        "the script `{script}` has {runner}'s workers and timeouts, which also run while a test is \
         stopped; with `{runner}` as the command there are none"
    ))
}

/// Whether sources are compiled at load.
pub fn compiles(project: &Workspace, run: &Run, directory: &str) -> bool {
    let script = script(project, run, directory).map(|script| script.words).unwrap_or_default();
    let own = [&run.tool].into_iter().chain(&run.options).chain(&run.program).map(String::as_str);
    own.chain(script.split([' ', '"'])).any(flags::compiles)
}

pub fn is_word(script: &str, name: &str) -> bool {
    script.split([' ', '/', '"']).any(|word| word == name)
}

/// A note about other tests that run with the named one.
fn other_tests(project: &Workspace, runner: Runner, test: &Test, all: &[Test]) -> Option<String> {
    match runner {
        Runner::Node => other_node_tests(test, all),
        Runner::Mocha => other_mocha_tests(project, test, all),
        Runner::Jest | Runner::Vitest => None,
    }
}

fn other_node_tests(test: &Test, all: &[Test]) -> Option<String> {
    let in_file: Vec<&Test> = all
        .iter()
        .filter(|other| *other != test && other.file == test.file && !other.group)
        .collect();
    if in_file.iter().any(|other| other.names.last() == test.names.last()) {
        return Some(format!(
            "Node.js older than 22 runs all tests of {} with that name",
            test.file
        ));
    }
    let outer = in_file.iter().find(|other| {
        test.names.starts_with(&other.names) && other.names.len() < test.names.len()
    })?;
    Some(format!("Node.js older than 22 runs all tests in {}", outer.id))
}

/// mocha adds the files of its settings to those of the command line (lib/cli/options.cjs,
/// `loadOptions`).
fn other_mocha_tests(project: &Workspace, test: &Test, all: &[Test]) -> Option<String> {
    const SETTINGS: [&str; 6] = [
        ".mocharc.json",
        ".mocharc.jsonc",
        ".mocharc.yml",
        ".mocharc.yaml",
        ".mocharc.js",
        ".mocharc.cjs",
    ];
    let (home, package) = package(project, &test.file);
    let has_files = !package["mocha"]["spec"].is_null()
        || SETTINGS
            .iter()
            .any(|name| files::text(project, &files::child(&home, name)).contains("spec"));
    if !has_files {
        return None;
    }
    let other = all.iter().find(|other| *other != test && other.names == test.names)?;
    Some(format!(
        "mocha also runs the files that its settings name (`spec`): {} may run too",
        other.id
    ))
}

fn all(project: &Workspace) -> Vec<Test> {
    let paths = files::own(project, sources::is_test_file);
    paths.iter().flat_map(|path| sources::read(path, &files::text(project, path))).collect()
}

/// The programs, scripts and tests that `debug_launch` can run.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let packages =
        files::own(project, |path| path == "package.json" || path.ends_with("/package.json"));
    let programs = packages.iter().flat_map(|path| programs(project, path));
    let tests = all(project).into_iter().filter(|test| !test.group).map(Target::from);
    test_names::listed(programs.chain(tests), query)
}

/// The `main` and `bin` of a package, and its scripts, as npm commands.
fn programs(project: &Workspace, file: &str) -> Vec<Target> {
    let package: Value = serde_json::from_str(&files::text(project, file)).unwrap_or_default();
    let directory = file.strip_suffix("package.json").unwrap_or_default();
    let mut paths: Vec<&str> = package["main"].as_str().into_iter().collect();
    paths.extend(package["bin"].as_str());
    paths.extend(
        package["bin"]
            .as_object()
            .into_iter()
            .flat_map(|all| all.values().filter_map(Value::as_str)),
    );
    let mut paths: Vec<String> = paths
        .iter()
        .map(|path| format!("{directory}{}", path.strip_prefix("./").unwrap_or(path)))
        .collect();
    paths.dedup();
    let there = paths.into_iter().filter(|path| matches!(project.stat(path), Some(FileKind::File)));
    let mut targets: Vec<Target> =
        there.map(|path| target(path.clone(), path, TargetKind::Program)).collect();
    let prefix = match directory.trim_end_matches('/') {
        "" => String::new(),
        directory => format!("--prefix {} ", quoted(directory)),
    };
    let scripts = package["scripts"].as_object();
    let script = |name: &String| {
        target(format!("npm {prefix}run {}", quoted(name)), file.to_owned(), TargetKind::Script)
    };
    targets.extend(scripts.into_iter().flat_map(|scripts| scripts.keys().map(script)));
    targets
}

fn target(id: String, file: String, kind: TargetKind) -> Target {
    Target { label: id.clone(), id, kind, file: Some(file), line: None, needs_build: false }
}

/// Quotes a word for a command line, if it needs quotes.
fn quoted(word: &str) -> String {
    if word.contains([' ', '\'', '"']) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        word.to_owned()
    }
}

/// The nearest package above a file: its directory, and its package.json.
pub fn package(project: &Workspace, file: &str) -> (String, Value) {
    for directory in files::above(file) {
        let path = files::child(directory, "package.json");
        if project.stat(&path).is_some() {
            return (
                directory.to_owned(),
                serde_json::from_str(&files::text(project, &path)).unwrap_or_default(),
            );
        }
    }
    (String::new(), Value::Null)
}

/// The runner of a package, from its `test` script, otherwise from its dependencies.
fn runner(package: &Value) -> Runner {
    let script = package["scripts"]["test"].as_str().unwrap_or_default();
    let by_script = OTHERS.iter().find(|(_, name)| is_word(script, name));
    if script.contains("--test") && by_script.is_none() {
        return Runner::Node;
    }
    let depends = |name: &str| {
        ["devDependencies", "dependencies"].iter().any(|key| package[key][name].is_string())
    };
    by_script
        .or_else(|| OTHERS.iter().find(|(_, name)| depends(name)))
        .map_or(Runner::Node, |(runner, _)| *runner)
}

/// The command for node's own runner. Before version 22 a pattern matches the name of a test alone,
/// since then the names of its suites too. A subtest runs only if the test around it runs.
fn node(test: &Test, file: &str, package: &Value, all: &[Test]) -> Run {
    let same = |other: &&Test| other.file == test.file && *other != test;
    let around = all
        .iter()
        .filter(same)
        .filter(|other| !other.group && test.names.starts_with(&other.names));
    let inside =
        all.iter().filter(same).filter(|other| !test.group && other.names.starts_with(&test.names));
    // Before version 23 the default reporter for a pipe is TAP, whose output ends with counters.
    let mut options = ["--test", "--test-reporter=spec"].map(str::to_owned).to_vec();
    options.extend(around.chain([test]).chain(inside).map(node_pattern));
    let tsx = ["devDependencies", "dependencies"].iter().any(|key| package[key]["tsx"].is_string());
    if sources::is_typed(file) && tsx {
        options.splice(0..0, [IMPORT.to_owned(), "tsx".to_owned()]);
    }
    let registers = options[0] == IMPORT;
    let program = Some(file.to_owned());
    Run { tool: "node".into(), options, program, registers, ..Run::default() }
}

fn node_pattern(test: &Test) -> String {
    let name = pattern(test.names.last().map_or("", String::as_str));
    let suites: Vec<String> =
        test.names.iter().rev().skip(1).rev().map(|name| pattern(name)).collect();
    let before =
        if suites.is_empty() { String::new() } else { format!("(|{} )", suites.join(" ")) };
    format!("--test-name-pattern=^{before}{name}{}", if test.group { "" } else { "$" })
}

/// The options for one test. The pattern matches the names of its suites and its own (jest
/// `--testNamePattern`, mocha `--grep`, vitest `--testNamePattern`).
fn options(runner: Runner, test: &Test, file: &str) -> Vec<String> {
    let names: Vec<String> = test.names.iter().map(|name| pattern(name)).collect();
    let name = format!("^ ?{}{}", names.join(" "), if test.group { "( |$)" } else { "$" });
    let (first, last): (&[&str], &[&str]) = match runner {
        Runner::Node => (&[], &[]),
        Runner::Jest => (&[], &["--runTestsByPath", file, "-t", &name]),
        Runner::Mocha => (&[], &["-g", &name, file]),
        Runner::Vitest => (&["run"], &["-t", &name, file]),
    };
    let mut words: Vec<String> = first.iter().map(|word| (*word).to_owned()).collect();
    words.extend(runner.debug_options());
    words.extend(last.iter().map(|word| (*word).to_owned()));
    words
}

/// A regular expression for a name; placeholders of a table (`%i`, `$name`, `${…}`) match anything.
fn pattern(name: &str) -> String {
    let (mut pattern, mut rest) = (String::new(), name);
    while let Some(first) = rest.chars().next() {
        let tail = &rest[first.len_utf8()..];
        let placeholder = match first {
            '%' if tail.starts_with(|c: char| c.is_ascii_alphabetic()) => Some(1),
            '$' if tail.starts_with('{') => tail.find('}').map(|end| end + 1),
            '$' if tail.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                let end = tail.find(|c: char| !c.is_alphanumeric() && c != '.');
                Some(end.unwrap_or(tail.len()))
            }
            _ => None,
        };
        match placeholder {
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
    fn the_runner_comes_from_the_package() {
        for (package, expect) in [
            (json!({}), Runner::Node),
            (
                json!({"scripts": {"test": "node --test"}, "devDependencies": {"jest": "1"}}),
                Runner::Node,
            ),
            (json!({"scripts": {"test": "NODE_ENV=x ./node_modules/.bin/mocha"}}), Runner::Mocha),
            (json!({"devDependencies": {"jest": "^29"}}), Runner::Jest),
            (
                json!({"scripts": {"test": "vitest run"}, "devDependencies": {"jest": "^29"}}),
                Runner::Vitest,
            ),
        ] {
            assert_eq!(runner(&package), expect, "{package}");
        }
    }

    #[test]
    fn each_runner_gets_a_pattern_for_one_test() {
        let line = |runner, names: &[&str], group| {
            options(runner, &test(names, group), "a.test.js").join(" ")
        };
        assert_eq!(
            line(Runner::Jest, &["Cart", "costs 5$ (net)"], false),
            concat!(
                "--runInBand --coverage=false --testTimeout=2000000000 ",
                r"--runTestsByPath a.test.js -t ^ ?Cart costs 5\$ \(net\)$",
            )
        );
        assert_eq!(
            line(Runner::Mocha, &["Cart"], true),
            "--no-parallel --no-watch --timeout=0 -g ^ ?Cart( |$) a.test.js"
        );
        assert_eq!(
            line(Runner::Vitest, &["of %i and $name.first"], false),
            "run --no-file-parallelism --coverage.enabled=false --testTimeout=0 --hookTimeout=0 \
             -t ^ ?of .* and .*$ a.test.js"
        );
    }

    #[test]
    fn pattern_for_node_matches_the_name_alone_and_with_suites() {
        let line = |names: &[&str], file: &str, package: Value| {
            node(&test(names, false), file, &package, &[]).options.join(" ")
        };
        assert_eq!(
            line(&["total"], "a.js", json!({})),
            "--test --test-reporter=spec --test-name-pattern=^total$"
        );
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

    #[test]
    fn older_versions_of_node_have_a_loader_for_the_compiler() {
        let of = |file: &str| {
            let tsx = json!({"devDependencies": {"tsx": "4"}});
            node(&test(&["total"], false), file, &tsx, &[])
        };
        assert!(!of("a.js").registers);
        for (registers, expect) in [(true, "--import"), (false, "--loader")] {
            let mut run = of("a.ts");
            assert!(run.registers);
            set_loader(&mut run, registers);
            assert_eq!(run.options[..3], [expect, "tsx", "--test"]);
        }
    }
}
