//! Two plugins that the project does not ship, with their debuggers: LLDB's own DAP server, and
//! Ruby's debugger, which runs inside the program. They were written from the guide and the
//! interface.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use crate::caller::{Caller, Start, root};
use crate::plugin::component;

const SUM_C: &str = "#include <stdio.h>
#include <stdlib.h>

static int total(int count) {
    int sum = 0;
    for (int i = 1; i <= count; i++) {
        sum += i;
    }
    return sum;
}

int main(int argc, char **argv) {
    int answer = total(4);
    printf(\"total %d\\n\", answer);
    if (argc > 1) abort();
    return 3;
}
";

const SUM_RB: &str = "def total(count)
  sum = 0
  (1..count).each do |i|
    sum += i
  end
  sum
end

puts \"total #{total(4)}\"
exit 3
";

/// A host with one plugin and its tool, in a project with one file.
async fn start(
    project: TempDir,
    plugin: &str,
    tool: (&str, &Path),
    file: (&str, &str),
) -> (TempDir, Caller) {
    let (name, path) = tool;
    let (adapter, wasm) = (plugin.replace('_', "-"), component(plugin));
    let text =
        format!("[adapters.{adapter}]\nplugin = {wasm:?}\n\n[tools.{name}]\npath = {path:?}\n");
    let (cwd, config) = (project.path().to_owned(), project.path().join("host.toml"));
    std::fs::write(&config, text).unwrap();
    std::fs::write(cwd.join(file.0), file.1).unwrap();
    let caller = Caller::start(Start { cwd, config, ..Start::usual() }).await;
    (project, caller)
}

/// A file that `cargo xtask adapters` installs.
fn installed(path: &str) -> PathBuf {
    let path = root().join("target/adapters").join(path);
    assert!(path.is_file(), "{} is missing: run `cargo xtask adapters`", path.display());
    path
}

async fn lldb() -> (TempDir, Caller) {
    let path = installed("lldb-vscode/usr/lib/llvm-14/bin/lldb-vscode");
    let project = tempfile::tempdir().unwrap();
    start(project, "lldb_dap", ("lldb-dap", &path), ("sum.c", SUM_C)).await
}

/// Ruby with the paths of its own libraries: it is not installed where it was built for.
async fn ruby() -> (TempDir, Caller) {
    let program = installed("ruby/usr/bin/ruby3.1");
    let libraries = program.ancestors().nth(2).unwrap().join("lib");
    let gems = libraries.join("ruby/gems/3.1.0");
    let paths = std::env::join_paths([
        libraries.join("ruby/3.1.0"),
        libraries.join("x86_64-linux-gnu/ruby/3.1.0"),
        gems.join("gems/debug-1.4.0/lib"),
        gems.join("extensions/x86_64-linux/3.1.0/debug-1.4.0"),
    ]);
    let project = tempfile::tempdir().unwrap();
    let script = project.path().join("ruby");
    let text = format!("#!/bin/sh\nexport RUBYLIB={:?}\nexec {program:?} \"$@\"\n", paths.unwrap());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    start(project, "rdbg", ("ruby", &script), ("sum.rb", SUM_RB)).await
}

#[tokio::test]
async fn lldbs_own_adapter_debugs_c() {
    let (_dir, mut caller) = lldb().await;
    let refused = json!({"program": "sum.c", "breakpoints": ["sum.c:7 if i =="]});
    let refused = caller.call("debug_launch", refused).await;
    refused.says("condition `i ==` does not parse: expected expression");
    let launch = json!({"program": "sum.c", "breakpoints": ["sum.c:7 if i == 3", "main"]});
    let stop = caller.call("debug_launch", launch).await.good();
    stop.line("■ stopped breakpoint #3");
    stop.line("→ 13      int answer = total(4);");
    let stop = caller.call("debug_continue", json!({})).await.good();
    stop.line("■ stopped breakpoint #2");
    stop.line("#0 total  sum.c:7  <- #1 main  sum.c:13");
    stop.line("locals: count=4  sum=3  i=3");
    let value = caller.call("debug_evaluate", json!({"expressions": ["sum + i"]})).await.good();
    value.line("sum + i = 6  (int)");
    let step = caller.call("debug_step", json!({"kind": "over"})).await.good();
    step.line("changed since stop 2: sum 3→6");
    let log = json!({"set": ["sum.c:14 log answer is {answer}"], "remove": ["#2"]});
    caller.call("debug_breakpoints", log).await.good();
    let end = caller.call("debug_continue", json!({})).await.good();
    end.line("□ exited with code 3");
    end.says("answer is 10");
    end.says("total 10");
}

#[tokio::test]
async fn lldbs_own_adapter_names_the_signal_and_stops_on_entry() {
    let (_dir, mut caller) = lldb().await;
    let launch = json!({"program": "sum.c", "args": ["x"], "stop_on_entry": true});
    caller.call("debug_launch", launch).await.good().line("■ stopped at entry");
    caller.call("debug_continue", json!({})).await.good().line("■ stopped");
    let end = caller.call("debug_continue", json!({})).await.good();
    end.line("□ ended by signal SIGABRT (6)");
}

#[tokio::test]
async fn debugger_inside_the_program_debugs_ruby() {
    let (_dir, mut caller) = ruby().await;
    let launch = json!({"program": "sum.rb", "breakpoints": ["sum.rb:4 if i == 3"]});
    let stop = caller.call("debug_launch", launch).await.good();
    stop.line("■ stopped breakpoint #1");
    stop.line("→ 4    sum += i");
    stop.line("locals: %self=main  i=3  count=4  sum=3");
    let value = caller.call("debug_evaluate", json!({"expressions": ["sum + i"]})).await.good();
    value.line("sum + i = 6  (Integer)");
    let wrong = caller.call("debug_evaluate", json!({"expressions": ["summ"]})).await.good();
    wrong.says("undefined local variable or method `summ'");
    let end = caller.call("debug_continue", json!({})).await.good();
    end.line("□ exited with code 3");
    end.says("total 10");
    assert!(!end.text.contains("the adapter ended"), "{}", end.text);
}

#[tokio::test]
async fn method_is_a_place_in_ruby_and_ignored_options_are_noted() {
    let (_dir, mut caller) = ruby().await;
    let launch = json!({"program": "sum.rb", "breakpoints": ["total"]});
    let stop = caller.call("debug_launch", launch).await.good();
    stop.line("#0 Object#total  sum.rb:2  <- #1 <main>  sum.rb:9");
    let wrong = json!({"program": "sum.rb", "breakpoints": ["totals"]});
    caller.call("debug_launch", wrong).await.says("no method of the project is named totals");
    let launch = json!({"program": "sum.rb", "stop_on_entry": true});
    let end = caller.call("debug_launch", launch).await.good();
    end.says("the program ended without a stop on entry");
}
