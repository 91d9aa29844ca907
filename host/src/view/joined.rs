//! Several callers of one session: what a person did for an agent to read, and what happens for a
//! person to watch.

use super::text::{Text, counted, cut_end};
use super::{Lens, STOP_TOKENS, ended, exit, output, stop, unmarked};
use crate::model::{SessionId, SessionStatus, Stream};
use crate::session::{Door, GivenBack, LiveEvent, State};

/// Characters of a call, or of the first line of its answer.
const WIDTH: usize = 200;

/// A call, or the first line of an answer, as part of a line.
pub fn head(text: &str) -> String {
    cut_end(&unmarked(text.lines().next().unwrap_or_default()), WIDTH).0
}

/// What a person did with a session, in front of an answer.
pub fn given_back(back: &GivenBack, status: &SessionStatus, lens: &Lens) -> Text {
    let end = if status.exit.is_some() { "until its end" } else { "and gave it back" };
    let calls = match back.earlier + back.deeds.len() as u64 {
        0 => "no call changed anything".to_owned(),
        count => format!("{}:", counted(count, "call")),
    };
    let id = &status.id;
    let mut text = Text::line(if back.was_taken {
        format!("a person had {id} {end}; {calls}")
    } else {
        format!("a person used {id}; {calls}")
    });
    if back.earlier > 0 {
        text.push(format!("- ({} left out)", counted(back.earlier, "earlier call")));
    }
    for deed in &back.deeds {
        text.push(format!("- {}: {}", deed.call, deed.answer));
    }
    text.push(format!("now: {}", standing(status, lens)));
    text.push("");
    text
}

/// Where the program is.
fn standing(status: &SessionStatus, lens: &Lens) -> String {
    if let Some(end) = &status.exit {
        return ended(end);
    }
    let at = status.at.as_ref().map(|(_, _, frame)| {
        let place = lens.frame_place(frame).map(|place| format!("  {place}"));
        format!(" in {}{}", cut_end(&frame.name, 60).0, place.unwrap_or_default())
    });
    format!("{}{}", status.phase, at.unwrap_or_default())
}

/// The note under the answer of a call that was made before a person took the session.
pub fn taken_meanwhile(session: &SessionId, lens: &Lens) -> String {
    let wait = lens.call("debug_wait", session);
    format!("note: a person has taken this session; {wait} returns when it is given back")
}

/// The kind of an event, for programs that show it, and its text. `None`: watchers see none.
pub fn live(event: &LiveEvent, session: &SessionId, lens: &Lens) -> Option<(&'static str, Text)> {
    Some(match event {
        LiveEvent::Stopped(at_stop) => ("stop", stop(at_stop, lens, STOP_TOKENS)),
        LiveEvent::Output(line) if line.stream == Stream::Adapter => return None,
        LiveEvent::Output(line) => {
            let stream = if line.stream == Stream::Stdout { "stdout| " } else { "" };
            let line = output::printed(line, usize::MAX);
            ("output", Text::line(format!("{stream}{line}")))
        }
        LiveEvent::State(State::Running) => ("state", Text::line("▶ running")),
        LiveEvent::State(State::Idle) => ("state", Text::line("▶ idle: no program runs")),
        LiveEvent::State(_) | LiveEvent::Breakpoints => return None,
        LiveEvent::Called(door, call) => {
            ("call", Text::line(format!("{} calls {call}", who(*door))))
        }
        LiveEvent::Answered(door, tool, answer) => {
            ("call", Text::line(format!("{} gets of {tool}: {answer}", who(*door))))
        }
        LiveEvent::Taken => ("claim", Text::line(format!("{session} is taken"))),
        LiveEvent::Given => ("claim", Text::line(format!("{session} is given back"))),
        LiveEvent::Ended(end) => ("end", exit(end, lens)),
    })
}

fn who(door: Door) -> &'static str {
    match door {
        Door::Agent => "the agent",
        Door::Terminal | Door::Host => "a terminal",
        Door::Editor => "an editor",
    }
}

/// The last line of a watch.
pub fn watched(status: &SessionStatus) -> Text {
    let end = status.exit.as_ref().map_or_else(|| "ended".to_owned(), |end| ended(end));
    Text::line(format!("the session {} is over: {end}", status.id))
}

/// Events that a watcher was too slow for.
pub fn left_out(count: u64) -> Text {
    let be = if count == 1 { "was" } else { "were" };
    Text::line(format!("{} {be} left out", counted(count, "event")))
}

/// The answer to a person who takes a session. `is_new`: it was not taken before.
pub fn taken(session: &SessionId, is_new: bool) -> Text {
    let state = if is_new { "taken" } else { "taken before" };
    Text::line(format!(
        "{session} is {state}: agents read it, and only commands move it until \
         `dapdock give {session}`"
    ))
}

/// For a person whose editor takes a session by a move.
pub fn taken_in_editor(session: &SessionId) -> Text {
    Text::line(format!(
        "{session} is taken: agents read it and do not move it until you disconnect, or until \
         `dapdock give {session}`"
    ))
}

/// What an editor needs to join a session: the place, and a configuration of `launch.json`.
pub fn mirrored(session: &SessionId, port: u16, editor_type: &str) -> Text {
    let mut text = Text::line(format!(
        "{session} is mirrored at 127.0.0.1:{port}: an editor that attaches there joins it; \
         ctrl-C ends the mirror, and never the program"
    ));
    let kind = format!(r#""name": "{session}", "type": "{editor_type}""#);
    let place = format!(r#""request": "attach", "debugServer": {port}"#);
    text.push(format!("launch.json: {{{kind}, {place}}}"));
    text
}

/// An editor has joined a session, or has left it.
pub fn editor(name: &str, has_joined: bool) -> Text {
    let what = if has_joined { "has joined" } else { "has left" };
    Text::line(format!("{name} {what}"))
}

/// The system accepts no connection of an editor.
pub fn no_editor(why: &str) -> Text {
    Text::line(format!("no editor can connect now: {why}"))
}

/// The last line of a mirror.
pub fn unmirrored(session: &SessionId, is_over: bool) -> Text {
    let why = if is_over { "; the session has ended" } else { "" };
    Text::line(format!("the mirror of {session} is closed{why}"))
}

/// The answer to a person who gives a session back.
pub fn given(session: &SessionId, was_taken: bool) -> Text {
    Text::line(if was_taken {
        format!("{session} is given back: the next answer to its agent begins with what you did")
    } else {
        format!("{session} was not taken")
    })
}

/// The answer to a person who gives a session back whose agent has gone.
pub fn given_to_nobody(session: &SessionId) -> Text {
    Text::line(format!("{session} is given back and ends: its agent has gone"))
}

#[cfg(test)]
mod tests {
    use super::super::sample::lens;
    use super::*;
    use crate::model::OutputLine;

    fn printed(event: &LiveEvent) -> Option<(&'static str, String)> {
        let (kind, text) = live(event, &SessionId("py-1".into()), &lens())?;
        Some((kind, text.into()))
    }

    #[test]
    fn events_are_lines() {
        let output = |stream, text: &str| {
            let (text, complete) = (text.to_owned(), true);
            LiveEvent::Output(OutputLine { number: 1, stream, text, complete })
        };
        let call = "debug_step kind=over".to_owned();
        for (event, kind, text) in [
            (output(Stream::Stdout, "■ one"), "output", "stdout| ■ one"),
            (output(Stream::Log, "x=1"), "output", "log| x=1"),
            (LiveEvent::State(State::Running), "state", "▶ running"),
            (LiveEvent::Called(Door::Agent, call), "call", "the agent calls debug_step kind=over"),
            (
                LiveEvent::Answered(Door::Terminal, "debug_step", "■ stopped".into()),
                "call",
                "a terminal gets of debug_step: ■ stopped",
            ),
            (LiveEvent::Called(Door::Editor, "next".into()), "call", "an editor calls next"),
            (LiveEvent::Taken, "claim", "py-1 is taken"),
            (LiveEvent::Given, "claim", "py-1 is given back"),
        ] {
            assert_eq!(printed(&event), Some((kind, text.to_owned())));
        }
        assert_eq!(printed(&output(Stream::Adapter, "adapter")), None);
        // Its stop is an event of its own.
        assert_eq!(printed(&LiveEvent::State(State::Stopped)), None);
    }

    #[test]
    fn mirror_has_a_configuration_for_an_editor() {
        let text = mirrored(&SessionId("py-1".into()), 4711, "x");
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].starts_with("py-1 is mirrored at 127.0.0.1:4711: "), "{text}");
        assert_eq!(
            lines[1],
            "launch.json: {\"name\": \"py-1\", \"type\": \"x\", \"request\": \"attach\", \
             \"debugServer\": 4711}"
        );
    }

    #[test]
    fn first_line_is_cut() {
        assert_eq!(head("one\ntwo"), "one");
        assert_eq!(head(&"x".repeat(300)).chars().count(), WIDTH);
        assert_eq!(&*left_out(1), "1 event was left out");
        assert_eq!(&*left_out(2), "2 events were left out");
    }
}
