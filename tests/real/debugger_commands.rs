//! `debug_command`: the debuggers' own languages, and what the host sees of their effects.

use serde_json::json;

use crate::caller::{Answer, Caller, Start, root};
use crate::real::stage::{Stage, marked};

/// A host with the toolset `raw`, and the program `cart` at its marked line `loop`.
async fn start(stage: &mut Stage, flags: &[&'static str]) {
    let flags = [&["--toolsets", "default,raw"], flags].concat();
    stage.caller = Caller::start(Start { flags, ..stage.language.start() }).await;
    let stop = stage.launch("cart", json!({"breakpoints": [stage.at("cart", "loop")]})).await;
    stage.assert_stop(&stop.good(), "cart", "total_of", "loop");
}

async fn run(stage: &mut Stage, command: &str) -> Answer {
    stage.call("debug_command", json!({"command": command, "timeout_s": 50})).await
}

/// Runs a command whose output has this part.
async fn prints(stage: &mut Stage, command: &str, part: &str) {
    run(stage, command).await.good().says(part);
}

/// Commands that resume, a value that a command assigns, a breakpoint that one sets and deletes.
async fn effects_are_seen(stage: &mut Stage, assigns: &str, sets: &str, deletes: &str) {
    let number = |list: &Answer| {
        let line = list.text.lines().find(|line| line.contains("set by a command, as breakpoint "));
        let (_, rest) =
            line.unwrap_or_else(|| panic!("{}", list.text)).split_once("as breakpoint ")?;
        Some(rest.split(' ').next()?.to_owned())
    };
    run(stage, assigns).await.good();
    let value = stage.call("debug_variables", json!({"path": "total"})).await.good();
    assert_eq!(value.text.lines().nth(1), Some("4711"), "{}", value.text);

    run(stage, sets).await.good();
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    let breakpoint = number(&list).unwrap();
    list.says(&stage.at("cart", "tax"));
    let stop = run(stage, "continue").await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    assert!(stop.reason().starts_with("breakpoint #"), "{}", stop.text);
    run(stage, &deletes.replace("{}", &breakpoint)).await.good();
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(!list.text.contains("set by a command"), "{}", list.text);

    let stop = run(stage, "finish").await.good();
    stop.line("#0 total_of  ");
    let stop = run(stage, "next").await.good();
    stop.line("#0 total_of  ");
}

/// A program that a command resumed can be paused.
async fn resumed_program_is_paused(stage: &mut Stage) {
    stage.call("debug_stop", json!({"all": true})).await.good();
    let at = stage.at("sleeper", "loop");
    stage.launch("sleeper", json!({"breakpoints": [at]})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let running =
        stage.call("debug_command", json!({"command": "continue", "timeout_s": 0.2})).await;
    running.good().line("▶ running");
    stage.call("debug_pause", json!({})).await.good().line("■ stopped by pause");
}

async fn refuses(stage: &mut Stage, commands: &[(&str, &str)]) {
    for (command, escape) in commands {
        let answer = run(stage, command).await;
        let error = format!("error[leaves-debugger] `{escape}` leaves the debugger");
        assert!(answer.text.starts_with(&error), "{command}: {}", answer.text);
    }
    for command in ["p 1\nshell ls", "p 1\rshell ls", ""] {
        run(stage, command).await.says("error[bad-argument] a command is one line");
    }
}

pub async fn commands_of_gdb(stage: &mut Stage) {
    start(stage, &[]).await;
    prints(stage, "info source", "cart.c").await;
    prints(stage, "print index + 41", "= 41").await;
    run(stage, "nosuch").await.says("error[adapter-refused] Undefined command");
    refuses(
        stage,
        &[
            ("shell ls", "shell"),
            ("she ls", "she"),
            ("!ls", "!"),
            ("python print(1)", "python"),
            ("py print(1)", "py"),
            ("source x", "source"),
            ("pipe info files | cat", "pipe"),
            ("| info files | cat", "|"),
            ("make", "make"),
            ("with print pretty on -- shell ls", "shell"),
            ("thread apply all shell ls", "shell"),
            ("alias x = shell", "alias"),
            ("print $_shell(\"ls\")", "$_shell"),
            ("target remote | sh", "target"),
            ("set data-directory /tmp", "set data-directory"),
            ("set debug-file-dir /tmp", "set debug-file-dir"),
            ("with auto-load safe-path / -- info files", "with auto-load"),
            ("set libthread-db-search-path /tmp", "set libthread-db-search-path"),
            ("set logging file x", "set logging"),
            ("dump value x index", "dump"),
            ("gcore x", "gcore"),
            ("quit", "quit"),
            ("kill", "kill"),
        ],
    )
    .await;
    // A call is no move: the stop stays.
    prints(stage, "call tax(item, 100)", "= 7").await;
    stage.call("debug_evaluate", json!({"expressions": ["index"]})).await.good();
    stage.call("debug_status", json!({})).await.good().says("stopped");
    let line = marked(&root().join(stage.language.source("cart")), "tax");
    let sets = format!("break {line}");
    effects_are_seen(stage, "set var total = 4711", &sets, "delete {}").await;
    // The frames of the stop are gone.
    run(stage, "delete").await.good();
    stage.call("debug_breakpoints", json!({})).await.good().line("no breakpoints");
    run(stage, "break tax").await.good();
    run(stage, "continue").await.good();
    let stop = run(stage, "return").await.good();
    stop.line("#0 total_of  ");
    stage.call("debug_variables", json!({"path": "index"})).await.good();
    resumed_program_is_paused(stage).await;

    start(stage, &["--allow-shell"]).await;
    prints(stage, "python print(6 * 7)", "42").await;
}

pub async fn commands_of_lldb(stage: &mut Stage) {
    start(stage, &[]).await;
    prints(stage, "source info", "cart.c").await;
    prints(stage, "expression index + 41", "= 41").await;
    run(stage, "nosuch").await.says("'nosuch' is not a valid command");
    refuses(
        stage,
        &[
            ("platform shell ls", "platform"),
            ("plat sh ls", "plat"),
            ("shell ls", "shell"),
            ("script print(1)", "script"),
            ("sc print(1)", "sc"),
            ("command script import x", "command"),
            ("command source x", "command"),
            ("breakpoint command add -o \"shell ls\" 1", "breakpoint command"),
            ("breakpoint set -n main -C \"platform shell ls\"", "platform"),
            ("target stop-hook add -o \"script print(1)\"", "script"),
            ("type summary add --python-script x y", "--python"),
            ("breakpoint read -f x", "breakpoint read"),
            ("settings read -f x", "settings read"),
            ("rbreak main -C \"platform shell ls\"", "platform"),
            ("_regexp-break -n main -C 'platform shell ls'", "platform"),
            ("display total\" -o \"platform shell ls", "platform"),
            ("memory read -c 4 -o x 1", "memory read … -o"),
            ("process save-core x", "process save-core"),
        ],
    )
    .await;
    let line = marked(&root().join(stage.language.source("cart")), "tax");
    let sets = format!("breakpoint set --file cart.c --line {line}");
    effects_are_seen(stage, "expression total = 4711", &sets, "breakpoint delete {}").await;
    resumed_program_is_paused(stage).await;

    start(stage, &["--allow-shell"]).await;
    prints(stage, "script print(6 * 7)", "42").await;
}

pub async fn commands_of_delve(stage: &mut Stage) {
    start(stage, &[]).await;
    prints(stage, "sources cart", "cart/main.go").await;
    if stage.language.newest() == stage.language {
        prints(stage, "dlv config -list maxStringLen", "maxStringLen").await;
    }
    run(stage, "config showRegisters true").await.good().says("Updated");
    let scopes = stage.call("debug_variables", json!({})).await.good();
    scopes.says("Registers");
    run(stage, "shell ls").await.says("command not available");
}

pub async fn adapter_without_commands_says_so(stage: &mut Stage) {
    start(stage, &[]).await;
    let error = format!("error[unsupported] {} has no command language", stage.language.adapter());
    run(stage, "help").await.says(&error);
}

/// Texts that run `touch` where they are evaluated, in gdb or in LLDB's Python.
fn programs(stage: &Stage, file: &str) -> Vec<String> {
    if stage.language.has_gdb() {
        let commands = [
            format!("-exec shell touch {file}"),
            format!("shell touch {file}"),
            format!("!touch {file}"),
            format!("python __import__(\"os\").system(\"touch {file}\")"),
            format!("| info files | touch {file}"),
            format!("-interpreter-exec console \"shell touch {file}\""),
            format!("1\nshell touch {file}"),
        ];
        return [vec![format!("$_shell(\"touch {file}\") == 0")], commands.into()].concat();
    }
    let import = format!("__import__(\"os\").system(\"touch {file}\") == 0");
    let commands = ["`platform shell", "?", "/cmd platform shell", "/se"];
    let mut all = vec![format!("/py {import}"), format!("/se {import}"), import];
    all.extend(commands.map(|command| format!("{command} touch {file}")));
    all
}

/// An expression in any place runs no program: only `debug_command` does, with `--allow-shell`.
pub async fn expressions_run_no_program(stage: &mut Stage) {
    start(stage, &[]).await;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ran").display().to_string();
    let at = stage.at("cart", "loop");
    for text in programs(stage, &file) {
        for effects in ["none", "allow"] {
            let evaluate = json!({"expressions": [text], "effects": effects});
            let answer = stage.call("debug_evaluate", evaluate).await;
            assert!(answer.text.contains("error"), "{text}: {}", answer.text);
        }
        for (tool, arguments) in [
            ("debug_breakpoints", json!({"set": [format!("{at} if {text}")]})),
            ("debug_breakpoints", json!({"set": [format!("{at} log {{{text}}}")]})),
            ("debug_set", json!({"target": "total", "value": text})),
            ("debug_set", json!({"target": text, "value": "1"})),
            ("debug_evaluate", json!({"expressions": [text], "watch": true})),
            ("dap_request", json!({"command": "evaluate", "arguments": {"expression": text}})),
            (
                "dap_request",
                json!({
                    "command": "evaluate",
                    "arguments": {"expression": text, "context": "watch"},
                }),
            ),
        ] {
            stage.call(tool, arguments).await;
        }
        stage.call("debug_continue", json!({"timeout_s": 20})).await;
        stage.call("debug_evaluate", json!({"watch": false})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        assert!(!std::fs::exists(&file).unwrap(), "{text}");
    }
}
