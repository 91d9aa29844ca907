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
use crate::model::ToolChoice;
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
/// The handlers of signals cannot be installed, or `choice` names a tool that does not exist.
pub async fn serve_stdio(workspace: PathBuf, flags: Flags, choice: &ToolChoice) -> io::Result<()> {
    let limits = Arc::new(Limits::default());
    let configured = tool_choice(&workspace, flags.clone());
    let tools = mcp::Tools::chosen(&configured.clone().over(choice.clone()))
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let sessions = sessions(&limits, workspace.clone(), flags, configured);
    let server = mcp::Server::new(sessions.clone(), workspace, limits.clone()).with_tools(tools);
    let served = mcp::serve(server, sessions, &limits, mcp::stdio()).await;
    tracing::debug!(?served, "ended");
    served
}

/// `[mcp]` of the configuration, empty if the configuration has a mistake: callers read a mistake
/// in the answer of the first call that needs a session.
fn tool_choice(workspace: &Path, flags: Flags) -> ToolChoice {
    let places = Places::usual(&environment(), workspace, flags);
    Config::load(&places, bundled::BUNDLED).unwrap_or_default().tool_choice
}

/// The variables that are text.
fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The rest of the configuration is read when the first session or question needs it. No session
/// opens if `[mcp]` differs from `started`, which chose the tools.
fn sessions(
    limits: &Arc<Limits>,
    workspace: PathBuf,
    flags: Flags,
    started: ToolChoice,
) -> Arc<Sessions> {
    let owner = Owner::new(limits.clone());
    let runs = owner.clone();
    let load = move || {
        let setup = setup(&runs, &workspace, flags.clone(), None)?;
        if tool_choice(&workspace, flags.clone()) == started {
            return Ok(setup);
        }
        let message = "`[mcp]` is not the one that chose the tools at the start of dapdock; \
            start dapdock again";
        Err(Error::Config { message: message.to_owned() })
    };
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
    let env = environment();
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
