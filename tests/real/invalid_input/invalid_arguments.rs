//! Arguments of calls in an open session. Those of breakpoints are in `invalid_breakpoints`.

use serde_json::json;

use super::{mistake, session_survives};
use crate::real::{Language, Stage, run_scenario};

#[tokio::test]
async fn invalid_arguments() {
    run_scenario(Language::Python, async |stage: &mut Stage| {
        let at = stage.at("cart", "loop");
        let mistakes = vec![
            mistake(
                "debug_continue",
                json!({"session": "nope"}),
                "error[unknown-session] there is no session `nope`; open: debugpy-1. Try: \
                debug_status",
            ),
            mistake(
                "debug_continue",
                json!({"timeout": 3}),
                "error[bad-argument] debug_continue has no argument `timeout`; did you mean \
                `timeout_s`? Try: debug_continue {\"timeout_s\": 3}",
            ),
            mistake(
                "debug_attach",
                json!({"pid": 4194305}),
                "error[no-such-process] process 4194305 cannot be attached to: it does not exist. \
                Try: debug_status",
            ),
            mistake(
                "debug_attach",
                json!({"address": "192.0.2.1:1"}),
                "error[which-adapter] 192.0.2.1:1 does not say which adapter it needs; there are \
                codelldb, debugpy, delve, gdb, js-debug. Try: debug_attach {\"address\": \
                \"192.0.2.1:1\", \"adapter\": \"codelldb\"}",
            ),
            mistake(
                "debug_attach",
                json!({"address": "here"}),
                "error[bad-argument] debug_attach: `address` is host:port, got \"here\". Try: \
                debug_attach {\"address\": \"here:PORT\"}",
            ),
            mistake(
                "debug_continue",
                json!({"timeout_s": -1}),
                "error[bad-argument] `timeout_s` must be 0 or more, got -1. Try: debug_continue \
                {\"timeout_s\": 30}",
            ),
            mistake(
                "debug_continue",
                json!({"timeout_s": 7200}),
                "error[bad-argument] `timeout_s` must be at most 3600, got 7200. Try: \
                debug_continue {\"timeout_s\": 3600}",
            ),
            mistake(
                "debug_set",
                json!({"target": "net", "value": " "}),
                "error[bad-argument] debug_set: `value` must not be empty. Try: debug_set \
                {\"target\": \"net\", \"value\": \"0\"}",
            ),
            mistake(
                "debug_breakpoints",
                json!({"set": [format!("{at} if net"), format!("{at} if item")]}),
                format!(
                    "error[bad-argument] debug_breakpoints: {at} is listed twice, and a place has \
                    one breakpoint: join the conditions. Try: debug_breakpoints {{\"set\": [\"{at} \
                    if net\"]}}"
                ),
            ),
            mistake(
                "debug_breakpoints",
                json!({"set": [{"at": at, "max_hits": 2}]}),
                format!(
                    "error[bad-argument] debug_breakpoints: `every` and `max_hits` belong to a \
                    breakpoint with `log`; one that stops takes `hit_condition`. Try: \
                    debug_breakpoints {{\"set\": [{{\"at\": \"{at}\"}}]}}"
                ),
            ),
            mistake(
                "debug_step",
                json!({"count": "many"}),
                "error[bad-argument] debug_step: `count` must be a whole number, got \"many\". \
                Try: debug_step",
            ),
            mistake(
                "debug_step",
                json!({"kind": "sideways"}),
                "error[bad-argument] debug_step: `kind` must be one of in, over, out, back, got \
                \"sideways\". Try: debug_step {\"kind\": \"over\"}",
            ),
            mistake(
                "debug_evaluate",
                json!({"expressions": {"a": 1}}),
                "error[bad-argument] debug_evaluate: `expressions[0]` must be a string, got \
                {\"a\":1}. Try: debug_evaluate {\"expressions\": [\"1 + 1\"]}",
            ),
            mistake(
                "debug_variables",
                json!({"path": "crt"}),
                "error[no-such-variable] the scope has no `crt`; there are cart, net, item, total, \
                index. Try: debug_variables {\"path\": \"cart\"}",
            ),
            mistake(
                "debug_variables",
                json!({"path": "cart", "count": 0}),
                "error[bad-argument] debug_variables: `count` must be 1 or more, got 0. Try: \
                debug_variables {\"path\": \"cart\"}",
            ),
            mistake(
                "debug_variables",
                json!({"scope": "Foo"}),
                "error[no-such-scope] the frame has no scope `Foo`; it has Locals, Globals. Try: \
                debug_variables {\"scope\": \"Locals\"}",
            ),
            mistake(
                "debug_variables",
                json!({"frame": 99}),
                "error[no-such-frame] there is no frame 99; the stack has 3. Try: debug_stack",
            ),
            mistake(
                "debug_stack",
                json!({"thread": "77"}),
                "error[no-such-thread] there is no thread 77; there are 1 MainThread. Try: \
                debug_stack {\"all_threads\": true}",
            ),
            mistake(
                "debug_step",
                json!({"thread": "77"}),
                "error[no-such-thread] there is no thread 77; there are 1 MainThread. Try: \
                debug_stack {\"all_threads\": true}",
            ),
            mistake(
                "debug_output",
                json!({"grep": "("}),
                "error[bad-pattern] `(` is not a regular expression: error: unclosed group. Try: \
                debug_output {\"tail\": 50}",
            ),
        ];
        session_survives(stage, mistakes).await;
    })
    .await;
}

/// With an unknown thread no thread moves.
pub async fn unknown_thread_is_refused(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    for (tool, arguments) in [
        ("debug_step", json!({"thread": "99999999"})),
        ("debug_continue", json!({"thread": "99999999"})),
        ("debug_evaluate", json!({"thread": "99999999", "expressions": ["net"]})),
        ("debug_stack", json!({"thread": "99999999"})),
    ] {
        let refused = stage.call(tool, arguments).await;
        assert!(
            refused
                .text
                .starts_with("error[no-such-thread] there is no thread 99999999; there are "),
            "{}",
            refused.text
        );
        assert!(
            refused.text.ends_with(r#". Try: debug_stack {"all_threads": true}"#),
            "{}",
            refused.text
        );
    }
    assert_eq!(stage.resume_to(1).await.local("index"), "1");
}

/// Expressions with side effects are refused unless the caller allows them.
#[tokio::test]
async fn evaluation_with_side_effects_go() {
    run_scenario(Language::Go, async |stage: &mut Stage| {
        stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
        let effects = "this changes the program; repeat with effects=allow";
        let command =
            "`dlv` begins a command of the debugger, not an expression: use debug_command";
        for (text, refused) in
            [("call main.fill()", effects), ("dlv config maxStringLen 1", command)]
        {
            let answer = stage.call("debug_evaluate", json!({"expressions": [text]})).await.good();
            answer.says(&format!("{text} = <error: {refused}>"));
        }
        let called = json!({"expressions": ["call main.tax(item, 100)"], "effects": "allow"});
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.call("debug_evaluate", called).await.good().says("call main.tax(item, 100) = 7");
    })
    .await;
}
