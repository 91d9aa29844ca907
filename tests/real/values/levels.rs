//! Listings of several levels.

use serde_json::json;

use crate::real::Stage;

/// With `depth`, `count` bounds every level, and `filter` searches as deep as the listing.
pub async fn count_and_filter_hold_at_every_level(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    let page = json!({"path": "cart", "depth": 3, "count": 2});
    let page = stage.call("debug_variables", page).await.good();
    let indented = |text: &str, indent: usize| -> Vec<String> {
        let lines = text.lines().filter(|line| line.len() - line.trim_start().len() == indent);
        lines.map(|line| line.trim_start().to_owned()).collect()
    };
    let elements = indented(&page.text, 4);
    assert!(elements[0].starts_with("[0]") && elements[1].starts_with("[1]"), "{}", page.text);
    assert_eq!(elements[2..], ["… 2 more"], "{}", page.text);
    let fields = indented(&page.text, 6);
    assert_eq!(fields.len(), 6, "{}", page.text);
    // An item has six fields, in C five.
    let left = if stage.language.is_c() { "… 3 more" } else { "… 4 more" };
    assert_eq!([&fields[2], &fields[5]], [left, left], "{}", page.text);

    let found = json!({"path": "cart", "depth": 4, "filter": "PRIC"});
    let found = stage.call("debug_variables", found).await.good();
    let prices: Vec<String> = indented(&found.text, 6);
    let values: Vec<&str> = prices.iter().map(|line| line.rsplit(" = ").next().unwrap()).collect();
    assert_eq!(values, ["250", "1990", "680", "4900"], "{}", found.text);
    assert!(prices.iter().all(|line| line.starts_with("price")), "{}", found.text);
    let found = json!({"depth": 2, "filter": "pric"});
    let found = stage.call("debug_variables", found).await.good();
    assert_eq!(indented(&found.text, 4).len(), 1, "{}", found.text);
    assert!(found.text.contains("\n    price"), "{}", found.text);
    assert!(!found.text.contains("\n  cart"), "{}", found.text);
}
