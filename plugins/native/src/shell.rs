//! Command lines of a shell, as far as they start programs: recipes of make, scripts, link
//! commands. Knows the syntax, expands nothing but variables that the text itself sets, and runs
//! nothing.

use std::collections::BTreeMap;

use dapdock_plugin::path;

/// A command that a shell would run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimpleCommand {
    /// Variables set for this command.
    pub env: Vec<(String, String)>,
    pub words: Vec<String>,
    /// The file of `< FILE`.
    pub stdin: Option<String>,
    /// Its output goes into a file.
    pub writes_file: bool,
    /// The directory in which it runs.
    pub directory: String,
    /// A word depends on what only a shell knows.
    pub expands: bool,
}

/// Words that precede a command.
const PREFIXES: [&str; 14] = [
    "if", "then", "else", "elif", "while", "until", "do", "!", "{", "exec", "command", "time",
    "nohup", "env",
];

/// Programs that run the program which follows their options.
const WRAPPERS: [&str; 14] = [
    "valgrind",
    "gdb",
    "lldb",
    "timeout",
    "nice",
    "ionice",
    "strace",
    "ltrace",
    "rr",
    "stdbuf",
    "perf",
    "catchsegv",
    "setarch",
    "taskset",
];

/// Parts of names of compilers and linkers: `x86_64-linux-gnu-gcc-12`.
const COMPILERS: [&str; 14] = [
    "cc", "c++", "gcc", "g++", "clang", "clang++", "tcc", "icc", "icpc", "icx", "icpx", "mpicc",
    "mpicxx", "ld",
];

/// Commands that read or write files, print, or build, and start no other program.
const FILE_TOOLS: [&str; 32] = [
    "ar", "awk", "cat", "chmod", "cmp", "cp", "diff", "echo", "exit", "export", "false", "for",
    "grep", "install", "ln", "ls", "make", "mkdir", "mv", "printf", "ranlib", "rm", "rmdir", "sed",
    "set", "size", "source", "strip", "tar", "test", "touch", "true",
];

/// Options with which a compiler links no program.
const NO_PROGRAM: [&str; 9] =
    ["-c", "-E", "-S", "-M", "-MM", "-r", "-shared", "-dynamiclib", "-fsyntax-only"];

impl SimpleCommand {
    /// The program that the command links, relative to its directory.
    pub fn linked(&self) -> Option<&str> {
        let compiler = self.words.iter().position(|word| is_compiler(word))?;
        let args = self.words.get(compiler + 1..)?;
        if args.iter().any(|word| NO_PROGRAM.contains(&word.as_str())) {
            return None;
        }
        let mut output = None;
        for (at, word) in args.iter().enumerate() {
            match word.strip_prefix("-o") {
                Some("") => output = args.get(at + 1).map(String::as_str),
                Some(path) => output = Some(path),
                None => {}
            }
        }
        match output {
            Some(path) => crate::programs::is_program(path).then_some(path),
            None => args.iter().any(|word| is_input(word)).then_some("a.out"),
        }
    }

    /// The command that a wrapper such as `valgrind` runs begins at one of these words.
    pub fn starts(&self) -> std::ops::Range<usize> {
        let wraps = self.words.first().is_some_and(|word| WRAPPERS.contains(&name(word)));
        if wraps { 1..self.words.len() } else { 0..self.words.len().min(1) }
    }

    /// Does it start a program that is neither a compiler nor a tool for files?
    pub fn is_tool(&self) -> bool {
        let first = self.words.first().map(|word| name(word)).unwrap_or_default();
        let is_known = FILE_TOOLS.contains(&first) || is_compiler(first);
        !is_known && first.starts_with(|letter: char| letter.is_ascii_lowercase())
    }

    /// The words of a command line.
    pub fn line(&self) -> String {
        line(&self.words)
    }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_compiler(word: &str) -> bool {
    name(word).split('-').any(|part| COMPILERS.contains(&part))
}

fn is_input(word: &str) -> bool {
    let extension = word.rsplit_once('.').map(|(_, extension)| extension);
    !word.starts_with('-') && matches!(extension, Some("c" | "cc" | "cpp" | "cxx" | "o" | "a"))
}

/// The words as a shell reads them.
pub fn line<T: AsRef<str>>(words: &[T]) -> String {
    let mut line = Vec::new();
    for word in words {
        line.push(quoted(word.as_ref()));
    }
    line.join(" ")
}

/// A word quoted for a command line.
pub fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|c| c.is_alphanumeric() || "-_=+./:,@%^".contains(c));
    if is_plain && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// What a script is started with.
#[derive(Debug)]
pub struct Script {
    pub directory: String,
    pub args: Vec<String>,
}

/// The commands of a text that runs in `directory`, and is that of a script if it is one.
pub fn commands(text: &str, directory: &str, script: Option<Script>) -> Vec<SimpleCommand> {
    let mut reader = Reader {
        text: text.chars().collect(),
        at: 0,
        variables: BTreeMap::new(),
        script,
        directories: vec![directory.to_owned()],
        commands: Vec::new(),
        current: Parts::default(),
    };
    while reader.step() {}
    reader.end_command();
    reader.commands
}

/// The parts of the command that is being read.
#[derive(Default)]
struct Parts {
    words: Vec<String>,
    word: Option<String>,
    expands: bool,
    stdin: Option<String>,
    writes_file: bool,
    /// What the next word is.
    redirects: Option<Redirect>,
}

#[derive(Clone, Copy, PartialEq)]
enum Redirect {
    Input,
    Output,
    /// A here-document, or a descriptor.
    Other,
}

struct Reader {
    text: Vec<char>,
    at: usize,
    variables: BTreeMap<String, String>,
    script: Option<Script>,
    /// The directory of each open parenthesis, the innermost last.
    directories: Vec<String>,
    commands: Vec<SimpleCommand>,
    current: Parts,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    /// Reads one character, operator or quoted part; false at the end.
    fn step(&mut self) -> bool {
        let Some(letter) = self.peek(0) else { return false };
        self.at += 1;
        match letter {
            '\\' => {
                let next = self.peek(0);
                self.at += 1;
                if let Some(next) = next.filter(|next| *next != '\n') {
                    self.push(next);
                }
            }
            '\'' => self.single_quoted(),
            '"' => self.double_quoted(),
            '$' | '`' => self.expansion(letter),
            '#' if self.current.word.is_none() => {
                while self.peek(0).is_some_and(|letter| letter != '\n') {
                    self.at += 1;
                }
            }
            ' ' | '\t' => self.end_word(),
            '<' | '>' => self.redirection(letter),
            '&' if self.peek(0) == Some('>') => self.end_word(),
            '\n' | ';' | '|' | '&' => self.end_command(),
            '(' => {
                self.end_command();
                let directory = self.directory();
                self.directories.push(directory);
            }
            ')' => {
                self.end_command();
                if self.directories.len() > 1 {
                    self.directories.pop();
                }
            }
            letter => self.push(letter),
        }
        true
    }

    fn directory(&self) -> String {
        self.directories.last().cloned().unwrap_or_default()
    }

    fn push(&mut self, letter: char) {
        self.current.word.get_or_insert_default().push(letter);
    }

    fn single_quoted(&mut self) {
        self.current.word.get_or_insert_default();
        while let Some(letter) = self.peek(0) {
            self.at += 1;
            if letter == '\'' {
                return;
            }
            self.push(letter);
        }
    }

    fn double_quoted(&mut self) {
        self.current.word.get_or_insert_default();
        while let Some(letter) = self.peek(0) {
            self.at += 1;
            match letter {
                '"' => return,
                '\\' if self.peek(0).is_some_and(|next| "\"\\$`\n".contains(next)) => {
                    let next = self.peek(0);
                    self.at += 1;
                    if let Some(next) = next.filter(|next| *next != '\n') {
                        self.push(next);
                    }
                }
                '$' | '`' => self.expansion(letter),
                letter => self.push(letter),
            }
        }
    }

    /// A variable or a command substitution, whose text stays where its value is unknown.
    fn expansion(&mut self, first: char) {
        let start = self.at;
        let (open, close) = match (first, self.peek(0)) {
            ('`', _) => (None, '`'),
            (_, Some('(')) => (Some('('), ')'),
            (_, Some('{')) => (Some('{'), '}'),
            _ => return self.variable(),
        };
        let mut depth = 0;
        while let Some(letter) = self.peek(0) {
            self.at += 1;
            if Some(letter) == open {
                depth += 1;
            } else if letter == close {
                depth -= 1;
                if depth <= 0 {
                    break;
                }
            }
        }
        let inside: String = self.text[start..self.at].iter().collect();
        let plain = inside.trim_matches(['{', '}', '`']);
        let found = self.variables.get(plain).cloned().or_else(|| self.directory_of_script(plain));
        self.insert(found, &format!("{first}{inside}"));
    }

    /// `$(dirname "$0")` and the like.
    fn directory_of_script(&self, text: &str) -> Option<String> {
        let of = text.contains("dirname") || text == "0%/*" || text == "BASH_SOURCE%/*";
        let whole = text.contains("$0") || text.contains("BASH_SOURCE") || text == "0%/*";
        let script = self.script.as_ref()?;
        (of && whole).then(|| script.directory.clone())
    }

    fn variable(&mut self) {
        let start = self.at;
        if self.peek(0).is_some_and(|letter| "@*#?$!0123456789".contains(letter)) {
            self.at += 1;
        } else {
            while self.peek(0).is_some_and(|letter| letter.is_alphanumeric() || letter == '_') {
                self.at += 1;
            }
        }
        let name: String = self.text[start..self.at].iter().collect();
        match (&self.script, name.as_str()) {
            (Some(script), "@" | "*") => {
                let args = script.args.clone();
                self.arguments(&args);
            }
            (Some(script), number) if let Ok(number) = number.parse::<usize>() => {
                let arg = number.checked_sub(1).and_then(|at| script.args.get(at)).cloned();
                self.insert(arg, &format!("${name}"));
            }
            _ => {
                let found = self.variables.get(&name).cloned();
                self.insert(found, &format!("${name}"));
            }
        }
    }

    /// One word for each argument of the script.
    fn arguments(&mut self, args: &[String]) {
        if args.is_empty() {
            self.current.word.take_if(|word| word.is_empty());
        }
        for (at, arg) in args.iter().enumerate() {
            if at > 0 {
                self.end_word();
            }
            self.current.word.get_or_insert_default().push_str(arg);
        }
    }

    fn insert(&mut self, value: Option<String>, unknown: &str) {
        self.current.expands |= value.is_none();
        let text = value.unwrap_or_else(|| unknown.to_owned());
        self.current.word.get_or_insert_default().push_str(&text);
    }

    fn redirection(&mut self, letter: char) {
        // `2>` names a descriptor.
        let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
        let number = self.current.word.take_if(|word| is_number(word));
        self.end_word();
        let is_stdout = matches!(number.as_deref(), None | Some("1"));
        let mut kind = match letter {
            '<' => Redirect::Input,
            _ if is_stdout => Redirect::Output,
            _ => Redirect::Other,
        };
        while let Some(next) = self.peek(0).filter(|next| "<>&|-".contains(*next)) {
            if next != '>' && next != '|' {
                kind = Redirect::Other;
            }
            self.at += 1;
        }
        self.current.redirects = Some(kind);
    }

    fn end_word(&mut self) {
        let Some(word) = self.current.word.take() else { return };
        match self.current.redirects.take() {
            None => self.current.words.push(word),
            Some(Redirect::Input) => self.current.stdin = Some(word),
            Some(Redirect::Output) => self.current.writes_file |= word != "/dev/null",
            Some(Redirect::Other) => {}
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        let parts = std::mem::take(&mut self.current);
        let mut command = SimpleCommand {
            stdin: parts.stdin,
            writes_file: parts.writes_file,
            directory: self.directory(),
            expands: parts.expands,
            ..SimpleCommand::default()
        };
        let mut words = parts.words.into_iter().peekable();
        while let Some(word) = words.peek() {
            if let Some((name, value)) = assignment(word) {
                command.env.push((name.to_owned(), value.to_owned()));
            } else if !PREFIXES.contains(&word.as_str()) {
                break;
            }
            words.next();
        }
        command.words = words.collect();
        match command.words.as_slice() {
            [] if !command.expands => self.variables.extend(command.env),
            [] => {}
            [cd, directory] if cd == "cd" => {
                let there = path::join(&command.directory, directory);
                if let Some(innermost) = self.directories.last_mut() {
                    *innermost = without_dots(&there);
                }
            }
            [first, rest @ ..] if first == "export" => {
                let set = rest.iter().filter_map(|word| assignment(word));
                self.variables.extend(set.map(|(name, value)| (name.into(), value.into())));
            }
            _ => self.commands.push(command),
        }
    }
}

/// `NAME=VALUE`.
fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    is_name(name).then_some((name, value))
}

/// The path without `.` and `..`.
pub fn without_dots(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let start = if path.starts_with('/') { "/" } else { "" };
    format!("{start}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script() -> Script {
        Script { directory: "/s".into(), args: vec!["x y".into(), "z".into()] }
    }

    fn read(text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for command in commands(text, "/w", Some(script())) {
            let mut line = format!("{}: {}", command.directory, command.line());
            for (name, value) in &command.env {
                line.push_str(&format!(" {name}={value}"));
            }
            line.push_str(&command.stdin.map(|file| format!(" <{file}")).unwrap_or_default());
            line.push_str(if command.writes_file { " >" } else { "" });
            line.push_str(if command.expands { " $" } else { "" });
            lines.push(line);
        }
        lines
    }

    #[test]
    fn commands_are_read_as_a_shell_reads_them() {
        let lines = [
            ("./cart --fast 'a b' \"c d\"", "/w: ./cart --fast 'a b' 'c d'"),
            ("cd src && ./cart", "/w/src: ./cart"),
            ("FAST=1 ./cart < in.txt > out 2>&1", "/w: ./cart FAST=1 <in.txt >"),
            ("if ! ./cart 2>/dev/null; then", "/w: ./cart"),
            ("./cart $HOME # note", "/w: ./cart '$HOME' $"),
            ("DIR=b; exec \"$DIR/cart\" \"$@\"", "/w: b/cart 'x y' z"),
            ("./a\\ b \\\n  c", "/w: './a b' c"),
        ];
        for (text, expect) in lines {
            assert_eq!(read(text), [expect], "{text}");
        }
        assert_eq!(read("$(dirname \"$0\")/cart"), ["/w: /s/cart"]);
        assert_eq!(read("cd \"$(dirname \"$0\")\"\n./cart"), ["/s: ./cart"]);
        assert_eq!(read("(cd a && make) && ./x | tee y"), ["/w/a: make", "/w: ./x", "/w: tee y"]);
    }

    #[test]
    fn link_commands_name_their_program() {
        let linked = |text: &str| {
            let all = commands(text, "/w", None);
            all[0].linked().map(str::to_owned)
        };
        for (text, expect) in [
            ("cc -g -o cart main.o cart.o", Some("cart")),
            ("x86_64-linux-gnu-g++-12 main.o -obin/cart", Some("bin/cart")),
            ("ccache gcc main.c", Some("a.out")),
            ("cc -c -o main.o main.c", None),
            ("cc -shared -o libcart.so a.o", None),
            ("cc -o libcart.so a.o", None),
            ("go build -o cart", None),
            ("install -o root cart", None),
            ("cc --version", None),
        ] {
            assert_eq!(linked(text).as_deref(), expect, "{text}");
        }
    }
}
