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
    let (first, rest) = words.split_first().ok_or_else(|| Error::invalid_request("the command is empty"))?;
    let program = |path: &str, args: &[String]| Wish::Program { path: join(directory, path), args: args.to_vec() };
    if first.rsplit('/').next() != Some("gdb") {
        return Ok(program(first, rest));
    }
    let refused = || {
        let refused = Error::unsupported(format!("`{}` is not understood", words.join(" ")));
        refused.hint("use `gdb --args PROGRAM …`, `gdb PROGRAM CORE` or `gdb -p PID`")
    };
    match rest {
        [option, path, args @ ..] if option == "--args" && !path.starts_with('-') => Ok(program(path, args)),
        [option, pid] if option == "-p" || option == "--pid" => pid.parse().map(Wish::Pid).map_err(|_| refused()),
        [path] if !path.starts_with('-') => Ok(program(path, &[])),
        [path, core] if !path.starts_with('-') && !core.starts_with('-') => {
            Ok(Wish::Core { program: join(directory, path), core: join(directory, core) })
        }
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn line(line: &str, expect: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let told = command(&words, "/w").map_or_else(|error| error.message, |wish| format!("{wish:?}"));
        assert_eq!(told, expect, "{line}");
    }

    #[test]
    fn command_lines_are_read_as_gdb_reads_them() {
        line("./a b -c", r#"Program { path: "/w/a", args: ["b", "-c"] }"#);
        line("gdb --args ./a b", r#"Program { path: "/w/a", args: ["b"] }"#);
        line("/usr/bin/gdb a", r#"Program { path: "/w/a", args: [] }"#);
        line("gdb a core.1", r#"Core { program: "/w/a", core: "/w/core.1" }"#);
        line("gdb -p 12", "Pid(12)");
        line("gdb -batch a", "`gdb -batch a` is not understood");
    }
}
