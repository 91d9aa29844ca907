//! Hosts of this user: which one a command calls, and the one that starts in the background.
//!
//! Refuses to know what is called.

use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::super::{Common, print, say};
use super::calls::rewritten;
use crate::mcp::{Client, Origin, Report};
use crate::process;
use crate::socket::{self, Connected, Directory, Name};

/// From starting a host to its first line.
const START: Duration = Duration::from_secs(10);

/// How often a host may end at the moment when it is called.
const ATTEMPTS: u32 = 3;

/// Where this command is typed.
pub fn origin(common: Common) -> Result<Origin, String> {
    let (workspace, flags) = common.places().map_err(|error| error.to_string())?;
    let config = flags.file.map(|file| workspace.join(file));
    let environment = crate::host::environment();
    Ok(Origin { workspace, config, trust: flags.trust, environment })
}

/// A host with its client.
struct Host {
    name: Name,
    pid: Option<i32>,
    client: Client,
}

/// A session of a host.
struct Session {
    id: String,
    is_open: bool,
}

/// A client of the host that a command is for: the one with the session that it names, or else the
/// only one with an open session, or else the one in the background.
pub async fn client(
    origin: &Origin,
    session: Option<&str>,
    needs_session: bool,
    report: Report,
) -> Result<Client, String> {
    let directory = Directory::usual().map_err(|error| error.to_string())?;
    if needs_session {
        let mut fitting = Vec::new();
        let mut hosts = connected(&directory, origin, &report).await?;
        // The only host answers for itself.
        if hosts.len() == 1 {
            return Ok(hosts.remove(0).client);
        }
        for host in hosts {
            let sessions = sessions_of(&host.client).await?;
            let fits = |one: &&Session| match session {
                Some(name) => one.id == name,
                None => one.is_open,
            };
            let found: Vec<_> = sessions.iter().filter(fits).map(|one| one.id.clone()).collect();
            if !found.is_empty() {
                fitting.push((host, found));
            }
        }
        if fitting.len() > 1 {
            return Err(ambiguous(&fitting));
        }
        if let Some((host, _)) = fitting.pop() {
            return Ok(host.client);
        }
    }
    background(&directory, origin, &report).await
}

fn ambiguous(fitting: &[(Host, Vec<String>)]) -> String {
    let of = |(host, found): &(Host, Vec<String>)| {
        format!("{} of {}", found.join(", "), title(host.name, host.pid))
    };
    let all: Vec<_> = fitting.iter().map(of).collect();
    format!("several hosts have such a session: {}; name one with --session", all.join("; "))
}

fn title(name: Name, pid: Option<i32>) -> String {
    let pid = pid.map_or_else(|| "?".to_owned(), |pid| pid.to_string());
    match name {
        Name::Background => format!("the host in the background (pid {pid})"),
        Name::Agent(_) => format!("an agent's host (pid {pid})"),
    }
}

async fn connected(
    directory: &Directory,
    origin: &Origin,
    report: &Report,
) -> Result<Vec<Host>, String> {
    let found = socket::hosts(directory).await.map_err(|error| error.to_string())?;
    let mut hosts = Vec::new();
    for Connected { name, pid, stream } in found {
        // One that ends at this moment has no session.
        if let Ok(client) = Client::connect(stream, origin.clone(), report.clone()).await {
            hosts.push(Host { name, pid, client });
        }
    }
    Ok(hosts)
}

async fn sessions_of(client: &Client) -> Result<Vec<Session>, String> {
    let status = client.call("debug_status", Map::new()).await;
    let status = status.map_err(|error| error.to_string())?;
    let mut sessions = Vec::new();
    for one in status.data.pointer("/data/sessions").and_then(Value::as_array).into_iter().flatten()
    {
        let id = one["session"].as_str().unwrap_or_default().to_owned();
        sessions.push(Session { id, is_open: one["phase"] != "ended" });
    }
    Ok(sessions)
}

/// A client of the host in the background, which is started if it does not run.
async fn background(
    directory: &Directory,
    origin: &Origin,
    report: &Report,
) -> Result<Client, String> {
    for _ in 0..ATTEMPTS {
        let host = started(directory).await?;
        if let Ok(client) = Client::connect(host.stream, origin.clone(), report.clone()).await {
            return Ok(client);
        }
    }
    Err("the host in the background ends as soon as it is called".to_owned())
}

async fn started(directory: &Directory) -> Result<Connected, String> {
    let text = |error: socket::Error| error.to_string();
    if let Some(host) = socket::connect(directory, Name::Background).await.map_err(text)? {
        return Ok(host);
    }
    let _starting = directory.lock().map_err(text)?;
    if let Some(host) = socket::connect(directory, Name::Background).await.map_err(text)? {
        return Ok(host);
    }
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let line = process::detach(&program, &["host", "run"], START).await;
    let line = line.map_err(|error| format!("no host can be started: {error}"))?;
    let host = socket::connect(directory, Name::Background).await.map_err(text)?;
    let Some(host) = host else { return Err(format!("no host can be started: {line}")) };
    say(format_args!(
        "started {}; `dapdock host stop` ends it, as do 10 minutes without a session",
        title(host.name, host.pid)
    ));
    Ok(host)
}

/// `dapdock sessions`: those of all hosts.
pub async fn sessions(common: Common, is_json: bool) -> Result<(), String> {
    let origin = origin(common)?;
    let directory = Directory::usual().map_err(|error| error.to_string())?;
    let hosts = connected(&directory, &origin, &super::report()).await?;
    let mut listed = Vec::new();
    for host in &hosts {
        let status = host.client.call("debug_status", Map::new()).await;
        let status = status.map_err(|error| error.to_string())?;
        if is_json {
            let sessions = status.data.pointer("/data/sessions").cloned().unwrap_or_default();
            listed.push(json!({"pid": host.pid, "sessions": sessions}));
        } else {
            print(format_args!("{}\n{}", title(host.name, host.pid), rewritten(&status.text)));
        }
    }
    match (is_json, hosts.is_empty()) {
        (true, _) => print(json!({"ok": true, "data": {"hosts": listed}})),
        (false, true) => print("no session: no host runs\nnext: dapdock launch PROGRAM"),
        (false, false) => {}
    }
    Ok(())
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
pub async fn host(command: HostCommand) -> Result<(), String> {
    let directory = Directory::usual().map_err(|error| error.to_string())?;
    let found = socket::connect(&directory, Name::Background).await;
    let Some(host) = found.map_err(|error| error.to_string())? else {
        print("no host runs in the background; a command that needs one starts it");
        return Ok(());
    };
    match command {
        HostCommand::Stop => stop(host).await,
        _ => status(host).await,
    }
}

/// Ends the host; returns when it has ended its sessions.
async fn stop(host: Connected) -> Result<(), String> {
    let pid = host.pid.and_then(|pid| u32::try_from(pid).ok());
    let pid = pid.ok_or("the host's process is unknown")?;
    if !process::terminate(pid) {
        return Err(format!("the process {pid} cannot be ended"));
    }
    let mut stream = host.stream;
    // The connection closes with the process.
    let mut rest = Vec::new();
    drop(tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut rest).await);
    print(format_args!("ended the host with pid {pid}"));
    Ok(())
}

async fn status(host: Connected) -> Result<(), String> {
    let (name, pid) = (host.name, host.pid);
    let origin = Origin { workspace: "/".into(), ..Origin::default() };
    let client = Client::connect(host.stream, origin, super::report()).await;
    let client = client.map_err(|error| error.to_string())?;
    let answer =
        client.call("debug_status", Map::new()).await.map_err(|error| error.to_string())?;
    print(format_args!("{}\n{}", title(name, pid), rewritten(&answer.text)));
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
