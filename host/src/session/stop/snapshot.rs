//! Reading a stop: one pass over threads, stack, scopes, locals and watches.
//!
//! A flow: it asks, decides nothing about the session, and returns what it found.

use std::sync::Arc;
use std::time::SystemTime;

use dapdock_schema::{Profile, StopRule};
use futures_util::future::join;
use serde_json::Value;

use crate::dap::arguments::{DisassembleArguments, StackTraceArguments, ThreadArguments};
use crate::dap::event::Stopped;
use crate::dap::responses::{ExceptionInfoResponse, StackTraceResponse};
use crate::dap::{self, request, types as wire};
use crate::model::{
    Effects, Evaluated, Frame, Granularity, Note, Resume, SourceWindow, Step, StepKind, StopClass,
    Thread, ThreadId, Variable, answer,
};
use crate::session::adapter::source_maps::Maps;
use crate::session::adapter::wire::Wire;
use crate::session::stop::focus::{self, FRAMES, Shown, focus, standing};
use crate::session::values::frame::Target;
use crate::session::values::{evaluate, scope};
use crate::session::{stop::stack, values::convert};

/// A pause that the caller asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pausing {
    /// Of this thread alone.
    pub(crate) thread: Option<ThreadId>,
    /// How often it was asked for again.
    pub(crate) again: u32,
}

impl Pausing {
    pub(crate) fn once_more(self) -> Self {
        Self { again: self.again + 1, ..self }
    }
}

/// What the actor knows of a stop before it is read.
#[derive(Clone, Debug)]
pub(crate) struct Pause {
    pub(crate) body: Stopped,
    /// The body as it came, for the plugin.
    pub(crate) raw: Value,
    /// The caller asked for a pause.
    pub(crate) pausing: Option<Pausing>,
    /// The caller asked to stop on entry and nothing has stopped yet.
    pub(crate) entering: bool,
    /// The end of what the debuggee printed.
    pub(crate) output: String,
    /// Expressions to tell.
    pub(crate) watches: Vec<String>,
    /// It was to be left unseen, and the adapter refused.
    pub(crate) stays: bool,
    /// The caller steps by instructions.
    pub(crate) by_instruction: bool,
    /// What sources were made into.
    pub(crate) maps: Arc<Maps>,
}

/// What was found.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) class: StopClass,
    pub(crate) title: String,
    pub(crate) detail: Option<String>,
    /// A rule of the profile says not to stop here, but to go on so.
    pub(crate) onward: Option<Resume>,
    /// And to ask for the pause again.
    pub(crate) pauses_again: bool,
    pub(crate) thread: Thread,
    pub(crate) threads: usize,
    pub(crate) waits: Option<String>,
    pub(crate) frames: Vec<Frame>,
    /// Why there are no frames, in the adapter's words.
    pub(crate) unread: Option<String>,
    pub(crate) total: Option<u32>,
    pub(crate) focus: usize,
    pub(crate) origin: Option<usize>,
    pub(crate) source: SourceWindow,
    /// Why there is no source.
    pub(crate) absent: Option<Note>,
    /// When what runs was made of that source, where that is not told of the whole program.
    pub(crate) made: Option<SystemTime>,
    pub(crate) instruction: Option<String>,
    pub(crate) locals: Vec<Variable>,
    pub(crate) locals_error: Option<String>,
    pub(crate) watches: Vec<Evaluated>,
}

/// Reads the stop. An adapter that refuses a part of it, or keeps it waiting, leaves a stop without
/// that part; it fails when the connection does.
pub(crate) async fn read(
    wire: Wire,
    profile: Arc<Profile>,
    pause: Pause,
) -> Result<Reading, dap::Error> {
    let (thread, threads, told) = threads_and_stack(&wire, pause.body.thread_id).await?;
    let (stack, unread) = match told {
        Ok(stack) => (stack, None),
        Err(error) => (StackTraceResponse::default(), Some(convert::words(&error, &profile))),
    };
    let rule = rule(&profile, &pause, &stack.stack_frames).await;
    let info = exception_info(&wire, &pause, rule, thread.id).await;
    let mut seen = judge(&wire, &pause, rule, &stack.stack_frames, info.as_ref()).await;
    let mut shown = Shown::of(&wire, &profile, thread, stack).await;
    // A pause of no thread in particular.
    let anywhere = pause.pausing.is_some_and(|pausing| pausing.thread.is_none())
        && seen.class == StopClass::Pause;
    if anywhere
        && !shown.stands_users()
        && let Some(other) = focus::elsewhere(&wire, &profile, &pause.body, &shown, &threads).await
    {
        shown = other;
        // That was said of the stack before.
        seen.skip = 0;
    }
    let origin =
        if seen.class == StopClass::Exception { shown.origin(&wire, &profile).await } else { None };
    let Shown { thread, stack, frames } = shown;
    let standing = standing(&stack.stack_frames);
    let focus = focus(&frames[..standing], seen.skip);
    let instruction = match pause.by_instruction {
        true => instruction(&wire, stack.stack_frames.first()).await,
        false => None,
    };
    let top = frames.get(focus);
    let is_nobodys = standing > 0 && seen.skip >= standing && origin.is_none();
    let target = Target::new(top, &profile, &wire);
    let locals = match is_nobodys {
        true => Ok(Vec::new()),
        false => scope::locals(&target).await,
    };
    let (locals, locals_error) = match locals {
        Ok(locals) => (locals, None),
        Err(error) => (Vec::new(), Some(convert::words(&error, &profile))),
    };
    let waits = match frames.first() {
        Some(top) => stack::waits(&wire, &profile, top).await,
        None => None,
    };
    let watches = match unread {
        None => watch(&target, &pause.watches).await,
        Some(_) => Vec::new(),
    };
    let told = origin.map_or(top, |origin| frames.get(origin));
    let source = convert::source(told).await;
    Ok(Reading {
        class: seen.class,
        title: convert::plain(&seen.title, &profile).to_owned(),
        detail: seen.detail,
        onward: seen.onward,
        pauses_again: seen.pauses_again,
        thread,
        threads: threads.len().max(1),
        waits,
        absent: source.as_ref().err().and_then(|error| absent(told, error)),
        source: source.unwrap_or_default(),
        made: made(told, &pause.maps).await,
        instruction,
        total: stack
            .total_frames
            .and_then(|n| u32::try_from(n).ok())
            .filter(|n| *n as usize >= frames.len()),
        frames,
        unread,
        focus,
        origin,
        locals,
        locals_error,
        watches,
    })
}

/// Nothing to show of the user's own source. Of what has no absolute path the adapter alone knows
/// what it is.
fn absent(frame: Option<&Frame>, error: &std::io::Error) -> Option<Note> {
    let path =
        frame.filter(|frame| frame.is_user())?.path.clone().filter(|path| path.is_absolute())?;
    let why = match error.kind() {
        std::io::ErrorKind::NotFound => "is not here".to_owned(),
        _ => format!("cannot be shown: {error}"),
    };
    Some(Note::SourceIsAbsent { path, why })
}

/// When what runs was made of the frame's source, where a map of sources tells.
async fn made(frame: Option<&Frame>, maps: &Maps) -> Option<SystemTime> {
    let path = frame?.path.as_ref()?;
    maps.settle().await;
    maps.made(path)
}

/// A stack, or why there is none.
type Told = Result<StackTraceResponse, dap::Error>;

async fn threads_and_stack(
    wire: &Wire,
    thread: Option<i64>,
) -> Result<(Thread, Vec<Thread>, Told), dap::Error> {
    let stack_of = |id| {
        let arguments =
            StackTraceArguments { thread_id: id, levels: Some(FRAMES), ..Default::default() };
        wire.stack(arguments)
    };
    let (threads, stack) = match thread {
        Some(id) => {
            let (threads, stack) =
                join(wire.call::<request::Threads>(dap::NoArguments), stack_of(id)).await;
            (
                still_connected(threads)?.map(|answer| answer.threads).unwrap_or_default(),
                still_connected(stack)?,
            )
        }
        None => match still_connected(wire.call::<request::Threads>(dap::NoArguments).await)? {
            Ok(told) => {
                let first = told.threads.first().map_or(0, |thread| thread.id);
                (told.threads, still_connected(stack_of(first).await)?)
            }
            Err(error) => (Vec::new(), Err(error)),
        },
    };
    let id = ThreadId(thread.or(threads.first().map(|thread| thread.id)).unwrap_or(0));
    let threads = stack::named(wire, threads, Some(id)).await;
    let nameless = || Thread { id, name: format!("thread {}", id.0) };
    let stopped = threads.iter().find(|thread| thread.id == id).cloned();
    Ok((stopped.unwrap_or_else(nameless), threads, stack))
}

/// The instruction that a frame stands at, with its address, where the adapter can tell.
async fn instruction(wire: &Wire, frame: Option<&wire::StackFrame>) -> Option<String> {
    let at = frame?.instruction_pointer_reference.clone()?;
    let arguments = DisassembleArguments {
        memory_reference: at,
        instruction_count: 1,
        resolve_symbols: Some(true),
        ..Default::default()
    };
    let told =
        wire.call::<request::Disassemble>(arguments).await.ok()?.instructions.into_iter().next()?;
    let words: Vec<&str> = told.instruction.split_whitespace().collect();
    Some(format!("{}  {}", told.address, words.join(" ")))
}

/// The end of the connection is the session's; every other failure is the stop's.
fn still_connected<T>(told: Result<T, dap::Error>) -> Result<Result<T, dap::Error>, dap::Error> {
    match told {
        Err(error @ dap::Error::Closed { .. }) => Err(error),
        told => Ok(told),
    }
}

async fn exception_info(
    wire: &Wire,
    pause: &Pause,
    rule: Option<&StopRule>,
    thread: ThreadId,
) -> Option<ExceptionInfoResponse> {
    let is_exception = rule.is_some_and(|rule| rule.class == "exception" && onward(rule).is_none());
    if pause.pausing.is_some() || (pause.body.reason != "exception" && !is_exception) {
        return None;
    }
    wire.call::<request::ExceptionInfo>(ThreadArguments { thread_id: thread.0 }).await.ok()
}

/// How a stop is understood.
struct Seen {
    class: StopClass,
    title: String,
    detail: Option<String>,
    skip: usize,
    onward: Option<Resume>,
    pauses_again: bool,
}

async fn judge(
    wire: &Wire,
    pause: &Pause,
    rule: Option<&StopRule>,
    top: &[wire::StackFrame],
    info: Option<&ExceptionInfoResponse>,
) -> Seen {
    let mut seen = plain(pause, info);
    if let Some(rule) = rule {
        seen.class = class_named(&rule.class).unwrap_or(seen.class);
        seen.onward = onward(rule);
        seen.pauses_again = rule.pausing && rule.resume;
        // Words for an exception that it was not.
        if matches!(
            seen.class,
            StopClass::Entry | StopClass::Breakpoint | StopClass::Step | StopClass::Pause
        ) {
            (seen.title, seen.detail) = (String::new(), None);
        }
    }
    if seen.onward.is_some() || !wire.plugin().wants_present("stop") {
        return seen;
    }
    let facts = answer::StopFacts {
        body: pause.raw.clone(),
        info: info.and_then(|info| serde_json::to_value(info).ok()),
        top: convert::frames_for_plugin(top),
        output: pause.output.clone(),
    };
    let turn = wire.turn().await;
    let view = wire.plugin().stop(&turn.view, &facts).await;
    match turn.degrade(view, None) {
        Some(view) => Seen {
            class: class_of(view.class),
            title: view.title,
            detail: view.detail,
            skip: view.skip_frames as usize,
            onward: None,
            pauses_again: false,
        },
        None => seen,
    }
}

/// Is this what a pause looks like that the host asked for?
pub(crate) fn is_pause(profile: &Profile, pause: &Pause) -> bool {
    let asked = Pause { pausing: Some(Pausing { thread: None, again: 0 }), ..pause.clone() };
    let of_body = |rule: &&StopRule| rule.function.is_none() && rule.lacks.is_none();
    let rule =
        profile.stops.iter().filter(of_body).find(|rule| applies(rule, &asked, &[], profile));
    rule.map_or(pause.body.reason == "pause", |rule| rule.class == "pause")
}

/// How a rule has it go on.
fn onward(rule: &StopRule) -> Option<Resume> {
    let out = Step { kind: StepKind::Out, granularity: Granularity::Line };
    match (rule.resume, rule.step_out) {
        (true, _) => Some(Resume::Continue),
        (false, true) => Some(Resume::Step(out)),
        (false, false) => None,
    }
}

/// The first rule of the profile that holds.
async fn rule<'a>(
    profile: &'a Profile,
    pause: &Pause,
    top: &[wire::StackFrame],
) -> Option<&'a StopRule> {
    for rule in profile.stops.iter().filter(|rule| applies(rule, pause, top, profile)) {
        let Some(text) = &rule.lacks else { return Some(rule) };
        let frame = top.first().map(|frame| convert::frame(0, frame, profile));
        let line = frame.as_ref().map_or(0, |frame| frame.line);
        let source = convert::source(frame.as_ref()).await.unwrap_or_default();
        if source.line(line).is_some_and(|line| !line.contains(text)) {
            return Some(rule);
        }
    }
    None
}

/// Does it hold, as far as the stop and its stack tell?
fn applies(rule: &StopRule, pause: &Pause, top: &[wire::StackFrame], profile: &Profile) -> bool {
    let text = [&pause.body.description, &pause.body.text];
    let in_text = |part: &String| {
        text.iter().any(|text| text.as_ref().is_some_and(|text| text.contains(part)))
    };
    rule.reason.as_ref().is_none_or(|reason| *reason == pause.body.reason)
        && rule.text.as_ref().is_none_or(in_text)
        && rule
            .function
            .as_ref()
            .is_none_or(|part| top.first().is_some_and(|frame| frame.name.contains(part)))
        && (!rule.passed_over || is_passed_over(top, profile))
        && (!rule.pausing || pause.pausing.is_some())
        && (!rule.entering || pause.entering)
}

/// Does it stand in code that the adapter passes over, and that the user's own called?
fn is_passed_over(top: &[wire::StackFrame], profile: &Profile) -> bool {
    let hint = |frame: &wire::StackFrame| {
        frame.source.as_ref().and_then(|source| source.presentation_hint.clone())
    };
    let own = |frame: &wire::StackFrame| convert::frame(0, frame, profile).is_user();
    top.first().is_some_and(|first| hint(first).as_deref() == Some("deemphasize"))
        && top[..standing(top)].iter().any(own)
}

/// The DAP specification's reading.
fn plain(pause: &Pause, info: Option<&ExceptionInfoResponse>) -> Seen {
    let body = &pause.body;
    let class = class_named(match body.reason.as_str() {
        "function breakpoint" | "data breakpoint" | "instruction breakpoint" => "breakpoint",
        reason => reason,
    });
    let mut seen = Seen {
        class: class.unwrap_or(StopClass::Other),
        title: String::new(),
        detail: None,
        skip: 0,
        onward: None,
        pauses_again: false,
    };
    match seen.class {
        StopClass::Exception => {
            let id = info.map(|info| info.exception_id.clone()).filter(|id| !id.is_empty());
            seen.title = id.or_else(|| body.text.clone()).unwrap_or_else(|| "exception".to_owned());
            seen.detail =
                info.and_then(|info| info.description.clone()).or_else(|| body.description.clone());
        }
        StopClass::Other => {
            seen.title = body.description.clone().unwrap_or_else(|| body.reason.clone());
            seen.detail = body.text.clone();
        }
        _ => {}
    }
    seen
}

fn class_named(name: &str) -> Option<StopClass> {
    Some(match name {
        "entry" => StopClass::Entry,
        "breakpoint" => StopClass::Breakpoint,
        "step" => StopClass::Step,
        "pause" => StopClass::Pause,
        "exception" => StopClass::Exception,
        "panic" => StopClass::Panic,
        "signal" => StopClass::Signal,
        "assertion" => StopClass::Assertion,
        _ => return None,
    })
}

fn class_of(class: answer::StopClass) -> StopClass {
    use answer::StopClass as Told;
    match class {
        Told::Entry => StopClass::Entry,
        Told::Breakpoint | Told::DataBreakpoint | Told::FunctionBreakpoint => StopClass::Breakpoint,
        Told::Step => StopClass::Step,
        Told::Pause => StopClass::Pause,
        Told::ExceptionCaught | Told::ExceptionUncaught => StopClass::Exception,
        Told::Panic | Told::OutOfMemory | Told::Deadlock => StopClass::Panic,
        Told::Assertion => StopClass::Assertion,
        Told::Signal => StopClass::Signal,
        Told::Goto | Told::Other => StopClass::Other,
    }
}

/// One after the other: an adapter may serve what comes for a thread while another evaluation is
/// under way there only at its next round, a fifth of a second later.
async fn watch(target: &Target<'_>, watches: &[String]) -> Vec<Evaluated> {
    let mut values = Vec::with_capacity(watches.len());
    for expression in watches {
        values.push(evaluate::evaluate_one(target, target.frame, expression, Effects::None).await);
    }
    values
}
