//! Reads what the caller wants to run: a path or a command line. Pure, but for
//! one question to the file system that the caller of [`run`] answers.

use dapdock_plugin::adapter::FileKind;
use dapdock_plugin::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Program,
    Module,
}

impl Kind {
    /// Its key in the launch arguments.
    pub fn key(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Module => "module",
        }
    }
}

/// An interpreter that the caller named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interpreter<'a> {
    Path(&'a str),
    /// One of a version, as `python3.12`.
    Word(&'a str),
}

/// Words that leave the choice to us.
const ANY: [&str; 3] = ["python", "python3", "pythonw"];

/// What to run, and how.
#[derive(Debug, PartialEq)]
pub struct Run {
    pub kind: Kind,
    /// A path as the caller wrote it, or a module's name.
    pub name: String,
    pub args: Vec<String>,
    /// Options of the interpreter.
    pub python_args: Vec<String>,
    /// The first word of the command line.
    first: Option<String>,
    /// What is to be told of it.
    pub note: Option<String>,
}

/// Modules that are debuggers themselves, with their options whose value is the next word
/// (debugpy/server/cli.py, pdb.py): what they debug is run without them.
const DEBUGGERS: [(&str, &[&str]); 2] = [
    (
        "debugpy",
        &["--listen", "--connect", "--log-to", "--parent-session-pid", "--adapter-access-token"],
    ),
    ("pdb", &["-c", "--command"]),
];

impl Run {
    /// `python -m NAME ARGS`.
    pub fn module(name: &str, args: Vec<String>) -> Self {
        Self { kind: Kind::Module, ..program(name.to_owned(), args) }
    }

    /// The same by its name, which is told.
    pub fn into_module(self, name: &str) -> Self {
        let note = format!("runs as `python -m {name}`: it is part of a package");
        Self { kind: Kind::Module, name: name.to_owned(), note: Some(note), ..self }
    }

    /// The interpreter, where the caller named a certain one.
    pub fn interpreter(&self) -> Option<Interpreter<'_>> {
        let word = self.first.as_deref()?;
        if word.contains(['/', '\\']) {
            return Some(Interpreter::Path(word));
        }
        let name = word.strip_suffix(".exe").unwrap_or(word);
        (!ANY.contains(&name)).then_some(Interpreter::Word(name))
    }

    /// The option that has Python look neither at PYTHONPATH nor for a `sitecustomize`.
    pub fn isolated(&self) -> Option<&str> {
        self.python_args.iter().map(String::as_str).find(|option| {
            let letters = option
                .strip_prefix('-')
                .filter(|letters| !letters.starts_with('-'))
                .unwrap_or_default();
            // Behind these is a value.
            let own = letters.split(['X', 'W']).next().unwrap_or_default();
            own.contains(['I', 'E', 'S'])
        })
    }
}

/// `stat` knows what a path of the request is.
pub fn run(request: &DebugRequest, stat: impl Fn(&str) -> Option<FileKind>) -> Result<Run, Error> {
    let mut run = match &request.target {
        Some(TargetRef::Path(path)) => program(path.clone(), Vec::new()),
        Some(TargetRef::Command(words)) => command(words)?,
        _ => return Err(Error::unsupported("debugpy runs programs, modules and command lines")),
    };
    run.args.extend(request.args.iter().cloned());
    if run.kind == Kind::Program {
        run.name = entry(&run.name, stat)?;
    }
    Ok(run)
}

/// Checks that a program is there; a directory stands for its `__main__.py`.
fn entry(path: &str, stat: impl Fn(&str) -> Option<FileKind>) -> Result<String, Error> {
    match stat(path) {
        Some(FileKind::Directory) => {
            let main = format!("{}/__main__.py", path.trim_end_matches('/'));
            let there = stat(&main).is_some();
            let missing =
                Error::target_missing(format!("{path} is a directory without __main__.py"));
            if there {
                Ok(main)
            } else {
                Err(missing.hint("name a file, or a module with `python -m NAME`"))
            }
        }
        Some(_) => Ok(path.to_owned()),
        None => Err(Error::target_missing(format!("there is no file {path}"))),
    }
}

/// The package that a `__main__.py` is of, which imports by its name, and the directory it is in.
pub fn package(main: &str, stat: impl Fn(&str) -> Option<FileKind>) -> Option<(String, String)> {
    let mut above = main.strip_suffix("/__main__.py")?;
    let mut names = Vec::new();
    while stat(&format!("{above}/__init__.py")).is_some() {
        let (parent, name) = above.rsplit_once('/').unwrap_or((".", above));
        if matches!(name, "" | "." | "..") {
            break;
        }
        if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        names.insert(0, name);
        above = parent;
    }
    (!names.is_empty()).then(|| (names.join("."), above.to_owned()))
}

fn program(name: String, args: Vec<String>) -> Run {
    Run { kind: Kind::Program, name, args, python_args: Vec::new(), first: None, note: None }
}

/// `python [-X opt] x.py …`, `python -m mod …`, `pytest …`, `x.py …`.
fn command(words: &[String]) -> Result<Run, Error> {
    let (first, rest) =
        words.split_first().ok_or_else(|| Error::invalid_request("the command is empty"))?;
    let name = first.rsplit(['/', '\\']).next().unwrap_or(first);
    if name.ends_with(".py") {
        return Ok(program(first.clone(), rest.to_vec()));
    }
    if !name.starts_with("python") {
        return undebugged(Run { kind: Kind::Module, ..program(name.to_owned(), rest.to_vec()) });
    }
    let mut run = undebugged(after_interpreter(rest)?)?;
    run.first = Some(first.clone());
    Ok(run)
}

/// What a debugger's own command line debugs.
fn undebugged(run: Run) -> Result<Run, Error> {
    let known = |(name, _): &&(&str, _)| run.kind == Kind::Module && run.name == *name;
    let Some((name, valued)) = DEBUGGERS.iter().find(known) else { return Ok(run) };
    let (mut at, mut own) = (0, Vec::new());
    while let Some(word) = run.args.get(at).filter(|word| word.starts_with('-') && *word != "-m") {
        let takes =
            valued.contains(&word.as_str()) || word.starts_with("--configure-") || word == "--pid";
        let words = &run.args[at..(at + 1 + usize::from(takes)).min(run.args.len())];
        if let ("--pid", Some(Ok(pid))) =
            (word.as_str(), words.get(1).map(|pid| pid.parse::<u32>()))
        {
            let refused = Error::unsupported(format!("`{name} --pid` starts nothing to debug"));
            return Err(refused.hint(format!(r#"debug_attach {{"pid": {pid}}}"#)));
        }
        own.extend(words.iter().map(String::as_str));
        at += words.len();
    }
    let inner = after_interpreter(&run.args[at..])?;
    let words = [&["-m", name], own.as_slice()].concat().join(" ");
    let note = format!("runs without `{words}`: this session is the debugger, and nothing listens");
    Ok(Run { python_args: run.python_args, note: Some(note), ..inner })
}

/// What follows the interpreter's name: its options, then what it runs.
fn after_interpreter(words: &[String]) -> Result<Run, Error> {
    let mut options = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let kind = match word.as_str() {
            "-m" => Kind::Module,
            "-c" => {
                let refused =
                    Error::invalid_request("`python -c` has no file whose lines could be debugged");
                return Err(refused.hint("write the code to a file and launch that"));
            }
            "-X" | "-W" => {
                options.push(word.clone());
                options.extend(words.next().cloned());
                continue;
            }
            option if option.starts_with('-') && option != "-" => {
                options.push(word.clone());
                continue;
            }
            _ => Kind::Program,
        };
        let name = match kind {
            Kind::Program => Some(word),
            Kind::Module => words.next(),
        };
        let name =
            name.ok_or_else(|| Error::invalid_request("`python -m` needs a module's name"))?;
        let run = program(name.clone(), words.cloned().collect());
        return Ok(Run { kind, python_args: options, ..run });
    }
    Err(Error::invalid_request("the command names no program")
        .hint("python FILE.py, or python -m MODULE"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let said = match command(&words) {
            Ok(run) => {
                format!("{} {} {:?} {:?}", run.kind.key(), run.name, run.args, run.python_args)
            }
            Err(error) => error.message,
        };
        assert_eq!(said, expect, "{line}");
    }

    #[test]
    fn command_lines_are_read_as_python_reads_them() {
        check("python x.py a -m", r#"program x.py ["a", "-m"] []"#);
        check("/usr/bin/python3.12 -X dev -u x.py", r#"program x.py [] ["-X", "dev", "-u"]"#);
        check("python3 -m http.server 80", r#"module http.server ["80"] []"#);
        check("pytest -k gold", r#"module pytest ["-k", "gold"] []"#);
        check(".venv/bin/pytest", "module pytest [] []");
        check("./x.py run", r#"program ./x.py ["run"] []"#);
    }

    #[test]
    fn what_another_debugger_debugs_is_run() {
        check(
            "python -u -m debugpy --listen 5678 --wait-for-client x.py -k",
            r#"program x.py ["-k"] ["-u"]"#,
        );
        check(
            "debugpy --configure-subProcess false --connect h:1 -m app a",
            r#"module app ["a"] []"#,
        );
        check("python -m pdb -c continue x.py", "program x.py [] []");
        check(
            "python -m debugpy --listen 5678 --pid 12",
            "`debugpy --pid` starts nothing to debug",
        );
        check("python -m debugpy --listen 5678", "the command names no program");
        let words = ["python", "-m", "debugpy", "--listen", "5678", "x.py"].map(str::to_owned);
        let note = "runs without `-m debugpy --listen 5678`: this session is the debugger, and nothing listens";
        assert_eq!(command(&words).ok().and_then(|run| run.note).as_deref(), Some(note));
    }

    #[test]
    fn options_that_isolate_python_are_seen() {
        for (line, expect) in [
            ("python -I x.py", Some("-I")),
            ("python -u -bE x.py -S", Some("-bE")),
            ("python3 -S -m http.server", Some("-S")),
            ("python -X dev -WError -XIS -s -P x.py -I", None),
            ("pytest -I", None),
        ] {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            let run = command(&words).unwrap();
            assert_eq!(run.isolated(), expect, "{line}");
        }
    }

    #[test]
    fn commands_without_a_file_are_refused() {
        check("python -c 1", "`python -c` has no file whose lines could be debugged");
        check("python -u", "the command names no program");
        check("python -m", "`python -m` needs a module's name");
    }

    #[test]
    fn a_directory_stands_for_its_main() {
        let stat = |path: &str| match path {
            "pkg" | "empty" => Some(FileKind::Directory),
            "pkg/__main__.py" | "x.py" => Some(FileKind::File),
            _ => None,
        };
        assert_eq!(entry("pkg", stat).ok().as_deref(), Some("pkg/__main__.py"));
        assert_eq!(entry("x.py", stat).ok().as_deref(), Some("x.py"));
        let said = |path| entry(path, stat).err().map(|error| error.message);
        assert_eq!(said("empty").as_deref(), Some("empty is a directory without __main__.py"));
        assert_eq!(said("y.py").as_deref(), Some("there is no file y.py"));
    }

    #[test]
    fn a_package_runs_by_its_name() {
        let stat = |path: &str| {
            let of = [
                "shop-1.2/__init__.py",
                "shop-1.2/shop/__init__.py",
                "shop/__init__.py",
                "a/b/__init__.py",
                "a/b/c/__init__.py",
                "./__init__.py",
                "/__init__.py",
            ];
            of.contains(&path).then_some(FileKind::File)
        };
        let told = |main: &str| package(main, stat);
        assert_eq!(told("shop/__main__.py"), Some(("shop".to_owned(), ".".to_owned())));
        assert_eq!(told("a/b/c/__main__.py"), Some(("b.c".to_owned(), "a".to_owned())));
        for other in [
            "shop-1.2/shop/__main__.py",
            "plain/__main__.py",
            "shop/other.py",
            "__main__.py",
            "./__main__.py",
            "/__main__.py",
        ] {
            assert_eq!(told(other), None, "{other}");
        }
    }

    #[test]
    fn an_interpreter_with_a_path_or_a_version_is_a_choice() {
        for (line, expect) in [
            ("python3 x.py", None),
            ("python.exe x.py", None),
            ("x.py", None),
            ("pytest x.py", None),
            ("env/bin/python x.py", Some(Interpreter::Path("env/bin/python"))),
            ("python3.12 -u x.py", Some(Interpreter::Word("python3.12"))),
            ("python2 -m x", Some(Interpreter::Word("python2"))),
        ] {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            let run = command(&words).unwrap();
            assert_eq!(run.interpreter(), expect, "{line}");
        }
    }
}
