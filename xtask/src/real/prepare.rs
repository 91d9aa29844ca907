//! Copies a project to its directory below `target`, fetches what its lock files pin, and builds
//! it. Debugs nothing.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::project::{self, Project};
use crate::tool::{self, Fix};

/// The mark of a finished installation: the hash of what decides on it.
const STAMP: &str = ".installed";

const TOOL: Fix = Fix {
    missing: "this project needs it",
    failed: "see its message above; it asks the registry of your own configuration",
};

/// Makes the directory ready for debugging.
pub fn run(project: &Project, directory: &Path) -> Result<()> {
    let expected = stamp(project, directory)?;
    let stamp_file = directory.join(STAMP);
    let current = read_if_any(&stamp_file)?.is_some_and(|found| found == expected);
    if !current && directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    copy(&project.source, directory)?;
    if !current {
        tool::say(&format!("installing what {} needs …", project.name));
        run_all(&project.install, directory)?;
        fs::write(&stamp_file, expected)
            .with_context(|| format!("cannot write {}", stamp_file.display()))?;
    }
    run_all(&project.build, directory)
}

/// The words of a command line. There is no shell, and so no quoting.
pub fn command(line: &str, directory: &Path) -> Result<Command> {
    let mut words = line.split_whitespace();
    let Some(program) = words.next() else { bail!("an empty command line") };
    // A path is the project's, and the system would look for it from the caller's directory.
    let program =
        if program.contains('/') { directory.join(program) } else { Path::new(program).into() };
    let mut command = Command::new(program);
    command.args(words).current_dir(directory);
    clear_environment(&mut command);
    Ok(command)
}

/// Removes the variables of `cargo xtask`, which are none of the project's.
pub fn clear_environment(command: &mut Command) {
    for name in ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_TARGET_DIR", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
}

fn run_all(lines: &[String], directory: &Path) -> Result<()> {
    lines.iter().try_for_each(|line| tool::run(&mut command(line, directory)?, &TOOL))
}

/// The hash of the lock files, the commands, and the place.
fn stamp(project: &Project, directory: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    for name in &project.locks {
        let file = project.source.join(name);
        hash.update(fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?);
    }
    for line in &project.install {
        hash.update(line);
        hash.update("\n");
    }
    hash.update(directory.as_os_str().as_encoded_bytes());
    Ok(format!("{:x}", hash.finalize()))
}

fn read_if_any(file: &Path) -> Result<Option<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// Copies what differs: an unchanged file keeps its time, so that it is not built again.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        let name = path.file_name().context("a file without a name")?;
        if path.is_dir() {
            copy(&path, &to.join(name))?;
        } else if name != project::FILE {
            let text =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let copy = to.join(name);
            if !fs::read(&copy).is_ok_and(|old| old == text) {
                fs::write(&copy, text)
                    .with_context(|| format!("cannot write {}", copy.display()))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_files_are_not_written_again() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(from.path().join("app")).unwrap();
        fs::write(from.path().join("app/a.py"), "1").unwrap();
        fs::write(from.path().join(project::FILE), "").unwrap();
        copy(from.path(), to.path()).unwrap();
        let copied = to.path().join("app/a.py");
        let before = fs::metadata(&copied).unwrap().modified().unwrap();
        copy(from.path(), to.path()).unwrap();
        assert_eq!(fs::metadata(&copied).unwrap().modified().unwrap(), before);
        assert!(!to.path().join(project::FILE).exists());
        fs::write(from.path().join("app/a.py"), "2").unwrap();
        copy(from.path(), to.path()).unwrap();
        assert_eq!(fs::read_to_string(copied).unwrap(), "2");
    }

    #[test]
    fn a_program_with_a_path_is_the_projects() {
        let command = command(".venv/bin/python -m site", Path::new("/p")).unwrap();
        assert_eq!(command.get_program(), "/p/.venv/bin/python");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["-m", "site"]);
        assert!(super::command(" ", Path::new("/p")).is_err());
    }
}
