//! The end of an agent while a person has one of its sessions.

use std::time::Duration;

use serde_json::json;

use super::{Stage, soon};

/// Longer than a test.
const LONG: Duration = Duration::from_secs(3600);

fn stage() -> Stage {
    Stage::new(json!({"program": [{"line": 1}, {"line": 2}]})).at(&[1])
}

/// A call of the agent that was under way starts a program meanwhile, which nobody uses.
#[tokio::test]
async fn launch_under_way_is_ended_as_well() {
    let stage = stage();
    let sessions = stage.sessions();
    let taken = Box::pin(sessions.launch(stage.request())).await.unwrap();
    soon(taken.first()).await.unwrap();
    assert!(taken.take().unwrap());
    let late = async {
        let late = Box::pin(sessions.launch(stage.request())).await.unwrap();
        soon(late.over()).await;
    };
    tokio::select! {
        biased;
        () = sessions.leave(LONG) => panic!("a person has a session"),
        () = late => {}
    }
    assert!(taken.is_taken() && sessions.is_left());
    let (_, ()) = soon(async { tokio::join!(async { taken.give() }, sessions.leave(LONG)) }).await;
    sessions.close_all().await;
}

#[tokio::test]
async fn person_who_makes_no_call_is_not_waited_for() {
    let stage = stage();
    let sessions = stage.sessions();
    let taken = Box::pin(sessions.launch(stage.request())).await.unwrap();
    soon(taken.first()).await.unwrap();
    assert!(taken.take().unwrap());
    soon(sessions.only_taken()).await;
    soon(sessions.leave(Duration::ZERO)).await;
    assert!(taken.is_taken() && sessions.is_left());
    sessions.come_back();
    assert!(!sessions.is_left());
    sessions.close_all().await;
}
