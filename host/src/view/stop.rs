//! A stop: place, source, locals, what changed, new output, next calls, in a budget of tokens.
//!
//! Parts of fixed size are written first; the locals get the rest. What is left out is counted, and
//! the first local that is cut comes with the call that reads it.

use super::note::note;
use super::text::{Room, Text, cut_differing, cut_end, cut_middle, message, one_line, took};
use super::{Call, Lens, cap, cause, estimate, evaluate, locals, output, source, value};
use crate::model::{BreakpointId, Change, Children, Evaluated, Frame, Stop, StopClass, Variable};

/// The tokens of a stop at most, unless the caller wants more.
pub const STOP_TOKENS: usize = 400;

/// Characters of a title in the header.
pub(super) const TITLE: usize = 60;

/// Sizes of the parts of a stop: counts, and widths in characters.
pub(super) struct Measure {
    detail: Room,
    function: usize,
    place: usize,
    callers: usize,
    around: u32,
    code: usize,
    /// Tokens the locals get even when all else is long.
    locals: usize,
    changes: usize,
    side: usize,
    watches: usize,
    watch: usize,
    output: usize,
    notes: usize,
    note: usize,
}

/// For most stops.
pub(super) const WIDE: Measure = Measure {
    detail: Room { characters: 240, lines: 8 },
    function: 48,
    place: 80,
    callers: 3,
    around: 2,
    code: 96,
    locals: 90,
    changes: 5,
    side: 32,
    watches: 6,
    watch: 60,
    output: 80,
    notes: 3,
    note: 160,
};

/// For a stop with long parts.
const NARROW: Measure = Measure {
    detail: Room { characters: 100, lines: 4 },
    function: 28,
    place: 48,
    callers: 1,
    around: 1,
    code: 56,
    locals: 60,
    changes: 2,
    side: 16,
    watches: 2,
    watch: 32,
    output: 32,
    notes: 1,
    note: 80,
};

/// For texts of escapes, or of a script in which a character is a token.
const DENSE: Measure = Measure {
    detail: Room { characters: 48, lines: 2 },
    function: 16,
    place: 32,
    callers: 1,
    around: 0,
    code: 32,
    locals: 40,
    changes: 1,
    side: 8,
    watches: 2,
    watch: 16,
    output: 16,
    notes: 1,
    note: 40,
};

/// A stop in at most `tokens`.
pub fn stop(stop: &Stop, lens: &Lens, tokens: usize) -> Text {
    let (mut text, mut cost) = measured(stop, lens, tokens, &WIDE);
    for narrower in [&NARROW, &DENSE] {
        if cost > tokens {
            (text, cost) = measured(stop, lens, tokens, narrower);
        }
    }
    cap(text, &lens.call("debug_variables", &stop.session))
}

/// The text with its estimated tokens.
fn measured(stop: &Stop, lens: &Lens, tokens: usize, m: &Measure) -> (Text, usize) {
    let above = [
        vec![header(stop, "")],
        details(stop, m),
        causes(stop, lens, m),
        place(stop, lens, m),
        code(stop, m),
    ]
    .concat();
    let below = [
        changes(stop, lens, m),
        watches(stop, m),
        news(stop, lens, m),
        notes(stop, lens, m),
        next(stop, lens),
    ]
    .concat();
    let fixed = estimate(&Text::lines(&above)) + estimate(&Text::lines(&below));
    let room = tokens.saturating_sub(fixed).max(m.locals);
    let lines = [above, own_locals(stop, lens, room), below].concat();
    let text = Text::lines(lines);
    let cost = estimate(&text);
    (text, cost)
}

/// The line of the stop; `after` follows its reason.
pub(super) fn header(stop: &Stop, after: &str) -> String {
    let others =
        if stop.threads > 1 { format!(" (1 of {} threads)", stop.threads) } else { String::new() };
    let thread = cut_end(&stop.thread.name, 40).0;
    let Stop { session, epoch, .. } = stop;
    let waits =
        stop.waits.as_ref().map(|why| format!(" · waits: {}", one_line(why))).unwrap_or_default();
    let took = took(stop.elapsed, stop.built);
    format!(
        "■ stopped {}{after}{} · stop {} · {session} · {thread}{others}{waits} · {took}",
        reason(stop),
        raised_at(stop),
        epoch.0
    )
}

/// The breakpoints on exceptions that the stop has hit.
fn raised_at(stop: &Stop) -> String {
    if stop.hit.is_empty() || !(raised(stop.class) || stop.class == StopClass::Signal) {
        return String::new();
    }
    format!(" · breakpoint {}", numbers(&stop.hit))
}

fn numbers(hit: &[BreakpointId]) -> String {
    hit.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The reason in a few words.
pub fn reason(stop: &Stop) -> String {
    let until = if stop.reached { "at the `until` location" } else { "" };
    match stop.class {
        StopClass::Breakpoint if !stop.hit.is_empty() => {
            format!("breakpoint {} {until}", numbers(&stop.hit)).trim_end().to_owned()
        }
        StopClass::Breakpoint if stop.reached => until.to_owned(),
        class => class_reason(class, &cut_end(&stop.title, TITLE).0),
    }
}

/// Whether the title is a message about an error.
fn raised(class: StopClass) -> bool {
    matches!(class, StopClass::Exception | StopClass::Panic | StopClass::Assertion)
}

/// A class with its title, where it has one.
pub(super) fn class_reason(class: StopClass, title: &str) -> String {
    let word = match class {
        StopClass::Entry => "at entry",
        StopClass::Breakpoint => "breakpoint",
        StopClass::Step => "after step",
        StopClass::Pause => "by pause",
        StopClass::Exception => "exception",
        StopClass::Panic => "on panic",
        StopClass::Signal => "signal",
        StopClass::Assertion => "assertion failed",
        StopClass::Other => "",
    };
    let title = match class {
        StopClass::Panic => without_verb(title),
        _ => title,
    };
    let redundant = title.is_empty() || word.contains(title);
    match (word, redundant) {
        ("", true) => "for a reason that the debugger does not give".to_owned(),
        ("", false) => title.to_owned(),
        (_, true) => word.to_owned(),
        _ if class == StopClass::Panic => format!("{word}: {title}"),
        (_, false) => format!("{word} {title}"),
    }
}

/// A panic's title without `panicked`, which repeats the class.
fn without_verb(title: &str) -> &str {
    match title.strip_prefix("panicked") {
        Some("") => "",
        Some(rest) => rest.strip_prefix(": ").unwrap_or(title),
        None => title,
    }
}

pub(super) fn details(stop: &Stop, m: &Measure) -> Vec<String> {
    let detail = stop.detail.as_deref().map(str::trim).filter(|detail| !detail.is_empty());
    let title = stop.title.trim();
    let rendered =
        if raised(stop.class) { below_header(title, detail) } else { detail.map(str::to_owned) };
    rendered.map(|rendered| message("! ", &rendered, "  ", m.detail)).unwrap_or_default()
}

/// The detail of an exception, and its title if the header cuts that and the detail lacks it.
pub(super) fn below_header(title: &str, detail: Option<&str>) -> Option<String> {
    let whole = cut_end(title, TITLE).1.then_some(title);
    match (whole, detail) {
        (Some(title), Some(detail)) if !detail.contains(title) => {
            Some(format!("{title} · {detail}"))
        }
        (_, Some(detail)) => Some(detail.to_owned()),
        (whole, None) => whole.map(str::to_owned),
    }
}

fn causes(stop: &Stop, lens: &Lens, m: &Measure) -> Vec<String> {
    let widths = (m.function * 2 / 3, m.place);
    let room = Room { characters: m.detail.characters / 2, ..m.detail };
    let written = |cause| cause::written(cause, lens, room, widths);
    stop.causes.iter().flat_map(written).collect()
}

/// The user's frames from the focus outwards; library frames are counted.
fn place(stop: &Stop, lens: &Lens, m: &Measure) -> Vec<String> {
    let at = stop.origin.unwrap_or(stop.focus);
    let Some(focus) = stop.frames.get(at) else {
        return vec!["no stack".to_owned()];
    };
    let mut displayed: Vec<String> = stop.frames[at + 1..]
        .iter()
        .filter(|frame| frame.is_user())
        .take(m.callers)
        .map(|frame| described(frame, lens, m.function * 2 / 3, m.place))
        .collect();
    displayed.insert(0, described(focus, lens, m.function, m.place));
    let mut line = displayed.join("  <- ");
    if at > 0 {
        line.push_str(&format!(
            "  (called into {})",
            described(&stop.frames[0], lens, m.function * 2 / 3, m.place)
        ));
    }
    let total = stop
        .total_frames
        .map_or(stop.frames.len(), |total| (total as usize).max(stop.frames.len()));
    let hidden = total - displayed.len() - usize::from(at > 0);
    let library = stop.frames.iter().skip(1).filter(|frame| !frame.is_user()).count();
    if hidden > 0 {
        let what = if library >= hidden { "library frame" } else { "frame" };
        let call = if library >= hidden {
            String::new()
        } else {
            format!(": {}", lens.call("debug_stack", &stop.session))
        };
        let more = if stop.more_frames { " or more" } else { "" };
        line.push_str(&format!("  (+{}{more}{call})", super::text::counted(hidden as u64, what)));
    }
    vec![line]
}

/// `#0 apply_discount  cart/pricing.py:41`.
pub(super) fn described(frame: &Frame, lens: &Lens, width: usize, place_width: usize) -> String {
    let name = cut_middle(&frame.name, width).0;
    match lens.frame_place(frame) {
        Some(place) => format!("#{} {name}  {}", frame.index, cut_middle(&place, place_width).0),
        None => format!("#{} {name}", frame.index),
    }
}

fn code(stop: &Stop, m: &Measure) -> Vec<String> {
    let line = stop.frames.get(stop.origin.unwrap_or(stop.focus)).map_or(0, |frame| frame.line);
    let mut lines = source::source(&stop.source, line, m.around, m.code);
    lines.extend(pointer(stop, m));
    lines
}

/// The machine instruction, after a step by one.
pub(super) fn pointer(stop: &Stop, m: &Measure) -> Option<String> {
    stop.instruction.as_ref().map(|instruction| format!("pc {}", cut_end(instruction, m.code).0))
}

/// The line in place of locals; `None`: there are some.
pub(super) fn no_locals(stop: &Stop) -> Option<String> {
    if let Some(error) = &stop.locals_error {
        return Some(format!("locals: not readable: {}", cut_end(error, 160).0));
    }
    let is_own = stop.frames.get(stop.focus).is_none_or(Frame::is_user);
    let none = if is_own { "locals: none" } else { "locals: none of the program's own" };
    stop.locals.is_empty().then(|| none.to_owned())
}

fn own_locals(stop: &Stop, lens: &Lens, room: usize) -> Vec<String> {
    if let Some(none) = no_locals(stop) {
        return vec![none];
    }
    let line = locals::line(&stop.locals, room.saturating_sub(16));
    let of = stop.origin.map(|_| format!(" of #{}", stop.focus)).unwrap_or_default();
    let text = format!("locals{of}: {}", line.text);
    let call = lens.call("debug_variables", &stop.session);
    let more = match (line.left_out + stop.more_locals, line.cut.first()) {
        (0, None) => String::new(),
        (0, Some(name)) => format!("  (in full: {})", call.with("path", name.as_str())),
        (left_out, _) => format!("  (+{left_out} more: {call})"),
    };
    vec![text + &more]
}

pub(super) fn changes(stop: &Stop, lens: &Lens, m: &Measure) -> Vec<String> {
    let Some((epoch, changes)) = &stop.changes else { return Vec::new() };
    if changes.is_empty() {
        return Vec::new();
    }
    let mut values = Vec::new();
    for Change { name, before, after } in changes.iter().take(m.changes) {
        let (before, after) = cut_differing(before, after, m.side);
        values.push(format!("{} {before}→{after}", cut_middle(name, 40).0));
    }
    let text = values.join(" · ");
    let more = match changes.len().saturating_sub(m.changes) {
        0 => String::new(),
        more => format!(
            " · +{more} more: {}",
            lens.call("debug_variables", &stop.session).with("diff", true)
        ),
    };
    vec![format!("changed since stop {}: {text}{more}", epoch.0)]
}

pub(super) fn watches(stop: &Stop, m: &Measure) -> Vec<String> {
    if stop.watches.is_empty() {
        return Vec::new();
    }
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for watch in stop.watches.iter().take(m.watches) {
        let expression = cut_middle(&watch.expression, 40).0;
        if evaluate::is_out_of_scope(watch, &stop.locals) {
            unknown.push(expression);
        } else {
            known.push(format!("{expression} = {}", watched(watch, m.watch)));
        }
    }
    if !unknown.is_empty() {
        known.push(format!("not in scope here: {}", unknown.join(", ")));
    }
    let text = known.join(" · ");
    let more = match stop.watches.len().saturating_sub(m.watches) {
        0 => String::new(),
        more => format!(" · +{more} more: {}", Call::new("debug_evaluate")),
    };
    vec![format!("watch: {text}{more}")]
}

/// The value of a watch, or the reason why it has none.
fn watched(watch: &Evaluated, width: usize) -> String {
    match &watch.result {
        Ok(variable) => value::value(variable, width).text,
        Err(why) => evaluate::none(why, |words| cut_end(words, width).0),
    }
}

pub(super) fn news(stop: &Stop, lens: &Lens, m: &Measure) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(output::note(&stop.output, &stop.session, lens, m.output));
    if stop.log_hits > 0 {
        let call = lens
            .call("debug_output", &stop.session)
            .with("stream", "log")
            .with("since", stop.output.since);
        let hits = super::text::counted(stop.log_hits as u64, "hit");
        lines.push(format!("log breakpoints +{hits} ({call})"));
    }
    lines
}

pub(super) fn notes(stop: &Stop, lens: &Lens, m: &Measure) -> Vec<String> {
    let mut lines = Vec::new();
    for one in stop.notes.iter().take(m.notes) {
        lines.push(format!("note: {}", cut_end(&note(one, lens), m.note).0));
    }
    let more = stop.notes.len().saturating_sub(m.notes);
    if more > 0 {
        let log = Call::new("debug_status").with("detail", "log");
        lines.push(format!("note: +{more} more: {log}"));
    }
    lines
}

/// Calls that make sense from here, the likeliest first.
fn next(stop: &Stop, lens: &Lens) -> Vec<String> {
    let call = |tool| lens.call(tool, &stop.session).to_string();
    let calls = match stop.class {
        _ if stop.post_mortem => [open(stop, lens), call("debug_stack"), call("debug_stop")],
        // What the thread waits for depends on the others.
        _ if stop.waits.is_some() && stop.threads > 1 => {
            let stacks = lens.call("debug_stack", &stop.session).with("all_threads", true);
            [open(stop, lens), stacks.to_string(), call("debug_continue")]
        }
        StopClass::Exception | StopClass::Panic | StopClass::Signal | StopClass::Assertion => {
            [open(stop, lens), call("debug_stack"), call("debug_continue")]
        }
        StopClass::Entry => [call("debug_breakpoints"), call("debug_step"), call("debug_continue")],
        _ => [open(stop, lens), call("debug_step"), call("debug_continue")],
    };
    let mut calls = calls.to_vec();
    if is_in_library_call(stop) {
        let inner = lens.call("debug_variables", &stop.session).with("frame", 0);
        calls.insert(1, inner.to_string());
    }
    vec![format!("next: {}", calls.join(" · "))]
}

/// Whether the caller has moved into a library, while the frame that calls it is displayed.
fn is_in_library_call(stop: &Stop) -> bool {
    stop.focus > 0 && (stop.class == StopClass::Step || stop.reached)
}

/// Whether there is something to see in a variable: no number, which some adapters can open, and no
/// empty container.
fn has_content(local: &Variable) -> bool {
    let value = local.value.trim_end();
    let is_empty = ["{}", "[]", "()", "(0)"].iter().any(|end| value.ends_with(end));
    let is_leaf = matches!(local.children, Children::None | Children::Count(0));
    let has_text = !is_empty || !local.preview.is_empty();
    !is_leaf && has_text && value.parse::<f64>().is_err()
}

/// The variable worth opening: one that changed and has content, else the first with content.
fn open(stop: &Stop, lens: &Lens) -> String {
    let changes = stop.changes.as_ref().map(|(_, changes)| changes.as_slice()).unwrap_or_default();
    let mut best = None;
    for local in stop.locals.iter().filter(|local| has_content(local)) {
        if changes.iter().any(|change| change.name == local.name) {
            best = Some(local);
            break;
        }
        best = best.or(Some(local));
    }
    let call = lens.call("debug_variables", &stop.session);
    match best {
        Some(local) => call.with("path", local.name.as_str()).to_string(),
        None => call.to_string(),
    }
}

#[cfg(test)]
mod tests;
