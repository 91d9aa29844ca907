//! Functions of the program with names similar to one that the debugger does not find.
//!
//! Knows names of the program's own file. Refuses to know the rules of any language.

use std::path::PathBuf;

use crate::file::executable;
use crate::model::{BreakpointId, Nearest};
use crate::near::{self, similarity};

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
    let scored = all.iter().map(|name| (score(wanted, name), name.as_str())).collect();
    near::best(scored).into_iter().map(str::to_owned).collect()
}

/// Similarity by the last part of the name, and by its qualifier if the caller gives one.
fn score(wanted: &str, name: &str) -> f64 {
    let own = similarity(last(wanted), last(name));
    if last(wanted) == wanted { own } else { own.min(similarity(wanted, name).max(own - 0.05)) }
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
