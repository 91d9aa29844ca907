//! Reads the target of a launch: a path or a command line. Pure; the caller of [`run`] looks up
//! files.

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
    /// A name with a version, such as `python3.12`.
    Word(&'a str),
}

/// Names that leave the choice of the interpreter to the plugin.
const ANY: [&str; 3] = ["python", "python3", "pythonw"];

/// A program or module, its arguments, and the interpreter's.
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
    /// A note for the caller.
    pub note: Option<String>,
}

/// Modules that are debuggers, with their options whose value is the next word
/// (debugpy/server/cli.py, pdb.py). The program that they debug is run without them.
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

    /// `python NAME ARGS`.
    pub fn program(name: String, args: Vec<String>) -> Self {
        program(name, args)
    }

    /// The same program as a module, with a note that says so.
    pub fn into_module(self, name: &str) -> Self {
        let note = format!("runs as `python -m {name}`: it is part of a package");
        Self { kind: Kind::Module, name: name.to_owned(), note: Some(note), ..self }
    }

    /// The interpreter, if the caller named a certain one.
    pub fn interpreter(&self) -> Option<Interpreter<'_>> {
        let word = self.first.as_deref()?;
        if word.contains(['/', '\\']) {
            return Some(Interpreter::Path(word));
        }
        let name = word.strip_suffix(".exe").unwrap_or(word);
        (!ANY.contains(&name)).then_some(Interpreter::Word(name))
    }

    /// The option with which Python ignores PYTHONPATH or `sitecustomize`.
    pub fn isolation(&self) -> Option<&str> {
        self.python_args.iter().map(String::as_str).find(|option| isolates(option))
    }
}

fn isolates(option: &str) -> bool {
    let Some(letters) = option.strip_prefix('-').filter(|letters| !letters.starts_with('-')) else {
        return false;
    };
    // After X or W follows a value.
    let switches = letters.split(['X', 'W']).next().unwrap_or_default();
    switches.contains(['I', 'E', 'S'])
}

/// Reads the target; `stat` returns the kind of a path in the request.
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

/// The file of a program; of a directory its `__main__.py`. Fails if it does not exist.
fn entry(path: &str, stat: impl Fn(&str) -> Option<FileKind>) -> Result<String, Error> {
    match stat(path) {
        Some(FileKind::Directory) => {
            let main = format!("{}/__main__.py", path.trim_end_matches('/'));
            if stat(&main).is_some() {
                return Ok(main);
            }
            let missing =
                Error::target_missing(format!("{path} is a directory without __main__.py"));
            Err(missing.hint("name a file, or a module with `python -m NAME`"))
        }
        Some(_) => Ok(path.to_owned()),
        None => Err(Error::target_missing(format!("there is no file {path}"))),
    }
}

/// The package whose `__main__.py` this is, and the directory that contains the package. Imports
/// of the file can depend on the package's name.
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
        return without_debugger(Run {
            kind: Kind::Module,
            ..program(name.to_owned(), rest.to_vec())
        });
    }
    let mut run = without_debugger(after_interpreter(rest)?)?;
    run.first = Some(first.clone());
    Ok(run)
}

/// The program in the command line of a debugger.
fn without_debugger(run: Run) -> Result<Run, Error> {
    let known = DEBUGGERS.iter().find(|(name, _)| run.kind == Kind::Module && run.name == *name);
    let Some((name, valued)) = known else { return Ok(run) };
    let (mut at, mut own) = (0, Vec::new());
    while let Some(word) = run.args.get(at).filter(|word| word.starts_with('-') && *word != "-m") {
        let has_value =
            valued.contains(&word.as_str()) || word.starts_with("--configure-") || word == "--pid";
        let words = &run.args[at..(at + 1 + usize::from(has_value)).min(run.args.len())];
        if let ("--pid", Some(Ok(pid))) =
            (word.as_str(), words.get(1).map(|pid| pid.parse::<u32>()))
        {
            let refused = Error::unsupported(format!("`{name} --pid` launches no program"));
            return Err(refused.hint(format!(r#"debug_attach {{"pid": {pid}}}"#)));
        }
        own.extend(words.iter().map(String::as_str));
        at += words.len();
    }
    let inner = after_interpreter(&run.args[at..])?;
    let words = [&["-m", name], own.as_slice()].concat().join(" ");
    let note = format!("runs without `{words}`: this session is the debugger; no port is opened");
    Ok(Run { python_args: run.python_args, note: Some(note), ..inner })
}

/// Reads the words after the interpreter: its options, then the program or module.
fn after_interpreter(words: &[String]) -> Result<Run, Error> {
    let mut options = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let kind = match word.as_str() {
            "-m" => Kind::Module,
            "-c" => {
                let refused = Error::invalid_request("`python -c` has no source file to debug");
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
        let name = name.ok_or_else(|| Error::invalid_request("`python -m` needs a module name"))?;
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
        let read = match command(&words) {
            Ok(run) => {
                format!("{} {} {:?} {:?}", run.kind.key(), run.name, run.args, run.python_args)
            }
            Err(error) => error.message,
        };
        assert_eq!(read, expect, "{line}");
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
    fn program_of_another_debugger_is_run() {
        check(
            "python -u -m debugpy --listen 5678 --wait-for-client x.py -k",
            r#"program x.py ["-k"] ["-u"]"#,
        );
        check(
            "debugpy --configure-subProcess false --connect h:1 -m app a",
            r#"module app ["a"] []"#,
        );
        check("python -m pdb -c continue x.py", "program x.py [] []");
        check("python -m debugpy --listen 5678 --pid 12", "`debugpy --pid` launches no program");
        check("python -m debugpy --listen 5678", "the command names no program");
        let words = ["python", "-m", "debugpy", "--listen", "5678", "x.py"].map(str::to_owned);
        let note = "runs without `-m debugpy --listen 5678`: \
                    this session is the debugger; no port is opened";
        assert_eq!(command(&words).ok().and_then(|run| run.note).as_deref(), Some(note));
    }

    #[test]
    fn isolating_options_are_recognized() {
        for (line, expect) in [
            ("python -I x.py", Some("-I")),
            ("python -u -bE x.py -S", Some("-bE")),
            ("python3 -S -m http.server", Some("-S")),
            ("python -X dev -WError -XIS -s -P x.py -I", None),
            ("pytest -I", None),
        ] {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            let run = command(&words).unwrap();
            assert_eq!(run.isolation(), expect, "{line}");
        }
    }

    #[test]
    fn commands_without_a_file_are_refused() {
        check("python -c 1", "`python -c` has no source file to debug");
        check("python -u", "the command names no program");
        check("python -m", "`python -m` needs a module name");
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
        let refusal = |path| entry(path, stat).err().map(|error| error.message);
        assert_eq!(refusal("empty").as_deref(), Some("empty is a directory without __main__.py"));
        assert_eq!(refusal("y.py").as_deref(), Some("there is no file y.py"));
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
        assert_eq!(package("shop/__main__.py", stat), Some(("shop".to_owned(), ".".to_owned())));
        assert_eq!(package("a/b/c/__main__.py", stat), Some(("b.c".to_owned(), "a".to_owned())));
        for other in [
            "shop-1.2/shop/__main__.py",
            "plain/__main__.py",
            "shop/other.py",
            "__main__.py",
            "./__main__.py",
            "/__main__.py",
        ] {
            assert_eq!(package(other, stat), None, "{other}");
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
