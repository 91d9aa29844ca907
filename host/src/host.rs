//! Builds one host from its parts: limits, processes, plugins, sessions, and the callers on
//! standard input and output, by HTTP and on the local socket.
//!
//! Knows every part by its constructor. Starts no process and compiles no plugin.

mod local;
mod remote;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::io::DuplexStream;
use tokio_util::sync::CancellationToken;

use crate::config::{Config, Flags, Places};
use crate::limits::Limits;
use crate::mcp::{self, Roots};
use crate::model::ToolChoice;
use crate::plugin::{Catalog, Engine, Options};
use crate::process::Owner;
use crate::session::{Additions, Error, Sessions, Setup};
use crate::socket::Name;
use local::{Callers, Setups};
pub use remote::{Door, Opened, TokenSource, serve_http};

mod bundled {
    //! The plugins that the build embedded.
    use crate::plugin::Bundled;
    include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
}

/// Serves the caller on standard input and output until it closes them. Callers on the local socket
/// see the same sessions meanwhile.
///
/// # Errors
/// The handlers of signals cannot be installed, or `choice` names a tool that does not exist.
pub async fn serve_stdio(
    workspace: Workspace,
    flags: Flags,
    choice: &ToolChoice,
) -> io::Result<()> {
    let limits = Arc::new(Limits::default());
    let Workspace { path: workspace, is_named } = workspace;
    let surroundings = Surroundings { workspace, flags, environment: environment() };
    let configured = surroundings.own().tool_choice;
    let tools = mcp::Tools::chosen(&configured.clone().over(choice.clone()))
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let callers = callers(&limits, surroundings, configured);
    let (sessions, workspace) = (callers.sessions.clone(), callers.workspace.clone());
    let server = mcp::Server::new(sessions.clone(), workspace, limits.clone()).with_tools(tools);
    let server = if is_named { server } else { server.with_roots(Roots::configuring()) };
    let ending = CancellationToken::new();
    let serving = async {
        let served = mcp::serve(server, sessions, &limits, mcp::stdio()).await;
        ending.cancel();
        served
    };
    let (served, ()) = tokio::join!(serving, serve_local(callers, &ending));
    tracing::debug!(?served, "ended");
    served
}

/// Serves callers on the local socket of a host with agents until `ending`, and then those that
/// still wait for an answer.
async fn serve_local(callers: Arc<Callers>, ending: &CancellationToken) {
    match local::listen(Name::Agent(std::process::id())) {
        Ok(listener) => callers.serve(listener, ending).await,
        Err(error) => {
            tracing::warn!(%error, "the command line cannot reach this host");
            ending.cancelled().await;
        }
    }
}

/// Serves callers on the local socket until nobody has used it for a while. Calls `ready` once they
/// can connect.
///
/// # Errors
/// The socket cannot be made.
pub async fn serve_background(ready: impl FnOnce()) -> io::Result<()> {
    let limits = Arc::new(Limits::default());
    // Each caller has its own.
    let surroundings = Surroundings { workspace: "/".into(), ..Surroundings::default() };
    let callers = callers(&limits, surroundings, ToolChoice::default());
    let listener = local::listen(Name::Background).map_err(io::Error::other)?;
    ready();
    callers.serve_until_idle(listener).await
}

/// Serves one caller of the command line in this process until it disconnects: nothing starts.
pub fn serve_here() -> DuplexStream {
    let limits = Arc::new(Limits::default());
    let surroundings = Surroundings { workspace: "/".into(), ..Surroundings::default() };
    callers(&limits, surroundings, ToolChoice::default()).serve_here()
}

/// Where relative paths start.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// A directory.
    pub path: PathBuf,
    /// The user names it; otherwise it is the current directory, and a root of the client comes
    /// before it.
    pub is_named: bool,
}

/// What the configuration of a caller depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Surroundings {
    workspace: PathBuf,
    flags: Flags,
    environment: BTreeMap<String, String>,
}

impl Surroundings {
    fn places(&self) -> Places {
        Places::usual(&self.environment, &self.workspace, self.flags.clone())
    }

    fn config(&self, additions: &Additions) -> Result<Config, Error> {
        let mut places = Places { trusted: additions.trusted.clone(), ..self.places() };
        if let Some(project) = &additions.project {
            places.start = Some(project.clone());
        }
        Config::load(&places, bundled::BUNDLED).map_err(|error| {
            let untrusted = error.untrusted().map(|(path, key)| (path.to_owned(), key.to_owned()));
            Error::Config { message: error.to_string(), untrusted }
        })
    }

    /// The user's own configuration, empty if it has a mistake: callers read a mistake in the
    /// answer of the first call that needs a session. A project's file chooses no tools.
    fn own(&self) -> Config {
        let places = Places { start: None, ..self.places() };
        Config::load(&places, bundled::BUNDLED).unwrap_or_default()
    }
}

/// The variables that are text.
pub fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The rest of the configuration is read when the first session or question needs it. No session
/// opens if `[mcp]` differs from `started`, which chose the tools.
fn callers(limits: &Arc<Limits>, surroundings: Surroundings, started: ToolChoice) -> Arc<Callers> {
    let owner = Owner::new(limits.clone());
    let (runs, workspace) = (owner.clone(), surroundings.workspace.clone());
    let setups = Arc::<Setups>::default();
    let known = setups.clone();
    let load = move |additions: &Additions| {
        let config = surroundings.config(additions)?;
        if config.tool_choice == started {
            return Ok(known.built(&runs, &surroundings, config));
        }
        let message = "`[mcp]` is not the one that chose the tools at the start of dapdock; \
            start dapdock again";
        Err(Error::Config { message: message.to_owned(), untrusted: None })
    };
    let sessions = Sessions::new(Box::new(load), owner.clone());
    Arc::new(Callers { sessions, owner, limits: limits.clone(), workspace, setups })
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
    let workspace = workspace.to_owned();
    let surroundings = Surroundings { workspace, flags, environment: environment() };
    let config = surroundings.config(&Additions::default())?;
    Ok(build(owner, &surroundings, config, adapters))
}

/// Prepares the plugins of a configuration.
fn build(
    owner: &Owner,
    surroundings: &Surroundings,
    config: Config,
    adapters: Option<PathBuf>,
) -> Setup {
    let env = surroundings.environment.clone();
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
    Setup { catalog, limits, auto_install: config.auto_install }
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
