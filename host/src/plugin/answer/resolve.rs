//! The functions that every plugin has: `detect`, `targets`, `resolve` and `resume`.

use std::sync::Arc;

use serde_json::Value;
use wasmtime::component::Resource;

use crate::model::plan::{
    Build, BuildResult, Detection, Request, Resolution, Target, TargetQuery, TargetRef,
};
use crate::plugin::answer::convert::{self, Json};
use crate::plugin::answer::plan::Reader;
use crate::plugin::engine::bindings::{adapter, types};
use crate::plugin::engine::call::{Call, Failure, call};
use crate::plugin::engine::store::{Project, ProjectFacts};
use crate::plugin::error::{Cause, Error};
use crate::plugin::request::Workspace;
use crate::plugin::{Plugin, answer::schema};

impl Plugin {
    /// Scores of the plugin for `file`, or for the project.
    pub async fn detect(
        &self,
        workspace: &Workspace,
        file: Option<&str>,
    ) -> Result<Vec<Detection>, Error> {
        let (project, file) = (self.project(workspace, None, None), file.map(str::to_owned));
        call(&self.0.component, "detect", move |call| {
            Box::pin(async move {
                let lent = lend(call, project)?;
                let adapter = guest(call)?;
                let found = adapter.call_detect(&mut call.store, lent, file.as_deref()).await?;
                let detection = |one: adapter::Detection| Detection {
                    score: one.score.min(100),
                    language: one.language,
                    reason: one.reason,
                };
                Ok(found.into_iter().map(detection).collect())
            })
        })
        .await
    }

    /// What can be debugged here.
    pub async fn targets(
        &self,
        workspace: &Workspace,
        query: &TargetQuery,
    ) -> Result<Vec<Target>, Error> {
        let (project, query) = (self.project(workspace, None, None), target_query(query));
        call(&self.0.component, "targets", move |call| {
            Box::pin(async move {
                let lent = lend(call, project)?;
                let adapter = guest(call)?;
                let found =
                    adapter.call_targets(&mut call.store, lent, &query).await?.map_err(refused)?;
                Ok(found.into_iter().take(query.limit as usize).map(target).collect())
            })
        })
        .await
    }

    /// Decides what to run for a request. The caller's `options` are checked first.
    pub async fn resolve(
        &self,
        workspace: &Workspace,
        request: &Request,
    ) -> Result<Resolution, Error> {
        self.check_options(&request.options)?;
        let (request, wit_request) =
            (Arc::new(request.clone()), debug_request(request, self.config(&request.options)));
        let project = self.project(workspace, Some(request), None);
        call(&self.0.component, "resolve", move |call| {
            Box::pin(async move {
                let lent = lend(call, project.clone())?;
                let answer = guest(call)?.call_resolve(&mut call.store, lent, &wit_request).await?;
                let answer = as_configured(call, answer)?;
                read(call, &project, "resolve", 1).resolution(answer)
            })
        })
        .await
    }

    /// Continues after a build. `results` has one entry for each step that ran; a plugin is also
    /// called after a failure, because it may know the compiler's messages.
    pub async fn resume(
        &self,
        workspace: &Workspace,
        request: &Request,
        build: &Build,
        results: &[BuildResult],
    ) -> Result<Resolution, Error> {
        let (request, wit_request) =
            (Arc::new(request.clone()), debug_request(request, self.config(&request.options)));
        let (build, outcomes) =
            (Arc::new(build.clone()), results.iter().map(build_result).collect::<Vec<_>>());
        let project = self.project(workspace, Some(request), Some((build.clone(), results.into())));
        call(&self.0.component, "resume", move |call| {
            Box::pin(async move {
                let lent = lend(call, project.clone())?;
                let state = build.state.to_string();
                let answer = guest(call)?
                    .call_resume(&mut call.store, lent, &wit_request, &state, &outcomes)
                    .await?;
                let answer = as_configured(call, answer)?;
                read(call, &project, "resume", build.round + 1).resolution(answer)
            })
        })
        .await
    }

    /// The settings with the caller's options merged over them.
    fn config(&self, options: &Value) -> String {
        let mut config = (*self.0.settings).clone();
        if let (Some(config), Some(options)) = (config.as_object_mut(), options.as_object()) {
            config.extend(options.clone());
        }
        config.to_string()
    }

    /// Checks the caller's options against the manifest's schema.
    pub(crate) fn check_options(&self, options: &Value) -> Result<(), Error> {
        let schema = self.manifest().config_schema.as_ref();
        let fail = |(field, reason): (String, String)| {
            let intended = schema::intended(schema, &field);
            // An error below the top level names the top-level key, which is known.
            let known = schema::has(schema, &field) || field.contains(['.', '[']);
            Error::new(self.name(), Cause::Options { field, reason, known, intended })
        };
        schema::check(schema, options).map_err(fail)
    }

    fn project(
        &self,
        workspace: &Workspace,
        request: Option<Arc<Request>>,
        built: Option<(Arc<Build>, Arc<[BuildResult]>)>,
    ) -> Project {
        Project(Arc::new(ProjectFacts {
            workspace: workspace.clone(),
            manifest: self.0.component.manifest.clone(),
            settings: self.0.settings.clone(),
            request,
            built,
        }))
    }
}

fn guest(call: &mut Call) -> Result<adapter::Guest, Failure> {
    let code = call.code.clone();
    Ok(code.exports.adapter.load(&mut call.store, &call.instance)?)
}

fn lend(call: &mut Call, project: Project) -> Result<Resource<Project>, Failure> {
    call.store.data_mut().log = project.0.workspace.log.clone();
    let own = call.store.data_mut().table.push(project)?;
    Ok(Resource::new_borrow(own.rep()))
}

fn read<'a>(
    call: &'a mut Call,
    project: &'a Project,
    function: &'static str,
    round: u32,
) -> Reader<'a> {
    let literals = project.0.request.as_ref().map(|request| request.literals()).unwrap_or_default();
    Reader {
        guest: call.store.data_mut(),
        project: &project.0,
        json: Json { function },
        literals,
        round,
    }
}

/// Refuses an answer if a configured tool path was unusable: a plugin that falls back to another
/// tool would pass over the user's setting.
fn as_configured<T>(call: &mut Call, answer: Result<T, types::Error>) -> Result<T, Failure> {
    match call.store.data_mut().misconfigured.take() {
        Some(wrong) => Err(refused(wrong)),
        None => answer.map_err(refused),
    }
}

fn refused(error: types::Error) -> Failure {
    Cause::from(convert::refusal(error)).into()
}

fn target_query(query: &TargetQuery) -> adapter::TargetQuery {
    adapter::TargetQuery {
        filter: query.filter.clone(),
        kinds: query.kinds.iter().copied().map(convert::wit_target_kind).collect(),
        file: query.file.clone(),
        limit: query.limit,
    }
}

fn target(target: adapter::Target) -> Target {
    Target {
        id: target.id,
        kind: convert::target_kind(target.kind),
        label: target.label,
        file: target.file,
        line: target.line,
        needs_build: target.needs_build,
    }
}

fn debug_request(request: &Request, config: String) -> adapter::DebugRequest {
    adapter::DebugRequest {
        kind: convert::request_kind(request.kind),
        target: request.target.clone().map(target_ref),
        args: request.args.clone(),
        env: request
            .env
            .iter()
            .cloned()
            .map(|(name, value)| types::EnvVar { name, value })
            .collect(),
        cwd: request.cwd.as_ref().map(|dir| dir.to_string_lossy().into_owned()),
        stop_on_entry: request.stop_on_entry,
        stdin: request.stdin.as_ref().map(|file| file.to_string_lossy().into_owned()),
        config,
    }
}

fn target_ref(target: TargetRef) -> adapter::TargetRef {
    match target {
        TargetRef::Id(id) => adapter::TargetRef::Id(id),
        TargetRef::Path(path) => adapter::TargetRef::Path(path),
        TargetRef::Command(words) => adapter::TargetRef::Command(words),
        TargetRef::Pid(pid) => adapter::TargetRef::Pid(pid),
        TargetRef::Address(host, port) => adapter::TargetRef::Address((host, port)),
    }
}

fn build_result(result: &BuildResult) -> adapter::BuildResult {
    adapter::BuildResult {
        step: result.step,
        exit_code: result.exit_code,
        stdout: result.stdout.clone(),
        stderr_tail: result.stderr_tail.clone(),
    }
}
