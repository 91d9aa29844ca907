//! The summary of a run: what took longest, which cells are flaky, what failed. Failures come
//! last, where a reader of a log looks first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::time::Duration;

use super::job::Kind;
use super::queue::{Done, Verdict};

/// Rows of each list of slow jobs.
const SLOWEST: usize = 15;

/// Seconds by name.
type Sums<'a> = BTreeMap<&'a str, f64>;

/// The run as a whole.
pub struct Whole {
    /// How many jobs ran at a time.
    pub at_once: usize,
    pub took: Duration,
    /// Load of the processors in percent, if it is known.
    pub busy: Option<f64>,
}

/// The summary, and whether the run is green.
pub fn write(done: &[Done], whole: &Whole) -> (String, bool) {
    let mut text = String::new();
    // Writing to a `String` does not fail.
    let _ = durations(&mut text, done, whole).and_then(|()| flaky(&mut text, done));
    let green = failures(&mut text, done, whole.took).unwrap_or_default();
    (text, green)
}

fn durations(text: &mut String, done: &[Done], whole: &Whole) -> fmt::Result {
    let cells: Vec<_> = done.iter().filter(|one| one.job.kind == Kind::Cell).collect();
    let columns = columns(&cells);
    let (mut areas, mut scenarios, mut languages) = (Sums::new(), Sums::new(), Sums::new());
    for one in done {
        let area = one.job.name.split("::").next().unwrap_or_default();
        *areas.entry(area).or_default() += seconds(one);
    }
    for one in &cells {
        let (scenario, column) = one.job.name.rsplit_once("::").unwrap_or_default();
        if columns.contains(column) {
            *scenarios.entry(scenario).or_default() += seconds(one);
            *languages.entry(column).or_default() += seconds(one);
        } else {
            *languages.entry("other").or_default() += seconds(one);
        }
    }
    let slowest = cells.iter().map(|one| (one.job.name.as_str(), seconds(one))).collect();
    table(text, "slowest cells", slowest, SLOWEST)?;
    table(text, "slowest scenarios, all languages", scenarios, SLOWEST)?;
    table(text, "languages", languages, usize::MAX)?;
    table(text, "areas", areas, usize::MAX)?;
    let sum: f64 = done.iter().map(seconds).sum();
    let (at_once, took) = (whole.at_once, whole.took.as_secs_f64());
    write!(text, "\n{sum:.0} s of tests in {took:.0} s, {at_once} at a time")?;
    if let Some(busy) = whole.busy {
        write!(text, "; processors {busy:.0} % busy")?;
    }
    writeln!(text)
}

/// The languages of the table of cells: last parts of a name that several scenarios share.
fn columns<'a>(cells: &[&'a Done]) -> BTreeSet<&'a str> {
    let (mut once, mut several) = (BTreeSet::new(), BTreeSet::new());
    for one in cells {
        let (_, column) = one.job.name.rsplit_once("::").unwrap_or_default();
        if !once.insert(column) {
            several.insert(column);
        }
    }
    several
}

fn seconds(done: &Done) -> f64 {
    done.ending.took.as_secs_f64()
}

/// The first `most` rows, the longest first.
fn table(text: &mut String, title: &str, sums: Sums, most: usize) -> fmt::Result {
    if sums.is_empty() {
        return Ok(());
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    writeln!(text, "\n{title}:")?;
    for (name, seconds) in rows.iter().take(most) {
        writeln!(text, "{seconds:8.1} s  {name}")?;
    }
    Ok(())
}

fn flaky(text: &mut String, done: &[Done]) -> fmt::Result {
    for one in done {
        let Verdict::Flaky(log) = &one.verdict else { continue };
        let name = &one.job.name;
        writeln!(text, "\nFLAKY {name}: failed, then passed alone; log: {}", log.display())?;
        for line in one.ending.last_words() {
            writeln!(text, "    {line}")?;
        }
    }
    Ok(())
}

fn failures(text: &mut String, done: &[Done], took: Duration) -> Result<bool, fmt::Error> {
    let failed: Vec<_> = done.iter().filter(|one| one.verdict == Verdict::Failed).collect();
    for one in &failed {
        writeln!(text, "\n==== {} ({})\n{}", one.job.name, one.ending.reason(), one.ending.output)?;
    }
    let mut names = Vec::new();
    for one in &failed {
        let tests = one.ending.failed();
        let of = if one.job.kind == Kind::Batch {
            format!(" ({})", one.job.name)
        } else {
            String::new()
        };
        if tests.is_empty() {
            names.push(one.job.name.clone());
        }
        names.extend(tests.into_iter().map(|test| format!("{test}{of}")));
    }
    let flaky = done.iter().filter(|one| matches!(one.verdict, Verdict::Flaky(_))).count();
    let all: usize = done.iter().map(|one| one.job.tests.len()).sum();
    if !names.is_empty() {
        writeln!(text, "\nfailed:\n    {}", names.join("\n    "))?;
    }
    let word = if failed.is_empty() { "ok" } else { "FAILED" };
    writeln!(
        text,
        "\ntest result: {word}. {} passed, {flaky} of them FLAKY; {} failed; {:.0} s",
        all.saturating_sub(names.len()),
        names.len(),
        took.as_secs_f64()
    )?;
    Ok(failed.is_empty())
}
