//! What a session is and does, told at once.

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;

use super::{Actor, Phase};
use crate::model::{Note, Running, SessionStatus};
use crate::process::{self, Family};
use crate::session::breakpoints::exceptions;

impl Actor {
    /// CPU time of the debuggee so far.
    pub(super) fn cpu(&self) -> Option<Duration> {
        self.debuggee.and_then(process::cpu_time)
    }

    /// Has the debuggee ended, whatever its adapter thinks?
    pub(super) fn is_gone(&self) -> bool {
        self.seen.is_some_and(process::has_ended)
    }

    /// Takes note of the CPU time, so that a later question is answered for what came after.
    pub(super) fn look(&mut self) {
        self.cpu_then = self.cpu().map(|cpu| (Instant::now(), cpu));
    }

    /// What share of a core it has used lately; none: nobody looked before, or only just now.
    fn cpu_percent(&self) -> Option<u32> {
        let (since, then) = self.cpu_then?;
        let passed = since.elapsed();
        // The system counts in hundredths of a second: over less time the figure means nothing.
        let used =
            self.cpu().filter(|_| passed >= Duration::from_millis(200))?.saturating_sub(then);
        Some((100.0 * used.as_secs_f64() / passed.as_secs_f64()) as u32)
    }

    /// Are there child processes now that may come by a breakpoint without a hit?
    fn children_matter(&self) -> bool {
        let idle = self
            .breakpoints
            .list()
            .iter()
            .any(|breakpoint| breakpoint.enabled && breakpoint.hits == 0);
        let family = || self.family.get().map(Family::alive).unwrap_or_default();
        // Where the adapter does not tell which process it is, its file does.
        let program = || self.program.as_ref()?.canonicalize().ok();
        let runs =
            |file: &PathBuf, pid| process::program(pid).is_ok_and(|program| program == *file);
        idle && match self.seen {
            Some(id) => process::has_children(id.pid),
            None => program().is_some_and(|file| {
                family()
                    .iter()
                    .map(|member| member.id.pid)
                    .any(|pid| runs(&file, pid) && process::has_children(pid))
            }),
        }
    }

    pub(super) fn running(&self) -> Running {
        let elapsed = self.moved.elapsed();
        let doing = match self.phase {
            Phase::Preparing | Phase::Starting => Some(self.progress.borrow().clone()),
            _ => self.is_reading().then(|| "reading a stop".to_owned()),
        };
        let behind = self.behind.as_ref().map(|behind| Note::Behind(behind.expression.clone()));
        Running {
            session: self.id.clone(),
            elapsed,
            doing,
            cpu_percent: self.cpu_percent(),
            until: self.until.and_then(|id| self.breakpoints.get(id)).map(Box::new),
            breakpoints: self.breakpoints.list(),
            unfollowed: self.profile.unfollowed.clone().filter(|_| self.children_matter()),
            notes: self
                .notes
                .iter()
                .filter(|note| matches!(note, Note::EndsToo(_)))
                .cloned()
                .chain(behind)
                .collect(),
            output: self.output.news(),
            cursor: self.journal.delivered(),
        }
    }

    pub(super) fn status(&self) -> SessionStatus {
        let capabilities = self.wire.as_ref().map(|wire| wire.client().capabilities());
        let names = capabilities.iter().flat_map(|known| known.raw().iter());
        let capabilities =
            names.filter(|(_, value)| value.as_bool() == Some(true)).map(|(name, _)| name.clone());
        let defaults = exceptions::default_words(self.plugin.manifest());
        let in_force = self.breakpoints.exceptions().unwrap_or(&defaults);
        let mut words: Vec<String> =
            self.plugin.manifest().exceptions.iter().map(|known| known.name.clone()).collect();
        let others =
            in_force.iter().filter(|word| *word != exceptions::NONE && !words.contains(word));
        words.extend(others.cloned().collect::<Vec<_>>());
        let at = self.stop.as_ref().and_then(|stop| {
            Some((stop.class, stop.title.clone(), stop.frames.get(stop.focus)?.clone()))
        });
        SessionStatus {
            id: self.id.clone(),
            adapter: self.plugin.name().to_owned(),
            target: self.target.clone(),
            phase: self.phase.word(),
            at,
            capabilities: capabilities.collect(),
            breakpoints: self.breakpoints.list(),
            exceptions: words
                .into_iter()
                .map(|word| (word.clone(), in_force.contains(&word)))
                .collect(),
            watches: self.watches.clone(),
            age: self.lived.unwrap_or_else(|| self.born.elapsed()),
            exit: self.ended.clone(),
        }
    }
}
