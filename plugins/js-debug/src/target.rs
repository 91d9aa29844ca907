//! Reads the target of a launch: a path or a command line. Pure.

use dapdock_plugin::prelude::*;

use crate::manifest::RUNNERS;

/// A program, its arguments, and the tool that runs it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The name of a tool, or a path as the caller wrote it.
    pub tool: String,
    /// The words between the tool and the program.
    pub options: Vec<String>,
    /// A path as the caller wrote it; none if the tool finds the program.
    pub program: Option<String>,
    pub args: Vec<String>,
    /// The name of the only test that runs.
    pub test: Option<String>,
    /// The first option is `--import` of a compiler, which older versions of Node.js do not have.
    pub registers: bool,
}

/// Options of node that take the next word.
const VALUED: [&str; 12] = [
    "--watch-path",
    "-r",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "-C",
    "--conditions",
    "--env-file",
    "--test-name-pattern",
    "--test-reporter",
    "--title",
];

pub fn run(request: &DebugRequest) -> Result<Run, Error> {
    match &request.target {
        Some(TargetRef::Path(path)) => Ok(program(path)),
        Some(TargetRef::Command(words)) => command(words),
        _ => Err(Error::unsupported("js-debug runs programs and command lines")),
    }
}

fn program(path: &str) -> Run {
    Run { tool: "node".into(), program: Some(path.into()), ..Run::default() }
}

/// `node [options] app.js …`, `npm run x`, `npx jest`, `tsx app.ts`, `app.js …`.
fn command(words: &[String]) -> Result<Run, Error> {
    let (first, rest) =
        words.split_first().ok_or_else(|| Error::invalid_request("the command is empty"))?;
    let name = first.rsplit('/').next().unwrap_or(first);
    if RUNNERS.contains(&name) {
        return Ok(Run { tool: first.clone(), options: rest.to_vec(), ..Run::default() });
    }
    if name != "node" && name != "nodejs" {
        return Ok(Run { args: rest.to_vec(), ..program(first) });
    }
    let tool = if first.contains('/') { first.clone() } else { "node".into() };
    let mut run = Run { tool, ..Run::default() };
    let mut words = without_inspect(rest)?.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-e" | "--eval" | "-p" | "--print" => {
                let refused =
                    Error::invalid_request(format!("`node {word}` has no source file to debug"));
                return Err(refused.hint("write the code to a file and launch that"));
            }
            option if option.starts_with("--inspect") => {}
            option if option.starts_with('-') => {
                run.options.push(word.clone());
                if VALUED.contains(&option) {
                    run.options.extend(words.next().cloned());
                }
            }
            path => {
                run.program = Some(path.to_owned());
                break;
            }
        }
    }
    run.args = words.cloned().collect();
    let tests = run.options.iter().any(|option| option == "--test");
    if run.program.is_none() && !tests {
        return Err(Error::invalid_request("the command names no program").hint("node FILE.js"));
    }
    Ok(run)
}

/// The words without `inspect`: `node inspect FILE …` is Node's own debugger, and its program is
/// run without it.
fn without_inspect(words: &[String]) -> Result<&[String], Error> {
    let Some((_, inner)) = words.split_first().filter(|(first, _)| *first == "inspect") else {
        return Ok(words);
    };
    match inner {
        [option, pid] if option == "-p" => {
            Err(attach_instead(format!("debug_attach {{\"pid\": {pid}}}")))
        }
        [address]
            if address.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()) =>
        {
            Err(attach_instead(format!("debug_attach {{\"address\": \"{address}\"}}")))
        }
        [option, rest @ ..] if option.starts_with("--port=") => Ok(rest),
        _ => Ok(inner),
    }
}

fn attach_instead(call: String) -> Error {
    Error::unsupported("`node inspect` of a running process launches no program").hint(call)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let read = match command(&words) {
            Ok(run) => format!(
                "{} {:?} {} {:?}",
                run.tool,
                run.options,
                run.program.unwrap_or("-".into()),
                run.args
            ),
            Err(error) => error.message,
        };
        assert_eq!(read, expect, "{line}");
    }

    #[test]
    fn command_lines_are_read_as_node_reads_them() {
        check("node app.js -x", r#"node [] app.js ["-x"]"#);
        check("/opt/node/bin/node --inspect-brk app.mjs", "/opt/node/bin/node [] app.mjs []");
        check(
            "node -r ts-node/register --no-warnings app.ts a",
            r#"node ["-r", "ts-node/register", "--no-warnings"] app.ts ["a"]"#,
        );
        check("node --test", r#"node ["--test"] - []"#);
        check("npm run start -- a", r#"npm ["run", "start", "--", "a"] - []"#);
        check("node_modules/.bin/tsx app.ts", r#"node_modules/.bin/tsx ["app.ts"] - []"#);
        check("./app.js a", r#"node [] ./app.js ["a"]"#);
        check("node inspect --port=1 app.js a", r#"node [] app.js ["a"]"#);
        check("node inspect -p 12", "`node inspect` of a running process launches no program");
    }

    #[test]
    fn commands_without_a_file_are_refused() {
        check("node -e 1", "`node -e` has no source file to debug");
        check("node --no-warnings", "the command names no program");
    }
}
