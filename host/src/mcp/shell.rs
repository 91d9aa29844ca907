//! What only a shell understands in a command line, which no shell reads: `&&`, pipes,
//! redirections, `$NAME`, `*`, `~`, `A=1 cmd`.
//!
//! Knows quoting and operators (POSIX Shell Command Language, 2.2, 2.10). Refuses to be a shell: it
//! says what was found and what of it can be said otherwise.

/// A command line that only a shell could run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shell {
    /// The first thing in it that needs a shell, as written.
    pub found: String,
    /// The directory of a leading `cd`.
    pub cwd: Option<String>,
    /// Variables set in front of the command.
    pub env: Vec<(String, String)>,
    /// The file that it is to read.
    pub stdin: Option<String>,
    /// What is left to debug, quoted as written; empty: that cannot be told.
    pub command: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Operator(&'a str),
}

impl<'a> Token<'a> {
    fn word(&self) -> Option<&'a str> {
        match self {
            Token::Word(word) => Some(word),
            Token::Operator(_) => None,
        }
    }
}

const OPERATORS: [&str; 11] = ["&&", "||", ">>", "<<", ">&", "<&", "|", "&", ";", "<", ">"];

/// What needs a shell in `line`, if anything does. What is in single quotes never does. A pattern,
/// `\` before what stands for itself, is a word like any other where `names` knows no file that it
/// fits (POSIX, 2.14.3).
pub(super) fn shell(line: &str, names: impl Fn(&str) -> bool) -> Option<Shell> {
    let tokens = tokens(line);
    let expansion = |word: &str| expansion(word, &names);
    let first = tokens.iter().find_map(|token| match token {
        Token::Operator(text) => Some((*text).to_owned()),
        Token::Word(word) => expansion(word),
    });
    let leading = match tokens.first() {
        Some(Token::Word(word)) => assignment(word).map(|(name, _)| format!("{name}=")),
        _ => None,
    };
    let found = leading.or(first)?;
    // What an expansion stands for is not known here.
    let told = match tokens
        .iter()
        .any(|token| matches!(token, Token::Word(word) if expansion(word).is_some()))
    {
        true => Shell::default(),
        false => otherwise(&tokens),
    };
    Some(Shell { found, ..told })
}

fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut from, mut quote, mut escaped) = (None, None, false);
    let mut skip = 0;
    for (at, c) in line.char_indices() {
        if at < skip {
            continue;
        }
        let plain = quote.is_none() && !escaped;
        let operator =
            plain.then(|| OPERATORS.into_iter().find(|one| line[at..].starts_with(one))).flatten();
        if operator.is_some() || (plain && c.is_whitespace()) {
            let redirects = operator.is_some_and(|operator| operator.contains(['<', '>']));
            let word = from.take().map(|from| &line[from..at]);
            // `2>`: the number is of the redirection.
            let word =
                word.filter(|word| !(redirects && word.bytes().all(|byte| byte.is_ascii_digit())));
            tokens.extend(word.map(Token::Word));
        } else if from.is_none() {
            from = Some(at);
        }
        if let Some(operator) = operator {
            tokens.push(Token::Operator(&line[at..at + operator.len()]));
            skip = at + operator.len();
        }
        (quote, escaped) = follow(quote, escaped, c);
    }
    tokens.extend(from.map(|from| Token::Word(&line[from..])));
    tokens
}

/// `$NAME`, `${…}`, `$(…)` or `` ` `` outside of single quotes; `*`, `?` or a leading `~` outside
/// of all, except in an address. `[` is for names of tests.
fn expansion(word: &str, names: &dyn Fn(&str) -> bool) -> Option<String> {
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in word.char_indices() {
        let next = word[at + c.len_utf8()..].chars().next();
        let found = match c {
            '`' => quote != Some('\''),
            '$' => quote != Some('\'') && next.is_some_and(begins_name),
            '*' | '?' => {
                quote.is_none() && !word.contains("://") && !escaped && names(&pattern(word))
            }
            '~' => at == 0 && matches!(next, None | Some('/')),
            _ => false,
        };
        if found && !escaped {
            let from = if matches!(c, '*' | '?') { 0 } else { at };
            return Some(word[from..].trim_end_matches('"').to_owned());
        }
        (quote, escaped) = follow(quote, escaped, c);
    }
    None
}

fn begins_name(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '{' | '(')
}

/// The open quote behind `c`, and whether what follows is escaped.
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
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = name.chars().all(letter) && name.starts_with(|c: char| !c.is_ascii_digit());
    (is_name && !name.is_empty()).then(|| (name.to_owned(), unquoted(value)))
}

/// Without its quotes: `\` is before what they had stand for itself.
fn pattern(word: &str) -> String {
    let (mut quote, mut escaped, mut pattern) = (None, false, String::new());
    for c in word.chars() {
        let (within, behind) = follow(quote, escaped, c);
        let is_mark = within != quote || behind;
        if !is_mark {
            let itself = (quote.is_some() || escaped) && matches!(c, '*' | '?' | '\\');
            pattern.extend(itself.then_some('\\').into_iter().chain([c]));
        }
        (quote, escaped) = (within, behind);
    }
    pattern
}

fn unquoted(word: &str) -> String {
    shell_words::split(word).unwrap_or_default().join(" ")
}

/// The one command of the line, with what the words before it set for it. Which of several is meant
/// nobody knows.
fn otherwise(tokens: &[Token<'_>]) -> Shell {
    let mut told = Shell::default();
    let ends = |token: &Token<'_>| matches!(token, Token::Operator("&&" | "||" | ";" | "&"));
    let commands: Vec<_> = tokens.split(ends).filter(|words| !words.is_empty()).collect();
    let Some((last, before)) = commands.split_last() else { return told };
    if tokens.contains(&Token::Operator("||")) {
        return told;
    }
    for command in before {
        match command {
            [Token::Word("cd"), Token::Word(directory)] => told.cwd = Some(unquoted(directory)),
            [Token::Word("export"), set @ ..] => told.env.extend(set.iter().filter_map(set_by)),
            set if set.iter().all(|token| set_by(token).is_some()) => {
                told.env.extend(set.iter().filter_map(set_by))
            }
            _ => return Shell::default(),
        }
    }
    // Of a pipe the first: what follows reads what it writes.
    let mut first =
        last.split(|token| *token == Token::Operator("|")).next().unwrap_or_default().iter();
    let mut words = Vec::new();
    while let Some(token) = first.next() {
        match (token, token == &Token::Operator("<")) {
            (Token::Word(word), _) => words.push(*word),
            (_, true) => told.stdin = first.next().and_then(|file| file.word()).map(unquoted),
            // The word behind another redirection is its file.
            _ => drop(first.next()),
        }
    }
    let set: Vec<_> = words.iter().map_while(|word| assignment(word)).collect();
    told.command = words[set.len()..].join(" ");
    told.env.extend(set);
    told
}

fn set_by(token: &Token<'_>) -> Option<(String, String)> {
    assignment(token.word()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, found: &str, cwd: Option<&str>, env: &[(&str, &str)], command: &str) {
        assert_eq!(shell(line, |_| true), Some(told(found, cwd, env, command)), "{line}");
    }

    fn told(found: &str, cwd: Option<&str>, env: &[(&str, &str)], command: &str) -> Shell {
        let env =
            env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Shell {
            found: found.into(),
            cwd: cwd.map(str::to_owned),
            env,
            stdin: None,
            command: command.into(),
        }
    }

    #[test]
    fn a_file_to_read_is_found() {
        for line in
            ["./a 3 < 'in put.txt'", "./a 3 <'in put.txt' | head", "./a > out < 'in put.txt' 3"]
        {
            let found = if line.contains("out") { ">" } else { "<" };
            let want =
                Shell { stdin: Some("in put.txt".into()), ..told(found, None, &[], "./a 3") };
            assert_eq!(shell(line, |_| true), Some(want), "{line}");
        }
    }

    #[test]
    fn what_needs_a_shell_is_found_and_said_otherwise() {
        check("cd sub && tool a.py", "&&", Some("sub"), &[], "tool a.py");
        check("cd 'a b'; FOO=1 node x.js", ";", Some("a b"), &[("FOO", "1")], "node x.js");
        check("A=1 B='x y' tool a.py", "A=", None, &[("A", "1"), ("B", "x y")], "tool a.py");
        check("export A=1 && ./a", "&&", None, &[("A", "1")], "./a");
        check("make && ./app --x", "&&", None, &[], "");
        check("cd x && ./app || rm -r out", "&&", None, &[], "");
        check("a || b", "||", None, &[], "");
        check("tool a.py | head -3", "|", None, &[], "tool a.py");
        check("tool a.py|head", "|", None, &[], "tool a.py");
        check("./a > out.txt", ">", None, &[], "./a");
        check("./a 2>&1 | tee x", ">&", None, &[], "./a");
        check("./a 2 > x", ">", None, &[], "./a 2");
        check("./a > x -v 2>&1", ">", None, &[], "./a -v");
        check("./a -v | ./b < in.txt", "|", None, &[], "./a -v");
        check("./a 'x y' >> out", ">>", None, &[], "./a 'x y'");
        check("./a &", "&", None, &[], "./a");
        check("echo $(date)", "$(date)", None, &[], "");
        check("./a `date`", "`date`", None, &[], "");
        check("$HOME/a", "$HOME/a", None, &[], "");
        check("./a ${X}", "${X}", None, &[], "");
        check("./a \"to $HOME\"", "$HOME", None, &[], "");
        check("tool tests/test_*.py", "tests/test_*.py", None, &[], "");
        check("tool test_?.py", "test_?.py", None, &[], "");
        check("~/bin/a", "~/bin/a", None, &[], "");
        check("a ~", "~", None, &[], "");
    }

    #[test]
    fn a_pattern_that_fits_no_file_is_a_word() {
        let names = |pattern: &str| pattern == "te st_*.py";
        assert_eq!(shell("tool 3*4 what? x", names), None);
        let found = shell("tool 3*4 'te st'_*.py", names).map(|shell| shell.found);
        assert_eq!(found.as_deref(), Some("'te st'_*.py"));
        let asked = std::cell::RefCell::new(Vec::new());
        let told = shell(r#"tool '*'_?.py "a?"\*b* \x* 'it'\''s'?"#, |pattern| {
            asked.borrow_mut().push(pattern.to_owned());
            false
        });
        assert_eq!(
            (told, asked.into_inner()),
            (None, [r"\*_?.py", r"a\?\*b*", "x*", "it's?"].map(str::to_owned).into())
        );
        assert_eq!(
            shell("tool 3*4 $HOME", names).map(|shell| shell.found).as_deref(),
            Some("$HOME")
        );
    }

    #[test]
    fn quoted_text_and_plain_words_need_none() {
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
            "check tests/test_a.py::test_x[1-b]",
            "check --url http://x/?a=1",
            "",
        ] {
            assert_eq!(shell(line, |_| true), None, "{line}");
        }
    }
}
