//! The inputs of the actor and their priority. Knows nothing of what an input does.

use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::incoming::Next;
use super::opened::given_back;
use super::processes::Processes;
use super::{Actor, Done};
use crate::dap::Inbound;
use crate::model::Stream;
use crate::process::Piece;
use crate::session::handle::Command;

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

/// Calls of handles.
pub(super) struct Calls {
    commands: mpsc::Receiver<Command>,
    /// Every handle is gone.
    are_over: bool,
    /// Counts inputs.
    turn: u32,
}

impl Calls {
    pub(super) fn new(commands: mpsc::Receiver<Command>) -> Self {
        Self { commands, are_over: false, turn: 0 }
    }

    pub(super) fn end(&mut self) {
        self.are_over = true;
    }

    pub(super) fn are_over(&self) -> bool {
        self.are_over
    }

    /// The next command, every [`FAIR_TURN`]th time.
    fn take_turn(&mut self) -> Option<Command> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(FAIR_TURN) { self.commands.try_recv().ok() } else { None }
    }

    /// The next command; `None` once: every handle is gone. Cancel safe.
    async fn next(&mut self) -> Option<Command> {
        if self.are_over { std::future::pending().await } else { self.commands.recv().await }
    }
}

impl Actor {
    pub(super) async fn next_input(&mut self) -> Input {
        if let Some(command) = self.calls.take_turn() {
            return Input::Command(command);
        }
        if let Some(result) = self.incoming.take_behind() {
            return Input::Flow(result);
        }
        if let Some(inbound) = self.incoming.take_queued() {
            return Input::Inbound(inbound);
        }
        let (settles, unused) = (self.end.deadline(), self.unused_at());
        tokio::select! {
            biased;
            Some(done) = self.flows.next(), if !self.flows.is_empty() => Input::Flow(done),
            Some(done) = self.reads.next(), if !self.reads.is_empty() => Input::Flow(done),
            next = self.incoming.next(self.limits.queue) => match next {
                Next::Translated(done) => Input::Flow(done),
                Next::Inbound(inbound) => Input::Inbound(inbound),
            },
            () = Processes::connections(&mut self.processes.resources) => Input::Settled,
            () = at(settles), if settles.is_some() => Input::Settled,
            () = given_back(self.opened.as_ref()), if self.opened.is_some() => Input::GivenBack,
            () = at(unused), if unused.is_some() => Input::Unused,
            command = self.calls.next() => command.map_or(Input::Abandoned, Input::Command),
            // Last: a program that prints without end always has more. A stop and an end read what
            // is there (`read_printed`).
            Some((stream, piece)) = self.processes.pipes.next() => Input::Printed(stream, piece),
        }
    }
}

async fn at(instant: Option<Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
