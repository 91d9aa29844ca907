//! Expressions and conditions by the rules of the program's language: Rust and C++ expressions give
//! what the program would compute, or are refused with a reason.

use serde_json::json;

use crate::caller::root;
use crate::real::stage::{Language, Stage, marked};

const RUST: &str = "tests/fixtures/rust/src/bin/numbers.rs";
const CPP: &str = "tests/fixtures/c/numbers.cpp";

/// Expressions and their expected results.
type Table<'a> = &'a [(&'a str, &'a str)];

async fn check(stage: &mut Stage, table: Table<'_>) {
    let texts: Vec<&str> = table.iter().map(|(text, _)| *text).collect();
    for (texts, rows) in texts.chunks(20).zip(table.chunks(20)) {
        let answer = stage.call("debug_evaluate", json!({"expressions": texts})).await.good();
        let reply: Vec<&str> = answer.text.lines().collect();
        let expected: Vec<String> =
            rows.iter().map(|(text, value)| format!("{text} = {value}")).collect();
        assert_eq!(reply[..expected.len()], expected);
    }
}

pub async fn expressions_in_rust_follow_its_rules(stage: &mut Stage) {
    let at = format!("{RUST}:{}", marked(&root().join(RUST), "numbers"));
    stage.launch("numbers", json!({"breakpoints": [at]})).await.good();
    check(
        stage,
        &[
            ("49 / 10", "4  (i64)"),
            ("item.price / 10", "-4  (i64)"),
            ("item.price % 10", "-9  (i64)"),
            ("item.price / 10 == -4", "true  (bool)"),
            ("small + 1", "201  (u8)"),
            ("small + 100", "<error: 300 overflows u8>"),
            ("count - 5", "<error: -5 overflows u64>"),
            ("count as i64 - 5", "-5  (i64)"),
            ("wide + 1", "1267650600228229401496703205377  (u128)"),
            ("ratio * 2.0 + 0.5", "5.5  (f64)"),
            ("single + 1.0", "1.10000002  (f32)"),
            ("single == 0.1 && single == 0.1f32 && single < 0.2", "true  (bool)"),
            ("single * 1e39 > 3e38", "true  (bool)"),
            ("(0.0 / 0.0) as u8 == 0 && (ratio / 0.0) as u8 == u8::MAX", "true  (bool)"),
            ("item.price as u8", "207  (u8)"),
            ("!flags", "4294967289  (u32)"),
            ("!done && flags > 3", "true  (bool)"),
            ("done || flags & 4 != 0", "true  (bool)"),
            ("byte == b'A' && letter == 'ß'", "true  (bool)"),
            ("pair.0 + 1", "4  (i16)"),
            ("pair.1 == \"zwei\"", "true  (bool)"),
            ("item.name == \"Füller\"", "true  (bool)"),
            ("item.name.len()", "7  (u64)"),
            ("list.len() > 2 && list[2] == 30", "true  (bool)"),
            ("list[3]", "<error: `list` has no element 3; it has 3>"),
            ("queue.len() + slice.len() + by_name.len() + sorted.len()", "7  (u64)"),
            ("sorted[\"k\"]", "5  (i32)"),
            ("sorted[\"z\"]", "<error: `sorted` has no key \"z\">"),
            ("by_name[\"b\"]", "2  (i32)"),
            ("by_name[\"c\"]", "<error: `by_name` has no key \"c\">"),
            ("by_name.contains_key(\"a\") && !sorted.contains_key(\"a\")", "true  (bool)"),
            (
                "letters.contains_key(&'a') && !letters.contains_key(&'c') && letters[&'b'] == 2",
                "true  (bool)",
            ),
            ("letters[&'c']", "<error: `letters` has no key 'c'>"),
            ("truths[&true] == 3 && !truths.contains_key(&false)", "true  (bool)"),
            ("list.contains(&20) && !slice.contains(&10)", "true  (bool)"),
            ("some.unwrap() + 1", "5  (u32)"),
            ("none.unwrap()", "<error: `none` is None>"),
            ("text.unwrap().contains(\"a\")", "true  (bool)"),
            ("item.price.abs()", "49  (i64)"),
            (
                "done ? 1 : 2",
                "<error: `?:` is an operator of C; in Rust evaluate the condition and both values \
                separately>",
            ),
            ("empty.is_empty()", "true  (bool)"),
            ("(*item).price", "-49  (i64)"),
            ("item.kind == Kind::Pen", "true  (bool)"),
            ("item.kind == Kind::Pem", "<error: numbers::Kind has no `Pem`; it has Book, Pen>"),
            ("coupons[0] == Coupon::None", "true  (bool)"),
            ("coupons[1] == Coupon::None", "false  (bool)"),
            ("some.is_some() && none.is_none() && text.is_some()", "true  (bool)"),
            ("good.is_err() || bad.is_ok()", "false  (bool)"),
            ("boxed.name == \"Box\"", "true  (bool)"),
            ("crate::LIMIT / 3", "13  (u32)"),
            ("COUNTER + 1", "8  (u32)"),
            ("flags,x", "0x00000006  (u32)"),
            ("item.prise", "<error: `item` has no `prise`; it has name, kind, price>"),
            ("nowhere", "<error: there is no `nowhere` here>"),
            ("root", "<error: there is no `root` here>"),
            ("stdin", "<error: there is no `stdin` here>"),
            (
                "item + 1",
                "<error: `item` is a pointer: `*item` is the value behind it, `item as usize` its \
                address>",
            ),
            ("count / 0", "<error: division by zero>"),
            ("flags = 1", "<error: it assigns, which debug_set does>"),
            (
                "/py 1",
                "<error: an expression does not run Python or commands of LLDB: debug_command \
                does, `script` in a host with --allow-shell>",
            ),
        ],
    )
    .await;
    let reply = stage.call("debug_variables", json!({"path": "by_letter['y']"})).await.good();
    assert_eq!(reply.text.lines().nth(1), Some("9"), "{}", reply.text);
}

pub async fn c_strings_are_paged(stage: &mut Stage) {
    let source = "tests/fixtures/c/deep.c";
    let at = format!("{source}:{}", marked(&root().join(source), "data"));
    let launch =
        json!({"adapter": "codelldb", "program": "target/fixtures/c/deep", "breakpoints": [at]});
    stage.call("debug_launch", launch).await.good();
    let first = stage.call("debug_variables", json!({"path": "text"})).await.good();
    assert!(first.text.starts_with("text: char * · 102400 characters · "), "{}", first.text);
    let last =
        stage.call("debug_variables", json!({"path": "text", "start": 102_390})).await.good();
    assert_eq!(last.text.lines().nth(1), Some("0123456789"));
}

pub async fn expressions_in_cpp_follow_its_rules(stage: &mut Stage) {
    let at = |mark| format!("{CPP}:{}", marked(&root().join(CPP), mark));
    let breakpoints =
        [at("numbers"), format!("{} if price / 10 == -4 && this->price < 0", at("method"))];
    let launch = json!({
        "adapter": "codelldb", "program": "target/fixtures/c/numbers", "breakpoints": breakpoints,
    });
    stage.call("debug_launch", launch).await.good();
    check(
        stage,
        &[
            ("item->price / 10", "-4  (long)"),
            ("same.price % 10", "-9  (long)"),
            ("small / 2", "-1  (int)"),
            ("byte + 100", "300  (int)"),
            ("byte + byte", "400  (int)"),
            ("small < count", "false  (bool)"),
            ("-1 < 1u", "false  (bool)"),
            ("count - 5", "4294967291  (unsigned int)"),
            ("wide * 2", "0  (unsigned long)"),
            ("2147483647 + 1", "<error: 2147483648 overflows int>"),
            ("result == 0x80004005 && result < 0x80004006 && result != 2147500037", "true  (bool)"),
            ("-1 < 0x7fffffff && -1 > 0xfffffffe && 0x1ffffffffu > 1", "true  (bool)"),
            ("~0xff", "-256  (int)"),
            ("single == 0.1f && single != 0.1 && ratio == 2.5", "true  (bool)"),
            ("single * 0.5", "0.05000000074505806  (double)"),
            ("single * 0.5f", "0.0500000007  (float)"),
            ("largest * 10", "+Inf  (float)"),
            ("endless % 2", "NaN  (double)"),
            ("(int)endless", "<error: inf does not fit int, which is undefined behaviour in C>"),
            ("flags & 1 == 0", "0  (unsigned int)"),
            ("!nobody && item != NULL", "true  (bool)"),
            ("colour == Colour::Blue && item->kind == PEN", "true  (bool)"),
            ("(int)ratio", "2  (int)"),
            ("(unsigned char)300", "44  (unsigned char)"),
            ("text == \"Heft\" && letters == \"abc\"", "true  (bool)"),
            ("item->name == \"Füller\"", "true  (bool)"),
            ("*(second + 1)", "30  (int)"),
            ("second - list", "1  (long)"),
            ("second[1]", "30  (int)"),
            ("numbers[2]", "6  (int)"),
            (
                "ages",
                "unordered_map(1){\"ann\": 5}  \
                (std::unordered_map<std::basic_string<char>, int>)",
            ),
            ("ages[\"ann\"] + ages.size()", "6  (unsigned long)"),
            ("seen", "unordered_set(2)[4, 3]  (std::unordered_set<int>)"),
            ("numbers[3]", "<error: `numbers` has no element 3; it has 3>"),
            ("((Item *)item)->next->price", "7  (long)"),
            ("nobody->price", "<error: `nobody` is null>"),
            ("limit", "40  (unsigned int)"),
            ("sizeof(int) + sizeof list", "16  (unsigned long)"),
            ("sizeof(Item *) == sizeof item && sizeof(Item) == sizeof *item", "true  (bool)"),
            ("sizeof(Nothing)", "<error: there is neither a variable nor a type `Nothing` here>"),
            ("done ? 1 : flags", "6  (unsigned int)"),
            ("nobody ? nobody->price : flags", "6  (unsigned int)"),
            ("ready ? ratio : flags", "6  (double)"),
            ("flags > 5 ? count + 7 : small", "7  (unsigned int)"),
            ("flags > 5 ? -1 : 2", "-1  (int)"),
            ("numbers.size() + numbers.back()", "9  (unsigned long)"),
            ("numbers.at(1)", "5  (int)"),
            ("item->name.size() > 6 && !item->name.empty()", "true  (bool)"),
        ],
    )
    .await;
    stage.call("debug_breakpoints", json!({"disable": [1]})).await.good();
    stage.resume_to(2).await;
    check(stage, &[("price * rate / 100", "-9  (long)")]).await;
}

/// All elements are searched: LLDB lists 256 or none, and walks some containers from the start for
/// each.
pub async fn expressions_in_cpp_search_all_elements(stage: &mut Stage) {
    let at = format!("{CPP}:{}", marked(&root().join(CPP), "held"));
    let launch =
        json!({"adapter": "codelldb", "program": "target/fixtures/c/numbers", "breakpoints": [at]});
    stage.call("debug_launch", launch).await.good();
    check(
        stage,
        &[
            ("list.size() == 300 && list.back() == 299 && list[280] == 280", "true  (bool)"),
            ("list.contains(299) && !list.contains(300)", "true  (bool)"),
            ("forward.contains(0) && !forward.contains(300)", "true  (bool)"),
            ("names.contains(\"299\") && !names.contains(\"300\")", "true  (bool)"),
            ("by_number.at(299) == \"299\" && !by_number.contains(300)", "true  (bool)"),
            (
                "hashed.size() == 300 && hashed.contains(\"0\") && !hashed.contains(\"300\")",
                "true  (bool)",
            ),
            (
                "by_hash.at(5) == 2.5 && by_hash.contains(299) && !by_hash.contains(-1)",
                "true  (bool)",
            ),
            ("nothing.contains(0) || !nothing.empty()", "false  (bool)"),
        ],
    )
    .await;
}

pub async fn conditions_in_rust_hold_or_are_refused(stage: &mut Stage) {
    let at = format!("{RUST}:{}", marked(&root().join(RUST), "numbers"));
    for (condition, count) in [
        ("item.price / 10 == -4 && count > 1", 2),
        ("ready", 2),
        ("!ready && count / 3 == 1", 3),
        ("/se count == 1", 1),
    ] {
        let launch = json!({"breakpoints": [format!("{at} if {condition}")]});
        stage.launch("numbers", launch).await.good();
        let reply = stage.call("debug_evaluate", json!({"expressions": ["count"]})).await.good();
        reply.says(&format!("count = {count}  (u64)"));
        stage.call("debug_stop", json!({})).await.good();
    }
    for (condition, why) in [
        ("count >", "a value is missing at the end"),
        ("count = 1", "it assigns, which debug_set does"),
        ("item.price.pow(2) > 1", "cannot call `pow`"),
        ("/nat count == 1", "`/nat` compiles C and C++ only; leave it out"),
        ("/py $count == 2", "an expression does not run Python"),
    ] {
        let launch = json!({"breakpoints": [format!("{at} if {condition}")]});
        let refused = stage.launch("numbers", launch).await;
        assert!(refused.is_error, "{condition}: {}", refused.text);
        refused.says(why);
    }
}

/// A call made by an expression returns its value and is no stop of the program, even if it fails.
pub async fn call_in_an_expression_is_no_stop(stage: &mut Stage) {
    let (main, parse) = (stage.at("crash", "main"), stage.at("crash", "parse"));
    stage.launch("crash", json!({"breakpoints": [main, parse], "args": ["raise"]})).await.good();
    let calls = ["parse(\"12\")", "read(16)", "parse(\"x\")", "argc", "how"];
    let answer = stage
        .call("debug_evaluate", json!({"expressions": calls, "effects": "allow"}))
        .await
        .good();
    let interrupted = "Expression execution was interrupted: signal";
    let (read, parsed) = stage.of_c(
        (
            "SIGSEGV in read: the call is undone".to_owned(),
            "SIGABRT in parse: the call is undone".to_owned(),
        ),
        (
            format!("{interrupted} SIGSEGV: address not mapped to object (fault address=0x10)."),
            format!("{interrupted} SIGABRT."),
        ),
    );
    let expected = format!(
        "parse(\"12\") = 12  (int)\nread(16) = <error: {read}>\nparse(\"x\") = <error: \
        {parsed}>\nargc = 2  (int)\n\
         how = \"raise\"  (const char *)"
    );
    // The failed assertion of the program may stand behind them.
    assert!(answer.text.starts_with(&expected), "{}", answer.text);
    // The stop is unchanged, and its variables are still valid.
    let inside = stage.call("debug_variables", json!({"path": "argv"})).await.good();
    inside.says(&root().join(stage.language.program("crash")).display().to_string());
    let step = stage.call("debug_step", json!({})).await.good();
    step.says("after step · stop 2 · ");
    // The breakpoint passed by the call still stops the program itself.
    let stop = stage.resume_to(2).await;
    stage.assert_stop(&stop, "crash", "parse", "parse");
    assert_eq!(stop.local("text"), "\"zwölf\"");
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert_eq!(list.text.matches("1 hit").count(), 2, "{}", list.text);
}

/// The program's functions are called only with `effects=allow`, and a call that panics is undone.
pub async fn calls_in_go_need_permission(stage: &mut Stage) {
    let main = stage.at("crash", "main");
    stage.launch("crash", json!({"breakpoints": [main], "args": ["caught"]})).await.good();
    let calls = json!(["parse(\"12\") + len(how)", "parse(\"x\")", "amount"]);
    let refused = stage.call("debug_evaluate", json!({"expressions": calls})).await.good();
    refused.says(
        "parse(\"12\") + len(how) = <error: this calls code of the program; repeat with \
        effects=allow>",
    );
    let answer = stage
        .call("debug_evaluate", json!({"expressions": calls, "effects": "allow"}))
        .await
        .good();
    let (sum, rest) = answer.text.split_once('\n').unwrap();
    assert_eq!(sum, "parse(\"12\") + len(how) = 18");
    assert!(rest.starts_with("parse(\"x\") = *fmt.wrapError {msg: \"bad order 7: "), "{rest}");
    assert!(
        rest.ends_with(
            "} (the value of a panic, unless the function returns any)\namount = \"zwölf\"  \
            (string)"
        ),
        "{rest}"
    );
    // Delve takes such a text for a command of its own in every context.
    for text in ["dlv help", " dlv\tconfig -list", "\ndlv sources", "dlv\nhelp"] {
        for effects in ["none", "allow"] {
            let command = json!({"expressions": [text], "effects": effects});
            stage.call("debug_evaluate", command).await.good().says(
                " = <error: `dlv` begins a command of the debugger, not an expression: \
                 use debug_command>",
            );
        }
    }
    stage.resume().await.good().says("caught: bad order 7");
}

/// Delve has no statements: assignments name debug_set, with `effects=allow` too.
pub async fn assignment_expressions_in_go_name_debug_set(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    for effects in ["none", "allow"] {
        let assignments = json!({"expressions": ["net = 4", "net += 4"], "effects": effects});
        let reply = stage.call("debug_evaluate", assignments).await.good();
        let lines: Vec<&str> = reply.text.lines().collect();
        let words = "<error: expected '==', found '='; to assign: debug_set {\"target\": \"net\", \
            \"value\": \"4\"}>";
        assert_eq!(lines[0], format!("net = 4 = {words}"));
        assert!(
            lines[1]
                .ends_with("; to assign: debug_set {\"target\": \"net\", \"value\": \"net + 4\"}>"),
            "{}",
            reply.text
        );
    }
    stage
        .call("debug_set", json!({"target": "net", "value": "net + 4"}))
        .await
        .good()
        .says("net = 1004  (was 1000)");
    // For a map its entries are counted.
    let tags = stage.call("debug_variables", json!({"path": "item.tags"})).await.good();
    assert!(tags.text.lines().next().unwrap().contains(" · 1 inside · "), "{}", tags.text);
}

/// The program's functions are called only with `effects=allow`.
pub async fn calls_in_cpp_need_permission(stage: &mut Stage) {
    const SOURCE: &str = "tests/fixtures/c/assigned.cpp";
    let at = |mark| format!("{SOURCE}:{}", marked(&root().join(SOURCE), mark));
    let breakpoints = [at("assigned"), at("grow")];
    let launch = json!({
        "adapter": "codelldb", "program": "target/fixtures/c/assigned", "breakpoints": breakpoints,
    });
    stage.call("debug_launch", launch).await.good();
    let refused =
        stage.call("debug_evaluate", json!({"expressions": ["shape.area()"]})).await.good();
    refused.says(
        "shape.area() = <error: cannot call `area`: an expression calls no function of the \
        program. ",
    );
    refused.says("; repeat with effects=allow to run it>");
    let table = [
        ("shape.area()", "9  (int)"),
        ("twice(x) + 1", "9  (int)"),
        ("note(5)", "nothing  (void)"),
        ("answer", "5  (int)"),
        // The breakpoint within the called function does not stop.
        ("shape.grow(2)", "nothing  (void)"),
        ("shape.width", "5  (int)"),
        ("numbers[0] += 5", "9  (__gnu_cxx::__alloc_traits<std::allocator<int> >::value_type)"),
        ("*nobody", "<error: `nobody` is null>"),
        ("nowhere(1)", "<error: use of undeclared identifier 'nowhere'>"),
    ];
    let texts: Vec<&str> = table.iter().map(|(text, _)| *text).collect();
    let reply = stage
        .call("debug_evaluate", json!({"expressions": texts, "effects": "allow"}))
        .await
        .good();
    let expected: Vec<String> =
        table.iter().map(|(text, value)| format!("{text} = {value}")).collect();
    assert_eq!(reply.text.lines().take(expected.len()).collect::<Vec<_>>(), expected);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("25 5\n");
}

/// gdb calls functions and assigns in expressions: neither without permission.
pub async fn calls_in_c_need_permission(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    let changing = ["tax(item, 100)", "total = 5", "total++", "net"];
    let refused = stage.call("debug_evaluate", json!({"expressions": changing})).await.good();
    assert_eq!(
        refused.text,
        "tax(item, 100) = <error: this calls code of the program; repeat with effects=allow>\n\
         total = 5 = <error: this changes the program; repeat with effects=allow>\n\
         total++ = <error: this changes the program; repeat with effects=allow>\n\
         net = 1000  (uint64_t)"
    );
    let total = json!({"expressions": ["total"]});
    stage.call("debug_evaluate", total.clone()).await.good().line("total = 0  (uint64_t)");
    let allowed = json!({"expressions": ["tax(item, 100)"], "effects": "allow"});
    stage.call("debug_evaluate", allowed).await.good().line("tax(item, 100) = 7  (unsigned long)");
    stage.call("debug_evaluate", total).await.good().line("total = 0  (uint64_t)");
    let end = stage.resume().await.good();
    assert_eq!(end.local("total"), "1070", "{}", end.text);
}

pub async fn calls_in_rust_are_refused(stage: &mut Stage) {
    stage.launch("numbers", json!({"breakpoints": [stage.at("numbers", "numbers")]})).await.good();
    // Nor is a function that would never return.
    for (call, function) in [("compute(item, 1, true)", "compute"), ("forever()", "forever")] {
        let rust = json!({"expressions": [call], "effects": "allow"});
        let answer = stage.call("debug_evaluate", rust).await.good();
        let reply = format!(
            "{call} = <error: cannot call `{function}`: an expression calls no function of the \
            program. Use fields, \
             indexing, .len(), .is_empty(), .contains() or .unwrap(); effects=allow changes \
             nothing: LLDB cannot run \
             Rust code>"
        );
        assert_eq!(answer.text, reply);
    }
}

/// A condition that cannot be evaluated stops, and the stop says so.
pub async fn failed_condition_stops(stage: &mut Stage) {
    let at = stage.at("cart", "tax");
    let why = stage.pick("", "", "undefined: nosuch", "nosuch is not defined", "");
    let stop =
        stage.launch("cart", json!({"breakpoints": [format!("{at} if nosuch > 1")]})).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    stage.assert_stop(&stop, "cart", "tax", "tax");
    stop.says(&format!("the debugger says: the condition failed: {why}"));
    assert!(!stop.text.contains("condition error"), "{}", stop.text);
}

/// A condition that cannot be checked in advance is reported by its stop.
pub async fn failed_condition_is_reported_by_the_stop(stage: &mut Stage) {
    if stage.language.has_gdb() {
        return failed_condition_in_gdb(stage).await;
    }
    if stage.language == Language::LldbC {
        return failed_condition_in_cpp(stage).await;
    }
    let at = format!("{RUST}:{}", marked(&root().join(RUST), "numbers"));
    for (condition, why) in [
        ("nowhere > 1", "there is no `nowhere` here"),
        ("item.prise == 1", "`item` has no `prise`; it has name, kind, price"),
        ("list[count + 3] == 1", "`list` has no element 3; it has 3"),
    ] {
        let stop = stage
            .launch("numbers", json!({"breakpoints": [format!("{at} if {condition}")]}))
            .await
            .good();
        stop.says("\nlocals: ");
        stop.says(&format!("the debugger says: the condition `{condition}` failed: {why}"));
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}

async fn failed_condition_in_cpp(stage: &mut Stage) {
    let at = format!("{CPP}:{}", marked(&root().join(CPP), "numbers"));
    for (condition, why) in [
        ("nobody->price > 1", "`nobody` is null"),
        ("/nat nowhere", "use of undeclared identifier"),
    ] {
        let breakpoints = [format!("{at} if {condition}")];
        let launch = json!({
            "adapter": "codelldb", "program": "target/fixtures/c/numbers",
            "breakpoints": breakpoints,
        });
        let stop = stage.call("debug_launch", launch).await.good();
        stop.says(&format!("the condition `{condition}` failed: "));
        stop.says(why);
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}

/// One note for each stop, and none at a stop of another breakpoint.
async fn failed_condition_in_gdb(stage: &mut Stage) {
    let tax = stage.at("cart", "tax");
    for (condition, why) in [
        ("item->prise == 1", "There is no member named prise"),
        ("*(int *)0 == 20", "Cannot access memory at address 0x0"),
    ] {
        let breakpoints = [format!("{tax} if {condition}"), stage.at("cart", "tax return")];
        let stop = stage.launch("cart", json!({"breakpoints": breakpoints})).await.good();
        assert!(stop.reason().starts_with("breakpoint #"), "{}", stop.text);
        stage.assert_stop(&stop, "cart", "tax", "tax");
        let note = format!("note: the debugger says: the condition `{condition}` failed: {why}");
        assert_eq!(stop.text.lines().filter(|line| *line == note).count(), 1, "{}", stop.text);
        let stop = stage.resume().await.good();
        stage.assert_stop(&stop, "cart", "tax", "tax return");
        assert!(!stop.text.contains("note: "), "{}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}

/// A hexadecimal format applies to one answer: later ones show the value and its members as usual.
pub async fn format_applies_to_one_answer(stage: &mut Stage) {
    let stop = stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    assert_eq!((stop.local("net"), stop.local("index")), ("1000", "0"));
    let item = stage.call("debug_evaluate", json!({"expressions": ["item"]})).await.good();
    let request = json!({"expressions": ["net,x", "item.price,x", "*item,x", "item,x"]});
    let reply = stage.call("debug_evaluate", request).await.good();
    reply.line("net,x = 0x00000000000003e8  (u64)");
    reply.line("item.price,x = 0x00000000000000fa  (u64)");
    reply.says("price:0x");
    let request = json!({"expressions": ["net,x"], "effects": "allow"});
    stage.call("debug_evaluate", request).await.good().line("net,x = 0x00000000000003e8  (u64)");
    assert_eq!(
        stage.call("debug_evaluate", json!({"expressions": ["item"]})).await.good().text,
        item.text
    );
    let stop = stage.resume_to(1).await;
    assert_eq!((stop.local("net"), stop.local("index")), ("1990", "1"));
}
