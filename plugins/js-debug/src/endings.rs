//! The meanings of known ends of a run: the program could not start, or no test ran because it does
//! not exist or is skipped. Pure.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::Ending;
use dapdock_plugin::test_names::{self, Test};

use crate::flags::Runner;

/// The requested tests.
#[derive(Clone, Copy)]
pub enum Selection<'a> {
    Test(&'a Test),
    /// The value of the runner's option: an expression for names.
    Filter(&'a str),
}

/// Marks of a skipped test in its source line.
const SKIPS: [&str; 6] = [".skip", ".todo", "skip:", "todo:", ".runIf(", ".failing("];

/// The end of a runner's output when no suite failed and no test ran.
fn none(runner: Runner) -> &'static str {
    match runner {
        Runner::Node => concat!(
            r"^(#|ℹ) pass 0\n(#|ℹ) fail 0\n(#|ℹ) cancelled 0\n(#|ℹ) skipped \d+\n",
            r"(#|ℹ) todo 0\n(#|ℹ) duration_ms [\d.]+\s*\z"
        ),
        Runner::Jest => concat!(
            r"^Test Suites: (\d+ (skipped|passed), )*(\d+ of )?\d+ total\n",
            r"Tests: +(\d+ (skipped|todo), )+\d+ total\nSnapshots: .*\nTime: "
        ),
        Runner::Mocha => r"^  0 passing \(\w+\)\s*\z",
        Runner::Vitest => concat!(
            r"^ +Test Files  (\d+ (skipped|passed)( \| )?)+ \(\d+\)\n",
            r" +Tests  (\d+ (skipped|todo)( \| )?)+ \(\d+\)\n +Start at "
        ),
    }
}

/// Only mocha counts skipped tests separately from tests that were not selected.
const MOCHA_SKIPPED: &str = r"^  0 passing \(\w+\)\n  \d+ pending\s*\z";

/// A module threw at its top level. Node's loader awaits the module, so V8 treats the exception as
/// caught (`ModuleJob.run` in `node:internal/modules/esm/module_job`).
pub fn of_module() -> Ending {
    let outermost = r"(ModuleJob\.run \(node:internal|file:///.+:\d+:\d+( \{|\n\nNode\.js v))";
    Ending {
        output: format!(r"^file:///.+:\d+\n(?s:.*)\n    at {outermost}"),
        means: "no stop: a module threw this at its top level, which Node.js treats as caught; \
                debug_breakpoints {\"exceptions\": [\"all\"]} before the next run stops there"
            .to_owned(),
        unseen: true,
        ..Ending::default()
    }
}

/// The beginning of a runner's report about a failed test, which has the stack of its error.
/// Stacks before it are of errors that the test handled and printed.
fn report(runner: Runner) -> &'static str {
    match runner {
        Runner::Node => "^✖ failing tests:$",
        Runner::Jest => "^  ● ",
        Runner::Mocha => r"^  \d+ failing$",
        Runner::Vitest => "^ FAIL  ",
    }
}

/// A test failed, and nothing stopped: its runner catches what an `await` throws, as an assertion
/// about a promise does. The next launch stops at the first line of the test's file in the stack of
/// the last report.
pub fn of_failed(runner: Runner, test: &Test, cwd: Option<&str>) -> Ending {
    let file = &test.file;
    let cwd = cwd.map(|cwd| format!(", \"cwd\": {}", literal(cwd))).unwrap_or_default();
    let launch = format!(
        "{{\"test\": {}, \"breakpoints\": [{}]{cwd}}}",
        literal(&test.id),
        json!(format!("{file}:{{1}}"))
    );
    Ending {
        output: format!(
            r"(?s:.*){}(?s:.*?)^\s*(?:at|❯) (?:.*[ (/])?{}:(\d+):\d+\)?$",
            report(runner),
            escaped(file)
        ),
        means: format!("the test failed at {file}:{{1}}: debug_launch {launch}"),
        failed: true,
        unseen: true,
    }
}

/// A text in JSON in which no group of an ending is filled in.
fn literal(text: &str) -> String {
    json!(text).to_string().replace("{1}", r"\u007b1}")
}

/// A regular expression for a text.
fn escaped(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        if !c.is_alphanumeric() && c.is_ascii() && c != '/' {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// Messages with which a run fails before the program or a test starts: of npm, of the shell in
/// which npm runs scripts, of the runners, and of TypeScript compilers (esbuild's messages, which
/// tsx prints). The same words printed by a program do not match: each pattern requires the end of
/// the output, or the text around the message.
pub const FAILURES: [(&str, &str); 10] = [
    (r"^npm (?:ERR!|error) (Missing script: .+)$(?:\s^npm .*$)*\s*\z", "{1} in package.json"),
    (
        r"^sh: (?:line )?(?:\d+: )?(\S+?): (?:command )?not found$(?:\s^npm .*$)*\s*\z",
        "{1} is not installed here: `npm install`",
    ),
    (
        r"^No tests found, exiting with code 1\nRun with `--passWithNoTests`",
        "no test was run: jest found no file of tests that the command names",
    ),
    (r"^Error: No test files found: (.+)$\s*\z", "no test was run: mocha found no file {1}"),
    (r"^ Exception during run: (.+)$", "mocha could not start: {1}"),
    (
        r"^No test files found, exiting with code 1$(?:\s+^\w+: .*$)*\s*\z",
        "no test was run: vitest found no file of tests that the command names",
    ),
    (
        r"^(?:.*[/\\])?([^/\s:]+\.[mc]?[jt]sx?:\d+:\d+): ERROR: (.+)\n    at failureErrorWithLog ",
        "{1}: {2}",
    ),
    (
        concat!(
            r"^  ● Test suite failed to run$(?s:.*?)^    (?:\w*Error: )?",
            r"([^\n]+\.[mc]?[jt]sx?: [^\n]+ \(\d+:\d+\))$",
        ),
        "jest could not read a suite: {1}",
    ),
    (r"^  ● Test suite failed to run\n+ {4}(\S[^\n]*)$", "jest could not run a suite: {1}"),
    (
        concat!(
            r"^Error(?: \[ERR_MODULE_NOT_FOUND\])?: (Cannot find (?:module|package) .+?)",
            r"(?: imported from .*)?\n",
            r"(?:(?:Require stack:|- .*|  .*|\}|)\n)*Node\.js v[\d.]+\s*\z",
        ),
        "{1}",
    ),
];

/// The ends of a run without a test. `all`: the tests of the workspace; `text`: reads a file.
pub fn of(
    runner: Runner,
    selection: Selection,
    all: &[Test],
    text: impl Fn(&str) -> String,
) -> Vec<Ending> {
    let matching = match selection {
        Selection::Test(test) => Some(vec![test]),
        Selection::Filter(filter) => matching(runner, filter, all),
    };
    let skipped = matching.iter().flatten().find_map(|test| skip(test, all, &text));
    let ids = all.iter().filter(|test| !test.group).map(|test| test.id.as_str());
    match selection {
        Selection::Test(test) => {
            let means = skipped.unwrap_or_else(|| {
                format!("{} did not run: it is skipped, or has another name when it runs", test.id)
            });
            if runner == Runner::Mocha {
                return vec![ending(MOCHA_SKIPPED, means.clone()), ending(none(runner), means)];
            }
            vec![ending(none(runner), means)]
        }
        Selection::Filter(filter) if runner == Runner::Mocha => {
            let means =
                skipped.unwrap_or_else(|| format!("every test that `{filter}` matches is skipped"));
            vec![test_names::unmatched(filter, none(runner), ids), ending(MOCHA_SKIPPED, means)]
        }
        Selection::Filter(filter) => {
            if let Some(means) = skipped {
                return vec![ending(none(runner), means)];
            }
            if let Some(test) = matching.iter().flatten().next() {
                let means = format!(
                    "no test was run: {} is skipped, or the command excludes its file",
                    test.id
                );
                return vec![ending(none(runner), means)];
            }
            let mut unmatched = test_names::unmatched(filter, none(runner), ids);
            if matching.is_none() {
                unmatched.means = unmatched.means.replacen(
                    &format!("no test was run that `{filter}` matches"),
                    &format!("no test was run: `{filter}` matches none or only skipped tests"),
                    1,
                );
            }
            vec![unmatched]
        }
    }
}

fn ending(output: &str, means: String) -> Ending {
    Ending { output: output.to_owned(), means, ..Ending::default() }
}

/// The reason why a test is skipped: the source line that skips it, or a suite around it.
fn skip(test: &Test, all: &[Test], text: impl Fn(&str) -> String) -> Option<String> {
    let source = text(&test.file);
    for other in all {
        if other.file != test.file || !test.names.starts_with(&other.names) {
            continue;
        }
        let code = source.lines().nth(other.line as usize - 1).unwrap_or_default().trim();
        if SKIPS.iter().any(|word| code.contains(word)) {
            return Some(format!("{} is skipped: {}:{} `{code}`", test.id, other.file, other.line));
        }
    }
    None
}

/// A filter without repetitions and choices.
struct Pattern {
    from_start: bool,
    to_end: bool,
    /// None stands for any character.
    characters: Vec<Option<char>>,
    ignores_case: bool,
}

impl Pattern {
    fn read(runner: Runner, filter: &str) -> Option<Self> {
        // jest ignores case (@jest/core, `testNamePattern`), mocha and vitest do not.
        let ignores_case = runner == Runner::Jest;
        let filter = if ignores_case { filter.to_lowercase() } else { filter.to_owned() };
        let rest = filter.strip_prefix('^').unwrap_or(&filter);
        let expression = rest.strip_suffix('$').unwrap_or(rest);
        Some(Self {
            from_start: filter.starts_with('^'),
            to_end: rest.ends_with('$'),
            characters: characters(expression)?,
            ignores_case,
        })
    }

    fn matches(&self, name: &str) -> bool {
        let name = if self.ignores_case { name.to_lowercase() } else { name.to_owned() };
        let name: Vec<char> = name.chars().collect();
        let last = name.len().saturating_sub(self.characters.len());
        let from = if self.to_end { last } else { 0 };
        let to = if self.from_start { 0 } else { last };
        (from..=to).any(|start| self.matches_at(&name, start))
    }

    fn matches_at(&self, name: &[char], start: usize) -> bool {
        let Some(part) = name.get(start..start + self.characters.len()) else { return false };
        part.iter().zip(&self.characters).all(|(c, wanted)| wanted.is_none_or(|one| *c == one))
    }
}

/// The tests whose names a filter matches; none if only the runner can read the filter.
fn matching<'a>(runner: Runner, filter: &str, all: &'a [Test]) -> Option<Vec<&'a Test>> {
    let pattern = Pattern::read(runner, filter)?;
    let mut matching = Vec::new();
    for test in all.iter().filter(|test| !test.group) {
        // Before version 22 Node's own runner matches the last name alone.
        let last = test.names.last().filter(|_| runner == Runner::Node);
        if pattern.matches(&test.names.join(" ")) || last.is_some_and(|one| pattern.matches(one)) {
            matching.push(test);
        }
    }
    Some(matching)
}

/// The characters of an expression without repetitions and choices; `None` is any character.
fn characters(expression: &str) -> Option<Vec<Option<char>>> {
    let (mut all, mut rest) = (Vec::new(), expression.chars());
    while let Some(character) = rest.next() {
        all.push(match character {
            '\\' => Some(rest.next().filter(|escaped| !escaped.is_alphanumeric())?),
            '.' => None,
            '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '^' | '$' | '/' => {
                return None;
            }
            plain => Some(plain),
        });
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources;

    const TEXT: &str = r#"describe("price", () => {
  it("of gold", () => {});
  it.skip("of tin", () => {});
});
describe.skip("tax", () => {
  it("of all", () => {});
});
"#;

    #[track_caller]
    fn check(runner: Runner, filter: &str, expect: &[&str]) {
        let all = sources::read("a.test.js", TEXT);
        let endings = of(runner, Selection::Filter(filter), &all, |_| TEXT.to_owned());
        let means: Vec<&str> = endings.iter().map(|ending| ending.means.as_str()).collect();
        assert_eq!(means, expect, "{filter}");
    }

    #[test]
    fn skipped_tests_are_named_with_their_source() {
        check(
            Runner::Jest,
            "OF TIN",
            &["a.test.js::price > of tin is skipped: a.test.js:3 `it.skip(\"of tin\", () => {});`"],
        );
        check(
            Runner::Vitest,
            "^tax",
            &["a.test.js::tax > of all is skipped: a.test.js:5 `describe.skip(\"tax\", () => {`"],
        );
        check(
            Runner::Node,
            "of gold",
            &["no test was run: a.test.js::price > of gold is skipped, \
               or the command excludes its file"],
        );
        let there = "there are a.test.js::price > of gold, a.test.js::price > of tin, \
                     a.test.js::tax > of all";
        let call = r#"debug_launch {"test": "a.test.js::price > of gold"}"#;
        check(
            Runner::Jest,
            "^of golf$",
            &[&format!("no test was run that `^of golf$` matches; {there}: {call}")],
        );
        check(
            Runner::Jest,
            "golf|tin",
            &[&format!(
                "no test was run: `golf|tin` matches none or only skipped tests; {there}: {call}"
            )],
        );
    }

    #[test]
    fn a_failed_test_is_launched_again_with_a_breakpoint() {
        let test = &sources::read("src/a.test.js", TEXT)[1];
        let ending = of_failed(Runner::Mocha, test, Some("/w"));
        assert_eq!(
            ending.means,
            "the test failed at src/a.test.js:{1}: debug_launch {\"test\": \
             \"src/a.test.js::price > of gold\", \"breakpoints\": [\"src/a.test.js:{1}\"], \
             \"cwd\": \"/w\"}"
        );
        assert_eq!(
            ending.output,
            concat!(
                r"(?s:.*)^  \d+ failing$(?s:.*?)",
                r"^\s*(?:at|❯) (?:.*[ (/])?src/a\.test\.js:(\d+):\d+\)?$",
            )
        );
        let text = r#"test("of {1} \"gold\"", () => {});"#;
        let test = &sources::read("a\"b.test.js", text)[0];
        let means = of_failed(Runner::Node, test, None).means;
        let (_, launch) = means.split_once("debug_launch ").unwrap();
        let call: Value = serde_json::from_str(&launch.replace("{1}", "7")).unwrap();
        assert_eq!(call["breakpoints"][0], "a\"b.test.js:7");
        assert_eq!(call["test"], test.id.as_str());
    }

    #[test]
    fn simple_filters_are_matched() {
        let all = sources::read("a.test.js", TEXT);
        let count = |runner, filter: &str| matching(runner, filter, &all).map(|tests| tests.len());
        for (runner, filter, expect) in [
            (Runner::Jest, "of", Some(3)),
            (Runner::Jest, "^of gold$", Some(0)),
            (Runner::Node, "^of gold$", Some(1)),
            (Runner::Mocha, "^price of g.ld$", Some(1)),
            (Runner::Mocha, "Price", Some(0)),
            (Runner::Jest, "Price", Some(2)),
            (Runner::Vitest, "gold.*", None),
            (Runner::Node, "/gold/i", None),
        ] {
            assert_eq!(count(runner, filter), expect, "{filter}");
        }
    }

    #[test]
    fn a_test_by_its_name_is_described_alone() {
        let all = sources::read("a.test.js", TEXT);
        let endings = |runner| of(runner, Selection::Test(&all[1]), &all, |_| TEXT.to_owned());
        let means = "a.test.js::price > of gold did not run: \
                     it is skipped, or has another name when it runs";
        for ending in [endings(Runner::Node), endings(Runner::Mocha)].concat() {
            assert_eq!(ending.means, means);
        }
        assert_eq!(endings(Runner::Mocha).len(), 2);
    }
}
