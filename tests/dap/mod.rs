//! The DAP layer alone: framing, order, ends, deadlines, sockets, and the fake.

mod codec;
mod endpoint;
mod fake;
mod tree;
mod wire;
