//! Calls of member functions and elements of containers in C++; keys of mappings in Python.

use serde_json::json;

use crate::real::Stage;
use crate::real::stage::marked;

const SHOP: &str = r#"#include <map>
#include <optional>
#include <string>
struct Item { double price; std::optional<int> stock; };
class Shop {
public:
    std::map<std::string, Item> items;
    std::size_t size() const { return items.size(); }
    bool empty() const { return false; }
};
int main() {
    Shop shop;
    shop.items["apple"] = {0.5, 3};
    shop.items["hammer"] = {12.25, std::nullopt};
    std::map<int, int> codes{{7, 70}, {9, 90}};
    std::optional<std::string> word = "hej";
    return shop.size() + codes.size() + word->size() - 7;
}
"#;

async fn launch(stage: &mut Stage, dir: &std::path::Path) {
    std::fs::write(dir.join("shop.cpp"), SHOP).unwrap();
    stage.start_in(dir).await;
    stage
        .call(
            "debug_launch",
            json!({"program": "shop.cpp", "breakpoints": ["shop.cpp:17"], "timeout_s": 50}),
        )
        .await
        .good();
}

const POINTERS_CPP: &str = "#include <vector>
int last(const std::vector<int> *p, const std::vector<int> &r, int (*a)[500]) {
    return p->back() + r.back() + (*a)[499]; // [stop: last]
}
int main() {
    static int numbers[500];
    std::vector<int> list;
    for (int n = 0; n < 500; n++) {
        numbers[n] = n;
        list.push_back(n);
    }
    return last(&list, list, &numbers) != 3 * 499;
}
";

const POINTERS_RUST: &str = "fn last(p: &Vec<i32>, r: Box<Vec<i32>>, a: &[i32; 500]) -> i32 {
    p[499] + r[499] + a[499] // [stop: last]
}
fn main() {
    let list: Vec<i32> = (0..500).collect();
    let numbers: [i32; 500] = list.clone().try_into().unwrap();
    assert!(last(&list, Box::new(list.clone()), &numbers) == 3 * 499);
}
";

/// Their elements are those of the target, not what lies behind it in memory.
pub async fn long_ones_behind_pointers_have_their_elements(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (name, text) =
        if stage.language.is_c() { ("last.cpp", POINTERS_CPP) } else { ("last.rs", POINTERS_RUST) };
    std::fs::write(dir.path().join(name), text).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("{name}:{}", marked(&dir.path().join(name), "last"));
    let launch = json!({"program": name, "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    for name in ["p", "r", "a"] {
        stop.says(&format!(" {name}="));
        let end = json!({"path": name, "start": 498});
        let page = stage.call("debug_variables", end).await.good();
        page.says(" · 500 inside · ");
        assert!(page.line("  [498]: ").ends_with(" = 498"), "{}", page.text);
        assert!(page.line("  [499]: ").ends_with(" = 499"), "{}", page.text);
        let one = stage.call("debug_variables", json!({"path": format!("{name}[497]")})).await;
        assert_eq!(one.good().text.lines().nth(1), Some("497"), "{name}");
    }
    assert_eq!(stop.text.matches("[0, 1, 2, ").count(), 3, "{}", stop.text);
}

/// A member function that was not compiled is an error of its own.
pub async fn member_functions_are_called_with_permission(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path()).await;
    let refused =
        "<error: `shop` is Shop, whose method would have to be called; effects=allow runs it>";
    let reply = stage
        .call("debug_evaluate", json!({"expressions": ["shop.size()", "shop.empty()"]}))
        .await
        .good();
    assert_eq!(reply.text, format!("shop.size() = {refused}\nshop.empty() = {refused}"));
    let allowed = json!({
        "expressions": ["shop.size()", "shop.empty()", "shop.items.size()"], "effects": "allow",
    });
    let reply = stage.call("debug_evaluate", allowed).await.good();
    assert_eq!(
        reply.text,
        "shop.size() = 2  (std::size_t)\n\
         shop.empty() = <error: it calls a function that the program has no compiled copy of (the \
         program does not call it, or only inline); compute it from members>\n\
         shop.items.size() = 2  (unsigned long)"
    );
}

pub async fn optional_shows_its_value(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path()).await;
    let expressions = [
        "word",
        "*word",
        "shop.items[\"apple\"].stock",
        "*shop.items[\"apple\"].stock + 1",
        "shop.items[\"hammer\"].stock",
        "*shop.items[\"hammer\"].stock",
    ];
    let reply = stage.call("debug_evaluate", json!({"expressions": expressions})).await.good();
    assert_eq!(
        reply.text,
        "word = \"hej\"  (std::optional<std::basic_string<char> >)\n\
         *word = \"hej\"  (std::basic_string<char>)\n\
         shop.items[\"apple\"].stock = 3  (std::optional<int>)\n\
         *shop.items[\"apple\"].stock + 1 = 4  (int)\n\
         shop.items[\"hammer\"].stock = nullopt  (std::optional<int>)\n\
         *shop.items[\"hammer\"].stock = <error: `stock` is nullopt>"
    );
}

/// gdb's printers list keys and values as alternating children, LLDB's pairs by number.
pub async fn entries_of_a_mapping_are_named_by_key(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path()).await;
    let reply = stage.call("debug_variables", json!({"path": "shop.items"})).await.good();
    assert!(reply.text.lines().next().unwrap().contains(" · 2 inside · "), "{}", reply.text);
    let rows: Vec<_> = reply.text.lines().skip(1).collect();
    let expected = stage.of_c(
        [
            "  [\"apple\"]: Item = {price = 0.5, stock = std::optional<int> = {[contained value] = \
            3}}",
            "  [\"hammer\"]: Item = {price = 12.25, stock = std::optional<int> [no contained \
            value]}",
        ],
        [
            "  [\"apple\"]: Item = {price:0.5, stock:3}",
            "  [\"hammer\"]: Item = {price:12.25, stock:nullopt}",
        ],
    );
    assert_eq!(rows, expected);
    let second = stage
        .call("debug_variables", json!({"path": "codes", "start": 1, "count": 1}))
        .await
        .good();
    assert_eq!(second.text.lines().nth(1), Some("  [9]: int = 90"), "{}", second.text);
    for (path, value) in [("shop.items[\"hammer\"].price", "12.25"), ("codes[7]", "70")] {
        let reply = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(reply.text.lines().nth(1), Some(value), "{}", reply.text);
    }
    let none = stage.call("debug_variables", json!({"path": "codes[0]"})).await;
    none.says("error[no-such-variable] codes has no `0`");
}

const KEYS: &str = r#"import datetime
import enum
from collections import namedtuple


class Kind(enum.Enum):
    BOOK = 1


class Order:
    def __repr__(self):
        raise RuntimeError("printed")

    def __eq__(self, other):
        raise RuntimeError("compared")

    def __hash__(self):
        return 5


Point = namedtuple("Point", "x y")
keys = [
    "it's", 'say "hi"', "both ' and \"", "a]b", "a[b", "back\\slash", "new\nline", "x.y", "",
    (1, "a"), ("q'", 'w"'), (), Point(1, 2), Kind.BOOK, (Kind.BOOK, 1), Order(), None, True, 1.5,
    float("nan"), b"by", frozenset({3}), -3, 7, "7", datetime.date(2020, 1, 2), int, len, 2**70,
    "k" * 200, 1 + 2j, "len()",
]
found = {key: number for number, key in enumerate(keys)}
print(len(found))
"#;

/// Reading one calls nothing of the program.
pub async fn listed_keys_of_all_kinds_are_paths(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("keys.py"), KEYS).unwrap();
    stage.start_in(dir.path()).await;
    let line = KEYS.lines().count();
    let launch = json!({
        "program": "keys.py", "breakpoints": [format!("keys.py:{line}")], "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    let all = json!({"path": "found", "count": 100});
    let all = stage.call("debug_variables", all).await.good();
    let mut count = 0;
    for entry in all.text.lines().skip(1) {
        let (name, value) = entry.trim_start().split_once(": int = ").unwrap();
        let bracketed = if name.starts_with('[') { name.to_owned() } else { format!("[{name}]") };
        let path = json!({"path": format!("found{bracketed}")});
        let read = stage.call("debug_variables", path).await.good();
        assert_eq!(read.text.lines().nth(1), Some(value), "{name}");
        count += 1;
    }
    assert_eq!(count, 32, "{}", all.text);
    stage.resume().await.good().line("□ exited with code 0");
}
