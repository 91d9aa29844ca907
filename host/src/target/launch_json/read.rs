//! A configuration as a request: the keys that debuggers share, and the keys of a manifest.
//!
//! Refuses to know the file and the adapter.

use std::path::{Path, PathBuf};

use dapdock_schema::{Configurations, Manifest};
use serde_json::{Map, Value};

use super::env_file::env_file;
use super::keys::{Keys, of_request};
use super::variables::Surroundings;
use crate::model::{LaunchRequest, LaunchTarget};

/// Keys about the editor, without effect on the program.
const OF_EDITORS: [&str; 9] = [
    "name",
    "type",
    "request",
    "presentation",
    "console",
    "terminal",
    "externalConsole",
    "internalConsoleOptions",
    "debugServer",
];

/// A request, and the keys that were ignored.
pub(crate) struct Read {
    pub request: LaunchRequest,
    pub ignored: Vec<String>,
}

/// Arguments of the call, which override keys of the file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Instead of `args`.
    pub args: Option<Vec<String>>,
    /// Instead of `cwd`.
    pub cwd: Option<PathBuf>,
    /// Instead of the adapter for `type`.
    pub adapter: Option<String>,
    /// Instead of `stopOnEntry`.
    pub stop_on_entry: Option<bool>,
    /// The program's standard input.
    pub stdin: Option<PathBuf>,
    /// Instead of the configuration's core file.
    pub core: Option<PathBuf>,
    /// In addition to `env`, and stronger.
    pub env: Vec<(String, Option<String>)>,
    /// Values of variables that only an editor knows, by the text in `${…}`.
    pub inputs: Map<String, Value>,
}

impl Overrides {
    /// Arguments that have no effect on an attach.
    pub(crate) fn of_a_launch(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("args", self.args.is_some()),
            ("cwd", self.cwd.is_some()),
            ("env", !self.env.is_empty()),
            ("stdin", self.stdin.is_some()),
            ("core", self.core.is_some()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(key, _)| key)
    }
}

/// Reads `configuration` for the adapter with this manifest and this name.
///
/// # Errors
/// A sentence that names the missing or wrong key.
pub(crate) fn request(
    configuration: &Map<String, Value>,
    manifest: &Manifest,
    adapter: &str,
    surroundings: Surroundings<'_>,
    overrides: &Overrides,
) -> Result<Read, String> {
    let Surroundings { workspace, environment } = surroundings;
    let mut keys = Keys { left: configuration.clone(), surroundings };
    keys.rename(&manifest.configurations.names);
    OF_EDITORS.iter().for_each(|key| drop(keys.left.shift_remove(*key)));
    let kind = configuration.get("request").and_then(Value::as_str).unwrap_or("launch");
    keys.drop_implied(kind, &manifest.configurations.implied);
    let attaches = kind == "attach";
    let mut options = options(&mut keys, kind, &manifest.configurations)?;
    let own_core = core(options.shift_remove("core"), workspace)?;
    let mut request = LaunchRequest {
        target: LaunchTarget::Command(Vec::new()),
        args: Vec::new(),
        cwd: None,
        workspace: workspace.to_owned(),
        env: Vec::new(),
        adapter: Some(adapter.to_owned()),
        breakpoints: Vec::new(),
        stop_on_entry: match overrides.stop_on_entry {
            Some(stop) => keys.forget("stopOnEntry", stop),
            None => keys.take("stopOnEntry")? == Some(Value::Bool(true)),
        },
        stdin: overrides.stdin.clone(),
        stdin_pipe: false,
        output_bytes: None,
        core: overrides.core.clone().or_else(|| own_core.clone()),
        options: Value::Object(options).to_string(),
        again: String::new(),
    };
    if attaches {
        request.target = attached(&mut keys)?;
        request.stdin = None;
        request.core = None;
        let own_core = own_core.map(|_| "core".to_owned());
        let of_the_call =
            overrides.of_a_launch().map(|key| format!("{key} of the call")).chain(own_core);
        return Ok(Read {
            request,
            ignored: keys.left.keys().cloned().chain(of_the_call).collect(),
        });
    }
    request.cwd = match &overrides.cwd {
        Some(cwd) => keys.forget("cwd", Some(cwd.clone())),
        None => keys.text("cwd")?.map(|cwd| workspace.join(cwd)),
    };
    request.args = match &overrides.args {
        Some(args) => keys.forget("args", args.clone()),
        None => keys.words("args")?,
    };
    let mut absent = Vec::new();
    if let Some(path) = keys.text("envFile")? {
        let read = env_file(&workspace.join(path), environment)?;
        request.env = read.env;
        absent = read.absent;
    }
    request.env.extend(keys.env()?);
    request.env.extend(overrides.env.iter().cloned());
    request.target = launched(&mut keys, &manifest.configurations, request.cwd.as_deref())?;
    if let LaunchTarget::Command(words) = &mut request.target {
        words.append(&mut request.args);
    }
    let absent = absent.iter().map(|name| format!("${{{name}}} of envFile, which nothing defines"));
    Ok(Read { request, ignored: keys.left.keys().cloned().chain(absent).collect() })
}

/// The options, by the adapter's names.
fn options(
    keys: &mut Keys<'_>,
    kind: &str,
    table: &Configurations,
) -> Result<Map<String, Value>, String> {
    let mut options = Map::new();
    for (theirs, ours) in &table.options {
        let Some(theirs) = of_request(theirs, kind) else { continue };
        if let Some(value) = keys.take(theirs)? {
            options.insert(ours.clone(), value);
        }
    }
    Ok(options)
}

/// The path of the core file, relative to the workspace.
fn core(value: Option<Value>, workspace: &Path) -> Result<Option<PathBuf>, String> {
    match value {
        None => Ok(None),
        Some(Value::String(file)) => Ok(Some(workspace.join(file))),
        Some(other) => Err(format!("the core file must be a text, got {other}")),
    }
}

/// The target of a launch.
fn launched(
    keys: &mut Keys<'_>,
    table: &Configurations,
    cwd: Option<&Path>,
) -> Result<LaunchTarget, String> {
    for command in &table.commands {
        let found = keys.left.get(&command.key).filter(|value| match &command.value {
            Some(wanted) => value.as_str() == Some(wanted),
            None => !value.is_null(),
        });
        if found.is_some() {
            let words = filled(keys, &command.words)?;
            drop(keys.left.shift_remove(&command.key));
            return Ok(LaunchTarget::Command(words));
        }
    }
    let program = keys.text("program")?.ok_or("it names no `program`")?;
    let (here, below) =
        (keys.surroundings.workspace.join(&program), cwd.map(|cwd| cwd.join(&program)));
    // In the working directory if only that has the file, as in a call.
    Ok(LaunchTarget::Program(
        below.filter(|below| !here.exists() && below.exists()).unwrap_or(here),
    ))
}

/// The words of a command; `{KEY}` becomes the words of that key.
fn filled(keys: &mut Keys<'_>, template: &[String]) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut after_option = false;
    for word in template {
        let Some(key) = word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) else {
            after_option = word.starts_with('-');
            words.push(word.clone());
            continue;
        };
        let own = keys.words_of(key)?;
        if own.is_empty() && after_option {
            words.pop();
        }
        words.extend(own);
        after_option = false;
    }
    Ok(words)
}

/// The target of an attach.
fn attached(keys: &mut Keys<'_>) -> Result<LaunchTarget, String> {
    if let Some(pid) = keys.number("processId", i32::MAX as u64)? {
        return Ok(LaunchTarget::Process(u32::try_from(pid).unwrap_or_default()));
    }
    let host = keys.text("host")?;
    let port = keys.number("port", u64::from(u16::MAX))?;
    let port = port.ok_or("it names neither a process (`processId`) nor a `port`")?;
    Ok(LaunchTarget::Address(
        host.unwrap_or_else(|| "127.0.0.1".to_owned()),
        u16::try_from(port).unwrap_or_default(),
    ))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
