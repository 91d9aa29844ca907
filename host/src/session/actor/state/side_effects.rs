//! What calls may have changed in the program during a stop: assignments, evaluations and raw
//! requests. Values that were read before are not current then.

use crate::session::values::reader::SetVariable;

#[derive(Default)]
pub(crate) struct SideEffects {
    /// Variables assigned by `setVariable`.
    assigned: Vec<SetVariable>,
    /// An assignment, an evaluation with effects or a raw request was sent.
    is_possible: bool,
    /// A raw request was sent since the latest stop: it may set breakpoints, or be a move.
    is_raw: bool,
}

impl SideEffects {
    pub(crate) fn assigned(&self) -> &[SetVariable] {
        &self.assigned
    }

    pub(crate) fn is_possible(&self) -> bool {
        self.is_possible
    }

    pub(crate) fn is_raw(&self) -> bool {
        self.is_raw
    }

    /// An assignment or an evaluation with effects is sent.
    pub(crate) fn on_effect(&mut self) {
        self.is_possible = true;
    }

    pub(crate) fn on_raw_request(&mut self) {
        (self.is_possible, self.is_raw) = (true, true);
    }

    pub(crate) fn on_assigned(&mut self, variable: SetVariable) {
        if !self.assigned.contains(&variable) {
            self.assigned.push(variable);
        }
    }

    /// The debuggee has stopped.
    pub(crate) fn on_stopped(&mut self) {
        self.is_raw = false;
    }

    /// A move leaves the stop.
    pub(crate) fn on_move(&mut self) {
        *self = Self::default();
    }
}
