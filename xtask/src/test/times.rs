//! How long the tests of each job took when they last ran, in a file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use super::job::Job;

/// Seconds for one test by the name of its job, so that a part of an area can run, too.
pub struct Times {
    file: PathBuf,
    seconds: BTreeMap<String, f64>,
}

impl Times {
    /// Reads the file; empty if it is missing or has another form, since it only orders jobs.
    pub fn load(file: PathBuf) -> Self {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let seconds = serde_json::from_str(&text).unwrap_or_default();
        Self { file, seconds }
    }

    /// The expected time of a job, if it is known.
    pub fn of(&self, job: &Job) -> Option<f64> {
        Some(self.seconds.get(&job.name)? * count(job))
    }

    pub fn set(&mut self, job: &Job, took: Duration) {
        let each = took.as_secs_f64() / count(job);
        // Milliseconds are enough, and can be read.
        self.seconds.insert(job.name.clone(), (each * 1000.0).round() / 1000.0);
    }

    pub fn save(&self) -> io::Result<()> {
        fs::write(&self.file, serde_json::to_string_pretty(&self.seconds)?)
    }
}

/// Number of tests of a job; 1 if it is unknown.
fn count(job: &Job) -> f64 {
    job.tests.len().max(1) as f64
}
