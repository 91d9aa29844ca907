//! Tests of the text of a stop.

use super::*;
use crate::model::{Children, FrameKind, Note, SourceWindow};
use crate::view::sample::{self, leaf, lens, parent};

#[test]
fn a_stop_reads_like_the_page() {
    assert_eq!(
        stop(&sample::stop(), &lens(), STOP_TOKENS),
        "■ stopped breakpoint #2 · stop 7 · py-3f9c · MainThread · 0.4 s\n\
         #0 apply_discount  cart/pricing.py:41  <- #1 checkout  cart/app.py:88  <- #3 main  \
         run.py:12  (+2 library frames)\n  \
           39  for item in items:\n  \
           40      rate = RATES[item.kind]\n\
         → 41      total -= item.price * rate\n  \
           42  return total\n\
         locals: items=list(3)[Item{kind: 'book', price: 12.0}, Item{kind: 'pen', price: 1.5}, \
         …]  \
         item=Item{kind: 'pen', price: 1.5}  rate=1.2  total=38.4  (in full: debug_variables \
         path=items)\n\
         changed since stop 6: rate 0.1→1.2 · total 39.6→38.4\n\
         watch: len(items) = 3 · not in scope here: nope\n\
         output +2 lines: \"applying…\" (debug_output since=14)\n\
         log breakpoints +3 hits (debug_output stream=log since=14)\n\
         note: the condition of #4 failed: division by zero\n\
         next: debug_variables path=items · debug_step · debug_continue"
    );
}

#[test]
fn panic_is_named_once() {
    for (title, reason) in [
        ("panicked: bad order 7", "on panic: bad order 7"),
        ("runtime error: no index 7", "on panic: runtime error: no index 7"),
        ("panicked", "on panic"),
        ("panic", "on panic"),
        ("", "on panic"),
    ] {
        assert_eq!(class_reason(StopClass::Panic, title), reason);
    }
}

#[test]
fn a_change_in_a_long_text_is_seen() {
    let mut it = sample::stop();
    let text = |digit| format!("[{}{digit}{}]", "0, ".repeat(30), ", 0".repeat(30));
    it.changes = Some((it.epoch, vec![sample::change(&text('1'), &text('2'))]));
    let rendered = stop(&it, &lens(), STOP_TOKENS);
    let line = rendered.lines().find(|line| line.starts_with("changed")).unwrap_or_default();
    assert_eq!(
        line,
        "changed since stop 7: rate …0, 0, 0, 0, 0, 1, 0, 0, 0, 0, …→…0, 0, 0, 0, 0, 2, 0, 0, \
        0, 0, …"
    );
}

#[test]
fn an_exception_names_itself_and_the_library_it_came_from() {
    let mut it = sample::stop();
    (it.class, it.title, it.detail) =
        (StopClass::Exception, "KeyError".into(), Some("'toy'\n".into()));
    (it.hit, it.focus, it.threads) = (vec![], 1, 4);
    it.frames[0].kind = FrameKind::Library;
    (it.frames[0].path, it.locals, it.changes, it.watches) = (None, vec![], None, vec![]);
    (it.source, it.output, it.log_hits, it.notes) =
        (SourceWindow::default(), Default::default(), 0, vec![]);
    assert_eq!(
        stop(&it, &lens(), STOP_TOKENS),
        "■ stopped exception KeyError · stop 7 · py-3f9c · MainThread (1 of 4 threads) · 0.4 \
        s\n\
         ! 'toy'\n\
         #1 checkout  cart/app.py:88  <- #3 main  run.py:12  (called into #0 apply_discount)  \
         (+2 library frames)\n\
         locals: none\n\
         next: debug_variables · debug_stack · debug_continue"
    );
    it.hit = vec![BreakpointId(4)];
    let header = "■ stopped exception KeyError · breakpoint #4 · stop 7 · py-3f9c · ";
    assert!(stop(&it, &lens(), STOP_TOKENS).starts_with(header));
    it.waits = Some("chan receive".into());
    let text = stop(&it, &lens(), STOP_TOKENS);
    let next = "next: debug_variables · debug_stack all_threads=true · debug_continue";
    assert!(text.ends_with(next), "{text}");
}

#[test]
fn an_exception_from_work_left_for_later_names_the_users_frame() {
    let mut it = sample::stop();
    (it.class, it.title, it.hit) =
        (StopClass::Exception, format!("Error:{}", " taken".repeat(12)), vec![]);
    (it.focus, it.origin) = (0, Some(1));
    it.frames[0].kind = FrameKind::Library;
    let text = stop(&it, &lens(), STOP_TOKENS);
    assert!(text.contains(&format!("\n! Error:{}\n", " taken".repeat(12))), "{text}");
    assert!(
        text.contains("\n#1 checkout  cart/app.py:88  <- #3 main  run.py:12  (called into #0 "),
        "{text}"
    );
    assert!(text.contains("\nlocals of #0: "), "{text}");
    (it.origin, it.locals) = (None, vec![]);
    assert!(stop(&it, &lens(), STOP_TOKENS).contains("\nlocals: none of the program's own\n"));
}

#[test]
fn next_call_opens_what_has_content() {
    let opened = |name: &str, value: &str, children| Variable {
        value: value.into(),
        ..parent(name, "", children, vec![])
    };
    let mut it = sample::stop();
    it.changes = None;
    it.locals = vec![
        opened("none", "{}", Children::Some),
        opened("count", "0", Children::Some),
        opened("list", "list", Children::Count(0)),
        opened("order", "Order{…}", Children::Some),
    ];
    let text = stop(&it, &lens(), STOP_TOKENS);
    assert!(text.contains("\nnext: debug_variables path=order · "), "{text}");
}

#[test]
fn calls_name_their_session_while_several_are_open() {
    let several = Lens { usual: None, ..lens() };
    let text = stop(&sample::stop(), &several, STOP_TOKENS);
    assert!(text.contains("(debug_output session=py-3f9c since=14)"), "{text}");
    assert!(
        text.ends_with("debug_step session=py-3f9c · debug_continue session=py-3f9c"),
        "{text}"
    );
}

/// Stops that are hard to keep short.
fn heavy() -> Vec<(&'static str, Stop)> {
    let many = |value: &dyn Fn(usize) -> String| {
        let locals = (0..40).map(|n| leaf(&format!("local_{n}"), &value(n))).collect();
        Stop { locals, ..sample::stop() }
    };
    let nested = (0..40).map(|n| {
        let fields = (0..8).map(|f| leaf(&format!("field_{f}"), &"value ".repeat(20))).collect();
        parent(&format!("order_{n}"), "shop.models.Order", Children::Count(8), fields)
    });
    let mut wide = many(&|n| format!("'{}'", "größe 日本語 🎉 ".repeat(n + 5)));
    wide.source.lines = vec!["x".repeat(400); 9];
    wide.detail = Some("message ".repeat(200));
    wide.notes = vec![Note::Plan("note ".repeat(80)); 5];
    wide.frames
        .iter_mut()
        .for_each(|frame| frame.name = "a::very<long>::function_name::".repeat(9));
    wide.output.tail[1].text = "printed ".repeat(100);
    wide.changes = Some((
        sample::stop().epoch,
        vec![sample::change(&"before".repeat(30), &"after".repeat(30)); 40],
    ));
    wide.watches = vec![wide.watches[0].clone(); 20];
    let hidden = |text: &str| format!("{text}\u{202e}\n\u{e0041}").repeat(60);
    let mut unseen = many(&|_| hidden("v"));
    (unseen.title, unseen.detail, unseen.hit) = (hidden("t"), Some(hidden("d")), vec![]);
    unseen.class = StopClass::Exception;
    unseen.thread.name = hidden("thread");
    unseen.source.lines = vec![hidden("code"); 9];
    unseen.notes = vec![Note::Plan(hidden("note")); 5];
    unseen.frames.iter_mut().for_each(|frame| frame.name = hidden("f"));
    unseen.output.tail[1].text = hidden("printed");
    unseen.changes =
        Some((sample::stop().epoch, vec![sample::change(&hidden("a"), &hidden("b")); 9]));
    vec![
        ("ordinary", sample::stop()),
        ("hidden characters", unseen),
        ("40 long words", many(&|n| "lorem ipsum dolor ".repeat(n + 10))),
        ("40 numbers", many(&|n| format!("{}.{}", n * 7919, "1234567890".repeat(12)))),
        ("40 hashes", many(&|n| format!("b'{}'", "\\x9f\\x00k~".repeat(n + 30)))),
        ("40 objects", Stop { locals: nested.collect(), ..sample::stop() }),
        ("everything long", wide),
    ]
}

#[test]
fn every_stop_costs_at_most_its_budget_in_real_tokens() {
    let encoder = tiktoken_rs::o200k_base().expect("the encoder is part of the crate");
    for (name, it) in heavy() {
        let text = stop(&it, &lens(), STOP_TOKENS);
        let tokens = encoder.encode_ordinary(&text).len();
        assert!(
            tokens <= STOP_TOKENS,
            "{name}: {tokens} tokens, estimated {}\n{text}",
            estimate(&text)
        );
    }
}

#[test]
fn forty_locals_name_the_call_that_shows_the_rest() {
    let (_, it) = &heavy()[2];
    let text = stop(it, &lens(), STOP_TOKENS);
    assert!(text.contains(" more: debug_variables)"), "{text}");
    let long = Stop { more_locals: 15, ..sample::stop() };
    let text = stop(&long, &lens(), STOP_TOKENS);
    assert!(text.contains("total=38.4  (+15 more: debug_variables)"), "{text}");
    let (_, it) = &heavy()[0];
    assert!(
        stop(it, &lens(), 60).contains("locals: items="),
        "locals are never dropped altogether"
    );
}
