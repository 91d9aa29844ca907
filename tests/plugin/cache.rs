//! Files in the cache are used only if they are private and whole: compiled code, manifests,
//! answers of tools.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use dapdock::model::plan::Resolution;
use dapdock::plugin::Source;

use super::{Stage, request, script};

fn fresh() -> Stage {
    let stage = Stage::new();
    Stage { cache: stage.dir.path().join("cache"), ..stage }
}

/// Loads the guest, calls it, and returns the cache files of its code and its manifest.
async fn load(stage: &Stage) -> [PathBuf; 2] {
    let plugin = stage.plugin("hostile").await.unwrap();
    assert_eq!(plugin.manifest().name, "hostile");
    plugin.detect(&stage.workspace(), None).await.unwrap();
    let mut files: Vec<_> =
        std::fs::read_dir(&stage.cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort_by_key(|file| file.extension().map(|ending| ending.to_owned()));
    let endings: Vec<_> =
        files.iter().map(|file| file.extension().unwrap().to_str().unwrap()).collect();
    assert_eq!(endings, ["cwasm", "manifest"]);
    files.try_into().unwrap()
}

fn inode(file: &Path) -> u64 {
    file.symlink_metadata().unwrap().ino()
}

#[tokio::test]
async fn cache_files_are_private_and_reused() {
    let stage = fresh();
    let files = load(&stage).await;
    assert_eq!(stage.cache.metadata().unwrap().mode() & 0o777, 0o700);
    for file in &files {
        assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600);
    }
    let first = files.each_ref().map(|file| inode(file));
    assert_eq!(load(&stage).await.map(|file| inode(&file)), first);
}

/// A cached manifest needs no call, and code that is not called is not compiled.
#[tokio::test]
async fn cached_manifest_needs_no_code() {
    let stage = fresh();
    let [code, _] = load(&stage).await;
    std::fs::remove_file(&code).unwrap();
    let plugin = stage.plugin("hostile").await.unwrap();
    assert_eq!(plugin.manifest().name, "hostile");
    assert!(!code.exists());
    plugin.detect(&stage.workspace(), None).await.unwrap();
    assert!(code.exists());
}

#[tokio::test]
async fn damaged_cache_files_are_replaced() {
    let stage = fresh();
    for file in load(&stage).await {
        let whole = std::fs::read(&file).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for damaged in [&flipped[..], &whole[..whole.len() / 2], &whole[..10], b""] {
            std::fs::write(&file, damaged).unwrap();
            let before = inode(&file);
            load(&stage).await;
            assert_ne!(inode(&file), before);
            assert_eq!(std::fs::read(&file).unwrap().len(), whole.len());
        }
    }
}

#[tokio::test]
async fn cache_files_writable_by_others_are_replaced() {
    let stage = fresh();
    for file in load(&stage).await {
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o620)).unwrap();
        let before = inode(&file);
        load(&stage).await;
        assert_ne!(inode(&file), before);
        let elsewhere = stage.dir.path().join("elsewhere");
        std::fs::rename(&file, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        load(&stage).await;
        assert!(!file.symlink_metadata().unwrap().is_symlink());
    }
}

#[tokio::test]
async fn cache_directory_that_is_not_private_is_not_used() {
    let stage = fresh();
    let [code, manifest] = load(&stage).await;
    std::fs::set_permissions(&stage.cache, PermissionsExt::from_mode(0o755)).unwrap();
    for file in [code, manifest] {
        std::fs::write(&file, b"x").unwrap();
        load(&stage).await;
        assert_eq!(std::fs::read(&file).unwrap(), b"x");
    }
}

/// The answer of the tool `bash`, a different number at each run.
async fn number(stage: &Stage) -> String {
    let plugin = stage.plugin("hostile").await.unwrap();
    match plugin.resolve(&stage.workspace(), &request("stored-probe")).await.unwrap() {
        Resolution::Ready(plan) => plan.notes[0].clone(),
        Resolution::Build(_) => panic!("nothing is built"),
    }
}

/// Each call uses a new host.
#[tokio::test]
async fn probe_answer_is_cached_until_the_tool_changes() {
    let mut stage = fresh();
    let tool = stage.dir.path().join("bash");
    std::fs::copy("/bin/bash", &tool).unwrap();
    stage.tools.insert("bash".into(), tool.clone().into());
    let first = number(&stage).await;
    assert_eq!(number(&stage).await, first);
    std::fs::remove_file(&tool).unwrap();
    std::fs::copy("/bin/bash", &tool).unwrap();
    let second = number(&stage).await;
    assert_ne!(second, first);
    assert_eq!(number(&stage).await, second);
}

/// The program behind a script or a link may change without the file.
#[tokio::test]
async fn probe_answers_of_scripts_and_links_are_not_cached() {
    let mut stage = fresh();
    let [wrapper, link] = ["wrapper", "link"].map(|name| stage.dir.path().join(name));
    script(&wrapper, "#!/bin/bash\nexec /bin/bash \"$@\"\n");
    std::os::unix::fs::symlink("/bin/bash", &link).unwrap();
    for tool in [wrapper, link] {
        stage.tools.insert("bash".into(), tool.into());
        assert_ne!(number(&stage).await, number(&stage).await);
    }
}

/// A rebuilt plugin is loaded again; who has the one before keeps it.
#[tokio::test]
async fn plugin_is_loaded_again_once_its_file_changes() {
    let stage = fresh();
    let file = stage.dir.path().join("plugin.wasm");
    let build = |guest: &str| std::fs::copy(super::component(guest), &file).unwrap();
    build("minimal");
    let catalog = stage.catalog(Source::File(file.clone()));
    let first = catalog.get("bad").await.unwrap();
    build("pinned");
    let second = catalog.get("bad").await.unwrap();
    assert_eq!(
        (first.manifest().name.as_str(), second.manifest().name.as_str()),
        ("lua", "pinned")
    );
    std::fs::write(&file, "half").unwrap();
    let broken = catalog.get("bad").await.err().unwrap().to_string();
    assert_eq!(broken, "plugin bad: not a component: not WebAssembly");
    build("minimal");
    assert_eq!(catalog.get("bad").await.unwrap().manifest().name, "lua");
}

/// Of the same length, so that the component stays valid.
#[tokio::test]
async fn plugin_of_another_version_of_the_interface_is_named() {
    let stage = fresh();
    let bytes = std::fs::read(super::component("minimal")).unwrap();
    for (version, fits) in [("0.1.0", false), ("1.1.0", false), ("0.2.7", true)] {
        let (own, other) = (*b"@0.2.0", format!("@{version}"));
        let mut changed = bytes.clone();
        for at in 0..changed.len() - own.len() {
            if changed[at..].starts_with(&own) {
                let name = changed[..at].rsplit(|byte| !byte.is_ascii_graphic()).next().unwrap();
                if name.windows(15).any(|part| part == b"dapdock:plugin/") {
                    changed[at..at + own.len()].copy_from_slice(other.as_bytes());
                }
            }
        }
        let file = stage.dir.path().join("plugin.wasm");
        std::fs::write(&file, changed).unwrap();
        let loaded =
            stage.catalog(Source::File(file)).get("bad").await.err().map(|e| e.to_string());
        let refused = format!(
            "plugin bad: built for version {version} of the plugin interface; this dapdock has \
             version 0.2.0"
        );
        assert_eq!(loaded, (!fits).then_some(refused));
    }
}
