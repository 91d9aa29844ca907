//! A root session and the child sessions that it requests, presented as one adapter.
//!
//! Some adapters debug every further process or thread of the debuggee in a session of its own,
//! which the client opens on the reverse request `startDebugging`. The session's actor sees none of
//! that: this module speaks DAP to the actor as one adapter, and to the root and its children as a
//! client.
//!
//! ```text
//!                          ┌──▶ root    startDebugging
//!  actor ◀──duplex──▶ tree ┼──▶ child   startDebugging
//!                          └──▶ grandchild
//! ```
//!
//! Knows which connection an id comes from and which connections a request goes to. Refuses to know
//! adapters, plugins and processes: a function of its owner opens a child's connection, and nothing
//! here spawns. The [`Future`] that [`grow`] returns does all the work while it is polled.
//!
//! In reading order:
//! - [`ids`]: ids that are unique across connections.
//! - [`breakpoints`]: breakpoints of all connections, merged.
//! - [`turns`]: which connection's stop the actor sees, and which wait.
//! - [`member`]: one connection.
//! - [`calls`]: the purpose of a request to a member.
//! - [`tree`]: the state and its loop.
//! - [`requests`] and [`answers`]: from the actor, and back to it.
//! - [`children`]: how a child starts and ends.
//! - [`events`]: events of the members.
//!
//! The actor sees one stop at a time. While it looks at the stop of one member, the others run. A
//! member that stops meanwhile waits until the first one is resumed, and, if that was a step, until
//! it stops again or [`Limits::step`] has passed. The stop of a member that stands while another
//! one is resumed is reported once more.

mod answers;
mod breakpoints;
mod calls;
mod children;
mod events;
mod ids;
mod member;
mod requests;
mod tree;
mod turns;

pub use member::{ChildAddress, Dial, Limits, Streams};
pub use tree::grow;
