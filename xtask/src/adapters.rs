//! Installs what tests and the demo need, once, into `target/adapters/NAME`: the adapters pinned by
//! plugins, with the shipped binary, and the rows of `xtask/adapters.toml`, which only tests use.
//!
//! A row is installed in place and stamped last: without a stamp that matches its pins and its
//! path, its directory is removed and made again. (It cannot be renamed into place: a Python
//! environment contains its own absolute path.) A file lock keeps other processes out.

mod apt;
mod bare_venv;
mod config;
mod go;
mod npm;
mod packed;
mod pins;
mod pip;
mod python;
mod shipped;
mod stamp;

use std::fs::{self, File};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::layout::Layout;
use crate::{setup, tool};
use pins::{Pins, Row, Source};
use shipped::Adapter;

/// Everything that can be installed.
struct Available {
    /// Adapters of plugins.
    shipped: Vec<Adapter>,
    /// Rows of `xtask/adapters.toml`.
    pins: Pins,
}

/// Installs the named rows and adapters, or all, and writes the configuration file that names
/// everything installed.
pub fn install(layout: &Layout, names: &[String]) -> Result<()> {
    setup::run(layout)?;
    let base = layout.adapters();
    fs::create_dir_all(&base).with_context(|| format!("cannot create {}", base.display()))?;
    let lock = File::create(base.join(".rows.lock")).context("cannot create the lock file")?;
    lock.lock().context("cannot take the lock")?;
    let available = Available { shipped: shipped::list(layout)?, pins: pins::load()? };
    let wanted = available.choose(names)?;
    let made = available.ensure(layout, &wanted);
    // Also after a failure: the file must not name what was removed.
    config::write(&available.pins, &shipped::list(layout)?, &base, &layout.config())?;
    made?;
    tool::say(&format!("adapters are ready in {}", base.display()));
    Ok(())
}

/// The names of all debuggers that can be installed, sorted.
pub fn debuggers(layout: &Layout) -> Result<Vec<String>> {
    let rows =
        pins::load()?.into_iter().filter(|(_, row)| row.tool.is_some()).map(|(name, _)| name);
    let shipped = shipped::list(layout)?
        .into_iter()
        .filter(|adapter| adapter.pinned)
        .map(|adapter| adapter.name);
    let mut names: Vec<_> = rows.chain(shipped).collect();
    names.sort();
    Ok(names)
}

impl Available {
    fn names(&self) -> Vec<&str> {
        let shipped = self
            .shipped
            .iter()
            .filter(|adapter| adapter.pinned)
            .map(|adapter| adapter.name.as_str());
        shipped.chain(self.pins.keys().map(String::as_str)).collect()
    }

    /// All, or the named ones and what they need.
    fn choose(&self, names: &[String]) -> Result<Vec<String>> {
        let known = self.names();
        if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
            bail!("no adapter `{name}`; there are: {}", known.join(", "));
        }
        if names.is_empty() {
            return Ok(known.into_iter().map(str::to_owned).collect());
        }
        // The Python in the configuration imports debugpy's packages: neither is of use without the
        // other.
        let dependents = self.pins.iter().filter(|(name, row)| {
            row.sees().is_some_and(|seen| names.contains(seen) || names.contains(name))
        });
        let more =
            dependents.flat_map(|(name, row)| [row.sees().cloned(), Some(name.clone())]).flatten();
        let mut chosen = names.to_vec();
        chosen.extend(more);
        chosen.extend(
            names.iter().filter_map(|name| self.pins.get(name)?.needs()).map(str::to_owned),
        );
        Ok(chosen)
    }

    /// The adapters of plugins first, since rows may import their packages; then the rows that
    /// others need. A failure does not stop the others.
    fn ensure(&self, layout: &Layout, wanted: &[String]) -> Result<()> {
        let mut failed = Vec::new();
        let shipped =
            self.shipped.iter().filter(|adapter| adapter.pinned && wanted.contains(&adapter.name));
        for adapter in shipped {
            failed.extend(shipped::install(layout, adapter).err());
        }
        let now = shipped::list(layout)?;
        let mut rows: Vec<_> = self.pins.iter().filter(|(name, _)| wanted.contains(name)).collect();
        rows.sort_by_key(|(_, row)| row.needs().is_some());
        for (name, row) in rows {
            failed.extend(make(name, row, &layout.adapters().join(name), &now).err());
        }
        if failed.is_empty() {
            return Ok(());
        }
        let messages: Vec<_> = failed.iter().map(|error| format!("{error:#}")).collect();
        bail!("{}", messages.join("\n"))
    }
}

/// Installs a row, unless it is current.
fn make(name: &str, row: &Row, dir: &Path, shipped: &[Adapter]) -> Result<()> {
    if stamp::is_current(dir, row)? {
        return Ok(());
    }
    install_row(name, row, dir, shipped).with_context(|| format!("cannot install {name}"))
}

fn install_row(name: &str, row: &Row, dir: &Path, shipped: &[Adapter]) -> Result<()> {
    check_platform(row)?;
    tool::say(&format!("installing {} …", row.about));
    let started = Instant::now();
    if dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    match &row.source {
        Source::Pip(pip) => pip::install(pip, dir, shipped)?,
        Source::Npm(npm) => npm::install(npm, dir)?,
        Source::Packed(packed) => packed::install(packed, dir)?,
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
