//! Coroutines, generators and tasks of Python: steps out of them, and where they wait.

use serde_json::json;

use crate::real::Stage;

const FLOW: &str = "import asyncio
import threading


async def fetch(n):
    await asyncio.get_running_loop().run_in_executor(None, str, n)
    return n * 10


async def handle(n):
    value = await fetch(n)
    return value + n


async def main():
    results = await asyncio.gather(handle(0), handle(1))
    return sum(results)


def numbers():
    yield 1
    yield 2


def consume():
    total = 0
    for n in numbers():
        total += n
    return total


total = asyncio.run(main())
total += consume()
print(total)
other = threading.Thread(target=consume)
other.start()
other.join()
";

/// The code that awaits or consumes, at its next line: neither the event loop below on the stack
/// nor the code that started the loop.
pub async fn step_out_leads_to_the_awaiting_code(stage: &mut Stage) {
    for (line, places) in [
        (7, &["handle  flow.py:12", "main  flow.py:17", "<module>  flow.py:33"][..]),
        (22, &["consume  flow.py:28", "<module>  flow.py:33"]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("flow.py"), FLOW).unwrap();
        stage.start_in(dir.path()).await;
        let launch = json!({
            "program": "flow.py", "breakpoints": [format!("flow.py:{line}")], "timeout_s": 50,
        });
        stage.call("debug_launch", launch).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        for place in places {
            let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
            assert_eq!((stop.reason(), stop.place()), ("after step", *place), "{}", stop.text);
        }
        stage.resume().await.good().line("□ exited with code 0");
    }
}

const GATHER: &str = "import asyncio


class Turn:
    def __await__(self):
        yield


async def handle(number):
    for _ in range(number + 1):
        await Turn()
    if number > 0:
        return number + 1
    return 0


async def main():
    found = await asyncio.gather(*(handle(number) for number in range(3)))
    print(found)


asyncio.run(main())
";

/// Not in the task that the event loop resumes next.
pub async fn step_over_the_end_of_a_task_leads_to_the_awaiting_code(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("gather.py"), GATHER).unwrap();
    stage.start_in(dir.path()).await;
    let breakpoints = json!(["gather.py:13 if number == 1"]);
    let launch = json!({"program": "gather.py", "breakpoints": breakpoints, "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), "handle  gather.py:13", "{}", stop.text);
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!((stop.reason(), stop.place()), ("after step", "main  gather.py:19"));
    assert_eq!(stop.local("found"), "[0, 2, 3]");
    stage.resume().await.good().line("□ exited with code 0");
}

/// Without code of the program's own to return to, the program would run on without a word.
pub async fn step_out_of_the_outermost_function_is_refused(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("flow.py"), FLOW).unwrap();
    stage.start_in(dir.path()).await;
    let breakpoints = ["flow.py:29", "flow.py:34"];
    let launch = json!({"program": "flow.py", "breakpoints": breakpoints, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    stage.call("debug_step", json!({"kind": "out"})).await.good();
    for (stop, function) in [("breakpoint #2", "<module>"), ("breakpoint #1", "consume")] {
        assert_eq!(stage.resume().await.good().reason(), stop);
        let refused = stage.call("debug_step", json!({"kind": "out"})).await;
        assert!(refused.is_error, "{}", refused.text);
        refused.says(&format!(
            "a step out would end nowhere: no function of the program's own code called \
             `{function}`"
        ));
    }
    stage.resume().await.good().line("□ exited with code 0");
}

const HANG: &str = "import asyncio


async def produce(queue):
    for n in range(3):
        await queue.put(n)


async def consume(queue, done):
    await queue.get()
    await wait_for(done)


async def wait_for(done):
    await done.wait()


async def main():
    queue, done = asyncio.Queue(maxsize=1), asyncio.Event()
    await asyncio.gather(produce(queue), consume(queue, done))


asyncio.run(main())
";

/// After a wait that ran out, and at a pause.
pub async fn tasks_show_where_they_wait(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("hang.py"), HANG).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "hang.py", "breakpoints": ["hang.py:15"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let runs = stage.call("debug_continue", json!({"timeout_s": 0.5})).await.good();
    runs.line("▶ running");
    let stop = stage.call("debug_pause", json!({})).await.good();
    assert_eq!((stop.reason(), stop.place()), ("by pause", "<module>  hang.py:23"));
    for reply in [&runs, &stop] {
        for place in [
            " produce (3): produce  hang.py:6 · waits: Queue.put",
            " consume (4): wait_for  hang.py:15  <- consume  hang.py:11 · waits: Event.wait",
            " main (2): main  hang.py:20 · waits: the end of tasks Task-2, Task-3",
        ] {
            reply.says(place);
        }
    }
    let task = json!({"thread": "4", "path": "done"});
    stage.call("debug_variables", task).await.good().line("done: Event");
    stage.call("debug_stop", json!({})).await.good();
}
