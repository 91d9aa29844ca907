//! The last events of one conversation: a client that has lost a connection gets what it missed,
//! the answer of a call included, and what comes after.
//!
//! Refuses to know what an event says, but for the end of its stream.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::stream;
use rmcp::model::JsonRpcMessage;
use rmcp::transport::streamable_http_server::session::{
    EventStore, EventStoreError, EventStream, ServerSseMessage,
};
use tokio::sync::watch;

/// Events of one stream that are stored.
const OF_STREAM: usize = 64;
/// Events that are stored.
const ALL: usize = 256;

pub(super) struct Events {
    log: Arc<Mutex<Log>>,
    /// The number of events so far.
    count: watch::Sender<u64>,
}

impl Events {
    /// `bytes`: of the messages that are stored.
    pub fn new(bytes: usize) -> Self {
        let log = Log { stored: VecDeque::new(), count: 0, bytes: 0, most: bytes };
        Self { log: Arc::new(Mutex::new(log)), count: watch::Sender::default() }
    }
}

struct Log {
    stored: VecDeque<Event>,
    count: u64,
    /// Of all stored messages.
    bytes: usize,
    /// Bytes at most. The newest event is stored, whatever its size.
    most: usize,
}

struct Event {
    number: u64,
    stream: String,
    message: ServerSseMessage,
    bytes: usize,
}

impl Log {
    fn add(&mut self, stream: &str, message: &ServerSseMessage) -> String {
        self.count += 1;
        let id = self.count.to_string();
        let of_stream = |event: &Event| event.stream == stream;
        if self.stored.iter().filter(|event| of_stream(event)).count() >= OF_STREAM {
            let oldest = self.stored.iter().position(of_stream);
            self.remove(oldest);
        }
        let bytes = size(message);
        while self.stored.len() >= ALL || self.bytes.saturating_add(bytes) > self.most {
            if !self.remove(Some(0)) {
                break;
            }
        }
        let mut message = message.clone();
        message.event_id = Some(id.clone());
        let (number, stream) = (self.count, stream.to_owned());
        self.stored.push_back(Event { number, stream, message, bytes });
        self.bytes += bytes;
        id
    }

    /// False: there is none.
    fn remove(&mut self, at: Option<usize>) -> bool {
        let removed = at.and_then(|at| self.stored.remove(at));
        self.bytes -= removed.as_ref().map_or(0, |event| event.bytes);
        removed.is_some()
    }

    fn next(&self, stream: &str, after: u64) -> Option<(u64, ServerSseMessage)> {
        let next = self.stored.iter().find(|event| event.number > after && event.stream == stream);
        next.map(|event| (event.number, event.message.clone()))
    }
}

/// Bytes of a message as JSON.
fn size(event: &ServerSseMessage) -> usize {
    let mut size = Size(0);
    // Counting does not fail, and a message that cannot be written is not sent either.
    let _ = serde_json::to_writer(&mut size, &event.message.as_deref());
    size.0
}

struct Size(usize);

impl Write for Size {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn locked(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The answer to a request is the last event of its stream.
fn is_last(message: &ServerSseMessage) -> bool {
    matches!(
        message.message.as_deref(),
        Some(JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_))
    )
}

#[async_trait::async_trait]
impl EventStore for Events {
    async fn store_event(
        &self,
        stream: &str,
        event: &ServerSseMessage,
    ) -> Result<String, EventStoreError> {
        let id = locked(&self.log).add(stream, event);
        self.count.send_modify(|count| *count += 1);
        Ok(id)
    }

    /// Does not end before the stream does.
    async fn replay_events_after(&self, last: &str) -> Result<EventStream, EventStoreError> {
        let number: u64 = last.parse()?;
        let named = {
            let log = locked(&self.log);
            let named = log.stored.iter().find(|event| event.number == number);
            named.map(|event| (event.stream.clone(), is_last(&event.message)))
        };
        let Some((stream, is_over)) = named else {
            return Err(io::Error::other("the event is not stored any more").into());
        };
        let (log, count) = (self.log.clone(), self.count.subscribe());
        let first = (!is_over).then_some((number, count));
        Ok(Box::pin(stream::unfold(first, move |position| {
            let (log, stream) = (log.clone(), stream.clone());
            async move {
                let (after, mut count) = position?;
                loop {
                    count.mark_unchanged();
                    let next = locked(&log).next(&stream, after);
                    if let Some((number, message)) = next {
                        let position = (!is_last(&message)).then_some((number, count));
                        return Some((message, position));
                    }
                    count.changed().await.ok()?;
                }
            }
        })))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use rmcp::model::{
        CallToolResult, ContentBlock, EmptyResult, NumberOrString, ServerJsonRpcMessage,
        ServerResult,
    };

    use super::*;

    fn part() -> ServerSseMessage {
        ServerSseMessage::retry(std::time::Duration::ZERO)
    }

    fn answer() -> ServerSseMessage {
        let result = ServerResult::EmptyResult(EmptyResult {});
        let message = ServerJsonRpcMessage::response(result, NumberOrString::Number(1));
        ServerSseMessage::from_message(message)
    }

    async fn ids(events: &Events, after: &str) -> Vec<String> {
        let replay = events.replay_events_after(after).await.unwrap();
        replay.map(|event| event.event_id.unwrap()).collect().await
    }

    #[tokio::test]
    async fn missed_events_of_a_stream_come_up_to_its_answer() {
        let events = Events::new(usize::MAX);
        for (stream, event) in [("a", part()), ("b", part()), ("a", part()), ("b", answer())] {
            events.store_event(stream, &event).await.unwrap();
        }
        let late = async { events.store_event("a", &answer()).await.unwrap() };
        let (missed, late) = tokio::join!(ids(&events, "1"), late);
        assert_eq!((missed, late.as_str()), (vec!["3".to_owned(), "5".to_owned()], "5"));
        assert_eq!(ids(&events, "2").await, ["4"]);
        assert_eq!(ids(&events, "5").await, [""; 0]);
    }

    #[tokio::test]
    async fn old_events_are_dropped_the_oldest_of_a_long_stream_first() {
        let events = Events::new(usize::MAX);
        events.store_event("call", &part()).await.unwrap();
        for _ in 0..10 * ALL {
            events.store_event("flood", &part()).await.unwrap();
        }
        assert_eq!(locked(&events.log).stored.len(), 1 + OF_STREAM);
        events.store_event("call", &answer()).await.unwrap();
        assert_eq!(ids(&events, "1").await.len(), 1);
        assert!(events.replay_events_after("2").await.is_err());
        assert!(events.replay_events_after("x").await.is_err());
        for stream in 0..ALL {
            events.store_event(&stream.to_string(), &part()).await.unwrap();
        }
        assert_eq!(locked(&events.log).stored.len(), ALL);
    }

    /// An answer of that many bytes and a few more.
    fn large(bytes: usize) -> ServerSseMessage {
        let text = CallToolResult::success(vec![ContentBlock::text("x".repeat(bytes))]);
        let result = ServerResult::CallToolResult(text);
        let message = ServerJsonRpcMessage::response(result, NumberOrString::Number(1));
        ServerSseMessage::from_message(message)
    }

    #[tokio::test]
    async fn events_are_bounded_by_their_bytes() {
        let events = Events::new(10_000);
        for stream in 1..=20 {
            events.store_event(&stream.to_string(), &part()).await.unwrap();
            events.store_event(&stream.to_string(), &large(3_000)).await.unwrap();
            assert!(locked(&events.log).bytes <= 10_000);
        }
        assert_eq!(ids(&events, "39").await, ["40"]);
        assert!(events.replay_events_after("30").await.is_err());
        // The newest event, whatever its size.
        events.store_event("21", &part()).await.unwrap();
        events.store_event("21", &large(50_000)).await.unwrap();
        assert_eq!(locked(&events.log).stored.len(), 1);
        events.store_event("22", &part()).await.unwrap();
        assert_eq!(locked(&events.log).bytes, size(&part()));
    }
}
