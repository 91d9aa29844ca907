//! However the host ends and whatever it does at that time, two seconds later nothing of it runs.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::caller::{Caller, Start};
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
    /// Ends the host and waits until it has ended; answers its exit code.
    async fn befall(self, caller: &mut Caller) -> Option<i32> {
        match self {
            Self::CallerGone => caller.hang_up(),
            Self::Terminate => caller.signal(Signal::TERM),
            Self::Interrupt => caller.signal(Signal::INT),
            Self::Kill => caller.signal(Signal::KILL),
        }
        caller.ended().await
    }
}

/// A tool that takes for ever: it turns into a process that only waits.
fn stuck_tool(dir: &Path, tool: &str) -> PathBuf {
    let script = dir.join("stuck");
    std::fs::write(&script, "#!/bin/sh\nexec sleep 1000\n").unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let config = dir.join("config.toml");
    std::fs::write(&config, format!("[tools.{tool}]\npath = {:?}\n", script)).unwrap();
    config
}

/// A host that probes an interpreter which never answers.
async fn preparing(dir: &Path) -> Caller {
    let start = Start { config: stuck_tool(dir, "python"), ..Start::usual() };
    let mut caller = Caller::start(start).await;
    caller.begin("debug_launch", json!({"program": Language::Python.program("cart")})).await;
    caller.mark.comes("sleep 1000").await;
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
    caller.mark.comes("/bin/sleep 1000").await;
    caller
}

/// A host whose adapter was started and says nothing.
async fn starting(dir: &Path) -> Caller {
    let start = Start { config: stuck_tool(dir, "codelldb"), ..Start::usual() };
    let mut caller = Caller::start(start).await;
    caller.begin("debug_launch", json!({"program": Language::Rust.program("cart")})).await;
    caller.mark.comes("sleep 1000").await;
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
        let code = ending.befall(&mut caller).await;
        assert_eq!(code, (ending != Ending::Kill).then_some(0), "{phase}, {ending:?}");
        caller.mark.goes(LEFT_NOTHING, &format!("{phase}, {ending:?}")).await;
    }
}

/// The host first compiles the plugin: nothing may be started once its caller has gone.
#[tokio::test]
async fn host_that_compiles_a_plugin_leaves_nothing() {
    for ending in ENDINGS {
        let cache = tempfile::tempdir().unwrap();
        let env = vec![("XDG_CACHE_HOME", cache.path().display().to_string())];
        let mut caller = Caller::start(Start { env, ..Start::usual() }).await;
        let launch = json!({"program": Language::Python.program("sleeper"), "timeout_s": 50});
        caller.begin("debug_launch", launch).await;
        ending.befall(&mut caller).await;
        caller.mark.goes(LEFT_NOTHING, &format!("compiling, {ending:?}")).await;
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

/// A child process of the program stands, and its parent waits for it.
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

/// `phase::language` brings a host there and ends it in each way.
macro_rules! endings {
    ($($phase:ident => $($language:ident)+;)+) => {
        $(mod $phase {
            $(#[tokio::test]
            async fn $language() {
                let language = super::Language::$language();
                if language.is_here() {
                    super::check(stringify!($phase), async |_: &std::path::Path| super::$phase(language).await).await;
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
