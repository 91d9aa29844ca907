//! A newer release's package, unpacked beside the system: nothing is installed and
//! no maintainer's script runs. apt resolves the package's whole closure over an empty
//! status of our own, from the mirror that the system itself uses, and holds every file
//! against the hashes of the Release file that the distribution has signed. Programs run
//! through the loader and the libraries that came with them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::pins::{Apt, Start};
use crate::layout;
use crate::tool::{self, Fix};

const APT: Fix = Fix {
    missing: "this row needs Debian's apt; install the debugger yourself and name it under [tools] in your dapdock.toml",
    failed: "see apt's message above; it asks the mirror in your sources.list",
};

const DPKG: Fix = Fix { missing: "install dpkg", failed: "see its message above" };

/// Unpacks the package and all it needs into `dir`, and writes `dir/bin/PACKAGE`, which starts a program of it.
pub fn install(pins: &Apt, dir: &Path) -> Result<()> {
    let mirror = mirror(&pins.origin)?;
    let state = dir.with_extension("apt");
    let made = unpack(pins, &mirror, &state, dir);
    let cleared = if state.exists() { fs::remove_dir_all(&state) } else { Ok(()) };
    made?;
    cleared.with_context(|| format!("cannot remove {}", state.display()))?;
    pins.start.as_ref().map_or(Ok(()), |start| write_start(start, &pins.package, dir))
}

/// Where the system gets its own packages of this origin from.
fn mirror(origin: &str) -> Result<String> {
    let mut command = Command::new("apt-get");
    command.args(["indextargets", "--format", "$(ORIGIN) $(LABEL) $(REPO_URI)", "Created-By: Packages"]);
    let told = tool::capture(&mut command, &APT)?;
    let Some(mirror) = mirror_in(&told, origin) else {
        bail!("apt knows no source of {origin}'s main archive: run `apt-get update`, or install the debugger yourself")
    };
    Ok(mirror.to_owned())
}

/// The first source of a distribution's main archive among `ORIGIN LABEL URI` lines.
fn mirror_in<'a>(told: &'a str, origin: &str) -> Option<&'a str> {
    told.lines().find_map(|line| {
        let mut words = line.split(' ');
        (words.next() == Some(origin) && words.next() == Some(origin)).then(|| words.next())?
    })
}

fn unpack(pins: &Apt, mirror: &str, state: &Path, dir: &Path) -> Result<()> {
    if state.exists() {
        fs::remove_dir_all(state).with_context(|| format!("cannot remove {}", state.display()))?;
    }
    for part in ["lists/partial", "archives/partial", "parts"] {
        fs::create_dir_all(state.join(part)).with_context(|| format!("cannot create {}", state.display()))?;
    }
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let source = format!("deb [signed-by={}] {mirror} {} main\n", pins.keyring, pins.suite);
    fs::write(state.join("sources.list"), source).context("cannot write apt's sources")?;
    fs::write(state.join("status"), "").context("cannot write apt's status")?;
    tool::run(apt(state).args(["update", "-qq"]), &APT)?;
    let wanted = format!("{}={}", pins.package, pins.version);
    if tool::run(apt(state).args(["install", "-y", "-qq", "--download-only"]).arg(&wanted), &APT).is_err() {
        bail!("{} has no {wanted} (any more), or it cannot be fetched: see apt's message above", pins.suite);
    }
    let archives = state.join("archives");
    for file in fs::read_dir(&archives).with_context(|| format!("cannot read {}", archives.display()))? {
        let file = file?.path();
        if file.extension().is_some_and(|extension| extension == "deb") {
            tool::run(Command::new("dpkg").arg("-x").arg(&file).arg(dir), &DPKG)?;
        }
    }
    Ok(())
}

/// apt with nothing of the system's: not its sources, not its cache, not what is installed.
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

/// A script, because the program must not be run with the system's loader. What it starts is not touched by it.
fn write_start(pins: &Start, package: &str, dir: &Path) -> Result<()> {
    let (loader, libraries, program) = (dir.join(&pins.loader), dir.join(&pins.libraries), dir.join(&pins.program));
    for file in [&loader, &program] {
        if !file.exists() {
            bail!("the packages hold no {}: the pin in xtask/adapters.toml is wrong", file.display());
        }
    }
    let [loader, libraries, program] = [loader, libraries, program].map(|path| quoted(&path));
    let script = format!("#!/bin/sh\nexec {loader} --library-path {libraries} {program} \"$@\"\n");
    let start = dir.join("bin").join(package);
    let write = || {
        fs::create_dir_all(dir.join("bin"))?;
        fs::write(&start, script)?;
        fs::set_permissions(&start, fs::Permissions::from_mode(0o755))
    };
    write().with_context(|| format!("cannot write {}", start.display()))
}

/// As one word for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", layout::text(path).replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_archive_is_told_from_others() {
        let told = "Debian Debian-Security http://m/security/\nDebian Debian http://m/debian/\nDebian Debian http://n/";
        assert_eq!(mirror_in(told, "Debian"), Some("http://m/debian/"));
        assert_eq!(mirror_in("Docker Docker http://d/\n$(ORIGIN) $(LABEL) http://x/", "Debian"), None);
    }

    #[test]
    fn paths_are_one_word_to_a_shell() {
        assert_eq!(quoted(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }
}
