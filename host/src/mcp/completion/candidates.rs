//! Values that exist now: of sessions, of the current stop, of the workspace.
//!
//! A session that does not answer in time has none. Refuses to order them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::super::caller::Caller;
use super::Kind;
use crate::model::plan::{TargetKind, TargetQuery};
use crate::model::{Place, Stop, VariablesQuery};
use crate::session::{AdapterInfo, Handle};
use crate::view::Lens;

/// Longest wait for values.
const PATIENCE: Duration = Duration::from_secs(2);

/// Files, functions and children of a variable at most.
const MOST: usize = 1_000;

/// A request for values.
pub(super) struct Query<'a> {
    pub caller: &'a Caller,
    /// The session that an earlier argument names.
    pub session: Option<&'a str>,
    /// The adapter that an earlier argument names.
    pub adapter: Option<&'a str>,
    pub typed: &'a str,
}

impl Query<'_> {
    pub async fn candidates(&self, kind: Kind) -> Vec<String> {
        let found = async {
            match kind {
                Kind::Session => self.sessions(),
                Kind::Program => self.files().await,
                Kind::Path => [self.files_of_session().await, self.files().await].concat(),
                Kind::Location => {
                    [self.functions().await, self.files_of_session().await, self.files().await]
                        .concat()
                }
                Kind::Variable => self.variables().await,
                Kind::Test => self.tests().await,
                Kind::Breakpoint => self.breakpoints().await,
                Kind::Adapter => {
                    self.adapters().await.into_iter().map(|adapter| adapter.name).collect()
                }
                Kind::Document => self.documents().await,
            }
        };
        tokio::time::timeout(PATIENCE, found).await.unwrap_or_default()
    }

    fn handle(&self) -> Option<Handle> {
        self.caller.sessions.get(self.session).ok()
    }

    async fn stop(&self) -> Option<Arc<Stop>> {
        self.handle()?.current().await.ok().flatten()
    }

    /// Open sessions, then ended ones; the newest first.
    fn sessions(&self) -> Vec<String> {
        let mut all = self.caller.sessions.all();
        all.reverse();
        all.sort_by_key(Handle::is_over);
        all.iter().map(|handle| handle.id().to_string()).collect()
    }

    /// Source files of the workspace, relative to it.
    async fn files(&self) -> Vec<String> {
        let typed = self.typed.to_lowercase();
        let fits = move |path: &str| path.to_lowercase().contains(&typed);
        let workspace = self.caller.workspace.clone();
        self.caller.sessions.sources(workspace, MOST, fits).await.unwrap_or_default()
    }

    /// Files of the frames of the current stop and of breakpoints.
    async fn files_of_session(&self) -> Vec<String> {
        let mut files = Vec::new();
        if let Some(stop) = self.stop().await {
            let paths = stop.frames.iter().filter(|frame| frame.is_user());
            files.extend(paths.filter_map(|frame| Some(self.path(frame.path.as_deref()?))));
        }
        for breakpoint in self.all_breakpoints().await {
            if let Place::Line { path, .. } = breakpoint.spec.place {
                files.push(self.path(&path));
            }
        }
        files
    }

    fn path(&self, path: &Path) -> String {
        Lens { workspace: self.caller.workspace.clone(), usual: None }.path(path)
    }

    /// Functions of the stack, then of the program's file.
    async fn functions(&self) -> Vec<String> {
        let Some(handle) = self.handle() else { return Vec::new() };
        let mut names = Vec::new();
        if let Some(stop) = self.stop().await {
            let frames = stop.frames.iter().filter(|frame| frame.is_user());
            names.extend(frames.map(|frame| frame.name.clone()));
        }
        let typed = self.typed.to_lowercase();
        let own = handle.functions().await.unwrap_or_default().into_iter();
        names.extend(own.filter(|name| name.to_lowercase().contains(&typed)).take(MOST));
        names
    }

    /// Locals of the current stop, or the children of what is typed before the last `.` or `[`.
    async fn variables(&self) -> Vec<String> {
        let Some(end) = self.typed.rfind(['.', '[']) else {
            let stop = self.stop().await;
            let locals = stop.iter().flat_map(|stop| &stop.locals);
            return locals.map(|local| local.name.clone()).collect();
        };
        let parent = &self.typed[..end];
        let query = VariablesQuery {
            path: Some(parent.to_owned()),
            thread: None,
            frame: None,
            scope: None,
            depth: 1,
            start: 0,
            count: Some(MOST as u64),
            filter: None,
            arguments: false,
        };
        let Some(handle) = self.handle() else { return Vec::new() };
        let Ok(page) = handle.variables(query).await else { return Vec::new() };
        page.variables.iter().map(|child| child.path_in(parent)).collect()
    }

    async fn tests(&self) -> Vec<String> {
        let query = TargetQuery {
            filter: Some(self.typed.to_owned()).filter(|typed| !typed.is_empty()),
            kinds: vec![TargetKind::Test, TargetKind::TestGroup],
            file: None,
            limit: MOST as u32,
        };
        let targets = self.caller.sessions.targets(self.caller.workspace.clone(), &query).await;
        let found = targets.map(|targets| targets.found).unwrap_or_default();
        found.into_iter().map(|(_, target)| target.id).collect()
    }

    async fn breakpoints(&self) -> Vec<String> {
        let all = self.all_breakpoints().await;
        all.iter().map(|breakpoint| breakpoint.id.0.to_string()).collect()
    }

    async fn adapters(&self) -> Vec<AdapterInfo> {
        self.caller.sessions.adapters().await.unwrap_or_default()
    }

    /// Of the named adapter, or of all.
    async fn documents(&self) -> Vec<String> {
        let mut all = self.adapters().await;
        all.retain(|adapter| self.adapter.is_none_or(|name| name == adapter.name));
        all.into_iter().flat_map(|adapter| adapter.documents).collect()
    }

    async fn all_breakpoints(&self) -> Vec<crate::model::Breakpoint> {
        let Some(handle) = self.handle() else { return Vec::new() };
        let Ok(status) = handle.status().await else { return Vec::new() };
        self.caller.sessions.breakpoints_now(handle.id(), status.breakpoints)
    }
}
