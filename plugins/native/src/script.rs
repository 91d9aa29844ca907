//! Shell scripts: what they start can be debugged, they cannot. Reads their text and runs nothing.

use dapdock_plugin::adapter::{Error, FileKind, Workspace};
use dapdock_plugin::path;
use dapdock_plugin::serde_json::json;

use crate::build::{self, Build};
use crate::projects;
use crate::shell::{self, Script, SimpleCommand};

const MOST_BYTES: u32 = 1 << 20;
const EXTENSIONS: [&str; 4] = ["sh", "bash", "zsh", "ksh"];

/// Is the file a shell script?
pub fn is_script(project: &Workspace, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_file = || matches!(project.stat(path), Some(FileKind::File));
    match name.rsplit_once('.') {
        Some((_, extension)) => EXTENSIONS.contains(&extension) && is_file(),
        None => is_file() && first_line(project, path).is_some_and(|line| names_shell(&line)),
    }
}

fn first_line(project: &Workspace, path: &str) -> Option<String> {
    let text = String::from_utf8(project.read_file(path, MOST_BYTES).ok()?).ok()?;
    text.lines().next().map(str::to_owned)
}

/// `#!/bin/sh`, `#!/usr/bin/env bash`.
fn names_shell(line: &str) -> bool {
    let words = line.strip_prefix("#!").unwrap_or_default().split_whitespace();
    words.take(3).any(|word| build::tool(word) == Some("sh"))
}

/// Refuses a shell script; anything else is no build.
pub fn check(project: &Workspace, path: &str, args: &[String]) -> Result<Option<Build>, Error> {
    if is_script(project, path) { Err(refused(project, path, args)) } else { Ok(None) }
}

/// The error for `sh FILE` and the like.
pub fn of_shell(project: &Workspace, words: &[String], directory: &str) -> Error {
    let file = words.iter().position(|word| !word.starts_with('-'));
    let Some((at, file)) = file.and_then(|at| Some((at, words.get(at)?))) else {
        return unknown("a shell");
    };
    let path = path::join(directory, file);
    if words.iter().take(at).any(|word| word.contains('c')) {
        let commands = shell::commands(file, directory, None);
        return of_commands(project, "the command", &commands);
    }
    match project.stat(&path) {
        Some(FileKind::File) => refused(project, &path, words.get(at + 1..).unwrap_or_default()),
        _ => Error::target_missing(format!("{file} does not exist")),
    }
}

fn refused(project: &Workspace, path: &str, args: &[String]) -> Error {
    let root = project.root();
    let text = project.read_file(path, MOST_BYTES).unwrap_or_default();
    let directory =
        shell::without_dots(path.rsplit_once('/').map_or("", |(directory, _)| directory));
    let script = Script { directory, args: args.to_vec() };
    let commands = shell::commands(&String::from_utf8_lossy(&text), &root, Some(script));
    of_commands(project, build::relative(&root, &shell::without_dots(path)), &commands)
}

fn of_commands(project: &Workspace, name: &str, commands: &[SimpleCommand]) -> Error {
    let root = project.root();
    let (mut lines, mut call) = (Vec::new(), None);
    for command in commands {
        let line = format!("`{}`", command.line());
        if let Some(launch) = launch(project, command)
            && !lines.contains(&line)
        {
            lines.push(line);
            call = Some(launch);
        }
    }
    if let (None, Some(command)) = (&call, build::interpreted(project, commands)) {
        lines.push(format!("`{}`", command.line()));
        call = Some(build::launch(&root, command));
    }
    match call {
        Some(call) => {
            let message = format!("{name} is a shell script, which starts {}", lines.join(", "));
            Error::unsupported(message).hint(call)
        }
        None => unknown(name),
    }
}

fn unknown(name: &str) -> Error {
    let error = Error::unsupported(format!("{name} is a shell script, which cannot be debugged"));
    let call = build::call(&[("command", json!("PROGRAM ARGUMENTS"))]);
    error.hint(format!("name the program that it starts: {call}"))
}

/// The launch of a program of the project that the command plainly starts; one that is not built is
/// built.
fn launch(project: &Workspace, command: &SimpleCommand) -> Option<String> {
    let (first, args) = command.words.split_first()?;
    let is_unknown = |word: &String| word.contains(['$', '`', '*']);
    if !first.contains('/') || command.words.iter().any(is_unknown) {
        return None;
    }
    let root = project.root();
    let path = shell::without_dots(&path::join(&command.directory, first));
    if build::is_program(project, &path) {
        return Some(build::launch(&root, command));
    }
    let output = build::relative(&root, &path);
    let program = projects::programs(project).into_iter().find(|one| one.output == output)?;
    let mut fields = vec![("command", json!(program.id()))];
    fields.extend((!args.is_empty()).then(|| ("args", json!(args))));
    Some(build::call(&fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_name_a_shell_in_their_first_line() {
        for line in ["#!/bin/sh", "#! /usr/bin/env bash", "#!/usr/bin/env -S bash -e"] {
            assert!(names_shell(line), "{line}");
        }
        for line in ["#!/usr/bin/env python3", "echo", "sh"] {
            assert!(!names_shell(line), "{line}");
        }
    }
}
