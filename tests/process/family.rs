//! Membership of a process family, and its end.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::process::{Adoption, Command, Exit, Rung, SpawnError, Stdio};

use super::{SOON, is_alive, owner, owner_with, sh, spawn_printing_pids, wait_until};

#[tokio::test]
async fn sigterm_ends_a_process_that_does_not_ignore_it() {
    let family = owner().family().await.unwrap();
    let process = family.spawn(&Command::new("sleep").args(["1000"]), Stdio::CAPTURED).unwrap();
    assert_eq!(family.alive().iter().map(|member| member.id).collect::<Vec<_>>(), [process.id()]);
    assert_eq!(family.alive()[0].name, "sleep");
    assert_eq!(family.terminate().await.rung, Rung::Term);
    assert_eq!(process.exited().wait().await, Exit::Signal(15));
    assert_eq!(family.alive(), []);
}

#[tokio::test]
async fn sigterm_is_sent_once() {
    let family = owner().family().await.unwrap();
    let script = "trap 'n=$((n+1))' TERM; n=0; echo pid $$; for i in 1 2 3 4; do sleep 0.1 & wait; \
        done; exit $n";
    let (process, _) = spawn_printing_pids(&family, &sh(script), 1).await;
    family.terminate().await;
    assert_eq!(process.exited().wait().await, Exit::Code(1));
}

#[tokio::test]
async fn process_ignoring_sigterm_is_killed() {
    let limits = Limits { term_grace: Duration::from_millis(50), ..Limits::default() };
    let family = owner_with(limits).family().await.unwrap();
    let (process, pids) =
        spawn_printing_pids(&family, &sh("trap '' TERM; sleep 1000 & echo pid $!; wait"), 1).await;
    let ending = family.terminate().await;
    assert_eq!((ending.rung, ending.left), (Rung::Kill, vec![]));
    assert_eq!(process.exited().wait().await, Exit::Signal(9));
    assert!(!is_alive(pids[0]));
}

#[tokio::test]
async fn terminated_empty_family_refuses_to_spawn() {
    let family = owner().family().await.unwrap();
    family.spawn(&sh("exit 0"), Stdio::CAPTURED).unwrap().exited().wait().await;
    assert_eq!(family.terminate().await.rung, Rung::Gone);
    assert!(matches!(family.spawn(&sh("exit 0"), Stdio::CAPTURED), Err(SpawnError::Ending { .. })));
}

/// In a session of its own, with its parent gone: only the mark shows that it belongs to the
/// family.
#[tokio::test]
async fn marked_orphan_in_another_session_ends() {
    let family = owner().family().await.unwrap();
    let (process, pids) =
        spawn_printing_pids(&family, &sh("setsid sleep 1000 & echo pid $!"), 1).await;
    process.exited().wait().await;
    assert_eq!(family.terminate().await.rung, Rung::Term);
    assert!(!is_alive(pids[0]));
}

/// Without mark and group: only its live parent shows that it belongs to the family, and the parent
/// ends first.
#[tokio::test]
async fn unmarked_child_in_another_session_ends_with_its_parent() {
    let family = owner().family().await.unwrap();
    let script =
        "env -i setsid sh -c 'trap \"\" TERM; echo pid $$; while :; do sleep 1; done' & wait";
    let (_, pids) = spawn_printing_pids(&family, &sh(script), 1).await;
    assert_eq!(family.terminate().await.rung, Rung::Kill);
    assert!(!is_alive(pids[0]));
}

/// Only the adapter names it, in DAP's `process` event.
#[tokio::test]
async fn adopted_debuggee_ends() {
    let family = owner().family().await.unwrap();
    let (process, pids) =
        spawn_printing_pids(&family, &sh("env -i setsid sleep 1000 & echo pid $!"), 1).await;
    process.exited().wait().await;
    wait_until(SOON, "it has shed mark and group", || family.alive().is_empty()).await;
    assert_eq!(family.adopt(pids[0]), Adoption::Adopted);
    assert_eq!(family.alive().iter().map(|member| member.id.pid).collect::<Vec<_>>(), pids);
    family.terminate().await;
    assert!(!is_alive(pids[0]));
}

#[tokio::test]
async fn older_or_unknown_pid_is_not_adopted() {
    let family = owner().family().await.unwrap();
    assert_eq!(family.adopt(1), Adoption::Older);
    assert_eq!(family.adopt(std::process::id()), Adoption::Older);
    assert_eq!(family.adopt(u32::MAX), Adoption::NoSuchProcess);
    assert_eq!(family.adopt(4_194_305), Adoption::NoSuchProcess);
}

#[tokio::test]
async fn attached_debuggee_and_its_children_keep_running() {
    let owner = owner();
    let (other_family, own_family) = (owner.family().await.unwrap(), owner.family().await.unwrap());
    let (debuggee, pids) =
        spawn_printing_pids(&other_family, &sh("sleep 1000 & echo pid $!; wait"), 1).await;
    let adapter = own_family.spawn(&Command::new("sleep").args(["1000"]), Stdio::CAPTURED).unwrap();
    assert_eq!(own_family.adopt(debuggee.id().pid), Adoption::Adopted);
    own_family.disown(debuggee.id().pid);
    assert_eq!(own_family.alive().len(), 1);
    own_family.terminate().await;
    adapter.exited().wait().await;
    assert!(is_alive(debuggee.id().pid) && is_alive(pids[0]));
    other_family.terminate().await;
    assert!(!is_alive(debuggee.id().pid) && !is_alive(pids[0]));
}

/// Start times are counted in hundredths of a second since boot.
async fn wait_for_clock_ticks() {
    let ticks = || {
        let uptime = std::fs::read_to_string("/proc/uptime").unwrap();
        uptime.split_whitespace().next().unwrap().parse::<f64>().unwrap() * 100.0
    };
    let before = ticks();
    wait_until(SOON, "the clock has gone on", || ticks() > before + 3.0).await;
}

/// A claimed process that started before the family is ended with it; a later one with the same
/// claim is another program's.
#[tokio::test]
async fn claim_covers_only_processes_older_than_the_family() {
    let owner = owner();
    let older = owner.family().await.unwrap();
    let debuggee = older.spawn(&Command::new("sleep").args(["1000"]), Stdio::CAPTURED).unwrap();
    wait_for_clock_ticks().await;
    let family = owner.family().await.unwrap();
    wait_for_clock_ticks().await;
    let later = older.spawn(&Command::new("sleep").args(["1000"]), Stdio::CAPTURED).unwrap();
    family.disown(debuggee.id().pid);
    family.claim(debuggee.id().pid);
    family.claim(later.id().pid);
    assert_eq!(
        family.alive().iter().map(|member| member.id.pid).collect::<Vec<_>>(),
        [debuggee.id().pid]
    );
    family.kill().await;
    assert!(!is_alive(debuggee.id().pid) && is_alive(later.id().pid));
    older.kill().await;
}

/// It still has the mark and is in the adapter's group, but only the adapter is ended.
#[tokio::test]
async fn released_debuggee_outlives_its_adapter() {
    let owner = owner();
    let (cleanup, family) = (owner.family().await.unwrap(), owner.family().await.unwrap());
    let (adapter, pids) =
        spawn_printing_pids(&family, &sh("sleep 1000 & echo pid $!; wait"), 1).await;
    family.release(pids[0]);
    assert_eq!(family.terminate().await.rung, Rung::Term);
    adapter.exited().wait().await;
    drop(family);
    assert!(is_alive(pids[0]));
    assert_eq!(cleanup.adopt(pids[0]), Adoption::Adopted);
    cleanup.kill().await;
    assert!(!is_alive(pids[0]));
}

#[tokio::test]
async fn dropped_family_is_killed() {
    let family = owner().family().await.unwrap();
    let script = "trap '' TERM; (trap '' TERM; setsid sleep 1000) & echo pid $!; wait";
    let (process, pids) = spawn_printing_pids(&family, &sh(script), 1).await;
    drop(family);
    assert_eq!(process.exited().wait().await, Exit::Signal(9));
    wait_until(SOON, "the orphan is gone", || !is_alive(pids[0])).await;
}

#[tokio::test]
async fn termination_continues_when_its_call_is_dropped() {
    let family = owner().family().await.unwrap();
    let process = family
        .spawn(&sh("trap '' TERM; echo pid $$; while :; do sleep 1; done"), Stdio::CAPTURED)
        .unwrap();
    let begun = tokio::time::timeout(Duration::from_millis(1), family.terminate()).await;
    assert!(begun.is_err(), "it ended before it could be abandoned");
    assert!(matches!(
        tokio::time::timeout(SOON, process.exited().wait()).await,
        Ok(Exit::Signal(_))
    ));
}
