//! GoogleTest tests: found in sources, and run by the program that lists them. The program is
//! built by CMake or already built: the caller names it before `::`, or CTest's files name it.
//! Knows no debugger.

use dapdock_plugin::adapter::{
    BuildPlan, BuildResult, BuildStep, Command, Error, Executable, FileKind, Target, TargetQuery,
    Workspace,
};
use dapdock_plugin::schema::{CommandTemplate, Ending, words};
use dapdock_plugin::serde_json::{self, Value, json};
use dapdock_plugin::test_names::{self, Fit, Test};
use dapdock_plugin::{files, path};

use crate::cmake;
use crate::compilers::CPP;
use crate::{gtest_failures, programs};

const LIST: &str = "--gtest_list_tests";
const LIST_SECONDS: u32 = 30;
/// Most programs that are run to list tests.
const PROGRAMS: usize = 16;
/// Macros that define a test by suite and name (gtest/gtest.h).
const MACROS: [&str; 5] = ["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"];
/// What precedes the program in files of CMake's `add_test` and `gtest_discover_tests`.
const CTEST: [&str; 2] = ["add_test(", "TEST_EXECUTABLE"];

/// Lines of a failed test: place, expected value and actual value (gtest.cc, `EqFailure`,
/// `CmpHelperOpFailure`).
pub const FAILURE_LINES: [&str; 3] =
    [r"^.+:\d+: Failure$", r"^(Expected|Value of)\b.*: ?", r"^  (  Which is: |\S)"];

/// A test, and the program that runs it.
pub struct Selected {
    /// The program that lists the test.
    pub program: Executable,
    /// Arguments that select this test alone.
    pub args: Vec<String>,
    /// The directory in which CTest runs it.
    pub directory: Option<String>,
}

/// Its entry among a manifest's command lines.
pub fn command() -> CommandTemplate {
    CommandTemplate { tool: "workspace".into(), args: words([LIST]) }
}

/// The tests found in sources, as a launch takes them; after the program, if the filter names one.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    if let Some((program, name)) =
        query.filter.as_deref().and_then(|filter| filter.rsplit_once("::"))
    {
        let known = program_of(project, None, &format!("{program}::{name}")).is_some();
        let mut fitting = tests(project);
        fitting.retain(|test| known && fit(name, test) != Fit::None);
        for test in &mut fitting {
            test.id = format!("{program}::{}", test.id);
        }
        return fitting.into_iter().map(Target::from).collect();
    }
    test_names::listed(
        tests(project).into_iter().map(|test| Target { needs_build: true, ..test.into() }),
        query,
    )
}

/// Built programs that have the test.
fn programs_with_test(project: &Workspace, name: &str) -> Vec<(String, Option<String>)> {
    let classes = classes(project, name);
    if classes.is_empty() {
        return Vec::new();
    }
    let query = TargetQuery { filter: None, kinds: Vec::new(), file: None, limit: PROGRAMS as u32 };
    let paths = programs::built(project, &query).into_iter().map(|program| program.id);
    paths
        .filter(|path| holds(project, path, &classes))
        .map(|path| (path::join(&project.root(), &path), None))
        .collect()
}

/// Programs named by CTest that have the test, of which no other is run; all of them if none has.
fn programs_of_ctest(project: &Workspace, name: &str) -> Vec<(String, Option<String>)> {
    let known = by_ctest(project);
    let classes = classes(project, name);
    let mut fitting = known.clone();
    fitting.retain(|(program, _)| holds(project, program, &classes));
    if fitting.is_empty() { known } else { fitting }
}

/// The names of the classes of the tests of this name in a program's symbols (gtest-internal.h,
/// `GTEST_TEST_CLASS_NAME_`; Itanium C++ ABI, 5.1.3).
fn classes(project: &Workspace, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for test in tests(project) {
        if fit(name, &test) != Fit::None {
            let class = format!("{}_Test", test.names.join("_"));
            found.push(format!("{}{class}", class.len()));
        }
    }
    found
}

fn holds(project: &Workspace, program: &str, classes: &[String]) -> bool {
    project.workspace_executable(program).is_ok_and(|program| !program.holds(classes).is_empty())
}

/// Does a source have the test, or does the name begin with a program?
pub fn has_test(project: &Workspace, name: &str) -> bool {
    program_of(project, None, name).is_some()
        || tests(project).iter().any(|test| fit(name, test) != Fit::None)
}

/// Does any source have a test?
pub fn is_used(project: &Workspace) -> bool {
    !tests(project).is_empty()
}

/// What GoogleTest prints at its end if it ran no test (gtest.cc, `PrettyUnitTestResultPrinter`).
const NONE: &str = r"^\[==========\] 0 tests from 0 test (suites|cases) ran";

/// The ending of a program whose arguments select none of its tests.
pub fn unmatched(project: &Workspace, args: &[String]) -> Option<Ending> {
    let filter = args.iter().rev().find_map(|arg| arg.strip_prefix("--gtest_filter="))?;
    let all = sources(project);
    Some(test_names::unmatched(filter, NONE, all.iter().map(|(_, filter)| filter.as_str())))
}

/// Plans to list the tests of the programs; if none is built, to build those of CMake.
///
/// # Errors
///
/// If no program is known; with similar names of the sources if no test has this name.
pub fn start(project: &Workspace, name: &str, cwd: Option<&str>) -> Result<BuildPlan, Error> {
    list(project, name, cwd, true)
}

fn list(
    project: &Workspace,
    name: &str,
    cwd: Option<&str>,
    is_built_first: bool,
) -> Result<BuildPlan, Error> {
    let programs = match program_of(project, cwd, name) {
        Some(program) => vec![(program, None)],
        None => Some(programs_of_ctest(project, name))
            .filter(|known| !known.is_empty())
            .unwrap_or_else(|| programs_with_test(project, name)),
    };
    if programs.is_empty() {
        let all = tests(project);
        test_names::choose(name, &all, None, |test| fit(name, test))?;
        if let Some(steps) = is_built_first.then(|| cmake::build_all(project)).flatten() {
            return Ok(BuildPlan { steps: steps?, state: json!({"built": true}).to_string() });
        }
        let missing = Error::target_missing(format!(
            "no built program has the test {name}, and no CTest file names a program"
        ));
        return Err(missing.hint(format!(
            "build the program and name it: debug_launch {{\"test\": \"PROGRAM::{name}\"}}"
        )));
    }
    let mut steps = Vec::new();
    for (program, _) in &programs {
        let command = Command::new(project.workspace_executable(program)?).arg(LIST);
        let label = format!("{program} {LIST}");
        steps.push(BuildStep { label, command, timeout_s: LIST_SECONDS });
    }
    Ok(BuildPlan { steps, state: json!({"gtest": programs}).to_string() })
}

/// What follows a round of steps.
pub enum Next {
    /// More steps.
    Build(BuildPlan),
    /// The program is known.
    Run(Selected),
}

/// The one test of that name, or the steps that list it after a build.
///
/// # Errors
///
/// If the build failed; if none or several match, with their names; if a program lists none.
pub fn resume(
    project: &Workspace,
    name: &str,
    cwd: Option<&str>,
    state: &str,
    results: &[BuildResult],
) -> Result<Next, Error> {
    let built: Value = serde_json::from_str(state).unwrap_or_default();
    if built["built"].is_null() {
        return selected(project, name, state, results).map(Next::Run);
    }
    cmake::check(results)?;
    list(project, name, cwd, false).map(Next::Build)
}

/// The one test of that name.
fn selected(
    project: &Workspace,
    name: &str,
    state: &str,
    results: &[BuildResult],
) -> Result<Selected, Error> {
    let state: Value = serde_json::from_str(state).unwrap_or_default();
    let programs: Vec<(String, Option<String>)> =
        serde_json::from_value(state["gtest"].clone()).unwrap_or_default();
    let mut all = Vec::new();
    for ((program, directory), result) in programs.into_iter().zip(results) {
        if result.exit_code != 0 {
            let refused = Error::target_missing(format!(
                "{program} does not list its tests: {LIST} exits with {}",
                result.exit_code
            ));
            return Err(refused.hint(format!(
                "name the program: debug_launch {{\"test\": \"PROGRAM::{name}\"}}"
            )));
        }
        let root = format!("{}/", project.root());
        let short = program.strip_prefix(&root).unwrap_or(&program);
        all.extend(
            listed(short, &result.stdout)
                .into_iter()
                .map(|found| (found, program.clone(), directory.clone())),
        );
    }
    let plain = name.rsplit_once("::").map_or(name, |(_, plain)| plain);
    let tests: Vec<Test> = all.iter().map(|(found, ..)| found.test.clone()).collect();
    let whole = all.iter().find(|(found, ..)| found.full.iter().any(|full| full == plain));
    let one = match whole {
        Some((found, ..)) => &found.test,
        None => test_names::choose(name, &tests, None, |test| fit(name, test))
            .map_err(|error| not_built(project, name, error))?,
    };
    let same: Vec<_> = all.iter().filter(|(found, ..)| found.test.id == one.id).collect();
    let [(found, program, directory)] = same.as_slice() else {
        let ids = same
            .iter()
            .map(|(found, ..)| format!("{}::{}", found.test.file, found.test.id))
            .collect();
        return Err(test_names::ambiguous(name, ids));
    };
    let filter = if whole.is_some() { plain.to_owned() } else { found.full.join(":") };
    let options = ["--gtest_color=no", gtest_failures::BREAK].map(str::to_owned);
    let mut args = vec![format!("--gtest_filter={filter}")];
    args.extend(options);
    args.extend(filter.contains("DISABLED_").then(|| "--gtest_also_run_disabled_tests".to_owned()));
    Ok(Selected {
        program: project.workspace_executable(program)?,
        args,
        directory: directory.clone(),
    })
}

/// The error for a test that a source has and no built program lists.
fn not_built(project: &Workspace, name: &str, error: Error) -> Error {
    let Some(test) = tests(project).into_iter().find(|test| fit(name, test) != Fit::None) else {
        return error;
    };
    let (id, file, line) = (test.id, test.file, test.line);
    Error::target_missing(format!("no built program lists {id}, which is at {file}:{line}"))
        .hint("rebuild the tests")
}

/// A test that a program lists; a parameterised one has several full names.
struct Listed {
    /// The test without parameters; its file is the program.
    test: Test,
    full: Vec<String>,
}

/// Parses a listing: suites end with a dot, their tests are indented, and a parameter's value
/// follows `#`.
fn listed(program: &str, listing: &str) -> Vec<Listed> {
    let (mut all, mut suite) = (Vec::<Listed>::new(), String::new());
    for line in listing.lines() {
        let plain = line.split("  #").next().unwrap_or(line).trim_end();
        match plain.strip_prefix("  ") {
            None => suite = plain.strip_suffix('.').unwrap_or_default().to_owned(),
            Some(name) if !suite.is_empty() => {
                let names = [base(&suite), base(name)];
                let (id, full) = (names.join("."), format!("{suite}.{name}"));
                match all.iter_mut().find(|found| found.test.id == id) {
                    Some(found) => found.full.push(full),
                    None => {
                        let test = Test {
                            file: program.to_owned(),
                            line: 0,
                            names: names.to_vec(),
                            group: false,
                            id,
                        };
                        all.push(Listed { test, full: vec![full] });
                    }
                }
            }
            Some(_) => {}
        }
    }
    all
}

/// `Of/0`, `Of/*` and `All/Of` are the test `Of`; `Typed/0` belongs to the suite `Typed`.
fn base(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        [.., base, "*"] => (*base).to_owned(),
        [.., base, last] if last.chars().all(|c| c.is_ascii_digit()) => (*base).to_owned(),
        [.., base] => (*base).to_owned(),
        [] => name.to_owned(),
    }
}

/// Matches `Suite.Name` or the name alone, ignoring what precedes `::`.
fn fit(name: &str, test: &Test) -> Fit {
    let plain = name.rsplit_once("::").map_or(name, |(_, plain)| plain);
    Fit::of(&plain.split('.').map(base).collect::<Vec<_>>(), &test.names)
}

/// The program before `::`, if there is one.
fn program_of(project: &Workspace, cwd: Option<&str>, name: &str) -> Option<String> {
    let (program, _) = name.rsplit_once("::")?;
    let root = project.root();
    let mut paths =
        [cwd.unwrap_or(&root), &root].map(|directory| path::join(directory, program)).into_iter();
    paths.find(|path| !CPP.accepts(path) && matches!(project.stat(path), Some(FileKind::File)))
}

/// Programs named in CTest's files, and the directories in which CTest runs them.
fn by_ctest(project: &Workspace) -> Vec<(String, Option<String>)> {
    let root = project.root();
    let mut programs = Vec::<(String, Option<String>)>::new();
    for file in project.glob("**/*.cmake", u32::MAX).unwrap_or_default() {
        let name = file.rsplit('/').next().unwrap_or(&file);
        if name != "CTestTestfile.cmake"
            && !name.ends_with("_tests.cmake")
            && !name.ends_with("_include.cmake")
        {
            continue;
        }
        let directory = file
            .rsplit_once('/')
            .map_or_else(|| root.clone(), |(inner, _)| path::join(&root, inner));
        for program in programs_in(&files::text(project, &file)) {
            let there = program.starts_with(&format!("{root}/"))
                && matches!(project.stat(&program), Some(FileKind::File));
            if there && !programs.iter().any(|(known, _)| *known == program) {
                programs.push((program, Some(directory.clone())));
            }
        }
    }
    programs.truncate(PROGRAMS);
    programs
}

/// The first absolute path after each of those words. A name in brackets or quotes may contain any
/// other.
fn programs_in(text: &str) -> Vec<String> {
    let mut programs = Vec::new();
    for word in CTEST {
        for after in text.split(word).skip(1) {
            let own = after.split('\n').next().unwrap_or(after);
            let mut tokens = own.split(['"', ' ', '[', ']', '=', ')']);
            programs.extend(tokens.find(|token| token.starts_with('/')).map(str::to_owned));
        }
    }
    programs
}

/// All tests of the sources.
fn tests(project: &Workspace) -> Vec<Test> {
    sources(project).into_iter().map(|(test, _)| test).collect()
}

/// All tests of the sources, each with its `--gtest_filter`.
fn sources(project: &Workspace) -> Vec<(Test, String)> {
    let paths = files::own(project, |path| CPP.accepts(path));
    paths.iter().flat_map(|path| read(path, &files::text(project, path))).collect()
}

fn read(file: &str, text: &str) -> Vec<(Test, String)> {
    let mut tests = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let Some((kind, rest)) = line.split_once('(') else { continue };
        if !MACROS.contains(&kind) {
            continue;
        }
        // The arguments may continue on the next line.
        let rest = format!("{rest} {}", lines.get(at + 1).unwrap_or(&""));
        let Some((inside, _)) = rest.split_once(')') else { continue };
        let names: Vec<String> = inside.split(',').map(|name| name.trim().to_owned()).collect();
        if names.len() == 2 {
            let (id, [suite, test]) = (names.join("."), [&names[0], &names[1]]);
            let filter = match kind {
                "TEST_P" => format!("*/{suite}.{test}/*"),
                "TYPED_TEST" => format!("{suite}/*.{test}"),
                "TYPED_TEST_P" => format!("*/{suite}/*.{test}"),
                _ => id.clone(),
            };
            tests.push((
                Test { file: file.to_owned(), line: at as u32 + 1, names, group: false, id },
                filter,
            ));
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_in_sources() {
        let text = "#include <gtest/gtest.h>\n\nTEST(Cart, Totals) {\n}\nTEST_F(CartTest,\n       \
            DISABLED_Tax) {\n}\n\
                    // TEST(Not, This)\nMY_TEST(Nor, This)\nTEST(nothing)\n";
        let tests: Vec<String> = read("a.cc", text)
            .iter()
            .map(|(test, _)| format!("{}:{}", test.id, test.line))
            .collect();
        assert_eq!(tests, ["Cart.Totals:3", "CartTest.DISABLED_Tax:5"]);
    }

    #[test]
    fn filters_select_the_tests() {
        let text =
            "TEST(A, One) {\nTEST_P(P, Even) {\nTYPED_TEST(T, Fits) {\nTYPED_TEST_P(Q, Fits) {\n";
        let tests = read("a.cc", text);
        let filters: Vec<&str> = tests.iter().map(|(_, filter)| filter.as_str()).collect();
        assert_eq!(filters, ["A.One", "*/P.Even/*", "T/*.Fits", "*/Q/*.Fits"]);
        for (test, filter) in &tests {
            assert_eq!(fit(filter, test), Fit::Whole, "{filter}");
            assert_eq!(fit(&format!("b/t::{filter}"), test), Fit::Whole, "{filter}");
        }
    }

    #[test]
    fn listed_tests_lose_their_parameters() {
        let listing = "Running main() from gtest_main.cc\nCart.\n  Totals\nAll/Many.\n  Of/0  # \
            GetParam() = 1\n  \
                       Of/1  # GetParam() = \"a. b\"\nTyped/0.  # TypeParam = int\n  Works\n";
        let tests = |found: &Listed| format!("{} {}", found.test.id, found.full.join(":"));
        assert_eq!(
            listed("b/t", listing).iter().map(tests).collect::<Vec<_>>(),
            [
                "Cart.Totals Cart.Totals",
                "Many.Of All/Many.Of/0:All/Many.Of/1",
                "Typed.Works Typed/0.Works"
            ]
        );
    }

    #[test]
    fn name_may_follow_its_program() {
        let listed = listed("b/t", "Cart.\n  Totals\n").remove(0);
        for (name, expect) in [
            ("Cart.Totals", Fit::Whole),
            ("b/t::Cart.Totals", Fit::Whole),
            ("Totals", Fit::End),
            ("Cart", Fit::None),
            ("Cart.Total", Fit::None),
        ] {
            assert_eq!(fit(name, &listed.test), expect, "{name}");
        }
    }

    #[test]
    fn ctest_files_name_programs() {
        // CMake 3.25: add_test in a project, gtest_discover_tests after the build and before it.
        let text = "add_test(cart \"/w/b/cart_test\" \"/w/data\")\nset_tests_properties(cart \
            PROPERTIES X \"/w/no\")\n\
                    add_test([=[Cart.Totals]=]  /w/b/other_test [==[--gtest_filter=Cart.Totals]==] \
                    --x)\n    \
                    TEST_EXECUTABLE [==[/w/b/third]==]\n";
        assert_eq!(programs_in(text), ["/w/b/cart_test", "/w/b/other_test", "/w/b/third"]);
    }
}
