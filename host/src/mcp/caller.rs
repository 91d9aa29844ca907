//! One caller: what its calls share, and how a tool runs for it.
//!
//! Refuses to know what a tool does and which protocol carries the call.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::call::{Call, Reply};
use super::declared::Form;
use super::memory::Memory;
use super::progress::Progress;
use super::registry::Registered;
use super::request::Request;
use super::structured;
use crate::limits::Limits;
use crate::session::{Sessions, Shell};

/// What all calls of one caller share.
#[derive(Clone)]
pub(super) struct Caller {
    pub sessions: Arc<Sessions>,
    /// Relative paths of the caller start here.
    pub workspace: PathBuf,
    pub limits: Arc<Limits>,
    /// Whether commands of the debugger may leave it.
    pub shell: Shell,
    pub memory: Arc<Memory>,
}

impl Caller {
    /// Runs a tool. Its errors are answers.
    pub async fn reply(
        &self,
        tool: &'static Registered,
        arguments: Map<String, Value>,
        progress: Option<Progress>,
    ) -> Reply {
        self.run(tool, arguments, progress).await.0
    }

    /// The same, with the reply as data.
    pub async fn reply_with_data(
        &self,
        tool: &'static Registered,
        arguments: Map<String, Value>,
        progress: Option<Progress>,
    ) -> (Reply, Option<Value>) {
        let (reply, call) = self.run(tool, arguments, progress).await;
        let data = match tool.declared.form {
            // An error in the form of another server does not fit the schema of its results: it is
            // text alone.
            Form::Own(_) if reply.is_error => None,
            _ => structured::answer(&reply, &call).await,
        };
        (reply, data)
    }

    async fn run(
        &self,
        tool: &'static Registered,
        arguments: Map<String, Value>,
        progress: Option<Progress>,
    ) -> (Reply, Call) {
        let mut request = Request::new(&tool.declared, arguments);
        request.cwd = self.sessions.cwd(request.session());
        let mut call = Call {
            sessions: self.sessions.clone(),
            workspace: self.workspace.clone(),
            limits: self.limits.clone(),
            request,
            shell: self.shell,
            progress,
            memory: self.memory.clone(),
        };
        let reply = tool.reply(&mut call).await;
        (reply, call)
    }
}
