//! What a build's debug information leaves out, programs without any, and the words for them.

use serde_json::json;

use crate::caller::root;
use crate::real::lines_without_code::place;
use crate::real::stage::{Language, Stage, compile};

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

/// Without the symbols that the linker stripped the breakpoint cannot bind, and the ending says so.
pub async fn go_program_without_symbols(stage: &mut Stage) {
    let arguments = json!({
        "command": "go run '-ldflags=-s -w' ./cart",
        "cwd": "tests/fixtures/go",
        "breakpoints": [stage.at("cart", "tax")],
        "timeout_s": 50,
    });
    let answer = stage.call("debug_launch", arguments).await;
    if stage.language == Language::OldGo {
        return answer.fails(
            "error[unsupported] Failed to launch: could not launch process: could not open debug \
            info - debuggee must not \
             be built with 'go run' or -ldflags='-s -w', which strip debug info. Try: build it \
             without `-s` and `-w` among \
             its -ldflags",
        );
    }
    let end = answer.good();
    end.line("□ exited with code 0");
    let (source, line) = place(&stage.at("cart", "tax"));
    end.says(&format!(
        "\nnever bound:\n  #1 {source}:{line} · UNVERIFIED: could not find file {}, binary is \
            stripped\nnote: cart has no \
             debug information: breakpoints by file and line will not bind, and there are no \
             locals; build it with debug \
             information (-g, or a debug profile) and do not strip it\n",
        root().join(&source).display()
    ));
}

/// Without line tables and locals the program runs to its end, and a note says why.
pub async fn program_without_symbols(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let program = match stage.language {
        Language::Rust => "target/fixtures/nodebug/cart".to_owned(),
        _ => {
            let program = dir.path().canonicalize().unwrap().join("cart").display().to_string();
            #[expect(clippy::disallowed_methods, reason = "no process of the host")]
            let mut compiler = std::process::Command::new("cc");
            let built = compiler
                .args(["-s", "-o", &program])
                .arg(root().join(stage.language.source("cart")))
                .status();
            assert!(built.unwrap().success());
            program
        }
    };
    let at = stage.at("cart", "tax");
    let arguments = json!({"program": program, "breakpoints": [at], "timeout_s": 50});
    let end = stage.call("debug_launch", arguments).await.good();
    end.line("□ exited with code 0");
    end.says(&format!(
        "\nnever bound:\n  #1 {at} · UNVERIFIED: the debugger found no code there\nnote: cart has \
        no \
         debug information: breakpoints by file and line will not bind, and there are no locals; \
         build it with debug \
         information (-g, or a debug profile) and do not strip it\n"
    ));
    end.says("total 10136");
}
