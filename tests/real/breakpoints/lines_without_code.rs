//! Breakpoints on lines without code: moved to another line, or refused with the nearest lines that
//! have code.

use serde_json::json;

use crate::caller::root;
use crate::real::{Language, Stage, run_scenario};

/// The adapter either moves the breakpoint and reports the line, or reports that there is no code.
#[tokio::test]
async fn line_without_code_python() {
    run_scenario(Language::Python, async |stage: &mut Stage| {
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
    run_scenario(Language::Rust, async |stage: &mut Stage| {
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
    run_scenario(Language::Go, async |stage: &mut Stage| {
        stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
        let place = format!("{}:3", stage.language.source("cart"));
        let list = stage.call("debug_breakpoints", json!({"set": [place]})).await;
        list.says(&format!("+#2 {place} · UNVERIFIED: could not find statement at "));
        list.says("/cart/main.go:3, please use a line with a statement");
        assert_eq!(stage.resume_to(1).await.local("index"), "1");
    })
    .await;
}

/// Of a launch: it is not moved to the line of another breakpoint, which Delve would then refuse.
/// A later breakpoint on the line to which one moved is refused with that one's number.
#[tokio::test]
async fn line_before_another_breakpoint_go() {
    run_scenario(Language::Go, async |stage: &mut Stage| {
        let (source, returns) = place(&stage.at("cart", "tax return"));
        let [without, next] = [2, 3].map(|more| format!("{source}:{}", returns + more));
        let stop = stage.launch("cart", json!({"breakpoints": [without, next]})).await.good();
        assert_eq!(
            (stop.reason(), stop.place()),
            ("breakpoint #2", &*format!("main.totalOf  {next}"))
        );
        stop.line(&format!("#1 {without} · UNVERIFIED: could not find statement at "));
    })
    .await;
    run_scenario(Language::Go, async |stage: &mut Stage| {
        let (source, returns) = place(&stage.at("cart", "tax return"));
        let [without, next] = [2, 3].map(|more| format!("{source}:{}", returns + more));
        stage.launch("cart", json!({"breakpoints": [without]})).await.good();
        let list = stage.call("debug_breakpoints", json!({"set": [next]})).await;
        list.line(&format!(" #1 {without} → bound to line {} · 1 hit", returns + 3));
        list.line(&format!("+#2 {next} · UNVERIFIED: #1 is at this line already"));
    })
    .await;
}

/// A line between two functions. Breakpoints that are set stay, and the lines probed for code do
/// not stop.
pub async fn nearest_lines_with_code_are_listed(stage: &mut Stage) {
    let add = stage.at("cart", "add");
    stage.launch("cart", json!({"breakpoints": [add]})).await.good();
    let (source, returns) = place(&stage.at("cart", "tax return"));
    let line = returns + 2;
    let list = stage.call("debug_breakpoints", json!({"set": [format!("{source}:{line}")]})).await;
    let stops = if stage.language.newest() == Language::Go { "panic" } else { "uncaught" };
    let refused = |why: &str, near: [usize; 2], first: usize| {
        format!(
            "2 breakpoints\n #1 {add} · 1 hit\n+#2 {source}:{line} · UNVERIFIED: {why}; nearest \
            lines with code: {}, {}\n\
             stops on exceptions: {stops}\n\
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

/// Splits `path:line`.
pub fn place(text: &str) -> (String, usize) {
    let (path, line) = text.rsplit_once(':').unwrap();
    (path.to_owned(), line.parse().unwrap())
}

/// LLDB moves no breakpoint from before the first function.
#[tokio::test]
async fn line_before_all_code_rust() {
    run_scenario(Language::Rust, async |stage: &mut Stage| {
        let at = stage.at("sleeper", "loop");
        stage.launch("sleeper", json!({"breakpoints": [at]})).await.good();
        let (source, nap) = place(&stage.at("sleeper", "nap"));
        let list = stage.call("debug_breakpoints", json!({"set": [format!("{source}:1")]})).await;
        assert_eq!(
            list.text,
            format!(
                "2 breakpoints\n #1 {at} · 1 hit\n+#2 {source}:1 · UNVERIFIED: the debugger found \
                no code there; nearest \
                 line with code: {nap}\nstops on exceptions: uncaught\nerror[bp-unverified] \
                 {source}:1 was not armed. \
                 Try: debug_breakpoints {{\"remove\": [\"#2\"], \"set\": [\"{source}:{nap}\"]}}"
            )
        );
    })
    .await;
}

/// Set before the program existed that could be inspected: the answer to the launch says where the
/// breakpoint went, or which lines near it have code.
pub async fn line_without_code_of_a_launch_is_answered(stage: &mut Stage) {
    let add = stage.at("cart", "add");
    let (source, returns) = place(&stage.at("cart", "tax return"));
    let without = format!("{source}:{}", returns + 2);
    let launched = json!({"breakpoints": [add, without]});
    let stop = stage.launch("cart", launched).await.good();
    let (first, next) = match stage.language.newest() {
        Language::C => (returns + 1, returns + 3),
        Language::Python => return stop.says(&format!("\n#2 {without} → bound to line {returns}")),
        other => {
            stop.says(&format!("\nnote: {without} holds no code; #2 moved to this line"));
            // The host finds the line for Delve, which takes that of a signature.
            let next = if other == Language::Go { returns + 3 } else { returns + 4 };
            let moved = format!("{source}:{next}");
            return assert!(stop.place().ends_with(&moved), "{}", stop.text);
        }
    };
    let near = format!("; nearest lines with code: {first}, {next}");
    assert!(stop.line(&format!("#2 {without} · UNVERIFIED: ")).ends_with(&near), "{}", stop.text);
    let list = stage.call("debug_breakpoints", json!({})).await;
    list.says(&near);
    assert_eq!(stage.resume_to(1).await.local("index"), "1");
}
