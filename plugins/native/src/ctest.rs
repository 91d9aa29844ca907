//! Tests of CTest: a listing says which program a test starts, and CMake builds it. Facts come from
//! CMake 3.14 to 4.0: `ctest --show-only=json-v1`.

use dapdock_plugin::adapter::{
    BuildPlan, BuildResult, BuildStep, Command, Error, FileKind, Workspace,
};
use dapdock_plugin::serde_json::{self, Value, json};
use dapdock_plugin::{files, path, test_names};

use crate::build::{self, Built, Next, Run};
use crate::cmake::{
    CACHE, build_directory, build_step, check, configure, debug_directory, executables, top_build,
};
use crate::cmake_lists;
use crate::shell::{self, SimpleCommand};

const LIST_SECONDS: u32 = 60;

/// `ctest`.
#[derive(Debug, PartialEq)]
pub struct Ctest {
    /// The build directory, absolute, if it is named.
    build: Option<String>,
    /// Where it starts, absolute.
    directory: String,
    /// Options that select tests.
    options: Vec<String>,
    /// The name of one test.
    name: Option<String>,
}

impl Ctest {
    /// Parses the words after `ctest`.
    pub fn parse(words: &[String], directory: String) -> Self {
        let mut ctest = Self { build: None, directory, options: Vec::new(), name: None };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if word == "--test-dir" {
                let there = rest.next().map(|there| path::join(&ctest.directory, there));
                ctest.build = there.map(|there| shell::without_dots(&there));
            } else if word != "-N" && !word.starts_with("--show-only") {
                ctest.options.push(word.clone());
            }
        }
        ctest
    }

    /// One test by its whole name.
    pub fn by_name(project: &Workspace, name: &str) -> Self {
        let options = vec!["-R".to_owned(), exactly(name)];
        Self { build: None, directory: project.root(), options, name: Some(name.to_owned()) }
    }

    /// The build directory: that of the command, else the one in which it starts, else that of the
    /// project.
    fn build(&self, project: &Workspace) -> String {
        if let Some(build) = &self.build {
            return build.clone();
        }
        let is_file = |name: &str| {
            matches!(project.stat(&files::child(&self.directory, name)), Some(FileKind::File))
        };
        if is_file("CTestTestfile.cmake") || is_file(CACHE) {
            return self.directory.clone();
        }
        let root = project.root();
        let all = files::own(project, |path| path.ends_with("CMakeLists.txt"));
        let here = files::child(build::relative(&root, &self.directory), "x");
        let here = if self.directory == root { "x".to_owned() } else { here };
        let source = cmake_lists::top(&all, &here);
        path::join(&root, &build_directory(project, &source))
    }

    pub fn start(&self, project: &Workspace) -> Result<BuildPlan, Error> {
        let build = self.build(project);
        let mut steps = configure(project, &top_build(project, &build))?;
        steps.extend(self.list(project, &build)?);
        Ok(BuildPlan { steps, state: json!({"build": build}).to_string() })
    }

    /// Lists the selected tests, then all.
    fn list(&self, project: &Workspace, build: &str) -> Result<[BuildStep; 2], Error> {
        let step = |options: &[String]| -> Result<BuildStep, Error> {
            let command = Command::new(project.find_executable("ctest")?)
                .args(["--show-only=json-v1", "-C", "Debug"])
                .args(options.iter().cloned())
                .cwd(build);
            Ok(BuildStep { label: "ctest --show-only".into(), command, timeout_s: LIST_SECONDS })
        };
        Ok([step(&self.options)?, step(&[])?])
    }

    pub fn resume(
        &self,
        project: &Workspace,
        state: &Value,
        results: &[BuildResult],
    ) -> Result<Next, Error> {
        check(results)?;
        let [.., selected, all] = results else {
            return Err(Error::internal("ctest has no result"));
        };
        let build = state["build"].as_str().unwrap_or_default();
        let (selected, all) = (tests(&selected.stdout), tests(&all.stdout));
        // CTest names no command where its program does not exist.
        let is_unbuilt =
            |test: &Test| test.name.ends_with(NOT_BUILT) || test.run.program.is_empty();
        let found: Vec<&Test> =
            selected.iter().filter(|test| !test.name.ends_with(NOT_BUILT)).collect();
        // Tests that a program lists are known when it is built.
        let may_be_built = match found.as_slice() {
            [] => all.iter().any(is_unbuilt),
            [one] => is_unbuilt(one),
            _ => false,
        };
        if may_be_built && state["built"].is_null() {
            let mut steps = vec![build_step(project, &top_build(project, build), None, &[])?];
            steps.extend(self.list(project, build)?);
            let state = json!({"build": build, "built": true}).to_string();
            return Ok(Next::Build(BuildPlan { steps, state }));
        }
        match found.as_slice() {
            [one] => self.one(project, build, one),
            [] => Err(self.missing(&all)),
            several => Err(self.which(project, several)),
        }
    }

    fn one(&self, project: &Workspace, build: &str, test: &Test) -> Result<Next, Error> {
        let root = project.root();
        let top = top_build(project, build);
        if test.run.program.is_empty() {
            let message = format!("the program of test {} is not built by the project", test.name);
            return Err(Error::target_missing(message));
        }
        let run = Run { rebuild: self.rebuild(project, &top, &test.name), ..test.run.clone() };
        let owner = executables(project, &top).into_iter().find(|one| one.path == run.program);
        if let Some(owner) = owner {
            let step = build_step(project, &top, Some(&owner.name), &[])?;
            return Ok(Next::Build(build::plan(vec![step], &run)));
        }
        if build::is_program(project, &run.program) {
            let program = project.workspace_executable(&run.program)?;
            return Ok(Next::Run(Built { program, run }));
        }
        let mut words = vec![run.program];
        words.extend(run.args);
        let directory = run.directory.unwrap_or(root.clone());
        let command = SimpleCommand { words, env: run.env, directory, ..SimpleCommand::default() };
        let line = command.line();
        let error = Error::unsupported(format!(
            "test {} runs `{line}`, which is not machine code",
            test.name
        ));
        Err(match build::interpreted(project, [&command]) {
            Some(command) => error.hint(build::launch(&root, command)),
            None => error,
        })
    }

    fn missing(&self, all: &[Test]) -> Error {
        let names = all.iter().map(|test| test.name.as_str());
        match &self.name {
            Some(name) => test_names::missing(name, names),
            None => {
                let line = shell::line(&self.options);
                let similar = test_names::similar(&line, names);
                let error = Error::target_missing(match similar.as_slice() {
                    [] => "CTest knows no test here".to_owned(),
                    names => {
                        format!("`ctest {line}` selects no test; there are {}", names.join(", "))
                    }
                });
                match similar.first() {
                    Some(test) => error.hint(build::call(&[("test", json!(test))])),
                    None => error,
                }
            }
        }
    }

    fn which(&self, project: &Workspace, several: &[&Test]) -> Error {
        let names: Vec<&str> = several.iter().map(|test| test.name.as_str()).collect();
        let command = format!("ctest {}", shell::line(&self.options));
        let message =
            format!("`{}` runs {} tests: {}", command.trim_end(), names.len(), names.join(", "));
        let error = Error::target_ambiguous(message);
        match names.first() {
            Some(first) => error.hint(self.call(project, self.build.as_deref(), first)),
            None => error,
        }
    }

    /// The call for one test.
    fn call(&self, project: &Workspace, build: Option<&str>, name: &str) -> String {
        let root = project.root();
        let mut words = vec!["ctest".to_owned()];
        if let Some(build) = build {
            words.extend(["--test-dir".to_owned(), build::relative(&root, build).to_owned()]);
        }
        words.extend(["-R".to_owned(), exactly(name)]);
        let directory = if build.is_some() { &root } else { &self.directory };
        build::command_call(&root, &words, directory, &[])
    }

    fn rebuild(&self, project: &Workspace, build: &str, name: &str) -> Option<String> {
        let debug = debug_directory(project, build)?;
        Some(self.call(project, Some(&path::join(&project.root(), &debug)), name))
    }
}

/// The regular expression that matches the name alone.
fn exactly(name: &str) -> String {
    let mut pattern = String::from("^");
    for letter in name.chars() {
        if ".+*?()[]|^$\\".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('$');
    pattern
}

/// The end of the name of a test that stands for those of a program that is not built
/// (GoogleTest.cmake, `gtest_discover_tests`).
const NOT_BUILT: &str = "_NOT_BUILT";

/// A test, and what it starts.
struct Test {
    name: String,
    run: Run,
}

/// The tests in a listing of CTest.
fn tests(listing: &str) -> Vec<Test> {
    let listing: Value = serde_json::from_str(listing).unwrap_or_default();
    let mut tests = Vec::new();
    for test in listing["tests"].as_array().into_iter().flatten() {
        let Some(name) = test["name"].as_str() else { continue };
        let texts = |value: &Value| -> Vec<String> {
            let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        let properties = test["properties"].as_array();
        let property = |name: &str| {
            let found = properties.into_iter().flatten().find(|one| one["name"] == name);
            found.map(|one| one["value"].clone()).unwrap_or_default()
        };
        let mut command = texts(&test["command"]).into_iter();
        let variables = texts(&property("ENVIRONMENT"));
        let env = variables.iter().filter_map(|variable| variable.split_once('='));
        let run = Run {
            program: command.next().map(|path| shell::without_dots(&path)).unwrap_or_default(),
            args: command.collect(),
            env: env.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            directory: property("WORKING_DIRECTORY").as_str().map(str::to_owned),
            ..Run::default()
        };
        tests.push(Test { name: name.to_owned(), run });
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_read_from_a_listing() {
        let listing = r#"{"tests": [{"name": "adds", "command": ["/w/b/cart", "2"], "properties": [
            {"name": "WORKING_DIRECTORY", "value": "/w/b"},
            {"name": "ENVIRONMENT", "value": ["FAST=1"]}]}, {"name": "x_NOT_BUILT"}]}"#;
        let found = tests(listing);
        let names: Vec<&str> = found.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["adds", "x_NOT_BUILT"]);
        let run = Run {
            program: "/w/b/cart".into(),
            args: vec!["2".into()],
            env: vec![("FAST".into(), "1".into())],
            directory: Some("/w/b".into()),
            ..Run::default()
        };
        assert_eq!(found[0].run, run);
    }

    #[test]
    fn expression_matches_one_name() {
        assert_eq!(exactly("Cart.adds"), r"^Cart\.adds$");
    }
}
