//! Lines of Rust that wait for a future: they begin once, whatever the number of its polls, and a
//! step over one ends in the same future.

use serde_json::json;

use crate::real::stage::Stage;

/// Two futures are polled in turn.
const SOURCE: &str = "use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
struct Later(u32);
impl Future for Later {
    type Output = u32;
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u32> {
        self.0 -= 1;
        if self.0 == 0 { Poll::Ready(7) } else { Poll::Pending }
    }
}
async fn job(id: u32) -> u32 {
    let mut sum = 0;
    for turn in 1..3 {
        sum += Later(turn + 1).await;
    }
    sum + id
}
fn main() {
    let mut context = Context::from_waker(Waker::noop());
    let (mut one, mut two) = (pin!(job(1)), pin!(job(2)));
    loop {
        let ready = one.as_mut().poll(&mut context).is_ready();
        if two.as_mut().poll(&mut context).is_ready() & ready {
            break;
        }
    }
}
";

async fn launch(stage: &mut Stage, line: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("job.rs"), SOURCE).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "job.rs", "breakpoints": [line], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    dir
}

pub async fn line_with_an_await_is_hit_once(stage: &mut Stage) {
    let _dir = launch(stage, "job.rs:15 if id == 1").await;
    for turn in ["1", "2"] {
        let stop = stage.call("debug_evaluate", json!({"expressions": ["turn"]})).await.good();
        assert_eq!(stop.line("turn = "), format!("{turn}  (u32)"));
        let next = stage.resume().await.good();
        let wanted =
            if turn == "1" { "■ stopped breakpoint #1" } else { "□ exited with code 0" };
        assert!(next.text.starts_with(wanted), "{}", next.text);
    }
}

pub async fn step_over_an_await_stays_in_the_future(stage: &mut Stage) {
    let _dir = launch(stage, "job.rs:13 if id == 2").await;
    for line in ["14", "15", "14", "15", "14", "17"] {
        let stop = stage.call("debug_step", json!({})).await.good();
        assert_eq!(stop.reason(), "after step", "{}", stop.text);
        assert_eq!(stop.place().rsplit("job.rs:").next(), Some(line), "{}", stop.text);
        let id = stage.call("debug_evaluate", json!({"expressions": ["id"]})).await.good();
        assert_eq!(id.line("id = "), "2  (u32)");
    }
}
