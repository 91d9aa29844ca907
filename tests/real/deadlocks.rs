//! Threads that wait for one another, as a pause describes them.

use serde_json::json;

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

pub async fn pause_names_locks_and_their_holders(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("stuck.c"), SOURCE).unwrap();
    stage.start_in(dir.path()).await;
    stage.call("debug_launch", json!({"program": "stuck.c", "timeout_s": 1})).await.good();
    stage.printed("stuck").await;
    let stop = stage.call("debug_pause", json!({})).await.good();
    assert_eq!(stop.reason(), "by pause", "{}", stop.text);
    let threads = stop.line("! ");
    for part in [
        "deadlock of threads 2 and 3; thread 2 in one stuck.c:9 waits for the lock second held by \
         thread 3; thread 3 in two stuck.c:15 waits for the lock first held by thread 2; ",
        "thread 1 in main stuck.c:",
    ] {
        assert!(threads.contains(part), "{threads}");
    }
}
