//! Hosts of this user: which one a command calls, and the one that starts in the background.
//!
//! Refuses to know what is called.

use std::process::ExitCode;
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt};
use serde_json::{Map, Value, json};

use super::super::{Common, print, say};
use super::calls::rewritten;
use super::exit::Failure;
use crate::limits::Limits;
use crate::mcp::{Answer, Client, ClientError, Origin, Reader};
use crate::process;
use crate::socket::{self, Connected, Directory, Name};

/// From starting a host to its first line.
const START: Duration = Duration::from_secs(10);

/// How often a host may end at the moment when it is called.
const ATTEMPTS: u32 = 3;

/// How long one connection to a host has for its handshake and its list of sessions.
const PATIENCE: Duration = Duration::from_secs(2);

/// Connections to one host at once.
const AT_ONCE: usize = 8;

/// How long a host has to end, with all its sessions.
const END: Duration = Duration::from_secs(20);

/// Where this command is typed.
pub fn origin(common: Common) -> Result<Origin, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::usage(error.to_string()))?;
    let (workspace, flags) = common.places().map_err(|error| Failure::usage(error.to_string()))?;
    let config = flags.file.map(|file| here.join(file));
    let environment = crate::host::environment();
    Ok(Origin { workspace, config, trust: flags.trust, client: None, environment })
}

/// A caller that only lists sessions: no host needs more of it.
fn listing(origin: &Origin) -> Origin {
    Origin { workspace: origin.workspace.clone(), ..Origin::default() }
}

/// A host with its own sessions, or with those of one of its clients.
#[derive(Clone, Copy)]
struct Place {
    name: Name,
    pid: Option<i32>,
    client: Option<u64>,
}

/// A host that answers.
struct Host {
    place: Place,
    /// The answer of `debug_status`.
    status: Answer,
}

/// All hosts.
#[derive(Default)]
struct Listed {
    hosts: Vec<Host>,
    /// Those that are there and do not answer.
    silent: Vec<Place>,
}

/// A session of a host.
struct Session {
    id: String,
    is_open: bool,
}

impl Host {
    fn sessions(&self) -> Vec<Session> {
        let all = self.status.data.pointer("/data/sessions").and_then(Value::as_array);
        let mut sessions = Vec::new();
        for one in all.into_iter().flatten() {
            let id = one["session"].as_str().unwrap_or_default().to_owned();
            sessions.push(Session { id, is_open: one["phase"] != "ended" });
        }
        sessions
    }
}

impl Place {
    fn title(&self) -> String {
        let title = title(self.name, self.pid);
        self.client.map_or(title.clone(), |client| format!("client {client} of {title}"))
    }

    /// `PID`, or `PID.CLIENT`.
    fn address(&self) -> String {
        let pid = self.pid.unwrap_or_default();
        self.client.map_or_else(|| pid.to_string(), |client| format!("{pid}.{client}"))
    }

    /// Whether a person who writes `PID` or `PID.CLIENT` may mean it.
    fn is_named(&self, address: &str) -> bool {
        let own = self.address();
        address == own || (self.client.is_some() && own.split('.').next() == Some(address))
    }

    /// Whether it may have what a person names by `PID` or `PID.CLIENT`: its clients are unknown
    /// while it does not answer.
    fn may_have(&self, address: &str) -> bool {
        let of_client = || address.split('.').next() == Some(&self.address());
        self.is_named(address) || (self.client.is_none() && of_client())
    }
}

impl Listed {
    /// Says which are left out.
    fn say_silent(&self) {
        for place in &self.silent {
            say(format_args!("{} does not answer; it is left out", place.title()));
        }
    }
}

fn title(name: Name, pid: Option<i32>) -> String {
    let pid = pid.map_or_else(|| "?".to_owned(), |pid| pid.to_string());
    match name {
        Name::Background => format!("the host in the background (pid {pid})"),
        Name::Agent(_) => format!("an agent's host (pid {pid})"),
    }
}

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A host: it may open a session.
    Host,
    /// A session that is there. Without one it is answered and nothing starts.
    Session,
    /// The same, of an agent rather than of this person.
    AgentSession,
    /// A session, or else a host for the next one.
    SessionOrHost,
}

/// A client of the host that a command is for, and the name of the session there. The first that
/// fits of these:
/// - the host with the session that is named: `NAME`, `PID/NAME` or `PID.CLIENT/NAME`;
/// - the only host with an open session;
/// - the host in the background, whose sessions a person has opened here; for
///   [`Needs::AgentSession`] the only host of an agent;
/// - without an open session the host in the background, started if [`Needs`] more than a session.
pub async fn client(
    origin: &Origin,
    session: Option<&str>,
    needs: Needs,
    reader: Reader,
) -> Result<(Client, Option<String>), Failure> {
    let directory = Directory::usual().map_err(failure)?;
    if needs == Needs::Host {
        let named = session.map(|name| split(name).1.to_owned());
        return Ok((background(&directory, origin, &reader).await?, named));
    }
    let (host, named) = with_session(&directory, origin, session, needs).await?;
    let place = match host {
        Some(host) => host.place,
        None if needs == Needs::SessionOrHost => {
            return Ok((background(&directory, origin, &reader).await?, named));
        }
        None => Place { name: Name::Background, pid: None, client: None },
    };
    if let Some(found) = socket::connect(&directory, place.name).await.map_err(failure)? {
        let place = Place { pid: found.pid, ..place };
        let own = Origin { client: place.client, ..origin.clone() };
        match Client::connect(found.stream, own, reader.clone()).await {
            Ok(client) => return Ok((client, named)),
            Err(ClientError::Ended) => {}
            Err(_) => return Err(unanswered(&[&place], &[])),
        }
    }
    // Answers as a host does that has no session, as one has none that ends at this moment.
    let client = Client::connect(crate::host::serve_here(), origin.clone(), reader).await;
    Ok((client.map_err(|error| Failure::host(error.to_string()))?, named))
}

/// The address of the host and the name of the session in `NAME` or `ADDRESS/NAME`.
fn split(session: &str) -> (Option<&str>, &str) {
    session.split_once('/').map_or((None, session), |(address, name)| (Some(address), name))
}

/// The host with the session that is named, or else the one with an open session that [`client`]
/// chooses; and the name of the session there.
async fn with_session(
    directory: &Directory,
    origin: &Origin,
    session: Option<&str>,
    needs: Needs,
) -> Result<(Option<Host>, Option<String>), Failure> {
    let (address, session) = match session.map(split) {
        Some((address, name)) => (address, Some(name)),
        None => (None, None),
    };
    let Listed { hosts, silent } = hosts(directory, origin).await?;
    let mut fitting = Vec::new();
    for host in hosts {
        let is_named = address.is_none_or(|address| host.place.is_named(address));
        let fits = |one: &Session| session.map_or(one.is_open, |name| one.id == name);
        let found: Vec<_> = host.sessions().into_iter().filter(fits).collect();
        if is_named && !found.is_empty() {
            fitting.push((host, found));
        }
    }
    // `PID/NAME` is also the whole name of a session of the host itself.
    let is_whole = |host: &Host| address == Some(&host.place.address());
    if fitting.iter().any(|(host, _)| is_whole(host)) {
        fitting.retain(|(host, _)| is_whole(host));
    } else {
        // One that does not answer may have the session too.
        let may_have = |place: &&Place| address.is_none_or(|address| place.may_have(address));
        let silent: Vec<_> = silent.iter().filter(may_have).collect();
        if !silent.is_empty() {
            return Err(unanswered(&silent, &fitting));
        }
    }
    if session.is_none() {
        let is_default = |(host, _): &(Host, Vec<Session>)| {
            (host.place.name == Name::Background) == (needs != Needs::AgentSession)
        };
        if fitting.iter().filter(|one| is_default(one)).count() == 1 {
            fitting.retain(is_default);
        }
    }
    if fitting.len() > 1 {
        return Err(ambiguous(&fitting));
    }
    Ok((fitting.pop().map(|(host, _)| host), session.map(str::to_owned)))
}

fn failure(error: socket::Error) -> Failure {
    Failure::host(error.to_string())
}

fn ambiguous(fitting: &[(Host, Vec<Session>)]) -> Failure {
    let mut all = Vec::new();
    for (host, name) in names(fitting) {
        all.push(format!("{name} of {}", host.place.title()));
    }
    let cause = format!("several sessions fit: {}; --session names one", all.join(", "));
    Failure::new("which-session", cause, &status_of_first(fitting).unwrap_or_default())
}

/// `fitting`: the sessions of other hosts that fit.
fn unanswered(silent: &[&Place], fitting: &[(Host, Vec<Session>)]) -> Failure {
    let titles: Vec<_> = silent.iter().map(|place| place.title()).collect();
    let verb = if silent.len() == 1 { "does" } else { "do" };
    let cause = format!("{} {verb} not answer", titles.join(" and "));
    match status_of_first(fitting) {
        Some(fix) => {
            let cause = format!("{cause}; --session PID/NAME names a session of another host");
            Failure::new("no-host", cause, &fix)
        }
        None => Failure::host(cause),
    }
}

/// The sessions with their whole names.
fn names(fitting: &[(Host, Vec<Session>)]) -> impl Iterator<Item = (&Host, String)> {
    fitting.iter().flat_map(|(host, found)| {
        let address = host.place.address();
        found.iter().map(move |one| (host, format!("{address}/{}", one.id)))
    })
}

fn status_of_first(fitting: &[(Host, Vec<Session>)]) -> Option<String> {
    let (_, first) = names(fitting).next()?;
    Some(format!("dapdock status --session {first}"))
}

/// Lists all hosts. Each has a connection of its own, and all answer at the same time.
async fn hosts(directory: &Directory, origin: &Origin) -> Result<Listed, Failure> {
    let found = socket::hosts(directory).await.map_err(failure)?;
    let answers = found.into_iter().map(|found| with_clients(directory, found, origin));
    let mut listed = Listed::default();
    for answer in join_all(answers).await.into_iter().flatten() {
        match answer {
            Ok(host) => listed.hosts.push(host),
            Err(place) => listed.silent.push(place),
        }
    }
    Ok(listed)
}

/// A host with its own sessions, and once more with those of each client that has some of its own.
/// Without sessions of its own it is there only if it has no such client. An error: it is there and
/// does not answer.
async fn with_clients(
    directory: &Directory,
    found: Connected,
    origin: &Origin,
) -> Vec<Result<Host, Place>> {
    let place = Place { name: found.name, pid: found.pid, client: None };
    let (own, clients) = match status_of(found, listing(origin)).await {
        Ok((status, clients)) => (Host { place, status }, clients),
        Err(ClientError::Ended) => return Vec::new(),
        Err(_) => return vec![Err(place)],
    };
    let others = clients.into_iter().map(|client| async move {
        let found = socket::connect(directory, place.name).await.ok().flatten()?;
        let place = Place { client: Some(client), ..place };
        let origin = Origin { client: Some(client), ..listing(origin) };
        match status_of(found, origin).await {
            Ok((status, _)) => Some(Ok(Host { place, status })),
            Err(ClientError::Ended) => None,
            Err(_) => Some(Err(place)),
        }
    });
    let others: Vec<_> = stream::iter(others).buffered(AT_ONCE).collect().await;
    let has_some =
        |one: &Result<Host, Place>| one.as_ref().map_or(true, |host| !host.sessions().is_empty());
    let others: Vec<_> = others.into_iter().flatten().filter(has_some).collect();
    let is_listed = !others.iter().any(Result::is_ok) || !own.sessions().is_empty();
    is_listed.then_some(Ok(own)).into_iter().chain(others).collect()
}

/// The sessions that a caller sees, and the clients of the host with others.
///
/// # Errors
/// The host ends at this moment, or does not answer in time.
async fn status_of(found: Connected, origin: Origin) -> Result<(Answer, Vec<u64>), ClientError> {
    let status = async {
        let client = Client::connect(found.stream, origin, Reader::none()).await?;
        let status = client.call("debug_status", Map::new()).await;
        let clients = client.clients();
        client.close().await;
        Ok((status?, clients))
    };
    tokio::time::timeout(PATIENCE, status).await.unwrap_or(Err(ClientError::Silent))
}

/// A client of the host in the background, which is started if it does not run.
async fn background(
    directory: &Directory,
    origin: &Origin,
    reader: &Reader,
) -> Result<Client, Failure> {
    for _ in 0..ATTEMPTS {
        let host = started(directory).await?;
        let client = match Client::connect(host.stream, origin.clone(), reader.clone()).await {
            Ok(client) => client,
            Err(ClientError::Ended) => continue,
            Err(error) => return Err(Failure::host(error.to_string())),
        };
        let version = client.version();
        if version.as_deref() != Some(env!("CARGO_PKG_VERSION")) {
            say(format_args!(
                "{} is of version {}; `dapdock host stop` ends it",
                title(host.name, host.pid),
                version.as_deref().unwrap_or("?")
            ));
        }
        return Ok(client);
    }
    Err(Failure::host(
        "the host in the background was started and ended before it answered, three times"
            .to_owned(),
    ))
}

async fn started(directory: &Directory) -> Result<Connected, Failure> {
    if let Some(host) = socket::connect(directory, Name::Background).await.map_err(failure)? {
        return Ok(host);
    }
    let _starting = directory.lock().map_err(failure)?;
    if let Some(host) = socket::connect(directory, Name::Background).await.map_err(failure)? {
        return Ok(host);
    }
    let impossible = |why: String| Failure::host(format!("no host can be started: {why}"));
    let program = std::env::current_exe().map_err(|error| impossible(error.to_string()))?;
    let line = process::detach(&program, &["host", "run"], START).await;
    let line = line.map_err(|error| impossible(error.to_string()))?;
    let host = socket::connect(directory, Name::Background).await.map_err(failure)?;
    let Some(host) = host else { return Err(impossible(line)) };
    let idle = Limits::default().host_idle.as_secs() / 60;
    say(format_args!(
        "started {}; `dapdock host stop` ends it, as do {idle} minutes without a session",
        title(host.name, host.pid)
    ));
    Ok(host)
}

/// `dapdock sessions`: those of all hosts.
pub async fn sessions(common: Common, is_json: bool) -> Result<(), Failure> {
    let origin = origin(common)?;
    let directory = Directory::usual().map_err(failure)?;
    let mut listed = hosts(&directory, &origin).await?;
    listed.say_silent();
    if is_json {
        let listed = listed.hosts.iter_mut().map(|Host { place, status }| {
            let sessions = status.data.pointer_mut("/data/sessions").map(Value::take);
            json!({"pid": place.pid, "client": place.client, "sessions": sessions})
        });
        print(json!({"ok": true, "data": {"hosts": listed.collect::<Vec<_>>()}}));
        return Ok(());
    }
    match described(&listed.hosts).as_str() {
        "" => print("no session: no host runs\nnext: dapdock launch PROGRAM"),
        text => print(text),
    }
    Ok(())
}

/// The values that an argument may take now, in the host with the session: the one that is named,
/// or the only one that is open. For `session` those of all hosts.
pub async fn values(
    origin: &Origin,
    argument: &str,
    typed: &str,
    session: Option<&str>,
) -> Vec<String> {
    let Ok(directory) = Directory::usual() else { return Vec::new() };
    if argument == "session" {
        return distinct(&hosts(&directory, origin).await.unwrap_or_default().hosts);
    }
    let (name, client, named) =
        match with_session(&directory, origin, session, Needs::Session).await {
            Ok((Some(host), named)) => (host.place.name, host.place.client, named),
            // Files are known without a session.
            _ => (Name::Background, None, None),
        };
    let Ok(Some(found)) = socket::connect(&directory, name).await else { return Vec::new() };
    let origin = Origin { client, ..origin.clone() };
    let Ok(client) = Client::connect(found.stream, origin, Reader::none()).await else {
        return Vec::new();
    };
    let values = client.values(argument, typed, named.as_deref());
    let values = tokio::time::timeout(PATIENCE, values).await.unwrap_or_default();
    client.close().await;
    values
}

/// The open sessions, by their whole names where several have the same one.
fn distinct(hosts: &[Host]) -> Vec<String> {
    let mut open = Vec::new();
    for host in hosts {
        for session in host.sessions().into_iter().filter(|session| session.is_open) {
            open.push((host.place.address(), session.id));
        }
    }
    let count = |id: &str| open.iter().filter(|(_, other)| other == id).count();
    let name = |(address, id): &(String, String)| {
        if count(id) == 1 { id.clone() } else { format!("{address}/{id}") }
    };
    open.iter().map(name).collect()
}

/// The hosts and their sessions as text, empty without a host.
pub async fn listed(common: Common) -> Result<String, Failure> {
    let origin = origin(common)?;
    let directory = Directory::usual().map_err(failure)?;
    let listed = hosts(&directory, &origin).await?;
    listed.say_silent();
    Ok(described(&listed.hosts))
}

fn described(hosts: &[Host]) -> String {
    let each = hosts.iter();
    let texts =
        each.map(|host| format!("{}\n{}", host.place.title(), rewritten(&host.status.text)));
    texts.collect::<Vec<_>>().join("\n")
}

/// `dapdock host`.
#[derive(Clone, Copy, Debug, clap::Subcommand)]
pub enum HostCommand {
    /// Ends the host in the background with its sessions.
    Stop,
    /// The host in the background and its sessions.
    Status,
    /// The end of dapdock's log.
    Log,
    /// Serves the command line; started by the other commands.
    #[command(hide = true)]
    Run,
}

/// Runs `dapdock host stop` or `dapdock host status`.
pub async fn host(command: HostCommand) -> Result<(), Failure> {
    let directory = Directory::usual().map_err(failure)?;
    let found = socket::connect(&directory, Name::Background).await.map_err(failure)?;
    let Some(host) = found else {
        print("no host runs in the background; a command that needs one starts it");
        return Ok(());
    };
    match command {
        HostCommand::Stop => stop(host).await,
        _ => status(host).await,
    }
}

/// Ends the host; returns when it has ended its sessions.
async fn stop(host: Connected) -> Result<(), Failure> {
    let pid = host.pid.and_then(|pid| u32::try_from(pid).ok());
    let ends = pid.filter(|pid| process::terminate(*pid));
    let Some(pid) = ends else {
        return Err(Failure::host(format!("{} cannot be ended", title(host.name, host.pid))));
    };
    if tokio::time::timeout(END, process::ended(pid)).await.is_err() {
        let text = format!("the host with pid {pid} has not ended in {} s", END.as_secs());
        return Err(Failure::host(text));
    }
    print(format_args!("ended the host with pid {pid}"));
    Ok(())
}

async fn status(host: Connected) -> Result<(), Failure> {
    let (name, pid) = (host.name, host.pid);
    let origin = origin(Common::default())?;
    let (status, _) = status_of(host, listing(&origin))
        .await
        .map_err(|_| Failure::host(format!("{} does not answer", title(name, pid))))?;
    print(format_args!("{}\n{}", title(name, pid), rewritten(&status.text)));
    Ok(())
}

/// `dapdock host log`.
pub fn log(lines: usize) -> ExitCode {
    let path = crate::log::state_directory().map(|directory| directory.join("dapdock.log"));
    let text = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
    let (Some(path), Some(text)) = (path, text) else {
        print("no log yet");
        return ExitCode::SUCCESS;
    };
    let all: Vec<_> = text.lines().collect();
    print(format_args!("{}", path.display()));
    for line in &all[all.len().saturating_sub(lines)..] {
        print(line);
    }
    ExitCode::SUCCESS
}
