//! What the end of a run of tests means in which none ran: there is no such test, or it is skipped.
//! Pure.

use dapdock_plugin::schema::Ending;
use dapdock_plugin::test_names::{self, Test};

use crate::flags::Runner;

/// Which tests were asked for.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    Test(&'a Test),
    /// As the runner's option has them: an expression for names.
    Filter(&'a str),
}

/// How a line of source says that a test is not run.
const SKIPS: [&str; 6] = [".skip", ".todo", "skip:", "todo:", ".runIf(", ".failing("];

/// How a runner says at its very end that no suite failed and no test ran.
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

/// mocha alone counts what it skips apart from what was not asked for.
const MOCHA_SKIPPED: &str = r"^  0 passing \(\w+\)\n  \d+ pending\s*\z";

/// Node's loader awaits what a module throws at its top level, which V8 does not take for uncaught
/// (`ModuleJob.run` in `node:internal/modules/esm/module_job`).
pub fn of_module() -> Ending {
    let outermost = r"(ModuleJob\.run \(node:internal|file:///.+:\d+:\d+( \{|\n\nNode\.js v))";
    Ending {
        output: format!(r"^file:///.+:\d+\n(?s:.*)\n    at {outermost}"),
        means: "no stop where a module threw this at its top level, which Node.js takes for caught: debug_breakpoints \
                {\"exceptions\": [\"all\"]} before it runs again stops there"
            .to_owned(),
        unseen: true,
        ..Ending::default()
    }
}

/// What says why a run failed before the program or a test began: npm, the shell it runs scripts
/// in, the runners, and what compiles TypeScript (esbuild's messages, which tsx prints). What only
/// a program prints is none of it: it stands at the very end, or in what they put around it.
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
    (r"^ Exception during run: (.+)$", "mocha could not begin: {1}"),
    (
        r"^No test files found, exiting with code 1$(?:\s+^\w+: .*$)*\s*\z",
        "no test was run: vitest found no file of tests that the command names",
    ),
    (
        r"^(?:.*[/\\])?([^/\s:]+\.[mc]?[jt]sx?:\d+:\d+): ERROR: (.+)\n    at failureErrorWithLog ",
        "{1}: {2}",
    ),
    (
        r"^  ● Test suite failed to run$(?s:.*?)^    (?:\w*Error: )?([^\n]+\.[mc]?[jt]sx?: [^\n]+ \(\d+:\d+\))$",
        "a suite of jest could not be read: {1}",
    ),
    (r"^  ● Test suite failed to run\n+ {4}(\S[^\n]*)$", "a suite of jest could not be run: {1}"),
    (
        concat!(
            r"^Error(?: \[ERR_MODULE_NOT_FOUND\])?: (Cannot find (?:module|package) .+?)(?: imported from .*)?\n",
            r"(?:(?:Require stack:|- .*|  .*|\}|)\n)*Node\.js v[\d.]+\s*\z",
        ),
        "{1}",
    ),
];

/// `all` tests there are; `text` is that of a file.
pub fn of(
    runner: Runner,
    wanted: Wanted,
    all: &[Test],
    text: impl Fn(&str) -> String,
) -> Vec<Ending> {
    let meant = match wanted {
        Wanted::Test(test) => Some(vec![test]),
        Wanted::Filter(filter) => meant(runner, filter, all),
    };
    let ids = || all.iter().filter(|test| !test.group).map(|test| test.id.as_str());
    let skipped = meant.iter().flatten().find_map(|test| skip(test, all, &text));
    let first = meant.iter().flatten().next();
    let ending = |output: &str, means: String| Ending {
        output: output.to_owned(),
        means,
        ..Ending::default()
    };
    let unsaid = match (wanted, skipped, first) {
        (_, Some(means), _) => ending(none(runner), means),
        (Wanted::Test(test), ..) => {
            let means =
                format!("{} did not run: it is skipped, or has another name when it runs", test.id);
            ending(none(runner), means)
        }
        (Wanted::Filter(_), _, Some(test)) => {
            let means = format!(
                "no test was run: {} is skipped, or the command leaves its file out",
                test.id
            );
            ending(none(runner), means)
        }
        (Wanted::Filter(filter), ..) => {
            let mut none = test_names::unmatched(filter, none(runner), ids());
            if meant.is_none() {
                let those = format!(
                    "no test was run: `{filter}` matches none, or those that it does are skipped"
                );
                none.means = none.means.replacen(
                    &format!("no test was run that `{filter}` matches"),
                    &those,
                    1,
                );
            }
            none
        }
    };
    match (runner, wanted) {
        (Runner::Mocha, Wanted::Filter(filter)) => {
            let every = || format!("every test that `{filter}` matches is skipped");
            let means = meant
                .iter()
                .flatten()
                .find_map(|test| skip(test, all, &text))
                .unwrap_or_else(every);
            vec![test_names::unmatched(filter, none(runner), ids()), ending(MOCHA_SKIPPED, means)]
        }
        (Runner::Mocha, Wanted::Test(_)) => {
            vec![ending(MOCHA_SKIPPED, unsaid.means.clone()), unsaid]
        }
        _ => vec![unsaid],
    }
}

/// Where the source says that a test, or one that it stands in, is skipped.
fn skip(test: &Test, all: &[Test], text: impl Fn(&str) -> String) -> Option<String> {
    let source = text(&test.file);
    let around = |other: &&Test| other.file == test.file && test.names.starts_with(&other.names);
    let code = |other: &Test| {
        source.lines().nth(other.line as usize - 1).unwrap_or_default().trim().to_owned()
    };
    let said = |code: &String| SKIPS.iter().any(|word| code.contains(word));
    let place = |other: &Test| {
        Some(code(other)).filter(said).map(|code| format!("{}:{} `{code}`", other.file, other.line))
    };
    let place = all.iter().filter(around).find_map(place)?;
    Some(format!("{} is skipped: {place}", test.id))
}

/// The tests whose names a filter matches; none: it is an expression that only the runner reads.
fn meant<'a>(runner: Runner, filter: &str, all: &'a [Test]) -> Option<Vec<&'a Test>> {
    // jest ignores case (@jest/core, `testNamePattern`), mocha and vitest do not.
    let folded =
        |text: &str| if runner == Runner::Jest { text.to_lowercase() } else { text.to_owned() };
    let filter = folded(filter);
    let (begin, rest) =
        filter.strip_prefix('^').map_or((false, filter.as_str()), |rest| (true, rest));
    let (end, rest) = rest.strip_suffix('$').map_or((false, rest), |rest| (true, rest));
    let wanted = characters(rest)?;
    let fits = |name: &str| {
        let name: Vec<char> = folded(name).chars().collect();
        let at = |from: usize| {
            let part = name.get(from..from + wanted.len());
            part.is_some_and(|part| {
                part.iter().zip(&wanted).all(|(one, other)| other.is_none_or(|other| *one == other))
            })
        };
        let last = name.len().saturating_sub(wanted.len());
        let from = if end { last } else { 0 };
        let to = if begin { 0 } else { last };
        (from..=to).any(at)
    };
    // Node's own runner names a test alone before version 22.
    let alone =
        |test: &Test| runner == Runner::Node && test.names.last().is_some_and(|name| fits(name));
    let is_meant = |test: &&Test| !test.group && (fits(&test.names.join(" ")) || alone(test));
    Some(all.iter().filter(is_meant).collect())
}

/// What an expression without repetitions and choices is made of; none in its place: any character.
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

    const TEXT: &str = "describe(\"price\", () => {\n  it(\"of gold\", () => {});\n  it.skip(\"of tin\", () => {});\n});\n\
                        describe.skip(\"tax\", () => {\n  it(\"of all\", () => {});\n});\n";

    #[track_caller]
    fn check(runner: Runner, filter: &str, expect: &[&str]) {
        let all = sources::read("a.test.js", TEXT);
        let told = of(runner, Wanted::Filter(filter), &all, |_| TEXT.to_owned());
        assert_eq!(
            told.iter().map(|ending| ending.means.as_str()).collect::<Vec<_>>(),
            expect,
            "{filter}"
        );
    }

    #[test]
    fn what_is_skipped_is_there() {
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
            &[
                "no test was run: a.test.js::price > of gold is skipped, or the command leaves its file out",
            ],
        );
        let there = "there are a.test.js::price > of gold, a.test.js::price > of tin, a.test.js::tax > of all";
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
                "no test was run: `golf|tin` matches none, or those that it does are skipped; {}: {}",
                "there are a.test.js::price > of gold, a.test.js::price > of tin, a.test.js::tax > of all",
                call
            )],
        );
    }

    #[test]
    fn a_filter_is_an_expression_or_is_not_read() {
        let all = sources::read("a.test.js", TEXT);
        let names = |runner, filter: &str| meant(runner, filter, &all).map(|tests| tests.len());
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
            assert_eq!(names(runner, filter), expect, "{filter}");
        }
    }

    #[test]
    fn a_test_by_its_name_is_told_without_others() {
        let all = sources::read("a.test.js", TEXT);
        let told = |runner| of(runner, Wanted::Test(&all[1]), &all, |_| TEXT.to_owned());
        let means = "a.test.js::price > of gold did not run: it is skipped, or has another name when it runs";
        assert!(
            told(Runner::Node)
                .iter()
                .chain(&told(Runner::Mocha))
                .all(|ending| ending.means == means)
        );
        assert_eq!(told(Runner::Mocha).len(), 2);
    }
}
