//! Tests by name: selects one, suggests similar names, and filters lists. Knows no language; a
//! plugin finds the tests.

use crate::adapter::{Error, Target, TargetKind, TargetQuery};
use crate::schema::Ending;

/// Most names that an error lists.
const NEAR: usize = 6;

/// A test in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Path relative to the root.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Its name, after those of the enclosing items: `["TestCart", "test_total"]`.
    pub names: Vec<String>,
    /// It stands for several tests: a class, a suite.
    pub group: bool,
    /// The value of `test` in a launch.
    pub id: String,
}

/// How a name matches a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It does not match.
    None,
    /// It matches the end of the test's name.
    End,
    /// It matches the whole name.
    Whole,
}

impl Fit {
    /// Compares the parts of a name with those of a test.
    pub fn of<T: PartialEq>(name: &[T], test: &[T]) -> Self {
        match name {
            [] => Self::None,
            _ if name == test => Self::Whole,
            _ if test.ends_with(name) => Self::End,
            _ => Self::None,
        }
    }
}

impl From<Test> for Target {
    fn from(test: Test) -> Self {
        let kind = if test.group { TargetKind::TestGroup } else { TargetKind::Test };
        let (file, line) = (Some(test.file), Some(test.line));
        Self { label: test.id.clone(), id: test.id, kind, file, line, needs_build: false }
    }
}

/// The one test that the name means. Tests below the caller's directory, relative to the root, take
/// precedence, then a whole name over an end, then a test over a group.
///
/// # Errors
///
/// If none matches, with similar names, of the directory if it has tests; if several do, with
/// theirs.
pub fn choose<'a>(
    name: &str,
    all: &'a [Test],
    directory: Option<&str>,
    fit: impl Fn(&Test) -> Fit,
) -> Result<&'a Test, Error> {
    let start = directory.map(|directory| format!("{directory}/"));
    let is_below = |test: &Test| start.as_ref().is_some_and(|start| test.file.starts_with(start));
    let rank = |test: &Test| (is_below(test), fit(test), !test.group);
    let best = all.iter().map(rank).filter(|(_, fit, _)| *fit != Fit::None).max();
    let fitting: Vec<&Test> = all.iter().filter(|test| Some(rank(test)) == best).collect();
    match fitting.as_slice() {
        [one] => Ok(one),
        [] => {
            let any_below = all.iter().any(is_below);
            let near = |test: &&Test| !test.group && (is_below(test) || !any_below);
            Err(missing(name, all.iter().filter(near).map(|test| test.id.as_str())))
        }
        several => Err(ambiguous(name, several.iter().map(|test| test.id.clone()).collect())),
    }
}

/// The error for a name that no test has, with the most similar names.
pub fn missing<'a>(name: &str, tests: impl IntoIterator<Item = &'a str>) -> Error {
    let similar = similar(name, tests);
    let others = others(&similar);
    let missing = Error::target_missing(format!("no test is named {name}{others}"));
    match similar.first() {
        Some(nearest) => {
            let call = serde_json::json!({"test": nearest});
            missing.hint(format!("debug_launch {}", call.to_string().replacen(':', ": ", 1)))
        }
        None => missing,
    }
}

/// The ending of a test runner that `filter` leaves without tests, recognised by `output`, with the
/// most similar names.
pub fn unmatched<'a>(
    filter: &str,
    output: &str,
    tests: impl IntoIterator<Item = &'a str>,
) -> Ending {
    let similar = similar(filter, tests);
    let mut means = format!("no test was run that `{filter}` matches{}", others(&similar));
    if let Some(test) = similar.first() {
        means += &format!(r#": debug_launch {{"test": {}}}"#, serde_json::json!(test));
    }
    Ending { output: output.to_owned(), means, ..Ending::default() }
}

fn others(names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) }
}

/// Endings for the last lines of a failed run: regular expressions with their meanings.
pub fn failures<'a>(
    table: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> impl Iterator<Item = Ending> {
    table.into_iter().map(|(output, means)| Ending {
        output: output.into(),
        means: means.into(),
        failed: true,
        ..Ending::default()
    })
}

/// The error for a name that several tests have.
pub fn ambiguous(name: &str, mut ids: Vec<String>) -> Error {
    ids.sort();
    let count = ids.len();
    let more = if count > NEAR { format!(" and {} more", count - NEAR) } else { String::new() };
    ids.truncate(NEAR);
    let hint = format!("name one: {}{more}", ids.join(", "));
    Error::target_ambiguous(format!("{count} tests are named {name}")).hint(hint)
}

/// A few names, the most similar first: by the number of common pairs of letters.
pub fn similar<'a>(name: &str, tests: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = last(name);
    let mut names: Vec<&str> = tests.into_iter().collect();
    names.sort_by_key(|test| std::cmp::Reverse(similarity(&wanted, &last(test))));
    names.truncate(NEAR);
    names
}

/// The number of pairs of letters in `wanted` that `test` has, too; 100 more if one contains the
/// other.
fn similarity(wanted: &str, test: &str) -> usize {
    let mut points = if test.contains(wanted) || wanted.contains(test) { 100 } else { 0 };
    for pair in wanted.as_bytes().windows(2) {
        if test.as_bytes().windows(2).any(|own| own == pair) {
            points += 1;
        }
    }
    points
}

/// The name without the enclosing items.
fn last(name: &str) -> String {
    let name = name.rsplit("::").next().unwrap_or(name);
    name.rsplit(" > ").next().unwrap_or(name).to_lowercase()
}

/// The targets that match the query.
pub fn listed(targets: impl IntoIterator<Item = Target>, query: &TargetQuery) -> Vec<Target> {
    let part = query.filter.as_deref().map(plain).unwrap_or_default();
    let mut listed = Vec::new();
    for target in targets {
        if listed.len() == query.limit as usize {
            break;
        }
        let is_kind = query.kinds.is_empty() || query.kinds.contains(&target.kind);
        let is_in_file = query.file.is_none() || query.file == target.file;
        let texts = [&target.id, &target.label];
        if is_kind && is_in_file && texts.iter().any(|text| plain(text).contains(&part)) {
            listed.push(target);
        }
    }
    listed
}

/// In lower case, with one space for anything between words: `Cart.total` matches `cart::total`.
fn plain(text: &str) -> String {
    let words =
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file is the first part of the id.
    fn test(id: &str, group: bool) -> Test {
        let names = id.split("::").skip(1).map(str::to_owned).collect();
        Test { file: id.split("::").next().unwrap().into(), line: 3, names, group, id: id.into() }
    }

    #[track_caller]
    fn check(name: &str, expect: &str) {
        check_below(name, None, expect);
    }

    #[track_caller]
    fn check_below(name: &str, directory: Option<&str>, expect: &str) {
        let ids =
            ["a::Cart::total", "b::Cart::total", "b::Cart::tax", "b::total", "b::Order::empty"];
        let mut all: Vec<Test> = ids.iter().map(|id| test(id, false)).collect();
        all.extend([test("b::Order", true), test("c::empty", true)]);
        let fit = |test: &Test| {
            Fit::of(&name.split("::").collect::<Vec<_>>(), &test.id.split("::").collect::<Vec<_>>())
        };
        let result = match choose(name, &all, directory, fit) {
            Ok(test) => test.id.clone(),
            Err(error) => format!("{} ({})", error.message, error.hint.unwrap_or_default()),
        };
        assert_eq!(result, expect, "{name}");
    }

    #[test]
    fn name_selects_one_test_or_the_error_lists_others() {
        check("b::Cart::total", "b::Cart::total");
        check("tax", "b::Cart::tax");
        check("Order", "b::Order");
        check("empty", "b::Order::empty");
        check(
            "Cart::total",
            "2 tests are named Cart::total (name one: a::Cart::total, b::Cart::total)",
        );
        check(
            "taxx",
            "no test is named taxx; there are b::Cart::tax, a::Cart::total, b::Cart::total, \
            b::total, b::Order::empty \
             (debug_launch {\"test\": \"b::Cart::tax\"})",
        );
    }

    #[test]
    fn tests_of_the_callers_directory_take_precedence() {
        let tests = ["x/a::total", "y/a::total", "y/a::tax", "z::other"];
        let all: Vec<Test> = tests.iter().map(|id| test(id, false)).collect();
        let choose = |name: &str, directory| {
            let fit = |test: &Test| Fit::of(&[name], &[test.id.rsplit("::").next().unwrap()]);
            match choose(name, &all, directory, fit) {
                Ok(test) => test.id.clone(),
                Err(error) => error.message,
            }
        };
        assert_eq!(choose("total", Some("y")), "y/a::total");
        assert_eq!(choose("total", None), "2 tests are named total");
        // Not below it, but the only one.
        assert_eq!(choose("other", Some("y")), "z::other");
        let missing = |tests: &str| format!("no test is named golf; there are {tests}");
        assert_eq!(choose("golf", Some("y")), missing("y/a::total, y/a::tax"));
        assert_eq!(choose("golf", Some("none")), missing(&tests.join(", ")));
        assert_eq!(choose("golf", None), missing(&tests.join(", ")));
    }

    #[test]
    fn ending_without_tests_lists_names_similar_to_the_filter() {
        let meaning =
            |tests: &[&'static str]| unmatched("golf", "^0 tests$", tests.iter().copied()).means;
        assert_eq!(
            meaning(&["a::silver", "a::gold"]),
            "no test was run that `golf` matches; there are a::gold, a::silver: debug_launch \
            {\"test\": \"a::gold\"}"
        );
        assert_eq!(meaning(&[]), "no test was run that `golf` matches");
        let typo = unmatched("totl", "", ["a::gold", "a::taxes", "a::sub_total"]).means;
        assert!(typo.contains("there are a::sub_total, a::"), "{typo}");
    }

    #[test]
    fn query_filters_targets() {
        let query = |filter: &str, kinds: &[TargetKind]| TargetQuery {
            filter: Some(filter.into()),
            kinds: kinds.to_vec(),
            file: None,
            limit: 2,
        };
        let ids = |query| {
            let all = ["a::one", "a::ONE", "b::one"].map(|id| test(id, false).into());
            listed(all, &query).into_iter().map(|target: Target| target.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(query("One", &[])), ["a::one", "a::ONE"]);
        assert_eq!(ids(query("b.one", &[TargetKind::Test])), ["b::one"]);
        assert!(ids(query("", &[TargetKind::Program])).is_empty());
    }
}
