//! Tests by their names: which one is meant, what is like it, and which are told. Knows no
//! language; a plugin finds the tests.

use crate::adapter::{Error, Target, TargetKind, TargetQuery};
use crate::schema::Ending;

/// Names that an error lists.
const NEAR: usize = 6;

/// A test that stands in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Relative to the root.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// Its name, those that it stands in before it: `["TestCart", "test_total"]`.
    pub names: Vec<String>,
    /// It is several tests: a class, a suite.
    pub group: bool,
    /// What `test` of a launch takes.
    pub id: String,
}

/// How a name fits a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It is another's.
    None,
    /// It is the end of its name.
    End,
    /// It is its whole name.
    Whole,
}

impl Fit {
    /// Of the words of a name and those of a test.
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

/// The one test that is meant. A whole name goes before an end, and a test before a group.
///
/// # Errors
///
/// Where none fits, with names like it; where several do, with theirs.
pub fn choose<'a>(
    name: &str,
    all: &'a [Test],
    fit: impl Fn(&Test) -> Fit,
) -> Result<&'a Test, Error> {
    let rank = |test: &Test| (fit(test), !test.group);
    let best = all.iter().map(rank).filter(|(fit, _)| *fit != Fit::None).max();
    let fitting: Vec<&Test> = all.iter().filter(|test| Some(rank(test)) == best).collect();
    match fitting.as_slice() {
        [one] => Ok(one),
        [] => {
            Err(missing(name, all.iter().filter(|test| !test.group).map(|test| test.id.as_str())))
        }
        several => Err(ambiguous(name, several.iter().map(|test| test.id.clone()).collect())),
    }
}

/// There is no test of that name among these: the names most like it.
pub fn missing<'a>(name: &str, tests: impl IntoIterator<Item = &'a str>) -> Error {
    let near = near(name, tests);
    let there =
        if near.is_empty() { String::new() } else { format!("; there are {}", near.join(", ")) };
    let missing = Error::target_missing(format!("no test is named {name}{there}"));
    match near.first() {
        Some(nearest) => {
            let call = serde_json::json!({"test": nearest});
            missing.hint(format!("debug_launch {}", call.to_string().replacen(':', ": ", 1)))
        }
        None => missing,
    }
}

/// What a command's end means that had a runner choose tests by `filter`, where the runner says by
/// `output` that it ran none: the names most like it.
pub fn unmatched<'a>(
    filter: &str,
    output: &str,
    tests: impl IntoIterator<Item = &'a str>,
) -> Ending {
    let near = near(filter, tests);
    let call = |test: &&str| format!(r#": debug_launch {{"test": {}}}"#, serde_json::json!(test));
    let there =
        if near.is_empty() { String::new() } else { format!("; there are {}", near.join(", ")) };
    let call = near.first().map(call).unwrap_or_default();
    let means = format!("no test was run that `{filter}` matches{there}{call}");
    Ending { output: output.to_owned(), means, ..Ending::default() }
}

/// What a failed run means by its words: expressions for them, with sentences.
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

/// Several tests have that name.
pub fn ambiguous(name: &str, mut ids: Vec<String>) -> Error {
    ids.sort();
    let count = ids.len();
    let more = if count > NEAR { format!(" and {} more", count - NEAR) } else { String::new() };
    ids.truncate(NEAR);
    let hint = format!("name one: {}{more}", ids.join(", "));
    Error::target_ambiguous(format!("{count} tests are named {name}")).hint(hint)
}

/// A few names, the most alike first: by what one has of the other's pairs of letters.
fn near<'a>(name: &str, tests: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = last(name);
    let alike = |test: &str| {
        let test = last(test);
        let within = if test.contains(&wanted) || wanted.contains(&test) { 100 } else { 0 };
        let has = |pair: &&[u8]| test.as_bytes().windows(2).any(|own| own == *pair);
        within + wanted.as_bytes().windows(2).filter(has).count()
    };
    let mut names: Vec<&str> = tests.into_iter().collect();
    names.sort_by_key(|test| std::cmp::Reverse(alike(test)));
    names.truncate(NEAR);
    names
}

/// The name without what it stands in.
fn last(name: &str) -> String {
    let name = name.rsplit("::").next().unwrap_or(name);
    name.rsplit(" > ").next().unwrap_or(name).to_lowercase()
}

/// Those of the targets that are asked for.
pub fn listed(targets: impl IntoIterator<Item = Target>, query: &TargetQuery) -> Vec<Target> {
    let part = query.filter.as_deref().map(plain).unwrap_or_default();
    let named = |target: &Target| {
        [&target.id, &target.label].iter().any(|text| plain(text).contains(&part))
    };
    let kind = |target: &Target| query.kinds.is_empty() || query.kinds.contains(&target.kind);
    let file = |target: &Target| query.file.is_none() || query.file == target.file;
    let asked = |target: &Target| kind(target) && file(target) && named(target);
    targets.into_iter().filter(asked).take(query.limit as usize).collect()
}

/// In small letters, with one space for whatever stands between words: `Cart.total` is
/// `cart::total`.
fn plain(text: &str) -> String {
    let words =
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(id: &str, group: bool) -> Test {
        let names = id.split("::").skip(1).map(str::to_owned).collect();
        Test { file: id.split("::").next().unwrap().into(), line: 3, names, group, id: id.into() }
    }

    #[track_caller]
    fn check(name: &str, expect: &str) {
        let ids =
            ["a::Cart::total", "b::Cart::total", "b::Cart::tax", "b::total", "b::Order::empty"];
        let mut all: Vec<Test> = ids.iter().map(|id| test(id, false)).collect();
        all.extend([test("b::Order", true), test("c::empty", true)]);
        let fit = |test: &Test| {
            Fit::of(&name.split("::").collect::<Vec<_>>(), &test.id.split("::").collect::<Vec<_>>())
        };
        let said = match choose(name, &all, fit) {
            Ok(test) => test.id.clone(),
            Err(error) => format!("{} ({})", error.message, error.hint.unwrap_or_default()),
        };
        assert_eq!(said, expect, "{name}");
    }

    #[test]
    fn one_is_meant_or_the_error_lists_others() {
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
            "no test is named taxx; there are b::Cart::tax, a::Cart::total, b::Cart::total, b::total, b::Order::empty \
             (debug_launch {\"test\": \"b::Cart::tax\"})",
        );
    }

    #[test]
    fn an_end_without_a_test_is_told_with_names_like_the_filter() {
        let told =
            |tests: &[&'static str]| unmatched("golf", "^0 tests$", tests.iter().copied()).means;
        assert_eq!(
            told(&["a::silver", "a::gold"]),
            r#"no test was run that `golf` matches; there are a::gold, a::silver: debug_launch {"test": "a::gold"}"#
        );
        assert_eq!(told(&[]), "no test was run that `golf` matches");
        let typo = unmatched("totl", "", ["a::gold", "a::taxes", "a::sub_total"]).means;
        assert!(typo.contains("there are a::sub_total, a::"), "{typo}");
    }

    #[test]
    fn what_is_asked_for_is_listed() {
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
