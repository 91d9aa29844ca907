//! What the system does not let a debugger do: the cause, and what permits it.

use serde_json::json;

use super::Stage;
use super::attach::sleeper;
use super::stage::Language;
use crate::caller::{Answer, Caller, Start, root};

const CONTAINER: &str =
    "start its container with --cap-add=SYS_PTRACE and a seccomp profile that allows ptrace)";

/// Another host, for which this system call is refused.
async fn deny(stage: &mut Stage, call: &str) {
    let denied = root().join(Language::C.program("denied")).display().to_string();
    let start = Start { under: vec![denied, call.to_owned()], ..stage.language.start() };
    stage.caller = Caller::start(start).await;
}

/// Asserts that it is not permitted for this cause, and that `call` is offered once it is.
#[track_caller]
fn refused(answer: &Answer, cause: &str, call: &str) {
    let told = answer.text.strip_prefix(&format!(
        "error[not-permitted] {cause}. Try: {call} (once the system permits it: "
    ));
    let told = told.unwrap_or_else(|| panic!("{}", answer.text));
    assert!(answer.is_error && told.ends_with(CONTAINER), "{}", answer.text);
}

/// By its process, and started: what the debugger says of it differs, what to do does not.
pub async fn what_may_not_be_traced_says_what_permits_it(stage: &mut Stage) {
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
    // What debugs within the program traces nothing.
    if stage.language.newest() == Language::Python {
        return stage.stands(&launched.good(), "cart", "tax", "tax");
    }
    let lldb = format!("Cannot launch '{program}': ptrace failed: Operation not permitted");
    let delve = format!(
        "Failed to launch: could not launch process: fork/exec {program}: operation not permitted"
    );
    let call = format!(
        "debug_launch {{\"program\": \"{program}\", \"adapter\": \"{adapter}\", \"breakpoints\": [{}]}}",
        arguments["breakpoints"][0]
    );
    let of_c = if stage.language == Language::LldbC { lldb.as_str() } else { ptrace };
    refused(&launched, stage.pick("", &lldb, &delve, "", of_c), &call);
}

/// An inspector is started by a signal; nothing is traced for it.
pub async fn what_may_not_be_signalled_says_so(stage: &mut Stage) {
    for denied in ["kill", "ptrace"] {
        deny(stage, denied).await;
        let mut child = sleeper(stage).await;
        let pid = child.id().unwrap();
        let attached = stage.caller.call("debug_attach", json!({"pid": pid})).await;
        match denied {
            "kill" => refused(
                &attached,
                "SIGUSR1, which starts inspectors, cannot be sent to it: operation not permitted",
                &format!("debug_attach {{\"pid\": {pid}}}"),
            ),
            _ => drop(attached.good().line("▶ running")),
        }
        assert_eq!(child.try_wait().unwrap(), None);
        child.kill().await.unwrap();
    }
}

/// Another user's: it is there, and the host may not look at it.
pub async fn a_process_that_is_not_ours_is_told_from_one_that_is_gone(stage: &mut Stage) {
    // The host itself may lie where only root can look.
    let reads = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"];
    let nobody =
        [&["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"], &reads[..]].concat();
    let nobody: Vec<String> = nobody.into_iter().map(str::to_owned).collect();
    let under = if rustix::process::getuid().is_root() { nobody } else { Vec::new() };
    stage.caller = Caller::start(Start { under, ..stage.language.start() }).await;
    let adapter = stage.language.adapter();
    let mine = rustix::process::getuid().as_raw();
    assert!(
        !under_own(mine),
        "process 1 is of the user of the tests, who is not root: run them beside another's init"
    );
    let theirs = json!({"pid": 1, "adapter": adapter});
    let told = stage.caller.call("debug_attach", theirs).await;
    let cause = "process 1 cannot be attached to: Permission denied (os error 13)";
    refused(&told, cause, &format!("debug_attach {{\"pid\": 1, \"adapter\": \"{adapter}\"}}"));
    told.says("(once the system permits it: run dapdock as root, or ");
    let gone =
        stage.caller.call("debug_attach", json!({"pid": 4_194_305, "adapter": adapter})).await;
    gone.fails("error[no-such-process] process 4194305 cannot be attached to: there is none. Try: debug_status");
}

/// Is process 1 one that the user may look at without being root?
fn under_own(user: u32) -> bool {
    use std::os::unix::fs::MetadataExt;
    user != 0 && std::fs::metadata("/proc/1").unwrap().uid() == user
}
