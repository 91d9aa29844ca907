//! Paths of variables: fields, elements, keys, and names that hide others. They call nothing.

use serde_json::json;

use crate::real::stage::{Language, Stage, marked, workspace_with};

pub async fn nested_by_path(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "total")]})).await.good();
    let item = stage.call("debug_variables", json!({"path": "cart.items[1]"})).await.good();
    let text = stage.pick(
        "  name: str = 'Füller'",
        "  name: alloc::string::String = \"Füller\"",
        "  name: string = \"Füller\"",
        "  name: string = 'Füller'",
        "  name: const char * = \"Füller\"",
    );
    assert!(item.text.lines().any(|line| line == text), "{}", item.text);
    let kind = stage.pick("int", "u64", "uint64", "number", "uint64_t");
    item.says(&format!("\n  price: {kind} = 1990"));
    let single = stage.call("debug_variables", json!({"path": "cart.items[3].price"})).await.good();
    assert_eq!(single.text.lines().nth(1), Some("4900"));
    let tree = stage.call("debug_variables", json!({"path": "cart", "depth": 3})).await.good();
    for name in ["Heft", "Füller", "饺子", "Atlas"] {
        tree.says(&stage.pick(
            format!("name: str = '{name}'"),
            format!("name: alloc::string::String = \"{name}\""),
            format!("name: string = \"{name}\""),
            format!("name: string = '{name}'"),
            format!("name: const char * = \"{name}\""),
        ));
    }
    let wrong = stage.call("debug_variables", json!({"path": "cart.items[1].prise"})).await;
    assert!(
        wrong.is_error
            && wrong.text.starts_with("error[no-such-variable] cart.items[1] has no `prise`"),
        "{}",
        wrong.text
    );
    wrong.says(r#"Try: debug_variables {"path": "cart.items[1].price"}"#);
}

pub async fn path_calls_nothing_and_selects_one_key(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let called = stage.call("debug_variables", json!({"path": "numbers.append(99)"})).await;
    called.fails(
        "error[not-a-path] `numbers.append(99)` is not a path to a variable. Try: \
        debug_evaluate {\"expressions\": [\"numbers.append(99)\"]}",
    );
    let length =
        stage.call("debug_evaluate", json!({"expressions": ["len(numbers)"]})).await.good();
    length.says("len(numbers) = 10000");
    for (path, value) in [
        ("odd[1]", "'int'"),
        ("odd[\"1\"]", "'text'"),
        ("odd['007']", "'bond'"),
        ("odd['7']", "'seven'"),
    ] {
        let found = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(found.text.lines().nth(1), Some(value), "{path}");
    }
}

pub async fn keys_of_a_mapping(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let row: fn(&str, u32) -> String = stage.pick(
        |key, value| format!("  '{key}': int = {value}"),
        |key, value| format!("  [\"{key}\"]: u32 = {value}"),
        |key, value| format!("  \"{key}\": int = {value}"),
        |key, value| format!("  {key}: number = {value}"),
        |_, _| String::new(),
    );
    if stage.language.newest() == Language::Go {
        // A Go map has no order, so it is not paged.
        let filtered = json!({"path": "prices", "filter": "item-181"});
        let found = stage.call("debug_variables", filtered).await.good();
        assert_eq!(found.text.lines().skip(1).collect::<Vec<_>>(), [row("item-181", 1810)]);
        let one =
            stage.call("debug_variables", json!({"path": "prices[\"item-999\"]"})).await.good();
        assert_eq!(one.text.lines().nth(1), Some("9990"));
        return;
    }
    let filtered = json!({"path": "prices", "filter": "item-18", "count": 3});
    let found = stage.call("debug_variables", filtered).await.good();
    let rows: Vec<_> = found.text.lines().skip(1).take(3).collect();
    assert_eq!(rows, [row("item-180", 1800), row("item-181", 1810), row("item-182", 1820)]);
    let last = stage.pick(
        ("item-999", 999, "9990"),
        ("item-199", 199, "1990"),
        Default::default(),
        ("item-999", 999, "9990"),
        Default::default(),
    );
    let page =
        stage.call("debug_variables", json!({"path": "prices", "start": last.1})).await.good();
    assert_eq!(page.text.lines().nth(1), Some(row(last.0, last.1 * 10).as_str()), "{}", page.text);
    let one = stage
        .call("debug_variables", json!({"path": format!("prices[\"{}\"]", last.0)}))
        .await
        .good();
    assert_eq!(one.text.lines().nth(1), Some(last.2));
}

/// Numbers in brackets are keys, even where the adapter numbers the entries.
pub async fn numeric_keys_of_a_mapping(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    for key in [5, 12] {
        let reply =
            stage.call("debug_variables", json!({"path": format!("codes[{key}]")})).await.good();
        assert_eq!(
            reply.text.lines().nth(1),
            Some((key * 10).to_string().as_str()),
            "{}",
            reply.text
        );
    }
    for key in [0, 2, 50] {
        let reply = stage.call("debug_variables", json!({"path": format!("codes[{key}]")})).await;
        reply.says(&format!("error[no-such-variable] codes has no `{key}`"));
    }
}

pub async fn cyclic_value_is_cut(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let ring = stage.call("debug_variables", json!({"path": "ring", "depth": 6})).await.good();
    assert!(ring.text.lines().count() < 20, "{}", ring.text);
    let name =
        stage.call("debug_variables", json!({"path": "ring.next.next.next.name"})).await.good();
    assert_eq!(
        name.text.lines().nth(1),
        Some(stage.pick("'ring'", "\"ring\"", "\"ring\"", "'ring'", "\"ring\""))
    );
}

/// The block's variable hides the argument of the same name: it is read, set and shown. At the end
/// of the block the argument has not changed.
pub async fn innermost_variable_of_a_name_is_selected(stage: &mut Stage) {
    let c = "#include <stdio.h>\n\nstatic int inner(int x) {\n    int out = 0;\n    {\n        int \
        x = 121;\n        \
             out += x; // [stop: inner]\n    }\n    return out + x;\n}\n\nint main(void) {\n    \
             printf(\"%d\\n\", inner(22));\n}\n";
    let javascript = "function inner(x) {\n  let out = 0;\n  {\n    let x = 121;\n    out += x; // \
        [stop: inner]\n  }\n  \
                      return out + x;\n}\n\nconsole.log(inner(22));\n";
    let (name, text) =
        stage.pick(("", ""), ("", ""), ("", ""), ("shadow.js", javascript), ("shadow.c", c));
    let (dir, _) = workspace_with(&[(name, text)]).await;
    stage.start_in(dir.path()).await;
    let at = format!("{name}:{}", marked(&dir.path().join(name), "inner"));
    let launch = json!({"program": name, "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let read = stage.call("debug_variables", json!({"path": "x"})).await.good();
    assert_eq!(read.text.lines().last(), Some("121"), "{}", read.text);
    let set = stage.call("debug_set", json!({"target": "x", "value": "9"})).await.good();
    assert_eq!(set.text, "x = 9  (was 121)");
    let listed = stage.call("debug_variables", json!({})).await.good();
    let values = listed.text.lines().filter(|line| line.starts_with("  x") && line.contains(" = "));
    let mut values: Vec<&str> = values.filter_map(|line| line.rsplit(" = ").next()).collect();
    values.sort_unstable();
    // LLDB lists only the visible one.
    let expect = if stage.language == Language::LldbC { &["9"][..] } else { &["22", "9"] };
    assert_eq!(values, expect, "{}", listed.text);
    loop {
        let stop = stage.call("debug_step", json!({})).await.good();
        let changes = stop.text.lines().find(|line| line.starts_with("changed "));
        assert!(!changes.is_some_and(|line| line.contains(" x ")), "{}", stop.text);
        if stop.text.lines().any(|line| line.starts_with('→') && line.contains("return")) {
            break;
        }
    }
    stage.resume().await.good().says("\n  31\n");
}

/// Variables of an inner block are no changes of those that they hide.
pub async fn go_variables_of_a_block_are_no_changes(stage: &mut Stage) {
    let text = "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tx, err := 7, error(nil)\n\t\
        if x > 1 { // [stop: outer]\n\t\tx, err := \"in\", fmt.Errorf(\"big\")\n\t\t\
        fmt.Println(x, err)\n\t}\n\tfmt.Println(x, err)\n}\n";
    let (dir, _) = workspace_with(&[("shadow.go", text)]).await;
    stage.start_in(dir.path()).await;
    let at = format!("shadow.go:{}", marked(&dir.path().join("shadow.go"), "outer"));
    let launch = json!({"program": "shadow.go", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    for locals in [
        "locals: err=nil  x=7",
        "locals: (err)=nil  (x)=7  err=*errors.errorString {s: \"big\"}  x=\"in\"",
        "locals: err=nil  x=7",
    ] {
        let stop = stage.call("debug_step", json!({})).await.good();
        stop.says(locals);
        assert!(!stop.text.contains("changed since"), "{}", stop.text);
    }
}
