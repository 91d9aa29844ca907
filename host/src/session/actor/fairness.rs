//! Fairness tests, with an adapter in memory that always has another event ready.

use std::io;
use std::path::Path;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::json;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;

use super::incoming::Next;
use super::input::FAIR_TURN;
use super::*;
use crate::dap::{FrameLimits, Inbox, codec};
use crate::model::plan::{Request, TargetRef};
use crate::model::{ExitStatus, SessionId};
use crate::plugin::{Adapter, Catalog, Engine, Options, Source, Workspace};
use crate::process::{Owner, Tail};
use crate::session::claim::{Claim, Door};
use crate::session::feed::Feed;
use crate::session::handle::{EndMode, Handle, Life};
use crate::session::launch::order::Order;
use crate::session::mirrored::MirrorPlace;

/// Any plugin will do: none of its functions is called.
mod bundled {
    use crate::plugin::Bundled;
    include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
}

/// Repeats the same bytes for ever.
struct Flood(&'static [u8], usize);

impl AsyncRead for Flood {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        while buffer.remaining() > 0 {
            let rest = &self.0[self.1..];
            let taken = rest.len().min(buffer.remaining());
            buffer.put_slice(&rest[..taken]);
            self.1 = (self.1 + taken) % self.0.len();
        }
        Poll::Ready(Ok(()))
    }
}

fn flood(text: &str) -> Inbox {
    let line = json!({"seq": 1, "type": "event", "event": "output", "body": {"output": text}});
    let bytes = codec::encode(&line).unwrap().to_vec().leak();
    let limits = dap::Limits { frame: FrameLimits::default(), request: Duration::from_secs(1) };
    dap::connect(Flood(bytes, 0), tokio::io::sink(), limits).1
}

/// A running session with nothing else to do than to read events.
async fn flooded() -> (Actor, Handle) {
    let (mut actor, handle) = quiet(None).await;
    actor.phase = Phase::Running;
    actor.incoming.open(flood("flood\n"));
    (actor, handle)
}

/// A session that prepares nothing. `idle`: it has no target.
pub(super) async fn quiet(idle: Option<Duration>) -> (Actor, Handle) {
    quiet_for(Request::default(), idle).await
}

async fn quiet_for(request: Request, idle: Option<Duration>) -> (Actor, Handle) {
    let limits = Arc::new(Limits::default());
    let owner = Owner::new(limits.clone());
    let options = Options {
        // Shared by all tests: the compilation takes seconds.
        cache: Some(Path::new(env!("OUT_DIR")).join("compiled")),
        limits: limits.clone(),
        owner: owner.clone(),
        env: [].into(),
        tools: [].into(),
        adapters: None,
    };
    let adapter = Adapter {
        source: Source::Bundled(&bundled::BUNDLED[0]),
        languages: Vec::new(),
        settings: json!({}),
    };
    let catalog = Catalog::new(Engine::new(options), [("any".to_owned(), adapter)].into());
    let plugin = catalog.get("any").await.unwrap();
    let (progress, lines) = watch::channel(String::new());
    let (sender, commands) = mpsc::channel(COMMANDS);
    let (life, alive) = watch::channel(Life::Open);
    let workspace = Workspace::at("/");
    let (auto_install, family) = (false, Arc::default());
    let (others, misspelt) = (None, None);
    let order = Order {
        plugin,
        others,
        misspelt,
        workspace,
        request,
        owner,
        limits,
        auto_install,
        progress,
        family,
    };
    let id = SessionId("any-1".into());
    let reporter = Reporter::new(id.clone(), Feed::default());
    let (revisions, live) = (reporter.revisions(), reporter.live());
    let claim = Claim::default();
    let birth = Birth {
        identity: Identity {
            id: id.clone(),
            requested_at: Instant::now(),
            target: String::new(),
            command_line: String::new(),
            repeat_call: String::new(),
        },
        idle,
        order,
        foreign_files: Default::default(),
        carried: Default::default(),
        commands,
        life,
        reporter,
        claim: claim.clone(),
    };
    let mut actor = Actor::new(birth);
    actor.flows.clear();
    let handle = Handle {
        id,
        commands: sender,
        progress: lines,
        life: alive,
        revisions,
        live,
        claim,
        mirror: MirrorPlace::default(),
        door: Door::Agent,
    };
    (actor, handle)
}

#[tokio::test]
async fn flooding_adapter_starves_no_command() {
    let (mut actor, handle) = flooded().await;
    let mut calls = [pin!(handle.log()), pin!(handle.log()), pin!(handle.log())];
    for log in &mut calls {
        assert!(log.now_or_never().is_none());
    }
    for mut log in calls {
        let mut events = 0;
        while log.as_mut().now_or_never().is_none() {
            let input = actor.next_input().await;
            events += u32::from(matches!(input, Input::Inbound(_)));
            actor.handle(input);
            assert!(events < FAIR_TURN, "a command waits behind {events} events");
        }
        assert_eq!(events, FAIR_TURN - 1, "events are handled in between");
    }
}

#[tokio::test]
async fn endless_output_starves_no_adapter_message() {
    let (mut actor, _handle) = flooded().await;
    let tail = Tail::detached();
    actor.processes.pipes.0.push((Stream::Stdout, tail.pieces(64)));
    tail.bring(b"one\n");
    assert!(matches!(actor.next_input().await, Input::Inbound(_)));
    // A stop contains all output before it.
    actor.on_stopped(dap::event::Stopped::default(), json!({}));
    assert_eq!(actor.stops.event().map(|event| event.output.trim()), Some("one"));
    tail.bring(b"two\n");
    actor.incoming.close();
    let Input::Printed(Stream::Stdout, piece) = actor.next_input().await else {
        panic!("the pipe is not read");
    };
    assert_eq!(piece.text, "two\n");
}

/// The rest stays in the adapter until the plugin has read an event.
#[tokio::test]
async fn output_that_waits_for_a_hook_is_bounded() {
    let mut incoming = Incoming::default();
    incoming.open(flood(&"x".repeat(50_000)));
    incoming.translate(Some(Box::pin(std::future::pending())));
    let mut waiting = 0;
    while let Some(Next::Inbound(inbound)) = incoming.next(usize::MAX).now_or_never() {
        incoming.queue(inbound);
        waiting += 50_000;
        assert!(waiting < 5 << 20, "{waiting} bytes wait");
    }
    incoming.translate(None);
    while incoming.take_queued().is_some() {}
    assert!(incoming.next(usize::MAX).now_or_never().is_some());
}

/// No plan has said yet that the session attaches.
#[tokio::test]
async fn attach_that_is_still_preparing_can_be_detached() {
    let target = Some(TargetRef::Address("localhost".into(), 1));
    let (mut actor, handle) = quiet_for(Request { target, ..Request::default() }, None).await;
    let mut close = pin!(handle.close(EndMode::Detach));
    let exit = loop {
        if let Some(exit) = close.as_mut().now_or_never() {
            break exit;
        }
        let input = actor.next_input().await;
        actor.handle(input);
    };
    assert_eq!(exit.unwrap().status, ExitStatus::NotAttached);
}
