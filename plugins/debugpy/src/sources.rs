//! Finds tests and programs in a source file, with the names that pytest and unittest give them.
//! Pure: reads indentation, names and base classes, and runs nothing.

use dapdock_plugin::test_names::{Fit, Test};

/// The programs and tests of a source file.
#[derive(Debug, Default, PartialEq)]
pub struct Source {
    /// The line of `if __name__ == "__main__"`.
    pub main: Option<u32>,
    /// Each test, and whether unittest runs it.
    pub tests: Vec<(Test, bool)>,
}

/// A block around the current line.
struct Block {
    indent: usize,
    /// None for a function: runners do not see what is defined in it.
    class: Option<Class>,
}

#[derive(Clone)]
struct Class {
    name: String,
    unittest: bool,
}

/// Whether pytest looks for tests in the file.
pub fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.ends_with(".py") && (name.starts_with("test") || name.ends_with("_test.py"))
}

/// Reads a file. Functions and plain classes are tests only in files where pytest looks for them; a
/// `TestCase` is one in every file.
pub fn read(path: &str, text: &str) -> Source {
    let mut source = Source::default();
    let (mut open, mut quote): (Vec<Block>, Option<&str>) = (Vec::new(), None);
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let inside = quote.is_some();
        quote = quoted(line, quote);
        let code = line.trim_start();
        // A line that begins with a closing bracket continues a statement and ends no block.
        if inside || code.is_empty() || code.starts_with(['#', ')', ']', '}']) {
            continue;
        }
        let (indent, at) = (line.len() - code.len(), index as u32 + 1);
        while open.last().is_some_and(|block| block.indent >= indent) {
            open.pop();
        }
        if indent == 0 && code.starts_with("if __name__ ==") && code.contains("__main__") {
            source.main = Some(at);
        }
        if let Some(class) = class(code, &lines[index..]) {
            source.tests.extend(test(path, at, &open, Name::Class(&class)));
            open.push(Block { indent, class: Some(class) });
        } else if let Some(name) = function(code) {
            source.tests.extend(test(path, at, &open, Name::Function(name)));
            open.push(Block { indent, class: None });
        }
    }
    // A class without tests is not a test.
    let names: Vec<Vec<String>> = source.tests.iter().map(|(test, _)| test.names.clone()).collect();
    source.tests.retain(|(test, _)| !test.group || has_members(test, &names));
    source
}

/// Whether one of these tests is in the class.
fn has_members(class: &Test, names: &[Vec<String>]) -> bool {
    names.iter().any(|other| other.len() > class.names.len() && other.starts_with(&class.names))
}

enum Name<'a> {
    Class(&'a Class),
    Function(&'a str),
}

/// The test, if it is one by the default settings of pytest (`python_classes`,
/// `python_functions`) or of unittest (`testMethodPrefix`).
fn test(path: &str, line: u32, open: &[Block], name: Name) -> Option<(Test, bool)> {
    let around: Option<Vec<&Class>> = open.iter().map(|block| block.class.as_ref()).collect();
    let around = around?;
    let (name, group, own) = match name {
        Name::Class(class) => (class.name.as_str(), true, Some(class)),
        Name::Function(name) => (name, false, around.last().copied()),
    };
    let unittest = own.is_some_and(|class| class.unittest);
    let collected = around.iter().all(|class| class.name.starts_with("Test")) && is_test_file(path);
    let named = if group { name.starts_with("Test") } else { name.starts_with("test") };
    let is_test = if unittest { group || named } else { collected && named };
    let mut names: Vec<String> = around.iter().map(|class| class.name.clone()).collect();
    names.push(name.to_owned());
    let id = format!("{path}::{}", names.join("::"));
    is_test.then(|| (Test { file: path.to_owned(), line, names, group, id }, unittest))
}

/// `class Name(bases):`, which may have several lines.
fn class(code: &str, lines: &[&str]) -> Option<Class> {
    let rest = code.strip_prefix("class ")?;
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut head = String::new();
    for line in lines.iter().take(8) {
        head.push_str(line);
        if !head.contains('(') || head.contains(')') {
            break;
        }
    }
    let bases =
        head.split_once('(').map_or("", |(_, bases)| bases.split(')').next().unwrap_or_default());
    let unittest = bases.split(',').any(|base| base.trim().ends_with("TestCase"));
    (!name.is_empty()).then_some(Class { name, unittest })
}

fn function(code: &str) -> Option<&str> {
    let rest = code.strip_prefix("async ").unwrap_or(code).strip_prefix("def ")?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    Some(&rest[..end])
}

/// The triple quote that is open after the line.
fn quoted<'a>(line: &str, open: Option<&'a str>) -> Option<&'a str> {
    let (mut open, mut rest) = (open, line);
    loop {
        match open {
            Some(quote) => match rest.split_once(quote) {
                Some((_, after)) => (open, rest) = (None, after),
                None => return open,
            },
            None => {
                let first = ["\"\"\"", "'''"]
                    .into_iter()
                    .filter_map(|quote| Some((rest.find(quote)?, quote)))
                    .min();
                match first.filter(|(at, _)| !rest[..*at].contains('#')) {
                    Some((at, quote)) => (open, rest) = (Some(quote), &rest[at + 3..]),
                    None => return None,
                }
            }
        }
    }
}

/// How a caller's name fits: `tests/test_x.py::TestCart::test_gold`, or an end of it, also with
/// dots between the names.
pub fn fit(name: &str, test: &Test) -> Fit {
    Fit::of(&words(name), &words(&test.id))
}

/// Whether a caller's name is that of the test with this id, or an end of it.
pub fn is_named(name: &str, id: &str) -> bool {
    Fit::of(&words(name), &words(id)) != Fit::None
}

/// Splits the name of a test into the name and the parameters in brackets.
pub fn parameters(name: &str) -> (&str, &str) {
    name.find('[').map_or((name, ""), |at| name.split_at(at))
}

fn words(name: &str) -> Vec<String> {
    let name = name.replace(".py::", "::").replace("::", ".").replace('/', ".");
    name.split('.').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"'''def test_not_this():
    pass
'''
import unittest


def helper(): ...


def test_one():
    def test_inner():
        pass


class TestCart:
    limit = 3

    async def test_total(self): ...

    class TestGold:
        def test_off(self): ...


class Cart(
    Base, unittest.TestCase
):
    def setUp(self): ...
    def test_tax(self): ...


class TestEmpty:
    pass


if __name__ == "__main__":
    unittest.main()
"#;

    fn tests_in(path: &str) -> Vec<String> {
        let tests = read(path, TEXT).tests;
        tests
            .iter()
            .map(|(test, unittest)| format!("{}:{} {} {unittest}", test.id, test.line, test.group))
            .collect()
    }

    #[test]
    fn tests_of_both_runners_are_found() {
        assert_eq!(
            tests_in("a/test_x.py"),
            [
                "a/test_x.py::test_one:10 false false",
                "a/test_x.py::TestCart:15 true false",
                "a/test_x.py::TestCart::test_total:18 false false",
                "a/test_x.py::TestCart::TestGold:20 true false",
                "a/test_x.py::TestCart::TestGold::test_off:21 false false",
                "a/test_x.py::Cart:24 true true",
                "a/test_x.py::Cart::test_tax:28 false true",
            ]
        );
        assert_eq!(
            tests_in("x.py"),
            ["x.py::Cart:24 true true", "x.py::Cart::test_tax:28 false true"]
        );
        assert_eq!(read("x.py", TEXT).main, Some(35));
    }

    #[test]
    fn a_name_has_colons_or_dots() {
        let (test, _) = read("a/test_x.py", TEXT).tests.swap_remove(2);
        for (name, expect) in [
            ("a/test_x.py::TestCart::test_total", Fit::Whole),
            ("a.test_x.TestCart.test_total", Fit::Whole),
            ("test_x.py::TestCart::test_total", Fit::End),
            ("TestCart.test_total", Fit::End),
            ("test_total", Fit::End),
            ("total", Fit::None),
            ("TestCart", Fit::None),
            ("", Fit::None),
        ] {
            assert_eq!(fit(name, &test), expect, "{name}");
        }
        assert_eq!(parameters("test_a[1-b::c]"), ("test_a", "[1-b::c]"));
    }
}
