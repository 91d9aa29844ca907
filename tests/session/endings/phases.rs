//! The end in every phase: by a call, without handles, of the adapter, of the debuggee.

use dapdock::model::{ExitStatus, Happening, Resume, Rung};
use dapdock::session::{EndMode, Error};
use serde_json::json;

use super::{At, PHASES, arrive, kill, stage, status_and_rung, until};
use crate::session::{lines, processes, soon};

#[tokio::test]
async fn close_leaves_nothing_at_any_phase() {
    for (at, requested) in [
        (At::Preparing, vec![]),
        (At::Starting, vec!["initialize", "disconnect"]),
        (At::Running, vec!["terminate", "disconnect"]),
        (At::Stopped, vec!["continue", "disconnect"]),
    ] {
        let run = arrive(at, stage(at, json!({}))).await;
        let waiting = run.handle.wait(run.cursor);
        let (exit, waited) = match at {
            At::Stopped => (soon(run.handle.close(EndMode::Auto)).await.unwrap(), None),
            _ => {
                let (waited, exit) =
                    tokio::join!(soon(waiting), soon(run.handle.close(EndMode::Auto)));
                (exit.unwrap(), Some(waited))
            }
        };
        assert_eq!(status_and_rung(&exit), (ExitStatus::Requested, Rung::Term), "{at:?}");
        assert_eq!(run.stage.processes(), [""; 0], "{at:?}");
        if let Some(waited) = waited {
            let Happening::Ended(ended) = waited.unwrap().0 else { panic!("{at:?}") };
            assert_eq!(ended, exit);
        }
        let commands = run.stage.commands();
        let last =
            commands.iter().filter(|name| requested.contains(&name.as_str())).collect::<Vec<_>>();
        let requested: Vec<_> = requested.into_iter().filter(|name| *name != "continue").collect();
        assert_eq!(last, requested, "{at:?}");
        assert_eq!(soon(run.handle.close(EndMode::Auto)).await.unwrap(), exit, "closed twice");
        let error = soon(run.handle.resume(Resume::Continue, None)).await.unwrap_err();
        assert!(matches!(error, Error::Ended { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_session_without_handles_ends() {
    for at in PHASES {
        let run = arrive(at, stage(at, json!({}))).await;
        let (root, handle) = (run.stage.root(), run.handle);
        assert_ne!(processes(&root), [""; 0], "{at:?}");
        drop(handle);
        until("processes are left", || processes(&root).is_empty()).await;
    }
}

#[tokio::test]
async fn killed_adapter_leaves_no_process() {
    for (at, during) in
        [(At::Starting, "`initialize`"), (At::Running, "the run"), (At::Stopped, "the stop")]
    {
        let mut run = arrive(at, stage(at, json!({}))).await;
        kill("fake-adapter", &run.stage);
        run.until("ended").await;
        let cause = format!("the adapter ended during {during}: signal 9");
        match run.next().await {
            Ok(Happening::Ended(exit)) => {
                assert_eq!(exit.cause.as_deref(), Some(cause.as_str()));
                assert_eq!(exit.rung, Rung::Term, "{at:?}");
            }
            Ok(other) => panic!("{at:?}: {other:?}"),
            Err(error) => assert_eq!((at, error.to_string()), (At::Starting, cause)),
        }
        assert_eq!(run.stage.processes(), [""; 0], "{at:?}");
    }
}

#[tokio::test]
async fn ended_debuggee_ends_the_session() {
    let over = json!(["terminated", null]);
    for at in PHASES {
        let mut stage = stage(at, json!({}));
        match at {
            At::Preparing => stage.options["debuggee"] = json!("echo bad interpreter >&2; exit 7"),
            At::Starting => {
                stage.options["script"]["faults"] = json!([
                    {"on": "initialize", "silent": null},
                    {"on": "initialize", "emit": over.clone()},
                ]);
            }
            At::Running => {
                stage.options["script"]["faults"] = json!([
                    {"on": "setBreakpoints", "emit": ["exited", {"exitCode": 4}]},
                    {"on": "setBreakpoints", "emit": over.clone()},
                ]);
            }
            At::Stopped => stage.options["script"]["program"] = lines(&[1]),
        }
        let mut run = match at {
            At::Preparing | At::Starting => stage.launch().await,
            _ => arrive(at, stage).await,
        };
        match at {
            At::Running => drop(run.set(vec![run.stage.line(5)]).await),
            At::Stopped => run.resume(Resume::Continue).await.unwrap(),
            _ => {}
        }
        let want = match at {
            At::Preparing => {
                "error the adapter ended during start: exit code 7, last words: bad interpreter"
            }
            At::Starting => "ended Unknown Term",
            At::Running => "ended Code(4) Term",
            At::Stopped => "ended Code(0) Term",
        };
        assert_eq!(run.outcome().await, want, "{at:?}");
        assert_eq!(run.stage.processes(), [""; 0], "{at:?}");
    }
}
