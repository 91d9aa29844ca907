//! A root session and the child sessions it asks for, as one adapter.
//!
//! Some adapters debug every further process or thread of the debuggee in a session of its own and
//! ask the client, by `startDebugging`, to open it. To who is above, nothing of that is to be seen:
//! this speaks DAP to the session's actor as if it were the adapter, and to the root and to any
//! number of children as a client.
//!
//! ```text
//!                          ┌──▶ root    startDebugging
//!  actor ◀──duplex──▶ tree ┼──▶ child   startDebugging
//!                          └──▶ grandchild
//! ```
//!
//! Knows which connection a number comes from and where a request belongs. Refuses to know
//! adapters, plugins and processes: where a child is to be found is a function of the caller's, and
//! nothing here spawns. The [`Future`] that [`grow`] returns does all the work while it is polled.
//!
//! - [`ids`]: numbers are unique across connections.
//! - [`marks`]: breakpoints are told to everybody, and answers are merged.
//! - [`member`]: one connection, and how a child starts.
//! - [`requests`] and [`answers`]: from the actor, and back to it.
//! - [`events`]: what members say by themselves.
//! - [`turns`]: whose stop is told, and who waits.
//!
//! One stop is told at a time. While a member's stop is with the actor, the others run on; what
//! stops meanwhile waits until that member has been resumed, and has stopped again if that was a
//! step, but not long. What stands while another is resumed is told once more thereafter.

mod answers;
mod events;
mod ids;
mod marks;
mod member;
mod requests;
mod turns;

use std::collections::{BTreeMap, HashMap};
use std::future::poll_fn;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadHalf, WriteHalf};

use crate::dap::family::answers::{Asked, Gathering};
use crate::dap::family::ids::Ids;
use crate::dap::family::marks::Marks;
use crate::dap::family::member::Member;
use crate::dap::family::turns::Turns;
use crate::dap::{Call, Client, Inbound, Inbox};

/// Both directions of a connection.
pub type Streams = (Box<dyn AsyncRead + Send + Unpin>, Box<dyn AsyncWrite + Send + Unpin>);

/// Where a child session is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Door {
    /// Another connection to the root's server.
    Same,
    /// The `connect` of the child's configuration.
    At {
        /// Name or address.
        host: String,
        /// TCP port.
        port: u16,
    },
}

/// Opens a child's connection, or says why there is none.
pub type Dial = Box<dyn Fn(Door) -> BoxFuture<'static, Result<Streams, String>> + Send>;

/// Bounds of one tree.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many children there may be at once.
    pub children: usize,
    /// Of each connection.
    pub wire: crate::dap::Limits,
    /// From a child's `disconnect` to its answer.
    pub disconnect: Duration,
    /// How long the others' stops wait for the answer to a move, and for the stop of a step.
    pub step: Duration,
}

/// In memory between the actor and the tree, in bytes.
const PIPE: usize = 256 << 10;
/// Messages that may wait for the actor before members are no longer listened to.
const BACKLOG: usize = 1_000;
/// The first connection.
const ROOT: Key = 0;

/// Names a connection; never used again.
type Key = u32;

enum Input {
    Actor(Option<Inbound>),
    Member(Key, Inbound),
    Work(Work),
}

/// What took time.
enum Work {
    Dialed(Child, Result<Streams, String>),
    Disconnected {
        seq: i64,
        answer: Result<Value, String>,
    },
    /// The move of that number takes long.
    Late(u32),
    /// A leave has waited long enough for a debuggee that is on its way.
    Leaves,
}

/// A child that was asked for.
struct Child {
    label: String,
    /// `launch` or `attach`.
    request: String,
    configuration: Value,
}

struct Tree {
    limits: Limits,
    dial: Dial,
    front: Client,
    inbox: Inbox,
    members: BTreeMap<Key, Member>,
    next_key: Key,
    dialing: usize,
    work: FuturesUnordered<BoxFuture<'static, Work>>,
    ids: Ids,
    marks: Marks,
    /// Requests to members, by connection and number.
    calls: HashMap<(Key, i64), (Call<Value>, Asked)>,
    gatherings: HashMap<i64, Gathering>,
    /// Reverse requests that the actor is to answer: whose, and their number and command there.
    passed_up: HashMap<i64, (Call<Value>, Key, i64, String)>,
    /// The `initialize` arguments that every member gets.
    hello: Value,
    turns: Turns,
    /// Who stopped last.
    recent: Key,
    /// The numbers of the actor's pauses from before there was a thread, or before the thread they
    /// name runs.
    early_pauses: Vec<(i64, Option<i64>)>,
    /// Is the debuggee said to run?
    runs: bool,
    /// The actor's leave from before there was a thread.
    early_leave: Option<(i64, Value)>,
}

/// Puts a tree before the connection `root`. Returns the streams for
/// [`connect`](crate::dap::connect),
/// and the future that does the work: it ends never, and all connections end when it is dropped or
/// when its streams are.
pub fn grow(
    root: Streams,
    dial: Dial,
    limits: Limits,
) -> (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>, impl Future<Output = ()> + Send) {
    let (theirs, ours) = tokio::io::duplex(PIPE);
    let (read, write) = tokio::io::split(ours);
    let (front, inbox) = crate::dap::connect(read, write, limits.wire);
    let mut tree = Tree {
        limits,
        dial,
        front,
        inbox,
        members: BTreeMap::from([(ROOT, Member::root(root, limits.wire))]),
        next_key: ROOT + 1,
        dialing: 0,
        work: FuturesUnordered::new(),
        ids: Ids::default(),
        marks: Marks::default(),
        calls: HashMap::new(),
        gatherings: HashMap::new(),
        passed_up: HashMap::new(),
        hello: Value::Null,
        turns: Turns::default(),
        recent: ROOT,
        early_pauses: Vec::new(),
        runs: false,
        early_leave: None,
    };
    let (read, write) = tokio::io::split(theirs);
    let drive = async move {
        while tree.turn().await {}
        // What was said before the root went is still heard.
        tree.inbox.flushed().await;
        drop(tree);
        std::future::pending().await
    };
    (read, write, drive)
}

impl Tree {
    /// One input; false when it was the last.
    async fn turn(&mut self) -> bool {
        match poll_fn(|cx| self.poll_input(cx)).await {
            Input::Actor(None | Some(Inbound::Closed(_))) => return false,
            Input::Actor(Some(Inbound::Request(request))) => self.on_request(request),
            Input::Actor(Some(Inbound::Response(response))) => {
                self.on_actors_answer(response.request_seq)
            }
            Input::Actor(Some(Inbound::Event(_) | Inbound::Garbage(_))) => {}
            Input::Member(ROOT, Inbound::Closed(_)) => return false,
            Input::Member(key, inbound) => self.on_member(key, inbound),
            Input::Work(Work::Dialed(child, streams)) => self.on_dialed(child, streams),
            Input::Work(Work::Disconnected { seq, answer }) => {
                self.front.respond(seq, "disconnect", answer)
            }
            Input::Work(Work::Late(number)) => {
                let (gone, turn) = self.turns.late(number);
                self.on_gone(gone);
                self.take(turn);
            }
            Input::Work(Work::Leaves) => self.leave_early(),
        }
        self.send_early_pauses();
        if !self.is_on_its_way() {
            self.leave_early();
        }
        true
    }

    /// The actor first. Members are not listened to while it does not listen.
    fn poll_input(&mut self, cx: &mut Context<'_>) -> Poll<Input> {
        if let Poll::Ready(Some(work)) = self.work.poll_next_unpin(cx) {
            return Poll::Ready(Input::Work(work));
        }
        if let Poll::Ready(inbound) = self.inbox.poll_next_unpin(cx) {
            return Poll::Ready(Input::Actor(inbound));
        }
        if self.inbox.backlog() > BACKLOG {
            return Poll::Pending;
        }
        for (key, member) in &mut self.members {
            if let Poll::Ready(Some(inbound)) = member.inbox.poll_next_unpin(cx) {
                return Poll::Ready(Input::Member(*key, inbound));
            }
        }
        Poll::Pending
    }

    /// Sends a request to a member; the answer comes back with `asked`.
    fn ask(&mut self, key: Key, command: &str, arguments: Value, asked: Asked) {
        let Some(member) = self.members.get(&key) else { return };
        let call = member.client.request_raw_within(command, arguments, Duration::MAX);
        match call.seq() {
            Some(seq) => drop(self.calls.insert((key, seq), (call, asked))),
            None => self.answered(key, asked, Err("the connection is closed".to_owned())),
        }
    }

    /// A line for the caller.
    fn tell(&self, text: String) {
        let body = serde_json::json!({"category": "important", "output": format!("{text}\n")});
        self.front.emit("output", body);
    }
}
