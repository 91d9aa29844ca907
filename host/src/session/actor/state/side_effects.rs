//! What calls may have changed in the program during a stop: assignments, evaluations and raw
//! requests. Values that were read before are not current then.

use std::collections::BTreeMap;

use crate::model::ThreadId;
use crate::session::values::reader::{Changed, SetVariable};

#[derive(Default)]
pub(crate) struct SideEffects {
    /// The threads with an assignment or an evaluation with effects, and the variables that
    /// `setVariable` has assigned there. A thread that a move does not resume keeps its own:
    /// adapters may list the old values until it has run.
    threads: BTreeMap<Option<ThreadId>, Vec<SetVariable>>,
    /// An assignment, an evaluation with effects or a raw request was sent at this stop.
    is_possible: bool,
    /// A raw request was sent since the latest stop: it may set breakpoints, or be a move.
    is_raw: bool,
}

impl SideEffects {
    /// At one stop all threads may share what one has changed.
    pub(crate) fn of(&self, thread: Option<ThreadId>) -> Changed {
        let own = |other: &Option<ThreadId>| self.is_possible || *other == thread;
        let all = self.threads.iter().filter(|(other, _)| own(other));
        Changed {
            assigned: all.flat_map(|(_, variables)| variables).cloned().collect(),
            is_possible: self.is_possible || self.threads.contains_key(&thread),
        }
    }

    pub(crate) fn is_raw(&self) -> bool {
        self.is_raw
    }

    /// An assignment or an evaluation with effects is sent.
    pub(crate) fn on_effect(&mut self, thread: Option<ThreadId>) {
        self.is_possible = true;
        self.threads.entry(thread).or_default();
    }

    pub(crate) fn on_raw_request(&mut self) {
        (self.is_possible, self.is_raw) = (true, true);
    }

    pub(crate) fn on_assigned(&mut self, thread: Option<ThreadId>, variable: SetVariable) {
        let variables = self.threads.entry(thread).or_default();
        if !variables.contains(&variable) {
            variables.push(variable);
        }
    }

    /// The debuggee has stopped.
    pub(crate) fn on_stopped(&mut self) {
        self.is_raw = false;
    }

    /// A move of this thread leaves the stop.
    pub(crate) fn on_move(&mut self, thread: Option<ThreadId>) {
        (self.is_possible, self.is_raw) = (false, false);
        self.threads.remove(&thread);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_that_has_not_moved_keeps_its_changes() {
        let [one, two] = [1, 2].map(|number| Some(ThreadId(number)));
        let variable = SetVariable { scope: "Local".into(), name: "n".into() };
        let changed = Changed { assigned: vec![variable.clone()], is_possible: true };
        let mut effects = SideEffects::default();
        assert_eq!(effects.of(two), Changed::default());
        effects.on_effect(two);
        effects.on_assigned(two, variable);
        assert_eq!([one, two].map(|thread| effects.of(thread)), [changed.clone(), changed.clone()]);
        effects.on_move(one);
        assert_eq!([one, two].map(|thread| effects.of(thread)), [Changed::default(), changed]);
        effects.on_move(two);
        assert_eq!(effects.of(two), Changed::default());
    }
}
