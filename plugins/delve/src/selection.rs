//! Selects the package and checks the tests that a `go test` command names, from listings of `go`
//! and of the test binary. Runs nothing.

use dapdock_plugin::prelude::*;
use dapdock_plugin::test_names;

use crate::target::GoBuild;

/// How many names an error lists.
const LISTED: usize = 6;

/// What a test binary can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKind {
    /// Tests, examples, and fuzz tests with their seed corpus.
    Test,
    Benchmark,
    /// A fuzz test with generated input.
    Fuzz,
}

impl TestKind {
    /// The kind of a function.
    pub fn of(name: &str) -> Self {
        if name.starts_with("Benchmark") { Self::Benchmark } else { Self::Test }
    }

    /// Whether the options for this kind can run the function.
    fn includes(self, name: &str) -> bool {
        match self {
            Self::Test => !name.starts_with("Benchmark"),
            Self::Benchmark => name.starts_with("Benchmark"),
            Self::Fuzz => name.starts_with("Fuzz"),
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Benchmark => "benchmark",
            Self::Fuzz => "fuzz test",
        }
    }

    /// The options that run only the functions that match a pattern.
    pub fn options(self, pattern: &str) -> Vec<String> {
        let words: &[&str] = match self {
            Self::Test => &["-run", pattern],
            Self::Benchmark => &["-run", "^$", "-bench", pattern],
            Self::Fuzz => &["-run", "^$", "-fuzz", pattern],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }
}

/// The pattern for `-list`: all names, so that an error can list similar ones, unless the pattern
/// is a regular expression.
pub fn list_pattern(pattern: &str) -> String {
    if plain(pattern).is_some() { ".".into() } else { first(pattern).to_owned() }
}

/// The pattern of the top-level test, without those of subtests.
pub fn first(pattern: &str) -> &str {
    pattern.split('/').next().unwrap_or(pattern)
}

/// The name in `^TestX$/sub`; none for a regular expression.
pub fn plain(pattern: &str) -> Option<&str> {
    let name = first(pattern).trim_start_matches('^').trim_end_matches('$');
    name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
}

/// Whether the pattern matches a name in the list of [`list_pattern`].
fn matches(pattern: &str, name: &str) -> bool {
    let first = first(pattern);
    // The list for a regular expression has only names that match it.
    let Some(plain) = plain(pattern) else { return true };
    match (first.starts_with('^'), first.ends_with('$')) {
        (true, true) => name == plain,
        (true, false) => name.starts_with(plain),
        (false, true) => name.ends_with(plain),
        (false, false) => name.contains(plain),
    }
}

/// The only package with a match. `go test -list` prints names, then `ok PACKAGE TIME`.
pub fn package(spec: &GoBuild, listing: &str) -> Result<String, Error> {
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
    match &found[..] {
        [] => Err(missing(spec, all)),
        [one] => Ok(one.clone()),
        _ => {
            let what =
                format!("{} packages have a {} that matches `{pattern}`", found.len(), kind.noun());
            Err(ambiguous(spec, &what, &found, &kind.options(pattern)))
        }
    }
}

/// The directory of the only package with tests; `directories` has a line for each such package.
pub fn tested(spec: &GoBuild, directories: &str) -> Result<String, Error> {
    let found: Vec<&str> = directories.lines().filter(|line| !line.is_empty()).collect();
    match &found[..] {
        [] => Err(Error::target_missing(format!(
            "no package of `{}` has tests",
            spec.packages.join(" ")
        ))),
        [one] => Ok((*one).to_owned()),
        _ => {
            let packages: Vec<String> =
                found.iter().map(|found| relative(&spec.directory, found)).collect();
            let what =
                format!("{} packages of `{}` have tests", found.len(), spec.packages.join(" "));
            Err(ambiguous(spec, &what, &packages, &[]))
        }
    }
}

/// The path of a directory relative to the one where `go` runs.
pub fn relative(base: &str, directory: &str) -> String {
    match directory.strip_prefix(base.trim_end_matches('/')) {
        Some("") => ".".to_owned(),
        Some(rest) if rest.starts_with('/') => format!(".{rest}"),
        _ => directory.to_owned(),
    }
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

/// The error for several packages: only one test binary can be debugged.
fn ambiguous(spec: &GoBuild, what: &str, packages: &[String], options: &[String]) -> Error {
    let more = packages.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed = packages[..packages.len().min(LISTED)].join(", ");
    let refused = Error::target_ambiguous(format!("{what}: {listed}{more}"));
    refused.hint(call(spec, &packages[..packages.len().min(1)], options))
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

    #[test]
    fn the_package_with_the_test_is_found_in_the_listing() {
        let listing = "TestX\nok  \tm/a\t0.004s\nok  \tm/b\t0.003s\n?   \tm/c\t[no test files]\n";
        assert_eq!(text(package(&spec("X"), listing)), Ok("m/a".into()));
        let both = "TestX\nok  \tm/a\t0.004s\nTestX2\nok  \tm/b\t(cached)\n";
        let want = "2 packages have a test that matches `X`: m/a, m/b \
                    (debug_launch {\"command\": \"go test m/a -run X\"})";
        assert_eq!(text(package(&spec("X"), both)), Err(want.into()));
        assert_eq!(
            text(package(&spec("Y"), "ok  \tm/a\t0.004s\n")),
            Err("no test in ./... matches `Y` ()".into())
        );
    }

    #[test]
    fn packages_with_tests_are_named_by_relative_paths() {
        let spec = GoBuild { directory: "/w/m/".into(), ..spec("") };
        assert_eq!(text(tested(&spec, "/w/m/a\n\n")), Ok("/w/m/a".into()));
        assert_eq!(text(tested(&spec, "\n")), Err("no package of `./...` has tests ()".into()));
        let want = "3 packages of `./...` have tests: ., ./a b, /w/mm \
                    (debug_launch {\"command\": \"go test .\"})";
        assert_eq!(text(tested(&spec, "/w/m\n/w/m/a b\n/w/mm\n")), Err(want.into()));
    }

    #[test]
    fn benchmarks_match_only_benchmarks() {
        let listing = "TestX\nok  \tm/a\t0.004s\nBenchmarkX\nok  \tm/b\t(cached)\n";
        let benchmark = |bench: &str| GoBuild { bench: Some(bench.into()), ..spec("^$") };
        assert_eq!(text(package(&benchmark("X"), listing)), Ok("m/b".into()));
        let want = "no benchmark in ./... matches `Y`; there are BenchmarkX \
                    (debug_launch {\"command\": \"go test ./... -run ^$ -bench ^BenchmarkX$\"})";
        assert_eq!(text(package(&benchmark("Y"), listing)), Err(want.into()));
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
