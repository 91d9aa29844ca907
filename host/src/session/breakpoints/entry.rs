//! One breakpoint: what is wanted, in whose words, and what the adapter made of it.

use std::collections::BTreeSet;
use std::path::Path;

use dapdock_schema::{HitCounts, LogPoints, Profile, Verification};

use super::key::{Kept, Key};
use crate::dap::types as wire;
use crate::model::{Binding, Breakpoint, BreakpointId, BreakpointSpec, Nearest, Place};
use crate::session::breakpoints::hit_condition::Hits;

/// Which files an adapter leaves to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::session) struct Territory {
    pub(in crate::session) adapter: String,
    /// Extensions of their files, lower case.
    pub(in crate::session) foreign: BTreeSet<String>,
}

impl Territory {
    pub(in crate::session) fn leaves(&self, place: &Place) -> Option<String> {
        let Place::Line { path, .. } = place else { return None };
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        self.foreign.contains(&extension).then_some(extension)
    }
}

/// A spec with the words that go to the adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) struct Translated {
    pub(in crate::session) spec: BreakpointSpec,
    pub(in crate::session) condition: Option<String>,
    pub(in crate::session) log: Option<String>,
    pub(in crate::session) function: Option<String>,
    /// Where the adapter is to set it.
    pub(in crate::session) place: Place,
}

impl From<BreakpointSpec> for Translated {
    fn from(spec: BreakpointSpec) -> Self {
        let function = match &spec.place {
            Place::Function(name) => Some(name.clone()),
            Place::Line { .. } => None,
        };
        Self {
            condition: spec.condition.clone(),
            log: spec.log.clone(),
            function,
            place: spec.place.clone(),
            spec,
        }
    }
}

/// One breakpoint of a set.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) text: Translated,
    pub(super) enabled: bool,
    pub(super) binding: Binding,
    pub(super) hits: u32,
    pub(super) suppressed: u32,
    pub(super) adapter_id: Option<i64>,
    /// Made by the host for one run to a place; callers do not see it.
    pub(super) temporary: bool,
    pub(super) kept: Kept,
    /// The adapter is not told of it.
    pub(super) held: bool,
    /// It is set, whatever the adapter says of it: its line has code, or it was hit.
    pub(super) proven: bool,
}

impl Entry {
    pub(super) fn new(text: Translated) -> Self {
        Self {
            text,
            enabled: true,
            binding: Binding::Pending,
            hits: 0,
            suppressed: 0,
            adapter_id: None,
            temporary: false,
            kept: Kept::No,
            held: false,
            proven: false,
        }
    }

    /// The call that it belongs to.
    pub(super) fn key(&self) -> Key {
        match &self.text.place {
            Place::Line { path, .. } => Key::Source(path.clone()),
            Place::Function(_) => Key::Functions,
        }
    }

    pub(super) fn view(&self, id: BreakpointId) -> Breakpoint {
        Breakpoint {
            id,
            spec: self.text.spec.clone(),
            enabled: self.enabled,
            binding: self.binding.clone(),
            hits: self.hits,
            suppressed: self.suppressed,
        }
    }

    /// Is its line written by the host, which stops for it?
    pub(super) fn is_written_by_host(&self, profile: &Profile) -> bool {
        let by_host =
            profile.log_points == LogPoints::Host || matches!(self.text.place, Place::Function(_));
        by_host && self.text.log.is_some()
    }

    /// Does the adapter stop only where the hits' count says so? Of lines that it writes it tells
    /// each.
    pub(super) fn is_counted_by_adapter(&self, profile: &Profile) -> bool {
        profile.hits == HitCounts::Adapter
            && self.text.log.is_none()
            && self.condition_of_hits().is_some()
    }

    pub(super) fn condition_of_hits(&self) -> Option<Hits> {
        Hits::parse(self.text.spec.hit_condition.as_deref()?).ok()
    }

    /// Takes what the adapter says of it. `live`: all code there will be in its file is known.
    pub(super) fn bind(&mut self, told: &wire::Breakpoint, profile: &Profile, live: bool) {
        let message = told.message.clone().unwrap_or_default();
        let unbound = profile.unbound.as_ref().is_some_and(|text| message.contains(text.as_str()));
        let line = told.line.and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0);
        let known = match std::mem::replace(&mut self.binding, Binding::Pending) {
            Binding::Refused { nearest, .. } => nearest,
            _ => Nearest::default(),
        };
        self.binding = match (told.verified && !unbound, profile.verification) {
            (true, Verification::Always) if line.is_none() && !self.proven => Binding::Unconfirmed,
            (true, _) => Binding::Bound { line: line.or(self.wanted_line()) },
            (false, _) if told.reason.as_deref() == Some("failed") && !message.is_empty() => {
                Binding::Refused { reason: message, nearest: Nearest::default() }
            }
            (false, _)
                if self.proven
                    && (message.is_empty() || profile.verification == Verification::WhenLoaded) =>
            {
                Binding::Bound { line: self.wanted_line() }
            }
            (false, Verification::WhenRunning | Verification::WhenLoaded) if live => no_code(),
            (false, Verification::WhenRunning | Verification::WhenLoaded) => Binding::Unconfirmed,
            (false, _) if message.is_empty() => Binding::Unconfirmed,
            (false, _) => Binding::Refused { reason: message, nearest: Nearest::default() },
        };
        // Set again beside others, it has what was told of it.
        if let Binding::Refused { nearest, .. } = &mut self.binding {
            *nearest = known;
        }
    }

    /// It is set after all.
    pub(super) fn prove(&mut self) {
        self.proven = true;
        self.binding = Binding::Bound { line: self.wanted_line() };
    }

    /// Does it stop the debuggee, seen or not?
    pub(super) fn stops(&self, profile: &Profile) -> bool {
        let is_set = match self.binding {
            Binding::Pending | Binding::Unconfirmed | Binding::Bound { .. } => !self.held,
            Binding::Refused { .. } | Binding::BadCondition { .. } | Binding::Foreign { .. } => {
                false
            }
        };
        self.enabled && is_set && (self.text.log.is_none() || self.is_written_by_host(profile))
    }

    /// Where the debuggee stands that hits it; none: nobody has said.
    pub(super) fn line(&self) -> Option<u32> {
        match self.binding {
            Binding::Bound { line: Some(bound) } => Some(bound),
            _ => self.wanted_line(),
        }
    }

    /// May it have moved down to there, from a line without code? Only where nobody has said yet
    /// where it is.
    pub(super) fn may_move_to(&self, path: &Path, line: u32) -> bool {
        let in_file =
            matches!(&self.text.place, Place::Line { path: wanted, .. } if wanted == path);
        let placed = matches!(self.binding, Binding::Bound { line: Some(_) });
        in_file && !placed && self.wanted_line().is_some_and(|wanted| wanted <= line)
    }

    /// Does the debuggee stand in one place that hits either? Of functions it is known by the line.
    pub(super) fn shares(&self, other: &Self) -> bool {
        let files = match (&self.text.place, &other.text.place) {
            (Place::Line { path: one, .. }, Place::Line { path: other, .. }) => one == other,
            _ => true,
        };
        files && self.line().is_some() && self.line() == other.line()
    }

    /// May it? A function of which nobody has said where it is may be anywhere.
    pub(super) fn may_share(&self, other: &Self) -> bool {
        self.shares(other) || [self, other].iter().any(|one| one.line().is_none())
    }

    pub(super) fn wanted_line(&self) -> Option<u32> {
        match self.text.place {
            Place::Line { line, .. } => Some(line),
            Place::Function(_) => None,
        }
    }
}

pub(super) fn no_code() -> Binding {
    Binding::Refused {
        reason: "the debugger found no code there".to_owned(),
        nearest: Nearest::default(),
    }
}

pub(super) fn never_named() -> Binding {
    let reason = "no function of the program's own code that was loaded is named so".to_owned();
    Binding::Refused { reason, nearest: Nearest::default() }
}

pub(super) fn ended_before() -> Binding {
    let reason = "the program ended before the debugger told of code there".to_owned();
    Binding::Refused { reason, nearest: Nearest::default() }
}

pub(super) fn never_loaded(profile: &Profile) -> Binding {
    let reason = match profile.source_maps {
        true => "its file was never loaded, and the debugger found no source map that names it",
        false => "its file was never loaded",
    };
    Binding::Refused { reason: reason.to_owned(), nearest: Nearest::default() }
}
