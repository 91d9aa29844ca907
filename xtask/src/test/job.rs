//! Divides tests into processes: a cell of `real::` has one of its own, so that its log, its time
//! and its end are known; the tests of any other area are short and share one. So do the examples
//! in documentation, which cargo runs.

use std::collections::BTreeMap;
use std::process::Command;

use super::binaries::Binary;
use crate::layout::Layout;
use crate::tool;

/// The area whose tests debug real programs.
const REAL: &str = "real::";

/// Tests that run in one process, one after the other.
#[derive(Debug)]
pub struct Job {
    /// A cell's test name, the area of an integration test, or the title of a binary.
    pub name: String,
    pub tests: Vec<String>,
    pub kind: Kind,
    program: Program,
}

#[derive(Debug)]
enum Program {
    Binary(Binary),
    /// Cargo compiles and runs the examples of this workspace's documentation.
    Documentation(Layout),
}

/// What a failure means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One test of a real debugger, which may fail by chance: repeated alone after a failure.
    Cell,
    /// Tests without a debugger: a failure is final.
    Batch,
}

/// Whether a test debugs real programs.
pub fn is_real(binary: &Binary, test: &str) -> bool {
    binary.integration && test.starts_with(REAL)
}

/// The jobs of a binary with these tests, in the order of the tests.
pub fn divide(binary: &Binary, tests: Vec<String>) -> Vec<Job> {
    let mut cells = Vec::new();
    let mut areas = BTreeMap::<String, Vec<String>>::new();
    for test in tests {
        if is_real(binary, &test) {
            cells.push(Job::new(binary, test.clone(), vec![test], Kind::Cell));
        } else {
            areas.entry(area(binary, &test)).or_default().push(test);
        }
    }
    let batches = areas.into_iter().map(|(area, tests)| Job::new(binary, area, tests, Kind::Batch));
    batches.chain(cells).collect()
}

fn area(binary: &Binary, test: &str) -> String {
    match test.split_once("::") {
        Some((area, _)) if binary.integration => area.to_owned(),
        _ => binary.title.clone(),
    }
}

impl Job {
    fn new(binary: &Binary, name: String, tests: Vec<String>, kind: Kind) -> Self {
        Self { name, tests, kind, program: Program::Binary(binary.clone()) }
    }

    /// The examples in documentation. Their names are known only once they run.
    pub fn documentation(layout: &Layout) -> Self {
        Self {
            name: "documentation".to_owned(),
            tests: Vec::new(),
            kind: Kind::Batch,
            program: Program::Documentation(layout.clone()),
        }
    }

    /// The call that runs these tests and no others.
    pub fn command(&self, nocapture: bool) -> Command {
        let mut command = match &self.program {
            Program::Binary(binary) => {
                let mut command = binary.command();
                command.arg("--exact").args(&self.tests);
                command
            }
            Program::Documentation(layout) => {
                let mut command = tool::cargo();
                command.current_dir(&layout.root).args(["test", "--workspace", "--doc", "--"]);
                command
            }
        };
        command.arg("--test-threads=1").args(nocapture.then_some("--nocapture"));
        command
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn names(jobs: &[Job]) -> Vec<(&str, usize, Kind)> {
        jobs.iter().map(|job| (job.name.as_str(), job.tests.len(), job.kind)).collect()
    }

    #[test]
    fn cells_run_alone_and_areas_share_a_process() {
        let mut binary = Binary::at(Path::new("dapdock"), Path::new("/"));
        let tests = ["real::waits::go", "dap::one", "real::waits::c", "dap::a::two", "tidy::one"];
        let tests = tests.map(str::to_owned).to_vec();
        let expected = [
            ("dap", 2, Kind::Batch),
            ("tidy", 1, Kind::Batch),
            ("real::waits::go", 1, Kind::Cell),
            ("real::waits::c", 1, Kind::Cell),
        ];
        assert_eq!(names(&divide(&binary, tests.clone())), expected);
        binary.integration = false;
        assert_eq!(names(&divide(&binary, tests)), [("fake test", 5, Kind::Batch)]);
    }
}
