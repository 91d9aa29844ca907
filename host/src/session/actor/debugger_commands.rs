//! Commands of the debugger's own language: sent, then the state that they may have changed is
//! compared.
//!
//! Knows where the thread stood before and after. Refuses to know what a command does; breakpoints
//! that it sets or deletes arrive as events.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::{Actor, Done, Phase};
use crate::dap::arguments::{EvaluateArguments, StackTraceArguments};
use crate::dap::event::Stopped;
use crate::dap::types::StackFrame;
use crate::dap::{self, request};
use crate::model::{Cursor, Frame, ThreadId};
use crate::session::Error;
use crate::session::adapter;
use crate::session::adapter::commands;
use crate::session::adapter::wire::Wire;
use crate::session::handle::{CommandOutput, CommandQuery};
use crate::session::record::reply::Reply;
use crate::session::stop::stack;

/// A command that the adapter has answered.
pub(super) struct Ran {
    output: Result<String, Error>,
    standing: Standing,
    sent: Sent,
    /// `None`: its caller got an answer before.
    reply: Option<Reply<CommandOutput>>,
}

/// The moment at which a command was sent.
#[derive(Clone, Copy)]
struct Sent {
    generation: u32,
    cursor: Cursor,
}

/// Where the thread of the stop stands after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Where it stood, or not known.
    Same,
    Elsewhere,
    Running,
}

impl Actor {
    pub(super) fn run_command(&mut self, query: CommandQuery, mut reply: Reply<CommandOutput>) {
        let (wire, text, context) = match self.command(&query) {
            Ok(command) => command,
            Err(error) => return reply.send(Err(error)),
        };
        let (frame, deeper) = match self.command_frame(query.frame) {
            Ok(frame) => frame,
            Err(error) => return reply.send(Err(error)),
        };
        self.log.add(format!("command: {text}"));
        self.effects_sent = true;
        self.raw_sent = true;
        let (profile, limit) = (self.profile.clone(), query.limit);
        let thread = self.thread.filter(|_| self.current_stop.is_some());
        let sent = Sent { generation: self.generation, cursor: self.journal.end() };
        self.flows.push(Box::pin(async move {
            let since = Instant::now();
            let frame = stack::frame_at(&wire, &profile, thread, frame, deeper).await;
            let frame = match frame {
                Ok(frame) => frame,
                Err(error) => {
                    reply.send(Err(error));
                    return Done::Answered;
                }
            };
            let before = top(&wire, thread).await;
            let arguments = EvaluateArguments {
                expression: text.clone(),
                frame_id: frame.map(|frame| frame.id),
                context: Some(context),
                format: None,
            };
            // Without the plugin's hooks, which read expressions.
            let mut answer =
                wire.client().request_with_limit::<request::Evaluate>(arguments, Duration::MAX);
            let in_time = tokio::select! {
                biased;
                answer = timeout(limit, &mut answer) => answer.ok(),
                () = reply.abandoned() => None,
            };
            let (answer, reply) = match in_time {
                Some(answer) => (answer, Some(reply)),
                None => {
                    let occupied = wire.occupy(text, since);
                    reply.send(Ok(CommandOutput { output: None, news: None }));
                    let late = answer.await;
                    drop(occupied);
                    (late, None)
                }
            };
            let standing = standing(before, top(&wire, thread).await);
            let output = answer
                .map(|response| response.result)
                .map_err(|error| Error::from_dap(&error, &profile));
            Done::Ran(Box::new(Ran { output, standing, sent, reply }))
        }));
    }

    /// The connection, the text and the context of a command that may be sent now.
    fn command(&self, query: &CommandQuery) -> Result<(Wire, String, String), Error> {
        let is_up = matches!(self.phase, Phase::Running | Phase::Stopped);
        let wire = self.wire.clone().filter(|_| is_up).ok_or_else(|| self.not_ready())?;
        let Some(language) = &self.profile.commands else {
            let adapter = self.plugin.name().to_owned();
            return Err(adapter::Error::NoCommands { adapter }.into());
        };
        let text = commands::text(language, &query.command, query.shell)?;
        match wire.busy() {
            Some(busy) => Err(busy.into()),
            None => Ok((wire, text, language.context.clone())),
        }
    }

    /// The frame of a command; none while the debuggee runs.
    fn command_frame(&self, index: Option<u32>) -> Result<(Option<Frame>, Option<u32>), Error> {
        if index.is_none() && self.current_stop.is_none() {
            return Ok((None, None));
        }
        self.focus(index).map(|(_, frame, deeper)| (frame, deeper))
    }

    pub(super) fn on_command_run(&mut self, ran: Ran) {
        if ran.sent.generation == self.generation && self.current_stop.is_some() {
            match ran.standing {
                Standing::Same => {}
                Standing::Elsewhere => self.read_stop_again(),
                Standing::Running => self.leave_stop(),
            }
        }
        let has_moved = ran.sent.generation != self.generation;
        match (ran.output, ran.reply) {
            (Ok(output), Some(reply)) => reply.send(Ok(CommandOutput {
                output: Some(output),
                news: has_moved.then_some(ran.sent.cursor),
            })),
            (Err(error), Some(reply)) => reply.send(Err(error)),
            (Ok(output), None) => self.log.add(format!("late output of a command: {output}")),
            (Err(error), None) => self.log.add(format!("a command failed late: {error}")),
        }
    }

    /// The thread stands at another place than the stop, and no event has said so.
    fn read_stop_again(&mut self) {
        let stopped = Stopped {
            reason: "command".to_owned(),
            thread_id: self.thread.map(|thread| thread.0),
            all_threads_stopped: Some(!self.others_run),
            ..Stopped::default()
        };
        let raw = serde_json::to_value(&stopped).unwrap_or_default();
        self.on_stopped(stopped, raw);
    }
}

/// The innermost frame of a thread.
async fn top(
    wire: &Wire,
    thread: Option<ThreadId>,
) -> Option<Result<Option<StackFrame>, dap::Error>> {
    let arguments =
        StackTraceArguments { thread_id: thread?.0, levels: Some(1), ..Default::default() };
    let stack = wire.call::<request::StackTrace>(arguments).await;
    Some(stack.map(|stack| stack.stack_frames.into_iter().next()))
}

fn standing(
    before: Option<Result<Option<StackFrame>, dap::Error>>,
    after: Option<Result<Option<StackFrame>, dap::Error>>,
) -> Standing {
    match (before, after) {
        // Adapters refuse to read the stack of a running thread.
        (Some(Ok(Some(_))), Some(Ok(None) | Err(dap::Error::Refused { .. }))) => Standing::Running,
        (Some(Ok(Some(before))), Some(Ok(Some(after)))) if place(&before) != place(&after) => {
            Standing::Elsewhere
        }
        _ => Standing::Same,
    }
}

/// What differs between two places of a thread. Ids of frames differ between two requests.
fn place(frame: &StackFrame) -> (&str, i64, Option<&str>) {
    let instruction = frame.instruction_pointer_reference.as_deref();
    (&frame.name, frame.line, instruction)
}
