//! The adapter for an address: by the process that listens there.
//!
//! Knows which programs the manifests name as servers. Does not connect.

use crate::model::{LaunchRequest, LaunchTarget};
use crate::plugin::{self, Plugin};
use crate::process::{self, Listener};
use crate::target::Error;
use crate::target::language::is_one_of;
use crate::target::request::program_of;

/// The listener at the address of a request; `None` if the target is no address.
///
/// # Errors
/// If no socket of this machine listens there.
pub(super) async fn listener(target: &LaunchTarget) -> Result<Option<Listener>, Error> {
    let LaunchTarget::Address(host, port) = target else { return Ok(None) };
    let addresses = process::loopback(host);
    if addresses.is_empty() {
        return Ok(Some(Listener::Unknown));
    }
    let port = *port;
    let found = tokio::task::spawn_blocking(move || process::listener(&addresses, port)).await;
    match found.unwrap_or(Listener::Unknown) {
        Listener::Nobody => Err(Error::NobodyListens { address: target.words() }),
        listener => Ok(Some(listener)),
    }
}

/// The only plugin that attaches to addresses and whose manifest names the listening program.
pub(super) fn plugin(
    all: Vec<Result<Plugin, plugin::Error>>,
    request: &LaunchRequest,
    listener: Listener,
) -> Result<Plugin, Error> {
    let program = match listener {
        Listener::Process(pid) => program_of(pid).ok(),
        Listener::Nobody | Listener::Unknown => None,
    };
    let (mut adapters, mut servers) = (Vec::new(), Vec::new());
    for plugin in all.into_iter().flatten().filter(|plugin| plugin.manifest().addresses) {
        adapters.push(plugin.name().to_owned());
        if let Some(program) = &program
            && is_one_of(&plugin.manifest().servers, &program.to_string_lossy())
        {
            servers.push(plugin);
        }
    }
    match (servers.len(), servers.pop()) {
        (1, Some(plugin)) => Ok(plugin),
        _ => Err(Error::AdapterNeeded { target: request.target.words(), adapters }),
    }
}
