//! Reads what the caller wants to debug: a program, a source file, a core file, a
//! process, a stub behind an address, or a command line of gdb. Pure.

use dapdock_plugin::path::join;
use dapdock_plugin::prelude::*;
use dapdock_plugin::source::{self, Compiler};

/// What to debug.
#[derive(Debug, PartialEq)]
pub enum Wish {
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
    /// One test of GoogleTest.
    Test(String),
    Pid(u32),
    /// What speaks gdb's remote protocol; the file with its symbols, where the caller names one.
    Remote {
        address: String,
        program: Option<String>,
    },
}

pub fn wish(request: &DebugRequest, root: &str) -> Result<Wish, Error> {
    let directory = request.cwd.as_deref().unwrap_or(root);
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    match &request.target {
        Some(TargetRef::Path(path)) => {
            let path = join(directory, path);
            Ok(match (config["core"].as_str(), language(&path)) {
                (Some(core), _) => Wish::Core { program: path, core: join(directory, core) },
                (None, Some(compiler)) => Wish::Source { path, compiler },
                (None, None) => Wish::Program { path, args: Vec::new() },
            })
        }
        Some(TargetRef::Command(words)) => command(words, directory),
        Some(TargetRef::Pid(pid)) => Ok(Wish::Pid(*pid)),
        Some(TargetRef::Address((host, port))) => {
            let program = config["program"].as_str().map(|path| join(directory, path));
            Ok(Wish::Remote { address: format!("{host}:{port}"), program })
        }
        Some(TargetRef::Core(_)) => {
            let refused = Error::invalid_request("a core file needs the program that dumped it");
            Err(refused.hint(r#"debug_launch {"program": "PROGRAM", "options": {"core": "CORE"}}"#))
        }
        Some(TargetRef::Id(name)) => Ok(Wish::Test(name.clone())),
        None => Err(Error::invalid_request("nothing to debug is named")),
    }
}

/// What compiles a source file; none: it is no source.
fn language(path: &str) -> Option<&'static Compiler> {
    [&source::C, &source::CPP].into_iter().find(|compiler| compiler.reads(path))
}

fn command(words: &[String], directory: &str) -> Result<Wish, Error> {
    let (first, rest) =
        words.split_first().ok_or_else(|| Error::invalid_request("the command is empty"))?;
    let program = |path: &str, args: &[String]| Wish::Program {
        path: join(directory, path),
        args: args.to_vec(),
    };
    if first.rsplit('/').next() != Some("gdb") {
        return Ok(program(first, rest));
    }
    let refused = || {
        let refused = Error::unsupported(format!("`{}` is not understood", words.join(" ")));
        refused.hint("use `gdb --args PROGRAM …`, `gdb PROGRAM CORE` or `gdb -p PID`")
    };
    if let [option, path, args @ ..] = rest
        && option == "--args"
        && !path.starts_with('-')
    {
        return Ok(program(path, args));
    }
    let Words { names, core, pid } = Words::read(rest).ok_or_else(refused)?;
    let opened = |path: &str, core: &str| Wish::Core {
        program: join(directory, path),
        core: join(directory, core),
    };
    match (&names[..], core, pid) {
        // What has the program's symbols is the process's own file.
        ([] | [_], None, Some(pid)) => pid.parse().map(Wish::Pid).map_err(|_| refused()),
        ([path], None, None) => Ok(program(path, &[])),
        // A number is a process to gdb, where there is one.
        ([_, pid], None, None) if let Ok(pid) = pid.parse() => Ok(Wish::Pid(pid)),
        ([path, core], None, None) => Ok(opened(path, core)),
        ([path], Some(core), None) => Ok(opened(path, core)),
        ([], Some(core), None) => core_alone(core),
        _ => Err(refused()),
    }
}

fn core_alone(core: &str) -> Result<Wish, Error> {
    let call = json!({"program": "PROGRAM", "core": core});
    let refused = Error::invalid_request("a core file needs the program that dumped it");
    Err(refused.hint(format!("debug_launch {call}")))
}

/// What stands in a command line of gdb that opens something.
#[derive(Default)]
struct Words<'a> {
    names: Vec<&'a str>,
    core: Option<&'a str>,
    pid: Option<&'a str>,
}

impl<'a> Words<'a> {
    /// None: there is an option beside those that name what is opened.
    fn read(words: &'a [String]) -> Option<Self> {
        let mut read = Self::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                read.names.push(word);
                continue;
            }
            let (option, value) =
                word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
            let told = match option.trim_start_matches('-') {
                "c" | "core" => &mut read.core,
                "p" | "pid" => &mut read.pid,
                _ => return None,
            };
            *told = Some(value.or_else(|| words.next())?);
        }
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn line(line: &str, expect: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let told =
            command(&words, "/w").map_or_else(|error| error.message, |wish| format!("{wish:?}"));
        assert_eq!(told, expect, "{line}");
    }

    #[test]
    fn command_lines_are_read_as_gdb_reads_them() {
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
        line("gdb -p a", "`gdb -p a` is not understood");
        line("gdb a core.1 b", "`gdb a core.1 b` is not understood");
        line("gdb a -c", "`gdb a -c` is not understood");
        line("gdb -batch a", "`gdb -batch a` is not understood");
    }
}
