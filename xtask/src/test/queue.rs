//! Runs jobs several at a time and repeats failed cells alone. Decides what a failure means for
//! the run; prints one line for each job and leaves the summary to `report`.

use std::path::PathBuf;
use std::sync::{Mutex, mpsc};
use std::time::Duration;
use std::{fs, io, thread};

use anyhow::{Context, Result};

use super::job::{Job, Kind};
use super::process::{self, Echo, Ending};
use super::times::Times;

/// How jobs are run.
pub struct Queue {
    /// How many at a time.
    pub at_once: usize,
    /// The longest that one test may take: a bound for what hangs, far above the slowest test.
    pub limit: Duration,
    pub echo: Echo,
    /// The directory for logs of flaky cells.
    pub flaky: PathBuf,
}

/// A job and how it ended.
pub struct Done {
    pub job: Job,
    pub ending: Ending,
    pub verdict: Verdict,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// A cell that failed, then passed alone; where the log of the failure is.
    Flaky(PathBuf),
    Failed,
}

/// Longest first, so that no long job is left for the end, when other processors are idle. Jobs
/// without a known time go first, those of many tests before others: they may be long.
pub fn order(jobs: &mut [Job], times: &Times) {
    let seconds = |job: &Job| times.of(job).unwrap_or(f64::INFINITY);
    jobs.sort_by(|one, other| {
        let longer = seconds(other).total_cmp(&seconds(one));
        longer.then(other.tests.len().cmp(&one.tests.len()))
    });
}

impl Queue {
    /// Runs all, then the failed cells again.
    pub fn run(&self, jobs: Vec<Job>) -> Result<Vec<Done>> {
        let mut done = self.first(jobs)?;
        for one in &mut done {
            if one.verdict == Verdict::Failed && one.job.kind == Kind::Cell {
                self.again(one)?;
            }
        }
        Ok(done)
    }

    fn first(&self, jobs: Vec<Job>) -> Result<Vec<Done>> {
        let mut done = Vec::new();
        let jobs = Mutex::new(jobs.into_iter());
        let (sender, endings) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.at_once {
                let (jobs, sender) = (&jobs, sender.clone());
                scope.spawn(move || {
                    while let Some(job) = next(jobs) {
                        let ending = self.once(&job);
                        let _ = sender.send((job, ending));
                    }
                });
            }
            drop(sender);
            for (job, ending) in endings {
                let ending = ending.with_context(|| format!("cannot run {}", job.name))?;
                let verdict = if ending.passed() { Verdict::Passed } else { Verdict::Failed };
                print(if ending.passed() { "ok" } else { "FAILED" }, &job, &ending);
                done.push(Done { job, ending, verdict });
            }
            Ok(done)
        })
    }

    /// Repeats a failed cell alone, once. If it passes, the log of the failure is stored, as it is
    /// the only trace of it.
    fn again(&self, done: &mut Done) -> Result<()> {
        let Done { job, ending, verdict } = done;
        let second = self.once(job).with_context(|| format!("cannot run {} again", job.name))?;
        if !second.passed() {
            print("FAILED again", job, &second);
            *ending = second;
            return Ok(());
        }
        print("FLAKY", job, &second);
        let log = self.flaky.join(format!("{}.log", job.name.replace("::", ".")));
        let text = format!("{}\n{}", ending.reason(), ending.output);
        fs::create_dir_all(&self.flaky)
            .and_then(|()| fs::write(&log, text))
            .with_context(|| format!("cannot write {}", log.display()))?;
        *verdict = Verdict::Flaky(log);
        Ok(())
    }

    fn once(&self, job: &Job) -> io::Result<Ending> {
        process::run(job.command(self.echo == Echo::On), self.limit, self.echo)
    }
}

/// The next job. The lock is released before it runs.
fn next(jobs: &Mutex<impl Iterator<Item = Job>>) -> Option<Job> {
    jobs.lock().ok()?.next()
}

fn print(word: &str, job: &Job, ending: &Ending) {
    let tests = match job.tests.len() {
        0 | 1 => String::new(),
        several => format!(" ({several} tests)"),
    };
    println!("{word:6} {:7.2} s  {}{tests}", ending.took.as_secs_f64(), job.name);
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::test::binaries::Binary;
    use crate::test::{job, report};

    /// Results of the tests of a fake binary.
    struct Run {
        /// Of each job: its name, and whether it passed, is flaky or failed.
        verdicts: Vec<(String, &'static str)>,
        text: String,
        green: bool,
        directory: tempfile::TempDir,
    }

    /// Runs those tests of `fake-binary.sh` whose names contain `part`.
    fn run(part: &str, limit: Duration) -> Run {
        let directory = tempfile::tempdir().unwrap();
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/test/fake-binary.sh");
        let binary = Binary::at(&program, directory.path());
        let tests = binary.tests(&[]).unwrap();
        let jobs = job::divide(&binary, tests.into_iter().filter(|t| t.contains(part)).collect());
        assert!(!jobs.is_empty(), "{part}");
        let flaky = directory.path().join("flaky");
        let queue = Queue { at_once: 2, limit, echo: Echo::Off, flaky };
        let mut done = queue.run(jobs).unwrap();
        done.sort_by(|one, other| one.job.name.cmp(&other.job.name));
        let verdicts = done.iter().map(|one| (one.job.name.clone(), word(&one.verdict))).collect();
        let (text, green) =
            report::write(&done, &report::Whole { at_once: 2, took: limit, busy: None });
        Run { verdicts, text, green, directory }
    }

    fn word(verdict: &Verdict) -> &'static str {
        match verdict {
            Verdict::Passed => "passed",
            Verdict::Flaky(_) => "flaky",
            Verdict::Failed => "failed",
        }
    }

    fn verdicts(run: &Run) -> Vec<(&str, &str)> {
        run.verdicts.iter().map(|(name, verdict)| (name.as_str(), *verdict)).collect()
    }

    /// How often the fake binary ran a test.
    fn runs(run: &Run, test: &str) -> usize {
        fs::read_to_string(run.directory.path().join(test)).unwrap().lines().count()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn cell_that_fails_once_is_flaky_and_green() {
        let run = run("once", LONG);
        assert_eq!(verdicts(&run), [("real::once::go", "flaky"), ("real::once::rust", "passed")]);
        assert!(run.green);
        assert_eq!((runs(&run, "real::once::go"), runs(&run, "real::once::rust")), (2, 1));
        let log = run.directory.path().join("flaky/real.once.go.log");
        assert!(fs::read_to_string(&log).unwrap().contains("panicked: the first time"));
        let line =
            format!("FLAKY real::once::go: failed, then passed alone; log: {}\n", log.display());
        assert!(run.text.contains(&line), "{}", run.text);
        assert!(run.text.contains("    panicked: the first time\n"), "{}", run.text);
        assert!(run.text.contains("ok. 2 passed, 1 of them FLAKY; 0 failed"), "{}", run.text);
    }

    #[test]
    fn cell_that_fails_twice_is_red() {
        let run = run("always", LONG);
        assert_eq!(verdicts(&run), [("real::always::go", "failed")]);
        assert!(!run.green);
        assert_eq!(runs(&run, "real::always::go"), 2);
        assert!(run.text.contains("\nfailed:\n    real::always::go\n"), "{}", run.text);
    }

    #[test]
    fn failure_outside_of_real_is_red_at_once() {
        let run = run("wire", LONG);
        assert_eq!(verdicts(&run), [("wire", "failed")]);
        assert!(!run.green);
        assert_eq!(runs(&run, "wire::fails"), 1);
        assert!(run.text.contains("\nfailed:\n    wire::fails (wire)\n"), "{}", run.text);
        assert!(run.text.contains("FAILED. 1 passed, 0 of them FLAKY; 1 failed"), "{}", run.text);
    }

    #[test]
    fn test_that_hangs_is_ended_and_named() {
        let run = run("hangs", Duration::from_millis(300));
        assert_eq!(verdicts(&run), [("dap", "failed"), ("real::hangs::go", "failed")]);
        assert!(!run.green);
        let names = "\nfailed:\n    dap::hangs (dap)\n    real::hangs::go\n";
        assert!(run.text.contains(names), "{}", run.text);
        assert!(run.text.contains("a test took too long"), "{}", run.text);
    }

    #[test]
    fn longest_jobs_are_first_and_unknown_ones_before_them() {
        let binary = Binary::at(Path::new("dapdock"), Path::new("/"));
        let tests =
            ["new::a", "many::a", "many::b", "real::short", "real::long", "area::a", "area::b"];
        let mut jobs = job::divide(&binary, tests.map(str::to_owned).to_vec());
        let mut times = Times::load("nowhere".into());
        for job in &jobs {
            match job.name.as_str() {
                "real::short" => times.set(job, Duration::from_secs(1)),
                "real::long" => times.set(job, Duration::from_secs(9)),
                "area" => times.set(job, Duration::from_secs(5)),
                _ => {}
            }
        }
        order(&mut jobs, &times);
        let names: Vec<_> = jobs.iter().map(|job| job.name.as_str()).collect();
        assert_eq!(names, ["many", "new", "real::long", "area", "real::short"]);
    }
}
