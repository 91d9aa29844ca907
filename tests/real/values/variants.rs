//! Rust enums: opened, behind references, inside tuples, and as targets of assignments.

use serde_json::json;

use crate::real::Stage;

pub async fn reference_shows_its_variant_at_every_stop(stage: &mut Stage) {
    let mut answer = stage
        .launch("variants", json!({"breakpoints": [stage.at("variants", "show")]}))
        .await
        .good();
    let events = [
        (r#"Deposit{account:"ann", cents:5}"#, "event.cents", "5  (i64)"),
        (r#"Withdrawal("bob", 3)"#, "event.1", "3  (i64)"),
        ("Nothing", "event.cents", "<error: `event` has no `cents`>"),
        (
            r#"Deposit{account:"eve", cents:300}"#,
            "event.account",
            "\"eve\"  (alloc::string::String)",
        ),
    ];
    for (value, field, field_value) in events {
        assert_eq!(answer.local("event"), value);
        let read = stage
            .call("debug_evaluate", json!({"expressions": ["event", "*event", field]}))
            .await
            .good();
        assert_eq!(read.line("event = "), format!("{value}  (variants::Event *)"));
        assert_eq!(read.line("*event = "), format!("{value}  (variants::Event)"));
        assert_eq!(read.line(&format!("{field} = ")), field_value);
        answer = stage.resume().await.good();
    }
    answer.line("□ exited with code 0");
}

pub async fn condition_reads_a_variant_behind_a_reference(stage: &mut Stage) {
    let at = format!(
        "{} if event == Event::Deposit && event.cents == 300",
        stage.at("variants", "show")
    );
    let set = stage.at("variants", "set");
    let stopped = stage.launch("variants", json!({"breakpoints": [at, set]})).await.good();
    assert_eq!(stopped.local("event"), r#"Deposit{account:"eve", cents:300}"#);
    let opened = stage.call("debug_variables", json!({"path": "event.cents"})).await.good();
    opened.says("event.cents: i64 · frame #0");
    stage.resume().await.good();
    let read = json!({"expressions": ["&events[1]", "second.1", "ledger.history[1].1.cents",
        "ledger.history[1].1"]});
    let read = stage.call("debug_evaluate", read).await.good();
    assert_eq!(read.line("second.1 = "), "3  (i64)");
    assert_eq!(read.line("&events[1] = "), "Withdrawal(\"bob\", 3)  (variants::Event *)");
    assert_eq!(read.line("ledger.history[1].1.cents = "), "8  (i64)");
    assert_eq!(
        read.line("ledger.history[1].1 = "),
        "Deposit{account:\"dan\", cents:8}  (variants::Event)"
    );
}

pub async fn fields_of_a_variant_are_set(stage: &mut Stage) {
    stage.launch("variants", json!({"breakpoints": [stage.at("variants", "set")]})).await.good();
    for (target, value, was) in [
        ("option.0", "9", "4"),
        ("changed[1].1", "8", "3"),
        ("ledger.history[1].1.cents", "7", "8"),
    ] {
        let set = stage.call("debug_set", json!({"target": target, "value": value})).await.good();
        assert_eq!(set.text, format!("{target} = {value}  (was {was})"));
    }
    stage.resume().await.good();
    let output = stage.call("debug_output", json!({"since": 0})).await.good();
    output.says(r#"Some(9) [Nothing, Withdrawal("cay", 8)]"#);
}

/// Values that LLDB would read by C's calling convention are unknown; those that both languages
/// return the same way are shown.
pub async fn returned_value_is_correct_or_unknown(stage: &mut Stage) {
    const UNKNOWN: &str = "<unknown to LLDB>";
    let returned = [
        ("some", UNKNOWN),
        ("failed", UNKNOWN),
        ("tuple", UNKNOWN),
        ("pair", UNKNOWN),
        ("array", UNKNOWN),
        ("number", "-12"),
        ("text", "\"abc\""),
        ("string", "\"héllo\""),
        ("large", "{numbers:{9, 9, 9, 9, 9, 9, 9, 9}}"),
        ("reference", "6"),
    ];
    let places: Vec<String> = returned.iter().map(|(mark, _)| stage.at("variants", mark)).collect();
    stage.launch("variants", json!({"breakpoints": places})).await.good();
    for (function, value) in returned {
        let out = stage.call("debug_step", json!({"kind": "out"})).await.good();
        assert_eq!(out.local("[return value]"), value, "{function}");
        if function == "pair" {
            let opened =
                stage.call("debug_variables", json!({"path": "[return value]"})).await.good();
            assert!(!opened.text.contains("left"), "{}", opened.text);
        }
        stage.resume().await.good();
    }
}

pub async fn opened_enum_names_its_variant(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "total")]})).await.good();
    let opened = stage.call("debug_variables", json!({"path": "cart.coupons[2]"})).await.good();
    opened.says("cart.coupons[2]: cart::Coupon = Named · frame #0");
    let opened =
        stage.call("debug_variables", json!({"path": "cart.coupons", "depth": 2})).await.good();
    opened.says("[2]: cart::Coupon = Named");
}
