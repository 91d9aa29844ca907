//! The end of a session: code or signal, last output, and the breakpoints without effect.

use super::breakpoint::{described, is_foreign, is_refused};
use super::call::{with_options, written};
use super::note::note;
use super::text::{Text, because, cut_middle, took};
use super::{Call, Lens, output};
use crate::model::{Again, Binding, Breakpoint, Exit, ExitStatus, Rung, SessionId};
use crate::session::{is_exception_word, is_short_of};

/// The end of a session.
pub fn exit(exit: &Exit, lens: &Lens) -> Text {
    let mut lines =
        vec![format!("□ {} · {} · {}", ended(exit), exit.session, took(exit.elapsed, exit.built))];
    let why = exit.cause.iter().chain(&exit.means);
    lines.extend(why.map(|why| format!("! {}", cut_middle(why, 600).0)));
    lines.extend(output::tail(&exit.output, &exit.session, lens));
    if exit.log_hits > 0 {
        let call = lens
            .call("debug_output", &exit.session)
            .with("stream", "log")
            .with("since", exit.output.since);
        lines.push(format!(
            "log breakpoints +{} ({call})",
            super::text::counted(exit.log_hits as u64, "hit")
        ));
    }
    lines.extend(idle(exit, lens));
    lines.extend(exit.notes.iter().map(|one| format!("note: {}", note(one, lens))));
    lines.push(match &exit.again {
        // By name: another session may be the only open one by now.
        Again::Restart => {
            let call = Call::new("debug_restart").with("session", exit.session.to_string());
            format!("next: {call} starts it again")
        }
        Again::Following { call, options } => {
            format!("next: {} starts what follows", with_options(call, options))
        }
        Again::Call(call) => format!("next: {} attaches again", written(call)),
        Again::Command => "the session stays open for commands".to_owned(),
        Again::Nothing => {
            format!("next: {}", Call::new("debug_output").with("session", exit.session.0.as_str()))
        }
    });
    Text::lines(lines)
}

/// The sessions that ran before this one in the same call.
pub fn earlier(sessions: &[SessionId]) -> String {
    let names: Vec<&str> = sessions.iter().map(|id| id.0.as_str()).collect();
    format!("before it, exited with code 0: {}", names.join(", "))
}

/// The kind of the end in a few words.
pub fn ended(exit: &Exit) -> String {
    match (exit.status, exit.rung) {
        (ExitStatus::Unknown | ExitStatus::Requested, _) if exit.cause.is_some() => {
            "the session failed".to_owned()
        }
        // An adapter may have to be ended after the debuggee went by itself: a code is the
        // debuggee's own, and so is every signal that the ladder does not send.
        (ExitStatus::Code(code), _) => format!("exited with code {code}"),
        (ExitStatus::Signal(signal), rung)
            if rung == Rung::Natural || !matches!(signal, 9 | 15) =>
        {
            format!("ended by signal {}", signal_name(signal))
        }
        (ExitStatus::Detached, _) => "detached; the process keeps running".to_owned(),
        (ExitStatus::NotAttached, _) => "gave up before attaching".to_owned(),
        (ExitStatus::Unknown, _) | (ExitStatus::Requested, Rung::Natural) => "ended".to_owned(),
        (_, Rung::Kill) => "killed; it did not end on request".to_owned(),
        _ => "ended; no process is left".to_owned(),
    }
}

/// `SIGSEGV (11)`; numbers as on Linux.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        10 => "SIGUSR1",
        11 => "SIGSEGV",
        12 => "SIGUSR2",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        16 => "SIGSTKFLT",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        26 => "SIGVTALRM",
        27 => "SIGPROF",
        29 => "SIGIO",
        30 => "SIGPWR",
        31 => "SIGSYS",
        _ => return signal.to_string(),
    };
    format!("{name} ({signal})")
}

/// Breakpoints that never bound or were never hit.
fn idle(exit: &Exit, lens: &Lens) -> Vec<String> {
    let (mut unbound, mut unhit, mut short) = (Vec::new(), Vec::new(), Vec::new());
    let waits = |one: &&Breakpoint| one.enabled && !is_filter(one);
    for breakpoint in exit.breakpoints.iter().filter(waits) {
        let line = format!("  {}", described(breakpoint, lens));
        let is_pending = matches!(breakpoint.binding, Binding::Pending | Binding::Unconfirmed);
        if breakpoint.hits > 0 && is_short(breakpoint) {
            short.push(line.clone());
        }
        if is_pending || is_refused(breakpoint) {
            unbound.push(line);
        } else if breakpoint.hits == 0 && !is_foreign(breakpoint) {
            unhit.push(line);
        }
    }
    let mut lines = Vec::new();
    for (title, listed) in [
        ("never bound:".to_owned(), unbound),
        (format!("never hit{}:", because(exit.unfollowed.as_deref())), unhit),
        ("hit count not reached:".to_owned(), short),
    ] {
        if !listed.is_empty() {
            lines.push(title);
            lines.extend(listed.into_iter().take(10));
        }
    }
    lines
}

/// Whether it stops at whatever fails: without a hit nothing has failed.
fn is_filter(breakpoint: &Breakpoint) -> bool {
    breakpoint.spec.place.exception().is_some_and(is_exception_word)
}

/// Whether its hits are too few for its hit condition.
fn is_short(breakpoint: &Breakpoint) -> bool {
    let counts = breakpoint.spec.hit_condition.as_deref();
    counts.is_some_and(|counts| is_short_of(breakpoint.hits, counts))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::view::sample::{self, breakpoint, lens, output_note};

    #[test]
    fn exit_states_code_output_and_idle_breakpoints() {
        let mut it = sample::exit(ExitStatus::Code(3), Rung::Natural);
        it.output = output_note();
        it.breakpoints = vec![
            breakpoint(1, 41, Binding::Bound { line: Some(41) }, 2),
            breakpoint(2, 50, Binding::Bound { line: Some(50) }, 0),
            breakpoint(
                3,
                99,
                Binding::Refused {
                    reason: "no code".into(),
                    nearest: crate::model::Nearest::Lines(vec![98]),
                },
                0,
            ),
        ];
        assert_eq!(
            exit(&it, &lens()),
            "□ exited with code 3 · py-3f9c · 40 ms\n\
             output +2 lines:\n  start\n  applying…\n\
             never bound:\n  #3 cart/pricing.py:99 · UNVERIFIED: no code; nearest line with code: \
             98\n\
             never hit:\n  #2 cart/pricing.py:50\n\
             next: debug_restart session=py-3f9c starts it again"
        );
        let counted = |hits| {
            let mut one = breakpoint(1, 41, Binding::Bound { line: Some(41) }, hits);
            one.spec.hit_condition = Some("> 4".into());
            exit(&Exit { breakpoints: vec![one], ..it.clone() }, &lens())
        };
        assert!(
            counted(4).contains(
                "\nhit count not reached:\n  #1 cart/pricing.py:41 · hits > 4 · 4 hits\n"
            ),
            "{}",
            counted(4)
        );
        assert!(!counted(5).contains("hit count not reached"), "{}", counted(5));
        let raised = |word: &str| {
            let mut one = breakpoint(4, 1, Binding::Bound { line: None }, 0);
            one.spec.place = crate::model::Place::Exception(word.into());
            exit(&Exit { breakpoints: vec![one], ..it.clone() }, &lens())
        };
        assert!(
            raised("Gone").contains("\nnever hit:\n  #4 exception Gone\n"),
            "{}",
            raised("Gone")
        );
        assert!(!raised("all").contains("never hit"), "{}", raised("all"));
        it.unfollowed = Some("children go unseen".into());
        assert!(
            exit(&it, &lens()).contains("\nnever hit (children go unseen):\n  #2 "),
            "{}",
            exit(&it, &lens())
        );
        it.means = Some("no test ran".into());
        assert!(
            exit(&it, &lens()).contains(" · 40 ms\n! no test ran\noutput +2 lines"),
            "{}",
            exit(&it, &lens())
        );
        it.means = None;
        (it.elapsed, it.built) = (Duration::from_millis(4_500), Some(Duration::from_millis(4_100)));
        it.again = Again::Nothing;
        let text = exit(&it, &lens());
        assert!(
            text.starts_with("□ exited with code 3 · py-3f9c · 4.5 s, prepared in 4.1 s\n"),
            "{text}"
        );
        assert!(text.ends_with("\nnext: debug_output session=py-3f9c"), "{text}");
        let call = r#"debug_launch {"command": "cargo test"}"#.to_owned();
        it.again = Again::Following { call, options: r#"{"skip_binaries":1}"#.into() };
        let text = exit(&it, &lens());
        let next = "\nnext: debug_launch {\"command\": \"cargo test\", \"options\": \
            {\"skip_binaries\": 1}} starts what follows";
        assert!(text.ends_with(next), "{text}");
        it.again = Again::Call(r#"debug_attach {"pid": 7}"#.into());
        let text = exit(&it, &lens());
        assert!(text.ends_with("\nnext: debug_attach {\"pid\": 7} attaches again"), "{text}");
    }

    #[test]
    fn endings_have_words() {
        let first = |status, rung| {
            exit(&sample::exit(status, rung), &lens()).lines().next().unwrap_or_default().to_owned()
        };
        assert_eq!(
            first(ExitStatus::Signal(11), Rung::Natural),
            "□ ended by signal SIGSEGV (11) · py-3f9c · 40 ms"
        );
        assert_eq!(
            first(ExitStatus::Signal(9), Rung::Kill),
            "□ killed; it did not end on request · py-3f9c · 40 ms"
        );
        assert_eq!(
            first(ExitStatus::Detached, Rung::Disconnect),
            "□ detached; the process keeps running · py-3f9c · 40 ms"
        );
        let given_up = "□ gave up before attaching · py-3f9c · 40 ms";
        assert_eq!(first(ExitStatus::NotAttached, Rung::Disconnect), given_up);
        assert_eq!(
            first(ExitStatus::Code(0), Rung::Disconnect),
            "□ exited with code 0 · py-3f9c · 40 ms"
        );
        assert_eq!(
            first(ExitStatus::Code(0), Rung::Term),
            "□ exited with code 0 · py-3f9c · 40 ms"
        );
        assert_eq!(
            first(ExitStatus::Signal(11), Rung::Term),
            "□ ended by signal SIGSEGV (11) · py-3f9c · 40 ms"
        );
        assert_eq!(first(ExitStatus::Unknown, Rung::Disconnect), "□ ended · py-3f9c · 40 ms");
        let requested = first(ExitStatus::Requested, Rung::Terminate);
        assert_eq!(requested, "□ ended; no process is left · py-3f9c · 40 ms");
        for rung in [Rung::Natural, Rung::Disconnect, Rung::Kill] {
            let failed = Exit {
                cause: Some("the adapter ended".into()),
                ..sample::exit(ExitStatus::Unknown, rung)
            };
            let failed = exit(&failed, &lens());
            assert!(
                failed.starts_with("□ the session failed · py-3f9c · 40 ms\n! the adapter ended\n"),
                "{failed}"
            );
        }
    }
}
