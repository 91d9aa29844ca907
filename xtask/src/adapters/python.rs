//! Makes Python environments with the user's own `python3`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::tool::{self, Fix};

const VENV: Fix = Fix {
    missing: "install Python 3 with its venv module (Debian, Ubuntu: `apt install python3-venv`)",
    failed: "Python's venv module is needed (Debian, Ubuntu: `apt install python3-venv`)",
};

/// Whether an environment gets pip.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WithPip {
    Yes,
    No,
}

/// Makes an environment in `dir` and returns its interpreter. `oldest` is the oldest version that
/// works, as `MAJOR.MINOR`.
pub fn venv(dir: &Path, oldest: &str, pip: WithPip) -> Result<PathBuf> {
    check_version(oldest)?;
    let mut command = Command::new("python3");
    command.args(["-m", "venv"]);
    if pip == WithPip::No {
        command.arg("--without-pip");
    }
    tool::run(command.arg(dir), &VENV)?;
    Ok(dir.join("bin/python"))
}

fn check_version(oldest: &str) -> Result<()> {
    let found = tool::capture(
        Command::new("python3").args(["-c", "import sys; print('%d.%d' % sys.version_info[:2])"]),
        &VENV,
    )?;
    if number(&found) < number(oldest) {
        bail!("`python3` is {found}: put Python {oldest} or newer first on PATH");
    }
    Ok(())
}

/// `MAJOR.MINOR` as numbers, so that 3.9 comes before 3.10.
fn number(version: &str) -> Vec<u32> {
    version.split('.').filter_map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minor_versions_compare_as_numbers() {
        assert!(number("3.9") < number("3.10"));
        assert!(number("3.10") < number("4.0"));
    }
}
