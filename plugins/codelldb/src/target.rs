//! Reads what the caller wants to run: a program, a cargo command, a package or
//! one of its source files. Pure, but for questions to the file system that the
//! caller of [`wish`] answers.

use dapdock_plugin::path::join;
use dapdock_plugin::prelude::*;
use dapdock_plugin::source::{self, Compiler};

use crate::order::{self, Order};

/// What to run.
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
    /// What a program has dumped.
    Core {
        program: String,
        core: String,
    },
    /// What speaks gdb's remote protocol, the likes of gdbserver, and the file with its symbols.
    Remote {
        address: String,
        program: String,
    },
    /// One test of a program that is built.
    GoogleTest(String),
    Cargo(Order),
}

pub fn wish(
    request: &DebugRequest,
    stat: impl Fn(&str) -> Option<FileKind>,
    root: &str,
) -> Result<Wish, Error> {
    let directory = request.cwd.as_deref().unwrap_or(root);
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    match &request.target {
        Some(TargetRef::Path(path)) => match config["core"].as_str() {
            Some(core) => {
                Ok(Wish::Core { program: join(directory, path), core: join(directory, core) })
            }
            None => path_wish(&join(directory, path), stat, root),
        },
        Some(TargetRef::Address((host, port))) => {
            let address = format!("{host}:{port}");
            match config["program"].as_str() {
                Some(path) => Ok(Wish::Remote { address, program: join(directory, path) }),
                None => Err(without_symbols(&address)),
            }
        }
        Some(TargetRef::Command(words)) => match words.split_first() {
            Some((first, rest)) if first == "cargo" => {
                let order = Order::read(rest)?;
                Ok(Wish::Cargo(Order { directory: request.cwd.clone(), ..order }))
            }
            Some((first, rest)) => {
                Ok(Wish::Program { path: join(directory, first), args: rest.to_vec() })
            }
            None => Err(Error::invalid_request("the command is empty")),
        },
        Some(TargetRef::Id(name)) => test_named(name, directory),
        _ => Err(Error::unsupported(
            "CodeLLDB runs programs and cargo commands, or attaches by pid or address",
        )),
    }
}

/// LLDB finds no symbols by what the server says of its program.
fn without_symbols(address: &str) -> Error {
    let hint = format!(
        r#"debug_attach {{"address": "{address}", "adapter": "codelldb", "options": {{"program": "PROGRAM"}}}}"#
    );
    Error::invalid_request(
        "CodeLLDB finds no symbols of what is behind an address: name its program",
    )
    .hint(hint)
}

/// One test by its name, in whichever package of the workspace.
fn test_named(name: &str, directory: &str) -> Result<Wish, Error> {
    if name.contains(" - ") || name.contains("(line ") {
        return Err(order::doc_test(&format!("`{name}`")));
    }
    let order = test_of(name, directory);
    Ok(Wish::Cargo(Order { options: vec!["--workspace".into(), "--tests".into()], ..order }))
}

/// One test of the package in that directory.
pub fn test_of(name: &str, directory: &str) -> Order {
    Order {
        tests: true,
        options: vec!["--tests".into()],
        filter: Some(name.to_owned()),
        by_name: true,
        directory: Some(directory.to_owned()),
        unwritten: true,
        ..Order::default()
    }
}

fn path_wish(
    path: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
    root: &str,
) -> Result<Wish, Error> {
    if let Some(compiler) =
        [&source::C, &source::CPP].into_iter().find(|compiler| compiler.reads(path))
    {
        return Ok(Wish::Source { path: path.to_owned(), compiler });
    }
    let is_package = |directory: &str| stat(&format!("{directory}/Cargo.toml")).is_some();
    if matches!(stat(path), Some(FileKind::Directory)) && is_package(path) {
        return Ok(Wish::Cargo(of_package(path)));
    }
    let Some(stem) = path.strip_suffix(".rs") else {
        return Ok(Wish::Program { path: path.to_owned(), args: Vec::new() });
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
        return Ok(Wish::Cargo(Order {
            options,
            tests: option == "--test",
            ..of_package(package)
        }));
    }
    if !ancestors(path, root).any(is_package) {
        return Ok(Wish::Source { path: path.to_owned(), compiler: &source::RUST });
    }
    let refused = Error::target_missing(format!("{path} is not the main file of a program"));
    Err(refused.hint("debug `cargo run`, `cargo test NAME` or a built program"))
}

fn of_package(directory: &str) -> Order {
    Order { directory: Some(directory.to_owned()), unwritten: true, ..Order::default() }
}

/// The directories above a file, up to the root.
fn ancestors<'a>(path: &'a str, root: &'a str) -> impl Iterator<Item = &'a str> {
    let up = |path: &&'a str| path.rsplit_once('/').map(|(parent, _)| parent);
    std::iter::successors(up(&path), up).take_while(move |directory| directory.starts_with(root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_runs_alone_and_a_doc_test_is_refused() {
        let args = test_named("rounds", "/w").map(|wish| match wish {
            Wish::Cargo(order) => order.program_args().join(" "),
            Wish::Program { path, .. } | Wish::Source { path, .. } | Wish::GoogleTest(path) => path,
            other => format!("{other:?}"),
        });
        assert_eq!(
            args.map_err(|error| error.message),
            Ok("rounds --exact --include-ignored --nocapture --test-threads=1".into())
        );
        let refused =
            test_named("src/lib.rs - add (line 3)", "/w").err().map(|error| error.message);
        assert!(refused.is_some_and(|message| message.contains("is a doc test")));
    }

    #[test]
    fn a_main_file_is_its_package() {
        let stat = |path: &str| match path {
            "/w" => Some(FileKind::Directory),
            "/w/Cargo.toml" => Some(FileKind::File),
            _ => None,
        };
        let options = |path: &str| match path_wish(path, stat, "/") {
            Ok(Wish::Cargo(order)) => order.options.join(" "),
            Ok(Wish::Source { path, .. }) => format!("compiles {path}"),
            Ok(Wish::Program { path, .. } | Wish::GoogleTest(path)) => path,
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
