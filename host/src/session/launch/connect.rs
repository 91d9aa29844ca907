//! The way to an adapter that was started, or that listens: streams, and the wire over them.
//!
//! Knows the plan's transport. Refuses to know what is said over the wire.

use std::time::Duration;

use dapdock_schema::Children;

use crate::dap;
use crate::dap::endpoint::{self, EndpointError, Listener};
use crate::dap::family::{self, Door};
use crate::model::Names;
use crate::model::answer::RefusalKind;
use crate::model::plan::{Endpoint, LaunchPlan, Role, Transport};
use crate::plugin;
use crate::process::{Exit, Exited, Process};
use crate::session::Error;
use crate::session::adapter;
use crate::session::launch;
use crate::session::launch::order::{Order, Running};

/// Connects as the plan says, and grows the tree of an adapter that has children.
pub(crate) async fn connect(
    order: &Order,
    plan: &LaunchPlan,
    names: &Names,
    running: &mut Running,
    listener: Option<Listener>,
    limits: dap::Limits,
) -> Result<(dap::Client, dap::Inbox), Error> {
    let exited = running.adapter().map(Process::exited);
    let gone = gone(exited);
    let limit = order.limits.connect;
    let streams = match (&plan.transport, listener) {
        (Transport::Stdio, _) => {
            let streams = stdio(running)?;
            return join(order, plan, names, running, streams, limits);
        }
        (Transport::Connect(endpoint), _) => {
            let (host, port) = resolved(endpoint, names)?;
            if running.processes.is_empty() {
                // The session starts no listener there, so a single attempt decides.
                let address = format!("{host}:{port}");
                let reached = endpoint::reach(&host, port, limit).await;
                Ok(reached.map_err(|error| {
                    Error::Launch(launch::Error::Unreachable { address, cause: error.reason() })
                })?)
            } else {
                endpoint::dial(&host, port, limit, gone).await
            }
        }
        (Transport::Listen(_), Some(listener)) => listener.accept(limit, gone).await,
        (Transport::Listen(name), None) => {
            return Err(Error::Launch(launch::Error::Spawn {
                cause: format!("no port reserved for {name}"),
            }));
        }
    };
    match streams {
        Ok((read, write)) => {
            join(order, plan, names, running, (Box::new(read), Box::new(write)), limits)
        }
        Err(EndpointError::Gone { .. }) => Err(match running.adapter() {
            Some(adapter) => {
                hear_out(adapter, order.limits.close_grace).await;
                died("start", adapter)
            }
            None => Error::Adapter(adapter::Error::Died {
                during: "start".to_owned(),
                tail: String::new(),
            }),
        }),
        Err(EndpointError::Timeout { after, .. }) => Err(Error::Adapter(adapter::Error::Silent {
            command: "to the connection".to_owned(),
            after,
            limit: "limits.connect_s",
        })),
        Err(error) => Err(Error::Launch(launch::Error::Spawn { cause: error.to_string() })),
    }
}

fn stdio(running: &mut Running) -> Result<family::Streams, Error> {
    let adapter = running.processes.iter_mut().find(|(role, _)| *role == Role::Adapter);
    let pipes =
        adapter.and_then(|(_, process)| Some((process.take_stdout()?, process.take_stdin()?)));
    let (read, write) = pipes.ok_or_else(|| {
        Error::Launch(launch::Error::Spawn { cause: "the plan starts no adapter".to_owned() })
    })?;
    Ok((Box::new(read), Box::new(write)))
}

/// The wire to the adapter, through a tree where it asks for further sessions.
fn join(
    order: &Order,
    plan: &LaunchPlan,
    names: &Names,
    running: &mut Running,
    streams: family::Streams,
    limits: dap::Limits,
) -> Result<(dap::Client, dap::Inbox), Error> {
    if plan.profile.children == Children::Refused {
        return Ok(dap::connect(streams.0, streams.1, limits));
    }
    let (children, disconnect, step) =
        (order.limits.children, order.limits.disconnect / 2, order.limits.step);
    let bounds = family::Limits { children, wire: limits, disconnect, step };
    let same = match &plan.transport {
        Transport::Connect(endpoint) => Some(resolved(endpoint, names)?),
        Transport::Stdio | Transport::Listen(_) => None,
    };
    let (read, write, drive) = family::grow(streams, dialer(same, order.limits.connect), bounds);
    running.connections.push(Box::pin(drive));
    Ok(dap::connect(read, write, limits))
}

fn dialer(same: Option<(String, u16)>, limit: Duration) -> family::Dial {
    Box::new(move |door| {
        let place = match door {
            Door::Same => same.clone(),
            Door::At { host, port } => Some((host, port)),
        };
        Box::pin(async move {
            let (host, port) = place.ok_or("its configuration names no port to connect to")?;
            let streams = endpoint::dial(&host, port, limit, std::future::pending()).await;
            let (read, write) = streams.map_err(|error| error.to_string())?;
            Ok((Box::new(read) as Box<_>, Box::new(write) as Box<_>))
        })
    })
}

async fn gone(exited: Option<Exited>) {
    match exited {
        Some(exited) => drop(exited.wait().await),
        None => std::future::pending().await,
    }
}

/// Where an endpoint is.
pub(crate) fn resolved(endpoint: &Endpoint, names: &Names) -> Result<(String, u16), Error> {
    Ok((names.text(&endpoint.host).map_err(lie)?, names.port(&endpoint.port).map_err(lie)?))
}

/// What a process said last may arrive after its end; a child of it may keep the stream open for
/// ever.
async fn hear_out(process: &Process, limit: Duration) {
    let mut lines = process.stderr().lines();
    let read = async { while lines.next().await.is_some() {} };
    drop(tokio::time::timeout(limit, read).await);
}

/// The process ended, with the last of what it said.
pub(crate) fn died(during: &str, process: &Process) -> Error {
    let how = match process.exited().now() {
        Some(Exit::Code(code)) => format!("exit code {code}"),
        Some(Exit::Signal(signal)) => format!("signal {signal}"),
        None => "it closed the connection".to_owned(),
    };
    let said = [process.stderr().text(), process.stdout().text()];
    let last = said.iter().flat_map(|text| text.lines().rev()).find(|line| !line.trim().is_empty());
    let tail = last.map_or(how.clone(), |line| format!("{how}, last words: {}", line.trim()));
    Error::Adapter(adapter::Error::Died { during: during.to_owned(), tail })
}

/// A plan that names what nothing has named.
pub(crate) fn lie(error: crate::model::UnknownName) -> Error {
    Error::Plugin(plugin::Refused::Request {
        kind: RefusalKind::Internal,
        message: format!("the plan cannot be carried out: {error}"),
        hint: None,
    })
}
