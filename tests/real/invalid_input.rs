//! Invalid arguments: each is a one-line error with subject, cause and next call, and the open
//! session stays usable.

use serde_json::{Value, json};

use crate::caller::{Proposal, root};
use crate::real::lines_without_code::place;
use crate::real::{Language, Stage, run_scenario};

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

#[tokio::test]
async fn targets_that_cannot_be_debugged() {
    run_scenario(Language::Python, async |stage: &mut Stage| {
        let program = Language::Python.program("cart");
        let mistakes = vec![
            mistake(
                "debug_launch",
                launch("tests/fixtures/python/carts.py"),
                "error[bad-path] program tests/fixtures/python/carts.py does not exist. Try: \
                debug_launch {\"program\": \"tests/fixtures/python/cart.py\", \"timeout_s\": 50}",
            ),
            mistake(
                "debug_launch",
                launch("/no/such/program"),
                r#"error[bad-path] program /no/such/program does not exist. Try: debug_targets"#,
            ),
            mistake(
                "debug_launch",
                json!({"command": "./none/a.out x"}),
                "error[bad-path] program ./none/a.out does not exist. Try: debug_targets",
            ),
            mistake(
                "debug_launch",
                json!({"command": "tests/fixtures/python/cart.py 'a b'"}),
                "error[bad-path] program tests/fixtures/python/cart.py is not executable. Try: \
                debug_launch {\"args\": [\"a b\"], \"program\": \"tests/fixtures/python/cart.py\"}",
            ),
            mistake(
                "debug_launch",
                json!({"command": format!("timeout 5 python3 {program}")}),
                format!(
                    "error[no-adapter] no adapter knows how to debug `timeout 5 python3 \
                    {program}`; the next call debugs what it runs. Try: debug_launch \
                    {{\"command\": \"python3 {program}\"}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"command": format!("tool run {program}")}),
                format!(
                    "error[no-adapter] no adapter knows how to debug `tool run {program}`; the \
                    next call debugs what it runs. Try: debug_launch {{\"program\": \
                    \"{program}\"}}"
                ),
            ),
            mistake(
                "debug_launch",
                launch("tests/fixtures"),
                format!(
                    "error[no-adapter] no adapter knows how to debug tests/fixtures; there are \
                    {ADAPTERS}. {NEXT}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"program": program, "cwd": "tests/fixture"}),
                format!(
                    "error[bad-path] cwd tests/fixture does not exist. Try: debug_launch \
                    {{\"program\": \"{program}\", \"cwd\": \"tests/fixtures\"}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"program": program, "cwd": "Cargo.toml"}),
                format!(
                    "error[bad-path] cwd Cargo.toml is not a directory. Try: debug_launch \
                    {{\"program\": \"{program}\"}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({}),
                "error[bad-argument] debug_launch needs one of `program`, `command`, `test`. Try: \
                debug_targets",
            ),
            mistake(
                "debug_launch",
                json!({
                    "program": program, "breakpoints": [{"at": "total_of", "conditon": "n > 1"}],
                }),
                format!(
                    "error[bad-argument] debug_launch: `breakpoints[0].conditon` must be named \
                    `condition`, got `conditon`. Try: debug_launch {{\"program\": \"{program}\", \
                    \"breakpoints\": [{{\"at\": \"total_of\", \"condition\": \"n > 1\"}}]}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"program": program, "breakpoints": ["gone.py:3", "total_of"]}),
                format!(
                    "error[no-such-source] there is no file gone.py. Try: debug_launch \
                    {{\"program\": \"{program}\", \"breakpoints\": [\"total_of\"]}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"program": program, "breakpoints": [{"at": "total_of", "log": "{n +* 1}"}]}),
                format!(
                    "error[refused] log expression `n +* 1` does not parse: invalid syntax. Try: \
                    debug_launch {{\"program\": \"{program}\"}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"program": program, "options": {"just_my_cod": false}}),
                format!(
                    "error[bad-argument] plugin debugpy: options: just_my_cod: unknown key; did \
                    you mean \"just_my_code\"? Try: debug_launch {{\"program\": \"{program}\", \
                    \"options\": {{\"just_my_code\": false}}}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"program": program, "options": {"stop_on_entr": true}}),
                format!(
                    "error[bad-argument] plugin debugpy: options: stop_on_entr: unknown key; it \
                    has just_my_code; a launch also takes config, stdin and stop_on_entry. Try: \
                    debug_launch {{\"program\": \"{program}\", \"stop_on_entry\": true}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"program": program, "options": {"nosuch": 1}}),
                format!(
                    "error[bad-argument] plugin debugpy: options: nosuch: unknown key; it has \
                    just_my_code; a launch also takes config, stdin and stop_on_entry. Try: \
                    debug_launch {{\"program\": \"{program}\"}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"command": "echo 'open"}),
                "error[bad-argument] debug_launch: `command` has a quote that does not end: echo \
                'open. Try: debug_targets",
            ),
        ];
        session_survives(stage, mistakes).await;
    })
    .await;
}

/// Breakpoints set for one language neither reach nor disturb the debugger of another.
#[tokio::test]
async fn breakpoints_of_another_language_are_not_sent() {
    if !Language::Python.is_here() {
        return;
    }
    run_scenario(Language::C, async |stage: &mut Stage| {
        let python = Language::Python.at("cart", "add");
        let edit =
            json!({"set": [format!("{python} if index is None"), "total_of if owner is None"]});
        stage.call("debug_breakpoints", edit).await.good();
        let stop =
            stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
        assert_eq!(stop.reason(), "breakpoint #3");
        stop.says("\n#2 total_of if owner is None · UNVERIFIED: its condition was refused: ");
        stop.says(". Without it: debug_breakpoints {\"set\": [\"total_of\"]}");
        assert!(!stop.text.contains("\n#1 "), "{}", stop.text);
        let list = stage.call("debug_breakpoints", json!({})).await.good();
        list.says(&format!("#1 {python} if index is None · not sent: gdb debugs other files"));
        let set =
            stage.call("debug_breakpoints", json!({"set": ["total_of", python]})).await.good();
        set.says("· UNVERIFIED: gdb does not debug .py files");
        stage.call("debug_stop", json!({})).await.good();
    })
    .await;
}

#[tokio::test]
async fn pipes_and_devices_are_no_programs() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().canonicalize().unwrap().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)
        .unwrap();
    let pipe = pipe.display().to_string();
    run_scenario(Language::Python, async |stage: &mut Stage| {
        let next = "Try: debug_targets";
        let mistakes = vec![
            mistake(
                "debug_launch",
                launch(&pipe),
                format!("error[bad-path] program {pipe} is neither a file nor a directory. {next}"),
            ),
            mistake(
                "debug_launch",
                launch("/dev/zero"),
                format!(
                    "error[bad-path] program /dev/zero is neither a file nor a directory. {next}"
                ),
            ),
            mistake(
                "debug_breakpoints",
                json!({"set": [format!("{pipe}:1")]}),
                format!("error[no-such-source] there is no file {pipe}. Try: debug_breakpoints"),
            ),
        ];
        session_survives(stage, mistakes).await;
    })
    .await;
}

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

/// Invalid breakpoints whose error is the same under every adapter.
fn bad_places(stage: &Stage) -> Vec<Mistake> {
    let source = stage.language.source("cart");
    let lines = std::fs::read_to_string(root().join(&source)).unwrap().lines().count();
    let (stem, ending) = source.rsplit_once('.').unwrap();
    let set = |text: String| json!({"set": [text]});
    vec![
        mistake(
            "debug_breakpoints",
            set(format!("{stem}e.{ending}:1")),
            format!(
                "error[no-such-source] there is no file {stem}e.{ending}. Try: debug_breakpoints \
                {{\"set\": [\"{source}:1\"]}}"
            ),
        ),
        mistake(
            "debug_breakpoints",
            set(format!("{source}:999")),
            format!(
                "error[no-such-line] {source} has {lines} lines, there is no line 999. Try: \
                debug_breakpoints {{\"set\": [\"{source}:{lines}\"]}}"
            ),
        ),
        mistake(
            "debug_breakpoints",
            json!({"set": [{"at": stage.at("cart", "loop"), "hit_condition": "often"}]}),
            format!(
                "error[bad-hit-condition] hit condition `often` is none of `3`, `== 3`, `>= 3`, `> \
                3`, `% 3`. Try: debug_breakpoints {{\"set\": [{{\"at\": \"{}\"}}]}}",
                stage.at("cart", "loop")
            ),
        ),
        mistake(
            "debug_breakpoints",
            json!({"remove": ["77"]}),
            "error[unknown-breakpoint] there is no breakpoint #77; there are #1. Try: \
            debug_breakpoints",
        ),
    ]
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

/// Conditions that do not parse, one and two at once, and unknown exception filters: all are
/// reported, none is set, and the session goes on.
pub async fn invalid_breakpoints_are_refused(stage: &mut Stage) {
    let why = stage.pick(
        "invalid syntax",
        "a value is missing at the end",
        "expected operand, found ')'",
        "Unexpected token ')'",
        stage.of_c("A syntax error in expression", "a value is missing at the end"),
    );
    // Python's parser names the cause.
    let other =
        if stage.language.newest() == Language::Python { "'(' was never closed" } else { why };
    // The filters differ by version, too.
    let words = match stage.language {
        Language::Python | Language::OldPython => {
            "uncaught, all, raised, userUnhandled, none, and types by their names (KeyError, \
            json.JSONDecodeError)"
        }
        Language::Rust | Language::LldbC => {
            "panic, uncaught, all, cpp_throw, cpp_catch, rust_panic, none, and types by their \
            names (std::out_of_range, shop::Late)"
        }
        Language::Go => "panic, uncaught, all, unrecovered-panic, runtime-fatal-throw, none",
        Language::OldGo => "panic, uncaught, all, none",
        Language::JavaScript | Language::OldJavaScript => {
            "uncaught, all, none, and types by their names (TypeError, AggregateError)"
        }
        Language::C => {
            "panic, uncaught, all, assert, exception, unhandled, throw, rethrow, catch, \
            rust_panic, none, and types by their names (std::out_of_range, shop::Late)"
        }
        Language::OldC => {
            "panic, uncaught, all, assert, exception, throw, rethrow, catch, rust_panic, none, \
            and types by their names (std::out_of_range, shop::Late)"
        }
    };
    let near = "all";
    let first = stage.function("cart", "total_of");
    let at = stage.at("cart", "loop");
    let bad = format!("condition `total <` does not parse: {why}");
    let mut mistakes = bad_places(stage);
    mistakes.extend([
        mistake(
            "debug_breakpoints",
            json!({"set": [format!("{at} if total <")]}),
            format!("error[bad-condition] {bad}. Try: debug_breakpoints {{\"set\": [\"{at}\"]}}"),
        ),
        mistake(
            "debug_breakpoints",
            json!({"set": [format!("{first} if total <"), format!("{at} if (")]}),
            format!(
                "error[bad-condition] {bad}; condition `(` does not parse: {other}. \
                 Try: debug_breakpoints {{\"set\": [\"{first}\", \"{at}\"]}}"
            ),
        ),
        mistake(
            "debug_breakpoints",
            json!({"exceptions": ["al"]}),
            format!(
                "error[unknown-exception-filter] `al` is no exception filter here; there are \
                {words}. \
                 Try: debug_breakpoints {{\"exceptions\": [\"{near}\"]}}"
            ),
        ),
    ]);
    session_survives(stage, mistakes).await;
}

/// A bad condition fails the launch as it fails a later call that sets it.
#[tokio::test]
async fn launch_with_a_bad_condition_go() {
    run_scenario(Language::Go, async |stage: &mut Stage| {
        let breakpoint = format!("{} if total <", stage.at("cart", "loop"));
        let answer = stage.launch("cart", json!({"breakpoints": [breakpoint]})).await;
        answer.fails(&format!(
            "error[bad-condition] condition `total <` does not parse: expected operand, found ')'. \
            Try: debug_launch \
             {{\"breakpoints\": [\"{}\"], \"program\": \"target/fixtures/go/cart\", \"timeout_s\": \
             50}}",
            stage.at("cart", "loop")
        ));
    })
    .await;
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

/// Without the symbols that the linker stripped the breakpoint cannot bind, and the ending says so.
pub async fn go_program_without_symbols(stage: &mut Stage) {
    let arguments = json!({
        "command": "go run '-ldflags=-s -w' ./cart",
        "cwd": "tests/fixtures/go",
        "breakpoints": [stage.at("cart", "tax")],
        "timeout_s": 50,
    });
    let answer = stage.call("debug_launch", arguments).await;
    if stage.language == Language::OldGo {
        return answer.fails(
            "error[unsupported] Failed to launch: could not launch process: could not open debug \
            info - debuggee must not \
             be built with 'go run' or -ldflags='-s -w', which strip debug info. Try: build it \
             without `-s` and `-w` among \
             its -ldflags",
        );
    }
    let end = answer.good();
    end.line("□ exited with code 0");
    let (source, line) = place(&stage.at("cart", "tax"));
    end.says(&format!(
        "\nnever bound:\n  #1 {source}:{line} · UNVERIFIED: could not find file {}, binary is \
            stripped\nnote: cart has no \
             debug information: breakpoints by file and line will not bind, and there are no \
             locals; build it with debug \
             information (-g, or a debug profile) and do not strip it\n",
        root().join(&source).display()
    ));
}

/// Without line tables and locals the program runs to its end, and a note says why.
pub async fn program_without_symbols(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let program = match stage.language {
        Language::Rust => "target/fixtures/nodebug/cart".to_owned(),
        _ => {
            let program = dir.path().canonicalize().unwrap().join("cart").display().to_string();
            #[expect(clippy::disallowed_methods, reason = "no process of the host")]
            let mut compiler = std::process::Command::new("cc");
            let built = compiler
                .args(["-s", "-o", &program])
                .arg(root().join(stage.language.source("cart")))
                .status();
            assert!(built.unwrap().success());
            program
        }
    };
    let at = stage.at("cart", "tax");
    let arguments = json!({"program": program, "breakpoints": [at], "timeout_s": 50});
    let end = stage.call("debug_launch", arguments).await.good();
    end.line("□ exited with code 0");
    end.says(&format!(
        "\nnever bound:\n  #1 {at} · UNVERIFIED: the debugger found no code there\nnote: cart has \
        no \
         debug information: breakpoints by file and line will not bind, and there are no locals; \
         build it with debug \
         information (-g, or a debug profile) and do not strip it\n"
    ));
    end.says("total 10136");
}

#[tokio::test]
async fn file_that_is_not_executable() {
    run_scenario(Language::Rust, async |stage: &mut Stage| {
        let answer = stage.call("debug_launch", launch("Cargo.toml")).await;
        answer.fails(&format!(
            "error[no-adapter] no adapter knows how to debug Cargo.toml; there are {ADAPTERS}. \
            {NEXT}"
        ));
        let mut arguments = launch("Cargo.toml");
        arguments["adapter"] = json!("codelldb");
        let answer = stage.call("debug_launch", arguments).await;
        answer.fails(
            "error[adapter-refused] 'Cargo.toml' is not a valid executable. Try: debug_status \
            {\"detail\": \"log\", \"session\": \"codelldb-1\"}",
        );
    })
    .await;
}
