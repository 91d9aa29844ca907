//! The `dapdock.toml` that names what is installed. Its paths are absolute, so that it works from
//! any directory.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml::{Table, Value};

use super::pins::Pins;
use super::shipped::Adapter;
use super::stamp;
use crate::layout;

/// Writes `[tools.NAME] path = "…"` for every debugger installed under `base`.
pub fn write(pins: &Pins, shipped: &[Adapter], base: &Path, file: &Path) -> Result<()> {
    let mut tools = Table::new();
    let mut add = |tool: &str, path: &Path| {
        let path = Value::String(layout::text(path));
        tools.insert(tool.to_owned(), Table::from_iter([("path".into(), path)]).into());
    };
    for adapter in shipped {
        if let (Some(tool), Some(path)) = (&adapter.tool, &adapter.installed) {
            add(tool, path);
        }
    }
    for (name, row) in pins {
        let dir = base.join(name);
        if let (Some(tool), Some(path)) = (&row.tool, &row.path)
            && stamp::is_current(&dir, row)?
        {
            add(tool, &dir.join(path));
        }
    }
    let config = Table::from_iter([("tools".to_owned(), Value::Table(tools))]);
    let text = format!("# Written by `cargo xtask adapters`.\n{config}");
    if fs::read_to_string(file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
