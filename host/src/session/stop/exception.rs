//! Reads the exception at a stop: the exception and its causes, the frames with source and values,
//! and after a signal the instruction.
//!
//! A flow: it sends requests and changes nothing. Reads memory and what the adapter reports;
//! refuses to call code of the program.

use std::collections::HashSet;
use std::sync::Arc;

use crate::dap::arguments::ExceptionInfoArguments;
use crate::dap::responses::ExceptionInfoResponse;
use crate::dap::{self, request};
use crate::model::{
    Exception, ExceptionFrame, ExceptionQuery, Frame, OutputLine, Stop, StopClass, Variable,
};
use crate::session::Error;
use crate::session::adapter::wire::Wire;
use crate::session::stop::{
    cause_list, cause_values, classify, parameters, snapshot, source, stack,
};
use crate::session::values::reader::FrameReader;
use crate::session::values::{children, scope};

/// Frames that are read to find the user's.
const READ: u32 = 64;

/// Registers that are named next to an instruction.
const REGISTERS: usize = 4;

/// Reads the exception. If the adapter refuses a part, the answer lacks that part.
///
/// # Errors
/// The connection is closed.
pub(crate) async fn read(
    reader: FrameReader<'_>,
    stop: Arc<Stop>,
    query: ExceptionQuery,
    output: Vec<OutputLine>,
) -> Result<Exception, dap::Error> {
    let wire = reader.wire;
    let searched = READ.max(query.frames.saturating_mul(2));
    let page = stack::frame_page(wire, stop.thread.id, 0..searched, 1).await;
    let (page, stack_error) = match page {
        Ok(page) => (page, None),
        Err(error @ dap::Error::Closed { .. }) => return Err(error),
        Err(error) => (stack::FramePage::default(), Some(wire.quirks().message(&error))),
    };
    let top = page.frames.first();
    let info = info(wire, &stop, top, query.causes).await.unwrap_or_default();
    let first_chance = stop.first_chance.or_else(|| classify::first_chance(&info));
    let mut details = info.details.unwrap_or_default();
    if details.inner_exception.is_empty() {
        let reader = FrameReader { frame: top, ..reader };
        if let Some(found) = cause_values::read(&reader, &page.frames, query.causes + 1).await {
            details.type_name = found.type_name;
            details.message = found.message.or(details.message);
            details.inner_exception = found.inner_exception;
        }
    }
    let mut causes = Vec::new();
    let more_causes = !cause_list::add(
        &mut causes,
        details.inner_exception,
        1,
        query.causes as usize,
        wire.quirks(),
    );
    let (instruction, registers) = match top {
        Some(top) if stop.class == StopClass::Signal && top.is_user() => {
            instruction(&FrameReader { frame: Some(top), ..reader }, top).await
        }
        _ => (None, Vec::new()),
    };
    let listed = listed(&page.frames, query.frames as usize);
    let frames = with_values(reader, &page.frames[..listed], query.locals_for).await;
    Ok(Exception {
        first_chance,
        ty: details.full_type_name.or(details.type_name).filter(|ty| !ty.is_empty()),
        message: details
            .message
            .or(info.description)
            .or_else(|| stop.exception().1)
            .filter(|words| !words.is_empty()),
        trace: details.stack_trace,
        causes,
        more_causes,
        instruction,
        registers,
        frames,
        total_frames: page.total.filter(|total| *total as usize >= page.frames.len()),
        more_frames: page.more || listed < page.frames.len(),
        stack_error,
        output,
        stop,
    })
}

/// The adapter's description with causes; without them if it refuses the additional arguments.
async fn info(
    wire: &Wire,
    stop: &Stop,
    top: Option<&Frame>,
    causes: u32,
) -> Option<ExceptionInfoResponse> {
    let thread_id = stop.thread.id.0;
    let arguments = ExceptionInfoArguments {
        thread_id,
        // One more shows whether there are more.
        causes: Some(causes.saturating_add(1)),
        frame_id: top.map(|top| top.id),
    };
    match wire.call::<request::ExceptionInfo>(arguments).await {
        Err(dap::Error::Refused { .. }) => {
            let plain = ExceptionInfoArguments { thread_id, ..Default::default() };
            wire.call::<request::ExceptionInfo>(plain).await.ok()
        }
        answer => answer.ok(),
    }
}

/// Number of frames up to the last requested frame of the user's. Without any of the user's it
/// counts all frames alike.
fn listed(frames: &[Frame], most: usize) -> usize {
    let mut user = 0;
    let mut listed = 0;
    for (at, frame) in frames.iter().enumerate() {
        if frame.is_user() && user < most {
            (user, listed) = (user + 1, at + 1);
        }
    }
    if frames.iter().any(Frame::is_user) { listed } else { frames.len().min(most) }
}

/// The frames with what is wanted of them: of the user's the source line and the arguments, of the
/// first `locals_for` the locals.
async fn with_values(
    reader: FrameReader<'_>,
    frames: &[Frame],
    locals_for: u32,
) -> Vec<ExceptionFrame> {
    let mut read = Vec::with_capacity(frames.len());
    let mut user = 0;
    for frame in frames {
        let mut one = ExceptionFrame {
            frame: frame.clone(),
            code: None,
            arguments: Vec::new(),
            locals: None,
        };
        if frame.is_user() {
            let text = source::text(frame).await;
            let line = frame.line.checked_sub(1);
            one.code = line.and_then(|line| text.lines().nth(line as usize)).map(str::to_owned);
            let reader = FrameReader { frame: Some(frame), ..reader };
            let locals = scope::current_locals(&reader, frame).await;
            if let Ok(locals) = &locals {
                one.arguments = arguments(locals, frame, &text);
            }
            let locals = locals.map(|locals| locals.variables);
            one.locals = (user < locals_for).then(|| locals.map_err(|error| error.to_string()));
            user += 1;
        }
        read.push(one);
    }
    read
}

/// The arguments among the locals: by the adapter's scope, or else by the declaration.
fn arguments(locals: &scope::Locals, frame: &Frame, text: &str) -> Vec<Variable> {
    if let Some(count) = locals.arguments {
        return locals.variables.iter().take(count).cloned().collect();
    }
    let words = parameters::words(text, frame.line, &frame.name);
    locals.variables.iter().filter(|local| words.contains(&local.name)).cloned().collect()
}

/// Which of these variables of the frame's locals are arguments. By the declaration, an argument is
/// the outermost variable of its name.
pub(crate) async fn arguments_among(
    reader: &FrameReader<'_>,
    frame: &Frame,
    variables: &[Variable],
) -> Result<Vec<usize>, Error> {
    if let Some(count) = scope::current_locals(reader, frame).await?.arguments {
        return Ok((0..count.min(variables.len())).collect());
    }
    let words = parameters::words(&source::text(frame).await, frame.line, &frame.name);
    let mut found = Vec::new();
    for word in words {
        found.extend(variables.iter().rposition(|variable| variable.name == word));
    }
    found.sort_unstable();
    Ok(found)
}

/// The instruction at the frame's address, and the registers that it names.
async fn instruction(reader: &FrameReader<'_>, top: &Frame) -> (Option<String>, Vec<Variable>) {
    let Some(text) = snapshot::instruction(reader.wire, top.pc.clone()).await else {
        return (None, Vec::new());
    };
    let words: HashSet<String> =
        text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_lowercase).collect();
    let mut named = registers(reader, top).await;
    named.retain(|register| words.contains(&register.name.to_lowercase()));
    named.truncate(REGISTERS);
    (Some(text), named)
}

/// The registers of a frame: the scope with DAP's hint or name for them, or the first group in it.
async fn registers(reader: &FrameReader<'_>, frame: &Frame) -> Vec<Variable> {
    let scopes = scope::of_frame(reader, frame).await.unwrap_or_default();
    let registers = scopes.iter().find(|scope| {
        scope.presentation_hint.as_deref() == Some("registers")
            || scope.name.to_lowercase().contains("registers")
    });
    let Some(scope) = registers else { return Vec::new() };
    let mut reference = scope.variables_reference;
    for _ in 0..2 {
        let Ok(listed) = children::list(reader, reference, &scope.name).await else { break };
        match listed.rows.first() {
            Some(group) if group.reference > 0 => reference = group.reference,
            _ => return listed.rows,
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FrameKind;

    fn frame(index: u32, kind: FrameKind) -> Frame {
        Frame { index, id: 0, name: "f".into(), path: None, line: 1, column: 0, kind, pc: None }
    }

    #[test]
    fn frames_end_with_the_last_requested_one_of_the_users() {
        use FrameKind::{Library, User};
        for (kinds, most, want) in [
            (vec![Library, User, Library, User, Library], 5, 4),
            (vec![Library, User, Library, User, Library], 1, 2),
            (vec![Library, Library, Library], 2, 2),
            (vec![User], 0, 0),
            (vec![], 3, 0),
        ] {
            let frames: Vec<_> = (0..).zip(kinds).map(|(n, kind)| frame(n, kind)).collect();
            assert_eq!(listed(&frames, most), want, "{frames:?}");
        }
    }
}
