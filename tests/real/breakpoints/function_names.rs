//! Function breakpoints that match no function of the program, or several.

use serde_json::json;

use crate::real::Stage;

/// Similar names of the program are listed, at the launch and at a stop, and the proposed call sets
/// the first one.
pub async fn misspelt_function_lists_similar_names(stage: &mut Stage) {
    let tax = stage.pick("", "cart::tax", "main.tax", "", "tax");
    let launch = json!({
        "program": stage.language.program("cart"),
        "adapter": stage.language.adapter(),
        "breakpoints": ["txa"],
        "stop_on_entry": true,
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    let reported =
        stop.text.lines().find(|line| line.contains(" txa · UNVERIFIED: ")).unwrap_or(&stop.text);
    let near = reported.split("; there are ").nth(1).unwrap_or_default();
    assert_eq!(near.split(", ").next(), Some(tax), "{}", stop.text);
    assert!(near.split(", ").count() <= 3, "{reported}");
    let refused = stage.call("debug_breakpoints", json!({"set": ["taxx"]})).await;
    assert!(refused.is_error, "{}", refused.text);
    let call = refused.line("error[bp-unverified] taxx was not armed. Try: debug_breakpoints ");
    let call: serde_json::Value = serde_json::from_str(call).unwrap();
    assert_eq!(call["set"], json!([tax]));
    let set = stage.call("debug_breakpoints", call).await.good();
    set.says(reported.trim_start());
    let stop = stage.resume().await.good();
    assert!(stop.place().split("  ").next().unwrap_or_default().ends_with("tax"), "{}", stop.text);
    stage.call("debug_stop", json!({})).await.good();
}

/// The Go runtime has a `main` of its own.
pub async fn ambiguous_function_lists_its_matches(stage: &mut Stage) {
    let launch = json!({
        "program": stage.language.program("cart"),
        "adapter": stage.language.adapter(),
        "stop_on_entry": true,
        "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    let refused = stage.call("debug_breakpoints", json!({"set": ["main"]})).await;
    assert!(
        refused.is_error && refused.text.contains("; there are main.main, "),
        "{}",
        refused.text
    );
    let call = refused.line("error[bp-unverified] main was not armed. Try: debug_breakpoints ");
    let call: serde_json::Value = serde_json::from_str(call).unwrap();
    assert_eq!(call["set"], json!(["main.main"]));
    stage.call("debug_breakpoints", call).await.good().says("main.main");
    stage.call("debug_stop", json!({})).await.good();
}
