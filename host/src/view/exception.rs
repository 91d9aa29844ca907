//! An exception: chance, message, causes with their places, frames with arguments and locals, the
//! instruction after a signal, the last output, next calls; in a budget of tokens.
//!
//! Long parts are written shorter until the text fits; the frames say which call lists the rest.

use super::stop::{described, header};
use super::text::{self, Room, Text, counted, cut_end};
use super::{Lens, cap, cause, estimate, locals};
use crate::model::{Exception, ExceptionFrame, ExceptionQuery, FrameKind, Stop, Variable};

/// The tokens of an exception at most, for a call without numbers.
pub const EXCEPTION_TOKENS: usize = 400;

/// Tokens for each frame or cause that the caller wants beyond the default.
const MORE: usize = 60;

/// By how many causes the next call has more.
const MORE_CAUSES: u32 = 10;

/// Most lines of a message.
const MESSAGE_LINES: usize = 8;

/// Sizes of the parts: counts, and widths in characters.
struct Measure {
    message: usize,
    causes: usize,
    cause: usize,
    frames: usize,
    name: usize,
    place: usize,
    code: usize,
    /// Tokens of the arguments of a frame.
    arguments: usize,
    /// Tokens of the locals of a frame.
    locals: usize,
    /// Registers, and characters of an instruction.
    registers: (usize, usize),
    output: (usize, usize),
}

/// Parts of most exceptions, and of exceptions with ever longer parts.
const MEASURES: [Measure; 4] = [
    Measure {
        message: 300,
        causes: usize::MAX,
        cause: 160,
        frames: usize::MAX,
        name: 48,
        place: 80,
        code: 100,
        arguments: 40,
        locals: 100,
        registers: (4, 60),
        output: (3, 100),
    },
    Measure {
        message: 160,
        causes: 6,
        cause: 90,
        frames: 5,
        name: 32,
        place: 56,
        code: 72,
        arguments: 20,
        locals: 50,
        registers: (2, 48),
        output: (2, 60),
    },
    Measure {
        message: 80,
        causes: 3,
        cause: 48,
        frames: 3,
        name: 24,
        place: 40,
        code: 40,
        arguments: 12,
        locals: 24,
        registers: (1, 32),
        output: (1, 32),
    },
    Measure {
        message: 32,
        causes: 2,
        cause: 20,
        frames: 2,
        name: 12,
        place: 24,
        code: 16,
        arguments: 8,
        locals: 12,
        registers: (0, 24),
        output: (1, 16),
    },
];

/// An exception in at most [`EXCEPTION_TOKENS`], and more if the query wants more than by default.
pub fn exception(exception: &Exception, query: &ExceptionQuery, lens: &Lens) -> Text {
    let by_default = ExceptionQuery::default();
    let more = query.frames.saturating_sub(by_default.frames)
        + query.locals_for.saturating_sub(by_default.locals_for)
        + query.causes.saturating_sub(by_default.causes);
    let tokens = EXCEPTION_TOKENS + MORE * more as usize;
    let [usual, shorter @ ..] = &MEASURES;
    let mut text = measured(exception, query, lens, usual);
    for measure in shorter {
        if estimate(&text) > tokens {
            text = measured(exception, query, lens, measure);
        }
    }
    cap(text, &lens.call("debug_stack", &exception.stop.session))
}

fn measured(exception: &Exception, query: &ExceptionQuery, lens: &Lens, m: &Measure) -> Text {
    let stop = &exception.stop;
    let lines = [
        vec![header(stop, chance(exception.first_chance))],
        message(exception, m),
        causes(exception, query, lens, m),
        frames(exception, lens, m),
        instruction(exception, m),
        output(exception, m),
        vec![next(exception, lens)],
    ];
    Text::lines(lines.concat())
}

/// DAP's break modes: `always` and `unhandled`.
fn chance(first: Option<bool>) -> &'static str {
    match first {
        Some(true) => " · first chance: may be caught",
        Some(false) => " · second chance: not caught",
        None => "",
    }
}

/// What the header cuts or lacks: the text of the stop, then type and message where that text has
/// them not.
fn message(exception: &Exception, m: &Measure) -> Vec<String> {
    let title = exception.stop.title.trim().to_owned();
    let text = |words: &Option<String>| {
        words.as_deref().map(|words| words.trim().to_owned()).filter(|words| !words.is_empty())
    };
    let (detail, ty, message) =
        (text(&exception.stop.detail), text(&exception.ty), text(&exception.message));
    let mut stated = super::stop::below_header(&title, detail.as_deref());
    let all = title + &detail.unwrap_or_default();
    let is_new = |words: &Option<String>| words.as_ref().is_some_and(|one| !all.contains(one));
    let mut own = None;
    if is_new(&ty) || is_new(&message) {
        let begins = |words: &String| {
            let start = words.trim_end_matches('…');
            message.as_ref().is_some_and(|message| message.starts_with(start))
        };
        stated = stated.filter(|stated| !begins(stated));
        let parts: Vec<String> = ty.into_iter().chain(message).collect();
        own = Some(parts.join(": "));
    }
    let lines = stated.into_iter().chain(own);
    let room = Room { characters: m.message, lines: MESSAGE_LINES };
    lines.flat_map(|line| text::message("! ", &line, "  ", room)).collect()
}

/// The causes. A call for more of them has room for longer texts, too.
fn causes(exception: &Exception, query: &ExceptionQuery, lens: &Lens, m: &Measure) -> Vec<String> {
    let mut lines = Vec::new();
    let room = Room { characters: m.cause, lines: MESSAGE_LINES };
    for cause in exception.causes.iter().take(m.causes) {
        lines.extend(cause::written(cause, lens, room, (m.name, m.place)));
    }
    let left = exception.causes.len().saturating_sub(m.causes);
    if left > 0 || exception.more_causes {
        let wanted = query.causes.saturating_add(MORE_CAUSES).min(ExceptionQuery::MOST_CAUSES);
        let call = lens.call("debug_exception", &exception.stop.session);
        lines.push(match (wanted > query.causes, left) {
            (true, _) => format!("  more causes: {}", call.with("causes", u64::from(wanted))),
            (false, 0) => "  and more causes".to_owned(),
            (false, left) => format!("  and {} more", counted(left as u64, "cause")),
        });
    }
    lines
}

fn frames(exception: &Exception, lens: &Lens, m: &Measure) -> Vec<String> {
    if let Some(error) = &exception.stack_error {
        return vec![format!("stack: not readable: {}", cut_end(error, m.message).0)];
    }
    let mut lines = Vec::new();
    let mut rest = exception.frames.as_slice();
    let mut user = 0;
    while let [first, ..] = rest {
        if user == m.frames {
            break;
        }
        let is_library = |one: &&ExceptionFrame| one.frame.kind == FrameKind::Library;
        let run = rest.iter().take_while(is_library).count();
        // A single library frame costs no more than the line that would fold it.
        if run > 1 {
            let last = rest[run - 1].frame.index;
            lines.push(format!("   … {run} library frames #{}–#{last}", first.frame.index));
        } else if run == 1 {
            lines.push(described(&first.frame, lens, m.name, m.place) + "  (library)");
        } else {
            lines.extend(own(first, exception, lens, m));
            user += 1;
        }
        rest = &rest[run.max(1)..];
    }
    if exception.frames.is_empty() {
        lines.push("no stack".to_owned());
    }
    lines.extend(more(exception, rest.len(), lens));
    lines
}

/// A frame of the user's: place and arguments, source line, locals.
fn own(one: &ExceptionFrame, exception: &Exception, lens: &Lens, m: &Measure) -> Vec<String> {
    let arguments = match one.arguments.as_slice() {
        [] => String::new(),
        arguments => {
            let line = locals::line(arguments, m.arguments);
            match line.left_out {
                0 => format!("  ({})", line.text),
                _ => format!("  ({} …)", line.text),
            }
        }
    };
    let mut lines = vec![described(&one.frame, lens, m.name, m.place) + &arguments];
    if let Some(code) = &one.code {
        let code = code.trim().replace('\t', " ");
        lines.push(format!("   → {}", cut_end(&code, m.code).0));
    }
    let call = lens.call("debug_variables", &exception.stop.session);
    let call = call.with("frame", u64::from(one.frame.index));
    match &one.locals {
        None => {}
        Some(Err(error)) => {
            lines.push(format!("   locals: not readable: {}", cut_end(error, m.code).0));
        }
        Some(Ok(all)) => {
            let is_argument =
                |local: &Variable| one.arguments.iter().any(|other| other.name == local.name);
            let others: Vec<Variable> =
                all.iter().filter(|local| !is_argument(local)).cloned().collect();
            let line = locals::line(&others, m.locals);
            let more = match (line.left_out, line.cut.is_empty()) {
                (0, true) => String::new(),
                (0, false) => format!("  (in full: {call})"),
                (left, _) => format!("  (+{left} more: {call})"),
            };
            if !others.is_empty() {
                lines.push(format!("   locals: {}{more}", line.text));
            }
        }
    }
    lines
}

/// The number of frames that are not listed, and the call that lists them.
fn more(exception: &Exception, left_out: usize, lens: &Lens) -> Option<String> {
    let listed = exception.frames.len() - left_out;
    let left = exception.total_frames.map_or(0, |total| total as usize).saturating_sub(listed);
    let start = exception.frames[..listed].last().map_or(0, |one| one.frame.index + 1);
    let call = lens.call("debug_stack", &exception.stop.session).with("start", u64::from(start));
    match left.max(left_out) {
        0 if exception.more_frames => Some(format!("   more frames: {call}")),
        0 => None,
        left => Some(format!("   +{} more: {call}", counted(left as u64, "frame"))),
    }
}

fn instruction(exception: &Exception, m: &Measure) -> Vec<String> {
    let Some(instruction) = &exception.instruction else { return Vec::new() };
    let mut line = format!("pc {}", cut_end(instruction, m.registers.1).0);
    for register in exception.registers.iter().take(m.registers.0) {
        // A value of 64 bits and the one before it: `0x… (was 0x…)`.
        let value = cut_end(&register.value, 44).0;
        line.push_str(&format!(" · {} = {value}", cut_end(&register.name, 12).0));
    }
    vec![line]
}

fn output(exception: &Exception, m: &Measure) -> Vec<String> {
    let from = exception.output.len().saturating_sub(m.output.0);
    let printed = &exception.output[from..];
    if printed.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["last output:".to_owned()];
    for line in printed {
        lines.push(format!("   {}", cut_end(line.text.trim_end(), m.output.1).0));
    }
    lines
}

/// Calls that make sense from here.
fn next(exception: &Exception, lens: &Lens) -> String {
    let stop: &Stop = &exception.stop;
    let call = |tool| lens.call(tool, &stop.session);
    let caller = exception.frames.iter().filter(|one| one.frame.is_user()).nth(1);
    let values = match caller {
        Some(caller) => call("debug_variables").with("frame", u64::from(caller.frame.index)),
        None => call("debug_variables"),
    };
    let last = if stop.post_mortem { "debug_stop" } else { "debug_continue" };
    format!("next: {values} · {} · {}", call("debug_evaluate"), call(last))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Cause, CauseLink, Children, Frame, OutputLine, StopClass, Stream};
    use crate::view::sample::{self, frame, leaf, lens, parent};

    fn cause(depth: u32, link: CauseLink, ty: &str, message: &str, line: u32) -> Cause {
        let at = frame(0, "rate_of", "/w/cart/rates.py", line, FrameKind::User);
        Cause {
            depth,
            link,
            ty: Some(ty.into()),
            message: Some(message.into()).filter(|words: &String| !words.is_empty()),
            frame: (line > 0).then_some(at),
        }
    }

    fn raised() -> Exception {
        let stop = Stop {
            class: StopClass::Exception,
            title: "KeyError".into(),
            detail: Some("'toy'".into()),
            first_chance: Some(false),
            hit: vec![],
            ..sample::stop()
        };
        let mut frames = Vec::new();
        for one in &stop.frames {
            let is_top = one.index == 0;
            frames.push(ExceptionFrame {
                frame: one.clone(),
                code: one.is_user().then(|| format!("    code of {}", one.name)),
                arguments: if is_top { vec![leaf("rate", "1.2")] } else { Vec::new() },
                locals: is_top.then(|| Ok(stop.locals.clone())),
            });
        }
        frames.truncate(4);
        let printed = ["start", "applying…"];
        let line = |text: &str| OutputLine {
            number: 0,
            stream: Stream::Stdout,
            text: text.into(),
            complete: true,
        };
        Exception {
            first_chance: stop.first_chance,
            ty: Some("KeyError".into()),
            message: stop.detail.clone(),
            trace: None,
            causes: vec![
                cause(1, CauseLink::Context, "ValueError", "no rate for 'toy'", 7),
                cause(2, CauseLink::Cause, "OSError", "", 0),
            ],
            more_causes: false,
            instruction: None,
            registers: vec![],
            frames,
            total_frames: Some(5),
            more_frames: true,
            stack_error: None,
            output: printed.map(line).into(),
            stop: Arc::new(stop),
        }
    }

    fn text(it: &Exception) -> Text {
        exception(it, &ExceptionQuery::default(), &lens())
    }

    #[test]
    fn an_exception_reads_like_the_page() {
        assert_eq!(
            text(&raised()),
            "■ stopped exception KeyError · second chance: not caught · stop 7 · py-3f9c · \
             MainThread · 0.4 s\n\
             ! 'toy'\n  \
               while handling ValueError: no rate for 'toy'  cart/rates.py:7 rate_of\n    \
                 caused by OSError\n\
             #0 apply_discount  cart/pricing.py:41  (rate=1.2)\n   \
                → code of apply_discount\n   \
                locals: items=list(3)[Item{kind: 'book', price: 12.0}, Item{kind: 'pen', price: \
             1.5}, …]  item=Item{kind: 'pen', price: 1.5}  total=38.4  (in full: debug_variables \
             frame=0)\n\
             #1 checkout  cart/app.py:88\n   \
                → code of checkout\n\
             #2 call  /usr/lib/lib.py:9  (library)\n\
             #3 main  run.py:12\n   \
                → code of main\n   \
                +1 frame more: debug_stack start=4\n\
             last output:\n   \
                start\n   \
                applying…\n\
             next: debug_variables frame=1 · debug_evaluate · debug_continue"
        );
    }

    #[test]
    fn library_frames_fold_and_a_signal_has_its_instruction() {
        let mut it = raised();
        let library = |index| ExceptionFrame {
            frame: frame(index, "lib", "/usr/lib/l.c", 1, FrameKind::Library),
            code: None,
            arguments: vec![],
            locals: None,
        };
        it.frames = vec![library(0), library(1), library(2), it.frames[3].clone()];
        (it.causes, it.output) = (vec![], vec![]);
        it.instruction = Some("0x401136  mov (%rax),%eax".into());
        it.registers = vec![leaf("rax", "0x0")];
        (it.total_frames, it.more_frames) = (None, true);
        Arc::make_mut(&mut it.stop).title = "SIGSEGV: address not mapped (0x0)".into();
        Arc::make_mut(&mut it.stop).class = StopClass::Signal;
        Arc::make_mut(&mut it.stop).detail = None;
        (it.first_chance, it.ty, it.message) = (None, None, None);
        assert_eq!(
            text(&it),
            "■ stopped signal SIGSEGV: address not mapped (0x0) · stop 7 · py-3f9c · MainThread · \
             0.4 s\n   \
                … 3 library frames #0–#2\n\
             #3 main  run.py:12\n   \
                → code of main\n   \
                more frames: debug_stack start=4\n\
             pc 0x401136  mov (%rax),%eax · rax = 0x0\n\
             next: debug_variables · debug_evaluate · debug_continue"
        );
    }

    #[test]
    fn message_repeats_no_word_of_the_header() {
        let line = |title: &str, detail: Option<&str>, ty: Option<&str>, words: Option<&str>| {
            let mut it = raised();
            let stop = Arc::make_mut(&mut it.stop);
            (stop.title, stop.detail) = (title.into(), detail.map(str::to_owned));
            (it.ty, it.message) = (ty.map(str::to_owned), words.map(str::to_owned));
            message(&it, &MEASURES[0]).join(" ")
        };
        assert_eq!(line("E", Some("no"), Some("E"), Some("no")), "! no");
        assert_eq!(line("E: no", None, Some("E"), Some("no")), "");
        assert_eq!(
            line("boom", None, Some("fmt.wrapError"), Some("boom")),
            "! fmt.wrapError: boom"
        );
        assert_eq!(line("boom", None, None, None), "");
        let long = "word ".repeat(30);
        let long = long.trim_end();
        assert_eq!(line(long, None, None, None), format!("! {long}"));
        let with_place = format!("! {long} · at a.rs:1");
        assert_eq!(line(long, Some("at a.rs:1"), None, None), with_place);
        // A debugger cuts the title; a program adds words of its own.
        let cut = format!("{}…", &long[..80]);
        assert_eq!(line(&cut, None, None, Some(long)), format!("! {long}"));
        let panic = line("failed", Some("cannot read: Io(2)  at a.rs:1"), Some("app::Io"), None);
        assert_eq!(panic, "! cannot read: Io(2)  at a.rs:1 ! app::Io");
    }

    /// Exceptions that are hard to keep short.
    fn heavy() -> Vec<(&'static str, Exception)> {
        let hidden = |text: &str| format!("{text}\u{202e}\n\u{e0041}").repeat(60);
        let long = |text: &str| format!("{text} of a very long text, ").repeat(80);
        let all = [long as fn(&str) -> String, hidden].map(|write| {
            let mut it = raised();
            let stop = Arc::make_mut(&mut it.stop);
            (stop.title, stop.thread.name) = (write("title"), write("thread"));
            (it.ty, it.message) = (Some(write("type")), Some(write("message")));
            let one = cause(1, CauseLink::Member, &write("type"), &write("message"), 7);
            it.causes = vec![one; 5];
            it.causes.iter_mut().filter_map(|one| one.frame.as_mut()).for_each(|frame| {
                frame.name = write("name");
                frame.path = Some(write("path").into());
            });
            it.more_causes = true;
            it.stack_error = None;
            let locals: Vec<Variable> = (0..40)
                .map(|n| parent(&format!("{n}{}", write("v")), "T", Children::Count(1), vec![]))
                .collect();
            let user = frame(0, &write("f"), &write("p"), 1, FrameKind::User);
            it.frames = (0..5)
                .map(|index| ExceptionFrame {
                    frame: Frame { index, ..user.clone() },
                    code: Some(write("code")),
                    arguments: locals.clone(),
                    locals: Some(Ok(vec![leaf(&write("x"), &write("y")); 60])),
                })
                .collect();
            it.instruction = Some(write("mov"));
            it.registers = vec![leaf(&write("r"), &write("v")); 4];
            it.output.iter_mut().for_each(|line| line.text = write("printed"));
            it
        });
        let [wide, unseen] = all;
        vec![("ordinary", raised()), ("long", wide), ("hidden characters", unseen)]
    }

    #[test]
    fn every_exception_costs_at_most_its_budget_in_real_tokens() {
        let encoder = tiktoken_rs::o200k_base().expect("the encoder is part of the crate");
        for (name, it) in heavy() {
            let text = text(&it);
            let tokens = encoder.encode_ordinary(&text).len();
            let estimated = estimate(&text);
            assert!(tokens <= EXCEPTION_TOKENS, "{name}: {tokens}, estimated {estimated}\n{text}");
        }
    }

    #[test]
    fn more_causes_are_proposed_until_no_call_has_more() {
        let line = |causes: u32, more: bool, query: u32| {
            let mut it = raised();
            it.causes = vec![cause(1, CauseLink::Cause, "E", "", 0); causes as usize];
            it.more_causes = more;
            let query = ExceptionQuery { causes: query, ..ExceptionQuery::default() };
            let m = &MEASURES[1];
            super::causes(&it, &query, &lens(), m).split_off((causes as usize).min(m.causes))
        };
        for (causes, more, query, want) in [
            (5, false, 5, None),
            (5, true, 5, Some("  more causes: debug_exception causes=15")),
            (10, false, 20, Some("  more causes: debug_exception causes=30")),
            (50, true, 45, Some("  more causes: debug_exception causes=50")),
            (50, true, 50, Some("  and 44 causes more")),
            (2, true, 50, Some("  and more causes")),
        ] {
            assert_eq!(line(causes, more, query).first().map(String::as_str), want);
        }
    }

    #[test]
    fn a_call_for_more_gets_more() {
        let (_, it) = &heavy()[1];
        let more = ExceptionQuery { frames: 10, locals_for: 5, causes: 20 };
        let text = exception(it, &more, &lens());
        assert!(estimate(&text) > EXCEPTION_TOKENS, "{text}");
    }

    #[test]
    fn type_and_message_of_a_stop_are_apart() {
        use StopClass::{Exception, Panic, Signal};
        for (class, title, detail, types, expect) in [
            (Exception, "KeyError", Some("'x'"), &["KeyError"][..], ("KeyError", Some("'x'"))),
            (Exception, "TypeError: x: y", None, &[], ("TypeError", Some("x: y"))),
            (Exception, "TypeError: x", Some("at f"), &["TypeError"], ("TypeError", Some("x"))),
            (Exception, "plain words: x", None, &[], ("plain words: x", None)),
            (Panic, "order: x", None, &[], ("panic", Some("order: x"))),
            (Panic, "panicked: a…", Some("a b"), &[], ("panic", Some("a b"))),
            (Panic, "fatal error: a", None, &["fatal error"], ("fatal error", Some("a"))),
            (Signal, "SIGSEGV at address 0x8", None, &[], ("SIGSEGV", Some("at address 0x8"))),
            (Signal, "SIGSEGV: not mapped (0x8)", None, &[], ("SIGSEGV", Some("not mapped (0x8)"))),
            (Signal, "SIGABRT", None, &[], ("SIGABRT", None)),
        ] {
            let stop = Stop {
                class,
                title: title.to_owned(),
                detail: detail.map(str::to_owned),
                types: types.iter().map(|ty| (*ty).to_owned()).collect(),
                ..sample::stop()
            };
            let (ty, message) = stop.exception();
            assert_eq!((ty.as_str(), message.as_deref()), expect, "{title}");
        }
    }
}
