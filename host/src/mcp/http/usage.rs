//! When a client was there last: its open requests, and whether one of their answers broke off.
//!
//! Refuses to know what is answered and what follows from it.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tokio::sync::watch;
use tokio::time::Instant;

use super::Body;

/// The requests of one client.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Requests whose answers are not sent to their end.
    pub open: usize,
    /// The connection of an answer broke, and no request has come since.
    pub is_lost: bool,
    /// The last change.
    pub since: Instant,
}

impl Default for Usage {
    fn default() -> Self {
        Self { open: 0, is_lost: false, since: Instant::now() }
    }
}

/// A request until its answer is sent.
pub struct Use {
    usage: watch::Sender<Usage>,
    is_complete: bool,
}

impl Use {
    pub fn begin(usage: &watch::Sender<Usage>) -> Self {
        usage.send_modify(|usage| {
            *usage = Usage { open: usage.open + 1, is_lost: false, since: Instant::now() };
        });
        Self { usage: usage.clone(), is_complete: false }
    }

    /// The answer, which ends the use with its last byte.
    pub fn until_sent(mut self, response: Response<Body>) -> Response<Body> {
        // Nobody reads an empty one.
        self.is_complete = response.body().is_end_stream();
        response.map(|body| Tracked { body, usage: self }.boxed())
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        let is_lost = !self.is_complete;
        self.usage.send_modify(|usage| {
            *usage = Usage { open: usage.open - 1, is_lost, since: Instant::now() };
        });
    }
}

/// A body that knows whether it was sent to its end.
struct Tracked {
    body: Body,
    usage: Use,
}

impl HttpBody for Tracked {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.usage.is_complete |= matches!(polled, Poll::Ready(None)) || self.body.is_end_stream();
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{Empty, Full, StreamBody};

    use super::*;

    #[tokio::test]
    async fn answer_that_breaks_off_is_a_loss_until_the_next_request() {
        let usage = watch::Sender::new(Usage::default());
        let now = || (usage.borrow().open, usage.borrow().is_lost);
        let response = Use::begin(&usage).until_sent(Response::new(Full::from("x").boxed()));
        assert_eq!(now(), (1, false));
        drop(response);
        assert_eq!(now(), (0, true));
        let response = Use::begin(&usage).until_sent(Response::new(Full::from("x").boxed()));
        let sent = response.into_body().collect().await.unwrap();
        assert_eq!((now(), sent.to_bytes().as_ref()), ((0, false), b"x".as_slice()));
        let stream = futures_util::stream::pending::<Result<Frame<Bytes>, Infallible>>();
        let stream =
            Use::begin(&usage).until_sent(Response::new(BodyExt::boxed(StreamBody::new(stream))));
        let next = Use::begin(&usage).until_sent(Response::new(Empty::new().boxed()));
        assert_eq!(now(), (2, false));
        drop(stream);
        assert_eq!(now(), (1, true));
        drop(next);
        assert_eq!(now(), (0, false), "an empty answer has no end to wait for");
    }
}
