//! Which tests, benchmarks and fuzz tests an order means: what of a listing fits, and the call that
//! runs another. Runs nothing.

use dapdock_plugin::prelude::*;

use crate::target::Order;

/// Names that an error lists.
const NEAR: usize = 6;

/// What a test binary can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Tests, examples, and fuzz tests with what they are given.
    Test,
    Benchmark,
    /// A fuzz test with what is made up for it.
    Fuzz,
}

impl Sort {
    /// What runs the one of that name.
    pub fn of(name: &str) -> Self {
        if name.starts_with("Benchmark") { Self::Benchmark } else { Self::Test }
    }

    /// Does its option mean the one of that name?
    fn means(self, name: &str) -> bool {
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

    /// The options that run those of a pattern and nothing else.
    fn options(self, pattern: &str) -> Vec<String> {
        let words: &[&str] = match self {
            Self::Test => &["-run", pattern],
            Self::Benchmark => &["-run", "^$", "-bench", pattern],
            Self::Fuzz => &["-run", "^$", "-fuzz", pattern],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }
}

/// What a list is asked for: all, so that near names can be told, unless only a regular expression
/// finds it.
pub fn asked(pattern: &str) -> String {
    if plain(pattern).is_some() { ".".into() } else { first(pattern).to_owned() }
}

/// Of a test and those that it makes, the first.
pub fn first(pattern: &str) -> &str {
    pattern.split('/').next().unwrap_or(pattern)
}

/// The name in `^TestX$/sub`, if it is no regular expression, which this does not read.
fn plain(pattern: &str) -> Option<&str> {
    let name = first(pattern).trim_start_matches('^').trim_end_matches('$');
    name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
}

/// Does the pattern choose this one of a list that [`asked`] had made?
fn fits(pattern: &str, name: &str) -> bool {
    let first = first(pattern);
    match (plain(pattern), first.starts_with('^'), first.ends_with('$')) {
        (None, ..) => true,
        (Some(wanted), true, true) => name == wanted,
        (Some(wanted), true, false) => name.starts_with(wanted),
        (Some(wanted), false, true) => name.ends_with(wanted),
        (Some(wanted), false, false) => name.contains(wanted),
    }
}

/// The one package that has what is wanted. `go test -list` prints names, then `ok PACKAGE TIME`.
pub fn package(order: &Order, listing: &str) -> Result<String, Error> {
    let (sort, pattern) = order.wanted().unwrap_or((Sort::Test, ""));
    let (mut found, mut all, mut own) = (Vec::new(), Vec::new(), Vec::<&str>::new());
    for line in listing.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("ok"), Some(package)) => {
                found
                    .extend(own.iter().any(|name| fits(pattern, name)).then(|| package.to_owned()));
                all.append(&mut own);
            }
            (Some(name), None) if sort.means(name) => own.push(name),
            _ => {}
        }
    }
    match &found[..] {
        [] => Err(missing(order, all)),
        [one] => Ok(one.clone()),
        _ => {
            let what =
                format!("{} packages have a {} that matches `{pattern}`", found.len(), sort.noun());
            Err(ambiguous(order, &what, &found, &sort.options(pattern)))
        }
    }
}

/// The directory of the one package with tests, of all that have any, one a line.
pub fn tested(order: &Order, directories: &str) -> Result<String, Error> {
    let found: Vec<&str> = directories.lines().filter(|line| !line.is_empty()).collect();
    match &found[..] {
        [] => Err(Error::target_missing(format!(
            "no package of `{}` has tests",
            order.packages.join(" ")
        ))),
        [one] => Ok((*one).to_owned()),
        _ => {
            let packages: Vec<String> =
                found.iter().map(|found| below(&order.directory, found)).collect();
            let what =
                format!("{} packages of `{}` have tests", found.len(), order.packages.join(" "));
            Err(ambiguous(order, &what, &packages, &[]))
        }
    }
}

/// A directory as `go` takes it where it runs.
pub fn below(here: &str, directory: &str) -> String {
    match directory.strip_prefix(here.trim_end_matches('/')) {
        Some("") => ".".to_owned(),
        Some(rest) if rest.starts_with('/') => format!(".{rest}"),
        _ => directory.to_owned(),
    }
}

/// Has the test binary what is wanted? `all` is what it lists, `meant` what of it the pattern
/// chooses.
pub fn has(order: &Order, all: &str, meant: &str) -> Result<(), Error> {
    let sort = order.wanted().map_or(Sort::Test, |(sort, _)| sort);
    let named = |line: &&str| !line.trim().is_empty() && sort.means(line);
    match meant.lines().any(|line| named(&line)) {
        true => Ok(()),
        false => Err(missing(order, all.lines().filter(named).collect())),
    }
}

/// Nothing is there that is wanted: what is like it.
fn missing(order: &Order, mut names: Vec<&str>) -> Error {
    let (sort, pattern) = order.wanted().unwrap_or((Sort::Test, ""));
    let packages = order.packages.join(" ");
    let what = order.moved.as_deref().unwrap_or(&packages);
    names.sort_by_key(|name| std::cmp::Reverse(alike(name, pattern)));
    names.truncate(NEAR);
    let there =
        if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) };
    let refused =
        Error::target_missing(format!("no {} in {what} matches `{pattern}`{there}", sort.noun()));
    match names.first() {
        Some(nearest) => {
            refused.hint(call(order, &order.packages, &sort.options(&format!("^{nearest}$"))))
        }
        None => refused,
    }
}

/// Several packages could be meant, and one test binary is debugged.
fn ambiguous(order: &Order, what: &str, packages: &[String], options: &[String]) -> Error {
    let more = packages.len().saturating_sub(NEAR);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed = packages[..packages.len().min(NEAR)].join(", ");
    let refused = Error::target_ambiguous(format!("{what}: {listed}{more}"));
    refused.hint(call(order, &packages[..packages.len().min(1)], options))
}

/// The call that has this of these packages run, built as the order says.
fn call(order: &Order, packages: &[String], options: &[String]) -> String {
    let moved = order.moved.iter().flat_map(|directory| ["-C".to_owned(), directory.clone()]);
    let words = ["go", "test"].into_iter().map(str::to_owned).chain(moved);
    let words = words.chain([&order.flags, packages, options].into_iter().flatten().cloned());
    let command: Vec<String> = words.map(quoted).collect();
    format!("debug_launch {{\"command\": {}}}", Value::from(command.join(" ")))
}

/// As a word of a command line.
fn quoted(word: String) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,^@+%".contains(c);
    match word.trim_end_matches('$').chars().all(plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// How many letters both begin with, or one is within the other.
fn alike(name: &str, wanted: &str) -> usize {
    let wanted = wanted.trim_start_matches('^').trim_end_matches('$').to_lowercase();
    let name = name.to_lowercase();
    let within = if name.contains(&wanted) || wanted.contains(&name) { 100 } else { 0 };
    within + name.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(run: &str) -> Order {
        Order {
            tests: true,
            packages: vec!["./...".into()],
            run: Some(run.into()),
            ..Order::default()
        }
    }

    fn said<T>(told: Result<T, Error>) -> Result<T, String> {
        told.map_err(|error| format!("{} ({})", error.message, error.hint.unwrap_or_default()))
    }

    #[test]
    fn the_package_with_the_test_is_found_in_the_listing() {
        let listing = "TestX\nok  \tm/a\t0.004s\nok  \tm/b\t0.003s\n?   \tm/c\t[no test files]\n";
        assert_eq!(said(package(&order("X"), listing)), Ok("m/a".into()));
        let both = "TestX\nok  \tm/a\t0.004s\nTestX2\nok  \tm/b\t(cached)\n";
        let want = "2 packages have a test that matches `X`: m/a, m/b \
                    (debug_launch {\"command\": \"go test m/a -run X\"})";
        assert_eq!(said(package(&order("X"), both)), Err(want.into()));
        assert_eq!(
            said(package(&order("Y"), "ok  \tm/a\t0.004s\n")),
            Err("no test in ./... matches `Y` ()".into())
        );
    }

    #[test]
    fn the_packages_with_tests_are_told_as_go_takes_them_here() {
        let order = Order { directory: "/w/m/".into(), ..order("") };
        assert_eq!(said(tested(&order, "/w/m/a\n\n")), Ok("/w/m/a".into()));
        assert_eq!(said(tested(&order, "\n")), Err("no package of `./...` has tests ()".into()));
        let want = "3 packages of `./...` have tests: ., ./a b, /w/mm (debug_launch {\"command\": \"go test .\"})";
        assert_eq!(said(tested(&order, "/w/m\n/w/m/a b\n/w/mm\n")), Err(want.into()));
    }

    #[test]
    fn a_benchmark_is_looked_for_among_benchmarks() {
        let listing = "TestX\nok  \tm/a\t0.004s\nBenchmarkX\nok  \tm/b\t(cached)\n";
        let wanted = |bench: &str| Order { bench: Some(bench.into()), ..order("^$") };
        assert_eq!(said(package(&wanted("X"), listing)), Ok("m/b".into()));
        let want = "no benchmark in ./... matches `Y`; there are BenchmarkX \
                    (debug_launch {\"command\": \"go test ./... -run ^$ -bench ^BenchmarkX$\"})";
        assert_eq!(said(package(&wanted("Y"), listing)), Err(want.into()));
    }

    #[test]
    fn a_test_that_is_not_there_is_told_with_those_like_it() {
        let listing = "TestTotal\nTestTaxOfAPen\nBenchmarkTax\n";
        assert_eq!(said(has(&order("Test.*Pen"), listing, "TestTaxOfAPen\n")), Ok(()));
        let want = "no test in ./... matches `^TestTaxes$`; there are TestTaxOfAPen, TestTotal \
                    (debug_launch {\"command\": \"go test ./... -run ^TestTaxOfAPen$\"})";
        assert_eq!(said(has(&order("^TestTaxes$"), listing, "BenchmarkTaxes\n")), Err(want.into()));
    }

    #[test]
    fn the_call_is_built_and_quoted_as_the_order_says() {
        let words = ["-tags", "a b", "-race"].map(str::to_owned).to_vec();
        let order = Order { flags: words, moved: Some("it's".into()), ..order("Y") };
        let want = r#"debug_launch {"command": "go test -C 'it'\\''s' -tags 'a b' -race ./... -run '(A|B)$'"}"#;
        assert_eq!(call(&order, &order.packages, &Sort::Test.options("(A|B)$")), want);
    }
}
