//! `debug_set`: which values it assigns, which it refuses with which error, and what the program
//! then prints.

use serde_json::json;

use crate::caller::root;
use crate::real::stage::{Language, Stage, marked};

const CPP: &str = "tests/fixtures/c/assigned.cpp";

/// Target, value, and the expected answer: `NEW (was OLD)` or the error text.
type Table<'a> = &'a [(&'a str, &'a str, &'a str)];

async fn check(stage: &mut Stage, table: Table<'_>) {
    for (target, value, reply) in table {
        let answer = stage.call("debug_set", json!({"target": target, "value": value})).await;
        let expected = match reply.split_once(" (") {
            Some((now, was)) if was.ends_with(')') => format!("{target} = {now}  ({was}"),
            _ => format!(
                "error[not-set] {reply}. Try: debug_evaluate {{\"expressions\": [{}]}}",
                json!(target)
            ),
        };
        assert_eq!(answer.text, expected, "{target} = {value}");
    }
}

pub async fn assignments_in_rust_are_checked(stage: &mut Stage) {
    let at = stage.at("assigned", "assigned");
    stage.launch("assigned", json!({"breakpoints": [at]})).await.good();
    check(
        stage,
        &[
            ("list[1]", "20", "20 (was 2)"),
            ("list[2]", "2 * list[0] + 7", "9 (was 3)"),
            (
                "list",
                "1",
                "`list` is [i32; 3], which cannot be set as a whole: set a field, an \
                element, or what it points to",
            ),
            ("numbers[1]", "65535", "65535 (was 5)"),
            ("numbers[1]", "65536", "`numbers[1]` is u16, which 65536 does not fit"),
            ("pair.0", "-3", "-3 (was 3)"),
            ("pair.1", "0.25", "0.25 (was 2.5)"),
            ("item.kind", "Kind::Pen", "Pen (was Book)"),
            ("item.kind", "Kind::Pencil", "assigned::Kind has no `Pencil`; it has Book, Pen, Ink"),
            ("kind", "Ink", "Ink (was Pen)"),
            ("kind", "item.kind", "Pen (was Ink)"),
            ("kind", "9", "`kind` is assigned::Kind: Book, Pen, Ink"),
            ("item.price", "item.price * 2", "-98 (was -49)"),
            (
                "item.name",
                "\"x\"",
                "`item.name` is alloc::string::String, which cannot be set as a whole: set a \
                field, an element, or what it \
                 points to",
            ),
            ("small", "255", "255 (was 1)"),
            ("small", "256", "`small` is u8, which 256 does not fit"),
            ("small", "-1", "`small` is u8, which -1 does not fit"),
            ("small", "done", "`small` is u8; the value has another type"),
            ("small", "nowhere", "there is no `nowhere` here"),
            ("wide", "2.5", "`wide` is i64, and 2.5 is not an integer"),
            ("*held", "40", "40 (was 7)"),
            (
                "held",
                "5",
                "`held` is a pointer: assign another pointer of its type, or set \
                `*held`",
            ),
            (
                "held",
                "&small",
                "`held` is a pointer: assign another pointer of its type, or set \
                `*held`",
            ),
            ("done", "1", "`done` is bool; the value has another type"),
            ("done", "true", "true (was false)"),
            ("letter", "98", "`letter` is char; the value has another type"),
            ("letter", "'ß'", "'ß' (was 'a')"),
            ("ratio", "2.5", "2.5 (was 0.5)"),
            ("by_name[\"a\"]", "11", "11 (was 1)"),
            ("sorted[5]", "55", "55 (was 50)"),
        ],
    )
    .await;
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    let output = stage.call("debug_output", json!({})).await.good();
    let printed: Vec<_> = output.text.lines().take(7).collect();
    assert_eq!(
        printed,
        [
            "list [1, 20, 9]",
            "numbers [4, 65535, 6]",
            "pair (-3, 0.25)",
            "item (\"Heft\", Pen, -98)",
            "some Some(4)",
            "scalars (255, 41, true, 'ß', 2.5, Pen)",
            "maps (11, 2, 5, 55)",
        ]
    );
}

pub async fn assignments_in_cpp_are_checked(stage: &mut Stage) {
    let at = |mark| format!("{CPP}:{}", marked(&root().join(CPP), mark));
    let breakpoints = [at("assigned"), at("bits")];
    let launch = json!({
        "adapter": "codelldb", "program": "target/fixtures/c/assigned", "breakpoints": breakpoints,
    });
    stage.call("debug_launch", launch).await.good();
    let call = "a call can set it: effects=allow";
    let pointer =
        "`p` is a pointer: assign another pointer of its type, `&variable` or 0, or set `*p`";
    let whole =
        "set a field or an element, or let the program assign it: debug_evaluate effects=allow";
    check(
        stage,
        &[
            ("list[1]", "20", "20 (was 2)"),
            ("list[2]", "1 + 2 * x", "9 (was 3)"),
            (
                "name",
                "\"longer than it\"",
                "`name` holds 8 bytes, the string with its terminator has 15",
            ),
            ("flags.a", "7", "7 (was 5)"),
            ("flags.a", "9", "`flags.a` has 3 bits, which 9 does not fit"),
            ("flags.c", "-2", "-2 (was -3)"),
            ("kind", "PEN", "PEN (was BOOK)"),
            ("kind", "PIN", "Kind has no `PIN`; it has BOOK, PEN"),
            ("colour", "Colour::Blue", "Blue (was Red)"),
            ("ratio", "1.25", "1.25 (was 0.5)"),
            ("single", "x", "4 (was 1)"),
            ("done", "x > 3", "true (was false)"),
            ("byte", "300", "`byte` is unsigned char, which 300 does not fit"),
            ("byte", "200", "200 (was 1)"),
            ("same", "x + 1", "5 (was 4)"),
            ("*p", "11", "11 (was 5)"),
            ("nobody", "&x", "11 (was NULL)"),
            ("p", "5", pointer),
            ("p", "&ratio", pointer),
            ("p", "name", pointer),
            ("p", "(double *)list", pointer),
            ("p", "list", "1 (was 11)"),
            ("p", "p + 1", "20 (was 1)"),
            ("p", "(void *)list", "1 (was 20)"),
            ("p", "&x", "11 (was 1)"),
            ("numbers[1]", "x", "11 (was 5)"),
            ("prices[\"a\"]", "10", "10 (was 1)"),
            ("shape.width", "5", "5 (was 3)"),
            ("shape.width", "2147500037", "`shape.width` is int, which 2147500037 does not fit"),
            ("shape.width", "0x80004005", "-2147467259 (was 5)"),
            ("shape.width", "5", "5 (was -2147467259)"),
            ("packet.size", "9", "9 (was 17)"),
            ("packet.high", "-3", "-3 (was -4)"),
            ("packet.high", "8", "`packet.high` has 4 bits, which 8 does not fit"),
            (
                "late.kind",
                "2",
                &format!("`late.kind` is a bit field whose offset LLDB does not report; {call}"),
            ),
            (
                "owner",
                "\"x\"",
                &format!("`owner` is std::string, which cannot be set as a whole: {whole}"),
            ),
        ],
    )
    .await;
    stage.call("debug_set", json!({"target": "name", "value": "\"xyz\""})).await.good();
    let owner = json!({"expressions": ["owner = \"mine\""], "effects": "allow"});
    stage.call("debug_evaluate", owner).await.good().says("= \"mine\"");
    let inside = "kind == 5 && size == 9 && answer == 200 && both == 0xd3 && kind - size == -4";
    stage.resume_to(2).await;
    let reply = stage.call("debug_evaluate", json!({"expressions": [inside]})).await.good();
    reply.says(&format!("{inside} = true"));
    check(stage, &[("answer", "7", "7 (was 200)"), ("this->kind", "6", "6 (was 5)")]).await;
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    let output = stage.call("debug_output", json!({})).await.good();
    let printed: Vec<_> = output.text.lines().skip(1).take(4).collect();
    let expected =
        ["1 20 9 xyz 7 17 -2 99", "1 7 1.25 4 1 200 11 11", "11 10 1 mine 25 0", "23 9 3 -3 7"];
    assert_eq!(printed, expected);
}

/// Some debuggers cut a number to the width of its type and report success.
pub async fn value_out_of_range_is_refused(stage: &mut Stage) {
    let (launch, small, signed) = match stage.language {
        Language::Go => {
            let at = stage.at("narrow", "narrow");
            let program = "tests/fixtures/go/narrow";
            (json!({"program": program, "breakpoints": [at], "timeout_s": 50}), "uint8", "int16")
        }
        _ => {
            let at = format!("{CPP}:{}", marked(&root().join(CPP), "assigned"));
            let program = "target/fixtures/c/assigned";
            let adapter = stage.language.adapter();
            let launch = json!({
                "adapter": adapter, "program": program, "breakpoints": [at], "timeout_s": 50,
            });
            (launch, "unsigned char", "int")
        }
    };
    stage.call("debug_launch", launch).await.good();
    let (byte, wide, most) = match stage.language {
        Language::Go => ("small", "signed", "32768"),
        _ => ("byte", "x", "2147483648"),
    };
    // CodeLLDB follows C's rules, by which -128 is the smallest value.
    let least = stage.of_c((byte, "-1", small), (byte, "-129", small));
    for (target, value, ty) in [(byte, "300", small), least, (wide, most, signed)] {
        let before = stage.call("debug_evaluate", json!({"expressions": [target]})).await.good();
        let refused = stage.call("debug_set", json!({"target": target, "value": value})).await;
        refused.fails(&format!(
            "error[not-set] `{target}` is {ty}, which {value} does not fit. Try: debug_evaluate \
            {{\"expressions\": [\"{target}\"]}}"
        ));
        let after = stage.call("debug_evaluate", json!({"expressions": [target]})).await.good();
        assert_eq!(after.text, before.text);
    }
    let set = stage.call("debug_set", json!({"target": byte, "value": "200"})).await.good();
    set.says(&format!("{byte} = 200"));
}

/// Without a check gdb would assign the text's address, cut the fraction, or accept any pointer.
pub async fn assignment_of_another_type_is_refused(stage: &mut Stage) {
    let at = format!("{CPP}:{}", marked(&root().join(CPP), "assigned"));
    stage
        .call("debug_launch", json!({"program": "target/fixtures/c/assigned", "breakpoints": [at]}))
        .await
        .good();
    let pointer =
        "`p` is a pointer: assign another pointer of its type, `&variable` or 0, or set `*p`";
    check(
        stage,
        &[
            ("x", "\"x\"", "`x` is int, not a string"),
            ("x", "p", "`x` is int; the value has another type"),
            ("x", "2.5", "`x` is int, and 2.5 is not an integer"),
            ("x", "3.0", "3 (was 4)"),
            ("ratio", "\"x\"", "`ratio` is double, not a string"),
            ("ratio", "x", "3 (was 0.5)"),
            ("single", "1e300", "`single` is float, which 1e300 does not fit"),
            ("single", "1.5", "1.5 (was 1)"),
            ("flags.a", "9", "`flags.a` is unsigned int, which 9 does not fit"),
            ("flags.a", "7", "7 (was 5)"),
            ("kind", "PEN", "PEN (was BOOK)"),
            ("done", "x == 3", "true (was false)"),
            (
                "name",
                "\"longer than it\"",
                "`name` holds 8 bytes, the string with its terminator has 15",
            ),
            ("name", "\"xyz\"", "\"xyz\" (was \"abc\")"),
            ("list", "1", "`list` is int [3], which cannot be set as a whole: set an element"),
            ("p", "5", pointer),
            ("p", "&ratio", pointer),
            ("p", "\"abc\"", pointer),
            ("p", "0", "0x0 (was 0x…)"),
            ("p", "list", "0x… (was 0x0)"),
            ("*p", "11", "11 (was 1)"),
        ],
    )
    .await;
}

/// CodeLLDB cannot allocate memory in the program without running code of it.
pub async fn text_for_a_pointer_is_refused(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    stage.call("debug_set", json!({"target": "item->note", "value": "\"rot\""})).await.fails(
        "error[not-set] `item->note` is a pointer: assign another pointer of its type, `&variable` \
        or 0, or set \
         `*item->note`. Try: debug_evaluate {\"expressions\": [\"item->note\"]}",
    );
}

/// gdb calls the program's `malloc` for the text and then restores the frame.
pub async fn text_for_a_pointer_is_allocated_in_the_program(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let set =
        stage.call("debug_set", json!({"target": "item->note", "value": "\"rot\""})).await.good();
    assert_eq!(set.text, "item->note = \"rot\"  (was 0x0)");
    let read =
        stage.call("debug_evaluate", json!({"expressions": ["item->note", "net"]})).await.good();
    assert_eq!(read.text, "item->note = \"rot\"  (const char *)\nnet = 1000  (uint64_t)");
    let step = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&step, "cart", "tax", "tax return");
}

/// A local and a nested field: the program continues with both.
pub async fn assigned_variable_is_used(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    let local = stage.call("debug_set", json!({"target": "total", "value": 5})).await.good();
    assert_eq!(local.text, "total = 5  (was 0)");
    let field = stage
        .call("debug_set", json!({"target": "cart.items[1].price", "value": "0"}))
        .await
        .good();
    assert_eq!(field.text, "cart.items[1].price = 0  (was 1990)");
    let wrong =
        stage.call("debug_set", json!({"target": "cart.items[1].prise", "value": "1"})).await;
    assert!(
        wrong.text.starts_with("error[no-such-variable] cart.items[1] has no `prise`"),
        "{}",
        wrong.text
    );
    let nonsense =
        stage.call("debug_set", json!({"target": "total", "value": "nowhere + 1"})).await;
    assert!(nonsense.is_error, "{}", nonsense.text);
    let unchanged = stage.call("debug_evaluate", json!({"expressions": ["total"]})).await.good();
    unchanged.says("total = 5");
    let listed = stage.call("debug_variables", json!({})).await.good();
    assert!(listed.line("  total: ").ends_with(" = 5"), "{}", listed.text);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().says("total 7773");
}

/// Values listed earlier at the same stop are read again at any depth: some debuggers cache them.
pub async fn assignment_by_an_expression_is_visible(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    stage.call("debug_variables", json!({"path": "item", "depth": 1})).await.good();
    let arrow = if stage.language.is_c() { "->" } else { "." };
    for (assigned, path, value) in
        [("net = 77", "net", "77"), ("item.quantity = 9", "item.quantity", "9")]
    {
        let expression = assigned.replace("item.", &format!("item{arrow}"));
        // gdb refuses to assign to a `const` field.
        let expression = if stage.language.is_c() {
            expression.replace("item->quantity", "*(unsigned long *)&item->quantity")
        } else {
            expression
        };
        stage
            .call("debug_evaluate", json!({"expressions": [expression], "effects": "allow"}))
            .await
            .good();
        let read = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(read.text.lines().last(), Some(value), "{}", read.text);
    }
    let listed = stage.call("debug_variables", json!({})).await.good();
    assert!(listed.line("  net: ").ends_with(" = 77"), "{}", listed.text);
    let item = stage.call("debug_variables", json!({"path": "item"})).await.good();
    assert!(item.line("  quantity: ").ends_with(" = 9"), "{}", item.text);
}

pub async fn new_key_of_a_mapping_is_set(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let set =
        stage.call("debug_set", json!({"target": "users[0]['note']", "value": "7"})).await.good();
    assert_eq!(set.text, "users[0]['note'] = 7  (new)");
    stage
        .call("debug_evaluate", json!({"expressions": ["users[0]['note'] + 1"]}))
        .await
        .good()
        .says(" = 8");
    // A missing attribute is more likely a typo.
    let slip = stage.call("debug_set", json!({"target": "ring.nam", "value": "7"})).await;
    slip.fails(
        "error[no-such-variable] ring has no `nam`; there are name, next. Try: \
        debug_variables {\"path\": \"ring.name\"}",
    );
    // The proposed call sets one that is none.
    let other = stage.call("debug_set", json!({"target": "ring.colour", "value": "7"})).await;
    assert!(
        other.is_error && other.text.contains("; the next call tries to add it. Try: "),
        "{other:?}"
    );
    let call = "debug_evaluate {\"expressions\": [\"ring.colour = 7\"], \"effects\": \"allow\"}";
    assert!(other.text.ends_with(call), "{}", other.text);
    let add = json!({"expressions": ["ring.colour = 7"], "effects": "allow"});
    stage.call("debug_evaluate", add).await.good();
    let read = json!({"expressions": ["ring.colour"]});
    stage.call("debug_evaluate", read).await.good().says("ring.colour = 7");
}

pub async fn failed_reads_and_assignments_name_the_cause(stage: &mut Stage) {
    stage
        .launch("attributes", json!({"breakpoints": [stage.at("attributes", "account")]}))
        .await
        .good();
    let opened = stage.call("debug_variables", json!({"path": "account"})).await.good();
    assert_eq!(opened.line("  balance: "), "property = <property>");
    let read = json!({"expressions": ["account.balance", "account.credit"]});
    let read = stage.call("debug_evaluate", read).await.good();
    assert_eq!(
        read.text,
        "account.balance = 6  (int)\naccount.credit = <error: ValueError: no such luck>"
    );
    for (target, value, why) in [
        ("account.saved", "nosuch", "NameError: name 'nosuch' is not defined"),
        ("account.saved", "1 / 0", "ZeroDivisionError: division by zero"),
        ("account.saved", "1) or (2", "`1) or (2` is not one expression: unmatched ')'"),
        (
            "account.balance",
            "5",
            "AttributeError: property 'balance' of 'Account' object has no setter",
        ),
    ] {
        let refused = stage.call("debug_set", json!({"target": target, "value": value})).await;
        refused.fails(&format!(
            "error[not-set] {why}. Try: debug_evaluate {{\"expressions\": [\"{target}\"]}}"
        ));
    }
    stage.resume().await.good().says("  6");
}
