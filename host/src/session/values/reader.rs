//! The frame whose values are read, with everything that reading them takes.

use crate::dap;
use crate::model::Frame;
use crate::session::Error;
use crate::session::adapter::wire::Wire;

/// Reads values of one frame.
#[derive(Clone, Copy)]
pub(crate) struct FrameReader<'a> {
    /// None: expressions are evaluated outside of any frame.
    pub(crate) frame: Option<&'a Frame>,
    /// Variables that were set since the thread last ran: adapters may list their old values.
    pub(crate) set: &'a [SetVariable],
    /// The caller has assigned since then, or evaluated an expression that may.
    pub(crate) may_have_changed: bool,
    pub(crate) wire: &'a Wire,
}

impl<'a> FrameReader<'a> {
    /// For a stop at which nothing was assigned, or to evaluate without listing scopes.
    pub(crate) fn new(frame: Option<&'a Frame>, wire: &'a Wire) -> Self {
        Self { frame, set: &[], may_have_changed: false, wire }
    }

    /// After calls that may have changed values.
    pub(crate) fn after(changed: &'a Changed, frame: Option<&'a Frame>, wire: &'a Wire) -> Self {
        let Changed { assigned, is_possible } = changed;
        Self { frame, set: assigned, may_have_changed: *is_possible, wire }
    }

    /// An adapter's refusal as an error of the session.
    pub(crate) fn refused(&self, error: &dap::Error) -> Error {
        self.wire.error(error)
    }
}

/// A variable that was set: the scope that lists it, and its name there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SetVariable {
    pub(crate) scope: String,
    pub(crate) name: String,
}

/// What may have changed for the reader of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    /// Variables that were assigned: adapters may list their old values.
    pub(crate) assigned: Vec<SetVariable>,
    /// Other values may have changed, too.
    pub(crate) is_possible: bool,
}
