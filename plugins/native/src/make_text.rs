//! The text of a makefile: variables, functions of text, and rules (GNU make manual, chapters 4, 6,
//! 8 and 10). Pure; what a shell computes is empty.

use std::collections::BTreeMap;

use crate::shell;

/// Most nested expansions.
const DEPTH: usize = 20;

/// A makefile that is being read.
pub struct Makefile<'a> {
    /// From the root; empty for the root.
    directory: String,
    files: &'a [String],
    variables: BTreeMap<String, String>,
    rules: Vec<Rule>,
}

/// An explicit rule, or a pattern rule.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    targets: Vec<String>,
    inputs: Vec<String>,
    /// Not expanded.
    recipe: Vec<String>,
    /// From 1.
    pub line: u32,
}

/// Make's own rules for programs, by extension of the source (manual, 10.2).
const BUILT_IN: [(&str, &str); 5] = [
    ("o", "cc $(LDFLAGS) $^ $(LDLIBS) -o $@"),
    ("c", "cc $(CFLAGS) $^ $(LDLIBS) -o $@"),
    ("cc", "c++ $(CXXFLAGS) $^ $(LDLIBS) -o $@"),
    ("cpp", "c++ $(CXXFLAGS) $^ $(LDLIBS) -o $@"),
    ("C", "c++ $(CXXFLAGS) $^ $(LDLIBS) -o $@"),
];

impl<'a> Makefile<'a> {
    /// `files` are those of the project, sorted.
    pub fn new(directory: &str, files: &'a [String]) -> Self {
        let mut variables = BTreeMap::new();
        for (name, value) in [
            ("CC", "cc"),
            ("CXX", "c++"),
            ("LD", "ld"),
            ("AR", "ar"),
            ("RM", "rm -f"),
            ("MAKE", "make"),
            ("LINK.o", "$(CC) $(LDFLAGS)"),
            ("LINK.c", "$(CC) $(CFLAGS)"),
            ("LINK.cc", "$(CXX) $(CXXFLAGS)"),
            ("COMPILE.c", "$(CC) $(CFLAGS) -c"),
        ] {
            variables.insert(name.to_owned(), value.to_owned());
        }
        Self { directory: directory.to_owned(), files, variables, rules: Vec::new() }
    }

    pub fn directory(&self) -> &str {
        &self.directory
    }

    pub fn files(&self) -> &[String] {
        self.files
    }

    /// Reads the text; returns the files that it includes.
    pub fn read(&mut self, text: &str) -> Vec<String> {
        let (mut included, mut current) = (Vec::new(), Vec::new());
        let mut defines = false;
        for (number, line) in logical_lines(text) {
            if defines || line.starts_with("define ") {
                defines = line.trim() != "endef";
                continue;
            }
            if let Some(recipe) = line.strip_prefix('\t') {
                self.add_recipe(&current, recipe);
                continue;
            }
            let line = line.split('#').next().unwrap_or_default().trim();
            let first = line.split_whitespace().next().unwrap_or_default();
            if matches!(first, "include" | "-include" | "sinclude") {
                let files = self.expand(line.get(first.len()..).unwrap_or_default());
                included.extend(files.split_whitespace().map(str::to_owned));
            } else if !is_directive(first) && !self.assign(line) {
                current = self.add_rule(line, number);
            }
        }
        included
    }

    fn add_recipe(&mut self, current: &[usize], recipe: &str) {
        for at in current {
            if let Some(rule) = self.rules.get_mut(*at) {
                rule.recipe.push(recipe.to_owned());
            }
        }
    }

    /// `NAME = VALUE`, with any of the operators.
    fn assign(&mut self, line: &str) -> bool {
        let line = line.strip_prefix("export ").or(line.strip_prefix("override ")).unwrap_or(line);
        let Some((before, value)) = line.split_once('=') else { return false };
        let name = before.trim_end_matches([':', '?', '+', '!']).trim();
        if name.is_empty() || name.contains([' ', ':', '\t']) {
            return false;
        }
        let (name, value) = (self.expand(name), value.trim());
        let old = self.variables.get(&name).cloned();
        let value = match before.chars().last() {
            Some('+') => format!("{} {value}", old.unwrap_or_default()),
            Some('?') => old.unwrap_or_else(|| value.to_owned()),
            Some(':') => self.expand(value),
            Some('!') => String::new(),
            _ => value.to_owned(),
        };
        self.variables.insert(name, value);
        true
    }

    /// Adds the rule of the line, if it is one; returns its position.
    fn add_rule(&mut self, line: &str, number: u32) -> Vec<usize> {
        let text = match line.split_once(';') {
            Some((rule, _)) => self.expand(rule),
            None => self.expand(line),
        };
        let Some((targets, inputs)) = text.split_once(':') else { return Vec::new() };
        let inputs = inputs.trim_start_matches(':');
        // A variable of the target.
        if inputs.contains('=') || targets.trim_start().starts_with('.') {
            return Vec::new();
        }
        // A static pattern rule.
        let inputs = inputs.rsplit_once(':').map_or(inputs, |(_, inputs)| inputs);
        let words = |text: &str| -> Vec<String> {
            text.split_whitespace().filter(|word| *word != "|").map(str::to_owned).collect()
        };
        let mut rule = Rule { targets: words(targets), line: number, ..Rule::default() };
        rule.inputs = words(inputs);
        if let Some((_, recipe)) = line.split_once(';') {
            rule.recipe.push(recipe.to_owned());
        }
        self.rules.push(rule);
        vec![self.rules.len() - 1]
    }

    /// All names that explicit rules make or need, without patterns and sources.
    pub fn targets(&self) -> Vec<String> {
        let mut names = Vec::<String>::new();
        let all = self.rules.iter().flat_map(|rule| rule.targets.iter().chain(&rule.inputs));
        for name in all {
            if !name.contains('%') && !names.contains(name) && !crate::programs::is_source(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Does the project have this file as a source?
    fn exists(&self, name: &str) -> bool {
        let path = self.path(name);
        self.files.binary_search(&path).is_ok()
    }

    fn path(&self, name: &str) -> String {
        shell::without_dots(&format!("{}/{name}", self.directory))
            .trim_start_matches('/')
            .to_owned()
    }

    /// What the target is made from, by explicit rules.
    pub fn inputs(&self, target: &str) -> Vec<String> {
        let mut inputs = Vec::new();
        for rule in &self.rules {
            if rule.targets.iter().any(|name| name == target) {
                let stem = |input: &String| input.replace('%', crate::makefile::stem_of(target));
                inputs.extend(rule.inputs.iter().map(stem));
            }
        }
        inputs
    }

    /// The rule with the recipe of a target and the stem of its pattern.
    pub fn rule_for(&self, target: &str) -> Option<(&Rule, String)> {
        let mut explicit =
            self.rules.iter().filter(|rule| rule.targets.iter().any(|it| it == target));
        if let Some(rule) = explicit.clone().find(|rule| !rule.recipe.is_empty()) {
            return Some((rule, crate::makefile::stem_of(target).to_owned()));
        }
        for rule in &self.rules {
            let stem = rule.targets.iter().find_map(|pattern| matched(pattern, target));
            if let Some(stem) = stem.filter(|stem| !rule.recipe.is_empty() && !stem.is_empty()) {
                return Some((rule, stem.to_owned()));
            }
        }
        let named = explicit.next();
        let needed = self.rules.iter().find(|rule| rule.inputs.iter().any(|it| it == target));
        let rule = named.or(needed)?;
        self.built_in(target)?;
        Some((rule, String::new()))
    }

    /// The recipe of make's own rule for the target.
    fn built_in(&self, target: &str) -> Option<&'static str> {
        if !crate::programs::is_program(target) {
            return None;
        }
        let inputs = self.inputs(target);
        let fits = |extension: &str| {
            let source = format!("{target}.{extension}");
            inputs.contains(&source) || self.exists(&source)
        };
        BUILT_IN.iter().find(|(extension, _)| fits(extension)).map(|(_, recipe)| *recipe)
    }

    /// The lines of a rule's recipe for a target.
    pub fn recipe(&self, rule: &Rule, target: &str, stem: &str) -> Vec<String> {
        let own = rule.targets.iter().any(|name| name == target || matched(name, target).is_some());
        let mut inputs: Vec<String> = Vec::new();
        if own {
            inputs.extend(rule.inputs.iter().map(|input| input.replace('%', stem)));
        }
        let mut lines = if own { rule.recipe.clone() } else { Vec::new() };
        if lines.is_empty() {
            inputs = self.inputs(target);
            lines.extend(self.built_in(target).map(str::to_owned));
        }
        let mut automatic = self.variables.clone();
        let (directory, name) = target.rsplit_once('/').unwrap_or((".", target));
        let first = inputs.first().cloned().unwrap_or_default();
        for (variable, value) in [
            ("@", target),
            ("<", &first),
            ("^", &inputs.join(" ")),
            ("+", &inputs.join(" ")),
            ("*", stem),
            ("@D", directory),
            ("@F", name),
        ] {
            automatic.insert(variable.to_owned(), value.to_owned());
        }
        let mut recipe = Vec::new();
        for line in &lines {
            let line = line.trim_start_matches(['@', '-', '+', ' ']);
            recipe.push(self.expand_with(line, &automatic, 0));
        }
        recipe
    }

    fn expand(&self, text: &str) -> String {
        self.expand_with(text, &self.variables, 0)
    }

    fn expand_with(
        &self,
        text: &str,
        variables: &BTreeMap<String, String>,
        depth: usize,
    ) -> String {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            expanded.push_str(before);
            let Some(first) = after.chars().next() else { return expanded };
            rest = after.get(first.len_utf8()..).unwrap_or_default();
            match first {
                '$' => expanded.push('$'),
                '(' | '{' => {
                    let end = closing(rest, first);
                    let inside = rest.get(..end).unwrap_or_default();
                    rest = rest.get(end + 1..).unwrap_or_default();
                    if depth < DEPTH {
                        expanded.push_str(&self.reference(inside, variables, depth + 1));
                    }
                }
                letter => {
                    let value = variables.get(&letter.to_string()).cloned().unwrap_or_default();
                    expanded.push_str(&value);
                }
            }
        }
        expanded.push_str(rest);
        expanded
    }

    /// `$(NAME)`, `$(NAME:A=B)` or a function.
    fn reference(&self, text: &str, variables: &BTreeMap<String, String>, depth: usize) -> String {
        let expand = |text: &str| self.expand_with(text, variables, depth);
        if let Some((function, arguments)) = text.split_once([' ', '\t']) {
            let arguments: Vec<String> =
                split_arguments(arguments).into_iter().map(expand).collect();
            return self.call(function, &arguments);
        }
        let name = expand(text);
        if let Some(value) = variables.get(&name) {
            return expand(value);
        }
        let Some((name, (from, to))) =
            name.split_once(':').and_then(|(name, change)| Some((name, change.split_once('=')?)))
        else {
            return String::new();
        };
        let value = variables.get(name).map(|value| expand(value)).unwrap_or_default();
        if from.contains('%') {
            return replaced(&value, from, to);
        }
        replaced(&value, &format!("%{from}"), &format!("%{to}"))
    }

    fn call(&self, function: &str, arguments: &[String]) -> String {
        let argument = |at: usize| arguments.get(at).map(|text| text.trim()).unwrap_or_default();
        let each = |at: usize, change: &dyn Fn(&str) -> String| {
            let words = argument(at).split_whitespace();
            words.map(change).collect::<Vec<_>>().join(" ")
        };
        match function {
            "wildcard" => each(0, &|pattern| self.wildcard(pattern)),
            "patsubst" => replaced(argument(2), argument(0), argument(1)),
            "subst" => argument(2).replace(argument(0), argument(1)),
            "addprefix" => each(1, &|word| format!("{}{word}", argument(0))),
            "addsuffix" => each(1, &|word| format!("{word}{}", argument(0))),
            "notdir" => each(0, &|word| word.rsplit('/').next().unwrap_or(word).to_owned()),
            "basename" => {
                each(0, &|word| word.rsplit_once('.').map_or(word, |(before, _)| before).to_owned())
            }
            "dir" => each(0, &|word| {
                word.rsplit_once('/').map_or("./".to_owned(), |(before, _)| format!("{before}/"))
            }),
            "strip" | "sort" | "abspath" | "realpath" => each(0, &|word| word.to_owned()),
            "filter" | "filter-out" => {
                let patterns: Vec<&str> = argument(0).split_whitespace().collect();
                let fits = |word: &&str| {
                    patterns.iter().any(|it| it == word || matched(it, word).is_some())
                };
                let words = argument(1).split_whitespace();
                words
                    .filter(|word| fits(word) == (function == "filter"))
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            "or" | "if" => argument(arguments.len().min(2) - 1).to_owned(),
            _ => String::new(),
        }
    }

    /// The project's files that a pattern with `*` matches.
    fn wildcard(&self, pattern: &str) -> String {
        let pattern = self.path(pattern);
        let start =
            if self.directory.is_empty() { String::new() } else { format!("{}/", self.directory) };
        let mut found = Vec::new();
        for file in self.files {
            if glob(&pattern, file) {
                found.push(file.strip_prefix(&start).unwrap_or(file));
            }
        }
        found.join(" ")
    }
}

/// Lines with their numbers, from 1; a backslash joins a line to the next.
fn logical_lines(text: &str) -> Vec<(u32, String)> {
    let mut lines = Vec::<(u32, String)>::new();
    let mut continues = false;
    for (number, line) in text.lines().enumerate() {
        let ends = line.ends_with('\\');
        let own = line.strip_suffix('\\').unwrap_or(line);
        match lines.last_mut().filter(|_| continues) {
            Some((_, whole)) => {
                whole.push(' ');
                whole.push_str(own.trim_start());
            }
            None => lines.push((number as u32 + 1, own.to_owned())),
        }
        continues = ends;
    }
    lines
}

fn is_directive(word: &str) -> bool {
    let directives = [
        "", "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "vpath", "export", "unexport",
        "undefine",
    ];
    directives.contains(&word)
}

/// The position of the parenthesis that closes.
fn closing(text: &str, open: char) -> usize {
    let close = if open == '(' { ')' } else { '}' };
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        if letter == close && depth == 0 {
            return at;
        }
        depth += i32::from(letter == open) - i32::from(letter == close);
    }
    text.len()
}

/// The arguments of a function, separated by commas outside of parentheses.
fn split_arguments(text: &str) -> Vec<&str> {
    let (mut arguments, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                arguments.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments.push(&text[start..]);
    arguments
}

/// The stem of a pattern with `%`.
fn matched<'a>(pattern: &str, word: &'a str) -> Option<&'a str> {
    let (start, end) = pattern.split_once('%')?;
    word.strip_prefix(start)?.strip_suffix(end)
}

/// Replaces `%` in words that match a pattern.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let change = |word: &str| match matched(from, word) {
        Some(stem) => to.replacen('%', stem, 1),
        None if from == word => to.to_owned(),
        None => word.to_owned(),
    };
    text.split_whitespace().map(change).collect::<Vec<_>>().join(" ")
}

/// Does a path match a pattern whose `*` stays within a name?
fn glob(pattern: &str, path: &str) -> bool {
    let (patterns, parts) = (pattern.split('/'), path.split('/'));
    pattern.matches('/').count() == path.matches('/').count()
        && patterns.zip(parts).all(|(pattern, part)| match pattern.split_once('*') {
            None => pattern == part,
            Some((start, end)) => {
                part.len() >= start.len() + end.len()
                    && part.starts_with(start)
                    && part.ends_with(end)
            }
        })
}

/// Is the path below the directory? Everything is below the root, which is empty.
pub fn is_below(path: &str, directory: &str) -> bool {
    directory.is_empty() || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}
