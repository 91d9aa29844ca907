//! Builds a TypeScript program before its launch, where its package says how: by a script `build`
//! that runs the compiler. Builds only if a source is newer than the compiled files.

use dapdock_plugin::path;
use dapdock_plugin::prelude::*;

use crate::manifest::PROGRAM_VARIABLES;
use crate::runner;
use crate::sources;
use crate::target::Run;

/// The script that compares the times of files.
pub const IS_BUILT: &str = include_str!("../runtime/is_built.js");
const CHECK_SECONDS: u32 = 15;
const BUILD_SECONDS: u32 = 600;

/// A package whose program is compiled.
pub struct Package {
    /// It has a script `build` that runs the compiler.
    pub builds: bool,
    directory: String,
    /// The directory of the compiled files in it; empty: that of the sources.
    output: String,
}

/// The package of a run's program; none if that is not compiled.
pub fn package(project: &Workspace, run: &Run, directory: &str) -> Option<Package> {
    let program = match &run.program {
        Some(program) if run.tool == "node" => program.clone(),
        Some(_) => return None,
        None => runner::script_program(project, run, directory)?,
    };
    let root = project.root();
    let file = path::join(directory, &program);
    let relative = file.strip_prefix(&format!("{root}/"))?;
    let (home, package) = runner::package(project, relative);
    let home = if home.is_empty() { root } else { path::join(&root, &home) };
    let config = project.read_file(&path::join(&home, "tsconfig.json"), 1 << 16).ok()?;
    let output = output(&String::from_utf8_lossy(&config));
    let inner = file.strip_prefix(&format!("{home}/"))?;
    let is_compiled = sources::is_typed(inner)
        || if output.is_empty() {
            project.stat(&typed(&file)).is_some()
        } else {
            inner.starts_with(&format!("{output}/"))
        };
    let build = package["scripts"]["build"].as_str().unwrap_or_default();
    is_compiled.then_some(Package {
        builds: runner::is_word(build, "tsc"),
        directory: home,
        output,
    })
}

/// The step that finds out whether the compiled files are those of the sources.
pub fn check(project: &Workspace, package: &Package) -> Result<BuildStep, Error> {
    let command = Command::new(project.find_executable("node")?)
        .args(["-e", IS_BUILT])
        .args([package.directory.as_str(), &package.output])
        .without_env(PROGRAM_VARIABLES);
    Ok(BuildStep { label: "compare sources".into(), command, timeout_s: CHECK_SECONDS })
}

/// The step that builds.
pub fn build(project: &Workspace, package: &Package) -> Result<BuildStep, Error> {
    let command = Command::new(project.find_executable("npm")?)
        .args(["run", "build"])
        .cwd(&package.directory);
    Ok(BuildStep { label: "npm run build".into(), command, timeout_s: BUILD_SECONDS })
}

/// The note of a program that is older than its sources.
pub const OLDER: &str = "a source is newer than the compiled files, and package.json has no script \
                         `build` that runs tsc: the program may differ from its sources";

/// The note of a build that failed: the program that runs is an older one, or one with errors.
pub fn note(result: &BuildResult) -> Option<String> {
    if result.exit_code == 0 {
        return None;
    }
    let mut lines = result.stdout.lines().chain(result.stderr_tail.lines());
    let error = lines.find(|line| line.contains("error")).unwrap_or("no error is named").trim();
    Some(format!("`npm run build` failed ({error}): the program may differ from its sources"))
}

/// The directory of compiled files in the text of a tsconfig.json.
fn output(config: &str) -> String {
    let value = config.split_once("\"outDir\"").and_then(|(_, rest)| rest.split('"').nth(1));
    let value = value.unwrap_or_default();
    value.strip_prefix("./").unwrap_or(value).trim_end_matches('/').to_owned()
}

/// The source with the name of a compiled file.
fn typed(file: &str) -> String {
    match file.rsplit_once("js") {
        Some((start, end)) => format!("{start}ts{end}"),
        None => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_of_compiled_files_is_read() {
        let config = "{\n  // where\n  \"compilerOptions\": { \"outDir\": \"./dist/\" }\n}";
        assert_eq!(output(config), "dist");
        assert_eq!(output("{}"), "");
        assert_eq!([typed("/w/a.mjs"), typed("/w/js/a.js")], ["/w/a.mts", "/w/js/a.ts"]);
    }

    #[test]
    fn a_failed_build_has_a_note() {
        let result = |exit_code, stdout: &str| BuildResult {
            step: 0,
            exit_code,
            stdout: stdout.into(),
            stderr_tail: String::new(),
        };
        assert_eq!(note(&result(0, "")), None);
        let text = "> tsc\n\nsrc/a.ts(1,7): error TS2322: no number.\n";
        assert_eq!(
            note(&result(2, text)).as_deref(),
            Some(
                "`npm run build` failed (src/a.ts(1,7): error TS2322: no number.): \
                 the program may differ from its sources"
            )
        );
    }
}
