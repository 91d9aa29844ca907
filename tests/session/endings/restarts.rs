//! Restarts, which end the old session.

use std::time::{Duration, Instant};

use dapdock::limits::Limits;
use dapdock::model::{Cursor, Happening};
use dapdock::session::Error;
use serde_json::json;

use crate::session::{Stage, lines, soon};

#[tokio::test]
async fn restart_does_not_take_a_session_from_a_person() {
    let stage = Stage::new(json!({"program": lines(&[1, 2])})).at(&[1]);
    let sessions = stage.sessions();
    let handle = soon(sessions.launch(stage.request())).await.unwrap();
    soon(handle.wait(Cursor::default())).await.unwrap();
    let person = handle.clone().by_editor();
    let mut restart = std::pin::pin!(sessions.restart(None));
    assert!(futures_util::poll!(&mut restart).is_pending());
    assert!(person.take().unwrap());
    let refused = soon(restart).await.err().unwrap();
    assert!(matches!(refused, Error::Taken { .. }), "{refused}");
    assert!(person.is_taken());
}

/// A restart includes the end of the old session, and the reported time counts it.
#[tokio::test]
async fn restart_time_includes_the_end_of_the_old_session() {
    let limits = Limits { disconnect: Duration::from_millis(700), ..Limits::default() };
    let script = json!({
        "program": lines(&[1, 2]),
        "faults": [{"on": "disconnect", "silent": null}, {"on": "terminate", "silent": null}],
    });
    let stage = Stage { limits, ..Stage::new(script) }.at(&[1]);
    let sessions = stage.sessions();
    let handle = soon(sessions.launch(stage.request())).await.unwrap();
    soon(handle.wait(Cursor::default())).await.unwrap();
    let requested = Instant::now();
    let again = soon(sessions.restart(None)).await.unwrap();
    let ended = requested.elapsed();
    let Ok((Happening::Stopped(stop), _)) = soon(again.wait(Cursor::default())).await else {
        panic!("no stop")
    };
    assert!(ended >= Duration::from_millis(700), "{ended:?}");
    assert!(
        stop.elapsed >= ended && stop.elapsed <= requested.elapsed(),
        "{:?} of {ended:?}",
        stop.elapsed
    );
}
