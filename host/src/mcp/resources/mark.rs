//! A value of a resource that differs once its text has changed.
//!
//! Refuses to know who compares it.

use std::time::Duration;

use super::super::compat::Follows;
use super::address::{Address, SessionPart};
use crate::model::{Breakpoint, BreakpointEdit, SessionStatus};
use crate::session::{Handle, Sessions};

#[derive(Debug, PartialEq)]
pub(super) enum Mark {
    /// The states of sessions, without their ages, which always grow.
    Status(Vec<SessionStatus>),
    /// See [`Handle::revision`].
    Revision(u64),
    /// The breakpoints and exceptions for the next launch.
    Breakpoints(Vec<Breakpoint>, Vec<String>),
    /// The session is forgotten.
    Gone,
    /// The resource does not change.
    Fixed,
}

pub(super) async fn mark(address: &Address, sessions: &Sessions, all: &[Handle]) -> Mark {
    let (session, part) = match address {
        Address::Sessions => return Mark::Status(status(all).await),
        Address::OfFamily(resource) => {
            return match resource.follows {
                Follows::Sessions => Mark::Status(status(all).await),
                Follows::Breakpoints => breakpoints(sessions, all).await,
            };
        }
        Address::Source { .. }
        | Address::CurrentSource(_)
        | Address::Adapters
        | Address::Document { .. } => return Mark::Fixed,
        Address::Session(session, part) => (session, part),
    };
    let Some(handle) = all.iter().find(|handle| handle.id().0 == *session) else {
        return Mark::Gone;
    };
    match part {
        SessionPart::Status => Mark::Status(status(std::slice::from_ref(handle)).await),
        SessionPart::Output => Mark::Revision(handle.revision().output),
        SessionPart::Log => Mark::Revision(handle.revision().log),
    }
}

/// Those of an open session are in its state. A query of them would count as a change.
async fn breakpoints(sessions: &Sessions, all: &[Handle]) -> Mark {
    if all.iter().any(|handle| !handle.is_over()) {
        return Mark::Status(status(all).await);
    }
    match sessions.breakpoints(None, BreakpointEdit::default()).await {
        Ok(report) => Mark::Breakpoints(report.all, report.exceptions),
        Err(_) => Mark::Gone,
    }
}

async fn status(handles: &[Handle]) -> Vec<SessionStatus> {
    let mut all = Vec::new();
    for handle in handles {
        if let Ok(mut status) = handle.status().await {
            status.age = Duration::ZERO;
            all.push(status);
        }
    }
    all
}
