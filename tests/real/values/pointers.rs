//! Targets of pointers, machine instructions, and return values.

use std::path::Path;

use serde_json::json;

use crate::caller::Answer;
use crate::real::stage::{Language, Stage, compile, marked};

const PROGRAM: &str = "#include <stdio.h>
long counter = 11;
struct node { int v; struct node *next; };
int tick(int n, char **argv) {
  struct node b = {2, 0}, a = {1, &b};
  struct node *p = &a;
  int *none = 0;
  const char *name = \"tick\";
  counter += n;
  printf(\"counter at %p\\n\", (void *)&counter);
  return (int)counter + p->v + (none == 0);
}
int main(int argc, char **argv) {
  int r = tick(argc, argv);
  return r > 100;
}
";

/// Launches the program with a breakpoint in `tick`.
async fn launch(stage: &mut Stage, dir: &Path) -> Answer {
    std::fs::write(dir.join("tick.c"), PROGRAM).unwrap();
    stage.start_in(dir).await;
    let launch = json!({
        "program": "tick.c", "adapter": stage.language.adapter(), "breakpoints": ["tick.c:9"],
        "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good()
}

/// The first hexadecimal number in a text.
fn address(text: &str) -> &str {
    let from = &text[text.find("0x").unwrap_or_else(|| panic!("no address in {text}"))..];
    &from[..from[2..].find(|c: char| !c.is_ascii_hexdigit()).map_or(from.len(), |at| at + 2)]
}

pub async fn pointer_shows_its_address_and_target(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch(stage, dir.path()).await;
    assert!(!stop.text.contains("0x7"), "{}", stop.text);
    let pointers = json!({"expressions": ["&counter", "p", "&a", "none", "name"]});
    let reply = stage.call("debug_evaluate", pointers).await.good();
    let behind = stage.of_c("<counter>", "11");
    let counter = address(reply.line("&counter = "));
    assert_eq!(reply.line("&counter = "), format!("{counter} → {behind}  (long *)"));
    let node = address(reply.line("p = "));
    let inside = stage.of_c("{v = 1, next = 0x…}", "{v:1, next:0x…}");
    let ty = stage.of_c("struct node *", "node *");
    assert_eq!(reply.line("p = "), format!("{node} → {inside}  ({ty})"));
    assert_eq!(reply.line("&a = "), format!("{node} → {inside}  ({ty})"));
    assert_eq!(reply.line("none = "), stage.of_c("0x0  (int *)", "NULL  (int *)"));
    assert_eq!(reply.line("name = "), "\"tick\"  (const char *)");
    let opened = stage.call("debug_variables", json!({"path": "p"})).await.good();
    assert!(opened.text.starts_with(&format!("p: {ty} = {node} · ")), "{}", opened.text);
    let counter = counter.to_owned();
    stage.resume().await.good();
    let printed = stage.call("debug_output", json!({"since": 0})).await.good();
    printed.says(&format!("counter at {counter}\n"));
}

pub async fn instruction_step_shows_the_instruction(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch(stage, dir.path()).await;
    assert!(!stop.text.contains("\npc "), "{}", stop.text);
    let step = json!({"granularity": "instruction"});
    let first = stage.call("debug_step", step.clone()).await.good();
    let second = stage.call("debug_step", step).await.good();
    for stop in [&first, &second] {
        let (at, instruction) = stop.line("pc ").split_once("  ").unwrap();
        assert_eq!(address(at), at);
        assert!(instruction.starts_with(|c: char| c.is_ascii_lowercase()), "{}", stop.text);
    }
    assert_ne!(first.line("pc "), second.line("pc "));
    let line = stage.call("debug_step", json!({})).await.good();
    assert!(!line.text.contains("\npc "), "{}", line.text);
}

pub async fn step_out_shows_the_returned_value(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path()).await;
    let out = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert_eq!(out.local(stage.of_c("(return)", "[return value]")), "14");
    let on = stage.call("debug_step", json!({"count": 2})).await.good();
    assert!(!on.line("locals: ").contains("return"), "{}", on.text);
}

/// gdb would read the value by C's calling convention.
pub async fn return_value_of_rust_in_gdb_is_omitted(stage: &mut Stage) {
    let places: Vec<String> =
        ["some", "pair", "number"].map(|mark| Language::Rust.at("variants", mark)).into();
    let launch = json!({
        "program": Language::Rust.program("variants"), "breakpoints": places, "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    for returned in ["", "", "(return)=-12"] {
        let out = stage.call("debug_step", json!({"kind": "out"})).await.good();
        let reply = out.line("locals: ").split("  ").find(|local| local.starts_with("(return)"));
        assert_eq!(reply.unwrap_or_default(), returned, "{}", out.text);
        stage.resume().await.good();
    }
}

const DANGLING: &str = "#include <stddef.h>
#include <sys/mman.h>
struct node { int n; struct node *next; };
struct pair { const char *name; int *count; };
static int use(const char *text, int *number, struct node *node) {
  const wchar_t *wide = (const wchar_t *)text;
  unsigned char *bytes = (unsigned char *)text;
  struct pair inside = {text, number};
  const char *none = 0;
  int later = none == 0 && wide && bytes && inside.name && number && node;
  return later;
}
int main(void) {
  char *page = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(page, 4096);
  use(page, (int *)page, (struct node *)page);
  volatile long *odd = (long *)0xdead000000000001ul;
  return *odd;
}
";

async fn launch_dangling(stage: &mut Stage, dir: &Path) -> Answer {
    std::fs::write(dir.join("dangling.c"), DANGLING).unwrap();
    stage.start_in(dir).await;
    let launch = json!({
        "program": "dangling.c", "adapter": stage.language.adapter(),
        "breakpoints": ["dangling.c:10"], "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good()
}

/// An empty text would be one that can be read.
pub async fn unreadable_pointer_has_its_address(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch_dangling(stage, dir.path()).await;
    let page = address(stop.line("locals: ")).to_owned();
    let text = format!("<not readable: {page}>");
    let all = stage.call("debug_variables", json!({})).await.good();
    for name in ["text", "number", "node", "wide", "bytes"] {
        let line = all.text.lines().find(|line| line.starts_with(&format!("  {name}: ")));
        assert!(line.unwrap_or_default().ends_with(&format!(" = {text}")), "{}", all.text);
    }
    all.says(stage.of_c("none: const char * = 0x0\n", "none: const char * = NULL\n"));
    all.says("later: int = <not yet set>");
    let inside = (format!("{{name = {text}, count = 0x"), format!("{{name:{text}, count:0x"));
    all.says(&stage.of_c(inside.0, inside.1));
    let reply = stage.call("debug_evaluate", json!({"expressions": ["text"]})).await.good();
    assert_eq!(reply.line("text = "), format!("{text}  (const char *)"));
}

/// The processor gives no address of an access that is not canonical.
pub async fn fault_without_an_address_says_so(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch_dangling(stage, dir.path()).await;
    let stop = stage.resume().await.good();
    let reason = "signal SIGSEGV: invalid address, not given by the processor";
    assert_eq!(stop.reason(), reason, "{}", stop.text);
}

const ABSENT: &str = "#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
struct node { int v; struct node *next; };
__attribute__((noinline)) static int sum(const struct node *list, int scale) {
  int total = scale;
  for (; list; list = list->next) total += list->v;
  return total;
}
volatile int result;
int main(int argc, char **argv) {
  struct node *last = malloc(sizeof *last), *first = malloc(sizeof *first);
  *last = (struct node){2, NULL};
  *first = (struct node){1, last};
  result = sum(first, argc);
  struct node *none = last->next;
  char *page = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(page, 4096);
  free(last);
  printf(\"%p %p %p %p\\n\", (void *)none, (void *)page, (void *)last, (void *)first);
  return 0;
}
";

/// Without a value for four reasons, each of which has its word.
pub async fn absent_values_say_why(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("absent.c"), ABSENT).unwrap();
    compile(dir.path(), "gcc", &["-g", "-O2", "absent.c", "-o", "absent"]);
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "absent", "adapter": stage.language.adapter(),
        "breakpoints": ["absent.c:20"], "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("argc"), "<optimized out>", "{}", stop.text);
    assert_eq!(stop.local("last"), "<freed>", "{}", stop.text);
    assert_eq!(stop.local("none"), stage.of_c("0x0", "NULL"), "{}", stop.text);
    assert!(stop.local("page").starts_with("<not readable: 0x7f"), "{}", stop.text);
    let values = json!({"expressions": ["first->next", "last", "argc + 1"]});
    let values = stage.call("debug_evaluate", values).await.good();
    let last = address(values.line("last = ")).to_owned();
    let ty = stage.of_c("struct node *", "node *");
    assert_eq!(values.line("last = "), format!("{last} → <freed>  ({ty})"));
    assert_eq!(values.line("first->next = "), format!("{last} → <freed>  ({ty})"));
    let why = stage.of_c("value has been optimized out", "`argc`: optimized out");
    assert_eq!(values.line("argc + 1 = "), format!("<error: {why}>"));
}

const OWNERS: &str = "#include <map>
#include <memory>
#include <string>
#include <vector>
struct item { std::string name; int count; };
int main() {
  auto shared = std::make_shared<item>(item{\"Atlas\", 3});
  std::unique_ptr<item> only(new item{\"Heft\", 7}), none;
  std::vector<std::shared_ptr<item>> all{shared};
  std::map<std::string, std::vector<int>> stock{{\"Atlas\", {4, 5}}};
  std::string text = \"Regal 5\";
  return shared->count + only->count + !none + (int)all.size() + (int)stock.size() + \
  (int)text.size();
}
";

/// Expressions through smart pointers as in the source, and elements of strings and maps.
pub async fn smart_pointers_are_followed(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("owners.cpp"), OWNERS).unwrap();
    stage.start_in(dir.path()).await;
    let adapter = stage.language.adapter();
    let launch = json!({
        "program": "owners.cpp", "adapter": adapter, "breakpoints": ["owners.cpp:12"],
        "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    for (text, value) in [
        ("shared->count + 1", "4  (int)"),
        ("shared->name", "\"Atlas\"  (std::string)"),
        ("only->name", "\"Heft\"  (std::string)"),
        ("(*only).count", "7  (int)"),
        ("all[0]->count", "3  (int)"),
        ("text[6] == '5'", "true  (bool)"),
        ("text[7] == 0", "true  (bool)"),
        ("stock[\"Atlas\"][1]", "5  (int)"),
    ] {
        let reply = stage.call("debug_evaluate", json!({"expressions": [text]})).await.good();
        assert_eq!(reply.text.lines().next(), Some(&*format!("{text} = {value}")));
    }
    for (text, why) in [
        ("none->name", "`none` is null"),
        ("shared->nam", "`shared` has no `nam`; it has name, count"),
        ("text[8]", "`text` has no element 8; it has 7"),
    ] {
        stage.call("debug_evaluate", json!({"expressions": [text]})).await.says(why);
    }
    let inside = stage.call("debug_variables", json!({"path": "stock[\"Atlas\"]"})).await.good();
    inside.says("\n  [0]: int = 4\n  [1]: int = 5");
}

const ARRAYS: &str = "#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
    int *heap = malloc(5 * sizeof *heap);
    for (int i = 0; i < 5; i++) heap[i] = i + 100;
    struct node last = {4, 0}, first = {9, &last}, *list = &first;
    return heap[4] - 104 + list->next->v - 4;
}
";

/// A pointer does not know how many values follow: the caller does.
pub async fn memory_is_read_as_an_array(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("arrays.c"), ARRAYS).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "arrays.c", "breakpoints": ["arrays.c:7"], "timeout_s": 50,
        "adapter": stage.language.adapter(),
    });
    stage.call("debug_launch", launch).await.good();
    for (expression, values) in [
        ("*heap@5", "100, 101, 102, 103, 104"),
        ("heap[1]@3", "101, 102, 103"),
        ("(int[5])*heap", "100, 101, 102, 103, 104"),
        ("*(int (*)[4])heap", "100, 101, 102, 103"),
        ("(*(int(*)[5])heap)[4]", "104"),
        ("(struct node[1])*list", stage.of_c("{v = 9, next = 0x…}", "{v:9, next:0x…}")),
    ] {
        let read = stage.call("debug_evaluate", json!({"expressions": [expression]})).await;
        let value = read.line(&format!("{expression} = "));
        assert!(value.contains(values), "{expression}: {value}");
    }
}

/// Registers are numbers in full; at a later stop the changed ones have the earlier value.
pub async fn registers_are_numbers_in_full(stage: &mut Stage) {
    let at = stage.at("cart", "tax");
    stage.launch("cart", json!({"breakpoints": [at]})).await.good();
    let (scope, pointer) = stage.of_c(
        (json!({"scope": "registers"}), "rsp: void * = 0x7f"),
        (json!({"path": "General Purpose Registers"}), "rsp: unsigned long = 0x00007f"),
    );
    let before = stage.call("debug_variables", scope.clone()).await.good();
    before.line(&format!("  {pointer}"));
    let was = before.line("  rax: ").rsplit(' ').next().unwrap();
    let set = json!({"target": "$rax", "value": "74565"});
    let set = stage.call("debug_set", set).await.good();
    let now = stage.of_c("0x12345", "0x0000000000012345");
    assert_eq!(set.line("$rax = "), format!("{now}  (was {was})"));
    let negative = json!({"target": "$rbx", "value": "-1"});
    let negative = stage.call("debug_set", negative).await.good();
    negative.line("$rbx = 0xffffffffffffffff  (was 0x");
    assert!(!set.text.contains('…'), "{}", set.text);
    let after = stage.call("debug_variables", scope.clone()).await.good();
    assert!(after.line("  rax: ").ends_with("12345"), "{}", after.text);
    stage.call("debug_step", json!({"granularity": "instruction"})).await.good();
    let later = stage.call("debug_variables", scope).await.good();
    let earlier = after.line("  rip: ").rsplit(' ').next().unwrap();
    assert!(later.line("  rip: ").ends_with(&format!(" (was {earlier})")), "{}", later.text);
}

const INCOMPLETE: &str = "struct secret;
static long place;
int main(void) {
  struct secret *some = (struct secret *)&place, *none = 0;
  return some == none;
}
";

/// A type that is only declared: nothing behind the pointer can be read.
pub async fn pointer_to_an_incomplete_type_shows_its_address(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("some.c"), INCOMPLETE).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "some.c", "adapter": stage.language.adapter(), "breakpoints": ["some.c:5"],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!((stop.local("some"), stop.local("none")), ("<place>", "0x0"), "{}", stop.text);
    let pointers = json!({"expressions": ["some", "none"]});
    let reply = stage.call("debug_evaluate", pointers).await.good();
    let some = address(reply.line("some = "));
    assert_eq!(reply.line("some = "), format!("{some} → <place>  (struct secret *)"));
    assert_eq!(reply.line("none = "), "0x0  (struct secret *)");
}

const REFERENCES: &str = "struct Bits { unsigned a : 3; unsigned : 3; unsigned b : 2; };
struct Shape { virtual int area() const { return 4; } };
struct Both { int &count; const char *&name; };
int main() {
    int count = 10;
    const char *name = \"text\";
    int &same = count;
    Both both{count, name};
    Bits bits{5, 2};
    int (Shape::*area)() const = &Shape::area, (Shape::*none)() const = nullptr;
    Shape shape;
    return (shape.*area)() + same + both.count - 24 + (none != nullptr) * bits.a; // [stop: here]
}
";

/// A reference stands for what it refers to, as a member and for `&` too; LLDB adds padding as a
/// bit field without a name.
pub async fn references_and_bit_fields_of_cpp(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("refs.cpp"), REFERENCES).unwrap();
    compile(dir.path(), "g++", &["-g", "refs.cpp", "-o", "refs"]);
    let at = format!("refs.cpp:{}", marked(&dir.path().join("refs.cpp"), "here"));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "refs", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let read = json!({"expressions": ["both", "&same == &count", "bits", "area", "none"]});
    let read = stage.call("debug_evaluate", read).await.good();
    let values: Vec<_> = read.text.lines().map(|line| line.split("  (").next().unwrap()).collect();
    assert_eq!(
        values,
        [
            "both = {count:10, name:\"text\"}",
            "&same == &count = true",
            "bits = {a:5, b:2}",
            "area = <virtual function 0>",
            "none = NULL",
        ]
    );
    let inside = stage.call("debug_variables", json!({"path": "bits"})).await.good();
    let rows: Vec<&str> = inside.text.lines().skip(1).collect();
    assert_eq!(rows, ["  a: unsigned int:3 = 5", "  b: unsigned int:2 = 2"]);
}
