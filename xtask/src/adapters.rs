//! Installs the pinned debug adapters, and what else tests need, once, into `target/adapters/NAME`.
//!
//! A row is installed in place and stamped last: without a stamp that matches its
//! pins and its path, its directory is removed and made again. (No renaming into
//! place: a Python environment carries its own absolute path.) One process at a
//! time, held by a file lock.

mod apt;
mod bare_venv;
mod config;
mod go;
mod npm;
mod pins;
mod pip;
mod python;
mod stamp;

use std::fs::{self, File};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::layout::Layout;
use crate::tool;
use pins::{Pins, Row, Source};

/// Installs the named rows, or all when none is named, and writes the config file
/// that points at every installed one.
pub fn install(layout: &Layout, names: &[String]) -> Result<()> {
    let pins = pins::load()?;
    let chosen = choose(&pins, names)?;
    let base = layout.adapters();
    fs::create_dir_all(&base).with_context(|| format!("cannot create {}", base.display()))?;
    let lock = File::create(base.join(".lock")).context("cannot create the lock file")?;
    lock.lock().context("cannot take the lock")?;
    let made = chosen.into_iter().try_for_each(|(name, row)| ensure(name, row, &base));
    // Also after a failure: the file must not name what is gone.
    config::write(&pins, &base, &layout.config())?;
    made?;
    tool::say(&format!("adapters are ready in {}", base.display()));
    Ok(())
}

/// The names of all debuggers we pin, sorted.
pub fn debuggers() -> Result<Vec<String>> {
    let rows = pins::load()?.into_iter();
    Ok(rows.filter(|(_, row)| row.tool.is_some()).map(|(name, _)| name).collect())
}

fn choose<'a>(pins: &'a Pins, names: &[String]) -> Result<Vec<(&'a String, &'a Row)>> {
    if names.is_empty() {
        return Ok(pins.iter().collect());
    }
    names
        .iter()
        .map(|name| match pins.get_key_value(name) {
            Some(row) => Ok(row),
            None => {
                let known: Vec<_> = pins.keys().map(String::as_str).collect();
                bail!("no adapter `{name}`; there are: {}", known.join(", "))
            }
        })
        .collect()
}

fn ensure(name: &str, row: &Row, base: &Path) -> Result<()> {
    let dir = base.join(name);
    if stamp::is_current(&dir, row)? {
        return Ok(());
    }
    make(name, row, &dir).with_context(|| format!("cannot install {name}"))
}

fn make(name: &str, row: &Row, dir: &Path) -> Result<()> {
    check_platform(row)?;
    tool::say(&format!("installing {} …", row.about));
    let started = Instant::now();
    if dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    match &row.source {
        Source::Pip(pip) => pip::install(pip, dir)?,
        Source::Npm(npm) => npm::install(npm, dir)?,
        Source::Go(go) => go::install(go, dir)?,
        Source::Apt(apt) => apt::install(apt, dir)?,
        Source::BareVenv(bare) => bare_venv::install(bare, dir)?,
    }
    check_path(row, dir)?;
    stamp::write(dir, row)?;
    let seconds = started.elapsed().as_secs_f32();
    tool::say(&format!("installed {name} in {seconds:.1} s"));
    Ok(())
}

fn check_platform(row: &Row) -> Result<()> {
    let here = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    match &row.platform {
        Some(only) if *only != here => bail!(
            "{} is pinned for {only} and this is {here}: \
             install it yourself and name it under [tools] in your dapdock.toml",
            row.about
        ),
        _ => Ok(()),
    }
}

fn check_path(row: &Row, dir: &Path) -> Result<()> {
    match &row.path {
        Some(path) if !dir.join(path).is_file() => {
            bail!("it holds no `{path}`: the pin in xtask/adapters.toml is wrong")
        }
        _ => Ok(()),
    }
}
