//! Moves: a stop, the end, or a program that runs.

use schemars::JsonSchema;
use serde::Serialize;

use super::breakpoints::{self, Breakpoint};
use super::ended::Exit;
use super::frame::{Frame, Location, Stacks};
use super::listing::News;
use super::values::{Change, Evaluation};
use super::written;
use crate::mcp::outcome::Arrival;
use crate::model::{self, Happening, Resume, StepKind, StopClass};
use crate::view::{self, Lens};

/// Data of `debug_continue`, `debug_pause` and `debug_wait`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Movement {
    session: String,
    event: Event,
    /// null unless the event is `stopped`.
    stop: Option<Stop>,
    /// null unless the event is `exited`.
    exit: Option<Exit>,
    /// null unless the event is `running`.
    running: Option<Running>,
    /// Of all threads, after a pause.
    stacks: Option<Stacks>,
    /// The stop is at another breakpoint than those of the call.
    elsewhere: bool,
}

/// running: the time ran out.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Event {
    Stopped,
    Exited,
    Running,
}

impl Movement {
    pub fn of(arrival: &Arrival, lens: &Lens) -> Self {
        let session = arrival.session().to_string();
        let (event, stop, exit, running) = match arrival {
            Arrival::Happened(Happening::Stopped(stop)) => {
                (Event::Stopped, Some(Stop::of(stop, lens)), None, None)
            }
            Arrival::Happened(Happening::Ended(exit)) => {
                (Event::Exited, None, Some(Exit::of(exit, lens)), None)
            }
            Arrival::RanOut(running) => {
                let stacks = running.stacks.as_deref();
                (Event::Running, None, None, Some(Running::of(running, stacks, lens)))
            }
        };
        Self { session, event, stop, exit, running, stacks: None, elsewhere: false }
    }

    /// The stop of a pause, with the stacks of all threads.
    pub fn paused(arrival: &Arrival, stacks: &model::Stacks, lens: &Lens) -> Self {
        Self { stacks: Some(Stacks::of(stacks, lens)), ..Self::of(arrival, lens) }
    }

    pub fn elsewhere(self, elsewhere: bool) -> Self {
        Self { elsewhere, ..self }
    }

    /// A pause that has not stopped the program.
    pub fn unpaused(running: &model::Running, stacks: &model::Stacks, lens: &Lens) -> Self {
        Self {
            session: running.session.to_string(),
            event: Event::Running,
            stop: None,
            exit: None,
            running: Some(Running::of(running, Some(stacks), lens)),
            stacks: None,
            elsewhere: false,
        }
    }
}

/// A stop.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Stop {
    /// Number of the stop in its session.
    number: u32,
    reason: Reason,
    /// The same in words.
    words: String,
    /// Type of an exception or name of a signal.
    title: Option<String>,
    /// Message of an exception.
    detail: Option<String>,
    /// Numbers of the breakpoints hit.
    breakpoints: Vec<u32>,
    /// Why the thread waits.
    waits: Option<String>,
    /// The top of the stack, innermost first.
    frames: Vec<Frame>,
    total_frames: Option<u32>,
    source: Source,
    /// The instruction, after a step by one.
    instruction: Option<String>,
    /// Why the locals cannot be read.
    locals_error: Option<String>,
    /// Number of the stop that `changes` starts from; null: no earlier one in this call of the
    /// function.
    changed_since: Option<u32>,
    changes: Vec<Change>,
    watches: Vec<Evaluation>,
    output: News,
    /// Number of messages of log breakpoints since the previous stop.
    log_hits: usize,
    /// Since the resume.
    seconds: f64,
    /// The part of it that builds took.
    build_seconds: Option<f64>,
    notes: Vec<String>,
    /// The program is a core file.
    post_mortem: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Reason {
    Entry,
    Breakpoint,
    Step,
    Pause,
    Exception,
    Panic,
    Signal,
    Assertion,
    Other,
}

/// Lines around the place of the stop.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Source {
    /// Number of the first line.
    first: u32,
    lines: Vec<String>,
}

impl Stop {
    fn of(stop: &model::Stop, lens: &Lens) -> Self {
        let changes = stop.changes.as_ref().map(|(_, changes)| changes.as_slice());
        Self {
            number: stop.epoch.0,
            reason: reason(stop.class),
            words: view::reason(stop),
            title: Some(written::text(&stop.title)).filter(|title| !title.is_empty()),
            detail: written::optional(stop.detail.as_ref()),
            breakpoints: stop.hit.iter().map(|id| id.0).collect(),
            waits: written::optional(stop.waits.as_ref()),
            frames: stop.frames.iter().map(|frame| Frame::of(frame, lens)).collect(),
            total_frames: stop.total_frames,
            source: Source {
                first: stop.source.first,
                lines: stop.source.lines.iter().map(|line| written::text(line)).collect(),
            },
            instruction: stop.instruction.clone(),
            locals_error: written::optional(stop.locals_error.as_ref()),
            changed_since: stop.changes.as_ref().map(|(epoch, _)| epoch.0),
            changes: changes.unwrap_or_default().iter().map(Change::of).collect(),
            watches: stop.watches.iter().map(Evaluation::of).collect(),
            output: News::of(&stop.output),
            log_hits: stop.log_hits,
            seconds: written::seconds(stop.elapsed),
            build_seconds: stop.built.map(written::seconds),
            notes: stop.notes.iter().map(|note| view::note(note, lens)).collect(),
            post_mortem: stop.post_mortem,
        }
    }
}

fn reason(class: StopClass) -> Reason {
    match class {
        StopClass::Entry => Reason::Entry,
        StopClass::Breakpoint => Reason::Breakpoint,
        StopClass::Step => Reason::Step,
        StopClass::Pause => Reason::Pause,
        StopClass::Exception => Reason::Exception,
        StopClass::Panic => Reason::Panic,
        StopClass::Signal => Reason::Signal,
        StopClass::Assertion => Reason::Assertion,
        StopClass::Other => Reason::Other,
    }
}

/// A program that runs.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Running {
    /// What the session does while the program does not run.
    doing: Option<String>,
    /// Percent of one core.
    cpu_percent: Option<u32>,
    /// The place of a run to a place.
    until: Option<Breakpoint>,
    breakpoints: Vec<Breakpoint>,
    /// Stacks that were read while it runs.
    stacks: Option<Stacks>,
    output: News,
    notes: Vec<String>,
    /// Since the resume.
    seconds: f64,
    /// `since` of debug_wait.
    since: u64,
}

impl Running {
    fn of(running: &model::Running, stacks: Option<&model::Stacks>, lens: &Lens) -> Self {
        Self {
            doing: written::optional(running.doing.as_ref()),
            cpu_percent: running.cpu_percent,
            until: running.until.as_ref().map(|place| Breakpoint::of(place, lens)),
            breakpoints: breakpoints::all(&running.breakpoints, lens),
            stacks: stacks.map(|stacks| Stacks::of(stacks, lens)),
            output: News::of(&running.output),
            notes: running.notes.iter().map(|note| view::note(note, lens)).collect(),
            seconds: written::seconds(running.elapsed),
            since: running.cursor.0,
        }
    }
}

/// Data of `debug_step`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Step {
    step_type: Kind,
    /// The place before the last step.
    from: Option<Location>,
    /// The place after it; null: it has not stopped.
    to: Option<Location>,
    /// Locals that differ, if the steps stay in one call of the function.
    changed_variables: Vec<Change>,
    /// Number of steps taken.
    taken: u32,
    /// Number of steps of the call.
    requested: u32,
    #[serde(flatten)]
    movement: Movement,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Into,
    Over,
    Out,
    Back,
}

impl Step {
    pub fn of(arrival: &Arrival, step: &Resume, taken: u32, requested: u32, lens: &Lens) -> Self {
        let stop = match arrival {
            Arrival::Happened(Happening::Stopped(stop)) => Some(stop),
            _ => None,
        };
        let changes = stop.and_then(|stop| stop.changes.as_ref());
        let changes = changes.map(|(_, changes)| changes.as_slice()).unwrap_or_default();
        let to = stop.and_then(|stop| stop.frames.get(stop.focus));
        let from = stop.and_then(|stop| stop.from.as_ref());
        Self {
            step_type: kind(step),
            from: from.map(|frame| Location::of(frame, lens)),
            to: to.map(|frame| Location::of(frame, lens)),
            changed_variables: changes.iter().map(Change::of).collect(),
            taken,
            requested,
            movement: Movement::of(arrival, lens),
        }
    }
}

fn kind(step: &Resume) -> Kind {
    match step {
        Resume::Step(model::Step { kind: StepKind::Out, .. }) => Kind::Out,
        Resume::Step(model::Step { kind: StepKind::Back, .. }) => Kind::Back,
        Resume::Step(model::Step { kind: StepKind::In | StepKind::Into(_), .. })
        | Resume::Into(_) => Kind::Into,
        _ => Kind::Over,
    }
}
