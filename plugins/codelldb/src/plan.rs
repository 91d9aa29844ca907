//! Launch plans: what CodeLLDB is started with, and the arguments of its `launch` and `attach`.
//! Decides nothing about the target.

use dapdock_native::rust;
use dapdock_plugin::prelude::*;

use crate::state::State;
use crate::{manifest, runtime};

/// C and C++ strings would be cut after 1,024 bytes; Rust's are read by rust_formatters.py, up to
/// the same length.
const STRING_LENGTH: &str = "settings set target.max-string-summary-length 131072";
/// The compiled code of the scripts stays in the cache, also where PYTHONDONTWRITEBYTECODE is set.
const KEEP_CODE: &str = "script import sys; \
    sys.dapdock_setting, sys.dont_write_bytecode = sys.dont_write_bytecode, False";
const RESTORE: &str = "script sys.dont_write_bytecode = sys.dapdock_setting";
/// Sources in the debug information are compared by their real paths. LLDB before 20 has no such
/// setting; a command that fails would end the launch there.
const REAL_PATHS: &str = "script lldb.debugger.GetCommandInterpreter().HandleCommand(\
    'settings set target.source-realpath-prefixes /', lldb.SBCommandReturnObject())";

pub fn launch(
    program: &str,
    mut args: Vec<String>,
    cwd: Option<String>,
    request: &DebugRequest,
) -> Value {
    args.extend(request.args.iter().cloned());
    let set =
        request.env.iter().filter_map(|one| Some((one.name.clone(), one.value.clone()?.into())));
    let mut arguments = json!({
        "type": "lldb",
        "request": "launch",
        "program": program,
        "args": args,
        "env": set.collect::<serde_json::Map<String, Value>>(),
        // "integrated" and "external" need a helper program that the package lacks.
        "terminal": "console",
    });
    if let Some(cwd) = cwd {
        arguments["cwd"] = cwd.into();
    }
    arguments
}

/// A core file with the program that dumped it; it cannot run.
/// <https://github.com/vadimcn/codelldb/blob/master/MANUAL.md#loading-a-core-dump>
pub fn open_core(
    project: &Workspace,
    request: &DebugRequest,
    program: &str,
    core: &str,
) -> Result<LaunchPlan, Error> {
    let executable = project.workspace_executable(program)?;
    let rust = rust::is_compiled_by_rustc(&executable.compilers());
    let create = format!("target create -c {} {}", quoted(core), quoted(&executable.path()));
    let arguments = json!({
        "type": "lldb", "request": "launch", "targetCreateCommands": [create],
            "processCreateCommands": [],
    });
    Ok(plan(project, arguments, request, rust)?.program(executable))
}

/// A program behind a server of gdb's remote protocol, which has stopped it; it is resumed like a
/// process attached to by pid.
/// [Manual](https://github.com/vadimcn/codelldb/blob/master/MANUAL.md), "Connecting to a
/// gdbserver-style agent".
pub fn attach_remote(
    project: &Workspace,
    request: &DebugRequest,
    address: &str,
    program: &str,
) -> Result<LaunchPlan, Error> {
    let executable = project.workspace_executable(program)?;
    let rust = rust::is_compiled_by_rustc(&executable.compilers());
    let arguments = json!({
        "type": "lldb", "request": "attach",
        "targetCreateCommands": [format!("target create {}", quoted(&executable.path()))],
        "processCreateCommands": [SYNCHRONOUS, format!("gdb-remote {address}")],
    });
    Ok(plan(project, arguments, request, rust)?.attach().program(executable))
}

/// `gdb-remote` must return only when the process has stopped: CodeLLDB checks it immediately
/// (debug_session/launch.rs, `check_process_create_commands`), and restores the mode itself
/// (`exec_commands`).
const SYNCHRONOUS: &str = "script lldb.debugger.SetAsync(False)";

/// A quoted argument of an LLDB command; LLDB evaluates what is in backticks
/// (CommandInterpreter::PreprocessCommand).
fn quoted(path: &str) -> String {
    let plain = path.replace('\\', r"\\").replace('"', r#"\""#).replace('`', r"\`");
    format!("\"{plain}\"")
}

/// The launch plan. The adapter connects back, so there is no race for a free port. Its console
/// evaluates expressions.
pub fn plan(
    project: &Workspace,
    mut arguments: Value,
    request: &DebugRequest,
    rust: bool,
) -> Result<LaunchPlan, Error> {
    let mut adapter = Command::new(project.find_executable("codelldb")?)
        .arg("--connect")
        .arg(Piece::named("port:dap"))
        .args(["--settings", manifest::SETTINGS]);
    if let Some(path) = path_with_rustc(project) {
        adapter = adapter.env("PATH", path);
    }
    adapter = adapter.without_env([PYTHON_PATH]);
    with_project_settings(project, request, &mut arguments);
    // The program inherits the adapter's environment; `env` can only add to it.
    adapter.env.extend(request.env.iter().filter(|one| one.value.is_none()).cloned());
    // Both, for the exceptions of both; rust_formatters.py finds out which language it is.
    arguments["sourceLanguages"] = json!(["rust", "cpp"]);
    let mut commands = vec![STRING_LENGTH.to_owned(), REAL_PATHS.to_owned()];
    // Before the others, which read memory through what it patches.
    let core = arguments["processCreateCommands"] == json!([]);
    let has_output = !core && arguments["request"] == "launch";
    commands.extend(core.then(|| runtime::load("core_file.py")));
    let values = [
        "aggregates.py",
        "c_strings.py",
        "string_summaries.py",
        "std_values.py",
        "std_objects.py",
        "std_sequences.py",
        "adaptors.py",
        "iterators.py",
        "keyed_entries.py",
        "optionals.py",
        "unions.py",
        "unsized.py",
        "variable_arrays.py",
    ];
    commands.extend(
        ["session_line.py", "operators.py"].iter().chain(&values).copied().map(runtime::load),
    );
    let by_module = [runtime::load("rust_formatters.py"), runtime::load("breakpoint_locations.py")];
    if arguments["request"] == "attach" {
        if let Some(pid) = arguments["pid"].as_u64() {
            commands.push(runtime::load("ptrace_permission.py"));
            commands.push(format!("ptrace_permission {pid}"));
        }
        // These inspect modules, which exist only after the attach.
        let mut after = by_module.to_vec();
        let connect = arguments["processCreateCommands"][1].as_str();
        if let Some(port) = connect.and_then(|words| words.rsplit(':').next()) {
            after.push(format!("script import connection; connection.watch({port})"));
            // The adapter does not resume a program attached to by address.
            after.push("process continue".to_owned());
        }
        arguments["postRunCommands"] = json!(after);
    } else {
        commands.extend(by_module);
        // Without a path LLDB opens a terminal for it (Target::FinalizeFileActions), at which
        // nobody types; `stdio` of the arguments does not change that.
        commands.push(input(request.stdin.as_deref()));
        commands.extend(has_output.then(|| runtime::load("output.py")));
    }
    // Breakpoints are set before the other scripts are loaded.
    let script = rust.then(|| runtime::load("function_breakpoints.py"));
    arguments["initCommands"] = loads(script);
    if request.stop_on_entry {
        commands.push(runtime::load("entry.py"));
    }
    commands.push(runtime::load("bytecode.py"));
    arguments["preRunCommands"] = loads(commands);
    let remote = arguments["processCreateCommands"][0].is_string();
    let mut plan = LaunchPlan::dials_back(adapter, "dap", arguments);
    if has_output {
        plan = plan.profile(&manifest::with_output());
    }
    let state = State { rust, core, remote, has_output, skip_stop: remote, ..State::default() };
    Ok(runtime::with_files(plan.state(&state)))
}

/// Commands that load scripts of the plugin.
fn loads(commands: impl IntoIterator<Item = String>) -> Value {
    let [first, last] = [KEEP_CODE, RESTORE].map(|one| [one.to_owned()]);
    first.into_iter().chain(commands).chain(last).collect()
}

/// It is set for the program. LLDB's own Python is of another version, and would import from there.
const PYTHON_PATH: &str = "PYTHONPATH";

/// Arguments in place of what the adapter took from the workspace's root as its working directory,
/// and from PYTHONPATH.
fn with_project_settings(project: &Workspace, request: &DebugRequest, arguments: &mut Value) {
    arguments["relativePathBase"] = project.root().into();
    // Its rust.py would run rustc in its own directory, where rustup does not find the project's
    // rust-toolchain.toml.
    if let Some(sysroot) = rust::sysroot(project) {
        arguments["_adapterSettings"] =
            json!({"scriptConfig": {"lang": {"rust": {"sysroot": sysroot}}}});
    }
    if arguments["program"].is_string() && arguments["cwd"].is_null() {
        arguments["cwd"] = project.root().into();
    }
    let overridden = request.env.iter().any(|one| one.name == PYTHON_PATH);
    if let Some(path) = project.env(PYTHON_PATH).filter(|_| !overridden)
        && let Some(env) = arguments["env"].as_object_mut()
    {
        env.insert(PYTHON_PATH.into(), path.into());
    }
}

/// Sets the program's standard input. The rest of the line is the path, without quoting
/// (`OptionValueFileSpec::SetValueFromString`).
fn input(file: Option<&str>) -> String {
    format!("settings set target.input-path {}", file.unwrap_or("/dev/null"))
}

/// The adapter runs `rustc` from its PATH to find the formatters, and silently displays raw structs
/// without it (lang_support/rust.py).
fn path_with_rustc(project: &Workspace) -> Option<String> {
    let rustc = project.find_executable("rustc").ok()?.path();
    let (directory, _) = rustc.rsplit_once('/')?;
    Some(format!("{directory}:{}", project.env("PATH").unwrap_or_default()))
}
