//! What a build's debug information leaves out, and the words for it.

use serde_json::json;

use crate::real::stage::{Stage, compile};

const RUST: &str = "fn main() {
    let n = std::env::args().count();
    println!(\"{n}\");
}
";
const C: &str = "#include <stdio.h>
int main(int n, char **arguments) {
    printf(\"%d\\n\", n);
}
";

/// A frame without variables says why, and what gives them.
pub async fn build_with_line_tables_only_says_so(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (file, source, remedy) = if stage.language.is_c() {
        ("lines.c", C, "compile with -g")
    } else {
        ("lines.rs", RUST, "set `debug = true` in the profile of Cargo.toml")
    };
    std::fs::write(dir.path().join(file), source).unwrap();
    if stage.language.is_c() {
        compile(dir.path(), "gcc", &["-g1", file, "-o", "lines"]);
    } else {
        compile(dir.path(), "rustc", &["-Cdebuginfo=line-tables-only", file, "-o", "lines"]);
    }
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "lines", "breakpoints": [format!("{file}:3")], "timeout_s": 50,
        "adapter": stage.language.adapter(),
    });
    let stop = stage.call("debug_launch", launch).await.good();
    let why = format!("built with line tables only, which have no variables: {remedy}");
    assert_eq!(stop.line("locals: "), format!("not readable: {why}"), "{}", stop.text);
    let read = stage.call("debug_evaluate", json!({"expressions": ["n"]})).await;
    assert!(read.text.contains(&why), "{}", read.text);
}

const SHAPES: &str = "#include <memory>
struct Shape { virtual ~Shape() = default; int sides = 3; };
struct Square : Shape { int edge = 4; };
int main() {
    auto shared = std::make_shared<Square>();
    Shape *shape = shared.get();
    return shape->sides - 3;
}
";

/// LLDB cannot read objects of such classes in what GCC writes by default.
pub async fn class_without_a_size_names_the_flag(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("shapes.cpp"), SHAPES).unwrap();
    for (flag, shared, shape) in [
        ("-gdwarf-4", "{sides:3, edge:4} (strong=1, weak=0)", "{sides:3, edge:4}"),
        (
            "-gdwarf-5",
            "<size unknown: build with -gdwarf-4> (strong=1, weak=0)",
            "<size unknown: build with -gdwarf-4>",
        ),
    ] {
        compile(dir.path(), "g++", &["-g", flag, "shapes.cpp", "-o", "shapes"]);
        stage.start_in(dir.path()).await;
        let launch = json!({
            "program": "shapes", "breakpoints": ["shapes.cpp:7"], "timeout_s": 50,
            "adapter": stage.language.adapter(),
        });
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!((stop.local("shared"), stop.local("shape")), (shared, shape), "{}", stop.text);
        if flag == "-gdwarf-5" {
            let read = stage.call("debug_evaluate", json!({"expressions": ["shape->sides"]}));
            read.await.says("LLDB cannot read the size of Square in the DWARF 5 of GCC");
        }
    }
}
