//! A person at a terminal and the clients of `dapdock serve`: who reaches which session.

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, prlimit};
use serde_json::{Value, json};
use tokio::net::UnixStream;

use super::super::command_line::{Shell, completed};
use super::super::joining::Watch;
use super::{call_alone, launch};
use crate::caller::http::{LEFT_NOTHING, Served};
use crate::caller::{Caller, Start};

/// A server that the commands of a shell reach.
pub async fn serve(shell: &Shell, flags: &[&str]) -> Served {
    let environment = [("XDG_RUNTIME_DIR", shell.runtime())];
    Served::with(shell.dir.path(), &shell.config, flags, &environment).await
}

/// Two clients, each with a session of the same name.
#[tokio::test]
async fn sessions_of_clients_are_listed_taken_and_given_back() {
    let shell = Shell::new();
    let dir = shell.dir.path();
    let served = serve(&shell, &[]).await;
    let (one, other) = (served.client().await, served.client().await);
    one.call("debug_launch", launch(dir, &[3, 4])).await;
    // The only one with an open session.
    let stack = shell.run(&["bt"]).await;
    assert!(stack.code == 0 && stack.out.contains("shop.fake:3"), "{stack:?}");
    other.call("debug_launch", launch(dir, &[5, 6])).await;
    let pid = served.pid();
    let name = |client: u32| format!("{pid}.{client}/fake-1");
    let (first, second) = (name(1), name(2));
    let sessions = shell.run(&["sessions"]).await.out;
    for (client, place) in [(1, "shop.fake:3"), (2, "shop.fake:5")] {
        let title = format!("client {client} of an agent's host (pid {pid})\nfake-1 · stopped");
        let at = sessions.find(&title).unwrap_or_else(|| panic!("{sessions}"));
        assert!(sessions[at..].lines().nth(1).unwrap().contains(place), "{sessions}");
    }
    assert!(!sessions.contains("no session"), "{sessions}");
    for words in [&["bt"][..], &["bt", "-S", "fake-1"], &["bt", "-S", &format!("{pid}/fake-1")]] {
        let both = shell.run(words).await;
        assert_eq!(both.code, 5, "{both:?}");
        for name in [&first, &second] {
            assert!(both.err.contains(&format!("{name} of client ")), "{both:?}");
        }
    }
    assert_eq!(completed(&shell, &["bt", "-S", ""]).await, [first.as_str(), &second]);
    let data = shell.run(&["sessions", "--json"]).await.json();
    let clients = data["data"]["hosts"].as_array().unwrap().iter().map(|host| &host["client"]);
    assert_eq!(clients.collect::<Vec<_>>(), [1, 2]);
    let mut watch = Watch::start(&shell, &["watch", &second]);
    watch.until("■ stopped breakpoint #").await;
    let taken = shell.run(&["take", &first]).await;
    assert!(taken.code == 0 && taken.out.contains("shop.fake:3"), "{taken:?}");
    let refused = one.call("debug_step", json!({})).await;
    assert!(refused.starts_with("error[session-taken]"), "{refused}");
    let step = other.call("debug_step", json!({})).await;
    assert!(step.contains("\n#0 main  shop.fake:6\n"), "{step}");
    watch.until("■ stopped after step · stop 2").await;
    let step = shell.run(&["n", "-S", &first]).await;
    assert!(step.out.contains("\n#0 main  shop.fake:4\n"), "{step:?}");
    assert_eq!(shell.run(&["give", &first]).await.code, 0);
    let back = one.call("debug_stack", json!({})).await;
    assert!(back.starts_with("a person had fake-1 and gave it back; 1 call:\n"), "{back}");
    assert_eq!(other.end().await.status, 204);
    assert_eq!(watch.rest().await.1, 0);
    let gone = shell.run(&["bt", "-S", &second]).await;
    assert_eq!(gone.code, 3, "{gone:?}");
    let stack = shell.run(&["bt"]).await;
    assert!(stack.out.contains("shop.fake:4"), "{stack:?}");
}

/// The time of a client that has gone does not end what a person does with its session.
#[tokio::test]
async fn session_that_a_person_has_outlives_its_client_until_it_is_given_back() {
    let shell = Shell::new();
    let text = std::fs::read_to_string(&shell.config).unwrap();
    std::fs::write(&shell.config, format!("limits.http_lost_s = 1\n{text}")).unwrap();
    let mut served = serve(&shell, &[]).await;
    let (client, idle) = (served.client().await, served.client().await);
    client.call("debug_launch", launch(shell.dir.path(), &[3, 4])).await;
    let taken = shell.run(&["take"]).await;
    assert_eq!(taken.code, 0, "{taken:?}");
    // A later client ends by the same limit.
    idle.call("debug_launch", launch(shell.dir.path(), &[5, 6])).await;
    served.logs("a client has gone").await;
    let name = format!("{}.1/fake-1", served.pid());
    let step = shell.run(&["n", "-S", &name]).await;
    assert!(step.out.contains("\n#0 main  shop.fake:4\n"), "{step:?}");
    let given = shell.run(&["give", &name]).await;
    assert_eq!(given.out, "fake-1 is given back and ends: its agent has gone");
    served.logs("a client has gone").await;
    served.mark.only_host(LEFT_NOTHING).await;
}

/// A server whose clients are lost after a second.
async fn forgetful(shell: &Shell) -> Served {
    let text = std::fs::read_to_string(&shell.config).unwrap();
    std::fs::write(&shell.config, format!("limits.http_lost_s = 1\n{text}")).unwrap();
    serve(shell, &[]).await
}

/// The sessions that nobody has end meanwhile; a client that comes back finds the other one.
#[tokio::test]
async fn client_that_comes_back_finds_what_a_person_has() {
    let shell = Shell::new();
    let served = forgetful(&shell).await;
    let client = served.client().await;
    let mut stream = client.send("GET /mcp", "").await;
    stream.head().await;
    for _ in 0..2 {
        client.call("debug_launch", launch(shell.dir.path(), &[3, 4])).await;
    }
    assert_eq!(shell.run(&["take", "fake-1"]).await.code, 0);
    let mut watch = Watch::start(&shell, &["watch", "fake-2"]);
    watch.until("next: ").await;
    drop(stream);
    watch.until("the session fake-2 is over: ").await;
    let mut stream = client.send("GET /mcp", "").await;
    assert_eq!(stream.head().await.status, 200);
    let given = shell.run(&["give"]).await.out;
    assert_eq!(
        given,
        "fake-1 is given back: the next answer to its agent begins with what you did"
    );
    let step = client.call("debug_step", json!({})).await;
    assert!(
        step.starts_with("a person had fake-1 and gave it back; no call changed anything\n"),
        "{step}"
    );
    assert!(step.contains("\n#0 main  shop.fake:4\n"), "{step}");
}

/// Of requests that name no client, too.
#[tokio::test]
async fn session_of_the_host_is_the_persons_until_it_is_given_back() {
    let shell = Shell::new();
    let mut served = forgetful(&shell).await;
    call_alone(&served, "debug_launch", launch(shell.dir.path(), &[3, 4])).await;
    let script = json!({"script": {"program": [{"line": 3, "hangs": true}]}});
    let running = json!({"program": "shop.fake", "options": script, "timeout_s": 0});
    call_alone(&served, "debug_launch", running).await;
    let wait = json!({"session": "fake-2", "timeout_s": 50});
    let join = async {
        assert_eq!(shell.run(&["take", "fake-1"]).await.code, 0);
        let mut watch = Watch::start(&shell, &["watch", "fake-2"]);
        watch.until("▶ running").await;
        watch
    };
    let mut watch = tokio::select! {
        end = call_alone(&served, "debug_wait", wait) => panic!("{end}"),
        watch = join => watch,
    };
    watch.until("the session fake-2 is over: ").await;
    let step = shell.run(&["n"]).await;
    assert!(step.out.contains("\n#0 main  shop.fake:4\n"), "{step:?}");
    let given = shell.run(&["give"]).await;
    assert_eq!(given.out, "fake-1 is given back and ends: its agent has gone");
    served.logs("nobody uses the sessions of the host").await;
    served.mark.only_host(LEFT_NOTHING).await;
}

/// As that of an agent by stdio that hangs up.
#[tokio::test]
async fn client_that_ends_leaves_what_a_person_has() {
    let shell = Shell::new();
    let served = serve(&shell, &[]).await;
    let client = served.client().await;
    for _ in 0..2 {
        client.call("debug_launch", launch(shell.dir.path(), &[3, 4])).await;
    }
    assert_eq!(shell.run(&["take", "fake-1"]).await.code, 0);
    assert_eq!(client.end().await.status, 204);
    let status = shell.run(&["status"]).await.out;
    assert!(status.contains("fake-1 · stopped") && status.contains("fake-2 · ended"), "{status}");
    let step = shell.run(&["n"]).await;
    assert!(step.out.contains("\n#0 main  shop.fake:4\n"), "{step:?}");
    let given = shell.run(&["give"]).await;
    assert_eq!(given.out, "fake-1 is given back and ends: its agent has gone");
    served.mark.only_host(LEFT_NOTHING).await;
    assert_eq!(client.end().await.status, 404);
}

/// A person has a session when the signal comes, and its client has gone.
#[tokio::test]
async fn signal_ends_a_server_whose_sessions_a_person_has() {
    let shell = Shell::new();
    let mut served = serve(&shell, &[]).await;
    let client = served.client().await;
    client.call("debug_launch", launch(shell.dir.path(), &[3, 4])).await;
    assert_eq!(shell.run(&["take"]).await.code, 0);
    assert_eq!(client.end().await.status, 204);
    served.signal(Signal::TERM);
    assert_eq!(served.exits().await.0, Some(0));
    served.mark.wait_until_gone(LEFT_NOTHING, "SIGTERM").await;
}

/// It reads the end of the session that it watches.
#[tokio::test]
async fn watcher_is_served_until_the_server_has_ended_the_session() {
    let shell = Shell::new();
    let served = serve(&shell, &[]).await;
    let client = served.client().await;
    client.call("debug_launch", launch(shell.dir.path(), &[3, 4])).await;
    let mut watch = Watch::start(&shell, &["watch"]);
    watch.until("next: ").await;
    served.signal(Signal::TERM);
    let (lines, code) = watch.rest().await;
    let last = lines.last().map(String::as_str);
    assert_eq!(last, Some("the session fake-1 is over: ended; no process is left"), "{lines:#?}");
    assert_eq!(code, 0);
}

/// Both doors are open again when it can open files.
#[tokio::test]
async fn server_that_can_open_no_file_accepts_connections_later() {
    let shell = Shell::new();
    let mut served = serve(&shell, &[]).await;
    let client = served.client().await;
    client.call("debug_launch", launch(shell.dir.path(), &[3, 4])).await;
    let pid = Pid::from_raw(served.pid().cast_signed());
    // One, for the `poll` in front of a line of the log.
    let none = Rlimit { current: Some(1), ..getrlimit(Resource::Nofile) };
    let usual = prlimit(pid, Resource::Nofile, none).unwrap();
    let mut request = served.sender().send("GET /sse", &[], "").await;
    served.logs("a client cannot connect yet").await;
    let socket = shell.runtime().join(format!("dapdock/mcp-{}.sock", served.pid()));
    let _command = UnixStream::connect(socket).await.unwrap();
    served.logs("a caller cannot connect yet").await;
    prlimit(pid, Resource::Nofile, usual).unwrap();
    assert_eq!(request.head().await.status, 404);
    let stack = shell.run(&["bt"]).await;
    assert!(stack.code == 0 && stack.out.contains("shop.fake:3"), "{stack:?}");
    let step = client.call("debug_step", json!({})).await;
    assert!(step.contains("\n#0 main  shop.fake:4\n"), "{step}");
}

/// The line that a session is at.
fn line_of(answer: &str) -> &str {
    let place = answer.lines().find_map(|line| line.strip_prefix("#0 main  shop.fake:"));
    place.unwrap_or_else(|| panic!("{answer}"))
}

/// An agent by HTTP, another one by stdio, and a person with a session of their own who also joins
/// theirs: each move arrives once, at its own session, and each answer at who made the call.
#[tokio::test]
async fn two_agents_and_a_person_at_once() {
    const MOVES: u32 = 10;
    let shell = Shell::new();
    let dir = shell.dir.path();
    let served = serve(&shell, &[]).await;
    let env = vec![("XDG_RUNTIME_DIR", shell.runtime().display().to_string())];
    let (cwd, config) = (dir.to_owned(), shell.config.clone());
    let mut stdio = Caller::start(Start { cwd, config, env, ..Start::usual() }).await;
    let http = served.client().await;
    let lines: Vec<u32> = (3..3 + MOVES + 2).collect();
    http.call("debug_launch", launch(dir, &lines)).await;
    stdio.call("debug_launch", launch(dir, &lines)).await;
    let own = shell.launch(&lines).await;
    assert_eq!(own.code, 0, "{own:?}");
    let by_http = format!("{}.1/fake-1", served.pid());
    let by_stdio = format!("{}/fake-1", stdio.pid());
    let sessions = shell.run(&["sessions", "--json"]).await.json();
    let hosts = sessions["data"]["hosts"].as_array().unwrap();
    let pid = |host: &Value| host["pid"].as_u64().unwrap();
    let others = [served.pid(), stdio.pid()].map(u64::from);
    let host = hosts.iter().map(pid).find(|pid| !others.contains(pid)).expect("a host of its own");
    let by_person = format!("{host}/fake-1");
    let watches = [&by_http, &by_stdio].map(|name| Watch::start(&shell, &["watch", name.as_str()]));
    let [mut of_http, mut of_stdio] = watches;
    for watch in [&mut of_http, &mut of_stdio] {
        watch.until("next: ").await;
    }
    let http_moves = async {
        let mut seen = Vec::new();
        for _ in 0..MOVES {
            seen.push(line_of(&http.call("debug_step", json!({})).await).to_owned());
        }
        seen
    };
    let stdio_moves = async {
        let mut seen = Vec::new();
        for _ in 0..MOVES {
            seen.push(line_of(&stdio.call("debug_step", json!({})).await.text).to_owned());
        }
        seen
    };
    let person_moves = async {
        let mut seen = Vec::new();
        for _ in 0..MOVES {
            let step = shell.run(&["n", "-S", &by_person]).await;
            seen.push(line_of(&step.out).to_owned());
            // They read the others meanwhile.
            for name in [&by_http, &by_stdio] {
                let status = shell.run(&["status", "-S", name]).await;
                assert_eq!(status.code, 0, "{status:?}");
            }
        }
        seen
    };
    let (by_agent, by_other, own) = tokio::join!(http_moves, stdio_moves, person_moves);
    let expected: Vec<_> = (4..4 + MOVES).map(|line| line.to_string()).collect();
    assert_eq!([&by_agent, &by_other, &own], [&expected; 3]);
    // The person takes both, one after the other; the agents read what was done.
    for name in [&by_http, &by_stdio] {
        for words in [&["take", name][..], &["n", "-S", name], &["give", name]] {
            let ran = shell.run(words).await;
            assert_eq!(ran.code, 0, "{ran:?}");
        }
    }
    let last = (4 + MOVES).to_string();
    let back = [
        http.call("debug_stack", json!({})).await,
        stdio.call("debug_stack", json!({})).await.text,
    ];
    for back in &back {
        assert!(back.starts_with("a person had fake-1 and gave it back; 1 call:\n"), "{back}");
        assert_eq!(line_of(back), last);
    }
    http.call("debug_stop", json!({})).await;
    stdio.call("debug_stop", json!({})).await;
    for watch in [of_http, of_stdio] {
        let (lines, code) = watch.rest().await;
        let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!(code, 0);
        assert_eq!(count("■ stopped after step"), MOVES as usize + 1, "{lines:#?}");
        assert_eq!(count("the agent calls debug_step"), MOVES as usize, "{lines:#?}");
        assert!(lines.iter().all(|line| !line.contains("left out")), "{lines:#?}");
    }
    let still = shell.run(&["bt", "-S", &by_person]).await;
    assert_eq!(line_of(&still.out), expected.last().unwrap());
}
