//! What belongs to a family, and that it ends.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::process::{Adoption, Command, Exit, Rung, SpawnError, Stdio};

use super::{SOON, is_alive, owner, owner_with, sh, spawn_printing_pids, within};

#[tokio::test]
async fn term_is_enough_for_the_obedient() {
    let family = owner().family().await.unwrap();
    let process = family.spawn(&Command::new("sleep").args(["1000"]), Stdio::KEPT).unwrap();
    assert_eq!(family.alive().iter().map(|member| member.id).collect::<Vec<_>>(), [process.id()]);
    assert_eq!(family.alive()[0].name, "sleep");
    assert_eq!(family.terminate().await.rung, Rung::Term);
    assert_eq!(process.exited().wait().await, Exit::Signal(15));
    assert_eq!(family.alive(), []);
}

#[tokio::test]
async fn term_is_not_sent_twice() {
    let family = owner().family().await.unwrap();
    let script = "trap 'n=$((n+1))' TERM; n=0; echo pid $$; for i in 1 2 3 4; do sleep 0.1 & wait; done; exit $n";
    let (process, _) = spawn_printing_pids(&family, &sh(script), 1).await;
    family.terminate().await;
    assert_eq!(process.exited().wait().await, Exit::Code(1));
}

#[tokio::test]
async fn deaf_to_term_is_killed() {
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
async fn empty_family_is_gone_and_spawns_no_more() {
    let family = owner().family().await.unwrap();
    family.spawn(&sh("exit 0"), Stdio::KEPT).unwrap().exited().wait().await;
    assert_eq!(family.terminate().await.rung, Rung::Gone);
    assert!(matches!(family.spawn(&sh("exit 0"), Stdio::KEPT), Err(SpawnError::Ending { .. })));
}

/// In a session of its own, its parent dead: only the mark tells.
#[tokio::test]
async fn marked_orphan_in_another_session_ends() {
    let family = owner().family().await.unwrap();
    let (process, pids) =
        spawn_printing_pids(&family, &sh("setsid sleep 1000 & echo pid $!"), 1).await;
    process.exited().wait().await;
    assert_eq!(family.terminate().await.rung, Rung::Term);
    assert!(!is_alive(pids[0]));
}

/// No mark, no group: only its living parent tells, and the parent dies first.
#[tokio::test]
async fn unmarked_child_in_another_session_ends_with_its_parent() {
    let family = owner().family().await.unwrap();
    let script =
        "env -i setsid sh -c 'trap \"\" TERM; echo pid $$; while :; do sleep 1; done' & wait";
    let (_, pids) = spawn_printing_pids(&family, &sh(script), 1).await;
    assert_eq!(family.terminate().await.rung, Rung::Kill);
    assert!(!is_alive(pids[0]));
}

/// Nothing tells but the adapter, through DAP's `process` event.
#[tokio::test]
async fn adopted_debuggee_ends() {
    let family = owner().family().await.unwrap();
    let (process, pids) =
        spawn_printing_pids(&family, &sh("env -i setsid sleep 1000 & echo pid $!"), 1).await;
    process.exited().wait().await;
    within(SOON, "it has shed mark and group", || family.alive().is_empty()).await;
    assert_eq!(family.adopt(pids[0]), Adoption::Adopted);
    assert_eq!(family.alive().iter().map(|member| member.id.pid).collect::<Vec<_>>(), pids);
    family.terminate().await;
    assert!(!is_alive(pids[0]));
}

#[tokio::test]
async fn pid_that_cannot_be_a_debuggee_of_ours_is_refused() {
    let family = owner().family().await.unwrap();
    assert_eq!(family.adopt(1), Adoption::Older);
    assert_eq!(family.adopt(std::process::id()), Adoption::Older);
    assert_eq!(family.adopt(u32::MAX), Adoption::NoSuchProcess);
    assert_eq!(family.adopt(4_194_305), Adoption::NoSuchProcess);
}

#[tokio::test]
async fn attached_debuggee_and_its_children_live_on() {
    let owner = owner();
    let (theirs, ours) = (owner.family().await.unwrap(), owner.family().await.unwrap());
    let (debuggee, pids) =
        spawn_printing_pids(&theirs, &sh("sleep 1000 & echo pid $!; wait"), 1).await;
    let adapter = ours.spawn(&Command::new("sleep").args(["1000"]), Stdio::KEPT).unwrap();
    assert_eq!(ours.adopt(debuggee.id().pid), Adoption::Adopted);
    ours.disown(debuggee.id().pid);
    assert_eq!(ours.alive().len(), 1);
    ours.terminate().await;
    adapter.exited().wait().await;
    assert!(is_alive(debuggee.id().pid) && is_alive(pids[0]));
    theirs.terminate().await;
    assert!(!is_alive(debuggee.id().pid) && !is_alive(pids[0]));
}

/// Start times are counted in hundredths of a second since boot.
async fn some_ticks() {
    let ticks = || {
        let uptime = std::fs::read_to_string("/proc/uptime").unwrap();
        uptime.split_whitespace().next().unwrap().parse::<f64>().unwrap() * 100.0
    };
    let before = ticks();
    within(SOON, "the clock has gone on", || ticks() > before + 3.0).await;
}

/// Whoever asks for it ends what runs already; what has taken its number since is another's.
#[tokio::test]
async fn claimed_debuggee_ends_with_the_family_and_a_later_one_does_not() {
    let owner = owner();
    let older = owner.family().await.unwrap();
    let debuggee = older.spawn(&Command::new("sleep").args(["1000"]), Stdio::KEPT).unwrap();
    some_ticks().await;
    let family = owner.family().await.unwrap();
    some_ticks().await;
    let later = older.spawn(&Command::new("sleep").args(["1000"]), Stdio::KEPT).unwrap();
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

/// It goes on carrying the mark and stays in the adapter's group, and still only the adapter ends.
#[tokio::test]
async fn released_debuggee_outlives_its_adapter() {
    let owner = owner();
    let (cleaner, family) = (owner.family().await.unwrap(), owner.family().await.unwrap());
    let (adapter, pids) =
        spawn_printing_pids(&family, &sh("sleep 1000 & echo pid $!; wait"), 1).await;
    family.release(pids[0]);
    assert_eq!(family.terminate().await.rung, Rung::Term);
    adapter.exited().wait().await;
    drop(family);
    assert!(is_alive(pids[0]));
    assert_eq!(cleaner.adopt(pids[0]), Adoption::Adopted);
    cleaner.kill().await;
    assert!(!is_alive(pids[0]));
}

#[tokio::test]
async fn dropped_family_is_killed() {
    let family = owner().family().await.unwrap();
    let script = "trap '' TERM; (trap '' TERM; setsid sleep 1000) & echo pid $!; wait";
    let (process, pids) = spawn_printing_pids(&family, &sh(script), 1).await;
    drop(family);
    assert_eq!(process.exited().wait().await, Exit::Signal(9));
    within(SOON, "the orphan is gone", || !is_alive(pids[0])).await;
}

#[tokio::test]
async fn ending_goes_on_when_nobody_waits_for_it() {
    let family = owner().family().await.unwrap();
    let process = family
        .spawn(&sh("trap '' TERM; echo pid $$; while :; do sleep 1; done"), Stdio::KEPT)
        .unwrap();
    let begun = tokio::time::timeout(Duration::from_millis(1), family.terminate()).await;
    assert!(begun.is_err(), "it ended before it could be abandoned");
    assert!(matches!(
        tokio::time::timeout(SOON, process.exited().wait()).await,
        Ok(Exit::Signal(_))
    ));
}
