//! Core files: looked into with the program that dumped them, by whoever can. Nothing of them runs
//! on.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Stage;
use super::modules;
use super::stage::Language;
use crate::caller::root;

/// A directory below the root, so that what is in it has a relative path.
fn directory() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Has gdb dump the program where it reads what it must not: systems differ in where their own
/// cores go. None: there is no gdb.
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

/// What the adapter of the language makes of its own, by its name.
pub async fn core_of_c(stage: &mut Stage) {
    let dir = directory();
    let Some((program, core)) = dump(stage.language, dir.path()) else { return };
    let arguments = json!({"program": program, "options": {"core": core}, "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    let why = stage.of_c("SIGSEGV at address 0x10", "SIGSEGV: address not mapped (0x10)");
    assert_eq!(stop.reason(), format!("signal core file: {why}"));
    stage.stands(&stop, "crash", "read", "segv");
    assert_eq!(stop.local("address"), "16");
    let outer =
        stage.call("debug_evaluate", json!({"expressions": ["amount"], "frame": 1})).await.good();
    outer.says("amount = \"zwölf\"");
    does_not_run(stage).await;
    if !stage.language.has_gdb() {
        return;
    }
    let (program, core) = (program.display(), core.display());
    for command in [format!("gdb {program} '{core}'"), format!("gdb --core='{core}' {program}")] {
        let same =
            stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good();
        assert_eq!(same.reason(), stop.reason());
        does_not_run(stage).await;
    }
}

/// Named beside the program or among the options, by a path from the workspace; nobody names an
/// adapter.
pub async fn a_core_finds_its_adapter(stage: &mut Stage) {
    if stage.language == Language::Go {
        return core_of_go_finds_its_adapter(stage).await;
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
        stage.stands(&stop, "crash", "read", "segv");
        assert_eq!(stop.local("address"), "16");
        assert!(stop.line("next: ").ends_with(" · debug_stack · debug_stop"), "{}", stop.text);
        // A text that no core has: it is in the program's file.
        let frame = stage.pick(0, 3, 0, 0, 1);
        let text = json!({"expressions": ["amount"], "frame": frame});
        stage.caller.call("debug_evaluate", text).await.good().says("amount = \"zwölf\"  (");
        does_not_run(stage).await;
    }
}

async fn core_of_go_finds_its_adapter(stage: &mut Stage) {
    let dir = directory();
    let (program, core) = (root().join(stage.language.program("cart")), dir.path().join("core"));
    modules::dump(&stage.language.tool_path().unwrap(), &program, &core, dir.path());
    let core = core.strip_prefix(root()).unwrap();
    let stop = stage
        .caller
        .call("debug_launch", json!({"program": program, "core": core, "timeout_s": 50}))
        .await;
    let stop = stop.good();
    stop.says(" · delve-1 · ");
    assert_eq!((stop.reason(), stop.local("net")), ("core file", "1000"));
    let ended = "□ stopped as asked, nothing left running";
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

/// Every move is refused, and the end leaves nothing.
async fn does_not_run(stage: &mut Stage) {
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
    stage
        .call("debug_stop", json!({}))
        .await
        .good()
        .line("□ stopped as asked, nothing left running");
}

/// A program whose adapter knows no core files, and an adapter that is named all the same.
pub async fn a_core_is_refused(stage: &mut Stage) {
    let (program, adapter) = (stage.language.program("cart"), stage.language.adapter());
    let refused = |which: &str, call: Value| {
        format!(
            "error[unsupported] {adapter} opens no core files; codelldb, delve, gdb can{which}. Try: debug_launch {}",
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
        // It is a call that works.
        stage.caller.call("debug_launch", without).await.good().line("□ exited with code 0");
    }
    let launch =
        json!({"program": "target/fixtures/c/crash", "adapter": adapter, "core": "Cargo.toml"});
    let without = json!({"program": "target/fixtures/c/crash", "core": "Cargo.toml"});
    stage.caller.call("debug_launch", launch).await.fails(&refused("", without));
    let attach = json!({"pid": 1, "options": {"core": "Cargo.toml", "program": "cart"}});
    stage.caller.call("debug_attach", attach).await.fails(
        "error[bad-argument] debug_attach: `options.core` is for debug_launch, which opens a core file with the program \
         that dumped it. Try: debug_launch {\"program\": \"cart\", \"core\": \"Cargo.toml\"}",
    );
}

/// What is missing, and what goes with nothing.
pub async fn a_core_that_is_not_there(stage: &mut Stage) {
    let program = stage.language.program("crash");
    let missing =
        stage.caller.call("debug_launch", json!({"program": program, "core": "no.core"})).await;
    missing.fails(&format!(
        "error[bad-path] core no.core does not exist. Try: debug_launch {{\"program\": \"{program}\"}}"
    ));
    let alone =
        stage.caller.call("debug_launch", json!({"command": program, "core": "Cargo.toml"})).await;
    alone.fails(
        "error[bad-argument] debug_launch: `core` goes with `program`, which dumped it. Try: debug_launch {\"program\": \
         \"PROGRAM\", \"core\": \"FILE\"}",
    );
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
        "error[adapter-refused] {why}. Try: debug_status {{\"detail\": \"log\", \"session\": \"{session}\"}}"
    ));
}

/// Nothing false is told of another program; the call that is proposed works, and so does one with
/// a copy.
pub async fn a_core_of_another_program_is_refused(stage: &mut Stage) {
    let dir = directory();
    let (program, core) = if matches!(stage.language, Language::Go | Language::OldGo) {
        let (program, core) =
            (root().join(stage.language.program("cart")), dir.path().join("core"));
        modules::dump(&stage.language.tool_path().unwrap(), &program, &core, dir.path());
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
    // Where an adapter is named, it stays so.
    let expected = format!(
        "error[core-mismatch] core {core} was dumped by {program}, not by {other}. Try: debug_launch \
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
