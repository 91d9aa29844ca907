//! Reads one stop after a `stopped` event: threads and stack, class, frame in focus, locals,
//! watches and source, in this order.
//!
//! A flow: it sends requests and returns a [`Reading`]. Refuses to decide what the session does
//! with it: publish it, or resume without showing it.

use std::time::SystemTime;

use futures_util::future::join;

use crate::dap::arguments::{DisassembleArguments, ExceptionInfoArguments, StackTraceArguments};
use crate::dap::responses::{ExceptionInfoResponse, StackTraceResponse};
use crate::dap::{self, request, types};
use crate::model::{
    Cause, Evaluated, Frame, Note, Resume, SourceWindow, StopClass, THREADS, Thread, ThreadId,
    Variable,
};
use crate::session::adapter::quirks::{Rule, live_frames};
use crate::session::adapter::wire::Wire;
use crate::session::stop::classify::{self, classify};
use crate::session::stop::event::StopEvent;
use crate::session::stop::focus::{self, FRAMES, StoppedThread, focus, is_top_chosen};
use crate::session::stop::{cause_list, rule, source, stack, threads};
use crate::session::values::expressions::evaluate_or_find;
use crate::session::values::reader::{Changed, FrameReader};
use crate::session::values::scope::{self, Locals};

/// Everything that was read at a stop.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) class: StopClass,
    pub(crate) title: String,
    pub(crate) detail: Option<String>,
    pub(crate) first_chance: Option<bool>,
    pub(crate) types: Vec<String>,
    /// The first causes of the exception, if the adapter describes them.
    pub(crate) causes: Vec<Cause>,
    /// The line up to which code ran in the frame of the stop after the exception was raised.
    pub(crate) ran_on: Option<u32>,
    /// A rule of the adapter, or the plugin's `present.stop`, says to resume at once, in this way.
    pub(crate) resume: Option<Resume>,
    /// With [`resume`](Self::resume): the pause is requested again.
    pub(crate) repeats_pause: bool,
    pub(crate) thread: Thread,
    pub(crate) threads: usize,
    /// The first of them.
    pub(crate) thread_list: Vec<Thread>,
    /// Why the thread waits, in the words of its runtime.
    pub(crate) waits: Option<String>,
    pub(crate) frames: Vec<Frame>,
    /// Why there are no frames, in the adapter's words.
    pub(crate) stack_error: Option<String>,
    pub(crate) total_frames: Option<u32>,
    /// Index of the frame in focus.
    pub(crate) focus: usize,
    /// Index of the frame that raised the exception, if it is not in focus.
    pub(crate) origin: Option<usize>,
    pub(crate) source: SourceWindow,
    /// Why there is no source.
    pub(crate) missing_source: Option<Note>,
    /// When the running code was generated from that source, if a source map says so.
    pub(crate) generated: Option<SystemTime>,
    pub(crate) instruction: Option<String>,
    pub(crate) locals: Vec<Variable>,
    pub(crate) arguments: Option<usize>,
    /// Number of locals that are not in `locals`.
    pub(crate) more_locals: usize,
    pub(crate) locals_error: Option<String>,
    pub(crate) watches: Vec<Evaluated>,
}

/// Reads the stop. If the adapter refuses a part, or does not answer in time, the stop lacks that
/// part.
///
/// # Errors
/// The connection is closed.
pub(crate) async fn read(wire: Wire, event: StopEvent) -> Result<Reading, dap::Error> {
    let (thread, threads, stack) = threads_and_stack(&wire, event.body.thread_id).await?;
    let (stack, stack_error) = match stack {
        Ok(stack) => (stack, None),
        Err(error) => (StackTraceResponse::default(), Some(wire.quirks().message(&error))),
    };
    let rule = rule::first(&wire, &event, &stack.stack_frames).await;
    let info = exception_info(&wire, &event, rule, thread.id).await;
    let mut kind = classify(&wire, &event, rule, &stack.stack_frames, info.as_ref()).await;
    let details = info.as_ref().and_then(|info| info.details.as_ref());
    let ran_on = details.and_then(|details| details.ran_on);
    let inner = details.map(|details| details.inner_exception.clone()).unwrap_or_default();
    let causes = cause_list::at_stop(inner, wire.quirks());
    let types = exception_types(&wire, &event, thread.id, &stack.stack_frames, info).await;
    let mut stopped = StoppedThread::new(&wire, thread, stack).await;
    let pauses_any_thread = event.pause_request.is_some_and(|pause| pause.thread.is_none())
        && kind.class == StopClass::Pause;
    if pauses_any_thread
        && !stopped.is_in_user_code()
        && let Some(other) =
            focus::other_thread_in_user_code(&wire, &event.body, &stopped, &threads).await
    {
        stopped = other;
        // The plugin counted frames of the first thread.
        kind.skip = 0;
    }
    let origin = match kind.class {
        StopClass::Exception => stopped.exception_origin(&wire).await,
        _ => None,
    };
    let StoppedThread { thread, stack, frames } = stopped;
    let live = live_frames(&stack.stack_frames);
    let focus = if is_top_chosen(&event, kind.class, frames.first()) {
        0
    } else {
        focus(&frames[..live], kind.skip)
    };
    let instruction = if event.by_instruction {
        let top = stack.stack_frames.first();
        instruction(&wire, top.and_then(|top| top.instruction_pointer_reference.clone())).await
    } else {
        None
    };
    let top = frames.get(focus);
    let skips_all_frames = live > 0 && kind.skip >= live && origin.is_none();
    let reader = FrameReader::after(&event.changed, top, &wire);
    let locals = match top {
        _ if skips_all_frames => Ok(Locals::default()),
        Some(top) if event.changed != Changed::default() => {
            scope::current_locals(&reader, top).await.map_err(|error| error.to_string())
        }
        _ => scope::locals(&reader).await.map_err(|error| wire.quirks().message(&error)),
    };
    let (locals, locals_error) = match locals {
        Ok(locals) => (locals, None),
        Err(error) => (Locals::default(), Some(error)),
    };
    let waits = match (&stack.waits, frames.first()) {
        (Some(stated), _) => Some(stated.clone()),
        (None, Some(top)) => stack::waits(&wire, top).await,
        (None, None) => None,
    };
    let watches = match stack_error {
        None => evaluate_watches(&reader, &event.watches).await,
        Some(_) => Vec::new(),
    };
    let displayed = origin.map_or(top, |origin| frames.get(origin));
    let source = source::window(displayed).await;
    Ok(Reading {
        class: kind.class,
        title: wire.quirks().plain_name(&kind.title).to_owned(),
        detail: kind.detail,
        first_chance: kind.first_chance,
        types,
        causes,
        ran_on,
        resume: kind.resume,
        repeats_pause: kind.repeats_pause,
        thread,
        threads: threads.len().max(1),
        thread_list: threads.into_iter().take(THREADS).collect(),
        waits,
        missing_source: source.as_ref().err().and_then(|error| source::missing(displayed, error)),
        source: source.unwrap_or_default(),
        generated: source::generated(displayed, &event.maps).await,
        instruction,
        total_frames: stack
            .total_frames
            .and_then(|n| u32::try_from(n).ok())
            .filter(|n| *n as usize >= frames.len()),
        frames,
        stack_error,
        focus,
        origin,
        locals: locals.variables,
        arguments: locals.arguments,
        more_locals: locals.more,
        locals_error,
        watches,
    })
}

/// The stack, or the adapter's refusal.
type Stack = Result<StackTraceResponse, dap::Error>;

/// The stopped thread, all threads, and the stopped thread's stack. If the event names no thread,
/// the first one counts as stopped.
async fn threads_and_stack(
    wire: &Wire,
    thread: Option<i64>,
) -> Result<(Thread, Vec<Thread>, Stack), dap::Error> {
    let threads = wire.call::<request::Threads>(dap::NoArguments);
    let (threads, stack) = match thread {
        Some(id) => {
            let (threads, stack) = join(threads, top_frames(wire, id)).await;
            let threads = still_connected(threads)?.map(|answer| answer.threads);
            (threads.unwrap_or_default(), still_connected(stack)?)
        }
        None => match still_connected(threads.await)? {
            Ok(answer) => {
                let first = answer.threads.first().map_or(0, |thread| thread.id);
                (answer.threads, still_connected(top_frames(wire, first).await)?)
            }
            Err(error) => (Vec::new(), Err(error)),
        },
    };
    let id = ThreadId(thread.or(threads.first().map(|thread| thread.id)).unwrap_or(0));
    let threads = threads::named(wire, threads, Some(id)).await;
    let stopped = threads.iter().find(|thread| thread.id == id).cloned();
    let stopped = stopped.unwrap_or_else(|| Thread { id, name: format!("thread {}", id.0) });
    Ok((stopped, threads, stack))
}

async fn top_frames(wire: &Wire, thread_id: i64) -> Stack {
    let arguments = StackTraceArguments { thread_id, levels: Some(FRAMES), ..Default::default() };
    wire.stack(arguments).await
}

/// A closed connection ends the reading; every other failure costs one part of the stop.
fn still_connected<T>(answer: Result<T, dap::Error>) -> Result<Result<T, dap::Error>, dap::Error> {
    match answer {
        Err(error @ dap::Error::Closed { .. }) => Err(error),
        answer => Ok(answer),
    }
}

/// The instruction at a frame's address, if the adapter disassembles.
pub(super) async fn instruction(wire: &Wire, address: Option<String>) -> Option<String> {
    let arguments = DisassembleArguments {
        memory_reference: address?,
        instruction_count: 1,
        resolve_symbols: Some(true),
        ..Default::default()
    };
    let answer = wire.call::<request::Disassemble>(arguments).await.ok()?;
    let first = answer.instructions.into_iter().next()?;
    let words: Vec<&str> = first.instruction.split_whitespace().collect();
    Some(format!("{}  {}", first.address, words.join(" ")))
}

async fn exception_info(
    wire: &Wire,
    event: &StopEvent,
    rule: Option<Rule<'_>>,
    thread: ThreadId,
) -> Option<ExceptionInfoResponse> {
    let class = rule.and_then(Rule::class);
    let is_hidden = rule.is_some_and(|rule| rule.resume().is_some());
    let by_rule = matches!(class, Some(StopClass::Exception | StopClass::Panic)) && !is_hidden;
    let by_reason = event.body.reason == "exception" && class != Some(StopClass::Pause);
    if !by_reason && !by_rule {
        return None;
    }
    let arguments = ExceptionInfoArguments { thread_id: thread.0, ..Default::default() };
    wire.call::<request::ExceptionInfo>(arguments).await.ok()
}

/// Names of the exception's type and of its bases. An adapter may report the bases only with the
/// causes.
async fn exception_types(
    wire: &Wire,
    event: &StopEvent,
    thread: ThreadId,
    stack: &[types::StackFrame],
    info: Option<ExceptionInfoResponse>,
) -> Vec<String> {
    let Some(info) = info else {
        // DAP, `stopped`: the text of an exception has its name.
        let text = event.body.text.as_deref().filter(|_| event.body.reason == "exception");
        return text.and_then(classify::type_in).into_iter().collect();
    };
    let mut details = info.details.unwrap_or_default();
    if event.reads_types && details.base_types.is_empty() {
        let arguments = ExceptionInfoArguments {
            thread_id: thread.0,
            causes: Some(0),
            frame_id: stack.first().map(|top| top.id),
        };
        let answer = wire.call::<request::ExceptionInfo>(arguments).await;
        details = answer.ok().and_then(|answer| answer.details).unwrap_or(details);
    }
    let names = [details.full_type_name, details.type_name, Some(info.exception_id.clone())];
    let mut names = names.into_iter().flatten();
    let own = names.find_map(|name| classify::type_in(wire.quirks().plain_name(&name)));
    // DAP, `exceptionInfo`: with a description, the id has no message in it.
    let id = || Some(info.exception_id).filter(|id| !id.is_empty() && info.description.is_some());
    let own = own.or_else(id);
    own.into_iter().chain(details.base_types).collect()
}

/// Evaluates one expression after the other: while an evaluation runs on a thread, an adapter may
/// serve further requests for it only at its next round, a fifth of a second later.
async fn evaluate_watches(reader: &FrameReader<'_>, watches: &[String]) -> Vec<Evaluated> {
    let mut values = Vec::with_capacity(watches.len());
    for expression in watches {
        values.push(evaluate_or_find(reader, expression).await);
    }
    values
}
