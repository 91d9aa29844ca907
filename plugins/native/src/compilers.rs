//! Compilers of single source files of C, C++ and Rust: a file is a whole program, compiled into
//! the request's own directory. Knows no debugger and no projects.

use dapdock_plugin::adapter::{
    BuildPlan, BuildResult, BuildStep, Command, Error, Executable, Workspace,
};
use dapdock_plugin::schema::{CommandTemplate, Tool, words};

const SECONDS: u32 = 600;

/// A compiler, with the flags that a debugger needs.
#[derive(Debug, PartialEq)]
pub struct Compiler {
    tool: &'static str,
    /// Other names of the tool.
    candidates: [&'static str; 3],
    install: &'static str,
    /// Arguments before the output, and after the source.
    args: (&'static [&'static str], &'static [&'static str]),
    extensions: &'static [&'static str],
}

/// Debug information that every debugger reads: LLDB 20 takes sizes of classes that GCC has written
/// as DWARF 5 for zero (llvm/llvm-project#145328).
const DEBUG: &[&str] = &["-g", "-gdwarf-4", "-O0"];

/// The compiler of C.
pub const C: Compiler = Compiler {
    tool: "gcc",
    candidates: ["gcc", "cc", "clang"],
    install: "install a C compiler",
    args: (DEBUG, &["-pthread", "-lm"]),
    extensions: &["c"],
};

/// The compiler of C++.
pub const CPP: Compiler = Compiler {
    tool: "g++",
    candidates: ["g++", "c++", "clang++"],
    install: "install a C++ compiler",
    args: (DEBUG, &["-pthread", "-lm"]),
    extensions: &["cc", "cpp", "cxx", "c++"],
};

/// The compiler of Rust, with the newest edition that every compiler of the last years supports.
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
        let (before, after) = self.args;
        let args = before
            .iter()
            .chain(&["-o", "{}", "{}"])
            .chain(after)
            .map(|&arg| arg.to_owned())
            .collect();
        CommandTemplate { tool: self.tool.into(), args }
    }

    /// Is the file a source of its language?
    pub fn accepts(&self, path: &str) -> bool {
        path.rsplit_once('.').is_some_and(|(_, extension)| self.extensions.contains(&extension))
    }

    /// Plans the compilation of the file.
    ///
    /// # Errors
    ///
    /// If the compiler is missing.
    pub fn start(&self, project: &Workspace, path: &str) -> Result<BuildPlan, Error> {
        let (before, after) = self.args;
        let command = Command::new(project.find_executable(self.tool)?)
            .args(before.iter().copied())
            .args(["-o".to_owned(), output(project, path)?, path.to_owned()])
            .args(after.iter().copied());
        let steps = vec![BuildStep {
            label: format!("{} {}", self.tool, name(path)),
            command,
            timeout_s: SECONDS,
        }];
        Ok(BuildPlan { steps, state: "{}".into() })
    }
}

/// The program that [`Compiler::start`] compiled.
///
/// # Errors
///
/// The compiler's messages, if the build failed.
pub fn compiled_program(
    project: &Workspace,
    path: &str,
    results: &[BuildResult],
) -> Result<Executable, Error> {
    let last = results.last().ok_or_else(|| Error::internal("the build has no result"))?;
    match last.exit_code {
        0 => project.build_output(last.step, &output(project, path)?),
        _ => Err(build_error(&last.stderr_tail)),
    }
}

/// The compiler's messages, from the first error on.
fn build_error(output: &str) -> Error {
    let lines: Vec<&str> = output.lines().collect();
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
    fn build_error_begins_at_the_first_error() {
        let output =
            "a.c: In function 'main':\na.c:3:5: error: unknown type name 'in'\n    3 | in x;\n";
        assert_eq!(
            build_error(output).message,
            "a.c:3:5: error: unknown type name 'in'\n    3 | in x;"
        );
        assert_eq!(
            build_error("warning: x\nerror[E0308]: mismatched\n").message,
            "error[E0308]: mismatched"
        );
        assert_eq!(build_error("collect2: x").message, "collect2: x");
    }

    #[test]
    fn sources_are_recognised_by_extension() {
        let read = |path: &str| {
            [&C, &CPP, &RUST].into_iter().find(|one| one.accepts(path)).map(|one| one.tool)
        };
        assert_eq!(read("/w/a.c"), Some("gcc"));
        assert_eq!(read("/w/a.cpp"), Some("g++"));
        assert_eq!(read("/w/a.rs"), Some("rustc"));
        assert_eq!(read("/w/a.out"), None);
        assert_eq!(read("/w/a"), None);
    }

    #[test]
    fn command_template_matches_the_command() {
        assert_eq!(
            C.command().args,
            ["-g", "-gdwarf-4", "-O0", "-o", "{}", "{}", "-pthread", "-lm"]
        );
        assert_eq!(RUST.tool().candidates, ["rustc"]);
    }
}
