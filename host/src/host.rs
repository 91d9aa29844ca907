//! Builds one host from its parts: limits, processes, plugins, sessions, and the caller on standard
//! input and output.
//!
//! Knows every part by its constructor. Starts no process and compiles no plugin.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{Config, Flags, Places};
use crate::limits::Limits;
use crate::mcp;
use crate::plugin::{Catalog, Engine, Options};
use crate::process::Owner;
use crate::session::{Error, Sessions, Setup};

mod bundled {
    //! The plugins that the build embedded.
    use crate::plugin::Bundled;
    include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
}

/// Serves the caller on standard input and output until it closes them.
///
/// # Errors
/// The handlers of signals cannot be installed.
pub async fn serve_stdio(workspace: PathBuf, flags: Flags) -> io::Result<()> {
    let limits = Arc::new(Limits::default());
    let sessions = sessions(&limits, workspace.clone(), flags);
    let server = mcp::Server::new(sessions.clone(), workspace, limits.clone());
    let served = mcp::serve(server, sessions, &limits, mcp::stdio()).await;
    tracing::debug!(?served, "ended");
    served
}

/// The configuration is read when the first session or question needs it.
fn sessions(limits: &Arc<Limits>, workspace: PathBuf, flags: Flags) -> Arc<Sessions> {
    let owner = Owner::new(limits.clone());
    let runs = owner.clone();
    let load = move || setup(&runs, &workspace, flags.clone(), None);
    Sessions::new(Box::new(load), owner)
}

/// Reads the configuration. `adapters` is the directory of installs; the default is in the user's
/// data directory.
///
/// # Errors
/// A mistake in a file of the configuration.
pub fn setup(
    owner: &Owner,
    workspace: &Path,
    flags: Flags,
    adapters: Option<PathBuf>,
) -> Result<Setup, Error> {
    let env: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let places = Places::usual(&env, workspace, flags);
    let config = Config::load(&places, bundled::BUNDLED)
        .map_err(|error| Error::Config { message: error.to_string() })?;
    let mut limits = Limits::default();
    config.limits.iter().for_each(|(key, number)| limits.set(key, *number));
    let limits = Arc::new(limits);
    let (cache, adapters) =
        (Options::cache_dir(&env), adapters.or_else(|| Options::adapters_dir(&env)));
    let options = Options {
        cache,
        limits: limits.clone(),
        owner: owner.clone(),
        env,
        tools: config.tools,
        adapters,
    };
    let catalog = Catalog::new(Engine::new(options), config.adapters);
    Ok(Setup { catalog, limits, auto_install: config.auto_install })
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::bundled::BUNDLED;

    #[test]
    fn digests_of_bundled_plugins_are_those_of_their_bytes() {
        assert!(
            BUNDLED
                .iter()
                .all(|plugin| plugin.sha256 == format!("{:x}", Sha256::digest(plugin.wasm)))
        );
    }
}
