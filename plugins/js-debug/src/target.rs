//! Reads what the caller wants to run: a path or a command line. Pure.

use dapdock_plugin::prelude::*;

use crate::manifest::RUNNERS;

/// What to run, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The name of a tool, or a path as the caller wrote it.
    pub tool: String,
    /// What stands between the tool and the program.
    pub options: Vec<String>,
    /// A path as the caller wrote it; none: the tool finds it.
    pub program: Option<String>,
    pub args: Vec<String>,
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
    let mut words = uninspected(rest)?.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-e" | "--eval" | "-p" | "--print" => {
                let refused = Error::invalid_request(format!(
                    "`node {word}` has no file whose lines could be debugged"
                ));
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

/// `node inspect FILE …` is Node's own debugger: what it debugs is run.
fn uninspected(words: &[String]) -> Result<&[String], Error> {
    let refuse = |call: String| {
        Err(Error::unsupported("`node inspect` of what runs already starts nothing to debug")
            .hint(call))
    };
    let Some((_, inner)) = words.split_first().filter(|(first, _)| *first == "inspect") else {
        return Ok(words);
    };
    match inner {
        [option, pid] if option == "-p" => refuse(format!("debug_attach {{\"pid\": {pid}}}")),
        [address]
            if address.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()) =>
        {
            refuse(format!("debug_attach {{\"address\": \"{address}\"}}"))
        }
        [option, rest @ ..] if option.starts_with("--port=") => Ok(rest),
        _ => Ok(inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let said = match command(&words) {
            Ok(run) => format!(
                "{} {:?} {} {:?}",
                run.tool,
                run.options,
                run.program.unwrap_or("-".into()),
                run.args
            ),
            Err(error) => error.message,
        };
        assert_eq!(said, expect, "{line}");
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
        check("node inspect -p 12", "`node inspect` of what runs already starts nothing to debug");
    }

    #[test]
    fn commands_without_a_file_are_refused() {
        check("node -e 1", "`node -e` has no file whose lines could be debugged");
        check("node --no-warnings", "the command names no program");
    }
}
