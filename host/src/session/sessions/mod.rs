//! All sessions of this host: opens, names, finds and ends them.
//!
//! Refuses to know what a session is doing and how an adapter is chosen.

mod catalog;
mod find;
mod leave;
mod room;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tracing::{Instrument, Span};

use super::actor::{self, Actor, Birth, Identity};
use super::breakpoints::{Breakpoints, place};
use super::claim::{Claim, Door};
use super::clients::Clients;
use super::feed::{Feed, Reporter};
use super::handle::{Carried, Handle, Life};
use super::launch::order::Order;
use super::mirrored::MirrorPlace;
use super::setup::{Load, Setup};
use super::{Error, launch};
use crate::file::input::Input;
use crate::limits::Limits;
use crate::model::{LaunchRequest, SessionId};
use crate::plugin::{Catalog, Plugin, Workspace};
use crate::process::Owner;
use crate::target::{self, project, request};

pub(super) use self::catalog::choose;
use self::room::Room;

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
            uses: 0,
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
        !self.state().open.is_empty()
    }

    /// The state, without sessions whose launch was refused.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open.retain(|_, entry| !entry.handle.was_refused());
        state
    }
}

pub(super) struct State {
    /// By name: open sessions, and ended ones that are remembered.
    pub(super) open: BTreeMap<String, Entry>,
    /// Breakpoints for the next launch, set while no session was open.
    pub(super) waiting: Breakpoints,
    /// Number of sessions so far.
    born: u64,
    /// Number of uses so far, of all sessions; see [`Entry::used`].
    uses: u64,
    /// Sessions that are about to be added to `open`.
    opening: usize,
    /// Nothing more is started.
    closing: bool,
    /// Sessions that are being restarted.
    pub(super) restarting: HashSet<SessionId>,
}

impl State {
    /// A caller uses this session now.
    fn note_use(&mut self, name: &str) {
        self.uses += 1;
        if let Some(entry) = self.open.get_mut(name) {
            entry.used = self.uses;
        }
    }

    /// Names of sessions that fit, the one that was used last first.
    pub(super) fn by_use(&self, fits: impl Fn(&Entry) -> bool) -> Vec<String> {
        let mut fitting: Vec<_> = self.open.iter().filter(|(_, entry)| fits(entry)).collect();
        fitting.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.used));
        fitting.into_iter().map(|(name, _)| name.clone()).collect()
    }

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
    /// The number of its last use: sessions in this order are in the order of their use.
    used: u64,
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
        self.all.state()
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
        let workspace = Workspace::of(&request);
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
        let mut plugin_request = request::request(&request, &plugin)?;
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
            used: 0,
            begun: SystemTime::now(),
            input,
            later: None,
        };
        self.remember(name, entry, room)?;
        spawn(Actor::new(birth).run().instrument(self.all.span.clone()));
        Ok(handle)
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

    /// Adds a session, and removes ended ones beyond the limit: failed starts, then the oldest.
    fn remember(&self, name: String, entry: Entry, room: Room<'_>) -> Result<(), Error> {
        let most = entry.terms.setup.limits.remembered;
        let mut state = self.state();
        if state.closing {
            // The room takes the lock again.
            drop(state);
            return Err(Error::Closing);
        }
        room.fill(&mut state);
        state.open.insert(name.clone(), entry);
        state.note_use(&name);
        let mut ended = Vec::new();
        for (name, entry) in &state.open {
            if entry.handle.is_over() {
                ended.push((!entry.handle.has_failed(), entry.number, name.clone()));
            }
        }
        ended.sort();
        let surplus = ended.len().saturating_sub(most);
        for (.., name) in ended.into_iter().take(surplus) {
            state.open.remove(&name);
        }
        self.feed().changed();
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
