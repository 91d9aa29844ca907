//! Values in gdb that its libraries' printers leave out: ends of containers, keys, trait objects;
//! and calls in expressions and conditions that only read.

use serde_json::json;

use crate::real::Stage;
use crate::real::stage::{compile, marked};

const CPP: &str = r#"#include <algorithm>
#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
struct Point { int x, y; bool operator<(const Point &other) const { return x < other.x; } };
enum class Kind { Book, Pen };
struct Base { virtual ~Base() = default; int n = 1; };
struct Derived : Base { int m = 2; };
struct Bag {
    std::vector<int> items{4, 5};
    std::shared_ptr<Base> owned = std::make_shared<Derived>();
    bool has(int n) const {
        auto found = std::find(items.begin(), items.end(), n);
        return found != items.end(); // [stop: has]
    }
};
int main() {
    std::map<Point, int> points{{{1, 2}, 12}, {{3, 4}, 34}};
    std::unordered_map<Kind, int> kinds{{Kind::Pen, 2}};
    std::map<std::string, int> texts{{"a]b", 1}, {"say \"hi\"", 2}};
    std::multimap<int, int> equal{{1, 10}, {1, 11}};
    std::vector<int> row{1, 2, 3}, none;
    std::vector<bool> bits{true};
    std::deque<int> deque{1};
    std::list<int> list{1};
    std::string text = "x";
    std::array<int, 2> two{7, 8};
    const wchar_t *wide = L"w\u00e9";
    const char bytes[6] = {0, 1, 'A', 0, 'B'};
    const char name[8] = "ann";
    std::unordered_map<int, int> large;
    for (int n = 0; n < 50000; n++) large[3 * n] = n;
    std::nullptr_t nothing = nullptr;
    Bag bag;
    auto row_begin = row.begin(), row_end = row.end();
    auto bits_begin = bits.begin(), bits_end = bits.end();
    auto deque_end = deque.end();
    auto list_begin = list.begin(), list_end = list.end();
    auto text_end = text.end();
    auto points_end = points.end(), point = points.begin();
    auto kinds_end = kinds.end();
    auto twice = [](int n) { return 2 * n; };
    twice(0); // [stop: never]
    return bag.has(9) + texts["a]b"] - 1; // [stop: values]
}
"#;

const OPTIONS: [&str; 5] = ["-g", "-std=c++17", "values.cpp", "-o", "values"];

/// Starts the program with a condition that reads elements and keys, and one that does not hold.
async fn launch(stage: &mut Stage, dir: &std::path::Path, options: &[&str]) {
    let source = dir.join("values.cpp");
    std::fs::write(&source, CPP).unwrap();
    compile(dir, "c++", &[&OPTIONS[..], options].concat());
    stage.start_in(dir).await;
    let at = |mark: &str| format!("values.cpp:{}", marked(&source, mark));
    let breakpoints = [
        format!("{} if !none.empty() && none.at(0) == 1", at("never")),
        format!("{} if texts.at(\"a]b\") == 1 && equal.count(1) == 2", at("values")),
        at("has"),
    ];
    let launch = json!({"program": "values", "breakpoints": breakpoints, "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), format!("main  {}", at("values")), "{}", stop.text);
}

async fn evaluates(stage: &mut Stage, values: &[(&str, &str)]) {
    let expressions: Vec<_> = values.iter().map(|(expression, _)| expression).collect();
    let reply = stage.call("debug_evaluate", json!({"expressions": expressions})).await.good();
    for (expression, value) in values {
        let line = reply.line(&format!("{expression} = "));
        let found = line.rsplit_once("  (").map_or(line, |(value, _)| value);
        assert_eq!(found, *value, "{expression}: {}", reply.text);
    }
}

pub async fn ends_of_containers_have_no_element(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &[]).await;
    let at_end = "<error: it is at the end>";
    evaluates(
        stage,
        &[
            ("row_begin", "1"),
            ("row_end", "<end>"),
            ("bits_begin", "true"),
            ("bits_end", "<end>"),
            ("deque_end", "<end>"),
            ("list_begin", "1"),
            ("list_end", "<end>"),
            ("text_end", "<end>"),
            ("points_end", "<end>"),
            ("point", "{first = {x = 1, y = 2}, second = 12}"),
            ("kinds_end", "<end>"),
            ("*row_end", at_end),
            ("points_end->second", at_end),
            ("point->second", "12"),
            ("two", "{7, 8}"),
            ("wide", "L\"wé\""),
            (
                "bag.owned",
                "std::shared_ptr<Base> (use count 1, weak count 0) = {<Base> = {_vptr.Base = \
                 <vtable for Derived+16>, n = 1}, m = 2}",
            ),
            ("bytes", "\"\\000\\001A\\000B\""),
            ("name", "\"ann\""),
            ("nothing", "nullptr"),
            ("*bag.owned", "{<Base> = {_vptr.Base = <vtable for Derived+16>, n = 1}, m = 2}"),
            (
                "twice(3)",
                "<error: gdb calls no function of a class without a name, like a lambda's>",
            ),
        ],
    )
    .await;
    let stop = stage.resume().await.good();
    assert_eq!(stop.local("found"), "<end>", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}

/// Keys that the language cannot write are paths as listings display them.
pub async fn keys_of_cpp_are_looked_up(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &[]).await;
    evaluates(
        stage,
        &[
            ("texts[\"say \\\"hi\\\"\"] + 1", "3"),
            ("texts[\"no\"]", "<error: it has no such key>"),
            ("texts.contains(\"a]b\")", "true"),
            ("kinds[Kind::Pen]", "2"),
            ("kinds.count(Kind::Book)", "0"),
            ("equal.count(1)", "2"),
            ("points[{x = 3, y = 4}]", "34"),
            ("equal[1 #2]", "11"),
            ("large[9]", "3"),
            ("large[7]", "<error: it has no such key>"),
            ("text == \"x\" && text != \"y\"", "true"),
            ("text < \"a\"", "false"),
        ],
    )
    .await;
    for (path, before) in [
        ("points[{x = 3, y = 4}]", "34"),
        ("equal[1 #2]", "11"),
        ("kinds[Kind::Pen]", "2"),
        ("texts[\"say \\\"hi\\\"\"]", "2"),
    ] {
        let read = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(read.text.lines().nth(1), Some(before), "{}", read.text);
        let set = stage.call("debug_set", json!({"target": path, "value": "5"})).await.good();
        assert_eq!(set.text, format!("{path} = 5  (was {before})"));
    }
    let text = stage.call("debug_set", json!({"target": "text", "value": "\"yz\""})).await.good();
    assert_eq!(text.text, "text = \"yz\"  (was \"x\")");
    stage
        .call("debug_set", json!({"target": "row", "value": "none"}))
        .await
        .says("error[not-set] `row` is std::vector");
    let absent = json!({"path": "points[{x = 3, y = 5}]"});
    let absent = stage.call("debug_variables", absent).await;
    absent.says("error[no-such-variable] points has no `{x = 3, y = 5}`");
}

/// gdb loads libstdc++'s printers with the shared library.
pub async fn contained_libraries_have_their_printers(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &["-static-libstdc++"]).await;
    evaluates(
        stage,
        &[
            ("text", "\"x\""),
            ("kinds", "unordered_map(1){[Kind::Pen] = 2}"),
            ("row_end", "<end>"),
            ("texts[\"a]b\"]", "1"),
        ],
    )
    .await;
}

const RUST: &str = "use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
trait Shape { fn area(&self) -> f64; }
struct Circle { r: f64 }
struct Rect { w: f64, name: String }
impl Shape for Circle { fn area(&self) -> f64 { self.r } }
impl Shape for Rect { fn area(&self) -> f64 { self.w + self.name.len() as f64 } }
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level { Low, High = 5 }
#[derive(Debug)]
enum Message { Move { x: i32 }, Nested(Box<Message>) }
struct Node { value: i32, next: Option<Box<Node>> }
fn main() {
    let v = vec![10, 20, 30];
    let name = String::from(\"Füller 🦀\");
    let (some, none) = (Some(5), None::<i32>);
    let err: Result<i32, String> = Err(\"bad\".into());
    let boxed = Some(Box::new(8));
    let list = Node { value: 1, next: Some(Box::new(Node { value: 2, next: None })) };
    let mut level = Level::Low;
    let nested = Message::Nested(Box::new(Message::Move { x: 3 }));
    let circle: &dyn Shape = &Circle { r: 1.0 };
    let rc: Rc<dyn Shape> = Rc::new(Circle { r: 4.0 });
    let rect: Box<dyn Shape> = Box::new(Rect { w: 2.0, name: \"r\".into() });
    let shapes = vec![rect];
    let map = HashMap::from([(\"a\", 1)]);
    let tree = BTreeMap::from([(Level::High, \"high\")]);
    println!(\"{}\", circle.area() + rc.area() + shapes[0].area()); // never
    println!(\"{level:?} {}\", list.value); // stop
    level = Level::Low;
    println!(\"{level:?} {v:?} {name} {some:?} {none:?} {err:?} {boxed:?} {map:?} {tree:?}\");
    println!(\"{nested:?} {}\", list.next.is_some());
}
";

/// gdb calls only functions that the program has compiled, and resolves full names only.
pub async fn expressions_of_rust_are_read_in_gdb(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("words.rs"), RUST).unwrap();
    compile(dir.path(), "rustc", &["-g", "-Awarnings", "words.rs", "-o", "words"]);
    stage.start_in(dir.path()).await;
    let line = |text: &str| RUST.lines().position(|line| line.ends_with(text)).unwrap() + 1;
    let breakpoints = [
        format!(
            "words.rs:{} if level == Level::High || map[\"a\"] > 1 || name != \"Füller 🦀\"",
            line("// never")
        ),
        format!(
            "words.rs:{} if v.len() == 3 && shapes[0].w > 1.5 && &name == \"F\\u{{fc}}ller 🦀\"",
            line("// stop")
        ),
    ];
    let launch = json!({"program": "words", "breakpoints": breakpoints, "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), format!("words::main  words.rs:{}", line("// stop")), "{}", stop.text);
    evaluates(
        stage,
        &[
            ("v.len() + 1", "4"),
            ("v.get(1)", "20"),
            ("v[9]", "<error: `v` has no element 9; it has 3>"),
            ("name.len()", "12"),
            ("name.contains(\"🦀\")", "true"),
            ("some.unwrap()", "5"),
            ("none.unwrap()", "<error: `none` is None>"),
            ("err.unwrap()", "<error: `err` is Err>"),
            ("err.unwrap_err()", "\"bad\""),
            ("boxed.is_some()", "true"),
            ("*boxed.unwrap()", "8"),
            ("list.next.unwrap().value", "2"),
            ("nested", "words::Message::Nested(words::Message::Move{x: 3})"),
            ("nested.0.x", "3"),
            ("circle", "words::Circle {r: 1}"),
            ("circle.r", "1"),
            ("rc.r + 1.0", "5"),
            ("shapes", "Vec(size=1) = {words::Rect {w: 2, name: \"r\"}}"),
            ("shapes[0].name", "\"r\""),
            ("map.contains_key(\"b\")", "false"),
            ("tree[&Level::High]", "\"high\""),
            ("level == Level::Low", "true"),
            ("name == \"Füller\" || \"Füller\" < name", "true"),
            ("shapes[0].name != \"r\"", "false"),
            ("tree[&Level::High] == err.unwrap_err()", "false"),
            ("level == \"Low\"", "<error: `level` is no text>"),
            ("map.get(\"a\").unwrap()", "1"),
            ("none.is_some() && none.unwrap() > 1", "false"),
        ],
    )
    .await;
    for (target, value, answer) in [
        ("level", "High", "level = words::Level::High  (was words::Level::Low)"),
        ("level", "Level::Mid", "words::Level has no `Mid`; it has Low, High"),
        ("level", "5", "`level` is words::Level: Low, High"),
        (
            "name",
            "\"x\"",
            "`name` is alloc::string::String, which cannot be set as a whole: set a field, an \
             element, or what it points to",
        ),
        ("list.next[0].value", "6", "list.next[0].value = 6  (was 2)"),
        ("shapes[0].w", "7.5", "shapes[0].w = 7.5  (was 2)"),
    ] {
        let reply = stage.call("debug_set", json!({"target": target, "value": value})).await;
        reply.says(answer);
    }
}
