//! Launches through a build tool or a shell script: the program that `make run`, `ctest -R NAME` or
//! `./run.sh` starts. Knows no debugger.

use dapdock_plugin::adapter::{
    BuildPlan, BuildResult, DebugRequest, EnvVar, Error, Executable, FileKind, TargetRef, Workspace,
};
use dapdock_plugin::prelude::{Deserialize, Serialize};
use dapdock_plugin::schema::{CommandTemplate, Tool};
use dapdock_plugin::serde_json::{self, Value, json};
use dapdock_plugin::{files, path};

use crate::cmake::Cmake;
use crate::ctest::Ctest;
use crate::make::Make;
use crate::shell::{self, SimpleCommand};
use crate::{cmake, make, makefile, script};

/// A launch through another program.
#[derive(Debug, PartialEq)]
pub enum Build {
    /// A command of make.
    Make(Make),
    /// A build by CMake.
    Cmake(Cmake),
    /// Tests of CTest.
    Ctest(Ctest),
}

/// A program, and how it is started.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Run {
    /// Absolute.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables set for it.
    pub env: Vec<(String, String)>,
    /// Its working directory.
    pub directory: Option<String>,
    /// The file of its standard input.
    pub stdin: Option<String>,
    /// The call that builds the program again with debug information, for one that has none.
    pub rebuild: Option<String>,
}

/// What follows a round of build steps.
pub enum Next {
    /// More steps.
    Build(BuildPlan),
    /// The program is built.
    Run(Built),
}

/// A program that can be launched.
pub struct Built {
    /// Its file.
    pub program: Executable,
    /// How it is started.
    pub run: Run,
}

impl Built {
    /// Puts the directory, the variables and the input of the program into the request, where the
    /// caller gives no other; returns the arguments.
    pub fn complete(&self, request: &mut DebugRequest) -> Vec<String> {
        let run = &self.run;
        request.cwd = run.directory.clone().or(request.cwd.take());
        request.stdin = request.stdin.take().or(run.stdin.clone());
        let mut env = Vec::new();
        for (name, value) in &run.env {
            env.push(EnvVar { name: name.clone(), value: Some(value.clone()) });
        }
        env.append(&mut request.env);
        request.env = env;
        run.args.clone()
    }

    /// Sentences for the caller.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(call) = self.run.rebuild.as_ref().filter(|_| !self.program.has_debug_info()) {
            notes.push(format!("to build it with debug information: {call}"));
        }
        notes
    }
}

impl Build {
    /// The launch through a build tool, if the request is one.
    ///
    /// # Errors
    ///
    /// For a shell script, with the program that it starts; for a command of a build tool that
    /// starts and builds nothing.
    pub fn of(project: &Workspace, request: &DebugRequest) -> Result<Option<Self>, Error> {
        let root = project.root();
        let directory = request.cwd.clone().unwrap_or_else(|| root.clone());
        match &request.target {
            Some(TargetRef::Command(words)) => {
                let Some((first, rest)) = words.split_first() else { return Ok(None) };
                match tool(first) {
                    Some("make") => Make::parse(rest, directory).map(|make| Some(Self::Make(make))),
                    Some("cmake") => Cmake::parse(rest, directory).map(|it| Some(Self::Cmake(it))),
                    Some("ctest") => Ok(Some(Self::Ctest(Ctest::parse(rest, directory)))),
                    Some(_) => Err(script::of_shell(project, rest, &directory)),
                    None => script::check(project, &path::join(&directory, first), rest),
                }
            }
            Some(TargetRef::Path(file)) => {
                let path = shell::without_dots(&path::join(&directory, file));
                match Self::of_directory(project, &path) {
                    None => script::check(project, &path, &request.args),
                    build => Ok(build),
                }
            }
            _ => Ok(None),
        }
    }

    /// What a directory with a makefile or a list of CMake builds, unless it is a package of cargo.
    fn of_directory(project: &Workspace, path: &str) -> Option<Self> {
        let has = |name: &str| project.stat(&files::child(path, name)).is_some();
        let is_directory = matches!(project.stat(path), Some(FileKind::Directory));
        if !is_directory || has("Cargo.toml") {
            return None;
        }
        if has("CMakeLists.txt") {
            return Some(Self::Cmake(Cmake::of_project(project, path)));
        }
        let is_made = makefile::NAMES.iter().any(|name| has(name));
        is_made.then(|| Self::Make(Make::of_directory(path)))
    }

    /// A test of CTest.
    pub fn test(project: &Workspace, name: &str) -> Self {
        Self::Ctest(Ctest::by_name(project, name))
    }

    /// The first steps.
    ///
    /// # Errors
    ///
    /// If a tool is missing.
    pub fn start(&self, project: &Workspace) -> Result<BuildPlan, Error> {
        match self {
            Self::Make(make) => make.start(project),
            Self::Cmake(cmake) => cmake.start(project),
            Self::Ctest(ctest) => ctest.start(project),
        }
    }

    /// What follows these results.
    ///
    /// # Errors
    ///
    /// If a step failed, or if not exactly one program is started.
    pub fn resume(
        &self,
        project: &Workspace,
        state: &str,
        results: &[BuildResult],
    ) -> Result<Next, Error> {
        let state: Value = serde_json::from_str(state).unwrap_or_default();
        if let Ok(run) = serde_json::from_value::<Run>(state["run"].clone()) {
            return self.built(project, run, results);
        }
        match self {
            Self::Make(make) => make.resume(project, &state, results),
            Self::Cmake(cmake) => cmake.resume(project, results),
            Self::Ctest(ctest) => ctest.resume(project, &state, results),
        }
    }

    fn built(&self, project: &Workspace, run: Run, results: &[BuildResult]) -> Result<Next, Error> {
        let last = results.last().ok_or_else(|| Error::internal("the build has no result"))?;
        if last.exit_code != 0 {
            return Err(failed(last));
        }
        let program = project.build_output(last.step, &run.program)?;
        if !is_native(&program) {
            return Err(not_native(&project.root(), &run));
        }
        Ok(Next::Run(Built { program, run }))
    }
}

/// The build tool or shell that a word names.
pub fn tool(word: &str) -> Option<&'static str> {
    match word.rsplit('/').next().unwrap_or(word) {
        "make" | "gmake" => Some("make"),
        "cmake" => Some("cmake"),
        "ctest" => Some("ctest"),
        "sh" | "bash" | "dash" | "zsh" | "ksh" => Some("sh"),
        _ => None,
    }
}

/// Is the target of a launch a build tool or a shell script?
pub fn accepts(project: &Workspace, target: &str) -> bool {
    tool(target).is_some() || script::is_script(project, &path::join(&project.root(), target))
}

/// Entries of a manifest.
pub fn tools() -> Vec<Tool> {
    [make::tools(), cmake::tools()].concat()
}

/// Entries of a manifest.
pub fn commands() -> Vec<CommandTemplate> {
    [make::commands(), cmake::commands()].concat()
}

/// A plan whose program is known.
pub fn plan(steps: Vec<dapdock_plugin::adapter::BuildStep>, run: &Run) -> BuildPlan {
    BuildPlan { steps, state: json!({"run": run}).to_string() }
}

/// The compiler's messages of a failed step, from the first error on. Some build tools print them
/// on standard output.
pub fn failed(result: &BuildResult) -> Error {
    let is_error = |line: &&str| line.contains("error:") || line.contains("undefined reference");
    let mut text = &result.stderr_tail;
    let has_error = |text: &str| text.lines().any(|line| is_error(&line));
    if !has_error(text) && has_error(&result.stdout) {
        text = &result.stdout;
    }
    let lines: Vec<&str> = text.trim().lines().collect();
    let first = lines.iter().position(is_error).unwrap_or(0);
    Error::build_failed(lines.get(first..).unwrap_or_default().join("\n"))
}

/// Is it machine code?
pub fn is_native(program: &Executable) -> bool {
    program.has_debug_info() || !program.compilers().is_empty()
}

/// Is it a file of the project with machine code?
pub fn is_program(project: &Workspace, path: &str) -> bool {
    matches!(project.stat(path), Some(FileKind::File))
        && project.workspace_executable(path).is_ok_and(|program| is_native(&program))
}

/// The path relative to the root, if it is below.
pub fn relative<'a>(root: &str, path: &'a str) -> &'a str {
    path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

/// The launch call with these arguments.
pub fn call(arguments: &[(&str, Value)]) -> String {
    let mut fields = Vec::new();
    for (name, value) in arguments {
        fields.push(format!("\"{name}\": {value}"));
    }
    format!("debug_launch {{{}}}", fields.join(", "))
}

/// The launch call for a command line in a directory.
pub fn command_call(
    root: &str,
    words: &[String],
    directory: &str,
    env: &[(String, String)],
) -> String {
    let mut fields = vec![("command", json!(shell::line(words)))];
    if directory != root {
        fields.push(("cwd", json!(relative(root, directory))));
    }
    if !env.is_empty() {
        let env: serde_json::Map<String, Value> =
            env.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        fields.push(("env", Value::Object(env)));
    }
    call(&fields)
}

/// The command with its program as a launch from the root, or from its directory, takes it.
pub fn launch(root: &str, command: &SimpleCommand) -> String {
    command_call(root, &command.words, &command.directory, &command.env)
}

/// The error for a program of a recipe or test that is no machine code.
pub fn not_native(root: &str, run: &Run) -> Error {
    let mut words = vec![run.program.clone()];
    words.extend(run.args.iter().cloned());
    let name = relative(root, &run.program);
    let directory = run.directory.as_deref().unwrap_or(root);
    let error = Error::unsupported(format!("{name} is not a program of machine code"));
    error.hint(command_call(root, &words, directory, &run.env))
}

/// A command that runs a file of the project with a program from elsewhere: an interpreter.
pub fn interpreted<'a>(
    project: &Workspace,
    commands: impl IntoIterator<Item = &'a SimpleCommand>,
) -> Option<&'a SimpleCommand> {
    let names_file = |command: &SimpleCommand, word: &String| {
        let path = path::join(&command.directory, word);
        word.contains('.')
            && !word.starts_with('-')
            && matches!(project.stat(&shell::without_dots(&path)), Some(FileKind::File))
    };
    commands.into_iter().find(|command| {
        command.is_tool()
            && !command.words.iter().any(|word| word == "-c")
            && !command.expands
            && command.words.iter().take(3).any(|word| names_file(command, word))
    })
}
