//! Breakpoints that are set while no session is open: for the next launch and for restarts.
//!
//! Knows which sets a change concerns. Refuses to know how a set changes.

use super::Error;
use super::breakpoints::{
    BreakpointReport, Breakpoints, Numbered, Origin, Translated, exceptions_among, place,
};
use super::handle::{Carried, Handle};
use super::sessions::{Entry, Sessions, State};
use crate::limits::Limits;
use crate::model::{Breakpoint, BreakpointEdit, LaunchRequest, SessionId};
use crate::plugin::Plugin;
use crate::session::adapter::exceptions::{self, UNCAUGHT};

impl State {
    /// Changes the breakpoints of one session's restart; without a name those of every restart and
    /// of the next launch. Reports those of the named session's restart, else of the latest one's.
    fn edit_later(
        &mut self,
        name: Option<&str>,
        edit: BreakpointEdit,
    ) -> Result<BreakpointReport, Error> {
        let reported = name.map(str::to_owned).or_else(|| self.latest_with_later());
        if name.is_none() {
            self.check_all_rooms(&edit)?;
        }
        let Self { open, waiting, .. } = self;
        let later = reported.as_ref().and_then(|name| open.get_mut(name)?.later.as_mut());
        if let (Some(name), None) = (name, &later) {
            return Err(self.unknown(name));
        }
        let texts = edit.set.iter().cloned().map(Translated::from).collect();
        let Some(later) = later else {
            let added = waiting.edit(edit, texts)?;
            return Ok(waiting.report(added, &[]));
        };
        let added = later.edit(edit.clone(), texts)?;
        let mut new: Vec<Numbered> = later.numbered();
        new.retain(|known| added.contains(&known.id));
        let report = later.report(added, &[]);
        if name.is_some() {
            waiting.mirror(&edit, &exceptions_among(&report.all));
        } else {
            waiting.mirror_with(&edit, &new);
            for (other, entry) in open.iter_mut() {
                if let Some(later) = &mut entry.later
                    && Some(other) != reported.as_ref()
                {
                    later.mirror_with(&edit, &new);
                }
            }
        }
        let mut only_restart: Vec<_> = report.all.iter().map(|one| one.id).collect();
        only_restart.retain(|id| !waiting.ids().contains(id));
        let restart = reported.map(|name| (SessionId(name), only_restart));
        Ok(BreakpointReport { restart, ..report })
    }

    /// The newest session with breakpoints for its restart; one that never ran has no hits, and
    /// counts only if no other is left.
    fn latest_with_later(&self) -> Option<String> {
        let with_later = self.open.iter().filter(|(_, entry)| entry.later.is_some());
        let newest = with_later.max_by_key(|(_, entry)| (entry.handle.has_run(), entry.number));
        newest.map(|(name, _)| name.clone())
    }

    /// Checks that every set has room for the new breakpoints.
    fn check_all_rooms(&self, edit: &BreakpointEdit) -> Result<(), Error> {
        let sets = self.open.values().filter_map(|entry| entry.later.as_ref());
        for set in sets.chain([&self.waiting]) {
            set.check_room(edit, edit.set.iter().map(|spec| &spec.place))?;
        }
        Ok(())
    }
}

impl Sessions {
    /// Changes the breakpoints of a session. Those of an ended session are for its restart. Without
    /// a name while no session is open: those of the next launch and of every restart.
    pub async fn breakpoints(
        &self,
        name: Option<&str>,
        edit: BreakpointEdit,
    ) -> Result<BreakpointReport, Error> {
        let any_open = self.state().open.values().any(|entry| !entry.handle.is_over());
        if (name.is_some() || any_open) && !self.can_restart(name) {
            let report = self.get(name)?.breakpoints(edit.clone()).await?;
            self.state().waiting.mirror(&edit, &exceptions_among(&report.all));
            return Ok(report);
        }
        place::check(&edit.set).await?;
        self.check_exceptions(edit.exceptions.as_deref().unwrap_or_default()).await?;
        self.remember_breakpoints().await?;
        let changes = edit != BreakpointEdit::default();
        let mut report = self.state().edit_later(name, edit)?;
        if changes {
            self.feed().changed();
        }
        if let Some((ended, _)) = &report.restart
            && let Ok(last) = self.get(Some(&ended.0))?.status().await
        {
            let mut last = last.breakpoints;
            // Those that this call sets wait for the next program.
            last.retain(|one| !report.added.contains(&one.id));
            report.all = self.breakpoints_now(ended, last);
        }
        let mut unchecked = report.exceptions.clone();
        unchecked.retain(|word| !exceptions::is_word(word));
        let off = exceptions::off(&report.exceptions, &unchecked, vec![UNCAUGHT.to_owned()]);
        Ok(BreakpointReport { unchecked, off, ..report })
    }

    /// Checks exception filters against the manifests of all adapters, where a word is not one that
    /// every adapter takes.
    async fn check_exceptions(&self, words: &[String]) -> Result<(), Error> {
        if words.iter().all(|word| exceptions::may_mean(word)) {
            return Ok(());
        }
        let plugins = self.setup()?.catalog.all().await;
        let manifests: Vec<_> = plugins.iter().flatten().map(Plugin::manifest).collect();
        exceptions::check_without_adapter(&manifests, words)
    }

    /// Whether the named session has ended and can be restarted.
    fn can_restart(&self, name: Option<&str>) -> bool {
        name.and_then(|name| self.state().open.get(name).map(Entry::can_restart)).unwrap_or(false)
    }

    /// Copies the breakpoints of ended sessions. A session whose actor failed has none.
    async fn remember_breakpoints(&self) -> Result<(), Error> {
        let mut handles: Vec<Handle> = Vec::new();
        for entry in self.state().open.values() {
            if entry.can_restart() && entry.later.is_none() {
                handles.push(entry.handle.clone());
            }
        }
        for handle in handles {
            let Ok(carried) = handle.carried().await else { continue };
            let mut later = Breakpoints::new(self.setup()?.limits.breakpoints);
            later.adopt(carried.breakpoints, carried.chooses_exceptions);
            // A concurrent call may have copied and changed them.
            if let Some(entry) = self.state().open.get_mut(&handle.id().0) {
                entry.later.get_or_insert(later);
            }
        }
        Ok(())
    }

    /// The breakpoints of a session; of an ended one those of its restart, with their last state.
    pub fn breakpoints_now(&self, id: &SessionId, last: Vec<Breakpoint>) -> Vec<Breakpoint> {
        let state = self.state();
        let Some(later) = state.open.get(&id.0).and_then(|entry| entry.later.as_ref()) else {
            return last;
        };
        let mut all = later.report(Vec::new(), &[]).all;
        for now in &mut all {
            let same = last.iter().find(|last| last.id == now.id && last.spec == now.spec);
            if let Some(last) = same {
                *now = Breakpoint { enabled: now.enabled, ..last.clone() };
            }
        }
        all
    }

    /// The breakpoints of a launch, with those that were set while no session was open. These stay
    /// for later launches.
    pub(super) fn with_waiting(
        &self,
        request: &LaunchRequest,
        limits: &Limits,
    ) -> Result<Carried, Error> {
        let state = self.state();
        let mut set = Breakpoints::new(limits.breakpoints);
        let chooses_exceptions = state.waiting.chooses_exceptions();
        set.adopt(state.waiting.numbered(), chooses_exceptions);
        let texts = request.breakpoints.iter().cloned().map(Translated::from).collect();
        let edit = BreakpointEdit { set: request.breakpoints.clone(), ..BreakpointEdit::default() };
        let added = set.edit(edit, texts)?;
        let mut breakpoints = set.numbered();
        for one in &mut breakpoints {
            if added.contains(&one.id) {
                one.origin = Origin::Call;
            }
        }
        Ok(Carried { breakpoints, chooses_exceptions, watches: Vec::new() })
    }
}
