//! What the makefiles of a project build: its programs, as a launch takes them. A source with a `main` that is one of several of a program is no program of its own.

use dapdock_plugin::adapter::{
    BuildResult, Error, Executable, Target, TargetKind, TargetQuery, Workspace,
};
use dapdock_plugin::{files, test_names};

use crate::makefile::{self, Program};
use crate::{build, compilers, programs};

/// All programs that makefiles build.
pub fn programs(project: &Workspace) -> Vec<Program> {
    makefile::programs(project)
}

/// Programs that a launch builds; without what is built.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let mut targets = Vec::new();
    if !programs::wants_programs(query) {
        return targets;
    }
    for program in makefile::programs(project) {
        let output = project.workspace_executable(&program.output);
        if !output.is_ok_and(|output| output.has_debug_info()) {
            targets.push(target(project, &program));
        }
    }
    test_names::listed(targets, query)
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
