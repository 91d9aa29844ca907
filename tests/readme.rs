//! The README is true: its commands are run by CI or here, its examples are parsed by the code that
//! reads such files, its table is the registry's, and its stop is a real answer.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};

use dapdock::config::{Config, Places};
use dapdock::limits::Limits;
use dapdock::plugin::Bundled;
use serde_json::{Value, json};

use crate::caller::{Mark, private_directories};

const README: &str = include_str!("../README.md");
const CI: &str = include_str!("../.ci/run");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The code blocks of one language, in order.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let blocks = README.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.collect()
}

/// The arguments after `dapdock` wherever the README says how a client starts it.
fn clients() -> Vec<Vec<String>> {
    let entries =
        blocks("json").into_iter().map(|block| serde_json::from_str::<Value>(block).unwrap());
    let servers = entries.filter_map(|entry| entry["mcpServers"]["dapdock"].as_object().cloned());
    let from_json = servers.map(|server| {
        assert_eq!(server["command"], "target/debug/dapdock");
        server["args"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    });
    let lines = blocks("sh").into_iter().flat_map(str::lines);
    let added = lines
        .filter_map(|line| line.strip_prefix("claude mcp add dapdock -- target/debug/dapdock "));
    let from_shell = added.map(|words| words.split(' ').map(str::to_owned).collect());
    from_shell.chain(from_json).collect()
}

/// The shipped binary after the handshake.
struct Caller {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Caller {
    #[expect(clippy::disallowed_methods, reason = "the host is the one that is tested")]
    fn of(words: &[String], config: Option<&Path>) -> Self {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dapdock"));
        command.args(words).current_dir(root()).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(config) = config {
            command.env("DAPDOCK_CONFIG", config);
        }
        let mut child = command.spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut caller = Self { child, answers };
        let parameters = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        });
        let about = caller.request("initialize", parameters);
        assert_eq!(about["serverInfo"]["name"], "dapdock");
        caller.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        caller
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line).unwrap();
            let mut message: Value = serde_json::from_str(&line).unwrap();
            // A message without an id is a notification.
            if message["id"] == method {
                return message["result"].take();
            }
        }
    }

    fn hang_up(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn every_command_is_run_by_ci_or_a_test() {
    for line in blocks("sh").into_iter().flat_map(str::lines) {
        let runs = match line {
            // CI runs this test.
            ".ci/run" => root().join(line).is_file(),
            // Started by a test below.
            _ if line.starts_with("claude mcp add dapdock -- target/debug/dapdock ") => true,
            // Run below, without the release build.
            "cargo xtask bench" => true,
            // A part of `cargo xtask test`.
            "cargo xtask test quick" => true,
            // Started by `wire::http::serves_as_the_readme_says`; run below.
            _ if line.starts_with("dapdock ") => true,
            _ => CI.lines().any(|run| run.strip_prefix("step ") == Some(line)),
        };
        assert!(runs, "nothing runs `{line}`");
    }
}

/// The configuration that names the debuggers.
fn debuggers() -> Option<PathBuf> {
    let config = std::env::var_os("DAPDOCK_CONFIG").map(PathBuf::from).filter(|file| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.parse::<toml::Table>().unwrap().contains_key("tools")
    });
    if config.is_none() {
        assert!(
            std::env::var_os("REQUIRE_DEBUGGERS").is_none(),
            "debuggers are required and none is configured"
        );
        #[expect(clippy::disallowed_macros, reason = "a skip is said aloud")]
        let () = eprintln!("skipped: DAPDOCK_CONFIG names no debuggers");
    }
    config
}

/// Kills the host in the background if the test fails.
struct Kills(Mark);

impl Drop for Kills {
    fn drop(&mut self) {
        self.0.kill();
    }
}

/// One after the other, in the README's order.
#[test]
#[expect(clippy::disallowed_methods, reason = "the host is the one that is tested")]
fn every_dapdock_command_works() {
    let Some(config) = debuggers() else { return };
    let (own, mark) = (tempfile::tempdir().unwrap(), Kills(Mark::fresh()));
    let run = |line: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dapdock"));
        command.args(line.split(' ').skip(1)).current_dir(root()).stdin(Stdio::null());
        command.envs(private_directories()).env(Mark::NAME, mark.0.value());
        command.env("XDG_DATA_HOME", own.path()).env("XDG_RUNTIME_DIR", own.path());
        let output = command.env("DAPDOCK_CONFIG", &config).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let installs = own.path().join("dapdock/adapters/debugpy");
    let lines: Vec<_> = blocks("sh")
        .into_iter()
        .flat_map(str::lines)
        .filter(|line| line.starts_with("dapdock ") && !line.starts_with("dapdock serve "))
        .collect();
    let (tools, others): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|line| {
        !["adapters", "doctor"].iter().any(|word| line.split(' ').nth(1) == Some(word))
    });
    let printed: Vec<_> = tools.iter().map(|line| run(line)).collect();
    run("dapdock host stop");
    for (line, expected) in [(0, "total=11880"), (2, "total = 10692"), (4, "□ exited with code 1")]
    {
        assert!(printed[line].contains(expected), "{}: {}", tools[line], printed[line]);
    }
    let results: Vec<_> = others.iter().map(|line| (run(line), installs.is_dir())).collect();
    let [(list, false), (_, true), (_, false), (doctor, false)] = &results[..] else {
        panic!("{results:#?}")
    };
    for adapter in ["codelldb", "debugpy", "delve", "gdb", "js-debug"] {
        assert!(list.lines().any(|line| line.starts_with(adapter)), "{list}");
        let works = |line: &str| line.starts_with(adapter) && line.contains("works");
        assert!(doctor.lines().any(works), "{doctor}");
    }
}

/// With the test build, each figure measured once; the values are not checked.
#[test]
#[expect(clippy::disallowed_methods, reason = "the bench is what is tested")]
fn bench_measures_start_plugins_and_every_language() {
    let build = ["build", "--quiet", "--workspace", "--bin", "dapdock-bench"];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    assert!(
        std::process::Command::new(cargo)
            .args(build)
            .current_dir(root())
            .status()
            .unwrap()
            .success()
    );
    let Some(config) = debuggers() else { return };
    let host = Path::new(env!("CARGO_BIN_EXE_dapdock"));
    let mut bench = std::process::Command::new(host.with_file_name("dapdock-bench"));
    bench.arg("--dapdock").arg(host).arg("--config").arg(&config).arg("--root").arg(root());
    let output = bench.args(["--runs", "1"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    let figures =
        ["first stop, new host", "first stop, second session", "step", "largest stop, o200k"];
    let of_languages = ["Python", "Rust", "Go", "JavaScript", "C"]
        .into_iter()
        .flat_map(|language| figures.map(|figure| format!("{language}: {figure} ")));
    let of_host =
        ["initialize, ", "memory before a session ", "list of tools ", "plugin: resolve "]
            .map(str::to_owned);
    for figure in of_host.into_iter().chain(of_languages) {
        assert!(table.lines().any(|line| line.starts_with(&figure)), "{figure}: {table}");
    }
}

#[test]
fn every_client_command_starts() {
    let clients = clients();
    assert_eq!(clients.len(), 2);
    for words in clients {
        Caller::of(&words, None).hang_up();
    }
}

#[test]
fn configuration_example_is_valid() {
    static BUNDLED: [Bundled; 1] = [Bundled { name: "debugpy", wasm: b"", sha256: "" }];
    let [block] = blocks("toml")[..] else { panic!("one example") };
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("dapdock.toml");
    std::fs::write(&file, block).unwrap();
    let places = Places { named: Some(file), ..Places::default() };
    let config = Config::load(&places, &BUNDLED).unwrap();
    assert_eq!(config.adapters.keys().collect::<Vec<_>>(), ["debugpy", "mine"]);
    let choice = config.tool_choice;
    assert_eq!((choice.tools, choice.exclude), (Some(Vec::new()), Some(Vec::new())));
    assert_eq!(choice.toolsets, Some(vec!["default".to_owned()]));
    assert_eq!(
        [choice.read_only, choice.slim, choice.structured, choice.allow_shell],
        [Some(false); 4]
    );
    let mut keys: Vec<_> = config.limits.iter().map(|(key, _)| *key).collect();
    keys.sort_unstable();
    assert_eq!(keys, Limits::keys().collect::<Vec<_>>(), "every limit is shown");
    let mut limits = Limits::default();
    config.limits.iter().for_each(|(key, number)| limits.set(key, *number));
    assert_eq!(format!("{limits:?}"), format!("{:?}", Limits::default()), "with its default");
}

/// A limit that an error names can be raised there.
#[test]
fn limits_named_in_errors_are_keys() {
    let (mut open, mut named) = (vec![root().join("host/src")], 0);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for part in text.split("\"limits.").skip(1) {
            let key = part.split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap();
            if key.is_empty() {
                continue;
            }
            named += 1;
            assert!(Limits::keys().any(|known| known == key), "{}: limits.{key}", path.display());
        }
    }
    assert!(named > 1, "errors name limits");
}

#[test]
fn tool_tables_match_the_registry() {
    for toolset in ["default", "raw"] {
        let (_, rest) = README
            .split_once(&format!("<!-- toolset {toolset}: a test compares it with the code -->\n"))
            .unwrap();
        let (documented, _) = rest.split_once("<!-- end -->").unwrap();
        let table = tool_table(toolset);
        assert_eq!(documented, table, "the table should be:\n{table}");
    }
}

fn tool_table(toolset: &str) -> String {
    let mut table = String::from("| tool | does | takes |\n| --- | --- | --- |\n");
    for tool in dapdock::mcp::declared().filter(|tool| tool.toolset() == toolset) {
        let (first, _) = tool
            .description
            .split_once(". ")
            .unwrap_or((tool.description.trim_end_matches('.'), ""));
        let schema = tool.schema();
        let takes: Vec<_> = schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(|key| format!("`{key}`"))
            .collect();
        table += &format!("| `{}` | {first} | {} |\n", tool.name, takes.join(", "));
    }
    table
}

/// Removes the last part of the first line, which is the time.
fn without_time(stop: &str) -> String {
    let (first, rest) = stop.trim_end().split_once('\n').unwrap();
    let (first, _) = first.rsplit_once(" · ").unwrap();
    format!("{first}\n{rest}")
}

#[test]
fn stop_example_matches_a_real_answer() {
    let Some(config) = debuggers() else { return };
    let arguments: Value = serde_json::from_str(blocks("json")[0]).unwrap();
    let mut caller = Caller::of(&["mcp".to_owned()], Some(&config));
    let answer =
        caller.request("tools/call", json!({"name": "debug_launch", "arguments": arguments}));
    caller.hang_up();
    let documented = blocks("text")[0];
    assert_eq!(
        without_time(answer["content"][0]["text"].as_str().unwrap()),
        without_time(documented)
    );
}

/// The commands of a text of the README (`$ dapdock …`), each with what it prints.
fn typed(text: &str) -> Vec<(&str, String)> {
    let commands = text.split("$ ").skip(1).map(|part| part.split_once('\n').unwrap());
    commands.map(|(command, answer)| (command, answer.trim_end().to_owned())).collect()
}

/// The person finds the same bug at the terminal.
#[test]
#[expect(clippy::disallowed_methods, reason = "the host is the one that is tested")]
fn terminal_example_matches_real_answers() {
    let Some(config) = debuggers() else { return };
    let (own, mark) = (tempfile::tempdir().unwrap(), Kills(Mark::fresh()));
    let run = |line: &str| {
        let words = shell_words::split(line).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dapdock"));
        command.args(&words[1..]).current_dir(root()).stdin(Stdio::null());
        command.envs(private_directories()).env(Mark::NAME, mark.0.value());
        command.env("XDG_RUNTIME_DIR", own.path()).env("DAPDOCK_CONFIG", &config);
        String::from_utf8(command.output().unwrap().stdout).unwrap().trim_end().to_owned()
    };
    let examples = typed(blocks("text")[1]);
    let [(launch, stop), (evaluate, value), (close, end)] = &examples[..] else {
        panic!("{examples:#?}")
    };
    let answers = (run(launch), run(evaluate), run(close));
    let later = blocks("sh").into_iter().find(|block| block.contains("dapdock n 2")).unwrap();
    let later = later.lines().map(|line| (line, run(line))).collect::<Vec<_>>();
    run("dapdock host stop");
    assert_eq!(without_time(&answers.0), without_time(stop));
    assert_eq!(&answers.1, value);
    assert_eq!(without_time(&answers.2), without_time(end));
    // The other commands work after these: errors go to standard error.
    assert!(later.iter().all(|(_, answer)| !answer.is_empty()), "{later:#?}");
    // The agent's stop, but for the calls that it proposes.
    let agents = blocks("text")[0];
    let same = |text: &str| text.lines().skip(1).take(6).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(same(stop), same(agents));
}

#[test]
fn every_link_target_exists() {
    let links: BTreeMap<_, _> = README
        .split("](")
        .skip(1)
        .map(|rest| rest.split(')').next().unwrap())
        .map(|link| (link, root().join(link).exists()))
        .collect();
    assert!(!links.is_empty() && links.values().all(|there| *there), "{links:?}");
}
