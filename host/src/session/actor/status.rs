//! The state of a session as callers ask for it. Answers from memory and from the system, never
//! from the adapter.

use std::path::PathBuf;

use super::state::cpu_sample::CpuSample;
use super::{Actor, Phase};
use crate::model::{Moment, Note, Running, SessionStatus};
use crate::process::{self, Family};
use crate::session::adapter::exceptions;

impl Actor {
    /// Whether the debuggee has ended, by the system and not by its adapter.
    pub(super) fn is_gone(&self) -> bool {
        self.debuggee.process().is_some_and(process::has_ended)
    }

    /// Samples the CPU time of the debuggee's known process: `cpu_percent` counts from here. Cheap,
    /// for every move.
    pub(super) fn look(&mut self) {
        let known = self.debuggee.process().map(|id| id.pid);
        self.debuggee.set_cpu_sample(known.and_then(|pid| CpuSample::of(&[pid])));
    }

    /// The same, and searches the process table where the adapter reports no process.
    pub(super) fn look_closely(&mut self) {
        self.debuggee.set_cpu_sample(CpuSample::of(&self.computing()));
    }

    /// The processes that compute for the program: its own, else those that run its file, else all
    /// that its launch has started, without the adapter.
    fn computing(&self) -> Vec<u32> {
        if self.debuggee.is_post_mortem() {
            return Vec::new();
        }
        if let Some(id) = self.debuggee.process() {
            return vec![id.pid];
        }
        let members = self.members();
        if !members.is_empty() || !self.debuggee.is_launched() {
            return members;
        }
        let adapter = self.processes.adapter().map(|adapter| adapter.id().pid);
        let family = self.processes.family().into_iter().flat_map(Family::alive);
        family.map(|member| member.id.pid).filter(|pid| Some(*pid) != adapter).collect()
    }

    /// CPU use since the last sample, in percent of a core; `None`: no sample, or a recent one.
    fn cpu_percent(&self) -> Option<u32> {
        self.debuggee.cpu_sample()?.percent()
    }

    /// Whether child processes may pass breakpoints that have no hit so far.
    fn children_matter(&self) -> bool {
        let list = self.breakpoints.list();
        list.iter().any(|breakpoint| breakpoint.enabled && breakpoint.hits == 0)
            && self.has_children()
    }

    fn has_children(&self) -> bool {
        match self.debuggee.process() {
            Some(id) => process::has_children(id.pid),
            None => self.members().into_iter().any(process::has_children),
        }
    }

    /// Processes of the session that run the debuggee's file, or interpret it. They identify the
    /// debuggee where the adapter does not report its process.
    fn members(&self) -> Vec<u32> {
        let file = self.code.program.as_ref().or(self.code.script.as_ref());
        let program = file.and_then(|path| path.canonicalize().ok());
        let (Some(program), Some(family)) = (program, self.processes.family()) else {
            return Vec::new();
        };
        let all: Vec<u32> = family.alive().into_iter().map(|member| member.id.pid).collect();
        let runs = |pid: &u32| process::program(*pid).is_ok_and(|file| file == program);
        let own: Vec<u32> = all.iter().copied().filter(runs).collect();
        if !own.is_empty() {
            return own;
        }
        let mut own = all;
        own.retain(|pid| process::interprets(*pid, &program));
        // Not its child processes with the same file.
        let known = own.clone();
        own.retain(|pid| process::parent(*pid).is_none_or(|parent| !known.contains(&parent)));
        own
    }

    /// The debuggee's process id, as the adapter reports it, or of the only process that runs its
    /// file.
    fn pid(&self) -> Option<u32> {
        if self.debuggee.is_post_mortem() {
            return None;
        }
        let known = self.debuggee.pid().or(self.debuggee.process().map(|id| id.pid));
        known.or_else(|| self.only_member())
    }

    fn only_member(&self) -> Option<u32> {
        match self.members()[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    pub(super) fn running(&self) -> Running {
        let elapsed = self.motion.since().elapsed();
        let doing = match self.phase {
            Phase::Preparing | Phase::Starting => Some(self.progress.borrow().clone()),
            Phase::Idle => Some("idle: no program runs".to_owned()),
            _ => self.is_reading().then(|| "reading a stop".to_owned()),
        };
        let delayed = self.motion.behind().map(|it| Note::StillEvaluating(it.expression.clone()));
        Running {
            session: self.identity.id.clone(),
            elapsed,
            doing,
            cpu_percent: self.cpu_percent(),
            stacks: None,
            until: self.motion.run_to().and_then(|id| self.breakpoints.get(id)).map(Box::new),
            breakpoints: self.breakpoints.list(),
            unfollowed: self.quirks.unfollowed_children().filter(|_| self.children_matter()),
            notes: self
                .notes
                .iter()
                .filter(|note| matches!(note, Note::EndsWithSession(_)))
                .cloned()
                .chain(delayed)
                .collect(),
            output: self.output.news(),
            cursor: self.journal.delivered(),
        }
    }

    /// The name of the debuggee's file; of a launch without a known one, of its first word.
    fn program_name(&self) -> Option<String> {
        let file = self.code.images.first().cloned();
        let path = file.or_else(|| {
            let words = shell_words::split(&self.identity.command_line).unwrap_or_default();
            words
                .into_iter()
                .next()
                .filter(|_| self.debuggee.attached_to().is_none())
                .map(PathBuf::from)
        })?;
        Some(path.file_name()?.to_string_lossy().into_owned())
    }

    /// The debuggee's file: the one of a launch, else the one that its process runs.
    fn executable(&self) -> Option<PathBuf> {
        let launched = self.code.images.first().cloned();
        launched.or_else(|| {
            let pid = self.debuggee.process().map(|id| id.pid).or_else(|| self.only_member())?;
            process::program(pid).ok()
        })
    }

    pub(super) fn moment(&self) -> Moment {
        Moment {
            status: self.status(),
            stop: self.stops.current().cloned(),
            pid: self.pid(),
            executable: self.executable(),
            is_attached: self.debuggee.attached_to().is_some(),
            program_name: self.program_name(),
            command_line: self.identity.command_line.clone(),
            builds: self.code.builds.clone(),
            steps: self.phase == Phase::Running && self.motion.stepping().is_some(),
            editor_type: self.plugin.manifest().configurations.types.first().cloned(),
        }
    }

    pub(super) fn status(&self) -> SessionStatus {
        let capabilities = self.wire.as_ref().map(|wire| wire.client().capabilities());
        let names = capabilities.iter().flat_map(|known| known.raw().iter());
        let capabilities =
            names.filter(|(_, value)| value.as_bool() == Some(true)).map(|(name, _)| name.clone());
        let defaults = || exceptions::default_words(self.plugin.manifest());
        let in_force = self.breakpoints.exceptions().unwrap_or_else(defaults);
        let mut words: Vec<String> =
            self.plugin.manifest().exceptions.iter().map(|known| known.name.clone()).collect();
        let others =
            in_force.iter().filter(|word| *word != exceptions::NONE && !words.contains(word));
        words.extend(others.cloned().collect::<Vec<_>>());
        let at = self.stops.current().and_then(|stop| {
            Some((stop.class, stop.title.clone(), stop.frames.get(stop.focus)?.clone()))
        });
        SessionStatus {
            id: self.identity.id.clone(),
            adapter: self.plugin.name().to_owned(),
            target: self.identity.target.clone(),
            phase: self.phase.word(),
            at,
            capabilities: capabilities.collect(),
            breakpoints: self.breakpoints.list(),
            exceptions: words
                .into_iter()
                .map(|word| (word.clone(), in_force.contains(&word)))
                .collect(),
            watches: self.watches.clone(),
            age: self.end.lifetime().unwrap_or_else(|| self.identity.requested_at.elapsed()),
            exit: self.end.exit().cloned(),
            is_taken: false,
        }
    }
}
