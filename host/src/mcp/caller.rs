//! One caller: what its calls share, and how a tool runs for it.
//!
//! Refuses to know what a tool does and which protocol carries the call.

use std::path::PathBuf;
use std::sync::Arc;

use rmcp::model::InputRequiredResult;
use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio::time::Instant;

use super::asking::{Asking, Reaction};
use super::call::{Call, Reply};
use super::concern::{Account, Concern, End};
use super::declared::Form;
use super::memory::Memory;
use super::outcome::Outcome;
use super::progress::Progress;
use super::registry::Registered;
use super::repair;
use super::request::Request;
use super::structured;
use crate::limits::Limits;
use crate::model::Choice;
use crate::session::{Error, Sessions, Shell};
use crate::view::{ErrorText, Text};

/// What all calls of one caller share.
#[derive(Clone)]
pub(super) struct Caller {
    pub sessions: Arc<Sessions>,
    /// Relative paths of the caller start here.
    pub workspace: PathBuf,
    /// The home directory of the caller; `None`: that of this process.
    pub home: Option<PathBuf>,
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

/// The response to a call.
pub(super) enum Response {
    Answered(Box<Answered>),
    /// The client asks a person and repeats the call.
    InputRequired(Box<InputRequiredResult>),
}

/// A call of a tool, and the ways back to who made it.
#[derive(Clone)]
pub(super) struct ToolCall {
    pub tool: &'static Registered,
    pub arguments: Map<String, Value>,
    pub progress: Option<Progress>,
    pub asking: Asking,
}

/// What the runs of one call share.
#[derive(Clone, Default)]
struct Run {
    progress: Option<Progress>,
    concern: Arc<Concern>,
    asking: Asking,
    chosen: Vec<Choice>,
}

impl Caller {
    /// Runs a tool for the caller, again after each choice of a person that it lacks. Its errors
    /// are answers.
    pub async fn answer(&self, call: ToolCall, results: Results) -> Response {
        let ToolCall { tool, arguments, progress, asking } = call;
        let request = Request::new(&tool.declared, arguments);
        let concern = Arc::new(Concern::of(request.clone()));
        let mut run = Run { progress, concern, asking, chosen: Vec::new() };
        let (reply, call) = loop {
            let (reply, call) = self.run(tool, request.clone(), run.clone()).await;
            let Some(choice) = lacked(&reply, &call) else { break (reply, call) };
            match run.asking.ask(&choice).await {
                Reaction::Agreed => match self.carry_out(&choice, run.progress.clone()).await {
                    Ok(()) => run.chosen.push(choice),
                    Err(error) => break (repair::reply(error.into(), &call), call),
                },
                Reaction::Refused(why) => break (refused(reply, &why), call),
                Reaction::InputRequired(required) => return Response::InputRequired(required),
                Reaction::Unasked => break (reply, call),
            }
        };
        Response::Answered(Box::new(self.account(tool, reply, &call, results).await))
    }

    /// Carries out a choice and reports how far it is.
    async fn carry_out(&self, choice: &Choice, progress: Option<Progress>) -> Result<(), Error> {
        let (sender, mut lines) = watch::channel(String::new());
        let start = Instant::now();
        let report = async {
            while lines.changed().await.is_ok() {
                let line = Text::line(lines.borrow_and_update().clone());
                if let Some(progress) = &progress {
                    progress.send(start.elapsed(), line).await;
                }
            }
        };
        tokio::join!(self.sessions.carry_out(choice, sender), report).0
    }

    /// The answer with its data and what the caller has to know of a person's claim.
    async fn account(
        &self,
        tool: &'static Registered,
        mut reply: Reply,
        call: &Call,
        results: Results,
    ) -> Answered {
        let mut data = match (results, tool.declared.form) {
            (Results::Text, _) => None,
            // An error in the form of another server does not fit the schema of its results: it is
            // text alone.
            (_, Form::Own(_)) if reply.is_error => None,
            _ => structured::answer(&reply, call).await,
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
        let run = Run { progress, ..Run::default() };
        self.run(tool, request, run).await.0
    }

    async fn run(
        &self,
        tool: &'static Registered,
        mut request: Request,
        run: Run,
    ) -> (Reply, Call) {
        request.cwd = self.sessions.cwd(request.session());
        let Run { progress, concern, asking, chosen } = run;
        let mut call = Call {
            sessions: self.sessions.clone(),
            workspace: self.workspace.clone(),
            home: self.home.clone(),
            limits: self.limits.clone(),
            request,
            shell: self.shell,
            progress,
            memory: self.memory.clone(),
            concern,
            asking,
            chosen,
            lacks: Arc::default(),
        };
        let reply = tool.reply(&mut call).await;
        (reply, call)
    }
}

/// The choice that a call failed for.
fn lacked(reply: &Reply, call: &Call) -> Option<Choice> {
    let choice = call.lacks.get().filter(|choice| !call.chosen.contains(choice));
    choice.filter(|_| reply.is_error).cloned()
}

/// The error of a call that a person did not agree to.
fn refused(reply: Reply, why: &str) -> Reply {
    match &reply.outcome {
        Outcome::Failed(error) => {
            let cause = format!("{}; {why}", error.cause);
            Reply::error(ErrorText::new(error.code, &cause, &error.next))
        }
        _ => reply,
    }
}
