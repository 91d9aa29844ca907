//! The connection to an adapter.
//!
//! Knows the plan's transport. Refuses to know the messages.

use std::time::Duration;

use crate::dap;
use crate::dap::endpoint::{self, EndpointError, Listener};
use crate::dap::family::{self, ChildAddress};
use crate::model::Names;
use crate::model::plan::{Endpoint, LaunchPlan, Role, Transport};
use crate::process::{Exited, Process};
use crate::session::Error;
use crate::session::adapter;
use crate::session::adapter::quirks::Quirks;
use crate::session::launch;
use crate::session::launch::order::{Order, Resources};
use crate::session::launch::spawn::{contradiction, died_at_start};

/// Connects as the plan says; with a tree of connections for an adapter that has child sessions.
pub(crate) async fn connect(
    order: &Order,
    plan: &LaunchPlan,
    names: &Names,
    running: &mut Resources,
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
            Some(adapter) => died_at_start(adapter, order).await,
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

fn stdio(running: &mut Resources) -> Result<family::Streams, Error> {
    let adapter = running.processes.iter_mut().find(|(role, _)| *role == Role::Adapter);
    let pipes =
        adapter.and_then(|(_, process)| Some((process.take_stdout()?, process.take_stdin()?)));
    let (read, write) = pipes.ok_or_else(|| {
        Error::Launch(launch::Error::Spawn { cause: "the plan starts no adapter".to_owned() })
    })?;
    Ok((Box::new(read), Box::new(write)))
}

/// The wire to the adapter, through a tree if it may request child sessions.
fn join(
    order: &Order,
    plan: &LaunchPlan,
    names: &Names,
    running: &mut Resources,
    streams: family::Streams,
    limits: dap::Limits,
) -> Result<(dap::Client, dap::Inbox), Error> {
    if !Quirks::of(plan).has_child_sessions() {
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

/// Opens connections of child sessions; `same` is the address of the root.
fn dialer(same: Option<(String, u16)>, limit: Duration) -> family::Dial {
    Box::new(move |door| {
        let place = match door {
            ChildAddress::Same => same.clone(),
            ChildAddress::At { host, port } => Some((host, port)),
        };
        Box::pin(async move {
            let (host, port) = place.ok_or("its configuration names no port to connect to")?;
            let streams = endpoint::dial(&host, port, limit, std::future::pending()).await;
            let (read, write) = streams.map_err(|error| error.to_string())?;
            Ok((Box::new(read) as Box<_>, Box::new(write) as Box<_>))
        })
    })
}

/// Ends with the adapter.
async fn gone(exited: Option<Exited>) {
    match exited {
        Some(exited) => drop(exited.wait().await),
        None => std::future::pending().await,
    }
}

/// Host and port of an endpoint.
pub(crate) fn resolved(endpoint: &Endpoint, names: &Names) -> Result<(String, u16), Error> {
    Ok((
        names.text(&endpoint.host).map_err(contradiction)?,
        names.port(&endpoint.port).map_err(contradiction)?,
    ))
}
