//! The frame whose values are read, with what reading them takes.

use dapdock_schema::Profile;

use crate::dap;
use crate::model::Frame;
use crate::session::Error;
use crate::session::adapter::wire::Wire;

/// A frame to read, with how to read it.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) frame: Option<&'a Frame>,
    /// Variables that were set during this stop: adapters may list them as they were when it came.
    pub(crate) set: &'a [SetVariable],
    /// An expression that may assign, or an assignment, was sent during this stop.
    pub(crate) acted: bool,
    pub(crate) profile: &'a Profile,
    pub(crate) wire: &'a Wire,
}

impl<'a> Target<'a> {
    /// Where nothing was assigned since the stop, or no list is read.
    pub(crate) fn new(frame: Option<&'a Frame>, profile: &'a Profile, wire: &'a Wire) -> Self {
        Self { frame, set: &[], acted: false, profile, wire }
    }
}

/// A variable that was set: the scope that lists it, and its name there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SetVariable {
    pub(crate) scope: String,
    pub(crate) name: String,
}

/// An adapter's refusal as an error of the session.
pub(crate) fn refused(error: &dap::Error, target: &Target<'_>) -> Error {
    Error::from_dap(error, target.profile)
}
