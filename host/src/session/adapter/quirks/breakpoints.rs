//! Breakpoints as the adapter reports, hits and counts them.

use dapdock_schema::{
    HitCounts, HitIds, LogLimits, LogPoints, NearestLines, SourcePaths, StepEnds, Verification,
    WhileRunning,
};

use super::Quirks;
use crate::dap::event::Output;
use crate::dap::lenient;
use crate::dap::types::{self, BreakpointOutput};
use crate::model::{Binding, Nearest};
use crate::pattern;

/// What the host knows about a breakpoint apart from the adapter's report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// The line it was set at; none for a function.
    pub(crate) wanted_line: Option<u32>,
    /// Its line has code, or it was hit.
    pub(crate) proven: bool,
    /// All code that its file will have is loaded.
    pub(crate) complete: bool,
}

/// The binding of a breakpoint at a place without code.
pub(crate) fn no_code() -> Binding {
    refused("the debugger found no code there".to_owned())
}

fn refused(reason: String) -> Binding {
    Binding::Refused { reason, nearest: Nearest::default() }
}

impl Quirks {
    /// The meaning of the adapter's report about a breakpoint.
    pub(crate) fn binding(&self, reported: &types::Breakpoint, known: Known) -> Binding {
        let message = reported.message.clone().unwrap_or_default();
        let unbound =
            self.0.breakpoints.unbound.as_ref().is_some_and(|text| message.contains(text.as_str()));
        if reported.verified && !unbound {
            let line = reported.line.and_then(|line| u32::try_from(line).ok());
            let line = line.filter(|line| *line > 0);
            let proves_nothing = self.0.breakpoints.verification == Verification::Always;
            if proves_nothing && line.is_none() && !known.proven {
                return Binding::Unconfirmed;
            }
            return Binding::Bound { line: line.or(known.wanted_line) };
        }
        if reported.reason.as_deref() == Some("failed") && !message.is_empty() {
            return refused(message);
        }
        if known.proven && (message.is_empty() || self.locates_when_loaded()) {
            return Binding::Bound { line: known.wanted_line };
        }
        match self.0.breakpoints.verification {
            Verification::WhenRunning | Verification::WhenLoaded if known.complete => no_code(),
            Verification::WhenRunning | Verification::WhenLoaded => Binding::Unconfirmed,
            _ if message.is_empty() => Binding::Unconfirmed,
            _ => refused(message),
        }
    }

    /// Whether the adapter has found code for a breakpoint.
    pub(crate) fn has_code(&self, reported: &types::Breakpoint) -> bool {
        let known = Known { wanted_line: None, proven: false, complete: true };
        matches!(self.binding(reported, known), Binding::Bound { .. })
    }

    /// Whether the adapter has refused a breakpoint, before the debuggee runs.
    pub(crate) fn is_refused(&self, reported: &types::Breakpoint) -> bool {
        let known = Known { wanted_line: None, proven: false, complete: false };
        matches!(self.binding(reported, known), Binding::Refused { .. })
    }

    /// A file has to be named as the program was compiled.
    pub(crate) fn compares_paths(&self) -> bool {
        self.0.breakpoints.paths == SourcePaths::AsWritten
    }

    /// A file has to be named without links.
    pub(crate) fn wants_real_paths(&self) -> bool {
        self.0.breakpoints.paths == SourcePaths::Real
    }

    /// The adapter knows which places have code only once the debuggee runs.
    pub(crate) fn locates_when_running(&self) -> bool {
        self.0.breakpoints.verification == Verification::WhenRunning
    }

    /// The adapter knows which places of a file have code only once the file is loaded.
    pub(crate) fn locates_when_loaded(&self) -> bool {
        self.0.breakpoints.verification == Verification::WhenLoaded
    }

    /// `hitBreakpointIds` may name breakpoints at the place whose conditions do not hold.
    pub(crate) fn names_breakpoints_by_place(&self) -> bool {
        matches!(self.0.breakpoints.hit_ids, HitIds::Place { .. })
    }

    /// Matches the value of a condition that does not hold. It compiles: the profile was checked
    /// when it was loaded.
    pub(crate) fn untrue(&self) -> Option<regex::Regex> {
        let own = match &self.0.breakpoints.hit_ids {
            HitIds::Place { untrue } => Some(untrue),
            HitIds::Exact => self.0.breakpoints.untrue.as_ref(),
        };
        own.and_then(|untrue| pattern::compile(untrue).ok()).or_else(|| self.untrue_after_step())
    }

    /// Matches the value of a condition that does not hold, if the adapter reports no hit where a
    /// step ends at a breakpoint.
    pub(crate) fn untrue_after_step(&self) -> Option<regex::Regex> {
        match &self.0.breakpoints.step_ends {
            StepEnds::Silent { untrue } => pattern::compile(untrue).ok(),
            StepEnds::Reported => None,
        }
    }

    /// The messages of log points are written without a stop.
    pub(crate) fn writes_log_points(&self) -> bool {
        self.0.breakpoints.log_points != LogPoints::Host
    }

    /// The text of a log message names its breakpoint, because the adapter's output does not.
    pub(crate) fn marks_log_messages(&self) -> bool {
        self.0.breakpoints.log_points == LogPoints::Adapter
    }

    /// Log points that have written all that they may are ended by the adapter.
    pub(crate) fn ends_log_points(&self) -> bool {
        self.0.breakpoints.log_limits == LogLimits::Adapter
    }

    /// Hit conditions are evaluated and hits are counted without a stop.
    pub(crate) fn counts_hits(&self) -> bool {
        self.0.breakpoints.hit_counts == HitCounts::Plugin
    }

    /// The hits that an `output` event reports; none: it is output.
    pub(crate) fn hit_report(&self, output: &Output) -> Option<BreakpointOutput> {
        let has_reports = self.counts_hits() || self.0.breakpoints.log_points == LogPoints::Plugin;
        let data = output.data.as_ref().filter(|_| has_reports)?;
        lenient::decode(data).ok()
    }

    /// Setting breakpoints on lines near one without code says which of them have code.
    pub(crate) fn tries_lines(&self) -> bool {
        self.0.breakpoints.nearest == NearestLines::Tried
    }

    /// The debuggee must be stopped before breakpoints change.
    pub(crate) fn halts_for_breakpoints(&self) -> bool {
        self.0.breakpoints.while_running == WhileRunning::HaltFirst
    }

    /// Why breakpoints may have no hit: child processes are not debugged.
    pub(crate) fn unfollowed_children(&self) -> Option<String> {
        self.0.breakpoints.unfollowed.clone().filter(|_| !self.locates_when_loaded())
    }

    /// Why files with breakpoints may not be loaded: not all child processes are debugged.
    pub(crate) fn unfollowed_files(&self) -> Option<&str> {
        self.0.breakpoints.unfollowed.as_deref().filter(|_| self.locates_when_loaded())
    }
}

#[cfg(test)]
impl Quirks {
    /// An adapter that knows which places have code only once the debuggee runs.
    pub(crate) fn locating_when_running() -> Self {
        let mut profile = dapdock_schema::Profile::default();
        profile.breakpoints.verification = Verification::WhenRunning;
        Self::new(profile)
    }

    /// An adapter that knows places once their file is loaded, and does not follow all children.
    pub(crate) fn locating_when_loaded(unfollowed: &str) -> Self {
        let mut profile = dapdock_schema::Profile::default();
        profile.breakpoints.verification = Verification::WhenLoaded;
        profile.breakpoints.unfollowed = Some(unfollowed.to_owned());
        Self::new(profile)
    }

    /// An adapter that writes log points, and ends those that have written all that they may.
    pub(crate) fn ending_log_points() -> Self {
        let mut profile = dapdock_schema::Profile::default();
        profile.breakpoints.log_points = LogPoints::Plugin;
        profile.breakpoints.log_limits = LogLimits::Adapter;
        Self::new(profile)
    }

    /// An adapter that names all breakpoints at the place of a stop.
    pub(crate) fn naming_by_place() -> Self {
        let mut profile = dapdock_schema::Profile::default();
        profile.breakpoints.hit_ids = HitIds::Place { untrue: "^0$".to_owned() };
        Self::new(profile)
    }
}
