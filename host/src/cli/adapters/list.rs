//! `dapdock adapters list`: one row for each adapter, as text or JSON. Starts no process.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::{print, say};
use crate::plugin::{self, Origin, Plugin};
use crate::provision::{self, Standing, State};
use crate::session::Setup;

/// One adapter.
pub(in crate::cli) struct Row {
    name: String,
    state: &'static str,
    /// The pinned version, or a tool's own if it is too old; `None` for another tool of the user.
    version: Option<String>,
    tool: Option<String>,
    path: Option<PathBuf>,
    /// The file of the install, even if another one is used.
    installed: Option<PathBuf>,
    /// Whether it can be installed on this machine.
    pinned: bool,
    /// The problem, or instructions for a person.
    note: String,
}

/// Prints all adapters.
pub(super) async fn list(setup: &Setup, json: bool) {
    let rows = rows(setup).await;
    for tool in setup.catalog.unknown_tools().await {
        say(format_args!("note: {tool}"));
    }
    if json {
        print(Value::Array(rows.iter().map(Row::json).collect()));
    } else {
        for row in rows {
            print(row.text());
        }
    }
}

/// The rows of all adapters.
pub(in crate::cli) async fn rows(setup: &Setup) -> Vec<Row> {
    let names: Vec<String> = setup.catalog.names().map(str::to_owned).collect();
    let plugins = setup.catalog.all().await;
    let mut rows = Vec::new();
    for (name, plugin) in names.into_iter().zip(plugins) {
        rows.push(match plugin {
            Ok(plugin) => row(name, &plugin),
            Err(error) => broken(name, &error),
        });
    }
    rows
}

/// The row of a plugin that cannot be loaded.
fn broken(name: String, error: &plugin::Error) -> Row {
    Row {
        name,
        state: "broken",
        version: None,
        tool: None,
        path: None,
        installed: None,
        pinned: false,
        note: error.to_string(),
    }
}

fn row(name: String, plugin: &Plugin) -> Row {
    let tool = provision::tool(plugin).map(str::to_owned);
    let (pin, installed) = match provision::state(plugin) {
        State::Installed(installed) => (Some(installed.version), Some(installed.path)),
        State::Available { version } => (Some(version), None),
        State::OtherPlatform | State::NotPinned => (None, None),
    };
    let pinned = pin.is_some();
    let mut version = pin;
    let (state, path, note) = match provision::standing(plugin) {
        Standing::There { path, origin: Origin::Configured } => {
            // Only the tool itself knows its version.
            version = None;
            ("configured", Some(path), String::new())
        }
        Standing::There { path, origin: Origin::Installed } => {
            ("installed", Some(path), String::new())
        }
        Standing::There { path, origin: Origin::Variable } => {
            version = None;
            ("from the environment", Some(path), String::new())
        }
        Standing::There { path, origin: Origin::Path } => {
            version = None;
            ("on PATH", Some(path), String::new())
        }
        Standing::There { path, origin: Origin::Extension } => {
            version = None;
            ("of an editor", Some(path), String::new())
        }
        Standing::TooOld { path, version: found, hint } => {
            version = Some(found);
            ("too old", Some(path), hint)
        }
        Standing::Misconfigured { problem, hint } => {
            version = None;
            ("misconfigured", None, format!("{problem}: {hint}"))
        }
        Standing::Installable { command } => ("not installed", None, command),
        Standing::OtherPlatform { hint } => ("not pinned for this machine", None, hint),
        Standing::Missing { hint } => ("not found", None, hint),
    };
    Row { name, state, version, tool, path, installed, pinned, note }
}

impl Row {
    pub(in crate::cli) fn name(&self) -> &str {
        &self.name
    }

    /// Whether sessions can use it as it is.
    pub(in crate::cli) fn is_found(&self) -> bool {
        self.path.is_some() && self.note.is_empty()
    }

    pub(in crate::cli) fn text(&self) -> String {
        let version = self.version.as_deref().unwrap_or("-");
        let place = self.path.as_ref().map_or(String::new(), |path| path.display().to_string());
        let mut rest = vec![place.trim(), self.note.trim()];
        rest.retain(|part| !part.is_empty());
        format!("{:<10} {:<9} {:<14} {}", self.name, version, self.state, rest.join(" · "))
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "state": self.state,
            "version": self.version,
            "tool": self.tool,
            "path": self.path,
            "installed": self.installed,
            "pinned": self.pinned,
            "note": self.note,
        })
    }
}
