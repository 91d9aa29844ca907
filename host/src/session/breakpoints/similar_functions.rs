//! Functions whose names are like one that the debugger does not find: those that the program's own
//! file names. Knows names only, and no language's.

use std::path::PathBuf;

use crate::file::executable;
use crate::model::{BreakpointId, Nearest};

/// Names that are told.
const TOLD: usize = 3;
/// Names less alike are not.
const ALIKE: f64 = 0.84;
/// A name with one letter too many, too few, wrong or in its neighbour's place.
const ONE_OFF: f64 = 0.9;

/// For every name those most like it.
pub(crate) async fn alike(
    program: PathBuf,
    wanted: Vec<(BreakpointId, String)>,
) -> Vec<(BreakpointId, Nearest)> {
    let read = move || {
        let all = executable::functions(&program);
        wanted.into_iter().map(|(id, name)| (id, Nearest::Functions(near(&name, &all)))).collect()
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

/// The names most like this one; of several that end with it, those: it may mean any of them. None
/// where it is among them: then something else was refused.
fn near(wanted: &str, all: &[String]) -> Vec<String> {
    let ends = all.iter().filter(|name| last(name) == wanted).take(2).count();
    if ends == 1 || all.iter().any(|name| name == wanted) {
        return Vec::new();
    }
    let scored =
        all.iter().map(|name| (score(wanted, name), name)).filter(|(score, _)| *score >= ALIKE);
    let mut scored: Vec<(f64, &String)> = scored.collect();
    scored.sort_by(|(a, one), (b, other)| {
        b.total_cmp(a).then_with(|| one.len().cmp(&other.len())).then_with(|| one.cmp(other))
    });
    scored.dedup();
    scored.into_iter().take(TOLD).map(|(_, name)| name.clone()).collect()
}

/// By its last part, and by what stands before it where the caller has said that.
fn score(wanted: &str, name: &str) -> f64 {
    let own = closeness(last(wanted), last(name));
    match last(wanted) == wanted {
        true => own,
        false => own.min(closeness(wanted, name).max(own - 0.05)),
    }
}

fn closeness(wanted: &str, name: &str) -> f64 {
    let (wanted, name) = (wanted.to_lowercase(), name.to_lowercase());
    let close = strsim::jaro_winkler(&wanted, &name);
    let lengths = wanted.chars().count().abs_diff(name.chars().count());
    match lengths <= 1 && wanted.len() > 2 && strsim::osa_distance(&wanted, &name) <= 1 {
        true => close.max(ONE_OFF),
        false => close,
    }
}

/// The name without what it stands in.
fn last(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_alike_by_their_last_part_and_by_what_is_said_before_it() {
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
