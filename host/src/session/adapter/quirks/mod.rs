//! The behaviour of one adapter where it differs from the DAP specification: the profile that its
//! plugin declares, as answers to the questions that the session has.
//!
//! With `library` and `commands`, which have rules of their own, the only part of the session that
//! reads the profile. Sends nothing and holds no state.

mod breakpoints;
mod causes;
mod errors;
mod evaluate;
mod frames;
mod leave;
mod output;
mod stops;
mod values;

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use dapdock_schema::{
    Access, Assets, AttachControl, Children, Debuggee, Latency, LaunchOrder, LogPoints,
    PauseDelivery, Profile, Sources,
};

use crate::dap::Capabilities;
use crate::dap::types::Module;
use crate::model::plan::LaunchPlan;
use crate::plugin::Plugin;
use crate::session::adapter::library::Modules;

pub(crate) use breakpoints::{Known, no_code};
pub(crate) use causes::Causes;
pub(crate) use frames::live_frames;
pub(crate) use output::LastOutput;
pub(crate) use stops::{Rule, StopFacts, class_named, resume_of};
pub(crate) use values::{Mapping, Page};

/// The profile of a session's adapter. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quirks(Arc<Profile>);

impl Quirks {
    fn new(profile: Profile) -> Self {
        Self(Arc::new(profile))
    }

    /// As the manifest says, before there is a plan.
    pub(crate) fn of_plugin(plugin: &Plugin) -> Self {
        Self::new(plugin.manifest().profile.clone())
    }

    pub(crate) fn of(plan: &LaunchPlan) -> Self {
        Self::new(plan.profile.clone())
    }

    /// The adapter is to write the messages of log points, and would stop at them instead.
    pub(crate) fn stops_at_log_points(&self, announced: &Capabilities) -> bool {
        let writes = self.0.breakpoints.log_points == LogPoints::Adapter;
        writes && !announced.has("supportsLogPoints")
    }

    /// The host writes the messages of log points.
    pub(crate) fn without_log_points(&self) -> Self {
        let mut profile = Profile::clone(&self.0);
        profile.breakpoints.log_points = LogPoints::Host;
        Self::new(profile)
    }

    /// `launch` follows the response to `configurationDone`.
    pub(crate) fn launches_after_configuration(&self) -> bool {
        self.0.start.order == LaunchOrder::AfterConfiguration
    }

    /// The adapter's capabilities, without those that it only announces.
    pub(crate) fn capabilities(&self, mut announced: Value) -> Value {
        for name in &self.0.start.lacks {
            if announced.get(name).is_some() {
                announced[name] = Value::Bool(false);
            }
        }
        announced
    }

    /// `startDebugging` is supported: its sessions are parts of this one.
    pub(crate) fn has_child_sessions(&self) -> bool {
        self.0.start.children == Children::One
    }

    /// The plan's files stay in the cache.
    pub(crate) fn caches_assets(&self) -> bool {
        self.0.start.assets == Assets::Cached
    }

    /// Only one debugger can attach to a process at a time.
    pub(crate) fn traces(&self) -> bool {
        self.0.start.access == Access::Exclusive
    }

    /// An attached debuggee is resumed first, and a `continued` event says so.
    pub(crate) fn continues_attached(&self) -> bool {
        self.0.start.attached == AttachControl::Continued
    }

    /// The debuggee has ended before: the adapter opens a core file.
    pub(crate) fn is_post_mortem(&self) -> bool {
        self.0.start.debuggee == Debuggee::Core
    }

    /// Messages between the debuggee and the adapter's helper in it are delayed by TCP.
    pub(crate) fn sends_late(&self) -> bool {
        self.0.start.latency == Latency::Delayed
    }

    /// Loaded files may have source maps.
    pub(crate) fn has_source_maps(&self) -> bool {
        self.0.frames.sources == Sources::Mapped
    }

    /// A `pause` that is sent before the `continued` event of a move is lost.
    pub(crate) fn pauses_once_continued(&self) -> bool {
        self.0.pause.delivery == PauseDelivery::AfterContinued
    }

    /// A `pause` may be answered and stop nothing.
    pub(crate) fn forgets_pauses(&self) -> bool {
        self.0.pause.delivery == PauseDelivery::Repeated
    }

    /// Takes a `module` event. `program`: the names of the debuggee's own file.
    pub(crate) fn load(&self, modules: &Modules, module: &Module, program: &[PathBuf]) {
        modules.load(module, &self.0.frames.library, program);
    }
}
