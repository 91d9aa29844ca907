//! Executable handles: the rules for minting one, and its functions for a guest. Runs nothing but
//! probes.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dapdock_schema::{Manifest, Tool};
use wasmtime::component::Resource;

use crate::file;
use crate::model::plan::TargetRef;
use crate::plugin::engine::bindings::host::{ExecutableOrigin, HostExecutable, ProbeOutput};
use crate::plugin::engine::bindings::types::{self, ErrorKind};
use crate::plugin::engine::options::{Options, ToolPath};
use crate::plugin::engine::store::{Executable, Guest, ProjectFacts};
use crate::plugin::grant::blocking::{self, Waiter};
use crate::plugin::grant::extension;
use crate::plugin::grant::files::{Files, is_executable};
use crate::plugin::grant::installs;
use crate::plugin::grant::probe::{self, Question};
use crate::plugin::grant::refusal::{deny, refuse};

/// Origin of a tool's path, in the order in which the places are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `[tools.NAME] path`.
    Configured,
    /// An environment variable.
    Variable,
    /// A pinned install.
    Installed,
    /// On PATH.
    Path,
    /// In an extension of an editor.
    Extension,
}

/// A path that the user has chosen for a tool.
struct Choice<'a> {
    path: PathBuf,
    origin: Origin,
    /// `[tools.NAME] path` or the variable.
    setting: String,
    written_at: Option<&'a (PathBuf, usize)>,
}

type Minted = Result<Executable, types::Error>;

/// Where to search for a tool; `adapter` is its name in the configuration.
pub(crate) struct Search<'a> {
    pub adapter: &'a str,
    pub manifest: &'a Arc<Manifest>,
    pub options: &'a Options,
    /// The workspace's root.
    pub root: &'a Path,
}

/// The tool in the first of the places of [`Origin`] that has it. A wrong path of the user's is an
/// error.
pub(crate) fn find(name: &str, search: &Search<'_>) -> Minted {
    let Search { manifest, options, .. } = search;
    let unlisted = || {
        refuse(
            ErrorKind::Internal,
            format!("the manifest of {} has no tool {name:?}", manifest.name),
            None,
        )
    };
    let tool = manifest.tools.iter().find(|tool| tool.name == name).ok_or_else(unlisted)?;
    let mint = |path, origin| Executable {
        path,
        origin,
        tool: name.to_owned(),
        root: search.root.to_owned(),
        manifest: Arc::clone(manifest),
    };
    if let Some((message, hint)) = choice(tool, options).and_then(|choice| choice.problem(tool)) {
        return Err(refuse(ErrorKind::InvalidConfig, message, Some(&hint)));
    }
    let (path, origin) = place(tool, manifest, options).ok_or_else(|| missing(tool, search))?;
    Ok(mint(
        path,
        match origin {
            Origin::Configured | Origin::Variable => ExecutableOrigin::UserConfig,
            Origin::Installed => ExecutableOrigin::Installed,
            Origin::Path | Origin::Extension => ExecutableOrigin::Path,
        },
    ))
}

/// The problem of the first path of the user's that cannot be used, and its remedy.
pub(crate) fn wrong_choice(manifest: &Manifest, options: &Options) -> Option<(String, String)> {
    manifest.tools.iter().find_map(|tool| choice(tool, options)?.problem(tool))
}

fn choice<'a>(tool: &Tool, options: &'a Options) -> Option<Choice<'a>> {
    if let Some(ToolPath { path, written_at }) = options.tools.get(&tool.name) {
        return Some(Choice {
            path: path.clone(),
            origin: Origin::Configured,
            setting: format!("[tools.{}] path", tool.name),
            written_at: written_at.as_ref(),
        });
    }
    let set = |name: &&String| options.env.get(*name).is_some_and(|path| !path.is_empty());
    let name = tool.variables.iter().find(set)?;
    Some(Choice {
        path: PathBuf::from(options.env.get(name)?),
        origin: Origin::Variable,
        setting: format!("the environment variable {name}"),
        written_at: None,
    })
}

impl Choice<'_> {
    /// Why the path cannot be used, and the remedy.
    fn problem(&self, tool: &Tool) -> Option<(String, String)> {
        let problem = if self.path.is_absolute() {
            problem(tool, &self.path)?
        } else {
            // The workspace would choose the program.
            "is not absolute"
        };
        let hint = match (self.written_at, self.origin) {
            (Some((file, line)), _) => format!("correct or remove it in {}:{line}", file.display()),
            (None, Origin::Variable) => "correct or unset it".to_owned(),
            (None, _) => "correct or remove it in dapdock.toml".to_owned(),
        };
        Some((format!("{} {} {problem}", self.setting, self.path.display()), hint))
    }
}

/// Where [`find`] finds a tool. Returns a path of the user's even if it is wrong, so that the
/// problem can be reported.
pub(crate) fn place(
    tool: &Tool,
    manifest: &Manifest,
    options: &Options,
) -> Option<(PathBuf, Origin)> {
    if let Some(choice) = choice(tool, options) {
        return Some((choice.path, choice.origin));
    }
    if let Some(installed) = installed(tool, manifest, options) {
        return Some((installed, Origin::Installed));
    }
    let path = options.env.get("PATH");
    if let Some(found) = candidates(tool).find_map(|candidate| on_path(candidate, path?)) {
        return Some((found, Origin::Path));
    }
    let home = options.env.get("HOME").map(Path::new).filter(|home| home.is_absolute())?;
    let mut newest = tool.extensions.iter().filter_map(|name| extension::newest(name, home));
    newest.find(|file| problem(tool, file).is_none()).map(|found| (found, Origin::Extension))
}

fn installed(tool: &Tool, manifest: &Manifest, options: &Options) -> Option<PathBuf> {
    let (install, dir) = installs::installed(options.adapters.as_deref()?, manifest, &tool.name)?;
    Some(dir.join(&install.path)).filter(|path| problem(tool, path).is_none())
}

/// The problem of a configured path.
fn problem(tool: &Tool, chosen: &Path) -> Option<&'static str> {
    if tool.script { file_problem(chosen).err() } else { executable_problem(chosen) }
}

fn candidates(tool: &Tool) -> impl Iterator<Item = &str> {
    let own = tool.candidates.is_empty().then_some(&tool.name);
    tool.candidates.iter().chain(own).map(String::as_str)
}

/// Ignores relative entries of PATH: they would let the workspace choose the program.
fn on_path(name: &str, path: &str) -> Option<PathBuf> {
    let dirs = std::env::split_paths(path).filter(|dir| dir.is_absolute());
    dirs.map(|dir| dir.join(name)).find(|file| executable_problem(file).is_none())
}

fn missing(tool: &Tool, search: &Search<'_>) -> types::Error {
    let tried: Vec<_> = candidates(tool).collect();
    let places =
        if tool.extensions.is_empty() { "on PATH" } else { "on PATH and in extensions of editors" };
    let message = format!("{} not found (looked for {} {places})", tool.name, tried.join(", "));
    let pinned = installs::fitting(search.manifest).any(|install| install.tool == tool.name);
    let hint = if pinned { installs::command(search.adapter) } else { tool.install.clone() };
    refuse(ErrorKind::ToolMissing, message, Some(&hint))
}

/// A file of the project, or the caller's target in any directory. Machine code needs the execute
/// bit; a script does not, since an interpreter runs it.
pub(crate) fn in_workspace(path: &str, project: &ProjectFacts) -> Minted {
    let named = is_target(path, project);
    let located = if named {
        base(project).join(path)
    } else {
        let found = Files::new(project.root()).and_then(|files| files.program(path));
        found.map_err(|denied| deny(&denied))?
    };
    let no = |problem: &str, hint: Option<&str>| {
        refuse(ErrorKind::TargetMissing, format!("{} {problem}", located.display()), hint)
    };
    match located.metadata() {
        Err(_) => return Err(no("does not exist", None)),
        Ok(facts) if facts.is_dir() => return Err(no("is a directory, not a program", None)),
        Ok(facts) if !facts.is_file() => return Err(no("is not a file", None)),
        Ok(facts) if !is_executable(&facts) && file::is_machine_code(&located) => {
            return Err(no("is not executable", Some(&format!("chmod +x {}", located.display()))));
        }
        Ok(_) => {}
    }
    let manifest = project.manifest.clone();
    Ok(Executable {
        path: located,
        origin: ExecutableOrigin::Workspace,
        tool: "workspace".into(),
        root: project.root().to_owned(),
        manifest,
    })
}

/// The output of a finished build step: the step's output or arguments name the file, or it is in
/// the project or in the request's directory for build outputs.
pub(crate) fn built(step: u32, path: &str, project: &ProjectFacts) -> Minted {
    let no = |problem: String| refuse(ErrorKind::BuildFailed, problem, None);
    let finished = project.built.as_ref().and_then(|(build, results)| {
        let ran = build.steps.get(step as usize)?;
        let result = results.iter().find(|result| result.step == step && result.exit_code == 0)?;
        Some((ran, result))
    });
    let (ran, result) = finished.ok_or_else(|| no(format!("build step {step} did not finish")))?;
    let located = project.root().join(path);
    let is_allowed = Files::new(project.root()).is_ok_and(|files| files.real(&located).is_ok())
        || project.workspace.outputs.holds(&located)
        || result.stdout.contains(path)
        || format!("{:?}", ran.command.args).contains(path);
    if !is_allowed {
        return Err(no(format!(
            "build step {step} ({}) does not name {}",
            ran.label,
            located.display()
        )));
    }
    if let Some(problem) = executable_problem(&located) {
        return Err(no(format!("{}, made by {}, {problem}", located.display(), ran.label)));
    }
    let manifest = project.manifest.clone();
    Ok(Executable {
        path: located,
        origin: ExecutableOrigin::BuildOutput,
        tool: "build-output".into(),
        root: project.root().to_owned(),
        manifest,
    })
}

/// Whether the caller's request names this file.
pub(crate) fn is_target(path: &str, project: &ProjectFacts) -> bool {
    let Some(request) = &project.request else { return false };
    let same = |named: &String| named == path || base(project).join(named) == Path::new(path);
    match &request.target {
        Some(TargetRef::Path(named)) => same(named),
        Some(TargetRef::Command(words)) => words.iter().any(same),
        _ => false,
    }
}

/// The directory that the caller's relative paths are relative to.
fn base(project: &ProjectFacts) -> &Path {
    project.request.as_ref().and_then(|request| request.cwd.as_deref()).unwrap_or(project.root())
}

fn executable_problem(path: &Path) -> Option<&'static str> {
    match file_problem(path) {
        Err(problem) => Some(problem),
        Ok(facts) => (!is_executable(&facts)).then_some("is not executable"),
    }
}

fn file_problem(path: &Path) -> Result<Metadata, &'static str> {
    match path.metadata() {
        Err(_) => Err("does not exist"),
        Ok(facts) if facts.is_dir() => Err("is a directory"),
        Ok(facts) if !facts.is_file() => Err("is not a file"),
        Ok(facts) => Ok(facts),
    }
}

/// Whether a command with this program can start.
pub(crate) fn is_runnable(path: &Path) -> bool {
    executable_problem(path).is_none()
}

impl HostExecutable for Guest {
    fn path(&mut self, this: Resource<Executable>) -> wasmtime::Result<String> {
        Ok(self.table.get(&this)?.path.to_string_lossy().into_owned())
    }

    fn origin(&mut self, this: Resource<Executable>) -> wasmtime::Result<ExecutableOrigin> {
        Ok(self.table.get(&this)?.origin)
    }

    async fn probe(
        &mut self,
        this: Resource<Executable>,
        id: String,
    ) -> wasmtime::Result<Result<ProbeOutput, types::Error>> {
        let Executable { path, tool, root, manifest, .. } = self.table.get(&this)?;
        let probe = match probe::find(manifest, &id) {
            Ok(probe) if probe.tool == *tool => probe,
            Ok(probe) => {
                let message = format!("probe {id:?} is for {}, not for {tool}", probe.tool);
                return Ok(Err(refuse(ErrorKind::Internal, message, None)));
            }
            Err(error) => return Ok(Err(error)),
        };
        let question = Question::new(probe, path, Some(root), None);
        Ok(self.shared.probes.ask(probe, question, self.limits(), &self.extra).await)
    }

    async fn compilers(&mut self, this: Resource<Executable>) -> wasmtime::Result<Vec<String>> {
        let path = self.table.get(&this)?.path.clone();
        blocking::run(move |_| file::executable::compilers(&path)).await
    }

    async fn has_debug_info(&mut self, this: Resource<Executable>) -> wasmtime::Result<bool> {
        let path = self.table.get(&this)?.path.clone();
        blocking::run(move |_| file::executable::has_debug_info(&path) == Some(true)).await
    }

    async fn holds(
        &mut self,
        this: Resource<Executable>,
        texts: Vec<String>,
    ) -> wasmtime::Result<Vec<String>> {
        let path = self.table.get(&this)?.path.clone();
        let search =
            move |waiter: &Waiter| file::executable::contained(&path, texts, || waiter.is_gone());
        blocking::run(search).await
    }

    fn drop(&mut self, this: Resource<Executable>) -> wasmtime::Result<()> {
        self.table.delete(this)?;
        Ok(())
    }
}
