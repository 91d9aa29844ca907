//! The program that a command of make builds or starts: a dry run tells which, then make builds it.
//! Facts come from GNU make 3.81 to 4.4 with `--dry-run --print-data-base --debug=basic`.

use dapdock_plugin::adapter::{BuildPlan, BuildResult, BuildStep, Command, Error, Workspace};
use dapdock_plugin::path;
use dapdock_plugin::schema::{CommandTemplate, Tool, words};
use dapdock_plugin::serde_json::{Value, json};

use crate::build::{self, Built, Next, Run};
use crate::dry_run::{DryRun, Process};
use crate::makefile;
use crate::shell::{self, SimpleCommand};

const SECONDS: u32 = 1800;
/// In the order in which make accepts them: of several `-j` the last counts.
const DRY: [&str; 4] = ["-n", "-p", "-w", "--debug=b"];
/// Options whose value is the next word.
const WITH_VALUE: [&str; 10] =
    ["-C", "-f", "-I", "-o", "-W", "-l", "--directory", "--file", "--makefile", "--include-dir"];
/// Options with which make builds nothing.
const BUILDS_NOTHING: [&str; 9] =
    ["-n", "--dry-run", "--just-print", "--recon", "-q", "--question", "-t", "--touch", "-p"];

pub fn tools() -> Vec<Tool> {
    let install = "install GNU make".into();
    vec![Tool {
        name: "make".into(),
        candidates: words(["make", "gmake"]),
        install,
        ..Tool::default()
    }]
}

pub fn commands() -> Vec<CommandTemplate> {
    vec![CommandTemplate { tool: "make".into(), args: words(["{...}"]) }]
}

/// A command of make.
#[derive(Debug, PartialEq)]
pub struct Make {
    /// Options, and variables: `-C src`, `DEBUG=1`.
    options: Vec<String>,
    goals: Vec<String>,
    /// Where make starts.
    directory: String,
}

/// A program that a recipe starts.
#[derive(Clone, Debug, PartialEq)]
struct Started {
    process: usize,
    /// Position of the recipe's target among those that the process makes.
    target: usize,
    run: Run,
    /// The command as it is in the recipe.
    command: SimpleCommand,
}

/// A program that make links, and the process of make that does it.
#[derive(Clone, Debug, PartialEq)]
struct Linked {
    process: usize,
    path: String,
}

impl Make {
    /// Parses the words after `make`.
    ///
    /// # Errors
    ///
    /// If its options build nothing.
    pub fn parse(words: &[String], directory: String) -> Result<Self, Error> {
        let mut make = Self { options: Vec::new(), goals: Vec::new(), directory };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if BUILDS_NOTHING.contains(&word.as_str()) {
                let others = words.iter().filter(|other| *other != word);
                let line: Vec<&str> =
                    ["make"].into_iter().chain(others.map(String::as_str)).collect();
                let error = Error::unsupported(format!("`make {word}` builds and starts nothing"));
                return Err(error.hint(build::call(&[("command", json!(shell::line(&line)))])));
            }
            if !word.starts_with('-') && !word.contains('=') {
                make.goals.push(word.clone());
                continue;
            }
            make.options.push(word.clone());
            let next = rest.as_slice().first();
            let is_number = next.is_some_and(|next| next.parse::<u32>().is_ok());
            if WITH_VALUE.contains(&word.as_str()) || (word == "-j" && is_number) {
                make.options.extend(rest.next().cloned());
            }
        }
        Ok(make)
    }

    /// What make builds in a directory.
    pub fn of_directory(directory: &str) -> Self {
        Self { options: Vec::new(), goals: Vec::new(), directory: directory.to_owned() }
    }

    pub fn start(&self, project: &Workspace) -> Result<BuildPlan, Error> {
        Ok(BuildPlan { steps: vec![self.dry_run(project)?], state: "{}".into() })
    }

    fn dry_run(&self, project: &Workspace) -> Result<BuildStep, Error> {
        let command = self
            .command(project, &self.words())?
            .args(DRY.iter().copied())
            .arg("-j1")
            .env("LC_ALL", "C");
        let label = format!("make -n {}", self.goals.join(" ")).trim_end().to_owned();
        Ok(step(label, command))
    }

    fn command(&self, project: &Workspace, words: &[String]) -> Result<Command, Error> {
        let make = Command::new(project.find_executable("make")?);
        Ok(make.args(words.iter().cloned()).cwd(self.directory.clone()))
    }

    fn words(&self) -> Vec<String> {
        [self.options.clone(), self.goals.clone()].concat()
    }

    /// The command as the caller wrote it.
    fn name(&self) -> String {
        format!("make {}", shell::line(&self.words())).trim_end().to_owned()
    }

    /// Decides by the dry run.
    pub fn resume(
        &self,
        project: &Workspace,
        state: &Value,
        results: &[BuildResult],
    ) -> Result<Next, Error> {
        let dry = match (results, state["made"].is_null()) {
            ([.., dry], true) | ([_, dry], false) => dry,
            ([failed], false) => return Err(build::failed(failed)),
            _ => return Err(Error::internal("make has no result")),
        };
        let run = DryRun::parse(&dry.stdout);
        if dry.exit_code != 0 {
            return match self.inputs_first(project, &run, dry)? {
                Some(plan) if state["made"].is_null() => Ok(Next::Build(plan)),
                _ => Err(self.refused(project, dry)),
            };
        }
        let linked = self.linked(&run);
        let started = self.started(project, &run, &linked);
        if !started.is_empty() {
            return self.start_one(project, &run, &linked, started);
        }
        let programs = self.programs(project, &run, linked);
        match programs.as_slice() {
            [] => Err(self.nothing(project, &run)),
            [one] => {
                let start = Run {
                    program: one.path.clone(),
                    rebuild: self.rebuild(&project.root(), run.process(one.process)),
                    directory: Some(self.directory.clone()),
                    ..Run::default()
                };
                let command = self.command(project, &self.words())?;
                Ok(Next::Build(build::plan(vec![step(self.name(), command)], &start)))
            }
            several => Err(self.which_program(project, &run, several)),
        }
    }

    /// Makes what the goals are made from before another dry run: a recursive make does not find
    /// the files that an earlier one would only have made.
    fn inputs_first(
        &self,
        project: &Workspace,
        run: &DryRun,
        dry: &BuildResult,
    ) -> Result<Option<BuildPlan>, Error> {
        let goals = run.process(run.top()).goals_or_inputs(&self.goals);
        let is_recursive = dry.stderr_tail.lines().any(|line| {
            line.split_once("]: *** ").is_some_and(|(before, _)| before.starts_with("make["))
        });
        if goals.is_empty() || !is_recursive {
            return Ok(None);
        }
        let words = self.words_for(run, run.top(), &goals);
        let make = step(format!("make {}", shell::line(&words)), self.command(project, &words)?);
        let steps = vec![make, self.dry_run(project)?];
        Ok(Some(BuildPlan { steps, state: json!({"made": true}).to_string() }))
    }

    /// Make's own words about a dry run that fails.
    fn refused(&self, project: &Workspace, dry: &BuildResult) -> Error {
        let fault = dry.stderr_tail.lines().find_map(|line| line.split_once("*** "));
        let why = fault.map_or(dry.stderr_tail.trim(), |(_, why)| why).trim_end_matches("  Stop.");
        let error =
            Error::target_missing(format!("`{}`: {}", self.name(), why.trim_end_matches('.')));
        match makefile::programs(project).into_iter().next() {
            Some(program) => error.hint(program.call()),
            None => error,
        }
    }

    /// All programs that the dry run links.
    fn linked(&self, run: &DryRun) -> Vec<Linked> {
        let mut linked = Vec::new();
        for (process, _, command) in run.commands() {
            if let Some(output) = command.linked() {
                let path = shell::without_dots(&path::join(&command.directory, output));
                let one = Linked { process, path };
                if !linked.contains(&one) {
                    linked.push(one);
                }
            }
        }
        linked
    }

    /// All programs of the project that recipes start, without those that write a file.
    fn started(&self, project: &Workspace, run: &DryRun, linked: &[Linked]) -> Vec<Started> {
        let is_program = |path: &str| {
            linked.iter().any(|one| one.path == path) || build::is_program(project, path)
        };
        let mut started = Vec::<Started>::new();
        for (process, target, command) in run.commands() {
            if command.writes_file || command.linked().is_some() {
                continue;
            }
            let Some(start) = start(&command, is_program) else { continue };
            let one = Started { process, target, run: start, command };
            if !started.iter().any(|other| other.run == one.run) {
                started.push(one);
            }
        }
        // A program that a file is made with is a tool of the build.
        let is_tool = |one: &Started| {
            let process = run.process(one.process);
            let target = process.remade.get(one.target).map(|remade| remade.target.as_str());
            target.is_some_and(|target| process.is_input(target))
        };
        let (_, goals): (Vec<_>, Vec<_>) = started.into_iter().partition(is_tool);
        goals
    }

    fn start_one(
        &self,
        project: &Workspace,
        run: &DryRun,
        linked: &[Linked],
        started: Vec<Started>,
    ) -> Result<Next, Error> {
        let [one] = started.as_slice() else {
            return Err(self.which_start(project, run, linked, &started));
        };
        let process = run.process(one.process);
        let root = project.root();
        let start = Run { rebuild: self.rebuild(&root, process), ..one.run.clone() };
        let goals = process.goals_before(one.target);
        let links = |(number, target, command): (usize, usize, SimpleCommand)| {
            let output = command.linked().map(|output| path::join(&command.directory, output));
            (number, target) == (one.process, one.target)
                && output.is_some_and(|path| shell::without_dots(&path) == start.program)
        };
        if run.commands().any(links) {
            return Err(both(&self.name(), &root, one));
        }
        if goals.is_empty() {
            let program = project.workspace_executable(&start.program)?;
            return Ok(Next::Run(Built { program, run: start }));
        }
        let words = self.words_for(run, one.process, &goals);
        let label = format!("make {}", shell::line(&words));
        Ok(Next::Build(build::plan(vec![step(label, self.command(project, &words)?)], &start)))
    }

    /// The words that make these goals in that process's directory.
    fn words_for(&self, run: &DryRun, process: usize, goals: &[String]) -> Vec<String> {
        let mut words = Vec::new();
        if process == run.top() {
            words.extend(self.options.iter().cloned());
        } else {
            let there = &run.process(process).directory;
            words.extend(["-C".to_owned(), build::relative(&self.directory, there).to_owned()]);
            words.extend(self.options.iter().filter(|word| is_variable(word)).cloned());
        }
        words.extend(goals.iter().cloned());
        words
    }

    /// The programs that are built: those that are goals, else those that no other file is made
    /// from; linked by the dry run or up to date.
    fn programs(&self, project: &Workspace, run: &DryRun, linked: Vec<Linked>) -> Vec<Linked> {
        let mut programs = linked;
        for (number, process) in run.processes() {
            for target in process.closure() {
                let path = shell::without_dots(&path::join(&process.directory, &target));
                let is_new = programs.iter().all(|known| known.path != path);
                if is_new && crate::programs::is_program(&path) && build::is_program(project, &path)
                {
                    programs.push(Linked { process: number, path });
                }
            }
        }
        let is_goal = |one: &Linked| {
            let process = run.process(one.process);
            self.goals.iter().any(|goal| process.path(goal) == one.path)
        };
        if programs.iter().any(is_goal) {
            programs.retain(is_goal);
        } else {
            let is_input = |one: &Linked| {
                let process = run.process(one.process);
                let mut names = process.rules.keys();
                names.any(|name| process.path(name) == one.path && process.is_input(name))
            };
            let (inputs, last): (Vec<_>, Vec<_>) = programs.into_iter().partition(is_input);
            programs = if last.is_empty() { inputs } else { last };
        }
        programs
    }

    /// The command line that builds one program.
    fn build_line(&self, run: &DryRun, program: &Linked) -> Option<Vec<String>> {
        let process = run.process(program.process);
        let target = process.rules.keys().find(|name| process.path(name) == program.path)?;
        let words = self.words_for(run, program.process, std::slice::from_ref(target));
        Some([vec!["make".to_owned()], words].concat())
    }

    fn which_program(&self, project: &Workspace, run: &DryRun, several: &[Linked]) -> Error {
        let root = project.root();
        let names: Vec<&str> =
            several.iter().map(|one| build::relative(&root, &one.path)).collect();
        let message =
            format!("`{}` builds {} programs: {}", self.name(), names.len(), names.join(", "));
        let error = Error::target_ambiguous(message);
        match several.iter().find_map(|one| self.build_line(run, one)) {
            Some(line) => error.hint(build::command_call(&root, &line, &self.directory, &[])),
            None => error.hint("name one: debug_launch {\"program\": \"PROGRAM\"}"),
        }
    }

    fn which_start(
        &self,
        project: &Workspace,
        run: &DryRun,
        linked: &[Linked],
        several: &[Started],
    ) -> Error {
        let root = project.root();
        let lines: Vec<String> =
            several.iter().map(|one| format!("`{}`", one.command.line())).collect();
        let message =
            format!("`{}` starts {} programs: {}", self.name(), lines.len(), lines.join(", "));
        let error = Error::target_ambiguous(message);
        let Some(first) = several.first() else { return error };
        let built = linked.iter().find(|link| link.path == first.run.program);
        let line = built.and_then(|program| self.build_line(run, program));
        error.hint(match line {
            None => build::launch(&root, &first.command),
            Some(line) => {
                let mut fields = vec![("command", json!(shell::line(&line)))];
                fields
                    .extend((!first.run.args.is_empty()).then(|| ("args", json!(first.run.args))));
                if self.directory != root {
                    fields.push(("cwd", json!(build::relative(&root, &self.directory))));
                }
                build::call(&fields)
            }
        })
    }

    /// The error for recipes that neither link nor start a program.
    fn nothing(&self, project: &Workspace, run: &DryRun) -> Error {
        let root = project.root();
        let commands: Vec<SimpleCommand> = run.commands().map(|(_, _, command)| command).collect();
        if let Some(command) = build::interpreted(project, &commands) {
            let line = command.line();
            let message = format!("`{}` starts `{line}`, which is not machine code", self.name());
            return Error::unsupported(message).hint(build::launch(&root, command));
        }
        let mut message = format!("`{}` builds and starts no program of this project", self.name());
        if let [only] = commands.iter().filter(|one| one.is_tool()).collect::<Vec<_>>().as_slice() {
            message.push_str(&format!("; it runs `{}`", only.line()));
        }
        let error = Error::target_missing(message);
        match makefile::programs(project).into_iter().next() {
            Some(program) => error.hint(program.call()),
            None => error.hint("name the program: debug_launch {\"program\": \"PROGRAM\"}"),
        }
    }

    /// The call that builds everything again with debug information: the compiler gets one more
    /// option, whatever the flags are.
    fn rebuild(&self, root: &str, process: &Process) -> Option<String> {
        let mut words = vec!["make".to_owned(), "-B".to_owned()];
        for (variable, compiler) in process.compilers() {
            words.push(format!("{variable}={compiler} -g"));
        }
        if words.len() == 2 {
            return None;
        }
        words.extend(self.options.iter().filter(|word| *word != "-B").cloned());
        words.extend(self.goals.iter().cloned());
        Some(build::command_call(root, &words, &self.directory, &[]))
    }
}

fn is_variable(word: &str) -> bool {
    !word.starts_with('-') && word.contains('=')
}

fn step(label: String, command: Command) -> BuildStep {
    BuildStep { label, command, timeout_s: SECONDS }
}

/// The program that a command starts, itself or through a wrapper.
fn start(command: &SimpleCommand, is_program: impl Fn(&str) -> bool) -> Option<Run> {
    for at in command.starts() {
        let word = command.words.get(at)?;
        if word.starts_with('-') || (at == 0 && !word.contains('/')) {
            continue;
        }
        let program = shell::without_dots(&path::join(&command.directory, word));
        if is_program(&program) {
            let join = |file: &String| path::join(&command.directory, file);
            return Some(Run {
                program,
                args: command.words.get(at + 1..).unwrap_or_default().to_vec(),
                env: command.env.clone(),
                directory: Some(command.directory.clone()),
                stdin: command.stdin.as_ref().map(join),
                ..Run::default()
            });
        }
    }
    None
}

/// The error for a recipe that links a program and starts it: make would start it without the
/// debugger.
fn both(name: &str, root: &str, one: &Started) -> Error {
    let program = build::relative(root, &one.run.program);
    let error = Error::unsupported(format!(
        "`{name}` builds and starts {program} in one recipe, so make would run it without the \
        debugger"
    ));
    error.hint(format!("build it first, then {}", build::launch(root, &one.command)))
}
