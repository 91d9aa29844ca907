//! The state of all connections, and the loop that serves them.
//!
//! Knows where an input comes from and which method takes it. Refuses to know what the messages
//! mean.

use std::collections::{BTreeMap, HashMap};
use std::future::poll_fn;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::{Value, json};
use tokio::io::{DuplexStream, ReadHalf, WriteHalf};

use crate::dap::family::breakpoints::Breakpoints;
use crate::dap::family::calls::{Gathering, Purpose};
use crate::dap::family::ids::{Ids, Key, ROOT};
use crate::dap::family::member::{Child, Dial, Limits, Member, Streams};
use crate::dap::family::turns::Turns;
use crate::dap::{Backlog, Call, Client, Inbound, Inbox};

/// Size of the pipe between the actor and the tree, in bytes.
const PIPE: usize = 256 << 10;
/// Messages that may wait for the actor before the members are no longer read.
const BACKLOG: Backlog = Backlog { messages: 1_000, bytes: 4 << 20 };

enum Input {
    Actor(Option<Inbound>),
    Member(Key, Inbound),
    Work(Work),
}

/// The result of something that took time.
pub(crate) enum Work {
    Dialed(Child, Result<Streams, String>),
    Disconnected {
        seq: i64,
        answer: Result<Value, String>,
    },
    /// [`Limits::step`] has passed since the move of this number.
    MoveIsLate(u32),
    /// [`Limits::disconnect`] has passed since a `disconnect` that arrived before any thread.
    ThreadIsLate,
}

/// A request of a member that the actor answers.
pub(crate) struct PassedUp {
    pub(crate) call: Call<Value>,
    pub(crate) key: Key,
    /// Its number at the member.
    pub(crate) seq: i64,
    pub(crate) command: String,
}

/// A `pause` of the actor that waits for a running thread.
pub(crate) struct EarlyPause {
    pub(crate) seq: i64,
    /// The thread that it names.
    pub(crate) thread: Option<i64>,
}

/// All connections. Its methods are in the files of this folder.
pub(crate) struct Tree {
    pub(crate) limits: Limits,
    pub(crate) dial: Dial,
    pub(crate) front: Client,
    pub(crate) inbox: Inbox,
    pub(crate) members: BTreeMap<Key, Member>,
    pub(crate) next_key: Key,
    /// Children whose connection is being opened.
    pub(crate) dialing: usize,
    pub(crate) work: FuturesUnordered<BoxFuture<'static, Work>>,
    pub(crate) ids: Ids,
    pub(crate) breakpoints: Breakpoints,
    /// Requests to members, by connection and number.
    pub(crate) calls: HashMap<(Key, i64), (Call<Value>, Purpose)>,
    /// By the number of the actor's request.
    pub(crate) gatherings: HashMap<i64, Gathering>,
    /// By the number of the request to the actor.
    pub(crate) passed_up: HashMap<i64, PassedUp>,
    /// Arguments of `initialize`, the same for every member.
    pub(crate) initialize: Value,
    pub(crate) turns: Turns,
    /// The member that stopped last.
    pub(crate) recent: Key,
    pub(crate) early_pauses: Vec<EarlyPause>,
    /// `launch` or `attach` succeeded.
    pub(crate) launched: bool,
    /// Number and arguments of a `disconnect` that arrived before any thread.
    pub(crate) early_disconnect: Option<(i64, Value)>,
}

/// Puts a tree in front of the connection `root`. Returns the streams for
/// [`connect`](crate::dap::connect) and the future that does the work. The future never ends; all
/// connections close when it is dropped or when its streams are.
pub fn grow(
    root: Streams,
    dial: Dial,
    limits: Limits,
) -> (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>, impl Future<Output = ()> + Send) {
    let (actors, ours) = tokio::io::duplex(PIPE);
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
        breakpoints: Breakpoints::default(),
        calls: HashMap::new(),
        gatherings: HashMap::new(),
        passed_up: HashMap::new(),
        initialize: Value::Null,
        turns: Turns::default(),
        recent: ROOT,
        early_pauses: Vec::new(),
        launched: false,
        early_disconnect: None,
    };
    let (read, write) = tokio::io::split(actors);
    let drive = async move {
        while tree.turn().await {}
        // Messages from before the end of the root's connection still reach the actor.
        tree.inbox.flushed().await;
        drop(tree);
        std::future::pending().await
    };
    (read, write, drive)
}

impl Tree {
    /// Handles one input; false after the last one.
    async fn turn(&mut self) -> bool {
        match poll_fn(|cx| self.poll_input(cx)).await {
            Input::Actor(None | Some(Inbound::Closed(_))) => return false,
            Input::Actor(Some(Inbound::Request(request))) => self.on_request(request),
            Input::Actor(Some(Inbound::Response(response))) => {
                self.on_answer_of_actor(response.request_seq)
            }
            Input::Actor(Some(Inbound::Event(_) | Inbound::Garbage(_))) => {}
            Input::Member(ROOT, Inbound::Closed(_)) => return false,
            Input::Member(key, inbound) => self.on_member(key, inbound),
            Input::Work(Work::Dialed(child, streams)) => self.on_dialed(child, streams),
            Input::Work(Work::Disconnected { seq, answer }) => {
                self.front.respond(seq, "disconnect", answer)
            }
            Input::Work(Work::MoveIsLate(number)) => {
                let (gone, turn) = self.turns.late(number);
                self.forget_stop(gone);
                self.take(turn);
            }
            Input::Work(Work::ThreadIsLate) => self.send_early_disconnect(),
        }
        self.send_early_pauses();
        if !self.awaits_first_thread() {
            self.send_early_disconnect();
        }
        true
    }

    /// Finished work comes first, then the actor, then the members, which are not read while the
    /// actor does not read.
    fn poll_input(&mut self, cx: &mut Context<'_>) -> Poll<Input> {
        if let Poll::Ready(Some(work)) = self.work.poll_next_unpin(cx) {
            return Poll::Ready(Input::Work(work));
        }
        if let Poll::Ready(inbound) = self.inbox.poll_next_unpin(cx) {
            return Poll::Ready(Input::Actor(inbound));
        }
        let backlog = self.inbox.backlog();
        if backlog.messages > BACKLOG.messages || backlog.bytes > BACKLOG.bytes {
            return Poll::Pending;
        }
        for (key, member) in &mut self.members {
            if let Poll::Ready(Some(inbound)) = member.inbox.poll_next_unpin(cx) {
                return Poll::Ready(Input::Member(*key, inbound));
            }
        }
        Poll::Pending
    }

    /// Sends a request to a member. The answer goes to [`Tree::answered`] with `purpose`.
    pub(crate) fn request(&mut self, key: Key, command: &str, arguments: Value, purpose: Purpose) {
        let Some(member) = self.members.get(&key) else { return };
        let call = member.client.request_raw_with_limit(command, arguments, Duration::MAX);
        match call.seq() {
            Some(seq) => drop(self.calls.insert((key, seq), (call, purpose))),
            None => self.answered(key, purpose, Err("the connection is closed".to_owned())),
        }
    }

    /// The work that is done once `limit` has passed.
    pub(crate) fn after(&mut self, limit: Duration, work: Work) {
        self.work.push(Box::pin(async move {
            drop(tokio::time::timeout(limit, std::future::pending::<()>()).await);
            work
        }));
    }

    /// A line for the session's log: the category `console` is not meant for callers.
    pub(crate) fn log(&self, text: &str) {
        self.front.emit("output", json!({"category": "console", "output": format!("{text}\n")}));
    }

    /// A line for the caller.
    pub(crate) fn notify(&self, text: String) {
        let body = json!({"category": "important", "output": format!("{text}\n")});
        self.front.emit("output", body);
    }
}
