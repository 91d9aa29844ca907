//! The command line: its commands call the tools of a host in the background over a local socket.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::faked;
use super::joining::TERMINAL;
use crate::caller::{Caller, Mark, PATIENCE, Start, adapters_config, private_directories};
use crate::real::Language;

/// A directory with a program for the fake adapter, and runtime directories of its own.
pub(super) struct Shell {
    pub dir: tempfile::TempDir,
    pub config: PathBuf,
    mark: Mark,
}

/// What a command printed.
#[derive(Debug)]
pub(super) struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|_| panic!("{self:?}"))
    }
}

impl Shell {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("run")).unwrap();
        let config = faked::configure(dir.path());
        faked::write(&dir.path().join("shop.fake"));
        Self { dir, config, mark: Mark::fresh() }
    }

    pub fn runtime(&self) -> PathBuf {
        self.dir.path().join("run")
    }

    pub fn source(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("shop.fake")
    }

    pub async fn run(&self, words: &[&str]) -> Ran {
        self.run_in(self.dir.path(), words).await
    }

    /// A command of this shell.
    pub fn command(&self, dir: &Path, words: &[&str]) -> tokio::process::Command {
        self.program(env!("CARGO_BIN_EXE_dapdock").as_ref(), dir, words)
    }

    /// Another program, which finds ours in `DAPDOCK`.
    #[expect(clippy::disallowed_methods, reason = "the command is what is tested")]
    fn program(&self, program: &Path, dir: &Path, words: &[&str]) -> tokio::process::Command {
        let mut command = tokio::process::Command::new(program);
        command.args(words).current_dir(dir).envs(private_directories());
        command.env("DAPDOCK", env!("CARGO_BIN_EXE_dapdock"));
        command.env("XDG_RUNTIME_DIR", self.runtime()).env(Mark::NAME, self.mark.value());
        command.env("DAPDOCK_CONFIG", &self.config).stdin(Stdio::null());
        command
    }

    async fn run_in(&self, dir: &Path, words: &[&str]) -> Ran {
        self.ran(self.command(dir, words)).await
    }

    async fn ran(&self, mut command: tokio::process::Command) -> Ran {
        let output = tokio::time::timeout(PATIENCE, command.output()).await.expect("it ends");
        let output = output.unwrap();
        Ran {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap().trim_end().to_owned(),
            err: String::from_utf8(output.stderr).unwrap().trim_end().to_owned(),
        }
    }

    /// Launches the program, whose lines are stops.
    pub async fn launch(&self, lines: &[u32]) -> Ran {
        let place = |line: &u32| json!({"line": line, "locals": {"total": line}});
        let program: Vec<_> = lines.iter().map(place).collect();
        let script = format!("script={}", json!({"program": program, "source": self.source()}));
        let breakpoint = format!("shop.fake:{}", lines[0]);
        let words = ["launch", "-b", &breakpoint, "--options", &script, "shop.fake"];
        self.run(&words).await
    }

    /// Ends the host; nothing is left.
    pub async fn end(&self) {
        let stop = self.run(&["host", "stop"]).await;
        assert_eq!(stop.code, 0, "{stop:?}");
        self.mark.wait_until_gone(Duration::from_secs(10), "after `host stop`").await;
        let is_lock = |entry: &std::fs::DirEntry| {
            entry.path().extension().is_some_and(|extension| extension == "lock")
        };
        let left: Vec<_> = std::fs::read_dir(self.runtime().join("dapdock")).unwrap().collect();
        assert!(left.iter().flatten().all(is_lock), "{left:?}");
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        self.mark.kill();
    }
}

#[tokio::test]
async fn commands_share_a_host_in_the_background() {
    let shell = Shell::new();
    let launch = shell.launch(&[3, 5]).await;
    assert_eq!(launch.code, 0, "{launch:?}");
    assert!(launch.out.starts_with("■ stopped breakpoint #1 · stop 1 · fake-1"), "{launch:?}");
    assert!(launch.err.starts_with("dapdock: started the host in the background"), "{launch:?}");
    let step = shell.run(&["n"]).await;
    assert!(step.out.contains("\n#0 main  shop.fake:5\n"), "{step:?}");
    assert_eq!((step.code, step.err.as_str()), (0, ""), "{step:?}");
    // From another directory, with paths as they are seen there.
    let sub = shell.dir.path().join("sub");
    std::fs::create_dir(&sub).unwrap();
    let stack = shell.run_in(&sub, &["bt"]).await;
    let absolute = shell.dir.path().canonicalize().unwrap().join("shop.fake:5");
    assert!(stack.out.contains(absolute.to_str().unwrap()), "{stack:?}");
    shell.end().await;
}

#[tokio::test]
async fn answers_are_data_on_request() {
    let shell = Shell::new();
    shell.launch(&[3, 5]).await;
    let stack = shell.run(&["stack", "--json"]).await.json();
    assert_eq!(stack["ok"], true, "{stack}");
    assert_eq!(stack["data"]["threads"][0]["frames"][0]["line"], 3, "{stack}");
    let wrong = shell.run(&["step", "--session", "fake-9", "--json"]).await;
    assert_eq!(wrong.code, 3, "{wrong:?}");
    let wrong = wrong.json();
    assert_eq!(wrong["ok"], false, "{wrong}");
    assert_eq!(wrong["error"]["code"], "unknown-session", "{wrong}");
    assert_eq!(wrong["error"]["retryable"], false, "{wrong}");
    let quiet = shell.run(&["n", "-q"]).await;
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (0, "", ""));
    shell.end().await;
}

/// Every exit code, in the order of the calls that have it.
#[tokio::test]
async fn exit_codes_say_what_is_wrong() {
    let shell = Shell::new();
    // The same adapter without its program, where no file of a project names it.
    let elsewhere = tempfile::tempdir().unwrap();
    faked::write(&elsewhere.path().join("shop.fake"));
    let missing = elsewhere.path().join("missing.toml");
    let config = std::fs::read_to_string(&shell.config).unwrap();
    std::fs::write(&missing, config.split("[tools").next().unwrap()).unwrap();
    let missing = missing.display().to_string();
    let workspace = elsewhere.path().display().to_string();
    let hangs = format!("script={}", json!({"program": [{"line": 1, "hangs": true}]}));
    let mut seen = std::collections::BTreeSet::new();
    for (words, code, error) in [
        (&["continue"][..], 5, "no-session"),
        (&["targets"], 0, ""),
        (&["launch", "missing.fake"], 3, "bad-path"),
        (&["bt", "-S", "fake-9"], 3, "unknown-session"),
        (&["frobnicate"], 2, ""),
        (&["step", "sideways"], 2, "bad-argument"),
        (
            &["launch", "--workspace", &workspace, "--config", &missing, "shop.fake"],
            6,
            "tool-missing",
        ),
        (&["launch", "--timeout-s", "1", "--options", &hangs, "shop.fake"], 4, ""),
        (&["wait", "--timeout-s", "0"], 4, ""),
        (&["set", "total", "1"], 5, "not-stopped"),
        (&["pause"], 0, ""),
        (&["vars", "nothing"], 1, "no-such-variable"),
        (&["stop"], 0, ""),
        (&["step"], 5, "ended"),
    ] {
        let ran = shell.run(words).await;
        let is_error = error.is_empty() || ran.err.starts_with(&format!("error[{error}] "));
        assert!(ran.code == code && is_error, "{words:?}: {ran:?}");
        seen.insert(code);
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
    let described = shell.run(&["commands", "--json"]).await.json();
    let codes: Vec<_> = described["exit_codes"].as_object().unwrap().keys().collect();
    assert_eq!(codes, ["0", "1", "2", "3", "4", "5", "6"]);
    shell.end().await;
}

/// Commands about a session start no host to say that there is none.
#[tokio::test]
async fn commands_without_a_session_start_nothing() {
    let shell = Shell::new();
    for (words, code, start) in [
        (
            &["take", "nope"][..],
            3,
            "error[unknown-session] there is no session `nope`. Try: dapdock",
        ),
        (&["give", "nope"], 3, "error[unknown-session] "),
        (&["watch", "nope"], 3, "error[unknown-session] "),
        (&["take"], 5, "error[no-session] no session is open. Try: dapdock targets"),
        (&["bt", "-S", "nope"], 3, "error[unknown-session] "),
        (&["bt", "-S", "7/nope"], 3, "error[unknown-session] "),
        (&["bt"], 5, "error[no-session] "),
        (&["break", "-S", "nope", "shop.fake:3"], 3, "error[unknown-session] "),
        (&["restart"], 5, "error[no-session] "),
        (&["stop"], 5, "error[no-session] "),
        (&["status"], 0, "no session is open\nnext: dapdock launch FILE · dapdock status adapters"),
        (&["sessions"], 0, "no session: no host runs\nnext: dapdock launch PROGRAM"),
    ] {
        let ran = shell.run(words).await;
        let text = if code == 0 { &ran.out } else { &ran.err };
        assert!(ran.code == code && text.starts_with(start), "{words:?}: {ran:?}");
        let sockets = std::fs::read_dir(shell.runtime().join("dapdock")).unwrap();
        assert_eq!(sockets.count(), 0, "{words:?}: {ran:?}");
    }
}

/// Without a command: adapters, sessions and the commands to begin with.
#[tokio::test]
async fn dapdock_alone_is_an_overview() {
    let shell = Shell::new();
    let alone = shell.run(&[]).await;
    assert_eq!((alone.code, alone.err.as_str()), (0, ""), "{alone:?}");
    assert!(alone.out.starts_with("dapdock 0."), "{alone:?}");
    let (adapters, rest) = alone.out.split_once("\nsessions\n").unwrap();
    let found = adapters.lines().find(|line| line.ends_with("(`dapdock doctor` tries each)"));
    assert!(found.is_some_and(|line| line.contains("fake")), "{alone:?}");
    let commands = rest.strip_prefix("  none\ncommands\n").expect(&alone.out);
    assert_eq!(commands.lines().count(), 5, "{alone:?}");
    for line in commands.lines() {
        let name = line.split_whitespace().nth(1).unwrap();
        if name != "help" {
            let help = shell.run(&["help", name]).await;
            assert_eq!(help.code, 0, "{help:?}");
        }
    }
    shell.launch(&[3, 5]).await;
    let open = shell.run(&[]).await;
    assert!(open.out.contains("\n  the host in the background (pid "), "{open:?}");
    assert!(open.out.contains("  fake-1"), "{open:?}");
    shell.end().await;
}

/// What bash offers for the last of these words.
pub(super) async fn completed(shell: &Shell, words: &[&str]) -> Vec<String> {
    let script = r#"
        source <("$DAPDOCK" completions bash)
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _clap_complete_dapdock "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let words = [&["-c", script, "bash", "dapdock"], words].concat();
    let ran = shell.ran(shell.program("bash".as_ref(), shell.dir.path(), &words)).await;
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    // Where a word may be a flag, flags follow.
    ran.out.lines().filter(|word| !word.starts_with('-')).map(str::to_owned).collect()
}

/// A shell completes what the hosts have now.
#[tokio::test]
async fn shell_completes_commands_and_values() {
    let shell = Shell::new();
    assert_eq!(completed(&shell, &["excep"]).await, ["exception"]);
    assert_eq!(completed(&shell, &["vars", "-S", ""]).await, [""; 0]);
    shell.launch(&[3, 5]).await;
    assert_eq!(completed(&shell, &["vars", "-S", ""]).await, ["fake-1"]);
    assert_eq!(completed(&shell, &["break", "--remove", ""]).await, ["1"]);
    assert_eq!(completed(&shell, &["wait", ""]).await, ["1"]);
    assert_eq!(completed(&shell, &["vars", "-S", "fake-1", "tot"]).await, ["total"]);
    assert!(completed(&shell, &["launch", "sho"]).await.contains(&"shop.fake".to_owned()));
    shell.end().await;
}

/// A command on a terminal, whose person answers the question with a line; all that it prints.
#[expect(clippy::disallowed_methods, reason = "the command is what is tested")]
async fn on_terminal(command: &tokio::process::Command, question: &str, line: &str) -> String {
    let python = Language::Python.tool_path().expect("it is here");
    let mut terminal = tokio::process::Command::new(python);
    let command = command.as_std();
    terminal.args(["-c", TERMINAL]).arg(command.get_program()).args(command.get_args());
    terminal.current_dir(command.get_current_dir().unwrap());
    terminal.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    terminal.env("TERM", "dumb").stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = terminal.spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut printed, mut is_answered) = (Vec::new(), false);
    loop {
        let read = tokio::time::timeout(PATIENCE, output.read_buf(&mut printed)).await;
        if read.expect("it prints or ends").unwrap() == 0 {
            break;
        }
        if !is_answered && String::from_utf8_lossy(&printed).contains(question) {
            input.write_all(line.as_bytes()).await.unwrap();
            is_answered = true;
        }
    }
    String::from_utf8_lossy(&printed).replace("\r\n", "\n")
}

/// A person at a terminal is asked as an agent's client asks; on a pipe nobody is.
#[tokio::test]
async fn person_at_a_terminal_chooses() {
    if !Language::Python.is_here() {
        return;
    }
    let shell = Shell::new();
    let project = shell.dir.path().canonicalize().unwrap().join("project");
    faked::write(&project.join("shop.fake"));
    std::fs::write(project.join("dapdock.toml"), "[tools.other]\npath = \"evil\"\n").unwrap();
    let script = format!("script={}", json!({"program": []}));
    let words = ["launch", "--options", &script, "shop.fake"];
    let unasked = shell.run_in(&project, &words).await;
    assert!(unasked.err.contains("`tools.other.path` chooses what runs"), "{unasked:?}");
    assert!(!unasked.err.contains("[y/N]") && !unasked.err.contains("was asked"), "{unasked:?}");
    let question = "Trust this project until dapdock ends? Read the file first. [y/N] ";
    let launch = shell.command(&project, &words);
    let refused = on_terminal(&launch, question, "\n").await;
    assert!(refused.contains("`tools.other.path` in "), "{refused}");
    assert!(refused.contains("; a person was asked and refused. Try: "), "{refused}");
    let agreed = on_terminal(&launch, question, "yes\n").await;
    assert!(agreed.contains("□ exited with code 0 · fake-1"), "{agreed}");
    // It stays trusted.
    let later = shell.run_in(&project, &words).await;
    assert_eq!(later.code, 0, "{later:?}");
    shell.end().await;
}

/// A call that takes long says so at a terminal, and nothing on a pipe.
#[tokio::test]
async fn progress_is_for_a_terminal() {
    if !Language::Python.is_here() {
        return;
    }
    let shell = Shell::new();
    let hangs = format!("script={}", json!({"program": [{"line": 1, "hangs": true}]}));
    let words = ["launch", "--timeout-s", "5", "--options", &hangs, "shop.fake"];
    let terminal = on_terminal(&shell.command(shell.dir.path(), &words), "[y/N]", "").await;
    assert!(terminal.contains("\ndapdock: running · "), "{terminal}");
    assert!(terminal.contains("▶ running · fake-1 · "), "{terminal}");
    let pipe = shell.run(&words).await;
    assert_eq!((pipe.code, pipe.err.as_str()), (4, ""), "{pipe:?}");
    shell.end().await;
}

/// `dapdock launch PROGRAM < FILE`.
#[tokio::test]
async fn program_reads_the_file_that_is_standard_input() {
    let mut shell = Shell::new();
    let numbers = shell.dir.path().join("numbers");
    std::fs::write(&numbers, "19\n23\n").unwrap();
    let launch = async |shell: &Shell, program: &str| {
        let mut launch = shell.command(shell.dir.path(), &["launch", program]);
        launch.stdin(std::fs::File::open(&numbers).unwrap());
        shell.ran(launch).await
    };
    // An adapter that gives a program no standard input says so.
    let none = launch(&shell, "shop.fake").await;
    let error = "fake gives a program no standard input. Try: dapdock launch shop.fake < /dev/null";
    assert!(none.code == 1 && none.err.ends_with(error), "{none:?}");
    // Each of these belongs to the loop.
    std::fs::write(shell.dir.path().join("list"), "shop.fake\nshop.fake\n").unwrap();
    let script = "while read p; do
        $DAPDOCK launch --options 'script={\"program\":[]}' $p || exit
    done < list";
    let each = shell.program("sh".as_ref(), shell.dir.path(), &["-c", script]);
    let each = shell.ran(each).await;
    assert_eq!((each.code, each.out.matches("□ exited").count()), (0, 2), "{each:?}");
    if Language::Python.is_here() {
        std::fs::write(shell.dir.path().join("sum.py"), "print(sum(map(int, open(0))))").unwrap();
        // It is the project's file too.
        std::fs::remove_file(std::mem::replace(&mut shell.config, adapters_config())).unwrap();
        let sum = launch(&shell, "sum.py").await;
        assert!(sum.out.starts_with("□ exited with code 0"), "{sum:?}");
        assert!(sum.out.contains("\n  42\n"), "{sum:?}");
    }
    shell.end().await;
}

/// `~` is that of the shell, and so are relative paths.
#[tokio::test]
async fn paths_are_those_of_the_shell() {
    let shell = Shell::new();
    // The host has another home.
    assert_eq!(shell.run(&["targets"]).await.code, 0);
    let home = shell.dir.path().canonicalize().unwrap().join("home");
    faked::write(&home.join("shop.fake"));
    let script = json!({"program": [{"line": 3}], "source": home.join("shop.fake")});
    let script = format!("script={script}");
    let words = ["launch", "--cwd=~/", "-b", "~/shop.fake:3", "--options", &script, "~/shop.fake"];
    let mut launch = shell.command(shell.dir.path(), &words);
    launch.env("HOME", &home);
    let launch = shell.ran(launch).await;
    assert!(launch.out.starts_with("■ stopped breakpoint #1"), "{launch:?}");
    assert!(launch.out.contains("#0 main  home/shop.fake:3"), "{launch:?}");
    let relative = shell.run_in(&home, &["b", "shop.fake:5"]).await;
    let set = format!("+#2 {}", home.join("shop.fake:5").display());
    assert!(relative.out.contains("shop.fake:5"), "{relative:?} {set}");
    shell.end().await;
}

/// The names that people know from other debuggers.
#[tokio::test]
async fn short_forms_are_those_of_debuggers() {
    let shell = Shell::new();
    shell.launch(&[3, 5, 7, 9, 11]).await;
    let out = async |words: &[&str]| {
        let ran = shell.run(words).await;
        assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
        ran.out
    };
    assert!(out(&["next"]).await.contains("shop.fake:5"));
    assert!(out(&["where"]).await.contains("shop.fake:5"));
    assert!(out(&["threads"]).await.contains("shop.fake:5"));
    assert_eq!(out(&["print", "total"]).await, out(&["p", "total"]).await);
    assert_eq!(out(&["frame", "0"]).await, out(&["vars"]).await);
    assert!(out(&["display", "total"]).await.contains("total"));
    assert!(out(&["next"]).await.contains("watch: total = "));
    assert_eq!(out(&["undisplay"]).await, "no watches");
    assert!(out(&["tbreak", "shop.fake:9"]).await.contains("+#2 shop.fake:9"));
    assert!(out(&["c"]).await.starts_with("■ stopped breakpoint #2"));
    assert!(out(&["disable", "2"]).await.contains("#2"));
    assert!(out(&["enable", "2"]).await.contains("#2"));
    assert!(!out(&["delete", "2"]).await.contains("#2"));
    assert!(out(&["kill"]).await.starts_with("□ "));
    shell.end().await;
}

#[tokio::test]
async fn breakpoints_wait_for_the_next_launch() {
    let shell = Shell::new();
    let set = shell.run(&["b", "shop.fake:5", "if", "total", ">", "1"]).await;
    assert!(set.out.contains("shop.fake:5 if total > 1"), "{set:?}");
    let list = shell.run(&["break"]).await;
    assert!(list.out.contains("shop.fake:5"), "{list:?}");
    shell.end().await;
}

/// The sessions of an agent's host are listed and can be named.
#[tokio::test]
async fn session_of_an_agent_is_reached_by_its_name() {
    let shell = Shell::new();
    let env = vec![("XDG_RUNTIME_DIR", shell.runtime().display().to_string())];
    let cwd = shell.dir.path().to_owned();
    let mut agent =
        Caller::start(Start { cwd, config: shell.config.clone(), env, ..Start::usual() }).await;
    let program = json!([{"line": 3}, {"line": 5}]);
    let launch = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:3"],
        "options": {"script": {"program": program, "source": shell.source()}}, "timeout_s": 50,
    });
    agent.call("debug_launch", launch).await;
    let sessions = shell.run(&["sessions"]).await;
    assert!(sessions.out.contains("an agent's host") && sessions.out.contains("fake-1"));
    // The only one with an open session.
    let stack = shell.run(&["bt"]).await;
    assert!(stack.out.contains("shop.fake:3"), "{stack:?}");
    shell.launch(&[7, 9]).await;
    let own = shell.run(&["bt"]).await;
    assert!(own.out.contains("shop.fake:7"), "{own:?}");
    let both = shell.run(&["bt", "-S", "fake-1"]).await;
    assert_eq!(both.code, 5, "{both:?}");
    let agents = format!("{}/fake-1", agent.pid());
    assert!(both.err.contains(&format!("{agents} of an agent's host")), "{both:?}");
    let named = shell.run(&["bt", "--session", &agents]).await;
    assert!(named.out.contains("shop.fake:3"), "{named:?}");
    agent.hang_up();
    while agent.read().await.is_some() {}
    let own = shell.run(&["bt"]).await;
    assert!(own.out.contains("shop.fake:7"), "{own:?}");
    shell.end().await;
}

#[tokio::test]
async fn directory_that_others_may_use_is_refused() {
    let shell = Shell::new();
    let directory = shell.runtime().join("dapdock");
    std::fs::create_dir(&directory).unwrap();
    std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o777)).unwrap();
    let refused = shell.run(&["status"]).await;
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.err.contains("other users may use it (mode 777)"), "{refused:?}");
    std::fs::remove_dir(&directory).unwrap();
    std::os::unix::fs::symlink(shell.dir.path(), &directory).unwrap();
    let refused = shell.run(&["status"]).await;
    assert!(refused.err.contains("not a directory"), "{refused:?}");
}

#[tokio::test]
async fn socket_that_is_none_is_refused_and_a_stale_one_replaced() {
    let shell = Shell::new();
    let directory = shell.runtime().join("dapdock");
    std::fs::create_dir(&directory).unwrap();
    std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o700)).unwrap();
    let socket = directory.join("host.sock");
    std::os::unix::fs::symlink("/dev/null", &socket).unwrap();
    let refused = shell.run(&["targets"]).await;
    assert!(refused.err.contains("host.sock: not a socket of yours"), "{refused:?}");
    std::fs::remove_file(&socket).unwrap();
    // The socket of a host that was killed.
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let listed = shell.run(&["targets"]).await;
    assert_eq!(listed.code, 0, "{listed:?}");
    shell.end().await;
}

/// It accepts connections, as a host does whose process is stopped.
#[tokio::test]
async fn host_that_does_not_answer_is_an_error() {
    let shell = Shell::new();
    let directory = shell.runtime().join("dapdock");
    std::fs::create_dir(&directory).unwrap();
    std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o700)).unwrap();
    let _silent = std::os::unix::net::UnixListener::bind(directory.join("host.sock")).unwrap();
    for words in [&["targets"][..], &["launch", "shop.fake"]] {
        let failed = shell.run(words).await;
        assert_eq!(failed.code, 1, "{failed:?}");
        assert!(failed.err.contains("the host does not answer"), "{failed:?}");
    }
}

#[tokio::test]
async fn commands_are_described_for_machines() {
    let shell = Shell::new();
    let described = shell.run(&["commands", "--json"]).await.json();
    let commands = described["commands"].as_array().unwrap();
    let tools: Vec<_> = commands.iter().filter_map(|one| one["tool"].as_str()).collect();
    for tool in dapdock::mcp::declared() {
        assert!(tools.contains(&tool.name), "{}", tool.name);
    }
    for name in ["bash", "fish", "zsh"] {
        let script = shell.run(&["completions", name]).await;
        assert!(script.code == 0 && script.out.contains("DAPDOCK_COMPLETE"), "{script:?}");
    }
    let names: Vec<_> = commands.iter().map(|one| one["name"].as_str().unwrap()).collect();
    for name in ["launch", "n", "adapters install", "adapters list", "host stop", "host log"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    // Not for people.
    assert!(!names.contains(&"guard") && !names.contains(&"host run"), "{names:?}");
    let manual = shell.run(&["man"]).await;
    assert!(manual.out.contains(".TH dapdock 1"), "{manual:?}");
    for name in names {
        let words = [&["man"], &name.split(' ').collect::<Vec<_>>()[..]].concat();
        let manual = shell.run(&words).await;
        let title = format!(".TH dapdock-{} 1", name.replace(' ', "-"));
        assert!(manual.code == 0 && manual.out.contains(&title), "{name}: {manual:?}");
    }
    let unknown = shell.run(&["man", "host", "fly"]).await;
    assert!(unknown.code == 2 && unknown.err.contains("no command `host fly`"), "{unknown:?}");
}
