//! Selects the package and checks the tests that a `go test` command names, from listings of `go`
//! and of the test binary. Runs nothing.

use dapdock_golang::test_kinds::{TestKind, matches};
use dapdock_plugin::prelude::*;
use dapdock_plugin::test_names;

use crate::target::GoBuild;

/// One of the packages that a command tests in turn.
#[derive(Debug, PartialEq)]
pub struct Chosen {
    /// Its import path, or its directory.
    pub package: String,
    /// Its number, from 1, and how many there are; none for the only one.
    pub position: Option<(usize, usize)>,
}

/// The package after those that have run.
fn in_turn(packages: &[String], skipped: usize) -> Result<Chosen, Error> {
    let count = packages.len();
    let Some(package) = packages.get(skipped) else {
        return Err(Error::target_missing(format!("the tests of all {count} packages have run")));
    };
    let position = Some((skipped + 1, count)).filter(|_| count > 1);
    Ok(Chosen { package: package.clone(), position })
}

/// The next package with a match. `go test -list` prints names, then `ok PACKAGE TIME`.
pub fn package(spec: &GoBuild, listing: &str, skipped: usize) -> Result<Chosen, Error> {
    let (kind, pattern) = spec.requested().unwrap_or((TestKind::Test, ""));
    let (mut found, mut all, mut names) = (Vec::new(), Vec::new(), Vec::<&str>::new());
    for line in listing.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("ok"), Some(package)) => {
                if names.iter().any(|name| matches(pattern, name)) {
                    found.push(package.to_owned());
                }
                all.append(&mut names);
            }
            (Some(name), None) if kind.includes(name) => names.push(name),
            _ => {}
        }
    }
    if found.is_empty() { Err(missing(spec, all)) } else { in_turn(&found, skipped) }
}

/// The directory of the next package with tests; `directories` has a line for each such package.
pub fn tested(spec: &GoBuild, directories: &str, skipped: usize) -> Result<Chosen, Error> {
    let lines = directories.lines().filter(|line| !line.is_empty());
    let found: Vec<String> = lines.map(str::to_owned).collect();
    if found.is_empty() {
        let packages = spec.packages.join(" ");
        return Err(Error::target_missing(format!("no package of `{packages}` has tests")));
    }
    in_turn(&found, skipped)
}

/// Fails if the test binary has no match: `all` lists its functions, `matching` those that the
/// pattern matches.
pub fn check(spec: &GoBuild, all: &str, matching: &str) -> Result<(), Error> {
    let kind = spec.requested().map_or(TestKind::Test, |(kind, _)| kind);
    let is_name = |line: &&str| !line.trim().is_empty() && kind.includes(line);
    if matching.lines().any(|line| is_name(&line)) {
        return Ok(());
    }
    Err(missing(spec, all.lines().filter(is_name).collect()))
}

/// The error for a pattern without a match, with similar names.
fn missing(spec: &GoBuild, names: Vec<&str>) -> Error {
    let (kind, pattern) = spec.requested().unwrap_or((TestKind::Test, ""));
    let packages = spec.packages.join(" ");
    let what = spec.change_dir.as_deref().unwrap_or(&packages);
    let pattern_text = pattern.trim_start_matches('^').trim_end_matches('$');
    let names = test_names::similar(pattern_text, names);
    let mut message = format!("no {} in {what} matches `{pattern}`", kind.noun());
    if !names.is_empty() {
        message += &format!("; there are {}", names.join(", "));
    }
    let refused = Error::target_missing(message);
    match names.first() {
        Some(nearest) => {
            refused.hint(call(spec, &spec.packages, &kind.options(&format!("^{nearest}$"))))
        }
        None => refused,
    }
}

/// The `debug_launch` call for these packages, with the build's other options.
pub fn call(spec: &GoBuild, packages: &[String], options: &[String]) -> String {
    let mut words = vec!["go".to_owned(), "test".to_owned()];
    if let Some(directory) = &spec.change_dir {
        words.extend(["-C".to_owned(), directory.clone()]);
    }
    for part in [&spec.flags, packages, options] {
        words.extend_from_slice(part);
    }
    format!("debug_launch {{\"command\": {}}}", Value::from(line(&words)))
}

/// The words as a command line.
pub fn line(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().cloned().map(quoted).collect();
    quoted.join(" ")
}

/// Quotes a word for a command line, if it needs quotes.
fn quoted(word: String) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,^@+%".contains(c);
    if word.trim_end_matches('$').chars().all(is_plain) {
        return word;
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(run: &str) -> GoBuild {
        GoBuild {
            tests: true,
            packages: vec!["./...".into()],
            run: Some(run.into()),
            ..GoBuild::default()
        }
    }

    fn text<T>(result: Result<T, Error>) -> Result<T, String> {
        result.map_err(|error| format!("{} ({})", error.message, error.hint.unwrap_or_default()))
    }

    fn chosen(result: Result<Chosen, Error>) -> Result<String, String> {
        text(result).map(|chosen| match chosen.position {
            Some((number, count)) => format!("{} {number}/{count}", chosen.package),
            None => chosen.package,
        })
    }

    #[test]
    fn packages_with_the_test_are_found_in_the_listing() {
        let listing = "TestX\nok  \tm/a\t0.004s\nok  \tm/b\t0.003s\n?   \tm/c\t[no test files]\n";
        assert_eq!(chosen(package(&spec("X"), listing, 0)), Ok("m/a".into()));
        let both = "TestX\nok  \tm/a\t0.004s\nTestX2\nok  \tm/b\t(cached)\n";
        assert_eq!(chosen(package(&spec("X"), both, 0)), Ok("m/a 1/2".into()));
        assert_eq!(chosen(package(&spec("X"), both, 1)), Ok("m/b 2/2".into()));
        assert_eq!(
            chosen(package(&spec("X"), both, 2)),
            Err("the tests of all 2 packages have run ()".into())
        );
        assert_eq!(
            chosen(package(&spec("Y"), "ok  \tm/a\t0.004s\n", 0)),
            Err("no test in ./... matches `Y` ()".into())
        );
    }

    #[test]
    fn packages_with_tests_are_tested_in_turn() {
        let spec = spec("");
        assert_eq!(chosen(tested(&spec, "/w/m/a\n\n", 0)), Ok("/w/m/a".into()));
        let none = "no package of `./...` has tests ()";
        assert_eq!(chosen(tested(&spec, "\n", 0)), Err(none.into()));
        let three = "/w/m\n/w/m/a b\n/w/mm\n";
        assert_eq!(chosen(tested(&spec, three, 1)), Ok("/w/m/a b 2/3".into()));
    }

    #[test]
    fn benchmarks_match_only_benchmarks() {
        let listing = "TestX\nok  \tm/a\t0.004s\nBenchmarkX\nok  \tm/b\t(cached)\n";
        let benchmark = |bench: &str| GoBuild { bench: Some(bench.into()), ..spec("^$") };
        assert_eq!(chosen(package(&benchmark("X"), listing, 0)), Ok("m/b".into()));
        let want = "no benchmark in ./... matches `Y`; there are BenchmarkX \
                    (debug_launch {\"command\": \"go test ./... -run ^$ -bench ^BenchmarkX$\"})";
        assert_eq!(chosen(package(&benchmark("Y"), listing, 0)), Err(want.into()));
    }

    #[test]
    fn missing_test_is_reported_with_similar_names() {
        let listing = "TestTotal\nTestTaxOfAPen\nBenchmarkTax\n";
        assert_eq!(text(check(&spec("Test.*Pen"), listing, "TestTaxOfAPen\n")), Ok(()));
        let want = "no test in ./... matches `^TestTaxes$`; there are TestTaxOfAPen, TestTotal \
                    (debug_launch {\"command\": \"go test ./... -run ^TestTaxOfAPen$\"})";
        let result = check(&spec("^TestTaxes$"), listing, "BenchmarkTaxes\n");
        assert_eq!(text(result), Err(want.into()));
    }

    #[test]
    fn suggested_call_has_the_options_of_the_build() {
        let words = ["-tags", "a b", "-race"].map(str::to_owned).to_vec();
        let spec = GoBuild { flags: words, change_dir: Some("it's".into()), ..spec("Y") };
        let want = concat!(
            r#"debug_launch {"command": "go test -C 'it'\\''s' -tags 'a b' -race ./... "#,
            r#"-run '(A|B)$'"}"#,
        );
        assert_eq!(call(&spec, &spec.packages, &TestKind::Test.options("(A|B)$")), want);
    }
}
