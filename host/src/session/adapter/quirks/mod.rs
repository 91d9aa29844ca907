//! The behaviour of one adapter where it differs from the DAP specification: the profile that its
//! plugin declares, as answers to the questions that the session has.
//!
//! The only part of the session that reads the profile. Sends nothing and holds no state.

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

use dapdock_schema::{Children, LaunchOrder, Profile};

use crate::dap::types::Module;
use crate::model::plan::LaunchPlan;
use crate::plugin::Plugin;
use crate::session::adapter::library::Modules;

pub(crate) use breakpoints::{Known, no_code};
pub(crate) use causes::Causes;
pub(crate) use frames::live_frames;
pub(crate) use output::Tail;
pub(crate) use stops::{Rule, StopFacts, class_named};
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

    /// `launch` follows the response to `configurationDone`.
    pub(crate) fn launches_after_configuration(&self) -> bool {
        self.0.launch == LaunchOrder::AfterConfiguration
    }

    /// `startDebugging` is supported: its sessions are parts of this one.
    pub(crate) fn has_child_sessions(&self) -> bool {
        self.0.children == Children::One
    }

    /// Only one debugger can attach to a process at a time.
    pub(crate) fn traces(&self) -> bool {
        self.0.traces
    }

    /// An attached debuggee is resumed first, and a `continued` event says so.
    pub(crate) fn continues_attached(&self) -> bool {
        self.0.continues_attached
    }

    /// The debuggee has ended before: the adapter opens a core file.
    pub(crate) fn is_post_mortem(&self) -> bool {
        self.0.ended_before
    }

    /// Messages between the debuggee and the adapter's helper in it are delayed by TCP.
    pub(crate) fn sends_late(&self) -> bool {
        self.0.sends_late
    }

    /// Loaded files may have source maps.
    pub(crate) fn has_source_maps(&self) -> bool {
        self.0.source_maps
    }

    /// A `pause` that is sent before the `continued` event of a move is lost.
    pub(crate) fn pauses_once_continued(&self) -> bool {
        self.0.pauses_once_continued
    }

    /// A `pause` may be answered and stop nothing.
    pub(crate) fn forgets_pauses(&self) -> bool {
        self.0.forgets_pauses
    }

    /// Takes a `module` event. `program`: the names of the debuggee's own file.
    pub(crate) fn load(&self, modules: &Modules, module: &Module, program: &[PathBuf]) {
        modules.load(module, &self.0.library, program);
    }
}
