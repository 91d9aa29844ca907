//! Programs of C and C++: sources with a `main`, and executables with debug information. Knows no
//! debugger, and builds nothing.

use dapdock_plugin::adapter::{FileKind, Target, TargetKind, TargetQuery, Workspace};
use dapdock_plugin::{files, test_names};

use crate::compilers::{C, CPP};
use crate::projects;

/// A common build directory; its subdirectories are searched, too.
const BUILD: &str = "build";
const BUILD_ENTRIES: u32 = 1_000;
const BUILD_DIRECTORIES: usize = 50;

/// Most files opened for one list.
const OPENED: usize = 1_000;

/// Sources with a `main`, which a launch compiles, without those of the project's programs.
pub fn sources(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let mut paths = Vec::new();
    if wants_programs(query) {
        paths = files::own(project, is_source);
        let programs = projects::programs(project);
        paths.retain(|path| !programs.iter().any(|program| program.sources.contains(path)));
    }
    checked_targets(paths, query, |target| source_with_main(project, target))
}

fn source_with_main(project: &Workspace, target: Target) -> Option<Target> {
    let line = main_line(&files::text(project, &target.id))?;
    let file = Some(target.id.clone());
    Some(Target { file, line: Some(line), needs_build: true, ..target })
}

/// Executables with debug information that name their compilers.
pub fn built(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let mut paths = Vec::new();
    if wants_programs(query) {
        paths = files::own(project, is_program);
        paths.extend(in_build(project).into_iter().filter(|path| is_program(path)));
    }
    checked_targets(paths, query, |target| {
        let program = project.workspace_executable(&target.id).ok()?;
        (program.has_debug_info() && !program.compilers().is_empty()).then_some(target)
    })
}

pub(crate) fn wants_programs(query: &TargetQuery) -> bool {
    query.kinds.is_empty() || query.kinds.contains(&TargetKind::Program)
}

/// Filters targets by name, then opens them to check; no more than the limit.
fn checked_targets(
    paths: Vec<String>,
    query: &TargetQuery,
    check: impl Fn(Target) -> Option<Target>,
) -> Vec<Target> {
    let mut programs = Vec::new();
    for path in paths {
        programs.push(Target {
            label: path.clone(),
            id: path,
            kind: TargetKind::Program,
            file: None,
            line: None,
            needs_build: false,
        });
    }
    let all = TargetQuery { limit: OPENED as u32, ..query.clone() };
    let targets = test_names::listed(programs, &all);
    targets.into_iter().filter_map(check).take(query.limit as usize).collect()
}

/// Files in the build directory and its subdirectories.
fn in_build(project: &Workspace) -> Vec<String> {
    let (inner, mut found) = entries(project, BUILD);
    for directory in inner.iter().take(BUILD_DIRECTORIES) {
        let (_, files) = entries(project, directory);
        found.extend(files);
    }
    found
}

/// Paths of the directories and of the files in a directory.
fn entries(project: &Workspace, directory: &str) -> (Vec<String>, Vec<String>) {
    let (mut directories, mut files) = (Vec::new(), Vec::new());
    for entry in project.read_dir(directory, BUILD_ENTRIES).unwrap_or_default() {
        let path = files::child(directory, &entry.name);
        if matches!(entry.kind, FileKind::Directory) {
            directories.push(path);
        } else {
            files.push(path);
        }
    }
    (directories, files)
}

/// Is it a source of C or C++?
pub fn is_source(path: &str) -> bool {
    C.accepts(path) || CPP.accepts(path)
}

/// Names of linked programs: `cart`, `a.out`.
pub(crate) fn is_program(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_none_or(|(_, extension)| extension == "out")
}

/// The line of `main`'s definition, from 1. A definition begins its line and does not end with a
/// semicolon.
pub(crate) fn main_line(text: &str) -> Option<u32> {
    let line = text.lines().position(defines_main)?;
    Some(line as u32 + 1)
}

fn defines_main(line: &str) -> bool {
    let begins = line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    begins && !line.trim_end().ends_with(';') && calls_main(line)
}

/// Is the name before the parenthesis exactly `main`?
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
    fn source_with_main_is_a_program() {
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
