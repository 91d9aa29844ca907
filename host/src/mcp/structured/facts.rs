//! The facts around an outcome: the sessions that a call concerns, from their memory.

use crate::mcp::call::Call;
use crate::mcp::outcome::Outcome;
use crate::model::{Moment, SessionId};
use crate::view::Lens;

/// What a result is written with, besides its outcome.
pub(in crate::mcp) struct Facts {
    pub lens: Lens,
    /// The session that the call concerns.
    pub main: Option<Moment>,
    /// The other sessions that it started.
    others: Vec<Moment>,
}

impl Facts {
    pub async fn of(outcome: &Outcome, call: &Call) -> Self {
        let named = outcome.session().map(|session| session.0.as_str());
        let main = moment(call, named.or(call.request.session())).await;
        let mut others = Vec::new();
        if let Outcome::Started(all) = outcome {
            for started in all.iter().flatten().skip(1) {
                others.extend(moment(call, Some(&started.arrival.session().0)).await);
            }
        }
        Self { lens: call.lens(), main, others }
    }

    /// The moment of a session.
    pub fn moment(&self, session: &SessionId) -> Option<&Moment> {
        self.main.iter().chain(&self.others).find(|moment| moment.status.id == *session)
    }
}

async fn moment(call: &Call, session: Option<&str>) -> Option<Moment> {
    call.sessions.get(session).ok()?.moment().await.ok()
}
