//! All sessions of this host: opens, names, finds and ends them.
//!
//! Knows which adapters there are and which of them claims a target. Refuses to
//! know what a session is doing.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::actor::{self, Actor, Birth};
use super::breakpoints::{BreakpointReport, Breakpoints, Numbered, Origin, Territory, Translated};
use super::handle::{Carried, EndMode, Handle, Life};
use crate::limits::Limits;
use crate::model::{Breakpoint, BreakpointEdit, Cursor, LaunchRequest, SessionId};
use crate::plugin::{Catalog, Plugin, UnknownTool, Workspace};
use crate::process::Owner;
use crate::session::launch;
use crate::session::launch::order::Order;
use crate::session::setup::{AdapterInfo, Load, Setup};
use crate::session::{
    Error, Happening,
    breakpoints::{exceptions, place},
    target::{choose, project, request},
};

/// The sessions of one host.
pub struct Sessions {
    load: Load,
    setup: OnceLock<Setup>,
    owner: Owner,
    state: Mutex<State>,
}

struct State {
    open: BTreeMap<String, Entry>,
    /// Breakpoints set while no session was open: for the next launch.
    waiting: Breakpoints,
    born: u64,
    /// Nothing more is started.
    closing: bool,
    /// Sessions that are being started again.
    restarting: HashSet<SessionId>,
}

impl State {
    /// Changes the breakpoints of one session's restart, or, without a name, those of whatever is
    /// started next. What is told is what the restart of that session, or of the latest, would set.
    fn edit(
        &mut self,
        name: Option<&str>,
        edit: BreakpointEdit,
    ) -> Result<BreakpointReport, Error> {
        let Self { open, waiting, .. } = self;
        let resting = || open.iter().filter(|(_, entry)| entry.later.is_some());
        let latest =
            || resting().max_by_key(|(_, entry)| entry.number).map(|(name, _)| name.clone());
        let told = name.map(str::to_owned).or_else(latest);
        if name.is_none() {
            let mut sets =
                open.values().filter_map(|entry| entry.later.as_ref()).chain([&*waiting]);
            sets.try_for_each(|set| {
                set.check_room(&edit, edit.set.iter().map(|spec| &spec.place))
            })?;
        }
        let later = told.as_ref().and_then(|told| open.get_mut(told)?.later.as_mut());
        if let (Some(name), None) = (name, &later) {
            return Err(self.unknown(name));
        }
        let Some(later) = later else {
            let added =
                waiting.edit(edit.clone(), edit.set.into_iter().map(Translated::from).collect())?;
            return Ok(waiting.report(added, &[]));
        };
        let added =
            later.edit(edit.clone(), edit.set.iter().cloned().map(Translated::from).collect())?;
        let new: Vec<Numbered> =
            later.numbered().into_iter().filter(|known| added.contains(&known.id)).collect();
        let report = later.report(added, &[]);
        if name.is_some() {
            waiting.mirror(&edit);
        } else {
            let others = open.iter_mut().filter(|(name, _)| Some(*name) != told.as_ref());
            let others = others.filter_map(|(_, entry)| entry.later.as_mut());
            others.chain([&mut *waiting]).for_each(|set| set.mirror_with(&edit, &new));
        }
        let alone =
            report.all.iter().map(|one| one.id).filter(|id| !waiting.ids().contains(id)).collect();
        Ok(BreakpointReport { restart: told.map(|told| (SessionId(told), alone)), ..report })
    }

    fn unknown(&self, name: &str) -> Error {
        let (ended, open): (Vec<_>, Vec<_>) =
            self.open.iter().partition(|(_, entry)| entry.handle.is_over());
        let names =
            |of: Vec<(&String, &Entry)>| of.into_iter().map(|(name, _)| name.clone()).collect();
        Error::UnknownSession { name: name.to_owned(), open: names(open), ended: names(ended) }
    }
}

/// While it lives, its session is being started again.
struct Restarting<'a> {
    sessions: &'a Sessions,
    id: SessionId,
}

impl Drop for Restarting<'_> {
    fn drop(&mut self) {
        self.sessions.state().restarting.remove(&self.id);
    }
}

struct Entry {
    handle: Handle,
    request: LaunchRequest,
    number: u64,
    /// Those of the next restart, once they were asked for after the end.
    later: Option<Breakpoints>,
}

impl Entry {
    /// Is it over, and can it be started again?
    fn rests(&self) -> bool {
        self.handle.is_over() && !self.request.attaches()
    }
}

/// What all of the configuration says of one adapter.
struct Beside {
    /// What it leaves to the others.
    territory: Territory,
    /// What was probably to be a tool of its.
    misspelt: Option<UnknownTool>,
}

impl Beside {
    async fn of(catalog: &Catalog, plugin: &Plugin) -> Self {
        let territory = choose::territory(catalog, plugin).await;
        Self { territory, misspelt: catalog.misspelt(plugin).await }
    }
}

impl Sessions {
    /// Touches neither files nor plugins nor processes.
    pub fn new(load: Load, owner: Owner) -> Arc<Self> {
        let waiting = Breakpoints::new(Limits::default().breakpoints);
        let state = Mutex::new(State {
            open: BTreeMap::new(),
            waiting,
            born: 0,
            closing: false,
            restarting: HashSet::new(),
        });
        Arc::new(Self { load, setup: OnceLock::new(), owner, state })
    }

    fn setup(&self) -> Result<&Setup, Error> {
        match self.setup.get() {
            Some(setup) => Ok(setup),
            None => {
                let setup = (self.load)()?;
                Ok(self.setup.get_or_init(|| setup))
            }
        }
    }

    pub(super) fn catalog(&self) -> Result<&Catalog, Error> {
        Ok(&self.setup()?.catalog)
    }

    /// Opens a session; it prepares and starts by itself. Wait on the handle for its first stop.
    pub async fn launch(&self, mut request: LaunchRequest) -> Result<Handle, Error> {
        let since = Instant::now();
        let setup = self.setup()?.clone();
        self.check_room(&setup.limits)?;
        place::check(&request.breakpoints).await?;
        request::check(&request)?;
        self.owner.begin();
        request.workspace = project::of(&setup.catalog, &request).await;
        let workspace = Workspace::at(request.workspace.clone());
        let plugin = choose::plugin(&setup, &workspace, &request).await?;
        if request.stdin.is_some() && !plugin.manifest().stdin {
            return Err(Error::Launch(launch::Error::NoStdin {
                adapter: plugin.name().to_owned(),
            }));
        }
        let carried = self.with_waiting(&request, &setup.limits)?;
        let beside = Beside::of(&setup.catalog, &plugin).await;
        self.open(request, plugin, beside, workspace, carried, since)
    }

    /// Ends a session that was launched and does the same again, with its breakpoints, exceptions
    /// and watches as they are now. One that is over is only done again.
    pub async fn restart(&self, name: Option<&str>) -> Result<Handle, Error> {
        let since = Instant::now();
        let handle = match name {
            Some(_) => self.get(name)?,
            None => self.latest()?,
        };
        let _one = self.begin_again(handle.id())?;
        let request = self.state().open.get(&handle.id().0).map(|entry| entry.request.clone());
        let request = request.ok_or(Error::NoSession { failed: None })?;
        if request.attaches() {
            return Err(Error::Launch(launch::Error::WasAttached { again: request.again }));
        }
        let setup = self.setup()?.clone();
        request::check(&request)?;
        let workspace = Workspace::at(request.workspace.clone());
        let plugin = choose::plugin(&setup, &workspace, &request).await?;
        let carried = self.with_later(handle.id(), handle.carried().await?);
        handle.close(EndMode::Terminate).await?;
        let beside = Beside::of(&setup.catalog, &plugin).await;
        self.open(request, plugin, beside, workspace, carried, since)
    }

    /// The session that was opened last, however it ended, unless an older one still runs. One
    /// whose arguments were refused is no session to start again.
    fn latest(&self) -> Result<Handle, Error> {
        let state = self.state();
        let begun = state.open.values().filter(|entry| !entry.handle.was_refused());
        let last =
            begun.max_by_key(|entry| entry.number).ok_or(Error::NoSession { failed: None })?;
        let others = state
            .open
            .values()
            .filter(|entry| entry.number != last.number && !entry.handle.is_over());
        let mut open: Vec<String> = others.map(|entry| entry.handle.id().to_string()).collect();
        if open.is_empty() {
            return Ok(last.handle.clone());
        }
        let mut ended = Vec::new();
        if last.handle.is_over() { &mut ended } else { &mut open }
            .push(last.handle.id().to_string());
        Err(Error::WhichSession { open, ended })
    }

    /// Two that start the same session again would make two of it.
    fn begin_again(&self, id: &SessionId) -> Result<Restarting<'_>, Error> {
        if self.state().restarting.insert(id.clone()) {
            Ok(Restarting { sessions: self, id: id.clone() })
        } else {
            Err(Error::NotReady { doing: "being started again".to_owned() })
        }
    }

    fn open(
        &self,
        request: LaunchRequest,
        plugin: Plugin,
        beside: Beside,
        workspace: Workspace,
        carried: Carried,
        since: Instant,
    ) -> Result<Handle, Error> {
        let Setup { catalog, limits, auto_install } = self.setup()?.clone();
        let Beside { territory, misspelt } = beside;
        let asked = request::request(&request)?;
        let target = request.target.words();
        let name = self.name(&plugin);
        let (sender, commands) = mpsc::channel(actor::COMMANDS);
        let (progress, told) = watch::channel("preparing".to_owned());
        let (life, alive) = watch::channel(Life::Open);
        let handle =
            Handle { id: SessionId(name.clone()), commands: sender, progress: told, life: alive };
        let others = request.adapter.is_none().then(|| catalog.clone());
        let order = Order {
            plugin,
            others,
            misspelt,
            workspace,
            request: asked,
            owner: self.owner.clone(),
            limits: limits.clone(),
            auto_install,
            progress,
            family: Arc::default(),
        };
        let again = request.again.clone();
        let birth = Birth {
            id: handle.id.clone(),
            requested_at: since,
            target,
            repeat_call: again,
            order,
            territory,
            carried,
            commands,
            life,
        };
        self.remember(name, request, handle.clone(), limits.remembered)?;
        spawn(Actor::new(birth).run());
        Ok(handle)
    }

    /// The named session, or the only one.
    pub fn get(&self, name: Option<&str>) -> Result<Handle, Error> {
        let state = self.state();
        match name {
            Some(name) => match state.open.get(name) {
                Some(entry) => Ok(entry.handle.clone()),
                None => Err(state.unknown(name)),
            },
            None => {
                let live: Vec<&Entry> =
                    state.open.values().filter(|entry| !entry.handle.is_over()).collect();
                match live.as_slice() {
                    [one] => Ok(one.handle.clone()),
                    // The latest that ended still answers for its output and its end.
                    [] => {
                        let started =
                            state.open.values().filter(|entry| !entry.handle.has_failed());
                        let last = started.max_by_key(|entry| entry.number);
                        last.map(|entry| entry.handle.clone())
                            .ok_or(Error::NoSession { failed: None })
                    }
                    several => Err(Error::WhichSession {
                        open: several.iter().map(|entry| entry.handle.id().to_string()).collect(),
                        ended: Vec::new(),
                    }),
                }
            }
        }
    }

    /// Where the program of the named session, or of the only one, was to run.
    pub fn cwd(&self, name: Option<&str>) -> Option<PathBuf> {
        let handle = self.get(name).ok()?;
        self.state().open.get(&handle.id().0)?.request.cwd.clone()
    }

    /// What is to be ended: the named session, or the only one. Where the newest has failed to
    /// start, an older one that has ended is not meant.
    pub fn to_end(&self, name: Option<&str>) -> Result<Handle, Error> {
        let found = self.get(name)?;
        let newest = self.all().pop().filter(|newest| name.is_none() && newest.has_failed());
        match newest.filter(|newest| found.is_over() && newest.id() != found.id()) {
            Some(newest) => Err(Error::NoSession { failed: Some(newest.id().to_string()) }),
            None => Ok(found),
        }
    }

    /// All that are remembered, the oldest first.
    pub fn all(&self) -> Vec<Handle> {
        let state = self.state();
        let mut entries: Vec<&Entry> = state.open.values().collect();
        entries.sort_by_key(|entry| entry.number);
        entries.into_iter().map(|entry| entry.handle.clone()).collect()
    }

    /// Changes a session's breakpoints; while none is open, those of the next: of what is launched,
    /// and of what is started again. A session that is over has those of its restart.
    pub async fn breakpoints(
        &self,
        name: Option<&str>,
        edit: BreakpointEdit,
    ) -> Result<BreakpointReport, Error> {
        let any_live = self.state().open.values().any(|entry| !entry.handle.is_over());
        if (name.is_some() || any_live) && !self.rests(name) {
            let report = self.get(name)?.breakpoints(edit.clone()).await?;
            self.state().waiting.mirror(&edit);
            return Ok(report);
        }
        place::check(&edit.set).await?;
        let words = edit.exceptions.as_deref().unwrap_or_default();
        if words.iter().any(|word| !exceptions::may_mean(word)) {
            let plugins = self.setup()?.catalog.all().await;
            let manifests: Vec<_> = plugins.iter().flatten().map(Plugin::manifest).collect();
            exceptions::check_without_adapter(&manifests, words)?;
        }
        self.remember_breakpoints().await?;
        let report = self.state().edit(name, edit)?;
        let unchecked =
            report.exceptions.iter().filter(|word| !exceptions::is_word(word)).cloned().collect();
        Ok(BreakpointReport { unchecked, ..report })
    }

    /// Is it over, and can it be started again?
    fn rests(&self, name: Option<&str>) -> bool {
        name.and_then(|name| self.state().open.get(name).map(Entry::rests)).unwrap_or(false)
    }

    /// Those that sessions have left behind; one that broke has left none.
    async fn remember_breakpoints(&self) -> Result<(), Error> {
        let new = |entry: &&Entry| entry.rests() && entry.later.is_none();
        let handles: Vec<Handle> =
            self.state().open.values().filter(new).map(|entry| entry.handle.clone()).collect();
        for handle in handles {
            let Ok(carried) = handle.carried().await else { continue };
            let mut later = Breakpoints::new(self.setup()?.limits.breakpoints);
            later.adopt(carried.breakpoints, carried.exceptions);
            // Another call may have been first, and have changed them.
            if let Some(entry) = self.state().open.get_mut(&handle.id().0) {
                entry.later.get_or_insert(later);
            }
        }
        Ok(())
    }

    /// A session's breakpoints: of one that is over those that its restart would set, with what
    /// they came to before.
    pub fn breakpoints_now(&self, id: &SessionId, last: Vec<Breakpoint>) -> Vec<Breakpoint> {
        let state = self.state();
        let Some(later) = state.open.get(&id.0).and_then(|entry| entry.later.as_ref()) else {
            return last;
        };
        let now = later.report(Vec::new(), &[]).all.into_iter();
        let known = |now: Breakpoint| match last
            .iter()
            .find(|last| last.id == now.id && last.spec == now.spec)
        {
            Some(last) => Breakpoint { enabled: now.enabled, ..last.clone() },
            None => now,
        };
        now.map(known).collect()
    }

    /// The adapters of the configuration, sorted by name.
    pub async fn adapters(&self) -> Result<Vec<AdapterInfo>, Error> {
        let catalog = &self.setup()?.catalog;
        let plugins = catalog.all().await;
        Ok(catalog.names().zip(plugins).map(|(name, plugin)| choose::info(name, plugin)).collect())
    }

    /// The tools of the configuration that no plugin has.
    pub async fn unknown_tools(&self) -> Result<Vec<UnknownTool>, Error> {
        Ok(self.setup()?.catalog.unknown_tools().await)
    }

    /// Ends all sessions; returns when nothing is left of them.
    pub async fn close_all(&self) {
        self.state().closing = true;
        let handles = self.all();
        let close = |handle: Handle| async move { drop(handle.close(EndMode::Auto).await) };
        futures_util::future::join_all(handles.into_iter().map(close)).await;
        self.state().open.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check_room(&self, limits: &Limits) -> Result<(), Error> {
        let live = self.state().open.values().filter(|entry| !entry.handle.is_over()).count();
        if live < limits.sessions {
            Ok(())
        } else {
            Err(Error::Limit {
                what: "the number of open sessions".to_owned(),
                value: limits.sessions.to_string(),
                raise: "limits.sessions in dapdock.toml".to_owned(),
            })
        }
    }

    /// The name of its adapter, and a number never used twice.
    fn name(&self, plugin: &Plugin) -> String {
        let mut state = self.state();
        state.born += 1;
        format!("{}-{}", plugin.name(), state.born)
    }

    /// The launch's breakpoints with those that were set while no session was open; these
    /// stay for later launches.
    fn with_waiting(&self, request: &LaunchRequest, limits: &Limits) -> Result<Carried, Error> {
        let state = self.state();
        let mut set = Breakpoints::new(limits.breakpoints);
        let exceptions = state.waiting.exceptions().map(<[String]>::to_vec);
        set.adopt(state.waiting.numbered(), exceptions.clone());
        let texts = request.breakpoints.iter().cloned().map(Translated::from).collect();
        let edit = BreakpointEdit { set: request.breakpoints.clone(), ..BreakpointEdit::default() };
        let named = set.edit(edit, texts)?;
        let mut known = set.numbered();
        known
            .iter_mut()
            .filter(|one| named.contains(&one.id))
            .for_each(|one| one.origin = Origin::Call);
        Ok(Carried { breakpoints: known, exceptions, watches: Vec::new() })
    }

    /// What a session leaves, with its breakpoints as they were changed since its end.
    fn with_later(&self, id: &SessionId, carried: Carried) -> Carried {
        let state = self.state();
        match state.open.get(&id.0).and_then(|entry| entry.later.as_ref()) {
            Some(later) => Carried {
                breakpoints: later.numbered(),
                exceptions: later.exceptions().map(<[String]>::to_vec),
                ..carried
            },
            None => carried,
        }
    }

    /// Keeps the newest; of the ended ones only so many are remembered.
    fn remember(
        &self,
        name: String,
        request: LaunchRequest,
        handle: Handle,
        most: usize,
    ) -> Result<(), Error> {
        let mut state = self.state();
        if state.closing {
            return Err(Error::Closing);
        }
        let number = state.born;
        state.open.insert(name, Entry { handle, request, number, later: None });
        let mut over: Vec<(u64, String)> = state
            .open
            .iter()
            .filter(|(_, entry)| entry.handle.is_over())
            .map(|(name, entry)| (entry.number, name.clone()))
            .collect();
        over.sort();
        let surplus = over.len().saturating_sub(most);
        for (_, name) in over.into_iter().take(surplus) {
            state.open.remove(&name);
        }
        Ok(())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a session lives as long as its handles, whoever holds them"
)]
fn spawn(actor: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(actor);
}

impl Handle {
    /// Has the session ended? It may still answer for its output.
    pub fn is_over(&self) -> bool {
        self.commands.is_closed()
            || matches!(*self.life.borrow(), Life::Over | Life::Failed | Life::Refused)
    }

    /// Did it end before the program ran?
    pub fn has_failed(&self) -> bool {
        matches!(*self.life.borrow(), Life::Failed | Life::Refused)
    }

    /// By what was asked for.
    fn was_refused(&self) -> bool {
        *self.life.borrow() == Life::Refused
    }

    /// The first stop or the end, as a launch waits for it.
    pub async fn first(&self) -> Result<(Happening, Cursor), Error> {
        self.wait(Cursor::default()).await
    }
}
