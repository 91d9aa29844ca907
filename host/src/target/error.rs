//! Errors of choosing an adapter for a target.

use std::path::{Path, PathBuf};

use crate::model::{Detail, Fault, Next, Patch, ProposedTarget, Remedies, Remedy, errors};
use crate::plugin;
use crate::target::launch_json;

errors! {
    /// No adapter can be chosen, or the request is wrong.
    pub enum Error {
        /// No plugin claims the target.
        #[error(
            "no adapter knows how to debug {target}{}",
            adapters_or_commands(adapters, tests, wrapped.as_deref())
        )]
        NoAdapter {
            /// The target.
            target: String,
            /// Adapters by name with their claims.
            adapters: Vec<String>,
            /// Command lines that run a test of this name.
            tests: Vec<String>,
            /// What it runs, which an adapter knows.
            wrapped: Option<Box<Wrapped>>,
        } => "no-adapter", Fault::Caller,
            launch_of(
                proposed(wrapped.as_deref()).or_else(|| first_command(tests)),
                Next::Status(Detail::Adapters),
            );

        /// No test has this name.
        #[error(
            "no test is named {name} here{}{}",
            tests_there(near, commands),
            cut_search(*searched)
        )]
        NoTest {
            /// The name.
            name: String,
            /// Names of tests, the most similar first.
            near: Vec<String>,
            /// The first of them is probably intended.
            likely: bool,
            /// Command lines that run a test generated at run time.
            commands: Vec<String>,
            /// The number of files searched, if the project has more than the limit.
            searched: Option<usize>,
        } => "target-missing", Fault::Caller,
            other_test(near.first(), *likely, commands);

        /// Attaching to the address fits several adapters.
        #[error(
            "{target} does not say which adapter it needs; there are {}",
            adapters.join(", ")
        )]
        AdapterNeeded {
            /// The target.
            target: String,
            /// Names of adapters that attach to an address.
            adapters: Vec<String>,
        } => "which-adapter", Fault::Caller, name_adapter(adapters, Next::Attach {
            address: target.clone(),
            adapter: adapters.first().cloned(),
        });

        /// The process does not exist, or runs no program of the adapter.
        #[error("process {pid} cannot be attached to: {why}")]
        NoSuchProcess {
            /// Its number.
            pid: u32,
            /// The system's reason.
            why: String,
        } => "no-such-process", Fault::Caller, Next::Status(Detail::Sessions);

        /// Another debugger traces the process, and only one can.
        #[error(
            "process {pid} cannot be attached to: process {by} ({name}) debugs it already, and \
             only one can"
        )]
        Traced {
            /// Its number.
            pid: u32,
            /// The debugger's number.
            by: u32,
            /// The debugger's name.
            name: String,
        } => "traced", Fault::Caller,
            Remedies::from(Patch::StartAgain)
                .or(Next::Status(Detail::Sessions))
                .note("once that one has detached");

        /// Several plugins claim the target equally.
        #[error("{target} can be debugged by {}", adapters.join(" or "))]
        WhichAdapter {
            /// The target.
            target: String,
            /// Their names.
            adapters: Vec<String>,
        } => "which-adapter", Fault::Caller,
            name_adapter(adapters, Next::Status(Detail::Adapters));

        /// A path of the request is wrong.
        #[error("{what} {} {problem}", path.display())]
        BadPath {
            /// "program", "cwd", "stdin", "core".
            what: &'static str,
            /// The path.
            path: PathBuf,
            /// "does not exist", "is a directory".
            problem: String,
            /// The most similar paths.
            near: Vec<PathBuf>,
        } => "bad-path", Fault::Caller, other_path(what, path, near.first());

        /// The system starts no program with so long a string.
        #[error(
            "{what} has {bytes} bytes, and the system starts no program with more than {most} in \
             one string"
        )]
        LongString {
            /// Such as `args[0]` or `env NAME`.
            what: String,
            /// Its length, for `env` that of `NAME=VALUE`.
            bytes: usize,
            /// The limit.
            most: usize,
        } => "bad-argument", Fault::Caller,
            Remedies::from(Next::Targets).note("put the text into a file and pass its path");

        /// A core file in place of a program.
        #[error(
            "{} is a core file, which is opened with the program that dumped it",
            path.display()
        )]
        IsCore {
            /// The file.
            path: PathBuf,
        } => "bad-path", Fault::Caller, open_core(path);

        /// Another program, or another build of it, dumped the core file.
        #[error("core {} was dumped by {}, {}", core.display(), dumper.display(), not_by(program,
            dumper))]
        DumpedByAnother {
            /// The core file.
            core: PathBuf,
            /// The program of the request.
            program: PathBuf,
            /// The program that dumped it.
            dumper: PathBuf,
        } => "core-mismatch", Fault::Caller, dumper_of(core, program, dumper);

        /// The adapter of the target opens no core files.
        #[error("{adapter} opens no core files; {}", others_open(able, *named))]
        NoCores {
            /// Name of the adapter.
            adapter: String,
            /// Names of adapters that do.
            able: Vec<String>,
            /// The caller chose the adapter; the target's own opens core files.
            named: bool,
        } => "unsupported", Fault::Caller, without_adapter_or_core(*named);

        /// No socket listens at the address.
        #[error("nothing answers at {address}: no socket listens there")]
        NobodyListens {
            /// `host:port`.
            address: String,
        } => "unreachable", Fault::Caller,
            Remedies::from(Patch::StartAgain)
                .or(Next::Attach { address: address.clone(), adapter: None })
                .note("once something listens there");
    }
    parts {
        /// launch.json cannot be used.
        Configuration(#[from] launch_json::Problem),
        /// A plugin refuses.
        Plugin(#[from] plugin::Refused),
    }
}

impl From<plugin::Error> for Error {
    fn from(error: plugin::Error) -> Self {
        plugin::Refused::from(error).into()
    }
}

/// What a command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapped {
    /// The command or program.
    pub target: ProposedTarget,
    /// Options of the outer command with their values, which are not part of it.
    pub omitted: Vec<String>,
}

fn proposed(wrapped: Option<&Wrapped>) -> Option<ProposedTarget> {
    wrapped.map(|wrapped| wrapped.target.clone())
}

fn adapters_or_commands(
    adapters: &[String],
    tests: &[String],
    wrapped: Option<&Wrapped>,
) -> String {
    if let Some(wrapped) = wrapped {
        let omitted = wrapped.omitted.join(" ");
        let without = if omitted.is_empty() { omitted } else { format!(", without `{omitted}`") };
        return format!("; the next call debugs what it runs{without}");
    }
    match (adapters, tests) {
        ([], []) => String::new(),
        (adapters, []) => format!("; there are {}", adapters.join(", ")),
        (_, tests) => {
            format!(" by its name here; a command line runs it: `{}`", tests.join("`, `"))
        }
    }
}

fn tests_there(near: &[String], commands: &[String]) -> String {
    let near = if near.is_empty() {
        ", and no adapter lists any".to_owned()
    } else {
        format!("; there are {}", near.join(", "))
    };
    if commands.is_empty() {
        return near;
    }
    format!("{near}; a test generated at run time is run by a command: `{}`", commands.join("`, `"))
}

fn cut_search(searched: Option<usize>) -> String {
    match searched {
        None => String::new(),
        Some(files) => format!("; the workspace is large: only {files} files were searched"),
    }
}

fn not_by(program: &Path, dumper: &Path) -> String {
    if program == dumper {
        "which has been rebuilt since".to_owned()
    } else {
        format!("not by {}", program.display())
    }
}

fn others_open(able: &[String], named: bool) -> String {
    if able.is_empty() {
        return "no adapter here does".to_owned();
    }
    let able = able.join(", ");
    if named {
        format!("{able} can")
    } else {
        format!("{able} can, with the machine code that dumped it: of a script its interpreter")
    }
}

fn first_command(commands: &[String]) -> Option<ProposedTarget> {
    commands.first().map(|command| ProposedTarget::Command(command.clone()))
}

fn program_at(path: PathBuf) -> ProposedTarget {
    ProposedTarget::Program { path, args: Vec::new() }
}

fn launch_of(target: Option<ProposedTarget>, otherwise: Next) -> Remedies {
    match target {
        None => otherwise.into(),
        Some(target) => {
            Remedies::from(Patch::Target(target.clone())).or(Next::Launch { target, core: None })
        }
    }
}

fn other_test(near: Option<&String>, likely: bool, commands: &[String]) -> Remedies {
    match near {
        Some(test) if likely => Remedies::from(Patch::Set("test", test.as_str().into()))
            .or(Next::Launch { target: ProposedTarget::Test(test.clone()), core: None }),
        _ => launch_of(first_command(commands), Next::Targets),
    }
}

fn name_adapter(adapters: &[String], otherwise: Next) -> Remedies {
    let patch = adapters.first().map(|name| Patch::Set("adapter", name.as_str().into()));
    Remedies::from(patch).or(otherwise)
}

fn other_path(what: &str, path: &Path, near: Option<&PathBuf>) -> Remedies {
    let near = near.map(|near| near.clone().into());
    let patches = match (what, near) {
        ("cwd", Some(near)) => vec![Patch::Set("cwd", near)],
        ("cwd", None) => vec![Patch::Remove("cwd")],
        ("stdin", Some(near)) => vec![Patch::SetOption("stdin", near)],
        ("stdin", None) => vec![Patch::RemoveOption("stdin".to_owned())],
        ("core", Some(near)) => vec![
            Patch::All(vec![
                Patch::RemoveOption("core".to_owned()),
                Patch::Set("core", near.clone()),
            ]),
            Patch::Change("core", near),
        ],
        ("core", None) => without_core(),
        (_, Some(near)) if path.is_file() => {
            vec![Patch::Change("program", near), Patch::CommandAsProgram(path.to_owned())]
        }
        (_, Some(near)) => vec![Patch::Change("program", near)],
        (_, None) if path.is_file() => vec![Patch::CommandAsProgram(path.to_owned())],
        (_, None) => vec![Patch::ProgramAsCommand],
    };
    let list = patches.into_iter().map(Remedy::Same).collect();
    Remedies { list, note: None }.or(Next::Targets)
}

/// Removes the core file from the options or the arguments.
fn without_core() -> Vec<Patch> {
    vec![Patch::RemoveOption("core".to_owned()), Patch::Remove("core")]
}

/// The program is unknown: a placeholder stands for it.
fn open_core(core: &Path) -> Remedies {
    let target = program_at("PROGRAM".into());
    let open = Patch::All(vec![
        Patch::Target(target.clone()),
        Patch::SetOption("core", core.to_owned().into()),
    ]);
    let other_core = Patch::All(vec![Patch::Remove("core"), open.clone()]);
    Remedies::from(other_core).or(open).or(Next::Launch { target, core: Some(core.to_owned()) })
}

fn dumper_of(core: &Path, program: &Path, dumper: &Path) -> Remedies {
    let target = program_at(dumper.to_owned());
    if program == dumper || !dumper.is_file() {
        let list = without_core().into_iter().map(Remedy::Same).collect();
        let core = (program != dumper).then(|| core.to_owned());
        return Remedies { list, note: None }.or(Next::Launch { target, core });
    }
    Remedies::from(Patch::Set("program", dumper.to_owned().into()))
        .or(Next::Launch { target, core: Some(core.to_owned()) })
}

fn without_adapter_or_core(named: bool) -> Remedies {
    let patches = if named { vec![Patch::Remove("adapter")] } else { without_core() };
    let list = patches.into_iter().map(Remedy::Same).collect();
    Remedies { list, note: None }.or(Next::Status(Detail::Adapters))
}
