//! `dapdock adapters` as shipped, with shell scripts as clients: they record their calls, or pass
//! them to the real clients and a server of this machine. No registry is contacted.

mod auto;
mod clients;
mod elicitation;
mod faults;
mod fetched;
mod order;
mod server;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tokio::process::{Child, Command};

use crate::caller::{Mark, private_directories};

/// Programs that the scripts need besides a shell.
const TOOLS: [&str; 6] = ["cat", "chmod", "cp", "mkdir", "mkfifo", "tar"];

/// A user with these clients only, and a directory for installs.
struct User {
    dir: tempfile::TempDir,
    mark: Mark,
}

/// A command's output and exit code.
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

impl User {
    /// Clients as name and script. `$NOTES` is a file that they may write to.
    fn with(clients: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let bin = dir.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        let places = ["/bin", "/usr/bin"].map(Path::new);
        for tool in TOOLS {
            let real =
                places.iter().map(|place| place.join(tool)).find(|path| path.exists()).unwrap();
            std::os::unix::fs::symlink(real, bin.join(tool)).unwrap();
        }
        let user = Self { dir, mark: Mark::fresh() };
        clients.iter().for_each(|(name, script)| user.client(name, script));
        user
    }

    fn client(&self, name: &str, script: &str) {
        let text = format!("#!/bin/sh\nset -e\necho \"{name} $*\" >> \"$NOTES\"\n{script}\n");
        crate::plugin::script(&self.dir.path().join("bin").join(name), &text);
    }

    fn installs(&self) -> PathBuf {
        self.dir.path().join("data/dapdock/adapters")
    }

    /// The calls of the clients, one a line.
    fn notes(&self) -> Vec<String> {
        let notes = std::fs::read_to_string(self.dir.path().join("notes")).unwrap_or_default();
        notes.lines().map(str::to_owned).collect()
    }

    #[expect(clippy::disallowed_methods, reason = "the host is what is tested")]
    fn start(&self, words: &[&str]) -> Child {
        let at = |name: &str| self.dir.path().join(name);
        Command::new(env!("CARGO_BIN_EXE_dapdock"))
            .arg("adapters")
            .args(words)
            .current_dir(self.dir.path())
            .env_remove("DAPDOCK_CONFIG")
            .envs(private_directories())
            .env("PATH", at("bin"))
            .env("XDG_DATA_HOME", at("data"))
            .env("NOTES", at("notes"))
            .env(Mark::NAME, self.mark.value())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap()
    }

    async fn run(&self, words: &[&str]) -> Ended {
        ended(self.start(words)).await
    }

    /// The entry of one adapter in `list`.
    async fn listed(&self, name: &str) -> Value {
        let list = self.run(&["list", "--json", "--config", "/dev/null"]).await;
        let rows: Vec<Value> = serde_json::from_str(&list.out).unwrap();
        rows.into_iter().find(|row| row["name"] == name).unwrap()
    }

    /// The names in the directory of installs, without the lock.
    fn left(&self) -> Vec<String> {
        let entries =
            std::fs::read_dir(self.installs()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
        names.retain(|name| name != ".lock");
        names.sort();
        names
    }
}

async fn ended(child: Child) -> Ended {
    let output = tokio::time::timeout(crate::caller::PATIENCE, child.wait_with_output()).await;
    let output = output.expect("the command does not end").unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

impl Ended {
    #[track_caller]
    fn good(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self.out
    }

    /// Asserts exit code 1 and these parts of the error.
    #[track_caller]
    fn fails(self, parts: &[&str]) {
        assert_eq!(self.code, Some(1), "{}{}", self.out, self.err);
        for part in parts {
            assert!(self.err.contains(part), "`{part}` is not said in\n{}", self.err);
        }
    }
}
