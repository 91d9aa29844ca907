//! The caller's request: its checks that need no plugin, and its form for plugins.

use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};

use crate::file;
use crate::model::answer::RefusalKind;
use crate::model::plan::{Request, RequestKind, TargetRef};
use crate::model::{LaunchRequest, LaunchTarget};
use crate::plugin::{Plugin, Refused};
use crate::process;
use crate::target::Error;
use crate::target::language::{is_command, is_script};

/// The longest argument or `NAME=VALUE` of a program on Linux (execve(2), `MAX_ARG_STRLEN`: 32
/// pages with the zero at the end).
const LONGEST_STRING: usize = 32 * 4096 - 1;

/// Checks that the paths and the process of a request exist, and that its texts can be passed on.
pub(crate) fn check(request: &LaunchRequest) -> Result<(), Error> {
    if cfg!(target_os = "linux") {
        check_lengths(request)?;
    }
    if let Some(cwd) = &request.cwd {
        check_path("cwd", cwd, Path::is_dir, "is not a directory")?;
    }
    if let Some(file) = &request.stdin {
        check_path(
            "stdin",
            file,
            |path| path.is_file() || path == Path::new("/dev/null"),
            "is not a file",
        )?;
    }
    if let Some(file) = &request.core {
        check_path("core", file, Path::is_file, "is not a file")?;
    }
    let base = request.cwd.as_ref().unwrap_or(&request.workspace);
    let named = match &request.target {
        LaunchTarget::Program(path) => Some(path.clone()),
        LaunchTarget::Command(words) => words.first().map(|program| base.join(program)),
        _ => None,
    };
    if let Some(path) = named.filter(|path| file::is_core(path)) {
        return Err(Error::IsCore { path });
    }
    match &request.target {
        LaunchTarget::Program(path) => {
            check_path(
                "program",
                path,
                |path| path.is_file() || path.is_dir(),
                "is neither a file nor a directory",
            )?;
            check_dumper(request.core.as_deref(), path)
        }
        LaunchTarget::Process(pid) if *pid == std::process::id() => {
            Err(Error::NoSuchProcess { pid: *pid, why: "it is dapdock itself".to_owned() })
        }
        LaunchTarget::Process(pid) => program_of(*pid).map(drop),
        LaunchTarget::Command(_)
        | LaunchTarget::Named(_)
        | LaunchTarget::Address(..)
        | LaunchTarget::Commands(_) => Ok(()),
    }
}

fn check_lengths(request: &LaunchRequest) -> Result<(), Error> {
    let too_long = |what, bytes| Error::LongString { what, bytes, most: LONGEST_STRING };
    let words: &[String] = match &request.target {
        LaunchTarget::Command(words) => words,
        _ => &[],
    };
    for (of, texts) in [("command", words), ("args", &request.args)] {
        for (at, text) in texts.iter().enumerate() {
            if text.len() > LONGEST_STRING {
                return Err(too_long(format!("{of}[{at}]"), text.len()));
            }
        }
    }
    for (name, value) in &request.env {
        let bytes = name.len() + 1 + value.as_deref().unwrap_or_default().len();
        if bytes > LONGEST_STRING {
            return Err(too_long(format!("env {name}"), bytes));
        }
    }
    Ok(())
}

/// The executable of a process.
pub(crate) fn program_of(pid: u32) -> Result<PathBuf, Error> {
    process::program(pid).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Error::NoSuchProcess { pid, why: "it does not exist".to_owned() }
        }
        io::ErrorKind::PermissionDenied => {
            let message = format!("process {pid} cannot be attached to: {error}");
            Refused::not_permitted(message, Some(pid)).into()
        }
        _ => Error::NoSuchProcess { pid, why: error.to_string() },
    })
}

fn check_dumper(core: Option<&Path>, program: &Path) -> Result<(), Error> {
    match core.and_then(|core| Some((core, file::dumped::by_another(core, program)?))) {
        Some((core, dumper)) => Err(Error::DumpedByAnother {
            core: core.to_owned(),
            program: program.to_owned(),
            dumper,
        }),
        None => Ok(()),
    }
}

fn check_path(
    what: &'static str,
    path: &Path,
    fits: fn(&Path) -> bool,
    problem: &str,
) -> Result<(), Error> {
    let mut problem = match (path.exists(), fits(path)) {
        (false, _) => "does not exist",
        (true, false) => problem,
        (true, true) => return Ok(()),
    }
    .to_owned();
    if what == "stdin" {
        problem.push_str("; `options.stdin` is a file whose text is given to the program");
    }
    let kind = if what == "cwd" { FileType::is_dir } else { FileType::is_file };
    Err(Error::BadPath { what, path: path.to_owned(), problem, near: file::near(path, kind) })
}

/// The options of the adapter, as the caller gave them.
pub(crate) fn options(request: &LaunchRequest) -> Result<serde_json::Value, Error> {
    Ok(match request.options.trim() {
        "" => serde_json::json!({}),
        text => serde_json::from_str(text).map_err(|error| {
            let message = format!("`options` is not JSON: {error}");
            Refused::Request { kind: RefusalKind::InvalidRequest, message, hint: None }
        })?,
    })
}

/// The request for a plugin. A command that begins with the path of a script in its language is the
/// script with arguments, unless the script is a command that the plugin knows.
pub(crate) fn request(request: &LaunchRequest, plugin: &Plugin) -> Result<Request, Error> {
    let mut args = request.args.clone();
    let target = match &request.target {
        LaunchTarget::Program(path) => Some(TargetRef::Path(path.to_string_lossy().into_owned())),
        LaunchTarget::Command(words) => Some(match script(request, words, plugin) {
            Some(script) => {
                args.splice(..0, words[1..].iter().cloned());
                TargetRef::Path(script.to_string_lossy().into_owned())
            }
            None => TargetRef::Command(words.clone()),
        }),
        LaunchTarget::Named(id) => Some(TargetRef::Id(id.clone())),
        LaunchTarget::Process(pid) => Some(TargetRef::Pid(*pid)),
        LaunchTarget::Address(host, port) => Some(TargetRef::Address(host.clone(), *port)),
        LaunchTarget::Commands(_) => None,
    };
    let kind = if request.attaches() { RequestKind::Attach } else { RequestKind::Launch };
    let mut options = options(request)?;
    if let Some(core) = &request.core {
        options["core"] = core.to_string_lossy().into();
    }
    Ok(Request {
        kind,
        target,
        args,
        env: request.env.clone(),
        cwd: request.cwd.clone(),
        stop_on_entry: request.stop_on_entry,
        stdin: request.stdin.clone(),
        options,
    })
}

/// The script of the plugin's language with which a command begins.
fn script(request: &LaunchRequest, words: &[String], plugin: &Plugin) -> Option<PathBuf> {
    let word = words.first().filter(|word| word.contains('/'))?;
    let path = request.cwd.as_ref().unwrap_or(&request.workspace).join(word);
    let is_known = plugin.languages().any(|language| is_command(language, word));
    let is_script = plugin.languages().any(|language| is_script(language, &path));
    (is_script && !is_known).then_some(path)
}
