//! Core files: opened with the program that dumped them, by each adapter that can. They cannot be
//! resumed.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::caller::root;
use crate::real::go_modules;
use crate::real::stage::{Language, Stage};

/// A directory below the workspace root, so that its files have relative paths.
fn directory() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Has gdb write a core of the program at its SIGSEGV: where the system puts its own cores differs
/// between machines. None if there is no gdb.
fn dump(language: Language, dir: &Path) -> Option<(PathBuf, PathBuf)> {
    let (program, core) = (root().join(language.program("crash")), dir.join("a core"));
    let gdb = if language.has_gdb() { language } else { Language::C };
    if !gdb.is_here() {
        return None;
    }
    let script = ["run segv", &format!("generate-core-file {}", core.display()), "kill"];
    #[expect(clippy::disallowed_methods, reason = "no process of the host")]
    let mut gdb = std::process::Command::new(gdb.tool_path().unwrap());
    gdb.args(["-q", "-nx", "-batch"])
        .args(script.iter().flat_map(|line| ["-ex", *line]))
        .arg(&program);
    let output = gdb.stdin(std::process::Stdio::null()).output().unwrap();
    assert!(core.exists(), "{}", String::from_utf8_lossy(&output.stderr));
    Some((program, core))
}

/// The core is opened by the adapter of its language, named in the call.
pub async fn core_file_of_c(stage: &mut Stage) {
    let dir = directory();
    let Some((program, core)) = dump(stage.language, dir.path()) else { return };
    let arguments = json!({"program": program, "options": {"core": core}, "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    let why = stage.of_c("SIGSEGV at address 0x10", "SIGSEGV: address not mapped (0x10)");
    assert_eq!(stop.reason(), format!("signal core file: {why}"));
    stage.assert_stop(&stop, "crash", "read", "segv");
    assert_eq!(stop.local("address"), "16");
    let outer =
        stage.call("debug_evaluate", json!({"expressions": ["amount"], "frame": 1})).await.good();
    outer.says("amount = \"zwölf\"");
    assert_not_resumable(stage).await;
    if !stage.language.has_gdb() {
        return;
    }
    let (program, core) = (program.display(), core.display());
    for command in [format!("gdb {program} '{core}'"), format!("gdb --core='{core}' {program}")] {
        let same =
            stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good();
        assert_eq!(same.reason(), stop.reason());
        assert_not_resumable(stage).await;
    }
}

/// The core is named as an argument or among the options, by a path relative to the workspace,
/// without an adapter.
pub async fn core_file_selects_its_adapter(stage: &mut Stage) {
    if stage.language == Language::Go {
        return core_file_of_go_selects_its_adapter(stage).await;
    }
    let dir = directory();
    let Some((program, core)) = dump(stage.language, dir.path()) else { return };
    let core = core.strip_prefix(root()).unwrap();
    let alone = stage.caller.call("debug_launch", json!({"program": core})).await;
    let named = format!(
        r#"Try: debug_launch {{"program": "PROGRAM", "options": {{"core": "{}"}}}}"#,
        core.display()
    );
    assert!(alone.is_error && alone.text.contains(&named), "{}", alone.text);
    for more in [json!({"core": core}), json!({"options": {"core": core}})] {
        let mut arguments = json!({"program": program, "timeout_s": 50});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let stop = stage.caller.call("debug_launch", arguments).await.good();
        stop.says(" · codelldb-");
        assert_eq!(stop.reason(), "signal core file: SIGSEGV: address not mapped (0x10)");
        stage.assert_stop(&stop, "crash", "read", "segv");
        assert_eq!(stop.local("address"), "16");
        assert!(stop.line("next: ").ends_with(" · debug_stack · debug_stop"), "{}", stop.text);
        // This text is not in the core: it is read from the program's file.
        let frame = stage.pick(0, 3, 0, 0, 1);
        let text = json!({"expressions": ["amount"], "frame": frame});
        stage.caller.call("debug_evaluate", text).await.good().says("amount = \"zwölf\"  (");
        assert_not_resumable(stage).await;
    }
}

async fn core_file_of_go_selects_its_adapter(stage: &mut Stage) {
    let dir = directory();
    let (program, core) = (root().join(stage.language.program("cart")), dir.path().join("core"));
    go_modules::dump(&stage.language.tool_path().unwrap(), &program, &core, dir.path());
    let core = core.strip_prefix(root()).unwrap();
    let stop = stage
        .caller
        .call("debug_launch", json!({"program": program, "core": core, "timeout_s": 50}))
        .await;
    let stop = stop.good();
    stop.says(" · delve-1 · ");
    assert_eq!((stop.reason(), stop.local("net")), ("core file", "1000"));
    let ended = "□ ended; no process is left";
    stage.call("debug_stop", json!({})).await.good().line(ended);
    let command = format!("dlv core '{}' '{}'", program.display(), core.display());
    let stop = stage
        .caller
        .call("debug_launch", json!({"command": command, "timeout_s": 50}))
        .await
        .good();
    assert_eq!((stop.reason(), stop.local("net")), ("core file", "1000"));
    stage.call("debug_stop", json!({})).await.good().line(ended);
}

/// Asserts that every move is refused and that the session's end leaves no process.
async fn assert_not_resumable(stage: &mut Stage) {
    let stack = stage.call("debug_stack", json!({})).await.good();
    for (tool, arguments) in [
        ("debug_continue", json!({})),
        ("debug_step", json!({})),
        ("debug_step", json!({"kind": "out"})),
    ] {
        let refused = stage.call(tool, arguments).await;
        refused.fails("error[post-mortem] a core file does not run. Try: debug_stack");
    }
    assert_eq!(
        stage.call("debug_stack", json!({})).await.good().text,
        stack.text,
        "it stands as it stood"
    );
    stage.call("debug_stop", json!({})).await.good().line("□ ended; no process is left");
}

/// A program whose adapter opens no core files, and such an adapter named for a program that has
/// one.
pub async fn core_file_is_refused(stage: &mut Stage) {
    let (program, adapter) = (stage.language.program("cart"), stage.language.adapter());
    let refused = |which: &str, call: Value| {
        format!(
            "error[unsupported] {adapter} opens no core files; codelldb, delve, gdb can{which}. \
            Try: debug_launch {}",
            call.to_string().replace(':', ": ").replace(',', ", ")
        )
    };
    let of_a_script = ", with the machine code that dumped it: of a script its interpreter";
    for (mut launch, core) in [
        (json!({"program": program}), json!({"core": "Cargo.toml"})),
        (json!({"program": program}), json!({"options": {"core": "Cargo.toml"}})),
        (json!({"program": program, "adapter": adapter}), json!({"core": "Cargo.toml"})),
    ] {
        let without = launch.clone();
        launch.as_object_mut().unwrap().extend(core.as_object().unwrap().clone());
        stage
            .caller
            .call("debug_launch", launch)
            .await
            .fails(&refused(of_a_script, without.clone()));
        // The proposed call works.
        stage.caller.call("debug_launch", without).await.good().line("□ exited with code 0");
    }
    let launch =
        json!({"program": "target/fixtures/c/crash", "adapter": adapter, "core": "Cargo.toml"});
    let without = json!({"program": "target/fixtures/c/crash", "core": "Cargo.toml"});
    stage.caller.call("debug_launch", launch).await.fails(&refused("", without));
    let attach = json!({"pid": 1, "options": {"core": "Cargo.toml", "program": "cart"}});
    stage.caller.call("debug_attach", attach).await.fails(
        "error[bad-argument] debug_attach: `options.core` is for debug_launch, which opens a core \
        file with the program \
         that dumped it. Try: debug_launch {\"program\": \"cart\", \"options\": {\"core\": \
         \"Cargo.toml\"}}",
    );
}

/// A core file that does not exist, a command instead of a program, and a file that is no core.
pub async fn missing_core_file_is_refused(stage: &mut Stage) {
    let program = stage.language.program("crash");
    let missing =
        stage.caller.call("debug_launch", json!({"program": program, "core": "no.core"})).await;
    missing.fails(&format!(
        "error[bad-path] core no.core does not exist. Try: debug_launch {{\"program\": \
        \"{program}\"}}"
    ));
    let alone =
        stage.caller.call("debug_launch", json!({"command": program, "core": "Cargo.toml"})).await;
    alone.fails(&format!(
        "error[bad-argument] debug_launch: `core` needs `program`, the program that dumped it. \
         Try: debug_launch {{\"core\": \"Cargo.toml\", \"program\": \"{program}\"}}"
    ));
    let other = stage
        .call("debug_launch", json!({"program": program, "core": "Cargo.toml", "timeout_s": 50}))
        .await;
    let why = match stage.language {
        Language::Go => "Failed to launch core file Cargo.toml: unrecognized core format",
        Language::OldGo => "Failed to launch: unrecognized core format",
        Language::C | Language::OldC => {
            "\"Cargo.toml\" is not a core dump: file format not recognized"
        }
        _ => "error: Unknown core file format 'Cargo.toml'",
    };
    let session = format!("{}-1", stage.language.adapter());
    other.fails(&format!(
        "error[adapter-refused] {why}. Try: debug_status {{\"detail\": \"log\", \"session\": \
        \"{session}\"}}"
    ));
}

/// The refusal proposes a call that works; a copy of the program works too.
pub async fn core_file_of_another_program_is_refused(stage: &mut Stage) {
    let dir = directory();
    let (program, core) = if matches!(stage.language, Language::Go | Language::OldGo) {
        let (program, core) =
            (root().join(stage.language.program("cart")), dir.path().join("core"));
        go_modules::dump(&stage.language.tool_path().unwrap(), &program, &core, dir.path());
        (program, core)
    } else {
        let Some(dumped) = dump(stage.language, dir.path()) else { return };
        dumped
    };
    let [program, core] =
        [program, core].map(|path| path.strip_prefix(root()).unwrap().display().to_string());
    let other = stage.language.program("args_env");
    let refused =
        stage.call("debug_launch", json!({"program": other, "options": {"core": core}})).await;
    // The proposed call keeps a named adapter.
    let expected = format!(
        "error[core-mismatch] core {core} was dumped by {program}, not by {other}. Try: \
        debug_launch \
         {{\"program\": \"{program}\", \"options\": {{\"core\": \"{core}\"}}"
    );
    assert!(refused.is_error && refused.text.starts_with(&expected), "{}", refused.text);
    let copy = dir.path().join("copy");
    std::fs::copy(root().join(&program), &copy).unwrap();
    for program in [Path::new(&program), &copy] {
        let opened = json!({"program": program, "core": core, "timeout_s": 50});
        assert!(stage.call("debug_launch", opened).await.good().reason().contains("core file"));
        stage.call("debug_stop", json!({})).await.good();
    }
}
