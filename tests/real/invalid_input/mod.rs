//! Invalid arguments: each is a one-line error with subject, cause and next call, and the open
//! session stays usable. Programs without debug information are in `values::debug_information`.

pub mod invalid_arguments;
pub mod invalid_breakpoints;
pub mod invalid_targets;

use serde_json::{Value, json};

use crate::caller::Proposal;
use crate::real::Stage;

/// The bundled adapters and their languages.
pub const ADAPTERS: &str = "codelldb (rust, c++, c), debugpy (python), delve (go), gdb (c, c++), \
    js-debug (javascript, typescript)";

const NEXT: &str = r#"Try: debug_status {"detail": "adapters"}"#;

/// An invalid call in an open session, and its error.
struct Mistake {
    tool: &'static str,
    arguments: Value,
    error: String,
}

fn mistake(tool: &'static str, arguments: Value, error: impl Into<String>) -> Mistake {
    Mistake { tool, arguments, error: error.into() }
}

/// Makes the calls in a session stopped in `cart`'s loop, and uses the session after each. The
/// calls that their errors propose are made in sessions of their own.
async fn session_survives(stage: &mut Stage, mistakes: Vec<Mistake>) {
    stop_in_the_loop(stage).await;
    for Mistake { tool, arguments, error } in &mistakes {
        let answer = stage.call(tool, arguments.clone()).await;
        assert_eq!(
            (answer.text.as_str(), answer.is_error),
            (error.as_str(), true),
            "{tool} {arguments}"
        );
        let net = stage.call("debug_evaluate", json!({"expressions": ["net"]})).await.good();
        assert!(net.text.starts_with("net = 1000  ("), "after {tool} {arguments}: {}", net.text);
    }
    // None of the failed calls left a breakpoint behind.
    stage.call("debug_breakpoints", json!({})).await.good().line("1 breakpoint");
    assert_eq!(stage.resume_to(1).await.local("index"), "1");
    stage.call("debug_stop", json!({})).await.good();
    for mistake in &mistakes {
        follow_in_a_session(stage, mistake).await;
    }
}

async fn stop_in_the_loop(stage: &mut Stage) {
    let stop = stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
}

/// Makes a mistake in a session stopped in `cart`'s loop, then the call that its error proposes,
/// which must work. Calls that only read are followed by [`Caller`](crate::caller::Caller).
async fn follow_in_a_session(stage: &mut Stage, mistake: &Mistake) {
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stop_in_the_loop(stage).await;
    let error = stage.call(mistake.tool, mistake.arguments.clone()).await;
    let proposal = Proposal::of(&error).filter(|proposal| !proposal.reads());
    // A port is the caller's to fill in, and nothing answers at the other address.
    if let Some(proposal) = proposal.filter(|proposal| proposal.tool != "debug_attach") {
        let answer = stage.caller.call(&proposal.tool, proposal.arguments).await;
        // The debugger may find no code in the first and the last line of a file.
        let works = !answer.is_error || answer.text.contains("\nerror[bp-unverified] ");
        assert!(works, "{}\n{}", error.text, answer.text);
    }
    stage.call("debug_stop", json!({"all": true})).await.good();
}

pub fn launch(program: &str) -> Value {
    json!({"program": program, "timeout_s": 50})
}
