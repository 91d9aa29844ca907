//! Operations that the system does not permit a debugger: the cause, and what would permit them.

use serde_json::json;

use crate::caller::{Answer, Caller, Start, root};
use crate::real::attach::sleeper;
use crate::real::stage::{Language, Stage};

const CONTAINER: &str =
    "start its container with --cap-add=SYS_PTRACE and a seccomp profile that allows ptrace)";

/// Starts another host for which this system call is denied.
async fn deny(stage: &mut Stage, call: &str) {
    let denied = root().join(Language::C.program("denied")).display().to_string();
    let start = Start { under: vec![denied, call.to_owned()], ..stage.language.start() };
    stage.caller = Caller::start(start).await;
}

/// Asserts that it is not permitted for this cause, and that the error proposes `call` once it is.
#[track_caller]
fn refused(answer: &Answer, cause: &str, call: &str) {
    let remedy = answer.text.strip_prefix(&format!(
        "error[not-permitted] {cause}. Try: {call} (once the system permits it: "
    ));
    let remedy = remedy.unwrap_or_else(|| panic!("{}", answer.text));
    assert!(answer.is_error && remedy.ends_with(CONTAINER), "{}", answer.text);
}

/// By attach and by launch: the debugger's message differs, the remedy does not.
pub async fn denied_ptrace_names_the_permission(stage: &mut Stage) {
    deny(stage, "ptrace").await;
    let (mut child, adapter) = (sleeper(stage).await, stage.language.adapter());
    let pid = child.id().unwrap();
    let attached = stage.caller.call("debug_attach", json!({"pid": pid, "adapter": adapter})).await;
    let ptrace = "ptrace: Operation not permitted";
    let delve = format!("Failed to attach: could not attach to pid {pid}: operation not permitted");
    let cause = stage.pick(ptrace, ptrace, &delve, "", ptrace);
    refused(
        &attached,
        cause,
        &format!("debug_attach {{\"pid\": {pid}, \"adapter\": \"{adapter}\"}}"),
    );
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().await.unwrap();
    let program = stage.language.program("cart");
    let arguments =
        json!({"program": program, "adapter": adapter, "breakpoints": [stage.at("cart", "tax")]});
    let launched = stage.caller.call("debug_launch", arguments.clone()).await;
    // debugpy runs within the program and traces nothing.
    if stage.language.newest() == Language::Python {
        return stage.assert_stop(&launched.good(), "cart", "tax", "tax");
    }
    let lldb = format!("Cannot launch '{program}': ptrace failed: Operation not permitted");
    let delve = format!(
        "Failed to launch: could not launch process: fork/exec {program}: operation not permitted"
    );
    let call = format!(
        "debug_launch {{\"program\": \"{program}\", \"adapter\": \"{adapter}\", \"breakpoints\": \
        [{}]}}",
        arguments["breakpoints"][0]
    );
    let of_c = if stage.language == Language::LldbC { lldb.as_str() } else { ptrace };
    refused(&launched, stage.pick("", &lldb, &delve, "", of_c), &call);
}

/// The inspector is started by a signal, without tracing.
pub async fn denied_signal_is_reported(stage: &mut Stage) {
    for denied in ["kill", "ptrace"] {
        deny(stage, denied).await;
        let mut child = sleeper(stage).await;
        let pid = child.id().unwrap();
        let attached = stage.caller.call("debug_attach", json!({"pid": pid})).await;
        match denied {
            "kill" => refused(
                &attached,
                "SIGUSR1, which starts an inspector, cannot be sent to it: operation not permitted",
                &format!("debug_attach {{\"pid\": {pid}}}"),
            ),
            _ => drop(attached.good().line("▶ running")),
        }
        assert_eq!(child.try_wait().unwrap(), None);
        child.kill().await.unwrap();
    }
}

/// Another user's process exists, but the host may not inspect it.
pub async fn foreign_process_is_distinguished_from_a_missing_one(stage: &mut Stage) {
    // The host's own file may be in a directory that only root can read.
    let reads = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"];
    let nobody =
        [&["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"], &reads[..]].concat();
    let nobody: Vec<String> = nobody.into_iter().map(str::to_owned).collect();
    let under = if rustix::process::getuid().is_root() { nobody } else { Vec::new() };
    stage.caller = Caller::start(Start { under, ..stage.language.start() }).await;
    let adapter = stage.language.adapter();
    let mine = rustix::process::getuid().as_raw();
    assert!(
        !init_is_own(mine),
        "process 1 is of the user of the tests, who is not root: run them beside another's init"
    );
    let foreign = json!({"pid": 1, "adapter": adapter});
    let denied = stage.caller.call("debug_attach", foreign).await;
    let cause = "process 1 cannot be attached to: Permission denied (os error 13)";
    refused(&denied, cause, &format!("debug_attach {{\"pid\": 1, \"adapter\": \"{adapter}\"}}"));
    denied.says("(once the system permits it: run dapdock as root, or ");
    let gone =
        stage.caller.call("debug_attach", json!({"pid": 4_194_305, "adapter": adapter})).await;
    gone.fails(
        "error[no-such-process] process 4194305 cannot be attached to: it does not exist. Try: \
        debug_status",
    );
}

/// Whether process 1 belongs to the user, who is not root.
fn init_is_own(user: u32) -> bool {
    use std::os::unix::fs::MetadataExt;
    user != 0 && std::fs::metadata("/proc/1").unwrap().uid() == user
}

/// Before any process is started.
pub async fn wrong_option_is_refused(stage: &mut Stage) {
    let mut child = sleeper(stage).await;
    let pid = child.id().unwrap();
    let adapter = stage.language.adapter();
    let (wrong, right) = stage.pick(
        ("just_my_cod", "just_my_code"),
        ("progam", "program"),
        ("just_my_cod", "just_my_code"),
        ("just_my_cod", "just_my_code"),
        ("progam", "program"),
    );
    let value = if right == "program" { json!("a") } else { json!(true) };
    let refused = format!(
        "error[bad-argument] plugin {adapter}: options: {wrong}: unknown key; did you mean \
         \"{right}\"? Try: debug_"
    );
    let program = stage.language.program("sleeper");
    for (tool, target) in [
        ("debug_attach", json!({"pid": pid, "adapter": adapter})),
        ("debug_launch", json!({"program": program, "adapter": adapter})),
    ] {
        let mut arguments = target.clone();
        arguments["options"] = json!({wrong: value});
        let answer = stage.call(tool, arguments).await;
        assert!(answer.is_error && answer.text.starts_with(&refused), "{}", answer.text);
        answer.says(&format!("\"options\": {{\"{right}\": {value}}}"));
        assert_eq!(stage.caller.mark.alive().len(), 2, "{:#?}", stage.caller.mark.alive());
    }
    child.kill().await.unwrap();
}
