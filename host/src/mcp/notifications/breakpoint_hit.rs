//! The parameters of `debugger/breakpointHit`: one notification for each breakpoint that a stop
//! hit, one for a stop by an exception, one for each hit of a log breakpoint.

use serde_json::{Value, json};

use super::{Params, fields, place};
use crate::model::{Breakpoint, LogHit, Stop, StopClass};
use crate::session::Event;

/// Frames of `stackTrace` at most.
const FRAMES: usize = 50;

/// What differs between the kinds of hits.
struct Hit {
    id: Value,
    kind: &'static str,
    location: Option<Value>,
    thread: Option<i64>,
    count: Option<u32>,
    message: Option<String>,
    exception: Option<Value>,
}

/// A stop of the program. A stop for another reason is no hit. `exceptions`: what it hit of the
/// breakpoints on exceptions that have ids.
pub(super) fn blocking(
    event: &Event,
    stop: &Stop,
    hit: &[Breakpoint],
    exceptions: Vec<(String, u32)>,
) -> Vec<Params> {
    let exception = matches!(
        stop.class,
        StopClass::Exception | StopClass::Panic | StopClass::Assertion | StopClass::Signal
    );
    let mut hits: Vec<(Value, Option<u32>)> = Vec::new();
    // A compatible set of tools numbers its breakpoints on exceptions itself.
    let is_of_family =
        |one: &&Breakpoint| !exceptions.is_empty() && one.spec.place.exception().is_some();
    for breakpoint in hit.iter().filter(|one| !is_of_family(one)) {
        hits.push((breakpoint.id.0.into(), Some(breakpoint.hits)));
    }
    for (id, count) in exceptions {
        hits.push((id.into(), Some(count)));
    }
    if hits.is_empty() && exception {
        hits.push((Value::Null, None));
    }
    let mut all = Vec::new();
    for (id, count) in hits {
        all.push(params(
            event,
            Hit {
                id,
                kind: "blocking",
                location: place::of_stop(stop),
                thread: Some(stop.thread.id.0),
                count,
                message: None,
                exception: exception.then(|| info(stop)),
            },
        ));
    }
    all
}

/// A hit of a log breakpoint, which does not stop the program.
pub(super) fn tracepoint(event: &Event, hit: &LogHit, logpoint: &Breakpoint) -> Params {
    params(
        event,
        Hit {
            id: hit.id.0.into(),
            kind: "tracepoint",
            location: Some(place::of_breakpoint(logpoint)),
            thread: hit.thread_id.map(|thread| thread.0),
            count: Some(hit.number),
            message: Some(hit.text.clone()),
            exception: None,
        },
    )
}

fn params(event: &Event, hit: Hit) -> Params {
    fields(json!({
        "sessionId": event.session.0,
        "breakpointId": hit.id,
        "type": hit.kind,
        "location": hit.location,
        "threadId": hit.thread,
        "timestamp": place::timestamp(event.at),
        "hitCount": hit.count,
        "logMessage": hit.message,
        "exceptionInfo": hit.exception,
    }))
}

fn info(stop: &Stop) -> Value {
    let frames = stop.frames.iter().take(FRAMES);
    let frames = frames.map(|frame| match &frame.path {
        Some(path) => format!("{} at {}:{}", frame.name, path.display(), frame.line),
        None => frame.name.clone(),
    });
    let (ty, message) = stop.exception();
    json!({
        "type": ty,
        "message": message,
        "isFirstChance": stop.first_chance,
        "stackTrace": frames.collect::<Vec<_>>().join("\n"),
    })
}
