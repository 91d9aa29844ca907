//! Broken adapters, tools, plugins and configurations: each is a one-line error and leaves no
//! session open.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::caller::{Caller, PATIENCE, Start, adapters_config, root};
use crate::real::invalid_input::{ADAPTERS, launch};
use crate::real::{Language, Stage};

/// A host whose configuration is `text`; `DIR` in it stands for a temporary directory.
struct Configured {
    dir: tempfile::TempDir,
    caller: Caller,
}

impl Configured {
    async fn start(text: &str, scripts: &[(&str, &str)]) -> Self {
        Self::start_in(text, scripts, Vec::new()).await
    }

    async fn start_in(
        text: &str,
        scripts: &[(&str, &str)],
        env: Vec<(&'static str, String)>,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (name, script) in scripts {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        }
        let config = dir.path().join("config.toml");
        std::fs::write(&config, text.replace("DIR", dir.path().to_str().unwrap())).unwrap();
        let caller = Caller::start(Start { config, env, ..Start::structured() }).await;
        Self { dir, caller }
    }

    /// Launches and compares the error; `DIR` in it stands for the directory.
    async fn fails(&mut self, arguments: Value, error: &str) {
        let answer = self.caller.call("debug_launch", arguments).await;
        let text = answer.text.replace(self.dir.path().to_str().unwrap(), "DIR");
        assert_eq!((text.as_str(), answer.is_error), (error, true));
        // The host still answers and has no session.
        let continued = self.caller.call("debug_continue", json!({"session": "none"})).await;
        assert!(continued.text.starts_with("error["), "{}", continued.text);
        self.caller.hang_up();
        assert_eq!(self.caller.wait_for_exit().await, Some(0));
        self.caller.mark.wait_until_gone(PATIENCE, error).await;
    }
}

#[tokio::test]
async fn interpreter_without_the_adapter() {
    let bare = adapters_config().with_file_name("bare-python").join("bin/python");
    if !Language::Python.is_here() {
        return;
    }
    let mut host = Configured::start(&format!("[tools.python]\npath = {bare:?}\n"), &[]).await;
    // Paths in the workspace are displayed relative to it.
    let path = bare.strip_prefix(root()).unwrap_or(&bare).display();
    let error =
        format!("error[tool-missing] {path} has no debugpy. Try: dapdock adapters install debugpy");
    host.fails(launch(&Language::Python.program("cart")), &error).await;
}

/// The error names the version and the command that installs a newer one.
pub async fn too_old_debugger_is_reported(_: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let python = dir.path().join("python");
    crate::plugin::script(&python, "#!/bin/sh\nprintf '{\\n \"version\": \"1.8.0\"\\n}\\n'\n");
    let mut host = Configured::start(&format!("[tools.python]\npath = {python:?}\n"), &[]).await;
    let error = format!(
        "error[tool-too-old] {} has debugpy 1.8.0; 1.8.16 or newer is needed. Try: dapdock \
        adapters install debugpy",
        python.display()
    );
    host.fails(launch(&Language::Python.program("cart")), &error).await;
}

/// An interpreter configured for debugging is not probed first: every launch would wait for it.
#[tokio::test]
async fn installed_interpreter_without_the_adapter() {
    if !Language::Python.is_here() {
        return;
    }
    let bare = adapters_config().with_file_name("bare-python").join("bin/python");
    let mut host =
        Configured::start(&format!("[tools.debugpy-python]\npath = {bare:?}\n"), &[]).await;
    let error = "error[adapter-died] the adapter ended during `initialize`: exit code 1, last \
        words: \
                 ModuleNotFoundError: No module named 'debugpy'. \
                 Try: debug_status {\"detail\": \"log\", \"session\": \"debugpy-1\"}";
    host.fails(launch(&Language::Python.program("cart")), error).await;
}

/// A configured interpreter that cannot run is an error; no other one is used instead.
#[tokio::test]
async fn configured_interpreter_is_never_replaced() {
    for (tool, path, problem) in [
        ("debugpy-python", "/no/python", "does not exist"),
        ("python", "DIR/config.toml", "is not executable"),
        ("debugpy-python", "DIR", "is a directory"),
    ] {
        let mut host =
            Configured::start(&format!("[tools.{tool}]\npath = \"{path}\"\n"), &[]).await;
        let adapters = host.caller.call("debug_status", json!({"detail": "adapters"})).await.good();
        let problem = format!("[tools.{tool}] path {path} {problem}");
        let helps = "correct or remove it in DIR/config.toml:1";
        let line =
            format!("debugpy · Python through debugpy · python · not usable · {problem}: {helps}");
        adapters.line(&line.replace("DIR", host.dir.path().to_str().unwrap()));
        let error = format!("error[invalid-config] {problem}. Try: {helps}");
        host.fails(launch(&Language::Python.program("cart")), &error).await;
    }
}

/// No other interpreter is used instead.
#[tokio::test]
async fn interpreter_of_a_missing_version() {
    let config = "[tools.\"python3.14\"]\npath = \"DIR/python3.14\"\n";
    let shim = ("python3.14", "echo 'shim: 3.14 is not chosen' >&2; exit 127");
    for (word, error) in [
        ("python3.14", "DIR/python3.14 does not run: shim: 3.14 is not chosen"),
        ("python3.13", "python3.13 not found (looked for python3.13 on PATH)"),
        ("python2", "`python2` is not one of python3.8 to python3.15"),
    ] {
        let env = vec![("PATH", "/no/where".to_owned())];
        let mut host = Configured::start_in(config, &[shim], env).await;
        let error = format!(
            "error[tool-missing] {error}. Try: run `python`, or name the interpreter by its path"
        );
        host.fails(
            json!({"command": format!("{word} {}", Language::Python.program("cart"))}),
            &error,
        )
        .await;
    }
}

#[tokio::test]
async fn missing_tool() {
    let mut host = Configured::start("[tools.codelldb]\npath = \"/no/lldb\"\n", &[]).await;
    let error = "error[invalid-config] [tools.codelldb] path /no/lldb does not exist. \
                 Try: correct or remove it in DIR/config.toml:1";
    host.fails(launch("target/fixtures/debug/cart"), error).await;
}

/// The error says what was searched for, and which command installs it.
pub async fn missing_debugger_names_its_install(stage: &mut Stage) {
    let gdb = "install gdb 16 or newer with Python (14 at least), or name it in [tools.gdb] path";
    let codelldb = (
        "codelldb not found (looked for codelldb on PATH and in extensions of editors)",
        "dapdock adapters install codelldb",
        "codelldb · Rust, C and C++ through CodeLLDB · rust, c++, c · not found · `dapdock \
        adapters install codelldb` installs it",
    );
    let of_gdb =
        format!("gdb · C, C++ and other machine code through gdb · c, c++ · not found · {gdb}");
    let (missing, helps, row) = stage.pick(
        (
            "python not found (looked for python3, python on PATH)",
            "install Python 3 with its venv module (Debian, Ubuntu: `apt install python3-venv`)",
            "debugpy · Python through debugpy · python · not found · `dapdock adapters install \
            debugpy` installs it",
        ),
        codelldb,
        (
            "dlv not found (looked for dlv on PATH)",
            "dapdock adapters install delve",
            "delve · Go through Delve · go · not found · `dapdock adapters install delve` installs \
            it",
        ),
        (
            "node not found (looked for node on PATH)",
            "install Node.js 18 or newer: https://nodejs.org",
            "js-debug · JavaScript and TypeScript on Node.js through js-debug · javascript, \
            typescript · not found · `dapdock adapters install js-debug` installs it",
        ),
        stage.of_c(("gdb not found (looked for gdb on PATH)", gdb, &of_gdb), codelldb),
    );
    let mut host = Configured::start_in("", &[], vec![("PATH", "/no/where".to_owned())]).await;
    host.caller.call("debug_status", json!({"detail": "adapters"})).await.good().line(row);
    let launch =
        json!({"program": stage.language.program("cart"), "adapter": stage.language.adapter()});
    host.fails(launch, &format!("error[tool-missing] {missing}. Try: {helps}")).await;
}

/// Scripts that stand in for old versions: the version they print, and how they fail when run.
pub const OLD_NODE: &str = "[ \"$1\" = --version ] && { echo v16.10.0; exit; }\n\
                                   echo \"SyntaxError: Unexpected token '{'\" >&2; exit 1";
pub const OLD_PYTHON: &str = "[ \"$1\" = --version ] && { echo Python 3.7.16; exit; }\n\
                                     echo \"ImportError: cannot import name 'metadata'\" >&2; exit \
                                     1";
pub const OLD_CODELLDB: &str = "echo \"error: Found argument '--settings' which wasn't expected, \
    or isn't valid in this context\" >&2; exit 1";

pub const OLD_DEBUGPY: &str = "case \"$*\" in\n--version) echo Python 3.11.2;;\n*find_spec*) echo \
    '\"version\": \"1.8.9\"';;\n\
                                      *print*__version__*) echo 1.8.9;;\n*) exit 1;;\nesac";

/// js-debug's server fails there with no more than a syntax error.
pub async fn too_old_node_is_reported(_: &mut Stage) {
    let config =
        "[tools.node]\npath = \"DIR/node\"\n[tools.js-debug]\npath = \"DIR/config.toml\"\n";
    let mut host = Configured::start(config, &[("node", OLD_NODE)]).await;
    let error = "error[tool-too-old] DIR/node is 16.10.0; js-debug needs 16.11 or newer. \
                 Try: install Node.js 18 or newer: https://nodejs.org";
    host.fails(launch(&Language::JavaScript.program("cart")), error).await;
}

/// As the adapter's interpreter, as the program's, and without debugpy.
#[tokio::test]
async fn python_that_is_too_old() {
    let too_old = |tool: &str| {
        format!(
            "error[tool-too-old] DIR/old is 3.7.16; debugpy needs 3.8 or newer. \
             Try: install Python 3.8 or newer, or name it in [tools.{tool}] path"
        )
    };
    let program = Language::Python.program("cart");
    let old = |tool: &str| format!("[tools.{tool}]\npath = \"DIR/old\"\n");
    let mut host = Configured::start(&old("debugpy-python"), &[("old", OLD_PYTHON)]).await;
    host.fails(launch(&program), &too_old("debugpy-python")).await;
    let mut host = Configured::start(&old("python"), &[("old", OLD_PYTHON)]).await;
    host.fails(launch(&program), &too_old("python")).await;
    let Some(debugpy) = Language::Python.tool_path() else { return };
    let both = format!("{}[tools.debugpy-python]\npath = {debugpy:?}\n", old("python"));
    let mut host = Configured::start(&both, &[("old", OLD_PYTHON)]).await;
    host.fails(launch(&program), &too_old("python")).await;
}

/// An interpreter named in the configuration is not probed before it starts.
#[tokio::test]
async fn named_interpreter_whose_adapter_is_too_old() {
    let config = "[tools.debugpy-python]\npath = \"DIR/old\"\n";
    let mut host = Configured::start(config, &[("old", OLD_DEBUGPY)]).await;
    let error = "error[tool-too-old] DIR/old has debugpy 1.8.9; 1.8.16 or newer is needed. \
                 Try: name an interpreter with a newer debugpy in [tools.debugpy-python] path";
    host.fails(launch(&Language::Python.program("cart")), error).await;
}

/// The workspace's environment runs the program, another interpreter the adapter.
#[tokio::test]
async fn environment_of_a_python_that_is_too_old() {
    let Some(debugpy) = Language::Python.tool_path() else { return };
    let mut host =
        Configured::start(&format!("[tools.debugpy-python]\npath = {debugpy:?}\n"), &[]).await;
    let dir = tempfile::tempdir().unwrap();
    let cwd = dir.path().canonicalize().unwrap();
    std::fs::create_dir_all(cwd.join(".venv/bin")).unwrap();
    crate::plugin::script(&cwd.join(".venv/bin/python"), &format!("#!/bin/sh\n{OLD_PYTHON}\n"));
    std::fs::write(cwd.join("a.py"), "print(1)\n").unwrap();
    let config = host.dir.path().join("config.toml");
    host.caller = Caller::start(Start { cwd, config, ..Start::structured() }).await;
    let error = "error[tool-too-old] .venv/bin/python is 3.7.16; debugpy needs 3.8 or newer. \
                 Try: run it with Python 3.8 or newer";
    host.fails(launch("a.py"), error).await;
}

pub async fn too_old_codelldb_is_reported(_: &mut Stage) {
    let config = "[tools.codelldb]\npath = \"DIR/adapter/codelldb\"\n";
    let mut host = Configured::start(config, &[("adapter/codelldb", OLD_CODELLDB)]).await;
    std::fs::write(host.dir.path().join("package.json"), "{\"version\": \"1.8.1\"}").unwrap();
    let hint = "unpack CodeLLDB and name its `adapter/codelldb` in [tools.codelldb] path";
    let known = host.caller.call("debug_status", json!({"detail": "adapters"})).await.good();
    let row = format!(" · too old (1.8.1) {}/adapter/codelldb · {hint}", host.dir.path().display());
    assert!(known.line("codelldb · ").contains(&row), "{}", known.text);
    let error = format!(
        "error[tool-too-old] DIR/adapter/codelldb is 1.8.1; codelldb needs 1.9 or newer. Try: \
        {hint}"
    );
    host.fails(launch("target/fixtures/debug/cart"), &error).await;
}

/// Launches with this script as the adapter; `expected` is the error before and after the proposed
/// call.
async fn adapter_is(script: &str, expected: (&str, &str)) {
    let config =
        "[tools.codelldb]\npath = \"DIR/adapter\"\n[limits]\ninitialize_s = 0.5\nconnect_s = 0.5\n";
    let mut host = Configured::start(config, &[("adapter", script)]).await;
    let (before, behind) = expected;
    let error = format!(
        "error[{before}. Try: debug_status {{\"detail\": \"log\", \"session\": \
        \"codelldb-1\"}}{behind}"
    );
    host.fails(launch("target/fixtures/debug/cart"), &error).await;
}

#[tokio::test]
async fn adapter_that_crashes_at_start() {
    let expected =
        "adapter-died] the adapter ended during start: exit code 3, last words: broken cable";
    adapter_is("echo broken cable >&2; exit 3", (expected, "")).await;
}

#[tokio::test]
async fn adapter_that_is_silent_at_start() {
    let expected = "adapter-silent] the adapter did not answer to the connection within 0.5 s";
    let raise = " (or raise limits.connect_s in dapdock.toml and start dapdock again)";
    adapter_is("exec sleep 1000", (expected, raise)).await;
}

#[tokio::test]
async fn configuration_with_a_wrong_key() {
    let mut host = Configured::start("\n[adaptors.x]\n", &[]).await;
    let error = "error[config] DIR/config.toml:2:2: unknown key `adaptors`; did you mean \
        `adapters`? Try: correct the file; the next call reads it again";
    host.fails(launch("target/fixtures/debug/cart"), error).await;
}

/// The misspelt tool appears in the error of the missing tool, in a note of the launch, and in the
/// list of adapters.
#[tokio::test]
async fn tool_of_no_plugin_is_reported() {
    let unknown_tool = "[tools.dvl] in DIR/config.toml:1 is no plugin's tool; did you mean `dlv`?";
    let env = vec![("PATH", "/no/where".to_owned())];
    let mut host = Configured::start_in("[tools.dvl]\npath = \"/no/dlv\"\n", &[], env).await;
    let error = format!(
        "error[tool-missing] dlv not found (looked for dlv on PATH); {unknown_tool} Try: dapdock \
        adapters install delve"
    );
    let adapters = host.caller.call("debug_status", json!({"detail": "adapters"})).await.good();
    assert_eq!(
        adapters.line("note: "),
        unknown_tool.replace("DIR", host.dir.path().to_str().unwrap())
    );
    host.fails(launch(&Language::Go.program("cart")), &error).await;
}

#[tokio::test]
async fn misspelt_tool_is_noted_by_a_working_launch() {
    if !Language::Python.is_here() {
        return;
    }
    let all: toml::Table = std::fs::read_to_string(adapters_config()).unwrap().parse().unwrap();
    let python = &all["tools"]["debugpy-python"]["path"];
    let config = format!(
        "[tools.pyhton]\npath = \"/no/python\"\n[tools.unlike]\npath = \
        \"/no\"\n[tools.debugpy-python]\npath = {python}\n"
    );
    let mut host = Configured::start(&config, &[]).await;
    let end =
        host.caller.call("debug_launch", launch(&Language::Python.program("cart"))).await.good();
    let dir = host.dir.path().to_str().unwrap();
    let unknown_tool = format!(
        "[tools.pyhton] in {dir}/config.toml:1 is no plugin's tool; did you mean `python`?"
    );
    assert_eq!(end.line("note: "), unknown_tool);
    assert_eq!(end.text.matches("no plugin's tool").count(), 1, "{}", end.text);
    let adapters = host.caller.call("debug_status", json!({"detail": "adapters"})).await.good();
    adapters.says(&format!(
        "\nnote: {unknown_tool}\nnote: [tools.unlike] in {dir}/config.toml:3 is no plugin's tool"
    ));
}

/// The configuration file is read again by the next call: no restart of the host is needed.
#[tokio::test]
async fn corrected_configuration_is_read_again() {
    if !Language::Python.is_here() {
        return;
    }
    let mut host = Configured::start("[adaptors.x]\n", &[]).await;
    let program = launch(&Language::Python.program("cart"));
    assert!(host.caller.call("debug_launch", program.clone()).await.is_error);
    std::fs::copy(adapters_config(), host.dir.path().join("config.toml")).unwrap();
    host.caller.call("debug_launch", program).await.good().line("□ exited with code 0");
}

/// A host with a guest of the plugin tests as the adapter `x`.
async fn plugin(file: &Path) -> Configured {
    Configured::start(&format!("[adapters.x]\nplugin = {file:?}\n"), &[]).await
}

fn by_plugin(target: &str) -> Value {
    json!({"program": target, "adapter": "x", "timeout_s": 50})
}

#[tokio::test]
async fn plugin_that_is_no_component() {
    let file: PathBuf = root().join("Cargo.toml");
    let error = "error[plugin-broken] plugin x: not a component: not WebAssembly. Try: \
        debug_status {\"detail\": \"adapters\"}";
    plugin(&file).await.fails(by_plugin("target/fixtures/debug/cart"), error).await;
}

/// The call names no adapter: the broken plugin is listed where an adapter is missing.
#[tokio::test]
async fn broken_plugin_is_listed_without_an_adapter() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("x.lua"), "print(1)\n").unwrap();
    let script = dir.path().join("x.lua").canonicalize().unwrap();
    let error = format!(
        "error[no-adapter] no adapter knows how to debug {}; there are {ADAPTERS}, plugin x: not a \
         component: not WebAssembly. Try: debug_status {{\"detail\": \"adapters\"}}",
        script.display()
    );
    plugin(&root().join("Cargo.toml")).await.fails(json!({"program": script}), &error).await;
}

#[tokio::test]
async fn plugin_with_a_forbidden_import() {
    let file = crate::plugin::component("sockets");
    let error = "error[plugin-broken] plugin x: imports wasi:sockets/network@0.2.6, which no \
        plugin may use. Try: debug_status {\"detail\": \"adapters\"}";
    plugin(&file).await.fails(by_plugin("target/fixtures/debug/cart"), error).await;
}

#[tokio::test]
async fn plugin_that_loops() {
    let file = crate::plugin::component("hostile");
    let error = "error[plugin-broken] plugin x: resolve timed out after 2000 ms. Try: debug_status \
        {\"detail\": \"adapters\"}";
    plugin(&file).await.fails(json!({"test": "loop", "adapter": "x"}), error).await;
}

/// The messages on the wire, with the request that a hook has replaced.
pub async fn messages_show_what_the_plugin_does(stage: &mut Stage) {
    let breakpoint = stage.at("cart", "tax");
    stage.launch("cart", json!({"breakpoints": [breakpoint]})).await.good();
    let messages = stage.call("debug_status", json!({"detail": "dap", "since": 0})).await.good();
    for words in [
        "  start adapter: ",
        "  → initialize {",
        "  ← initialize {",
        "  plugin replaces setExceptionBreakpoints {\"filters\":[\"uncaught\"]",
        "  → setExceptionBreakpoints {\"filterOptions\":[",
    ] {
        messages.says(words);
    }
}
