//! Puts one host together: limits, processes, plugins, sessions, and the caller on standard input and output.
//!
//! Knows every part and what none of them does. Nothing here starts a process, compiles a plugin or opens a file.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::limits::Limits;
use crate::mcp;
use crate::plugin::{Adapter, Catalog, Engine, Options, Source};
use crate::process::Owner;
use crate::session::Sessions;

mod bundled {
    //! The plugins that the build embedded.
    include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
}

/// Serves the caller on standard input and output until it goes.
///
/// # Errors
/// The signals cannot be listened to.
pub async fn serve_stdio(workspace: PathBuf) -> io::Result<()> {
    let limits = Arc::new(Limits::default());
    let sessions = sessions(&limits);
    let server = mcp::Server::new(sessions.clone(), workspace, limits.clone());
    let served = mcp::serve(server, sessions, &limits, mcp::stdio()).await;
    tracing::debug!(?served, "ended");
    served
}

fn sessions(limits: &Arc<Limits>) -> Arc<Sessions> {
    let owner = Owner::new(limits.clone());
    let env: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let cache = Options::cache_dir(&env);
    let options = Options { cache, limits: limits.clone(), owner: owner.clone(), env, tools: BTreeMap::new() };
    let catalog = Catalog::new(Engine::new(options), adapters());
    Sessions::new(catalog, owner, limits.clone())
}

/// The bundled plugins, each under its own name.
fn adapters() -> BTreeMap<String, Adapter> {
    let adapter =
        |bytes| Adapter { source: Source::Bundled(bytes), languages: Vec::new(), settings: serde_json::json!({}) };
    bundled::BUNDLED.iter().map(|(name, bytes)| ((*name).to_owned(), adapter(bytes))).collect()
}
