//! Programs that run to their end.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::process::{Exit, Finish, Run, Stream};

use super::{SOON, is_alive, owner, owner_with, sh, wait_until};

pub(super) fn plain() -> Run {
    Run { stdin: None, timeout: SOON, stdout_cap: 10_000 }
}

#[tokio::test]
async fn output_lines_and_exit_come_back() {
    let mut seen = Vec::new();
    let on_line = |stream, line: &str| seen.push((stream, line.to_owned()));
    let output = owner()
        .run(&sh("echo out; echo err >&2; printf rest; exit 2"), plain(), on_line)
        .await
        .unwrap();
    assert_eq!((output.finish, output.is_success()), (Finish::Exited(Exit::Code(2)), false));
    assert_eq!(
        (output.stdout.as_slice(), output.stderr_tail.as_str()),
        (&b"out\nrest"[..], "err\n")
    );
    seen.sort_by_key(|(stream, _)| *stream == Stream::Stderr);
    let expect = [(Stream::Stdout, "out"), (Stream::Stdout, "rest"), (Stream::Stderr, "err")];
    assert_eq!(seen, expect.map(|(stream, line)| (stream, line.to_owned())));
}

#[tokio::test]
async fn stdin_is_fed_while_output_is_read() {
    let bytes = vec![b'x'; 300_000];
    let run = Run { stdin: Some(bytes.clone()), stdout_cap: 1_000_000, ..plain() };
    let output = owner().run(&sh("cat"), run, |_, _| {}).await.unwrap();
    assert_eq!(output.stdout, bytes);
}

#[tokio::test]
async fn program_may_leave_its_input_unread() {
    let run = Run { stdin: Some(vec![b'x'; 300_000]), ..plain() };
    assert!(owner().run(&sh("exit 0"), run, |_, _| {}).await.unwrap().is_success());
}

#[tokio::test]
async fn output_beyond_its_caps_is_counted() {
    let owner = owner_with(Limits { tail_bytes: 100, ..Limits::default() });
    let run = Run { stdout_cap: 1000, ..plain() };
    let script = "head -c 200000 /dev/zero; head -c 300000 /dev/zero >&2";
    let output = owner.run(&sh(script), run, |_, _| {}).await.unwrap();
    assert_eq!((output.stdout.len(), output.stdout_dropped), (1000, 199_000));
    assert_eq!((output.stderr_tail.len(), output.stderr_dropped), (100, 299_900));
}

#[tokio::test]
async fn deadline_kills_the_whole_group() {
    let mut pid = 0;
    let run = Run { timeout: Duration::from_millis(300), ..plain() };
    let on_line = |_, line: &str| pid = line.parse().unwrap();
    let script = "sleep 1000 & echo $!; wait";
    let output =
        tokio::time::timeout(SOON, owner().run(&sh(script), run, on_line)).await.unwrap().unwrap();
    assert_eq!(output.finish, Finish::TimedOut);
    assert!(pid != 0 && !is_alive(pid));
}

#[tokio::test]
async fn leftover_process_with_the_pipe_open_causes_no_delay() {
    let mut pid = 0;
    let on_line = |_, line: &str| pid = line.parse().unwrap();
    let output = tokio::time::timeout(
        SOON,
        owner().run(&sh("setsid sleep 1000 & echo $!"), plain(), on_line),
    )
    .await;
    assert!(output.unwrap().unwrap().is_success());
    assert!(pid != 0 && !is_alive(pid));
}

#[tokio::test]
async fn dropped_run_is_killed() {
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let owner = owner();
    let command = sh("trap '' TERM; setsid sleep 1000 & echo $!; wait");
    let run =
        owner.run(&command, plain(), move |_, line| sender.send(line.parse().unwrap()).unwrap());
    let pid: u32 = tokio::select! {
        pid = receiver.recv() => pid.unwrap(),
        output = run => panic!("ended by itself: {output:?}"),
    };
    wait_until(SOON, "the dropped run's child is gone", || !is_alive(pid)).await;
}
