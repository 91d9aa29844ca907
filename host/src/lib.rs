//! dapdock gives AI agents a real debugger for any language. One binary speaks MCP to its caller
//! and the Debug Adapter Protocol (DAP) to debug adapters as they are; what differs between
//! languages is in plugins, WebAssembly components that know one adapter each.
//!
//! This page is the map. It names what is where and what may be relied on; each module says more of
//! itself.
//!
//! # Words
//!
//! - **caller**: whoever speaks MCP to us, usually an agent.
//! - **host**: this program.
//! - **adapter**: a process that speaks DAP and debugs.
//! - **debuggee**: the program being debugged, once it runs.
//! - **session**: one debuggee's life under our control.
//! - **plugin**: a component that knows one adapter. It answers questions and does nothing.
//! - **plan**: a plugin's decision about a request: what to build, run and send.
//! - **profile**: a plugin's declared facts about its adapter, quirks as data.
//! - **stop**: a snapshot of one pause, read at once and never changed. The **epoch** counts them.
//!
//! # The way of one call
//!
//! ```text
//!              MCP, JSON lines                                                     DAP
//!   caller ───────────────────▶ mcp ─────▶ session ────────────▶ dap ─────────────────────▶ adapter ──▶ debuggee
//!     ▲                          │ ▲        │   ▲ ▲               │                            ▲
//!     │                          │ │ stop   │   │ └── answers, ◀──┘                            │ starts, owns,
//!     │          text            ▼ │        │   │     events                                   │ ends
//!     └───────────────────────  view        ▼   │                                              │
//!                                         plugin                         session ──▶ process ──┘
//!                                  plan, profile, readings
//! ```
//!
//! `debug_step`, say. [`mcp`] finds the tool, checks its arguments against their schema and calls
//! the session's [`session::Handle`]. That puts a command into the session's actor, which owns all
//! state; the phase machine says whether a stopped debuggee may step, and a request goes out
//! through [`dap`]. When the adapter's `stopped` event comes in, a flow reads threads, stack,
//! locals and watches, asks the [`plugin`] where its manifest says that it has an opinion, and
//! hands the actor one finished [`model::Stop`]. Whoever waits gets it, [`view`] makes text of it,
//! and the caller reads place, source, locals and what has changed.
//!
//! `debug_launch` comes before all that: the plugin whose manifest claims the target gets the
//! request and returns a plan; the session builds, writes files and starts processes as the plan
//! says, connects, and runs the one start sequence that serves every adapter.
//!
//! # What holds
//!
//! - Arrows point one way: `mcp -> view, session`; `session -> provision, target, plugin, dap,
//!   process`; `provision -> plugin, process`; `config -> plugin`; all -> [`model`]. `dap`,
//!   `process` and `model` know nothing of ours above them.
//! - Only [`mcp`] knows MCP, only [`dap`] knows DAP's JSON, only [`plugin`] knows WIT and the
//!   WebAssembly runtime, only [`process`] spawns.
//! - No language and no adapter is named in the host's code. Where one would be needed, plugins
//!   lack a way to say it. Package clients are named in one place: [`provision`] knows how pip, npm
//!   and go are asked for what a manifest pins.
//! - The host performs, plugins decide. A plugin never sees a socket, a file descriptor or a
//!   process. It can name a program only by a handle that the host minted in the same call, and
//!   each call has an instance of its own, with bounds on memory, time and the size of the answer.
//!   A plugin that fails costs that call.
//! - A session's state changes in one synchronous function of its actor and nowhere else.
//!   Everything that waits is a flow, which cannot touch the state; what it found for an old epoch
//!   is dropped. Two things are kept beside it, with the wire, since flows need them between two
//!   requests: what the plugin keeps from call to call, which one call at a time reads and
//!   replaces, and what the adapter is still busy with, which lasts as long as the flow that waits
//!   for it. No phase, stop, breakpoint or ending hangs on either.
//! - A wait looks into a log of what happened, from a cursor: a stop that came before the wait is
//!   not lost, and is told once. A wait that runs out is no error.
//! - Every process belongs to a family that ends as a whole. A guard process ends them should the
//!   host be killed.
//! - Standard output carries MCP and nothing else. The debuggee's standard streams are never ours.
//! - Text for callers is made in [`view`] and [`mcp`]. It names files, lines and paths of
//!   variables, never an adapter's references.
//! - Nothing is read, compiled or started before the first session needs it, beside the log.
//!
//! `tests/tidy.rs` holds those of them that text can show.
//!
//! # Modules, in reading order
//!
//! 1. [`model`]: plain data, the waist where everything meets.
//! 2. [`dap`]: the wire. Framing, typed requests, answers in wire order.
//! 3. [`process`]: starting, owning and ending processes.
//! 4. [`plugin`]: running components, and checking what they answer.
//! 5. [`provision`]: installing what plugins pin, when the user asks for it.
//! 6. [`session`]: the domain. The actor, its phases, and the flows that start, read and end.
//! 7. [`view`]: what a caller reads.
//! 8. [`mcp`]: tools, arguments, waits; [`cli`]: commands for people.
//! 9. [`config`] (`dapdock.toml`), [`target`] (what launch.json names), [`limits`] (every bound
//!    and timeout), [`log`](mod@log), and [`host`], which puts one together.
//!
//! The plugins' side is in `wit/` (the interface) and `plugins/` (the crate that wraps it, and the
//! bundled ones).

pub mod cli;
pub mod config;
pub mod dap;
mod file;
pub mod host;
pub mod limits;
pub mod log;
pub mod mcp;
pub mod model;
mod nearest;
mod pattern;
pub mod plugin;
pub mod process;
pub mod provision;
pub mod session;
pub mod target;
pub mod view;
