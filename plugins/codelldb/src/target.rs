//! Reads what to debug: a program, a cargo command, a package or one of its source files. Pure; the
//! caller answers questions about files.

use dapdock_native::build::Build;
use dapdock_native::compilers::{self, Compiler};
use dapdock_plugin::path::join;
use dapdock_plugin::prelude::*;

use dapdock_native::cargo_command::{self, CargoCommand};

/// What to debug.
#[derive(Debug, PartialEq)]
pub enum Debuggee {
    Program {
        path: String,
        args: Vec<String>,
    },
    /// A source file that is a whole program.
    Source {
        path: String,
        compiler: &'static Compiler,
    },
    /// A core file and the program that dumped it.
    Core {
        program: String,
        core: String,
    },
    /// The address of a server of gdb's remote protocol such as gdbserver, and the file with the
    /// symbols.
    Remote {
        address: String,
        program: String,
    },
    /// A test of a built GoogleTest program.
    GoogleTest(String),
    /// A launch through make, CMake or CTest.
    Build(Build),
    Cargo(CargoCommand),
}

pub fn debuggee(
    request: &DebugRequest,
    stat: impl Fn(&str) -> Option<FileKind>,
    root: &str,
) -> Result<Debuggee, Error> {
    let directory = request.cwd.as_deref().unwrap_or(root);
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    match &request.target {
        Some(TargetRef::Path(path)) => match config["core"].as_str() {
            Some(core) => {
                Ok(Debuggee::Core { program: join(directory, path), core: join(directory, core) })
            }
            None => debuggee_at_path(&join(directory, path), stat, root),
        },
        Some(TargetRef::Address((host, port))) => {
            let address = format!("{host}:{port}");
            match config["program"].as_str() {
                Some(path) => Ok(Debuggee::Remote { address, program: join(directory, path) }),
                None => Err(without_symbols(&address)),
            }
        }
        Some(TargetRef::Command(words)) => match words.split_first() {
            Some((first, rest)) if first == "cargo" => {
                let command = CargoCommand::parse(rest)?;
                Ok(Debuggee::Cargo(CargoCommand { directory: request.cwd.clone(), ..command }))
            }
            Some((first, rest)) => {
                Ok(Debuggee::Program { path: join(directory, first), args: rest.to_vec() })
            }
            None => Err(Error::invalid_request("the command is empty")),
        },
        Some(TargetRef::Id(name)) => test_by_name(name, directory),
        _ => Err(Error::unsupported(
            "CodeLLDB runs programs and cargo commands, or attaches by pid or address",
        )),
    }
}

/// The error for an address without a program: LLDB finds no symbols from what a server reports.
fn without_symbols(address: &str) -> Error {
    let hint = format!(
        "debug_attach {{\"address\": \"{address}\", \"adapter\": \"codelldb\", \"options\": \
        {{\"program\": \"PROGRAM\"}}}}"
    );
    Error::invalid_request("CodeLLDB finds no symbols for an address; name the program").hint(hint)
}

/// One test by name, in any package of the workspace.
fn test_by_name(name: &str, directory: &str) -> Result<Debuggee, Error> {
    if name.contains(" - ") || name.contains("(line ") {
        return Err(cargo_command::doc_test_error(&format!("`{name}`")));
    }
    let cargo_command = test_in_package(name, directory, &[]);
    Ok(Debuggee::Cargo(CargoCommand {
        options: vec!["--workspace".into(), "--tests".into()],
        ..cargo_command
    }))
}

/// One test of the package in that directory, built with these features.
pub fn test_in_package(name: &str, directory: &str, features: &[String]) -> CargoCommand {
    let mut options = vec!["--tests".to_owned()];
    if !features.is_empty() {
        options.extend(["--features".to_owned(), features.join(",")]);
    }
    CargoCommand {
        tests: true,
        options,
        filter: Some(name.to_owned()),
        by_name: true,
        directory: Some(directory.to_owned()),
        composed: true,
        ..CargoCommand::default()
    }
}

fn debuggee_at_path(
    path: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
    root: &str,
) -> Result<Debuggee, Error> {
    if let Some(compiler) =
        [&compilers::C, &compilers::CPP].into_iter().find(|compiler| compiler.accepts(path))
    {
        return Ok(Debuggee::Source { path: path.to_owned(), compiler });
    }
    let is_package = |directory: &str| stat(&format!("{directory}/Cargo.toml")).is_some();
    if matches!(stat(path), Some(FileKind::Directory)) && is_package(path) {
        return Ok(Debuggee::Cargo(package_command(path)));
    }
    let Some(stem) = path.strip_suffix(".rs") else {
        return Ok(Debuggee::Program { path: path.to_owned(), args: Vec::new() });
    };
    for (folder, option) in
        [("/src/bin/", "--bin"), ("/examples/", "--example"), ("/tests/", "--test"), ("/src/", "")]
    {
        let Some((package, name)) = stem.rsplit_once(folder) else { continue };
        let name = name.strip_suffix("/main").unwrap_or(name);
        if !is_package(package) || name.contains('/') || (option.is_empty() && name != "main") {
            continue;
        }
        let options =
            if option.is_empty() { Vec::new() } else { vec![option.to_owned(), name.to_owned()] };
        return Ok(Debuggee::Cargo(CargoCommand {
            options,
            tests: option == "--test",
            ..package_command(package)
        }));
    }
    if !ancestors(path, root).any(is_package) {
        return Ok(Debuggee::Source { path: path.to_owned(), compiler: &compilers::RUST });
    }
    let error = Error::target_missing(format!("{path} is not the main file of a program"));
    Err(error.hint("debug `cargo run`, `cargo test NAME` or a built program"))
}

/// Runs one crate of the package in that directory.
pub fn crate_command(directory: &str, options: Vec<String>, tests: bool) -> CargoCommand {
    CargoCommand { options, tests, ..package_command(directory) }
}

fn package_command(directory: &str) -> CargoCommand {
    CargoCommand {
        directory: Some(directory.to_owned()),
        composed: true,
        ..CargoCommand::default()
    }
}

fn parent(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(parent, _)| parent)
}

/// The directories above a file, up to the root.
fn ancestors<'a>(path: &'a str, root: &'a str) -> impl Iterator<Item = &'a str> {
    std::iter::successors(parent(path), |path| parent(path))
        .take_while(move |directory| directory.starts_with(root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_runs_alone_and_doc_test_is_rejected() {
        let args = test_by_name("rounds", "/w").map(|debuggee| match debuggee {
            Debuggee::Cargo(cargo_command) => cargo_command.program_args().join(" "),
            Debuggee::Program { path, .. }
            | Debuggee::Source { path, .. }
            | Debuggee::GoogleTest(path) => path,
            other => format!("{other:?}"),
        });
        assert_eq!(
            args.map_err(|error| error.message),
            Ok("rounds --exact --include-ignored --nocapture --test-threads=1".into())
        );
        let error =
            test_by_name("src/lib.rs - add (line 3)", "/w").err().map(|error| error.message);
        assert!(error.is_some_and(|message| message.contains("is a doc test")));
    }

    #[test]
    fn main_file_runs_by_cargo() {
        let stat = |path: &str| match path {
            "/w" => Some(FileKind::Directory),
            "/w/Cargo.toml" => Some(FileKind::File),
            _ => None,
        };
        let options = |path: &str| match debuggee_at_path(path, stat, "/") {
            Ok(Debuggee::Cargo(cargo_command)) => cargo_command.options.join(" "),
            Ok(Debuggee::Source { path, .. }) => format!("compiles {path}"),
            Ok(Debuggee::Program { path, .. } | Debuggee::GoogleTest(path)) => path,
            Ok(other) => format!("{other:?}"),
            Err(error) => error.message,
        };
        assert_eq!(options("/w"), "");
        assert_eq!(options("/w/src/main.rs"), "");
        assert_eq!(options("/w/src/bin/api.rs"), "--bin api");
        assert_eq!(options("/w/src/bin/api/main.rs"), "--bin api");
        assert_eq!(options("/w/examples/e.rs"), "--example e");
        assert_eq!(options("/w/tests/whole.rs"), "--test whole");
        assert_eq!(options("/w/src/lib.rs"), "/w/src/lib.rs is not the main file of a program");
        assert_eq!(options("/w/target/debug/api"), "/w/target/debug/api");
        assert_eq!(options("/tmp/once.rs"), "compiles /tmp/once.rs");
        assert_eq!(options("/w/native/a.cpp"), "compiles /w/native/a.cpp");
    }
}
