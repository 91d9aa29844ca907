//! What the build tools of a project build and test: its programs and tests, as a launch takes
//! them. A source with a `main` that is one of several of a program is no program of its own.

use dapdock_plugin::adapter::{
    BuildResult, Error, Executable, Target, TargetKind, TargetQuery, Workspace,
};
use dapdock_plugin::{files, test_names};

use crate::makefile::{self, Program};
use crate::{build, cmake_lists, compilers, programs};

/// All programs that makefiles and CMake build.
pub fn programs(project: &Workspace) -> Vec<Program> {
    let mut all = cmake_lists::read(project).programs;
    all.extend(makefile::programs(project));
    all
}

/// Programs and tests that a launch builds; without what is built, which `built` lists.
pub fn targets(project: &Workspace, query: &TargetQuery, built: &[Target]) -> Vec<Target> {
    let lists = cmake_lists::read(project);
    let mut targets: Vec<Target> = lists.tests.into_iter().map(Target::from).collect();
    if !programs::wants_programs(query) {
        return test_names::listed(targets, query);
    }
    for program in lists.programs {
        let is_built = built.iter().any(|one| is_named(&one.id, &program.output));
        targets.extend((!is_built).then(|| target(project, &program)));
    }
    for program in makefile::programs(project) {
        let output = project.workspace_executable(&program.output);
        if !output.is_ok_and(|output| output.has_debug_info()) {
            targets.push(target(project, &program));
        }
    }
    test_names::listed(targets, query)
}

fn is_named(path: &str, name: &str) -> bool {
    path.rsplit('/').next() == Some(name)
}

/// At its `main`: of several that of the source with its name.
fn target(project: &Workspace, program: &Program) -> Target {
    let mut mains = Vec::new();
    for source in &program.sources {
        let line = programs::main_line(&files::text(project, source));
        mains.extend(line.map(|line| (source.clone(), line)));
    }
    let name = makefile::stem_of(&program.output);
    let of_its_name = mains.iter().find(|(source, _)| makefile::stem_of(source) == name);
    let (file, line) = match (of_its_name, mains.as_slice()) {
        (Some(main), _) | (None, [main]) => main.clone(),
        _ => program.place.clone(),
    };
    Target {
        id: program.id(),
        label: program.id(),
        kind: TargetKind::Program,
        file: Some(file),
        line: Some(line),
        needs_build: true,
    }
}

/// The program of which a source is a part.
pub fn program_of(project: &Workspace, source: &str) -> Option<Program> {
    let root = project.root();
    let source = build::relative(&root, source);
    programs(project).into_iter().find(|one| one.sources.iter().any(|path| path == source))
}

/// The program that was compiled from one source.
///
/// # Errors
///
/// The compiler's messages, with the program that the source is a part of, if it cannot be compiled
/// alone.
pub fn compiled(
    project: &Workspace,
    source: &str,
    results: &[BuildResult],
) -> Result<Executable, Error> {
    compilers::compiled_program(project, source, results).map_err(|error| {
        match program_of(project, source) {
            Some(program) => error.hint(program.call()),
            None => error,
        }
    })
}

/// Does CTest have a test of this name?
pub fn has_test(project: &Workspace, name: &str) -> bool {
    cmake_lists::read(project).tests.iter().any(|test| test.name == name)
}
