//! `dapdock doctor` as shipped: with the real adapters, with none, and with one that fails.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::caller::{Mark, adapters_config, private_directories, root};
use crate::real::Language;
use crate::real::faults::{OLD_CODELLDB, OLD_DEBUGPY, OLD_NODE, OLD_PYTHON};
use crate::real::isolation::Traps;

const ALL: [(&str, Language); 5] = [
    ("codelldb", Language::Rust),
    ("debugpy", Language::Python),
    ("delve", Language::Go),
    ("gdb", Language::C),
    ("js-debug", Language::JavaScript),
];

/// Runs `doctor --json` and returns its reports and exit code; no process may be left.
#[expect(clippy::disallowed_methods, reason = "the host is what is tested")]
async fn doctor_in(
    cwd: &Path,
    config: &Path,
    words: &[&str],
    path: Option<&str>,
) -> (Vec<Value>, Option<i32>) {
    let mark = Mark::fresh();
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_dapdock"));
    command.args(["doctor", "--json", "--config"]).arg(config).args(words).current_dir(cwd);
    command.env_remove("DAPDOCK_CONFIG").envs(private_directories()).env(Mark::NAME, mark.value());
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).output();
    let output = tokio::time::timeout(Duration::from_secs(300), output)
        .await
        .expect("it does not end")
        .unwrap();
    mark.wait_until_gone(Duration::from_secs(2), "after doctor ended").await;
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code())
}

async fn doctor(config: &Path, words: &[&str], path: Option<&str>) -> (Vec<Value>, Option<i32>) {
    doctor_in(&root(), config, words, path).await
}

/// Neither with a debugpy nor without one.
#[tokio::test]
async fn doctor_runs_no_module_of_its_directory() {
    if !Language::Python.is_here() {
        return;
    }
    let traps = Traps::new();
    let bare = traps.path().join("bare.toml");
    let python = adapters_config().with_file_name("bare-python").join("bin/python");
    std::fs::write(&bare, format!("[tools.python]\npath = {python:?}\n")).unwrap();
    for (config, state) in [(adapters_config(), "works"), (bare, "missing")] {
        let (reports, _) = doctor_in(&traps.path(), &config, &["debugpy"], None).await;
        assert_eq!(reports[0]["state"], state, "{reports:?}");
        assert_eq!(traps.loaded(), "");
    }
}

#[tokio::test]
async fn installed_adapters_work() {
    let here: Vec<&str> =
        ALL.iter().filter(|(_, language)| language.is_here()).map(|(name, _)| *name).collect();
    if here.is_empty() {
        return;
    }
    let (reports, code) = doctor(&adapters_config(), &here, None).await;
    for report in &reports {
        assert_eq!(
            (&report["state"], &report["problem"], &report["remedy"]),
            (&"works".into(), &Value::Null, &Value::Null)
        );
        assert!(report["took_ms"].as_u64().is_some_and(|took| took > 0), "{report}");
        let is_version = |version: &Value| {
            version.as_str().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
        };
        assert!(is_version(&report["version"]), "{report}");
    }
    let names: Vec<&str> =
        reports.iter().map(|report| report["adapter"].as_str().unwrap()).collect();
    assert_eq!((names, code), (here, Some(0)));
}

/// A missing adapter is no failure; each report names the command that installs the adapter or its
/// prerequisite.
#[tokio::test]
async fn missing_adapters_name_their_install() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("none.toml");
    std::fs::write(&config, "").unwrap();
    // A machine with Node.js and nothing else.
    for name in ["node", "sh"] {
        crate::plugin::script(&dir.path().join(name), "#!/bin/sh\n");
    }
    let (reports, code) = doctor(&config, &[], dir.path().to_str()).await;
    let found: Vec<_> = reports
        .iter()
        .map(|report| (report["adapter"].as_str().unwrap(), report["state"].as_str()))
        .collect();
    assert_eq!(found, ALL.map(|(name, _)| (name, Some("missing"))));
    let remedy = |name: &str| {
        reports.iter().find(|report| report["adapter"] == name).unwrap()["remedy"].clone()
    };
    assert_eq!(remedy("js-debug"), "dapdock adapters install js-debug");
    assert_eq!(remedy("delve"), "install Go: https://go.dev/dl");
    assert!(remedy("gdb").as_str().unwrap().starts_with("install gdb 16 or newer"));
    assert_eq!(code, Some(0));
}

/// Where a program prints no version it is read from a file next to it; the installed ones are
/// pinned.
#[tokio::test]
async fn versions_are_read_from_files() {
    for (adapter, language) in [("codelldb", Language::Rust), ("js-debug", Language::OldJavaScript)]
    {
        if !language.is_here() {
            continue;
        }
        let dir = tempfile::tempdir().unwrap();
        let (config, tool) = (dir.path().join("linked.toml"), dir.path().join(adapter));
        std::os::unix::fs::symlink(language.tool_path().unwrap(), &tool).unwrap();
        std::fs::write(&config, format!("[tools.{adapter}]\npath = {tool:?}\n")).unwrap();
        let (reports, _) = doctor(&config, &[adapter], None).await;
        let version = if adapter == "codelldb" { "1.11.8" } else { "1.105.0" };
        assert_eq!(
            (&reports[0]["version"], &reports[0]["state"]),
            (&version.into(), &"works".into()),
            "{reports:?}"
        );
    }
}

/// Without Rust the check is made with C.
#[tokio::test]
async fn codelldb_works_without_cargo() {
    if !Language::Rust.is_here() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    crate::plugin::script(
        &dir.path().join("gcc"),
        "#!/bin/sh\nPATH=/usr/bin:/bin exec gcc \"$@\"\n",
    );
    let (reports, code) = doctor(&adapters_config(), &["codelldb"], dir.path().to_str()).await;
    assert_eq!(
        (&reports[0]["state"], &reports[0]["problem"], code),
        (&"works".into(), &Value::Null, Some(0))
    );
    let bare = tempfile::tempdir().unwrap();
    let (reports, code) = doctor(&adapters_config(), &["codelldb"], bare.path().to_str()).await;
    assert_eq!((&reports[0]["state"], code), (&"fails".into(), Some(1)));
    assert_eq!(reports[0]["problem"], "cargo not found (looked for cargo on PATH)");
    assert_eq!(reports[0]["remedy"], "install Rust: https://rustup.rs");
}

/// Combinations of Delve and Go that are too far apart, whichever is the older.
#[tokio::test]
async fn mismatched_delve_and_go_are_reported() {
    if !Language::Go.is_here() || !Language::OldGo.is_here() {
        return;
    }
    let (new, old) = (Language::Go.tool_path().unwrap(), Language::OldGo.tool_path().unwrap());
    let go = Path::new(&old).ancestors().nth(2).unwrap().join("sdk/go1.20.14/bin/go");
    let newer_go = "build the program with a newer Go (https://go.dev/dl), or name an older Delve \
        in [tools.dlv] path";
    let newer_delve = "install a newer one (go install github.com/go-delve/delve/cmd/dlv@latest), \
        and name it in [tools.dlv] path";
    for (dlv, go, problem, remedy) in [
        (&old, None, "Failed to launch: Version of Delve is too old for Go version ", newer_delve),
        (
            &new,
            Some(go),
            "Failed to launch: Go version go1.20.14 is too old for this version of Delve ",
            newer_go,
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("unfit.toml");
        let go = go.map(|go| format!("[tools.go]\npath = {go:?}\n")).unwrap_or_default();
        std::fs::write(&config, format!("[tools.dlv]\npath = {dlv:?}\n{go}")).unwrap();
        let (reports, code) = doctor(&config, &["delve"], None).await;
        assert_eq!((&reports[0]["state"], code), (&"too old".into(), Some(1)), "{reports:?}");
        assert!(reports[0]["problem"].as_str().unwrap().starts_with(problem), "{reports:?}");
        assert_eq!(reports[0]["remedy"], remedy);
    }
}

/// An adapter that is too old is a failure, and the report says what to install: the adapter or
/// what runs it.
#[tokio::test]
async fn too_old_adapter_is_reported() {
    const OLD_GDB: &str = "echo 'GNU gdb (Debian 13.1-3) 13.1'";
    for (adapter, tool, script, version, problem, remedy) in [
        (
            "gdb",
            "gdb",
            OLD_GDB,
            Some("13.1"),
            "gdb 13.1 has no debug adapter",
            "install gdb 16 or newer with Python (14 at least), or name it in [tools.gdb] path",
        ),
        (
            "js-debug",
            "node",
            OLD_NODE,
            None,
            "DIR/bin/node is 16.10.0; js-debug needs 16.11 or newer",
            "install Node.js 18 or newer: https://nodejs.org",
        ),
        (
            "debugpy",
            "debugpy-python",
            OLD_PYTHON,
            None,
            "DIR/bin/debugpy-python is 3.7.16; debugpy needs 3.8 or newer",
            "install Python 3.8 or newer, or name it in [tools.debugpy-python] path",
        ),
        (
            "debugpy",
            "python",
            OLD_DEBUGPY,
            Some("1.8.9"),
            "DIR/bin/python has debugpy 1.8.9; 1.8.16 or newer is needed",
            "dapdock adapters install debugpy",
        ),
        (
            "codelldb",
            "codelldb",
            OLD_CODELLDB,
            Some("1.8.1"),
            "DIR/bin/codelldb is 1.8.1; codelldb needs 1.9 or newer",
            "unpack CodeLLDB and name its `adapter/codelldb` in [tools.codelldb] path",
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bin").join(tool);
        std::fs::create_dir(dir.path().join("bin")).unwrap();
        crate::plugin::script(&path, &format!("#!/bin/sh\n{script}\n"));
        std::fs::write(dir.path().join("package.json"), "{\"version\": \"1.8.1\"}").unwrap();
        let config = dir.path().join("old.toml");
        // js-debug's file is not read.
        let tools = format!("[tools.{tool}]\npath = {path:?}\n");
        let server = if adapter == "js-debug" {
            format!("[tools.js-debug]\npath = {config:?}\n")
        } else {
            String::new()
        };
        std::fs::write(&config, tools + &server).unwrap();
        let (reports, code) = doctor(&config, &[adapter], None).await;
        let [report] = reports.as_slice() else { panic!("{reports:?}") };
        let found =
            (report["state"].as_str(), report["version"].as_str(), report["remedy"].as_str(), code);
        assert_eq!(found, (Some("too old"), version, Some(remedy), Some(1)), "{report}");
        assert_eq!(
            report["problem"].as_str().unwrap().replace(dir.path().to_str().unwrap(), "DIR"),
            problem
        );
    }
}

#[tokio::test]
async fn adapter_that_does_not_work_is_a_failure() {
    let dir = tempfile::tempdir().unwrap();
    let dies = dir.path().join("dlv");
    crate::plugin::script(&dies, "#!/bin/sh\necho broken cable >&2; exit 3\n");
    let config = dir.path().join("broken.toml");
    std::fs::write(&config, format!("[tools.dlv]\npath = {dies:?}\n")).unwrap();
    if !Language::Go.is_here() {
        return;
    }
    let (reports, code) = doctor(&config, &["delve"], None).await;
    assert_eq!((&reports[0]["state"], code), (&"fails".into(), Some(1)));
    assert!(reports[0]["problem"].as_str().unwrap().contains("broken cable"), "{}", reports[0]);
    assert_eq!(reports[0]["remedy"], "correct or remove its path under [tools] in dapdock.toml");
}

/// The missing adapter is reported, with the command that installs it, though an earlier step of
/// its check fails too; a failed check reports no version.
#[tokio::test]
async fn missing_adapter_is_missing_despite_other_failures() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("none.toml");
    std::fs::write(&config, "").unwrap();
    crate::plugin::script(
        &dir.path().join("cargo"),
        "#!/bin/sh\necho 'error: rustup could not choose' >&2; exit 1\n",
    );
    let line = "echo '  File \"<string>\", line 1, in <module>' >&2; exit 1";
    crate::plugin::script(&dir.path().join("python3"), &format!("#!/bin/sh\n{line}\n"));
    let (reports, code) = doctor(&config, &["codelldb", "debugpy"], dir.path().to_str()).await;
    let [codelldb, debugpy] = reports.as_slice() else { panic!("{reports:?}") };
    assert_eq!(
        (&codelldb["state"], &codelldb["problem"]),
        (&"missing".into(), &"codelldb not found".into())
    );
    assert_eq!(codelldb["remedy"], "dapdock adapters install codelldb");
    assert_eq!(
        (&debugpy["state"], &debugpy["version"], code),
        (&"missing".into(), &Value::Null, Some(0))
    );
}
