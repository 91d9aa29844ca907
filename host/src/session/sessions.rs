//! All sessions of this host: opens, names, finds and ends them.
//!
//! Refuses to know what a session is doing and how an adapter is chosen.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use futures_util::StreamExt;
use futures_util::future::{join_all, select_all};
use futures_util::stream::FuturesUnordered;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tracing::{Instrument, Span};

use super::actor::{self, Actor, Birth, Identity};
use super::breakpoints::{Breakpoints, place};
use super::claim::{Claim, Door};
use super::clients::Clients;
use super::feed::{Feed, Reporter};
use super::handle::{Carried, EndMode, Handle, Life};
use super::launch::order::Order;
use super::mirrored::MirrorPlace;
use super::setup::{Load, Setup};
use super::{Error, launch};
use crate::file::input::Input;
use crate::limits::Limits;
use crate::model::plan::TargetQuery;
use crate::model::{BreakpointSpec, LaunchRequest, Opening, SessionId};
use crate::plugin::{Catalog, Plugin, UnknownTool, Workspace};
use crate::process::Owner;
use crate::target::launch_json::Overrides;
use crate::target::stand_in::StandIns;
use crate::target::{self, AdapterInfo, Configured, Targets, project, request};

/// The sessions of one host or client, as a caller opens them: with one configuration and
/// environment.
pub struct Sessions {
    pub(super) source: Arc<Source>,
    pub(super) owner: Owner,
    /// Where the calls come from.
    door: Door,
    pub(super) all: Arc<All>,
}

/// The configuration, once it is read.
pub(super) struct Source {
    load: Arc<Load>,
    setup: OnceLock<Setup>,
    /// As [`Additions::project`].
    pub(super) project: Mutex<Option<PathBuf>>,
}

impl Source {
    fn new(load: Arc<Load>) -> Arc<Self> {
        Arc::new(Self { load, setup: OnceLock::new(), project: Mutex::default() })
    }
}

/// All sessions of a host, or of one client with its own.
pub(super) struct All {
    feed: Feed,
    /// Log records of the sessions are made in it.
    span: Span,
    state: Mutex<State>,
    /// As [`Additions::trusted`].
    pub(super) trusted: Mutex<Vec<PathBuf>>,
    /// Their agent has gone.
    is_left: AtomicBool,
    /// Those with sessions apart from these.
    pub(super) clients: Mutex<Clients>,
}

impl All {
    /// No session yet, of a client or, without one, of the host.
    pub(super) fn of(client: Option<u64>) -> Arc<Self> {
        let state = Mutex::new(State {
            open: BTreeMap::new(),
            waiting: Breakpoints::new(Limits::default().breakpoints),
            born: 0,
            opening: 0,
            closing: false,
            restarting: HashSet::new(),
        });
        // An error, so that every filter knows it.
        let span = tracing::error_span!(parent: None, "sessions", client);
        let (trusted, clients) = (Mutex::default(), Mutex::default());
        let is_left = AtomicBool::new(false);
        Arc::new(Self { feed: Feed::default(), span, state, trusted, is_left, clients })
    }

    /// Whether there is a session, open or ended.
    pub(super) fn has_some(&self) -> bool {
        !self.state.lock().unwrap_or_else(PoisonError::into_inner).open.is_empty()
    }
}

pub(super) struct State {
    /// By name: open sessions, and ended ones that are remembered.
    pub(super) open: BTreeMap<String, Entry>,
    /// Breakpoints for the next launch, set while no session was open.
    pub(super) waiting: Breakpoints,
    /// Number of sessions so far.
    born: u64,
    /// Sessions that are about to be added to `open`.
    opening: usize,
    /// Nothing more is started.
    closing: bool,
    /// Sessions that are being restarted.
    pub(super) restarting: HashSet<SessionId>,
}

/// The right to open one more session, within `limits.sessions`.
pub(super) struct Room<'a> {
    sessions: &'a Sessions,
    /// When the caller requested the session.
    since: Instant,
    /// The session that is started again meanwhile. It is not counted: the new one is.
    successor_of: Option<SessionId>,
    is_filled: bool,
}

impl Room<'_> {
    /// The session is in `open` from now on.
    fn fill(mut self, state: &mut State) {
        self.leave(state);
        self.is_filled = true;
    }

    fn leave(&self, state: &mut State) {
        state.opening -= 1;
        if let Some(id) = &self.successor_of {
            state.restarting.remove(id);
        }
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        if !self.is_filled {
            self.leave(&mut self.sessions.state());
        }
        self.sessions.feed().changed();
    }
}

impl State {
    pub(super) fn unknown(&self, name: &str) -> Error {
        let (mut open, mut ended) = (Vec::new(), Vec::new());
        for (known, entry) in &self.open {
            let list = if entry.handle.is_over() { &mut ended } else { &mut open };
            list.push(known.clone());
        }
        Error::UnknownSession { name: name.to_owned(), open, ended }
    }
}

/// What a session is opened with.
#[derive(Clone)]
pub(super) struct Terms {
    pub(super) setup: Setup,
    owner: Owner,
    pub(super) claim: Claim,
}

/// One session.
pub(super) struct Entry {
    pub(super) handle: Handle,
    pub(super) request: LaunchRequest,
    /// The configuration and environment that it was opened with.
    pub(super) terms: Terms,
    pub(super) number: u64,
    begun: SystemTime,
    input: Option<Arc<Input>>,
    /// The breakpoints of its restart, once they were changed after its end.
    pub(super) later: Option<Breakpoints>,
}

impl Entry {
    /// Whether it has ended and can be restarted.
    pub(super) fn can_restart(&self) -> bool {
        self.handle.is_over() && self.request.can_restart()
    }
}

/// The pipe that a request wants, if the adapter gives a program standard input.
fn input(request: &LaunchRequest, plugin: &Plugin) -> Result<Option<Arc<Input>>, Error> {
    if !request.stdin_pipe || request.stdin.is_some() || !plugin.manifest().stdin {
        return Ok(None);
    }
    let input = Input::new().map_err(|error| {
        let cause = format!("the pipe for the standard input cannot be made: {error}");
        launch::Error::Spawn { cause }
    })?;
    Ok(Some(Arc::new(input)))
}

impl Sessions {
    /// Reads no files and starts nothing.
    pub fn new(load: Load, owner: Owner) -> Arc<Self> {
        Arc::new(Self {
            source: Source::new(Arc::new(load)),
            owner,
            door: Door::Agent,
            all: All::of(None),
        })
    }

    /// Other sessions, for a caller with the same files of the configuration and the same
    /// environment. Their configuration is read with the projects that are trusted for them.
    pub(super) fn with(&self, all: Arc<All>) -> Self {
        let source = Source::new(self.source.load.clone());
        Self { source, owner: self.owner.clone(), door: self.door, all }
    }

    /// The same sessions for a person at a terminal with another configuration and environment: it
    /// opens sessions with these, and sees all.
    #[must_use]
    pub fn configured_by(&self, load: Load, owner: Owner) -> Arc<Self> {
        let (source, door) = (Source::new(Arc::new(load)), Door::Terminal);
        Arc::new(Self { source, owner, door, all: self.all.clone() })
    }

    /// The handle of an entry for this caller.
    pub(super) fn handle(&self, entry: &Entry) -> Handle {
        entry.handle.clone().by(self.door)
    }

    /// The changes of the sessions.
    pub fn feed(&self) -> &Feed {
        &self.all.feed
    }

    /// Log records of the sessions are made in it.
    pub fn span(&self) -> &Span {
        &self.all.span
    }

    /// The limits of sessions, as configured.
    ///
    /// # Errors
    /// If the configuration cannot be read.
    pub fn limits(&self) -> Result<&Limits, Error> {
        Ok(&self.setup()?.limits)
    }

    pub(super) fn setup(&self) -> Result<&Setup, Error> {
        let Source { load, setup, .. } = &*self.source;
        match setup.get() {
            Some(setup) => Ok(setup),
            None => {
                let loaded = load(&self.additions())?;
                Ok(setup.get_or_init(|| loaded))
            }
        }
    }

    pub(super) fn catalog(&self) -> Result<&Catalog, Error> {
        Ok(&self.setup()?.catalog)
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.all.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a session, which prepares and starts by itself. Wait on the handle for its first stop.
    pub async fn launch(&self, mut request: LaunchRequest) -> Result<Handle, Error> {
        let since = Instant::now();
        let setup = self.setup()?.clone();
        let room = self.room(&setup.limits, since)?;
        place::check(&request.breakpoints).await?;
        request::check(&request)?;
        self.owner.begin();
        request.workspace = project::of(&setup.catalog, &request).await;
        let workspace = Workspace::at(request.workspace.clone());
        let plugin = choose(&setup, &workspace, &request).await?;
        if request.stdin.is_some() && !plugin.manifest().stdin {
            return Err(launch::Error::NoStdin { adapter: plugin.name().to_owned() }.into());
        }
        let carried = self.with_waiting(&request, &setup.limits)?;
        let terms = Terms { setup, owner: self.owner.clone(), claim: Claim::default() };
        let handle = self.open(terms, request, plugin, workspace, carried, room).await?;
        Ok(handle.by(self.door))
    }

    /// Starts the actor of a new session.
    pub(super) async fn open(
        &self,
        terms: Terms,
        request: LaunchRequest,
        plugin: Plugin,
        workspace: Workspace,
        carried: Carried,
        room: Room<'_>,
    ) -> Result<Handle, Error> {
        let Setup { catalog, mut limits, auto_install } = terms.setup.clone();
        if let Some(bytes) = request.output_bytes.filter(|bytes| *bytes < limits.output_bytes) {
            limits = Arc::new(Limits { output_bytes: bytes, ..(*limits).clone() });
        }
        let foreign_files = target::foreign_files(&catalog, &plugin).await;
        let misspelt = catalog.misspelt(&plugin).await;
        let input = input(&request, &plugin)?;
        let mut plugin_request = request::request(&request)?;
        if let Some(input) = &input {
            plugin_request.stdin = Some(input.path());
        }
        let (number, name) = self.new_name(&plugin, &request);
        let (sender, commands) = mpsc::channel(actor::COMMANDS);
        let (progress, progress_read) = watch::channel("preparing".to_owned());
        let (life, life_read) = watch::channel(Life::Open);
        let id = SessionId(name.clone());
        let reporter = Reporter::new(id.clone(), self.feed().clone());
        let handle = Handle {
            id,
            commands: sender,
            progress: progress_read,
            life: life_read,
            revisions: reporter.revisions(),
            live: reporter.live(),
            claim: terms.claim.clone(),
            mirror: MirrorPlace::default(),
            door: Door::Host,
        };
        let order = Order {
            plugin,
            others: request.adapter.is_none().then_some(catalog),
            misspelt,
            workspace,
            request: plugin_request,
            owner: terms.owner.clone(),
            limits: limits.clone(),
            auto_install,
            progress,
            family: Arc::default(),
        };
        let birth = Birth {
            identity: Identity {
                id: handle.id.clone(),
                requested_at: room.since,
                target: request.target.words(),
                command_line: request.command_line(),
                repeat_call: request.again.clone(),
            },
            idle: request.target.opening().map(|opening| opening.idle),
            order,
            foreign_files,
            carried,
            commands,
            life,
            reporter,
            claim: terms.claim.clone(),
        };
        let entry = Entry {
            handle: handle.clone(),
            request,
            terms,
            number,
            begun: SystemTime::now(),
            input,
            later: None,
        };
        self.remember(name, entry, room)?;
        spawn(Actor::new(birth).run().instrument(self.all.span.clone()));
        Ok(handle)
    }

    /// The named session; without a name the only open one, else the one that ended last.
    pub fn get(&self, name: Option<&str>) -> Result<Handle, Error> {
        let state = self.state();
        if let Some(name) = name {
            let entry = state.open.get(name).ok_or_else(|| state.unknown(name))?;
            return Ok(self.handle(entry));
        }
        let mut open: Vec<&Entry> = state.open.values().collect();
        open.retain(|entry| !entry.handle.is_over());
        match open.as_slice() {
            [one] => Ok(self.handle(one)),
            [] => {
                let started = state.open.values().filter(|entry| !entry.handle.has_failed());
                let last = started.max_by_key(|entry| entry.number);
                last.map(|entry| self.handle(entry)).ok_or(Error::NoSession { failed: None })
            }
            several => Err(Error::WhichSession {
                open: several.iter().map(|entry| entry.handle.id().to_string()).collect(),
                ended: Vec::new(),
            }),
        }
    }

    /// The working directory of the named session's program, or of the only session's.
    pub fn cwd(&self, name: Option<&str>) -> Option<PathBuf> {
        let handle = self.get(name).ok()?;
        self.state().open.get(&handle.id().0)?.request.cwd.clone()
    }

    /// When the named session was opened; without a name the only one.
    pub fn begun(&self, name: Option<&str>) -> Option<SystemTime> {
        let handle = self.get(name).ok()?;
        Some(self.state().open.get(&handle.id().0)?.begun)
    }

    /// The pipe to the standard input of the named session's program; without a name of the only
    /// one. `None`: it has none.
    ///
    /// # Errors
    /// There is no such session, or a person has it.
    pub fn input(&self, name: Option<&str>) -> Result<Option<Arc<Input>>, Error> {
        let handle = self.get(name)?;
        handle.permit()?;
        Ok(self.state().open.get(&handle.id().0).and_then(|entry| entry.input.clone()))
    }

    /// The session to end: as [`Sessions::get`], but an older ended session does not count if the
    /// newest failed to start.
    pub fn to_end(&self, name: Option<&str>) -> Result<Handle, Error> {
        let found = self.get(name)?;
        let newest = self.all().pop().filter(|newest| name.is_none() && newest.has_failed());
        match newest.filter(|newest| found.is_over() && newest.id() != found.id()) {
            Some(newest) => Err(Error::NoSession { failed: Some(newest.id().to_string()) }),
            None => Ok(found),
        }
    }

    /// Where the calls of this caller come from.
    pub fn door(&self) -> Door {
        self.door
    }

    /// All sessions that are remembered, the oldest first.
    pub fn all(&self) -> Vec<Handle> {
        let state = self.state();
        let mut entries: Vec<&Entry> = state.open.values().collect();
        entries.sort_by_key(|entry| entry.number);
        entries.into_iter().map(|entry| self.handle(entry)).collect()
    }

    /// Whether a session has not ended.
    pub fn any_open(&self) -> bool {
        self.state().open.values().any(|entry| !entry.handle.is_over())
    }

    /// Sessions that are open for commands, the oldest first.
    pub fn openings(&self) -> Vec<Opening> {
        let state = self.state();
        let mut open: Vec<&Entry> = state.open.values().collect();
        open.retain(|entry| !entry.handle.is_over());
        open.sort_by_key(|entry| entry.number);
        open.into_iter().filter_map(|entry| entry.request.target.opening().cloned()).collect()
    }

    /// See [`target::configured`].
    pub async fn configured(
        &self,
        workspace: &Path,
        name: &str,
        overrides: &Overrides,
        breakpoints: &[BreakpointSpec],
    ) -> Result<Vec<Configured>, Error> {
        let catalog = self.catalog()?;
        Ok(target::configured(catalog, workspace, name, overrides, breakpoints).await?)
    }

    /// See [`target::targets`].
    pub async fn targets(&self, workspace: PathBuf, query: &TargetQuery) -> Result<Targets, Error> {
        Ok(target::targets(self.catalog()?, workspace, query).await)
    }

    /// See [`target::sources`].
    pub async fn sources(
        &self,
        workspace: PathBuf,
        most: usize,
        fits: impl Fn(&str) -> bool + Send + 'static,
    ) -> Result<Vec<String>, Error> {
        Ok(target::sources(self.catalog()?, workspace, most, fits).await)
    }

    /// The adapters of the configuration, sorted by name.
    pub async fn adapters(&self) -> Result<Vec<AdapterInfo>, Error> {
        Ok(target::adapters(self.catalog()?).await)
    }

    /// See [`target::document`].
    ///
    /// # Errors
    /// The configuration cannot be read.
    pub async fn document(
        &self,
        adapter: &str,
        name: &str,
    ) -> Result<Result<String, target::NoDocument>, Error> {
        Ok(target::document(self.catalog()?, adapter, name).await)
    }

    /// The tools of the configuration that no plugin has.
    pub async fn unknown_tools(&self) -> Result<Vec<UnknownTool>, Error> {
        Ok(self.catalog()?.unknown_tools().await)
    }

    /// Ends all sessions, for ever; returns when none of their processes is left.
    pub async fn close_all(&self) {
        self.state().closing = true;
        self.end_all().await;
        self.state().open.clear();
    }

    /// Ends all sessions; returns when none of their processes is left.
    pub async fn end_all(&self) {
        join_all(self.all().into_iter().map(close)).await;
    }

    /// Whether the agent of these sessions has gone.
    pub fn is_left(&self) -> bool {
        self.all.is_left.load(Ordering::Relaxed)
    }

    /// The agent has gone: a session that a person has taken stays until it is given back, ends, or
    /// the person makes no call for `limit`. The others end meanwhile, those of a launch under way
    /// too, and each once it is given back. Returns when nothing keeps a session.
    pub async fn leave(&self, limit: Duration) {
        self.all.is_left.store(true, Ordering::Relaxed);
        let mut changes = self.feed().changes();
        let (mut ends, mut ended) = (FuturesUnordered::new(), HashSet::new());
        loop {
            changes.mark_unchanged();
            let (taken, free): (Vec<_>, Vec<_>) =
                self.all().into_iter().partition(Handle::is_taken);
            // A restart ends one session before the next one is there.
            if taken.is_empty() && self.state().restarting.is_empty() {
                return;
            }
            for handle in free {
                if !handle.is_over() && ended.insert(handle.id().clone()) {
                    ends.push(close(handle));
                }
            }
            let used = taken.iter().filter_map(|handle| handle.claim.last_use()).max();
            let deadline = used.unwrap_or_else(Instant::now) + limit;
            let returns = async {
                match taken.as_slice() {
                    [] => std::future::pending().await,
                    _ => drop(select_all(taken.iter().map(|it| Box::pin(it.given()))).await),
                }
            };
            tokio::select! {
                () = returns => {}
                _ = changes.changed() => {}
                Some(()) = ends.next() => {}
                () = tokio::time::sleep_until(deadline) => {
                    let later = taken.iter().filter_map(|handle| handle.claim.last_use()).max();
                    if later == used {
                        return;
                    }
                }
            }
        }
    }

    /// The agent is there again, after it had gone.
    pub fn come_back(&self) {
        self.all.is_left.store(false, Ordering::Relaxed);
    }

    /// Waits until a person has every open session, and at least one is open.
    pub async fn only_taken(&self) {
        let mut changes = self.feed().changes();
        loop {
            let mut open = self.all();
            open.retain(|handle| !handle.is_over());
            if !open.is_empty() && open.iter().all(Handle::is_taken) {
                return;
            }
            // The sender lives as long as `self`.
            drop(changes.changed().await);
        }
    }

    /// Room for one more session.
    fn room(&self, limits: &Limits, since: Instant) -> Result<Room<'_>, Error> {
        let mut state = self.state();
        self.room_in(&mut state, limits, since, None)
    }

    /// Room for the session that takes the place of this one. Refuses a second restart of the same
    /// session meanwhile.
    pub(super) fn room_of(
        &self,
        id: &SessionId,
        limits: &Limits,
        since: Instant,
    ) -> Result<Room<'_>, Error> {
        let mut state = self.state();
        if !state.restarting.insert(id.clone()) {
            return Err(Error::NotReady { doing: "being started again".to_owned() });
        }
        let room = self.room_in(&mut state, limits, since, Some(id.clone()));
        if room.is_err() {
            state.restarting.remove(id);
        }
        room
    }

    fn room_in(
        &self,
        state: &mut State,
        limits: &Limits,
        since: Instant,
        successor_of: Option<SessionId>,
    ) -> Result<Room<'_>, Error> {
        let is_open = |entry: &&Entry| {
            !entry.handle.is_over() && !state.restarting.contains(entry.handle.id())
        };
        let open = state.open.values().filter(is_open).count();
        if open + state.opening < limits.sessions {
            state.opening += 1;
            return Ok(Room { sessions: self, since, successor_of, is_filled: false });
        }
        Err(Error::Limit {
            what: "the number of open sessions".to_owned(),
            value: limits.sessions.to_string(),
            raise: "limits.sessions".to_owned(),
        })
    }

    /// A number that is never used twice, and a name: the one that the request gives, else the
    /// adapter's with the number.
    fn new_name(&self, plugin: &Plugin, request: &LaunchRequest) -> (u64, String) {
        let mut state = self.state();
        state.born += 1;
        let name = match request.target.opening() {
            Some(opening) => opening.name.clone(),
            None => format!("{}-{}", plugin.name(), state.born),
        };
        (state.born, name)
    }

    /// Adds a session, and removes the oldest ended ones beyond the limit.
    fn remember(&self, name: String, entry: Entry, room: Room<'_>) -> Result<(), Error> {
        let most = entry.terms.setup.limits.remembered;
        let mut state = self.state();
        if state.closing {
            // The room takes the lock again.
            drop(state);
            return Err(Error::Closing);
        }
        room.fill(&mut state);
        state.open.insert(name, entry);
        let mut ended = Vec::new();
        for (name, entry) in &state.open {
            if entry.handle.is_over() {
                ended.push((entry.number, name.clone()));
            }
        }
        ended.sort();
        let surplus = ended.len().saturating_sub(most);
        for (_, name) in ended.into_iter().take(surplus) {
            state.open.remove(&name);
        }
        self.feed().changed();
        Ok(())
    }
}

/// The plugin for a request.
pub(super) async fn choose(
    setup: &Setup,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Result<Plugin, Error> {
    let stand_ins = if setup.auto_install { StandIns::Installable } else { StandIns::Installed };
    Ok(target::choose::plugin(&setup.catalog, stand_ins, workspace, request).await?)
}

/// Ends a session, whoever has it.
async fn close(handle: Handle) {
    drop(handle.by(Door::Host).close(EndMode::Auto).await);
}

#[expect(
    clippy::disallowed_methods,
    reason = "a session lives as long as its handles, whoever holds them"
)]
fn spawn(actor: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(actor);
}
