//! However the host ends and whatever it is doing, two seconds later none of its processes runs.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::caller::{Caller, Mark, Start, private_directories};
use crate::real::Language;

const LEFT_NOTHING: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    CallerGone,
    Terminate,
    Interrupt,
    Kill,
}

const ENDINGS: [Ending; 4] =
    [Ending::CallerGone, Ending::Terminate, Ending::Interrupt, Ending::Kill];

impl Ending {
    /// Has the host end.
    fn begin(self, caller: &mut Caller) {
        match self {
            Self::CallerGone => caller.hang_up(),
            Self::Terminate => caller.signal(Signal::TERM),
            Self::Interrupt => caller.signal(Signal::INT),
            Self::Kill => caller.signal(Signal::KILL),
        }
    }

    /// Ends the host and returns its exit code once it has ended.
    async fn end(self, caller: &mut Caller) -> Option<i32> {
        self.begin(caller);
        caller.wait_for_exit().await
    }
}

/// A tool that never ends: it becomes a process that only waits.
fn stuck_tool(dir: &Path, tool: &str) -> PathBuf {
    let script = dir.join("stuck");
    std::fs::write(&script, "#!/bin/sh\nexec sleep 1000\n").unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let config = dir.join("config.toml");
    std::fs::write(&config, format!("[tools.{tool}]\npath = {:?}\n", script)).unwrap();
    config
}

/// A host that probes an interpreter without getting an answer.
async fn preparing(dir: &Path) -> Caller {
    let start = Start { config: stuck_tool(dir, "python"), ..Start::usual() };
    let mut caller = Caller::start(start).await;
    caller.begin("debug_launch", json!({"program": Language::Python.program("cart")})).await;
    caller.mark.wait_for_process("sleep 1000").await;
    caller
}

const BUILD: &str =
    r#"fn main() { std::process::Command::new("/bin/sleep").arg("1000").status().unwrap(); }"#;

/// A host that builds a crate whose build script never ends.
async fn building(dir: &Path) -> Caller {
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).unwrap();
    std::fs::create_dir_all(dir.join("src")).unwrap();
    write("Cargo.toml", "[package]\nname = \"slow\"\nedition = \"2024\"\n[workspace]\n");
    write("build.rs", BUILD);
    write("src/main.rs", "fn main() {}\n");
    let mut caller = Caller::start(Start { cwd: dir.to_owned(), ..Start::usual() }).await;
    caller.begin("debug_launch", json!({"command": "cargo run"})).await;
    caller.mark.wait_for_process("/bin/sleep 1000").await;
    caller
}

/// A host whose adapter was started and never answers.
async fn starting(dir: &Path) -> Caller {
    let start = Start { config: stuck_tool(dir, "codelldb"), ..Start::usual() };
    let mut caller = Caller::start(start).await;
    caller.begin("debug_launch", json!({"program": Language::Rust.program("cart")})).await;
    caller.mark.wait_for_process("sleep 1000").await;
    caller
}

async fn stopped(language: Language) -> Caller {
    let mut caller = Caller::start(Start::usual()).await;
    let launch = json!({
        "program": language.program("sleeper"),
        "breakpoints": [language.at("sleeper", "loop")],
        "timeout_s": 50,
    });
    caller.call("debug_launch", launch).await.good().line("■ stopped breakpoint #1");
    caller
}

async fn running(language: Language) -> Caller {
    let mut caller = stopped(language).await;
    caller.call("debug_breakpoints", json!({"clear": true})).await.good();
    caller.call("debug_continue", json!({"wait": false})).await.good().line("▶ running");
    caller
}

/// Brings a host into a phase and ends it, once in each way.
async fn check(phase: &str, into: impl AsyncFn(&Path) -> Caller) {
    for ending in ENDINGS {
        let dir = tempfile::tempdir().unwrap();
        let mut caller = into(&dir.path().canonicalize().unwrap()).await;
        let members = caller.mark.alive();
        assert!(members.len() >= 3, "{phase}: the host, its guard and what it holds: {members:#?}");
        assert_eq!(
            members.iter().filter(|line| line.ends_with("dapdock guard")).count(),
            1,
            "{phase}: {members:#?}"
        );
        let code = ending.end(&mut caller).await;
        assert_eq!(code, (ending != Ending::Kill).then_some(0), "{phase}, {ending:?}");
        caller.mark.wait_until_gone(LEFT_NOTHING, &format!("{phase}, {ending:?}")).await;
    }
}

/// The host compiles the plugin first: it may start no process after its caller has gone.
#[tokio::test]
async fn host_that_compiles_a_plugin_leaves_nothing() {
    for ending in ENDINGS {
        let cache = tempfile::tempdir().unwrap();
        let env = vec![("XDG_CACHE_HOME", cache.path().display().to_string())];
        let mut caller = Caller::start(Start { env, ..Start::usual() }).await;
        let launch = json!({"program": Language::Python.program("sleeper"), "timeout_s": 50});
        caller.begin("debug_launch", launch).await;
        ending.end(&mut caller).await;
        caller.mark.wait_until_gone(LEFT_NOTHING, &format!("compiling, {ending:?}")).await;
    }
}

#[tokio::test]
async fn host_that_probes_leaves_nothing() {
    check("preparing", preparing).await;
}

#[tokio::test]
async fn host_that_builds_leaves_nothing() {
    if Language::Rust.is_here() {
        check("building", building).await;
    }
}

#[tokio::test]
async fn host_that_starts_an_adapter_leaves_nothing() {
    if Language::Rust.is_here() {
        check("starting", starting).await;
    }
}

/// The host's limit for its end, and some time for a busy machine.
const ENDED: Duration = Duration::from_secs(20);
/// From the caller's going to the end of its debuggee, which nothing holds up.
const SESSIONS_ENDED: Duration = Duration::from_secs(8);
/// Answers of this many requests fill any pipe or socket.
const UNREAD: usize = 100;

/// A host with a debuggee, whose caller has stopped to read.
async fn unread(dir: &Path) -> Caller {
    let (plugin, adapter) = (crate::plugin::component("fake"), crate::fake::executable());
    let config = dir.join("dapdock.toml");
    let tools = "[tools.sh]\npath = \"/bin/sh\"\n[tools.fake-adapter]\npath = ";
    std::fs::write(&config, format!("[adapters.fake]\nplugin = {plugin:?}\n{tools}{adapter:?}\n"))
        .unwrap();
    std::fs::write(dir.join("shop.fake"), "code\n".repeat(9)).unwrap();
    let start = Start { cwd: dir.to_owned(), config, flags: vec!["--trust"], ..Start::usual() };
    let mut caller = Caller::start(start).await;
    let options = json!({
        "script": {"program": [{"line": 1, "hangs": true}]},
        "debuggee": "exec sleep 1000",
    });
    let launch = json!({"program": "shop.fake", "options": options, "timeout_s": 1});
    caller.call("debug_launch", launch).await.good().line("▶ running");
    caller.mark.wait_for_process("sleep 1000").await;
    for _ in 0..UNREAD {
        caller.send("tools/list", json!({})).await;
    }
    caller
}

#[tokio::test]
async fn host_whose_answers_are_not_read_ends() {
    for ending in [Ending::CallerGone, Ending::Terminate] {
        let dir = tempfile::tempdir().unwrap();
        let mut caller = unread(&dir.path().canonicalize().unwrap()).await;
        ending.begin(&mut caller);
        caller.mark.only_host(SESSIONS_ENDED).await;
        assert_eq!(caller.exits(ENDED).await, Some(0), "{ending:?}");
        caller.mark.wait_until_gone(LEFT_NOTHING, &format!("unread, {ending:?}")).await;
    }
}

/// A socket, which the host writes to on a thread that blocks; and a log that is longer than any
/// pipe.
#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "the host is what is tested; nothing of it may own itself"
)]
async fn host_whose_socket_and_log_are_not_read_ends() {
    let state = tempfile::tempdir().unwrap();
    let (_unread, output) = std::os::unix::net::UnixStream::pair().unwrap();
    let mark = Mark::fresh();
    let mut host = tokio::process::Command::new(env!("CARGO_BIN_EXE_dapdock"))
        .arg("mcp")
        .envs(private_directories())
        .env("XDG_STATE_HOME", state.path())
        .env("DAPDOCK_LOG", "trace")
        .env(Mark::NAME, mark.value())
        .stdin(Stdio::piped())
        .stdout(std::os::fd::OwnedFd::from(output))
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut input = host.stdin.take().unwrap();
    let params = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    });
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mut lines = format!("{initialize}\n{initialized}\n");
    for id in 1..=UNREAD {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {}});
        lines.push_str(&format!("{request}\n"));
    }
    input.write_all(lines.as_bytes()).await.unwrap();
    drop(input);
    let exit = tokio::time::timeout(ENDED, host.wait()).await.expect("the host does not end");
    assert_eq!(exit.unwrap().code(), Some(0));
    mark.wait_until_gone(LEFT_NOTHING, "unread socket").await;
}

/// A child process of the program is stopped, and its parent waits for it.
async fn stopped_in_a_child(language: Language) -> Caller {
    let mut caller = Caller::start(Start::usual()).await;
    let args = if language == Language::Python { json!(["fork"]) } else { json!([]) };
    let launch = json!({
        "program": language.program("family"),
        "args": args,
        "breakpoints": [language.at("family", "child")],
        "timeout_s": 50,
    });
    caller.call("debug_launch", launch).await.good().line("■ stopped breakpoint #1");
    caller
}

/// `phase::language` brings a host into the phase and ends it in each way.
macro_rules! endings {
    ($($phase:ident => $($language:ident)+;)+) => {
        $(mod $phase {
            $(#[tokio::test]
            async fn $language() {
                let language = super::Language::$language();
                if language.is_here() {
                    super::check(stringify!($phase),
                        async |_: &std::path::Path| super::$phase(language).await).await;
                }
            })+
        })+
    };
}

endings! {
    running => python rust go javascript c;
    stopped => python rust go javascript c;
    stopped_in_a_child => python javascript;
}
