//! The programs of each language, and a host that debugs them.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::caller::{self, Answer, Caller, Start, root};

/// A column of the table: a language with one version of one debugger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    Rust,
    Go,
    JavaScript,
    C,
    /// C with CodeLLDB.
    LldbC,
    /// C with the older gdb.
    OldC,
    /// Go with the older Delve, and a Go of the same age.
    OldGo,
    /// JavaScript with the older js-debug.
    OldJavaScript,
    /// Python with the older debugpy, which is installed for the Python that runs the programs.
    OldPython,
}

impl Language {
    pub fn python() -> Self {
        Self::Python
    }

    pub fn rust() -> Self {
        Self::Rust
    }

    pub fn go() -> Self {
        Self::Go
    }

    pub fn javascript() -> Self {
        Self::JavaScript
    }

    pub fn c() -> Self {
        Self::C
    }

    pub fn c_lldb() -> Self {
        Self::LldbC
    }

    pub fn c_older() -> Self {
        Self::OldC
    }

    pub fn go_older() -> Self {
        Self::OldGo
    }

    pub fn javascript_older() -> Self {
        Self::OldJavaScript
    }

    pub fn python_older() -> Self {
        Self::OldPython
    }

    /// The language with its newest debugger.
    pub fn newest(self) -> Self {
        match self {
            Self::OldC => Self::C,
            Self::OldGo => Self::Go,
            Self::OldJavaScript => Self::JavaScript,
            Self::OldPython => Self::Python,
            newest => newest,
        }
    }

    /// The debugger's name in `REQUIRE_DEBUGGERS`.
    pub fn debugger(self) -> &'static str {
        match self {
            Self::Python => "debugpy",
            Self::Rust | Self::LldbC => "codelldb",
            Self::Go => "delve",
            Self::JavaScript => "js-debug",
            Self::C => "gdb",
            Self::OldC => "gdb-16",
            Self::OldGo => "delve-older",
            Self::OldJavaScript => "js-debug-older",
            Self::OldPython => "debugpy-older",
        }
    }

    /// The value of `adapter`, and the first part of session names.
    pub fn adapter(self) -> &'static str {
        self.newest().debugger()
    }

    /// The debugger's name under `[tools]`.
    fn tool(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Rust | Self::LldbC => "codelldb",
            Self::Go => "dlv",
            Self::JavaScript => "js-debug",
            Self::C => "gdb",
            Self::OldC => "gdb-16",
            Self::OldGo => "dlv-older",
            Self::OldJavaScript => "js-debug-older",
            Self::OldPython => "older-python",
        }
    }

    /// The path of the adapter's program in the configuration.
    pub fn tool_path(self) -> Option<String> {
        let text = std::fs::read_to_string(caller::adapters_config()).unwrap_or_default();
        let table: toml::Table = text.parse().unwrap();
        Some(table.get("tools")?.get(self.tool())?.get("path")?.as_str()?.to_owned())
    }

    /// What is missing for debugging, if anything.
    fn missing(self) -> Option<String> {
        let programs = root().join(self.program("cart"));
        match self.tool_path() {
            None => {
                Some(format!("{} names no {}", caller::adapters_config().display(), self.tool()))
            }
            Some(path) if !Path::new(&path).exists() => Some(format!("there is no {path}")),
            Some(_) if !programs.exists() => Some(format!("{} is not built", programs.display())),
            Some(_) => None,
        }
    }

    /// Whether the tests of this column can run. If `REQUIRE_DEBUGGERS` names the debugger, they
    /// must.
    #[expect(clippy::disallowed_macros, reason = "a skipped test says so where tests speak")]
    pub fn is_here(self) -> bool {
        let Some(missing) = self.missing() else { return true };
        let required = std::env::var("REQUIRE_DEBUGGERS").unwrap_or_default();
        assert!(
            !required.split(',').any(|name| name.trim() == self.debugger()),
            "{missing}: cargo xtask adapters"
        );
        println!("skipped: {missing}: cargo xtask adapters, cargo xtask fixtures");
        false
    }

    /// The program to launch, relative to the workspace's root.
    pub fn program(self, name: &str) -> String {
        match self {
            Self::Python | Self::OldPython | Self::JavaScript | Self::OldJavaScript => {
                self.source(name)
            }
            Self::Rust => format!("target/fixtures/debug/{name}"),
            Self::Go => format!("target/fixtures/go/{name}"),
            Self::OldGo => format!("target/fixtures/go_older/{name}"),
            Self::C | Self::LldbC | Self::OldC => format!("target/fixtures/c/{name}"),
        }
    }

    /// A command line that runs the program without a debugger.
    pub fn command(self, name: &str) -> Vec<String> {
        let program = root().join(self.program(name)).display().to_string();
        match self {
            Self::Python | Self::OldPython => vec!["python3".to_owned(), program],
            Self::JavaScript | Self::OldJavaScript => vec!["node".to_owned(), program],
            Self::Rust | Self::Go | Self::OldGo | Self::C | Self::LldbC | Self::OldC => {
                vec![program]
            }
        }
    }

    /// The compiler; for the older Delve a Go of the same age.
    pub fn compiler(self) -> String {
        match self {
            Self::Rust => "rustc".to_owned(),
            Self::Go => "go".to_owned(),
            Self::OldGo => {
                let delve = self.tool_path().unwrap();
                Path::new(&delve)
                    .ancestors()
                    .nth(2)
                    .unwrap()
                    .join("sdk/go1.20.14/bin/go")
                    .display()
                    .to_string()
            }
            Self::C | Self::LldbC | Self::OldC => "cc".to_owned(),
            _ => unreachable!("{self:?} is not compiled"),
        }
    }

    /// The program's source file, relative to the workspace's root.
    pub fn source(self, name: &str) -> String {
        match self {
            Self::Python | Self::OldPython => format!("tests/fixtures/python/{name}.py"),
            Self::Rust => format!("tests/fixtures/rust/src/bin/{name}.rs"),
            Self::Go | Self::OldGo => format!("tests/fixtures/go/{name}/main.go"),
            Self::JavaScript | Self::OldJavaScript => {
                format!("tests/fixtures/javascript/{name}.js")
            }
            Self::C | Self::LldbC | Self::OldC => format!("tests/fixtures/c/{name}.c"),
        }
    }

    /// Whether it is C, with any debugger.
    pub fn is_c(self) -> bool {
        self.has_gdb() || self == Self::LldbC
    }

    /// Whether it is C with any gdb.
    pub fn has_gdb(self) -> bool {
        self.newest() == Self::C
    }

    /// How a host for this column is started: an older debugger takes the newer one's place in the
    /// configuration.
    pub fn start(self) -> Start {
        let newest = self.newest();
        if self == newest {
            return Start::structured();
        }
        let config =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("older-{}.toml", newest.tool()));
        let tool = self.tool_path().unwrap();
        let mut text = format!("[tools.{}]\npath = {tool:?}\n", newest.tool());
        if self == Self::OldGo {
            text.push_str(&format!("[tools.go]\npath = {:?}\n", self.compiler()));
        }
        // This gdb traces the program in the tests of traced processes.
        if let Some(gdb) = Self::C.tool_path().filter(|_| newest != Self::C) {
            text.push_str(&format!("[tools.gdb]\npath = {gdb:?}\n"));
        }
        if std::fs::read_to_string(&config).is_ok_and(|old| old == text) {
            return Start { config, ..Start::structured() };
        }
        // Written to another file and renamed: other tests read the file at the same time.
        let written = config.with_extension(format!("{}", std::process::id()));
        std::fs::write(&written, text).unwrap();
        std::fs::rename(&written, &config).unwrap();
        Start { config, ..Start::structured() }
    }

    /// A marked line as `path:line`.
    #[track_caller]
    pub fn at(self, name: &str, mark: &str) -> String {
        let source = self.source(name);
        format!("{source}:{}", marked(&root().join(&source), mark))
    }
}

/// The number of the line with `[stop: mark]`.
#[track_caller]
pub fn marked(file: &Path, mark: &str) -> usize {
    let text = std::fs::read_to_string(file).unwrap();
    let wanted = format!("[stop: {mark}]");
    let lines: Vec<_> =
        text.lines().enumerate().filter(|(_, line)| line.contains(&wanted)).collect();
    assert_eq!(lines.len(), 1, "{wanted} in {}", file.display());
    lines[0].0 + 1
}

/// The language's error for the undefined name `nowhere`.
pub fn undefined_name(stage: &Stage) -> &'static str {
    stage.pick(
        "NameError: name 'nowhere' is not defined",
        "there is no `nowhere` here",
        "undefined: nowhere",
        "ReferenceError: nowhere is not defined",
        stage.of_c("No symbol \"nowhere\" in current context", "there is no `nowhere` here"),
    )
}

/// A host and the column it is tested with.
pub struct Stage {
    pub language: Language,
    pub caller: Caller,
}

/// Starts a host with a workspace of these files.
pub async fn workspace_with(files: &[(&str, &str)]) -> (tempfile::TempDir, Caller) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let cwd = dir.path().canonicalize().unwrap();
    (dir, Caller::start(Start { cwd, ..Start::structured() }).await)
}

/// Compiles in a directory with a compiler's own arguments, as the user's build would.
pub fn compile(dir: &Path, compiler: &str, arguments: &[&str]) {
    #[expect(clippy::disallowed_methods, reason = "no process of the host")]
    let mut build = std::process::Command::new(compiler);
    let built = build.args(arguments).current_dir(dir).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// Runs a scenario, then ends the host: no process may be left.
pub async fn run_scenario(language: Language, scenario: impl AsyncFnOnce(&mut Stage)) {
    if !language.is_here() {
        return;
    }
    let mut stage = Stage { language, caller: Caller::start(language.start()).await };
    scenario(&mut stage).await;
    stage.caller.hang_up();
    assert_eq!(stage.caller.wait_for_exit().await, Some(0));
    stage.caller.mark.wait_until_gone(Duration::from_secs(2), "after the caller went").await;
}

impl Stage {
    /// The expectation for this language.
    pub fn pick<T>(&self, python: T, rust: T, go: T, javascript: T, c: T) -> T {
        match self.language {
            Language::Python | Language::OldPython => python,
            Language::Rust => rust,
            Language::Go | Language::OldGo => go,
            Language::JavaScript | Language::OldJavaScript => javascript,
            Language::C | Language::LldbC | Language::OldC => c,
        }
    }

    /// The expectation for C, by its debugger.
    pub fn of_c<T>(&self, gdb: T, lldb: T) -> T {
        if self.language == Language::LldbC { lldb } else { gdb }
    }

    /// Replaces the host by one in this directory.
    pub async fn start_in(&mut self, dir: &Path) {
        let cwd = dir.canonicalize().unwrap();
        self.caller = Caller::start(Start { cwd, ..self.language.start() }).await;
    }

    pub fn at(&self, name: &str, mark: &str) -> String {
        self.language.at(name, mark)
    }

    /// A function's name, as the language spells it.
    pub fn spelled(&self, function: &str) -> String {
        match (self.language.newest(), function.split_once('_')) {
            (Language::Go, Some((first, rest))) => {
                format!("{first}{}{}", rest[..1].to_uppercase(), &rest[1..])
            }
            _ => function.to_owned(),
        }
    }

    /// A program's function, as the language qualifies it.
    pub fn function(&self, program: &str, function: &str) -> String {
        let function = self.spelled(function);
        let qualified = (format!("{program}::{function}"), format!("main.{function}"));
        self.pick(function.clone(), qualified.0, qualified.1, function.clone(), function)
    }

    pub async fn call(&mut self, tool: &str, mut arguments: Value) -> Answer {
        // Two adapters debug machine code: the call names one.
        let starts = matches!(tool, "debug_launch" | "debug_attach");
        if self.language.is_c() && starts && arguments.get("adapter").is_none() {
            arguments["adapter"] = json!(self.language.adapter());
        }
        self.caller.call(tool, arguments).await
    }

    /// Launches a program with more arguments of `debug_launch`.
    pub async fn launch(&mut self, program: &str, mut arguments: Value) -> Answer {
        arguments["program"] = json!(self.language.program(program));
        // A start may take long on a busy machine.
        if arguments.get("timeout_s").is_none() {
            arguments["timeout_s"] = json!(50);
        }
        self.call("debug_launch", arguments).await
    }

    /// Continues without arguments.
    pub async fn resume(&mut self) -> Answer {
        self.call("debug_continue", json!({})).await
    }

    /// All output so far, once it contains this part: output may arrive after a stop, through a
    /// pipe of the adapter.
    pub async fn printed(&mut self, part: &str) -> Answer {
        let come = async {
            loop {
                let output = self.call("debug_output", json!({"since": 0})).await.good();
                if output.text.contains(part) {
                    return output;
                }
            }
        };
        let soon = tokio::time::timeout(Duration::from_secs(20), come).await;
        soon.unwrap_or_else(|_| panic!("`{part}` was not printed"))
    }

    /// Continues to a breakpoint.
    pub async fn resume_to(&mut self, breakpoint: u32) -> Answer {
        let stop = self.resume().await.good();
        assert_eq!(stop.reason(), format!("breakpoint #{breakpoint}"), "{}", stop.text);
        stop
    }

    /// Launches a sleeper that runs without breakpoints; number 1 has been used.
    pub async fn start_sleeper(&mut self) {
        let stop = self
            .launch("sleeper", json!({"breakpoints": [self.at("sleeper", "loop")]}))
            .await
            .good();
        self.assert_stop(&stop, "sleeper", "main", "loop");
        self.call("debug_breakpoints", json!({"clear": true})).await.good();
        self.call("debug_continue", json!({"wait": false})).await.good().line("▶ running");
    }

    /// Asserts that the answer is a stop in `function` at the marked line.
    #[track_caller]
    pub fn assert_stop(&self, answer: &Answer, program: &str, function: &str, mark: &str) {
        let place = format!("{}  {}", self.function(program, function), self.at(program, mark));
        assert_eq!(answer.place(), place, "\n{}", answer.text);
    }
}

/// Reads an answer as an agent would.
impl Answer {
    /// Asserts that it is no error.
    #[track_caller]
    pub fn good(self) -> Self {
        assert!(!self.is_error, "{}", self.text);
        self
    }

    /// Asserts an error with exactly this text.
    #[track_caller]
    pub fn fails(&self, text: &str) {
        assert_eq!((self.text.as_str(), self.is_error), (text, true));
    }

    /// Asserts that it contains this part.
    #[track_caller]
    pub fn says(&self, part: &str) {
        assert!(self.text.contains(part), "`{part}` is not said in\n{}", self.text);
    }

    /// The rest of the line that begins with `start`.
    #[track_caller]
    pub fn line(&self, start: &str) -> &str {
        let found = self.text.lines().find_map(|line| line.strip_prefix(start));
        found.unwrap_or_else(|| panic!("no line `{start}` in\n{}", self.text))
    }

    /// The reason of a stop.
    #[track_caller]
    pub fn reason(&self) -> &str {
        let reason = self.line("■ stopped ").split(" · stop ").next().unwrap();
        reason.split(" · breakpoint #").next().unwrap()
    }

    /// The numbers of the breakpoints on exceptions that a stop has hit.
    #[track_caller]
    pub fn raised_at(&self) -> &str {
        let reason = self.line("■ stopped ").split(" · stop ").next().unwrap();
        reason.split_once(" · breakpoint ").map_or("", |(_, numbers)| numbers)
    }

    /// The number of a breakpoint on exceptions, `#2`, and what the list adds to it.
    #[track_caller]
    pub fn on_exceptions(&self, word: &str) -> (&str, &str) {
        let part = format!(" exception {word}");
        let found = self.text.lines().find_map(|line| {
            let (number, rest) = line.split_once(&part)?;
            rest.split(' ').next().unwrap().is_empty().then_some((number, rest))
        });
        let (number, rest) =
            found.unwrap_or_else(|| panic!("no breakpoint `{word}` in\n{}", self.text));
        (number.trim_start_matches(['+', ' ']), rest.trim_start_matches(" · "))
    }

    /// `function  path:line` of the selected frame.
    #[track_caller]
    pub fn place(&self) -> &str {
        let frame = self.line("#").split("  <- ").next().unwrap();
        let frame = frame.split("  (").next().unwrap();
        frame.split_once(' ').unwrap().1
    }

    /// The value of a local variable at a stop.
    #[track_caller]
    pub fn local(&self, name: &str) -> &str {
        let wanted = format!("{name}=");
        let found = self.line("locals: ").split("  ").find_map(|local| local.strip_prefix(&wanted));
        found.unwrap_or_else(|| panic!("no local {name} in\n{}", self.text))
    }
}
