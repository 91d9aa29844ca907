//! The debugger's own command language, as far as the profile declares it: which commands leave the
//! debugger. Refuses to know what any other command does.

use dapdock_schema::Commands;

use super::error::Error;

/// Whether commands may leave the debugger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shell {
    /// They may run programs, scripts and files of commands.
    Allowed,
    /// They may not.
    #[default]
    Refused,
}

/// The text to send for a command.
///
/// # Errors
/// The command has several lines, or leaves the debugger, and `shell` refuses that.
pub(crate) fn text(commands: &Commands, command: &str, shell: Shell) -> Result<String, Error> {
    let command = command.trim();
    if command.is_empty() || command.contains(|c: char| c.is_control() && c != '\t') {
        return Err(Error::NotOneCommand);
    }
    // A command may be written with the prefix.
    let command = command.strip_prefix(&commands.prefix).unwrap_or(command).trim_start();
    if shell == Shell::Refused
        && let Some(escape) = escape(commands, command)
    {
        return Err(Error::LeavesDebugger { escape });
    }
    Ok(format!("{}{command}", commands.prefix))
}

/// Checks a text that may be evaluated, as a condition is.
///
/// # Errors
/// It leaves the debugger, and `shell` refuses that.
pub(crate) fn check_text(commands: &Commands, text: &str, shell: Shell) -> Result<(), Error> {
    match escape_text(commands, &text.to_lowercase()) {
        Some(escape) if shell == Shell::Refused => Err(Error::LeavesDebugger { escape }),
        _ => Ok(()),
    }
}

fn escape_text(commands: &Commands, lower: &str) -> Option<String> {
    commands.escape_texts.iter().find(|text| lower.contains(text.as_str())).cloned()
}

/// The part of a command that leaves the debugger.
fn escape(commands: &Commands, command: &str) -> Option<String> {
    let lower = command.to_lowercase();
    if let Some(text) = escape_text(commands, &lower) {
        return Some(text);
    }
    // A quote ends a word for some debuggers, and is a part of it for others.
    let joined = lower.replace(['"', '\'', '\\'], "");
    escape_words(commands, &words(&lower)).or_else(|| escape_words(commands, &words(&joined)))
}

fn escape_words(commands: &Commands, words: &[String]) -> Option<String> {
    let carries = commands.carriers.iter().any(|carrier| begins(words, carrier));
    let starts = if carries { words.len() } else { 1 };
    for start in 0..starts.min(words.len()) {
        let words = &words[start..];
        if let Some(escape) = commands.escapes.iter().find(|escape| begins(words, escape)) {
            return Some(words[..escape.split(' ').count()].join(" "));
        }
    }
    None
}

/// Letters, digits, `-`, `_` and `.` together; any other character alone.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut joins = false;
    for c in text.chars() {
        let is_letter = c.is_alphanumeric() || "-_.".contains(c);
        match words.last_mut() {
            Some(word) if joins && is_letter => word.push(c),
            _ if c.is_whitespace() => {}
            _ => words.push(c.to_string()),
        }
        joins = is_letter;
    }
    words
}

/// Do the words begin with this command, as `sh[ell] -c` notes it?
fn begins(words: &[String], noted: &str) -> bool {
    let mut words = words.iter();
    noted.split(' ').all(|noted| words.next().is_some_and(|word| abbreviates(word, noted)))
}

/// Is the word `sh`, `she`, `shel` or `shell` for `sh[ell]`?
fn abbreviates(word: &str, noted: &str) -> bool {
    let (least, rest) = noted.trim_end_matches(']').split_once('[').unwrap_or((noted, ""));
    word.strip_prefix(least).is_some_and(|more| rest.starts_with(more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, expect: Result<&str, &str>) {
        let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let commands = Commands {
            prefix: "do ".into(),
            escapes: list(&["!", "she[ll]", "pl[atform] sh[ell]", "e[dit]"]),
            carriers: list(&["w[ith]"]),
            escape_texts: list(&["$_shell"]),
            ..Commands::default()
        };
        let found = text(&commands, command, Shell::Refused).map_err(|error| match error {
            Error::LeavesDebugger { escape } => escape,
            _ => "lines".to_owned(),
        });
        assert_eq!(found.as_deref().map_err(String::as_str), expect, "{command}");
        if expect.is_err_and(|why| why != "lines") {
            assert!(text(&commands, command, Shell::Allowed).is_ok(), "{command}");
        }
    }

    #[test]
    fn commands_that_leave_the_debugger_are_found() {
        for (command, escape) in [
            ("shell ls", "shell"),
            ("  she ls", "she"),
            ("SHELL ls", "shell"),
            ("\"she\"ll ls", "shell"),
            ("do shell ls", "shell"),
            ("shell\"ls\"", "shell"),
            ("!ls", "!"),
            ("! ls", "!"),
            ("pla\tsh ls", "pla sh"),
            ("e", "e"),
            ("with x -- she ls", "she"),
            ("w x 'shell ls'", "shell"),
            ("print $_shell(\"ls\")", "$_shell"),
            ("p 1\nshell ls", "lines"),
            ("p 1\rshell ls", "lines"),
            ("p 1\0", "lines"),
            (" ", "lines"),
        ] {
            check(command, Err(escape));
        }
    }

    #[test]
    fn other_commands_are_sent() {
        for command in
            ["sh ls", "shells", "print shell", "platform list", "end", "en", "print a\tb", "é!"]
        {
            check(command, Ok(&format!("do {command}")));
        }
        check("do print 1", Ok("do print 1"));
    }
}
