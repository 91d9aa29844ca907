//! Disconnects: of children before the root, and before any child has connected.

use std::time::Duration;

use serde_json::json;

use super::{LEAVE, Talk, child, parent};
use crate::fake::{Fault, FaultKind, Place, Script};

#[tokio::test(start_paused = true)]
async fn children_disconnect_before_the_root() {
    for (faults, takes) in
        [(vec![], Duration::ZERO), (vec![Fault::on("disconnect", FaultKind::Silent)], LEAVE)]
    {
        let mut talk = Talk::with(parent(&["kid"], vec![]), vec![Script { faults, ..child(5) }]);
        talk.start().await;
        talk.event("stopped").await;
        let started = tokio::time::Instant::now();
        let arguments = json!({"terminateDebuggee": true});
        talk.ask("disconnect", arguments.clone()).await.unwrap();
        assert_eq!(started.elapsed(), takes);
        for received in [talk.child(0), talk.root] {
            assert_eq!(received.arguments("disconnect")[0], arguments);
        }
    }
}

/// The same for a disconnect: a child that connects gets it too, and without a child it ends after
/// a time limit.
#[tokio::test(start_paused = true)]
async fn disconnect_before_any_thread_waits_for_one() {
    let thread = json!({"reason": "started", "threadId": 0});
    let faults = vec![Fault::on("configurationDone", FaultKind::Emit("thread".into(), thread))];
    let program = vec![Place { hangs: true, ..Place::at(1) }];
    for (names, received, takes) in
        [(vec!["kid"], vec![json!({})], Duration::ZERO), (vec![], vec![], LEAVE)]
    {
        let kid = Script { program: program.clone(), faults: faults.clone(), ..child(5) };
        let mut talk = Talk::with(parent(&names, vec![]), vec![kid]);
        talk.start().await;
        let started = tokio::time::Instant::now();
        talk.ask("disconnect", json!({})).await.unwrap();
        assert_eq!(started.elapsed(), takes);
        let children = talk.children.lock().unwrap().clone();
        assert_eq!(
            children.iter().flat_map(|child| child.arguments("disconnect")).collect::<Vec<_>>(),
            received
        );
        assert_eq!(talk.root.arguments("disconnect"), [json!({})]);
    }
}
