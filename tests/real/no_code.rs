//! Breakpoints on lines without code: moved, or refused with the nearest lines that have some.

use serde_json::json;

use super::{Language, Stage, on_stage};
use crate::caller::root;

/// The adapter may move a breakpoint; then it says where. It may also find no code: then it says
/// so.
#[tokio::test]
async fn line_without_code_python() {
    on_stage(Language::Python, async |stage: &mut Stage| {
        stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
        let total = stage.at("cart", "total");
        let (path, line) = total.rsplit_once(':').unwrap();
        let line: usize = line.parse().unwrap();
        let list = stage
            .call("debug_breakpoints", json!({"set": [format!("{path}:{}", line + 1)]}))
            .await
            .good();
        list.says(&format!("+#2 {path}:{} → bound to line {line}", line + 1));
        assert_eq!(stage.resume_to(1).await.local("index"), "1");
    })
    .await;
}

#[tokio::test]
async fn line_without_code_rust() {
    on_stage(Language::Rust, async |stage: &mut Stage| {
        stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
        let place = format!("{}:3", stage.language.source("cart"));
        let list = stage.call("debug_breakpoints", json!({"set": [place]})).await;
        list.says(&format!("+#2 {place} · UNVERIFIED: the debugger found no code there"));
        assert_eq!(stage.resume_to(1).await.local("index"), "1");
    })
    .await;
}

#[tokio::test]
async fn line_without_code_go() {
    on_stage(Language::Go, async |stage: &mut Stage| {
        stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
        let place = format!("{}:3", stage.language.source("cart"));
        let list = stage.call("debug_breakpoints", json!({"set": [place]})).await;
        list.says(&format!("+#2 {place} · UNVERIFIED: could not find statement at "));
        list.says("/cart/main.go:3, please use a line with a statement");
        assert_eq!(stage.resume_to(1).await.local("index"), "1");
    })
    .await;
}

/// Between two functions. What is set stays, and nothing stops at a line that was only tried.
pub async fn lines_with_code_are_named_beside_one_without(stage: &mut Stage) {
    let add = stage.at("cart", "add");
    stage.launch("cart", json!({"breakpoints": [add]})).await.good();
    let (source, returns) = place(&stage.at("cart", "tax return"));
    let line = returns + 2;
    let list = stage.call("debug_breakpoints", json!({"set": [format!("{source}:{line}")]})).await;
    let refused = |why: &str, near: [usize; 2], first: usize| {
        format!(
            "2 breakpoints\n #1 {add} · 1 hit\n+#2 {source}:{line} · UNVERIFIED: {why}; nearest lines with code: {}, {}\n\
             stops on exceptions: panic\n\
             error[bp-unverified] {source}:{line} was not armed. \
             Try: debug_breakpoints {{\"remove\": [\"#2\"], \"set\": [\"{source}:{first}\"]}}",
            near[0], near[1]
        )
    };
    match stage.language.newest() {
        Language::Go => {
            let file = root().join(&source);
            let why = format!(
                "could not find statement at {}:{line}, please use a line with a statement",
                file.display()
            );
            assert_eq!(list.text, refused(&why, [returns, returns + 3], returns + 3));
        }
        Language::C => {
            let why = "the debugger found no code there";
            assert_eq!(list.text, refused(why, [returns + 1, returns + 3], returns + 1));
        }
        // Bound to the next line with code.
        _ => list.says(&format!("\n+#2 {source}:{line} → bound to line {}\n", returns + 4)),
    }
    assert_eq!(stage.resume_to(1).await.local("index"), "1");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
}

/// A source line as `path:line`.
pub(super) fn place(text: &str) -> (String, usize) {
    let (path, line) = text.rsplit_once(':').unwrap();
    (path.to_owned(), line.parse().unwrap())
}

/// Before the first function LLDB moves no breakpoint.
#[tokio::test]
async fn line_before_all_code_rust() {
    on_stage(Language::Rust, async |stage: &mut Stage| {
        let stands = stage.at("sleeper", "loop");
        stage.launch("sleeper", json!({"breakpoints": [stands]})).await.good();
        let (source, nap) = place(&stage.at("sleeper", "nap"));
        let list = stage.call("debug_breakpoints", json!({"set": [format!("{source}:1")]})).await;
        assert_eq!(
            list.text,
            format!(
                "2 breakpoints\n #1 {stands} · 1 hit\n+#2 {source}:1 · UNVERIFIED: the debugger found no code there; nearest \
                 line with code: {nap}\nstops on exceptions: panic\nerror[bp-unverified] {source}:1 was not armed. \
                 Try: debug_breakpoints {{\"remove\": [\"#2\"], \"set\": [\"{source}:{nap}\"]}}"
            )
        );
    })
    .await;
}

/// What was set before there was a program to look into.
pub async fn lines_beside_one_set_at_the_launch_are_named(stage: &mut Stage) {
    let add = stage.at("cart", "add");
    let (source, returns) = place(&stage.at("cart", "tax return"));
    let without = format!("{source}:{}", returns + 2);
    stage.launch("cart", json!({"breakpoints": [add, without]})).await.good();
    let first = match stage.language.newest() {
        Language::Go => returns,
        _ => returns + 1,
    };
    let list = stage.call("debug_breakpoints", json!({})).await;
    list.says(&format!("; nearest lines with code: {first}, {}", returns + 3));
    assert_eq!(stage.resume_to(1).await.local("index"), "1");
}
