//! Targets that cannot be debugged, and arguments of their launch.

use serde_json::json;

use super::{ADAPTERS, NEXT, launch, mistake, session_survives};
use crate::real::{Language, Stage, run_scenario};

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
                json!({"command": format!("tool run -q {program} a -b"), "args": ["c"]}),
                format!(
                    "error[no-adapter] no adapter knows how to debug `tool run -q {program} a -b`; \
                    the next call debugs what it runs. Try: debug_launch {{\"args\": [\"a\", \
                    \"-b\", \"c\"], \"program\": \"{program}\"}}"
                ),
            ),
            mistake(
                "debug_launch",
                json!({"command": format!("uv run --with pytest -p 3.12 -q {program} a")}),
                format!(
                    "error[no-adapter] no adapter knows how to debug `uv run --with pytest -p 3.12 \
                    -q {program} a`; the next call debugs what it runs, without `--with pytest -p \
                    3.12`. Try: debug_launch {{\"args\": [\"a\"], \"program\": \"{program}\"}}"
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
                    debug_launch {{\"program\": \"{program}\", \"options\": \
                    {{\"stop_on_entry\": true}}}}"
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
