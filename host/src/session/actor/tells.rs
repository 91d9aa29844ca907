//! What a session is and does, told at once.

use std::time::Duration;

use super::{Actor, Phase};
use crate::model::{Running, SessionStatus};
use crate::session::exceptions;

impl Actor {
    /// CPU time of the debuggee so far.
    pub(super) fn cpu(&self) -> Option<Duration> {
        self.debuggee.and_then(crate::process::cpu_time)
    }

    pub(super) fn running(&self) -> Running {
        let elapsed = self.moved.elapsed();
        let cpu = self.cpu().map(|now| now.saturating_sub(self.cpu_then.unwrap_or_default()));
        // The system counts in hundredths of a second: over less time the figure means nothing.
        let cpu = cpu.filter(|_| elapsed >= Duration::from_millis(200));
        let percent = cpu.map(|cpu| (100.0 * cpu.as_secs_f64() / elapsed.as_secs_f64()) as u32);
        let doing = matches!(self.phase, Phase::Preparing | Phase::Starting).then(|| self.progress.borrow().clone());
        Running {
            session: self.id.clone(),
            elapsed,
            doing,
            cpu_percent: percent,
            breakpoints: self.breakpoints.list(),
            output: self.output.news(),
            cursor: self.journal.delivered(),
        }
    }

    pub(super) fn status(&self) -> SessionStatus {
        let capabilities = self.wire.as_ref().map(|wire| wire.client().capabilities());
        let names = capabilities.iter().flat_map(|known| known.raw().iter());
        let capabilities = names.filter(|(_, value)| value.as_bool() == Some(true)).map(|(name, _)| name.clone());
        let defaults = exceptions::default_words(self.plugin.manifest());
        let in_force = self.breakpoints.exceptions().unwrap_or(&defaults);
        let words = self.plugin.manifest().exceptions.iter().map(|known| known.name.clone());
        let at = self.stop.as_ref().and_then(|stop| Some((stop.class, stop.frames.get(stop.focus)?.clone())));
        SessionStatus {
            id: self.id.clone(),
            adapter: self.plugin.name().to_owned(),
            target: self.target.clone(),
            phase: self.phase.word(),
            at,
            capabilities: capabilities.collect(),
            breakpoints: self.breakpoints.list(),
            exceptions: words.map(|word| (word.clone(), in_force.contains(&word))).collect(),
            watches: self.watches.clone(),
            age: self.born.elapsed(),
        }
    }
}
