//! The MCP Inspector's command line, by stdio and by HTTP: lists every toolset, checks its schemas
//! strictly, and calls each tool. Its client validates data of results against the listed schemas.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Stdio;

use dapdock::mcp::{Declared, of_families};
use serde_json::{Map, Value, json};

use super::conformance::{node, suites};
use super::faked;
use crate::caller::PATIENCE;
use crate::caller::http::Served;

/// Processes of the Inspector at once.
const AT_ONCE: usize = 3;

/// The Inspector with a configuration of servers.
struct Inspector {
    packages: PathBuf,
    dir: tempfile::TempDir,
}

impl Inspector {
    /// A server for each name, which is its flags.
    fn new(packages: PathBuf, names: &[String]) -> Self {
        let dir = shop();
        let mut servers = Map::new();
        for flags in names {
            let mut arguments = vec!["mcp", "--config", "dapdock.toml"];
            arguments.extend(flags.split_whitespace());
            let server = json!({
                "command": env!("CARGO_BIN_EXE_dapdock"), "args": arguments, "cwd": dir.path(),
            });
            servers.insert(flags.clone(), server);
        }
        Self::of(packages, dir, servers)
    }

    /// The same by HTTP, with the servers.
    async fn by_http(packages: PathBuf, names: &[String]) -> (Self, Vec<Served>) {
        let dir = shop();
        let (mut servers, mut all) = (Map::new(), Vec::new());
        for flags in names {
            let words: Vec<_> = flags.split_whitespace().collect();
            let served = Served::start(dir.path(), &words).await;
            let server = json!({
                "type": "streamable-http", "url": format!("http://{}/mcp", served.address),
                "headers": {"Authorization": format!("Bearer {}", served.token)},
            });
            servers.insert(flags.clone(), server);
            all.push(served);
        }
        (Self::of(packages, dir, servers), all)
    }

    fn of(packages: PathBuf, dir: tempfile::TempDir, servers: Map<String, Value>) -> Self {
        let servers = json!({"mcpServers": servers}).to_string();
        std::fs::write(dir.path().join("servers.json"), servers).unwrap();
        Self { packages, dir }
    }

    /// The result, and what the Inspector says about it.
    async fn run(&self, server: &str, arguments: &[&str]) -> (Value, String) {
        let script = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
        let mut inspector = node(&self.packages, self.packages.join(script));
        inspector.args(["--cli", "--config", "servers.json", "--server", server]);
        inspector.args(["--format", "json", "--method"]).args(arguments);
        // It keeps secrets and settings of people.
        inspector.env("HOME", self.dir.path()).env("MCP_INSPECTOR_SECRET_STORE", "memory");
        let output = inspector.current_dir(self.dir.path()).stdin(Stdio::null()).output();
        let output = tokio::time::timeout(PATIENCE, output).await;
        let output = output.unwrap_or_else(|_| panic!("{server} {arguments:?} does not end"));
        let output = output.unwrap();
        // 5: the tool returned an error.
        assert!(matches!(output.status.code(), Some(0 | 5)), "{server} {arguments:?}: {output:?}");
        let (text, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let answer: Value = serde_json::from_str(&text)
            .unwrap_or_else(|_| panic!("{server} {arguments:?}: {text}{errors}"));
        (answer["result"].clone(), errors.into_owned())
    }

    async fn tools(&self, server: &str) -> Vec<String> {
        let (list, errors) = self.run(server, &["tools/list", "--strict"]).await;
        // Of schemas of results it says that a list of types, as of a field that may be null, is
        // less portable.
        let nullable = errors.matches("`type` is an array").count();
        assert_eq!(errors.matches("Issue:").count(), nullable, "{server}: {errors}");
        assert!(nullable == 0 || server.ends_with("--structured"), "{server}: {errors}");
        let tools = list["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    async fn call(&self, server: &str, tool: &str) -> Value {
        let arguments = arguments(tool).to_string();
        let words = ["tools/call", "--tool-name", tool, "--tool-args-json", &arguments];
        self.run(server, &words).await.0
    }
}

/// A directory with a configuration and a program.
fn shop() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    faked::configure(dir.path());
    faked::write(&dir.path().join("shop.fake"));
    dir
}

/// Arguments of a call that works, or fails only because no session is open.
fn arguments(tool: &str) -> Value {
    match tool {
        "debug_launch" => json!({
            "program": "shop.fake", "breakpoints": ["shop.fake:3"], "timeout_s": 50,
            "options": {"script": {"program": [{"line": 3}]}},
        }),
        "debug_attach" => json!({"pid": 1}),
        "debug_set" => json!({"target": "total", "value": "1"}),
        "debug_evaluate" => json!({"expressions": ["total"]}),
        "debug_command" => json!({"command": "help"}),
        "dap_request" => json!({"command": "threads"}),
        _ => json!({}),
    }
}

fn declared() -> impl Iterator<Item = &'static Declared> {
    dapdock::mcp::declared().chain(of_families())
}

/// The flags of each toolset.
fn toolsets() -> impl Iterator<Item = String> {
    let toolsets = declared().map(Declared::toolset).collect::<BTreeSet<_>>();
    toolsets.into_iter().map(|toolset| format!("--toolsets {toolset}"))
}

#[tokio::test]
async fn inspector_lists_and_calls_every_tool_of_every_toolset() {
    let Some(packages) = suites() else { return };
    let mut names = vec!["--slim".to_owned()];
    for flags in toolsets() {
        names.extend([format!("{flags} --structured"), flags]);
    }
    let all = declared().map(|tool| tool.name.to_owned()).collect();
    list_and_call(&Inspector::new(packages, &names), &names, &all).await;
}

/// The names of other servers are called by stdio alone: each call is a process of the Inspector.
#[tokio::test]
async fn inspector_lists_and_calls_own_tools_by_http() {
    let Some(packages) = suites() else { return };
    let own = |name: &str| !name.contains("compat:");
    let mut names: Vec<_> = toolsets().map(|flags| format!("{flags} --structured")).collect();
    names.retain(|name| own(name));
    let tools = declared().filter(|tool| own(tool.toolset()));
    let tools = tools.map(|tool| tool.name.to_owned()).collect();
    let (inspector, _servers) = Inspector::by_http(packages, &names).await;
    list_and_call(&inspector, &names, &tools).await;
}

async fn list_and_call(inspector: &Inspector, names: &[String], expected: &BTreeSet<String>) {
    let (mut calls, mut listed) = (Vec::new(), BTreeSet::new());
    for server in names {
        for tool in inspector.tools(server).await {
            listed.insert(tool.clone());
            if server.ends_with("--structured") {
                calls.push((server.as_str(), tool));
            }
        }
    }
    assert_eq!(listed, *expected);
    let mut good = BTreeSet::new();
    for some in calls.chunks(AT_ONCE) {
        let mut open = Vec::new();
        for (server, tool) in some {
            open.push(inspector.call(server, tool));
        }
        for ((server, tool), result) in some.iter().zip(futures_util::future::join_all(open).await)
        {
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            if server.contains("compat:") {
                // In the form of that server.
                assert!(!text.is_empty(), "{server} {tool}: {result}");
                continue;
            }
            assert!(result["structuredContent"]["context"].is_object(), "{tool}: {result}");
            if result["isError"] == true {
                assert!(text.starts_with("error["), "{tool}: {text}");
            } else {
                good.insert(tool.as_str());
            }
        }
    }
    for tool in ["debug_launch", "debug_status", "debug_targets", "debug_breakpoints"] {
        assert!(good.contains(tool), "{good:?}");
    }
}

#[tokio::test]
async fn inspector_reads_resources_and_prompts() {
    let Some(packages) = suites() else { return };
    let inspector = Inspector::new(packages, &["--toolsets default".to_owned()]);
    let server = "--toolsets default";
    let (resources, _) = inspector.run(server, &["resources/list"]).await;
    assert_eq!(resources["resources"][0]["uri"], "debug://sessions", "{resources}");
    let read = ["resources/read", "--uri", "fake://commands/reference"];
    let (read, _) = inspector.run(server, &read).await;
    assert_eq!(read["contents"][0]["mimeType"], "text/markdown", "{read}");
    let (prompts, _) = inspector.run(server, &["prompts/list"]).await;
    assert_eq!(prompts["prompts"].as_array().unwrap().len(), 4, "{prompts}");
}
