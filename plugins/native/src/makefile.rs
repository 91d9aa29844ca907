//! The programs that makefiles build, read from their text: rules with link commands, pattern rules
//! and make's own rules. Runs nothing, so what a shell computes is unknown.

use std::collections::{BTreeMap, BTreeSet};

use dapdock_plugin::adapter::Workspace;
use dapdock_plugin::files;

use crate::build;
use crate::make_text::{self, Makefile, Rule};
use crate::shell;

/// In the order in which make looks for them.
pub const NAMES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];
/// Most makefiles that are read, the outermost first.
const MAKEFILES: usize = 100;
/// Extensions of sources and of what a compiler makes of them.
const UNITS: [&str; 7] = ["c", "cc", "cpp", "cxx", "o", "lo", "obj"];

/// A program that a build tool builds.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The command line that builds it, from the root.
    pub command: Vec<String>,
    /// Path from the root, or its name alone if the build tool chooses the directory.
    pub output: String,
    /// Sources that are compiled for it, as far as they are known.
    pub sources: Vec<String>,
    /// The file that names it, with the line.
    pub place: (String, u32),
}

impl Program {
    pub fn id(&self) -> String {
        shell::line(&self.command)
    }

    pub fn call(&self) -> String {
        build::call(&[("command", self.id().into())])
    }
}

/// All programs of all makefiles.
pub fn programs(project: &Workspace) -> Vec<Program> {
    let all = files::own(project, |_| true);
    let mut programs = Vec::new();
    for (directory, path) in makefiles(&all) {
        let mut makefile = Makefile::new(directory, &all);
        read(project, &mut makefile, path, 0);
        programs.extend(programs_of(&makefile, path));
    }
    programs
}

/// The makefile of each directory, with the directory.
fn makefiles(all: &[String]) -> Vec<(&str, &str)> {
    let mut found = BTreeMap::<&str, (usize, &str)>::new();
    for path in all {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if let Some(rank) = NAMES.iter().position(|known| *known == name) {
            let best = found.entry(directory).or_insert((rank, path));
            if rank < best.0 {
                *best = (rank, path);
            }
        }
    }
    let mut found: Vec<(&str, &str)> =
        found.into_iter().map(|(directory, (_, path))| (directory, path)).collect();
    found.sort_by_key(|(_, path)| path.matches('/').count());
    found.truncate(MAKEFILES);
    found
}

/// Most makefiles that include each other.
const DEPTH: usize = 8;

/// Reads a makefile and those that it includes.
fn read(project: &Workspace, makefile: &mut Makefile, path: &str, depth: usize) {
    let text = files::text(project, path);
    // Its rules lead to makefiles of CMake, whose targets are listed by name.
    if text.starts_with("# CMAKE generated file") || depth > DEPTH {
        return;
    }
    for included in makefile.read(&text) {
        let path = shell::without_dots(&files::child(makefile.directory(), &included));
        read(project, makefile, &path, depth + 1);
    }
}

fn programs_of(makefile: &Makefile, path: &str) -> Vec<Program> {
    let mut programs = Vec::<Program>::new();
    for target in makefile.targets() {
        let Some((rule, stem)) = makefile.rule_for(&target) else { continue };
        for (output, words) in outputs(makefile, rule, &target, &stem) {
            let output = shell::without_dots(&files::child(makefile.directory(), &output));
            if programs.iter().any(|known| known.output == output) {
                continue;
            }
            let mut command = vec!["make".to_owned()];
            if !makefile.directory().is_empty() {
                command.extend(["-C".to_owned(), makefile.directory().to_owned()]);
            }
            command.push(target.clone());
            let sources = sources(makefile, &target, words);
            let place = (path.to_owned(), rule.line);
            programs.push(Program { command, output, sources, place });
        }
    }
    programs
}

/// The programs that a recipe links for a target, with the words of the commands.
fn outputs(
    makefile: &Makefile,
    rule: &Rule,
    target: &str,
    stem: &str,
) -> Vec<(String, Vec<String>)> {
    let mut outputs = Vec::new();
    for line in makefile.recipe(rule, target, stem) {
        for command in shell::commands(&line, "", None) {
            if let Some(output) = command.linked() {
                let path = shell::without_dots(&files::child(&command.directory, output));
                outputs.push((path, command.words.clone()));
            }
        }
    }
    outputs
}

/// The project's sources that have the name of something that the target is made from.
fn sources(makefile: &Makefile, target: &str, words: Vec<String>) -> Vec<String> {
    let mut names: BTreeSet<String> = words.into_iter().collect();
    let mut open = vec![target.to_owned()];
    open.extend(names.iter().cloned());
    while let Some(name) = open.pop() {
        for input in makefile.inputs(&name) {
            if names.insert(input.clone()) {
                open.push(input);
            }
        }
    }
    let mut stems = BTreeSet::from([stem_of(target)]);
    for name in &names {
        let unit = name.rsplit_once('.').is_some_and(|(_, end)| UNITS.contains(&end));
        stems.extend(unit.then(|| stem_of(name)));
    }
    let is_source = |path: &&String| {
        crate::programs::is_source(path)
            && make_text::is_below(path, makefile.directory())
            && stems.contains(stem_of(path))
    };
    makefile.files().iter().filter(is_source).cloned().collect()
}

/// The name without directory and extension.
pub fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, files: &[&str], expect: &[&str]) {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        let mut makefile = Makefile::new("", &files);
        makefile.read(text);
        let mut found = Vec::new();
        for program in programs_of(&makefile, "Makefile") {
            let sources = program.sources.join(" ");
            found.push(format!("{} = {}: {sources}", program.id(), program.output));
        }
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn rules_that_link_build_programs() {
        check(
            "CC ?= gcc\nSRCS = $(wildcard src/*.c)\nOBJS = $(SRCS:src/%.c=obj/%.o)\nall: \
             bin/cart\nbin/cart: $(OBJS)\n\t@mkdir -p $(@D)\n\t$(CC) $(CFLAGS) \\\n\t  -o $@ \
             $^\nobj/%.o: src/%.c\n\t$(CC) -c -o $@ $<\nlib.so: $(OBJS)\n\t$(CC) -shared -o $@ \
             $^\nrun: bin/cart\n\t./bin/cart\n",
            &["src/cart.c", "src/main.c", "tools/other.c"],
            &["make bin/cart = bin/cart: src/cart.c src/main.c"],
        );
    }

    #[test]
    fn rules_of_make_build_programs() {
        check(
            "all: cart tool lib.a\ncart: cart.o price.o\nclean:\n\trm -f cart\n",
            &["cart", "cart.c", "cart.o", "clean.c", "price.c", "tool.cpp"],
            &["make cart = cart: cart.c price.c", "make tool = tool: tool.cpp"],
        );
    }

    #[test]
    fn pattern_rules_build_programs() {
        check(
            "TESTS := $(patsubst tests/%.c,build/%,$(wildcard tests/*.c))\ntest: \
             $(TESTS)\nbuild/%: tests/%.c cart.o\n\tgcc -g $^ -o $@\n",
            &["cart.c", "tests/a.c", "tests/b.c"],
            &[
                "make build/a = build/a: cart.c tests/a.c",
                "make build/b = build/b: cart.c tests/b.c",
            ],
        );
    }

    #[test]
    fn phony_target_builds_a_program() {
        check(
            "build:\n\tcc -o cart main.c util.c\n",
            &["main.c", "util.c", "x.c"],
            &["make build = cart: main.c util.c"],
        );
        check("build:\n\tgo build -o cart .\n", &["main.go"], &[]);
    }
}
