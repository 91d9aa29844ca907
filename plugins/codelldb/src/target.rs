//! Reads what the caller wants to run: a program, a cargo command, a package or
//! one of its source files. Pure, but for questions to the file system that the
//! caller of [`wish`] answers.

use dapdock_plugin::path::join;
use dapdock_plugin::prelude::*;
use dapdock_plugin::source::{self, Compiler};

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

/// A cargo command, taken apart.
#[derive(Debug, Default, PartialEq)]
pub struct Order {
    pub tests: bool,
    /// Options of the build: `--bin api`, `-p cart`, `--release`.
    pub options: Vec<String>,
    /// `cargo test NAME`.
    pub filter: Option<String>,
    /// The filter is one test's name, or its end.
    pub by_name: bool,
    /// The filter is one test's whole path.
    pub exact: bool,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// `cargo +nightly`.
    pub toolchain: Option<String>,
    /// Where cargo runs.
    pub directory: Option<String>,
}

impl Order {
    /// A test binary's arguments select the test and keep its output in order.
    pub fn program_args(&self) -> Vec<String> {
        let mut args: Vec<String> = self.filter.iter().cloned().collect();
        if self.tests {
            args.extend((self.by_name || self.exact).then(|| "--exact".to_owned()));
            for (option, whole) in [("--nocapture", "--nocapture"), ("--test-threads", "--test-threads=1")] {
                let given = self.args.iter().any(|arg| arg.starts_with(option));
                args.extend((!given).then(|| whole.to_owned()));
            }
        }
        args.extend(self.args.iter().cloned());
        args
    }
}

/// Options of cargo whose value is the next word.
const WITH_VALUE: [&str; 15] = [
    "-p",
    "--package",
    "--bin",
    "--example",
    "--test",
    "--bench",
    "-F",
    "--features",
    "--profile",
    "--target",
    "--manifest-path",
    "--target-dir",
    "-j",
    "--jobs",
    "--exclude",
];

pub fn wish(request: &DebugRequest, stat: impl Fn(&str) -> Option<FileKind>, root: &str) -> Result<Wish, Error> {
    let directory = request.cwd.as_deref().unwrap_or(root);
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    match &request.target {
        Some(TargetRef::Path(path)) => match config["core"].as_str() {
            Some(core) => Ok(Wish::Core { program: join(directory, path), core: join(directory, core) }),
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
                let order = cargo(rest)?;
                Ok(Wish::Cargo(Order { directory: request.cwd.clone(), ..order }))
            }
            Some((first, rest)) => Ok(Wish::Program { path: join(directory, first), args: rest.to_vec() }),
            None => Err(Error::invalid_request("the command is empty")),
        },
        Some(TargetRef::Id(name)) => test_named(name, directory),
        _ => Err(Error::unsupported("CodeLLDB runs programs and cargo commands, or attaches by pid or address")),
    }
}

/// LLDB finds no symbols by what the server says of its program.
fn without_symbols(address: &str) -> Error {
    let hint = format!(
        r#"debug_attach {{"address": "{address}", "adapter": "codelldb", "options": {{"program": "PROGRAM"}}}}"#
    );
    Error::invalid_request("CodeLLDB finds no symbols of what is behind an address: name its program").hint(hint)
}

/// One test by its name, in whichever package of the workspace.
fn test_named(name: &str, directory: &str) -> Result<Wish, Error> {
    if name.contains(" - ") || name.contains("(line ") {
        let refused =
            Error::unsupported(format!("`{name}` is a doc test, which rustdoc compiles and runs out of sight"));
        return Err(refused.hint("move its code into a #[test] function and debug that"));
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
        ..Order::default()
    }
}

fn path_wish(path: &str, stat: impl Fn(&str) -> Option<FileKind>, root: &str) -> Result<Wish, Error> {
    if let Some(compiler) = [&source::C, &source::CPP].into_iter().find(|compiler| compiler.reads(path)) {
        return Ok(Wish::Source { path: path.to_owned(), compiler });
    }
    let is_package = |directory: &str| stat(&format!("{directory}/Cargo.toml")).is_some();
    if matches!(stat(path), Some(FileKind::Directory)) && is_package(path) {
        return Ok(Wish::Cargo(Order { directory: Some(path.to_owned()), ..Order::default() }));
    }
    let Some(stem) = path.strip_suffix(".rs") else {
        return Ok(Wish::Program { path: path.to_owned(), args: Vec::new() });
    };
    for (folder, option) in [("/src/bin/", "--bin"), ("/examples/", "--example"), ("/src/", "")] {
        let Some((package, name)) = stem.rsplit_once(folder) else { continue };
        let name = name.strip_suffix("/main").unwrap_or(name);
        if !is_package(package) || name.contains('/') || (option.is_empty() && name != "main") {
            continue;
        }
        let options = if option.is_empty() { Vec::new() } else { vec![option.to_owned(), name.to_owned()] };
        return Ok(Wish::Cargo(Order { directory: Some(package.to_owned()), options, ..Order::default() }));
    }
    if !ancestors(path, root).any(is_package) {
        return Ok(Wish::Source { path: path.to_owned(), compiler: &source::RUST });
    }
    let refused = Error::target_missing(format!("{path} is not the main file of a program"));
    Err(refused.hint("debug `cargo run`, `cargo test NAME` or a built program"))
}

/// The directories above a file, up to the root.
fn ancestors<'a>(path: &'a str, root: &'a str) -> impl Iterator<Item = &'a str> {
    let up = |path: &&'a str| path.rsplit_once('/').map(|(parent, _)| parent);
    std::iter::successors(up(&path), up).take_while(move |directory| directory.starts_with(root))
}

/// What follows the word `cargo`.
fn cargo(words: &[String]) -> Result<Order, Error> {
    let mut words = words.iter();
    let mut order = Order::default();
    let mut verb = words.next();
    if let Some(toolchain) = verb.and_then(|word| word.strip_prefix('+')) {
        order.toolchain = Some(toolchain.to_owned());
        verb = words.next();
    }
    order.tests = match verb.map(String::as_str) {
        Some("run" | "r" | "build" | "b") => false,
        Some("test" | "t") => true,
        other => {
            let refused = Error::unsupported(format!("`cargo {}` runs nothing to debug", other.unwrap_or_default()));
            return Err(refused.hint("use `cargo run …` or `cargo test …`"));
        }
    };
    while let Some(word) = words.next() {
        if word == "--" {
            order.args.extend(words.cloned());
            break;
        }
        if word.starts_with("--message-format") {
            return Err(Error::invalid_request("`--message-format` is ours to set"));
        }
        if word.starts_with('-') {
            order.options.push(word.clone());
            if WITH_VALUE.contains(&word.as_str()) {
                order.options.extend(words.next().cloned());
            }
        } else if order.tests && order.filter.is_none() {
            order.filter = Some(word.clone());
        } else {
            order.args.push(word.clone());
            order.args.extend(words.cloned());
            break;
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, options: &str, args: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let order = cargo(&words).map_err(|error| error.message);
        let said = order.map(|order| (order.options.join(" "), order.program_args().join(" ")));
        assert_eq!(said, Ok((options.to_owned(), args.to_owned())), "{line}");
    }

    #[test]
    fn cargo_commands_are_read_as_cargo_reads_them() {
        check("run", "", "");
        check("run --bin api -- --port 1", "--bin api", "--port 1");
        check("r --release x -y", "--release", "x -y");
        check("+nightly run -p cart fail", "-p cart", "fail");
        check("test", "", "--nocapture --test-threads=1");
        check("test --lib parse", "--lib", "parse --nocapture --test-threads=1");
        check("test a::b -- --test-threads=4", "", "a::b --nocapture --test-threads=4");
    }

    #[test]
    fn what_runs_nothing_is_refused() {
        let words = ["clippy".to_owned()];
        assert_eq!(cargo(&words).err().map(|e| e.message).as_deref(), Some("`cargo clippy` runs nothing to debug"));
    }

    #[test]
    fn a_test_runs_alone_and_a_doc_test_is_refused() {
        let args = test_named("rounds", "/w").map(|wish| match wish {
            Wish::Cargo(order) => order.program_args().join(" "),
            Wish::Program { path, .. } | Wish::Source { path, .. } | Wish::GoogleTest(path) => path,
            other => format!("{other:?}"),
        });
        assert_eq!(args.map_err(|error| error.message), Ok("rounds --exact --nocapture --test-threads=1".into()));
        let refused = test_named("src/lib.rs - add (line 3)", "/w").err().map(|error| error.message);
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
        assert_eq!(options("/w/src/lib.rs"), "/w/src/lib.rs is not the main file of a program");
        assert_eq!(options("/w/target/debug/api"), "/w/target/debug/api");
        assert_eq!(options("/tmp/once.rs"), "compiles /tmp/once.rs");
        assert_eq!(options("/w/native/a.cpp"), "compiles /w/native/a.cpp");
    }
}
