//! Compiles a source file that is a whole program, into the request's own directory.

use dapdock_plugin::prelude::*;

use crate::manifest::PLAIN;

const SECONDS: u32 = 600;

pub fn start(project: &Workspace, path: &str, plus: bool) -> Result<BuildPlan, Error> {
    let tool = if plus { "g++" } else { "gcc" };
    let command = Command::new(project.find_executable(tool)?)
        .args(PLAIN)
        .args(["-o".to_owned(), output(project, path)?, path.to_owned()])
        .args(["-pthread", "-lm"]);
    let steps = vec![BuildStep { label: format!("{tool} {}", name(path)), command, timeout_s: SECONDS }];
    Ok(BuildPlan { steps, state: "{}".into() })
}

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
    let error = |line: &&str| line.contains(" error: ") || line.contains("undefined reference");
    let first = lines.iter().position(error).unwrap_or(0);
    Error::build_failed(lines.get(first..).unwrap_or_default().join("\n"))
}

fn output(project: &Workspace, path: &str) -> Result<String, Error> {
    let name = name(path);
    Ok(format!("{}/{}", project.output_dir()?, name.rsplit_once('.').map_or(name, |(stem, _)| stem)))
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_from_the_first_error_on() {
        let said = "a.c: In function 'main':\na.c:3:5: error: unknown type name 'in'\n    3 | in x;\n";
        assert_eq!(failed(said).message, "a.c:3:5: error: unknown type name 'in'\n    3 | in x;");
        assert_eq!(failed("collect2: x").message, "collect2: x");
    }
}
