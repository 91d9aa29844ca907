//! A package of a newer release, unpacked next to the system: nothing is installed and no
//! maintainer script runs. apt resolves the package's dependencies with an empty status file, from
//! the mirror that the system itself uses, and checks every file against the hashes of the signed
//! Release file. Programs are patched to use the loader and the libraries that came with them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::pins::{Apt, PATCHELF_ROW, Program};
use crate::layout;
use crate::tool::{self, Fix};

const APT: Fix = Fix {
    missing: "this row needs Debian's apt; install the debugger yourself and name it under [tools] \
        in your dapdock.toml",
    failed: "see apt's message above; it asks the mirror in your sources.list",
};

const DPKG: Fix = Fix { missing: "install dpkg", failed: "see its message above" };

const PATCHELF: Fix = Fix {
    missing: "its row is not installed: run `cargo xtask adapters`",
    failed: "see its message above",
};

/// Unpacks the package and all its dependencies into `dir`.
pub fn install(pins: &Apt, dir: &Path) -> Result<()> {
    let mirror = mirror(&pins.origin)?;
    let state = dir.with_extension("apt");
    let made = unpack(pins, &mirror, &state, dir);
    let cleared = if state.exists() { fs::remove_dir_all(&state) } else { Ok(()) };
    made?;
    cleared.with_context(|| format!("cannot remove {}", state.display()))?;
    pins.program.as_ref().map_or(Ok(()), |program| patch(program, dir))
}

/// The mirror from which the system gets its own packages of this origin.
fn mirror(origin: &str) -> Result<String> {
    let mut command = Command::new("apt-get");
    command.args([
        "indextargets",
        "--format",
        "$(ORIGIN) $(LABEL) $(REPO_URI)",
        "Created-By: Packages",
    ]);
    let targets = tool::capture(&mut command, &APT)?;
    let Some(mirror) = mirror_in(&targets, origin) else {
        bail!(
            "apt knows no source of {origin}'s main archive: run `apt-get update`, or install the \
            debugger yourself"
        )
    };
    Ok(mirror.to_owned())
}

/// The first source of a distribution's main archive among `ORIGIN LABEL URI` lines.
fn mirror_in<'a>(targets: &'a str, origin: &str) -> Option<&'a str> {
    targets.lines().find_map(|line| {
        let mut words = line.split(' ');
        (words.next() == Some(origin) && words.next() == Some(origin)).then(|| words.next())?
    })
}

fn unpack(pins: &Apt, mirror: &str, state: &Path, dir: &Path) -> Result<()> {
    if state.exists() {
        fs::remove_dir_all(state).with_context(|| format!("cannot remove {}", state.display()))?;
    }
    for part in ["lists/partial", "archives/partial", "parts"] {
        fs::create_dir_all(state.join(part))
            .with_context(|| format!("cannot create {}", state.display()))?;
    }
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let source = format!("deb [signed-by={}] {mirror} {} main\n", pins.keyring, pins.suite);
    fs::write(state.join("sources.list"), source).context("cannot write apt's sources")?;
    fs::write(state.join("status"), "").context("cannot write apt's status")?;
    tool::run(apt(state).args(["update", "-qq"]), &APT)?;
    let wanted = format!("{}={}", pins.package, pins.version);
    if tool::run(apt(state).args(["install", "-y", "-qq", "--download-only"]).arg(&wanted), &APT)
        .is_err()
    {
        bail!(
            "{} has no {wanted} (any more), or it cannot be fetched: see apt's message above",
            pins.suite
        );
    }
    let archives = state.join("archives");
    for file in
        fs::read_dir(&archives).with_context(|| format!("cannot read {}", archives.display()))?
    {
        let file = file?.path();
        if file.extension().is_some_and(|extension| extension == "deb") {
            tool::run(Command::new("dpkg").arg("-x").arg(&file).arg(dir), &DPKG)?;
        }
    }
    Ok(())
}

/// apt without anything of the system's: not its sources, its cache, or its installed packages.
fn apt(state: &Path) -> Command {
    let mut command = Command::new("apt-get");
    let path = |part: &str| layout::text(&state.join(part));
    for (option, value) in [
        ("Dir::Etc::sourcelist", path("sources.list")),
        ("Dir::Etc::sourceparts", path("parts")),
        ("Dir::Etc::preferencesparts", path("parts")),
        ("Dir::State::Lists", path("lists")),
        ("Dir::State::status", path("status")),
        ("Dir::Cache::archives", path("archives")),
        ("Dir::Cache::pkgcache", String::new()),
        ("Dir::Cache::srcpkgcache", String::new()),
        ("APT::Install-Recommends", "false".into()),
        ("APT::Sandbox::User", String::new()),
        ("Acquire::Languages", "none".into()),
        ("Debug::NoLocking", "1".into()),
    ] {
        command.arg("-o").arg(format!("{option}={value}"));
    }
    command
}

/// Makes the programs use their own loader and libraries instead of the system's. Other programs
/// that they start are not affected.
fn patch(pins: &Program, dir: &Path) -> Result<()> {
    let loader = present(dir, &pins.loader)?;
    let libraries: Vec<PathBuf> =
        pins.libraries.iter().map(|path| present(dir, path)).collect::<Result<_>>()?;
    let libraries = std::env::join_paths(libraries).context("a path of libraries has a colon")?;
    for program in pins.starts.iter().chain([&pins.path]) {
        let mut patchelf = Command::new(dir.with_file_name(PATCHELF_ROW).join("bin/patchelf"));
        // RPATH, not RUNPATH: it also applies to the libraries' own dependencies.
        patchelf
            .arg("--set-interpreter")
            .arg(&loader)
            .args(["--force-rpath", "--set-rpath"])
            .arg(&libraries)
            .arg(present(dir, program)?);
        tool::run(&mut patchelf, &PATCHELF)?;
    }
    Ok(())
}

fn present(dir: &Path, path: &str) -> Result<PathBuf> {
    let path = dir.join(path);
    if !path.exists() {
        bail!("the packages hold no {}: the pin in xtask/adapters.toml is wrong", path.display());
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_archive_is_selected() {
        let targets = "Debian Debian-Security http://m/security/\nDebian Debian \
            http://m/debian/\nDebian Debian http://n/";
        assert_eq!(mirror_in(targets, "Debian"), Some("http://m/debian/"));
        assert_eq!(
            mirror_in("Docker Docker http://d/\n$(ORIGIN) $(LABEL) http://x/", "Debian"),
            None
        );
    }
}
