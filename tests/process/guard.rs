//! A host killed with `kill -9` leaves no process, whatever state its guard was in.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::process::{Command, Exit, Family, Owner, Stdio};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::{SOON, is_alive, owner, owner_with, sh, spawn_printing_pids, wait_until};

/// The promised time limit.
const LEFT_NOTHING: Duration = Duration::from_secs(2);

/// Set when this test binary plays the host that is killed.
const ROLE: &str = "DAPDOCK_TEST_HOST";

/// The processes whose pids a host prints: the guard, one that ends at SIGTERM, one that ignores
/// it, an orphan in its own session, and an adopted debuggee without mark and parent.
const MEMBERS: usize = 5;

fn raw(pid: u32) -> Pid {
    Pid::from_raw(pid.cast_signed()).unwrap()
}

fn host(role: &str) -> Command {
    let this = std::env::current_exe().unwrap();
    Command::new(this)
        .args(["--exact", "process::guard::killed_host_leaves_nothing", "--nocapture"])
        .env(ROLE, role)
}

/// Starts those processes, then waits to be killed.
async fn play_host(role: &str) {
    let owner = owner_with(Limits { guard_young: Duration::ZERO, ..Limits::default() });
    let family = owner.family().await.unwrap();
    let mut pids = start_members(&family).await;
    if role == "guard replaced" {
        replace_guard(&owner).await;
    }
    pids.push(owner.guard().unwrap().pid);
    use std::io::Write;
    let text: String = pids.iter().map(|pid| format!("\npid {pid}")).collect();
    std::io::stdout().write_all(format!("{text}\n").as_bytes()).unwrap();
    std::future::pending().await
}

async fn start_members(family: &Family) -> Vec<u32> {
    let terminable = family.spawn(&Command::new("sleep").args(["1000"]), Stdio::WIRE).unwrap();
    let script = "setsid sleep 1000 & echo pid $!; env -i setsid sleep 1000 & echo pid $!";
    let (parent, mut pids) = spawn_printing_pids(family, &sh(script), 2).await;
    parent.exited().wait().await;
    family.adopt(pids[1]);
    let (ignoring_term, _) =
        spawn_printing_pids(family, &sh("trap '' TERM; echo pid $$; while :; do sleep 1; done"), 1)
            .await;
    pids.extend([terminable.id().pid, ignoring_term.id().pid]);
    pids
}

async fn replace_guard(owner: &Owner) {
    let first = owner.guard().unwrap();
    kill_process(raw(first.pid), Signal::KILL).unwrap();
    wait_until(SOON, "another guard", || owner.guard().is_some_and(|guard| guard != first)).await;
}

#[derive(Clone, Copy, Debug)]
enum Death {
    Process,
    Group,
}

async fn check(role: &str, death: Death) {
    let family = owner().family().await.unwrap();
    let (host, pids) = spawn_printing_pids(&family, &host(role), MEMBERS).await;
    assert!(pids.iter().all(|pid| is_alive(*pid)), "{role}: {pids:?}");
    let pid = raw(host.id().pid);
    match death {
        Death::Process => kill_process(pid, Signal::KILL).unwrap(),
        Death::Group => kill_process_group(pid, Signal::KILL).unwrap(),
    }
    assert_eq!(host.exited().wait().await, Exit::Signal(9));
    let what = format!("nothing is left of the host ({role}, {death:?})");
    wait_until(LEFT_NOTHING, &what, || !pids.iter().any(|pid| is_alive(*pid))).await;
}

#[tokio::test]
async fn killed_host_leaves_nothing() {
    if let Ok(role) = std::env::var(ROLE) {
        return play_host(&role).await;
    }
    check("plain", Death::Process).await;
    check("plain", Death::Group).await;
    check("guard replaced", Death::Process).await;
}

/// A host may itself be debugged by a host: its processes carry both marks.
#[tokio::test]
async fn nested_host_ends_with_its_processes() {
    let family = owner().family().await.unwrap();
    let (_, pids) = spawn_printing_pids(&family, &host("plain"), MEMBERS).await;
    family.kill().await;
    wait_until(LEFT_NOTHING, "both levels are gone", || !pids.iter().any(|pid| is_alive(*pid)))
        .await;
}

#[tokio::test]
async fn guard_ignores_terminal_signals() {
    let owner = owner();
    let family = owner.family().await.unwrap();
    let guard = owner.guard().unwrap();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
        kill_process(raw(guard.pid), signal).unwrap();
    }
    let process = family.spawn(&Command::new("sleep").args(["1000"]), Stdio::CAPTURED).unwrap();
    drop(family);
    assert_eq!(process.exited().wait().await, Exit::Signal(9));
    assert!(is_alive(guard.pid) && owner.guard() == Some(guard));
}

#[tokio::test]
async fn guard_starts_with_the_first_family_and_ends_with_its_owner() {
    let owner = owner();
    assert_eq!(owner.guard(), None);
    let family = owner.family().await.unwrap();
    let guard = owner.guard().unwrap();
    drop((owner, family));
    wait_until(SOON, "the guard has left", || !is_alive(guard.pid)).await;
}

/// The pipe of a stopped guard fills up: the guard is killed without waiting, and closing its pipe
/// does not make it end the families.
#[tokio::test]
async fn stopped_guard_is_replaced_without_harm() {
    let owner = owner_with(Limits { guard_young: Duration::ZERO, ..Limits::default() });
    let family = owner.family().await.unwrap();
    let first = owner.guard().unwrap();
    let process = family.spawn(&Command::new("sleep").args(["1000"]), Stdio::CAPTURED).unwrap();
    kill_process(raw(first.pid), Signal::STOP).unwrap();
    let fill = || {
        family.disown(std::process::id());
        owner.guard() != Some(first)
    };
    wait_until(SOON, "the stuck guard is given up", fill).await;
    wait_until(SOON, "another guard", || owner.guard().is_some()).await;
    assert!(!is_alive(first.pid));
    assert_eq!(process.exited().now(), None);
    assert_eq!(family.alive().len(), 1);
}
