//! The inputs of the actor and their priority. Knows nothing of what an input does.

use futures_util::StreamExt;
use tokio::time::Instant;

use super::opened::given_back;
use super::{Actor, Done, Flow};
use crate::dap::{Inbound, Inbox};
use crate::model::Stream;
use crate::process::Piece;
use crate::session::handle::Command;
use crate::session::launch::order::Resources;

/// Every so many inputs a waiting command goes first: a flooding adapter cannot starve a pause.
pub(super) const FAIR_TURN: u32 = 32;

pub(super) enum Input {
    Flow(Done),
    Inbound(Inbound),
    /// The deadline for more events after `exited` has passed, or the family of connections has
    /// ended.
    Settled,
    /// A session without a target was not used for its limit.
    Unused,
    /// A person gave such a session back.
    GivenBack,
    /// Output of the debuggee through the adapter's own pipes.
    Printed(Stream, Piece),
    Command(Command),
    /// Every handle is gone.
    Abandoned,
}

impl Actor {
    pub(super) async fn next_input(&mut self) -> Input {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(FAIR_TURN)
            && let Ok(command) = self.commands.try_recv()
        {
            return Input::Command(command);
        }
        if self.translating.is_none()
            && let Some(inbound) = self.queued_inbound.pop_front()
        {
            return Input::Inbound(inbound);
        }
        let (settles, unused) = (self.end.deadline(), self.unused_at());
        let has_room = self.queued_inbound.len() < self.limits.queue;
        tokio::select! {
            biased;
            Some(done) = self.flows.next(), if !self.flows.is_empty() => Input::Flow(done),
            Some(done) = self.reads.next(), if !self.reads.is_empty() => Input::Flow(done),
            done = translated(&mut self.translating) => Input::Flow(done),
            Some(inbound) = inbound(&mut self.inbox), if has_room => Input::Inbound(inbound),
            () = connections(&mut self.running) => Input::Settled,
            () = at(settles), if settles.is_some() => Input::Settled,
            () = given_back(self.opened.as_ref()), if self.opened.is_some() => Input::GivenBack,
            () = at(unused), if unused.is_some() => Input::Unused,
            command = self.commands.recv(), if !self.abandoned => {
                command.map_or(Input::Abandoned, Input::Command)
            }
            // Last: a program that prints without end always has more. A stop and an end read what
            // is there (`read_printed`).
            Some((stream, piece)) = self.pipes.next() => Input::Printed(stream, piece),
        }
    }
}

async fn inbound(inbox: &mut Option<Inbox>) -> Option<Inbound> {
    match inbox {
        Some(inbox) => inbox.next().await,
        None => std::future::pending().await,
    }
}

async fn translated(flow: &mut Option<Flow>) -> Done {
    let Some(running) = flow else { return std::future::pending().await };
    let done = running.await;
    *flow = None;
    done
}

/// Drives the family of connections, which ends only when it is dropped.
async fn connections(running: &mut Option<Resources>) {
    match running {
        Some(running) if !running.connections.is_empty() => {
            futures_util::future::join_all(running.connections.iter_mut()).await;
            running.connections.clear();
        }
        _ => std::future::pending().await,
    }
}

async fn at(instant: Option<Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
