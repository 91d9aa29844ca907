//! Probes: fixed questions to a tool, remembered by the tool's path, its modification time and the input. A failure is
//! not remembered: what is missing may be installed without touching the tool.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use dapdock_schema::{Manifest, Probe};

use super::bindings::host::ProbeOutput;
use super::bindings::types::{self, ErrorKind};
use super::store::{ExtraTime, refuse};
use crate::limits::Limits;
use crate::process::{Command, Exit, Finish, Output, Owner, Run};

/// Answers that are remembered before all are forgotten.
const REMEMBERED: usize = 512;

pub(super) struct Probes {
    owner: Owner,
    known: Mutex<HashMap<Question, ProbeOutput>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    program: PathBuf,
    modified: SystemTime,
    args: Vec<String>,
    input: Option<String>,
}

impl Probes {
    pub fn new(owner: Owner) -> Self {
        Self { owner, known: Mutex::default() }
    }

    /// Runs `probe` with `program`, unless its answer is known; the guest's clock stands still meanwhile.
    pub async fn ask(
        &self,
        probe: &Probe,
        program: &Path,
        input: Option<String>,
        limits: &Limits,
        clock: &ExtraTime,
    ) -> Result<ProbeOutput, types::Error> {
        let fail = |error: &dyn std::fmt::Display| {
            refuse(ErrorKind::Other, format!("probe {} of {}: {error}", probe.id, program.display()), None)
        };
        let facts = std::fs::metadata(program).and_then(|facts| facts.modified());
        let modified = facts.map_err(|error| fail(&error))?;
        let question = Question { program: program.to_owned(), modified, args: probe.args.clone(), input };
        if let Some(known) = self.known().get(&question) {
            return Ok(known.clone());
        }
        let timeout = bound(probe, limits);
        let command = Command::new(program).args(&probe.args).label(format!("probe {}", probe.id));
        let run =
            Run { stdin: question.input.clone().map(String::into_bytes), timeout, stdout_cap: limits.probe_output };
        let grace = limits.guard_start + limits.term_grace + limits.kill_grace;
        let output = clock.during(timeout + grace, self.owner.run(&command, run, |_, _| {})).await;
        tracing::debug!(probe = probe.id, program = %program.display(), finished = ?output.as_ref().map(|o| o.finish).ok(), "probe");
        let answer = answer(output.map_err(|error| fail(&error))?)
            .ok_or_else(|| fail(&format!("no answer within {} ms", timeout.as_millis())))?;
        if answer.exit_code != 0 {
            return Ok(answer);
        }
        let mut known = self.known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(question, answer.clone());
        Ok(answer)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<Question, ProbeOutput>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The manifest's probe of this name.
pub(super) fn find<'a>(manifest: &'a Manifest, id: &str) -> Result<&'a Probe, types::Error> {
    let found = manifest.probes.iter().find(|probe| probe.id == id);
    found.ok_or_else(|| refuse(ErrorKind::Internal, format!("the manifest has no probe {id:?}"), None))
}

fn bound(probe: &Probe, limits: &Limits) -> Duration {
    match probe.timeout_ms {
        0 => limits.probe_time,
        ms => limits.probe_time.min(Duration::from_millis(ms.into())),
    }
}

fn answer(output: Output) -> Option<ProbeOutput> {
    let exit_code = match output.finish {
        Finish::TimedOut => return None,
        Finish::Exited(Exit::Code(code)) => code,
        Finish::Exited(Exit::Signal(signal)) => 128 + signal,
    };
    Some(ProbeOutput {
        exit_code,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: output.stderr_tail,
        truncated: output.stdout_dropped + output.stderr_dropped > 0,
    })
}
