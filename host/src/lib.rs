//! dapdock gives AI agents and people a real debugger for any language. One binary speaks MCP to
//! its caller and the Debug Adapter Protocol (DAP) to unmodified debug adapters. Everything that
//! differs between languages is in plugins: WebAssembly components that know one adapter each.
//!
//! This page is the map: words, the way of one call, where a change goes, invariants, modules.
//!
//! # Words
//!
//! Each word has one meaning in `session`, `view` and texts for callers; elsewhere a standard term
//! may have its own. The exceptions: a frame of `dap::codec` is one message; `dap::family` is
//! the connections of one session, of which the first is the root and the others are members; a
//! `Reply` is in `session` the way back of a command's result, in `mcp` the answer of a tool; a
//! debuggee's signal is one of POSIX; a family of `mcp::compat` is the names of one debug server;
//! an `Outcome` is in `session` what the answer to a move means.
//!
//! | word | meaning |
//! | --- | --- |
//! | adapter | process that speaks DAP and debugs |
//! | breakpoint | line, function or exception that stops the debuggee, with its conditions |
//! | caller | MCP peer, usually an agent |
//! | claim | right of a person to a session: agents read it and do not change it meanwhile |
//! | conversation | what one client says by HTTP from `initialize` to its end |
//! | command | request of a caller to the actor of a session |
//! | cursor | position in the journal of a session: between two stops |
//! | debuggee | program under test, once it runs |
//! | debugger command | line in a debugger's own language (`debug_command`) |
//! | deed | call of a person on a session with a claim, which its agent reads about later |
//! | door | where a call comes from: an agent, a terminal, this host |
//! | epoch | number of a published stop, as callers see it |
//! | family | processes that are owned and ended together |
//! | fault | party that has to act on an error: caller, debuggee, adapter, plugin, host |
//! | flow | future of the actor that waits for the wire and returns as an input |
//! | frame | one call on a stack, innermost first |
//! | generation | count of stops and moves of a session; results of older flows are dropped |
//! | grant | what a plugin may use during one call: files, programs, probes |
//! | guard | process that ends all families when the host dies |
//! | guest | code of a plugin while it runs |
//! | halt | pause by the host, to change breakpoints of a running program |
//! | hidden stop | one that callers may not see: halt, own step, log text, hit condition, rule |
//! | host | this process |
//! | journal | log of stops and ends with sequence numbers; waits read it from a cursor |
//! | ladder | the rungs of ending a session, in order |
//! | lens | how paths and lengths are displayed to one caller |
//! | log breakpoint | breakpoint that writes a text, without a stop for callers (DAP: log point) |
//! | member | one connection of a session whose adapter uses several (`startDebugging`) |
//! | mirror | port at which an editor joins a session by DAP |
//! | moment | state, process and stop of a session at one time, for results as data |
//! | move | request that resumes the debuggee: continue, a step, a run to a place |
//! | opening | request for a session without a target, whose debuggees commands name |
//! | outcome | data of an answer, of which text and structured content are made |
//! | own step | step that the host makes to finish a step or run of the caller |
//! | path (of a variable) | names from a scope to a value: `order.items[3].price` |
//! | pause | request of a caller to stop the running debuggee |
//! | phase | state of a session: preparing, starting, idle, running, stopped, ending, ended |
//! | pin | version and hash of an adapter that dapdock can install |
//! | plan | a plugin's decision for a request: what to build, run and send |
//! | plugin | component that knows one adapter |
//! | probe | short run of a tool that reports its version |
//! | profile | a plugin's declared facts about its adapter |
//! | quirks | the profile of an adapter, as answers to what the session has to know |
//! | reading | what the snapshot returns, before the actor makes a stop of it |
//! | remedy | way past an error: another call, a changed call, an act of a person |
//! | resumption | what follows a hidden stop: a move, the end of the step, or its publication |
//! | rule | row of a profile that classifies or hides a stop |
//! | rung | one step of ending a session, from a polite request to SIGKILL |
//! | scope | group of variables of a frame: locals, arguments, globals |
//! | session | one debuggee's life under our control |
//! | signal | input of the phase machine |
//! | snapshot | flow that reads everything of a stop once |
//! | stop | what was read while the debuggee was stopped once; it never changes |
//! | target | what the caller wants to debug: program, test, command, process, address, core |
//! | unseen stop | current stop that is not published: hidden, or still being read |
//! | wire | connection to the adapter with the plugin's hooks |
//! | workspace | directory where relative paths start |
//!
//! # The way of one call
//!
//! ```text
//!              MCP, JSON lines                                             DAP
//!   caller ───────────────────▶ mcp ─────▶ session ────────────▶ dap ───────▶ adapter ──▶ debuggee
//!     ▲                          │ ▲        │   ▲ ▲               │              ▲
//!     │                          │ │ stop   │   │ └── responses, ◀┘              │ starts, owns,
//!     │          text            ▼ │        │   │     events                     │ ends
//!     └───────────────────────  view        ▼   │                                │
//!                                         plugin           session ──▶ process ──┘
//!                                  plan, profile, readings
//! ```
//!
//! `debug_step`, for example. [`mcp`] finds the tool, checks the arguments against their schema and
//! calls the session's [`session::Handle`]. The handle sends a command to the session's actor,
//! which owns all state. The phase machine decides whether a stopped debuggee may step, and a
//! request goes out through [`dap`]. After the adapter's `stopped` event a flow reads threads,
//! stack, locals and watches, calls the [`plugin`] where its manifest declares a hook, and returns
//! a reading, of which the actor makes one [`model::Stop`]. Every waiting caller receives it, and
//! [`view`] writes it as text: place, source, locals, changes.
//!
//! `debug_launch` comes first: the plugin whose manifest claims the target receives the request and
//! returns a plan. The session builds, writes files and starts processes as planned, connects, and
//! runs the one start sequence that serves every adapter.
//!
//! # Where a change goes
//!
//! `CONTRIBUTING.md` has recipes.
//!
//! | change | place |
//! | --- | --- |
//! | how a stop is made | `session/actor/mod.rs` draws it, `session/stop/snapshot.rs` reads it |
//! | how a value is read | `session/values/mod.rs` lists the files in reading order |
//! | what a stop reads | `model/stop.rs`, `session/stop/focus.rs`, `session/values/children.rs` |
//! | what its text cuts | `view/stop.rs` (`Measure`), `view/locals.rs`, `view/value.rs` |
//! | the order of the start | `session/launch/handshake.rs`; of a child: `dap/family/children.rs` |
//! | a quirk of an adapter | `plugins/schema/src/profile/`, `session/adapter/quirks/`; a hook |
//! | what a pause does | `session/actor/pauses.rs` draws it; a move: `session/actor/moves.rs` |
//! | a request of an editor | `mirror/request.rs`, then `mirror/editor/requests.rs` |
//! | a new tool | a file in `mcp/tools`, its `mod` there, its row in `mcp/registry.rs` |
//! | a result as data | `Outcome` in `mcp/outcome.rs`, its form in `mcp/structured` |
//! | a next call in an error | `next_call` in `view/error.rs`; a repaired call: `mcp/repair` |
//! | a new event of DAP | `plugins/schema/src/dap/event.rs`, `session/actor/inbound.rs` |
//! | the choice of an adapter | `target/choose.rs`, claims in `target/claims.rs` |
//! | a new error | the `errors!` table of its part: an `error.rs`, or `plugin/refused.rs` |
//! | an error of arguments | `mcp/request.rs`; of a breakpoint: `mcp/text/breakpoint.rs` |
//! | a check of a launch or attach | `target/request.rs` |
//! | a note under a stop | `model/note.rs`, `view/note.rs` |
//! | a line of the status | `model/query.rs`, `session/actor/status.rs`, `view/status.rs` |
//! | a text for callers | `view` |
//! | a limit | [`limits`] |
//! | a new adapter | `plugins/README.md` |
//!
//! # Invariants
//!
//! - Arrows point one way: `cli -> host, mcp, view, socket`; `host -> config, mcp, socket, http`;
//!   `mcp -> mirror, view, session, log`; `mirror -> view, session, dap`; `view -> session`;
//!   `session -> target, provision, plugin, dap, process`;
//!   `target -> provision, plugin, process`; `provision -> plugin, process`; `config -> plugin`;
//!   `plugin -> process`; all -> [`model`]. `dap`, `process`, `socket`, `http` and `model` use
//!   nothing above them. The table in `tests/tidy/mod.rs` has each arrow.
//! - Only [`mcp`] knows MCP, only [`dap`] knows DAP's JSON (and [`mirror`], which speaks it as a
//!   server), only [`plugin`] knows WIT and the WebAssembly runtime, only [`process`] spawns.
//! - The host's code names no language and no adapter. Package managers are named in one place:
//!   [`provision`] runs pip, npm and go for the versions that a manifest pins.
//! - The host acts, plugins decide. A plugin sees no socket, file descriptor or process. It names a
//!   program only by a handle that the host minted in the same call. Each call has an instance of
//!   its own (`output` events in a row may share one) with limits on memory, time and the size of
//!   the answer; a plugin that fails costs that call.
//! - The state of a session changes in one synchronous function of its actor. Flows wait and cannot
//!   change state; a result of an earlier stop or move makes no stop and resumes nothing. Flows
//!   share what belongs to the connection: the data that the plugin stores between calls, the
//!   evaluation that occupies the adapter, its capabilities and the modules of libraries. The host
//!   derives no phase or ending from these; an event that a hook removes does not reach the phase
//!   machine.
//! - A wait reads the journal from a cursor, by default from the last entry that a wait returned: a
//!   stop before the wait is not lost. A wait that runs out is not an error.
//! - Every process belongs to a family that ends as a whole. A guard process ends all families if
//!   the host is killed.
//! - Standard output carries MCP and nothing else. The debuggee's standard streams are never the
//!   host's.
//! - Texts for callers are written in [`view`] and [`mcp`]. They name files, lines and paths of
//!   variables, never DAP references.
//! - Apart from the log and the configuration's choice of tools, nothing is read, compiled or
//!   started before the first session needs it.
//!
//! `tests/tidy` enforces the invariants that source text can show.
//!
//! # Modules, in reading order
//!
//! 1. [`model`]: plain data that all modules share.
//! 2. [`dap`]: the wire: framing, typed requests, messages in wire order.
//! 3. [`process`]: starting, owning and ending processes.
//! 4. [`plugin`]: running components and checking their answers.
//! 5. [`provision`]: installing pinned adapters on request.
//! 6. [`target`]: the adapter for a target, before a session exists; `launch.json`.
//! 7. [`session`]: the domain: the actor, its phases, and the flows that start, read and end.
//! 8. [`view`]: texts for callers.
//! 9. [`mcp`]: tools, arguments, waits; [`mirror`]: editors that join; [`socket`]: connections of
//!    the same user; [`http`]: connections of clients with a token; [`cli`]: commands for people.
//! 10. [`config`] (`dapdock.toml`), [`limits`] (bounds and timeouts that users or tests set),
//!     [`log`](mod@log), and [`host`], which builds a host from its parts.
//!
//! The plugins' side is `wit/` (the interface) and `plugins/` (SDK and bundled plugins).

pub mod cli;
pub mod config;
pub mod dap;
mod file;
pub mod host;
pub mod http;
pub mod limits;
pub mod log;
pub mod mcp;
pub mod mirror;
pub mod model;
mod near;
mod pattern;
pub mod plugin;
pub mod process;
pub mod provision;
pub mod session;
pub mod socket;
pub mod target;
mod tcp_table;
pub mod view;
