//! Breakpoints with their state. A line without code says `UNVERIFIED`, the reason, and the nearest
//! lines with code.

use super::text::{Text, counted, quoted};
use super::{Call, ErrorText, Lens, cap};
use crate::model::{Author, Binding, Breakpoint, Nearest, Place, SessionId};
use crate::session::{BreakpointReport, has_written_all};

/// The list after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakpointsText {
    /// The text.
    pub text: Text,
    /// The first refusal, if every added breakpoint was refused.
    pub failed: Option<ErrorText>,
}

/// All breakpoints; `+` marks those that the call added.
pub fn breakpoints(report: &BreakpointReport, lens: &Lens) -> BreakpointsText {
    let restart_only = report.restart.as_ref().map(|(_, ids)| ids.as_slice()).unwrap_or_default();
    let mut lines = vec![match report.all.len() {
        0 => "no breakpoints".to_owned(),
        count => counted(count as u64, "breakpoint"),
    }];
    let mut bad = Vec::new();
    for breakpoint in &report.all {
        let is_added = report.added.contains(&breakpoint.id);
        if is_added && is_refused(breakpoint) {
            bad.push(breakpoint);
        }
        let mark = if is_added { '+' } else { ' ' };
        let is_restart_only =
            breakpoint.binding == Binding::Pending && restart_only.contains(&breakpoint.id);
        let restart = Call::new("debug_restart");
        let when =
            if is_restart_only { format!(": only {restart} sets it") } else { String::new() };
        let by_name = if is_unchecked(breakpoint, &report.unchecked) {
            " · matched by name, unchecked"
        } else {
            ""
        };
        lines.push(format!("{mark}{}{by_name}{when}", described(breakpoint, lens)));
    }
    if !report.exceptions.is_empty() && !report.all.iter().any(is_on_exceptions) {
        lines.push(format!("stops on exceptions: {}", report.exceptions.join(", ")));
    }
    lines.extend(off(report));
    let open = report.open.is_some();
    let refusals: Vec<_> =
        bad.iter().take(3).map(|breakpoint| refusal(breakpoint, open, lens)).collect();
    lines.extend(refusals.iter().map(|refusal| refusal.text.to_string()));
    let failed = refusals.into_iter().next().filter(|_| bad.len() == report.added.len());
    if bad.is_empty() {
        lines.extend(next_start(report, lens));
    }
    let fewer = Call::new("debug_breakpoints").with("clear", true);
    BreakpointsText { text: cap(Text::lines(lines), &fewer), failed }
}

/// Whether it is one that stops at exceptions.
pub(super) fn is_on_exceptions(breakpoint: &Breakpoint) -> bool {
    breakpoint.spec.place.exception().is_some()
}

/// The exceptions that no longer stop because the call chose types alone.
fn off(report: &BreakpointReport) -> Option<String> {
    let is_added = |one: &&Breakpoint| report.added.contains(&one.id);
    let chosen = report.all.iter().filter(is_added).any(is_on_exceptions);
    let off = Some(&report.off).filter(|off| chosen && !off.is_empty())?;
    let mut both = report.exceptions.clone();
    both.extend_from_slice(off);
    let both = Call::new("debug_breakpoints").with("exceptions", both);
    Some(format!("off now: {}; both: {}", off.join(", "), both.json()))
}

/// Whether it waits for a type of which nobody knows whether it exists.
fn is_unchecked(breakpoint: &Breakpoint, unchecked: &[String]) -> bool {
    let word = breakpoint.spec.place.exception();
    breakpoint.hits == 0 && word.is_some_and(|word| unchecked.iter().any(|one| one == word))
}

/// What sets the breakpoints, if no program has them yet.
fn next_start(report: &BreakpointReport, lens: &Lens) -> Option<String> {
    let ended = report.restart.as_ref().filter(|(_, ids)| !ids.is_empty());
    let restart = |session: &SessionId| {
        Call::new("debug_restart").with("session", session.to_string()).to_string()
    };
    let is_pending = |breakpoint: &Breakpoint| breakpoint.binding == Binding::Pending;
    if !report.all.iter().all(is_pending) {
        let (session, _) = report.restart.as_ref()?;
        return Some(format!("{session} has ended: {} sets them again", restart(session)));
    }
    let (until, start) = match (ended, &report.open) {
        (Some((session, _)), _) => ("a session runs", restart(session)),
        (None, Some(session)) => ("the program runs", lens.call("debug_wait", session).to_string()),
        (None, None) => ("a session runs", Call::new("debug_launch").to_string()),
    };
    (!report.all.is_empty()).then(|| format!("pending until {until}: {start}"))
}

/// Lines for the result of a launch: breakpoints without code or on another line than requested,
/// and functions that are not loaded and may be misspelt. At most five, and a count of the others.
pub fn unverified(all: &[Breakpoint], lens: &Lens) -> Vec<String> {
    const LISTED: usize = 5;
    let mut unverified: Vec<&Breakpoint> = all.iter().collect();
    unverified.retain(|one| is_refused(one) || is_unknown(one) || is_moved(one));
    let mut lines = Vec::new();
    for breakpoint in unverified.iter().take(LISTED) {
        let mut line = described(breakpoint, lens);
        if matches!(breakpoint.binding, Binding::BadCondition { .. }) {
            let call = without_condition(breakpoint, lens).json();
            line = format!("{}. Without it: {call}", line.trim_end_matches('.'));
        }
        lines.push(line);
    }
    if unverified.len() > LISTED {
        let all = Call::new("debug_breakpoints");
        lines.push(format!("+{} more: {all}", unverified.len() - LISTED));
    }
    lines
}

/// Whether the adapter has set it on another line. A stop there says so itself.
fn is_moved(breakpoint: &Breakpoint) -> bool {
    breakpoint.enabled && breakpoint.hits == 0 && !bound_elsewhere(breakpoint).is_empty()
}

/// Whether it is a function that is not loaded.
fn is_unknown(breakpoint: &Breakpoint) -> bool {
    breakpoint.enabled
        && breakpoint.binding == Binding::Unconfirmed
        && matches!(breakpoint.spec.place, Place::Function(_))
}

pub(super) fn is_refused(breakpoint: &Breakpoint) -> bool {
    breakpoint.enabled
        && matches!(breakpoint.binding, Binding::Refused { .. } | Binding::BadCondition { .. })
}

/// Whether the breakpoint is in a file of another adapter.
pub(super) fn is_foreign(breakpoint: &Breakpoint) -> bool {
    matches!(breakpoint.binding, Binding::Foreign { .. })
}

/// `#2 cart/app.py:88 if x < 0 · 3 hits`.
pub(super) fn described(breakpoint: &Breakpoint, lens: &Lens) -> String {
    let mut parts = vec![format!("{} {}", breakpoint.id, lens.spec(&breakpoint.spec))];
    parts[0].push_str(&bound_elsewhere(breakpoint));
    parts.extend(refinements(breakpoint));
    parts.extend(fate(breakpoint));
    parts.join(" · ")
}

/// The line on which the adapter has set it, if that is not the requested one.
pub(super) fn bound_elsewhere(breakpoint: &Breakpoint) -> String {
    match (&breakpoint.spec.place, &breakpoint.binding) {
        (Place::Line { line, .. }, Binding::Bound { line: Some(bound) }) if line != bound => {
            format!(" → bound to line {bound}")
        }
        _ => String::new(),
    }
}

fn refinements(breakpoint: &Breakpoint) -> Vec<String> {
    let spec = &breakpoint.spec;
    let hit = spec.hit_condition.as_ref().map(|text| format!("hits {text}"));
    let log = spec.log.as_ref().map(|text| format!("log {}", quoted(text, 60)));
    let every = spec.every.map(|n| format!("every {n}"));
    let is_reached = breakpoint.hits > 0 && has_written_all(breakpoint);
    let reached = if is_reached { ", reached: off" } else { "" };
    let max = spec.max_hits.map(|n| format!("at most {n}{reached}"));
    [hit, log, every, max].into_iter().flatten().collect()
}

fn fate(breakpoint: &Breakpoint) -> Vec<String> {
    let mut parts = Vec::new();
    if breakpoint.author == Author::Editor {
        parts.push("set in an editor".to_owned());
    }
    if !breakpoint.enabled {
        parts.push("disabled".to_owned());
    }
    match &breakpoint.binding {
        Binding::Pending => parts.push("pending".to_owned()),
        Binding::Unconfirmed => parts.push("not loaded yet".to_owned()),
        Binding::Bound { .. } => {}
        Binding::SetByCommand { number, .. } => {
            parts.push(format!("set by a command, as breakpoint {number} of the debugger"))
        }
        Binding::Foreign { adapter } => {
            parts.push(format!("not sent: {adapter} debugs other files"))
        }
        Binding::BadCondition { why } => {
            parts.push(format!(
                "UNVERIFIED: its condition was refused: {}",
                why.trim_end_matches('.')
            ));
        }
        Binding::Refused { reason, nearest } => {
            parts.push(format!("UNVERIFIED: {}{}", reason.trim_end_matches('.'), near(nearest)))
        }
    }
    if breakpoint.hits > 0 {
        parts.push(counted(breakpoint.hits.into(), "hit"));
    }
    if breakpoint.suppressed > 0 {
        parts.push(format!("{} suppressed", breakpoint.suppressed));
    }
    parts
}

fn near(nearest: &Nearest) -> String {
    match nearest {
        nearest if nearest.is_empty() => String::new(),
        Nearest::Lines(lines) => {
            let noun = if lines.len() == 1 { "line" } else { "lines" };
            let numbers: Vec<_> = lines.iter().map(u32::to_string).collect();
            format!("; nearest {noun} with code: {}", numbers.join(", "))
        }
        Nearest::Functions(names) => format!("; there are {}", names.join(", ")),
    }
}

/// The error line of a refused breakpoint, with the call that sets one that works. `open`: a
/// session is open, and the breakpoint may be meant for another one.
fn refusal(breakpoint: &Breakpoint, open: bool, lens: &Lens) -> ErrorText {
    let place = lens.place(&breakpoint.spec.place);
    let instead = match (&breakpoint.spec.place, &breakpoint.binding) {
        (
            Place::Line { path, line, .. },
            Binding::Refused { nearest: Nearest::Lines(lines), .. },
        ) => {
            let closest = lines.iter().min_by_key(|near| near.abs_diff(*line));
            closest.map(|closest| format!("{}:{closest}", lens.path(path)))
        }
        (_, Binding::Refused { nearest: Nearest::Functions(names), .. }) => names.first().cloned(),
        _ => None,
    };
    let without = Call::new("debug_breakpoints").with("remove", vec![breakpoint.id.to_string()]);
    let is_elsewhere = open
        && instead.is_none()
        && matches!(breakpoint.spec.place, Place::Line { .. })
        && matches!(breakpoint.binding, Binding::Refused { .. });
    let launch = if is_elsewhere {
        format!(" (for another program: `breakpoints` of {})", Call::new("debug_launch"))
    } else {
        String::new()
    };
    let call = match (instead, &breakpoint.binding) {
        (Some(place), _) => without.with("set", vec![place]),
        (None, Binding::BadCondition { .. }) => without_condition(breakpoint, lens),
        (None, _) => without,
    };
    ErrorText::new("bp-unverified", &format!("{place} was not armed{launch}"), &call.json())
}

/// The call that sets a breakpoint without its condition.
fn without_condition(breakpoint: &Breakpoint, lens: &Lens) -> Call {
    Call::new("debug_breakpoints").with("set", vec![lens.place(&breakpoint.spec.place)])
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::model::{BreakpointId, BreakpointSpec};

    fn at(id: u32, line: u32, binding: Binding) -> Breakpoint {
        let place = Place::Line { path: PathBuf::from("/w/cart/pricing.py"), line, column: None };
        Breakpoint {
            id: BreakpointId(id),
            spec: BreakpointSpec::at(place),
            enabled: true,
            binding,
            hits: 0,
            suppressed: 0,
            author: Author::Caller,
            file: None,
        }
    }

    fn lens() -> Lens {
        Lens { workspace: "/w".into(), usual: None }
    }

    #[test]
    fn many_places_without_code_are_counted() {
        let none = |id| {
            at(
                id,
                id,
                Binding::Refused { reason: "blank line".into(), nearest: Nearest::default() },
            )
        };
        let five: Vec<_> = (1..=5).map(none).collect();
        assert_eq!(unverified(&five, &lens()).len(), 5);
        let many: Vec<_> = (1..=99).map(none).collect();
        let rendered = unverified(&many, &lens());
        assert_eq!((rendered.len(), rendered[5].as_str()), (6, "+94 more: debug_breakpoints"));
        let moved = at(7, 40, Binding::Bound { line: Some(42) });
        let hit = Breakpoint { hits: 1, ..moved.clone() };
        assert_eq!(
            unverified(&[moved, hit], &lens()),
            ["#7 cart/pricing.py:40 → bound to line 42"]
        );
        // A function that may still be loaded is listed, and is not UNVERIFIED.
        let function = BreakpointSpec::at(Place::Function("tax".into()));
        let open = |id| Breakpoint { spec: function.clone(), ..at(id, id, Binding::Unconfirmed) };
        let rendered = unverified(&(1..=6).map(open).collect::<Vec<_>>(), &lens());
        assert_eq!(
            (rendered[4].as_str(), rendered[5].as_str()),
            ("#5 tax · not loaded yet", "+1 more: debug_breakpoints")
        );
    }

    #[test]
    fn list_states_every_binding() {
        let mut conditional = at(1, 41, Binding::Bound { line: Some(42) });
        conditional.spec.condition = Some("total < 0".into());
        conditional.hits = 1;
        let mut log = at(2, 50, Binding::Unconfirmed);
        log.spec.log = Some("total={total}".into());
        (log.spec.every, log.spec.max_hits, log.suppressed, log.hits) = (Some(10), Some(5), 120, 3);
        let function = Breakpoint {
            spec: BreakpointSpec {
                hit_condition: Some("% 3".into()),
                ..BreakpointSpec::at(Place::Function("parse".into()))
            },
            enabled: false,
            author: Author::Editor,
            ..at(3, 1, Binding::Bound { line: None })
        };
        let refused = at(
            4,
            43,
            Binding::Refused {
                reason: "blank line.".into(),
                nearest: Nearest::Lines(vec![41, 44]),
            },
        );
        let report = BreakpointReport {
            all: vec![conditional, log, function, refused],
            added: vec![BreakpointId(2), BreakpointId(4)],
            exceptions: vec!["uncaught".into()],
            unchecked: vec![],
            off: vec![],
            open: None,
            restart: None,
        };
        let text = breakpoints(&report, &lens());
        assert_eq!(
            text.text,
            "4 breakpoints\n \
             #1 cart/pricing.py:41 if total < 0 → bound to line 42 · 1 hit\n\
             +#2 cart/pricing.py:50 · log \"total={total}\" · every 10 · at most 5 · not loaded \
             yet · 3 hits · 120 suppressed\n \
             #3 parse · hits % 3 · set in an editor · disabled\n\
             +#4 cart/pricing.py:43 · UNVERIFIED: blank line; nearest lines with code: 41, 44\n\
             stops on exceptions: uncaught\n\
             error[bp-unverified] cart/pricing.py:43 was not armed. \
             Try: debug_breakpoints {\"remove\": [\"#4\"], \"set\": [\"cart/pricing.py:44\"]}"
        );
        assert!(text.failed.is_none(), "one of two was armed");
    }

    #[test]
    fn breakpoints_on_exceptions_take_the_place_of_the_default() {
        let raised = |id, word: &str, hits| Breakpoint {
            spec: BreakpointSpec::at(Place::Exception(word.into())),
            hits,
            ..at(id, 1, Binding::Bound { line: None })
        };
        let off = Breakpoint { enabled: false, ..raised(5, "all", 0) };
        let mut report = BreakpointReport {
            all: vec![raised(2, "uncaught", 0), raised(3, "KeyError", 2), raised(4, "KeyEror", 0)],
            added: vec![BreakpointId(4)],
            exceptions: vec!["uncaught".into(), "KeyError".into(), "KeyEror".into()],
            unchecked: vec!["KeyError".into(), "KeyEror".into()],
            off: vec![],
            open: None,
            restart: None,
        };
        report.all.push(off);
        assert_eq!(
            breakpoints(&report, &lens()).text,
            "4 breakpoints\n #2 exception uncaught\n #3 exception KeyError · 2 hits\n\
             +#4 exception KeyEror · matched by name, unchecked\n #5 exception all · disabled"
        );
        report.all.remove(0);
        report.exceptions.remove(0);
        report.off = vec!["uncaught".into()];
        let text = breakpoints(&report, &lens()).text.to_string();
        let off = "off now: uncaught; both: debug_breakpoints {\"exceptions\": [\"KeyError\", \
                   \"KeyEror\", \"uncaught\"]}";
        assert_eq!(text.lines().last(), Some(off));
        report.added = vec![];
        let text = breakpoints(&report, &lens()).text.to_string();
        assert!(!text.contains("off now"), "another call chose them: {text}");
    }

    #[test]
    fn unknown_function_lists_similar_names() {
        let names = ["cart.tax", "cart.taxes"].map(str::to_owned).to_vec();
        let binding =
            Binding::Refused { reason: "not found".into(), nearest: Nearest::Functions(names) };
        let refused = Breakpoint {
            spec: BreakpointSpec::at(Place::Function("txa".into())),
            ..at(4, 43, binding)
        };
        assert_eq!(
            described(&refused, &lens()),
            "#4 txa · UNVERIFIED: not found; there are cart.tax, cart.taxes"
        );
        let call = "Try: debug_breakpoints {\"remove\": [\"#4\"], \"set\": [\"cart.tax\"]}";
        assert_eq!(
            refusal(&refused, true, &lens()).text,
            format!("error[bp-unverified] txa was not armed. {call}")
        );
    }

    #[test]
    fn a_call_fails_when_all_it_added_was_refused() {
        let refused =
            at(4, 43, Binding::Refused { reason: "no code".into(), nearest: Nearest::default() });
        let report = BreakpointReport {
            all: vec![refused],
            added: vec![BreakpointId(4)],
            exceptions: vec![],
            unchecked: vec![],
            off: vec![],
            open: None,
            restart: None,
        };
        let text = |report: &BreakpointReport| {
            breakpoints(report, &lens()).failed.map(|failed| failed.text.to_string())
        };
        let [error, next] = [
            "error[bp-unverified] cart/pricing.py:43 was not armed",
            ". Try: debug_breakpoints {\"remove\": [\"#4\"]}",
        ];
        assert_eq!(text(&report), Some(format!("{error}{next}")));
        // It may be meant for another program than the one that is open.
        let open = BreakpointReport { open: Some(SessionId("c-1".into())), ..report };
        let launch = " (for another program: `breakpoints` of debug_launch)";
        assert_eq!(text(&open), Some(format!("{error}{launch}{next}")));
    }

    #[test]
    fn breakpoint_of_an_earlier_session_says_why_it_is_not_armed() {
        let bad = Binding::BadCondition { why: "no such name.".into() };
        let condition = Some("x is None".into());
        let mut refused = at(1, 41, bad);
        refused.spec.condition = condition;
        let foreign = at(2, 50, Binding::Foreign { adapter: "any".into() });
        assert_eq!(
            unverified(&[refused, foreign.clone()], &lens()),
            ["#1 cart/pricing.py:41 if x is None · UNVERIFIED: its condition was refused: no \
                such name. \
              Without it: debug_breakpoints {\"set\": [\"cart/pricing.py:41\"]}"]
        );
        assert_eq!(
            described(&foreign, &lens()),
            "#2 cart/pricing.py:50 · not sent: any debugs other files"
        );
    }

    #[test]
    fn breakpoints_before_a_session_say_what_they_wait_for() {
        let report = BreakpointReport {
            all: vec![at(1, 41, Binding::Pending)],
            added: vec![BreakpointId(1)],
            exceptions: vec![],
            unchecked: vec![],
            off: vec![],
            open: None,
            restart: None,
        };
        assert_eq!(
            breakpoints(&report, &lens()).text,
            "1 breakpoint\n+#1 cart/pricing.py:41 · pending\npending until a session runs: \
            debug_launch"
        );
        let starting = BreakpointReport { open: Some(SessionId("py-1".into())), ..report.clone() };
        assert_eq!(
            breakpoints(&starting, &lens()).text,
            "1 breakpoint\n+#1 cart/pricing.py:41 · pending\npending until the program runs: \
            debug_wait session=py-1"
        );
        let over = BreakpointReport {
            restart: Some((SessionId("py-1".into()), vec![BreakpointId(1)])),
            added: vec![],
            ..report
        };
        assert_eq!(
            breakpoints(&over, &lens()).text,
            "1 breakpoint\n #1 cart/pricing.py:41 · pending: only debug_restart sets it\n\
             pending until a session runs: debug_restart session=py-1"
        );
        let mut hit = over;
        hit.all[0] = Breakpoint { hits: 2, ..at(1, 41, Binding::Bound { line: None }) };
        assert_eq!(
            breakpoints(&hit, &lens()).text,
            "1 breakpoint\n #1 cart/pricing.py:41 · 2 hits\n\
             py-1 has ended: debug_restart session=py-1 sets them again"
        );
    }
}
