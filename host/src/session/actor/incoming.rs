//! Messages of the adapter: from its connection, and those behind an event that a hook translates.

use std::collections::VecDeque;

use futures_util::StreamExt;
use serde_json::Value;

use super::{Done, Flow};
use crate::dap::{Inbound, Inbox, RawEvent};

/// Bytes of output that wait for a hook before the connection is no longer read.
const WAITING: usize = 4 << 20;

/// Most events behind the first one in one call of the hook, and bytes of output from which on no
/// more are added.
const TOGETHER: (usize, usize) = (31, 64 << 10);

const OUTPUT: &str = "output";

#[derive(Default)]
pub(super) struct Incoming {
    /// Set when prepared, cleared when the connection closes.
    inbox: Option<Inbox>,
    /// The hook that translates an event, while it runs.
    hook: Option<Flow>,
    /// Messages behind that event, in order.
    queued: VecDeque<Inbound>,
    /// Number of messages that were taken from the queue.
    taken: u64,
    /// Results that are judged once so many messages are handled.
    behind: VecDeque<(u64, Done)>,
    /// Bytes of output in these.
    output: usize,
}

impl Incoming {
    pub(super) fn open(&mut self, inbox: Inbox) {
        self.inbox = Some(inbox);
    }

    pub(super) fn close(&mut self) {
        self.inbox = None;
    }

    pub(super) fn is_open(&self) -> bool {
        self.inbox.is_some()
    }

    pub(super) fn is_translating(&self) -> bool {
        self.hook.is_some()
    }

    /// Later messages wait until this hook returns.
    pub(super) fn translate(&mut self, hook: Option<Flow>) {
        self.hook = hook;
    }

    pub(super) fn queue(&mut self, inbound: Inbound) {
        self.output += output_in(&inbound);
        self.queued.push_back(inbound);
    }

    /// A message that waited for a hook.
    pub(super) fn take_queued(&mut self) -> Option<Inbound> {
        if self.hook.is_some() {
            return None;
        }
        let next = self.queued.pop_front()?;
        self.output -= output_in(&next);
        self.taken += 1;
        Some(next)
    }

    /// The events at the front of the queue that follow `first` in one call of the hook: `output`
    /// events, which come in great numbers and change nothing that a hook reads.
    pub(super) fn take_following(&mut self, first: &RawEvent) -> Vec<RawEvent> {
        let (mut taken, mut bytes) = (Vec::new(), 0);
        while let Some(Inbound::Event(next)) = self.queued.front()
            && (first.event == OUTPUT && next.event == OUTPUT)
            && (taken.len() < TOGETHER.0 && bytes < TOGETHER.1)
            && let Some(Inbound::Event(next)) = self.take_queued()
        {
            bytes += output_of(&next);
            taken.push(next);
        }
        taken
    }

    /// Whether a hook or queued messages come before what is read now.
    pub(super) fn is_delayed(&self) -> bool {
        self.hook.is_some() || !self.queued.is_empty()
    }

    /// An answer is read as it comes, ahead of a queued event that came before it: what the answer
    /// means depends on that event.
    pub(super) fn queue_behind(&mut self, result: Done) {
        let last = self.taken + self.queued.len() as u64;
        self.behind.push_back((last, result));
    }

    /// A result whose messages are handled: of the queued ones none that came later.
    pub(super) fn take_behind(&mut self) -> Option<Done> {
        let is_due = |(last, _): &&(u64, Done)| self.hook.is_none() && self.taken >= *last;
        self.behind.front().filter(is_due)?;
        self.behind.pop_front().map(|(_, result)| result)
    }

    /// The next result of a hook, or message; of these only as many as `most` wait for a hook.
    /// Cancel safe.
    pub(super) async fn next(&mut self, most: usize) -> Next {
        let has_room = self.queued.len() < most && self.output < WAITING;
        tokio::select! {
            biased;
            done = translated(&mut self.hook) => Next::Translated(done),
            Some(inbound) = inbound(&mut self.inbox), if has_room => Next::Inbound(inbound),
        }
    }
}

/// Bytes of the texts of an `output` event; other messages are short.
fn output_in(inbound: &Inbound) -> usize {
    match inbound {
        Inbound::Event(event) => output_of(event),
        _ => 0,
    }
}

/// With the texts of log breakpoints in its `data`.
fn output_of(event: &RawEvent) -> usize {
    let length = |text: &Value| text.as_str().map_or(0, str::len);
    let logged = event.body["data"]["texts"].as_array().into_iter().flatten();
    length(&event.body["output"]) + logged.map(|one| length(&one["text"])).sum::<usize>()
}

/// What an adapter's side has next.
pub(super) enum Next {
    /// The events that a hook has made of one.
    Translated(Done),
    Inbound(Inbound),
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(name: &str, text: &str) -> RawEvent {
        RawEvent { event: name.to_owned(), body: json!({"output": text}) }
    }

    #[test]
    fn output_events_in_a_row_are_read_together() {
        let first = event(OUTPUT, "first");
        let after = |names: &[&str]| {
            let mut incoming = Incoming::default();
            for name in names {
                incoming.queue(Inbound::Event(event(name, "text")));
            }
            incoming.take_following(&first).len()
        };
        assert_eq!(after(&[]), 0);
        assert_eq!(after(&[OUTPUT, OUTPUT, "stopped", OUTPUT]), 2);
        assert_eq!(after(&["stopped", OUTPUT]), 0);
        assert_eq!(after(&[OUTPUT; 40]), TOGETHER.0);
        let mut incoming = Incoming::default();
        incoming.queue(Inbound::Event(first.clone()));
        assert_eq!(incoming.take_following(&event("stopped", "")), []);
        let long = event(OUTPUT, &"x".repeat(TOGETHER.1));
        for one in [&first, &long, &first] {
            incoming.queue(Inbound::Event(one.clone()));
        }
        assert_eq!(incoming.take_following(&first), [first.clone(), first.clone(), long]);
        assert!(matches!(incoming.take_queued(), Some(Inbound::Event(last)) if last == first));
        assert_eq!((incoming.output, incoming.taken), (0, 4));
    }
}
