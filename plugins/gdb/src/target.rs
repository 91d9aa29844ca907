//! Reads what to debug: nothing yet, a program, a source file, a core file, a process, a gdb server
//! at an address, or a command line of gdb. Pure.

use dapdock_native::compilers::{self, Compiler};
use dapdock_plugin::path::join;
use dapdock_plugin::prelude::*;

/// What to debug.
#[derive(Debug, PartialEq)]
pub enum Debuggee {
    /// What the commands of the session name.
    None,
    Program {
        path: String,
        args: Vec<String>,
    },
    /// A source file that is a whole program.
    Source {
        path: String,
        compiler: &'static Compiler,
    },
    Core {
        program: String,
        core: String,
    },
    /// A GoogleTest test.
    Test(String),
    Pid(u32),
    /// The address of a server of gdb's remote protocol, and the file with the symbols if the
    /// caller names one.
    Remote {
        address: String,
        program: Option<String>,
    },
}

pub fn debuggee(request: &DebugRequest, root: &str) -> Result<Debuggee, Error> {
    let directory = request.cwd.as_deref().unwrap_or(root);
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    match &request.target {
        Some(TargetRef::Path(path)) => {
            let path = join(directory, path);
            Ok(match (config["core"].as_str(), language(&path)) {
                (Some(core), _) => Debuggee::Core { program: path, core: join(directory, core) },
                (None, Some(compiler)) => Debuggee::Source { path, compiler },
                (None, None) => Debuggee::Program { path, args: Vec::new() },
            })
        }
        Some(TargetRef::Command(words)) => command(words, directory),
        Some(TargetRef::Pid(pid)) => Ok(Debuggee::Pid(*pid)),
        Some(TargetRef::Address((host, port))) => {
            let program = config["program"].as_str().map(|path| join(directory, path));
            Ok(Debuggee::Remote { address: format!("{host}:{port}"), program })
        }
        Some(TargetRef::Id(name)) => Ok(Debuggee::Test(name.clone())),
        None => Ok(Debuggee::None),
    }
}

/// The compiler of a source file; None if it is not a source.
fn language(path: &str) -> Option<&'static Compiler> {
    [&compilers::C, &compilers::CPP].into_iter().find(|compiler| compiler.accepts(path))
}

fn command(words: &[String], directory: &str) -> Result<Debuggee, Error> {
    let (first, rest) =
        words.split_first().ok_or_else(|| Error::invalid_request("the command is empty"))?;
    if first.rsplit('/').next() != Some("gdb") {
        return Ok(Debuggee::Program { path: join(directory, first), args: rest.to_vec() });
    }
    if let [option, path, args @ ..] = rest
        && option == "--args"
        && !path.starts_with('-')
    {
        return Ok(Debuggee::Program { path: join(directory, path), args: args.to_vec() });
    }
    let Some(Arguments { names, core, pid }) = Arguments::parse(rest) else {
        return Err(unsupported(words));
    };
    match (&names[..], core, pid) {
        // The file with the symbols is the process's own file.
        ([] | [_], None, Some(pid)) => {
            pid.parse().map(Debuggee::Pid).map_err(|_| unsupported(words))
        }
        ([path], None, None) => {
            Ok(Debuggee::Program { path: join(directory, path), args: Vec::new() })
        }
        // To gdb, a number is a process if there is one.
        ([_, pid], None, None) if let Ok(pid) = pid.parse() => Ok(Debuggee::Pid(pid)),
        ([path, core], None, None) => Ok(core_file(path, core, directory)),
        ([path], Some(core), None) => Ok(core_file(path, core, directory)),
        ([], Some(core), None) => core_without_program(core),
        _ => Err(unsupported(words)),
    }
}

fn core_file(program: &str, core: &str, directory: &str) -> Debuggee {
    Debuggee::Core { program: join(directory, program), core: join(directory, core) }
}

fn unsupported(words: &[String]) -> Error {
    let error = Error::unsupported(format!("`{}` is not supported", words.join(" ")));
    error.hint("use `gdb --args PROGRAM …`, `gdb PROGRAM CORE` or `gdb -p PID`")
}

fn core_without_program(core: &str) -> Result<Debuggee, Error> {
    let call = json!({"program": "PROGRAM", "core": core});
    let error = Error::invalid_request("a core file needs the program that dumped it");
    Err(error.hint(format!("debug_launch {call}")))
}

/// The arguments of a gdb command line that open something.
#[derive(Default)]
struct Arguments<'a> {
    names: Vec<&'a str>,
    core: Option<&'a str>,
    pid: Option<&'a str>,
}

impl<'a> Arguments<'a> {
    /// None if there is any other option.
    fn parse(words: &'a [String]) -> Option<Self> {
        let mut parsed = Self::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                parsed.names.push(word);
                continue;
            }
            let (option, value) =
                word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
            let argument = match option.trim_start_matches('-') {
                "c" | "core" => &mut parsed.core,
                "p" | "pid" => &mut parsed.pid,
                _ => return None,
            };
            *argument = Some(value.or_else(|| words.next())?);
        }
        Some(parsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn line(line: &str, expect: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let argument = command(&words, "/w")
            .map_or_else(|error| error.message, |debuggee| format!("{debuggee:?}"));
        assert_eq!(argument, expect, "{line}");
    }

    #[test]
    fn command_lines_parse_as_in_gdb() {
        line("./a b -c", r#"Program { path: "/w/a", args: ["b", "-c"] }"#);
        line("gdb --args ./a b", r#"Program { path: "/w/a", args: ["b"] }"#);
        line("/usr/bin/gdb a", r#"Program { path: "/w/a", args: [] }"#);
        line("gdb a core.1", r#"Core { program: "/w/a", core: "/w/core.1" }"#);
        for core in ["gdb -c core.1 a", "gdb --core=core.1 a", "gdb ./a -core core.1"] {
            line(core, r#"Core { program: "/w/a", core: "/w/core.1" }"#);
        }
        line("gdb -c core.1", "a core file needs the program that dumped it");
        for pid in ["gdb -p 12", "gdb --pid=12", "gdb a -p 12", "gdb a 12"] {
            line(pid, "Pid(12)");
        }
        line("gdb -p a", "`gdb -p a` is not supported");
        line("gdb a core.1 b", "`gdb a core.1 b` is not supported");
        line("gdb a -c", "`gdb a -c` is not supported");
        line("gdb -batch a", "`gdb -batch a` is not supported");
    }
}
