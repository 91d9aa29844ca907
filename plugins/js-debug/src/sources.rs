//! Finds tests in a source file, with the names that node's own runner, jest, mocha and vitest give
//! them. Pure: reads calls of `test`, `it` and `describe` with a string, and the indentation for
//! their nesting.

use dapdock_plugin::test_names::{Fit, Test};

use crate::flags::Runner;

/// Functions that define a test (`.only`, `.each(…)` and the like may follow).
const TESTS: [&str; 3] = ["test", "it", "specify"];
/// Functions that define a suite.
const SUITES: [&str; 3] = ["describe", "suite", "context"];

/// Modules with these functions, and their runners.
const MODULES: [(&str, Runner); 4] = [
    ("node:test", Runner::Node),
    ("@jest/globals", Runner::Jest),
    ("vitest", Runner::Vitest),
    ("mocha", Runner::Mocha),
];

/// Whether runners look for tests in the file.
pub fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let script = matches!(extension, "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx");
    let marked = [".test", ".spec", "-test", "_test"].iter().any(|end| stem.ends_with(end))
        || stem == "test";
    let placed = ["test/", "tests/", "__tests__/"]
        .iter()
        .any(|dir| path.contains(&format!("/{dir}")) || path.starts_with(dir));
    script && !name.ends_with(".d.ts") && (marked || placed)
}

/// Whether the file is TypeScript.
pub fn is_typed(path: &str) -> bool {
    [".ts", ".mts", ".cts", ".tsx"].iter().any(|end| path.ends_with(end))
}

/// The tests of a file, with subtests; `id` is `FILE::SUITE > NAME`.
pub fn read(path: &str, text: &str) -> Vec<Test> {
    let (mut tests, mut open): (Vec<Test>, Vec<(usize, String, bool)>) = (Vec::new(), Vec::new());
    let mut table = None;
    for (line, at) in text.lines().zip(1..) {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if let Some(group) = begins_table(code) {
            table = Some((indent, group));
            continue;
        }
        let row = table.take_if(|(outer, _)| *outer >= indent && !code.is_empty());
        let named = row.and_then(|(_, group)| Some((after_table(code)?, group)));
        // Code at the indentation of a test follows after it. In a suite, lines of a multi-line
        // string may have that indentation.
        open.retain(|(outer, _, group)| code.is_empty() || *group || *outer < indent);
        let Some((name, group)) = named.or_else(|| call(code)) else { continue };
        open.retain(|(outer, ..)| *outer < indent);
        let names: Vec<String> =
            open.iter().map(|(_, name, _)| name.clone()).chain([name.clone()]).collect();
        let id = format!("{path}::{}", names.join(" > "));
        tests.push(Test { file: path.to_owned(), line: at, names, group, id });
        open.push((indent, name, group));
    }
    tests
}

/// The name in `test("name", …`, `it.only('name', …`, `await t.test(…`, and whether it is a suite.
fn call(code: &str) -> Option<(String, bool)> {
    let code = code.strip_prefix("await ").unwrap_or(code);
    let code = code.strip_prefix("t.").unwrap_or(code);
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let (word, rest) = code.split_at(end);
    let group = SUITES.contains(&word);
    if !group && !TESTS.contains(&word) {
        return None;
    }
    let (modifiers, arguments) = rest.split_once('(')?;
    let plain =
        modifiers.is_empty() || (modifiers.starts_with('.') && !modifiers.contains([' ', '=']));
    // `.each(TABLE)(NAME, …)`, `.for(TABLE)(NAME, …)`
    let arguments = if [".each", ".for"].iter().any(|end| modifiers.ends_with(end)) {
        arguments.split_once(")(")?.1
    } else {
        arguments
    };
    if !plain {
        return None;
    }
    Some((text(arguments.trim_start())?, group))
}

/// Whether a table of several lines begins here, `test.each([`, and whether it is that of a suite.
fn begins_table(code: &str) -> Option<bool> {
    let code = code.trim_end();
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let (word, rest) = code.split_at(end);
    let group = SUITES.contains(&word);
    let (modifiers, table) = rest.split_once(".each").or_else(|| rest.split_once(".for"))?;
    let begins = ["(", "([", "`"].contains(&table.trim_start());
    (begins && !modifiers.contains(['(', ' ']) && (group || TESTS.contains(&word))).then_some(group)
}

/// The name behind the end of a table: `])('name', …`.
fn after_table(code: &str) -> Option<String> {
    let rest = code.trim_start_matches(['`', ']', ')', ' ']);
    text(rest.strip_prefix('(')?.trim_start())
}

/// Whether the file imports or declares a function such as `test`; then it is not a global of a
/// runner.
pub fn binds_tests(text: &str) -> bool {
    text.lines().any(line_binds_tests)
}

fn line_binds_tests(line: &str) -> bool {
    let mut words =
        line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return false };
    ["import", "const", "let", "var", "function"].contains(&first)
        && words.take_while(|word| *word != "require").any(defines_tests)
}

/// Whether this is the name of a function that defines a test or a suite.
fn defines_tests(word: &str) -> bool {
    TESTS.contains(&word) || SUITES.contains(&word)
}

/// The runner of a file, from its imports.
pub fn runner(text: &str) -> Option<Runner> {
    MODULES
        .iter()
        .find(|(module, runner)| imports(text, module, *runner))
        .map(|(_, runner)| *runner)
}

/// Whether the file has `import … from "MODULE"` or `require("MODULE")`. An import of mocks alone
/// from node's module says nothing about the runner.
fn imports(text: &str, module: &str, runner: Runner) -> bool {
    text.match_indices(module).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + module.len()..]);
        let Some(quote) = before.chars().next_back().filter(|c| "'\"`".contains(*c)) else {
            return false;
        };
        let before = before[..before.len() - 1].trim_end();
        let is_import =
            ["from", "import", "require(", "import("].iter().any(|end| before.ends_with(end));
        let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
        let is_comment = ["//", "*", "/*"].iter().any(|begin| line.starts_with(begin));
        after.starts_with(quote)
            && is_import
            && !is_comment
            && (runner != Runner::Node || imports_tests(before))
    })
}

/// Whether the import at the end of this text has a function that defines tests. One without `{…}`
/// has all.
fn imports_tests(before: &str) -> bool {
    let begins =
        ["import ", "const ", "let ", "var "].iter().filter_map(|word| before.rfind(word)).max();
    let names = &before[begins.unwrap_or(0)..];
    !names.contains('{')
        || names.split(|c: char| !c.is_alphanumeric() && c != '_').any(defines_tests)
}

/// The text of a string literal.
fn text(code: &str) -> Option<String> {
    let mut characters = code.chars();
    let quote = characters.next().filter(|c| "'\"`".contains(*c))?;
    let (mut text, mut escaped) = (String::new(), false);
    for character in characters {
        match character {
            _ if escaped => {
                text.push(character);
                escaped = false;
            }
            '\\' => escaped = true,
            _ if character == quote => return Some(text),
            _ => text.push(character),
        }
    }
    None
}

/// How a caller's name fits: whole, or an end of it; ` > ` or a space between the names.
pub fn fit(name: &str, test: &Test) -> Fit {
    let (file, names) = match name.rsplit_once("::") {
        Some((file, names)) => (Some(file), names),
        None => (None, name),
    };
    let in_file =
        file.is_none_or(|file| test.file == file || test.file.ends_with(&format!("/{file}")));
    let whole_file = file.is_some_and(|file| test.file == file);
    let words: Vec<&str> = names.split(" > ").map(str::trim).collect();
    let test_words: Vec<&str> = test.names.iter().map(String::as_str).collect();
    let joined = test.names.join(" ") == names;
    let fit = if joined { Fit::Whole } else { Fit::of(&words, &test_words) };
    match file {
        _ if !in_file => Fit::None,
        Some(_) if !whole_file => fit.min(Fit::End),
        _ => fit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"const { test, describe, it } = require("node:test");
test("tax of a pen", () => {
  const test = 1;
});
describe('Cart', () => {
  it.only('is the user\'s', async () => {});
  describe(`gold`, function () {
    it("takes off", () => {});
  });
  test.each([1, 2])("of %i", (n) => {});
});
test(named, () => {});
// test("not this", …
  testing("nor this");
test.skip("total", () => {});
test("outer", async (t) => {
  await t.test("inner", async (t) => {
    await t.test("deep", () => {});
  });
});
if (home) {
  it("has a home", () => {});
}
describe.each([
  ['a', 1],
])('table %s', (name) => {
  it.only.each`
    size
    ${1}
  `("of $size", () => {});
  it.for(rows)('row', () => {});
});
test.each([
  [1],
]).skip(named, () => {});
"#;

    #[test]
    fn tests_are_named_with_their_suites() {
        let text = |test: &Test| format!("{}:{} {}", test.id, test.line, test.group);
        assert_eq!(
            read("a.test.js", TEXT).iter().map(text).collect::<Vec<_>>(),
            [
                "a.test.js::tax of a pen:2 false",
                "a.test.js::Cart:5 true",
                "a.test.js::Cart > is the user's:6 false",
                "a.test.js::Cart > gold:7 true",
                "a.test.js::Cart > gold > takes off:8 false",
                "a.test.js::Cart > of %i:10 false",
                "a.test.js::total:15 false",
                "a.test.js::outer:16 false",
                "a.test.js::outer > inner:17 false",
                "a.test.js::outer > inner > deep:18 false",
                "a.test.js::has a home:22 false",
                "a.test.js::table %s:26 true",
                "a.test.js::table %s > of $size:30 false",
                "a.test.js::table %s > row:31 false",
            ]
        );
    }

    #[test]
    fn a_name_fits_with_its_suites_or_alone() {
        let test = read("src/a.test.js", TEXT).swap_remove(4);
        for (name, expect) in [
            ("src/a.test.js::Cart > gold > takes off", Fit::Whole),
            ("a.test.js::takes off", Fit::End),
            ("b.test.js::takes off", Fit::None),
            ("Cart gold takes off", Fit::Whole),
            ("gold > takes off", Fit::End),
            ("takes off", Fit::End),
            ("takes", Fit::None),
        ] {
            assert_eq!(fit(name, &test), expect, "{name}");
        }
    }

    #[test]
    fn imports_determine_the_runner() {
        for (text, expect) in [
            ("const { test } = require(\"node:test\");", Some(Runner::Node)),
            ("import {\n  mock,\n  it,\n} from 'node:test';", Some(Runner::Node)),
            ("const test = require('node:test');", Some(Runner::Node)),
            ("import test, { mock } from \"node:test\";", Some(Runner::Node)),
            ("const { it } = await import(\"node:test\");", Some(Runner::Node)),
            ("const { test } = require(\"./x\");\nconst { mock } = require(\"node:test\");", None),
            ("import { it, jest } from \"@jest/globals\";", Some(Runner::Jest)),
            ("import { vi } from 'vitest';", Some(Runner::Vitest)),
            ("import \"mocha\";", Some(Runner::Mocha)),
            ("import { defineConfig } from \"vitest/config\";", None),
            ("// import test from \"node:test\";\nconst name = \"vitest\";", None),
        ] {
            assert_eq!(runner(text), expect, "{text}");
        }
    }

    #[test]
    fn test_files_are_recognized_by_name_or_directory() {
        for (path, expect) in [
            ("a.test.js", true),
            ("src/a.spec.ts", true),
            ("test/a.js", true),
            ("src/__tests__/a.tsx", true),
            ("src/a.js", false),
            ("a.test.json", false),
            ("latest/a.js", false),
        ] {
            assert_eq!(is_test_file(path), expect, "{path}");
        }
    }
}
