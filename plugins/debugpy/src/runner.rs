//! Runs one test by its name, with pytest, unittest or Django's test command, adds options that
//! keep the tests in the debugged process, and describes the ends of test runs. How tests are found
//! is up to `sources`.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Ending;
use dapdock_plugin::test_names::{self, Test};
use dapdock_plugin::{files, path};

use crate::target::{Kind, Run};
use crate::{python, sources};

/// Files in the directory of a project, where its tests are run.
const PROJECT: [&str; 6] =
    ["pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", "setup.py", MANAGE];

/// Django's command line for a project.
const MANAGE: &str = "manage.py";

/// Files with settings of pytest, each with the start of its section
/// (`_pytest/config/findpaths.py`).
const SETTINGS: [(&str, &str); 5] = [
    ("pytest.ini", ""),
    (".pytest.ini", ""),
    ("pyproject.toml", "[tool.pytest"),
    ("tox.ini", "[pytest]"),
    ("setup.cfg", "[tool:pytest]"),
];

/// The program to run.
pub struct Chosen {
    pub run: Run,
    pub directory: String,
    /// A directory to add to PYTHONPATH.
    pub search: Option<String>,
}

/// Finds the test with this name: its file and names, or an end of them.
pub fn choose(project: &Workspace, request: &DebugRequest, name: &str) -> Result<Chosen, Error> {
    let (plain, parameters) = sources::parameters(name);
    let found = all(project);
    let root = format!("{}/", project.root());
    let cwd = request.cwd.as_deref().and_then(|cwd| cwd.strip_prefix(&root));
    let plain = plain.strip_prefix(&root).unwrap_or(plain);
    let tests: Vec<Test> = found.iter().map(|(test, _)| test.clone()).collect();
    let test = test_names::choose(plain, &tests, cwd, |test| sources::fit(plain, test))?;
    let unittest = found.iter().any(|(other, unittest)| other == test && *unittest);
    let settings = settings(project, &test.file);
    let is_named = |text: &str| DJANGO_SETTINGS.iter().any(|name| text.contains(name));
    if unittest
        && !settings.as_deref().is_some_and(is_named)
        && let Some(directory) = django(project, &test.file)
    {
        return Ok(django_run(project, request, test, directory));
    }
    let by_unittest =
        unittest && (settings.is_none() || python::without_pytest(project)?.is_some());
    let directory = request.cwd.clone().unwrap_or_else(|| home(project, &test.file));
    if by_unittest {
        return Ok(unittest_run(project, test, directory));
    }
    if let Some(python) = python::without_pytest(project)? {
        let missing = Error::tool_missing(format!("{python} has no pytest; {} needs it", test.id));
        return Err(missing.hint(format!("{python} -m pip install pytest")));
    }
    let id = format!("{}{parameters}", path::join(&project.root(), &test.id));
    let id = id.strip_prefix(&format!("{directory}/")).unwrap_or(&id).to_owned();
    Ok(Chosen { run: Run::module("pytest", vec![id]), directory, search: None })
}

/// All tests of the workspace, each with whether unittest runs it.
fn all(project: &Workspace) -> Vec<(Test, bool)> {
    let paths = files::own(project, |path| path.ends_with(".py"));
    paths.iter().flat_map(|path| sources::read(path, &files::text(project, path)).tests).collect()
}

/// The programs and tests that `debug_launch` can run.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let paths = files::own(project, |path| path.ends_with(".py"));
    let mut programs = Vec::new();
    let mut tests: Vec<Target> = Vec::new();
    for path in paths {
        let source = sources::read(&path, &files::text(project, &path));
        if source.main.is_some() || path.ends_with("/__main__.py") {
            let (file, label) = (Some(path.clone()), path.clone());
            programs.push(Target {
                id: path,
                kind: TargetKind::Script,
                label,
                file,
                line: source.main,
                needs_build: false,
            });
        }
        tests.extend(
            source.tests.into_iter().filter(|(test, _)| !test.group).map(|(test, _)| test.into()),
        );
    }
    let targets = programs.into_iter().chain(tests);
    let Some(name) = query.filter.as_deref().filter(|name| is_dotted(name)) else {
        return test_names::listed(targets, query);
    };
    // `tests.test_cart.Cart.test_gold` is no part of an id, which has a file in it.
    let (named, others): (Vec<_>, Vec<_>) =
        targets.partition(|target| sources::is_named(name, &target.id));
    let rest = TargetQuery { filter: None, ..query.clone() };
    if named.is_empty() {
        test_names::listed(others, query)
    } else {
        test_names::listed(named, &rest)
    }
}

/// Where a project's tests are run: the project's directory, or the workspace.
fn home(project: &Workspace, file: &str) -> String {
    for directory in files::above(file) {
        if PROJECT.iter().any(|name| exists(project, directory, name)) {
            return match directory {
                "" => project.root(),
                directory => path::join(&project.root(), directory),
            };
        }
    }
    project.root()
}

fn exists(project: &Workspace, directory: &str, name: &str) -> bool {
    project.stat(&files::child(directory, name)).is_some()
}

/// The nearest settings of pytest above a file; a conftest.py counts as empty settings.
fn settings(project: &Workspace, file: &str) -> Option<String> {
    let mut conftest = false;
    for directory in files::above(file) {
        for (name, begin) in SETTINGS {
            let path = files::child(directory, name);
            let text = project.stat(&path).map(|_| files::text(project, &path));
            if let Some(text) = text.filter(|text| text.contains(begin)) {
                return Some(text);
            }
        }
        conftest |= exists(project, directory, "conftest.py");
    }
    conftest.then(String::new)
}

/// How the settings of pytest name Django's for pytest-django; else only `manage.py` does.
const DJANGO_SETTINGS: [&str; 2] = ["DJANGO_SETTINGS_MODULE", "--ds"];

/// The nearest directory above a file whose `manage.py` is Django's.
fn django<'a>(project: &Workspace, file: &'a str) -> Option<&'a str> {
    files::above(file).find(|directory| {
        let path = files::child(directory, MANAGE);
        project.stat(&path).is_some() && files::text(project, &path).contains("django")
    })
}

/// Django sets up its settings and a database of its own for the tests. It names a test by its
/// module, relative to the directory of `manage.py`. Without `--noinput` it asks about the database
/// that a test run leaves if its session is ended.
fn django_run(project: &Workspace, request: &DebugRequest, test: &Test, directory: &str) -> Chosen {
    let below = test.file.strip_prefix(&format!("{directory}/")).unwrap_or(&test.file);
    let home =
        if directory.is_empty() { project.root() } else { path::join(&project.root(), directory) };
    let args = vec!["test".to_owned(), "--noinput".to_owned(), dotted(below, test)];
    let run = Run::program(path::join(&home, MANAGE), args);
    Chosen { run, directory: request.cwd.clone().unwrap_or(home), search: None }
}

/// The test's names after those of its module, joined with dots.
fn dotted(file: &str, test: &Test) -> String {
    let module = file.strip_suffix(".py").unwrap_or(file).replace('/', ".");
    format!("{module}.{}", test.names.join("."))
}

/// unittest names a test by its module, relative to the directory above the file's packages, like
/// test discovery does.
fn unittest_run(project: &Workspace, test: &Test, directory: String) -> Chosen {
    let is_package =
        |directory: &&str| !directory.is_empty() && exists(project, directory, "__init__.py");
    let top = files::above(&test.file).find(|directory| !is_package(directory)).unwrap_or("");
    let id = dotted(test.file.strip_prefix(&format!("{top}/")).unwrap_or(&test.file), test);
    let search = if top.is_empty() { project.root() } else { path::join(&project.root(), top) };
    Chosen { run: Run::module("unittest", vec![id]), directory, search: Some(search) }
}

/// The variable whose options pytest inserts between those of `addopts` and the command line.
pub const ADDED: &str = "PYTEST_ADDOPTS";

/// Changes the options so that pytest runs its tests in the debugged process; returns notes about
/// the changes. Options also come from the settings' `addopts` and from the environment.
pub fn keep_in_process(
    project: &Workspace,
    request: &DebugRequest,
    run: &mut Run,
    directory: &str,
) -> Vec<String> {
    if run.kind != Kind::Module || run.name != "pytest" {
        return Vec::new();
    }
    let root = format!("{}/", project.root());
    let inside = path::join(directory, "x");
    let text =
        inside.strip_prefix(&root).and_then(|file| settings(project, file)).unwrap_or_default();
    let environment = match request.env.iter().rfind(|variable| variable.name == ADDED) {
        Some(variable) => variable.value.clone(),
        None => project.env(ADDED),
    };
    let mut added = added(&text);
    added.extend(environment.iter().flat_map(|words| words.split_whitespace()).map(str::to_owned));
    let mut notes: Vec<String> = remove_forked(&mut run.args, &added).into_iter().collect();
    if let Some(Overrides { before, after, note }) = overrides(&run.args, &added) {
        let end = end(&run.args);
        run.args.splice(end..end, after);
        run.args.splice(0..0, before);
        notes.push(note);
    }
    notes
}

/// The end of the output of pytest and unittest when no test matches (`_pytest/terminal.py`,
/// `build_summary_stats_line`; `unittest/runner.py`).
const NONE: &str = concat!(
    r"^(=+ )?(\d+ deselected|no tests ran)(, \d+ warnings?)? in [\d.]+s( \S+)?( =+)?$|",
    r"^Ran 0 tests in [\d.]+s\n\n(OK|NO TESTS RAN)$"
);

/// The end of their output when all tests were skipped. unittest's numbers are not enough: most
/// versions count a skipped test as run, but never one that `setUpClass` skips. So its progress
/// line decides, with an `s` for each skipped test and a `.` for each passed one.
const SKIPPED: &str = concat!(
    r"^(=+ )?\d+ skipped(, \d+ deselected)?(, \d+ warnings?)? in [\d.]+s( \S+)?( =+)?$|",
    r"^s+\n-+\nRan \d+ tests? in [\d.]+s\n\n(OK|NO TESTS RAN) \(skipped=\d+\)$"
);

/// The end of the interpreter's output when the program could not start, and what it means.
const NOT_STARTED: [(&str, &str); 2] = [
    (
        r"^\S*python[\d.]*: (No module named \S+)$\s*\z",
        "{1}: install it for this interpreter, or use an interpreter that has it",
    ),
    (
        concat!(
            r#"^  File "([^\n"]+)", line (\d+)\n(?:    [^\n]*\n){0,3}"#,
            r"((?:Syntax|Indentation|Tab)Error: [^\n]+)$\s*\z",
        ),
        "{3} ({1}:{2})",
    ),
];

/// What pytest (`_pytest/main.py`, `resolve_collection_argument`; `_pytest/terminal.py`,
/// `summary_errors`) and unittest (`loader.py`, `_FailedTest`) print when no test could start.
const NOT_LOADED: [(&str, &str); 3] = [
    (
        r"^ERROR: file or directory not found: (.+?)(?:::.*)?$",
        "no test was run: there is no file or directory {1}",
    ),
    (
        // The match ends before the next section.
        r"^_+ ERROR collecting (.+?) _+\n(?:(?:[^_=\n].*|_ .*)?\n)*?E +([\w.]+: .+)$",
        "pytest could not read {1}: {2}",
    ),
    (
        concat!(
            r"^ERROR: (\S+) \(unittest\.loader\._FailedTest.*\n-{70}\n",
            r"(?:(?:[^=\-\n].*)?\n)*?([\w.]+: .+)\n+(?:-|=){70}$",
        ),
        "unittest could not load {1}: {2}",
    ),
];

/// The meanings of known ends: the program could not start, or no test ran.
pub fn endings(project: &Workspace, run: &Run) -> Vec<Ending> {
    let of_tests = NOT_LOADED.into_iter().filter(|_| runs_tests(run));
    test_names::failures(of_tests.chain(NOT_STARTED)).chain(none_run(project, run)).collect()
}

fn runs_tests(run: &Run) -> bool {
    run.kind == Kind::Module || run.args.first().is_some_and(|word| word == "test")
}

fn none_run(project: &Workspace, run: &Run) -> Vec<Ending> {
    let Some(filter) = filter(&run.args).filter(|_| runs_tests(run)) else { return Vec::new() };
    let paths = files::own(project, sources::is_test_file);
    let all = paths.iter().flat_map(|path| sources::read(path, &files::text(project, path)).tests);
    let tests: Vec<Test> = all.map(|(test, _)| test).filter(|test| !test.group).collect();
    let skipped = Ending {
        output: SKIPPED.to_owned(),
        means: format!(
            "every test that `{filter}` matches is skipped; \
             `-rs` (pytest) or `-v` (unittest) shows the reasons"
        ),
        ..Ending::default()
    };
    vec![skipped, test_names::unmatched(filter, NONE, tests.iter().map(|test| test.id.as_str()))]
}

/// Whether a word names a test in the manner of unittest, `tests.test_cart.Cart.test_gold`.
fn is_dotted(word: &str) -> bool {
    word.split('.').count() > 2 && word.split('.').all(is_identifier)
}

fn is_identifier(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The argument that selects tests: the value of `-k`, or the name of a test.
fn filter(args: &[String]) -> Option<&str> {
    let args = &args[..end(args)];
    for (at, word) in args.iter().enumerate() {
        match word.strip_prefix("-k") {
            Some("") if at + 1 < args.len() => return Some(&args[at + 1]),
            Some("") | None => {}
            Some(value) => return Some(value.strip_prefix('=').unwrap_or(value)),
        }
    }
    args.iter().find(|word| word.contains(".py::") || is_dotted(word)).map(String::as_str)
}

/// The index of `--`, or the number of arguments.
pub fn end(args: &[String]) -> usize {
    args.iter().position(|word| word == "--").unwrap_or(args.len())
}

/// Removes the options of pytest-forked and of old versions of xdist, which no other option
/// cancels. If the settings contain one, it cannot be removed. Returns a note.
fn remove_forked(args: &mut Vec<String>, added: &[String]) -> Option<String> {
    let end = end(args);
    let mut removed = None;
    let mut rest = Vec::new();
    for word in args.drain(..end) {
        if forks(&word) {
            removed.get_or_insert(word);
        } else {
            rest.push(word);
        }
    }
    args.splice(0..0, rest);
    if let Some(word) = added.iter().find(|word| forks(word)) {
        return Some(format!(
            "pytest's settings contain {word}: \
             each test runs in its own process, which joins the session"
        ));
    }
    let word = removed?;
    Some(format!("pytest runs without {word}: each test would run in its own process"))
}

fn forks(word: &str) -> bool {
    matches!(word, "--forked" | "--boxed")
}

/// The options in `addopts`: of an INI file, a TOML string or a TOML list.
fn added(settings: &str) -> Vec<String> {
    let mut lines = settings.lines().skip_while(|line| !line.trim_start().starts_with("addopts"));
    let Some((_, first)) = lines.next().and_then(|line| line.split_once('=')) else {
        return Vec::new();
    };
    let mut text = first.to_owned();
    for line in lines {
        if !line.starts_with([' ', '\t', ']', '"', '\'']) || line.contains(" = ") {
            break;
        }
        text.push(' ');
        text.push_str(line);
    }
    text.split(|c: char| c.is_whitespace() || c == ',')
        .map(|word| word.trim_matches(['"', '\'', '[', ']', ',']).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Options that override options with which breakpoints would not stop.
struct Overrides {
    /// Inserted before the options of the command: a `--cov` at the end of the settings would take
    /// the command's first word as its value.
    before: Vec<String>,
    /// Inserted after the options of the command.
    after: Vec<String>,
    note: String,
}

/// The overrides of options in the settings (`added`) and in the command. xdist runs tests in
/// worker processes that it controls through pipes; coverage's tracer replaces the debugger's
/// (`sys.settrace`).
fn overrides(args: &[String], added: &[String]) -> Option<Overrides> {
    let args = &args[..end(args)];
    let (mut before, mut after) = (harmful(added), harmful(args));
    before.retain(|(_, option)| !args.iter().any(|word| word == option));
    after.retain(|(_, option)| !args.iter().any(|word| word == option));
    let mut overridden: Vec<&str> = Vec::new();
    for (word, _) in after.iter().chain(&before) {
        if !overridden.contains(word) {
            overridden.push(word);
        }
    }
    before.retain(|(_, option)| !after.iter().any(|(_, other)| other == option));
    let (before, after) = (options(before), options(after));
    let options = [before.as_slice(), &after].concat().join(" ");
    if options.is_empty() {
        return None;
    }
    let note = format!(
        "pytest runs with {options}: with {} breakpoints would not stop",
        overridden.join(" ")
    );
    Some(Overrides { before, after, note })
}

/// The options with which breakpoints would not stop, each with the option that overrides it.
fn harmful(words: &[String]) -> Vec<(&str, &'static str)> {
    let mut found = Vec::new();
    for word in words {
        match word.split('=').next().unwrap_or(word) {
            "--numprocesses" | "--dist" | "--tx" | "-d" => found.push((word.as_str(), "-n0")),
            "--cov" => found.push((word.as_str(), "--no-cov")),
            _ if is_worker_count(word) => found.push((word.as_str(), "-n0")),
            _ => {}
        }
    }
    found
}

/// The second of each pair, sorted, without duplicates.
fn options(found: Vec<(&str, &'static str)>) -> Vec<String> {
    let mut options: Vec<String> = found.into_iter().map(|(_, option)| option.to_owned()).collect();
    options.sort();
    options.dedup();
    options
}

/// `-n`, `-n4`, `-nauto`; not `-no…`.
fn is_worker_count(word: &str) -> bool {
    let Some(count) = word.strip_prefix("-n") else { return false };
    count.is_empty()
        || matches!(count, "auto" | "logical")
        || (count != "0" && count.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addopts_are_read_in_every_form() {
        let words = ["-n", "auto", "--cov=src"].map(String::from);
        for text in [
            "[pytest]\naddopts = -n auto --cov=src\npython_files = x_*.py\n",
            "[tool.pytest.ini_options]\naddopts = \"-n auto --cov=src\"\nx = 1\n",
            "[tool.pytest.ini_options]\naddopts = [\"-n\", \"auto\", \"--cov=src\"]\n[y]\n",
            "[pytest]\naddopts =\n    -n auto\n    --cov=src\n\n[x]\n",
            "[tool.pytest.ini_options]\naddopts = [\n  \"-n\", \"auto\",\n  \"--cov=src\",\n]\n",
        ] {
            assert_eq!(added(text), words, "{text}");
        }
        assert!(added("[pytest]\nminversion = 6\n").is_empty());
    }

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn filter_of_the_command_is_found() {
        for (line, expect) in [
            ("-q -k gold", Some("gold")),
            ("-kgold a.py", Some("gold")),
            ("-q unit/test_a.py::test_gold", Some("unit/test_a.py::test_gold")),
            ("test_a.Gold.test_bar", Some("test_a.Gold.test_bar")),
            ("test_a.py", None),
            ("-q -- -k gold", None),
        ] {
            assert_eq!(filter(&words(line)), expect, "{line}");
        }
    }

    #[track_caller]
    fn check_forked(line: &str, added: &str, expect: &str, note: Option<&str>) {
        let mut args = words(line);
        let actual = remove_forked(&mut args, &words(added));
        assert_eq!((args.join(" ").as_str(), actual.as_deref()), (expect, note), "{line}");
    }

    #[test]
    fn tests_are_not_forked() {
        let forked = "pytest runs without --forked: each test would run in its own process";
        check_forked("--forked -k gold", "", "-k gold", Some(forked));
        let boxed = "pytest runs without --boxed: each test would run in its own process";
        check_forked("x.py --boxed -- --forked", "-ra", "x.py -- --forked", Some(boxed));
        check_forked("-x", "", "-x", None);
        let settings = "pytest's settings contain --forked: \
                        each test runs in its own process, which joins the session";
        check_forked("--forked x.py", "--forked", "x.py", Some(settings));
    }

    /// The added options, `BEFORE | AFTER`, and what the note says after them.
    #[track_caller]
    fn check_overrides(args: &str, added: &str, expect: Option<(&str, &str)>) {
        let overrides = overrides(&words(args), &words(added));
        let actual = overrides.map(|added| {
            let options = format!("{} | {}", added.before.join(" "), added.after.join(" "));
            (options, added.note)
        });
        let expect = expect.map(|(options, note)| (options.to_owned(), note.to_owned()));
        assert_eq!(actual, expect, "{args}");
    }

    #[test]
    fn harmful_options_are_overridden_and_named() {
        check_overrides("-k gold -x", "-ra --strict-markers", None);
        let note = "pytest runs with -n0: with -n breakpoints would not stop";
        check_overrides("-n 4 x.py", "", Some((" | -n0", note)));
        let note =
            "pytest runs with --no-cov -n0: with -nauto --cov=src breakpoints would not stop";
        check_overrides("x.py", "-nauto --cov=src", Some(("--no-cov -n0 | ", note)));
        let note = "pytest runs with --no-cov -n0: with -n --cov breakpoints would not stop";
        check_overrides("-n 4 x.py", "-n 2 --cov", Some(("--no-cov | -n0", note)));
        check_overrides("-n0 --no-cov", "-n auto --cov=src", None);
        check_overrides("x.py -- -n 4", "", None);
    }
}
