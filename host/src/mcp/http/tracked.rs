//! An answer that is a use of its client until it is sent.
//!
//! Refuses to know what is answered and what follows from it.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};

use super::super::usage::Use;
use super::Body;

impl Use {
    /// The answer, which ends the use.
    pub fn until_sent(self, response: Response<Body>) -> Response<Body> {
        response.map(|body| Tracked { body, _usage: self }.boxed())
    }
}

/// A body that is in use as long as it exists.
struct Tracked {
    body: Body,
    _usage: Use,
}

impl HttpBody for Tracked {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
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
    use http_body_util::{Full, StreamBody};
    use tokio::sync::watch;

    use super::super::super::usage::Usage;
    use super::*;

    #[tokio::test]
    async fn client_is_there_until_its_answers_are_sent_or_broken_off() {
        let usage = watch::Sender::new(Usage::default());
        let open = || usage.borrow().open;
        let response = Use::begin(&usage).until_sent(Response::new(Full::from("x").boxed()));
        let stream = futures_util::stream::pending::<Result<Frame<Bytes>, Infallible>>();
        let stream =
            Use::begin(&usage).until_sent(Response::new(BodyExt::boxed(StreamBody::new(stream))));
        assert_eq!(open(), 2);
        let sent = response.into_body().collect().await.unwrap();
        assert_eq!((open(), sent.to_bytes().as_ref()), (1, b"x".as_slice()));
        drop(stream);
        assert_eq!(open(), 0);
    }
}
