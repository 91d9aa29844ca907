//! The SDK for plugins: the types of the interface, a trait for each of its interfaces with
//! defaults for what a plugin can leave out, and [`export!`], which makes a component of them.
//!
//! ```
//! use dapdock_plugin::prelude::*;
//!
//! struct Echo;
//!
//! impl Adapter for Echo {
//!     fn manifest() -> Manifest {
//!         Manifest { name: "echo".into(), ..Manifest::default() }
//!     }
//!
//!     fn resolve(project: &Workspace, _request: DebugRequest) -> Result<Resolution, Error> {
//!         let adapter = project.find_executable("echo-dap")?;
//!         Ok(LaunchPlan::stdio(Command::new(adapter), json!({"type": "echo"})).into())
//!     }
//! }
//!
//! dapdock_plugin::export!(Echo);
//! # fn main() {}
//! ```
//!
//! Optional interfaces are named after a colon: `export!(Echo: hooks, present)`. Knows no language,
//! no adapter, and nothing of the host beyond `wit/`: a plugin returns what it wants done as data.
//! Plugins store nothing between calls, since each call runs in an instance of its own; only
//! `output` events in a row may share one.

pub mod adapter;
mod answers;
#[doc(hidden)]
pub mod bindings;
mod export;
pub mod files;
pub mod hooks;
pub mod path;
pub mod prelude;
pub mod present;
mod state;
pub mod test_names;
pub mod translate;

pub use adapter::Adapter;
pub use dapdock_schema::{self as schema, dap};
pub use hooks::Hooks;
pub use present::Present;
pub use serde;
pub use serde_json;
pub use translate::Translate;
