//! Watches, and what has changed since the stop before.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::stage::Stage;

pub async fn watches_and_changes_at_each_stop(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    let watched = stage
        .call("debug_evaluate", json!({"expressions": ["total", "index + 1"], "watch": true}))
        .await
        .good();
    watched.says("total = 0");
    let stop = stage.resume_to(1).await;
    assert_eq!(stop.line("watch: "), "total = 1070 · index + 1 = 2");
    let again = stage.call("debug_evaluate", json!({})).await.good();
    assert_eq!(
        again.text.lines().next(),
        Some(stage.pick(
            "total = 1070  (int)",
            "total = 1070  (u64)",
            "total = 1070  (uint64)",
            "total = 1070  (number)",
            "total = 1070  (uint64_t)"
        ))
    );
    let changes = stop.line("changed since stop 1: ");
    for change in ["index 0→1", "net 1000→1990", "total 0→1070"] {
        assert!(changes.contains(change), "{change}: {changes}");
    }
    stage.call("debug_evaluate", json!({"watch": false})).await.good();
    let stop = stage.resume_to(1).await;
    assert!(!stop.text.contains("watch: "), "{}", stop.text);
}

pub async fn diff_shows_only_changes(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    stage.call("debug_variables", json!({"diff": true})).await.fails(
        "error[not-comparable] there is no stop before this one to compare with. Try: \
            debug_variables",
    );
    stage.resume_to(1).await;
    let header = format!("changed since stop 1 · frame #0 {}", stage.function("cart", "total_of"));
    let reply = stage.call("debug_variables", json!({"diff": true})).await.good();
    assert_eq!(reply.text.lines().next(), Some(header.as_str()));
    for change in ["index = 0 → 1", "net = 1000 → 1990", "total = 0 → 1070"] {
        assert!(
            reply.text.lines().any(|line| line.trim_start() == change),
            "{change}: {}",
            reply.text
        );
    }
    assert!(!reply.text.contains("\n  cart = "), "it is as it was: {}", reply.text);
    let one = stage.call("debug_variables", json!({"diff": true, "path": "total"})).await.good();
    assert_eq!(one.text, format!("{header}\n  total = 0 → 1070"));
    stage.call("debug_set", json!({"target": "total", "value": "2000"})).await.good();
    let one = stage.call("debug_variables", json!({"diff": true, "path": "total"})).await.good();
    assert_eq!(one.text, format!("{header}\n  total = 0 → 2000"));
    stage.call("debug_variables", json!({"diff": true, "path": "cart.owner"})).await.fails(
        "error[not-comparable] the stop before recorded only the locals and the first \
         values inside them: cannot compare `cart.owner`. Try: debug_variables {\"path\": \
         \"cart\", \"diff\": \
         true}",
    );
    stage.call("debug_variables", json!({"diff": true, "frame": 1})).await.fails(
        "error[bad-argument] debug_variables: `diff` compares the locals of the frame of the stop, \
         or the variable at `path`; it takes no `frame`. Try: debug_variables {\"diff\": true}",
    );
    stage.call("debug_continue", json!({"until": stage.at("cart", "tax")})).await.good();
    let other = stage.call("debug_variables", json!({"diff": true})).await;
    other.fails(&format!(
        "error[not-comparable] stop 2 was in another call, of `{}`: cannot compare their \
         locals. Try: debug_variables",
        stage.function("cart", "total_of")
    ));
}

/// An adapter may delay an evaluation that arrives while another one is pending.
pub async fn watches_cost_little(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "loop")]})).await.good();
    let plain = median_step(stage).await;
    let watched: Vec<String> = (0..8).map(|n| format!("total + {n}")).collect();
    stage.call("debug_evaluate", json!({"expressions": watched, "watch": true})).await.good();
    let watching = median_step(stage).await;
    // A delayed evaluation costs at least 40 ms.
    let bound = plain * 3 + Duration::from_millis(100);
    assert!(watching < bound, "a step took {plain:?}, with eight watches {watching:?}");
}

/// The median of five steps in the loop.
async fn median_step(stage: &mut Stage) -> Duration {
    let mut times = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        stage.call("debug_step", json!({})).await.good();
        times.push(began.elapsed());
    }
    times.sort();
    times[2]
}
