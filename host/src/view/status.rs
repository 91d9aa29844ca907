//! Sessions, capabilities, adapters and a session's log.

use super::breakpoint::{described, is_on_exceptions};
use super::stop::class_reason;
use super::text::{Text, counted, cut_middle, one_line, seconds};
use super::{Call, Lens, cap, exit};
use crate::model::{SessionId, SessionStatus};
use crate::session::{LogLines, Standing};

/// An adapter as `debug_status` lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// The name that `debug_launch` takes.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The languages it claims.
    pub languages: Vec<String>,
    /// Whether it can be used, in words.
    pub state: String,
    /// Names of its documents.
    pub documents: Vec<String>,
}

/// All sessions with their states.
pub fn summary(sessions: &[SessionStatus], lens: &Lens) -> Text {
    if sessions.is_empty() {
        let launch = Call::new("debug_launch").with("program", "FILE");
        let adapters = Call::new("debug_status").with("detail", "adapters");
        return Text::lines(["no session is open", &format!("next: {launch} · {adapters}")]);
    }
    let lines = sessions.iter().flat_map(|status| block(status, lens));
    cap(Text::lines(lines), &Call::new("debug_status").with("detail", "adapters"))
}

fn block(status: &SessionStatus, lens: &Lens) -> Vec<String> {
    let at = status.at.as_ref().map(|(class, title, frame)| {
        let place = lens.frame_place(frame).map(|place| format!("  {place}")).unwrap_or_default();
        let title = cut_middle(title, 60).0;
        format!(" {} · {}{place}", class_reason(*class, &title), cut_middle(&frame.name, 60).0)
    });
    let target = cut_middle(&status.target, 100).0;
    let SessionStatus { id, adapter, phase, .. } = status;
    let phase = status.exit.as_ref().map_or_else(|| (*phase).to_owned(), |exit| exit::ended(exit));
    let taken = if status.is_taken { " · taken" } else { "" };
    let mut lines = vec![format!(
        "{id} · {phase}{}{taken} · {target} · {adapter} · {}",
        at.unwrap_or_default(),
        seconds(status.age)
    )];
    let cause = status.exit.as_ref().and_then(|exit| exit.cause.as_ref()?.lines().next());
    lines.extend(cause.map(|cause| format!("  ! {}", cut_middle(cause, 200).0)));
    lines.extend(
        status.breakpoints.iter().map(|breakpoint| format!("  {}", described(breakpoint, lens))),
    );
    let in_force: Vec<_> =
        status.exceptions.iter().filter(|(_, on)| *on).map(|(name, _)| name.as_str()).collect();
    // An ended session has no exceptions to stop at; those of the caller are breakpoints.
    let is_over = status.exit.is_some() || status.phase == "ended";
    let are_listed = status.breakpoints.iter().any(is_on_exceptions);
    if !in_force.is_empty() && !is_over && !are_listed {
        lines.push(format!("  stops on exceptions: {}", in_force.join(", ")));
    }
    if !status.watches.is_empty() {
        lines.push(format!("  watches: {}", status.watches.join(" · ")));
    }
    lines
}

/// The capabilities of a session's adapter.
pub fn capabilities(status: &SessionStatus) -> Text {
    let words =
        |words: Vec<&str>| if words.is_empty() { "none".to_owned() } else { words.join(", ") };
    // An adapter states its capabilities when it starts.
    let rendered = match status.phase {
        "ended" => "unknown: the session has ended".to_owned(),
        "preparing" => "unknown: the session is still preparing".to_owned(),
        _ => words(status.capabilities.iter().map(String::as_str).collect()),
    };
    let exceptions = status.exceptions.iter().map(|(name, _)| name.as_str()).collect();
    Text::lines([
        format!("{} · {}", status.id, status.adapter),
        format!("capabilities: {rendered}"),
        format!("exceptions: {}", words(exceptions)),
    ])
}

/// Where an adapter's program is; only a launch shows whether it works.
pub fn standing(standing: &Standing) -> String {
    match standing {
        Standing::There { path, .. } => format!("found {}", path.display()),
        Standing::TooOld { path, version, hint } => {
            format!("too old ({version}) {} · {hint}", path.display())
        }
        Standing::Misconfigured { problem, hint } => format!("not usable · {problem}: {hint}"),
        Standing::Installable { command } => format!("not found · `{command}` installs it"),
        Standing::OtherPlatform { hint } | Standing::Missing { hint } => {
            format!("not found · {hint}")
        }
    }
}

/// Every adapter that is configured.
pub fn adapters(adapters: &[Adapter], notes: &[String]) -> Text {
    if adapters.is_empty() {
        return Text::line("no adapter is configured");
    }
    let mut lines = Vec::new();
    for Adapter { name, title, languages, state, documents } in adapters {
        lines.push(format!("{name} · {title} · {} · {state}", languages.join(", ")));
        if !documents.is_empty() {
            lines.push(format!("  documents: {}", documents.join(", ")));
        }
    }
    if let Some(example) = adapters.iter().find(|adapter| !adapter.documents.is_empty()) {
        let document = example.documents.first().map_or("", String::as_str);
        let call = Call::new("debug_status").with("adapter", example.name.as_str());
        lines.push(format!("next: {}", call.with("document", document)));
    }
    for note in notes {
        lines.push(format!("note: {}", one_line(note)));
    }
    cap(Text::lines(lines), &Call::new("debug_status"))
}

/// Lines on a page of a log.
const LINES: u64 = 100;

/// A page of a log: the number of its first line, and the lines. The last 100 lines, or 100 lines
/// from `since` on.
pub fn log_page(log: &LogLines, since: Option<u64>) -> (u64, &[String]) {
    let end = log.first + log.lines.len() as u64;
    let from = since.unwrap_or(end.saturating_sub(LINES)).clamp(log.first, end);
    let to = (from + LINES).min(end);
    (from, &log.lines[(from - log.first) as usize..(to - log.first) as usize])
}

/// A page of the session's log, or of its DAP messages; `detail`: which of them.
pub fn log(
    log: &LogLines,
    detail: &'static str,
    since: Option<u64>,
    session: &SessionId,
    lens: &Lens,
) -> Text {
    let (from, displayed) = log_page(log, since);
    let to = from + displayed.len() as u64;
    let call = lens.call("debug_status", session).with("detail", detail);
    let mut text: Vec<_> = displayed.iter().map(|line| cut_middle(line, 300).0).collect();
    if since.is_some_and(|since| since < from) {
        text.insert(
            0,
            format!(
                "({} before these are no longer kept)",
                counted(from - since.unwrap_or(from), "line")
            ),
        );
    } else if from > log.first && since.is_none() {
        let earlier = call.clone().with("since", from.saturating_sub(LINES).max(log.first));
        text.insert(0, format!("({} before these: {earlier})", counted(from - log.first, "line")));
    }
    if lens.usual.as_ref() != Some(session) {
        text.insert(0, format!("{detail} of {session}"));
    }
    let next = format!("next: {}", call.clone().with("since", to));
    let mut text = cap(Text::lines(text), &call.with("since", to.saturating_sub(20)));
    text.push(next);
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::{Binding, Exit, ExitStatus, Rung, StopClass};
    use crate::view::sample::{self, breakpoint, lens};

    fn status() -> SessionStatus {
        SessionStatus {
            id: SessionId("py-3f9c".into()),
            adapter: "snake".into(),
            target: "run.py --fast".into(),
            phase: "stopped",
            at: Some((StopClass::Exception, "ValueError".into(), sample::stop().frames.remove(0))),
            capabilities: vec!["setVariable".into(), "stepBack".into()],
            breakpoints: vec![breakpoint(1, 41, Binding::Bound { line: Some(41) }, 2)],
            exceptions: vec![("uncaught".into(), true), ("all".into(), false)],
            watches: vec!["len(items)".into()],
            age: Duration::from_secs(61),
            exit: None,
            is_taken: false,
        }
    }

    #[test]
    fn session_takes_few_lines() {
        assert_eq!(
            summary(&[status()], &lens()),
            "py-3f9c · stopped exception ValueError · apply_discount  cart/pricing.py:41 · run.py \
            --fast · snake · 61.0 s\n  \
               #1 cart/pricing.py:41 · 2 hits\n  \
               stops on exceptions: uncaught\n  \
               watches: len(items)"
        );
        let ended = SessionStatus {
            exit: Some(sample::exit(ExitStatus::Code(3), Rung::Natural).into()),
            phase: "ended",
            at: None,
            breakpoints: vec![],
            watches: vec![],
            ..status()
        };
        assert_eq!(
            summary(std::slice::from_ref(&ended), &lens()),
            "py-3f9c · exited with code 3 · run.py --fast · snake · 61.0 s"
        );
        let cause = Some("the program does not build\na.c:1: x is not declared".to_owned());
        let exit = Exit {
            status: ExitStatus::Unknown,
            cause,
            ..sample::exit(ExitStatus::Unknown, Rung::Natural)
        };
        let failed = SessionStatus { exit: Some(exit.into()), ..ended };
        assert_eq!(
            summary(&[failed], &lens()),
            "py-3f9c · the session failed · run.py --fast · snake · 61.0 s\n  ! the program does \
            not build"
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
        for (phase, rendered) in [
            ("ended", "unknown: the session has ended"),
            ("preparing", "unknown: the session is still preparing"),
        ] {
            let other = SessionStatus { phase, capabilities: vec![], ..status() };
            let text =
                format!("py-3f9c · snake\ncapabilities: {rendered}\nexceptions: uncaught, all");
            assert_eq!(capabilities(&other), text);
        }
        let adapter = Adapter {
            name: "snake".into(),
            title: "Snakes".into(),
            languages: vec!["adder".into()],
            state: "ready".into(),
            documents: vec!["cli".into(), "reference".into()],
        };
        let rendered = "snake · Snakes · adder · ready\n  documents: cli, reference\n\
            next: debug_status adapter=snake document=cli\nnote: [tools.adr] is no plugin's tool";
        assert_eq!(adapters(&[adapter], &["[tools.adr] is no plugin's tool".into()]), rendered);
    }

    /// Lines are numbered for good: a cursor means the same after the oldest are forgotten.
    #[test]
    fn the_log_is_paged_by_line_numbers() {
        let retained =
            LogLines { first: 500, lines: (500..803).map(|n| format!("line {n}")).collect() };
        for (since, first, last, next) in [
            (None, "(203 lines before these: debug_status detail=log since=603)", "line 802", 803),
            (Some(0), "(500 lines before these are no longer kept)", "line 599", 600),
            (Some(603), "line 603", "line 702", 703),
            (Some(800), "line 800", "line 802", 803),
            (Some(803), "", "", 803),
            (Some(9_999), "", "", 803),
        ] {
            let text = log(&retained, "log", since, &SessionId("py-3f9c".into()), &lens());
            let lines: Vec<_> = text.lines().collect();
            assert_eq!((lines[0], lines[lines.len() - 2]), (first, last), "{since:?}");
            assert_eq!(
                lines[lines.len() - 1],
                format!("next: debug_status detail=log since={next}")
            );
        }
        let few = LogLines { first: 0, lines: vec!["one".into()] };
        assert_eq!(
            log(&few, "log", None, &SessionId("py-3f9c".into()), &lens()),
            "one\nnext: debug_status detail=log since=1"
        );
    }
}
