//! One caller: what its calls share, and how a tool runs for it.
//!
//! Refuses to know what a tool does and which protocol carries the call.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::call::{Call, Reply};
use super::concern::{Account, Concern, End};
use super::declared::Form;
use super::memory::Memory;
use super::progress::Progress;
use super::registry::Registered;
use super::request::Request;
use super::structured;
use crate::limits::Limits;
use crate::session::{Sessions, Shell};
use crate::view::Text;

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

/// The form of a caller's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Results {
    Text,
    /// Text, and the same as data.
    Data,
}

/// A reply for the caller.
pub(super) struct Answered {
    /// In front of a reply whose text is data.
    pub before: Option<Text>,
    pub reply: Reply,
    pub data: Option<Value>,
}

impl Caller {
    /// Runs a tool for the caller. Its errors are answers.
    pub async fn answer(
        &self,
        tool: &'static Registered,
        arguments: Map<String, Value>,
        progress: Option<Progress>,
        results: Results,
    ) -> Answered {
        let request = Request::new(&tool.declared, arguments);
        let concern = Concern::of(request.clone());
        let (mut reply, call) = self.run(tool, request, progress, concern).await;
        let mut data = match (results, tool.declared.form) {
            (Results::Text, _) => None,
            // An error in the form of another server does not fit the schema of its results: it is
            // text alone.
            (_, Form::Own(_)) if reply.is_error => None,
            _ => structured::answer(&reply, &call).await,
        };
        let end = End {
            sessions: &self.sessions,
            memory: &self.memory,
            lens: call.lens(),
            outcome: &reply.outcome,
            text: &reply.text,
        };
        let Account { note, before } = call.concern.end(end).await;
        let is_text = matches!(tool.declared.form, Form::Text);
        if let Some(note) = note.filter(|_| is_text && !reply.is_error) {
            reply.text.push(note);
        }
        let Some(mut before) = before else { return Answered { before: None, reply, data } };
        if let Some(person) = data.as_mut().and_then(|data| data.pointer_mut("/context/person")) {
            *person = before.trim_end().into();
        }
        if !is_text {
            return Answered { before: Some(before), reply, data };
        }
        before.append(reply.text);
        Answered { before: None, reply: Reply { text: before, ..reply }, data }
    }

    /// Runs a tool for a part of an answer.
    pub async fn reply(
        &self,
        tool: &'static Registered,
        arguments: Map<String, Value>,
        progress: Option<Progress>,
    ) -> Reply {
        let request = Request::new(&tool.declared, arguments);
        self.run(tool, request, progress, Concern::default()).await.0
    }

    async fn run(
        &self,
        tool: &'static Registered,
        mut request: Request,
        progress: Option<Progress>,
        concern: Concern,
    ) -> (Reply, Call) {
        request.cwd = self.sessions.cwd(request.session());
        let mut call = Call {
            sessions: self.sessions.clone(),
            workspace: self.workspace.clone(),
            limits: self.limits.clone(),
            request,
            shell: self.shell,
            progress,
            memory: self.memory.clone(),
            concern: Arc::new(concern),
        };
        let reply = tool.reply(&mut call).await;
        (reply, call)
    }
}
