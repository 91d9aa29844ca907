//! The wire: the Debug Adapter Protocol as typed requests over two byte streams.
//!
//! Knows DAP JSON and TCP. Refuses to know sessions, processes, plugins, MCP and
//! any particular adapter: a quirk is tolerated here for everybody or not at all.
//!
//! Read in this order: [`codec`] (bytes to messages), [`lenient`] (JSON as adapters
//! write it), [`types`], [`request`] and [`event`] (messages as types), [`client`] and
//! [`inbox`] (who asks, who listens), [`endpoint`] and [`relay`] (where bytes come from),
//! [`tree`] (several connections as one).
//!
//! ```text
//!  Client ──queue of frames──▶ Inbox ──write──▶ adapter
//!    ▲                          │ ▲
//!    └── answers, in wire order ┘ └──read─────── adapter
//! ```
//!
//! Nothing here spawns: the [`Inbox`] does all reading and writing, and only
//! while its owner polls it.

pub mod arguments;
pub mod capabilities;
pub mod client;
pub mod codec;
pub mod endpoint;
pub mod error;
pub mod event;
pub mod inbound;
pub mod inbox;
pub mod lenient;
mod peer;
mod quick;
pub mod relay;
pub mod request;
pub mod responses;
pub mod tree;
pub mod types;
mod wire;

pub use capabilities::Capabilities;
pub use client::{Call, Client};
pub use codec::{FrameLimits, Garbage};
pub use error::{CloseReason, Error};
pub use event::Event;
pub use inbound::{Inbound, RawEvent, Response, ReverseRequest, Waiter};
pub use inbox::{Inbox, Limits, connect};
pub use quick::Quick;
pub use request::Request;
