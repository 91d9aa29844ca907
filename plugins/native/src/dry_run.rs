//! What make prints for `--dry-run --print-data-base --debug=basic`: the recipes that would run, by
//! target, and the rules. Each recursive make is a process of its own. Pure.

use std::collections::{BTreeMap, BTreeSet};

use dapdock_plugin::path;

use crate::shell::{self, SimpleCommand};

/// A dry run. Empty output has no process.
pub struct DryRun {
    processes: Vec<Process>,
    none: Process,
}

/// One make, the outermost first.
#[derive(Debug, Default)]
pub struct Process {
    /// Absolute.
    pub directory: String,
    /// The targets whose recipes would run, in order: after those that they are made from.
    pub remade: Vec<Remade>,
    pub rules: BTreeMap<String, Rule>,
    default_goal: Option<String>,
    /// Variables with the names of compilers.
    compilers: Vec<(&'static str, String)>,
}

/// A target and the lines of its recipe.
#[derive(Debug, Default)]
pub struct Remade {
    pub target: String,
    lines: Vec<String>,
    is_done: bool,
}

/// A rule of the data base.
#[derive(Debug, Default)]
pub struct Rule {
    pub inputs: BTreeSet<String>,
    is_phony: bool,
    is_goal: bool,
    /// Not expanded.
    recipe: String,
}

/// A part of the data base.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// The dry run, before the data base.
    Run,
    Variables,
    Files,
    /// The entry of a file that no rule makes.
    NoTarget,
}

impl DryRun {
    pub fn parse(output: &str) -> Self {
        let mut parser = Parser { processes: Vec::new(), open: Vec::new() };
        let mut lines = output.lines();
        while let Some(line) = lines.next() {
            let mut whole = line.to_owned();
            // A recipe's line keeps its line breaks.
            while ends_open(&whole) && !whole.starts_with('#') {
                let Some(next) = lines.next() else { break };
                whole.push('\n');
                whole.push_str(next);
            }
            parser.line(&whole);
        }
        Self { processes: parser.processes, none: Process::default() }
    }

    /// The outermost make.
    pub fn top(&self) -> usize {
        0
    }

    pub fn process(&self, number: usize) -> &Process {
        self.processes.get(number).unwrap_or(&self.none)
    }

    pub fn processes(&self) -> impl Iterator<Item = (usize, &Process)> {
        self.processes.iter().enumerate()
    }

    /// All commands, with the numbers of process and target.
    pub fn commands(&self) -> impl Iterator<Item = (usize, usize, SimpleCommand)> {
        let mut all = Vec::new();
        for (number, process) in self.processes() {
            for (at, remade) in process.remade.iter().enumerate() {
                for line in &remade.lines {
                    let commands = shell::commands(line, &process.directory, None);
                    all.extend(commands.into_iter().map(|command| (number, at, command)));
                }
            }
        }
        all.into_iter()
    }
}

/// Does the line end with a backslash that the next line continues?
fn ends_open(line: &str) -> bool {
    line.chars().rev().take_while(|letter| *letter == '\\').count() % 2 == 1
}

struct Parser {
    processes: Vec<Process>,
    /// The makes that run, by number, each with the part that it prints.
    open: Vec<(usize, Part, Option<String>)>,
}

impl Parser {
    fn line(&mut self, line: &str) {
        let part = self.open.last().map_or(Part::Run, |(_, part, _)| *part);
        if part == Part::Run {
            self.run_line(line);
        } else if line.starts_with("# Finished Make data base") {
            self.open.pop();
        } else if let Some((number, part, last)) = self.open.last_mut()
            && let Some(process) = self.processes.get_mut(*number)
        {
            process.data_line(line, part, last);
        }
    }

    fn run_line(&mut self, line: &str) {
        let plain = line.trim_start();
        // A make that has remade a makefile of its own reads them again.
        if plain.starts_with("Reading makefiles...") {
            self.open.push((self.processes.len(), Part::Run, None));
            self.processes.push(Process::default());
            return;
        }
        if plain.starts_with("Re-executing[") {
            self.open.pop();
            return;
        }
        let Some((number, part, _)) = self.open.last_mut() else { return };
        let Some(process) = self.processes.get_mut(*number) else { return };
        if plain.starts_with("# Make data base, printed on") {
            *part = Part::Variables;
        } else if let Some(target) = quoted_after(plain, "Must remake target ") {
            process.remade.push(Remade { target, ..Remade::default() });
        } else if let Some(target) = quoted_after(plain, "Successfully remade target file ") {
            let done = process.remade.iter_mut().rev().find(|one| one.target == target);
            done.into_iter().for_each(|one| one.is_done = true);
        } else if !is_message(plain)
            && let Some(open) = process.remade.iter_mut().rev().find(|one| !one.is_done)
        {
            open.lines.push(line.to_owned());
        }
    }
}

/// A message of make in the midst of commands.
fn is_message(line: &str) -> bool {
    let starts =
        ["File '", "File `", "Prerequisite '", "Prerequisite `", "# make", "make: ", "make["];
    starts.iter().any(|start| line.starts_with(start))
}

/// `Must remake target 'x'.`; make 3.81 quotes `x'.
fn quoted_after(line: &str, start: &str) -> Option<String> {
    let rest = line.strip_prefix(start)?;
    let name = rest.trim_end_matches(['.', '\'']).get(1..)?;
    Some(name.to_owned())
}

const COMPILERS: [&str; 2] = ["CC", "CXX"];

impl Process {
    fn data_line(&mut self, line: &str, part: &mut Part, last: &mut Option<String>) {
        if *part == Part::Variables {
            if line.starts_with("# Files") {
                *part = Part::Files;
            }
            let value = |name: &str| {
                let rest = line.strip_prefix(name)?.trim_start_matches([' ', ':']);
                rest.strip_prefix("= ").map(str::to_owned)
            };
            if let Some(directory) = value("CURDIR") {
                self.directory = directory;
            }
            self.default_goal = value(".DEFAULT_GOAL").or(self.default_goal.take());
            for name in COMPILERS {
                self.compilers.extend(value(name).map(|value| (name, value)));
            }
            return;
        }
        if line.starts_with("# Not a target:") {
            *part = Part::NoTarget;
        } else if line.is_empty() {
            (*part, *last) = (Part::Files, None);
        } else if *part == Part::NoTarget {
        } else if let Some(recipe) = line.strip_prefix('\t') {
            if let Some(rule) = last.as_ref().and_then(|name| self.rules.get_mut(name)) {
                rule.recipe.push_str(recipe);
                rule.recipe.push('\n');
            }
        } else if line.starts_with('#') {
            if let Some(rule) = last.as_ref().and_then(|name| self.rules.get_mut(name)) {
                rule.is_phony |= line.starts_with("#  Phony target");
                rule.is_goal |= line.starts_with("#  Command line target");
            }
        } else if let Some((name, inputs)) = line.split_once(':') {
            let inputs = inputs.trim_start_matches(':').split_whitespace();
            let inputs = inputs.filter(|input| *input != "|").map(str::to_owned).collect();
            self.rules.insert(name.to_owned(), Rule { inputs, ..Rule::default() });
            *last = Some(name.to_owned());
        }
    }

    /// The absolute path of a target.
    pub fn path(&self, target: &str) -> String {
        shell::without_dots(&path::join(&self.directory, target))
    }

    /// Is a file made from the target?
    pub fn is_input(&self, target: &str) -> bool {
        self.rules.values().any(|rule| rule.makes_file() && rule.inputs.contains(target))
    }

    /// The goals and all that they are made from.
    pub fn closure(&self) -> BTreeSet<String> {
        let goals = self.rules.iter().filter(|(_, rule)| rule.is_goal);
        let mut open: Vec<String> = goals.map(|(name, _)| name.clone()).collect();
        if open.is_empty() {
            open.extend(self.default_goal.clone());
        }
        let mut closure = BTreeSet::new();
        while let Some(name) = open.pop() {
            let inputs = self.rules.get(&name).map(|rule| rule.inputs.clone());
            if closure.insert(name) {
                open.extend(inputs.unwrap_or_default());
            }
        }
        closure
    }

    /// The targets that make remakes before this one, without those that others of them are made
    /// from.
    pub fn goals_before(&self, target: usize) -> Vec<String> {
        let before = self.remade.get(..target).unwrap_or_default();
        let names: Vec<&str> = before.iter().map(|one| one.target.as_str()).collect();
        let mut goals = Vec::new();
        for name in &names {
            let is_input = |other: &&str| {
                self.rules.get(*other).is_some_and(|rule| rule.inputs.contains(*name))
            };
            if !names.iter().any(is_input) {
                goals.push((*name).to_owned());
            }
        }
        goals
    }

    /// What these goals are made from, or the default goal itself if it is made from nothing: it
    /// builds by recursion.
    pub fn goals_or_inputs(&self, goals: &[String]) -> Vec<String> {
        let default = self.default_goal.as_ref();
        let none = goals.is_empty();
        let mut found = Vec::new();
        for goal in goals.iter().chain(default.filter(|_| none)) {
            let inputs = self.rules.get(goal).map(|rule| &rule.inputs);
            match inputs.filter(|inputs| !inputs.is_empty()) {
                Some(inputs) => found.extend(inputs.iter().cloned()),
                None => found.extend(default.filter(|name| *name == goal).cloned()),
            }
        }
        found
    }

    /// The variables of the compilers that the recipes call, with their values.
    pub fn compilers(&self) -> Vec<(&'static str, &str)> {
        let mut used = Vec::new();
        for (name, value) in &self.compilers {
            let (variable, braces) = (format!("$({name})"), format!("${{{name}}}"));
            let implicit = match *name {
                "CC" => ["$(COMPILE.c)", "$(LINK.o)", "$(LINK.c)"],
                _ => ["$(COMPILE.cc)", "$(COMPILE.cpp)", "$(LINK.cc)"],
            };
            let is_used = self.rules.values().any(|rule| {
                let calls = |text: &str| rule.recipe.contains(text);
                calls(&variable) || calls(&braces) || implicit.iter().any(|text| calls(text))
            });
            if is_used {
                used.push((*name, value.as_str()));
            }
        }
        used
    }
}

impl Rule {
    /// Has it a recipe that makes the file of its name?
    fn makes_file(&self) -> bool {
        !self.is_phony && !self.recipe.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// GNU make 4.3, shortened.
    const OUTPUT: &str = "GNU Make 4.3\nReading makefiles...\nUpdating goal targets....\n File \
        'run' does not exist.\n  File 'all' does not exist.\n  Must remake target 'all'.\n# make: \
        Entering directory '/w'\nmake -C src\nGNU Make 4.3\nReading makefiles...\n  Must remake \
        target 'cart.o'.\n# make[1]: Entering directory '/w/src'\ncc -c -o cart.o \\\n  cart.c\n  \
        Successfully remade target file 'cart.o'.\nMust remake target 'cart'.\ncc -o cart \
        cart.o\nSuccessfully remade target file 'cart'.\n# Make data base, printed on Sun\nCURDIR \
        := /w/src\n.DEFAULT_GOAL := cart\nCC = cc\n# Files\n\n# Not a target:\n.c:\n\ncart: \
        cart.o\n#  File does not exist.\n\t$(CC) -o $@ $^\n\ncart.o: \
        cart.c\n\t$(COMPILE.c)\n\n# Finished Make data base on Sun\n  Successfully remade target \
        file 'all'.\nMust remake target 'run'.\n./src/cart --fast\nSuccessfully remade target file \
        'run'.\n# Make data base, printed on Sun\nCURDIR := /w\n.DEFAULT_GOAL := all\n# \
        Files\n\nall:\n#  Phony target (prerequisite of .PHONY).\n\t$(MAKE) -C src\n\nrun: all\n#  \
        Phony target (prerequisite of .PHONY).\n#  Command line target.\n\t./src/cart --fast\n\n# \
        Finished Make data base on Sun\n# make: Leaving directory '/w'\n";

    #[test]
    fn commands_belong_to_their_targets_and_directories() {
        let run = DryRun::parse(OUTPUT);
        let mut commands = Vec::new();
        for (process, target, command) in run.commands() {
            let name = &run.process(process).remade[target].target;
            commands.push(format!("{} {name}: {}", command.directory, command.line()));
        }
        assert_eq!(
            commands,
            [
                "/w all: make -C src",
                "/w all: GNU Make 4.3",
                "/w run: ./src/cart --fast",
                "/w/src cart.o: cc -c -o cart.o cart.c",
                "/w/src cart: cc -o cart cart.o",
            ]
        );
        assert_eq!(run.process(0).goals_before(1), ["all"]);
        assert_eq!(run.process(1).goals_before(1), ["cart.o"]);
    }

    #[test]
    fn rules_are_read_from_the_data_base() {
        let run = DryRun::parse(OUTPUT);
        let source = run.process(1);
        assert_eq!(source.closure().into_iter().collect::<Vec<_>>(), ["cart", "cart.c", "cart.o"]);
        assert_eq!(run.process(0).closure().into_iter().collect::<Vec<_>>(), ["all", "run"]);
        assert!(source.is_input("cart.o") && !source.is_input("cart"));
        assert!(!run.process(0).is_input("all"));
        assert_eq!(source.compilers(), [("CC", "cc")]);
    }
}
