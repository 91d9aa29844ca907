//! One breakpoint: the caller's spec, its texts for the adapter, and what the adapter made of it.
//!
//! Knows what an adapter's answer means by the quirks. Refuses to know other breakpoints.

use std::path::{Path, PathBuf};

use super::key::{Key, Origin};
use crate::dap::types;
use crate::model::{Author, Binding, Breakpoint, BreakpointId, BreakpointSpec, Nearest, Place};
use crate::session::adapter::quirks::{Known, Quirks, no_code};
use crate::session::breakpoints::hit_condition::Hits;
use crate::session::breakpoints::logpoint;

/// A spec with its texts as the plugin translates them for the adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) struct Translated {
    pub(in crate::session) spec: BreakpointSpec,
    pub(in crate::session) condition: Option<String>,
    pub(in crate::session) log: Option<String>,
    pub(in crate::session) function: Option<String>,
    /// Where the adapter sets it.
    pub(in crate::session) place: Place,
}

impl From<BreakpointSpec> for Translated {
    fn from(spec: BreakpointSpec) -> Self {
        let function = match &spec.place {
            Place::Function(name) => Some(name.clone()),
            Place::Line { .. } | Place::Exception(_) => None,
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
    pub(super) translated: Translated,
    pub(super) enabled: bool,
    pub(super) binding: Binding,
    pub(super) hits: u32,
    pub(super) suppressed: u32,
    /// The file of a breakpoint on a function.
    pub(super) file: Option<PathBuf>,
    /// The adapter's name of the file, if it differs from the caller's: frames have that.
    pub(super) other_name: Option<PathBuf>,
    pub(super) adapter_id: Option<i64>,
    /// Set by the host for one run to a place; callers do not see it.
    pub(super) temporary: bool,
    pub(super) origin: Origin,
    pub(super) author: Author,
    /// Not sent to the adapter.
    pub(super) withheld: bool,
    /// Not sent while a temporary one stands at its place: the host counts its hit and writes its
    /// log text.
    pub(super) replaced: bool,
    /// It has written its `max_hits`, and is removed from the adapter.
    pub(super) retired: bool,
    /// The hit with which the adapter ends it, counted from when the adapter set it.
    pub(super) last: Option<u32>,
    /// It is set, whatever the adapter reports: its line has code, or it was hit.
    pub(super) proven: bool,
}

impl Entry {
    pub(super) fn new(translated: Translated) -> Self {
        Self {
            translated,
            enabled: true,
            binding: Binding::Pending,
            hits: 0,
            suppressed: 0,
            file: None,
            other_name: None,
            adapter_id: None,
            temporary: false,
            origin: Origin::Call,
            author: Author::Caller,
            withheld: false,
            replaced: false,
            retired: false,
            last: None,
            proven: false,
        }
    }

    /// The call that sets it.
    pub(super) fn key(&self) -> Key {
        match &self.translated.place {
            Place::Line { path, .. } => Key::Source(path.clone()),
            Place::Function(_) => Key::Functions,
            Place::Exception(_) => Key::Exceptions,
        }
    }

    pub(super) fn view(&self, id: BreakpointId) -> Breakpoint {
        Breakpoint {
            id,
            spec: self.translated.spec.clone(),
            enabled: self.enabled,
            binding: self.binding.clone(),
            hits: self.hits,
            suppressed: self.suppressed,
            author: self.author,
            file: match (&self.translated.spec.place, &self.translated.place) {
                (Place::Function(_), Place::Line { path, .. }) => Some(path.clone()),
                _ => self.file.clone(),
            },
        }
    }

    /// Is it a log breakpoint at which the debuggee stops and the host writes the line?
    pub(super) fn is_logged_by_host(&self, quirks: &Quirks) -> bool {
        let by_host = self.replaced
            || !quirks.writes_log_points()
            || matches!(self.translated.place, Place::Function(_));
        by_host && self.translated.log.is_some()
    }

    /// How many hits from now on a log breakpoint of the adapter needs to write its `max_hits`.
    pub(super) fn hits_until_written(&self, id: BreakpointId, quirks: &Quirks) -> Option<u32> {
        if self.translated.log.is_none() || self.is_logged_by_host(quirks) {
            return None;
        }
        let last = logpoint::last_hit(&self.view(id))?;
        let more = last.checked_sub(u64::from(self.hits)).filter(|more| *more > 0)?;
        u32::try_from(more).ok()
    }

    /// Does the adapter evaluate the hit condition? Of log breakpoints it reports every line.
    pub(super) fn is_counted_by_plugin(&self, quirks: &Quirks) -> bool {
        let has_count = self.translated.log.is_none() && self.hit_condition().is_some();
        quirks.counts_hits() && !self.replaced && has_count
    }

    /// Is it one of these ids of the adapter?
    pub(super) fn is_named_by(&self, adapter_ids: &[i64]) -> bool {
        self.adapter_id.is_some_and(|id| adapter_ids.contains(&id))
    }

    pub(super) fn hit_condition(&self) -> Option<Hits> {
        Hits::parse(self.translated.spec.hit_condition.as_deref()?).ok()
    }

    /// The line that the adapter gets from now on.
    pub(super) fn set_line(&mut self, sent: u32) {
        if let Place::Line { line, .. } = &mut self.translated.place {
            *line = sent;
        }
    }

    /// Takes the adapter's report about it. `complete`: all code that its file will have is loaded.
    pub(super) fn bind(&mut self, reported: &types::Breakpoint, quirks: &Quirks, complete: bool) {
        let nearest = match &mut self.binding {
            Binding::Refused { nearest, .. } => std::mem::take(nearest),
            _ => Nearest::default(),
        };
        let (wanted_line, proven) = (self.wanted_line(), self.proven);
        self.binding = quirks.binding(reported, Known { wanted_line, proven, complete });
        let file = reported.source.as_ref().and_then(|source| source.path.as_deref());
        match (&self.translated.place, file) {
            (Place::Function(_), Some(file)) => self.file = Some(PathBuf::from(file)),
            (Place::Line { path, .. }, Some(file)) if path != Path::new(file) => {
                self.other_name = Some(PathBuf::from(file));
            }
            _ => {}
        }
        // A breakpoint that is sent again with its file is refused again: what is known stays.
        if let Binding::Refused { nearest: known, .. } = &mut self.binding {
            *known = nearest;
        }
    }

    /// Notes the nearest code of a place without any. If the line itself has code, the adapter
    /// refused the condition, if there is one; with `when-loaded` the breakpoint is set in a file
    /// that was loaded before the adapter came, and the adapter does not report it.
    pub(super) fn set_nearest(&mut self, found: Nearest, quirks: &Quirks) {
        let has_code = match (&found, self.wanted_line()) {
            (Nearest::Lines(lines), Some(line)) => lines.contains(&line),
            _ => false,
        };
        let unreported = quirks.locates_when_loaded() && self.has_no_code();
        if has_code && unreported {
            return self.prove();
        }
        let Binding::Refused { reason, nearest } = &mut self.binding else { return };
        if !has_code {
            *nearest = found;
        } else if self.translated.condition.is_some() {
            self.binding = Binding::BadCondition { why: std::mem::take(reason) };
        }
    }

    /// Did the host find that its place has no code?
    pub(super) fn has_no_code(&self) -> bool {
        self.binding == no_code()
    }

    /// It is set, whatever the adapter reported.
    pub(super) fn prove(&mut self) {
        self.proven = true;
        self.binding = Binding::Bound { line: self.wanted_line() };
    }

    /// Does it stop the debuggee at its place, whether callers see the stop or not? One on
    /// exceptions has no place.
    pub(super) fn stops(&self, quirks: &Quirks) -> bool {
        if self.translated.place.exception().is_some() {
            return false;
        }
        let is_set = match self.binding {
            Binding::Pending | Binding::Unconfirmed | Binding::Bound { .. } => !self.withheld,
            Binding::SetByCommand { .. } => true,
            Binding::Refused { .. } | Binding::BadCondition { .. } | Binding::Foreign { .. } => {
                false
            }
        };
        self.enabled && is_set && (self.translated.log.is_none() || self.is_logged_by_host(quirks))
    }

    /// Does the adapter have it?
    pub(super) fn is_sent(&self) -> bool {
        self.enabled && !self.withheld && !self.retired && !self.replaced
    }

    /// Does every arrival at its place stop the debuggee?
    pub(super) fn always_stops(&self, quirks: &Quirks) -> bool {
        let spec = &self.translated.spec;
        let is_plain =
            spec.condition.is_none() && spec.hit_condition.is_none() && spec.log.is_none();
        is_plain && !self.temporary && self.is_sent() && self.stops(quirks)
    }

    /// Is it at the place of the other, by the caller's name or where the adapter has put it? One
    /// at a column is hit elsewhere in its line.
    pub(super) fn is_at(&self, other: &Translated) -> bool {
        let own = &self.translated;
        let has_column = matches!(own.place, Place::Line { column: Some(_), .. });
        let bound = match &other.place {
            Place::Line { path, line, column: None } if !has_column => {
                self.is_in(path) && self.line() == Some(*line)
            }
            _ => false,
        };
        bound || own.spec.place == other.spec.place
    }

    /// Is it in the line of the other, where an adapter may take them for the same place? Not if
    /// both have a column and the columns differ.
    pub(super) fn shares_line(&self, other: &Translated) -> bool {
        let Place::Line { path, line, column } = &other.place else { return false };
        let own = match &self.translated.place {
            Place::Line { column, .. } => *column,
            Place::Function(_) | Place::Exception(_) => return false,
        };
        let same_column = own.is_none() || column.is_none() || own == *column;
        same_column && self.is_in(path) && self.line() == Some(*line)
    }

    /// The line of a stop at it; none: not known.
    pub(super) fn line(&self) -> Option<u32> {
        match self.binding {
            Binding::Bound { line: Some(bound) } => Some(bound),
            _ => self.wanted_line(),
        }
    }

    /// The line to which the adapter has moved it from the caller's.
    pub(super) fn moved_to(&self) -> Option<u32> {
        let Binding::Bound { line: Some(bound) } = self.binding else { return None };
        let moved = matches!(self.translated.spec.place, Place::Line { line, .. } if line != bound);
        moved.then_some(bound)
    }

    /// May the adapter have moved it down to this line, from one without code? Only if it has not
    /// reported a line.
    pub(super) fn may_move_to(&self, path: &Path, line: u32) -> bool {
        let in_file = self.is_in(path);
        let placed = matches!(self.binding, Binding::Bound { line: Some(_) });
        in_file && !placed && self.wanted_line().is_some_and(|wanted| wanted <= line)
    }

    /// Is it on a line of this file? Either name of the file counts.
    pub(super) fn is_in(&self, path: &Path) -> bool {
        let Place::Line { path: wanted, .. } = &self.translated.place else { return false };
        wanted == path || self.other_name.as_deref() == Some(path)
    }

    /// Do both stop at the same place? The place of a function is known by its line.
    pub(super) fn shares(&self, other: &Self) -> bool {
        let files = match (&self.translated.place, &other.translated.place) {
            (Place::Line { path: one, .. }, Place::Line { path: two, .. }) => {
                self.is_in(two) || other.is_in(one)
            }
            _ => true,
        };
        files && self.line().is_some() && self.line() == other.line()
    }

    /// May both stop at the same place? A function without a known line may be anywhere.
    pub(super) fn may_share(&self, other: &Self) -> bool {
        self.shares(other) || [self, other].iter().any(|one| one.line().is_none())
    }

    pub(super) fn wanted_line(&self) -> Option<u32> {
        match self.translated.place {
            Place::Line { line, .. } => Some(line),
            Place::Function(_) | Place::Exception(_) => None,
        }
    }
}

pub(super) fn refused(reason: String) -> Binding {
    Binding::Refused { reason, nearest: Nearest::default() }
}

pub(super) fn never_named() -> Binding {
    refused("no loaded function of your code has this name".to_owned())
}

pub(super) fn ended_before() -> Binding {
    refused("the program ended before the debugger reported code there".to_owned())
}

pub(super) fn never_loaded(quirks: &Quirks) -> Binding {
    let reason = if quirks.has_source_maps() {
        "its file was never loaded, and the debugger found no source map that names it"
    } else {
        "its file was never loaded"
    };
    let unfollowed = quirks.unfollowed_files().map(|why| format!("; {why}"));
    refused(reason.to_owned() + &unfollowed.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unloaded_file_may_be_that_of_an_unfollowed_child() {
        let quirks = Quirks::locating_when_loaded("children go unseen");
        let want = refused("its file was never loaded; children go unseen".to_owned());
        assert_eq!(never_loaded(&quirks), want);
        assert_eq!(quirks.unfollowed_children(), None);
    }
}
