//! Compiled code on disk is believed only when it is ours and whole.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::Stage;

fn fresh() -> Stage {
    let stage = Stage::new();
    Stage { cache: stage.dir.path().join("cache"), ..stage }
}

/// Loads the guest, and returns the one file that is kept.
async fn load(stage: &Stage) -> PathBuf {
    assert_eq!(stage.plugin("hostile").await.unwrap().manifest().name, "hostile");
    let files: Vec<_> = std::fs::read_dir(&stage.cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

fn inode(file: &Path) -> u64 {
    file.symlink_metadata().unwrap().ino()
}

#[tokio::test]
async fn code_is_kept_private_and_used_again() {
    let stage = fresh();
    let file = load(&stage).await;
    assert_eq!(stage.cache.metadata().unwrap().mode() & 0o777, 0o700);
    assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600);
    let first = inode(&file);
    assert_eq!(inode(&load(&stage).await), first);
}

#[tokio::test]
async fn damaged_code_is_made_anew() {
    let stage = fresh();
    let file = load(&stage).await;
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

#[tokio::test]
async fn code_that_others_could_write_is_made_anew() {
    let stage = fresh();
    let file = load(&stage).await;
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

#[tokio::test]
async fn a_directory_that_is_not_private_is_left_alone() {
    let stage = fresh();
    let file = load(&stage).await;
    std::fs::set_permissions(&stage.cache, PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(&file, b"x").unwrap();
    load(&stage).await;
    assert_eq!(std::fs::read(&file).unwrap(), b"x");
}
