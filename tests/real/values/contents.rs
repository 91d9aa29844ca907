//! What values consist of: members that are aggregates, bytes, unions, null pointers, the library
//! types of C++ and Rust, objects that contain themselves.

use serde_json::json;
use tempfile::TempDir;

use crate::real::stage::Stage;

/// Starts a program in its own directory, up to a line.
async fn launch(stage: &mut Stage, file: &str, source: &str, line: u32) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(file), source).unwrap();
    stage.start_in(dir.path()).await;
    let adapter = stage.language.adapter();
    let launch = json!({
        "program": file, "breakpoints": [format!("{file}:{line}")], "adapter": adapter,
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    dir
}

/// Asserts what each expression is, without its type.
async fn are(stage: &mut Stage, values: &[(&str, &str)]) {
    for some in values.chunks(8) {
        let names: Vec<&str> = some.iter().map(|(name, _)| *name).collect();
        let read = stage.call("debug_evaluate", json!({"expressions": names})).await.good();
        for (name, value) in some {
            let found = read.line(&format!("{name} = "));
            assert!(found.starts_with(&format!("{value}  (")), "{name} is {found}, not {value}");
        }
    }
}

const C: &str = r#"#include <stdio.h>
union word { long whole; unsigned char low; };
union parts { unsigned char bytes[3]; short pair[2]; };
struct price { long cents; };
struct link { int used; void (*drop)(struct link *); struct link *next; };
struct parcel {
    char name[8]; struct price price; int grid[2][3]; unsigned char mac[6]; signed char t[2];
    union word word; struct link link; unsigned flag : 3;
};
int main(void) {
    struct parcel p = {"Cem", {2150}, {{1, 2, 3}, {4, 5, 6}}, {0, 28, 66, 0, 0, 9}, {-1, 0},
        {20}, {5, 0, 0}, 5};
    struct link *none = 0;
    unsigned char letter = 65, *bytes = p.mac;
    char text[16] = "tab\tzero", bytes_of_zero[4] = {0, 'a'};
    union parts parts = {.pair = {258, 7}};
    int some[p.price.cents / 700]; some[0] = 7, some[1] = 8, some[2] = 9;
    printf("%s %d\n", p.name, p.grid[1][2] + (none != 0) + letter + bytes[1]);
    return text[15];
}
"#;

pub async fn members_of_c_are_complete(stage: &mut Stage) {
    let _dir = launch(stage, "parcel.c", C, 19).await;
    let gdb: &[(&str, &str)] = &[
        (
            "p",
            "{name = \"Cem\", price = {cents = 2150}, grid = {{1, 2, 3}, {4, 5, 6}}, \
             mac = {0, 28, 66, 0, 0, 9}, t = {-1, 0}, word = {whole = 20, low = 20 '\\024'}, \
             link = {used = 5, drop = 0x0, next = 0x0}, flag = 5}",
        ),
        ("p.mac", "{0, 28, 66, 0, 0, 9}"),
        ("p.grid", "{{1, 2, 3}, {4, 5, 6}}"),
        ("p.word", r"{whole = 20, low = 20 '\024'}"),
        ("none", "0x0"),
        ("letter", "65 'A'"),
        ("text", r#""tab\tzero""#),
        ("parts", "{bytes = {2, 1, 7}, pair = {258, 7}}"),
        ("some", "{7, 8, 9}"),
    ];
    let lldb: &[(&str, &str)] = &[
        (
            "p",
            "{name:\"Cem\", price:{cents:2150}, grid:{{1, 2, 3}, {4, 5, 6}}, \
             mac:{0, 28, 66, 0, 0, 9}, t:{-1, 0}, word:{whole:20, low:20}, …}",
        ),
        ("p.grid", "int(2)[{1, 2, 3}, {4, 5, 6}]"),
        ("p.word", "{whole:20, low:20}"),
        ("p.link", "{used:5, drop:NULL, next:NULL}"),
        ("none", "NULL"),
        ("letter", "65"),
        ("text", r#""tab\tzero""#),
        ("bytes_of_zero", r#""\0a""#),
        ("parts", "{bytes:{2, 1, 7}, pair:{258, 7}}"),
        ("parts.pair[1]", "7"),
        ("some", "int(3)[7, 8, 9]"),
    ];
    let values = stage.of_c(gdb, lldb);
    are(stage, values).await;
    // A pointer to nothing has no members to open.
    let opened = stage.call("debug_variables", json!({"path": "none"})).await.good();
    assert!(!opened.text.contains("used"), "{}", opened.text);
    assert_eq!(opened.text.lines().count(), 2, "{}", opened.text);
}

const CPP: &str = r#"#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
struct Shape { virtual ~Shape() = default; int sides = 3; };
struct Square : Shape { int edge = 4; };
struct Word { union { unsigned whole; float real; }; int tag; };
enum class Level { Low = 1, High = 3 };
int twice(int n) { return 2 * n; }
int main() {
    std::pair<int, std::string> pair{7, "seven"};
    std::tuple<int, std::string, double> tuple{1, "two", 2.5};
    std::optional<std::string> some = "x", none;
    std::variant<int, std::string> variant = std::string("text");
    std::array<int, 3> array{1, 2, 3};
    std::unique_ptr<int> only = std::make_unique<int>(9), empty;
    std::shared_ptr<Square> shared = std::make_shared<Square>();
    std::map<std::string, std::vector<int>> map{{"a", {4, 5}}};
    std::string zero("ab\0cd", 5);
    std::queue<int> queue({1, 2});
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int &reference = grid[1][0];
    std::deque<int> deque(150, 1);
    for (int n = 0; n < 150; n++) deque.push_front(n);
    std::map<Level, int> levels{{Level::High, 30}};
    std::map<Level, int>::iterator at = levels.begin();
    std::atomic<int> atomic{77};
    std::bitset<70> bits(5);
    std::chrono::milliseconds pause(1500);
    std::chrono::system_clock::time_point since(std::chrono::seconds(1700000000));
    std::function<int(int)> call = twice, lambda = [&pair](int n) { return n + pair.first; };
    std::any any = 12, text = std::string("any");
    std::runtime_error error("why");
    const std::exception &caught = error;
    std::u16string wide = u"w\u00e9";
    std::unique_ptr<int[]> owned(new int[3]{7, 8, 9});
    Shape &base = *shared;
    Word word{{0x3f800000}, 5};
    return pair.first + reference + (int)(zero.size() + queue.size()) - 18 + grid[0][0] - 1;
}
"#;

pub async fn library_values_of_cpp_are_contents(stage: &mut Stage) {
    let line = u32::try_from(CPP.lines().count() - 1).unwrap();
    let _dir = launch(stage, "library.cpp", CPP, line).await;
    let gdb: &[(&str, &str)] = &[
        ("pair", r#"{first = 7, second = "seven"}"#),
        ("tuple", r#"std::tuple containing = {[1] = 1, [2] = "two", [3] = 2.5}"#),
        ("some", r#"std::optional<std::string> = {[contained value] = "x"}"#),
        ("none", "std::optional<std::string> [no contained value]"),
        ("variant", r#"std::variant<int, std::string> [index 1] = {"text"}"#),
        ("array", "{1, 2, 3}"),
        ("only", "std::unique_ptr<int> = 9"),
        (
            "shared",
            "std::shared_ptr<Square> (use count 1, weak count 0) = {<Shape> = {_vptr.Shape = \
             <vtable for Square+16>, sides = 3}, edge = 4}",
        ),
        ("map", r#"map(1){["a"] = std::vector of length 2, capacity 2 = {4, 5}}"#),
        ("zero", r#""ab\000cd""#),
        ("grid", "{{1, 2, 3}, {4, 5, 6}}"),
        ("reference", "@0x…: 4"),
        ("deque[0]", "149"),
        ("deque[299]", "1"),
        ("deque.size()", "300"),
        ("queue.front()", "1"),
        ("levels[Level::High]", "30"),
        ("at->second", "30"),
        ("atomic.load()", "77"),
        ("bits.count()", "2"),
        ("bits[1]", "false"),
        ("caught.what()", "\"why\""),
        ("pause", "1500ms"),
        ("since", "2023-11-14 22:13:20 UTC"),
        ("call", "twice(int)"),
        ("lambda", "main()::<lambda(int)>"),
        ("error", "\"why\""),
        ("*some", "\"x\""),
        ("shared.use_count()", "1"),
        ("wide.size()", "2"),
        ("owned[2]", "9"),
        ("base", "{<Shape> = {_vptr.Shape = <vtable for Square+16>, sides = 3}, edge = 4}"),
    ];
    let lldb: &[(&str, &str)] = &[
        ("pair", r#"{first:7, second:"seven"}"#),
        ("tuple", r#"{1, "two", 2.5}"#),
        ("some", r#""x""#),
        ("none", "nullopt"),
        ("variant", r#""text""#),
        ("array", "{1, 2, 3}"),
        ("only", "9"),
        ("empty", "nullptr"),
        ("shared", "{sides:3, edge:4} (strong=1, weak=0)"),
        ("map", r#"map(1){"a": [4, 5]}"#),
        ("zero", r#""ab\0cd""#),
        ("queue", "[1, 2]"),
        ("grid", "int(2)[{1, 2, 3}, {4, 5, 6}]"),
        ("reference", "4"),
        ("deque[0]", "149"),
        ("deque[299]", "1"),
        ("deque.size()", "300"),
        ("array[1]", "2"),
        ("queue.front()", "1"),
        ("levels[Level::High]", "30"),
        ("at", "High: 30"),
        ("at->second", "30"),
        ("atomic", "77"),
        ("bits.count()", "2"),
        ("pause", "1500ms"),
        ("since", "2023-11-14 22:13:20 UTC"),
        ("call", "twice(int)"),
        ("lambda", "main()::<lambda(int)>"),
        ("any", "12"),
        ("text", "\"any\""),
        ("error", "\"why\""),
        ("caught.what() == \"why\" && caught.what() != \"x\"", "true"),
        ("some->size()", "1"),
        ("shared.use_count()", "1"),
        ("wide", "u\"wé\""),
        ("wide.size()", "2"),
        ("owned", "{7, …}"),
        ("owned[2]", "9"),
        ("base", "{sides:3, edge:4}"),
    ];
    let values = stage.of_c(gdb, lldb);
    are(stage, values).await;
    // Members of anonymous unions are members of the structure.
    let word = stage.call("debug_variables", json!({"path": "word"})).await.good();
    let inside = word.text.lines().skip(1).map(str::trim).collect::<Vec<_>>().join(", ");
    assert!(inside.contains("1065353216") && inside.contains("tag: int = 5"), "{inside}");
}

const RUST: &str = r#"use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BinaryHeap, HashMap, LinkedList};
use std::ffi::CString;
use std::rc::{Rc, Weak};
use std::time::Duration;
#[derive(PartialEq, Eq, Hash)]
enum Level { Low = 1, High = 3 }
trait Sink { fn put(&self, n: u32) -> u32; }
struct Pipe { factor: u32, wide: (u8, i8) }
impl Sink for Pipe { fn put(&self, n: u32) -> u32 { n * self.factor } }
struct Cents(u64);
struct Worker { name: String, rate: Cents, hours: u32, days: [u8; 3] }
struct Node { name: &'static str, next: RefCell<Vec<Rc<Node>>> }
fn main() {
    let bytes = b"dz0";
    let byte = &bytes[0];
    let name = "Cem \"C\" \\".into();
    let worker = Worker { name, rate: Cents(2150), hours: 168, days: [1, 2, 3] };
    let pause = Duration::new(2, 5);
    let sink: Box<dyn Sink> = Box::new(Pipe { factor: 3, wide: (200, -3) });
    let stock: HashMap<&str, u32> = HashMap::from([("nut", 4)]);
    let tree: BTreeMap<u8, Cents> = BTreeMap::from([(1, Cents(7))]);
    let nodes: Vec<Rc<Node>> =
        ["a", "b", "c"].map(|name| Rc::new(Node { name, next: RefCell::default() })).into();
    for node in &nodes {
        node.next.borrow_mut().extend(nodes.iter().cloned());
    }
    let links: LinkedList<u32> = LinkedList::from([1, 2, 3]);
    let heap: BinaryHeap<u32> = BinaryHeap::from([1, 9, 5]);
    let slice: Box<[u32]> = vec![4, 5].into_boxed_slice();
    let (shared, text): (Rc<[u16]>, Rc<str>) = (Rc::from([6, 7]), Rc::from("rc"));
    let (nothing, one): (Weak<u8>, Rc<u8>) = (Weak::new(), Rc::new(8));
    let c = CString::new("c").unwrap();
    let (unset, set): (OnceCell<u8>, OnceCell<u8>) = (OnceCell::new(), OnceCell::from(3));
    let levels = HashMap::from([(Level::Low, "low".to_owned()), (Level::High, "high".to_owned())]);
    let named = (Duration::new(1, 0), "pair".to_owned());
    let optional = Some(Box::new(5));
    let sum = sink.put(u32::from(*byte)) + worker.hours + stock["nut"] + tree.len() as u32;
    println!("{sum} {} {pause:?} {}", worker.name, nodes.len() + worker.days.len());
    println!("{}", worker.rate.0 + tree[&1].0);
}
"#;

/// The line that prints the sum.
const RUST_LINE: u32 = 39;

pub async fn values_of_rust_are_complete_and_bounded(stage: &mut Stage) {
    let _dir = launch(stage, "worker.rs", RUST, RUST_LINE).await;
    are(
        stage,
        &[
            ("links", "LinkedList(3)[1, 2, 3]"),
            ("links[2]", "3"),
            ("heap", "BinaryHeap(3)[9, 1, 5]"),
            ("slice", "Box(2)[4, 5]"),
            ("slice[1]", "5"),
            ("shared", "[6, 7] (strong=1, weak=0)"),
            ("shared[1]", "7"),
            ("text", "\"rc\" (strong=1, weak=0)"),
            ("nothing", "<points to nothing>"),
            ("*one", "8"),
            ("c", "\"c\""),
            ("unset", "<not set>"),
            ("set", "3"),
            ("levels[Level::High]", "\"high\""),
            ("stock", r#"HashMap(1){"nut": 4}"#),
            ("named", "(1s, \"pair\")"),
            ("sink.factor", "3"),
            ("byte", "100"),
            ("worker", r#"{name:"Cem \"C\" \\", rate:Cents(2150), hours:168, days:{1, 2, 3}}"#),
            ("worker.rate", "Cents(2150)"),
            ("worker.name", r#""Cem \"C\" \\""#),
            ("pause", "2.000000005s"),
            ("sink", "{factor:3, wide:(200, -3)}"),
        ],
    )
    .await;
    let stock = stage.call("debug_variables", json!({"path": "stock"})).await.good();
    assert_eq!(stock.text.lines().nth(1), Some(r#"  ["nut"]: u32 = 4"#), "{}", stock.text);
    let one = stage.call("debug_variables", json!({"path": "stock[\"nut\"]"})).await.good();
    assert_eq!(one.text.lines().nth(1), Some("4"), "{}", one.text);
    let shared = stage.call("debug_variables", json!({"path": "shared"})).await.good();
    let elements: Vec<_> = shared.text.lines().skip(1).map(str::trim).collect();
    assert_eq!(elements, ["[0]: u16 = 6", "[1]: u16 = 7"], "{}", shared.text);
    // Three objects, each of which contains all three: no text of 3^n.
    let began = std::time::Instant::now();
    let read = stage.call("debug_evaluate", json!({"expressions": ["nodes[0]"]})).await.good();
    let took = began.elapsed();
    assert!(took < std::time::Duration::from_secs(3), "{took:?}");
    let value = read.line("nodes[0] = ");
    assert!(value.starts_with(r#"{name:"a", next:…} (strong=4, weak=0)"#), "{value}");
    let stop = stage.call("debug_step", json!({})).await.good();
    assert!(!stop.text.contains("not readable"), "{}", stop.text);
}
