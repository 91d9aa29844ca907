//! Values: evaluated, watched, opened by path, paged, cut.

use serde_json::json;

use super::Stage;

pub async fn evaluate_value_error_and_several(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let sum = stage.pick("net + rate", "net + rate");
    let answer = stage.call("debug_evaluate", json!({"expressions": [sum, "nowhere", "net"]})).await.good();
    let kind = stage.pick("int", "unsigned long");
    let summed = stage.pick("int", "long long");
    let error = stage.pick("NameError: name 'nowhere' is not defined", "use of undeclared identifier 'nowhere'");
    let lines: Vec<_> = answer.text.lines().take(3).collect();
    let expected =
        [format!("{sum} = 1007  ({summed})"), format!("nowhere = <error: {error}>"), format!("net = 1000  ({kind})")];
    assert_eq!(lines, expected);
    let outer = stage.call("debug_evaluate", json!({"expressions": ["index"], "frame": 1})).await.good();
    outer.says("index = 0");
    let text = stage.call("debug_evaluate", json!({"expressions": ["item.name"]})).await.good();
    text.says(stage.pick("item.name = 'Heft'", "item.name = \"Heft\""));
}

pub async fn watches_and_changes_at_each_stop(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    let watched =
        stage.call("debug_evaluate", json!({"expressions": ["total", "index + 1"], "watch": true})).await.good();
    watched.says("total = 0");
    let stop = stage.resume_to(1).await;
    assert_eq!(stop.line("watch: "), "total = 1070 · index + 1 = 2");
    let changes = stop.line("changed since stop 1: ");
    for change in ["index 0→1", "net 1000→1990", "total 0→1070"] {
        assert!(changes.contains(change), "{change}: {changes}");
    }
    stage.call("debug_evaluate", json!({"watch": false})).await.good();
    let stop = stage.resume_to(1).await;
    assert!(!stop.text.contains("watch: "), "{}", stop.text);
}

pub async fn nested_by_path(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "total")]})).await.good();
    let item = stage.call("debug_variables", json!({"path": "cart.items[1]"})).await.good();
    let text = stage.pick("  name: str = 'Füller'", "  name: alloc::string::String = \"Füller\"");
    assert!(item.text.lines().any(|line| line == text), "{}", item.text);
    item.says(stage.pick("\n  price: int = 1990", "\n  price: unsigned long = 1990"));
    let single = stage.call("debug_variables", json!({"path": "cart.items[3].price"})).await.good();
    assert_eq!(single.text.lines().nth(1), Some("4900"));
    let tree = stage.call("debug_variables", json!({"path": "cart", "depth": 3})).await.good();
    for name in ["Heft", "Füller", "饺子", "Atlas"] {
        tree.says(&stage.pick(format!("name: str = '{name}'"), format!("name: alloc::string::String = \"{name}\"")));
    }
    let wrong = stage.call("debug_variables", json!({"path": "cart.items[1].prise"})).await;
    assert!(
        wrong.is_error && wrong.text.starts_with("error[no-such-variable] cart.items[1] has no `prise`"),
        "{}",
        wrong.text
    );
    wrong.says(r#"Try: debug_variables {"path": "cart.items[1].price"}"#);
}

pub async fn paged_and_filtered(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let page = stage.call("debug_variables", json!({"path": "numbers", "start": 5000, "count": 3})).await.good();
    let rows: Vec<_> = page.text.lines().filter(|line| line.starts_with("  [")).collect();
    assert_eq!(rows, [5000, 5001, 5002].map(|n| format!("  [{n}]: int = {n}")), "{}", page.text);
    let found = stage.call("debug_variables", json!({"filter": "user"})).await.good();
    found.says("  users: ");
    assert!(!found.text.contains("  numbers: "), "{}", found.text);
}

pub async fn long_text_is_cut_and_named(stage: &mut Stage) {
    let stop = stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    assert!(stop.text.len() < 2500, "{}", stop.text);
    stop.line("locals: ").find("(in full: debug_variables path=").expect("the cut is named");
    let text = stage.call("debug_variables", json!({"path": "text"})).await.good();
    assert!(text.text.len() > 500 && text.text.len() < 40_000, "{}", text.text.len());
}

pub async fn cycle_ends(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let ring = stage.call("debug_variables", json!({"path": "ring", "depth": 6})).await.good();
    assert!(ring.text.lines().count() < 20, "{}", ring.text);
    let name = stage.call("debug_variables", json!({"path": "ring.next.next.next.name"})).await.good();
    assert_eq!(name.text.lines().nth(1), Some("'ring'"));
}

pub async fn variables_of_another_frame(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let outer = stage.call("debug_variables", json!({"frame": 1})).await.good();
    outer.says(&format!("frame #1 {}", stage.function("cart", "total_of")));
    outer.says(stage.pick("  index: int = 0", "  index: unsigned long = 0"));
    assert!(!outer.text.contains("\n  rate: "), "{}", outer.text);
    stage.call("debug_variables", json!({"frame": 99})).await.says("error[no-such-frame] there is no frame 99");
}

pub async fn stacks_of_all_threads(stage: &mut Stage) {
    stage.launch("threads", json!({"breakpoints": [stage.at("threads", "work")]})).await.good();
    let stacks = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    for name in ["worker-1", "worker-2"] {
        stacks.says(name);
    }
    let works = stage.function("threads", "work");
    stacks.says(&format!("{works}  {}", stage.at("threads", "work")));
    stacks.says("stopped here");
}

pub async fn endless_evaluation_runs_out_of_time(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let endless = json!({"expressions": ["[0 for _ in iter(int, 1)]", "net"], "timeout_s": 1});
    let answer = stage.call("debug_evaluate", endless).await;
    answer.fails("error[evaluate-timeout] the expressions were not evaluated within 1 s. Try: debug_status");
    stage.call("debug_status", json!({})).await.good().says("stopped breakpoint");
    stage.call("debug_stop", json!({})).await.good().line("□ stopped as asked, nothing left running");
}
