//! A source file of C, C++ or Rust that is a whole program: compiled for the caller, into the
//! request's own directory. For the plugins of debuggers of machine code; knows no debugger, and
//! nothing of projects.

use crate::adapter::{BuildPlan, BuildResult, BuildStep, Command, Error, Executable, Workspace};
use crate::schema::{CommandTemplate, Tool, words};

const SECONDS: u32 = 600;

/// What compiles a language, with what a debugger needs of it.
#[derive(Debug, PartialEq)]
pub struct Compiler {
    tool: &'static str,
    /// Where the tool has other names.
    candidates: [&'static str; 3],
    install: &'static str,
    /// Before the output, and behind the source.
    args: (&'static [&'static str], &'static [&'static str]),
    extensions: &'static [&'static str],
}

/// Of C.
pub const C: Compiler = Compiler {
    tool: "gcc",
    candidates: ["gcc", "cc", "clang"],
    install: "install a C compiler",
    args: (&["-g", "-O0"], &["-pthread", "-lm"]),
    extensions: &["c"],
};

/// Of C++.
pub const CPP: Compiler = Compiler {
    tool: "g++",
    candidates: ["g++", "c++", "clang++"],
    install: "install a C++ compiler",
    args: (&["-g", "-O0"], &["-pthread", "-lm"]),
    extensions: &["cc", "cpp", "cxx", "c++"],
};

/// Of Rust. The edition is the newest that every compiler of the last years has.
pub const RUST: Compiler = Compiler {
    tool: "rustc",
    candidates: ["rustc"; 3],
    install: "install Rust: https://rustup.rs",
    args: (&["-g", "--edition=2021"], &[]),
    extensions: &["rs"],
};

impl Compiler {
    /// Its entry among a manifest's tools.
    pub fn tool(&self) -> Tool {
        let mut candidates = words(self.candidates);
        candidates.dedup();
        Tool { name: self.tool.into(), candidates, install: self.install.into(), ..Tool::default() }
    }

    /// Its entry among a manifest's command lines.
    pub fn command(&self) -> CommandTemplate {
        let (before, behind) = self.args;
        let args = before
            .iter()
            .chain(&["-o", "{}", "{}"])
            .chain(behind)
            .map(|&arg| arg.to_owned())
            .collect();
        CommandTemplate { tool: self.tool.into(), args }
    }

    /// Is the file one of its language?
    pub fn reads(&self, path: &str) -> bool {
        path.rsplit_once('.').is_some_and(|(_, extension)| self.extensions.contains(&extension))
    }

    /// Compiles the file.
    ///
    /// # Errors
    ///
    /// Where the compiler is missing.
    pub fn start(&self, project: &Workspace, path: &str) -> Result<BuildPlan, Error> {
        let (before, behind) = self.args;
        let command = Command::new(project.find_executable(self.tool)?)
            .args(before.iter().copied())
            .args(["-o".to_owned(), output(project, path)?, path.to_owned()])
            .args(behind.iter().copied());
        let steps = vec![BuildStep {
            label: format!("{} {}", self.tool, name(path)),
            command,
            timeout_s: SECONDS,
        }];
        Ok(BuildPlan { steps, state: "{}".into() })
    }
}

/// What [`Compiler::start`] has made.
///
/// # Errors
///
/// The compiler's words, where it made nothing.
pub fn made(project: &Workspace, path: &str, results: &[BuildResult]) -> Result<Executable, Error> {
    let last = results.last().ok_or_else(|| Error::internal("the build has no result"))?;
    match last.exit_code {
        0 => project.build_output(last.step, &output(project, path)?),
        _ => Err(failed(&last.stderr_tail)),
    }
}

/// The compiler's words, from the first error on.
fn failed(said: &str) -> Error {
    let lines: Vec<&str> = said.lines().collect();
    let error = |line: &&str| {
        line.contains(" error: ")
            || line.contains("undefined reference")
            || line.starts_with("error")
    };
    let first = lines.iter().position(error).unwrap_or(0);
    Error::build_failed(lines.get(first..).unwrap_or_default().join("\n"))
}

fn output(project: &Workspace, path: &str) -> Result<String, Error> {
    let name = name(path);
    Ok(format!(
        "{}/{}",
        project.output_dir()?,
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    ))
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_from_the_first_error_on() {
        let said =
            "a.c: In function 'main':\na.c:3:5: error: unknown type name 'in'\n    3 | in x;\n";
        assert_eq!(failed(said).message, "a.c:3:5: error: unknown type name 'in'\n    3 | in x;");
        assert_eq!(
            failed("warning: x\nerror[E0308]: mismatched\n").message,
            "error[E0308]: mismatched"
        );
        assert_eq!(failed("collect2: x").message, "collect2: x");
    }

    #[test]
    fn sources_are_told_by_their_extension() {
        let read = |path: &str| {
            [&C, &CPP, &RUST].into_iter().find(|one| one.reads(path)).map(|one| one.tool)
        };
        assert_eq!(read("/w/a.c"), Some("gcc"));
        assert_eq!(read("/w/a.cpp"), Some("g++"));
        assert_eq!(read("/w/a.rs"), Some("rustc"));
        assert_eq!(read("/w/a.out"), None);
        assert_eq!(read("/w/a"), None);
    }

    #[test]
    fn the_manifest_allows_what_is_run() {
        assert_eq!(C.command().args, ["-g", "-O0", "-o", "{}", "{}", "-pthread", "-lm"]);
        assert_eq!(RUST.tool().candidates, ["rustc"]);
    }
}
