//! Finds programs, tests, benchmarks and examples in Go's sources, as `go` itself names them. Reads
//! declarations at a line's beginning, where gofmt has them, and runs nothing.

use dapdock_plugin::files;
use dapdock_plugin::prelude::*;
use dapdock_plugin::test_names::{self, Fit, Test};

use crate::choice::Sort;

/// A test by its name: `TestGold`, `cart/cart_test.go::TestGold`, or one of its own,
/// `TestGold/empty`.
pub struct Found {
    /// The directory of its package, from the root.
    pub package: String,
    /// What runs it.
    pub sort: Sort,
    /// As the option for its sort takes it.
    pub pattern: String,
}

/// The one test of that name. Those in `here`, a directory from the root, go first.
pub fn choose(project: &Workspace, name: &str, here: Option<&str>) -> Result<Found, Error> {
    let all = all(project);
    let start = here.map(|here| format!("{here}/"));
    let inside = |test: &&Test| start.as_ref().is_some_and(|start| test.file.starts_with(start));
    let own: Vec<Test> = all.iter().filter(inside).cloned().collect();
    let fits = own.iter().any(|test| fit(name, test) != Fit::None);
    let test = test_names::choose(name, if fits { &own } else { &all }, |test| fit(name, test))?;
    let (_, parts) = split(name);
    let parts: Vec<String> = parts.split('/').map(|part| format!("^{}$", literal(part))).collect();
    let package = test.file.rsplit_once('/').map_or("", |(package, _)| package);
    let sort = test.names.first().map_or(Sort::Test, |name| Sort::of(name));
    Ok(Found { package: package.to_owned(), sort, pattern: parts.join("/") })
}

/// A name as a regular expression that means it alone (regexp, `QuoteMeta`).
fn literal(name: &str) -> String {
    let quoted =
        name.chars().flat_map(|c| [r"\.+*?()|[]{}^$".contains(c).then_some('\\'), Some(c)]);
    quoted.flatten().collect()
}

/// Main packages by their directories, and tests.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let mut programs: Vec<Target> = Vec::new();
    for file in files::own(project, |path| path.ends_with(".go") && !path.ends_with("_test.go")) {
        let Some(line) = main(&files::text(project, &file)) else { continue };
        let id = file.rsplit_once('/').map_or(".", |(package, _)| package).to_owned();
        let (label, kind) = (id.clone(), TargetKind::Program);
        programs.push(Target {
            id,
            kind,
            label,
            file: Some(file),
            line: Some(line),
            needs_build: true,
        });
    }
    let tests = all(project).into_iter().map(|test| Target { needs_build: true, ..test.into() });
    test_names::listed(programs.into_iter().chain(tests), query)
}

fn all(project: &Workspace) -> Vec<Test> {
    let sources = files::own(project, |path| path.ends_with("_test.go"));
    sources.iter().flat_map(|path| read(path, &files::text(project, path))).collect()
}

/// The line of `func main()` in a package that is a program and part of the build.
fn main(text: &str) -> Option<u32> {
    let is = |wanted: &str| text.lines().position(|line| line.trim_end() == wanted);
    if is("//go:build ignore").is_some()
        || !text.lines().any(|line| line.trim_end() == "package main")
    {
        return None;
    }
    text.lines().zip(1..).find(|(line, _)| line.starts_with("func main()")).map(|(_, at)| at)
}

/// What the names of functions that `go test` runs begin with.
const KINDS: [&str; 4] = ["Test", "Fuzz", "Benchmark", "Example"];

/// `func TestName(t *testing.T)`; a name that goes on with a small letter is no test (cmd/go,
/// `isTest`).
fn read(path: &str, text: &str) -> Vec<Test> {
    let lines: Vec<&str> = text.lines().collect();
    let name = |at: usize| {
        let name = lines[at].strip_prefix("func ")?.split_once('(')?.0;
        let rest = KINDS.iter().find_map(|kind| name.strip_prefix(kind))?;
        let is_test = !rest.starts_with(char::is_lowercase) && name != "TestMain";
        (is_test && (!name.starts_with("Example") || is_run(&lines[at..]))).then(|| name.to_owned())
    };
    let found = (0..lines.len()).zip(1..).filter_map(|(at, line)| Some((name(at)?, line)));
    let test = |(name, line): (String, u32)| {
        let id = format!("{path}::{name}");
        Test { file: path.to_owned(), line, names: vec![name], group: false, id }
    };
    found.map(test).collect()
}

/// What the test of that name in a package's directory runs within itself, as far as its text says
/// it: `t.Run("empty", …`.
pub fn within(project: &Workspace, directory: &str, test: &str) -> Vec<String> {
    let sources = files::in_directory(project, directory, |name| name.ends_with("_test.go"));
    sources.iter().flat_map(|path| runs(&files::text(project, path), test)).collect()
}

/// Those of its body's own lines: what is further in belongs to another, or has a name for each
/// turn of a loop.
fn runs(text: &str, test: &str) -> Vec<String> {
    let start = format!("func {test}(");
    let own = text
        .lines()
        .skip_while(|line| !line.starts_with(&start))
        .skip(1)
        .take_while(|line| line.starts_with('\t') || line.is_empty());
    let called = own.filter_map(|line| {
        let (runner, rest) = line.strip_prefix('\t')?.split_once(".Run(\"")?;
        let (name, _) = rest.split_once('"')?;
        runner.chars().all(char::is_alphanumeric).then_some(name)
    });
    // A space in a name is told, and asked for, as this (testing, `rewrite`).
    called.map(|name| format!("{test}/{}", name.replace(' ', "_"))).collect()
}

/// An example is run where a remark within says what it prints (go/doc, `outputPrefix`).
fn is_run(example: &[&str]) -> bool {
    let mut body = example.iter().take_while(|line| **line != "}");
    body.any(|line| {
        let Some(remark) = line.trim_start().strip_prefix("//") else { return false };
        let remark = remark.trim_start().to_lowercase();
        remark
            .strip_prefix("unordered")
            .map_or(remark.as_str(), str::trim_start)
            .starts_with("output:")
    })
}

/// The file, where one is named, and the test.
fn split(name: &str) -> (Option<&str>, &str) {
    name.rsplit_once("::").map_or((None, name), |(file, test)| (Some(file), test))
}

fn fit(name: &str, test: &Test) -> Fit {
    let (file, name) = split(name);
    let name = name.split('/').next().unwrap_or(name);
    match file {
        _ if test.names != [name] => Fit::None,
        None => Fit::End,
        Some(file) if file == test.file => Fit::Whole,
        Some(file) if test.file.ends_with(&format!("/{file}")) => Fit::End,
        Some(_) => Fit::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_those_that_go_runs() {
        let text = "package x\n\nfunc TestGold(t *testing.T) {\n\tfunc TestInner() {}\n}\nfunc Testify(x int) {}\n\
                    func TestMain(m *testing.M) {}\nfunc Test(t *testing.T) {}\n";
        let told: Vec<String> = read("a_test.go", text)
            .iter()
            .map(|test| format!("{}:{}", test.id, test.line))
            .collect();
        assert_eq!(told, ["a_test.go::TestGold:3", "a_test.go::Test:8"]);
    }

    #[test]
    fn benchmarks_are_tests_and_examples_where_they_say_what_they_print() {
        let text = "func BenchmarkA(b *testing.B) {}\nfunc Example() {\n\tf()\n\t// Unordered output:\n}\n\
                    func Example_b() {\n\tf() // Output: 1\n}\nfunc ExampleC() {\n\t//output: 1\n}\nfunc Examples() {}\n\
                    func Example_d() {\n}\n\n// Output: of nothing\n";
        let told: Vec<(String, Sort)> = read("a_test.go", text)
            .iter()
            .map(|test| (test.names[0].clone(), Sort::of(&test.names[0])))
            .collect();
        let want =
            [("BenchmarkA", Sort::Benchmark), ("Example", Sort::Test), ("ExampleC", Sort::Test)];
        assert_eq!(told, want.map(|(name, sort)| (name.to_owned(), sort)));
    }

    #[test]
    fn a_test_says_what_it_runs_within_itself() {
        let text = "func TestA(t *testing.T) {\n\tt.Run(\"one of it\", f)\n\tfor _, c := range all {\n\t\tt.Run(c.name, f)\n\
                    \t}\n\n\tt.Run(\"two\", func(t *testing.T) {\n\t\tt.Run(\"inner\", f)\n\t})\n\t// t.Run(\"not\", f)\n}\n\
                    func TestB(t *testing.T) {\n\tt.Run(\"three\", f)\n}\nfunc TestC(t *testing.T) { f() }\n\
                    func TestD(t *testing.T) {\n\tt.Run(\"four\", f)\n}\n";
        assert_eq!(runs(text, "TestA"), ["TestA/one_of_it", "TestA/two"]);
        assert_eq!(runs(text, "TestB"), ["TestB/three"]);
        assert!(
            runs(text, "TestC").is_empty()
                && runs(text, "Test").is_empty()
                && runs(text, "").is_empty()
        );
    }

    #[test]
    fn a_name_means_itself() {
        assert_eq!(literal("empty (nil) a.b"), r"empty \(nil\) a\.b");
    }

    #[test]
    fn a_test_is_named_alone_or_with_its_file() {
        let test = read("cart/a_test.go", "func TestGold(t *testing.T) {}").swap_remove(0);
        for (name, expect) in [
            ("TestGold", Fit::End),
            ("TestGold/empty", Fit::End),
            ("cart/a_test.go::TestGold", Fit::Whole),
            ("a_test.go::TestGold/empty", Fit::End),
            ("b/a_test.go::TestGold", Fit::None),
            ("TestGol", Fit::None),
        ] {
            assert_eq!(fit(name, &test), expect, "{name}");
        }
    }

    #[test]
    fn programs_have_a_main_that_is_built() {
        assert_eq!(main("package main\n\nfunc main() {\n}\n"), Some(3));
        assert_eq!(main("//go:build ignore\n\npackage main\n\nfunc main() {\n}\n"), None);
        assert_eq!(main("package cart\n\nfunc main() {\n}\n"), None);
    }
}
