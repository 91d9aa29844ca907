//! An empty Python environment.

use std::path::Path;

use anyhow::Result;

use super::pins::BareVenv;
use super::python::{self, WithPip};

/// Makes it in `dir`.
pub fn install(pins: &BareVenv, dir: &Path) -> Result<()> {
    python::venv(dir, &pins.python, WithPip::No).map(drop)
}
