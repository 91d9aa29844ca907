//! The debugger's own command language, as far as the profile declares it: which commands leave the
//! debugger. Refuses to know what any other command does.

use dapdock_schema::Commands;
use serde_json::Value;

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

/// The arguments of a raw request whose strings the debugger evaluates: DAP's `EvaluateArguments`,
/// `SetVariableArguments` and the types of breakpoints.
const EVALUATED: [&str; 5] = ["expression", "condition", "hitCondition", "logMessage", "value"];

/// Checks a raw request.
///
/// # Errors
/// Something in it leaves the debugger, and `shell` refuses that.
pub(crate) fn check_request(
    commands: &Commands,
    command: &str,
    arguments: &Value,
    shell: Shell,
) -> Result<(), Error> {
    let found = escape_text(&commands.escape_texts, &arguments.to_string().to_lowercase())
        .or_else(|| evaluated_escape(commands, arguments))
        .or_else(|| {
            let context = arguments["context"].as_str();
            let is_console = context.is_none_or(|it| it == "repl" || it == commands.context);
            let text = arguments["expression"].as_str().filter(|_| is_console);
            text.filter(|_| command == "evaluate").and_then(|text| escape(commands, text))
        });
    match found {
        Some(escape) if shell == Shell::Refused => Err(Error::LeavesDebugger { escape }),
        _ => Ok(()),
    }
}

/// The text that leaves the debugger in an expression, at any depth of the arguments.
fn evaluated_escape(commands: &Commands, arguments: &Value) -> Option<String> {
    match arguments {
        Value::Object(members) => members.iter().find_map(|(name, value)| match value {
            Value::String(text) if EVALUATED.contains(&name.as_str()) => {
                escape_text(&commands.expression_escapes, &text.to_lowercase())
            }
            _ => evaluated_escape(commands, value),
        }),
        Value::Array(items) => items.iter().find_map(|item| evaluated_escape(commands, item)),
        _ => None,
    }
}

fn escape_text(escapes: &[String], lower: &str) -> Option<String> {
    escapes.iter().find(|text| lower.contains(text.as_str())).cloned()
}

/// The part of a command that leaves the debugger.
fn escape(commands: &Commands, command: &str) -> Option<String> {
    let mut text = command.to_lowercase();
    loop {
        if let Some(found) = escape_of(commands, &text) {
            return Some(found);
        }
        // A command inside a string has its escape sequences resolved, once for each string around.
        let resolved = resolved(&text);
        if resolved == text {
            return None;
        }
        text = resolved;
    }
}

fn escape_of(commands: &Commands, lower: &str) -> Option<String> {
    if let Some(text) = escape_text(&commands.escape_texts, lower) {
        return Some(text);
    }
    // A quote ends a word for some debuggers, and is a part of it for others.
    let joined = lower.replace(['"', '\'', '\\'], "");
    escape_words(commands, &words(lower)).or_else(|| escape_words(commands, &words(&joined)))
}

/// The text with C's escape sequences resolved; a control character is a space.
fn resolved(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, sequence)) = rest.split_once('\\') {
        plain.push_str(before);
        let (character, length) = resolved_sequence(sequence);
        plain.push(if character.is_control() { ' ' } else { character });
        rest = &sequence[length..];
    }
    plain.push_str(rest);
    plain
}

/// The character of an escape sequence without its backslash, and the bytes that it takes.
fn resolved_sequence(sequence: &str) -> (char, usize) {
    let number = |start: usize, most: usize, radix: u32| {
        let digits = sequence[start..].chars().take(most).take_while(|c| c.is_digit(radix)).count();
        let code = u8::from_str_radix(&sequence[start..start + digits], radix).ok()?;
        Some((char::from(code), start + digits))
    };
    let Some(first) = sequence.chars().next() else { return (' ', 0) };
    let code = match first {
        'x' => number(1, 2, 16),
        '0'..='7' => number(0, 3, 8),
        'a' | 'b' | 'e' | 'f' | 'n' | 'r' | 't' | 'v' => Some((' ', 1)),
        _ => None,
    };
    code.unwrap_or((first, first.len_utf8()))
}

fn escape_words(commands: &Commands, words: &[String]) -> Option<String> {
    let carries = commands.carriers.iter().any(|carrier| begins(words, carrier));
    let starts = if carries { words.len() } else { 1 };
    for start in 0..starts.min(words.len()) {
        let words = &words[start..];
        if let Some(escape) = commands.escapes.iter().find(|escape| begins(words, escape)) {
            let length = escape.split(' ').take_while(|noted| *noted != ANY).count();
            let start = words[..length].join(" ");
            let end =
                escape.split_once(" * ").map(|(_, end)| end.trim_end_matches([' ', '+', '*']));
            return Some(end.map_or(start.clone(), |end| format!("{start} … {end}")));
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

/// Stands for any words of a command.
const ANY: &str = "*";

/// Stands for one word.
const ONE: &str = "+";

/// Do the words begin with this command, as `sh[ell] -c`, `x * -o*` or `run * & +` notes it?
fn begins(words: &[String], noted: &str) -> bool {
    fits(words, &noted.split(' ').collect::<Vec<_>>())
}

fn fits(words: &[String], noted: &[&str]) -> bool {
    match (noted, words) {
        ([], _) => true,
        ([ANY, rest @ ..], _) => (0..=words.len()).any(|skipped| fits(&words[skipped..], rest)),
        ([_, ..], []) => false,
        ([ONE, rest @ ..], [_, words @ ..]) => fits(words, rest),
        ([first, rest @ ..], [word, words @ ..]) => abbreviates(word, first) && fits(words, rest),
    }
}

/// Is the word `sh`, `she`, `shel` or `shell` for `sh[ell]`, or does it begin with `-o` for `-o*`?
fn abbreviates(word: &str, noted: &str) -> bool {
    if let Some(start) = noted.strip_suffix('*') {
        return word.starts_with(start);
    }
    let (least, rest) = noted.trim_end_matches(']').split_once('[').unwrap_or((noted, ""));
    word.strip_prefix(least).is_some_and(|more| rest.starts_with(more))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn language() -> Commands {
        let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Commands {
            context: "console".into(),
            prefix: "do ".into(),
            escapes: list(&["!", "she[ll]", "pl[atform] sh[ell]", "e[dit]", "x * -o*", "go * & +"]),
            carriers: list(&["w[ith]"]),
            escape_texts: list(&["$_shell"]),
            expression_escapes: list(&["/py"]),
            ..Commands::default()
        }
    }

    #[track_caller]
    fn check(command: &str, expect: Result<&str, &str>) {
        let commands = language();
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
            ("x -c 4 -o /tmp/f", "x … -o"),
            ("x -of 1", "x … -o"),
            ("go on & ls", "go … &"),
            ("with x -- she ls", "she"),
            ("w x 'shell ls'", "shell"),
            ("w x \"\\tshell ls\"", "shell"),
            ("w x \"\\x73\\150ell ls\"", "shell"),
            (r#"w x "w \"\\tshell ls\"""#, "shell"),
            ("print \"\\$_shell\"", "$_shell"),
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
        for command in [
            "sh ls",
            "shells",
            "print shell",
            "platform list",
            "end",
            "print a\tb",
            "é!",
            "go on &",
        ] {
            check(command, Ok(&format!("do {command}")));
        }
        check("do print 1", Ok("do print 1"));
        for text in [r"print '\\x73hell \777 \é \", "w a \"\\tsh ls\""] {
            check(text, Ok(&format!("do {text}")));
        }
    }

    #[test]
    fn raw_requests_that_leave_the_debugger_are_found() {
        let check = |command, arguments: Value, expect: Option<&str>| {
            let found = check_request(&language(), command, &arguments, Shell::Refused);
            let escape = found.err().map(|error| match error {
                Error::LeavesDebugger { escape } => escape,
                error => panic!("{error}"),
            });
            assert_eq!(escape.as_deref(), expect, "{arguments}");
            assert!(check_request(&language(), command, &arguments, Shell::Allowed).is_ok());
        };
        for context in ["repl", "console"] {
            let evaluate = json!({"expression": "shell ls", "context": context});
            check("evaluate", evaluate, Some("shell"));
        }
        check("evaluate", json!({"expression": "!ls"}), Some("!"));
        check("evaluate", json!({"expression": "e", "context": "watch"}), None);
        check("evaluate", json!({"expression": "/py 1", "context": "watch"}), Some("/py"));
        check("x", json!({"a": [{"logMessage": "{/py 1}"}]}), Some("/py"));
        check("x", json!({"path": "/python/a.c"}), None);
        check("x", json!({"text": "$_shell"}), Some("$_shell"));
    }
}
