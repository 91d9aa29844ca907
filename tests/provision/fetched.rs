//! Archives and npm packages fetched from a server of this machine: which are accepted, which are
//! refused, and the progress messages.

use serde_json::json;

use super::faults::sha256;
use super::server::{Server, archive};
use super::{Ended, User};
use crate::caller::{Caller, Start};

const FIRST: &str = "https://files.test/first.tar";
const SECOND: &str = "https://files.test/second.tar";
const NPM: &str = "@dapdock-tests/pinned@1.0.0";
const PACKAGE: &str = "/@dapdock-tests%2fpinned";
const PINNED: &str = "4f8ef9defb85f09aa1ea28184be9ddef330cd6944263ff5513a042e5aa1f5f3f";

async fn install(user: &User) -> Ended {
    user.run(&["install", "pinned", "--config", "pinned.toml"]).await
}

/// Progress messages, one a line.
fn progress_lines(ended: &Ended) -> Vec<&str> {
    ended.err.lines().map(|line| line.strip_prefix("dapdock: ").unwrap()).collect()
}

/// Checks the message and the installed files, which keep their modes.
#[track_caller]
fn installed(user: &User, printed: &str) -> std::path::PathBuf {
    let path = printed.trim_end().rsplit_once(": ").unwrap().1;
    assert!(
        printed.starts_with("pinned 1.0.0 installed in ") && path.ends_with("/bin/adapter"),
        "{printed}"
    );
    assert!(path.starts_with(user.installs().join("pinned/1.0.0-").to_str().unwrap()), "{path}");
    let adapter = std::path::Path::new(path);
    assert_eq!(std::fs::read_to_string(adapter).unwrap(), "#!/bin/sh\n");
    let mode = std::os::unix::fs::PermissionsExt::mode(&adapter.metadata().unwrap().permissions());
    assert_eq!(mode & 0o111, 0o111);
    assert_eq!(user.left(), ["pinned"]);
    adapter.ancestors().nth(2).unwrap().to_owned()
}

#[test]
fn served_archive_has_the_pinned_hash() {
    assert_eq!(sha256(&archive()), PINNED);
}

#[tokio::test]
async fn an_archive_is_fetched_checked_and_unpacked() {
    let server = Server::with(&[("/first.tar", &archive())]).await;
    let user = server.user();
    let ended = install(&user).await;
    assert_eq!(
        progress_lines(&ended),
        ["installing pinned 1.0.0 …".to_owned(), format!("fetching {FIRST}")]
    );
    let place = installed(&user, &ended.good());
    assert_eq!(std::fs::read_dir(place).unwrap().count(), 2);
    assert_eq!(server.requested(), ["/first.tar"]);
}

/// The same file, with the same pin.
#[tokio::test]
async fn next_address_is_tried_after_a_missing_file() {
    let server = Server::with(&[("/second.tar", &archive())]).await;
    let user = server.user();
    let ended = install(&user).await;
    let lines = progress_lines(&ended);
    assert_eq!(
        (lines[1], lines[3]),
        (&*format!("fetching {FIRST}"), &*format!("fetching {SECOND}")),
        "{lines:?}"
    );
    assert!(lines.len() == 4 && lines[2].contains(" 404"), "{lines:?}");
    installed(&user, &ended.good());
    assert_eq!(server.requested(), ["/first.tar", "/second.tar"]);
}

/// No other source is tried: a person should look at the first one.
#[tokio::test]
async fn archive_with_another_hash_is_not_unpacked() {
    let mut other = archive();
    *other.last_mut().unwrap() = 1;
    let server = Server::with(&[("/first.tar", &other), ("/second.tar", &archive())]).await;
    let user = server.user();
    let found = format!("{FIRST} has the hash {}, pinned is {PINNED}", sha256(&other));
    install(&user).await.fails(&[&found, "nothing was installed"]);
    assert_eq!(server.requested(), ["/first.tar"]);
    assert_eq!(user.left(), [""; 0]);
}

/// Fetched by the user's own npm, from the registry it is configured for.
#[tokio::test]
async fn package_comes_from_the_users_registry() {
    let server = Server::with(&[("/package.tgz", &archive())]).await;
    let user = server.user();
    let ended = install(&user).await;
    let lines = progress_lines(&ended);
    let last = ["installing pinned 1.0.0 …".to_owned(), format!("fetching {NPM}")];
    assert_eq!(lines[lines.len() - 2..], last, "{lines:?}");
    let place = installed(&user, &ended.good());
    assert_eq!(
        std::fs::read_to_string(place.join("run")).unwrap(),
        "#!/bin/sh\n",
        "what the package lacks"
    );
    let mut requested = server.requested();
    // npm may request the package's metadata more than once.
    requested.dedup();
    assert_eq!(requested, ["/first.tar", "/second.tar", PACKAGE, "/package.tgz"]);
}

#[tokio::test]
async fn fetched_package_with_another_hash_is_not_unpacked() {
    let mut other = archive();
    *other.last_mut().unwrap() = 1;
    let server = Server::with(&[("/package.tgz", &other)]).await;
    let user = server.user();
    install(&user)
        .await
        .fails(&[&format!("{NPM} has the hash {}, pinned is {PINNED}", sha256(&other))]);
    assert_eq!(user.left(), [""; 0]);
}

#[tokio::test]
async fn failure_of_every_source_is_reported() {
    let server = Server::with(&[]).await;
    let user = server.user();
    let npm = format!("npm pack --loglevel=error {NPM}` ended with exit code 1");
    install(&user).await.fails(&[
        "first.tar` ended with exit code 22",
        "second.tar` ended with exit code 22",
        &npm,
        "404",
    ]);
    assert_eq!(user.left(), [""; 0]);
}

/// A launch that installs its adapter reports each step while it happens.
#[tokio::test]
async fn launch_reports_the_progress_of_its_install() {
    let server = Server::start(&[("/second.tar", &archive())], 0).await;
    let user = server.user();
    let config = user.dir.path().join("pinned.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("auto_install = true\n{text}")).unwrap();
    let at = |name: &str| user.dir.path().join(name).display().to_string();
    let env = vec![("PATH", at("bin")), ("XDG_DATA_HOME", at("data")), ("NOTES", at("notes"))];
    let mut caller = Caller::start(Start { config, env, ..Start::usual() }).await;
    let launch = json!({"program": "Cargo.toml", "adapter": "pinned", "timeout_s": 50});
    let call =
        json!({"name": "debug_launch", "arguments": launch, "_meta": {"progressToken": "fetch"}});
    let requested = caller.send("tools/call", call).await;
    for url in [FIRST, SECOND] {
        let wanted = format!("fetching {url} · ");
        let note = caller
            .note(|note| {
                note["params"]["message"]
                    .as_str()
                    .is_some_and(|message| message.starts_with(&wanted))
            })
            .await;
        assert_eq!(
            (&note["method"], &note["params"]["progressToken"]),
            (&"notifications/progress".into(), &"fetch".into())
        );
        server.answer();
    }
    // The installed file is no debugger: its failure shows that it was found and run.
    let answer = caller.answer(requested).await;
    assert!(
        answer.text.starts_with("error[adapter-died] the adapter ended during "),
        "{}",
        answer.text
    );
    caller.hang_up();
    assert_eq!(caller.wait_for_exit().await, Some(0));
    assert_eq!(user.left(), ["pinned"]);
}
