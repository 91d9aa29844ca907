//! A flood in memory: an adapter that always has another event ready, so that no lull ever lets a
//! command through.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use futures_util::FutureExt;
use serde_json::json;
use tokio::io::{AsyncRead, ReadBuf};

use super::input::FAIR_TURN;
use super::*;
use crate::dap::{FrameLimits, codec};
use crate::model::plan::Request;
use crate::plugin::{Adapter, Catalog, Engine, Options, Source, Workspace};
use crate::process::{Owner, Tail};
use crate::session::handle::{Handle, Life};

/// Any plugin: none of its functions is called.
mod bundled {
    use crate::plugin::Bundled;
    include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
}

/// The same bytes for ever.
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

fn flood() -> Inbox {
    let line = json!({"seq": 1, "type": "event", "event": "output", "body": {"output": "flood\n"}});
    let bytes = codec::encode(&line).unwrap().to_vec().leak();
    let limits = dap::Limits { frame: FrameLimits::default(), request: Duration::from_secs(1) };
    dap::connect(Flood(bytes, 0), tokio::io::sink(), limits).1
}

/// A session that runs and has nothing to do but to listen.
async fn flooded() -> (Actor, Handle) {
    let limits = Arc::new(Limits::default());
    let owner = Owner::new(limits.clone());
    let options = Options {
        cache: None,
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
    let (progress, told) = watch::channel(String::new());
    let (sender, commands) = mpsc::channel(COMMANDS);
    let (life, alive) = watch::channel(Life::Open);
    let (workspace, request) = (Workspace::at("/"), Request::default());
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
    let id = SessionId("flooded".into());
    let birth = Birth {
        id: id.clone(),
        since: Instant::now(),
        target: String::new(),
        again: String::new(),
        order,
        territory: Default::default(),
        carried: Default::default(),
        commands,
        life,
    };
    let mut actor = Actor::new(birth);
    actor.flows.clear();
    (actor.phase, actor.inbox) = (Phase::Running, Some(flood()));
    (actor, Handle { id, commands: sender, progress: told, life: alive })
}

#[tokio::test]
async fn flooding_adapter_drowns_no_command() {
    let (mut actor, handle) = flooded().await;
    let mut asked = [pin!(handle.log()), pin!(handle.log()), pin!(handle.log())];
    asked.iter_mut().for_each(|log| assert!(log.now_or_never().is_none()));
    for log in asked {
        let (mut log, mut events) = (log, 0);
        while log.as_mut().now_or_never().is_none() {
            let input = actor.next_input().await;
            events += u32::from(matches!(input, Input::Inbound(_)));
            actor.handle(input);
            assert!(events < FAIR_TURN, "a command waits behind {events} events");
        }
        assert_eq!(events, FAIR_TURN - 1, "the adapter is heard in between");
    }
}

/// Who prints without end always has another piece ready.
#[tokio::test]
async fn a_program_that_prints_without_end_drowns_no_answer() {
    let (mut actor, _handle) = flooded().await;
    let tail = Tail::detached();
    actor.pipes.0.push((Stream::Stdout, tail.pieces()));
    tail.bring(b"one\n");
    assert!(matches!(actor.next_input().await, Input::Inbound(_)));
    // A stop shows all that was printed before it.
    actor.on_stopped(dap::event::Stopped::default(), json!({}));
    assert_eq!(actor.pause.as_ref().map(|pause| pause.output.trim()), Some("one"));
    tail.bring(b"two\n");
    actor.inbox = None;
    assert!(
        matches!(actor.next_input().await, Input::Printed(Stream::Stdout, piece) if piece.text == "two\n")
    );
}
