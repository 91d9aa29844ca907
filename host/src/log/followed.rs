//! Passes the host's own log records to those that follow them, each at a level of its own. Without
//! a follower no record is made.
//!
//! A record belongs to the span that it is made in: one client, or the sessions of one client or
//! host. A follower gets the records of its own spans, and those without a span, which are of the
//! host itself. Never waits for a follower: one that is slow misses the oldest records.

use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use tokio::sync::Notify;
use tracing::field::{Field, Visit};
use tracing::span::Id;
use tracing::{Event, Level, Metadata, Span, Subscriber};
use tracing_subscriber::filter::{FilterExt, FilterFn, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::reload;

/// Records that a slow follower may be behind.
const RECORDS: usize = 256;

/// Longest text of a record in bytes.
const LONGEST: usize = 2_000;

/// Only records of this crate are followed: delivering a record makes the libraries below log
/// records of their own.
const OWN: &str = env!("CARGO_CRATE_NAME");

static FOLLOWERS: Mutex<Vec<Weak<Queue>>> = Mutex::new(Vec::new());

type SetLevel = Box<dyn Fn(LevelFilter) + Send + Sync>;

static LEVEL: OnceLock<SetLevel> = OnceLock::new();

/// One log record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its level.
    pub level: Level,
    /// The message and its fields.
    pub text: String,
}

impl Record {
    /// Says that a follower was too slow.
    pub fn missed(count: u64) -> Self {
        let text = format!("{count} log records were not sent: they were not read");
        Self { level: Level::WARN, text }
    }
}

/// Receives records until it is dropped.
pub struct Follower(Arc<Queue>);

struct Queue {
    spans: Vec<Id>,
    state: Mutex<State>,
    added: Notify,
}

struct State {
    level: LevelFilter,
    records: VecDeque<Record>,
    /// Records that were dropped before the first of these.
    missed: u64,
}

fn followers() -> MutexGuard<'static, Vec<Weak<Queue>>> {
    FOLLOWERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A follower of these spans and of the host itself, without records until it sets a level.
pub fn follow(spans: &[&Span]) -> Follower {
    let spans = spans.iter().filter_map(|span| span.id()).collect();
    let state = State { level: LevelFilter::OFF, records: VecDeque::new(), missed: 0 };
    let queue = Arc::new(Queue { spans, state: Mutex::new(state), added: Notify::new() });
    followers().push(Arc::downgrade(&queue));
    Follower(queue)
}

impl Follower {
    /// The least serious records that it receives from now on. None unless logging has started.
    pub fn set_level(&self, level: LevelFilter) {
        self.0.state().level = level;
        adjust(&followers());
    }

    /// The next record. Safe to cancel.
    pub async fn next(&self) -> Record {
        loop {
            if let Some(record) = self.0.state().take() {
                return record;
            }
            self.0.added.notified().await;
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut all = followers();
        all.retain(|other| !std::ptr::eq(other.as_ptr(), Arc::as_ptr(&self.0)));
        adjust(&all);
    }
}

/// Has records made at the lowest level that a follower needs.
fn adjust(followers: &[Weak<Queue>]) {
    let levels = followers.iter().filter_map(Weak::upgrade).map(|queue| queue.state().level);
    let level = levels.max().unwrap_or(LevelFilter::OFF);
    if let Some(set) = LEVEL.get() {
        set(level);
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wants(&self, level: Level, span: Option<&Id>) -> bool {
        span.is_none_or(|span| self.spans.contains(span)) && level <= self.state().level
    }

    fn add(&self, record: Record) {
        let mut state = self.state();
        if state.records.len() == RECORDS {
            state.records.pop_front();
            state.missed += 1;
        }
        state.records.push_back(record);
        self.added.notify_one();
    }
}

impl State {
    fn take(&mut self) -> Option<Record> {
        match std::mem::take(&mut self.missed) {
            0 => self.records.pop_front(),
            missed => Some(Record::missed(missed)),
        }
    }
}

/// The layer that makes records, off until a follower sets a level.
pub(super) fn layer<S>() -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let (filter, handle) = reload::Layer::new(at(LevelFilter::OFF));
    let set = move |level| {
        // Fails only if the subscriber is gone.
        drop(handle.modify(|filter| *filter = at(level)));
    };
    // Logging starts once.
    drop(LEVEL.set(Box::new(set)));
    Followed.with_filter(FilterExt::<S>::or(filter, own_spans()))
}

fn at(level: LevelFilter) -> Targets {
    Targets::new().with_target(OWN, level)
}

/// Spans live longer than levels: they are always known.
fn own_spans() -> FilterFn {
    let is_own: fn(&Metadata<'_>) -> bool =
        |what| what.is_span() && *what.level() == Level::ERROR && what.target().starts_with(OWN);
    filter_fn(is_own).with_max_level_hint(LevelFilter::ERROR)
}

struct Followed;

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Followed {
    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let level = *event.metadata().level();
        let span = context.event_span(event).map(|span| span.id());
        let mut record: Option<Record> = None;
        for queue in followers().iter().filter_map(Weak::upgrade) {
            if queue.wants(level, span.as_ref()) {
                queue.add(record.get_or_insert_with(|| of_event(event)).clone());
            }
        }
    }
}

fn of_event(event: &Event<'_>) -> Record {
    let mut text = Text::default();
    event.record(&mut text);
    let mut text = text.0;
    text.truncate(text.floor_char_boundary(LONGEST));
    Record { level: *event.metadata().level(), text }
}

/// The message, then each field as `name=value`.
#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let space = if self.0.is_empty() { "" } else { " " };
        let _infallible = match field.name() {
            "message" => write!(self.0, "{space}{value:?}"),
            name => write!(self.0, "{space}{name}={value:?}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: usize) -> Record {
        Record { level: Level::INFO, text: format!("record {number}") }
    }

    #[tokio::test]
    async fn slow_follower_reads_how_many_records_it_missed() {
        let follower = follow(&[]);
        (0..RECORDS + 3).for_each(|number| follower.0.add(record(number)));
        assert_eq!(follower.next().await, Record::missed(3));
        assert_eq!(follower.next().await, record(3));
    }
}
