//! Programs of CMake: the build directory is configured, and CMake's file API tells where a target
//! is built. Facts come from CMake 3.14 to 4.0: cmake-file-api(7), version 1.

use dapdock_plugin::adapter::{
    BuildPlan, BuildResult, BuildStep, Command, Error, FileKind, Workspace,
};
use dapdock_plugin::schema::{CommandTemplate, Tool, words};
use dapdock_plugin::serde_json::{self, Value, json};
use dapdock_plugin::{files, path, test_names};

use crate::build::{self, Next, Run};
use crate::cmake_lists;
use crate::shell;

const SECONDS: u32 = 1800;
pub(crate) const CACHE: &str = "CMakeCache.txt";
const QUERY: &str = ".cmake/api/v1/query";
const REPLY: &str = ".cmake/api/v1/reply";
/// Most bytes of a file that CMake wrote.
const MOST_BYTES: u32 = 16 << 20;
const ENTRIES: u32 = 5_000;
/// The build directory of a project that has none.
const BUILD: &str = "build";
/// The build directory for debug information where the first has none.
const DEBUG: &str = "cmake-build-debug";
/// Where build directories are, by the beginning of their names.
const PLACES: [&str; 5] = ["build", "cmake-build", "_build", "out", "bin"];
const INSTALL: &str = "install CMake: https://cmake.org/download";

pub fn tools() -> Vec<Tool> {
    let tool = |name: &str| Tool { name: name.into(), install: INSTALL.into(), ..Tool::default() };
    vec![tool("cmake"), tool("ctest")]
}

pub fn commands() -> Vec<CommandTemplate> {
    let command = |tool: &str, args: &[&str]| CommandTemplate {
        tool: tool.into(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
    };
    vec![
        command("cmake", &["-E", "make_directory", "{}"]),
        command("cmake", &["-E", "touch", "{}"]),
        command("cmake", &["-S", "{}", "-B", "{}"]),
        command("cmake", &["-S", "{}", "-B", "{}", "-DCMAKE_BUILD_TYPE=Debug"]),
        command("cmake", &["--build", "{}", "{...}"]),
        CommandTemplate { tool: "ctest".into(), args: words(["--show-only=json-v1", "{...}"]) },
    ]
}

/// `cmake --build DIR`.
#[derive(Debug, PartialEq)]
pub struct Cmake {
    /// The build directory, absolute.
    build: String,
    target: Option<String>,
    /// Options of the build: `-j 4`.
    options: Vec<String>,
}

/// The build directory of the project whose outermost list is in `source`, from the root: one that
/// is configured, best with debug information, else the usual one.
pub fn build_directory(project: &Workspace, source: &str) -> String {
    let mut places = vec![source.to_owned()];
    for entry in
        project.read_dir(if source.is_empty() { "." } else { source }, ENTRIES).unwrap_or_default()
    {
        let fits = PLACES.iter().any(|start| entry.name.starts_with(start));
        if fits && matches!(entry.kind, FileKind::Directory) {
            let place = files::child(source, &entry.name);
            let inner = project.read_dir(&place, ENTRIES).unwrap_or_default();
            let inner = inner.iter().filter(|entry| matches!(entry.kind, FileKind::Directory));
            let inner: Vec<String> = inner.map(|entry| files::child(&place, &entry.name)).collect();
            places.push(place);
            places.extend(inner);
        }
    }
    let configured: Vec<&String> = places
        .iter()
        .filter(|place| cached(project, place, "CMAKE_HOME_DIRECTORY").is_some())
        .collect();
    let debugs = |place: &&&String| {
        let build_type = cached(project, place, "CMAKE_BUILD_TYPE").unwrap_or_default();
        matches!(build_type.as_str(), "Debug" | "RelWithDebInfo")
    };
    let best = configured.iter().find(debugs).or(configured.first());
    best.map_or_else(|| files::child(source, BUILD), |place| (**place).clone())
}

/// A value of the cache of a build directory.
fn cached(project: &Workspace, build: &str, name: &str) -> Option<String> {
    let cache = project.read_file(&files::child(build, CACHE), MOST_BYTES).ok()?;
    let text = String::from_utf8_lossy(&cache).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_once('=').map(|(_, value)| value.to_owned())
}

impl Cmake {
    /// Parses the words after `cmake`.
    ///
    /// # Errors
    ///
    /// If the command builds nothing.
    pub fn parse(words: &[String], directory: String) -> Result<Self, Error> {
        let (mut build, mut target, mut options) = (None, None, Vec::new());
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let (name, value) = word.split_once('=').unzip();
            match name.unwrap_or(word) {
                "--build" => build = rest.next(),
                "--target" | "-t" => {
                    target = value.map(str::to_owned).or_else(|| rest.next().cloned())
                }
                "--config" => drop(value.is_none().then(|| rest.next())),
                _ => options.push(word.clone()),
            }
        }
        let Some(build) = build else {
            let line = shell::line(words);
            let error = Error::unsupported(format!("`cmake {line}` builds no program"));
            let call = json!("cmake --build build --target NAME");
            return Err(error.hint(build::call(&[("command", call)])));
        };
        let build = shell::without_dots(&path::join(&directory, build));
        Ok(Self { build, target, options })
    }

    /// What CMake builds in a directory.
    pub fn of_project(project: &Workspace, directory: &str) -> Self {
        let root = project.root();
        let source = if directory == root { "" } else { build::relative(&root, directory) };
        let build = path::join(&root, &build_directory(project, source));
        Self { build, target: None, options: Vec::new() }
    }

    pub fn start(&self, project: &Workspace) -> Result<BuildPlan, Error> {
        Ok(BuildPlan { steps: configure(project, &self.build)?, state: "{}".into() })
    }

    pub fn resume(&self, project: &Workspace, results: &[BuildResult]) -> Result<Next, Error> {
        check(results)?;
        let all = executables(project, &self.build);
        let found: Vec<&Executable> = match &self.target {
            Some(name) => all.iter().filter(|one| one.name == *name).collect(),
            None => all.iter().collect(),
        };
        let [one] = found.as_slice() else { return Err(self.which(project, &all)) };
        let rebuild = self.rebuild(project, &one.name);
        let run = Run { program: one.path.clone(), rebuild, ..Run::default() };
        let step = build_step(project, &self.build, Some(&one.name), &self.options)?;
        Ok(Next::Build(build::plan(vec![step], &run)))
    }

    /// The error for a build that is not of exactly one program.
    fn which(&self, project: &Workspace, all: &[Executable]) -> Error {
        let root = project.root();
        let build = build::relative(&root, &self.build);
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        let error = match &self.target {
            _ if names.is_empty() => {
                return Error::target_missing(format!("CMake builds no program in {build}"));
            }
            Some(target) => {
                let similar = test_names::similar(target, names.iter().copied()).join(", ");
                Error::target_missing(format!(
                    "CMake builds no program {target} in {build}; there are {similar}"
                ))
            }
            None => Error::target_ambiguous(format!(
                "CMake builds {} programs in {build}: {}",
                names.len(),
                names.join(", ")
            )),
        };
        let wanted = self.target.as_deref().unwrap_or_default();
        let first = test_names::similar(wanted, names).first().copied().unwrap_or_default();
        let words = ["cmake", "--build", build, "--target", first];
        error.hint(build::call(&[("command", json!(shell::line(&words)))]))
    }

    fn rebuild(&self, project: &Workspace, target: &str) -> Option<String> {
        let build = debug_directory(project, &self.build)?;
        let words = ["cmake", "--build", &build, "--target", target];
        Some(build::call(&[("command", json!(shell::line(&words)))]))
    }
}

/// The configured directory of which the build directory is a part.
pub(crate) fn top_build(project: &Workspace, build: &str) -> String {
    let has_cache = |directory: &&str| {
        matches!(project.stat(&files::child(directory, CACHE)), Some(FileKind::File))
    };
    let inside = files::child(build, "x");
    let mut above = files::above(&inside).filter(|directory| !directory.is_empty());
    above.find(has_cache).unwrap_or(build).to_owned()
}

/// The directory for debug information, from the root, beside a build directory that has none.
pub(crate) fn debug_directory(project: &Workspace, build: &str) -> Option<String> {
    let root = project.root();
    let source = cached(project, build, "CMAKE_HOME_DIRECTORY")?;
    let debug = files::child(&source, DEBUG);
    (debug != build).then(|| build::relative(&root, &debug).to_owned())
}

/// Asks for the replies of the file API and configures; a new directory for debugging.
pub(crate) fn configure(project: &Workspace, build: &str) -> Result<Vec<BuildStep>, Error> {
    let cmake = |args: Vec<String>, label: &str| -> Result<BuildStep, Error> {
        let command = Command::new(project.find_executable("cmake")?).args(args);
        Ok(BuildStep { label: label.to_owned(), command, timeout_s: SECONDS })
    };
    let query = format!("{build}/{QUERY}");
    let touch = |verb: &str, path: String| vec!["-E".to_owned(), verb.to_owned(), path];
    let source = cached(project, build, "CMAKE_HOME_DIRECTORY");
    let mut args = vec!["-S".to_owned()];
    args.push(match &source {
        Some(source) => source.clone(),
        None => source_of(project, build)?,
    });
    args.extend(["-B".to_owned(), build.to_owned()]);
    args.extend(source.is_none().then(|| "-DCMAKE_BUILD_TYPE=Debug".to_owned()));
    Ok(vec![
        cmake(touch("make_directory", query.clone()), "cmake -E make_directory")?,
        cmake(touch("touch", format!("{query}/codemodel-v2")), "cmake -E touch")?,
        cmake(args, "cmake")?,
    ])
}

/// The steps that build everything in the project of the workspace's root, if it is one of CMake.
pub(crate) fn build_all(project: &Workspace) -> Option<Result<Vec<BuildStep>, Error>> {
    project.stat("CMakeLists.txt")?;
    let build = path::join(&project.root(), &build_directory(project, ""));
    let steps = configure(project, &build).and_then(|mut steps| {
        steps.push(build_step(project, &build, None, &[])?);
        Ok(steps)
    });
    Some(steps)
}

/// The directory of the outermost list above a build directory.
fn source_of(project: &Workspace, build: &str) -> Result<String, Error> {
    let root = project.root();
    let inside = build::relative(&root, build);
    let all = files::own(project, |path| path.ends_with("CMakeLists.txt"));
    let top = cmake_lists::top(&all, inside);
    let list = files::child(&top, "CMakeLists.txt");
    if !all.contains(&list) || inside == build {
        let message =
            format!("{inside} is no build directory of CMake, and no CMakeLists.txt is above it");
        return Err(Error::target_missing(message));
    }
    Ok(if top.is_empty() { root } else { path::join(&root, &top) })
}

pub(crate) fn build_step(
    project: &Workspace,
    build: &str,
    target: Option<&str>,
    options: &[String],
) -> Result<BuildStep, Error> {
    let mut args = vec!["--build".to_owned(), build.to_owned()];
    args.extend(["--config", "Debug"].map(str::to_owned));
    if let Some(target) = target {
        args.extend(["--target".to_owned(), target.to_owned()]);
    }
    args.extend(options.iter().cloned());
    let label = match target {
        Some(target) => format!("cmake --build --target {target}"),
        None => "cmake --build".to_owned(),
    };
    let command = Command::new(project.find_executable("cmake")?).args(args);
    Ok(BuildStep { label, command, timeout_s: SECONDS })
}

/// CMake's own words about a failed step.
pub(crate) fn check(results: &[BuildResult]) -> Result<(), Error> {
    match results.iter().find(|result| result.exit_code != 0) {
        Some(result) => Err(build::failed(result)),
        None => Ok(()),
    }
}

/// A target that is a program.
pub(crate) struct Executable {
    pub name: String,
    /// Absolute.
    pub path: String,
}

/// The programs of a configured directory, as the file API reports them.
pub(crate) fn executables(project: &Workspace, build: &str) -> Vec<Executable> {
    let reply = format!("{build}/{REPLY}");
    let read = |name: &str| -> Value {
        let bytes = project.read_file(&format!("{reply}/{name}"), MOST_BYTES).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    };
    let entries = project.read_dir(&reply, ENTRIES).unwrap_or_default();
    let model = entries.iter().rev().find(|entry| entry.name.starts_with("codemodel-v2-"));
    let model = model.map(|entry| read(&entry.name)).unwrap_or_default();
    let none = Vec::new();
    let all = model["configurations"].as_array().unwrap_or(&none);
    let configuration = all.iter().find(|one| one["name"] == "Debug").or(all.first());
    let targets = configuration.and_then(|one| one["targets"].as_array()).unwrap_or(&none);
    let mut found = Vec::new();
    for target in targets {
        let target = read(target["jsonFile"].as_str().unwrap_or_default());
        let (name, path) = (target["name"].as_str(), target["artifacts"][0]["path"].as_str());
        if let (Some(name), Some(path), true) = (name, path, target["type"] == "EXECUTABLE") {
            let path = shell::without_dots(&path::join(build, path));
            found.push(Executable { name: name.to_owned(), path });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_command_names_directory_and_target() {
        let parse = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            Cmake::parse(&words, "/w".into()).map_err(|error| error.message)
        };
        let cmake = parse("--build b --target=cart -j 4").unwrap();
        assert_eq!((cmake.build.as_str(), cmake.target.as_deref()), ("/w/b", Some("cart")));
        assert_eq!(cmake.options, ["-j", "4"]);
        assert_eq!(parse("-S . -B b").unwrap_err(), "`cmake -S . -B b` builds no program");
    }
}
