//! The data that the views' tests share: one stop in a small shop.

use std::path::PathBuf;
use std::time::Duration;

use super::Lens;
use crate::model::*;

pub(super) fn lens() -> Lens {
    Lens { workspace: "/w".into(), usual: Some(SessionId("py-3f9c".into())) }
}

pub(super) fn leaf(name: &str, value: &str) -> Variable {
    Variable {
        name: name.into(),
        value: value.into(),
        ty: None,
        children: Children::None,
        preview: vec![],
        expression: None,
        reference: 0,
        lazy: false,
        function: false,
        address: None,
        declared: None,
    }
}

pub(super) fn parent(name: &str, ty: &str, children: Children, preview: Vec<Variable>) -> Variable {
    Variable { ty: Some(ty.into()), children, preview, reference: 7, ..leaf(name, "{…}") }
}

pub(super) fn frame(index: u32, name: &str, path: &str, line: u32, kind: FrameKind) -> Frame {
    Frame {
        index,
        id: 1000 + i64::from(index),
        name: name.into(),
        path: Some(PathBuf::from(path)),
        line,
        column: 1,
        kind,
        pc: None,
    }
}

pub(super) fn change(before: &str, after: &str) -> Change {
    Change { name: "rate".into(), before: before.into(), after: after.into() }
}

pub(super) fn item(name: &str, kind: &str, price: &str) -> Variable {
    parent(name, "cart.Item", Children::Count(2), vec![leaf("kind", kind), leaf("price", price)])
}

pub(super) fn output_note() -> OutputNote {
    let line = |number, text: &str| OutputLine {
        number,
        stream: Stream::Stdout,
        text: text.into(),
        complete: true,
    };
    OutputNote {
        lines: 2,
        lost: 0,
        tail: vec![line(14, "start"), line(15, "applying…")],
        since: 14,
    }
}

pub(super) fn stop() -> Stop {
    let user = |index, name, path, line| frame(index, name, path, line, FrameKind::User);
    let library = |index, name| frame(index, name, "/usr/lib/lib.py", 9, FrameKind::Library);
    let source = [
        "for item in items:",
        "    rate = RATES[item.kind]",
        "    total -= item.price * rate",
        "return total",
    ];
    Stop {
        session: SessionId("py-3f9c".into()),
        epoch: Epoch(7),
        class: StopClass::Breakpoint,
        title: String::new(),
        first_chance: None,
        types: Vec::new(),
        causes: Vec::new(),
        detail: None,
        hit: vec![BreakpointId(2)],
        reached: false,
        thread: Thread { id: ThreadId(1), name: "MainThread".into() },
        waits: None,
        threads: 1,
        thread_list: vec![Thread { id: ThreadId(1), name: "MainThread".into() }],
        frames: vec![
            user(0, "apply_discount", "/w/cart/pricing.py", 41),
            user(1, "checkout", "/w/cart/app.py", 88),
            library(2, "call"),
            user(3, "main", "/w/run.py", 12),
            library(4, "run_module"),
        ],
        total_frames: Some(5),
        more_frames: false,
        focus: 0,
        origin: None,
        source: SourceWindow { first: 39, lines: source.map(str::to_owned).into(), modified: None },
        instruction: None,
        locals: vec![
            parent(
                "items",
                "list",
                Children::Count(3),
                vec![item("[0]", "'book'", "12.0"), item("[1]", "'pen'", "1.5")],
            ),
            item("item", "'pen'", "1.5"),
            leaf("rate", "1.2"),
            leaf("total", "38.4"),
        ],
        arguments: None,
        more_locals: 0,
        locals_error: None,
        changes: Some((
            Epoch(6),
            vec![change("0.1", "1.2"), Change { name: "total".into(), ..change("39.6", "38.4") }],
        )),
        from: None,
        watches: vec![
            Evaluated { expression: "len(items)".into(), result: Ok(leaf("len(items)", "3")) },
            Evaluated {
                expression: "nope".into(),
                result: Err(NoValue::Refused("name 'nope' is not defined".into())),
            },
        ],
        output: output_note(),
        post_mortem: false,
        others_run: false,
        log_hits: 3,
        elapsed: Duration::from_millis(420),
        built: None,
        notes: vec![Note::Plan("the condition of #4 failed: division by zero".into())],
    }
}

pub(super) fn breakpoint(id: u32, line: u32, binding: Binding, hits: u32) -> Breakpoint {
    let place = Place::Line { path: PathBuf::from("/w/cart/pricing.py"), line, column: None };
    Breakpoint {
        id: BreakpointId(id),
        spec: BreakpointSpec::at(place),
        enabled: true,
        binding,
        hits,
        suppressed: 0,
        author: Author::Caller,
        file: None,
    }
}

/// After 40 ms, without notes or output.
pub(super) fn exit(status: ExitStatus, rung: Rung) -> Exit {
    Exit {
        session: SessionId("py-3f9c".into()),
        status,
        cause: None,
        means: None,
        rung,
        output: Default::default(),
        log_hits: 0,
        breakpoints: vec![],
        unfollowed: None,
        elapsed: Duration::from_millis(40),
        built: None,
        notes: vec![],
        again: Again::Restart,
    }
}
