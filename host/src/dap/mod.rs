//! The wire: the Debug Adapter Protocol as typed requests over two byte streams.
//!
//! Knows DAP's JSON and TCP. Refuses to know sessions, processes, plugins, MCP and any particular
//! adapter: leniency here applies to every adapter.
//!
//! Read in this order: [`codec`] (bytes to messages), [`lenient`] (JSON as adapters write it),
//! [`types`], [`request`] and [`event`] (messages as types, shared with plugins:
//! `dapdock_schema::dap`), [`client`] and [`inbox`] (requests out, messages in), `shared`
//! (where a response meets its request), [`endpoint`]
//! (connections), [`family`] (several connections as one).
//!
//! ```text
//!  Client ──queue of frames──▶ Inbox ──write──▶ adapter
//!    ▲                          │ ▲
//!    └── answers, in wire order ┘ └──read─────── adapter
//! ```
//!
//! Nothing here spawns: the [`Inbox`] does all reading and writing, while its owner polls it.

pub mod client;
pub mod codec;
pub mod endpoint;
pub mod error;
pub mod family;
pub mod inbound;
pub mod inbox;
pub mod lenient;
mod peer;
mod quick;
mod shared;
mod trace;

pub use dapdock_schema::dap::{
    Capabilities, Event, NoArguments, Request, arguments, capabilities, event, request, responses,
    types,
};

pub use client::{Call, Client};
pub use codec::{FrameLimits, Garbage};
pub use error::{CloseReason, Error};
pub use inbound::{Inbound, RawEvent, Response, ReverseRequest, Waiter, resumes};
pub(crate) use inbox::Backlog;
pub use inbox::{Inbox, Limits, connect};
pub use quick::Quick;
pub use trace::Trace;
