//! Reads of a stop with the adapter's own ids, for an editor, which shows them as the adapter has
//! them.
//!
//! Knows which stop the ids belong to. Refuses to interpret an answer, apart from the names of
//! threads and the range of frames.

use super::Actor;
use crate::dap::{self, request};
use crate::model::{Epoch, ThreadId};
use crate::session::Error;
use crate::session::adapter::wire::Wire;
use crate::session::handle::{StopAnswer, StopQuery, StopRead};
use crate::session::record::reply::Reply;
use crate::session::stop::{stack, threads};

impl Actor {
    pub(super) fn read_stop(&mut self, read: StopRead, reply: Reply<StopAnswer>) {
        let own = self.motion.thread();
        match self.wire_at(read.stop) {
            Err(error) => reply.send(Err(error)),
            Ok(wire) => {
                self.read(reply, async move { answer(&wire, own, read.what).await });
            }
        }
    }

    /// The connection, while this stop is the current one.
    fn wire_at(&self, stop: Epoch) -> Result<Wire, Error> {
        self.need_stop_at(stop)?;
        self.wire.clone().ok_or(Error::NotStopped)
    }
}

async fn answer(wire: &Wire, own: Option<ThreadId>, what: StopQuery) -> Result<StopAnswer, Error> {
    let failed = |error: dap::Error| match wire.busy() {
        Some(busy) => busy.into(),
        None => wire.error(&error),
    };
    match what {
        StopQuery::Threads => threads::all(wire, own).await.map(StopAnswer::Threads),
        StopQuery::Frames(query, top) => {
            stack::raw_page(wire, query, top).await.map(StopAnswer::Frames).map_err(failed)
        }
        StopQuery::Scopes(query) => {
            let answer = wire.call::<request::Scopes>(query).await;
            answer.map(StopAnswer::Scopes).map_err(failed)
        }
        StopQuery::Variables(query) => {
            let answer = wire.call::<request::Variables>(query).await;
            answer.map(StopAnswer::Variables).map_err(failed)
        }
        StopQuery::Source(query) => {
            let answer = wire.call::<request::SourceText>(query).await;
            answer.map(StopAnswer::Source).map_err(failed)
        }
    }
}
