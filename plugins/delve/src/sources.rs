//! Finds programs, tests, benchmarks and examples in Go sources. Reads declarations at the
//! beginning of a line, where gofmt puts them, and runs nothing.

use dapdock_golang::test_kinds::TestKind;
use dapdock_golang::{code, subtests, tags};
use dapdock_plugin::files;
use dapdock_plugin::prelude::*;
use dapdock_plugin::test_names::{self, Fit, Test};

/// A test found by its name: `TestGold`, `cart/cart_test.go::TestGold`, or the subtest
/// `TestGold/empty`.
pub struct Found {
    /// Its file, relative to the root.
    pub file: String,
    pub kind: TestKind,
    /// The value of the option that runs it.
    pub pattern: String,
}

/// The only test of that name. Tests below `directory`, relative to the root, take precedence.
pub fn choose(project: &Workspace, name: &str, directory: Option<&str>) -> Result<Found, Error> {
    let all = all(project);
    let test = test_names::choose(name, &all, directory, |test| fit(name, test))?;
    let (_, parts) = split(name);
    let parts: Vec<String> = parts.split('/').map(|part| format!("^{}$", literal(part))).collect();
    let kind = test.names.first().map_or(TestKind::Test, |name| TestKind::of(name));
    Ok(Found { file: test.file.clone(), kind, pattern: parts.join("/") })
}

/// A regular expression that matches only this name (regexp, `QuoteMeta`).
fn literal(name: &str) -> String {
    let mut pattern = String::new();
    for c in name.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// The main packages, named by their directories, and the tests.
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
    let sources = files::own(project, |path| path.ends_with("_test.go"));
    let tests = sources.iter().flat_map(|path| with_subtests(path, &files::text(project, path)));
    let tests = tests.map(|test| Target { needs_build: true, ..test.into() });
    test_names::listed(programs.into_iter().chain(tests), query)
}

/// The files that have a test of this name.
pub fn files_with(project: &Workspace, name: &str) -> Vec<String> {
    let mut tests = all(project);
    tests.retain(|test| test.names == [name]);
    tests.into_iter().map(|test| test.file).collect()
}

fn all(project: &Workspace) -> Vec<Test> {
    let sources = files::own(project, |path| path.ends_with("_test.go"));
    sources.iter().flat_map(|path| read(path, &files::text(project, path))).collect()
}

/// The line of `func main()` in a main package that is part of the build.
fn main(text: &str) -> Option<u32> {
    let lines = code::lines(text);
    if !lines.iter().any(|line| is_package_main(line)) || tags::is_ignored(text) {
        return None;
    }
    lines.iter().zip(1..).find(|(line, _)| line.starts_with("func main()")).map(|(_, at)| at)
}

/// Whether it is the clause of a main package, with or without a comment behind it.
fn is_package_main(line: &str) -> bool {
    let rest = line.strip_prefix("package main").map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("//") || rest.starts_with("/*"))
}

/// Prefixes of the functions that `go test` runs.
const PREFIXES: [&str; 4] = ["Test", "Fuzz", "Benchmark", "Example"];

/// The tests of a file.
fn read(path: &str, text: &str) -> Vec<Test> {
    let lines = code::lines(text);
    let mut tests = Vec::new();
    for (index, line) in (0..lines.len()).zip(1..) {
        let Some(name) = test_name(&lines[index..]) else { continue };
        tests.push(Test {
            file: path.to_owned(),
            line,
            names: vec![name.to_owned()],
            group: false,
            id: format!("{path}::{name}"),
        });
    }
    tests
}

/// The name in `func TestName(t *testing.T)`, the first of these lines. A lower-case letter after
/// the prefix makes it an ordinary function (cmd/go, `isTest`).
fn test_name<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let name = lines.first()?.strip_prefix("func ")?.split_once('(')?.0;
    let rest = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))?;
    if rest.starts_with(char::is_lowercase) || name == "TestMain" {
        return None;
    }
    (!name.starts_with("Example") || has_output(lines)).then_some(name)
}

/// The names of the subtests of a test in a package's directory, as far as its source shows them.
pub fn subtests(project: &Workspace, directory: &str, test: &str) -> Vec<String> {
    let sources = files::in_directory(project, directory, |name| name.ends_with("_test.go"));
    let start = format!("func {test}(");
    let mut found = Vec::new();
    for path in sources {
        let text = files::text(project, &path);
        let lines = code::lines(&text);
        let Some(at) = lines.iter().position(|line| line.starts_with(&start)) else { continue };
        let names =
            subtests::of(&lines[at..]).into_iter().map(|one| format!("{test}/{}", one.name));
        found.extend(names);
    }
    found
}

/// The tests of a file, each followed by its subtests.
fn with_subtests(path: &str, text: &str) -> Vec<Test> {
    let lines = code::lines(text);
    let mut tests = Vec::new();
    for test in read(path, text) {
        let start = test.line as usize - 1;
        let inside = subtests::of(&lines[start..]);
        let id = test.id.clone();
        tests.push(test);
        for one in inside {
            tests.push(Test {
                file: path.to_owned(),
                line: (start + one.line + 1) as u32,
                names: Vec::new(),
                group: false,
                id: format!("{id}/{}", one.name),
            });
        }
    }
    tests
}

/// Whether an example has a comment with its output; others are not run (go/doc, `outputPrefix`).
fn has_output(example: &[&str]) -> bool {
    let mut body = example.iter().take_while(|line| **line != "}");
    body.any(|line| {
        let Some(comment) = line.trim_start().strip_prefix("//") else { return false };
        let comment = comment.trim_start().to_lowercase();
        comment
            .strip_prefix("unordered")
            .map_or(comment.as_str(), str::trim_start)
            .starts_with("output:")
    })
}

/// Splits `FILE::TEST`; the file may be missing. The name of a subtest may have colons.
fn split(name: &str) -> (Option<&str>, &str) {
    match name.split_once("::") {
        Some((file, test)) if file.ends_with(".go") => (Some(file), test),
        _ => (None, name),
    }
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
    fn functions_that_go_runs_are_tests() {
        let text = "package x\n\nfunc TestGold(t *testing.T) {\n\tfunc TestInner() {}\n}\n\
                    func Testify(x int) {}\nfunc TestMain(m *testing.M) {}\n\
                    func Test(t *testing.T) {}\n";
        let found: Vec<String> = read("a_test.go", text)
            .iter()
            .map(|test| format!("{}:{}", test.id, test.line))
            .collect();
        assert_eq!(found, ["a_test.go::TestGold:3", "a_test.go::Test:8"]);
    }

    #[test]
    fn quoted_source_has_no_tests() {
        let text = "package x\n\nconst source = `\nfunc TestA(t *testing.T) {\n}\n`\n\n\
                    /*\nfunc TestB(t *testing.T) {\n}\n*/\n\
                    func TestC(t *testing.T) {\n\tf(`\n}\n`)\n\tt.Run(\"one\", f)\n}\n";
        let found: Vec<String> =
            with_subtests("a_test.go", text).into_iter().map(|test| test.id).collect();
        assert_eq!(found, ["a_test.go::TestC", "a_test.go::TestC/one"]);
    }

    #[test]
    fn benchmarks_and_examples_with_output_are_tests() {
        let text = "func BenchmarkA(b *testing.B) {}\n\
                    func Example() {\n\tf()\n\t// Unordered output:\n}\n\
                    func Example_b() {\n\tf() // Output: 1\n}\n\
                    func ExampleC() {\n\t//output: 1\n}\n\
                    func Examples() {}\n\
                    func Example_d() {\n}\n\n// Output: of nothing\n";
        let found: Vec<(String, TestKind)> = read("a_test.go", text)
            .iter()
            .map(|test| (test.names[0].clone(), TestKind::of(&test.names[0])))
            .collect();
        let want = [
            ("BenchmarkA", TestKind::Benchmark),
            ("Example", TestKind::Test),
            ("ExampleC", TestKind::Test),
        ];
        assert_eq!(found, want.map(|(name, kind)| (name.to_owned(), kind)));
    }

    #[test]
    fn subtests_follow_their_tests() {
        let text = "package x\n\nfunc TestA(t *testing.T) {\n\tt.Run(\"one\", f)\n}\n\
                    func TestB(t *testing.T) {\n}\n";
        let found: Vec<String> = with_subtests("a_test.go", text)
            .iter()
            .map(|test| format!("{}:{}", test.id, test.line))
            .collect();
        let want = ["a_test.go::TestA:3", "a_test.go::TestA/one:4", "a_test.go::TestB:6"];
        assert_eq!(found, want);
    }

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(literal("empty (nil) a.b"), r"empty \(nil\) a\.b");
    }

    #[test]
    fn a_name_has_a_file_or_none() {
        let test = read("cart/a_test.go", "func TestGold(t *testing.T) {}").swap_remove(0);
        for (name, expect) in [
            ("TestGold", Fit::End),
            ("TestGold/empty", Fit::End),
            ("cart/a_test.go::TestGold", Fit::Whole),
            ("a_test.go::TestGold/empty", Fit::End),
            ("b/a_test.go::TestGold", Fit::None),
            ("TestGold/::1", Fit::End),
            ("cart/a_test.go::TestGold/a::b", Fit::Whole),
            ("TestGol", Fit::None),
        ] {
            assert_eq!(fit(name, &test), expect, "{name}");
        }
    }

    #[test]
    fn programs_have_a_main_that_is_built() {
        assert_eq!(main("package main\n\nfunc main() {\n}\n"), Some(3));
        for constraint in ["//go:build ignore", "// +build ignore"] {
            let text = format!("{constraint}\n\npackage main\n\nfunc main() {{\n}}\n");
            assert_eq!(main(&text), None, "{constraint}");
        }
        assert_eq!(main("package cart\n\nfunc main() {\n}\n"), None);
        assert_eq!(main("package main // import \"x\"\n\nfunc main() {\n}\n"), Some(3));
        assert_eq!(main("package main_test\n\nfunc main() {\n}\n"), None);
        let quoted = "package main\n\nvar a = `\nfunc main() {\n}\n`\n\nfunc main() {\n}\n";
        assert_eq!(main(quoted), Some(8));
    }
}
