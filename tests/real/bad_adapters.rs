//! Adapters, tools, plugins and configurations that are not as they should be: one line each, and
//! no session.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::bad_input::{ADAPTERS, launch};
use super::{Language, Stage};
use crate::caller::{Caller, PATIENCE, Start, adapters_config, root};

/// A host whose configuration is `text`, where DIR stands for a directory of its own.
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
        let caller = Caller::start(Start { config, env, ..Start::usual() }).await;
        Self { dir, caller }
    }

    /// Launches and compares the error; DIR stands for the directory.
    async fn fails(&mut self, arguments: Value, error: &str) {
        let answer = self.caller.call("debug_launch", arguments).await;
        let text = answer.text.replace(self.dir.path().to_str().unwrap(), "DIR");
        assert_eq!((text.as_str(), answer.is_error), (error, true));
        // Still there, and with nothing open.
        let continued = self.caller.call("debug_continue", json!({"session": "none"})).await;
        assert!(continued.text.starts_with("error["), "{}", continued.text);
        self.caller.hang_up();
        assert_eq!(self.caller.ended().await, Some(0));
        self.caller.mark.goes(PATIENCE, error).await;
    }
}

#[tokio::test]
async fn interpreter_without_the_adapter() {
    let bare = adapters_config().with_file_name("bare-python").join("bin/python");
    if !Language::Python.is_here() {
        return;
    }
    let mut host = Configured::start(&format!("[tools.python]\npath = {bare:?}\n"), &[]).await;
    // Paths in the workspace are told relative to it.
    let told = bare.strip_prefix(root()).unwrap_or(&bare).display();
    let error =
        format!("error[tool-missing] {told} has no debugpy. Try: dapdock adapters install debugpy");
    host.fails(launch(&Language::Python.program("cart")), &error).await;
}

/// It is named with its version, and with what brings one that will do.
pub async fn a_debugger_that_is_too_old_is_told(_: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let python = dir.path().join("python");
    crate::plugin::script(&python, "#!/bin/sh\nprintf '{\\n \"version\": \"1.8.0\"\\n}\\n'\n");
    let mut host = Configured::start(&format!("[tools.python]\npath = {python:?}\n"), &[]).await;
    let error = format!(
        "error[tool-too-old] {} has debugpy 1.8.0, and needs 1.8.16 or newer. Try: dapdock adapters install debugpy",
        python.display()
    );
    host.fails(launch(&Language::Python.program("cart")), &error).await;
}

/// What was installed for debugging is not asked first: a program would wait for it.
#[tokio::test]
async fn installed_interpreter_without_the_adapter() {
    if !Language::Python.is_here() {
        return;
    }
    let bare = adapters_config().with_file_name("bare-python").join("bin/python");
    let mut host =
        Configured::start(&format!("[tools.debugpy-python]\npath = {bare:?}\n"), &[]).await;
    let error = "error[adapter-died] the adapter ended during `initialize`: exit code 1, last words: \
                 ModuleNotFoundError: No module named 'debugpy'. \
                 Try: debug_status {\"detail\": \"log\", \"session\": \"debugpy-1\"}";
    host.fails(launch(&Language::Python.program("cart")), error).await;
}

/// Be there another one or not: none is run in its place.
#[tokio::test]
async fn configured_interpreters_are_never_passed_over() {
    for (tool, path, problem) in [
        ("debugpy-python", "/no/python", "does not exist"),
        ("python", "DIR/config.toml", "is not executable"),
        ("debugpy-python", "DIR", "is a directory"),
    ] {
        let mut host =
            Configured::start(&format!("[tools.{tool}]\npath = \"{path}\"\n"), &[]).await;
        let told = host.caller.call("debug_status", json!({"detail": "adapters"})).await.good();
        let problem = format!("[tools.{tool}] path {path} {problem}");
        let helps = "correct or remove it in DIR/config.toml:1";
        let line =
            format!("debugpy · Python through debugpy · python · not usable · {problem}: {helps}");
        told.line(&line.replace("DIR", host.dir.path().to_str().unwrap()));
        let error = format!("error[invalid-config] {problem}. Try: {helps}");
        host.fails(launch(&Language::Python.program("cart")), &error).await;
    }
}

/// Another one is not run in its place.
#[tokio::test]
async fn interpreter_of_a_version_that_is_not_here() {
    let config = "[tools.\"python3.14\"]\npath = \"DIR/python3.14\"\n";
    let shim = ("python3.14", "echo 'shim: 3.14 is not chosen' >&2; exit 127");
    for (word, error) in [
        ("python3.14", "DIR/python3.14 does not run: shim: 3.14 is not chosen"),
        ("python3.13", "python3.13 not found (looked for python3.13 on PATH)"),
        (
            "python2",
            "`python2` is no interpreter that is looked for by name: those are python3.8 to 3.15",
        ),
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
async fn tool_that_is_not_there() {
    let mut host = Configured::start("[tools.codelldb]\npath = \"/no/lldb\"\n", &[]).await;
    let error = "error[invalid-config] [tools.codelldb] path /no/lldb does not exist. \
                 Try: correct or remove it in DIR/config.toml:1";
    host.fails(launch("target/fixtures/debug/cart"), error).await;
}

/// Told with what it is looked for by, and with what brings it.
pub async fn a_debugger_that_is_nowhere_says_what_installs_it(stage: &mut Stage) {
    let gdb = "install gdb 16 or newer with Python (14 at least), or name it in [tools.gdb] path";
    let codelldb = (
        "codelldb not found (looked for codelldb on PATH)",
        "dapdock adapters install codelldb",
        "codelldb · Rust, C and C++ through CodeLLDB · rust, c++, c · not found · `dapdock adapters install codelldb` installs it",
    );
    let of_gdb =
        format!("gdb · C, C++ and other machine code through gdb · c, c++ · not found · {gdb}");
    let (missing, helps, told) = stage.pick(
        (
            "python not found (looked for python3, python on PATH)",
            "install Python 3 with its venv module (Debian, Ubuntu: `apt install python3-venv`)",
            "debugpy · Python through debugpy · python · not found · `dapdock adapters install debugpy` installs it",
        ),
        codelldb,
        (
            "dlv not found (looked for dlv on PATH)",
            "dapdock adapters install delve",
            "delve · Go through Delve · go · not found · `dapdock adapters install delve` installs it",
        ),
        (
            "node not found (looked for node on PATH)",
            "install Node.js 18 or newer: https://nodejs.org",
            "js-debug · JavaScript and TypeScript on Node.js through js-debug · javascript, typescript · not found · `dapdock adapters install js-debug` installs it",
        ),
        stage.of_c(
            (
                "gdb not found (looked for gdb on PATH)",
                gdb,
                &of_gdb,
            ),
            codelldb,
        ),
    );
    let mut host = Configured::start_in("", &[], vec![("PATH", "/no/where".to_owned())]).await;
    host.caller.call("debug_status", json!({"detail": "adapters"})).await.good().line(told);
    let launch =
        json!({"program": stage.language.program("cart"), "adapter": stage.language.adapter()});
    host.fails(launch, &format!("error[tool-missing] {missing}. Try: {helps}")).await;
}

/// Programs of an old version: what they say of it, and how they then fail.
pub(super) const OLD_NODE: &str = "[ \"$1\" = --version ] && { echo v16.10.0; exit; }\n\
                                   echo \"SyntaxError: Unexpected token '{'\" >&2; exit 1";
pub(super) const OLD_PYTHON: &str = "[ \"$1\" = --version ] && { echo Python 3.7.16; exit; }\n\
                                     echo \"ImportError: cannot import name 'metadata'\" >&2; exit 1";
pub(super) const OLD_CODELLDB: &str = "echo \"error: Found argument '--settings' which wasn't expected, or isn't valid in this context\" >&2; exit 1";

pub(super) const OLD_DEBUGPY: &str = "case \"$*\" in\n--version) echo Python 3.11.2;;\n*find_spec*) echo '\"version\": \"1.8.9\"';;\n\
                                      *print*__version__*) echo 1.8.9;;\n*) exit 1;;\nesac";

/// Its server does not start there, and says only what it cannot read.
pub async fn a_node_that_is_too_old(_: &mut Stage) {
    let config =
        "[tools.node]\npath = \"DIR/node\"\n[tools.js-debug]\npath = \"DIR/config.toml\"\n";
    let mut host = Configured::start(config, &[("node", OLD_NODE)]).await;
    let error = "error[tool-too-old] DIR/node is 16.10.0, and js-debug needs 16.11 or newer. \
                 Try: install Node.js 18 or newer: https://nodejs.org";
    host.fails(launch(&Language::JavaScript.program("cart")), error).await;
}

/// As the adapter's interpreter, as the program's, and as one that could have no debugpy.
#[tokio::test]
async fn python_that_is_too_old() {
    let too_old = |tool: &str| {
        format!(
            "error[tool-too-old] DIR/old is 3.7.16, and debugpy needs 3.8 or newer. \
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

/// One that was named for it is not asked before it starts.
#[tokio::test]
async fn named_interpreter_whose_adapter_is_too_old() {
    let config = "[tools.debugpy-python]\npath = \"DIR/old\"\n";
    let mut host = Configured::start(config, &[("old", OLD_DEBUGPY)]).await;
    let error = "error[tool-too-old] DIR/old has debugpy 1.8.9, and needs 1.8.16 or newer. \
                 Try: name an interpreter with a newer debugpy in [tools.debugpy-python] path";
    host.fails(launch(&Language::Python.program("cart")), error).await;
}

/// Of the workspace's environment: it runs the program, and another one debugs.
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
    host.caller = Caller::start(Start { cwd, config, ..Start::usual() }).await;
    let error = "error[tool-too-old] .venv/bin/python is 3.7.16, and debugpy needs 3.8 or newer. \
                 Try: run it with Python 3.8 or newer";
    host.fails(launch("a.py"), error).await;
}

pub async fn a_codelldb_that_is_too_old(_: &mut Stage) {
    let config = "[tools.codelldb]\npath = \"DIR/adapter/codelldb\"\n";
    let mut host = Configured::start(config, &[("adapter/codelldb", OLD_CODELLDB)]).await;
    std::fs::write(host.dir.path().join("package.json"), "{\"version\": \"1.8.1\"}").unwrap();
    let hint = "unpack CodeLLDB and name its `adapter/codelldb` in [tools.codelldb] path";
    let known = host.caller.call("debug_status", json!({"detail": "adapters"})).await.good();
    let told =
        format!(" · too old (1.8.1) {}/adapter/codelldb · {hint}", host.dir.path().display());
    assert!(known.line("codelldb · ").contains(&told), "{}", known.text);
    let error = format!(
        "error[tool-too-old] DIR/adapter/codelldb is 1.8.1, and codelldb needs 1.9 or newer. Try: {hint}"
    );
    host.fails(launch("target/fixtures/debug/cart"), &error).await;
}

/// An adapter that is this script; `told` is what stands before and behind the call that is
/// offered.
async fn adapter_is(script: &str, told: (&str, &str)) {
    let config =
        "[tools.codelldb]\npath = \"DIR/adapter\"\n[limits]\ninitialize_s = 0.5\nconnect_s = 0.5\n";
    let mut host = Configured::start(config, &[("adapter", script)]).await;
    let (before, behind) = told;
    let error = format!(
        "error[{before}. Try: debug_status {{\"detail\": \"log\", \"session\": \"codelldb-1\"}}{behind}"
    );
    host.fails(launch("target/fixtures/debug/cart"), &error).await;
}

#[tokio::test]
async fn adapter_that_dies_at_start() {
    let told =
        "adapter-died] the adapter ended during start: exit code 3, last words: broken cable";
    adapter_is("echo broken cable >&2; exit 3", (told, "")).await;
}

#[tokio::test]
async fn adapter_that_says_nothing_at_start() {
    let told = "adapter-silent] the adapter did not answer to the connection within 0.5 s";
    adapter_is("exec sleep 1000", (told, " (or raise limits.connect_s under [limits])")).await;
}

#[tokio::test]
async fn configuration_with_a_wrong_key() {
    let mut host = Configured::start("\n[adaptors.x]\n", &[]).await;
    let error = "error[config] DIR/config.toml:2:2: unknown key `adaptors`; did you mean `adapters`? Try: correct the file; the next call reads it anew";
    host.fails(launch("target/fixtures/debug/cart"), error).await;
}

/// Told with what is missing for it, with what runs without it, and with the adapters.
#[tokio::test]
async fn a_tool_of_no_plugin_is_told() {
    let strange = "[tools.dvl] in DIR/config.toml:1 is no plugin's tool; did you mean `dlv`?";
    let env = vec![("PATH", "/no/where".to_owned())];
    let mut host = Configured::start_in("[tools.dvl]\npath = \"/no/dlv\"\n", &[], env).await;
    let error = format!(
        "error[tool-missing] dlv not found (looked for dlv on PATH); {strange} Try: dapdock adapters install delve"
    );
    let told = host.caller.call("debug_status", json!({"detail": "adapters"})).await.good();
    assert_eq!(told.line("note: "), strange.replace("DIR", host.dir.path().to_str().unwrap()));
    host.fails(launch(&Language::Go.program("cart")), &error).await;
}

#[tokio::test]
async fn a_program_that_runs_without_a_misspelt_tool_says_so() {
    if !Language::Python.is_here() {
        return;
    }
    let all: toml::Table = std::fs::read_to_string(adapters_config()).unwrap().parse().unwrap();
    let python = &all["tools"]["debugpy-python"]["path"];
    let config = format!(
        "[tools.pyhton]\npath = \"/no/python\"\n[tools.unlike]\npath = \"/no\"\n[tools.debugpy-python]\npath = {python}\n"
    );
    let mut host = Configured::start(&config, &[]).await;
    let end =
        host.caller.call("debug_launch", launch(&Language::Python.program("cart"))).await.good();
    let dir = host.dir.path().to_str().unwrap();
    let strange = format!(
        "[tools.pyhton] in {dir}/config.toml:1 is no plugin's tool; did you mean `python`?"
    );
    assert_eq!(end.line("note: "), strange);
    assert_eq!(end.text.matches("no plugin's tool").count(), 1, "{}", end.text);
    let told = host.caller.call("debug_status", json!({"detail": "adapters"})).await.good();
    told.says(&format!(
        "\nnote: {strange}\nnote: [tools.unlike] in {dir}/config.toml:3 is no plugin's tool"
    ));
}

/// A mended file is read by the next call: the host need not be started again.
#[tokio::test]
async fn mended_configuration_is_read_anew() {
    if !Language::Python.is_here() {
        return;
    }
    let mut host = Configured::start("[adaptors.x]\n", &[]).await;
    let program = launch(&Language::Python.program("cart"));
    assert!(host.caller.call("debug_launch", program.clone()).await.is_error);
    std::fs::copy(adapters_config(), host.dir.path().join("config.toml")).unwrap();
    host.caller.call("debug_launch", program).await.good().line("□ exited with code 0");
}

/// A guest of the plugin tests as an adapter named `x`.
async fn plugin(file: &Path) -> Configured {
    Configured::start(&format!("[adapters.x]\nplugin = {file:?}\n"), &[]).await
}

fn by_plugin(target: &str) -> Value {
    json!({"program": target, "adapter": "x", "timeout_s": 50})
}

#[tokio::test]
async fn plugin_that_is_no_component() {
    let file: PathBuf = root().join("Cargo.toml");
    let error = "error[plugin-broken] plugin x: not a component: not WebAssembly. Try: debug_status {\"detail\": \"adapters\"}";
    plugin(&file).await.fails(by_plugin("target/fixtures/debug/cart"), error).await;
}

/// Nobody names the adapter: what could not be used is told where it is missed.
#[tokio::test]
async fn broken_plugin_that_was_meant_is_named() {
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
async fn plugin_that_imports_what_it_may_not() {
    let file = crate::plugin::component("sockets");
    let error = "error[plugin-broken] plugin x: imports wasi:sockets/network@0.2.6, which no plugin may use. Try: debug_status {\"detail\": \"adapters\"}";
    plugin(&file).await.fails(by_plugin("target/fixtures/debug/cart"), error).await;
}

#[tokio::test]
async fn plugin_that_loops() {
    let file = crate::plugin::component("hostile");
    let error = "error[plugin-broken] plugin x: resolve timed out after 2000 ms. Try: debug_status {\"detail\": \"adapters\"}";
    plugin(&file).await.fails(json!({"test": "loop", "adapter": "x"}), error).await;
}
