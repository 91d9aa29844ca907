//! The workspace handle of a guest: files, environment and executables of a project. Logs every
//! call.

use std::sync::Arc;
use std::time::{Duration, Instant};

use wasmtime::component::Resource;

use crate::limits::Limits;
use crate::model::plan::TargetRef;
use crate::plugin::engine::bindings::host::{self, DirEntry, FileKind, HostWorkspace};
use crate::plugin::engine::bindings::types::{self, ErrorKind};
use crate::plugin::engine::store::{Executable, Guest, Project, ProjectFacts};
use crate::plugin::grant::blocking::{self, Waiter};
use crate::plugin::grant::denied::Denied;
use crate::plugin::grant::executable::{self, Search};
use crate::plugin::grant::files::{Files, Kind};
use crate::plugin::grant::refusal::{deny, refuse};
use crate::plugin::own_files::Bounds;
use crate::{file, process};

/// How long the read of one directory may exceed the time of a search.
const SLOW_DIRECTORY: Duration = Duration::from_secs(5);

type Answer<T> = wasmtime::Result<Result<T, types::Error>>;

impl Guest {
    fn project(
        &self,
        project: &Resource<Project>,
        question: &str,
        about: &str,
    ) -> wasmtime::Result<Arc<ProjectFacts>> {
        tracing::debug!(plugin = &*self.plugin, question, about, "guest asks");
        Ok(self.table.get(project)?.0.clone())
    }

    /// The limits, with the guest's own bound on results.
    fn bounds(&self, results: u32) -> Limits {
        let mut limits = self.limits().clone();
        limits.workspace_entries = limits.workspace_entries.min(results as usize);
        limits
    }

    fn mint(
        &mut self,
        executable: Result<Executable, types::Error>,
    ) -> Answer<Resource<Executable>> {
        let executable = match executable {
            Ok(executable) => executable,
            Err(error) => return Ok(Err(error)),
        };
        tracing::debug!(plugin = &*self.plugin, path = %executable.path.display(), "minted");
        self.minted.paths.insert(executable.path.clone());
        if executable.manifest.tools.iter().any(|tool| tool.name == executable.tool) {
            self.minted.tools.insert(executable.tool.clone(), executable.path.clone());
        }
        Ok(Ok(self.table.push(executable)?))
    }
}

impl HostWorkspace for Guest {
    fn root(&mut self, this: Resource<Project>) -> wasmtime::Result<String> {
        Ok(self.project(&this, "root", "")?.root().to_string_lossy().into_owned())
    }

    async fn read_file(
        &mut self,
        this: Resource<Project>,
        path: String,
        max_bytes: u32,
    ) -> Answer<Vec<u8>> {
        let project = self.project(&this, "read-file", &path)?;
        let most = u64::from(max_bytes).min(self.limits().workspace_file);
        read(&project, move |files, _| files.read(&path, most)).await
    }

    async fn stat(
        &mut self,
        this: Resource<Project>,
        path: String,
    ) -> wasmtime::Result<Option<FileKind>> {
        let project = self.project(&this, "stat", &path)?;
        Ok(read(&project, move |files, _| Ok(files.stat(&path).map(file_kind)))
            .await?
            .unwrap_or(None))
    }

    async fn read_dir(
        &mut self,
        this: Resource<Project>,
        path: String,
        limit: u32,
    ) -> Answer<Vec<DirEntry>> {
        let project = self.project(&this, "read-dir", &path)?;
        let limits = self.bounds(limit);
        let entry = |(name, kind)| DirEntry { name, kind: file_kind(kind) };
        read(&project, move |files, waiter| {
            Ok(files.list(&path, &limits, waiter)?.into_iter().map(entry).collect())
        })
        .await
    }

    async fn glob(
        &mut self,
        this: Resource<Project>,
        pattern: String,
        limit: u32,
    ) -> Answer<Vec<String>> {
        let project = self.project(&this, "glob", &pattern)?;
        let limits = self.bounds(limit);
        read(&project, move |files, waiter| files.glob(&pattern, &limits, waiter)).await
    }

    async fn own_files(
        &mut self,
        this: Resource<Project>,
        skipped: Vec<String>,
    ) -> Answer<host::OwnFiles> {
        let project = self.project(&this, "own-files", "")?;
        let (visits, bound) = (self.limits().workspace_visits, self.limits().workspace_search);
        let facts = project.clone();
        let search = read(&project, move |_, waiter| {
            let bounds = Bounds {
                skipped: &skipped,
                first: facts.workspace.first.as_deref(),
                visits,
                until: Instant::now() + bound,
                is_over: &|| waiter.is_gone(),
            };
            Ok(facts.workspace.files.find(facts.root(), &bounds))
        });
        // The search ends itself, unless a directory takes long to read.
        let found = self.extra.clone().during(bound + SLOW_DIRECTORY, search).await?;
        Ok(found
            .map(|found| host::OwnFiles { paths: found.paths.clone(), complete: found.complete }))
    }

    fn env(&mut self, this: Resource<Project>, name: String) -> wasmtime::Result<Option<String>> {
        let project = self.project(&this, "env", &name)?;
        let permitted = project.manifest.permissions.env.contains(&name);
        Ok(self.shared.options.env.get(&name).filter(|_| permitted).cloned())
    }

    fn settings(&mut self, this: Resource<Project>) -> wasmtime::Result<String> {
        Ok(self.project(&this, "settings", "")?.settings.to_string())
    }

    async fn find_executable(
        &mut self,
        this: Resource<Project>,
        name: String,
    ) -> Answer<Resource<Executable>> {
        let project = self.project(&this, "find-executable", &name)?;
        let search = Search {
            adapter: &self.plugin,
            manifest: &project.manifest,
            options: &self.shared.options,
            root: project.root(),
        };
        let found = executable::find(&name, &search);
        if let Err(wrong @ types::Error { kind: ErrorKind::InvalidConfig, .. }) = &found {
            self.misconfigured.get_or_insert_with(|| wrong.clone());
        }
        self.mint(found)
    }

    async fn workspace_executable(
        &mut self,
        this: Resource<Project>,
        path: String,
    ) -> Answer<Resource<Executable>> {
        let project = self.project(&this, "workspace-executable", &path)?;
        self.mint(executable::in_workspace(&path, &project))
    }

    fn output_dir(&mut self, this: Resource<Project>) -> Answer<String> {
        let project = self.project(&this, "output-dir", "")?;
        let failed = |error| {
            refuse(
                ErrorKind::Other,
                format!("cannot make a directory for build outputs: {error}"),
                None,
            )
        };
        Ok(project
            .workspace
            .outputs
            .directory()
            .map(|path| path.to_string_lossy().into_owned())
            .map_err(failed))
    }

    async fn build_output(
        &mut self,
        this: Resource<Project>,
        step: u32,
        path: String,
    ) -> Answer<Resource<Executable>> {
        let project = self.project(&this, "build-output", &path)?;
        self.mint(executable::built(step, &path, &project))
    }

    async fn process_compilers(
        &mut self,
        this: Resource<Project>,
    ) -> wasmtime::Result<Vec<String>> {
        let project = self.project(&this, "process-compilers", "")?;
        let target = project.request.as_ref().and_then(|request| request.target.as_ref());
        let image = match target {
            Some(TargetRef::Pid(pid)) => process::image(*pid).ok(),
            _ => None,
        };
        let read = move || image.map(|path| file::executable::compilers(&path)).unwrap_or_default();
        blocking::run(move |_| read()).await
    }

    fn drop(&mut self, this: Resource<Project>) -> wasmtime::Result<()> {
        self.table.delete(this)?;
        Ok(())
    }
}

/// Runs `work` on a thread that may block, since disks may be slow.
async fn read<T: Send + 'static>(
    project: &Arc<ProjectFacts>,
    work: impl FnOnce(&Files, &Waiter) -> Result<T, Denied> + Send + 'static,
) -> Answer<T> {
    let project = project.clone();
    let result = blocking::run(move |waiter| work(&Files::new(project.root())?, waiter)).await?;
    Ok(result.map_err(|denied| deny(&denied)))
}

fn file_kind(kind: Kind) -> FileKind {
    match kind {
        Kind::File => FileKind::File,
        Kind::Directory => FileKind::Directory,
        Kind::Other => FileKind::Other,
    }
}
