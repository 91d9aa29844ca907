//! What every plugin uses: `use dapdock_plugin::prelude::*`. The types of an optional interface
//! stay in its module: `use dapdock_plugin::hooks::*`.

pub use crate::adapter::{
    Adapter, Asset, BuildPlan, BuildResult, BuildStep, Command, DebugRequest, Detection, Endpoint,
    EnvVar, Error, ErrorKind, Executable, FileKind, LaunchPlan, LogLevel, Piece, Port, Process,
    RequestKind, Resolution, Role, Session, Target, TargetKind, TargetQuery, TargetRef, Transport,
    Workspace, host,
};
pub use crate::dap::{self, EventBody as _, Request as _};
pub use crate::hooks::Hooks;
pub use crate::present::Present;
pub use crate::schema::{self, Manifest, Profile};
pub use crate::translate::Translate;
pub use serde::{Deserialize, Serialize};
pub use serde_json::{self, Value, json};
