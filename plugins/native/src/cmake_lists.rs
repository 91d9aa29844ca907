//! What `CMakeLists.txt` files build and test, read from their text: `add_executable`, `add_test`,
//! variables, lists of files and `foreach`. Both branches of `if` count; functions are not called.
//! Runs nothing.

use std::collections::BTreeMap;

use dapdock_plugin::adapter::{Target, TargetKind, Workspace};
use dapdock_plugin::{files, path};

use crate::cmake;
use crate::makefile::Program;
use crate::shell;

/// Most files that are read, the outermost first.
const LISTS: usize = 500;
const NAME: &str = "CMakeLists.txt";
/// Words of `add_executable` that name no source.
const OPTIONS: [&str; 3] = ["WIN32", "MACOSX_BUNDLE", "EXCLUDE_FROM_ALL"];
/// What `add_executable` does not build.
const NOT_BUILT: [&str; 2] = ["IMPORTED", "ALIAS"];

/// The programs and tests of CMake projects.
#[derive(Default)]
pub struct Lists {
    pub programs: Vec<Program>,
    pub tests: Vec<Test>,
}

/// A test of CTest.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    pub name: String,
    pub place: (String, u32),
}

impl From<Test> for Target {
    fn from(test: Test) -> Self {
        let (file, line) = test.place;
        Self {
            label: test.name.clone(),
            id: test.name,
            kind: TargetKind::Test,
            file: Some(file),
            line: Some(line),
            needs_build: true,
        }
    }
}

/// Reads the files of all projects.
pub fn read(project: &Workspace) -> Lists {
    let all = files::own(project, |_| true);
    let mut lists: Vec<&String> = all.iter().filter(|path| is_list(path)).collect();
    lists.sort_by_key(|path| path.matches('/').count());
    lists.truncate(LISTS);
    let (mut found, mut scopes) = (Lists::default(), BTreeMap::<String, Variables>::new());
    let mut builds = BTreeMap::<String, String>::new();
    for list in lists {
        let directory = parent(list);
        let top = top(&all, list);
        let build =
            builds.entry(top.clone()).or_insert_with(|| cmake::build_directory(project, &top));
        let above = files::above(list).skip(1).find_map(|above| scopes.get(above));
        let reader = Reader { all: &all, path: list, directory, build: build.as_str() };
        let mut variables = above.cloned().unwrap_or_default();
        reader.run(&commands(&files::text(project, list)), &mut variables, &mut found);
        scopes.insert(directory.to_owned(), variables);
    }
    found
}

fn is_list(path: &str) -> bool {
    path == NAME || path.ends_with("/CMakeLists.txt")
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The outermost directory above the file that has a list; `all` is sorted.
pub fn top(all: &[String], path: &str) -> String {
    let mut top = parent(path);
    for above in files::above(path) {
        if all.binary_search(&files::child(above, NAME)).is_ok() {
            top = above;
        }
    }
    top.to_owned()
}

/// Lists are joined by semicolons.
type Variables = BTreeMap<String, String>;

/// A command with its line, from 1.
#[derive(Clone, Debug, PartialEq)]
struct Invocation {
    name: String,
    args: Vec<Argument>,
    line: u32,
}

#[derive(Clone, Debug, PartialEq)]
struct Argument {
    text: String,
    is_quoted: bool,
}

struct Reader<'a> {
    all: &'a [String],
    path: &'a str,
    directory: &'a str,
    build: &'a str,
}

impl Reader<'_> {
    fn run(&self, commands: &[Invocation], variables: &mut Variables, found: &mut Lists) {
        let mut at = 0;
        while let Some(command) = commands.get(at) {
            at += 1;
            let args = expanded(&command.args, variables);
            match command.name.as_str() {
                "foreach" => {
                    let length = block(commands.get(at..).unwrap_or_default(), "foreach");
                    let body = commands.get(at..at + length).unwrap_or_default();
                    let (name, items) = items(&args, variables);
                    for item in items {
                        variables.insert(name.clone(), item);
                        self.run(body, variables, found);
                    }
                    at += length;
                }
                name @ ("function" | "macro") => {
                    at += block(commands.get(at..).unwrap_or_default(), name);
                }
                "add_executable" => self.program(&args, command.line, found),
                "target_sources" => self.sources(&args, found),
                "add_test" => self.test(&args, command.line, found),
                name => self.assign(name, &args, variables),
            }
        }
    }

    fn assign(&self, command: &str, args: &[String], variables: &mut Variables) {
        match (command, args) {
            ("project", [name, ..]) => {
                for variable in ["PROJECT_NAME", "CMAKE_PROJECT_NAME"] {
                    variables.insert(variable.to_owned(), name.clone());
                }
                variables.insert("PROJECT_SOURCE_DIR".into(), self.root());
            }
            ("set", [name, values @ ..]) => {
                let ends = ["CACHE", "PARENT_SCOPE"];
                let values = values.iter().take_while(|value| !ends.contains(&value.as_str()));
                let values: Vec<&str> = values.map(String::as_str).collect();
                variables.insert(name.clone(), values.join(";"));
            }
            ("list", [append, name, values @ ..]) if append == "APPEND" => {
                let list = variables.entry(name.clone()).or_default();
                for value in values {
                    list.push(';');
                    list.push_str(value);
                }
            }
            ("file", [glob, name, patterns @ ..]) if glob.starts_with("GLOB") => {
                let recursive = glob == "GLOB_RECURSE";
                let mut paths = Vec::new();
                for pattern in patterns {
                    paths.extend(self.glob(pattern, recursive));
                }
                variables.insert(name.clone(), paths.join(";"));
            }
            ("aux_source_directory", [directory, name]) => {
                let paths = self.glob(&format!("{directory}/*"), false);
                variables.insert(name.clone(), paths.join(";"));
            }
            _ => {}
        }
        for variable in ["CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"] {
            variables.insert(variable.into(), self.root());
        }
        variables.entry("CMAKE_SOURCE_DIR".into()).or_insert_with(|| self.root());
    }

    /// The directory of the list: a path from the root that no relative path resembles.
    fn root(&self) -> String {
        format!("/{}", self.directory).trim_end_matches('/').to_owned()
    }

    /// The path from the root; directories of variables begin with a slash.
    fn resolve(&self, path: &str) -> String {
        let base = format!("/{}", self.directory);
        shell::without_dots(&path::join(&base, path)).trim_start_matches('/').to_owned()
    }

    fn glob(&self, pattern: &str, recursive: bool) -> Vec<String> {
        let pattern = self.resolve(pattern);
        let (directory, name) = pattern.rsplit_once('/').unwrap_or(("", &pattern));
        let (start, end) = name.split_once('*').unwrap_or((name, ""));
        let mut found = Vec::new();
        for file in self.all {
            let (inside, name) = file.rsplit_once('/').unwrap_or(("", file));
            let here =
                inside == directory || (recursive && crate::make_text::is_below(file, directory));
            let fits = name.len() >= start.len() + end.len();
            if here && fits && name.starts_with(start) && name.ends_with(end) {
                found.push(format!("/{file}"));
            }
        }
        found
    }

    fn program(&self, args: &[String], line: u32, found: &mut Lists) {
        let Some((name, sources)) = args.split_first() else { return };
        let is_built = !sources.first().is_some_and(|word| NOT_BUILT.contains(&word.as_str()));
        if name.contains('$') || !is_built || found.programs.iter().any(|it| it.output == *name) {
            return;
        }
        let command = ["cmake", "--build", self.build, "--target", name];
        found.programs.push(Program {
            command: command.map(str::to_owned).to_vec(),
            output: name.clone(),
            sources: self.own_sources(sources),
            place: (self.path.to_owned(), line),
        });
    }

    fn sources(&self, args: &[String], found: &mut Lists) {
        let Some((name, sources)) = args.split_first() else { return };
        if let Some(program) = found.programs.iter_mut().find(|program| program.output == *name) {
            program.sources.extend(self.own_sources(sources));
        }
    }

    fn own_sources(&self, words: &[String]) -> Vec<String> {
        let mut sources = Vec::new();
        for word in words {
            let path = self.resolve(word);
            if !OPTIONS.contains(&word.as_str())
                && crate::programs::is_source(&path)
                && self.all.binary_search(&path).is_ok()
            {
                sources.push(path);
            }
        }
        sources
    }

    fn test(&self, args: &[String], line: u32, found: &mut Lists) {
        let name = match args {
            [key, name, ..] if key == "NAME" => name,
            [name, _, ..] => name,
            _ => return,
        };
        if !name.contains('$') && found.tests.iter().all(|test| test.name != *name) {
            found.tests.push(Test { name: name.clone(), place: (self.path.to_owned(), line) });
        }
    }
}

/// Number of commands up to the one that ends a block.
fn block(commands: &[Invocation], name: &str) -> usize {
    let (end, mut depth) = (format!("end{name}"), 0);
    for (at, command) in commands.iter().enumerate() {
        if command.name == end && depth == 0 {
            return at;
        }
        depth += i32::from(command.name == name) - i32::from(command.name == end);
    }
    commands.len()
}

/// The variable and the values of a loop.
fn items(args: &[String], variables: &Variables) -> (String, Vec<String>) {
    let Some((name, items)) = args.split_first() else { return Default::default() };
    let mut values = Vec::new();
    let mut lists = false;
    for item in items {
        match item.as_str() {
            "IN" | "ITEMS" => lists = false,
            "LISTS" => lists = true,
            list if lists => {
                let list = variables.get(list).map(String::as_str).unwrap_or_default();
                values.extend(list.split(';').filter(|it| !it.is_empty()).map(str::to_owned));
            }
            item => values.push(item.to_owned()),
        }
    }
    (name.clone(), values)
}

/// The arguments with their variables; a list is several arguments unless it is quoted.
fn expanded(args: &[Argument], variables: &Variables) -> Vec<String> {
    let mut words = Vec::new();
    for arg in args {
        let text = expand(&arg.text, variables);
        if arg.is_quoted {
            words.push(text);
        } else {
            words.extend(text.split(';').filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }
    words
}

/// Unknown variables stay as they are.
fn expand(text: &str, variables: &Variables) -> String {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        expanded.push_str(before);
        let Some((name, end)) = after.split_once('}') else { break };
        match variables.get(name) {
            Some(value) => expanded.push_str(value),
            None => expanded.push_str(&format!("${{{name}}}")),
        }
        rest = end;
    }
    expanded.push_str(rest);
    expanded
}

/// The commands of a file.
fn commands(text: &str) -> Vec<Invocation> {
    let mut commands = Vec::new();
    let mut tokens = tokens(text).into_iter().peekable();
    while let Some((token, line)) = tokens.next() {
        let Token::Word(name) = token else { continue };
        if !matches!(tokens.peek(), Some((Token::Open, _))) {
            continue;
        }
        tokens.next();
        let (mut args, mut depth) = (Vec::new(), 0);
        for (token, _) in tokens.by_ref() {
            match token {
                Token::Close if depth == 0 => break,
                Token::Close => depth -= 1,
                Token::Open => depth += 1,
                Token::Word(text) => args.push(Argument { text, is_quoted: false }),
                Token::Quoted(text) => args.push(Argument { text, is_quoted: true }),
            }
        }
        commands.push(Invocation { name: name.to_lowercase(), args, line });
    }
    commands
}

enum Token {
    Open,
    Close,
    Word(String),
    Quoted(String),
}

/// Words, quoted texts and parentheses with their lines, without comments.
fn tokens(text: &str) -> Vec<(Token, u32)> {
    let (mut tokens, mut line) = (Vec::new(), 1);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '(' => (Some(Token::Open), 1),
            ')' => (Some(Token::Close), 1),
            '#' if !rest.starts_with("#[[") => (None, rest.find('\n').unwrap_or(rest.len())),
            '#' => (None, rest.find("]]").map_or(rest.len(), |end| end + 2)),
            '"' => {
                let (inside, length) = quoted(rest);
                (Some(Token::Quoted(inside)), length)
            }
            '[' if rest.starts_with("[[") => {
                let end = rest.find("]]").unwrap_or(rest.len());
                let inside = rest.get(2..end).unwrap_or_default().to_owned();
                (Some(Token::Quoted(inside)), (end + 2).min(rest.len()))
            }
            first if first.is_whitespace() => (None, first.len_utf8()),
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "()#\"".contains(c));
                let end = end.unwrap_or(rest.len());
                (Some(Token::Word(rest[..end].to_owned())), end)
            }
        };
        tokens.extend(token.map(|token| (token, line)));
        let (read, after) = rest.split_at(length);
        line += read.matches('\n').count() as u32;
        rest = after;
    }
    tokens
}

/// The inside of a quoted text, and the length of the whole.
fn quoted(text: &str) -> (String, usize) {
    let (mut inside, mut escapes) = (String::new(), false);
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '"' if !escapes => return (inside, at + 1),
            '\\' if !escapes => escapes = true,
            letter => {
                inside.push(letter);
                escapes = false;
            }
        }
    }
    (inside, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let all = ["app/a.cpp", "app/b.cpp", "app/main.c", "app/src/cart.c", "app/src/tax.c"];
        let all: Vec<String> = all.iter().map(|&path| path.to_owned()).collect();
        let reader =
            Reader { all: &all, path: "app/CMakeLists.txt", directory: "app", build: "app/build" };
        let mut found = Lists::default();
        reader.run(&commands(text), &mut Variables::new(), &mut found);
        let mut lines = Vec::new();
        for program in found.programs {
            lines.push(format!("{}: {}", program.id(), program.sources.join(" ")));
        }
        for test in found.tests {
            lines.push(format!("test {} {}", test.name, test.place.1));
        }
        assert_eq!(lines, expect, "{text}");
    }

    #[test]
    fn programs_and_tests_are_read() {
        check(
            "cmake_minimum_required(VERSION 3.14)\nproject(cart C) # name\nfile(GLOB SRCS \
             \"src/*.c\")\nadd_executable(${PROJECT_NAME}\n  main.c ${SRCS}) \
             \nenable_testing()\nadd_test(NAME adds COMMAND cart \"a;b\")\nadd_test(old \
             cart)\nadd_executable(x ALIAS cart)\n#[[ add_executable(no a.cpp) ]]\n",
            &[
                "cmake --build app/build --target cart: app/main.c app/src/cart.c app/src/tax.c",
                "test adds 7",
                "test old 8",
            ],
        );
    }

    #[test]
    fn loops_are_run_and_functions_are_not() {
        check(
            "set(TOOLS a b)\nforeach(tool IN LISTS TOOLS)\n  add_executable(${tool} \
             ${CMAKE_CURRENT_SOURCE_DIR}/${tool}.cpp)\n  add_test(NAME ${tool}_runs COMMAND \
             ${tool})\nendforeach()\nfunction(make name)\n  \
             add_executable(${name} x.c)\nendfunction()\nadd_executable(${UNKNOWN} main.c)\n",
            &[
                "cmake --build app/build --target a: app/a.cpp",
                "cmake --build app/build --target b: app/b.cpp",
                "test a_runs 4",
                "test b_runs 4",
            ],
        );
    }
}
