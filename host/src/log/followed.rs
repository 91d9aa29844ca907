//! Passes the host's own log records to those that follow them, at a level that they set. Without a
//! follower no record is made.
//!
//! Never waits for a follower: one that is slow misses the oldest records.

use std::fmt::{self, Write};
use std::sync::{LazyLock, OnceLock};

use tokio::sync::broadcast;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
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

static FOLLOWERS: LazyLock<broadcast::Sender<Record>> =
    LazyLock::new(|| broadcast::Sender::new(RECORDS));

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

/// All records of the set level from now on.
pub fn follow() -> broadcast::Receiver<Record> {
    FOLLOWERS.subscribe()
}

/// Sets the level of the records that are followed; they are off at first. Does nothing unless
/// logging has started.
pub fn set_level(level: LevelFilter) {
    if let Some(set) = LEVEL.get() {
        set(level);
    }
}

/// The layer that makes records, off until [`set_level`].
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
    Followed.with_filter(filter)
}

fn at(level: LevelFilter) -> Targets {
    Targets::new().with_target(OWN, level)
}

struct Followed;

impl<S: Subscriber> Layer<S> for Followed {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if FOLLOWERS.receiver_count() == 0 {
            return;
        }
        let mut text = Text::default();
        event.record(&mut text);
        let mut text = text.0;
        text.truncate(text.floor_char_boundary(LONGEST));
        // The last follower may have left just now.
        drop(FOLLOWERS.send(Record { level: *event.metadata().level(), text }));
    }
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
