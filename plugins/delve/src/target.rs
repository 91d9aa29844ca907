//! Reads the target of a request: a program, a package, a source file, or a command line of `go` or
//! `dlv`. Pure; the caller of [`debuggee`] looks up files.

use dapdock_golang::test_kinds::TestKind;
use dapdock_golang::{options, tags};
use dapdock_plugin::path::join;
use dapdock_plugin::prelude::*;

use crate::flags;

/// What to debug.
#[derive(Debug, PartialEq)]
pub enum Debuggee {
    /// A built program.
    Program {
        path: String,
        args: Vec<String>,
    },
    Core {
        program: String,
        core: String,
    },
    Pid(u32),
    /// A `dlv` that runs as a server.
    Server {
        host: String,
        port: u16,
    },
    Build(Box<GoBuild>),
}

/// A build with `go`, and how to run the result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoBuild {
    pub tests: bool,
    /// Build options: `-race`, `-tags=x`.
    pub flags: Vec<String>,
    /// Those that `go` takes from its environment; each of `flags` replaces the same one here.
    pub environment: Vec<String>,
    /// Packages, or the files of one.
    pub packages: Vec<String>,
    /// Arguments of the program, or of the test binary.
    pub args: Vec<String>,
    /// The pattern of tests, `-run`.
    pub run: Option<String>,
    /// The pattern of benchmarks, `-bench`.
    pub bench: Option<String>,
    /// The pattern of the fuzz test, `-fuzz`.
    pub fuzz: Option<String>,
    /// Where `go` runs.
    pub directory: String,
    /// The value of the caller's `-C`.
    pub change_dir: Option<String>,
    /// A file that the build has to include.
    pub source: Option<String>,
    /// Options that were ignored, and why.
    pub notes: Vec<String>,
}

impl GoBuild {
    /// The kind and pattern that must have a match. With `-fuzz` or `-bench`, `-run` may match
    /// nothing.
    pub fn requested(&self) -> Option<(TestKind, &str)> {
        if let Some(pattern) = &self.fuzz {
            return Some((TestKind::Fuzz, pattern));
        }
        if let Some(pattern) = &self.bench {
            return Some((TestKind::Benchmark, pattern));
        }
        self.run.as_deref().map(|pattern| (TestKind::Test, pattern))
    }

    /// The build's tags.
    pub fn tags(&self) -> Vec<String> {
        options::tags(&[&self.environment[..], &self.flags].concat())
    }

    /// The arguments of the test binary that select its tests.
    pub fn selection(&self) -> impl Iterator<Item = String> {
        let patterns = [("run", &self.run), ("bench", &self.bench), ("fuzz", &self.fuzz)];
        patterns
            .into_iter()
            .filter_map(|(name, pattern)| Some(format!("-test.{name}={}", pattern.as_ref()?)))
    }

    /// The file name of the built program.
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

/// Reads the target; `stat` returns the kind of a path, `head` the beginning of a file.
pub fn debuggee(
    request: &DebugRequest,
    root: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
    head: impl Fn(&str) -> String,
) -> Result<Debuggee, Error> {
    let directory = request.cwd.as_deref().unwrap_or(root);
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    match &request.target {
        Some(TargetRef::Path(path)) => match config["core"].as_str() {
            Some(core) => {
                Ok(Debuggee::Core { program: join(directory, path), core: join(directory, core) })
            }
            None => Ok(of_path(&join(directory, path), root, stat, head)),
        },
        Some(TargetRef::Command(words)) => command(words, directory, stat),
        Some(TargetRef::Pid(pid)) => Ok(Debuggee::Pid(*pid)),
        Some(TargetRef::Address((host, port))) => {
            Ok(Debuggee::Server { host: host.clone(), port: *port })
        }
        Some(TargetRef::Id(_)) => Err(Error::internal("a test is looked up first")),
        None => Err(Error::invalid_request("the request names no target")),
    }
}

/// One test or benchmark of the package in the directory of this file.
pub fn test_named(kind: TestKind, pattern: String, source: String) -> Debuggee {
    let directory = source.rsplit_once('/').map_or(".", |(directory, _)| directory).to_owned();
    let (run, bench) = match kind {
        TestKind::Benchmark => ("^$".to_owned(), Some(pattern)),
        _ => (pattern, None),
    };
    Debuggee::Build(Box::new(GoBuild {
        tests: true,
        packages: vec![".".into()],
        run: Some(run),
        bench,
        directory,
        source: Some(source),
        ..GoBuild::default()
    }))
}

fn of_path(
    path: &str,
    root: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
    head: impl Fn(&str) -> String,
) -> Debuggee {
    let build = |tests, directory: &str, package: &str| {
        let (packages, directory) = (vec![package.to_owned()], directory.to_owned());
        let source = (path.ends_with(".go") && package == ".").then(|| path.to_owned());
        Debuggee::Build(Box::new(GoBuild {
            tests,
            packages,
            directory,
            source,
            ..GoBuild::default()
        }))
    };
    if matches!(stat(path), Some(FileKind::Directory)) {
        return build(false, path, ".");
    }
    if !path.ends_with(".go") {
        return Debuggee::Program { path: path.to_owned(), args: Vec::new() };
    }
    let (directory, file) = path.rsplit_once('/').unwrap_or((".", path));
    if file.ends_with("_test.go") {
        return build(true, directory, ".");
    }
    // A file that its package excludes, and one outside any module, are built alone.
    let alone = tags::is_ignored(&head(path));
    let in_module = ancestors(directory, root).any(|dir| stat(&format!("{dir}/go.mod")).is_some());
    build(false, directory, if alone || !in_module { file } else { "." })
}

/// The directory and those above it, up to the root.
fn ancestors<'a>(directory: &'a str, root: &'a str) -> impl Iterator<Item = &'a str> {
    std::iter::successors(Some(directory), |dir| dir.rsplit_once('/').map(|(parent, _)| parent))
        .take_while(move |dir| dir.starts_with(root))
}

fn command(
    words: &[String],
    directory: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
) -> Result<Debuggee, Error> {
    let (first, rest) =
        words.split_first().ok_or_else(|| Error::invalid_request("the command is empty"))?;
    match first.rsplit('/').next() {
        Some("go") => go(rest, directory, stat),
        Some("dlv") => dlv(rest, directory),
        _ => Ok(Debuggee::Program { path: join(directory, first), args: rest.to_vec() }),
    }
}

/// Reads the words after `go`. A file after `-C` stands for its directory: launch configurations of
/// editors contain that.
fn go(
    words: &[String],
    directory: &str,
    stat: impl Fn(&str) -> Option<FileKind>,
) -> Result<Debuggee, Error> {
    let verb = words.first().map_or("", String::as_str);
    let spec = match verb {
        "run" => flags::run(&words[1..])?,
        "test" => flags::test(&words[1..])?,
        "build" => {
            let refused = Error::unsupported(
                "`go build` runs no program; `go run` builds the same program and runs it",
            );
            return Err(refused.hint("`go run` with the same package"));
        }
        other => {
            let refused = Error::unsupported(format!("`go {other}` runs no program"));
            return Err(refused.hint("use `go run PACKAGE …` or `go test PACKAGE -run NAME`"));
        }
    };
    let mut directory = directory.to_owned();
    if let Some(change_dir) = &spec.change_dir {
        directory = join(&directory, change_dir);
        if matches!(stat(&directory), Some(FileKind::File))
            && let Some((parent, _)) = directory.rsplit_once('/')
        {
            directory = parent.to_owned();
        }
    }
    Ok(Debuggee::Build(Box::new(GoBuild { directory, ..spec })))
}

/// A note about the options of a `dlv` command line that are ignored.
pub fn ignored_options(request: &DebugRequest) -> Option<String> {
    let Some(TargetRef::Command(words)) = &request.target else { return None };
    let (first, rest) = words.split_first()?;
    if first.rsplit('/').next() != Some("dlv") {
        return None;
    }
    let own = rest.iter().take_while(|word| *word != "--").map(String::as_str);
    let ignored: Vec<&str> = own.filter(|word| flags::is_server_option(word)).collect();
    if ignored.is_empty() {
        return None;
    }
    let words = ignored.join(" ");
    Some(format!("dlv runs without {words}: this session is the debugger; no port is opened"))
}

/// Reads the words after `dlv`: options may stand before the verb too; the program's arguments
/// stand after `--`.
fn dlv(words: &[String], directory: &str) -> Result<Debuggee, Error> {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let args = words.get(end + 1..).unwrap_or_default().to_vec();
    let (names, flags) = flags::dlv(&words[..end])?;
    let mut names = names.into_iter();
    let verb = names.next().unwrap_or_default();
    let mut build = |tests| {
        let packages = vec![names.next().unwrap_or_else(|| ".".into())];
        let (args, flags, directory) = (args.clone(), flags.clone(), directory.into());
        Ok(Debuggee::Build(Box::new(GoBuild {
            tests,
            packages,
            args,
            flags,
            directory,
            ..GoBuild::default()
        })))
    };
    match verb.as_str() {
        "debug" => build(false),
        "test" => build(true),
        "exec" => match names.next() {
            Some(program) => Ok(Debuggee::Program { path: join(directory, &program), args }),
            None => Err(Error::invalid_request("`dlv exec` names no program")),
        },
        "core" => match (names.next(), names.next()) {
            (Some(program), Some(core)) => Ok(Debuggee::Core {
                program: join(directory, &program),
                core: join(directory, &core),
            }),
            _ => Err(Error::invalid_request("`dlv core` needs a program and a core file")),
        },
        "attach" if let Some(Ok(pid)) = names.next().map(|pid| pid.parse::<u32>()) => {
            let refused = Error::unsupported("`dlv attach` launches no program");
            Err(refused.hint(format!(r#"debug_attach {{"pid": {pid}}}"#)))
        }
        "connect" if let Some(address) = names.next() => {
            let refused = Error::unsupported("`dlv connect` launches no program");
            let address = address
                .strip_prefix(':')
                .map_or(address.clone(), |port| format!("127.0.0.1:{port}"));
            Err(refused.hint(format!(r#"debug_attach {{"address": "{address}"}}"#)))
        }
        other => {
            let refused = Error::unsupported(format!("`dlv {other}` launches no program"));
            Err(refused.hint("use `dlv debug`, `dlv test`, `dlv exec` or `dlv core`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(debuggee: Result<Debuggee, Error>) -> String {
        match debuggee {
            Ok(Debuggee::Build(spec)) => {
                let kind = if spec.tests { "test" } else { "build" };
                let run = spec.run.map(|run| format!(" run {run}")).unwrap_or_default();
                let words = [spec.flags, spec.packages].concat().join(" ");
                format!("{kind} {words} in {}{run} args {:?}", spec.directory, spec.args)
            }
            Ok(other) => format!("{other:?}"),
            Err(error) => error.message,
        }
    }

    #[track_caller]
    fn line(line: &str, expect: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let stat = |path: &str| path.ends_with(".go").then_some(FileKind::File);
        assert_eq!(text(command(&words, "/w", stat)), expect, "{line}");
    }

    #[test]
    fn command_lines_are_read_as_go_and_dlv_read_them() {
        line("go run ./cmd/x -v a", r#"build ./cmd/x in /w args ["-v", "a"]"#);
        line(
            "go run -race -tags a,b main.go util.go x.txt",
            r#"build -race -tags a,b main.go util.go in /w args ["x.txt"]"#,
        );
        line("go test ./pkg -run TestX -v", r#"test ./pkg in /w run TestX args ["-test.v"]"#);
        line("go test", "test . in /w args []");
        line("go test -C pkg -run X", "test . in /w/pkg run X args []");
        line("go test -C pkg/x_test.go", "test . in /w/pkg args []");
        line("go -x", "`go -x` runs no program");
        line("go vet ./...", "`go vet` runs no program");
        line("dlv debug ./cmd/x --headless -- a b", r#"build ./cmd/x in /w args ["a", "b"]"#);
        line("dlv test -- -test.run X", r#"test . in /w args ["-test.run", "X"]"#);
        line("dlv exec ./a -- b", r#"Program { path: "/w/a", args: ["b"] }"#);
        line("dlv --listen :1 --headless exec ./a", r#"Program { path: "/w/a", args: [] }"#);
        line("dlv exec ./a --wd sub", "`dlv --wd` is not supported");
        line("dlv connect :1", "`dlv connect` launches no program");
        for (address, full) in [(":1", "127.0.0.1:1"), ("[::1]:2", "[::1]:2"), ("far:3", "far:3")] {
            let refused = dlv(&["connect".to_owned(), address.to_owned()], "/w").unwrap_err();
            assert_eq!(refused.hint, Some(format!(r#"debug_attach {{"address": "{full}"}}"#)));
        }
        line("dlv attach 12", "`dlv attach` launches no program");
        line("dlv core ./a c.1", r#"Core { program: "/w/a", core: "/w/c.1" }"#);
        line("dlv trace x", "`dlv trace` launches no program");
        line("./a b", r#"Program { path: "/w/a", args: ["b"] }"#);
    }

    #[test]
    fn a_file_stands_for_its_package_unless_excluded() {
        let stat = |path: &str| match path {
            "/w/m/cmd/x" => Some(FileKind::Directory),
            "/w/m/go.mod" | "/w/m/cmd/x/main.go" => Some(FileKind::File),
            _ => None,
        };
        let head = |path: &str| {
            if path.ends_with("gen.go") { "//go:build ignore\n".into() } else { String::new() }
        };
        let read = |path: &str| text(Ok(of_path(path, "/w", stat, head)));
        assert_eq!(read("/w/m/cmd/x"), "build . in /w/m/cmd/x args []");
        assert_eq!(read("/w/m/cmd/x/main.go"), "build . in /w/m/cmd/x args []");
        assert_eq!(read("/w/m/cmd/x/gen.go"), "build gen.go in /w/m/cmd/x args []");
        assert_eq!(read("/w/m/cmd/x/x_test.go"), "test . in /w/m/cmd/x args []");
        assert_eq!(read("/w/loose/a.go"), "build a.go in /w/loose args []");
        assert_eq!(read("/w/bin/x"), r#"Program { path: "/w/bin/x", args: [] }"#);
    }

    #[test]
    fn programs_are_named_as_go_names_them() {
        let name = |directory: &str, package: &str, tests| {
            let (directory, packages) = (directory.to_owned(), vec![package.to_owned()]);
            GoBuild { directory, packages, tests, ..GoBuild::default() }.name()
        };
        assert_eq!(name("/w/cmd/api", ".", false), "api");
        assert_eq!(name("/w", "./cmd/api/", true), "api.test");
        assert_eq!(name("/w", "main.go", false), "main");
        assert_eq!(name("/w/x", "./...", true), "program.test");
    }
}
