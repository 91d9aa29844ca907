//! What a look at a stop runs: nothing of the program, unless the caller allows it.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::stage::{Stage, marked};

/// The locals where `unread` stops, which are read without its code.
const LOCALS: [&str; 9] = [
    "error: Declined = Declined(402, code=402)",
    "first: Price = Price{cents: 100}",
    "hidden: Hidden = Hidden{}",
    "lazy: Lazy = Lazy{cache: None}",
    "names: dict = {'a': 1}",
    "numbers: list_iterator = <list_iterator object>",
    "prices: list = [Price{cents: 100}, Price{cents: 250}]",
    "rows: Rows = Rows([1, 2])",
    "step: generator = <generator object pay.<locals>.<genexpr>>",
];

pub async fn reading_runs_no_code_of_the_program(stage: &mut Stage) {
    let breakpoints = json!([stage.at("unread", "unread"), stage.at("unread", "read")]);
    let stop = stage.launch("unread", json!({"breakpoints": breakpoints})).await.good();
    assert_eq!(stop.local("lazy"), "Lazy{cache: None}", "{}", stop.text);
    let all = stage.call("debug_variables", json!({})).await.good();
    for line in LOCALS {
        all.line(&format!("  {line}"));
    }
    stage.call("debug_variables", json!({"depth": 4})).await.good();
    let opened = stage.call("debug_variables", json!({"path": "lazy"})).await.good();
    let rows: Vec<&str> = opened.text.lines().skip(1).collect();
    assert_eq!(rows, ["  cache: NoneType = None", "  size: property = <property>"]);
    for (path, value) in [("prices[1].cents", "250"), ("rows[1]", "2"), ("first.euros", "1.0")] {
        let found = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(found.text.lines().nth(1), Some(value), "{path}");
    }
    let names = json!({"expressions": ["hidden", "lazy", "rows", "[hidden]", "lazy.__none.size"]});
    let read = stage.call("debug_evaluate", names).await.good();
    read.line("hidden = Hidden{}  (Hidden)");
    read.line("[hidden] = [Hidden{}]  (list)");
    let stop = stage.resume_to(2).await;
    assert_eq!(stop.local("before"), "0", "{}", stop.text);
    let own = json!({"expressions": ["lazy"], "effects": "allow"});
    let printed = stage.call("debug_evaluate", own).await.good();
    printed.line("lazy = Lazy([1, 2]) (printed by Lazy.__repr__)  (Lazy)");
    // The expression that was allowed has run it, and nothing else.
    stage.resume().await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"since": 0})).await.good();
    output.says("0 None 100 2 True 100\n");
}

/// Expressions with their values without permission: functions that store to their own variables
/// run, as do builtin ones that change nothing.
const ALLOWED: [(&str, &str); 8] = [
    ("len(prices)", "2  (int)"),
    ("sum(price.cents for price in prices)", "350  (int)"),
    ("first.with_tax(20)", "120  (int)"),
    ("first.euros", "1.0  (float)"),
    ("sorted(names)", "['a']  (list)"),
    ("[price.euros for price in prices]", "[1.0, 2.5]  (list)"),
    ("Price(7).with_tax(100)", "13  (int)"),
    ("f'{first.euros:.2f}'", "'1.00'  (str)"),
];

/// Expressions that are refused, and why.
const REFUSED: [(&str, &str); 12] = [
    ("first.raise_by(5)", "`Price.raise_by` may change the program: it sets `cents`"),
    ("names.clear()", "`dict.clear` may change the program"),
    ("prices.append(first)", "`list.append` may change the program"),
    ("str(lazy)", "`Lazy.__repr__` may change the program"),
    ("lazy.size", "`count` may change the program: it sets `ran`"),
    ("next(numbers)", "an iterator of the program would advance"),
    ("list(step)", "an iterator of the program would advance"),
    ("print(1)", "`print` may change the program"),
    ("(lambda rows: next(rows))(numbers)", "an iterator of the program would advance"),
    ("list(map(prices.append, [1]))", "`list.append` may change the program"),
    ("vars(error).update(code=1)", "`dict.update` may change the program"),
    ("__import__('_io').FileIO('x', 'w')", "`FileIO` may change the program"),
];

pub async fn evaluation_runs_what_changes_nothing(stage: &mut Stage) {
    let breakpoints = json!([stage.at("unread", "unread"), stage.at("unread", "read")]);
    stage.launch("unread", json!({"breakpoints": breakpoints})).await.good();
    let texts: Vec<&str> = ALLOWED.iter().map(|(text, _)| *text).collect();
    let read = stage.call("debug_evaluate", json!({"expressions": texts})).await.good();
    for (text, value) in ALLOWED {
        read.line(&format!("{text} = {value}"));
    }
    let texts: Vec<&str> = REFUSED.iter().map(|(text, _)| *text).collect();
    let refused = stage.call("debug_evaluate", json!({"expressions": texts})).await.good();
    for (text, why) in REFUSED {
        refused.line(&format!("{text} = <error: {why}; repeat with effects=allow>"));
    }
    let own = json!({"expressions": ["first.raise_by(5)"], "effects": "allow"});
    stage.call("debug_evaluate", own).await.good().line("first.raise_by(5) = 105  (int)");
    let print = json!({"expressions": ["print('seen')"], "effects": "allow"});
    let seen = stage.call("debug_evaluate", print).await.good();
    seen.line("the program printed: \"seen\"");
    let stop = stage.resume_to(2).await;
    assert_eq!(stop.local("before"), "0", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"since": 0})).await.good();
    output.says("0 None 105 2 True 105\n");
}

/// Of the object whose method stopped, and of the class.
pub async fn self_is_opened_one_level(stage: &mut Stage) {
    let text = "class Cart:\n    def __init__(self, items):\n        self.items = items\n        \
        self.owner = 'Ada'\n\n    def total(self):\n        \
        return sum(self.items)  # [stop: method]\n\n    @classmethod\n    def empty(cls):\n        \
        return cls([])  # [stop: class]\n\n\nprint(Cart([1, 2]).total(), Cart.empty().items)\n";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("carts.py");
    std::fs::write(&file, text).unwrap();
    stage.start_in(dir.path()).await;
    let at = ["method", "class"].map(|mark| format!("carts.py:{}", marked(&file, mark)));
    let launch = json!({"program": "carts.py", "breakpoints": at, "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("self"), "Cart{items: [1, 2], owner: 'Ada'}", "{}", stop.text);
    let stop = stage.resume_to(2).await;
    assert_eq!(stop.local("cls"), "<class '__main__.Cart'>", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}

pub async fn arguments_are_listed_whatever_they_hold(stage: &mut Stage) {
    let stop =
        stage.launch("unread", json!({"breakpoints": [stage.at("unread", "pick")]})).await.good();
    assert_eq!(stop.local("cls"), "<class '__main__.Price'>", "{}", stop.text);
    assert_eq!(stop.local("make"), "<function <lambda>>", "{}", stop.text);
    assert_eq!(stop.local("price"), "3", "{}", stop.text);
    let module = stage.call("debug_variables", json!({"frame": 1})).await.good();
    let rows: Vec<&str> = module.text.lines().skip(1).collect();
    assert_eq!(rows[0], "  ran: int = 0", "{}", module.text);
    let globals = stage.call("debug_variables", json!({"scope": "Globals"})).await.good();
    globals.says("left out: 8 imports and definitions; debug_evaluate reads them");
}

/// The locals where `hostile` stops: large ones are cut, each of the others is complete.
const HOSTILE: [&str; 9] = [
    "deep: list = [[[[[[[...]]]]]]]",
    "group: set = {0, 1, 2, ",
    "is_ready: bool = True",
    "many: list = [0, 1, 2, 3, ",
    "name: str = 'Ada'",
    "prices: dict = {'pen': 120, 'ink': [250, 3]}",
    "ring: list = [[...]]",
    "slow: Slow = Slow{}",
    "text: str = 'xxxxxxxx",
];

/// The limit for a stop and for a list of its variables. To read one of the large values completely
/// takes a minute.
const SOON: Duration = Duration::from_secs(4);

pub async fn hostile_values_do_not_delay_the_stop(stage: &mut Stage) {
    let at = [stage.at("hostile", "ready"), stage.at("hostile", "hostile")];
    stage.launch("hostile", json!({"breakpoints": at})).await.good();
    let began = Instant::now();
    let stop = stage.resume_to(2).await;
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert_eq!(stop.local("deep"), "[[[[[[[...]]]]]]]", "{}", stop.text);
    let began = Instant::now();
    let all = stage.call("debug_variables", json!({})).await.good();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    for line in HOSTILE {
        all.line(&format!("  {line}"));
    }
    let last =
        stage.call("debug_variables", json!({"path": "many", "start": 9_999_999})).await.good();
    last.line("  [9999999]: int = 9999999");
    for path in ["text", "group"] {
        let last = stage.call("debug_variables", json!({"path": path, "start": 2_999_998})).await;
        let first = if path == "text" { "str = 'x'" } else { "int = 2999998" };
        last.good().line(&format!("  [2999998]: {first}"));
    }
    let end = json!({"path": "text", "start": 999_999_999});
    stage.call("debug_variables", end).await.good().line("  [999999999]: str = 'x'");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    let own = json!({"expressions": ["name", "slow", "slow.broken", "prices"], "effects": "allow"});
    let printed = stage.call("debug_evaluate", own).await.good();
    for line in [
        "name = 'Ada'  (str)",
        "slow = <error: __repr__: no answer within 1 s>  (Slow)",
        "slow.broken = <error: ValueError: broken>",
        "prices = {'pen': 120, 'ink': [250, 3]}  (dict)",
    ] {
        printed.line(line);
    }
    stage.resume().await.good().says("10000000 1000000000 1 1 False 3000000 Ada 2 True\n");
}
