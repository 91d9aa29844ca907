//! Receiving: the one stream that reads and writes.
//!
//! Knows two byte streams and the codec. Refuses to know what a message means. It spawns nothing:
//! bytes move only while its owner polls it. A reader task with one channel for events and one for
//! responses would lose wire order.

use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use futures_util::Stream;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::mpsc::UnboundedReceiver;

use super::codec::{Cause, Decoder, Frame, FrameLimits, Garbage};
use super::{Client, CloseReason, Inbound, RawEvent, ReverseRequest, error};
use crate::dap::shared::{Connection, Outgoing};

/// Size of one read, in bytes.
const CHUNK: usize = 16 << 10;
/// A buffer larger than this is freed once it is empty.
const RETAIN: usize = 1 << 20;

/// Bounds of one wire.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Largest header and message.
    pub frame: FrameLimits,
    /// Deadline of a request that names no other.
    pub request: Duration,
}

/// Connects two byte streams. Nothing happens until the [`Inbox`] is polled.
pub fn connect(
    read: impl AsyncRead + Send + 'static,
    write: impl AsyncWrite + Send + 'static,
    limits: Limits,
) -> (Client, Inbox) {
    let (wire, outgoing) = Connection::new();
    let wire = Arc::new(wire);
    let inbox = Inbox {
        wire: wire.clone(),
        source: Source {
            read: Box::pin(read),
            buffer: BytesMut::new(),
            decoder: Decoder::new(limits.frame),
        },
        sink: Some(Sink {
            write: Box::pin(write),
            outgoing,
            seq: None,
            frame: Bytes::new(),
            dirty: false,
        }),
        state: State::Open,
    };
    (Client::new(wire, limits.request), inbox)
}

/// All messages of the adapter in wire order; [`Inbound::Closed`] is the last item. Polling it also
/// writes the messages that the [`Client`] has queued. Cancel safe: dropping a `next()` loses
/// nothing. Dropping the inbox closes the wire.
pub struct Inbox {
    wire: Arc<Connection>,
    source: Source,
    /// `None` after a failed write.
    sink: Option<Sink>,
    state: State,
}

/// Messages that wait to be written, without the one that is being written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Backlog {
    pub(crate) messages: usize,
    pub(crate) bytes: usize,
}

#[derive(Debug)]
enum State {
    Open,
    /// The rest of the buffer was yielded as garbage; the reason comes next.
    Ending(CloseReason),
    Ended,
}

struct Source {
    read: Pin<Box<dyn AsyncRead + Send>>,
    buffer: BytesMut,
    decoder: Decoder,
}

struct Sink {
    write: Pin<Box<dyn AsyncWrite + Send>>,
    outgoing: UnboundedReceiver<Outgoing>,
    /// Number of the request in `frame`.
    seq: Option<i64>,
    frame: Bytes,
    /// Written and not yet flushed.
    dirty: bool,
}

impl Source {
    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Result<Frame, CloseReason>> {
        loop {
            if let Some(frame) = self.decoder.decode(&mut self.buffer) {
                return Poll::Ready(Ok(frame));
            }
            if self.buffer.is_empty() && self.buffer.capacity() > RETAIN {
                self.buffer = BytesMut::new();
            }
            self.buffer.reserve(CHUNK);
            match ready!(pin!(self.read.read_buf(&mut self.buffer)).poll(cx)) {
                Ok(0) => return Poll::Ready(Err(CloseReason::Eof)),
                Ok(_) => {}
                Err(error) => return Poll::Ready(Err(CloseReason::Read(Arc::new(error)))),
            }
        }
    }
}

impl Sink {
    /// Writes until the queue is empty or the stream is full.
    fn poll_drain(&mut self, wire: &Connection, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            while self.frame.has_remaining() {
                match ready!(self.write.as_mut().poll_write(cx, &self.frame))? {
                    0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                    written => self.frame.advance(written),
                }
                self.dirty = true;
            }
            self.seq = None;
            match self.outgoing.poll_recv(cx) {
                Poll::Ready(Some((seq, frame))) => {
                    wire.dequeued(frame.len());
                    (self.seq, self.frame) = (seq, frame);
                }
                _ if self.dirty => {
                    ready!(self.write.as_mut().poll_flush(cx))?;
                    self.dirty = false;
                }
                _ => return Poll::Pending,
            }
        }
    }

    /// Requests that were not written completely.
    fn unsent(mut self) -> Vec<i64> {
        self.outgoing.close();
        let mut unsent: Vec<_> = self.seq.into_iter().collect();
        while let Ok((seq, _)) = self.outgoing.try_recv() {
            unsent.extend(seq);
        }
        unsent
    }
}

impl Inbox {
    /// A failed write does not end the stream: messages of the adapter may still be unread.
    fn poll_write(&mut self, cx: &mut Context<'_>) {
        let Some(sink) = &mut self.sink else { return };
        if let Poll::Ready(Err(error)) = sink.poll_drain(&self.wire, cx) {
            let reason = CloseReason::Write(Arc::new(error));
            self.wire.refuse_requests(reason.clone());
            for seq in self.sink.take().map(Sink::unsent).unwrap_or_default() {
                self.wire.fail(seq, reason.clone());
            }
        }
    }

    /// What waits to be written; nothing does after a failed write.
    pub(crate) fn backlog(&self) -> Backlog {
        let Some(sink) = &self.sink else { return Backlog::default() };
        Backlog { messages: sink.outgoing.len(), bytes: self.wire.queued() }
    }

    /// Ends once the queue is written or a write has failed.
    pub(crate) async fn flushed(&mut self) {
        std::future::poll_fn(|cx| {
            self.poll_write(cx);
            let idle = |sink: &Sink| {
                !sink.frame.has_remaining() && sink.outgoing.is_empty() && !sink.dirty
            };
            if self.sink.as_ref().is_none_or(idle) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    fn garbage(&self, garbage: Garbage) -> Inbound {
        self.wire.trace().garbage(&garbage);
        Inbound::Garbage(garbage)
    }

    fn end(&mut self, reason: CloseReason) -> Inbound {
        self.state = State::Ended;
        self.sink = None;
        self.wire.close(&reason);
        Inbound::Closed(reason)
    }
}

impl Stream for Inbox {
    type Item = Inbound;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Inbound>> {
        let this = &mut *self;
        match std::mem::replace(&mut this.state, State::Open) {
            State::Open => {}
            State::Ending(reason) => return Poll::Ready(Some(this.end(reason))),
            State::Ended => {
                this.state = State::Ended;
                return Poll::Ready(None);
            }
        }
        this.poll_write(cx);
        Poll::Ready(Some(match ready!(this.source.poll_frame(cx)) {
            Ok(Frame::Message(message)) => {
                this.wire.trace().received(&message);
                sort(&this.wire, message)
            }
            Ok(Frame::Garbage(garbage)) => this.garbage(garbage),
            Err(reason) => match this.source.decoder.finish(&mut this.source.buffer) {
                Some(garbage) => {
                    this.state = State::Ending(reason);
                    this.garbage(garbage)
                }
                None => this.end(reason),
            },
        }))
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.wire.close(&CloseReason::Dropped);
    }
}

impl std::fmt::Debug for Inbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inbox").field("state", &self.state).finish_non_exhaustive()
    }
}

/// The kind of a message. A response goes to the future of its request on the way.
fn sort(wire: &Connection, mut message: Value) -> Inbound {
    match message["type"].as_str() {
        Some("event") => match message["event"].as_str().map(str::to_owned) {
            Some(event) => Inbound::Event(RawEvent { event, body: message["body"].take() }),
            None => not_dap("event without a name", &message),
        },
        Some("response") => match message["request_seq"].as_i64() {
            Some(request_seq) => Inbound::Response(wire.fulfil(request_seq, message)),
            None => not_dap("response without a request_seq", &message),
        },
        Some("request") => {
            match (message["command"].as_str().map(str::to_owned), message["seq"].as_i64()) {
                (Some(command), Some(seq)) => {
                    let arguments = message["arguments"].take();
                    Inbound::Request(ReverseRequest { seq, command, arguments })
                }
                _ => not_dap("request without a command or a seq", &message),
            }
        }
        _ => not_dap("message without a type", &message),
    }
}

fn not_dap(missing: &'static str, message: &Value) -> Inbound {
    let bytes = message.to_string().len();
    Inbound::Garbage(Garbage {
        cause: Cause::NotDap(missing),
        bytes,
        excerpt: error::excerpt(message),
    })
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn backlog_has_the_messages_that_are_not_being_written() {
        let (mut reader, writer) = tokio::io::duplex(100);
        let limits = Limits { frame: FrameLimits::default(), request: Duration::MAX };
        let (client, mut inbox) = connect(tokio::io::empty(), writer, limits);
        let mut lengths = Vec::new();
        for _ in 0..3 {
            client.emit("output", Value::from("x".repeat(1_000)));
            lengths.push(inbox.backlog().bytes);
        }
        let one = lengths[0];
        assert!(one > 1_000 && lengths == [one, 2 * one, 3 * one], "{lengths:?}");
        assert!(inbox.flushed().now_or_never().is_none());
        assert_eq!(inbox.backlog(), Backlog { messages: 2, bytes: 2 * one });
        let mut read = vec![0; 3 * one];
        let (count, ()) = tokio::join!(reader.read_exact(&mut read), inbox.flushed());
        assert_eq!((count.unwrap(), inbox.backlog()), (3 * one, Backlog::default()));
    }
}
