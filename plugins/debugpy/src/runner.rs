//! Runs one test by its name, by pytest or by unittest, and keeps a runner's settings from
//! hindering the debugger. How tests are found is `sources`' to know.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Ending;
use dapdock_plugin::test_names::{self, Fit, Test};
use dapdock_plugin::{files, path};

use crate::target::{Kind, Run};
use crate::{python, sources};

/// Files that pytest or a project's tests start from.
const PROJECT: [&str; 6] =
    ["pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", "setup.py", "manage.py"];

/// Where pytest's settings stand, with the words that begin them (`_pytest/config/findpaths.py`).
const SETTINGS: [(&str, &str); 5] = [
    ("pytest.ini", ""),
    (".pytest.ini", ""),
    ("pyproject.toml", "[tool.pytest"),
    ("tox.ini", "[pytest]"),
    ("setup.cfg", "[tool:pytest]"),
];

/// A test, and how it is run.
pub struct Chosen {
    pub run: Run,
    pub directory: String,
    /// What else is searched for modules.
    pub search: Option<String>,
}

/// The test of that name: its file and names, or an end of them.
pub fn choose(project: &Workspace, request: &DebugRequest, name: &str) -> Result<Chosen, Error> {
    let (plain, parameters) = sources::parameters(name);
    let found = all(project);
    let here =
        request.cwd.as_deref().and_then(|cwd| cwd.strip_prefix(&format!("{}/", project.root())));
    let (own, own_is_enough) = within(&found, here, plain);
    let plain = plain.strip_prefix(&format!("{}/", project.root())).unwrap_or(plain);
    let among = if own_is_enough { &own } else { &found };
    let tests: Vec<Test> = among.iter().map(|(test, _)| test.clone()).collect();
    let test = test_names::choose(plain, &tests, |test| sources::fit(plain, test))?;
    let unittest = among.iter().any(|(other, unittest)| other == test && *unittest);
    let settings = settings(project, &test.file);
    let by_unittest =
        unittest && (settings.is_none() || python::without_pytest(project)?.is_some());
    let directory = request.cwd.clone().unwrap_or_else(|| home(project, &test.file));
    if by_unittest {
        return Ok(unittest_run(project, test, directory));
    }
    if let Some(python) = python::without_pytest(project)? {
        let missing =
            Error::tool_missing(format!("{python} has no pytest, which {} needs", test.id));
        return Err(missing.hint(format!("{python} -m pip install pytest")));
    }
    let id = format!("{}{parameters}", path::join(&project.root(), &test.id));
    let id = id.strip_prefix(&format!("{directory}/")).unwrap_or(&id).to_owned();
    Ok(Chosen { run: Run::module("pytest", vec![id]), directory, search: None })
}

/// All tests of the workspace, with whether unittest runs them.
fn all(project: &Workspace) -> Vec<(Test, bool)> {
    let paths = files::own(project, |path| path.ends_with(".py"));
    paths.iter().flat_map(|path| sources::read(path, &files::text(project, path)).tests).collect()
}

/// Tests in the directory that the caller named, and whether one of them fits.
fn within(found: &[(Test, bool)], here: Option<&str>, name: &str) -> (Vec<(Test, bool)>, bool) {
    let start = here.map(|here| format!("{here}/"));
    let inside = |test: &Test| start.as_ref().is_some_and(|start| test.file.starts_with(start));
    let own: Vec<(Test, bool)> = found.iter().filter(|(test, _)| inside(test)).cloned().collect();
    let fits = own.iter().any(|(test, _)| sources::fit(name, test) != Fit::None);
    (own, fits)
}

/// Programs and tests, as a launch takes them.
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
    test_names::listed(programs.into_iter().chain(tests), query)
}

/// Where a project's tests are run: its directory, or the workspace.
fn home(project: &Workspace, file: &str) -> String {
    let is_project = |directory: &&str| PROJECT.iter().any(|name| exists(project, directory, name));
    let directory = files::above(file).find(is_project).unwrap_or("");
    if directory.is_empty() { project.root() } else { path::join(&project.root(), directory) }
}

fn exists(project: &Workspace, directory: &str, name: &str) -> bool {
    project.stat(&files::child(directory, name)).is_some()
}

/// The nearest settings of pytest above a file; a conftest.py stands for empty ones.
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

/// unittest names a test by its module, which it finds from the directory above the file's
/// packages, as discovery does.
fn unittest_run(project: &Workspace, test: &Test, directory: String) -> Chosen {
    let is_package =
        |directory: &&str| !directory.is_empty() && exists(project, directory, "__init__.py");
    let top = files::above(&test.file).find(|directory| !is_package(directory)).unwrap_or("");
    let module = test.file.strip_prefix(&format!("{top}/")).unwrap_or(&test.file);
    let module = module.strip_suffix(".py").unwrap_or(module).replace('/', ".");
    let id = format!("{module}.{}", test.names.join("."));
    let search = if top.is_empty() { project.root() } else { path::join(&project.root(), top) };
    Chosen { run: Run::module("unittest", vec![id]), directory, search: Some(search) }
}

/// The variable whose words stand between those of `addopts` and those of the command line.
pub const ADDED: &str = "PYTEST_ADDOPTS";

/// Options that keep tests of pytest where the debugger is, and what is said of it. Some come from
/// the command line, some from the settings' `addopts` and from the environment.
pub fn unhindered(
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
    let asked = request.env.iter().rfind(|variable| variable.name == ADDED);
    let environment = asked.map_or_else(|| project.env(ADDED), |variable| variable.value.clone());
    let mut added = added(&text);
    added.extend(environment.iter().flat_map(|words| words.split_whitespace()).map(str::to_owned));
    let mut notes: Vec<String> = forked(&mut run.args, &added).into_iter().collect();
    if let Some(Mended { before, after, note }) = mended(&run.args, &added) {
        let end = end(&run.args);
        run.args.splice(end..end, after);
        run.args.splice(0..0, before);
        notes.push(note);
    }
    notes
}

/// How pytest and unittest say at their end that no test fits (`_pytest/terminal.py`,
/// `build_summary_stats_line`; `unittest/runner.py`).
const NONE: &str = concat!(
    r"^(=+ )?(\d+ deselected|no tests ran)(, \d+ warnings?)? in [\d.]+s( \S+)?( =+)?$|",
    r"^Ran 0 tests in [\d.]+s\n\n(OK|NO TESTS RAN)$"
);

/// How they say that all they ran was skipped. unittest's numbers do not tell: most versions count
/// what is skipped as run, but never what `setUpClass` skips; its letters do, an `s` for each that
/// was skipped and a `.` for each that passed.
const SKIPPED: &str = concat!(
    r"^(=+ )?\d+ skipped(, \d+ deselected)?(, \d+ warnings?)? in [\d.]+s( \S+)?( =+)?$|",
    r"^s+\n-+\nRan \d+ tests? in [\d.]+s\n\n(OK|NO TESTS RAN) \(skipped=\d+\)$"
);

/// What the interpreter says at its very end where the program could not begin.
const UNREADABLE: [(&str, &str); 2] = [
    (
        r"^\S*python[\d.]*: (No module named \S+)$\s*\z",
        "{1}: install it for this interpreter, or run one that has it",
    ),
    (
        r#"^  File "([^\n"]+)", line (\d+)\n(?:    [^\n]*\n){0,3}((?:Syntax|Indentation|Tab)Error: [^\n]+)$\s*\z"#,
        "{3} ({1}:{2})",
    ),
];

/// What pytest (`_pytest/main.py`, `resolve_collection_argument`; `_pytest/terminal.py`,
/// `summary_errors`) and unittest (`loader.py`, `_FailedTest`) say where no test could begin.
const UNLOADED: [(&str, &str); 3] = [
    (
        r"^ERROR: file or directory not found: (.+?)(?:::.*)?$",
        "no test was run: there is no file or directory {1}",
    ),
    (
        // No further than to the next section.
        r"^_+ ERROR collecting (.+?) _+\n(?:(?:[^_=\n].*|_ .*)?\n)*?E +([\w.]+: .+)$",
        "pytest could not read {1}: {2}",
    ),
    (
        r"^ERROR: (\S+) \(unittest\.loader\._FailedTest.*\n-{70}\n(?:(?:[^=\-\n].*)?\n)*?([\w.]+: .+)\n+(?:-|=){70}$",
        "unittest could not load {1}: {2}",
    ),
];

/// What the end means of what could not begin, and of tests of which none ran.
pub fn endings(project: &Workspace, run: &Run) -> Vec<Ending> {
    let of_tests = UNLOADED.into_iter().filter(|_| run.kind == Kind::Module);
    test_names::failures(of_tests.chain(UNREADABLE)).chain(none_run(project, run)).collect()
}

fn none_run(project: &Workspace, run: &Run) -> Vec<Ending> {
    let tests = run.kind == Kind::Module || run.args.first().is_some_and(|word| word == "test");
    let ending = |output: &str, means: &str| Ending {
        output: output.to_owned(),
        means: means.to_owned(),
        ..Ending::default()
    };
    let Some(filter) = filter(&run.args).filter(|_| tests) else { return Vec::new() };
    let paths = files::own(project, sources::is_test_file);
    let all = paths.iter().flat_map(|path| sources::read(path, &files::text(project, path)).tests);
    let tests: Vec<Test> = all.map(|(test, _)| test).filter(|test| !test.group).collect();
    vec![
        ending(
            SKIPPED,
            &format!(
                "every test that `{filter}` matches is skipped: `-rs` has pytest say why, `-v` unittest"
            ),
        ),
        test_names::unmatched(filter, NONE, tests.iter().map(|test| test.id.as_str())),
    ]
}

/// Does it name a test as unittest does, `tests.test_cart.Cart.test_gold`?
fn is_dotted(word: &str) -> bool {
    let is_name =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    word.split('.').count() > 2 && word.split('.').all(is_name)
}

fn filter(args: &[String]) -> Option<&str> {
    let args = &args[..end(args)];
    let by_name = args.iter().enumerate().find_map(|(at, word)| match word.strip_prefix("-k")? {
        "" => args.get(at + 1).map(String::as_str),
        glued => Some(glued.strip_prefix('=').unwrap_or(glued)),
    });
    let is_named = |word: &&String| word.contains(".py::") || is_dotted(word);
    by_name.or_else(|| args.iter().find(is_named).map(String::as_str))
}

/// Where options end.
pub fn end(args: &[String]) -> usize {
    args.iter().position(|word| word == "--").unwrap_or(args.len())
}

/// pytest-forked, and xdist of old: no option takes these back. Left out of the command, named
/// where they are settings.
fn forked(args: &mut Vec<String>, added: &[String]) -> Option<String> {
    let forks = |word: &&String| matches!(word.as_str(), "--forked" | "--boxed");
    let end = end(args);
    let said: Vec<String> = args[..end].iter().filter(forks).cloned().collect();
    let left = args.drain(..end).filter(|word| !forks(&word)).collect::<Vec<_>>();
    args.splice(0..0, left);
    let why = "each test would run in a process of its own";
    match (said.first(), added.iter().find(forks)) {
        (_, Some(word)) => Some(format!(
            "pytest's settings say {word}: each test runs in a process of its own, which joins"
        )),
        (Some(word), None) => Some(format!("pytest runs without {word}: {why}")),
        (None, None) => None,
    }
}

/// Words of `addopts`: of an INI file, a TOML text or a TOML list.
fn added(settings: &str) -> Vec<String> {
    let mut lines = settings.lines().skip_while(|line| !line.trim_start().starts_with("addopts"));
    let Some((_, first)) = lines.next().and_then(|line| line.split_once('=')) else {
        return Vec::new();
    };
    let goes_on =
        |line: &&str| line.starts_with([' ', '\t', ']', '"', '\'']) && !line.contains(" = ");
    let all: Vec<&str> = std::iter::once(first).chain(lines.take_while(goes_on)).collect();
    let word = |word: &str| word.trim_matches(['"', '\'', '[', ']', ',']).to_owned();
    let separate = |c: char| c.is_whitespace() || c == ',';
    all.join(" ").split(separate).map(word).filter(|word| !word.is_empty()).collect()
}

/// Options that take others back.
struct Mended {
    /// Behind the settings and before the words of the command: a `--cov` that ends the settings
    /// would take the first of those for its value.
    before: Vec<String>,
    /// Behind the command's own.
    after: Vec<String>,
    /// What is said of it.
    note: String,
}

/// xdist's workers are processes that it feeds through pipes; coverage's tracer takes the
/// debugger's place (`sys.settrace`).
fn mended(args: &[String], added: &[String]) -> Option<Mended> {
    let said = &args[..end(args)];
    let (mut before, mut after) = (hindering(added), hindering(said));
    let is_off = |(_, option): &(&str, &str)| !said.iter().any(|word| word == option);
    before.retain(is_off);
    after.retain(is_off);
    let mut under: Vec<&str> = Vec::new();
    for (word, _) in after.iter().chain(&before) {
        if !under.contains(word) {
            under.push(word);
        }
    }
    before.retain(|(_, option)| !after.iter().any(|(_, other)| other == option));
    let [before, after] = [before, after].map(options);
    let off = [before.as_slice(), &after].concat().join(" ");
    let note =
        format!("pytest runs with {off}: under {} the debugger sees no test", under.join(" "));
    (!off.is_empty()).then_some(Mended { before, after, note })
}

/// Words that hinder a debugger, and what takes each back.
fn hindering(words: &[String]) -> Vec<(&str, &'static str)> {
    let taken_back = |word: &String| match word.split('=').next().unwrap_or(word) {
        "--numprocesses" | "--dist" | "--tx" | "-d" => Some("-n0"),
        "--cov" => Some("--no-cov"),
        _ => workers(word).then_some("-n0"),
    };
    words.iter().filter_map(|word| Some((word.as_str(), taken_back(word)?))).collect()
}

fn options(found: Vec<(&str, &'static str)>) -> Vec<String> {
    let mut options: Vec<String> = found.into_iter().map(|(_, option)| option.to_owned()).collect();
    options.sort();
    options.dedup();
    options
}

/// `-n`, `-n4`, `-nauto`; not `-no…`.
fn workers(word: &str) -> bool {
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
            "[tool.pytest.ini_options]\naddopts = [\n  \"-n\", \"auto\",\n  \"--cov=src\",\n]\nx = 1\n",
        ] {
            assert_eq!(added(text), words, "{text}");
        }
        assert!(added("[pytest]\nminversion = 6\n").is_empty());
    }

    #[test]
    fn what_chooses_tests_is_found() {
        let told = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            filter(&words).map(str::to_owned)
        };
        assert_eq!(told("-q -k gold").as_deref(), Some("gold"));
        assert_eq!(told("-kgold a.py").as_deref(), Some("gold"));
        assert_eq!(
            told("-q unit/test_a.py::test_gold").as_deref(),
            Some("unit/test_a.py::test_gold")
        );
        assert_eq!(told("test_a.Gold.test_bar").as_deref(), Some("test_a.Gold.test_bar"));
        assert_eq!(told("test_a.py"), None);
        assert_eq!(told("-q -- -k gold"), None);
    }

    #[test]
    fn tests_are_not_forked() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let check = |line: &str, added: &str, expect: &str, note: Option<&str>| {
            let mut args = words(line);
            let told = forked(&mut args, &words(added));
            assert_eq!((args.join(" ").as_str(), told.as_deref()), (expect, note), "{line}");
        };
        let without = |word: &str| {
            format!("pytest runs without {word}: each test would run in a process of its own")
        };
        check("--forked -k gold", "", "-k gold", Some(&without("--forked")));
        check("x.py --boxed -- --forked", "-ra", "x.py -- --forked", Some(&without("--boxed")));
        check("-x", "", "-x", None);
        let named =
            "pytest's settings say --forked: each test runs in a process of its own, which joins";
        check("--forked x.py", "--forked", "x.py", Some(named));
    }

    #[test]
    fn what_hinders_the_debugger_is_taken_back_and_named() {
        let mended = |args: &str, added: &str| {
            let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let told = mended(&words(args), &words(added))?;
            Some(format!("{} | {} | {}", told.before.join(" "), told.after.join(" "), told.note))
        };
        assert_eq!(mended("-k gold -x", "-ra --strict-markers"), None);
        assert_eq!(
            mended("-n 4 x.py", "").as_deref(),
            Some(" | -n0 | pytest runs with -n0: under -n the debugger sees no test")
        );
        assert_eq!(
            mended("x.py", "-nauto --cov=src").as_deref(),
            Some(
                "--no-cov -n0 |  | pytest runs with --no-cov -n0: under -nauto --cov=src the debugger sees no test"
            )
        );
        assert_eq!(
            mended("-n 4 x.py", "-n 2 --cov").as_deref(),
            Some(
                "--no-cov | -n0 | pytest runs with --no-cov -n0: under -n --cov the debugger sees no test"
            )
        );
        assert_eq!(mended("-n0 --no-cov", "-n auto --cov=src"), None);
        assert_eq!(mended("x.py -- -n 4", ""), None);
    }
}
