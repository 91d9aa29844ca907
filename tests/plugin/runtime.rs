//! The code of plugins that runs inside debuggers and debuggees has tests of its own, which run
//! without a debugger. Rows with real debuggers are in `real`.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::caller::root;

/// The files of a directory with one of these endings, sorted.
fn files(directory: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if endings.contains(&ending) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The directories of such code, of all plugins.
fn runtimes() -> Vec<PathBuf> {
    let plugins = std::fs::read_dir(root().join("plugins")).unwrap();
    let mut found: Vec<PathBuf> =
        plugins.map(|plugin| plugin.unwrap().path().join("runtime")).collect();
    found.retain(|runtime| runtime.is_dir());
    found.sort();
    found
}

#[expect(clippy::disallowed_methods, reason = "no process of the host")]
fn run(program: &str, arguments: &[&str], directory: &Path) -> Output {
    let mut command = std::process::Command::new(program);
    command.args(arguments).current_dir(directory).env("PYTHONDONTWRITEBYTECODE", "1");
    command.output().unwrap_or_else(|error| panic!("{program}: {error}"))
}

#[track_caller]
fn succeeds(output: &Output, directory: &Path) {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{}:\n{out}{err}", directory.display());
}

#[test]
fn runtime_code_in_python_passes_its_tests() {
    let mut tested = 0;
    for runtime in runtimes() {
        if files(&runtime, &["py"]).is_empty() {
            continue;
        }
        assert!(!files(&runtime.join("tests"), &["py"]).is_empty(), "{}", runtime.display());
        let arguments = ["-m", "unittest", "discover", "-s", "tests", "-t", "."];
        let output = run("python3", &arguments, &runtime);
        succeeds(&output, &runtime);
        assert!(!String::from_utf8_lossy(&output.stderr).contains("Ran 0 tests"));
        tested += 1;
    }
    assert!(tested >= 4);
}

#[test]
fn runtime_code_in_javascript_passes_its_tests() {
    let mut tested = 0;
    for runtime in runtimes() {
        if files(&runtime, &["js"]).is_empty() {
            continue;
        }
        let tests = files(&runtime.join("tests"), &["mjs"]);
        assert!(!tests.is_empty(), "{}", runtime.display());
        for test in tests {
            // Node's own parser is read by some of them.
            let arguments = ["--expose-internals", "--test", test.to_str().unwrap()];
            succeeds(&run("node", &arguments, &runtime), &runtime);
            tested += 1;
        }
    }
    assert!(tested >= 1);
}
