//! Sessions, capabilities, adapters and a session's log.

use super::breakpoint::described;
use super::stop::class_reason;
use super::text::{counted, cut_middle, one_line, seconds};
use super::{Call, Lens, cap};
use crate::model::{SessionId, SessionStatus};

/// An adapter as `debug_status` lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// The name that `debug_launch` takes.
    pub name: String,
    /// What it is.
    pub title: String,
    /// The languages it claims.
    pub languages: Vec<String>,
    /// Whether it can be used, in words.
    pub state: String,
}

/// All sessions, each with where it stands.
pub fn summary(sessions: &[SessionStatus], lens: &Lens) -> String {
    if sessions.is_empty() {
        return "no session is open\nnext: debug_launch program=FILE · debug_status detail=adapters".to_owned();
    }
    let blocks: Vec<_> = sessions.iter().map(|status| block(status, lens)).collect();
    cap(blocks.join("\n"), &Call::new("debug_status").with("detail", "adapters"))
}

fn block(status: &SessionStatus, lens: &Lens) -> String {
    let at = status.at.as_ref().map(|(class, frame)| {
        let place = lens.frame_place(frame).map(|place| format!("  {place}")).unwrap_or_default();
        format!(" {} · {}{place}", class_reason(*class, ""), cut_middle(&frame.name, 60).0)
    });
    let target = cut_middle(&one_line(&status.target), 100).0;
    let SessionStatus { id, adapter, phase, .. } = status;
    let mut lines =
        vec![format!("{id} · {phase}{} · {target} · {adapter} · {}", at.unwrap_or_default(), seconds(status.age))];
    lines.extend(status.breakpoints.iter().map(|breakpoint| format!("  {}", described(breakpoint, lens))));
    let in_force: Vec<_> = status.exceptions.iter().filter(|(_, on)| *on).map(|(name, _)| name.as_str()).collect();
    if !in_force.is_empty() {
        lines.push(format!("  stops on exceptions: {}", in_force.join(", ")));
    }
    if !status.watches.is_empty() {
        lines.push(format!("  watches: {}", status.watches.join(" · ")));
    }
    lines.join("\n")
}

/// What a session's adapter can do.
pub fn capabilities(status: &SessionStatus) -> String {
    let words = |words: Vec<&str>| if words.is_empty() { "none".to_owned() } else { words.join(", ") };
    let exceptions = status.exceptions.iter().map(|(name, _)| name.as_str()).collect();
    format!(
        "{} · {}\ncapabilities: {}\nexceptions: {}",
        status.id,
        status.adapter,
        words(status.capabilities.iter().map(String::as_str).collect()),
        words(exceptions)
    )
}

/// Every adapter that is configured.
pub fn adapters(adapters: &[Adapter]) -> String {
    let one = |adapter: &Adapter| {
        let Adapter { name, title, languages, state } = adapter;
        format!("{name} · {title} · {} · {state}", languages.join(", "))
    };
    match adapters {
        [] => "no adapter is configured".to_owned(),
        _ => cap(adapters.iter().map(one).collect::<Vec<_>>().join("\n"), &Call::new("debug_status")),
    }
}

/// The session's log from line `since` on; the last 100 of it.
pub fn log(lines: &[String], since: u64, session: &SessionId, lens: &Lens) -> String {
    const SHOWN: usize = 100;
    let from = usize::try_from(since).unwrap_or(usize::MAX).min(lines.len());
    let wanted = &lines[from..];
    let skipped = wanted.len().saturating_sub(SHOWN);
    let mut text: Vec<_> = wanted[skipped..].iter().map(|line| cut_middle(&one_line(line), 300).0).collect();
    if skipped > 0 {
        text.insert(0, format!("({} before these)", counted(skipped as u64, "line")));
    }
    let call = lens.call("debug_status", session).with("detail", "log");
    let next = format!("next: {}", call.clone().with("since", lines.len() as u64));
    format!("{}\n{next}", cap(text.join("\n"), &call.with("since", lines.len().saturating_sub(20) as u64)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::{Binding, StopClass};
    use crate::view::sample::{self, breakpoint, lens};

    fn status() -> SessionStatus {
        SessionStatus {
            id: SessionId("py-3f9c".into()),
            adapter: "snake".into(),
            target: "run.py --fast".into(),
            phase: "stopped",
            at: Some((StopClass::Step, sample::stop().frames.remove(0))),
            capabilities: vec!["setVariable".into(), "stepBack".into()],
            breakpoints: vec![breakpoint(1, 41, Binding::Bound { line: Some(41) }, 2)],
            exceptions: vec![("uncaught".into(), true), ("all".into(), false)],
            watches: vec!["len(items)".into()],
            age: Duration::from_secs(61),
        }
    }

    #[test]
    fn a_session_is_told_in_few_lines() {
        assert_eq!(
            summary(&[status()], &lens()),
            "py-3f9c · stopped after step · apply_discount  cart/pricing.py:41 · run.py --fast · snake · 61.0 s\n  \
               #1 cart/pricing.py:41 · 2 hits\n  \
               stops on exceptions: uncaught\n  \
               watches: len(items)"
        );
        assert_eq!(
            summary(&[], &lens()),
            "no session is open\nnext: debug_launch program=FILE · debug_status detail=adapters"
        );
    }

    #[test]
    fn details_have_pages_of_their_own() {
        assert_eq!(
            capabilities(&status()),
            "py-3f9c · snake\ncapabilities: setVariable, stepBack\nexceptions: uncaught, all"
        );
        let adapter = Adapter {
            name: "snake".into(),
            title: "Snakes".into(),
            languages: vec!["adder".into()],
            state: "ready".into(),
        };
        assert_eq!(adapters(&[adapter]), "snake · Snakes · adder · ready");
        let lines: Vec<_> = (0..103).map(|n| format!("line {n}")).collect();
        let text = log(&lines, 1, &SessionId("py-1".into()), &lens());
        assert!(text.starts_with("(2 lines before these)\nline 3\n"), "{text}");
        assert!(text.ends_with("line 102\nnext: debug_status detail=log since=103"), "{text}");
    }
}
