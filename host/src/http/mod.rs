//! The HTTP door: connections, and the guard that every request passes.
//!
//! A request reaches its handler once its address, `Host`, `Origin`, token and path are checked and
//! its body is read; sizes, times and numbers are bounded. Knows HTTP/1.1. Refuses to know what a
//! request contains.
//!
//! Files: `token` (the secret of a server), `guard` (the checks), `connection` (one connection),
//! `serve` (all of them).

mod connection;
mod guard;
mod serve;
mod token;

pub use guard::{Guard, PATH};
pub use serve::serve;
pub use token::Token;

use std::convert::Infallible;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

/// The body of a response.
pub type Body = BoxBody<Bytes, Infallible>;

/// A refused request: status, a header, and a line that says why.
#[derive(Debug)]
struct Refusal {
    status: StatusCode,
    text: String,
    header: Option<(HeaderName, &'static str)>,
}

impl Refusal {
    fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), header: None }
    }

    fn with(self, name: HeaderName, value: &'static str) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    fn into_response(self) -> Response<Body> {
        tracing::debug!(status = %self.status, why = self.text, "refused a request");
        let mut response = Response::new(Full::from(self.text + "\n").boxed());
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        if let Some((name, value)) = self.header {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }
}
