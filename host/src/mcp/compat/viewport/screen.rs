//! The viewport: the text of a stop in the bounds of its session.

use super::config::Config;
use super::state::State;
use crate::mcp::call::{Call, Reply};
use crate::mcp::outcome::Arrival;
use crate::mcp::resources::read_source;
use crate::model::{Frame, Happening, Stop, Variable};
use crate::view::{Text, value_text};

/// The viewport of a reply with a stop.
pub(super) async fn of(call: &Call, state: &State, reply: &Reply) -> Option<Text> {
    let Some(Arrival::Happened(Happening::Stopped(stop))) = reply.outcome.arrival() else {
        return None;
    };
    let config = state.config(&stop.session.0);
    let mut lines = reply.text.lines();
    let mut text = Text::line(lines.next().unwrap_or_default());
    text.push("stack:");
    for frame in stop.frames.iter().take(config.frames) {
        text.push(format!("  {}", place(call, frame)));
    }
    let more = stop.total_frames.map_or(stop.frames.len(), |total| total as usize);
    if more > config.frames {
        text.push(format!("  {} more: debug_stack_trace", more - config.frames));
    }
    source(call, stop, &config, &mut text).await;
    locals(stop, &config, &mut text);
    // Changes, watches, output and notes are as in our text.
    let rest = lines.skip_while(|line| !line.starts_with("locals: ")).skip(1);
    for line in rest.filter(|line| !line.starts_with("next: ")) {
        text.push(line);
    }
    if let Some(actions) = config.shrunk_after {
        text.push(format!(
            "shortened after {actions} actions: debug_stack_trace, debug_variables and \
            debug_source show everything"
        ));
    }
    Some(text)
}

/// The text of a source file.
pub(super) async fn source_text(call: &Call, session: &str, path: &str) -> Result<String, String> {
    read_source(&call.sessions, &call.workspace, session, path).await
}

/// `#0 function  file:line`.
pub(super) fn place(call: &Call, frame: &Frame) -> String {
    let at = match &frame.path {
        Some(path) => format!("  {}:{}", call.lens().path(path), frame.line),
        None => String::new(),
    };
    format!("#{} {}{at}", frame.index, frame.name)
}

/// Lines around the place of the stop: of the file, or as far as the stop has them.
async fn source(call: &Call, stop: &Stop, config: &Config, text: &mut Text) {
    let Some(frame) = stop.frames.get(stop.focus) else { return };
    let (mut first, mut lines) = (stop.source.first, stop.source.lines.clone());
    if let Some(path) = &frame.path
        && let Ok(whole) = source_text(call, &stop.session.0, &path.to_string_lossy()).await
    {
        first = 1;
        lines = whole.lines().map(str::to_owned).collect();
    }
    text.push("source:");
    let before = config.source_lines.saturating_sub(1) / 2;
    let start = (frame.line as usize).saturating_sub(before).max(1);
    for (number, line) in (first as usize..).zip(lines) {
        if number >= start && number < start + config.source_lines {
            let mark = if number == frame.line as usize { '→' } else { ' ' };
            text.push(format!("{mark} {number:4} {line}"));
        }
    }
}

fn locals(stop: &Stop, config: &Config, text: &mut Text) {
    text.push("locals:");
    if let Some(error) = &stop.locals_error {
        text.push(format!("  {error}"));
    }
    for variable in stop.locals.iter().take(config.locals) {
        tree(variable, config, 1, text);
    }
    if stop.locals.len() > config.locals {
        let more = stop.locals.len() - config.locals;
        text.push(format!("  {more} more: debug_variables"));
    }
}

/// `name: type = value`, with children below as deep as the bounds say.
fn tree(variable: &Variable, config: &Config, level: usize, text: &mut Text) {
    text.push(format!("{}{}", "  ".repeat(level), line(variable, config)));
    if level < config.depth {
        for child in variable.preview.iter().take(config.items) {
            tree(child, config, level + 1, text);
        }
    }
}

/// `name: type = value`.
pub(super) fn line(variable: &Variable, config: &Config) -> String {
    let mut shortened = variable.clone();
    shortened.preview.truncate(config.items);
    let cut = if shortened.preview.len() < variable.preview.len() { " …" } else { "" };
    let value = value_text(&shortened, config.characters);
    match variable.ty.as_deref().filter(|ty| !ty.is_empty()) {
        Some(ty) => format!("{}: {ty} = {value}{cut}", variable.name),
        None => format!("{} = {value}{cut}", variable.name),
    }
}
