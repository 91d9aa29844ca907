//! Shell syntax in a `command`, which is started without a shell: `&&`, pipes, redirections,
//! `$NAME`, `~`, `A=1 cmd`.
//!
//! Knows quotes and operators (POSIX Shell Command Language, 2.2 and 2.10) and which arguments of
//! `debug_launch` replace them. Expands nothing; patterns such as `*` reach the program unchanged.

/// A command line with shell syntax, and the same wish without it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::mcp) struct Shell {
    /// The first shell syntax, as written.
    pub found: String,
    /// The directory of a leading `cd`.
    pub cwd: Option<String>,
    /// Variables set in front of the command.
    pub env: Vec<(String, String)>,
    /// The file after `<`.
    pub stdin: Option<String>,
    /// The program and its arguments, quoted as written; empty if they cannot be known: several
    /// commands, or an expansion.
    pub command: String,
}

/// Longer ones first.
const OPERATORS: [&str; 12] = ["&&", "||", ">>", "<<", ">&", "<&", "&>", "|", "&", ";", "<", ">"];

/// The shell syntax of `line`, if it has any. Text in single quotes has none.
pub(in crate::mcp) fn shell(line: &str) -> Option<Shell> {
    let mut shell = Shell::default();
    let mut rest = line.trim().to_owned();
    loop {
        let (word, behind) = first_word(&rest);
        if let Some((name, value)) = assignment(word)
            && syntax(word).is_none()
        {
            shell.note(&format!("{name}="));
            shell.env.push((name, value));
            rest = behind.to_owned();
            continue;
        }
        let sets_variables = matches!(word, "export" | "env");
        if sets_variables && assignment(first_word(behind).0).is_some() {
            rest = behind.to_owned();
            continue;
        }
        let Some((at, found)) = syntax(&rest) else {
            shell.command = rest;
            break;
        };
        shell.note(found);
        let (before, after) = (rest[..at].trim_end(), rest[at + found.len()..].trim_start());
        match found {
            "&" | ";" if after.is_empty() => {
                shell.command = before.to_owned();
                break;
            }
            "&&" | ";" if let Some(directory) = before.strip_prefix("cd ") => {
                let directory = unquoted(directory);
                shell.cwd = Some(match shell.cwd.take() {
                    Some(outer) if !directory.starts_with('/') => format!("{outer}/{directory}"),
                    _ => directory,
                });
                rest = after.to_owned();
            }
            // Only variables are in front of it.
            "&&" | ";" if before.is_empty() && !shell.env.is_empty() => rest = after.to_owned(),
            "<" | ">" | ">>" | ">&" | "&>" if !after.starts_with('(') => {
                let (file, behind) = first_word(after);
                if found == "<" && syntax(file).is_some() {
                    return Some(Shell { found: shell.found, ..Shell::default() });
                }
                if found == "<" {
                    shell.stdin = Some(unquoted(file));
                }
                rest = format!("{} {behind}", without_descriptor(&rest[..at])).trim().to_owned();
            }
            // The program before a pipe: the others read its output.
            "|" if is_rest_of_pipeline(after) => {
                shell.command = before.to_owned();
                break;
            }
            _ => return Some(Shell { found: shell.found, ..Shell::default() }),
        }
    }
    if shell.found.is_empty() { None } else { Some(shell) }
}

/// Whether no other command follows the pipeline that goes on with `text`.
fn is_rest_of_pipeline(mut text: &str) -> bool {
    while let Some((at, found)) = syntax(text) {
        text = &text[at + found.len()..];
        match found {
            "&&" | "||" => return false,
            "&" | ";" => return text.trim().is_empty(),
            _ => {}
        }
    }
    true
}

impl Shell {
    fn note(&mut self, found: &str) {
        if self.found.is_empty() {
            found.clone_into(&mut self.found);
        }
    }
}

/// The first operator or expansion outside quotes: its position and text. Double quotes keep
/// expansions.
fn syntax(text: &str) -> Option<(usize, &str)> {
    let (mut quote, mut escaped, mut word) = (None, false, 0);
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        if quote.is_none() && c.is_whitespace() {
            word = at + c.len_utf8();
        }
        if quote.is_none()
            && !escaped
            && let Some(operator) = OPERATORS.into_iter().find(|one| rest.starts_with(one))
        {
            return Some((at, &rest[..operator.len()]));
        }
        let next = rest[c.len_utf8()..].chars().next();
        let expands = match c {
            '`' => quote != Some('\''),
            '$' => quote != Some('\'') && next.is_some_and(begins_name),
            '~' => quote.is_none() && at == word && next.is_none_or(|c| c == '/' || c == ' '),
            _ => false,
        };
        if expands && !escaped {
            return Some((at, first_word(rest).0.trim_end_matches('"')));
        }
        (quote, escaped) = follow(quote, escaped, c);
    }
    None
}

/// The text up to the first space or operator outside quotes, and the text after it.
fn first_word(text: &str) -> (&str, &str) {
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in text.char_indices() {
        let ends = c.is_whitespace() || matches!(c, '|' | '&' | ';' | '<' | '>');
        // `>&1`: the descriptor is the file.
        if quote.is_none() && !escaped && ends && at > 0 {
            return (&text[..at], text[at..].trim_start());
        }
        (quote, escaped) = follow(quote, escaped, c);
    }
    (text, "")
}

/// `2>`: the number belongs to the redirection.
fn without_descriptor(before: &str) -> &str {
    let bare = before.trim_end_matches(|c: char| c.is_ascii_digit());
    if bare.is_empty() || bare.ends_with(' ') { bare.trim_end() } else { before.trim_end() }
}

fn begins_name(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '{' | '(')
}

/// The open quote after `c`, and whether the next character is escaped.
fn follow(quote: Option<char>, escaped: bool, c: char) -> (Option<char>, bool) {
    match (quote, c) {
        _ if escaped => (quote, false),
        (Some('\''), '\\') => (quote, false),
        (_, '\\') => (quote, true),
        (None, '"' | '\'') => (Some(c), false),
        (Some(open), close) if open == close => (None, false),
        _ => (quote, false),
    }
}

/// `NAME=value`, the value without its quotes.
fn assignment(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| !c.is_ascii_digit());
    is_name.then(|| (name.to_owned(), unquoted(value)))
}

fn unquoted(word: &str) -> String {
    shell_words::split(word).unwrap_or_default().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, found: &str, cwd: Option<&str>, env: &[(&str, &str)], command: &str) {
        let mut expected =
            Shell { found: found.into(), command: command.into(), ..Shell::default() };
        expected.cwd = cwd.map(str::to_owned);
        for (name, value) in env {
            expected.env.push(((*name).to_owned(), (*value).to_owned()));
        }
        assert_eq!(shell(line), Some(expected), "{line}");
    }

    #[test]
    fn arguments_replace_shell_syntax() {
        check("cd sub && tool a.py", "&&", Some("sub"), &[], "tool a.py");
        check("cd 'a b'; FOO=1 node x.js", ";", Some("a b"), &[("FOO", "1")], "node x.js");
        check("A=1 B='x y' tool a.py", "A=", None, &[("A", "1"), ("B", "x y")], "tool a.py");
        check("tool a.py | head -3", "|", None, &[], "tool a.py");
        check("tool a.py|head", "|", None, &[], "tool a.py");
        check("./a > out.txt", ">", None, &[], "./a");
        check("./a 2>&1 | tee x", ">&", None, &[], "./a");
        check("./a 2 > x", ">", None, &[], "./a 2");
        check("./a > x -v 2>&1", ">", None, &[], "./a -v");
        check("./a -v | ./b < in.txt", "|", None, &[], "./a -v");
        check("./a 'x y' >> out", ">>", None, &[], "./a 'x y'");
        check("./a &", "&", None, &[], "./a");
        check("./a;", ";", None, &[], "./a");
        check("./a | b | c 2>&1 &", "|", None, &[], "./a");
        check("2>err ./a", ">", None, &[], "./a");
        check("export A=1 && ./a", "A=", None, &[("A", "1")], "./a");
        check("env A=1 ./a", "A=", None, &[("A", "1")], "./a");
        check("A=1; B=2 ./a", "A=", None, &[("A", "1"), ("B", "2")], "./a");
        check("cd a && cd b && ./x", "&&", Some("a/b"), &[], "./x");
        check("cd a && cd /b && ./x", "&&", Some("/b"), &[], "./x");
        let stdin = Some("in put.txt".to_owned());
        let expected =
            Shell { found: "<".into(), stdin, command: "./a 3".into(), ..Shell::default() };
        assert_eq!(shell("./a 3 < 'in put.txt'"), Some(expected));
    }

    #[test]
    fn several_commands_and_expansions_have_no_replacement() {
        check("make && ./app --x", "&&", None, &[], "");
        check("cd x && ./app || rm -r out", "&&", None, &[], "");
        check("a || b", "||", None, &[], "");
        check("make | tee log && ./app", "|", None, &[], "");
        check("./a | head; ./b", "|", None, &[], "");
        check("./a < $IN", "<", None, &[], "");
        check("./a < \"$IN\"", "<", None, &[], "");
        check("./a < <(sort x)", "<", None, &[], "");
        check("echo $(date)", "$(date)", None, &[], "");
        check("./a `date`", "`date`", None, &[], "");
        check("$HOME/a", "$HOME/a", None, &[], "");
        check("A=$HOME ./a", "$HOME", None, &[], "");
        check("./a ${X}", "${X}", None, &[], "");
        check("./a \"to $HOME\"", "$HOME", None, &[], "");
        check("~/bin/a", "~/bin/a", None, &[], "");
        check("a ~", "~", None, &[], "");
    }

    #[test]
    fn quoted_text_and_plain_words_need_no_shell() {
        for line in [
            "check -k 'a && b'",
            "check -k \"a | b\"",
            r"./a \; \| x\>y \$HOME",
            "go test -run ^TestA$ ./...",
            "go test -run 'TestA|TestB'",
            "./a --set=1 A=1",
            "cargo test -- --exact a::b",
            "./a '$HOME' 'it''s > x'",
            "./a \"it's; fine; *.py ~ \\$X\"",
            r"./a \* a~b 'x*'",
            "tool 3*4 what? test_*.py",
            "check tests/test_a.py::test_x[1-b]",
            "check --url http://x/?a=1",
            "",
        ] {
            assert_eq!(shell(line), None, "{line}");
        }
    }
}
