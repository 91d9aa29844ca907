//! Programs whose source files are missing, or whose sources no debugger can map to them.

use std::path::Path;

use serde_json::json;

use crate::caller::root;
use crate::real::stage::{Language, Stage, marked};

#[expect(clippy::disallowed_methods, reason = "no process of the host")]
fn run(program: &str, arguments: &[&str], dir: &Path) {
    let output =
        std::process::Command::new(program).args(arguments).current_dir(dir).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles the source `name` in `dir` to a program named `cart` and returns its name.
fn compile_cart(stage: &Stage, name: &str, dir: &Path) -> String {
    let program = stage.pick("cart.pyc", "cart", "cart", "", "cart");
    let compile = format!(
        "import py_compile as p; p.compile({name:?}, cfile={program:?}, dfile='{}/{name}')",
        dir.display()
    );
    let arguments = stage.pick(
        vec!["-c", &compile],
        vec!["-g", "--edition=2024", "-o", program, name],
        vec!["build", "-gcflags=all=-N -l", "-o", program, name],
        vec![],
        vec!["-g", "-o", program, name],
    );
    let compiler = match stage.language.newest() {
        Language::Python => stage.language.tool_path().unwrap(),
        _ => stage.language.compiler(),
    };
    run(&compiler, &arguments, dir);
    program.to_owned()
}

/// Function, line and locals are still reported, and a note says why no source lines are shown.
pub async fn missing_source_is_named(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().canonicalize().unwrap();
    let source = root().join(stage.language.source("cart"));
    let name = source.file_name().unwrap().to_str().unwrap();
    let tax = marked(&source, "tax");
    std::fs::copy(&source, dir.join(name)).unwrap();
    let program = compile_cart(stage, name, &dir);
    std::fs::remove_file(dir.join(name)).unwrap();
    stage.start_in(&dir).await;
    let function = stage.function("cart", "tax");
    let launch = json!({"program": program, "breakpoints": [function], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    // Go stops at the line of the function's declaration.
    let line = tax - stage.pick(1, 1, 2, 0, 1);
    assert_eq!(stop.place(), format!("{function}  {name}:{line}"), "{}", stop.text);
    assert_eq!(stop.local("net"), "1000");
    assert_eq!(stop.line("note: "), format!("no source: {name} is not here"));
    assert!(!stop.text.contains("\n→ "), "{}", stop.text);
    let next = stage.call("debug_step", json!({})).await.good();
    assert_eq!(next.place(), format!("{function}  {name}:{}", line + 1), "{}", next.text);
    stage.call("debug_stop", json!({})).await.good();
}

/// The generated JavaScript is shown instead of the missing TypeScript source.
pub async fn generated_code_without_its_source(stage: &mut Stage) {
    let dir = copy_of_typed(&["dist/price.js", "dist/price.js.map"]);
    stage.start_in(dir.path()).await;
    let at = format!("dist/price.js:{}", marked(&dir.path().join("dist/price.js"), "reduced"));
    let launch = json!({"program": "dist/price.js", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), format!("reduced  {at}"), "{}", stop.text);
    assert_eq!(stop.local("off"), "25");
    stop.says("return item.price - off; // [stop: reduced]");
}

/// Copies some files of the TypeScript program to a temporary directory.
pub fn copy_of_typed(names: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in names {
        std::fs::create_dir_all(dir.path().join(name).parent().unwrap()).unwrap();
        std::fs::copy(
            root().join("tests/fixtures/javascript/typed").join(name),
            dir.path().join(name),
        )
        .unwrap();
    }
    dir
}

/// Without a source map a breakpoint in the source cannot be bound, and the ending says why.
pub async fn javascript_without_its_source_map(stage: &mut Stage) {
    let dir = copy_of_typed(&["dist/price.js", "src/price.ts"]);
    stage.start_in(dir.path()).await;
    let at = format!("src/price.ts:{}", marked(&dir.path().join("src/price.ts"), "reduced"));
    let launch = json!({"program": "dist/price.js", "breakpoints": [at], "timeout_s": 50});
    let end = stage.call("debug_launch", launch).await.good();
    end.line("□ exited with code 0");
    end.says(&format!(
        "\nnever bound:\n  #1 {at} · UNVERIFIED: its file was never loaded, and the debugger found \
        no source map that names it; child processes that do not inherit NODE_OPTIONS are not \
        followed\n"
    ));
}

/// Bytecode compiled elsewhere: a function breakpoint binds by name, a line breakpoint in a local
/// file never hits.
pub async fn python_bytecode_without_source(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().canonicalize().unwrap();
    let source = root().join(stage.language.source("cart"));
    std::fs::copy(&source, dir.join("cart.py")).unwrap();
    let compile = "import py_compile as p; p.compile('cart.py', cfile='cart.pyc', \
        dfile='/elsewhere/cart.py')";
    run(&stage.language.tool_path().unwrap(), &["-c", compile], &dir);
    stage.start_in(&dir).await;
    let at = format!("cart.py:{}", marked(&source, "tax"));
    let launch = json!({"program": "cart.pyc", "breakpoints": [at], "timeout_s": 50});
    let end = stage.call("debug_launch", launch).await.good();
    end.line("□ exited with code 0");
    end.says(&format!("\nnever hit:\n  #1 {at}\n"));
    let launch = json!({"program": "cart.pyc", "breakpoints": ["tax"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(
        stop.place(),
        format!("tax  /elsewhere/cart.py:{}", marked(&source, "tax") - 1),
        "{}",
        stop.text
    );
    assert_eq!(stop.local("net"), "1000");
    assert_eq!(stop.line("note: "), "no source: /elsewhere/cart.py is not here");
}
