//! Exceptions of Python: which ones stop, where, and how often.

use serde_json::json;

use super::Stage;

/// In each frame that it comes through it would be one more stop; what it was raised from is no caller.
pub async fn each_exception_is_told_once(stage: &mut Stage) {
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let stop = stage.launch("crash", json!({"args": ["caught"]})).await.good();
    stage.stands(&stop, "crash", "parse", "parse");
    assert_eq!(stop.reason(), "exception ValueError");
    let stop = stage.resume().await.good();
    stage.stands(&stop, "crash", "load", "raise");
    assert_eq!(stop.reason(), "exception RuntimeError");
    let stack = stage.call("debug_stack", json!({})).await.good();
    let frames: Vec<&str> = stack.text.lines().filter(|line| line.trim_start().starts_with('#')).collect();
    assert_eq!(frames.len(), 3, "{}", stack.text);
    stage.resume().await.good().line("□ exited with code 0");
}

/// Each word that is parsed says whether its test expects that it cannot be.
pub async fn only_what_a_test_does_not_expect_stops(stage: &mut Stage) {
    for (command, words) in [
        ("pytest -q expected.py", &["dreizehn", "vierzehn", "fünfzehn"][..]),
        ("python -m unittest -q expected", &["fünfzehn", "vierzehn"]),
    ] {
        let arguments = json!({"command": command, "cwd": "tests/fixtures/python", "timeout_s": 50});
        let mut answer = stage.call("debug_launch", arguments).await.good();
        for word in words {
            stage.stands(&answer, "expected", "parse", "parse");
            assert_eq!(answer.local("text"), format!("'{word}'"), "{}", answer.text);
            answer = stage.resume().await.good();
        }
        answer.line("□ exited with code 1");
    }
}
