//! Builds the Rust, Go, C and C++ programs that tests debug. The Rust ones are a cargo
//! workspace of their own, so that our profile and lints do not shape what a debugger
//! sees. Python ones need no build.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::layout::Layout;
use crate::tool::{self, Fix};

const GO: Fix = Fix {
    missing: "install Go 1.25 or newer (https://go.dev/dl)",
    failed: "see its message above",
};

const COMPILER: Fix = Fix { missing: "install gcc and g++", failed: "see its message above" };

/// Builds all programs with debug information, and `cart` once more without. What fails for one
/// language does not keep the others from being built.
pub fn build(layout: &Layout) -> Result<()> {
    tool::say("building the programs that tests debug …");
    let all = [
        rust(layout),
        go(layout),
        compile_all(layout),
        googletest(layout),
        examples(layout),
        loops(layout),
    ];
    let failed: Vec<_> =
        all.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")).collect();
    ensure!(failed.is_empty(), "{}", failed.join("\n"));
    Ok(())
}

/// The programs of `examples/` that are built: the bench measures with them.
pub fn examples(layout: &Layout) -> Result<()> {
    tool::run(
        tool::cargo().current_dir(layout.root.join("examples/rust")).args(["build", "--quiet"]),
        &tool::RUST,
    )?;
    let built = layout.root.join("target/examples");
    go_build(Path::new("go"), &layout.root.join("examples/go"), &built.join("checkout-go"))?;
    compile("gcc", &layout.root.join("examples/c/checkout.c"), &built.join("checkout-c"))
}

/// The programs of `bench/programs/` that are built.
pub fn loops(layout: &Layout) -> Result<()> {
    let (sources, built) = (layout.root.join("bench/programs"), layout.root.join("target/bench"));
    std::fs::create_dir_all(&built)
        .with_context(|| format!("cannot create {}", built.display()))?;
    tool::run(
        Command::new("rustc")
            .args(["--edition=2024", "-g", "-o"])
            .arg(built.join("loop-rust"))
            .arg(sources.join("loop.rs")),
        &tool::RUST,
    )?;
    go_build(Path::new("go"), &sources.join("go"), &built.join("loop-go"))?;
    compile("gcc", &sources.join("loop.c"), &built.join("loop-c"))
}

fn rust(layout: &Layout) -> Result<()> {
    cargo_build(layout, &["--bins"])?;
    cargo_build(layout, &["--profile", "nodebug", "--bin", "cart"])
}

fn go(layout: &Layout) -> Result<()> {
    go_build_all(layout, Path::new("go"), &layout.go_programs())?;
    let older = layout.older_go();
    if !older.exists() {
        tool::say("the older Go is not installed: the tests of the older Delve will fail");
        return Ok(());
    }
    go_build_all(layout, &older, &layout.older_go_programs())
}

/// A project as CMake builds it, with what CTest knows of it. GoogleTest itself is compiled once.
fn googletest(layout: &Layout) -> Result<()> {
    let (project, source) = (layout.googletest_project(), layout.googletest_source());
    let (build, home) =
        (project.join("build"), layout.adapters().join("googletest/usr/src/googletest/googletest"));
    let (copy, program) = (project.join("cart_test.cc"), build.join("cart_test"));
    std::fs::create_dir_all(&build)
        .with_context(|| format!("cannot create {}", build.display()))?;
    let text =
        std::fs::read(&source).with_context(|| format!("cannot read {}", source.display()))?;
    if program.exists() && std::fs::read(&copy).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if !home.exists() {
        tool::say("GoogleTest is not installed: its tests will fail");
        return Ok(());
    }
    if program.exists() {
        std::fs::remove_file(&program)
            .with_context(|| format!("cannot remove {}", program.display()))?;
    }
    std::fs::write(&copy, text).with_context(|| format!("cannot write {}", copy.display()))?;
    let library = build.join("gtest-all.o");
    let compiler = || {
        let mut command = Command::new("g++");
        command
            .args(["-g", "-O0", "-pthread", "-I"])
            .arg(&home)
            .arg("-I")
            .arg(home.join("include"))
            .arg("-o");
        command
    };
    if !library.exists() {
        tool::run(
            compiler().arg(&library).arg("-c").arg(home.join("src/gtest-all.cc")),
            &COMPILER,
        )?;
    }
    tool::run(
        compiler().arg(&program).arg(&copy).arg(home.join("src/gtest_main.cc")).arg(&library),
        &COMPILER,
    )?;
    let list = build.join("CTestTestfile.cmake");
    std::fs::write(&list, format!("add_test(cart \"{}\")\n", program.display()))
        .with_context(|| format!("cannot write {}", list.display()))
}

/// Each C and C++ file is a program of its own.
fn compile_all(layout: &Layout) -> Result<()> {
    let (sources, programs) = (layout.c_fixtures(), layout.c_programs());
    std::fs::create_dir_all(&programs)
        .with_context(|| format!("cannot create {}", programs.display()))?;
    for entry in
        std::fs::read_dir(&sources).with_context(|| format!("cannot read {}", sources.display()))?
    {
        let source = entry?.path();
        let compiler = if source.extension().is_some_and(|extension| extension == "c") {
            "gcc"
        } else {
            "g++"
        };
        compile(compiler, &source, &programs.join(source.file_stem().unwrap_or_default()))?;
    }
    Ok(())
}

/// One file, as a debugger wants it.
pub fn compile(compiler: &str, source: &Path, output: &Path) -> Result<()> {
    tool::run(
        Command::new(compiler)
            .args(["-g", "-O0", "-Wall", "-Wextra", "-pthread", "-o"])
            .arg(output)
            .arg(source),
        &COMPILER,
    )
}

fn go_build_all(layout: &Layout, go: &Path, programs: &Path) -> Result<()> {
    std::fs::create_dir_all(programs)
        .with_context(|| format!("cannot create {}", programs.display()))?;
    go_build(go, &layout.go_fixtures(), programs)
}

/// All programs of a module as a debugger wants them: neither optimised nor inlined.
/// `output` is a directory where there are several.
pub fn go_build(go: &Path, module: &Path, output: &Path) -> Result<()> {
    tool::run(
        Command::new(go)
            .current_dir(module)
            .args(["build", "-gcflags=all=-N -l", "-o"])
            .arg(output)
            .arg("./...")
            .env("GOWORK", "off"),
        &GO,
    )
}

fn cargo_build(layout: &Layout, args: &[&str]) -> Result<()> {
    tool::run(
        tool::cargo()
            .current_dir(layout.rust_fixtures())
            .args(["build", "--quiet", "--locked", "--target-dir"])
            .arg(layout.fixtures())
            .args(args),
        &tool::RUST,
    )
}
