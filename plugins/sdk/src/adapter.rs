//! The required interface: what a plugin claims, and how it turns a request into a plan.

use crate::bindings::adapter::exports::dapdock::plugin::adapter as wit;
use crate::schema::Manifest;

pub use crate::bindings::host::{
    self, DirEntry, Executable, ExecutableOrigin, FileKind, LogLevel, ProbeOutput, Session,
    Workspace,
};
pub use crate::bindings::types::{Arch, EnvVar, Error, ErrorKind, Json, Os, Platform, RequestKind};
pub use wit::{
    Asset, BuildPlan, BuildResult, BuildStep, Command, DebugRequest, Detection, Endpoint,
    LaunchPlan, OutputStream, Piece, Port, Process, ReadyLine, Resolution, Role, Target,
    TargetKind, TargetQuery, TargetRef, Transport,
};

/// The required interface. `interface adapter` in `wit/plugin.wit` documents it.
pub trait Adapter {
    /// Identity, claims, permissions and profile. Pure: the host rejects every call of the plugin
    /// here.
    fn manifest() -> Manifest;

    /// How likely the project, or the `file` that the caller named, belongs to this plugin. By
    /// default the manifest alone decides.
    fn detect(project: &Workspace, file: Option<&str>) -> Vec<Detection> {
        let _ = (project, file);
        Vec::new()
    }

    /// Programs and tests that can be debugged here; by default none are listed.
    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        let _ = (project, query);
        Ok(Vec::new())
    }

    /// Decides what to build or run for a request; runs nothing itself.
    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error>;

    /// Continues after the build that [`resolve`](Self::resolve) requested, with the `state` it
    /// left. Only plugins that build need it.
    fn resume(
        project: &Workspace,
        request: DebugRequest,
        state: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        let _ = (project, request, state, results);
        Err(Error::internal("this plugin requested no build"))
    }
}

impl<P: Adapter> wit::Guest for P {
    fn manifest() -> Json {
        crate::answers::manifest_json(&P::manifest())
    }

    fn detect(project: &Workspace, file: Option<String>) -> Vec<Detection> {
        P::detect(project, file.as_deref())
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        P::targets(project, query)
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        P::resolve(project, request)
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        state: Json,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        P::resume(project, request, &state, results)
    }
}
