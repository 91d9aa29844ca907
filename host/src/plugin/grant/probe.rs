//! Probes: fixed command lines of a tool. Answers are cached by the tool's file and the input, and
//! on disk if they depend on the file alone. Failures are not cached: installing something else may
//! fix them. A probe starts in a neutral folder and reads no files of the project except those that
//! its input names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dapdock_schema::{Manifest, Probe};
use serde_json::json;

use crate::file;
use crate::limits::Limits;
use crate::plugin::engine::bindings::host::ProbeOutput;
use crate::plugin::engine::bindings::types::{self, ErrorKind};
use crate::plugin::engine::cache::{Cache, Fingerprint, Kind, Slot};
use crate::plugin::engine::clock::ExtraTime;
use crate::plugin::grant::refusal::refuse;
use crate::process::{Command, Exit, Finish, NEUTRAL_FOLDER, Output, Owner, Run};

/// Most cached answers; one more clears the cache.
const CACHED: usize = 512;

pub(crate) struct Probes {
    owner: Owner,
    cache: Option<Cache>,
    known: Mutex<HashMap<Question, ProbeOutput>>,
}

/// Everything that the answer depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    program: PathBuf,
    /// `None`: the file does not exist.
    file: Option<file::State>,
    /// The working directory; `None`: the host's.
    folder: Option<PathBuf>,
    args: Vec<String>,
    input: Option<String>,
}

impl Question {
    /// `root` is the workspace's, if there is one: a version manager reads the tool's version
    /// there.
    pub fn new(probe: &Probe, program: &Path, root: Option<&Path>, input: Option<String>) -> Self {
        let folder =
            if file::is_version_manager(program) { root } else { Some(Path::new(NEUTRAL_FOLDER)) };
        Self {
            program: program.to_owned(),
            file: file::state(program),
            folder: folder.map(Path::to_owned),
            args: probe.args.clone(),
            input,
        }
    }

    /// Where the answer is stored. `None` for a script and for a link to a program of another name:
    /// the program that they start may change without them.
    fn slot(&self, probe: &Probe, cache: Option<&Cache>) -> Option<Slot> {
        let cache = cache.filter(|_| probe.stored && self.input.is_none())?;
        let Self { program, file, args, .. } = self;
        let real = program.canonicalize().ok()?;
        if real.file_name() != program.file_name() || !file::is_machine_code(&real) {
            return None;
        }
        Some(cache.slot(
            Kind::Answer,
            &Fingerprint::of(format!("{program:?} {file:?} {args:?}").as_bytes()),
            (),
        ))
    }
}

impl Probes {
    pub fn new(owner: Owner, cache: Option<Cache>) -> Self {
        Self { owner, cache, known: Mutex::default() }
    }

    /// Runs `probe` unless the answer is cached. Its time does not count for the guest's call.
    pub async fn ask(
        &self,
        probe: &Probe,
        question: Question,
        limits: &Limits,
        clock: &ExtraTime,
    ) -> Result<ProbeOutput, types::Error> {
        let fail = |error: &dyn std::fmt::Display| {
            let program = question.program.display();
            refuse(ErrorKind::Other, format!("probe {} of {program}: {error}", probe.id), None)
        };
        let slot = question.slot(probe, self.cache.as_ref());
        if let Some(known) = self.recalled(&question, slot.as_ref()) {
            return Ok(known);
        }
        let timeout = bound(probe, limits);
        let mut command =
            Command::new(&question.program).args(&probe.args).label(format!("probe {}", probe.id));
        command.env = probe.unset.iter().map(|name| (name.clone(), None)).collect();
        command.cwd = question.folder.clone();
        let run = Run {
            stdin: question.input.clone().map(String::into_bytes),
            timeout,
            stdout_cap: limits.probe_output,
        };
        let grace = limits.guard_start + limits.term_grace + limits.kill_grace;
        let output = clock.during(timeout + grace, self.owner.run(&command, run, |_, _| {})).await;
        let finished = output.as_ref().map(|output| output.finish).ok();
        let program = question.program.display();
        tracing::debug!(probe = probe.id, %program, ?finished, "probe");
        let answer = answer(output.map_err(|error| fail(&error))?)
            .ok_or_else(|| fail(&format!("no answer within {} ms", timeout.as_millis())))?;
        if answer.exit_code == 0 {
            if let Some(slot) = slot.filter(|_| !answer.truncated) {
                slot.write(json!([answer.stdout, answer.stderr]).to_string().as_bytes());
            }
            self.remember(question, &answer);
        }
        Ok(answer)
    }

    /// A cached answer; starts nothing.
    pub fn remembered(&self, probe: &Probe, question: &Question) -> Option<ProbeOutput> {
        self.recalled(question, question.slot(probe, self.cache.as_ref()).as_ref())
    }

    fn recalled(&self, question: &Question, slot: Option<&Slot>) -> Option<ProbeOutput> {
        if let Some(known) = self.known().get(question) {
            return Some(known.clone());
        }
        let known = from_stored(&slot?.read()?)?;
        self.remember(question.clone(), &known);
        Some(known)
    }

    fn remember(&self, question: Question, answer: &ProbeOutput) {
        let mut known = self.known();
        if known.len() >= CACHED {
            known.clear();
        }
        known.insert(question, answer.clone());
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<Question, ProbeOutput>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The manifest's probe of this name.
pub(crate) fn find<'a>(manifest: &'a Manifest, id: &str) -> Result<&'a Probe, types::Error> {
    let found = manifest.probes.iter().find(|probe| probe.id == id);
    found.ok_or_else(|| {
        refuse(ErrorKind::Internal, format!("the manifest has no probe {id:?}"), None)
    })
}

fn bound(probe: &Probe, limits: &Limits) -> Duration {
    match probe.timeout_ms {
        0 => limits.probe_time,
        ms => limits.probe_time.min(Duration::from_millis(ms.into())),
    }
}

fn from_stored(bytes: &[u8]) -> Option<ProbeOutput> {
    let (stdout, stderr) = serde_json::from_slice(bytes).ok()?;
    Some(ProbeOutput { exit_code: 0, stdout, stderr, truncated: false })
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
