//! Who may open what the host writes: this user, whatever the umask is.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::caller::{Caller, Start};

/// All below a directory.
fn below(directory: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap()) {
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            }
            found.push(entry.path());
        }
    }
    found
}

#[tokio::test]
async fn files_of_a_host_without_umask_are_open_to_nobody_else() {
    const PLACES: [(&str, &str); 5] = [
        ("TMPDIR", "scratch"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_CONFIG_HOME", "config"),
    ];
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let own = root.join("own");
    for (_, name) in PLACES {
        std::fs::create_dir_all(own.join(name)).unwrap();
    }
    std::fs::write(root.join("shop.fake"), "code\n".repeat(9)).unwrap();
    let (plugin, adapter) = (crate::plugin::component("fake"), crate::fake::executable());
    let tools = format!("[tools.fake-adapter]\npath = {adapter:?}\n");
    let config = root.join("dapdock.toml");
    std::fs::write(&config, format!("[adapters.fake]\nplugin = {plugin:?}\n{tools}")).unwrap();
    let start = Start {
        cwd: root.clone(),
        config,
        env: PLACES.map(|(key, name)| (key, own.join(name).display().to_string())).into(),
        flags: vec!["--trust"],
        structured: false,
        under: ["sh", "-c", "umask 000; exec \"$@\"", "sh"].map(str::to_owned).into(),
    };
    let mut caller = Caller::start(start).await;
    let script = json!({"source": root.join("shop.fake"), "program": [{"line": 1}, {"line": 3}]});
    let launch = json!({
        "program": "shop.fake",
        "breakpoints": ["shop.fake:3"],
        "options": {"script": script, "asset": "a secret"},
        "timeout_s": 50,
    });
    caller.call("debug_launch", launch).await.good().line("■ stopped breakpoint");

    let found: Vec<PathBuf> = PLACES.iter().flat_map(|(_, name)| below(&own.join(name))).collect();
    for wanted in ["/asset.txt", "/.lock", "/dapdock.log", ".cwasm", ".manifest"] {
        let there = found.iter().any(|path| path.display().to_string().ends_with(wanted));
        assert!(there, "{wanted} is not among {found:#?}");
    }
    for path in found {
        let mode = path.symlink_metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
}
