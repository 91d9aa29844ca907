//! Reports changes of the sessions to those that follow them. Never waits for a follower, and costs
//! almost nothing without one.
//!
//! Refuses to know who follows and what a change means to a reader.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use tokio::sync::{broadcast, watch};

use super::live::{Live, LiveEvent, State};
use crate::model::{Breakpoint, Exit, LogHit, SessionId, Stop};

/// Events that a slow follower may be behind; then it misses the oldest.
const EVENTS: usize = 256;

/// The changes of all sessions of one host.
#[derive(Clone)]
pub struct Feed {
    pulse: watch::Sender<()>,
    events: broadcast::Sender<Event>,
    log: broadcast::Sender<LogLine>,
    collectors: Arc<Mutex<Vec<Weak<dyn Collector>>>>,
}

/// A follower that misses no event: it takes each before the callers that wait for it go on.
pub trait Collector: Send + Sync {
    /// Runs in the session: it must not wait.
    fn take(&self, event: &Event);
}

impl Default for Feed {
    fn default() -> Self {
        Self {
            pulse: watch::Sender::default(),
            events: broadcast::Sender::new(EVENTS),
            log: broadcast::Sender::new(EVENTS),
            collectors: Arc::default(),
        }
    }
}

impl Feed {
    /// Ready after any change: of the list of sessions or of one of them. Many changes are one.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.pulse.subscribe()
    }

    /// All events from now on. A follower that is slow gets the number of those it has missed.
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    /// Gives all events from now on to a collector, as long as it lives.
    pub fn collect(&self, collector: Weak<dyn Collector>) {
        let mut all = self.collectors.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(collector);
    }

    fn collectors(&self) -> Vec<Arc<dyn Collector>> {
        let mut all = self.collectors.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|collector| collector.strong_count() > 0);
        all.iter().filter_map(Weak::upgrade).collect()
    }

    /// All lines that sessions log from now on, as [`events`](Self::events).
    pub fn log(&self) -> broadcast::Receiver<LogLine> {
        self.log.subscribe()
    }

    pub(super) fn changed(&self) {
        self.pulse.send_replace(());
    }
}

/// A line of a session's own log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The session.
    pub session: SessionId,
    /// The line.
    pub text: String,
    /// Whether it says why the session failed.
    pub is_failure: bool,
}

/// An event of a session.
#[derive(Clone, Debug)]
pub struct Event {
    /// The session.
    pub session: SessionId,
    /// When it happened.
    pub at: SystemTime,
    /// What happened.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// A stop that callers see, and the breakpoints that it hit.
    Stopped(Arc<Stop>, Vec<Breakpoint>),
    /// A hit of a log breakpoint, with its log breakpoint.
    Logged(LogHit, Box<Breakpoint>),
    /// Another state; the stop is that of [`State::Stopped`].
    State(State, State, Option<Arc<Stop>>),
}

/// Counters that grow with the output and the log of one session.
#[derive(Default)]
pub(super) struct Revisions {
    output: AtomicU64,
    log: AtomicU64,
}

/// A moment in the life of a session's output and log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// Grows when output is added.
    pub output: u64,
    /// Grows when a line is added to the log.
    pub log: u64,
}

impl Revisions {
    pub(super) fn set(&self, revision: Revision) {
        self.output.store(revision.output, Ordering::Relaxed);
        self.log.store(revision.log, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> Revision {
        Revision {
            output: self.output.load(Ordering::Relaxed),
            log: self.log.load(Ordering::Relaxed),
        }
    }
}

/// The reports of one session.
pub(super) struct Reporter {
    session: SessionId,
    feed: Feed,
    revisions: Arc<Revisions>,
    live: Live,
    /// The state that was reported last.
    state: State,
    /// The number of the first line of the log that was not reported.
    logged: u64,
}

impl Reporter {
    pub(super) fn new(session: SessionId, feed: Feed) -> Self {
        Self {
            session,
            feed,
            revisions: Arc::default(),
            live: Live::default(),
            state: State::Starting,
            logged: 0,
        }
    }

    pub(super) fn revisions(&self) -> Arc<Revisions> {
        self.revisions.clone()
    }

    pub(super) fn live(&self) -> Live {
        self.live.clone()
    }

    /// Reports the end.
    pub(super) fn ended(&self, exit: &Arc<Exit>) {
        self.live.send(|| LiveEvent::Ended(exit.clone()));
    }

    /// Reports a change of breakpoints.
    pub(super) fn breakpoints(&self) {
        self.live.send(|| LiveEvent::Breakpoints);
    }

    /// Something of the session may have changed.
    pub(super) fn changed(&self, revision: Revision) {
        self.revisions.set(revision);
        self.feed.changed();
    }

    /// Reports the state if it differs from the last report.
    pub(super) fn state(&mut self, state: State, stop: Option<&Arc<Stop>>) {
        let before = std::mem::replace(&mut self.state, state);
        if before != state {
            // The end is an event of its own.
            if state != State::Ended {
                self.live.send(|| LiveEvent::State(state));
            }
            self.event(|| EventKind::State(before, state, stop.cloned()));
        }
    }

    /// Reports the lines that were logged since the last report. `end`: the number of the next
    /// line; `since`: the lines from a number on, each with whether it says why the session failed.
    pub(super) fn log<'a, L>(&mut self, end: u64, since: impl FnOnce(u64) -> L)
    where
        L: Iterator<Item = (&'a str, bool)>,
    {
        let from = std::mem::replace(&mut self.logged, end);
        if self.feed.log.receiver_count() == 0 {
            return;
        }
        for (text, is_failure) in since(from) {
            let (session, text) = (self.session.clone(), text.to_owned());
            drop(self.feed.log.send(LogLine { session, text, is_failure }));
        }
    }

    /// Reports a stop that callers see.
    pub(super) fn stopped(&self, stop: &Arc<Stop>, hit: impl FnOnce() -> Vec<Breakpoint>) {
        self.live.send(|| LiveEvent::Stopped(stop.clone()));
        self.event(|| EventKind::Stopped(stop.clone(), hit()));
    }

    /// Reports an event, which is made only for followers.
    pub(super) fn event(&self, kind: impl FnOnce() -> EventKind) {
        let collectors = self.feed.collectors();
        if collectors.is_empty() && self.feed.events.receiver_count() == 0 {
            return;
        }
        let event = Event { session: self.session.clone(), at: SystemTime::now(), kind: kind() };
        for collector in collectors {
            collector.take(&event);
        }
        // The last follower may have left just now.
        drop(self.feed.events.send(event));
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast::error::TryRecvError;

    use super::*;

    #[test]
    fn slow_follower_gets_the_number_of_missed_events() {
        let feed = Feed::default();
        let mut reporter = Reporter::new(SessionId("x-1".into()), feed.clone());
        let mut events = feed.events();
        for turn in 0..EVENTS + 10 {
            let state = if turn % 2 == 0 { State::Running } else { State::Stopped };
            reporter.state(state, None);
        }
        assert!(matches!(events.try_recv(), Err(TryRecvError::Lagged(10))));
        assert!(events.try_recv().is_ok());
    }

    #[derive(Default)]
    struct Count(Mutex<usize>);

    impl Collector for Count {
        fn take(&self, _: &Event) {
            *self.0.lock().expect("no panic") += 1;
        }
    }

    #[test]
    fn collector_takes_each_event_until_it_is_dropped() {
        let feed = Feed::default();
        let mut reporter = Reporter::new(SessionId("x-1".into()), feed.clone());
        let count = Arc::new(Count::default());
        let collector: Arc<dyn Collector> = count.clone();
        feed.collect(Arc::downgrade(&collector));
        for turn in 0..3 * EVENTS {
            let state = if turn % 2 == 0 { State::Running } else { State::Stopped };
            reporter.state(state, None);
        }
        assert_eq!(*count.0.lock().expect("no panic"), 3 * EVENTS);
        drop((count, collector));
        assert!(feed.collectors().is_empty());
    }

    #[test]
    fn repeated_state_is_no_event() {
        let feed = Feed::default();
        let mut reporter = Reporter::new(SessionId("x-1".into()), feed.clone());
        let mut events = feed.events();
        for state in [State::Starting, State::Running, State::Running] {
            reporter.state(state, None);
        }
        let event = events.try_recv().expect("one event").kind;
        assert!(matches!(event, EventKind::State(State::Starting, State::Running, None)));
        assert!(matches!(events.try_recv(), Err(TryRecvError::Empty)));
    }
}
