//! Programs of C and C++: sources with a `main`, and what was built with debug information. For the
//! plugins of debuggers of machine code; knows no debugger, and builds nothing.

use crate::adapter::{DirEntry, FileKind, Target, TargetKind, TargetQuery, Workspace};
use crate::source::{C, CPP};
use crate::{files, named};

/// Where builds put what they make, beside the project's own files; its directories are looked into
/// as well.
const BUILD: &str = "build";
const BUILD_ENTRIES: u32 = 1_000;
const BUILD_DIRECTORIES: usize = 50;

/// Most files that are opened for one list.
const OPENED: usize = 1_000;

/// Sources with a `main`, which are compiled for the caller.
pub fn sources(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let paths = wanted(query).then(|| files::own(project, |path| C.reads(path) || CPP.reads(path)));
    let main = |target: Target| {
        let line = main_line(&files::text(project, &target.id))?;
        Some(Target {
            file: Some(target.id.clone()),
            line: Some(line),
            needs_build: true,
            ..target
        })
    };
    opened(paths.unwrap_or_default(), query, main)
}

/// What compilers have built with debug information, and wrote their names into.
pub fn built(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let mut paths = Vec::new();
    if wanted(query) {
        paths = files::own(project, is_program);
        paths.extend(in_build(project).into_iter().filter(|path| is_program(path)));
    }
    let debuggable = |target: Target| {
        let program = project.workspace_executable(&target.id).ok()?;
        (program.has_debug_info() && !program.compilers().is_empty()).then_some(target)
    };
    opened(paths, query, debuggable)
}

fn wanted(query: &TargetQuery) -> bool {
    query.kinds.is_empty() || query.kinds.contains(&TargetKind::Program)
}

/// Those whose names are asked for, and of which what is inside says that they are meant. No more
/// are opened than the caller wants.
fn opened(
    paths: Vec<String>,
    query: &TargetQuery,
    look: impl Fn(Target) -> Option<Target>,
) -> Vec<Target> {
    let program = |path: String| Target {
        label: path.clone(),
        id: path,
        kind: TargetKind::Program,
        file: None,
        line: None,
        needs_build: false,
    };
    let all = TargetQuery { limit: OPENED as u32, ..query.clone() };
    let named = named::listed(paths.into_iter().map(program), &all);
    named.into_iter().filter_map(look).take(query.limit as usize).collect()
}

fn in_build(project: &Workspace) -> Vec<String> {
    let list = |directory: &str| {
        let entries = project.read_dir(directory, BUILD_ENTRIES).unwrap_or_default();
        let (inner, files): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| matches!(entry.kind, FileKind::Directory));
        let paths = |entries: Vec<DirEntry>| -> Vec<String> {
            entries.into_iter().map(|entry| files::within(directory, &entry.name)).collect()
        };
        (paths(inner), paths(files))
    };
    let (inner, mut files) = list(BUILD);
    files.extend(inner.iter().take(BUILD_DIRECTORIES).flat_map(|directory| list(directory).1));
    files
}

/// As linkers name what they make: `cart`, `a.out`.
fn is_program(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_none_or(|(_, extension)| extension == "out")
}

/// Where `main` is defined, from 1. A definition begins its line and does not end with a semicolon.
fn main_line(text: &str) -> Option<u32> {
    let defines = |line: &str| {
        let begins = line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        begins && !line.trim_end().ends_with(';') && calls_main(line)
    };
    text.lines().position(defines).map(|at| at as u32 + 1)
}

/// Is `main`, and no longer name, before a parenthesis?
fn calls_main(line: &str) -> bool {
    let Some((before, _)) = line.split_once('(') else { return false };
    let word = before
        .trim_end()
        .rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':')
        .next();
    word == Some("main")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_with_a_main_is_a_program() {
        assert_eq!(main_line("#include <a>\nint main(void) {\n"), Some(2));
        assert_eq!(main_line("static int x;\n\nint\nmain (int argc, char **argv)\n{"), Some(4));
        assert_eq!(main_line("auto main() -> int {"), Some(1));
        for text in [
            "int main(void);",
            "int domain(int a) {",
            "  main(a);",
            "// main(",
            "int Shop::main() {",
            "x",
        ] {
            assert_eq!(main_line(text), None, "{text}");
        }
    }

    #[test]
    fn programs_have_no_extension() {
        assert!(is_program("a.d/cart") && is_program("a.out"));
        assert!(!is_program("cart.o") && !is_program("libcart.so"));
    }
}
