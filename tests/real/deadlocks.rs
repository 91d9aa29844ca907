//! Threads that wait for one another, as a pause describes them.

use serde_json::json;

use crate::caller::Answer;
use crate::real::stage::Stage;

/// The main thread prints when both others wait.
const SOURCE: &str = "#include <pthread.h>
#include <sched.h>
#include <stdio.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *one(void *unused) {
    pthread_mutex_lock(&first);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&second);
    return unused;
}
static void *two(void *unused) {
    pthread_mutex_lock(&second);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first);
    return unused;
}
static int waits(pthread_mutex_t *mutex) {
    return __atomic_load_n(&mutex->__data.__lock, __ATOMIC_SEQ_CST) == 2;
}
int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    while (!waits(&first) || !waits(&second)) sched_yield();
    puts(\"stuck\");
    fflush(stdout);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
";

/// At a pause and at the time limit of a step, which reads nothing of the running program.
pub async fn pause_names_locks_and_their_holders(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("stuck.c"), SOURCE).unwrap();
    stage.start_in(dir.path()).await;
    stage.call("debug_launch", json!({"program": "stuck.c", "timeout_s": 1})).await.good();
    stage.printed("stuck").await;
    let stop = stage.call("debug_pause", json!({})).await.good();
    assert_eq!(stop.reason(), "by pause", "{}", stop.text);
    assert_eq!(stop.place().split(':').next(), Some("main  stuck.c"), "{}", stop.text);
    let ((one, why), (two, other)) = (waiting(&stop, "one"), waiting(&stop, "two"));
    let expected = format!("lock `second`, which stuck ({two}) has, in two line 15: a deadlock");
    assert_eq!(why, expected, "{}", stop.text);
    let reversed = format!("lock `first`, which stuck ({one}) has, in one line 9: a deadlock");
    assert_eq!(other, reversed, "{}", stop.text);
    let step = json!({"thread": one, "timeout_s": 0.5});
    let runs = stage.call("debug_step", step).await.good();
    runs.line("▶ running · ");
    let note = runs.line("note: the time limit of 0.5 s was reached during the step: ");
    let blocked = format!("thread stuck ({one}) is blocked, waits: {expected}; debug_wait ");
    assert!(note.starts_with(&blocked), "{note}");
}

/// The number of the other thread in a function, and what it waits for.
fn waiting<'a>(stop: &'a Answer, function: &str) -> (&'a str, &'a str) {
    let place = format!("): {function}  stuck.c:");
    let line = stop.text.lines().find(|line| line.contains(&place));
    let line = line.unwrap_or_else(|| panic!("no thread in {function} in\n{}", stop.text));
    let number = line.split_once('(').and_then(|(_, rest)| rest.split_once(')')).unwrap().0;
    (number, line.split_once(" · waits: ").unwrap().1)
}

/// The main thread prints when both others sleep behind the barrier.
const RUST: &str = "use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::{fs, thread};

struct Account { balance: Mutex<i64> }
static INSIDE: AtomicUsize = AtomicUsize::new(0);

fn transfer(from: &Account, to: &Account, both: &Barrier) {
    let mut first = from.balance.lock().unwrap();
    both.wait();
    INSIDE.fetch_add(1, Ordering::SeqCst);
    *to.balance.lock().unwrap() += 1;
    *first -= 1;
}
fn sleeping() -> usize {
    let tasks = fs::read_dir(\"/proc/self/task\").unwrap().map(|task| task.unwrap().path());
    let states = tasks.map(|task| fs::read_to_string(task.join(\"stat\")).unwrap());
    states.filter(|state| state.rsplit(\") \").next().unwrap().starts_with('S')).count()
}
fn main() {
    let account = || Arc::new(Account { balance: Mutex::new(0) });
    let (a, b, both) = (account(), account(), Arc::new(Barrier::new(2)));
    let threads = [(a.clone(), b.clone()), (b, a)].map(|(from, to)| {
        let both = both.clone();
        thread::spawn(move || transfer(&from, &to, &both))
    });
    while INSIDE.load(Ordering::SeqCst) < 2 || sleeping() < 2 {
        thread::yield_now();
    }
    println!(\"stuck\");
    threads.map(|thread| thread.join().unwrap());
}
";

/// Rust's locks do not know their owner: its guard is among the variables of the thread.
pub async fn pause_names_the_holders_of_rusts_locks(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("stuck.rs"), RUST).unwrap();
    stage.start_in(dir.path()).await;
    stage.call("debug_launch", json!({"program": "stuck.rs", "timeout_s": 1})).await.good();
    stage.printed("stuck").await;
    let stop = stage.call("debug_pause", json!({})).await.good();
    let why = " · waits: lock `to.balance`, which stuck (";
    assert_eq!(stop.text.matches(why).count(), 2, "{}", stop.text);
    let holder = ") has, in stuck::transfer line 12: a deadlock\n";
    assert_eq!(format!("{}\n", stop.text).matches(holder).count(), 2, "{}", stop.text);
}

/// LLDB runs one thread alone during a step.
const SPINS: &str = "#include <pthread.h>
static volatile int go;
static void *other(void *unused) {
    while (!go) {}
    go = 2;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    go = 1;
    while (go != 2) {}
    pthread_join(thread, 0);
}
";

/// A pause ends the step: all threads run on.
pub async fn pause_discards_the_step(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("spins.c"), SPINS).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "spins.c", "breakpoints": ["spins.c:11", "spins.c:5"], "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    let step = stage.call("debug_step", json!({})).await.good();
    assert_eq!(step.place(), "main  spins.c:12", "{}", step.text);
    stage.call("debug_step", json!({"timeout_s": 0.5})).await.good().line("▶ running · ");
    let stop = stage.call("debug_pause", json!({})).await.good();
    assert_eq!((stop.reason(), stop.place()), ("by pause", "main  spins.c:12"), "{}", stop.text);
    let hit = stage.resume_to(2).await;
    assert_eq!(hit.place().split(':').next_back(), Some("5"), "{}", hit.text);
    stage.resume().await.good().line("□ exited with code 0");
}
