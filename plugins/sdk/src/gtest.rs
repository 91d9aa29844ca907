//! Tests that GoogleTest runs: found in sources, and run alone by the program that lists them. That
//! program is built already: the caller names it before `::`, or it is one that CTest's files name.
//! For the plugins of debuggers of machine code; knows no debugger, and builds nothing.

use serde_json::{Value, json};

use crate::adapter::{
    BuildPlan, BuildResult, BuildStep, Command, Error, Executable, FileKind, Target, TargetQuery,
    Workspace,
};
use crate::named::{self, Fit, Test};
use crate::schema::{CommandTemplate, Ending, words};
use crate::source::CPP;
use crate::{files, path, programs};

const LIST: &str = "--gtest_list_tests";
const LIST_SECONDS: u32 = 30;
/// Programs that are asked, of those that CTest knows.
const PROGRAMS: usize = 16;
/// What makes a test, with its suite and its name (gtest/gtest.h).
const MACROS: [&str; 5] = ["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"];
/// What CMake's `add_test` and `gtest_discover_tests` write, which name a program behind these
/// words.
const CTEST: [&str; 2] = ["add_test(", "TEST_EXECUTABLE"];

/// Of a failed test: its place, what was expected and what there was (gtest.cc, `EqFailure`,
/// `CmpHelperOpFailure`).
pub const TELLING: [&str; 3] =
    [r"^.+:\d+: Failure$", r"^(Expected|Value of)\b.*: ?", r"^  (  Which is: |\S)"];

/// A test, and what runs it.
pub struct Chosen {
    /// What lists it.
    pub program: Executable,
    /// Choose it, and nothing else.
    pub args: Vec<String>,
    /// Where CTest runs it.
    pub directory: Option<String>,
}

/// Its entry among a manifest's command lines.
pub fn command() -> CommandTemplate {
    CommandTemplate { tool: "workspace".into(), args: words([LIST]) }
}

/// The tests of the sources, as a launch takes them; where a program is named before one, behind
/// it.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    if let Some((program, name)) =
        query.filter.as_deref().and_then(|filter| filter.rsplit_once("::"))
    {
        let known = program_of(project, None, &format!("{program}::{name}")).is_some();
        let mut fitting = tests(project);
        fitting.retain(|test| known && fit(name, test) != Fit::None);
        let behind = |test: Test| Test { id: format!("{program}::{}", test.id), ..test }.into();
        return fitting.into_iter().map(behind).collect();
    }
    named::listed(
        tests(project).into_iter().map(|test| Target { needs_build: true, ..test.into() }),
        query,
    )
}

/// Built programs with that test: its class stands in them by the name that compilers give it
/// (gtest-internal.h, `GTEST_TEST_CLASS_NAME_`; Itanium C++ ABI, 5.1.3).
fn holding(project: &Workspace, name: &str) -> Vec<(String, Option<String>)> {
    let fitting = tests(project).into_iter().filter(|test| fit(name, test) != Fit::None);
    let class = |test: Test| {
        let class = format!("{}_Test", test.names.join("_"));
        format!("{}{class}", class.len())
    };
    let classes: Vec<String> = fitting.map(class).collect();
    let query = TargetQuery { filter: None, kinds: Vec::new(), file: None, limit: PROGRAMS as u32 };
    let built = if classes.is_empty() { Vec::new() } else { programs::built(project, &query) };
    let holds = |path: &String| {
        project.workspace_executable(path).is_ok_and(|program| !program.holds(&classes).is_empty())
    };
    let paths = built.into_iter().map(|program| program.id).filter(holds);
    paths.map(|path| (path::join(&project.root(), &path), None)).collect()
}

/// Does a source have that test, or is a program named before it?
pub fn knows(project: &Workspace, name: &str) -> bool {
    program_of(project, None, name).is_some()
        || tests(project).iter().any(|test| fit(name, test) != Fit::None)
}

/// Does any source have a test?
pub fn is_used(project: &Workspace) -> bool {
    !tests(project).is_empty()
}

/// How it says at its end that it ran none (gtest.cc, `PrettyUnitTestResultPrinter`).
const NONE: &str = r"^\[==========\] 0 tests from 0 test (suites|cases) ran";

/// What the end of a program means whose arguments choose none of its tests.
pub fn unmatched(project: &Workspace, args: &[String]) -> Option<Ending> {
    let filter = args.iter().rev().find_map(|arg| arg.strip_prefix("--gtest_filter="))?;
    let all = sources(project);
    Some(named::unmatched(filter, NONE, all.iter().map(|(_, filter)| filter.as_str())))
}

/// Asks the programs for their tests.
///
/// # Errors
///
/// Where no program is known, with near names of the sources where none of theirs fits.
pub fn start(project: &Workspace, name: &str, cwd: Option<&str>) -> Result<BuildPlan, Error> {
    let programs = match program_of(project, cwd, name) {
        Some(program) => vec![(program, None)],
        None => Some(by_ctest(project))
            .filter(|known| !known.is_empty())
            .unwrap_or_else(|| holding(project, name)),
    };
    if programs.is_empty() {
        let all = tests(project);
        named::choose(name, &all, |test| fit(name, test))?;
        let missing = Error::target_missing(format!(
            "no program here is built with {name}, and no file of CTest names one"
        ));
        return Err(missing.hint(format!(
            "build it, and name it: debug_launch {{\"test\": \"PROGRAM::{name}\"}}"
        )));
    }
    let step = |(program, _): &(String, _)| {
        let command = Command::new(project.workspace_executable(program)?).arg(LIST);
        Ok(BuildStep { label: format!("{program} {LIST}"), command, timeout_s: LIST_SECONDS })
    };
    let steps = programs.iter().map(step).collect::<Result<_, Error>>()?;
    Ok(BuildPlan { steps, state: json!({"gtest": programs}).to_string() })
}

/// The one test of that name.
///
/// # Errors
///
/// Where none or several fit, with their names; where a program lists none.
pub fn chosen(
    project: &Workspace,
    name: &str,
    state: &str,
    results: &[BuildResult],
) -> Result<Chosen, Error> {
    let state: Value = serde_json::from_str(state).unwrap_or_default();
    let programs: Vec<(String, Option<String>)> =
        serde_json::from_value(state["gtest"].clone()).unwrap_or_default();
    let mut all = Vec::new();
    for ((program, directory), result) in programs.into_iter().zip(results) {
        if result.exit_code != 0 {
            let refused = Error::target_missing(format!(
                "{program} does not list its tests: {LIST} ends it with {}",
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
        None => named::choose(name, &tests, |test| fit(name, test))
            .map_err(|error| older(project, name, error))?,
    };
    let same: Vec<_> = all.iter().filter(|(found, ..)| found.test.id == one.id).collect();
    let [(found, program, directory)] = same.as_slice() else {
        let ids = same
            .iter()
            .map(|(found, ..)| format!("{}::{}", found.test.file, found.test.id))
            .collect();
        return Err(named::ambiguous(name, ids));
    };
    let filter = if whole.is_some() { plain.to_owned() } else { found.full.join(":") };
    let mut args = vec![format!("--gtest_filter={filter}"), "--gtest_color=no".to_owned()];
    args.extend(filter.contains("DISABLED_").then(|| "--gtest_also_run_disabled_tests".to_owned()));
    Ok(Chosen {
        program: project.workspace_executable(program)?,
        args,
        directory: directory.clone(),
    })
}

/// A test that stands in a source only is not in what was built.
fn older(project: &Workspace, name: &str, error: Error) -> Error {
    let Some(test) = tests(project).into_iter().find(|test| fit(name, test) != Fit::None) else {
        return error;
    };
    let (id, file, line) = (test.id, test.file, test.line);
    Error::target_missing(format!("no program lists {id}, which stands in {file}:{line}"))
        .hint("build the tests anew")
}

/// A test that a program lists; of one with parameters there are several.
struct Listed {
    /// Of the program, without parameters.
    test: Test,
    full: Vec<String>,
}

/// Suites stand alone and end with a dot, their tests are indented; what follows `#` is a
/// parameter's value.
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

/// `Of/0`, `Of/*` and `All/Of` are the test `Of`; `Typed/0` is of the suite `Typed`.
fn base(name: &str) -> String {
    let is_number = |part: &&str| *part == "*" || part.chars().all(|c| c.is_ascii_digit());
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        [.., base, last] if is_number(last) => (*base).to_owned(),
        [.., base] => (*base).to_owned(),
        [] => name.to_owned(),
    }
}

/// `Suite.Name` or the name alone, with what it is in before `::`.
fn fit(name: &str, test: &Test) -> Fit {
    let plain = name.rsplit_once("::").map_or(name, |(_, plain)| plain);
    Fit::of(&plain.split('.').map(base).collect::<Vec<_>>(), &test.names)
}

/// The program before `::`, where there is one.
fn program_of(project: &Workspace, cwd: Option<&str>, name: &str) -> Option<String> {
    let (program, _) = name.rsplit_once("::")?;
    let root = project.root();
    let mut paths =
        [cwd.unwrap_or(&root), &root].map(|directory| path::join(directory, program)).into_iter();
    paths.find(|path| !CPP.reads(path) && matches!(project.stat(path), Some(FileKind::File)))
}

/// Programs that CTest's files name, and where it runs them.
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

/// The first absolute path behind each of those words. A name in brackets or quotes may hold any
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

/// The same, each with what `--gtest_filter` takes for it.
fn sources(project: &Workspace) -> Vec<(Test, String)> {
    let paths = files::own(project, |path| CPP.reads(path));
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
        // What does not fit on the line goes on below.
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
        let text = "#include <gtest/gtest.h>\n\nTEST(Cart, Totals) {\n}\nTEST_F(CartTest,\n       DISABLED_Tax) {\n}\n\
                    // TEST(Not, This)\nMY_TEST(Nor, This)\nTEST(nothing)\n";
        let told: Vec<String> = read("a.cc", text)
            .iter()
            .map(|(test, _)| format!("{}:{}", test.id, test.line))
            .collect();
        assert_eq!(told, ["Cart.Totals:3", "CartTest.DISABLED_Tax:5"]);
    }

    #[test]
    fn filters_are_those_that_the_test_runs_by() {
        let text =
            "TEST(A, One) {\nTEST_P(P, Even) {\nTYPED_TEST(T, Fits) {\nTYPED_TEST_P(Q, Fits) {\n";
        let told = read("a.cc", text);
        let filters: Vec<&str> = told.iter().map(|(_, filter)| filter.as_str()).collect();
        assert_eq!(filters, ["A.One", "*/P.Even/*", "T/*.Fits", "*/Q/*.Fits"]);
        for (test, filter) in &told {
            assert_eq!(fit(filter, test), Fit::Whole, "{filter}");
            assert_eq!(fit(&format!("b/t::{filter}"), test), Fit::Whole, "{filter}");
        }
    }

    #[test]
    fn what_a_program_lists_is_read_without_its_parameters() {
        let listing = "Running main() from gtest_main.cc\nCart.\n  Totals\nAll/Many.\n  Of/0  # GetParam() = 1\n  \
                       Of/1  # GetParam() = \"a. b\"\nTyped/0.  # TypeParam = int\n  Works\n";
        let told = |found: &Listed| format!("{} {}", found.test.id, found.full.join(":"));
        assert_eq!(
            listed("b/t", listing).iter().map(told).collect::<Vec<_>>(),
            [
                "Cart.Totals Cart.Totals",
                "Many.Of All/Many.Of/0:All/Many.Of/1",
                "Typed.Works Typed/0.Works"
            ]
        );
    }

    #[test]
    fn a_name_may_stand_alone_or_behind_its_program() {
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
    fn ctests_files_name_programs() {
        // CMake 3.25: add_test by hand, gtest_discover_tests after the build and before it.
        let text = "add_test(cart \"/w/b/cart_test\" \"/w/data\")\nset_tests_properties(cart PROPERTIES X \"/w/no\")\n\
                    add_test([=[Cart.Totals]=]  /w/b/other_test [==[--gtest_filter=Cart.Totals]==] --x)\n    \
                    TEST_EXECUTABLE [==[/w/b/third]==]\n";
        assert_eq!(programs_in(text), ["/w/b/cart_test", "/w/b/other_test", "/w/b/third"]);
    }
}
