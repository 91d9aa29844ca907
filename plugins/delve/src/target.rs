//! Reads what the caller wants to run: a program, a package, a source file, or a
//! command line of `go` or `dlv`. Pure, but for questions to the file system that
//! the caller of [`wish`] answers.

use dapdock_plugin::path::join;
use dapdock_plugin::prelude::*;

use crate::choice::Sort;
use crate::flags;

/// What to debug.
#[derive(Debug, PartialEq)]
pub enum Wish {
    /// A program that is built.
    Program {
        path: String,
        args: Vec<String>,
    },
    Core {
        program: String,
        core: String,
    },
    Pid(u32),
    /// A `dlv` that serves.
    Server {
        host: String,
        port: u16,
    },
    Build(Order),
}

/// What to build.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Order {
    pub tests: bool,
    /// Options of the build: `-race`, `-tags=x`.
    pub flags: Vec<String>,
    /// Packages, or the files of one.
    pub packages: Vec<String>,
    /// Arguments of the program, or of the test binary.
    pub args: Vec<String>,
    /// Which tests run, as `go test -run` says it.
    pub run: Option<String>,
    /// Which benchmarks, as `-bench` says it.
    pub bench: Option<String>,
    /// Which test is fuzzed, as `-fuzz` says it.
    pub fuzz: Option<String>,
    /// Where `go` runs.
    pub directory: String,
    /// That directory as the caller wrote it behind `-C`.
    pub moved: Option<String>,
    /// What was left out of the caller's words, and why.
    pub notes: Vec<String>,
}

impl Order {
    /// What has to be there, and its pattern: `-run` may mean nothing beside the others.
    pub fn wanted(&self) -> Option<(Sort, &str)> {
        let asked =
            [(Sort::Fuzz, &self.fuzz), (Sort::Benchmark, &self.bench), (Sort::Test, &self.run)];
        asked.into_iter().find_map(|(sort, pattern)| Some((sort, pattern.as_deref()?)))
    }

    /// The arguments of a test binary that choose what runs.
    pub fn chosen(&self) -> impl Iterator<Item = String> {
        let asked = [("run", &self.run), ("bench", &self.bench), ("fuzz", &self.fuzz)];
        asked
            .into_iter()
            .filter_map(|(name, pattern)| Some(format!("-test.{name}={}", pattern.as_ref()?)))
    }

    /// What the program is called.
    pub fn name(&self) -> String {
        let package = self.packages.first().map_or(".", String::as_str).trim_end_matches('/');
        let path = if package == "." { self.directory.trim_end_matches('/') } else { package };
        let name = path.rsplit('/').find(|part| !part.starts_with('.')).unwrap_or("program");
        let name = name.strip_suffix(".go").unwrap_or(name);
        let name: String =
            name.chars().filter(|c| c.is_alphanumeric() || "-_.".contains(*c)).collect();
        format!("{name}{}", if self.tests { ".test" } else { "" })
    }
}

/// `stat` knows what a path is, `head` how a file begins.
pub fn wish(
    request: &DebugRequest,
    root: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
    head: impl Fn(&str) -> String,
) -> Result<Wish, Error> {
    let directory = request.cwd.as_deref().unwrap_or(root);
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    match &request.target {
        Some(TargetRef::Path(path)) => match config["core"].as_str() {
            Some(core) => {
                Ok(Wish::Core { program: join(directory, path), core: join(directory, core) })
            }
            None => Ok(path_wish(&join(directory, path), root, stat, head)),
        },
        Some(TargetRef::Command(words)) => command(words, directory, stat),
        Some(TargetRef::Pid(pid)) => Ok(Wish::Pid(*pid)),
        Some(TargetRef::Address((host, port))) => {
            Ok(Wish::Server { host: host.clone(), port: *port })
        }
        Some(TargetRef::Core(_)) => {
            let refused = Error::invalid_request("a core file needs the program that dumped it");
            Err(refused.hint(r#"debug_launch {"program": "PROGRAM", "options": {"core": "CORE"}}"#))
        }
        Some(TargetRef::Id(_)) => Err(Error::internal("a test is looked up first")),
        None => Err(Error::invalid_request("nothing to debug is named")),
    }
}

/// One test, or one benchmark alone, of the package in that directory.
pub fn test_named(sort: Sort, pattern: String, directory: String) -> Wish {
    let (run, bench) = match sort {
        Sort::Benchmark => ("^$".to_owned(), Some(pattern)),
        _ => (pattern, None),
    };
    Wish::Build(Order {
        tests: true,
        packages: vec![".".into()],
        run: Some(run),
        bench,
        directory,
        ..Order::default()
    })
}

fn path_wish(
    path: &str,
    root: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
    head: impl Fn(&str) -> String,
) -> Wish {
    let build = |tests, directory: &str, package: &str| {
        let (packages, directory) = (vec![package.to_owned()], directory.to_owned());
        Wish::Build(Order { tests, packages, directory, ..Order::default() })
    };
    if matches!(stat(path), Some(FileKind::Directory)) {
        return build(false, path, ".");
    }
    if !path.ends_with(".go") {
        return Wish::Program { path: path.to_owned(), args: Vec::new() };
    }
    let (directory, file) = path.rsplit_once('/').unwrap_or((".", path));
    if file.ends_with("_test.go") {
        return build(true, directory, ".");
    }
    // A file that its package leaves out, and one without a module, are built alone.
    let alone = head(path).lines().any(|line| line.trim() == "//go:build ignore");
    let in_module = ancestors(directory, root).any(|dir| stat(&format!("{dir}/go.mod")).is_some());
    build(false, directory, if alone || !in_module { file } else { "." })
}

/// The directory and those above it, up to the root.
fn ancestors<'a>(directory: &'a str, root: &'a str) -> impl Iterator<Item = &'a str> {
    let up = |dir: &&'a str| dir.rsplit_once('/').map(|(parent, _)| parent);
    std::iter::successors(Some(directory), up).take_while(move |dir| dir.starts_with(root))
}

fn command(
    words: &[String],
    directory: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
) -> Result<Wish, Error> {
    let (first, rest) =
        words.split_first().ok_or_else(|| Error::invalid_request("the command is empty"))?;
    match first.rsplit('/').next() {
        Some("go") => go(rest, directory, stat),
        Some("dlv") => dlv(rest, directory),
        _ => Ok(Wish::Program { path: join(directory, first), args: rest.to_vec() }),
    }
}

/// What follows the word `go`. A file behind `-C` is the directory that it is in: configurations of
/// editors name one.
fn go(
    words: &[String],
    directory: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
) -> Result<Wish, Error> {
    let refuse = |verb: &str| {
        let refused = Error::unsupported(format!("`go {verb}` runs nothing to debug"));
        refused.hint("use `go run PACKAGE …` or `go test PACKAGE -run NAME`")
    };
    let (verb, rest) = words.split_first().ok_or_else(|| refuse(""))?;
    let order = match verb.as_str() {
        "run" => flags::run(rest)?,
        "build" => {
            let refused =
                Error::unsupported("`go build` runs nothing; `go run` builds the same and runs it");
            return Err(refused.hint("`go run` with the same package"));
        }
        "test" => flags::test(rest)?,
        other => return Err(refuse(other)),
    };
    let Some(moved) = &order.moved else {
        return Ok(Wish::Build(Order { directory: directory.into(), ..order }));
    };
    let there = join(directory, moved);
    let package = there.rsplit_once('/').filter(|_| matches!(stat(&there), Some(FileKind::File)));
    let directory = package.map_or(there.clone(), |(package, _)| package.to_owned());
    Ok(Wish::Build(Order { directory, ..order }))
}

/// What is left out of a command line of `dlv`, as a sentence.
pub fn left_out(request: &DebugRequest) -> Option<String> {
    let Some(TargetRef::Command(words)) = &request.target else { return None };
    let (_, rest) =
        words.split_first().filter(|(first, _)| first.rsplit('/').next() == Some("dlv"))?;
    let own = rest.iter().take_while(|word| *word != "--");
    let out: Vec<&str> = own.map(String::as_str).filter(|word| flags::serves(word)).collect();
    let words = out.join(" ");
    (!out.is_empty()).then(|| {
        format!("dlv runs without {words}: this session is the debugger, and nothing listens")
    })
}

/// What follows the word `dlv`, whose options may stand before the verb, too: the program's
/// arguments stand after `--`.
fn dlv(words: &[String], directory: &str) -> Result<Wish, Error> {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let args = words.get(end + 1..).unwrap_or_default().to_vec();
    let (names, flags) = flags::dlv(&words[..end])?;
    let mut names = names.into_iter();
    let verb = names.next().unwrap_or_default();
    let mut build = |tests| {
        let packages = vec![names.next().unwrap_or_else(|| ".".into())];
        let (args, flags, directory) = (args.clone(), flags.clone(), directory.into());
        Ok(Wish::Build(Order { tests, packages, args, flags, directory, ..Order::default() }))
    };
    match verb.as_str() {
        "debug" => build(false),
        "test" => build(true),
        "exec" => match names.next() {
            Some(program) => Ok(Wish::Program { path: join(directory, &program), args }),
            None => Err(Error::invalid_request("`dlv exec` names no program")),
        },
        "core" => match (names.next(), names.next()) {
            (Some(program), Some(core)) => {
                Ok(Wish::Core { program: join(directory, &program), core: join(directory, &core) })
            }
            _ => Err(Error::invalid_request("`dlv core` needs a program and a core file")),
        },
        "attach" if let Some(Ok(pid)) = names.next().map(|pid| pid.parse::<u32>()) => {
            let refused = Error::unsupported("`dlv attach` starts nothing to debug");
            Err(refused.hint(format!(r#"debug_attach {{"pid": {pid}}}"#)))
        }
        "connect" if let Some(address) = names.next() => {
            let refused = Error::unsupported("`dlv connect` starts nothing to debug");
            let address = address
                .strip_prefix(':')
                .map_or(address.clone(), |port| format!("127.0.0.1:{port}"));
            Err(refused.hint(format!(r#"debug_attach {{"address": "{address}"}}"#)))
        }
        other => {
            let refused = Error::unsupported(format!("`dlv {other}` starts nothing to debug"));
            Err(refused.hint("use `dlv debug`, `dlv test`, `dlv exec` or `dlv core`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(wish: Result<Wish, Error>) -> String {
        match wish {
            Ok(Wish::Build(order)) => {
                let kind = if order.tests { "test" } else { "build" };
                let run = order.run.map(|run| format!(" run {run}")).unwrap_or_default();
                let words = [order.flags, order.packages].concat().join(" ");
                format!("{kind} {words} in {}{run} args {:?}", order.directory, order.args)
            }
            Ok(other) => format!("{other:?}"),
            Err(error) => error.message,
        }
    }

    #[track_caller]
    fn line(line: &str, expect: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let stat = |path: &str| path.ends_with(".go").then_some(FileKind::File);
        assert_eq!(said(command(&words, "/w", stat)), expect, "{line}");
    }

    #[test]
    fn go_and_dlv_are_read_as_they_read_themselves() {
        line("go run ./cmd/x -v a", r#"build ./cmd/x in /w args ["-v", "a"]"#);
        line(
            "go run -race -tags a,b main.go util.go x.txt",
            r#"build -race -tags a,b main.go util.go in /w args ["x.txt"]"#,
        );
        line("go test ./pkg -run TestX -v", r#"test ./pkg in /w run TestX args ["-test.v"]"#);
        line("go test", "test . in /w args []");
        line("go test -C pkg -run X", "test . in /w/pkg run X args []");
        line("go test -C pkg/x_test.go", "test . in /w/pkg args []");
        line("go -x", "`go -x` runs nothing to debug");
        line("go vet ./...", "`go vet` runs nothing to debug");
        line("dlv debug ./cmd/x --headless -- a b", r#"build ./cmd/x in /w args ["a", "b"]"#);
        line("dlv test -- -test.run X", r#"test . in /w args ["-test.run", "X"]"#);
        line("dlv exec ./a -- b", r#"Program { path: "/w/a", args: ["b"] }"#);
        line("dlv --listen :1 --headless exec ./a", r#"Program { path: "/w/a", args: [] }"#);
        line("dlv exec ./a --wd sub", "`dlv --wd` is not heeded");
        line("dlv connect :1", "`dlv connect` starts nothing to debug");
        for (address, there) in [(":1", "127.0.0.1:1"), ("[::1]:2", "[::1]:2"), ("far:3", "far:3")]
        {
            let refused = dlv(&["connect".to_owned(), address.to_owned()], "/w").unwrap_err();
            assert_eq!(refused.hint, Some(format!(r#"debug_attach {{"address": "{there}"}}"#)));
        }
        line("dlv attach 12", "`dlv attach` starts nothing to debug");
        line("dlv core ./a c.1", r#"Core { program: "/w/a", core: "/w/c.1" }"#);
        line("dlv trace x", "`dlv trace` starts nothing to debug");
        line("./a b", r#"Program { path: "/w/a", args: ["b"] }"#);
    }

    #[test]
    fn a_file_is_its_package_unless_the_package_leaves_it_out() {
        let stat = |path: &str| match path {
            "/w/m/cmd/x" => Some(FileKind::Directory),
            "/w/m/go.mod" | "/w/m/cmd/x/main.go" => Some(FileKind::File),
            _ => None,
        };
        let head = |path: &str| {
            if path.ends_with("gen.go") { "//go:build ignore\n".into() } else { String::new() }
        };
        let told = |path: &str| said(Ok(path_wish(path, "/w", stat, head)));
        assert_eq!(told("/w/m/cmd/x"), "build . in /w/m/cmd/x args []");
        assert_eq!(told("/w/m/cmd/x/main.go"), "build . in /w/m/cmd/x args []");
        assert_eq!(told("/w/m/cmd/x/gen.go"), "build gen.go in /w/m/cmd/x args []");
        assert_eq!(told("/w/m/cmd/x/x_test.go"), "test . in /w/m/cmd/x args []");
        assert_eq!(told("/w/loose/a.go"), "build a.go in /w/loose args []");
        assert_eq!(told("/w/bin/x"), r#"Program { path: "/w/bin/x", args: [] }"#);
    }

    #[test]
    fn programs_are_named_as_go_names_them() {
        let name = |directory: &str, package: &str, tests| {
            let (directory, packages) = (directory.to_owned(), vec![package.to_owned()]);
            Order { directory, packages, tests, ..Order::default() }.name()
        };
        assert_eq!(name("/w/cmd/api", ".", false), "api");
        assert_eq!(name("/w", "./cmd/api/", true), "api.test");
        assert_eq!(name("/w", "main.go", false), "main");
        assert_eq!(name("/w/x", "./...", true), "program.test");
    }
}
