//! Values in optimised code: members without a place, and variables in registers.

use serde_json::json;

use crate::real::stage::{Language, Stage, compile, marked};

const RUST: &str = "#[derive(Clone, Copy)]
struct Point { x: u64, y: u64, z: u64 }
#[inline(never)]
fn show(n: u64) { println!(\"{n}\"); }
#[inline(never)]
fn run(p: Point, text: &str) -> u64 {
    let q = Point { x: p.x * 3, ..p };
    show(q.x); // [stop: shown]
    show(text.len() as u64);
    q.x
}
fn main() {
    let n = std::env::args().count() as u64 + 4;
    let p = Point { x: n, y: n + 1, z: n + 2 };
    println!(\"{} {}\", run(p, \"hej\"), p.y + p.z);
}
";

/// LLDB fills them with zeros.
pub async fn members_without_a_place_are_marked(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("point.rs"), RUST).unwrap();
    compile(dir.path(), "rustc", &["-g", "-O", "point.rs", "-o", "point"]);
    let at = format!("point.rs:{}", marked(&dir.path().join("point.rs"), "shown"));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "point", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    let q = "{x:15, y:<optimized out>, z:<optimized out>}";
    assert_eq!((stop.local("text"), stop.local("q")), ("<optimized out>", q), "{}", stop.text);
    let inside = stage.call("debug_variables", json!({"path": "q"})).await.good();
    let rows: Vec<&str> = inside.text.lines().skip(1).collect();
    let expected = ["  x: u64 = 15", "  y: u64 = <optimized out>", "  z: u64 = <optimized out>"];
    assert_eq!(rows, expected);
    let read = json!({"expressions": ["q.x + 1", "q.y == 0", "q", "text", "text.len()"]});
    let read = stage.call("debug_evaluate", read).await.good();
    assert_eq!(
        read.text,
        "q.x + 1 = 16  (u64)\n\
         q.y == 0 = <error: `y`: optimized out>\n\
         q = <error: `q`: optimized out: y, z; read its other members alone>\n\
         text = <error: `text`: optimized out>\n\
         text.len() = 3  (u64)"
    );
}

const CPP: &str = "#include <cstdio>
__attribute__((noinline)) void show(long n) { std::printf(\"%ld\\n\", n); }
__attribute__((noinline)) long run(long n, long m) {
    long total = n * 2;
    show(total); // [stop: first]
    total += m;
    show(total); // [stop: last]
    return total + n;
}
int main(int argc, char **) {
    long n = argc + 4;
    std::printf(\"%ld\\n\", run(n, n + 10));
}
";

/// The register is written; another copy of the value may stay.
pub async fn assignment_to_a_register_says_so(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("total.cpp"), CPP).unwrap();
    compile(dir.path(), "g++", &["-g", "-O1", "total.cpp", "-o", "total"]);
    let path = dir.path().join("total.cpp");
    let at = ["first", "last"].map(|mark| format!("total.cpp:{}", marked(&path, mark)));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "total", "breakpoints": at, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let set = stage.call("debug_set", json!({"target": "total", "value": "30000"})).await.good();
    assert_eq!(set.text, "total = 30000  (was 10)");
    let stop = stage.resume_to(2).await;
    assert_eq!(stop.local("total"), "30015", "{}", stop.text);
    let place = stage.of_c("a register", "register ");
    let note = stop.line("note: the debugger says: `total` was set in ");
    assert!(note.starts_with(place), "{}", stop.text);
    assert!(
        note.ends_with(" only; optimised code may still use a copy of the earlier value"),
        "{}",
        stop.text
    );
    stage.printed("30000").await;
}

const ARRAYS: &str = "#include <stdio.h>
__attribute__((noinline)) static void use(const void *p) {
    __asm__ volatile(\"\" ::\"r\"(p) : \"memory\");
}
__attribute__((noinline)) static double fill(int rows, int columns, short n) {
    double grid[rows][columns];
    short odd[n];
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) grid[r][c] = r * 10 + c;
    for (int i = 0; i < n; i++) odd[i] = 2 * i + 1;
    use(grid);
    use(odd);
    double corner = grid[rows - 1][columns - 1];
    printf(\"%g\\n\", corner); // [stop: filled]
    use(grid);
    use(odd);
    return corner;
}
int main(int argc, char **argv) {
    (void)argv;
    return (int)fill(2, argc + 2, 4) * 0;
}
";

/// gcc describes their lengths by variables without names, some by what the caller has passed.
pub async fn arrays_of_variable_length_are_read(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("fill.c"), ARRAYS).unwrap();
    compile(dir.path(), "gcc", &["-g", "-O2", "fill.c", "-o", "fill"]);
    let at = format!("fill.c:{}", marked(&dir.path().join("fill.c"), "filled"));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "fill", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let read = json!({"expressions": ["grid[1][2]", "odd[3]", "sizeof(odd)"]});
    let read = stage.call("debug_evaluate", read).await.good();
    // gdb computes the size of such an array as an int.
    let size = if stage.language.newest() == Language::C { "int" } else { "unsigned long" };
    assert_eq!(
        read.text,
        format!("grid[1][2] = 12  (double)\nodd[3] = 7  (short)\nsizeof(odd) = 8  ({size})")
    );
}
