//! Starting processes: pipes, environment, exits, and the cause of a failed start.

use std::path::{Path, PathBuf};

use dapdock::limits::Limits;
use dapdock::process::{Command, CwdProblem, Exit, Finish, SpawnError, Stdio};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::{SOON, file, next_line, owner, owner_with, scratch, sh};

async fn error(command: Command) -> SpawnError {
    owner().family().await.unwrap().spawn(&command, Stdio::CAPTURED).unwrap_err()
}

#[tokio::test]
async fn missing_program_is_named() {
    let error = error(Command::new("/no/such/program")).await;
    assert!(matches!(&error,
            SpawnError::NotFound { program } if program == Path::new("/no/such/program")));
    assert_eq!(error.to_string(), "no such program: /no/such/program");
}

#[tokio::test]
async fn directory_is_not_a_program() {
    assert!(matches!(error(Command::new("/usr")).await, SpawnError::Directory { .. }));
}

#[tokio::test]
async fn file_without_execute_bit_is_not_executable() {
    let dir = scratch();
    let program = file(&dir, "plain", "#!/bin/sh\n", 0o644);
    assert!(matches!(error(Command::new(program)).await, SpawnError::NotExecutable { .. }));
}

#[tokio::test]
async fn text_without_interpreter_is_not_a_program() {
    let dir = scratch();
    let program = file(&dir, "text", "hello\n", 0o755);
    assert!(matches!(error(Command::new(program)).await, SpawnError::NotAProgram { .. }));
}

#[tokio::test]
async fn missing_interpreter_is_named() {
    let dir = scratch();
    let program = file(&dir, "script", "#!/no/such/python -u\n", 0o755);
    let error = error(Command::new(program)).await;
    assert!(matches!(&error, SpawnError::Interpreter { interpreter: Some(path),
            .. } if path == Path::new("/no/such/python")));
}

#[tokio::test]
async fn missing_working_directory_is_not_a_missing_program() {
    let error = error(sh("true").cwd("/no/such/dir")).await;
    assert_eq!(error.to_string(), "working directory /no/such/dir does not exist (to run /bin/sh)");
}

#[tokio::test]
async fn file_as_working_directory_is_reported() {
    let dir = scratch();
    let error = error(sh("true").cwd(file(&dir, "file", "", 0o644))).await;
    assert!(matches!(
        error,
        SpawnError::WorkingDirectory { problem: CwdProblem::NotADirectory, .. }
    ));
}

#[tokio::test]
async fn exit_distinguishes_codes_from_signals() {
    let family = owner().family().await.unwrap();
    let code = family.spawn(&sh("exit 3"), Stdio::CAPTURED).unwrap();
    let signal = family.spawn(&sh("kill -SEGV $$"), Stdio::CAPTURED).unwrap();
    let twice = tokio::join!(code.exited().wait(), code.exited().wait());
    assert_eq!(twice, (Exit::Code(3), Exit::Code(3)));
    assert_eq!(signal.exited().wait().await, Exit::Signal(11));
    assert_eq!(signal.exited().now(), Some(Exit::Signal(11)));
}

#[tokio::test]
async fn stderr_flood_does_not_block_and_leaves_its_tail() {
    let limits = Limits { tail_bytes: 1000, ..Limits::default() };
    let family = owner_with(limits).family().await.unwrap();
    let script = "head -c 5000000 /dev/zero | tr '\\0' x >&2; echo the end >&2; exit 7";
    let process = family.spawn(&sh(script), Stdio::WIRE).unwrap();
    assert_eq!(tokio::time::timeout(SOON, process.exited().wait()).await, Ok(Exit::Code(7)));
    let mut lines = process.stderr().lines();
    while next_line(&mut lines).await.is_some() {}
    assert_eq!(process.stderr().text().len(), 1000);
    assert!(process.stderr().text().ends_with("xthe end\n"));
    assert_eq!(process.stderr().forgotten(), 5_000_000 + 8 - 1000);
}

#[tokio::test]
async fn line_printed_before_the_first_read_is_not_lost() {
    let family = owner().family().await.unwrap();
    let process = family.spawn(&sh("printf 'one\\r\\n\\ntwo'"), Stdio::CAPTURED).unwrap();
    process.exited().wait().await;
    let mut lines = process.stdout().lines();
    let mut found = Vec::new();
    while let Some(line) = next_line(&mut lines).await {
        found.push(line);
    }
    assert_eq!(found, ["one", "", "two"]);
}

#[tokio::test]
async fn endless_line_comes_in_pieces() {
    let limits = Limits { line_bytes: 4, ..Limits::default() };
    let family = owner_with(limits).family().await.unwrap();
    let process = family.spawn(&sh("printf abcdefghij; exec sleep 1000"), Stdio::CAPTURED).unwrap();
    let mut lines = process.stdout().lines();
    assert_eq!(next_line(&mut lines).await.as_deref(), Some("abcd"));
    assert_eq!(next_line(&mut lines).await.as_deref(), Some("efgh"));
    assert_eq!(lines.ready(), None);
}

#[tokio::test]
async fn wire_carries_both_ways_until_stdin_is_dropped() {
    let family = owner().family().await.unwrap();
    let mut process = family.spawn(&Command::new("cat"), Stdio::WIRE).unwrap();
    let mut stdin = process.take_stdin().unwrap();
    let mut lines = BufReader::new(process.take_stdout().unwrap()).lines();
    stdin.write_all("grüße\n".as_bytes()).await.unwrap();
    assert_eq!(lines.next_line().await.unwrap().as_deref(), Some("grüße"));
    drop(stdin);
    assert_eq!(process.exited().wait().await, Exit::Code(0));
}

#[tokio::test]
async fn environment_is_set_removed_and_marked() {
    let owner = owner();
    let mut command =
        sh("echo \"$A,${HOME-none},$PWD\"; test -n \"$DAPDOCK_SESSION\"").env("A", "1").cwd("/usr");
    command.env.push(("HOME".into(), None));
    let output = owner.run(&command, super::run::plain(), |_, _| {}).await.unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "1,none,/usr\n");
    assert_eq!(output.finish, Finish::Exited(Exit::Code(0)));
}

/// A child that inherited the write end of the guard's pipe would keep the guard from noticing the
/// host's end.
#[tokio::test]
async fn child_inherits_no_pipe_of_the_host() {
    let owner = owner();
    let family = owner.family().await.unwrap();
    let first = family.spawn(&Command::new("sleep").args(["1000"]), Stdio::WIRE).unwrap();
    let second = family.spawn(&Command::new("sleep").args(["1000"]), Stdio::WIRE).unwrap();
    let all = [owner.guard().unwrap().pid, first.id().pid, second.id().pid];
    for one in all {
        let own: Vec<_> = [0, 1, 2].into_iter().flat_map(|fd| pipe(one, fd)).collect();
        assert!(own.len() >= 2, "stdin and stdout are pipes: {own:?}");
        for other in all.into_iter().filter(|other| *other != one) {
            let inherited: Vec<_> =
                (0..64).flat_map(|fd| pipe(other, fd)).filter(|pipe| own.contains(pipe)).collect();
            assert_eq!(inherited, Vec::<PathBuf>::new(), "{other} holds pipes of {one}");
        }
    }
}

fn pipe(pid: u32, fd: u32) -> Option<PathBuf> {
    let link = std::fs::read_link(format!("/proc/{pid}/fd/{fd}")).ok()?;
    link.to_string_lossy().starts_with("pipe:").then_some(link)
}
