//! Commands of the debugger's own language: sent, then the state that they may have changed is
//! compared.
//!
//! Knows where the thread stood before and after. Refuses to know what a command does; breakpoints
//! that it sets or deletes arrive as events.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::state::generation::Generation;
use super::{Actor, Done};
use crate::dap::arguments::{EvaluateArguments, StackTraceArguments};
use crate::dap::event::Stopped;
use crate::dap::types::StackFrame;
use crate::dap::{self, request};
use crate::model::{Cursor, Frame, ThreadId};
use crate::session::Error;
use crate::session::adapter;
use crate::session::adapter::commands;
use crate::session::adapter::wire::Wire;
use crate::session::handle::{CommandOutput, CommandQuery, OutputForm};
use crate::session::record::reply::Reply;
use crate::session::record::uncollected::{Collected, LateCommand};
use crate::session::stop::stack;

/// A command that the adapter has answered.
pub(super) struct Ran {
    output: Result<String, Error>,
    standing: Standing,
    sent: Sent,
    command: String,
    form: OutputForm,
    /// `None`: its caller got an answer before.
    reply: Option<Reply<CommandOutput>>,
}

/// The moment at which a command was sent.
#[derive(Clone, Copy)]
struct Sent {
    generation: Generation,
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
        let form = query.form;
        // The user of records selects frames by commands.
        let frame = match form {
            OutputForm::Text => self.command_frame(query.frame),
            OutputForm::Record => Ok((None, None)),
        };
        let (frame, deeper) = match frame {
            Ok(frame) => frame,
            Err(error) => return reply.send(Err(error)),
        };
        self.log.add(format!("command: {text}"));
        self.side_effects.on_raw_request();
        self.begin_command();
        let limit = query.limit;
        // A debugger with records reports each place.
        let thread = self
            .motion
            .thread()
            .filter(|_| self.stops.current().is_some() && form == OutputForm::Text);
        let sent = Sent { generation: self.motion.generation(), cursor: self.journal.end() };
        self.flows.push(Box::pin(async move {
            let since = Instant::now();
            let frame = stack::frame_at(&wire, thread, frame, deeper).await;
            let frame = match frame {
                Ok(frame) => frame,
                Err(error) => {
                    return Done::Ran(Box::new(Ran {
                        output: Err(error),
                        standing: Standing::Same,
                        sent,
                        command: text,
                        form,
                        reply: Some(reply),
                    }));
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
                    let occupied = wire.occupy(text.clone(), since);
                    reply.send(Ok(CommandOutput::default()));
                    let late = answer.await;
                    drop(occupied);
                    (late, None)
                }
            };
            let standing = standing(before, top(&wire, thread).await);
            let output = answer.map(|response| response.result).map_err(|error| wire.error(&error));
            Done::Ran(Box::new(Ran { output, standing, sent, command: text, form, reply }))
        }));
    }

    /// The connection, the text and the context of a command that may be sent now.
    fn command(&self, query: &CommandQuery) -> Result<(Wire, String, String), Error> {
        let wire = self.wire.clone().filter(|_| self.phase.is_up());
        let wire = wire.ok_or_else(|| self.not_ready())?;
        let Some(language) = self.quirks.commands() else {
            let adapter = self.plugin.name().to_owned();
            return Err(adapter::Error::NoCommands { adapter }.into());
        };
        let (text, context) = match (query.form, &language.records) {
            (OutputForm::Text, _) => {
                (commands::text(language, &query.command, query.shell)?, &language.context)
            }
            (OutputForm::Record, Some(context)) if self.opened.is_some() => {
                let is_empty = query.command.trim().is_empty();
                let text = if is_empty {
                    Ok(String::new())
                } else {
                    commands::text(language, &query.command, query.shell)
                };
                (text?, context)
            }
            (OutputForm::Record, _) => {
                return Err(
                    adapter::Error::NoRecords { session: self.identity.id.to_string() }.into()
                );
            }
        };
        match wire.busy() {
            Some(busy) => Err(busy.into()),
            None => Ok((wire, text, context.clone())),
        }
    }

    /// The frame of a command; none while the debuggee runs.
    fn command_frame(&self, index: Option<u32>) -> Result<(Option<Frame>, Option<u32>), Error> {
        if index.is_none() && self.stops.current().is_none() {
            return Ok((None, None));
        }
        self.focus(index).map(|(_, frame, deeper)| (frame, deeper))
    }

    pub(super) fn on_command_run(&mut self, ran: Ran) {
        self.end_command();
        if self.motion.is_present(ran.sent.generation) && self.stops.current().is_some() {
            match ran.standing {
                Standing::Same => {}
                Standing::Elsewhere => self.read_stop_again(),
                Standing::Running => self.leave_stop(),
            }
        }
        let has_moved = !self.motion.is_present(ran.sent.generation);
        let reply = ran.reply.filter(|reply| !reply.is_abandoned());
        if let (OutputForm::Record, None) = (ran.form, &reply) {
            let output = ran.output.map_err(|error| error.to_string());
            return self.store_late(LateCommand { command: ran.command, output });
        }
        match (ran.output, reply) {
            (Ok(output), Some(reply)) => reply.send(Ok(CommandOutput {
                collected: match ran.form {
                    OutputForm::Text => Collected::default(),
                    OutputForm::Record => self
                        .collect(LateCommand { command: ran.command, output: Ok(output.clone()) }),
                },
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
            thread_id: self.motion.thread().map(|thread| thread.0),
            all_threads_stopped: Some(!self.motion.others_run()),
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
    let stack = wire.stack(arguments).await;
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
