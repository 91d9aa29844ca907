//! Functions of the program with names similar to one that the debugger does not find.
//!
//! Knows names of the program's own file. Refuses to know the rules of any language.

use std::path::PathBuf;

use crate::file::executable;
use crate::model::{BreakpointId, Nearest};

/// How many names are suggested.
const SUGGESTED: usize = 3;
/// Names with a lower score are not suggested.
const SIMILAR: f64 = 0.84;
/// The least score of a name with one letter too many, too few, wrong or swapped with the next.
const ONE_OFF: f64 = 0.9;

/// For every name those most similar to it.
pub(crate) async fn similar(
    program: PathBuf,
    wanted: Vec<(BreakpointId, String)>,
) -> Vec<(BreakpointId, Nearest)> {
    let read = move || {
        let all = executable::functions(&program);
        wanted.into_iter().map(|(id, name)| (id, Nearest::Functions(near(&name, &all)))).collect()
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

/// The names most similar to this one, also several that end with it: it may mean any of them.
/// Empty if the name exists or is the end of exactly one: then the adapter refused something else.
fn near(wanted: &str, all: &[String]) -> Vec<String> {
    let ends = all.iter().filter(|name| last(name) == wanted).take(2).count();
    if ends == 1 || all.iter().any(|name| name == wanted) {
        return Vec::new();
    }
    let mut scored: Vec<(f64, &String)> =
        all.iter().map(|name| (score(wanted, name), name)).collect();
    scored.retain(|(score, _)| *score >= SIMILAR);
    scored.sort_by(|(a, one), (b, other)| {
        b.total_cmp(a).then_with(|| one.len().cmp(&other.len())).then_with(|| one.cmp(other))
    });
    scored.dedup();
    scored.into_iter().take(SUGGESTED).map(|(_, name)| name.clone()).collect()
}

/// Similarity by the last part of the name, and by its qualifier if the caller gives one.
fn score(wanted: &str, name: &str) -> f64 {
    let own = closeness(last(wanted), last(name));
    if last(wanted) == wanted { own } else { own.min(closeness(wanted, name).max(own - 0.05)) }
}

fn closeness(wanted: &str, name: &str) -> f64 {
    let (wanted, name) = (wanted.to_lowercase(), name.to_lowercase());
    let close = strsim::jaro_winkler(&wanted, &name);
    let lengths = wanted.chars().count().abs_diff(name.chars().count());
    if lengths <= 1 && wanted.len() > 2 && strsim::osa_distance(&wanted, &name) <= 1 {
        close.max(ONE_OFF)
    } else {
        close
    }
}

/// The name without its qualifier.
fn last(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_similar_by_their_last_part_and_their_qualifier() {
        let all = [
            "runtime.text",
            "main.tax",
            "lib.tax",
            "main.totalOf",
            "shop::total",
            "main.(*Cart).Total",
            "main.main",
        ];
        let all = all.map(str::to_owned);
        for (wanted, want) in [
            ("txa", &["lib.tax", "main.tax"][..]),
            ("main.txa", &["main.tax", "lib.tax"]),
            ("main.totalOff", &["main.totalOf", "shop::total", "main.(*Cart).Total"]),
            ("shop::totl", &["shop::total", "main.(*Cart).Total", "main.totalOf"]),
            ("tax", &["lib.tax", "main.tax"]),
            ("text", &[]),
            ("main.tax", &[]),
            ("zebra", &[]),
        ] {
            assert_eq!(near(wanted, &all), want, "{wanted}");
        }
    }
}
