//! The end of a mirror.

use super::*;

/// The mirror ends with its command, by ctrl-C or as it is killed; the session goes on.
#[tokio::test]
async fn mirror_ends_with_its_command() {
    let mut joined = Joined::start(four(), &[]).await;
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        let mut mirror = Mirror::open(&joined.shell, &[]).await;
        let mut editor = Editor::joined(mirror.port).await;
        editor.expect("stopped").await;
        mirror.signal(signal);
        editor.expect("terminated").await;
        editor.closed().await;
        let exit = tokio::time::timeout(PATIENCE, mirror.watch.child.wait()).await.unwrap();
        let code = exit.unwrap().code();
        assert_eq!(code, (signal != Signal::KILL).then_some(128 + signal.as_raw()), "{signal:?}");
    }
    assert!(!joined.agent.call("debug_step", json!({})).await.is_error);
}

/// What an editor does not read holds up no end.
#[tokio::test]
async fn mirror_ends_with_its_session_though_the_editor_reads_nothing() {
    let faults = json!({"faults": [{"on": "next", "pour": [1000, 10_000]}]});
    let mut joined = Joined::with(four(), faults, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    // More than the sockets take.
    assert!(!joined.agent.call("debug_step", json!({})).await.is_error);
    joined.agent.call("debug_stop", json!({})).await;
    let (rest, code) = mirror.watch.rest().await;
    assert_eq!(code, 0);
    let end = "the mirror of fake-1 is closed; the session has ended";
    assert_eq!(rest, ["Ed has joined", "Ed has left", end]);
}
