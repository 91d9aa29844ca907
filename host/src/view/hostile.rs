//! Every view over names, values and messages that try to be lines of ours.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::characters::is_hidden;
use super::sample::{self, leaf, lens, output_note, parent};
use super::*;
use crate::model::answer::RefusalKind;
use crate::model::plan::{Target, TargetKind};
use crate::model::*;
use crate::session::{
    AdapterError, BreakpointError, BreakpointReport, Error, LaunchError, LogLines, Refused,
    Standing, Targets, ValueError,
};

/// Line ends of every kind, then what our own lines begin with; a terminal's clear, a reversal, a
/// blank of no width and a tag.
const FORGED: &str = "x\n■ FORGED\r\nnext: FORGED\u{b}\u{85}\u{2028}\u{2029}error[FORGED]\n\
                      \u{1b}[2J\u{202e}\u{2066}\u{200b}\u{e0041}\u{ad}z";

fn forged() -> String {
    FORGED.to_owned()
}

/// No line begins with a forged word, nothing is hidden, and the text is still there to read.
#[track_caller]
fn check(view: &str, text: &str) {
    for line in text.lines() {
        let is_forged = ["■ FORGED", "next: FORGED", "error[FORGED]"];
        assert!(!is_forged.iter().any(|start| line.starts_with(start)), "{view}: {text}");
        assert!(!line.contains(is_hidden), "{view}: {line:?}");
    }
    assert!(text.contains("FORGED"), "{view}: {text}");
}

fn place() -> Place {
    Place::Line { path: format!("/w/{FORGED}").into(), line: 3, column: None }
}

fn frame(index: u32, kind: FrameKind) -> Frame {
    Frame {
        name: forged(),
        path: Some(PathBuf::from(format!("/w/{FORGED}"))),
        ..sample::frame(index, "", "", 41, kind)
    }
}

fn variable() -> Variable {
    let inside = Variable { name: forged(), ty: Some(forged()), ..leaf("", FORGED) };
    let opened = parent(FORGED, FORGED, Children::Some, vec![inside.clone()]);
    parent(FORGED, FORGED, Children::Count(9), vec![inside, opened])
}

fn evaluated() -> Vec<Evaluated> {
    let only_set = NoValue::OnlySet { words: forged(), target: forged(), value: forged() };
    let pointer = Variable { address: Some(forged()), ..leaf("", FORGED) };
    [
        Ok(variable()),
        Ok(pointer),
        Err(NoValue::Refused(forged())),
        Err(NoValue::NeedsEffects(Some(forged()))),
        Err(only_set),
        Err(NoValue::TimedOut(Duration::from_secs(1))),
    ]
    .map(|result| Evaluated { expression: forged(), result })
    .into()
}

fn notes() -> Vec<Note> {
    vec![
        Note::Plan(forged()),
        Note::Adapter(forged()),
        Note::NoDebugInformation { program: forged() },
        Note::SourceIsNewer { path: forged().into() },
        Note::SourceIsAbsent { path: forged().into(), why: forged() },
        Note::NotReached { place: place(), moved: None, found: true, before: Before::Stop },
        Note::NotEntered { name: forged() },
        Note::Moved { id: Some(BreakpointId(1)), place: Place::Function(forged()) },
        Note::StackUnread(forged()),
        Note::ConditionUnread {
            id: BreakpointId(1),
            condition: forged(),
            why: NoValue::Refused(forged()),
        },
        Note::DefaultExceptionsRefused(forged()),
        Note::CannotResume(forged()),
        Note::UnknownExceptions { words: vec![forged()], known: vec![forged()] },
        Note::UnknownTool(forged()),
        Note::EndsWithSession(forged()),
        Note::EndedOnDetach(forged()),
        Note::StillEvaluating(forged()),
    ]
}

fn output_of(stream: Stream) -> OutputNote {
    let line = OutputLine { number: 14, stream, text: forged(), complete: true };
    OutputNote { tail: vec![line.clone(), line], ..output_note() }
}

fn breakpoint_of(id: u32, binding: Binding) -> Breakpoint {
    let spec = BreakpointSpec {
        condition: Some(forged()),
        hit_condition: Some(forged()),
        log: Some(forged()),
        ..BreakpointSpec::at(if id == 1 { Place::Function(forged()) } else { place() })
    };
    Breakpoint { spec, ..sample::breakpoint(id, 3, binding, 1) }
}

fn all_breakpoints() -> Vec<Breakpoint> {
    let functions = Nearest::Functions(vec![forged()]);
    vec![
        breakpoint_of(1, Binding::Unconfirmed),
        breakpoint_of(2, Binding::Refused { reason: forged(), nearest: functions }),
        breakpoint_of(3, Binding::BadCondition { why: forged() }),
        breakpoint_of(4, Binding::Foreign { adapter: forged() }),
        breakpoint_of(5, Binding::Pending),
    ]
}

fn stopped(class: StopClass, error: bool) -> Stop {
    Stop {
        class,
        title: forged(),
        detail: Some(forged()),
        causes: vec![cause(CauseLink::Cause)],
        hit: Vec::new(),
        reached: false,
        thread: Thread { id: ThreadId(1), name: forged() },
        waits: Some(forged()),
        frames: (0..4).map(|index| frame(index, FrameKind::User)).collect(),
        source: SourceWindow { first: 41, lines: vec![forged()], modified: None },
        instruction: Some(forged()),
        locals: if error { Vec::new() } else { vec![variable(), leaf(FORGED, FORGED)] },
        locals_error: error.then(forged),
        changes: Some((
            Epoch(6),
            vec![Change { name: forged(), ..sample::change(FORGED, "FORGED") }],
        )),
        watches: evaluated(),
        output: output_of(Stream::Stdout),
        notes: notes(),
        ..sample::stop()
    }
}

fn cause(link: CauseLink) -> Cause {
    Cause {
        depth: 1,
        link,
        ty: Some(forged()),
        message: Some(forged()),
        frame: Some(frame(0, FrameKind::Library)),
    }
}

#[test]
fn an_exception_keeps_foreign_text_on_its_line() {
    let frame = |index, kind, locals| ExceptionFrame {
        frame: frame(index, kind),
        code: Some(forged()),
        arguments: vec![variable()],
        locals: Some(locals),
    };
    let links = [CauseLink::Cause, CauseLink::Context, CauseLink::Member];
    for stack_error in [None, Some(forged())] {
        let raised = Exception {
            stop: Arc::new(stopped(StopClass::Exception, false)),
            first_chance: None,
            ty: Some(forged()),
            message: Some(forged()),
            trace: Some(forged()),
            causes: links.map(cause).into(),
            more_causes: true,
            instruction: Some(forged()),
            registers: vec![leaf(FORGED, FORGED)],
            frames: vec![
                frame(0, FrameKind::Library, Ok(vec![variable()])),
                frame(1, FrameKind::User, Ok(vec![variable()])),
                frame(2, FrameKind::User, Err(forged())),
            ],
            total_frames: None,
            more_frames: true,
            stack_error,
            output: output_of(Stream::Stderr).tail,
        };
        let query = ExceptionQuery { frames: 50, ..ExceptionQuery::default() };
        for query in [query, ExceptionQuery::default()] {
            check("exception", &exception(&raised, &query, &lens()));
        }
    }
}

#[test]
fn a_stop_keeps_foreign_text_on_its_line_and_its_budget() {
    for class in [StopClass::Other, StopClass::Exception, StopClass::Step, StopClass::Pause] {
        for error in [false, true] {
            let text = stop(&stopped(class, error), &lens(), 4_000);
            check("stop", &text);
            assert!(text.ends_with("debug_continue"), "{text}");
            let short = stop(&stopped(class, error), &lens(), STOP_TOKENS);
            assert!(short.lines().count() <= 16, "{short}");
        }
    }
}

#[test]
fn an_end_and_a_run_keep_foreign_text_on_its_line() {
    for stream in [Stream::Stdout, Stream::Stderr] {
        let ended = Exit {
            cause: Some(forged()),
            means: Some(forged()),
            output: output_of(stream),
            breakpoints: all_breakpoints(),
            unfollowed: Some(forged()),
            notes: notes(),
            again: Again::Call(forged()),
            ..sample::exit(ExitStatus::Unknown, Rung::Natural)
        };
        check("exit", &exit(&ended, &lens()));
        let runs = Running {
            session: SessionId("py-3f9c".into()),
            elapsed: Duration::from_secs(3),
            doing: Some(forged()),
            cpu_percent: None,
            stacks: Some(Box::new(stacks())),
            breakpoints: all_breakpoints(),
            unfollowed: Some(forged()),
            until: Some(Box::new(breakpoint_of(1, Binding::Pending))),
            notes: notes(),
            output: output_of(stream),
            cursor: Cursor(1),
        };
        check("running", &running(&runs, &lens()));
        check("unpaused", &unpaused(&runs, &stacks(), &lens()));
    }
}

fn stacks() -> Stacks {
    let one = |id, frames| ThreadStack {
        thread: Thread { id: ThreadId(id), name: forged() },
        stopped: id == 1,
        running: false,
        waits: Some(forged()),
        frames,
        total: None,
        more: true,
    };
    let frames = vec![frame(0, FrameKind::User), frame(1, FrameKind::Library)];
    let threads = vec![one(1, Ok(frames.clone())), one(2, Err(forged())), one(3, Ok(frames))];
    Stacks { threads, of: 3, ..Stacks::default() }
}

#[test]
fn stacks_keep_foreign_text_on_its_line() {
    for library in [Library::Folded, Library::Listed] {
        check("stack", &stack(&stacks(), &SessionId("py-3f9c".into()), library, &lens()));
    }
}

#[test]
fn variables_keep_foreign_text_on_its_line() {
    let session = SessionId("py-3f9c".into());
    let page = VariablesPage {
        frame: frame(0, FrameKind::User),
        parent: None,
        scope: forged(),
        other_scopes: vec![forged()],
        variables: vec![variable(), leaf(FORGED, FORGED)],
        start: 0,
        total: 9,
        capped: false,
        looked_at: None,
        hidden: vec![forged()],
        text: None,
        arguments: Vec::new(),
    };
    let query = VariablesQuery {
        path: Some(forged()),
        thread: None,
        frame: None,
        scope: Some(forged()),
        depth: 3,
        start: 0,
        count: None,
        filter: Some(forged()),
        arguments: false,
    };
    check("scope", &variables(&page, &query, &session, &lens()));
    let opened = VariablesPage { parent: Some(variable()), ..page.clone() };
    check("variables", &variables(&opened, &query, &session, &lens()));
    let empty = VariablesPage { variables: Vec::new(), ..opened };
    check("empty", &variables(&empty, &query, &session, &lens()));
    let compared = Compared {
        frame: frame(0, FrameKind::User),
        since: Epoch(1),
        changes: vec![Change { name: forged(), ..sample::change(FORGED, "1") }],
        same: 1,
        partly: vec![forged()],
    };
    check("changed", &changed(&compared, &session, &lens()));
}

#[test]
fn values_keep_foreign_text_on_its_line() {
    check("evaluations", &evaluations(&evaluated()));
    for one in evaluated() {
        if one.result.is_err() {
            check("evaluation", &evaluations(&[one]));
        }
    }
    let set = Assigned { target: forged(), before: Some(variable()), after: leaf("", FORGED) };
    check("assigned", &assigned(&set));
}

/// A single value of several lines, and a page of a text, are several lines.
#[test]
fn lines_of_a_single_value_stay_lines_without_hidden_characters() {
    let value = leaf("", "a\n\tb\u{202e}\r\nc");
    let one = Evaluated { expression: "s".into(), result: Ok(value) };
    assert_eq!(evaluations(&[one]), "s = a\n\tb\\u{202e}\\r\nc");
}

#[test]
fn output_keeps_hidden_characters_of_the_debuggee_visible() {
    let session = SessionId("py-3f9c".into());
    let streams = [Stream::Stdout, Stream::Stderr, Stream::Log, Stream::Adapter];
    for stream in streams {
        let page = OutputPage { lines: output_of(stream).tail, next: 16, ..OutputPage::default() };
        let query = OutputQuery { grep: Some(forged()), ..OutputQuery::default() };
        check("output", &output(&page, &query, &session, &lens()));
    }
}

#[test]
fn breakpoints_keep_foreign_text_on_its_line() {
    let report = BreakpointReport {
        all: all_breakpoints(),
        added: vec![BreakpointId(2), BreakpointId(3)],
        exceptions: vec![forged()],
        unchecked: vec![forged()],
        off: vec![],
        open: None,
        restart: None,
    };
    check("breakpoints", &breakpoints(&report, &lens()).text);
    check("unverified", &Text::lines(unverified(&report.all, &lens())));
}

#[test]
fn sessions_adapters_and_logs_keep_foreign_text_on_its_line() {
    let session = SessionId("py-3f9c".into());
    let status = SessionStatus {
        id: session.clone(),
        adapter: forged(),
        target: forged(),
        phase: "stopped",
        at: Some((StopClass::Exception, forged(), frame(0, FrameKind::User))),
        capabilities: vec![forged()],
        breakpoints: all_breakpoints(),
        exceptions: vec![(forged(), true)],
        watches: vec![forged()],
        age: Duration::from_secs(1),
        exit: None,
        is_taken: true,
    };
    check("summary", &summary(std::slice::from_ref(&status), &lens()));
    check("capabilities", &capabilities(&status));
    let state = standing(&Standing::Misconfigured { problem: forged(), hint: forged() });
    let snake = Adapter {
        name: forged(),
        title: forged(),
        languages: vec![forged()],
        state,
        documents: vec![forged()],
    };
    check("adapters", &adapters(&[snake], &[forged()]));
    let lines = LogLines { first: 0, lines: vec![forged()] };
    check("log", &log(&lines, "log", None, &session, &lens()));
    let target = Target {
        id: forged(),
        kind: TargetKind::Test,
        label: format!("label {FORGED}"),
        file: Some(forged()),
        line: Some(3),
        needs_build: false,
    };
    let found = vec![(forged(), target)];
    let all = Targets { found, failed: vec![(forged(), forged())], ..Targets::default() };
    check("targets", &targets(&all, 9, &lens()));
}

#[test]
fn errors_keep_foreign_text_on_its_line() {
    for it in [
        Error::UnknownSession { name: forged(), open: vec![forged()], ended: vec![forged()] },
        Error::Ended { session: forged(), cause: Some(forged()), restarts: true },
        Error::NotReady { doing: forged() },
        Error::Breakpoints(BreakpointError::NoSuchSource {
            path: forged().into(),
            near: vec![forged().into()],
        }),
        Error::Values(ValueError::NoSuchThread { name: forged(), known: vec![forged()] }),
        Error::Values(ValueError::NoSuchScope { name: forged(), known: vec![forged()] }),
        Error::Values(ValueError::NoSuchVariable {
            parent: forged(),
            segment: forged(),
            near: vec![forged()],
        }),
        Error::Values(ValueError::NewMember {
            parent: forged(),
            segment: forged(),
            near: vec![forged()].into(),
            assignment: forged().into(),
        }),
        Error::Values(ValueError::NotAdded {
            parent: forged(),
            segment: forged(),
            why: forged().into(),
            near: vec![forged()].into(),
        }),
        Error::Values(ValueError::NotAPath { text: forged() }),
        Error::Busy { expression: forged(), since: Duration::from_secs(3) },
        Error::TooManyWatches { most: 1, known: vec![forged()], oldest: vec![forged()] },
        Error::Launch(LaunchError::WasAttached { again: forged() }),
        Error::Launch(LaunchError::WasOpened { again: forged() }),
        Error::Plugin(Refused::Request {
            kind: RefusalKind::Other,
            message: forged(),
            hint: Some(forged()),
        }),
        Error::Adapter(AdapterError::Refused { command: forged(), message: forged() }),
        Error::Launch(LaunchError::Spawn { cause: forged() }),
        Error::Launch(LaunchError::BuildFailed { message: forged(), hint: Some(forged()) }),
        Error::Adapter(AdapterError::Died { during: forged(), tail: forged() }),
        Error::Config { message: forged(), untrusted: None },
    ] {
        check("error", &error(&it, &lens(), &Failed::default()).text);
    }
    let all = vec![
        Error::Launch(LaunchError::BuildFailed { message: forged(), hint: None }),
        Error::Config { message: forged(), untrusted: None },
    ];
    check("errors", &error(&Error::Several { all }, &lens(), &Failed::default()).text);
    check("cause", &ErrorText::new("bad-argument", FORGED, FORGED).text);
}

/// A proposed call is copied by its reader: its escapes are JSON's, and mean the same text.
#[test]
fn a_call_writes_hidden_characters_as_json() {
    let call = Call::new("debug_variables").with("path", FORGED);
    let text = Text::line(call.json());
    check("json", &text);
    let arguments = text.strip_prefix("debug_variables ").unwrap_or_default();
    let read: serde_json::Value = serde_json::from_str(arguments).expect("JSON");
    assert_eq!(read["path"], FORGED);
    check("call", &Text::line(call.to_string()));
    let blank = Call::new("debug_variables").with("path", "a\u{3164}b");
    assert_eq!(blank.to_string(), "debug_variables path=\"a\\u3164b\"");
    let json = Literal::Json("{\"a\":\"\u{202e}\"}".into());
    assert_eq!(
        Call::new("debug_launch").with("options", json).json(),
        "debug_launch {\"options\": {\"a\":\"\\u202e\"}}"
    );
}
