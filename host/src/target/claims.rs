//! The claims of all plugins on a target: by the tables of their manifests, else by `detect`.
//!
//! Refuses to decide between claims.

use std::path::Path;

use dapdock_schema::Language;
use serde_json::Value;

use crate::file::{self, executable};
use crate::model::{LaunchRequest, LaunchTarget};
use crate::plugin::{Plugin, Workspace};
use crate::process;
use crate::target::claim::Claim;
use crate::target::language::{is_command, is_script, is_source};
use crate::target::request::program_of;
use crate::target::test_name::TestName;

/// Largest JSON file that is read for an entry of a manifest, in bytes.
const JSON: u64 = 1 << 20;

/// The claim of every plugin. `detect` is called only if no table claims the target.
pub(super) async fn claims(
    plugins: Vec<Plugin>,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Vec<(Claim, Plugin)> {
    let by_table = match &request.target {
        LaunchTarget::Program(path) if path.is_dir() => of_directory(&plugins, path),
        _ => {
            let mut by_table = Vec::new();
            for plugin in &plugins {
                let mut languages = plugin.languages();
                by_table.push(languages.any(|language| in_table(language, workspace, request)));
            }
            by_table
        }
    };
    let mut settled = false;
    for (plugin, claims) in plugins.iter().zip(&by_table) {
        settled |= *claims && opens(plugin, request);
    }
    let mut claims = Vec::new();
    for (plugin, in_table) in plugins.into_iter().zip(by_table) {
        let claim = if in_table {
            Claim::TABLE
        } else if settled {
            Claim::NONE
        } else {
            detected(&plugin, workspace, request).await
        };
        claims.push((claim, plugin));
    }
    claims
}

/// Whether a plugin opens core files, if the request has one.
pub(super) fn opens(plugin: &Plugin, request: &LaunchRequest) -> bool {
    request.core.is_none() || plugin.manifest().cores
}

/// By plugin: whether it claims a directory, by its entries; if no plugin has an entry there, by
/// its project files.
fn of_directory(plugins: &[Plugin], directory: &Path) -> Vec<bool> {
    let names = file::names(directory);
    let by_entry = with_files(plugins, |language| &language.entries, directory, &names);
    if by_entry.contains(&true) {
        return by_entry;
    }
    with_files(plugins, |language| &language.project_files, directory, &names)
}

/// By plugin: whether a language of it has one of its files in the directory.
fn with_files(
    plugins: &[Plugin],
    files: fn(&Language) -> &Vec<String>,
    directory: &Path,
    names: &[String],
) -> Vec<bool> {
    let mut found = Vec::new();
    for plugin in plugins {
        let mut wanted = plugin.languages().flat_map(files);
        found.push(wanted.any(|file| has_file(file, directory, names)));
    }
    found
}

/// Whether a directory has a file: `NAME`, `*ENDING`, or `NAME#POINTER` of a string in a JSON file.
fn has_file(wanted: &str, directory: &Path, names: &[String]) -> bool {
    if let Some(ending) = wanted.strip_prefix('*') {
        return names.iter().any(|name| name.ends_with(ending));
    }
    match wanted.split_once('#') {
        Some((name, pointer)) => has_string(&directory.join(name), pointer),
        None => names.iter().any(|name| name == wanted),
    }
}

fn has_string(path: &Path, pointer: &str) -> bool {
    let Ok(bytes) = file::read(path, JSON) else { return false };
    let Ok(json) = serde_json::from_slice::<Value>(&bytes) else { return false };
    json.pointer(pointer).is_some_and(Value::is_string)
}

/// The claim of a plugin whose tables do not claim the target.
async fn detected(plugin: &Plugin, workspace: &Workspace, request: &LaunchRequest) -> Claim {
    let target = &request.target;
    let file = match target {
        LaunchTarget::Program(path) => path.to_string_lossy().into_owned(),
        LaunchTarget::Command(words) => {
            let word = words.first().cloned().unwrap_or_default();
            // A bare name is searched on PATH, not here.
            match &request.cwd {
                Some(cwd) if word.contains('/') => cwd.join(word).to_string_lossy().into_owned(),
                _ => word,
            }
        }
        LaunchTarget::Process(pid) => match program_of(*pid) {
            Ok(program) => program.to_string_lossy().into_owned(),
            Err(_) => return Claim::NONE,
        },
        LaunchTarget::Named(_) | LaunchTarget::Address(..) | LaunchTarget::Commands(_) => {
            return Claim::NONE;
        }
    };
    let image = match target {
        LaunchTarget::Process(pid) => process::image(*pid).unwrap_or_default(),
        _ => workspace.root.join(&file),
    };
    let machine_code = file::is_machine_code(&image);
    let fits = |language: &Language| {
        language.executables || (!machine_code && !language.project_files.is_empty())
    };
    if !plugin.languages().any(fits) {
        return Claim::NONE;
    }
    let mut claim = by_detect(plugin, workspace, &file).await;
    if machine_code {
        for language in plugin.languages().filter(|language| language.executables) {
            claim = claim.max(of_machine_code(language, &image));
        }
    }
    claim
}

/// The highest score that `detect` returns for a language of the plugin.
pub(super) async fn by_detect(plugin: &Plugin, workspace: &Workspace, file: &str) -> Claim {
    let found = match plugin.detect(workspace, Some(file)).await {
        Ok(found) => found,
        Err(error) => {
            tracing::warn!(%error, "detect failed; the plugin claims nothing");
            return Claim::NONE;
        }
    };
    let mut claim = Claim::NONE;
    for detection in found {
        if plugin.languages().any(|language| language.name == detection.language) {
            claim = claim.max(Claim::detected(detection.score));
        }
    }
    claim
}

/// A language with `compilers` claims their executables only.
fn of_machine_code(language: &Language, image: &Path) -> Claim {
    if !language.compilers.is_empty() {
        let compiled = is_compiled_by(&language.compilers, image);
        return if compiled { Claim::COMPILED } else { Claim::NONE };
    }
    if language.fallback { Claim::FALLBACK } else { Claim::MACHINE_CODE }
}

fn is_compiled_by(compilers: &[String], image: &Path) -> bool {
    let named = executable::compilers(image);
    named.iter().any(|text| compilers.iter().any(|start| text.starts_with(start)))
}

/// Whether a table of the language claims the target.
pub(super) fn in_table(
    language: &Language,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> bool {
    match &request.target {
        LaunchTarget::Command(words) => words.first().is_some_and(|word| {
            if is_command(language, word) {
                return true;
            }
            // A bare name is searched on PATH, not here.
            let image = request.cwd.as_ref().unwrap_or(&workspace.root).join(word);
            word.contains('/')
                && (executable::has_section(&image, &language.sections)
                    || is_script(language, &image))
        }),
        LaunchTarget::Program(path) => {
            is_source(language, path) || executable::has_section(path, &language.sections)
        }
        LaunchTarget::Process(pid) => program_of(*pid).is_ok_and(|program| {
            let image = process::image(*pid).unwrap_or_else(|_| program.clone());
            is_command(language, &program.to_string_lossy())
                || executable::has_section(&image, &language.sections)
        }),
        LaunchTarget::Named(name) => {
            TestName { name, cwd: request.cwd.as_deref() }.in_table(language, workspace)
        }
        LaunchTarget::Address(..) | LaunchTarget::Commands(_) => false,
    }
}
