//! The viewport: a stop in the bounds of its session.
//!
//! Reads from the session what the bounds want and the stop does not have. Refuses to take a text
//! of ours apart.

use serde_json::json;

use super::config::Config;
use super::state::State;
use super::{Ours, run, source, stack};
use crate::mcp::call::Call;
use crate::mcp::outcome::{Arrival, Outcome, Started};
use crate::mcp::resources::read_source;
use crate::mcp::wait;
use crate::model::{Children, Frame, Happening, Stop, Variable};
use crate::view::{self, Text};

/// The viewports of a result with a stop.
pub(super) async fn of(call: &Call, state: &State, outcome: &Outcome) -> Option<Text> {
    match outcome {
        Outcome::Started(all) => {
            let mut texts = Vec::new();
            for one in all {
                texts.push(match one {
                    Ok(one) => started(call, state, one).await,
                    Err(error) => error.text.clone(),
                });
            }
            texts.into_iter().reduce(|mut all, text| {
                all.push("");
                all.append(text);
                all
            })
        }
        Outcome::Stepped { arrival, taken, requested, .. } => {
            let mut text = viewport(call, state, stop(arrival)?).await;
            if taken < requested {
                text.push(format!("note: stopped after step {taken} of {requested}"));
            }
            Some(text)
        }
        other => Some(viewport(call, state, stop(other.arrival()?)?).await),
    }
}

fn stop(arrival: &Arrival) -> Option<&Stop> {
    match arrival {
        Arrival::Happened(Happening::Stopped(stop)) => Some(stop),
        Arrival::Happened(Happening::Ended(_)) | Arrival::RanOut(_) => None,
    }
}

async fn started(call: &Call, state: &State, started: &Started) -> Text {
    let mut text = match stop(&started.arrival) {
        Some(stop) => {
            let mut text = viewport(call, state, stop).await;
            for line in view::unverified(&started.breakpoints, &call.lens()) {
                text.push(line);
            }
            text
        }
        None => wait::text(call, &started.arrival),
    };
    if !started.ignored.is_empty() {
        text.push(format!("note: launch.json keys ignored: {}", started.ignored.join(", ")));
    }
    text
}

async fn viewport(call: &Call, state: &State, stop: &Stop) -> Text {
    let config = state.config(&stop.session.0);
    let parts = view::parts(stop, &call.lens());
    let mut lines = parts.above;
    lines.extend(frames(call, stop, &config).await);
    lines.extend(lines_around(call, stop, &config).await);
    match parts.no_locals {
        Some(none) => lines.push(none),
        None => lines.extend(locals(call, stop, &config).await),
    }
    let variables = view::Call::new("debug_variables").with("filter", "^NAME$");
    let mut text = view::cap(Text::lines(lines), &variables);
    for line in parts.below.into_iter().chain(shortened(call, stop, &config)) {
        text.push(line);
    }
    text
}

/// The line about a shorter viewport, with the calls that show everything.
fn shortened(call: &Call, stop: &Stop, config: &Config) -> Option<String> {
    let actions = config.shrunk_after?;
    let frames = stop.total_frames.unwrap_or(0).max(stop.frames.len() as u32);
    let frames = if stop.more_frames { stack::MOST } else { frames };
    let stack = of_stop(view::Call::new("debug_stack_trace"), call, stop);
    let mut variables = of_stop(view::Call::new("debug_variables"), call, stop);
    if config.depth > 1 {
        variables = variables.with("max_depth", config.depth as u64);
    }
    Some(format!(
        "shortened after {actions} actions; everything: {} and {}",
        stack::with_frames(stack, frames).json(),
        variables.json()
    ))
}

/// The call with the session of the stop, unless it is the usual one.
fn of_stop(next: view::Call, call: &Call, stop: &Stop) -> view::Call {
    match call.lens().usual {
        Some(usual) if usual == stop.session => next,
        _ => next.with("session_id", stop.session.0.as_str()),
    }
}

/// The top of the stack, and the frame of the source if it is below.
async fn frames(call: &Call, stop: &Stop, config: &Config) -> Vec<String> {
    if stop.frames.is_empty() {
        return vec!["stack: none".to_owned()];
    }
    let total = stop.total_frames.map_or(0, |total| total as usize).max(stop.frames.len());
    let is_short = stop.more_frames || total > stop.frames.len();
    let mut frames = stop.frames.clone();
    if is_short && config.frames > frames.len() {
        frames = more_frames(call, stop, config.frames).await.unwrap_or(frames);
    }
    let lens = call.lens();
    let mut lines = vec!["stack:".to_owned()];
    lines.extend(frames.iter().take(config.frames).map(|one| view::frame(one, &lens)));
    let below = stop.origin.unwrap_or(stop.focus);
    if let Some(frame) = frames.get(below).filter(|_| below >= config.frames) {
        lines.push(view::frame(frame, &lens));
    }
    for line in &mut lines[1..] {
        line.insert_str(0, "  ");
    }
    let may_be_more = stop.more_frames && frames.len() == stop.frames.len();
    let next = of_stop(view::Call::new("debug_stack_trace"), call, stop);
    lines.extend(stack::more(next, lines.len() - 1, Some(total as u32), may_be_more));
    lines
}

async fn more_frames(call: &Call, stop: &Stop, count: usize) -> Option<Vec<Frame>> {
    let query = json!({"session": stop.session.0, "count": count, "library": true});
    match run(call, Ours::new("debug_stack", query)).await.reply.outcome {
        Outcome::Stacks(stacks) => stacks.threads.into_iter().next()?.frames.ok(),
        _ => None,
    }
}

/// Lines around the place of the stop: of the file, or as far as the stop has them.
async fn lines_around(call: &Call, stop: &Stop, config: &Config) -> Vec<String> {
    let Some(frame) = stop.frames.get(stop.origin.unwrap_or(stop.focus)) else {
        return Vec::new();
    };
    let (mut first, mut lines) = (stop.source.first, stop.source.lines.clone());
    let handle = call.sessions.get(Some(&stop.session.0)).ok();
    if let Some(path) = &frame.path
        && let Ok(whole) = read_source(handle.as_ref(), &call.workspace, path).await
    {
        first = 1;
        lines = whole.lines().map(str::to_owned).collect();
    }
    let before = config.source_lines.saturating_sub(1) / 2;
    let start = (frame.line as usize).saturating_sub(before).max(1);
    let mut around = Vec::new();
    for (number, line) in (first as usize..).zip(lines) {
        if number >= start && number < start + config.source_lines {
            let mark = if number == frame.line as usize { '→' } else { ' ' };
            around.push(format!("{mark} {}", source::line(number, &line)));
        }
    }
    if !around.is_empty() {
        around.insert(0, "source:".to_owned());
    }
    around
}

async fn locals(call: &Call, stop: &Stop, config: &Config) -> Vec<String> {
    let of = stop.origin.map(|_| format!(" of #{}", stop.focus)).unwrap_or_default();
    let mut lines = vec![format!("locals{of}:")];
    let (mut variables, mut total) = (stop.locals.clone(), stop.locals.len() + stop.more_locals);
    if lacks(stop, config)
        && let Some((all, count)) = more_locals(call, stop, config).await
    {
        (variables, total) = (all, count);
    }
    for variable in variables.iter().take(config.locals) {
        tree(variable, config, 1, &mut lines);
    }
    let hidden = total - variables.len().min(config.locals);
    let next = of_stop(view::Call::new("debug_variables"), call, stop).json();
    if hidden > 0 {
        lines.push(format!("  {hidden} more: {next}"));
    }
    lines
}

/// Whether the bounds want more than the stop has.
fn lacks(stop: &Stop, config: &Config) -> bool {
    let is_short = |one: &Variable| match one.children {
        Children::None => false,
        Children::Some => config.depth > 1,
        Children::Count(count) => {
            let lists = !one.preview.is_empty() && one.preview.len() < config.items;
            config.depth > 1 || (lists && count > one.preview.len() as u64)
        }
    };
    let has_all = stop.more_locals == 0 || config.locals <= stop.locals.len();
    !has_all || stop.locals.iter().take(config.locals).any(is_short)
}

/// The locals as deep and as many as the bounds want, and how many there are.
async fn more_locals(call: &Call, stop: &Stop, config: &Config) -> Option<(Vec<Variable>, usize)> {
    let query = json!({
        "session": stop.session.0, "frame": stop.frames.get(stop.focus)?.index,
        "depth": config.depth.max(2), "count": config.locals.max(1),
    });
    match run(call, Ours::new("debug_variables", query)).await.reply.outcome {
        Outcome::Variables(page) => Some((page.variables, page.total as usize)),
        _ => None,
    }
}

/// `name: type = value`, with children below as deep as the bounds say.
fn tree(variable: &Variable, config: &Config, level: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(level);
    let text = view::typed_value(variable, config.characters, config.items).text;
    lines.push(format!("{indent}{text}"));
    if level >= config.depth {
        return;
    }
    for child in variable.preview.iter().take(config.items) {
        tree(child, config, level + 1, lines);
    }
    let listed = variable.preview.len().min(config.items);
    let all = match variable.children {
        Children::Count(count) => count as usize,
        Children::None | Children::Some => variable.preview.len(),
    };
    if all > listed {
        lines.push(format!("{indent}  {} more", all - listed));
    }
}
